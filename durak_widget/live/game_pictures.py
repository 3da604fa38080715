"""Draws the games of a live class session, plain or with the class's shares.

The pictures never show values, equilibria or best responses. They contain all that they need, so a page can show them as images.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.board.matrix_svg import format_matrix_text, render_matrix_svg
from durak_widget.board.matrix_view_model import MatrixViewModel, MatrixWording, StrategyName
from durak_widget.board.tree_expansion import TreeExpansion
from durak_widget.board.tree_svg import TreePicture
from durak_widget.board.tree_view_model import build_drawing
from durak_widget.board.tree_wording import TreeWording, clean_name, format_outline
from durak_widget.i18n import Translator
from durak_widget.live.texts import format_percent

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from durak_widget.gametheory.strategic_form import Matrix
    from durak_widget.gametheory.tree import Tree

    Shares = Sequence[Sequence[Fraction] | None]
    """For each information set, or for each player of a matrix: the share of each action; None if nobody answered."""

MAX_PHONE_NODES: Final = 120
"""The maximum number of nodes of a tree that phones show as a picture."""
MAX_BOARD_NODES: Final = 300
"""The maximum number of nodes of a tree that the projector shows as a picture."""


class GamePicture(NamedTuple):
    """A picture of a game, and the same in words."""

    svg: str
    text: str


def draw_tree(tree: Tree, language: str, *, player_names: Sequence[str] = (), title: str = "", shares: Shares | None = None) -> GamePicture:
    """Draw a whole tree with its payoffs; `shares` are written on the branches.

    >>> from durak_widget.gametheory import textbook
    >>> draw_tree(textbook("entry"), "en").svg[:42]
    '<svg xmlns="http://www.w3.org/2000/svg" vi'
    """
    wording = TreeWording(tree, language)
    expansion = TreeExpansion(tree, tree.history_count)
    drawing = {
        "title": clean_name(title),
        "direction": "right",
        "players": list(player_names) or wording.player_names,
        "labels": {"nodes": {}, "branches": {}},
        **build_drawing(expansion, wording),
        "chance": wording.voice.translate("tree.chance"),
        "from_middle": True,
    }
    rows = {str(infoset): row for infoset, row in enumerate(shares or ()) if row is not None}
    solution = {
        "probabilities": {infoset: [format_percent(share, language) for share in row] for infoset, row in rows.items()},
        "weight": {infoset: [float(share) for share in row] for infoset, row in rows.items()},
    }
    text = format_outline(drawing, solution, wording)
    return GamePicture(TreePicture(drawing, solution, text, language=language, letters=wording.symbol_voice.letters).svg, text)


def draw_matrix(matrix: Matrix, language: str, *, player_names: Sequence[str] = (), shares: Shares | None = None) -> GamePicture:
    r"""Draw a matrix without any marks; `shares` are written beside the rows and columns.

    >>> from durak_widget.gametheory.strategic_form import matrix_from_payoffs
    >>> print(draw_matrix(matrix_from_payoffs([[1, -1], [-1, 1]]), "en").text)
    Row \ Column | a     | b
    A            | 1, −1 | −1, 1
    B            | −1, 1 | 1, −1
    """
    voice = Translator(language)
    wording = MatrixWording(matrix, voice, names=player_names)
    if shares is not None:
        strategy_names = [
            [StrategyName(f"{name.short}: {format_percent(share, language)}", name.full) for name, share in zip(names, row, strict=True)]
            if row is not None
            else names
            for names, row in zip(wording.strategy_names, shares, strict=True)
        ]
        wording = MatrixWording(matrix, voice, names=player_names, strategy_names=strategy_names)
    grid = MatrixViewModel(matrix, wording, pairs=True, marks=False)
    return GamePicture(render_matrix_svg(grid), format_matrix_text(grid))
