"""The first two questions: who plays and what may be done, and what beats what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.classroom.assignment import Question
from durak_widget.classroom.econ431.kinds import RANKS, SUITS
from durak_widget.classroom.econ431.positions import RULES, position
from durak_widget.lessons.asking import Pick
from durak_widget.words import Fact, Seat

if TYPE_CHECKING:
    from random import Random


def going_on(lots: Random) -> Pick:
    """Two cards of the attack are beaten, and three ranks lie there: with which two of five cards may it go on?

    >>> from random import Random
    >>> quiz = going_on(Random(1))
    >>> len(quiz.solution), len(quiz.sheet()["items"])
    (2, 5)
    """
    game = position(lots, "moves")
    asked = Fact("class.econ431.moves.asked", {"who": Seat(game.attacker), "next": Seat(1 - game.attacker)})
    return Pick.moves(game, "throw", question=asked, why=Fact("class.econ431.moves.why"))


def beats(lots: Random) -> Pick:
    """Seven cards, of which three beat: a higher one, and two trumps, of which one is lower. Four do not: each is what somebody takes for enough.

    >>> from random import Random
    >>> quiz = beats(Random(1))
    >>> len(quiz.solution), len(quiz.sheet()["items"])
    (3, 7)
    """
    trump, suit, *others = lots.sample(SUITS, 4)
    at = lots.randrange(1, len(RANKS) - 1)
    low_trump = lots.choice(RANKS[: at + 1])
    cards = [
        lots.choice(RANKS[at + 1 :]) + suit,
        low_trump + trump,
        lots.choice(RANKS.replace(low_trump, "")) + trump,
        lots.choice(RANKS[:at]) + suit,
        *(lots.choice(RANKS[at + 1 :]) + other for other in others),
        RANKS[at] + others[0],
    ]
    return Pick.beaters(RANKS[at] + suit, of=cards, trump=trump, rules=RULES, why=Fact("class.econ431.beats.why"))


QUESTIONS: Final = (
    Question("moves", 2, Fact("class.econ431.moves"), going_on, "pick"),
    Question("what-beats-what", 2, Fact("class.econ431.beats"), beats, "pick"),
)
