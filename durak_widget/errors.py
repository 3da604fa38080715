"""What can go wrong, as one small tree.

    DurakError
    ├── CardError       a text that names no card, or one too often  (a ValueError)
    ├── RulesError      options that cannot be played                (a ValueError)
    ├── PositionError   a deck or a position that cannot be          (a ValueError)
    ├── GameTextError   a text or file that is not a whole game      (a ValueError)
    ├── BotError        a bot that is not there or cannot play so    (a ValueError)
    └── IllegalMove     a refused move; `.code` is stable, `.refusal` the whole of it (a ValueError; it lives beside its `Refusal`)

Every message is one sentence or two: what is wrong, and what would be right.
"""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class DurakError(Exception):
    """Anything that this package refuses, but for moments of a game that are not there (an `IndexError`, as for a list).

    >>> from durak_widget import Game, Rules
    >>> try:
    ...     Game("transfr")
    ... except DurakError as error:
    ...     print(error)
    there is no preset 'transfr'. Did you mean 'transfer'? Rules.presets() lists them all
    """


class CardError(DurakError, ValueError):
    """A text that does not name cards.

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
    """Why options cannot be played together, as a code that does not change; the words for it at a table are `rules.refused.<code>`."""
    facts: Mapping[str, object] = {}
    """What those words name."""


class PositionError(DurakError, ValueError):
    """A deck or a position that cannot be.

    >>> from durak_widget import Game
    >>> Game(seed=1, dealer=2)
    Traceback (most recent call last):
    durak_widget.errors.PositionError: dealer=2 is not a seat; the seats are 0 to 1
    """


class GameTextError(DurakError, ValueError):
    """A text or a file that is not one whole game.

    >>> from durak_widget import Game
    >>> Game.parse("Durak 2")
    Traceback (most recent call last):
    durak_widget.errors.GameTextError: line 1: this is version '2' of the form, and version 1 is the one known here
    """


class BotError(DurakError, ValueError):
    """A bot that is not known, has no such setting, or chose what is not legal.

    >>> from durak_widget import bots
    >>> bots.get("carefull")
    Traceback (most recent call last):
    durak_widget.errors.BotError: there is no bot 'carefull'. Did you mean 'careful'? bots.names() lists them all
    """


ENDINGS = (Exception, SystemExit, GeneratorExit)
"""What somebody else's code may raise, and is told of; only who interrupts a program is not held up."""


def tellable(raised: BaseException) -> Exception:
    """What was raised as an error that can be told: an exit is none, and would end whoever hears of it.

    >>> tellable(SystemExit("bye")), tellable(ValueError("no"))
    (RuntimeError('it ended with SystemExit'), ValueError('no'))
    """
    if isinstance(raised, Exception):
        return raised
    error = RuntimeError(f"it ended with {type(raised).__name__}")
    error.__cause__ = raised
    return error


def class_of(error: Exception) -> str:
    """What kind of error it is, in few letters: where its text may name hidden cards, that alone is told.

    >>> class_of(ValueError("no"))
    'ValueError'
    """
    return type(error).__name__[:60]


def quoted(value: object, most: int = 60) -> str:
    """The value as a message may quote it: its repr, cut when it is long."""
    if isinstance(value, (str, bytes)):
        value = value[: most + 1]
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a number of a million digits, a list in a list in a list …: whatever it is, it is refused
        text = f"something of type {type(value).__name__}"
    return text if len(text) <= most else text[: most - 1] + "…"


def whole_number(value: object) -> int | None:
    """The whole number that a value is, numpy's too; None for everything else, True and False among it.

    >>> whole_number(3), whole_number(True), whole_number("3"), whole_number(3.0)
    (3, None, None, None)
    """
    try:
        return None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def nearest(name: object, known: Iterable[str]) -> str:
    """` Did you mean …?` when a known name is close, else nothing."""
    from difflib import get_close_matches  # noqa: PLC0415 - needed only when something is wrong

    close = get_close_matches(name if isinstance(name, str) else quoted(name), list(known), 1)
    return f" Did you mean {close[0]!r}?" if close else ""
