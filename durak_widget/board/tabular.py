"""A matrix as a table of LaTeX, as books print it: the players beside their plans, best responses underlined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.board.latex import document, tex, tex_number
from durak_widget.board.matrix_svg import SIGNS, below, payoffs_of

if TYPE_CHECKING:
    from durak_widget.board.matrix_view_model import Grid


def grid_tabular(grid: Grid) -> str:
    r"""What is left of the matrix, as a `tabular`.

    >>> from durak_widget.board.matrix_view_model import Grid
    >>> from durak_widget.board.saying import Saying
    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> from durak_widget.i18n import Voice
    >>> table = matrix_of([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"], names=("Ann", "Bob"))
    >>> print(grid_tabular(Grid(table, Saying(table, Voice()))))
    \begin{tabular}{rr|c|c|}
    \multicolumn{2}{c}{} & \multicolumn{2}{c}{Bob} \\
    \multicolumn{2}{c}{} & \multicolumn{1}{c}{silent} & \multicolumn{1}{c}{talks} \\ \cline{3-4}
    Ann & silent & 3,\ 3 & 0,\ \underline{5} \\ \cline{3-4}
     & talks & \underline{5},\ 0 & \underline{1},\ \underline{1} \\ \cline{3-4}
    \end{tabular}
    """
    saying, best = grid.saying, grid.best()
    rows, columns = (grid.striking.alive(seat) for seat in (0, 1))
    line = f"\\\\ \\cline{{3-{len(columns) + 2}}}"
    heads = " & ".join(rf"\multicolumn{{1}}{{c}}{{{tex(saying.plan(1, column))}}}" for column in columns)
    lines = [
        rf"\begin{{tabular}}{{rr|{'c|' * len(columns)}}}",
        rf"\multicolumn{{2}}{{c}}{{}} & \multicolumn{{{len(columns)}}}{{c}}{{{tex(saying.names[1])}}} \\",
        rf"\multicolumn{{2}}{{c}}{{}} & {heads} {line}",
    ]
    for at, row in enumerate(rows):
        cells = []
        for column in columns:
            parts = payoffs_of(grid, row, column, best[row][column] if grid.marked else 0)
            cells.append(",\\ ".join(_payoff(text, marked=marked, alone=len(parts) == 1) for text, marked in parts))
        lines.append(f"{'' if at else tex(saying.names[0])} & {tex(saying.plan(0, row))} & {' & '.join(cells)} {line}")
    return "\n".join([*lines, r"\end{tabular}"])


def _payoff(text: str, *, marked: bool, alone: bool) -> str:
    """A payoff, underlined where it is a best response; where one number stands for both players, with the sign of whose it is."""
    number = text.rstrip("".join(SIGNS))
    said = tex_number(number)
    return said + tex(text[len(number) :]) if alone else rf"\underline{{{said}}}" if marked else said


def grid_page(grid: Grid) -> str:
    """A file of its own; what is said below the matrix stands in it as remarks."""
    about = " x ".join(grid.saying.names)
    said = [f"% {' '.join(one.split())}" for one in below(grid)]
    return document("\n".join([grid_tabular(grid), *said]), about, tikz=False)
