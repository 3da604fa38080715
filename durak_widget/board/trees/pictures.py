"""How does a tree look where nothing is live: its picture for a page, for LaTeX, and what a notebook keeps of it?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.board.drawn.picture import TreePicture
from durak_widget.board.drawn.tikz import TikzPicture
from durak_widget.board.drawn.unfolded import Unfolded
from durak_widget.board.kit.outline import beginning, outline
from durak_widget.board.kit.saving import saved
from durak_widget.board.trees.look import BoardLook
from durak_widget.game.shown.picture import image
from durak_widget.widget.kit.pictured import standing_for

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    from durak_widget.board.drawn.drawing import Drawing
    from durak_widget.board.kit.names import Names
    from durak_widget.board.play.solved import Solved
    from durak_widget.games.trees.tree import Tree as Game

_KEPT: Final = 400
"""How many histories the picture shows that is kept in a notebook."""


class TreePictures(BoardLook):
    """The pictures of a tree that is on the blackboard, as its settings are."""

    tree: Game
    unfolded: Unfolded
    solved: Solved

    @property
    def names(self) -> Names:
        """What is said of the tree, in its language."""
        raise NotImplementedError  # the tree says it; see `trees.tree`

    def svg(self, *, whole: bool = False) -> str:
        """What is open as a picture, or the whole tree, 5,000 nodes at most: by day and by night, for a page or for print."""
        return self._pictured(self._part(whole=whole))[0]

    def tikz(self, *, whole: bool = False) -> str:
        """What is open, or the whole tree, as a file of LaTeX, drawn with TikZ."""
        return TikzPicture(*self._told_of(self._part(whole=whole))).document

    def save(self, path: str | PathLike[str], *, whole: bool = False) -> Path:
        """Save what is open, or the whole tree, as a file: .svg or .tex, as its name ends."""
        return saved(path, lambda: self.svg(whole=whole), lambda: self.tikz(whole=whole))

    def _part(self, *, whole: bool) -> Unfolded:
        return Unfolded(self.tree, self.tree.histories) if whole else self.unfolded

    def _pictured(self, unfolded: Unfolded) -> tuple[str, str]:
        """What is open, or what is open in another unfolding, as a picture and in words."""
        told, solution, said = self._told_of(unfolded)
        return TreePicture(told, solution, said, four_colors=self.four_colors, language=self.language).svg, said

    def _told_of(self, unfolded: Unfolded) -> tuple[Drawing, Drawing, str]:
        """What a picture of an unfolding is made of, and what it says in words."""
        mine, self.unfolded = self.unfolded, unfolded
        try:
            told, solution = self._told(), self.solved.told()
        finally:
            self.unfolded = mine
        said = outline(told, solution, self.names)
        return {**told, "chance": self.names.spoken.say("tree.chance"), "from_middle": self.from_middle}, solution, said

    def _told(self, nodes: Drawing | None = None) -> Drawing:
        """What is told of the tree, wherever one looks."""
        raise NotImplementedError  # the tree says it; see `trees.tree`

    def _still(self) -> dict[str, str]:
        """The picture and the outline of what is open, as much of it as a notebook should keep."""
        svg, said = self._pictured(self.unfolded.first(_KEPT))
        return standing_for(image(svg, beginning(said)), self.names.spoken.say("tree.picture"), said)
