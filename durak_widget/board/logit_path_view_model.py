"""How do players come to an equilibrium who err less and less: the path of logit equilibria, as far as it is seen, and what the page is told of it?

Of the points that were found those are kept on which something is still to be seen; the last is the end of the path. They are counted along the path, for where it
folds one λ has several. Where one of them lies in the plot is the logarithm of λ, by the range of the payoffs.
"""

from __future__ import annotations

from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, Final

from durak_widget.board.number_format import in_few_digits, number_said
from durak_widget.gametheory.quantal_response import LARGEST, logit_path
from durak_widget.gametheory.strategy import made
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.board.tree_wording import Names
    from durak_widget.gametheory.quantal_response import Logit
    from durak_widget.gametheory.solver_selection import GameAnswer
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

LARGE: Final = 2_000
"""The path of a tree of more histories is not followed on a board: it would take minutes, and much room."""
SETS: Final = 40
"""Of so many information sets the page is told how likely each move is all along the path."""
_STILL: Final = 0.002
"""Where nothing is as much as this away from the end any more, the rest of the path is left out."""
_ROOM: Final = 0.06
"""So far beyond the rest lies the end of the path in the plot."""


class LogitWay:
    """The path of a tree, and at which of its points one looks.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> way = followed(textbook("horse"))
    >>> way.points[0].rationality, [round(one, 2) for one in way.strategy[0]]
    (0.0, [0.0, 1.0])
    >>> way.go(0); [round(one, 2) for one in way.strategy[0]]
    [0.5, 0.5]
    """

    def __init__(self, tree: Tree, path: Logit) -> None:
        self.tree, self.path = tree, path
        end = path.path[-1]
        last = len(path.path) - 1
        while last and _far(path.path[last - 1].rows, end.rows) < _STILL:
            last -= 1
        self.points = path.path[: last + 1] + ((end,) if last < len(path.path) - 1 else ())
        """Those that are kept."""
        self.at = len(self.points) - 1
        """The place among them at which one looks."""
        paid = [one for line in tree.payoffs for one in line]
        self._span = float(max(paid) - min(paid)) or 1.0
        kept = path.path[: last + 1]
        self._widest = max(map(self._log, (one.rationality for one in kept))) or 1.0

    @property
    def strategy(self) -> Strategy:
        """What is done there."""
        return made(self.tree.sets, self.points[self.at].rows)

    def go(self, to: int) -> None:
        """Look at another point."""
        if not 0 <= to < len(self.points):
            raise RefusedError("board.refused.rationality")
        self.at = to

    def nearest(self, rationality: float) -> int:
        """The first point that is nearest to a λ."""
        return min(range(len(self.points)), key=lambda one: abs(self._log(self.points[one].rationality) - self._log(rationality)))

    def _log(self, rationality: float) -> float:
        return log10(1 + rationality * self._span)

    def _x(self, rationality: float) -> float:
        """Where a λ lies in the plot, from 0 to 1."""
        return min(self._log(rationality) / self._widest, 1 + _ROOM) / (1 + _ROOM)

    def told(self, names: Names, places: Sequence[int]) -> dict[str, Any]:
        """What the page is told: the moves of these information sets along the path, and what is to be known of it."""
        language = names.spoken.language
        ends = len(self.points) - 1
        x = [1.0 if place == ends else self._x(one.rationality) for place, one in enumerate(self.points)]
        return {
            "x": [round(one, 4) for one in x],
            "rational": [rational_said(one.rationality, language) for one in self.points],
            "ticks": [[round(self._x(one), 4), in_few_digits(one, language)] for one in self._ticks()],
            "sets": {str(place): [[round(row, 4) for row in rows] for rows in self._rows(place)] for place in places[:SETS]},
            "forks": [round(self._x(one), 4) for one in self.path.forks],
            "said": self._said(names),
        }

    def _rows(self, place: int) -> list[tuple[float, ...]]:
        """Of each move of an information set, how likely it is all along."""
        return list(zip(*(one.rows[place] for one in self.points), strict=True))

    def _ticks(self) -> list[float]:
        """The λ that are written at the axis: nothing, and powers of ten."""
        kept = [one.rationality for one in self.points[:-1] if one.rationality > 0] or [1.0]
        low, high = floor(log10(max(min(kept), 0.1 / self._span))), ceil(log10(max(kept)))
        powers = [10.0**power for power in range(low, high + 1)]
        return [0.0, *(one for one in powers[:: max(1, len(powers) // 4)] if 0.12 < self._x(one) < 1 / (1 + _ROOM))]

    def _said(self, names: Names) -> list[str]:
        """Where it forks, where it ends, and how near to an equilibrium that is."""
        say, language, path = names.spoken.say, names.spoken.language, self.path
        said = [say("board.path.fork", at=rational_said(one, language)) for one in path.forks]
        said += [say("board.path.nudged")] * path.nudged
        return [*said, say("board.path.end", lost=number_said(path.error, language))]


def followed(tree: Tree, answer: GameAnswer | None = None) -> LogitWay:
    """Return the path of a tree, which an answer may know already; refuse a tree that is too large."""
    if answer is not None and answer.path is not None:
        return LogitWay(tree, answer.path)
    if tree.histories > LARGE:
        raise RefusedError("board.refused.path.large", most=f"{LARGE:,}")
    if sum(len(one.moves) for one in tree.sets) >= LARGEST:
        raise RefusedError("board.refused.path", most=str(LARGEST - 1))
    return LogitWay(tree, logit_path(tree))


def rational_said(rationality: float, language: str) -> str:
    """A λ as it is said, in three digits.

    >>> rational_said(1_550_153.2, "en"), rational_said(0.8966, "lt")
    ('1550000', '0,897')
    """
    return in_few_digits(float(f"{rationality:.3g}"), language)


def _far(rows: Sequence[Sequence[float]], others: Sequence[Sequence[float]]) -> float:
    """The most by which a probability differs."""
    return max(
        (abs(one - other) for row, there in zip(rows, others, strict=True) for one, other in zip(row, there, strict=True)), default=0.0
    )
