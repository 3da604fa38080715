"""`make bench-board`: how fluid a tree of 5,000 histories is in a real browser and a real JupyterLab.

A frame is what a person waits for: from one to the next while the tree is panned, zoomed, folded, searched. 50 ms at p95 is the goal, on whatever machine.
"""

from __future__ import annotations

import argparse
import gzip
import sys
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.table import STATIC, Goal, notebooks, p95, shown

if TYPE_CHECKING:
    from benchmarks.table import Notebook

TREE = """from durak_widget import Game, theory
game = Game.from_position("suits=c, ranks=6789TJ, hand_size=2", hands=["7c Jc", "8c"], trump="c", talon="9c Tc", discard="6c")
view = theory.Tree(theory.build_from(game), depth=2)
view"""
# From frame to frame while something is done at each of them.
FRAMES = """async ([what, count]) => {
  const view = document.querySelector('.dk-view');
  const { left, top, width, height } = view.getBoundingClientRect();
  const at = (x, y) => ({ bubbles: true, cancelable: true, button: 0, buttons: 1, pointerId: 1, pointerType: 'mouse', clientX: left + x, clientY: top + y });
  const frame = () => new Promise(requestAnimationFrame);
  const does = {
    pan: (n) => view.dispatchEvent(new PointerEvent('pointermove', at(width / 2, height / 2 - 24 * (n % 400)))),
    zoom: (n) => view.dispatchEvent(new WheelEvent('wheel', { ...at(width / 2, height / 2), ctrlKey: true, deltaY: n % 40 < 20 ? 12 : -12 })),
    walk: (n) => view.dispatchEvent(new KeyboardEvent('keydown', { key: n % 2 ? 'ArrowDown' : 'ArrowRight', code: '', bubbles: true, cancelable: true })),
    rest: () => {},
  };
  view.setPointerCapture = () => {};
  view.focus();
  if (what === 'pan') view.dispatchEvent(new PointerEvent('pointerdown', at(width / 2, height / 2)));
  const times = [];
  await frame();
  let before = performance.now(), most = 0;
  for (let n = 0; n < count; n++) {
    does[what](n);
    await frame();
    const now = performance.now();
    times.push(now - before);
    before = now;
    most = Math.max(most, view.querySelectorAll('.dk-node').length);
  }
  if (what === 'pan') view.dispatchEvent(new PointerEvent('pointerup', { ...at(0, 0), buttons: 0 }));
  await new Promise((done) => setTimeout(done, 400)); // what was asked of Python meanwhile has been answered
  return [times, most];
}"""
# From what a person does to the frame that shows what Python says of it, and all frames till everything has come to rest.
ASKED = """async ([selector]) => {
  const view = document.querySelector('.dk-view');
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  const shown = () => document.querySelector('.dk-board').dataset.shown;
  const was = shown(), start = performance.now();
  document.querySelector(selector).click();
  const times = [];
  let last = performance.now(), still = 0;
  while ((shown() === was || still < 5) && performance.now() - start < 20000) {
    await frame();
    const now = performance.now();
    times.push(now - last);
    last = now;
    still = shown() !== was && view.dataset.moving === undefined ? still + 1 : 0;
  }
  return [last - start, times];
}"""


def frames(book: Notebook, what: str, count: int) -> Goal:
    """The frames while one does something at each of them."""
    times, most = book.page.evaluate(FRAMES, [what, count])
    print(
        f"  {what}: {len(times)} frames, p50 {median(times):.1f} ms, p95 {p95(times):.1f}, longest {max(times):.1f}; at most {most} nodes on the page"
    )
    return Goal(f"a frame while 5,000 are shown: {what}, p95", p95(times), 50, "ms")


def asked(book: Notebook, what: str, selector: str) -> list[float]:
    """The frames from a click till everything has come to rest."""
    took, times = book.page.evaluate(ASKED, [selector])
    print(f"  {what}: at rest after {took:.0f} ms, {len(times)} frames, longest {max(times):.1f} ms")
    return list(times)


def leaks(book: Notebook, rounds: int) -> list[Goal]:
    """What is left on the page after a tree was shown and closed many times: JupyterLab's own, for each cell that is run again, and no more."""
    client = book.page.context.new_cdp_session(book.page)
    client.send("Performance.enable")

    def counted() -> dict[str, float]:
        client.send("HeapProfiler.collectGarbage")
        return {one["name"]: one["value"] for one in client.send("Performance.getMetrics")["metrics"]}

    def again(count: int) -> None:
        for _ in range(count):
            book.page.evaluate("async () => { const a = window.jupyterapp.commands; await a.execute('notebook:clear-all-cell-outputs'); }")
            book.run_all()
            book.page.locator(".dk-node").first.wait_for()

    again(2)
    before = counted()
    again(rounds)
    after = counted()
    return [
        Goal(f"{what} more after {rounds} times shown and closed, each", (after[key] - before[key]) / rounds, most)
        for what, key, most in (("nodes", "Nodes", 120), ("listeners", "JSEventListeners", 5))
    ]


def sizes() -> list[Goal]:
    """How large the bundle is; it is loaded with a tree alone."""
    raw = (STATIC / "board.js").read_bytes()
    return [Goal("board.js, minified", len(raw) / 1000, 90, "kB"), Goal("the same, gzipped", len(gzip.compress(raw)) / 1000, 34, "kB")]


def measured(book: Notebook, count: int) -> list[Goal]:
    """All of it, in this order: each works on what the one before has left."""
    button = ".dk-tool[aria-label='{}']".format
    times = asked(book, "open all", button("Open all"))
    goals = [frames(book, what, count) for what in ("pan", "zoom", "walk")]
    for what, selector in (("fold one", ".dk-node[data-folds][data-open] .dk-sign"), ("open it again", ".dk-node[data-at] .dk-sign")):
        times += asked(book, what, selector)
    book.page.locator(".dk-find-field").fill("take")
    times += asked(book, "find", ".dk-find-field")
    times += asked(book, "find the next", ".dk-find > .dk-tool:last-child")
    times += asked(book, "fold all", button("Fold all"))
    return [*goals, Goal("a frame while it is opened, folded, searched, p95", p95(times), 50, "ms")]


def main() -> int:
    """Measure, print, and fail where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=240)
    parser.add_argument("--rounds", type=int, default=6)
    given = parser.parse_args()
    goals = sizes()
    with notebooks() as tabs:
        book = shown(tabs, TREE)
        book.page.locator(".dk-node").first.wait_for()
        goals += [*measured(book, given.frames), *leaks(book, given.rounds)]
    print("\n".join(map(str, goals)))
    return int(any(goal.missed for goal in goals))


if __name__ == "__main__":
    sys.exit(main())
