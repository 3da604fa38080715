"""View model of the path of logit equilibria, on which players err less and less.

Only points at which something still changes are kept; the last is the end of the path. Points are counted along the
path, because one λ has several where it folds. In the plot, x is the logarithm of λ, relative to the range of the
payoffs.
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
"""The largest tree, in histories, whose path is computed; it would take minutes and much memory."""
SETS: Final = 40
"""The most information sets whose probabilities along the path are sent to the page."""
_STILL: Final = 0.002
"""The rest of the path is left out if nothing in it differs from the end by this much."""
_ROOM: Final = 0.06
"""The distance in the plot between the end of the path and the rest."""


class LogitWay:
    """The logit path of a tree, and the point of it that is shown.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> path = followed(textbook("horse"))
    >>> path.points[0].rationality, [round(number, 2) for number in path.strategy[0]]
    (0.0, [0.0, 1.0])
    >>> path.go(0); [round(number, 2) for number in path.strategy[0]]
    [0.5, 0.5]
    """

    def __init__(self, tree: Tree, path: Logit) -> None:
        self.tree, self.path = tree, path
        end = path.path[-1]
        last = len(path.path) - 1
        while last and _far(path.path[last - 1].rows, end.rows) < _STILL:
            last -= 1
        self.points = path.path[: last + 1] + ((end,) if last < len(path.path) - 1 else ())
        """The points that are kept."""
        self.at = len(self.points) - 1
        """The index of the point that is shown."""
        payoffs = [item for line in tree.payoffs for item in line]
        self._span = float(max(payoffs) - min(payoffs)) or 1.0
        kept_points = path.path[: last + 1]
        self._widest = max(map(self._log, (item.rationality for item in kept_points))) or 1.0

    @property
    def strategy(self) -> Strategy:
        """Return the strategy at that point."""
        return made(self.tree.sets, self.points[self.at].rows)

    def go(self, to: int) -> None:
        """Show another point."""
        if not 0 <= to < len(self.points):
            raise RefusedError("board.refused.rationality")
        self.at = to

    def nearest(self, rationality: float) -> int:
        """Return the index of the first point that is nearest to a λ."""
        return min(range(len(self.points)), key=lambda index: abs(self._log(self.points[index].rationality) - self._log(rationality)))

    def _log(self, rationality: float) -> float:
        return log10(1 + rationality * self._span)

    def _x(self, rationality: float) -> float:
        """Return the x coordinate of a λ in the plot, from 0 to 1."""
        return min(self._log(rationality) / self._widest, 1 + _ROOM) / (1 + _ROOM)

    def told(self, names: Names, places: Sequence[int]) -> dict[str, Any]:
        """Return the path as a message: probabilities at these information sets, axis and notes."""
        language = names.spoken.language
        last = len(self.points) - 1
        x = [1.0 if index == last else self._x(item.rationality) for index, item in enumerate(self.points)]
        return {
            "x": [round(item, 4) for item in x],
            "rational": [rational_said(item.rationality, language) for item in self.points],
            "ticks": [[round(self._x(item), 4), in_few_digits(item, language)] for item in self._ticks()],
            "sets": {
                str(index): [[round(probability, 4) for probability in probabilities] for probabilities in self._rows(index)]
                for index in places[:SETS]
            },
            "forks": [round(self._x(item), 4) for item in self.path.forks],
            "said": self._said(names),
        }

    def _rows(self, place: int) -> list[tuple[float, ...]]:
        """Return the probability of each action of an information set along the path."""
        return list(zip(*(point.rows[place] for point in self.points), strict=True))

    def _ticks(self) -> list[float]:
        """Return the λ of the axis labels: 0, and powers of ten."""
        rationalities = [item.rationality for item in self.points[:-1] if item.rationality > 0] or [1.0]
        low, high = floor(log10(max(min(rationalities), 0.1 / self._span))), ceil(log10(max(rationalities)))
        powers = [10.0**power for power in range(low, high + 1)]
        return [0.0, *(item for item in powers[:: max(1, len(powers) // 4)] if 0.12 < self._x(item) < 1 / (1 + _ROOM))]

    def _said(self, names: Names) -> list[str]:
        """Describe where the path forks and ends, and how near to an equilibrium the end is."""
        say, language, path = names.spoken.say, names.spoken.language, self.path
        sentences = [say("board.path.fork", at=rational_said(rationality, language)) for rationality in path.forks]
        sentences += [say("board.path.nudged")] * path.nudged
        return [*sentences, say("board.path.end", lost=number_said(path.error, language))]


def followed(tree: Tree, answer: GameAnswer | None = None) -> LogitWay:
    """Return the logit path of a tree, known from an answer or computed; refuse a large tree."""
    if answer is not None and answer.path is not None:
        return LogitWay(tree, answer.path)
    if tree.histories > LARGE:
        raise RefusedError("board.refused.path.large", most=f"{LARGE:,}")
    if sum(len(record.moves) for record in tree.sets) >= LARGEST:
        raise RefusedError("board.refused.path", most=str(LARGEST - 1))
    return LogitWay(tree, logit_path(tree))


def rational_said(rationality: float, language: str) -> str:
    """Format a λ with three digits.

    >>> rational_said(1_550_153.2, "en"), rational_said(0.8966, "lt")
    ('1550000', '0,897')
    """
    return in_few_digits(float(f"{rationality:.3g}"), language)


def _far(rows: Sequence[Sequence[float]], others: Sequence[Sequence[float]]) -> float:
    """Return the largest difference between two probabilities."""
    return max(
        (
            abs(probability - other_probability)
            for row, other_row in zip(rows, others, strict=True)
            for probability, other_probability in zip(row, other_row, strict=True)
        ),
        default=0.0,
    )
