"""Test what Binder builds from binder/, as repo2docker does, and play the first notebook."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from human_player import HumanPlayer
from lab_server import environment, local_address, started

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
"""Scroll up: this JupyterLab renders only the visible cells, which are the last ones after running all."""


@pytest.fixture(scope="module")
def binder_environment(tmp_path_factory):
    """Build what Binder would build."""
    try:
        return ways_in.through_binder(tmp_path_factory.mktemp("binder"))
    except ways_in.NoWayError as reason:  # CI must have that Python; other machines may lack it, and then the steps cannot run
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(reason))


def test_repo2docker_chooses_python_and_its_files():
    """The build pack, the Python version and the steps."""
    plan = ways_in.plan()
    assert (plan["pack"], plan["python"]) == ("PythonBuildPack", "3.11")
    assert [script.split("pip ")[-1] for script in plan["install"]] == ['install --no-cache-dir -r "binder/requirements.txt"']
    assert plan["postBuild"] == ["binder/postBuild"]
    assert os.access(ROOT / "binder" / "postBuild", os.X_OK)


def test_jupyterlab_does_not_ask_about_news(binder_environment):
    """The setting is found."""
    settings = Path(binder_environment.environment["NB_PYTHON_PREFIX"]) / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    assert json.loads(settings.read_text(encoding="utf-8"))["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"


def test_kernel_messages_are_not_delayed(binder_environment):
    """The server finds the setting."""
    there = Path(binder_environment.environment["NB_PYTHON_PREFIX"]) / "etc" / "jupyter" / "jupyter_server_config.py"
    assert there.read_bytes() == (ROOT / "tools" / "lab_settings" / "jupyter_server_config.py").read_bytes()


def test_the_badge_leads_to_the_first_notebook():
    """Through a page with a table, which names an existing notebook."""
    page = re.search(r"\[!\[[^]]*\]\([^)]*\)\]\((\S+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))[1]
    assert page == "https://durak-widget.github.io/durak_widget/binder.html"
    (address,) = re.findall(
        r'href="(https://mybinder\.org/v2/[^"]+)"', (ROOT / "docs" / "site" / "binder.html").read_text(encoding="utf-8")
    )
    (path,) = parse_qs(urlsplit(address).query)["urlpath"]
    assert (ROOT / unquote(path).removeprefix("doc/tree/")).is_file()


def test_the_first_notebook_opens_and_its_table_works(binder_environment, tabs):
    """All its cells run. A card is played, and the bot answers."""
    begins = [start.replace("${REPO_DIR}", str(binder_environment.tree))] if (start := ways_in.plan()["start"]) else []
    command = [*begins, f"{binder_environment.environment['NB_PYTHON_PREFIX']}/bin/jupyter", "lab", *local_address()]
    command += ["--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True"]
    with started(
        command,
        binder_environment.tree,
        environment(binder_environment.tree.parent) | {"JUPYTER_CONFIG_PATH": ""} | binder_environment.environment,
    ) as lab:
        book = tabs.there(lab, WELCOME)
        book.page.goto(lab.url)
        book.page.wait_for_url(f"**/doc/workspaces/durak/tree/{WELCOME}")
        book.open("doc")
        book.run_all()
        book.page.wait_for_function(SCROLLED_UP)
        number = book.python("next(n for n, one in Out.items() if type(one).__name__ == 'Table')")
        person = HumanPlayer(book, f"Out[{number}]")
        person.settled()
        person.play(person.legal()[0])
        person.settled()
        assert book.python(f"len({{played.seat for played in Out[{number}].game.history}})") == 2
        assert book.complaints() == []
        assert str(binder_environment.tree) not in book.python("__import__('durak_widget').__file__"), (
            "the installed package is to be used, not the tree"
        )
        tabs.close(book, again=False)
    assert not (binder_environment.tree / "durak_widget" / "frontend" / "node_modules").exists()
