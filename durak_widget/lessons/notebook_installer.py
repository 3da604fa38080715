"""`durak-lessons FOLDER`: the lessons that the package brings along, laid into a folder of one's own and opened; what lies there already is left as it is."""

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
"""Where the pages lie to which lessons lead, for whoever has none of them beside."""
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
"""Opens JupyterLab without running a module that lies in the current folder; its kernels have the `PYTHONPATH` that was given."""


def lessons_here() -> list[Path]:
    """The notebooks: those in the package, or, where it runs from its sources, those beside it.

    >>> lessons_here()[0].name
    '00_welcome.ipynb'
    """
    for folder in (_PACKAGE / "notebooks", _PACKAGE.parent / "notebooks"):
        if (folder / _FIRST).is_file():
            return sorted(folder.glob("[0-9][0-9]_*.ipynb"))
    raise DurakError("this installation brought no lessons along; install it again: pip install --force-reinstall durak_widget")


def lay_down(folder: Path) -> tuple[list[str], list[str]]:
    """Lay the lessons into a folder: which are new there, and which lay there already and stay as they are.

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
    new: list[str] = []
    kept: list[str] = []
    for lesson in lessons_here():
        text = re.sub(r"\]\(\.\./docs/", f"]({_DOCS}", lesson.read_text(encoding="utf-8"))
        try:
            write_new(str(folder / lesson.name), text.encode())
        except FileExistsError:
            kept.append(lesson.name)
        else:
            new.append(lesson.name)
    return new, kept


def main(arguments: Sequence[str]) -> int:
    """Lay them down, say so, and open the first; 0 if all is well."""
    parser = argparse.ArgumentParser(prog="durak-lessons", description="lays the lessons into a folder, and opens the first in JupyterLab")
    parser.add_argument("folder", nargs="?", default="durak_lessons", help="where to; durak_lessons without one")
    parser.add_argument("--no-open", action="store_true", help="only lay them down")
    asked = parser.parse_args(arguments)
    folder = Path(asked.folder)
    try:
        new, kept = lay_down(folder)
    except DurakError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command says what is wrong
        return 1
    except OSError as error:
        print(f"{error.filename or folder}: {error.strerror or type(error).__name__}", file=sys.stderr)  # noqa: T201 - as above
        return 1
    was = f"; {len(kept)} lay there already, and stay as they are" if kept else ""
    print(f"{len(new)} lessons are new in {folder}{was}")  # noqa: T201 - and what it has done
    if asked.no_open:
        return 0
    if not is_there("jupyterlab"):
        print("they are read in JupyterLab, which is not installed: pip install 'durak_widget[lab]', then durak-lessons again")  # noqa: T201 - as above
        return 0
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if given := os.environ.get("PYTHONPATH"):
        environment[_GIVEN] = given
    command = [
        sys.executable,
        *safe_import_path.START_OPTIONS,
        "-c",
        _OPENS,
        str(folder / _FIRST),
        *safe_import_path.worker_path(str(folder)),
    ]
    return subprocess.run(command, check=False, env=environment).returncode  # noqa: S603 - this very Python
