"""The page on games of one's own says what there is: every question with what it is worth, every condition, each name of a place."""

from __future__ import annotations

import re
from pathlib import Path

from durak_widget import theory
from durak_widget.classroom.own.asked import OPTIONS
from durak_widget.classroom.own.by_name import BY_NAME
from durak_widget.classroom.own.conditions import NAMED, conditions_of
from durak_widget.classroom.own.difficulty import SAMPLE
from durak_widget.classroom.own.places_drawn import Places

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "own-games.md").read_text(encoding="utf-8")


def test_every_question_stands_there_with_its_points():
    """And no other."""
    rows = re.findall(r"^\| `([a-z ]+)` \| .* \| (\d+) \|$", PAGE, re.MULTILINE)
    assert {name.replace(" ", "-"): int(points) for name, points in rows} == {name: one.points for name, one in BY_NAME.items()}
    for option in OPTIONS:
        assert f"`{option}=" in PAGE


def test_every_condition_stands_there():
    """By its name, as it is taken."""
    told = PAGE.partition("## What must be so")[2].partition("\n## ")[0]
    for name in NAMED:
        assert f'`"{name}"`' in told
    for name in re.findall(r'`"([^"]+)"`', told):
        assert conditions_of(name)
    assert SAMPLE == 60
    assert "Sixty games" in PAGE


def test_each_name_of_a_place_is_one():
    """Those of the shop and the rival, and of a sender who may be strong, who is in another game."""
    told = PAGE.partition("## What is drawn")[2].partition("\n## ")[0]
    entry, beer = Places(theory.textbook("entry")), Places(theory.textbook("beer-quiche"))
    for name in re.findall(r'^\| `"([^"]+)"`', told, re.MULTILINE):
        if "left, up" not in name:
            assert (beer if "strong" in name else entry).of(name.replace("Shop", "Chain store")).spots, name
