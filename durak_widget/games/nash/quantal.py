"""How is a path of logit equilibria followed? The equations in logarithms of the probabilities, the tangent, and Newton's way back; all by numpy.

For each move of an information set but the first: the logarithm of its chance, less that of the first, is λ times what it is worth more. What it is worth is a sum over the ends
below, each with its chance from there on and with how likely its history is believed; both are differences of logarithms, so that nothing is ever 0 divided by 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import numpy as np

from durak_widget.games.nash.onward import members
from durak_widget.games.solving.responses import edges
from durak_widget.games.trees.tree import CHANCE, OVER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from durak_widget.games.trees.tree import Tree

    Floats: TypeAlias = npt.NDArray[np.float64]

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
    slopes: Floats
    """By how much that grows with the logarithm of each chance."""
    beliefs: Floats
    """Of each history at which a seat is to act, set by set."""


class LogitField:
    """What each move of a tree is worth, and how that changes.

    >>> from durak_widget.games.trees.books import textbook
    >>> tree = textbook("entry")
    >>> field = LogitField(tree, [[0.0, 1.0], [2.0, 2.0], [1.0, 0.0]])
    >>> field.sizes, field.at(np.log([0.5, 0.5, 0.5, 0.5])).moves.shape
    ([2, 2], (4,))
    """

    def __init__(self, tree: Tree, pay: Sequence[Sequence[float]]) -> None:
        """`pay`: what each end is worth to each seat, in the order of the ends."""
        self.sizes = [len(one.moves) for one in tree.sets]
        self.starts = np.array(edges(tree)[:-1], dtype=np.intp)
        """Where the moves of each information set begin."""
        self.count = sum(self.sizes)
        self.owner = np.repeat(np.arange(len(self.sizes)), self.sizes)
        """The information set of each move."""
        sets = members(tree)
        self.nodes = np.array([node for nodes in sets for node in nodes], dtype=np.intp)
        self.begins = np.concatenate([[0], np.cumsum([len(nodes) for nodes in sets])[:-1]]).astype(np.intp)
        self.of = np.repeat(np.arange(len(sets)), [len(nodes) for nodes in sets])
        self.made = np.zeros((tree.histories, self.count))
        """How often each move is made on the way to each history."""
        self.drawn = np.zeros(tree.histories)
        """The logarithm of what chance does there; a draw that never happens counts apart."""
        never = np.zeros(tree.histories, dtype=np.intp)
        ways: list[list[int]] = [[] for _ in range(tree.histories)]
        for here, (who, place) in enumerate(zip(tree.actor, tree.info, strict=True)):
            for move, child in enumerate(tree.children(here)):
                self.made[child], self.drawn[child], never[child] = self.made[here], self.drawn[here], never[here]
                if who == CHANCE:
                    likely = float(tree.chances[place].probabilities[move])
                    self.drawn[child] += np.log(likely or 1.0)
                    never[child] += not likely
                    ways[child] = ways[here]
                else:
                    edge = int(self.starts[place]) + move
                    self.made[child, edge] += 1
                    ways[child] = [*ways[here], edge]
        ends = [here for here, who in enumerate(tree.actor) if who == OVER]
        self.ends = np.array(ends, dtype=np.intp)
        pairs = [(edge, at) for at, end in enumerate(ends) for edge in ways[end]]
        self.edge = np.array([edge for edge, _ in pairs], dtype=np.intp)
        self.end = np.array([at for _, at in pairs], dtype=np.intp)
        least = np.minimum.reduceat(never[self.nodes], self.begins)
        self.live = never[self.nodes] == least[self.of]
        """Whether a history is believed in at all: not one that takes a draw that never happens where another of its set does without."""
        seats = np.array([one.seat for one in tree.sets], dtype=np.intp)
        self.pay = np.array(pay)[self.end, seats[self.owner[self.edge]]]
        self.counts = never[self.ends][self.end] == least[self.owner[self.edge]]
        """Whether an end counts for a move, in the same way."""

    def at(self, logs: Floats) -> LogitWorth:
        """What the moves are worth where the logarithms of their chances are these."""
        far = self.made @ logs + self.drawn
        mine = np.where(self.live, far[self.nodes], -np.inf)
        tops = np.maximum.reduceat(mine, self.begins)
        weights = np.exp(mine - tops[self.of])
        totals = np.add.reduceat(weights, self.begins)
        beliefs = weights / totals[self.of]
        whole = tops + np.log(totals)
        shares = (
            np.exp(np.where(self.counts, far[self.ends][self.end] - logs[self.edge] - whole[self.owner[self.edge]], -np.inf)) * self.pay
        )
        size = (self.count, len(self.ends))
        table = np.bincount(self.edge * size[1] + self.end, shares, size[0] * size[1]).reshape(size)
        moves = table.sum(1)
        led = np.add.reduceat(beliefs[:, None] * self.made[self.nodes], self.begins, axis=0)
        slopes = table @ self.made[self.ends] - moves[:, None] * led[self.owner]
        slopes[np.arange(self.count), np.arange(self.count)] -= moves
        return LogitWorth(moves, slopes, beliefs)

    def chances(self, logs: Floats) -> tuple[tuple[float, ...], ...]:
        """The chances of the moves of each information set, which add up to 1."""
        likely = np.exp(logs)
        likely /= np.add.reduceat(likely, self.starts)[self.owner]
        rows = likely.tolist()
        return tuple([tuple(rows[begin : begin + size]) for begin, size in zip(self.starts.tolist(), self.sizes, strict=True)])

    def regret(self, logs: Floats) -> float:
        """The most that a seat gains at an information set by what it believes there."""
        chances, worth = np.exp(logs), self.at(logs).moves
        best = np.maximum.reduceat(worth, self.starts)
        return float((best - np.add.reduceat(chances * worth, self.starts) / np.add.reduceat(chances, self.starts)).max())

    def equations(self, point: Floats) -> tuple[Floats, Floats]:
        """By how much a point, the logarithms and λ, misses the equations, and how that changes with each of them."""
        logs, rationality = point[:-1], point[-1]
        worth, slopes, _ = self.at(logs)
        base = self.starts[self.owner]
        missed = logs - logs[base] - rationality * (worth - worth[base])
        slope = np.empty((self.count, self.count + 1))
        slope[:, :-1] = -rationality * (slopes - slopes[base])
        slope[:, -1] = worth[base] - worth
        each = np.arange(self.count)
        slope[each, each] += 1
        slope[each, base] -= 1
        chances = np.exp(logs)
        missed[self.starts] = np.add.reduceat(chances, self.starts) - 1
        slope[self.starts] = 0
        slope[base, each] = chances
        return missed, slope


class LogitBranch:
    """A path of solutions, from where all moves are alike.

    >>> from durak_widget.games.trees.books import textbook
    >>> branch = LogitBranch(LogitField(textbook("entry"), [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]), kept=False)
    >>> branch.follow(1000, lambda logs: False)
    False
    >>> bool(branch.points[-1][-1] > 100)
    True
    """

    def __init__(self, field: LogitField, *, kept: bool) -> None:
        """`kept`: it goes on as the sign of the determinant says that it had at first, not straight on."""
        self.field, self.kept = field, kept
        self.points = [np.concatenate([-np.log(np.repeat(field.sizes, field.sizes)), [0.0]])]
        """Those that were found, one after another: the logarithms of the chances, and λ."""
        self.forks: list[float] = []
        """The λ between two steps where the sign of the determinant was another, though it went straight on: there another path crosses."""
        self.looks = 0
        """How often the equations were looked at."""

    def follow(self, looks: int, near: Callable[[Floats], bool]) -> bool:
        """Go on until the end is near, and say so; or until the equations were looked at so often, or there is no way on."""
        field, here = self.field, self.points[-1]
        _, slope = self._look(here)
        ahead = np.zeros(len(here))
        ahead[-1] = 1.0
        ahead = self._tangent(slope, ahead, None)
        sign, step, steps = self._sign(slope, ahead), 0.03, 0
        while self.looks < looks:
            found = self._step(here, ahead, step, sign)
            if found is None:
                step /= 2
                if step < 1e-10 * (1 + np.abs(here).max()):
                    break
                continue
            new, slope, ahead = found
            if not self.kept and (turned := self._sign(slope, ahead)) != sign:
                sign = turned
                self.forks.append((here[-1] + new[-1]) / 2)
            here, step, steps = new, step * 1.5, steps + 1
            self.points.append(here)
            if steps % _LOOKED == 0 and here[-1] >= NEAREST and near(here[:-1]):
                return True
            if not -0.01 <= here[-1] <= FARTHEST:
                break
        return bool(field.count) and near(here[:-1])

    def _look(self, point: Floats) -> tuple[Floats, Floats]:
        self.looks += 1
        return self.field.equations(point)

    def _step(self, here: Floats, ahead: Floats, step: float, sign: float) -> tuple[Floats, Floats, Floats] | None:
        """The point that is one step further on, the slopes there and where it goes on to; None where Newton does not find it near by."""
        guess = here + step * ahead
        new, before = guess, np.inf
        with np.errstate(all="ignore"):
            for _ in range(_NEWTON):
                missed, slope = self._look(new)
                if not (np.isfinite(missed).all() and np.isfinite(slope).all()):
                    return None
                size = np.abs(missed).max()
                if size < _EXACT * (1 + abs(new[-1]) * 1e-3) + _ROUNDED * abs(new[-1]) * np.abs(new).max():
                    on = self._tangent(slope, ahead, sign if self.kept else None)
                    straight = on @ ahead > _STRAIGHT and np.abs(new - guess).max() < _MOVED * step + 1e-9
                    return (new, slope, on) if straight else None
                if size > 2 * before:
                    return None
                before = size
                try:
                    new = new - np.linalg.solve(np.vstack([slope, ahead]), np.append(missed, ahead @ (new - here) - step))
                except np.linalg.LinAlgError:
                    return None
        return None

    def _tangent(self, slope: Floats, ahead: Floats, sign: float | None) -> Floats:
        """Which way the path goes on: straight on, or as a sign of the determinant says."""
        try:
            way = np.linalg.solve(np.vstack([slope, ahead]), np.eye(len(ahead))[-1])
        except np.linalg.LinAlgError:  # right where another path crosses
            way = np.linalg.qr(slope.T, mode="complete")[0][:, -1]
        way /= np.linalg.norm(way)
        back = way @ ahead < 0 if sign is None else self._sign(slope, way) != sign
        return -way if back else way

    def _sign(self, slope: Floats, ahead: Floats) -> float:
        return float(np.linalg.slogdet(np.vstack([slope, ahead]))[0])
