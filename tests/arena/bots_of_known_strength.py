"""Bots of known strength: for each game, a bot plays carefully with a fixed probability and otherwise at random; and small tournaments of them."""

from __future__ import annotations

from functools import lru_cache
from math import exp
from random import Random
from typing import NamedTuple

from durak_widget import Rules, fast_engine
from durak_widget.arena.bradley_terry import BradleyTerryFit, PairResults
from durak_widget.arena.ratings import Standings, rate_bots
from durak_widget.engine import state_transitions
from durak_widget.engine.compiled_rules import compile_rules
from durak_widget.engine.state import deal_state
from durak_widget.fast_engine.game_simulation import POLICIES, get_choose_function
from durak_widget.fast_engine.random_generator import SplitMix64, mix_bits
from support.sizes import tried

DEALS = tried(400, 1000)
PLAYED = ("careful", "random")
UNEQUAL = (0.9, 0.7, 0.6, 0.45, 0.3)
"""The probability of careful play of each of five bots."""
EQUAL = (0.5,) * 5


@lru_cache(maxsize=1)
def game_results() -> dict[tuple[str, str], list[tuple[float, float]]]:
    """Return, for each pairing and deal, the first bot's points from seat 0 and from seat 1."""
    compiled_rules, choosers = compile_rules(Rules()), {name: get_choose_function(POLICIES.index(name)) for name in PLAYED}
    found = {}
    for number, pair in enumerate((name, other) for name in PLAYED for other in PLAYED):
        found[pair] = []
        for deal in range(DEALS):
            points = []
            for seat in (0, 1):
                chance, by_deal = SplitMix64(mix_bits(deal << 8 | number << 1 | seat)), SplitMix64(mix_bits(deal))
                deck = list(compiled_rules.deck)
                by_deal.shuffle(deck)
                state = deal_state(compiled_rules, deck, by_deal.random_below(2))
                state_transitions.begin_first_bout(state)
                while state.actor is not None:
                    state_transitions.apply_move(state, choosers[pair[state.actor != seat]](state, chance))
                points.append((state.outcome.utilities[seat] + 1) / 2)
            found[pair].append(tuple(points))
    return found


@lru_cache(maxsize=1)
def careful_share_against_random() -> float:
    """Return the true share, from 200,000 games of the fast engine."""
    games = fast_engine.simulate_games("podkidnoy", count=200_000, seed=431, policy=list(PLAYED))
    return (games.wins[0] + games.ties / 2) / games.count


class TrueStrengths(NamedTuple):
    """The true share of each bot against each other, and the true ratings if all meet equally often."""

    shares: dict[tuple[int, int], float]
    points: list[float]


def true_strengths(field: tuple[float, ...]) -> TrueStrengths:
    """Return the truth for bots with these probabilities of careful play: shares are mixtures, ratings are fitted to unlimited games."""
    edge = careful_share_against_random() - 0.5
    pairs = [(i, j) for i in range(len(field)) for j in range(i + 1, len(field))]
    shares = {(i, j): 50 + 100 * edge * (field[i] - field[j]) for i, j in pairs}
    met = [PairResults(i, j, (0,), (shares[i, j] * 1e4,), (1e6,)) for i, j in pairs]
    strengths = BradleyTerryFit(len(field), met, 1e-6).strengths
    others = [(sum(strengths) - strength) / (len(field) - 1) for strength in strengths]
    return TrueStrengths(shares, [100 / (1 + exp(other - strength)) for strength, other in zip(strengths, others, strict=True)])


def play_tournament(field: tuple[float, ...], deals: int, seed: int, *, together: bool) -> Standings:
    """Rank bots of known strength after `deals` deals of each pair from both seats, with common or separate deals."""
    chance, dealt = Random(seed), game_results()

    def meet(i: int, j: int, deal: int) -> tuple[int, int, float, float]:
        points = 0.0
        for seat in (0, 1):
            name, other = (PLAYED[chance.random() >= field[who]] for who in (i, j))
            points += dealt[name, other][deal][seat]
        return i, j, points, 2

    pairs = [(i, j) for i in range(len(field)) for j in range(i + 1, len(field))]
    units = []
    for _ in range(deals):
        deal = chance.randrange(DEALS)
        if together:
            units.append(tuple(meet(i, j, deal) for i, j in pairs))
        else:
            units += [(meet(i, j, chance.randrange(DEALS)),) for i, j in pairs]
    return rate_bots(len(field), units, seed=seed)
