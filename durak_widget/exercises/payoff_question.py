"""Asks for the payoffs of matrix cells, read off a tree."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, cast

from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.answer_form import as_typed, cost_of_one_for_all, left_open, numbers_of, numbers_written, with_minus
from durak_widget.exercises.answer_parsing import asked_as
from durak_widget.exercises.blackboard_exercise import Asked, Still, ToldPart
from durak_widget.exercises.blackboard_serialization import plain_tree
from durak_widget.exercises.exercise import Opinion
from durak_widget.exercises.node_and_cell_lookup import Cell, PlanOf, Way, matrix_given, named_cell, player_name
from durak_widget.exercises.paper_form import Blank, HandWork, letters_for
from durak_widget.gametheory.tree import CHANCE, OVER, Tree
from durak_widget.i18n import Fact
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from durak_widget.exercises.answer_form import Meant
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import Written

MOST: Final = 36
"""The largest number of cells in one question."""


class Fill(Asked[dict[Cell, str]]):
    """A question about the payoffs of matrix cells."""

    asks = "fill"
    fields = True

    def __init__(self, tree: object, cells: Iterable[object] | None, question: Text) -> None:
        if not isinstance(tree, Tree):
            raise DurakError(f"cells are filled in from a tree, on which one sees where two plans lead, not from {quoted(tree)}")
        self._tree, self.table = tree, matrix_given(tree)
        every = [(row, column) for row in range(len(self.table.rows)) for column in range(len(self.table.columns))]
        self._cells = every if cells is None else list(dict.fromkeys(named_cell(self.table, cell) for cell in cells))
        if not 0 < len(self._cells) <= MOST:
            raise DurakError(f"1 to {MOST} cells are asked for, not {len(self._cells):,}; say which: cells=[(0, 0), …]")
        self.seat = 0 if self.table.zero_sum else None
        names = {"who": player_name(self.table.names, 0), "next": player_name(self.table.names, 1)}
        self.question = asked_as(question, Fact(f"lesson.matrix.fill.{'one' if self.table.zero_sum else 'both'}", names))

    def blank(self) -> dict[Cell, str]:
        """Return an answer without payoffs."""
        return {}

    def read(self, answer: object) -> dict[Cell, str]:
        """Parse payoffs by cells, or row by row."""
        if isinstance(answer, dict):
            return {self._cell(cell): as_typed(payoffs) for cell, payoffs in answer.items()}
        listed = self._listed(answer)
        if len(listed) > len(self._cells):
            raise DurakError(f"{len(self._cells)} cells are asked for, row by row, and {len(listed)} values are given")
        return dict(zip(self._cells, map(as_typed, listed), strict=False))

    def _listed(self, answer: object) -> list[object]:
        """Return the payoffs one by one, from a list or from the rows of the matrix."""
        is_list = isinstance(answer, list) or (isinstance(answer, tuple) and len(answer) > 2)
        parts: list[Any] = list(answer) if is_list else [answer]  # type: ignore[call-overload] # as was just found out
        if self._rows(answer):
            return [payoffs for row in cast("Sequence[Sequence[object]]", answer) for payoffs in row]
        if invalid := next((part for part in parts if isinstance(part, (list, tuple)) and len(part) > 2), None):
            size = f"{len(self.table.rows)} rows of {len(self.table.columns)}"
            raise DurakError(f"payoffs are given cell by cell, or as the {size} that the matrix has, not as {quoted(invalid)}")
        return parts

    def _rows(self, answer: object) -> bool:
        """Return whether the answer has the rows of the matrix.

        Where a cell has two payoffs, two numbers are the payoffs of one cell.
        """
        size = len(self.table.rows), len(self.table.columns)
        if not isinstance(answer, (list, tuple)) or len(answer) != size[0] or len(self._cells) != size[0] * size[1]:
            return False
        if not all(isinstance(row, (list, tuple)) and len(row) == size[1] for row in answer):
            return False
        return self.table.zero_sum or all(isinstance(payoffs, (list, tuple, str)) for row in answer for payoffs in row)

    def take(self, given: dict[Cell, str], message: Mapping[str, object]) -> dict[Cell, str]:
        """Write a payoff into a cell."""
        text = message.get("text")
        if not isinstance(text, str):
            raise DurakError(f"a payoff is written as a text, such as '1, -1', not {quoted(text)}")
        return {**given, self._cell((message.get("row"), message.get("column"))): as_typed(text)}

    def plain(self, given: dict[Cell, str]) -> object:
        """Return the payoffs of the asked cells, row by row."""
        return [given.get(cell, "") for cell in self._cells]

    def stands(self, key: str, before: dict[Cell, str], now: dict[Cell, str]) -> bool:
        """Return whether the payoff of a mark is unchanged."""
        row, column = map(int, key.split(","))
        return before.get((row, column)) == now.get((row, column))

    def begun(self, given: dict[Cell, str]) -> bool:
        """Return whether any payoff is written."""
        return any(map(str.strip, given.values()))

    def unread(self, given: dict[Cell, str]) -> bool:
        """Return whether something is written and none of it is a number."""
        written = [text for text in given.values() if text.strip()]
        return bool(written) and not any(map(self._numbers, written))

    def open(self, given: dict[Cell, str]) -> Sequence[Text]:
        """Return how many cells are empty or unreadable."""
        return left_open([given.get(cell, "") for cell in self._cells], self._numbers)

    def _cell(self, cell: object) -> Cell:
        parsed = named_cell(self.table, cell)
        if parsed not in self._cells:
            raise DurakError(f"what stands in the cell {parsed} is not asked for")
        return parsed

    def judge(self, given: dict[Cell, str]) -> Opinion:
        """Judge each cell by the payoffs that its strategies lead to."""
        marks: dict[str, str] = {}
        why: list[Text] = []
        full_reasons: list[Text] = []
        missing = []
        for cell in self._cells:
            text = given.get(cell, "").strip()
            kind = self._kind(cell, text) if text else ""
            if not text:
                missing.append(cell)
                continue
            marks[f"{cell[0]},{cell[1]}"] = "wrong" if kind else "right"
            if kind and not why:
                mistake_facts = [Fact(f"lesson.matrix.fill.{kind}", {**self._facts(cell), "text": text[:20]})] if kind != "wrong" else []
                why += mistake_facts or [self._leads(cell)]  # without a proved mistake, the reason is the path
                full_reasons += [*mistake_facts, self._leads(cell, tells=True)]
        if missing:
            missing_fact = Fact("lesson.matrix.fill.missing", {"count": len(missing)})
            why.append(missing_fact)
            full_reasons.append(missing_fact)
        return Opinion(marks, why, not why, full_reasons)

    def told(self, given: dict[Cell, str], marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """Return what is written in each cell."""
        return [
            ToldPart(
                Fact("lesson.matrix.best.cell", {"row": PlanOf(0, row), "column": PlanOf(1, column)}),
                with_minus(text),
                marks.get(f"{row},{column}", ""),
            )
            for row, column in self._cells
            if (text := given.get((row, column), "").strip())
        ]

    def still(self, given: dict[Cell, str] | None, marks: Mapping[str, str]) -> Still:  # noqa: ARG002 - what is right is drawn
        """Return the tree and the whole matrix."""
        return Still(self._tree, self.table, plans=self._tree)

    def _kind(self, cell: Cell, text: str) -> str:
        """Return the kind of mistake in a cell: `wrong` if none is proved, empty if it is right."""
        read, right = self._numbers(text), self.table.payoffs[cell[0]][cell[1]]
        if read is None:
            return "unread"
        if all(number.means(payoff) for number, payoff in zip(read, right, strict=False)):
            return ""
        ends = self._ends(cell)
        mean = [sum((self._worth(end)[player] for _, end in ends), Fraction(0)) / len(ends) for player in (0, 1)]
        values_of_mistake: dict[str, list[tuple[Fraction, ...]]] = {
            ("turned" if len(read) == 1 else "swapped"): [right[::-1]],
            "drawn": [self._worth(end) for _, end in ends] if len(ends) > 1 else [],
            "plain": [tuple(mean)] if len({probability for probability, _ in ends}) > 1 else [],
        }
        kinds = [
            kind
            for kind, candidates in values_of_mistake.items()
            if any(all(number.means(payoff) for number, payoff in zip(read, candidate, strict=False)) for candidate in candidates)
        ]
        return kinds[0] if len(kinds) == 1 else "wrong"

    def _numbers(self, text: str) -> tuple[Meant, ...] | None:
        """Parse the payoffs of both players, or of the first in a zero-sum game."""
        numbers = numbers_of(text, 2)
        return numbers if numbers and (len(numbers) == 2 or self.table.zero_sum) else None

    def _worth(self, end: int) -> tuple[Fraction, ...]:
        return self._tree.payoffs[self._tree.info[end]]

    def _ends(self, cell: Cell) -> list[tuple[Fraction, int]]:
        """Return the terminal nodes of two strategies, each with its probability."""
        tree, strategies = self._tree, (self.table.rows[cell[0]], self.table.columns[cell[1]])
        terminals, pending = [], [(Fraction(1), 0)]
        while pending:
            probability, node = pending.pop()
            actor, info, children = tree.actor[node], tree.info[node], tree.children(node)
            if actor == OVER:
                terminals.append((probability, node))
            elif actor == CHANCE:
                branches = zip(tree.chances[info].probabilities, children, strict=True)
                pending += reversed([(probability * share, child) for share, child in branches if share])
            else:
                pending.append((probability, children[strategies[actor].moves[info]]))
        return terminals

    def legible(self, given: dict[Cell, str], marks: Mapping[str, str]) -> Mapping[str, str]:
        """Return the marks of the payoffs that can be read."""
        written = {f"{row},{column}": text for (row, column), text in given.items()}
        return {cell: mark for cell, mark in marks.items() if self._numbers(written.get(cell, "")) is not None}

    def wrong_costs(self) -> Fraction:
        """Return the cost at which writing one payoff everywhere gains nothing."""
        return cost_of_one_for_all(self.solution)

    def _facts(self, cell: Cell) -> dict[str, object]:
        names = {"who": player_name(self.table.names, 0), "next": player_name(self.table.names, 1)}
        return {"row": PlanOf(0, cell[0]), "column": PlanOf(1, cell[1]), **names}

    def _leads(self, cell: Cell, *, tells: bool = False) -> Text:
        """Return the path that a cell leads to; with `tells`, also the payoffs at its end."""
        ends, facts = self._ends(cell), self._facts(cell)
        if len(ends) == 1:
            return Fact(
                f"lesson.matrix.fill.leads{'.end' if tells else ''}",
                {**facts, "moves": Way(ends[0][1]), "worth": numbers_written(self._worth(ends[0][1])).replace("-", "−")},
            )
        if not tells:
            return Fact("lesson.matrix.fill.chance", {**facts, "count": len(ends)})
        sums = " + ".join(f"{probability} · ({numbers_written(self._worth(end))})".replace("-", "−") for probability, end in ends[:4]) + (
            " + …" if len(ends) > 4 else ""
        )
        return Fact("lesson.matrix.fill.chance.end", {**facts, "sum": sums})

    @property
    def solution(self) -> Sequence[object]:
        """Return the payoffs, row by row."""
        cells = [self.table.payoffs[row][column] for row, column in self._cells]
        return [str(payoffs[0]) if self.table.zero_sum else numbers_written(payoffs) for payoffs in cells]

    def ready_made(self) -> dict[str, object]:
        """Return the tree and the asked cells."""
        return {"tree": plain_tree(self._tree), "cells": [list(cell) for cell in self._cells]}

    def on_sheet(self) -> HandWork:
        """Return the form for paper, with a letter in each asked cell."""
        cell_of_label = dict(zip(letters_for(len(self._cells)), self._cells, strict=True))

        def read(written: Written) -> object:
            given = {cell_of_label[label]: text for label, text in written.items() if text}
            if unreadable := next((text for text in given.values() if self._numbers(text) is None), None):
                raise RefusedError("lesson.hand.number.odd", text=unreadable[:20])
            return given or None

        return HandWork(
            {},
            tuple(Blank(label, room="drawn") for label in cell_of_label),
            read,
            lambda: dict(zip(cell_of_label, map(str, self.solution), strict=True)),
        )

    def on_cells(self) -> Mapping[Cell, str]:
        """Return the letters of the asked cells."""
        return dict(zip(self._cells, letters_for(len(self._cells)), strict=True))

    def shown(self, given: dict[Cell, str], marks: Mapping[str, str], *, over: bool) -> dict[str, object]:
        """Return the text and mark of each cell, and whether it can be changed."""
        cells = {}
        for row, column in self._cells:
            mark = marks.get(f"{row},{column}", "")
            cells[f"{row},{column}"] = {"text": given.get((row, column), ""), "mark": mark, "open": not over and mark != "right"}
        return {"cells": cells}
