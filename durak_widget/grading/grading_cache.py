"""A cache of grades, with which only new answers are graded when a folder is graded again.

The cache is in the grader's own cache folder, never among the submissions, since grading trusts nothing that a student could have
written. A cached grade is valid only for the same package code, assignment, edition, student, question and answer.
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

from durak_widget.atomic_files import parse_json_text, replace_text
from durak_widget.grading.answer_grading import GradedAnswer
from durak_widget.sandbox.code_runner import RESTRICTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from durak_widget.grading.answer_grading import GradingSettings

_FORMAT: Final = "durak_widget.grades/2"
_MAX_ANSWERS: Final = 20_000
"""The maximum number of grades in one cache file."""
_MAX_FILES: Final = 10
"""The maximum number of cache files; the oldest files are deleted."""
_MAX_BYTES: Final = 2**25
_IGNORED_FOLDERS: Final = {"frontend", "static", "__pycache__"}


class GradingCache:
    """A cache of grades for one assignment, one set of settings and this package version.

    Nothing is cached for assignments from outside the package, since changes in their code can't be noticed.
    """

    def __init__(self, settings: GradingSettings, folder: str | PathLike[str]) -> None:
        """Load the cached grades from the cache file.

        A cache inside the folder to grade, or in a place where other users may write, is ignored.
        """
        self._path = _find_cache_file(settings, folder)
        self._grades = _load_grades(self._path) if self._path else {}

    def get(self, key: str) -> GradedAnswer | None:
        """Return the cached grade of an answer, or None if it is not cached.

        `key` is a text that distinguishes the answer from all other answers.
        """
        return self._grades.get(_hash_key(key))

    def store(self, grades: Mapping[str, GradedAnswer]) -> None:
        """Cache all grades that are reproducible; do nothing if the cache can't be written."""
        if self._path is None:
            return
        new_grades = {_hash_key(answer): grade for answer, grade in grades.items() if grade.is_reproducible}
        if new_grades.items() <= self._grades.items():
            return
        all_grades = self._grades = {name: grade for name, grade in self._grades.items() if name not in new_grades} | new_grades
        data = {
            name: [str(grade.credit), grade.mistake_name, grade.explanation, sorted(grade.missing_protections)]
            for name, grade in list(all_grades.items())[-_MAX_ANSWERS:]
        }
        with contextlib.suppress(OSError):
            replace_text(self._path, json.dumps({"format": _FORMAT, "grades": data}))
            files = sorted(self._path.parent.glob("*.json"), key=lambda file: file.stat().st_mtime)
            for old in files[:-_MAX_FILES]:
                old.unlink()


def _hash_key(key: str) -> str:
    return sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _find_cache_file(settings: GradingSettings, folder: str | PathLike[str]) -> Path | None:
    """Return the cache file for these settings; None if no file can be trusted."""
    package = _hash_package()
    if not isinstance(settings.assignment, str) or ":" in settings.assignment or not package:
        return None
    with contextlib.suppress(OSError, RuntimeError, ValueError):
        cache_folder = _find_cache_folder()
        cache_folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        cache_folder = cache_folder.resolve()
        if cache_folder.is_relative_to(Path(folder).resolve()) or not _is_private(cache_folder):
            return None
        key = json.dumps(
            [
                _FORMAT,
                package,
                sys.version,
                settings.assignment,
                settings.edition,
                settings.language,
                settings.runs_code,
                list(settings.limits),
                settings.questions,
            ]
        )
        return cache_folder / f"{_hash_key(key)}.json"
    return None


def _find_cache_folder() -> Path:
    """Return the folder for this user's cached grades."""
    home, xdg_cache = Path.home(), os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(xdg_cache):  # noqa: PTH117 - the variable may be empty
        cache_root = Path(xdg_cache)
    elif sys.platform == "win32":
        cache_root = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        cache_root = home / "Library" / "Caches" if sys.platform == "darwin" else home / ".cache"
    return cache_root / "durak_widget" / "grading_cache"


def _is_private(path: Path) -> bool:
    """Return whether no other user may write to a path."""
    stat = path.stat()
    return not hasattr(os, "getuid") or (stat.st_uid == os.getuid() and not stat.st_mode & 0o022)


@cache
def _hash_package() -> str:
    """Return a hash of this package's code, so that any change of the code empties the cache.

    The hash is "" if the package can't be read.
    """
    digest, root = sha256(), Path(__file__).resolve().parents[1]
    count = 0
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(set(folders) - _IGNORED_FOLDERS)
        for name in sorted(files):
            file = Path(folder, name)
            digest.update(f"{file.relative_to(root)} {file.stat().st_size} ".encode())
            digest.update(file.read_bytes())
            count += 1
    return digest.hexdigest() if count else ""


def _load_grades(file: Path) -> dict[str, GradedAnswer]:
    """Load the grades from a cache file; skip invalid entries."""
    with contextlib.suppress(OSError, ValueError, RecursionError, TypeError, LookupError, AttributeError):
        if file.stat().st_size > _MAX_BYTES or not _is_private(file):
            return {}
        data = parse_json_text(file.read_text(encoding="utf-8"))
        if data["format"] == _FORMAT:
            return {name: grade for name, entry in data["grades"].items() if (grade := _parse_grade(entry))}
    return {}


def _parse_grade(data: Any) -> GradedAnswer | None:  # noqa: ANN401 - any value
    with contextlib.suppress(TypeError, ValueError, ZeroDivisionError):
        credit, mistake, explanation, missing = data
        credit_value = Fraction(credit)
        if 0 <= credit_value <= 1 and isinstance(mistake, str) and isinstance(explanation, str) and set(missing) <= set(RESTRICTIONS):
            return GradedAnswer(credit_value, mistake, explanation, frozenset(missing), is_reproducible=True)
    return None
