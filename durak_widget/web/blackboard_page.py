"""Implements the board page, which shows the game from a link as a game tree or a matrix.

The game is one of the textbook games, a Gambit file, or Durak from a deal or a position. A visitor can also make a
game in an editor, or open a Gambit file from disk; such a game gets a link too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from durak_widget.errors import DurakError
from durak_widget.i18n import LANGUAGES, Translator
from durak_widget.translated_errors import error_to_text
from durak_widget.web.board_links import MAX_DIGITS, BoardLink, format_board_link
from durak_widget.web.message_channel import CHANNEL
from durak_widget.web.share_links import LinkError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.board.matrix_widget import MatrixWidget
    from durak_widget.board.tree_widget import TreeWidget
    from durak_widget.editor import MatrixSketch, Sketch

CHANNEL_NAME: Final = "board"
"""The name under which the web page sends messages to the board page's Python code."""
_TOO_LARGE: Final = ("large", "long", "cut")
"""The problems of a link that was made from a game which is too large for a link."""
_SKETCH_LINK: Final = re.compile(r"[#&]sketch=")


class BoardVisit:
    """The Python side of the board page: it opens links, editors and files."""

    board: TreeWidget | MatrixWidget | None = None
    sketch: Sketch | MatrixSketch | None = None
    """The editor, which stays open while the board shows the finished game."""

    def __init__(self) -> None:
        """Register the handler for messages from the web page."""
        self._language, self._shared_parts = "en", ""
        CHANNEL.subscribe(CHANNEL_NAME, self.handle_message)

    def handle_message(self, message: Mapping[str, Any]) -> None:
        """Handle a message from the web page."""
        match message:
            case {"kind": "begin", "link": str(link)}:
                language = message.get("language")
                self._language = language if language in LANGUAGES else "en"
                if link.strip("#"):  # Without a game in the link, the front end lists the textbook games
                    self._open_link(link)
            case {"kind": "link", "link": str(link)}:
                self._open_link(link)
            case {"kind": "show_sketch"}:
                self._show_sketch()
            case {"kind": "file", "text": str(text)}:
                self._open_file(text)

    def _open_link(self, link: str) -> None:
        """Open a link; if its game can't be displayed, report that and keep the old board."""
        try:
            if _SKETCH_LINK.search(link):
                self._open_sketch(link)
            else:
                self._open_board(BoardLink.from_text(link))
        except LinkError as error:
            self._send_notice(self._language, "page.unread", why=error.to_text(Translator(self._language)))

    def _open_board(self, link: BoardLink) -> None:
        board = link.build_board(self._language)
        self.board, old_board = board, self.board
        if old_board is not None:
            old_board.close()

    def _open_sketch(self, link: str) -> None:
        """Open an editor; an editor that was open before is closed."""
        from durak_widget.web.board_sketch import SketchLink  # noqa: PLC0415 - a page with a board doesn't need the editors

        parsed = SketchLink.from_text(link)
        sketch = parsed.build_sketch(self._language)
        self._shared_parts = f"&language={parsed.language}" if parsed.language else ""
        self.sketch, old_sketch = sketch, self.sketch
        if old_sketch is not None:
            old_sketch.close()

    def _show_sketch(self) -> None:
        """Send the web page the link of the game in the editor, or say what the game lacks."""
        from durak_widget.web.board_sketch import describe_missing_parts, format_game_file  # noqa: PLC0415 - as above

        if self.sketch is None:
            return
        language = self.sketch.language
        if self.sketch.refused_text.error is not None:  # The editor still shows a text that the game doesn't have
            self._send_notice_text(error_to_text(self.sketch.refused_text.error, language))
            return
        if missing := describe_missing_parts(self.sketch, language):
            self._send_notice(language, "page.sketch.refused.missing", missing=missing)
            return
        try:
            kind, game_file, view = format_game_file(self.sketch)
        except DurakError as error:
            self._send_notice(language, "page.sketch.refused.game", why=error_to_text(error, language))
            return
        game_link = format_board_link(game_file) + self._shared_parts
        self._send_address(game_link + view, language, f"#sketch={kind}&{game_link[1:]}")

    def _open_file(self, text: str) -> None:
        """Tell the web page the link of a Gambit file from the visitor's disk."""
        self._send_address(format_board_link(text), self._language)

    def _send_address(self, link: str, language: str, sketch_link: str = "") -> None:
        """Send the web page a link to open; if the link is invalid, report that in a language.

        A game from an editor also has a link that opens the editor with it.
        """
        try:
            BoardLink.from_text(link)
        except LinkError as error:
            if error.facts[0].key in _TOO_LARGE:
                self._send_notice(language, "page.sketch.refused.large", count=MAX_DIGITS)
            else:
                self._send_notice(language, "page.sketch.refused.file", known=".efg, .nfg")
            return
        CHANNEL.send({"kind": "address", "id": CHANNEL_NAME, "link": link, "sketch_link": sketch_link})

    def _send_notice(self, language: str, key: str, **facts: object) -> None:
        self._send_notice_text(Translator(language).translate(key, **facts))

    def _send_notice_text(self, text: str) -> None:
        CHANNEL.send({"kind": "notice", "id": CHANNEL_NAME, "text": text})
