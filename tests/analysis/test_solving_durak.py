"""Test the values of small Durak games: against two other implementations, the linear program, CFR+ and OpenSpiel."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durak_widget import Rules, analysis, gametheory


def small_rules(preset, ranks, trump="c", suits="cd", hand=1):
    """Return rules with a small deck; all deals have the same probability, and seat 0 attacks first."""
    rules = Rules.preset(preset, suits=suits, ranks=ranks, hand_size=hand, trump=trump, attack_limit=hand, first_attacker="left_of_dealer")
    return analysis.build_game_tree(rules, dealer=1)


@pytest.mark.parametrize(
    ("preset", "ranks", "trump", "value"),
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
def test_attacking_first_has_the_independently_computed_value(preset, ranks, trump, value):
    """Each is exact, with a proof that the independent checker accepts."""
    tree = small_rules(preset, ranks, trump)
    solution = gametheory.solve(tree)
    assert solution.value == value
    assert gametheory.check_certificate(tree, solution.certificate) == 0


def example_games():
    """Return small games of four rule sets, with transfers among them."""
    yield small_rules("econ431", "67")
    yield small_rules("podkidnoy", "67")
    yield small_rules("podkidnoy", "67", "none")
    yield small_rules("podkidnoy", "67", suits="cdh", hand=3)
    yield small_rules("perevodnoy", "67")
    yield small_rules("perevodnoy", "67", "none", suits="cdh", hand=2)
    yield small_rules("durnius", "67")
    yield small_rules("econ431", "67", suits="cdh", hand=3)


@pytest.fixture(scope="module")
def solved_games():
    """Return these games, each with the result of the linear program."""
    return [(tree, gametheory.solve(tree)) for tree in example_games()]


@pytest.mark.release
def test_solvers_agree_on_durak(solved_games):
    """CFR+'s interval contains the exact value, in eight games of four rule sets."""
    assert len(solved_games) == 8
    for tree, exact in solved_games:
        near = gametheory.solve(tree, "cfr+", iterations=200)
        assert exact.exact
        assert near.lower <= exact.value <= near.upper
        assert near.exploitability < 1e-3


@pytest.mark.release
def test_openspiel_agrees_on_durak(solved_games):
    """Its CFR+ on the exported games: the interval contains the exact value, and every iteration is equal to ours."""
    spiel = pytest.importorskip("pyspiel")
    for tree, exact in solved_games:
        game = analysis.openspiel.convert_tree_to_game(tree)
        solver, cfr = spiel.CFRPlusSolver(game), gametheory.CFR(tree).run(40)
        for _ in range(40):
            solver.evaluate_and_update_policy()
        learned = analysis.openspiel.convert_policy_to_strategy(tree, solver.average_policy(), game)
        found = gametheory.certify(tree, learned)
        assert found.lower <= exact.value <= found.upper
        assert float(found.gap) / 2 == pytest.approx(cfr.exploitability(), rel=1e-6, abs=1e-9)
        assert float(found.gap) < 0.01


def test_with_open_hands_backward_induction_agrees():
    """Only the talon is hidden then, from both alike: the linear program finds the same value."""
    for preset, ranks in (("econ431", "67"), ("podkidnoy", "67")):
        rules = Rules.preset(preset, suits="cd", ranks=ranks, hand_size=1, trump="c", first_attacker="left_of_dealer")
        tree = analysis.build_game_tree(rules, dealer=1, open_hands=True)
        solution = gametheory.solve(tree, "backward")
        assert solution.certificate.exact
        assert solution.strategy.is_pure
        assert gametheory.solve(tree).value == solution.value


@pytest.mark.slow
def test_a_game_function_equals_its_tree():
    """Its cards are dealt one after another: as a tree it has the same value, and outcome sampling comes close to it."""
    root, look = analysis.make_implicit_game(
        Rules.preset("podkidnoy", suits="cd", ranks="67", hand_size=1, trump="c", first_attacker="left_of_dealer"), 1
    )
    tree = gametheory.build_tree(root, look, player_count=2)
    assert gametheory.solve(tree).value == gametheory.solve(small_rules("podkidnoy", "67")).value
    learned = gametheory.OutcomeSampling(root, look, player_count=2, seed=1).run(3000)
    assert gametheory.exploitability(tree, learned.strategy(tree)) < gametheory.exploitability(tree, gametheory.Strategy.uniform(tree)) / 5


def test_a_game_too_large_for_a_tree_can_be_sampled():
    """With a whole deck the tree is refused, and outcome sampling learns at the nodes that it visits."""
    for preset in ("podkidnoy", "perevodnoy", "poker", "two_decks"):
        with pytest.raises(gametheory.TreeError, match="the limit is"):
            analysis.build_game_tree(preset)
        learned = gametheory.OutcomeSampling(*analysis.make_implicit_game(preset), player_count=2, seed=1).run(5)
        assert (learned.iterations, len(learned) > 40) == (5, True)
        with pytest.raises(gametheory.TreeError, match="players=2"):
            analysis.make_implicit_game(Rules(players=3))
