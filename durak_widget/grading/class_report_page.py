"""The class report page: question difficulty, frequent mistakes, attempts and points.

The module computes the statistics from the gradebook and writes them as sections of one HTML page. The report also
shows who is stuck where.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from html import escape
from os import PathLike
from statistics import StatisticsError, correlation, fmean, median, quantiles
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.answer_parsing import in_words
from durak_widget.grading.pseudonyms import PageNames
from durak_widget.grading.submission_files import require_outside_import_path
from durak_widget.homework.assignment import assignment_of
from durak_widget.homework.html_page import Page, decimal, html_table, percent, signed
from durak_widget.i18n import LANGUAGES, Voice

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from durak_widget.grading.gradebook import Marked, Marks, Trouble
    from durak_widget.homework.assignment import Assignment

STYLE: Final = (
    ".grid{font-size:.85rem}.grid th,.grid td{padding:.16rem .3rem;white-space:nowrap}.grid td{text-align:center;min-width:2.3rem;border:1px solid var(--line)}"
    ".grid thead th:not(:first-child){text-align:center}.grid tbody th{max-width:16rem;overflow:hidden;text-overflow:ellipsis}.grid td.num{text-align:right;border-right:0}.grid sub{font-size:.68rem;color:inherit;line-height:0}"
    ".grid tr>th:first-child{position:sticky;left:0;background:var(--page)}.grid thead span{display:inline-block;writing-mode:vertical-rl;transform:rotate(180deg);text-align:left;max-height:10.5rem;overflow:hidden;text-overflow:ellipsis}"
    ".spread{table-layout:fixed;width:100%;max-width:36rem;font-size:.85rem}.spread th,.spread td{border:0;padding:.1rem .15rem;text-align:center;vertical-align:bottom}"
    ".spread td{border-bottom:1px solid var(--line)}.spread td i{display:block;background:var(--mark);border-radius:.2rem .2rem 0 0}.spread tfoot th{font-weight:400;color:var(--soft)}"
    ".first{list-style:none;padding:0}.first li{margin:.7rem 0}"
    ".items td,.items th{white-space:nowrap}.items tbody th,.items td:last-child{white-space:normal;min-width:10rem;overflow-wrap:anywhere}"
    "details{border-bottom:1px solid var(--line);padding:.45rem 0}details p,details ul{margin-left:1rem;overflow-wrap:anywhere}li{overflow-wrap:anywhere}"
    "@media screen and (max-width:900px){.grid tbody th{max-width:11rem}}"
    "@media screen and (max-width:700px){.grid tbody th{max-width:7rem}.items tbody th{overflow-wrap:break-word;hyphens:auto}.items .bar,.items td:last-child,.items th:last-child{display:none}}"
    "@media print{.grid{font-size:9.5px}.grid th,.grid td{padding:.06rem .2rem}.items{font-size:11px}.items .bar{display:none}}"
)
_FULL, _LEAST, _MANY_TRIES, _MOST_NAMED, _MOST_FIRST = 1.0, 0.08, 4, 24, 3
_FILL: Final = 0.32
"""Shading of a cell with all points; numbers on it stay readable in light and dark themes."""
_HELP: Final = 0.7
"""A question with a smaller mean credit needs help."""
_MUCH, _SOME = 0.3, 0.1
_BINS, _TALLEST = 10, 4.5
_MOST_SAID, _MOST_BRIEF = 240, 70
NAMES: Final = ("shown", "hidden")
FEWEST: Final = 5
"""Fewer students than this give no correlation."""


def sentence(name: str, voice: Voice) -> str:
    """Return the sentence that describes a mistake without facts, or an empty text.

    >>> from durak_widget.i18n import Voice
    >>> sentence("number.with_replacement", Voice())[:24], sentence("a mistake of your own", Voice())
    ('So it would be if each c', '')
    """
    for key in (f"class.report.mistake.{name}", f"lesson.{name}", name):
        with suppress(KeyError, IndexError, ValueError):
            return voice.say(key)
    return ""


def shortened(text: str, most: int) -> str:
    """Shorten a text to a number of characters, at the end of a word."""
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0].rstrip(" ,;:") + " …"


class Telling:
    """The sections of the page, each as HTML."""

    def __init__(
        self, standing: ClassStanding, titles: Mapping[str, str], notes: Mapping[str, str], names: PageNames, voice: Voice
    ) -> None:
        self._standing, self._titles, self._notes, self._names, self._voice = standing, titles, notes, names, voice
        self._numbers = {question.name: number for number, question in enumerate(standing.asked, 1)}

    def _say(self, key: str, **facts: object) -> str:
        return escape(self._voice.say(f"class.report.{key}", **facts))

    def _named(self, asked: QuestionCount) -> str:
        """Return a question as `3 · What beats what`."""
        return f"{self._numbers[asked.name]} · {self._titles.get(asked.name) or asked.name}"

    def _mistake(self, mistake: MistakeCount, most: int = 10_000) -> str:
        """Describe a mistake in a sentence.

        If the sentence has facts of the instance, it is the message that one student got.
        """
        if not mistake.name:
            return self._voice.say("class.report.unnamed")
        text = sentence(mistake.name, self._voice) or self._heard(mistake)
        text = text or mistake.name.rpartition(".")[2].replace("_", " ").replace("-", " ")
        return shortened(text, most).rstrip(".")

    def _heard(self, mistake: MistakeCount) -> str:
        """Return the message that one student with this mistake got, without the verdict."""
        text = " ".join(mistake.said.split())
        for language_code in LANGUAGES:
            for verdict in ("lesson.not_right", "lesson.not_yet"):
                text = text.removeprefix(Voice(language_code).say(verdict)).lstrip()
        return self._names.quoted(text)

    def whole(self, troubles: Sequence[Trouble]) -> str:
        """Render all sections, with those that need help first."""
        parts = [self._first(), self._grid(), self._items(), self._marks(), self._each()] if self._standing.students else []
        missing = {self._voice.say("class.file.missing", student=student) for student in self._standing.absent}
        problems = [trouble for trouble in troubles if trouble.said not in missing]  # one line already names all of them
        return "".join([self._aside(problems), *parts, self._troubles(problems)]) or f"<p>{self._say('none')}</p>"

    def _some(self, students: Sequence[str]) -> str:
        """List the names of students, and the number of further ones."""
        names = [self._names.student(student) for student in students[:_MOST_NAMED]]
        more = [self._voice.say("class.report.and_more", count=str(len(students) - _MOST_NAMED))] if len(students) > _MOST_NAMED else []
        return ", ".join([*names, *more])

    def _aside(self, odd: Sequence[Trouble]) -> str:
        """Render warnings before any numbers: students without answers, and problems."""
        absent = self._standing.absent
        lines = [self._say("absent", count=str(len(absent)), who=self._some(absent))] if absent else []
        lines += [self._say("seen", count=str(len(odd)))] if odd and self._standing.students else []
        return "".join(f'<p class="note warn">{line}</p>' for line in lines)

    def _first(self) -> str:
        """Render the questions to look at first, in sentences."""
        hard_questions = [question for question in self._standing.first if question.mean < _HELP][:_MOST_FIRST]
        if not hard_questions:
            return ""
        lines = []
        for question in hard_questions:
            student_count = len(self._standing.students)
            line = self._say("first.line", credit=percent(question.mean), none=str(len(question.stuck)), all=str(student_count))
            if question.mistakes and question.mistakes[0].name:
                top_mistake = question.mistakes[0]
                line += " " + self._say("first.mistake", count=str(top_mistake.many), mistake=self._mistake(top_mistake, _MOST_SAID))
            note = self._notes.get(question.name, "")
            note_html = f'<br><span class="soft">{escape(note)}</span>' if note else ""
            lines.append(f"<li><b>{escape(self._named(question))}</b><br>{line}{note_html}</li>")
        return f'<h2>{self._say("first")}</h2><ul class="first">{"".join(lines)}</ul>'

    def _marks(self) -> str:
        """Render how the points are distributed."""
        statistics, voice = self._standing, self._voice
        shares = statistics.shares
        if not shares:
            return ""
        points = [share * statistics.of for share in shares]
        summary = self._say("marks.line", mean=decimal(fmean(points), voice), of=str(statistics.of), median=decimal(median(points), voice))
        bins = [0] * _BINS
        for share in shares:
            bins[min(int(share * _BINS + 1e-9), _BINS - 1)] += 1
        tallest_bin = max(bins)
        heads = "".join(f'<th scope="col">{10 * index}–{10 * index + 10}</th>' for index in range(_BINS))
        counts = "".join(f'<td>{count or ""}<i style="height:{_TALLEST * count / tallest_bin:.2f}rem"></i></td>' for count in bins)
        spread = f"<tbody><tr>{counts}</tr></tbody><tfoot><tr>{heads}</tr></tfoot>"
        return f'<h2>{self._say("marks")}</h2><p>{summary}</p><table class="spread"><caption>{self._say("marks.read")}</caption>{spread}</table>'

    def _tells(self, tells: float | None) -> str:
        if tells is None:
            return self._say("tells.unknown")
        level = "wrong" if tells < -_SOME else "none" if tells < _SOME else "some" if tells < _MUCH else "much"
        return f'{self._say(f"tells.{level}")} <span class="soft">{signed(tells, self._voice)}</span>'

    def _tries(self, asked: QuestionCount) -> str:
        if asked.tries is None:
            return "–"
        median_attempts, low, high = (decimal(number, self._voice) for number in asked.tries)
        return self._say("tries.line", median=median_attempts, low=low, high=high)

    def _items(self) -> str:
        """Render a table with a row for each question."""
        student_count = len(self._standing.students)
        header = [self._say(key) for key in ("question", "total", "credit", "answered", "tells", "tries", "mistakes")]
        rows = []
        for question in self._standing.asked:
            top_mistake = next((mistake for mistake in question.mistakes if mistake.name), None)
            mistake_text = f"{top_mistake.many} × {self._mistake(top_mistake, _MOST_BRIEF)}" if top_mistake else ""
            share_html = (
                f'<span class="bar" aria-hidden="true"><i style="width:{100 * question.mean:.0f}%"></i></span> {percent(question.mean)}'
            )
            rows.append(
                [
                    escape(self._named(question)),
                    str(question.of),
                    share_html,
                    f"{question.answered}/{student_count}",
                    self._tells(question.tells),
                    self._tries(question),
                    escape(mistake_text) or "–",
                ]
            )
        notes = "".join(f'<p class="note">{self._say(f"read.{key}")}</p>' for key in ("credit", "tells", "tries"))
        return f"<h2>{self._say('questions')}</h2>{html_table(header, rows, numbers=(1,), kind='items')}{notes}"

    def _cell(self, cell: Cell) -> str:
        """Render a student's result for a question, as a shaded cell."""
        if not cell.answered:
            return "<td>–</td>"
        content = "✓" if cell.credit >= _FULL else str(min(99, max(1, round(100 * cell.credit)))) if cell.credit else "0"
        tries = f"<sub>{min(cell.tries, 99)}×</sub>" if cell.tries >= _MANY_TRIES else ""
        fill = f' style="background:rgba(var(--shade),{_LEAST + (_FILL - _LEAST) * cell.credit:.2f})"' if cell.credit else ""
        return f"<td{fill}>{content}{tries}</td>"

    def _grid(self) -> str:
        """Render a table with a row for each student, those with the fewest points first."""
        statistics = self._standing
        heads = "".join(f'<th scope="col"><span>{escape(self._named(question))}</span></th>' for question in statistics.asked)
        lines = []
        for student in statistics.students:
            held_questions = {question.name for question in statistics.asked if (student, question.name) in statistics.held}
            cells = "".join(
                "<td>?</td>" if question.name in held_questions else self._cell(statistics.cell(student, question.name))
                for question in statistics.asked
            )
            total = decimal(statistics.points[student], self._voice) + (" + ?" if held_questions else "")
            lines.append(f'<tr><th scope="row">{escape(self._names.student(student))}</th>{cells}<td class="num">{total}</td></tr>')
        return (
            f'<h2>{self._say("grid")}</h2><p class="note">{self._say("grid.read")}</p><div class="wide" tabindex="0"><table class="grid"><thead><tr>'
            f'<th scope="col">{self._say("student")}</th>{heads}<th scope="col" class="num">{self._say("total")}</th></tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
        )

    def _each(self) -> str:
        """Render the mistakes of each question and who is stuck, the hardest one first."""
        details_html = ""
        for index, question in enumerate(self._standing.first):
            lines = []
            for mistake in question.mistakes:
                description = self._mistake(mistake, _MOST_SAID)
                message = shortened(self._heard(mistake), _MOST_SAID)
                quote = f' <span class="soft">{escape(message)}</span>' if message and description not in message else ""
                lines.append(f"<li><b>{mistake.many} ×</b> {escape(description)}.{quote}</li>")
            mistake_list = f"<ul>{''.join(lines)}</ul>" if lines else f"<p>{self._say('no_mistakes')}</p>"
            stuck_html = f"<p>{self._say('stuck', who=self._some(question.stuck))}</p>" if question.stuck else ""
            open_attribute = " open" if index < _MOST_FIRST else ""
            details_html += f"<details{open_attribute}><summary><b>{escape(self._named(question))}</b> · {percent(question.mean)}</summary>{mistake_list}{stuck_html}</details>"
        return f"<h2>{self._say('mistakes')}</h2>{details_html}"

    def _troubles(self, troubles: Sequence[Trouble]) -> str:
        """Render what could not be graded and other problems."""
        if not troubles:
            return ""
        folders = {trouble.file.partition("/")[0] + "/" for trouble in troubles if trouble.file}
        shared_folder = next(iter(folders)) if len(folders) == 1 else ""  # a folder that all files share says nothing
        sentences_by_file: dict[str, list[str]] = {}
        for trouble in troubles:
            sentences_by_file.setdefault(self._names.file(trouble.file).removeprefix(shared_folder), []).append(
                self._names.text(trouble.said.replace(shared_folder, ""), trouble.people)
            )
        lines = "".join(
            f"<li><b>{escape(file)}</b>: {escape(' '.join(sentences))}</li>" for file, sentences in sentences_by_file.items() if file
        )
        lines += "".join(f"<li>{escape(sentence_text)}</li>" for sentence_text in sentences_by_file.get("", ()))
        return f'<h2 class="warn">{self._say("troubles")}</h2><ul>{lines}</ul>'


class Report(Page):
    """The class report page: `.html`, `.save("class.html")`, and its numbers in `.standing`.

    >>> from durak_widget.grading.gradebook import Marked, Marks
    >>> from fractions import Fraction
    >>> rows = [Marked("Ann", "a.json", "q", Fraction(1), 2, Fraction(1, 2), 2, "turned", "You turned it round.")]
    >>> page = Report(Marks(rows, []), titles={"q": "A question"})
    >>> page, page.standing.asked[0].mean
    (<Report 'How the class stands'>, 0.5)
    """

    def __init__(
        self,
        marks: Marks,
        *,
        title: str = "",
        titles: Mapping[str, str] | None = None,
        notes: Mapping[str, str] | None = None,
        names: str = "shown",
        key: str = "",
        language: str = "en",
    ) -> None:
        """Make the page of these grades.

        With `names="hidden"` students and files get pseudonyms, which are the same again with the same `key`.
        """
        if names not in NAMES:
            raise DurakError(f"names={quoted(names)} is how students stand on the page: {' or '.join(map(repr, NAMES))}")
        if not isinstance(key, str):
            raise DurakError(f'a key is a word of yours, as in key="willow", not {quoted(key)}')
        voice = Voice(language)
        self.standing = statistics = ClassStanding(marks.rows)
        people = [name for trouble in marks.troubles for name in trouble.people or ()]
        students = [*dict.fromkeys([*statistics.students, *statistics.absent, *people])]
        files = list(
            dict.fromkeys(
                [*(row.file for row in marks.rows), *(file for trouble in marks.troubles for file in (trouble.file, *trouble.others))]
            )
        )
        files = [file for file in files if file]
        page_names = PageNames(students, files) if names == "shown" else PageNames.hidden(students, files, key, voice)
        heading = voice.say("class.report.title")
        counts = voice.say("class.report.many", students=len(statistics.students), questions=len(statistics.asked), points=statistics.of)
        lead = " · ".join(part for part in (title, counts) if part)
        hidden = f'<p class="note">{escape(voice.say("class.report.hidden"))}</p>' if names == "hidden" else ""
        sections = Telling(statistics, titles or {}, notes or {}, page_names, voice).whole(marks.troubles)
        body = f'<h1>{escape(heading)}</h1><p class="lead">{escape(lead)}</p>{hidden}{sections}'
        super().__init__(heading, body, language=language, style=STYLE)


def class_report(
    folder: str | PathLike[str] | Marks,
    assignment: Assignment | str | None = None,
    *,
    edition: str | int | None = None,
    roster: str | PathLike[str] | None = None,
    names: str = "shown",
    key: str = "",
    language: str = "en",
    jobs: int | None = None,
    executor: object = None,
    run_code: bool = True,
    anew: bool = False,
    changes: str | PathLike[str] | None = None,
    questions: Iterable[object] | str | None = None,
    word: object = None,
    due: str | datetime | None = None,
    typed: str | PathLike[str] | Sequence[str | PathLike[str]] = (),
) -> Report:
    """Return the report on a folder of homework, or on grades that exist already.

    A folder is graded for it as `mark` does.

    >>> from tempfile import mkdtemp
    >>> class_report(mkdtemp(), jobs=0)
    <Report 'How the class stands'>
    """
    if isinstance(folder, (str, PathLike)):
        require_outside_import_path(folder)  # before other modules are imported, which could be the student's
        from durak_widget.grading.folder_grading import mark  # noqa: PLC0415 - marks that there are need none of it

        options: Any = {"roster": roster, "jobs": jobs, "executor": executor, "language": language, "run_code": run_code}
        options |= {"changes": changes, "anew": anew, "questions": questions, "word": word, "due": due, "typed": typed}
        folder = mark(folder, assignment or "econ431", edition=edition, **options)
    if not (hasattr(folder, "rows") and hasattr(folder, "troubles")):
        raise DurakError(
            f'a class is reported from its folder, as in "submissions", or from the marks of lessons.mark, not from {quoted(folder)}'
        )
    voice = Voice(language)
    resolved = assignment_of(assignment or "econ431", str(edition or "")) if folder.assignment is None else folder.assignment
    titles = {question.name: in_words(question.title, voice) for question in resolved.questions}
    notes = {question.name: in_words(question.note, voice) for question in resolved.questions}
    title = " · ".join(part for part in (in_words(resolved.title, voice), resolved.edition) if part)
    return Report(folder, title=title, titles=titles, notes=notes, names=names, key=key, language=language)


class Cell(NamedTuple):
    """A student's result for a question."""

    credit: float
    tries: int
    answered: bool


class MistakeCount(NamedTuple):
    """A mistake, the number of students who made it, and the message that one of them got."""

    name: str
    """Name of the mistake; empty for wrong answers without a name."""
    many: int
    said: str


class QuestionCount(NamedTuple):
    """The statistics of a question."""

    name: str
    of: int
    mean: float
    """Mean credit: how easy the question was."""
    answered: int
    tells: float | None
    """Correlation of its credit with the points of all other questions; None if unknown."""
    tries: tuple[float, float, float] | None
    """Median number of attempts, and the quartiles around it."""
    mistakes: tuple[MistakeCount, ...]
    stuck: tuple[str, ...]
    """Students who have none of its points."""


class ClassStanding:
    """The statistics of a class, counted from gradebook rows.

    >>> from durak_widget.grading.gradebook import Marked
    >>> from fractions import Fraction
    >>> rows = [Marked("Ann", "a", "q", Fraction(2), 2, Fraction(1), 1, "", ""), Marked("Bob", "b", "q", Fraction(0), 2, Fraction(0), 3, "turned", "No.")]
    >>> standing = ClassStanding(rows)
    >>> standing.students, standing.asked[0].mean, standing.asked[0].mistakes
    (('Bob', 'Ann'), 0.5, (MistakeCount(name='turned', many=1, said='No.'),))
    """

    def __init__(self, rows: Iterable[Marked]) -> None:
        all_rows = list(rows)
        points_of_question = {row.question: row.of for row in all_rows}
        self.of = sum(points_of_question.values())
        """Largest number of points."""
        present = {row.student for row in all_rows if _answered(row)}
        self.absent = tuple(dict.fromkeys(row.student for row in all_rows if row.student not in present))
        """Students without a counting answer; they are in no statistic."""
        self._rows = {(row.student, row.question): row for row in all_rows if row.student in present}
        self.cells = {key: Cell(float(row.credit), row.tries, _answered(row)) for key, row in self._rows.items()}
        self.held = {key for key, row in self._rows.items() if row.held}
        """Pairs of student and question that are not graded yet; they are in no average."""
        self._unsure = {student for student, _ in self.held}
        points: dict[str, float] = dict.fromkeys((student for student, _ in self._rows), 0.0)
        for row in self._rows.values():
            points[row.student] += float(row.points)
        self.points: Mapping[str, float] = points
        self.students = tuple(sorted(points, key=lambda name: (points[name], name)))
        """Students, those with the fewest points first."""
        self.asked = tuple([self._asked(question, max_points) for question, max_points in points_of_question.items()])

    def cell(self, student: str, question: str) -> Cell:
        """Return a student's result for a question."""
        return self.cells.get((student, question), Cell(0.0, 0, answered=False))

    @property
    def shares(self) -> list[float]:
        """Return the share of the points of each student whose answers are all graded."""
        return [self.points[student] / self.of if self.of else 0.0 for student in self.students if student not in self._unsure]

    @property
    def first(self) -> list[QuestionCount]:
        """Return the questions by mean credit, the lowest first."""
        return sorted(self.asked, key=lambda question: question.mean)

    def _asked(self, question: str, of: int) -> QuestionCount:
        graded_students = [student for student in self.students if (student, question) not in self.held]
        fully_graded_students = [student for student in graded_students if student not in self._unsure]
        cells = [self.cell(student, question) for student in graded_students]
        rows = [row for (_, name), row in self._rows.items() if name == question]
        attempt_counts = [cell.tries for cell in cells if cell.tries > 0]
        earned = [self.cell(student, question).credit for student in fully_graded_students]
        other_points = [self.points[student] - of * credit for student, credit in zip(fully_graded_students, earned, strict=True)]
        return QuestionCount(
            question,
            of,
            fmean(cell.credit for cell in cells) if cells else 0.0,
            sum(cell.answered for cell in cells),
            _correlated(earned, other_points),
            _middle(attempt_counts),
            _mistakes(rows, [row for row in rows if self.cells[row.student, question].answered]),
            tuple([student for student, cell in zip(graded_students, cells, strict=True) if not cell.credit]),
        )


def _answered(row: Marked) -> bool:
    return row.tries > 0 or row.credit > 0 or bool(row.mistake)


def _correlated(ones: list[float], others: list[float]) -> float | None:
    """Return Pearson's correlation, or None if there are few values or one side is constant."""
    if len(ones) < FEWEST or max(others) - min(others) < 1e-9:
        return None
    try:
        return correlation(ones, others)
    except StatisticsError:
        return None


def _middle(tries: list[int]) -> tuple[float, float, float] | None:
    if not tries:
        return None
    low, _, high = quantiles(tries, n=4, method="inclusive") if len(tries) > 1 else (tries[0],) * 3
    return float(median(tries)), low, high


def _mistakes(rows: list[Marked], answered: list[Marked]) -> tuple[MistakeCount, ...]:
    """Count the mistakes, the most frequent first and those without a name last."""
    wrong = [row for row in answered if row.credit < 1]
    counts = Counter(row.mistake for row in wrong)
    messages = {row.mistake: row.said for row in reversed(rows) if row.said and row.credit < 1}
    names = sorted(counts, key=lambda name: (not name, -counts[name], name))
    return tuple([MistakeCount(name, counts[name], messages.get(name, "")) for name in names])
