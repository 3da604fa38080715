"""Test nbclassic and Voilà with the notebook of docs/where-it-runs.md."""

from __future__ import annotations

import pytest
from app_driver import AppPage, documented_version, installed, open_app_page, recipe, serve_app
from fonts import WIDEST
from notebook_page import write
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from playwright.sync_api import expect

SAYS = "from IPython.display import display\nfrom ipywidgets import Label\nsaid = Label('0 moves so far')\ntable.on_move(lambda _: setattr(said, 'value', f'{table.game.ply} moves so far'))\nsaid"
ASKS = (
    "from durak_widget import lessons\nasked, solved = lessons.Pick.beaters('Tc', of='9c Jc', trump='h'), Label('not yet')\n"
    "asked.on_answer(lambda verdict: setattr(solved, 'value', 'solved' if verdict else 'not yet'))\ndisplay(asked, solved)"
)
READY = """() => {
  const notebook = window.Jupyter?.notebook;
  return notebook?.kernel?.is_connected() && notebook.kernel.widget_manager && !notebook.kernel_busy
    && notebook.get_cells()[0]?.output_area.mime_types().includes("application/vnd.jupyter.widget-view+json");
}"""
pytestmark = pytest.mark.release


def has_widgets(classic: AppPage) -> bool:
    """Return whether the widgets of the run cells have come and stay. nbclassic loses them if its page was not ready."""
    try:
        classic.page.locator(".widget-label").nth(1).wait_for(timeout=15_000)
        expect(classic.table).to_be_visible(timeout=1000)
    except (AssertionError, PlaywrightTimeoutError):
        return False
    return True


def test_table_can_be_played_in_nbclassic(bundle, browsers, tmp_path):
    """Cells run once its widgets are ready."""
    bin_ = installed(f"nbclassic=={documented_version('nbclassic')}", "ipykernel")
    write(tmp_path, "game.ipynb", [recipe("nbclassic"), SAYS, ASKS])
    command = ["jupyter", "nbclassic", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1", "--ServerApp.port={port}"]
    command.append("--IdentityProvider.token=")
    with serve_app(bin_, command, {}, tmp_path) as url, open_app_page(browsers(WIDEST), f"{url}/notebooks/game.ipynb") as classic:
        classic.page.wait_for_function(READY)
        for _ in range(4):  # like a user who sees no table
            classic.page.evaluate("window.Jupyter.notebook.execute_all_cells()")
            if has_widgets(classic):
                break
        classic.check_table()
        classic.check_exercise()
        classic.check_readability()
        classic.check_no_errors(noise="/nbextensions/jupyter-js-widgets/extension.js")  # about widgets that it lost


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_table_can_be_played_in_voila(bundle, browsers, tmp_path, theme):
    """Its page asks another machine for its own icons."""
    bin_ = installed(f"voila=={documented_version('Voilà')}", "ipykernel")
    write(tmp_path, "game.ipynb", [recipe("Voilà"), f"from ipywidgets import Label\n{ASKS}"])
    command = ["voila", "game.ipynb", "--no-browser", "--Voila.ip=127.0.0.1", "--port={port}", f"--theme={theme}"]
    with serve_app(bin_, command, {}, tmp_path) as url, open_app_page(browsers(WIDEST), url) as voila:
        voila.check_table()
        voila.check_exercise()
        expect(voila.table).to_have_attribute("data-page", theme)
        voila.check_readability()
        voila.check_no_errors("cdn.jsdelivr.net")
