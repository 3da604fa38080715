"""Time how soon a visitor with nothing but a link sits at a table: the page to play, and JupyterLite, by turns in one run.

Each visit is a browser of its own, with a server of files on this machine. It tells seconds until the table is Python's, of the processor's time in all processes of the browser,
bytes (packed, as servers send them) and requests; `warm` is the same page again in the same browser. The machine is noisy: read it as ratios within one run.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests" / "browser"), str(ROOT / "tests" / "browser" / "site"), str(ROOT / "tools")]

from served import served  # noqa: E402

import lite  # noqa: E402 - tools of this project
import play_page  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Playwright
    from served import Served

PATIENCE = 300_000
CELLS = {"bare.ipynb": "print(6 * 7)", "table.ipynb": "from durak_widget import Table\nTable(seed=7)"}
RUN = """async (path) => {
  const panel = () => [...(window.jupyterapp?.shell.widgets('main') ?? [])].find((one) => one.context?.path === path);
  while (!panel()?.sessionContext?.session?.kernel) await new Promise((done) => setTimeout(done, 50));
  await panel().context.ready; await panel().sessionContext.ready;
  await panel().sessionContext.session.kernel.info;
  window.jupyterapp.shell.activateById(panel().id);
  await window.jupyterapp.commands.execute('notebook:run-all-cells');
}"""

SEEN = """([css, said]) => new Promise((done) => {
  const look = () => [...document.querySelectorAll(css)].some((one) => one.textContent.includes(said)) ? done() : setTimeout(look, 10);
  look();
})"""
"""Waits in the page itself: whoever asks from outside asks ever more seldom, and would add up to half a second."""


class Visit(NamedTuple):
    """What a visit took."""

    seconds: float
    cpu: float
    megabytes: float
    requests: int
    painted: float
    """When the first table was seen."""


def see(page: Page, css: str, said: str = "") -> None:
    """Wait until this is on the page, and says that."""
    page.evaluate(SEEN, [css, said])


def in_lite(path: str, *seen: str) -> Callable[[Page, str], float]:
    """Open that notebook in JupyterLite, run it, and wait until this is seen."""

    def go(page: Page, url: str) -> float:
        began = monotonic()
        page.goto(f"{url}lab/lab/index.html?path={path}")
        page.evaluate(RUN, path)
        see(page, *seen)
        return monotonic() - began

    return go


def at_play(ask: str) -> Callable[[Page, str], float]:
    """Open the page to play, and wait until Python is there."""

    def go(page: Page, url: str) -> float:
        began = monotonic()
        page.goto(f"{url}play/{ask}")
        see(page, "main section.dk[data-ply]")
        painted = monotonic() - began
        see(page, "html[data-up]")
        return painted

    return go


KINDS = {
    "JupyterLite, bare kernel": in_lite("bare.ipynb", ".jp-OutputArea-output pre", "42"),
    "JupyterLite, first table": in_lite("table.ipynb", "section.dk[data-ply]"),
    "the page, plainly": at_play("?python=plain"),
    "the page, from memory": at_play("?python=memory"),
    "the page, as the line is": at_play(""),
}

LITE = [go for kind, go in KINDS.items() if kind.startswith("JupyterLite")]


def cpu_of(mark: str) -> float:
    """The processor's time of all processes of the browser with that mark, so far, in seconds."""
    parents, times, roots = {}, {}, []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        pid = int(entry.name)
        parents[pid], times[pid] = int(fields[1]), int(fields[11]) + int(fields[12])
        if mark in command and "--type=" not in command:
            roots.append(pid)
    found = set(roots)
    while True:
        more = {pid for pid, parent in parents.items() if parent in found} - found
        if not more:
            return sum(times[pid] for pid in found) / os.sysconf("SC_CLK_TCK")
        found |= more


def visits(playwright: Playwright, chromium: str, site: Served, kind: str) -> tuple[Visit, Visit]:
    """Cold, and warm."""
    mark = f"--durak-visit={os.urandom(6).hex()}"
    args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-proxy-server", mark]
    browser = playwright.chromium.launch(executable_path=chromium, args=args)
    context = browser.new_context(viewport={"width": 1200, "height": 800})
    found = []
    for _ in range(2):
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        bytes_before, asked_before, cpu_before = site.line.bytes, len(site.asked), cpu_of(mark)
        began = monotonic()
        painted = KINDS[kind](page, site.url)
        seconds = monotonic() - began
        found.append(
            Visit(seconds, cpu_of(mark) - cpu_before, (site.line.bytes - bytes_before) / 1e6, len(site.asked) - asked_before, painted)
        )
        if KINDS[kind] not in LITE:
            page.evaluate("navigator.serviceWorker.ready.then(() => true)")  # all is laid down for when there is no network
        page.close()
    browser.close()
    return found[0], found[1]


def told(kind: str, when: str, found: list[Visit]) -> str:
    """A line of the table."""
    middle = Visit(*(median(values) for values in zip(*found, strict=True)))
    spread = f"{min(one.seconds for one in found):.1f}–{max(one.seconds for one in found):.1f}"
    return f"| {kind} | {when} | {middle.painted:.1f} | {middle.seconds:.1f} ({spread}) | {middle.cpu:.1f} | {middle.megabytes:.1f} | {middle.requests:.0f} |"


HEAD = "| | | first table seen, s | Python's, s | CPU, whole browser, s | MB | requests |\n|---|---|---|---|---|---|---|"


def main() -> None:
    """Build, visit by turns, tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=["turns", "lines", []], help="which parts; all without one")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is visited")
    asked = parser.parse_args()
    parts = asked.parts or ["turns", "lines"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        place = Path(folder)
        play_page.build(place / "play")
        pages = {
            code: {"cells": [{"cell_type": "code", "execution_count": None, "id": "a1", "metadata": {}, "outputs": [], "source": [said]}]}
            for code, said in CELLS.items()
        }
        head = {
            "metadata": {"kernelspec": {"display_name": "Python", "language": "python", "name": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        lite.build(place / "lab", exposed=True, besides={name: json.dumps({**page, **head}) for name, page in pages.items()})
        chromium = os.popen(f"sh {ROOT}/tools/browser.sh").read().strip()  # noqa: S605 - our own script
        with served(place, policy=False) as site:
            if "turns" in parts:
                found: dict[str, list[tuple[Visit, Visit]]] = {kind: [] for kind in KINDS}
                for _ in range(asked.rounds):
                    for kind in KINDS:
                        found[kind].append(visits(playwright, chromium, site, kind))
                print(HEAD)
                for kind, both in found.items():
                    print(told(kind, "cold", [one for one, _ in both]), told(kind, "warm", [one for _, one in both]), sep="\n")
            for bits in (30e6, 10e6, 2e6) if "lines" in parts else ():
                site.line.bits = bits
                print(f"\nat {bits / 1e6:g} Mbit/s, cold\n\n{HEAD}")
                for kind in tuple(KINDS)[2:]:
                    print(told(kind, "cold", [visits(playwright, chromium, site, kind)[0]]))


if __name__ == "__main__":
    main()
