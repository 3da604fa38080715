"""A full state made from the observation of a seat and a guess at the hidden cards.

Only solvers do this, and only here.
"""

from __future__ import annotations

from itertools import starmap
from operator import xor
from typing import TYPE_CHECKING

from durak_widget.cards import FACES, minus, plainly, plus
from durak_widget.engine.compiled_rules import SAME_RANK, kit_of
from durak_widget.engine.history import DREW
from durak_widget.engine.moves import KINDS
from durak_widget.engine.state import blank_state, copies, copies_held
from durak_widget.errors import PositionError
from durak_widget.rules import deal_and_trump

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.engine.observation import Sight
    from durak_widget.engine.state import State

_SWAP = KINDS["swap"]
"""The only kind of move whose cards other seats do not see."""


def state_of(sight: Sight, hands: Sequence[int], talon: Sequence[int]) -> State:
    """Build the state for an observation, hands (masks) and talon (faces, first on top).

    With the true hands and talon every slot is restored, except what only other seats know: which cards they drew and put back.

    >>> from durak_widget import Game
    >>> game = Game(seed=7); game.play("attack Jc")
    >>> state = state_of(game.view(0).sight, [hand.mask for hand in game.hands], [card.code for card in game.talon])
    >>> state.key() == game.state.key()
    True
    """
    compiled = kit_of(sight.rules)
    _check(sight, hands, talon, compiled)
    hands, state = list(map(plainly, hands)), blank_state(compiled)
    card_aside = 1 << sight.turn_up if sight.turn_up is not None and deal_and_trump.place_of_turn_up(sight.rules) == "aside" else 0
    if sight.aside:
        card_aside = _rest_of(compiled, sight, hands, talon)
    bits = list(talon)
    if compiled.twins:
        used = 0
        masks = []
        for mask in (sight.table, sight.discard, card_aside, *hands):
            chosen_copies = copies(mask, used)
            used |= chosen_copies
            masks.append(chosen_copies)
        state.table, state.discard, state.aside, *state.hands = masks
        for index, face in enumerate(talon):
            bits[index] = 1 << face + FACES if used >> face & 1 else 1 << face
            used |= bits[index]
        state.seen = list(starmap(copies_held, zip(sight.seen, state.hands, strict=True)))
    else:
        state.table, state.discard, state.aside, state.hands = sight.table, sight.discard, card_aside, list(hands)
        state.seen = list(sight.seen)
        bits = [1 << face for face in talon]
    state.lay_talon(tuple(bits))
    state.set_trump(sight.suit)
    _turn_up(state, sight)
    _follow(state, sight)
    state.bout, state.attacker, state.defender, state.limit = sight.bout, sight.attacker, sight.defender, sight.limit
    state.attacks, state.beats = list(sight.attacks), list(sight.beats)
    for code in (*sight.attacks, *sight.beats):
        if code >= 0:
            state.ranks |= SAME_RANK[code]
    state.unbeaten = sight.beats.count(-1)
    state.newest, state.passed, state.taking = sight.newest, sight.passed, sight.taking
    state.began, state.shown, state.emptied = sight.began, sight.shown, sight.emptied
    state.seats_in, state.places, state.swapped, state.swapped_now = sight.seats_in, sight.places, sight.swapped, sight.swapped_now
    state.ply, state.phase, state.actor, state.outcome = sight.ply, sight.phase, sight.actor, sight.outcome
    own_draws = dict(sight.drew)
    for end in sight.ends:
        draws = tuple((seat, count, own_draws[end[0]] if seat == sight.seat else 0) for seat, count in end[DREW])
        state.ends.append((*end[:DREW], draws, *end[DREW + 1 :]))
        own_draws.pop(end[0], None)
    state.brought = tuple(
        (ply + 1, seat, own_draws.get(ply + 1, 0))
        for ply, (seat, move) in enumerate(zip(sight.actors, sight.moves, strict=True))
        if move is None or move.kind == _SWAP
    )
    if sight.outcome is None:
        state.throwers = compiled.throwers(state.attacker, state.defender, state.newest, state.seats_in)
        state.past = tuple([_then(start, state.hands, twins=compiled.twins) for start in sight.past])
    return state


def _check(sight: Sight, hands: Sequence[int], talon: Sequence[int], kit: Kit) -> None:
    """Refuse hands and a talon that contradict the observation."""
    if sight.known is None or sight.covered:
        raise PositionError("a state is made of a view with memory that is not covered; ask game.view(seat) for one")
    try:
        is_consistent = len(hands) == len(sight.counts) and len(talon) == sight.talon_count
        is_consistent = is_consistent and 0 <= min(talon, default=0) <= max(talon, default=0) < FACES
        counts = tuple(map(int.bit_count, hands)) if is_consistent else ()
    except TypeError:
        raise PositionError("hands are masks and the talon is faces: numbers, as in [hand.mask …] and [card.code …]") from None
    if counts != sight.counts:
        raise PositionError(f"give hands of {sight.counts} cards, and a talon of {sight.talon_count} faces from 0 to {FACES - 1}")
    talon_bits = [1 << face for face in talon]
    if kit.twins:
        available, talon_mask = kit.all_cards, 0
        for bit in talon_bits:
            talon_mask |= bit << FACES if talon_mask & bit else bit
        is_consistent = talon_mask.bit_count() == len(talon)
        for mask in (sight.table, sight.discard, *map(plainly, hands), talon_mask):
            is_consistent, available = is_consistent and not minus(mask, available), minus(available, mask)
        is_consistent = is_consistent and all(not minus(known, plainly(hand)) for known, hand in zip(sight.known, hands, strict=True))
    else:
        all_cards = sum(hands) + sum(talon_bits) + sight.table + sight.discard  # a card that is there twice makes fewer bits
        is_consistent = all_cards.bit_count() == sum(counts) + len(talon) + sight.table.bit_count() + sight.discard_count
        is_consistent = (
            is_consistent
            and not all_cards & ~kit.all_cards
            and not any(known & ~hand for known, hand in zip(sight.known, hands, strict=True))
        )
    if not is_consistent or any(talon[index] != face for index, face in sight.talon_known) or plainly(hands[sight.seat]) != sight.hand:
        raise PositionError(
            f"seat {sight.seat} sees that these hands and this talon cannot be; give every card a place that its view allows"
        )


def _rest_of(kit: Kit, sight: Sight, hands: Sequence[int], talon: Sequence[int]) -> int:
    """Return the only card that is in no other place.

    If more than one card is missing, nobody can say which is aside, and a `PositionError` is raised.
    """
    missing = minus(minus(kit.all_cards, sight.table), sight.discard)
    for mask in (*map(plainly, hands), *(1 << face for face in talon)):
        missing = minus(missing, mask)
    if missing.bit_count() != 1:
        raise PositionError(
            f"a card lies aside, and {missing.bit_count()} are in no place; only where the whole deck is there can it be said which"
        )
    return missing


def _turn_up(state: State, sight: Sight) -> None:
    """Set the face-up card, and the card under it."""
    if sight.turn_up is None:
        return
    if deal_and_trump.place_of_turn_up(sight.rules) == "aside":
        state.turn_up = state.aside
        return
    talon = state.talon
    state.turn_up = state.face_up = talon[deal_and_trump.index_of_turn_up(sight.rules, len(talon), hides=sight.hidden)]
    if sight.hidden:
        state.hidden = talon[-1]


def _follow(state: State, sight: Sight) -> None:
    """Set the cards that the viewer put under the talon.

    They are those of the talon that it knows, and those that it knows another seat drew.
    """
    if not any(state.kit.swaps and times for times in sight.swapped):
        return
    put_back, talon = 0, state.talon
    for index, _ in sight.talon_known:
        put_back |= talon[index] & ~state.face_up
    for seat, hand in enumerate(state.hands):
        if seat != sight.seat and sight.known:
            only_mine = minus(sight.known[seat], sight.seen[seat])
            put_back |= copies_held(only_mine, hand & ~state.seen[seat]) & hand if only_mine else 0
    state.put_back = tuple(put_back if seat == sight.seat else 0 for seat in range(len(state.hands)))


def _then(start: tuple[int, ...], hands: Sequence[int], *, twins: bool) -> tuple[int, ...]:
    """Decode one repeatable start of a bout, given the current hands."""
    attacker, *wandered = start
    if not twins:
        return (attacker, *map(xor, wandered, hands))
    return (
        attacker,
        *(plus(minus(plainly(hand), gained), lost) for hand, lost, gained in zip(hands, wandered[::2], wandered[1::2], strict=True)),
    )
