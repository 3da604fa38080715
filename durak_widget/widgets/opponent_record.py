"""Who of the opponents has been beaten, remembered as progress is: in a small file of one's own, and nothing is sent."""

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
"""So many games against an opponent count, the latest."""
ENOUGH: Final = 2
"""So many of them are to be won."""
_WON, _LOST = "w", "l"
_MOST: Final = 10**9
_DEALS: Final = 40
"""So many deals are remembered that have counted."""
_LONGEST: Final = 64


class Rivals:
    """What came of the games against each opponent. Who was beaten two times of three stays beaten, and leads on to the next.

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
        """Whether a game against that opponent with that deal has counted before."""
        return deal in self._store.entries.get(key, {}).get("deals", [])

    def note(self, key: str, *, won: bool, deal: str = "") -> bool:
        """Remember a game, and by which deal it was played; whether that opponent is beaten by it for the first time."""
        beaten = False

        def count(entries: dict[str, Entry]) -> bool:
            nonlocal beaten
            one = entries.get(key, {"last": "", "won": 0, "lost": 0, "beaten": False})
            if not _is_sound(key, one):
                return False  # of another version, or damaged: it is left as it is
            if deal:
                one = {**one, "deals": [*one.get("deals", []), deal][-_DEALS:]}
            last = (one["last"] + (_WON if won else _LOST))[-OF_LAST:]
            enough = last.count(_WON) >= ENOUGH
            beaten = enough and not one["beaten"]
            result = "won" if won else "lost"
            entries[key] = {**one, "last": last, result: min(one[result] + 1, _MOST), "beaten": one["beaten"] or enough}
            return True

        self._store.change(count)
        return beaten

    @property
    def beaten(self) -> tuple[str, ...]:
        """Who has been beaten, from the weakest to the strongest."""
        return tuple(key for key in PEOPLE if self._store.entries.get(key, {}).get("beaten"))

    @property
    def met(self) -> bool:
        """Whether anybody has been played at all."""
        return bool(self._store.entries)

    @property
    def next(self) -> str | None:
        """The weakest who is stronger than all who have been beaten; None when nobody is: it never goes down again."""
        people = list(PEOPLE)
        first = people.index(self.beaten[-1]) + 1 if self.beaten else 0
        return people[first] if first < len(people) else None

    @property
    def level(self) -> int:
        """At which of the opponents one is, from 1."""
        return len(PEOPLE) if self.next is None else list(PEOPLE).index(self.next) + 1

    def wanting(self, key: str) -> int:
        """How many more games are to be won, one after another, till that opponent is beaten; 0 for one who is."""
        one = self._store.entries.get(key, {"last": "", "beaten": False})
        if one["beaten"]:
            return 0
        return max(ENOUGH - str(one["last"])[1 - OF_LAST :].count(_WON), 1)


class Sayings:
    """What each opponent has said lately, so that they do not say the same twice running: in a small file of its own.

    >>> from tempfile import mkdtemp
    >>> heard = Sayings(Path(mkdtemp()) / "sayings.json")
    >>> heard.note("aunt", "people.aunt.won"); heard.note("aunt", "people.aunt.worth"); heard.of("aunt"), heard.of("uncle")
    (('people.aunt.won', 'people.aunt.worth'), ())
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        self._store = Store(Path(path_of(path)) if path is not None else home() / "sayings.json", _is_heard)
        self._store.read()

    def of(self, key: str) -> tuple[str, ...]:
        """What that opponent has said, the latest last."""
        return tuple(self._store.entries.get(key, {}).get("said", ()))

    def note(self, key: str, said: str) -> None:
        """Remember that this was said; what was said long ago is forgotten."""

        def add(entries: dict[str, Entry]) -> bool:
            one = entries.get(key, {"said": []})
            if not _is_heard(key, one):
                return False  # of another version, or damaged: it is left as it is
            entries[key] = {**one, "said": [*(before for before in one["said"] if before != said), said][-_DEALS:]}
            return True

        self._store.change(add)


def _is_heard(name: str, one: object) -> bool:
    """Whether an entry of that file can be read."""
    said = one.get("said") if isinstance(one, dict) and name in PEOPLE else None
    return isinstance(said, list) and len(said) <= _DEALS and all(isinstance(what, str) and len(what) <= _LONGEST for what in said)


def _is_sound(name: str, one: object) -> bool:
    """Whether an entry of the file can be read."""
    if not isinstance(one, dict) or name not in PEOPLE:
        return False
    last, counts = one.get("last"), (one.get("won"), one.get("lost"))
    deals = one.get("deals", [])
    if not isinstance(deals, list) or len(deals) > _DEALS or not all(isinstance(deal, str) and len(deal) <= _LONGEST for deal in deals):
        return False
    sound = isinstance(last, str) and len(last) <= OF_LAST and set(last) <= {_WON, _LOST} and type(one.get("beaten")) is bool
    return sound and all(type(count) is int and 0 <= count <= _MOST for count in counts)


def rivals_here() -> Rivals | None:
    """What is remembered here; None where nothing can be: a table is no worse for it."""
    try:
        return Rivals()
    except DurakError:
        return None


def now() -> str:
    """The opponent whom one has come to: the weakest who is stronger than all who have been beaten, or the strongest of all.

    >>> now() in PEOPLE
    True
    """
    known = rivals_here()
    return (known.next if known else next(iter(PEOPLE))) or list(PEOPLE)[-1]
