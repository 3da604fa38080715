"""Test the path of logit equilibria: known limits, its equations by another method, bifurcations, and exact equilibria near its end."""

from __future__ import annotations

from fractions import Fraction
from math import log
from random import Random

import pytest

from durak_widget import gametheory
from durak_widget.gametheory.beliefs import bayesian_beliefs, evaluate_weak_perfect_bayesian, list_infoset_nodes
from durak_widget.gametheory.best_responses import infoset_values, nash_conv
from durak_widget.gametheory.quantal_response import (
    ACCEPTED_ERROR,
    MAX_EQUATIONS,
    LinearSystem,
    LogitEquations,
    LogitPathFollower,
    can_follow_logit_path,
    follow_logit_path,
)
from durak_widget.gametheory.sequential_equilibrium import verify_sequential_equilibrium
from durak_widget.gametheory.solver_selection import find_exact_near
from durak_widget.gametheory.strategic_form import matrix_from_payoffs
from durak_widget.gametheory.strategy import Strategy
from durak_widget.gametheory.tree import ChanceNode, DecisionNode, TerminalNode, build_tree
from support.hidden_trees import hidden_tree
from support.sizes import tried

F = Fraction
GAMES = {2: 6, 3: 4, 4: 1}
"""How many random games are tried, by the number of players."""

# The end of the path, an equilibrium known from the literature: a row for each information set
ENDS = {
    "horse": {"begins": (0, 1), "One went across": (0, 1), "One or Two went down": (0, 1)},
    "beer-quiche": {"strong": (1, 0), "weak": (1, 0), "sees beer": (0, 1), "sees quiche": (1, 0)},
    "entry": {0: (1, 0), 1: (1, 0)},
    "pennies": {0: (F(1, 2), F(1, 2)), 1: (F(1, 2), F(1, 2))},
    "outside-option": {0: (1, 0), 1: (F(3, 4), F(1, 4)), 2: (F(1, 4), F(3, 4))},
}


def test_the_path_ends_at_the_known_limits():
    """In textbook games: the end of the path, and an exact sequential equilibrium there."""
    for name, known in ENDS.items():
        tree = gametheory.textbook(name)
        found = follow_logit_path(tree)
        beside = find_exact_near(tree, found.strategy)
        assert found.error < ACCEPTED_ERROR
        assert {found.strategy.find_infoset(key): row for key, row in known.items()} == dict(enumerate(beside.rows))
        assert verify_sequential_equilibrium(tree, beside).holds


def test_the_path_ends_at_an_equilibrium():
    """In the other games with perfect recall nobody gains a millionth of the payoffs' range."""
    for name in ("bayes", "spence", "kuhn", "myerson"):
        tree = gametheory.textbook(name)
        found = follow_logit_path(tree)
        assert found.error < ACCEPTED_ERROR
        floats = Strategy(tree, found.strategy.rows)
        span = max(max(player_payoffs) - min(player_payoffs) for player_payoffs in zip(*tree.payoffs, strict=True))
        assert nash_conv(tree, floats) <= tree.player_count * ACCEPTED_ERROR * span


def test_threes_belief_in_the_horse_tends_to_a_third():
    """In Selten's horse Three's belief tends to 1/3, where it is indifferent. A stop by the gain at the beginning alone would miss it."""
    found = follow_logit_path(gametheory.textbook("horse"))
    assert found.beliefs[1][0] == pytest.approx(1 / 3, abs=2e-3)


def random_game(seed, seats):
    """Return a random game."""
    return hidden_tree(Random(seed), seats=seats, deep=3 if seats < 4 else 4)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_point_satisfies_the_logit_equations(seats):
    """By another method, with action values under the beliefs: log ratios equal λ times value differences; and the beliefs satisfy Bayes' rule."""
    looked = 0
    for seed in range(tried(GAMES[seats], 12)):
        tree = random_game(seed, seats)
        found = follow_logit_path(tree)
        for point in found.path[:: max(1, len(found.path) // 6)]:
            strategy = Strategy(tree, point.rows)
            for row, standing in zip(point.rows, infoset_values(tree, strategy), strict=True):
                if point.rationality > 100 or min(row) < 1e-9 or found.is_perturbed:
                    continue
                looked += 1
                for probability, action_value in zip(row, standing.action_values, strict=True):
                    assert log(probability) - log(row[0]) == pytest.approx(
                        point.rationality * (action_value - standing.action_values[0]), abs=1e-6
                    )
        if min(min(row) for row in found.strategy.rows) > 1e-200:
            for mine, known in zip(found.beliefs, bayesian_beliefs(tree, found.strategy), strict=True):
                assert mine == pytest.approx(known, abs=1e-6)
    assert looked > 8


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_path_works_for_any_number_of_players(seats):
    """In random games nobody gains a millionth, and there is almost always an exact equilibrium close by that beliefs support."""
    exact, games_tried = 0, tried(GAMES[seats], 20)
    for seed in range(games_tried):
        tree = random_game(seed + 100, seats)
        found = follow_logit_path(tree)
        assert found.error < ACCEPTED_ERROR
        beside = find_exact_near(tree, found.strategy)
        if beside is not None:
            exact += 1
            assert nash_conv(tree, beside) == 0
            assert evaluate_weak_perfect_bayesian(tree, beside).holds
    assert exact >= games_tried * 3 // 4


def matrix_tree(payoffs):
    """Return the tree of a matrix: one player chooses, then the other, without seeing it."""
    table = matrix_from_payoffs(payoffs).payoffs

    def node_at(where):
        if len(where) == 2:
            return TerminalNode(table[where[0]][where[1]])
        return DecisionNode(
            len(where), len(where), [(str(number), (*where, number)) for number in range(len(table[0]) if where else len(table))]
        )

    return build_tree((), node_at, player_count=2)


def test_a_bifurcation_is_reported():
    """Meeting at one of two equal places: p = 1/(1 + exp(−λ(2p − 1))) has one solution up to λ = 2, and three from there on. Going straight on, both stay undecided."""
    found = follow_logit_path(matrix_tree([[(1, 1), (0, 0)], [(0, 0), (1, 1)]]))
    assert len(found.bifurcations) == 1
    assert found.bifurcations[0] == pytest.approx(2, abs=0.5)
    assert [round(probability, 9) for row in found.strategy.rows for probability in row] == [0.5] * 4
    assert follow_logit_path(matrix_tree([[(2, 2), (0, 0)], [(0, 0), (1, 1)]])).bifurcations == ()


def test_a_turning_point_is_followed_by_the_sign():
    """If payoffs are a thousand times as large as others (after Shoham and Leyton-Brown 2008, figure 5.15), going straight on gets lost; the sign of the determinant does not."""
    ends = {
        "L": TerminalNode((1, 1)),
        "CU": TerminalNode((0, 1000)),
        "CD": TerminalNode((0, 0)),
        "RU": TerminalNode((1, 0)),
        "RD": TerminalNode((3, 1)),
    }
    turns = {
        "": DecisionNode(0, "One", [(move, move) for move in "LCR"]),
        **{move: DecisionNode(1, "Two", [(reply, move + reply) for reply in "UD"]) for move in "CR"},
    }
    tree = build_tree("", (ends | turns).__getitem__, player_count=2)
    found = follow_logit_path(tree)
    assert found.error < ACCEPTED_ERROR
    assert not found.is_perturbed
    assert find_exact_near(tree, found.strategy) is not None
    field = LogitEquations(tree, [(0.001, 0.001), (0, 1), (0, 0), (0.001, 0), (0.003, 0.001)])
    straight, kept = LogitPathFollower(field, keeps_sign=False), LogitPathFollower(field, keeps_sign=True)
    assert not straight.follow(1000, lambda logs: field.compute_max_regret(logs) < 1e-7)
    assert kept.follow(1000, lambda logs: field.compute_max_regret(logs) < 1e-7)
    assert straight.points[-1][-1] < 0


def test_beliefs_after_an_impossible_chance_move():
    """Chance never takes the second of three moves. An information set reached only by it has beliefs too; at a set with other histories that history counts zero."""
    ways = [("a", F(1, 2), "a"), ("never", F(0), "b"), ("c", F(1, 2), "c")]

    def node_at(where):
        if where == "":
            return ChanceNode(ways)
        if len(where) == 1:
            return DecisionNode(0, "b" if where == "b" else "a or c", [("l", where + "l"), ("r", where + "r")])
        if len(where) == 2 and where != "bl":
            return DecisionNode(1, "?", [("x", where + "x"), ("y", where + "y")])
        return TerminalNode({"bl": (5, 5)}.get(where, (len(where), ord(where[0]) % 3 * (where[-1] == "x"))))

    tree = build_tree("", node_at, player_count=2)
    found = follow_logit_path(tree)
    assert found.error < ACCEPTED_ERROR
    for info, belief, nodes in zip(tree.infosets, found.beliefs, list_infoset_nodes(tree), strict=True):
        assert sum(belief) == pytest.approx(1)
        never = [probability for probability, node in zip(belief, nodes, strict=True) if "never" in tree.actions_from_root(node)]
        assert never == ([1] if info.label == "b" else [0] if info.label == "?" else [])


def test_lambda_scales_with_the_payoffs():
    """With payoffs a thousand times as large, λ is a thousandth, and the path is the same."""
    small, large = (follow_logit_path(matrix_tree([[(2 * size, size), (0, 0)], [(0, 0), (size, 2 * size)]])) for size in (1, 1000))
    assert len(small.path) == len(large.path)
    for near, far in zip(small.path, large.path, strict=True):
        assert near.rationality == pytest.approx(1000 * far.rationality, rel=1e-4)
        assert [probability for row in near.rows for probability in row] == pytest.approx(
            [probability for row in far.rows for probability in row], abs=1e-6
        )


def test_the_path_begins_with_uniform_play():
    """λ is 0 there, and all moves have the same probability; a second call gives the same result."""
    tree = gametheory.textbook("beer-quiche")
    found = follow_logit_path(tree)
    assert found.path[0].rationality == 0
    assert [round(probability, 12) for row in found.path[0].rows for probability in row] == [0.5] * 8
    assert found == follow_logit_path(tree)
    assert found.path[-1].rows == found.strategy.rows


def test_a_short_search_returns_its_last_point():
    """With a small step limit, the result is the last point, with its error."""
    found = follow_logit_path(gametheory.textbook("horse"), max_evaluations=20)
    assert found.error > 1e-3
    assert found.rationality < 20


def test_a_game_without_decisions_has_a_path_end():
    """There is nothing to decide, and no error."""
    found = follow_logit_path(build_tree("", lambda _: TerminalNode((1, -1)), player_count=2))
    assert (len(found.strategy), found.beliefs, found.error) == (0, (), 0)


def test_the_path_works_with_absent_mindedness():
    """The absent-minded driver goes on with 2/3, and believes with 3/5 that it is the first crossing (Piccione and Rubinstein 1997)."""
    tree = gametheory.textbook("driver")
    found = follow_logit_path(tree)
    goes_on = next(row for row in found.strategy.rows)
    assert sorted(goes_on) == pytest.approx([1 / 3, 2 / 3], abs=1e-4)
    assert found.beliefs[0] == pytest.approx((3 / 5, 2 / 5), abs=1e-4)
    with pytest.raises(gametheory.TreeError, match=r"perfect recall.* Driver"):
        find_exact_near(tree, found.strategy)


def test_rounding_keeps_the_equilibrium_of_the_path():
    """3/4 is not rounded to 1, although that is an equilibrium too; and far from any equilibrium there is none."""
    tree = gametheory.textbook("outside-option")
    assert find_exact_near(tree, Strategy(tree, [(0.9999, 0.0001), (0.7494, 0.2506), (0.2507, 0.7493)]))[1] == (F(3, 4), F(1, 4))
    assert find_exact_near(tree, Strategy(tree, [(0.5, 0.5), (0.4, 0.6), (0.2, 0.8)])) is None


def test_games_with_very_many_moves_are_refused():
    """A solver does not try, because it would take long."""
    wide = matrix_tree([[(row, line) for line in range(MAX_EQUATIONS)] for row in range(2)])
    assert not can_follow_logit_path(wide)
    assert can_follow_logit_path(matrix_tree([[(row, line) for line in range(MAX_EQUATIONS - 3)] for row in range(2)]))


def test_linear_systems_are_solved_by_elimination():
    """Random systems, with and without a solution, are checked with the equations themselves; the sign of the determinant with its definition."""
    rng = Random(3)
    for size in (1, 2, 3, 6, 30):
        lines = [[rng.uniform(-1, 1) if rng.random() < 0.7 or row == line else 0.0 for line in range(size)] for row in range(size)]
        right = [rng.uniform(-1, 1) for _ in range(size)]
        system = LinearSystem(lines)
        found = system.solve(right)
        for line, value in zip(lines, right, strict=True):
            assert sum(times * it for times, it in zip(line, found, strict=True)) == pytest.approx(value, abs=1e-9)
        if size <= 6:
            assert system.determinant_sign == (1 if determinant(lines) > 0 else -1)
        if size > 1:
            same = LinearSystem([lines[0], *lines[:-1]])
            assert (same.determinant_sign, same.solve(right)) == (0, None)


def determinant(lines):
    """Return the determinant, by expansion along the first row."""
    if not lines:
        return 1
    return sum(
        (-1) ** place * factor * determinant([line[:place] + line[place + 1 :] for line in lines[1:]])
        for place, factor in enumerate(lines[0])
    )


def test_payoffs_too_large_for_a_float_are_refused():
    """A payoff of four hundred digits does not fit into a float, and the error says so."""
    with pytest.raises(gametheory.TreeError, match="too large"):
        follow_logit_path(matrix_tree([[(10**400, 0), (0, 1)], [(0, 0), (1, 1)]]))
