"""Makes two questions on counting: the number of deals, and a probability.

Some bouts have been played; in each, one card was attacked with and beaten. So every deal is possible.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial, perm
from typing import TYPE_CHECKING, Final

from durak_widget.cards import Card, bits_of
from durak_widget.econ431.endgame_positions import RULES, signs
from durak_widget.engine.game import Game
from durak_widget.exercises.number_exercise import Number
from durak_widget.homework.answer_hashes import tells
from durak_widget.homework.assignment import Question
from durak_widget.i18n import Fact, Seat
from durak_widget.rules import deck_and_beating

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random

    from durak_widget.exercises.answer_parsing import Text

HELD: Final = 5
"""Cards in a hand."""
BOUTS: Final = (1, 5)
"""Least and greatest number of bouts played."""
EARLY: Final = (1, 3)
"""The same, for so many possible deals that nobody finds the right number by trying."""
WANTED: Final = 2
"""Cards of the other hand that are to beat yours."""
MANY: Final = (2, 7)
"""Least and greatest number of hidden cards that beat yours."""
COUNTED: Final = ("own", "gone", "turned", "seen", "ordered", "talon", "every", "rest", "least", "sum", "without_trumps")
"""The mistakes in counting that get their own explanation."""
CHANCES: Final = (
    "own", "gone", "turned", "seen", "contrary", "with_replacement", "without_trumps", "one_card", "added", "exactly",
)  # fmt: skip
"""The mistakes in probabilities that get their own explanation."""
APART: Final = Fraction(1, 100)
"""Least distance of a mistake from the right number, so that two digits show the difference."""


def after_bouts(lots: Random, many: tuple[int, int] = BOUTS, *, attacked: bool = False) -> Game:
    """Return a game after bouts of one attacking card and one beating card each.

    You, at seat 0, attack next; or the other has `attacked`.

    >>> from random import Random
    >>> game = after_bouts(Random(1), attacked=True)
    >>> len(game.hands[0]), len(game.hands[1]), len(game.discard) == 2 * (game.bout - 1), len(game.table)
    (5, 4, True, 1)
    """
    deck = [Card.of(code) for code in bits_of(deck_and_beating.faces(RULES))]
    lots.shuffle(deck)
    turn_up, suit = deck[-1], deck.pop().suit
    bouts, gone = lots.randint(*many), list[Card]()
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
    """Return the cards that you can't see: those in the other's hand and in the talon."""
    return (*game.hands[1], *game.talon)


def ways(lots: Random) -> Number:
    """Ask for the number of deals in which exactly two cards of the other beat a card.

    The card is one of yours.

    >>> from random import Random
    >>> quiz = ways(Random(1))
    >>> sorted(quiz.mistakes) == sorted(COUNTED), quiz.right.denominator, quiz.right > 100_000
    (True, 1, True)
    """
    while True:
        game = after_bouts(lots, EARLY, attacked=bool(lots.randrange(2)))
        card = lots.choice(list(game.hands[0]))
        good, bad = _beating(game, card, hidden(game))
        if card.suit == str(game.trump) or not MANY[0] < good <= MANY[1] or bad < HELD:
            continue
        quiz = Number(
            _asked("ways", game, card),
            counted(game, good, bad),
            mistakes=_miscounted(game, card, good, bad),
            game=game,
            seat=0,
            why=_why(game, good, bad),
        )
        if len(quiz.mistakes) == len(COUNTED):
            return quiz


def _beating(game: Game, card: Card, cards: Iterable[Card]) -> tuple[int, int]:
    """Count the cards that beat a card, and those that don't."""
    beaters = RULES.beaters(card, str(game.trump))
    beat = [other in beaters for other in cards]
    return sum(beat), len(beat) - sum(beat)


def _asked(key: str, game: Game, card: Card) -> Fact:
    """Build the question with the cards and counts that are known."""
    facts = {"gone": signs(game.discard), "count": len(game.hands[1]), "talon": len(game.talon)}
    return Fact(f"class.econ431.{key}.asked", {"who": Seat(1), "card": card, **facts})


def counted(game: Game, good: int, bad: int, wanted: int = WANTED) -> int:
    """Count the deals in which the other hand holds the wanted number of good cards.

    The order of the talon counts.
    """
    hand_size, talon = len(game.hands[1]), len(game.talon)
    return comb(good, wanted) * comb(bad, hand_size - wanted) * perm(good + bad - hand_size, talon)


def _miscounted(game: Game, card: Card, good: int, bad: int) -> Mapping[str, object]:
    """Return the result of each mistake, some with a sentence of their own."""
    hand_size, table_cards = len(game.hands[1]), [other for pair in game.table for other in pair if other]
    orders, right = factorial(len(game.talon)), counted(game, good, bad)
    turned = [] if game.turn_up is None else [game.turn_up]
    forgotten: dict[str, Iterable[Card]] = {"own": game.hands[0], "gone": [*game.discard, *table_cards], "turned": turned}
    seen = {**forgotten, "seen": [other for cards in forgotten.values() for other in cards]}
    explained = {
        "talon": right // orders,
        "every": comb(good + bad, hand_size) * orders,
        "rest": comb(good, WANTED) * comb(good + bad - WANTED, hand_size - WANTED) * orders,
        "least": sum(counted(game, good, bad, exact_count) for exact_count in range(WANTED, hand_size + 1)),
        "sum": (comb(good, WANTED) + comb(bad, hand_size - WANTED)) * orders,
    }
    adjusted = {name: _beating(game, card, cards) for name, cards in seen.items()}
    beaters_in_suit = sum(other.suit == card.suit for other in hidden(game) if other in RULES.beaters(card, str(game.trump)))
    return {
        **{name: Fraction(counted(game, good + more_good, bad + more_bad)) for name, (more_good, more_bad) in adjusted.items()},
        "ordered": Fraction(right * factorial(hand_size)),
        "without_trumps": Fraction(counted(game, beaters_in_suit, good + bad - beaters_in_suit)),
        **{name: (Fraction(number), Fact(f"class.econ431.ways.{name}")) for name, number in explained.items()},
    }


def _why(game: Game, good: int, bad: int) -> Text:
    """Explain how to count."""
    rest, orders = len(game.hands[1]) - WANTED, factorial(len(game.talon))
    two, others = comb(good, WANTED), comb(bad, rest)
    facts = {"hidden": good + bad, "good": good, "two": two, "rest": rest, "bad": bad, "others": others, "orders": orders}
    return Fact("class.econ431.ways.why", {name: str(number) for name, number in {**facts, "product": two * others * orders}.items()})


def beaten(lots: Random) -> Number:
    """Ask for the probability that the other can beat a card of yours.

    >>> from random import Random
    >>> quiz = beaten(Random(1))
    >>> sorted(quiz.mistakes) == sorted(CHANCES), 0 < quiz.right < 1
    (True, True)
    """
    while True:
        game = after_bouts(lots, attacked=bool(lots.randrange(2)))
        card = lots.choice(list(game.hands[0]))
        good, _ = _beating(game, card, hidden(game))
        if card.suit == str(game.trump) or not MANY[0] <= good <= MANY[1]:
            continue
        quiz = Number.chance(game, beats=card, seat=0, question=_asked("chance", game, card), why=Fact("class.econ431.chance.why"))
        is_distinct = len(quiz.mistakes) == len(CHANCES) and min(abs(mistake - quiz.right) for mistake in quiz.mistakes.values()) > APART
        if is_distinct and not tells(quiz):  # only a few students could be told immediately, so nobody is
            return quiz


COUNTING_QUESTIONS: Final = (
    Question("how-many-ways", 3, Fact("class.econ431.ways"), ways, "number"),
    Question("how-likely", 3, Fact("class.econ431.chance"), beaten, "number"),
)
