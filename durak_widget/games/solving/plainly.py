"""Zero-sum games in plain Python, for where there is no numpy, and for payoffs that no float holds: solved exactly, or learned, where the tree is not large.

Exactly by the double oracle (McMahan, Gordon and Blum 2003): both sides mix a few of their plans, and whoever has a better one than all of them brings it
in. A matrix of the plans so far is solved in whole numbers, then each side looks in the whole tree for its best answer to what the other mixes.
Where neither has a better one, both guarantee the same, and that is proved. Learned as `cfr` learns, number by number.
"""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush
from math import lcm
from time import perf_counter
from typing import TYPE_CHECKING

from durak_widget.games.matrices.simplex import Tableau
from durak_widget.games.solving.responses import best_response, edges, in_floats, order_of, require_two_player_zero_sum
from durak_widget.games.solving.strategy import made
from durak_widget.games.trees.tree import CHANCE, OVER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.games.solving.strategy import Strategy
    from durak_widget.games.trees.tree import Tree

    Plan = tuple[int, ...]
    """Of each information set of the tree: which move; nought at those of the other side."""


def by_plans(tree: Tree, only: tuple[Mapping[int, int], Mapping[int, int]] = ({}, {})) -> Strategy:
    """An equilibrium of a two-player zero-sum game in which nobody forgets, exactly; either side may be held to one move at some of its information sets.

    >>> from durak_widget.games.trees.tree import End, Turn, grow
    >>> pennies = {"": Turn(0, "hides", [("h", "h"), ("t", "t")]), **{one: Turn(1, "?", [("h", one + "h"), ("t", one + "t")]) for one in "ht"}}
    >>> pennies |= {one + two: End((1, -1) if one == two else (-1, 1)) for one in "ht" for two in "ht"}
    >>> by_plans(grow("", pennies.__getitem__, seats=2)).rows
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)))
    """
    begin = [tuple([held.get(place, 0) for place in range(len(tree.sets))]) for held in only]
    plans: tuple[list[Plan], list[Plan]] = ([begin[0]], [begin[1]])
    worth = [[_worth(tree, *begin)]]
    orders = order_of(tree, 0), order_of(tree, 1)
    while True:
        mixes, value = _mixed(worth)
        rows: list[tuple[Fraction, ...]] = [()] * len(tree.sets)
        for seat in (0, 1):
            _play(tree, orders[seat], plans[seat], mixes[seat], rows, seat)
        strategy = made(tree.sets, rows)
        news = False
        for seat, sign in ((0, 1), (1, -1)):
            answer = best_response(tree, strategy, seat, only[seat])
            if answer.value * sign != value:  # it has more than what it mixes gives it
                news = True
                plan = tuple([row.index(1) if one.seat == seat else 0 for one, row in zip(tree.sets, answer.strategy.rows, strict=True)])
                plans[seat].append(plan)
                if seat == 0:
                    worth.append([_worth(tree, plan, other) for other in plans[1]])
                else:
                    for own, line in zip(plans[0], worth, strict=True):
                        line.append(_worth(tree, own, plan))
        if not news:
            return strategy


def best_plan(tree: Tree, seat: int) -> Strategy:
    """The pure strategy of a seat that guarantees it most, exactly; the other side answers it as best it can.

    Where a seat mixes at the equilibrium, it is held to one move after the other there, whichever leaves it most first (branch and bound).

    >>> from durak_widget import theory
    >>> best_plan(theory.textbook("kuhn"), 0)["holds the jack"], theory.solve(theory.textbook("kuhn"), "pure").lower
    ((Fraction(1, 1), Fraction(0, 1)), Fraction(-1, 6))
    """
    order, count = order_of(tree, seat), 0

    def tried(held: dict[int, int]) -> tuple[Fraction, int, dict[int, int], Strategy]:
        nonlocal count
        count += 1
        strategy = by_plans(tree, (held, {}) if seat == 0 else ({}, held))
        return Fraction(best_response(tree, strategy, 1 - seat).value), count, held, strategy

    waiting = [tried({})]
    while True:
        _, _, held, strategy = heappop(waiting)  # the other side has least against it
        mixed = next((place for place in order if strategy.rows[place].count(0) < len(strategy.rows[place]) - 1), None)
        if mixed is None:
            return strategy
        for move in range(len(strategy.rows[mixed])):
            heappush(waiting, tried({**held, mixed: move}))


def _worth(tree: Tree, ours: Plan, theirs: Plan) -> Fraction:
    """What two plans are worth to seat 0 when they meet."""
    total, waiting = Fraction(0), [(0, Fraction(1))]
    actor, info, first = tree.actor, tree.info, tree.first
    while waiting:
        here, likely = waiting.pop()
        who, place = actor[here], info[here]
        if who == OVER:
            total += likely * tree.payoffs[place][0]
        elif who == CHANCE:
            ways = enumerate(tree.chances[place].probabilities, first[here])
            waiting += [(child, likely * way) for child, way in ways if way]
        else:
            waiting.append((first[here] + (ours if who == 0 else theirs)[place], likely))
    return total


def _mixed(worth: Sequence[Sequence[Fraction]]) -> tuple[tuple[tuple[Fraction, ...], tuple[Fraction, ...]], Fraction]:
    """How both sides mix the plans of a matrix, and what that is worth to who chooses among its rows."""
    whole = lcm(*{one.denominator for line in worth for one in line})
    least = min(min(line) for line in worth)
    table = Tableau([[int((one - least) * whole) + 1 for one in line] for line in worth])
    columns = table.best().weights
    rows = table.prices()
    total = sum(columns, Fraction(0))
    value = (Fraction(1) / total - 1) / whole + least
    return (tuple([one / total for one in rows]), tuple([one / total for one in columns])), value


def _play(
    tree: Tree, order: dict[int, int], plans: Sequence[Plan], mix: Sequence[Fraction], rows: list[tuple[Fraction, ...]], seat: int
) -> None:
    """What a seat does that mixes its plans so, move by move, where it comes by its own play; elsewhere the first of its moves."""
    starts = edges(tree)
    held = {0: [one for one in zip(plans, mix, strict=True) if one[1]]}
    """Of each of its moves, and at the beginning: the plans that come so far."""
    for place, before in order.items():
        many = starts[place + 1] - starts[place]
        here = held.get(before, [])
        for move in range(many):
            held[starts[place] + 1 + move] = [one for one in here if one[0][place] == move]
        weights = [sum((weight for _, weight in held[starts[place] + 1 + move]), Fraction(0)) for move in range(many)]
        whole = sum(weights)
        rows[place] = tuple([one / whole for one in weights]) if whole else (Fraction(1), *[Fraction(0)] * (many - 1))
    for place, one in enumerate(tree.sets):
        if one.seat == seat and not rows[place]:  # nobody ever comes there
            rows[place] = (Fraction(1), *[Fraction(0)] * (len(one.moves) - 1))


class PlainCFR:
    """As much of `CFR` as a board asks for.

    >>> from durak_widget.theory import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> cfr = PlainCFR(tree).run(100)
    >>> cfr.iterations, cfr.exploitability() < 0.01
    (100, True)
    """

    def __init__(self, tree: Tree) -> None:
        require_two_player_zero_sum(tree, "CFR+")
        self.tree, self.iterations, self.seconds = tree, 0, 0.0
        self._starts = edges(tree)
        self._orders = order_of(tree, 0), order_of(tree, 1)
        self._cells = _cells(tree, self._starts)
        size = self._starts[-1] + 1
        self._regrets = [0.0] * size
        self._sums = [0.0] * size
        self._likely = [1.0] * size
        for place, one in enumerate(tree.sets):
            self._likely[self._starts[place] + 1 : self._starts[place + 1] + 1] = [1 / len(one.moves)] * len(one.moves)
        self._plans = [self._plan(seat, self._likely) for seat in (0, 1)]

    def run(self, iterations: int = 1000, *, seconds: float | None = None) -> PlainCFR:
        """Go on for so many iterations, or until the time is reached."""
        goal, began, before = self.iterations + iterations, perf_counter(), self.seconds
        while self.iterations < goal:
            self._iterate()
            self.seconds = before + perf_counter() - began
            if seconds is not None and self.seconds - before >= seconds:
                break
        return self

    def strategy(self) -> Strategy:
        """What both sides did on average, later iterations counting for more."""
        average = self._average()
        return made(self.tree.sets, [tuple(average[low + 1 : high + 1]) for low, high in zip(self._starts, self._starts[1:], strict=False)])

    def exploitability(self) -> float:
        """Half of what the two guarantees of the average strategy lie apart."""
        average = self._average()
        plans = [self._plan(seat, average) for seat in (0, 1)]
        return sum(self._best(seat, self._gains(seat, plans[1 - seat])) for seat in (0, 1)) / 2

    def _iterate(self) -> None:
        """Both sides learn once, seat 1 from what seat 0 has just learned."""
        time = self.iterations + 1
        likely, regrets, sums = self._likely, self._regrets, self._sums
        for seat, order in enumerate(self._orders):
            plan, gains = self._plans[seat], self._gains(seat, self._plans[1 - seat])
            for place in reversed(order):
                moves = range(self._starts[place] + 1, self._starts[place + 1] + 1)
                worth = sum(likely[move] * gains[move] for move in moves)
                gains[order[place]] += worth
                for move in moves:
                    sums[move] += time * plan[move]
                    regrets[move] = max(0.0, regrets[move] + gains[move] - worth)
                whole = sum(regrets[move] for move in moves)
                for move in moves:
                    likely[move] = regrets[move] / whole if whole else 1 / len(moves)
            self._plans[seat] = self._plan(seat, likely)
        self.iterations = time

    def _gains(self, seat: int, plan: list[float]) -> list[float]:
        """What each of a seat's moves brings it at once against the other side's plan."""
        gains = [0.0] * len(plan)
        for both, worth in self._cells.items():
            gains[both[seat]] += plan[both[1 - seat]] * (worth if seat == 0 else -worth)
        return gains

    def _best(self, seat: int, gains: list[float]) -> float:
        """The most that can be had if each move brings so much."""
        for place in reversed(order := self._orders[seat]):
            gains[order[place]] += max(gains[self._starts[place] + 1 : self._starts[place + 1] + 1])
        return gains[0]

    def _plan(self, seat: int, likely: list[float]) -> list[float]:
        """The weight of each move and all before it, if moves are made with these probabilities."""
        plan = [0.0] * len(likely)
        plan[0] = 1.0
        for place, before in self._orders[seat].items():
            for move in range(self._starts[place] + 1, self._starts[place + 1] + 1):
                plan[move] = plan[before] * likely[move]
        return plan

    def _average(self) -> list[float]:
        """The probabilities of the moves on average."""
        average = [1.0] * len(self._sums)
        for low, high in zip(self._starts, self._starts[1:], strict=False):
            whole = sum(self._sums[low + 1 : high + 1])
            for move in range(low + 1, high + 1):
                average[move] = self._sums[move] / whole if whole else 1 / (high - low)
        return average


def _cells(tree: Tree, starts: list[int]) -> dict[tuple[int, int], float]:
    """What the ends are worth to seat 0, times how likely chance makes them, by the last move of either side on the way."""
    last = [(0, 0)] * tree.histories
    drawn = [1.0] * tree.histories
    worth = in_floats((one[0] for one in tree.payoffs), tree)
    found: dict[tuple[int, int], float] = {}
    for here, (who, place, child, count) in enumerate(zip(tree.actor, tree.info, tree.first, tree.count, strict=True)):
        if who == OVER:
            if worth[place]:
                found[last[here]] = found.get(last[here], 0.0) + drawn[here] * worth[place]
            continue
        likely = tree.chances[place].probabilities if who == CHANCE else ()
        for way in range(count):
            drawn[child + way] = drawn[here] * float(likely[way]) if likely else drawn[here]
            move = starts[place] + 1 + way
            ours, theirs = last[here]
            last[child + way] = (move, theirs) if who == 0 else (ours, move) if who == 1 else (ours, theirs)
    return found
