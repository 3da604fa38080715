"""The table page: opens the table of a link or the last one, and stores it in the browser."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import read_json, replace_text
from durak_widget.bots.bot import NEXT, PEOPLE, YOU, names
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError
from durak_widget.i18n import LANGUAGES, Fact, Voice
from durak_widget.table import message_handlers
from durak_widget.table.table_widget import Table
from durak_widget.web.message_channel import WIRE
from durak_widget.web.share_links import Link, LinkError, brief, written
from durak_widget.widgets import appearance_settings, user_defaults
from durak_widget.widgets.appearance_settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from durak_widget.rules.ruleset import Rules

NAME: Final = "visit"
"""The name by which the page addresses it."""
_TABLE: Final = "table.json"
"""The user's own table as it stands."""
_LINKED: Final = "linked.json"
"""The table of the last link; the user's own stays as it is."""
_LOOK: Final = "look.json"
_OWN: Final = {_TABLE, _LINKED}
"""Files that do not concern other windows."""
_GAMES: Final = "games"
_KEPT: Final = re.compile(r"(?:games/)?[\w-][\w.-]{0,80}\.(?:json|durak|unreadable)", re.ASCII)
"""Allowed names of files that are stored or imported."""
_LONGEST: Final = 2_000_000
_LONGEST_TABLE: Final = 150_000
"""More than any game that a link may carry."""
_MOST: Final = 5_000
_FORM: Final = 1


class Visit:
    """The page's partner besides the table: it starts the page, opens links and imports files."""

    def __init__(self, folder: Path) -> None:
        """Listen to the page; stored files are in this folder."""
        self.folder, self.table, self._place, self._linked = folder, None, "", ""
        self._stamps: dict[str, tuple[int, int]] = {}
        self._seen: Mapping[str, Any] = {}
        os.environ["DURAK_WIDGET_HOME"] = str(folder)
        message_handlers.LINK_MAKERS[:] = [self._link]
        WIRE.listen(NAME, self.hear)

    table: Table | None

    def end(self) -> None:
        """Stop listening and undo all global settings."""
        WIRE.forget(NAME)
        message_handlers.LINK_MAKERS.clear()
        os.environ.pop("DURAK_WIDGET_HOME", None)

    def hear(self, message: Mapping[str, Any]) -> None:
        """Handle a message from the page."""
        match message:
            case {"kind": "begin", "files": dict(files)}:
                self._begin(files, message)
            case {"kind": "link", "link": str(link)}:
                self._open(link)
            case {"kind": "bring", "text": str(text)}:
                self._bring(text)
            case {"kind": "elsewhere", "files": dict(files)}:
                self._elsewhere(files)

    # The table

    def _begin(self, files: dict[str, str], said: Mapping[str, Any]) -> None:
        self._place = str(said.get("place", ""))
        for name, text in files.items():
            if _KEPT.fullmatch(name):
                self._write(name, text)
        self._stamps = self._stamped()
        appearance = self._worn()
        language = next((code for code in (appearance.get("language"), said.get("language")) if code in LANGUAGES), "en")
        link, link_error, text = Link(), None, str(said.get("link", ""))
        try:
            link = Link.read(text)
        except LinkError as error:
            link_error = error
        self._lay(link, text, appearance | {"language": link.language or language}, said.get("seed"))
        if link_error:
            self._unread(link_error)

    def _lay(self, link: Link, text: str, worn: Mapping[str, Any], seed: object) -> None:
        """Open the table of the link, or go on with a stored one.

        The link's own stored table has precedence. Without a link it is the user's own, or else a new game against the next opponent.
        """
        game, seats, language = link.game, link.seats, worn["language"]
        self._linked = "" if game is None and not seats else text
        stored = self._left(_LINKED if self._linked else _TABLE)
        continues = stored.get("game") is not None and stored["link"] == self._linked and not (self._linked and stored["game"].outcome)
        if continues:
            game, seats = stored["game"], stored["seats"]
        seat_count = 2 if game is None else game.seats
        players = dict(enumerate(seats or ((YOU, NEXT) if seat_count == 2 else ())))
        user_defaults.defaults(language=language)
        table = Table(game, players, seed=seed if game is None and isinstance(seed, int) else None, keep=self.folder / _GAMES, **worn)
        if table._keeping is not None:
            table._keeping.announces = False  # the folder belongs to the page
        if continues and stored["dealt"]:
            table._session.begun, table._session.helped = True, stored["helped"]
            table._session.refresh()
        self.table, old_table = table, self.table
        if old_table is not None:
            old_table.close()
        table.observe(lambda _: self._keep(), ["scene", *SETTINGS])
        table.observe(lambda change: user_defaults.defaults(language=change["new"]), "language")
        self._keep()

    def _open(self, link: str) -> None:
        """Open another link on the same page; one that is empty or wrong changes nothing."""
        assert self.table is not None  # noqa: S101 - a page begins first
        try:
            parsed = Link.read(link)
        except LinkError as error:
            return self._unread(error)
        if parsed.game is None and not parsed.seats:
            if parsed.language:
                self.table.language = parsed.language
            return None
        return self._lay(parsed, link, self._look() | {"language": parsed.language or self.table.language}, None)

    def _link(self, what: Game | Rules) -> str:
        return self._place + written(what)

    @property
    def _voice(self) -> Voice:
        return Voice("en" if self.table is None else self.table.language)

    def _say(self, key: str, **facts: object) -> None:
        WIRE.tell({"kind": "said", "id": NAME, "said": self._voice.say(f"page.{key}", **facts)})

    def _unread(self, error: LinkError) -> None:
        self._say("unread", why=error.told(self._voice))

    # What is kept

    def _look(self) -> dict[str, Any]:
        table = self.table
        return {name: getattr(table, name) for name, trait in SETTINGS.items() if getattr(table, name) != trait.default_value}

    def _keep(self) -> None:
        """Store the state of the table, and have the page store all changed files."""
        if self.table is None:
            return
        table, session = self.table, self.table._session
        known_players = {YOU, *PEOPLE, *names()}
        if session.trial is None and set(table.players) <= known_players:  # a retry is not stored
            state = {"form": _FORM, "link": self._linked, "game": str(table.game), "seats": list(table.players)}
            if session.begun and table.game.seed is not None and table.game.outcome is None:  # a game that counts still counts later
                state |= {"seed": table.game.seed, "helped": session.helped or bool(session.late)}
            self._write(_LINKED if self._linked else _TABLE, json.dumps(state))
        if (appearance := self._look()) != self._seen:
            self._seen = appearance
            self._write(_LOOK, json.dumps(appearance))
        stamps = self._stamped()
        changed = {name: self._text(name) for name, stamp in stamps.items() if self._stamps.get(name) != stamp}
        deleted = {name: None for name in self._stamps if name not in stamps}
        self._stamps = stamps
        if changed or deleted:
            WIRE.tell({"kind": "keep", "id": NAME, "files": {**changed, **deleted}})

    def _worn(self) -> dict[str, Any]:
        """Return the stored appearance, without settings that this version does not have."""
        try:
            stored = read_json(self._text(_LOOK))
            return {name: value for name, value in stored.items() if name in SETTINGS and _takes(name, value)}
        except (OSError, ValueError, AttributeError, RecursionError):
            return {}

    def _left(self, name: str) -> dict[str, Any]:
        """Return the stored state of a table; empty if it cannot be read."""
        try:
            text = self._text(name)
            stored = read_json(text) if len(text) <= _LONGEST_TABLE else {}
            game = Game.parse(stored["game"])
            seats = [str(player) for player in stored["seats"]]
            dealt_game = _dealt(game, stored["seed"]) if "seed" in stored else None
            link = str(stored.get("link", ""))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError, DurakError):
            return {}
        is_valid = len(seats) == game.seats and set(seats) <= {YOU, *PEOPLE, *names()}
        flags = {"dealt": dealt_game is not None, "helped": stored.get("helped") is not False}
        return {"game": (dealt_game or game) if is_valid else None, "seats": tuple(seats), "link": link, **flags}

    def _bring(self, text: str) -> None:
        """Import exported data; an invalid file changes nothing."""
        imported = _brought(text)
        if isinstance(imported, Fact):
            return self._say("unbrought", why=imported)
        for name, content in imported.items():
            self._write(name, content)
        language = {"language": "en" if self.table is None else self.table.language}
        self._lay(Link(), "", language | self._worn(), None)
        return self._say("brought")

    def _elsewhere(self, files: Mapping[str, object]) -> None:
        """Store files that another window of the page has changed, except its own table."""
        for name, text in files.items():
            if name not in _OWN and isinstance(text, str) and _KEPT.fullmatch(name):
                self._write(name, text)
                self._stamps[name] = self._stamp(self.folder / name)

    def _write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(path, text)

    def _text(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def _stamped(self) -> dict[str, tuple[int, int]]:
        """Return each stored file with a stamp that shows when it has changed."""
        stamps = {}
        for folder, prefix in ((self.folder, ""), (self.folder / _GAMES, f"{_GAMES}/")):
            for file in folder.iterdir() if folder.is_dir() else ():
                if file.is_file() and _KEPT.fullmatch(prefix + file.name):
                    stamps[prefix + file.name] = self._stamp(file)
        return stamps

    @staticmethod
    def _stamp(path: Path) -> tuple[int, int]:
        stat = path.stat()
        return stat.st_mtime_ns, stat.st_size


def _dealt(game: Game, seed: object) -> Game | None:
    """Return a game as dealt by its seed; None if the seed deals another, or the game is over."""
    if not isinstance(seed, (int, str)) or game.outcome is not None:
        return None
    try:
        dealt_game = Game(game.rules, seed=seed)
        for move in game.moves:
            dealt_game.play(move)
    except DurakError:
        return None
    return dealt_game if str(dealt_game) == str(game) else None


def _takes(name: str, value: object) -> bool:
    try:
        appearance_settings.check_setting(name, value)
    except appearance_settings.SettingError:
        return False
    return True


def _brought(text: str) -> dict[str, str] | Fact:
    """Return the files in exported data, or why it is invalid.

    >>> _brought('{"durak": 1, "files": {"opponents.json": "{}"}}')
    {'opponents.json': '{}'}
    >>> _brought('{"durak": 2}')
    Fact(key='page.unbrought.form', facts={})
    """
    try:
        exported = read_json(text)
    except (ValueError, RecursionError):
        exported = None
    if not isinstance(exported, dict) or exported.get("durak") != _FORM or not isinstance(exported.get("files"), dict):
        return Fact("page.unbrought.form")
    files: dict[str, object] = exported["files"]
    if len(files) > _MOST:
        return Fact("page.unbrought.many", {"count": _MOST})
    for name, content in files.items():
        if not (isinstance(content, str) and len(content) <= _LONGEST and _KEPT.fullmatch(name) and _encodes(content)):
            return Fact("page.unbrought.one", {"name": brief(name)})
    return {name: str(content) for name, content in files.items()}


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
