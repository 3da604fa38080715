"""Equilibria to be marked in a matrix: the cells that neither player leaves alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from durak_widget.board.number_format import number_said
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.answer_parsing import asked_as
from durak_widget.exercises.best_response_question import cells_lettered, cells_written
from durak_widget.exercises.blackboard_exercise import Asked, Still, ToldPart
from durak_widget.exercises.blackboard_serialization import plain_table
from durak_widget.exercises.dominance_question import worth
from durak_widget.exercises.exercise import Opinion
from durak_widget.exercises.node_and_cell_lookup import PlanOf, named_cell, plans_of, player_name
from durak_widget.exercises.paper_form import Blank, HandWork
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.node_and_cell_lookup import Cell
    from durak_widget.exercises.paper_form import Written
    from durak_widget.gametheory.strategic_form import Matrix

Cells = tuple[tuple[int, int], ...]
"""Rows and columns, by their places."""


class InCells(Asked[Cells]):
    """From which cells does neither gain by going away alone? Both payoffs of a cell are marked at once."""

    asks = "best"
    guessed = True

    def __init__(self, table: Matrix, question: Text) -> None:
        self.table = table
        self.question = asked_as(
            question, Fact("lesson.matrix.cells", {"who": player_name(table.names, 0), "next": player_name(table.names, 1)})
        )
        every = [(row, column) for row in range(len(table.rows)) for column in range(len(table.columns))]
        self._right: Cells = tuple([cell for cell in every if not any(self._better(seat, cell) is not None for seat in (0, 1))])

    def _better(self, seat: int, cell: Cell) -> int | None:
        """What serves a player best against what the other does there, where that is better than what stands there."""
        mine, theirs = (cell[1], cell[0]) if seat else cell
        best = max(range(len(plans_of(self.table, seat))), key=lambda one: worth(self.table, seat, one, theirs))
        return best if worth(self.table, seat, best, theirs) > worth(self.table, seat, mine, theirs) else None

    def blank(self) -> Cells:
        """Nothing is marked yet."""
        return ()

    def read(self, answer: object) -> Cells:
        """Cells by their rows and columns."""
        if not isinstance(answer, (list, tuple)):
            raise DurakError(f"cells are given by their rows and columns, as in [(0, 1)], not as {quoted(answer)}")
        return tuple(dict.fromkeys([named_cell(self.table, cell) for cell in answer]))

    def take(self, given: Cells, message: Mapping[str, object]) -> Cells:
        """A cell is marked, or no more."""
        one = named_cell(self.table, (message.get("row"), message.get("column")))
        return tuple(two for two in given if two != one) if one in given else (*given, one)

    def plain(self, given: Cells) -> object:
        """Cells by row and column."""
        return [list(one) for one in given]

    def stands(self, key: str, before: Cells, now: Cells) -> bool:
        """A mark stands while its cell is marked."""
        row, column = map(int, key.split(","))
        return ((row, column) in before) is ((row, column) in now)

    def open(self, given: Cells) -> Sequence[Text]:
        """To do nothing is an answer, and is said to be one."""
        return [] if given else [Fact("class.kept.blank")]

    def judge(self, given: Cells) -> Opinion:
        """Of each cell who leaves it, and for what."""
        wrong = [one for one in sorted(given) if one not in self._right]
        missed = [one for one in self._right if one not in given]
        marks = {",".join(map(str, one)): "right" if one in self._right else "wrong" for one in given}
        if not wrong and not missed:
            return Opinion(marks, [self._told()], True)
        why: list[Text] = [self._left(one) for one in wrong[:2]]
        if not missed:
            return Opinion(marks, why, False)
        left = Fact("lesson.matrix.cells.missing", {"count": len(missed)})
        return Opinion(marks, [*why, left], False, [*why, Fact("lesson.matrix.cells.missed", self._named(missed[0]))])

    def _named(self, cell: Cell) -> dict[str, object]:
        return {"row": PlanOf(0, cell[0]), "column": PlanOf(1, cell[1])}

    def _left(self, cell: Cell) -> Text:
        """Who gains by leaving a cell, and how."""
        seat, better = next((seat, one) for seat in (0, 1) if (one := self._better(seat, cell)) is not None)
        mine, theirs = (cell[1], cell[0]) if seat else cell
        values = {
            "mine": number_said(worth(self.table, seat, mine, theirs)),
            "more": number_said(worth(self.table, seat, better, theirs)),
        }
        facts = {"who": player_name(self.table.names, seat), "better": PlanOf(seat, better), **values}
        return Fact("lesson.matrix.cells.left", {**self._named(cell), **facts})

    def _told(self) -> Text:
        """All of them, or that there is none."""
        if not self._right:
            return Fact("lesson.matrix.cells.none")
        told = tuple(Fact("lesson.matrix.best.cell", self._named(cell)) for cell in self._right[:6])
        return Fact("lesson.matrix.cells.right", {"cells": told})

    @property
    def solution(self) -> Sequence[object]:
        """All of them."""
        return list(self._right)

    def ready_made(self) -> dict[str, Any]:
        """The table, of which whole cells are marked."""
        return {"table": plain_table(self.table), "whole": True}

    def on_sheet(self) -> HandWork:
        """Cells are written down by the letter of their column and the number of their row."""
        cells = cells_lettered(self.table)

        def read(written: Written) -> object:
            return cells_written(written[""], cells) if written[""] else None

        def write() -> Written:
            return {"": " ".join(one for one, cell in cells.items() if cell in self._right) or "–"}

        return HandWork({}, (Blank("", "", "line"),), read, write)

    def told(self, given: Cells, marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """Each cell by its plans."""
        if not given:
            return [ToldPart("", Fact("lesson.matrix.cells.none"), "")]
        return [
            ToldPart(Fact("lesson.matrix.best.cell", self._named(one)), "×", marks.get(",".join(map(str, one)), ""))
            for one in sorted(given)
        ]

    def still(self, given: Cells | None, marks: Mapping[str, str]) -> Still:  # noqa: ARG002 - what is right is told in words
        """The matrix as it was given."""
        return Still(table=self.table)

    def shown(self, given: Cells, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:  # noqa: ARG002 - the view asks whether it is over
        """What is marked, and what was thought of it: of both payoffs alike."""
        return {
            "whole": True,
            "marked": [[seat, *one] for one in given for seat in (0, 1)],
            "marks": {f"{seat},{key}": mark for key, mark in marks.items() for seat in (0, 1)},
        }
