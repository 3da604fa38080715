"""Holds the heuristic bots: `random`, `first`, `careful`, and variants of `careful` with one habit.

The careful bot gives every card a price and pays as little as it can. Each variant differs in one habit,
which makes it weaker or stronger. `bots.opponents` says which opponent has which habit.
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
"""What a trump costs beyond its rank."""
AT_HAND: Final = 4
"""Of so many of its cheapest cards who is hasty plays any."""
BOTHER: Final = 0.3
"""So often who is hasty takes because beating is a bother."""
ACE: Final = 12
"""What an ace costs that is no trump."""
JACK: Final = 9
MUCH: Final = 8
"""So many cards to be drawn are much: whoever takes now still draws later."""


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


class Hasty:
    """Plays any of its cheapest cards, whichever comes to hand, throws in or not as the fancy takes it, and at times takes what it could beat.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c 8c Ac", "9h Ts"], trump="h").view(0)
    >>> sorted({str(Hasty().choose(view, Random(seed))) for seed in range(20)})
    ['attack 6c', 'attack 7c', 'attack 8c', 'attack Ac']
    """

    def choose(self, view: View, rng: Random) -> Move:
        """Whatever comes to hand."""
        legal, price = view.legal_moves(), prices(view)
        verb = legal[0].verb
        if verb == "throw":
            return rng.choice([move for move in legal if not move.cards or price(move.cards[0]) < TRUMP])
        done = [move for move in legal if (move.verb == "attack" if verb == "attack" else move.verb != "take")]
        if not done or (verb != "attack" and rng.random() < BOTHER):
            return legal[-1]
        return rng.choice(sorted(done, key=lambda move: price(move.cards[-1]))[:AT_HAND])


class Generous(Careful):
    """Begins with the highest plain card and throws in whatever fits, trumps too: the others shall have something of it.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> Generous().choose(Game.from_position(hands=["6c Ac 7h", "9h Ts"], trump="h").view(0), Random(1))
    Move('attack Ac')
    """

    def __init__(self) -> None:
        super().__init__()

    def choose(self, view: View, rng: Random) -> Move:
        """The dearest plain card to begin with, and any that fits after that."""
        legal, price = view.legal_moves(), prices(view)
        if legal[0].verb == "throw":
            return min(legal[:-1], key=lambda move: price(move.cards[0]))
        plain = [move for move in legal if move.verb == "attack" and dearest(move, price) < TRUMP]
        return max(plain, key=lambda move: (dearest(move, price), len(move.cards))) if plain else super().choose(view, rng)


class Hoarding(Careful):
    """Keeps trumps and aces for later: as long as there is a talon it takes rather than part with one.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "6h Ac Kd"], trump="h", table="9c", talon="8d 8s").view(1)
    >>> Careful().choose(view, Random(1)), Hoarding().choose(view, Random(1))
    (Move('beat 9c Ac'), Move('take'))
    """

    def __init__(self) -> None:
        super().__init__()

    def choose(self, view: View, rng: Random) -> Move:
        """The careful move, but no trump and no ace to beat with."""
        move = super().choose(view, rng)
        if move.verb != "beat" or not view.talon_count:
            return move
        price = prices(view)
        dear = any(price(beat.cards[1]) >= ACE for beat in beating_all(view, view.legal_moves(), price))
        return view.legal_moves()[-1] if dear else move


class TakingOnPurpose(Careful):
    """Takes on purpose: where beating would cost trumps and a jack or better lies there, while there is much to be drawn.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "6h 7d Kd"], trump="h", table="Kc", talon="8d 8s 9d 9s Td Ts Jd Js").view(1)
    >>> Careful().choose(view, Random(1)), TakingOnPurpose().choose(view, Random(1))
    (Move('beat Kc 6h'), Move('take'))
    """

    def __init__(self) -> None:
        super().__init__()

    def choose(self, view: View, rng: Random) -> Move:
        """The careful move, unless what lies there is worth having."""
        move = super().choose(view, rng)
        if move.verb in {"beat", "transfer"} and self.would_take(view):
            return view.legal_moves()[-1]
        return move

    def would_take(self, view: View) -> bool:
        """Whether it takes here though it need not."""
        price = prices(view)
        plan = beating_all(view, view.legal_moves(), price)
        best = max(price(attack) for attack, _ in view.table)
        return view.talon_count >= MUCH and len(view.table) <= 2 and best >= JACK and sum(price(beat.cards[1]) for beat in plan) >= TRUMP


def at_random(view: View, rng: Random) -> Move:
    """Any legal move, each with the same chance.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> at_random(Game(seed=7).view(0), Random(1))
    Move('attack 9d')
    """
    return rng.choice(view.legal_moves())


def first(view: View, rng: Random) -> Move:  # noqa: ARG001 - a bot is handed its chance, whether it takes it or not
    """The first legal move in the order of the rule book: the same game every time.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> first(Game(seed=7).view(0), Random(1))
    Move('attack Jc')
    """
    return view.legal_moves()[0]
