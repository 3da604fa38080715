"""Render a matrix as a self-contained SVG picture, and as text for a terminal.

The picture is for print and for GitHub.
"""

from __future__ import annotations

from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from durak_widget.board.number_format import number_said
from durak_widget.board.svg_primitives import wide
from durak_widget.board.tree_wording import beginning
from durak_widget.engine.card_svg import FONTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.board.matrix_view_model import Grid

SIGNS: Final = ("*", "°")
"""The signs after a best response of the row player and of the column player."""
_SIZE, _LINE, _ROW, _PAD, _EDGE = 15, 18, 34, 12, 14
"""Font size, line height, smallest row height, padding beside a text, and margin around the picture."""
_NARROWEST: Final = 480
"""The smallest width of a picture with notes."""
_LETTERS: Final = 18
"""The most characters in a line of a column heading; twice as many fit in a row heading."""
_STYLE: Final = (
    ".p{fill:#fffdf7}.t{fill:#1f2630}.q{fill:#4d5663}.l{stroke:#9aa3ad}.r{stroke:#14683a}.s{stroke:#a3201a}.h{font-weight:600}"
    "@media(prefers-color-scheme:dark){.p{fill:#1b1f24}.t{fill:#eef1f4}.q{fill:#b9c1cb}.l{stroke:#59626d}.r{stroke:#7fd6a0}.s{stroke:#ff9d92}}"
)


def payoffs_of(grid: Grid, row: int, column: int, best: int) -> list[tuple[str, bool]]:
    """Return the parts of a cell: each text, and True if it is a best response.

    The text is empty if a question asks for the cell. `best` is the cell's number from `Grid.best`.
    """
    if (row, column) in grid.hidden:
        return [("", False)]
    row_payoff, column_payoff = (number_said(payoff) for payoff in grid.table.payoffs[row][column])
    is_row_best, is_column_best = bool(best & 1), bool(best & 2)
    if grid.zero_sum and not grid.pairs:
        return [(row_payoff + SIGNS[0] * is_row_best + SIGNS[1] * is_column_best, is_row_best or is_column_best)]
    return [(row_payoff + SIGNS[0] * is_row_best, is_row_best), (column_payoff + SIGNS[1] * is_column_best, is_column_best)]


def lettered(grid: Grid) -> str:
    r"""Return the matrix as text, with the eliminations and the equilibria that are shown.

    >>> from durak_widget.board.matrix_view_model import Grid
    >>> from durak_widget.board.matrix_view_model import Saying
    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> from durak_widget.i18n import Voice
    >>> table = matrix_of([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"], names=("Ann", "Bob"))
    >>> print(lettered(Grid(table, Saying(table, Voice()))))
    Ann \ Bob | silent | talks
    silent    | 3, 3   | 0, 5°
    talks     | 5*, 0  | 1*, 1°
    * best response of Ann; ° best response of Bob
    """
    wording, best = grid.saying, grid.best()
    rows, columns = (grid.striking.alive(player) for player in (0, 1))
    lines = [[f"{wording.names[0]} \\ {wording.names[1]}", *(wording.plan(1, column) for column in columns)]]
    for row in rows:
        cells = [
            ", ".join(text for text, _ in payoffs_of(grid, row, column, best[row][column] if grid.marked else 0)) for column in columns
        ]
        lines.append([wording.plan(0, row), *cells])
    widths = [max(map(_letters, column)) for column in zip(*lines, strict=True)]
    aligned = [
        " | ".join(cell + " " * (width - _letters(cell)) for cell, width in zip(cells_of_line, widths, strict=True)).rstrip()
        for cells_of_line in lines
    ]
    return "\n".join([*aligned, *below(grid)])


def below(grid: Grid) -> list[str]:
    """Return the notes below a matrix: signs, eliminations and equilibria."""
    wording = grid.saying
    signs = [f"{sign} {wording.voice.say('screen.matrix.best', name=name)}" for sign, name in zip(SIGNS, wording.names, strict=True)]
    steps = [f"{number}. {wording.step(step)}" for number, step in enumerate(grid.striking.steps, 1)]
    equilibrium_lines = [] if grid.found is None else [*map(wording.equilibrium, grid.found), *wording.note(grid.found)]
    return ["; ".join(signs)] * grid.marked + steps + equilibrium_lines


def drawn(grid: Grid) -> str:
    """Render the matrix as SVG: no scripts or links, and the same text for the same matrix."""
    wording, best = grid.saying, grid.best()
    heads = [[_lines(head.said, _LETTERS * (2 - player)) for head in wording.heads[player]] for player in (0, 1)]
    corner = f"{wording.names[1]} →", f"{wording.names[0]} ↓"
    left = max(_width(line) for line in [*corner, *(line for head in heads[0] for line in head)]) + 2 * _PAD
    cell_parts = [
        [payoffs_of(grid, row, column, best_response if grid.marked else 0) for column, best_response in enumerate(line)]
        for row, line in enumerate(best)
    ]
    widths = [
        max(48, *(_width(line) for line in head), *(_width(", ".join(text for text, _ in line[column])) for line in cell_parts)) + 2 * _PAD
        for column, head in enumerate(heads[1])
    ]
    top = max(2, *map(len, heads[1])) * _LINE + _PAD
    heights = [max(_ROW, len(head) * _LINE + _PAD) for head in heads[0]]
    xs, ys = _sums(left + _EDGE, widths), _sums(top + _EDGE, heights)
    available_width = max(xs[-1] + _EDGE, _NARROWEST)
    notes = [line for note in below(grid) for line in wrap(note, int((available_width - 2 * _EDGE) / _SIZE / 0.58)) or [""]]
    width, height = (available_width if notes else xs[-1] + _EDGE), ys[-1] + _EDGE + len(notes) * 20 + (8 if notes else 0)
    parts = [f'<rect class="p" width="{width:g}" height="{height:g}" rx="8"/>']
    for position, (text, anchor) in enumerate(zip(corner, ("end", "start"), strict=True)):
        x, y = (xs[0] - _PAD, _EDGE + 20) if position == 0 else (_EDGE + _PAD, ys[0] - _PAD)
        parts.append(_text(x, y, text, "q h", anchor))
    lines = [f"M{_EDGE} {y:g}H{xs[-1]:g}" for y in ys] + [f"M{x:g} {_EDGE}V{ys[-1]:g}" for x in xs]
    parts.append(f'<path class="l" d="{"".join(lines)}" fill="none"/>')
    for column, head in enumerate(heads[1]):
        parts += _stacked((xs[column] + xs[column + 1]) / 2, _EDGE + top / 2, head, "middle")
    for row, head in enumerate(heads[0]):
        parts += _stacked(_EDGE + _PAD, (ys[row] + ys[row + 1]) / 2, head, "start")
    cells, rings = list[str](), list[str]()
    for row, line in enumerate(cell_parts):
        for column, cell in enumerate(line):
            x, y = (xs[column] + xs[column + 1]) / 2, (ys[row] + ys[row + 1]) / 2
            texts = [f'<tspan text-decoration="underline">{text}</tspan>' if is_best else text for text, is_best in cell]
            cells.append(f'<text x="{x:g}" y="{y + 5:g}">{", ".join(texts)}</text>')
            if grid.marked and best[row][column] == 3:
                box = f'x="{xs[column] + 4:g}" y="{ys[row] + 4:g}" width="{widths[column] - 8:g}" height="{heights[row] - 8:g}"'
                rings.append(f'<rect class="r" {box} rx="5" fill="none" stroke-width="2"/>')
    parts += [f'<g class="t" text-anchor="middle">{"".join(cells)}</g>', *rings]
    strokes = [
        f"M{_EDGE} {(ys[step.place] + ys[step.place + 1]) / 2 + 4:g}H{xs[-1]:g}"  # a little below the minus signs
        if step.seat == 0
        else f"M{xs[step.place] + 0.2 * widths[step.place]:g} {_EDGE}V{ys[-1]:g}"  # and beside the numbers
        for step in grid.striking.steps
    ]
    parts.append(f'<path class="s" d="{"".join(strokes)}" stroke-width="2"/>' if strokes else "")
    parts += [_text(_EDGE, ys[-1] + 24 + position * 20, note, "t", "start") for position, note in enumerate(notes)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img"'
        f' lang="{wording.voice.language}" font-family="{FONTS}" font-size="15"><title>{escape(" × ".join(wording.names))}</title>'
        f"<desc>{escape(beginning(lettered(grid)))}</desc><style>{_STYLE}</style>{''.join(parts)}</svg>"
    )


def _lines(text: str, letters: int) -> list[str]:
    """Wrap a text into lines of at most that many characters."""
    return wrap(text, letters) or [""]


def _width(text: str) -> float:
    return wide(text, 1.1 * _SIZE)  # wider, because most texts are bold


def _letters(text: str) -> int:
    """Count the visible characters of a text.

    The variation selector after a suit, which keeps it from being shown as an emoji, is not visible.
    """
    return len(text) - text.count("\ufe0e")


def _sums(start: float, sizes: Sequence[float]) -> list[float]:
    """Return the start of each size laid out one after the other, and the end of the last."""
    offsets = [float(start)]
    for size in sizes:
        offsets.append(offsets[-1] + size)
    return offsets


def _text(x: float, y: float, text: str, kind: str, anchor: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(text)}</text>'


def _stacked(x: float, middle: float, lines: Sequence[str], anchor: str) -> list[str]:
    """Draw lines of text below one another, centred on a height."""
    top = middle - (len(lines) - 1) * _LINE / 2 + 5
    return [_text(x, top + position * _LINE, line, "t h", anchor) for position, line in enumerate(lines)]
