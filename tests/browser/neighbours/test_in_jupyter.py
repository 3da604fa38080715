"""In nbclassic and Voilà a card that is played on the page is played in Python: what they show is a notebook, as docs/where-it-runs.md writes its cells."""

from __future__ import annotations

import pytest
from fonts import WIDEST
from next_door import Next, installed, open_house, recipe, version, visited
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


def shows(classic: Next) -> bool:
    """Whether the widgets of the cells that were run have come, and stay: nbclassic loses them, of anybody, where its page was not yet ready."""
    try:
        classic.page.locator(".widget-label").nth(1).wait_for(timeout=15_000)
        expect(classic.table).to_be_visible(timeout=1000)
    except (AssertionError, PlaywrightTimeoutError):
        return False
    return True


def test_nbclassic_plays(bundle, browsers, tmp_path):
    """The notebook of before Notebook 7: cells are run once its widgets are ready."""
    bin_ = installed(f"nbclassic=={version('nbclassic')}", "ipykernel")
    write(tmp_path, "game.ipynb", [recipe("nbclassic"), SAYS, ASKS])
    command = ["jupyter", "nbclassic", "--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1", "--ServerApp.port={port}"]
    command.append("--IdentityProvider.token=")
    with open_house(bin_, command, {}, tmp_path) as url, visited(browsers(WIDEST), f"{url}/notebooks/game.ipynb") as classic:
        classic.page.wait_for_function(READY)
        for _ in range(4):  # as a person does who sees no table
            classic.page.evaluate("window.Jupyter.notebook.execute_all_cells()")
            if shows(classic):
                break
        classic.plays()
        classic.answers()
        classic.readable()
        classic.is_well(noise="/nbextensions/jupyter-js-widgets/extension.js")  # of widgets that it lost


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_voila_plays(bundle, browsers, tmp_path, theme):
    """A notebook as it is; of other machines its page wants the signs of its own buttons."""
    bin_ = installed(f"voila=={version('Voilà')}", "ipykernel")
    write(tmp_path, "game.ipynb", [recipe("Voilà"), f"from ipywidgets import Label\n{ASKS}"])
    command = ["voila", "game.ipynb", "--no-browser", "--Voila.ip=127.0.0.1", "--port={port}", f"--theme={theme}"]
    with open_house(bin_, command, {}, tmp_path) as url, visited(browsers(WIDEST), url) as voila:
        voila.plays()
        voila.answers()
        expect(voila.table).to_have_attribute("data-page", theme)
        voila.readable()
        voila.is_well("cdn.jsdelivr.net")
