"""The record of games against the opponents, and of what these have said.

Both are small files of the user's, and nothing is sent.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import path_of
from durak_widget.bots.bot import PEOPLE
from durak_widget.errors import DurakError
from durak_widget.json_store import Store, home

if TYPE_CHECKING:
    from os import PathLike

    from durak_widget.json_store import Entry

OF_LAST: Final = 3
"""How many of the latest games against an opponent count."""
ENOUGH: Final = 2
"""How many of these must be won to beat the opponent."""
_WON, _LOST = "w", "l"
_MOST: Final = 10**9
_DEALS: Final = 40
"""How many counted deals, or remarks, are remembered."""
_LONGEST: Final = 64


class Rivals:
    """The results against each opponent.

    An opponent that was beaten in two games of three stays beaten, and the next one follows.

    >>> from tempfile import mkdtemp
    >>> rivals = Rivals(Path(mkdtemp()) / "opponents.json")
    >>> rivals.note("nephew", won=True), rivals.note("nephew", won=False), rivals.note("nephew", won=True)
    (False, False, True)
    >>> rivals.beaten, rivals.next, rivals.level
    (('nephew',), 'uncle', 2)
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        self.path = Path(path_of(path)) if path is not None else home() / "opponents.json"
        self._store = Store(self.path, _is_sound)
        self._store.read()

    def knows(self, key: str, deal: str) -> bool:
        """Return whether a game with that deal against that opponent has counted before."""
        return deal in self._store.entries.get(key, {}).get("deals", [])

    def note(self, key: str, *, won: bool, deal: str = "") -> bool:
        """Record a game and its deal; return whether it beats that opponent for the first time."""
        beaten = False

        def count(entries: dict[str, Entry]) -> bool:
            nonlocal beaten
            entry = entries.get(key, {"last": "", "won": 0, "lost": 0, "beaten": False})
            if not _is_sound(key, entry):
                return False  # another version, or damaged: leave it
            if deal:
                entry = {**entry, "deals": [*entry.get("deals", []), deal][-_DEALS:]}
            last = (entry["last"] + (_WON if won else _LOST))[-OF_LAST:]
            is_beaten = last.count(_WON) >= ENOUGH
            beaten = is_beaten and not entry["beaten"]
            result = "won" if won else "lost"
            entries[key] = {**entry, "last": last, result: min(entry[result] + 1, _MOST), "beaten": entry["beaten"] or is_beaten}
            return True

        self._store.change(count)
        return beaten

    @property
    def beaten(self) -> tuple[str, ...]:
        """Return the opponents that have been beaten, from the weakest to the strongest."""
        return tuple(key for key in PEOPLE if self._store.entries.get(key, {}).get("beaten"))

    @property
    def met(self) -> bool:
        """Return whether any game has been recorded."""
        return bool(self._store.entries)

    @property
    def next(self) -> str | None:
        """Return the weakest opponent that is stronger than all beaten ones, or None."""
        people = list(PEOPLE)
        first = people.index(self.beaten[-1]) + 1 if self.beaten else 0
        return people[first] if first < len(people) else None

    @property
    def level(self) -> int:
        """Return the number of the opponent that the user has come to, from 1."""
        return len(PEOPLE) if self.next is None else list(PEOPLE).index(self.next) + 1

    def wanting(self, key: str) -> int:
        """Return how many games in a row must still be won to beat an opponent (0: beaten)."""
        entry = self._store.entries.get(key, {"last": "", "beaten": False})
        if entry["beaten"]:
            return 0
        return max(ENOUGH - str(entry["last"])[1 - OF_LAST :].count(_WON), 1)


class Sayings:
    """The latest remarks of each opponent, in a file, so that they don't repeat themselves.

    >>> from tempfile import mkdtemp
    >>> heard = Sayings(Path(mkdtemp()) / "sayings.json")
    >>> heard.note("aunt", "people.aunt.won"); heard.note("aunt", "people.aunt.worth"); heard.of("aunt"), heard.of("uncle")
    (('people.aunt.won', 'people.aunt.worth'), ())
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        self._store = Store(Path(path_of(path)) if path is not None else home() / "sayings.json", _is_heard)
        self._store.read()

    def of(self, key: str) -> tuple[str, ...]:
        """Return what that opponent has said, the latest last."""
        return tuple(self._store.entries.get(key, {}).get("said", ()))

    def note(self, key: str, said: str) -> None:
        """Record a remark; old ones are dropped."""

        def add(entries: dict[str, Entry]) -> bool:
            entry = entries.get(key, {"said": []})
            if not _is_heard(key, entry):
                return False  # another version, or damaged: leave it
            entries[key] = {**entry, "said": [*(earlier for earlier in entry["said"] if earlier != said), said][-_DEALS:]}
            return True

        self._store.change(add)


def _is_heard(name: str, one: object) -> bool:
    """Return whether an entry of the file of remarks can be read."""
    remarks = one.get("said") if isinstance(one, dict) and name in PEOPLE else None
    return (
        isinstance(remarks, list)
        and len(remarks) <= _DEALS
        and all(isinstance(remark, str) and len(remark) <= _LONGEST for remark in remarks)
    )


def _is_sound(name: str, one: object) -> bool:
    """Return whether an entry of the file of results can be read."""
    if not isinstance(one, dict) or name not in PEOPLE:
        return False
    last, counts = one.get("last"), (one.get("won"), one.get("lost"))
    deals = one.get("deals", [])
    if not isinstance(deals, list) or len(deals) > _DEALS or not all(isinstance(deal, str) and len(deal) <= _LONGEST for deal in deals):
        return False
    is_valid = isinstance(last, str) and len(last) <= OF_LAST and set(last) <= {_WON, _LOST} and type(one.get("beaten")) is bool
    return is_valid and all(type(count) is int and 0 <= count <= _MOST for count in counts)


def rivals_here() -> Rivals | None:
    """Return the user's record, or None where nothing can be stored."""
    try:
        return Rivals()
    except DurakError:
        return None


def now() -> str:
    """Return the opponent that the user has come to, or the strongest if all are beaten.

    >>> now() in PEOPLE
    True
    """
    record = rivals_here()
    return (record.next if record else next(iter(PEOPLE))) or list(PEOPLE)[-1]
