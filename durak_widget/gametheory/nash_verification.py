"""Checks that no player gains by deviating to another pure strategy, or to any behaviour strategy.

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
    """How often each move is made, those of one information set after those of another."""
    Row = tuple[Fraction, ...]

_TRIED: Final = 20_000
COEFFICIENTS: Final = 3_000
"""A polynomial that might have more is not asked."""
PARTS: Final = 400
"""Into no more parts all that may be done is cut; into fewer, where there are many coefficients."""
_WORK: Final = 20_000


class OtherBehaviour(NamedTuple):
    """Whether a seat gains by another behaviour."""

    gains: bool | None
    """None where that was not decided: its moves are too many, or some behaviour that is as good lies where no cut came to."""
    strategy: Strategy | None = None
    """One by which it gains, the others doing what they do."""


class _Part(NamedTuple):
    """A part of all that may be done: at each information set, mixes of as many behaviours as it has moves, its corners."""

    loss: dict[Power, Fraction]
    """What is lost there, by how much of each corner is in the mix."""
    corners: tuple[tuple[Row, ...], ...]


def other_behaviour(tree: Tree, strategy: Strategy, seat: int, near: Fraction = Fraction(0)) -> OtherBehaviour:
    """Whether a seat gains by any other behaviour more than this, nothing if nothing is said, while the others play by an exact strategy. No recall is asked for.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> other_behaviour(driver, Strategy(driver, [(Fraction(1, 3), Fraction(2, 3))]), 0)
    OtherBehaviour(gains=False, strategy=None)
    >>> other_behaviour(driver, Strategy.choosing(driver, [1]), 0).strategy.rows
    ((Fraction(1, 2), Fraction(1, 2)),)
    """
    require_tree(tree)
    paid = _paid(tree, strategy, seat)
    places = sorted({place for made_on_way in paid for place, _ in made_on_way})
    sizes = [len(tree.sets[place].moves) for place in places]
    most = [max(sum(one == place for one, _ in way) for way in paid) for place in places]
    supports = [[at for at, likely in enumerate(strategy.rows[place]) if likely] for place in places]
    many = prod(comb(top + size - 1, top) for top, size in zip(most, sizes, strict=True))
    cuts = min(PARTS, _WORK // many)
    if many > COEFFICIENTS or prod(map(len, supports)) > cuts:
        return OtherBehaviour(None)
    has = Fraction(value(tree, strategy, seat)) + near
    loss = dict(_times_one({tuple([0] * sum(sizes)): has}, most, sizes))
    for way, worth in paid.items():
        power = tuple([way.count((place, move)) for place, size in zip(places, sizes, strict=True) for move in range(size)])
        left = [top - sum(one == place for one, _ in way) for place, top in zip(places, most, strict=True)]
        for whole, times in _times_one({power: worth}, left, sizes):
            loss[whole] = loss.get(whole, Fraction(0)) - times
    parts = [_Part(loss, tuple([tuple([pure_row(move, size) for move in range(size)]) for size in sizes]))]
    if _better_corner(parts[0]) is None:
        for at, place in enumerate(places):
            row = [Fraction(likely) for likely in strategy.rows[place]]
            if len(supports[at]) > 1:
                parts = [_moved(part, at, corner, row) for part in parts for corner in supports[at]]
    for _ in range(cuts + 1):
        if not parts:
            return OtherBehaviour(gains=False)
        part = parts.pop()
        if (better := _better_corner(part)) is not None:
            rows = dict(zip(places, better, strict=True))
            return OtherBehaviour(gains=True, strategy=made(tree.sets, [rows.get(place, row) for place, row in enumerate(strategy.rows)]))
        worst = min(part.loss, key=part.loss.__getitem__, default=None)
        if worst is not None and part.loss[worst] < 0:
            parts += _halves(part, worst)
    return OtherBehaviour(None)


def anybody_gains(tree: Tree, strategy: Strategy, memories: Sequence[Remembers]) -> bool | None:
    """Whether any seat gains by another behaviour, where this is what each remembers; None where that was not decided.

    >>> from durak_widget.gametheory.game_properties import memories
    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> [anybody_gains(driver, Strategy.choosing(driver, [move]), memories(driver)) for move in (0, 1)]
    [True, True]
    """
    known = list[bool | None]()
    for seat, one in enumerate(memories):
        if one.recall == "perfect":
            known.append(best_response(tree, strategy, seat).value > value(tree, strategy, seat))
        else:
            known.append(other_behaviour(tree, strategy, seat).gains)
    return True if True in known else None if None in known else False


def some_behaviour_gains(tree: Tree, strategy: Strategy, near: float) -> bool:
    """Whether any seat was found to gain by another behaviour more than so much of all that is at stake, in a strategy of floats.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> [some_behaviour_gains(driver, Strategy(driver, [(1 - on, on)]), 1e-6) for on in (0.5, 0.6667)]
    [True, False]
    """
    rows = [[Fraction(one) for one in row] for row in strategy.rows]
    exact = made(tree.sets, [tuple([one / sum(row) for one in row]) for row in rows])
    spans = [max(paid) - min(paid) for paid in zip(*tree.payoffs, strict=True)]
    return any(other_behaviour(tree, exact, seat, Fraction(near) * span).gains for seat, span in enumerate(spans))


def _paid(tree: Tree, strategy: Strategy, seat: int) -> dict[tuple[tuple[int, int], ...], Fraction]:
    """What the ends bring a seat to which it comes by the same moves of its own, chance and the others included."""
    found: dict[tuple[tuple[int, int], ...], Fraction] = {}
    waiting: list[tuple[int, Fraction, tuple[tuple[int, int], ...]]] = [(0, Fraction(1), ())]
    for here, weight, way in waiting:
        who, place = tree.actor[here], tree.info[here]
        if who == OVER:
            key = tuple(sorted(way))
            found[key] = found.get(key, Fraction(0)) + weight * tree.payoffs[place][seat]
        elif who == seat:
            waiting += [(child, weight, (*way, (place, move))) for move, child in enumerate(tree.children(here))]
        else:
            row = tree.chances[place].probabilities if who == CHANCE else strategy.rows[place]
            waiting += [(child, weight * Fraction(likely), way) for likely, child in zip(row, tree.children(here), strict=True) if likely]
    return found


def _times_one(one: dict[Power, Fraction], left: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[Power, Fraction]]:
    """A monomial, times the sum of the probabilities of each information set so often."""
    ((power, worth),) = one.items()
    for each in product(*(_shared(times, size) for times, size in zip(left, sizes, strict=True))):
        more = [count for counts in each for count in counts]
        ways = prod(factorial(times) // prod(map(factorial, counts)) for times, counts in zip(left, each, strict=True))
        yield tuple([one + other for one, other in zip(power, more, strict=True)]), worth * ways


def _shared(times: int, size: int) -> list[Power]:
    """All ways to share so many among so many."""
    if size == 1:
        return [(times,)]
    return [(mine, *rest) for mine in range(times + 1) for rest in _shared(times - mine, size - 1)]


def _moved(part: _Part, at: int, corner: int, mix: Sequence[Fraction]) -> _Part:
    """The part in which a mix of the corners of one information set stands in the place of one of them."""
    begin = sum(map(len, part.corners[:at]))
    size = len(part.corners[at])
    loss: dict[Power, Fraction] = {}
    for power, lost in part.loss.items():
        mine = power[begin : begin + size]
        start = lost * mix[corner] ** mine[corner]
        ranges = [range(times + 1) if one != corner and mix[one] else range(1) for one, times in enumerate(mine)]
        for went in product(*ranges) if start else ():
            times, counts = start, list(mine)
            for one, count in enumerate(went):
                if count:
                    times *= comb(mine[one], count) * mix[one] ** count
                    counts[one] -= count
                    counts[corner] += count
            key = (*power[:begin], *counts, *power[begin + size :])
            loss[key] = loss.get(key, Fraction(0)) + times
    corners = list(part.corners)
    point = tuple([sum((share * row[move] for share, row in zip(mix, corners[at], strict=True)), Fraction(0)) for move in range(size)])
    corners[at] = (*corners[at][:corner], point, *corners[at][corner + 1 :])
    return _Part(loss, tuple(corners))


def _better_corner(part: _Part) -> list[Row] | None:
    """A corner at which less than nothing is lost."""
    for power, lost in part.loss.items():
        if lost >= 0:
            continue
        rows, begin = list["Row"](), 0
        for corners in part.corners:
            rows += [one for one, times in zip(corners, power[begin : begin + len(corners)], strict=True) if times]
            begin += len(corners)
        if len(rows) == len(part.corners):  # of each information set one alone
            return rows
    return None


def _halves(part: _Part, power: Power) -> list[_Part]:
    """A part cut in two, between the two corners that lie furthest from one another of those that this power mixes."""
    longest, begin = (Fraction(-1), 0, 0, 0), 0
    for at, corners in enumerate(part.corners):
        mine = [one for one, times in enumerate(power[begin : begin + len(corners)]) if times]
        begin += len(corners)
        for one, other in product(mine, mine):
            if one < other:
                far = max(abs(here - there) for here, there in zip(corners[one], corners[other], strict=True))
                longest = max(longest, (far, at, one, other))
    _, at, one, other = longest
    middle = [Fraction(here in {one, other}, 2) for here in range(len(part.corners[at]))]
    return [_moved(part, at, one, middle), _moved(part, at, other, middle)]


def no_plan_gains(tree: Tree, strategy: Strategy, near: float) -> bool:
    """Whether no seat gains by a pure plan more than so much of all that is at stake; a plan moves otherwise at several places at once.

    Where nobody is at one information set twice, no other way of moving gains then either: what it is worth is linear in each.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> driver = textbook("driver")
    >>> [no_plan_gains(driver, Strategy(driver, [(1 - on, on)]), 1e-6) for on in (0.5, 0.25)]
    [True, False]
    """
    span = max((float(max(paid) - min(paid)) for paid in zip(*tree.payoffs, strict=True)), default=0.0)
    paths, _ = own_paths(tree)
    for seat in range(tree.seats):
        has = float(value(tree, strategy, seat)) + near * span
        for plan in islice(pure_plans(tree, seat, paths), _TRIED):
            rows = list(strategy.rows)
            for place, move in plan.items():
                rows[place] = pure_row(move, len(rows[place]))
            if value(tree, made(tree.sets, rows), seat) > has:
                return False
    return True
