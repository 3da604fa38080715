"""A question about dominance: dominated strategies are eliminated one after another."""

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
"""Strategies by player and index, in the order of their elimination."""


class Left(NamedTuple):
    """The remaining strategies of a matrix, by index: rows and columns."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def without(self, seat: int, place: int) -> Left:
        """Return the rest without one strategy."""
        return self._replace(**{("rows", "columns")[seat]: tuple(index for index in self[seat] if index != place)})


def everything(table: Matrix) -> Left:
    """Return all strategies of a matrix."""
    return Left(tuple(range(len(table.rows))), tuple(range(len(table.columns))))


def worth(table: Matrix, seat: int, mine: int, theirs: int) -> Fraction:
    """Return a player's payoff for a pair of strategies."""
    return table.payoffs[theirs if seat else mine][mine if seat else theirs][seat]


def dominates(table: Matrix, left: Left, seat: int, other: int, plan: int, *, weak: bool) -> bool:
    """Return whether `other` dominates `plan` on the rest of the matrix.

    Strictly: it is better everywhere. Weakly: it is better somewhere and never worse.
    """
    gains = [worth(table, seat, other, opposing) - worth(table, seat, plan, opposing) for opposing in left[1 - seat]]
    return other != plan and (min(gains) >= 0 < max(gains) if weak else min(gains) > 0)


def dominated(table: Matrix, left: Left, *, weak: bool) -> Iterator[tuple[int, int, int]]:
    """Yield each dominated strategy: its player, its index, and one that dominates it."""
    for player in (0, 1):
        for strategy in left[player]:
            dominating = next(
                (candidate for candidate in left[player] if dominates(table, left, player, candidate, strategy, weak=weak)), None
            )
            if dominating is not None:
                yield player, strategy, dominating


class Strike(Asked[Struck]):
    """The question which strategies can be eliminated, one after another."""

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
        """Return the answer without any elimination."""
        return ()

    def read(self, answer: object) -> Struck:
        """Parse strategies in the order of their elimination."""
        if not isinstance(answer, (list, tuple)):
            raise DurakError(f"what is struck is given in its order, as in ['{self._named(0, 0)}', …], not as {quoted(answer)}")
        return tuple(dict.fromkeys(map(self._plan, answer)))

    def take(self, given: Struck, message: Mapping[str, object]) -> Struck:
        """Eliminate a strategy, or restore it."""
        strategy = self._plan((message.get("seat"), message.get("place")))
        return tuple(other for other in given if other != strategy) if strategy in given else (*given, strategy)

    def _plan(self, plan: object) -> tuple[int, int]:
        """Parse a strategy from its player and index, or from its name."""
        if isinstance(plan, (list, tuple)) and len(plan) == 2:
            player = seat_of(self.table, plan[0])
            return player, place_of(plans_of(self.table, player), plan[1])
        strategies_by_name = {
            f"{name}: {strategy.words}": (player, index)
            for player in (0, 1)
            for name in player_names(self.table.names, player)
            for index, strategy in enumerate(plans_of(self.table, player))
        }
        if not isinstance(plan, str) or plan not in strategies_by_name:
            raise DurakError(f"a plan is named as in {self._named(0, 0)!r} or (0, 0), not {quoted(plan)}")
        return strategies_by_name[plan]

    def _named(self, seat: int, place: int) -> str:
        return f"{self.table.names[seat]}: {plans_of(self.table, seat)[place].words}"

    def plain(self, given: Struck) -> object:
        """Return the strategies by player and index."""
        return [list(strategy) for strategy in given]

    def open(self, given: Struck) -> Sequence[Text]:
        """Return a note if nothing is eliminated, since that is an answer, too."""
        return [] if given else [Fact("class.kept.blank")]

    def judge(self, given: Struck) -> Opinion:
        """Grade each strategy by what remained when it was eliminated."""
        matrix, remaining = self.table, everything(self.table)
        marks: dict[str, str] = {}
        refused: list[tuple[int, int, Left]] = []
        for player, strategy in given:
            is_dominated = any(
                dominates(matrix, remaining, player, candidate, strategy, weak=self._weak) for candidate in remaining[player]
            )
            marks[f"{player},{strategy}"] = "right" if is_dominated else "wrong"
            if is_dominated:
                remaining = remaining.without(player, strategy)
            else:
                refused.append((player, strategy, remaining))
        why: list[Text] = []
        for player, strategy, remaining_then in refused[:2]:
            why.append(self._why_not(player, strategy, remaining_then))
            if any(dominates(matrix, remaining, player, candidate, strategy, weak=self._weak) for candidate in remaining[player]):
                why.append(Fact("lesson.matrix.strike.early", {"plan": PlanOf(player, strategy)}))
        next_elimination = next(dominated(matrix, remaining, weak=self._weak), None)
        if next_elimination is None and not refused:
            return Opinion(marks, self._rest(remaining), True)
        if next_elimination is None or refused:
            return Opinion(marks, why, False)
        player, strategy, dominating = next_elimination
        name = player_name(matrix.names, player)
        hint = Fact("lesson.matrix.strike.by", {"who": name, "plan": PlanOf(player, strategy), "better": PlanOf(player, dominating)})
        return Opinion(marks, [Fact("lesson.matrix.strike.more", {"who": name})], False, [hint])

    def told(self, given: Struck, marks: Mapping[str, str]) -> Sequence[ToldPart]:
        """Describe each strategy in the order of elimination."""
        return [ToldPart("", self._plan_said(*strategy), marks.get("{},{}".format(*strategy), "")) for strategy in given]

    def _plan_said(self, seat: int, place: int) -> Fact:
        return Fact("lesson.matrix.plan", {"who": player_name(self.table.names, seat), "plan": PlanOf(seat, place)})

    def still(self, given: Struck | None, marks: Mapping[str, str]) -> Still:  # noqa: ARG002 - it is struck in words
        """Return the matrix as it was given."""
        return Still(table=self.table)

    def _why_not(self, seat: int, place: int, left: Left) -> Text:
        """Explain where a strategy is better or as good, so that it must stay."""
        matrix, candidates = self.table, [candidate for candidate in left[seat] if candidate != place]
        if not candidates:
            return Fact("lesson.matrix.strike.last", {"who": player_name(matrix.names, seat), "plan": PlanOf(seat, place)})
        fails: dict[int, list[tuple[Fraction, int]]] = {}
        for candidate in candidates:
            gains = [
                (worth(matrix, seat, candidate, opposing) - worth(matrix, seat, place, opposing), opposing) for opposing in left[1 - seat]
            ]
            fails[candidate] = [gain for gain in gains if gain[0] < 0] or ([] if self._weak else [gain for gain in gains if not gain[0]])
        closest = min(candidates, key=lambda candidate: (any(gain < 0 for gain, _ in fails[candidate]), len(fails[candidate])))
        facts: dict[str, object] = {"plan": PlanOf(seat, place), "better": PlanOf(seat, closest)}
        if not fails[closest]:
            return Fact("lesson.matrix.strike.same", facts)
        gain, against = min(fails[closest])
        facts |= {
            "against": PlanOf(1 - seat, against),
            "mine": number_said(worth(matrix, seat, place, against)),
            "more": number_said(worth(matrix, seat, closest, against)),
        }
        return Fact(f"lesson.matrix.strike.{'better' if gain < 0 else 'equal'}", facts)

    def _rest(self, left: Left) -> list[Text]:
        """Describe what remains in the end."""
        if len(left.rows) == len(left.columns) == 1:
            return [Fact("lesson.matrix.strike.one", {"row": PlanOf(0, left.rows[0]), "column": PlanOf(1, left.columns[0])})]
        return [Fact("lesson.matrix.strike.rest", {"row": str(len(left.rows)), "column": str(len(left.columns))})]

    @property
    def solution(self) -> Sequence[object]:
        """Return strategies in a right order."""
        remaining, names = everything(self.table), []
        while (next_elimination := next(dominated(self.table, remaining, weak=self._weak), None)) is not None:
            player, strategy, _ = next_elimination
            names.append(self._named(player, strategy))
            remaining = remaining.without(player, strategy)
        return names

    def wrong_costs(self) -> Fraction:
        """Return the penalty with which eliminating every strategy gains nothing."""
        count = len(self.solution)
        return max(Fraction(count, len(self.table.rows) + len(self.table.columns) - count), Fraction(1))

    def ready_made(self) -> dict[str, object]:
        """Return the matrix, and whether weak dominance is enough."""
        return {"table": plain_table(self.table), "weak": self._weak}

    def on_sheet(self) -> HandWork:
        """Return the question for paper: write down the eliminated strategies in order.

        Rows are named by numbers, columns by letters.
        """
        labels = {**{str(row + 1): (0, row) for row in range(len(self.table.rows))}}
        labels |= {letter: (1, column) for column, letter in enumerate(letters_for(len(self.table.columns)))}

        def read(written: Written) -> object:
            parts = re.findall(r"\d+|[^\W\d]+", bare_text(written[""]).casefold())
            for label in parts:
                if label not in labels:
                    raise RefusedError("lesson.hand.no_plan", text=label[:20])
            return [labels[label] for label in dict.fromkeys(parts)] if written[""] else None

        def write() -> Written:
            label_of = {strategy: label for label, strategy in labels.items()}
            return {"": " ".join(label_of[strategy] for strategy in self.read(self.solution))}

        return HandWork({}, (Blank(room="line"),), read, write)

    def shown(self, given: Struck, marks: Mapping[str, str], *, over: bool) -> dict[str, object]:  # noqa: ARG002 - the view asks whether it is over
        """Return the eliminated strategies in order, with their marks."""
        return {"struck": [list(strategy) for strategy in given], "marks": dict(marks)}
