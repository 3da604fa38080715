"""Test zero-sum games without numpy: the double oracle, branch and bound for pure strategies, and CFR+."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from random import Random

import pytest

from durak_widget import Game, Rules, analysis, board, gametheory
from durak_widget.gametheory import zero_sum_solver
from durak_widget.gametheory.cfr_plus import CFR
from durak_widget.gametheory.cfr_plus_without_numpy import PurePythonCFR
from durak_widget.gametheory.double_oracle_solver import double_oracle
from durak_widget.gametheory.tree import ChanceNode, DecisionNode, TerminalNode, build_tree
from support.sizes import tried

SIX = Rules.preset("podkidnoy", suits="cdh", ranks="67", hand_size=1, trump="none", attack_limit=1, first_attacker="left_of_dealer")
KING_OR_ACE = (
    "econ431, suits=cdh, hand_size=1: Kc Ac | Kd; attacker 1; table Qc; talon Ad; turn-up 9h; seen Kc Ac |; "
    "discard 9c Tc Jc 9d Td Jd Qd Th Jh Qh Kh Ah"
)


def hidden_tree(rng: Random):
    """Return a small zero-sum game in which each player sees its own moves and signals, and not all of the other's."""
    depth, among = rng.randint(2, 4), [Fraction(n, d) for n in range(-3, 4) for d in (1, 2, 3)]
    hides = [rng.random() < 0.6 for _ in range(depth)]
    ways = [rng.choice((2, 2, 3)) for _ in range(depth)]
    acts = [rng.randrange(2) for _ in range(depth)]

    def node_at(where):
        if not where:
            return ChanceNode([(amount, Fraction(part, 6), amount) for amount, part in zip("xyz", (1, 2, 3), strict=True)])
        at = len(where) - 1
        if at == depth:
            payoff = rng.choice(among)
            return TerminalNode((payoff, -payoff))
        seen = "".join(move if acts[turn] == acts[at] or not hides[turn] else "?" for turn, move in enumerate(where[1:]))
        signal = where[0] if acts[at] == 0 else "-"
        return DecisionNode(acts[at], f"{signal}{seen}", [(move, where + move) for move in "abc"[: ways[at]]])

    return build_tree("", node_at, player_count=2)


def assert_same_value(tree):
    """Assert that both methods find the same value, with a certificate without a gap."""
    found = gametheory.solve(tree, "plans")
    assert found.exact
    assert found.exploitability == 0
    assert found.value == double_oracle(tree).value == gametheory.solve(tree).value
    return found


def test_small_card_games_have_the_same_value():
    """Including those of the lessons."""
    assert assert_same_value(analysis.build_game_tree(SIX, dealer=1)).value == Fraction(-1, 5)
    assert assert_same_value(analysis.build_tree_from_position(Game.from_position_line(KING_OR_ACE))).value == 0
    assert assert_same_value(gametheory.textbook("kuhn")).value == Fraction(-1, 18)


def test_random_games_have_the_same_value():
    """With chance, private information, and ties."""
    rng = Random(5)
    for _ in range(tried(12, 300)):
        assert_same_value(hidden_tree(rng))


def test_no_pure_strategy_guarantees_more():
    """All others are compared with the one that branch and bound finds."""
    rng, compared = Random(6), 0
    for tree in (gametheory.textbook("pennies"), *(hidden_tree(rng) for _ in range(tried(20, 400)))):
        if prod([len(infoset.actions) for infoset in tree.infosets]) > 500:
            continue
        found = gametheory.solve(tree, "pure")
        every = [
            gametheory.certify(tree, gametheory.Strategy.from_choices(tree, list(moves)))
            for moves in product(*(range(len(infoset.actions)) for infoset in tree.infosets))
        ]
        assert found.strategy.is_pure
        assert (found.lower, found.upper) == (
            max(certificate.lower for certificate in every),
            min(certificate.upper for certificate in every),
        )
        compared += 1
    assert compared > 1


def test_the_search_for_pure_strategies_has_a_time_limit():
    """A search that would take longer is refused."""
    with pytest.raises(gametheory.TreeError, match="needs more seconds"):
        gametheory.solve(gametheory.textbook("kuhn"), "pure", seconds=0)


def test_an_information_set_can_be_restricted_to_one_move():
    """The value is that of the game with only this move; here the player who sees nothing must choose heads."""
    tree = gametheory.textbook("pennies")
    held = double_oracle(tree, ({0: 0}, {}))
    assert held.value == -1
    assert held.strategy.rows[0] == (1, 0)


def test_cfr_without_numpy_learns_the_same_numbers():
    """Up to the order in which floats are added."""
    for tree in (
        gametheory.textbook("kuhn"),
        analysis.build_tree_from_position(Game.from_position_line(KING_OR_ACE)),
        hidden_tree(Random(8)),
    ):
        with_numpy, plainly = CFR(tree), PurePythonCFR(tree)
        for many in (1, 7, 92):
            with_numpy.run(many)
            plainly.run(many)
            assert plainly.iterations == with_numpy.iterations
            assert plainly.exploitability() == pytest.approx(with_numpy.exploitability(), abs=1e-9)
            for row, other in zip(plainly.strategy().rows, with_numpy.strategy().rows, strict=True):
                assert row == pytest.approx(other, abs=1e-7)


def test_solve_works_without_numpy(monkeypatch):
    """`solve` names its method. If a game is too large, or floats are required, the error says what to install."""
    monkeypatch.setattr(zero_sum_solver, "has_numpy_and_scipy", lambda: False)
    tree = gametheory.textbook("kuhn")
    found = gametheory.solve(tree)
    assert (found.method, found.value) == ("plans", Fraction(-1, 18))
    assert "found by: exact linear" in str(found)
    assert double_oracle(tree).strategy.rows == found.strategy.rows
    view = board.Tree(tree)
    monkeypatch.setattr("durak_widget.board.strategy_state.has_numpy_and_scipy", lambda: False)
    monkeypatch.setattr("durak_widget.board.cfr_panel.has_numpy_and_scipy", lambda: False)
    view.solve()
    assert (view.solution.method, view.solution.value) == ("plans", Fraction(-1, 18))
    assert view.get_learner().step(50).iterations == 50
