"""What has been solved, remembered between visits in a small file of the student's own: no account, nothing sent."""

from __future__ import annotations

import json
import os
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from os import PathLike

    from durak_widget.lessons.exercise import Exercise

_VERSION: Final = 1


def home() -> Path:
    """The folder of the file: `DURAK_WIDGET_HOME` if that is set, else `.durak_widget` in the student's own folder."""
    return Path(os.environ.get("DURAK_WIDGET_HOME") or Path.home() / ".durak_widget")


class Progress:
    """Which exercises are solved, and after how many tries.

    >>> from tempfile import mkdtemp
    >>> progress = Progress(Path(mkdtemp()) / "progress.json")
    >>> progress.record("01/trumps", solved=False); progress.record("01/trumps", solved=True)
    >>> progress
    1 of 1 exercise begun is solved
      01/trumps  solved at try 2
    >>> Progress(progress.path).solved
    ('01/trumps',)
    >>> progress.reset(); progress
    no exercise has been tried yet
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        """Read the file; where it cannot be read, it is set aside and a new one is begun."""
        self.path = Path(path) if path is not None else home() / "progress.json"
        self._known: dict[str, dict[str, int | bool]] = {}
        self._read()

    def _read(self) -> None:
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return
        except OSError as error:
            raise DurakError(
                f"progress cannot be read from {self.path.name}: {error.strerror}; give another path, as in Progress('my.json')"
            ) from None
        try:
            kept = json.loads(text)
            self._known = {
                str(name): {"tries": int(one["tries"]), "solved": bool(one["solved"])} for name, one in kept["exercises"].items()
            }
        except (ValueError, KeyError, TypeError, AttributeError):
            self.path.replace(self.path.with_suffix(".unreadable"))

    @property
    def solved(self) -> tuple[str, ...]:
        """The names of the exercises that are solved."""
        return tuple(name for name, one in sorted(self._known.items()) if one["solved"])

    @property
    def tried(self) -> tuple[str, ...]:
        """The names of the exercises that were tried at all."""
        return tuple(sorted(self._known))

    def record(self, name: str, *, solved: bool) -> None:
        """Remember one try; what is solved stays solved."""
        self._read()  # another notebook may have written since
        one = self._known.setdefault(name, {"tries": 0, "solved": False})
        if not one["solved"]:
            one["tries"] += 1
            one["solved"] = solved
            self._write()

    def watch(self, exercise: Exercise) -> None:
        """Remember what becomes of an exercise that has a name."""
        if exercise.name:
            exercise.on_answer(lambda _: self.record(exercise.name, solved=exercise.check()))

    def reset(self) -> None:
        """Forget everything."""
        self._known = {}
        self._write()

    def _write(self) -> None:
        """In one step, so that the file is never half written."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.path.with_suffix(".new")
        fresh.write_text(json.dumps({"version": _VERSION, "exercises": self._known}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        fresh.replace(self.path)

    def __repr__(self) -> str:
        if not self._known:
            return "no exercise has been tried yet"
        count, done = len(self._known), len(self.solved)
        head = f"{done} of {count} {'exercise' if count == 1 else 'exercises'} begun {'is' if done == 1 else 'are'} solved"
        return "\n".join([head, *(f"  {name}  {_said(one)}" for name, one in sorted(self._known.items()))])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{'✓' if one['solved'] else '…'}</td><td>{escape(name)}</td><td>{_said(one)}</td></tr>"
            for name, one in sorted(self._known.items())
        )
        return f"<table>{rows}</table>" if rows else f"<p>{self!r}</p>"


def _said(one: dict[str, int | bool]) -> str:
    tries = one["tries"]
    return f"solved at try {tries}" if one["solved"] else f"{tries} {'try' if tries == 1 else 'tries'}"
