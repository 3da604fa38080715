"""All equilibria in which nobody mixes, for any number of seats, exactly.

The plans of all seats but the one that has most are tried against each other; its best answers to them are read off its information sets, and of
each the others are asked whether they gain by another plan. What is counted is what was tried, not the time it took, so that the answer is always
the same. A plan is one of the reduced form: it says nothing of where it never leads itself.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import islice, product
from math import lcm
from operator import and_
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import edges, order_of
from durak_widget.gametheory.game_properties import memories
from durak_widget.gametheory.mixed_to_behaviour import behaviour
from durak_widget.gametheory.strategic_form import leads_along, own_paths, pure_plans
from durak_widget.gametheory.tree import OVER, require_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.gametheory.mixed_to_behaviour import Behaviour
    from durak_widget.gametheory.strategic_form import Path
    from durak_widget.gametheory.tree import Tree

    Led = tuple[dict[int, int], int]
    """A plan, and the ends to which it leads, a bit for each."""

TRIED: Final = 50_000
"""So many profiles of plans are tried, unless one says so."""


class PureOne(NamedTuple):
    """An equilibrium in which nobody mixes."""

    moves: Mapping[int, int]
    """At each information set to which the plan of its own seat leads: the place of the move."""
    worth: tuple[Fraction, ...]
    """What each seat gets."""

    def played(self, tree: Tree) -> Behaviour:
        """What is done everywhere, and where that is free."""
        own: list[dict[int, int]] = [{} for _ in range(tree.seats)]
        for place, move in self.moves.items():
            own[tree.sets[place].seat][place] = move
        return behaviour(tree, [[(plan, Fraction(1))] for plan in own])


class PureOnes(NamedTuple):
    """Equilibria in which nobody mixes."""

    found: tuple[PureOne, ...]
    complete: bool
    """Whether all were tried: then there are no others."""


def pure_ones(tree: Tree, limit: int = TRIED) -> PureOnes:
    """All equilibria of a game in pure plans, as far as so many profiles go; of a seat that forgets, those from which no other plan gains.

    >>> from durak_widget import gametheory
    >>> found = pure_ones(gametheory.textbook("horse"))
    >>> [[str(worth) for worth in one.worth] for one in found.found], found.complete
    ([['3', '2', '2'], ['1', '1', '1']], True)
    """
    require_tree(tree)
    ends = _Ends(tree)
    sides = [_Side(tree, seat, ends, limit) for seat in range(tree.seats)]
    if any(side.order is None and len(side.plans) > limit for side in sides):
        return PureOnes((), complete=False)  # what answers best is not known
    last = max(sides, key=lambda side: len(side.plans))
    rest = [side for side in sides if side is not last]
    found: list[PureOne] = []
    for tried, plans in enumerate(_answered(rest, last, ends)):
        if tried == limit:
            return PureOnes(tuple(found), complete=False)
        masks = [mask for _, mask in plans]
        here = reduce(and_, masks)
        if all(ends.paid(here, side.seat) == side.best(reduce(and_, masks[:at] + masks[at + 1 :])) for at, side in enumerate(rest)):
            moves = {place: move for plan, _ in plans for place, move in plan.items()}
            found.append(PureOne(dict(sorted(moves.items())), ends.worth(here)))
    return PureOnes(tuple(found), complete=all(len(side.plans) <= limit for side in rest))


def _answered(rest: Sequence[_Side], last: _Side, ends: _Ends) -> Iterator[tuple[Led, ...]]:
    """All plans of some seats against each other, each time with each best answer of the last."""
    for chosen in product(*(side.plans for side in rest)):
        for answer in last.answers(reduce(and_, (mask for _, mask in chosen), ends.all)):
            yield *chosen, answer


class _Ends:
    """The ends of a tree, those together to which the seats come by the same moves of their own; some of them are a number with a bit for each."""

    def __init__(self, tree: Tree) -> None:
        self.paths, chances = own_paths(tree)
        """Of each history, what each seat has done on the way."""
        together: dict[tuple[Path, ...], list[Fraction]] = {}
        for here, (actor, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
            if actor == OVER:
                worth = together.setdefault(self.paths[here], [Fraction(0)] * tree.seats)
                for seat, won in enumerate(tree.payoffs[place]):
                    worth[seat] += chances[here] * won
        self.whole = lcm(*(one.denominator for worth in together.values() for one in worth))
        self.ways = list(together)
        """What the seats have done on the way to these ends."""
        self.pays = [[int(one * self.whole) for one in worth] for worth in zip(*together.values(), strict=True)]
        """Of each seat: what these ends bring it, chance included, `whole` times."""
        self.all = (1 << len(self.ways)) - 1

    def paid(self, fits: int, seat: int) -> int:
        """What some ends bring a seat together, `whole` times."""
        pays, total = self.pays[seat], 0
        while fits:
            bit = fits & -fits
            total += pays[bit.bit_length() - 1]
            fits ^= bit
        return total

    def worth(self, fits: int) -> tuple[Fraction, ...]:
        """What they bring everybody."""
        return tuple([Fraction(self.paid(fits, seat), self.whole) for seat in range(len(self.pays))])


class _Side:
    """One seat: its plans, and its best answers to what the others do."""

    def __init__(self, tree: Tree, seat: int, ends: _Ends, limit: int) -> None:
        self.seat, self.ends, self.starts = seat, ends, edges(tree)
        recalls = memories(tree)[seat].recall == "perfect"
        self.order = order_of(tree, seat) if recalls else None
        """Where it forgets nothing: its information sets, an earlier one first, and of each the seat's own last move before."""
        self.leads = [0] * (self.starts[-1] + 1)
        """Of each of its moves: the ends to which this is the last one."""
        for place, ways in enumerate(ends.ways):
            self.leads[self.starts[ways[seat][-1][0]] + 1 + ways[seat][-1][1] if ways[seat] else 0] |= 1 << place
        self.after: dict[int, list[int]] = {}
        """Of each of its moves: the information sets to which it comes next."""
        for place, before in (self.order or {}).items():
            self.after.setdefault(before, []).append(place)
        self.known: dict[int, int] = {}
        every = self._plans(None) if recalls else self._forgetful(tree)
        self.plans = list(islice(every, limit + 1))
        """All its plans, or one more than the limit."""

    def best(self, fits: int) -> int:
        """The most that it can have where the others lead to these ends, `whole` times."""
        if fits not in self.known:
            if self.order is None:
                self.known[fits] = max(self.ends.paid(fits & mask, self.seat) for _, mask in self.plans)
            else:
                self.known[fits] = self._gains(fits)[0]
        return self.known[fits]

    def answers(self, fits: int) -> Iterator[Led]:
        """All its plans that bring it as much."""
        if self.order is not None:
            yield from self._plans(self._gains(fits))
        else:
            best = self.best(fits)
            yield from (led for led in self.plans if self.ends.paid(fits & led[1], self.seat) == best)

    def _gains(self, fits: int) -> list[int]:
        """What each of its moves brings it if it goes on as best it can; at 0 what it has then."""
        starts, order = self.starts, self.order or {}
        gains = [0] * (starts[-1] + 1)
        for place in order:
            for move in range(starts[place] + 1, starts[place + 1] + 1):
                gains[move] = self.ends.paid(fits & self.leads[move], self.seat)
        gains[0] = self.ends.paid(fits & self.leads[0], self.seat)
        for place, before in reversed(order.items()):
            gains[before] += max(gains[starts[place] + 1 : starts[place + 1] + 1])
        return gains

    def _plans(self, gains: Sequence[int] | None) -> Iterator[Led]:
        """All plans of a seat that forgets nothing, or those that make only moves that bring most."""
        waiting: list[tuple[dict[int, int], int, list[int]]] = [({}, self.leads[0], self.after.get(0, []))]
        while waiting:
            plan, mask, pending = waiting.pop()
            if not pending:
                yield plan, mask
                continue
            place, *others = pending
            moves = range(self.starts[place] + 1, self.starts[place + 1] + 1)
            best = max(gains[move] for move in moves) if gains else 0
            for move in reversed(moves):
                if not gains or gains[move] == best:
                    ahead = others + self.after.get(move, [])
                    waiting.append((plan | {place: move - moves.start}, mask | self.leads[move], ahead))

    def _forgetful(self, tree: Tree) -> Iterator[Led]:
        """All plans of a seat that forgets."""
        for plan in pure_plans(tree, self.seat, self.ends.paths):
            yield plan, sum(1 << place for place, ways in enumerate(self.ends.ways) if leads_along(plan, ways[self.seat]))
