"""What solvers say of the games of the textbooks, and that they agree on games that nobody has thought of."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_widget import gametheory
from durak_widget.gametheory import Strategy
from durak_widget.gametheory.tree import ChanceNode, DecisionNode, TerminalNode, TreeError
from durak_widget.optional_dependencies import MissingPackageError
from support.textbook import HALF, kuhn, leduc, matching_pennies, signalling, tree_of, zero_sum


def kuhn_family(tree, alpha):
    """Kuhn's equilibria: seat 0 bets the jack with probability alpha, 0 to 1/3, and the king three times as often; seat 1 has only one."""
    return Strategy.from_mapping(
        tree,
        {
            "J": {"bet": alpha, "pass": 1 - alpha},
            "Q": "pass",
            "K": {"bet": 3 * alpha, "pass": 1 - 3 * alpha},
            "Jpb": "pass",
            "Qpb": {"bet": alpha + Fraction(1, 3), "pass": Fraction(2, 3) - alpha},
            "Kpb": "bet",
            "Jp": {"bet": Fraction(1, 3), "pass": Fraction(2, 3)},
            "Qp": "pass",
            "Kp": "bet",
            "Jb": "pass",
            "Qb": {"bet": Fraction(1, 3), "pass": Fraction(2, 3)},
            "Kb": "bet",
        },
    )


def test_kuhn_poker_is_worth_minus_an_eighteenth():
    """Kuhn (1950), exactly and with a proof."""
    solution = gametheory.solve(kuhn())
    assert solution.value == Fraction(-1, 18)
    assert isinstance(solution.value, Fraction)
    assert solution.exploitability == 0
    assert gametheory.check_certificate(solution.tree, solution.certificate) == 0


@given(st.fractions(0, Fraction(1, 3)))
@settings(max_examples=20)
def test_each_of_kuhns_family_is_an_equilibrium(alpha):
    """One parameter is free, and whatever it is nobody can gain."""
    tree = kuhn()
    strategy = kuhn_family(tree, alpha)
    assert gametheory.exploitability(tree, strategy) == 0
    assert gametheory.value(tree, strategy) == Fraction(-1, 18)


def test_outside_of_kuhns_family_one_loses():
    """Alpha of more than a third is punished."""
    tree = kuhn()
    row = {"bet": HALF, "pass": HALF}
    assert gametheory.exploitability(tree, Strategy.from_mapping(tree, {**dict.fromkeys(("K", "Kp", "Kb", "Kpb"), "bet"), "J": row})) > 0


def test_matching_pennies_are_mixed_evenly():
    """Both hide either side equally often."""
    solution = gametheory.solve(matching_pennies())
    assert solution.value == 0
    assert solution.strategy["hides"] == solution.strategy["guesses"] == (HALF, HALF)


def test_a_signal_is_believed_as_often_as_it_should_be():
    """Myerson's card game: who holds the low card bets once in three, and is called twice in three."""
    solution = gametheory.solve(signalling())
    assert solution.value == Fraction(1, 3)
    assert solution.strategy["high"] == (0, 1)
    assert solution.strategy["low"] == (Fraction(2, 3), Fraction(1, 3))
    assert solution.strategy["bet"] == (Fraction(1, 3), Fraction(2, 3))


def test_pure_strategies_guarantee_less():
    """With pennies 1 each is lost for certain, with Kuhn's poker a sixth: found by branch and bound, and by trying all."""
    assert gametheory.solve(matching_pennies(), "pure").lower == -1
    for tree in (kuhn(), signalling()):
        solution = gametheory.solve(tree, "pure")
        pures = list(product(*(range(len(one.actions)) for one in tree.infosets)))
        guaranteed = [
            gametheory.certify(tree, Strategy.from_choices(tree, one)) for one in dict.fromkeys(pures[:: 1 if len(pures) < 100 else 64])
        ]
        guaranteed += [gametheory.certify(tree, Strategy.from_choices(tree, one)) for one in pures[:64]]
        assert solution.strategy.is_pure
        assert solution.lower == max(one.lower for one in guaranteed)
        assert solution.upper == min(one.upper for one in guaranteed)


def pure_strategies(tree, seat):
    """All pure strategies of a seat, the other's rows being the first move: by enumeration."""
    ways = [range(len(one.actions)) if one.player == seat else (0,) for one in tree.infosets]
    for choices in product(*ways):
        yield Strategy.from_choices(tree, choices)


@given(zero_sum(3), st.integers(0, 1), st.randoms(use_true_random=False))
def test_a_best_response_is_the_best_of_all_pure_strategies(tree, seat, random):
    """None of them gets more against the same strategy, and the response gets what it says."""
    count = 1
    for one in tree.infosets:
        count *= len(one.actions) if one.player == seat else 1
    if count > 300:
        return
    rows = []
    for one in tree.infosets:
        weights = [random.randrange(3) for _ in one.actions]
        weights[0] += not sum(weights)
        rows.append([Fraction(weight, sum(weights)) for weight in weights])
    strategy = Strategy(tree, rows)
    best = gametheory.best_response(tree, strategy, seat)
    assert gametheory.value(tree, best.strategy, seat) == best.value
    assert best.value == max(gametheory.value(tree, strategy.replace_player(seat, one), seat) for one in pure_strategies(tree, seat))


@given(zero_sum())
def test_solvers_agree(tree):
    """The linear program is exact, CFR+ comes near it, and each proof holds for the independent checker."""
    exact, near = gametheory.solve(tree), gametheory.solve(tree, "cfr+", iterations=400)
    assert exact.exact
    assert near.lower <= exact.value <= near.upper
    assert near.exploitability < 0.05
    for one in (exact, near):
        assert gametheory.check_certificate(tree, one.certificate) == 2 * one.exploitability


def test_a_larger_poker_has_one_value():
    """A small Leduc poker, 3,517 histories: −2/65 by the linear program, and CFR+'s interval holds it."""
    tree = leduc()
    solution = gametheory.solve(tree)
    assert solution.value == Fraction(-2, 65)
    near = gametheory.solve(tree, "cfr+", iterations=500)
    assert near.lower < Fraction(-2, 65) < near.upper
    assert near.exploitability < 2e-4
    assert isinstance(near.value, float)


def test_values_say_what_each_move_is_worth():
    """With the bluffing jack of Kuhn's family both moves are equally good; the standing where nobody comes says so."""
    tree = kuhn()
    standings = gametheory.infoset_values(tree, kuhn_family(tree, Fraction(1, 6)))
    by_label = {one.label: standing for one, standing in zip(tree.infosets, standings, strict=True)}
    assert by_label["J"].action_values == (-1, -1)
    assert by_label["J"].reach_probability == by_label["J"].counterfactual_reach == Fraction(1, 3)
    assert by_label["Jpb"].reach_probability == Fraction(5, 6) * Fraction(1, 6)  # not bet by itself, and met by a bet of the king only
    assert sum(max(by_label[one].counterfactual_values) for one in "JQK") == Fraction(-1, 18)
    never = gametheory.infoset_values(tree, Strategy.from_mapping(tree, dict.fromkeys(("Jp", "Qp", "Kp"), "pass")))
    assert next(one for one, info in zip(never, tree.infosets, strict=True) if info.label == "Kpb").action_values is None


def test_more_than_two_seats_and_other_sums_are_refused_in_one_sentence():
    """But for best responses, values and backward induction, which take any."""
    three = tree_of(
        {"": DecisionNode(2, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((1, 1, 0)), "b": TerminalNode((0, 0, 1))}, seats=3
    )
    general = tree_of({"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((1, 1)), "b": TerminalNode((0, 3))})
    for tree, words in ((three, "two players, and this game has 3"), (general, "needs a zero-sum game")):
        for method in ("lp", "cfr+", "pure", "sampling"):
            with pytest.raises(TreeError, match=words):
                gametheory.solve(tree, method)
        assert gametheory.solve(tree, "backward").exploitability == 0
    assert gametheory.best_response(three, Strategy.uniform(three), 2).value == 1
    assert gametheory.solve(three, "backward").certificate is None


def test_who_forgets_is_not_solved():
    """Without perfect recall a plan is no strategy: refused with the place."""
    tree = tree_of(
        {
            "": DecisionNode(0, "?", [("a", "a"), ("b", "b")]),
            **{one: DecisionNode(0, "!", [("c", "c")]) for one in "ab"},
            "c": TerminalNode((0, 0)),
        }
    )
    for method in ("lp", "cfr+", "pure", "sampling"):
        with pytest.raises(TreeError, match="Player 1 forgets what they did before '!'"):
            gametheory.solve(tree, method)


def test_options_and_methods_are_checked():
    """A method or an option that is not there is refused with those that are."""
    with pytest.raises(TreeError, match="there is no method 'simplex'; there are lp, plans, cfr"):
        gametheory.solve(kuhn(), "simplex")
    with pytest.raises(TreeError, match="method 'lp' has no option 'iterations'; its options: exact"):
        gametheory.solve(kuhn(), iterations=3)


def test_a_game_that_is_all_chance_has_a_value():
    """Nobody has a move, and it is worth what it is worth."""
    tree = tree_of(
        {"": ChanceNode([("a", Fraction(1, 3), "a"), ("b", Fraction(2, 3), "b")]), "a": TerminalNode((1, -1)), "b": TerminalNode((-1, 1))}
    )
    for method in ("lp", "cfr+", "backward", "pure", "sampling"):
        assert gametheory.solve(tree, method).value == Fraction(-1, 3)


def test_a_solution_tells_itself():
    """As text, as a table of rows, and in a notebook, where what a label says is never markup."""
    solution = gametheory.solve(matching_pennies())
    assert str(solution).startswith("value to Player 1: 0, exactly\nfound by: a linear program")
    rows = solution.table()
    assert rows[0] == {"seat": 0, "knows": "hides", "move": "heads", "probability": 0.5, "value": 0.0, "reach": 1.0}
    assert json.loads(json.dumps(rows)) == rows
    sly = tree_of({"": DecisionNode(0, "<b>", [("l", "l")]), "l": TerminalNode((1, -1))})
    assert "<b>" not in gametheory.solve(sly, "backward")._repr_html_()
    assert ": at least -0.0" in str(gametheory.solve(kuhn(), "cfr+"))


@pytest.mark.slow
def test_without_numpy_one_sentence_says_what_to_do():
    """All other methods work; CFR+ and a linear program that is too large for plain Python say what to install."""
    code = f"""
import sys
sys.modules["numpy"] = sys.modules["scipy"] = None
sys.path.insert(0, {str(__file__).rsplit("/", 2)[0]!r})
from support.textbook import kuhn, tree_of
from durak_widget import gametheory
from durak_widget.gametheory.tree import DecisionNode, TerminalNode
from durak_widget.optional_dependencies import MissingPackageError
tree = kuhn()
assert gametheory.solve(tree, "sampling", iterations=50).exploitability > 0
assert gametheory.solve(tree_of({{"": DecisionNode(0, "?", [("a", "a")]), "a": TerminalNode((1, -1))}}), "backward").value == 1
assert gametheory.solve(tree).method == gametheory.solve(tree, "lp").method == "plans" and gametheory.solve(tree, "pure").lower < gametheory.solve(tree).value
from durak_widget.gametheory import zero_sum_solver
for method in ("cfr+", "lp"):
    try:
        gametheory.solve(tree, method)
    except MissingPackageError as error:
        assert "pip install 'durak_widget[theory]'" in str(error)
    else:
        raise SystemExit(method)
    zero_sum_solver.MAX_PURE_PYTHON_HISTORIES = 5  # a tree that is too large for it
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert issubclass(MissingPackageError, ImportError)


@pytest.mark.release
def test_openspiel_agrees():
    """Its Kuhn poker and its Leduc poker are these, and who plays at random is as exploitable there; so is who has learned by its CFR+."""
    spiel = pytest.importorskip("pyspiel")
    for name, tree, count in (("kuhn_poker", kuhn(), 200), ("leduc_poker", leduc("JQK", 2, (2, 4)), 20)):
        game = spiel.load_game(name)
        solver, cfr = spiel.CFRPlusSolver(game), gametheory.CFR(tree)
        assert spiel.exploitability(game, spiel.UniformRandomPolicy(game)) == pytest.approx(
            float(gametheory.exploitability(tree, Strategy.uniform(tree)))
        )
        for _ in range(count):
            solver.evaluate_and_update_policy()
        assert spiel.exploitability(game, solver.average_policy()) == pytest.approx(cfr.run(count).exploitability(), rel=1e-6)
