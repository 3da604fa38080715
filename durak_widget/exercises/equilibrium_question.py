"""A question about equilibria: the student marks the cells that no player wants to leave."""

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
"""Cells by row and column."""


class InCells(Asked[Cells]):
    """The question in which cells neither player gains by a change of strategy.

    Both payoffs of a cell are marked together.
    """

    asks = "best"
    guessed = True

    def __init__(self, table: Matrix, question: Text) -> None:
        self.table = table
        self.question = asked_as(
            question, Fact("lesson.matrix.cells", {"who": player_name(table.names, 0), "next": player_name(table.names, 1)})
        )
        cells = [(row, column) for row in range(len(table.rows)) for column in range(len(table.columns))]
        self._right: Cells = tuple([cell for cell in cells if not any(self._better(player, cell) is not None for player in (0, 1))])

    def _better(self, seat: int, cell: Cell) -> int | None:
        """Return the player's best strategy in this cell, if it is better than the current one."""
        own_strategy, other_strategy = (cell[1], cell[0]) if seat else cell
        best = max(range(len(plans_of(self.table, seat))), key=lambda strategy: worth(self.table, seat, strategy, other_strategy))
        return best if worth(self.table, seat, best, other_strategy) > worth(self.table, seat, own_strategy, other_strategy) else None

    def blank(self) -> Cells:
        """Return the answer without any marks."""
        return ()

    def read(self, answer: object) -> Cells:
        """Parse cells from their rows and columns."""
        if not isinstance(answer, (list, tuple)):
            raise DurakError(f"cells are given by their rows and columns, as in [(0, 1)], not as {quoted(answer)}")
        return tuple(dict.fromkeys([named_cell(self.table, cell) for cell in answer]))

    def take(self, given: Cells, message: Mapping[str, object]) -> Cells:
        """Mark a cell, or remove its mark."""
        cell = named_cell(self.table, (message.get("row"), message.get("column")))
        return tuple(other for other in given if other != cell) if cell in given else (*given, cell)

    def plain(self, given: Cells) -> object:
        """Return the cells by row and column."""
        return [list(cell) for cell in given]

    def stands(self, key: str, before: Cells, now: Cells) -> bool:
        """Return whether the cell is marked or unmarked as before."""
        row, column = map(int, key.split(","))
        return ((row, column) in before) is ((row, column) in now)

    def open(self, given: Cells) -> Sequence[Text]:
        """Return a note if nothing is marked, since that is an answer, too."""
        return [] if given else [Fact("class.kept.blank")]

    def judge(self, given: Cells) -> Opinion:
        """Grade each cell by who would leave it, and for what."""
        wrong = [cell for cell in sorted(given) if cell not in self._right]
        missed = [cell for cell in self._right if cell not in given]
        marks = {",".join(map(str, cell)): "right" if cell in self._right else "wrong" for cell in given}
        if not wrong and not missed:
            return Opinion(marks, [self._told()], True)
        why: list[Text] = [self._left(cell) for cell in wrong[:2]]
        if not missed:
            return Opinion(marks, why, False)
        missing = Fact("lesson.matrix.cells.missing", {"count": len(missed)})
        return Opinion(marks, [*why, missing], False, [*why, Fact("lesson.matrix.cells.missed", self._named(missed[0]))])

    def _named(self, cell: Cell) -> dict[str, object]:
        return {"row": PlanOf(0, cell[0]), "column": PlanOf(1, cell[1])}

    def _left(self, cell: Cell) -> Text:
        """Explain who gains by leaving a cell, and how."""
        player, better = next((player, strategy) for player in (0, 1) if (strategy := self._better(player, cell)) is not None)
        own_strategy, other_strategy = (cell[1], cell[0]) if player else cell
        values = {
            "mine": number_said(worth(self.table, player, own_strategy, other_strategy)),
            "more": number_said(worth(self.table, player, better, other_strategy)),
        }
        facts = {"who": player_name(self.table.names, player), "better": PlanOf(player, better), **values}
        return Fact("lesson.matrix.cells.left", {**self._named(cell), **facts})

    def _told(self) -> Text:
        """Describe all equilibria, or say that there is none."""
        if not self._right:
            return Fact("lesson.matrix.cells.none")
        cells = tuple(Fact("lesson.matrix.best.cell", self._named(cell)) for cell in self._right[:6])
        return Fact("lesson.matrix.cells.right", {"cells": cells})

    @property
    def solution(self) -> Sequence[object]:
        """Return all equilibria."""
        return list(self._right)

    def ready_made(self) -> dict[str, Any]:
        """Return the matrix as plain values; whole cells are marked in it."""
        return {"table": plain_table(self.table), "whole": True}

    def on_sheet(self) -> HandWork:
        """Return the question for paper: cells by the letter of a column and the number of a row."""
        cells = cells_lettered(self.table)

        def read(written: Written) -> object:
            return cells_written(written[""], cells) if written[""] else None

        def write() -> Written:
            return {"": " ".join(label for label, cell in cells.items() if cell in self._right) or "–"}

        return HandWork({}, (Blank("", "", "line"),), read, write)

    def told(self, given: Cells, marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """Describe each cell by its strategies."""
        if not given:
            return [ToldPart("", Fact("lesson.matrix.cells.none"), "")]
        return [
            ToldPart(Fact("lesson.matrix.best.cell", self._named(cell)), "×", marks.get(",".join(map(str, cell)), ""))
            for cell in sorted(given)
        ]

    def still(self, given: Cells | None, marks: Mapping[str, str]) -> Still:  # noqa: ARG002 - what is right is told in words
        """Return the matrix as it was given."""
        return Still(table=self.table)

    def shown(self, given: Cells, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:  # noqa: ARG002 - the view asks whether it is over
        """Return the marked cells with their marks, the same for both payoffs."""
        return {
            "whole": True,
            "marked": [[player, *cell] for cell in given for player in (0, 1)],
            "marks": {f"{player},{key}": mark for key, mark in marks.items() for player in (0, 1)},
        }
