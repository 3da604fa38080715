"""What is said of a matrix: of its cells, of what is struck out and why not, of its equilibria, in one of the languages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from durak_widget.board.number_format import number_said
from durak_widget.board.tree_wording import plain_name
from durak_widget.gametheory.player_labels import is_unnamed
from durak_widget.i18n.user_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from durak_widget.board.iterated_elimination import NotStruck, Step
    from durak_widget.gametheory.bimatrix_equilibria import Equilibria, Equilibrium
    from durak_widget.gametheory.strategic_form import Matrix
    from durak_widget.i18n import Voice


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
