"""What a lesson is about: for what a coach looks out, and which rules it still explains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.bots.heuristic_bots import TRUMP, prices
from durak_widget.engine.narration import partners
from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.i18n import Seat
from durak_widget.lessons.coaching import remark

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.observation import Played, View
    from durak_widget.lessons.coaching import Remark

    Watch = Callable[[View, Played, View], "Remark | None"]
    """What there is to say of a move, by what you saw before and after it."""


class Topic(NamedTuple):
    """One of the things that a game with a coach can be about."""

    watch: Watch
    explains: frozenset[str]
    """The moves whose rule is still told: of others, whoever comes to this lesson has read."""


def topic_of(about: object) -> Topic | None:
    """The topic of that name; None for a first lesson, in which everything is explained.

    >>> topic_of("transfers")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: a coach has nothing to say about 'transfers'. Did you mean 'transfer'? It knows throw, transfer, end, epaulettes, teams
    """
    if about == "":
        return None
    if not isinstance(about, str) or about not in TOPICS:
        raise DurakError(f"a coach has nothing to say about {quoted(about)}.{nearest(about, TOPICS)} It knows {', '.join(TOPICS)}")
    return TOPICS[about]


def _throw(before: View, played: Played, after: View) -> Remark | None:  # noqa: ARG001 - as with the other topics
    """You passed, and held a card worth throwing in."""
    if played.seat != before.seat or played.verb != "pass":
        return None
    price, throws = prices(before), [move.cards[0] for move in before.legal_moves() if move.verb == "throw"]
    worth = [card for card in throws if price(card) < TRUMP or not before.talon_count]
    return remark("topic", "missed.throw", card=min(worth, key=price)) if worth else None


def _transfer(before: View, played: Played, after: View) -> Remark | None:  # noqa: ARG001 - as above
    """You beat or took, and could have transferred the attack; or you did."""
    if played.seat != before.seat:
        return None
    if played.verb in {"transfer", "show"}:
        return remark("praise", "praise.transfer")
    for verb in ("show", "transfer"):
        for move in before.legal_moves():
            if move.verb == verb:
                return remark("topic", f"missed.{verb}", card=move.cards[-1])
    return None


def _end(before: View, played: Played, after: View) -> Remark | None:  # noqa: ARG001 - as above
    """The talon runs out; or who defends against you holds one card alone."""
    if before.talon_count and not after.talon_count:
        return remark("topic", "end.talon")
    if after.actor == after.seat == after.attacker and not after.table and not after.talon_count and after.counts[after.defender] == 1:
        return remark("topic", "end.last", who=Seat(after.defender))
    return None


def _epaulettes(before: View, played: Played, after: View) -> Remark | None:
    """A six that could have hung on a shoulder has gone already."""
    six = played.cards[-1:] and played.cards[-1].rank == "6" and played.verb in {"attack", "throw"}
    if six and played.seat == before.seat and not before.talon_count and after.outcome is None and len(before.hand) > len(played.cards):
        return remark("topic", "missed.six", card=played.cards[-1])
    return _end(before, played, after) if before.talon_count else None


def _teams(before: View, played: Played, after: View) -> Remark | None:  # noqa: ARG001 - as above
    """Your partner defends now, and nothing is thrown in on a partner."""
    if after.bout > before.bout and after.outcome is None and partners(after, after.defender):
        return remark("topic", "team.defends", who=Seat(after.defender))
    return None


TOPICS: Final[dict[str, Topic]] = {
    "throw": Topic(_throw, frozenset({"beat", "throw", "pass"})),
    "transfer": Topic(_transfer, frozenset({"transfer", "show"})),
    "end": Topic(_end, frozenset()),
    "epaulettes": Topic(_epaulettes, frozenset()),
    "teams": Topic(_teams, frozenset()),
}
"""By its name, what a game with a coach can be about."""
