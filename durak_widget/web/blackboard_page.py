"""Implements the board page, which shows the game from a link as a game tree or a matrix.

The game is one of the textbook games, a Gambit file, or Durak from a deal or a position. A visitor can also make a
game in an editor, or open a Gambit file from disk; such a game gets a link too.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.analysis.durak_tree import build_game_tree, build_tree_from_position
from durak_widget.board.matrix_widget import MatrixWidget
from durak_widget.board.tree_widget import TreeWidget
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, short_repr
from durak_widget.gametheory.gambit_files import from_efg, from_nfg, tree_from_nfg
from durak_widget.gametheory.game_properties import find_suitable_method
from durak_widget.gametheory.solver_selection import solve
from durak_widget.gametheory.strategic_form import count_pure_strategies
from durak_widget.gametheory.textbook_games import textbook
from durak_widget.gametheory.tree import Tree
from durak_widget.i18n import LANGUAGES, Translator
from durak_widget.translated_errors import error_to_text
from durak_widget.web.message_channel import CHANNEL
from durak_widget.web.share_links import LinkError, compress_text, decompress_text, parse_link_parts, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from durak_widget.editor import MatrixSketch, Sketch
    from durak_widget.gametheory.strategic_form import Matrix

CHANNEL_NAME: Final = "board"
"""The name under which the web page sends messages to the board page's Python code."""
_GAME_PARTS: Final = ("game", "efg", "nfg", "position", "rules")
_YES: Final = ("no", "yes")
_CHOICES: Final = {"as": ("tree", "matrix"), "direction": ("right", "down"), "open_hands": _YES, "solved": _YES, "values": _YES}
_KNOWN_PARTS: Final = (*_GAME_PARTS, "dealer", "depth", "language", *_CHOICES)
_ALLOWED_ONLY_WITH: Final = {"dealer": ("rules",), "open_hands": ("rules", "position")}
"""The parts of a link that only some kinds of games allow; for each part, the kinds that allow it."""
_TREE_ONLY_PARTS: Final = ("depth", "direction", "values")
_MAX_HISTORIES: Final = 20_000
"""The maximum number of histories (sequences of moves) in the tree of a link; a larger tree would take noticeably long to build."""
_MAX_SOLVED_HISTORIES: Final = 400
"""The maximum number of histories (sequences of moves) in a tree whose solution or matrix a link may request."""
_MAX_MATRIX_CELLS: Final = 2_000
MAX_SOLVED_CELLS: Final = 36
"""The maximum number of cells in a matrix whose equilibria a link may request; a larger one can take seconds in a browser."""
_MAX_DIGITS: Final = 12
"""The maximum number of digits in a numerator or denominator of a game file in a link."""
_TOO_LARGE: Final = ("large", "long", "cut")
"""The problems of a link that was made from a game which is too large for a link."""
_SKETCH_LINK: Final = re.compile(r"[#&]sketch=")


class BoardLink(NamedTuple):
    """The parsed content of a link to the board page.

    >>> BoardLink.from_text("#game=kuhn&depth=3").depth
    3
    >>> BoardLink.from_text("#game=chess")
    Traceback (most recent call last):
    durak_widget.web.share_links.LinkError: there is no textbook game 'chess'; there are bayes, beer-quiche, centipede, chain-store, driver, entry, horse, kuhn, myerson, outside-option, pennies, spence, ultimatum
    """

    game: Tree | Matrix
    kind: str = "tree"
    depth: int = 2
    shows_solution: bool = False
    """True if the board displays the solution of the game from the start; for a matrix, the list of equilibria."""
    view_options: Mapping[str, Any] = {}

    @classmethod
    def from_text(cls, text: str) -> BoardLink:
        """Parse a link; raise a `LinkError` if it is invalid."""
        parts = parse_link_parts(text.removeprefix("#"), _KNOWN_PARTS)
        if len([name for name in _GAME_PARTS if name in parts]) != 1:
            raise LinkError(
                f"a link to a blackboard must have exactly one of {', '.join(_GAME_PARTS)}", "one", known=", ".join(_GAME_PARTS)
            )
        for name in parts:
            if name in _ALLOWED_ONLY_WITH and not any(game_part in parts for game_part in _ALLOWED_ONLY_WITH[name]):
                raise _make_part_error(name)
        for name, choices in _CHOICES.items():
            if name in parts and parts[name] not in choices:
                raise LinkError(
                    f"{name} must be one of {', '.join(choices)}, not {short_repr(parts[name])}",
                    "value",
                    part=name,
                    known=", ".join(choices),
                )
        for name in ("depth", "dealer"):
            if name in parts and not (parts[name].isascii() and parts[name].isdecimal() and len(parts[name]) < 3):
                raise LinkError(f"{name} must be a small number, not {short_repr(parts[name])}", "value", part=name, known="0–99")
        require_known_language(parts)
        view_options: dict[str, Any] = {name: parts[name] for name in ("direction", "language") if name in parts}
        if parts.get("values") == "yes":
            view_options["values"] = True
        try:
            game = _build_game(parts)
        except LinkError:
            raise
        except DurakError as error:
            game_part = next(name for name in _GAME_PARTS if name in parts)
            raise LinkError(
                str(error), {"game": "book", "efg": "file", "nfg": "file"}.get(game_part, game_part), name=shorten(parts[game_part])
            ) from None
        kind = parts.get("as", "tree" if isinstance(game, Tree) else "matrix")
        for name in _TREE_ONLY_PARTS if kind == "matrix" else ():
            if name in parts:
                raise _make_part_error(name)
        if isinstance(game, Tree):
            _require_small_game(game, kind, is_solved=parts.get("solved") == "yes")
        elif parts.get("solved") == "yes":
            _require_solvable_matrix(len(game.rows) * len(game.columns))
        return cls(game, kind, int(parts.get("depth", "2")), parts.get("solved") == "yes", view_options)

    def build_board(self, language: str = "en") -> TreeWidget | MatrixWidget:
        """Build the board for this link; raise a `LinkError` if the board can't show the game."""
        view_options = {"language": language, **self.view_options}
        try:
            if self.kind == "matrix" or not isinstance(self.game, Tree):
                matrix_widget = MatrixWidget(self.game, language=view_options["language"])
                if self.shows_solution:
                    matrix_widget.list_equilibria()
                return matrix_widget
            method = {"backward": "backward", "lp": "plans", "plans": "plans"}.get(
                find_suitable_method(self.game)
            )  # If the solution method is None, `solve` chooses a method
            solution = solve(self.game, method) if self.shows_solution else None
            return TreeWidget(self.game, solution, depth=self.depth, **view_options)
        except DurakError as error:
            raise LinkError(str(error), "shown") from None


def format_board_link(efg: str) -> str:
    """Format a link that opens a Gambit file's game on the board page.

    >>> from durak_widget import gametheory
    >>> kuhn = gametheory.textbook("kuhn")
    >>> BoardLink.from_text(format_board_link(gametheory.to_efg(kuhn))).game == kuhn
    True

    The file may also be one of a matrix.

    >>> BoardLink.from_text(format_board_link('NFG 1 R "" { "Ann" "Bob" } { 2 2 } 1 -1 -1 1 -1 1 1 -1')).build_board()
    <Matrix: 2 × 2>
    """
    return f"#{'nfg' if efg.lstrip()[:3].upper() == 'NFG' else 'efg'}={compress_text(efg)}"


def _make_part_error(name: str) -> LinkError:
    return LinkError(f"{name} does not apply to this blackboard", "part", part=name)


def require_known_language(parts: Mapping[str, str]) -> None:
    """Raise a `LinkError` if the language in a link is unknown."""
    if parts.get("language", "en") not in LANGUAGES:
        raise LinkError(
            f"language must be one of {', '.join(LANGUAGES)}, not {short_repr(parts['language'])}",
            "value",
            part="language",
            known=", ".join(LANGUAGES),
        )


def _require_small_game(tree: Tree, kind: str, *, is_solved: bool) -> None:
    """Raise a `LinkError` if a game is too large to solve, or to show as a matrix."""
    cells = count_pure_strategies(tree, 0) * count_pure_strategies(tree, 1) if kind == "matrix" and tree.player_count == 2 else 0
    if (tree.history_count > _MAX_SOLVED_HISTORIES and (cells or is_solved)) or cells > _MAX_MATRIX_CELLS:
        raise LinkError("this game is too large to solve or to show as a matrix from a link; open it as a tree", "large")
    if is_solved:
        _require_solvable_matrix(cells)


def _require_solvable_matrix(cells: int) -> None:
    """Raise a `LinkError` if a matrix is too large to find its equilibria at once."""
    if cells > MAX_SOLVED_CELLS:
        raise LinkError(f"a link can request the equilibria of a matrix of at most {MAX_SOLVED_CELLS} cells; leave out solved", "large")


def _build_game(parts: Mapping[str, str]) -> Tree | Matrix:
    """Build the game in this link; raise a `LinkError` if it is too large.

    A matrix file of two players is a matrix, unless the link asks for a tree.
    """
    open_hands = parts.get("open_hands") == "yes"
    if "game" in parts:
        return textbook(parts["game"])
    if "efg" in parts:
        return _require_small_file(from_efg(decompress_text(parts["efg"])))
    if "nfg" in parts:
        text = decompress_text(parts["nfg"])
        tree = _require_small_file(tree_from_nfg(text))
        return tree if tree.player_count != 2 or parts.get("as") == "tree" else from_nfg(text)
    if "position" in parts:
        return build_tree_from_position(Game.parse(parts["position"].replace("\n", " ")), open_hands=open_hands, limit=_MAX_HISTORIES)
    return build_game_tree(parts["rules"] or None, int(parts.get("dealer", "0")), open_hands, limit=_MAX_HISTORIES)


def _require_small_file(tree: Tree) -> Tree:
    """Return the tree of a file; raise a `LinkError` if it or one of its numbers is too large."""
    numbers: Iterator[Fraction] = chain(
        chain.from_iterable(tree.payoffs), chain.from_iterable(chance_move.probabilities for chance_move in tree.chance_moves)
    )
    if tree.history_count > _MAX_HISTORIES or any(max(abs(number.numerator), number.denominator) >= 10**_MAX_DIGITS for number in numbers):
        raise LinkError(f"the file has more than {_MAX_HISTORIES:,} histories, or numbers of more than {_MAX_DIGITS} digits", "large")
    return tree


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
            self._send_notice("page.unread", why=error.to_text(Translator(self._language)))

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
        if missing := describe_missing_parts(self.sketch, self._language):
            self._send_notice("page.sketch.refused.missing", missing=missing)
            return
        try:
            kind, game_file, view = format_game_file(self.sketch)
        except DurakError as error:
            self._send_notice("page.sketch.refused.game", why=error_to_text(error, self._language))
            return
        game_link = format_board_link(game_file) + self._shared_parts
        self._send_address(game_link + view, f"#sketch={kind}&{game_link[1:]}")

    def _open_file(self, text: str) -> None:
        """Tell the web page the link of a Gambit file from the visitor's disk."""
        self._send_address(format_board_link(text))

    def _send_address(self, link: str, sketch_link: str = "") -> None:
        """Send the web page a link to open; if the link is invalid, report that.

        A game from an editor also has a link that opens the editor with it.
        """
        try:
            BoardLink.from_text(link)
        except LinkError as error:
            if error.facts[0].key in _TOO_LARGE:
                self._send_notice("page.sketch.refused.large", count=_MAX_DIGITS)
            else:
                self._send_notice("page.sketch.refused.file", known=".efg, .nfg")
            return
        CHANNEL.send({"kind": "address", "id": CHANNEL_NAME, "link": link, "sketch_link": sketch_link})

    def _send_notice(self, key: str, **facts: object) -> None:
        CHANNEL.send({"kind": "notice", "id": CHANNEL_NAME, "text": Translator(self._language).translate(key, **facts)})
