"""Test ratings, curve and matrix as SVG and HTML: well-formed, with accessible names, and with the right numbers."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree as ET

from durak_widget.arena.standings_page import render_matrix_table, render_places_table
from durak_widget.arena.svg_plots import build_scale, draw_rating_history, draw_ratings
from support.spoken import TRANSLATED, english_text
from support.tournaments import Stood, not_begun, of_four, of_many

SVG = "{http://www.w3.org/2000/svg}"


def test_a_plot_is_valid_and_has_an_accessible_name():
    """It is XML with a title, a description and a language; everything drawn is inside it."""
    for language in TRANSLATED:
        for plot in (draw_ratings, draw_rating_history):
            for result in (of_four(), of_many(), not_begun()):
                drawn = ET.fromstring(plot(result, language))  # noqa: S314 - our own text
                assert drawn.get("role") == "img"
                assert drawn.get("lang") == language
                assert drawn.get("aria-label") == drawn.find(f"{SVG}title").text
                assert drawn.find(f"{SVG}desc") is not None
                wide, high = map(float, drawn.get("viewBox").split()[2:])
                for circle in drawn.iter(f"{SVG}circle"):
                    assert 0 < float(circle.get("cx")) < wide
                    assert 0 < float(circle.get("cy")) < high


def test_better_bots_are_further_right_and_higher():
    """There is a dot for each rating on one scale, the best on top."""
    drawn = ET.fromstring(draw_ratings(of_four()))  # noqa: S314 - as above
    dots = [(float(circle.get("cy")), float(circle.get("cx"))) for circle in drawn.iter(f"{SVG}circle")]
    assert dots == sorted(dots)
    assert [x for _, x in dots] == sorted((x for _, x in dots), reverse=True)
    assert len([path for path in drawn.iter(f"{SVG}path") if path.get("class") == "a-tie"]) == 1


def test_a_scale_stays_between_0_and_100():
    """It has round numbers around the data."""
    assert (build_scale([1, 99]).low, build_scale([1, 99]).high) == (0, 100)
    assert build_scale([48, 52.5]).tick_values == [48, 49, 50, 51, 52, 53]
    assert build_scale([50, 50]).position_of(50) == 0.5
    assert build_scale([None, float("nan")]) == build_scale([])


def test_labels_of_the_curve_do_not_overlap():
    """Six bots that end at almost equal heights each have their own line."""
    names = tuple("abcdef")
    strengths = (50.0, 50.1, 50.2, 50.3, 50.4, 50.5)
    close = of_four(names=names, standings=Stood(names, strengths, 5.0, 100), rating_history=((10, strengths), (20, strengths)))
    heights = sorted(float(height) for height in re.findall(r'x="580" y="([\d.]+)"', draw_rating_history(close)))
    assert len(heights) == 6
    assert min(b - a for a, b in pairwise(heights)) > 17


def test_a_matrix_cell_shows_certainty_without_colour():
    """Proved better is bold and marked, with a word for it; so is proved worse; undecided has neither; the diagonal is empty."""
    table = render_matrix_table(of_four())
    assert table.count('data-sure="up"') == table.count('data-sure="down"') == 5
    assert table.count(f'aria-label="{english_text("arena.proved.better")}"') == 5
    assert table.count('<td data-self="">') == 4
    assert "51<small>46–<wbr>55</small>" in table


def test_a_matrix_of_thirty_bots_is_small_enough_to_send():
    """Columns have numbers, with names for screen readers; each row has its name."""
    table = render_matrix_table(of_many())
    assert table.count('scope="col"') == table.count('scope="row"') == 30
    assert len(table) < 100_000


def test_an_unknown_value_is_a_dash():
    """Before the first game there are names and no dots."""
    table = render_places_table(not_begun())
    assert "Ann" in table
    assert "<b style" not in table
    assert "nan" not in table + draw_ratings(replace(not_begun(), rating_history=((0, (None, None)),)))
