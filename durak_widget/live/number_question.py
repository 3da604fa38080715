"""Defines what all games of numbers share: rounds, a form and bars.

The points of such a game are exact: a student's answer is compared with the whole class, not with one group that chance has formed.
Theory is shown only after the last round, so that it does not spoil the rounds before.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final

from durak_widget.errors import DurakError, as_whole_number, short_repr
from durak_widget.exercises.answer_parsing import require_text, translate_text
from durak_widget.gametheory.number_parsing import parse_exact_number
from durak_widget.i18n import Translator
from durak_widget.live.bar_groups import build_group, find_bin, list_bin_labels
from durak_widget.live.question import AnswerError, Json, JsonObject, Question, SpecError
from durak_widget.live.texts import format_rounded, translate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MAX_ROUNDS: Final = 20
MAX_NUMBER: Final = 1_000_000
"""The largest number that a game may let students name."""
_MAX_TYPED_LENGTH: Final = 20
"""The maximum length of a typed number, in characters."""
MAX_DENOMINATOR: Final = 1000
"""The largest denominator of an answer, so that the average of a large class stays quick to compute."""
CENTS: Final = 100
"""Numbers that allow no fractions are whole numbers of hundredths."""


class NumberQuestion(Question):
    """A question whose answer is a number, asked in one or more rounds.

    `prepared` has all values of the spec, checked and complete.
    """

    is_whole: ClassVar[bool] = False
    allows_fractions: ClassVar[bool] = False

    @classmethod
    def prepare(cls, spec: JsonObject) -> JsonObject:
        """Check a spec, and return its values with the default values that it leaves out."""
        rounds = read_whole(spec, "rounds", 3, 1, _MAX_ROUNDS)
        history = spec.get("history", [])
        if not isinstance(history, list) or len(history) >= _MAX_ROUNDS or any(parse_exact_number(past) is None for past in history):
            raise SpecError(f"history must list the averages of earlier rounds as texts, not {short_repr(history)}")
        try:
            for name in ("title", "text"):
                require_text(spec.get(name, ""))
        except DurakError as error:
            raise SpecError(f"the title or the text of the question is not valid: {error}") from None
        return {
            "round": read_whole(spec, "round", 1, 1, rounds),
            "rounds": rounds,
            "history": list(history),
            **cls._prepare_values(spec),
        }

    @classmethod
    @abstractmethod
    def _prepare_values(cls, spec: JsonObject) -> JsonObject:
        """Return the checked values that only this game has."""

    @property
    @abstractmethod
    def maximum(self) -> int:
        """Return the largest number that students may name; the smallest is 0."""

    @property
    def round(self) -> int:
        """Return the number of this round, from 1."""
        number: int = self.prepared["round"]
        return number

    @property
    def is_last_round(self) -> bool:
        """Return whether no round follows this one."""
        return self.round == int(self.prepared["rounds"])

    @property
    def may_show_theory(self) -> bool:
        """Return whether theory can spoil nothing, because the class will not play again."""
        return self.is_last_round and self.spec.get("again") is not True

    def title(self, language: str) -> str:
        """Return the title that the teacher has given, or else the name of the game."""
        return translate_text(self.spec.get("title") or "", Translator(language)) or self._say(
            language, "title", **self._rule_facts(language)
        )

    def build_form(self, seat: int, language: str) -> JsonObject:
        """Return the form with a field for a number."""
        facts = [*self._list_private_facts(seat, language)]
        if self.prepared["rounds"] > 1:
            facts.insert(0, translate(language, "live.number.round", round=self.round, rounds=self.prepared["rounds"]))
        return {
            "type": "number",
            "title": self.title(language),
            "text": self._rules(language),
            "role": "",
            "picture": None,
            "picture_text": "",
            "minimum": 0,
            "maximum": self.maximum,
            "whole": self.is_whole,
            "unit": "",
            "facts": facts,
        }

    def _rules(self, language: str) -> str:
        """Return the rules of the game, or the text that the teacher has given instead."""
        own = translate_text(self.spec.get("text") or "", Translator(language))
        return own or self._say(language, "rules", **self._rule_facts(language))

    @abstractmethod
    def _rule_facts(self, language: str) -> dict[str, object]:
        """Return the values that the title and the rules of the game contain."""

    def _list_private_facts(self, seat: int, language: str) -> list[str]:  # noqa: ARG002 - auctions have private values
        """Return sentences that only the student in a seat may read."""
        return []

    def _say(self, language: str, name: str, /, **facts: object) -> str:
        """Translate a text of this game."""
        return translate(language, f"live.number.{self.kind}.{name}", **facts)

    def parse_answer(self, seat: int, answer: object) -> Json:  # noqa: ARG002 - all seats have the same limits
        """Return an answer as `{"number": text}`, with the number in its shortest exact form."""
        typed = answer.get("number") if isinstance(answer, dict) else None
        if isinstance(typed, bool) or not isinstance(typed, (str, int, float)):
            raise AnswerError("live.number.unreadable")
        is_huge = isinstance(typed, int) and abs(typed) > 10**_MAX_TYPED_LENGTH  # Python refuses to write very large numbers
        text = "" if is_huge else str(typed).strip()
        if is_huge or len(text) > _MAX_TYPED_LENGTH:
            raise AnswerError("live.number.too_long", most=str(_MAX_TYPED_LENGTH))
        value = parse_exact_number(text)
        if value is None:
            raise AnswerError("live.number.unreadable")
        if not 0 <= value <= self.maximum:
            raise AnswerError("live.number.out_of_range", lowest="0", highest=str(self.maximum))
        if self.is_whole and value.denominator != 1:
            raise AnswerError("live.number.whole", lowest="0", highest=str(self.maximum))
        if not self.allows_fractions and (value * CENTS).denominator != 1:
            raise AnswerError("live.number.two_decimals")
        if value.denominator > MAX_DENOMINATOR:
            raise AnswerError("live.number.too_fine", most=str(MAX_DENOMINATOR))
        return {"number": _format_typed(value)}

    def build_tally(self, answers: Mapping[int, Json], language: str) -> list[JsonObject]:
        """Return the bars that count the answers so far."""
        return self._build_groups(answers, None, language)

    def _build_histogram(self, answers: Mapping[int, Json], language: str, marks: Mapping[int, Sequence[str]]) -> JsonObject:
        """Return a histogram of the numbers that students have named."""
        counts = Counter(find_bin(read_number(answer), self.maximum) for answer in answers.values())
        labels = list_bin_labels(self.maximum)
        bars = [counts[index] for index in range(len(labels))]
        return build_group(self._say(language, "histogram"), labels, bars, language, total=len(answers), marks=marks)

    def build_board(
        self,
        answers: Mapping[int, Json],
        result: JsonObject | None,
        solution: JsonObject | None,  # noqa: ARG002 - the theory of these games needs no solver
        *,
        is_revealed: bool,
        language: str,
        earlier: Sequence[JsonObject] = (),
    ) -> JsonObject:
        """Return the bars and sentences about a round; theory comes only after the last round."""
        if result is not None and "seats" not in result:
            result = None  # The worker has failed
        lines = [] if result is None or not answers else self._list_lines(result, language, is_revealed=is_revealed)
        title = self.title(language)
        if self.prepared["rounds"] > 1:
            title += ". " + translate(language, "live.number.round", round=self.round, rounds=self.prepared["rounds"]).rstrip(".")
        return {
            "title": title,
            "text": self._rules(language),
            "picture": None,
            "picture_text": "",
            "groups": self._build_groups(answers, result if is_revealed else None, language),
            "lines": [*lines, *self._list_history(result, language)],
            "equilibria": self._list_theory(language) if is_revealed and self.may_show_theory else [],
            "table": None,
            "earlier": [{"title": board["title"], "groups": board["groups"]} for board in earlier],
        }

    @abstractmethod
    def _build_groups(self, answers: Mapping[int, Json], result: JsonObject | None, language: str) -> list[JsonObject]:
        """Return the groups of bars; `result` is None before the reveal."""

    @abstractmethod
    def _list_lines(self, result: JsonObject, language: str, *, is_revealed: bool) -> list[str]:
        """Return sentences about the whole class."""

    @abstractmethod
    def _list_theory(self, language: str) -> list[str]:
        """Return what game theory says about the game."""

    def _list_history(self, result: JsonObject | None, language: str) -> list[str]:
        """Return a sentence with the averages of all rounds so far; nothing in the first round."""
        if not self.prepared["history"]:
            return []
        averages = [*self.prepared["history"], *([result["average"]] if result and result.get("average") is not None else [])]
        texts = [format_rounded(Fraction(average), language, 1) for average in averages]
        return [translate(language, "live.number.history", averages=" → ".join(texts))]

    def _describe_own_result(self, result: JsonObject, own: JsonObject | None, role: int, language: str) -> JsonObject:  # noqa: ARG002 - all have the same role
        """Return the student's own result of a round."""
        if own is None:
            return {"headline": translate(language, "live.question.no_answer"), "lines": [], "is_right": None}
        return self._describe_round(result, own, language)

    @abstractmethod
    def _describe_round(self, result: JsonObject, own: JsonObject, language: str) -> JsonObject:
        """Return the headline and sentences for a student who has answered."""

    def list_choices(self, seat: int, answer: Json) -> list[JsonObject]:  # noqa: ARG002 - auctions add the private value
        """Return the number as one row of data."""
        return [{"role": "", "infoset": "", "choice": str(answer["number"]), "probability": "1"}]

    def build_next_spec(self, result: JsonObject | None) -> JsonObject | None:
        """Return the spec of the next round, with the averages of all rounds so far."""
        if self.is_last_round:
            return None
        average = None if result is None else result.get("average")
        history = [*self.prepared["history"], *([] if average is None else [average])]
        spec = {name: value for name, value in self.spec.items() if name != "attempt"}
        return {**spec, **self.prepared, "round": self.round + 1, "history": history}


def read_number(answer: Json) -> Fraction:
    """Return the number in an answer that `parse_answer` has returned."""
    return Fraction(answer["number"])


def _format_typed(value: Fraction) -> str:
    """Return a number as a decimal if that is exact, and otherwise as a fraction.

    >>> _format_typed(Fraction(67, 2)), _format_typed(Fraction(1, 3)), _format_typed(Fraction(40))
    ('33.5', '1/3', '40')
    """
    for digits in range(4):
        if (value * 10**digits).denominator == 1:
            return f"{value.numerator / value.denominator:.{digits}f}" if digits else str(value)
    return str(value)


def read_whole(spec: JsonObject, name: str, default: int, lowest: int, highest: int) -> int:
    """Return a whole number of a spec; raise `SpecError` if it is out of range."""
    number = as_whole_number(spec.get(name, default))
    if number is None or not lowest <= number <= highest:
        raise SpecError(f"{name} must be a whole number from {lowest} to {highest}, not {short_repr(spec.get(name))}")
    return number
