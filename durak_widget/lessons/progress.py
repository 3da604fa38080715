"""What has been solved, remembered between visits in a small file of the student's own: no account, nothing sent."""

from __future__ import annotations

import json
import os
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from durak_widget.errors import DurakError
from durak_widget.lessons.display import Displayed, blank
from durak_widget.lessons.series import SERIES
from durak_widget.words import Voice

if TYPE_CHECKING:
    from os import PathLike

    from durak_widget.lessons.task import Task

_VERSION: Final = 1


def home() -> Path:
    """The folder of the file: `DURAK_WIDGET_HOME` if that is set, else `.durak_widget` in the student's own folder."""
    return Path(os.environ.get("DURAK_WIDGET_HOME") or Path.home() / ".durak_widget")


class Progress(Displayed):
    """Which exercises are solved, and after how many tries; in a notebook, how far one has come in each lesson.

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

    def __init__(self, path: str | PathLike[str] | None = None, *, language: str = "en") -> None:
        """Read the file; where it cannot be read, it is set aside and a new one is begun."""
        super().__init__(language)
        self.path = Path(path) if path is not None else home() / "progress.json"
        self._known: dict[str, dict[str, int | bool]] = {}
        self._read()

    def _read(self) -> None:
        try:
            text = self.path.read_text(encoding="utf-8", errors="replace")
        except (FileNotFoundError, NotADirectoryError):
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
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
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
            self._changed()

    def watch(self, task: Task) -> None:
        """Remember here what becomes of an exercise that has a name."""
        if task.name:
            task.on_answer(lambda _: self.record(task.name, solved=task.check()))

    def reset(self) -> None:
        """Forget everything."""
        before, self._known = self._known, {}
        try:
            self._write()
        except DurakError:
            self._known = before
            raise
        self._changed()

    again = reset

    def _write(self) -> None:
        """In one step, so that the file is never half written."""
        fresh = self.path.with_suffix(f".{os.getpid()}.new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_text(json.dumps({"version": _VERSION, "exercises": self._known}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
            fresh.replace(self.path)
        except OSError as error:
            raise DurakError(
                f"progress cannot be written to {self.path.name}: {error.strerror}; give another path, as in Progress('my.json')"
            ) from None

    def __repr__(self) -> str:
        if not self._known:
            return "no exercise has been tried yet"
        count, done = len(self._known), len(self.solved)
        head = f"{done} of {count} {'exercise' if count == 1 else 'exercises'} begun {'is' if done == 1 else 'are'} solved"
        return "\n".join([head, *(f"  {name}  {_said(one)}" for name, one in sorted(self._known.items()))])

    # What is shown

    def _rows(self) -> list[tuple[str, int, int]]:
        """Of each lesson of the series its name, how many of its exercises are solved, and how many there are; then of all others."""
        rows = []
        for number, lesson in SERIES.items():
            done = sum(name.startswith(f"{number}/") for name in self.solved)
            title = lesson.title.get(self.language, lesson.title["en"])
            rows.append((f"{number} · {title}", done, max(lesson.exercises, done)))
        if others := [name for name in self.tried if name.split("/")[0] not in SERIES]:
            rows.append((Voice(self.language).say("lesson.others"), sum(name in self.solved for name in others), len(others)))
        return rows

    def _picture(self) -> str:
        voice = Voice(self.language)
        rows = "".join(
            f'<tr><td style="text-align:left">{escape(name)}</td><td><progress value="{done}" max="{max(count, 1)}" aria-label="{escape(name)}" style="width:6em;max-width:18vw"></progress></td>'
            f'<td style="text-align:left;white-space:nowrap">{escape(voice.say("lesson.done", done=done, all=count))}</td></tr>'
            for name, done, count in self._rows()
        )
        return f'<table style="margin:0">{rows}</table>'

    def sheet(self) -> dict[str, object]:
        """What the page shows."""
        return {
            **blank("progress"),
            "question": Voice(self.language).say("lesson.progress"),
            "picture": self._picture(),
            "tries": len(self._known),
        }

    def static(self) -> dict[str, str]:
        """The same, without the button that forgets it all."""
        voice = Voice(self.language)
        title = voice.say("lesson.progress")
        lines = [f"{name}: {voice.say('lesson.done', done=done, all=count)}" for name, done, count in self._rows()]
        html = f'<div class="durak-picture"><p><b>{escape(title)}</b></p>{self._picture()}</div>'
        return {"text/html": html, "text/plain": "\n".join([title, *lines])}


def _said(one: dict[str, int | bool]) -> str:
    tries = one["tries"]
    return f"solved at try {tries}" if one["solved"] else f"{tries} {'try' if tries == 1 else 'tries'}"
