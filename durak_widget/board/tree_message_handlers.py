"""What each message of the page means to a tree: all kinds of them, each declared once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.board import cfr_panel, message_parsing, solver_commands, strategic_form_panel
from durak_widget.board.view_protocols import give
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    TreeWidget = Any
    """The tree in the notebook, whose messages these are; it stands above, and hands itself on."""
    Does = Callable[[TreeWidget, Mapping[str, Any]], None]

_PLAYS: Final = {"own", "likely", "forget", "show"}
"""What is worked out of one's own strategy tells what the game is worth: where no strategy is asked for, it would answer for a person."""
_TELLS: Final = {"solve", "choose", "path", "rational", "best", "learn", *strategic_form_panel.DEEDS}
"""What would answer a task by itself."""


def hear(view: TreeWidget, message: object) -> None:
    """Do what a person means; new traits answer it, or a refusal in a sentence."""
    said, does = message_parsing.of_kind(message, MEANINGS)
    task = view.task
    if task is not None and not task.over and (said["kind"] in _TELLS or (said["kind"] in _PLAYS and task.asks != "strategy")):
        raise RefusedError("board.refused.asked")
    does(view, said)


def _toggle(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Open what is folded, fold what is open."""
    view.toggle(message.get("id"))


def _open(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Open all, so many levels, where a seat acts, or what the strategy reaches."""
    match message_parsing.one_of(message, "what", ("all", "depth", "seat", "reached")):
        case "all":
            view.unfold()
        case "depth":
            view.unfold(depth=message_parsing.whole(message, "n"))
        case "seat":
            view.unfold(seat=message_parsing.whole(message, "n"))
        case _:
            view.unfold(reached=True)


def _close(view: TreeWidget, _: Mapping[str, Any]) -> None:
    """Fold all."""
    view.fold()


def _look(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Go to a history."""
    view.look(message.get("id"))


def _find(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Look for a text, and go to the first place where it is found."""
    view.find(message_parsing.text(message, "text"))
    view.step(0)


def _next(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Go to the next place where it is found, or back to the last."""
    view.step(message_parsing.whole(message, "step"))


def _table(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Lay the position of a history on the table beside it."""
    view.play(message.get("id"))


def _told(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Say all that there is to say of a history."""
    node = message_parsing.history(view.tree, message.get("id"))
    view.send({"kind": "told", "id": node, "said": view.told(node)})


def _give(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Take an answer, or a part of one."""
    give(view.task, message)
    view.paint("task")


MEANINGS: Final[dict[str, Does]] = {
    "toggle": _toggle,
    "open": _open,
    "close": _close,
    "look": _look,
    "find": _find,
    "next": _next,
    "table": _table,
    "told": _told,
    "solve": solver_commands.solve,
    "choose": solver_commands.choose,
    "path": solver_commands.follow,
    "rational": solver_commands.walk,
    "best": solver_commands.best,
    "likely": solver_commands.likely,
    "forget": solver_commands.forget,
    "own": solver_commands.own,
    "show": solver_commands.show,
    "learn": cfr_panel.learn,
    **strategic_form_panel.DEEDS,
    "give": _give,
}
"""Every kind of message that a tree understands."""
