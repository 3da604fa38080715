"""Test the grid of seen cards: where each card is, and its contrast."""

from __future__ import annotations

import random

import pytest
from rendered_table import WORDS, page_theme, scene

from durak_widget import Game, Rules
from durak_widget.table.scene import locate_cards

pytestmark = pytest.mark.slow

READ = """() => [...document.querySelectorAll('.dk-seen-cards tr')].map((row) => ({
  name: row.querySelector('th').textContent.replace('★', ''),
  cells: [...row.querySelectorAll('td[data-at]')].map((cell) => [cell.querySelector('b').textContent, cell.dataset.at, [...cell.querySelectorAll('.dk-card-location')].map((badge) => badge.textContent), cell.getAttribute('aria-label')]),
  left: row.querySelector('.dk-unseen-count').textContent, right: row.querySelector('.dk-unseen-count').getBoundingClientRect().right, height: row.getBoundingClientRect().height,
}))"""
# Return the least WCAG contrast of a rank or a badge.
CONTRAST = """() => {
  const light = (color) => { const [r, g, b] = color.match(/[\\d.]+/g).map((one) => { const x = one / 255; return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (at) => { for (; at; at = at.parentElement) { const { backgroundColor } = getComputedStyle(at); if (!/, 0\\)$/.test(backgroundColor)) return backgroundColor; } return 'rgb(255, 255, 255)'; };
  return Math.min(...[...document.querySelectorAll('.dk-seen-cards b, .dk-seen-cards .dk-card-location, .dk-seen-cards th, .dk-legend li')].map((one) => {
    const [low, high] = [light(getComputedStyle(one).color), light(behind(one))].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }));
}"""


def open_grid(table_page, rules, width=1000, **look):
    """Open the grid during a game. Return the game."""
    game, rng = Game(rules, seed=7), random.Random(3)
    for _ in range(30):
        game.play(rng.choice(game.legal_moves()))
    table_page.mount(scene(game), **look)
    table_page.set_width(width)
    table_page.choose("seen")
    table_page.receive({"kind": "seen_cards", **locate_cards(game.view(0))})
    return game


@pytest.mark.parametrize("rules", ["full_jokers, players=3"])
def test_the_grid_shows_where_each_card_is(table_page, rules):
    """A badge names the holder. Unseen cards are counted per row."""
    locations = locate_cards(open_grid(table_page, rules).view(0))
    painted = table_page.page.evaluate(READ)
    assert len(painted) == len(locations["rows"])
    signs = {"hand": "●", "table": "▲", "gone": "×", "talon": "="}
    for row, cards in zip(painted, locations["rows"], strict=True):
        holders = [locations["locations"].get(card, []) for card in cards]
        assert [badges for _, _, badges, _ in row["cells"]] == [
            [signs.get(holder, str(holder + 1) if isinstance(holder, int) else "") for holder in each] for each in holders
        ]
        left = holders.count([])
        assert row["left"] == (f"{left} ?" if left else "")
        for _, holder, badges, label in row["cells"]:
            assert (holder == "unknown") == (not badges) == label.endswith(WORDS["at.unknown"])
    assert len({round(row["right"]) for row in painted}) == 1  # the counts are aligned in a column
    assert max(row["height"] for row in painted) - min(row["height"] for row in painted) < 2


@pytest.mark.parametrize(("theme", "width"), [("dark", 360)])
def test_the_grid_has_enough_contrast(table_page, theme, width):
    """In both themes and widths, and no wider than its panel."""
    with page_theme(table_page.page, theme):
        open_grid(table_page, Rules(), width, theme=theme)
        assert table_page.page.evaluate(CONTRAST) >= 4.5
        assert (
            table_page.page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.dk-panel'))")
            <= 0
        )
