"""The endings that were missed, remembered as progress is, and the days on which they come back: in a small file of one's own, and nothing is sent."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.atomic_files import path_of
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, PositionError, quoted
from durak_widget.json_store import Store, home

if TYPE_CHECKING:
    from os import PathLike

    from durak_widget.json_store import Entry

FIRST: Final = 1
"""So many days after it was missed an ending comes back."""
SPACE: Final = 3
"""So many days after it was solved it comes back once more, each time the same: growing spaces do no better."""
ENOUGH: Final = 3
"""So many times it is to be solved when it comes back; then it is known."""
SAID: Final = frozenset({"trump", "attacker", "table", "taking", "passed", "limit"})
"""What is said of an ending besides its hands; whoever needs more of the past is none."""
_PAST: Final = frozenset({"discard", "bout", "seen", "since", "turn-up", "follows"})
"""What a position tells besides of what has been."""
SOON: Final = 5_000
"""So many positions of an ending are looked at where it is asked, which takes a tenth of a second in plain Python."""
OLDEST: Final = date(2, 1, 1)
"""A clock that stands before it is taken to stand there: each day has some before it."""
_LONGEST: Final = 600
_MOST: Final = 200
"""So many are kept; then the one that has waited longest makes room."""


class Waiting(NamedTuple):
    """An ending that was missed."""

    position: str
    """As `Game.at` reads it."""
    due: date
    """The day on which it comes back."""
    solved: int
    """How often it was solved since it was missed."""


class Missed:
    """The endings that somebody missed, and when each is due. What day it is may be said, and is today else.

    >>> from datetime import date
    >>> from tempfile import mkdtemp
    >>> missed = Missed(Path(mkdtemp()) / "endings.json")
    >>> missed.remember("Qh Ks | Kh Kc; trump h", date(2026, 3, 1))
    >>> missed.due(date(2026, 3, 1)), missed.due(date(2026, 3, 2))
    ((), ('Qh Ks | Kh Kc; trump h',))
    >>> missed.solve("Qh Ks | Kh Kc; trump h", date(2026, 3, 2)); missed.due(date(2026, 3, 4)), len(missed.due(date(2026, 3, 5)))
    ((), 1)
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        self.path = Path(path_of(path)) if path is not None else home() / "endings.json"
        self._store = Store(self.path, _is_sound)
        self._store.read()

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """All that are not known yet, those that come first before others."""
        found = [Waiting(name, date.fromisoformat(one["due"]), one["solved"]) for name, one in self._store.entries.items()]
        return tuple(sorted((one for one in found if one.solved < ENOUGH), key=lambda one: (one.due, one.position)))

    @property
    def known(self) -> tuple[str, ...]:
        """All that were missed once and have been solved often enough since."""
        return tuple(sorted(name for name, one in self._store.entries.items() if one["solved"] >= ENOUGH))

    def due(self, day: date | None = None) -> tuple[str, ...]:
        """The positions that come back on that day or have waited since, the longest waiting first."""
        today = day_of(day)
        return tuple(one.position for one in self.waiting if one.due <= today)

    def missed_on(self, position: str) -> date | None:
        """On which day an ending was missed last, as far as that is known.

        >>> from tempfile import mkdtemp
        >>> missed = Missed(Path(mkdtemp()) / "endings.json")
        >>> missed.remember("Qh Ks | Kh Kc; trump h", date(2026, 3, 1))
        >>> missed.missed_on("Qh Ks | Kh Kc; trump h"), missed.missed_on("Ks | Kc; trump h")
        (datetime.date(2026, 3, 1), None)
        """
        one = self._store.entries.get(position, {})
        with suppress(ValueError, TypeError):
            return date.fromisoformat(one.get("missed"))  # type: ignore[arg-type]  # whatever stands in the file
        return date.fromisoformat(one["due"]) - timedelta(FIRST) if one and not one["solved"] else None

    def remember(self, position: str, day: date | None = None) -> None:
        """An ending was missed on that day: it comes back on the next, and all that was solved of it counts no more."""
        name, due = checked(position), day_of(day) + timedelta(FIRST)

        def note(entries: dict[str, Entry]) -> bool:
            entries[name] = {**entries.get(name, {}), "due": due.isoformat(), "solved": 0, "missed": day_of(day).isoformat()}
            for old in sorted((one for one in entries if _is_sound(one, entries[one])), key=lambda one: entries[one]["due"])[:-_MOST]:
                del entries[old]
            return True

        self._store.change(note)

    def solve(self, position: str, day: date | None = None) -> None:
        """An ending that was due on that day was solved: it comes back after the usual space, until it is known. What was not due, or not missed, changes nothing."""
        name, today = checked(position), day_of(day)

        def note(entries: dict[str, Entry]) -> bool:
            one = entries.get(name)
            if one is None or not _is_sound(name, one) or one["solved"] >= ENOUGH or date.fromisoformat(one["due"]) > today:
                return False
            entries[name] = {**one, "due": (today + timedelta(SPACE)).isoformat(), "solved": one["solved"] + 1}
            return True

        self._store.change(note)

    def look(self) -> None:
        """Look at the file again: another notebook may have written it."""
        self._store.read()


def remember(position: str, day: date | None = None) -> bool:
    """Remember a missed ending where endings are remembered here; whether that could be done. A table is no worse where it cannot.

    >>> import os
    >>> remember("Qh Ks | Kh Kc; trump h"), "Qh Ks | Kh Kc; trump h" in [one.position for one in Missed().waiting]
    (True, True)
    """
    name = checked(position)
    with suppress(DurakError):
        Missed().remember(name, day)
        return True
    return False


def stands_alone(game: Game) -> bool:
    """Whether an ending of two can be asked without its past.

    >>> stands_alone(Game.at("9s Ac | Qs 9c Kd; trump c")), stands_alone(Game.at("no_trumps: 9s Ac | Qs 9c Kd"))
    (True, False)
    """
    told = {fact.partition(" ")[0] for fact in game.position.split("; ")[1:]}
    return told <= SAID | _PAST and game.actor is not None and game.seats == 2 and game.trump is not None


def day_of(day: object) -> date:
    """A day; today, if none is named."""
    if day is None:
        return date.today()  # noqa: DTZ011 - the day as it is where somebody plays
    if not isinstance(day, date):
        raise DurakError(f"a day is a datetime.date, such as date(2026, 3, 1), not {quoted(day)}")
    return max(OLDEST, date(day.year, day.month, day.day))


def checked(position: object) -> str:
    """The position of an ending of two in which somebody is to act, as it is remembered."""
    try:
        game = Game.at(position) if isinstance(position, str) else None
    except PositionError as error:
        raise DurakError(f"an ending is remembered by its position, as game.position says it: {error}") from None
    if game is None or not isinstance(position, str):
        raise DurakError(f"an ending is remembered by its position, as game.position says it, not {quoted(position)}")
    if game.talon or len(game.seats_in) != 2 or game.actor is None or len(position) > _LONGEST:
        raise DurakError("an ending is a position of two without a talon in which somebody is to act; this one is not")
    return position


def _is_sound(name: str, one: object) -> bool:
    """Whether an entry of the file can be read."""
    if not isinstance(one, dict) or not 0 < len(name) <= _LONGEST or not name.isprintable():
        return False
    due, solved = one.get("due"), one.get("solved")
    try:
        return isinstance(due, str) and date.fromisoformat(due) > OLDEST and type(solved) is int and solved in range(ENOUGH + 1)
    except ValueError:
        return False
