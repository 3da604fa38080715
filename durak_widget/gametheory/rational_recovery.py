"""Recovers an exact equilibrium from a floating-point equilibrium, if possible.

A recovered strategy is accepted only if its certificate has no gap. First, small denominators are tried. Then the
floats show which actions are played, and which of the opponent's actions are best. This gives equations for the
equilibrium, which are solved in fractions by elimination, the shortest equation first.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import lcm
from typing import TYPE_CHECKING, Final

import numpy as np

from durak_widget.gametheory.certificate import Certificate, round_strategy
from durak_widget.gametheory.strategy import build_unchecked_strategy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.sequence_form import Floats, SequenceForm
    from durak_widget.gametheory.strategy import Strategy

    Equation = dict[int, Fraction]

DENOMINATORS: Final = (1, 12, 360, 10_000, 1_000_000)
"""The largest denominators allowed when probabilities are rounded; each is tried in turn, until one succeeds."""
TOLERANCE: Final = 1e-9
"""The smallest difference at which two floating-point numbers are treated as different."""
MAX_EQUATIONS: Final = 20_000
"""The maximum number of linear equations that are solved in exact fractions."""
_ZERO: Final = Fraction(0)
_CONSTANT_KEY: Final = -1
"""The dictionary key of the constant term in an equation; the other keys are indices of unknowns."""


def recover_exact_certificate(form: SequenceForm, probabilities: Sequence[Floats]) -> Certificate:
    """Recover exact strategies from an equilibrium in floats, and certify the best of them.

    The certificate has no gap if an exact equilibrium is found near the given one.

    >>> from durak_widget.gametheory.sequence_form import solve_linear_program
    >>> from durak_widget.gametheory.sequence_form import SequenceForm
    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> pennies = {"": DecisionNode(0, "hides", [("h", "h"), ("t", "t")]), **{first: DecisionNode(1, "?", [("h", first + "h"), ("t", first + "t")]) for first in "ht"}}
    >>> pennies |= {first + second: TerminalNode((1, -1) if first == second else (-1, 1)) for first in "ht" for second in "ht"}
    >>> form = SequenceForm(build_tree("", pennies.__getitem__, player_count=2))
    >>> recover_exact_certificate(form, solve_linear_program(form)).strategy["hides"]
    (Fraction(1, 2), Fraction(1, 2))
    """
    floats = form.to_strategy(probabilities)
    known_bounds = form.compute_bounds(
        [side.to_realization_plan(move_probabilities) for side, move_probabilities in zip(form.sides, probabilities, strict=True)]
    )
    for denominator in DENOMINATORS:
        rounded_strategy = _round_strategy(form, floats, denominator)
        if rounded_strategy is not None and _is_promising(form, rounded_strategy, known_bounds):
            certificate = certify_in_sequence_form(form, rounded_strategy)
            if certificate.exact:
                return certificate
    plain_certificate = certify_in_sequence_form(form, floats)
    rows = list(plain_certificate.strategy.rows)
    for player in (0, 1):
        for infoset, row in _solve_for_player(form, probabilities, player).items():
            rows[infoset] = row
    solved = build_unchecked_strategy(form.tree.infosets, rows)
    certificate = certify_in_sequence_form(form, solved) if _is_promising(form, solved, known_bounds) else plain_certificate
    return min(certificate, plain_certificate, key=lambda candidate: candidate.gap)


def certify_in_sequence_form(form: SequenceForm, strategy: Strategy) -> Certificate:
    """Certify a strategy much faster than `gametheory.certify`, with the same result.

    The computation uses the sequence form, in whole numbers.

    >>> from durak_widget.gametheory import Strategy, certify
    >>> from durak_widget.gametheory.sequence_form import SequenceForm
    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> certify_in_sequence_form(SequenceForm(tree), Strategy.uniform(tree)) == certify(tree, Strategy.uniform(tree))
    True
    """
    exact = round_strategy(form.tree, strategy)
    return Certificate(exact, -_best_response_value(form, exact, 1), _best_response_value(form, exact, 0))


def _best_response_value(form: SequenceForm, strategy: Strategy, player: int) -> Fraction:
    """Return a player's highest expected payoff against the opponent's strategy, exactly."""
    own, other = form.sides[player], form.sides[1 - player]
    realization_plan = [Fraction(1)]
    for infoset, parent in zip(other.tree_infosets.tolist(), other.parent_sequences.tolist(), strict=True):
        weight = realization_plan[parent]
        realization_plan += [weight * probability if weight and probability else _ZERO for probability in strategy.rows[infoset]]
    denominator = lcm(*{entry.denominator for entry in realization_plan})
    weights = [entry.numerator * (denominator // entry.denominator) for entry in realization_plan]
    payoff_denominator = lcm(*{payoff.denominator for payoff in form.exact_payoffs})
    payoffs = [(1 - 2 * player) * payoff.numerator * (payoff_denominator // payoff.denominator) for payoff in form.exact_payoffs]
    gains = [0] * own.sequence_count
    for own_sequence, other_sequence, kind in zip(
        form.payoff_entries[player].tolist(), form.payoff_entries[1 - player].tolist(), form.payoff_entries[2].tolist(), strict=True
    ):
        if weights[other_sequence]:
            gains[own_sequence] += weights[other_sequence] * payoffs[kind]
    for first_action, action_count, parent in zip(
        own.first_actions.tolist()[::-1], own.action_counts.tolist()[::-1], own.parent_sequences.tolist()[::-1], strict=True
    ):
        gains[parent] += max(gains[1 + first_action : 1 + first_action + action_count])
    return Fraction(gains[0], denominator * payoff_denominator)


def _is_promising(form: SequenceForm, strategy: Strategy, known_bounds: tuple[float, float]) -> bool:
    """Return whether a strategy proves bounds that are about as good as `known_bounds`.

    Only then is the exact certificate computed.
    """
    lower, upper = form.compute_bounds(
        [side.to_realization_plan(probabilities) for side, probabilities in zip(form.sides, form.to_probabilities(strategy), strict=True)]
    )
    slack = TOLERANCE * max(1.0, abs(known_bounds[0]), abs(known_bounds[1]))
    return lower > known_bounds[0] - slack and upper < known_bounds[1] + slack


def _round_strategy(form: SequenceForm, strategy: Strategy, denominator: int) -> Strategy | None:
    """Round a strategy to limited denominators; return None if a probability becomes negative."""
    # Many information sets have the same probabilities, so each different row is rounded only once
    rounded_rows = {row: _round_row(row, denominator) for row in dict.fromkeys(strategy.rows)}
    rows = [row for original in strategy.rows if (row := rounded_rows[original]) is not None]
    return build_unchecked_strategy(form.tree.infosets, rows) if len(rows) == len(strategy.rows) else None


def _round_row(row: Sequence[float | Fraction], denominator: int) -> tuple[Fraction, ...] | None:
    """Round probabilities to a limited denominator; change the largest to make the sum 1."""
    rounded_row = [Fraction(probability).limit_denominator(denominator) for probability in row]
    largest = max(range(len(row)), key=row.__getitem__)
    rounded_row[largest] += 1 - sum(rounded_row)
    return tuple(rounded_row) if rounded_row[largest] >= 0 else None


def _solve_for_player(form: SequenceForm, probabilities: Sequence[Floats], player: int) -> dict[int, tuple[Fraction, ...]]:
    """Solve for exact probabilities at the information sets that a player's own play reaches.

    Return an empty dictionary if no exact probabilities are found.
    """
    own, other = form.sides[player], form.sides[1 - player]
    realization_plan = own.to_realization_plan(probabilities[player])
    is_played = realization_plan > TOLERANCE
    unknown_of_sequence = np.full(own.sequence_count, -1)
    unknown_of_sequence[is_played] = np.arange(int(is_played.sum()))
    count = int(is_played.sum())
    # The first equation says that the empty sequence (no action yet) has weight 1
    equations: list[Equation] = [{0: Fraction(1), _CONSTANT_KEY: Fraction(1)}]
    for first_action, action_count, parent in zip(
        own.first_actions.tolist(), own.action_counts.tolist(), own.parent_sequences.tolist(), strict=True
    ):
        if is_played[parent]:
            unknowns = [
                int(unknown_of_sequence[1 + action]) for action in range(first_action, first_action + action_count) if is_played[1 + action]
            ]
            equations.append({**dict.fromkeys(unknowns, Fraction(1)), int(unknown_of_sequence[parent]): Fraction(-1)})
    tight, values = _find_tight_actions(form, 1 - player, realization_plan)
    if len(tight) + len(equations) > MAX_EQUATIONS:
        return {}
    equation_of_action: dict[int, Equation] = {action: {count + int(other.infoset_of_action[action]): Fraction(1)} for action in tight}
    for infoset, parent in enumerate(other.parent_sequences.tolist()):
        if parent and parent - 1 in equation_of_action:
            equation_of_action[parent - 1][count + infoset] = Fraction(-1)
    _add_payoffs(form, player, unknown_of_sequence, equation_of_action)
    guess = np.concatenate((realization_plan[is_played], values))
    solution = solve_exactly([*equations, *equation_of_action.values()], guess)
    if solution is None:
        return {}
    weights = [solution[unknown] if unknown >= 0 else Fraction(0) for unknown in unknown_of_sequence.tolist()]
    if min(weights) < 0:
        return {}
    rows = {}
    for infoset, first_action, action_count, parent in zip(
        own.tree_infosets.tolist(), own.first_actions.tolist(), own.action_counts.tolist(), own.parent_sequences.tolist(), strict=True
    ):
        if weights[parent]:
            row = tuple([weight / weights[parent] for weight in weights[1 + first_action : 1 + first_action + action_count]])
            if sum(row) != 1:
                return {}
            rows[infoset] = row
    return rows


def _find_tight_actions(form: SequenceForm, player: int, plan: Floats) -> tuple[list[int], Floats]:
    """Return a player's best actions against a realization plan.

    Also return the value of each information set.
    """
    sequences, gains = form.sides[player], form.compute_gains(player, plan)
    action_gains, infoset_values = gains[1:], np.zeros(len(sequences.tree_infosets))
    for level in reversed(sequences.levels):
        level_values = np.maximum.reduceat(action_gains[level.action_slice], level.first_actions)
        infoset_values[sequences.infoset_of_action[level.action_slice][level.first_actions]] = level_values
        gains[level.group_parents] += np.add.reduceat(level_values, level.group_starts)
    return np.flatnonzero(action_gains > infoset_values[sequences.infoset_of_action] - TOLERANCE).tolist(), infoset_values


def _add_payoffs(form: SequenceForm, player: int, unknown_of_sequence: Floats, equation_of_action: dict[int, Equation]) -> None:
    """Add the payoffs after each action of the opponent to the equation of this action.

    The payoffs depend on the weights of the player's sequences.
    """
    own_sequences, opponent_sequences, kinds = (form.payoff_entries[player], form.payoff_entries[1 - player], form.payoff_entries[2])
    sign = -1 if player == 0 else 1  # The second player's payoffs are the first player's payoffs negated
    is_wanted = np.zeros(form.sides[1 - player].sequence_count, dtype=bool)
    is_wanted[[1 + action for action in equation_of_action]] = True
    entries = np.flatnonzero(is_wanted[opponent_sequences] & (unknown_of_sequence[own_sequences] >= 0))
    for own_unknown, other_sequence, kind in zip(
        unknown_of_sequence[own_sequences[entries]].tolist(), opponent_sequences[entries].tolist(), kinds[entries].tolist(), strict=True
    ):
        equation = equation_of_action[other_sequence - 1]
        equation[own_unknown] = equation.get(own_unknown, Fraction(0)) - sign * form.exact_payoffs[kind]


def solve_exactly(equations: Sequence[Equation], guess: Sequence[float] | Floats) -> list[Fraction] | None:
    """Solve linear equations in fractions; return None if they are contradictory.

    An undetermined unknown gets a simple fraction near its guess. An equation maps unknowns to factors: the sum of
    factors times unknowns is equal to the constant, which has the key -1.

    >>> solve_exactly([{0: Fraction(1), 1: Fraction(1), -1: Fraction(1)}, {0: Fraction(1), 1: Fraction(-2)}], [0.6, 0.3])
    [Fraction(2, 3), Fraction(1, 3)]
    """
    rows = [{key: factor for key, factor in equation.items() if factor} for equation in equations]
    indices_by_key: dict[int, set[int]] = {}
    for index, row in enumerate(rows):
        for key in row:
            indices_by_key.setdefault(key, set()).add(index)
    waiting = [(len(row), index) for index, row in enumerate(rows)]
    heapify(waiting)
    eliminated, used_indices = [], set()
    while waiting:
        length, index = heappop(waiting)
        row = rows[index]
        if index in used_indices or length != len(row):
            continue
        used_indices.add(index)
        unknowns = [key for key in row if key != _CONSTANT_KEY]
        if not unknowns:
            if row:
                return None
            continue
        pivot_key = min(unknowns, key=lambda key: len(indices_by_key[key]))
        for key in row:
            indices_by_key[key].discard(index)
        eliminated.append((pivot_key, row))
        for other_index in list(indices_by_key[pivot_key]):
            _eliminate(rows[other_index], row, pivot_key, other_index, indices_by_key)
            heappush(waiting, (len(rows[other_index]), other_index))
    solution: list[Fraction | None] = [None] * len(guess)
    for pivot_key, row in reversed(eliminated):
        total = row.get(_CONSTANT_KEY, Fraction(0))
        for key, factor in row.items():
            if key not in {pivot_key, _CONSTANT_KEY}:
                total -= factor * _value_of_unknown(solution, key, guess)
        solution[pivot_key] = total / row[pivot_key]
    return [_value_of_unknown(solution, key, guess) for key in range(len(guess))]


def _eliminate(row: Equation, pivot_equation: Equation, pivot_key: int, index: int, holders: dict[int, set[int]]) -> None:
    """Eliminate an unknown from an equation by subtracting a multiple of another equation."""
    multiplier = row[pivot_key] / pivot_equation[pivot_key]
    for key, factor in pivot_equation.items():
        remaining = row.get(key, 0) - multiplier * factor
        if remaining:
            row[key] = remaining
            holders.setdefault(key, set()).add(index)
        elif key in row:
            del row[key]
            holders[key].discard(index)


def _value_of_unknown(solution: list[Fraction | None], key: int, guess: Sequence[float] | Floats) -> Fraction:
    """Return an unknown's value, or a fraction near a guess if the value is undetermined."""
    value = solution[key]
    if value is None:
        value = solution[key] = Fraction(float(guess[key])).limit_denominator(1000)
    return value
