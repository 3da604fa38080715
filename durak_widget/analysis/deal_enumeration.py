"""Enumerates the deals of a deck, or the deals that are still possible in a position."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import comb, factorial, perm
from operator import and_
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.analysis.deal_posterior import compute_posterior_weights
from durak_widget.analysis.possible_worlds import worlds
from durak_widget.cards import FACE_COUNT, CardSet, bit_indices, card_from_bit, face_from_bit, merge_copies, normalize_copies
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.state import deal_state
from durak_widget.gametheory.tree import TreeError
from durak_widget.rules import deal_and_trump

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.engine.compiled_rules import CompiledRules
    from durak_widget.engine.game import Game
    from durak_widget.engine.state import State
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree
    from durak_widget.rules.ruleset import Rules


class Deal(NamedTuple):
    """A possible arrangement of the hidden cards, with its weight."""

    name: str
    weight: int | Fraction
    """The weight of the deal, in proportion to its probability."""
    state: State


def require_two_player_rules(rules: Rules) -> CompiledRules:
    """Compile rules for two players; raise an error for another number of players."""
    compiled = compile_rules(rules)
    if compiled.player_count != 2:
        raise TreeError(
            f"a tree of all deals needs two players, and these rules have {compiled.player_count}; use players=2, or set up a position and use analysis.build_tree_from_position(game)"
        )
    return compiled


def make_too_many_error(deals: int, limit: int) -> TreeError:
    """Return an error which says that a game has more deals than a tree may have histories."""
    return TreeError(
        f"the tree would have at least {deals:,} histories, one for each deal, and the limit is {limit:,}; take a smaller deck, or give a higher limit="
    )


def format_deal(state: State) -> str:
    """Format a deal as text: both hands, the talon from the top, and any turned-up card.

    >>> from durak_widget import Game
    >>> format_deal(Game.from_position(hands=["6c 7c", "9h Ts"], talon="Kc Ah", turn_up="Ah").state)
    '6c 7c | 9h Ts; talon Kc Ah'
    """
    parts = [" | ".join(str(CardSet.from_mask(hand)) for hand in state.hands).strip()]
    if state.talon_suffix_masks[0]:
        parts.append(f"talon {' '.join(str(card_from_bit(bit)) for bit in state.talon)}")
    if state.card_aside and state.turn_up:
        parts.append(f"turned up {card_from_bit(state.turn_up)}")
    return "; ".join(parts)


# --- All deals of a deck ---


def enumerate_deals(rules: Rules, dealer: int, limit: int) -> list[Deal]:
    """Return all deals of a deck, each as a state just before the first move.

    Deals that look the same are one deal, whose weight is their number.

    >>> from durak_widget import Rules
    >>> rules = Rules(suits="c", ranks="678", hand_size=1, trump="none", first_attacker="left_of_dealer")
    >>> [(deal.name, deal.weight) for deal in enumerate_deals(rules, 1, 100)][:2]
    [('6c | 7c; talon 8c', 1), ('6c | 8c; talon 7c', 1)]
    """
    compiled = require_two_player_rules(rules)
    if dealer not in range(compiled.player_count):
        raise TreeError(f"dealer must be 0 or 1, not {dealer!r}")
    min_count = _min_deal_count(compiled)
    if min_count > limit:
        raise make_too_many_error(min_count, limit)
    weighted_states: dict[tuple[object, ...], tuple[State, int]] = {}
    for deck, weight in _distinct_decks(compiled):
        state = deal_state(compiled, deck, dealer)
        key = (
            *map(normalize_copies, state.hands),
            tuple(map(face_from_bit, state.talon)),
            *(face_from_bit(bit) if bit else None for bit in (state.card_aside, state.turn_up, state.hidden_card)),
            state.trump_suit,
            state.attacker,
            *map(normalize_copies, state.publicly_seen),
        )
        first_state, weight_before = weighted_states.get(key, (state, 0))
        weighted_states[key] = first_state, weight_before + weight
        if len(weighted_states) > limit:
            raise make_too_many_error(len(weighted_states), limit)
    for state, _ in weighted_states.values():
        state_transitions.begin_first_bout(state)
    count_by_name: dict[str, int] = {}
    deals = []
    for state, weight in weighted_states.values():
        name = format_deal(state)
        count_by_name[name] = count_by_name.get(name, 0) + 1
        deals.append((name, weight, state))
    return sorted(
        Deal(name if count_by_name[name] == 1 else f"{name}; {_format_shown_cards(state)}", weight, state) for name, weight, state in deals
    )


def _format_shown_cards(state: State) -> str:
    """Format the cards that players revealed from their hands to decide the trump suit."""
    return f"shown {' '.join(str(CardSet.from_mask(seen)) for seen in state.publicly_seen if seen)}"


def _deal_sizes(compiled: CompiledRules) -> tuple[int, int, int]:
    """Return the sizes of both dealt hands, and the number of cards that are not dealt."""
    dealt_count = deal_and_trump.dealt_card_count(compiled.rules)
    return dealt_count - dealt_count // 2, dealt_count // 2, len(compiled.deck) - dealt_count


def _min_deal_count(compiled: CompiledRules) -> int:
    """Return a lower bound on the number of deals, without generating the deals."""
    first, second, rest = _deal_sizes(compiled)
    deck_size = len(compiled.deck)
    twin_count = deck_size // 2 if compiled.has_two_decks else 0
    # Dealing may exchange the turned-up card for another card, so two orders of the talon may give the same deal
    if deal_and_trump.has_turn_up(compiled.rules) and compiled.deck_mask & ~compiled.trump_showing_mask:
        return comb(first + second, first) >> twin_count
    return comb(deck_size, first) * comb(deck_size - first, second) * factorial(rest) >> twin_count


def _distinct_decks(compiled: CompiledRules) -> Iterator[tuple[list[int], int]]:
    """Yield decks that together produce every deal exactly once.

    Each comes with the number of deck orders that give the same deal.

    The order of the cards that are not dealt matters. Where a card of the last dealt ones may show the trump
    suit, so does the order of those back to the first card that can.
    """
    rest, deck = _deal_sizes(compiled)[2], compiled.deck
    can_show_from_hand = deal_and_trump.has_turn_up(compiled.rules) and not deal_and_trump.has_talon_after_deal(compiled.rules)
    for deck_end in _deck_ends(deck, rest, compiled.trump_showing_mask if can_show_from_hand else 0):
        left = [card for card in deck if card not in deck_end]
        first_size = len(left) - len(left) // 2
        weight = factorial(first_size) * factorial(len(left) - first_size)
        for first_hand in combinations(left, first_size):
            second_hand = [card for card in left if card not in first_hand]
            dealt_cards = [0] * len(left)
            dealt_cards[0::2], dealt_cards[1::2] = first_hand, second_hand
            yield [*dealt_cards, *deck_end], weight


def _deck_ends(deck: Sequence[int], min_length: int, showing_cards: int, deck_end: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield each possible end part of a deck, long enough to decide the trump suit."""
    if len(deck_end) >= min_length and (not showing_cards or len(deck_end) == len(deck) or any(card & showing_cards for card in deck_end)):
        yield deck_end
        return
    for card in deck:
        if card not in deck_end:
            yield from _deck_ends(deck, min_length, showing_cards, (card, *deck_end))


# --- Deals that are possible in a position ---


def enumerate_possible_deals(game: Game, limit: int, *, open_hands: bool) -> list[Deal]:
    """Return all deals that at least one player must consider possible in a position.

    These are the true deal, the deals that a seat cannot distinguish from it, those that another seat cannot
    distinguish from one of these, and so on.

    >>> from durak_widget import Game
    >>> game = Game.from_position("suits=c, ranks=6789, hand_size=1", hands=["7c", "8c"], discard="6c", trump="c", talon="9c")
    >>> [deal.name for deal in enumerate_possible_deals(game, 100, open_hands=False)]
    ['7c | 8c; talon 9c', '7c | 9c; talon 8c', '8c | 7c; talon 9c', '8c | 9c; talon 7c', '9c | 7c; talon 8c', '9c | 8c; talon 7c']
    """
    state = game.state
    compiled = state.compiled_rules
    if state.outcome is not None:
        raise TreeError("the game is over, so there are no moves for a tree; go back with game.goto")
    if any(state.swap_counts):
        raise TreeError(
            "a player swapped cards with the talon, and only that player knows them; use the tree of the rules, or a position before the swap"
        )
    not_public = _cards_not_public(state)
    deal_by_name: dict[str, Deal] = {}
    for possible_state in _states_by_talon_order(state, not_public, limit) if open_hands else _considered_states(game, limit):
        name = format_deal(possible_state)
        if name not in deal_by_name:
            if len(deal_by_name) == limit:
                raise make_too_many_error(limit + 1, limit)
            deal_by_name[name] = Deal(
                name, _count_copy_placements(possible_state, not_public) if compiled.has_two_decks else 1, _as_initial_state(possible_state)
            )
    return sorted(deal_by_name.values())


def _cards_not_public(state: State) -> int:
    """Return the cards whose place is unknown to at least one player."""
    shown_cards: int = sum(map(and_, state.hands, state.publicly_seen))
    return state.compiled_rules.deck_mask & ~(
        state.table | state.discard | state.drawable_turn_up | shown_cards | (state.turn_up & state.card_aside)
    )


def _states_by_talon_order(state: State, not_public: int, limit: int) -> Iterator[State]:
    """Yield a copy of a state for each possible order of the hidden talon cards."""
    unplaced = not_public & ~sum(state.hands)
    hidden_indexes = [index for index, card in enumerate(state.talon) if not card & state.drawable_turn_up]
    order_count = perm(unplaced.bit_count(), len(hidden_indexes))
    if order_count > limit:
        raise make_too_many_error(order_count, limit)
    for cards in permutations([1 << card for card in bit_indices(unplaced)], len(hidden_indexes)):
        talon = list(state.talon)
        for index, card in zip(hidden_indexes, cards, strict=True):
            talon[index] = card
        reordered = state.copy()
        reordered.set_talon(tuple(talon))
        reordered.hidden_card = talon[-1] if state.hidden_card else 0
        yield reordered


def _considered_states(game: Game, limit: int) -> Iterator[State]:
    """Yield the states that at least one player may consider possible, the true state first."""
    queue = [(game, seat) for seat in range(game.seats)]
    seen_hands = {(seat, hand.mask) for seat, hand in enumerate(game.hands)}
    while queue:
        considered_game, seat = queue.pop()
        possible = worlds(considered_game.view(seat))
        count = possible.count()
        if count.is_exact and count > limit:
            raise make_too_many_error(count, limit)
        for world in possible.all(count):
            state = world.state
            yield state
            for other_seat, hand in enumerate(state.hands):
                hand_key = (other_seat, normalize_copies(hand))
                if other_seat != seat and hand_key not in seen_hands:
                    seen_hands.add(hand_key)
                    queue.append((world, other_seat))


def _count_copy_placements(state: State, not_public: int) -> int:
    """Return the number of ways to exchange hidden copies of the same card (in two decks).

    Two copies of a face in different places may be exchanged.
    """
    faces_with_copies = merge_copies(not_public & not_public >> FACE_COUNT)
    in_one_hand = sum(merge_copies(hand & hand >> FACE_COUNT & faces_with_copies).bit_count() for hand in state.hands)
    not_here = faces_with_copies & ~merge_copies(sum(state.hands) | sum(state.talon))
    return 1 << faces_with_copies.bit_count() - in_one_hand - not_here.bit_count()


def _as_initial_state(state: State) -> State:
    """Return a copy of a state without its history, for use at the root of a tree.

    How it came about matters only for what the players consider possible.
    """
    state = state.copy()
    state.bout_ends, state.swap_draws, state.legal_moves = [], (), None
    return state


# --- The origin of a tree ---


class TreeOrigin(NamedTuple):
    """The origin of a Durak tree: either rules and a dealer, or a game that was begun.

    It also says which hands each player sees.
    """

    rules: Rules
    dealer: int
    game: Game | None = None
    """The game from which the tree continues; None for a tree over all deals."""
    open_hands: bool = False
    seeing: tuple[int, ...] = ()
    """The players who see the other player's hand; ignored if all hands are open."""
    played: tuple[Tree, Strategy] | None = None
    """The tree of the earlier game, and the strategy that all players followed in it; None if the past moves tell
    nothing about the deal."""

    def list_deals(self, limit: int) -> list[Deal]:
        """Return all deals at the tree's root in a fixed order; raise an error above `limit`."""
        if self.game is None:
            return enumerate_deals(self.rules, self.dealer, limit)
        deals = enumerate_possible_deals(self.game, limit, open_hands=self.open_hands)
        return deals if self.played is None else _weigh_deals(self.game, deals, *self.played, limit)

    def sees_all_hands(self, player: int) -> bool:
        """Return whether a player sees both players' hands."""
        return self.open_hands or player in self.seeing


def _weigh_deals(game: Game, deals: Sequence[Deal], earlier_tree: Tree, strategy: Strategy, limit: int) -> list[Deal]:
    """Return the deals that agree with a game's moves, weighted by posterior probability."""
    origin = earlier_tree.origin
    if not isinstance(origin, TreeOrigin) or origin.open_hands or origin.seeing:
        raise TreeError(
            "moves give information only if they were made with hidden hands; played= needs such a tree, made with analysis.build_game_tree or analysis.build_tree_from_position"
        )
    if origin.game is None and (str(origin.rules) != str(game.rules) or origin.dealer != game.dealer):
        raise TreeError(
            f"the strategy is for games by {origin.rules}, dealer {origin.dealer}; this game is by {game.rules}, dealer {game.dealer}"
        )
    earlier_deals = [(deal.weight, deal.state) for deal in origin.list_deals(limit)]
    weight_of_deal = compute_posterior_weights(game, earlier_tree, strategy, earlier_deals, format_deal, origin.game)
    if not weight_of_deal.get(format_deal(game.state)):
        raise TreeError(
            "the moves of this game have probability 0 under this strategy, with every hand that the players could have; use a strategy that sometimes makes these moves"
        )
    return [deal._replace(weight=Fraction(weight_of_deal[deal.name])) for deal in deals if weight_of_deal.get(deal.name)]


class CardTreeOrigin:
    """The origin of a Durak tree that students received without the rules or the game.

    Its labels are about cards, but no game can be restored from it.
    """


class IllegalMoveTreeOrigin(NamedTuple):
    """The origin of a Durak tree that also contains illegal moves.

    Its positions can't be opened on a table.
    """

    game: Game
