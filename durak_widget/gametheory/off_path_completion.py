"""What of an equilibrium that leaves open what a seat does where its own play never leads: can it be filled so that it is sequential?

An equilibrium of the strategic form says nothing there. Where one move alone can be best, whatever is believed, it is filled in first. What is refuted then at an information set on which
the rest has no bearing is refuted altogether; else the rest is tried, move by move, and mixed as the
path of logit equilibria has it. Where none of that helps, another mix might, and the question stays open.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice, product
from math import prod
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.beliefs import Better, Onward, anything, best_by_some, members, require_perfect_recall, traces, trembled
from durak_widget.gametheory.best_responses import worths
from durak_widget.gametheory.bimatrix_equilibria import minimax
from durak_widget.gametheory.quantal_response import followable, logit_path
from durak_widget.gametheory.sequential_equilibrium import Sequential, Tremble, limits, sequential
from durak_widget.gametheory.strategy import made, near_strategies, pure_row
from durak_widget.gametheory.tree import CHANCE, OVER, Draw, End, Turn, grow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from durak_widget.gametheory.sequential_equilibrium import Trembles
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

    Row = tuple[Number, ...]

FILLINGS: Final = 64
"""So many ways to fill it are tried, and again as many that mix."""


_TRIES: Final = 40
_SHAKEN: Final = Fraction(1, 10_000)
"""How often anything is done where all is settled, so that the rest is played at all."""
_STEPS: Final = 500
_LOTS: Final = 12
"""So many trembles are drawn to fill by what they let one believe."""
_ROUNDS: Final = 6
_WAYS: Final = 256
"""So many ways to go on, each with each filling, are held against each other at an information set."""
_WEIGHTS: Final = (1, 1, 2, 3, 5, 9)
_ORDERS: Final = (1, 1, 2, 3)


class Filled(NamedTuple):
    """How what was open is best filled, and what is to be said of that."""

    strategy: Strategy
    """Where nothing is proved: one of those that were tried."""
    verdict: Sequential
    """Where it is refuted, that is so however the open information sets are filled, by mixing too."""


def sequentially_filled(tree: Tree, strategy: Strategy, free: Iterable[int], *, tries: int = _TRIES, fillings: int = FILLINGS) -> Filled:
    """Whether an exact equilibrium is sequential where what it does at the `free` information sets is open.

    >>> from durak_widget.gametheory.strategy import Strategy
    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("outside-option")
    >>> book = Strategy.of(tree, {"stays or goes": "book", (1, "chooses a concert"): "Stravinsky"})
    >>> found = sequentially_filled(tree, book, [1])
    >>> found.verdict.holds, found.strategy[1]
    (True, (Fraction(0, 1), Fraction(1, 1)))
    """
    require_perfect_recall(tree, strategy)
    rows, sets = list(strategy.rows), members(tree)
    left = dict[int, list[int]]()
    for place in sorted(set(free), key=lambda one: -sets[one][0]):
        left[place] = list(range(len(tree.sets[place].moves)))
    changed = True
    while changed:
        changed = False
        for place in list(left):
            seat = tree.sets[place].seat
            below = [child for node in sets[place] for child in tree.children(node)]
            if _comes_to(tree, rows, below, left.keys()):
                continue
            worth = worths(tree, made(tree.sets, rows), seat)
            able = best_by_some([[Fraction(worth[tree.first[node] + move]) for node in sets[place]] for move in range(len(rows[place]))])
            if len(able) < len(left[place]):
                left[place], changed = able, True
            if len(able) == 1:
                rows[place], changed = pure_row(able[0], len(rows[place])), True
                del left[place]
    one = made(tree.sets, rows)
    if refuted := _refuted(tree, one, sets, left.keys()):
        return Filled(one, refuted)
    tried: dict[Strategy, Sequential] = {}
    for ways in (_believing, _by_move, _mixed):
        for one, trembles in islice(ways(tree, rows, left), fillings if left else 1):
            if one not in tried:
                tried[one] = sequential(tree, one, tries=tries, first=trembles)
                if tried[one].holds:
                    return Filled(one, tried[one])
        if not left:
            return Filled(one, tried[one])
        if ways is _believing and (refuted := _refuted_anyhow(tree, one, left, sets)):
            return Filled(one, refuted)
    one = next((one for one, said in tried.items() if said.holds is None), next(iter(tried)))
    return Filled(one, Sequential(None, {}))


def _by_move(tree: Tree, rows: Sequence[Row], left: Mapping[int, Sequence[int]]) -> Iterator[tuple[Strategy, list[Trembles]]]:
    """Fillings move by move."""
    for moves in product(*left.values()):
        chosen = dict(zip(left, moves, strict=True))
        yield made(tree.sets, [pure_row(chosen[at], len(row)) if at in chosen else row for at, row in enumerate(rows)]), []


def _believing(tree: Tree, rows: Sequence[Row], left: Mapping[int, Sequence[int]]) -> Iterator[tuple[Strategy, list[Trembles]]]:
    """Fillings that are best by what some trembles let one believe, the last information sets first, until that is so of all of them."""
    sets, lots, filled = members(tree), Random(1), list(rows)
    for number in range(_LOTS):
        slips = {
            (place, move): Tremble(Fraction(lots.choice(_WEIGHTS)) if number else Fraction(1), lots.choice(_ORDERS) if number > 1 else 1)
            for place, row in enumerate(rows)
            for move in range(len(row))
        }
        for place, able in left.items():
            filled[place] = pure_row(able[0], len(rows[place]))
        for _ in range(_ROUNDS):
            one = made(tree.sets, filled)
            beliefs, changed = limits(tree, one, slips), False
            for place, able in left.items():
                worth = worths(tree, made(tree.sets, filled), tree.sets[place].seat)
                has = {
                    move: sum(sure * worth[tree.first[node] + move] for sure, node in zip(beliefs[place], sets[place], strict=True))
                    for move in able
                }
                best = max(able, key=has.__getitem__)
                if has[best] > has[filled[place].index(1)]:
                    filled[place], changed = pure_row(best, len(rows[place])), True
            if not changed:
                break
        one = made(tree.sets, filled)
        idle = {(place, move) for place, row in enumerate(one.rows) for move, likely in enumerate(row) if not likely}
        yield one, [{slip: slips[slip] for slip in sorted(idle)}]


def _mixed(tree: Tree, rows: Sequence[Row], left: Mapping[int, Sequence[int]]) -> Iterator[tuple[Strategy, list[Trembles]]]:
    """Fillings that mix at some of the open information sets: where the path of logit equilibria ends in the game in which all others do what they do, and now and then anything."""
    if not followable(tree):
        return
    for moves in product(*([None, *able] for able in left.values())):
        chosen = dict(zip(left, moves, strict=True))
        whole = [row if (move := chosen.get(place)) is None else pure_row(move, len(row)) for place, row in enumerate(rows)]
        open_ = {place for place, move in chosen.items() if move is None}
        if open_:
            game = _left_open(tree, whole, open_)
            near = next(near_strategies(game, logit_path(game, steps=_STEPS).strategy), None)
            for info, row in zip(game.sets, () if near is None else near.rows, strict=near is not None):
                whole[int(info.label)] = row
            yield made(tree.sets, whole), []


def _left_open(tree: Tree, rows: Sequence[Row], open_: AbstractSet[int]) -> Tree:
    """The game in which only the open information sets are played; elsewhere chance draws the moves. Its sets bear their old numbers."""

    def look(here: int) -> Turn | Draw | End:
        who, place, below = tree.actor[here], tree.info[here], tree.children(here)
        if who == OVER:
            return End(tree.payoffs[place])
        if who == CHANCE:
            return Draw(list(zip(tree.chances[place].moves, tree.chances[place].probabilities, below, strict=True)))
        if place in open_:
            return Turn(who, place, list(zip(tree.sets[place].moves, below, strict=True)))
        shaken = [Fraction(one) * (1 - _SHAKEN) + _SHAKEN / len(below) for one in rows[place]]
        return Draw(list(zip(tree.sets[place].moves, shaken, below, strict=True)))

    return grow(0, look, seats=tree.seats)


def _refuted(tree: Tree, strategy: Strategy, sets: Sequence[Sequence[int]], open_: AbstractSet[int]) -> Sequential | None:
    """What refutes it at an information set where it makes no difference how the open ones are filled; None where nothing does."""
    come, rows = traces(tree, strategy), strategy.rows
    for place, nodes in enumerate(sets):
        seat = tree.sets[place].seat
        if _comes_to(tree, rows, nodes, open_) or _comes_to(tree, rows, nodes, open_, seat):
            continue
        corners = anything(len(nodes)) if any(_above(tree, node) & open_ for node in nodes) else trembled([come[node] for node in nodes])
        found = Onward(tree, strategy, place, nodes, worths(tree, strategy, seat)).believed(corners)
        if found.better:
            return Sequential(False, {}, (), place, found.better)
    return None


def _refuted_anyhow(tree: Tree, strategy: Strategy, left: Mapping[int, Sequence[int]], sets: Sequence[Sequence[int]]) -> Sequential | None:
    """What refutes it at an information set that is not open, whatever is believed there, and whatever one believes of how the open ones are filled; None where nothing does."""
    come = traces(tree, strategy)
    for place, nodes in enumerate(sets):
        if place in left:
            continue
        own, opened = _ahead(tree, strategy.rows, place, nodes, left)
        ways = prod([len(tree.sets[one].moves) for one in own]) * prod([len(left[one]) for one in opened])
        if not opened or ways > _WAYS:
            continue
        plans = [dict(zip(own, moves, strict=True)) for moves in product(*(range(len(tree.sets[one].moves)) for one in own))]
        corners = (
            anything(len(nodes)) if any(_above(tree, node) & left.keys() for node in nodes) else trembled([come[node] for node in nodes])
        )
        gains: list[list[Fraction]] = [[] for _ in plans]
        for moves in product(*(left[one] for one in opened)):
            filled = dict(zip(opened, moves, strict=True))
            one = made(tree.sets, [pure_row(filled[at], len(row)) if at in filled else row for at, row in enumerate(strategy.rows)])
            onward = Onward(tree, one, place, nodes, worths(tree, one, tree.sets[place].seat))
            for line, plan in zip(gains, plans, strict=True):
                brings = onward.brings(plan)
                line += [sum((sure * more for sure, more in zip(corner, brings, strict=True)), Fraction(0)) for corner in corners]
        best = minimax(gains)
        if best.value > 0:
            return Sequential(
                False, {}, (), place, tuple([Better(likely, plan) for likely, plan in zip(best.row, plans, strict=True) if likely])
            )
    return None


def _ahead(
    tree: Tree, rows: Sequence[Row], place: int, nodes: Sequence[int], left: Mapping[int, Sequence[int]]
) -> tuple[list[int], list[int]]:
    """What may be come to from an information set, whatever its seat does: its own sets, itself among them, and the open ones of others."""
    seat, waiting, own, opened = tree.sets[place].seat, list(nodes), dict[int, None](), dict[int, None]()
    for here in waiting:
        who, at = tree.actor[here], tree.info[here]
        row = tree.chances[at].probabilities if who == CHANCE else rows[at] if who >= 0 else ()
        if who == seat:
            own[at] = None
        elif who >= 0 and at in left:
            opened[at] = None
        free = who >= 0 and (who == seat or at in left)
        waiting += [child for likely, child in zip(row, tree.children(here), strict=True) if likely or free]
    return list(own), list(opened)


def _above(tree: Tree, here: int) -> set[int]:
    """The information sets on the way to a history."""
    found = set()
    while (here := tree.parent[here]) >= 0:
        if tree.actor[here] != CHANCE:
            found.add(tree.info[here])
    return found


def _comes_to(tree: Tree, rows: Sequence[Row], begin: Iterable[int], open_: AbstractSet[int], seat: int | None = None) -> bool:
    """Whether play can come from some histories to one of these information sets; a `seat` may then do anything, and its own sets do not count."""
    waiting = list(begin)
    for here in waiting:
        who, place = tree.actor[here], tree.info[here]
        if who >= 0 and who != seat and place in open_:
            return True
        row = tree.chances[place].probabilities if who == CHANCE else rows[place] if who >= 0 else ()
        waiting += [child for likely, child in zip(row, tree.children(here), strict=True) if likely or (who == seat and who >= 0)]
    return False
