"""Dashed lines on a painted tree: they go around what is written."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durak_widget import theory
from durak_widget.theory import Draw, End, Turn

# Payoffs that a line runs through, and words through which one runs above or below their own branch.
STRUCK = """(words) => {
  const canvas = document.querySelector('.dk-lines'), pen = canvas.getContext('2d'), { left, top, width } = canvas.getBoundingClientRect();
  const dense = canvas.width / width;
  const drawn = (x, y, wide, high) => wide < 1 || high < 1 ? 0
    : pen.getImageData((x - left) * dense, (y - top) * dense, wide * dense, high * dense).data.filter((one, i) => i % 4 === 3 && one > 40).length;
  const found = [];
  for (const one of document.querySelectorAll('.dk-pay')) {
    const { x, y, width, height } = one.getBoundingClientRect();
    if (drawn(x, y + 3, width, height - 6)) found.push(`payoff ${one.textContent}`);
  }
  for (const one of words ? document.querySelectorAll('.dk-word') : []) {
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
        "": Draw([("9♣ Q♣", third, "Q"), ("9♣ A♣", third, "A"), ("9♣ K♦", third, "K")]),
        "Q": Turn(0, "holds Q♣", [("leads 9♣", "9"), ("leads Q♣", "even")]),
        "A": Turn(0, "holds A♣", [("leads 9♣", "nine"), ("leads A♣", "even")]),
        "K": Turn(1, sees, answers) if across else Turn(0, "holds K♦", [("leads 9♣", "9 too"), ("leads K♦", "even")]),
        **{nine: Turn(1, sees, answers) for nine in ("9", "nine", "9 too")},
        "won": End((1, -1)),
        "lost": End((-1, 1)),
        "even": End((0, 0)),
    }
    return theory.grow("", places.__getitem__, seats=2)


@pytest.mark.parametrize("direction", ["right", "down"])
@pytest.mark.parametrize("tree", [theory.textbook("myerson"), coin(), coin(across=True)], ids=["myerson", "levels", "across"])
def test_a_dashed_line_strikes_nothing_through(board, tree, direction):
    """Ends lie between the places that it joins, with their payoffs and moves; also where numbers stand on the branches."""
    view = theory.Tree(tree, depth=4, direction=direction)
    board.lay(view)
    assert view.drawing["joined"]
    assert board.page.evaluate(STRUCK, direction == "right") == []
    if direction == "right":
        view.solve()
        board.tell()
        assert board.page.evaluate(STRUCK, True) == []
