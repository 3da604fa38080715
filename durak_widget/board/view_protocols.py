"""Protocols (interfaces) for a tree widget, its panels, and the questions asked on it.

A question says what the view shows of it, and takes answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.board.tree_expansion import TreeExpansion
    from durak_widget.board.tree_wording import TreeWording
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree


class StrategyDisplay(Protocol):
    """A panel of a tree widget that shows a strategy while CFR+ is learning it."""

    def set_learned_strategy(self, strategy: Strategy | None) -> None:
        """Set the strategy that was learned so far; None removes this strategy."""


class Learner(Protocol):
    """A solver that learns a strategy."""

    running: bool
    """True while the solver learns in the background."""


class TreeView(Protocol):
    """The interface of a tree widget that its panels use."""

    tree: Tree
    expansion: TreeExpansion
    language: str
    values: bool
    """True if the value of each node is shown."""
    beliefs: str
    """The setting for beliefs: shown (`on`), hidden (`off`), or `auto` (shown with a list of equilibria)."""

    @property
    def solver_panel(self) -> StrategyDisplay:
        """Return the panel that shows solutions and strategies of the tree."""

    @property
    def learner(self) -> Learner | None:
        """Return the solver that is learning on this tree, or None."""

    @property
    def wording(self) -> TreeWording:
        """Return the wording of the tree in its current language."""

    @property
    def current_node(self) -> int:
        """Return the number of the current node."""

    @property
    def question(self) -> ViewQuestion | None:
        """Return the question asked on this tree; None if no question is asked."""

    def go_to(self, node: object) -> None:
        """Make a node the current node."""

    def refresh(self, *parts: str) -> None:
        """Send the named traits to the page; without arguments, send all traits.

        The parts are `drawing` (with everything that depends on it), `solution`, `matrix`, `learning` and `task`.
        """

    def report_error(self, error: Exception) -> None:
        """Show an error message beside the tree."""


class ViewQuestion(Protocol):
    """A question asked on a tree or a matrix, for example by an exercise."""

    @property
    def question_kind(self) -> str:
        """Return the kind of this question, for example `strategy`.

        `values`, `sets`, `path` or `strategy` on a tree; `fill`, `strike` or `best` on a matrix.
        """

    @property
    def is_over(self) -> bool:
        """Return True if the question accepts no more answers."""

    def to_message(self) -> Mapping[str, Any]:
        """Return what the page shows of the question: the answer so far, with its grades."""

    def handle_answer(self, message: Mapping[str, Any]) -> None:
        """Accept a person's action on the tree or matrix as an answer, or a part of an answer."""


def question_to_message(question: ViewQuestion | None) -> dict[str, Any]:
    """Return the trait `task`: the question and the answer so far; {} without a question."""
    return {} if question is None else {"asks": question.question_kind, **question.to_message()}


def forward_answer(question: ViewQuestion | None, message: Mapping[str, Any]) -> None:
    """Pass a person's answer, or a part of the answer, to the question."""
    if question is None:
        raise DurakError("nothing is asked here, so there is nothing to answer")
    if not question.is_over:
        question.handle_answer(message)
