"""What a policy chooses, on a state: the first legal move, any by chance, or what the careful bot of `bots/heuristic_bots.py` would play."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from durak_widget.cards import FACES, SUITS, Card, CardSet, folded
from durak_widget.engine import cheapest_move, state_transitions
from durak_widget.engine.cheapest_move import face_prices
from durak_widget.engine.compiled_rules import COUNTS, mask_of_trumps
from durak_widget.engine.moves import PASS_MOVE, TAKE_MOVE
from durak_widget.engine.state import ADD, OPEN
from durak_widget.errors import BotError, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.engine.compiled_rules import Kit
    from durak_widget.engine.moves import Move
    from durak_widget.engine.state import State
    from durak_widget.fast_engine.random_generator import SplitMix

    Chooser = Callable[[State, SplitMix], Move]

POLICIES: Final = ("random", "first", "careful")
"""The policies that play, as the kernel counts them."""
_SUITED: Final = (1 << 52) - 1
_RANK: Final = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The twos of the four suits: shifted, any other rank."""


def policies_named(policy: object, players: int) -> list[int]:
    """The policy of each seat, as the kernel counts them, from one name or a list of them."""
    named = [policy] * players if isinstance(policy, str) else list(policy) if isinstance(policy, (list, tuple)) else [policy]
    if len(named) != players:
        raise BotError(f"there are {players} seats, and policy names {len(named)}; name one policy, or one for each seat")
    for one in named:
        if one not in POLICIES:
            raise BotError(f"there is no policy {quoted(one)}.{nearest(one, POLICIES)} Say one of {', '.join(map(repr, POLICIES))}")
    return [POLICIES.index(one) for one in named]


def chooser(policy: int) -> Chooser:
    """What chooses by a policy, from a state."""
    if POLICIES[policy] == "careful":
        return lambda state, _: careful(state)
    if POLICIES[policy] == "first":
        return lambda state, _: state_transitions.legal_moves(state)[0]
    return lambda state, chance: (moves := state_transitions.legal_moves(state))[chance.below(len(moves))]


def careful(state: State) -> Move:
    """What the careful bot plays: found from the masks, without a list of what may be played where a card is played in one way alone.

    >>> from durak_widget import Game
    >>> careful(Game.at("6c 7c | 6h Tc Ac; trump h; table 9c").state)
    Move('beat 9c Tc')
    """
    kit = state.kit
    if kit.declared or kit.several or kit.swaps:
        return _listed(state, kit)
    if state.phase == OPEN:
        return kit.openings(_cheapest(state.hands[state.attacker], state.suit))[0]
    if state.phase == ADD:
        bit = _cheapest(state.hands[state.actor] & state.ranks, state.suit)  # type: ignore[index]
        return PASS_MOVE if len(state.rest) > 1 and not bit & _plain(state.suit) else kit.throws[bit][0]
    return _defence(state, kit)


def _listed(state: State, kit: Kit) -> Move:
    """What costs least of all legal moves, where a card may be played in more ways than one."""
    by_face, legal = face_prices(kit.rules, state.suit), state_transitions.legal_moves(state)

    def price(card: Card) -> int:
        return by_face[card.face_code]

    trump = None if state.suit is None else SUITS[state.suit]
    if state.phase == OPEN:
        return cheapest_move.opening(legal, price, trump)
    if state.phase == ADD:
        return cheapest_move.throwing(legal, price, trump, talon=len(state.rest) > 1)
    unbeaten = [Card.of(COUNTS[code]) for code, beat in zip(state.attacks, state.beats, strict=True) if beat < 0]
    return cheapest_move.defending(legal, price, CardSet.of(state.hands[state.defender]), unbeaten)[1]


@lru_cache(maxsize=8)
def _plain(suit: int | None) -> int:
    """The cards that are neither trumps nor jokers, in one deck."""
    return _SUITED & ~mask_of_trumps(suit)


def _cheapest(cards: int, suit: int | None) -> int:
    """Of these cards the one that costs least, of equal ones the first, as the bit of its face: a plain one before a trump, a joker last."""
    faces = folded(cards)
    some = faces & _plain(suit) or faces & _SUITED
    if not some:
        return faces & -faces
    ranks = (some | some >> 13 | some >> 26 | some >> 39) & 0x1FFF
    some &= _RANK * (ranks & -ranks)
    return some & -some


def _defence(state: State, kit: Kit) -> Move:
    """Of transferring, showing and beating all that lies there, what costs least; else it takes."""
    hand, suit = state.hands[state.defender], state.suit
    best, least = TAKE_MOVE, 0
    if kit.transfers and state.unbeaten == len(state.attacks) and state.bout >= kit.transfer_from:
        for move in state_transitions.LEGAL[state.phase](state):  # what was shown, and how much room there is, is known there
            if move.verb in {"transfer", "show"}:
                cost = 0 if move.verb == "show" else face_prices(kit.rules, suit)[move.code]
                if best is TAKE_MOVE or cost < least:
                    best, least = move, cost
    todo = [COUNTS[code] for code, beat in zip(state.attacks, state.beats, strict=True) if beat < 0]
    first, cost = None, 0
    while todo:
        answers = [hand & state.reach[face] for face in todo]
        fewest = min(answers, key=_faces) if len(todo) > 1 else answers[0]
        if not fewest:
            return best
        place = answers.index(fewest)
        bit = _cheapest(fewest, suit)
        cost += face_prices(kit.rules, suit)[bit.bit_length() - 1]
        if first is None:
            first = state.answers[todo[place]][3].of(bit.bit_length() - 1)[0]
        hand ^= hand & (bit | bit << FACES) & -(hand & (bit | bit << FACES))
        del todo[place]
    assert first is not None  # noqa: S101 - the defender is asked when something is to be beaten
    return first if best is TAKE_MOVE or cost < least else best


def _faces(cards: int) -> int:
    """How many different faces there are among some cards."""
    return folded(cards).bit_count()
