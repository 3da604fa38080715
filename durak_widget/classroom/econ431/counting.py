"""The third and the fourth question: in how many ways, and how likely? Each begins a bout of a game that has been played by lots so far."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial
from typing import TYPE_CHECKING, Final

from durak_widget.classroom.assignment import Question
from durak_widget.classroom.econ431.played import laid, played, signs
from durak_widget.lessons.hidden import Hidden
from durak_widget.lessons.number import Number
from durak_widget.words import Fact, Seat

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from durak_widget.cards import Card
    from durak_widget.game.game import Game
    from durak_widget.lessons.given import Text
    from durak_widget.lessons.odds import Draw

HAND: Final = 5
"""So many cards does the other hold."""
WANTED: Final = 2
"""So many trumps are to be among them."""
COUNTED: Final = ("own", "gone", "turned", "seen", "ordered", "every", "rest", "least", "part", "sum")
"""What is named of a wrong count."""
CHANCES: Final = (
    "own", "gone", "turned", "seen", "contrary", "with_replacement", "without_trumps", "one_card", "added", "exactly",
)  # fmt: skip
"""What is named of a wrong chance."""


def begins(game: Game) -> bool:
    """A bout begins; some cards have gone, some are to be drawn, the other holds five, and nobody has seen any of them."""
    me = game.attacker
    if game.table or not game.talon or len(game.hands[1 - me]) != HAND or not HAND <= len(game.hands[me]) <= HAND + 1:
        return False
    return 2 <= len(game.discard) <= 8 and not any(end.taken for end in game.view(me).ends if end.defender != me)


def hands(lots: Random) -> Number:
    """How many hands with just two trumps may the other hold?

    >>> from random import Random
    >>> quiz = hands(Random(1))
    >>> tuple(quiz.mistakes) == COUNTED, quiz.right.denominator
    (True, 1)
    """
    while True:
        game = laid(played(lots, begins))
        hidden = Hidden(game)
        draw = hidden.draw(hidden.good("trumps", None)[0])
        if not WANTED < draw.good <= HAND or draw.hidden - draw.good < HAND:
            continue
        asked = Fact("class.econ431.hands.asked", {"who": Seat(hidden.seat), **_gone(game)})
        quiz = Number(asked, counted(draw), mistakes=_miscounted(draw), game=game, why=_why(draw))
        if len(quiz.mistakes) == len(COUNTED):
            return quiz


def counted(draw: Draw, least: int = WANTED, most: int | None = WANTED) -> int:
    """How many hands there are with so many good cards."""
    number = draw.of_good(least, most) * comb(draw.hidden, draw.drawn)
    return int(number)


def _miscounted(draw: Draw) -> Mapping[str, object]:
    """What each mistake gives, some with a sentence of their own."""
    hidden, good, drawn, *_ = draw
    right, others = counted(draw), comb(hidden - good, drawn - WANTED)
    own: Mapping[str, int] = {
        "every": comb(hidden, drawn),
        "rest": comb(good, WANTED) * comb(hidden - WANTED, drawn - WANTED),
        "least": counted(draw, most=None),
        "part": comb(good, WANTED),
        "sum": comb(good, WANTED) + others,
    }
    return {
        **{name: Fraction(counted(one)) for name, one in draw.untaken().items()},
        "ordered": Fraction(right * factorial(drawn)),
        **{name: (Fraction(number), Fact(f"class.econ431.hands.{name}")) for name, number in own.items()},
    }


def _why(draw: Draw) -> Text:
    """How it is counted."""
    hidden, good, drawn, *_ = draw
    two, others = comb(good, WANTED), comb(hidden - good, drawn - WANTED)
    facts = {"hidden": hidden, "good": good, "two": two, "bad": hidden - good, "others": others, "product": two * others}
    return Fact("class.econ431.hands.why", {name: str(number) for name, number in facts.items()})


def beaten(lots: Random) -> Number:
    """How likely can the other beat this card, if you attack with it?

    >>> from random import Random
    >>> quiz = beaten(Random(1))
    >>> sorted(quiz.mistakes) == sorted(CHANCES), 0 < quiz.right < 1
    (True, True)
    """
    while True:
        game = laid(played(lots, begins))
        plain = [card for card in game.hands[game.attacker] if card.suit != str(game.trump)]
        card = lots.choice(plain) if plain else None
        if card is None or not 3 <= len(_beaters(game, card)) <= 6:
            continue
        asked = Fact("class.econ431.chance.asked", {"who": Seat(1 - game.attacker), "card": card, **_gone(game)})
        quiz = Number.chance(game, beats=card, question=asked, why=Fact("class.econ431.chance.why"))
        if len(quiz.mistakes) == len(CHANCES):
            return quiz


def _beaters(game: Game, card: Card) -> list[Card]:
    """The hidden cards that beat it."""
    view = game.view(game.attacker)
    memory = view.memory
    return [] if memory is None else [one for one in view.beaters(card) if one in memory.unseen]


def _gone(game: Game) -> dict[str, object]:
    """What is no longer in play."""
    return {"gone": signs(game.discard)}


QUESTIONS: Final = (
    Question("how-many-hands", 3, Fact("class.econ431.hands"), hands, "number"),
    Question("how-likely", 3, Fact("class.econ431.chance"), beaten, "number"),
)
