"""Renders a matrix as a self-contained SVG picture, and as text for a terminal.

The picture is used in print and on GitHub.
"""

from __future__ import annotations

from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Final

from durak_widget.board.number_format import format_number_in_sentence
from durak_widget.board.svg_primitives import measure_text
from durak_widget.board.tree_wording import take_first_lines
from durak_widget.engine.card_svg import FONT_FAMILY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.board.matrix_view_model import MatrixViewModel

BEST_RESPONSE_SIGNS: Final = ("*", "°")
"""The symbols beside a payoff that is a best response of the row player or of the column player."""
_FONT_SIZE, _LINE_HEIGHT, _MIN_ROW_HEIGHT, _PADDING, _MARGIN = 15, 18, 34, 12, 14
"""Font size, line height, smallest row height, padding beside a text, and margin of the matrix picture."""
_MIN_WIDTH_WITH_NOTES: Final = 480
"""The minimum width of a matrix picture with notes, so that the notes fit."""
_MAX_HEADING_CHARACTERS: Final = 18
"""The maximum number of characters in a line of a column heading; a line of a row heading may have twice as many."""
_STYLE: Final = (
    ".p{fill:#fffdf7}.t{fill:#1f2630}.q{fill:#4d5663}.l{stroke:#9aa3ad}.r{stroke:#14683a}.s{stroke:#a3201a}.h{font-weight:600}"
    "@media(prefers-color-scheme:dark){.p{fill:#1b1f24}.t{fill:#eef1f4}.q{fill:#b9c1cb}.l{stroke:#59626d}.r{stroke:#7fd6a0}.s{stroke:#ff9d92}}"
)


def format_cell(grid: MatrixViewModel, row: int, column: int, best_responses: int) -> list[tuple[str, bool]]:
    """Return the payoffs of a matrix cell as texts, each with whether it is a best response.

    There is no text if a question asks for the cell's payoffs. `best_responses` is the cell's number from
    `MatrixViewModel.compute_best_responses`.
    """
    if (row, column) in grid.hidden_cells:
        return [("", False)]
    row_payoff, column_payoff = (format_number_in_sentence(payoff) for payoff in grid.table.payoffs[row][column])
    is_row_best, is_column_best = bool(best_responses & 1), bool(best_responses & 2)
    if grid.is_zero_sum and not grid.pairs:
        return [
            (row_payoff + BEST_RESPONSE_SIGNS[0] * is_row_best + BEST_RESPONSE_SIGNS[1] * is_column_best, is_row_best or is_column_best)
        ]
    return [
        (row_payoff + BEST_RESPONSE_SIGNS[0] * is_row_best, is_row_best),
        (column_payoff + BEST_RESPONSE_SIGNS[1] * is_column_best, is_column_best),
    ]


def format_matrix_text(grid: MatrixViewModel) -> str:
    r"""Format a matrix as text, followed by eliminated strategies and any displayed equilibria.

    >>> from durak_widget.board.matrix_view_model import MatrixViewModel
    >>> from durak_widget.board.matrix_view_model import MatrixWording
    >>> from durak_widget.gametheory.strategic_form import matrix_from_payoffs
    >>> from durak_widget.i18n import Translator
    >>> table = matrix_from_payoffs([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"], names=("Ann", "Bob"))
    >>> print(format_matrix_text(MatrixViewModel(table, MatrixWording(table, Translator()))))
    Ann \ Bob | silent | talks
    silent    | 3, 3   | 0, 5°
    talks     | 5*, 0  | 1*, 1°
    * best response of Ann; ° best response of Bob
    """
    wording, best = grid.wording, grid.compute_best_responses()
    rows, columns = (grid.elimination.remaining_strategies(player) for player in (0, 1))
    lines = [[f"{wording.names[0]} \\ {wording.names[1]}", *(wording.format_strategy(1, column) for column in columns)]]
    for row in rows:
        cells = [
            ", ".join(text for text, _ in format_cell(grid, row, column, best[row][column] if grid.are_best_responses_shown else 0))
            for column in columns
        ]
        lines.append([wording.format_strategy(0, row), *cells])
    widths = [max(map(_count_characters, column)) for column in zip(*lines, strict=True)]
    aligned = [
        " | ".join(cell + " " * (width - _count_characters(cell)) for cell, width in zip(cells_of_line, widths, strict=True)).rstrip()
        for cells_of_line in lines
    ]
    return "\n".join([*aligned, *format_notes(grid)])


def format_notes(grid: MatrixViewModel) -> list[str]:
    """Return the notes below a matrix, which explain symbols, eliminations and equilibria."""
    wording = grid.wording
    signs = [
        f"{sign} {wording.voice.translate('screen.matrix.best', name=name)}"
        for sign, name in zip(BEST_RESPONSE_SIGNS, wording.names, strict=True)
    ]
    steps = [f"{number}. {wording.describe_step(step)}" for number, step in enumerate(grid.elimination.steps, 1)]
    equilibrium_lines = (
        []
        if grid.shown_equilibria is None
        else [*map(wording.describe_equilibrium, grid.shown_equilibria), *wording.describe_equilibria(grid.shown_equilibria)]
    )
    return ["; ".join(signs)] * grid.are_best_responses_shown + steps + equilibrium_lines


def render_matrix_svg(grid: MatrixViewModel) -> str:
    """Render a matrix as SVG without scripts or links; the same matrix gives the same text."""
    wording, best = grid.wording, grid.compute_best_responses()
    headings = [
        [_wrap_text(heading.short, _MAX_HEADING_CHARACTERS * (2 - player)) for heading in wording.strategy_names[player]]
        for player in (0, 1)
    ]
    corner = f"{wording.names[1]} →", f"{wording.names[0]} ↓"
    left = max(_measure_text(line) for line in [*corner, *(line for heading in headings[0] for line in heading)]) + 2 * _PADDING
    cell_parts = [
        [format_cell(grid, row, column, best_response if grid.are_best_responses_shown else 0) for column, best_response in enumerate(line)]
        for row, line in enumerate(best)
    ]
    widths = [
        max(
            48,
            *(_measure_text(line) for line in heading),
            *(_measure_text(", ".join(text for text, _ in line[column])) for line in cell_parts),
        )
        + 2 * _PADDING
        for column, heading in enumerate(headings[1])
    ]
    top = max(2, *map(len, headings[1])) * _LINE_HEIGHT + _PADDING
    heights = [max(_MIN_ROW_HEIGHT, len(heading) * _LINE_HEIGHT + _PADDING) for heading in headings[0]]
    xs, ys = _compute_offsets(left + _MARGIN, widths), _compute_offsets(top + _MARGIN, heights)
    available_width = max(xs[-1] + _MARGIN, _MIN_WIDTH_WITH_NOTES)
    notes = [line for note in format_notes(grid) for line in wrap(note, int((available_width - 2 * _MARGIN) / _FONT_SIZE / 0.58)) or [""]]
    width, height = (available_width if notes else xs[-1] + _MARGIN), ys[-1] + _MARGIN + len(notes) * 20 + (8 if notes else 0)
    parts = [f'<rect class="p" width="{width:g}" height="{height:g}" rx="8"/>']
    for position, (text, anchor) in enumerate(zip(corner, ("end", "start"), strict=True)):
        x, y = (xs[0] - _PADDING, _MARGIN + 20) if position == 0 else (_MARGIN + _PADDING, ys[0] - _PADDING)
        parts.append(_draw_text(x, y, text, "q h", anchor))
    lines = [f"M{_MARGIN} {y:g}H{xs[-1]:g}" for y in ys] + [f"M{x:g} {_MARGIN}V{ys[-1]:g}" for x in xs]
    parts.append(f'<path class="l" d="{"".join(lines)}" fill="none"/>')
    for column, heading in enumerate(headings[1]):
        parts += _draw_lines((xs[column] + xs[column + 1]) / 2, _MARGIN + top / 2, heading, "middle")
    for row, heading in enumerate(headings[0]):
        parts += _draw_lines(_MARGIN + _PADDING, (ys[row] + ys[row + 1]) / 2, heading, "start")
    cells, rings = list[str](), list[str]()
    for row, line in enumerate(cell_parts):
        for column, cell in enumerate(line):
            x, y = (xs[column] + xs[column + 1]) / 2, (ys[row] + ys[row + 1]) / 2
            texts = [f'<tspan text-decoration="underline">{text}</tspan>' if is_best else text for text, is_best in cell]
            cells.append(f'<text x="{x:g}" y="{y + 5:g}">{", ".join(texts)}</text>')
            if grid.are_best_responses_shown and best[row][column] == 3:
                box = f'x="{xs[column] + 4:g}" y="{ys[row] + 4:g}" width="{widths[column] - 8:g}" height="{heights[row] - 8:g}"'
                rings.append(f'<rect class="r" {box} rx="5" fill="none" stroke-width="2"/>')
    parts += [f'<g class="t" text-anchor="middle">{"".join(cells)}</g>', *rings]
    strokes = [
        # The line that strikes out a row is below the middle, so that minus signs stay visible; the line through an
        # eliminated column is left of the payoffs
        f"M{_MARGIN} {(ys[step.strategy] + ys[step.strategy + 1]) / 2 + 4:g}H{xs[-1]:g}"
        if step.player == 0
        else f"M{xs[step.strategy] + 0.2 * widths[step.strategy]:g} {_MARGIN}V{ys[-1]:g}"
        for step in grid.elimination.steps
    ]
    parts.append(f'<path class="s" d="{"".join(strokes)}" stroke-width="2"/>' if strokes else "")
    parts += [_draw_text(_MARGIN, ys[-1] + 24 + position * 20, note, "t", "start") for position, note in enumerate(notes)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img"'
        f' lang="{wording.voice.language}" font-family="{FONT_FAMILY}" font-size="15"><title>{escape(" × ".join(wording.names))}</title>'
        f"<desc>{escape(take_first_lines(format_matrix_text(grid)))}</desc><style>{_STYLE}</style>{''.join(parts)}</svg>"
    )


def _wrap_text(text: str, max_characters: int) -> list[str]:
    """Wrap a text into lines of at most a given number of characters."""
    return wrap(text, max_characters) or [""]


def _measure_text(text: str) -> float:
    """Estimate the width of a text in the matrix picture."""
    return measure_text(text, 1.1 * _FONT_SIZE)  # Estimate with bold characters, because most texts in the picture are bold


def _count_characters(text: str) -> int:
    """Count the visible characters of a text.

    The variation selector after a suit is not visible; it keeps the suit from being displayed as an emoji.
    """
    return len(text) - text.count("\ufe0e")


def _compute_offsets(start: float, sizes: Sequence[float]) -> list[float]:
    """Return where each item of a row starts and where the row ends, given the items' sizes."""
    offsets = [float(start)]
    for size in sizes:
        offsets.append(offsets[-1] + size)
    return offsets


def _draw_text(x: float, y: float, text: str, kind: str, anchor: str) -> str:
    """Draw a text in SVG, aligned at a given point."""
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(text)}</text>'


def _draw_lines(x: float, middle: float, lines: Sequence[str], anchor: str) -> list[str]:
    """Draw several lines of text, vertically centred on a given coordinate."""
    top = middle - (len(lines) - 1) * _LINE_HEIGHT / 2 + 5
    return [_draw_text(x, top + position * _LINE_HEIGHT, line, "t h", anchor) for position, line in enumerate(lines)]
