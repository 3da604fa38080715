"""Find worlds by dealing every deck and playing the same moves: slow, and independent of how the package counts."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import TYPE_CHECKING

from durak_widget import Card, Game, Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from durak_widget import Observation

Key = tuple[tuple[str, ...], tuple[str, ...]]
"""The hands and the talon of now."""


def world_key(game: Game) -> Key:
    """Return a world as texts."""
    return tuple(map(str, game.hands)), tuple(map(str, game.talon))


def possible_decks(rules: Rules, view: Observation, real: Game) -> Iterator[list[Card]]:
    """Yield all orders of the deck in which the viewer gets the same cards; cards of a hand are in card order."""
    start = real.copy()
    start.goto(0)
    aside = [] if start.card_aside is None else [start.card_aside]
    sizes = [len(hand) for hand in start.hands]
    first = (real.dealer + 1) % len(sizes)
    order = [(first + k) % len(sizes) for k in range(len(sizes))]
    mine = start.hands[view.seat]
    pool = sorted([*start.talon, *aside, *(card for seat, hand in enumerate(start.hands) if seat != view.seat for card in hand)])
    for dealt, over in _other_hands(pool, sizes, view.seat, list(mine)):
        for talon in permutations(over):
            deck = [dealt[seat][turn] for turn in range(max(sizes)) for seat in order if turn < sizes[seat]]
            yield [*deck, *talon]


def _other_hands(
    left: list[Card], sizes: Sequence[int], viewer: int, mine: list[Card], seat: int = 0
) -> Iterator[tuple[list[list[Card]], list[Card]]]:
    if seat == len(sizes):
        yield [], left
        return
    if seat == viewer:
        for others, over in _other_hands(left, sizes, viewer, mine, seat + 1):
            yield [mine, *others], over
        return
    for places in combinations(range(len(left)), sizes[seat]):
        hand = [left[i] for i in places]
        rest = [card for i, card in enumerate(left) if i not in places]
        for others, over in _other_hands(rest, sizes, viewer, mine, seat + 1):
            yield [hand, *others], over


def worlds(real: Game, view: Observation) -> list[Game]:
    """Return every deal from which the same moves lead to an equal view, as the resulting games; all swaps that the view hides are tried."""
    found = []
    start = real.copy()
    start.goto(0)
    for deck in possible_decks(real.rules, view, real):
        game = Game(real.rules, deck=deck, dealer=real.dealer, first_attacker=start.attacker)
        if game.view(view.seat) == start.view(view.seat):
            found += [world for world in _replayed(game, view, 0) if world.view(view.seat) == view]
    return found


def _replayed(game: Game, view: Observation, ply: int) -> Iterator[Game]:
    for done in range(ply, view.ply):
        seat, move = view.data.actors[done], view.data.moves[done]
        if game.actor != seat:
            return
        if move is None:
            for swap in game.legal_moves():
                if swap.verb == "swap":
                    other = game.copy()
                    other.play(swap)
                    yield from _replayed(other, view, done + 1)
            return
        if move not in game.legal_moves():
            return
        game.play(move)
    yield game


def random_game(rules: Rules, rng: Random, plies: int) -> Game:
    """Return a game of random moves from a random deal, stopped after `plies` moves or just before its end."""
    game = Game(rules, seed=rng.getrandbits(32), dealer=rng.randrange(rules.players))
    while game.ply < plies:
        after = game.copy()
        after.play(rng.choice(game.legal_moves()))
        if after.actor is None:
            break
        game = after
    return game
