"""What small games of Durak are worth: figures of two other implementations, the linear program, CFR+ and OpenSpiel on the exported game."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durak_widget import Rules, analysis, gametheory


def small(preset, ranks, trump="c", suits="cd", hand=1):
    """A small deck, all deals equally likely; seat 0 attacks first."""
    rules = Rules.preset(preset, suits=suits, ranks=ranks, hand_size=hand, trump=trump, attack_limit=hand, first_attacker="left_of_dealer")
    return analysis.build_game_tree(rules, dealer=1)


@pytest.mark.parametrize(
    ("preset", "ranks", "trump", "worth"),
    [
        ("econ431", "67", "c", Fraction(-2, 3)),
        ("econ431", "67", "none", Fraction(0)),
        ("podkidnoy", "67", "c", Fraction(-1, 3)),
        ("podkidnoy", "67", "none", Fraction(1, 4)),
        ("econ431", "678", "none", Fraction(-31, 180)),
        ("podkidnoy", "678", "none", Fraction(-31, 180)),
        ("econ431", "678", "c", Fraction(1, 60)),
    ],
)
@pytest.mark.sample(3)
def test_attacking_first_is_worth_what_two_others_found(preset, ranks, trump, worth):
    """Each exactly, with a proof that the independent checker replays."""
    tree = small(preset, ranks, trump)
    solution = gametheory.solve(tree)
    assert solution.value == worth
    assert gametheory.check_certificate(tree, solution.certificate) == 0


def games():
    """Small games of four rule sets, transfers among them."""
    yield small("econ431", "67")
    yield small("podkidnoy", "67")
    yield small("podkidnoy", "67", "none")
    yield small("podkidnoy", "67", suits="cdh", hand=3)
    yield small("perevodnoy", "67")
    yield small("perevodnoy", "67", "none", suits="cdh", hand=2)
    yield small("durnius", "67")
    yield small("econ431", "67", suits="cdh", hand=3)


@pytest.fixture(scope="module")
def solved():
    """Those, each with what the linear program found."""
    return [(tree, gametheory.solve(tree)) for tree in games()]


@pytest.mark.release
def test_solvers_agree_on_durak(solved):
    """CFR+'s interval holds the exact value, on eight games of four rule sets."""
    assert len(solved) == 8
    for tree, exact in solved:
        near = gametheory.solve(tree, "cfr+", iterations=200)
        assert exact.exact
        assert near.lower <= exact.value <= near.upper
        assert near.exploitability < 1e-3


@pytest.mark.release
def test_openspiel_agrees_on_durak(solved):
    """Its CFR+ over the exported games: the interval of what it learned holds the exact value, and iteration for iteration it learns what ours does."""
    spiel = pytest.importorskip("pyspiel")
    for tree, exact in solved:
        game = analysis.openspiel.convert_tree_to_game(tree)
        solver, cfr = spiel.CFRPlusSolver(game), gametheory.CFR(tree).run(40)
        for _ in range(40):
            solver.evaluate_and_update_policy()
        learned = analysis.openspiel.convert_policy_to_strategy(tree, solver.average_policy(), game)
        found = gametheory.certify(tree, learned)
        assert found.lower <= exact.value <= found.upper
        assert float(found.gap) / 2 == pytest.approx(cfr.exploitability(), rel=1e-6, abs=1e-9)
        assert float(found.gap) < 0.01


def test_with_open_hands_backward_induction_is_enough():
    """Only the talon is hidden then, from both alike: the linear program finds the same value."""
    for preset, ranks in (("econ431", "67"), ("podkidnoy", "67")):
        rules = Rules.preset(preset, suits="cd", ranks=ranks, hand_size=1, trump="c", first_attacker="left_of_dealer")
        tree = analysis.build_game_tree(rules, dealer=1, open_hands=True)
        solution = gametheory.solve(tree, "backward")
        assert solution.certificate.exact
        assert solution.strategy.is_pure
        assert gametheory.solve(tree).value == solution.value


@pytest.mark.slow
def test_a_game_told_by_a_function_is_that_of_the_tree():
    """Its cards are dealt one after another: grown into a tree it has the same value, and learned by single plays it comes near it."""
    root, look = analysis.make_implicit_game(
        Rules.preset("podkidnoy", suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), 1
    )
    tree = gametheory.build_tree(root, look, player_count=2)
    assert gametheory.solve(tree).value == gametheory.solve(small("podkidnoy", "67")).value
    learned = gametheory.OutcomeSampling(root, look, player_count=2, seed=1).run(3000)
    assert gametheory.exploitability(tree, learned.strategy(tree)) < gametheory.exploitability(tree, gametheory.Strategy.uniform(tree)) / 5


def test_a_game_too_large_for_a_tree_is_played_and_learned_from():
    """With a whole deck: the tree is refused, and single plays teach what they meet."""
    for preset in ("podkidnoy", "perevodnoy", "poker", "two_decks"):
        with pytest.raises(gametheory.TreeError, match="the limit is"):
            analysis.build_game_tree(preset)
        learned = gametheory.OutcomeSampling(*analysis.make_implicit_game(preset), player_count=2, seed=1).run(5)
        assert (learned.iterations, len(learned) > 40) == (5, True)
        with pytest.raises(gametheory.TreeError, match="say players=2"):
            analysis.make_implicit_game(Rules(players=3))
