"""JupyterLite as tools/lite.py builds it: a browser, a server of files, and nothing else."""

from __future__ import annotations

import json
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

if TYPE_CHECKING:
    from collections.abc import Iterator

SERIES = sorted((Path(__file__).resolve().parents[3] / "notebooks").glob("*.ipynb"))
WELCOME, HOMEWORK = (f"notebooks/{next(path.name for path in SERIES if path.name.startswith(number))}" for number in ("00", "14"))
UNASKED = r"404.*/all\.json"  # so JupyterLite asks whether its site has the folder in which a file is kept
PATIENCE = 300_000  # milliseconds: Python is started in the page
LIVE = """(path) => [...window.jupyterapp.shell.widgets('main')].find((panel) => panel.context?.path === path).content.model.sharedModel.cells
    .flatMap((cell, n) => cell.getOutputs?.().some((one) => 'application/vnd.jupyter.widget-view+json' in (one.data ?? {})) ? [n] : [])"""
"""The cells that show something live."""


class Files(SimpleHTTPRequestHandler):
    """Hands out files, and says nothing of it."""

    def do_GET(self) -> None:
        """Any file; a browser's own question for a picture of the whole address is answered by none."""
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *said: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def site() -> Iterator[Lab]:
    """The lessons without a server that runs anything."""
    folder = lite.build(lite.CACHE / "tests", exposed=True)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield Lab(f"http://127.0.0.1:{server.server_port}", folder, [])
        server.shutdown()


@pytest.mark.slow
def test_what_is_solved_counts_and_stands_when_the_page_is_loaded_again(site, tabs):
    """The first notebook as it is: its question is answered by a click, the road map says so, and says it still to the next kernel. No other machine is asked.

    The kernel plays there by the browser's own WebAssembly, the same games as here.
    """
    book = tabs.there(site, WELCOME, PATIENCE)
    book.expects(UNASKED)
    book.open("lite")
    book.run_all()
    road = book.page.get_by_role("region", name="Your progress").get_by_role("listitem").first
    expect(road).to_contain_text("0 of 1")
    exercise = book.page.get_by_role("region", name="Exercise:")
    exercise.get_by_text("One player is left with cards, and has lost").click()
    expect(exercise.get_by_role("status")).to_contain_text("Right.")
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
def test_on_a_phone_a_lesson_has_the_whole_width_and_leads_to_the_next(site, tabs, size):
    """No file browser takes it; the link at the end opens the next lesson in the same page."""
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
def test_each_lesson_runs_to_its_end_with_no_network(site, tabs, path):
    """Every cell of every lesson as it is stored, theory and homework included: none fails, all that is live is painted, and no other machine is asked."""
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
def test_homework_is_answered_there_and_handed_in_as_a_file(site, tabs, tmp_path):
    """One question by clicks; the page is loaded again, and it is kept still; the notebook is downloaded, and marked here like any other."""
    book = tabs.there(site, HOMEWORK, PATIENCE)
    book.open("lite")
    book.run_all()
    question = book.page.get_by_role("region", name="Exercise:").first
    right = (
        lessons.homework("econ431", student="Guest", edition="rev2", folder=None).assignment.create_exercise("players", "Guest").solution[0]
    )
    question.locator(f"[data-item='{right}']").click()
    kept = question.get_by_role("status")
    expect(kept).to_contain_text("kept")
    book.save()
    book.reload()
    book.run_all()
    expect(kept).to_contain_text("kept")
    book.save()
    with book.page.expect_download() as asked:
        book.page.evaluate("() => { window.jupyterapp.commands.execute('docmanager:download'); }")
    asked.value.save_as(tmp_path / "guest.ipynb")
    rows = lessons.mark(tmp_path, jobs=0).rows
    assert [(row.student, row.points) for row in rows if row.points] == [("Guest", 1)]
    assert book.complaints() == []
    book.page.context.close()
