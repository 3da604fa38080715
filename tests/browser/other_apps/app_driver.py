"""Install and open other applications with the recipes of the docs, and play in them."""

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
from support.spoken import english_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, Route

ROOT = Path(__file__).resolve().parents[3]
DOCS = (ROOT / "docs" / "where-it-runs.md").read_text(encoding="utf-8")
CACHE = ROOT / "build" / "other_apps"
ADDRESS = re.compile(r"(http://(?:127\.0\.0\.1|localhost):\d+)")
CARD, BEATER = "Jc", "Jc"
"""The card to play in the deal of seed 7, and the answer to the exercise of the recipes."""
PATIENCE = 60_000  # milliseconds, for slow starts on a loaded machine
SCHEMES = "light", "dark"
# Return the lightness (0 to 255) of a text and of the nearest background, also outside of shadow roots. A page without a background is white.
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


def documented_version(name: str) -> str:
    """Return the version of an application that the docs name."""
    match = re.search(rf"^\| {re.escape(name)} \| ([\d.]+) \|", DOCS, re.MULTILINE)
    assert match, f"docs/where-it-runs.md does not say with which version of {name} it was tried"
    return match[1]


def recipe(name: str) -> str:
    """Return the code that the docs give for an application."""
    _, _, below = DOCS.partition(f"\n## {name}\n")
    found = re.search(r"```python\n(.*?)```", below.partition("\n## ")[0], re.DOTALL)
    assert found, f"docs/where-it-runs.md has no recipe for {name}"
    return found[1]


def installed(*packages: str) -> Path:
    """Return the script folder of an environment with these packages, made once. Skip the test if that fails."""
    import fcntl  # noqa: PLC0415 - which Windows has not, where no test of a browser runs

    wanted = sorted([*packages, "anywidget"])
    key = hashlib.sha256(json.dumps([sys.version, *wanted]).encode()).hexdigest()[:10]
    folder = CACHE / f"{re.split('[=<>]', packages[0])[0]}-{key}"
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests of one application may run in two processes
        if not (folder / "whole").is_file():
            env = ways_in.clean(CACHE)
            ways_in.run(sys.executable, "-m", "venv", "--clear", folder, cwd=CACHE, env=env)
            command = (
                folder / "bin" / "python",
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--only-binary",
                ":all:",
            )
            process = subprocess.run([*command, *wanted], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            if process.returncode:
                pytest.skip(f"{', '.join(packages)} cannot be had here: {process.stdout.strip().splitlines()[-1]}")
            (folder / "whole").touch()
    return folder / "bin"


class AppPage(NamedTuple):
    """A page of another application with a table from the recipes."""

    page: Page
    far: set[str]
    """The other machines that got requests."""
    wrong: list[str]
    """Errors of console and page, without failed requests to other machines."""

    @property
    def table(self) -> Locator:
        """Return the table."""
        return self.page.get_by_role("region", name=english_text("screen.region"), exact=True).first

    def wait_for_text(self, text: str) -> None:
        """Wait for this output of Python."""
        expect(self.page.get_by_text(text, exact=True).last).to_be_visible(timeout=PATIENCE)  # the cell above may contain the word too

    def check_table(self) -> None:
        """Check that a card pressed on the page is played in Python, which counts it, and that the bot answers."""
        self.wait_for_text("0 moves so far")
        self.table.locator(f".dk-hand-card[data-card='{CARD}']").click(timeout=PATIENCE)
        self.wait_for_text("2 moves so far")
        expect(self.table).to_have_attribute("data-ply", "2")
        expect(self.table.get_by_role("img", name=english_text("screen.beaten", card="jack of clubs", by="ace of clubs"))).to_be_visible()

    def check_exercise(self) -> None:
        """Check that an exercise answered on the page is solved in Python."""
        self.wait_for_text("not yet")
        sheet = self.page.locator(".dk-exercise").first
        sheet.locator(f"[data-item='{BEATER}'], [data-card='{BEATER}']").first.click()
        sheet.get_by_role("button", name=english_text("screen.check"), exact=True).click()
        self.wait_for_text("solved")

    def check_readability(self) -> None:
        """Check contrast by day and by night, that no picture is shown beside a live widget, and the layout on a phone."""
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

    def check_no_errors(self, *asks: str, noise: str = "\0") -> None:
        """Check that nothing failed except in the application's own scripts, and that only these machines were asked."""
        self.page.evaluate("0")  # so that pending events are handled
        wrong = [message for message in self.wrong if noise not in message or "blob:" in message]
        assert not wrong, wrong
        assert self.far <= set(asks), self.far


def is_listening(port: int) -> bool:
    """Return whether a server answers on this port."""
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def open_app_page(browser: Browser, url: str, routes: dict[str, Callable[[Route], None]] | None = None) -> Iterator[AppPage]:
    """Open the page of an application."""
    context = browser.new_context(viewport={"width": 1200, "height": 1000}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    app = AppPage(page, set(), [])

    def host(address: str) -> str:
        return urlsplit(address).hostname or ""

    def asked(request: Request) -> None:
        if urlsplit(request.url).scheme in {"http", "https", "ws", "wss"} and host(request.url) != "127.0.0.1":
            app.far.add(host(request.url))

    def match(message: ConsoleMessage) -> None:
        where = message.location.get("url", "")
        if message.type == "error" and host(where) in {"", "127.0.0.1"} and not where.endswith("favicon.ico"):
            app.wrong.append(f"{message.text} ({where})")

    page.on("request", asked)
    page.on("console", match)
    page.on("pageerror", lambda error: app.wrong.append(f"{error.message}\n{error.stack}"))
    for pattern, answer in (routes or {}).items():
        page.route(pattern, answer)
    page.goto(url)
    yield app
    context.close()


@contextmanager
def serve_app(bin_: Path, command: list[str], files: dict[str, str], home: Path, *, says: re.Pattern[str] = ADDRESS) -> Iterator[str]:
    """Run an application's server for these files with this package. `{port}` in the command becomes a free port. Return its address."""
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
        while not is_listening(port):  # some report that they are ready a moment too early
            assert monotonic() < deadline, f"{command[0]} does not answer"
        yield f"http://127.0.0.1:{port}"
