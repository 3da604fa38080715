"""An exercise whose answer is a number: exact, rounded, or within a tolerance.

A typical mistake is named if the typed number proves it. If the answer key is absent, an answer is rounded and checked against sealed
answers, so that a fraction and its decimals are equivalent.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from math import floor, log10
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from durak_widget.cards import Card
from durak_widget.engine.game import Game
from durak_widget.engine.moves import Refusal
from durak_widget.errors import DurakError, short_repr, suggest_nearest
from durak_widget.exercises.answer_form import AnswerCheck, AnswerForm
from durak_widget.exercises.answer_parsing import format_name, require_text, translate_text
from durak_widget.exercises.card_probabilities import MISTAKE_NAMES, HiddenHand, RandomHandDraw, build_posterior_answer_key
from durak_widget.exercises.exercise import AnswerGrade, Exercise
from durak_widget.gametheory.number_parsing import (
    MIN_SIGNIFICANT_DIGITS,
    ParsedNumber,
    format_number,
    is_too_large_to_write,
    parse_exact_number,
    parse_number_readings,
)
from durak_widget.i18n import LANGUAGES, Seat, TranslatableText, Translator
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typing_extensions import Unpack

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Verdict
    from durak_widget.exercises.card_probabilities import NumericAnswerKey
    from durak_widget.exercises.exercise import ExerciseOptions, PositionOptions

_SHOWN_DIGITS: Final = 3
"""The number of significant digits in the decimal that a solution shows beside a fraction."""
SEALED_DIGITS: Final = 6
"""The number of significant digits to which an encrypted answer is rounded.

With fewer digits, guessing decimals would be quicker than guessing fractions.
"""
_DECIMALS_PER_MAGNITUDE: Final = 900_000
"""How many different numbers from 1 up to 10 have exactly six significant digits."""


class NamedMistake(NamedTuple):
    """The wrong number that a mistake gives, and the sentence that explains the mistake."""

    value: Fraction
    sentence: Text


class NumberForm(AnswerForm):
    """The answer format for a number in any usual notation.

    >>> NumberForm().parse(["1/2"], []), NumberForm().is_applicable({}), NumberForm().is_applicable({"9c": {}})
    (['1/2'], True, False)
    """

    is_single = True
    is_handwritten = True
    paper_kind = "number"

    def parse(self, answer: object, items: Sequence[str]) -> list[str]:  # noqa: ARG002 - a number has no items to choose from
        """Check that an answer is a number, and return the number as text."""
        text = format_number(answer[0] if isinstance(answer, list) and len(answer) == 1 else answer)
        if text is None or not parse_number_readings(text):
            raise RefusedError(
                "lesson.number.too_large" if text is not None and is_too_large_to_write(text) else "lesson.number.unreadable"
            )
        return [text.strip()]

    def parse_handwritten(self, text: str, items: Sequence[str]) -> object:
        """Parse a number from a printed sheet."""
        return self.parse(text, items)[0]

    def format_handwritten(self, answer: Sequence[str], items: Sequence[str]) -> str:  # noqa: ARG002 - as above
        """Return a number as a student would write it on paper."""
        return answer[0]

    def is_applicable(self, items: Mapping[str, Mapping[str, str]]) -> bool:
        """Return whether a question offers nothing to choose from, so that a number is asked."""
        return not items

    def check_with_seal(self, answer: Sequence[str], open_seal: Callable[[str], Mapping[str, Any] | None]) -> AnswerCheck:
        """Compare a number with the encrypted correct number and encrypted typical wrong numbers."""
        possible_readings = parse_number_readings(answer[0])
        for reading in possible_readings:
            for sealed_form in list_sealed_forms(reading):
                if (content := open_seal(sealed_form)) and (sealed_value := parse_exact_number(content.get("value"))) is not None:
                    return _build_check_result(
                        content,
                        is_precise=any(alternative.matches(sealed_value) for alternative in possible_readings),
                        is_rounded=bool(reading.last_digit_unit),
                    )
        if all(reading.last_digit_unit and reading.significant_digits < SEALED_DIGITS for reading in possible_readings):
            return AnswerCheck("", [TranslatableText("class.kept.coarse", {"count": SEALED_DIGITS})])
        return AnswerCheck("wrong", [TranslatableText("class.not_yet")])


class Number(Exercise):
    """An exercise whose answer is a number in any usual notation: `1/2`, `0.5`, `0,5`, `50 %`.

    A correctly rounded decimal with two or more digits is correct too. A mistake is named if the student typed exactly its number and
    no other mistake leads to that number. A number that is only nearly precise enough does not count as an attempt.

    >>> quiz = Number("A card of five is drawn, and then another. How likely are both the two you want?", Fraction(1, 10), mistakes={"with_replacement": Fraction(2, 25)})
    >>> print(quiz.answer("2/25"))
    Not yet. That would be right if each card were put back before the next draw. But a drawn card doesn't go back.
    >>> print(quiz.answer("10 %"))
    Right. 1/10 = 0.1
    """

    kind = "number"
    answer_form = NumberForm()
    example_answer = '"5/18"'

    def __init__(
        self,
        question: Text,
        right: object,
        *,
        tolerance: object = None,
        mistakes: Mapping[str, object] | None = None,
        hint: Text = "",
        **more: Unpack[PositionOptions],
    ) -> None:
        """Ask the student a question whose answer is the number `right`.

        `mistakes` maps the name of a known mistake to its number, or any name to a number and a sentence: `{"mine": (Fraction(1, 9),
        "You …")}`.
        """
        super().__init__(question, **more)
        self._right_number = _parse_exact_number(right)
        self._tolerance = Fraction(0) if tolerance is None else _parse_exact_number(tolerance)
        if self._tolerance < 0:
            raise DurakError(f"tolerance must be a number from 0 on, not {short_repr(tolerance)}: it is how far an answer may be off")
        if mistakes is not None and not isinstance(mistakes, Mapping):
            raise DurakError(f"mistakes must give each wrong number with its name, as in {{'contrary': '3/4'}}, not {short_repr(mistakes)}")
        self._mistakes = {format_name(name): _parse_mistake(name, mistake_argument) for name, mistake_argument in (mistakes or {}).items()}
        self._hint = require_text(hint)

    @classmethod
    def chance(
        cls,
        game: object,
        holds: object = "",
        *,
        beats: Card | str | None = None,
        least: int = 1,
        most: int | None = None,
        holder: int | None = None,
        seat: int | None = None,
        question: Text = "",
        **more: Unpack[ExerciseOptions],
    ) -> Number:
        """Ask the student for the probability that the opponent holds some of the given cards.

        `least` and `most` limit the number of cards. `holds` names the cards or is `"trumps"`; alternatively, `beats` names a card to
        beat. `game` is an observation, or a game whose picture is shown as `seat` sees it (by default the seat to move).
        `holder` is the opponent, if there are several.

        >>> quiz = Number.chance(Game(seed=7), "Ah")
        >>> print(quiz.question)
        What is the probability that Player 2 holds the ace of hearts?
        >>> print(quiz.answer("6/35"))
        Not yet. You counted your own cards as hidden cards. Subtract them first.
        >>> bool(quiz.answer("20.7 %"))
        True
        """
        hidden = HiddenHand(game, holder, seat)
        good, _ = hidden.find_wanted_cards(holds, beats)
        holder_fact: dict[str, object] = {"who": Seat(hidden.seat)}
        range_name = "none" if most == 0 else "just" if least == most else "least" if least > 1 else "some"
        if not question and (least == 0 if most is None else range_name not in {"none", "just"}):
            raise DurakError(
                "without question=… you can ask for at least one card, for an exact number, or for none (most=0); for another question, give its text: question=…"
            )
        if beats is not None:
            default_question = TranslatableText(
                f"lesson.number.beats.{range_name}", {**holder_fact, "card": Card(str(beats)), "count": least}
            )
        elif holds == "trumps":
            default_question = TranslatableText(f"lesson.number.trumps.{range_name}", {**holder_fact, "count": least})
        elif len(good) == 1:
            default_question = TranslatableText(
                f"lesson.number.card.{'none' if range_name == 'none' else 'some'}", {**holder_fact, "card": good[0]}
            )
        else:
            default_question = TranslatableText(f"lesson.number.cards.{range_name}", {**holder_fact, "cards": tuple(good), "count": least})
        return cls._from_answer_key(
            question or default_question,
            hidden.build_probability_answer_key(holds, 0 if most == 0 else least, most, beats=beats),
            game,
            seat,
            **more,
        )

    @classmethod
    def average(
        cls,
        game: object,
        holds: object,
        *,
        holder: int | None = None,
        seat: int | None = None,
        question: Text = "",
        **more: Unpack[ExerciseOptions],
    ) -> Number:
        """Ask the student for the average number of the cards `holds` in the opponent's hand.

        >>> Number.average(Game(seed=7), "trumps").solution
        ['30/29']
        """
        hidden = HiddenHand(game, holder, seat)
        key, holder_seat = "trumps" if holds == "trumps" else "cards", Seat(hidden.seat)
        default_question = TranslatableText(
            f"lesson.number.average.{key}", {"who": holder_seat, "cards": tuple(hidden.find_wanted_cards(holds, None)[0])}
        )
        return cls._from_answer_key(question or default_question, hidden.build_average_answer_key(holds), game, seat, **more)

    @classmethod
    def count(
        cls,
        game: object,
        holds: object = "",
        *,
        holder: int | None = None,
        seat: int | None = None,
        question: Text = "",
        **more: Unpack[ExerciseOptions],
    ) -> Number:
        """Ask the student how many different hands the opponent can have.

        If `holds` names cards, count only hands with these cards.

        >>> Number.count(Game(seed=7)).solution
        ['475020']
        """
        hidden = HiddenHand(game, holder, seat)
        cards = tuple(hidden.find_wanted_cards(holds, None)[0]) if holds else ()
        default_question = TranslatableText(f"lesson.number.hands.{'with' if cards else 'all'}", {"who": Seat(hidden.seat), "cards": cards})
        return cls._from_answer_key(question or default_question, hidden.build_hand_count_answer_key(holds), game, seat, **more)

    @classmethod
    def random_draw(
        cls,
        question: Text,
        hidden_count: object,
        wanted_count: object,
        drawn_count: object,
        *,
        least: int = 1,
        most: int | None = None,
        **more: Unpack[PositionOptions],
    ) -> Number:
        """Ask for the probability that a random hand contains `least` to `most` of some cards.

        The author writes the question and gives the numbers of hidden, wanted and drawn cards.

        >>> Number.random_draw("Five of 23 cards, five of them trumps: how likely is a trump?", 23, 5, 5).solution
        ['3583/4807']
        """
        problem = RandomHandDraw.from_values(hidden_count, wanted_count, drawn_count).build_probability_answer_key(least, most)
        return cls(question, problem.right, mistakes=problem.mistakes, **more)

    @classmethod
    def bayes(
        cls, question: Text, prior: object, likelihood_if_true: object, likelihood_if_false: object, **more: Unpack[PositionOptions]
    ) -> Number:
        """Ask the student for a posterior probability by Bayes' rule.

        `likelihood_if_true` and `likelihood_if_false` are the probabilities of the observation if the hypothesis is true and if it is false.

        >>> quiz = Number.bayes("How likely is the ace now?", "1/3", "1/4", 1)
        >>> quiz.solution
        ['1/9']
        >>> print(quiz.answer("1/4"))
        Not yet. That is the wrong way round: it is the probability of the move, given the cards. You need the probability of the cards, given the move.
        """
        problem = build_posterior_answer_key(
            _parse_exact_number(prior), _parse_exact_number(likelihood_if_true), _parse_exact_number(likelihood_if_false)
        )
        return cls(question, problem.right, mistakes=problem.mistakes, **more)

    @classmethod
    def _from_answer_key(
        cls, question: Text, answer_key: NumericAnswerKey, game: object, seat: int | None, **more: Unpack[ExerciseOptions]
    ) -> Number:
        """Build an exercise from a question and its answer key.

        If `game` is a game and not an observation, the exercise also shows a picture of its position.
        """
        shown_game = game if isinstance(game, Game) else None
        return cls(
            question, answer_key.right, mistakes=answer_key.mistakes, game=shown_game, seat=None if shown_game is None else seat, **more
        )

    @property
    def right(self) -> Fraction:
        """Return the correct number of the exercise."""
        return self._right_number

    @property
    def mistakes(self) -> dict[str, Fraction]:
        """Return the wrong numbers from typical mistakes, by the name of the mistake.

        A number that several mistakes lead to, or that counts as correct, is left out.
        """
        values = [mistake.value for mistake in self._mistakes.values()]
        return {
            name: mistake.value
            for name, mistake in self._mistakes.items()
            if values.count(mistake.value) == 1 and abs(mistake.value - self._right_number) > self._tolerance
        }

    @property
    def tolerance(self) -> Fraction:
        """Return the largest allowed difference between an answer and the correct number."""
        return self._tolerance

    @property
    def mistake_messages(self) -> dict[str, str]:
        """Return the explanation for each wrong number that a typical mistake leads to."""
        return {str(value): self._translate(self.mistake_sentence(name)) for name, value in self.mistakes.items()}

    @property
    def answer_count(self) -> int:
        """Return how many guesses a student may need to find the correct number."""
        return count_guesses(self._right_number, self._tolerance)

    def answers_to_seal(self) -> list[tuple[str, dict[str, object]]]:
        """Return, as texts to encrypt, the correct number and typical wrong numbers.

        Each text comes with the data that a student who gives this answer may see. With a tolerance, other numbers are correct too, so the
        list is empty.
        """
        if self._tolerance:
            return []
        seals: dict[str, dict[str, object]] = {format_sealed_number(self._right_number): {"value": str(self._right_number), "right": True}}
        for name, value in self.mistakes.items():
            seals.setdefault(format_sealed_number(value), {"value": str(value), **_mistake_to_seal(name, self.mistake_sentence(name))})
        return list(seals.items())

    def mistake_sentence(self, name: str) -> Text:
        """Return the sentence that explains the mistake `name` to the student."""
        return self._mistakes[name].sentence

    def answer(self, answer: object) -> Verdict:
        """Grade a number, display it, and return the verdict.

        A number that is only nearly precise enough does not count as an attempt.
        """
        if self._is_grading_deferred:
            return super().answer(answer)
        self._answer = self._parse_answer(answer)
        self._answer_grade = self._grade(self._answer)
        self._is_imprecise = self._classify_answer(self._answer[0])[0] == "nearly"
        return self._record_answer(right=self._answer_grade.is_right, counts_as_attempt=not self._is_imprecise)

    def _reset_attempts(self) -> None:
        super()._reset_attempts()
        self._is_imprecise = False

    def _verdict_heading(self, *, right: bool) -> str:
        return "lesson.number.nearly" if self._is_imprecise and not right else super()._verdict_heading(right=right)

    def _items(self) -> Mapping[str, Text]:
        return {}

    def _compute_solution(self) -> list[str]:
        return [str(self._right_number)]

    def _sample_answers(self) -> list[list[str]]:
        return [self._compute_solution(), *([str(mistake.value)] for mistake in self._mistakes.values())]

    def _grade(self, answer: Sequence[str]) -> AnswerGrade:
        outcome, reasons = self._classify_answer(answer[0])
        return AnswerGrade({}, reasons, is_right=outcome == "right")

    def _classify_answer(self, text: str) -> tuple[Literal["right", "nearly", "wrong"], list[Text]]:
        """Classify an answer as `right`, `nearly` (imprecise) or `wrong`, and give the feedback."""
        possible_readings = parse_number_readings(text)
        if self._is_right(possible_readings):
            return "right", self._describe_solution()
        if (mistake := self._find_proved_mistake(possible_readings)) is not None:
            return "wrong", [mistake]
        if (nearly := self._explain_imprecision(text, possible_readings)) is not None:
            return "nearly", [nearly]
        sides = {reading.value > self._right_number for reading in possible_readings}
        size = "other" if len(sides) > 1 else "large" if True in sides else "small"
        return "wrong", [TranslatableText(f"lesson.number.{size}"), *([self._hint] if self._hint else [])]

    def _is_right(self, possible_readings: Sequence[ParsedNumber]) -> bool:
        """Return whether a typed number is correct in at least one of its possible readings.

        The number may be exact, within the tolerance, or rounded so that it matches no mistake.
        """
        if any(abs(reading.value - self._right_number) <= self._tolerance for reading in possible_readings):
            return True
        return any(
            reading.is_precise_rounding_of(self._right_number) and not self._find_matching_mistakes(reading)
            for reading in possible_readings
        )

    def _find_matching_mistakes(self, reading: ParsedNumber) -> list[str]:
        """Return the names of the mistakes that lead to the number that a student typed."""
        return [
            name for name, mistake in self._mistakes.items()
            if mistake.value != self._right_number and reading.matches(mistake.value)
        ]  # fmt: skip

    def _find_proved_mistake(self, possible_readings: Sequence[ParsedNumber]) -> Text | None:
        """Return the explanation of the only mistake that leads to a given wrong number.

        Return None if the typed number fits no mistake or several mistakes, or if it rounds the correct number.
        """
        if any(reading.last_digit_unit and reading.is_rounding_of(self._right_number) for reading in possible_readings):
            return None
        names = {name for reading in possible_readings for name in self._find_matching_mistakes(reading)}
        [name] = names if len(names) == 1 else [""]
        return self._mistakes[name].sentence if name in self.mistakes else None

    def _explain_imprecision(self, text: str, possible_readings: Sequence[ParsedNumber]) -> Text | None:
        """Explain why a number is close but too imprecise; return None for other numbers."""
        for reading in possible_readings:
            if reading.last_digit_unit and reading.is_rounding_of(self._right_number):
                return TranslatableText(
                    "lesson.number.shared" if reading.is_precise_rounding_of(self._right_number) else "lesson.number.coarse"
                )
            if reading.significant_digits >= MIN_SIGNIFICANT_DIGITS and abs(reading.value - self._right_number) < reading.last_digit_unit:
                return TranslatableText("lesson.number.cut")
            hundredth = ParsedNumber(reading.value / 100, max(reading.last_digit_unit, Fraction(1)) / 100, reading.significant_digits)
            if 0 < self._right_number < 1 < reading.value and (
                hundredth.is_precise_rounding_of(self._right_number) or hundredth.value == self._right_number
            ):
                return TranslatableText("lesson.number.percent", {"given": text})
        return None

    def _describe_solution(self) -> list[Text]:
        """Return a sentence with the correct number as a fraction and as a (rounded) decimal."""
        if self._right_number.denominator == 1:
            return []
        places = max(_SHOWN_DIGITS - 1 - floor(log10(abs(self._right_number))), 1)
        rounded = round(self._right_number, places)
        whole, _, decimals = f"{Decimal(rounded.numerator) / Decimal(rounded.denominator):f}".partition(".")
        sign = "=" if rounded == self._right_number else "≈"
        return [
            TranslatableText(
                "lesson.number.is", {"exact": str(self._right_number), "sign": sign, "whole": whole, "places": decimals or "0"}
            )
        ]


def _parse_exact_number(value: object) -> Fraction:
    """Return an author's number as an exact fraction; raise a `DurakError` if it is invalid."""
    number = parse_exact_number(value)
    if number is None:
        raise DurakError(f"a number must be written as in Fraction(5, 18), '5/18' or 0.25, not as {short_repr(value)}")
    return number


def _mistake_to_seal(name: str, sentence: Text) -> dict[str, object]:
    """Return the feedback on a mistake, for students who give the mistake's wrong number.

    This is the mistake's name if there is a text for it, and otherwise the author's sentence in every language.
    """
    if isinstance(sentence, TranslatableText) and sentence.key == f"lesson.number.{name}" and not sentence.facts:
        return {"named": name}
    return {
        "said": {code: translate_text(sentence, Translator(code)) for code in LANGUAGES}
        if isinstance(sentence, (TranslatableText, Refusal))
        else sentence
    }


def _parse_mistake(name: object, value: object) -> NamedMistake:
    """Build a mistake from its wrong number, and from its known name or an author's sentence."""
    if isinstance(value, tuple) and len(value) == 2:
        return NamedMistake(_parse_exact_number(value[0]), require_text(value[1]))
    if name not in MISTAKE_NAMES:
        known_names = ", ".join(MISTAKE_NAMES)
        raise DurakError(
            f"the mistake {short_repr(name)} needs a text; give it with a sentence, as in (Fraction(1, 9), 'You …'), or use one of {known_names}.{suggest_nearest(str(name)[:100], MISTAKE_NAMES)}"
        )
    return NamedMistake(_parse_exact_number(value), TranslatableText(f"lesson.number.{name}"))


def _build_check_result(content: Mapping[str, Any], *, is_precise: bool, is_rounded: bool) -> AnswerCheck:
    """Build the result of checking a number that agrees with an encrypted number.

    The two agree in six digits. `is_precise` says whether the other digits agree too.
    """
    if content.get("right") is True:
        if is_precise:
            return AnswerCheck("right", [TranslatableText("class.right")])
        return AnswerCheck("wrong", [TranslatableText("class.not_yet"), *([TranslatableText("lesson.number.cut")] if is_rounded else [])])
    known_name = content.get("named")
    sentence: Text = TranslatableText(f"lesson.number.{known_name}") if isinstance(known_name, str) and known_name in MISTAKE_NAMES else ""
    if not sentence and isinstance(content.get("said"), (str, dict)):
        sentence = require_text(content["said"])
    return AnswerCheck("wrong", [TranslatableText("class.not_yet"), *([sentence] if sentence and is_precise else [])])


def count_guesses(right: Fraction, tolerance: Fraction) -> int:
    """Return how many guesses a student may need to find the correct number.

    The guesses are whole numbers, fractions with no larger denominator (3/π² of all pairs are coprime), or decimals with enough digits.

    >>> [count_guesses(Fraction(right), Fraction(0)) for right in (12, "6/29", "3583/4807", 475020)]
    [13, 255, 900000, 475021]
    """
    size = max(abs(right), Fraction(1))
    if tolerance:
        return int(size / tolerance) + 1
    if right.denominator == 1:
        return int(abs(right)) + 1
    return min(int(Fraction(304, 1000) * right.denominator * right.denominator * size), _DECIMALS_PER_MAGNITUDE)


def format_sealed_number(value: Fraction) -> str:
    """Return a number as text to encrypt, rounded to `SEALED_DIGITS` significant digits.

    A fraction and its decimals have the same text.

    >>> format_sealed_number(Fraction(6, 29)), format_sealed_number(Fraction(-475020)), format_sealed_number(Fraction(0))
    ('206897e-6', '-475020e0', '0')
    """
    if not value:
        return "0"
    power, size = 0, abs(value)
    while size >= 10**SEALED_DIGITS:
        power, size = power + 1, size / 10
    while size < 10 ** (SEALED_DIGITS - 1):
        power, size = power - 1, size * 10
    digits = int(size + Fraction(1, 2))
    if digits == 10**SEALED_DIGITS:
        power, digits = power + 1, digits // 10
    return f"{'-' if value < 0 else ''}{digits}e{power}"


def list_sealed_forms(reading: ParsedNumber) -> list[str]:
    """Return all numbers that a typed number may stand for, rounded and formatted as text.

    Encrypted answers have the same format. A decimal also stands for the next decimal, because its last digit may have been cut off.
    """
    if not reading.last_digit_unit:
        return [format_sealed_number(reading.value)]
    if reading.significant_digits < SEALED_DIGITS:
        return []
    size = abs(reading.value)
    step = Fraction(10) ** int(format_sealed_number(size).partition("e")[2] or 0)
    further = (size + step) * (-1 if reading.value < 0 else 1)
    return list(dict.fromkeys([format_sealed_number(reading.value), format_sealed_number(further)]))
