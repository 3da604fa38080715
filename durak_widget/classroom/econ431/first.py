"""The twelfth question: is it an advantage to attack first? Four cards, dealt in each of six ways."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.classroom.assignment import Question
from durak_widget.classroom.econ431.kinds import dressed, kinds, laid
from durak_widget.classroom.econ431.mixing import paid
from durak_widget.classroom.econ431.positions import signs
from durak_widget.lessons.number import Number
from durak_widget.theory.coins import for_coins, settled
from durak_widget.words import Fact, Seat, Suit

if TYPE_CHECKING:
    from random import Random


STAKES: Final = (0, 1, 2, 3, 4)


@cache
def coins_of(kind: str) -> tuple[Fraction, ...]:
    """What each deal of four cards, two each, brings who attacks first; it is the same in other suits and ranks.

    >>> [int(coins) for coins in coins_of("9c Kd | Kc Qh; trump h")]
    [-1, -1, 3, 1, 3, 3]
    """
    hands, _, rest = kind.partition(";")
    cards = hands.replace("|", " ").split()
    coins = []
    for mine in combinations(cards, 2):
        theirs = [card for card in cards if card not in mine]
        [(won, _)] = settled(for_coins(laid(f"{' '.join(mine)} | {' '.join(theirs)};{rest}"))).payoffs
        coins.append(Fraction(won))
    return tuple(coins)


class Worth(NamedTuple):
    """What it is worth to attack first, over all these deals."""

    value: Fraction
    """In coins."""
    won: Fraction
    """How many of the deals are won."""
    plain: Fraction
    """What it would be worth if a loss cost one coin, whatever is left."""
    best: Fraction
    """What the best of the deals is worth."""


def worth_of(kind: str, stake: int = 0) -> Worth:
    """All deals, when the loser pays a stake besides one coin for each card.

    >>> worth_of("9c Kd | Kc Qh; trump h").won
    Fraction(2, 3)
    """
    coins = [one + stake if one > 0 else one - stake for one in coins_of(kind)]
    won = Fraction(sum(one > 0 for one in coins), len(coins))
    return Worth(sum(coins, Fraction(0)) / len(coins), won, 2 * won - 1, max(coins))


def first(lots: Random) -> Number:
    """What is it worth to attack first, on average over all deals?

    >>> from random import Random
    >>> first(Random(1)).right.denominator
    3
    """
    while True:
        kind, stake = lots.choice(kinds("first")), lots.choice(STAKES)
        worth = worth_of(kind, stake)
        if worth.value.denominator == _THIRDS:
            break
    game = laid(dressed(lots, kind), lots)
    cards = sorted([card for hand in game.hands for card in hand])
    mistakes: dict[str, object] = {
        "won": (worth.won, Fact("class.econ431.first.won")),
        "plain": (worth.plain, Fact("class.econ431.first.plain")),
        "sum": (6 * worth.value, Fact("class.econ431.first.sum")),
        "turned": (-worth.value, Fact("class.econ431.first.turned")),
        "best": (worth.best, Fact("class.econ431.first.best")),
    }
    asked = Fact("class.econ431.first.asked", {"next": Seat(1), "paid": paid(stake), "cards": signs(cards), "suit": Suit(str(game.trump))})
    why = Fact(f"class.econ431.first.why.{'yes' if worth.value > 0 else 'no'}")
    return Number(asked, worth.value, mistakes=mistakes, hint=Fact("class.econ431.first.hint"), why=why)


_THIRDS: Final = 3
QUESTIONS: Final = (Question("attack-first", 4, Fact("class.econ431.first"), first, "number"),)
