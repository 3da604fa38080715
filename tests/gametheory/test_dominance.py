"""Test dominated strategies for any number of players: by the definition, and as in the literature."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from durak_widget import gametheory
from durak_widget.gametheory.strategic_form import DominatedStrategy, list_pure_strategies
from durak_widget.gametheory.strategy import Strategy, pure_row
from durak_widget.gametheory.tree import TreeError
from support.books_matrices import BOOKS
from support.by_trying import payoffs
from support.random_trees import hidden_tree


def payoff_table(tree):
    """Return the pure strategies of all players, and the payoffs of each profile."""
    plans = list_pure_strategies(tree)
    profile_payoffs = {}
    for profile in product(*map(range, map(len, plans))):
        rows = [pure_row(0, len(infoset.actions)) for infoset in tree.infosets]
        for seat, number in enumerate(profile):
            for place, move in plans[seat][number].actions.items():
                rows[place] = pure_row(move, len(rows[place]))
        profile_payoffs[profile] = payoffs(tree, Strategy(tree, rows))
    return plans, profile_payoffs


def advantages(profile_payoffs, seat, mix, place, kept):
    """Return how much better a mixture is than a pure strategy, against each remaining profile of the others."""
    rest = product(*(places if other != seat else (None,) for other, places in enumerate(kept)))
    return [
        sum(probability * profile_payoffs[(*profile[:seat], by, *profile[seat + 1 :])][seat] for by, probability in mix.items())
        - profile_payoffs[(*profile[:seat], place, *profile[seat + 1 :])][seat]
        for profile in rest
    ]


def parse_mixture(mixture_text, words):
    """Parse a mixture: numbers of pure strategies, each with its probability."""
    if mixture_text in words:
        return {words.index(mixture_text): Fraction(1)}
    parts = [part.split(" ", 1) for part in mixture_text.split(" + ")]
    return {words.index(plan): Fraction(probability) for probability, plan in parts}


def test_each_elimination_step_satisfies_the_definition():
    """In random games for two and three, an eliminated strategy is worse than its dominator, and no remaining one is dominated."""
    for weak in (False, True):
        rng, struck, mixed = Random(7), 0, 0
        for number in range(60):
            tree = hidden_tree(rng, seats=2 + number % 2, most=3)
            plans, profile_payoffs = payoff_table(tree)
            words = [[str(plan) for plan in some] for some in plans]
            if any(len(set(some)) < len(some) or any("+" in word for word in some) for some in words):
                continue
            found = gametheory.eliminate_dominated_strategies(tree, weak=weak)
            kept = [list(range(len(some))) for some in plans]
            for step in found.steps:
                place, mix = words[step.player].index(step.strategy), parse_mixture(step.dominator, words[step.player])
                better = advantages(profile_payoffs, step.player, mix, place, kept)
                assert min(better) > 0 if step.is_strict else min(better) == 0 < max(better)
                assert set(mix) <= set(kept[step.player])
                kept[step.player].remove(place)
                struck, mixed = struck + 1, mixed + (len(mix) > 1)
            assert [[words[seat].index(str(plan)) for plan in some] for seat, some in enumerate(found.remaining)] == kept
            for seat, places in enumerate(kept):
                for remaining, other in product(places, places):
                    better = advantages(profile_payoffs, seat, {other: 1}, remaining, kept)
                    assert min(better) <= 0
                    assert not weak or min(better) < 0 or max(better) == 0
        assert struck > 50


def test_two_player_elimination_agrees_with_the_matrix():
    """The matrix eliminates the same strategies, if no mixture is needed."""
    rng = Random(8)
    for _ in range(40):
        tree = hidden_tree(rng, most=3)
        table = gametheory.matrix(tree)
        alone = {str(dominated) for dominated in table.dominated_strategies()}
        assert alone <= {str(dominated) for dominated in gametheory.find_dominated_strategies(tree)} | {
            str(line) for line in alone if "weakly" in line
        }
        assert gametheory.find_dominated_strategies(tree) == gametheory.find_dominated_strategies(table)


def test_a_mixture_may_dominate_where_no_pure_strategy_does():
    """Osborne 2004, figure 120.1; Gibbons 1992, figures 1.3.1 and 1.3.2: 1 against 3 and 0 is never best, 2 is."""
    [found] = gametheory.find_dominated_strategies([[(3, 0), (0, 0)], [(0, 0), (3, 0)], [(1, 0), (1, 0)]], weak=False)
    assert found == DominatedStrategy(0, "Row", "C", "1/2 A + 1/2 B", is_strict=True)
    assert not gametheory.find_dominated_strategies([[(3, 0), (0, 0)], [(0, 0), (3, 0)], [(2, 0), (2, 0)]], weak=False)
    [found] = gametheory.find_dominated_strategies([[(1, 0), (1, 0)], [(4, 0), (0, 0)], [(0, 0), (3, 0)]], weak=False)
    assert found.strategy == "A"


def test_rationalizable_strategies_are_left():
    """Osborne and Rubinstein 1994, section 4.1, after Bernheim: b4 is eliminated, because a mixture of b1 and b3 is better; then a4, and no more."""
    found = gametheory.eliminate_dominated_strategies(BOOKS["bernheim"].tree)
    assert [step.strategy for step in found.steps] == ["b4", "a4"]
    assert [[str(plan) for plan in some] for some in found.remaining] == [["a1", "a2", "a3"], ["b1", "b2", "b3"]]


def test_voting_against_ones_preference_is_weakly_dominated():
    """Osborne 2004, section 2.9.3: for each of the three, voting for the other candidate is weakly, not strictly, dominated. If two do not do it, the third may do anything."""
    tree = BOOKS["voting"].tree
    assert [
        (dominated.player_name, dominated.strategy, dominated.is_strict) for dominated in gametheory.find_dominated_strategies(tree)
    ] == [
        ("One", "B", False),
        ("Two", "B", False),
        ("Three", "A", False),
    ]
    assert not gametheory.find_dominated_strategies(tree, weak=False)
    assert [[str(plan) for plan in some] for some in gametheory.eliminate_dominated_strategies(tree, weak=True).remaining] == [
        ["A"],
        ["A"],
        ["A", "B"],
    ]


def test_the_order_of_weak_elimination_may_matter():
    """Mas-Colell, Whinston and Green 1995, section 8.B: U and M are weakly dominated by D; the order decides what is left for Column."""
    tree = BOOKS["weakly"].tree
    assert [dominated.strategy for dominated in gametheory.find_dominated_strategies(tree)] == ["U", "M"]
    cells = {"U": [(5, 1), (4, 0)], "M": [(6, 0), (3, 1)], "D": [(6, 4), (4, 4)]}
    for first, then in (("U", "L"), ("M", "R")):
        left = {row: line for row, line in cells.items() if row != first}
        found = gametheory.find_dominated_strategies(list(left.values()))
        assert {"L": "a", "R": "b"}[then] in [dominated.strategy for dominated in found if dominated.player_name == "Column"]
    assert [[str(plan) for plan in some] for some in gametheory.eliminate_dominated_strategies(tree, weak=True).remaining] == [
        ["D"],
        ["L", "R"],
    ]


def test_too_large_a_game_is_refused_with_its_size():
    """The size is the number of pure strategy profiles."""
    with pytest.raises(TreeError, match=r"would.*profiles.*limit"):
        gametheory.find_dominated_strategies(gametheory.textbook("chain-store"))
    with pytest.raises(TreeError, match=r"payoffs.*list of rows"):
        gametheory.find_dominated_strategies("dilemma")


def test_elimination_warns_about_absent_minded_players():
    """The driver's pure strategies give 0 and 1, and the best behaviour mixes both; the result says so. Without absent-mindedness it says nothing."""
    left = gametheory.eliminate_dominated_strategies(gametheory.textbook("driver"))
    assert left.absent_minded_players == ("Driver",)
    assert str(left).splitlines()[-1].startswith("Driver is absent-minded")
    assert gametheory.eliminate_dominated_strategies(gametheory.textbook("entry")).absent_minded_players == ()
