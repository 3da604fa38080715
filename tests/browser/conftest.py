"""Fixtures of the browser tests: one JupyterLab, one Chromium, notebooks in it, and an empty page. These tests run last."""

from __future__ import annotations

import os
import subprocess
import sys
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fonts import WIDEST, font_environment
from lab_server import Lab, running
from notebook_page import QUICK, Notebook, Pages, Tabs
from playwright.sync_api import expect, sync_playwright
from rendered_table import AXE, BEGIN, STATIC, TablePage, read_bundles
from rendered_tree import load_tree_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Page
    from rendered_tree import TreePage

collect_ignore = ["conftest.py"]  # two modules have this name, so neither is collected for doctests
ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
CHROMIUM = [
    "--no-sandbox",  # root in a container cannot use the sandbox
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no other machine can be reached
    *os.environ.get("DURAK_CHROMIUM", "").split(),  # set by tools/anywhere.py, for example for another language
]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the browser tests and put them last: a running browser has an event loop, which other tests do not expect."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Add the output of JupyterLab and the browser to a failed test, and keep a screenshot."""
    report = yield
    if report.failed and report.when == "call" and WITNESS in item.stash:
        item.stash[FAILED] = True
        report.sections += item.stash[WITNESS]()
    return report


def run_script(*command: str) -> str:
    """Return the output of a script. If it fails, fail with its output."""
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if process.returncode:
        pytest.fail(f"{process.stdout}{process.stderr}", pytrace=False)
    return process.stdout.strip()


@pytest.fixture(scope="session")
def bundle() -> None:
    """Build the front end from the sources, and install axe-core."""
    for task in ("build", "install"):
        run_script(sys.executable, "tools/frontend.py", task)


@pytest.fixture(scope="session")
def lab(bundle, tmp_path_factory) -> Iterator[Lab]:
    """Start a JupyterLab on a free port."""
    with running(tmp_path_factory.mktemp("lab")) as lab:
        yield lab


@pytest.fixture(scope="session")
def browsers(tmp_path_factory) -> Iterator[Callable[[str], Browser]]:
    """Return a function that starts Chromium with a font."""
    expect.set_options(timeout=QUICK)
    with sync_playwright() as playwright:

        @cache
        def browser(font: str) -> Browser:
            environment = {**os.environ, **font_environment(font, tmp_path_factory.mktemp("fonts"))}
            return playwright.chromium.launch(executable_path=run_script("sh", "tools/browser.sh"), args=CHROMIUM, env=environment)

        yield browser  # playwright closes each


@pytest.fixture(scope="session")
def tabs(browsers, lab) -> Tabs:
    """Return the pages of a Chromium."""
    return Tabs(browsers(WIDEST), lab, AXE)


@pytest.fixture(scope="session")
def font(request) -> str:
    """Return the font of the pages. One test of widths needs the narrowest too."""
    return getattr(request, "param", WIDEST)


@pytest.fixture(scope="session")
def pages(font, browsers, bundle) -> Pages:
    """Return the pages of a Chromium with that font, without JupyterLab."""
    return Pages(browsers(font))


@pytest.fixture
def notebook(tabs, lab, request, tmp_path) -> Iterator[Callable[..., Notebook]]:
    """Return a function that opens a notebook with these cells in its own page and runs them. Fail on browser errors."""
    notebooks: list[Notebook] = []
    said_before = len(lab.log)

    def witness() -> list[tuple[str, str]]:
        lines = [line for book in notebooks for line in book.witness(tmp_path)]
        return [("the browser", "\n".join(lines)), ("JupyterLab", "".join(lab.log[said_before:]))]

    def open_notebook(
        cells: list[str] | Path,
        *,
        viewport: tuple[int, int] = (1280, 800),
        touch: bool = False,
        reduced_motion: bool = False,
        theme: str = "light",
        app: str = "lab",
    ) -> Notebook:
        book = tabs.write(cells, touch=touch, app=app)
        notebooks.append(book)
        book.open(app)
        book.look(viewport=viewport, reduced_motion=reduced_motion, theme=theme)
        book.run_all()
        return book

    request.node.stash[WITNESS] = witness
    yield open_notebook
    failed = request.node.stash.get(FAILED, False)
    complaints = [complaint for book in notebooks for complaint in book.complaints()]
    for book in notebooks:
        tabs.close(book, again=not (failed or complaints))
    if complaints and not failed:
        pytest.fail("\n".join(complaints), pytrace=False)


@pytest.fixture(scope="module")
def tree_page(pages, request) -> Iterator[TreePage]:
    """Open a page with the board bundle. A module can set its size in `SEEN`."""
    context = pages.context(reduced_motion="reduce", **getattr(request.module, "SEEN", {"viewport": {"width": 1200, "height": 900}}))
    yield load_tree_page(context.new_page())
    context.close()


@pytest.fixture
def board_page(tree_page) -> Iterator[TreePage]:
    """Return that page. Fail on page errors."""
    problems: list[str] = []
    note = lambda error: problems.append(str(error))  # noqa: E731 - one line
    tree_page.page.on("pageerror", note)
    yield tree_page
    tree_page.page.remove_listener("pageerror", note)
    assert problems == []


@pytest.fixture(scope="session")
def empty_page(pages) -> Iterator[Page]:
    """Open a page with the table bundle."""
    context = pages.context(viewport={"width": 1200, "height": 800})
    page = context.new_page()
    page.set_default_timeout(QUICK)
    page.set_content("<!doctype html><body></body>")
    url = f"data:text/javascript;base64,{b64encode((STATIC / 'widget.js').read_bytes()).decode()}"
    page.evaluate(BEGIN, [url, (STATIC / "widget.css").read_text(encoding="utf-8"), read_bundles()])
    yield page
    context.close()


WITHOUT = "document.fullscreenElement ? document.exitFullscreen().then(() => errors) : errors"
"""Return the errors of the page and leave full screen: leaving later would end the full screen of the next test too."""


@pytest.fixture
def table_page(empty_page) -> Iterator[TablePage]:
    """Return the empty page as a table page. Fail on page errors."""
    empty_page.evaluate("window.errors.length = 0")
    yield TablePage(empty_page)
    assert empty_page.evaluate(WITHOUT) == []


WITNESS: pytest.StashKey[Callable[[], list[tuple[str, str]]]] = pytest.StashKey()
FAILED: pytest.StashKey[bool] = pytest.StashKey()


@pytest.fixture
def set_screen_size(table_page: TablePage) -> Iterator[Callable[[int, int], None]]:
    """Change the screen size for one test."""
    before = table_page.page.viewport_size
    yield lambda width, height: table_page.page.set_viewport_size({"width": width, "height": height})
    table_page.page.set_viewport_size(before)
