"""Checks that no player gains by switching to another pure or behaviour strategy.

The check of all behaviour strategies is exact, in fractions, and covers imperfect recall. The expected payoff is a
polynomial in the player's probabilities. If no other behaviour strategy is better, the strategy is *optimal ex ante*
(Piccione, M. and Rubinstein, A. (1997): On the interpretation of decision problems with imperfect recall. Games and
Economic Behavior 20, 3-24), or the planning optimum (Aumann, R., Hart, S. and Perry, M. (1997): The absent-minded
driver. Same volume, 102-116). Multiplying by sums of probabilities (which are 1) makes the loss homogeneous. If no
coefficient is negative, no behaviour strategy gains. Otherwise the strategy space is split in two, first at the
player's own strategy. A corner with a negative loss is a better behaviour strategy.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from math import comb, factorial, prod
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import best_response, value
from durak_widget.gametheory.strategic_form import compute_own_paths, generate_pure_strategies
from durak_widget.gametheory.strategy import build_unchecked_strategy, pure_row
from durak_widget.gametheory.tree import CHANCE, TERMINAL, require_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.gametheory.game_properties import PlayerRecall
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

    Exponents = tuple[int, ...]
    """The exponents of a monomial, one for each action probability, grouped by information set."""
    Row = tuple[Fraction, ...]

_MAX_PURE_STRATEGIES: Final = 20_000
MAX_COEFFICIENTS: Final = 3_000
"""The maximum number of coefficients of a polynomial; for a larger polynomial, the program does not decide whether it
has a negative value.
"""
MAX_PARTS: Final = 400
"""The maximum number of regions into which the strategy space is split; the limit is lower if the polynomials have
many coefficients.
"""
_MAX_COEFFICIENTS_OF_ALL_PARTS: Final = 20_000


class BehaviourDeviation(NamedTuple):
    """The result of searching for a behaviour strategy by which a player gains."""

    is_profitable: bool | None
    """True if a profitable deviation was found; None if it is undecided, because there are too many actions or
    regions.
    """
    strategy: Strategy | None = None
    """A strategy profile in which the player gains and the other players keep their strategies."""


class _Subdivision(NamedTuple):
    """A region of the space of a player's behaviour strategies.

    At each information set the region has as many corners as there are actions, and consists of all mixtures of the
    corners.
    """

    loss: dict[Exponents, Fraction]
    """The player's loss as a polynomial in the weights of the region's corners."""
    corner_rows: tuple[tuple[Row, ...], ...]


def find_behaviour_deviation(tree: Tree, strategy: Strategy, player: int, tolerance: Fraction = Fraction(0)) -> BehaviourDeviation:
    """Find a behaviour strategy by which a player gains more than `tolerance`.

    The strategy must be exact, and the other players follow it. Perfect recall is not required.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> find_behaviour_deviation(driver, Strategy(driver, [(Fraction(1, 3), Fraction(2, 3))]), 0)
    BehaviourDeviation(is_profitable=False, strategy=None)
    >>> find_behaviour_deviation(driver, Strategy.from_choices(driver, [1]), 0).strategy.rows
    ((Fraction(1, 2), Fraction(1, 2)),)
    """
    require_tree(tree)
    payoffs = _payoffs_by_own_actions(tree, strategy, player)
    infosets = sorted({infoset for path in payoffs for infoset, _ in path})
    sizes = [len(tree.infosets[infoset].actions) for infoset in infosets]
    degrees = [max(sum(earlier == infoset for earlier, _ in path) for path in payoffs) for infoset in infosets]
    supports = [[index for index, probability in enumerate(strategy.rows[infoset]) if probability] for infoset in infosets]
    coefficient_count = prod(comb(degree + size - 1, degree) for degree, size in zip(degrees, sizes, strict=True))
    cuts = min(MAX_PARTS, _MAX_COEFFICIENTS_OF_ALL_PARTS // coefficient_count)
    if coefficient_count > MAX_COEFFICIENTS or prod(map(len, supports)) > cuts:
        return BehaviourDeviation(None)
    required_value = Fraction(value(tree, strategy, player)) + tolerance
    loss = dict(_homogenize({tuple([0] * sum(sizes)): required_value}, degrees, sizes))
    for path, payoff in payoffs.items():
        exponents = tuple([path.count((infoset, action)) for infoset, size in zip(infosets, sizes, strict=True) for action in range(size)])
        missing_degrees = [
            degree - sum(earlier == infoset for earlier, _ in path) for infoset, degree in zip(infosets, degrees, strict=True)
        ]
        for full_exponents, coefficient in _homogenize({exponents: payoff}, missing_degrees, sizes):
            loss[full_exponents] = loss.get(full_exponents, Fraction(0)) - coefficient
    parts = [_Subdivision(loss, tuple([tuple([pure_row(action, size) for action in range(size)]) for size in sizes]))]
    if _find_better_corner(parts[0]) is None:
        for index, infoset in enumerate(infosets):
            row = [Fraction(probability) for probability in strategy.rows[infoset]]
            if len(supports[index]) > 1:
                parts = [_move_corner(part, index, corner, row) for part in parts for corner in supports[index]]
    for _ in range(cuts + 1):
        if not parts:
            return BehaviourDeviation(is_profitable=False)
        part = parts.pop()
        if (better_rows := _find_better_corner(part)) is not None:
            rows = dict(zip(infosets, better_rows, strict=True))
            return BehaviourDeviation(
                is_profitable=True,
                strategy=build_unchecked_strategy(tree.infosets, [rows.get(infoset, row) for infoset, row in enumerate(strategy.rows)]),
            )
        worst_exponents = min(part.loss, key=part.loss.__getitem__, default=None)
        if worst_exponents is not None and part.loss[worst_exponents] < 0:
            parts += _bisect(part, worst_exponents)
    return BehaviourDeviation(None)


def has_profitable_deviation(tree: Tree, strategy: Strategy, recalls: Sequence[PlayerRecall]) -> bool | None:
    """Return whether a player gains by another behaviour strategy; None if undecided.

    `recalls` has the kind of recall of each player.

    >>> from durak_widget.gametheory.game_properties import find_player_recalls
    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> [has_profitable_deviation(driver, Strategy.from_choices(driver, [action]), find_player_recalls(driver)) for action in (0, 1)]
    [True, True]
    """
    results = list[bool | None]()
    for player, player_recall in enumerate(recalls):
        if player_recall.recall == "perfect":
            results.append(best_response(tree, strategy, player).value > value(tree, strategy, player))
        else:
            results.append(find_behaviour_deviation(tree, strategy, player).is_profitable)
    return True if True in results else None if None in results else False


def has_behaviour_deviation_above(tree: Tree, strategy: Strategy, tolerance: float) -> bool:
    """Return whether a search finds a behaviour strategy that gains more than `tolerance`.

    The gain is measured relative to the player's payoff range.

    The strategy may have rounded probabilities.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> [has_behaviour_deviation_above(driver, Strategy(driver, [(1 - on, on)]), 1e-6) for on in (0.5, 0.6667)]
    [True, False]
    """
    rows = [[Fraction(probability) for probability in row] for row in strategy.rows]
    exact = build_unchecked_strategy(tree.infosets, [tuple([probability / sum(row) for probability in row]) for row in rows])
    spans = [max(payoffs) - min(payoffs) for payoffs in zip(*tree.payoffs, strict=True)]
    return any(find_behaviour_deviation(tree, exact, player, Fraction(tolerance) * span).is_profitable for player, span in enumerate(spans))


def _payoffs_by_own_actions(tree: Tree, strategy: Strategy, player: int) -> dict[tuple[tuple[int, int], ...], Fraction]:
    """Sum a player's payoffs separately for each combination of the player's own actions.

    The payoffs are weighted with the probabilities of chance and of the other players.
    """
    payoffs: dict[tuple[tuple[int, int], ...], Fraction] = {}
    waiting: list[tuple[int, Fraction, tuple[tuple[int, int], ...]]] = [(0, Fraction(1), ())]
    for node, weight, path in waiting:
        actor, index = tree.actor[node], tree.infoset_of[node]
        if actor == TERMINAL:
            key = tuple(sorted(path))
            payoffs[key] = payoffs.get(key, Fraction(0)) + weight * tree.payoffs[index][player]
        elif actor == player:
            waiting += [(child, weight, (*path, (index, action))) for action, child in enumerate(tree.children(node))]
        else:
            row = tree.chance_moves[index].probabilities if actor == CHANCE else strategy.rows[index]
            waiting += [
                (child, weight * Fraction(probability), path)
                for probability, child in zip(row, tree.children(node), strict=True)
                if probability
            ]
    return payoffs


def _homogenize(
    monomial: dict[Exponents, Fraction], missing_degrees: Sequence[int], sizes: Sequence[int]
) -> Iterator[tuple[Exponents, Fraction]]:
    """Yield the terms of a monomial after multiplying it by sums that equal 1.

    Each term has the full degree.
    """
    ((exponents, coefficient),) = monomial.items()
    for added in product(*(_compositions(degree, size) for degree, size in zip(missing_degrees, sizes, strict=True))):
        flat_added = [exponent for counts in added for exponent in counts]
        multinomial = prod(factorial(degree) // prod(map(factorial, counts)) for degree, counts in zip(missing_degrees, added, strict=True))
        yield tuple([exponent + extra for exponent, extra in zip(exponents, flat_added, strict=True)]), coefficient * multinomial


def _compositions(total: int, parts: int) -> list[Exponents]:
    """Return all lists of `parts` non-negative whole numbers that add up to `total`."""
    if parts == 1:
        return [(total,)]
    return [(first, *rest) for first in range(total + 1) for rest in _compositions(total - first, parts - 1)]


def _move_corner(part: _Subdivision, index: int, corner: int, weights: Sequence[Fraction]) -> _Subdivision:
    """Return a strategy region with one corner replaced by a mixture of the region's corners."""
    start_index = sum(map(len, part.corner_rows[:index]))
    size = len(part.corner_rows[index])
    loss: dict[Exponents, Fraction] = {}
    for exponents, coefficient in part.loss.items():
        own_exponents = exponents[start_index : start_index + size]
        scale = coefficient * weights[corner] ** own_exponents[corner]
        ranges = [
            range(exponent + 1) if other_corner != corner and weights[other_corner] else range(1)
            for other_corner, exponent in enumerate(own_exponents)
        ]
        for moved_counts in product(*ranges) if scale else ():
            term, counts = scale, list(own_exponents)
            for other_corner, moved_count in enumerate(moved_counts):
                if moved_count:
                    term *= comb(own_exponents[other_corner], moved_count) * weights[other_corner] ** moved_count
                    counts[other_corner] -= moved_count
                    counts[corner] += moved_count
            key = (*exponents[:start_index], *counts, *exponents[start_index + size :])
            loss[key] = loss.get(key, Fraction(0)) + term
    corners = list(part.corner_rows)
    point = tuple(
        [sum((weight * row[action] for weight, row in zip(weights, corners[index], strict=True)), Fraction(0)) for action in range(size)]
    )
    corners[index] = (*corners[index][:corner], point, *corners[index][corner + 1 :])
    return _Subdivision(loss, tuple(corners))


def _find_better_corner(part: _Subdivision) -> list[Row] | None:
    """Return a corner of a strategy region at which the player's loss is negative, or None."""
    for exponents, coefficient in part.loss.items():
        if coefficient >= 0:
            continue
        rows, offset = list["Row"](), 0
        for corners in part.corner_rows:
            rows += [corner for corner, exponent in zip(corners, exponents[offset : offset + len(corners)], strict=True) if exponent]
            offset += len(corners)
        # The coefficient of a monomial with one corner for each information set is the loss at these corners
        if len(rows) == len(part.corner_rows):
            return rows
    return None


def _bisect(part: _Subdivision, exponents: Exponents) -> list[_Subdivision]:
    """Split a strategy region in two, halfway between two corners that are far apart.

    These are the most distant corners that occur in the monomial with given `exponents`.
    """
    longest, offset = (Fraction(-1), 0, 0, 0), 0
    for index, corners in enumerate(part.corner_rows):
        used = [corner for corner, exponent in enumerate(exponents[offset : offset + len(corners)]) if exponent]
        offset += len(corners)
        for first, second in product(used, used):
            if first < second:
                distance = max(abs(left - right) for left, right in zip(corners[first], corners[second], strict=True))
                longest = max(longest, (distance, index, first, second))
    _, index, first, second = longest
    middle = [Fraction(corner in {first, second}, 2) for corner in range(len(part.corner_rows[index]))]
    return [_move_corner(part, index, first, middle), _move_corner(part, index, second, middle)]


def has_no_pure_deviation(tree: Tree, strategy: Strategy, tolerance: float) -> bool:
    """Return whether no player gains more than `tolerance` by another pure strategy.

    If no path visits an information set twice, then no behaviour strategy gains either, because the payoff is linear
    in the probabilities at each information set.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> [has_no_pure_deviation(driver, Strategy(driver, [(1 - on, on)]), 1e-6) for on in (0.5, 0.25)]
    [True, False]
    """
    span = max((float(max(payoffs) - min(payoffs)) for payoffs in zip(*tree.payoffs, strict=True)), default=0.0)
    paths, _ = compute_own_paths(tree)
    for player in range(tree.player_count):
        required_value = float(value(tree, strategy, player)) + tolerance * span
        for pure_strategy in islice(generate_pure_strategies(tree, player, paths), _MAX_PURE_STRATEGIES):
            rows = list(strategy.rows)
            for infoset, action in pure_strategy.items():
                rows[infoset] = pure_row(action, len(rows[infoset]))
            if value(tree, build_unchecked_strategy(tree.infosets, rows), player) > required_value:
                return False
    return True
