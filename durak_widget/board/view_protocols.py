"""The tree in the notebook as its parts know it: what each of them may ask of it, and have it paint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from durak_widget.board.questioner import Questioner
    from durak_widget.board.tree_expansion import Unfolded
    from durak_widget.board.tree_wording import Names
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree


class Taught(Protocol):
    """What shows a strategy that is being learned."""

    def learned(self, strategy: Strategy | None) -> None:
        """What has been learned so far; None where it is forgotten."""


class Learner(Protocol):
    """What learns a strategy."""

    running: bool
    """Whether it goes on by itself."""


class TreeView(Protocol):
    """A tree in the notebook, as far as its parts need it."""

    tree: Tree
    unfolded: Unfolded
    language: str
    values: bool
    """Whether the value of each history is shown."""
    beliefs: str
    """Whether beliefs are shown: `on`, `off`, or `auto`, where equilibria are listed."""

    @property
    def solved(self) -> Taught:
        """What is shown of how the tree is played."""

    @property
    def learner(self) -> Learner | None:
        """What learns on it; None where nothing does."""

    @property
    def names(self) -> Names:
        """What is said of the tree, in the language of the view."""

    @property
    def at(self) -> int:
        """The history that is looked at."""

    @property
    def task(self) -> Questioner | None:
        """Who asks something here."""

    def look(self, node: object) -> None:
        """Go to a history."""

    def paint(self, *parts: str) -> None:
        """Tell the page anew what has changed: `drawing` (and all that goes with it), `solution`, `matrix`, `learning`, `task`; nothing said: all."""

    def went_wrong(self, error: Exception) -> None:
        """Say what could not be done."""
