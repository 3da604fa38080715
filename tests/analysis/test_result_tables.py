"""Test results as rows and columns that pandas reads directly."""

from __future__ import annotations

import csv
import io

import pytest

from durak_widget import Game, analysis, gametheory
from support.tree_games import SMALL


@pytest.fixture(scope="module")
def rows():
    """Return a solution as a table."""
    return gametheory.solve(analysis.build_game_tree(SMALL["econ431"], dealer=1)).table()


def test_a_solution_has_uniform_rows(rows):
    """Each row has the same columns in the same order, with numbers and texts only; there is one for each move."""
    tree = analysis.build_game_tree(SMALL["econ431"], dealer=1)
    assert len(rows) == sum(len(infoset.actions) for infoset in tree.infosets)
    for row in rows:
        assert list(row) == ["seat", "knows", "move", "probability", "value", "reach"]
        assert [type(cell) for cell in row.values()][:4] == [int, str, str, float]
        assert isinstance(row["value"], (float, type(None)))
        assert 0 <= row["reach"] <= 1
    written = io.StringIO()
    csv.DictWriter(written, rows[0]).writerows(rows)
    assert len(written.getvalue().splitlines()) == len(rows)


def test_a_solution_becomes_a_data_frame(rows):
    """Numbers are in numeric columns; the probabilities of each information set add up to 1."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(rows)
    assert list(frame.columns) == list(rows[0])
    assert [frame[name].dtype.kind for name in ("seat", "probability", "value", "reach")] == ["i", "f", "f", "f"]
    tree = analysis.build_game_tree(SMALL["econ431"], dealer=1)
    assert frame["probability"].sum() == pytest.approx(len(tree.infosets))


def test_chances_and_endings_become_series():
    """A mapping from cards or moves to numbers is a series."""
    pandas = pytest.importorskip("pandas")
    chances = analysis.worlds(Game(seed=7).view(0)).chances(1)
    assert pandas.Series(chances).astype(float).sum() == pytest.approx(6)
    ending = analysis.endgame.solve_endgame(Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h"))
    assert list(pandas.Series({str(move): value for move, value in ending.move_values.items()})) == [1, 0]
