"""Exchanging two cards with the talon: when it may be done, with which cards, and who then knows what."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, Final

from durak_widget.cards import FACES, ONE_DECK, Card, bits_of, folded
from durak_widget.engine.moves import Move

if TYPE_CHECKING:
    from durak_widget.engine.state import State

_SWAPPED: Final = 2
"""How many cards a swap exchanges."""


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
