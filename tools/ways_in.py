"""Tests both ways to start as a newcomer would: in a fresh clone, with a new environment.

It runs every notebook of the series there.

`python tools/ways_in.py lab` tests `make lab`, and `python tools/ways_in.py binder` tests Binder, if its version of
Python is on this machine. Without an argument, both are tested. The output says what was installed, how many
megabytes it takes, how long it took, and what is wrong in the outputs of the notebooks. Packages are downloaded.
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
"""A program that runs all notebooks, and prints what is wrong in each: errors, or other kinds of output than stored."""


class Way(NamedTuple):
    """A way to start (`make lab` or Binder) that has been carried out."""

    tree: Path
    """The folder of the fresh clone."""
    python: Path
    environment: dict[str, str]
    seconds: float
    """The time in seconds from the clone until a notebook can be opened."""
    before: frozenset[str] = frozenset()
    """The packages that were installed before the steps of this project."""
    steps: tuple[Step, ...] = ()
    """The steps of an image build with their sizes; empty if no image is built."""


class Step(NamedTuple):
    """One step of an image build.

    Its files stay in the image, even if a later step removes them.
    """

    name: str
    seconds: float
    megabytes: float

    def __str__(self) -> str:
        return f"{self.name} {self.seconds:.0f} s, {self.megabytes:.0f} MB"


class NoWayError(Exception):
    """An error because a way to start can't be tested on this machine, with the reason."""


def run(*command: str | Path, cwd: Path, env: dict[str, str]) -> str:
    """Run a command and return its output; raise an error if it fails."""
    process = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if process.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))} failed:\n{process.stdout}")
    return process.stdout


def as_cloned(place: Path) -> Path:
    """Copy the files of the project that a clone would have.

    Without git, these are all files that no tool created here.
    """
    tracked_names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split("\0")
    if not any(tracked_names):
        return Path(shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(*MADE)))
    for name in filter(None, tracked_names):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, place / name)
    return place


def clean(home: Path) -> dict[str, str]:
    """Return the environment variables without this Python's own, and with an empty home."""
    mine = ("PYTHON", "VIRTUAL_ENV", "COV", "DURAK", "JUPYTER", "IPYTHON")
    return {name: value for name, value in os.environ.items() if not name.startswith(mine)} | {"HOME": str(home)}


def installed(python: Path, env: dict[str, str]) -> dict[str, str]:
    """Return the installed packages of an environment, with their versions."""
    listed = run(python, "-m", "pip", "list", "--format=json", "--disable-pip-version-check", cwd=python.parent, env=env)
    return {
        package["name"].lower().replace("_", "-"): package["version"] for package in json.loads(listed[listed.index("[") :].splitlines()[0])
    }


def through_lab(home: Path) -> Way:
    """Do what `make lab` does before it opens JupyterLab."""
    tree, env = as_cloned(home / "repo"), clean(home)
    start_time = time.monotonic()
    run("sh", "tools/venv.sh", "lab", cwd=tree, env=env)
    python = tree / ".venv" / "bin" / "python"
    run(python, "tools/frontend.py", "build", cwd=tree, env=env)
    return Way(tree, python, env, time.monotonic() - start_time)


def plan() -> dict[str, Any]:
    """Return the build steps that repo2docker plans for Binder."""
    return json.loads(subprocess.run([sys.executable, "tools/binder.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout)


def through_binder(home: Path) -> Way:
    """Carry out Binder's build steps in a virtual environment that is like a fresh image."""
    steps = plan()
    python = shutil.which(f"python{steps['python']}")
    if not python or subprocess.run([python, "-c", "import ensurepip"], capture_output=True, check=False).returncode:
        raise NoWayError(f"Binder runs Python {steps['python']}, which is not installed here")
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
    start_time = time.monotonic()
    files_before = _files(home)
    for name, command in [
        *(("install", ("bash", "-c", step)) for step in steps["install"]),
        *((step, (tree / step,)) for step in steps["postBuild"]),
    ]:
        since = time.monotonic()
        run(*command, cwd=tree, env=env)
        seconds, files_after = time.monotonic() - since, _files(home)
        layers.append(Step(name, seconds, _megabytes(files_after - files_before)))
        files_before = files_after
    return Way(tree, prefix / "bin" / "python", env, time.monotonic() - start_time, before, tuple(layers))


def _files(folder: Path) -> set[tuple[str, int, int]]:
    """Return the name, size and time of each file in a folder, to detect changes."""
    stats = ((path, path.lstat()) for path in folder.rglob("*") if path.is_symlink() or path.is_file())
    return {(str(path), stat.st_size, stat.st_mtime_ns) for path, stat in stats}


def _megabytes(files: set[tuple[str, int, int]]) -> float:
    return sum(size for _, size, _ in files) / 1e6


WAYS: dict[str, Callable[[Path], Way]] = {"lab": through_lab, "binder": through_binder}


def wrong(way: Way) -> dict[str, list[str]]:
    """Run every notebook in the clone, and return what is wrong in each."""
    env = way.environment | {"DURAK_WIDGET_HOME": str(way.tree.parent / "student"), "IPYTHONDIR": str(way.tree.parent / "ipython")}
    output = run(way.python, "-c", SHOWS, cwd=way.tree, env=env)
    return dict(json.loads(line) for line in output.splitlines() if line.startswith('["'))


def weight(way: Way) -> str:
    """Describe which packages were installed, and how many megabytes they take, largest first."""
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
    """Test the given ways to start (by default all); return 1 if a notebook is wrong."""
    if unknown := [name for name in names if name not in WAYS]:
        print(f"there is no way {', '.join(unknown)}; there are {', '.join(WAYS)}")
        return 2
    failed = False
    for name in names or WAYS:
        with tempfile.TemporaryDirectory(prefix="durak-way-") as home:
            try:
                way = WAYS[name](Path(home))
            except NoWayError as reason:
                print(f"{name}: skipped. {reason}")
                continue
            print(f"{name}: open after {way.seconds:.0f} s; {weight(way)}")
            if way.steps:
                print(f"{name}: its image grows by {sum(step.megabytes for step in way.steps):.0f} MB: {'; '.join(map(str, way.steps))}")
            start_time = time.monotonic()
            problems = wrong(way)
            seconds = time.monotonic() - start_time
            for notebook, sentences in problems.items():
                failed = failed or bool(sentences)
                print(f"  {notebook}: {'; '.join(sentences) or 'clean'}")
            print(
                f"{name}: {sum(not sentences for sentences in problems.values())} of {len(problems)} notebooks are clean; all took {seconds:.0f} s to run"
            )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
