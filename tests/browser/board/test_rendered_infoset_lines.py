"""Test the dashed lines of information sets: they avoid labels and each other."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durak_widget import board, gametheory
from durak_widget.gametheory import ChanceNode, DecisionNode, TerminalNode

pytestmark = pytest.mark.slow

# Return payoffs crossed by a line, and move labels crossed above or below their own branch.
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


def coin_game(*, across=False):
    """Return a tree with a chance move and an information set of three nodes, on several levels if `across`."""
    sees, third = "it lies there", Fraction(1, 3)
    answers = [("beats", "lost"), ("takes", "won")]
    tree_nodes = {
        "": ChanceNode([("9♣ Q♣", third, "Q"), ("9♣ A♣", third, "A"), ("9♣ K♦", third, "K")]),
        "Q": DecisionNode(0, "holds Q♣", [("leads 9♣", "9"), ("leads Q♣", "even")]),
        "A": DecisionNode(0, "holds A♣", [("leads 9♣", "nine"), ("leads A♣", "even")]),
        "K": DecisionNode(1, sees, answers) if across else DecisionNode(0, "holds K♦", [("leads 9♣", "9 too"), ("leads K♦", "even")]),
        **{nine: DecisionNode(1, sees, answers) for nine in ("9", "nine", "9 too")},
        "won": TerminalNode((1, -1)),
        "lost": TerminalNode((-1, 1)),
        "even": TerminalNode((0, 0)),
    }
    return gametheory.build_tree("", tree_nodes.__getitem__, player_count=2)


@pytest.mark.parametrize(("across", "direction"), [(True, "down"), pytest.param(False, "right", marks=pytest.mark.slow)])
def test_a_dashed_line_crosses_no_label(board_page, across, direction):
    """Payoffs, moves and probabilities between the joined nodes stay free."""
    view = board.Tree(coin_game(across=across), depth=4, direction=direction)
    board_page.mount(view)
    assert view.drawing["shared_infosets"]
    assert board_page.page.evaluate(STRUCK, direction == "right") == []
    if direction == "right":
        view.solve()
        board_page.sync()
        assert board_page.page.evaluate(STRUCK, True) == []


# Return each drawn dashed line (pattern, width, left and right end) and each name with its centre.
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
def test_crossing_lines_differ_in_dashes_colour_and_name(board_page, direction):
    """Their names cover no move and no sign."""
    board_page.mount(board.Tree(gametheory.textbook("beer-quiche"), depth=4, direction=direction, from_middle=False))
    found = board_page.page.evaluate(DRAWN)
    assert len(set(found["lines"])) == len(found["lines"]) == 2
    assert {name for name, *_ in found["names"]} == {"sees beer", "sees quiche"}
    boxes = board_page.page.locator(".dk-node").evaluate_all(
        "(all) => all.map((one) => { const [, x, y] = one.style.transform.match(/translate\\(([-\\d.]+)px, ([-\\d.]+)px/); return [Number(x), Number(y)]; })"
    )
    for _, left, right, y in found["names"]:
        assert all(right < x or left > x + 24 or y + 7 < top or y - 7 > top + 24 for x, top in boxes)
