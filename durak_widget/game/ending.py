"""How a game ended, as a part of a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.words import Fact, Seat

if TYPE_CHECKING:
    from durak_widget.rules.scoring import Outcome

_WEARS = ("outcome.fool", "outcome.epaulette", "outcome.epaulettes")


def ended(outcome: Outcome) -> Fact:
    """Who is the fool, or has won, or that nobody has.

    >>> from durak_widget.rules.scoring import Outcome
    >>> from durak_widget.words import Voice
    >>> Voice().say("sentence", said=ended(Outcome((0,), (1,), 1, (0,), 1, (1.0, -1.0))))
    'Player 2 is the fool, with an epaulette.'
    """
    if outcome.fool is not None:
        return Fact(_WEARS[outcome.epaulettes], {"who": Seat(outcome.fool)})
    return together("outcome.won", outcome.winners) if outcome.winners else Fact("outcome.draw")


def together(key: str, seats: tuple[int, ...]) -> Fact:
    """What is said of several seats at once, or of one.

    >>> from durak_widget.words import Voice
    >>> Voice(me=2).say("sentence", said=together("outcome.lost", (0, 2)))
    'Player 1 and you lose.'
    """
    return Fact(key, {"who": tuple(map(Seat, seats)), "count": len(seats)})
