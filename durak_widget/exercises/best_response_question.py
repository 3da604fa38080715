"""A question about best responses, which the student marks in a payoff matrix."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from durak_widget.board.number_format import format_number_in_sentence
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.answer_parsing import question_or_default
from durak_widget.exercises.blackboard_exercise import BoardPicture, BoardQuestion, PartDescription
from durak_widget.exercises.blackboard_serialization import matrix_to_dict
from durak_widget.exercises.dominance_question import get_payoff
from durak_widget.exercises.exercise import AnswerGrade
from durak_widget.exercises.node_and_cell_lookup import StrategyReference, describe_player, parse_cell, parse_player, strategies_of_player
from durak_widget.exercises.paper_form import EMPTY_ANSWER_SIGNS, AnswerBlank, BoardPaperForm, clean_text, make_labels
from durak_widget.i18n import TranslatableText
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import BlankTexts
    from durak_widget.gametheory.strategic_form import Matrix

PayoffMark = tuple[int, int, int]
"""A marked payoff of a matrix, as the triple (player, row, column)."""
PayoffMarks = tuple[PayoffMark, ...]


class BestResponseQuestion(BoardQuestion[PayoffMarks]):
    """A question that asks which payoffs are best responses to the other player's strategies."""

    question_kind = "best"
    is_guessable = True

    def __init__(self, matrix: Matrix, question: Text) -> None:
        self.matrix = matrix
        self.question = question_or_default(
            question,
            TranslatableText("lesson.matrix.best", {"who": describe_player(matrix.names, 0), "next": describe_player(matrix.names, 1)}),
        )
        self._right_marks: PayoffMarks = tuple(
            (seat, row, column)
            for row in range(len(matrix.rows))
            for column in range(len(matrix.columns))
            for seat in (0, 1)
            if self._payoff(seat, row, column) == self._best_payoff(seat, row, column)
        )

    def _payoff(self, player: int, row: int, column: int) -> object:
        """Return a player's payoff in a matrix cell."""
        return self.matrix.payoffs[row][column][player]

    def _best_payoff(self, player: int, row: int, column: int) -> object:
        """Return a player's highest payoff against the opponent's strategy in a matrix cell."""
        other_strategy = row if player else column
        return max(
            get_payoff(self.matrix, player, own_strategy, other_strategy)
            for own_strategy in range(len(strategies_of_player(self.matrix, player)))
        )

    def empty_answer(self) -> PayoffMarks:
        """Return the empty answer, in which no payoff is marked."""
        return ()

    def parse_answer(self, answer: object) -> PayoffMarks:
        """Parse the payoffs that a student marked, each given by its player, row and column."""
        if not isinstance(answer, (list, tuple)):
            raise DurakError(f"marks must be given as in [(0, 0, 1)], with player, row and column, not {short_repr(answer)}")
        return tuple(dict.fromkeys(map(self._parse_mark, answer)))

    def apply_message(self, previous_answer: PayoffMarks, message: Mapping[str, object]) -> PayoffMarks:
        """Mark a payoff, or remove the mark from a marked payoff."""
        mark = self._parse_mark((message.get("player"), message.get("row"), message.get("column")))
        return (
            tuple(other_mark for other_mark in previous_answer if other_mark != mark)
            if mark in previous_answer
            else (*previous_answer, mark)
        )

    def _parse_mark(self, mark: object) -> PayoffMark:
        """Parse a marked payoff from its player, row and column."""
        if not isinstance(mark, (list, tuple)) or len(mark) != 3:
            raise DurakError(f"a mark must be a player, a row and a column, as in (0, 0, 1), not {short_repr(mark)}")
        return (parse_player(self.matrix, mark[0]), *parse_cell(self.matrix, mark[1:]))

    def to_plain_data(self, answer: PayoffMarks) -> object:
        """Return each marked payoff as a list of its player, its row and its column."""
        return [list(mark) for mark in answer]

    def is_mark_still_valid(self, key: str, old_answer: PayoffMarks, new_answer: PayoffMarks) -> bool:
        """Return whether the old and the new answer agree on whether a payoff is marked."""
        seat, row, column = map(int, key.split(","))
        return ((seat, row, column) in old_answer) is ((seat, row, column) in new_answer)

    def describe_missing_parts(self, answer: PayoffMarks) -> Sequence[Text]:
        """If no payoff is marked, return a note that the answer is empty."""
        return [] if answer else [TranslatableText("class.kept.blank")]

    def grade(self, answer: PayoffMarks) -> AnswerGrade:
        """Grade each marked payoff as right if it belongs to a best response, otherwise as wrong."""
        wrong = [mark for mark in sorted(answer) if mark not in self._right_marks]
        missed = [mark for mark in sorted(self._right_marks) if mark not in answer]
        marks = {",".join(map(str, mark)): "right" if mark in self._right_marks else "wrong" for mark in answer}
        if not wrong and not missed:
            return AnswerGrade(marks, self.describe_equilibria(), True)
        reasons: list[Text] = [self._explain_mark("wrong", *mark) for mark in wrong[:2]]
        if not missed:
            return AnswerGrade(marks, reasons, False)
        missing = TranslatableText("lesson.matrix.best.missing", {"count": len(missed)})
        return AnswerGrade(marks, [*reasons, missing], False, [*reasons, self._explain_mark("missed", *missed[0])])

    def describe_parts(self, answer: PayoffMarks, marks: Mapping[str, str]) -> Sequence[PartDescription]:
        """Describe each marked payoff by its player and its cell."""
        return [
            PartDescription(
                TranslatableText("lesson.matrix.best.cell", {"row": StrategyReference(0, row), "column": StrategyReference(1, column)}),
                TranslatableText("lesson.matrix.best.of", {"who": describe_player(self.matrix.names, seat)}),
                marks.get(f"{seat},{row},{column}", ""),
            )
            for seat, row, column in sorted(answer, key=lambda mark: (mark[1:], mark[0]))
        ]

    def build_picture(self, answer: PayoffMarks | None, marks: Mapping[str, str]) -> BoardPicture:  # noqa: ARG002 - the picture shows only the question
        """Return a picture of the question's matrix."""
        return BoardPicture(matrix=self.matrix)

    def _explain_mark(self, kind: str, player: int, row: int, column: int) -> Text:
        """Explain a wrong or missing mark by comparing the payoff with the player's best payoff."""
        own_strategy, other_strategy = (column, row) if player else (row, column)
        own_strategies = strategies_of_player(self.matrix, player)
        best = max(
            range(len(own_strategies)),
            key=lambda strategy: (get_payoff(self.matrix, player, strategy, other_strategy), strategy != own_strategy),
        )
        facts = {
            "who": describe_player(self.matrix.names, player),
            "against": StrategyReference(1 - player, other_strategy),
            "plan": StrategyReference(player, own_strategy),
        }
        if kind == "wrong":
            facts |= {
                "better": StrategyReference(player, best),
                "more": format_number_in_sentence(get_payoff(self.matrix, player, best, other_strategy)),
            }
        return TranslatableText(
            f"lesson.matrix.best.{kind}",
            {**facts, "mine": format_number_in_sentence(get_payoff(self.matrix, player, own_strategy, other_strategy))},
        )

    def describe_equilibria(self) -> list[Text]:
        """List the equilibria: the cells in which both payoffs are best responses."""
        cells = [(row, column) for player, row, column in self._right_marks if player == 0 and (1, row, column) in self._right_marks]
        if not cells:
            return [TranslatableText("lesson.matrix.best.none")]
        named_cells = tuple(
            TranslatableText("lesson.matrix.best.cell", {"row": StrategyReference(0, row), "column": StrategyReference(1, column)})
            for row, column in cells[:6]
        )
        return [TranslatableText("lesson.matrix.best.equilibria", {"count": len(cells), "cells": named_cells})]

    @property
    def solution(self) -> Sequence[object]:
        """Return all best responses as a correct answer."""
        return list(self._right_marks)

    def to_snapshot(self) -> dict[str, object]:
        """Return the question's matrix as JSON-compatible values."""
        return {"table": matrix_to_dict(self.matrix)}

    def to_paper(self) -> BoardPaperForm:
        """Return the question for print; it asks for the cells of each player's best responses.

        A cell is named by the letter of its column and the number of its row.
        """
        cells = label_cells(self.matrix)
        players = dict(zip(make_labels(2), (0, 1), strict=True))

        def parse_texts(blank_texts: BlankTexts) -> object:
            marked: list[PayoffMark] = []
            for label, player in players.items():
                marked += [(player, *cell) for cell in parse_cell_labels(blank_texts[label], cells)]
            return marked if any(blank_texts.values()) else None

        def write_solution() -> BlankTexts:
            label_of_cell = {cell: label for label, cell in cells.items()}
            return {
                label: " ".join(label_of_cell[row, column] for player, row, column in self._right_marks if player == labelled_player)
                for label, labelled_player in players.items()
            }

        names = [str(name) for name in self.matrix.names]
        return BoardPaperForm(
            {}, tuple(AnswerBlank(label, names[player], "line") for label, player in players.items()), parse_texts, write_solution
        )

    def view_fields(self, answer: PayoffMarks, marks: Mapping[str, str], *, is_over: bool) -> dict[str, object]:  # noqa: ARG002 - the widget reads `is_over` itself
        """Return the marked payoffs and the grading mark of each, as data for the front end."""
        return {"marked": [list(mark) for mark in answer], "marks": dict(marks)}


def label_cells(matrix: Matrix) -> dict[str, tuple[int, int]]:
    """Return a dict of the matrix cells by label, such as `b1` for row 0 and column 1.

    >>> from durak_widget.exercises.node_and_cell_lookup import require_matrix
    >>> label_cells(require_matrix([[1, 2], [3, 4]]))
    {'a1': (0, 0), 'b1': (0, 1), 'a2': (1, 0), 'b2': (1, 1)}
    """
    letters = make_labels(len(matrix.columns))
    return {f"{letter}{row + 1}": (row, column) for row in range(len(matrix.rows)) for column, letter in enumerate(letters)}


def parse_cell_labels(text: str, cells: Mapping[str, tuple[int, int]]) -> list[tuple[int, int]]:
    """Parse the labels of matrix cells that a student wrote; a dash means no cells.

    >>> parse_cell_labels("B1, a1", {"a1": (0, 0), "b1": (0, 1)}), parse_cell_labels("–", {})
    ([(0, 1), (0, 0)], [])
    """
    stripped = clean_text(text)
    labels = [] if stripped in EMPTY_ANSWER_SIGNS else re.findall(r"[^\s,;.]+", stripped.casefold())
    for label in labels:
        if label not in cells:
            raise RefusedError("lesson.hand.no_cell", text=label[:20], last=list(cells)[-1])
    return [cells[label] for label in labels]
