"""Where does a strategy lose? How much more it would guarantee if a single decision were made otherwise, and all others as they are.

What a strategy guarantees is the least of what it gets against all answers. One answer's line says how that changes as one move is made more often: a
share `t` of the time, and otherwise what the strategy did there. The least of such lines bounds what repairing this decision can save. So the most promising repair is
taken, the best answer to the strategy so repaired is found, and its lines are added; where that answer finds no more to take than the bound said, the repair is
proved, and as good as any that is left (cutting planes, best first: J. E. Kelley, *The cutting-plane method for solving convex programs*, 1960).

Among the best answers one is taken that is also ready for a slip, as after a tremble of the hand (R. Selten, 1975): of two that take as much from the strategy, the one
that takes more from it with one decision made at random. It is found with numbers `a + b ε` for an ε smaller than any fraction.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from math import sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import edges
from durak_widget.gametheory.strategy import made, pure_row
from durak_widget.gametheory.tree import CHANCE, OVER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree

    Rows = Sequence[tuple[Number, ...]]

_ALIKE: Final = 1e-12
"""Floats this near are the same here."""


class Repair(NamedTuple):
    """One decision made otherwise, and what that alone saves."""

    place: int
    """The information set."""
    move: int
    """The move that is to be made there more often."""
    share: Number
    """How often: so much of the time, and otherwise what the strategy did."""
    saves: Number
    """How much more is guaranteed then."""


class Answer(NamedTuple):
    """How the other seat answers a strategy: in all, and what of it depends on single decisions."""

    rows: Rows
    """Both seats' rows."""
    worth: Number
    """What the strategy gets against this answer."""
    slopes: dict[tuple[int, int], Number]
    """How much better it would do against this answer if it made this move for certain at this information set; what is not there changes nothing."""


class Repairs:
    """What single decisions of a seat's strategy cost, and the answer that takes most from it."""

    __slots__ = ("_answers", "_likely", "_payoffs", "_rows", "_starts", "_tree", "_zero", "asked", "seat", "worth")

    def __init__(self, tree: Tree, strategy: Strategy, seat: int) -> None:
        strategy.require_sets(tree.sets)
        self._tree, self._rows, self.seat = tree, strategy.rows, seat
        number = type(tree.payoffs[0][0]) if strategy.exact else float
        self._payoffs = [number(one[seat]) for one in tree.payoffs]
        self._likely = [[number(one) for one in drawn.probabilities] for drawn in tree.chances]
        self._zero: Number = number(0)
        self._starts = edges(tree)
        self.asked = 0
        """How many best answers were looked for."""
        first = self._answer(strategy.rows)
        self.worth: Number = first.worth
        """What the strategy guarantees."""
        self._answers = [first]

    @property
    def punished(self) -> Strategy:
        """Both strategies: the seat's own, and the answer that takes most from it and is ready for a slip."""
        return made(self._tree.sets, self._answers[0].rows)

    def error(self, samples: Mapping[int, int]) -> float:
        """The standard error of what the strategy guarantees, where its rows are frequencies of so many samples each, as long as the answer stays the same."""
        slopes, rows, sets = self._answers[0].slopes, self._rows, self._tree.sets
        spread = [
            rows[place][move] * slopes.get((place, move), self._zero) ** 2 / times
            for place, times in samples.items()
            if sets[place].seat == self.seat
            for move in range(len(rows[place]))
        ]
        return sqrt(sum(spread))

    def best(self) -> Iterator[Repair]:
        """The repairs that save most, the best first, one for each information set; those that alone save nothing are left out."""
        waiting: list[tuple[Number, int, int]] = []
        for (place, move), slope in self._answers[0].slopes.items():
            if slope > 0:
                waiting.append((-self._bound(place, move)[0], place, move))
        heapify(waiting)
        done: set[int] = set()
        exact = not isinstance(self._zero, float)
        while waiting:
            before, place, move = heappop(waiting)
            if place in done:
                continue
            bound, share = self._bound(place, move)
            if bound - self.worth <= (0 if exact else _ALIKE):
                continue
            if bound < -before:
                heappush(waiting, (-bound, place, move))
                continue
            found = self._answer(self._repaired(place, move, share))
            if found.worth < bound:
                self._answers.append(self._lines(found.rows))
                after = self._bound(place, move)[0]
                if exact or after < bound - _ALIKE:
                    heappush(waiting, (-after, place, move))
                    continue
            done.add(place)
            yield Repair(place, move, share, found.worth - self.worth)

    def _repaired(self, place: int, move: int, share: Number) -> Rows:
        """The rows with that move made more often."""
        rows = list(self._rows)
        rows[place] = tuple([(1 - share) * one + (share if number == move else 0) for number, one in enumerate(rows[place])])
        return rows

    def _bound(self, place: int, move: int) -> tuple[Number, Number]:
        """The most that can be guaranteed with this repair as far as the answers known so far tell, and the share that does it."""
        lines = [(one.worth, one.slopes.get((place, move), self._zero)) for one in self._answers]
        low = min(lines)
        high = min(lines, key=lambda line: (line[0] + line[1], -line[1]))
        if low[1] <= 0:
            return low[0], self._zero
        if high[1] >= 0:
            return high[0] + high[1], self._zero + 1
        while True:
            share = (high[0] - low[0]) / (low[1] - high[1])
            met = low[0] + share * low[1]
            least = min(lines, key=lambda line: line[0] + share * line[1])
            if least[0] + share * least[1] >= met - (_ALIKE if isinstance(met, float) else 0) or least[1] == 0:
                return least[0] + share * least[1], share
            if least[1] > 0:
                low = least
            else:
                high = least

    # Answers

    def _answer(self, rows: Rows) -> Answer:
        """The best answer to these rows, ready for a slip, and its lines at the strategy itself."""
        self.asked += 1
        tree, other, starts = self._tree, 1 - self.seat, self._starts
        actor, first, info, payoffs = tree.actor, tree.first, tree.info, self._payoffs
        zero = self._zero
        surely: list[Number] = [zero] * tree.histories
        slipped: list[Number] = [zero] * tree.histories
        surely[0] = zero + 1
        last = [0] * tree.histories
        gains, slips = [zero] * (starts[-1] + 1), [zero] * (starts[-1] + 1)
        before: dict[int, int] = {}
        for here in range(tree.histories):
            weight, slip = surely[here], slipped[here]
            if not weight and not slip:
                continue
            who, place, child, edge = actor[here], info[here], first[here], last[here]
            if who == OVER:
                gains[edge] -= weight * payoffs[place]
                slips[edge] -= slip * payoffs[place]
            elif who == other:
                before.setdefault(place, edge)
                for move in range(starts[place] + 1, starts[place + 1] + 1):
                    surely[child], slipped[child], last[child] = weight, slip, move
                    child += 1
            elif who == CHANCE:
                for likely in self._likely[place]:
                    surely[child], slipped[child], last[child] = weight * likely, slip * likely, edge
                    child += 1
            else:
                row = rows[place]
                each = weight / len(row)
                for likely in row:
                    if likely:
                        surely[child], slipped[child], last[child] = weight * likely, slip * likely + each, edge
                    else:
                        slipped[child], last[child] = each, edge
                    child += 1
        found = list(rows)
        for place, one in enumerate(tree.sets):
            if one.seat == other and place not in before:
                found[place] = pure_row(0, len(one.moves))
        for place in reversed(before):
            moves = range(starts[place] + 1, starts[place + 1] + 1)
            best = max(moves, key=lambda move: (gains[move], slips[move]))
            gains[before[place]] += gains[best]
            slips[before[place]] += slips[best]
            found[place] = pure_row(best - moves[0], len(moves))
        if rows is self._rows:
            return self._lines(found)
        return Answer(found, -gains[0], {})

    def _lines(self, rows: Rows) -> Answer:
        """What the strategy gets against the other seat's part of these rows, and how that changes with each single decision."""
        tree, seat = self._tree, self.seat
        actor, first, info, count = tree.actor, tree.first, tree.info, tree.count
        mine = self._rows
        reach: list[Number] = [self._zero] * tree.histories
        met = bytearray(tree.histories)
        reach[0], met[0] = self._zero + 1, 1
        for here in range(tree.histories):
            who = actor[here]
            if not met[here] or who == OVER:
                continue
            weight, child = reach[here], first[here]
            row = self._likely[info[here]] if who == CHANCE else (mine if who == seat else rows)[info[here]]
            for likely in row:
                if likely:
                    met[child] = 1
                    reach[child] = weight * likely
                elif who == seat and weight:
                    met[child] = 1
                child += 1
        worth: list[Number] = [self._zero] * tree.histories
        slopes: dict[tuple[int, int], Number] = {}
        for here in reversed(range(tree.histories)):
            if not met[here]:
                continue
            who, place = actor[here], info[here]
            if who == OVER:
                worth[here] = self._payoffs[place]
                continue
            row = self._likely[place] if who == CHANCE else (mine if who == seat else rows)[place]
            below = worth[first[here] : first[here] + count[here]]
            total = sum([likely * one for likely, one in zip(row, below, strict=True) if likely], self._zero)
            worth[here] = total
            if who == seat and (weight := reach[here]):
                for move, one in enumerate(below):
                    if one != total:
                        slopes[place, move] = slopes.get((place, move), self._zero) + weight * (one - total)
        both = [row if one.seat == seat else theirs for one, row, theirs in zip(tree.sets, mine, rows, strict=True)]
        return Answer(both, worth[0], slopes)
