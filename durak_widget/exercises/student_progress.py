"""Keeps a student's progress in a local file, and lists the lessons that it counts.

Nothing is sent, and there is no account. A new lesson needs a line here, a link from its neighbour, and a
line in `docs/glossary.md` for each new term. Each notebook starts with something to do, after 60 words at
most. Then come named exercises, each after a "Next: …" line, and a challenge (a `Position` named
`NN/challenge`). "You can now", the sources of the rules and folded solutions end it. Cells have 15 lines at
most and no helper code; option names don't appear in lessons 0 to 6. A cell that shows an exercise is tagged
`exercise`, and its first line is a comment that gives nothing away. Every position could occur in play, and a
challenge is won by force but not by the obvious move. Every number is worked out in two ways
(`tests/series`). `tests/browser/lab/test_notebooks.py` does every exercise by clicks.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, runtime_checkable
from weakref import WeakSet

from durak_widget.atomic_files import path_of
from durak_widget.bots.bot import PEOPLE
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.notebook_display import Displayed, blank_sheet
from durak_widget.i18n import Voice, called
from durak_widget.json_store import Store, home
from durak_widget.widgets.opponent_record import rivals_here

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from os import PathLike

_LONGEST: Final = 200
_MOST_TRIES: Final = 10**9
_ALL: Final[WeakSet[Progress]] = WeakSet()
"""All `Progress` objects, so that those with the same file stay in step."""
_ROAD: Final = "list-style:none;margin:0;padding:0"
_LINE: Final = "display:flex;flex-wrap:wrap;align-items:center;gap:2px 12px;padding:3px 0;margin:0"
_BAR: Final = "flex:none;width:7em;height:8px;border-radius:4px;overflow:hidden;background:#8884"
_DONE: Final = "display:block;height:100%;background:#2f8f5b"
CHALLENGE: Final = "/challenge"
"""The end of the name of a challenge, as in `04/challenge`."""


@runtime_checkable
class Watched(Protocol):
    """An exercise whose results can be recorded: it has a name and reports answers."""

    name: str

    @property
    def revealed(self) -> bool:
        """Return whether the solution was shown."""

    def check(self) -> bool:
        """Return whether the exercise is solved."""

    def on_answer(self, callback: Callable[[Any], object]) -> None:
        """Call `callback` after each answer."""


def checked_name(name: object) -> str:
    """Return the name if an exercise can be recorded under it, or raise a `DurakError`.

    >>> checked_name("01/trumps")
    '01/trumps'
    """
    if not _is_name(name):
        raise DurakError(f"an exercise is named by a short text in one line, as in '01/what-beats-what', not by {quoted(name)}")
    return str(name)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and 0 < len(name) <= _LONGEST and name.isprintable()


def _standing(voice: Voice) -> list[str]:
    """Return the student's rank among the opponents, once one of them has been played."""
    record = rivals_here()
    if record is None or not record.met:
        return []
    if record.next is None:
        return [voice.say("lesson.rivals.all")]
    return [voice.say("lesson.rivals", level=record.level, all=len(PEOPLE), who=called(record.next, voice.language))]


def _is_sound(name: str, one: object) -> bool:
    """Return whether an entry of the file has a valid number of tries and `solved`."""
    if not isinstance(one, dict) or not _is_name(name):
        return False
    tries = one.get("tries")
    return type(tries) is int and 0 <= tries <= _MOST_TRIES and type(one.get("solved")) is bool


class _Row(NamedTuple):
    """A line of the overview: one lesson."""

    name: str
    done: int
    all: int
    notebook: str = ""
    star: bool | None = None
    """True if the challenge is done; None if there is none."""


class Progress(Displayed):
    """The record of solved exercises and tries; in a notebook, an overview of the lessons.

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
        """Read the file.

        If parts of it can't be read, a copy of the file is kept, and the other parts are used.
        """
        super().__init__(language)
        self.path = Path(path_of(path)) if path is not None else home() / "progress.json"
        self._trouble = ""
        self._store = Store(self.path, _is_sound)
        self._store.read()
        self._stamp = self._written()
        _ALL.add(self)

    @property
    def solved(self) -> tuple[str, ...]:
        """Return the names of the solved exercises."""
        return tuple(name for name, entry in sorted(self._store.entries.items()) if entry["solved"])

    @property
    def tried(self) -> tuple[str, ...]:
        """Return the names of all exercises that were tried."""
        return tuple(sorted(self._store.entries))

    def record(self, name: str, *, solved: bool) -> None:
        """Record one try; a solved exercise stays solved."""
        name = checked_name(name)

        def count(entries: dict[str, dict[str, Any]]) -> bool:
            entry = entries.get(name, {"tries": 0, "solved": False})
            if not _is_sound(name, entry):
                raise DurakError(
                    f"{name} was remembered by a newer version of durak_widget, which this one cannot read; it is left as it is"
                )
            if not entry["solved"]:
                entries[name] = {**entry, "tries": min(entry["tries"] + 1, _MOST_TRIES), "solved": bool(solved)}
            return not entry["solved"]

        if self._store.change(count):
            self._tell()

    def watch(self, task: Watched) -> None:
        """Record the results of an exercise that has a name.

        If recording fails, the exercise still works.
        """
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
        """Delete all records."""

        def forget(entries: dict[str, dict[str, Any]]) -> bool:
            entries.clear()
            return True

        self._store.change(forget)
        self._tell()

    again = reset

    def _tell(self) -> None:
        """Update all overviews of the same file."""
        self._stamp = self._written()
        self._changed()
        for other in tuple(_ALL):
            if other is not self and other.path == self.path:
                other.look()

    def look(self) -> None:
        """Read the file again if another notebook has changed it."""
        stamp = self._written()
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            self._store.read()
            self._trouble = ""
        except DurakError as error:
            self._trouble = str(error)
        self._changed()

    def _written(self) -> tuple[int, int] | None:
        """Return the time and size of the file; None if there is none."""
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size

    def __repr__(self) -> str:
        entries, notes = self._store.entries, self._notes(Voice())
        if not entries:
            return "\n".join(["no exercise has been tried yet", *notes])
        count, done = len(entries), len(self.solved)
        head = f"{done} of {count} {'exercise' if count == 1 else 'exercises'} begun {'is' if done == 1 else 'are'} solved"
        return "\n".join([head, *(f"  {name}  {_said(entry)}" for name, entry in sorted(entries.items())), *notes])

    # What is shown

    def _notes(self, voice: Voice) -> list[str]:
        """Return the problems with the file."""
        aside = self._store.aside
        return [*([voice.say("lesson.aside", file=aside.name)] if aside else []), *([self._trouble] if self._trouble else [])]

    def _rows(self) -> list[_Row]:
        """Return a line for each lesson of the series, and one for all other exercises."""
        entries = self._store.entries
        tried, solved = Counter(map(_lesson, entries)), Counter(_lesson(name) for name, entry in entries.items() if entry["solved"])
        rows = []
        for number, lesson in SERIES.items():
            title = lesson.title.get(self.language, lesson.title["en"])
            star = None if not lesson.challenge else bool(entries.get(number + CHALLENGE, {}).get("solved"))
            rows.append(_Row(f"{number} · {title}", solved[number], max(lesson.exercises, solved[number]), lesson.notebook, star))
        if tried[""]:
            rows.append(_Row(Voice(self.language).say("lesson.others"), solved[""], tried[""]))
        return rows

    def _picture(self) -> str:
        """Return the overview as HTML.

        Each lesson has a link, a bar for the share that is done, and a star if its challenge is done.
        """
        voice, rows = Voice(self.language), self._rows()
        last_started = max((index for index, row in enumerate(rows) if row.notebook and row.done), default=0)
        next_row = next((row for row in [*rows[last_started:], *rows] if row.notebook and row.done < row.all), None)
        return f'<ol class="dk-road" style="{_ROAD}">{"".join(_line(row, voice, follows=row is next_row) for row in rows)}</ol>'

    def sheet(self) -> dict[str, object]:
        """Return the content of the page."""
        return {
            **blank_sheet(self.kind),
            "question": Voice(self.language).say("lesson.progress"),
            "picture": self._picture(),
            "said": [*self._notes(Voice(self.language)), *_standing(Voice(self.language))],
            "tries": len(self._store.entries),
        }

    def static(self) -> dict[str, str]:
        """Return the overview for print, without the reset button."""
        voice = Voice(self.language)
        title = voice.say("lesson.progress")
        rows = self._rows()
        lines = [
            f"{row.name}: {voice.say('lesson.done', done=row.done, all=row.all)}{' ★' if row.star else ''}" if row.all else row.name
            for row in rows
        ]
        html = f'<div class="durak-picture"><p><b>{escape(title)}</b></p>{self._picture()}</div>'
        return {"text/html": html, "text/plain": "\n".join([title, *lines])}


def _line(row: _Row, voice: Voice, *, follows: bool) -> str:
    """Return the HTML of one lesson."""
    name = escape(row.name)
    linked_name = f'<a href="{escape(row.notebook)}.ipynb">{name}</a>' if row.notebook else name
    if not row.all:  # homework stores its answers itself
        return f'<li style="{_LINE}"><span style="flex:0 1 21em">{linked_name}</span></li>'
    share = round(100 * row.done / row.all)
    bar = (
        f'<span class="dk-share" role="progressbar" aria-label="{name}" aria-valuemin="0" aria-valuemax="{row.all}" aria-valuenow="{row.done}" style="{_BAR}">'
        f'<span style="{_DONE};width:{share}%"></span></span>'
    )
    challenge = escape(voice.say("lesson.progress.challenge" if row.star else "lesson.progress.to_do"))
    star = (
        ""
        if row.star is None
        else f'<span class="dk-star" title="{challenge}" role="img" aria-label="{challenge}">{"★" if row.star else "☆"}</span>'
    )
    count = escape(voice.say("lesson.done", done=row.done, all=row.all))
    tail = f'<span style="min-width:5em;white-space:nowrap">{count} {"✓" if row.done == row.all else ""} {star}</span>'
    next_note = f'<b class="dk-follows">← {escape(voice.say("lesson.progress.next"))}</b>' if follows else ""
    return f'<li style="{_LINE}"><span style="flex:0 1 21em">{linked_name}</span>{bar}{tail}{next_note}</li>'


def _lesson(name: str) -> str:
    """Return the lesson of the series that an exercise belongs to; empty for others."""
    lesson, inside, _ = name.partition("/")
    return lesson if inside and lesson in SERIES else ""


def _said(one: dict[str, Any]) -> str:
    tries = one["tries"]
    return f"solved at try {tries}" if one["solved"] else f"{tries} {'try' if tries == 1 else 'tries'}"


def remembered(task: Watched) -> None:
    """Record the results of an exercise in the default file.

    If the file can't be read, the exercise still works.
    """
    if task.name:
        with suppress(DurakError):
            Progress().watch(task)


class Lesson(NamedTuple):
    """A notebook of the series."""

    title: Mapping[str, str]
    """The title in each language."""
    exercises: int
    """The number of recorded exercises; 0 for homework, which stores its answers itself."""
    notebook: str = ""
    """The file name without its extension."""
    challenge: bool = False
    """True if it ends in a challenge, which counts as one of its exercises."""


SERIES: Final[Mapping[str, Lesson]] = {
    "00": Lesson({"en": "Who is the fool?", "ru": "Кто дурак?", "lt": "Kas durnius?"}, 1, "00_welcome"),
    "01": Lesson({"en": "Trumps", "ru": "Козыри", "lt": "Koziriai"}, 8, "01_trumps", challenge=True),
    "02": Lesson(
        {"en": "Attack, defence, taking", "ru": "Атака, защита, взятие", "lt": "Puolimas, gynyba, ėmimas"},
        8,
        "02_attack_and_defence",
        challenge=True,
    ),
    "03": Lesson({"en": "Throw-ins", "ru": "Подкидывание", "lt": "Primetimas"}, 9, "03_throw_ins", challenge=True),
    "04": Lesson(
        {"en": "The end, the fool, epaulettes", "ru": "Конец, дурак, погоны", "lt": "Pabaiga, durnius, antpečiai"},
        13,
        "04_the_end",
        challenge=True,
    ),
    "05": Lesson(
        {"en": "Transfers and the passport", "ru": "Переводы и проездной", "lt": "Pervedimas ir pasas"}, 13, "05_transfers", challenge=True
    ),
    "06": Lesson(
        {"en": "More players, teams, matches", "ru": "Больше игроков, команды, матчи", "lt": "Daugiau žaidėjų, komandos, mačai"},
        13,
        "06_more_players",
        challenge=True,
    ),
    "07": Lesson({"en": "Variants I", "ru": "Варианты: часть первая", "lt": "Atmainos: pirma dalis"}, 17, "07_variants_1", challenge=True),
    "08": Lesson({"en": "Variants II", "ru": "Варианты: часть вторая", "lt": "Atmainos: antra dalis"}, 13, "08_variants_2", challenge=True),
    "09": Lesson(
        {"en": "House rules of your own", "ru": "Свои домашние правила", "lt": "Savos namų taisyklės"}, 9, "09_house_rules", challenge=True
    ),
    "10": Lesson(
        {"en": "Counting cards and chances", "ru": "Счёт карт и вероятности", "lt": "Kortų skaičiavimas ir tikimybės"},
        11,
        "10_counting_cards",
        challenge=True,
    ),
    "11": Lesson(
        {"en": "Endings solved", "ru": "Концовки, решённые с конца", "lt": "Pabaigos, išspręstos nuo galo"},
        10,
        "11_endings_solved",
        challenge=True,
    ),
    "12": Lesson({"en": "Hidden cards", "ru": "Скрытые карты", "lt": "Paslėptos kortos"}, 10, "12_hidden_cards", challenge=True),
    "13": Lesson(
        {"en": "Mixing", "ru": "Смешанные стратегии", "lt": "Mišrios strategijos"},
        9,
        "13_mixing",
        challenge=True,
    ),
    "14": Lesson({"en": "The problem set", "ru": "Задачи", "lt": "Uždaviniai"}, 0, "14_problem_set"),
    "15": Lesson(
        {"en": "What did we play?", "ru": "Как мы играли?", "lt": "Kaip mes žaidėme?"},
        8,
        "15_what_did_we_play",
        challenge=True,
    ),
    "16": Lesson({"en": "Under the hood", "ru": "Под капотом", "lt": "Po gaubtu"}, 2, "16_under_the_hood"),
    "17": Lesson({"en": "Write a bot", "ru": "Пишем бота", "lt": "Parašykite botą"}, 10, "17_write_a_bot", challenge=True),
    "18": Lesson({"en": "Signals", "ru": "Сигналы", "lt": "Signalai"}, 13, "18_signals", challenge=True),
    "19": Lesson(
        {"en": "Three at the table", "ru": "Трое за столом", "lt": "Trise prie stalo"}, 11, "19_three_at_the_table", challenge=True
    ),
}
"""The lessons by the numbers with which the names of their exercises start, as in `01/what-beats-what`."""
