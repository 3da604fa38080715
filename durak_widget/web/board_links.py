"""Formats and parses links that open the board page with a game."""

from __future__ import annotations

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
from durak_widget.i18n import LANGUAGES
from durak_widget.web.share_links import LinkError, compress_text, decompress_text, parse_link_parts, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from durak_widget.gametheory.strategic_form import Matrix

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
MAX_DIGITS: Final = 12
"""The maximum number of digits in a numerator or denominator of a game file in a link."""


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
    if tree.history_count > _MAX_HISTORIES or any(max(abs(number.numerator), number.denominator) >= 10**MAX_DIGITS for number in numbers):
        raise LinkError(f"the file has more than {_MAX_HISTORIES:,} histories, or numbers of more than {MAX_DIGITS} digits", "large")
    return tree
