"""Computes legal moves and state transitions: play, the start and end of bouts, swaps with the talon.

The engine names no variant. Every rule comes from the compiled rules, as a number, a mask or a table. At the
end of a bout the table is cleared and the hands are refilled. Then the module finds who is out and whether
the game is over.
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
"""How many cards a swap exchanges."""


# What may be done
def legal_moves(state: State) -> tuple[Move, ...]:
    """The legal moves of the seat to act, in the order of the rule book; none when the game is over."""
    legal = state.legal
    if legal is None:
        legal = state.legal = LEGAL[state.phase](state)
    return legal


def _may_open(state: State) -> tuple[Move, ...]:
    kit, hand = state.kit, state.hands[state.attacker]
    moves = kit.openings(hand)
    if kit.several and state.limit > 1:
        groups = attack.groups(hand, state.limit, kit.plays)
        moves += tuple(Move.of("attack", *map(Card.of, codes)) for codes in groups)
    if kit.swaps and may_swap(state):
        moves += swaps(hand)
    return moves


def _may_add(state: State) -> tuple[Move, ...]:
    mask = state.hands[state.actor] & state.ranks  # type: ignore[index]
    throws = state.kit.throws
    try:
        return throws.made[mask]
    except KeyError:  # not asked for before, or forgotten; so in `_may_defend`
        return throws[mask]


def _may_defend(state: State) -> tuple[Move, ...]:
    hand, attacks, beats = state.hands[state.defender], state.attacks, state.beats
    if state.unbeaten == 1:
        low, lower, high, upper = state.answers[COUNTS[attacks[beats.index(-1)]]]
        try:
            moves = lower.made[hand & low] + upper.made[hand & high]
        except KeyError:
            moves = lower[hand & low] + upper[hand & high]
    else:
        faces = dict.fromkeys(COUNTS[code] for code, beat in zip(attacks, beats) if beat < 0)  # noqa: B905 - one beat an attack
        moves = ()
        for face in faces:
            low, lower, high, upper = state.answers[face]
            moves += lower[hand & low] + upper[hand & high][:-1]
        moves += (TAKE_MOVE,)
    if state.kit.transfers and state.unbeaten == len(attacks) and state.bout >= state.kit.transfer_from:
        return moves[:-1] + _may_pass_on(state, hand) + (TAKE_MOVE,)
    return moves


def _may_pass_on(state: State, hand: int) -> tuple[Move, ...]:
    kit, seat = state.kit, state.defender
    fit, room = hand & state.ranks, most_for_next(state) - len(state.attacks)
    if not fit or room < 0:
        return ()
    used = sum(1 << face | 1 << face + FACES for who, face in state.shown if who == seat)
    moves = kit.transfer_moves[fit & ~used] if room > 0 else ()
    if kit.shows:
        trumps = folded(fit & ~used & mask_of_trumps(state.suit))
        moves += tuple(Move.of("show", Card.of(face)) for face in bits_of(trumps))
    return moves


def _nothing(state: State) -> tuple[Move, ...]:  # noqa: ARG001 - one of the four phases
    return ()


def next_defender(state: State) -> int:
    """The seat to which the attack would be transferred: the next opponent who was in when the bout began."""
    seat = state.kit.opponent[state.began][state.defender]
    assert seat is not None  # noqa: S101 - a bout has two sides
    return seat


def most_for_next(state: State) -> int:
    """How many attacking cards may be transferred to the next defender."""
    return min(state.most, state.hands[next_defender(state)].bit_count())


def face_down(state: State) -> list[int]:
    """The bits of the cards of the talon that lie face down, first on top, without a hidden trump."""
    open_to_see = state.face_up | state.hidden
    return [bit for bit in state.talon if not bit & open_to_see]


def may_swap(state: State) -> bool:
    """Whether the attacker may exchange two cards with the talon now."""
    seat = state.attacker
    return (
        state.swapped[seat] < state.kit.swaps
        and not state.swapped_now
        and len(face_down(state)) >= _SWAPPED
        and state.hands[seat].bit_count() >= _SWAPPED
    )


def swaps(hand: int) -> tuple[Move, ...]:
    """The exchanges of two cards that a hand can make; copies are not told apart."""
    faces, twice = list(bits_of(folded(hand))), hand & hand >> FACES & ONE_DECK
    return tuple(
        Move.of("swap", Card.of(a), Card.of(b)) for a, b in combinations_with_replacement(faces, _SWAPPED) if a != b or twice >> a & 1
    )


LEGAL: Final[tuple[Callable[[State], tuple[Move, ...]], ...]] = (_may_open, _may_add, _may_defend, _nothing)
"""What lists the legal moves of each phase."""


# What each move does
def play(state: State, move: Move) -> None:
    """Carry out a legal move; whether it is one is not asked here."""
    PLAYS[move.kind](state, move)


def _leave_hand(state: State, seat: int, bit: int) -> None:
    """Take a card, given by its face's bit, out of a hand onto the table."""
    hands = state.hands
    if state.kit.twins:
        bit = _copy_of(state, seat, hands[seat], bit)
    hands[seat] ^= bit
    state.table |= bit
    if not hands[seat]:
        state.emptied += (seat,)


def _copy_of(state: State, seat: int, hand: int, bit: int) -> int:
    """Which copy of a face leaves the hand, and what those who knew of one there still know.

    Copies look alike, so whoever knew of one of two there knows nothing of the other once one is played.
    """
    both = bit | bit << FACES
    if hand & both != both:
        return hand & both
    seen = state.seen[seat]
    played = bit if seen & bit else bit << FACES
    kept = both ^ played
    state.put_back = tuple(mask if who == seat or (seen | mask) & both == both else mask & ~kept for who, mask in enumerate(state.put_back))
    return played


def _attack(state: State, move: Move) -> None:
    state.ply += 1
    code, bit = move.code, move.bit
    state.attacks, state.beats = [code], [-1]
    state.unbeaten = 1
    state.ranks = SAME_RANK[code]
    # as `_leave_hand` does it, without the step, which costs a twentieth of a random game; so in `_throw` and `_beat`
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
    kit, hands, bit = state.kit, state.hands, move.bit
    state.attacks.append(move.code)
    state.beats.append(-1)
    state.unbeaten += 1
    hand = hands[seat]
    if kit.twins:
        bit = _copy_of(state, seat, hand, bit)
    hands[seat] = hand = hand ^ bit
    state.table |= bit
    if not hand:
        state.emptied += (seat,)
    if kit.card_voids_passes:
        state.passed = 0
    state.newest = seat
    if kit.newest_first:
        state.throwers = kit.throwers(state.attacker, state.defender, state.newest, state.seats_in)
    _settle(state)


def _pass(state: State, move: Move) -> None:  # noqa: ARG001 - as the others
    state.ply += 1
    state.passed |= 1 << state.actor  # type: ignore[operator]
    _settle(state)


def _beat(state: State, move: Move) -> None:
    state.ply += 1
    kit, beats = state.kit, state.beats
    place = beats.index(-1)
    if state.unbeaten > 1:
        attacks, target = state.attacks, move.target
        while beats[place] >= 0 or COUNTS[attacks[place]] != target:
            place += 1
    beats[place] = code = move.code
    state.ranks |= SAME_RANK[code]
    state.unbeaten -= 1
    seat, hands, bit = state.defender, state.hands, move.bit
    hand = hands[seat]
    if kit.twins:
        bit = _copy_of(state, seat, hand, bit)
    hands[seat] = hand = hand ^ bit
    state.table |= bit
    if not hand:
        state.emptied += (seat,)
    if kit.card_voids_passes:
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
    held = state.hands[seat] & (move.bit | move.bit << FACES)
    if not state.seen[seat] & held:
        state.seen[seat] |= held & -held
    _pass_on(state)


def _pass_on(state: State) -> None:
    """The defender becomes the attacker, and its next opponent the defender."""
    kit = state.kit
    state.limit, state.attacker, state.defender = most_for_next(state), state.defender, next_defender(state)
    state.passed = 0
    state.throwers = kit.throwers(state.attacker, state.defender, state.newest, state.seats_in)
    _settle(state)


def _take(state: State, move: Move) -> None:  # noqa: ARG001 - as the others
    state.ply += 1
    state.taking = True
    state.passed = 0
    _settle(state)


# Who is next
def _settle(state: State) -> None:
    """Find who is to act, and end the bout when nobody is; before that, whoever has played its last card may be out."""
    state.legal = None
    kit = state.kit
    if state.emptied and kit.at_once and _gone_at_once(state):
        return
    unbeaten, taking = state.unbeaten, state.taking
    if unbeaten and not taking and kit.beaten_first:  # asked first, since it is so after most cards
        state.actor = state.defender
        state.phase = DEFEND
        return
    laid = len(state.attacks)
    if laid < state.limit and (kit.after_take if taking else not unbeaten or laid - unbeaten >= kit.beaten_needed):
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
    """With the talon empty, those who have played their last card are out now; whether that ends the game."""
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
    """These seats are out, in this order."""
    state.places += seats
    for seat in seats:
        state.seats_in &= ~(1 << seat)


def finish(state: State, *, drawn: bool = False) -> None:
    """The game is over."""
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
    """Clear the table, refill the hands, see who is out, and begin the next bout."""
    kit, hands, taken = state.kit, state.hands, state.taking
    attacker, defender = state.attacker, state.defender
    table, trumps = state.table, state.suit
    if taken:
        hands[defender] |= table
        state.seen[defender] |= table
    else:
        state.discard |= table
    drawn, rest = 0, state.rest
    left = len(rest) - 1
    drew: tuple[tuple[int, int, int], ...] = ()
    turned: tuple[str, ...] = ()
    if left:
        size = kit.hand_size
        for seat in kit.draws[taken][attacker][defender]:
            hand = hands[seat]
            need = size - hand.bit_count()
            if need > 0:
                upto = drawn + need
                if upto > left:  # noqa: PLR1730 - min() costs more than all the rest of the draw
                    upto = left
                cards = rest[drawn] ^ rest[upto]
                hands[seat] = hand | cards
                drew += ((seat, upto - drawn, cards),)
                drawn = upto
                if cards & state.face_up:
                    turned = tuple(dict.fromkeys((*turned, *_draw_turn_up(state, seat, cards))))
                if drawn == left:
                    break
        state.rest = rest[drawn:]
    out: tuple[int, ...] = ()
    if state.emptied and drawn == left:
        out = tuple(seat for seat in state.emptied if state.seats_in >> seat & 1 and not hands[seat])
        if out:
            go_out(state, out)
    state.ends.append(
        (state.ply, state.bout, attacker, defender, taken, tuple(state.attacks), tuple(state.beats), trumps, drew, turned, out)
    )
    if out and kit.over(state.seats_in, state.places):
        finish(state)
        state.attacks, state.beats = [], []
        state.table = state.ranks = state.unbeaten = 0
        return
    seat = defender
    if taken or not state.seats_in >> defender & 1:
        seat = kit.next_in[state.seats_in][defender]  # type: ignore[assignment]
    begin_bout(state, seat, state.past if taken and not drew else ())


def _draw_turn_up(state: State, seat: int, cards: int) -> list[str]:
    """The turn-up goes into a hand, seen by all; a hidden trump is turned over, and may go with it."""
    turned = [str(card_of(state.face_up))]
    state.seen[seat] |= state.face_up
    state.face_up = state.turn_up = 0
    if state.hidden:
        turned.append(str(card_of(state.hidden)))
        state.seen[seat] |= cards & state.hidden
        if state.hidden & state.kit.can_show:
            state.set_trump(deal_and_trump.suit_of(state.hidden))
        if not cards & state.hidden:
            state.turn_up = state.face_up = state.hidden
        state.hidden = 0
    return turned


def begin_bout(state: State, attacker: int, past: tuple[tuple[int, ...], ...]) -> None:
    """Begin the next bout, after these starts of bouts that may come again: none where a card has just been drawn or discarded."""
    kit, hands, seats_in = state.kit, state.hands, state.seats_in
    state.phase = OPEN
    state.bout = bout = state.bout + 1
    state.attacks = []
    state.beats = []
    state.table = state.ranks = state.unbeaten = state.passed = 0
    state.taking = state.swapped_now = False
    state.shown = state.emptied = ()
    state.began = seats_in
    state.attacker = state.actor = state.newest = attacker
    state.defender, state.throwers = kit.bouts[seats_in][attacker]
    held = hands[state.defender].bit_count()
    limit = kit.most[bout > 1]
    state.limit = limit if limit < held else held  # noqa: FURB136 - once a bout, and min() is slow
    if kit.times_to_draw:
        here = (attacker, *map(plainly, hands)) if kit.twins else (attacker, *hands)
        state.past = (*past, here)
        if past and state.past.count(here) >= kit.times_to_draw:
            finish(state, drawn=True)


def swap(state: State, move: Move) -> None:
    """Carry out a swap, which is not the end of the attacker's turn."""
    state.ply += 1
    seat, down = state.attacker, face_down(state)
    left = state.talon
    before = kept = state.hands[seat]
    given = []
    for card in move.cards:
        copies = kept & (1 << card.face_code | 1 << card.face_code + FACES)
        bit = copies & -copies
        kept ^= bit
        given.append(bit)
    top = left.index(down[0])
    state.hands[seat] = kept | sum(down[:_SWAPPED])
    state.lay_talon((*left[:top], *down[_SWAPPED:], *given, *left[top + len(down) :]))
    state.swapped = tuple(times + (who == seat) for who, times in enumerate(state.swapped))
    state.swapped_now = True
    state.past = ()  # with one swap less to make, no position before this one can return
    state.brought += ((state.ply, seat, sum(down[:_SWAPPED])),)
    _lose_sight(state, seat, before, sum(given))
    state.legal = None


def _lose_sight(state: State, seat: int, before: int, given: int) -> None:
    """Nobody else sees which cards of a hand are swapped away, so nobody else is sure of any of them; the seat itself knows."""
    state.seen = [0 if who == seat else seen & hand for who, (seen, hand) in enumerate(zip(state.seen, state.hands, strict=True))]
    state.put_back = tuple(mask | given if who == seat else mask & ~before for who, mask in enumerate(state.put_back))


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
"""What carries out each kind of move."""


def begin(state: State) -> None:
    """Begin where the deal stands."""
    begin_bout(state, state.attacker, ())


def resume(state: State) -> None:
    """Begin where a position stands: with a new bout, or in the middle of one, which may be over or end the game."""
    if not state.attacks:
        state.bout -= 1
        begin(state)
        return
    state.throwers = state.kit.throwers(state.attacker, state.defender, state.newest, state.seats_in)
    _settle(state)
