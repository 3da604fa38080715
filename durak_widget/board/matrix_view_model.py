"""Holds the view model of a matrix: what is selected, marked or eliminated, and how it is worded.

It also handles the page's messages about a matrix, both alone and beside a tree. A message that would give
away an exercise's answer is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.board import message_parsing
from durak_widget.board.iterated_elimination import Striking
from durak_widget.board.message_parsing import MessageError
from durak_widget.board.number_format import number_said, number_written
from durak_widget.board.tree_wording import plain_name
from durak_widget.errors import quoted, whole_number
from durak_widget.gametheory.bimatrix_equilibria import equilibria
from durak_widget.gametheory.player_labels import is_unnamed
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from fractions import Fraction

    from durak_widget.board.iterated_elimination import NotStruck, Step
    from durak_widget.gametheory.bimatrix_equilibria import Equilibria, Equilibrium, Mix
    from durak_widget.gametheory.strategic_form import Matrix
    from durak_widget.i18n import Voice

MOST: Final = 64
"""So many rows and so many columns are shown."""
DEEDS: Final[dict[str, Does]] = {
    "cell": lambda grid, said: grid.select(said.get("row"), said.get("column")),
    "strike": lambda grid, said: grid.strike(said.get("seat"), said.get("place")),
    "unstrike": lambda grid, _: grid.undo(),
    "marks": lambda grid, said: setattr(grid, "marks", message_parsing.flag(said, "on")),
    "pairs": lambda grid, said: setattr(grid, "pairs", message_parsing.flag(said, "on")),
    "equilibria": lambda grid, said: grid.list_them(message_parsing.flag(said, "on")),
    "mix": lambda grid, said: grid.show(said.get("place")),
}
"""Every kind of message that a matrix understands."""
_TELLS: Final = {"strike", "marks", "equilibria", "mix"}
"""What would answer a task by itself."""


class Grid:
    """A matrix, and what of it is shown; `saying` says it.

    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> from durak_widget.board.matrix_view_model import Saying
    >>> from durak_widget.i18n import Voice
    >>> table = matrix_of([[1, -1], [-1, 1]])
    >>> Grid(table, Saying(table, Voice())).strike(0, 1)
    Traceback (most recent call last):
    durak_widget.translated_errors.RefusedError: Row: B is not dominated: against b nothing is worth as much (1).
    """

    def __init__(self, table: Matrix, saying: Saying, *, pairs: bool = False, marks: bool = True) -> None:
        self.table, self.saying = table, saying
        self.striking = Striking(table)
        self.zero_sum = table.zero_sum
        self.pairs = pairs
        """Whether both payoffs are shown where one would do."""
        self.marks = marks
        """Whether best responses are marked."""
        self.task: Mapping[str, Any] = {}
        """What an exercise asks on it, which nothing that is shown gives away; {} where nothing is asked."""
        self.selected: tuple[int, int] | None = None
        self.listed = False
        """Whether the equilibria are shown."""
        self.shown: int | None = None
        """The equilibrium whose mixes stand at the heads."""
        self._found: Equilibria | None = None
        texts: dict[tuple[str, str], int] = {}
        self._cells = [
            [texts.setdefault((number_written(one), number_written(other)), len(texts)) for one, other in row] for row in table.payoffs
        ]
        self._worths = [list(pair) for pair in texts]

    # What is done to it

    def strike(self, seat: object = None, place: object = None) -> Step:
        """Strike out this plan, or the one that may go next; one that is not dominated is refused with the reason."""
        if seat is None:
            step = self.striking.next()
            if step is None:
                raise RefusedError("matrix.nothing")
        else:
            whose, which = self.a_plan(seat, place)
            if which not in self.striking.alive(whose):
                raise self.saying.gone(whose, which)
            step = self.striking.of(whose, which)
            if step is None:
                raise self.saying.kept(whose, which, self.striking.why_not(whose, which))
        self.striking.strike(step)
        return step

    def undo(self) -> Step | None:
        """Take back what was struck out last."""
        return self.striking.undo()

    def select(self, row: object = None, column: object = None) -> None:
        """Select a cell; nothing said: none."""
        self.selected = None if row is None and column is None else (self.a_plan(0, row)[1], self.a_plan(1, column)[1])

    def list_them(self, on: bool) -> None:  # noqa: FBT001 - shown or not
        """Show the equilibria, or no more."""
        self.listed, self.shown = on, None

    def show(self, place: object) -> None:
        """Show the mixes of this equilibrium at the heads; None: of none."""
        number = whole_number(place)
        if place is not None and (number is None or not 0 <= number < len(self.equilibria)):
            raise MessageError(f"{quoted(place)} is no equilibrium of this matrix; they are numbered from 0 to {len(self.equilibria) - 1}")
        self.listed, self.shown = True, number

    @property
    def equilibria(self) -> Equilibria:
        """All that were found, looked for when they are first asked for."""
        if self._found is None:
            self._found = equilibria(self.table)
        return self._found

    def a_plan(self, seat: object, place: object) -> tuple[int, int]:
        """A plan of this matrix, by its seat and its place; another is refused."""
        whose, which = whole_number(seat), whole_number(place)
        if whose not in (0, 1):
            raise MessageError(f"{quoted(seat)} is no seat of a matrix: 0 has the rows, 1 the columns")
        many = len(self.saying.heads[whose])
        if which is None or not 0 <= which < many:
            raise MessageError(f"{quoted(place)} is no {('row', 'column')[whose]} of this matrix; they are numbered from 0 to {many - 1}")
        return whose, which

    # What is told of it

    @property
    def hidden(self) -> set[tuple[int, int]]:
        """The cells that an exercise asks for: what they are worth is not shown."""
        cells = [key.partition(",") for key in self.task.get("cells", ())] if self.task.get("asks") == "fill" else []
        return {(int(row), int(column)) for row, _, column in cells}

    @property
    def marked(self) -> bool:
        """Whether best responses are seen."""
        return self.marks and not self.task

    @property
    def found(self) -> Equilibria | None:
        """The equilibria, where they are seen."""
        return self.equilibria if self.listed and not self.task else None

    def told(self) -> dict[str, Any]:
        """All that the page shows."""
        hidden = self.hidden
        shown = {cell for row, cells in enumerate(self._cells) for at, cell in enumerate(cells) if (row, at) not in hidden}
        asked = bool(self.task)
        best = self.best()
        return {
            "names": list(self.saying.names),
            "rows": [list(head) for head in self.saying.heads[0]],
            "columns": [list(head) for head in self.saying.heads[1]],
            "worths": [pair if at in shown else ["", ""] for at, pair in enumerate(self._worths)],
            "cells": [[-1 if (row, at) in hidden else cell for at, cell in enumerate(cells)] for row, cells in enumerate(self._cells)],
            "zero": self.zero_sum,
            "reduced": self.saying.reduced(),
            "pairs": self.pairs or not self.zero_sum,
            "marks": self.marked,
            "best": [] if asked else ["".join(map(str, row)) for row in best],
            "struck": [[step.seat, step.place] for step in self.striking.steps],
            "steps": [self.saying.step(step) for step in self.striking.steps],
            "may": {"strike": not asked and self.striking.next() is not None, "undo": bool(self.striking.steps)},
            "selected": None if self.selected is None else list(self.selected),
            "said": self._said(best),
            "found": None if self.found is None else self._listed(self.found),
            "paths": [],
            "leads": None,
        }

    def best(self) -> list[list[int]]:
        """Of each cell: 1 where its row is a best response, 2 where its column is, 3 both, 0 neither, among what is not struck out; 0 while something is asked."""
        if self.task:
            return [[0] * len(self.table.columns) for _ in self.table.rows]
        rows, columns = (self.striking.best(seat) for seat in (0, 1))
        alive = [set(self.striking.alive(seat)) for seat in (0, 1)]
        return [
            [
                (row in rows[column]) + 2 * (column in columns[row]) if row in alive[0] and column in alive[1] else 0
                for column in range(len(self.table.columns))
            ]
            for row in range(len(self.table.rows))
        ]

    def _said(self, best: list[list[int]]) -> str:
        if self.selected is None:
            return ""
        row, column = self.selected
        mark = best[row][column] if self.marked else 0
        return self.saying.cell(row, column, best=(bool(mark & 1), bool(mark & 2)), hidden=self.selected in self.hidden)

    def _listed(self, found: Equilibria) -> dict[str, Any]:
        """The equilibria: each in words, and of the one that is shown how likely it plays each plan."""
        mixes: dict[str, list[str]] = {}
        if self.shown is not None:
            one = found.found[self.shown]
            mixes = {"rows": _likely(one.row), "columns": _likely(one.column)}
        return {
            "list": [self.saying.equilibrium(one) for one in found],
            "note": self.saying.note(found),
            "together": [list(group) for group in found.together],
            "at": self.shown,
            **mixes,
        }


def _likely(mix: Mix) -> list[str]:
    """How likely each plan is; nothing where it is not played."""
    return [number_written(one) if one else "" for one in mix]


class Head(NamedTuple):
    """What stands at the head of a row or of a column."""

    said: str
    """The plan in short."""
    told: str
    """The plan in full."""


class Saying:
    """What is said of a matrix in one language.

    >>> from durak_widget.board.iterated_elimination import Striking
    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> from durak_widget.i18n import Voice
    >>> table = matrix_of([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"], names=("Ann", "Bob"))
    >>> saying = Saying(table, Voice())
    >>> print(saying.step(Striking(table).next()))
    Ann: silent is strictly dominated by talks: worse whatever Bob does.
    >>> print(saying.cell(1, 1, best=(True, True)))
    Ann: talks; Bob: talks. Ann gets 1, Bob 1. Best responses of both: an equilibrium.
    """

    def __init__(
        self, table: Matrix, voice: Voice, *, names: Sequence[str] = (), heads: Sequence[Sequence[Head]] = (), absent: Sequence[int] = ()
    ) -> None:
        """What its players and its plans are called, where it is not as they call themselves; and who of them is absent-minded."""
        self.table, self.voice, self.absent = table, voice, frozenset(absent)
        called = [
            voice.say("screen.name", number=seat + 1) if is_unnamed(name, seat) else name
            for seat, name in enumerate(map(plain_name, table.names))
        ]
        self.names = tuple(names) or tuple(called)
        """What the two are called."""
        self.heads = tuple(heads) or tuple(
            [Head(plain_name(plan.words) or str(place), plain_name(plan.told) or str(place)) for place, plan in enumerate(plans, 1)]
            for plans in (table.rows, table.columns)
        )

    def plan(self, seat: int, place: int) -> str:
        """A plan, in short."""
        return self.heads[seat][place].said

    def step(self, step: Step) -> str:
        """Which plan is struck out, and why."""
        kind = "mix" if len(step.by) > 1 else "strict" if step.strict else "weak"
        said = self.voice.say(f"matrix.step.{kind}", by=self.mix(step.seat, step.by), **self._whose(step.seat, step.place))
        return f"{said} {self.voice.say('matrix.step.absent', name=self.names[step.seat])}" if step.seat in self.absent else said

    def kept(self, seat: int, place: int, why: NotStruck | None) -> RefusedError:
        """Why a plan is not struck out, to be refused with."""
        facts = self._whose(seat, place)
        if why is None:
            return RefusedError("matrix.kept.only", **facts)
        by = self.plan(seat, why.by)
        if why.against is None:
            return RefusedError("matrix.kept.same", by=by, **facts)
        against = self.plan(1 - seat, why.against)
        worth, less = (number_said(self._worth(seat, one, why.against)) for one in (place, why.by))
        if why.most:
            return RefusedError("matrix.kept.most", against=against, worth=worth, **facts)
        return RefusedError("matrix.kept.near", by=by, against=against, worth=worth, less=less, **facts)

    def gone(self, seat: int, place: int) -> RefusedError:
        """The refusal of a plan that is struck out already."""
        return RefusedError("matrix.gone", **self._whose(seat, place))

    def reduced(self) -> str:
        """A sentence where plans that differ only where one's own moves never lead are written once; else nothing."""
        for plans in (self.table.rows, self.table.columns):
            if len({place for plan in plans for place in plan.moves}) > min((len(plan.moves) for plan in plans), default=0):
                return self.voice.say("matrix.reduced")
        return ""

    def cell(self, row: int, column: int, *, best: tuple[bool, bool] = (False, False), hidden: bool = False) -> str:
        """All that there is to say of a cell."""
        said = [
            self.voice.say("matrix.cell", first=self.names[0], row=self.plan(0, row), second=self.names[1], column=self.plan(1, column))
        ]
        if hidden:
            return " ".join([*said, self.voice.say("matrix.cell.asked")])
        one, other = map(number_said, self.table.payoffs[row][column])
        said.append(self.voice.say("matrix.worth", first=self.names[0], one=one, second=self.names[1], other=other))
        if all(best):
            said.append(self.voice.say("matrix.best.both"))
        elif any(best):
            said.append(self.voice.say("matrix.best", name=self.names[best.index(True)]))
        return " ".join(said)

    def mix(self, seat: int, mix: Iterable[tuple[int, Fraction]]) -> str:
        """A mix: what it plays, and how likely."""
        return " + ".join(
            self.plan(seat, place) if likely == 1 else f"{number_said(likely)} {self.plan(seat, place)}" for place, likely in mix if likely
        )

    def equilibrium(self, one: Equilibrium) -> str:
        """An equilibrium, and what it is worth to each."""
        rows, columns = (self.mix(seat, enumerate(mix)) for seat, mix in enumerate((one.row, one.column)))
        one_worth, other_worth = map(number_said, one.worth)
        return self.voice.say(
            "matrix.equilibrium",
            first=self.names[0],
            row=rows,
            second=self.names[1],
            column=columns,
            one=one_worth,
            other=other_worth,
        )

    def note(self, found: Equilibria) -> list[str]:
        """What is to be known of the list of equilibria; and what the game is worth, where it is zero-sum."""
        value = [] if found.value is None else [self.voice.say("matrix.value", name=self.names[0], value=number_said(found.value))]
        if not found.complete:
            key = "matrix.note.large" if found.value is None else "matrix.note.value"
            size = {"rows": len(self.table.rows), "columns": len(self.table.columns)}
            return [*value, self.voice.say(key, **size)]
        return [
            *value,
            self.voice.say("matrix.note.more" if found.infinite else "matrix.note.all" if len(found) > 1 else "matrix.note.one"),
        ]

    def _whose(self, seat: int, place: int) -> dict[str, str]:
        return {"name": self.names[seat], "other": self.names[1 - seat], "plan": self.plan(seat, place)}

    def _worth(self, seat: int, place: int, against: int) -> Fraction:
        row, column = (place, against) if seat == 0 else (against, place)
        return self.table.payoffs[row][column][seat]


def do(grid: Grid, message: Mapping[str, Any]) -> None:
    """Do what a person means; what would give away what is asked here is refused.

    >>> from durak_widget.board.matrix_view_model import Grid
    >>> from durak_widget.board.matrix_view_model import Saying
    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> from durak_widget.i18n import Voice
    >>> table = matrix_of([[1, -1], [-1, 1]])
    >>> grid = Grid(table, Saying(table, Voice()))
    >>> do(grid, {"kind": "cell", "row": 0, "column": 1})
    >>> grid.selected
    (0, 1)
    """
    kind = message["kind"]
    if grid.task and kind in _TELLS:
        raise RefusedError("matrix.asked")
    DEEDS[kind](grid, message)


if TYPE_CHECKING:
    Does = Callable[[Grid, Mapping[str, Any]], object]
