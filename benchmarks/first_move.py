"""Compares how soon a newcomer can play, in two checkouts: `python -m benchmarks first_move OLD`.

`git worktree add OLD COMMIT` creates the other checkout, and `make frontend` there builds its front end. The play page
and a table in JupyterLab of both checkouts are visited by turns. Each visit uses a new browser page, and clicks the
first card as soon as there is one. The output has the seconds from the start of the visit until the first picture, and
until the first move is played. Compare ratios: the machine is noisy.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "browser"), str(ROOT / "tests" / "browser" / "site")]

from file_server import serve  # noqa: E402 - helpers of the browser tests
from lab_server import running  # noqa: E402
from notebook_page import Tabs  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

Times = tuple[float, float]

BROWSER_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-proxy-server"]
TIMEOUT_MS = 180_000
PLAY_FIRST_CARD = """() => new Promise((resolve) => {
  let picture = 0;
  const look = () => {
    const table = document.querySelector('section.dk[data-ply]');
    const card = table?.querySelector('.dk-hand [data-card]');
    if (!picture && card) { picture = performance.now(); card.click(); }
    if (picture && table?.dataset.ply !== '0') resolve([picture, performance.now()]);
    else setTimeout(look, 5);
  };
  look();
})"""
"""Waits inside the page, because Playwright polls from outside less and less often."""

WATCH_FIRST_CARD = f"""() => {{
  globalThis.played = undefined;
  globalThis.began = performance.now();
  void ({PLAY_FIRST_CARD})().then((times) => {{ globalThis.played = times; }});
}}"""


def build_page(checkout: Path, folder: Path) -> None:
    """Build the play page of a checkout by its own tool."""
    program = [sys.executable, str(checkout / "tools" / "play_page.py"), str(folder)]
    subprocess.run(program, check=True, cwd=checkout, stdout=subprocess.DEVNULL, env={**os.environ, "PYTHONPATH": str(checkout)})


def visit_page(browser: Browser, url: str) -> Times:
    """Open a play page for the first time, and return the times of the picture and the move."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(url, wait_until="commit")
    picture, move = page.evaluate(PLAY_FIRST_CARD)
    context.close()
    return picture / 1000, move / 1000


def visit_lab(tabs: Tabs, checkout: Path) -> Times:
    """Run a table in a new notebook, and return the times from the start of its cells."""
    cells = [f"import sys; sys.path.insert(0, {str(checkout)!r})", "from durak_widget import Table\nTable(seed=7)"]
    notebook = tabs.write(cells, touch=False, app="lab")
    notebook.open("lab")
    notebook.look(viewport=(1280, 900), reduced_motion=False, theme="light")
    notebook.page.evaluate(WATCH_FIRST_CARD)
    notebook.run_all()
    notebook.page.wait_for_function("globalThis.played", timeout=TIMEOUT_MS)
    began, (picture, move) = notebook.page.evaluate("[globalThis.began, globalThis.played]")
    tabs.close(notebook, again=True)
    return (picture - began) / 1000, (move - began) / 1000


def compare(name: str, rounds: int, before: Callable[[], Times], now: Callable[[], Times]) -> None:
    """Make both visits by turns, and print the medians and the ratio of each time."""
    pairs = [(before(), now()) for _ in range(rounds)]
    for index, what in enumerate(("first picture", "first move")):
        old, new = (median(pair[side][index] for pair in pairs) for side in (0, 1))
        ratios = sorted(pair[1][index] / pair[0][index] for pair in pairs)
        print(f"| {name}, {what} | {old:.2f} | {new:.2f} | {median(ratios):.2f} ({ratios[0]:.2f}–{ratios[-1]:.2f}) |", flush=True)


def main() -> None:
    """Visit both checkouts by turns, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path, help="the other checkout")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is visited")
    arguments = parser.parse_args()
    old = arguments.old.resolve()
    chromium = subprocess.run(["sh", "tools/browser.sh"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        place = Path(folder)
        build_page(old, place / "old")
        build_page(ROOT, place / "new")
        print("| | before, s | now, s | ratio |\n|---|---|---|---|")
        browser = playwright.chromium.launch(executable_path=chromium, args=BROWSER_ARGUMENTS)
        with serve(place, policy=False) as site:
            compare(
                "play page",
                arguments.rounds,
                lambda: visit_page(browser, f"{site.url}old/"),
                lambda: visit_page(browser, f"{site.url}new/"),
            )
        (place / "lab").mkdir()
        with running(place / "lab") as lab:
            tabs = Tabs(browser, lab, Path())
            visit_lab(tabs, ROOT)  # The first visit loads JupyterLab itself
            compare("JupyterLab", arguments.rounds, lambda: visit_lab(tabs, old), lambda: visit_lab(tabs, ROOT))
        browser.close()


if __name__ == "__main__":
    main()
