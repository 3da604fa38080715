"""The file of a tournament: every game as text, as it comes; whatever stops the program, what is in the file is whole, and it goes on from there.

Two that play one tournament into one file at once are both right: what is played follows from the tournament alone, and of two that bring the same the first is kept.
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
"""By this mark in its head a file is known as one of ours."""
_WAIT: Final = 60.0
"""So many seconds it is waited for somebody else who writes just then."""
# Earlier versions wrote in `luck` what the cards brought each side. It is still read, so that their files give the same ratings; now it is NULL.
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
"""Under this key of `about` stands what bots tried and were refused. Files of earlier versions have none, and earlier versions pass over it."""
_DRIVE: Final = "/drive"
"""Where the files of JupyterLite lie."""
_WRONG: Final = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What is raised where a file says something else than a tournament does."""
_LUCK: Final = 100.0
"""More than so much of a win no cards can bring."""


class KeptFileError(DurakError, ValueError):
    """A file that is no tournament's, or another's, or in which nothing can be kept.

    >>> ArenaFile(__file__)
    Traceback (most recent call last):
    durak_widget.arena.tournament_file.KeptFileError: 'tournament_file.py' holds no tournament: it is another kind of file
    """


class GameLine(NamedTuple):
    """A game as the file has it, without its text."""

    meeting: int
    place: int
    sides: tuple[int, ...]
    part: int
    points: tuple[float, ...]
    luck: tuple[float, ...] | None
    forfeit: int | None
    """The side that could not play on."""


def lines_of(meeting: Meeting, sat: Sat) -> list[GameLine]:
    """What came of a meeting, as the file has it."""
    return [
        GameLine(meeting.number, place, game.sides, game.part, game.points, None, None if game.forfeit is None else game.forfeit.side)
        for place, game in enumerate(sat.games)
    ]


class ArenaFile:
    """A tournament's file, or the same in memory.

    >>> kept = ArenaFile()
    >>> kept.begin({"seed": 1}), kept.about, kept.has(0)
    (None, {'seed': 1}, False)
    """

    def __init__(self, path: str | PathLike[str] | None = None, *, there: bool = False) -> None:
        """`there`: one that must be there already."""
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
            place = ":memory:" if self.path is None else Path(self.path).absolute()  # a file may be called so, and is one
            self._base = sqlite3.connect(place, timeout=_WAIT, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise self._no_file(error) from None
        self._closes = finalize(self, self._base.close)  # also where nobody does
        try:
            self._check(there=there)
            self._has = self._numbers()
        except sqlite3.Error as error:
            raise self._no_file(error) from None

    def _check(self, *, there: bool) -> None:
        """Whether it is a tournament's, of the form that is known here; an empty file becomes one, where none need be there."""
        mark, version = self._head()
        if not mark and not there:
            self._base.execute("BEGIN IMMEDIATE")  # somebody else may begin it just now
            mark, version = self._head()
            if not mark and not self._base.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                for statement in (*_TABLES.split(";"), f"PRAGMA application_id = {_OURS}", f"PRAGMA user_version = {VERSION}"):
                    self._base.execute(statement)
                mark, version = _OURS, VERSION
            self._base.execute("COMMIT")
        if mark != _OURS:
            raise KeptFileError(f"{quoted(self.name)} holds no tournament: it is another kind of file")
        if version != VERSION:
            raise KeptFileError(
                f"{quoted(self.name)} is a tournament in form {version}, and form {VERSION} is known here; take the version of durak_widget that wrote it"
            )
        with self._reading():
            tables = self._tables(self._base)
        if tables != _known_tables():  # what else stands there, such as a view without end, nobody here has written
            raise KeptFileError(f"{quoted(self.name)} is damaged: its tables are not those of a tournament; take a copy that is whole")

    @staticmethod
    def _tables(base: sqlite3.Connection) -> list[Any]:
        return base.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()

    def _head(self) -> tuple[int, int]:
        """Whose form it has, and which version of that."""
        mark, version = (self._base.execute(f"PRAGMA {what}").fetchone()[0] for what in ("application_id", "user_version"))
        return int(mark), int(version)

    def _no_file(self, error: sqlite3.Error) -> KeptFileError:
        if isinstance(error, sqlite3.DatabaseError) and "not a database" in str(error):
            return KeptFileError(f"{quoted(self.name)} holds no tournament: it is another kind of file")
        return KeptFileError(
            f"{quoted(self.path or self.name)} cannot be used: {error}; name a file in a folder that is there and may be written to"
        )

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """What is read in here is what a tournament has written, or it is said that it is not."""
        try:
            with self._lock:
                yield
        except KeptFileError:
            raise
        except sqlite3.Error as error:
            way = "try again when nobody else writes to it" if "locked" in str(error) else "take a copy that is whole"
            raise KeptFileError(f"{quoted(self.path or self.name)} cannot be read: {error}; {way}") from None
        except _WRONG:
            raise KeptFileError(f"{quoted(self.name)} is damaged: it says what no tournament does; take a copy that is whole") from None

    # What it says of the tournament

    @property
    def attempts(self) -> dict[str, tuple[str, ...]]:
        """What each bot tried and the sandbox refused, by its name, as far as that was noticed."""
        said = self.about.get(_ATTEMPTS, {})
        told = said if isinstance(said, dict) else {}
        return {
            name: tuple(kind for kind in KINDS if kind in kinds)
            for name, kinds in told.items()
            if isinstance(kinds, list) and any(kind in kinds for kind in KINDS)
        }

    @property
    def about(self) -> dict[str, Any]:
        """What was said when it began; nothing, where it has not."""
        with self._reading():
            return {key: read_json(said) for key, said in self._base.execute("SELECT key, said FROM about")}

    def require_present_deals(self) -> dict[str, Any]:
        """Return what the file says of its tournament; refuse to play on one whose cards were dealt in a way that is no longer used."""
        about = self.about
        if about and "deals" not in about:
            raise KeptFileError(
                f"{quoted(self.name)} was begun by an earlier version of durak_widget, which dealt the cards in another way. "
                f"arena.load({quoted(self.name)}) shows its games. To play on, name another file"
            )
        return about

    def begin(self, about: Mapping[str, Any], *, may_grow: str = "") -> None:
        """Say which tournament it is; where it is one already, it must be the same, but for what may grow."""
        plain: dict[str, Any] = json.loads(json.dumps(dict(about)))
        with self._writing():
            there = self.about
            for key, said in plain.items() if there else ():
                if key == may_grow and there.get(key, 0) <= said:
                    self._base.execute("UPDATE about SET said = ? WHERE key = ?", (json.dumps(said), key))
                elif key != may_grow and not _is_same(key, there.get(key), said):  # the order of the names numbers the bots
                    raise KeptFileError(
                        f"{quoted(self.name)} holds another tournament: there {key} is {quoted(there.get(key), 200)}, and not {quoted(said, 200)}; "
                        "name another file, or say the same as then"
                    )
            for key, said in () if there else plain.items():
                self._base.execute("INSERT INTO about VALUES (?, ?)", (key, json.dumps(said)))

    # The games

    def check(self, names: int, sides: int) -> None:
        """Whether its games are those of so many, on so many sides; whoever sent it may have written anything."""
        for line in self.lines():
            if len(line.sides) != sides or max(line.sides) >= names:
                raise KeptFileError(
                    f"{quoted(self.name)} is damaged: game {line.meeting} is none of this tournament; take a copy that is whole"
                )

    def _numbers(self) -> set[int]:
        """Of the meetings that it has."""
        with self._lock:
            return {number for (number,) in self._base.execute("SELECT number FROM meetings")}

    def numbers(self) -> list[int]:
        """Return the numbers of the meetings that it has, in order."""
        return sorted(self._has)

    def count_below(self, number: int) -> int:
        """How many meetings it has before that one."""
        return sum(one < number for one in self._has)

    def has(self, number: int) -> bool:
        """Whether that meeting is there, whoever has brought it."""
        if number not in self._has:
            with self._reading():
                found = self._base.execute("SELECT 1 FROM meetings WHERE number = ?", (number,)).fetchone()
            if found is None:
                return False
            self._has.add(number)
        return True

    def keep(self, meeting: Meeting, sat: Sat, names: Sequence[str] = ()) -> None:
        """Keep what came of a meeting: all of it, or, where something is in the way, nothing. `names` are those of all bots."""
        with self._writing():
            self._note_attempts({(names[who], kind) for who, kind in sat.attempts if who < len(names)})
            said = (meeting.number, json.dumps(meeting.who), meeting.deal, json.dumps(sorted(sat.missing)))
            if self._base.execute("INSERT OR IGNORE INTO meetings VALUES (?, ?, ?, ?)", said).rowcount == 1:
                self._base.executemany(
                    "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        (
                            *(meeting.number, place, json.dumps(game.sides), game.part, json.dumps(game.points)),
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
                        for place, game in enumerate(sat.games)
                    ],
                )
        self._has.add(meeting.number)

    def _note_attempts(self, new: set[tuple[str, str]]) -> None:
        """Add what bots tried to what is known of that."""
        known = {(name, kind) for name, kinds in self.attempts.items() for kind in kinds} if new else new
        if not new <= known:
            all_of_them = sorted(new | known)
            plain = {name: [kind for other, kind in all_of_them if other == name] for name, _ in all_of_them}
            self._base.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (_ATTEMPTS, json.dumps(plain)))

    def lines(self) -> list[GameLine]:
        """All games, in the order of the plan."""
        with self._reading():
            rows = self._base.execute(
                "SELECT meeting, place, sides, part, points, luck, forfeit FROM games ORDER BY meeting, place"
            ).fetchall()
            who, got = lru_cache(maxsize=1000)(_seats_of), lru_cache(maxsize=1000)(_shares_of)  # alike in many games
            return [
                _line(meeting, place, who(sides), part, got(points), luck, lost) for meeting, place, sides, part, points, luck, lost in rows
            ]

    def text(self, meeting: int, place: int) -> str:
        """The text of a game."""
        with self._reading():
            (found,) = self._base.execute("SELECT game FROM games WHERE meeting = ? AND place = ?", (meeting, place)).fetchone()
        return str(found)

    def why(self, meeting: int, place: int) -> tuple[Fact, str]:
        """Why somebody forfeited that game, and where it stood."""
        with self._reading():
            fact, position = self._base.execute(
                "SELECT fact, position FROM games WHERE meeting = ? AND place = ?", (meeting, place)
            ).fetchone()
            key, facts = read_json(fact)
            if not all(isinstance(one, (str, int, float)) for one in facts.values()):
                raise TypeError
            Voice().say(key, **facts)  # whether there is such a sentence
            return Fact(key, facts), str(position)

    def missing(self) -> frozenset[str]:
        """Which walls did not stand where somebody's code ran."""
        with self._reading():
            return frozenset(
                str(wall) for (said,) in self._base.execute("SELECT DISTINCT missing FROM meetings") for wall in read_json(said)
            )

    def copy_to(self, path: str | PathLike[str]) -> None:
        """Write all of it to another file, whole or not at all; in its own it stands already. Only a plain file is replaced."""
        place = path_of(path)
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISREG(os.lstat(place).st_mode):
                raise KeptFileError(f"{quoted(str(path))} is a link, a device or a folder, and stays as it is; name a plain file")
        if self.path is not None and Path(place).exists() and Path(place).samefile(self.path):
            return
        beside = f"{place}.part"
        try:
            Path(beside).unlink(missing_ok=True)
            other = sqlite3.connect(beside)
            try:
                with self._lock:
                    self._base.backup(other)
            finally:
                other.close()
            Path(beside).replace(place)
        except (sqlite3.Error, OSError) as error:
            Path(beside).unlink(missing_ok=True)
            why = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise KeptFileError(f"nothing could be kept in {quoted(str(path))}: {why}; name another place") from None

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """What is done in here is kept whole, or not at all."""
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
                if self._base.in_transaction:  # a full disk has ended it already
                    self._base.execute("ROLLBACK")

    def close(self) -> None:
        """Nothing more is read or kept."""
        with self._lock:
            self._closes()


def _is_same(key: str, kept: Any, said: Any) -> bool:  # noqa: ANN401 - whatever the file says
    """Return whether a file and a call say the same of a tournament."""
    if key == "bots" and isinstance(kept, dict) and list(kept) == list(said):
        return all(is_same_bot(str(kept[name]), said[name]) for name in said)
    return json.dumps(kept) == json.dumps(said)


@lru_cache(maxsize=1)
def _known_tables() -> list[Any]:
    """The tables of a tournament."""
    base = sqlite3.connect(":memory:")
    try:
        for statement in _TABLES.split(";"):
            base.execute(statement)
        return ArenaFile._tables(base)
    finally:
        base.close()


def _seats_of(text: str) -> tuple[int, ...]:
    """Who sat where; an error, where none of ours has written it."""
    found = read_json(text)
    if type(found) is not list or not found or not all(type(one) is int and one >= 0 for one in found):
        raise ValueError
    return tuple(found)


def _shares_of(text: str, low: float = 0.0, high: float = 1.0) -> tuple[float, ...]:
    """What each side got, or was brought; an error, where that cannot be."""
    found = read_json(text)
    if type(found) is not list or not all(type(one) in (int, float) and isfinite(one) and low <= one <= high for one in found):
        raise ValueError
    return tuple(found)


def _line(meeting: Any, place: Any, who: tuple[int, ...], part: Any, got: tuple[float, ...], luck: Any, lost: Any) -> GameLine:  # noqa: ANN401 - whatever stands there
    """A game out of a row of the file; an error, where none of ours has written it."""
    brought = None if luck is None else _shares_of(luck, -_LUCK, _LUCK)
    whole = all(type(one) is int and one >= 0 for one in (meeting, place, part, 0 if lost is None else lost))
    if not whole or any(len(one) != len(who) for one in (got, brought) if one is not None) or (lost is not None and lost >= len(who)):
        raise ValueError
    return GameLine(meeting, place, who, part, got, brought, lost)
