"""Protocols of a tree view, its parts, and the questions asked on a view.

A question says what the view shows of it, and takes answers.
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
    """A panel that shows a strategy while it is being learned."""

    def learned(self, strategy: Strategy | None) -> None:
        """Take the strategy learned so far; None to forget it."""


class Learner(Protocol):
    """A solver that learns a strategy."""

    running: bool
    """True while it learns in the background."""


class TreeView(Protocol):
    """A tree widget, as far as its parts need it."""

    tree: Tree
    unfolded: Unfolded
    language: str
    values: bool
    """True if the value of each node is shown."""
    beliefs: str
    """When beliefs are shown: `on`, `off`, or `auto` if equilibria are listed."""

    @property
    def solved(self) -> Taught:
        """Return the panel that shows solutions and strategies."""

    @property
    def learner(self) -> Learner | None:
        """Return the solver that learns on this tree, if there is one."""

    @property
    def names(self) -> Names:
        """Return the wording of the tree in the language of the view."""

    @property
    def at(self) -> int:
        """Return the current node."""

    @property
    def task(self) -> Questioner | None:
        """Return the question asked on this view, if there is one."""

    def look(self, node: object) -> None:
        """Go to a node."""

    def paint(self, *parts: str) -> None:
        """Update these parts on the page; without arguments, all of them.

        The parts are `drawing` (with everything that depends on it), `solution`, `matrix`, `learning` and `task`.
        """

    def went_wrong(self, error: Exception) -> None:
        """Show an error beside the tree."""


class Questioner(Protocol):
    """A question asked on a tree or a matrix, for example by an exercise."""

    @property
    def asks(self) -> str:
        """Return the kind of question.

        `values`, `sets`, `path` or `strategy` on a tree; `fill`, `strike` or `best` on a matrix.
        """

    @property
    def over(self) -> bool:
        """Return True if the question takes no more answers."""

    def shown(self) -> Mapping[str, Any]:
        """Return what the page shows: the answer so far, with its grades."""

    def give(self, message: Mapping[str, Any]) -> None:
        """Take what a person did on the view as an answer, or a part of one."""


def question_shown(task: Questioner | None) -> dict[str, Any]:
    """Return the trait `task`: the question and the answer so far; {} if there is none."""
    return {} if task is None else {"asks": task.asks, **task.shown()}


def give(task: Questioner | None, message: Mapping[str, Any]) -> None:
    """Pass a person's answer, or a part of one, to the question."""
    if task is None:
        raise DurakError("nothing is asked here, so there is nothing to answer")
    if not task.over:
        task.give(message)
