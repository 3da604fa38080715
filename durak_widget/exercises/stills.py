"""What a question on a tree or a matrix looks like once it is over: an answer in its parts, and a picture for print with what was answered on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.board import matrix_svg
from durak_widget.board.matrix_view_model import Grid, Saying
from durak_widget.board.strategic_form_panel import saying_of
from durak_widget.board.tree_expansion import Unfolded
from durak_widget.board.tree_svg import TreePicture
from durak_widget.board.tree_view_model import nodes_of
from durak_widget.board.tree_wording import Names, beginning, outline
from durak_widget.engine.table_svg import image

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.gametheory.strategic_form import Matrix
    from durak_widget.gametheory.tree import Tree
    from durak_widget.i18n import Voice

WHOLE: Final = 150
"""A tree of no more histories is shown whole; of another two levels."""


class ToldPart(NamedTuple):
    """A part of an answer in facts: where it stands, what is answered there, what was thought of it."""

    where: object
    said: object
    """What a sentence takes, or several of these in a tuple."""
    mark: str = ""


class Still(NamedTuple):
    """A tree, or a matrix of payoffs, or both, to be drawn as they are; and what is written on the tree."""

    tree: Tree | None = None
    table: Matrix | None = None
    values: Mapping[int, str] = {}
    """What histories are worth."""
    labels: Mapping[int, str] = {}
    """What stands beside histories."""
    lit: frozenset[int] = frozenset()
    """The histories on the way that is shown."""
    plans: Tree | None = None
    """The tree whose plans the matrix has."""

    def html(self, voice: Voice) -> str:
        """Pictures of it, in which nothing runs.

        >>> from durak_widget.gametheory.strategic_form import matrix_of
        >>> from durak_widget.i18n import Voice
        >>> Still(table=matrix_of([[1, -1], [-1, 1]])).html(Voice())[:9]
        '<img alt='
        """
        drawn_tree = "" if self.tree is None else self._drawn(Names(self.tree, voice.language))
        if self.table is None:
            return drawn_tree
        saying = Saying(self.table, voice) if self.plans is None else saying_of(Names(self.plans, voice.language), self.table)
        grid = Grid(self.table, saying, marks=False)
        return drawn_tree + image(matrix_svg.drawn(grid), beginning(matrix_svg.lettered(grid)))

    def _drawn(self, names: Names) -> str:
        """The tree, in which as much is open as one would open."""
        tree = names.tree
        unfolded = Unfolded(tree, len(tree.levels) if tree.histories <= WHOLE else 2)
        written = {
            "value": [[self.values[one].replace("-", "−")] if one in self.values else [] for one in unfolded.shown],
            "lit": sorted(self.lit),
        }
        told = {
            "title": names.title,
            "direction": "right",
            "seats": names.seats,
            "labels": {"nodes": {str(one): [label] for one, label in self.labels.items()}, "branches": {}},
            "chance": names.spoken.say("tree.chance"),
            **nodes_of(unfolded, names),
        }
        said = outline(told, written, names)
        return image(TreePicture(told, written, said, language=names.spoken.language).svg, beginning(said))
