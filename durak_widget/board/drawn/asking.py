"""Who asks something on a view, such as an exercise: what it shows, and what a person gives it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.board.drawn.needs import Questioner, TreeView


def asked(task: Questioner | None) -> dict[str, Any]:
    """The trait `task`: what is asked, and what has been given so far; {} where nothing is."""
    return {} if task is None else {"asks": task.asks, **task.shown()}


def give(view: TreeView, message: Mapping[str, Any]) -> None:
    """A person gave an answer, or a part of one."""
    if view.task is None:
        raise DurakError("nothing is asked here, so there is nothing to answer")
    if not view.task.over:
        view.task.give(message)
    view.paint("task")
