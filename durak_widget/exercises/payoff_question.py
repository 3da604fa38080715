"""A question about payoffs in matrix cells, which students find in a game tree."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, cast

from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.answer_form import (
    compute_wrong_field_penalty,
    describe_incomplete_fields,
    format_as_typed,
    format_payoffs,
    parse_numbers,
    replace_hyphens,
)
from durak_widget.exercises.answer_parsing import question_or_default
from durak_widget.exercises.blackboard_exercise import BoardPicture, BoardQuestion, PartDescription
from durak_widget.exercises.blackboard_serialization import tree_to_dict
from durak_widget.exercises.exercise import AnswerGrade
from durak_widget.exercises.node_and_cell_lookup import Cell, PathReference, StrategyReference, describe_player, parse_cell, require_matrix
from durak_widget.exercises.paper_form import AnswerBlank, BoardPaperForm, make_labels
from durak_widget.gametheory.tree import CHANCE, TERMINAL, Tree
from durak_widget.i18n import TranslatableText
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.exercises.answer_form import TypedNumber
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import BlankTexts

MAX_CELLS: Final = 36
"""The largest number of matrix cells in one question."""


class PayoffQuestion(BoardQuestion[dict[Cell, str]]):
    """A question that asks students to fill in the payoffs of matrix cells."""

    question_kind = "fill"
    has_fields = True

    def __init__(self, tree: object, cells: Iterable[object] | None, question: Text) -> None:
        if not isinstance(tree, Tree):
            raise DurakError(
                f"this exercise needs a tree, so that the student can see where two pure strategies lead, not {short_repr(tree)}"
            )
        self._tree, self.matrix = tree, require_matrix(tree)
        all_cells = [(row, column) for row in range(len(self.matrix.rows)) for column in range(len(self.matrix.columns))]
        self._cells = all_cells if cells is None else list(dict.fromkeys(parse_cell(self.matrix, cell) for cell in cells))
        if not 0 < len(self._cells) <= MAX_CELLS:
            raise DurakError(
                f"an exercise can ask for 1 to {MAX_CELLS} cells, not {len(self._cells):,}; choose them with cells=[(0, 0), …]"
            )
        self.player = 0 if self.matrix.is_zero_sum else None
        names = {"who": describe_player(self.matrix.names, 0), "next": describe_player(self.matrix.names, 1)}
        self.question = question_or_default(
            question, TranslatableText(f"lesson.matrix.fill.{'one' if self.matrix.is_zero_sum else 'both'}", names)
        )

    def empty_answer(self) -> dict[Cell, str]:
        """Return the empty answer, without any payoffs."""
        return {}

    def parse_answer(self, answer: object) -> dict[Cell, str]:
        """Parse payoffs, given as a dict by matrix cell or as a list row by row."""
        if isinstance(answer, dict):
            return {self._parse_asked_cell(cell): format_as_typed(payoffs) for cell, payoffs in answer.items()}
        payoff_list = self._list_payoffs(answer)
        if len(payoff_list) > len(self._cells):
            raise DurakError(f"the exercise asks for {len(self._cells)} cells, row by row, but the answer has {len(payoff_list)} values")
        return dict(zip(self._cells, map(format_as_typed, payoff_list), strict=False))

    def _list_payoffs(self, answer: object) -> list[object]:
        """Return the payoffs in one flat list, given a list of payoffs or of matrix rows."""
        is_list = isinstance(answer, list) or (isinstance(answer, tuple) and len(answer) > 2)
        parts: list[Any] = list(answer) if is_list else [answer]  # type: ignore[call-overload] # checked above
        if self._is_in_rows(answer):
            return [payoffs for row in cast("Sequence[Sequence[object]]", answer) for payoffs in row]
        if invalid := next((part for part in parts if isinstance(part, (list, tuple)) and len(part) > 2), None):
            size = f"{len(self.matrix.rows)} rows of {len(self.matrix.columns)}"
            raise DurakError(f"write payoffs cell by cell, or as the {size} of the matrix, not as {short_repr(invalid)}")
        return parts

    def _is_in_rows(self, answer: object) -> bool:
        """Return whether an answer is a list of matrix rows, with one entry for each cell.

        If a cell has two payoffs, a list of two numbers contains the payoffs of one cell.
        """
        size = len(self.matrix.rows), len(self.matrix.columns)
        if not isinstance(answer, (list, tuple)) or len(answer) != size[0] or len(self._cells) != size[0] * size[1]:
            return False
        if not all(isinstance(row, (list, tuple)) and len(row) == size[1] for row in answer):
            return False
        return self.matrix.is_zero_sum or all(isinstance(payoffs, (list, tuple, str)) for row in answer for payoffs in row)

    def apply_message(self, previous_answer: dict[Cell, str], message: Mapping[str, object]) -> dict[Cell, str]:
        """Store the payoffs that the user typed into a matrix cell."""
        text = message.get("text")
        if not isinstance(text, str):
            raise DurakError(f"a payoff must be a text, such as '1, -1', not {short_repr(text)}")
        return {**previous_answer, self._parse_asked_cell((message.get("row"), message.get("column"))): format_as_typed(text)}

    def to_plain_data(self, answer: dict[Cell, str]) -> object:
        """Return the typed payoffs of the question's cells, row by row."""
        return [answer.get(cell, "") for cell in self._cells]

    def is_mark_still_valid(self, key: str, old_answer: dict[Cell, str], new_answer: dict[Cell, str]) -> bool:
        """Return whether the old and the new answer have the same payoffs in a cell."""
        row, column = map(int, key.split(","))
        return old_answer.get((row, column)) == new_answer.get((row, column))

    def is_started(self, answer: dict[Cell, str]) -> bool:
        """Return whether the student has typed any payoff."""
        return any(map(str.strip, answer.values()))

    def is_unreadable(self, answer: dict[Cell, str]) -> bool:
        """Return whether the student typed some text, but no valid payoff."""
        typed_texts = [text for text in answer.values() if text.strip()]
        return bool(typed_texts) and not any(map(self._parse_payoffs, typed_texts))

    def describe_missing_parts(self, answer: dict[Cell, str]) -> Sequence[Text]:
        """Return a note on how many cells are empty or unreadable."""
        return describe_incomplete_fields([answer.get(cell, "") for cell in self._cells], self._parse_payoffs)

    def _parse_asked_cell(self, cell: object) -> Cell:
        """Parse a cell; raise an error if the question does not ask for its payoffs."""
        parsed = parse_cell(self.matrix, cell)
        if parsed not in self._cells:
            raise DurakError(f"the exercise does not ask for the cell {parsed}")
        return parsed

    def grade(self, answer: dict[Cell, str]) -> AnswerGrade:
        """Grade the payoffs that the student typed into each cell, using the payoffs in the tree."""
        marks: dict[str, str] = {}
        short_reasons: list[Text] = []
        full_reasons: list[Text] = []
        missing = []
        for cell in self._cells:
            text = answer.get(cell, "").strip()
            mistake = self._classify_mistake(cell, text) if text else ""
            if not text:
                missing.append(cell)
                continue
            marks[f"{cell[0]},{cell[1]}"] = "wrong" if mistake else "right"
            if mistake and not short_reasons:
                mistake_facts = (
                    [TranslatableText(f"lesson.matrix.fill.{mistake}", {**self._cell_facts(cell), "text": text[:20]})]
                    if mistake != "wrong"
                    else []
                )
                short_reasons += mistake_facts or [
                    self._explain_path(cell)
                ]  # Explain the path in the tree if the student's mistake is unknown
                full_reasons += [*mistake_facts, self._explain_path(cell, shows_payoffs=True)]
        if missing:
            missing_fact = TranslatableText("lesson.matrix.fill.missing", {"count": len(missing)})
            short_reasons.append(missing_fact)
            full_reasons.append(missing_fact)
        return AnswerGrade(marks, short_reasons, not short_reasons, full_reasons)

    def describe_parts(self, answer: dict[Cell, str], marks: Mapping[str, str]) -> Sequence[PartDescription]:
        """Describe the payoffs that the student typed into each cell."""
        return [
            PartDescription(
                TranslatableText("lesson.matrix.best.cell", {"row": StrategyReference(0, row), "column": StrategyReference(1, column)}),
                replace_hyphens(text),
                marks.get(f"{row},{column}", ""),
            )
            for row, column in self._cells
            if (text := answer.get((row, column), "").strip())
        ]

    def build_picture(self, answer: dict[Cell, str] | None, marks: Mapping[str, str]) -> BoardPicture:  # noqa: ARG002 - the picture shows the solution
        """Return a picture of the tree and the complete matrix."""
        return BoardPicture(self._tree, self.matrix, strategy_tree=self._tree)

    def _classify_mistake(self, cell: Cell, text: str) -> str:
        """Return the name of the mistake in a cell: `wrong` for an unknown one, "" for no mistake."""
        typed_payoffs, right = self._parse_payoffs(text), self.matrix.payoffs[cell[0]][cell[1]]
        if typed_payoffs is None:
            return "unread"
        if all(number.matches(payoff) for number, payoff in zip(typed_payoffs, right, strict=False)):
            return ""
        terminals = self._find_terminals(cell)
        mean = [sum((self._payoffs_at(end)[player] for _, end in terminals), Fraction(0)) / len(terminals) for player in (0, 1)]
        values_of_mistake: dict[str, list[tuple[Fraction, ...]]] = {
            ("turned" if len(typed_payoffs) == 1 else "swapped"): [right[::-1]],
            "drawn": [self._payoffs_at(end) for _, end in terminals] if len(terminals) > 1 else [],
            "plain": [tuple(mean)] if len({probability for probability, _ in terminals}) > 1 else [],
        }
        matching_mistakes = [
            kind
            for kind, candidates in values_of_mistake.items()
            if any(
                all(number.matches(payoff) for number, payoff in zip(typed_payoffs, candidate, strict=False)) for candidate in candidates
            )
        ]
        return matching_mistakes[0] if len(matching_mistakes) == 1 else "wrong"

    def _parse_payoffs(self, text: str) -> tuple[TypedNumber, ...] | None:
        """Parse the two payoffs of a cell; in a zero-sum game, player 1's payoff is enough."""
        numbers = parse_numbers(text, 2)
        return numbers if numbers and (len(numbers) == 2 or self.matrix.is_zero_sum) else None

    def _payoffs_at(self, terminal: int) -> tuple[Fraction, ...]:
        """Return the payoffs of all players at a terminal node."""
        return self._tree.payoffs[self._tree.infoset_of[terminal]]

    def _find_terminals(self, cell: Cell) -> list[tuple[Fraction, int]]:
        """Return each terminal node that a cell's strategies lead to, with its probability."""
        tree, strategies = self._tree, (self.matrix.rows[cell[0]], self.matrix.columns[cell[1]])
        terminals, pending = [], [(Fraction(1), 0)]
        while pending:
            probability, node = pending.pop()
            actor, info, children = tree.actor[node], tree.infoset_of[node], tree.children(node)
            if actor == TERMINAL:
                terminals.append((probability, node))
            elif actor == CHANCE:
                branches = zip(tree.chance_moves[info].probabilities, children, strict=True)
                pending += reversed([(probability * share, child) for share, child in branches if share])
            else:
                pending.append((probability, children[strategies[actor].actions[info]]))
        return terminals

    def select_legible_marks(self, answer: dict[Cell, str], marks: Mapping[str, str]) -> Mapping[str, str]:
        """Return the grading marks, without those of cells whose payoffs can't be read."""
        text_by_cell = {f"{row},{column}": text for (row, column), text in answer.items()}
        return {cell: mark for cell, mark in marks.items() if self._parse_payoffs(text_by_cell.get(cell, "")) is not None}

    def compute_wrong_part_penalty(self) -> Fraction:
        """Return how many correct cells lose their credit because of one wrong cell.

        So a student who writes the same payoffs everywhere earns nothing.
        """
        return compute_wrong_field_penalty(self.solution)

    def _cell_facts(self, cell: Cell) -> dict[str, object]:
        """Return a cell's strategies and the players' names, as values to insert in a message."""
        names = {"who": describe_player(self.matrix.names, 0), "next": describe_player(self.matrix.names, 1)}
        return {"row": StrategyReference(0, cell[0]), "column": StrategyReference(1, cell[1]), **names}

    def _explain_path(self, cell: Cell, *, shows_payoffs: bool = False) -> Text:
        """Describe the tree path of a matrix cell; include its payoffs if `shows_payoffs` is true."""
        terminals, facts = self._find_terminals(cell), self._cell_facts(cell)
        if len(terminals) == 1:
            return TranslatableText(
                f"lesson.matrix.fill.leads{'.end' if shows_payoffs else ''}",
                {
                    **facts,
                    "moves": PathReference(terminals[0][1]),
                    "worth": format_payoffs(self._payoffs_at(terminals[0][1])).replace("-", "−"),
                },
            )
        if not shows_payoffs:
            return TranslatableText("lesson.matrix.fill.chance", {**facts, "count": len(terminals)})
        sums = " + ".join(
            f"{probability} · ({format_payoffs(self._payoffs_at(end))})".replace("-", "−") for probability, end in terminals[:4]
        ) + (" + …" if len(terminals) > 4 else "")
        return TranslatableText("lesson.matrix.fill.chance.end", {**facts, "sum": sums})

    @property
    def solution(self) -> Sequence[object]:
        """Return the correct payoffs, row by row."""
        cells = [self.matrix.payoffs[row][column] for row, column in self._cells]
        return [str(payoffs[0]) if self.matrix.is_zero_sum else format_payoffs(payoffs) for payoffs in cells]

    def to_snapshot(self) -> dict[str, object]:
        """Return the tree and the question's cells as JSON-compatible values."""
        return {"tree": tree_to_dict(self._tree), "cells": [list(cell) for cell in self._cells]}

    def to_paper(self) -> BoardPaperForm:
        """Return the printed form of the question, with a letter in each cell to fill in."""
        cell_of_label = dict(zip(make_labels(len(self._cells)), self._cells, strict=True))

        def parse_texts(blank_texts: BlankTexts) -> object:
            typed_texts = {cell_of_label[label]: text for label, text in blank_texts.items() if text}
            if unreadable := next((text for text in typed_texts.values() if self._parse_payoffs(text) is None), None):
                raise RefusedError("lesson.hand.number.odd", text=unreadable[:20])
            return typed_texts or None

        return BoardPaperForm(
            {},
            tuple(AnswerBlank(label, field_kind="drawn") for label in cell_of_label),
            parse_texts,
            lambda: dict(zip(cell_of_label, map(str, self.solution), strict=True)),
        )

    def label_cells(self) -> Mapping[Cell, str]:
        """Return a dict with the printed letter of each cell that the student has to fill in."""
        return dict(zip(self._cells, make_labels(len(self._cells)), strict=True))

    def view_fields(self, answer: dict[Cell, str], marks: Mapping[str, str], *, is_over: bool) -> dict[str, object]:
        """Return each cell's typed text and its grading mark, as data for the front end.

        The data also says whether the student may still change the text.
        """
        cells = {}
        for row, column in self._cells:
            mark = marks.get(f"{row},{column}", "")
            cells[f"{row},{column}"] = {"text": answer.get((row, column), ""), "mark": mark, "open": not is_over and mark != "right"}
        return {"cells": cells}
