"""A visit to the page to play: a table as the link says, or as it was left; and what of it stays in the browser."""

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
"""By this name the page speaks to it."""
_TABLE: Final = "table.json"
"""One's own table as it stands."""
_LINKED: Final = "linked.json"
"""The table that the last link laid: one's own is left as it is."""
_LOOK: Final = "look.json"
_OWN: Final = {_TABLE, _LINKED}
"""What concerns no other window."""
_GAMES: Final = "games"
_KEPT: Final = re.compile(r"(?:games/)?[\w-][\w.-]{0,80}\.(?:json|durak|unreadable)", re.ASCII)
"""What a file may be called that is kept, or brought along."""
_LONGEST: Final = 2_000_000
_LONGEST_TABLE: Final = 150_000
"""More than any game that a link may carry."""
_MOST: Final = 5_000
_FORM: Final = 1


class Visit:
    """What the page speaks to besides the table: it begins, opens links, and hears what was brought along."""

    def __init__(self, folder: Path) -> None:
        """Whatever is kept lies in this folder."""
        self.folder, self.table, self._place, self._linked = folder, None, "", ""
        self._stamps: dict[str, tuple[int, int]] = {}
        self._seen: Mapping[str, Any] = {}
        os.environ["DURAK_WIDGET_HOME"] = str(folder)
        message_handlers.LINK_MAKERS[:] = [self._link]
        WIRE.listen(NAME, self.hear)

    table: Table | None

    def end(self) -> None:
        """Nobody is there any more, and whoever comes next finds all as it was before."""
        WIRE.forget(NAME)
        message_handlers.LINK_MAKERS.clear()
        os.environ.pop("DURAK_WIDGET_HOME", None)

    def hear(self, message: Mapping[str, Any]) -> None:
        """What the page says."""
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
        worn = self._worn()
        language = next((one for one in (worn.get("language"), said.get("language")) if one in LANGUAGES), "en")
        link, why, text = Link(), None, str(said.get("link", ""))
        try:
            link = Link.read(text)
        except LinkError as error:
            why = error
        self._lay(link, text, worn | {"language": link.language or language}, said.get("seed"))
        if why:
            self._unread(why)

    def _lay(self, link: Link, text: str, worn: Mapping[str, Any], seed: object) -> None:
        """Lay what the link says, or what was left of it; without a link what was left of one's own, else a new game against the opponent whom one has come to."""
        game, seats, language = link.game, link.seats, worn["language"]
        self._linked = "" if game is None and not seats else text
        left = self._left(_LINKED if self._linked else _TABLE)
        goes_on = left.get("game") is not None and left["link"] == self._linked and not (self._linked and left["game"].outcome)
        if goes_on:
            game, seats = left["game"], left["seats"]
        many = 2 if game is None else game.seats
        seated = dict(enumerate(seats or ((YOU, NEXT) if many == 2 else ())))
        user_defaults.defaults(language=language)
        table = Table(game, seated, seed=seed if game is None and isinstance(seed, int) else None, keep=self.folder / _GAMES, **worn)
        if table._keeping is not None:
            table._keeping.announces = False  # the folder is the page's own
        if goes_on and left["dealt"]:
            table._session.begun, table._session.helped = True, left["helped"]
            table._session.refresh()
        self.table, before = table, self.table
        if before is not None:
            before.close()
        table.observe(lambda _: self._keep(), ["scene", *SETTINGS])
        table.observe(lambda change: user_defaults.defaults(language=change["new"]), "language")
        self._keep()

    def _open(self, link: str) -> None:
        """Another link was opened on the same page; one that says nothing leaves all as it is."""
        assert self.table is not None  # noqa: S101 - a page begins first
        try:
            read = Link.read(link)
        except LinkError as error:
            return self._unread(error)
        if read.game is None and not read.seats:
            if read.language:
                self.table.language = read.language
            return None
        return self._lay(read, link, self._look() | {"language": read.language or self.table.language}, None)

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
        """Note how the table stands, and have the page keep what has changed since."""
        if self.table is None:
            return
        table, session = self.table, self.table._session
        known = {YOU, *PEOPLE, *names()}
        if session.trial is None and set(table.players) <= known:  # what is tried again is gone with the page
            left = {"form": _FORM, "link": self._linked, "game": str(table.game), "seats": list(table.players)}
            if session.begun and table.game.seed is not None and table.game.outcome is None:  # against whom it counts, it counts still
                left |= {"seed": table.game.seed, "helped": session.helped or bool(session.late)}
            self._write(_LINKED if self._linked else _TABLE, json.dumps(left))
        if (worn := self._look()) != self._seen:
            self._seen = worn
            self._write(_LOOK, json.dumps(worn))
        stamps = self._stamped()
        changed = {name: self._text(name) for name, stamp in stamps.items() if self._stamps.get(name) != stamp}
        gone = {name: None for name in self._stamps if name not in stamps}
        self._stamps = stamps
        if changed or gone:
            WIRE.tell({"kind": "keep", "id": NAME, "files": {**changed, **gone}})

    def _worn(self) -> dict[str, Any]:
        """How the table looked last; what is no look of this version is passed over."""
        try:
            said = read_json(self._text(_LOOK))
            return {name: value for name, value in said.items() if name in SETTINGS and _takes(name, value)}
        except (OSError, ValueError, AttributeError, RecursionError):
            return {}

    def _left(self, name: str) -> dict[str, Any]:
        """How a table was left; of what cannot be read, nothing."""
        try:
            text = self._text(name)
            said = read_json(text) if len(text) <= _LONGEST_TABLE else {}
            game = Game.parse(said["game"])
            seats = [str(who) for who in said["seats"]]
            dealt = _dealt(game, said["seed"]) if "seed" in said else None
            link = str(said.get("link", ""))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError, DurakError):
            return {}
        sound = len(seats) == game.seats and set(seats) <= {YOU, *PEOPLE, *names()}
        found = {"dealt": dealt is not None, "helped": said.get("helped") is not False}
        return {"game": (dealt or game) if sound else None, "seats": tuple(seats), "link": link, **found}

    def _bring(self, text: str) -> None:
        """Lay down what was taken along; a file that is none leaves all as it is."""
        found = _brought(text)
        if isinstance(found, Fact):
            return self._say("unbrought", why=found)
        for name, one in found.items():
            self._write(name, one)
        before = {"language": "en" if self.table is None else self.table.language}
        self._lay(Link(), "", before | self._worn(), None)
        return self._say("brought")

    def _elsewhere(self, files: Mapping[str, object]) -> None:
        """The page, open a second time, has kept this: what was played there counts here. Each has a table of its own."""
        for name, text in files.items():
            if name not in _OWN and isinstance(text, str) and _KEPT.fullmatch(name):
                self._write(name, text)
                self._stamps[name] = self._stamp(self.folder / name)

    def _write(self, name: str, text: str) -> None:
        place = self.folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        replace_text(place, text)

    def _text(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    def _stamped(self) -> dict[str, tuple[int, int]]:
        """Each file that is kept, and how one sees that it has changed."""
        found = {}
        for folder, before in ((self.folder, ""), (self.folder / _GAMES, f"{_GAMES}/")):
            for one in folder.iterdir() if folder.is_dir() else ():
                if one.is_file() and _KEPT.fullmatch(before + one.name):
                    found[before + one.name] = self._stamp(one)
        return found

    @staticmethod
    def _stamp(path: Path) -> tuple[int, int]:
        stat = path.stat()
        return stat.st_mtime_ns, stat.st_size


def _dealt(game: Game, seed: object) -> Game | None:
    """A game as it was dealt by its seed; None where the seed deals another, or the game is over."""
    if not isinstance(seed, (int, str)) or game.outcome is not None:
        return None
    try:
        found = Game(game.rules, seed=seed)
        for move in game.moves:
            found.play(move)
    except DurakError:
        return None
    return found if str(found) == str(game) else None


def _takes(name: str, value: object) -> bool:
    try:
        appearance_settings.check_setting(name, value)
    except appearance_settings.SettingError:
        return False
    return True


def _brought(text: str) -> dict[str, str] | Fact:
    """The files that a file holds which was taken along; or why it holds none.

    >>> _brought('{"durak": 1, "files": {"opponents.json": "{}"}}')
    {'opponents.json': '{}'}
    >>> _brought('{"durak": 2}')
    Fact(key='page.unbrought.form', facts={})
    """
    try:
        said = read_json(text)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or said.get("durak") != _FORM or not isinstance(said.get("files"), dict):
        return Fact("page.unbrought.form")
    files: dict[str, object] = said["files"]
    if len(files) > _MOST:
        return Fact("page.unbrought.many", {"count": _MOST})
    for name, one in files.items():
        if not (isinstance(one, str) and len(one) <= _LONGEST and _KEPT.fullmatch(name) and _encodes(one)):
            return Fact("page.unbrought.one", {"name": brief(name)})
    return {name: str(one) for name, one in files.items()}


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
