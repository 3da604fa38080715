"""How bouts begin and end: the table cleared, the hands refilled, who is out, and whether the game is over.

As the engine, it names no variant: every rule comes to it from the kit, as a number, a mask or a table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from durak_widget.cards import Card, card_of, plainly
from durak_widget.engine.state import OPEN, OVER
from durak_widget.rules import deal_and_trump, scoring

if TYPE_CHECKING:
    from durak_widget.engine.state import State


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
