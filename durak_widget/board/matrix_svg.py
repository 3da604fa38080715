"""A matrix as a picture that needs nothing else, for print and for GitHub, and in letters for a terminal."""

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
"""What stands behind a payoff that is a best response: of who has the rows, of who has the columns."""
_SIZE, _LINE, _ROW, _PAD, _EDGE = 15, 18, 34, 12, 14
"""How large letters are, how high a line and a row are, what is kept free beside a text and around all."""
_NARROWEST: Final = 480
"""So wide is a picture in which something is said."""
_LETTERS: Final = 18
"""So many letters of a plan stand in a line at the head of a column, and twice as many at that of a row."""
_STYLE: Final = (
    ".p{fill:#fffdf7}.t{fill:#1f2630}.q{fill:#4d5663}.l{stroke:#9aa3ad}.r{stroke:#14683a}.s{stroke:#a3201a}.h{font-weight:600}"
    "@media(prefers-color-scheme:dark){.p{fill:#1b1f24}.t{fill:#eef1f4}.q{fill:#b9c1cb}.l{stroke:#59626d}.r{stroke:#7fd6a0}.s{stroke:#ff9d92}}"
)


def payoffs_of(grid: Grid, row: int, column: int, best: int) -> list[tuple[str, bool]]:
    """What stands in a cell, part by part: a text, and whether it is a best response; nothing where that is asked for."""
    if (row, column) in grid.hidden:
        return [("", False)]
    one, other = (number_said(worth) for worth in grid.table.payoffs[row][column])
    mine, theirs = bool(best & 1), bool(best & 2)
    if grid.zero_sum and not grid.pairs:
        return [(one + SIGNS[0] * mine + SIGNS[1] * theirs, mine or theirs)]
    return [(one + SIGNS[0] * mine, mine), (other + SIGNS[1] * theirs, theirs)]


def lettered(grid: Grid) -> str:
    r"""The matrix in letters, what is struck out, and the equilibria that are shown.

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
    saying, best = grid.saying, grid.best()
    rows, columns = (grid.striking.alive(seat) for seat in (0, 1))
    table = [[f"{saying.names[0]} \\ {saying.names[1]}", *(saying.plan(1, column) for column in columns)]]
    for row in rows:
        cells = [
            ", ".join(text for text, _ in payoffs_of(grid, row, column, best[row][column] if grid.marked else 0)) for column in columns
        ]
        table.append([saying.plan(0, row), *cells])
    widths = [max(map(_letters, column)) for column in zip(*table, strict=True)]
    lines = [" | ".join(cell + " " * (width - _letters(cell)) for cell, width in zip(line, widths, strict=True)).rstrip() for line in table]
    return "\n".join([*lines, *below(grid)])


def below(grid: Grid) -> list[str]:
    """What stands below the matrix: what the signs mean, what was struck out and why, and its equilibria."""
    saying = grid.saying
    signs = [f"{sign} {saying.voice.say('screen.matrix.best', name=name)}" for sign, name in zip(SIGNS, saying.names, strict=True)]
    steps = [f"{place}. {saying.step(step)}" for place, step in enumerate(grid.striking.steps, 1)]
    found = [] if grid.found is None else [*map(saying.equilibrium, grid.found), *saying.note(grid.found)]
    return ["; ".join(signs)] * grid.marked + steps + found


def drawn(grid: Grid) -> str:
    """The matrix as SVG: the same text for the same matrix, without script, and without a link to anything."""
    saying, best = grid.saying, grid.best()
    heads = [[_lines(head.said, _LETTERS * (2 - seat)) for head in saying.heads[seat]] for seat in (0, 1)]
    corner = f"{saying.names[1]} →", f"{saying.names[0]} ↓"
    left = max(_width(line) for line in [*corner, *(line for head in heads[0] for line in head)]) + 2 * _PAD
    marks = [
        [payoffs_of(grid, row, column, mark if grid.marked else 0) for column, mark in enumerate(line)] for row, line in enumerate(best)
    ]
    widths = [
        max(48, *(_width(line) for line in head), *(_width(", ".join(text for text, _ in line[column])) for line in marks)) + 2 * _PAD
        for column, head in enumerate(heads[1])
    ]
    top = max(2, *map(len, heads[1])) * _LINE + _PAD
    high = [max(_ROW, len(head) * _LINE + _PAD) for head in heads[0]]
    xs, ys = _sums(left + _EDGE, widths), _sums(top + _EDGE, high)
    room = max(xs[-1] + _EDGE, _NARROWEST)
    notes = [line for note in below(grid) for line in wrap(note, int((room - 2 * _EDGE) / _SIZE / 0.58)) or [""]]
    width, height = (room if notes else xs[-1] + _EDGE), ys[-1] + _EDGE + len(notes) * 20 + (8 if notes else 0)
    parts = [f'<rect class="p" width="{width:g}" height="{height:g}" rx="8"/>']
    for place, (text, anchor) in enumerate(zip(corner, ("end", "start"), strict=True)):
        x, y = (xs[0] - _PAD, _EDGE + 20) if place == 0 else (_EDGE + _PAD, ys[0] - _PAD)
        parts.append(_text(x, y, text, "q h", anchor))
    lines = [f"M{_EDGE} {y:g}H{xs[-1]:g}" for y in ys] + [f"M{x:g} {_EDGE}V{ys[-1]:g}" for x in xs]
    parts.append(f'<path class="l" d="{"".join(lines)}" fill="none"/>')
    for column, head in enumerate(heads[1]):
        parts += _stacked((xs[column] + xs[column + 1]) / 2, _EDGE + top / 2, head, "middle")
    for row, head in enumerate(heads[0]):
        parts += _stacked(_EDGE + _PAD, (ys[row] + ys[row + 1]) / 2, head, "start")
    cells, rings = list[str](), list[str]()
    for row, line in enumerate(marks):
        for column, cell in enumerate(line):
            x, y = (xs[column] + xs[column + 1]) / 2, (ys[row] + ys[row + 1]) / 2
            parts_of = [f'<tspan text-decoration="underline">{text}</tspan>' if is_best else text for text, is_best in cell]
            cells.append(f'<text x="{x:g}" y="{y + 5:g}">{", ".join(parts_of)}</text>')
            if grid.marked and best[row][column] == 3:
                box = f'x="{xs[column] + 4:g}" y="{ys[row] + 4:g}" width="{widths[column] - 8:g}" height="{high[row] - 8:g}"'
                rings.append(f'<rect class="r" {box} rx="5" fill="none" stroke-width="2"/>')
    parts += [f'<g class="t" text-anchor="middle">{"".join(cells)}</g>', *rings]
    gone = [
        f"M{_EDGE} {(ys[step.place] + ys[step.place + 1]) / 2 + 4:g}H{xs[-1]:g}"  # a little below the minus signs
        if step.seat == 0
        else f"M{xs[step.place] + 0.2 * widths[step.place]:g} {_EDGE}V{ys[-1]:g}"  # and beside the numbers
        for step in grid.striking.steps
    ]
    parts.append(f'<path class="s" d="{"".join(gone)}" stroke-width="2"/>' if gone else "")
    parts += [_text(_EDGE, ys[-1] + 24 + place * 20, note, "t", "start") for place, note in enumerate(notes)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img"'
        f' lang="{saying.voice.language}" font-family="{FONTS}" font-size="15"><title>{escape(" × ".join(saying.names))}</title>'
        f"<desc>{escape(beginning(lettered(grid)))}</desc><style>{_STYLE}</style>{''.join(parts)}</svg>"
    )


def _lines(text: str, letters: int) -> list[str]:
    """A text in lines of so many letters."""
    return wrap(text, letters) or [""]


def _width(text: str) -> float:
    return wide(text, 1.1 * _SIZE)  # most are bold


def _letters(text: str) -> int:
    """How many letters are seen of a text: the sign that keeps a suit from being a coloured picture is none."""
    return len(text) - text.count("\ufe0e")


def _sums(start: float, sizes: Sequence[float]) -> list[float]:
    """Where each of these begins if they stand one behind the other, and where the last one ends."""
    found = [float(start)]
    for size in sizes:
        found.append(found[-1] + size)
    return found


def _text(x: float, y: float, text: str, kind: str, anchor: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(text)}</text>'


def _stacked(x: float, middle: float, lines: Sequence[str], anchor: str) -> list[str]:
    """Lines of a text, one below the other, around a height."""
    top = middle - (len(lines) - 1) * _LINE / 2 + 5
    return [_text(x, top + place * _LINE, line, "t h", anchor) for place, line in enumerate(lines)]
