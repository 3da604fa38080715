"""The errors of this package, as one small tree.

    DurakError
    ├── CardError       a text that is not a card, or a card too often (a ValueError)
    ├── RulesError      options that cannot be played                  (a ValueError)
    ├── PositionError   a deck or a position that is impossible        (a ValueError)
    ├── GameTextError   a text or file that is not a whole game        (a ValueError)
    ├── BotError        a bot that is unknown or chooses illegally     (a ValueError)
    └── IllegalMove     a refused move with `.code` and `.refusal`     (a ValueError; defined beside `Refusal`)

Every message is one or two sentences: the problem, and how to fix it.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class DurakError(Exception):
    """Any error of this package, except `IndexError` for a missing moment of a game.

    >>> from durak_widget import Game, Rules
    >>> try:
    ...     Game("transfr")
    ... except DurakError as error:
    ...     print(error)
    there is no preset 'transfr'. Did you mean 'transfer'? Rules.presets() lists them all
    """


class CardError(DurakError, ValueError):
    """A text that is not a card or a list of cards.

    >>> from durak_widget import CardSet
    >>> CardSet("6c 6c 6c")
    Traceback (most recent call last):
    durak_widget.errors.CardError: 6c is there more than twice; two decks hold two of it
    """


class RulesError(DurakError, ValueError):
    """Options that are unknown or cannot be played together.

    >>> from durak_widget import Rules
    >>> Rules(teams="2v2")
    Traceback (most recent call last):
    durak_widget.errors.RulesError: Rules(teams='2v2'): that takes 4 players, and there are 2; say players=4, or teams='none'
    """

    code: str = ""
    """A stable code for the conflict of options; its text at a table is `rules.refused.<code>`."""
    facts: Mapping[str, object] = {}
    """The values for the gaps of that text."""


class PositionError(DurakError, ValueError):
    """A deck or a position that is impossible.

    >>> from durak_widget import Game
    >>> Game(seed=1, dealer=2)
    Traceback (most recent call last):
    durak_widget.errors.PositionError: dealer=2 is not a seat; the seats are 0 to 1
    """


class GameTextError(DurakError, ValueError):
    """A text or a file that is not exactly one whole game.

    >>> from durak_widget import Game
    >>> Game.parse("Durak 2")
    Traceback (most recent call last):
    durak_widget.errors.GameTextError: line 1: this is version '2' of the form, and version 1 is the one known here
    """


class BotError(DurakError, ValueError):
    """A bot that is unknown, has no such setting, or chose an illegal move.

    >>> from durak_widget import bots
    >>> bots.get("carefull")
    Traceback (most recent call last):
    durak_widget.errors.BotError: there is no bot 'carefull'. Did you mean 'careful'? bots.names() lists them all
    """


ENDINGS = (Exception, SystemExit, GeneratorExit)
"""The exceptions that code of users may raise and that are reported; `KeyboardInterrupt` is not caught."""


def tellable(raised: BaseException) -> Exception:
    """Return an exception as one that can be reported: an exit becomes a RuntimeError.

    A `SystemExit` that is raised again would end the program that reports it.

    >>> tellable(SystemExit("bye")), tellable(ValueError("no"))
    (RuntimeError('it ended with SystemExit'), ValueError('no'))
    """
    if isinstance(raised, Exception):
        return raised
    error = RuntimeError(f"it ended with {type(raised).__name__}")
    error.__cause__ = raised
    return error


def class_of(error: Exception) -> str:
    """Return the class name of an error, shortened.

    It is shown alone where the message of the error could reveal hidden cards.

    >>> class_of(ValueError("no"))
    'ValueError'
    """
    return type(error).__name__[:60]


def quoted(value: object, most: int = 60) -> str:
    """Return the repr of a value for an error message, shortened if it is long."""
    if isinstance(value, (str, bytes)):
        value = value[: most + 1]
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a number of a million digits, a list in a list in a list …: whatever it is, it is refused
        text = f"something of type {type(value).__name__}"
    return text if len(text) <= most else text[: most - 1] + "…"


def whole_number(value: object) -> int | None:
    """Return the value as an int, numpy's integers too; None for all else, also for bools.

    >>> whole_number(3), whole_number(True), whole_number("3"), whole_number(3.0)
    (3, None, None, None)
    """
    try:
        return None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def nearest(name: object, known: Iterable[str]) -> str:
    """Return ` Did you mean …?` with a close known name, or an empty text."""
    from difflib import get_close_matches  # noqa: PLC0415 - needed only when something is wrong

    close = get_close_matches(name if isinstance(name, str) else quoted(name), list(known), 1)
    return f" Did you mean {close[0]!r}?" if close else ""
