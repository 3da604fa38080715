"""Every finite game has an answer: what is found is what the books say, it is proved, and how sure it is is said as it is."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durak_widget import board, gametheory
from durak_widget.gametheory import solver_selection as module
from durak_widget.gametheory.solver_selection import solve
from durak_widget.gametheory.tree import DecisionNode, TerminalNode, TreeError, build_tree

F = Fraction


def test_a_constant_sum_is_a_zero_sum():
    """A pot of ten between two who choose at once: halves, and what each gets adds up to it."""
    places = {"": DecisionNode(0, "?", [("a", "a"), ("b", "b")])}
    places |= {one: DecisionNode(1, "!", [("a", f"{one}a"), ("b", f"{one}b")]) for one in "ab"}
    places |= {f"{one}{two}": TerminalNode((7, 3) if one == two else (3, 7)) for one in "ab" for two in "ab"}
    answer = solve(build_tree("", places.__getitem__, player_count=2))
    assert answer.equilibria[0].payoffs == (5, 5)
    assert answer.exact
    assert answer.lower == answer.upper == answer.value == 5


def test_among_three_no_constant_sum_makes_a_value():
    """Two of them may agree against the third: nobody is certain of what an equilibrium brings, and the sentence says so."""
    places = {"": DecisionNode(0, "", [("a", "a"), ("b", "b")])}
    places |= {one: DecisionNode(1, "?", [("on", f"{one}!")]) for one in "ab"}
    ends = {"a!": TerminalNode((1, -2, 0)), "b!": TerminalNode((-1, 0, 0))}
    answer = solve(build_tree("", {**places, **ends}.__getitem__, player_count=3))
    assert (answer.kind.payoff_sum, answer.kind.constant_sum) == ("constant", -1)
    for name in ("value", "lower", "upper"):
        with pytest.raises(TreeError, match="only a game of two players whose payoffs always add up to the same has a value"):
            getattr(answer, name)


def test_who_forgets_is_told_apart():
    """Two who play, one of them absent-minded: nobody calls it an equilibrium in plans, and no value is told that is none."""
    places = {"": DecisionNode(0, "I", [("L", "L"), ("R", "R")]), "L": DecisionNode(0, "I", [("L", "LL"), ("R", "LR")])}
    ends = {"LL": TerminalNode((0, 1)), "LR": TerminalNode((4, 1)), "R": TerminalNode((1, 1))}
    answer = solve(build_tree("", {**places, **ends}.__getitem__, player_count=2))
    assert answer.contents == "behaviour"
    assert (answer.equilibria[0].strategy[0], answer.equilibria[0].payoffs) == ((F(3, 8), F(5, 8)), (F(25, 16), F(1)))
    assert "A player forgets." in answer.note
    with pytest.raises(TreeError, match="only a game of two players"):
        _ = answer.lower


def test_three_who_must_mix_are_answered():
    """Three who each choose one of two places: the first wishes to be where the second is, the second where the third is, and the third where the first is not. Nobody can be sure of anything."""

    def look(where):
        if len(where) < 3:
            return DecisionNode(len(where), len(where), [(one, where + one) for one in "lr"])
        one, two, three = where
        return TerminalNode((int(one == two), int(two == three), int(three != one)))

    answer = solve(build_tree("", look, player_count=3))
    assert (answer.contents, answer.exact) == ("path", True)
    assert [one.strategy.rows for one in answer.equilibria] == [((F(1, 2), F(1, 2)),) * 3]


def forgets_its_coin(won):
    """One lays heads or tails, forgets which, and says one of them; the other has seen neither and bets on whether both are alike."""
    places = {"": DecisionNode(0, "lays", [("h", "h"), ("t", "t")])}
    for laid in "ht":
        places[laid] = DecisionNode(0, "says", [("h", laid + "h"), ("t", laid + "t")])
        for said in "ht":
            places[laid + said] = DecisionNode(1, "bets", [("alike", laid + said + "a"), ("not", laid + said + "n")])
            for bet in "an":
                places[laid + said + bet] = TerminalNode(won(laid, said, bet))
    return build_tree("", places.__getitem__, player_count=2)


def test_where_only_whoever_remembers_the_draw_can_play_it_none_is_found_in_behaviour():
    """Both heads or both tails, each as often, is worth nothing; whoever forgets its coin and mixes has both kinds at times, which costs two. So no behaviour is an equilibrium (Wichardt, P. C. (2008))."""

    def won(laid, said, bet):
        mine = -2 if laid != said else 1 if (laid == "h") == (bet == "a") else -1
        return mine, -mine

    answer = solve(forgets_its_coin(won))
    assert (answer.kind.recall, answer.contents, answer.equilibria, answer.complete) == ("imperfect", "plans", (), True)
    assert [one.payoffs for one in answer.mixed_equilibria.equilibria] == [(0, 0)]
    assert str(answer).startswith("in mixes of plans: ")
    assert "none was found" in answer.note


def test_a_pure_plan_is_an_equilibrium_though_one_forgets():
    """Of one player who forgets its coin and wins where both are alike: the best plans, exactly."""
    answer = solve(forgets_its_coin(lambda laid, said, bet: (int(laid == said), 0)))  # noqa: ARG005 - the bet brings nothing
    assert {one.payoffs for one in answer.equilibria if one.total_gain == 0} == {(1, 0)}
    assert answer.contents == "behaviour"


def test_a_method_is_taken_at_its_word():
    """Whoever names one, or its options, has that one, with its own refusals."""
    with pytest.raises(TreeError, match="needs a zero-sum game"):
        gametheory.solve(gametheory.textbook("bayes"), "lp")
    assert gametheory.solve(gametheory.textbook("kuhn"), "cfr+", iterations=50).iterations == 50
    assert gametheory.solve(gametheory.textbook("kuhn"), exact=False).method == "lp"


def test_the_first_that_is_found_is_drawn_on_the_tree():
    """Its moves on the branches, what it is worth to each seat beside them; in a notebook it shows itself as a table."""
    for language in ["en", "lt", "ru"][::4]:
        for name in ["entry", "horse", "outside-option", "beer-quiche", "driver"][::4]:
            tree = gametheory.textbook(name)
            answer = solve(tree)
            view = board.Tree(tree, answer, language=language)
            said = view.get_state()["solution"]["said"]
            assert all(seat in said[0] for seat in tree.names)
            assert view.get_state()["solution"]["weight"]["0"] == [float(one) for one in answer.equilibria[0].strategy[0]]
            assert answer.equilibria[0].name in answer._repr_html_()


def test_where_nothing_is_found_there_is_nothing_to_draw(monkeypatch):
    """And it is said why, on the board too."""
    monkeypatch.setattr(module, "can_follow_logit_path", lambda _: False)
    tree = gametheory.textbook("driver")
    answer = solve(tree)
    with pytest.raises(TreeError, match="there is nothing to show: None was found"):
        _ = answer.lower
    view = board.Tree(tree, answer)
    assert (view.told_solution, view.strategy) == ({}, None)
    assert view.told_answer["none"] == "Nothing was found."
