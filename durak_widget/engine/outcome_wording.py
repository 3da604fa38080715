"""Describes the result of a game in words, as translatable texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.cards import Card
from durak_widget.i18n import Seat, TranslatableText

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.rules.scoring import Outcome

_FOOL_KEYS = ("outcome.fool", "outcome.epaulette", "outcome.epaulettes")


def build_outcome_fact(outcome: Outcome) -> TranslatableText:
    """Return a translatable text that says who is the fool, who has won, or that it is a tie.

    >>> from durak_widget.rules.scoring import Outcome
    >>> from durak_widget.i18n import Translator
    >>> Translator().translate("sentence", said=build_outcome_fact(Outcome((0,), (1,), 1, (0,), 1, (1.0, -1.0))))
    'Player 2 is the fool and gets an epaulette.'
    """
    if outcome.fool is not None:
        return TranslatableText(_FOOL_KEYS[outcome.epaulettes], {"who": Seat(outcome.fool)})
    return build_seats_fact("outcome.won", outcome.winners) if outcome.winners else TranslatableText("outcome.draw")


def build_seats_fact(key: str, seats: tuple[int, ...]) -> TranslatableText:
    """Return a translatable text about one or more players, such as `Player 1 and you lose`.

    >>> from durak_widget.i18n import Translator
    >>> Translator(own_seat=2).translate("sentence", said=build_seats_fact("outcome.lost", (0, 2)))
    'Player 1 and you lose.'
    """
    return TranslatableText(key, {"who": tuple(map(Seat, seats)), "count": len(seats)})


def build_farewell_fact(outcome: Outcome, seat: int, bouts: int) -> TranslatableText:
    """Return a friendly farewell to a player: how the game ended, and after how many bouts.

    >>> from durak_widget.rules.scoring import Outcome
    >>> from durak_widget.i18n import Translator
    >>> outcome = Outcome((0,), (1,), 1, (0,), 0, (1.0, -1.0))
    >>> facts = [build_farewell_fact(outcome, seat, 9) for seat in (0, 1)]
    >>> [Translator().translate(fact.key, **fact.facts) for fact in facts]
    ['You won!', 'You stayed in the game for 9 bouts.']
    """
    if not outcome.winners:
        key = "draw"
    elif seat in outcome.winners:
        key = "won" if len(outcome.winners) > 1 and len(outcome.losers) > 1 else "safe"
    else:
        key = "fool" if seat == outcome.fool or len(outcome.losers) == 1 else "lost"
    return TranslatableText(f"farewell.{key}", {"count": bouts})


def list_epaulette_cards(outcome: Outcome, attacks: Sequence[int]) -> tuple[Card, ...]:
    """Return the cards that the fool wears as epaulettes: the last cards of the last attack.

    >>> from durak_widget.rules.scoring import Outcome
    >>> list_epaulette_cards(Outcome((0,), (1,), 1, (0,), 1, (1.0, -1.0)), [Card("9c").code, Card("6d").code])
    (Card('6d'),)
    """
    return tuple(Card.from_code(code) for code in attacks[len(attacks) - outcome.epaulettes :])
