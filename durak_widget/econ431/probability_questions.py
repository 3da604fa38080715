"""Two questions of counting: in how many ways, and how likely?

Some bouts have been played, in each of which one card was attacked with and beaten: so whatever may be dealt may have arisen.
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
"""So many cards does a hand hold."""
BOUTS: Final = (1, 5)
"""So many have been played, at least and at most."""
EARLY: Final = (1, 3)
"""Of so many there are so many ways that nobody finds the right number by trying."""
WANTED: Final = 2
"""So many cards of the other are to beat yours."""
MANY: Final = (2, 7)
"""So many hidden cards do, at least and at most."""
COUNTED: Final = ("own", "gone", "turned", "seen", "ordered", "talon", "every", "rest", "least", "sum", "without_trumps")
"""What is named of a wrong count."""
CHANCES: Final = (
    "own", "gone", "turned", "seen", "contrary", "with_replacement", "without_trumps", "one_card", "added", "exactly",
)  # fmt: skip
"""What is named of a wrong chance."""
APART: Final = Fraction(1, 100)
"""A mistake is further off than that: so two digits tell it from what is right."""


def after_bouts(lots: Random, many: tuple[int, int] = BOUTS, *, attacked: bool = False) -> Game:
    """So many bouts have been played with a card each, and beaten. It is your attack, who sit at seat 0; or the other has `attacked`.

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
    """What lies where you cannot see it: in the other's hand and in the talon."""
    return (*game.hands[1], *game.talon)


def ways(lots: Random) -> Number:
    """In how many ways may the hidden cards lie, if just two cards of the other beat one of yours?

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
    """How many of these cards beat that one, and how many do not."""
    beaters = RULES.beaters(card, str(game.trump))
    beat = [one in beaters for one in cards]
    return sum(beat), len(beat) - sum(beat)


def _asked(key: str, game: Game, card: Card) -> Fact:
    """What is asked, with what there is to be known."""
    facts = {"gone": signs(game.discard), "count": len(game.hands[1]), "talon": len(game.talon)}
    return Fact(f"class.econ431.{key}.asked", {"who": Seat(1), "card": card, **facts})


def counted(game: Game, good: int, bad: int, wanted: int = WANTED) -> int:
    """In how many ways so many of the good cards are in the other's hand, and cards of what is left lie in the talon in their order."""
    held, talon = len(game.hands[1]), len(game.talon)
    return comb(good, wanted) * comb(bad, held - wanted) * perm(good + bad - held, talon)


def _miscounted(game: Game, card: Card, good: int, bad: int) -> Mapping[str, object]:
    """What each mistake gives, some with a sentence of their own."""
    held, laid = len(game.hands[1]), [one for pair in game.table for one in pair if one]
    orders, right = factorial(len(game.talon)), counted(game, good, bad)
    turned = [] if game.turn_up is None else [game.turn_up]
    forgotten: dict[str, Iterable[Card]] = {"own": game.hands[0], "gone": [*game.discard, *laid], "turned": turned}
    seen = {**forgotten, "seen": [one for cards in forgotten.values() for one in cards]}
    own = {
        "talon": right // orders,
        "every": comb(good + bad, held) * orders,
        "rest": comb(good, WANTED) * comb(good + bad - WANTED, held - WANTED) * orders,
        "least": sum(counted(game, good, bad, some) for some in range(WANTED, held + 1)),
        "sum": (comb(good, WANTED) + comb(bad, held - WANTED)) * orders,
    }
    more = {name: _beating(game, card, cards) for name, cards in seen.items()}
    suited = sum(one.suit == card.suit for one in hidden(game) if one in RULES.beaters(card, str(game.trump)))
    return {
        **{name: Fraction(counted(game, good + these, bad + others)) for name, (these, others) in more.items()},
        "ordered": Fraction(right * factorial(held)),
        "without_trumps": Fraction(counted(game, suited, good + bad - suited)),
        **{name: (Fraction(number), Fact(f"class.econ431.ways.{name}")) for name, number in own.items()},
    }


def _why(game: Game, good: int, bad: int) -> Text:
    """How it is counted."""
    rest, orders = len(game.hands[1]) - WANTED, factorial(len(game.talon))
    two, others = comb(good, WANTED), comb(bad, rest)
    facts = {"hidden": good + bad, "good": good, "two": two, "rest": rest, "bad": bad, "others": others, "orders": orders}
    return Fact("class.econ431.ways.why", {name: str(number) for name, number in {**facts, "product": two * others * orders}.items()})


def beaten(lots: Random) -> Number:
    """How likely can the other beat a card of yours?

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
        apart = len(quiz.mistakes) == len(CHANCES) and min(abs(one - quiz.right) for one in quiz.mistakes.values()) > APART
        if apart and not tells(quiz):  # few students could be told at once whether they are right, so nobody is
            return quiz


COUNTING_QUESTIONS: Final = (
    Question("how-many-ways", 3, Fact("class.econ431.ways"), ways, "number"),
    Question("how-likely", 3, Fact("class.econ431.chance"), beaten, "number"),
)
