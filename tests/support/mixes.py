"""Random mixes of all options, and games played with them."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from durak_widget import Game, Rules
from durak_widget.cards import FACE_COUNT, SUITS, normalize_copies
from durak_widget.engine.history import DRAW_COUNTS_INDEX
from support.oracle_book import random_mix

if TYPE_CHECKING:
    from durak_widget.engine.state import State

mixes = st.integers(0, 2**40).map(lambda number: Rules(**random_mix(Random(number))))
"""A random valid mix of all options."""

presets = st.sampled_from(sorted(Rules.presets())).flatmap(
    lambda name: st.sampled_from(
        [rules for rules in (_sized(name, players) for players in range(2, 7)) if rules is not None],
    ),
)
"""A preset for any possible number of players."""

seeds = st.integers(0, 2**32)
MOST_PLIES = 600
anything = presets | mixes

SIZED = [
    Rules(players=2, ranks="9TJQ", suits="cd", hand_size=2),
    Rules(players=3, ranks="9TJQ", suits="cd", hand_size=2),
    Rules(players=2, ranks="9TJ", suits="cd", hand_size=2, decks=2),
    Rules(players=2, ranks="9TJQ", suits="cd", hand_size=2, swaps=2),
    Rules(players=2, ranks="9TJQ", suits="cd", hand_size=2, hidden_trump=True),
    Rules(players=2, ranks="9TJQ", suits="cd", deal="all"),
    Rules(players=2, ranks="9TJQ", suits="cd", deal="all_but_one", transfer=True, passport=True),
    Rules(players=2, ranks="6789", suits="cd", hand_size=2, weli="sixes", opening="same_rank"),
    Rules(players=2, ranks="9TJQ", suits="cd", hand_size=2, out_when="at_once", goal="first_out", turn_up="aside"),
    Rules(players=2, ranks="9TJQ", suits="cd", hand_size=2, turn_up="top", throw_in_when="any_time"),
]
"""Small decks, in which different deals often look the same."""


def _sized(name: str, players: int) -> Rules | None:
    try:
        return Rules.preset(name, players=players)
    except ValueError:
        return None


def played(rules: Rules, seed: int, plies: int) -> Game:
    """Return a game of random moves, stopped after that many or at its end."""
    game, rng = Game(rules, seed=seed), Random(seed)
    while game.actor is not None and game.ply < plies:
        game.play(rng.choice(game.legal_moves()))
    return game


_MASKS = {"hands", "discard", "table", "turn_up", "drawable_turn_up", "hidden_card", "card_aside"}
_LOOKED_UP = {"compiled_rules", "beater_masks", "beating_moves", "legal_moves", "talon_suffix_masks"}
_KNOWLEDGE = {"publicly_seen", "cards_put_back"}


def snapshot(state: State) -> tuple[object, ...]:
    """Return everything in a state for comparison; copies of a card are equal."""
    said = [(slot, _frozen(slot, getattr(state, slot))) for slot in state.__slots__ if slot not in _LOOKED_UP | _KNOWLEDGE]
    said += [("known", knowledge(state, seat)) for seat in range(len(state.hands))]
    said += [("drew", drew(state, seat)) for seat in range(len(state.hands))]
    return tuple(said)


def drew(state: State, seat: int) -> tuple[tuple[int, int], ...]:
    """Return which cards a seat has picked up unseen, and when."""
    cards_drawn = [(end[0], mask) for end in state.bout_ends for who, _, mask in end[DRAW_COUNTS_INDEX] if who == seat]
    cards_drawn += [(ply, mask) for ply, who, mask in state.swap_draws if who == seat]
    return tuple((ply, normalize_copies(mask)) for ply, mask in sorted(cards_drawn))


def knowledge(state: State, seat: int) -> tuple[int, ...]:
    """Return what a seat knows of the others' hands, and where in the talon it knows its own cards."""
    mine = state.cards_put_back[seat]
    known = [
        normalize_copies((seen | (mine if who != seat else 0)) & hand)
        for who, (seen, hand) in enumerate(zip(state.publicly_seen, state.hands, strict=True))
    ]
    return (*known, *(place for place, bit in enumerate(state.talon) if bit & mine))


def _frozen(slot: str, value: object) -> object:
    if slot == "talon":
        return tuple((bit.bit_length() - 1) % FACE_COUNT for bit in value)
    if slot in _MASKS:
        return tuple(map(normalize_copies, value)) if isinstance(value, list | tuple) else normalize_copies(value)
    if slot == "bout_ends":
        return tuple(
            (*end[:DRAW_COUNTS_INDEX], tuple((seat, count) for seat, count, _ in end[DRAW_COUNTS_INDEX]), *end[DRAW_COUNTS_INDEX + 1 :])
            for end in value
        )
    if slot == "swap_draws":
        return tuple((ply, seat) for ply, seat, _ in value)
    return tuple(value) if isinstance(value, list) else value


def cards_everywhere(state: State) -> int:
    """Return the sum of the bits of all cards; a repeated card makes it too large."""
    return sum(state.hands) + sum(state.talon) + state.discard + state.table + state.card_aside


ALL_FACES = [f"{rank}{suit}" for suit in SUITS for rank in "23456789TJQKA"] + ["Xr", "Xb"]
assert len(ALL_FACES) == FACE_COUNT
