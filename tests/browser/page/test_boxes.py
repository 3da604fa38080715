"""Tables, trees, matrices and exercises in every kind of box that ipywidgets has, alone and side by side, where there is room and where there is little."""

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
"""Each with how wide at least what lies in it is, where there are 1,000 px."""
OWN = {
    "W.HBox([table(layout={'width': '320px'}), tree(layout={'width': '260px'})])": (312, 252),
    "W.HBox([table(layout=W.Layout(width='50%')), tree()])": (492, 492),
    "W.VBox([tree(layout={'width': '400px'})])": (400,),
}
"""With a layout of their own: just how wide."""
USABLE = 190
BATCH = 8  # a page is not to load everything at once
# What is seen, when nothing moves any more: how wide and high, and by how much it is wider than what is around it.
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


def looked_at(book, boxes: dict[str, tuple[int, ...]], width: int):
    """Every box on the page at that width, with what is seen in it."""
    kinds = list(boxes)[:: tried(5, 1)]
    for some in (kinds[at : at + BATCH] for at in range(0, len(kinds), BATCH)):
        book.execute(LAY.format(width=width, boxes=", ".join(some)))
        seen = book.page.evaluate(SEEN, sum(len(boxes[kind]) for kind in some))
        for kind in some:
            yield kind, [seen.pop(0) for _ in boxes[kind]]


@pytest.mark.slow
def test_in_every_box_tables_and_trees_have_their_room(notebook):
    """They take what there is and share it, are never wider than their place, and yield no more than can be used: then the box is scrolled. A layout of one's own is followed."""
    book = notebook([BEGIN, "place"], viewport=(1280, 900))
    for kind, seen in looked_at(book, BOXES, 1000):
        for one, least in zip(seen, BOXES[kind], strict=True):
            assert one["width"] >= least, (kind, seen)
            assert one["over"] <= 1, (kind, seen)
            assert one["height"] < 800, (kind, seen)
    for kind, seen in looked_at(book, OWN, 1000):
        assert [round(one["width"]) for one in seen] == list(OWN[kind]), (kind, seen)
    for kind, seen in looked_at(book, BOXES, 340):
        assert min(one["width"] for one in seen) >= USABLE, (kind, seen)
