"""The grid of cards seen, by itself: where each card is, how many are unknown, and that it can be read by day and by night."""

from __future__ import annotations

import random

import pytest
from painted import WORDS, ground, scene

from durak_widget import Game, Rules
from durak_widget.table.scene import locate_cards

pytestmark = pytest.mark.slow

READ = """() => [...document.querySelectorAll('.dk-seen-cards tr')].map((row) => ({
  name: row.querySelector('th').textContent.replace('★', ''),
  cells: [...row.querySelectorAll('td[data-at]')].map((cell) => [cell.querySelector('b').textContent, cell.dataset.at, [...cell.querySelectorAll('.dk-card-location')].map((badge) => badge.textContent), cell.getAttribute('aria-label')]),
  left: row.querySelector('.dk-unseen-count').textContent, right: row.querySelector('.dk-unseen-count').getBoundingClientRect().right, height: row.getBoundingClientRect().height,
}))"""
# The least contrast of a rank or a badge with what lies behind it, as WCAG counts it.
CONTRAST = """() => {
  const light = (color) => { const [r, g, b] = color.match(/[\\d.]+/g).map((one) => { const x = one / 255; return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (at) => { for (; at; at = at.parentElement) { const { backgroundColor } = getComputedStyle(at); if (!/, 0\\)$/.test(backgroundColor)) return backgroundColor; } return 'rgb(255, 255, 255)'; };
  return Math.min(...[...document.querySelectorAll('.dk-seen-cards b, .dk-seen-cards .dk-card-location, .dk-seen-cards th, .dk-legend li')].map((one) => {
    const [low, high] = [light(getComputedStyle(one).color), light(behind(one))].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  }));
}"""


def opened(blank, rules, width=1000, **look):
    """A table some way into a game, with the grid open; the game."""
    game, rng = Game(rules, seed=7), random.Random(3)
    for _ in range(30):
        game.play(rng.choice(game.legal_moves()))
    blank.lay(scene(game), **look)
    blank.widen(width)
    blank.click("[data-bar=seen]")
    blank.hear({"kind": "seen_cards", **locate_cards(game.view(0))})
    return game


@pytest.mark.parametrize("rules", ["full_jokers, players=3"])
def test_each_card_says_where_it_is(blank, rules):
    """A rank, and a badge for who holds it; what has not been seen has none, and is counted at the end of its row."""
    told = locate_cards(opened(blank, rules).view(0))
    painted = blank.page.evaluate(READ)
    assert len(painted) == len(told["rows"])
    signs = {"hand": "●", "table": "▲", "gone": "×", "talon": "="}
    for row, cards in zip(painted, told["rows"], strict=True):
        places = [told["locations"].get(card, []) for card in cards]
        assert [badges for _, _, badges, _ in row["cells"]] == [
            [signs.get(at, str(at + 1) if isinstance(at, int) else "") for at in each] for each in places
        ]
        left = places.count([])
        assert row["left"] == (f"{left} ?" if left else "")
        for _, at, badges, label in row["cells"]:
            assert (at == "unknown") == (not badges) == label.endswith(WORDS["at.unknown"])
    assert len({round(row["right"]) for row in painted}) == 1  # the counts stand below one another
    assert max(row["height"] for row in painted) - min(row["height"] for row in painted) < 2


@pytest.mark.parametrize(("theme", "width"), [("dark", 360)])
def test_the_grid_can_be_read(blank, theme, width):
    """By day and by night, wide and narrow, what is written on it stands out from what lies behind, and it is no wider than its panel."""
    with ground(blank.page, theme):
        opened(blank, Rules(), width, theme=theme)
        assert blank.page.evaluate(CONTRAST) >= 4.5
        assert (
            blank.page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.dk-panel'))") <= 0
        )
