"""Test `solve` without a method: the result agrees with the literature, is proved, and says how certain it is."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durak_widget import board, gametheory
from durak_widget.gametheory import solver_selection as module
from durak_widget.gametheory.solver_selection import solve
from durak_widget.gametheory.tree import DecisionNode, TerminalNode, TreeError, build_tree
from support.spoken import english_text

F = Fraction


def test_a_constant_sum_game_of_two_has_a_value():
    """Two players choose at once and divide a pot of ten: each gets half, and the payoffs add up to ten."""
    nodes = {"": DecisionNode(0, "?", [("a", "a"), ("b", "b")])}
    nodes |= {move: DecisionNode(1, "!", [("a", f"{move}a"), ("b", f"{move}b")]) for move in "ab"}
    nodes |= {f"{move}{two}": TerminalNode((7, 3) if move == two else (3, 7)) for move in "ab" for two in "ab"}
    answer = solve(build_tree("", nodes.__getitem__, player_count=2))
    assert answer.equilibria[0].payoffs == (5, 5)
    assert answer.exact
    assert answer.lower == answer.upper == answer.value == 5


def test_a_constant_sum_game_of_three_has_no_value():
    """Two players may cooperate against the third, so an equilibrium gives no certain value, and the error says so."""
    nodes = {"": DecisionNode(0, "", [("a", "a"), ("b", "b")])}
    nodes |= {move: DecisionNode(1, "?", [("on", f"{move}!")]) for move in "ab"}
    ends = {"a!": TerminalNode((1, -2, 0)), "b!": TerminalNode((-1, 0, 0))}
    answer = solve(build_tree("", {**nodes, **ends}.__getitem__, player_count=3))
    assert (answer.kind.payoff_sum, answer.kind.constant_sum) == ("constant", -1)
    for name in ("value", "lower", "upper"):
        with pytest.raises(TreeError, match=r"game.*whose payoffs always add up.*value"):
            getattr(answer, name)


def test_an_absent_minded_player_gets_a_behaviour_strategy():
    """In a game of two in which one player is absent-minded, no equilibrium in pure strategies and no value is claimed."""
    nodes = {"": DecisionNode(0, "I", [("L", "L"), ("R", "R")]), "L": DecisionNode(0, "I", [("L", "LL"), ("R", "LR")])}
    ends = {"LL": TerminalNode((0, 1)), "LR": TerminalNode((4, 1)), "R": TerminalNode((1, 1))}
    answer = solve(build_tree("", {**nodes, **ends}.__getitem__, player_count=2))
    assert answer.contents == "behaviour"
    assert (answer.equilibria[0].strategy[0], answer.equilibria[0].payoffs) == ((F(3, 8), F(5, 8)), (F(25, 16), F(1)))
    assert "player" in answer.note
    with pytest.raises(TreeError, match="only a two-player game"):
        _ = answer.lower


def test_a_three_player_game_without_pure_equilibrium_is_solved():
    """Three players choose l or r. The first wants to match the second, the second the third, and the third to differ from the first."""

    def node_at(where):
        if len(where) < 3:
            return DecisionNode(len(where), len(where), [(move, where + move) for move in "lr"])
        first, second, third = where
        return TerminalNode((int(first == second), int(second == third), int(third != first)))

    answer = solve(build_tree("", node_at, player_count=3))
    assert (answer.contents, answer.exact) == ("path", True)
    assert [equilibrium.strategy.rows for equilibrium in answer.equilibria] == [((F(1, 2), F(1, 2)),) * 3]


def forgotten_coin_game(pay):
    """Return a game: one player chooses a coin side, forgets it and names a side; the other sees neither and bets on whether they agree."""
    nodes = {"": DecisionNode(0, "lays", [("h", "h"), ("t", "t")])}
    for coin_side in "ht":
        nodes[coin_side] = DecisionNode(0, "says", [("h", coin_side + "h"), ("t", coin_side + "t")])
        for named_side in "ht":
            nodes[coin_side + named_side] = DecisionNode(
                1, "bets", [("alike", coin_side + named_side + "a"), ("not", coin_side + named_side + "n")]
            )
            for bet in "an":
                nodes[coin_side + named_side + bet] = TerminalNode(pay(coin_side, named_side, bet))
    return build_tree("", nodes.__getitem__, player_count=2)


def test_a_game_may_have_no_equilibrium_in_behaviour_strategies():
    """Both heads or both tails, each half of the time, has value 0. A player who forgets the coin mixes up the sides and loses 2. So no behaviour strategy is an equilibrium (Wichardt, P. C. (2008))."""

    def pay(coin_side, named_side, bet):
        mine = -2 if coin_side != named_side else 1 if (coin_side == "h") == (bet == "a") else -1
        return mine, -mine

    answer = solve(forgotten_coin_game(pay))
    assert (answer.kind.recall, answer.contents, answer.equilibria, answer.complete) == ("imperfect", "plans", (), True)
    assert [equilibrium.payoffs for equilibrium in answer.mixed_equilibria.equilibria] == [(0, 0)]
    assert str(answer).startswith("in mixed strategies: ")
    assert "was found" in answer.note


def test_a_pure_equilibrium_is_found_with_imperfect_recall():
    """A player who forgets the coin wins if both sides agree: the best pure strategies are found exactly."""
    answer = solve(forgotten_coin_game(lambda coin_side, named_side, bet: (int(coin_side == named_side), 0)))  # noqa: ARG005 - the bet brings nothing
    assert {equilibrium.payoffs for equilibrium in answer.equilibria if equilibrium.total_gain == 0} == {(1, 0)}
    assert answer.contents == "behaviour"


def test_a_named_method_is_used():
    """If the caller names a method or its options, that method runs, with its own errors."""
    with pytest.raises(TreeError, match="needs a zero-sum game"):
        gametheory.solve(gametheory.textbook("bayes"), "lp")
    assert gametheory.solve(gametheory.textbook("kuhn"), "cfr+", iterations=50).iterations == 50
    assert gametheory.solve(gametheory.textbook("kuhn"), exact=False).method == "lp"


def test_the_first_equilibrium_is_drawn_on_the_tree():
    """Its moves are on the branches, with the payoff of each player; a notebook shows a table."""
    for language in ["en", "lt", "ru"][::4]:
        for name in ["entry", "horse", "outside-option", "beer-quiche", "driver"][::4]:
            tree = gametheory.textbook(name)
            answer = solve(tree)
            view = board.Tree(tree, answer, language=language)
            named_side = view.get_state()["solution_view"]["sentences"]
            assert all(seat in named_side[0] for seat in tree.names)
            assert view.get_state()["solution_view"]["weight"]["0"] == [
                float(probability) for probability in answer.equilibria[0].strategy[0]
            ]
            assert answer.equilibria[0].name in answer._repr_html_()


def test_without_an_equilibrium_nothing_is_drawn(monkeypatch):
    """The board says why."""
    monkeypatch.setattr(module, "can_follow_logit_path", lambda _: False)
    tree = gametheory.textbook("driver")
    answer = solve(tree)
    with pytest.raises(TreeError, match=r"show.*found"):
        _ = answer.lower
    view = board.Tree(tree, answer)
    assert (view.solution_view, view.strategy) == ({}, None)
    assert view.answer_view["empty_note"] == english_text("board.answer.none")
