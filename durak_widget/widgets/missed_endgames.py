"""Stores the endgames that a user missed, and when the user should practise them again.

The module stores them in a small file of the user, like the user's progress, and sends nothing over the network.
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
"""How many days after the user has missed an endgame they practise it again."""
REPEAT_INTERVAL_DAYS: Final = 3
"""How many days after the user has solved an endgame they practise it again.

The interval is constant, because increasing intervals do not work better.
"""
SOLVES_UNTIL_KNOWN: Final = 3
"""How often the user must solve a missed endgame before they are considered to know it."""
ENDGAME_FACTS: Final = frozenset({"trump", "attacker", "table", "taking", "passed", "limit"})
"""The parts of a position line (a position as text), besides the hands, that an exercise needs to set up an endgame."""
_HISTORY_FACTS: Final = frozenset({"discard", "bout", "seen", "since", "turn-up", "follows"})
"""The parts of a position line (a position as text) that tell what happened before the position."""
QUICK_SEARCH_POSITIONS: Final = 5_000
"""How many positions a search may visit to check an endgame before the user plays it; this takes a tenth of a second in plain Python."""
EARLIEST_DATE: Final = date(2, 1, 1)
"""The earliest valid date; earlier dates are changed to it, so that the day before a date always exists."""
_MAX_POSITION_LENGTH: Final = 600
_MAX_ENTRIES: Final = 200
"""The maximum number of stored endgames; if there are more, the endgame with the earliest due date is deleted."""


class MissedEndgame(NamedTuple):
    """An endgame that the user missed: they could have won or tied it, but did not."""

    position: str
    """The position of the endgame, as a position line (see `Game.from_position_line`)."""
    due_date: date
    """The day on which the user should practise the endgame again."""
    solved_count: int
    """How often the user has solved this endgame since they last missed it."""


class MissedEndgames:
    """The file of the endgames that a user missed, with the day on which each is due.

    Methods with an argument `day` use today by default.

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
        """Return the endgames that the user has not learned yet, the earliest due date first."""
        endgames = [MissedEndgame(name, date.fromisoformat(entry["due"]), entry["solved"]) for name, entry in self._store.entries.items()]
        return tuple(
            sorted(
                (endgame for endgame in endgames if endgame.solved_count < SOLVES_UNTIL_KNOWN),
                key=lambda endgame: (endgame.due_date, endgame.position),
            )
        )

    @property
    def known(self) -> tuple[str, ...]:
        """Return the missed endgames that the user has learned by now, as texts of positions."""
        return tuple(sorted(name for name, entry in self._store.entries.items() if entry["solved"] >= SOLVES_UNTIL_KNOWN))

    def list_due(self, day: date | None = None) -> tuple[str, ...]:
        """Return the endgames to practise by a given day, the earliest due date first."""
        today = resolve_day(day)
        return tuple(endgame.position for endgame in self.pending if endgame.due_date <= today)

    def find_missed_date(self, position: str) -> date | None:
        """Return the day on which the user last missed an endgame; None if this is unknown.

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
        """Record that the user missed an endgame on a given day; it is due again on the next day."""
        name, due = require_endgame_position(position), resolve_day(day) + timedelta(FIRST_REPEAT_DAYS)

        def add_miss(entries: dict[str, Entry]) -> bool:
            entries[name] = {**entries.get(name, {}), "due": due.isoformat(), "solved": 0, "missed": resolve_day(day).isoformat()}
            for oldest in sorted((key for key in entries if _is_valid_entry(key, entries[key])), key=lambda key: entries[key]["due"])[
                :-_MAX_ENTRIES
            ]:
                del entries[oldest]
            return True

        self._store.change(add_miss)

    def record_solved(self, position: str, day: date | None = None) -> None:
        """Record that the user solved an endgame on a given day.

        The endgame is due again after the usual interval, until the user knows it. If it was not due, or not missed, nothing changes.
        """
        name, today = require_endgame_position(position), resolve_day(day)

        def add_solution(entries: dict[str, Entry]) -> bool:
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

        self._store.change(add_solution)

    def reload(self) -> None:
        """Read the file of missed endgames again, because another notebook may have changed it."""
        self._store.read()


def remember_missed_endgame(position: str, day: date | None = None) -> bool:
    """Add a missed endgame to the user's file; return False if the file can't store it.

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
    """Return whether a position is a two-player endgame that can be set up without old moves.

    >>> is_self_contained(Game.from_position_line("9s Ac | Qs 9c Kd; trump c")), is_self_contained(Game.from_position_line("no_trumps: 9s Ac | Qs 9c Kd"))
    (True, False)
    """
    facts = {fact.partition(" ")[0] for fact in game.position.split("; ")[1:]}
    return facts <= ENDGAME_FACTS | _HISTORY_FACTS and game.actor is not None and game.seats == 2 and game.trump is not None


def resolve_day(day: object) -> date:
    """Return the given date; return today if it is None."""
    if day is None:
        return date.today()  # noqa: DTZ011 - the day as it is where somebody plays
    if not isinstance(day, date):
        raise DurakError(f"a day must be a datetime.date, such as date(2026, 3, 1), not {short_repr(day)}")
    return max(EARLIEST_DATE, date(day.year, day.month, day.day))


def require_endgame_position(position: object) -> str:
    """Return the text of a position; raise an error unless it is a two-player endgame."""
    try:
        game = Game.from_position_line(position) if isinstance(position, str) else None
    except PositionError as error:
        raise DurakError(f"an ending must be given by its position, as in game.position: {error}") from None
    if game is None or not isinstance(position, str):
        raise DurakError(f"an ending must be given by its position, as in game.position, not {short_repr(position)}")
    if game.talon or len(game.seats_in) != 2 or game.actor is None or len(position) > _MAX_POSITION_LENGTH:
        raise DurakError("this is not an ending: an ending has two players, no talon, and a player who must move")
    return position


def _is_valid_entry(name: str, entry: object) -> bool:
    """Return whether an entry in the file of missed endgames is valid."""
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
