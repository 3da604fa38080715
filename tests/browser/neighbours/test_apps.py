"""In marimo, Shiny, Panel and Solara a card that is played on the page is played in Python: each app is the one of docs/where-it-runs.md."""

from __future__ import annotations

import re

import pytest
from fonts import WIDEST
from next_door import installed, open_house, recipe, version, visited
from playwright.sync_api import expect

pytestmark = pytest.mark.release


def test_marimo_plays_and_its_cells_run_again(bundle, browsers, tmp_path):
    """A cell that reads the game, an exercise or a tree runs again as soon as that has changed, and when a move is taken back; an exercise shows itself."""
    bin_ = installed(f"marimo=={version('marimo')}")
    command = ["marimo", "run", "app.py", "--headless", "--no-token", "--host", "127.0.0.1", "--port", "{port}"]
    app = recipe("marimo")
    alone = "@app.cell\ndef _(lessons):\n    lessons.Choose('Alone?', {'a': 'Yes.', 'b': 'No.'}, right='a')\n    return\n\n\n"
    app = app.replace('if __name__ == "__main__":', alone + 'if __name__ == "__main__":')
    with (
        open_house(bin_, command, {"app.py": app}, tmp_path, says=re.compile(r"URL: (\S+)")) as url,
        visited(browsers(WIDEST), url) as marimo,
    ):
        marimo.plays()
        marimo.table.get_by_role("button", name="Undo", exact=True).click()
        marimo.says("0 moves so far")
        marimo.answers()
        marimo.says("at history 0")
        marimo.page.get_by_role("treeitem").nth(1).click(force=True)
        marimo.says("at history 1")
        expect(marimo.page.locator(".dk-exercise").filter(has_text="Alone?")).to_be_visible()
        marimo.readable()
        marimo.is_well()


def test_shiny_plays(bundle, browsers, tmp_path):
    """Its outputs follow the table, also when the bot moves by itself; in its own dark mode too everything can be read."""
    bin_ = installed(f"shiny=={version('Shiny')}", "shinywidgets==0.8.2")
    command = ["shiny", "run", "app.py", "--host", "127.0.0.1", "--port", "{port}"]
    with (
        open_house(bin_, command, {"app.py": recipe("Shiny")}, tmp_path, says=re.compile(r"running on (http\S+)")) as url,
        visited(browsers(WIDEST), url) as shiny,
    ):
        shiny.plays()
        shiny.answers()
        shiny.readable()
        shiny.page.evaluate("document.documentElement.dataset.bsTheme = 'dark'")
        shiny.readable()
        shiny.is_well()


def test_panel_plays(bundle, browsers, tmp_path):
    """What it asks unpkg.com for is answered with the file of the installed package: with a network it plays, by a page light or dark."""
    bin_ = installed(f"panel=={version('Panel')}", "ipywidgets_bokeh==1.8.0")
    script = (bin_.parent / "share/jupyter/nbextensions/anywidget/index.js").read_text(encoding="utf-8")
    answer = {"body": script, "content_type": "text/javascript", "headers": {"Access-Control-Allow-Origin": "*"}}
    routes = {"https://unpkg.com/anywidget@*/**": lambda route: route.fulfill(**answer)}
    command = ["panel", "serve", "app.py", "--address", "127.0.0.1", "--port", "{port}", "--allow-websocket-origin", "127.0.0.1:{port}"]
    with open_house(bin_, command, {"app.py": recipe("Panel")}, tmp_path, says=re.compile(r"running at: (http\S+)")) as url:
        own = ("cdn.holoviz.org", "cdnjs.cloudflare.com", "unpkg.com")
        with visited(browsers(WIDEST), f"{url}/app", routes) as panel:
            panel.plays()
            panel.answers()
            panel.readable()
            panel.is_well(*own)
        with visited(browsers(WIDEST), f"{url}/app?theme=dark", routes) as panel:
            expect(panel.table).to_have_attribute("data-page", "dark")
            panel.readable()
            panel.is_well(*own)


def test_solara_plays(bundle, browsers, tmp_path):
    """What is live stands without its picture; the page of the server asks nobody but its makers whether they can be reached."""
    number = version("Solara")
    bin_ = installed(*(f"{name}=={number}" for name in ("solara", "solara-ui", "solara-server", "solara-assets")))
    command = ["solara", "run", "app.py", "--host", "127.0.0.1", "--port", "{port}", "--no-open"]
    with (
        open_house(bin_, command, {"app.py": recipe("Solara")}, tmp_path, says=re.compile(r"starting at (http\S+)")) as url,
        visited(browsers(WIDEST), url) as solara,
    ):
        solara.plays()
        solara.answers()
        solara.readable()
        solara.is_well("solara.dev")
