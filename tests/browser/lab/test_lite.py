"""Test JupyterLite as tools/lite.py builds it, with a file server only."""

from __future__ import annotations

import json
import re
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from lab_server import Lab
from playwright.sync_api import expect

import lite
from durak_widget import fast_engine, lessons
from support.spoken import english_text

if TYPE_CHECKING:
    from collections.abc import Iterator

SERIES = sorted((Path(__file__).resolve().parents[3] / "notebooks").glob("*.ipynb"))
WELCOME, HOMEWORK = (f"notebooks/{next(path.name for path in SERIES if path.name.startswith(number))}" for number in ("00", "14"))
RIGHT_ANSWER = re.search(r'right=\\"([^"\\]+)\\"', next(path for path in SERIES if path.name.startswith("00")).read_text(encoding="utf-8"))[
    1
]
UNASKED = r"404.*/all\.json"  # JupyterLite asks this way whether its site has the folder of a saved file
PATIENCE = 300_000  # milliseconds, because Python starts in the page
LIVE = """(path) => [...window.jupyterapp.shell.widgets('main')].find((panel) => panel.context?.path === path).content.model.sharedModel.cells
    .flatMap((cell, n) => cell.getOutputs?.().some((one) => 'application/vnd.jupyter.widget-view+json' in (one.data ?? {})) ? [n] : [])"""
"""The cells with a live widget."""


class QuietFileHandler(SimpleHTTPRequestHandler):
    """Serves files without logging."""

    def do_GET(self) -> None:
        """Serve a file. A request for a favicon gets an empty answer."""
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *said: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def site() -> Iterator[Lab]:
    """Build the lessons for a static server."""
    folder = lite.build(lite.CACHE / "tests", exposed=True)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietFileHandler, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield Lab(f"http://127.0.0.1:{server.server_port}", folder, [])
        server.shutdown()


@pytest.mark.slow
def test_progress_survives_reloading(site, tabs):
    """In the first notebook as it is stored. No other machine is asked.

    The kernel uses the browser's WebAssembly and plays the same games as here.
    """
    book = tabs.there(site, WELCOME, PATIENCE)
    book.expects(UNASKED)
    book.open("lite")
    book.run_all()
    road = book.page.get_by_role("region", name=english_text("lesson.progress")).get_by_role("listitem").first
    expect(road).to_contain_text("0 of 1")
    exercise = book.page.get_by_role("region", name="Exercise:")
    exercise.get_by_text(RIGHT_ANSWER).click()
    expect(exercise.get_by_role("status")).to_contain_text(english_text("lesson.right"))
    expect(road).to_contain_text("1 of 1")
    book.reload()
    book.run_all()
    expect(road).to_contain_text("1 of 1")
    games = "fast_engine.simulate_games(count=20_000, seed=3, policy='careful').digest"
    in_page = book.printed(f"from durak_widget import fast_engine\nprint(fast_engine.describe_host(), {games}, sep='; ')")
    assert in_page.strip() == f"the browser's WebAssembly; {fast_engine.simulate_games(count=20_000, seed=3, policy='careful').digest}"
    assert book.complaints() == []
    book.page.context.close()


@pytest.mark.parametrize("size", [(360, 740), (844, 390)])
@pytest.mark.release
def test_lessons_use_the_whole_width_on_a_phone(site, tabs, size):
    """No file browser is open. The last link opens the next lesson in the same page."""
    width, height = size
    context = tabs.context(viewport={"width": width, "height": height}, has_touch=True)
    page = context.new_page()
    page.goto(f"{site.url}/lab/index.html?path=notebooks/12_hidden_cards.ipynb")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=PATIENCE)
    page.wait_for_function("(least) => document.querySelector('.jp-Notebook').clientWidth >= least", arg=0.9 * width)
    page.evaluate("() => { const one = document.querySelector('.jp-WindowedPanel-outer'); one.scrollTop = one.scrollHeight; }")
    page.locator(".jp-Notebook strong a").last.click()
    expect(page.locator(".jp-Notebook:visible h1")).to_contain_text("Mixing")
    assert len(context.pages) == 1
    context.close()


@pytest.mark.release
@pytest.mark.parametrize("path", SERIES, ids=lambda path: path.stem)
def test_every_lesson_runs_without_a_network(site, tabs, path):
    """No cell fails, and every widget is shown."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    book = tabs.there(site, f"notebooks/{path.name}", PATIENCE)
    book.open("lite")
    book.run_all()
    live = book.page.evaluate(LIVE, book.path)
    assert {n for n, cell in enumerate(cells) if "exercise" in cell["metadata"].get("tags", ())} <= set(live)
    for n in live:
        book.cell(n).scroll_into_view_if_needed()
        expect(book.cell(n).locator(".dk").first).to_be_visible()
    assert book.complaints() == []
    book.page.context.close()


@pytest.mark.slow
def test_homework_is_answered_and_downloaded(site, tabs, tmp_path):
    """An answer survives reloading. The downloaded notebook is graded like any other."""
    book = tabs.there(site, HOMEWORK, PATIENCE)
    book.open("lite")
    book.run_all()
    question = book.page.get_by_role("region", name="Exercise:").first
    right = (
        lessons.homework("econ431", student="Guest", edition="rev2", folder=None).assignment.create_exercise("players", "Guest").solution[0]
    )
    question.locator(f"[data-item='{right}']").click()
    status = question.get_by_role("status")
    expect(status).to_contain_text(english_text("class.row.kept"))
    book.save()
    book.reload()
    book.run_all()
    expect(status).to_contain_text(english_text("class.row.kept"))
    book.save()
    with book.page.expect_download() as download:
        book.page.evaluate("() => { window.jupyterapp.commands.execute('docmanager:download'); }")
    download.value.save_as(tmp_path / "guest.ipynb")
    rows = lessons.mark(tmp_path, jobs=0).rows
    assert [(row.student, row.points) for row in rows if row.points] == [("Guest", 1)]
    assert book.complaints() == []
    book.page.context.close()
