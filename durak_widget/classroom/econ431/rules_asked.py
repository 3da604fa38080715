"""The first two questions: who plays and what may be done, and what beats what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.classroom.assignment import Question
from durak_widget.classroom.econ431.played import RULES, played
from durak_widget.lessons.asking import Pick
from durak_widget.words import Fact

if TYPE_CHECKING:
    from random import Random

    from durak_widget.game.game import Game

HELD: Final = 5
"""So many cards does the attacker hold."""
FIT: Final = 2
"""With so many of them the attack goes on."""
_RANKS: Final = "9TJQKA"


def going_on(lots: Random) -> Pick:
    """Both cards of the attack are beaten: with which may it go on?

    >>> from random import Random
    >>> quiz = going_on(Random(1))
    >>> len(quiz.solution), len(quiz.sheet()["items"])
    (2, 5)
    """
    game = played(lots, goes_on)
    return Pick.moves(game, "throw", question=Fact("class.econ431.moves.asked"), why=Fact("class.econ431.moves.why"))


def goes_on(game: Game) -> bool:
    """Two pairs of three ranks lie there, and of five cards two fit, one of them only to a card of the defender's."""
    if game.actor != game.attacker or len(game.table) != 2 or len(game.hands[game.attacker]) != HELD:
        return False
    attacks, beats = ({card.rank for card in cards if card} for cards in zip(*game.table, strict=True))
    held = [card.rank for card in game.hands[game.attacker]]
    fit = [rank for rank in held if rank in attacks | beats]
    return len(fit) == FIT and len(attacks | beats) == 3 and not attacks.issuperset(fit)


def beats(lots: Random) -> Pick:
    """Seven cards, of which three beat: a higher one, and two trumps, of which one is lower. Four do not: each is what somebody takes for enough.

    >>> from random import Random
    >>> quiz = beats(Random(1))
    >>> len(quiz.solution), len(quiz.sheet()["items"])
    (3, 7)
    """
    trump, suit, *others = lots.sample("cdhs", 4)
    at = lots.randrange(1, len(_RANKS) - 1)
    low_trump = lots.choice(_RANKS[: at + 1])
    cards = [
        lots.choice(_RANKS[at + 1 :]) + suit,
        low_trump + trump,
        lots.choice(_RANKS.replace(low_trump, "")) + trump,
        lots.choice(_RANKS[:at]) + suit,
        *(lots.choice(_RANKS[at + 1 :]) + other for other in others),
        _RANKS[at] + others[0],
    ]
    return Pick.beaters(_RANKS[at] + suit, of=cards, trump=trump, rules=RULES, why=Fact("class.econ431.beats.why"))


QUESTIONS: Final = (
    Question("moves", 2, Fact("class.econ431.moves"), going_on, "pick"),
    Question("what-beats-what", 2, Fact("class.econ431.beats"), beats, "pick"),
)
