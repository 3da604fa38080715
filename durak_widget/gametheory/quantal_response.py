"""Follows the path of logit (quantal response) equilibria, for any number of players.

For two moves of an information set, the difference of log-probabilities is λ times the difference of their
expected payoffs, with beliefs by Bayes' rule. The path starts at λ = 0, where all moves are equally likely.
As λ grows without end it leads to a sequential equilibrium (McKelvey, R. D. and Palfrey, T. R. (1998):
Quantal response equilibria for extensive form games. Experimental Economics 1, 9-41). It is followed in
logarithms by tangent and Newton steps (Turocy, T. L. (2010): Computing sequential equilibria using agent
quantal response equilibria. Economic Theory 42, 255-269). At a fold the sign of a determinant gives the
direction; where paths cross, only straight on works. Both are tried, then payoffs perturbed by 1e-7. Plain
Python is enough: numpy only halves the time.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import exp, inf, isfinite, log, sqrt
from operator import itemgetter
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.beliefs import members
from durak_widget.gametheory.best_responses import best_response, edges, in_floats, value
from durak_widget.gametheory.game_properties import in_decimals, measured
from durak_widget.gametheory.strategy import made
from durak_widget.gametheory.tree import CHANCE, OVER, forgets, require_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.gametheory.strategy import Strategy
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
STEPS: Final = 2000
"""So often the equations are looked at, all ways together."""
WORK: Final = 60_000_000
"""Less often in deep trees, where each look takes long: so often as comes to so many factors."""
NEAR: Final = 1e-6
"""Where the error is smaller, no other way is tried."""
_ENOUGH: Final = 1e-7
"""Where it is smaller, the path is not followed further."""
_NUDGE: Final = 1e-7
"""By so much of their range payoffs are nudged."""
LARGEST: Final = 150
"""How many equations a system may have: one of 150 takes a thirtieth of a second, and a path needs hundreds."""


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


Rows = tuple[tuple[float, ...], ...]


class LogitPoint(NamedTuple):
    """A place on the path: a logit equilibrium."""

    rationality: float
    """λ, by one unit of the payoffs."""
    rows: Rows
    """How likely each move is, by information sets."""


class Logit(NamedTuple):
    """To where the path led."""

    strategy: Strategy
    """In floats."""
    beliefs: Rows
    """How likely each history is at each information set to whoever stands there."""
    rationality: float
    """λ at the end of the path, by one unit of the payoffs."""
    error: float
    """The most that a seat gains by leaving, at the beginning or at any information set by what it believes there; 1 is the range of its own payoffs. Of a game in which somebody forgets: at an information set alone."""
    path: tuple[LogitPoint, ...]
    """From the beginning, where all moves are alike."""
    forks: tuple[float, ...]
    """The λ near which the path is crossed by another. There it goes straight on, and what is told of where it ends is true of that arm alone."""
    nudged: bool
    """Whether payoffs had to be nudged, by a ten-millionth of their range: then no path is crossed, and which arm is taken was a matter of chance."""


def logit_path(tree: Tree, *, steps: int = STEPS) -> Logit:
    """The path of logit equilibria from where all moves are alike as far as it can be followed in so many steps: any game, any number of seats; one of many moves takes long (`followable`).

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> found = logit_path(textbook("horse"))
    >>> [tuple(round(one, 3) for one in row) for row in found.strategy]
    [(0.0, 1.0), (0.0, 1.0), (0.0, 1.0)]
    >>> [round(one, 2) for one in found.beliefs[1]], found.error < 1e-6, found.forks
    ([0.33, 0.67], True, ())
    """
    require_tree(tree)
    if not tree.sets:
        return Logit(made(tree.sets, ()), (), 0.0, 0.0, (LogitPoint(0.0, ()),), (), nudged=False)
    pay, span = _payoffs(tree)
    plain, own = LogitField(tree, pay), measured(tree)
    tried, left = list[tuple[float, LogitBranch, bool]](), min(steps, max(1, WORK // plain.work))
    for nudge, kept in ((0.0, False), (0.0, True), (_NUDGE, False), (_NUDGE, True)):
        lots = Random(1)
        field = LogitField(tree, [[one + nudge * lots.random() for one in line] for line in pay]) if nudge else plain
        branch = LogitBranch(field, kept=kept)
        branch.follow(left, partial(_is_near, own, plain, _ENOUGH + 1.5 * nudge))
        error = _error(own, plain, branch.points[-1][:-1])
        tried.append((error, branch, bool(nudge)))
        left -= branch.looks
        if error < NEAR or left <= 0:
            break
    error, branch, nudged = min(tried, key=itemgetter(0))
    return _told(tree, plain, branch, error, span, nudged=nudged)


def followable(tree: Tree) -> bool:
    """Say whether the path of a game can be followed in a short time: floats hold its payoffs, and it has at most 149 moves.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> followable(textbook("horse"))
    True
    """
    return sum(len(one.moves) for one in tree.sets) < LARGEST and in_decimals(tree)


def _told(tree: Tree, field: LogitField, branch: LogitBranch, error: float, span: float, *, nudged: bool) -> Logit:
    """What is to be known of a path."""
    path = tuple([LogitPoint(max(0.0, one[-1]) / span, field.chances(one[:-1])) for one in branch.points])
    beliefs = field.at(branch.points[-1][:-1]).beliefs
    return Logit(
        made(tree.sets, path[-1].rows),
        tuple(map(tuple, beliefs)),
        path[-1].rationality,
        error,
        path,
        tuple([one / span for one in branch.forks]),
        nudged,
    )


def _payoffs(tree: Tree) -> tuple[list[list[float]], float]:
    """What each end is worth to each seat, in the order of the ends, as parts of the range of all; and that range."""
    ends = [tree.payoffs[tree.info[here]] for here, who in enumerate(tree.actor) if who == OVER]
    least = list(map(min, zip(*ends, strict=True)))
    span = max(map(max, zip(*([one - low for one, low in zip(paid, least, strict=True)] for paid in ends), strict=True))) or Fraction(1)
    [whole] = map(float, in_floats([span], tree))
    return [[float(Fraction(one - low) / span) for one, low in zip(paid, least, strict=True)] for paid in ends], whole or 1.0


def _is_near(own: Tree, field: LogitField, most: float, logs: Floats) -> bool:
    """Whether the error is smaller than so much."""
    return _error(own, field, logs, most) < most


def _error(own: Tree, field: LogitField, logs: Floats, most: float = inf) -> float:
    """The most that a seat gains by leaving, at an information set or at the beginning, as a part of what it has at stake itself; where the first is not below `most`, the second is not asked."""
    regret = field.regret(logs)
    if not regret < most or forgets(own):
        return regret
    strategy = made(own.sets, field.chances(logs))
    gains = [float(best_response(own, strategy, seat).value - value(own, strategy, seat)) for seat in range(own.seats)]
    return max(regret, *gains)


class LinearSystem:
    """Equations whose left sides are known, split into a lower and an upper triangle; the pivot is the largest number of its column.

    >>> system = LinearSystem([[0.0, 2.0], [1.0, 1.0]])
    >>> system.sign, system.solved([4.0, 5.0])
    (-1.0, [3.0, 2.0])
    >>> LinearSystem([[1.0, 1.0], [2.0, 2.0]]).solved([1.0, 2.0]) is None
    True
    """

    def __init__(self, lines: Sequence[Sequence[float]]) -> None:
        rows, self.sign = [list(line) for line in lines], 1.0
        """The sign of the determinant; 0 where there is no solution, or more than one."""
        self.order = list(range(len(rows)))
        """Which equation stands in each line."""
        for at in range(len(rows)):
            best = max(range(at, len(rows)), key=lambda line: abs(rows[line][at]))
            if best != at:
                rows[at], rows[best], self.sign = rows[best], rows[at], -self.sign
                self.order[at], self.order[best] = self.order[best], self.order[at]
            pivot, rest = rows[at][at], rows[at][at + 1 :]
            if not pivot:
                self.sign = 0.0
                break
            if pivot < 0:
                self.sign = -self.sign
            for line in rows[at + 1 :]:
                if line[at]:
                    times = line[at] / pivot
                    line[at:] = [times, *[one - times * other for one, other in zip(line[at + 1 :], rest, strict=True)]]
        self.rows = rows

    def solved(self, right: Sequence[float]) -> list[float] | None:
        """Return the unknowns for these right sides; None where the determinant is 0."""
        if not self.sign:
            return None
        found = list[float]()
        for line, equation in zip(self.rows, self.order, strict=True):
            found.append(right[equation] - sum([times * one for times, one in zip(line, found, strict=False)]))
        for at in reversed(range(len(found))):
            line = self.rows[at]
            found[at] = (found[at] - sum([times * one for times, one in zip(line[at + 1 :], found[at + 1 :], strict=True)])) / line[at]
        return found
