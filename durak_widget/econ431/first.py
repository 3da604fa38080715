"""Is it an advantage to attack first? Two hands lie open, and a coin decides whose is which."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.analysis.coin_payoff_trees import for_coins, settled
from durak_widget.econ431.endgame_positions import BESIDES, EACH, signs
from durak_widget.econ431.kinds import dressed, kinds, laid
from durak_widget.exercises.number_exercise import Number
from durak_widget.homework.assignment import Question
from durak_widget.i18n import Fact, Seat, Suit

if TYPE_CHECKING:
    from random import Random


ANSWERS: Final = (*3 * ("yes", "no"), "even")
"""Whether it is an advantage, each as often as it stands here: its kinds are the part `first.<answer>` of the file."""


class FirstWorth(NamedTuple):
    """What it is worth to attack first, whoever gets which hand."""

    ways: tuple[Fraction, ...]
    """In coins: with the one hand, and with the other."""
    cards: tuple[Fraction, ...]
    """The same in cards that the loser has left."""

    @property
    def value(self) -> Fraction:
        """On average."""
        return sum(self.ways, Fraction(0)) / len(self.ways)

    @property
    def mistakes(self) -> dict[str, Fraction]:
        """What comes of other ways to count."""
        return {
            "sum": sum(self.ways, Fraction(0)),
            "turned": -self.value,
            "best": max(self.ways),
            "cards": sum(self.cards, Fraction(0)) / len(self.cards),
            "plain": Fraction(sum(1 if one > 0 else -1 for one in self.ways), len(self.ways)),
        }


@cache
def cards_left(kind: str) -> tuple[Fraction, ...]:
    """How many cards the loser has left, with a minus where who attacks loses: with the hands as they stand, and exchanged.

    >>> [int(cards) for cards in cards_left("9h Jd | 9d Ah Qd; trump h")]
    [-2, -1]
    """
    hands, _, rest = kind.partition(";")
    one, _, other = hands.partition(" | ")
    found = []
    for line in (f"{one} | {other};{rest}", f"{other} | {one};{rest}"):
        [(won, _)] = settled(for_coins(laid(line))).payoffs
        found.append(Fraction(won))
    return tuple(found)


def worth_of(kind: str, each: int, stake: int) -> FirstWorth:
    """What it brings when the loser pays so many coins for each card, and a stake besides.

    >>> str(worth_of("9h Jd | 9d Ah Qd; trump h", 2, 3).value)
    '-6'
    """
    cards = cards_left(kind)
    return FirstWorth(tuple(each * one + (stake if one > 0 else -stake) for one in cards), cards)


def first(lots: Random) -> Number:
    """What is it worth to attack first, on average over both ways to deal?

    >>> from random import Random
    >>> {(number > 0) - (number < 0) for number in (first(Random(seed)).right for seed in range(9))} == {-1, 0, 1}
    True
    """
    answer = lots.choice(ANSWERS)
    kind, each, stake = lots.choice(kinds(f"first.{answer}")), lots.choice(EACH), lots.choice(BESIDES)
    worth = worth_of(kind, each, stake)
    game = laid(dressed(lots, kind), lots)
    one, other = (signs(hand) for hand in lots.sample(game.hands, 2))
    prices = {"each": str(each), "stake": str(stake)}
    facts: dict[str, object] = {"next": Seat(1), "first": one, "second": other, "suit": Suit(str(game.trump))}
    mistakes = {name: (value, Fact(f"class.econ431.first.{name}", prices)) for name, value in worth.mistakes.items()}
    why = Fact(f"class.econ431.first.why.{answer}")
    return Number(
        Fact("class.econ431.first.asked", {**facts, "paid": Fact("class.econ431.stake.each", prices)}),
        worth.value,
        mistakes=mistakes,
        hint=Fact("class.econ431.first.hint"),
        why=why,
    )


FIRST_MOVE_QUESTIONS: Final = (Question("attack-first", 4, Fact("class.econ431.first"), first, "number"),)
