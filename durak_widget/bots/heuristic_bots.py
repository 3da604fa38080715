"""Defines bots that follow simple rules: `random`, `first`, `careful` and some variants.

The careful bot gives every card a price, and pays as little as it can. Each of the other bots has one different habit, which makes it weaker or
stronger. `bots.opponents` says which opponent has which habit.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from durak_widget.cards import SUITS, Card
from durak_widget.engine import cheapest_move
from durak_widget.engine.cheapest_move import TRUMP_COST, compute_face_prices, highest_price
from durak_widget.errors import BotError, short_repr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from durak_widget.engine.cheapest_move import Price
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Observation
    from durak_widget.rules.ruleset import Rules

TRUMP_PRICE: Final = TRUMP_COST
"""How much more a trump is worth to the careful bot (its price) than a non-trump of the same rank."""
HASTY_CHOICES: Final = 4
"""How many of its cheapest moves the hasty bot considers; it chooses one of them at random."""
HASTY_TAKE_PROBABILITY: Final = 0.3
"""The probability that the hasty bot takes the cards although it could beat them."""
ACE_PRICE: Final = 12
"""How much an ace that is not a trump is worth to the careful bot (its price)."""
JACK_PRICE: Final = 9
LARGE_TALON: Final = 8
"""From this number of cards in the talon on, the taking bot takes good cards on purpose, because many cards are left to draw."""


class CarefulBot:
    """A bot that always plays the cheapest (least useful) card that it can use.

    A non-trump is cheaper than a trump, a low card is cheaper than a high card, and a joker costs most. The bot opens with its lowest cards; if the
    rules allow swaps, it first swaps two non-trumps. It throws in every non-trump that it may throw in. When the talon is empty, it throws in any
    card, because it will draw no more cards. It beats, transfers or shows, whichever costs least, and takes only if it can do none of these.
    With `miserly`, it takes instead of playing a trump while there is a talon, and so loses more often.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> game = Game.from_position(hands=["6c 7c", "6h Tc Ac"], trump="h", table="9c", talon="8d 8s")
    >>> CarefulBot().choose(game.view(1), Random(1))
    Move('beat 9c Tc')
    """

    def __init__(self, *, miserly: bool = False) -> None:
        if not isinstance(miserly, bool):
            raise BotError(f"miserly must be True or False, not {short_repr(miserly)}")
        self.miserly = miserly

    def choose(self, view: Observation, rng: Random) -> Move:  # noqa: ARG002 - a bot is handed its chance, whether it takes it or not
        """Choose the cheapest legal move."""
        legal, price = view.legal_moves(), get_card_prices(view)
        if legal[0].verb == "attack":
            return cheapest_move.choose_opening(legal, price, view.trump)
        if legal[0].verb == "throw":
            return cheapest_move.choose_throw(legal, price, view.trump, has_talon=bool(view.talon_count))
        cost, move = cheapest_move.choose_defense(legal, price, view.hand, _list_cards_to_beat(view))
        return legal[-1] if self.miserly and view.talon_count and cost >= TRUMP_PRICE else move


def get_card_prices(view: Observation) -> Price:
    """Return a function that rates how useful each card is in a game (the card's price).

    A card that may be played in any suit costs as much as a trump.

    >>> from durak_widget import Game
    >>> price = get_card_prices(Game.from_position(hands=["6c", "7c"], trump="h").view(0))
    >>> sorted(["Xr", "6h", "Ac", "7d"], key=lambda text: price(Card(text)))
    ['7d', 'Ac', '6h', 'Xr']
    """
    return _cached_card_prices(view.rules, view.trump)


@lru_cache(maxsize=128)
def _cached_card_prices(rules: Rules, trump: str | None) -> Price:
    """Return the function that rates how useful cards are, for given rules and trumps."""
    price_by_face = compute_face_prices(rules, None if trump is None else SUITS.index(trump))
    return lambda card: price_by_face[card.face_code]


def plan_beats(view: Observation, legal: Iterable[Move], price: Price) -> list[Move]:
    """Plan how to beat all cards on the table cheaply; return [] if that is impossible.

    The plan begins with the card that the fewest cards in the hand can beat.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c", "8d Kd 8s"], trump="s", table="7d 7h").view(1)
    >>> plan_beats(view, view.legal_moves(), get_card_prices(view))
    [Move('beat 7h 8s'), Move('beat 7d 8d')]
    """
    return cheapest_move.plan_beats(legal, price, view.hand, _list_cards_to_beat(view))


def _list_cards_to_beat(view: Observation) -> list[Card]:
    """Return the unbeaten cards on the table, with the suits in which they were played."""
    return [Card.from_code(card.effective_face) for card in view.table.unbeaten]


def prefer_usual_move(moves: Sequence[Move], view: Observation, usual: Move) -> Move:
    """Return `usual` if it is among the given moves; otherwise the cheapest of these moves."""
    price = get_card_prices(view)

    def cost(move: Move) -> tuple[bool, int]:
        return not move.cards, sum(map(price, move.cards[move.verb == "beat" :]))

    return usual if usual in moves else min(moves, key=cost)


class HastyBot:
    """A bot that plays one of its cheapest cards at random.

    It decides at random whether to throw in, and sometimes takes cards that it could beat.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c 8c Ac", "9h Ts"], trump="h").view(0)
    >>> sorted({str(HastyBot().choose(view, Random(seed))) for seed in range(20)})
    ['attack 6c', 'attack 7c', 'attack 8c', 'attack Ac']
    """

    def choose(self, view: Observation, rng: Random) -> Move:
        """Choose one of the cheapest moves at random."""
        legal, price = view.legal_moves(), get_card_prices(view)
        verb = legal[0].verb
        if verb == "throw":
            return rng.choice([move for move in legal if not move.cards or price(move.cards[0]) < TRUMP_PRICE])
        candidates = [move for move in legal if (move.verb == "attack" if verb == "attack" else move.verb != "take")]
        if not candidates or (verb != "attack" and rng.random() < HASTY_TAKE_PROBABILITY):
            return legal[-1]
        return rng.choice(sorted(candidates, key=lambda move: price(move.cards[-1]))[:HASTY_CHOICES])


class GenerousBot(CarefulBot):
    """A bot that opens with its highest non-trump and throws in every card, even trumps.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> GenerousBot().choose(Game.from_position(hands=["6c Ac 7h", "9h Ts"], trump="h").view(0), Random(1))
    Move('attack Ac')
    """

    def __init__(self) -> None:
        super().__init__()

    def choose(self, view: Observation, rng: Random) -> Move:
        """Choose the most expensive non-trump for an attack, or the cheapest card to throw in."""
        legal, price = view.legal_moves(), get_card_prices(view)
        if legal[0].verb == "throw":
            return min(legal[:-1], key=lambda move: price(move.cards[0]))
        plain_attacks = [move for move in legal if move.verb == "attack" and highest_price(move, price) < TRUMP_PRICE]
        return (
            max(plain_attacks, key=lambda move: (highest_price(move, price), len(move.cards)))
            if plain_attacks
            else super().choose(view, rng)
        )


class HoardingBot(CarefulBot):
    """A bot that takes cards rather than use a trump or an ace, while the talon has cards.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "6h Ac Kd"], trump="h", table="9c", talon="8d 8s").view(1)
    >>> CarefulBot().choose(view, Random(1)), HoardingBot().choose(view, Random(1))
    (Move('beat 9c Ac'), Move('take'))
    """

    def __init__(self) -> None:
        super().__init__()

    def choose(self, view: Observation, rng: Random) -> Move:
        """Choose the careful bot's move, but take if beating would cost a trump or an ace."""
        move = super().choose(view, rng)
        if move.verb != "beat" or not view.talon_count:
            return move
        price = get_card_prices(view)
        is_expensive = any(price(beat.cards[1]) >= ACE_PRICE for beat in plan_beats(view, view.legal_moves(), price))
        return view.legal_moves()[-1] if is_expensive else move


class TakingBot(CarefulBot):
    """A bot that takes good cards on purpose, while the talon has many cards.

    It takes if the talon has at least eight cards, at most two attacking cards are on the table, one is a jack or better, and beating would
    cost as much as a trump.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "6h 7d Kd"], trump="h", table="Kc", talon="8d 8s 9d 9s Td Ts Jd Js").view(1)
    >>> CarefulBot().choose(view, Random(1)), TakingBot().choose(view, Random(1))
    (Move('beat Kc 6h'), Move('take'))
    """

    def __init__(self) -> None:
        super().__init__()

    def choose(self, view: Observation, rng: Random) -> Move:
        """Choose the careful bot's move, but take if the cards on the table are good."""
        move = super().choose(view, rng)
        if move.verb in {"beat", "transfer"} and self.would_take(view):
            return view.legal_moves()[-1]
        return move

    def would_take(self, view: Observation) -> bool:
        """Return whether the cards on the table are so good that this bot prefers to take them."""
        price = get_card_prices(view)
        beats = plan_beats(view, view.legal_moves(), price)
        best = max(price(attack) for attack, _ in view.table)
        return (
            view.talon_count >= LARGE_TALON
            and len(view.table) <= 2
            and best >= JACK_PRICE
            and sum(price(beat.cards[1]) for beat in beats) >= TRUMP_PRICE
        )


def choose_randomly(view: Observation, rng: Random) -> Move:
    """Choose a legal move at random; all legal moves have the same probability.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> choose_randomly(Game(seed=7).view(0), Random(1))
    Move('attack 9d')
    """
    return rng.choice(view.legal_moves())


def choose_first(view: Observation, rng: Random) -> Move:  # noqa: ARG001 - a bot is handed its chance, whether it takes it or not
    """Choose the first move in the package's list of legal moves.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> choose_first(Game(seed=7).view(0), Random(1))
    Move('attack Jc')
    """
    return view.legal_moves()[0]
