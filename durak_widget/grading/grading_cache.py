"""What was judged before, kept for whoever marks: marking a folder again judges only what has changed.

It lies in the marker's own folder for what programs keep, never among the homework, since nothing is believed that a student could have written. What it holds
goes by the whole package as it is, the assignment, the edition, the student, the question and the very answer; anything else that lies there is not looked at.
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
"""So many answers are kept of one class."""
_FILES: Final = 10
"""So many classes."""
_LONGEST: Final = 2**25
_OTHER_CODE: Final = {"frontend", "static", "__pycache__"}


class Remembered:
    """What was judged before in this way; of assignments that do not come with the package nothing is, since what they are made of is not known here."""

    def __init__(self, how: How, folder: str | PathLike[str]) -> None:
        """Nothing is believed that lies in the folder that is marked, or where others may write."""
        self._file = _file(how, folder)
        self._found = _read(self._file) if self._file else {}

    def of(self, answer: str) -> AnswerWorth | None:
        """What an answer was worth, if that is known; it is given by all that tells it from others."""
        return self._found.get(_name(answer))

    def keep(self, judged: Mapping[str, AnswerWorth]) -> None:
        """Remember what comes out the same whenever it is judged; where nothing can be kept, nothing is."""
        if self._file is None:
            return
        new = {_name(answer): one for answer, one in judged.items() if one.lasting}
        if new.items() <= self._found.items():
            return
        whole = self._found = {name: one for name, one in self._found.items() if name not in new} | new
        plain = {name: [str(one.credit), one.mistake, one.said, sorted(one.missing)] for name, one in list(whole.items())[-_MOST:]}
        with contextlib.suppress(OSError):
            replace_text(self._file, json.dumps({"form": _FORM, "judged": plain}))
            files = sorted(self._file.parent.glob("*.json"), key=lambda file: file.stat().st_mtime)
            for old in files[:-_FILES]:
                old.unlink()


def _name(answer: str) -> str:
    return sha256(answer.encode("utf-8", "surrogatepass")).hexdigest()


def _file(how: How, folder: str | PathLike[str]) -> Path | None:
    """The file for answers that are judged so; None where there is none that nobody else can write."""
    package = _package()
    if not isinstance(how.assignment, str) or ":" in how.assignment or not package:
        return None
    with contextlib.suppress(OSError, RuntimeError, ValueError):
        place = _place()
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        place = place.resolve()
        if place.is_relative_to(Path(folder).resolve()) or not _own(place):
            return None
        said = json.dumps(
            [_FORM, package, sys.version, how.assignment, how.edition, how.language, how.runs_code, list(how.limits), how.questions]
        )
        return place / f"{_name(said)}.json"
    return None


def _place() -> Path:
    """Where programs keep, for this user, what they can do without."""
    home, asked = Path.home(), os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(asked):  # noqa: PTH117 - it may be empty
        caches = Path(asked)
    elif sys.platform == "win32":
        caches = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        caches = home / "Library" / "Caches" if sys.platform == "darwin" else home / ".cache"
    return caches / "durak_widget" / "judged"


def _own(path: Path) -> bool:
    """Whether nobody else may write there."""
    stat = path.stat()
    return not hasattr(os, "getuid") or (stat.st_uid == os.getuid() and not stat.st_mode & 0o022)


@cache
def _package() -> str:
    """All of this package as it is, so that after any change all is judged anew; nothing, where that cannot be read."""
    whole, root = sha256(), Path(__file__).resolve().parents[1]
    count = 0
    for here, folders, files in os.walk(root):
        folders[:] = sorted(set(folders) - _OTHER_CODE)
        for name in sorted(files):
            file = Path(here, name)
            whole.update(f"{file.relative_to(root)} {file.stat().st_size} ".encode())
            whole.update(file.read_bytes())
            count += 1
    return whole.hexdigest() if count else ""


def _read(file: Path) -> dict[str, AnswerWorth]:
    """What a file holds; whatever in it has another form is left out."""
    with contextlib.suppress(OSError, ValueError, RecursionError, TypeError, LookupError, AttributeError):
        if file.stat().st_size > _LONGEST or not _own(file):
            return {}
        found = read_json(file.read_text(encoding="utf-8"))
        if found["form"] == _FORM:
            return {name: one for name, plain in found["judged"].items() if (one := _judged(plain))}
    return {}


def _judged(plain: Any) -> AnswerWorth | None:  # noqa: ANN401 - whatever stands there
    with contextlib.suppress(TypeError, ValueError, ZeroDivisionError):
        credit, mistake, said, missing = plain
        worth = Fraction(credit)
        if 0 <= worth <= 1 and isinstance(mistake, str) and isinstance(said, str) and set(missing) <= set(WALLS):
            return AnswerWorth(worth, mistake, said, frozenset(missing), lasting=True)
    return None
