"""The result of a game, as part of a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.cards import Card
from durak_widget.i18n import Fact, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.rules.scoring import Outcome

_WEARS = ("outcome.fool", "outcome.epaulette", "outcome.epaulettes")


def ended(outcome: Outcome) -> Fact:
    """Return the fact that says who is the fool or has won, or that the game is a tie.

    >>> from durak_widget.rules.scoring import Outcome
    >>> from durak_widget.i18n import Voice
    >>> Voice().say("sentence", said=ended(Outcome((0,), (1,), 1, (0,), 1, (1.0, -1.0))))
    'Player 2 is the fool, with an epaulette.'
    """
    if outcome.fool is not None:
        return Fact(_WEARS[outcome.epaulettes], {"who": Seat(outcome.fool)})
    return seats_together("outcome.won", outcome.winners) if outcome.winners else Fact("outcome.draw")


def seats_together(key: str, seats: tuple[int, ...]) -> Fact:
    """Return a fact about several seats at once, or about one.

    >>> from durak_widget.i18n import Voice
    >>> Voice(me=2).say("sentence", said=seats_together("outcome.lost", (0, 2)))
    'Player 1 and you lose.'
    """
    return Fact(key, {"who": tuple(map(Seat, seats)), "count": len(seats)})


def farewell(outcome: Outcome, seat: int, bouts: int) -> Fact:
    """Return a kind closing line for a seat: how the game went, and in how many bouts.

    >>> from durak_widget.rules.scoring import Outcome
    >>> from durak_widget.i18n import Voice
    >>> outcome = Outcome((0,), (1,), 1, (0,), 0, (1.0, -1.0))
    >>> facts = [farewell(outcome, seat, 9) for seat in (0, 1)]
    >>> [Voice().say(fact.key, **fact.facts) for fact in facts]
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
    """Return the cards that the fool wears on the shoulders: the last ones of the last attack.

    >>> from durak_widget.rules.scoring import Outcome
    >>> worn(Outcome((0,), (1,), 1, (0,), 1, (1.0, -1.0)), [Card("9c").code, Card("6d").code])
    (Card('6d'),)
    """
    return tuple(Card.of(code) for code in attacks[len(attacks) - outcome.epaulettes :])
