"""The board page: opens the game that a link names as a tree or a matrix.

The game is one of the textbook games, a Gambit file, or Durak from a deal or a position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.analysis.durak_tree import build, build_from
from durak_widget.board.matrix_widget import Matrix
from durak_widget.board.tree_widget import Tree
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, quoted
from durak_widget.gametheory.gambit_files import from_efg
from durak_widget.gametheory.game_properties import fit
from durak_widget.gametheory.solver_selection import solve
from durak_widget.gametheory.strategic_form import how_many
from durak_widget.gametheory.textbook_games import textbook
from durak_widget.i18n import LANGUAGES, Voice
from durak_widget.web.message_channel import WIRE
from durak_widget.web.share_links import LinkError, brief, into_link, out_of_link, parts_of_link

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.gametheory.tree import Tree as Game_

NAME: Final = "board"
"""The name by which the page addresses it."""
_GAMES: Final = ("game", "efg", "position", "rules")
_YES: Final = ("no", "yes")
_SAYS: Final = {"as": ("tree", "matrix"), "direction": ("right", "down"), "open_hands": _YES, "solved": _YES, "values": _YES}
_KNOWN: Final = (*_GAMES, "dealer", "depth", "language", *_SAYS)
_ALONE: Final = {"dealer": ("rules",), "open_hands": ("rules", "position")}
"""Parts of a link that go only with some of the games."""
_OF_TREES: Final = ("depth", "direction", "solved", "values")
_MOST: Final = 20_000
"""Most histories in the tree of a link: it is built before anybody agreed to wait."""
_AT_ONCE: Final = 400
"""Most histories for which a link may ask for the solution or the matrix."""
_CELLS: Final = 2_000
_DIGITS: Final = 12
"""Most digits in a numerator or denominator in the file of a link."""


class BoardLink(NamedTuple):
    """The content of a link to the board page.

    >>> BoardLink.read("#game=kuhn&depth=3").depth
    3
    >>> BoardLink.read("#game=chess").tree
    Traceback (most recent call last):
    durak_widget.web.share_links.LinkError: 'chess' is no game of the textbooks that is here; there are bayes, beer-quiche, ...
    """

    tree: Game_
    kind: str = "tree"
    depth: int = 2
    solved: bool = False
    """Whether the solution is shown from the start."""
    look: Mapping[str, Any] = {}

    @classmethod
    def read(cls, text: str) -> BoardLink:
        """Return the content of a link; a `LinkError` says what is wrong with it."""
        parts = parts_of_link(text.removeprefix("#"), _KNOWN)
        if len([name for name in _GAMES if name in parts]) != 1:
            raise LinkError(f"a link to a blackboard says one of {', '.join(_GAMES)}", "one", known=", ".join(_GAMES))
        for name in parts:
            needs_other_game = name in _ALONE and not any(game_part in parts for game_part in _ALONE[name])
            if needs_other_game or (name in _OF_TREES and parts.get("as") == "matrix"):
                raise LinkError(f"{name} says nothing of this blackboard", "part", part=name)
        for name, choices in _SAYS.items():
            if name in parts and parts[name] not in choices:
                raise LinkError(
                    f"{name}={quoted(parts[name])}: a link takes {', '.join(choices)}", "value", part=name, known=", ".join(choices)
                )
        for name in ("depth", "dealer"):
            if name in parts and not (parts[name].isascii() and parts[name].isdecimal() and len(parts[name]) < 3):
                raise LinkError(f"{name}={quoted(parts[name])}: a link takes a small number", "value", part=name, known="0–99")
        if parts.get("language", "en") not in LANGUAGES:
            raise LinkError(
                f"language={quoted(parts['language'])}: the page speaks {', '.join(LANGUAGES)}",
                "value",
                part="language",
                known=", ".join(LANGUAGES),
            )
        look: dict[str, Any] = {name: parts[name] for name in ("direction", "language") if name in parts}
        if parts.get("values") == "yes":
            look["values"] = True
        try:
            tree = _tree(parts)
        except LinkError:
            raise
        except DurakError as error:
            game_part = next(name for name in _GAMES if name in parts)
            raise LinkError(str(error), {"game": "book", "efg": "file"}.get(game_part, game_part), name=brief(parts[game_part])) from None
        cells = how_many(tree, 0) * how_many(tree, 1) if parts.get("as") == "matrix" and tree.seats == 2 else 0
        if (tree.histories > _AT_ONCE and (cells or parts.get("solved") == "yes")) or cells > _CELLS:
            raise LinkError("this game is too large to be solved, or laid out as a matrix, by a link: open it as a tree", "large")
        return cls(tree, parts.get("as", "tree"), int(parts.get("depth", "2")), parts.get("solved") == "yes", look)

    def board(self, language: str = "en") -> Tree | Matrix:
        """Return the board; a `LinkError` says what cannot be shown."""
        look = {"language": language, **self.look}
        try:
            if self.kind == "matrix":
                return Matrix(self.tree, language=look["language"])
            method = {"backward": "backward", "lp": "plans", "plans": "plans"}.get(fit(self.tree))  # any other game is solved by default
            solution = solve(self.tree, method) if self.solved else None
            return Tree(self.tree, solution, depth=self.depth, **look)
        except DurakError as error:
            raise LinkError(str(error), "shown") from None


def board_written(efg: str) -> str:
    """Return the link to a Gambit file.

    >>> from durak_widget import gametheory
    >>> kuhn = gametheory.textbook("kuhn")
    >>> BoardLink.read(board_written(gametheory.to_efg(kuhn))).tree == kuhn
    True
    """
    return f"#efg={into_link(efg)}"


def _tree(said: Mapping[str, str]) -> Game_:
    open_hands = said.get("open_hands") == "yes"
    if "game" in said:
        return textbook(said["game"])
    if "efg" in said:
        tree = from_efg(out_of_link(said["efg"]))
        numbers = (number for values in (*tree.payoffs, *(chance_move.probabilities for chance_move in tree.chances)) for number in values)
        if tree.histories > _MOST or any(max(abs(number.numerator), number.denominator) >= 10**_DIGITS for number in numbers):
            raise LinkError(f"the file has more than {_MOST:,} histories, or numbers of more than {_DIGITS} digits", "large")
        return tree
    if "position" in said:
        return build_from(Game.parse(said["position"].replace("\n", " ")), open_hands=open_hands, limit=_MOST)
    return build(said["rules"] or None, int(said.get("dealer", "0")), open_hands, limit=_MOST)


class BoardVisit:
    """The page's partner besides the board: it starts the page and opens links."""

    board: Tree | Matrix | None = None

    def __init__(self) -> None:
        """Listen to the page."""
        self._language = "en"
        WIRE.listen(NAME, self.hear)

    def hear(self, message: Mapping[str, Any]) -> None:
        """Handle a message from the page."""
        match message:
            case {"kind": "begin", "link": str(link)}:
                language = message.get("language")
                self._language = language if language in LANGUAGES else "en"
                if link.strip("#"):  # without a game the page lists its games
                    self._open(link)
            case {"kind": "link", "link": str(link)}:
                self._open(link)

    def _open(self, link: str) -> None:
        """Open a link; one that cannot be drawn changes nothing."""
        try:
            board = BoardLink.read(link).board(self._language)
        except LinkError as error:
            voice = Voice(self._language)
            WIRE.tell({"kind": "said", "id": NAME, "said": voice.say("page.unread", why=error.told(voice))})
            return
        self.board, old_board = board, self.board
        if old_board is not None:
            old_board.close()
