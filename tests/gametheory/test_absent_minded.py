"""Test games with an absent-minded player: the best behaviour strategies are found and proved."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from durak_widget import board, gametheory
from durak_widget.gametheory import nash_verification
from durak_widget.gametheory import solver_selection as module
from durak_widget.gametheory.best_responses import value
from durak_widget.gametheory.game_properties import find_player_recalls
from durak_widget.gametheory.nash_verification import find_behaviour_deviation
from durak_widget.gametheory.solver_selection import solve
from durak_widget.gametheory.strategy import Strategy, build_unchecked_strategy
from durak_widget.gametheory.tree import DecisionNode, TerminalNode, build_tree
from durak_widget.i18n import Translator
from support.spoken import english_text

F = Fraction


def driver_game(pays):
    """Return a game with one crossing after another that look the same. Leaving at each of them, or going on to the end, gives one of these payoffs."""
    last = len(pays) - 1
    places = {at: DecisionNode(0, "a crossing", [("exit", ("left", at)), ("on", at + 1)]) for at in range(last)}
    ends = {("left", at): TerminalNode((pays[at],)) for at in range(last)}
    return build_tree(0, {**places, **ends, last: TerminalNode((pays[last],))}.__getitem__, player_count=1)


def test_the_absent_minded_driver_is_solved_exactly():
    """Going on with probability 2/3 gives 4/3, and no behaviour strategy is better: an optimum, not an equilibrium (Piccione and Rubinstein 1997)."""
    answer = solve(gametheory.textbook("driver"))
    assert [
        (equilibrium.strategy.rows, equilibrium.payoffs, equilibrium.name, equilibrium.total_gain) for equilibrium in answer.equilibria
    ] == [(((F(1, 3), F(2, 3)),), (F(4, 3),), "best behaviour", 0)]
    assert (answer.contents, answer.exact, answer.complete) == ("best", True, True)
    assert "equilibri" not in str(answer)
    assert "anything" in answer.note


def test_an_optimum_that_the_logit_path_misses_is_found():
    """Leaving at once and going on to the end both give 1, mixing gives less. The logit path starts in the middle and reaches neither."""
    answer = solve(driver_game((1, 0, 1)))
    assert {(equilibrium.strategy.rows, equilibrium.total_gain) for equilibrium in answer.equilibria} == {
        (((F(1), F(0)),), 0),
        (((F(0), F(1)),), 0),
    }
    assert answer.complete


def test_an_irrational_optimum_is_approximated():
    """x(1 − x²) is largest at √⅓, which is not a fraction."""
    answer = solve(driver_game((0, 1, 1, 0)))
    assert [(equilibrium.name, equilibrium.strategy.rows[0][1]) for equilibrium in answer.equilibria] == [
        ("near the best behaviour", pytest.approx(3**-0.5, abs=1e-4))
    ]
    assert not answer.complete


@pytest.mark.parametrize("seed", range(12))
def test_best_behaviour_is_best_on_a_grid(seed):
    """Random trees of three moves with two information sets: no behaviour strategy of a grid beats a result that is said to be best, and a deviation found does."""
    rng = Random(seed)

    def node_at(where):
        if len(where) == 3:
            return TerminalNode((rng.randint(-3, 3),))
        kind = "wide" if len(where) == 1 else "narrow"
        return DecisionNode(0, kind, [(move, where + move) for move in ("abc" if kind == "wide" else "ab")])

    tree = build_tree("", node_at, player_count=1)
    grid = [
        build_unchecked_strategy(tree.infosets, [{2: (x, 1 - x), 3: row}[len(infoset.actions)] for infoset in tree.infosets])
        for x in (F(at, 6) for at in range(7))
        for row in [(F(i, 4), F(j, 4), F(4 - i - j, 4)) for i, j in product(range(5), repeat=2) if i + j <= 4]
    ]
    grid_payoffs = [value(tree, strategy) for strategy in grid]
    for strategy, payoff in list(zip(grid, grid_payoffs, strict=True))[::7]:
        found = find_behaviour_deviation(tree, strategy, 0)
        if found.is_profitable:
            assert value(tree, found.strategy) > payoff
        elif found.is_profitable is False:
            assert payoff >= max(grid_payoffs)
    best = grid[grid_payoffs.index(max(grid_payoffs))]
    assert (
        any(equilibrium.total_gain == 0 and equilibrium.payoffs[0] >= value(tree, best) for equilibrium in solve(tree).equilibria)
        or find_behaviour_deviation(tree, best, 0).is_profitable
    )


def shoham_figure_5_12():
    """Return figure 5.12 of Shoham and Leyton-Brown (2008): the first player cannot distinguish its two turns."""
    places = {
        "": DecisionNode(0, "I", [("L", "L"), ("R", "R")]),
        "L": DecisionNode(0, "I", [("L", "LL"), ("R", "LR")]),
        "R": DecisionNode(1, "II", [("U", "RU"), ("D", "RD")]),
    }
    ends = {"LL": TerminalNode((1, 0)), "LR": TerminalNode((100, 100)), "RU": TerminalNode((5, 1)), "RD": TerminalNode((2, 2))}
    return build_tree("", {**places, **ends}.__getitem__, player_count=2, names=("I", "II"))


def test_a_pure_equilibrium_may_be_beaten_by_a_behaviour_strategy(monkeypatch):
    """In figure 5.12, R against D is an equilibrium in pure strategies. A behaviour strategy is better, and the note says so if nothing else is found."""
    tree = shoham_figure_5_12()
    answer = solve(tree)
    assert [(equilibrium.strategy.rows[0], equilibrium.payoffs, equilibrium.name) for equilibrium in answer.equilibria] == [
        ((F(49, 99), F(50, 99)), (F(2599, 99), F(254900, 9801)), english_text("board.answer.called.nash"))
    ]
    monkeypatch.setattr(module, "can_follow_logit_path", lambda _: False)
    lost = solve(tree)
    assert (lost.contents, lost.equilibria, len(lost.mixed_equilibria.equilibria)) == ("plans", (), 1)
    assert lost.note != answer.note
    monkeypatch.setattr(nash_verification, "MAX_COEFFICIENTS", 1)
    assert re.findall(r"\d+", solve(tree).note.removeprefix(lost.note)) == ["1"]


def test_the_note_says_that_the_path_found_no_equilibrium(monkeypatch):
    """The logit path led to no equilibrium, which proves nothing."""
    tree = gametheory.textbook("driver")
    monkeypatch.setattr(module, "_find_equilibrium_at_path_end", lambda *_: None)
    assert "path of logit equilibria" in solve(tree).note


def test_a_one_player_game_has_a_best_behaviour():
    """With perfect information and recall, the result is called best behaviour, not an equilibrium."""
    seen = build_tree(
        "",
        {"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((1,)), "b": TerminalNode((2,))}.__getitem__,
        player_count=1,
    )
    answer = solve(seen, "answer")
    assert (str(answer.equilibria[0]), answer.contents) == ("best behaviour, pays Player 1: 2 (Player 1 (?): b)", "best")
    assert [equilibrium.status for equilibrium in answer.equilibria] == ["best"]
    assert not any(memory.infoset for memory in find_player_recalls(seen))


def test_with_equal_payoffs_every_strategy_is_best():
    """Also a mixed one."""
    tree = driver_game((0, 0, 0))
    assert find_behaviour_deviation(tree, Strategy.uniform(tree), 0) == (False, None)
    assert {equilibrium.payoffs for equilibrium in solve(tree).equilibria} == {(0,)}


def test_a_profitable_deviation_is_found_or_excluded():
    """Leaving half of the time can be improved; going on with probability 2/3 cannot."""
    tree = driver_game((0, 4, 1))
    assert find_behaviour_deviation(tree, Strategy.uniform(tree), 0).is_profitable
    assert find_behaviour_deviation(tree, Strategy(tree, [(F(1, 3), F(2, 3))]), 0) == (False, None)


def test_the_board_warns_about_elimination_with_absent_mindedness():
    """Beside the tree: L of the absent-minded player is eliminated, although a mixture may need it. The other player has no such note."""
    for language in ("en", "lt", "ru"):
        remark = Translator(language).translate("matrix.step.absent", name="I")
        view = board.Tree(shoham_figure_5_12(), language=language)
        view.show_matrix(True)
        view.strategic_form.get_matrix_view_model().eliminate()
        view.strategic_form.get_matrix_view_model().eliminate()
        step, other = sorted(view.strategic_form.to_message()["steps"], key=len, reverse=True)
        assert remark in step
        assert remark not in other


def test_a_small_payoff_beside_a_large_loss_is_not_ignored():
    """Half of 3 is not called best although the losses are 10^15; the optimum is found and proved."""
    places = {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")])}
    places |= {move: DecisionNode(0, "has forgotten", [("l", f"{move}l"), ("r", f"{move}r")]) for move in "lr"}
    ends = {node: TerminalNode((pays,)) for node, pays in (("ll", 3), ("lr", 0), ("rl", -(10**15)), ("rr", -(10**15)))}
    answer = solve(build_tree("", {**places, **ends}.__getitem__, player_count=1))
    assert [(equilibrium.payoffs, equilibrium.name) for equilibrium in answer.equilibria] == [((3,), "best behaviour")]
    assert (answer.exact, answer.complete) == (True, True)


def test_a_large_constant_in_the_payoffs_does_not_matter():
    """The driver, with 10^30 added to every payoff."""
    tree = driver_game((10**30, 4 + 10**30, 1 + 10**30))
    assert [(equilibrium.strategy.rows, equilibrium.total_gain) for equilibrium in solve(tree).equilibria] == [(((F(1, 3), F(2, 3)),), 0)]
