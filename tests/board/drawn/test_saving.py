"""Pictures as files: for a page, for LaTeX, and by matplotlib for paper; every letter in them, and where there is no matplotlib, a sentence."""

from __future__ import annotations

import re
import zlib
from math import hypot
from xml.etree import ElementTree as ET

import pytest

from board.boards import TREES, ending
from durak_widget import theory
from durak_widget.board.kit.printed import printed
from durak_widget.board.kit.vector import Shape, Vector, Words
from durak_widget.errors import DurakError
from durak_widget.games.kit import needed

BEER = theory.textbook("beer-quiche")


@pytest.mark.parametrize("direction", ["right", "down"])
@pytest.mark.parametrize("name", TREES)
def test_every_shape_and_every_word_of_a_picture_is_found(name, direction):
    """As often as it is used, within the paper; each with a colour that is one."""
    svg = theory.Tree(TREES[name](), depth=3, direction=direction).svg()
    picture = Vector(svg)
    root = ET.fromstring(svg)  # noqa: S314 - our own text
    named = {one.get("id"): one for one in root.iter() if one.get("id")}

    def count(element):
        found = 0
        for one in element:
            tag = one.tag.rpartition("}")[2]
            if tag == "use":
                found += count([named[one.get("href")[1:]]])
            elif tag == "g":
                found += count(one)
            elif tag not in ("defs", "style", "title", "desc"):
                found += 1
        return found

    assert len(picture.parts) == count(root)
    for part in picture.parts:
        points = [(part.x, part.y)] if isinstance(part, Words) else [point for _, points in part.way for point in points]
        assert all(-1 <= x <= picture.width + 1 and -1 <= y <= picture.height + 1 for x, y in points)
        for look in [part.look] if isinstance(part, Shape) else [look for _, look in part.runs]:
            assert re.fullmatch(r"#[0-9a-f]{6}|none|black", look.get("fill", "black"))
            assert re.fullmatch(r"#[0-9a-f]{6}|none", look.get("stroke", "none"))


def test_arcs_are_parts_of_circles():
    """The four that lead from point to point, the short ones and the long ones, and a whole circle; moved and made larger."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99">'
    for large, sweep, middle in ((0, 1, (10, 10)), (0, 0, (20, 20)), (1, 1, (20, 20)), (1, 0, (10, 10))):
        (shape,) = Vector(f'{head}<path d="M20 10A10 10 0 {large} {sweep} 10 20"/></svg>').parts
        points = [points[-1] for kind, points in shape.way if kind != "Z"]
        assert all(hypot(x - middle[0], y - middle[1]) == pytest.approx(10) for x, y in points)
        assert points[-1] == pytest.approx((10, 20))
        assert (len(points) > 4) == bool(large)
    (shape,) = Vector(f'{head}<g transform="translate(40 30)scale(2)"><circle cx="1" cy="2" r="3"/></g></svg>').parts
    assert all(hypot(points[-1][0] - 42, points[-1][1] - 34) == pytest.approx(6) for kind, points in shape.way if kind != "Z")


def test_a_file_is_what_its_name_says(tmp_path):
    """Of a tree that is open, of a whole one, of a matrix."""
    view = theory.Tree(BEER, depth=1)
    matrix = theory.Matrix([[(3, 2), (0, 0)], [(0, 0), ("1/2", 3)]])
    for name, begins in ((".svg", b"<svg"), (".tex", b"% "), (".pdf", b"%PDF"), (".PNG", b"\x89PNG")):
        kept = matrix.save(str(tmp_path / f"tree{name}")) if name == ".PNG" else view.save(tmp_path / f"tree{name}")
        assert kept == tmp_path / f"tree{name}"
        assert kept.read_bytes().startswith(begins)
    assert matrix.save(tmp_path / "matrix.tex").read_text(encoding="utf-8") == matrix.tabular()
    assert (tmp_path / "tree.svg").read_text(encoding="utf-8") == view.svg()
    whole = theory.picture(BEER, tmp_path / "whole.svg", theory.solve(BEER))
    assert whole.read_text(encoding="utf-8") == theory.Tree(BEER, theory.solve(BEER), depth=9).svg()
    assert theory.picture([[1, -1], [-1, 1]], tmp_path / "pennies.tex").read_text(encoding="utf-8") == theory.tabular([[1, -1], [-1, 1]])


@pytest.mark.long
def test_the_same_picture_is_the_same_file(tmp_path):
    """No date, no number of a run: whoever keeps a PDF or a PNG under version control sees no change where there is none."""
    view = theory.Tree(BEER, depth=9)
    for name in ("one.pdf", "one.png"):
        once = view.save(tmp_path / name).read_bytes()
        assert view.save(tmp_path / name).read_bytes() == once


def letters(pdf):
    """The letters that the fonts of a PDF are said to stand for."""
    streams = [zlib.decompress(one) for one in re.findall(rb"stream\r?\n(x.*?)\r?\nendstream", pdf, re.DOTALL)]
    maps = [one.decode() for one in streams if b"beginbfrange" in one or b"beginbfchar" in one]
    found = set()
    for low, high, first in re.findall(r"<([0-9a-f]{4})> <([0-9a-f]{4})> <([0-9a-f]{4})>", "".join(maps)):
        found |= {chr(int(first, 16) + more) for more in range(int(high, 16) - int(low, 16) + 1)}
    for one in maps:
        for low, said in re.findall(r"<([0-9a-f]{4})> <[0-9a-f]{4}>\s*\[([^\]]*)\]", one):
            assert low
            found |= {chr(int(sign, 16)) for sign in re.findall(r"<([0-9a-f]{4})>", said)}
    return found


def test_words_of_a_pdf_are_words_in_every_alphabet(tmp_path):
    """Lithuanian, Russian, suits and signs are written with a font that is in the file, and can be searched."""
    names = ("Šarūnas ♠♥♦♣", "Игрок −½")
    places = {"": theory.Turn(0, "", [("$x_1$", "l"), ("ėjimas", "r")]), "l": theory.End((1, -1)), "r": theory.End((0, 0))}
    pdf = theory.picture(theory.grow("", places.__getitem__, seats=2, names=names), tmp_path / "all.pdf").read_bytes()
    assert set("Šarūnas♠♥♦♣Игрокėjim$x_1") <= letters(pdf)
    assert b"DejaVuSans" in pdf
    theory.Tree(ending(), depth=9, language="ru", direction="down").save(tmp_path / "cards.png")
    theory.picture(
        theory.grow("", places.__getitem__, seats=2, names=("世界", "x")), tmp_path / "boxes.png"
    )  # an empty box, and no warning


def test_what_cannot_be_saved_is_refused(tmp_path, monkeypatch):
    """In a sentence, and nothing is written: another kind of file, no folder, a PNG that is too large, a strategy on a matrix, no matplotlib."""
    view = theory.Tree(BEER)
    for name, says in (("tree.bmp", "ends in none of these"), ("tree", "ends in none of these"), ("none/tree.svg", "there is no folder")):
        with pytest.raises(DurakError, match=says):
            view.save(tmp_path / name)
    with pytest.raises(DurakError, match="under the name of a file"):
        view.save(3)
    monkeypatch.setattr("durak_widget.board.kit.printed._WIDEST", 300)
    with pytest.raises(DurakError, match="dots to a side, and 300 are drawn"):
        view.save(tmp_path / "wide.png")
    with pytest.raises(DurakError, match="this is a matrix"):
        theory.picture([[1, -1], [-1, 1]], tmp_path / "one.svg", theory.solve(BEER))
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(needed.MissingError, match=r"pictures as \.pdf or \.png, need matplotlib"):
        printed(view.svg(), tmp_path / "tree.pdf")
    assert list(tmp_path.iterdir()) == []
