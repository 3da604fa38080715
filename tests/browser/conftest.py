"""What the browser tests share: one JupyterLab, one Chromium, notebooks in it, and an empty page. They run after all others."""

from __future__ import annotations

import os
import subprocess
import sys
from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fonts import WIDEST, painting
from lab_server import Lab, running
from notebook_page import QUICK, Notebook, Pages, Tabs
from painted import AXE, BEGIN, STATIC, Blank
from painted_tree import opened
from playwright.sync_api import expect, sync_playwright

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from painted_tree import Board
    from playwright.sync_api import Browser, Page

collect_ignore = ["conftest.py"]  # two of one name: neither is looked through for examples
ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
CHROMIUM = [
    "--no-sandbox",  # a container's root may not open one
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no other machine is there
    *os.environ.get("DURAK_CHROMIUM", "").split(),  # as tools/anywhere.py has it, to try another language
]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the browser tests, and put them last: while a browser runs, an event loop runs too, which others may not expect."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Show with a failed test what JupyterLab and the browser said, and keep a picture of the page."""
    report = yield
    if report.failed and report.when == "call" and WITNESS in item.stash:
        item.stash[FAILED] = True
        report.sections += item.stash[WITNESS]()
    return report


def run(*command: str) -> str:
    """What a script of the project prints; if it fails, so do the tests, with what it said."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.fail(f"{done.stdout}{done.stderr}", pytrace=False)
    return done.stdout.strip()


@pytest.fixture(scope="session")
def bundle() -> None:
    """The front end as it is in the sources now, and axe-core."""
    for task in ("build", "install"):
        run(sys.executable, "tools/frontend.py", task)


@pytest.fixture(scope="session")
def lab(bundle, tmp_path_factory) -> Iterator[Lab]:
    """A real JupyterLab on a free port of this machine."""
    with running(tmp_path_factory.mktemp("lab")) as lab:
        yield lab


@pytest.fixture(scope="session")
def browsers(tmp_path_factory) -> Iterator[Callable[[str], Browser]]:
    """A Chromium that has this font, started when it is first asked for."""
    expect.set_options(timeout=QUICK)
    with sync_playwright() as playwright:

        @cache
        def browser(font: str) -> Browser:
            environment = {**os.environ, **painting(font, tmp_path_factory.mktemp("fonts"))}
            return playwright.chromium.launch(executable_path=run("sh", "tools/browser.sh"), args=CHROMIUM, env=environment)

        yield browser  # each is closed with playwright


@pytest.fixture(scope="session")
def tabs(browsers, lab) -> Tabs:
    """The pages of a Chromium."""
    return Tabs(browsers(WIDEST), lab, AXE)


@pytest.fixture(scope="session")
def font(request) -> str:
    """What pages are painted with; one test of widths asks for the narrowest too."""
    return getattr(request, "param", WIDEST)


@pytest.fixture(scope="session")
def pages(font, browsers, bundle) -> Pages:
    """The pages of a Chromium with that font; no JupyterLab is started for them."""
    return Pages(browsers(font))


@pytest.fixture
def notebook(tabs, lab, request, tmp_path) -> Iterator[Callable[..., Notebook]]:
    """Opens a notebook with these cells in a page of its own and runs them; at the end nothing may have gone wrong in the browser."""
    opened: list[Notebook] = []
    said_before = len(lab.log)

    def witness() -> list[tuple[str, str]]:
        said = [line for book in opened for line in book.witness(tmp_path)]
        return [("the browser", "\n".join(said)), ("JupyterLab", "".join(lab.log[said_before:]))]

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
        opened.append(book)
        book.open(app)
        book.look(viewport=viewport, reduced_motion=reduced_motion, theme=theme)
        book.run_all()
        return book

    request.node.stash[WITNESS] = witness
    yield open_notebook
    failed = request.node.stash.get(FAILED, False)
    complaints = [complaint for book in opened for complaint in book.complaints()]
    for book in opened:
        tabs.close(book, again=not (failed or complaints))
    if complaints and not failed:
        pytest.fail("\n".join(complaints), pytrace=False)


@pytest.fixture(scope="module")
def tree_page(pages, request) -> Iterator[Board]:
    """A page in which the bundle of trees is loaded, and nothing else; a file that wants another than on a desk says so in `SEEN`."""
    context = pages.context(reduced_motion="reduce", **getattr(request.module, "SEEN", {"viewport": {"width": 1200, "height": 900}}))
    yield opened(context.new_page())
    context.close()


@pytest.fixture
def board_page(tree_page) -> Iterator[Board]:
    """That page; no error may happen in it."""
    problems: list[str] = []
    note = lambda error: problems.append(str(error))  # noqa: E731 - one line
    tree_page.page.on("pageerror", note)
    yield tree_page
    tree_page.page.remove_listener("pageerror", note)
    assert problems == []


@pytest.fixture(scope="session")
def empty_page(pages) -> Iterator[Page]:
    """A page in which the bundle is loaded, and nothing else."""
    context = pages.context(viewport={"width": 1200, "height": 800})
    page = context.new_page()
    page.set_default_timeout(QUICK)
    page.set_content("<!doctype html><body></body>")
    url = f"data:text/javascript;base64,{b64encode((STATIC / 'widget.js').read_bytes()).decode()}"
    page.evaluate(BEGIN, [url, (STATIC / "widget.css").read_text(encoding="utf-8"), (STATIC / "drawers.js").read_text(encoding="utf-8")])
    yield page
    context.close()


WITHOUT = "document.fullscreenElement ? document.exitFullscreen().then(() => errors) : errors"
"""The errors of the page; no table has the whole screen any more, which on its way out would take it from the next one too."""


@pytest.fixture
def blank(empty_page) -> Iterator[Blank]:
    """The empty page; no error may happen in it."""
    empty_page.evaluate("window.errors.length = 0")
    yield Blank(empty_page)
    assert empty_page.evaluate(WITHOUT) == []


WITNESS: pytest.StashKey[Callable[[], list[tuple[str, str]]]] = pytest.StashKey()
FAILED: pytest.StashKey[bool] = pytest.StashKey()


@pytest.fixture
def screen_of(blank: Blank) -> Iterator[Callable[[int, int], None]]:
    """Another size of the screen, for this test alone."""
    before = blank.page.viewport_size
    yield lambda width, height: blank.page.set_viewport_size({"width": width, "height": height})
    blank.page.set_viewport_size(before)
