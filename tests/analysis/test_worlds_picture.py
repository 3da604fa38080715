"""Test the picture of worlds: a cell for each card in each place, as text and drawn, in light and dark colours."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree as ET

from durak_widget import Game, Rules, analysis
from durak_widget.analysis.card_probability_chart import _DARK_TEXT_OPACITY, _INK, _fill_opacity
from durak_widget.engine.table_svg import DARK_COLORS, LIGHT_COLORS


def test_the_text_never_rounds_to_zero_or_one() -> None:
    """A dot means never, a tick certain; every other card shows its percentage."""
    game = Game(Rules(hidden_trump=False), seed=7)
    game.play("attack Jc")
    game.play("take")
    game.play("pass")
    lines = str(analysis.worlds(game.view(0))).splitlines()
    assert lines[0] == "Player 2, 7 cards"
    assert lines[2].split()[6] == "✓"
    assert lines[6] == "Talon, 23 cards"
    assert set("".join(lines[2:6])) <= set("♣♦♥♠0123456789 ·✓<>")


def test_the_picture_has_three_languages() -> None:
    """The captions are those of the table, and the drawing is complete, with light and dark colours."""
    for language, says in (("en", "Talon, 24 cards"), ("ru", "Колода, 24 карты"), ("lt", "Kaladė, 24 kortos")):
        picture = analysis.worlds(Game(seed=7).view(0)).picture(language=language)
        assert says in str(picture)
        drawn = ET.fromstring(picture.svg)  # noqa: S314 - our own
        words = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
        assert says in words
        assert words.count("✓") == str(picture).count("✓")
        assert "prefers-color-scheme:dark" in picture.svg
        bundle = picture._repr_mimebundle_()
        assert bundle["text/plain"] == str(picture)
        assert bundle["text/html"].startswith("<img ")


def test_jokers_have_their_own_row() -> None:
    """A deck with jokers shows them under the suits."""
    rows = str(analysis.worlds(Game("full_jokers", seed=1).view(0))).splitlines()
    assert [row.split()[0] for row in rows[2:7]] == ["♣", "♦", "♥", "♠", "★"]


def test_theory_is_imported_on_first_use() -> None:
    """Importing the package imports none of it, and no numpy."""
    code = """
import sys, durak_widget
here = lambda: [name for name in sys.modules if name.startswith(("durak_widget.analysis", "durak_widget.gametheory"))]
assert "analysis" in dir(durak_widget) and not here()
assert "worlds" in dir(durak_widget.analysis) and here() == ["durak_widget.analysis"]
str(durak_widget.analysis.worlds(durak_widget.Game(seed=7).view(0)))
assert "numpy" not in sys.modules
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_numbers_have_enough_contrast_on_every_cell() -> None:
    """With every probability the contrast is at least 4.5 to 1 (WCAG 2.2, 1.4.3)."""
    for colors in (LIGHT_COLORS, DARK_COLORS):
        for percent in range(101):
            full = _fill_opacity(percent / 100)
            cell = [
                full * over + (1 - full) * under
                for over, under in zip(rgb_values(colors["mark"]), rgb_values(colors["plate"]), strict=True)
            ]
            number = _INK if percent / 100 > _DARK_TEXT_OPACITY else colors["text"]
            lighter, darker = sorted([luminance(cell), luminance(rgb_values(number))], reverse=True)
            assert (lighter + 0.05) / (darker + 0.05) >= 4.5, percent


def rgb_values(color: str) -> list[float]:
    """Return red, green and blue, from 0 to 1."""
    return [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def luminance(color: list[float]) -> float:
    """Return the relative luminance of a colour, as WCAG defines it."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
