"""What Binder does with binder/, step by step as repo2docker says, in a clean environment; then its first notebook is played in a browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from lab_server import environment, here, started
from person import Person

ROOT = Path(__file__).resolve().parents[2]
MADE = (".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "node_modules", "static", ".built", ".test", "build", "dist")
WELCOME = "notebooks/00_welcome.ipynb"
SCROLLED_UP = """() => {
  const pane = document.querySelector(".jp-WindowedPanel-outer");
  pane.scrollTop = 0;
  pane.dispatchEvent(new Event("scroll"));
  return document.querySelector("[aria-label='Durak table']");
}"""
"""As whoever scrolls up: this JupyterLab keeps only the cells in sight, and where all was run, that is the last."""


class Image(NamedTuple):
    """What Binder would have built."""

    tree: Path
    environment: dict[str, str]
    plan: dict[str, Any]


def run(*command: str | Path, cwd: Path, env: dict[str, str]) -> str:
    """What a command prints; it has to succeed."""
    done = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


def as_cloned(place: Path) -> Path:
    """The project as somebody who clones it gets it: what git knows of; without git, what was not made here."""
    known = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split("\0")  # noqa: S607
    if not any(known):
        return Path(shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*MADE)))
    for name in filter(None, known):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, place / name)
    return place


@pytest.fixture(scope="module")
def plan() -> dict[str, Any]:
    """The steps, as repo2docker itself says them."""
    return json.loads(subprocess.run([sys.executable, "tools/binder.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout)


@pytest.fixture(scope="module")
def image(plan, tmp_path_factory) -> Image:
    """A virtual environment of that Python with what an image begins with; then each step in its order."""
    home = tmp_path_factory.mktemp("binder")
    tree = as_cloned(home / "repo")
    python = shutil.which(f"python{plan['python']}")
    usable = python and not subprocess.run([python, "-c", "import ensurepip"], capture_output=True, check=False).returncode
    if not usable:  # CI has it and must; on another machine the steps cannot be followed without just this Python
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"Binder runs Python {plan['python']}, which is not here")
    prefix = home / "prefix"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "COV"))}
    known = {
        **clean,
        "PATH": f"{prefix / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "REPO_DIR": str(tree),
        "NB_PYTHON_PREFIX": str(prefix),
        "KERNEL_PYTHON_PREFIX": str(prefix),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    run(python, "-m", "venv", prefix, cwd=tree, env=known)
    run(prefix / "bin" / "pip", "install", "--quiet", *plan["base"], cwd=tree, env=known)
    for script in plan["install"]:
        run("bash", "-c", script, cwd=tree, env=known)
    for script in plan["postBuild"]:
        run(tree / script, cwd=tree, env=known)
    return Image(tree, known, plan)


def test_repo2docker_chooses_python_and_its_files(plan):
    """Which build pack, which Python, and that our files are its steps."""
    assert (plan["pack"], plan["python"]) == ("PythonBuildPack", "3.11")
    assert [script.split("pip ")[-1] for script in plan["install"]] == ['install --no-cache-dir -r "binder/requirements.txt"']
    assert plan["postBuild"] == ["binder/postBuild"]
    assert os.access(ROOT / "binder" / "postBuild", os.X_OK)


def test_nobody_is_asked_about_news(image):
    """JupyterLab finds the answer among its settings."""
    settings = Path(image.environment["NB_PYTHON_PREFIX"]) / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    assert json.loads(settings.read_text(encoding="utf-8"))["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"


def test_what_a_kernel_says_leaves_at_once(image):
    """The server finds, among its own settings, the one that keeps nothing back."""
    there = Path(image.environment["NB_PYTHON_PREFIX"]) / "etc" / "jupyter" / "jupyter_server_config.py"
    assert there.read_bytes() == (ROOT / "tools" / "lab_settings" / "jupyter_server_config.py").read_bytes()


def test_the_badge_leads_to_the_first_notebook():
    """The address in the README names a notebook that is there."""
    (address,) = set(re.findall(r"https://mybinder\.org/v2/[^)\s]+", (ROOT / "README.md").read_text(encoding="utf-8")))
    (path,) = parse_qs(urlsplit(address).query)["urlpath"]
    assert (ROOT / unquote(path).removeprefix("doc/tree/")).is_file()


def test_binder_opens_on_a_table_and_it_plays(image, tabs):
    """JupyterLab begins at the first notebook; all its cells run; a card is played there and the bot answers."""
    start = [image.plan["start"].replace("${REPO_DIR}", str(image.tree))] if image.plan["start"] else []
    command = [*start, f"{image.environment['NB_PYTHON_PREFIX']}/bin/jupyter", "lab", *here()]
    command += ["--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True"]
    with started(command, image.tree, environment(image.tree.parent) | {"JUPYTER_CONFIG_PATH": ""} | image.environment) as lab:
        book = tabs.there(lab, WELCOME)
        book.page.goto(lab.url)
        book.page.wait_for_url(f"**/doc/tree/{WELCOME}")
        book.open("doc")
        book.run_all()
        book.page.wait_for_function(SCROLLED_UP)
        number = book.python("next(n for n, one in Out.items() if type(one).__name__ == 'Table')")
        person = Person(book, f"Out[{number}]")
        person.settled()
        person.play(person.legal()[0])
        person.settled()
        assert book.python(f"len({{played.seat for played in Out[{number}].game.course}})") == 2
        assert book.complaints() == []
        assert str(image.tree) not in book.python("__import__('durak_widget').__file__"), (
            "the installed package is to be used, not the tree"
        )
        tabs.close(book, again=False)
    assert not (image.tree / "durak_widget" / "frontend" / "node_modules").exists()
