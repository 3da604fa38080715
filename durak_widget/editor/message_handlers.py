"""Handles all kinds of messages that the page sends to a tree editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.board import message_parsing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    SketchWidget = Any
    """The type of the tree editor widget; its module imports this one, so it can't be imported here."""
    Message = Mapping[str, Any]
    MessageHandler = Callable[[SketchWidget, Message], object]


def _get_text(message: Message) -> str:
    return message_parsing.get_text(message, "text")


def _add_action(sketch: SketchWidget, message: Message) -> None:
    """Add a branch at a node; the message may also say which player acts there."""
    player = message.get("player")
    sketch.add_action(message.get("id"), player=None if player is None else message_parsing.get_whole_number(message, "player"))


def _set_actor(sketch: SketchWidget, message: Message) -> None:
    """Let a given player or chance (-1) act at a node; a terminal node gets its first branch."""
    node, player = sketch.draft.require_node(message.get("id")), message_parsing.get_whole_number(message, "player")
    chance = player < 0
    if not sketch.draft.nodes[node].children:
        sketch.add_chance_move(node) if chance else sketch.add_action(node, player=player)
    else:
        sketch.set_actor(node, None if chance else player)


MESSAGE_HANDLERS: Final[dict[str, MessageHandler]] = {
    "select_node": lambda sketch, message: sketch.go_to(message.get("id")),
    "add_action": _add_action,
    "add_chance_move": lambda sketch, message: sketch.add_chance_move(message.get("id")),
    "remove_branch": lambda sketch, message: sketch.remove_branch(message.get("id")),
    "remove_children": lambda sketch, message: sketch.remove_children(message.get("id")),
    "rename_action": lambda sketch, message: sketch.rename_action(message.get("id"), _get_text(message)),
    "shift_branch": lambda sketch, message: sketch.shift_branch(message.get("id"), message_parsing.get_whole_number(message, "step")),
    "set_actor": _set_actor,
    "set_label": lambda sketch, message: sketch.set_label(message.get("id"), _get_text(message)),
    "set_probability": lambda sketch, message: sketch.set_probability(message.get("id"), _get_text(message)),
    "set_payoffs": lambda sketch, message: sketch.set_payoffs(message.get("id"), _get_text(message)),
    "join_infosets": lambda sketch, message: sketch.join_infosets(message.get("id"), message.get("other")),
    "split_infoset": lambda sketch, message: sketch.split_infoset(message.get("id")),
    "copy": lambda sketch, message: sketch.copy(message.get("id")),
    "paste": lambda sketch, message: sketch.paste(message.get("id"), joined=message_parsing.get_flag(message, "joined")),
    "rename_player": lambda sketch, message: sketch.rename_player(message_parsing.get_whole_number(message, "player"), _get_text(message)),
    "add_player": lambda sketch, _: sketch.add_player(),
    "remove_player": lambda sketch, message: sketch.remove_player(message_parsing.get_whole_number(message, "player")),
    "set_title": lambda sketch, message: sketch.set_title(_get_text(message)),
    "undo": lambda sketch, _: sketch.undo(),
    "redo": lambda sketch, _: sketch.redo(),
    "export": lambda sketch, message: sketch.send_export(message_parsing.get_choice(message, "format", sketch.export_names)),
}
"""The function that handles each kind of message from the page about a tree editor."""


def handle_message(sketch: SketchWidget, message: object) -> None:
    """Handle a message from the page with the handler for the message's kind."""
    fields, handler = message_parsing.find_by_kind(message, MESSAGE_HANDLERS)
    handler(sketch, fields)
