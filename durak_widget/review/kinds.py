"""Of which kind is a mistake? Each kind is a claim about the cards, and is named only where that holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.bots.heuristic_bots import beating_all, prices
from durak_widget.cards import CardSet
from durak_widget.i18n import Fact, Seat

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.cards import Card
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View

KINDS: Final = ("trump", "pair", "take", "throw", "seen", "ending")
"""A trump wasted, a pair split, taken too early, thrown in a present, a seen card forgotten, an ending misplayed."""
_ON: Final = {"transfer", "show"}


def kind_of(view: View, move: Move, better: Move, *, proved: bool = False) -> str | None:
    """Of which kind a mistake is; None where it is of none.

    >>> from durak_widget import Game, Move
    >>> game = Game.at("6c | 8c 8h 9d; trump h; talon Ac Kc 7h; attacker 0"); game.play("attack 6c")
    >>> kind_of(game.view(1), Move("beat 6c 8h"), Move("beat 6c 8c")), kind_of(game.view(1), Move("take"), Move("beat 6c 8c"))
    ('trump', 'take')
    """
    return next((name for name, holds in _HOLDS.items() if holds(view, move, better)), "ending" if proved else None)


def seen_beater(view: View, move: Move) -> Card | None:
    """A card that everybody has seen go into the defender's hand, that still lies there, and that beats what is played; the lowest one."""
    if move.verb not in {"attack", "throw"} or view.taking or not view.sight.seen:
        return None
    held = CardSet.of(view.sight.seen[view.defender])
    return next((card for card in held if card in view.beaters(move.cards[-1])), None)


def kind_told(view: View, move: Move, kind: str) -> Fact:
    """A kind as a sentence."""
    card = seen_beater(view, move) if kind == "seen" else None
    return Fact(f"review.kind.{kind}", {} if card is None else {"who": Seat(view.defender), "card": card})


def _spent(move: Move) -> tuple[Card, ...]:
    """The cards that leave the hand."""
    return () if move.verb in {"show", "swap"} else move.cards[move.verb == "beat" :]


def _seen(view: View, move: Move, better: Move) -> bool:
    """An attack that a card beats which the defender was seen to take; the better one is an attack that none of these beats."""
    return seen_beater(view, move) is not None and better.verb == move.verb and seen_beater(view, better) is None


def _trump(view: View, move: Move, better: Move) -> bool:
    """A trump was spent where none needed to be: on the same card, as an attack, or thrown in."""
    trumps = [card for card in _spent(move) if card.suit == view.trump]
    if view.trump is None or not trumps or any(card.suit == view.trump for card in _spent(better)):
        return False
    if move.verb == "beat":
        return better.verb == "beat" and better.cards[0] == move.cards[0]
    return better.verb == move.verb or (move.verb == "throw" and better.verb == "pass")


def _take(view: View, move: Move, better: Move) -> bool:
    """Everything could have been beaten, or passed on."""
    if move.verb != "take" or better.verb == "take":
        return False
    return better.verb in _ON or bool(beating_all(view, view.legal_moves(), prices(view)))


def _throw(view: View, move: Move, better: Move) -> bool:
    """A card for somebody who takes anyway, where nothing at all was better."""
    return view.taking and move.verb == "throw" and better.verb == "pass"


def _pair(view: View, move: Move, better: Move) -> bool:
    """One of a pair was spent to beat what a single card beats (of three alike a pair is left); or laid alone where more may be laid at once."""
    if move.verb == "attack" == better.verb:
        return len(move.cards) == 1 < len(better.cards) and better.cards[0].rank == move.cards[0].rank
    if not move.verb == better.verb == "beat" or better.cards[0] != move.cards[0]:
        return False
    return (_alike(view, move.cards[1]), _alike(view, better.cards[1])) == (2, 1)


def _alike(view: View, card: Card) -> int:
    """How many cards of that rank the hand holds."""
    return sum(one.rank == card.rank for one in view.hand)


_HOLDS: Final[dict[str, Callable[[View, Move, Move], bool]]] = {
    "seen": _seen,
    "trump": _trump,
    "take": _take,
    "throw": _throw,
    "pair": _pair,
}
