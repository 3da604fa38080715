"""Test marimo, Shiny, Panel and Solara with the apps of docs/where-it-runs.md: a card played on the page is played in Python."""

from __future__ import annotations

import re

import pytest
from app_driver import documented_version, installed, open_app_page, recipe, serve_app
from fonts import WIDEST
from playwright.sync_api import expect

from support.spoken import english_text

pytestmark = pytest.mark.release


def test_table_can_be_played_in_marimo_and_cells_rerun(bundle, browsers, tmp_path):
    """A cell that reads a game, an exercise or a tree reruns when it changes, also after undo."""
    bin_ = installed(f"marimo=={documented_version('marimo')}")
    command = ["marimo", "run", "app.py", "--headless", "--no-token", "--host", "127.0.0.1", "--port", "{port}"]
    app = recipe("marimo")
    alone = "@app.cell\ndef _(lessons):\n    lessons.Choose('Alone?', {'a': 'Yes.', 'b': 'No.'}, right='a')\n    return\n\n\n"
    app = app.replace('if __name__ == "__main__":', alone + 'if __name__ == "__main__":')
    with (
        serve_app(bin_, command, {"app.py": app}, tmp_path, says=re.compile(r"URL: (\S+)")) as url,
        open_app_page(browsers(WIDEST), url) as marimo,
    ):
        marimo.check_table()
        marimo.table.get_by_role("button", name=english_text("screen.undo"), exact=True).click()
        marimo.wait_for_text("0 moves so far")
        marimo.check_exercise()
        marimo.wait_for_text("at history 0")
        marimo.page.get_by_role("treeitem").nth(1).click(force=True)
        marimo.wait_for_text("at history 1")
        expect(marimo.page.locator(".dk-exercise").filter(has_text="Alone?")).to_be_visible()
        marimo.check_readability()
        marimo.check_no_errors()


def test_table_can_be_played_in_shiny(bundle, browsers, tmp_path):
    """Outputs follow the table, also when a bot moves. Text is readable in Shiny's dark mode."""
    bin_ = installed(f"shiny=={documented_version('Shiny')}", "shinywidgets==0.8.2")
    command = ["shiny", "run", "app.py", "--host", "127.0.0.1", "--port", "{port}"]
    with (
        serve_app(bin_, command, {"app.py": recipe("Shiny")}, tmp_path, says=re.compile(r"running on (http\S+)")) as url,
        open_app_page(browsers(WIDEST), url) as shiny,
    ):
        shiny.check_table()
        shiny.check_exercise()
        shiny.check_readability()
        shiny.page.evaluate("document.documentElement.dataset.bsTheme = 'dark'")
        shiny.check_readability()
        shiny.check_no_errors()


def test_table_can_be_played_in_panel(bundle, browsers, tmp_path):
    """Requests to unpkg.com are answered from the installed package. Light and dark."""
    bin_ = installed(f"panel=={documented_version('Panel')}", "ipywidgets_bokeh==1.8.0")
    script = (bin_.parent / "share/jupyter/nbextensions/anywidget/index.js").read_text(encoding="utf-8")
    answer = {"body": script, "content_type": "text/javascript", "headers": {"Access-Control-Allow-Origin": "*"}}
    routes = {"https://unpkg.com/anywidget@*/**": lambda route: route.fulfill(**answer)}
    command = ["panel", "serve", "app.py", "--address", "127.0.0.1", "--port", "{port}", "--allow-websocket-origin", "127.0.0.1:{port}"]
    with serve_app(bin_, command, {"app.py": recipe("Panel")}, tmp_path, says=re.compile(r"running at: (http\S+)")) as url:
        own = ("cdn.holoviz.org", "cdnjs.cloudflare.com", "unpkg.com")
        with open_app_page(browsers(WIDEST), f"{url}/app", routes) as panel:
            panel.check_table()
            panel.check_exercise()
            panel.check_readability()
            panel.check_no_errors(*own)
        with open_app_page(browsers(WIDEST), f"{url}/app?theme=dark", routes) as panel:
            expect(panel.table).to_have_attribute("data-page", "dark")
            panel.check_readability()
            panel.check_no_errors(*own)


def test_table_can_be_played_in_solara(bundle, browsers, tmp_path):
    """A live widget hides its picture. The server asks only its makers' machine."""
    number = documented_version("Solara")
    bin_ = installed(*(f"{name}=={number}" for name in ("solara", "solara-ui", "solara-server", "solara-assets")))
    command = ["solara", "run", "app.py", "--host", "127.0.0.1", "--port", "{port}", "--no-open"]
    with (
        serve_app(bin_, command, {"app.py": recipe("Solara")}, tmp_path, says=re.compile(r"starting at (http\S+)")) as url,
        open_app_page(browsers(WIDEST), url) as solara,
    ):
        solara.check_table()
        solara.check_exercise()
        solara.check_readability()
        solara.check_no_errors("solara.dev")
