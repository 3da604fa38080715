"""Builds the sequence form of a two-player zero-sum game and solves it by one linear program in floats.

A sequence is a player's own moves up to one of their moves; 0 is the empty one. A realization plan gives each
sequence a weight, linear where probabilities multiply (Romanovsky 1962; von Stengel 1996). All numpy solvers
use it. Information sets are renumbered level by level, so that a whole level is computed at a time. The
program has the size of the tree; its dual is the other player's strategy (Koller, Megiddo and von Stengel
1994). HiGHS (Huangfu and Hall 2018) from scipy solves it. `double_oracle_solver` is exact and needs no numpy,
but takes minutes where this takes half a second (poker, 3,500 nodes). On Durak trees it takes one to three
times as long. `python -m benchmarks numpy_pairs` measures both.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from scipy.sparse import csr_array, hstack

from durak_widget.gametheory.best_responses import edges, in_floats, require_two_player_zero_sum
from durak_widget.gametheory.infoset_labels import place_quoted
from durak_widget.gametheory.player_labels import player_named
from durak_widget.gametheory.strategy import made
from durak_widget.gametheory.tree import CHANCE, OVER, TreeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

_DENSE = 1 << 16
"""Up to so many cells a matrix is multiplied faster whole than by its entries that are not 0."""
Ints: TypeAlias = "NDArray[np.int64]"
Floats: TypeAlias = "NDArray[np.float64]"


class Level(NamedTuple):
    """Information sets of a side before which it has moved equally often."""

    moves: slice
    """Their moves, among all moves of the side."""
    begins: Ints
    """Of each information set: where its first move stands among those."""
    owner: Ints
    """Of each move: the place of its information set in this level."""
    before: Ints
    """Of each move: the sequence that it continues."""
    groups: Ints
    """Where those information sets begin that continue another sequence than the one before."""
    parents: Ints
    """The sequences that are continued, one for each group."""


class Side:
    """One seat's part: its information sets in an order in which earlier ones stand first, and its moves.

    A plan has a weight for each sequence, `1 +` the number of its last move; what is kept for each move begins with move 0.
    """

    __slots__ = ("before", "begins", "levels", "owner", "places", "size", "uniform", "widths")

    def __init__(self, places: Ints, widths: Ints, before: Ints, depths: Ints) -> None:
        self.places, self.widths, self.before = places, widths, before
        """Of each information set: its number in the tree, how many moves it has, and the sequence that leads to it."""
        self.begins: Ints = np.cumsum(widths) - widths
        """Of each information set: its first move."""
        self.owner: Ints = np.repeat(np.arange(len(places)), widths)
        """Of each move: its information set."""
        self.size = int(widths.sum()) + 1
        """The number of sequences."""
        self.uniform: Floats = 1.0 / widths[self.owner]
        self.levels: list[Level] = []
        bounds = np.searchsorted(depths, np.arange(int(depths[-1]) + 2 if len(depths) else 1)).tolist()
        for low, high in pairwise(bounds):
            begins, wide, led = self.begins[low:high], widths[low:high], before[low:high]
            moves = slice(int(begins[0]), int(begins[-1] + wide[-1]))
            groups = np.flatnonzero(np.diff(led, prepend=-1))
            owner = self.owner[moves] - low
            self.levels.append(Level(moves, begins - begins[0], owner, led[owner], groups, led[groups]))

    def plan(self, likely: Floats) -> Floats:
        """The weights of all sequences if the moves are made with these probabilities."""
        plan: Floats = np.ones(self.size)
        moves = plan[1:]
        for level in self.levels:
            np.multiply(likely[level.moves], plan[level.before], out=moves[level.moves])
        return plan

    def likely(self, weights: Floats) -> Floats:
        """The weights of the moves, made to add up to 1 at each information set; all alike where they are 0."""
        if not len(weights):
            return weights
        sums: Floats = np.add.reduceat(weights, self.begins)[self.owner]
        likely: Floats = self.uniform.copy()
        np.divide(weights, sums, out=likely, where=sums > 0)
        return likely

    def best(self, gains: Floats) -> float:
        """The most that can be had if each sequence brings so much (the array is used up)."""
        moves = gains[1:]
        for level in reversed(self.levels):
            most = np.maximum.reduceat(moves[level.moves], level.begins)
            gains[level.parents] += np.add.reduceat(most, level.groups)
        return float(gains[0])

    def constraints(self) -> csr_array:
        """The matrix whose product with a plan is 1, 0, 0 …: the empty sequence is certain, and moves add up to what they continue."""
        sets = np.arange(1, len(self.places) + 1)
        rows = np.concatenate(([0], self.owner + 1, sets))
        columns = np.concatenate((np.arange(self.size), self.before))
        signs = np.concatenate((np.ones(self.size), -np.ones(len(sets))))
        return csr_array((signs, (rows, columns)), shape=(len(sets) + 1, self.size))


class SequenceForm:
    """A tree as two sides and what each pair of their sequences is worth to seat 0, chance included.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> form = SequenceForm(tree)
    >>> form.sides[0].size, form.sides[1].size, form.payoffs.toarray().tolist()
    (3, 1, [[0.0], [1.0], [0.0]])
    """

    __slots__ = ("_across", "cells", "payoffs", "sides", "tree", "worth")

    def __init__(self, tree: Tree) -> None:
        require_two_player_zero_sum(tree, "the sequence form")
        self.tree = tree
        lasts = [_last_moves(tree, seat) for seat in (0, 1)]
        sided = [_side(tree, seat, last) for seat, last in enumerate(lasts)]
        self.sides: tuple[Side, Side] = (sided[0][0], sided[1][0])
        ends = np.flatnonzero(np.asarray(tree.actor) == OVER)
        rows, columns = (number[last[ends]] for (_, number), last in zip(sided, lasts, strict=True))
        codes, self.worth = _weighed(tree, ends)
        """What the ends of one kind are worth to seat 0, times how likely chance makes each: exact."""
        kept = np.array([bool(one) for one in self.worth])[codes]
        self.cells: tuple[Ints, Ints, Ints] = rows[kept], columns[kept], codes[kept]
        """Of each end that is worth something: the last sequence of either side, and its kind."""
        floats = np.array(in_floats(self.worth, tree))[self.cells[2]]
        self.payoffs = csr_array((floats, self.cells[:2]), shape=(self.sides[0].size, self.sides[1].size))
        dense = self.sides[0].size * self.sides[1].size <= _DENSE
        ours, theirs = (self.payoffs.toarray(), -self.payoffs.T.toarray()) if dense else (self.payoffs, csr_array(-self.payoffs.T))
        self._across = (ours, np.ascontiguousarray(theirs) if dense else theirs)

    def gains(self, seat: int, plan: Floats) -> Floats:
        """What each of a seat's sequences brings it against the other side's plan."""
        return self._across[seat] @ plan

    def bounds(self, plans: Sequence[Floats]) -> tuple[float, float]:
        """What the two plans guarantee to seat 0: its own at least, the other's at most; in floats, quickly."""
        return -self.sides[1].best(self.gains(1, plans[0])), self.sides[0].best(self.gains(0, plans[1]))

    def strategy(self, likely: Sequence[Floats]) -> Strategy:
        """The strategy in which the two sides make their moves with these probabilities."""
        rows: list[tuple[float, ...]] = [()] * len(self.tree.sets)
        for side, mine in zip(self.sides, likely, strict=True):
            flat = mine.tolist()
            for place, begin, width in zip(side.places.tolist(), side.begins.tolist(), side.widths.tolist(), strict=True):
                rows[place] = tuple(flat[begin : begin + width])
        return made(self.tree.sets, rows)

    def likely(self, strategy: Strategy) -> tuple[Floats, Floats]:
        """The probabilities of the two sides' moves under a strategy."""
        strategy.require_sets(self.tree.sets)
        flat = [[float(one) for place in side.places.tolist() for one in strategy.rows[place]] for side in self.sides]
        return np.array(flat[0], dtype=np.float64), np.array(flat[1], dtype=np.float64)


def _last_moves(tree: Tree, seat: int) -> Ints:
    """Of each history the seat's last move on the way to it, as numbered in `edges`; 0 for none."""
    actor, parent, first, info = map(np.asarray, (tree.actor, tree.parent, tree.first, tree.info))
    starts, last = np.array(edges(tree)), np.zeros(tree.histories, dtype=np.int64)
    for low, high in zip(tree.levels[1:-1], tree.levels[2:], strict=True):
        before = parent[low:high]
        here, mine = last[before], np.flatnonzero(actor[before] == seat)
        led = before[mine]
        here[mine] = starts[info[led]] + 1 + (low + mine - first[led])
        last[low:high] = here
    return last


def _side(tree: Tree, seat: int, last: Ints) -> tuple[Side, Ints]:
    """One seat's side, and the new number of each move of the tree."""
    actor, info, starts = np.asarray(tree.actor), np.asarray(tree.info), np.array(edges(tree))
    turns = np.flatnonzero(actor == seat)
    led = np.full(len(tree.sets), -1, dtype=np.int64)
    led[info[turns]] = last[turns]
    wrong = turns[led[info[turns]] != last[turns]]
    if len(wrong):
        where = place_quoted(tree, int(info[wrong[0]]))
        raise TreeError(f"{player_named(tree.names, seat)} forgets what they did before {where}; solvers need a tree with perfect recall")
    widths, number = np.diff(starts), np.zeros(int(starts[-1]) + 1, dtype=np.int64)
    waiting, taken = np.flatnonzero(led >= 0), 1
    places: list[Ints] = []
    depths: list[Ints] = []
    befores: list[Ints] = []
    reached = np.zeros(len(number), dtype=bool)
    reached[0] = True
    while len(waiting):
        ready = reached[led[waiting]]
        level, waiting = waiting[ready], waiting[~ready]
        level = level[np.argsort(number[led[level]], kind="stable")]
        moves = np.concatenate([np.arange(starts[one], starts[one + 1]) for one in level.tolist()]) + 1
        befores.append(number[led[level]])
        number[moves] = np.arange(taken, taken + len(moves))
        taken += len(moves)
        reached[moves] = True
        depths.append(np.full(len(level), len(places)))
        places.append(level)
    joined = [np.concatenate([np.zeros(0, dtype=np.int64), *parts]) for parts in (places, befores, depths)]
    return Side(joined[0], widths[joined[0]], joined[1], joined[2]), number


def _weighed(tree: Tree, ends: Ints) -> tuple[Ints, list[Fraction]]:
    """Of each end its kind, and what the ends of each kind are worth to seat 0 times how likely chance makes one."""
    actor, parent, first, info = map(np.asarray, (tree.actor, tree.parent, tree.first, tree.info))
    drawn, likely = np.zeros(tree.histories, dtype=np.int64), [Fraction(1)]
    most = max((len(one.moves) for one in tree.chances), default=1)
    for low, high in zip(tree.levels[1:-1], tree.levels[2:], strict=True):
        before = parent[low:high]
        here, by_chance = drawn[before], np.flatnonzero(actor[before] == CHANCE)
        if len(by_chance):
            led = before[by_chance]
            keys = (drawn[led] * len(tree.chances) + info[led]) * most + (low + by_chance - first[led])
            kinds, inverse = np.unique(keys, return_inverse=True)
            found: dict[Fraction, int] = {one: place for place, one in enumerate(likely)}
            numbers = []
            for key in kinds.tolist():
                rest, way = divmod(key, most)
                so_far, chance = divmod(rest, len(tree.chances))
                numbers.append(found.setdefault(likely[so_far] * tree.chances[chance].probabilities[way], len(found)))
            likely = list(found)
            here[by_chance] = np.array(numbers)[inverse]
        drawn[low:high] = here
    kinds, codes = np.unique(drawn[ends] * len(tree.payoffs) + info[ends], return_inverse=True)
    return codes, [likely[key // len(tree.payoffs)] * tree.payoffs[key % len(tree.payoffs)][0] for key in kinds.tolist()]


class Program(NamedTuple):
    """A side's program: its plan, and what each information set of the other is then worth to the other at most, are to be found."""

    aim: Floats
    """What is to be made small: what the other has at the beginning."""
    below: csr_array
    """No move of the other may bring it more than its information set is worth: this, times what is to be found, is at most 0."""
    plan: csr_array
    """The plan is one: this, times what is to be found, is 1, 0, 0 …"""
    size: int
    """How many of the unknowns are the plan."""


def program(form: SequenceForm, seat: int) -> Program:
    """The program that finds a seat's best plan."""
    own, other = form.sides[seat], form.sides[1 - seat]
    payoffs = form.payoffs if seat == 0 else -form.payoffs.T
    worths = other.constraints()
    below = csr_array(hstack([-payoffs.T, -worths.T]))
    plan = own.constraints()
    plan = csr_array(hstack([plan, csr_array((plan.shape[0], worths.shape[0]))]))
    aim = np.zeros(own.size + worths.shape[0])
    aim[own.size] = 1.0
    return Program(aim, below, plan, own.size)


def linear(form: SequenceForm, algorithm: str = "highs") -> tuple[Floats, Floats]:
    """The probabilities of both sides' moves at an equilibrium, as near as floats come."""
    from scipy.optimize import linprog  # noqa: PLC0415 - CFR+ needs this module, but no linear program

    one = program(form, 0)
    certain = np.zeros(one.plan.shape[0])
    certain[0] = 1.0
    bounds = np.full((len(one.aim), 2), (-np.inf, np.inf))
    bounds[: one.size, 0] = 0.0
    found = linprog(one.aim, one.below, np.zeros(one.below.shape[0]), one.plan, certain, bounds, method=algorithm)
    if found.x is None or found.ineqlin.marginals is None:
        raise TreeError(f"the linear program came to no end: {found.message}; method='cfr+' solves larger trees")
    plans = found.x[: one.size], -found.ineqlin.marginals
    mine, theirs = (side.likely(np.maximum(plan[1:], 0.0)) for side, plan in zip(form.sides, plans, strict=True))
    return mine, theirs
