"""What has been solved, remembered between visits in a small file of the student's own: no account, nothing sent."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from durak_widget.errors import DurakError, quoted
from durak_widget.files import path_of
from durak_widget.lessons.display import Displayed, blank
from durak_widget.lessons.series import SERIES
from durak_widget.lessons.store import Store
from durak_widget.words import Voice

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

_LONGEST: Final = 200
_MOST_TRIES: Final = 10**9


@runtime_checkable
class Watched(Protocol):
    """What can be remembered: it has a name, and tells when it is answered."""

    name: str

    @property
    def revealed(self) -> bool:
        """Whether its solution was shown."""

    def check(self) -> bool:
        """Whether it is solved."""

    def on_answer(self, callback: Callable[[Any], object]) -> None:
        """Call back after each answer."""


def home() -> Path:
    """The folder of the file: `DURAK_WIDGET_HOME` if that is set, else `.durak_widget` in the student's own folder."""
    try:
        return Path(os.environ.get("DURAK_WIDGET_HOME") or Path.home() / ".durak_widget")
    except RuntimeError:
        raise DurakError("there is no home folder to remember progress in; set DURAK_WIDGET_HOME, or give a path") from None


def checked_name(name: object) -> str:
    """A name under which an exercise can be remembered.

    >>> checked_name("01/trumps")
    '01/trumps'
    """
    if not _is_name(name):
        raise DurakError(f"an exercise is named by a short text in one line, as in '01/what-beats-what', not by {quoted(name)}")
    return str(name)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and 0 < len(name) <= _LONGEST and name.isprintable()


def _is_sound(name: str, one: object) -> bool:
    """Whether an entry of the file can be read: how many tries there were, and whether one was right."""
    if not isinstance(one, dict) or not _is_name(name):
        return False
    tries = one.get("tries")
    return type(tries) is int and 0 <= tries <= _MOST_TRIES and type(one.get("solved")) is bool


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

    kind = "progress"

    def __init__(self, path: str | PathLike[str] | None = None, *, language: str | None = None) -> None:
        """Read the file; where not all of it can be read, it is kept beside as it was, and the rest goes on."""
        super().__init__(language)
        self.path = Path(path_of(path)) if path is not None else home() / "progress.json"
        self._trouble = ""
        self._store = Store(self.path, _is_sound)
        self._store.read()

    @property
    def solved(self) -> tuple[str, ...]:
        """The names of the exercises that are solved."""
        return tuple(name for name, one in sorted(self._store.entries.items()) if one["solved"])

    @property
    def tried(self) -> tuple[str, ...]:
        """The names of the exercises that were tried at all."""
        return tuple(sorted(self._store.entries))

    def record(self, name: str, *, solved: bool) -> None:
        """Remember one try; what is solved stays solved."""
        name = checked_name(name)

        def count(entries: dict[str, dict[str, Any]]) -> bool:
            one = entries.get(name, {"tries": 0, "solved": False})
            if not _is_sound(name, one):
                raise DurakError(
                    f"{name} was remembered by a newer version of durak_widget, which this one cannot read; it is left as it is"
                )
            if not one["solved"]:
                entries[name] = {**one, "tries": min(one["tries"] + 1, _MOST_TRIES), "solved": bool(solved)}
            return not one["solved"]

        if self._store.change(count):
            self._changed()

    def watch(self, task: Watched) -> None:
        """Remember here what becomes of an exercise that has a name; where that cannot be done, the exercise is no worse for it."""
        if not isinstance(task, Watched):
            raise DurakError(f"what is remembered is an exercise, such as lessons.Pick(…), not {quoted(task)}")
        if task.name:
            task.on_answer(lambda _: self._remember(task))

    def _remember(self, task: Watched) -> None:
        if task.revealed:
            return
        try:
            self.record(task.name, solved=task.check())
            self._trouble = ""
        except DurakError as error:
            self._trouble = str(error)
            self._changed()

    def reset(self) -> None:
        """Forget everything."""

        def forget(entries: dict[str, dict[str, Any]]) -> bool:
            entries.clear()
            return True

        self._store.change(forget)
        self._changed()

    again = reset

    def __repr__(self) -> str:
        known, notes = self._store.entries, self._notes(Voice())
        if not known:
            return "\n".join(["no exercise has been tried yet", *notes])
        count, done = len(known), len(self.solved)
        head = f"{done} of {count} {'exercise' if count == 1 else 'exercises'} begun {'is' if done == 1 else 'are'} solved"
        return "\n".join([head, *(f"  {name}  {_said(one)}" for name, one in sorted(known.items())), *notes])

    # What is shown

    def _notes(self, voice: Voice) -> list[str]:
        """What went wrong with the file."""
        aside = self._store.aside
        return [*([voice.say("lesson.aside", file=aside.name)] if aside else []), *([self._trouble] if self._trouble else [])]

    def _rows(self) -> list[tuple[str, int, int]]:
        """Of each lesson of the series its name, how many of its exercises are solved, and how many there are; then of all others."""
        tried = Counter(map(_lesson, self._store.entries))
        solved = Counter(_lesson(name) for name, one in self._store.entries.items() if one["solved"])
        rows = []
        for number, lesson in SERIES.items():
            title = lesson.title.get(self.language, lesson.title["en"])
            rows.append((f"{number} · {title}", solved[number], max(lesson.exercises, solved[number])))
        if tried[""]:
            rows.append((Voice(self.language).say("lesson.others"), solved[""], tried[""]))
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
            **blank(self.kind),
            "question": Voice(self.language).say("lesson.progress"),
            "picture": self._picture(),
            "said": self._notes(Voice(self.language)),
            "tries": len(self._store.entries),
        }

    def static(self) -> dict[str, str]:
        """The same, without the button that forgets it all."""
        voice = Voice(self.language)
        title = voice.say("lesson.progress")
        lines = [f"{name}: {voice.say('lesson.done', done=done, all=count)}" for name, done, count in self._rows()]
        html = f'<div class="durak-picture"><p><b>{escape(title)}</b></p>{self._picture()}</div>'
        return {"text/html": html, "text/plain": "\n".join([title, *lines])}


def _lesson(name: str) -> str:
    """To which lesson of the series an exercise belongs; nothing for all others."""
    lesson, inside, _ = name.partition("/")
    return lesson if inside and lesson in SERIES else ""


def _said(one: dict[str, Any]) -> str:
    tries = one["tries"]
    return f"solved at try {tries}" if one["solved"] else f"{tries} {'try' if tries == 1 else 'tries'}"


def remembered(task: Watched) -> None:
    """What is done in a notebook is remembered there; where nothing can be read, the exercise is no worse for it."""
    if task.name:
        with suppress(DurakError):
            Progress().watch(task)
