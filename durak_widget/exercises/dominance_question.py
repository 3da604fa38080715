"""A question about dominance: the student eliminates dominated strategies one by one."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.board.number_format import format_number_in_sentence
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.answer_parsing import question_or_default
from durak_widget.exercises.blackboard_exercise import BoardPicture, BoardQuestion, PartDescription
from durak_widget.exercises.blackboard_serialization import matrix_to_dict
from durak_widget.exercises.exercise import AnswerGrade
from durak_widget.exercises.node_and_cell_lookup import (
    StrategyReference,
    describe_player,
    parse_player,
    parse_strategy,
    strategies_of_player,
)
from durak_widget.exercises.paper_form import AnswerBlank, BoardPaperForm, clean_text, make_labels
from durak_widget.gametheory.player_labels import accepted_player_names
from durak_widget.i18n import TranslatableText
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.paper_form import BlankTexts
    from durak_widget.gametheory.strategic_form import Matrix

EliminatedStrategies = tuple[tuple[int, int], ...]
"""The eliminated strategies as pairs of player and index, in the order of elimination."""


class RemainingStrategies(NamedTuple):
    """The strategies of a matrix that are not eliminated: indices of rows and of columns."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def without(self, player: int, strategy: int) -> RemainingStrategies:
        """Return the remaining strategies after one more strategy is eliminated."""
        return self._replace(**{("rows", "columns")[player]: tuple(index for index in self[player] if index != strategy)})


def all_strategies(matrix: Matrix) -> RemainingStrategies:
    """Return all strategies of a matrix, before any elimination."""
    return RemainingStrategies(tuple(range(len(matrix.rows))), tuple(range(len(matrix.columns))))


def get_payoff(matrix: Matrix, player: int, own_strategy: int, other_strategy: int) -> Fraction:
    """Return a player's payoff for a pair of strategies."""
    return matrix.payoffs[other_strategy if player else own_strategy][own_strategy if player else other_strategy][player]


def dominates(matrix: Matrix, remaining: RemainingStrategies, player: int, dominating: int, strategy: int, *, weak: bool) -> bool:
    """Return whether a strategy dominates another in the matrix of remaining strategies.

    A strictly dominating strategy is always better. A weakly dominating strategy is sometimes better and never worse.
    """
    gains = [
        get_payoff(matrix, player, dominating, opposing) - get_payoff(matrix, player, strategy, opposing)
        for opposing in remaining[1 - player]
    ]
    return dominating != strategy and (min(gains) >= 0 < max(gains) if weak else min(gains) > 0)


def find_dominated_strategies(matrix: Matrix, remaining: RemainingStrategies, *, weak: bool) -> Iterator[tuple[int, int, int]]:
    """Yield each dominated strategy: its player, its index, and a strategy that dominates it."""
    for player in (0, 1):
        for strategy in remaining[player]:
            dominating = next(
                (candidate for candidate in remaining[player] if dominates(matrix, remaining, player, candidate, strategy, weak=weak)), None
            )
            if dominating is not None:
                yield player, strategy, dominating


class DominanceQuestion(BoardQuestion[EliminatedStrategies]):
    """A question that asks which strategies can be eliminated one after another."""

    question_kind = "strike"
    is_guessable = True

    def __init__(self, matrix: Matrix, question: Text, *, weak: bool) -> None:
        self.matrix, self._is_weak = matrix, weak
        if not any(find_dominated_strategies(matrix, all_strategies(matrix), weak=weak)):
            raise DurakError(
                f"in this matrix no pure strategy is {'' if weak else 'strictly '}dominated by another, so there is nothing to eliminate"
            )
        self.question = question_or_default(question, TranslatableText(f"lesson.matrix.strike.{'weak' if weak else 'strict'}"))

    def empty_answer(self) -> EliminatedStrategies:
        """Return the empty answer, in which no strategy is eliminated."""
        return ()

    def parse_answer(self, answer: object) -> EliminatedStrategies:
        """Parse eliminated strategies in the order of their elimination."""
        if not isinstance(answer, (list, tuple)):
            raise DurakError(
                f"write the eliminated strategies in order, as in ['{self._strategy_name(0, 0)}', …], not as {short_repr(answer)}"
            )
        return tuple(dict.fromkeys(map(self._parse_strategy, answer)))

    def apply_message(self, previous_answer: EliminatedStrategies, message: Mapping[str, object]) -> EliminatedStrategies:
        """Eliminate the clicked strategy, or restore it if it is already eliminated."""
        strategy = self._parse_strategy((message.get("player"), message.get("strategy")))
        return (
            tuple(other for other in previous_answer if other != strategy) if strategy in previous_answer else (*previous_answer, strategy)
        )

    def _parse_strategy(self, value: object) -> tuple[int, int]:
        """Parse a strategy from its player and index, or from its name."""
        if isinstance(value, (list, tuple)) and len(value) == 2:
            player = parse_player(self.matrix, value[0])
            return player, parse_strategy(strategies_of_player(self.matrix, player), value[1])
        strategies_by_name = {
            f"{name}: {strategy.short_label}": (player, index)
            for player in (0, 1)
            for name in accepted_player_names(self.matrix.names, player)
            for index, strategy in enumerate(strategies_of_player(self.matrix, player))
        }
        if not isinstance(value, str) or value not in strategies_by_name:
            raise DurakError(f"write a pure strategy as in {self._strategy_name(0, 0)!r} or (0, 0), not {short_repr(value)}")
        return strategies_by_name[value]

    def _strategy_name(self, player: int, strategy: int) -> str:
        """Return a strategy's name in the form that `_parse_strategy` accepts."""
        return f"{self.matrix.names[player]}: {strategies_of_player(self.matrix, player)[strategy].short_label}"

    def to_plain_data(self, answer: EliminatedStrategies) -> object:
        """Return each eliminated strategy as a list of its player and its index."""
        return [list(strategy) for strategy in answer]

    def describe_missing_parts(self, answer: EliminatedStrategies) -> Sequence[Text]:
        """If no strategy is eliminated, return a note that the answer is empty."""
        return [] if answer else [TranslatableText("class.kept.blank")]

    def grade(self, answer: EliminatedStrategies) -> AnswerGrade:
        """Grade each elimination in the matrix that was left before this elimination."""
        matrix, remaining = self.matrix, all_strategies(self.matrix)
        marks: dict[str, str] = {}
        refused: list[tuple[int, int, RemainingStrategies]] = []
        for player, strategy in answer:
            is_dominated = any(
                dominates(matrix, remaining, player, candidate, strategy, weak=self._is_weak) for candidate in remaining[player]
            )
            marks[f"{player},{strategy}"] = "right" if is_dominated else "wrong"
            if is_dominated:
                remaining = remaining.without(player, strategy)
            else:
                refused.append((player, strategy, remaining))
        reasons: list[Text] = []
        for player, strategy, remaining_then in refused[:2]:
            reasons.append(self._explain_refusal(player, strategy, remaining_then))
            if any(dominates(matrix, remaining, player, candidate, strategy, weak=self._is_weak) for candidate in remaining[player]):
                reasons.append(TranslatableText("lesson.matrix.strike.early", {"plan": StrategyReference(player, strategy)}))
        next_elimination = next(find_dominated_strategies(matrix, remaining, weak=self._is_weak), None)
        if next_elimination is None and not refused:
            return AnswerGrade(marks, self._describe_remaining(remaining), True)
        if next_elimination is None or refused:
            return AnswerGrade(marks, reasons, False)
        player, strategy, dominating = next_elimination
        name = describe_player(matrix.names, player)
        hint = TranslatableText(
            "lesson.matrix.strike.by",
            {"who": name, "plan": StrategyReference(player, strategy), "better": StrategyReference(player, dominating)},
        )
        return AnswerGrade(marks, [TranslatableText("lesson.matrix.strike.more", {"who": name})], False, [hint])

    def describe_parts(self, answer: EliminatedStrategies, marks: Mapping[str, str]) -> Sequence[PartDescription]:
        """Describe each eliminated strategy, in the order of elimination."""
        return [PartDescription("", self._describe_strategy(*strategy), marks.get("{},{}".format(*strategy), "")) for strategy in answer]

    def _describe_strategy(self, player: int, strategy: int) -> TranslatableText:
        """Return a translatable text that names a player and a strategy."""
        return TranslatableText(
            "lesson.matrix.plan", {"who": describe_player(self.matrix.names, player), "plan": StrategyReference(player, strategy)}
        )

    def build_picture(self, answer: EliminatedStrategies | None, marks: Mapping[str, str]) -> BoardPicture:  # noqa: ARG002 - the picture shows only the question
        """Return a picture of the question's matrix."""
        return BoardPicture(matrix=self.matrix)

    def _explain_refusal(self, player: int, strategy: int, remaining: RemainingStrategies) -> Text:
        """Explain why a strategy is not dominated and can't be eliminated."""
        matrix, candidates = self.matrix, [candidate for candidate in remaining[player] if candidate != strategy]
        if not candidates:
            return TranslatableText(
                "lesson.matrix.strike.last", {"who": describe_player(matrix.names, player), "plan": StrategyReference(player, strategy)}
            )
        fails: dict[int, list[tuple[Fraction, int]]] = {}
        for candidate in candidates:
            gains = [
                (get_payoff(matrix, player, candidate, opposing) - get_payoff(matrix, player, strategy, opposing), opposing)
                for opposing in remaining[1 - player]
            ]
            fails[candidate] = [gain for gain in gains if gain[0] < 0] or ([] if self._is_weak else [gain for gain in gains if not gain[0]])
        closest = min(candidates, key=lambda candidate: (any(gain < 0 for gain, _ in fails[candidate]), len(fails[candidate])))
        facts: dict[str, object] = {"plan": StrategyReference(player, strategy), "better": StrategyReference(player, closest)}
        if not fails[closest]:
            return TranslatableText("lesson.matrix.strike.same", facts)
        gain, against = min(fails[closest])
        facts |= {
            "against": StrategyReference(1 - player, against),
            "mine": format_number_in_sentence(get_payoff(matrix, player, strategy, against)),
            "more": format_number_in_sentence(get_payoff(matrix, player, closest, against)),
        }
        return TranslatableText(f"lesson.matrix.strike.{'better' if gain < 0 else 'equal'}", facts)

    def _describe_remaining(self, remaining: RemainingStrategies) -> list[Text]:
        """Describe the strategies that remain at the end of the elimination."""
        if len(remaining.rows) == len(remaining.columns) == 1:
            return [
                TranslatableText(
                    "lesson.matrix.strike.one",
                    {"row": StrategyReference(0, remaining.rows[0]), "column": StrategyReference(1, remaining.columns[0])},
                )
            ]
        return [TranslatableText("lesson.matrix.strike.rest", {"row": str(len(remaining.rows)), "column": str(len(remaining.columns))})]

    @property
    def solution(self) -> Sequence[object]:
        """Return the dominated strategies in an order in which they can be eliminated."""
        remaining, names = all_strategies(self.matrix), []
        while (next_elimination := next(find_dominated_strategies(self.matrix, remaining, weak=self._is_weak), None)) is not None:
            player, strategy, _ = next_elimination
            names.append(self._strategy_name(player, strategy))
            remaining = remaining.without(player, strategy)
        return names

    def compute_wrong_part_penalty(self) -> Fraction:
        """Return how many correct eliminations lose their credit because of a wrong elimination.

        So a student who eliminates all strategies earns nothing.
        """
        count = len(self.solution)
        return max(Fraction(count, len(self.matrix.rows) + len(self.matrix.columns) - count), Fraction(1))

    def to_snapshot(self) -> dict[str, object]:
        """Return the matrix and the required kind of dominance as JSON-compatible values."""
        return {"table": matrix_to_dict(self.matrix), "weak": self._is_weak}

    def to_paper(self) -> BoardPaperForm:
        """Return the question for print; it asks for the eliminated strategies in order.

        On the sheet, rows have numbers and columns have letters.
        """
        labels = {**{str(row + 1): (0, row) for row in range(len(self.matrix.rows))}}
        labels |= {letter: (1, column) for column, letter in enumerate(make_labels(len(self.matrix.columns)))}

        def parse_texts(blank_texts: BlankTexts) -> object:
            parts = re.findall(r"\d+|[^\W\d]+", clean_text(blank_texts[""]).casefold())
            for label in parts:
                if label not in labels:
                    raise RefusedError("lesson.hand.no_plan", text=label[:20])
            return [labels[label] for label in dict.fromkeys(parts)] if blank_texts[""] else None

        def write_solution() -> BlankTexts:
            label_of = {strategy: label for label, strategy in labels.items()}
            return {"": " ".join(label_of[strategy] for strategy in self.parse_answer(self.solution))}

        return BoardPaperForm({}, (AnswerBlank(field_kind="line"),), parse_texts, write_solution)

    def view_fields(self, answer: EliminatedStrategies, marks: Mapping[str, str], *, is_over: bool) -> dict[str, object]:  # noqa: ARG002 - the widget reads `is_over` itself
        """Return the eliminated strategies and their grading marks, as data for the front end."""
        return {"eliminated": [list(strategy) for strategy in answer], "marks": dict(marks)}
