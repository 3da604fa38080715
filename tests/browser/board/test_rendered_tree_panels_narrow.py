"""Test a tree and its panels on narrow pages: nothing is cut, squeezed out or empty."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from durak_widget import Game, analysis, board, gametheory
from durak_widget.gametheory import DecisionNode, TerminalNode
from support.spoken import english_text

pytestmark = pytest.mark.slow
SEEN = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
PHONE = 250
"""The width that a notebook leaves to a tree on a phone of 360 pixels."""
SHOWN = Game.from_position_line(
    "econ431, suits=cdh, hand_size=1: Kc Ac | Qd; talon Kd; turn-up 9h; seen Kc Ac | ; discard 9c Tc Jc Qc 9d Td Jd Ad Th Jh Qh Kh Ah"
)


def make_choice(*moves):
    """Return a tree with one choice among these moves."""
    ends = {move: TerminalNode((Fraction(n), Fraction(-n))) for n, move in enumerate(moves)}
    return gametheory.build_tree("", {"": DecisionNode(0, "begins", [(move, move) for move in moves]), **ends}.__getitem__, player_count=2)


def test_move_names_beside_sliders_are_not_cut(board_page):
    """Moves that begin alike can be told apart on a phone."""
    view = board.Tree(make_choice("leads the nine of clubs", "leads the queen of diamonds"), depth=2)
    view.solve()
    board_page.mount(view, PHONE)
    words = board_page.page.locator(".dk-probability-move .dk-move-label")
    expect(words).to_have_text(["leads the nine of clubs", "leads the queen of diamonds"])
    cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1).length"
    assert words.evaluate_all(cut) == 0
    inside = "(all) => all.every((one) => { const [a, b] = [one.getBoundingClientRect(), one.closest('.dk-probability-row').getBoundingClientRect()]; return a.top >= b.top - 1 && a.bottom <= b.bottom + 1; })"
    assert words.evaluate_all(inside)


# Return the rendered payoffs of each end: numbers and commas from left to right.
APART = """(all) => all.map((end) => [...end.querySelectorAll('.dk-payoff')].map((one) => {
  const words = document.createRange(); words.selectNodeContents(one);
  const { left, right } = words.getBoundingClientRect(), room = one.getBoundingClientRect();
  return { left, right, whole: one.scrollWidth <= one.clientWidth && left >= room.left - 0.5, comma: getComputedStyle(one, '::after').content.includes(',') };
}))"""
# Return the same for the static picture, where each text is separate: the texts on one line.
DRAWN = """(svg) => {
  const place = document.createElement('div'); place.innerHTML = svg; document.body.append(place);
  const found = [...place.querySelectorAll('text.t-b:not(.t-small, .t-sign, .t-title), text.t-soft')].filter((one) => /^[−0-9,]+$/.test(one.textContent))
    .map((one) => [Math.round(Number(one.getAttribute('y'))), one.textContent, one.getBoundingClientRect().left, one.getBoundingClientRect().right]);
  place.remove();
  return found;
}"""


def test_payoffs_are_separated_by_commas(board_page):
    """Each fits in its space, also in the static picture."""
    worths = [(-11, 11, 1), (Fraction(-2, 3), Fraction(2, 3), 3), (Fraction(-1, 31), Fraction(1, 31), -3), (1, -1, 0)]
    moves = [f"move {n}" for n in range(len(worths))]
    ends = {move: TerminalNode(tuple(map(Fraction, payoffs))) for move, payoffs in zip(moves, worths, strict=True)}
    tree = gametheory.build_tree("", {"": DecisionNode(0, "begins", [(move, move) for move in moves]), **ends}.__getitem__, player_count=3)
    board_page.mount(board.Tree(tree, depth=1), 340)
    found = board_page.page.locator(".dk-payoffs").evaluate_all(APART)
    assert len(found) == 4
    assert all(payoff["whole"] for end in found for payoff in end)
    assert [[payoff["comma"] for payoff in end] for end in found] == [[True, True, False]] * 4
    assert min(next_payoff["left"] - payoff["right"] for end in found for payoff, next_payoff in pairwise(end)) > 6
    whole = board.Tree(
        gametheory.build_tree(
            "",
            {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((-11, 11)), "r": TerminalNode((1, -1))}.__getitem__,
            player_count=2,
        )
    )
    lines = board_page.page.evaluate(DRAWN, whole.svg())
    for line in {y for y, *_ in lines}:
        signs = sorted((left, right, text) for y, text, left, right in lines if y == line)
        assert [text for *_, text in signs][1::2] == [","]
        assert all(right <= left + 1 for (_, right, _), (left, _, _) in pairwise(signs)), signs


def test_the_bar_between_two_hands_is_visible(board_page):
    """However wide the cards are."""
    view = board.Tree(analysis.build_tree_from_position(SHOWN), depth=1)
    board_page.mount(view, PHONE)
    bars = board_page.page.locator(".dk-mini-separator").evaluate_all("(all) => all.map((one) => one.offsetWidth)")
    assert bars
    assert set(bars) == {2}


def test_a_fully_visible_tree_leaves_no_empty_space(board_page):
    """When it shrinks on a turned phone, the board shrinks too."""
    tree_nodes = {"": DecisionNode(0, "begins", [(move, move) for move in "abcd"])}
    tree_nodes |= {
        move: DecisionNode(1, f"after {move}", [("goes on for long", f"{move}1"), ("stops at once here", f"{move}2")]) for move in "abcd"
    }
    tree_nodes |= {f"{move}{n}": TerminalNode((n, -n)) for move in "abcd" for n in (1, 2)}
    view = board.Tree(gametheory.build_tree("", tree_nodes.__getitem__, player_count=2), depth=3)
    board_page.mount(view, 800)
    board_page.page.evaluate("document.querySelector('.dk-board').parentElement.style.width = '270px'")
    board_page.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    board_page.rest()
    scale, high = board_page.page.evaluate(
        "[new DOMMatrix(getComputedStyle(document.querySelector('.dk-world')).transform).a, document.querySelector('.dk-view').clientHeight]"
    )
    boxes = [box for node in board_page.page.locator(".dk-node .dk-sign").all() if (box := node.bounding_box())]
    height = max(box["y"] + box["height"] for box in boxes) - min(box["y"] for box in boxes)
    assert scale < 0.8
    assert high - height < 80


def test_the_panel_explains_what_a_strategy_is(board_page):
    """Until the user sets one."""
    view = board.Tree(make_choice("left", "right"), depth=2)
    view.solve()
    board_page.mount(view, PHONE)
    about = board_page.page.locator(".dk-solution-description")
    expect(about).to_have_text(english_text("screen.solution.about"))
    board_page.page.get_by_role("button", name=english_text("screen.solution.mine")).click()
    expect(about).to_be_hidden()
