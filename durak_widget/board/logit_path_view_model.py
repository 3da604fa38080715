"""Shows a tree's logit path, along which players make fewer and fewer errors.

The last part of the path, in which nothing changes visibly, is left out, apart from its end. Points are numbered
along the path, because one λ has several points where the path folds. In the plot, x is the logarithm of λ, relative
to the range of the payoffs.
"""

from __future__ import annotations

from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, Final

from durak_widget.board.number_format import format_number_in_sentence, format_rounded
from durak_widget.gametheory.quantal_response import MAX_EQUATIONS, follow_logit_path
from durak_widget.gametheory.strategy import build_unchecked_strategy
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.board.tree_wording import TreeWording
    from durak_widget.gametheory.quantal_response import LogitPathResult
    from durak_widget.gametheory.solver_selection import GameAnswer
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

MAX_HISTORIES: Final = 2_000
"""The maximum number of histories of a tree whose logit path is computed, because a larger tree takes minutes and
much memory.
"""
MAX_INFOSETS: Final = 40
"""The maximum number of information sets for which probabilities along the logit path are sent to the page."""
_MIN_CHANGE: Final = 0.002
"""The plot leaves out the last points of the logit path whose probabilities are nearer to the path's end than this."""
_END_GAP: Final = 0.06
"""The distance in the plot between the end of the logit path and the last point before it."""


class LogitPathView:
    """The path of logit equilibria of a tree, and the point of the path that the page shows.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> path = build_logit_path_view(textbook("horse"))
    >>> path.points[0].rationality, [round(number, 2) for number in path.strategy[0]]
    (0.0, [0.0, 1.0])
    >>> path.go_to(0); [round(number, 2) for number in path.strategy[0]]
    [0.5, 0.5]
    """

    def __init__(self, tree: Tree, path: LogitPathResult) -> None:
        self.tree, self.path = tree, path
        end = path.path[-1]
        last = len(path.path) - 1
        while last and _measure_difference(path.path[last - 1].rows, end.rows) < _MIN_CHANGE:
            last -= 1
        self.points = path.path[: last + 1] + ((end,) if last < len(path.path) - 1 else ())
        """The points of the logit path that are kept for the page."""
        self.current_index = len(self.points) - 1
        """The index of the point of the logit path that the page shows."""
        payoffs = [payoff for payoffs_of_terminal in tree.payoffs for payoff in payoffs_of_terminal]
        self._payoff_range = float(max(payoffs) - min(payoffs)) or 1.0
        kept_points = path.path[: last + 1]
        self._max_log = max(map(self._scale_rationality, (point.rationality for point in kept_points))) or 1.0

    @property
    def strategy(self) -> Strategy:
        """Return the strategy at the selected point of the logit path."""
        return build_unchecked_strategy(self.tree.infosets, self.points[self.current_index].rows)

    def go_to(self, index: int) -> None:
        """Select the point of the logit path that the page shows, given the point's index."""
        if not 0 <= index < len(self.points):
            raise RefusedError("board.refused.rationality")
        self.current_index = index

    def find_nearest(self, rationality: float) -> int:
        """Return the index of the point on the logit path whose λ is nearest to a given λ."""
        return min(
            range(len(self.points)),
            key=lambda index: abs(self._scale_rationality(self.points[index].rationality) - self._scale_rationality(rationality)),
        )

    def _scale_rationality(self, rationality: float) -> float:
        """Convert a rationality λ to a logarithmic scale that begins at 0."""
        return log10(1 + rationality * self._payoff_range)

    def _compute_plot_x(self, rationality: float) -> float:
        """Return the horizontal position, from 0 to 1, of a rationality λ in the plot."""
        return min(self._scale_rationality(rationality) / self._max_log, 1 + _END_GAP) / (1 + _END_GAP)

    def to_message(self, wording: TreeWording, infosets: Sequence[int]) -> dict[str, Any]:
        """Build the message for the page with the logit path, its axis labels and notes."""
        language = wording.voice.language
        last = len(self.points) - 1
        x = [1.0 if index == last else self._compute_plot_x(point.rationality) for index, point in enumerate(self.points)]
        return {
            "x": [round(coordinate, 4) for coordinate in x],
            "rationality": [format_rationality(point.rationality, language) for point in self.points],
            "ticks": [[round(self._compute_plot_x(tick), 4), format_rounded(tick, language)] for tick in self._choose_ticks()],
            "infosets": {
                str(index): [
                    [round(probability, 4) for probability in probabilities] for probabilities in self._collect_probabilities(index)
                ]
                for index in infosets[:MAX_INFOSETS]
            },
            "bifurcations": [round(self._compute_plot_x(rationality), 4) for rationality in self.path.bifurcations],
            "sentences": self._describe_path(wording),
        }

    def _collect_probabilities(self, infoset: int) -> list[tuple[float, ...]]:
        """Return each action's probability at an information set, at all points of the logit path."""
        return list(zip(*(point.rows[infoset] for point in self.points), strict=True))

    def _choose_ticks(self) -> list[float]:
        """Return the values of λ to label on the axis of the plot: 0, and powers of ten."""
        rationalities = [point.rationality for point in self.points[:-1] if point.rationality > 0] or [1.0]
        low, high = floor(log10(max(min(rationalities), 0.1 / self._payoff_range))), ceil(log10(max(rationalities)))
        powers = [10.0**power for power in range(low, high + 1)]
        return [0.0, *(power for power in powers[:: max(1, len(powers) // 4)] if 0.12 < self._compute_plot_x(power) < 1 / (1 + _END_GAP))]

    def _describe_path(self, wording: TreeWording) -> list[str]:
        """Describe where the logit path forks, and how near the path's end is to an equilibrium."""
        say, language, path = wording.voice.translate, wording.voice.language, self.path
        sentences = [say("board.path.fork", at=format_rationality(rationality, language)) for rationality in path.bifurcations]
        sentences += [say("board.path.nudged")] * path.is_perturbed
        return [*sentences, say("board.path.end", lost=format_number_in_sentence(path.error, language))]


def build_logit_path_view(tree: Tree, answer: GameAnswer | None = None) -> LogitPathView:
    """Return the view of a tree's logit path; use the path in `answer` if there is one.

    Raise an error if the path would have to be computed for a large tree.
    """
    if answer is not None and answer.logit_path is not None:
        return LogitPathView(tree, answer.logit_path)
    if tree.history_count > MAX_HISTORIES:
        raise RefusedError("board.refused.path.large", most=f"{MAX_HISTORIES:,}")
    if sum(len(record.actions) for record in tree.infosets) >= MAX_EQUATIONS:
        raise RefusedError("board.refused.path", most=str(MAX_EQUATIONS - 1))
    return LogitPathView(tree, follow_logit_path(tree))


def format_rationality(rationality: float, language: str) -> str:
    """Format a rationality λ with three digits.

    >>> format_rationality(1_550_153.2, "en"), format_rationality(0.8966, "lt")
    ('1550000', '0,897')
    """
    return format_rounded(float(f"{rationality:.3g}"), language)


def _measure_difference(rows: Sequence[Sequence[float]], other_rows: Sequence[Sequence[float]]) -> float:
    """Return the largest difference between an action's probabilities in two strategies."""
    return max(
        (
            abs(probability - other_probability)
            for row, other_row in zip(rows, other_rows, strict=True)
            for probability, other_probability in zip(row, other_row, strict=True)
        ),
        default=0.0,
    )
