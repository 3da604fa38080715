"""Test the guide's two games: thirty students get thirty valid games of equal difficulty."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from durak_widget.gametheory.tree import TERMINAL
from support.by_trying import gains, payoffs, pure_strategies
from support.guide_games import PRINTED, import_guide_module

STUDENTS = [f"student {number}" for number in range(30)]


@pytest.fixture
def newcomer(tmp_path, monkeypatch):
    """Return the guide's tree, from its file."""
    return import_guide_module("newcomer", tmp_path, monkeypatch)


@pytest.fixture
def bakers(tmp_path, monkeypatch):
    """Return the guide's matrices."""
    return import_guide_module("bakers", tmp_path, monkeypatch)


def payoffs_of(tree):
    """Return the payoffs of each end, in order."""
    return [tree.payoffs[place] for actor, place in zip(tree.actor, tree.infoset_of, strict=True) if actor == TERMINAL]


def backward_induction(tree, here=0):
    """Return the payoffs at a history, and whether somebody had two best moves below it."""
    if tree.actor[here] == TERMINAL:
        return tree.payoffs[tree.infoset_of[here]], False
    below = [backward_induction(tree, child) for child in tree.children(here)]
    best = max(outcome[tree.actor[here]] for outcome, _ in below)
    found = [outcome for outcome, _ in below if outcome[tree.actor[here]] == best]
    return found[0], len(found) > 1 or any(tied for _, tied in below)


def test_each_student_gets_their_own_valid_tree(newcomer):
    """There are no ties and one pure equilibrium; every profile is tried."""
    assignment = newcomer.ASSIGNMENT.with_edition("2027")
    seen = set()
    for student in STUDENTS:
        values, path, plans, cells = (assignment.create_exercise(question.name, student) for question in assignment.questions)
        tree = values.tree
        assert tree == path.tree
        seen.add(str(payoffs_of(tree)))
        assert not backward_induction(tree)[1]
        assert [tuple(map(Fraction, value.split(", "))) for value in values.solution] == [
            backward_induction(tree, here)[0] for here in range(tree.history_count) if tree.actor[here] != TERMINAL
        ]
        stable = [strategy for strategy in pure_strategies(tree) if not any(gains(tree, strategy))]
        reduced = {tuple(profile.rows[place] for place in range(3) if place != 2 or profile.rows[0][0]) for profile in stable}
        assert len(reduced) == len(cells.solution) == 1
        assert (len(values.solution), plans.solution) == (3, ["4"])
        row, column = cells.solution[0]
        assert cells.matrix.payoffs[row][column] == payoffs(tree, stable[0])
    assert len(seen) == 30


def eliminated_counts(cells):
    """Return how many rows and columns are eliminated by strict dominance."""
    rows, columns, gone = list(range(len(cells))), list(range(len(cells[0]))), 0
    while True:
        row = next((row for row in rows if any(all(cells[other][c][0] > cells[row][c][0] for c in columns) for other in rows)), None)
        column = next(
            (column for column in columns if any(all(cells[r][other][1] > cells[r][column][1] for r in rows) for other in columns)), None
        )
        if row is None and column is None:
            return gone, len(rows), len(columns)
        gone += 1
        if row is not None:
            rows.remove(row)
        else:
            columns.remove(column)


def test_each_student_gets_their_own_valid_matrices(bakers):
    """One has the right number of eliminations and one equilibrium, the other only a mixed one."""
    assignment = bakers.ASSIGNMENT.with_edition("2027")
    seen, hard = set(), set()
    for student in STUDENTS:
        strike, best, cells, mixing, value = (assignment.create_exercise(question.name, student) for question in assignment.questions)
        table = strike.matrix.payoffs
        assert table == best.matrix.payoffs == cells.matrix.payoffs
        every = list(product(range(3), range(3)))
        stable = [
            (r, c) for r, c in every if all(table[o][c][0] <= table[r][c][0] for o in range(3)) and all(table[r][o][1] <= table[r][c][1] for o in range(3))
        ]  # fmt: skip
        assert list(cells.solution) == stable
        assert len(stable) == 1
        marks = sum(table[r][c][0] == max(table[o][c][0] for o in range(3)) for r, c in every)
        marks += sum(table[r][c][1] == max(table[r][o][1] for o in range(3)) for r, c in every)
        assert marks == len(best.solution)
        hard.add((eliminated_counts(table), len(strike.solution), marks))
        (a, b), (c, d) = ([cell[0] for cell in row] for row in mixing._game_beside.payoffs)
        assert min(a, d) > max(b, c) or max(a, d) < min(b, c)
        whole = a - b - c + d
        assert Fraction(mixing.solution[0]) in ((d - c) / whole, (a - b) / whole)
        assert Fraction(value.solution[0]) == (a * d - b * c) / whole
        seen.add(str([table, a, b, c, d]))
    assert len(seen) == 30
    assert len(hard) == 1
    assert next(iter(hard))[0][0] == next(iter(hard))[1] > 0


def test_the_trial_prints_what_the_guide_shows(newcomer, bakers):
    """It says how many games differ, how hard they are, and how many draws failed."""
    assert f"{newcomer.GAME.trial(newcomer.QUESTIONS)}\n" == PRINTED[0]
    for game, asked in ((bakers.BAKERS, ["dominance", "equilibria"]), (bakers.PENALTY, ["value"])):
        tried = game.trial(asked, 12)
        assert (tried.students, tried.different_games) == (12, 12)
        assert all(question.different_answers > 3 for question in tried.questions)
