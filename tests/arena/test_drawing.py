"""Ratings, curve and matrix as text: whole, named for whoever does not see them, and true to the numbers."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

from durak_widget.arena.standings_page import render_matrix_table, render_places_table
from durak_widget.arena.svg_plots import build_scale, draw_rating_history, draw_ratings
from support.spoken import TRANSLATED
from support.tournaments import Stood, not_begun, of_four, of_many

SVG = "{http://www.w3.org/2000/svg}"


def test_a_drawing_is_whole_and_has_a_name():
    """XML that any reader takes, with a title, words, a language; all that is drawn lies on it."""
    for language in TRANSLATED:
        for plot in (draw_ratings, draw_rating_history):
            for result in (of_four(), of_many(), not_begun()):
                drawn = ET.fromstring(plot(result, language))  # noqa: S314 - our own text
                assert drawn.get("role") == "img"
                assert drawn.get("lang") == language
                assert drawn.get("aria-label") == drawn.find(f"{SVG}title").text
                assert drawn.find(f"{SVG}desc") is not None
                wide, high = map(float, drawn.get("viewBox").split()[2:])
                for one in drawn.iter(f"{SVG}circle"):
                    assert 0 < float(one.get("cx")) < wide
                    assert 0 < float(one.get("cy")) < high


def test_who_is_better_stands_further_to_the_right_and_above():
    """A dot for each rating along one scale, the best on top."""
    drawn = ET.fromstring(draw_ratings(of_four()))  # noqa: S314 - as above
    dots = [(float(one.get("cy")), float(one.get("cx"))) for one in drawn.iter(f"{SVG}circle")]
    assert dots == sorted(dots)
    assert [x for _, x in dots] == sorted((x for _, x in dots), reverse=True)
    assert len([one for one in drawn.iter(f"{SVG}path") if one.get("class") == "a-tie"]) == 1


def test_a_scale_never_leaves_the_points_of_100():
    """Round numbers around what is drawn."""
    assert (build_scale([1, 99]).low, build_scale([1, 99]).high) == (0, 100)
    assert build_scale([48, 52.5]).tick_values == [48, 49, 50, 51, 52, 53]
    assert build_scale([50, 50]).position_of(50) == 0.5
    assert build_scale([None, float("nan")]) == build_scale([])


def test_labels_of_the_curve_do_not_lie_upon_one_another():
    """Of six that end at nearly one height each has its own line."""
    names = tuple("abcdef")
    strengths = (50.0, 50.1, 50.2, 50.3, 50.4, 50.5)
    close = of_four(names=names, standings=Stood(names, strengths, 5.0, 100), rating_history=((10, strengths), (20, strengths)))
    heights = sorted(float(one) for one in re.findall(r'x="580" y="([\d.]+)"', draw_rating_history(close)))
    assert len(heights) == 6
    assert min(b - a for a, b in pairwise(heights)) > 17


def test_a_cell_says_how_sure_it_is_in_more_than_colour():
    """Proved better is bold and marked, with a word for it; the same for worse; what is open has neither; nobody meets themselves."""
    table = render_matrix_table(of_four())
    assert table.count('data-sure="up"') == table.count('data-sure="down"') == 5
    assert table.count('aria-label="proved better"') == 5
    assert table.count('<td data-self="">') == 4
    assert "51<small>46–<wbr>55</small>" in table


def test_thirty_bots_are_a_table_of_a_size_that_can_be_sent():
    """Columns have numbers, with the names for who hears them; each row its name."""
    table = render_matrix_table(of_many())
    assert table.count('scope="col"') == table.count('scope="row"') == 30
    assert len(table) < 100_000


def test_what_is_not_known_is_a_dash():
    """Before the first game there are names and no dots."""
    table = render_places_table(not_begun())
    assert "Ann" in table
    assert "<b style" not in table
    assert "nan" not in table + draw_ratings(replace(not_begun(), rating_history=((0, (None, None)),)))
