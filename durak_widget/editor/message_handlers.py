"""The handlers for all kinds of messages that the page sends to a tree editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.board import message_parsing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    SketchWidget = Any
    """The tree editor widget that receives the message; it cannot be imported here, since it imports this module."""
    Message = Mapping[str, Any]
    Does = Callable[[SketchWidget, Message], object]


def _text(message: Message) -> str:
    return message_parsing.text(message, "text")


def _move(sketch: SketchWidget, message: Message) -> None:
    """Add a branch, of a player if the message names one."""
    player = message.get("seat")
    sketch.move(message.get("id"), seat=None if player is None else message_parsing.whole(message, "seat"))


def _give(sketch: SketchWidget, message: Message) -> None:
    """Let a player or chance (-1) act at a node; at a terminal node, add its first branch."""
    node, player = sketch.draft.a_place(message.get("id")), message_parsing.whole(message, "seat")
    chance = player < 0
    if not sketch.draft.places[node].below:
        sketch.chance(node) if chance else sketch.move(node, seat=player)
    else:
        sketch.give(node, None if chance else player)


SKETCHES: Final[dict[str, Does]] = {
    "look": lambda sketch, message: sketch.look(message.get("id")),
    "move": _move,
    "chance": lambda sketch, message: sketch.chance(message.get("id")),
    "remove": lambda sketch, message: sketch.remove(message.get("id")),
    "cut": lambda sketch, message: sketch.cut(message.get("id")),
    "rename": lambda sketch, message: sketch.rename(message.get("id"), _text(message)),
    "shift": lambda sketch, message: sketch.shift(message.get("id"), message_parsing.whole(message, "step")),
    "give": _give,
    "know": lambda sketch, message: sketch.know(message.get("id"), _text(message)),
    "likely": lambda sketch, message: sketch.likely(message.get("id"), _text(message)),
    "pay": lambda sketch, message: sketch.pay(message.get("id"), _text(message)),
    "join": lambda sketch, message: sketch.join(message.get("id"), message.get("other")),
    "part": lambda sketch, message: sketch.part(message.get("id")),
    "copy": lambda sketch, message: sketch.copy(message.get("id")),
    "paste": lambda sketch, message: sketch.paste(message.get("id"), joined=message_parsing.flag(message, "joined")),
    "player": lambda sketch, message: sketch.player(message_parsing.whole(message, "seat"), _text(message)),
    "add_player": lambda sketch, _: sketch.add_player(),
    "drop_player": lambda sketch, message: sketch.drop_player(message_parsing.whole(message, "seat")),
    "title": lambda sketch, message: sketch.call(_text(message)),
    "undo": lambda sketch, _: sketch.undo(),
    "redo": lambda sketch, _: sketch.redo(),
    "export": lambda sketch, message: sketch.export(message_parsing.one_of(message, "what", sketch.exports)),
}
"""The handler of each kind of message."""


def hear_sketch(sketch: SketchWidget, message: object) -> None:
    """Do what a message asks for; new trait values or an error message answer it."""
    fields, handler = message_parsing.of_kind(message, SKETCHES)
    handler(sketch, fields)
