"""Implements the board page, which shows the game from a link as a game tree or a matrix.

The game is one of the textbook games, a Gambit file, or Durak from a deal or a position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.analysis.durak_tree import build_game_tree, build_tree_from_position
from durak_widget.board.matrix_widget import MatrixWidget
from durak_widget.board.tree_widget import TreeWidget
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, short_repr
from durak_widget.gametheory.gambit_files import from_efg
from durak_widget.gametheory.game_properties import find_suitable_method
from durak_widget.gametheory.solver_selection import solve
from durak_widget.gametheory.strategic_form import count_pure_strategies
from durak_widget.gametheory.textbook_games import textbook
from durak_widget.i18n import LANGUAGES, Translator
from durak_widget.web.message_channel import CHANNEL
from durak_widget.web.share_links import LinkError, compress_text, decompress_text, parse_link_parts, shorten

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.gametheory.tree import Tree as Game_

CHANNEL_NAME: Final = "board"
"""The name under which the web page sends messages to the board page's Python code."""
_GAME_PARTS: Final = ("game", "efg", "position", "rules")
_YES: Final = ("no", "yes")
_CHOICES: Final = {"as": ("tree", "matrix"), "direction": ("right", "down"), "open_hands": _YES, "solved": _YES, "values": _YES}
_KNOWN_PARTS: Final = (*_GAME_PARTS, "dealer", "depth", "language", *_CHOICES)
_ALLOWED_ONLY_WITH: Final = {"dealer": ("rules",), "open_hands": ("rules", "position")}
"""The parts of a link that only some kinds of games allow; for each part, the kinds that allow it."""
_TREE_ONLY_PARTS: Final = ("depth", "direction", "solved", "values")
_MAX_HISTORIES: Final = 20_000
"""The maximum number of histories (sequences of moves) in the tree of a link; a larger tree would take noticeably long to build."""
_MAX_SOLVED_HISTORIES: Final = 400
"""The maximum number of histories (sequences of moves) in a tree whose solution or matrix a link may request."""
_MAX_MATRIX_CELLS: Final = 2_000
_MAX_DIGITS: Final = 12
"""The maximum number of digits in a numerator or denominator of a game file in a link."""


class BoardLink(NamedTuple):
    """The parsed content of a link to the board page.

    >>> BoardLink.from_text("#game=kuhn&depth=3").depth
    3
    >>> BoardLink.from_text("#game=chess").tree
    Traceback (most recent call last):
    durak_widget.web.share_links.LinkError: there is no textbook game 'chess'; there are bayes, beer-quiche, centipede, chain-store, driver, entry, horse, kuhn, myerson, outside-option, pennies, spence, ultimatum
    """

    tree: Game_
    kind: str = "tree"
    depth: int = 2
    shows_solution: bool = False
    """True if the board displays the solution of the game from the start."""
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
            needs_other_game = name in _ALLOWED_ONLY_WITH and not any(game_part in parts for game_part in _ALLOWED_ONLY_WITH[name])
            if needs_other_game or (name in _TREE_ONLY_PARTS and parts.get("as") == "matrix"):
                raise LinkError(f"{name} does not apply to this blackboard", "part", part=name)
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
        if parts.get("language", "en") not in LANGUAGES:
            raise LinkError(
                f"language must be one of {', '.join(LANGUAGES)}, not {short_repr(parts['language'])}",
                "value",
                part="language",
                known=", ".join(LANGUAGES),
            )
        view_options: dict[str, Any] = {name: parts[name] for name in ("direction", "language") if name in parts}
        if parts.get("values") == "yes":
            view_options["values"] = True
        try:
            tree = _build_tree(parts)
        except LinkError:
            raise
        except DurakError as error:
            game_part = next(name for name in _GAME_PARTS if name in parts)
            raise LinkError(str(error), {"game": "book", "efg": "file"}.get(game_part, game_part), name=shorten(parts[game_part])) from None
        cells = (
            count_pure_strategies(tree, 0) * count_pure_strategies(tree, 1) if parts.get("as") == "matrix" and tree.player_count == 2 else 0
        )
        if (tree.history_count > _MAX_SOLVED_HISTORIES and (cells or parts.get("solved") == "yes")) or cells > _MAX_MATRIX_CELLS:
            raise LinkError("this game is too large to solve or to show as a matrix from a link; open it as a tree", "large")
        return cls(tree, parts.get("as", "tree"), int(parts.get("depth", "2")), parts.get("solved") == "yes", view_options)

    def build_board(self, language: str = "en") -> TreeWidget | MatrixWidget:
        """Build the board for this link; raise a `LinkError` if the board can't show the game."""
        view_options = {"language": language, **self.view_options}
        try:
            if self.kind == "matrix":
                return MatrixWidget(self.tree, language=view_options["language"])
            method = {"backward": "backward", "lp": "plans", "plans": "plans"}.get(
                find_suitable_method(self.tree)
            )  # If the solution method is None, `solve` chooses a method
            solution = solve(self.tree, method) if self.shows_solution else None
            return TreeWidget(self.tree, solution, depth=self.depth, **view_options)
        except DurakError as error:
            raise LinkError(str(error), "shown") from None


def format_board_link(efg: str) -> str:
    """Format a link that opens a Gambit file's game on the board page.

    >>> from durak_widget import gametheory
    >>> kuhn = gametheory.textbook("kuhn")
    >>> BoardLink.from_text(format_board_link(gametheory.to_efg(kuhn))).tree == kuhn
    True
    """
    return f"#efg={compress_text(efg)}"


def _build_tree(parts: Mapping[str, str]) -> Game_:
    """Build the tree of the game in this link; raise a `LinkError` if the tree is too large."""
    open_hands = parts.get("open_hands") == "yes"
    if "game" in parts:
        return textbook(parts["game"])
    if "efg" in parts:
        tree = from_efg(decompress_text(parts["efg"]))
        numbers = (
            number for values in (*tree.payoffs, *(chance_move.probabilities for chance_move in tree.chance_moves)) for number in values
        )
        if tree.history_count > _MAX_HISTORIES or any(
            max(abs(number.numerator), number.denominator) >= 10**_MAX_DIGITS for number in numbers
        ):
            raise LinkError(f"the file has more than {_MAX_HISTORIES:,} histories, or numbers of more than {_MAX_DIGITS} digits", "large")
        return tree
    if "position" in parts:
        return build_tree_from_position(Game.parse(parts["position"].replace("\n", " ")), open_hands=open_hands, limit=_MAX_HISTORIES)
    return build_game_tree(parts["rules"] or None, int(parts.get("dealer", "0")), open_hands, limit=_MAX_HISTORIES)


class BoardVisit:
    """The Python side of the board page, which starts the page and opens links."""

    board: TreeWidget | MatrixWidget | None = None

    def __init__(self) -> None:
        """Register the handler for messages from the web page."""
        self._language = "en"
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

    def _open_link(self, link: str) -> None:
        """Open a link; if its game can't be displayed, report that and keep the old board."""
        try:
            board = BoardLink.from_text(link).build_board(self._language)
        except LinkError as error:
            voice = Translator(self._language)
            CHANNEL.send({"kind": "notice", "id": CHANNEL_NAME, "text": voice.translate("page.unread", why=error.to_text(voice))})
            return
        self.board, old_board = board, self.board
        if old_board is not None:
            old_board.close()
