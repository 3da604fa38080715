"""The twelfth question: is it an advantage to attack first? Four cards, dealt in each of six ways."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.classroom.assignment import Question
from durak_widget.classroom.econ431.coins import for_coins, settled
from durak_widget.classroom.econ431.kinds import dressed, kinds, laid
from durak_widget.classroom.econ431.positions import signs
from durak_widget.lessons.number import Number
from durak_widget.words import Fact, Seat, Suit

if TYPE_CHECKING:
    from random import Random


class Worth(NamedTuple):
    """What it is worth to attack first, over all deals of four cards, two each."""

    value: Fraction
    """In coins: the loser pays one for each card that is left."""
    won: Fraction
    """How many of the deals are won."""
    plain: Fraction
    """What it would be worth if a loss cost one coin, whatever is left."""
    best: Fraction
    """The most that one of the deals is worth."""


@cache
def worth_of(kind: str) -> Worth:
    """All deals of the cards of a kind, each solved; it is the same in other suits and ranks.

    >>> worth_of("9c Kd | Kc Qh; trump h")
    Worth(value=Fraction(4, 3), won=Fraction(2, 3), plain=Fraction(1, 3), best=Fraction(3, 1))
    """
    hands, _, rest = kind.partition(";")
    cards = hands.replace("|", " ").split()
    coins = []
    for mine in combinations(cards, 2):
        theirs = [card for card in cards if card not in mine]
        [(mine_won, _)] = settled(for_coins(laid(f"{' '.join(mine)} | {' '.join(theirs)};{rest}"))).payoffs
        coins.append(Fraction(mine_won))
    won = Fraction(sum(one > 0 for one in coins), len(coins))
    return Worth(sum(coins, Fraction(0)) / len(coins), won, 2 * won - 1, max(coins))


def first(lots: Random) -> Number:
    """What is it worth to attack first, on average over all deals?

    >>> from random import Random
    >>> first(Random(1)).right.denominator > 1
    True
    """
    kind = lots.choice(kinds("first"))
    line, worth = dressed(lots, kind), worth_of(kind)
    game = laid(line, lots)
    cards = sorted([card for hand in game.hands for card in hand])
    mistakes: dict[str, object] = {
        "won": (worth.won, Fact("class.econ431.first.won")),
        "plain": (worth.plain, Fact("class.econ431.first.plain")),
        "sum": (6 * worth.value, Fact("class.econ431.first.sum")),
        "turned": (-worth.value, Fact("class.econ431.first.turned")),
        "best": (worth.best, Fact("class.econ431.first.best")),
    }
    asked = Fact("class.econ431.first.asked", {"next": Seat(1), "cards": signs(cards), "suit": Suit(str(game.trump))})
    better = "yes" if worth.value > 0 else "no"
    return Number(
        asked, worth.value, mistakes=mistakes, hint=Fact("class.econ431.first.hint"), why=Fact(f"class.econ431.first.why.{better}")
    )


QUESTIONS: Final = (Question("attack-first", 4, Fact("class.econ431.first"), first, "number"),)
