"""The endgames that a user missed, and the days on which the user practises them again.

They are stored in a small file of the user's, like their progress, and nothing is sent.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.atomic_files import require_path
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, PositionError, short_repr
from durak_widget.json_store import JsonStore, get_data_folder

if TYPE_CHECKING:
    from os import PathLike

    from durak_widget.json_store import Entry

FIRST_REPEAT_DAYS: Final = 1
"""The number of days after which a missed endgame is asked again."""
REPEAT_INTERVAL_DAYS: Final = 3
"""The number of days after which a solved endgame is asked again. It is constant, because increasing intervals do not work better."""
SOLVES_UNTIL_KNOWN: Final = 3
"""The number of times that a missed endgame must be solved before the user is considered to know it."""
ENDGAME_FACTS: Final = frozenset({"trump", "attacker", "table", "taking", "passed", "limit"})
"""The properties, apart from the hands, that an exercise uses to set up an endgame."""
_HISTORY_FACTS: Final = frozenset({"discard", "bout", "seen", "since", "turn-up", "follows"})
"""The properties of a position that record earlier moves."""
QUICK_SEARCH_POSITIONS: Final = 5_000
"""The number of positions searched before an endgame is asked: a tenth of a second in plain Python."""
EARLIEST_DATE: Final = date(2, 1, 1)
"""The earliest date in use: any earlier date is replaced by this date, so that the day before always exists."""
_MAX_POSITION_LENGTH: Final = 600
_MAX_ENTRIES: Final = 200
"""The largest number of endgames stored; for each further one, the endgame that has waited longest is deleted."""


class MissedEndgame(NamedTuple):
    """An endgame that the user missed (failed to win or to tie)."""

    position: str
    """The position of the endgame, as a line of text for `Game.from_position_line`."""
    due_date: date
    """The day on which the endgame is asked again."""
    solved_count: int
    """The number of times that the endgame was solved after it was missed last."""


class MissedEndgames:
    """The endgames that a user missed, and when each is due; the default day is today.

    >>> from datetime import date
    >>> from tempfile import mkdtemp
    >>> missed = MissedEndgames(Path(mkdtemp()) / "endings.json")
    >>> missed.record_missed("Qh Ks | Kh Kc; trump h", date(2026, 3, 1))
    >>> missed.list_due(date(2026, 3, 1)), missed.list_due(date(2026, 3, 2))
    ((), ('Qh Ks | Kh Kc; trump h',))
    >>> missed.record_solved("Qh Ks | Kh Kc; trump h", date(2026, 3, 2)); missed.list_due(date(2026, 3, 4)), len(missed.list_due(date(2026, 3, 5)))
    ((), 1)
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        self.path = Path(require_path(path)) if path is not None else get_data_folder() / "endings.json"
        self._store = JsonStore(self.path, _is_valid_entry)
        self._store.read()

    @property
    def pending(self) -> tuple[MissedEndgame, ...]:
        """Return all endgames that the user does not know yet, the earliest due first."""
        endgames = [MissedEndgame(name, date.fromisoformat(entry["due"]), entry["solved"]) for name, entry in self._store.entries.items()]
        return tuple(
            sorted(
                (endgame for endgame in endgames if endgame.solved_count < SOLVES_UNTIL_KNOWN),
                key=lambda endgame: (endgame.due_date, endgame.position),
            )
        )

    @property
    def known(self) -> tuple[str, ...]:
        """Return all missed endgames that the user has since solved often enough."""
        return tuple(sorted(name for name, entry in self._store.entries.items() if entry["solved"] >= SOLVES_UNTIL_KNOWN))

    def list_due(self, day: date | None = None) -> tuple[str, ...]:
        """Return the endgames that are due on or before a day, the longest waiting first."""
        today = resolve_day(day)
        return tuple(endgame.position for endgame in self.pending if endgame.due_date <= today)

    def find_missed_date(self, position: str) -> date | None:
        """Return the day on which an endgame was missed last; None if this is unknown.

        >>> from tempfile import mkdtemp
        >>> missed = MissedEndgames(Path(mkdtemp()) / "endings.json")
        >>> missed.record_missed("Qh Ks | Kh Kc; trump h", date(2026, 3, 1))
        >>> missed.find_missed_date("Qh Ks | Kh Kc; trump h"), missed.find_missed_date("Ks | Kc; trump h")
        (datetime.date(2026, 3, 1), None)
        """
        entry = self._store.entries.get(position, {})
        with suppress(ValueError, TypeError):
            return date.fromisoformat(entry.get("missed"))  # type: ignore[arg-type]  # the file may hold anything
        return date.fromisoformat(entry["due"]) - timedelta(FIRST_REPEAT_DAYS) if entry and not entry["solved"] else None

    def record_missed(self, position: str, day: date | None = None) -> None:
        """Record that an endgame was missed on a given day, so that it is due the next day."""
        name, due = require_endgame_position(position), resolve_day(day) + timedelta(FIRST_REPEAT_DAYS)

        def note(entries: dict[str, Entry]) -> bool:
            entries[name] = {**entries.get(name, {}), "due": due.isoformat(), "solved": 0, "missed": resolve_day(day).isoformat()}
            for old in sorted((key for key in entries if _is_valid_entry(key, entries[key])), key=lambda key: entries[key]["due"])[
                :-_MAX_ENTRIES
            ]:
                del entries[old]
            return True

        self._store.change(note)

    def record_solved(self, position: str, day: date | None = None) -> None:
        """Record that an endgame that was due was solved on a given day.

        It comes back after the usual interval until it is known. An endgame that was not due, or not missed, stays as it is.
        """
        name, today = require_endgame_position(position), resolve_day(day)

        def note(entries: dict[str, Entry]) -> bool:
            entry = entries.get(name)
            if (
                entry is None
                or not _is_valid_entry(name, entry)
                or entry["solved"] >= SOLVES_UNTIL_KNOWN
                or date.fromisoformat(entry["due"]) > today
            ):
                return False
            entries[name] = {**entry, "due": (today + timedelta(REPEAT_INTERVAL_DAYS)).isoformat(), "solved": entry["solved"] + 1}
            return True

        self._store.change(note)

    def reload(self) -> None:
        """Read the file of missed endgames again, because another notebook may have changed it."""
        self._store.read()


def remember_missed_endgame(position: str, day: date | None = None) -> bool:
    """Record a missed endgame in the user's file; return False if the file can't be written.

    >>> import os
    >>> remember_missed_endgame("Qh Ks | Kh Kc; trump h"), "Qh Ks | Kh Kc; trump h" in [endgame.position for endgame in MissedEndgames().pending]
    (True, True)
    """
    name = require_endgame_position(position)
    with suppress(DurakError):
        MissedEndgames().record_missed(name, day)
        return True
    return False


def is_self_contained(game: Game) -> bool:
    """Return whether a two-player endgame can be asked without the earlier moves of its game.

    >>> is_self_contained(Game.from_position_line("9s Ac | Qs 9c Kd; trump c")), is_self_contained(Game.from_position_line("no_trumps: 9s Ac | Qs 9c Kd"))
    (True, False)
    """
    facts = {fact.partition(" ")[0] for fact in game.position.split("; ")[1:]}
    return facts <= ENDGAME_FACTS | _HISTORY_FACTS and game.actor is not None and game.seats == 2 and game.trump is not None


def resolve_day(day: object) -> date:
    """Return the given day, or today if it is None."""
    if day is None:
        return date.today()  # noqa: DTZ011 - the day as it is where somebody plays
    if not isinstance(day, date):
        raise DurakError(f"a day is a datetime.date, such as date(2026, 3, 1), not {short_repr(day)}")
    return max(EARLIEST_DATE, date(day.year, day.month, day.day))


def require_endgame_position(position: object) -> str:
    """Return a two-player endgame in which a player must act; raise an error for another text."""
    try:
        game = Game.from_position_line(position) if isinstance(position, str) else None
    except PositionError as error:
        raise DurakError(f"an ending is remembered by its position, as game.position says it: {error}") from None
    if game is None or not isinstance(position, str):
        raise DurakError(f"an ending is remembered by its position, as game.position says it, not {short_repr(position)}")
    if game.talon or len(game.seats_in) != 2 or game.actor is None or len(position) > _MAX_POSITION_LENGTH:
        raise DurakError("an ending is a position of two without a talon in which somebody is to act; this one is not")
    return position


def _is_valid_entry(name: str, entry: object) -> bool:
    """Return whether an entry of the file of missed endgames is valid."""
    if not isinstance(entry, dict) or not 0 < len(name) <= _MAX_POSITION_LENGTH or not name.isprintable():
        return False
    due, solved = entry.get("due"), entry.get("solved")
    try:
        return (
            isinstance(due, str)
            and date.fromisoformat(due) > EARLIEST_DATE
            and type(solved) is int
            and solved in range(SOLVES_UNTIL_KNOWN + 1)
        )
    except ValueError:
        return False
