"""Test statements about worlds before they are counted: possible hands, and the number of worlds below a limit."""

from __future__ import annotations

from hypothesis import assume, given

from durak_widget import Rules, analysis
from durak_widget.analysis.deal_counting import enumerate_shares
from support.mixes import anything, played, seeds


@given(anything, seeds)
def test_a_possible_hand_has_at_least_one_way(rules, seed):
    """`is_possible` agrees with counting, for every hand of the size, by kinds of cards."""
    game = played(rules, seed, seed % 60)
    assume(game.actor is not None)
    for hand in analysis.worlds(game.view(game.actor))._sampler.hand_counters.values():
        for place, held in enumerate(enumerate_shares(tuple([hand.size] * len(hand.max_counts)), hand.size)):
            if place == 200:
                break
            assert hand.is_possible(held) == bool(hand.count_ways(held))


def test_has_fewer_than_agrees_with_counting():
    """By counting, and, if others have swapped cards unseen, by listing no more than needed."""
    listed = few = 0
    for seed in range(24):
        name, players = [("econ431", 2), ("poker", 2), ("podkidnoy", 3)][seed % 3]
        game = played(Rules.preset(name, players=players), seed, 20 + seed)
        if game.actor is None:
            continue
        worlds = analysis.worlds(game.view(game.actor))
        count = worlds.count()
        for than in (1, 2, 30, 1000):
            assert worlds.has_fewer_than(than) == (count.is_exact and count < than)
        listed += worlds._sampler.exact_layouts is None and count.is_exact
        few += count.is_exact and count < 30
    assert listed
    assert few > 1
