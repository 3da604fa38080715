"""The third and the fourth question: in how many ways, and how likely?

Some bouts have been played, in each of which one card was attacked with and beaten: so whatever may be dealt may have arisen.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial
from typing import TYPE_CHECKING, Final

from durak_widget.cards import Card, bits_of
from durak_widget.classroom.assignment import Question
from durak_widget.classroom.econ431.positions import RULES, signs
from durak_widget.game.game import Game
from durak_widget.lessons.number import Number
from durak_widget.rules import pack
from durak_widget.words import Fact, Seat

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random

    from durak_widget.lessons.given import Text

HELD: Final = 5
"""So many cards does a hand hold."""
BOUTS: Final = (1, 5)
"""So many have been played, at least and at most."""
WANTED: Final = 2
"""So many trumps are to be among the cards of the other."""
COUNTED: Final = ("own", "gone", "turned", "seen", "ordered", "every", "rest", "least", "part", "sum")
"""What is named of a wrong count."""
CHANCES: Final = (
    "own", "gone", "turned", "seen", "contrary", "with_replacement", "without_trumps", "one_card", "added", "exactly",
)  # fmt: skip
"""What is named of a wrong chance."""
APART: Final = Fraction(1, 100)
"""A mistake is further off than that: so two digits tell it from what is right."""


def after_bouts(lots: Random, *, attacked: bool = False) -> Game:
    """Some bouts have been played with a card each, and beaten. It is your attack, who sit at seat 0; or the other has `attacked`.

    >>> from random import Random
    >>> game = after_bouts(Random(1), attacked=True)
    >>> len(game.hands[0]), len(game.hands[1]), len(game.discard) == 2 * (game.bout - 1), len(game.table)
    (5, 4, True, 1)
    """
    deck = [Card.of(code) for code in bits_of(pack.faces(RULES))]
    lots.shuffle(deck)
    turn_up, suit = deck[-1], deck.pop().suit
    bouts, gone = lots.randint(*BOUTS), list[Card]()
    for _ in range(bouts):
        attack = next(card for card in deck if set(RULES.beaters(card, suit)) & set(deck))
        deck.remove(attack)
        beater = next(card for card in deck if card in RULES.beaters(attack, suit))
        deck.remove(beater)
        gone += [attack, beater]
    hands, table = [deck[:HELD], deck[HELD : 2 * HELD]], ""
    if attacked:
        table = str(hands[1].pop())
    return Game.from_position(
        RULES, hands=hands, trump=suit, attacker=int(attacked), table=table, talon=deck[2 * HELD :], turn_up=turn_up, discard=gone,
        bout=bouts + 1,
    )  # fmt: skip


def hidden(game: Game) -> tuple[Card, ...]:
    """What lies where you cannot see it: in the other's hand and in the talon."""
    return (*game.hands[1], *game.talon)


def hands(lots: Random) -> Number:
    """How many hands with just two trumps may the other hold?

    >>> from random import Random
    >>> quiz = hands(Random(1))
    >>> tuple(quiz.mistakes) == COUNTED, quiz.right.denominator
    (True, 1)
    """
    while True:
        game = after_bouts(lots, attacked=bool(lots.randrange(2)))
        good, bad = _trumps(game, hidden(game))
        if not WANTED < good <= HELD or bad < HELD:
            continue
        facts = {"who": Seat(1), "gone": signs(game.discard), "count": len(game.hands[1])}
        mistakes = _miscounted(game, good, bad)
        quiz = Number(
            Fact("class.econ431.hands.asked", facts),
            counted(game, good, bad),
            mistakes=mistakes,
            game=game,
            seat=0,
            why=_why(game, good, bad),
        )
        if len(quiz.mistakes) == len(COUNTED):
            return quiz


def _trumps(game: Game, cards: Iterable[Card]) -> tuple[int, int]:
    """How many of these cards are trumps, and how many are not."""
    trumps = [card.suit == str(game.trump) for card in cards]
    return sum(trumps), len(trumps) - sum(trumps)


def counted(game: Game, good: int, bad: int, wanted: int = WANTED) -> int:
    """How many hands of the other's size there are with so many of the good cards."""
    return comb(good, wanted) * comb(bad, len(game.hands[1]) - wanted)


def _miscounted(game: Game, good: int, bad: int) -> Mapping[str, object]:
    """What each mistake gives, some with a sentence of their own."""
    size, laid = len(game.hands[1]), [card for pair in game.table for card in pair if card]
    turned = [] if game.turn_up is None else [game.turn_up]
    forgotten: dict[str, Iterable[Card]] = {"own": game.hands[0], "gone": [*game.discard, *laid], "turned": turned}
    seen = {**forgotten, "seen": [card for cards in forgotten.values() for card in cards]}
    own = {
        "every": comb(good + bad, size),
        "rest": comb(good, WANTED) * comb(good + bad - WANTED, size - WANTED),
        "least": sum(counted(game, good, bad, some) for some in range(WANTED, size + 1)),
        "part": comb(good, WANTED),
        "sum": comb(good, WANTED) + comb(bad, size - WANTED),
    }
    more = {name: _trumps(game, cards) for name, cards in seen.items()}
    return {
        **{name: Fraction(counted(game, good + trumps, bad + others)) for name, (trumps, others) in more.items()},
        "ordered": Fraction(counted(game, good, bad) * factorial(size)),
        **{name: (Fraction(number), Fact(f"class.econ431.hands.{name}")) for name, number in own.items()},
    }


def _why(game: Game, good: int, bad: int) -> Text:
    """How it is counted."""
    rest = len(game.hands[1]) - WANTED
    two, others = comb(good, WANTED), comb(bad, rest)
    facts = {"hidden": good + bad, "good": good, "two": two, "rest": rest, "bad": bad, "others": others, "product": two * others}
    return Fact("class.econ431.hands.why", {name: str(number) for name, number in facts.items()})


def beaten(lots: Random) -> Number:
    """How likely can the other beat this card, if you attack with it?

    >>> from random import Random
    >>> quiz = beaten(Random(1))
    >>> sorted(quiz.mistakes) == sorted(CHANCES), 0 < quiz.right < 1
    (True, True)
    """
    while True:
        game = after_bouts(lots)
        card = lots.choice(list(game.hands[0]))
        if card.suit == str(game.trump) or not 2 <= len(set(RULES.beaters(card, str(game.trump))) & set(hidden(game))) <= 6:
            continue
        asked = Fact("class.econ431.chance.asked", {"who": Seat(1), "card": card, "gone": signs(game.discard)})
        quiz = Number.chance(game, beats=card, seat=0, question=asked, why=Fact("class.econ431.chance.why"))
        if len(quiz.mistakes) == len(CHANCES) and min(abs(one - quiz.right) for one in quiz.mistakes.values()) > APART:
            return quiz


QUESTIONS: Final = (
    Question("how-many-hands", 3, Fact("class.econ431.hands"), hands, "number"),
    Question("how-likely", 3, Fact("class.econ431.chance"), beaten, "number"),
)
