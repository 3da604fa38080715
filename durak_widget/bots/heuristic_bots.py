"""Bots that follow simple rules: `random`, `first`, `careful` and variants of `careful`.

The careful bot gives every card a price and pays as little as it can. Each variant differs in one habit, which makes it weaker or
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
"""The price of a trump in addition to the price of its rank."""
HASTY_CHOICES: Final = 4
"""The number of cheapest cards among which the hasty bot chooses at random."""
HASTY_TAKE_PROBABILITY: Final = 0.3
"""The probability that the hasty bot takes although it could beat."""
ACE_PRICE: Final = 12
"""The price of a non-trump ace."""
JACK_PRICE: Final = 9
LARGE_TALON: Final = 8
"""The number of cards in the talon from which a bot expects to draw again after it takes cards."""


class CarefulBot:
    """A bot that plays the cheapest card that serves its purpose.

    A plain card is cheaper than a trump, a low card than a high one, and a joker costs most. It opens with its lowest cards, and swaps
    two plain ones before that where the rules allow swaps. It throws in every plain card that it may; once the talon is empty it throws
    in any card, since then a card that is gone doesn't come back. It beats, transfers or shows, whichever costs least, and takes only if
    it can do none of these. With `miserly` it also takes rather than spend a trump while there is a talon, and loses more often for it.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> game = Game.from_position(hands=["6c 7c", "6h Tc Ac"], trump="h", table="9c", talon="8d 8s")
    >>> CarefulBot().choose(game.view(1), Random(1))
    Move('beat 9c Tc')
    """

    def __init__(self, *, miserly: bool = False) -> None:
        if not isinstance(miserly, bool):
            raise BotError(f"miserly is True or False, not {short_repr(miserly)}")
        self.miserly = miserly

    def choose(self, view: Observation, rng: Random) -> Move:  # noqa: ARG002 - a bot is handed its chance, whether it takes it or not
        """Return the cheapest legal move."""
        legal, price = view.legal_moves(), get_card_prices(view)
        if legal[0].verb == "attack":
            return cheapest_move.choose_opening(legal, price, view.trump)
        if legal[0].verb == "throw":
            return cheapest_move.choose_throw(legal, price, view.trump, has_talon=bool(view.talon_count))
        cost, move = cheapest_move.choose_defense(legal, price, view.hand, _list_cards_to_beat(view))
        return legal[-1] if self.miserly and view.talon_count and cost >= TRUMP_PRICE else move


def get_card_prices(view: Observation) -> Price:
    """Return the function that gives the price (relative value) of each card in a game.

    A card that may count as any suit costs as much as a trump.

    >>> from durak_widget import Game
    >>> price = get_card_prices(Game.from_position(hands=["6c", "7c"], trump="h").view(0))
    >>> sorted(["Xr", "6h", "Ac", "7d"], key=lambda text: price(Card(text)))
    ['7d', 'Ac', '6h', 'Xr']
    """
    return _cached_card_prices(view.rules, view.trump)


@lru_cache(maxsize=128)
def _cached_card_prices(rules: Rules, trump: str | None) -> Price:
    """Return the price function for rules and a trump suit; cached, since prices never change."""
    price_by_face = compute_face_prices(rules, None if trump is None else SUITS.index(trump))
    return lambda card: price_by_face[card.face_code]


def plan_beats(view: Observation, legal: Iterable[Move], price: Price) -> list[Move]:
    """Return a cheap way to beat every card on the table; an empty list if there is none.

    The card that the fewest cards beat is beaten first.

    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c", "8d Kd 8s"], trump="s", table="7d 7h").view(1)
    >>> plan_beats(view, view.legal_moves(), get_card_prices(view))
    [Move('beat 7h 8s'), Move('beat 7d 8d')]
    """
    return cheapest_move.plan_beats(legal, price, view.hand, _list_cards_to_beat(view))


def _list_cards_to_beat(view: Observation) -> list[Card]:
    """Return the unbeaten cards, each as the card that it is played as."""
    return [Card.from_code(card.effective_face) for card in view.table.unbeaten]


def prefer_usual_move(moves: Sequence[Move], view: Observation, usual: Move) -> Move:
    """Return the usual move if it is one of the given moves, otherwise the cheapest of these."""
    price = get_card_prices(view)

    def cost(move: Move) -> tuple[bool, int]:
        return not move.cards, sum(map(price, move.cards[move.verb == "beat" :]))

    return usual if usual in moves else min(moves, key=cost)


class HastyBot:
    """A bot that plays one of its cheapest cards at random.

    It throws in or not at random, and sometimes takes what it could beat.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c 8c Ac", "9h Ts"], trump="h").view(0)
    >>> sorted({str(HastyBot().choose(view, Random(seed))) for seed in range(20)})
    ['attack 6c', 'attack 7c', 'attack 8c', 'attack Ac']
    """

    def choose(self, view: Observation, rng: Random) -> Move:
        """Return a random move among the cheapest ones."""
        legal, price = view.legal_moves(), get_card_prices(view)
        verb = legal[0].verb
        if verb == "throw":
            return rng.choice([move for move in legal if not move.cards or price(move.cards[0]) < TRUMP_PRICE])
        candidates = [move for move in legal if (move.verb == "attack" if verb == "attack" else move.verb != "take")]
        if not candidates or (verb != "attack" and rng.random() < HASTY_TAKE_PROBABILITY):
            return legal[-1]
        return rng.choice(sorted(candidates, key=lambda move: price(move.cards[-1]))[:HASTY_CHOICES])


class GenerousBot(CarefulBot):
    """A bot that opens with its highest plain card and throws in everything, even trumps.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> GenerousBot().choose(Game.from_position(hands=["6c Ac 7h", "9h Ts"], trump="h").view(0), Random(1))
    Move('attack Ac')
    """

    def __init__(self) -> None:
        super().__init__()

    def choose(self, view: Observation, rng: Random) -> Move:
        """Return the most expensive plain card to attack with, or any card to throw in."""
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
    """A bot that takes cards rather than beat with a trump or an ace, while there is a talon.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "6h Ac Kd"], trump="h", table="9c", talon="8d 8s").view(1)
    >>> CarefulBot().choose(view, Random(1)), HoardingBot().choose(view, Random(1))
    (Move('beat 9c Ac'), Move('take'))
    """

    def __init__(self) -> None:
        super().__init__()

    def choose(self, view: Observation, rng: Random) -> Move:
        """Return a careful move, but take rather than beat with a trump or an ace."""
        move = super().choose(view, rng)
        if move.verb != "beat" or not view.talon_count:
            return move
        price = get_card_prices(view)
        is_expensive = any(price(beat.cards[1]) >= ACE_PRICE for beat in plan_beats(view, view.legal_moves(), price))
        return view.legal_moves()[-1] if is_expensive else move


class TakingBot(CarefulBot):
    """A bot that takes good cards on purpose, while many cards are still to be drawn.

    It takes if beating would cost trumps and a jack or better is on the table.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> view = Game.from_position(hands=["6c 7c", "6h 7d Kd"], trump="h", table="Kc", talon="8d 8s 9d 9s Td Ts Jd Js").view(1)
    >>> CarefulBot().choose(view, Random(1)), TakingBot().choose(view, Random(1))
    (Move('beat Kc 6h'), Move('take'))
    """

    def __init__(self) -> None:
        super().__init__()

    def choose(self, view: Observation, rng: Random) -> Move:
        """Return a careful move, or take the cards on the table if they are worth having."""
        move = super().choose(view, rng)
        if move.verb in {"beat", "transfer"} and self.would_take(view):
            return view.legal_moves()[-1]
        return move

    def would_take(self, view: Observation) -> bool:
        """Return whether the bot takes cards that it could beat."""
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
    """Return a random legal move.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> choose_randomly(Game(seed=7).view(0), Random(1))
    Move('attack 9d')
    """
    return rng.choice(view.legal_moves())


def choose_first(view: Observation, rng: Random) -> Move:  # noqa: ARG001 - a bot is handed its chance, whether it takes it or not
    """Return the first legal move in the order of the rules, so that all games are equal.

    >>> from random import Random
    >>> from durak_widget import Game
    >>> choose_first(Game(seed=7).view(0), Random(1))
    Move('attack Jc')
    """
    return view.legal_moves()[0]
