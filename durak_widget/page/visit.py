"""A visit to the page to play: a table as the link says, or as it was left; and what of it stays in the browser."""

from __future__ import annotations

import json
import os
import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from durak_widget.bots.bot import NEXT, PEOPLE, YOU, names
from durak_widget.errors import DurakError, quoted
from durak_widget.files import replace_text
from durak_widget.game.game import Game
from durak_widget.page.links import Link, LinkError, written
from durak_widget.page.wire import WIRE
from durak_widget.widget.kit import habits, look
from durak_widget.widget.kit.look import SETTINGS
from durak_widget.widget.meant import sharing
from durak_widget.widget.table import Table
from durak_widget.words import LANGUAGES, Voice

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from durak_widget.rules.book import Rules

NAME: Final = "visit"
"""By this name the page speaks to it."""
_TABLE: Final = "table.json"
_GAMES: Final = "games"
_KEPT: Final = re.compile(r"(?:games/)?[\w-][\w.-]{0,80}\.(?:json|durak|unreadable)", re.ASCII)
"""What a file may be called that is kept, or brought along."""
_LONGEST: Final = 2_000_000
_MOST: Final = 5_000
_FORM: Final = 1


class Visit:
    """What the page speaks to besides the table: it begins, opens links, and hears what was brought along."""

    def __init__(self, folder: Path) -> None:
        """Whatever is kept lies in this folder."""
        self.folder, self.table, self._place = folder, None, ""
        self._stamps: dict[str, tuple[int, int]] = {}
        os.environ["DURAK_WIDGET_HOME"] = str(folder)
        sharing.links[:] = [self._link]
        WIRE.listen(NAME, self.hear)

    table: Table | None

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
        left = self._left()
        language = next((one for one in (left.get("look", {}).get("language"), said.get("language")) if one in LANGUAGES), "en")
        link, why = Link(), None
        try:
            link = Link.read(str(said.get("link", "")))
        except LinkError as error:
            why = error
        self._lay(link, left, link.language or language, said.get("seed"))
        if why:
            self._unread(why)

    def _lay(self, link: Link, left: Mapping[str, Any], language: str, seed: object) -> None:
        """Lay what the link says, else what was left, else a new game against the opponent whom one has come to."""
        worn = {name: value for name, value in left.get("look", {}).items() if name in SETTINGS} | {"language": language}
        game, seats = link.game, link.seats
        if game is None and not seats and left.get("game") is not None:
            game, seats = left["game"], left["seats"]
        goes_on = game is not None and game is left.get("game")
        many = 2 if game is None else game.seats
        seated = dict(enumerate(seats or ((YOU, NEXT) if many == 2 else ())))
        habits.defaults(language=language)
        table = Table(game, seated, seed=seed if game is None and isinstance(seed, int) else None, keep=self.folder / _GAMES, **worn)
        if goes_on and left["dealt"]:
            table._session.begun, table._session.helped = True, left["helped"]
            table._session.refresh()
        self.table, before = table, self.table
        if before is not None:
            before.close()
        table.observe(lambda _: self._keep(), ["scene", *SETTINGS])
        table.observe(lambda change: habits.defaults(language=change["new"]), "language")
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
        return self._lay(read, {"look": self._look()}, read.language or self.table.language, None)

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
            left = {"form": _FORM, "game": str(table.game), "seats": list(table.players), "look": self._look()}
            if session.begun and table.game.seed is not None and table.game.outcome is None:  # against whom it counts, it counts still
                left |= {"seed": table.game.seed, "helped": session.helped or bool(session.late)}
            self._write(_TABLE, json.dumps(left))
        stamps = self._stamped()
        changed = {name: self._text(name) for name, stamp in stamps.items() if self._stamps.get(name) != stamp}
        gone = {name: None for name in self._stamps if name not in stamps}
        self._stamps = stamps
        if changed or gone:
            WIRE.tell({"kind": "keep", "id": NAME, "files": {**changed, **gone}})

    def _left(self) -> dict[str, Any]:
        """How the table was left; of what cannot be read, nothing."""
        try:
            said = json.loads(self._text(_TABLE))
            worn = {name: value for name, value in said["look"].items() if name in SETTINGS and _takes(name, value)}
            game = Game.parse(said["game"])
            seats = [str(who) for who in said["seats"]]
            dealt = _dealt(game, said["seed"]) if "seed" in said else None
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError, DurakError):
            return {}
        sound = len(seats) == game.seats and set(seats) <= {YOU, *PEOPLE, *names()}
        found = {"dealt": dealt is not None, "helped": said.get("helped") is not False}
        return {"look": worn, "game": (dealt or game) if sound else None, "seats": tuple(seats), **found}

    def _bring(self, text: str) -> None:
        """Lay down what was taken along; a file that is none leaves all as it is."""
        try:
            files = _brought(text)
        except DurakError as error:
            return self._say("unbrought", why=str(error))
        for name, one in files.items():
            self._write(name, one)
        left = self._left()
        language = left.get("look", {}).get("language", "en" if self.table is None else self.table.language)
        self._lay(Link(), left, language, None)
        return self._say("brought")

    def _elsewhere(self, files: Mapping[str, object]) -> None:
        """The page, open a second time, has kept this: what was played there counts here. Each has a table of its own."""
        for name, text in files.items():
            if name != _TABLE and isinstance(text, str) and _KEPT.fullmatch(name):
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
        look.checked(name, value)
    except look.SettingError:
        return False
    return True


def _brought(text: str) -> dict[str, str]:
    """The files that a file holds which was taken along.

    >>> _brought('{"durak": 1, "files": {"opponents.json": "{}"}}')
    {'opponents.json': '{}'}
    >>> _brought('{"durak": 2}')
    Traceback (most recent call last):
    durak_widget.errors.DurakError: it is no file of this page, or one of a newer version
    """
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or said.get("durak") != _FORM or not isinstance(said.get("files"), dict):
        raise DurakError("it is no file of this page, or one of a newer version")
    files: dict[str, str] = dict(islice(said["files"].items(), _MOST))
    for name, one in files.items():
        if not (isinstance(one, str) and len(one) <= _LONGEST and _KEPT.fullmatch(name)):
            raise DurakError(f"{quoted(name)} in it is none of the files that are kept here")
    return files
