"""A tree or a matrix that is shown beside a question, as a picture and in words."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import Final, NamedTuple

from durak_widget.board import matrix_svg
from durak_widget.board.matrix_view_model import Grid, Saying
from durak_widget.board.tree_wording import beginning
from durak_widget.engine.table_svg import image
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.paper_form import DrawnByHand, grid, printed_board
from durak_widget.gametheory.strategic_form import Matrix
from durak_widget.gametheory.tree import Tree
from durak_widget.i18n import Voice

MOST: Final = 300
"""A tree of so many places is still read off a picture."""


class GamePicture(NamedTuple):
    """What is seen of a game."""

    svg: str
    said: str

    @property
    def html(self) -> str:
        """The picture as an image, in which nothing runs."""
        return image(self.svg, self.said)

    def __str__(self) -> str:
        return self.said


def game_beside(game: object) -> Tree | Matrix:
    """A game that can be shown beside a question.

    >>> game_beside("entry")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: beside='entry' is what is shown beside the question: a tree of at most 300 places, or a matrix, such as analysis.textbook("entry")
    """
    if not isinstance(game, (Tree, Matrix)) or (isinstance(game, Tree) and game.histories > MOST):
        raise DurakError(
            f"beside={quoted(game)} is what is shown beside the question: a tree of at most {MOST} places, or a matrix, "
            'such as analysis.textbook("entry")'
        )
    return game


@lru_cache(maxsize=64)
def drawn_beside(game: Tree | Matrix, language: str) -> GamePicture:
    r"""How a game is drawn in a language; nothing in it is solved.

    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> print(drawn_beside(matrix_of([[1, -1], [-1, 1]]), "en").said.splitlines()[0])
    Row \ Column | a     | b
    """
    if isinstance(game, Matrix):
        grid = Grid(game, Saying(game, Voice(language)), pairs=True, marks=False)
        return GamePicture(matrix_svg.drawn(grid), beginning(matrix_svg.lettered(grid)))
    from durak_widget.board.tree_widget import Tree as View  # noqa: PLC0415 - a widget, which is asked for only where something is shown

    view = View(game, depth=len(game.levels), language=language)
    try:
        return GamePicture(view.svg(whole=True), beginning(str(view)))
    finally:
        view.close()  # nobody looks at it any more


def printed_beside(game: Tree | Matrix, language: str) -> DrawnByHand:
    """How a game is printed on a sheet: a tree on white, a matrix as a table.

    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> "<td>1, −1</td>" in printed_beside(matrix_of([[1, -1], [-1, 1]]), "en").html
    True
    """
    if isinstance(game, Tree):
        return printed_board(*drawn_beside(game, language))
    saying = Saying(game, Voice(language))
    told = Grid(game, saying, pairs=True, marks=False)
    rows, columns = ([escape(saying.plan(seat, place)) for place in range(len(saying.heads[seat]))] for seat in (0, 1))
    cells = [
        [escape(", ".join(text for text, _ in matrix_svg.payoffs_of(told, row, column, 0))) for column in range(len(columns))]
        for row in range(len(rows))
    ]
    return grid(columns, list(zip(rows, cells, strict=True)), corner=f"{escape(saying.names[1])} →<br>{escape(saying.names[0])} ↓")
