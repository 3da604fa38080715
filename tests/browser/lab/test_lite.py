"""JupyterLite as tools/lite.py builds it: a browser, a server of files, and nothing else."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING

import pytest
from lab_server import Lab
from playwright.sync_api import expect

import lite
from durak_widget import kernel

if TYPE_CHECKING:
    from collections.abc import Iterator

WELCOME = "notebooks/00_welcome.ipynb"
PATIENCE = 300_000  # milliseconds: Python is started in the page
pytestmark = pytest.mark.long


class Files(SimpleHTTPRequestHandler):
    """Hands out files, and says nothing of it."""

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


def test_what_is_solved_counts_and_stands_when_the_page_is_loaded_again(site, tabs):
    """The first notebook as it is: its question is answered by a click, the road map says so, and says it still to the next kernel. No other machine is asked.

    The kernel plays there by the browser's own WebAssembly, the same games as here.
    """
    book = tabs.there(site, WELCOME, PATIENCE)
    book.expects(r"404.*/favicon\.ico")
    book.expects(r"404.*/all\.json")  # so JupyterLite asks whether its site has the folder in which the file is kept
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
    games = "kernel.games(count=20_000, seed=3, policy='careful').digest"
    in_page = book.printed(f"from durak_widget import kernel\nprint(kernel.which(), {games}, sep='; ')")
    assert in_page.strip() == f"the browser's WebAssembly; {kernel.games(count=20_000, seed=3, policy='careful').digest}"
    assert book.complaints() == []
    book.page.context.close()
