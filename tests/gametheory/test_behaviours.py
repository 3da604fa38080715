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
from durak_widget.gametheory.game_properties import memories
from durak_widget.gametheory.nash_verification import other_behaviour
from durak_widget.gametheory.solver_selection import solve
from durak_widget.gametheory.strategy import Strategy, made
from durak_widget.gametheory.tree import End, Turn, grow

F = Fraction


def drive(pays):
    """One crossing after another that look alike: to leave at each, or to go on to the end, brings one of these."""
    last = len(pays) - 1
    places = {at: Turn(0, "a crossing", [("exit", ("left", at)), ("on", at + 1)]) for at in range(last)}
    ends = {("left", at): End((pays[at],)) for at in range(last)}
    return grow(0, {**places, **ends, last: End((pays[last],))}.__getitem__, seats=1)


def test_the_driver_is_answered_exactly():
    """To go on with 2/3 is worth 4/3, and no behaviour is better: an optimum, not an equilibrium (Piccione and Rubinstein 1997)."""
    answer = solve(gametheory.textbook("driver"))
    assert [(one.strategy.rows, one.worth, one.name, one.gain) for one in answer.found] == [
        (((F(1, 3), F(2, 3)),), (F(4, 3),), "best behaviour", 0)
    ]
    assert (answer.way, answer.exact, answer.complete) == ("best", True, True)
    assert "equilibri" not in str(answer)
    assert "before anything is forgotten" in answer.note


def test_behaviour_that_no_path_leads_to_is_found():
    """To leave at once, and to go on to the end, are worth 1; in between less is to be had, and from where all is alike no path leads to either."""
    answer = solve(drive((1, 0, 1)))
    assert {(one.strategy.rows, one.gain) for one in answer.found} == {(((F(1), F(0)),), 0), (((F(0), F(1)),), 0)}
    assert answer.complete


def test_the_best_with_roots_is_near():
    """x(1 − x²) is greatest at √⅓, which no fraction is."""
    answer = solve(drive((0, 1, 1, 0)))
    assert [(one.name, one.strategy.rows[0][1]) for one in answer.found] == [("near the best behaviour", pytest.approx(3**-0.5, abs=1e-4))]
    assert not answer.complete


@pytest.mark.parametrize("seed", range(12))
def test_what_is_decided_is_so_on_a_grid(seed):
    """Random ways of three crossings, two kinds of them, three moves at one: whatever is said to be best is not beaten by any behaviour of a grid, and what is better is better."""
    rng = Random(seed)

    def look(where):
        if len(where) == 3:
            return End((rng.randint(-3, 3),))
        kind = "wide" if len(where) == 1 else "narrow"
        return Turn(0, kind, [(one, where + one) for one in ("abc" if kind == "wide" else "ab")])

    tree = grow("", look, seats=1)
    grid = [
        made(tree.sets, [{2: (x, 1 - x), 3: row}[len(one.moves)] for one in tree.sets])
        for x in (F(at, 6) for at in range(7))
        for row in [(F(i, 4), F(j, 4), F(4 - i - j, 4)) for i, j in product(range(5), repeat=2) if i + j <= 4]
    ]
    worths = [value(tree, one) for one in grid]
    for strategy, worth in list(zip(grid, worths, strict=True))[::7]:
        found = other_behaviour(tree, strategy, 0)
        if found.gains:
            assert value(tree, found.strategy) > worth
        elif found.gains is False:
            assert worth >= max(worths)
    best = grid[worths.index(max(worths))]
    assert any(one.gain == 0 and one.worth[0] >= value(tree, best) for one in solve(tree).found) or other_behaviour(tree, best, 0).gains


def shoham():
    """Figure 5.12 of Shoham and Leyton-Brown (2008): the first player cannot tell its two turns apart."""
    places = {
        "": Turn(0, "I", [("L", "L"), ("R", "R")]),
        "L": Turn(0, "I", [("L", "LL"), ("R", "LR")]),
        "R": Turn(1, "II", [("U", "RU"), ("D", "RD")]),
    }
    ends = {"LL": End((1, 0)), "LR": End((100, 100)), "RU": End((5, 1)), "RD": End((2, 2))}
    return grow("", {**places, **ends}.__getitem__, seats=2, names=("I", "II"))


def test_pure_mixes_are_behaviours_and_nobody_says_that_there_is_none(monkeypatch):
    """Shoham and Leyton-Brown's figure 5.12: R against D is an equilibrium in plans, and a behaviour too; but to mix from move to move is better, and that is said where nothing else is found."""
    tree = shoham()
    answer = solve(tree)
    assert [(one.strategy.rows[0], one.worth, one.name) for one in answer.found] == [
        ((F(49, 99), F(50, 99)), (F(2599, 99), F(254900, 9801)), "Nash equilibrium")
    ]
    monkeypatch.setattr(module, "followable", lambda _: False)
    lost = solve(tree)
    assert (lost.way, lost.found, len(lost.mixed.found)) == ("plans", (), 1)
    assert "somebody gains by mixing from move to move" in lost.note
    monkeypatch.setattr(nash_verification, "COEFFICIENTS", 1)
    assert "it was not decided" in solve(tree).note
    assert "somebody gains by mixing" not in solve(tree).note.replace("whether somebody gains by mixing", "")


def test_where_nothing_is_found_that_proves_nothing(monkeypatch):
    """The path has led to none."""
    tree = gametheory.textbook("driver")
    monkeypatch.setattr(module, "_at_its_end", lambda *_: None)
    assert "led to none" in solve(tree).note


def test_one_player_has_no_equilibrium_but_what_is_best():
    """Who decides all, sees all and forgets nothing; and one whose luck is hidden from it."""
    seen = grow("", {"": Turn(0, "?", [("a", "a"), ("b", "b")]), "a": End((1,)), "b": End((2,))}.__getitem__, seats=1)
    answer = solve(seen, "answer")
    assert (str(answer.found[0]), answer.way) == ("best behaviour, pays Player 1: 2 (Player 1 (?): b)", "best")
    assert [one.called for one in answer.found] == ["best"]
    assert not any(memory.place for memory in memories(seen))


def test_where_nothing_is_at_stake_all_is_best():
    """Whatever one does, also what mixes."""
    tree = drive((0, 0, 0))
    assert other_behaviour(tree, Strategy.uniform(tree), 0) == (False, None)
    assert {one.worth for one in solve(tree).found} == {(0,)}


def test_a_behaviour_is_beaten_or_is_not():
    """To leave as often as not is beaten; to go on with 2/3 is not."""
    tree = drive((0, 4, 1))
    assert other_behaviour(tree, Strategy.uniform(tree), 0).gains
    assert other_behaviour(tree, Strategy(tree, [(F(1, 3), F(2, 3))]), 0) == (False, None)


def test_on_the_board_too_it_is_said_that_only_plans_are_struck():
    """Beside the tree: of the absent-minded player L is struck, which it needs for mixing; of the other nothing is said."""
    for language, said in (("en", "I is absent-minded: to mix"), ("lt", "I: dėl išsiblaškymo"), ("ru", "I: по рассеянности")):
        view = board.Tree(shoham(), language=language)
        view.matrix(True)
        view.strategic.grid().strike()
        view.strategic.grid().strike()
        one, other = sorted(view.strategic.told()["steps"], key=len, reverse=True)
        assert said in one
        assert said.partition(":")[2] not in other


def test_near_the_best_is_nothing_beside_the_best():
    """What is next to nothing beside a large loss is not nothing: half of it is no second best, and the best is known, and that it is."""
    places = {"": Turn(0, "begins", [("l", "l"), ("r", "r")])}
    places |= {one: Turn(0, "has forgotten", [("l", f"{one}l"), ("r", f"{one}r")]) for one in "lr"}
    ends = {one: End((pays,)) for one, pays in (("ll", 3), ("lr", 0), ("rl", -(10**15)), ("rr", -(10**15)))}
    answer = solve(grow("", {**places, **ends}.__getitem__, seats=1))
    assert [(one.worth, one.name) for one in answer.found] == [((3,), "best behaviour")]
    assert (answer.exact, answer.complete) == (True, True)


def test_much_more_than_is_at_stake_hides_nothing():
    """The driver, where everything is worth 10^30 more."""
    tree = drive((10**30, 4 + 10**30, 1 + 10**30))
    assert [(one.strategy.rows, one.gain) for one in solve(tree).found] == [(((F(1, 3), F(2, 3)),), 0)]
