"""Who asks something on a view, such as an exercise: what it shows, and what a person gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Mapping


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
