"""Dashed lines on a painted tree: they go around what is written."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durak_widget import board, gametheory
from durak_widget.gametheory import ChanceNode, DecisionNode, TerminalNode

pytestmark = pytest.mark.slow

# Payoffs that a line runs through, and words through which one runs above or below their own branch.
STRUCK = """(words) => {
  const canvas = document.querySelector('.dk-edges'), pen = canvas.getContext('2d'), { left, top, width } = canvas.getBoundingClientRect();
  const dense = canvas.width / width;
  const drawn = (x, y, wide, high) => wide < 1 || high < 1 ? 0
    : pen.getImageData((x - left) * dense, (y - top) * dense, wide * dense, high * dense).data.filter((one, i) => i % 4 === 3 && one > 40).length;
  const found = [];
  for (const one of document.querySelectorAll('.dk-payoff')) {
    const { x, y, width, height } = one.getBoundingClientRect();
    if (drawn(x, y + 3, width, height - 6)) found.push(`payoff ${one.textContent}`);
  }
  for (const one of words ? document.querySelectorAll('.dk-move-label') : []) {
    const box = one.getBoundingClientRect(), x = box.x + 5, y = box.y + 2, [wide, high] = [box.width - 10, box.height / 2 - 7];
    if (drawn(x, y, wide, high) + drawn(x, box.bottom - 2 - high, wide, high)) found.push(`word ${one.textContent}`);
  }
  return found;
}"""


def coin(*, across=False):
    """A move that may come from three hands; `across`: one of them, at once, so that the information set runs across levels."""
    sees, third = "it lies there", Fraction(1, 3)
    answers = [("beats", "lost"), ("takes", "won")]
    places = {
        "": ChanceNode([("9♣ Q♣", third, "Q"), ("9♣ A♣", third, "A"), ("9♣ K♦", third, "K")]),
        "Q": DecisionNode(0, "holds Q♣", [("leads 9♣", "9"), ("leads Q♣", "even")]),
        "A": DecisionNode(0, "holds A♣", [("leads 9♣", "nine"), ("leads A♣", "even")]),
        "K": DecisionNode(1, sees, answers) if across else DecisionNode(0, "holds K♦", [("leads 9♣", "9 too"), ("leads K♦", "even")]),
        **{nine: DecisionNode(1, sees, answers) for nine in ("9", "nine", "9 too")},
        "won": TerminalNode((1, -1)),
        "lost": TerminalNode((-1, 1)),
        "even": TerminalNode((0, 0)),
    }
    return gametheory.build_tree("", places.__getitem__, player_count=2)


@pytest.mark.parametrize(("across", "direction"), [(True, "down"), pytest.param(False, "right", marks=pytest.mark.slow)])
def test_a_dashed_line_strikes_nothing_through(board_page, across, direction):
    """Ends lie between the places that it joins, with their payoffs and moves; also where numbers stand on the branches."""
    view = board.Tree(coin(across=across), depth=4, direction=direction)
    board_page.lay(view)
    assert view.drawing["shared_infosets"]
    assert board_page.page.evaluate(STRUCK, direction == "right") == []
    if direction == "right":
        view.solve()
        board_page.tell()
        assert board_page.page.evaluate(STRUCK, True) == []


# Each dashed line as it is drawn: its pattern, its width and how far to the left and to the right it reaches; and each name with its middle.
DRAWN = """() => new Promise((done) => {
  const pen = CanvasRenderingContext2D.prototype, [dashes, stroke, fill] = [pen.setLineDash, pen.stroke, pen.fillText];
  const lines = [], names = [];
  let pattern = [];
  pen.setLineDash = function (given) { pattern = [...given]; dashes.call(this, given); };
  pen.stroke = function (...path) { if (pattern.length) lines.push(`${pattern} ${this.strokeStyle}`); stroke.apply(this, path); };
  pen.fillText = function (said, x, y, ...rest) { const room = this.measureText(said).width; names.push([said, x - room / 2, x + room / 2, y]); fill.call(this, said, x, y, ...rest); };
  document.querySelector('.dk-view').dispatchEvent(new WheelEvent('wheel', { ctrlKey: true, deltaY: 0.01, cancelable: true }));
  requestAnimationFrame(() => requestAnimationFrame(() => { Object.assign(pen, { setLineDash: dashes, stroke, fillText: fill }); done({ lines, names }); }));
})"""


@pytest.mark.parametrize("direction", ["down"])
def test_lines_that_cross_are_told_apart(board_page, direction):
    """Of beer and quiche each line has its dashes, its colour and its name; the name hides no move and no sign."""
    board_page.lay(board.Tree(gametheory.textbook("beer-quiche"), depth=4, direction=direction, from_middle=False))
    found = board_page.page.evaluate(DRAWN)
    assert len(set(found["lines"])) == len(found["lines"]) == 2
    assert {said for said, *_ in found["names"]} == {"sees beer", "sees quiche"}
    boxes = board_page.page.locator(".dk-node").evaluate_all(
        "(all) => all.map((one) => { const [, x, y] = one.style.transform.match(/translate\\(([-\\d.]+)px, ([-\\d.]+)px/); return [Number(x), Number(y)]; })"
    )
    for _, left, right, y in found["names"]:
        assert all(right < x or left > x + 24 or y + 7 < top or y - 7 > top + 24 for x, top in boxes)
