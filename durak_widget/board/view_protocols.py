"""Defines protocols: what the parts of a tree view may ask of it, and who may ask a question on a view.

The question protocol is for an exercise on a tree or a matrix: what it shows, and how it takes an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        """Take what a person did on the view."""


def question_shown(task: Questioner | None) -> dict[str, Any]:
    """The trait `task`: what is asked, and what has been given so far; {} where nothing is."""
    return {} if task is None else {"asks": task.asks, **task.shown()}


def give(task: Questioner | None, message: Mapping[str, Any]) -> None:
    """Hand on what a person gave: an answer, or a part of one."""
    if task is None:
        raise DurakError("nothing is asked here, so there is nothing to answer")
    if not task.over:
        task.give(message)
