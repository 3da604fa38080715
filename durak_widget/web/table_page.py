"""Implements the table page, which opens games from links and stores the user's game."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import parse_json_text
from durak_widget.bots.bot import NEXT_OPPONENT_NAME, OPPONENT_BOTS, PERSON_NAME, names
from durak_widget.engine.game import Game
from durak_widget.engine.game_record import parse_game
from durak_widget.errors import DurakError
from durak_widget.i18n import LANGUAGES, TranslatableText, Translator
from durak_widget.table import message_handlers
from durak_widget.table.players import add_players
from durak_widget.table.table_widget import Table
from durak_widget.web.browser_files import FILE_NAME_PATTERN, GAMES_FOLDER, LINKED_TABLE_FILE, TABLE_FILE, BrowserFiles
from durak_widget.web.message_channel import CHANNEL
from durak_widget.web.share_links import LinkError, TableLink, format_link, shorten
from durak_widget.widgets import appearance_settings, opponent_record, user_defaults
from durak_widget.widgets.appearance_settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from durak_widget.rules.ruleset import Rules

CHANNEL_NAME: Final = "visit"
"""The name under which the web page sends messages to the table page's Python code."""
APPEARANCE_FILE: Final = "look.json"
_MAX_FILE_LENGTH: Final = 2_000_000
_MAX_TABLE_LENGTH: Final = 150_000
"""The maximum length, in characters, of a stored table; a game from a link is always shorter."""
_MAX_FILES: Final = 5_000
_FORMAT_VERSION: Final = 1
_DAILY_LINK_PATTERN: Final = re.compile(rf"#rules=podkidnoy&seed=\d{{4}}-\d\d-\d\d&seats={PERSON_NAME},{NEXT_OPPONENT_NAME}", re.ASCII)
"""Matches a link to the deal of a day, as `makeDailyLink` in `daily-deal.ts` writes it. Any other link with a seed may be a teacher's."""


class TableVisit:
    """The Python side of the table page: it opens links, and stores and imports files."""

    def __init__(self, folder: Path) -> None:
        """Register the handler for messages from the web page; `folder` is for the stored files."""
        self.folder, self.table, self._page_address, self._link_text = folder, None, "", ""
        self._is_daily_deal = False
        self._is_table_saved = True
        self._opened_seed: int | str | None = None
        self.files = BrowserFiles(folder)
        self._saved_appearance: Mapping[str, Any] = {}
        os.environ["DURAK_WIDGET_HOME"] = str(folder)
        message_handlers.LINK_MAKERS[:] = [self._make_link]
        CHANNEL.subscribe(CHANNEL_NAME, self.handle_message)

    table: Table | None

    def close(self) -> None:
        """Stop handling messages, and reset all global settings."""
        CHANNEL.unsubscribe(CHANNEL_NAME)
        message_handlers.LINK_MAKERS.clear()
        os.environ.pop("DURAK_WIDGET_HOME", None)

    def handle_message(self, message: Mapping[str, Any]) -> None:
        """Handle a message from the web page."""
        match message:
            case {"kind": "begin", "files": dict(files)}:
                self._start(files, message)
            case {"kind": "link", "link": str(link)}:
                self._open_link(link)
            case {"kind": "import_files", "text": str(text)}:
                self._import_files(text)
            case {"kind": "files_changed", "files": dict(files)}:
                self.files.merge_from_other_tab(files)

    # --- Open a table ---

    def _start(self, files: dict[str, str], message: Mapping[str, Any]) -> None:
        """Store the files that the browser kept from earlier visits, and open a table."""
        self._page_address = str(message.get("page_address", ""))
        self.files.load_kept(files)
        appearance = load_appearance(self.files)
        language = next((code for code in (appearance.get("language"), message.get("language")) if code in LANGUAGES), "en")
        link, link_error, text = TableLink(), None, str(message.get("link", ""))
        try:
            link = TableLink.from_text(text)
        except LinkError as error:
            link_error = error
        self._open_table(link, text, appearance | {"language": link.language or language}, message.get("seed"))
        if link_error:
            self._report_link_error(link_error)

    def _open_table(self, link: TableLink, text: str, appearance: Mapping[str, Any], seed: object) -> None:
        """Open the table in a link; if the link is empty, open the table that was stored last.

        The link's own stored table has precedence. Without a link it is the user's own, or else a new game against the next opponent.
        """
        game, seats = link.game, link.seats
        self._link_text = "" if game is None and not seats else text
        self._is_daily_deal = _DAILY_LINK_PATTERN.fullmatch(self._link_text) is not None
        self._is_table_saved = True
        stored = self._load_table(LINKED_TABLE_FILE if self._link_text else TABLE_FILE)
        continues = (
            stored.get("game") is not None and stored["link"] == self._link_text and not (self._link_text and stored["game"].outcome)
        )
        if continues:
            game, seats = stored["game"], stored["seats"]
        seat_count = 2 if game is None else game.seats
        players = dict(enumerate(seats or add_players((PERSON_NAME, opponent_record.find_current_opponent()), seat_count)))
        shared = ("language", "card_letters")
        user_defaults.defaults(**{name: appearance[name] for name in shared if name in appearance})
        table = Table(
            game, players, seed=seed if game is None and isinstance(seed, int) else None, keep=self.folder / GAMES_FOLDER, **appearance
        )
        if table._game_saver is not None:
            table._game_saver.announces_first_save = False  # The user did not choose this folder, so no message about it is needed
        if continues and stored["dealt"]:
            table._session.started_here, table._session.was_helped = True, stored["helped"]
            table._session.used_free_hint = stored["used_free_hint"]
            table._session.refresh()
        self._opened_seed = table.game.seed
        self.table, old_table = table, self.table
        if old_table is not None:
            old_table.close()
        table.observe(lambda _: self._save_changes(), ["scene", *SETTINGS])
        table.observe(lambda change: user_defaults.defaults(**{change["name"]: change["new"]}), list(shared))
        self._save_changes()

    def _open_link(self, link: str) -> None:
        """Open another link on the page, unless the link is empty or invalid."""
        assert self.table is not None  # noqa: S101 - a page begins first
        try:
            parsed = TableLink.from_text(link)
        except LinkError as error:
            return self._report_link_error(error)
        if parsed.game is None and not parsed.seats:
            if parsed.language:
                self.table.language = parsed.language
            return None
        return self._open_table(parsed, link, self._get_appearance() | {"language": parsed.language or self.table.language}, None)

    def _make_link(self, game_or_rules: Game | Rules) -> str:
        return self._page_address + format_link(game_or_rules)

    @property
    def _voice(self) -> Translator:
        return Translator("en" if self.table is None else self.table.language)

    def _send_sentence(self, key: str, **facts: object) -> None:
        CHANNEL.send({"kind": "notice", "id": CHANNEL_NAME, "text": self._voice.translate(f"page.{key}", **facts)})

    def _report_link_error(self, error: LinkError) -> None:
        self._send_sentence("unread", why=error.to_text(self._voice))

    # --- Store and import the user's data ---

    def _get_appearance(self) -> dict[str, Any]:
        """Return the appearance settings that differ from their defaults."""
        table = self.table
        return {name: getattr(table, name) for name, trait in SETTINGS.items() if getattr(table, name) != trait.default_value}

    def _save_changes(self) -> None:
        """Store the state of the table, and make the web page store all changed files."""
        if self.table is None:
            return
        table, session = self.table, self.table._session
        if self._is_daily_deal and session.retry is None and table.game.seed != self._opened_seed:
            self._leave_daily_deal()
        known_players = {PERSON_NAME, *OPPONENT_BOTS, *names()}
        is_ordinary_game = session.retry is None  # During a retry of a decision, the table is not stored.
        if is_ordinary_game and self._is_table_saved and set(table.players) <= known_players:
            state = {"version": _FORMAT_VERSION, "link": self._link_text, "game": str(table.game), "seats": list(table.players)}
            if (
                session.started_here and table.game.seed is not None and table.game.outcome is None
            ):  # With this seed in the file, the reopened game still counts in the user's record.
                helped = session.was_helped or bool(session.late_seats)
                state |= {"seed": table.game.seed, "helped": helped, "used_free_hint": session.used_free_hint}
            self.files.write(LINKED_TABLE_FILE if self._link_text else TABLE_FILE, json.dumps(state))
        if (appearance := self._get_appearance()) != self._saved_appearance:
            self._saved_appearance = appearance
            self.files.write(APPEARANCE_FILE, json.dumps(appearance))
        self.files.send_changes(CHANNEL_NAME)

    def _leave_daily_deal(self) -> None:
        """Make the game after the deal of the day the user's own game.

        If the user has begun another game of their own, the page opens that game again instead. Then the table's new game is not stored, and
        the link's stored table is deleted, so that the link deals the cards of its day again.
        """
        own_game = self._load_table(TABLE_FILE).get("game")
        is_begun = own_game is not None and own_game.last_ply > 0 and own_game.outcome is None
        self._is_daily_deal = False
        if is_begun:
            self._is_table_saved = False
            self.files.delete(LINKED_TABLE_FILE)
        else:
            self._link_text = ""
        CHANNEL.send({"kind": "own_game", "id": CHANNEL_NAME, "is_open": not is_begun})

    def _load_table(self, name: str) -> dict[str, Any]:
        """Load a table's state from its file; return an empty dict if that is impossible."""
        try:
            text = self.files.read(name)
            stored = parse_json_text(text) if len(text) <= _MAX_TABLE_LENGTH else {}
            game = Game.parse(stored["game"])
            seats = [str(player) for player in stored["seats"]]
            dealt_game = _replay_deal(game, stored["seed"]) if "seed" in stored else None
            link = str(stored.get("link", ""))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError, DurakError):
            return {}
        is_valid = len(seats) == game.seats and set(seats) <= {PERSON_NAME, *OPPONENT_BOTS, *names()}
        flags = {
            "dealt": dealt_game is not None,
            "helped": stored.get("helped") is not False,
            "used_free_hint": stored.get("used_free_hint") is True,
        }
        return {"game": (dealt_game or game) if is_valid else None, "seats": tuple(seats), "link": link, **flags}

    def _import_files(self, text: str) -> None:
        """Import exported data of a user; if any file in the data is invalid, change nothing."""
        imported = _parse_import(text)
        if isinstance(imported, TranslatableText):
            return self._send_sentence("unbrought", why=imported)
        for name, content in imported.items():
            self.files.write(name, content)
        language = {"language": "en" if self.table is None else self.table.language}
        self._open_table(TableLink(), "", language | load_appearance(self.files), None)
        return self._send_sentence("brought")


def load_appearance(files: BrowserFiles) -> dict[str, Any]:
    """Load the appearance settings from their file, except those that are unknown or invalid."""
    try:
        stored = parse_json_text(files.read(APPEARANCE_FILE))
        return {name: value for name, value in stored.items() if name in SETTINGS and _is_valid_setting(name, value)}
    except (OSError, ValueError, AttributeError, RecursionError):
        return {}


def _replay_deal(game: Game, seed: object) -> Game | None:
    """Deal a game again from its seed; return None if the cards differ or the game is over.

    Moves that the user has undone are made and undone again.
    """
    finished = game.copy()
    finished.goto(game.last_ply)
    if not isinstance(seed, (int, str)) or finished.outcome is not None:
        return None
    try:
        # In a later game of a match, the earlier games decide who deals and who attacks first.
        deal = {name: value for name, value in parse_game(str(game)).arguments.items() if name in ("dealer", "first_attacker")}
        dealt_game = Game(game.rules, seed=seed, **deal)
        for move in finished.moves:
            dealt_game.play(move)
    except DurakError:
        return None
    dealt_game.goto(game.ply)
    return dealt_game if str(dealt_game) == str(game) else None


def _is_valid_setting(name: str, value: object) -> bool:
    try:
        appearance_settings.check_setting(name, value)
    except appearance_settings.SettingError:
        return False
    return True


def _parse_import(text: str) -> dict[str, str] | TranslatableText:
    """Return the files in exported data; if the data are invalid, return a text that says why.

    >>> _parse_import('{"durak": 1, "files": {"opponents.json": "{}"}}')
    {'opponents.json': '{}'}
    >>> _parse_import('{"durak": 2}')
    TranslatableText(key='page.unbrought.form', facts={})
    """
    try:
        exported = parse_json_text(text)
    except (ValueError, RecursionError):
        exported = None
    if not isinstance(exported, dict) or exported.get("durak") != _FORMAT_VERSION or not isinstance(exported.get("files"), dict):
        return TranslatableText("page.unbrought.form")
    files: dict[str, object] = exported["files"]
    if len(files) > _MAX_FILES:
        return TranslatableText("page.unbrought.many", {"count": _MAX_FILES})
    for name, content in files.items():
        if not (
            isinstance(content, str) and len(content) <= _MAX_FILE_LENGTH and FILE_NAME_PATTERN.fullmatch(name) and _is_encodable(content)
        ):
            return TranslatableText("page.unbrought.one", {"name": shorten(name)})
    return {name: str(content) for name, content in files.items()}


def _is_encodable(text: str) -> bool:
    """Return whether a text can be encoded as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
