"""What Binder does with binder/, step by step as repo2docker says, in a clean environment; then its first notebook is played in a browser."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from lab_server import environment, here, started
from person import Person

import ways_in

ROOT = Path(__file__).resolve().parents[3]
pytestmark = pytest.mark.slow
WELCOME = "notebooks/00_welcome.ipynb"
SCROLLED_UP = """() => {
  const pane = document.querySelector(".jp-WindowedPanel-outer");
  pane.scrollTop = 0;
  pane.dispatchEvent(new Event("scroll"));
  return document.querySelector("[aria-label='Durak table']");
}"""
"""As whoever scrolls up: this JupyterLab keeps only the cells in sight, and where all was run, that is the last."""


@pytest.fixture(scope="module")
def way(tmp_path_factory):
    """What Binder would have built."""
    try:
        return ways_in.through_binder(tmp_path_factory.mktemp("binder"))
    except ways_in.NoWayError as reason:  # CI has that Python and must; on another machine the steps cannot be followed without it
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(reason))


def test_repo2docker_chooses_python_and_its_files():
    """Which build pack, which Python, and that our files are its steps."""
    plan = ways_in.plan()
    assert (plan["pack"], plan["python"]) == ("PythonBuildPack", "3.11")
    assert [script.split("pip ")[-1] for script in plan["install"]] == ['install --no-cache-dir -r "binder/requirements.txt"']
    assert plan["postBuild"] == ["binder/postBuild"]
    assert os.access(ROOT / "binder" / "postBuild", os.X_OK)


def test_nobody_is_asked_about_news(way):
    """JupyterLab finds the answer among its settings."""
    settings = Path(way.environment["NB_PYTHON_PREFIX"]) / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    assert json.loads(settings.read_text(encoding="utf-8"))["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"


def test_what_a_kernel_says_leaves_at_once(way):
    """The server finds, among its own settings, the one that keeps nothing back."""
    there = Path(way.environment["NB_PYTHON_PREFIX"]) / "etc" / "jupyter" / "jupyter_server_config.py"
    assert there.read_bytes() == (ROOT / "tools" / "lab_settings" / "jupyter_server_config.py").read_bytes()


def test_the_badge_leads_to_the_first_notebook():
    """By the page to play meanwhile, which names a notebook that is there."""
    page = re.search(r"\[!\[[^]]*\]\([^)]*\)\]\((\S+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))[1]
    assert page == "https://durak-widget.github.io/durak_widget/binder.html"
    (address,) = re.findall(
        r'href="(https://mybinder\.org/v2/[^"]+)"', (ROOT / "docs" / "site" / "binder.html").read_text(encoding="utf-8")
    )
    (path,) = parse_qs(urlsplit(address).query)["urlpath"]
    assert (ROOT / unquote(path).removeprefix("doc/tree/")).is_file()


def test_binder_opens_on_a_table_and_it_plays(way, tabs):
    """JupyterLab begins at the first notebook; all its cells run; a card is played there and the bot answers."""
    begins = [start.replace("${REPO_DIR}", str(way.tree))] if (start := ways_in.plan()["start"]) else []
    command = [*begins, f"{way.environment['NB_PYTHON_PREFIX']}/bin/jupyter", "lab", *here()]
    command += ["--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True"]
    with started(command, way.tree, environment(way.tree.parent) | {"JUPYTER_CONFIG_PATH": ""} | way.environment) as lab:
        book = tabs.there(lab, WELCOME)
        book.page.goto(lab.url)
        book.page.wait_for_url(f"**/doc/workspaces/durak/tree/{WELCOME}")
        book.open("doc")
        book.run_all()
        book.page.wait_for_function(SCROLLED_UP)
        number = book.python("next(n for n, one in Out.items() if type(one).__name__ == 'Table')")
        person = Person(book, f"Out[{number}]")
        person.settled()
        person.play(person.legal()[0])
        person.settled()
        assert book.python(f"len({{played.seat for played in Out[{number}].game.history}})") == 2
        assert book.complaints() == []
        assert str(way.tree) not in book.python("__import__('durak_widget').__file__"), "the installed package is to be used, not the tree"
        tabs.close(book, again=False)
    assert not (way.tree / "durak_widget" / "frontend" / "node_modules").exists()
