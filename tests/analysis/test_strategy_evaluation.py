"""Test strategy evaluation: guaranteed values, the loss of single decisions (against brute force), and the value of information."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget import analysis, bots, gametheory
from durak_widget.analysis import strategy_evaluation
from durak_widget.gametheory.infoset_regret import DecisionImprovementSearch
from durak_widget.gametheory.tree import DecisionNode, TerminalNode, TreeError
from durak_widget.optional_dependencies import MissingPackageError
from support.textbook import kuhn, matching_pennies, signalling, tree_of, zero_sum
from support.tree_games import SMALL, small

TEXTBOOK = {"pennies": matching_pennies, "kuhn": kuhn, "signalling": signalling}


def random_strategy(tree, rng, whole=3):
    """Return a random strategy, pure in some rows."""
    rows = []
    for infoset in tree.infosets:
        parts = [rng.randrange(whole) for _ in infoset.actions]
        parts[rng.randrange(len(parts))] += 1
        rows.append([Fraction(part, sum(parts)) for part in parts])
    return gametheory.Strategy(tree, rows)


def value_guaranteed_by(tree, strategy, seat):
    """Return the value that a player's part of a strategy guarantees."""
    return -gametheory.best_response(tree, strategy, 1 - seat).value


def with_shifted_row(tree, strategy, place, move, share):
    """Return the strategy with a move played more often at one information set."""
    rows = list(map(list, strategy.rows))
    rows[place] = [(1 - share) * probability + (share if number == move else 0) for number, probability in enumerate(rows[place])]
    return gametheory.Strategy(tree, rows)


def check_repairs(tree, strategy, parts):
    """Assert that every repair gains what it states, none is missing, and no share of any move there gains more."""
    for seat in (0, 1):
        repairs = DecisionImprovementSearch(tree, strategy, seat)
        before = value_guaranteed_by(tree, strategy, seat)
        assert repairs.value == before
        assert gametheory.value(tree, repairs.worst_case_strategy, seat) == before
        found = {repair.infoset: repair for repair in repairs.iterate_improvements()}
        saved = [repair.gain for repair in found.values()]
        assert saved == sorted(saved, reverse=True)
        for place, infoset in enumerate(tree.infosets):
            if infoset.player != seat:
                continue
            saves = 0
            if place in found:
                saves = found[place].gain
                assert saves > 0
                assert (
                    value_guaranteed_by(tree, with_shifted_row(tree, strategy, place, found[place].action, found[place].share), seat)
                    - before
                    == saves
                )
            for move in range(len(infoset.actions)):
                for part in range(1, parts + 1):
                    assert (
                        value_guaranteed_by(tree, with_shifted_row(tree, strategy, place, move, Fraction(part, parts)), seat) - before
                        <= saves
                    )


@given(zero_sum(), st.integers(0, 2**32))
def test_repairs_equal_brute_force(tree, seed):
    """In random games, with random strategies: each move at each information set, in many shares."""
    check_repairs(tree, random_strategy(tree, Random(seed)), 6)


@pytest.mark.slow
def test_repairs_equal_brute_force_in_textbook_games():
    """The same in textbook games."""
    for known in TEXTBOOK.values():
        tree = known()
        for seed in range(6):
            check_repairs(tree, random_strategy(tree, Random(seed)), 12)


@pytest.mark.slow
def test_repairs_equal_brute_force_in_durak():
    """The same in small games of durak, for a bot and a random strategy."""
    for name in ("podkidnoy", "transfer with a talon", "econ431"):
        tree = analysis.build_game_tree(SMALL[name], dealer=1)
        check_repairs(tree, analysis.convert_bot_to_strategy(tree, bots.get("first")), 1)
        check_repairs(tree, random_strategy(tree, Random(name)), 1)


def test_a_predictable_strategy_has_a_leak():
    """Always heads is as good as always tails; half of each loses nothing."""
    tree = matching_pennies()
    found = analysis.evaluate_strategy(tree, gametheory.Strategy.from_mapping(tree, {"hides": "heads"}))
    assert (found.player_evaluations[0].guaranteed_value, found.player_evaluations[0].loss) == (-1, 1)
    (leak,) = found.player_evaluations[0].leaks
    assert (leak.current_actions, leak.better_action, leak.share, leak.gain, leak.reach_probability) == (
        "heads",
        "tails",
        Fraction(1, 2),
        1,
        1,
    )
    assert tree.actions_from_root(leak.terminal_history) == ("heads", "tails")
    assert "Player 1 loses 1 at hides: heads, better tails (more often by 1/2)" in str(found)


def test_an_equilibrium_has_no_leak():
    """It guarantees the value, and no decision loses anything."""
    for tree in (kuhn(), signalling(), analysis.build_game_tree(SMALL["podkidnoy"], dealer=1)):
        solution = gametheory.solve(tree)
        found = analysis.evaluate_strategy(tree, solution.strategy, solution=solution)
        assert found.exploitability == 0
        assert [(side.loss, side.leaks) for side in found.player_evaluations] == [(0, ()), (0, ())]
        assert "no decision loses by itself" in found._repr_html_()


def test_the_numbers_of_an_evaluation_add_up():
    """Exploitability is that of the tree, guaranteed value plus loss is the value, and the line of a leak is a lost game."""
    for bot in ("first", "careful", "random"):
        tree = analysis.build_game_tree(small("perevodnoy", ranks="67"), dealer=1)
        strategy = analysis.convert_bot_to_strategy(tree, bots.get(bot))
        found = analysis.evaluate_strategy(tree, bots.get(bot), max_leaks=3)
        assert found.strategy == strategy
        assert found.exploitability == gametheory.exploitability(tree, strategy)
        assert found.solution.value == found.player_evaluations[0].guaranteed_value + found.player_evaluations[0].loss
        assert -found.solution.value == found.player_evaluations[1].guaranteed_value + found.player_evaluations[1].loss
        for side in found.player_evaluations:
            assert len(side.leaks) <= 3
            assert value_guaranteed_by(tree, side.best_response_profile, side.player) == side.guaranteed_value
            for leak in side.leaks:
                game = analysis.restore_game(tree, leak.terminal_history)
                assert game.outcome is not None
                assert game.outcome.utilities[side.player] == tree.payoffs[tree.infoset_of[leak.terminal_history]][side.player]
                assert leak.observations == analysis.describe_infoset_history(tree, leak.infoset)
                assert leak.label == tree.infosets[leak.infoset].label
                assert gametheory.infoset_values(tree, side.best_response_profile)[leak.infoset].reach_probability == leak.reach_probability
        rows = found.table()
        assert len(rows) == sum(len(side.leaks) for side in found.player_evaluations)
        assert all(row["line"] == ", ".join(tree.actions_from_root(row["terminal_history"])) for row in rows)
        assert repr(found).startswith(f"<StrategyEvaluation of {bot}: exploitability ")
        assert all(str(row["better_action"]) in found._repr_html_() for row in rows)


def test_an_estimated_exploitability_has_an_error():
    """Over many estimates of one bot, the exploitability is within a few standard errors."""
    tree = analysis.build_game_tree(SMALL["podkidnoy"], dealer=1)

    def bot(view, rng):
        return view.legal_moves()[0 if rng.random() < 0.75 else -1]

    truth = gametheory.Strategy(tree, [(Fraction(3, 4), *[0] * (len(infoset.actions) - 2), Fraction(1, 4)) for infoset in tree.infosets])
    exact = analysis.evaluate_strategy(tree, truth)
    assert exact.standard_error == 0
    off = []
    for seed in range(30):
        found = analysis.evaluate_strategy(tree, bot, seed=seed, solution=exact.solution, samples=100)
        assert "±" in repr(found)
        off.append((found.exploitability - exact.exploitability) / found.standard_error)
    assert max(map(abs, off)) < 4
    assert sum(abs(error) < 1 for error in off) > len(off) / 3
    assert abs(sum(off) / len(off)) < 1


def test_without_a_solver_the_value_is_bounded(monkeypatch):
    """The guaranteed values of both players are bounds."""

    def solve_without_lp(tree, method="lp"):
        if method == "lp":
            raise MissingPackageError("this needs numpy")
        return gametheory.solve(tree, method)

    monkeypatch.setattr(strategy_evaluation, "solve", solve_without_lp)
    tree = kuhn()
    found = analysis.evaluate_strategy(tree, gametheory.Strategy.uniform(tree))
    assert found.solution is None
    assert found.player_evaluations[0].loss is None
    assert f"value to Player 1: between {found.player_evaluations[0].guaranteed_value} " in str(found)


def test_games_that_are_not_zero_sum_are_refused():
    """There an opponent who exploits a strategy may lose too."""
    tree = tree_of({"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((1, 0)), "b": TerminalNode((0, 0))})
    with pytest.raises(TreeError, match="a judgement needs a zero-sum game"):
        analysis.evaluate_strategy(tree, gametheory.Strategy.uniform(tree))


# The value of information


@pytest.mark.parametrize(
    ("rules", "gain"),
    [
        (small("perevodnoy", ranks="67"), 0),
        pytest.param(
            small("econ431", suits="cdh", ranks="67", hand=2, trump="none", attack_limit=1), Fraction(1, 10), marks=pytest.mark.slow
        ),
        pytest.param(small("podkidnoy", suits="cdh", ranks="67", trump="none", attack_limit=1), None, marks=pytest.mark.release),
    ],
)
def test_more_information_never_lowers_a_payoff(rules, gain):
    """If one player alone sees the other's hand, that player gains 0 or more. If both see, the gain is that of open hands, positive or negative."""
    found = analysis.compute_information_values(rules, dealer=1)
    assert found.gain_from_seeing(0) >= 0
    assert found.gain_from_seeing(1) >= 0
    assert -found.gain_from_seeing(1) <= found.gain_from_open_hands <= found.gain_from_seeing(0)
    assert found.gain_from_open_hands == gain if gain is not None else found.gain_from_open_hands < 0
    both = gametheory.solve(analysis.build_game_tree(rules, dealer=1, seeing=[0, 1]))
    assert both.value == found.open_hands.value
    assert all(solution.certificate.exact for solution in (found.hidden_hands, found.open_hands, *found.one_player_sees))
    assert [row["gain to seat 0"] for row in found.table()] == [
        0,
        found.gain_from_open_hands,
        found.gain_from_seeing(0),
        -found.gain_from_seeing(1),
    ]
