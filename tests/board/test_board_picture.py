"""Test the still picture of a tree: it is deterministic, complete, and readable in light and dark themes."""

from __future__ import annotations

import re
from base64 import b64decode
from xml.etree import ElementTree as ET

import pytest

from board.boards import TREES, drawing_cards, ending, load_file, talon, wide
from durak_widget import board, gametheory
from durak_widget.board.svg_primitives import DARK_COLORS, LIGHT_COLORS
from durak_widget.engine.table_svg import render_image
from durak_widget.gametheory.tree import DecisionNode, TerminalNode, build_tree
from support.textbook import kuhn

SVG = "{http://www.w3.org/2000/svg}"


def svg_elements(svg):
    """Return the elements of the picture, which must be well formed."""
    return list(ET.fromstring(svg).iter())  # noqa: S314 - our own text


def test_picture_has_all_open_nodes_sets_and_payoffs():
    """There is a branch for each node but the root, and nothing lies outside the picture."""
    for name in TREES:
        for direction in ["right", "down"]:
            tree = TREES[name]()
            view = board.Tree(tree, depth=99, direction=direction)
            svg = view.svg()
            found = svg_elements(svg)
            lines = [element for element in found if element.get("class") == "t-line"]
            assert len(lines) == tree.history_count - 1
            assert len({element.get("d") for element in found if (element.get("class") or "").startswith("t-set")}) >= len(
                view.drawing["shared_infosets"]
            )
            width, height = (float(found[0].get(side)) for side in ("width", "height"))
            for element in found:
                if element.tag == f"{SVG}text" and element.get("x"):
                    assert 0 <= float(element.get("x")) <= width
                    assert 0 <= float(element.get("y")) <= height
                if element.get("d") and (element.get("class") or "").startswith(("t-line", "t-lit")):
                    numbers = [float(number) for number in re.findall(r"-?\d*\.?\d+", element.get("d"))]
                    assert min(numbers) >= 0
                    assert max(numbers) <= max(width, height)
            assert 'href="http' not in svg
            assert "<script" not in svg
            used = set(re.findall(r'href="#([^"]+)"', svg))
            assert used <= set(re.findall(r'id="([^"]+)"', svg))


def test_rows_and_levels_of_the_picture_do_not_overlap():
    """Texts in a column are at least a line apart, and branch labels end before their node."""
    for direction in ("right", "down"):
        view = board.Tree(kuhn(), gametheory.solve(kuhn()), depth=9, direction=direction, values=True)
        texts = [
            (element.text, float(element.get("x")), float(element.get("y")))
            for element in svg_elements(view.svg())
            if element.tag == f"{SVG}text" and element.get("x")
        ]
        assert len({(x, y) for _, x, y in texts}) == len(texts)
        near = [
            (text, two)
            for text in texts
            for two in texts
            if text is not two and abs(text[1] - two[1]) < 1 and 0 < abs(text[2] - two[2]) < 9
        ]
        assert near == []


def test_picture_is_deterministic():
    """No identifier or set order changes between runs, as nbval needs."""
    for name, make in TREES.items():
        assert board.Tree(make()).svg() == board.Tree(make()).svg(), name
    first, two = board.Tree(kuhn()), board.Tree(kuhn())
    first.unfold()
    first.fold()
    first.unfold(depth=2)
    assert first.svg() == two.svg()
    assert first._build_static_bundle() == two._build_static_bundle()


def test_whole_picture_shows_folded_nodes_too():
    """The view itself stays folded."""
    view = board.Tree(kuhn(), depth=0)
    assert view.svg(whole=True) == board.Tree(kuhn(), depth=9).svg()
    assert view.expansion.shown_count == 1


def test_picture_shows_the_solution():
    """It has probabilities and widths on branches, the path of play, and values if asked for."""
    tree = ending()
    view = board.Tree(tree, depth=9)
    plain = view.svg()
    view.solve()
    view.values = True
    svg = view.svg()
    lit = [element for element in svg_elements(svg) if element.get("class") == "t-lit"]
    assert 't-lit" stroke' not in plain
    assert len(lit) == len(view.solution_view["highlighted_nodes"]) - 1 > 0
    widths = {float(element.get("stroke-width")) for element in svg_elements(svg) if (element.get("class") or "").startswith("t-li")}
    assert len(widths) > 1
    assert view.solution_view["sentences"][0].rstrip(".") in svg
    assert "1, −1" in svg


def test_notebook_output_has_a_picture_and_an_outline():
    """Untrusted notebooks show an image with the outline as its text. Large trees show a part."""
    view = board.Tree(talon(), depth=99)
    assert view.expansion.shown_count > 2000
    bundle = view._build_static_bundle()
    assert bundle["text/html"].startswith('<div class="durak-picture">')
    assert len(bundle["text/html"]) < 500_000
    assert bundle["text/plain"].startswith("9625 nodes, ")
    assert bundle["text/plain"].count("\n") <= 201
    svg = b64decode(re.search(r"base64,([^\"]+)", bundle["text/html"])[1]).decode()
    assert len([element for element in svg_elements(svg) if element.get("class") == "t-line"]) < 400
    assert "prefers-color-scheme:dark" in svg
    data, _ = view._repr_mimebundle_()
    assert {"text/html", "text/plain", "application/vnd.jupyter.widget-view+json"} <= set(data)


def test_tall_pictures_shrink_to_one_page_but_stay_readable():
    """They fit one page on paper and screen. Taller ones, and phones in landscape, keep their size."""
    fits = ["max-height:max(95vh,600px)" in render_image(f'<svg width="600" height="{high}"></svg>', "") for high in (900, 901, 1800, 1801)]
    assert fits == [False, True, True, False]


def test_players_differ_by_shape_number_and_colour():
    """Three players have different ones in the light and the dark theme."""
    svg = board.Tree(load_file("horse"), depth=9).svg()
    shapes = set(re.findall(r'<g class="t-s(\d)"><(\w+)', svg))
    assert shapes == {("0", "circle"), ("1", "rect"), ("2", "path")}
    assert {"1", "2", "3"} <= set(re.findall(r'class="t-sign[^>]*>(\d)<', svg))
    for colors in (LIGHT_COLORS, DARK_COLORS):
        assert len(set(colors["seats"])) == 6


def _bright(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4 for channel in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colors", [LIGHT_COLORS, DARK_COLORS], ids=["day", "night"])
def test_text_colours_have_enough_contrast(colors):
    """Texts and numbers within signs have at least 4.5 : 1."""

    def contrast(colour, other):
        low, high = sorted([_bright(colour), _bright(other)])
        return (high + 0.05) / (low + 0.05)

    for color in (*colors["seats"], colors["ink"], colors["soft"], colors["lit"]):
        assert contrast(color, colors["bg"]) >= 4.5, color
    for color in colors["seats"]:
        assert contrast(color, colors["sign"]) >= 4.5, color


def test_names_in_pictures_are_escaped():
    """Test markup, other scripts and control characters in titles, names, labels and moves."""
    odd = 'a<b>&"c"\x00\x1b\ud800 ]]> 世界 ' + "x" * 300
    places = {"": DecisionNode(0, odd, [(odd, "l"), ("", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((10**40, -1))}
    view = board.Tree(build_tree("", places.__getitem__, player_count=2, title=odd, names=(odd, "")))
    view.add_label(1, odd.replace("x", "")[:150])
    for direction in ("right", "down"):
        view.direction = direction
        found = svg_elements(view.svg())
        assert len([element for element in found if element.get("class") == "t-line"]) == 2
        assert float(found[0].get("width")) < 2500
    assert "≈1·10⁴⁰" in view.svg()


def test_cards_are_drawn_as_small_cards():
    """A beating card lies on the beaten one, chance moves show their card, and four colours are possible."""
    svg = board.Tree(ending(), depth=9).svg()
    assert svg.count("<use href=") > 14
    assert "#14683a" not in svg
    assert "#14683a" in board.Tree(ending(), depth=9, four_colors=True).svg()
    view = board.Tree(drawing_cards(), depth=2)
    moves = [move for chance in view.drawing["chance_moves"].values() for move in chance["moves"]]
    assert all(move.get("hands") or move["cards"] for move in moves)


@pytest.mark.slow
def test_a_root_with_thousands_of_branches_is_drawn_quickly():
    """The picture has what is open of six thousand branches."""
    view = board.Tree(wide(), depth=0)
    view.toggle(0)
    assert len([element for element in svg_elements(view.svg()) if element.get("class") == "t-line"]) == 6000
    assert len(view._build_static_bundle()["text/html"]) < 20_000  # a root that does not fit stays folded


def test_dashed_lines_along_a_branch_do_not_cross_its_label():
    """With imperfect recall, a set may join a node and its successor. Its line runs below the branch."""
    found = svg_elements(board.Tree(gametheory.textbook("driver"), depth=9).svg())
    (dashed,) = [element.get("d") for element in found if (element.get("class") or "").startswith("t-set")]
    label = next(element for element in found if element.text == "go on")
    start, *bends, end = [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", dashed)]
    assert start[0] < float(label.get("x")) < end[0]
    assert min(y for _, y in bends) > max(start[1], end[1], float(label.get("y")))


def test_picture_shows_the_value_to_each_player():
    """The values are above the picture, as on the page."""
    view = board.Tree(gametheory.textbook("chain-store"), depth=1)
    view.solve("backward")
    svg = view.svg()
    assert all(
        f"{seat}: {value}" in svg for seat, value in zip(view.drawing["players"], view.solution.backward_induction.values, strict=True)
    )
