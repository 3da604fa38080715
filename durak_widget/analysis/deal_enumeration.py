"""Enumerates the deals of a deck, or those that are still possible in a position."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import comb, factorial, perm
from operator import and_
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.analysis.deal_posterior import weights_of
from durak_widget.analysis.possible_worlds import worlds
from durak_widget.cards import FACES, CardSet, bits_of, card_of, face_of, folded, plainly
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import kit_of
from durak_widget.engine.state import dealt_state
from durak_widget.gametheory.tree import TreeError
from durak_widget.rules import deal_and_trump

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.engine.game import Game
    from durak_widget.engine.state import State
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree
    from durak_widget.rules.ruleset import Rules


class Deal(NamedTuple):
    """Possible arrangement of the hidden cards."""

    name: str
    weight: int | Fraction
    """Probability relative to the other deals."""
    state: State


def two_play(rules: Rules) -> Kit:
    """Return the compiled rules; refuse rules that are not for two players."""
    compiled = kit_of(rules)
    if compiled.players != 2:
        raise TreeError(
            f"a tree of all deals is made of games for two, and these rules have {compiled.players} players; say players=2, "
            "or lay a position of theirs and take build_from(game)"
        )
    return compiled


def too_many(deals: int, limit: int) -> TreeError:
    """Return the error for a game with more deals than its tree may have histories."""
    return TreeError(
        f"the tree would have at least {deals:,} histories, one a deal, and the limit is {limit:,}; take a smaller deck, or give a higher limit="
    )


def name_of(state: State) -> str:
    """Return a deal as text: the hands, the talon from the top, and a separate turned-up card.

    >>> from durak_widget import Game
    >>> name_of(Game.from_position(hands=["6c 7c", "9h Ts"], talon="Kc Ah", turn_up="Ah").state)
    '6c 7c | 9h Ts; talon Kc Ah'
    """
    parts = [" | ".join(str(CardSet.of(hand)) for hand in state.hands).strip()]
    if state.rest[0]:
        parts.append(f"talon {' '.join(str(card_of(bit)) for bit in state.talon)}")
    if state.aside and state.turn_up:
        parts.append(f"turned up {card_of(state.turn_up)}")
    return "; ".join(parts)


# All deals of a deck


def deals_of(rules: Rules, dealer: int, limit: int) -> list[Deal]:
    """Return all deals of a deck, with play begun.

    Deals that look the same are one deal, whose weight is their number.

    >>> from durak_widget import Rules
    >>> rules = Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer")
    >>> [(deal.name, deal.weight) for deal in deals_of(rules, 1, 100)][:2]
    [('6c | 7c; talon 8c', 1), ('6c | 8c; talon 7c', 1)]
    """
    compiled = two_play(rules)
    if dealer not in range(compiled.players):
        raise TreeError(f"dealer={dealer!r} is not a seat; the seats are 0 and 1")
    min_count = _at_least(compiled)
    if min_count > limit:
        raise too_many(min_count, limit)
    weighted_states: dict[tuple[object, ...], tuple[State, int]] = {}
    for deck, weight in _decks(compiled):
        state = dealt_state(compiled, deck, dealer)
        key = (
            *map(plainly, state.hands),
            tuple(map(face_of, state.talon)),
            *(face_of(bit) if bit else None for bit in (state.aside, state.turn_up, state.hidden)),
            state.suit,
            state.attacker,
            *map(plainly, state.seen),
        )
        first_state, weight_before = weighted_states.get(key, (state, 0))
        weighted_states[key] = first_state, weight_before + weight
        if len(weighted_states) > limit:
            raise too_many(len(weighted_states), limit)
    for state, _ in weighted_states.values():
        state_transitions.begin(state)
    count_by_name: dict[str, int] = {}
    deals = []
    for state, weight in weighted_states.values():
        name = name_of(state)
        count_by_name[name] = count_by_name.get(name, 0) + 1
        deals.append((name, weight, state))
    return sorted(Deal(name if count_by_name[name] == 1 else f"{name}; {_shown(state)}", weight, state) for name, weight, state in deals)


def _shown(state: State) -> str:
    """Return the cards that show the trump suit from a hand, as text."""
    return f"shown {' '.join(str(CardSet.of(seen)) for seen in state.seen if seen)}"


def _sizes(kit: Kit) -> tuple[int, int, int]:
    """Return the number of cards for the first hand, the other hand, and neither."""
    dealt_count = deal_and_trump.dealt_cards(kit.rules)
    return dealt_count - dealt_count // 2, dealt_count // 2, len(kit.deck) - dealt_count


def _at_least(kit: Kit) -> int:
    """Return a lower bound on the number of deals, without dealing any."""
    first, second, rest = _sizes(kit)
    deck_size = len(kit.deck)
    twin_count = deck_size // 2 if kit.twins else 0
    if (
        deal_and_trump.turns_up(kit.rules) and kit.all_cards & ~kit.can_show
    ):  # the turned-up card may be exchanged, so the order of the talon is not counted
        return comb(first + second, first) >> twin_count
    return comb(deck_size, first) * comb(deck_size - first, second) * factorial(rest) >> twin_count


def _decks(kit: Kit) -> Iterator[tuple[list[int], int]]:
    """Yield decks that cover every deal, with the number of deck orders that each stands for.

    The order of the cards that are not dealt matters. Where a card of the last dealt ones may show the trump
    suit, so does the order of those back to the first card that can.
    """
    rest, deck = _sizes(kit)[2], kit.deck
    can_show_from_hand = deal_and_trump.turns_up(kit.rules) and not deal_and_trump.leaves_talon(kit.rules)
    for deck_end in _lasts(deck, rest, kit.can_show if can_show_from_hand else 0):
        left = [card for card in deck if card not in deck_end]
        first_size = len(left) - len(left) // 2
        weight = factorial(first_size) * factorial(len(left) - first_size)
        for first_hand in combinations(left, first_size):
            second_hand = [card for card in left if card not in first_hand]
            dealt_cards = [0] * len(left)
            dealt_cards[0::2], dealt_cards[1::2] = first_hand, second_hand
            yield [*dealt_cards, *deck_end], weight


def _lasts(deck: Sequence[int], rest: int, able: int, last: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the possible ends of a deck: this many cards, or more until one can show trumps."""
    if len(last) >= rest and (not able or len(last) == len(deck) or any(card & able for card in last)):
        yield last
        return
    for card in deck:
        if card not in last:
            yield from _lasts(deck, rest, able, (card, *last))


# The deals that are still possible


def deals_from(game: Game, limit: int, *, open_hands: bool) -> list[Deal]:
    """Return the deals that some seat may still consider possible in a position.

    These are the true deal, the deals that a seat cannot distinguish from it, those that another seat cannot
    distinguish from one of these, and so on.

    >>> from durak_widget import Game
    >>> game = Game.from_position("suits=c, ranks=6789, hand_size=1", hands=["7c", "8c"], discard="6c", trump="c", talon="9c")
    >>> [deal.name for deal in deals_from(game, 100, open_hands=False)]
    ['7c | 8c; talon 9c', '7c | 9c; talon 8c', '8c | 7c; talon 9c', '8c | 9c; talon 7c', '9c | 7c; talon 8c', '9c | 8c; talon 7c']
    """
    state = game.state
    compiled = state.kit
    if state.outcome is not None:
        raise TreeError("the game is over, and a tree is of what may still be played; go back with game.goto")
    if any(state.swapped):
        raise TreeError(
            "cards were swapped with the talon, of which one seat alone knows; take the tree of the rules, or a position before the swap"
        )
    not_public = _hidden(state)
    deal_by_name: dict[str, Deal] = {}
    for possible_state in _open(state, not_public, limit) if open_hands else _thought_of(game, limit):
        name = name_of(possible_state)
        if name not in deal_by_name:
            if len(deal_by_name) == limit:
                raise too_many(limit + 1, limit)
            deal_by_name[name] = Deal(name, _ways(possible_state, not_public) if compiled.twins else 1, _begun(possible_state))
    return sorted(deal_by_name.values())


def _hidden(state: State) -> int:
    """Return the cards whose place is not public."""
    shown_cards: int = sum(map(and_, state.hands, state.seen))
    return state.kit.all_cards & ~(state.table | state.discard | state.face_up | shown_cards | (state.turn_up & state.aside))


def _open(state: State, hidden: int, limit: int) -> Iterator[State]:
    """Yield the state with its talon in every possible order."""
    unplaced = hidden & ~sum(state.hands)
    hidden_indexes = [index for index, card in enumerate(state.talon) if not card & state.face_up]
    order_count = perm(unplaced.bit_count(), len(hidden_indexes))
    if order_count > limit:
        raise too_many(order_count, limit)
    for cards in permutations([1 << card for card in bits_of(unplaced)], len(hidden_indexes)):
        talon = list(state.talon)
        for index, card in zip(hidden_indexes, cards, strict=True):
            talon[index] = card
        reordered = state.copy()
        reordered.lay_talon(tuple(talon))
        reordered.hidden = talon[-1] if state.hidden else 0
        yield reordered


def _thought_of(game: Game, limit: int) -> Iterator[State]:
    """Yield the states that some seat may consider possible, starting from the true one."""
    queue = [(game, seat) for seat in range(game.seats)]
    seen_hands = {(seat, hand.mask) for seat, hand in enumerate(game.hands)}
    while queue:
        considered_game, seat = queue.pop()
        possible = worlds(considered_game.view(seat))
        count = possible.count()
        if count.exact and count > limit:
            raise too_many(count, limit)
        for world in possible.all(count):
            state = world.state
            yield state
            for other_seat, hand in enumerate(state.hands):
                hand_key = (other_seat, plainly(hand))
                if other_seat != seat and hand_key not in seen_hands:
                    seen_hands.add(hand_key)
                    queue.append((world, other_seat))


def _ways(state: State, hidden: int) -> int:
    """Return the number of ways to place the copies of the hidden cards like this.

    Two copies of a face in different places may be exchanged.
    """
    faces_with_copies = folded(hidden & hidden >> FACES)
    in_one_hand = sum(folded(hand & hand >> FACES & faces_with_copies).bit_count() for hand in state.hands)
    not_here = faces_with_copies & ~folded(sum(state.hands) | sum(state.talon))
    return 1 << faces_with_copies.bit_count() - in_one_hand - not_here.bit_count()


def _begun(state: State) -> State:
    """Return the state as the start of a tree, without its history.

    How it came about matters only for what the players consider possible.
    """
    state = state.copy()
    state.ends, state.brought, state.legal = [], (), None
    return state


# The origin of a tree


class Origin(NamedTuple):
    """Origin of a Durak tree: rules and dealer, or a game, and who sees which hands."""

    rules: Rules
    dealer: int
    game: Game | None = None
    """Game from which the tree continues; None for the game over all deals."""
    open_hands: bool = False
    seeing: tuple[int, ...] = ()
    """Players that see the other hand, if not all hands are open."""
    played: tuple[Tree, Strategy] | None = None
    """Tree of the earlier game and the strategy that all have followed in it; None if past moves tell nothing."""

    def deals(self, limit: int) -> list[Deal]:
        """Return all deals at the root in a fixed order; refuse more than `limit`."""
        if self.game is None:
            return deals_of(self.rules, self.dealer, limit)
        deals = deals_from(self.game, limit, open_hands=self.open_hands)
        return deals if self.played is None else _weighed(self.game, deals, *self.played, limit)

    def sees(self, seat: int) -> bool:
        """Return whether a player sees both hands."""
        return self.open_hands or seat in self.seeing


def _weighed(game: Game, deals: Sequence[Deal], before: Tree, strategy: Strategy, limit: int) -> list[Deal]:
    """Return these deals with their probability weights, without those ruled out by the moves."""
    origin = before.origin
    if not isinstance(origin, Origin) or origin.open_hands or origin.seeing:
        raise TreeError(
            "what was played tells something where it was played with hidden hands: played= takes a tree that analysis.build or analysis.build_from has made so"
        )
    if origin.game is None and (str(origin.rules) != str(game.rules) or origin.dealer != game.dealer):
        raise TreeError(
            f"the strategy is for games by {origin.rules}, dealer {origin.dealer}; this one is by {game.rules}, dealer {game.dealer}"
        )
    earlier_deals = [(deal.weight, deal.state) for deal in origin.deals(limit)]
    weight_of_deal = weights_of(game, before, strategy, earlier_deals, name_of, origin.game)
    if not weight_of_deal.get(name_of(game.state)):
        raise TreeError(
            "by this strategy nobody who held what is held would have played as was played here; take one that makes these moves at times"
        )
    return [deal._replace(weight=Fraction(weight_of_deal[deal.name])) for deal in deals if weight_of_deal.get(deal.name)]


class OfCards:
    """Origin of a tree that was handed out.

    Its labels are about cards, but no game can be restored from it.
    """


class Thought(NamedTuple):
    """Origin of a tree that also has illegal moves: its labels are about cards.

    Its positions can't be opened on a table.
    """

    game: Game
