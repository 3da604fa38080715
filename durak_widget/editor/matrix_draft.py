"""A matrix while it is written: plans, payoffs, players; a value, and what can be done to it: each deed gives the next, or is refused in a sentence."""

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
"""So many rows, and so many columns, a matrix has at most that is written by hand."""
Cell = tuple["Fraction | None", "Fraction | None"]
BLANK: Final[Cell] = (None, None)


@dataclass(frozen=True, slots=True)
class MatrixDraft:
    """A matrix at one moment: its rows are the plans of the first player.

    >>> put(MatrixDraft(), 0, 0, "1, -1").cells[0][0]
    (Fraction(1, 1), Fraction(-1, 1))
    """

    plans: tuple[tuple[str, ...], tuple[str, ...]] = (("A", "B"), ("a", "b"))
    """What the rows are called, and what the columns."""
    cells: tuple[tuple[Cell, ...], ...] = ((BLANK, BLANK), (BLANK, BLANK))
    names: tuple[str, str] = ("Row", "Column")

    def a_plan(self, seat: object, place: object) -> tuple[int, int]:
        """A player and the place of a plan; others are refused.

        >>> MatrixDraft().a_plan(0, 2)
        Traceback (most recent call last):
        durak_widget.board.message_parsing.MessageError: there is no row 2; they are numbered from 0 to 1
        """
        whose, number = a_side(seat), whole_number(place)
        if number is None or not 0 <= number < len(self.plans[whose]):
            what = ("row", "column")[whose]
            raise MessageError(f"there is no {what} {quoted(place)}; they are numbered from 0 to {len(self.plans[whose]) - 1}")
        return whose, number


def a_side(seat: object) -> int:
    """0 for the rows, 1 for the columns; another seat is refused."""
    number = whole_number(seat)
    if number not in (0, 1):
        raise MessageError(f"seat 0 has the rows and seat 1 the columns; there is no seat {quoted(seat)}")
    return number


def draft_of_matrix(matrix: Matrix) -> MatrixDraft:
    """A matrix, to go on with."""
    if max(len(matrix.rows), len(matrix.columns)) > MOST_PLANS:
        raise RefusedError("sketch.refused.plans", most=MOST_PLANS)
    plans = tuple([plan.words for plan in matrix.rows]), tuple([plan.words for plan in matrix.columns])
    return MatrixDraft(plans, matrix.payoffs, (matrix.names[0], matrix.names[1]))


def matrix_of_draft(draft: MatrixDraft) -> Matrix:
    """The matrix that was written; refused in a sentence while something is missing.

    >>> matrix_of_draft(MatrixDraft())
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: “A”, “a”: what this cell is worth is not typed yet; write two numbers, such as 1, 0.
    """
    for _, _, fact in blanks(draft):
        raise RefusedError(fact.key, **fact.facts)
    rows, columns = draft.plans
    return a_matrix(draft.cells, rows=rows, columns=columns, names=draft.names)


def blanks(draft: MatrixDraft) -> Iterator[tuple[int, int, Fact]]:
    """The cells in which something is missing, and that in a sentence."""
    for row, cells in enumerate(draft.cells):
        for column, cell in enumerate(cells):
            if None in cell:
                yield row, column, Fact("sketch.lacks.cell", {"row": draft.plans[0][row], "column": draft.plans[1][column]})


def blanks_said(draft: MatrixDraft, language: str = "en") -> list[str]:
    """What is missing, in sentences."""
    return [Voice(language).say(fact.key, **fact.facts) for _, _, fact in blanks(draft)]


# What can be done


def put(draft: MatrixDraft, row: int, column: int, given: str | Sequence[object]) -> MatrixDraft:
    """What a cell is worth: typed in one line, or one after another; one number alone the second player loses."""
    (_, row), (_, column) = draft.a_plan(0, row), draft.a_plan(1, column)
    cell = _cell(given)
    line = draft.cells[row]
    line = (*line[:column], cell, *line[column + 1 :])
    return replace(draft, cells=(*draft.cells[:row], line, *draft.cells[row + 1 :]))


def _cell(given: str | Sequence[object]) -> Cell:
    if isinstance(given, str):
        if not given.strip():
            return BLANK
        try:
            one, other = input_parsing.payoffs(given, 2)  # first: in 1,5 are two numbers
        except RefusedError:
            alone = input_parsing.read(given)
            if alone is None:
                raise
            return alone, -alone
        return one, other
    if len(given) == 1 and given[0] is not None:
        number = input_parsing.number(given[0])
        return number, -number
    if len(given) != 2:
        raise RefusedError(
            "sketch.refused.payoffs", text=", ".join(map(input_parsing.quoted_short, given)), example=input_parsing.example(2)
        )
    first, second = [None if worth is None else input_parsing.number(worth) for worth in given]
    return first, second


def add_plan(draft: MatrixDraft, seat: int, name: object = "") -> MatrixDraft:
    """One plan more: a row, or a column, of which nothing is typed yet."""
    whose, plans = a_side(seat), draft.plans[a_side(seat)]
    if len(plans) >= MOST_PLANS:
        raise RefusedError("sketch.refused.plans", most=MOST_PLANS)
    said = _new(plans, name) if str(name).strip() else _letter(plans, whose)
    grown = _plans(draft, whose, (*plans, said))
    if whose == 0:
        return replace(grown, cells=(*draft.cells, (BLANK,) * len(draft.plans[1])))
    return replace(grown, cells=tuple([(*line, BLANK) for line in draft.cells]))


def drop_plan(draft: MatrixDraft, seat: int, place: int) -> MatrixDraft:
    """One plan less, with its cells."""
    whose, at = draft.a_plan(seat, place)
    plans = draft.plans[whose]
    if len(plans) == 1:
        raise RefusedError("sketch.refused.last_plan")
    return _ordered(draft, whose, [one for one in range(len(plans)) if one != at])


def shift_plan(draft: MatrixDraft, seat: int, place: int, by: object) -> MatrixDraft:
    """Write a row, or a column, so many places later, or earlier."""
    whose, at = draft.a_plan(seat, place)
    step = whole_number(by)
    if step is None:
        raise MessageError(f"a plan is moved by a whole number of places, such as 1 or -1, not {quoted(by)}")
    order = [one for one in range(len(draft.plans[whose])) if one != at]
    order.insert(max(0, min(at + step, len(order))), at)
    return _ordered(draft, whose, order)


def name_plan(draft: MatrixDraft, seat: int, place: int, name: object) -> MatrixDraft:
    """Call a plan otherwise.

    >>> name_plan(MatrixDraft(), 1, 0, "left").plans
    (('A', 'B'), ('left', 'b'))
    """
    whose, at = draft.a_plan(seat, place)
    plans = draft.plans[whose]
    said = _new(plans[:at] + plans[at + 1 :], name)
    return _plans(draft, whose, (*plans[:at], said, *plans[at + 1 :]))


def name_side(draft: MatrixDraft, seat: int, name: object) -> MatrixDraft:
    """Call a player so; two of one name nobody could tell apart."""
    one, other = draft.names
    said = input_parsing.name(name)
    if said == (one if a_side(seat) else other):
        raise RefusedError("sketch.refused.player_twice", name=said)
    return replace(draft, names=(one, said) if a_side(seat) else (said, other))


def _new(others: Sequence[str], name: object) -> str:
    said = input_parsing.name(name)
    if said in others:
        raise RefusedError("sketch.refused.plan_twice", plan=said)
    return said


def _letter(taken: Sequence[str], seat: int) -> str:
    """What a plan is called of which nobody has said it: as in `board.Matrix`, capitals for the rows."""
    first = ord("aA"[seat == 0])
    return next(one for one in map(chr, range(first, first + 26)) if one not in taken)


def _plans(draft: MatrixDraft, seat: int, plans: tuple[str, ...]) -> MatrixDraft:
    one, other = draft.plans
    return replace(draft, plans=(one, plans) if seat else (plans, other))


def _ordered(draft: MatrixDraft, seat: int, order: Sequence[int]) -> MatrixDraft:
    """Only these plans, in this order."""
    plans = tuple([draft.plans[seat][one] for one in order])
    if seat == 0:
        cells = tuple([draft.cells[one] for one in order])
    else:
        cells = tuple([tuple([line[one] for one in order]) for line in draft.cells])
    return replace(_plans(draft, seat, plans), cells=cells)
