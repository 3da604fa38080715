"""Test dashed lines that cross: they differ in lane, dash pattern and name, in pictures and on the page."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from board.boards import TREES, talon
from durak_widget import board, gametheory
from durak_widget.board.tree_layout import DASH_PATTERNS, LANE_COUNT, style_infoset_lines
from support.textbook import kuhn


@st.composite
def random_drawing(draw):
    """Return nodes on a few levels with so many information sets that lanes must be shared."""
    count = draw(st.integers(2, 45))
    level = draw(st.lists(st.integers(1, 3), min_size=count, max_size=count))
    whose = draw(st.lists(st.integers(0, 20), min_size=count, max_size=count))
    joined = {}
    for place, infoset in enumerate(whose):
        joined.setdefault(infoset, []).append(place)
    return [places for places in joined.values() if len(places) > 1], level, [float(place) for place in range(count)]


def set_span(places, level, row):
    """Return the levels and rows that an information set covers."""
    levels, rows = [level[place] for place in places], [row[place] for place in places]
    return min(levels), max(levels), min(rows), max(rows)


@given(random_drawing())
def test_crossing_sets_differ_in_lane_or_pattern_and_their_names_do_not_overlap(drawing):
    """A line is straight only if no other node of its level lies between."""
    joined, level, row = drawing
    found = style_infoset_lines(joined, level, row, [f"set {n}" for n in range(len(joined))])
    for (nodes, a), (other_nodes, b) in combinations(zip(joined, found, strict=True), 2):
        (first, last, low, high), (begin, end, top, bottom) = set_span(nodes, level, row), set_span(other_nodes, level, row)
        if a.lane and b.lane and first <= end and begin <= last and low <= bottom and top <= high:
            assert (a.lane, a.dash_pattern) != (b.lane, b.dash_pattern)
            assert not (a.name and b.name) or (
                a.name != b.name and (a.name_between != b.name_between or level[a.name_between[0]] != level[a.name_between[1]])
            )
    for places, style in zip(joined, found, strict=True):
        between = [place for place in range(len(row)) if level[place] == level[places[0]] and places[0] < place < places[-1]]
        assert (style.lane == 0) == (len({level[place] for place in places}) == 1 and set(between) <= set(places))
        assert 0 <= style.lane <= LANE_COUNT
        assert 0 <= style.dash_pattern < len(DASH_PATTERNS)


def test_lane_and_pattern_pairs_repeat_only_after_sixty():
    """The numbers of patterns and lanes have no common divisor."""
    assert len({(number % LANE_COUNT, number % len(DASH_PATTERNS)) for number in range(60)}) == 60
    assert len(set(DASH_PATTERNS)) == len(DASH_PATTERNS)


@pytest.mark.parametrize("direction", ["right", "down"])
def test_beer_and_quiche_has_a_line_and_a_name_for_each_set(direction):
    """The picture has two lanes and two patterns, and each name lies beside its own line."""
    view = board.Tree(gametheory.textbook("beer-quiche"), depth=9, direction=direction, from_middle=False)
    assert view.drawing["lanes"] == [[1, 0, "sees beer", 2, 5], [2, 1, "sees quiche", 5, 9]]
    found = list(ET.fromstring(view.svg()).iter())  # noqa: S314 - our own text
    lines = [element for element in found if (element.get("class") or "").startswith("t-set")]
    assert len({line.get("style") for line in lines}) == len({line.get("class") for line in lines}) == len(lines) == 2
    axis = 0 if direction == "right" else 1
    ways = [[(float(x), float(y)) for x, y in re.findall(r"[QML](-?[\d.]+) (-?[\d.]+)", line.get("d"))] for line in lines]
    assert len({min(point[axis] for point in way) for way in ways}) == 2
    for name, way in zip(("sees beer", "sees quiche"), ways, strict=True):
        label = next(element for element in found if element.text == name)
        low, high = min(point[1 - axis] for point in way), max(point[1 - axis] for point in way)
        assert low < float(label.get("xy"[1 - axis])) < high


def test_only_crossing_sets_are_named():
    """The second player's six sets in Kuhn's poker are named, by numbers if the text is too long."""
    view = board.Tree(kuhn(), depth=9)
    crossing = [lane[2] for lane in view.drawing["lanes"] if len(lane) > 2]
    assert len(set(crossing)) == len(crossing) == 6
    for make in TREES.values():
        drawing = board.Tree(make(), depth=9).drawing
        assert len(drawing["lanes"]) == len(drawing["shared_infosets"])


def test_large_trees_use_lanes_too():
    """Thousands of nodes need no more lanes than there are, and no names."""
    view = board.Tree(talon(), depth=99)
    found = view.drawing["lanes"]
    assert len(found) > 100
    assert max(element[0] for element in found) <= LANE_COUNT
    assert max(map(len, found)) == 2


def test_lines_along_a_level_do_not_cross_branch_labels():
    """Lane and name lie between the branch label and its node."""
    spread = board.Tree(gametheory.textbook("beer-quiche"), depth=9, from_middle=False).svg()
    found = list(ET.fromstring(spread).iter())  # noqa: S314 - our own text
    words = max(float(element.get("x")) for element in found if element.text in ("beer", "quiche"))
    names = [float(element.get("x")) for element in found if element.text in ("sees beer", "sees quiche")]
    assert all(element > two for element, two in zip(names, [words] * 2, strict=True))
    assert all(abs(element - two) < 20 for element, two in pairwise(names))
