"""Stores a tournament in an SQLite file; each game is stored as soon as it is played.

The file is intact whenever the program stops, and the tournament can go on from there. Two processes can play one tournament into one
file: the games follow from the tournament alone, so if both bring the same game, the first is kept.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
import stat
import sys
from contextlib import contextmanager
from functools import cache, lru_cache
from math import isfinite
from pathlib import Path
from tempfile import gettempdir
from threading import RLock
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import finalize

from durak_widget.arena.bot_entrants import is_same_bot
from durak_widget.atomic_files import parse_json_text, require_path
from durak_widget.errors import DurakError, short_repr
from durak_widget.i18n import TranslatableText, Translator
from durak_widget.sandbox.audit_hooks import ATTEMPT_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    from durak_widget.arena.duplicate_games import MeetingResult
    from durak_widget.arena.schedule import Meeting

FILE_VERSION: Final = 2
"""The version of the file format that new tournament files have. A file of version 1 is read, and a tournament in it
goes on in version 1."""
_APPLICATION_ID: Final = 0x4475724B
"""The number in an SQLite file's header that identifies it as a tournament file."""
_LOCK_TIMEOUT: Final = 60.0
"""The maximum time in seconds to wait while another process writes to the file."""
_SCHEMA: Final = """
CREATE TABLE metadata (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE meetings (number INTEGER PRIMARY KEY, entrants TEXT NOT NULL, deal_seed TEXT NOT NULL, missing_protections TEXT NOT NULL);
CREATE TABLE games (
    meeting INTEGER NOT NULL REFERENCES meetings, game_index INTEGER NOT NULL, sides TEXT NOT NULL, match_index INTEGER NOT NULL,
    points TEXT NOT NULL, forfeit_side INTEGER, forfeit_reason TEXT, forfeit_position TEXT, game TEXT NOT NULL,
    PRIMARY KEY (meeting, game_index)
);
"""
_SCHEMA_1: Final = """
CREATE TABLE about (key TEXT PRIMARY KEY, said TEXT NOT NULL);
CREATE TABLE meetings (number INTEGER PRIMARY KEY, who TEXT NOT NULL, deal TEXT NOT NULL, missing TEXT NOT NULL);
CREATE TABLE games (
    meeting INTEGER NOT NULL REFERENCES meetings, place INTEGER NOT NULL, sides TEXT NOT NULL, part INTEGER NOT NULL,
    points TEXT NOT NULL, luck TEXT, forfeit INTEGER, fact TEXT, position TEXT, game TEXT NOT NULL,
    PRIMARY KEY (meeting, place)
);
"""
_SCHEMAS: Final = {1: _SCHEMA_1, FILE_VERSION: _SCHEMA}
_NAMES_IN_VERSION_1: Final = {
    "metadata": "about",
    "value": "said",
    "entrants": "who",
    "deal_seed": "deal",
    "missing_protections": "missing",
    "game_index": "place",
    "match_index": "part",
    "forfeit_side": "forfeit",
    "forfeit_reason": "fact",
    "forfeit_position": "position",
}
"""Tables and columns by their present name, with the different name that they have in version 1 of the file format."""
_NAME_PATTERN: Final = re.compile(rf"\b({'|'.join(_NAMES_IN_VERSION_1)})\b")


_ATTEMPTS_KEY: Final = "attempts"
"""The key in the table `metadata` under which the actions are stored that bots tried and the sandbox blocked.
Earlier versions ignore it."""
_JUPYTERLITE_DRIVE: Final = "/drive"
"""The folder in which JupyterLite stores the user's files."""
_DAMAGE_ERRORS: Final = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""The classes of the errors that Python may raise while it reads a damaged tournament file."""
_MAX_LUCK: Final = 100.0
"""The maximum luck of a stored game, in won games; a file with more luck in a game is invalid."""


class TournamentFileError(DurakError, ValueError):
    """An error because a file can't be used, or does not contain the right tournament.

    >>> TournamentFile(__file__)
    Traceback (most recent call last):
    durak_widget.arena.tournament_file.TournamentFileError: 'tournament_file.py' is another kind of file, not a tournament
    """


class StoredGame(NamedTuple):
    """A game as the tournament file stores it, but without its moves."""

    meeting: int
    game_index: int
    sides: tuple[int, ...]
    match_index: int
    points: tuple[float, ...]
    luck: tuple[float, ...] | None
    """The luck of each side in the game, for files of version 1, whose ratings subtract it; None for newer files."""
    forfeit: int | None
    """The side that could not continue, and so lost; None if the game was played to its end."""


def build_stored_games(meeting: Meeting, result: MeetingResult) -> list[StoredGame]:
    """Convert the games of one deal to the form in which the tournament file stores games."""
    return [
        StoredGame(
            meeting.number, index, game.sides, game.match_index, game.points, None, None if game.forfeit is None else game.forfeit.side
        )
        for index, game in enumerate(result.games)
    ]


class TournamentFile:
    """The database of a tournament, in a file or in memory.

    >>> kept = TournamentFile()
    >>> kept.start({"seed": 1}), kept.metadata, kept.has_meeting(0)
    (None, {'seed': 1}, False)
    """

    def __init__(self, path: str | PathLike[str] | None = None, *, must_exist: bool = False) -> None:
        """Open the tournament file, or create it; with `must_exist`, a missing file is an error."""
        self.path = None if path is None else require_path(path)
        self._lock = RLock()
        self.name = "memory" if self.path is None else Path(self.path).name
        if self.path is not None and not self.name:
            raise TournamentFileError(f"{short_repr(self.path)} is not the name of a file; give one such as 'class.sqlite'")
        if must_exist and not Path(self.path or "").is_file():
            raise TournamentFileError(f"there is no file {short_repr(self.path)}; arena.play(…, file={short_repr(self.path)}) makes one")
        if self.path is not None and sys.platform == "emscripten" and Path(self.path).absolute().is_relative_to(_JUPYTERLITE_DRIVE):
            raise TournamentFileError(
                f"{short_repr(self.name)} cannot be stored here, because this notebook's drive in the browser cannot write parts of a file. Leave out file=, or use file={short_repr(str(Path(gettempdir(), self.name)))}, which is kept until the kernel stops"
            )
        try:
            # Make the path absolute, because SQLite creates no file for the name ":memory:"
            location = ":memory:" if self.path is None else Path(self.path).absolute()
            self._connection = sqlite3.connect(location, timeout=_LOCK_TIMEOUT, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise self._build_unusable_error(error) from None
        self._finalizer = finalize(self, self._connection.close)  # This closes the connection even if the caller forgets `close`
        try:
            self._require_tournament(must_exist=must_exist)
            self._meeting_numbers = self._read_meeting_numbers()
        except sqlite3.Error as error:
            raise self._build_unusable_error(error) from None

    def _require_tournament(self, *, must_exist: bool) -> None:
        """Raise an error unless the file is a tournament of a known version.

        An empty file becomes a new tournament.

        With `must_exist` an empty file is refused, too.
        """
        application_id, version = self._read_header()
        if not application_id and not must_exist:
            self._connection.execute("BEGIN IMMEDIATE")  # Another process may be creating the tables right now
            application_id, version = self._read_header()
            if not application_id and not self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                for statement in (
                    *_SCHEMAS[FILE_VERSION].split(";"),
                    f"PRAGMA application_id = {_APPLICATION_ID}",
                    f"PRAGMA user_version = {FILE_VERSION}",
                ):
                    self._connection.execute(statement)
                application_id, version = _APPLICATION_ID, FILE_VERSION
            self._connection.execute("COMMIT")
        if application_id != _APPLICATION_ID:
            raise TournamentFileError(f"{short_repr(self.name)} is another kind of file, not a tournament")
        if version not in _SCHEMAS:
            raise TournamentFileError(
                f"{short_repr(self.name)} has version {version} of the tournament format, and this durak_widget reads version {FILE_VERSION}; use the version of durak_widget that wrote it"
            )
        with self._guard_reading():
            tables = self._list_tables(self._connection)
        self._version = version
        if tables != _list_known_tables(version):  # Wrong tables or views mean that someone changed the file; a view might never end
            raise TournamentFileError(
                f"{short_repr(self.name)} is damaged: its tables are not the tables of a tournament; use an undamaged copy"
            )

    def _execute(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run an SQL statement; in a version 1 file, replace table names by those of version 1."""
        if self._version == 1:
            statement = _NAME_PATTERN.sub(lambda name: _NAMES_IN_VERSION_1[name[0]], statement)
        return self._connection.execute(statement, values)

    @staticmethod
    def _list_tables(connection: sqlite3.Connection) -> list[Any]:
        return connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()

    def _read_header(self) -> tuple[int, int]:
        """Return the application id and the version that the SQLite file's header contains."""
        application_id, version = (
            self._connection.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in ("application_id", "user_version")
        )
        return int(application_id), int(version)

    def _build_unusable_error(self, error: sqlite3.Error) -> TournamentFileError:
        """Return an error which says why the file can't be used."""
        if isinstance(error, sqlite3.DatabaseError) and "not a database" in str(error):
            return TournamentFileError(f"{short_repr(self.name)} is another kind of file, not a tournament")
        return TournamentFileError(
            f"{short_repr(self.path or self.name)} cannot be used: {error}; give a file in an existing folder that you can write to"
        )

    @contextmanager
    def _guard_reading(self) -> Iterator[None]:
        """Raise a `TournamentFileError` if a `with` block fails to read the file."""
        try:
            with self._lock:
                yield
        except TournamentFileError:
            raise
        except sqlite3.Error as error:
            hint = "try again when no other program writes to it" if "locked" in str(error) else "use an undamaged copy"
            raise TournamentFileError(f"cannot read {short_repr(self.path or self.name)}: {error}; {hint}") from None
        except _DAMAGE_ERRORS:
            raise TournamentFileError(
                f"{short_repr(self.name)} is damaged: it has data that no tournament can have; use an undamaged copy"
            ) from None

    # --- Data about the whole tournament ---

    @property
    def refused_attempts(self) -> dict[str, tuple[str, ...]]:
        """Return, by bot name, the actions that the bot tried and the sandbox blocked."""
        stored = self.metadata.get(_ATTEMPTS_KEY, {})
        kinds_by_name = stored if isinstance(stored, dict) else {}
        return {
            name: tuple(kind for kind in ATTEMPT_KINDS if kind in kinds)
            for name, kinds in kinds_by_name.items()
            if isinstance(kinds, list) and any(kind in kinds for kind in ATTEMPT_KINDS)
        }

    @property
    def metadata(self) -> dict[str, Any]:
        """Return the settings of the tournament in the file; empty before a tournament begins."""
        with self._guard_reading():
            return {key: parse_json_text(value) for key, value in self._execute("SELECT key, value FROM metadata")}

    def require_present_deals(self) -> dict[str, Any]:
        """Return the stored settings; raise an error if an earlier version dealt the cards."""
        about = self.metadata
        if about and "deals" not in about:
            raise TournamentFileError(
                f"an earlier version of durak_widget began {short_repr(self.name)}, and it dealt the cards in another way. arena.load({short_repr(self.name)}) shows its games. To play more games, use another file"
            )
        return about

    def start(self, metadata: Mapping[str, Any], *, growing_key: str = "") -> None:
        """Store a tournament's settings; raise an error if the file has a different tournament."""
        values: dict[str, Any] = json.loads(json.dumps(dict(metadata)))
        with self._transaction():
            stored = self.metadata
            for key, value in values.items() if stored else ():
                if key == growing_key and stored.get(key, 0) <= value:
                    self._execute("UPDATE metadata SET value = ? WHERE key = ?", (json.dumps(value), key))
                elif key != growing_key and not _is_same_metadata(
                    key, stored.get(key), value
                ):  # Names must also be in the same order, because stored games refer to bots by number
                    raise TournamentFileError(
                        f"{short_repr(self.name)} has another tournament: its {key} is {short_repr(stored.get(key), 200)}, not {short_repr(value, 200)}; use another file, or the same settings as in this one"
                    )
            for key, value in () if stored else values.items():
                self._execute("INSERT INTO metadata VALUES (?, ?)", (key, json.dumps(value)))

    # --- Stored games ---

    def require_matching_games(self, name_count: int, side_count: int) -> None:
        """Raise an error if a stored game does not fit the given numbers of bots and sides.

        The file may come from anybody.
        """
        for line in self.load_games():
            if len(line.sides) != side_count or max(line.sides) >= name_count:
                raise TournamentFileError(
                    f"{short_repr(self.name)} is damaged: game {line.meeting} does not belong to this tournament; use an undamaged copy"
                )

    def _read_meeting_numbers(self) -> set[int]:
        """Read the numbers of all stored meetings (deals that some bots play) from the file."""
        with self._lock:
            return {number for (number,) in self._connection.execute("SELECT number FROM meetings")}

    def list_meeting_numbers(self) -> list[int]:
        """Return the numbers of all stored meetings (some bots play one deal), in ascending order."""
        return sorted(self._meeting_numbers)

    def count_meetings_before(self, number: int) -> int:
        """Return the number of stored meetings (some bots play one deal) before number `number`."""
        return sum(stored < number for stored in self._meeting_numbers)

    def has_meeting(self, number: int) -> bool:
        """Return whether the meeting number `number` is stored, even by another process."""
        if number not in self._meeting_numbers:
            with self._guard_reading():
                row = self._connection.execute("SELECT 1 FROM meetings WHERE number = ?", (number,)).fetchone()
            if row is None:
                return False
            self._meeting_numbers.add(number)
        return True

    def save_meeting(self, meeting: Meeting, result: MeetingResult, names: Sequence[str] = ()) -> None:
        """Store all games of a meeting (one deal); after an error, store none of them.

        `names` has the names of all bots.
        """
        with self._transaction():
            self._add_attempts({(names[bot], kind) for bot, kind in result.attempts if bot < len(names)})
            values = (meeting.number, json.dumps(meeting.entrants), meeting.deal_seed, json.dumps(sorted(result.missing_protections)))
            if self._connection.execute("INSERT OR IGNORE INTO meetings VALUES (?, ?, ?, ?)", values).rowcount == 1:
                for index, game in enumerate(result.games):
                    forfeit: tuple[object, ...] = (None, None, None)
                    if game.forfeit is not None:
                        reason = json.dumps([game.forfeit.fact.key, game.forfeit.fact.facts])
                        forfeit = (game.forfeit.side, reason, game.forfeit.position)
                    sides, points = json.dumps(game.sides), json.dumps(game.points)
                    self._execute(
                        "INSERT INTO games (meeting, game_index, sides, match_index, points, forfeit_side, forfeit_reason, forfeit_position, game)"
                        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        (meeting.number, index, sides, game.match_index, points, *forfeit, game.text),
                    )
        self._meeting_numbers.add(meeting.number)

    def _add_attempts(self, new_attempts: set[tuple[str, str]]) -> None:
        """Store more actions that bots tried and the sandbox blocked."""
        stored_attempts = (
            {(name, kind) for name, kinds in self.refused_attempts.items() for kind in kinds} if new_attempts else new_attempts
        )
        if not new_attempts <= stored_attempts:
            all_attempts = sorted(new_attempts | stored_attempts)
            kinds_by_name = {name: [kind for other, kind in all_attempts if other == name] for name, _ in all_attempts}
            self._execute("INSERT OR REPLACE INTO metadata VALUES (?, ?)", (_ATTEMPTS_KEY, json.dumps(kinds_by_name)))

    def load_games(self) -> list[StoredGame]:
        """Return all stored games, in the order of the schedule."""
        with self._guard_reading():
            statement = "SELECT meeting, game_index, sides, match_index, points, NULL, forfeit_side FROM games ORDER BY meeting, game_index"
            if self._version == 1:  # A version 1 file also stores the luck in each game, which the ratings use
                statement = statement.replace("NULL", "luck")
            rows = self._execute(statement).fetchall()
            parse_entrants, parse_points = (
                lru_cache(maxsize=1000)(_parse_entrant_numbers),
                lru_cache(maxsize=1000)(_parse_shares),
            )  # Many games have equal values, so each value is parsed only once
            return [
                _parse_game(meeting, game_index, parse_entrants(sides), part, parse_points(points), luck, forfeit)
                for meeting, game_index, sides, part, points, luck, forfeit in rows
            ]

    def load_game_text(self, meeting: int, game_index: int) -> str:
        """Return the record of a stored game as text."""
        with self._guard_reading():
            (text,) = self._execute("SELECT game FROM games WHERE meeting = ? AND game_index = ?", (meeting, game_index)).fetchone()
        return str(text)

    def load_forfeit(self, meeting: int, game_index: int) -> tuple[TranslatableText, str]:
        """Return why a bot forfeited a stored game, and the position in which it forfeited."""
        with self._guard_reading():
            fact, position = self._execute(
                "SELECT forfeit_reason, forfeit_position FROM games WHERE meeting = ? AND game_index = ?", (meeting, game_index)
            ).fetchone()
            key, facts = parse_json_text(fact)
            if not all(isinstance(value, (str, int, float)) for value in facts.values()):
                raise TypeError
            Translator().translate(key, **facts)  # `translate` raises an error if the stored key has no text
            return TranslatableText(key, facts), str(position)

    def list_missing_protections(self) -> frozenset[str]:
        """Return the protections of the sandbox that were missing when a bot's code ran."""
        with self._guard_reading():
            return frozenset(
                str(layer)
                for (stored,) in self._execute("SELECT DISTINCT missing_protections FROM meetings")
                for layer in parse_json_text(stored)
            )

    def copy_to(self, path: str | PathLike[str]) -> None:
        """Copy the whole tournament file to `path`; after an error, no partial copy remains.

        An existing target is replaced only if it is a regular file.

        Nothing happens if `path` is this file.
        """
        target = require_path(path)
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISREG(os.lstat(target).st_mode):
                raise TournamentFileError(
                    f"{short_repr(str(path))} is a link, a device or a folder, so it is not replaced; give a regular file"
                )
        if self.path is not None and Path(target).exists() and Path(target).samefile(self.path):
            return
        temporary = f"{target}.part"
        try:
            Path(temporary).unlink(missing_ok=True)
            copy = sqlite3.connect(temporary)
            try:
                with self._lock:
                    self._connection.backup(copy)
            finally:
                copy.close()
            Path(temporary).replace(target)
        except (sqlite3.Error, OSError) as error:
            Path(temporary).unlink(missing_ok=True)
            reason = error.strerror if isinstance(error, OSError) and error.strerror else error
            raise TournamentFileError(f"cannot write {short_repr(str(path))}: {reason}; choose another file") from None

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Run a `with` block as a transaction: after an error, the file stays as it was."""
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                raise TournamentFileError(
                    f"cannot store more games in {short_repr(self.path or self.name)}: {error}. The stored games are safe; use the same call or command again to continue"
                ) from None
            finally:
                if self._connection.in_transaction:  # After an error such as a full disk, SQLite has already ended the transaction
                    self._connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close the connection to the tournament file."""
        with self._lock:
            self._finalizer()


def _is_same_metadata(key: str, stored: Any, given: Any) -> bool:  # noqa: ANN401 - whatever the file says
    """Return whether the stored value and the given value of a setting are equivalent."""
    if key == "bots" and isinstance(stored, dict) and list(stored) == list(given):
        return all(is_same_bot(str(stored[name]), given[name]) for name in given)
    return json.dumps(stored) == json.dumps(given)


@cache
def _list_known_tables(version: int) -> list[Any]:
    """Return the tables that a tournament file has in a given version of the file format."""
    base = sqlite3.connect(":memory:")
    try:
        for statement in _SCHEMAS[version].split(";"):
            base.execute(statement)
        return TournamentFile._list_tables(base)
    finally:
        base.close()


def _parse_entrant_numbers(text: str) -> tuple[int, ...]:
    """Parse the numbers of entrants from JSON; raise an error if they are invalid."""
    numbers = parse_json_text(text)
    if type(numbers) is not list or not numbers or not all(type(number) is int and number >= 0 for number in numbers):
        raise ValueError
    return tuple(numbers)


def _parse_shares(text: str, low: float = 0.0, high: float = 1.0) -> tuple[float, ...]:
    """Parse a list of one number per side from JSON; raise an error if it is not valid."""
    shares = parse_json_text(text)
    if type(shares) is not list or not all(type(share) in (int, float) and isfinite(share) and low <= share <= high for share in shares):
        raise ValueError
    return tuple(shares)


def _parse_game(
    meeting: Any,  # noqa: ANN401 - what the file says
    game_index: Any,  # noqa: ANN401 - as above
    entrants: tuple[int, ...],
    match_index: Any,  # noqa: ANN401 - as above
    points: tuple[float, ...],
    luck: Any,  # noqa: ANN401 - as above
    forfeit: Any,  # noqa: ANN401 - as above
) -> StoredGame:
    """Build a game from a row of the database; raise an error if the row is not valid."""
    luck_shares = None if luck is None else _parse_shares(luck, -_MAX_LUCK, _MAX_LUCK)
    is_valid = all(type(number) is int and number >= 0 for number in (meeting, game_index, match_index, 0 if forfeit is None else forfeit))
    if (
        not is_valid
        or any(len(shares) != len(entrants) for shares in (points, luck_shares) if shares is not None)
        or (forfeit is not None and forfeit >= len(entrants))
    ):
        raise ValueError
    return StoredGame(meeting, game_index, entrants, match_index, points, luck_shares, forfeit)
