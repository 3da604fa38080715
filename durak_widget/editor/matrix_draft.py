"""The unfinished matrix in a matrix editor, as an immutable value, and the edits of it.

Each edit returns a new draft, or raises an error that explains why the edit is impossible.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from durak_widget.board.message_parsing import MessageError
from durak_widget.editor import input_parsing
from durak_widget.errors import as_whole_number, short_repr
from durak_widget.gametheory.bimatrix_equilibria import to_matrix
from durak_widget.i18n import TranslatableText, Translator
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from durak_widget.gametheory.strategic_form import Matrix

MAX_STRATEGIES: Final = 20
"""The maximum number of rows, and of columns, of a matrix in the editor."""
_MAX_TABLE_LENGTH: Final = 20_000
"""The maximum length, in characters, of the text of a pasted table."""
Cell = tuple["Fraction | None", "Fraction | None"]
EMPTY_CELL: Final[Cell] = (None, None)


@dataclass(frozen=True, slots=True)
class MatrixDraft:
    """A draft of a payoff matrix; the first player chooses the row, the second the column.

    >>> set_cell(MatrixDraft(), 0, 0, "1, -1").cells[0][0]
    (Fraction(1, 1), Fraction(-1, 1))
    """

    strategies: tuple[tuple[str, ...], tuple[str, ...]] = (("A", "B"), ("a", "b"))
    """The names of all rows (the first player's strategies), and the names of all columns."""
    cells: tuple[tuple[Cell, ...], ...] = ((EMPTY_CELL, EMPTY_CELL), (EMPTY_CELL, EMPTY_CELL))
    names: tuple[str, str] = ("Row", "Column")

    def require_strategy(self, player: object, strategy: object) -> tuple[int, int]:
        """Return the numbers of a player and a strategy; raise an error if either does not exist.

        >>> MatrixDraft().require_strategy(0, 2)
        Traceback (most recent call last):
        durak_widget.board.message_parsing.MessageError: there is no row 2; they are numbered from 0 to 1
        """
        side, index = require_player(player), as_whole_number(strategy)
        if index is None or not 0 <= index < len(self.strategies[side]):
            noun = ("row", "column")[side]
            raise MessageError(f"there is no {noun} {short_repr(strategy)}; they are numbered from 0 to {len(self.strategies[side]) - 1}")
        return side, index


def require_player(player: object) -> int:
    """Return 0 for the row player or 1 for the column player; reject any other value."""
    number = as_whole_number(player)
    if number not in (0, 1):
        raise MessageError(f"player must be 0, which has the rows, or 1, which has the columns, not {short_repr(player)}")
    return number


def draft_from_matrix(matrix: Matrix) -> MatrixDraft:
    """Convert a matrix to a draft that can be edited."""
    if max(len(matrix.rows), len(matrix.columns)) > MAX_STRATEGIES:
        raise RefusedError("sketch.refused.plans", most=MAX_STRATEGIES)
    strategies = tuple([strategy.short_label for strategy in matrix.rows]), tuple([strategy.short_label for strategy in matrix.columns])
    return MatrixDraft(strategies, matrix.payoffs, (matrix.names[0], matrix.names[1]))


def matrix_from_draft(draft: MatrixDraft) -> Matrix:
    """Convert a finished draft to a matrix; raise an error if a payoff is missing.

    >>> matrix_from_draft(MatrixDraft())
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: The cell for “A” and “a” is empty. Write two payoffs, such as 1, 0.
    """
    for _, _, fact in find_incomplete_cells(draft):
        raise RefusedError(fact.key, **fact.facts)
    rows, columns = draft.strategies
    return to_matrix(draft.cells, rows=rows, columns=columns, names=draft.names)


def find_incomplete_cells(draft: MatrixDraft) -> Iterator[tuple[int, int, TranslatableText]]:
    """Yield each cell that lacks a payoff, with a sentence about the missing payoff."""
    for row, cells in enumerate(draft.cells):
        for column, cell in enumerate(cells):
            if None in cell:
                yield (
                    row,
                    column,
                    TranslatableText("sketch.lacks.cell", {"row": draft.strategies[0][row], "column": draft.strategies[1][column]}),
                )


def describe_incomplete_cells(draft: MatrixDraft, language: str = "en") -> list[str]:
    """Return a sentence about each cell that lacks a payoff."""
    return [Translator(language).translate(fact.key, **fact.facts) for _, _, fact in find_incomplete_cells(draft)]


def set_cell(draft: MatrixDraft, row: int, column: int, payoffs: str | Sequence[object]) -> MatrixDraft:
    """Set the payoffs of a matrix cell, given as one line of text or as a list of numbers.

    If there is only one number, the second player gets its negative.
    """
    (_, row), (_, column) = draft.require_strategy(0, row), draft.require_strategy(1, column)
    cell = _parse_cell(payoffs)
    row_cells = draft.cells[row]
    row_cells = (*row_cells[:column], cell, *row_cells[column + 1 :])
    return replace(draft, cells=(*draft.cells[:row], row_cells, *draft.cells[row + 1 :]))


def _parse_cell(payoffs: str | Sequence[object]) -> Cell:
    """Parse the two payoffs of a cell.

    If only one payoff is given, the second payoff is the same number with the opposite sign.
    """
    if isinstance(payoffs, str):
        if not payoffs.strip():
            return EMPTY_CELL
        try:
            # Try to read two payoffs first, so that "1,5" means 1 and 5, not one and a half
            row_payoff, column_payoff = input_parsing.parse_payoffs(payoffs, 2)
        except RefusedError:
            single = input_parsing.parse_number_or_product(payoffs)
            if single is None:
                raise
            return single, -single
        return row_payoff, column_payoff
    if len(payoffs) == 1 and payoffs[0] is not None:
        number = input_parsing.parse_number(payoffs[0])
        return number, -number
    if len(payoffs) != 2:
        raise RefusedError(
            "sketch.refused.payoffs",
            text=", ".join(map(input_parsing.quote_input, payoffs)),
            example=input_parsing.format_example_payoffs(2),
        )
    first, second = [None if payoff is None else input_parsing.parse_number(payoff) for payoff in payoffs]
    return first, second


def split_table(text: str) -> list[list[str]]:
    r"""Split the text of a table into rows of cells.

    Spreadsheets copy a table so: tabs between cells, and a line for each row.

    >>> split_table("1 0\t2,1\r\n\t3\r\n")
    [['1 0', '2,1'], ['', '3']]
    """
    if len(text) > _MAX_TABLE_LENGTH:
        raise RefusedError("sketch.refused.plans", most=MAX_STRATEGIES)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n").split("\n")
    if "\t" in text:
        lines = [line for line in lines if line]  # An empty row of two or more cells has a tab
    return [["".join([sign if sign.isprintable() else " " for sign in cell]) for cell in line.split("\t")] for line in lines]


def paste_table(draft: MatrixDraft, row: int, column: int, table: Sequence[Sequence[str]]) -> MatrixDraft:
    """Set the payoffs of cells from a given one on.

    Rows and columns are added if the table needs them.

    >>> paste_table(MatrixDraft(), 1, 0, [["1", "2", "3"]]).strategies
    (('A', 'B'), ('a', 'b', 'c'))
    """
    (_, row), (_, column) = draft.require_strategy(0, row), draft.require_strategy(1, column)
    sizes = row + len(table), column + max(map(len, table), default=0)
    if max(sizes) > MAX_STRATEGIES:
        raise RefusedError("sketch.refused.plans", most=MAX_STRATEGIES)
    for player, size in enumerate(sizes):
        for _ in range(len(draft.strategies[player]), size):
            draft = add_strategy(draft, player)
    for row_offset, texts in enumerate(table):
        for column_offset, text in enumerate(texts):
            _require_payoffs(text, row_offset, column_offset)
            draft = set_cell(draft, row + row_offset, column + column_offset, text)
    return draft


def _require_payoffs(text: str, row: int, column: int) -> None:
    """Raise an error that names the place in a pasted table if its cell can't be read."""
    try:
        _parse_cell(text)
    except RefusedError as error:
        reason = TranslatableText(error.key, error.facts)
        raise RefusedError("sketch.refused.table", row=row + 1, column=column + 1, why=reason) from None


def add_strategy(draft: MatrixDraft, player: int, name: object = "") -> MatrixDraft:
    """Add a strategy with empty cells: a row for player 0, or a column for player 1."""
    side, strategies = require_player(player), draft.strategies[require_player(player)]
    if len(strategies) >= MAX_STRATEGIES:
        raise RefusedError("sketch.refused.plans", most=MAX_STRATEGIES)
    label = _require_unique_name(strategies, name) if str(name).strip() else _find_free_letter(strategies, side)
    extended = _replace_strategies(draft, side, (*strategies, label))
    if side == 0:
        return replace(extended, cells=(*draft.cells, (EMPTY_CELL,) * len(draft.strategies[1])))
    return replace(extended, cells=tuple([(*row, EMPTY_CELL) for row in draft.cells]))


def remove_strategy(draft: MatrixDraft, player: int, strategy: int) -> MatrixDraft:
    """Remove a strategy from the matrix, with all cells of its row or column."""
    side, index = draft.require_strategy(player, strategy)
    strategies = draft.strategies[side]
    if len(strategies) == 1:
        raise RefusedError("sketch.refused.last_plan")
    return _select_strategies(draft, side, [other for other in range(len(strategies)) if other != index])


def shift_strategy(draft: MatrixDraft, player: int, strategy: int, offset: object) -> MatrixDraft:
    """Move a row down or a column to the right by `offset` places.

    A negative offset moves a row up or a column to the left.
    """
    side, index = draft.require_strategy(player, strategy)
    step = as_whole_number(offset)
    if step is None:
        raise MessageError(f"a row or column moves by a whole number of positions, such as 1 or -1, not {short_repr(offset)}")
    order = [other for other in range(len(draft.strategies[side])) if other != index]
    order.insert(max(0, min(index + step, len(order))), index)
    return _select_strategies(draft, side, order)


def rename_strategy(draft: MatrixDraft, player: int, strategy: int, name: object) -> MatrixDraft:
    """Rename a row or a column of the matrix.

    >>> rename_strategy(MatrixDraft(), 1, 0, "left").strategies
    (('A', 'B'), ('left', 'b'))
    """
    side, index = draft.require_strategy(player, strategy)
    strategies = draft.strategies[side]
    label = _require_unique_name(strategies[:index] + strategies[index + 1 :], name)
    return _replace_strategies(draft, side, (*strategies[:index], label, *strategies[index + 1 :]))


def rename_player(draft: MatrixDraft, player: int, name: object) -> MatrixDraft:
    """Rename a player; raise an error if the other player has the same name."""
    row_name, column_name = draft.names
    new_name = input_parsing.parse_name(name)
    if new_name == (row_name if require_player(player) else column_name):
        raise RefusedError("sketch.refused.player_twice", name=new_name)
    return replace(draft, names=(row_name, new_name) if require_player(player) else (new_name, column_name))


def _require_unique_name(other_names: Sequence[str], name: object) -> str:
    """Return a strategy's name on one line; raise an error if another strategy has this name."""
    label = input_parsing.parse_name(name)
    if label in other_names:
        raise RefusedError("sketch.refused.plan_twice", plan=label)
    return label


def _find_free_letter(used_names: Sequence[str], player: int) -> str:
    """Return an unused letter to name a new strategy.

    The letter is a capital for a row, and a small letter for a column.
    """
    first = ord("aA"[player == 0])
    return next(letter for letter in map(chr, range(first, first + 26)) if letter not in used_names)


def _replace_strategies(draft: MatrixDraft, player: int, strategies: tuple[str, ...]) -> MatrixDraft:
    """Return a copy of the draft in which one player's strategies have other names."""
    row_strategies, column_strategies = draft.strategies
    return replace(draft, strategies=(row_strategies, strategies) if player else (strategies, column_strategies))


def _select_strategies(draft: MatrixDraft, player: int, order: Sequence[int]) -> MatrixDraft:
    """Return the draft with only the given rows (or columns), in the given order."""
    strategies = tuple([draft.strategies[player][index] for index in order])
    if player == 0:
        cells = tuple([draft.cells[index] for index in order])
    else:
        cells = tuple([tuple([row[index] for index in order]) for row in draft.cells])
    return replace(_replace_strategies(draft, player, strategies), cells=cells)
