"""Interfaces (protocols) between a tree widget, its panels, and questions on the tree.

A question provides the data that the widget shows, and accepts answers.
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
    """The interface of a panel that displays the strategy that CFR+ is learning."""

    def set_learned_strategy(self, strategy: Strategy | None) -> None:
        """Display the strategy that CFR+ has learned so far; for None, remove it."""


class Learner(Protocol):
    """The interface of a solver that learns a strategy step by step."""

    running: bool
    """True while the solver is learning in the background."""


class TreeView(Protocol):
    """The methods and settings of a tree widget that the widget's panels use."""

    tree: Tree
    expansion: TreeExpansion
    language: str
    values: bool
    """True if the tree widget shows the value of each node."""
    beliefs: str
    """The setting for beliefs: always shown (`on`), never (`off`), or only with a list of equilibria (`auto`)."""

    @property
    def solver_panel(self) -> StrategyDisplay:
        """Return the panel that shows solutions and strategies of the tree."""

    @property
    def learner(self) -> Learner | None:
        """Return the solver that is learning a strategy on this tree, or None."""

    @property
    def wording(self) -> TreeWording:
        """Return the object that describes the tree in the widget's current language."""

    @property
    def current_node(self) -> int:
        """Return the number of the current node."""

    @property
    def question(self) -> ViewQuestion | None:
        """Return the question that an exercise asks about this tree, or None."""

    def go_to(self, node: object) -> None:
        """Make a node the current node."""

    def refresh(self, *parts: str) -> None:
        """Send the given parts of the tree to the page; by default, all parts.

        The parts are `drawing` (with everything that depends on it), `solution`, `matrix`, `learning` and `question`.
        """

    def report_error(self, error: Exception) -> None:
        """Show an error message beside the tree."""


class ViewQuestion(Protocol):
    """The interface of a question about a tree or a matrix, for example from an exercise."""

    @property
    def question_kind(self) -> str:
        """Return the kind of the question, for example `strategy`.

        The kinds are `values`, `sets`, `path` and `strategy` on a tree, and `fill`, `strike` and `best` on a matrix.
        """

    @property
    def is_over(self) -> bool:
        """Return whether the question accepts no more answers."""

    def to_message(self) -> Mapping[str, Any]:
        """Build the message about the question: the user's answer, and the grades of that answer."""

    def handle_answer(self, message: Mapping[str, Any]) -> None:
        """Accept a user's action on the tree or matrix as an answer, or as a part of an answer."""


def question_to_message(question: ViewQuestion | None) -> dict[str, Any]:
    """Build the trait `question_view`: the question and the answer; {} without a question."""
    return {} if question is None else {"question_kind": question.question_kind, **question.to_message()}


def forward_answer(question: ViewQuestion | None, message: Mapping[str, Any]) -> None:
    """Pass the user's answer, or a part of the answer, to the question."""
    if question is None:
        raise DurakError("this board has no question to answer")
    if not question.is_over:
        question.handle_answer(message)
