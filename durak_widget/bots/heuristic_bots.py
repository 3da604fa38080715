"""The heuristic bots: `random`, `first`, `careful` and variants of `careful`.

The careful bot gives every card a price and pays as little as it can. Each variant differs in one habit, which makes it weaker or
stronger. `bots.opponents` says which opponent has which habit.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from durak_widget.cards import SUITS, Card
from durak_widget.engine import cheapest_move
from durak_widget.engine.cheapest_move import DEAR, dearest, face_prices
from durak_widget.errors import BotError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from durak_widget.engine.cheapest_move import Price
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View
    from durak_widget.rules.ruleset import Rules

TRUMP: Final = DEAR
"""The price of a trump beyond its rank."""
AT_HAND: Final = 4
"""The number of cheapest cards from which the hasty bot picks one."""
BOTHER: Final = 0.3
"""The probability that the hasty bot takes although it could beat."""
ACE: Final = 12
"""The price of an ace that is not a trump."""
JACK: Final = 9
MUCH: Final = 8
"""The number of talon cards from which the bot expects to draw again after taking."""


class Careful:
    """A bot that plays the cheapest card that will do.

    A plain card is cheaper than a trump, a low card than a high one, and a joker costs most. It opens with its lowest cards, and swaps
    two plain ones before that where the rules allow swaps. It throws in every plain card that it may; once the talon is empty it throws
    in any card, since then a card that is gone doesn't come back. It beats, transfers or shows, whichever costs least, and takes only if
    it can do none of these. With `miserly` it also takes rather than spend a trump while there is a talon, and loses more often for it.

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
        """Return the cheapest move."""
        legal, price = view.legal_moves(), prices(view)
        if legal[0].verb == "attack":
            return cheapest_move.opening(legal, price, view.trump)
        if legal[0].verb == "throw":
            return cheapest_move.throwing(legal, price, view.trump, talon=bool(view.talon_count))
        cost, move = cheapest_move.defending(legal, price, view.hand, _to_beat(view))
        return legal[-1] if self.miserly and view.talon_count and cost >= TRUMP else move


def prices(view: View) -> Price:
    """Return the function that prices each card for its holder.

    A card that may count as any suit costs as much as a trump.

    >>> from durak_widget import Game
    >>> price = prices(Game.from_position(hands=["6c", "7c"], trump="h").view(0))
    >>> sorted(["Xr", "6h", "Ac", "7d"], key=lambda text: price(Card(text)))
    ['7d', 'Ac', '6h', 'Xr']
    """
    return _prices(view.rules, view.trump)


@lru_cache(maxsize=128)
def _prices(rules: Rules, trump: str | None) -> Price:
    """Return the price function for rules and a trump; cached, since prices never change."""
    price_by_face = face_prices(rules, None if trump is None else SUITS.index(trump))
    return lambda card: price_by_face[card.face_code]


def beating_all(view: View, legal: Iterable[Move], price: Price) -> list[Move]:
    """Return a cheap way to beat every card on the table; empty if one can't be beaten.

    The card that the fewest cards beat is beaten first.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c", "8d Kd 8s"], trump="s", table="7d 7h").view(1)
    >>> beating_all(view, view.legal_moves(), prices(view))
    [Move('beat 7h 8s'), Move('beat 7d 8d')]
    """
    return cheapest_move.beats_for_all(legal, price, view.hand, _to_beat(view))


def _to_beat(view: View) -> list[Card]:
    """Return the unbeaten cards as the faces they count as."""
    return [Card.of(card.counts) for card in view.table.unbeaten]


def preferred(moves: Sequence[Move], view: View, usual: Move) -> Move:
    """Return the usual move if it is among equally good ones, else the cheapest of them."""
    price = prices(view)

    def cost(move: Move) -> tuple[bool, int]:
        return not move.cards, sum(map(price, move.cards[move.verb == "beat" :]))

    return usual if usual in moves else min(moves, key=cost)


class Hasty:
    """A bot that plays any of its cheapest cards.

    It throws in or not at random, and sometimes takes what it could beat.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c 8c Ac", "9h Ts"], trump="h").view(0)
    >>> sorted({str(Hasty().choose(view, Random(seed))) for seed in range(20)})
    ['attack 6c', 'attack 7c', 'attack 8c', 'attack Ac']
    """

    def choose(self, view: View, rng: Random) -> Move:
        """Return a random move among the cheapest ones."""
        legal, price = view.legal_moves(), prices(view)
        verb = legal[0].verb
        if verb == "throw":
            return rng.choice([move for move in legal if not move.cards or price(move.cards[0]) < TRUMP])
        candidates = [move for move in legal if (move.verb == "attack" if verb == "attack" else move.verb != "take")]
        if not candidates or (verb != "attack" and rng.random() < BOTHER):
            return legal[-1]
        return rng.choice(sorted(candidates, key=lambda move: price(move.cards[-1]))[:AT_HAND])


class Generous(Careful):
    """A bot that opens with its highest plain card and throws in all it can, trumps too.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> Generous().choose(Game.from_position(hands=["6c Ac 7h", "9h Ts"], trump="h").view(0), Random(1))
    Move('attack Ac')
    """

    def __init__(self) -> None:
        super().__init__()

    def choose(self, view: View, rng: Random) -> Move:
        """Return the most expensive plain opening, or any card to throw in."""
        legal, price = view.legal_moves(), prices(view)
        if legal[0].verb == "throw":
            return min(legal[:-1], key=lambda move: price(move.cards[0]))
        plain_attacks = [move for move in legal if move.verb == "attack" and dearest(move, price) < TRUMP]
        return max(plain_attacks, key=lambda move: (dearest(move, price), len(move.cards))) if plain_attacks else super().choose(view, rng)


class Hoarding(Careful):
    """A bot that takes rather than spend a trump or an ace while there is a talon.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "6h Ac Kd"], trump="h", table="9c", talon="8d 8s").view(1)
    >>> Careful().choose(view, Random(1)), Hoarding().choose(view, Random(1))
    (Move('beat 9c Ac'), Move('take'))
    """

    def __init__(self) -> None:
        super().__init__()

    def choose(self, view: View, rng: Random) -> Move:
        """Return the careful move, but never beat with a trump or an ace."""
        move = super().choose(view, rng)
        if move.verb != "beat" or not view.talon_count:
            return move
        price = prices(view)
        is_expensive = any(price(beat.cards[1]) >= ACE for beat in beating_all(view, view.legal_moves(), price))
        return view.legal_moves()[-1] if is_expensive else move


class TakingOnPurpose(Careful):
    """A bot that takes good cards on purpose while many are still to be drawn.

    It takes if beating would cost trumps and a jack or better is on the table.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "6h 7d Kd"], trump="h", table="Kc", talon="8d 8s 9d 9s Td Ts Jd Js").view(1)
    >>> Careful().choose(view, Random(1)), TakingOnPurpose().choose(view, Random(1))
    (Move('beat Kc 6h'), Move('take'))
    """

    def __init__(self) -> None:
        super().__init__()

    def choose(self, view: View, rng: Random) -> Move:
        """Return the careful move, or take if the cards on the table are worth it."""
        move = super().choose(view, rng)
        if move.verb in {"beat", "transfer"} and self.would_take(view):
            return view.legal_moves()[-1]
        return move

    def would_take(self, view: View) -> bool:
        """Return whether the bot takes here although it could beat."""
        price = prices(view)
        beats = beating_all(view, view.legal_moves(), price)
        best = max(price(attack) for attack, _ in view.table)
        return view.talon_count >= MUCH and len(view.table) <= 2 and best >= JACK and sum(price(beat.cards[1]) for beat in beats) >= TRUMP


def at_random(view: View, rng: Random) -> Move:
    """Return a random legal move.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> at_random(Game(seed=7).view(0), Random(1))
    Move('attack 9d')
    """
    return rng.choice(view.legal_moves())


def first(view: View, rng: Random) -> Move:  # noqa: ARG001 - a bot is handed its chance, whether it takes it or not
    """Return the first legal move in the order of the rules: the same game every time.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> first(Game(seed=7).view(0), Random(1))
    Move('attack Jc')
    """
    return view.legal_moves()[0]
