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
"""A fraction is said with so many digits besides."""
DIGITS: Final = 6
"""So many digits of a decimal are needed: with fewer, decimals would be quicker to try than fractions."""
_DECIMALS: Final = 900_000
"""So many of them there are for each place of the point."""


class NamedMistake(NamedTuple):
    """A mistake by what it gives, and what is said of it."""

    value: Fraction
    said: Text


class TypedNumber(AnswerForm):
    """A number in any usual writing.

    >>> TypedNumber().read(["1/2"], []), TypedNumber().fits({}), TypedNumber().fits({"9c": {}})
    (['1/2'], True, False)
    """

    one = True
    written = True
    hand = "number"

    def read(self, answer: object, items: Sequence[str]) -> list[str]:  # noqa: ARG002 - there is nothing to choose from
        """Read a number as it was written; from the page it comes in a list."""
        text = writing(answer[0] if isinstance(answer, list) and len(answer) == 1 else answer)
        if text is None or not readings(text):
            raise RefusedError("lesson.number.too_large" if text is not None and beyond_writing(text) else "lesson.number.unreadable")
        return [text.strip()]

    def from_hand(self, text: str, items: Sequence[str]) -> object:
        """Read a number as it was written."""
        return self.read(text, items)[0]

    def in_hand(self, given: Sequence[str], items: Sequence[str]) -> str:  # noqa: ARG002 - as above
        """Tell a number as it is written."""
        return given[0]

    def fits(self, items: Mapping[str, Mapping[str, str]]) -> bool:
        """Whether there is nothing to choose from."""
        return not items

    def checked(self, given: Sequence[str], opened: Callable[[str], Mapping[str, Any] | None]) -> Heard:
        """Say whether it is right, or a mistake of a name, in any of its writings that tell enough."""
        meant = readings(given[0])
        for one in meant:
            for guess in guesses(one):
                if (found := opened(guess)) and (value := exactly(found.get("value"))) is not None:
                    return _heard(found, fits=any(other.means(value) for other in meant), cut=bool(one.grain))
        if all(one.grain and one.digits < DIGITS for one in meant):
            return Heard("", [Fact("class.kept.coarse", {"count": DIGITS})])
        return Heard("wrong", [Fact("class.not_yet")])


class Number(Exercise):
    """A number, in any usual writing: `1/2`, `0.5`, `0,5`, `50 %`.

    A decimal that is rounded rightly, to two digits or more, is right as well. A mistake is named where its number was given and no other mistake comes to the same;
    what only nearly answers the question does not count as a try.

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
        """Ask for a number; `mistakes` are named by the words' names for them, or come each with a sentence of yours: `{"mine": (Fraction(1, 9), "You …")}`."""
        super().__init__(question, **more)
        self._right = _number_of(right)
        self._tolerance = Fraction(0) if tolerance is None else _number_of(tolerance)
        if self._tolerance < 0:
            raise DurakError(f"tolerance={quoted(tolerance)}: a tolerance is how far an answer may be off, 0 or more")
        if mistakes is not None and not isinstance(mistakes, Mapping):
            raise DurakError(f"mistakes are given by their names, as in {{'contrary': '3/4'}}, not as {quoted(mistakes)}")
        self._mistakes = {name_given(name): _mistake(name, given) for name, given in (mistakes or {}).items()}
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
        """How likely is it that the other holds one of these cards, or a card that `beats` one; or at least, at most, just so many? `"trumps"` are cards too.

        It is asked of a view, or of a game, whose picture is then shown as a `seat` sees it (who is to act, if none is named); `holder` is the other, where there are several.

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
        who: dict[str, object] = {"who": Seat(hidden.seat)}
        how = "none" if most == 0 else "just" if least == most else "least" if least > 1 else "some"
        if not question and (least == 0 if most is None else how not in {"none", "just"}):
            raise DurakError(
                "that is asked of at least one card, of just so many, or of none (most=0); any other question is yours to word: question=…"
            )
        if beats is not None:
            asked = Fact(f"lesson.number.beats.{how}", {**who, "card": Card(str(beats)), "count": least})
        elif holds == "trumps":
            asked = Fact(f"lesson.number.trumps.{how}", {**who, "count": least})
        elif len(good) == 1:
            asked = Fact(f"lesson.number.card.{'none' if how == 'none' else 'some'}", {**who, "card": good[0]})
        else:
            asked = Fact(f"lesson.number.cards.{how}", {**who, "cards": tuple(good), "count": least})
        return cls._of(question or asked, hidden.chance(holds, 0 if most == 0 else least, most, beats=beats), game, seat, **more)

    @classmethod
    def average(
        cls, game: object, holds: object, *, holder: int | None = None, seat: int | None = None, question: Text = "", **more: Unpack[Aside]
    ) -> Number:
        """How many of these cards does the other hold on average?

        >>> Number.average(Game(seed=7), "trumps").solution
        ['30/29']
        """
        hidden = HiddenHand(game, holder, seat)
        key, who = "trumps" if holds == "trumps" else "cards", Seat(hidden.seat)
        asked = Fact(f"lesson.number.average.{key}", {"who": who, "cards": tuple(hidden.good(holds, None)[0])})
        return cls._of(question or asked, hidden.average(holds), game, seat, **more)

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
        """How many hands may the other hold, or how many with all of these cards?

        >>> Number.count(Game(seed=7)).solution
        ['475020']
        """
        hidden = HiddenHand(game, holder, seat)
        cards = tuple(hidden.good(holds, None)[0]) if holds else ()
        asked = Fact(f"lesson.number.hands.{'with' if cards else 'all'}", {"who": Seat(hidden.seat), "cards": cards})
        return cls._of(question or asked, hidden.hands(holds), game, seat, **more)

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
        """How likely are so many good cards among those drawn? The deck is described by numbers; the question is yours.

        >>> Number.drawn("Five of 23 cards, five of them trumps: how likely is a trump?", 23, 5, 5).solution
        ['3583/4807']
        """
        asked = HandDrawn.of(hidden, good, drawn).chance(least, most)
        return cls(question, asked.right, mistakes=asked.mistakes, **more)

    @classmethod
    def bayes(cls, question: Text, prior: object, if_so: object, if_not: object, **more: Unpack[Setting]) -> Number:
        """How likely is it now? It was `prior`; and what was seen is as likely as `if_so` if it is so, and as `if_not` if it is not.

        >>> quiz = Number.bayes("How likely is the ace now?", "1/3", "1/4", 1)
        >>> quiz.solution, str(quiz.answer("1/4"))[:39]
        (['1/9'], 'Not yet. That is the other way round: h')
        """
        asked = learned(_number_of(prior), _number_of(if_so), _number_of(if_not))
        return cls(question, asked.right, mistakes=asked.mistakes, **more)

    @classmethod
    def _of(cls, question: Text, asked: AskedNumber, game: object, seat: int | None, **more: Unpack[Aside]) -> Number:
        shown = game if isinstance(game, Game) else None
        return cls(question, asked.right, mistakes=asked.mistakes, game=shown, seat=None if shown is None else seat, **more)

    @property
    def right(self) -> Fraction:
        """The number that is asked for."""
        return self._right

    @property
    def mistakes(self) -> dict[str, Fraction]:
        """What each mistake gives that can be told from all others, and from what is right."""
        values = [mistake.value for mistake in self._mistakes.values()]
        return {
            name: mistake.value
            for name, mistake in self._mistakes.items()
            if values.count(mistake.value) == 1 and abs(mistake.value - self._right) > self._tolerance
        }

    @property
    def tolerance(self) -> Fraction:
        """How far off an answer may be."""
        return self._tolerance

    @property
    def mistakes_said(self) -> dict[str, str]:
        """What is said of each number that is a mistake of a name."""
        return {str(value): self._text(self.said_of(name)) for name, value in self.mistakes.items()}

    @property
    def answers(self) -> int:
        """How many numbers somebody would have to try."""
        return count_up_to(self._right, self._tolerance)

    def to_seal(self) -> list[tuple[str, dict[str, object]]]:
        """Tell the number and its mistakes as they are sealed; none where another number may be right as well."""
        if self._tolerance:
            return []
        found: dict[str, dict[str, object]] = {canonical(self._right): {"value": str(self._right), "right": True}}
        for name, value in self.mistakes.items():
            found.setdefault(canonical(value), {"value": str(value), **_sealed(name, self.said_of(name))})
        return list(found.items())

    def said_of(self, mistake: str) -> Text:
        """What is said of a mistake."""
        return self._mistakes[mistake].said

    def answer(self, answer: object) -> Verdict:
        """Give a number, which is shown on the page too, and hear whether it is right; what is only nearly so is no try."""
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
        """What an answer is, and what is said of it."""
        meant = readings(text)
        if self._is_right(meant):
            return "right", self._besides()
        if (mistake := self._mistaken(meant)) is not None:
            return "wrong", [mistake]
        if (nearly := self._nearly_why(text, meant)) is not None:
            return "nearly", [nearly]
        sides = {one.value > self._right for one in meant}
        size = "other" if len(sides) > 1 else "large" if True in sides else "small"
        return "wrong", [Fact(f"lesson.number.{size}"), *([self._hint] if self._hint else [])]

    def _is_right(self, meant: Sequence[Written]) -> bool:
        """Exactly, within the tolerance, or rounded so that nothing else that is known comes to the same."""
        if any(abs(one.value - self._right) <= self._tolerance for one in meant):
            return True
        return any(one.may_stand_for(self._right) and not self._others(one) for one in meant)

    def _others(self, one: Written) -> list[str]:
        """The mistakes that come to the same, as far as it is written; those that give the same number are one."""
        return [
            name for name, mistake in self._mistakes.items()
            if mistake.value != self._right and one.means(mistake.value)
        ]  # fmt: skip

    def _mistaken(self, meant: Sequence[Written]) -> Text | None:
        """The one mistake that this number proves; nothing where it may be several, or what is right."""
        if any(one.grain and one.rounds(self._right) for one in meant):
            return None
        found = {name for one in meant for name in self._others(one)}
        [name] = found if len(found) == 1 else [""]
        return self._mistakes[name].said if name in self.mistakes else None

    def _nearly_why(self, text: str, meant: Sequence[Written]) -> Text | None:
        """What is not wrong, but does not tell enough."""
        for one in meant:
            if one.grain and one.rounds(self._right):
                return Fact("lesson.number.shared" if one.may_stand_for(self._right) else "lesson.number.coarse")
            if one.digits >= TELLING and abs(one.value - self._right) < one.grain:
                return Fact("lesson.number.cut")
            hundredth = Written(one.value / 100, max(one.grain, Fraction(1)) / 100, one.digits)
            if 0 < self._right < 1 < one.value and (hundredth.may_stand_for(self._right) or hundredth.value == self._right):
                return Fact("lesson.number.percent", {"given": text})
        return None

    def _besides(self) -> list[Text]:
        """The fraction beside its decimal, rounded where it does not end soon."""
        if self._right.denominator == 1:
            return []
        places = max(_PLACES - 1 - floor(log10(abs(self._right))), 1)
        near = round(self._right, places)
        whole, _, after = f"{Decimal(near.numerator) / Decimal(near.denominator):f}".partition(".")
        sign = "=" if near == self._right else "≈"
        return [Fact("lesson.number.is", {"exact": str(self._right), "sign": sign, "whole": whole, "places": after or "0"})]


def _number_of(given: object) -> Fraction:
    """A number that an author gives, exactly."""
    number = exactly(given)
    if number is None:
        raise DurakError(f"a number is given as in Fraction(5, 18), '5/18' or 0.25, not as {quoted(given)}")
    return number


def _sealed(name: str, said: Text) -> dict[str, object]:
    """What a seal holds of a mistake: its name, where the words know it, or its sentence in every language."""
    if isinstance(said, Fact) and said.key == f"lesson.number.{name}" and not said.facts:
        return {"named": name}
    return {"said": {code: in_words(said, Voice(code)) for code in LANGUAGES} if isinstance(said, (Fact, Refusal)) else said}


def _mistake(name: object, given: object) -> NamedMistake:
    """A mistake that the words know, or one with a sentence of its author's."""
    if isinstance(given, tuple) and len(given) == 2:
        return NamedMistake(_number_of(given[0]), author_text(given[1]))
    if name not in NAMED:
        known = ", ".join(NAMED)
        raise DurakError(
            f"there are no words for the mistake {quoted(name)}: give it with a sentence, as in (Fraction(1, 9), 'You …'), or name one of {known}."
            f"{nearest(str(name)[:100], NAMED)}"
        )
    return NamedMistake(_number_of(given), Fact(f"lesson.number.{name}"))


def _heard(found: Mapping[str, Any], *, fits: bool, cut: bool) -> Heard:
    """What is said of a number that is right, or a mistake, or nearly either: six digits opened it, and the rest may differ."""
    if found.get("right") is True:
        if fits:
            return Heard("right", [Fact("class.right")])
        return Heard("wrong", [Fact("class.not_yet"), *([Fact("lesson.number.cut")] if cut else [])])
    named = found.get("named")
    said: Text = Fact(f"lesson.number.{named}") if isinstance(named, str) and named in NAMED else ""
    if not said and isinstance(found.get("said"), (str, dict)):
        said = author_text(found["said"])
    return Heard("wrong", [Fact("class.not_yet"), *([said] if said and fits else [])])


def count_up_to(right: Fraction, tolerance: Fraction) -> int:
    """How many numbers somebody would try: whole ones up to the right one; fractions with no larger denominator (3/π² of all pairs have no common divisor), or decimals of enough digits.

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
    """A number as it is sealed: rounded to so many digits, so that the fraction and its decimals open the same.

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
    """What to try of a number as it was written: of a decimal also the next one, since its last digit may have been cut off."""
    if not one.grain:
        return [canonical(one.value)]
    if one.digits < DIGITS:
        return []
    size = abs(one.value)
    step = Fraction(10) ** int(canonical(size).partition("e")[2] or 0)
    further = (size + step) * (-1 if one.value < 0 else 1)
    return list(dict.fromkeys([canonical(one.value), canonical(further)]))
