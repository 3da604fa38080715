"""Is a strategy a *sequential* equilibrium: which trembling hands prove it, or at which information set does no belief help?

Every move that is never made is given the chance `w · ε^c`; as ε goes to nothing the strategy is reached, and the beliefs by Bayes' rule have limits, which are exact
(Kreps, D. M. and Wilson, R. (1982): Sequential equilibria. Econometrica 50, 863-894). If by them no single move is better anywhere, it is proved: for such beliefs
one deviation is enough (Hendon, E., Jacobsen, H. J. and Sloth, B. (1996): The one-shot-deviation principle for sequential rationality). Trembles are first aimed
at beliefs that fit, and then drawn by lot, always the same; where none do, that proves nothing, and the question stays open.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from math import prod
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.beliefs import Onward, members, require_perfect_recall, traces, trembled
from durak_widget.gametheory.best_responses import worths
from durak_widget.gametheory.tree import CHANCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from durak_widget.gametheory.beliefs import Belief, Better, Trace
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

TRIES: Final = 150
"""So many trembles are tried."""
_SHARES: Final = (1, 1, 2, 3, 5, 9)
"""By which weights are drawn."""


class Tremble(NamedTuple):
    """The chance `weight · ε^order` of a move that is never made.

    >>> print(Tremble(Fraction(1, 2), 1), Tremble(Fraction(1), 2))
    1/2·ε ε²
    """

    weight: Fraction
    order: int

    def __str__(self) -> str:
        power = "" if self.order == 1 else "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(self.order))
        return f"{'' if self.weight == 1 else f'{self.weight}·'}ε{power}"


_PLAIN: Final = Tremble(Fraction(1), 1)
Trembles = dict[tuple[int, int], Tremble]
"""Of each move that is never made, by its information set and its place there."""


class Sequential(NamedTuple):
    """Whether a strategy is a sequential equilibrium, and what proves it or refutes it."""

    holds: bool | None
    """None where it was not decided."""
    trembles: Trembles
    """Where it holds: what proves it."""
    beliefs: tuple[Belief, ...] = ()
    """To which the trembles lead, at each information set."""
    against: int | None = None
    """Where it does not hold: the information set at which no belief helps to which any trembles could lead."""
    better: tuple[Better, ...] = ()
    """What is better there, by any such belief: a mix of ways to go on."""


class _Shape(NamedTuple):
    """What is known of one information set."""

    onward: Onward
    corners: list[Belief]
    """Of the beliefs there among which are all that trembles can lead to."""


def sequential(tree: Tree, strategy: Strategy, *, tries: int = TRIES, seed: int = 1, first: Iterable[Trembles] = ()) -> Sequential:
    """Whether an exact strategy is a sequential equilibrium: proved by trembles, the `first` of which are given; refuted by an information set where no belief helps; or not decided.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("beer-quiche")
    >>> beer = Strategy.of(tree, {"strong": "beer", "weak": "beer", "sees beer": "defer", "sees quiche": "duel"})
    >>> found = sequential(tree, beer)
    >>> found.holds, [(tree.sets[place].label, str(one)) for (place, move), one in found.trembles.items() if tree.sets[place].seat == 0]
    (True, [('strong', '5/9·ε'), ('weak', '5·ε')])
    >>> horse = textbook("horse")
    >>> down = Strategy.of(horse, {"begins": "down", "One went across": "across", "One or Two went down": "left"})
    >>> sequential(horse, down).holds, sequential(horse, down).against == down.place("One went across")
    (False, True)
    """
    require_perfect_recall(tree, strategy)
    sets, come = members(tree), traces(tree, strategy)
    worth = [worths(tree, strategy, seat) for seat in range(tree.seats)]
    shapes = []
    for place, nodes in enumerate(sets):
        shape = _Shape(Onward(tree, strategy, place, nodes, worth[tree.sets[place].seat]), trembled([come[node] for node in nodes]))
        found = shape.onward.believed(shape.corners)
        if found.belief is None:
            return Sequential(False if found.better else None, {}, (), place, found.better)
        shapes.append(shape)
    after = {}
    for shape in shapes:
        place = shape.onward.place
        if len(shape.corners) > 1:  # else trembles lead to one belief alone, which fits
            after[place] = [
                [worth[tree.sets[place].seat][tree.first[node] + move] for node in sets[place]] for move in range(len(strategy.rows[place]))
            ]
    for trembles in chain(first, _candidates(tree, strategy, shapes, come, tries, Random(seed))):
        if all(_content(strategy.rows[place], _limit(come, sets[place], trembles), moves) for place, moves in after.items()):
            return Sequential(True, trembles, tuple([_limit(come, nodes, trembles) for nodes in sets]))
    return Sequential(None, {})


def trembles_prove(tree: Tree, strategy: Strategy, trembles: Mapping[tuple[int, int], Tremble]) -> bool:
    """Whether these trembles prove a strategy a sequential equilibrium: everything is worked out anew.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("entry")
    >>> [trembles_prove(tree, strategy, found.trembles) for strategy in [Strategy.choosing(tree, [0, 1]), Strategy.choosing(tree, [0, 0])] if (found := sequential(tree, strategy))]
    [False, True]
    """
    idle = {(place, move) for place, row in enumerate(strategy.rows) for move, likely in enumerate(row) if not likely}
    if idle != trembles.keys() or any(one.weight <= 0 or one.order < 1 for one in trembles.values()):
        return False
    for place, nodes in enumerate(members(tree)):
        after = worths(tree, strategy, tree.sets[place].seat)
        belief = limits(tree, strategy, trembles)[place]
        has = [
            sum([sure * after[tree.first[node] + move] for sure, node in zip(belief, nodes, strict=True)])
            for move in range(len(strategy.rows[place]))
        ]
        if any(likely and mine < max(has) for likely, mine in zip(strategy.rows[place], has, strict=True)):
            return False
    return True


def limits(tree: Tree, strategy: Strategy, trembles: Mapping[tuple[int, int], Tremble]) -> list[Belief]:
    """To which beliefs trembles lead, exactly. Where only a draw of chance that never happens leads, all is equally likely.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("horse")
    >>> across = Strategy.of(tree, {"begins": "across", "One went across": "across", "One or Two went down": "right"})
    >>> limits(tree, across, {(0, 0): Tremble(Fraction(1), 1), (2, 0): Tremble(Fraction(3), 1), (1, 0): Tremble(Fraction(1), 1)})[1]
    (Fraction(1, 4), Fraction(3, 4))
    """
    come = traces(tree, strategy)
    return [_limit(come, nodes, trembles) for nodes in members(tree)]


def _limit(come: Sequence[Trace], nodes: Sequence[int], trembles: Mapping[tuple[int, int], Tremble]) -> Belief:
    """To which belief trembles lead at one information set."""
    orders = [sum([trembles[slip].order for slip in come[node].idle]) for node in nodes]
    least = min([order for order, node in zip(orders, nodes, strict=True) if come[node].likely], default=0)
    left = [
        prod([trembles[slip].weight for slip in come[node].idle], start=come[node].likely) if order == least else Fraction(0)
        for order, node in zip(orders, nodes, strict=True)
    ]
    total = sum(left, Fraction(0))
    return tuple([one / total if total else Fraction(1, len(nodes)) for one in left])


def _content(row: Sequence[Number], belief: Belief, worth: Sequence[Sequence[Number]]) -> bool:
    """Whether each move that is made is as good as the best by a belief, where this is what each move is worth at each history."""
    has = [sum([sure * one for sure, one in zip(belief, line, strict=True) if sure]) for line in worth]
    most = max(has)
    return all(mine == most for likely, mine in zip(row, has, strict=True) if likely)


def _candidates(
    tree: Tree, strategy: Strategy, shapes: Sequence[_Shape], come: Sequence[Trace], tries: int, rng: Random
) -> Iterator[Trembles]:
    """Trembles that may prove it: by turns aimed at beliefs that fit, and by lot."""
    idle = [(place, move) for place, row in enumerate(strategy.rows) for move, likely in enumerate(row) if not likely]
    known: dict[tuple[int, tuple[int, ...]], Belief | None] = {}
    unsure = sorted((shape for shape in shapes if len(shape.onward.nodes) > 1), key=lambda shape: shape.onward.nodes[0])
    last = {node: _last_slip(tree, strategy, node) for shape in unsure for node in shape.onward.nodes}
    yield dict.fromkeys(idle, _PLAIN)
    for number in range(tries if idle else 0):
        if number % 2:
            orders = [1 if number % 3 == 1 else rng.choice((1, 2, 3)) for _ in idle]
            yield {one: Tremble(Fraction(rng.choice(_SHARES), rng.choice(_SHARES)), order) for one, order in zip(idle, orders, strict=True)}
            continue
        aimed: Trembles = {}
        slack, many = (rng.choice((0, 0, 1)), rng.choice((1, 2, 3))) if number else (0, 0)
        torn_first = number % 4 == 2
        for onward, corners in sorted(unsure, key=lambda shape: max(strategy.rows[shape.onward.place]) == 1) if torn_first else unsure:
            aims = [tuple([rng.choice(_SHARES) for _ in corners]) for _ in range(many)] if len(corners) > 1 else []
            for aim in aims or [()]:
                if (onward.place, aim) not in known:
                    known[onward.place, aim] = onward.believed(corners, aim or None).belief
            beliefs = [known[onward.place, aim] for aim in aims or [()]]
            fitting = [one for one in beliefs if one is not None]
            if fitting:  # a belief between some that fit does too
                belief = tuple([sum(parts, Fraction(0)) / len(fitting) for parts in zip(*fitting, strict=True)])
                _aim(aimed, belief, [(last[node], come[node]) for node in onward.nodes], slack)
        yield {one: aimed.get(one, _PLAIN) for one in idle}


def _aim(aimed: Trembles, belief: Belief, nodes: Sequence[tuple[tuple[int, int] | None, Trace]], slack: int) -> None:
    """Settle the last slips before the histories of an information set so that they lead to a belief there; what is settled already stays."""
    parts = []
    for slip, (slips, likely) in nodes:
        others = [aimed.setdefault(one, _PLAIN) for one in slips if one != slip]
        parts.append((sum(one.order for one in others), prod([one.weight for one in others], start=likely)))
    order, scale = 1 + slack + max(order for order, _ in parts), Fraction(1)
    for (slip, _), sure, (before, weight) in zip(nodes, belief, parts, strict=True):
        if slip in aimed and sure:
            order, scale = before + aimed[slip].order, weight * aimed[slip].weight / sure
    for (slip, _), sure, (before, weight) in zip(nodes, belief, parts, strict=True):
        if slip is not None and slip not in aimed and weight:
            aimed[slip] = (
                Tremble(scale * sure / weight, max(1, order - before)) if sure else Tremble(Fraction(1), max(1, order + 1 - before))
            )


def _last_slip(tree: Tree, strategy: Strategy, here: int) -> tuple[int, int] | None:
    """The last move on the way to a history that the strategy never makes."""
    while (before := tree.parent[here]) >= 0:
        place, move = tree.info[before], here - tree.first[before]
        if tree.actor[before] != CHANCE and not strategy.rows[place][move]:
            return place, move
        here = before
    return None
