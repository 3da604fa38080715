"""Cells of a matrix to be filled in: what do these two plans lead to on the tree?"""

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
"""So many cells may be asked for at once."""


class Fill(Asked[dict[Cell, str]]):
    """What stands in these cells?"""

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
        """No cell is filled in yet."""
        return {}

    def read(self, answer: object) -> dict[Cell, str]:
        """Payoffs by cells, or row by row."""
        if isinstance(answer, dict):
            return {self._cell(cell): as_typed(one) for cell, one in answer.items()}
        listed = self._listed(answer)
        if len(listed) > len(self._cells):
            raise DurakError(f"{len(self._cells)} cells are asked for, row by row, and {len(listed)} values are given")
        return dict(zip(self._cells, map(as_typed, listed), strict=False))

    def _listed(self, answer: object) -> list[object]:
        """The payoffs one by one, of rows in which they stand as in the matrix."""
        several = isinstance(answer, list) or (isinstance(answer, tuple) and len(answer) > 2)
        parts: list[Any] = list(answer) if several else [answer]  # type: ignore[call-overload] # as was just found out
        if self._rows(answer):
            return [one for row in cast("Sequence[Sequence[object]]", answer) for one in row]
        if odd := next((one for one in parts if isinstance(one, (list, tuple)) and len(one) > 2), None):
            size = f"{len(self.table.rows)} rows of {len(self.table.columns)}"
            raise DurakError(f"payoffs are given cell by cell, or as the {size} that the matrix has, not as {quoted(odd)}")
        return parts

    def _rows(self, answer: object) -> bool:
        """Whether these are the rows of the matrix; of two numbers, where each cell has two, they are a payoff for each."""
        size = len(self.table.rows), len(self.table.columns)
        if not isinstance(answer, (list, tuple)) or len(answer) != size[0] or len(self._cells) != size[0] * size[1]:
            return False
        if not all(isinstance(row, (list, tuple)) and len(row) == size[1] for row in answer):
            return False
        return self.table.zero_sum or all(isinstance(one, (list, tuple, str)) for row in answer for one in row)

    def take(self, given: dict[Cell, str], message: Mapping[str, object]) -> dict[Cell, str]:
        """A payoff is written into a cell."""
        text = message.get("text")
        if not isinstance(text, str):
            raise DurakError(f"a payoff is written as a text, such as '1, -1', not {quoted(text)}")
        return {**given, self._cell((message.get("row"), message.get("column"))): as_typed(text)}

    def plain(self, given: dict[Cell, str]) -> object:
        """The payoffs of the cells that are asked for, row by row."""
        return [given.get(cell, "") for cell in self._cells]

    def stands(self, key: str, before: dict[Cell, str], now: dict[Cell, str]) -> bool:
        """A mark stands while its payoff does."""
        row, column = map(int, key.split(","))
        return before.get((row, column)) == now.get((row, column))

    def begun(self, given: dict[Cell, str]) -> bool:
        """Something is written somewhere."""
        return any(map(str.strip, given.values()))

    def unread(self, given: dict[Cell, str]) -> bool:
        """Some field holds something, and none a number."""
        written = [text for text in given.values() if text.strip()]
        return bool(written) and not any(map(self._numbers, written))

    def open(self, given: dict[Cell, str]) -> Sequence[Text]:
        """Cells that are empty, and those that cannot be read."""
        return left_open([given.get(cell, "") for cell in self._cells], self._numbers)

    def _cell(self, cell: object) -> Cell:
        found = named_cell(self.table, cell)
        if found not in self._cells:
            raise DurakError(f"what stands in the cell {found} is not asked for")
        return found

    def judge(self, given: dict[Cell, str]) -> Opinion:
        """Each cell by what its plans lead to."""
        marks: dict[str, str] = {}
        why: list[Text] = []
        again: list[Text] = []
        missing = []
        for cell in self._cells:
            text = given.get(cell, "").strip()
            kind = self._kind(cell, text) if text else ""
            if not text:
                missing.append(cell)
                continue
            marks[f"{cell[0]},{cell[1]}"] = "wrong" if kind else "right"
            if kind and not why:
                told = [Fact(f"lesson.matrix.fill.{kind}", {**self._facts(cell), "text": text[:20]})] if kind != "wrong" else []
                why += told or [self._leads(cell)]  # one mistake has one reason: the way there is told where none is proved
                again += [*told, self._leads(cell, tells=True)]
        if missing:
            left = Fact("lesson.matrix.fill.missing", {"count": len(missing)})
            why.append(left)
            again.append(left)
        return Opinion(marks, why, not why, again)

    def told(self, given: dict[Cell, str], marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """What is written in each cell."""
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
        """The tree, and the whole matrix."""
        return Still(self._tree, self.table, plans=self._tree)

    def _kind(self, cell: Cell, text: str) -> str:
        """What is wrong with a payoff: `wrong` where no mistake is proved, nothing where it is right."""
        read, right = self._numbers(text), self.table.payoffs[cell[0]][cell[1]]
        if read is None:
            return "unread"
        if all(one.means(two) for one, two in zip(read, right, strict=False)):
            return ""
        ends = self._ends(cell)
        mean = [sum((self._worth(end)[seat] for _, end in ends), Fraction(0)) / len(ends) for seat in (0, 1)]
        could: dict[str, list[tuple[Fraction, ...]]] = {
            ("turned" if len(read) == 1 else "swapped"): [right[::-1]],
            "drawn": [self._worth(end) for _, end in ends] if len(ends) > 1 else [],
            "plain": [tuple(mean)] if len({likely for likely, _ in ends}) > 1 else [],
        }
        kinds = [
            kind for kind, ways in could.items() if any(all(one.means(two) for one, two in zip(read, way, strict=False)) for way in ways)
        ]
        return kinds[0] if len(kinds) == 1 else "wrong"

    def _numbers(self, text: str) -> tuple[Meant, ...] | None:
        """What is written, of both seats, or of the first where that says both."""
        found = numbers_of(text, 2)
        return found if found and (len(found) == 2 or self.table.zero_sum) else None

    def _worth(self, end: int) -> tuple[Fraction, ...]:
        return self._tree.payoffs[self._tree.info[end]]

    def _ends(self, cell: Cell) -> list[tuple[Fraction, int]]:
        """Where the two plans lead: each end with how likely chance makes it."""
        tree, plans = self._tree, (self.table.rows[cell[0]], self.table.columns[cell[1]])
        found, waiting = [], [(Fraction(1), 0)]
        while waiting:
            likely, here = waiting.pop()
            actor, info, children = tree.actor[here], tree.info[here], tree.children(here)
            if actor == OVER:
                found.append((likely, here))
            elif actor == CHANCE:
                ways = zip(tree.chances[info].probabilities, children, strict=True)
                waiting += reversed([(likely * one, child) for one, child in ways if one])
            else:
                waiting.append((likely, children[plans[actor].moves[info]]))
        return found

    def legible(self, given: dict[Cell, str], marks: Mapping[str, str]) -> Mapping[str, str]:
        """Return the marks of those payoffs that can be read."""
        written = {f"{row},{column}": text for (row, column), text in given.items()}
        return {cell: mark for cell, mark in marks.items() if self._numbers(written.get(cell, "")) is not None}

    def wrong_costs(self) -> Fraction:
        """Return so much that no payoff gains anything which is written into every cell."""
        return cost_of_one_for_all(self.solution)

    def _facts(self, cell: Cell) -> dict[str, object]:
        names = {"who": player_name(self.table.names, 0), "next": player_name(self.table.names, 1)}
        return {"row": PlanOf(0, cell[0]), "column": PlanOf(1, cell[1]), **names}

    def _leads(self, cell: Cell, *, tells: bool = False) -> Text:
        """Which path these plans lead to; where it `tells`, also what stands at its end."""
        ends, facts = self._ends(cell), self._facts(cell)
        if len(ends) == 1:
            return Fact(
                f"lesson.matrix.fill.leads{'.end' if tells else ''}",
                {**facts, "moves": Way(ends[0][1]), "worth": numbers_written(self._worth(ends[0][1])).replace("-", "−")},
            )
        if not tells:
            return Fact("lesson.matrix.fill.chance", {**facts, "count": len(ends)})
        sums = " + ".join(f"{likely} · ({numbers_written(self._worth(end))})".replace("-", "−") for likely, end in ends[:4]) + (
            " + …" if len(ends) > 4 else ""
        )
        return Fact("lesson.matrix.fill.chance.end", {**facts, "sum": sums})

    @property
    def solution(self) -> Sequence[object]:
        """The payoffs, row by row."""
        cells = [self.table.payoffs[row][column] for row, column in self._cells]
        return [str(one[0]) if self.table.zero_sum else numbers_written(one) for one in cells]

    def ready_made(self) -> dict[str, object]:
        """The tree, and the cells that are asked for."""
        return {"tree": plain_tree(self._tree), "cells": [list(cell) for cell in self._cells]}

    def on_sheet(self) -> HandWork:
        """A letter in each cell that is to be filled in."""
        cells = dict(zip(letters_for(len(self._cells)), self._cells, strict=True))

        def read(written: Written) -> object:
            given = {cells[label]: text for label, text in written.items() if text}
            if odd := next((text for text in given.values() if self._numbers(text) is None), None):
                raise RefusedError("lesson.hand.number.odd", text=odd[:20])
            return given or None

        return HandWork(
            {}, tuple(Blank(label, room="drawn") for label in cells), read, lambda: dict(zip(cells, map(str, self.solution), strict=True))
        )

    def on_cells(self) -> Mapping[Cell, str]:
        """The letters of the cells."""
        return dict(zip(self._cells, letters_for(len(self._cells)), strict=True))

    def shown(self, given: dict[Cell, str], marks: Mapping[str, str], *, over: bool) -> dict[str, object]:
        """What is written in each cell, its mark, and whether it may be changed."""
        cells = {}
        for row, column in self._cells:
            mark = marks.get(f"{row},{column}", "")
            cells[f"{row},{column}"] = {"text": given.get((row, column), ""), "mark": mark, "open": not over and mark != "right"}
        return {"cells": cells}
