"""The endgames that a user missed, and the days on which they come back for practice.

They are stored in a small file of the user's, like their progress, and nothing is sent.
"""

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
"""Days until a missed endgame comes back."""
SPACE: Final = 3
"""Days until a solved endgame comes back, the same each time: growing intervals do no better."""
ENOUGH: Final = 3
"""How often a returning endgame must be solved until it is known."""
SAID: Final = frozenset({"trump", "attacker", "table", "taking", "passed", "limit"})
"""Facts of an endgame besides its hands; a position that needs more history is not self-contained."""
_PAST: Final = frozenset({"discard", "bout", "seen", "since", "turn-up", "follows"})
"""Facts of a position about what happened before."""
SOON: Final = 5_000
"""Positions searched where an endgame is asked: a tenth of a second in plain Python."""
OLDEST: Final = date(2, 1, 1)
"""The earliest date used: an earlier clock counts as this, so that each day has days before it."""
_LONGEST: Final = 600
_MOST: Final = 200
"""Most endgames stored; beyond that, the one that has waited longest is deleted."""


class Waiting(NamedTuple):
    """An endgame that was missed."""

    position: str
    """The position, as `Game.at` reads it."""
    due: date
    """The day on which it comes back."""
    solved: int
    """How often it was solved since it was missed."""


class Missed:
    """The endgames that a user missed, and when each is due; a day that is not given is today.

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
        """Return all endgames that are not known yet, the earliest due first."""
        endgames = [Waiting(name, date.fromisoformat(entry["due"]), entry["solved"]) for name, entry in self._store.entries.items()]
        return tuple(
            sorted((endgame for endgame in endgames if endgame.solved < ENOUGH), key=lambda endgame: (endgame.due, endgame.position))
        )

    @property
    def known(self) -> tuple[str, ...]:
        """Return all endgames that were missed once and have been solved often enough since."""
        return tuple(sorted(name for name, entry in self._store.entries.items() if entry["solved"] >= ENOUGH))

    def due(self, day: date | None = None) -> tuple[str, ...]:
        """Return the positions that are due on that day or before, the longest waiting first."""
        today = day_of(day)
        return tuple(endgame.position for endgame in self.waiting if endgame.due <= today)

    def missed_on(self, position: str) -> date | None:
        """Return the day on which an endgame was missed last, or None if that is not known.

        >>> from tempfile import mkdtemp
        >>> missed = Missed(Path(mkdtemp()) / "endings.json")
        >>> missed.remember("Qh Ks | Kh Kc; trump h", date(2026, 3, 1))
        >>> missed.missed_on("Qh Ks | Kh Kc; trump h"), missed.missed_on("Ks | Kc; trump h")
        (datetime.date(2026, 3, 1), None)
        """
        entry = self._store.entries.get(position, {})
        with suppress(ValueError, TypeError):
            return date.fromisoformat(entry.get("missed"))  # type: ignore[arg-type]  # the file may hold anything
        return date.fromisoformat(entry["due"]) - timedelta(FIRST) if entry and not entry["solved"] else None

    def remember(self, position: str, day: date | None = None) -> None:
        """Record that an endgame was missed on that day: it comes back the next day, unsolved."""
        name, due = checked(position), day_of(day) + timedelta(FIRST)

        def note(entries: dict[str, Entry]) -> bool:
            entries[name] = {**entries.get(name, {}), "due": due.isoformat(), "solved": 0, "missed": day_of(day).isoformat()}
            for old in sorted((key for key in entries if _is_sound(key, entries[key])), key=lambda key: entries[key]["due"])[:-_MOST]:
                del entries[old]
            return True

        self._store.change(note)

    def solve(self, position: str, day: date | None = None) -> None:
        """Record that an endgame that was due on that day was solved.

        It comes back after the usual interval until it is known. An endgame that was not due, or not missed, stays as it is.
        """
        name, today = checked(position), day_of(day)

        def note(entries: dict[str, Entry]) -> bool:
            entry = entries.get(name)
            if entry is None or not _is_sound(name, entry) or entry["solved"] >= ENOUGH or date.fromisoformat(entry["due"]) > today:
                return False
            entries[name] = {**entry, "due": (today + timedelta(SPACE)).isoformat(), "solved": entry["solved"] + 1}
            return True

        self._store.change(note)

    def look(self) -> None:
        """Read the file again: another notebook may have written it."""
        self._store.read()


def remember(position: str, day: date | None = None) -> bool:
    """Record a missed endgame in the user's file; return False where there can be no file.

    >>> import os
    >>> remember("Qh Ks | Kh Kc; trump h"), "Qh Ks | Kh Kc; trump h" in [endgame.position for endgame in Missed().waiting]
    (True, True)
    """
    name = checked(position)
    with suppress(DurakError):
        Missed().remember(name, day)
        return True
    return False


def stands_alone(game: Game) -> bool:
    """Return whether a two-player endgame can be asked without the history of the game.

    >>> stands_alone(Game.at("9s Ac | Qs 9c Kd; trump c")), stands_alone(Game.at("no_trumps: 9s Ac | Qs 9c Kd"))
    (True, False)
    """
    facts = {fact.partition(" ")[0] for fact in game.position.split("; ")[1:]}
    return facts <= SAID | _PAST and game.actor is not None and game.seats == 2 and game.trump is not None


def day_of(day: object) -> date:
    """Return a day; today if None is given."""
    if day is None:
        return date.today()  # noqa: DTZ011 - the day as it is where somebody plays
    if not isinstance(day, date):
        raise DurakError(f"a day is a datetime.date, such as date(2026, 3, 1), not {quoted(day)}")
    return max(OLDEST, date(day.year, day.month, day.day))


def checked(position: object) -> str:
    """Return a position; refuse it unless it is a two-player endgame with a player to act."""
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
    """Return whether an entry of the file can be read."""
    if not isinstance(one, dict) or not 0 < len(name) <= _LONGEST or not name.isprintable():
        return False
    due, solved = one.get("due"), one.get("solved")
    try:
        return isinstance(due, str) and date.fromisoformat(due) > OLDEST and type(solved) is int and solved in range(ENOUGH + 1)
    except ValueError:
        return False
