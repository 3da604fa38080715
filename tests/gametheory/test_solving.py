"""Test the solvers on textbook games, and that they agree on random games."""

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
    """Return Kuhn's equilibria: player 0 bets the jack with probability alpha, 0 to 1/3, and the king three times as often; player 1 has only one strategy."""
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


def test_kuhn_poker_has_the_value_minus_one_eighteenth():
    """Kuhn (1950), exactly and with a proof."""
    solution = gametheory.solve(kuhn())
    assert solution.value == Fraction(-1, 18)
    assert isinstance(solution.value, Fraction)
    assert solution.exploitability == 0
    assert gametheory.check_certificate(solution.tree, solution.certificate) == 0


@given(st.fractions(0, Fraction(1, 3)))
@settings(max_examples=20)
def test_every_strategy_of_kuhns_family_is_an_equilibrium(alpha):
    """One parameter is free, and for each of its values nobody can gain."""
    tree = kuhn()
    strategy = kuhn_family(tree, alpha)
    assert gametheory.exploitability(tree, strategy) == 0
    assert gametheory.value(tree, strategy) == Fraction(-1, 18)


def test_outside_kuhns_family_the_first_player_loses():
    """Alpha above a third can be exploited."""
    tree = kuhn()
    row = {"bet": HALF, "pass": HALF}
    assert gametheory.exploitability(tree, Strategy.from_mapping(tree, {**dict.fromkeys(("K", "Kp", "Kb", "Kpb"), "bet"), "J": row})) > 0


def test_matching_pennies_are_mixed_evenly():
    """Both players choose each side half of the time."""
    solution = gametheory.solve(matching_pennies())
    assert solution.value == 0
    assert solution.strategy["hides"] == solution.strategy["guesses"] == (HALF, HALF)


def test_myersons_card_game_has_the_known_strategy():
    """The player with the low card bets once in three, and is called twice in three."""
    solution = gametheory.solve(signalling())
    assert solution.value == Fraction(1, 3)
    assert solution.strategy["high"] == (0, 1)
    assert solution.strategy["low"] == (Fraction(2, 3), Fraction(1, 3))
    assert solution.strategy["bet"] == (Fraction(1, 3), Fraction(2, 3))


def test_pure_strategies_guarantee_less():
    """In matching pennies 1 is lost for certain, in Kuhn poker a sixth: by branch and bound, and by trying all."""
    assert gametheory.solve(matching_pennies(), "pure").lower == -1
    for tree in (kuhn(), signalling()):
        solution = gametheory.solve(tree, "pure")
        pures = list(product(*(range(len(infoset.actions)) for infoset in tree.infosets)))
        guaranteed = [
            gametheory.certify(tree, Strategy.from_choices(tree, moves)) for moves in dict.fromkeys(pures[:: 1 if len(pures) < 100 else 64])
        ]
        guaranteed += [gametheory.certify(tree, Strategy.from_choices(tree, moves)) for moves in pures[:64]]
        assert solution.strategy.is_pure
        assert solution.lower == max(certificate.lower for certificate in guaranteed)
        assert solution.upper == min(certificate.upper for certificate in guaranteed)


def pure_strategies(tree, seat):
    """Return all pure strategies of a player, by enumeration; the other's rows are the first move."""
    ways = [range(len(infoset.actions)) if infoset.player == seat else (0,) for infoset in tree.infosets]
    for choices in product(*ways):
        yield Strategy.from_choices(tree, choices)


@given(zero_sum(3), st.integers(0, 1), st.randoms(use_true_random=False))
def test_a_best_response_is_the_best_of_all_pure_strategies(tree, seat, random):
    """No pure strategy gets more against the same strategy, and the response gets its stated value."""
    count = 1
    for infoset in tree.infosets:
        count *= len(infoset.actions) if infoset.player == seat else 1
    if count > 300:
        return
    rows = []
    for infoset in tree.infosets:
        weights = [random.randrange(3) for _ in infoset.actions]
        weights[0] += not sum(weights)
        rows.append([Fraction(weight, sum(weights)) for weight in weights])
    strategy = Strategy(tree, rows)
    best = gametheory.best_response(tree, strategy, seat)
    assert gametheory.value(tree, best.strategy, seat) == best.value
    assert best.value == max(gametheory.value(tree, strategy.replace_player(seat, other), seat) for other in pure_strategies(tree, seat))


@given(zero_sum())
def test_solvers_agree(tree):
    """The linear program is exact, CFR+ is close to it, and the independent checker accepts each proof."""
    exact, near = gametheory.solve(tree), gametheory.solve(tree, "cfr+", iterations=400)
    assert exact.exact
    assert near.lower <= exact.value <= near.upper
    assert near.exploitability < 0.05
    for solution in (exact, near):
        assert gametheory.check_certificate(tree, solution.certificate) == 2 * solution.exploitability


def test_leduc_poker_has_the_same_value_with_all_solvers():
    """A small Leduc poker, 3,517 histories: −2/65 by the linear program, inside the interval of CFR+."""
    tree = leduc()
    solution = gametheory.solve(tree)
    assert solution.value == Fraction(-2, 65)
    near = gametheory.solve(tree, "cfr+", iterations=500)
    assert near.lower < Fraction(-2, 65) < near.upper
    assert near.exploitability < 2e-4
    assert isinstance(near.value, float)


def test_action_values_are_those_of_each_move():
    """Under the bluffing jack of Kuhn's family both moves are equally good; unreached information sets are marked."""
    tree = kuhn()
    standings = gametheory.infoset_values(tree, kuhn_family(tree, Fraction(1, 6)))
    by_label = {infoset.label: standing for infoset, standing in zip(tree.infosets, standings, strict=True)}
    assert by_label["J"].action_values == (-1, -1)
    assert by_label["J"].reach_probability == by_label["J"].counterfactual_reach == Fraction(1, 3)
    assert by_label["Jpb"].reach_probability == Fraction(5, 6) * Fraction(1, 6)  # does not bet, and only the king bets against it
    assert sum(max(by_label[card].counterfactual_values) for card in "JQK") == Fraction(-1, 18)
    never = gametheory.infoset_values(tree, Strategy.from_mapping(tree, dict.fromkeys(("Jp", "Qp", "Kp"), "pass")))
    assert next(standing for standing, infoset in zip(never, tree.infosets, strict=True) if infoset.label == "Kpb").action_values is None


def test_other_games_than_two_player_zero_sum_are_refused():
    """Best responses, values and backward induction accept any game."""
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


def test_imperfect_recall_is_refused():
    """Without perfect recall a mixed strategy is not a behaviour strategy: the error names the information set."""
    tree = tree_of(
        {
            "": DecisionNode(0, "?", [("a", "a"), ("b", "b")]),
            **{move: DecisionNode(0, "!", [("c", "c")]) for move in "ab"},
            "c": TerminalNode((0, 0)),
        }
    )
    for method in ("lp", "cfr+", "pure", "sampling"):
        with pytest.raises(TreeError, match="Player 1 forgets what they did before '!'"):
            gametheory.solve(tree, method)


def test_unknown_options_and_methods_are_refused():
    """The error lists the known ones."""
    with pytest.raises(TreeError, match="'simplex'"):
        gametheory.solve(kuhn(), "simplex")
    with pytest.raises(TreeError, match="'lp' has no option 'iterations'"):
        gametheory.solve(kuhn(), iterations=3)


def test_a_game_of_chance_moves_only_has_a_value():
    """Nobody has a move, and the value is the expected payoff."""
    tree = tree_of(
        {"": ChanceNode([("a", Fraction(1, 3), "a"), ("b", Fraction(2, 3), "b")]), "a": TerminalNode((1, -1)), "b": TerminalNode((-1, 1))}
    )
    for method in ("lp", "cfr+", "backward", "pure", "sampling"):
        assert gametheory.solve(tree, method).value == Fraction(-1, 3)


def test_a_solution_has_text_rows_and_html():
    """As text, as a table of rows, and in a notebook, where labels are escaped."""
    solution = gametheory.solve(matching_pennies())
    assert str(solution).startswith("value to Player 1: 0, exactly\nfound by: a linear program")
    rows = solution.table()
    assert rows[0] == {"seat": 0, "knows": "hides", "move": "heads", "probability": 0.5, "value": 0.0, "reach": 1.0}
    assert json.loads(json.dumps(rows)) == rows
    sly = tree_of({"": DecisionNode(0, "<b>", [("l", "l")]), "l": TerminalNode((1, -1))})
    assert "<b>" not in gametheory.solve(sly, "backward")._repr_html_()
    assert ": at least -0.0" in str(gametheory.solve(kuhn(), "cfr+"))


@pytest.mark.slow
def test_without_numpy_the_error_says_what_to_install():
    """All other methods work. CFR+, and a linear program too large for plain Python, say what to install."""
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
    zero_sum_solver.MAX_PURE_PYTHON_HISTORIES = 5  # makes this tree too large
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert issubclass(MissingPackageError, ImportError)


@pytest.mark.release
def test_openspiel_agrees():
    """Its Kuhn poker and Leduc poker are these, and random play has the same exploitability there; so has the strategy of its CFR+."""
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
