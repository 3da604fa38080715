"""The SQLite file of a tournament, in which every game is stored as soon as it is played.

The file is intact whenever the program stops, and the tournament can go on from there. Two processes can play one tournament into one
file: the games follow from the tournament alone, so if both bring the same game, the first is kept.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import stat
import sys
from contextlib import contextmanager
from functools import lru_cache
from math import isfinite
from pathlib import Path
from tempfile import gettempdir
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import finalize

from durak_widget.arena.bot_entrants import is_same_bot
from durak_widget.atomic_files import path_of, read_json
from durak_widget.errors import DurakError, quoted
from durak_widget.i18n import Fact, Voice
from durak_widget.sandbox.audit_hooks import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    from durak_widget.arena.duplicate_games import Sat
    from durak_widget.arena.schedule import Meeting

VERSION: Final = 1
_OURS: Final = 0x4475724B
"""The application id in the header, which marks a file as a tournament."""
_WAIT: Final = 60.0
"""The time in seconds to wait while another process writes."""
# Earlier versions stored each side's luck with the cards in `luck`. It is still read, so that their files give the same ratings. It is NULL now.
_TABLES: Final = """
CREATE TABLE about (key TEXT PRIMARY KEY, said TEXT NOT NULL);
CREATE TABLE meetings (number INTEGER PRIMARY KEY, who TEXT NOT NULL, deal TEXT NOT NULL, missing TEXT NOT NULL);
CREATE TABLE games (
    meeting INTEGER NOT NULL REFERENCES meetings, place INTEGER NOT NULL, sides TEXT NOT NULL, part INTEGER NOT NULL,
    points TEXT NOT NULL, luck TEXT, forfeit INTEGER, fact TEXT, position TEXT, game TEXT NOT NULL,
    PRIMARY KEY (meeting, place)
);
"""


_ATTEMPTS: Final = "attempts"
"""The key of `about` for what bots tried and the sandbox refused. Earlier versions ignore it."""
_DRIVE: Final = "/drive"
"""The folder of JupyterLite's files."""
_WRONG: Final = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""The errors from reading a file that is not what a tournament writes."""
_LUCK: Final = 100.0
"""The most luck, in wins, that cards can bring."""


class KeptFileError(DurakError, ValueError):
    """A file is not a tournament, holds another one, or can't be written.

    >>> ArenaFile(__file__)
    Traceback (most recent call last):
    durak_widget.arena.tournament_file.KeptFileError: 'tournament_file.py' holds no tournament: it is another kind of file
    """


class GameLine(NamedTuple):
    """A game in the file, without its text."""

    meeting: int
    place: int
    sides: tuple[int, ...]
    part: int
    points: tuple[float, ...]
    luck: tuple[float, ...] | None
    forfeit: int | None
    """The side that could not play on."""


def lines_of(meeting: Meeting, sat: Sat) -> list[GameLine]:
    """Return the games of a meeting as the file stores them."""
    return [
        GameLine(meeting.number, index, game.sides, game.part, game.points, None, None if game.forfeit is None else game.forfeit.side)
        for index, game in enumerate(sat.games)
    ]


class ArenaFile:
    """The file of a tournament, or the same in memory.

    >>> kept = ArenaFile()
    >>> kept.begin({"seed": 1}), kept.about, kept.has(0)
    (None, {'seed': 1}, False)
    """

    def __init__(self, path: str | PathLike[str] | None = None, *, there: bool = False) -> None:
        """Open or create the file; with `there` it has to exist."""
        self.path = None if path is None else path_of(path)
        self._lock = RLock()
        self.name = "memory" if self.path is None else Path(self.path).name
        if self.path is not None and not self.name:
            raise KeptFileError(f"{quoted(self.path)} names no file; say one such as 'class.sqlite'")
        if there and not Path(self.path or "").is_file():
            raise KeptFileError(f"there is no file {quoted(self.path)}; arena.play(…, file={quoted(self.path)}) makes one")
        if self.path is not None and sys.platform == "emscripten" and Path(self.path).absolute().is_relative_to(_DRIVE):
            raise KeptFileError(
                f"{quoted(self.name)} cannot be kept here: the drive of a notebook in a browser takes no file that grows piece by piece; "
                f"leave file= out, or say file={quoted(str(Path(gettempdir(), self.name)))}, which lasts as long as this kernel"
            )
        try:
            location = ":memory:" if self.path is None else Path(self.path).absolute()  # absolute, since a file could be named ":memory:"
            self._base = sqlite3.connect(location, timeout=_WAIT, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise self._no_file(error) from None
        self._closes = finalize(self, self._base.close)  # also if the caller never closes it
        try:
            self._check(there=there)
            self._has = self._numbers()
        except sqlite3.Error as error:
            raise self._no_file(error) from None

    def _check(self, *, there: bool) -> None:
        """Refuse a file that is not a tournament of a known version; set up an empty file.

        With `there` an empty file is refused, too.
        """
        application_id, version = self._head()
        if not application_id and not there:
            self._base.execute("BEGIN IMMEDIATE")  # another process may be setting it up
            application_id, version = self._head()
            if not application_id and not self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                for statement in (*_TABLES.split(";"), f"PRAGMA application_id = {_OURS}", f"PRAGMA user_version = {VERSION}"):
                    self._base.execute(statement)
                application_id, version = _OURS, VERSION
            self._base.execute("COMMIT")
        if application_id != _OURS:
            raise KeptFileError(f"{quoted(self.name)} holds no tournament: it is another kind of file")
        if version != VERSION:
            raise KeptFileError(
                f"{quoted(self.name)} is a tournament in form {version}, and form {VERSION} is known here; take the version of durak_widget that wrote it"
            )
        with self._reading():
            tables = self._tables(self._base)
        if tables != _known_tables():  # other tables or views, such as an endless one, are not ours
            raise KeptFileError(f"{quoted(self.name)} is damaged: its tables are not those of a tournament; take a copy that is whole")

    @staticmethod
    def _tables(base: sqlite3.Connection) -> list[Any]:
        return base.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()

    def _head(self) -> tuple[int, int]:
        """Return the application id and the version in the header."""
        application_id, version = (self._base.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in ("application_id", "user_version"))
        return int(application_id), int(version)

    def _no_file(self, error: sqlite3.Error) -> KeptFileError:
        if isinstance(error, sqlite3.DatabaseError) and "not a database" in str(error):
            return KeptFileError(f"{quoted(self.name)} holds no tournament: it is another kind of file")
        return KeptFileError(
            f"{quoted(self.path or self.name)} cannot be used: {error}; name a file in a folder that is there and may be written to"
        )

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn errors while reading into `KeptFileError`."""
        try:
            with self._lock:
                yield
        except KeptFileError:
            raise
        except sqlite3.Error as error:
            hint = "try again when nobody else writes to it" if "locked" in str(error) else "take a copy that is whole"
            raise KeptFileError(f"{quoted(self.path or self.name)} cannot be read: {error}; {hint}") from None
        except _WRONG:
            raise KeptFileError(f"{quoted(self.name)} is damaged: it says what no tournament does; take a copy that is whole") from None

    # The tournament

    @property
    def attempts(self) -> dict[str, tuple[str, ...]]:
        """Return what each bot tried and the sandbox refused, as far as noticed."""
        stored = self.about.get(_ATTEMPTS, {})
        kinds_by_name = stored if isinstance(stored, dict) else {}
        return {
            name: tuple(kind for kind in KINDS if kind in kinds)
            for name, kinds in kinds_by_name.items()
            if isinstance(kinds, list) and any(kind in kinds for kind in KINDS)
        }

    @property
    def about(self) -> dict[str, Any]:
        """Return the data of the tournament; empty if none has begun."""
        with self._reading():
            return {key: read_json(value) for key, value in self._base.execute("SELECT key, said FROM about")}

    def require_present_deals(self) -> dict[str, Any]:
        """Return the data of the tournament; refuse one whose deals were made in an old way."""
        about = self.about
        if about and "deals" not in about:
            raise KeptFileError(
                f"{quoted(self.name)} was begun by an earlier version of durak_widget, which dealt the cards in another way. "
                f"arena.load({quoted(self.name)}) shows its games. To play on, name another file"
            )
        return about

    def begin(self, about: Mapping[str, Any], *, may_grow: str = "") -> None:
        """Store the data of the tournament; refuse another one, except that `may_grow` may grow."""
        values: dict[str, Any] = json.loads(json.dumps(dict(about)))
        with self._writing():
            stored = self.about
            for key, value in values.items() if stored else ():
                if key == may_grow and stored.get(key, 0) <= value:
                    self._base.execute("UPDATE about SET said = ? WHERE key = ?", (json.dumps(value), key))
                elif key != may_grow and not _is_same(
                    key, stored.get(key), value
                ):  # the order of the names matters, since it numbers the bots
                    raise KeptFileError(
                        f"{quoted(self.name)} holds another tournament: there {key} is {quoted(stored.get(key), 200)}, and not {quoted(value, 200)}; "
                        "name another file, or say the same as then"
                    )
            for key, value in () if stored else values.items():
                self._base.execute("INSERT INTO about VALUES (?, ?)", (key, json.dumps(value)))

    # The games

    def check(self, names: int, sides: int) -> None:
        """Refuse games that don't match the number of names and sides.

        The file may come from anybody.
        """
        for line in self.lines():
            if len(line.sides) != sides or max(line.sides) >= names:
                raise KeptFileError(
                    f"{quoted(self.name)} is damaged: game {line.meeting} is none of this tournament; take a copy that is whole"
                )

    def _numbers(self) -> set[int]:
        """Return the numbers of the stored meetings, read from the file."""
        with self._lock:
            return {number for (number,) in self._base.execute("SELECT number FROM meetings")}

    def numbers(self) -> list[int]:
        """Return the numbers of the stored meetings, in order."""
        return sorted(self._has)

    def count_below(self, number: int) -> int:
        """Return the number of stored meetings before this one."""
        return sum(stored < number for stored in self._has)

    def has(self, number: int) -> bool:
        """Return whether a meeting is stored, whichever process stored it."""
        if number not in self._has:
            with self._reading():
                row = self._base.execute("SELECT 1 FROM meetings WHERE number = ?", (number,)).fetchone()
            if row is None:
                return False
            self._has.add(number)
        return True

    def keep(self, meeting: Meeting, sat: Sat, names: Sequence[str] = ()) -> None:
        """Store a meeting, all of it or nothing; `names` are those of all bots."""
        with self._writing():
            self._note_attempts({(names[bot], kind) for bot, kind in sat.attempts if bot < len(names)})
            values = (meeting.number, json.dumps(meeting.who), meeting.deal, json.dumps(sorted(sat.missing)))
            if self._base.execute("INSERT OR IGNORE INTO meetings VALUES (?, ?, ?, ?)", values).rowcount == 1:
                self._base.executemany(
                    "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        (
                            *(meeting.number, index, json.dumps(game.sides), game.part, json.dumps(game.points)),
                            None,
                            *(
                                (None, None, None)
                                if game.forfeit is None
                                else (
                                    game.forfeit.side,
                                    json.dumps([game.forfeit.fact.key, game.forfeit.fact.facts]),
                                    game.forfeit.position,
                                )
                            ),
                            game.text,
                        )
                        for index, game in enumerate(sat.games)
                    ],
                )
        self._has.add(meeting.number)

    def _note_attempts(self, new: set[tuple[str, str]]) -> None:
        """Add to what bots tried."""
        known = {(name, kind) for name, kinds in self.attempts.items() for kind in kinds} if new else new
        if not new <= known:
            all_attempts = sorted(new | known)
            kinds_by_name = {name: [kind for other, kind in all_attempts if other == name] for name, _ in all_attempts}
            self._base.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (_ATTEMPTS, json.dumps(kinds_by_name)))

    def lines(self) -> list[GameLine]:
        """Return all games, in the order of the schedule."""
        with self._reading():
            rows = self._base.execute(
                "SELECT meeting, place, sides, part, points, luck, forfeit FROM games ORDER BY meeting, place"
            ).fetchall()
            parse_entrants, parse_points = lru_cache(maxsize=1000)(_seats_of), lru_cache(maxsize=1000)(_shares_of)  # the same in many games
            return [
                _line(meeting, game_index, parse_entrants(sides), part, parse_points(points), luck, forfeit)
                for meeting, game_index, sides, part, points, luck, forfeit in rows
            ]

    def text(self, meeting: int, place: int) -> str:
        """Return the text of a game."""
        with self._reading():
            (text,) = self._base.execute("SELECT game FROM games WHERE meeting = ? AND place = ?", (meeting, place)).fetchone()
        return str(text)

    def why(self, meeting: int, place: int) -> tuple[Fact, str]:
        """Return the reason of a forfeit, and the position then."""
        with self._reading():
            fact, position = self._base.execute(
                "SELECT fact, position FROM games WHERE meeting = ? AND place = ?", (meeting, place)
            ).fetchone()
            key, facts = read_json(fact)
            if not all(isinstance(value, (str, int, float)) for value in facts.values()):
                raise TypeError
            Voice().say(key, **facts)  # raises if there is no such sentence
            return Fact(key, facts), str(position)

    def missing(self) -> frozenset[str]:
        """Return the sandbox layers that were missing when code ran."""
        with self._reading():
            return frozenset(
                str(layer) for (stored,) in self._base.execute("SELECT DISTINCT missing FROM meetings") for layer in read_json(stored)
            )

    def copy_to(self, path: str | PathLike[str]) -> None:
        """Copy the file, whole or not at all; only a plain file is replaced.

        Nothing happens if `path` is this file.
        """
        target = path_of(path)
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISREG(os.lstat(target).st_mode):
                raise KeptFileError(f"{quoted(str(path))} is a link, a device or a folder, and stays as it is; name a plain file")
        if self.path is not None and Path(target).exists() and Path(target).samefile(self.path):
            return
        temporary = f"{target}.part"
        try:
            Path(temporary).unlink(missing_ok=True)
            copy = sqlite3.connect(temporary)
            try:
                with self._lock:
                    self._base.backup(copy)
            finally:
                copy.close()
            Path(temporary).replace(target)
        except (sqlite3.Error, OSError) as error:
            Path(temporary).unlink(missing_ok=True)
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise KeptFileError(f"nothing could be kept in {quoted(str(path))}: {reason}; name another place") from None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Run the block as one transaction: all of it is stored, or nothing."""
        with self._lock:
            try:
                self._base.execute("BEGIN IMMEDIATE")
                yield
                self._base.execute("COMMIT")
            except sqlite3.Error as error:
                raise KeptFileError(
                    f"nothing more can be kept in {quoted(self.path or self.name)}: {error}; "
                    "what is in it stays, and goes on from there when the same is said again"
                ) from None
            finally:
                if self._base.in_transaction:  # a full disk has ended the transaction already
                    self._base.execute("ROLLBACK")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._closes()


def _is_same(key: str, kept: Any, said: Any) -> bool:  # noqa: ANN401 - whatever the file says
    """Return whether a file and a call say the same of a tournament."""
    if key == "bots" and isinstance(kept, dict) and list(kept) == list(said):
        return all(is_same_bot(str(kept[name]), said[name]) for name in said)
    return json.dumps(kept) == json.dumps(said)


@lru_cache(maxsize=1)
def _known_tables() -> list[Any]:
    """Return the tables that a tournament file has."""
    base = sqlite3.connect(":memory:")
    try:
        for statement in _TABLES.split(";"):
            base.execute(statement)
        return ArenaFile._tables(base)
    finally:
        base.close()


def _seats_of(text: str) -> tuple[int, ...]:
    """Return entrant numbers from JSON; refuse what a tournament doesn't write."""
    numbers = read_json(text)
    if type(numbers) is not list or not numbers or not all(type(number) is int and number >= 0 for number in numbers):
        raise ValueError
    return tuple(numbers)


def _shares_of(text: str, low: float = 0.0, high: float = 1.0) -> tuple[float, ...]:
    """Return the numbers of all sides from JSON; refuse what a tournament doesn't write."""
    shares = read_json(text)
    if type(shares) is not list or not all(type(share) in (int, float) and isfinite(share) and low <= share <= high for share in shares):
        raise ValueError
    return tuple(shares)


def _line(meeting: Any, place: Any, who: tuple[int, ...], part: Any, got: tuple[float, ...], luck: Any, lost: Any) -> GameLine:  # noqa: ANN401 - whatever stands there
    """Return a game from a row of the file; refuse what a tournament doesn't write."""
    luck_shares = None if luck is None else _shares_of(luck, -_LUCK, _LUCK)
    is_valid = all(type(number) is int and number >= 0 for number in (meeting, place, part, 0 if lost is None else lost))
    if (
        not is_valid
        or any(len(shares) != len(who) for shares in (got, luck_shares) if shares is not None)
        or (lost is not None and lost >= len(who))
    ):
        raise ValueError
    return GameLine(meeting, place, who, part, got, luck_shares, lost)
