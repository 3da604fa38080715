"""Defines the number exercise: exact, as a fraction, rounded, or within a tolerance.

A typical mistake is named if the given number proves it. Where the key is absent, an answer is rounded and
checked against sealed hashes, so that a fraction and its decimals count as the same.
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
from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.exercises.answer_form import AnswerForm, Heard
from durak_widget.exercises.answer_parsing import author_text, in_words, name_given
from durak_widget.exercises.card_probabilities import NAMED, HandDrawn, HiddenHand, learned
from durak_widget.exercises.exercise import Exercise, Opinion
from durak_widget.gametheory.number_parsing import TELLING, Written, beyond_writing, exactly, readings, writing
from durak_widget.i18n import LANGUAGES, Fact, Seat, Voice
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typing_extensions import Unpack

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Verdict
    from durak_widget.exercises.card_probabilities import AskedNumber
    from durak_widget.exercises.exercise import Aside, Setting

_PLACES: Final = 3
"""The number of significant digits of the decimal that is shown beside a fraction."""
DIGITS: Final = 6
"""The number of significant digits that are sealed; with fewer, decimals would be quicker to guess than fractions."""
_DECIMALS: Final = 900_000
"""The number of decimals with that many digits for each position of the point."""


class NamedMistake(NamedTuple):
    """The value that a mistake gives, and the sentence about it."""

    value: Fraction
    said: Text


class TypedNumber(AnswerForm):
    """A form for a number in any usual notation.

    >>> TypedNumber().read(["1/2"], []), TypedNumber().fits({}), TypedNumber().fits({"9c": {}})
    (['1/2'], True, False)
    """

    one = True
    written = True
    hand = "number"

    def read(self, answer: object, items: Sequence[str]) -> list[str]:  # noqa: ARG002 - there is nothing to choose from
        """Parse a number as it was typed; the page sends it in a list."""
        text = writing(answer[0] if isinstance(answer, list) and len(answer) == 1 else answer)
        if text is None or not readings(text):
            raise RefusedError("lesson.number.too_large" if text is not None and beyond_writing(text) else "lesson.number.unreadable")
        return [text.strip()]

    def from_hand(self, text: str, items: Sequence[str]) -> object:
        """Parse a number as it was written."""
        return self.read(text, items)[0]

    def in_hand(self, given: Sequence[str], items: Sequence[str]) -> str:  # noqa: ARG002 - as above
        """Return a number as it is written on paper."""
        return given[0]

    def fits(self, items: Mapping[str, Mapping[str, str]]) -> bool:
        """Return whether there are no items to choose from."""
        return not items

    def checked(self, given: Sequence[str], opened: Callable[[str], Mapping[str, Any] | None]) -> Heard:
        """Return whether the number opens the seal of the right answer or of a named mistake."""
        possible_readings = readings(given[0])
        for reading in possible_readings:
            for sealed_form in guesses(reading):
                if (content := opened(sealed_form)) and (sealed_value := exactly(content.get("value"))) is not None:
                    return _heard(
                        content, fits=any(alternative.means(sealed_value) for alternative in possible_readings), cut=bool(reading.grain)
                    )
        if all(reading.grain and reading.digits < DIGITS for reading in possible_readings):
            return Heard("", [Fact("class.kept.coarse", {"count": DIGITS})])
        return Heard("wrong", [Fact("class.not_yet")])


class Number(Exercise):
    """An exercise whose answer is a number in any usual notation: `1/2`, `0.5`, `0,5`, `50 %`.

    A correctly rounded decimal with two or more digits is right too. A mistake is named if its number was given and no other mistake
    gives the same. A number that is only nearly precise enough does not count as a try.

    >>> quiz = Number("A card of five is drawn, and then another. How likely are both the two you want?", Fraction(1, 10), mistakes={"with_replacement": Fraction(2, 25)})
    >>> print(quiz.answer("2/25"))
    Not yet. So it would be if each card were laid back before the next is drawn; but a card that is drawn is gone.
    >>> print(quiz.answer("10 %"))
    Right. 1/10 = 0.1
    """

    kind = "number"
    on_paper = TypedNumber()
    example = '"5/18"'

    def __init__(
        self,
        question: Text,
        right: object,
        *,
        tolerance: object = None,
        mistakes: Mapping[str, object] | None = None,
        hint: Text = "",
        **more: Unpack[Setting],
    ) -> None:
        """Ask for a number.

        `mistakes` map a known name to a number, or any name to a number and a sentence: `{"mine": (Fraction(1, 9), "You …")}`.
        """
        super().__init__(question, **more)
        self._right = _number_of(right)
        self._tolerance = Fraction(0) if tolerance is None else _number_of(tolerance)
        if self._tolerance < 0:
            raise DurakError(f"tolerance={quoted(tolerance)}: a tolerance is how far an answer may be off, 0 or more")
        if mistakes is not None and not isinstance(mistakes, Mapping):
            raise DurakError(f"mistakes are given by their names, as in {{'contrary': '3/4'}}, not as {quoted(mistakes)}")
        self._mistakes = {name_given(name): _mistake(name, mistake_argument) for name, mistake_argument in (mistakes or {}).items()}
        self._hint = author_text(hint)

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
        **more: Unpack[Aside],
    ) -> Number:
        """Ask for the probability that the opponent holds some of these cards.

        `least` and `most` bound their number; `holds` may be `"trumps"`, or `beats` names a card to beat. The game is a view, or a game
        whose picture is shown as `seat` sees it (by default the seat to act). `holder` is the opponent, if there are several.

        >>> quiz = Number.chance(Game(seed=7), "Ah")
        >>> print(quiz.question)
        How likely is it that Player 2 holds the ace of hearts?
        >>> print(quiz.answer("6/35"))
        Not yet. You counted cards of your own hand among the hidden ones: they are yours, so take them off first.
        >>> bool(quiz.answer("20.7 %"))
        True
        """
        hidden = HiddenHand(game, holder, seat)
        good, _ = hidden.good(holds, beats)
        holder_fact: dict[str, object] = {"who": Seat(hidden.seat)}
        range_name = "none" if most == 0 else "just" if least == most else "least" if least > 1 else "some"
        if not question and (least == 0 if most is None else range_name not in {"none", "just"}):
            raise DurakError(
                "that is asked of at least one card, of just so many, or of none (most=0); any other question is yours to word: question=…"
            )
        if beats is not None:
            default_question = Fact(f"lesson.number.beats.{range_name}", {**holder_fact, "card": Card(str(beats)), "count": least})
        elif holds == "trumps":
            default_question = Fact(f"lesson.number.trumps.{range_name}", {**holder_fact, "count": least})
        elif len(good) == 1:
            default_question = Fact(f"lesson.number.card.{'none' if range_name == 'none' else 'some'}", {**holder_fact, "card": good[0]})
        else:
            default_question = Fact(f"lesson.number.cards.{range_name}", {**holder_fact, "cards": tuple(good), "count": least})
        return cls._of(question or default_question, hidden.chance(holds, 0 if most == 0 else least, most, beats=beats), game, seat, **more)

    @classmethod
    def average(
        cls, game: object, holds: object, *, holder: int | None = None, seat: int | None = None, question: Text = "", **more: Unpack[Aside]
    ) -> Number:
        """Ask how many of these cards the opponent holds on average.

        >>> Number.average(Game(seed=7), "trumps").solution
        ['30/29']
        """
        hidden = HiddenHand(game, holder, seat)
        key, holder_seat = "trumps" if holds == "trumps" else "cards", Seat(hidden.seat)
        default_question = Fact(f"lesson.number.average.{key}", {"who": holder_seat, "cards": tuple(hidden.good(holds, None)[0])})
        return cls._of(question or default_question, hidden.average(holds), game, seat, **more)

    @classmethod
    def count(
        cls,
        game: object,
        holds: object = "",
        *,
        holder: int | None = None,
        seat: int | None = None,
        question: Text = "",
        **more: Unpack[Aside],
    ) -> Number:
        """Ask how many hands the opponent may hold, or how many with all of these cards.

        >>> Number.count(Game(seed=7)).solution
        ['475020']
        """
        hidden = HiddenHand(game, holder, seat)
        cards = tuple(hidden.good(holds, None)[0]) if holds else ()
        default_question = Fact(f"lesson.number.hands.{'with' if cards else 'all'}", {"who": Seat(hidden.seat), "cards": cards})
        return cls._of(question or default_question, hidden.hands(holds), game, seat, **more)

    @classmethod
    def drawn(
        cls,
        question: Text,
        hidden: object,
        good: object,
        drawn: object,
        *,
        least: int = 1,
        most: int | None = None,
        **more: Unpack[Setting],
    ) -> Number:
        """Ask for the probability of `least` to `most` good cards among those drawn.

        The deck is described by numbers; the author writes the question.

        >>> Number.drawn("Five of 23 cards, five of them trumps: how likely is a trump?", 23, 5, 5).solution
        ['3583/4807']
        """
        problem = HandDrawn.of(hidden, good, drawn).chance(least, most)
        return cls(question, problem.right, mistakes=problem.mistakes, **more)

    @classmethod
    def bayes(cls, question: Text, prior: object, if_so: object, if_not: object, **more: Unpack[Setting]) -> Number:
        """Ask for a posterior probability by Bayes' rule.

        `if_so` and `if_not` are the probabilities of the observation if the hypothesis is true and if it is false.

        >>> quiz = Number.bayes("How likely is the ace now?", "1/3", "1/4", 1)
        >>> quiz.solution, str(quiz.answer("1/4"))[:39]
        (['1/9'], 'Not yet. That is the other way round: h')
        """
        problem = learned(_number_of(prior), _number_of(if_so), _number_of(if_not))
        return cls(question, problem.right, mistakes=problem.mistakes, **more)

    @classmethod
    def _of(cls, question: Text, asked: AskedNumber, game: object, seat: int | None, **more: Unpack[Aside]) -> Number:
        shown = game if isinstance(game, Game) else None
        return cls(question, asked.right, mistakes=asked.mistakes, game=shown, seat=None if shown is None else seat, **more)

    @property
    def right(self) -> Fraction:
        """Return the right number."""
        return self._right

    @property
    def mistakes(self) -> dict[str, Fraction]:
        """Return the values of the mistakes that differ from each other and from the right number."""
        values = [mistake.value for mistake in self._mistakes.values()]
        return {
            name: mistake.value
            for name, mistake in self._mistakes.items()
            if values.count(mistake.value) == 1 and abs(mistake.value - self._right) > self._tolerance
        }

    @property
    def tolerance(self) -> Fraction:
        """Return how far off an answer may be."""
        return self._tolerance

    @property
    def mistakes_said(self) -> dict[str, str]:
        """Return the sentence about each number that is a named mistake."""
        return {str(value): self._text(self.said_of(name)) for name, value in self.mistakes.items()}

    @property
    def answers(self) -> int:
        """Return how many numbers a guesser would have to try."""
        return count_up_to(self._right, self._tolerance)

    def to_seal(self) -> list[tuple[str, dict[str, object]]]:
        """Return the number and its mistakes in the form that is sealed.

        With a tolerance other numbers are right too, and nothing is sealed.
        """
        if self._tolerance:
            return []
        seals: dict[str, dict[str, object]] = {canonical(self._right): {"value": str(self._right), "right": True}}
        for name, value in self.mistakes.items():
            seals.setdefault(canonical(value), {"value": str(value), **_sealed(name, self.said_of(name))})
        return list(seals.items())

    def said_of(self, mistake: str) -> Text:
        """Return the sentence about a mistake."""
        return self._mistakes[mistake].said

    def answer(self, answer: object) -> Verdict:
        """Judge a number, which is shown on the page too.

        An answer that is only nearly precise enough does not count as a try.
        """
        if self._keeps:
            return super().answer(answer)
        self._given = self._read(answer)
        self._judged = self._judge(self._given)
        self._nearly = self._weighed(self._given[0])[0] == "nearly"
        return self._answered(right=self._judged.right, counts=not self._nearly)

    def _forget(self) -> None:
        super()._forget()
        self._nearly = False

    def _head(self, *, right: bool) -> str:
        return "lesson.number.nearly" if self._nearly and not right else super()._head(right=right)

    def _items(self) -> Mapping[str, Text]:
        return {}

    def _solution(self) -> list[str]:
        return [str(self._right)]

    def _attempts(self) -> list[list[str]]:
        return [self._solution(), *([str(mistake.value)] for mistake in self._mistakes.values())]

    def _judge(self, given: Sequence[str]) -> Opinion:
        outcome, why = self._weighed(given[0])
        return Opinion({}, why, right=outcome == "right")

    def _weighed(self, text: str) -> tuple[Literal["right", "nearly", "wrong"], list[Text]]:
        """Return the outcome of an answer and the sentences about it."""
        possible_readings = readings(text)
        if self._is_right(possible_readings):
            return "right", self._besides()
        if (mistake := self._mistaken(possible_readings)) is not None:
            return "wrong", [mistake]
        if (nearly := self._nearly_why(text, possible_readings)) is not None:
            return "nearly", [nearly]
        sides = {reading.value > self._right for reading in possible_readings}
        size = "other" if len(sides) > 1 else "large" if True in sides else "small"
        return "wrong", [Fact(f"lesson.number.{size}"), *([self._hint] if self._hint else [])]

    def _is_right(self, meant: Sequence[Written]) -> bool:
        """Return whether the number is right.

        It may be exact, within the tolerance, or rounded so that it matches no mistake.
        """
        if any(abs(reading.value - self._right) <= self._tolerance for reading in meant):
            return True
        return any(reading.may_stand_for(self._right) and not self._others(reading) for reading in meant)

    def _others(self, one: Written) -> list[str]:
        """Return the mistakes that the number as written may stand for."""
        return [
            name for name, mistake in self._mistakes.items()
            if mistake.value != self._right and one.means(mistake.value)
        ]  # fmt: skip

    def _mistaken(self, meant: Sequence[Written]) -> Text | None:
        """Return the sentence about the only mistake that this number proves.

        None if it may stand for several mistakes, or for the right number.
        """
        if any(reading.grain and reading.rounds(self._right) for reading in meant):
            return None
        names = {name for reading in meant for name in self._others(reading)}
        [name] = names if len(names) == 1 else [""]
        return self._mistakes[name].said if name in self.mistakes else None

    def _nearly_why(self, text: str, meant: Sequence[Written]) -> Text | None:
        """Return why the number is not wrong but not precise enough; None for other numbers."""
        for reading in meant:
            if reading.grain and reading.rounds(self._right):
                return Fact("lesson.number.shared" if reading.may_stand_for(self._right) else "lesson.number.coarse")
            if reading.digits >= TELLING and abs(reading.value - self._right) < reading.grain:
                return Fact("lesson.number.cut")
            hundredth = Written(reading.value / 100, max(reading.grain, Fraction(1)) / 100, reading.digits)
            if 0 < self._right < 1 < reading.value and (hundredth.may_stand_for(self._right) or hundredth.value == self._right):
                return Fact("lesson.number.percent", {"given": text})
        return None

    def _besides(self) -> list[Text]:
        """Return the fact with the fraction and its decimal, which may be rounded."""
        if self._right.denominator == 1:
            return []
        places = max(_PLACES - 1 - floor(log10(abs(self._right))), 1)
        rounded = round(self._right, places)
        whole, _, after = f"{Decimal(rounded.numerator) / Decimal(rounded.denominator):f}".partition(".")
        sign = "=" if rounded == self._right else "≈"
        return [Fact("lesson.number.is", {"exact": str(self._right), "sign": sign, "whole": whole, "places": after or "0"})]


def _number_of(given: object) -> Fraction:
    """Return an author's number exactly, or raise a `DurakError`."""
    number = exactly(given)
    if number is None:
        raise DurakError(f"a number is given as in Fraction(5, 18), '5/18' or 0.25, not as {quoted(given)}")
    return number


def _sealed(name: str, said: Text) -> dict[str, object]:
    """Return the sealed form of a mistake.

    It has the mistake's name if the texts know it, else its sentence in every language.
    """
    if isinstance(said, Fact) and said.key == f"lesson.number.{name}" and not said.facts:
        return {"named": name}
    return {"said": {code: in_words(said, Voice(code)) for code in LANGUAGES} if isinstance(said, (Fact, Refusal)) else said}


def _mistake(name: object, given: object) -> NamedMistake:
    """Return a mistake known by name, or one with the author's sentence."""
    if isinstance(given, tuple) and len(given) == 2:
        return NamedMistake(_number_of(given[0]), author_text(given[1]))
    if name not in NAMED:
        known_names = ", ".join(NAMED)
        raise DurakError(
            f"there are no words for the mistake {quoted(name)}: give it with a sentence, as in (Fraction(1, 9), 'You …'), or name one of {known_names}."
            f"{nearest(str(name)[:100], NAMED)}"
        )
    return NamedMistake(_number_of(given), Fact(f"lesson.number.{name}"))


def _heard(found: Mapping[str, Any], *, fits: bool, cut: bool) -> Heard:
    """Return the result for an opened seal.

    Six digits open a seal; `fits` says whether the rest of the number agrees too.
    """
    if found.get("right") is True:
        if fits:
            return Heard("right", [Fact("class.right")])
        return Heard("wrong", [Fact("class.not_yet"), *([Fact("lesson.number.cut")] if cut else [])])
    known_name = found.get("named")
    sentence: Text = Fact(f"lesson.number.{known_name}") if isinstance(known_name, str) and known_name in NAMED else ""
    if not sentence and isinstance(found.get("said"), (str, dict)):
        sentence = author_text(found["said"])
    return Heard("wrong", [Fact("class.not_yet"), *([sentence] if sentence and fits else [])])


def count_up_to(right: Fraction, tolerance: Fraction) -> int:
    """Return how many numbers a guesser would try before the right one.

    They are whole numbers, fractions with no larger denominator (3/π² of all pairs are coprime), or decimals of enough digits.

    >>> [count_up_to(Fraction(right), Fraction(0)) for right in (12, "6/29", "3583/4807", 475020)]
    [13, 255, 900000, 475021]
    """
    size = max(abs(right), Fraction(1))
    if tolerance:
        return int(size / tolerance) + 1
    if right.denominator == 1:
        return int(abs(right)) + 1
    return min(int(Fraction(304, 1000) * right.denominator * right.denominator * size), _DECIMALS)


def canonical(value: Fraction) -> str:
    """Return a number as it is sealed: rounded to `DIGITS` significant digits.

    A fraction and its decimals have the same form.

    >>> canonical(Fraction(6, 29)), canonical(Fraction(-475020)), canonical(Fraction(0))
    ('206897e-6', '-475020e0', '0')
    """
    if not value:
        return "0"
    power, size = 0, abs(value)
    while size >= 10**DIGITS:
        power, size = power + 1, size / 10
    while size < 10 ** (DIGITS - 1):
        power, size = power - 1, size * 10
    digits = int(size + Fraction(1, 2))
    if digits == 10**DIGITS:
        power, digits = power + 1, digits // 10
    return f"{'-' if value < 0 else ''}{digits}e{power}"


def guesses(one: Written) -> list[str]:
    """Return the sealed forms to try for a typed number.

    For a decimal that includes the next one, because its last digit may have been cut off.
    """
    if not one.grain:
        return [canonical(one.value)]
    if one.digits < DIGITS:
        return []
    size = abs(one.value)
    step = Fraction(10) ** int(canonical(size).partition("e")[2] or 0)
    further = (size + step) * (-1 if one.value < 0 else 1)
    return list(dict.fromkeys([canonical(one.value), canonical(further)]))
