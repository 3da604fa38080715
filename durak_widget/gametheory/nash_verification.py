"""Checks that no player gains by another pure strategy, or by any behaviour strategy.

The check of all behaviour strategies is exact, in fractions, and covers imperfect recall. The expected payoff
is a polynomial in the player's probabilities. If nothing is better, the strategy is *optimal ex ante*
(Piccione, M. and Rubinstein, A. (1997): On the interpretation of decision problems with imperfect recall.
Games and Economic Behavior 20, 3-24), or the planning optimum (Aumann, R., Hart, S. and Perry, M. (1997): The
absent-minded driver. Same volume, 102-116). Multiplying by sums of probabilities (which are 1) makes the loss
homogeneous. If no coefficient is negative, no behaviour gains. Otherwise the set is split in two, first at
the player's own behaviour. A corner with a negative value is a better behaviour.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from math import comb, factorial, prod
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import best_response, value
from durak_widget.gametheory.strategic_form import own_paths, pure_plans
from durak_widget.gametheory.strategy import made, pure_row
from durak_widget.gametheory.tree import CHANCE, OVER, require_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.gametheory.game_properties import Remembers
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

    Power = tuple[int, ...]
    """The exponent of each action's probability, grouped by information set."""
    Row = tuple[Fraction, ...]

_TRIED: Final = 20_000
COEFFICIENTS: Final = 3_000
"""The largest number of coefficients of a polynomial that is checked."""
PARTS: Final = 400
"""The largest number of parts; fewer if there are many coefficients."""
_WORK: Final = 20_000


class OtherBehaviour(NamedTuple):
    """The answer to whether a player gains by another behaviour strategy."""

    gains: bool | None
    """None if undecided: there are too many actions, or the subdivision never isolated an equally good behaviour."""
    strategy: Strategy | None = None
    """A strategy in which the player gains and the others play as before."""


class _Part(NamedTuple):
    """A part of the behaviour strategies of a player.

    At each information set it has as many corners as there are actions, and consists of their mixtures.
    """

    loss: dict[Power, Fraction]
    """The loss, as a polynomial in the weights of the corners."""
    corners: tuple[tuple[Row, ...], ...]


def other_behaviour(tree: Tree, strategy: Strategy, seat: int, near: Fraction = Fraction(0)) -> OtherBehaviour:
    """Find a behaviour strategy by which a player gains more than `near`.

    The other players play by an exact strategy. Perfect recall is not required.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> other_behaviour(driver, Strategy(driver, [(Fraction(1, 3), Fraction(2, 3))]), 0)
    OtherBehaviour(gains=False, strategy=None)
    >>> other_behaviour(driver, Strategy.choosing(driver, [1]), 0).strategy.rows
    ((Fraction(1, 2), Fraction(1, 2)),)
    """
    require_tree(tree)
    payoffs = _paid(tree, strategy, seat)
    infosets = sorted({infoset for path in payoffs for infoset, _ in path})
    sizes = [len(tree.sets[infoset].moves) for infoset in infosets]
    degrees = [max(sum(earlier == infoset for earlier, _ in path) for path in payoffs) for infoset in infosets]
    supports = [[index for index, probability in enumerate(strategy.rows[infoset]) if probability] for infoset in infosets]
    coefficient_count = prod(comb(degree + size - 1, degree) for degree, size in zip(degrees, sizes, strict=True))
    cuts = min(PARTS, _WORK // coefficient_count)
    if coefficient_count > COEFFICIENTS or prod(map(len, supports)) > cuts:
        return OtherBehaviour(None)
    required_value = Fraction(value(tree, strategy, seat)) + near
    loss = dict(_times_one({tuple([0] * sum(sizes)): required_value}, degrees, sizes))
    for path, payoff in payoffs.items():
        exponents = tuple([path.count((infoset, action)) for infoset, size in zip(infosets, sizes, strict=True) for action in range(size)])
        missing_degrees = [
            degree - sum(earlier == infoset for earlier, _ in path) for infoset, degree in zip(infosets, degrees, strict=True)
        ]
        for full_exponents, coefficient in _times_one({exponents: payoff}, missing_degrees, sizes):
            loss[full_exponents] = loss.get(full_exponents, Fraction(0)) - coefficient
    parts = [_Part(loss, tuple([tuple([pure_row(action, size) for action in range(size)]) for size in sizes]))]
    if _better_corner(parts[0]) is None:
        for index, infoset in enumerate(infosets):
            row = [Fraction(probability) for probability in strategy.rows[infoset]]
            if len(supports[index]) > 1:
                parts = [_moved(part, index, corner, row) for part in parts for corner in supports[index]]
    for _ in range(cuts + 1):
        if not parts:
            return OtherBehaviour(gains=False)
        part = parts.pop()
        if (better_rows := _better_corner(part)) is not None:
            rows = dict(zip(infosets, better_rows, strict=True))
            return OtherBehaviour(
                gains=True, strategy=made(tree.sets, [rows.get(infoset, row) for infoset, row in enumerate(strategy.rows)])
            )
        worst_exponents = min(part.loss, key=part.loss.__getitem__, default=None)
        if worst_exponents is not None and part.loss[worst_exponents] < 0:
            parts += _halves(part, worst_exponents)
    return OtherBehaviour(None)


def anybody_gains(tree: Tree, strategy: Strategy, memories: Sequence[Remembers]) -> bool | None:
    """Return whether any player gains by another behaviour strategy; None if undecided.

    `memories` is what each player remembers.

    >>> from durak_widget.gametheory.game_properties import memories
    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> [anybody_gains(driver, Strategy.choosing(driver, [action]), memories(driver)) for action in (0, 1)]
    [True, True]
    """
    answers = list[bool | None]()
    for player, memory in enumerate(memories):
        if memory.recall == "perfect":
            answers.append(best_response(tree, strategy, player).value > value(tree, strategy, player))
        else:
            answers.append(other_behaviour(tree, strategy, player).gains)
    return True if True in answers else None if None in answers else False


def some_behaviour_gains(tree: Tree, strategy: Strategy, near: float) -> bool:
    """Return whether a player was found to gain more than a share of the payoff span.

    The strategy may have rounded probabilities.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> [some_behaviour_gains(driver, Strategy(driver, [(1 - on, on)]), 1e-6) for on in (0.5, 0.6667)]
    [True, False]
    """
    rows = [[Fraction(probability) for probability in row] for row in strategy.rows]
    exact = made(tree.sets, [tuple([probability / sum(row) for probability in row]) for row in rows])
    spans = [max(payoffs) - min(payoffs) for payoffs in zip(*tree.payoffs, strict=True)]
    return any(other_behaviour(tree, exact, player, Fraction(near) * span).gains for player, span in enumerate(spans))


def _paid(tree: Tree, strategy: Strategy, seat: int) -> dict[tuple[tuple[int, int], ...], Fraction]:
    """Sum the payoffs of the terminal histories that follow the same own actions of a player.

    The payoffs are weighted with the probabilities of chance and of the other players.
    """
    payoffs: dict[tuple[tuple[int, int], ...], Fraction] = {}
    waiting: list[tuple[int, Fraction, tuple[tuple[int, int], ...]]] = [(0, Fraction(1), ())]
    for node, weight, path in waiting:
        actor, index = tree.actor[node], tree.info[node]
        if actor == OVER:
            key = tuple(sorted(path))
            payoffs[key] = payoffs.get(key, Fraction(0)) + weight * tree.payoffs[index][seat]
        elif actor == seat:
            waiting += [(child, weight, (*path, (index, action))) for action, child in enumerate(tree.children(node))]
        else:
            row = tree.chances[index].probabilities if actor == CHANCE else strategy.rows[index]
            waiting += [
                (child, weight * Fraction(probability), path)
                for probability, child in zip(row, tree.children(node), strict=True)
                if probability
            ]
    return payoffs


def _times_one(one: dict[Power, Fraction], left: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[Power, Fraction]]:
    """Multiply a monomial by powers of the sum of probabilities of each information set."""
    ((exponents, coefficient),) = one.items()
    for added in product(*(_shared(degree, size) for degree, size in zip(left, sizes, strict=True))):
        flat_added = [exponent for counts in added for exponent in counts]
        multinomial = prod(factorial(degree) // prod(map(factorial, counts)) for degree, counts in zip(left, added, strict=True))
        yield tuple([one + extra for one, extra in zip(exponents, flat_added, strict=True)]), coefficient * multinomial


def _shared(times: int, size: int) -> list[Power]:
    """Return all ways to split a number into ordered parts of at least 0."""
    if size == 1:
        return [(times,)]
    return [(first, *rest) for first in range(times + 1) for rest in _shared(times - first, size - 1)]


def _moved(part: _Part, at: int, corner: int, mix: Sequence[Fraction]) -> _Part:
    """Replace one corner of an information set by a mixture of its corners."""
    start_index = sum(map(len, part.corners[:at]))
    size = len(part.corners[at])
    loss: dict[Power, Fraction] = {}
    for exponents, coefficient in part.loss.items():
        own_exponents = exponents[start_index : start_index + size]
        scale = coefficient * mix[corner] ** own_exponents[corner]
        ranges = [
            range(exponent + 1) if other_corner != corner and mix[other_corner] else range(1)
            for other_corner, exponent in enumerate(own_exponents)
        ]
        for moved_counts in product(*ranges) if scale else ():
            term, counts = scale, list(own_exponents)
            for other_corner, moved_count in enumerate(moved_counts):
                if moved_count:
                    term *= comb(own_exponents[other_corner], moved_count) * mix[other_corner] ** moved_count
                    counts[other_corner] -= moved_count
                    counts[corner] += moved_count
            key = (*exponents[:start_index], *counts, *exponents[start_index + size :])
            loss[key] = loss.get(key, Fraction(0)) + term
    corners = list(part.corners)
    point = tuple(
        [sum((weight * row[action] for weight, row in zip(mix, corners[at], strict=True)), Fraction(0)) for action in range(size)]
    )
    corners[at] = (*corners[at][:corner], point, *corners[at][corner + 1 :])
    return _Part(loss, tuple(corners))


def _better_corner(part: _Part) -> list[Row] | None:
    """Return a corner at which the loss is negative, or None."""
    for exponents, coefficient in part.loss.items():
        if coefficient >= 0:
            continue
        rows, offset = list["Row"](), 0
        for corners in part.corners:
            rows += [corner for corner, exponent in zip(corners, exponents[offset : offset + len(corners)], strict=True) if exponent]
            offset += len(corners)
        if len(rows) == len(part.corners):  # exactly one corner at each information set
            return rows
    return None


def _halves(part: _Part, power: Power) -> list[_Part]:
    """Bisect a part between the two most distant corners that occur in a monomial."""
    longest, offset = (Fraction(-1), 0, 0, 0), 0
    for index, corners in enumerate(part.corners):
        used = [corner for corner, exponent in enumerate(power[offset : offset + len(corners)]) if exponent]
        offset += len(corners)
        for first, second in product(used, used):
            if first < second:
                distance = max(abs(left - right) for left, right in zip(corners[first], corners[second], strict=True))
                longest = max(longest, (distance, index, first, second))
    _, index, first, second = longest
    middle = [Fraction(corner in {first, second}, 2) for corner in range(len(part.corners[index]))]
    return [_moved(part, index, first, middle), _moved(part, index, second, middle)]


def no_plan_gains(tree: Tree, strategy: Strategy, near: float) -> bool:
    """Return whether no player gains by a pure strategy more than a share of the payoff span.

    If no information set is visited twice, no other behaviour gains then: the payoff is linear in each row.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> [no_plan_gains(driver, Strategy(driver, [(1 - on, on)]), 1e-6) for on in (0.5, 0.25)]
    [True, False]
    """
    span = max((float(max(payoffs) - min(payoffs)) for payoffs in zip(*tree.payoffs, strict=True)), default=0.0)
    paths, _ = own_paths(tree)
    for player in range(tree.seats):
        required_value = float(value(tree, strategy, player)) + near * span
        for pure_strategy in islice(pure_plans(tree, player, paths), _TRIED):
            rows = list(strategy.rows)
            for infoset, action in pure_strategy.items():
                rows[infoset] = pure_row(action, len(rows[infoset]))
            if value(tree, made(tree.sets, rows), player) > required_value:
                return False
    return True
