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
"""All that are shown anywhere."""
_ROAD: Final = "list-style:none;margin:0;padding:0"
_LINE: Final = "display:flex;flex-wrap:wrap;align-items:center;gap:2px 12px;padding:3px 0;margin:0"
_BAR: Final = "flex:none;width:7em;height:8px;border-radius:4px;overflow:hidden;background:#8884"
_DONE: Final = "display:block;height:100%;background:#2f8f5b"
CHALLENGE: Final = "/challenge"
"""So ends the name of a challenge, as in `04/challenge`."""


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


def _standing(voice: Voice) -> list[str]:
    """At which of the opponents one is, once one of them has been played."""
    known = rivals_here()
    if known is None or not known.met:
        return []
    if known.next is None:
        return [voice.say("lesson.rivals.all")]
    return [voice.say("lesson.rivals", level=known.level, all=len(PEOPLE), who=called(known.next, voice.language))]


def _is_sound(name: str, one: object) -> bool:
    """Whether an entry of the file can be read: how many tries there were, and whether one was right."""
    if not isinstance(one, dict) or not _is_name(name):
        return False
    tries = one.get("tries")
    return type(tries) is int and 0 <= tries <= _MOST_TRIES and type(one.get("solved")) is bool


class _Row(NamedTuple):
    """A lesson of the road."""

    name: str
    done: int
    all: int
    notebook: str = ""
    star: bool | None = None
    """Whether its challenge is done; None without one."""


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
        self._stamp = self._written()
        _ALL.add(self)

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
            self._tell()

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
        self._tell()

    again = reset

    def _tell(self) -> None:
        """Everybody who shows the same file shows it as it is now."""
        self._stamp = self._written()
        self._changed()
        for other in tuple(_ALL):
            if other is not self and other.path == self.path:
                other.look()

    def look(self) -> None:
        """Look at the file again, if anybody has written it since; another notebook may have."""
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
        """When the file was written, and how large it is; None where there is none."""
        try:
            there = self.path.stat()
        except OSError:
            return None
        return there.st_mtime_ns, there.st_size

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

    def _rows(self) -> list[_Row]:
        """Of each lesson of the series how far one has come; then of all others."""
        entries = self._store.entries
        tried, solved = Counter(map(_lesson, entries)), Counter(_lesson(name) for name, one in entries.items() if one["solved"])
        rows = []
        for number, lesson in SERIES.items():
            title = lesson.title.get(self.language, lesson.title["en"])
            star = None if not lesson.challenge else bool(entries.get(number + CHALLENGE, {}).get("solved"))
            rows.append(_Row(f"{number} · {title}", solved[number], max(lesson.exercises, solved[number]), lesson.notebook, star))
        if tried[""]:
            rows.append(_Row(Voice(self.language).say("lesson.others"), solved[""], tried[""]))
        return rows

    def _picture(self) -> str:
        """A line for each lesson: its name leads to it, a bar says how far one is, a star that its challenge is done."""
        voice, rows = Voice(self.language), self._rows()
        begun = max((place for place, row in enumerate(rows) if row.notebook and row.done), default=0)
        following = next((row for row in [*rows[begun:], *rows] if row.notebook and row.done < row.all), None)
        return f'<ol class="dk-road" style="{_ROAD}">{"".join(_line(row, voice, follows=row is following) for row in rows)}</ol>'

    def sheet(self) -> dict[str, object]:
        """What the page shows."""
        return {
            **blank_sheet(self.kind),
            "question": Voice(self.language).say("lesson.progress"),
            "picture": self._picture(),
            "said": [*self._notes(Voice(self.language)), *_standing(Voice(self.language))],
            "tries": len(self._store.entries),
        }

    def static(self) -> dict[str, str]:
        """How far one is, for print: without the button that forgets it all."""
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
    """One lesson of the road."""
    name = escape(row.name)
    named = f'<a href="{escape(row.notebook)}.ipynb">{name}</a>' if row.notebook else name
    if not row.all:  # homework keeps its answers itself
        return f'<li style="{_LINE}"><span style="flex:0 1 21em">{named}</span></li>'
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
    next_one = f'<b class="dk-follows">← {escape(voice.say("lesson.progress.next"))}</b>' if follows else ""
    return f'<li style="{_LINE}"><span style="flex:0 1 21em">{named}</span>{bar}{tail}{next_one}</li>'


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


class Lesson(NamedTuple):
    """One notebook of the series."""

    title: Mapping[str, str]
    """What it is called, in each language."""
    exercises: int
    """How many of its exercises are remembered: none of homework, which keeps its answers itself."""
    notebook: str = ""
    """The file that it is, without its ending."""
    challenge: bool = False
    """Whether it ends in a challenge, which is among its exercises."""


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
"""By the number with which the names of their exercises begin, as in `01/what-beats-what`."""
