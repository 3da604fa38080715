"""Legal moves and state transitions: moves, the start and end of bouts, and swaps.

The engine names no variant. Every rule comes from the compiled rules, as a number, a mask or a table. At the end of a bout the table is
cleared and the hands are refilled. Then the module finds who is out and whether the game is over.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

from durak_widget.cards import FACES, ONE_DECK, Card, bits_of, card_of, folded, plainly
from durak_widget.engine.compiled_rules import COUNTS, SAME_RANK, mask_of_trumps
from durak_widget.engine.moves import TAKE_MOVE, VERBS, Move
from durak_widget.engine.state import ADD, DEFEND, OPEN, OVER, State
from durak_widget.rules import attack, deal_and_trump, scoring

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from durak_widget.engine.moves import Verb

_SWAPPED: Final = 2
"""The number of cards in a swap."""


# Legal moves
def legal_moves(state: State) -> tuple[Move, ...]:
    """Return the legal moves of the seat to act, in the order of the rule book.

    It is empty after the end of the game.
    """
    legal = state.legal
    if legal is None:
        legal = state.legal = LEGAL[state.phase](state)
    return legal


def _may_open(state: State) -> tuple[Move, ...]:
    compiled, hand = state.kit, state.hands[state.attacker]
    moves = compiled.openings(hand)
    if compiled.several and state.limit > 1:
        groups = attack.groups(hand, state.limit, compiled.plays)
        moves += tuple(Move.of("attack", *map(Card.of, codes)) for codes in groups)
    if compiled.swaps and may_swap(state):
        moves += swaps(hand)
    return moves


def _may_add(state: State) -> tuple[Move, ...]:
    mask = state.hands[state.actor] & state.ranks  # type: ignore[index]
    throws = state.kit.throws
    try:
        return throws.made[mask]
    except KeyError:  # the plain dict is faster than the method where the list is known; so in `_may_defend`
        return throws[mask]


def _may_defend(state: State) -> tuple[Move, ...]:
    hand, attacks, beats = state.hands[state.defender], state.attacks, state.beats
    if state.unbeaten == 1:
        low_mask, low_moves, high_mask, high_moves = state.answers[COUNTS[attacks[beats.index(-1)]]]
        try:
            moves = low_moves.made[hand & low_mask] + high_moves.made[hand & high_mask]
        except KeyError:
            moves = low_moves[hand & low_mask] + high_moves[hand & high_mask]
    else:
        faces = dict.fromkeys(COUNTS[code] for code, beat in zip(attacks, beats) if beat < 0)  # noqa: B905 - one beat an attack
        moves = ()
        for face in faces:
            low_mask, low_moves, high_mask, high_moves = state.answers[face]
            moves += low_moves[hand & low_mask] + high_moves[hand & high_mask][:-1]
        moves += (TAKE_MOVE,)
    if state.kit.transfers and state.unbeaten == len(attacks) and state.bout >= state.kit.transfer_from:
        return moves[:-1] + _may_pass_on(state, hand) + (TAKE_MOVE,)
    return moves


def _may_pass_on(state: State, hand: int) -> tuple[Move, ...]:
    compiled, seat = state.kit, state.defender
    candidates, free_slots = hand & state.ranks, most_for_next(state) - len(state.attacks)
    if not candidates or free_slots < 0:
        return ()
    used = sum(1 << face | 1 << face + FACES for shower, face in state.shown if shower == seat)
    moves = compiled.transfer_moves[candidates & ~used] if free_slots > 0 else ()
    if compiled.shows:
        trumps = folded(candidates & ~used & mask_of_trumps(state.suit))
        moves += tuple(Move.of("show", Card.of(face)) for face in bits_of(trumps))
    return moves


def _nothing(state: State) -> tuple[Move, ...]:  # noqa: ARG001 - one of the four phases
    return ()


def next_defender(state: State) -> int:
    """Return the seat to which the attack would be transferred.

    It is the next opponent who was in when the bout began.
    """
    seat = state.kit.opponent[state.began][state.defender]
    assert seat is not None  # noqa: S101 - a bout has two sides
    return seat


def most_for_next(state: State) -> int:
    """Return how many attacking cards may be transferred to the next defender."""
    return min(state.most, state.hands[next_defender(state)].bit_count())


def face_down(state: State) -> list[int]:
    """Return the bits of the face-down talon cards, first on top, without a hidden trump."""
    open_to_see = state.face_up | state.hidden
    return [bit for bit in state.talon if not bit & open_to_see]


def may_swap(state: State) -> bool:
    """Return whether the attacker may exchange two cards with the talon now."""
    seat = state.attacker
    return (
        state.swapped[seat] < state.kit.swaps
        and not state.swapped_now
        and len(face_down(state)) >= _SWAPPED
        and state.hands[seat].bit_count() >= _SWAPPED
    )


def swaps(hand: int) -> tuple[Move, ...]:
    """Return the swaps of two cards that a hand allows; copies count as the same card."""
    faces, twice = list(bits_of(folded(hand))), hand & hand >> FACES & ONE_DECK
    return tuple(
        Move.of("swap", Card.of(a), Card.of(b)) for a, b in combinations_with_replacement(faces, _SWAPPED) if a != b or twice >> a & 1
    )


LEGAL: Final[tuple[Callable[[State], tuple[Move, ...]], ...]] = (_may_open, _may_add, _may_defend, _nothing)
"""The function that lists the legal moves, for each phase."""


# The effect of each move
def play(state: State, move: Move) -> None:
    """Apply a legal move to the state; legality is not checked here."""
    PLAYS[move.kind](state, move)


def _leave_hand(state: State, seat: int, bit: int) -> None:
    """Move a card, given by the bit of its face, from a hand to the table."""
    hands = state.hands
    if state.kit.twins:
        bit = _copy_of(state, seat, hands[seat], bit)
    hands[seat] ^= bit
    state.table |= bit
    if not hands[seat]:
        state.emptied += (seat,)


def _copy_of(state: State, seat: int, hand: int, bit: int) -> int:
    """Choose the copy of a face that leaves the hand, and update what other seats know.

    Copies look alike. A seat that knew of one of two copies there knows nothing of the other once one is played.
    """
    both = bit | bit << FACES
    if hand & both != both:
        return hand & both
    seen = state.seen[seat]
    played = bit if seen & bit else bit << FACES
    remaining_copy = both ^ played
    state.put_back = tuple(
        mask if viewer == seat or (seen | mask) & both == both else mask & ~remaining_copy for viewer, mask in enumerate(state.put_back)
    )
    return played


def _attack(state: State, move: Move) -> None:
    state.ply += 1
    code, bit = move.code, move.bit
    state.attacks, state.beats = [code], [-1]
    state.unbeaten = 1
    state.ranks = SAME_RANK[code]
    # `_leave_hand` inlined, since the call costs a twentieth of a random game; so in `_throw` and `_beat`
    seat, hands = state.attacker, state.hands
    hand = hands[seat]
    if state.kit.twins:
        bit = _copy_of(state, seat, hand, bit)
    hands[seat] = hand = hand ^ bit
    state.table = bit
    if not hand:
        state.emptied += (seat,)
    _settle(state)


def _attack_several(state: State, move: Move) -> None:
    state.ply += 1
    for card in move.cards:
        state.attacks.append(card.code)
        state.beats.append(-1)
        _leave_hand(state, state.attacker, 1 << card.face_code)
    state.unbeaten = len(move.cards)
    state.ranks = SAME_RANK[move.code]
    _settle(state)


def _throw(state: State, move: Move) -> None:
    state.ply += 1
    seat: int = state.actor  # type: ignore[assignment]
    compiled, hands, bit = state.kit, state.hands, move.bit
    state.attacks.append(move.code)
    state.beats.append(-1)
    state.unbeaten += 1
    hand = hands[seat]
    if compiled.twins:
        bit = _copy_of(state, seat, hand, bit)
    hands[seat] = hand = hand ^ bit
    state.table |= bit
    if not hand:
        state.emptied += (seat,)
    if compiled.card_voids_passes:
        state.passed = 0
    state.newest = seat
    if compiled.newest_first:
        state.throwers = compiled.throwers(state.attacker, state.defender, state.newest, state.seats_in)
    _settle(state)


def _pass(state: State, move: Move) -> None:  # noqa: ARG001 - as the others
    state.ply += 1
    state.passed |= 1 << state.actor  # type: ignore[operator]
    _settle(state)


def _beat(state: State, move: Move) -> None:
    state.ply += 1
    compiled, beats = state.kit, state.beats
    index = beats.index(-1)
    if state.unbeaten > 1:
        attacks, target = state.attacks, move.target
        while beats[index] >= 0 or COUNTS[attacks[index]] != target:
            index += 1
    beats[index] = code = move.code
    state.ranks |= SAME_RANK[code]
    state.unbeaten -= 1
    seat, hands, bit = state.defender, state.hands, move.bit
    hand = hands[seat]
    if compiled.twins:
        bit = _copy_of(state, seat, hand, bit)
    hands[seat] = hand = hand ^ bit
    state.table |= bit
    if not hand:
        state.emptied += (seat,)
    if compiled.card_voids_passes:
        state.passed = 0
    _settle(state)


def _transfer(state: State, move: Move) -> None:
    state.ply += 1
    seat = state.defender
    state.attacks.append(move.code)
    state.beats.append(-1)
    state.unbeaten += 1
    _leave_hand(state, seat, move.bit)
    state.newest = seat
    _pass_on(state)


def _show(state: State, move: Move) -> None:
    state.ply += 1
    seat, face = state.defender, move.code
    state.shown += ((seat, face),)
    held_copies = state.hands[seat] & (move.bit | move.bit << FACES)
    if not state.seen[seat] & held_copies:
        state.seen[seat] |= held_copies & -held_copies
    _pass_on(state)


def _pass_on(state: State) -> None:
    """Make the defender the attacker, and its next opponent the defender."""
    compiled = state.kit
    state.limit, state.attacker, state.defender = most_for_next(state), state.defender, next_defender(state)
    state.passed = 0
    state.throwers = compiled.throwers(state.attacker, state.defender, state.newest, state.seats_in)
    _settle(state)


def _take(state: State, move: Move) -> None:  # noqa: ARG001 - as the others
    state.ply += 1
    state.taking = True
    state.passed = 0
    _settle(state)


# The next actor
def _settle(state: State) -> None:
    """Find the seat to act, and end the bout if there is none.

    Before that, seats that have played their last card may be out.
    """
    state.legal = None
    compiled = state.kit
    if state.emptied and compiled.at_once and _gone_at_once(state):
        return
    unbeaten, taking = state.unbeaten, state.taking
    if unbeaten and not taking and compiled.beaten_first:  # first, since it is true after most cards
        state.actor = state.defender
        state.phase = DEFEND
        return
    attack_count = len(state.attacks)
    if attack_count < state.limit and (
        compiled.after_take if taking else not unbeaten or attack_count - unbeaten >= compiled.beaten_needed
    ):
        hands, ranks, passed = state.hands, state.ranks, state.passed
        for seat in state.throwers:
            if hands[seat] & ranks and not passed >> seat & 1:
                state.actor = seat
                state.phase = ADD
                return
    if unbeaten and not taking:
        state.actor = state.defender
        state.phase = DEFEND
        return
    end_bout(state)


def _gone_at_once(state: State) -> bool:
    """Remove seats that have just emptied their hands; return whether the game is over.

    This happens only with an empty talon.
    """
    if state.rest[0]:
        return False
    gone = tuple(seat for seat in state.emptied if state.seats_in >> seat & 1)
    if not gone:
        return False
    go_out(state, gone)
    if state.kit.over(state.seats_in, state.places):
        finish(state)
        return True
    state.throwers = state.kit.throwers(state.attacker, state.defender, state.newest, state.seats_in)
    return False


def go_out(state: State, seats: tuple[int, ...]) -> None:
    """Mark these seats as out, in this order."""
    state.places += seats
    for seat in seats:
        state.seats_in &= ~(1 << seat)


def finish(state: State, *, drawn: bool = False) -> None:
    """End the game and set its outcome."""
    rules = state.kit.rules
    state.actor, state.phase, state.legal = None, OVER, None
    state.throwers = state.past = ()
    if drawn:
        state.outcome = scoring.draw(rules, state.places)
        return
    counts = [hand.bit_count() for hand in state.hands]
    ranks = [Card.of(code).rank for code in state.attacks]
    state.outcome = scoring.outcome(rules, state.seats_in, state.places, counts, state.defender, ranks)


def end_bout(state: State) -> None:
    """Clear the table, refill the hands, find who is out, and begin the next bout."""
    compiled, hands, taken = state.kit, state.hands, state.taking
    attacker, defender = state.attacker, state.defender
    table, trumps = state.table, state.suit
    if taken:
        hands[defender] |= table
        state.seen[defender] |= table
    else:
        state.discard |= table
    drawn, rest = 0, state.rest
    talon_size = len(rest) - 1
    draws: tuple[tuple[int, int, int], ...] = ()
    turned_cards: tuple[str, ...] = ()
    if talon_size:
        hand_size = compiled.hand_size
        for seat in compiled.draws[taken][attacker][defender]:
            hand = hands[seat]
            need = hand_size - hand.bit_count()
            if need > 0:
                end = drawn + need
                if end > talon_size:  # noqa: PLR1730 - min() costs more than all the rest of the draw
                    end = talon_size
                cards = rest[drawn] ^ rest[end]
                hands[seat] = hand | cards
                draws += ((seat, end - drawn, cards),)
                drawn = end
                if cards & state.face_up:
                    turned_cards = tuple(dict.fromkeys((*turned_cards, *_draw_turn_up(state, seat, cards))))
                if drawn == talon_size:
                    break
        state.rest = rest[drawn:]
    seats_out: tuple[int, ...] = ()
    if state.emptied and drawn == talon_size:
        seats_out = tuple(seat for seat in state.emptied if state.seats_in >> seat & 1 and not hands[seat])
        if seats_out:
            go_out(state, seats_out)
    state.ends.append(
        (state.ply, state.bout, attacker, defender, taken, tuple(state.attacks), tuple(state.beats), trumps, draws, turned_cards, seats_out)
    )
    if seats_out and compiled.over(state.seats_in, state.places):
        finish(state)
        state.attacks, state.beats = [], []
        state.table = state.ranks = state.unbeaten = 0
        return
    seat = defender
    if taken or not state.seats_in >> defender & 1:
        seat = compiled.next_in[state.seats_in][defender]  # type: ignore[assignment]
    begin_bout(state, seat, state.past if taken and not draws else ())


def _draw_turn_up(state: State, seat: int, cards: int) -> list[str]:
    """Reveal the turn-up as it is drawn, and turn over a hidden trump; return these cards.

    The hidden card may be drawn with it.
    """
    turned_cards = [str(card_of(state.face_up))]
    state.seen[seat] |= state.face_up
    state.face_up = state.turn_up = 0
    if state.hidden:
        turned_cards.append(str(card_of(state.hidden)))
        state.seen[seat] |= cards & state.hidden
        if state.hidden & state.kit.can_show:
            state.set_trump(deal_and_trump.suit_of(state.hidden))
        if not cards & state.hidden:
            state.turn_up = state.face_up = state.hidden
        state.hidden = 0
    return turned_cards


def begin_bout(state: State, attacker: int, past: tuple[tuple[int, ...], ...]) -> None:
    """Begin the next bout.

    `past` has the starts of bouts that can still repeat: none where a card has just been drawn or discarded.
    """
    compiled, hands, seats_in = state.kit, state.hands, state.seats_in
    state.phase = OPEN
    state.bout = bout = state.bout + 1
    state.attacks = []
    state.beats = []
    state.table = state.ranks = state.unbeaten = state.passed = 0
    state.taking = state.swapped_now = False
    state.shown = state.emptied = ()
    state.began = seats_in
    state.attacker = state.actor = state.newest = attacker
    state.defender, state.throwers = compiled.bouts[seats_in][attacker]
    defender_hand_size = hands[state.defender].bit_count()
    limit = compiled.most[bout > 1]
    state.limit = limit if limit < defender_hand_size else defender_hand_size  # noqa: FURB136 - once a bout, and min() is slow
    if compiled.times_to_draw:
        start_position = (attacker, *map(plainly, hands)) if compiled.twins else (attacker, *hands)
        state.past = (*past, start_position)
        if past and state.past.count(start_position) >= compiled.times_to_draw:
            finish(state, drawn=True)


def swap(state: State, move: Move) -> None:
    """Apply a swap, which does not end the attacker's turn."""
    state.ply += 1
    seat, face_down_bits = state.attacker, face_down(state)
    talon = state.talon
    hand_before = hand = state.hands[seat]
    swapped_out = []
    for card in move.cards:
        copies = hand & (1 << card.face_code | 1 << card.face_code + FACES)
        bit = copies & -copies
        hand ^= bit
        swapped_out.append(bit)
    top = talon.index(face_down_bits[0])
    state.hands[seat] = hand | sum(face_down_bits[:_SWAPPED])
    state.lay_talon((*talon[:top], *face_down_bits[_SWAPPED:], *swapped_out, *talon[top + len(face_down_bits) :]))
    state.swapped = tuple(count + (other == seat) for other, count in enumerate(state.swapped))
    state.swapped_now = True
    state.past = ()  # with one swap less left, no earlier position can return
    state.brought += ((state.ply, seat, sum(face_down_bits[:_SWAPPED])),)
    _lose_sight(state, seat, hand_before, sum(swapped_out))
    state.legal = None


def _lose_sight(state: State, seat: int, before: int, given: int) -> None:
    """Update who knows which cards after a swap.

    No other seat sees which cards leave the hand, so no other seat can be sure of its cards. The seat itself knows.
    """
    state.seen = [0 if other == seat else seen & hand for other, (seen, hand) in enumerate(zip(state.seen, state.hands, strict=True))]
    state.put_back = tuple(mask | given if other == seat else mask & ~before for other, mask in enumerate(state.put_back))


_CARRY_OUT: Final[Mapping[Verb, Callable[[State, Move], None]]] = {
    "attack": _attack,
    "throw": _throw,
    "pass": _pass,
    "beat": _beat,
    "transfer": _transfer,
    "show": _show,
    "take": _take,
    "swap": swap,
}
PLAYS: Final = (*(_CARRY_OUT[verb] for verb in VERBS), _attack_several)
"""The function that applies each kind of move."""


def begin(state: State) -> None:
    """Begin the first bout after the deal."""
    begin_bout(state, state.attacker, ())


def resume(state: State) -> None:
    """Start play from a position: with a new bout, or in the middle of one.

    A bout in the middle may already be over, or end the game.
    """
    if not state.attacks:
        state.bout -= 1
        begin(state)
        return
    state.throwers = state.kit.throwers(state.attacker, state.defender, state.newest, state.seats_in)
    _settle(state)
