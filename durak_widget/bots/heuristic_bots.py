"""A careful bot: every card has its price, and it pays as little as it can."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from durak_widget.cards import SUITS, Card
from durak_widget.engine import cheapest_move
from durak_widget.engine.cheapest_move import DEAR, face_prices
from durak_widget.errors import BotError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from durak_widget.engine.cheapest_move import Price
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View
    from durak_widget.rules.ruleset import Rules

TRUMP: Final = DEAR
"""What a trump costs beyond its rank."""


class Careful:
    """Plays the cheapest card that will do: a plain one before a trump, a low one before a high one, a joker last of all.

    It opens with its lowest cards, and before that swaps two plain ones where swaps are played. It throws in every plain card that it may, and once
    the talon is empty any card, since then a card that is gone does not come back. It beats, transfers or shows, whichever costs least, and takes only
    when it can do none of these. A `miserly` one also takes rather than part with a trump while there is a talon, and loses more often for it.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> game = Game.from_position(hands=["6c 7c", "6h Tc Ac"], trump="h", table="9c", talon="8d 8s")
    >>> Careful().choose(game.view(1), Random(1))
    Move('beat 9c Tc')
    """

    def __init__(self, *, miserly: bool = False) -> None:
        if not isinstance(miserly, bool):
            raise BotError(f"miserly is True or False, not {quoted(miserly)}")
        self.miserly = miserly

    def choose(self, view: View, rng: Random) -> Move:  # noqa: ARG002 - a bot is handed its chance, whether it takes it or not
        """The move that pays least."""
        legal, price = view.legal_moves(), prices(view)
        if legal[0].verb == "attack":
            return cheapest_move.opening(legal, price, view.trump)
        if legal[0].verb == "throw":
            return cheapest_move.throwing(legal, price, view.trump, talon=bool(view.talon_count))
        cost, move = cheapest_move.defending(legal, price, view.hand, _to_beat(view))
        return legal[-1] if self.miserly and view.talon_count and cost >= TRUMP else move


def prices(view: View) -> Price:
    """What each card is worth to who holds it, as a number to compare; a card of any suit one likes is as good as a trump.

    >>> from durak_widget import Game
    >>> price = prices(Game.from_position(hands=["6c", "7c"], trump="h").view(0))
    >>> sorted(["Xr", "6h", "Ac", "7d"], key=lambda text: price(Card(text)))
    ['7d', 'Ac', '6h', 'Xr']
    """
    return _prices(view.rules, view.trump)


@lru_cache(maxsize=128)
def _prices(rules: Rules, trump: str | None) -> Price:
    """What cards cost, worked out once for all moves of all games: a card costs what it costs."""
    by_face = face_prices(rules, None if trump is None else SUITS.index(trump))
    return lambda card: by_face[card.face_code]


def beating_all(view: View, legal: Iterable[Move], price: Price) -> list[Move]:
    """How to beat every card on the table, the one with the fewest answers first and each as cheaply as it goes; empty if that leaves one over.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c", "8d Kd 8s"], trump="s", table="7d 7h").view(1)
    >>> beating_all(view, view.legal_moves(), prices(view))
    [Move('beat 7h 8s'), Move('beat 7d 8d')]
    """
    return cheapest_move.beats_for_all(legal, price, view.hand, _to_beat(view))


def _to_beat(view: View) -> list[Card]:
    """The unbeaten cards, each as what it counts as."""
    return [Card.of(card.counts) for card in view.table.unbeaten]


def preferred(moves: Sequence[Move], view: View, usual: Move) -> Move:
    """Of moves that are as good as each other the usual one, or the one that gives away least."""
    price = prices(view)

    def cost(move: Move) -> tuple[bool, int]:
        return not move.cards, sum(map(price, move.cards[move.verb == "beat" :]))

    return usual if usual in moves else min(moves, key=cost)
