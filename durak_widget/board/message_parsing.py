"""Parse messages from the page strictly: each part is valid or is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from durak_widget.errors import DurakError, nearest, quoted, whole_number

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from durak_widget.gametheory.tree import Tree

LONGEST = 200
"""The largest length of a text in a message."""
Kind = TypeVar("Kind")


class MessageError(DurakError, ValueError):
    """An invalid request from code, or a message that no page sends.

    >>> whole({"n": "three"}, "n")
    Traceback (most recent call last):
    durak_widget.board.message_parsing.MessageError: n is a whole number, not 'three'
    """


def of_kind(message: object, kinds: Mapping[str, Kind]) -> tuple[Mapping[str, object], Kind]:
    """Return the message and the entry of `kinds` for its kind; refuse any other message.

    >>> of_kind({"kind": "togle"}, {"toggle": 1, "open": 2})
    Traceback (most recent call last):
    durak_widget.board.message_parsing.MessageError: a message has a kind, one of toggle, open, not 'togle'. Did you mean 'toggle'?
    """
    if not isinstance(message, dict):
        raise MessageError(f"a message is an object with a kind, not {quoted(message)}")
    kind = message.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        suggestion = nearest(kind, kinds)
        raise MessageError(f"a message has a kind, one of {', '.join(kinds)}, not {quoted(kind)}{suggestion and '.'}{suggestion}")
    return message, kinds[kind]


def whole(message: Mapping[str, object], name: str) -> int:
    """Return a whole number from a message."""
    number = whole_number(message.get(name))
    if number is None or abs(number) > 2**53:
        raise MessageError(f"{name} is a whole number, not {quoted(message.get(name))}")
    return number


def flag(message: Mapping[str, object], name: str) -> bool:
    """Return a yes or no from a message."""
    value = message.get(name)
    if not isinstance(value, bool):
        raise MessageError(f"{name} is true or false, not {quoted(value)}")
    return value


def text(message: Mapping[str, object], name: str) -> str:
    """Return a short text from a message."""
    value = message.get(name)
    if not isinstance(value, str) or len(value) > LONGEST or not value.isprintable():
        raise MessageError(f"{name} is a short text, not {quoted(value)}")
    return value


def one_of(message: Mapping[str, object], name: str, known: Collection[str]) -> str:
    """Return a text from a message that must be one of a few."""
    value = message.get(name)
    if not isinstance(value, str) or value not in known:
        suggestion = nearest(value, known)
        raise MessageError(f"{name} is one of {', '.join(known)}, not {quoted(value)}{suggestion and '.'}{suggestion}")
    return value


def history(tree: Tree, node: object) -> int:
    """Return the number of a history of that tree; refuse any other value.

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
    """Return the number of an information set of that tree; refuse any other value."""
    number = whole_number(place)
    if number is None or not 0 <= number < len(tree.sets):
        raise MessageError(f"{quoted(place)} is no information set of this tree; they are numbered from 0 to {len(tree.sets) - 1}")
    return number


def a_seat(tree: Tree, seat: object) -> int:
    """Return the number of a player of that tree; refuse any other value."""
    number = whole_number(seat)
    if number is None or not 0 <= number < tree.seats:
        raise MessageError(f"{quoted(seat)} is no seat of this tree; the seats are 0 to {tree.seats - 1}")
    return number


def levels(depth: object) -> int:
    """Return the number of levels to open; refuse any other value.

    >>> levels(-1)
    Traceback (most recent call last):
    durak_widget.board.message_parsing.MessageError: depth is how many levels are opened, a whole number from 0 on, not -1
    """
    number = whole_number(depth)
    if number is None or number < 0:
        raise MessageError(f"depth is how many levels are opened, a whole number from 0 on, not {quoted(depth)}")
    return number
