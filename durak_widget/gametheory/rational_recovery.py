"""Recovers an exact equilibrium from a floating-point one, where possible.

A recovered strategy counts only if its certificate has no gap. First small denominators are tried. Then the
equations that hold at the equilibrium are read off the floats (which actions are played, and which of the other
player's actions are as good as their best) and solved in fractions, by elimination that takes the shortest equation
first.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import lcm
from typing import TYPE_CHECKING, Final

import numpy as np

from durak_widget.gametheory.certificate import Certificate, rounded
from durak_widget.gametheory.strategy import made

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.gametheory.sequence_form import Floats, SequenceForm
    from durak_widget.gametheory.strategy import Strategy

    Equation = dict[int, Fraction]

DENOMINATORS: Final = (1, 12, 360, 10_000, 1_000_000)
"""The largest denominators to try, one after another."""
NEAR: Final = 1e-9
"""The smallest difference that counts between floats."""
MOST: Final = 20_000
"""The largest number of equations to solve."""
_NONE: Final = Fraction(0)
_ONE: Final = -1
"""The key of an equation's constant."""


def proved(form: SequenceForm, likely: Sequence[Floats]) -> Certificate:
    """Return the best certificate for an equilibrium in floats.

    It has no gap if an exact equilibrium is found near it.

    >>> from durak_widget.gametheory.sequence_form import linear
    >>> from durak_widget.gametheory.sequence_form import SequenceForm
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> pennies = {"": Turn(0, "hides", [("h", "h"), ("t", "t")]), **{first: Turn(1, "?", [("h", first + "h"), ("t", first + "t")]) for first in "ht"}}
    >>> pennies |= {first + second: End((1, -1) if first == second else (-1, 1)) for first in "ht" for second in "ht"}
    >>> form = SequenceForm(grow("", pennies.__getitem__, seats=2))
    >>> proved(form, linear(form)).strategy["hides"]
    (Fraction(1, 2), Fraction(1, 2))
    """
    floats = form.strategy(likely)
    known_bounds = form.bounds([side.plan(move_probabilities) for side, move_probabilities in zip(form.sides, likely, strict=True)])
    for denominator in DENOMINATORS:
        rounded_strategy = _simple(form, floats, denominator)
        if rounded_strategy is not None and _promising(form, rounded_strategy, known_bounds):
            certificate = certified(form, rounded_strategy)
            if certificate.exact:
                return certificate
    plain_certificate = certified(form, floats)
    rows = list(plain_certificate.strategy.rows)
    for player in (0, 1):
        for infoset, row in _solved(form, likely, player).items():
            rows[infoset] = row
    solved = made(form.tree.sets, rows)
    certificate = certified(form, solved) if _promising(form, solved, known_bounds) else plain_certificate
    return min(certificate, plain_certificate, key=lambda candidate: candidate.gap)


def certified(form: SequenceForm, strategy: Strategy) -> Certificate:
    """Certify a strategy as `gametheory.certify` does, but much faster.

    It uses the sequence form, in whole numbers.

    >>> from durak_widget.gametheory import Strategy, certify
    >>> from durak_widget.gametheory.sequence_form import SequenceForm
    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> certified(SequenceForm(tree), Strategy.uniform(tree)) == certify(tree, Strategy.uniform(tree))
    True
    """
    exact = rounded(form.tree, strategy)
    return Certificate(exact, -_most(form, exact, 1), _most(form, exact, 0))


def _most(form: SequenceForm, strategy: Strategy, seat: int) -> Fraction:
    """Return the most that a player can get against the other's strategy."""
    own, other = form.sides[seat], form.sides[1 - seat]
    realization_plan = [Fraction(1)]
    for infoset, parent in zip(other.places.tolist(), other.before.tolist(), strict=True):
        weight = realization_plan[parent]
        realization_plan += [weight * probability if weight and probability else _NONE for probability in strategy.rows[infoset]]
    denominator = lcm(*{entry.denominator for entry in realization_plan})
    weights = [entry.numerator * (denominator // entry.denominator) for entry in realization_plan]
    payoff_denominator = lcm(*{payoff.denominator for payoff in form.worth})
    payoffs = [(1 - 2 * seat) * payoff.numerator * (payoff_denominator // payoff.denominator) for payoff in form.worth]
    gains = [0] * own.size
    for own_sequence, other_sequence, kind in zip(
        form.cells[seat].tolist(), form.cells[1 - seat].tolist(), form.cells[2].tolist(), strict=True
    ):
        if weights[other_sequence]:
            gains[own_sequence] += weights[other_sequence] * payoffs[kind]
    for first_action, action_count, parent in zip(
        own.begins.tolist()[::-1], own.widths.tolist()[::-1], own.before.tolist()[::-1], strict=True
    ):
        gains[parent] += max(gains[1 + first_action : 1 + first_action + action_count])
    return Fraction(gains[0], denominator * payoff_denominator)


def _promising(form: SequenceForm, strategy: Strategy, known: tuple[float, float]) -> bool:
    """Return whether the bounds in floats are as good as the known ones.

    Only then is the exact certificate computed.
    """
    lower, upper = form.bounds([side.plan(probabilities) for side, probabilities in zip(form.sides, form.likely(strategy), strict=True)])
    slack = NEAR * max(1.0, abs(known[0]), abs(known[1]))
    return lower > known[0] - slack and upper < known[1] + slack


def _simple(form: SequenceForm, strategy: Strategy, denominator: int) -> Strategy | None:
    """Return the strategy with small denominators, or None if a row does not add up."""
    rounded_rows = {row: _near(row, denominator) for row in dict.fromkeys(strategy.rows)}  # most rows are pure and equal
    rows = [row for original in strategy.rows if (row := rounded_rows[original]) is not None]
    return made(form.tree.sets, rows) if len(rows) == len(strategy.rows) else None


def _near(row: Sequence[float | Fraction], denominator: int) -> tuple[Fraction, ...] | None:
    """Round probabilities to denominators up to a limit; the largest absorbs the difference."""
    rounded_row = [Fraction(probability).limit_denominator(denominator) for probability in row]
    largest = max(range(len(row)), key=row.__getitem__)
    rounded_row[largest] += 1 - sum(rounded_row)
    return tuple(rounded_row) if rounded_row[largest] >= 0 else None


def _solved(form: SequenceForm, likely: Sequence[Floats], seat: int) -> dict[int, tuple[Fraction, ...]]:
    """Return a player's exact probabilities at the information sets that their play reaches.

    Return an empty dict if they are not found.
    """
    own, other = form.sides[seat], form.sides[1 - seat]
    realization_plan = own.plan(likely[seat])
    is_played = realization_plan > NEAR
    unknown_of_sequence = np.full(own.size, -1)
    unknown_of_sequence[is_played] = np.arange(int(is_played.sum()))
    count = int(is_played.sum())
    equations: list[Equation] = [{0: Fraction(1), _ONE: Fraction(1)}]  # the empty sequence has weight 1
    for first_action, action_count, parent in zip(own.begins.tolist(), own.widths.tolist(), own.before.tolist(), strict=True):
        if is_played[parent]:
            unknowns = [
                int(unknown_of_sequence[1 + action]) for action in range(first_action, first_action + action_count) if is_played[1 + action]
            ]
            equations.append({**dict.fromkeys(unknowns, Fraction(1)), int(unknown_of_sequence[parent]): Fraction(-1)})
    tight, values = _tight(form, 1 - seat, realization_plan)
    if len(tight) + len(equations) > MOST:
        return {}
    equation_of_action: dict[int, Equation] = {action: {count + int(other.owner[action]): Fraction(1)} for action in tight}
    for infoset, parent in enumerate(other.before.tolist()):
        if parent and parent - 1 in equation_of_action:
            equation_of_action[parent - 1][count + infoset] = Fraction(-1)
    _add_payoffs(form, seat, unknown_of_sequence, equation_of_action)
    guess = np.concatenate((realization_plan[is_played], values))
    solution = solved_exactly([*equations, *equation_of_action.values()], guess)
    if solution is None:
        return {}
    weights = [solution[unknown] if unknown >= 0 else Fraction(0) for unknown in unknown_of_sequence.tolist()]
    if min(weights) < 0:
        return {}
    rows = {}
    for infoset, first_action, action_count, parent in zip(
        own.places.tolist(), own.begins.tolist(), own.widths.tolist(), own.before.tolist(), strict=True
    ):
        if weights[parent]:
            row = tuple([weight / weights[parent] for weight in weights[1 + first_action : 1 + first_action + action_count]])
            if sum(row) != 1:
                return {}
            rows[infoset] = row
    return rows


def _tight(form: SequenceForm, seat: int, plan: Floats) -> tuple[list[int], Floats]:
    """Return a player's actions that are as good as the best, and the infoset values."""
    sequences, gains = form.sides[seat], form.gains(seat, plan)
    action_gains, infoset_values = gains[1:], np.zeros(len(sequences.places))
    for level in reversed(sequences.levels):
        level_values = np.maximum.reduceat(action_gains[level.moves], level.begins)
        infoset_values[sequences.owner[level.moves][level.begins]] = level_values
        gains[level.parents] += np.add.reduceat(level_values, level.groups)
    return np.flatnonzero(action_gains > infoset_values[sequences.owner] - NEAR).tolist(), infoset_values


def _add_payoffs(form: SequenceForm, seat: int, unknown: Floats, answers: dict[int, Equation]) -> None:
    """Add the immediate payoffs of the other player's actions to their equations.

    They depend on the weights of the player's sequences.
    """
    own_sequences, other_sequences, kinds = (form.cells[seat], form.cells[1 - seat], form.cells[2])
    sign = -1 if seat == 0 else 1  # the other player gains what this one loses; it goes to the left side
    is_wanted = np.zeros(form.sides[1 - seat].size, dtype=bool)
    is_wanted[[1 + action for action in answers]] = True
    entries = np.flatnonzero(is_wanted[other_sequences] & (unknown[own_sequences] >= 0))
    for own_unknown, other_sequence, kind in zip(
        unknown[own_sequences[entries]].tolist(), other_sequences[entries].tolist(), kinds[entries].tolist(), strict=True
    ):
        equation = answers[other_sequence - 1]
        equation[own_unknown] = equation.get(own_unknown, Fraction(0)) - sign * form.worth[kind]


def solved_exactly(equations: Sequence[Equation], guess: Sequence[float] | Floats) -> list[Fraction] | None:
    """Solve linear equations in fractions; return None if they are contradictory.

    An undetermined unknown gets a simple number near its guess. Each equation says that the sum of its unknowns, each
    times its factor, is its constant, which has the key -1.

    >>> solved_exactly([{0: Fraction(1), 1: Fraction(1), -1: Fraction(1)}, {0: Fraction(1), 1: Fraction(-2)}], [0.6, 0.3])
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
        unknowns = [key for key in row if key != _ONE]
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
        total = row.get(_ONE, Fraction(0))
        for key, factor in row.items():
            if key not in {pivot_key, _ONE}:
                total -= factor * _value(solution, key, guess)
        solution[pivot_key] = total / row[pivot_key]
    return [_value(solution, key, guess) for key in range(len(guess))]


def _eliminate(row: Equation, by: Equation, pivot: int, number: int, holders: dict[int, set[int]]) -> None:
    """Subtract a multiple of an equation from another one to eliminate the pivot."""
    multiplier = row[pivot] / by[pivot]
    for key, factor in by.items():
        remaining = row.get(key, 0) - multiplier * factor
        if remaining:
            row[key] = remaining
            holders.setdefault(key, set()).add(number)
        elif key in row:
            del row[key]
            holders[key].discard(number)


def _value(found: list[Fraction | None], key: int, guess: Sequence[float] | Floats) -> Fraction:
    """Return the value of an unknown; if undetermined, a simple number near its guess."""
    value = found[key]
    if value is None:
        value = found[key] = Fraction(float(guess[key])).limit_denominator(1000)
    return value
