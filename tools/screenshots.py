"""Takes screenshots of tables and trees in a real JupyterLab.

The tables have three widths, a light and a dark theme, 2, 3, 4 or 6 players, and four moments of a game. Two trees
are shown with their solutions.

All screenshots go to build/screenshots; those that the README and the docs use also go to docs/images. The icons of
the site are drawn too.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import copyfile

from playwright.sync_api import Browser, Locator, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "browser")]

from lab_server import running  # noqa: E402 - the harness of the browser tests drives this too
from notebook_page import Notebook, Tabs  # noqa: E402

OUT = ROOT / "build" / "screenshots"
SHOWN = {
    "1200-light-2-middle": "table-light.png",
    "1200-dark-4-taking": "table-dark.png",
    "360-light-3-middle": "table-phone.png",
    "1200-light-3-end": "table-end.png",
    "1200-light-tree": "tree-light.png",
    "1200-light-equilibria": "tree-equilibria.png",
}
"""The screenshots that the README and the docs use, with the file name of each in docs/images."""
STATIC = ROOT / "docs" / "site" / "_static"
ICONS = {"icon-180": (180, True), "icon-192": (192, False), "icon-512": (512, False), "icon-512-whole": (512, True)}
"""The size of each icon, and whether its image fills the whole square, for phones that cut the corners."""
WIDTHS = {360: 900, 768: 1000, 1200: 1000}
MARGIN = 150
"""The extra width in pixels of a page, which JupyterLab needs beside a table."""
SETUP = """
from durak_widget import Game, Rules, Table, bots

MOMENTS = {
    "opening": lambda game: game.actor == 0 and not game.table,
    "middle": lambda game: game.actor == 0 == game.defender and len(game.table) >= 2 and game.bout > 1,
    "taking": lambda game: game.taking and game.actor == 0 and len(game.table) >= 2,
    "end": lambda game: game.outcome is not None,
}

def moment(players, wanted):
    \"\"\"The first game of careful bots that comes to that moment.\"\"\"
    for seed in range(200):
        game = bots.play(Game(Rules(players=players), seed=seed), ["careful"] * players)
        for ply in range(game.ply + 1):
            game.goto(ply)
            if MOMENTS[wanted](game):
                game.forget_undone()
                return game

table = Table(Rules(), seed=1, pace=60000, motion=False)
table
"""

# The example "king or ace": the player sees their own hand and the queen of clubs, and the other hand is one of two
# cards
TREE = """
from durak_widget import Game, analysis, board

gone = "9c Tc Jc 9d Td Jd Qd Th Jh Qh Kh Ah"
game = Game.from_position_line(f"econ431, suits=cdh, hand_size=1: Kc Ac | Kd; attacker 1; table Qc; talon Ad; turn-up 9h; seen Kc Ac |; discard {gone}")
view = board.Tree(analysis.build_tree_from_position(game), depth=3)
view.solve("lp")
view.go_to(1)
view
"""

# The example "beer or quiche": an equilibrium that needs an implausible belief, which the list of equilibria marks as
# refuted
EQUILIBRIA = """
from durak_widget import board, gametheory

view = board.Tree(gametheory.textbook("beer-quiche"), depth=9)
view.solve()
view.select_equilibrium(2)
view.go_to(view.tree.children(1)[0])
view
"""


def take(book: Notebook, name: str, players: int, moment: str) -> None:
    """Take a screenshot of the table at one moment of a game."""
    book.execute(f"table.game = moment({players}, {moment!r})")
    expect(book.table()).to_have_attribute("data-scene", str(book.python("table.scene['id']")))
    book.page.mouse.move(1, 1)
    keep(book.table(), name)


def keep(shown: Locator, name: str) -> None:
    """Save a screenshot of an element, and copy it to docs/images if the docs use it."""
    path = OUT / f"{name}.png"
    shown.screenshot(path=path)
    if name in SHOWN:
        copyfile(path, ROOT / "docs" / "images" / SHOWN[name])


def solved(tabs: Tabs, tree: str, name: str) -> None:
    """Take a screenshot of a tree with its solution."""
    book = tabs.write([tree], touch=False, app="lab")
    book.open("lab")
    book.look(viewport=(1200 + MARGIN, 1400), reduced_motion=True, theme="light")
    book.run_all()
    board = book.page.locator(".dk-board")
    expect(board.locator(".dk-solution")).to_be_visible()
    expect(board.locator(".dk-view:not([data-moving]) .dk-node[data-at]")).to_be_visible()
    book.page.mouse.move(1, 1)
    keep(board, name)
    tabs.close(book, again=True)


def icons(browser: Browser) -> None:
    """Draw the icon in all sizes; in an icon that fills the square, the spade is smaller."""
    sign = (STATIC / "favicon.svg").read_text(encoding="utf-8")
    whole = sign.replace('rx="7"', "").replace("<path", '<path transform="translate(16 16) scale(.75) translate(-16 -16)"')
    for name, (size, fills) in ICONS.items():
        page = browser.new_page(viewport={"width": size, "height": size})
        page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{whole if fills else sign}")
        page.screenshot(path=STATIC / f"{name}.png", omit_background=True)
        page.close()


def main() -> None:
    """Take all screenshots."""
    OUT.mkdir(parents=True, exist_ok=True)
    chromium = subprocess.run(["sh", "tools/browser.sh"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as home, running(Path(home)) as lab, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu", "--no-proxy-server"])
        tabs = Tabs(browser, lab, Path())
        icons(browser)
        solved(tabs, TREE, "1200-light-tree")
        solved(tabs, EQUILIBRIA, "1200-light-equilibria")
        for width, height in WIDTHS.items():
            for theme in ("light", "dark"):
                book = tabs.write([SETUP], touch=False, app="lab")
                book.open("lab")
                book.look(viewport=(width + (MARGIN if width > 400 else 0), height), reduced_motion=False, theme=theme)
                book.run_all()
                for players in (2, 3, 4, 6):
                    for moment in ("opening", "middle", "taking", "end"):
                        if (players, moment) != (2, "taking"):  # With two players, seat 0 is never asked whether to throw in
                            take(book, f"{width}-{theme}-{players}-{moment}", players, moment)
                tabs.close(book, again=True)
        browser.close()
    print(f"{len(list(OUT.glob('*.png')))} pictures in {OUT.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
