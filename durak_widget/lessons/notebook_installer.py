"""Runs `durak-lessons FOLDER`: copies the lesson notebooks into a folder and opens them.

Files that exist there already stay as they are.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from durak_widget import safe_import_path
from durak_widget.atomic_files import write_new
from durak_widget.errors import DurakError
from durak_widget.optional_dependencies import is_there

if TYPE_CHECKING:
    from collections.abc import Sequence

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_DOCS: Final = "https://github.com/durak-widget/durak_widget/blob/HEAD/docs/"
"""Address of the pages that lessons link to, for users who do not have them on disk."""
_FIRST: Final = "00_welcome.ipynb"
_GIVEN: Final = "DURAK_WIDGET_PYTHONPATH"
_OPENS: Final = f"""
import os, sys
first, sys.path[:] = sys.argv[1], sys.argv[2:]
if "{_GIVEN}" in os.environ:
    os.environ["PYTHONPATH"] = os.environ.pop("{_GIVEN}")
from jupyterlab.labapp import main
sys.argv = ["jupyter-lab", first]
sys.exit(main())
"""
"""Opens JupyterLab without running a module of the current folder.

Its kernels get the original `PYTHONPATH`.
"""


def lessons_here() -> list[Path]:
    """Return the notebooks in the package or, where it runs from its sources, beside it.

    >>> lessons_here()[0].name
    '00_welcome.ipynb'
    """
    for folder in (_PACKAGE / "notebooks", _PACKAGE.parent / "notebooks"):
        if (folder / _FIRST).is_file():
            return sorted(folder.glob("[0-9][0-9]_*.ipynb"))
    raise DurakError("this installation brought no lessons along; install it again: pip install --force-reinstall durak_widget")


def lay_down(folder: Path) -> tuple[list[str], list[str]]:
    """Copy the lessons into a folder; return those that are new and those that existed.

    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp()) / "mine"
    >>> new, kept = lay_down(folder); new[0], kept
    ('00_welcome.ipynb', [])
    >>> lay_down(folder)[0]
    []
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise DurakError(f"{str(folder)!r} is a file; name a folder for the lessons") from None
    copied: list[str] = []
    existing: list[str] = []
    for lesson in lessons_here():
        text = re.sub(r"\]\(\.\./docs/", f"]({_DOCS}", lesson.read_text(encoding="utf-8"))
        try:
            write_new(str(folder / lesson.name), text.encode())
        except FileExistsError:
            existing.append(lesson.name)
        else:
            copied.append(lesson.name)
    return copied, existing


def main(arguments: Sequence[str]) -> int:
    """Copy the lessons, print what was done, and open the first; return 0 if all is well."""
    parser = argparse.ArgumentParser(prog="durak-lessons", description="lays the lessons into a folder, and opens the first in JupyterLab")
    parser.add_argument("folder", nargs="?", default="durak_lessons", help="where to; durak_lessons without one")
    parser.add_argument("--no-open", action="store_true", help="only lay them down")
    options = parser.parse_args(arguments)
    folder = Path(options.folder)
    try:
        copied, existing = lay_down(folder)
    except DurakError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command says what is wrong
        return 1
    except OSError as error:
        print(f"{error.filename or folder}: {error.strerror or type(error).__name__}", file=sys.stderr)  # noqa: T201 - as above
        return 1
    already_there = f"; {len(existing)} lay there already, and stay as they are" if existing else ""
    print(f"{len(copied)} lessons are new in {folder}{already_there}")  # noqa: T201 - and what it has done
    if options.no_open:
        return 0
    if not is_there("jupyterlab"):
        print("they are read in JupyterLab, which is not installed: pip install 'durak_widget[lab]', then durak-lessons again")  # noqa: T201 - as above
        return 0
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if python_path := os.environ.get("PYTHONPATH"):
        environment[_GIVEN] = python_path
    command = [
        sys.executable,
        *safe_import_path.START_OPTIONS,
        "-c",
        _OPENS,
        str(folder / _FIRST),
        *safe_import_path.worker_path(str(folder)),
    ]
    return subprocess.run(command, check=False, env=environment).returncode  # noqa: S603 - this very Python
