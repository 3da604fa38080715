"""From what a seat knows back to a whole state: the sight of a moment, and a guess at what was not seen. This is the one way there, and solvers alone go it."""

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
"""The one kind of move whose cards nobody else sees."""


def state_of(sight: Sight, hands: Sequence[int], talon: Sequence[int]) -> State:
    """The state that a seat sees so, if the hands (masks) are these and the talon (faces, first on top) is this one.

    Given what was true, every slot comes back as it was, but for what others alone know: which cards they drew and put back.

    >>> from durak_widget import Game
    >>> game = Game(seed=7); game.play("attack Jc")
    >>> state = state_of(game.view(0).sight, [hand.mask for hand in game.hands], [card.code for card in game.talon])
    >>> state.key() == game.state.key()
    True
    """
    kit = kit_of(sight.rules)
    _check(sight, hands, talon, kit)
    hands, state = list(map(plainly, hands)), blank_state(kit)
    out = 1 << sight.turn_up if sight.turn_up is not None and deal_and_trump.place_of_turn_up(sight.rules) == "aside" else 0
    if sight.aside:
        out = _rest_of(kit, sight, hands, talon)
    bits = list(talon)
    if kit.twins:
        used = 0
        found = []
        for mask in (sight.table, sight.discard, out, *hands):
            laid = copies(mask, used)
            used |= laid
            found.append(laid)
        state.table, state.discard, state.aside, *state.hands = found
        for place, face in enumerate(talon):
            bits[place] = 1 << face + FACES if used >> face & 1 else 1 << face
            used |= bits[place]
        state.seen = list(starmap(copies_held, zip(sight.seen, state.hands, strict=True)))
    else:
        state.table, state.discard, state.aside, state.hands = sight.table, sight.discard, out, list(hands)
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
    mine = dict(sight.drew)
    for end in sight.ends:
        drew = tuple((seat, count, mine[end[0]] if seat == sight.seat else 0) for seat, count in end[DREW])
        state.ends.append((*end[:DREW], drew, *end[DREW + 1 :]))
        mine.pop(end[0], None)
    state.brought = tuple(
        (ply + 1, seat, mine.get(ply + 1, 0))
        for ply, (seat, move) in enumerate(zip(sight.actors, sight.moves, strict=True))
        if move is None or move.kind == _SWAP
    )
    if sight.outcome is None:
        state.throwers = kit.throwers(state.attacker, state.defender, state.newest, state.seats_in)
        state.past = tuple([_then(start, state.hands, twins=kit.twins) for start in sight.past])
    return state


def _check(sight: Sight, hands: Sequence[int], talon: Sequence[int], kit: Kit) -> None:
    """Refuse a world that this seat does not see so."""
    if sight.known is None or sight.covered:
        raise PositionError("a state is made of a view with memory that is not covered; ask game.view(seat) for one")
    try:
        fits = len(hands) == len(sight.counts) and len(talon) == sight.talon_count
        fits = fits and 0 <= min(talon, default=0) <= max(talon, default=0) < FACES
        counts = tuple(map(int.bit_count, hands)) if fits else ()
    except TypeError:
        raise PositionError("hands are masks and the talon is faces: numbers, as in [hand.mask …] and [card.code …]") from None
    if counts != sight.counts:
        raise PositionError(f"give hands of {sight.counts} cards, and a talon of {sight.talon_count} faces from 0 to {FACES - 1}")
    lying = [1 << face for face in talon]
    if kit.twins:
        left, laid = kit.all_cards, 0
        for bit in lying:
            laid |= bit << FACES if laid & bit else bit
        fits = laid.bit_count() == len(talon)
        for mask in (sight.table, sight.discard, *map(plainly, hands), laid):
            fits, left = fits and not minus(mask, left), minus(left, mask)
        fits = fits and all(not minus(known, plainly(hand)) for known, hand in zip(sight.known, hands, strict=True))
    else:
        everything = sum(hands) + sum(lying) + sight.table + sight.discard  # a card that is there twice makes fewer bits
        fits = everything.bit_count() == sum(counts) + len(talon) + sight.table.bit_count() + sight.discard_count
        fits = fits and not everything & ~kit.all_cards and not any(known & ~hand for known, hand in zip(sight.known, hands, strict=True))
    if not fits or any(talon[place] != face for place, face in sight.talon_known) or plainly(hands[sight.seat]) != sight.hand:
        raise PositionError(
            f"seat {sight.seat} sees that these hands and this talon cannot be; give every card a place that its view allows"
        )


def _rest_of(kit: Kit, sight: Sight, hands: Sequence[int], talon: Sequence[int]) -> int:
    """The one card that lies nowhere else; where more than one is missing, nobody can say which is aside."""
    left = minus(minus(kit.all_cards, sight.table), sight.discard)
    for mask in (*map(plainly, hands), *(1 << face for face in talon)):
        left = minus(left, mask)
    if left.bit_count() != 1:
        raise PositionError(
            f"a card lies aside, and {left.bit_count()} are in no place; only where the whole deck is there can it be said which"
        )
    return left


def _turn_up(state: State, sight: Sight) -> None:
    """The card that lies face up, and the one under it."""
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
    """The cards that the viewer put under the talon: those of the talon that it knows, and those it knows somebody drew."""
    if not any(state.kit.swaps and times for times in sight.swapped):
        return
    mine, talon = 0, state.talon
    for place, _ in sight.talon_known:
        mine |= talon[place] & ~state.face_up
    for seat, hand in enumerate(state.hands):
        if seat != sight.seat and sight.known:
            only_mine = minus(sight.known[seat], sight.seen[seat])
            mine |= copies_held(only_mine, hand & ~state.seen[seat]) & hand if only_mine else 0
    state.put_back = tuple(mine if seat == sight.seat else 0 for seat in range(len(state.hands)))


def _then(start: tuple[int, ...], hands: Sequence[int], *, twins: bool) -> tuple[int, ...]:
    """One of those starts again, given the hands of now."""
    attacker, *wandered = start
    if not twins:
        return (attacker, *map(xor, wandered, hands))
    return (
        attacker,
        *(plus(minus(plainly(hand), more), less) for hand, less, more in zip(hands, wandered[::2], wandered[1::2], strict=True)),
    )
