"""The unfinished matrix that the editor works on, as an immutable value, and its edits.

Each edit returns the next draft, or refuses an impossible change with a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from durak_widget.board.message_parsing import MessageError
from durak_widget.editor import input_parsing
from durak_widget.errors import quoted, whole_number
from durak_widget.gametheory.bimatrix_equilibria import a_matrix
from durak_widget.i18n import Fact, Voice
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from durak_widget.gametheory.strategic_form import Matrix

MOST_PLANS: Final = 20
"""The most rows, and the most columns, of a matrix written by hand."""
Cell = tuple["Fraction | None", "Fraction | None"]
BLANK: Final[Cell] = (None, None)


@dataclass(frozen=True, slots=True)
class MatrixDraft:
    """A matrix at one moment; its rows are the strategies of the first player.

    >>> put(MatrixDraft(), 0, 0, "1, -1").cells[0][0]
    (Fraction(1, 1), Fraction(-1, 1))
    """

    plans: tuple[tuple[str, ...], tuple[str, ...]] = (("A", "B"), ("a", "b"))
    """The names of the rows and of the columns."""
    cells: tuple[tuple[Cell, ...], ...] = ((BLANK, BLANK), (BLANK, BLANK))
    names: tuple[str, str] = ("Row", "Column")

    def a_plan(self, seat: object, place: object) -> tuple[int, int]:
        """Return a player and the index of a strategy; refuse others.

        >>> MatrixDraft().a_plan(0, 2)
        Traceback (most recent call last):
        durak_widget.board.message_parsing.MessageError: there is no row 2; they are numbered from 0 to 1
        """
        side, index = a_side(seat), whole_number(place)
        if index is None or not 0 <= index < len(self.plans[side]):
            noun = ("row", "column")[side]
            raise MessageError(f"there is no {noun} {quoted(place)}; they are numbered from 0 to {len(self.plans[side]) - 1}")
        return side, index


def a_side(seat: object) -> int:
    """Return 0 for the rows or 1 for the columns; refuse another player."""
    number = whole_number(seat)
    if number not in (0, 1):
        raise MessageError(f"seat 0 has the rows and seat 1 the columns; there is no seat {quoted(seat)}")
    return number


def draft_of_matrix(matrix: Matrix) -> MatrixDraft:
    """Return a draft of a matrix."""
    if max(len(matrix.rows), len(matrix.columns)) > MOST_PLANS:
        raise RefusedError("sketch.refused.plans", most=MOST_PLANS)
    strategies = tuple([strategy.words for strategy in matrix.rows]), tuple([strategy.words for strategy in matrix.columns])
    return MatrixDraft(strategies, matrix.payoffs, (matrix.names[0], matrix.names[1]))


def matrix_of_draft(draft: MatrixDraft) -> Matrix:
    """Return the matrix of a draft; refuse a draft in which something is missing.

    >>> matrix_of_draft(MatrixDraft())
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: “A”, “a”: what this cell is worth is not typed yet; write two numbers, such as 1, 0.
    """
    for _, _, fact in blanks(draft):
        raise RefusedError(fact.key, **fact.facts)
    rows, columns = draft.plans
    return a_matrix(draft.cells, rows=rows, columns=columns, names=draft.names)


def blanks(draft: MatrixDraft) -> Iterator[tuple[int, int, Fact]]:
    """Yield the incomplete cells, each with a sentence that says so."""
    for row, cells in enumerate(draft.cells):
        for column, cell in enumerate(cells):
            if None in cell:
                yield row, column, Fact("sketch.lacks.cell", {"row": draft.plans[0][row], "column": draft.plans[1][column]})


def blanks_said(draft: MatrixDraft, language: str = "en") -> list[str]:
    """Return the sentences about all incomplete cells."""
    return [Voice(language).say(fact.key, **fact.facts) for _, _, fact in blanks(draft)]


def put(draft: MatrixDraft, row: int, column: int, given: str | Sequence[object]) -> MatrixDraft:
    """Set the payoffs of a cell, typed in one line or given as a list.

    If there is only one number, the second player gets its negative.
    """
    (_, row), (_, column) = draft.a_plan(0, row), draft.a_plan(1, column)
    cell = _cell(given)
    row_cells = draft.cells[row]
    row_cells = (*row_cells[:column], cell, *row_cells[column + 1 :])
    return replace(draft, cells=(*draft.cells[:row], row_cells, *draft.cells[row + 1 :]))


def _cell(given: str | Sequence[object]) -> Cell:
    if isinstance(given, str):
        if not given.strip():
            return BLANK
        try:
            row_payoff, column_payoff = input_parsing.payoffs(given, 2)  # two payoffs are tried first: "1,5" is two numbers
        except RefusedError:
            single = input_parsing.read(given)
            if single is None:
                raise
            return single, -single
        return row_payoff, column_payoff
    if len(given) == 1 and given[0] is not None:
        number = input_parsing.number(given[0])
        return number, -number
    if len(given) != 2:
        raise RefusedError(
            "sketch.refused.payoffs", text=", ".join(map(input_parsing.quoted_short, given)), example=input_parsing.example(2)
        )
    first, second = [None if payoff is None else input_parsing.number(payoff) for payoff in given]
    return first, second


def add_plan(draft: MatrixDraft, seat: int, name: object = "") -> MatrixDraft:
    """Add a strategy: a row or a column of empty cells."""
    side, strategies = a_side(seat), draft.plans[a_side(seat)]
    if len(strategies) >= MOST_PLANS:
        raise RefusedError("sketch.refused.plans", most=MOST_PLANS)
    label = _new(strategies, name) if str(name).strip() else _letter(strategies, side)
    extended = _plans(draft, side, (*strategies, label))
    if side == 0:
        return replace(extended, cells=(*draft.cells, (BLANK,) * len(draft.plans[1])))
    return replace(extended, cells=tuple([(*row, BLANK) for row in draft.cells]))


def drop_plan(draft: MatrixDraft, seat: int, place: int) -> MatrixDraft:
    """Remove a strategy with its cells."""
    side, index = draft.a_plan(seat, place)
    strategies = draft.plans[side]
    if len(strategies) == 1:
        raise RefusedError("sketch.refused.last_plan")
    return _ordered(draft, side, [other for other in range(len(strategies)) if other != index])


def shift_plan(draft: MatrixDraft, seat: int, place: int, by: object) -> MatrixDraft:
    """Move a row or a column by some positions; negative numbers move it back."""
    side, index = draft.a_plan(seat, place)
    step = whole_number(by)
    if step is None:
        raise MessageError(f"a plan is moved by a whole number of places, such as 1 or -1, not {quoted(by)}")
    order = [other for other in range(len(draft.plans[side])) if other != index]
    order.insert(max(0, min(index + step, len(order))), index)
    return _ordered(draft, side, order)


def name_plan(draft: MatrixDraft, seat: int, place: int, name: object) -> MatrixDraft:
    """Rename a strategy.

    >>> name_plan(MatrixDraft(), 1, 0, "left").plans
    (('A', 'B'), ('left', 'b'))
    """
    side, index = draft.a_plan(seat, place)
    strategies = draft.plans[side]
    label = _new(strategies[:index] + strategies[index + 1 :], name)
    return _plans(draft, side, (*strategies[:index], label, *strategies[index + 1 :]))


def name_side(draft: MatrixDraft, seat: int, name: object) -> MatrixDraft:
    """Rename a player; refuse the name of the other player."""
    row_name, column_name = draft.names
    new_name = input_parsing.name(name)
    if new_name == (row_name if a_side(seat) else column_name):
        raise RefusedError("sketch.refused.player_twice", name=new_name)
    return replace(draft, names=(row_name, new_name) if a_side(seat) else (new_name, column_name))


def _new(others: Sequence[str], name: object) -> str:
    label = input_parsing.name(name)
    if label in others:
        raise RefusedError("sketch.refused.plan_twice", plan=label)
    return label


def _letter(taken: Sequence[str], seat: int) -> str:
    """Return the first free letter for a new strategy, as in `board.Matrix`: "C" or "c"."""
    first = ord("aA"[seat == 0])
    return next(letter for letter in map(chr, range(first, first + 26)) if letter not in taken)


def _plans(draft: MatrixDraft, seat: int, plans: tuple[str, ...]) -> MatrixDraft:
    row_strategies, column_strategies = draft.plans
    return replace(draft, plans=(row_strategies, plans) if seat else (plans, column_strategies))


def _ordered(draft: MatrixDraft, seat: int, order: Sequence[int]) -> MatrixDraft:
    """Return a draft with only these strategies, in this order."""
    strategies = tuple([draft.plans[seat][index] for index in order])
    if seat == 0:
        cells = tuple([draft.cells[index] for index in order])
    else:
        cells = tuple([tuple([row[index] for index in order]) for row in draft.cells])
    return replace(_plans(draft, seat, strategies), cells=cells)
