"""Judges answers to exercises from JSON alone, in any process and language.

Each class is one type of answer: one option, several options, an order of cards, a number, or marks on a matrix. Where an exercise has
rules of its own for judging, it is built again from the data, so that a live class session and a notebook judge in the same way.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from durak_widget.errors import DurakError
from durak_widget.exercises.answer_parsing import translate_text
from durak_widget.exercises.choice_exercise import Pick, Sort
from durak_widget.exercises.dominance_question import all_strategies, find_dominated_strategies
from durak_widget.exercises.matrix_exercise import OnMatrix
from durak_widget.exercises.number_exercise import Number
from durak_widget.exercises.paper_form import make_labels
from durak_widget.gametheory.number_parsing import parse_number_readings
from durak_widget.i18n import Translator
from durak_widget.live.bar_groups import build_group
from durak_widget.live.question import AnswerError, Json, JsonObject, SpecError
from durak_widget.live.texts import keep_together, translate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

MAX_ITEMS: Final = 64
"""The maximum number of options that a phone shows."""
_MAX_TYPED_LENGTH: Final = 60
"""The maximum length of a typed answer, in characters."""
_MAX_LABEL_LENGTH: Final = 32
"""The maximum length of a typed answer that labels a bar; longer answers are listed as text."""
_MAX_BARS: Final = 8
"""The maximum number of different typed answers that have their own bars."""
_MAX_LISTED: Final = 6
"""The maximum number of long answers that are listed as text."""
_PLAIN_NUMBER_PATTERN: Final = re.compile(r"\d+([.,]\d+)?")
_OWN_REASONS: Final = {
    "lesson.number.coarse": "live.exercise.coarse",
    "lesson.number.shared": "live.exercise.coarse",
    "lesson.number.cut": "live.exercise.cut",
}
"""Reasons of an exercise that ask for another try, and what a class reads instead, because it cannot try again."""


class Judgement(NamedTuple):
    """What an exercise says about an answer."""

    is_right: bool
    credit: Fraction
    sentences: tuple[str, ...] = ()
    """The reasons, in one language."""
    mistake: str = ""
    """The name of the mistake that explains the answer; empty if there is none."""


class Verdict(NamedTuple):
    """What the bars need to know of a judged answer."""

    is_right: bool
    mistake: str


class Bars(NamedTuple):
    """The bars that show the answers of a class, and answers that are too long for bars."""

    group: JsonObject
    long_answers: tuple[str, ...] = ()


class AnswerKey(ABC):
    """One type of answer: its form, how to read an answer, and how to judge it."""

    type: ClassVar[str]

    def __init__(self, data: JsonObject) -> None:
        self.data = data
        self._judgements: dict[tuple[str, str], Judgement] = {}

    def judge(self, answer: Json, language: str) -> Judgement:
        """Return what the exercise says about an answer; equal answers are judged once."""
        memory_key = (repr(answer), language)
        if memory_key not in self._judgements:
            self._judgements[memory_key] = self._judge(answer, language)
        return self._judgements[memory_key]

    @abstractmethod
    def _judge(self, answer: Json, language: str) -> Judgement:
        """Return what the exercise says about an answer."""

    @abstractmethod
    def build_form_fields(self, language: str) -> JsonObject:
        """Return the fields of the form that depend on the type of answer."""

    @abstractmethod
    def parse(self, answer: object) -> Json:
        """Return an answer in its canonical form, or raise `AnswerError`."""

    @abstractmethod
    def pick(self, rng: Random) -> Json:
        """Return an answer that a student might give."""

    @abstractmethod
    def build_bars(self, answers: Sequence[Json], verdicts: Sequence[Verdict] | None, language: str, title: str) -> Bars:
        """Return bars that count the answers; without verdicts, they don't say which are right."""

    @abstractmethod
    def describe_solution(self, language: str) -> str:
        """Return a correct answer as text."""

    @abstractmethod
    def list_choices(self, answer: Json) -> list[str]:
        """Return an answer as names that don't depend on the language."""

    def _translate_field(self, texts: Mapping[str, str] | str, language: str) -> str:
        return keep_together(translate_text(texts, Translator(language)))


class _OptionKey(AnswerKey):
    """Options with texts; a phone answers with their numbers, from 0."""

    is_multiple: ClassVar[bool] = False

    def __init__(self, data: JsonObject) -> None:
        super().__init__(data)
        self.items: list[JsonObject] = data["items"]
        self.ids = [str(item["id"]) for item in self.items]
        if not 0 < len(self.items) <= MAX_ITEMS or len(set(self.ids)) < len(self.ids):
            raise SpecError(f"a question to the class needs 1 to {MAX_ITEMS} different options, but this one has {len(self.items)}")
        self.right_indices = frozenset(self.ids.index(str(item)) for item in data["right"])

    def get_label(self, index: int, language: str) -> str:
        """Return the text of an option."""
        return self._translate_field(self.items[index]["text"], language)

    def build_form_fields(self, language: str) -> JsonObject:
        """Return the options and whether the student may choose several."""
        options = [
            {"text": self.get_label(index, language)}
            | ({"picture": self._translate_field(item["picture"], language)} if item.get("picture") else {})
            for index, item in enumerate(self.items)
        ]
        return {"type": "choice", "options": options, "multiple": self.is_multiple}

    def _require_index(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value not in range(len(self.items)):
            raise AnswerError("live.exercise.no_option")
        return value

    def build_bars(self, answers: Sequence[Json], verdicts: Sequence[Verdict] | None, language: str, title: str) -> Bars:
        """Return a bar for each option."""
        counts = Counter(index for answer in answers for index in self._list_chosen(answer))
        is_revealed = verdicts is not None
        wrong_indices = {index for index in counts if index not in self.right_indices} if self.has_one_solution else set()
        marks = {index: ["right" if index in self.right_indices else "mistake"] for index in self.right_indices | wrong_indices}
        notes = {index: self._explain_item(index, language) for index in wrong_indices if is_revealed}
        labels = [self.get_label(index, language) for index in range(len(self.items))]
        group = build_group(
            title,
            labels,
            [counts[index] for index in range(len(labels))],
            language,
            total=len(answers),
            marks=marks if is_revealed else {},
            bar_notes=notes,
        )
        return Bars(group)

    @property
    def has_one_solution(self) -> bool:
        """Return whether every option that is not in the solution is wrong."""
        return True

    @abstractmethod
    def _list_chosen(self, answer: Json) -> Sequence[int]:
        """Return the numbers of the options in an answer."""

    def _explain_item(self, index: int, language: str) -> str:
        """Return why an option is correct or wrong; empty if the exercise has no reason."""
        return self._translate_field(self.data.get("reasons", {}).get(self.ids[index], ""), language)

    def describe_solution(self, language: str) -> str:
        """Return the texts of the correct options."""
        labels = [self.get_label(index, language) for index in sorted(self.right_indices)]
        return ", ".join(labels) or translate(language, "live.exercise.none")

    def list_choices(self, answer: Json) -> list[str]:
        """Return the names of the options in an answer."""
        return [self.ids[index] for index in self._list_chosen(answer)]


class ChoiceKey(_OptionKey):
    """One option; several may be right, such as two moves that reach the goal."""

    type = "choice"

    def __init__(self, data: JsonObject) -> None:
        super().__init__(data)
        if not self.right_indices:
            raise SpecError("at least one option must be right")

    def parse(self, answer: object) -> Json:
        """Return the number of the chosen option."""
        return {"choice": self._require_index(answer.get("choice") if isinstance(answer, dict) else None)}

    def _list_chosen(self, answer: Json) -> Sequence[int]:
        return [answer["choice"]]

    def _judge(self, answer: Json, language: str) -> Judgement:
        index = answer["choice"]
        is_right, reason = index in self.right_indices, self._explain_item(index, language)
        return Judgement(is_right, Fraction(is_right), (reason,) if reason else (), "" if is_right else self.ids[index])

    def pick(self, rng: Random) -> Json:
        """Return a right option or any option."""
        return {"choice": rng.choice([rng.choice(sorted(self.right_indices)), rng.randrange(len(self.items))])}


class _SeveralKey(_OptionKey):
    """Several options in any order, or none."""

    is_multiple = True

    def parse(self, answer: object) -> Json:
        """Return the numbers of the chosen options in increasing order."""
        chosen = answer.get("choices") if isinstance(answer, dict) else None
        if not isinstance(chosen, list) or len(chosen) > len(self.items):
            raise AnswerError("live.exercise.no_option")
        return {"choices": sorted({self._require_index(index) for index in chosen})}

    def _list_chosen(self, answer: Json) -> Sequence[int]:
        chosen: Sequence[int] = answer["choices"]
        return chosen

    def pick(self, rng: Random) -> Json:
        """Return the right options, often with one option too many or too few."""
        other = rng.randrange(len(self.items))
        return {"choices": sorted(self.right_indices ^ {other} if rng.random() < 0.6 else self.right_indices)}


class PickKey(_SeveralKey):
    """Cards to pick; the exercise `Pick` judges them."""

    type = "pick"

    def __init__(self, data: JsonObject) -> None:
        super().__init__(data)
        self._exercise = Pick("", self.ids, data["right"], reasons=data.get("reasons", {}))

    def _judge(self, answer: Json, language: str) -> Judgement:
        exercise = self._exercise
        exercise.language = language
        exercise.restart()
        verdict = exercise.answer(self.list_choices(answer))
        return Judgement(verdict.right, Fraction(exercise.credit), verdict.sentences[1:])


class MatrixKey(_SeveralKey):
    """Strategies, payoffs or cells to mark on a matrix; the exercise `OnMatrix` judges them.

    `plain` of an item is what the exercise accepts for it, such as the row and column of a cell.
    """

    type = "matrix"

    def __init__(self, data: JsonObject) -> None:
        super().__init__(data)
        self._exercise = OnMatrix.from_snapshot(data["snapshot"])

    @property
    def has_one_solution(self) -> bool:
        """Return False for weak dominance, where another order may eliminate other strategies."""
        return self.data["snapshot"].get("weak") is not True

    def _judge(self, answer: Json, language: str) -> Judgement:
        exercise = self._exercise
        exercise.language = language
        exercise.restart()
        chosen = [tuple(self.items[index]["plain"]) for index in answer["choices"]]
        if exercise.question_kind == "strike":
            chosen = _order_eliminations(exercise, chosen, is_weak=self.data["snapshot"].get("weak") is True)
        verdict = exercise.answer(chosen)
        return Judgement(verdict.right, Fraction(exercise.credit), verdict.sentences[1:])


def _order_eliminations(exercise: OnMatrix, chosen: Sequence[tuple[int, ...]], *, is_weak: bool) -> list[tuple[int, ...]]:
    """Return chosen strategies in an order in which as many as possible can be eliminated.

    A phone marks strategies without an order.
    """
    remaining, rest, ordered = all_strategies(exercise.matrix), list(chosen), list[tuple[int, ...]]()
    while True:
        dominated = [(player, strategy) for player, strategy, _ in find_dominated_strategies(exercise.matrix, remaining, weak=is_weak)]
        following = next((strategy for strategy in rest if strategy in dominated), None)
        if following is None:
            return [*ordered, *rest]
        rest.remove(following)
        ordered.append(following)
        remaining = remaining.without(*following)


class _TypedKey(AnswerKey):
    """An answer that the student types."""

    def build_form_fields(self, language: str) -> JsonObject:
        """Return the hint and the example of a text field."""
        return {"type": "text", "hint": self._build_hint(language), "placeholder": self._build_placeholder(language)}

    @abstractmethod
    def _build_hint(self, language: str) -> str:
        """Return how to write an answer."""

    @abstractmethod
    def _build_placeholder(self, language: str) -> str:
        """Return an example of an answer, which is not a correct one."""

    def parse(self, answer: object) -> Json:
        """Return the typed text in a canonical form."""
        typed = answer.get("text", answer.get("number")) if isinstance(answer, dict) else None
        if isinstance(typed, (int, float)) and not isinstance(typed, bool) and abs(typed) < 10**_MAX_TYPED_LENGTH:
            typed = str(typed)
        if not isinstance(typed, str) or not typed.strip():
            raise AnswerError("live.exercise.empty")
        if len(typed) > _MAX_TYPED_LENGTH:
            raise AnswerError("live.number.too_long", most=str(_MAX_TYPED_LENGTH))
        return {"text": self._normalize(typed.strip())}

    @abstractmethod
    def _normalize(self, typed: str) -> str:
        """Return a typed answer in its canonical form, or raise `AnswerError`."""

    @abstractmethod
    def _sort_into(self, answer: Json, verdict: Verdict | None, language: str) -> tuple[str, str]:
        """Return the name and the label of the bar of an answer.

        The name is the empty text for the right answer and `mistake.…` for a named mistake.
        """

    def build_bars(self, answers: Sequence[Json], verdicts: Sequence[Verdict] | None, language: str, title: str) -> Bars:
        """Return a bar for each of the most frequent answers."""
        counts: Counter[str] = Counter()
        labels: dict[str, str] = {}
        if verdicts is not None:
            labels[""], counts[""] = self.describe_solution(language), 0
        for index, answer in enumerate(answers):
            name, label = self._sort_into(answer, None if verdicts is None else verdicts[index], language)
            labels.setdefault(name, label)
            counts[name] += 1
        # Ties are in alphabetical order, so that the order does not depend on who answered first
        names = sorted(labels, key=lambda name: (name != "", not name.startswith("mistake."), -counts[name], labels[name]))
        long_names = [name for name in names if len(labels[name]) > _MAX_LABEL_LENGTH and name]
        short_names = [name for name in names if name not in long_names]
        shown, other_count = short_names[:_MAX_BARS], sum(counts[name] for name in short_names[_MAX_BARS:])
        bar_labels, bar_counts = [labels[name] for name in shown], [counts[name] for name in shown]
        if other_count:
            bar_labels.append(translate(language, "live.exercise.other"))
            bar_counts.append(other_count)
        marks = {index: ["right" if not name else "mistake"] for index, name in enumerate(shown) if not name or name.startswith("mistake.")}
        notes = {
            index: self._explain_mistake(name.removeprefix("mistake."), language)
            for index, name in enumerate(shown)
            if name.startswith("mistake.")
        }
        group = build_group(
            title,
            bar_labels,
            bar_counts,
            language,
            total=len(answers),
            marks=marks if verdicts is not None else {},
            bar_notes=notes,
        )
        return Bars(group, tuple(f"{labels[name]} ({counts[name]})" for name in long_names[:_MAX_LISTED]))

    def _explain_mistake(self, name: str, language: str) -> str:  # noqa: ARG002 - numbers have named mistakes
        """Return the sentence that explains a named mistake."""
        return ""

    def list_choices(self, answer: Json) -> list[str]:
        """Return the typed text."""
        return [str(answer["text"])]


class SortKey(_TypedKey):
    """Cards to put in order; the student types the letters of the cards."""

    type = "sort"

    def __init__(self, data: JsonObject) -> None:
        super().__init__(data)
        self.items: list[JsonObject] = data["items"]
        self.ids = [str(item["id"]) for item in self.items]
        self.labels = make_labels(len(self.ids))
        if sorted(map(str, data["right"])) != sorted(self.ids) or not 2 <= len(self.ids) <= MAX_ITEMS:
            raise SpecError("an order must name each card once")

    def _build_hint(self, language: str) -> str:
        cards = ", ".join(
            f"{label}\N{NO-BREAK SPACE}= {self._translate_field(item['text'], language)}"
            for label, item in zip(self.labels, self.items, strict=True)
        )
        return translate(language, "live.exercise.sort_hint", cards=cards)

    def _build_placeholder(self, language: str) -> str:  # noqa: ARG002 - letters are the same in every language
        return " ".join(self.labels)

    def _normalize(self, typed: str) -> str:
        try:
            order = Sort.answer_form.parse_handwritten(typed, self.ids)
        except DurakError:
            order = []
        if not isinstance(order, list) or sorted(order) != sorted(self.ids):
            raise AnswerError("live.exercise.sort_all", letters=" ".join(self.labels))
        return " ".join(self.labels[self.ids.index(card)] for card in order)

    def _get_order(self, answer: Json) -> list[str]:
        return [self.ids[self.labels.index(label)] for label in str(answer["text"]).split()]

    def _describe_order(self, order: Sequence[str], language: str) -> str:
        return " ".join(self._translate_field(self.items[self.ids.index(card)]["text"], language) for card in order)

    def _sort_into(self, answer: Json, verdict: Verdict | None, language: str) -> tuple[str, str]:
        if verdict is not None and verdict.is_right:
            return "", ""
        return f"answer.{answer['text']}", self._describe_order(self._get_order(answer), language)

    def _judge(self, answer: Json, language: str) -> Judgement:
        order, right = self._get_order(answer), list(map(str, self.data["right"]))
        reasons = self.data.get("reasons", {})
        wrong_pairs = [f"{low} {high}" for low, high in pairwise(order) if right.index(high) < right.index(low)]
        sentences = tuple(self._translate_field(reasons[pair], language) for pair in wrong_pairs[:1] if pair in reasons)
        return Judgement(not wrong_pairs, Fraction(not wrong_pairs), sentences)

    def describe_solution(self, language: str) -> str:
        """Return the cards in the correct order."""
        return self._describe_order(list(map(str, self.data["right"])), language)

    def pick(self, rng: Random) -> Json:
        """Return the right order, or one with two neighbours exchanged."""
        order = list(map(str, self.data["right"]))
        if rng.random() < 0.6:
            at = rng.randrange(len(order) - 1)
            order[at : at + 2] = reversed(order[at : at + 2])
        return {"text": " ".join(self.labels[self.ids.index(card)] for card in order)}

    def list_choices(self, answer: Json) -> list[str]:
        """Return the cards in the order of the answer, as one name."""
        return [" ".join(self._get_order(answer))]


class NumberKey(_TypedKey):
    """A number in any usual notation; the exercise `Number` judges it and names its mistakes."""

    type = "number"

    def __init__(self, data: JsonObject) -> None:
        super().__init__(data)
        self._exercises: dict[str, Number] = {}
        self._names: dict[str, str] = {}
        """The name of the bar for each typed text."""
        self._mistake_values = {name: Fraction(value) for name, value in self._build_exercise("en").mistakes.items()}

    def _build_exercise(self, language: str) -> Number:
        if language not in self._exercises:
            mistakes: dict[str, Any] = {
                name: (mistake["value"], self._translate_field(mistake["sentence"], language))
                for name, mistake in self.data.get("mistakes", {}).items()
            }
            self._exercises[language] = Number(
                "", self.data["right"], tolerance=self.data.get("tolerance") or None, mistakes=mistakes, language=language
            )
        return self._exercises[language]

    def _build_hint(self, language: str) -> str:
        return translate(language, "live.exercise.number_hint")

    def _build_placeholder(self, language: str) -> str:  # noqa: ARG002 - an example could be the right answer
        return ""

    @property
    def _is_probability(self) -> bool:
        """Return whether the question asks for a probability."""
        return self.data.get("is_probability") is True

    def _normalize(self, typed: str) -> str:
        try:
            readings = parse_number_readings(typed)
        except ValueError:
            readings = ()
        if not readings:
            raise AnswerError("live.exercise.unreadable")
        if self._is_probability and not any(0 <= reading.value <= 1 for reading in readings):
            if _PLAIN_NUMBER_PATTERN.fullmatch(typed) and readings[0].value <= 100:
                raise AnswerError("live.exercise.percent", given=typed)
            raise AnswerError("live.exercise.probability")
        return typed

    def _judge(self, answer: Json, language: str) -> Judgement:
        exercise = self._build_exercise(language)
        exercise.restart()
        verdict = exercise.answer(answer["text"])
        sentence_names = {exercise.mistake_sentence(name): name for name in exercise.mistakes}
        mistake = next((sentence_names[sentence] for sentence in verdict.sentences if sentence in sentence_names), "")
        own_reasons = {Translator(language).translate(key): translate(language, own_key) for key, own_key in _OWN_REASONS.items()}
        sentences = tuple([keep_together(own_reasons.get(sentence, sentence)) for sentence in verdict.sentences[1:]])
        return Judgement(verdict.right, Fraction(exercise.credit), sentences, "" if verdict.right else mistake)

    def _sort_into(self, answer: Json, verdict: Verdict | None, language: str) -> tuple[str, str]:  # noqa: ARG002 - a number is the same in every language
        if verdict is not None and verdict.is_right:
            return "", ""
        if verdict is not None and verdict.mistake in self._mistake_values:
            return f"mistake.{verdict.mistake}", str(self._mistake_values[verdict.mistake])
        text = str(answer["text"])
        if text not in self._names:  # Reading 300 numbers takes too long for the event loop of the server
            self._names[text] = f"answer.{parse_number_readings(text)[0].value}"
        return self._names[text], text

    def _explain_mistake(self, name: str, language: str) -> str:
        return self._translate_field(self.data["mistakes"][name]["sentence"], language)

    def describe_solution(self, language: str) -> str:
        """Return the correct number as it is in the exercise."""
        return self._build_exercise(language).solution[0]

    def pick(self, rng: Random) -> Json:
        """Return the right number, a named mistake, or another number."""
        right = Fraction(self.data["right"])
        numbers = [right, right, *self._mistake_values.values(), right + Fraction(rng.choice((-1, 1)), rng.choice((2, 3, 4, 5)))]
        return {"text": str(rng.choice([number for number in numbers if not self._is_probability or 0 <= number <= 1]))}


_KEY_CLASSES: Final[dict[str, type[AnswerKey]]] = {
    key_class.type: key_class for key_class in (ChoiceKey, PickKey, MatrixKey, SortKey, NumberKey)
}


def load_key(data: object) -> AnswerKey:
    """Build the answer key of an exercise, or raise `SpecError` for invalid data.

    >>> load_key({"type": "number", "right": "1/3"}).judge({"text": "0.33"}, "en").is_right
    True
    """
    try:
        return _KEY_CLASSES[data["type"]](data)  # type: ignore[index, arg-type] # checked by the handler below
    except SpecError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError, DurakError) as error:
        raise SpecError(f"this exercise has invalid data ({type(error).__name__}: {error}); make it by make_exercise_spec") from None
