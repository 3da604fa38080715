"""Plans to be struck out of a matrix, one after another, because another is better."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.board.number_format import number_said
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.answer_parsing import asked_as
from durak_widget.exercises.blackboard_exercise import Asked, Still, ToldPart
from durak_widget.exercises.blackboard_serialization import plain_table
from durak_widget.exercises.exercise import Opinion
from durak_widget.exercises.node_and_cell_lookup import PlanOf, place_of, plans_of, player_name, seat_of
from durak_widget.exercises.paper_form import Blank, HandWork, bare_text, letters_for
from durak_widget.gametheory.player_labels import player_names
from durak_widget.i18n import Fact
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import Written
    from durak_widget.gametheory.strategic_form import Matrix

Struck = tuple[tuple[int, int], ...]
"""Plans by seat and place, in the order in which they went."""


class Left(NamedTuple):
    """What of a matrix is left: the places of the rows and of the columns."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def without(self, seat: int, place: int) -> Left:
        """Without one plan."""
        return self._replace(**{("rows", "columns")[seat]: tuple(one for one in self[seat] if one != place)})


def everything(table: Matrix) -> Left:
    """Nothing is struck yet."""
    return Left(tuple(range(len(table.rows))), tuple(range(len(table.columns))))


def worth(table: Matrix, seat: int, mine: int, theirs: int) -> Fraction:
    """What a plan of a seat brings it against one of the other."""
    return table.payoffs[theirs if seat else mine][mine if seat else theirs][seat]


def dominates(table: Matrix, left: Left, seat: int, other: int, plan: int, *, weak: bool) -> bool:
    """Whether another plan is better on what is left: everywhere, or (weakly) somewhere and nowhere worse."""
    gains = [worth(table, seat, other, one) - worth(table, seat, plan, one) for one in left[1 - seat]]
    return other != plan and (min(gains) >= 0 < max(gains) if weak else min(gains) > 0)


def dominated(table: Matrix, left: Left, *, weak: bool) -> Iterator[tuple[int, int, int]]:
    """The plans that may be struck: the seat, the plan, and one by which it is dominated."""
    for seat in (0, 1):
        for plan in left[seat]:
            by = next((other for other in left[seat] if dominates(table, left, seat, other, plan, weak=weak)), None)
            if by is not None:
                yield seat, plan, by


class Strike(Asked[Struck]):
    """Which plans should nobody follow, and which then, when those are gone?"""

    asks = "strike"
    guessed = True

    def __init__(self, table: Matrix, question: Text, *, weak: bool) -> None:
        self.table, self._weak = table, weak
        if not any(dominated(table, everything(table), weak=weak)):
            raise DurakError(
                f"in this matrix no plan is {'' if weak else 'strictly '}dominated by another, so that there is nothing to strike out"
            )
        self.question = asked_as(question, Fact(f"lesson.matrix.strike.{'weak' if weak else 'strict'}"))

    def blank(self) -> Struck:
        """Nothing is struck yet."""
        return ()

    def read(self, answer: object) -> Struck:
        """Plans in the order in which they are struck."""
        if not isinstance(answer, (list, tuple)):
            raise DurakError(f"what is struck is given in its order, as in ['{self._named(0, 0)}', …], not as {quoted(answer)}")
        return tuple(dict.fromkeys(map(self._plan, answer)))

    def take(self, given: Struck, message: Mapping[str, object]) -> Struck:
        """A plan is struck, or no more."""
        one = self._plan((message.get("seat"), message.get("place")))
        return tuple(two for two in given if two != one) if one in given else (*given, one)

    def _plan(self, plan: object) -> tuple[int, int]:
        """A plan by its seat and place, or by its name."""
        if isinstance(plan, (list, tuple)) and len(plan) == 2:
            seat = seat_of(self.table, plan[0])
            return seat, place_of(plans_of(self.table, seat), plan[1])
        known = {
            f"{called}: {one.words}": (seat, place)
            for seat in (0, 1)
            for called in player_names(self.table.names, seat)
            for place, one in enumerate(plans_of(self.table, seat))
        }
        if not isinstance(plan, str) or plan not in known:
            raise DurakError(f"a plan is named as in {self._named(0, 0)!r} or (0, 0), not {quoted(plan)}")
        return known[plan]

    def _named(self, seat: int, place: int) -> str:
        return f"{self.table.names[seat]}: {plans_of(self.table, seat)[place].words}"

    def plain(self, given: Struck) -> object:
        """Plans by seat and place."""
        return [list(one) for one in given]

    def open(self, given: Struck) -> Sequence[Text]:
        """To do nothing is an answer, and is said to be one."""
        return [] if given else [Fact("class.kept.blank")]

    def judge(self, given: Struck) -> Opinion:
        """Each plan by what was left when it was struck."""
        table, left = self.table, everything(self.table)
        marks: dict[str, str] = {}
        refused: list[tuple[int, int, Left]] = []
        for seat, place in given:
            fine = any(dominates(table, left, seat, other, place, weak=self._weak) for other in left[seat])
            marks[f"{seat},{place}"] = "right" if fine else "wrong"
            if fine:
                left = left.without(seat, place)
            else:
                refused.append((seat, place, left))
        why: list[Text] = []
        for seat, place, then in refused[:2]:
            why.append(self._why_not(seat, place, then))
            if any(dominates(table, left, seat, other, place, weak=self._weak) for other in left[seat]):
                why.append(Fact("lesson.matrix.strike.early", {"plan": PlanOf(seat, place)}))
        following = next(dominated(table, left, weak=self._weak), None)
        if following is None and not refused:
            return Opinion(marks, self._rest(left), True)
        if following is None or refused:
            return Opinion(marks, why, False)
        seat, place, by = following
        who = player_name(table.names, seat)
        told = Fact("lesson.matrix.strike.by", {"who": who, "plan": PlanOf(seat, place), "better": PlanOf(seat, by)})
        return Opinion(marks, [Fact("lesson.matrix.strike.more", {"who": who})], False, [told])

    def told(self, given: Struck, marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """Each plan, in the order in which they went."""
        return [ToldPart("", self._plan_said(*one), marks.get("{},{}".format(*one), "")) for one in given]

    def _plan_said(self, seat: int, place: int) -> Fact:
        return Fact("lesson.matrix.plan", {"who": player_name(self.table.names, seat), "plan": PlanOf(seat, place)})

    def still(self, given: Struck | None, marks: Mapping[str, str]) -> Still:  # noqa: ARG002 - it is struck in words
        """The matrix as it was given."""
        return Still(table=self.table)

    def _why_not(self, seat: int, place: int, left: Left) -> Text:
        """Where a plan is better, or as good, so that it must not be struck."""
        table, others = self.table, [one for one in left[seat] if one != place]
        if not others:
            return Fact("lesson.matrix.strike.last", {"who": player_name(table.names, seat), "plan": PlanOf(seat, place)})
        fails: dict[int, list[tuple[Fraction, int]]] = {}
        for other in others:
            gains = [(worth(table, seat, other, one) - worth(table, seat, place, one), one) for one in left[1 - seat]]
            fails[other] = [gain for gain in gains if gain[0] < 0] or ([] if self._weak else [gain for gain in gains if not gain[0]])
        other = min(others, key=lambda one: (any(gain < 0 for gain, _ in fails[one]), len(fails[one])))
        facts: dict[str, object] = {"plan": PlanOf(seat, place), "better": PlanOf(seat, other)}
        if not fails[other]:
            return Fact("lesson.matrix.strike.same", facts)
        gain, against = min(fails[other])
        facts |= {
            "against": PlanOf(1 - seat, against),
            "mine": number_said(worth(table, seat, place, against)),
            "more": number_said(worth(table, seat, other, against)),
        }
        return Fact(f"lesson.matrix.strike.{'better' if gain < 0 else 'equal'}", facts)

    def _rest(self, left: Left) -> list[Text]:
        """What is left in the end."""
        if len(left.rows) == len(left.columns) == 1:
            return [Fact("lesson.matrix.strike.one", {"row": PlanOf(0, left.rows[0]), "column": PlanOf(1, left.columns[0])})]
        return [Fact("lesson.matrix.strike.rest", {"row": str(len(left.rows)), "column": str(len(left.columns))})]

    @property
    def solution(self) -> Sequence[object]:
        """Plans in an order that is right."""
        left, names = everything(self.table), []
        while (following := next(dominated(self.table, left, weak=self._weak), None)) is not None:
            seat, place, _ = following
            names.append(self._named(seat, place))
            left = left.without(seat, place)
        return names

    def wrong_costs(self) -> Fraction:
        """Return so much that nobody gains anything who strikes out every plan."""
        count = len(self.solution)
        return max(Fraction(count, len(self.table.rows) + len(self.table.columns) - count), Fraction(1))

    def ready_made(self) -> dict[str, object]:
        """The matrix, and whether plans may go that are dominated weakly."""
        return {"table": plain_table(self.table), "weak": self._weak}

    def on_sheet(self) -> HandWork:
        """Rows bear numbers, columns letters: those that are struck out are written down in their order."""
        labels = {**{str(row + 1): (0, row) for row in range(len(self.table.rows))}}
        labels |= {one: (1, place) for place, one in enumerate(letters_for(len(self.table.columns)))}

        def read(written: Written) -> object:
            parts = re.findall(r"\d+|[^\W\d]+", bare_text(written[""]).casefold())
            for one in parts:
                if one not in labels:
                    raise RefusedError("lesson.hand.no_plan", text=one[:20])
            return [labels[one] for one in dict.fromkeys(parts)] if written[""] else None

        def write() -> Written:
            called = {plan: label for label, plan in labels.items()}
            return {"": " ".join(called[one] for one in self.read(self.solution))}

        return HandWork({}, (Blank(room="line"),), read, write)

    def shown(self, given: Struck, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:  # noqa: ARG002 - the view asks whether it is over
        """What is struck, in its order, with its marks."""
        return {"struck": [list(one) for one in given], "marks": dict(marks)}
