"""Builds a full game state from one player's observation and a guess at the hidden cards.

Only solvers and searches need such a state, and they build it only here.
"""

from __future__ import annotations

from itertools import starmap
from operator import xor
from typing import TYPE_CHECKING

from durak_widget.cards import FACE_COUNT, add_cards, normalize_copies, subtract_cards
from durak_widget.engine.compiled_rules import SAME_RANK_MASKS, compile_rules
from durak_widget.engine.history import DRAW_COUNTS_INDEX
from durak_widget.engine.moves import KIND_OF_VERB
from durak_widget.engine.state import assign_unused_copies, create_blank_state, find_copies_in_hand
from durak_widget.errors import PositionError
from durak_widget.rules import deal_and_trump

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.engine.compiled_rules import CompiledRules
    from durak_widget.engine.observation import ObservationData
    from durak_widget.engine.state import State

_SWAP_KIND = KIND_OF_VERB["swap"]
"""The value of `Move.kind` for a swap, which is the only move whose cards the other seats do not see."""


def build_state(observation: ObservationData, hands: Sequence[int], talon: Sequence[int]) -> State:
    """Build a full state from an observation, guessed hands (bit masks) and a guessed talon.

    With the true hands and the true talon, this restores the whole state, except which cards other seats drew and put back under the talon.

    >>> from durak_widget import Game
    >>> game = Game(seed=7); game.play("attack Jc")
    >>> state = build_state(game.view(0).data, [hand.mask for hand in game.hands], [card.code for card in game.talon])
    >>> state.key() == game.state.key()
    True
    """
    compiled = compile_rules(observation.rules)
    _require_consistent(observation, hands, talon, compiled)
    hands, state = list(map(normalize_copies, hands)), create_blank_state(compiled)
    card_aside = (
        1 << observation.turn_up if observation.turn_up is not None and deal_and_trump.turn_up_location(observation.rules) == "aside" else 0
    )
    if observation.has_card_aside:
        card_aside = _find_card_aside(compiled, observation, hands, talon)
    bits = list(talon)
    if compiled.has_two_decks:
        used = 0
        masks = []
        for mask in (observation.table, observation.discard, card_aside, *hands):
            chosen_copies = assign_unused_copies(mask, used)
            used |= chosen_copies
            masks.append(chosen_copies)
        state.table, state.discard, state.card_aside, *state.hands = masks
        for index, face in enumerate(talon):
            bits[index] = 1 << face + FACE_COUNT if used >> face & 1 else 1 << face
            used |= bits[index]
        state.publicly_seen = list(starmap(find_copies_in_hand, zip(observation.publicly_known, state.hands, strict=True)))
    else:
        state.table, state.discard, state.card_aside, state.hands = observation.table, observation.discard, card_aside, list(hands)
        state.publicly_seen = list(observation.publicly_known)
        bits = [1 << face for face in talon]
    state.set_talon(tuple(bits))
    state.set_trump(observation.trump_suit)
    _set_turn_up(state, observation)
    _set_cards_put_back(state, observation)
    state.bout, state.attacker, state.defender, state.limit = (
        observation.bout,
        observation.attacker,
        observation.defender,
        observation.limit,
    )
    state.attacks, state.beats = list(observation.attacks), list(observation.beats)
    for code in (*observation.attacks, *observation.beats):
        if code >= 0:
            state.matching_rank_mask |= SAME_RANK_MASKS[code]
    state.unbeaten_count = observation.beats.count(-1)
    state.newest_card_seat, state.passed, state.taking = observation.newest_card_seat, observation.passed, observation.taking
    state.seats_at_bout_start, state.shown_trumps, state.emptied_seats = (
        observation.seats_at_bout_start,
        observation.shown_trumps,
        observation.emptied_seats,
    )
    state.seats_in, state.places, state.swap_counts, state.has_swapped = (
        observation.seats_in,
        observation.places,
        observation.swap_counts,
        observation.has_swapped,
    )
    state.ply, state.phase, state.actor, state.outcome = observation.ply, observation.phase, observation.actor, observation.outcome
    own_draws = dict(observation.own_draws)
    for end in observation.bout_ends:
        draws = tuple((seat, count, own_draws[end[0]] if seat == observation.seat else 0) for seat, count in end[DRAW_COUNTS_INDEX])
        state.bout_ends.append((*end[:DRAW_COUNTS_INDEX], draws, *end[DRAW_COUNTS_INDEX + 1 :]))
        own_draws.pop(end[0], None)
    state.swap_draws = tuple(
        (ply + 1, seat, own_draws.get(ply + 1, 0))
        for ply, (seat, move) in enumerate(zip(observation.actors, observation.moves, strict=True))
        if move is None or move.kind == _SWAP_KIND
    )
    if observation.outcome is None:
        state.throwers = compiled.find_throwers(state.attacker, state.defender, state.newest_card_seat, state.seats_in)
        state.repeatable_positions = tuple(
            [
                _decode_repeatable_position(start, state.hands, has_two_decks=compiled.has_two_decks)
                for start in observation.repeatable_positions
            ]
        )
    return state


def _require_consistent(observation: ObservationData, hands: Sequence[int], talon: Sequence[int], compiled: CompiledRules) -> None:
    """Raise an error if guessed hands or a guessed talon contradict the given observation."""
    if observation.known_hands is None or observation.is_hand_hidden:
        raise PositionError("a state needs a view with a memory, and with its hand visible; ask game.view(seat) for one")
    try:
        is_consistent = len(hands) == len(observation.counts) and len(talon) == observation.talon_count
        is_consistent = is_consistent and 0 <= min(talon, default=0) <= max(talon, default=0) < FACE_COUNT
        counts = tuple(map(int.bit_count, hands)) if is_consistent else ()
    except TypeError:
        raise PositionError("hands must be masks and the talon must be faces: numbers, as in [hand.mask …] and [card.code …]") from None
    if counts != observation.counts:
        raise PositionError(
            f"hands must have {observation.counts} cards, and the talon {observation.talon_count} faces from 0 to {FACE_COUNT - 1}"
        )
    talon_bits = [1 << face for face in talon]
    if compiled.has_two_decks:
        available, talon_mask = compiled.deck_mask, 0
        for bit in talon_bits:
            talon_mask |= bit << FACE_COUNT if talon_mask & bit else bit
        is_consistent = talon_mask.bit_count() == len(talon)
        for mask in (observation.table, observation.discard, *map(normalize_copies, hands), talon_mask):
            is_consistent, available = is_consistent and not subtract_cards(mask, available), subtract_cards(available, mask)
        is_consistent = is_consistent and all(
            not subtract_cards(known, normalize_copies(hand)) for known, hand in zip(observation.known_hands, hands, strict=True)
        )
    else:
        # If a card occurs twice, the sum of the bit masks has fewer bits set than there are cards.
        all_cards = sum(hands) + sum(talon_bits) + observation.table + observation.discard
        is_consistent = all_cards.bit_count() == sum(counts) + len(talon) + observation.table.bit_count() + observation.discard_count
        is_consistent = (
            is_consistent
            and not all_cards & ~compiled.deck_mask
            and not any(known & ~hand for known, hand in zip(observation.known_hands, hands, strict=True))
        )
    if (
        not is_consistent
        or any(talon[index] != face for index, face in observation.known_talon_cards)
        or normalize_copies(hands[observation.seat]) != observation.hand
    ):
        raise PositionError(
            f"seat {observation.seat} sees that these hands and this talon are impossible; put every card where its view allows it"
        )


def _find_card_aside(compiled: CompiledRules, observation: ObservationData, hands: Sequence[int], talon: Sequence[int]) -> int:
    """Return the card that is out of play: the one that no hand, pile or table contains.

    If more than one card is missing, any of them could be out of play, so the function raises a `PositionError`.
    """
    missing = subtract_cards(subtract_cards(compiled.deck_mask, observation.table), observation.discard)
    for mask in (*map(normalize_copies, hands), *(1 << face for face in talon)):
        missing = subtract_cards(missing, mask)
    if missing.bit_count() != 1:
        raise PositionError(
            f"a card is set aside, and {missing.bit_count()} cards are missing. Give every other card a position, so that only one card can be the one set aside"
        )
    return missing


def _set_turn_up(state: State, observation: ObservationData) -> None:
    """Set the face-up trump card of a state, and the hidden card under it if there is one."""
    if observation.turn_up is None:
        return
    if deal_and_trump.turn_up_location(observation.rules) == "aside":
        state.turn_up = state.card_aside
        return
    talon = state.talon
    state.turn_up = state.drawable_turn_up = talon[
        deal_and_trump.turn_up_index(observation.rules, len(talon), has_hidden_card=observation.has_hidden_card)
    ]
    if observation.has_hidden_card:
        state.hidden_card = talon[-1]


def _set_cards_put_back(state: State, observation: ObservationData) -> None:
    """Record in `state` which cards the observing player has put under the talon in exchanges.

    These are the talon cards that this seat knows, and the cards that it knows to be in another hand although the other seats do not.
    """
    if not any(state.compiled_rules.max_swaps and times for times in observation.swap_counts):
        return
    put_back, talon = 0, state.talon
    for index, _ in observation.known_talon_cards:
        put_back |= talon[index] & ~state.drawable_turn_up
    for seat, hand in enumerate(state.hands):
        if seat != observation.seat and observation.known_hands:
            only_mine = subtract_cards(observation.known_hands[seat], observation.publicly_known[seat])
            put_back |= find_copies_in_hand(only_mine, hand & ~state.publicly_seen[seat]) & hand if only_mine else 0
    state.cards_put_back = tuple(put_back if seat == observation.seat else 0 for seat in range(len(state.hands)))


def _decode_repeatable_position(encoded: tuple[int, ...], hands: Sequence[int], *, has_two_decks: bool) -> tuple[int, ...]:
    """Decode an earlier position from an observation; `hands` are the present hands.

    The rule that repetition ends the game needs the earlier positions.
    """
    attacker, *hand_changes = encoded
    if not has_two_decks:
        return (attacker, *map(xor, hand_changes, hands))
    return (
        attacker,
        *(
            add_cards(subtract_cards(normalize_copies(hand), gained), lost)
            for hand, lost, gained in zip(hands, hand_changes[::2], hand_changes[1::2], strict=True)
        ),
    )
