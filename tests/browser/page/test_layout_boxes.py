"""Test widgets in every kind of ipywidgets box, at several widths."""

from __future__ import annotations

import pytest

from support.sizes import tried

BEGIN = """import ipywidgets as W
from IPython.display import display
from durak_widget import Game, Table, analysis, board, lessons
ending = analysis.build_tree_from_position(Game.from_position(hands=["6c 8d", "7c"], trump="h"), open_hands=True)
def table(**look): return Table(seed=7, motion=False, **look)
def tree(**look): return board.Tree(ending, **look)
def matrix(): return board.Matrix([[(3, 3), (0, 5)], [(5, 0), (1, 1)]])
def output(*things):
    out = W.Output()
    with out: [display(one) for one in things]
    return out
def grid(a, b):
    made = W.GridspecLayout(1, 2)
    made[0, 0], made[0, 1] = a, b
    return made
def opened(box, n):
    laid.append(lambda: setattr(box, 'selected_index', n))
    return box
place, laid = W.VBox(), []
quiz = lessons.Pick("Which beat it?", ["6c", "7h", "9d"], ["7h"])
outputs = [output(table(), tree(), matrix(), quiz), W.HBox([output(table()), output(quiz, tree())])]"""
LAY = """laid.clear()
place.layout.width, place.children = '{width}px', [{boxes}]
for later in laid: later()"""
BOXES = {
    "W.HBox([table()])": (990,),
    "W.HBox([tree()])": (990,),
    "W.HBox([matrix()])": (990,),
    "W.Box([table()])": (1000,),
    "W.Box([tree()])": (1000,),
    "W.HBox([table(), table()])": (490, 490),
    "W.HBox([tree(), matrix()])": (490, 490),
    "W.HBox([table(), tree()])": (490, 490),
    "W.HBox([table(), W.Label('Who begins?')])": (850,),
    "W.HBox([tree(), W.Button(description='Deal again')])": (820,),
    "W.HBox([W.VBox([table()]), W.VBox([tree(), matrix()])])": (490, 490, 490),
    "W.HBox([W.Box([table()], layout={'width': '300px'}), tree()])": (290, 690),
    "W.VBox([table(), tree(), matrix()])": (1000, 1000, 1000),
    "opened(W.Tab([tree(), table()]), 1)": (940,),
    "opened(W.Accordion([tree(), W.HBox([table(), tree()])]), 1)": (450, 450),
    "grid(table(), tree())": (490, 490),
    "W.GridBox([table(), tree()], layout={'grid_template_columns': '1fr 2fr'})": (320, 640),
    "W.GridBox([table(), tree()], layout={'grid_template_columns': 'auto auto'})": (480, 480),
    "W.AppLayout(header=W.Label('Durak'), left_sidebar=W.Label('left'), center=table(), footer=matrix())": (990, 740),
    "outputs[0]": (980, 980, 980, 980),
    "outputs[1]": (470, 470, 470),
}
"""Each box with the least width of its content, of 1,000 px."""
OWN = {
    "W.HBox([table(layout={'width': '320px'}), tree(layout={'width': '260px'})])": (312, 252),
    "W.HBox([table(layout=W.Layout(width='50%')), tree()])": (492, 492),
    "W.VBox([tree(layout={'width': '400px'})])": (400,),
}
"""Boxes with the user's own layout: their exact width."""
USABLE = 190
BATCH = 8  # so that a page doesn't load everything at once
# When nothing moves any more, return the width, the height and the overflow of each visible widget.
SEEN = """async (count) => {
  const place = () => document.querySelector('.jp-OutputArea-output .widget-vbox');
  const seen = () => [...place().querySelectorAll('section.dk')].filter((one) => one.checkVisibility() && one.getClientRects().length).map((one) => {
    const { width, height } = one.getBoundingClientRect();
    let over = 0;
    for (let at = one.parentElement; at !== place().parentElement; at = at.parentElement) over = Math.max(over, at.scrollWidth - at.clientWidth);
    return { width, height, over };
  });
  const frame = () => new Promise(requestAnimationFrame);
  let before = '', calm = 0;
  for (const until = performance.now() + 10000; calm < 5 && performance.now() < until;) {
    await frame();
    const now = JSON.stringify(seen());
    calm = seen().length === count && now === before ? calm + 1 : 0;
    before = now;
  }
  return seen();
}"""


def look_at_boxes(book, boxes: dict[str, tuple[int, ...]], width: int):
    """Show every box at this width, and return what is visible in it."""
    kinds = list(boxes)[:: tried(5, 1)]
    for some in (kinds[at : at + BATCH] for at in range(0, len(kinds), BATCH)):
        book.execute(LAY.format(width=width, boxes=", ".join(some)))
        seen = book.page.evaluate(SEEN, sum(len(boxes[kind]) for kind in some))
        for kind in some:
            yield kind, [seen.pop(0) for _ in boxes[kind]]


@pytest.mark.slow
def test_widgets_fit_every_kind_of_box(notebook):
    """They share the width, are never wider than their place and never narrower than usable.

    Then the box scrolls. The user's own layout is followed.
    """
    book = notebook([BEGIN, "place"], viewport=(1280, 900))
    for kind, seen in look_at_boxes(book, BOXES, 1000):
        for widget, least in zip(seen, BOXES[kind], strict=True):
            assert widget["width"] >= least, (kind, seen)
            assert widget["over"] <= 1, (kind, seen)
            assert widget["height"] < 800, (kind, seen)
    for kind, seen in look_at_boxes(book, OWN, 1000):
        assert [round(widget["width"]) for widget in seen] == list(OWN[kind]), (kind, seen)
    for kind, seen in look_at_boxes(book, BOXES, 340):
        assert min(widget["width"] for widget in seen) >= USABLE, (kind, seen)
