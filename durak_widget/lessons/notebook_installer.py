"""The command `durak-lessons FOLDER`, which copies the lesson notebooks and opens them.

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
from durak_widget.atomic_files import write_new_file
from durak_widget.errors import DurakError
from durak_widget.optional_dependencies import is_installed

if TYPE_CHECKING:
    from collections.abc import Sequence

_PACKAGE: Final = Path(__file__).resolve().parents[1]
_DOCS_URL: Final = "https://github.com/durak-widget/durak_widget/blob/HEAD/docs/"
"""The address of the documentation to which copied lessons link."""
_FIRST_NOTEBOOK: Final = "00_welcome.ipynb"
_PYTHONPATH_VARIABLE: Final = "DURAK_WIDGET_PYTHONPATH"
_OPEN_CODE: Final = f"""
import os, sys
first, sys.path[:] = sys.argv[1], sys.argv[2:]
if "{_PYTHONPATH_VARIABLE}" in os.environ:
    os.environ["PYTHONPATH"] = os.environ.pop("{_PYTHONPATH_VARIABLE}")
from jupyterlab.labapp import main
sys.argv = ["jupyter-lab", first]
sys.exit(main())
"""
"""Code that opens JupyterLab without importing modules from the current folder.

The kernels that JupyterLab starts get the original `PYTHONPATH`.
"""


def list_notebooks() -> list[Path]:
    """Return the paths of the lesson notebooks in this installation.

    >>> list_notebooks()[0].name
    '00_welcome.ipynb'
    """
    for folder in (_PACKAGE / "notebooks", _PACKAGE.parent / "notebooks"):
        if (folder / _FIRST_NOTEBOOK).is_file():
            return sorted(folder.glob("[0-9][0-9]*_*.ipynb"))
    raise DurakError("this installation has no lessons; install it again: pip install --force-reinstall durak_widget")


def copy_notebooks(folder: Path) -> tuple[list[str], list[str]]:
    """Copy the lesson notebooks; return the names of the new files and of existing files.

    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp()) / "mine"
    >>> new, kept = copy_notebooks(folder); new[0], kept
    ('00_welcome.ipynb', [])
    >>> copy_notebooks(folder)[0]
    []
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise DurakError(f"{str(folder)!r} is a file; give a folder for the lessons") from None
    copied: list[str] = []
    existing: list[str] = []
    for lesson in list_notebooks():
        text = re.sub(r"\]\(\.\./docs/", f"]({_DOCS_URL}", lesson.read_text(encoding="utf-8"))
        try:
            write_new_file(str(folder / lesson.name), text.encode())
        except FileExistsError:
            existing.append(lesson.name)
        else:
            copied.append(lesson.name)
    return copied, existing


def main(arguments: Sequence[str]) -> int:
    """Copy the lessons, print a report, and open the first lesson; return 0 on success."""
    parser = argparse.ArgumentParser(prog="durak-lessons", description="copy the lessons to a folder, and open the first one in JupyterLab")
    parser.add_argument("folder", nargs="?", default="durak_lessons", help="the folder for the lessons; durak_lessons if you give none")
    parser.add_argument("--no-open", action="store_true", help="only copy the lessons; don't open JupyterLab")
    options = parser.parse_args(arguments)
    folder = Path(options.folder)
    try:
        copied, existing = copy_notebooks(folder)
    except DurakError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command prints its errors
        return 1
    except OSError as error:
        print(f"{error.filename or folder}: {error.strerror or type(error).__name__}", file=sys.stderr)  # noqa: T201 - as above
        return 1
    already_there = f"; {len(existing)} were already there and are unchanged" if existing else ""
    print(f"{len(copied)} lessons are new in {folder}{already_there}")  # noqa: T201 - a command reports what it did
    if options.no_open:
        return 0
    if not is_installed("jupyterlab"):
        print("you need JupyterLab to read them, and it is not installed. Run pip install 'durak_widget[lab]', then durak-lessons again")  # noqa: T201 - as above
        return 0
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if python_path := os.environ.get("PYTHONPATH"):
        environment[_PYTHONPATH_VARIABLE] = python_path
    command = [
        sys.executable,
        *safe_import_path.START_OPTIONS,
        "-c",
        _OPEN_CODE,
        str(folder / _FIRST_NOTEBOOK),
        *safe_import_path.build_worker_path(str(folder)),
    ]
    return subprocess.run(command, check=False, env=environment).returncode  # noqa: S603 - the same Python interpreter
