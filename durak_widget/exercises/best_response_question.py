"""Best responses to be marked in a matrix: against each plan of the other, what serves a player best?"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from durak_widget.board.number_format import number_said
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.answer_parsing import asked_as
from durak_widget.exercises.blackboard_exercise import Asked, Still, ToldPart
from durak_widget.exercises.blackboard_serialization import plain_table
from durak_widget.exercises.dominance_question import worth
from durak_widget.exercises.exercise import Opinion
from durak_widget.exercises.node_and_cell_lookup import PlanOf, named_cell, plans_of, player_name, seat_of
from durak_widget.exercises.paper_form import NONE, Blank, HandWork, bare_text, letters_for
from durak_widget.i18n import Fact
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import Written
    from durak_widget.gametheory.strategic_form import Matrix

Mark = tuple[int, int, int]
"""Whose payoff, in which row, in which column."""
Marks = tuple[Mark, ...]


class Best(Asked[Marks]):
    """What does each answer best?"""

    asks = "best"
    guessed = True

    def __init__(self, table: Matrix, question: Text) -> None:
        self.table = table
        self.question = asked_as(
            question, Fact("lesson.matrix.best", {"who": player_name(table.names, 0), "next": player_name(table.names, 1)})
        )
        self._right: Marks = tuple(
            (seat, row, column)
            for row in range(len(table.rows))
            for column in range(len(table.columns))
            for seat in (0, 1)
            if self._worth(seat, row, column) == self._most(seat, row, column)
        )

    def _worth(self, seat: int, row: int, column: int) -> object:
        return self.table.payoffs[row][column][seat]

    def _most(self, seat: int, row: int, column: int) -> object:
        """The most that a seat can get against what the other does in this cell."""
        theirs = row if seat else column
        return max(worth(self.table, seat, mine, theirs) for mine in range(len(plans_of(self.table, seat))))

    def blank(self) -> Marks:
        """Nothing is marked yet."""
        return ()

    def read(self, answer: object) -> Marks:
        """Marks: whose payoff, in which row and column."""
        if not isinstance(answer, (list, tuple)):
            raise DurakError(f"marks are given as in [(0, 0, 1)]: whose payoff, in which row and column, not as {quoted(answer)}")
        return tuple(dict.fromkeys(map(self._mark, answer)))

    def take(self, given: Marks, message: Mapping[str, object]) -> Marks:
        """A payoff is marked, or no more."""
        one = self._mark((message.get("seat"), message.get("row"), message.get("column")))
        return tuple(two for two in given if two != one) if one in given else (*given, one)

    def _mark(self, mark: object) -> Mark:
        if not isinstance(mark, (list, tuple)) or len(mark) != 3:
            raise DurakError(f"a mark is given by whose payoff it is, its row and its column, as in (0, 0, 1), not by {quoted(mark)}")
        return (seat_of(self.table, mark[0]), *named_cell(self.table, mark[1:]))

    def plain(self, given: Marks) -> object:
        """Marks by seat, row and column."""
        return [list(one) for one in given]

    def stands(self, key: str, before: Marks, now: Marks) -> bool:
        """A mark stands while its payoff is marked."""
        seat, row, column = map(int, key.split(","))
        return ((seat, row, column) in before) is ((seat, row, column) in now)

    def open(self, given: Marks) -> Sequence[Text]:
        """To do nothing is an answer, and is said to be one."""
        return [] if given else [Fact("class.kept.blank")]

    def judge(self, given: Marks) -> Opinion:
        """Each mark by the column or the row that it is best in."""
        wrong = [one for one in sorted(given) if one not in self._right]
        missed = [one for one in sorted(self._right) if one not in given]
        marks = {",".join(map(str, one)): "right" if one in self._right else "wrong" for one in given}
        if not wrong and not missed:
            return Opinion(marks, self.equilibria(), True)
        why: list[Text] = [self._compared("wrong", *one) for one in wrong[:2]]
        if not missed:
            return Opinion(marks, why, False)
        left = Fact("lesson.matrix.best.missing", {"count": len(missed)})
        return Opinion(marks, [*why, left], False, [*why, self._compared("missed", *missed[0])])

    def told(self, given: Marks, marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """Each payoff that is marked, by its player and its cell."""
        return [
            ToldPart(
                Fact("lesson.matrix.best.cell", {"row": PlanOf(0, row), "column": PlanOf(1, column)}),
                Fact("lesson.matrix.best.of", {"who": player_name(self.table.names, seat)}),
                marks.get(f"{seat},{row},{column}", ""),
            )
            for seat, row, column in sorted(given, key=lambda one: (one[1:], one[0]))
        ]

    def still(self, given: Marks | None, marks: Mapping[str, str]) -> Still:  # noqa: ARG002 - what is right is told in words
        """The matrix as it was given."""
        return Still(table=self.table)

    def _compared(self, kind: str, seat: int, row: int, column: int) -> Text:
        """What a payoff is compared with, and how that comes out."""
        mine, theirs = (column, row) if seat else (row, column)
        plans = plans_of(self.table, seat)
        other = max(range(len(plans)), key=lambda one: (worth(self.table, seat, one, theirs), one != mine))
        facts = {"who": player_name(self.table.names, seat), "against": PlanOf(1 - seat, theirs), "plan": PlanOf(seat, mine)}
        if kind == "wrong":
            facts |= {"better": PlanOf(seat, other), "more": number_said(worth(self.table, seat, other, theirs))}
        return Fact(f"lesson.matrix.best.{kind}", {**facts, "mine": number_said(worth(self.table, seat, mine, theirs))})

    def equilibria(self) -> list[Text]:
        """The cells in which both payoffs are marked, read off."""
        found = [(row, column) for seat, row, column in self._right if seat == 0 and (1, row, column) in self._right]
        if not found:
            return [Fact("lesson.matrix.best.none")]
        told = tuple(Fact("lesson.matrix.best.cell", {"row": PlanOf(0, row), "column": PlanOf(1, column)}) for row, column in found[:6])
        return [Fact("lesson.matrix.best.equilibria", {"count": len(found), "cells": told})]

    @property
    def solution(self) -> Sequence[object]:
        """All best responses."""
        return list(self._right)

    def ready_made(self) -> dict[str, object]:
        """The matrix."""
        return {"table": plain_table(self.table)}

    def on_sheet(self) -> HandWork:
        """Cells are named by the letter of their column and the number of their row: those in which a payoff is best are written down, for each player."""
        cells = cells_lettered(self.table)
        sides = dict(zip(letters_for(2), (0, 1), strict=True))

        def read(written: Written) -> object:
            given: list[Mark] = []
            for label, seat in sides.items():
                given += [(seat, *cell) for cell in cells_written(written[label], cells)]
            return given if any(written.values()) else None

        def write() -> Written:
            named = {cell: one for one, cell in cells.items()}
            return {
                label: " ".join(named[row, column] for seat, row, column in self._right if seat == side) for label, side in sides.items()
            }

        said = [str(name) for name in self.table.names]
        return HandWork({}, tuple(Blank(label, said[seat], "line") for label, seat in sides.items()), read, write)

    def shown(self, given: Marks, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:  # noqa: ARG002 - the view asks whether it is over
        """What is marked, and what was thought of it."""
        return {"marked": [list(one) for one in given], "marks": dict(marks)}


def cells_lettered(table: Matrix) -> dict[str, tuple[int, int]]:
    """The cells of a table by the letter of their column and the number of their row, as a sheet of paper has them.

    >>> from durak_widget.exercises.node_and_cell_lookup import matrix_given
    >>> cells_lettered(matrix_given([[1, 2], [3, 4]]))
    {'a1': (0, 0), 'b1': (0, 1), 'a2': (1, 0), 'b2': (1, 1)}
    """
    letters = letters_for(len(table.columns))
    return {f"{letter}{row + 1}": (row, column) for row in range(len(table.rows)) for column, letter in enumerate(letters)}


def cells_written(text: str, cells: Mapping[str, tuple[int, int]]) -> list[tuple[int, int]]:
    """The cells that somebody has written down, or a dash for none.

    >>> cells_written("B1, a1", {"a1": (0, 0), "b1": (0, 1)}), cells_written("–", {})
    ([(0, 1), (0, 0)], [])
    """
    said = bare_text(text)
    found = [] if said in NONE else re.findall(r"[^\s,;.]+", said.casefold())
    for one in found:
        if one not in cells:
            raise RefusedError("lesson.hand.no_cell", text=one[:20], last=list(cells)[-1])
    return [cells[one] for one in found]
