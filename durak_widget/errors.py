"""Defines the exceptions of this package, which all derive from `DurakError`.

    DurakError
    ├── CardError       a text that is not a card, or a card too often (a ValueError)
    ├── RulesError      options that cannot be played                  (a ValueError)
    ├── PositionError   a deck or a position that is impossible        (a ValueError)
    ├── GameTextError   a text or file that is not a whole game        (a ValueError)
    ├── BotError        a bot that is unknown or chooses illegally     (a ValueError)
    └── IllegalMove     a refused move with `.code` and `.refusal`     (a ValueError; defined beside `Refusal`)

Every message says what the problem is, and how to fix it.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class DurakError(Exception):
    """The base class of all errors that this package raises on purpose.

    The only exception is the `IndexError` of `undo`, `redo` and `goto`.

    >>> from durak_widget import Game, Rules
    >>> try:
    ...     Game("transfr")
    ... except DurakError as error:
    ...     print(error)
    there is no preset 'transfr'. Did you mean 'transfer'? Rules.presets() lists them all
    """


class CardError(DurakError, ValueError):
    """The error for a text that does not name a card or a list of cards.

    >>> from durak_widget import CardSet
    >>> CardSet("6c 6c 6c")
    Traceback (most recent call last):
    durak_widget.errors.CardError: 6c appears more than twice; two decks have two of it
    """


class RulesError(DurakError, ValueError):
    """The error for unknown rule options and for options that conflict with each other.

    >>> from durak_widget import Rules
    >>> Rules(teams="2v2")
    Traceback (most recent call last):
    durak_widget.errors.RulesError: Rules(teams='2v2'): these teams need 4 players, but there are 2; use players=4, or teams='none'
    """

    code: str = ""
    """The code of the conflict; the message about the conflict has the catalogue key `rules.refused.<code>`."""
    facts: Mapping[str, object] = {}
    """The values that are inserted into the translated message."""


class PositionError(DurakError, ValueError):
    """The error for a deck or a position that the rules make impossible.

    >>> from durak_widget import Game
    >>> Game(seed=1, dealer=2)
    Traceback (most recent call last):
    durak_widget.errors.PositionError: dealer=2 is not a seat; the seats are 0 to 1
    """


class GameTextError(DurakError, ValueError):
    """The error for a text or a file that does not contain a whole game.

    >>> from durak_widget import Game
    >>> Game.parse("Durak 2")
    Traceback (most recent call last):
    durak_widget.errors.GameTextError: line 1: this text is in version '2' of the format, and only version 1 can be read here
    """


class BotError(DurakError, ValueError):
    """The error for an unknown bot, an unknown setting of a bot, or an illegal move by a bot.

    >>> from durak_widget import bots
    >>> bots.get("carefull")
    Traceback (most recent call last):
    durak_widget.errors.BotError: there is no bot 'carefull'. Did you mean 'careful'? bots.names() lists them all
    """


USER_CODE_EXCEPTIONS = (Exception, SystemExit, GeneratorExit)
"""The exceptions from user-written code that this package catches and reports; `KeyboardInterrupt` is not one of them."""


def to_reportable_error(raised: BaseException) -> Exception:
    """Return `raised` if it is an `Exception`; otherwise, return a `RuntimeError` instead.

    If a program raised a `SystemExit` again to report it, the program would end.

    >>> to_reportable_error(SystemExit("bye")), to_reportable_error(ValueError("no"))
    (RuntimeError('it ended with SystemExit'), ValueError('no'))
    """
    if isinstance(raised, Exception):
        return raised
    error = RuntimeError(f"it ended with {type(raised).__name__}")
    error.__cause__ = raised
    return error


def error_class_name(error: Exception) -> str:
    """Return the name of an error's class, shortened if it is long.

    The package shows only this name if the message of the error could name hidden cards.

    >>> error_class_name(ValueError("no"))
    'ValueError'
    """
    return type(error).__name__[:60]


def short_repr(value: object, max_length: int = 60) -> str:
    """Return the `repr` of a value for an error message, shortened if it is long."""
    if isinstance(value, (str, bytes)):
        value = value[: max_length + 1]
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a number of a million digits, a list in a list in a list …: whatever it is, it is refused
        text = f"something of type {type(value).__name__}"
    return text if len(text) <= max_length else text[: max_length - 1] + "…"


def as_whole_number(value: object) -> int | None:
    """Convert an int (also a numpy integer) to int; return None for bools and other values.

    >>> as_whole_number(3), as_whole_number(True), as_whole_number("3"), as_whole_number(3.0)
    (3, None, None, None)
    """
    try:
        return None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def suggest_nearest(name: object, known_names: Iterable[str]) -> str:
    """Return the text ` Did you mean …?` with the valid name that is most like a wrong one.

    If no valid name is similar, the text is empty.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - needed only when something is wrong

    close = get_close_matches(name if isinstance(name, str) else short_repr(name), list(known_names), 1)
    return f" Did you mean {close[0]!r}?" if close else ""
