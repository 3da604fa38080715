"""Goes our own ways in as a newcomer does: a fresh clone, exactly the environment that each makes, every notebook of the series run in it.

`python tools/ways_in.py` goes through both and prints what each installs, what that weighs and how long it takes, and what is wrong in what the notebooks show;
`python tools/ways_in.py lab` through `make lab`, `python tools/ways_in.py binder` through Binder, where there is the Python that it runs. It fetches packages.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
MADE = (".git", ".venv", ".*_cache", ".hypothesis", "__pycache__", "node_modules", "static", ".built", ".test", "build", "dist")
SHOWS = """
import json, sys
from pathlib import Path
import nbformat
from nbclient import NotebookClient

LIVE = "application/vnd.jupyter.widget-view+json"

def kinds(cell):
    found = [(one.output_type, sorted(set(one.get("data", ())) - {LIVE})) for one in cell.outputs if set(one.get("data", ("text",))) != {LIVE}]
    return [one for one, before in zip(found, [None, *found]) if one != before or one[0] != "stream"]  # a text may come in pieces

for path in sorted(Path("notebooks").glob("*.ipynb")):
    stored = nbformat.read(path, as_version=4)
    shown = nbformat.read(path, as_version=4)
    NotebookClient(shown, kernel_name="python3", allow_errors=True, timeout=300, resources={"metadata": {"path": "notebooks"}}).execute()
    wrong = []
    for number, (cell, before) in enumerate(zip(shown.cells, stored.cells), 1):
        if cell.cell_type != "code":
            continue
        errors = [f"{one.ename}: {one.evalue}" for one in cell.outputs if one.output_type == "error"]
        errors += [one.text for one in cell.outputs if one.output_type == "stream" and one.name == "stderr"]
        if not errors and kinds(cell) != kinds(before):
            errors = [f"shows {kinds(cell)}, where {kinds(before)} is stored"]
        wrong += [f"cell {number}: {error}" for error in errors]
    print(json.dumps([path.name, wrong]), flush=True)
"""
"""Runs in the environment of a way: what each notebook shows that it should not, or does not show that is stored in it."""


class Way(NamedTuple):
    """A way in, gone through."""

    tree: Path
    """The clone that it began with."""
    python: Path
    environment: dict[str, str]
    seconds: float
    """From the clone until a notebook can be opened."""
    before: frozenset[str] = frozenset()
    """What was installed before it was our turn."""
    steps: tuple[Step, ...] = ()
    """Where each is a layer of an image: what the clone and each step put there."""


class Step(NamedTuple):
    """One step of a build, whose files stay in the image, even if a later step takes them away."""

    name: str
    seconds: float
    megabytes: float

    def __str__(self) -> str:
        return f"{self.name} {self.seconds:.0f} s, {self.megabytes:.0f} MB"


class NoWayError(Exception):
    """A way that cannot be tried on this machine, and why."""


def run(*command: str | Path, cwd: Path, env: dict[str, str]) -> str:
    """What a command prints; it has to succeed."""
    done = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} failed:\n{done.stdout}")
    return done.stdout


def as_cloned(place: Path) -> Path:
    """The project as somebody who clones it gets it: what git knows of; without git, what was not made here."""
    known = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split("\0")
    if not any(known):
        return Path(shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*MADE)))
    for name in filter(None, known):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, place / name)
    return place


def clean(home: Path) -> dict[str, str]:
    """This environment without what belongs to this Python, and with an empty home."""
    mine = ("PYTHON", "VIRTUAL_ENV", "COV", "DURAK", "JUPYTER", "IPYTHON")
    return {name: value for name, value in os.environ.items() if not name.startswith(mine)} | {"HOME": str(home)}


def installed(python: Path, env: dict[str, str]) -> dict[str, str]:
    """The packages of an environment, and their versions."""
    listed = run(python, "-m", "pip", "list", "--format=json", "--disable-pip-version-check", cwd=python.parent, env=env)
    return {one["name"].lower().replace("_", "-"): one["version"] for one in json.loads(listed[listed.index("[") :].splitlines()[0])}


def through_lab(home: Path) -> Way:
    """What `make lab` makes before it opens JupyterLab."""
    tree, env = as_cloned(home / "repo"), clean(home)
    began = time.monotonic()
    run("sh", "tools/venv.sh", "lab", cwd=tree, env=env)
    python = tree / ".venv" / "bin" / "python"
    run(python, "tools/frontend.py", "build", cwd=tree, env=env)
    return Way(tree, python, env, time.monotonic() - began)


def plan() -> dict[str, Any]:
    """The steps of Binder, as repo2docker itself says them."""
    return json.loads(subprocess.run([sys.executable, "tools/binder.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout)


def through_binder(home: Path) -> Way:
    """A virtual environment of Binder's Python with what an image begins with; then each step in its order."""
    steps = plan()
    python = shutil.which(f"python{steps['python']}")
    if not python or subprocess.run([python, "-c", "import ensurepip"], capture_output=True, check=False).returncode:
        raise NoWayError(f"Binder runs Python {steps['python']}, which is not here")
    tree, prefix = as_cloned(home / "repo"), home / "prefix"
    env = clean(home) | {
        "PATH": f"{prefix / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "REPO_DIR": str(tree),
        "NB_PYTHON_PREFIX": str(prefix),
        "KERNEL_PYTHON_PREFIX": str(prefix),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    layers = [Step("clone", 0, _megabytes(_files(home)))]
    run(python, "-m", "venv", prefix, cwd=tree, env=env)
    run(prefix / "bin" / "pip", "install", "--quiet", *steps["base"], cwd=tree, env=env)
    before = frozenset(installed(prefix / "bin" / "python", env))
    began = time.monotonic()
    there = _files(home)
    for name, command in [
        *(("install", ("bash", "-c", one)) for one in steps["install"]),
        *((one, (tree / one,)) for one in steps["postBuild"]),
    ]:
        since = time.monotonic()
        run(*command, cwd=tree, env=env)
        took, now = time.monotonic() - since, _files(home)
        layers.append(Step(name, took, _megabytes(now - there)))
        there = now
    return Way(tree, prefix / "bin" / "python", env, time.monotonic() - began, before, tuple(layers))


def _files(folder: Path) -> set[tuple[str, int, int]]:
    """Each file of a folder, with what changes when it is written."""
    stats = ((path, path.lstat()) for path in folder.rglob("*") if path.is_symlink() or path.is_file())
    return {(str(path), stat.st_size, stat.st_mtime_ns) for path, stat in stats}


def _megabytes(files: set[tuple[str, int, int]]) -> float:
    return sum(size for _, size, _ in files) / 1e6


WAYS: dict[str, Callable[[Path], Way]] = {"lab": through_lab, "binder": through_binder}


def wrong(way: Way) -> dict[str, list[str]]:
    """Every notebook of the clone, and what is wrong in what it shows there."""
    env = way.environment | {"DURAK_WIDGET_HOME": str(way.tree.parent / "student"), "IPYTHONDIR": str(way.tree.parent / "ipython")}
    said = run(way.python, "-c", SHOWS, cwd=way.tree, env=env)
    return dict(json.loads(line) for line in said.splitlines() if line.startswith('["'))


def weight(way: Way) -> str:
    """What it brought, and the megabytes of what lies in its folder of packages, largest first."""
    listed = subprocess.run(["du", "-sm", *_packages(way).iterdir()], capture_output=True, text=True, check=False).stdout
    sizes = sorted(((int(size), Path(path).name) for size, path in (line.split("\t") for line in listed.splitlines())), reverse=True)
    brought = sorted(set(installed(way.python, way.environment)) - way.before)
    size_of = {name: size for size, name in sizes}
    sized = [f"{name} {size_of.get(name.replace('-', '_'), 0)}" for name in brought]
    heaviest = ", ".join(f"{name} {size}" for size, name in sizes[:8])
    return f"{sum(size for size, _ in sizes)} MB of packages ({heaviest}); it brings {len(brought)}: {', '.join(sized)}"


def _packages(way: Way) -> Path:
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    return Path(run(way.python, "-c", code, cwd=way.tree, env=way.environment).strip())


def main(names: list[str]) -> int:
    """Go through the ways that are named, or through all; 1 where a notebook shows what it should not."""
    if unknown := [name for name in names if name not in WAYS]:
        print(f"there is no way {', '.join(unknown)}: there are {', '.join(WAYS)}")
        return 2
    failed = False
    for name in names or WAYS:
        with tempfile.TemporaryDirectory(prefix="durak-way-") as home:
            try:
                way = WAYS[name](Path(home))
            except NoWayError as reason:
                print(f"{name}: not tried. {reason}")
                continue
            print(f"{name}: open after {way.seconds:.0f} s; {weight(way)}")
            if way.steps:
                print(f"{name}: its image grows by {sum(step.megabytes for step in way.steps):.0f} MB: {'; '.join(map(str, way.steps))}")
            began = time.monotonic()
            found = wrong(way)
            took = time.monotonic() - began
            for notebook, sentences in found.items():
                failed = failed or bool(sentences)
                print(f"  {notebook}: {'; '.join(sentences) or 'clean'}")
            print(
                f"{name}: {sum(not sentences for sentences in found.values())} of {len(found)} notebooks are clean; to run them all took {took:.0f} s"
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
