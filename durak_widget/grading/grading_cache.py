"""A cache of grades, so that grading a folder again grades only what has changed.

It is in the grader's own cache folder, never among the submissions, since nothing is trusted that a student could
have written. An entry depends on the whole package, the assignment, the edition, the student, the question and the
exact answer.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import read_json, replace_text
from durak_widget.grading.answer_grading import AnswerWorth
from durak_widget.sandbox.code_runner import WALLS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from durak_widget.grading.answer_grading import How

_FORM: Final = "durak_widget.judged/1"
_MOST: Final = 20_000
"""Largest number of answers that are stored for a class."""
_FILES: Final = 10
"""Largest number of classes."""
_LONGEST: Final = 2**25
_OTHER_CODE: Final = {"frontend", "static", "__pycache__"}


class Remembered:
    """The stored grades for these settings.

    Nothing is stored for assignments from outside the package, since their code is not known here.
    """

    def __init__(self, how: How, folder: str | PathLike[str]) -> None:
        """Load the stored grades.

        A cache in the folder that is graded, or where others may write, is ignored.
        """
        self._file = _file(how, folder)
        self._found = _read(self._file) if self._file else {}

    def of(self, answer: str) -> AnswerWorth | None:
        """Return the stored grade of an answer, or None.

        The answer is given by a text that distinguishes it from all others.
        """
        return self._found.get(_name(answer))

    def keep(self, judged: Mapping[str, AnswerWorth]) -> None:
        """Store the reproducible grades; do nothing if that is not possible."""
        if self._file is None:
            return
        new = {_name(answer): grade for answer, grade in judged.items() if grade.lasting}
        if new.items() <= self._found.items():
            return
        all_grades = self._found = {name: grade for name, grade in self._found.items() if name not in new} | new
        data = {
            name: [str(grade.credit), grade.mistake, grade.said, sorted(grade.missing)] for name, grade in list(all_grades.items())[-_MOST:]
        }
        with contextlib.suppress(OSError):
            replace_text(self._file, json.dumps({"form": _FORM, "judged": data}))
            files = sorted(self._file.parent.glob("*.json"), key=lambda file: file.stat().st_mtime)
            for old in files[:-_FILES]:
                old.unlink()


def _name(answer: str) -> str:
    return sha256(answer.encode("utf-8", "surrogatepass")).hexdigest()


def _file(how: How, folder: str | PathLike[str]) -> Path | None:
    """Return the cache file for these settings, or None if others may write to it."""
    package = _package()
    if not isinstance(how.assignment, str) or ":" in how.assignment or not package:
        return None
    with contextlib.suppress(OSError, RuntimeError, ValueError):
        cache_folder = _place()
        cache_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        cache_folder = cache_folder.resolve()
        if cache_folder.is_relative_to(Path(folder).resolve()) or not _own(cache_folder):
            return None
        key = json.dumps(
            [_FORM, package, sys.version, how.assignment, how.edition, how.language, how.runs_code, list(how.limits), how.questions]
        )
        return cache_folder / f"{_name(key)}.json"
    return None


def _place() -> Path:
    """Return this user's cache folder for grades."""
    home, xdg_cache = Path.home(), os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(xdg_cache):  # noqa: PTH117 - it may be empty
        cache_root = Path(xdg_cache)
    elif sys.platform == "win32":
        cache_root = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        cache_root = home / "Library" / "Caches" if sys.platform == "darwin" else home / ".cache"
    return cache_root / "durak_widget" / "judged"


def _own(path: Path) -> bool:
    """Return whether nobody else may write to that path."""
    stat = path.stat()
    return not hasattr(os, "getuid") or (stat.st_uid == os.getuid() and not stat.st_mode & 0o022)


@cache
def _package() -> str:
    """Return a hash of this package, so that any change makes the cache invalid.

    It is empty if the package can't be read.
    """
    digest, root = sha256(), Path(__file__).resolve().parents[1]
    count = 0
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(set(folders) - _OTHER_CODE)
        for name in sorted(files):
            file = Path(folder, name)
            digest.update(f"{file.relative_to(root)} {file.stat().st_size} ".encode())
            digest.update(file.read_bytes())
            count += 1
    return digest.hexdigest() if count else ""


def _read(file: Path) -> dict[str, AnswerWorth]:
    """Load the grades from a cache file; invalid entries are left out."""
    with contextlib.suppress(OSError, ValueError, RecursionError, TypeError, LookupError, AttributeError):
        if file.stat().st_size > _LONGEST or not _own(file):
            return {}
        data = read_json(file.read_text(encoding="utf-8"))
        if data["form"] == _FORM:
            return {name: grade for name, entry in data["judged"].items() if (grade := _judged(entry))}
    return {}


def _judged(plain: Any) -> AnswerWorth | None:  # noqa: ANN401 - whatever stands there
    with contextlib.suppress(TypeError, ValueError, ZeroDivisionError):
        credit, mistake, explanation, missing = plain
        credit_value = Fraction(credit)
        if 0 <= credit_value <= 1 and isinstance(mistake, str) and isinstance(explanation, str) and set(missing) <= set(WALLS):
            return AnswerWorth(credit_value, mistake, explanation, frozenset(missing), lasting=True)
    return None
