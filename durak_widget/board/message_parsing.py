"""What a message of the page says, read strictly: each part of it is what it should be, or is refused in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from durak_widget.errors import DurakError, nearest, quoted, whole_number

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from durak_widget.gametheory.tree import Tree

LONGEST = 200
"""How long a text of a message may be."""
Kind = TypeVar("Kind")


class MessageError(DurakError, ValueError):
    """Something that there is not on this board, asked for by code, or by a message that no page sends.

    >>> whole({"n": "three"}, "n")
    Traceback (most recent call last):
    durak_widget.board.message_parsing.MessageError: n is a whole number, not 'three'
    """


def of_kind(message: object, kinds: Mapping[str, Kind]) -> tuple[Mapping[str, object], Kind]:
    """A message, and what is kept for its kind.

    >>> of_kind({"kind": "togle"}, {"toggle": 1, "open": 2})
    Traceback (most recent call last):
    durak_widget.board.message_parsing.MessageError: a message has a kind, one of toggle, open, not 'togle'. Did you mean 'toggle'?
    """
    if not isinstance(message, dict):
        raise MessageError(f"a message is an object with a kind, not {quoted(message)}")
    kind = message.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        near = nearest(kind, kinds)
        raise MessageError(f"a message has a kind, one of {', '.join(kinds)}, not {quoted(kind)}{near and '.'}{near}")
    return message, kinds[kind]


def whole(message: Mapping[str, object], name: str) -> int:
    """A whole number of a message."""
    number = whole_number(message.get(name))
    if number is None or abs(number) > 2**53:
        raise MessageError(f"{name} is a whole number, not {quoted(message.get(name))}")
    return number


def flag(message: Mapping[str, object], name: str) -> bool:
    """A yes or no of a message."""
    value = message.get(name)
    if not isinstance(value, bool):
        raise MessageError(f"{name} is true or false, not {quoted(value)}")
    return value


def text(message: Mapping[str, object], name: str) -> str:
    """A short text of a message."""
    value = message.get(name)
    if not isinstance(value, str) or len(value) > LONGEST or not value.isprintable():
        raise MessageError(f"{name} is a short text, not {quoted(value)}")
    return value


def one_of(message: Mapping[str, object], name: str, known: Collection[str]) -> str:
    """A text of a message that is one of a few."""
    value = message.get(name)
    if not isinstance(value, str) or value not in known:
        near = nearest(value, known)
        raise MessageError(f"{name} is one of {', '.join(known)}, not {quoted(value)}{near and '.'}{near}")
    return value


def history(tree: Tree, node: object) -> int:
    """The number of a history of that tree; another is refused.

    >>> from durak_widget.gametheory import End, grow
    >>> history(grow("", {"": End((1, -1))}.__getitem__, seats=2), float("nan"))
    Traceback (most recent call last):
    durak_widget.board.message_parsing.MessageError: nan is no history of this tree; they are numbered from 0 to 0
    """
    number = whole_number(node)
    if number is None or not 0 <= number < tree.histories:
        raise MessageError(f"{quoted(node)} is no history of this tree; they are numbered from 0 to {tree.histories - 1}")
    return number


def infoset(tree: Tree, place: object) -> int:
    """The number of an information set of that tree; another is refused."""
    number = whole_number(place)
    if number is None or not 0 <= number < len(tree.sets):
        raise MessageError(f"{quoted(place)} is no information set of this tree; they are numbered from 0 to {len(tree.sets) - 1}")
    return number


def a_seat(tree: Tree, seat: object) -> int:
    """The number of a seat of that tree; another is refused."""
    number = whole_number(seat)
    if number is None or not 0 <= number < tree.seats:
        raise MessageError(f"{quoted(seat)} is no seat of this tree; the seats are 0 to {tree.seats - 1}")
    return number


def levels(depth: object) -> int:
    """How many levels are to be opened; what is no such number is refused.

    >>> levels(-1)
    Traceback (most recent call last):
    durak_widget.board.message_parsing.MessageError: depth is how many levels are opened, a whole number from 0 on, not -1
    """
    number = whole_number(depth)
    if number is None or number < 0:
        raise MessageError(f"depth is how many levels are opened, a whole number from 0 on, not {quoted(depth)}")
    return number
