"""What an opponent says when a game is over: one sentence in their own voice, and where it claims anything, that is looked up in the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.bots.careful import beating_all, prices
from durak_widget.bots.counting import ending_of
from durak_widget.bots.styles import ACE, TakingOnPurpose
from durak_widget.words import Fact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from durak_widget.game.game import Game
    from durak_widget.game.seen.view import Played, View

_BUDGET: Final = 20_000
"""So many positions are looked at for each move, to see whether it gave something away."""
_LAST: Final = 12
"""So many of the last moves of others are asked about."""


def saying(game: Game, seat: int, key: str) -> Fact:
    """What the opponent of that key says of a game that is over, and that they played at that seat.

    >>> from durak_widget import Game, bots
    >>> from durak_widget.words import Voice
    >>> game = bots.play(Game(seed=2), ["careful", "uncle"], 2)
    >>> print(Voice().say("sentence", said=saying(game, 1, "uncle")))
    Trumps that I threw in: 2. I hope they were of use.
    """
    claim = _CLAIMS[key](game, seat)
    if claim is not None:
        return claim
    outcome = game.outcome
    result = "drawn" if outcome is None or not outcome.winners else "won" if seat in outcome.winners else "lost"
    return Fact(f"people.{key}.{result}")


def _moments(game: Game, seat: int) -> Iterator[tuple[View, Played]]:
    """What a seat saw before each of its moves, and the move, the latest first."""
    there = game.copy()
    there.goto(there.last_ply)
    course = there.course
    for ply in reversed(range(len(course))):
        if course[ply].seat == seat:
            there.goto(ply)
            yield there.view(seat), course[ply]


def _took(game: Game, seat: int) -> Fact | None:
    """The nephew took what he could have beaten."""
    for view, played in _moments(game, seat):
        if played.verb == "take" and beating_all(view, view.legal_moves(), prices(view)):
            return Fact("people.nephew.took", {"card": view.table.unbeaten[0]})
    return None


def _threw(game: Game, seat: int) -> Fact | None:
    """The uncle threw trumps in."""
    course = game.course
    trumps = sum(played.seat == seat and played.verb == "throw" and played.cards[0].suit == game.trump for played in course)
    return Fact("people.uncle.threw", {"count": trumps}) if trumps else None


def _kept(game: Game, seat: int) -> Fact | None:
    """The neighbour is left with what she kept."""
    price = prices(game.view(seat))
    kept = tuple(card for card in game.hands[seat] if price(card) >= ACE)
    return Fact("people.neighbour.kept", {"cards": kept}) if kept else None


def _on_purpose(game: Game, seat: int) -> Fact | None:
    """The aunt took though she need not, with so many cards to come."""
    for view, played in _moments(game, seat):
        if played.verb == "take" and TakingOnPurpose().would_take(view):
            best = max((attack for attack, _ in view.table), key=prices(view))
            return Fact("people.aunt.took", {"card": best, "count": view.talon_count})
    return None


def _gift(key: str, *had: int) -> Callable[[Game, int], Fact | None]:
    """Somebody gave away to who counts what was worth so much."""

    def given(game: Game, seat: int) -> Fact | None:
        if game.seats != 2 or game.outcome is None or seat not in game.outcome.winners:
            return None
        for _, (view, played) in zip(range(_LAST), _moments(game, 1 - seat), strict=False):
            ending = ending_of(view, _BUDGET)
            if ending is None:
                return None
            worth = {str(move): value for move, value in ending.moves.items()}.get(str(played))
            if worth == -1 and ending.value in had:
                return Fact(f"people.{key}.gift", {"card": played.cards[-1]}) if played.cards else None
        return None

    return given


_CLAIMS: Final[dict[str, Callable[[Game, int], Fact | None]]] = {
    "nephew": _took,
    "uncle": _threw,
    "neighbour": _kept,
    "aunt": _on_purpose,
    "bookkeeper": _gift("bookkeeper", 1),
    "grandmother": _gift("grandmother", 0, 1),
}
"""What each of them may claim, if it is so."""
