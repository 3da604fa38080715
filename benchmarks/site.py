"""Measures how soon a visitor can play, on the play page and in JupyterLite.

Both are visited alternately in one run.

Each visit uses a new browser and a web server on this machine. The output has the seconds until the table works
with Python, the CPU time of all processes of the browser, the bytes (compressed, as servers send them), and the
number of requests. `warm` is a second visit in the same browser. The machine is noisy, so compare ratios within one
run.
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

from file_server import FileServer, serve  # noqa: E402

import lite  # noqa: E402 - tools of this project
import play_page  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Playwright

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
"""Waits inside the web page, because Playwright polls from outside less and less often, which adds up to half a
second."""


class Visit(NamedTuple):
    """The times and the traffic of one visit to the site."""

    seconds: float
    cpu: float
    megabytes: float
    requests: int
    painted: float
    """The time in seconds until the first table was visible."""


def see(page: Page, css: str, said: str = "") -> None:
    """Wait until the page has an element with some text."""
    page.evaluate(SEEN, [css, said])


def in_lite(path: str, *seen: str) -> Callable[[Page, str], float]:
    """Return a visit that opens and runs a notebook in JupyterLite, and waits for its output."""

    def go(page: Page, url: str) -> float:
        start_time = monotonic()
        page.goto(f"{url}lab/lab/index.html?path={path}")
        page.evaluate(RUN, path)
        see(page, *seen)
        return monotonic() - start_time

    return go


def at_play(ask: str) -> Callable[[Page, str], float]:
    """Return a visit that opens the play page and waits until Python is loaded."""

    def go(page: Page, url: str) -> float:
        start_time = monotonic()
        page.goto(f"{url}play/{ask}")
        see(page, "main section.dk[data-ply]")
        painted = monotonic() - start_time
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
    """Return the CPU time of all processes of the browser whose command line has a mark."""
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
    process_ids = set(roots)
    while True:
        more = {pid for pid, parent in parents.items() if parent in process_ids} - process_ids
        if not more:
            return sum(times[pid] for pid in process_ids) / os.sysconf("SC_CLK_TCK")
        process_ids |= more


def visits(playwright: Playwright, chromium: str, site: FileServer, kind: str) -> tuple[Visit, Visit]:
    """Open a page twice in one browser, and return both visits: the cold and the warm one."""
    mark = f"--durak-visit={os.urandom(6).hex()}"
    args = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-proxy-server", mark]
    browser = playwright.chromium.launch(executable_path=chromium, args=args)
    context = browser.new_context(viewport={"width": 1200, "height": 800})
    visits_made = []
    for _ in range(2):
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        bytes_before, asked_before, cpu_before = site.line.bytes, len(site.asked), cpu_of(mark)
        start_time = monotonic()
        painted = KINDS[kind](page, site.url)
        seconds = monotonic() - start_time
        visits_made.append(
            Visit(seconds, cpu_of(mark) - cpu_before, (site.line.bytes - bytes_before) / 1e6, len(site.asked) - asked_before, painted)
        )
        if KINDS[kind] not in LITE:
            page.evaluate("navigator.serviceWorker.ready.then(() => true)")  # Wait until all is stored for offline use
        page.close()
    browser.close()
    return visits_made[0], visits_made[1]


def told(kind: str, when: str, found: list[Visit]) -> str:
    """Format a line of the table, with medians over all rounds."""
    middle = Visit(*(median(values) for values in zip(*found, strict=True)))
    spread = f"{min(visit.seconds for visit in found):.1f}–{max(visit.seconds for visit in found):.1f}"
    return f"| {kind} | {when} | {middle.painted:.1f} | {middle.seconds:.1f} ({spread}) | {middle.cpu:.1f} | {middle.megabytes:.1f} | {middle.requests:.0f} |"


HEAD = "| | | first table seen, s | Python's, s | CPU, whole browser, s | MB | requests |\n|---|---|---|---|---|---|---|"


def main() -> None:
    """Build the site, make the visits by turns, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=["turns", "lines", []], help="which parts; all without one")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is visited")
    arguments = parser.parse_args()
    parts = arguments.parts or ["turns", "lines"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        place = Path(folder)
        play_page.build(place / "play")
        pages = {
            code: {
                "cells": [{"cell_type": "code", "execution_count": None, "id": "a1", "metadata": {}, "outputs": [], "source": [code_text]}]
            }
            for code, code_text in CELLS.items()
        }
        head = {
            "metadata": {"kernelspec": {"display_name": "Python", "language": "python", "name": "python"}},
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        lite.build(place / "lab", exposed=True, besides={name: json.dumps({**page, **head}) for name, page in pages.items()})
        chromium = os.popen(f"sh {ROOT}/tools/browser.sh").read().strip()  # noqa: S605 - our own script
        with serve(place, policy=False) as site:
            if "turns" in parts:
                visits_by_kind: dict[str, list[tuple[Visit, Visit]]] = {kind: [] for kind in KINDS}
                for _ in range(arguments.rounds):
                    for kind in KINDS:
                        visits_by_kind[kind].append(visits(playwright, chromium, site, kind))
                print(HEAD)
                for kind, both in visits_by_kind.items():
                    print(told(kind, "cold", [visit for visit, _ in both]), told(kind, "warm", [visit for _, visit in both]), sep="\n")
            for bits in (30e6, 10e6, 2e6) if "lines" in parts else ():
                site.line.bits = bits
                print(f"\nat {bits / 1e6:g} Mbit/s, cold\n\n{HEAD}")
                for kind in tuple(KINDS)[2:]:
                    print(told(kind, "cold", [visits(playwright, chromium, site, kind)[0]]))


if __name__ == "__main__":
    main()
