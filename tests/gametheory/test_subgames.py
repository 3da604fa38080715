"""Where subgames begin, and equilibria from below: what the definition says, what backward induction finds, and by trying every pure strategy."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import gametheory
from durak_widget.gametheory.game_properties import extract_subtree, find_subgame_roots
from durak_widget.gametheory.subgame_perfection import (
    SubgameEquilibria,
    compute_gains_in_subgames,
    find_subgame_perfect_equilibria,
    solve_by_extreme_equilibria,
    solve_by_lemke,
    solve_by_pure_equilibria,
)
from durak_widget.gametheory.tree import CHANCE, TERMINAL, DecisionNode, TerminalNode, build_tree
from support.by_trying import gains, how_many_strategies, payoffs, pure_strategies
from support.random_trees import hidden_tree, open_tree


def by_definition(tree):
    """Histories below which lie whole information sets, one at least, and which are alone in their own; and the root."""

    def below(here):
        return {here}.union(*map(below, tree.children(here)))

    def of(place):
        return {here for here in range(tree.history_count) if tree.actor[here] >= 0 and tree.infoset_of[here] == place}

    found = [0]
    for here in range(1, tree.history_count):
        there = below(here)
        places = {tree.infoset_of[one] for one in there if tree.actor[one] >= 0}
        alone = tree.actor[here] == CHANCE or (tree.actor[here] != TERMINAL and of(tree.infoset_of[here]) == {here})
        if places and alone and all(of(place) <= there for place in places):
            found.append(here)
    return tuple(found)


@given(st.integers(0, 2**32))
def test_they_begin_where_the_definition_says(number):
    """Of any game, hidden or not."""
    rng = Random(number)
    for tree in (hidden_tree(rng, seats=rng.choice((1, 2, 3))), open_tree(rng), hidden_tree(rng)):
        assert find_subgame_roots(tree) == by_definition(tree)


def test_in_the_textbooks():
    """Where all moves are seen one begins with each decision; of the book and the concert, one after the book is left."""
    for name, many in (
        ("entry", 2),
        ("ultimatum", 6),
        ("centipede", 4),
        ("chain-store", 26),
        ("outside-option", 2),
        ("horse", 1),
        ("driver", 1),
    ):
        assert len(find_subgame_roots(gametheory.textbook(name))) == many


@given(st.integers(0, 2**32))
def test_a_part_is_worth_what_the_whole_says(number):
    """A subgame as a tree of its own, and the whole with that part replaced by its worth, are worth what they are in the whole."""
    rng = Random(number)
    tree = hidden_tree(rng, seats=rng.choice((2, 3)))
    choices = [rng.randrange(len(one.actions)) for one in tree.infosets]
    strategy = gametheory.Strategy.from_choices(tree, choices)
    for begin in find_subgame_roots(tree):
        part = extract_subtree(tree, begin)
        assert [tree.infosets[place] for place in part.infosets] == part.tree.infosets
        worth = payoffs(part.tree, part.restrict(strategy))
        rest = extract_subtree(tree, 0, {begin: worth})
        assert payoffs(rest.tree, rest.restrict(strategy)) == payoffs(tree, strategy)


def test_the_whole_is_a_part_of_itself():
    """Cut at the root it is the same game, said in the same words."""
    for name in ("kuhn", "chain-store", "bayes"):
        tree = gametheory.textbook(name)
        assert extract_subtree(tree).tree == tree


@given(st.integers(0, 2**32))
def test_who_sees_all_has_what_backward_induction_finds(number):
    """In open games for any number: with those that tie, and those alone."""
    tree = open_tree(Random(number))
    found = find_subgame_perfect_equilibria(tree, solve_by_pure_equilibria, 2000)
    assert gametheory.backward_induction(tree).strategy in found.strategies
    assert all(not any(compute_gains_in_subgames(tree, one).values()) for one in found.strategies[:20])


@given(st.integers(0, 2**32))
def test_all_pure_ones_are_found(number):
    """Of games in which something is hidden, for two and three: those that no seat leaves in any subgame, by trying every pure strategy of everybody."""
    rng = Random(number)
    for tree in (hidden_tree(rng, seats=seats, most=3) for seats in (2, 3)):
        if how_many_strategies(tree) > 130:
            continue
        parts = [extract_subtree(tree, begin) for begin in find_subgame_roots(tree)]
        known = {
            (*payoffs(tree, one), *(payoffs(part.tree, part.restrict(one)) for part in parts))
            for one in pure_strategies(tree)
            if not any(any(gains(part.tree, part.restrict(one))) for part in parts)
        }
        found = find_subgame_perfect_equilibria(tree, solve_by_pure_equilibria, 2000)
        assert found.complete
        assert {(*payoffs(tree, one), *(payoffs(part.tree, part.restrict(one)) for part in parts)) for one in found.strategies} == known


@pytest.mark.slow
@given(st.integers(0, 2**32))
def test_what_is_gained_where_nothing_is_hidden_is_told_from_the_ends(number):
    """All at once, as from each part by itself; also for strategies that are no equilibria, and draws that never happen."""
    tree = open_tree(Random(number))
    one = gametheory.Strategy.uniform(tree)
    parts = {begin: extract_subtree(tree, begin) for begin in find_subgame_roots(tree)}
    assert compute_gains_in_subgames(tree, one) == {begin: sum(gains(part.tree, part.restrict(one))) for begin, part in parts.items()}


def test_three_hundred_moves_deep():
    """Two who may stop, one after the other: it is asked of many equilibria in each of three hundred subgames, all at once."""
    tree = build_tree(
        0,
        lambda at: (
            TerminalNode((at % 7, 2 * at % 7))
            if at < 0 or at == 300
            else DecisionNode(at % 2, str(at), [("stop", -at - 1), ("on", at + 1)])
        ),
        player_count=2,
    )
    one = gametheory.Strategy.uniform(tree)
    assert len(compute_gains_in_subgames(tree, one)) == 300
    assert compute_gains_in_subgames(tree, gametheory.solve(tree, "backward").strategy)[0] == 0


@given(st.integers(0, 2**32))
def test_nobody_gains_in_any_subgame(number):
    """By Lemke's algorithm and by corners, in games for two of every kind; there is one always."""
    rng = Random(number)
    for tree in (hidden_tree(rng), open_tree(rng)):
        if tree.player_count == 2:
            for solver in (solve_by_lemke, solve_by_extreme_equilibria):
                found = find_subgame_perfect_equilibria(tree, solver, 20).strategies
                assert found
                assert not any(any(compute_gains_in_subgames(tree, one).values()) for one in found)


def test_the_books_think_backwards_too():
    """Selten (1978), McKelvey and Palfrey (1992), Güth and others (1982): all subgame-perfect ones in which nobody mixes."""
    for name, worths in (
        ("chain-store", [(6, 2, 2, 2)]),
        ("centipede", [(Fraction(2, 5), Fraction(1, 10))]),
        ("ultimatum", [(4, 0), (3, 1)]),
    ):
        tree = gametheory.textbook(name)
        found = find_subgame_perfect_equilibria(tree, solve_by_pure_equilibria)
        assert found.complete
        assert [payoffs(tree, one) for one in found.strategies] == worths


def test_an_empty_threat_is_left_out():
    """Selten (1978): to stay out is an equilibrium, and not of what comes after an entry."""
    tree = gametheory.textbook("entry")
    found = find_subgame_perfect_equilibria(tree, solve_by_extreme_equilibria)
    assert [payoffs(tree, one) for one in found.strategies] == [(2, 2)]
    assert found.complete


def test_the_outside_option_leaves_three():
    """The book, and the concert in one way of three: (3, 1), or the book for 2, as after it Two would have his way, or both mix."""
    tree = gametheory.textbook("outside-option")
    found = find_subgame_perfect_equilibria(tree, solve_by_extreme_equilibria)
    assert sorted(map(str, (payoffs(tree, one)[0] for one in found.strategies))) == ["2", "2", "3"]
    assert found.complete


def test_where_nobody_can_do_without_mixing_there_is_no_pure_one():
    """A coin that is hidden behind a choice: none is found, and that is all."""
    places = {
        "": DecisionNode(0, "begins", [("stop", "s"), ("play", "p")]),
        "s": TerminalNode((0, 0)),
        "p": DecisionNode(0, "hides", [("h", "h"), ("t", "t")]),
    }
    for one in "ht":
        places[one] = DecisionNode(1, "guesses", [("h", one + "h"), ("t", one + "t")])
        places |= {one + two: TerminalNode((1, -1) if one == two else (-1, 1)) for two in "ht"}
    tree = build_tree("", places.__getitem__, player_count=2)
    assert find_subgame_perfect_equilibria(tree, solve_by_pure_equilibria) == SubgameEquilibria((), complete=True)
    assert [str(one["hides"][0]) for one in find_subgame_perfect_equilibria(tree, solve_by_extreme_equilibria).strategies] == ["1/2", "1/2"]


def test_what_has_too_many_plans_for_all_corners_has_one_at_least(monkeypatch):
    """All in which nobody mixes, or one by Lemke's algorithm where there are none; and that it is not all is said."""
    for name, many in (("kuhn", 1), ("spence", 4)):
        monkeypatch.setattr("durak_widget.gametheory.subgame_perfection._MAX_MATRIX_CELLS", 3)
        tree = gametheory.textbook(name)
        found = solve_by_extreme_equilibria(tree)
        assert (len(found.strategies), found.complete) == (many, False)
        assert not any(gametheory.nash_conv(tree, one) for one in found.strategies)


def test_no_more_than_the_limit():
    """And what is left out is said."""
    tree = gametheory.textbook("outside-option")
    found = find_subgame_perfect_equilibria(tree, solve_by_extreme_equilibria, 2)
    assert (len(found.strategies), found.complete) == (2, False)
    assert not find_subgame_perfect_equilibria(tree, solve_by_lemke).complete
