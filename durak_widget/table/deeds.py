"""What each seat did last, as it is written there: told from what the viewer saw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from durak_widget.engine.observation import Played, View
    from durak_widget.i18n import Voice

_LAYS: Final = frozenset({"attack", "throw", "transfer"})
_FEW: Final = 2
"""How many cards are named at a seat."""


def at_seats(view: View, voice: Voice) -> dict[int, str]:
    """What each seat did last in the bout of the last move, in a few words.

    >>> from durak_widget import Game
    >>> from durak_widget.i18n import Voice
    >>> game = Game.from_position(hands=["7c 7d", "9c Th"], trump="h"); game.play("attack 7c"); game.play("beat 7c 9c")
    >>> at_seats(game.view(0), Voice())
    {0: 'attacks with the 7 of clubs', 1: 'beats the 7 of clubs'}
    """
    return {played.seat: _said(played, voice) for played in view.course[_begun(view, view.ply - 1) :]}


def laid_by(view: View) -> list[int | None]:
    """Who laid each attacking card on the table; None where that was before the game was begun here.

    >>> from durak_widget import Game
    >>> game = Game.from_position("podkidnoy, players=3", hands=["7c 8d", "9c Th", "9d 6s"], trump="h")
    >>> game.play("attack 7c"); game.play("beat 7c 9c"); game.play("throw 9d"); laid_by(game.view(0))
    [0, 2]
    """
    laid = [played.seat for played in view.course[_begun(view, view.ply) :] if played.verb in _LAYS for _ in played.cards]
    return [*[None] * (len(view.table) - len(laid)), *laid]  # they lie in the order in which they were laid


def _begun(view: View, ply: int) -> int:
    """At which ply the bout of that moment began."""
    return max((end.ply for end in view.ends if end.ply <= ply), default=0)


def _said(played: Played, voice: Voice) -> str:
    cards = played.cards
    if not cards:
        return voice.say(f"did.{played.verb}")
    if played.verb == "attack" and len(cards) > _FEW:
        return voice.say("did.several", count=len(cards))
    return voice.say(f"did.{played.verb}", cards=cards, target=cards[0], card=cards[-1])
