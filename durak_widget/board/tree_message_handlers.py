"""Handlers for each kind of message that the page sends about a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.board import cfr_panel, message_parsing, solver_commands, strategic_form_panel
from durak_widget.board.view_protocols import give
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    TreeWidget = Any
    """The tree widget; its module imports this one, so it can't be imported here."""
    Does = Callable[[TreeWidget, Mapping[str, Any]], None]

_PLAYS: Final = {"own", "likely", "forget", "show"}
"""Kinds that change the user's own strategy; its evaluation reveals the answer unless the question asks for a strategy."""
_TELLS: Final = {"solve", "choose", "path", "rational", "best", "learn", *strategic_form_panel.DEEDS}
"""Kinds that reveal the answer to any question."""


def hear(view: TreeWidget, message: object) -> None:
    """Do what a message asks for; refuse it if it would reveal an answer."""
    checked, handler = message_parsing.of_kind(message, MEANINGS)
    task = view.task
    if task is not None and not task.over and (checked["kind"] in _TELLS or (checked["kind"] in _PLAYS and task.asks != "strategy")):
        raise RefusedError("board.refused.asked")
    handler(view, checked)


def _toggle(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Open a folded node, or fold an open one."""
    view.toggle(message.get("id"))


def _open(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Open the whole tree, some levels, a player's nodes, or the reached nodes."""
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
    """Fold the whole tree."""
    view.fold()


def _look(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Go to a node."""
    view.look(message.get("id"))


def _find(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Search for a text, and go to the first match."""
    view.find(message_parsing.text(message, "text"))
    view.step(0)


def _next(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Go to the next match, or to the previous one."""
    view.step(message_parsing.whole(message, "step"))


def _table(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Open the position of a node on the card table beside the tree."""
    view.play(message.get("id"))


def _told(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Send a full description of a node to the page."""
    node = message_parsing.history(view.tree, message.get("id"))
    view.send({"kind": "told", "id": node, "said": view.told(node)})


def _give(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Pass an answer, or a part of one, to the question."""
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
"""The handler of each kind of message that a tree understands."""
