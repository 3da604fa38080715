"""Stores the user's results against named opponents, and the opponents' latest remarks.

The module stores both in small files of the user, and sends nothing over the network.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import require_path
from durak_widget.bots.bot import OPPONENT_BOTS
from durak_widget.errors import DurakError
from durak_widget.json_store import JsonStore, get_data_folder

if TYPE_CHECKING:
    from os import PathLike

    from durak_widget.json_store import Entry

COUNTED_GAMES: Final = 3
"""How many of the latest games against an opponent decide whether the opponent is beaten."""
WINS_TO_BEAT: Final = 2
"""How many of the last `COUNTED_GAMES` games the user must win to beat an opponent."""
_WON, _LOST = "w", "l"
_MAX_COUNT: Final = 10**9
_MAX_LIST_LENGTH: Final = 40
"""The maximum number of deals, and of remarks, that the user's files store for each opponent."""
_MAX_TEXT_LENGTH: Final = 64


class OpponentRecord:
    """The file of the user's results against each named opponent.

    The user beats an opponent by winning two of three games in a row. A beaten opponent stays beaten, and the next opponent follows.

    >>> from tempfile import mkdtemp
    >>> record = OpponentRecord(Path(mkdtemp()) / "opponents.json")
    >>> record.record_game("nephew", won=True), record.record_game("nephew", won=False), record.record_game("nephew", won=True)
    (False, False, True)
    >>> record.beaten_opponents, record.next_opponent, record.level
    (('nephew',), 'uncle', 2)
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        self.path = Path(require_path(path)) if path is not None else get_data_folder() / "opponents.json"
        self._store = JsonStore(self.path, _is_valid_entry, {"last": "recent_results"})
        self._store.read()

    def has_counted(self, key: str, deal: str) -> bool:
        """Return whether an earlier game of the same deal and opponent was already counted."""
        return deal in self._store.entries.get(key, {}).get("deals", [])

    def record_game(self, key: str, *, won: bool, deal: str = "") -> bool:
        """Record the result of a game; return whether the user has just beaten the opponent.

        The result is True only the first time.
        """
        is_newly_beaten = False

        def add_game(entries: dict[str, Entry]) -> bool:
            nonlocal is_newly_beaten
            entry = entries.get(key, {"recent_results": "", "won": 0, "lost": 0, "beaten": False})
            if not _is_valid_entry(key, entry):
                return False  # This entry is damaged or from another version of the package, so it must not change.
            if deal:
                entry = {**entry, "deals": [*entry.get("deals", []), deal][-_MAX_LIST_LENGTH:]}
            recent_results = (entry["recent_results"] + (_WON if won else _LOST))[-COUNTED_GAMES:]
            is_beaten = recent_results.count(_WON) >= WINS_TO_BEAT
            is_newly_beaten = is_beaten and not entry["beaten"]
            result = "won" if won else "lost"
            entries[key] = {
                **entry,
                "recent_results": recent_results,
                result: min(entry[result] + 1, _MAX_COUNT),
                "beaten": entry["beaten"] or is_beaten,
            }
            return True

        self._store.change(add_game)
        return is_newly_beaten

    @property
    def beaten_opponents(self) -> tuple[str, ...]:
        """Return the keys of the opponents that the user has beaten, the weakest first."""
        return tuple(key for key in OPPONENT_BOTS if self._store.entries.get(key, {}).get("beaten"))

    @property
    def has_games(self) -> bool:
        """Return whether this record contains at least one game."""
        return bool(self._store.entries)

    @property
    def has_wins(self) -> bool:
        """Return whether the user has won at least one game that counted."""
        return any(entry["won"] for entry in self._store.entries.values())

    @property
    def next_opponent(self) -> str | None:
        """Return the opponent to play next, or None if the strongest opponent is beaten."""
        people = list(OPPONENT_BOTS)
        first = people.index(self.beaten_opponents[-1]) + 1 if self.beaten_opponents else 0
        return people[first] if first < len(people) else None

    @property
    def level(self) -> int:
        """Return the number of the opponent to play next; the weakest opponent has number 1."""
        return len(OPPONENT_BOTS) if self.next_opponent is None else list(OPPONENT_BOTS).index(self.next_opponent) + 1

    def count_wins_needed(self, key: str) -> int:
        """Return how many wins in a row, from now on, the user needs to beat an opponent.

        The result is 0 if the opponent is already beaten.
        """
        entry = self._store.entries.get(key, {"recent_results": "", "beaten": False})
        if entry["beaten"]:
            return 0
        return max(WINS_TO_BEAT - str(entry["recent_results"])[1 - COUNTED_GAMES :].count(_WON), 1)


class RemarkHistory:
    """The file with the latest remarks of each opponent, to avoid repeating remarks soon.

    >>> from tempfile import mkdtemp
    >>> history = RemarkHistory(Path(mkdtemp()) / "sayings.json")
    >>> history.record_remark("aunt", "people.aunt.won"); history.record_remark("aunt", "people.aunt.worth")
    >>> history.get_recent("aunt"), history.get_recent("uncle")
    (('people.aunt.won', 'people.aunt.worth'), ())
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        self._store = JsonStore(
            Path(require_path(path)) if path is not None else get_data_folder() / "sayings.json",
            _is_valid_remark_entry,
            {"said": "remarks"},
        )
        self._store.read()

    def get_recent(self, key: str) -> tuple[str, ...]:
        """Return the stored remarks of an opponent, the oldest first."""
        return tuple(self._store.entries.get(key, {}).get("remarks", ()))

    def record_remark(self, key: str, remark: str) -> None:
        """Store a remark of an opponent; if there are too many, delete the oldest one."""

        def add_to_entries(entries: dict[str, Entry]) -> bool:
            entry = entries.get(key, {"remarks": []})
            if not _is_valid_remark_entry(key, entry):
                return False  # This entry is damaged or from another version of the package, so it must not change.
            entries[key] = {
                **entry,
                "remarks": [*(earlier for earlier in entry["remarks"] if earlier != remark), remark][-_MAX_LIST_LENGTH:],
            }
            return True

        self._store.change(add_to_entries)


def _is_valid_remark_entry(name: str, entry: object) -> bool:
    """Return whether an entry in the file of remarks is valid."""
    remarks = entry.get("remarks") if isinstance(entry, dict) and name in OPPONENT_BOTS else None
    return (
        isinstance(remarks, list)
        and len(remarks) <= _MAX_LIST_LENGTH
        and all(isinstance(remark, str) and len(remark) <= _MAX_TEXT_LENGTH for remark in remarks)
    )


def _is_valid_entry(name: str, entry: object) -> bool:
    """Return whether an entry in the file of results is valid."""
    if not isinstance(entry, dict) or name not in OPPONENT_BOTS:
        return False
    results, counts = entry.get("recent_results"), (entry.get("won"), entry.get("lost"))
    deals = entry.get("deals", [])
    if (
        not isinstance(deals, list)
        or len(deals) > _MAX_LIST_LENGTH
        or not all(isinstance(deal, str) and len(deal) <= _MAX_TEXT_LENGTH for deal in deals)
    ):
        return False
    is_valid = (
        isinstance(results, str) and len(results) <= COUNTED_GAMES and set(results) <= {_WON, _LOST} and type(entry.get("beaten")) is bool
    )
    return is_valid and all(type(count) is int and 0 <= count <= _MAX_COUNT for count in counts)


def load_opponent_record() -> OpponentRecord | None:
    """Read the file of the user's results against opponents; return None if it can't be read."""
    try:
        return OpponentRecord()
    except DurakError:
        return None


def find_current_opponent() -> str:
    """Return the opponent that the user should play next; the strongest if all are beaten.

    >>> find_current_opponent() in OPPONENT_BOTS
    True
    """
    record = load_opponent_record()
    return (record.next_opponent if record else next(iter(OPPONENT_BOTS))) or list(OPPONENT_BOTS)[-1]
