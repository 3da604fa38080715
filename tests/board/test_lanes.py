"""Dashed lines that cross are told apart: by their lane, their dashes and their name, in pictures and on the page."""

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
def drawn(draw):
    """Places on a few levels, some of them joined to sets: so many that lanes must be shared."""
    count = draw(st.integers(2, 45))
    level = draw(st.lists(st.integers(1, 3), min_size=count, max_size=count))
    whose = draw(st.lists(st.integers(0, 20), min_size=count, max_size=count))
    joined = {}
    for place, one in enumerate(whose):
        joined.setdefault(one, []).append(place)
    return [places for places in joined.values() if len(places) > 1], level, [float(place) for place in range(count)]


def stretch(places, level, row):
    """The levels and rows that a set lies beside."""
    levels, rows = [level[place] for place in places], [row[place] for place in places]
    return min(levels), max(levels), min(rows), max(rows)


@given(drawn())
def test_two_that_cross_share_neither_lane_and_dashes_nor_the_place_of_a_name(drawing):
    """Whatever sets there are; and a line goes straight only where no other node of its level lies between."""
    joined, level, row = drawing
    found = style_infoset_lines(joined, level, row, [f"set {n}" for n in range(len(joined))])
    for (one, a), (two, b) in combinations(zip(joined, found, strict=True), 2):
        (first, last, low, high), (begin, end, top, bottom) = stretch(one, level, row), stretch(two, level, row)
        if a.lane and b.lane and first <= end and begin <= last and low <= bottom and top <= high:
            assert (a.lane, a.dash_pattern) != (b.lane, b.dash_pattern)
            assert not (a.name and b.name) or (
                a.name != b.name and (a.name_between != b.name_between or level[a.name_between[0]] != level[a.name_between[1]])
            )
    for places, one in zip(joined, found, strict=True):
        between = [place for place in range(len(row)) if level[place] == level[places[0]] and places[0] < place < places[-1]]
        assert (one.lane == 0) == (len({level[place] for place in places}) == 1 and set(between) <= set(places))
        assert 0 <= one.lane <= LANE_COUNT
        assert 0 <= one.dash_pattern < len(DASH_PATTERNS)


def test_patterns_and_lanes_meet_again_only_after_sixty():
    """As many patterns as have no divisor in common with the lanes; no two alike."""
    assert len({(number % LANE_COUNT, number % len(DASH_PATTERNS)) for number in range(60)}) == 60
    assert len(set(DASH_PATTERNS)) == len(DASH_PATTERNS)


@pytest.mark.parametrize("direction", ["right", "down"])
def test_beer_and_quiche_have_a_line_and_a_name_each(direction):
    """In the picture: two lanes, two patterns, and the name of each within its own stretch."""
    view = board.Tree(gametheory.textbook("beer-quiche"), depth=9, direction=direction, from_middle=False)
    assert view.drawing["lanes"] == [[1, 0, "sees beer", 2, 5], [2, 1, "sees quiche", 5, 9]]
    found = list(ET.fromstring(view.svg()).iter())  # noqa: S314 - our own text
    lines = [one for one in found if (one.get("class") or "").startswith("t-set")]
    assert len({one.get("style") for one in lines}) == len({one.get("class") for one in lines}) == len(lines) == 2
    axis = 0 if direction == "right" else 1
    ways = [[(float(x), float(y)) for x, y in re.findall(r"[QML](-?[\d.]+) (-?[\d.]+)", one.get("d"))] for one in lines]
    assert len({min(point[axis] for point in way) for way in ways}) == 2
    for name, way in zip(("sees beer", "sees quiche"), ways, strict=True):
        said = next(one for one in found if one.text == name)
        low, high = min(point[1 - axis] for point in way), max(point[1 - axis] for point in way)
        assert low < float(said.get("xy"[1 - axis])) < high


def test_names_are_told_where_lines_cross_and_nowhere_else():
    """Kuhn's six of the second player do, by a number where what is known is too long; those of the first lie apart."""
    view = board.Tree(kuhn(), depth=9)
    crossing = [one[2] for one in view.drawing["lanes"] if len(one) > 2]
    assert len(set(crossing)) == len(crossing) == 6
    for make in TREES.values():
        told = board.Tree(make(), depth=9).drawing
        assert len(told["lanes"]) == len(told["joined"])


def test_a_large_tree_is_laid_in_lanes_too():
    """Thousands of places: no more lanes than there are, and names nowhere."""
    view = board.Tree(talon(), depth=99)
    found = view.drawing["lanes"]
    assert len(found) > 100
    assert max(one[0] for one in found) <= LANE_COUNT
    assert max(map(len, found)) == 2


def test_a_line_along_a_level_leaves_the_words_on_branches_free():
    """Lane and name lie between what stands on a branch and its node."""
    spread = board.Tree(gametheory.textbook("beer-quiche"), depth=9, from_middle=False).svg()
    found = list(ET.fromstring(spread).iter())  # noqa: S314 - our own text
    words = max(float(one.get("x")) for one in found if one.text in ("beer", "quiche"))
    names = [float(one.get("x")) for one in found if one.text in ("sees beer", "sees quiche")]
    assert all(one > two for one, two in zip(names, [words] * 2, strict=True))
    assert all(abs(one - two) < 20 for one, two in pairwise(names))
