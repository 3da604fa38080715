"""Makes the moving picture of the README, docs/images/tour.webp, in a real JupyterLab.

A card is played, a card is refused with its reason, a tree is solved, and a probability is dragged. A pointer and a
caption are drawn into the page, because a screenshot has neither.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageOps
from playwright.sync_api import Locator, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "browser")]

from human_player import HumanPlayer  # noqa: E402 - the helpers of the browser tests work here too
from lab_server import running  # noqa: E402 - as above
from notebook_page import Notebook, Tabs  # noqa: E402 - as above

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect

OUT = ROOT / "docs" / "images" / "tour.webp"
VIEWPORT = 930, 1100
WIDTH, CAPTION, HEIGHT = 750, 48, 540
"""The size of the picture in pixels: the height of the caption, and of what is shown below it."""
SCALE = 132
"""The distance of the pointer from probability 0 to 1, in pixels."""
BLINK = 40
"""The shortest time of a frame in milliseconds."""
SLOWER = 4
"""How many times slower the animations of the page are, so that a screenshot is quick enough for them."""
TABLE = """
from durak_widget import Table
table = Table(seed=7, pace=3600)
table
"""
TREE = '''
from durak_widget import board, gametheory
game = """EFG 2 R "A card game" { "Ann" "Bob" }
c "" 1 "" { "high" 1/2 "low" 1/2 } 0
p "" 1 1 "high" { "fold" "bet" } 0
t "" 1 "" { 1, -1 }
p "" 2 1 "a bet" { "fold" "call" } 0
t "" 2 "" { 1, -1 }
t "" 3 "" { 2, -2 }
p "" 1 2 "low" { "fold" "bet" } 0
t "" 4 "" { -1, 1 }
p "" 2 1 0
t "" 2
t "" 5 "" { -2, 2 }
"""
view = board.Tree(gametheory.from_efg(game), depth=4, direction="down")
view
'''
DRAW = """([left, top, width, height]) => {
  for (const old of document.querySelectorAll('[id^=tour-]')) old.remove();
  const add = (id, style, html) => {
    const layer = document.createElement('div'); layer.id = id; layer.innerHTML = html;
    layer.style.cssText = `position: fixed; z-index: 99999; pointer-events: none; ${style}`; document.body.append(layer);
  };
  add('tour-caption', `left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px; box-sizing: border-box; padding: 8px 0;
    background: white; color: #14202b; font: 600 21px/32px "DejaVu Sans", sans-serif; text-align: center;`, '');
  add('tour-pointer', 'left: 0; top: 0; width: 24px; height: 32px;',
    `<svg viewBox="0 0 12 16" width="24" height="32"><path d="M1 1v11.5l3-2.7 2 4.6 2-.9-2-4.5h4z" fill="black" stroke="white"/></svg>`);
}"""
POINT = "([x, y]) => document.getElementById('tour-pointer').style.transform = `translate(${x - 2}px, ${y - 2}px)`"


def measure(element: Locator) -> dict[str, float]:
    """Return where an element is on the page."""
    box: dict[str, float] = element.evaluate("element => element.getBoundingClientRect().toJSON()")
    return box


class Camera:
    """Takes the frames of one page, and moves its pointer."""

    def __init__(self, page: Page, shown: Locator, frames: list[tuple[bytes, int]]) -> None:
        self.page, self.frames = page, frames
        page.wait_for_timeout(2000)  # JupyterLab still moves things
        box = measure(shown)
        left, top = box["x"] - (WIDTH - box["width"]) / 2, box["y"] - CAPTION
        self.clip: FloatRect = {"x": left, "y": top, "width": WIDTH, "height": CAPTION + HEIGHT}
        self.x, self.y = left + WIDTH * 0.7, top + HEIGHT * 0.6
        page.evaluate(DRAW, [left, top, WIDTH, CAPTION])
        session = page.context.new_cdp_session(page)
        session.send("Animation.enable")
        session.send("Animation.setPlaybackRate", {"playbackRate": 1 / SLOWER})
        page.evaluate(POINT, [self.x, self.y])

    def say(self, text: str) -> None:
        """Change the caption."""
        self.page.evaluate("text => document.getElementById('tour-caption').textContent = text", text)

    def take(self, milliseconds: int = BLINK) -> None:
        """Take a frame that is shown for this long; a frame equal to the one before makes that one longer."""
        frame = self.page.screenshot(clip=self.clip)
        if self.frames and self.frames[-1][0] == frame:
            milliseconds += self.frames.pop()[1]
        self.frames.append((frame, milliseconds))

    def watch(self, milliseconds: int) -> None:
        """Take frames while something moves, for this long in the picture."""
        began = now = time.monotonic()
        while now - began < milliseconds * SLOWER / 1000:
            self.take(0)
            before, now = now, time.monotonic()
            frame, shown_for = self.frames[-1]
            self.frames[-1] = frame, shown_for + round((now - before) * 1000 / SLOWER)

    def move(self, x: float, y: float, steps: int = 8) -> None:
        """Move the pointer, slower near the end."""
        from_x, from_y = self.x, self.y
        for step in range(1, steps + 1):
            part = 1 - (1 - step / steps) ** 2
            self.x, self.y = from_x + (x - from_x) * part, from_y + (y - from_y) * part
            self.page.mouse.move(self.x, self.y)
            self.page.evaluate(POINT, [self.x, self.y])
            self.take(50)

    def move_to(self, target: Locator) -> None:
        """Move the pointer to the middle of an element."""
        box = measure(target)
        self.move(box["x"] + box["width"] / 2, box["y"] + box["height"] * 0.6)

    def click(self, target: Locator) -> None:
        """Move the pointer to an element and click."""
        self.move_to(target)
        self.take(200)
        target.click(force=True)  # a card that may not be played counts as disabled


def open_notebook(tabs: Tabs, cell: str) -> Notebook:
    """Open a notebook with one cell and run it."""
    book = tabs.write([cell], touch=False, app="lab")
    book.open("lab")
    book.look(viewport=VIEWPORT, reduced_motion=False, theme="light")
    book.run_all()
    return book


def film_table(tabs: Tabs, frames: list[tuple[bytes, int]]) -> None:
    """Play a card, then try one that is refused."""
    book = open_notebook(tabs, TABLE)
    player = HumanPlayer(book)
    player.settled()
    camera = Camera(book.page, book.table(), frames)
    camera.say("Click a card to play it.")
    camera.take(900)
    camera.click(player.card("Jc"))
    camera.watch(1700)
    player.settled()
    camera.say("A card is refused? The table says why.")
    camera.take(800)
    camera.click(player.card("9d"))
    expect(book.table().locator(".dk-bubble[data-kind='refused']")).to_be_visible()
    camera.watch(500)
    camera.take(2300)
    tabs.close(book, again=True)


def film_tree(tabs: Tabs, frames: list[tuple[bytes, int]]) -> None:
    """Solve a tree, then drag a probability."""
    book = open_notebook(tabs, TREE)
    board = book.page.locator(".dk-board")
    resting = board.locator(".dk-view:not([data-moving]) .dk-node[data-at]")
    expect(resting).to_be_visible()
    camera = Camera(book.page, board, frames)
    camera.say("Open a game tree and solve it.")
    camera.take(900)
    camera.click(board.get_by_role("button", name="Solve", exact=True).first)
    expect(board.locator(".dk-solution")).to_be_visible(timeout=30_000)
    camera.watch(700)
    camera.take(1200)
    camera.say("Drag a probability: what does it cost?")
    bluff = board.locator(".dk-probability[data-draggable][data-move='1']").filter(has_text="1/3")
    camera.move_to(bluff)
    camera.take(300)
    book.page.mouse.down()
    camera.move(camera.x + SCALE / 6 + 1, camera.y, steps=12)
    book.page.mouse.up()
    expect(board.locator(".dk-exploitability-value")).to_be_visible()
    camera.watch(500)
    camera.take(2000)
    tabs.close(book, again=True)


def save(frames: list[tuple[bytes, int]], path: Path) -> None:
    """Write an animated WebP that plays for ever."""
    first, *others = (ImageOps.expand(Image.open(io.BytesIO(frame)).convert("RGB"), border=6, fill="white") for frame, _ in frames)
    durations = [max(shown_for, BLINK) for _, shown_for in frames]
    first.save(path, save_all=True, append_images=others, duration=durations, loop=0, lossless=True, method=6)
    print(f"{path.relative_to(ROOT)}: {len(frames)} frames, {sum(durations) / 1000:.1f} s, {path.stat().st_size // 1000} kB")


def main() -> None:
    """Film both scenes."""
    chromium = subprocess.run(["sh", "tools/browser.sh"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    frames: list[tuple[bytes, int]] = []
    with tempfile.TemporaryDirectory() as home, running(Path(home)) as lab, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu", "--no-proxy-server"])
        tabs = Tabs(browser, lab, Path())
        film_table(tabs, frames)
        film_tree(tabs, frames)
        browser.close()
    save(frames, OUT)


if __name__ == "__main__":
    main()
