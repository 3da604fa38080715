"""How is a path of logit equilibria followed? The equations in logarithms of the probabilities, the tangent, and Newton's way back.

For each move of an information set but the first: the logarithm of its chance, less that of the first, is λ times what it is worth more. What it is worth is a sum over the ends
below, each with its chance from there on and with how likely its history is believed; both are differences of logarithms, so that nothing is ever 0 divided by 0.
All in plain Python, since a move depends on few others.
"""

from __future__ import annotations

from math import exp, inf, isfinite, log, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import edges
from durak_widget.gametheory.elimination import LinearSystem
from durak_widget.gametheory.onward import members
from durak_widget.gametheory.tree import CHANCE, OVER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.gametheory.tree import Tree

    Floats = list[float]

FARTHEST: Final = 1e8
"""No path is followed to a larger λ, where 1 is the range of the payoffs."""
NEAREST: Final = 20.0
"""Nor is it left at a smaller one, though it be an equilibrium already: a fork may still come."""
_LOOKED: Final = 5
"""After so many steps it is asked whether the end is near."""
_NEWTON: Final = 8
_EXACT: Final = 1e-8
_ROUNDED: Final = 4e-16
"""So much of λ and of the logarithms is lost by rounding."""
_STRAIGHT: Final = 0.9
"""So much of a tangent must point the way of the last."""
_MOVED: Final = 0.3
"""Newton may move a step by so much of its length; else it is taken shorter."""


class LogitWorth(NamedTuple):
    """What is known where the moves have certain chances."""

    moves: Floats
    """What each move is worth at its information set."""
    slopes: list[Floats]
    """By how much that grows with the logarithm of each chance."""
    beliefs: list[Floats]
    """Of each history at which a seat is to act, by information sets."""


class _Come(NamedTuple):
    """How a history comes about."""

    way: tuple[int, ...] = ()
    """The moves of all seats on the way, one as often as it is made."""
    drawn: float = 0.0
    """The logarithm of what chance does there; a draw that never happens counts apart."""
    never: int = 0


class _Ended(NamedTuple):
    """An end of the tree."""

    come: _Come
    pays: list[tuple[int, int, float]]
    """Of each move on the way for which it counts: the move, its information set, and what its seat has."""


class LogitField:
    """What each move of a tree is worth, and how that changes.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> tree = textbook("entry")
    >>> field = LogitField(tree, [[0.0, 1.0], [2.0, 2.0], [1.0, 0.0]])
    >>> field.sizes, field.at([log(0.5)] * 4).moves
    ([2, 2], [1.5, 0.0, 2.0, 0.0])
    """

    def __init__(self, tree: Tree, pay: Sequence[Sequence[float]]) -> None:
        """`pay`: what each end is worth to each seat, in the order of the ends."""
        self.sizes = [len(one.moves) for one in tree.sets]
        self.starts = edges(tree)[:-1]
        """Where the moves of each information set begin."""
        self.count = sum(self.sizes)
        ranges = [(max(paid) - min(paid)) or 1.0 for paid in zip(*pay, strict=True)]
        self.stakes = [ranges[one.seat] for one in tree.sets]
        """Of each information set, the range of what its seat may have."""
        owner = [place for place, size in enumerate(self.sizes) for _ in range(size)]
        come = [_Come()] * tree.histories
        for here, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
            way, drawn, never = come[here]
            for move, child in enumerate(tree.children(here)):
                if who == CHANCE:
                    likely = float(tree.chances[place].probabilities[move])
                    come[child] = _Come(way, drawn + log(likely or 1.0), never + (not likely))
                else:
                    come[child] = _Come((*way, self.starts[place] + move), drawn, never)
        sets = [[come[node] for node in nodes] for nodes in members(tree)]
        least = [min(one.never for one in nodes) for nodes in sets]
        self.sets = [[(one, one.never == few) for one in nodes] for nodes, few in zip(sets, least, strict=True)]
        """Of each information set, how its histories come about, and whether one is believed in at all: not one that takes a draw that never happens where another does without."""
        self.ends = list[_Ended]()
        close = [{edge for one in nodes for edge in one.way} for nodes in sets]
        ends = (here for here, who in enumerate(tree.actor) if who == OVER)
        for here, line in zip(ends, pay, strict=True):
            counts = [edge for edge in come[here].way if come[here].never == least[owner[edge]]]
            for edge in counts:
                close[owner[edge]].update(come[here].way)
            self.ends.append(_Ended(come[here], [(edge, owner[edge], line[tree.sets[owner[edge]].seat]) for edge in counts]))

        self.work = sum(len(one.come.way) * (1 + len(one.pays)) for one in self.ends)
        """How many factors are multiplied whenever it is looked at."""
        self.close = [
            sorted(one | set(range(start, start + size))) for one, start, size in zip(close, self.starts, self.sizes, strict=True)
        ]
        """Of each information set, the moves on whose chances the worth of its own depends."""

    def at(self, logs: Floats) -> LogitWorth:
        """What the moves are worth where the logarithms of their chances are these."""
        beliefs, whole, led = list[list[float]](), list[float](), list[dict[int, float]]()
        for nodes in self.sets:
            far = [one.drawn + sum([logs[edge] for edge in one.way]) if live else -inf for one, live in nodes]
            top = max(far)
            weights = [exp(one - top) for one in far]
            total = sum(weights)
            beliefs.append([one / total for one in weights])
            whole.append(top + log(total))
            before: dict[int, float] = {}
            for (one, _), likely in zip(nodes, beliefs[-1], strict=True):
                for edge in one.way if likely else ():
                    before[edge] = before.get(edge, 0.0) + likely
            led.append(before)
        moves, slopes = [0.0] * self.count, [[0.0] * self.count for _ in range(self.count)]
        for (way, drawn, _), pays in self.ends:
            here = drawn + sum([logs[edge] for edge in way])
            for edge, place, pay in pays:
                if share := exp(here - logs[edge] - whole[place]) * pay:
                    moves[edge] += share
                    line = slopes[edge]
                    for other in way:
                        line[other] += share
        for start, size, before in zip(self.starts, self.sizes, led, strict=True):
            for edge in range(start, start + size):
                worth, line = moves[edge], slopes[edge]
                for other, likely in before.items():
                    line[other] -= worth * likely
                line[edge] -= worth
        return LogitWorth(moves, slopes, beliefs)

    def chances(self, logs: Floats) -> tuple[tuple[float, ...], ...]:
        """The chances of the moves of each information set, which add up to 1."""
        rows = []
        for start, size in zip(self.starts, self.sizes, strict=True):
            likely = [exp(one) for one in logs[start : start + size]]
            rows.append(tuple([one / sum(likely) for one in likely]))
        return tuple(rows)

    def regret(self, logs: Floats) -> float:
        """The most that a seat gains at an information set by what it believes there, as a part of its own range."""
        worth, most = self.at(logs).moves, -inf
        for start, row, stake in zip(self.starts, self.chances(logs), self.stakes, strict=True):
            mine = worth[start : start + len(row)]
            most = max(most, (max(mine) - sum([likely * one for likely, one in zip(row, mine, strict=True)])) / stake)
        return most

    def equations(self, point: Floats) -> tuple[Floats, list[Floats]]:
        """By how much a point, the logarithms and λ, misses the equations, and how that changes with each of them."""
        logs, rationality = point[:-1], point[-1]
        worth, slopes, _ = self.at(logs)
        missed, lines = list[float](), list[list[float]]()
        for start, size, close in zip(self.starts, self.sizes, self.close, strict=True):
            likely = [exp(one) for one in logs[start : start + size]]
            missed.append(sum(likely) - 1)
            lines.append([0.0] * start + likely + [0.0] * (self.count - start - size + 1))
            for edge in range(start + 1, start + size):
                more = worth[edge] - worth[start]
                missed.append(logs[edge] - logs[start] - rationality * more)
                line, mine, first = [0.0] * (self.count + 1), slopes[edge], slopes[start]
                for other in close:
                    line[other] = -rationality * (mine[other] - first[other])
                line[edge] += 1
                line[start] -= 1
                line[-1] = -more
                lines.append(line)
        return missed, lines


class LogitBranch:
    """A path of solutions, from where all moves are alike.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> branch = LogitBranch(LogitField(textbook("entry"), [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]), kept=False)
    >>> branch.follow(1000, lambda logs: False)
    False
    >>> branch.points[-1][-1] > 100
    True
    """

    def __init__(self, field: LogitField, *, kept: bool) -> None:
        """`kept`: it goes on as the sign of the determinant says that it had at first, not straight on."""
        self.field, self.kept = field, kept
        self.points = [[-log(size) for size in field.sizes for _ in range(size)] + [0.0]]
        """Those that were found, one after another: the logarithms of the chances, and λ."""
        self.forks: list[float] = []
        """The λ between two steps where the sign of the determinant was another, though it went straight on: there another path crosses."""
        self.looks = 0
        """How often the equations were looked at."""

    def follow(self, looks: int, near: Callable[[Floats], bool]) -> bool:
        """Go on until the end is near, and say so; or until the equations were looked at so often, or there is no way on."""
        field, here = self.field, self.points[-1]
        self.looks += 1
        slope = field.equations(here)[1]
        ahead = [0.0] * field.count + [1.0]
        ahead, sign = self._tangent(LinearSystem([*slope, ahead]), ahead, None)
        step, steps = 0.03, 0
        while self.looks < looks:
            found = self._step(here, ahead, step, sign)
            if found is None:
                step /= 2
                if step < 1e-10 * (1 + _size(here)):
                    break
                continue
            new, ahead, turned = found
            if not self.kept and turned != sign:
                sign = turned
                self.forks.append((here[-1] + new[-1]) / 2)
            here, step, steps = new, step * 1.5, steps + 1
            self.points.append(here)
            if steps % _LOOKED == 0 and here[-1] >= NEAREST and near(here[:-1]):
                return True
            if not -0.01 <= here[-1] <= FARTHEST:
                break
        return bool(field.count) and near(here[:-1])

    def _step(self, here: Floats, ahead: Floats, step: float, sign: float) -> tuple[Floats, Floats, float] | None:
        """The point that is one step further on, where it goes on to from there, and the sign there; None where Newton does not find it near by."""
        guess = [one + step * way for one, way in zip(here, ahead, strict=True)]
        new, before = guess, inf
        for _ in range(_NEWTON):
            self.looks += 1
            try:
                missed, slope = self.field.equations(new)
            except OverflowError:  # far from anything that is a probability
                return None
            size = _size(missed)
            if not isfinite(size + sum(map(sum, slope))):
                return None
            system = LinearSystem([*slope, ahead])
            if size < _EXACT * (1 + abs(new[-1]) * 1e-3) + _ROUNDED * abs(new[-1]) * _size(new):
                on, turned = self._tangent(system, ahead, sign if self.kept else None)
                straight = _dot(on, ahead) > _STRAIGHT and _size(_less(new, guess)) < _MOVED * step + 1e-9
                return (new, on, turned) if straight else None
            if size > 2 * before:
                return None
            before = size
            off = system.solved([*missed, _dot(ahead, _less(new, here)) - step])
            if off is None:
                return None
            new = _less(new, off)
        return None

    def _tangent(self, system: LinearSystem, ahead: Floats, sign: float | None) -> tuple[Floats, float]:
        """Which way the path goes on, and the sign of the determinant with it: straight on, or if the sign is to be kept so that it is; right where another path crosses, straight on."""
        way = system.solved([0.0] * (len(ahead) - 1) + [1.0])
        if way is None:
            return ahead, sign or 1.0
        length = sqrt(_dot(way, way))
        back = _dot(way, ahead) < 0 if sign is None else system.sign != sign  # the sign is the same with this way as with the last
        return ([-one / length for one in way], -system.sign) if back else ([one / length for one in way], system.sign)


def _dot(ones: Floats, others: Floats) -> float:
    return sum([one * other for one, other in zip(ones, others, strict=True)])


def _less(ones: Floats, others: Floats) -> Floats:
    return [one - other for one, other in zip(ones, others, strict=True)]


def _size(ones: Floats) -> float:
    """The largest of them, whatever its sign; not a number, if one of them is none."""
    return max(map(abs, ones)) if all(map(isfinite, ones)) else inf
