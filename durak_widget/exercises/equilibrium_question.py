"""A question about equilibria, which the student marks in a payoff matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from durak_widget.board.number_format import format_number_in_sentence
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.answer_parsing import question_or_default
from durak_widget.exercises.best_response_question import label_cells, parse_cell_labels
from durak_widget.exercises.blackboard_exercise import BoardPicture, BoardQuestion, PartDescription
from durak_widget.exercises.blackboard_serialization import matrix_to_dict
from durak_widget.exercises.dominance_question import get_payoff
from durak_widget.exercises.exercise import AnswerGrade
from durak_widget.exercises.node_and_cell_lookup import StrategyReference, describe_player, parse_cell, strategies_of_player
from durak_widget.exercises.paper_form import AnswerBlank, BoardPaperForm
from durak_widget.i18n import TranslatableText

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.node_and_cell_lookup import Cell
    from durak_widget.exercises.paper_form import BlankTexts
    from durak_widget.gametheory.strategic_form import Matrix

MarkedCells = tuple[tuple[int, int], ...]
"""The matrix cells that the student marked, as pairs of row and column."""


class EquilibriumQuestion(BoardQuestion[MarkedCells]):
    """A question that asks in which cells neither player gains by changing strategy.

    Both payoffs of a cell are marked together.
    """

    question_kind = "best"
    is_guessable = True

    def __init__(self, matrix: Matrix, question: Text) -> None:
        self.matrix = matrix
        self.question = question_or_default(
            question,
            TranslatableText("lesson.matrix.cells", {"who": describe_player(matrix.names, 0), "next": describe_player(matrix.names, 1)}),
        )
        cells = [(row, column) for row in range(len(matrix.rows)) for column in range(len(matrix.columns))]
        self._equilibrium_cells: MarkedCells = tuple(
            [cell for cell in cells if not any(self._find_better_strategy(player, cell) is not None for player in (0, 1))]
        )

    def _find_better_strategy(self, player: int, cell: Cell) -> int | None:
        """Return a player's best response, or None if the given cell already has a best response."""
        own_strategy, other_strategy = (cell[1], cell[0]) if player else cell
        best = max(
            range(len(strategies_of_player(self.matrix, player))),
            key=lambda strategy: get_payoff(self.matrix, player, strategy, other_strategy),
        )
        return (
            best
            if get_payoff(self.matrix, player, best, other_strategy) > get_payoff(self.matrix, player, own_strategy, other_strategy)
            else None
        )

    def empty_answer(self) -> MarkedCells:
        """Return the empty answer, in which no cell is marked."""
        return ()

    def parse_answer(self, answer: object) -> MarkedCells:
        """Parse the matrix cells that a student marked, each given by its row and its column."""
        if not isinstance(answer, (list, tuple)):
            raise DurakError(f"write cells as rows and columns, as in [(0, 1)], not as {short_repr(answer)}")
        return tuple(dict.fromkeys([parse_cell(self.matrix, cell) for cell in answer]))

    def apply_message(self, previous_answer: MarkedCells, message: Mapping[str, object]) -> MarkedCells:
        """Mark a cell, or remove the mark from a marked cell."""
        cell = parse_cell(self.matrix, (message.get("row"), message.get("column")))
        return tuple(other for other in previous_answer if other != cell) if cell in previous_answer else (*previous_answer, cell)

    def to_plain_data(self, answer: MarkedCells) -> object:
        """Return each marked cell as a list of its row and its column."""
        return [list(cell) for cell in answer]

    def is_mark_still_valid(self, key: str, old_answer: MarkedCells, new_answer: MarkedCells) -> bool:
        """Return whether the old and the new answer agree on whether a cell is marked."""
        row, column = map(int, key.split(","))
        return ((row, column) in old_answer) is ((row, column) in new_answer)

    def describe_missing_parts(self, answer: MarkedCells) -> Sequence[Text]:
        """If no cell is marked, return a note that the answer is empty."""
        return [] if answer else [TranslatableText("class.kept.blank")]

    def grade(self, answer: MarkedCells) -> AnswerGrade:
        """Grade each matrix cell: in an equilibrium, no player can gain by deviating."""
        wrong = [cell for cell in sorted(answer) if cell not in self._equilibrium_cells]
        missed = [cell for cell in self._equilibrium_cells if cell not in answer]
        marks = {",".join(map(str, cell)): "right" if cell in self._equilibrium_cells else "wrong" for cell in answer}
        if not wrong and not missed:
            return AnswerGrade(marks, [self._describe_equilibria()], True)
        reasons: list[Text] = [self._explain_deviation(cell) for cell in wrong[:2]]
        if not missed:
            return AnswerGrade(marks, reasons, False)
        missing = TranslatableText("lesson.matrix.cells.missing", {"count": len(missed)})
        return AnswerGrade(
            marks, [*reasons, missing], False, [*reasons, TranslatableText("lesson.matrix.cells.missed", self._cell_facts(missed[0]))]
        )

    def _cell_facts(self, cell: Cell) -> dict[str, object]:
        """Return a cell's row and column strategies, as values to insert in a message."""
        return {"row": StrategyReference(0, cell[0]), "column": StrategyReference(1, cell[1])}

    def _explain_deviation(self, cell: Cell) -> Text:
        """Explain which player gains by changing strategy in a cell, and what the new strategy is."""
        player, better = next((player, strategy) for player in (0, 1) if (strategy := self._find_better_strategy(player, cell)) is not None)
        own_strategy, other_strategy = (cell[1], cell[0]) if player else cell
        values = {
            "mine": format_number_in_sentence(get_payoff(self.matrix, player, own_strategy, other_strategy)),
            "more": format_number_in_sentence(get_payoff(self.matrix, player, better, other_strategy)),
        }
        facts = {"who": describe_player(self.matrix.names, player), "better": StrategyReference(player, better), **values}
        return TranslatableText("lesson.matrix.cells.left", {**self._cell_facts(cell), **facts})

    def _describe_equilibria(self) -> Text:
        """Describe all equilibria in pure strategies, or say that there are none."""
        if not self._equilibrium_cells:
            return TranslatableText("lesson.matrix.cells.none")
        cells = tuple(TranslatableText("lesson.matrix.best.cell", self._cell_facts(cell)) for cell in self._equilibrium_cells[:6])
        return TranslatableText("lesson.matrix.cells.right", {"cells": cells})

    @property
    def solution(self) -> Sequence[object]:
        """Return all equilibria as a correct answer."""
        return list(self._equilibrium_cells)

    def to_snapshot(self) -> dict[str, Any]:
        """Return the question's matrix as JSON-compatible values.

        The key `whole` says that students mark whole cells instead of payoffs.
        """
        return {"table": matrix_to_dict(self.matrix), "whole": True}

    def to_paper(self) -> BoardPaperForm:
        """Return the question for print; it asks for cells by column letter and row number."""
        cells = label_cells(self.matrix)

        def parse_texts(blank_texts: BlankTexts) -> object:
            return parse_cell_labels(blank_texts[""], cells) if blank_texts[""] else None

        def write_solution() -> BlankTexts:
            return {"": " ".join(label for label, cell in cells.items() if cell in self._equilibrium_cells) or "–"}

        return BoardPaperForm({}, (AnswerBlank("", "", "line"),), parse_texts, write_solution)

    def describe_parts(self, answer: MarkedCells, marks: Mapping[str, str]) -> Sequence[PartDescription]:
        """Describe each marked cell by its strategies."""
        if not answer:
            return [PartDescription("", TranslatableText("lesson.matrix.cells.none"), "")]
        return [
            PartDescription(
                TranslatableText("lesson.matrix.best.cell", self._cell_facts(cell)), "×", marks.get(",".join(map(str, cell)), "")
            )
            for cell in sorted(answer)
        ]

    def build_picture(self, answer: MarkedCells | None, marks: Mapping[str, str]) -> BoardPicture:  # noqa: ARG002 - the picture shows only the question
        """Return a picture of the question's matrix."""
        return BoardPicture(matrix=self.matrix)

    def view_fields(self, answer: MarkedCells, marks: Mapping[str, str], *, is_over: bool) -> dict[str, object]:  # noqa: ARG002 - the widget reads `is_over` itself
        """Return the marked cells and their grading marks, as data for the front end.

        Each cell is listed once for each player.
        """
        return {
            "marks_whole_cells": True,
            "marked": [[player, *cell] for cell in answer for player in (0, 1)],
            "marks": {f"{player},{key}": mark for key, mark in marks.items() for player in (0, 1)},
        }
