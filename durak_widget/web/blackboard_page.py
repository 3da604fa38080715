"""Which blackboard does a link open on the page: a textbook's game, a file of Gambit, or Durak from a deal or a position, as a tree or a matrix?"""

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
"""By this name the page speaks to it."""
_GAMES: Final = ("game", "efg", "position", "rules")
_YES: Final = ("no", "yes")
_SAYS: Final = {"as": ("tree", "matrix"), "direction": ("right", "down"), "open_hands": _YES, "solved": _YES, "values": _YES}
_KNOWN: Final = (*_GAMES, "dealer", "depth", "language", *_SAYS)
_ALONE: Final = {"dealer": ("rules",), "open_hands": ("rules", "position")}
"""Parts that go with some of the first four alone."""
_OF_TREES: Final = ("depth", "direction", "solved", "values")
_MOST: Final = 20_000
"""A link may ask for a tree of so many histories: it is built before anybody has said that it may take long."""
_AT_ONCE: Final = 400
"""Of so many it may ask for the solution, or the matrix, at once."""
_CELLS: Final = 2_000
_DIGITS: Final = 12
"""Numbers of a file that comes by a link have no more digits above and below."""


class BoardLink(NamedTuple):
    """What is to be unfolded.

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
    """Whether its solution is shown from the start."""
    look: Mapping[str, Any] = {}

    @classmethod
    def read(cls, text: str) -> BoardLink:
        """What a link says; a LinkError says in a sentence what is wrong with it."""
        said = parts_of_link(text.removeprefix("#"), _KNOWN)
        if len([name for name in _GAMES if name in said]) != 1:
            raise LinkError(f"a link to a blackboard says one of {', '.join(_GAMES)}", "one", known=", ".join(_GAMES))
        for name in said:
            of_others = name in _ALONE and not any(one in said for one in _ALONE[name])
            if of_others or (name in _OF_TREES and said.get("as") == "matrix"):
                raise LinkError(f"{name} says nothing of this blackboard", "part", part=name)
        for name, takes in _SAYS.items():
            if name in said and said[name] not in takes:
                raise LinkError(f"{name}={quoted(said[name])}: a link takes {', '.join(takes)}", "value", part=name, known=", ".join(takes))
        for name in ("depth", "dealer"):
            if name in said and not (said[name].isascii() and said[name].isdecimal() and len(said[name]) < 3):
                raise LinkError(f"{name}={quoted(said[name])}: a link takes a small number", "value", part=name, known="0–99")
        if said.get("language", "en") not in LANGUAGES:
            raise LinkError(
                f"language={quoted(said['language'])}: the page speaks {', '.join(LANGUAGES)}",
                "value",
                part="language",
                known=", ".join(LANGUAGES),
            )
        look: dict[str, Any] = {name: said[name] for name in ("direction", "language") if name in said}
        if said.get("values") == "yes":
            look["values"] = True
        try:
            tree = _tree(said)
        except LinkError:
            raise
        except DurakError as error:
            wrong = next(name for name in _GAMES if name in said)
            raise LinkError(str(error), {"game": "book", "efg": "file"}.get(wrong, wrong), name=brief(said[wrong])) from None
        cells = how_many(tree, 0) * how_many(tree, 1) if said.get("as") == "matrix" and tree.seats == 2 else 0
        if (tree.histories > _AT_ONCE and (cells or said.get("solved") == "yes")) or cells > _CELLS:
            raise LinkError("this game is too large to be solved, or laid out as a matrix, by a link: open it as a tree", "large")
        return cls(tree, said.get("as", "tree"), int(said.get("depth", "2")), said.get("solved") == "yes", look)

    def board(self, language: str = "en") -> Tree | Matrix:
        """The blackboard itself; what cannot be shown so is said in a sentence."""
        look = {"language": language, **self.look}
        try:
            if self.kind == "matrix":
                return Matrix(self.tree, language=look["language"])
            method = {"backward": "backward", "lp": "plans", "plans": "plans"}.get(fit(self.tree))  # and any other game is answered
            found = solve(self.tree, method) if self.solved else None
            return Tree(self.tree, found, depth=self.depth, **look)
        except DurakError as error:
            raise LinkError(str(error), "shown") from None


def board_written(efg: str) -> str:
    """The link to a file of Gambit.

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
        numbers = (one for some in (*tree.payoffs, *(drawn.probabilities for drawn in tree.chances)) for one in some)
        if tree.histories > _MOST or any(max(abs(one.numerator), one.denominator) >= 10**_DIGITS for one in numbers):
            raise LinkError(f"the file has more than {_MOST:,} histories, or numbers of more than {_DIGITS} digits", "large")
        return tree
    if "position" in said:
        return build_from(Game.parse(said["position"].replace("\n", " ")), open_hands=open_hands, limit=_MOST)
    return build(said["rules"] or None, int(said.get("dealer", "0")), open_hands, limit=_MOST)


class BoardVisit:
    """What the page speaks to besides the blackboard: it begins, and opens links."""

    board: Tree | Matrix | None = None

    def __init__(self) -> None:
        """Somebody is there."""
        self._language = "en"
        WIRE.listen(NAME, self.hear)

    def hear(self, message: Mapping[str, Any]) -> None:
        """What the page says."""
        match message:
            case {"kind": "begin", "link": str(link)}:
                language = message.get("language")
                self._language = language if language in LANGUAGES else "en"
                if link.strip("#"):  # without a game the page lists those that it has
                    self._open(link)
            case {"kind": "link", "link": str(link)}:
                self._open(link)

    def _open(self, link: str) -> None:
        """One that says nothing that can be drawn leaves all as it is."""
        try:
            board = BoardLink.read(link).board(self._language)
        except LinkError as error:
            voice = Voice(self._language)
            WIRE.tell({"kind": "said", "id": NAME, "said": voice.say("page.unread", why=error.told(voice))})
            return
        self.board, before = board, self.board
        if before is not None:
            before.close()
