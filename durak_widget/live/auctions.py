"""First-price and second-price auctions with sealed bids and private values.

Each student is compared with every other student. The sums over all of them are exact and take one sorting of the bids.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left, bisect_right
from collections import Counter
from fractions import Fraction
from hashlib import sha256
from itertools import accumulate
from secrets import token_hex
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.live.bar_groups import build_group
from durak_widget.live.number_question import CENTS, MAX_NUMBER, NumberQuestion, read_number, read_whole
from durak_widget.live.texts import format_decimal, format_percent, get_percent_sign, translate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from durak_widget.live.question import Json, JsonObject

_SHARE_STEPS: Final = 20
"""The best share of the value to bid is searched in steps of 1/20."""
_SECRET_BYTES: Final = 16
"""The size of the secret that draws the private values; nobody can try all secrets of this size."""


class _Bids(NamedTuple):
    """The bids of a class in hundredths, sorted, with the sums of the lowest bids."""

    ordered: Sequence[int]
    sums: Sequence[int]

    def count_others(self, bid: int, own: int) -> tuple[int, int]:
        """Return how many bids of others are lower than `bid`, and how many are equal to it.

        `own` is the bid that the student has really made, which is not one of the others.
        """
        lower, up_to = bisect_left(self.ordered, bid), bisect_right(self.ordered, bid)
        return lower - (own < bid), up_to - lower - (own == bid)


class AuctionQuestion(NumberQuestion):
    """A sealed-bid auction against one other student who is drawn from the class.

    A secret in `prepared` draws the private values. It is made anew whenever the question is prepared, is in the log, so that a
    restarted session has the same values, and never reaches a phone. The spec has no part in it: a student who knows the spec and
    their own value learns nothing about the values of others.
    """

    @classmethod
    def _prepare_values(cls, spec: JsonObject) -> JsonObject:
        lowest = read_whole(spec, "lowest", 0, 0, MAX_NUMBER)
        highest = read_whole(spec, "highest", 100, lowest + 1, MAX_NUMBER)
        return {"lowest": lowest, "highest": highest, "secret": token_hex(_SECRET_BYTES)}

    @property
    def maximum(self) -> int:
        """Return the highest bid that students may make."""
        highest: int = self.prepared["highest"]
        return highest

    def get_value(self, seat: int) -> int:
        """Return what the prize is worth to a student in this round.

        Each whole number from the lowest to the highest value is equally likely.
        """
        lowest = int(self.prepared["lowest"])
        digest = sha256(f"{self.prepared['secret']}:{self.round}:{seat}".encode()).digest()
        return lowest + int.from_bytes(digest, "big") % (self.maximum - lowest + 1)

    def _rule_facts(self, language: str) -> dict[str, object]:  # noqa: ARG002 - the same in every language
        return {"lowest": str(self.prepared["lowest"]), "highest": str(self.maximum)}

    def _list_private_facts(self, seat: int, language: str) -> list[str]:
        return [translate(language, "live.number.value", value=str(self.get_value(seat)))]

    def list_choices(self, seat: int, answer: Json) -> list[JsonObject]:
        """Return the bid as one row of data; the private value is its information set."""
        return [{"role": "", "infoset": str(self.get_value(seat)), "choice": str(answer["number"]), "probability": "1"}]

    def build_next_spec(self, result: JsonObject | None) -> JsonObject | None:
        """Return the spec of the next round, which draws its values with a secret of its own."""
        spec = super().build_next_spec(result)
        return None if spec is None else {key: value for key, value in spec.items() if key != "secret"}

    def score(self, answers: Mapping[int, Json], language: str) -> JsonObject:  # noqa: ARG002 - there is no picture
        """Return each student's expected profit against one other student; a tie counts half."""
        bids = {seat: int(read_number(answer) * CENTS) for seat, answer in answers.items()}
        if not bids:
            return {"seats": {}, "average": None}
        values = {seat: self.get_value(seat) for seat in bids}
        average = str(Fraction(sum(bids.values()), CENTS * len(bids)))
        seats: dict[str, JsonObject] = {
            str(seat): {"number": str(Fraction(bid, CENTS)), "value": values[seat]} for seat, bid in bids.items()
        }
        if len(bids) == 1:
            return {"seats": seats, "average": average, "is_alone": True}
        ordered = sorted(bids.values())
        collected = _Bids(ordered, [0, *accumulate(ordered)])
        rivals = len(bids) - 1
        for seat, bid in bids.items():
            lower, equal = collected.count_others(bid, bid)
            profit = self._compute_doubled_profit(values[seat] * CENTS, bid, lower, equal, collected)
            seats[str(seat)] |= {"points": str(Fraction(profit, 2 * CENTS * rivals)), "wins": str(Fraction(2 * lower + equal, 2 * rivals))}
        return {"seats": seats, "average": average, **self._compare_class(bids, values, collected)}

    @abstractmethod
    def _compute_doubled_profit(self, value: int, bid: int, lower: int, equal: int, bids: _Bids) -> int:
        """Return twice the sum of the profits against each other student, in hundredths."""

    @abstractmethod
    def _compare_class(self, bids: Mapping[int, int], values: Mapping[int, int], collected: _Bids) -> JsonObject:
        """Return what the projector shows of the whole class."""

    def _list_lines(self, result: JsonObject, language: str, *, is_revealed: bool) -> list[str]:
        lines = [translate(language, "live.number.average_bid", average=format_decimal(Fraction(result["average"]), language))]
        if is_revealed and result.get("is_alone"):
            return [*lines, translate(language, "live.number.alone")]
        return [*lines, *self._list_comparisons(result, language)] if is_revealed else lines

    @abstractmethod
    def _list_comparisons(self, result: JsonObject, language: str) -> list[str]:
        """Return sentences about the bids of the class, for two or more students."""

    def _describe_round(self, result: JsonObject, own: JsonObject, language: str) -> JsonObject:
        bid = format_decimal(Fraction(own["number"]), language)
        lines = [translate(language, "live.number.own_bid", value=str(own["value"]), bid=bid)]
        if result.get("is_alone"):
            return {"headline": translate(language, "live.number.alone"), "lines": lines, "is_right": None}
        headline = translate(language, "live.number.profit", points=format_decimal(Fraction(own["points"]), language))
        lines.append(translate(language, "live.number.wins", share=format_percent(Fraction(own["wins"]), language)))
        lines.append(translate(language, "live.number.profit_rule"))
        return {"headline": headline, "lines": lines, "is_right": None}

    def _build_shares(self, answers: Mapping[int, Json], language: str, marks: Mapping[int, Sequence[str]]) -> JsonObject:
        """Return bars that count bids by their share of the private value, in steps of a tenth."""
        sign = get_percent_sign(language)
        labels = [*(f"{start}–{start + 9}{sign}" for start in range(0, 100, 10)), f"100{sign}", translate(language, "live.number.more")]
        counts = Counter(_find_share_bin(read_number(answer), self.get_value(seat)) for seat, answer in answers.items())
        bars = [counts[index] for index in range(len(labels))]
        return build_group(translate(language, "live.number.shares"), labels, bars, language, total=len(answers), marks=marks)


class FirstPriceQuestion(AuctionQuestion):
    """The auction in which the winner pays their own bid."""

    kind = "first_price"

    def _compute_doubled_profit(self, value: int, bid: int, lower: int, equal: int, bids: _Bids) -> int:  # noqa: ARG002 - the price is the own bid
        return (value - bid) * (2 * lower + equal)

    def _compare_class(self, bids: Mapping[int, int], values: Mapping[int, int], collected: _Bids) -> JsonObject:
        """Return the shares of the value that would have earned the class the most.

        Each student is compared alone with the bids that the others have really made.
        """
        profits = []
        for step in range(_SHARE_STEPS + 1):
            total = 0
            for seat, own in bids.items():
                value = values[seat] * CENTS
                bid = value * step // _SHARE_STEPS
                total += self._compute_doubled_profit(value, bid, *collected.count_others(bid, own), collected)
            profits.append(total)
        best = max(profits)
        unit = 2 * CENTS * (len(bids) - 1) * len(bids)
        return {
            "best_shares": [str(Fraction(step, _SHARE_STEPS)) for step, profit in enumerate(profits) if profit == best],
            "best_profit": str(Fraction(best, unit)),
            "average_profit": str(
                Fraction(sum((values[seat] * CENTS - bid) * _weigh(collected.count_others(bid, bid)) for seat, bid in bids.items()), unit)
            ),
        }

    def pick_answer(self, seat: int, rng: Random) -> Json:
        """Return a bid below the value, which is closer to half of the value in later rounds."""
        share = rng.uniform(0.5, 1.0 - 0.1 * min(self.round, 3))
        return self.parse_answer(seat, {"number": str(round(share * self.get_value(seat)))})

    def _build_groups(self, answers: Mapping[int, Json], result: JsonObject | None, language: str) -> list[JsonObject]:
        marks: dict[int, list[str]] = {}
        for share in (result or {}).get("best_shares", []):
            marks[_find_share_bin(Fraction(share), 1)] = ["best"]
        if result is not None and self.may_show_theory and not self.prepared["lowest"]:
            marks.setdefault(5, []).append("equilibrium")  # Half of the value
        return [self._build_shares(answers, language, marks)]

    def _list_comparisons(self, result: JsonObject, language: str) -> list[str]:
        shares = ", ".join(format_percent(Fraction(share), language) for share in result["best_shares"])
        profits = {name: format_decimal(Fraction(result[f"{name}_profit"]), language) for name in ("best", "average")}
        return [self._say(language, "best", shares=shares, best=profits["best"], average=profits["average"])]

    def _list_theory(self, language: str) -> list[str]:
        return [
            self._say(language, "theory.half" if not self.prepared["lowest"] else "theory.between", lowest=str(self.prepared["lowest"]))
        ]


class SecondPriceQuestion(AuctionQuestion):
    """The auction in which the winner pays the second-highest bid."""

    kind = "second_price"

    def _compute_doubled_profit(self, value: int, bid: int, lower: int, equal: int, bids: _Bids) -> int:
        """Return twice the sum of the profits; `lower` others bid less, and they set the price."""
        return 2 * (lower * value - bids.sums[lower]) + equal * (value - bid)

    def _compare_class(self, bids: Mapping[int, int], values: Mapping[int, int], collected: _Bids) -> JsonObject:
        signs = Counter(_compare(bid, values[seat] * CENTS) for seat, bid in bids.items())
        return {"truthful_count": signs[0], "lost": self._sum_losses(bids, values, collected)}

    def _sum_losses(self, bids: Mapping[int, int], values: Mapping[int, int], collected: _Bids) -> str:
        """Return how much more the average student would have earned by bidding the value."""
        total = 0
        for seat, bid in bids.items():
            value = values[seat] * CENTS
            for sign, other_bid in ((1, value), (-1, bid)):
                lower, equal = collected.count_others(other_bid, bid)
                # The sums of the lowest bids contain the own bid if it is lower
                own = 2 * bid * (bid < other_bid)
                total += sign * (
                    2 * (lower * value - collected.sums[bisect_left(collected.ordered, other_bid)]) + own + equal * (value - other_bid)
                )
        return str(Fraction(total, 2 * CENTS * (len(bids) - 1) * len(bids)))

    def pick_answer(self, seat: int, rng: Random) -> Json:
        """Return the value, or a bid a little below or above it."""
        bid = round(self.get_value(seat) * rng.choice((1.0, 1.0, 1.0, rng.uniform(0.6, 1.0), rng.uniform(1.0, 1.2))))
        return self.parse_answer(seat, {"number": str(min(bid, self.maximum))})

    def _build_groups(self, answers: Mapping[int, Json], result: JsonObject | None, language: str) -> list[JsonObject]:
        signs = Counter(_compare(read_number(answer), Fraction(self.get_value(seat))) for seat, answer in answers.items())
        marks = {1: ["best", "equilibrium"]} if result is not None and self.may_show_theory else {}
        labels = [self._say(language, name) for name in ("below", "exact", "above")]
        bars = [signs[-1], signs[0], signs[1]]
        comparison = build_group(self._say(language, "comparison"), labels, bars, language, total=len(answers), marks=marks)
        return [comparison, self._build_shares(answers, language, {})]

    def _list_comparisons(self, result: JsonObject, language: str) -> list[str]:
        lines = [self._say(language, "truthful", count=result["truthful_count"])]
        if self.may_show_theory:
            lines.append(self._say(language, "lost", lost=format_decimal(Fraction(result["lost"]), language)))
        return lines

    def _list_theory(self, language: str) -> list[str]:
        return [self._say(language, "theory")]


def _find_share_bin(bid: Fraction, value: int) -> int:
    """Return the index of the bar for a bid's share of the private value."""
    if bid >= value:
        return 10 if bid == value else 11
    return int(10 * bid / value)


def _weigh(counts: tuple[int, int]) -> int:
    """Return twice the number of wins, if a tie counts half."""
    return 2 * counts[0] + counts[1]


def _compare(first: Fraction | int, second: Fraction | int) -> int:
    """Return -1, 0 or 1 if the first number is smaller, equal or larger."""
    return (first > second) - (first < second)
