"""The still picture of a tree: the same each time, whole, by day and by night; and what a notebook keeps of it."""

from __future__ import annotations

import re
from base64 import b64decode
from xml.etree import ElementTree as ET

import pytest

from board.boards import TREES, drawing_cards, ending, of_file, talon, wide
from durak_widget import board, gametheory
from durak_widget.board.svg_primitives import DARK_COLORS, LIGHT_COLORS
from durak_widget.engine.table_svg import render_image
from durak_widget.gametheory.tree import DecisionNode, TerminalNode, build_tree
from support.textbook import kuhn

SVG = "{http://www.w3.org/2000/svg}"


def parts(svg):
    """The picture as elements: it is well formed."""
    return list(ET.fromstring(svg).iter())  # noqa: S314 - our own text


def test_a_picture_holds_all_that_is_open():
    """A branch for each node but the root, a dashed line for each information set, every payoff; all of it inside the picture."""
    for name in TREES:
        for direction in ["right", "down"]:
            tree = TREES[name]()
            view = board.Tree(tree, depth=99, direction=direction)
            svg = view.svg()
            found = parts(svg)
            lines = [one for one in found if one.get("class") == "t-line"]
            assert len(lines) == tree.history_count - 1
            assert len({one.get("d") for one in found if (one.get("class") or "").startswith("t-set")}) >= len(view.drawing["joined"])
            width, height = (float(found[0].get(side)) for side in ("width", "height"))
            for one in found:
                if one.tag == f"{SVG}text" and one.get("x"):
                    assert 0 <= float(one.get("x")) <= width
                    assert 0 <= float(one.get("y")) <= height
                if one.get("d") and (one.get("class") or "").startswith(("t-line", "t-lit")):
                    numbers = [float(number) for number in re.findall(r"-?\d*\.?\d+", one.get("d"))]
                    assert min(numbers) >= 0
                    assert max(numbers) <= max(width, height)
            assert 'href="http' not in svg
            assert "<script" not in svg
            used = set(re.findall(r'href="#([^"]+)"', svg))
            assert used <= set(re.findall(r'id="([^"]+)"', svg))


def test_rows_and_levels_do_not_run_into_each_other():
    """Two texts of one column lie at least a line apart, and what stands on a branch ends before its node."""
    for direction in ("right", "down"):
        view = board.Tree(kuhn(), gametheory.solve(kuhn()), depth=9, direction=direction, values=True)
        texts = [
            (one.text, float(one.get("x")), float(one.get("y"))) for one in parts(view.svg()) if one.tag == f"{SVG}text" and one.get("x")
        ]
        assert len({(x, y) for _, x, y in texts}) == len(texts)
        near = [
            (one, two) for one in texts for two in texts if one is not two and abs(one[1] - two[1]) < 1 and 0 < abs(one[2] - two[2]) < 9
        ]
        assert near == []


def test_it_is_the_same_text_each_time():
    """Nbval keeps it: no number of a run, no order of a set is in it."""
    for name, make in TREES.items():
        assert board.Tree(make()).svg() == board.Tree(make()).svg(), name
    one, two = board.Tree(kuhn()), board.Tree(kuhn())
    one.unfold()
    one.fold()
    one.unfold(depth=2)
    assert one.svg() == two.svg()
    assert one._build_static_bundle() == two._build_static_bundle()


def test_whole_is_all_of_it_whatever_is_open():
    """And what is open is not changed by it."""
    view = board.Tree(kuhn(), depth=0)
    assert view.svg(whole=True) == board.Tree(kuhn(), depth=9).svg()
    assert view.expansion.shown_count == 1


def test_a_solution_is_on_it():
    """Numbers and widths on the branches, the path lit, values where they are asked for."""
    tree = ending()
    view = board.Tree(tree, depth=9)
    plain = view.svg()
    view.solve()
    view.values = True
    svg = view.svg()
    lit = [one for one in parts(svg) if one.get("class") == "t-lit"]
    assert 't-lit" stroke' not in plain
    assert len(lit) == len(view.told_solution["lit"]) - 1 > 0
    widths = {float(one.get("stroke-width")) for one in parts(svg) if (one.get("class") or "").startswith("t-li")}
    assert len(widths) > 1
    assert view.told_solution["said"][0].rstrip(".") in svg
    assert "1, −1" in svg


def test_what_a_notebook_keeps_is_a_picture_with_its_outline():
    """An image that shows where nothing is trusted, with the outline as its words and as plain text; of a large tree a part."""
    view = board.Tree(talon(), depth=99)
    assert view.expansion.shown_count > 2000
    kept = view._build_static_bundle()
    assert kept["text/html"].startswith('<div class="durak-picture">')
    assert len(kept["text/html"]) < 500_000
    assert kept["text/plain"].startswith("Places: 9625, shown: ")
    assert kept["text/plain"].count("\n") <= 201
    svg = b64decode(re.search(r"base64,([^\"]+)", kept["text/html"])[1]).decode()
    assert len([one for one in parts(svg) if one.get("class") == "t-line"]) < 400
    assert "prefers-color-scheme:dark" in svg
    data, _ = view._repr_mimebundle_()
    assert {"text/html", "text/plain", "application/vnd.jupyter.widget-view+json"} <= set(data)


def test_a_picture_that_is_higher_than_a_page_is_not_cut_in_two():
    """It shrinks to one on paper and on the screen, but not to what a phone that lies has; what is lower stays as it is, and so does what could not be read then."""
    fits = ["max-height:max(95vh,600px)" in render_image(f'<svg width="600" height="{high}"></svg>', "") for high in (900, 901, 1800, 1801)]
    assert fits == [False, True, True, False]


def test_players_are_told_apart_by_shape_sign_and_colour():
    """Three seats, three shapes, three numbers, three colours by day and by night."""
    svg = board.Tree(of_file("horse"), depth=9).svg()
    shapes = set(re.findall(r'<g class="t-s(\d)"><(\w+)', svg))
    assert shapes == {("0", "circle"), ("1", "rect"), ("2", "path")}
    assert {"1", "2", "3"} <= set(re.findall(r'class="t-sign[^>]*>(\d)<', svg))
    for colors in (LIGHT_COLORS, DARK_COLORS):
        assert len(set(colors["seats"])) == 6


def _bright(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colors", [LIGHT_COLORS, DARK_COLORS], ids=["day", "night"])
def test_every_colour_is_read_on_its_ground(colors):
    """4.5 : 1 for words and numbers, also for the number within a sign."""

    def contrast(one, two):
        low, high = sorted([_bright(one), _bright(two)])
        return (high + 0.05) / (low + 0.05)

    for color in (*colors["seats"], colors["ink"], colors["soft"], colors["lit"]):
        assert contrast(color, colors["bg"]) >= 4.5, color
    for color in colors["seats"]:
        assert contrast(color, colors["sign"]) >= 4.5, color


def test_whatever_a_game_is_called_stays_words():
    """Signs of markup, of other alphabets and of control in titles, names, labels and moves."""
    odd = 'a<b>&"c"\x00\x1b\ud800 ]]> 世界 ' + "x" * 300
    places = {"": DecisionNode(0, odd, [(odd, "l"), ("", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((10**40, -1))}
    view = board.Tree(build_tree("", places.__getitem__, player_count=2, title=odd, names=(odd, "")))
    view.add_label(1, odd.replace("x", "")[:150])
    for direction in ("right", "down"):
        view.direction = direction
        found = parts(view.svg())
        assert len([one for one in found if one.get("class") == "t-line"]) == 2
        assert float(found[0].get("width")) < 2500
    assert "≈1·10⁴⁰" in view.svg()


def test_cards_are_small_cards():
    """A card that beats lies over the one that it beats; a draw shows what is drawn; four colours where one likes them."""
    svg = board.Tree(ending(), depth=9).svg()
    assert svg.count("<use href=") > 14
    assert "#14683a" not in svg
    assert "#14683a" in board.Tree(ending(), depth=9, four_colors=True).svg()
    drawn = board.Tree(drawing_cards(), depth=2)
    moves = [move for chance in drawn.drawing["chances"].values() for move in chance["moves"]]
    assert all(move.get("hands") or move["cards"] for move in moves)


@pytest.mark.slow
def test_a_wide_root_is_drawn():
    """Six thousand branches of chance: a picture of what is open, in a moment."""
    view = board.Tree(wide(), depth=0)
    view.toggle(0)
    assert len([one for one in parts(view.svg()) if one.get("class") == "t-line"]) == 6000
    assert len(view._build_static_bundle()["text/html"]) < 20_000  # a root that does not fit is kept folded


def test_the_dashed_line_to_the_next_place_leaves_the_words_between_them_free():
    """Who forgets having been there has one set along a branch: its line runs below that branch, on which its words stand."""
    found = parts(board.Tree(gametheory.textbook("driver"), depth=9).svg())
    (dashed,) = [one.get("d") for one in found if (one.get("class") or "").startswith("t-set")]
    said = next(one for one in found if one.text == "go on")
    start, *bends, end = [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", dashed)]
    assert start[0] < float(said.get("x")) < end[0]
    assert min(y for _, y in bends) > max(start[1], end[1], float(said.get("y")))


def test_of_several_players_it_is_told_what_the_game_is_worth_to_each():
    """Above the picture, as on the page."""
    view = board.Tree(gametheory.textbook("chain-store"), depth=1)
    view.solve("backward")
    svg = view.svg()
    assert all(
        f"{seat}: {worth}" in svg for seat, worth in zip(view.drawing["seats"], view.solution.backward_induction.values, strict=True)
    )
