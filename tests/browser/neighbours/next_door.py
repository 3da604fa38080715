"""What the tests of neighbours share: where each is installed, the recipe that the docs give for it, its server, and a page on which somebody plays."""

from __future__ import annotations

import hashlib
import json
import os
import re
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import pytest
from lab_server import free_port, started
from playwright.sync_api import expect

import ways_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, Route

ROOT = Path(__file__).resolve().parents[3]
DOCS = (ROOT / "docs" / "where-it-runs.md").read_text(encoding="utf-8")
CACHE = ROOT / "build" / "neighbours"
ADDRESS = re.compile(r"(http://(?:127\.0\.0\.1|localhost):\d+)")
CARD, BEATER = "Jc", "Jc"
"""The card that is played of the deal of seed 7; and what answers the exercise of the recipes."""
PATIENCE = 60_000  # milliseconds: for what starts slowly on a loaded machine
SCHEMES = "light", "dark"
# How light words are, and the nearest paper behind them, of 255: through shadows too, and a page that is painted with nothing is white.
CONTRAST = """(one) => {
  const brush = new OffscreenCanvas(1, 1).getContext("2d");
  const light = (color) => {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = color;
    brush.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
    return a < 128 ? null : 0.3 * r + 0.6 * g + 0.1 * b;
  };
  const ink = light(getComputedStyle(one).color);
  for (let at = one; at; at = at.parentElement ?? at.getRootNode().host) {
    const paper = light(getComputedStyle(at).backgroundColor);
    if (paper !== null) return Math.abs(ink - paper);
  }
  return Math.abs(ink - 255);
}"""


def version(name: str) -> str:
    """With which version of a neighbour the docs say that it was tried."""
    said = re.search(rf"^\| {re.escape(name)} \| ([\d.]+) \|", DOCS, re.MULTILINE)
    assert said, f"docs/where-it-runs.md does not say with which version of {name} it was tried"
    return said[1]


def recipe(name: str) -> str:
    """The code that the docs give for a neighbour, word for word."""
    _, _, below = DOCS.partition(f"\n## {name}\n")
    found = re.search(r"```python\n(.*?)```", below.partition("\n## ")[0], re.DOTALL)
    assert found, f"docs/where-it-runs.md has no recipe for {name}"
    return found[1]


def installed(*packages: str) -> Path:
    """The folder of programs of an environment with these packages, made once and kept; where one cannot be had, the test is skipped and says so."""
    import fcntl  # noqa: PLC0415 - which Windows has not, where no test of a browser runs

    wanted = sorted([*packages, "anywidget"])
    key = hashlib.sha256(json.dumps([sys.version, *wanted]).encode()).hexdigest()[:10]
    place = CACHE / f"{re.split('[=<>]', packages[0])[0]}-{key}"
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{place.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the tests of one neighbour may run in two processes
        if not (place / "whole").is_file():
            env = ways_in.clean(CACHE)
            ways_in.run(sys.executable, "-m", "venv", "--clear", place, cwd=CACHE, env=env)
            command = (place / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:")
            done = subprocess.run([*command, *wanted], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode:
                pytest.skip(f"{', '.join(packages)} cannot be had here: {done.stdout.strip().splitlines()[-1]}")
            (place / "whole").touch()
    return place / "bin"


class Next(NamedTuple):
    """A neighbour's page: on it a table of the recipes, and what Python says of it."""

    page: Page
    far: set[str]
    """The other machines that were asked for something."""
    wrong: list[str]
    """Errors in the console and of the page, but for what other machines did not answer."""

    @property
    def table(self) -> Locator:
        """The table."""
        return self.page.get_by_role("region", name="Durak table", exact=True).first

    def says(self, text: str) -> None:
        """Wait for what Python says."""
        expect(self.page.get_by_text(text, exact=True).last).to_be_visible(timeout=PATIENCE)  # the cell above may have the word too

    def plays(self) -> None:
        """A card that is pressed on the page is played in Python, which counts it, and the answer of the bot too."""
        self.says("0 moves so far")
        self.table.locator(f".dk-hand-card[data-card='{CARD}']").click(timeout=PATIENCE)
        self.says("2 moves so far")
        expect(self.table).to_have_attribute("data-ply", "2")
        expect(self.table.get_by_role("img", name="jack of clubs, beaten by ace of clubs")).to_be_visible()

    def answers(self) -> None:
        """An exercise is answered on the page, and Python knows that it is solved."""
        self.says("not yet")
        sheet = self.page.locator(".dk-exercise").first
        sheet.locator(f"[data-item='{BEATER}'], [data-card='{BEATER}']").first.click()
        sheet.get_by_role("button", name="Check", exact=True).click()
        self.says("solved")

    def readable(self) -> None:
        """By day and by night what stands beside the felt can be read, no picture stands beside what is live, and on a phone nothing is cut."""
        for scheme in SCHEMES:
            self.page.emulate_media(color_scheme=scheme)
            self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert self.table.locator(".dk-navigation").evaluate(CONTRAST) > 80, scheme
        for picture in self.page.locator(".durak-picture").all():
            expect(picture).to_be_hidden()
        self.page.set_viewport_size({"width": 360, "height": 800})
        self.page.wait_for_function("document.documentElement.scrollWidth <= innerWidth")
        box = self.table.bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360

    def is_well(self, *asks: str, noise: str = "\0") -> None:
        """Nothing went wrong, but in a script of its own, and not in ours, which is a blob; it asked no machines but perhaps these, which are its own affair."""
        self.page.evaluate("0")  # what has happened up to now has then been heard
        wrong = [one for one in self.wrong if noise not in one or "blob:" in one]
        assert not wrong, wrong
        assert self.far <= set(asks), self.far


def answers(port: int) -> bool:
    """Whether somebody answers there."""
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def visited(browser: Browser, url: str, routes: dict[str, Callable[[Route], None]] | None = None) -> Iterator[Next]:
    """The page of a neighbour."""
    context = browser.new_context(viewport={"width": 1200, "height": 1000}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    seen = Next(page, set(), [])

    def host(address: str) -> str:
        return urlsplit(address).hostname or ""

    def asked(request: Request) -> None:
        if urlsplit(request.url).scheme in {"http", "https", "ws", "wss"} and host(request.url) != "127.0.0.1":
            seen.far.add(host(request.url))

    def said(message: ConsoleMessage) -> None:
        where = message.location.get("url", "")
        if message.type == "error" and host(where) in {"", "127.0.0.1"} and not where.endswith("favicon.ico"):
            seen.wrong.append(f"{message.text} ({where})")

    page.on("request", asked)
    page.on("console", said)
    page.on("pageerror", lambda error: seen.wrong.append(f"{error.message}\n{error.stack}"))
    for pattern, answer in (routes or {}).items():
        page.route(pattern, answer)
    page.goto(url)
    yield seen
    context.close()


@contextmanager
def open_house(bin_: Path, command: list[str], files: dict[str, str], home: Path, *, says: re.Pattern[str] = ADDRESS) -> Iterator[str]:
    """A neighbour's server for these files, with the package as it is here; `{port}` in its command is a free one. Its address."""
    for name, text in files.items():
        (home / name).write_text(text, encoding="utf-8")
    port = free_port()
    env = ways_in.clean(home) | {
        "PYTHONPATH": str(ROOT),
        "DURAK_WIDGET_HOME": str(home / "student"),
        "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}",
        "JUPYTER_PLATFORM_DIRS": "1",
        **{f"JUPYTER_{what}_DIR": str(home / what.lower()) for what in ("CONFIG", "DATA", "RUNTIME")},
        "IPYTHONDIR": str(home / "ipython"),
    }
    whole = [str(bin_ / command[0]), *(word.format(port=port) for word in command[1:])]
    with started(whole, home, env, name=command[0], answers_at=says):
        deadline = monotonic() + PATIENCE / 1000
        while not answers(port):  # some say that they answer a moment before they do
            assert monotonic() < deadline, f"{command[0]} does not answer"
        yield f"http://127.0.0.1:{port}"
