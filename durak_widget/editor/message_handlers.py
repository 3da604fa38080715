"""What each message of the page means to a sketch: all kinds of them, each declared once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.board import message_parsing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    SketchWidget = Any
    """The sketch in the notebook, whose messages these are; it stands above, and hands itself on."""
    Message = Mapping[str, Any]
    Does = Callable[[SketchWidget, Message], object]


def _text(message: Message) -> str:
    return message_parsing.text(message, "text")


def _move(sketch: SketchWidget, message: Message) -> None:
    """Add a branch; of a seat, where one is named."""
    seat = message.get("seat")
    sketch.move(message.get("id"), seat=None if seat is None else message_parsing.whole(message, "seat"))


def _give(sketch: SketchWidget, message: Message) -> None:
    """Let a seat act at a place, or chance (-1); at an end, add its first branch."""
    node, seat = sketch.draft.a_place(message.get("id")), message_parsing.whole(message, "seat")
    chance = seat < 0
    if not sketch.draft.places[node].below:
        sketch.chance(node) if chance else sketch.move(node, seat=seat)
    else:
        sketch.give(node, None if chance else seat)


SKETCHES: Final[dict[str, Does]] = {
    "look": lambda sketch, said: sketch.look(said.get("id")),
    "move": _move,
    "chance": lambda sketch, said: sketch.chance(said.get("id")),
    "remove": lambda sketch, said: sketch.remove(said.get("id")),
    "cut": lambda sketch, said: sketch.cut(said.get("id")),
    "rename": lambda sketch, said: sketch.rename(said.get("id"), _text(said)),
    "shift": lambda sketch, said: sketch.shift(said.get("id"), message_parsing.whole(said, "step")),
    "give": _give,
    "know": lambda sketch, said: sketch.know(said.get("id"), _text(said)),
    "likely": lambda sketch, said: sketch.likely(said.get("id"), _text(said)),
    "pay": lambda sketch, said: sketch.pay(said.get("id"), _text(said)),
    "join": lambda sketch, said: sketch.join(said.get("id"), said.get("other")),
    "part": lambda sketch, said: sketch.part(said.get("id")),
    "copy": lambda sketch, said: sketch.copy(said.get("id")),
    "paste": lambda sketch, said: sketch.paste(said.get("id"), joined=message_parsing.flag(said, "joined")),
    "player": lambda sketch, said: sketch.player(message_parsing.whole(said, "seat"), _text(said)),
    "add_player": lambda sketch, _: sketch.add_player(),
    "drop_player": lambda sketch, said: sketch.drop_player(message_parsing.whole(said, "seat")),
    "title": lambda sketch, said: sketch.call(_text(said)),
    "undo": lambda sketch, _: sketch.undo(),
    "redo": lambda sketch, _: sketch.redo(),
    "export": lambda sketch, said: sketch.export(message_parsing.one_of(said, "what", sketch.exports)),
}
"""Every kind of message that a sketch understands."""


def hear_sketch(sketch: SketchWidget, message: object) -> None:
    """Do what a person means; new traits answer it, or a refusal in a sentence."""
    said, does = message_parsing.of_kind(message, SKETCHES)
    does(sketch, said)
