"""Handles all kinds of messages that the page sends about a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.board import cfr_panel, message_parsing, solver_commands, strategic_form_panel
from durak_widget.board.view_protocols import forward_answer
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    TreeWidget = Any
    """The tree widget's type; its module imports this one, so it can't be imported here."""
    MessageHandler = Callable[[TreeWidget, Mapping[str, Any]], None]

_STRATEGY_KINDS: Final = {"start_own_strategy", "set_probability", "delete_own_strategy", "show_strategy"}
"""Messages that change the user's own strategy. They are refused during a question on anything else, because
evaluations reveal its answer.
"""
_REVEALING_KINDS: Final = {
    "solve",
    "select_equilibrium",
    "show_path",
    "go_to_path_point",
    "mark_best_responses",
    "learn",
    *strategic_form_panel.MESSAGE_HANDLERS,
}
"""Messages that are refused during any question, because they would reveal the answer."""


def handle_message(view: TreeWidget, message: object) -> None:
    """Handle a message about a tree; refuse messages that would reveal an answer."""
    checked, handler = message_parsing.find_by_kind(message, MESSAGE_HANDLERS)
    question = view.question
    if (
        question is not None
        and not question.is_over
        and (checked["kind"] in _REVEALING_KINDS or (checked["kind"] in _STRATEGY_KINDS and question.question_kind != "strategy"))
    ):
        raise RefusedError("board.refused.asked")
    handler(view, checked)


def _handle_toggle(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Open a folded node of the tree, or fold an open one."""
    view.toggle(message.get("id"))


def _handle_unfold(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Open the whole tree, some levels, a player's nodes, or nodes that a strategy reaches."""
    match message_parsing.get_choice(message, "scope", ("all", "depth", "player", "reached")):
        case "all":
            view.unfold()
        case "depth":
            view.unfold(depth=message_parsing.get_whole_number(message, "number"))
        case "player":
            view.unfold(player=message_parsing.get_whole_number(message, "number"))
        case _:
            view.unfold(only_reached=True)


def _handle_fold(view: TreeWidget, _: Mapping[str, Any]) -> None:
    """Fold the whole tree."""
    view.fold()


def _handle_select_node(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Make a given node the current node."""
    view.go_to(message.get("id"))


def _handle_find(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Search the tree for a text, and go to the first matching node."""
    view.find(message_parsing.get_text(message, "text"))
    view.go_to_match(0)


def _handle_go_to_match(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Go to the next or the previous node that matches the search."""
    view.go_to_match(message_parsing.get_whole_number(message, "step"))


def _handle_open_table(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Show the Durak position of a node on the card table beside the tree."""
    view.open_on_table(message.get("id"))


def _handle_node_details(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Send a full description of a node to the page."""
    node = message_parsing.parse_history(view.tree, message.get("id"))
    view.send({"kind": "node_details", "id": node, "text": view.describe_node(node)})


def _handle_answer(view: TreeWidget, message: Mapping[str, Any]) -> None:
    """Pass the user's answer, or a part of the answer, to the question about the tree."""
    forward_answer(view.question, message)
    view.refresh("question")


MESSAGE_HANDLERS: Final[dict[str, MessageHandler]] = {
    "toggle": _handle_toggle,
    "unfold": _handle_unfold,
    "fold": _handle_fold,
    "select_node": _handle_select_node,
    "find": _handle_find,
    "go_to_match": _handle_go_to_match,
    "open_table": _handle_open_table,
    "node_details": _handle_node_details,
    "solve": solver_commands.handle_solve,
    "select_equilibrium": solver_commands.handle_select_equilibrium,
    "show_path": solver_commands.handle_show_path,
    "go_to_path_point": solver_commands.handle_go_to_path_point,
    "mark_best_responses": solver_commands.handle_mark_best_responses,
    "set_probability": solver_commands.handle_set_probability,
    "delete_own_strategy": solver_commands.handle_delete_own_strategy,
    "start_own_strategy": solver_commands.handle_start_own_strategy,
    "show_strategy": solver_commands.handle_show_strategy,
    "learn": cfr_panel.handle_learn,
    **strategic_form_panel.MESSAGE_HANDLERS,
    "answer": _handle_answer,
}
"""The function that handles each kind of message from the page about a tree."""
