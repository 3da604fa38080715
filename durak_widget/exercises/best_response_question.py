"""A question about best responses: the student marks them in a matrix."""

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
"""The player whose payoff it is, its row and its column."""
Marks = tuple[Mark, ...]


class Best(Asked[Marks]):
    """The question which payoffs are best responses to the other player's strategies."""

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
        """Return the highest payoff of a player against the other's strategy in this cell."""
        other_strategy = row if seat else column
        return max(worth(self.table, seat, own_strategy, other_strategy) for own_strategy in range(len(plans_of(self.table, seat))))

    def blank(self) -> Marks:
        """Return the answer without any marks."""
        return ()

    def read(self, answer: object) -> Marks:
        """Parse marks: whose payoff, in which row and column."""
        if not isinstance(answer, (list, tuple)):
            raise DurakError(f"marks are given as in [(0, 0, 1)]: whose payoff, in which row and column, not as {quoted(answer)}")
        return tuple(dict.fromkeys(map(self._mark, answer)))

    def take(self, given: Marks, message: Mapping[str, object]) -> Marks:
        """Mark a payoff, or remove its mark."""
        mark = self._mark((message.get("seat"), message.get("row"), message.get("column")))
        return tuple(other_mark for other_mark in given if other_mark != mark) if mark in given else (*given, mark)

    def _mark(self, mark: object) -> Mark:
        if not isinstance(mark, (list, tuple)) or len(mark) != 3:
            raise DurakError(f"a mark is given by whose payoff it is, its row and its column, as in (0, 0, 1), not by {quoted(mark)}")
        return (seat_of(self.table, mark[0]), *named_cell(self.table, mark[1:]))

    def plain(self, given: Marks) -> object:
        """Return the marks by player, row and column."""
        return [list(mark) for mark in given]

    def stands(self, key: str, before: Marks, now: Marks) -> bool:
        """Return whether the payoff is marked or unmarked as before."""
        seat, row, column = map(int, key.split(","))
        return ((seat, row, column) in before) is ((seat, row, column) in now)

    def open(self, given: Marks) -> Sequence[Text]:
        """Return a note if nothing is marked, since that is an answer, too."""
        return [] if given else [Fact("class.kept.blank")]

    def judge(self, given: Marks) -> Opinion:
        """Grade each mark within its column or row."""
        wrong = [mark for mark in sorted(given) if mark not in self._right]
        missed = [mark for mark in sorted(self._right) if mark not in given]
        marks = {",".join(map(str, mark)): "right" if mark in self._right else "wrong" for mark in given}
        if not wrong and not missed:
            return Opinion(marks, self.equilibria(), True)
        why: list[Text] = [self._compared("wrong", *mark) for mark in wrong[:2]]
        if not missed:
            return Opinion(marks, why, False)
        missing = Fact("lesson.matrix.best.missing", {"count": len(missed)})
        return Opinion(marks, [*why, missing], False, [*why, self._compared("missed", *missed[0])])

    def told(self, given: Marks, marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """Describe each marked payoff by its player and its cell."""
        return [
            ToldPart(
                Fact("lesson.matrix.best.cell", {"row": PlanOf(0, row), "column": PlanOf(1, column)}),
                Fact("lesson.matrix.best.of", {"who": player_name(self.table.names, seat)}),
                marks.get(f"{seat},{row},{column}", ""),
            )
            for seat, row, column in sorted(given, key=lambda mark: (mark[1:], mark[0]))
        ]

    def still(self, given: Marks | None, marks: Mapping[str, str]) -> Still:  # noqa: ARG002 - what is right is told in words
        """Return the matrix as it was given."""
        return Still(table=self.table)

    def _compared(self, kind: str, seat: int, row: int, column: int) -> Text:
        """Explain a wrong or missing mark by the payoff that it is compared with."""
        own_strategy, other_strategy = (column, row) if seat else (row, column)
        own_strategies = plans_of(self.table, seat)
        best = max(
            range(len(own_strategies)), key=lambda strategy: (worth(self.table, seat, strategy, other_strategy), strategy != own_strategy)
        )
        facts = {
            "who": player_name(self.table.names, seat),
            "against": PlanOf(1 - seat, other_strategy),
            "plan": PlanOf(seat, own_strategy),
        }
        if kind == "wrong":
            facts |= {"better": PlanOf(seat, best), "more": number_said(worth(self.table, seat, best, other_strategy))}
        return Fact(f"lesson.matrix.best.{kind}", {**facts, "mine": number_said(worth(self.table, seat, own_strategy, other_strategy))})

    def equilibria(self) -> list[Text]:
        """List the cells in which both payoffs are marked: the equilibria."""
        cells = [(row, column) for player, row, column in self._right if player == 0 and (1, row, column) in self._right]
        if not cells:
            return [Fact("lesson.matrix.best.none")]
        named_cells = tuple(
            Fact("lesson.matrix.best.cell", {"row": PlanOf(0, row), "column": PlanOf(1, column)}) for row, column in cells[:6]
        )
        return [Fact("lesson.matrix.best.equilibria", {"count": len(cells), "cells": named_cells})]

    @property
    def solution(self) -> Sequence[object]:
        """Return all best responses."""
        return list(self._right)

    def ready_made(self) -> dict[str, object]:
        """Return the matrix as plain values."""
        return {"table": plain_table(self.table)}

    def on_sheet(self) -> HandWork:
        """Return the question for paper: write down the cells of each player's best responses.

        A cell is named by the letter of its column and the number of its row.
        """
        cells = cells_lettered(self.table)
        players = dict(zip(letters_for(2), (0, 1), strict=True))

        def read(written: Written) -> object:
            marked: list[Mark] = []
            for label, player in players.items():
                marked += [(player, *cell) for cell in cells_written(written[label], cells)]
            return marked if any(written.values()) else None

        def write() -> Written:
            named = {cell: label for label, cell in cells.items()}
            return {
                label: " ".join(named[row, column] for player, row, column in self._right if player == labelled_player)
                for label, labelled_player in players.items()
            }

        names = [str(name) for name in self.table.names]
        return HandWork({}, tuple(Blank(label, names[player], "line") for label, player in players.items()), read, write)

    def shown(self, given: Marks, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:  # noqa: ARG002 - the view asks whether it is over
        """Return the marked payoffs and the marks of the grader."""
        return {"marked": [list(mark) for mark in given], "marks": dict(marks)}


def cells_lettered(table: Matrix) -> dict[str, tuple[int, int]]:
    """Return the cells by the letter of their column and the number of their row.

    >>> from durak_widget.exercises.node_and_cell_lookup import matrix_given
    >>> cells_lettered(matrix_given([[1, 2], [3, 4]]))
    {'a1': (0, 0), 'b1': (0, 1), 'a2': (1, 0), 'b2': (1, 1)}
    """
    letters = letters_for(len(table.columns))
    return {f"{letter}{row + 1}": (row, column) for row in range(len(table.rows)) for column, letter in enumerate(letters)}


def cells_written(text: str, cells: Mapping[str, tuple[int, int]]) -> list[tuple[int, int]]:
    """Parse the cells that are written down, or a dash for none.

    >>> cells_written("B1, a1", {"a1": (0, 0), "b1": (0, 1)}), cells_written("–", {})
    ([(0, 1), (0, 0)], [])
    """
    stripped = bare_text(text)
    labels = [] if stripped in NONE else re.findall(r"[^\s,;.]+", stripped.casefold())
    for label in labels:
        if label not in cells:
            raise RefusedError("lesson.hand.no_cell", text=label[:20], last=list(cells)[-1])
    return [cells[label] for label in labels]
