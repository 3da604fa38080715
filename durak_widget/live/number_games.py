"""Games in which each student names a number, such as two thirds of the average.

Teachers write `Guess(…)`, `PublicGoods(…)`, `FirstPriceAuction(…)` and `SecondPriceAuction(…)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Final

from durak_widget.errors import short_repr
from durak_widget.gametheory.number_parsing import parse_exact_number
from durak_widget.live.auctions import FirstPriceQuestion, SecondPriceQuestion
from durak_widget.live.bar_groups import find_bin
from durak_widget.live.number_question import MAX_DENOMINATOR, MAX_NUMBER, NumberQuestion, read_number, read_whole
from durak_widget.live.question import Json, JsonObject, Question, SpecError
from durak_widget.live.texts import format_decimal, translate

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random


# --- What a teacher writes ---


@dataclass(frozen=True)
class Guess:
    """The game in which the number closest to a share of the average wins.

    >>> Guess(fraction="1/2", rounds=2).to_spec()
    {'kind': 'guess', 'fraction': '1/2', 'maximum': 100, 'rounds': 2}
    """

    fraction: object = "2/3"
    maximum: int = 100
    rounds: int = 3

    def to_spec(self) -> JsonObject:
        """Return the question as JSON-compatible data; raise `SpecError` if it cannot be asked."""
        return _require_valid({"kind": "guess", "fraction": _to_text(self.fraction), "maximum": self.maximum, "rounds": self.rounds})


@dataclass(frozen=True)
class PublicGoods:
    """The game in which all gifts to a group are multiplied and shared equally.

    >>> PublicGoods(endowment=10).to_spec()
    {'kind': 'public_goods', 'endowment': 10, 'multiplier': '8/5', 'group_size': 4, 'rounds': 3}
    """

    endowment: int = 20
    multiplier: object = "8/5"
    group_size: int = 4
    rounds: int = 3

    def to_spec(self) -> JsonObject:
        """Return the question as JSON-compatible data; raise `SpecError` if it cannot be asked."""
        spec = {"endowment": self.endowment, "multiplier": _to_text(self.multiplier), "group_size": self.group_size, "rounds": self.rounds}
        return _require_valid({"kind": "public_goods", **spec})


@dataclass(frozen=True)
class FirstPriceAuction:
    """The auction in which the highest bid wins, and the winner pays their own bid.

    Each student has a private value from `lowest` to `highest`. The values are drawn anew for each round and each time you ask.

    >>> FirstPriceAuction(rounds=2).to_spec()
    {'kind': 'first_price', 'lowest': 0, 'highest': 100, 'rounds': 2}
    """

    rounds: int = 3
    lowest: int = 0
    highest: int = 100
    kind: ClassVar[str] = "first_price"

    def to_spec(self) -> JsonObject:
        """Return the question as JSON-compatible data; raise `SpecError` if it cannot be asked."""
        return _require_valid({"kind": self.kind, "lowest": self.lowest, "highest": self.highest, "rounds": self.rounds})


@dataclass(frozen=True)
class SecondPriceAuction(FirstPriceAuction):
    """The auction in which the highest bid wins, and the winner pays the second-highest bid.

    >>> SecondPriceAuction().to_spec()["kind"]
    'second_price'
    """

    kind: ClassVar[str] = "second_price"


def _to_text(number: object) -> object:
    """Return a number as exact text; leave other values for the check of the spec."""
    value = parse_exact_number(number)
    return number if value is None else str(value)


def _require_valid(spec: JsonObject) -> JsonObject:
    """Return a spec unchanged; raise `SpecError` if it cannot be asked."""
    QUESTION_CLASSES[spec["kind"]].prepare(spec)
    return spec


# --- Guess a share of the average ---


class GuessQuestion(NumberQuestion):
    """Guess a share of the average; all the closest numbers win."""

    kind = "guess"
    allows_fractions = True

    @classmethod
    def _prepare_values(cls, spec: JsonObject) -> JsonObject:
        fraction = parse_exact_number(spec.get("fraction", "2/3"))
        if fraction is None or not 0 < fraction < 1 or fraction.denominator > MAX_DENOMINATOR:
            raise SpecError(f"fraction must be more than 0 and less than 1, such as '2/3', not {short_repr(spec.get('fraction'))}")
        return {"fraction": str(fraction), "maximum": read_whole(spec, "maximum", 100, 2, MAX_NUMBER)}

    @property
    def maximum(self) -> int:
        """Return the largest number that students may guess."""
        maximum: int = self.prepared["maximum"]
        return maximum

    @property
    def _fraction(self) -> Fraction:
        return Fraction(self.prepared["fraction"])

    def _rule_facts(self, language: str) -> dict[str, object]:  # noqa: ARG002 - the same in every language
        return {"fraction": self.prepared["fraction"], "highest": str(self.maximum)}

    def score(self, answers: Mapping[int, Json], language: str) -> JsonObject:  # noqa: ARG002 - there is no picture
        """Return the average, the target, and a point for each of the closest numbers."""
        if not answers:
            return {"seats": {}, "average": None}
        guesses = {seat: read_number(answer) for seat, answer in answers.items()}
        average = sum(guesses.values(), Fraction(0)) / len(guesses)
        target = self._fraction * average
        closest = min(abs(guess - target) for guess in guesses.values())
        winners = {seat for seat, guess in guesses.items() if abs(guess - target) == closest}
        return {
            "seats": {str(seat): {"points": str(int(seat in winners)), "number": str(guess)} for seat, guess in guesses.items()},
            "average": str(average),
            "target": str(target),
            "winner_count": len(winners),
            "winning": [str(guess) for guess in sorted({guesses[seat] for seat in winners})],
        }

    def pick_answer(self, seat: int, rng: Random) -> Json:
        """Return a guess that thinks one to four steps ahead, a little less exactly than it could."""
        steps = rng.choice((0, 0, 1, 1, 1, 2, 2, 3))
        start = Fraction(self.maximum, 2) * self._fraction ** (steps + self.round - 1)
        guess = round(float(start) * rng.uniform(0.7, 1.3))
        return self.parse_answer(seat, {"number": str(min(max(guess, 0), self.maximum))})

    def _build_groups(self, answers: Mapping[int, Json], result: JsonObject | None, language: str) -> list[JsonObject]:
        marks: dict[int, list[str]] = {}
        for number in result["winning"] if result and answers else []:
            marks.setdefault(find_bin(Fraction(number), self.maximum), []).append("best")
        if result is not None and self.may_show_theory:
            marks.setdefault(0, []).append("equilibrium")
        return [self._build_histogram(answers, language, {index: list(dict.fromkeys(names)) for index, names in marks.items()})]

    def _list_lines(self, result: JsonObject, language: str, *, is_revealed: bool) -> list[str]:
        lines = [translate(language, "live.number.average", average=format_decimal(Fraction(result["average"]), language))]
        if is_revealed:
            target = format_decimal(Fraction(result["target"]), language)
            winning = "; ".join(format_decimal(Fraction(number), language) for number in result["winning"])
            lines += [
                self._say(language, "target", target=target, fraction=self.prepared["fraction"]),
                self._say(language, "winners", count=result["winner_count"], winning=winning),
            ]
        return lines

    def _list_theory(self, language: str) -> list[str]:
        first = Fraction(self.maximum, 2) * self._fraction
        steps = "; ".join(format_decimal(first * self._fraction**step, language, 1) for step in range(3))
        return [
            self._say(language, "theory", fraction=self.prepared["fraction"]),
            self._say(language, "steps", middle=format_decimal(Fraction(self.maximum, 2), language), steps=steps),
        ]

    def _describe_round(self, result: JsonObject, own: JsonObject, language: str) -> JsonObject:
        is_winner = own["points"] == "1"
        number, average, target = (
            format_decimal(Fraction(text), language) for text in (own["number"], result["average"], result["target"])
        )
        return {
            "headline": self._say(language, "won" if is_winner else "lost"),
            "lines": [
                self._say(language, "own", number=number),
                translate(language, "live.number.average", average=average),
                self._say(language, "target", target=target, fraction=self.prepared["fraction"]),
                self._say(language, "points"),
            ],
            "is_right": is_winner or None,  # Not to win is not a mistake
        }


# --- Public goods ---


class PublicGoodsQuestion(NumberQuestion):
    """Public goods, shared by a group that is drawn from the whole class."""

    kind = "public_goods"
    is_whole = True

    @classmethod
    def _prepare_values(cls, spec: JsonObject) -> JsonObject:
        multiplier = parse_exact_number(spec.get("multiplier", "8/5"))
        if multiplier is None or not 0 < multiplier <= 100 or multiplier.denominator > MAX_DENOMINATOR:
            raise SpecError(f"multiplier must be a number above 0, such as '8/5', not {short_repr(spec.get('multiplier'))}")
        return {
            "endowment": read_whole(spec, "endowment", 20, 1, MAX_NUMBER),
            "multiplier": str(multiplier),
            "group_size": read_whole(spec, "group_size", 4, 2, 100),
        }

    @property
    def maximum(self) -> int:
        """Return how many coins each student has."""
        endowment: int = self.prepared["endowment"]
        return endowment

    @property
    def _return_per_coin(self) -> Fraction:
        """Return how much each member of the group gets back for one coin that is given."""
        return Fraction(self.prepared["multiplier"]) / int(self.prepared["group_size"])

    def _rule_facts(self, language: str) -> dict[str, object]:
        multiplier = format_decimal(Fraction(self.prepared["multiplier"]), language)
        return {"count": self.maximum, "multiplier": multiplier, "size": str(self.prepared["group_size"])}

    def score(self, answers: Mapping[int, Json], language: str) -> JsonObject:  # noqa: ARG002 - there is no picture
        """Return each student's expected coins if the rest of their group is drawn from the class."""
        gifts = {seat: read_number(answer) for seat, answer in answers.items()}
        if not gifts:
            return {"seats": {}, "average": None}
        total, count = sum(gifts.values(), Fraction(0)), len(gifts)
        if count == 1:
            return {"seats": {str(seat): {"number": str(gift)} for seat, gift in gifts.items()}, "average": str(total), "is_alone": True}
        others = int(self.prepared["group_size"]) - 1
        points = {
            seat: self.maximum - gift + self._return_per_coin * (gift + others * (total - gift) / (count - 1))
            for seat, gift in gifts.items()
        }
        return {
            "seats": {str(seat): {"points": str(points[seat]), "number": str(gift)} for seat, gift in gifts.items()},
            "average": str(total / count),
            "average_points": str(sum(points.values(), Fraction(0)) / count),
        }

    def pick_answer(self, seat: int, rng: Random) -> Json:
        """Return a gift; simulated students give less from round to round."""
        most = self.maximum / self.round
        gift = rng.choice((0, round(most), round(most / 2), round(rng.uniform(0, most))))
        return self.parse_answer(seat, {"number": str(gift)})

    def _build_groups(self, answers: Mapping[int, Json], result: JsonObject | None, language: str) -> list[JsonObject]:
        marks: dict[int, list[str]] = {}
        if result is not None and self.may_show_theory:
            for number in self._best_gifts:
                marks[find_bin(Fraction(number), self.maximum)] = ["best", "equilibrium"]
        return [self._build_histogram(answers, language, marks)]

    @property
    def _best_gifts(self) -> tuple[int, ...]:
        """Return the gifts that earn the most; empty if all earn the same."""
        own_return = self._return_per_coin
        return () if own_return == 1 else (0,) if own_return < 1 else (self.maximum,)

    def _list_lines(self, result: JsonObject, language: str, *, is_revealed: bool) -> list[str]:
        lines = [self._say(language, "average", average=format_decimal(Fraction(result["average"]), language))]
        if is_revealed and result.get("is_alone"):
            lines.append(translate(language, "live.number.alone"))
        elif is_revealed:
            lines += [
                self._say(language, "payoff", average=format_decimal(Fraction(result["average_points"]), language)),
                self._say(language, "all_give", most=format_decimal(Fraction(self.prepared["multiplier"]) * self.maximum, language)),
                self._say(language, "none_give", most=str(self.maximum)),
            ]
        return lines

    def _list_theory(self, language: str) -> list[str]:
        own_return = self._return_per_coin
        name = "theory.same" if own_return == 1 else "theory.keep" if own_return < 1 else "theory.give"
        return [self._say(language, name, back=format_decimal(own_return, language))]

    def _describe_round(self, result: JsonObject, own: JsonObject, language: str) -> JsonObject:
        gift = Fraction(own["number"])
        lines = [self._say(language, "own", number=str(gift), kept=str(self.maximum - gift))]
        lines.append(self._say(language, "average", average=format_decimal(Fraction(result["average"]), language)))
        if result.get("is_alone"):
            return {"headline": translate(language, "live.number.alone"), "lines": lines, "is_right": None}
        headline = self._say(language, "headline", points=format_decimal(Fraction(own["points"]), language))
        return {"headline": headline, "lines": [*lines, self._say(language, "points")], "is_right": None}


QUESTION_CLASSES: Final[dict[str, type[Question]]] = {
    question_class.kind: question_class for question_class in (GuessQuestion, PublicGoodsQuestion, FirstPriceQuestion, SecondPriceQuestion)
}
