"""Where a seat cannot tell whether it has been asked before: which behaviours are best, decided for all of them at once, and what is said of it."""

from __future__ import annotations

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

F = Fraction


def drive(pays):
    """One crossing after another that look alike: to leave at each, or to go on to the end, brings one of these."""
    last = len(pays) - 1
    places = {at: DecisionNode(0, "a crossing", [("exit", ("left", at)), ("on", at + 1)]) for at in range(last)}
    ends = {("left", at): TerminalNode((pays[at],)) for at in range(last)}
    return build_tree(0, {**places, **ends, last: TerminalNode((pays[last],))}.__getitem__, player_count=1)


def test_the_driver_is_answered_exactly():
    """To go on with 2/3 is worth 4/3, and no behaviour is better: an optimum, not an equilibrium (Piccione and Rubinstein 1997)."""
    answer = solve(gametheory.textbook("driver"))
    assert [(one.strategy.rows, one.payoffs, one.name, one.total_gain) for one in answer.equilibria] == [
        (((F(1, 3), F(2, 3)),), (F(4, 3),), "best behaviour", 0)
    ]
    assert (answer.contents, answer.exact, answer.complete) == ("best", True, True)
    assert "equilibri" not in str(answer)
    assert "before anything is forgotten" in answer.note


def test_behaviour_that_no_path_leads_to_is_found():
    """To leave at once, and to go on to the end, are worth 1; in between less is to be had, and from where all is alike no path leads to either."""
    answer = solve(drive((1, 0, 1)))
    assert {(one.strategy.rows, one.total_gain) for one in answer.equilibria} == {(((F(1), F(0)),), 0), (((F(0), F(1)),), 0)}
    assert answer.complete


def test_the_best_with_roots_is_near():
    """x(1 − x²) is greatest at √⅓, which no fraction is."""
    answer = solve(drive((0, 1, 1, 0)))
    assert [(one.name, one.strategy.rows[0][1]) for one in answer.equilibria] == [
        ("near the best behaviour", pytest.approx(3**-0.5, abs=1e-4))
    ]
    assert not answer.complete


@pytest.mark.parametrize("seed", range(12))
def test_what_is_decided_is_so_on_a_grid(seed):
    """Random ways of three crossings, two kinds of them, three moves at one: whatever is said to be best is not beaten by any behaviour of a grid, and what is better is better."""
    rng = Random(seed)

    def look(where):
        if len(where) == 3:
            return TerminalNode((rng.randint(-3, 3),))
        kind = "wide" if len(where) == 1 else "narrow"
        return DecisionNode(0, kind, [(one, where + one) for one in ("abc" if kind == "wide" else "ab")])

    tree = build_tree("", look, player_count=1)
    grid = [
        build_unchecked_strategy(tree.infosets, [{2: (x, 1 - x), 3: row}[len(one.actions)] for one in tree.infosets])
        for x in (F(at, 6) for at in range(7))
        for row in [(F(i, 4), F(j, 4), F(4 - i - j, 4)) for i, j in product(range(5), repeat=2) if i + j <= 4]
    ]
    worths = [value(tree, one) for one in grid]
    for strategy, worth in list(zip(grid, worths, strict=True))[::7]:
        found = find_behaviour_deviation(tree, strategy, 0)
        if found.is_profitable:
            assert value(tree, found.strategy) > worth
        elif found.is_profitable is False:
            assert worth >= max(worths)
    best = grid[worths.index(max(worths))]
    assert (
        any(one.total_gain == 0 and one.payoffs[0] >= value(tree, best) for one in solve(tree).equilibria)
        or find_behaviour_deviation(tree, best, 0).is_profitable
    )


def shoham():
    """Figure 5.12 of Shoham and Leyton-Brown (2008): the first player cannot tell its two turns apart."""
    places = {
        "": DecisionNode(0, "I", [("L", "L"), ("R", "R")]),
        "L": DecisionNode(0, "I", [("L", "LL"), ("R", "LR")]),
        "R": DecisionNode(1, "II", [("U", "RU"), ("D", "RD")]),
    }
    ends = {"LL": TerminalNode((1, 0)), "LR": TerminalNode((100, 100)), "RU": TerminalNode((5, 1)), "RD": TerminalNode((2, 2))}
    return build_tree("", {**places, **ends}.__getitem__, player_count=2, names=("I", "II"))


def test_pure_mixes_are_behaviours_and_nobody_says_that_there_is_none(monkeypatch):
    """Shoham and Leyton-Brown's figure 5.12: R against D is an equilibrium in plans, and a behaviour too; but to mix from move to move is better, and that is said where nothing else is found."""
    tree = shoham()
    answer = solve(tree)
    assert [(one.strategy.rows[0], one.payoffs, one.name) for one in answer.equilibria] == [
        ((F(49, 99), F(50, 99)), (F(2599, 99), F(254900, 9801)), "Nash equilibrium")
    ]
    monkeypatch.setattr(module, "can_follow_logit_path", lambda _: False)
    lost = solve(tree)
    assert (lost.contents, lost.equilibria, len(lost.mixed_equilibria.equilibria)) == ("plans", (), 1)
    assert "somebody gains by mixing from move to move" in lost.note
    monkeypatch.setattr(nash_verification, "MAX_COEFFICIENTS", 1)
    assert "it was not decided" in solve(tree).note
    assert "somebody gains by mixing" not in solve(tree).note.replace("whether somebody gains by mixing", "")


def test_where_nothing_is_found_that_proves_nothing(monkeypatch):
    """The path has led to none."""
    tree = gametheory.textbook("driver")
    monkeypatch.setattr(module, "_find_equilibrium_at_path_end", lambda *_: None)
    assert "led to none" in solve(tree).note


def test_one_player_has_no_equilibrium_but_what_is_best():
    """Who decides all, sees all and forgets nothing; and one whose luck is hidden from it."""
    seen = build_tree(
        "",
        {"": DecisionNode(0, "?", [("a", "a"), ("b", "b")]), "a": TerminalNode((1,)), "b": TerminalNode((2,))}.__getitem__,
        player_count=1,
    )
    answer = solve(seen, "answer")
    assert (str(answer.equilibria[0]), answer.contents) == ("best behaviour, pays Player 1: 2 (Player 1 (?): b)", "best")
    assert [one.status for one in answer.equilibria] == ["best"]
    assert not any(memory.infoset for memory in find_player_recalls(seen))


def test_where_nothing_is_at_stake_all_is_best():
    """Whatever one does, also what mixes."""
    tree = drive((0, 0, 0))
    assert find_behaviour_deviation(tree, Strategy.uniform(tree), 0) == (False, None)
    assert {one.payoffs for one in solve(tree).equilibria} == {(0,)}


def test_a_behaviour_is_beaten_or_is_not():
    """To leave as often as not is beaten; to go on with 2/3 is not."""
    tree = drive((0, 4, 1))
    assert find_behaviour_deviation(tree, Strategy.uniform(tree), 0).is_profitable
    assert find_behaviour_deviation(tree, Strategy(tree, [(F(1, 3), F(2, 3))]), 0) == (False, None)


def test_on_the_board_too_it_is_said_that_only_plans_are_struck():
    """Beside the tree: of the absent-minded player L is struck, which it needs for mixing; of the other nothing is said."""
    for language, said in (("en", "I is absent-minded: to mix"), ("lt", "I: dėl išsiblaškymo"), ("ru", "I: по рассеянности")):
        view = board.Tree(shoham(), language=language)
        view.show_matrix(True)
        view.strategic_form.get_grid().eliminate()
        view.strategic_form.get_grid().eliminate()
        one, other = sorted(view.strategic_form.to_message()["steps"], key=len, reverse=True)
        assert said in one
        assert said.partition(":")[2] not in other


def test_near_the_best_is_nothing_beside_the_best():
    """What is next to nothing beside a large loss is not nothing: half of it is no second best, and the best is known, and that it is."""
    places = {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")])}
    places |= {one: DecisionNode(0, "has forgotten", [("l", f"{one}l"), ("r", f"{one}r")]) for one in "lr"}
    ends = {one: TerminalNode((pays,)) for one, pays in (("ll", 3), ("lr", 0), ("rl", -(10**15)), ("rr", -(10**15)))}
    answer = solve(build_tree("", {**places, **ends}.__getitem__, player_count=1))
    assert [(one.payoffs, one.name) for one in answer.equilibria] == [((3,), "best behaviour")]
    assert (answer.exact, answer.complete) == (True, True)


def test_much_more_than_is_at_stake_hides_nothing():
    """The driver, where everything is worth 10^30 more."""
    tree = drive((10**30, 4 + 10**30, 1 + 10**30))
    assert [(one.strategy.rows, one.total_gain) for one in solve(tree).equilibria] == [(((F(1, 3), F(2, 3)),), 0)]
