"""Test saving trees and matrices as picture files."""

from __future__ import annotations

import pytest

from durak_widget import board, editor, gametheory
from durak_widget.errors import DurakError

BEER = gametheory.textbook("beer-quiche")
PENNIES = [[1, -1], [-1, 1]]


def test_file_format_follows_the_file_name(tmp_path):
    """Test an open tree, a whole tree and a matrix."""
    view = board.Tree(BEER, depth=1)
    matrix = board.Matrix([[(3, 2), (0, 0)], [(0, 0), ("1/2", 3)]])
    assert view.save(tmp_path / "tree.svg").read_text(encoding="utf-8") == view.svg()
    assert view.save(tmp_path / "tree.tex").read_text(encoding="utf-8") == view.tikz()
    assert matrix.save(str(tmp_path / "matrix.SVG")) == tmp_path / "matrix.SVG"
    assert (tmp_path / "matrix.SVG").read_text(encoding="utf-8") == matrix.svg()
    assert matrix.save(tmp_path / "matrix.tex").read_text(encoding="utf-8") == matrix.tabular()
    whole = board.save_picture(BEER, tmp_path / "whole.svg", gametheory.solve(BEER))
    assert whole.read_text(encoding="utf-8") == board.Tree(BEER, gametheory.solve(BEER), depth=9).svg()
    assert board.save_picture(PENNIES, tmp_path / "pennies.tex").read_text(encoding="utf-8") == board.tabular(PENNIES)


def test_saving_refuses_unknown_formats_and_missing_folders(tmp_path):
    """A strategy on a matrix is refused too. Nothing is written."""
    view = board.Tree(BEER)
    for name, says in (("tree.bmp", "must end with"), ("tree", "must end with"), ("none/tree.svg", "there is no folder")):
        with pytest.raises(DurakError, match=says):
            view.save(tmp_path / name)
    with pytest.raises(DurakError, match="the name of a file must be"):
        view.save(3)
    with pytest.raises(DurakError, match="this is a matrix"):
        board.save_picture(PENNIES, tmp_path / "one.svg", gametheory.solve(BEER))
    assert list(tmp_path.iterdir()) == []


def test_pdf_and_png_are_refused_with_instructions(tmp_path):
    """The message says how to convert the .svg in a browser, and nothing is written."""
    for save in [
        lambda path: board.Tree(BEER).save(path),
        lambda path: board.Matrix(PENNIES).save(path),
        lambda path: editor.Sketch(BEER).save(path),
        lambda path: editor.MatrixSketch(PENNIES).save(path),
        lambda path: board.save_picture(BEER, path),
        lambda path: board.save_picture(PENNIES, path),
    ]:
        for ending in ["pdf", "PNG"]:
            with pytest.raises(DurakError, match=r"draws no PDF or PNG.*game\.svg.*open that file in a browser and print it to PDF"):
                save(tmp_path / f"game.{ending}")
            assert list(tmp_path.iterdir()) == []


def test_latex_is_offered_only_where_it_can_be_written(tmp_path):
    """A matrix that is being edited has no .tex."""
    with pytest.raises(DurakError, match=r"game\.tex"):
        board.Tree(BEER).save(tmp_path / "game.pdf")
    with pytest.raises(DurakError) as refused:
        editor.MatrixSketch(PENNIES).save(tmp_path / "game.pdf")
    assert ".tex" not in str(refused.value)
