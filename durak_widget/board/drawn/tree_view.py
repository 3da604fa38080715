"""What the parts of a tree in the notebook need of each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.board.drawn.drawing import Drawing
    from durak_widget.board.drawn.unfolded import Unfolded
    from durak_widget.board.kit.names import Names
    from durak_widget.games.solving.strategy import Strategy
    from durak_widget.games.trees.tree import Tree


class Questioner(Protocol):
    """Who asks something on a tree or on a matrix, such as an exercise."""

    @property
    def asks(self) -> str:
        """What is asked: `values`, `sets`, `path` or `strategy` on a tree; `fill`, `strike` or `best` on a matrix."""

    @property
    def over(self) -> bool:
        """Whether nothing may be given any more."""

    def shown(self) -> Mapping[str, Any]:
        """What has been given so far, with its marks: what the page shows."""

    def give(self, message: Mapping[str, Any]) -> None:
        """A person did this on the view."""


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

    layout: Any
    tree: Tree
    unfolded: Unfolded

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
    def drawing(self) -> Drawing:
        """What the page is told now."""

    @property
    def language(self) -> str:
        """Which language is spoken."""

    @property
    def theme(self) -> str:
        """The colours of the room."""

    @property
    def four_colors(self) -> bool:
        """Whether clubs are green and diamonds blue."""

    @property
    def hands(self) -> str:
        """Which hands lie open on the table beside it."""

    @property
    def at(self) -> int:
        """The history that is looked at."""

    @property
    def values(self) -> bool:
        """Whether the value of each history is shown."""

    @property
    def task(self) -> Questioner | None:
        """Who asks something here."""

    def look(self, node: object) -> None:
        """Go to a history."""

    def toggle(self, node: object) -> None:
        """Open a history that is folded, fold one that is open."""

    def unfold(self, node: int | None = None, *, depth: int | None = None, seat: int | None = None, reached: bool = False) -> None:
        """Open what follows a history, or all."""

    def fold(self, node: int | None = None) -> None:
        """Fold what follows a history, or all."""

    def find(self, text: str) -> list[int]:
        """Look for a text."""

    def step(self, by: int) -> None:
        """Go on among what was found."""

    def told(self, node: int | None = None) -> str:
        """All that there is to say of a history."""

    def play(self, node: object) -> None:
        """Lay the position of a history on the table beside the tree."""

    def paint(self, *parts: str) -> None:
        """Tell the page anew what has changed: `drawing` (and all that goes with it), `solution`, `matrix`, `learning`, `task`; nothing said: all."""

    def send(self, content: object, buffers: object = None) -> None:
        """Send the page a message."""

    def went_wrong(self, error: Exception) -> None:
        """Say what could not be done."""
