"""Lists the legal moves in a state, and applies a move to a state.

The code does not test which variant is played. Every rule comes from the compiled rules, as a number, a bit mask or a table. At the end of a
bout, the module clears the table and refills the hands. Then it finds out who leaves the game and whether the game is over.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

from durak_widget.cards import FACE_COUNT, ONE_DECK_MASK, Card, bit_indices, card_from_bit, merge_copies, normalize_copies
from durak_widget.engine.compiled_rules import EFFECTIVE_FACES, SAME_RANK_MASKS, trump_mask
from durak_widget.engine.moves import TAKE_MOVE, VERBS, Move
from durak_widget.engine.state import PHASE_DEFEND, PHASE_OPEN, PHASE_OVER, PHASE_THROW_IN, State
from durak_widget.rules import attack, deal_and_trump, scoring

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from durak_widget.engine.moves import Verb

_SWAP_SIZE: Final = 2
"""The number of cards that a player exchanges in a swap with the talon."""


# --- Finding the legal moves ---


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return the legal moves of the seat whose turn it is, ordered by verb as in `MOVE_FORMS`.

    The tuple is empty after the end of the game.
    """
    legal = state.legal_moves
    if legal is None:
        legal = state.legal_moves = MOVE_GENERATORS[state.phase](state)
    return legal


def _list_opening_moves(state: State) -> tuple[Move, ...]:
    compiled, hand = state.compiled_rules, state.hands[state.attacker]
    moves = compiled.list_opening_moves(hand)
    if compiled.can_open_with_several and state.limit > 1:
        groups = attack.list_opening_groups(hand, state.limit, compiled.played_codes)
        moves += tuple(Move.from_cards("attack", *map(Card.from_code, codes)) for codes in groups)
    if compiled.max_swaps and can_swap(state):
        moves += list_swap_moves(hand)
    return moves


def _list_throw_moves(state: State) -> tuple[Move, ...]:
    mask = state.hands[state.actor] & state.matching_rank_mask  # type: ignore[index]
    throws = state.compiled_rules.throw_moves
    # Read the cache's dict before calling the cache's method, because a method call is slower.
    try:
        return throws.cache[mask]
    except KeyError:
        return throws[mask]


def _list_defense_moves(state: State) -> tuple[Move, ...]:
    hand, attacks, beats = state.hands[state.defender], state.attacks, state.beats
    if state.unbeaten_count == 1:
        low_mask, low_moves, high_mask, high_moves = state.beating_moves[EFFECTIVE_FACES[attacks[beats.index(-1)]]]
        try:
            moves = low_moves.cache[hand & low_mask] + high_moves.cache[hand & high_mask]
        except KeyError:
            moves = low_moves[hand & low_mask] + high_moves[hand & high_mask]
    else:
        faces = dict.fromkeys(EFFECTIVE_FACES[code] for code, beat in zip(attacks, beats) if beat < 0)  # noqa: B905 - one beat an attack
        moves = ()
        for face in faces:
            low_mask, low_moves, high_mask, high_moves = state.beating_moves[face]
            moves += low_moves[hand & low_mask] + high_moves[hand & high_mask][:-1]
        moves += (TAKE_MOVE,)
    if (
        state.compiled_rules.has_transfers
        and state.unbeaten_count == len(attacks)
        and state.bout >= state.compiled_rules.first_transfer_bout
    ):
        return moves[:-1] + _list_transfer_moves(state, hand) + (TAKE_MOVE,)
    return moves


def _list_transfer_moves(state: State, hand: int) -> tuple[Move, ...]:
    compiled, seat = state.compiled_rules, state.defender
    candidates, free_slots = hand & state.matching_rank_mask, max_transferable_attacks(state) - len(state.attacks)
    if not candidates or free_slots < 0:
        return ()
    used = sum(1 << face | 1 << face + FACE_COUNT for shower, face in state.shown_trumps if shower == seat)
    moves = compiled.transfer_moves[candidates & ~used] if free_slots > 0 else ()
    if compiled.can_transfer_by_showing:
        trumps = merge_copies(candidates & ~used & trump_mask(state.trump_suit))
        moves += tuple(Move.from_cards("show", Card.from_code(face)) for face in bit_indices(trumps))
    return moves


def _list_no_moves(state: State) -> tuple[Move, ...]:  # noqa: ARG001 - one of the four phases
    return ()


def find_next_defender(state: State) -> int:
    """Return the seat that has to defend if the present defender transfers the attack.

    It is the next opponent of the defender who was still in the game when the bout began.
    """
    seat = state.compiled_rules.next_opponent[state.seats_at_bout_start][state.defender]
    assert seat is not None  # noqa: S101 - a bout has two sides
    return seat


def max_transferable_attacks(state: State) -> int:
    """Return the maximum number of attacking cards for the next defender after a transfer."""
    return min(state.max_attacks, state.hands[find_next_defender(state)].bit_count())


def face_down_talon(state: State) -> list[int]:
    """Return the face-down talon cards as bits, top card first, without a hidden trump card."""
    open_to_see = state.drawable_turn_up | state.hidden_card
    return [bit for bit in state.talon if not bit & open_to_see]


def can_swap(state: State) -> bool:
    """Return whether the attacker may now swap two cards with the talon."""
    seat = state.attacker
    return (
        state.swap_counts[seat] < state.compiled_rules.max_swaps
        and not state.has_swapped
        and len(face_down_talon(state)) >= _SWAP_SIZE
        and state.hands[seat].bit_count() >= _SWAP_SIZE
    )


def list_swap_moves(hand: int) -> tuple[Move, ...]:
    """Return the moves that swap two cards of a hand with the talon; list equal moves once."""
    faces, twice = list(bit_indices(merge_copies(hand))), hand & hand >> FACE_COUNT & ONE_DECK_MASK
    return tuple(
        Move.from_cards("swap", Card.from_code(a), Card.from_code(b))
        for a, b in combinations_with_replacement(faces, _SWAP_SIZE)
        if a != b or twice >> a & 1
    )


MOVE_GENERATORS: Final[tuple[Callable[[State], tuple[Move, ...]], ...]] = (
    _list_opening_moves,
    _list_throw_moves,
    _list_defense_moves,
    _list_no_moves,
)
"""The functions that list the legal moves, indexed by the phase of the state."""


# --- Applying a move ---


def apply_move(state: State, move: Move) -> None:
    """Change a state by a move; the caller guarantees that the move is legal."""
    MOVE_APPLIERS[move.kind](state, move)


def _move_to_table(state: State, seat: int, bit: int) -> None:
    """Move a card from a seat's hand to the table; `bit` is the bit of the card's face."""
    hands = state.hands
    if state.compiled_rules.has_two_decks:
        bit = _choose_copy(state, seat, hands[seat], bit)
    hands[seat] ^= bit
    state.table |= bit
    if not hands[seat]:
        state.emptied_seats += (seat,)


def _choose_copy(state: State, seat: int, hand: int, bit: int) -> int:
    """Choose which of two copies of a card leaves a hand, and update what other seats know.

    Copies look the same. If another seat knew of only one copy in the hand, it cannot know whether the remaining copy is the one it knew of.
    """
    both_copies = bit | bit << FACE_COUNT
    if hand & both_copies != both_copies:
        return hand & both_copies
    seen = state.publicly_seen[seat]
    played = bit if seen & bit else bit << FACE_COUNT
    remaining_copy = both_copies ^ played
    state.cards_put_back = tuple(
        mask if viewer == seat or (seen | mask) & both_copies == both_copies else mask & ~remaining_copy
        for viewer, mask in enumerate(state.cards_put_back)
    )
    return played


def _apply_attack(state: State, move: Move) -> None:
    state.ply += 1
    code, bit = move.code, move.bit
    state.attacks, state.beats = [code], [-1]
    state.unbeaten_count = 1
    state.matching_rank_mask = SAME_RANK_MASKS[code]
    # This is the code of `_move_to_table`, copied here and into `_apply_throw` and `_apply_beat`: a call would make games 5 % slower.
    seat, hands = state.attacker, state.hands
    hand = hands[seat]
    if state.compiled_rules.has_two_decks:
        bit = _choose_copy(state, seat, hand, bit)
    hands[seat] = hand = hand ^ bit
    state.table = bit
    if not hand:
        state.emptied_seats += (seat,)
    _find_next_actor(state)


def _apply_attack_several(state: State, move: Move) -> None:
    state.ply += 1
    for card in move.cards:
        state.attacks.append(card.code)
        state.beats.append(-1)
        _move_to_table(state, state.attacker, 1 << card.face_code)
    state.unbeaten_count = len(move.cards)
    state.matching_rank_mask = SAME_RANK_MASKS[move.code]
    _find_next_actor(state)


def _apply_throw(state: State, move: Move) -> None:
    state.ply += 1
    seat: int = state.actor  # type: ignore[assignment]
    compiled, hands, bit = state.compiled_rules, state.hands, move.bit
    state.attacks.append(move.code)
    state.beats.append(-1)
    state.unbeaten_count += 1
    hand = hands[seat]
    if compiled.has_two_decks:
        bit = _choose_copy(state, seat, hand, bit)
    hands[seat] = hand = hand ^ bit
    state.table |= bit
    if not hand:
        state.emptied_seats += (seat,)
    if compiled.card_cancels_passes:
        state.passed = 0
    state.newest_card_seat = seat
    if compiled.is_newest_asked_first:
        state.throwers = compiled.find_throwers(state.attacker, state.defender, state.newest_card_seat, state.seats_in)
    _find_next_actor(state)


def _apply_pass(state: State, move: Move) -> None:  # noqa: ARG001 - as the others
    state.ply += 1
    state.passed |= 1 << state.actor  # type: ignore[operator]
    _find_next_actor(state)


def _apply_beat(state: State, move: Move) -> None:
    state.ply += 1
    compiled, beats = state.compiled_rules, state.beats
    index = beats.index(-1)
    if state.unbeaten_count > 1:
        attacks, target = state.attacks, move.target
        while beats[index] >= 0 or EFFECTIVE_FACES[attacks[index]] != target:
            index += 1
    beats[index] = code = move.code
    state.matching_rank_mask |= SAME_RANK_MASKS[code]
    state.unbeaten_count -= 1
    seat, hands, bit = state.defender, state.hands, move.bit
    hand = hands[seat]
    if compiled.has_two_decks:
        bit = _choose_copy(state, seat, hand, bit)
    hands[seat] = hand = hand ^ bit
    state.table |= bit
    if not hand:
        state.emptied_seats += (seat,)
    if compiled.card_cancels_passes:
        state.passed = 0
    _find_next_actor(state)


def _apply_transfer(state: State, move: Move) -> None:
    state.ply += 1
    seat = state.defender
    state.attacks.append(move.code)
    state.beats.append(-1)
    state.unbeaten_count += 1
    _move_to_table(state, seat, move.bit)
    state.newest_card_seat = seat
    _rotate_after_transfer(state)


def _apply_show(state: State, move: Move) -> None:
    state.ply += 1
    seat, face = state.defender, move.code
    state.shown_trumps += ((seat, face),)
    held_copies = state.hands[seat] & (move.bit | move.bit << FACE_COUNT)
    if not state.publicly_seen[seat] & held_copies:
        state.publicly_seen[seat] |= held_copies & -held_copies
    _rotate_after_transfer(state)


def _rotate_after_transfer(state: State) -> None:
    """Change roles after a transfer: the defender attacks now, and the next opponent defends."""
    compiled = state.compiled_rules
    state.limit, state.attacker, state.defender = max_transferable_attacks(state), state.defender, find_next_defender(state)
    state.passed = 0
    state.throwers = compiled.find_throwers(state.attacker, state.defender, state.newest_card_seat, state.seats_in)
    _find_next_actor(state)


def _apply_take(state: State, move: Move) -> None:  # noqa: ARG001 - as the others
    state.ply += 1
    state.taking = True
    state.passed = 0
    _find_next_actor(state)


# --- Finding whose turn it is next ---


def _find_next_actor(state: State) -> None:
    """Find out whose turn it is next, and end the bout if no player can act.

    If the rules say so, seats that have played their last card leave the game first.
    """
    state.legal_moves = None
    compiled = state.compiled_rules
    if state.emptied_seats and compiled.goes_out_at_once and _end_game_if_won_at_once(state):
        return
    unbeaten, taking = state.unbeaten_count, state.taking
    # Check the most frequent case first: usually the defender acts next.
    if unbeaten and not taking and compiled.throws_wait_until_beaten:
        state.actor = state.defender
        state.phase = PHASE_DEFEND
        return
    attack_count = len(state.attacks)
    if attack_count < state.limit and (
        compiled.can_throw_after_take if taking else not unbeaten or attack_count - unbeaten >= compiled.min_beaten_to_throw
    ):
        hands, ranks, passed = state.hands, state.matching_rank_mask, state.passed
        for seat in state.throwers:
            if hands[seat] & ranks and not passed >> seat & 1:
                state.actor = seat
                state.phase = PHASE_THROW_IN
                return
    if unbeaten and not taking:
        state.actor = state.defender
        state.phase = PHASE_DEFEND
        return
    end_bout(state)


def _end_game_if_won_at_once(state: State) -> bool:
    """Remove seats without cards from the game now; return whether the game is then over.

    While the talon has cards, no seat leaves the game.
    """
    if state.talon_suffix_masks[0]:
        return False
    leaving_seats = tuple(seat for seat in state.emptied_seats if state.seats_in >> seat & 1)
    if not leaving_seats:
        return False
    remove_seats(state, leaving_seats)
    if state.compiled_rules.is_over(state.seats_in, state.places):
        end_game(state)
        return True
    state.throwers = state.compiled_rules.find_throwers(state.attacker, state.defender, state.newest_card_seat, state.seats_in)
    return False


def remove_seats(state: State, seats: tuple[int, ...]) -> None:
    """Remove seats from the game, in the given order."""
    state.places += seats
    for seat in seats:
        state.seats_in &= ~(1 << seat)


def end_game(state: State, *, is_tie: bool = False) -> None:
    """End the game, and compute the result."""
    rules = state.compiled_rules.rules
    state.actor, state.phase, state.legal_moves = None, PHASE_OVER, None
    state.throwers = state.repeatable_positions = ()
    if is_tie:
        state.outcome = scoring.build_tie(rules, state.places)
        return
    counts = [hand.bit_count() for hand in state.hands]
    ranks = [Card.from_code(code).rank for code in state.attacks]
    state.outcome = scoring.build_outcome(rules, state.seats_in, state.places, counts, state.defender, ranks)


def end_bout(state: State) -> None:
    """Clear the table, refill the hands, remove seats without cards, and begin the next bout."""
    compiled, hands, taken = state.compiled_rules, state.hands, state.taking
    attacker, defender = state.attacker, state.defender
    table, trumps = state.table, state.trump_suit
    if taken:
        hands[defender] |= table
        state.publicly_seen[defender] |= table
    else:
        state.discard |= table
    drawn_count, talon_masks = 0, state.talon_suffix_masks
    talon_size = len(talon_masks) - 1
    draws: tuple[tuple[int, int, int], ...] = ()
    turned_cards: tuple[str, ...] = ()
    if talon_size:
        hand_size = compiled.hand_size
        for seat in compiled.draw_orders[taken][attacker][defender]:
            hand = hands[seat]
            need = hand_size - hand.bit_count()
            if need > 0:
                end = drawn_count + need
                if end > talon_size:  # noqa: PLR1730 - min() costs more than all the rest of the draw
                    end = talon_size
                cards = talon_masks[drawn_count] ^ talon_masks[end]
                hands[seat] = hand | cards
                draws += ((seat, end - drawn_count, cards),)
                drawn_count = end
                if cards & state.drawable_turn_up:
                    turned_cards = tuple(dict.fromkeys((*turned_cards, *_reveal_drawn_turn_up(state, seat, cards))))
                if drawn_count == talon_size:
                    break
        state.talon_suffix_masks = talon_masks[drawn_count:]
    seats_out: tuple[int, ...] = ()
    if state.emptied_seats and drawn_count == talon_size:
        seats_out = tuple(seat for seat in state.emptied_seats if state.seats_in >> seat & 1 and not hands[seat])
        if seats_out:
            remove_seats(state, seats_out)
    state.bout_ends.append(
        (state.ply, state.bout, attacker, defender, taken, tuple(state.attacks), tuple(state.beats), trumps, draws, turned_cards, seats_out)
    )
    if seats_out and compiled.is_over(state.seats_in, state.places):
        end_game(state)
        state.attacks, state.beats = [], []
        state.table = state.matching_rank_mask = state.unbeaten_count = 0
        return
    seat = defender
    if taken or not state.seats_in >> defender & 1:
        seat = compiled.next_seat_in[state.seats_in][defender]  # type: ignore[assignment]
    begin_bout(state, seat, state.repeatable_positions if taken and not draws else ())


def _reveal_drawn_turn_up(state: State, seat: int, cards: int) -> list[str]:
    """Record that a player drew the face-up trump card; return this card and the one under it.

    The player may have drawn the hidden card at the same time.
    """
    turned_cards = [str(card_from_bit(state.drawable_turn_up))]
    state.publicly_seen[seat] |= state.drawable_turn_up
    state.drawable_turn_up = state.turn_up = 0
    if state.hidden_card:
        turned_cards.append(str(card_from_bit(state.hidden_card)))
        state.publicly_seen[seat] |= cards & state.hidden_card
        if state.hidden_card & state.compiled_rules.trump_showing_mask:
            state.set_trump(deal_and_trump.suit_from_bit(state.hidden_card))
        if not cards & state.hidden_card:
            state.turn_up = state.drawable_turn_up = state.hidden_card
        state.hidden_card = 0
    return turned_cards


def begin_bout(state: State, attacker: int, repeatable_positions: tuple[tuple[int, ...], ...]) -> None:
    """Begin the next bout: set the attacker, the defender and the seats that may throw in.

    `repeatable_positions` has the earlier starts of bouts that can still occur again. It is empty if a card has just been drawn or discarded.
    """
    compiled, hands, seats_in = state.compiled_rules, state.hands, state.seats_in
    state.phase = PHASE_OPEN
    state.bout = bout = state.bout + 1
    state.attacks = []
    state.beats = []
    state.table = state.matching_rank_mask = state.unbeaten_count = state.passed = 0
    state.taking = state.has_swapped = False
    state.shown_trumps = state.emptied_seats = ()
    state.seats_at_bout_start = seats_in
    state.attacker = state.actor = state.newest_card_seat = attacker
    state.defender, state.throwers = compiled.bout_roles[seats_in][attacker]
    defender_hand_size = hands[state.defender].bit_count()
    limit = compiled.attack_limits[bout > 1]
    state.limit = limit if limit < defender_hand_size else defender_hand_size  # noqa: FURB136 - once a bout, and min() is slow
    if compiled.repetitions_to_tie:
        start_position = (attacker, *map(normalize_copies, hands)) if compiled.has_two_decks else (attacker, *hands)
        state.repeatable_positions = (*repeatable_positions, start_position)
        if repeatable_positions and state.repeatable_positions.count(start_position) >= compiled.repetitions_to_tie:
            end_game(state, is_tie=True)


def apply_swap(state: State, move: Move) -> None:
    """Exchange two of the attacker's cards with the talon; the attacker then moves again."""
    state.ply += 1
    seat, face_down_bits = state.attacker, face_down_talon(state)
    talon = state.talon
    hand_before = hand = state.hands[seat]
    swapped_out = []
    for card in move.cards:
        copies = hand & (1 << card.face_code | 1 << card.face_code + FACE_COUNT)
        bit = copies & -copies
        hand ^= bit
        swapped_out.append(bit)
    top = talon.index(face_down_bits[0])
    state.hands[seat] = hand | sum(face_down_bits[:_SWAP_SIZE])
    state.set_talon((*talon[:top], *face_down_bits[_SWAP_SIZE:], *swapped_out, *talon[top + len(face_down_bits) :]))
    state.swap_counts = tuple(count + (counted_seat == seat) for counted_seat, count in enumerate(state.swap_counts))
    state.has_swapped = True
    # After a swap the player has fewer swaps left, so no earlier position can occur again.
    state.repeatable_positions = ()
    state.swap_draws += ((state.ply, seat, sum(face_down_bits[:_SWAP_SIZE])),)
    _forget_swapped_cards(state, seat, hand_before, sum(swapped_out))
    state.legal_moves = None


def _forget_swapped_cards(state: State, seat: int, hand_before: int, swapped_out: int) -> None:
    """Update what each seat knows about hidden cards after a player's swap with the talon.

    The other seats do not see which cards leave the hand, so they can no longer be sure of any card in it. The swapping seat knows.
    """
    state.publicly_seen = [
        0 if holder == seat else seen & hand for holder, (seen, hand) in enumerate(zip(state.publicly_seen, state.hands, strict=True))
    ]
    state.cards_put_back = tuple(
        mask | swapped_out if viewer == seat else mask & ~hand_before for viewer, mask in enumerate(state.cards_put_back)
    )


_APPLIER_BY_VERB: Final[Mapping[Verb, Callable[[State, Move], None]]] = {
    "attack": _apply_attack,
    "throw": _apply_throw,
    "pass": _apply_pass,
    "beat": _apply_beat,
    "transfer": _apply_transfer,
    "show": _apply_show,
    "take": _apply_take,
    "swap": apply_swap,
}
MOVE_APPLIERS: Final = (*(_APPLIER_BY_VERB[verb] for verb in VERBS), _apply_attack_several)
"""The functions that apply a move to a state, indexed by the kind of the move."""


def begin_first_bout(state: State) -> None:
    """Begin the first bout of a game, right after the deal."""
    begin_bout(state, state.attacker, ())


def resume_position(state: State) -> None:
    """Start play from a position, which may be at the start or in the middle of a bout.

    If no player can act in the middle of a bout, the function ends the bout, which may end the game.
    """
    if not state.attacks:
        state.bout -= 1
        begin_first_bout(state)
        return
    state.throwers = state.compiled_rules.find_throwers(state.attacker, state.defender, state.newest_card_seat, state.seats_in)
    _find_next_actor(state)
