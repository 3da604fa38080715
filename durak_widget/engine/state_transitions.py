"""How play runs: who is asked, what each may do, and what each move does.

The engine names no variant: every rule comes to it from the kit, as a number, a mask or a table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.cards import FACES, Card, bits_of, folded
from durak_widget.engine import swapping
from durak_widget.engine.bouts import begin_bout, end_bout, finish, go_out
from durak_widget.engine.compiled_rules import COUNTS, SAME_RANK, mask_of_trumps
from durak_widget.engine.moves import TAKE_MOVE, VERBS, Move
from durak_widget.engine.state import ADD, DEFEND, State
from durak_widget.rules import attack

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from durak_widget.engine.moves import Verb

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
    if kit.swaps and swapping.may_swap(state):
        moves += swapping.swaps(hand)
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


LEGAL: Final[tuple[Callable[[State], tuple[Move, ...]], ...]] = (_may_open, _may_add, _may_defend, _nothing)
"""What lists the legal moves of each phase."""


def next_defender(state: State) -> int:
    """The seat to which the attack would be transferred: the next opponent who was in when the bout began."""
    seat = state.kit.opponent[state.began][state.defender]
    assert seat is not None  # noqa: S101 - a bout has two sides
    return seat


def most_for_next(state: State) -> int:
    """How many attacking cards may be transferred to the next defender."""
    return min(state.most, state.hands[next_defender(state)].bit_count())


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


_CARRY_OUT: Final[Mapping[Verb, Callable[[State, Move], None]]] = {
    "attack": _attack,
    "throw": _throw,
    "pass": _pass,
    "beat": _beat,
    "transfer": _transfer,
    "show": _show,
    "take": _take,
    "swap": swapping.swap,
}
PLAYS: Final = (*(_CARRY_OUT[verb] for verb in VERBS), _attack_several)
"""What carries out each kind of move."""


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
