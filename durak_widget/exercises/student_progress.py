"""A student's progress, stored in a local file, and an overview of the lessons.

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

from durak_widget.atomic_files import require_path
from durak_widget.bots.bot import OPPONENT_BOTS
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.notebook_display import NotebookDisplay, empty_view_model
from durak_widget.i18n import Translator, get_opponent_name
from durak_widget.json_store import JsonStore, get_data_folder
from durak_widget.widgets.opponent_record import load_opponent_record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from os import PathLike

_MAX_NAME_LENGTH: Final = 200
_MAX_ATTEMPTS: Final = 10**9
_FORMER_KEYS: Final = {"tries": "attempts"}
"""Renamed keys of a stored exercise: the key in version 1, and the present key."""
_OPEN_PROGRESS: Final[WeakSet[Progress]] = WeakSet()
"""All open `Progress` objects; those that use the same file are updated together."""
_LESSONS_SHOWN: Final = 4
"""The number of lessons that the overview shows before the reader unfolds the others."""
_LIST_CSS: Final = "list-style:none;margin:0;padding:0"
_LINE_CSS: Final = "display:flex;flex-wrap:wrap;align-items:center;gap:2px 12px;padding:3px 0;margin:0"
_BAR_CSS: Final = "flex:none;width:7em;height:8px;border-radius:4px;overflow:hidden;background:#8884"
_DONE_CSS: Final = "display:block;height:100%;background:#2f8f5b"
CHALLENGE_SUFFIX: Final = "/challenge"
"""The suffix of a challenge exercise's name, as in `04/challenge`."""


@runtime_checkable
class RecordableExercise(Protocol):
    """The interface of an exercise whose results can be recorded."""

    name: str

    @property
    def is_revealed(self) -> bool:
        """Return whether the exercise's solution was shown."""

    def check(self) -> bool:
        """Return whether the exercise is solved."""

    def on_answer(self, callback: Callable[[Any], object]) -> None:
        """Register a function that is called after each answer."""


def require_exercise_name(name: object) -> str:
    """Return the name of an exercise if it is valid; otherwise raise a `DurakError`.

    >>> require_exercise_name("01/trumps")
    '01/trumps'
    """
    if not _is_valid_name(name):
        raise DurakError(f"the name of an exercise must be a short text in one line, as in '01/what-beats-what', not {short_repr(name)}")
    return str(name)


def _is_valid_name(name: object) -> bool:
    return isinstance(name, str) and 0 < len(name) <= _MAX_NAME_LENGTH and name.isprintable()


def _describe_rank(voice: Translator) -> list[str]:
    """Say which opponent the student plays next; say nothing before the first game."""
    record = load_opponent_record()
    if record is None or not record.has_games:
        return []
    if record.next_opponent is None:
        return [voice.translate("lesson.rivals.all")]
    return [
        voice.translate(
            "lesson.rivals", level=record.level, all=len(OPPONENT_BOTS), who=get_opponent_name(record.next_opponent, voice.language)
        )
    ]


def _is_valid_entry(name: str, entry: object) -> bool:
    """Return whether an entry of the progress file has valid `attempts` and `solved`."""
    if not isinstance(entry, dict) or not _is_valid_name(name):
        return False
    attempts = entry.get("attempts")
    return type(attempts) is int and 0 <= attempts <= _MAX_ATTEMPTS and type(entry.get("solved")) is bool


class _LessonRow(NamedTuple):
    """A line of the progress overview, for one lesson or for all exercises outside lessons."""

    name: str
    done_count: int
    exercise_count: int
    notebook: str = ""
    is_challenge_done: bool | None = None
    """True if the lesson's challenge is solved; None if the lesson has no challenge."""


class Progress(NotebookDisplay):
    """A student's record of tried and solved exercises, shown as an overview of the lessons.

    >>> from tempfile import mkdtemp
    >>> progress = Progress(Path(mkdtemp()) / "progress.json")
    >>> progress.record("01/trumps", solved=False); progress.record("01/trumps", solved=True)
    >>> progress
    1 of 1 exercise begun is solved
      01/trumps  solved at try 2
    >>> Progress(progress.path).solved_exercises
    ('01/trumps',)
    >>> progress.reset(); progress
    you have not tried an exercise yet
    """

    kind = "progress"

    def __init__(self, path: str | PathLike[str] | None = None, *, language: str | None = None) -> None:
        """Read the student's progress from its file.

        If parts of the file can't be read, a copy of the file is kept, and the other parts are used.
        """
        super().__init__(language)
        self.path = Path(require_path(path)) if path is not None else get_data_folder() / "progress.json"
        self._problem = ""
        self._store = JsonStore(self.path, _is_valid_entry, _FORMER_KEYS)
        self._store.read()
        self._file_state = self._read_file_state()
        _OPEN_PROGRESS.add(self)

    @property
    def solved_exercises(self) -> tuple[str, ...]:
        """Return the names of all solved exercises."""
        return tuple(name for name, entry in sorted(self._store.entries.items()) if entry["solved"])

    @property
    def tried_exercises(self) -> tuple[str, ...]:
        """Return the names of all exercises that the student has tried."""
        return tuple(sorted(self._store.entries))

    def record(self, name: str, *, solved: bool) -> None:
        """Record one more try of an exercise, unless the student has already solved the exercise."""
        name = require_exercise_name(name)

        def add_try(entries: dict[str, dict[str, Any]]) -> bool:
            """Add a try to the exercise's entry; return False if the exercise was already solved."""
            entry = entries.get(name, {"attempts": 0, "solved": False})
            if not _is_valid_entry(name, entry):
                raise DurakError(f"a newer version of durak_widget stored {name}, and this one cannot read it; it stays as it is")
            if not entry["solved"]:
                entries[name] = {**entry, "attempts": min(entry["attempts"] + 1, _MAX_ATTEMPTS), "solved": bool(solved)}
            return not entry["solved"]

        if self._store.change(add_try):
            self._refresh_all()

    def watch(self, exercise: RecordableExercise) -> None:
        """Record all later results of an exercise that has a name.

        If recording fails, the exercise still works.
        """
        if not isinstance(exercise, RecordableExercise):
            raise DurakError(f"progress can only store an exercise, such as lessons.Pick(…), not {short_repr(exercise)}")
        if exercise.name:
            exercise.on_answer(lambda _: self._record_result(exercise))

    def _record_result(self, exercise: RecordableExercise) -> None:
        """Record the result of an answer, unless the student saw the solution before the answer."""
        if exercise.is_revealed:
            return
        try:
            self.record(exercise.name, solved=exercise.check())
            self._problem = ""
        except DurakError as error:
            self._problem = str(error)
            self._refresh()

    def reset(self) -> None:
        """Delete the student's progress."""

        def clear_entries(entries: dict[str, dict[str, Any]]) -> bool:
            """Remove the entries of all exercises; return True to say that something changed."""
            entries.clear()
            return True

        self._store.change(clear_entries)
        self._refresh_all()

    restart = reset

    def _refresh_all(self) -> None:
        """Update all progress overviews that use the same file."""
        self._file_state = self._read_file_state()
        self._refresh()
        for other in tuple(_OPEN_PROGRESS):
            if other is not self and other.path == self.path:
                other.reload()

    def reload(self) -> None:
        """Read the progress file again if another notebook has changed it."""
        file_state = self._read_file_state()
        if file_state == self._file_state:
            return
        self._file_state = file_state
        try:
            self._store.read()
            self._problem = ""
        except DurakError as error:
            self._problem = str(error)
        self._refresh()

    def _read_file_state(self) -> tuple[int, int] | None:
        """Return the modification time and size of the progress file; None if it is missing."""
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size

    def __repr__(self) -> str:
        entries, notes = self._store.entries, self._list_problems(Translator())
        if not entries:
            return "\n".join(["you have not tried an exercise yet", *notes])
        count, solved_count = len(entries), len(self.solved_exercises)
        summary = (
            f"{solved_count} of {count} {'exercise' if count == 1 else 'exercises'} begun {'is' if solved_count == 1 else 'are'} solved"
        )
        return "\n".join([summary, *(f"  {name}  {_format_entry(entry)}" for name, entry in sorted(entries.items())), *notes])

    def _list_problems(self, voice: Translator) -> list[str]:
        """Return sentences about problems with reading the progress file."""
        backup_path = self._store.backup_path
        return [
            *([voice.translate("lesson.aside", file=backup_path.name)] if backup_path else []),
            *([self._problem] if self._problem else []),
        ]

    def _build_rows(self) -> list[_LessonRow]:
        """Return a row for each lesson, and one row for all exercises outside the lessons."""
        entries = self._store.entries
        tried, solved = (
            Counter(map(find_lesson, entries)),
            Counter(find_lesson(name) for name, entry in entries.items() if entry["solved"]),
        )
        rows = []
        for number, lesson in LESSON_SERIES.items():
            title = lesson.title.get(self.language, lesson.title["en"])
            is_challenge_done = None if not lesson.has_challenge else bool(entries.get(number + CHALLENGE_SUFFIX, {}).get("solved"))
            rows.append(
                _LessonRow(
                    f"{number} · {title}", solved[number], max(lesson.exercise_count, solved[number]), lesson.notebook, is_challenge_done
                )
            )
        if tried[""]:
            rows.append(_LessonRow(Translator(self.language).translate("lesson.others"), solved[""], tried[""]))
        return rows

    def _render_html(self) -> str:
        """Return the overview of the lessons as HTML.

        Each lesson has a link, a bar for the share of solved exercises, and a star if its challenge is solved. Only the lessons around the next
        one are visible at once; the others unfold.
        """
        voice, rows = Translator(self.language), self._build_rows()
        last_started = max((index for index, row in enumerate(rows) if row.notebook and row.done_count), default=0)
        next_row = next((row for row in [*rows[last_started:], *rows] if row.notebook and row.done_count < row.exercise_count), None)
        first = 0 if next_row is None else max(0, min(rows.index(next_row) - 1, len(rows) - _LESSONS_SHOWN))
        shown, others = rows[first : first + _LESSONS_SHOWN], [*rows[:first], *rows[first + _LESSONS_SHOWN :]]

        def render_list(rows: Sequence[_LessonRow]) -> str:
            """Return the HTML of a list with a line for each lesson."""
            lines = "".join(_render_row(row, voice, is_next=row is next_row) for row in rows)
            return f'<ol class="dk-progress-list" style="{_LIST_CSS}">{lines}</ol>'

        more = escape(voice.translate("lesson.progress.more", count=len(others)))
        return f'{render_list(shown)}<details class="dk-more-lessons"><summary>{more}</summary>{render_list(others)}</details>'

    def view_model(self) -> dict[str, object]:
        """Return the data that the front end displays, as JSON-compatible values."""
        return {
            **empty_view_model(self.kind),
            "question": Translator(self.language).translate("lesson.progress"),
            "picture": self._render_html(),
            "feedback": [*self._list_problems(Translator(self.language)), *_describe_rank(Translator(self.language))],
            "attempt_count": len(self._store.entries),
        }

    def static_mimebundle(self) -> dict[str, str]:
        """Return the overview of the lessons for print, without the reset button."""
        voice = Translator(self.language)
        title = voice.translate("lesson.progress")
        rows = self._build_rows()
        lines = [
            f"{row.name}: {voice.translate('lesson.done', done=row.done_count, all=row.exercise_count)}{' ★' if row.is_challenge_done else ''}"
            if row.exercise_count
            else row.name
            for row in rows
        ]
        html = f'<div class="durak-picture"><p><b>{escape(title)}</b></p>{self._render_html()}</div>'
        return {"text/html": html, "text/plain": "\n".join([title, *lines])}


def _render_row(row: _LessonRow, voice: Translator, *, is_next: bool) -> str:
    """Return the HTML of one lesson's line in the overview."""
    name = escape(row.name)
    linked_name = f'<a href="{escape(row.notebook)}.ipynb">{name}</a>' if row.notebook else name
    if not row.exercise_count:  # Homework stores its own answers, so the overview shows no progress for it
        return f'<li style="{_LINE_CSS}"><span style="flex:0 1 21em">{linked_name}</span></li>'
    share = round(100 * row.done_count / row.exercise_count)
    bar_html = (
        f'<span class="dk-progress-bar" role="progressbar" aria-label="{name}" aria-valuemin="0" aria-valuemax="{row.exercise_count}" aria-valuenow="{row.done_count}" style="{_BAR_CSS}">'
        f'<span style="{_DONE_CSS};width:{share}%"></span></span>'
    )
    challenge = escape(voice.translate("lesson.progress.challenge" if row.is_challenge_done else "lesson.progress.to_do"))
    star_html = (
        ""
        if row.is_challenge_done is None
        else f'<span class="dk-star" title="{challenge}" role="img" aria-label="{challenge}">{"★" if row.is_challenge_done else "☆"}</span>'
    )
    count = escape(voice.translate("lesson.done", done=row.done_count, all=row.exercise_count))
    tail_html = (
        f'<span style="min-width:5em;white-space:nowrap">{count} {"✓" if row.done_count == row.exercise_count else ""} {star_html}</span>'
    )
    next_note = f'<b class="dk-next-lesson">← {escape(voice.translate("lesson.progress.next"))}</b>' if is_next else ""
    return f'<li style="{_LINE_CSS}"><span style="flex:0 1 21em">{linked_name}</span>{bar_html}{tail_html}{next_note}</li>'


def find_lesson(name: str) -> str:
    """Return the number of the lesson that an exercise belongs to, or "" for no lesson.

    >>> find_lesson("07/spade-ace"), find_lesson("07/two-kings"), find_lesson("mine")
    ('07', '07b', '')
    """
    for number, lesson_with_moves in LESSON_SERIES.items():
        if name in lesson_with_moves.moved_exercises:
            return number
    lesson, inside, _ = name.partition("/")
    return lesson if inside and lesson in LESSON_SERIES else ""


def _format_entry(entry: dict[str, Any]) -> str:
    attempts = entry["attempts"]
    return f"solved at try {attempts}" if entry["solved"] else f"{attempts} {'try' if attempts == 1 else 'tries'}"


def record_results(exercise: RecordableExercise) -> None:
    """Record all later results of an exercise in the default progress file.

    If the file can't be read, the exercise still works.
    """
    if exercise.name:
        with suppress(DurakError):
            Progress().watch(exercise)


class Lesson(NamedTuple):
    """A lesson notebook of the lesson series."""

    title: Mapping[str, str]
    """The lesson's title in each language."""
    exercise_count: int
    """The number of recorded exercises; 0 for homework, which stores its answers itself."""
    notebook: str = ""
    """The notebook's file name without its extension."""
    has_challenge: bool = False
    """True if the lesson ends in a challenge, which counts as one of its exercises."""
    moved_exercises: frozenset[str] = frozenset()
    """The lesson's exercises whose names start with the number of the lesson in which they were before."""


LESSON_SERIES: Final[Mapping[str, Lesson]] = {
    "00": Lesson({"en": "Who is the fool?", "ru": "Кто дурак?", "lt": "Kas durnius?"}, 1, "00_welcome"),
    "01": Lesson({"en": "Trumps", "ru": "Козыри", "lt": "Koziriai"}, 8, "01_trumps", has_challenge=True),
    "02": Lesson(
        {"en": "Attack, defence, taking", "ru": "Атака, защита, взятие", "lt": "Puolimas, gynyba, ėmimas"},
        8,
        "02_attack_and_defence",
        has_challenge=True,
    ),
    "03": Lesson({"en": "Throw-ins", "ru": "Подкидывание", "lt": "Primetimas"}, 9, "03_throw_ins", has_challenge=True),
    "04": Lesson(
        {"en": "The end, the fool, epaulettes", "ru": "Конец, дурак, погоны", "lt": "Pabaiga, durnius, antpečiai"},
        13,
        "04_the_end",
        has_challenge=True,
    ),
    "05": Lesson(
        {"en": "Transfers and the passport", "ru": "Переводы и проездной", "lt": "Pervedimas ir pasas"},
        13,
        "05_transfers",
        has_challenge=True,
    ),
    "06": Lesson(
        {"en": "More players, teams, matches", "ru": "Больше игроков, команды, матчи", "lt": "Daugiau žaidėjų, komandos, mačai"},
        13,
        "06_more_players",
        has_challenge=True,
    ),
    "07": Lesson(
        {"en": "Variants I", "ru": "Варианты: часть первая", "lt": "Atmainos: pirma dalis"}, 9, "07_variants_1", has_challenge=True
    ),
    "07b": Lesson(
        {"en": "Throwing in, Econ 431", "ru": "Кто и когда подкидывает, Econ 431", "lt": "Kas ir kada primeta, Econ 431"},
        9,
        "07b_throwing_in",
        has_challenge=True,
        moved_exercises=frozenset(
            f"07/{name}" for name in ("any-time", "neighbours", "wikipedia", "word", "econ-add", "econ-draw", "two-kings", "plain-end")
        ),
    ),
    "08": Lesson(
        {"en": "Variants II", "ru": "Варианты: часть вторая", "lt": "Atmainos: antra dalis"}, 13, "08_variants_2", has_challenge=True
    ),
    "09": Lesson(
        {"en": "House rules of your own", "ru": "Свои домашние правила", "lt": "Savos namų taisyklės"},
        9,
        "09_house_rules",
        has_challenge=True,
    ),
    "10": Lesson(
        {"en": "Counting cards and chances", "ru": "Счёт карт и вероятности", "lt": "Kortų skaičiavimas ir tikimybės"},
        11,
        "10_counting_cards",
        has_challenge=True,
    ),
    "11": Lesson(
        {"en": "Endings solved", "ru": "Концовки, решённые с конца", "lt": "Pabaigos, išspręstos nuo galo"},
        10,
        "11_endings_solved",
        has_challenge=True,
    ),
    "12": Lesson({"en": "Hidden cards", "ru": "Скрытые карты", "lt": "Paslėptos kortos"}, 10, "12_hidden_cards", has_challenge=True),
    "13": Lesson(
        {"en": "Mixing", "ru": "Смешанные стратегии", "lt": "Mišrios strategijos"},
        9,
        "13_mixing",
        has_challenge=True,
    ),
    "14": Lesson({"en": "The problem set", "ru": "Задачи", "lt": "Uždaviniai"}, 0, "14_problem_set"),
    "15": Lesson(
        {"en": "What did we play?", "ru": "Как мы играли?", "lt": "Kaip mes žaidėme?"},
        8,
        "15_what_did_we_play",
        has_challenge=True,
    ),
    "16": Lesson({"en": "Under the hood", "ru": "Под капотом", "lt": "Po gaubtu"}, 2, "16_under_the_hood"),
    "17": Lesson({"en": "Write a bot", "ru": "Пишем бота", "lt": "Parašykite botą"}, 10, "17_write_a_bot", has_challenge=True),
    "18": Lesson({"en": "Signals", "ru": "Сигналы", "lt": "Signalai"}, 13, "18_signals", has_challenge=True),
    "19": Lesson(
        {"en": "Three at the table", "ru": "Трое за столом", "lt": "Trise prie stalo"}, 11, "19_three_at_the_table", has_challenge=True
    ),
}
"""The lessons by number; exercise names start with the number (`01/what-beats-what`), except `moved_exercises`."""
