"""Parses messages from the page strictly: an invalid part of a message raises an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from durak_widget.errors import DurakError, as_whole_number, short_repr, suggest_nearest

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from durak_widget.gametheory.tree import Tree

MAX_TEXT_LENGTH = 200
"""The maximum length, in characters, of a text in a message from the page."""
Kind = TypeVar("Kind")


class MessageError(DurakError, ValueError):
    """The error for an invalid argument, or for a message that the page never sends.

    >>> get_whole_number({"n": "three"}, "n")
    Traceback (most recent call last):
    durak_widget.board.message_parsing.MessageError: n must be a whole number, not 'three'
    """


def find_by_kind(message: object, kinds: Mapping[str, Kind]) -> tuple[Mapping[str, object], Kind]:
    """Check a message, and return it with the value that `kinds` has for the message's kind.

    >>> find_by_kind({"kind": "togle"}, {"toggle": 1, "open": 2})
    Traceback (most recent call last):
    durak_widget.board.message_parsing.MessageError: the kind of a message must be one of toggle, open, not 'togle'. Did you mean 'toggle'?
    """
    if not isinstance(message, dict):
        raise MessageError(f"a message must be an object with a kind, not {short_repr(message)}")
    kind = message.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        suggestion = suggest_nearest(kind, kinds)
        raise MessageError(
            f"the kind of a message must be one of {', '.join(kinds)}, not {short_repr(kind)}{suggestion and '.'}{suggestion}"
        )
    return message, kinds[kind]


def get_whole_number(message: Mapping[str, object], name: str) -> int:
    """Return the whole number that a message has for a given key, or raise an error."""
    number = as_whole_number(message.get(name))
    if number is None or abs(number) > 2**53:
        raise MessageError(f"{name} must be a whole number, not {short_repr(message.get(name))}")
    return number


def get_flag(message: Mapping[str, object], name: str) -> bool:
    """Return the Boolean that a message has for a given key, or raise an error."""
    value = message.get(name)
    if not isinstance(value, bool):
        raise MessageError(f"{name} must be true or false, not {short_repr(value)}")
    return value


def get_text(message: Mapping[str, object], name: str) -> str:
    """Return the short text that a message has for a given key, or raise an error."""
    value = message.get(name)
    if not isinstance(value, str) or len(value) > MAX_TEXT_LENGTH or not value.isprintable():
        raise MessageError(f"{name} must be a short text, not {short_repr(value)}")
    return value


def get_table_text(message: Mapping[str, object], name: str) -> str:
    """Return the text of a table that a message has for a given key, or raise an error.

    The text may be long and have any characters, because a user pasted it.
    """
    value = message.get(name)
    if not isinstance(value, str):
        raise MessageError(f"{name} must be the text of a table, not {short_repr(value)}")
    return value


def get_choice(message: Mapping[str, object], name: str, choices: Collection[str]) -> str:
    """Return the entry of `choices` that a message has for a given key, or raise an error."""
    value = message.get(name)
    if not isinstance(value, str) or value not in choices:
        suggestion = suggest_nearest(value, choices)
        raise MessageError(f"{name} must be one of {', '.join(choices)}, not {short_repr(value)}{suggestion and '.'}{suggestion}")
    return value


def parse_history(tree: Tree, node: object) -> int:
    """Return `node` as the number of a node of `tree`, or raise an error.

    >>> from durak_widget.gametheory import TerminalNode, build_tree
    >>> parse_history(build_tree("", {"": TerminalNode((1, -1))}.__getitem__, player_count=2), float("nan"))
    Traceback (most recent call last):
    durak_widget.board.message_parsing.MessageError: there is no history nan in this tree; the histories are numbered from 0 to 0
    """
    number = as_whole_number(node)
    if number is None or not 0 <= number < tree.history_count:
        raise MessageError(
            f"there is no history {short_repr(node)} in this tree; the histories are numbered from 0 to {tree.history_count - 1}"
        )
    return number


def parse_infoset(tree: Tree, value: object) -> int:
    """Return `value` as the number of an information set of `tree`, or raise an error."""
    number = as_whole_number(value)
    if number is None or not 0 <= number < len(tree.infosets):
        raise MessageError(
            f"there is no information set {short_repr(value)} in this tree; the information sets are numbered from 0 to {len(tree.infosets) - 1}"
        )
    return number


def parse_player(tree: Tree, value: object) -> int:
    """Return `value` as the number of a player of `tree`, or raise an error."""
    number = as_whole_number(value)
    if number is None or not 0 <= number < tree.player_count:
        raise MessageError(f"there is no player {short_repr(value)} in this tree; the players are 0 to {tree.player_count - 1}")
    return number


def parse_depth(depth: object) -> int:
    """Return `depth` as a number of tree levels to open; raise an error if it is invalid.

    >>> parse_depth(-1)
    Traceback (most recent call last):
    durak_widget.board.message_parsing.MessageError: depth must be a whole number from 0 on, the number of levels to open, not -1
    """
    number = as_whole_number(depth)
    if number is None or number < 0:
        raise MessageError(f"depth must be a whole number from 0 on, the number of levels to open, not {short_repr(depth)}")
    return number
