"""Test subgames and subgame-perfect equilibria: by the definition, by backward induction, and by trying every pure strategy."""

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


def subgame_roots_by_definition(tree):
    """Return histories that are alone in their information set and below which all information sets are whole, at least one; and the root."""

    def nodes_below(here):
        return {here}.union(*map(nodes_below, tree.children(here)))

    def nodes_of(place):
        return {here for here in range(tree.history_count) if tree.actor[here] >= 0 and tree.infoset_of[here] == place}

    found = [0]
    for here in range(1, tree.history_count):
        there = nodes_below(here)
        places = {tree.infoset_of[node] for node in there if tree.actor[node] >= 0}
        alone = tree.actor[here] == CHANCE or (tree.actor[here] != TERMINAL and nodes_of(tree.infoset_of[here]) == {here})
        if places and alone and all(nodes_of(place) <= there for place in places):
            found.append(here)
    return tuple(found)


@given(st.integers(0, 2**32))
def test_subgame_roots_match_the_definition(number):
    """In any game, with or without hidden information."""
    rng = Random(number)
    for tree in (hidden_tree(rng, seats=rng.choice((1, 2, 3))), open_tree(rng), hidden_tree(rng)):
        assert find_subgame_roots(tree) == subgame_roots_by_definition(tree)


def test_textbook_games_have_the_known_subgames():
    """With perfect information every decision begins one; after the outside option one is left."""
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
def test_a_subgame_has_its_value_in_the_whole_game(number):
    """A subgame as a separate tree, and the game with the subgame replaced by its value, have the values of the whole game."""
    rng = Random(number)
    tree = hidden_tree(rng, seats=rng.choice((2, 3)))
    choices = [rng.randrange(len(infoset.actions)) for infoset in tree.infosets]
    strategy = gametheory.Strategy.from_choices(tree, choices)
    for begin in find_subgame_roots(tree):
        part = extract_subtree(tree, begin)
        assert [tree.infosets[place] for place in part.infosets] == part.tree.infosets
        part_payoffs = payoffs(part.tree, part.restrict(strategy))
        rest = extract_subtree(tree, 0, {begin: part_payoffs})
        assert payoffs(rest.tree, rest.restrict(strategy)) == payoffs(tree, strategy)


def test_the_subgame_at_the_root_is_the_game_itself():
    """It is the same game with the same labels."""
    for name in ("kuhn", "chain-store", "bayes"):
        tree = gametheory.textbook(name)
        assert extract_subtree(tree).tree == tree


@given(st.integers(0, 2**32))
def test_perfect_information_gives_the_backward_induction_equilibria(number):
    """In games for any number of players: exactly these, with ties."""
    tree = open_tree(Random(number))
    found = find_subgame_perfect_equilibria(tree, solve_by_pure_equilibria, 2000)
    assert gametheory.backward_induction(tree).strategy in found.strategies
    assert all(not any(compute_gains_in_subgames(tree, strategy).values()) for strategy in found.strategies[:20])


@given(st.integers(0, 2**32))
def test_all_pure_subgame_perfect_equilibria_are_found(number):
    """In games with hidden information for two and three players, compared with trying every pure strategy in every subgame."""
    rng = Random(number)
    for tree in (hidden_tree(rng, seats=seats, most=3) for seats in (2, 3)):
        if how_many_strategies(tree) > 130:
            continue
        parts = [extract_subtree(tree, begin) for begin in find_subgame_roots(tree)]
        known = {
            (*payoffs(tree, strategy), *(payoffs(part.tree, part.restrict(strategy)) for part in parts))
            for strategy in pure_strategies(tree)
            if not any(any(gains(part.tree, part.restrict(strategy))) for part in parts)
        }
        found = find_subgame_perfect_equilibria(tree, solve_by_pure_equilibria, 2000)
        assert found.complete
        assert {
            (*payoffs(tree, strategy), *(payoffs(part.tree, part.restrict(strategy)) for part in parts)) for strategy in found.strategies
        } == known


@pytest.mark.slow
@given(st.integers(0, 2**32))
def test_gains_in_all_subgames_equal_gains_in_each(number):
    """Computed at once and for each subgame separately; also for strategies that are not equilibria, and chance moves of probability 0."""
    tree = open_tree(Random(number))
    strategy = gametheory.Strategy.uniform(tree)
    parts = {begin: extract_subtree(tree, begin) for begin in find_subgame_roots(tree)}
    assert compute_gains_in_subgames(tree, strategy) == {
        begin: sum(gains(part.tree, part.restrict(strategy))) for begin, part in parts.items()
    }


def test_a_game_of_three_hundred_moves_is_solved():
    """Two players may stop in turn: many equilibria are tested in three hundred subgames at once."""
    tree = build_tree(
        0,
        lambda at: (
            TerminalNode((at % 7, 2 * at % 7))
            if at < 0 or at == 300
            else DecisionNode(at % 2, str(at), [("stop", -at - 1), ("on", at + 1)])
        ),
        player_count=2,
    )
    strategy = gametheory.Strategy.uniform(tree)
    assert len(compute_gains_in_subgames(tree, strategy)) == 300
    assert compute_gains_in_subgames(tree, gametheory.solve(tree, "backward").strategy)[0] == 0


@given(st.integers(0, 2**32))
def test_nobody_gains_in_any_subgame(number):
    """With Lemke's algorithm and with extreme equilibria, in games for two of every kind; there is always one."""
    rng = Random(number)
    for tree in (hidden_tree(rng), open_tree(rng)):
        if tree.player_count == 2:
            for solver in (solve_by_lemke, solve_by_extreme_equilibria):
                found = find_subgame_perfect_equilibria(tree, solver, 20).strategies
                assert found
                assert not any(any(compute_gains_in_subgames(tree, equilibrium).values()) for equilibrium in found)


def test_textbook_games_have_the_known_subgame_perfect_equilibria():
    """Selten (1978), McKelvey and Palfrey (1992), Güth and others (1982): all pure ones."""
    for name, expected_payoffs in (
        ("chain-store", [(6, 2, 2, 2)]),
        ("centipede", [(Fraction(2, 5), Fraction(1, 10))]),
        ("ultimatum", [(4, 0), (3, 1)]),
    ):
        tree = gametheory.textbook(name)
        found = find_subgame_perfect_equilibria(tree, solve_by_pure_equilibria)
        assert found.complete
        assert [payoffs(tree, strategy) for strategy in found.strategies] == expected_payoffs


def test_an_empty_threat_is_left_out():
    """Selten (1978): staying out is an equilibrium, but not in the subgame after entry."""
    tree = gametheory.textbook("entry")
    found = find_subgame_perfect_equilibria(tree, solve_by_extreme_equilibria)
    assert [payoffs(tree, strategy) for strategy in found.strategies] == [(2, 2)]
    assert found.complete


def test_the_outside_option_has_three_subgame_perfect_equilibria():
    """The book, and the concert in one way of three: (3, 1); or the book for 2, because after it Two would get its way, or both mix."""
    tree = gametheory.textbook("outside-option")
    found = find_subgame_perfect_equilibria(tree, solve_by_extreme_equilibria)
    assert sorted(map(str, (payoffs(tree, strategy)[0] for strategy in found.strategies))) == ["2", "2", "3"]
    assert found.complete


def test_a_subgame_without_a_pure_equilibrium_has_none():
    """A hidden coin after a choice: no pure equilibrium is found, and the list is complete."""
    places = {
        "": DecisionNode(0, "begins", [("stop", "s"), ("play", "p")]),
        "s": TerminalNode((0, 0)),
        "p": DecisionNode(0, "hides", [("h", "h"), ("t", "t")]),
    }
    for move in "ht":
        places[move] = DecisionNode(1, "guesses", [("h", move + "h"), ("t", move + "t")])
        places |= {move + two: TerminalNode((1, -1) if move == two else (-1, 1)) for two in "ht"}
    tree = build_tree("", places.__getitem__, player_count=2)
    assert find_subgame_perfect_equilibria(tree, solve_by_pure_equilibria) == SubgameEquilibria((), complete=True)
    assert [str(strategy["hides"][0]) for strategy in find_subgame_perfect_equilibria(tree, solve_by_extreme_equilibria).strategies] == [
        "1/2",
        "1/2",
    ]


def test_a_game_with_too_many_strategies_has_at_least_one(monkeypatch):
    """All pure ones, or one by Lemke's algorithm if there are none; the result says that it is not complete."""
    for name, many in (("kuhn", 1), ("spence", 4)):
        monkeypatch.setattr("durak_widget.gametheory.subgame_perfection._MAX_MATRIX_CELLS", 3)
        tree = gametheory.textbook(name)
        found = solve_by_extreme_equilibria(tree)
        assert (len(found.strategies), found.complete) == (many, False)
        assert not any(gametheory.nash_conv(tree, strategy) for strategy in found.strategies)


def test_a_limited_list_says_that_it_is_incomplete():
    """The number of equilibria is limited, and the result says that some are left out."""
    tree = gametheory.textbook("outside-option")
    found = find_subgame_perfect_equilibria(tree, solve_by_extreme_equilibria, 2)
    assert (len(found.strategies), found.complete) == (2, False)
    assert not find_subgame_perfect_equilibria(tree, solve_by_lemke).complete
