"""View model of a matrix: what is selected, marked or eliminated, and its wording.

It also handles the page's messages about a matrix, both alone and beside a tree. A message that would give away an
exercise's answer is refused.
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
"""The largest number of rows, and of columns."""
DEEDS: Final[dict[str, Does]] = {
    "cell": lambda grid, said: grid.select(said.get("row"), said.get("column")),
    "strike": lambda grid, said: grid.strike(said.get("seat"), said.get("place")),
    "unstrike": lambda grid, _: grid.undo(),
    "marks": lambda grid, said: setattr(grid, "marks", message_parsing.flag(said, "on")),
    "pairs": lambda grid, said: setattr(grid, "pairs", message_parsing.flag(said, "on")),
    "equilibria": lambda grid, said: grid.list_them(message_parsing.flag(said, "on")),
    "mix": lambda grid, said: grid.show(said.get("place")),
}
"""The handler of each kind of message that a matrix understands."""
_TELLS: Final = {"strike", "marks", "equilibria", "mix"}
"""Kinds that reveal the answer to a question."""


class Grid:
    """A matrix with its display state; `saying` words it.

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
        """True if both payoffs are shown even in a zero-sum game."""
        self.marks = marks
        """True if best responses are marked."""
        self.task: Mapping[str, Any] = {}
        """The question asked on this matrix, whose answer nothing may reveal; {} if there is none."""
        self.selected: tuple[int, int] | None = None
        self.listed = False
        """True if the equilibria are shown."""
        self.shown: int | None = None
        """The equilibrium whose probabilities are shown at rows and columns."""
        self._found: Equilibria | None = None
        texts: dict[tuple[str, str], int] = {}
        self._cells = [
            [texts.setdefault((number_written(row_payoff), number_written(column_payoff)), len(texts)) for row_payoff, column_payoff in row]
            for row in table.payoffs
        ]
        self._worths = [list(pair) for pair in texts]

    # Commands

    def strike(self, seat: object = None, place: object = None) -> Step:
        """Eliminate this pure strategy, or the next dominated one.

        One that is not dominated is refused with the reason.
        """
        if seat is None:
            step = self.striking.next()
            if step is None:
                raise RefusedError("matrix.nothing")
        else:
            player_index, strategy_index = self.a_plan(seat, place)
            if strategy_index not in self.striking.alive(player_index):
                raise self.saying.gone(player_index, strategy_index)
            step = self.striking.of(player_index, strategy_index)
            if step is None:
                raise self.saying.kept(player_index, strategy_index, self.striking.why_not(player_index, strategy_index))
        self.striking.strike(step)
        return step

    def undo(self) -> Step | None:
        """Undo the last elimination."""
        return self.striking.undo()

    def select(self, row: object = None, column: object = None) -> None:
        """Select a cell; without arguments, none."""
        self.selected = None if row is None and column is None else (self.a_plan(0, row)[1], self.a_plan(1, column)[1])

    def list_them(self, on: bool) -> None:  # noqa: FBT001 - shown or not
        """Show or hide the equilibria."""
        self.listed, self.shown = on, None

    def show(self, place: object) -> None:
        """Show the probabilities of this equilibrium at rows and columns; None: of none."""
        number = whole_number(place)
        if place is not None and (number is None or not 0 <= number < len(self.equilibria)):
            raise MessageError(f"{quoted(place)} is no equilibrium of this matrix; they are numbered from 0 to {len(self.equilibria) - 1}")
        self.listed, self.shown = True, number

    @property
    def equilibria(self) -> Equilibria:
        """Return all equilibria, computed at the first call."""
        if self._found is None:
            self._found = equilibria(self.table)
        return self._found

    def a_plan(self, seat: object, place: object) -> tuple[int, int]:
        """Return the player and the index of a pure strategy; refuse any other value."""
        player_index, strategy_index = whole_number(seat), whole_number(place)
        if player_index not in (0, 1):
            raise MessageError(f"{quoted(seat)} is no seat of a matrix: 0 has the rows, 1 the columns")
        count = len(self.saying.heads[player_index])
        if strategy_index is None or not 0 <= strategy_index < count:
            raise MessageError(
                f"{quoted(place)} is no {('row', 'column')[player_index]} of this matrix; they are numbered from 0 to {count - 1}"
            )
        return player_index, strategy_index

    # Display

    @property
    def hidden(self) -> set[tuple[int, int]]:
        """Return the cells that a question asks for; their payoffs are not shown."""
        cells = [key.partition(",") for key in self.task.get("cells", ())] if self.task.get("asks") == "fill" else []
        return {(int(row), int(column)) for row, _, column in cells}

    @property
    def marked(self) -> bool:
        """Return True if best responses are shown."""
        return self.marks and not self.task

    @property
    def found(self) -> Equilibria | None:
        """Return the equilibria if they are shown, otherwise None."""
        return self.equilibria if self.listed and not self.task else None

    def told(self) -> dict[str, Any]:
        """Return all that the page shows."""
        hidden = self.hidden
        shown = {cell for row, cells in enumerate(self._cells) for column, cell in enumerate(cells) if (row, column) not in hidden}
        asked = bool(self.task)
        best = self.best()
        return {
            "names": list(self.saying.names),
            "rows": [list(head) for head in self.saying.heads[0]],
            "columns": [list(head) for head in self.saying.heads[1]],
            "worths": [pair if column in shown else ["", ""] for column, pair in enumerate(self._worths)],
            "cells": [
                [-1 if (row, column) in hidden else cell for column, cell in enumerate(cells)] for row, cells in enumerate(self._cells)
            ],
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
        """Return for each cell: 1 if its row is a best response, 2 if its column is, 3 for both.

        0 for neither, and everywhere while a question is asked. Eliminated strategies don't count.
        """
        if self.task:
            return [[0] * len(self.table.columns) for _ in self.table.rows]
        rows, columns = (self.striking.best(player) for player in (0, 1))
        remaining = [set(self.striking.alive(player)) for player in (0, 1)]
        return [
            [
                (row in rows[column]) + 2 * (column in columns[row]) if row in remaining[0] and column in remaining[1] else 0
                for column in range(len(self.table.columns))
            ]
            for row in range(len(self.table.rows))
        ]

    def _said(self, best: list[list[int]]) -> str:
        if self.selected is None:
            return ""
        row, column = self.selected
        best_response = best[row][column] if self.marked else 0
        return self.saying.cell(row, column, best=(bool(best_response & 1), bool(best_response & 2)), hidden=self.selected in self.hidden)

    def _listed(self, found: Equilibria) -> dict[str, Any]:
        """Return the equilibria in words, and the probabilities of the one that is shown."""
        probabilities: dict[str, list[str]] = {}
        if self.shown is not None:
            equilibrium = found.found[self.shown]
            probabilities = {"rows": _likely(equilibrium.row), "columns": _likely(equilibrium.column)}
        return {
            "list": [self.saying.equilibrium(equilibrium) for equilibrium in found],
            "note": self.saying.note(found),
            "together": [list(group) for group in found.together],
            "at": self.shown,
            **probabilities,
        }


def _likely(mix: Mix) -> list[str]:
    """Format the probability of each pure strategy; empty if it is 0."""
    return [number_written(probability) if probability else "" for probability in mix]


class Head(NamedTuple):
    """The name of a pure strategy at its row or column."""

    said: str
    """The short name."""
    told: str
    """The full name."""


class Saying:
    """The wording of a matrix in one language.

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
        """Prepare the wording; `names` and `heads` replace the names in the matrix.

        `absent` lists the absent-minded players.
        """
        self.table, self.voice, self.absent = table, voice, frozenset(absent)
        default_names = [
            voice.say("screen.name", number=player + 1) if is_unnamed(name, player) else name
            for player, name in enumerate(map(plain_name, table.names))
        ]
        self.names = tuple(names) or tuple(default_names)
        """The names of the two players."""
        self.heads = tuple(heads) or tuple(
            [Head(plain_name(plan.words) or str(number), plain_name(plan.told) or str(number)) for number, plan in enumerate(plans, 1)]
            for plans in (table.rows, table.columns)
        )

    def plan(self, seat: int, place: int) -> str:
        """Return the short name of a pure strategy."""
        return self.heads[seat][place].said

    def step(self, step: Step) -> str:
        """Describe which pure strategy is eliminated, and why."""
        kind = "mix" if len(step.by) > 1 else "strict" if step.strict else "weak"
        sentence = self.voice.say(f"matrix.step.{kind}", by=self.mix(step.seat, step.by), **self._whose(step.seat, step.place))
        return f"{sentence} {self.voice.say('matrix.step.absent', name=self.names[step.seat])}" if step.seat in self.absent else sentence

    def kept(self, seat: int, place: int, why: NotStruck | None) -> RefusedError:
        """Return the error for a pure strategy that is not dominated, with the reason."""
        facts = self._whose(seat, place)
        if why is None:
            return RefusedError("matrix.kept.only", **facts)
        nearest = self.plan(seat, why.by)
        if why.against is None:
            return RefusedError("matrix.kept.same", by=nearest, **facts)
        against = self.plan(1 - seat, why.against)
        payoff, lower_payoff = (number_said(self._worth(seat, compared, why.against)) for compared in (place, why.by))
        if why.most:
            return RefusedError("matrix.kept.most", against=against, worth=payoff, **facts)
        return RefusedError("matrix.kept.near", by=nearest, against=against, worth=payoff, less=lower_payoff, **facts)

    def gone(self, seat: int, place: int) -> RefusedError:
        """Return the error for a pure strategy that is eliminated already."""
        return RefusedError("matrix.gone", **self._whose(seat, place))

    def reduced(self) -> str:
        """Return a note if equivalent pure strategies share a row or column; otherwise "".

        Equivalent ones differ only where the player's own earlier actions never lead.
        """
        for plans in (self.table.rows, self.table.columns):
            if len({infoset_index for plan in plans for infoset_index in plan.moves}) > min((len(plan.moves) for plan in plans), default=0):
                return self.voice.say("matrix.reduced")
        return ""

    def cell(self, row: int, column: int, *, best: tuple[bool, bool] = (False, False), hidden: bool = False) -> str:
        """Describe a cell completely."""
        sentences = [
            self.voice.say("matrix.cell", first=self.names[0], row=self.plan(0, row), second=self.names[1], column=self.plan(1, column))
        ]
        if hidden:
            return " ".join([*sentences, self.voice.say("matrix.cell.asked")])
        row_payoff, column_payoff = map(number_said, self.table.payoffs[row][column])
        sentences.append(self.voice.say("matrix.worth", first=self.names[0], one=row_payoff, second=self.names[1], other=column_payoff))
        if all(best):
            sentences.append(self.voice.say("matrix.best.both"))
        elif any(best):
            sentences.append(self.voice.say("matrix.best", name=self.names[best.index(True)]))
        return " ".join(sentences)

    def mix(self, seat: int, mix: Iterable[tuple[int, Fraction]]) -> str:
        """Format a mixed strategy: its pure strategies with their probabilities."""
        return " + ".join(
            self.plan(seat, strategy) if probability == 1 else f"{number_said(probability)} {self.plan(seat, strategy)}"
            for strategy, probability in mix
            if probability
        )

    def equilibrium(self, one: Equilibrium) -> str:
        """Describe an equilibrium with its payoffs."""
        rows, columns = (self.mix(player, enumerate(probabilities)) for player, probabilities in enumerate((one.row, one.column)))
        row_value, column_value = map(number_said, one.worth)
        return self.voice.say(
            "matrix.equilibrium",
            first=self.names[0],
            row=rows,
            second=self.names[1],
            column=columns,
            one=row_value,
            other=column_value,
        )

    def note(self, found: Equilibria) -> list[str]:
        """Return notes on the list of equilibria, and the value of a zero-sum game."""
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
    """Do what a message asks for; refuse it if it would reveal an answer.

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
