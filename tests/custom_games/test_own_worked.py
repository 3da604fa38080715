"""The guide's two games of a teacher's own: thirty students have thirty games, each as it must be and as hard as the others', by trying every plan."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from durak_widget.gametheory.tree import TERMINAL
from support.by_trying import gains, payoffs, pure_strategies
from support.own_worked import PRINTED, imported

STUDENTS = [f"student {number}" for number in range(30)]


@pytest.fixture
def newcomer(tmp_path, monkeypatch):
    """The tree, from its file."""
    return imported("newcomer", tmp_path, monkeypatch)


@pytest.fixture
def bakers(tmp_path, monkeypatch):
    """The matrices."""
    return imported("bakers", tmp_path, monkeypatch)


def worths(tree):
    """What each end is worth, in the order of the ends."""
    return [tree.payoffs[place] for actor, place in zip(tree.actor, tree.infoset_of, strict=True) if actor == TERMINAL]


def backwards(tree, here=0):
    """What a history is worth to all, and whether somebody had two best moves below it."""
    if tree.actor[here] == TERMINAL:
        return tree.payoffs[tree.infoset_of[here]], False
    below = [backwards(tree, child) for child in tree.children(here)]
    best = max(worth[tree.actor[here]] for worth, _ in below)
    found = [worth for worth, _ in below if worth[tree.actor[here]] == best]
    return found[0], len(found) > 1 or any(tied for _, tied in below)


def test_each_has_a_tree_of_their_own_as_it_must_be(newcomer):
    """No ties, and one equilibrium in pure plans: every profile is tried; plans that differ only where they never lead count once."""
    assignment = newcomer.ASSIGNMENT.with_edition("2027")
    seen = set()
    for student in STUDENTS:
        values, path, plans, cells = (assignment.create_exercise(one.name, student) for one in assignment.questions)
        tree = values.tree
        assert tree == path.tree
        seen.add(str(worths(tree)))
        assert not backwards(tree)[1]
        assert [tuple(map(Fraction, value.split(", "))) for value in values.solution] == [
            backwards(tree, here)[0] for here in range(tree.history_count) if tree.actor[here] != TERMINAL
        ]
        stable = [one for one in pure_strategies(tree) if not any(gains(tree, one))]
        reduced = {tuple(one.rows[place] for place in range(3) if place != 2 or one.rows[0][0]) for one in stable}
        assert len(reduced) == len(cells.solution) == 1
        assert (len(values.solution), plans.solution) == (3, ["4"])
        row, column = cells.solution[0]
        assert cells.matrix.payoffs[row][column] == payoffs(tree, stable[0])
    assert len(seen) == 30


def eliminated(cells):
    """How many rows and columns go, strictly dominated one after another."""
    rows, columns, gone = list(range(len(cells))), list(range(len(cells[0]))), 0
    while True:
        row = next((one for one in rows if any(all(cells[other][c][0] > cells[one][c][0] for c in columns) for other in rows)), None)
        column = next((one for one in columns if any(all(cells[r][other][1] > cells[r][one][1] for r in rows) for other in columns)), None)
        if row is None and column is None:
            return gone, len(rows), len(columns)
        gone += 1
        if row is not None:
            rows.remove(row)
        else:
            columns.remove(column)


def test_each_has_matrices_of_their_own_as_they_must_be(bakers):
    """So many plans go, one cell is left alone by neither; in the other matrix nobody is content without mixing, and the mix makes the other indifferent."""
    assignment = bakers.ASSIGNMENT.with_edition("2027")
    seen, hard = set(), set()
    for student in STUDENTS:
        strike, best, cells, mixing, value = (assignment.create_exercise(one.name, student) for one in assignment.questions)
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
        hard.add((eliminated(table), len(strike.solution), marks))
        (a, b), (c, d) = ([cell[0] for cell in row] for row in mixing._game_beside.payoffs)
        assert min(a, d) > max(b, c) or max(a, d) < min(b, c)
        whole = a - b - c + d
        assert Fraction(mixing.solution[0]) in ((d - c) / whole, (a - b) / whole)
        assert Fraction(value.solution[0]) == (a * d - b * c) / whole
        seen.add(str([table, a, b, c, d]))
    assert len(seen) == 30
    assert len(hard) == 1
    assert next(iter(hard))[0][0] == next(iter(hard))[1] > 0


def test_the_trial_prints_what_the_page_shows(newcomer, bakers):
    """How many games differ, how hard they are, and what was drawn in vain."""
    assert f"{newcomer.GAME.trial(newcomer.QUESTIONS)}\n" == PRINTED[0]
    for game, asked in ((bakers.BAKERS, ["dominance", "equilibria"]), (bakers.PENALTY, ["value"])):
        tried = game.trial(asked, 12)
        assert (tried.students, tried.different_games) == (12, 12)
        assert all(one.different_answers > 3 for one in tried.questions)
