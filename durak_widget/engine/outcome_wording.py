"""How a game ended, as a part of a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.cards import Card
from durak_widget.i18n import Fact, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.rules.scoring import Outcome

_WEARS = ("outcome.fool", "outcome.epaulette", "outcome.epaulettes")


def ended(outcome: Outcome) -> Fact:
    """Who is the fool, or has won, or that nobody has.

    >>> from durak_widget.rules.scoring import Outcome
    >>> from durak_widget.i18n import Voice
    >>> Voice().say("sentence", said=ended(Outcome((0,), (1,), 1, (0,), 1, (1.0, -1.0))))
    'Player 2 is the fool, with an epaulette.'
    """
    if outcome.fool is not None:
        return Fact(_WEARS[outcome.epaulettes], {"who": Seat(outcome.fool)})
    return seats_together("outcome.won", outcome.winners) if outcome.winners else Fact("outcome.draw")


def seats_together(key: str, seats: tuple[int, ...]) -> Fact:
    """What is said of several seats at once, or of one.

    >>> from durak_widget.i18n import Voice
    >>> Voice(me=2).say("sentence", said=seats_together("outcome.lost", (0, 2)))
    'Player 1 and you lose.'
    """
    return Fact(key, {"who": tuple(map(Seat, seats)), "count": len(seats)})


def farewell(outcome: Outcome, seat: int, bouts: int) -> Fact:
    """A word to somebody who has played: how it went, and in how many bouts; kind to whom it caught.

    >>> from durak_widget.rules.scoring import Outcome
    >>> from durak_widget.i18n import Voice
    >>> outcome = Outcome((0,), (1,), 1, (0,), 0, (1.0, -1.0))
    >>> said = [farewell(outcome, seat, 9) for seat in (0, 1)]
    >>> [Voice().say(one.key, **one.facts) for one in said]
    ['You won, in 9 bouts.', 'You held out for 9 bouts: it happens to the best.']
    """
    if not outcome.winners:
        key = "draw"
    elif seat in outcome.winners:
        key = "won" if len(outcome.winners) > 1 and len(outcome.losers) > 1 else "safe"
    else:
        key = "fool" if seat == outcome.fool or len(outcome.losers) == 1 else "lost"
    return Fact(f"farewell.{key}", {"count": bouts})


def worn(outcome: Outcome, attacks: Sequence[int]) -> tuple[Card, ...]:
    """The cards that the fool wears on the shoulders: the last of the last attack.

    >>> from durak_widget.rules.scoring import Outcome
    >>> worn(Outcome((0,), (1,), 1, (0,), 1, (1.0, -1.0)), [Card("9c").code, Card("6d").code])
    (Card('6d'),)
    """
    return tuple(Card.of(code) for code in attacks[len(attacks) - outcome.epaulettes :])
