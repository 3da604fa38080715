"""The path of logit equilibria: the books' limits, its own equations by another route, its forks, and exact equilibria beside its end."""

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

# Where the path ends, at an equilibrium that each book has too: a row for each information set
ENDS = {
    "horse": {"begins": (0, 1), "One went across": (0, 1), "One or Two went down": (0, 1)},
    "beer-quiche": {"strong": (1, 0), "weak": (1, 0), "sees beer": (0, 1), "sees quiche": (1, 0)},
    "entry": {0: (1, 0), 1: (1, 0)},
    "pennies": {0: (F(1, 2), F(1, 2)), 1: (F(1, 2), F(1, 2))},
    "outside-option": {0: (1, 0), 1: (F(3, 4), F(1, 4)), 2: (F(1, 4), F(3, 4))},
}


def test_the_path_ends_where_books_say():
    """Of games of the textbooks: where it ends, and that an exact sequential equilibrium lies there."""
    for name, known in ENDS.items():
        tree = gametheory.textbook(name)
        found = follow_logit_path(tree)
        beside = find_exact_near(tree, found.strategy)
        assert found.error < ACCEPTED_ERROR
        assert {found.strategy.find_infoset(key): row for key, row in known.items()} == dict(enumerate(beside.rows))
        assert verify_sequential_equilibrium(tree, beside).holds


def test_the_path_ends_at_an_equilibrium():
    """Of the other games in which nobody forgets: nobody gains a millionth of the payoffs' range."""
    for name in ("bayes", "spence", "kuhn", "myerson"):
        tree = gametheory.textbook(name)
        found = follow_logit_path(tree)
        assert found.error < ACCEPTED_ERROR
        floats = Strategy(tree, found.strategy.rows)
        span = max(max(one) - min(one) for one in zip(*tree.payoffs, strict=True))
        assert nash_conv(tree, floats) <= tree.player_count * ACCEPTED_ERROR * span


def test_three_believes_a_third():
    """Of Selten's horse: what Three believes tends to 1/3, where it would do either; stopped by what is gained at the beginning alone, it would not have come there."""
    found = follow_logit_path(gametheory.textbook("horse"))
    assert found.beliefs[1][0] == pytest.approx(1 / 3, abs=2e-3)


def some(seed, seats):
    """A random game."""
    return hidden_tree(Random(seed), seats=seats, deep=3 if seats < 4 else 4)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_point_of_the_path_keeps_the_equations(seats):
    """By another route, the worth of each move by what the seat believes: the logarithms differ by λ times what the moves are worth more; and the beliefs are those of Bayes' rule."""
    looked = 0
    for seed in range(tried(GAMES[seats], 12)):
        tree = some(seed, seats)
        found = follow_logit_path(tree)
        for point in found.path[:: max(1, len(found.path) // 6)]:
            strategy = Strategy(tree, point.rows)
            for row, standing in zip(point.rows, infoset_values(tree, strategy), strict=True):
                if point.rationality > 100 or min(row) < 1e-9 or found.is_perturbed:
                    continue
                looked += 1
                for one, worth in zip(row, standing.action_values, strict=True):
                    assert log(one) - log(row[0]) == pytest.approx(point.rationality * (worth - standing.action_values[0]), abs=1e-6)
        if min(min(row) for row in found.strategy.rows) > 1e-200:
            for mine, known in zip(found.beliefs, bayesian_beliefs(tree, found.strategy), strict=True):
                assert mine == pytest.approx(known, abs=1e-6)
    assert looked > 8


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_any_number_of_seats(seats):
    """Of random games nobody gains a millionth, and nearly always there is an exact equilibrium beside it that beliefs can stand by."""
    exact, games_tried = 0, tried(GAMES[seats], 20)
    for seed in range(games_tried):
        tree = some(seed + 100, seats)
        found = follow_logit_path(tree)
        assert found.error < ACCEPTED_ERROR
        beside = find_exact_near(tree, found.strategy)
        if beside is not None:
            exact += 1
            assert nash_conv(tree, beside) == 0
            assert evaluate_weak_perfect_bayesian(tree, beside).holds
    assert exact >= games_tried * 3 // 4


def of_table(payoffs):
    """The tree of a matrix: one seat chooses, then the other, who does not see it."""
    table = matrix_from_payoffs(payoffs).payoffs

    def look(where):
        if len(where) == 2:
            return TerminalNode(table[where[0]][where[1]])
        return DecisionNode(len(where), len(where), [(str(one), (*where, one)) for one in range(len(table[0]) if where else len(table))])

    return build_tree((), look, player_count=2)


def test_it_says_where_it_forks():
    """To meet at one of two places that are alike: p = 1/(1 + exp(−λ(2p − 1))) has one solution up to λ = 2, and three from there on. Straight on both stay undecided."""
    found = follow_logit_path(of_table([[(1, 1), (0, 0)], [(0, 0), (1, 1)]]))
    assert len(found.bifurcations) == 1
    assert found.bifurcations[0] == pytest.approx(2, abs=0.5)
    assert [round(one, 9) for row in found.strategy.rows for one in row] == [0.5] * 4
    assert follow_logit_path(of_table([[(2, 2), (0, 0)], [(0, 0), (1, 1)]])).bifurcations == ()


def test_a_fold_is_followed_by_the_kept_sign():
    """Where payoffs are a thousand times as large as others (after Shoham and Leyton-Brown 2008, figure 5.15), going straight on gets lost; the sign of the determinant does not."""
    ends = {
        "L": TerminalNode((1, 1)),
        "CU": TerminalNode((0, 1000)),
        "CD": TerminalNode((0, 0)),
        "RU": TerminalNode((1, 0)),
        "RD": TerminalNode((3, 1)),
    }
    turns = {
        "": DecisionNode(0, "One", [(move, move) for move in "LCR"]),
        **{move: DecisionNode(1, "Two", [(one, move + one) for one in "UD"]) for move in "CR"},
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


def test_a_draw_that_never_comes_is_believed_in_only_where_nothing_else_leads():
    """Chance draws the second of three ways never: at a set that only this leads to, beliefs are told all the same; at one that others lead to as well, it counts for nothing."""
    ways = [("a", F(1, 2), "a"), ("never", F(0), "b"), ("c", F(1, 2), "c")]

    def look(where):
        if where == "":
            return ChanceNode(ways)
        if len(where) == 1:
            return DecisionNode(0, "b" if where == "b" else "a or c", [("l", where + "l"), ("r", where + "r")])
        if len(where) == 2 and where != "bl":
            return DecisionNode(1, "?", [("x", where + "x"), ("y", where + "y")])
        return TerminalNode({"bl": (5, 5)}.get(where, (len(where), ord(where[0]) % 3 * (where[-1] == "x"))))

    tree = build_tree("", look, player_count=2)
    found = follow_logit_path(tree)
    assert found.error < ACCEPTED_ERROR
    for info, belief, nodes in zip(tree.infosets, found.beliefs, list_infoset_nodes(tree), strict=True):
        assert sum(belief) == pytest.approx(1)
        never = [likely for likely, node in zip(belief, nodes, strict=True) if "never" in tree.actions_from_root(node)]
        assert never == ([1] if info.label == "b" else [0] if info.label == "?" else [])


def test_rationality_is_by_a_unit_of_the_payoffs():
    """A thousand times the payoffs is a thousandth of λ, and the same path."""
    one, other = (follow_logit_path(of_table([[(2 * size, size), (0, 0)], [(0, 0), (size, 2 * size)]])) for size in (1, 1000))
    assert len(one.path) == len(other.path)
    for near, far in zip(one.path, other.path, strict=True):
        assert near.rationality == pytest.approx(1000 * far.rationality, rel=1e-4)
        assert [one for row in near.rows for one in row] == pytest.approx([one for row in far.rows for one in row], abs=1e-6)


def test_the_path_begins_where_all_is_alike():
    """λ is 0 there, each move is as likely as the others; and whoever asks twice is told the same."""
    tree = gametheory.textbook("beer-quiche")
    found = follow_logit_path(tree)
    assert found.path[0].rationality == 0
    assert [round(one, 12) for row in found.path[0].rows for one in row] == [0.5] * 8
    assert found == follow_logit_path(tree)
    assert found.path[-1].rows == found.strategy.rows


def test_few_steps_say_how_far_they_came():
    """Where it may look only a few times, what it has is told, with its error."""
    found = follow_logit_path(gametheory.textbook("horse"), max_evaluations=20)
    assert found.error > 1e-3
    assert found.rationality < 20


def test_a_game_without_a_decision_has_an_end():
    """Nothing is to be decided, and nothing is wrong."""
    found = follow_logit_path(build_tree("", lambda _: TerminalNode((1, -1)), player_count=2))
    assert (len(found.strategy), found.beliefs, found.error) == (0, (), 0)


def test_who_cannot_tell_two_visits_apart_is_followed_too():
    """The absent-minded driver: goes on with 2/3, and believes with 3/5 that it is the first crossing (Piccione and Rubinstein 1997)."""
    tree = gametheory.textbook("driver")
    found = follow_logit_path(tree)
    goes_on = next(row for row in found.strategy.rows)
    assert sorted(goes_on) == pytest.approx([1 / 3, 2 / 3], abs=1e-4)
    assert found.beliefs[0] == pytest.approx((3 / 5, 2 / 5), abs=1e-4)
    with pytest.raises(gametheory.TreeError, match="where everybody remembers"):
        find_exact_near(tree, found.strategy)


def test_rounding_does_not_leave_the_equilibrium_that_was_followed():
    """Three quarters is not rounded to 1, though that is an equilibrium too; and far from any there is none."""
    tree = gametheory.textbook("outside-option")
    assert find_exact_near(tree, Strategy(tree, [(0.9999, 0.0001), (0.7494, 0.2506), (0.2507, 0.7493)]))[1] == (F(3, 4), F(1, 4))
    assert find_exact_near(tree, Strategy(tree, [(0.5, 0.5), (0.4, 0.6), (0.2, 0.8)])) is None


def test_the_path_is_not_followed_through_games_of_very_many_moves():
    """A solver does not try, since it would take long."""
    wide = of_table([[(row, line) for line in range(MAX_EQUATIONS)] for row in range(2)])
    assert not can_follow_logit_path(wide)
    assert can_follow_logit_path(of_table([[(row, line) for line in range(MAX_EQUATIONS - 3)] for row in range(2)]))


def test_systems_are_solved_by_elimination():
    """Random ones, with and without a solution, held against the equations themselves; the sign of the determinant against its definition."""
    rng = Random(3)
    for size in (1, 2, 3, 6, 30):
        lines = [[rng.uniform(-1, 1) if rng.random() < 0.7 or row == line else 0.0 for line in range(size)] for row in range(size)]
        right = [rng.uniform(-1, 1) for _ in range(size)]
        system = LinearSystem(lines)
        found = system.solve(right)
        for line, one in zip(lines, right, strict=True):
            assert sum(times * it for times, it in zip(line, found, strict=True)) == pytest.approx(one, abs=1e-9)
        if size <= 6:
            assert system.determinant_sign == (1 if determinant(lines) > 0 else -1)
        if size > 1:
            same = LinearSystem([lines[0], *lines[:-1]])
            assert (same.determinant_sign, same.solve(right)) == (0, None)


def determinant(lines):
    """By the first line."""
    if not lines:
        return 1
    return sum(
        (-1) ** place * one * determinant([line[:place] + line[place + 1 :] for line in lines[1:]]) for place, one in enumerate(lines[0])
    )


def test_payoffs_that_no_float_holds_are_refused():
    """A payoff of four hundred digits is none for decimals, and that is said."""
    with pytest.raises(gametheory.TreeError, match="too large for decimals"):
        follow_logit_path(of_table([[(10**400, 0), (0, 1)], [(0, 0), (1, 1)]]))
