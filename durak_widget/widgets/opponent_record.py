"""Records the results of games against the named opponents, and the remarks they made.

Both are small files of the user's, and nothing is sent.
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
"""The number of latest games against an opponent that decide whether the opponent is beaten."""
WINS_TO_BEAT: Final = 2
"""The number of the latest games that must be won in order to beat an opponent."""
_WON, _LOST = "w", "l"
_MAX_COUNT: Final = 10**9
_MAX_LIST_LENGTH: Final = 40
"""The largest number of deals, or of remarks, that are stored for an opponent."""
_MAX_TEXT_LENGTH: Final = 64


class OpponentRecord:
    """A record of the user's results against each named opponent.

    An opponent that was beaten in two games of three stays beaten, and the next one follows.

    >>> from tempfile import mkdtemp
    >>> rivals = OpponentRecord(Path(mkdtemp()) / "opponents.json")
    >>> rivals.record_game("nephew", won=True), rivals.record_game("nephew", won=False), rivals.record_game("nephew", won=True)
    (False, False, True)
    >>> rivals.beaten_opponents, rivals.next_opponent, rivals.level
    (('nephew',), 'uncle', 2)
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        self.path = Path(require_path(path)) if path is not None else get_data_folder() / "opponents.json"
        self._store = JsonStore(self.path, _is_valid_entry, {"last": "recent_results"})
        self._store.read()

    def has_counted(self, key: str, deal: str) -> bool:
        """Return whether a game with a given deal against an opponent has already been counted."""
        return deal in self._store.entries.get(key, {}).get("deals", [])

    def record_game(self, key: str, *, won: bool, deal: str = "") -> bool:
        """Record a game and its deal; return whether it beats the opponent for the first time."""
        beaten = False

        def count(entries: dict[str, Entry]) -> bool:
            nonlocal beaten
            entry = entries.get(key, {"recent_results": "", "won": 0, "lost": 0, "beaten": False})
            if not _is_valid_entry(key, entry):
                return False  # Keep an entry that is damaged or from another version unchanged
            if deal:
                entry = {**entry, "deals": [*entry.get("deals", []), deal][-_MAX_LIST_LENGTH:]}
            recent_results = (entry["recent_results"] + (_WON if won else _LOST))[-COUNTED_GAMES:]
            is_beaten = recent_results.count(_WON) >= WINS_TO_BEAT
            beaten = is_beaten and not entry["beaten"]
            result = "won" if won else "lost"
            entries[key] = {
                **entry,
                "recent_results": recent_results,
                result: min(entry[result] + 1, _MAX_COUNT),
                "beaten": entry["beaten"] or is_beaten,
            }
            return True

        self._store.change(count)
        return beaten

    @property
    def beaten_opponents(self) -> tuple[str, ...]:
        """Return the opponents that have been beaten, from the weakest to the strongest."""
        return tuple(key for key in OPPONENT_BOTS if self._store.entries.get(key, {}).get("beaten"))

    @property
    def has_games(self) -> bool:
        """Return whether any game against an opponent has been recorded."""
        return bool(self._store.entries)

    @property
    def next_opponent(self) -> str | None:
        """Return the weakest opponent stronger than all those beaten, or None."""
        people = list(OPPONENT_BOTS)
        first = people.index(self.beaten_opponents[-1]) + 1 if self.beaten_opponents else 0
        return people[first] if first < len(people) else None

    @property
    def level(self) -> int:
        """Return the number, from 1, of the opponent that the user should play next."""
        return len(OPPONENT_BOTS) if self.next_opponent is None else list(OPPONENT_BOTS).index(self.next_opponent) + 1

    def count_wins_needed(self, key: str) -> int:
        """Return how many games in a row still have to be won to beat an opponent (0: beaten)."""
        entry = self._store.entries.get(key, {"recent_results": "", "beaten": False})
        if entry["beaten"]:
            return 0
        return max(WINS_TO_BEAT - str(entry["recent_results"])[1 - COUNTED_GAMES :].count(_WON), 1)


class RemarkHistory:
    """The latest remarks of each opponent, stored in a file so that remarks aren't repeated.

    >>> from tempfile import mkdtemp
    >>> heard = RemarkHistory(Path(mkdtemp()) / "sayings.json")
    >>> heard.record_remark("aunt", "people.aunt.won"); heard.record_remark("aunt", "people.aunt.worth"); heard.get_recent("aunt"), heard.get_recent("uncle")
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
        """Return the remarks stored for an opponent, the latest last."""
        return tuple(self._store.entries.get(key, {}).get("remarks", ()))

    def record_remark(self, key: str, remark: str) -> None:
        """Record a remark that an opponent made, and drop the opponent's oldest remarks."""

        def add(entries: dict[str, Entry]) -> bool:
            entry = entries.get(key, {"remarks": []})
            if not _is_valid_remark_entry(key, entry):
                return False  # Keep an entry that is damaged or from another version unchanged
            entries[key] = {
                **entry,
                "remarks": [*(earlier for earlier in entry["remarks"] if earlier != remark), remark][-_MAX_LIST_LENGTH:],
            }
            return True

        self._store.change(add)


def _is_valid_remark_entry(name: str, entry: object) -> bool:
    """Return whether an entry in the file of opponents' remarks is valid."""
    remarks = entry.get("remarks") if isinstance(entry, dict) and name in OPPONENT_BOTS else None
    return (
        isinstance(remarks, list)
        and len(remarks) <= _MAX_LIST_LENGTH
        and all(isinstance(remark, str) and len(remark) <= _MAX_TEXT_LENGTH for remark in remarks)
    )


def _is_valid_entry(name: str, entry: object) -> bool:
    """Return whether an entry in the file of results against opponents is valid."""
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
    """Return the user's record against the opponents, or None if no file can be stored."""
    try:
        return OpponentRecord()
    except DurakError:
        return None


def find_current_opponent() -> str:
    """Return the opponent that the user should play next, or the strongest if all are beaten.

    >>> find_current_opponent() in OPPONENT_BOTS
    True
    """
    record = load_opponent_record()
    return (record.next_opponent if record else next(iter(OPPONENT_BOTS))) or list(OPPONENT_BOTS)[-1]
