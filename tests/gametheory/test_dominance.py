"""Plans that nobody should follow, for any number of players: what is found is so by definition, and what the books strike is struck."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from durak_widget import gametheory
from durak_widget.gametheory.strategic_form import list_pure_strategies
from durak_widget.gametheory.strategy import Strategy, pure_row
from durak_widget.gametheory.tree import TreeError
from support.books_matrices import BOOKS
from support.by_trying import payoffs
from support.random_trees import hidden_tree


def table_of(tree):
    """The plans of everybody, and what each profile of them brings, played out."""
    plans = list_pure_strategies(tree)
    worth = {}
    for profile in product(*map(range, map(len, plans))):
        rows = [pure_row(0, len(one.actions)) for one in tree.infosets]
        for seat, number in enumerate(profile):
            for place, move in plans[seat][number].actions.items():
                rows[place] = pure_row(move, len(rows[place]))
        worth[profile] = payoffs(tree, Strategy(tree, rows))
    return plans, worth


def beats(worth, seat, mix, place, kept):
    """How much a mix of plans is better than one, against each profile of the others that are left."""
    rest = product(*(places if other != seat else (None,) for other, places in enumerate(kept)))
    return [
        sum(likely * worth[(*one[:seat], by, *one[seat + 1 :])][seat] for by, likely in mix.items())
        - worth[(*one[:seat], place, *one[seat + 1 :])][seat]
        for one in rest
    ]


def mix_of(said, words):
    """A mix as it is written: places of plans, each with how likely it is."""
    if said in words:
        return {words.index(said): Fraction(1)}
    parts = [one.split(" ", 1) for one in said.split(" + ")]
    return {words.index(plan): Fraction(likely) for likely, plan in parts}


def test_each_step_is_so_by_definition():
    """Of random games for two and three: whatever is struck is worse than what is said to beat it, and of what is left no plan is beaten by another."""
    for weak in (False, True):
        rng, struck, mixed = Random(7), 0, 0
        for number in range(60):
            tree = hidden_tree(rng, seats=2 + number % 2, most=3)
            plans, worth = table_of(tree)
            words = [[str(plan) for plan in some] for some in plans]
            if any(len(set(some)) < len(some) or any("+" in one for one in some) for some in words):
                continue
            found = gametheory.eliminate_dominated_strategies(tree, weak=weak)
            kept = [list(range(len(some))) for some in plans]
            for step in found.steps:
                place, mix = words[step.player].index(step.strategy), mix_of(step.dominator, words[step.player])
                better = beats(worth, step.player, mix, place, kept)
                assert min(better) > 0 if step.is_strict else min(better) == 0 < max(better)
                assert set(mix) <= set(kept[step.player])
                kept[step.player].remove(place)
                struck, mixed = struck + 1, mixed + (len(mix) > 1)
            assert [[words[seat].index(str(plan)) for plan in some] for seat, some in enumerate(found.remaining)] == kept
            for seat, places in enumerate(kept):
                for one, other in product(places, places):
                    better = beats(worth, seat, {other: 1}, one, kept)
                    assert min(better) <= 0
                    assert not weak or min(better) < 0 or max(better) == 0
        assert struck > 50


def test_two_may_ask_of_the_matrix_what_the_tree_says():
    """The same plans by another route, where no mix is asked for."""
    rng = Random(8)
    for _ in range(40):
        tree = hidden_tree(rng, most=3)
        table = gametheory.matrix(tree)
        alone = {str(one) for one in table.dominated_strategies()}
        assert alone <= {str(one) for one in gametheory.find_dominated_strategies(tree)} | {str(one) for one in alone if "weakly" in one}
        assert gametheory.find_dominated_strategies(tree) == gametheory.find_dominated_strategies(table)


def test_a_mix_may_dominate_where_no_plan_does():
    """Osborne 2004, figure 120.1; Gibbons 1992, figures 1.3.1 and 1.3.2: 1 against 3 and 0 is never best, 2 is."""
    [found] = gametheory.find_dominated_strategies([[(3, 0), (0, 0)], [(0, 0), (3, 0)], [(1, 0), (1, 0)]], weak=False)
    assert str(found) == "Row: C is strictly dominated by 1/2 A + 1/2 B"
    assert not gametheory.find_dominated_strategies([[(3, 0), (0, 0)], [(0, 0), (3, 0)], [(2, 0), (2, 0)]], weak=False)
    [found] = gametheory.find_dominated_strategies([[(1, 0), (1, 0)], [(4, 0), (0, 0)], [(0, 0), (3, 0)]], weak=False)
    assert found.strategy == "A"


def test_what_is_rationalizable_is_left():
    """Osborne and Rubinstein 1994, section 4.1, after Bernheim: b4 goes, as a mix of b1 and b3 is better; then a4, and no more."""
    found = gametheory.eliminate_dominated_strategies(BOOKS["bernheim"].tree)
    assert [one.strategy for one in found.steps] == ["b4", "a4"]
    assert [[str(plan) for plan in some] for some in found.remaining] == [["a1", "a2", "a3"], ["b1", "b2", "b3"]]


def test_who_prefers_a_votes_for_it():
    """Osborne 2004, section 2.9.3: to vote for the other one is weakly dominated, and not strictly, for each of the three; where two do not do so the third may do anything."""
    tree = BOOKS["voting"].tree
    assert [(one.player_name, one.strategy, one.is_strict) for one in gametheory.find_dominated_strategies(tree)] == [
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


def test_the_order_may_matter_where_domination_is_weak():
    """Mas-Colell, Whinston and Green 1995, section 8.B: U and M are weakly dominated by D; which goes first decides what Column thinks of."""
    tree = BOOKS["weakly"].tree
    assert [one.strategy for one in gametheory.find_dominated_strategies(tree)] == ["U", "M"]
    cells = {"U": [(5, 1), (4, 0)], "M": [(6, 0), (3, 1)], "D": [(6, 4), (4, 4)]}
    for first, then in (("U", "L"), ("M", "R")):
        left = {row: line for row, line in cells.items() if row != first}
        found = gametheory.find_dominated_strategies(list(left.values()))
        assert {"L": "a", "R": "b"}[then] in [one.strategy for one in found if one.player_name == "Column"]
    assert [[str(plan) for plan in some] for some in gametheory.eliminate_dominated_strategies(tree, weak=True).remaining] == [
        ["D"],
        ["L", "R"],
    ]


def test_what_is_too_large_is_refused_with_its_size():
    """In profiles of plans."""
    with pytest.raises(TreeError, match=r"there would be .* profiles of plans, and the limit is 100,000|seat . has more than"):
        gametheory.find_dominated_strategies(gametheory.textbook("chain-store"))
    with pytest.raises(TreeError, match="payoffs are a list of rows"):
        gametheory.find_dominated_strategies("dilemma")


def test_what_is_struck_of_an_absent_minded_player_may_be_needed_for_mixing():
    """The driver's plans to leave at once and to go on to the end bring 0 and 1; what is best mixes both, and that is said. Where nobody is absent-minded, nothing is."""
    left = gametheory.eliminate_dominated_strategies(gametheory.textbook("driver"))
    assert left.absent_minded_players == ("Driver",)
    assert (
        str(left).splitlines()[-1]
        == "Driver is absent-minded: what is struck are plans, and to mix from move to move may be better than any."
    )
    assert gametheory.eliminate_dominated_strategies(gametheory.textbook("entry")).absent_minded_players == ()
