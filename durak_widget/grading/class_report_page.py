"""The report page on a school class, with hard questions, mistakes, attempts and points.

The module computes the statistics from the gradebook and writes them as sections of one HTML page. The report also lists the students
who earned no points for a question.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from html import escape
from os import PathLike
from statistics import StatisticsError, correlation, fmean, median, quantiles
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.answer_parsing import translate_text
from durak_widget.grading.pseudonyms import DisplayNames
from durak_widget.grading.submission_files import require_outside_import_path
from durak_widget.homework.assignment import resolve_assignment
from durak_widget.homework.html_page import Page, format_decimal, format_percent, format_signed, render_table
from durak_widget.i18n import LANGUAGES, Translator

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from durak_widget.grading.gradebook import Gradebook, GradebookRow, Problem
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
_FULL_CREDIT, _MIN_SHADE, _MANY_ATTEMPTS, _MAX_NAMED_STUDENTS, _MAX_FIRST_QUESTIONS = 1.0, 0.08, 4, 24, 3
_MAX_SHADE: Final = 0.32
"""The opacity of a table cell in which a student got full points.

It is low enough for the number in the cell to be readable in light and dark themes.
"""
_HELP_THRESHOLD: Final = 0.7
"""The average credit below which the report lists a question for discussion in class."""
_HIGH_CORRELATION, _LOW_CORRELATION = 0.3, 0.1
_BIN_COUNT, _MAX_BAR_HEIGHT = 10, 4.5
_MAX_SENTENCE_LENGTH, _MAX_BRIEF_LENGTH = 240, 70
NAME_MODES: Final = ("shown", "hidden")
MIN_CORRELATED_STUDENTS: Final = 5
"""The minimum number of students for which correlations are computed."""


def describe_mistake(name: str, voice: Translator) -> str:
    """Return a general sentence about a kind of mistake; "" if there is no such sentence.

    A sentence that needs details of the student's answer is not general.

    >>> from durak_widget.i18n import Translator
    >>> print(describe_mistake("number.with_replacement", Translator()))
    That would be right if each card were put back before the next draw. But a drawn card doesn't go back.
    >>> describe_mistake("a mistake of your own", Translator())
    ''
    """
    for key in (f"class.report.mistake.{name}", f"lesson.{name}", name):
        with suppress(KeyError, IndexError, ValueError):
            return voice.translate(key)
    return ""


def shorten(text: str, max_length: int) -> str:
    """Shorten a text to a maximum number of characters, at the end of a word."""
    return text if len(text) <= max_length else text[:max_length].rsplit(" ", 1)[0].rstrip(" ,;:") + " …"


class ReportRenderer:
    """A class that renders the sections of a report page as HTML."""

    def __init__(
        self, statistics: ClassStatistics, titles: Mapping[str, str], notes: Mapping[str, str], names: DisplayNames, voice: Translator
    ) -> None:
        self._statistics, self._titles, self._notes, self._names, self._voice = statistics, titles, notes, names, voice
        self._numbers = {question.name: number for number, question in enumerate(statistics.questions, 1)}

    def _translate(self, key: str, **facts: object) -> str:
        return escape(self._voice.translate(f"class.report.{key}", **facts))

    def _format_question(self, question: QuestionStatistics) -> str:
        """Return the number and title of a question, such as `3 · What beats what`."""
        return f"{self._numbers[question.name]} · {self._titles.get(question.name) or question.name}"

    def _format_mistake(self, mistake: MistakeCount, max_length: int = 10_000) -> str:
        """Describe a mistake in one sentence.

        If the sentence needs details of the question, it is the feedback that one student got.
        """
        if not mistake.name:
            return self._voice.translate("class.report.unnamed")
        text = describe_mistake(mistake.name, self._voice) or self._quote_message(mistake)
        text = text or mistake.name.rpartition(".")[2].replace("_", " ").replace("-", " ")
        return shorten(text, max_length).rstrip(".")

    def _quote_message(self, mistake: MistakeCount) -> str:
        """Return the feedback that students get on a mistake, without “Not yet” at its start."""
        text = " ".join(mistake.message.split())
        for language_code in LANGUAGES:
            for verdict in ("lesson.not_right", "lesson.not_yet"):
                text = text.removeprefix(Translator(language_code).translate(verdict)).lstrip()
        return self._names.replace_unambiguous_names(text)

    def render(self, all_problems: Sequence[Problem]) -> str:
        """Render all sections of the report as HTML, starting with the most important ones."""
        parts = (
            [
                self._render_first_questions(),
                self._render_grid(),
                self._render_question_table(),
                self._render_points(),
                self._render_mistakes(),
            ]
            if self._statistics.students
            else []
        )
        missing = {self._voice.translate("class.file.missing", student=student) for student in self._statistics.absent_students}
        problems = [problem for problem in all_problems if problem.sentence not in missing]  # One warning names all absent students
        return "".join([self._render_warnings(problems), *parts, self._render_problems(problems)]) or f"<p>{self._translate('none')}</p>"

    def _list_students(self, students: Sequence[str]) -> str:
        """Format a list of students; shorten a long list and add how many names are left out."""
        names = [self._names.get_student_name(student) for student in students[:_MAX_NAMED_STUDENTS]]
        more_note = (
            [self._voice.translate("class.report.and_more", count=str(len(students) - _MAX_NAMED_STUDENTS))]
            if len(students) > _MAX_NAMED_STUDENTS
            else []
        )
        return ", ".join([*names, *more_note])

    def _render_warnings(self, problems: Sequence[Problem]) -> str:
        """Render warnings about absent students and about problems."""
        absent = self._statistics.absent_students
        lines = [self._translate("absent", count=len(absent), who=self._list_students(absent))] if absent else []
        lines += [self._translate("seen", count=len(problems))] if problems and self._statistics.students else []
        return "".join(f'<p class="note warn">{line}</p>' for line in lines)

    def _render_first_questions(self) -> str:
        """Render a list of the questions at which the teacher should look first."""
        hard_questions = [question for question in self._statistics.questions_by_credit if question.mean_credit < _HELP_THRESHOLD][
            :_MAX_FIRST_QUESTIONS
        ]
        if not hard_questions:
            return ""
        lines = []
        for question in hard_questions:
            student_count = len(self._statistics.students)
            line = self._translate(
                "first.line", credit=format_percent(question.mean_credit), none=str(len(question.stuck_students)), all=str(student_count)
            )
            if question.mistakes and question.mistakes[0].name:
                top_mistake = question.mistakes[0]
                line += " " + self._translate(
                    "first.mistake", count=top_mistake.student_count, mistake=self._format_mistake(top_mistake, _MAX_SENTENCE_LENGTH)
                )
            note = self._notes.get(question.name, "")
            note_html = f'<br><span class="soft">{escape(note)}</span>' if note else ""
            lines.append(f"<li><b>{escape(self._format_question(question))}</b><br>{line}{note_html}</li>")
        return f'<h2>{self._translate("first")}</h2><ul class="first">{"".join(lines)}</ul>'

    def _render_points(self) -> str:
        """Render the distribution of the students' points as a bar chart with a summary."""
        statistics, voice = self._statistics, self._voice
        shares = statistics.point_shares
        if not shares:
            return ""
        points = [share * statistics.max_points for share in shares]
        summary = self._translate(
            "marks.line",
            mean=format_decimal(fmean(points), voice),
            of=str(statistics.max_points),
            median=format_decimal(median(points), voice),
        )
        bins = [0] * _BIN_COUNT
        for share in shares:
            bins[min(int(share * _BIN_COUNT + 1e-9), _BIN_COUNT - 1)] += 1
        tallest_bin = max(bins)
        heads = "".join(f'<th scope="col">{10 * index}–{10 * index + 10}</th>' for index in range(_BIN_COUNT))
        counts = "".join(f'<td>{count or ""}<i style="height:{_MAX_BAR_HEIGHT * count / tallest_bin:.2f}rem"></i></td>' for count in bins)
        bar_chart = f"<tbody><tr>{counts}</tr></tbody><tfoot><tr>{heads}</tr></tfoot>"
        return f'<h2>{self._translate("marks")}</h2><p>{summary}</p><table class="spread"><caption>{self._translate("marks.read")}</caption>{bar_chart}</table>'

    def _render_discrimination(self, discrimination: float | None) -> str:
        if discrimination is None:
            return self._translate("tells.unknown")
        level = (
            "wrong"
            if discrimination < -_LOW_CORRELATION
            else "none"
            if discrimination < _LOW_CORRELATION
            else "some"
            if discrimination < _HIGH_CORRELATION
            else "much"
        )
        return f'{self._translate(f"tells.{level}")} <span class="soft">{format_signed(discrimination, self._voice)}</span>'

    def _render_attempts(self, question: QuestionStatistics) -> str:
        if question.attempt_quartiles is None:
            return "–"
        median_attempts, low, high = (format_decimal(number, self._voice) for number in question.attempt_quartiles)
        return self._translate("tries.line", median=median_attempts, low=low, high=high)

    def _render_question_table(self) -> str:
        """Render a table with the statistics of each question."""
        student_count = len(self._statistics.students)
        header = [self._translate(key) for key in ("question", "total", "credit", "answered", "tells", "tries", "mistakes")]
        rows = []
        for question in self._statistics.questions:
            top_mistake = next((mistake for mistake in question.mistakes if mistake.name), None)
            mistake_text = f"{top_mistake.student_count} × {self._format_mistake(top_mistake, _MAX_BRIEF_LENGTH)}" if top_mistake else ""
            share_html = f'<span class="bar" aria-hidden="true"><i style="width:{100 * question.mean_credit:.0f}%"></i></span> {format_percent(question.mean_credit)}'
            rows.append(
                [
                    escape(self._format_question(question)),
                    str(question.max_points),
                    share_html,
                    f"{question.answered_count}/{student_count}",
                    self._render_discrimination(question.discrimination),
                    self._render_attempts(question),
                    escape(mistake_text) or "–",
                ]
            )
        notes = "".join(f'<p class="note">{self._translate(f"read.{key}")}</p>' for key in ("credit", "tells", "tries"))
        return f"<h2>{self._translate('questions')}</h2>{render_table(header, rows, number_columns=(1,), css_class='items')}{notes}"

    def _render_cell(self, cell: GridCell) -> str:
        """Render the table cell of one student and one question, shaded by credit."""
        if not cell.is_answered:
            return "<td>–</td>"
        content = "✓" if cell.credit >= _FULL_CREDIT else str(min(99, max(1, round(100 * cell.credit)))) if cell.credit else "0"
        tries = f"<sub>{min(cell.attempt_count, 99)}×</sub>" if cell.attempt_count >= _MANY_ATTEMPTS else ""
        fill = f' style="background:rgba(var(--shade),{_MIN_SHADE + (_MAX_SHADE - _MIN_SHADE) * cell.credit:.2f})"' if cell.credit else ""
        return f"<td{fill}>{content}{tries}</td>"

    def _render_grid(self) -> str:
        """Render a table with each student's results, starting with the fewest points."""
        statistics = self._statistics
        heads = "".join(f'<th scope="col"><span>{escape(self._format_question(question))}</span></th>' for question in statistics.questions)
        lines = []
        for student in statistics.students:
            held_questions = {question.name for question in statistics.questions if (student, question.name) in statistics.held_cells}
            cells = "".join(
                "<td>?</td>" if question.name in held_questions else self._render_cell(statistics.get_cell(student, question.name))
                for question in statistics.questions
            )
            total = format_decimal(statistics.points[student], self._voice) + (" + ?" if held_questions else "")
            lines.append(
                f'<tr><th scope="row">{escape(self._names.get_student_name(student))}</th>{cells}<td class="num">{total}</td></tr>'
            )
        return (
            f'<h2>{self._translate("grid")}</h2><p class="note">{self._translate("grid.read")}</p><div class="wide" tabindex="0"><table class="grid"><thead><tr>'
            f'<th scope="col">{self._translate("student")}</th>{heads}<th scope="col" class="num">{self._translate("total")}</th></tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
        )

    def _render_mistakes(self) -> str:
        """Render the mistakes in each question and the students without points, hardest first."""
        details_html = ""
        for index, question in enumerate(self._statistics.questions_by_credit):
            lines = []
            for mistake in question.mistakes:
                description = self._format_mistake(mistake, _MAX_SENTENCE_LENGTH)
                message = shorten(self._quote_message(mistake), _MAX_SENTENCE_LENGTH)
                quote = f' <span class="soft">{escape(message)}</span>' if message and description not in message else ""
                lines.append(f"<li><b>{mistake.student_count} ×</b> {escape(description)}.{quote}</li>")
            mistake_list = f"<ul>{''.join(lines)}</ul>" if lines else f"<p>{self._translate('no_mistakes')}</p>"
            stuck_html = (
                f"<p>{self._translate('stuck', who=self._list_students(question.stuck_students))}</p>" if question.stuck_students else ""
            )
            open_attribute = " open" if index < _MAX_FIRST_QUESTIONS else ""
            details_html += f"<details{open_attribute}><summary><b>{escape(self._format_question(question))}</b> · {format_percent(question.mean_credit)}</summary>{mistake_list}{stuck_html}</details>"
        return f"<h2>{self._translate('mistakes')}</h2>{details_html}"

    def _render_problems(self, problems: Sequence[Problem]) -> str:
        """Render the list of problems with submissions, such as files that could not be graded."""
        if not problems:
            return ""
        folders = {problem.file.partition("/")[0] + "/" for problem in problems if problem.file}
        shared_folder = next(iter(folders)) if len(folders) == 1 else ""  # Do not repeat a folder name that all files share
        sentences_by_file: dict[str, list[str]] = {}
        for problem in problems:
            sentences_by_file.setdefault(self._names.get_file_name(problem.file).removeprefix(shared_folder), []).append(
                self._names.replace_names(problem.sentence.replace(shared_folder, ""), problem.people_named)
            )
        lines = "".join(
            f"<li><b>{escape(file)}</b>: {escape(' '.join(sentences))}</li>" for file, sentences in sentences_by_file.items() if file
        )
        lines += "".join(f"<li>{escape(sentence_text)}</li>" for sentence_text in sentences_by_file.get("", ()))
        return f'<h2 class="warn">{self._translate("troubles")}</h2><ul>{lines}</ul>'


class Report(Page):
    """The report page on a school class: HTML in `.html`, numbers in `.statistics`.

    >>> from durak_widget.grading.gradebook import GradebookRow, Gradebook
    >>> from fractions import Fraction
    >>> rows = [GradebookRow("Ann", "a.json", "q", Fraction(1), 2, Fraction(1, 2), 2, "turned", "You turned it round.")]
    >>> page = Report(Gradebook(rows, []), titles={"q": "A question"})
    >>> page, page.statistics.questions[0].mean_credit
    (<Report 'How the class is doing'>, 0.5)
    """

    def __init__(
        self,
        gradebook: Gradebook,
        *,
        title: str = "",
        titles: Mapping[str, str] | None = None,
        notes: Mapping[str, str] | None = None,
        names: str = "shown",
        key: str = "",
        language: str = "en",
    ) -> None:
        """Build the report page on a school class from its gradebook.

        With `names="hidden"`, students and files get pseudonyms; the same `key` always gives the same pseudonyms.
        """
        if names not in NAME_MODES:
            raise DurakError(
                f"names must be {' or '.join(map(repr, NAME_MODES))}, not {short_repr(names)}: it says which names the page shows for students"
            )
        if not isinstance(key, str):
            raise DurakError(f'key must be a text that you choose, as in key="willow", not {short_repr(key)}')
        voice = Translator(language)
        self.statistics = statistics = ClassStatistics(gradebook.rows)
        people = [name for problem in gradebook.problems for name in problem.people_named or ()]
        students = [*dict.fromkeys([*statistics.students, *statistics.absent_students, *people])]
        files = list(
            dict.fromkeys(
                [
                    *(row.file for row in gradebook.rows),
                    *(file for problem in gradebook.problems for file in (problem.file, *problem.other_files)),
                ]
            )
        )
        files = [file for file in files if file]
        page_names = DisplayNames(students, files) if names == "shown" else DisplayNames.with_pseudonyms(students, files, key, voice)
        heading = voice.translate("class.report.title")
        counts = voice.translate(
            "class.report.many", students=len(statistics.students), questions=len(statistics.questions), points=statistics.max_points
        )
        lead = " · ".join(part for part in (title, counts) if part)
        pseudonym_note = f'<p class="note">{escape(voice.translate("class.report.hidden"))}</p>' if names == "hidden" else ""
        sections = ReportRenderer(statistics, titles or {}, notes or {}, page_names, voice).render(gradebook.problems)
        body = f'<h1>{escape(heading)}</h1><p class="lead">{escape(lead)}</p>{pseudonym_note}{sections}'
        super().__init__(heading, body, language=language, style=STYLE)


def class_report(
    folder: str | PathLike[str] | Gradebook,
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
    """Return the report page on a school class, given its submissions or its gradebook.

    A folder is graded first, as by `mark`.

    >>> from tempfile import mkdtemp
    >>> class_report(mkdtemp(), jobs=0)
    <Report 'How the class is doing'>
    """
    if isinstance(folder, (str, PathLike)):
        require_outside_import_path(folder)  # The folder is checked before modules are imported, since Python could import a student's file
        from durak_widget.grading.folder_grading import mark  # noqa: PLC0415 - an existing gradebook does not need this module

        options: Any = {"roster": roster, "jobs": jobs, "executor": executor, "language": language, "run_code": run_code}
        options |= {"changes": changes, "anew": anew, "questions": questions, "word": word, "due": due, "typed": typed}
        folder = mark(folder, assignment or "econ431", edition=edition, **options)
    if not (hasattr(folder, "rows") and hasattr(folder, "problems")):
        raise DurakError(
            f'class_report needs the folder of a class, as in "submissions", or the marks that lessons.mark returned, not {short_repr(folder)}'
        )
    voice = Translator(language)
    resolved = resolve_assignment(assignment or "econ431", str(edition or "")) if folder.assignment is None else folder.assignment
    titles = {question.name: translate_text(question.title, voice) for question in resolved.questions}
    notes = {question.name: translate_text(question.note, voice) for question in resolved.questions}
    title = " · ".join(part for part in (translate_text(resolved.title, voice), resolved.edition) if part)
    return Report(folder, title=title, titles=titles, notes=notes, names=names, key=key, language=language)


class GridCell(NamedTuple):
    """A student's result for one question."""

    credit: float
    attempt_count: int
    is_answered: bool


class MistakeCount(NamedTuple):
    """A mistake in a question, with the number of students who made it and a feedback text."""

    name: str
    """The name of the mistake; empty for all wrong answers without a known mistake."""
    student_count: int
    message: str


class QuestionStatistics(NamedTuple):
    """The statistics of one question in a school class."""

    name: str
    max_points: int
    mean_credit: float
    """The average credit of all students for the question, from 0 to 1."""
    answered_count: int
    discrimination: float | None
    """The correlation of the credit for this question with the points for all other questions; None if it can't be computed."""
    attempt_quartiles: tuple[float, float, float] | None
    """The median number of attempts, the lower quartile and the upper quartile."""
    mistakes: tuple[MistakeCount, ...]
    stuck_students: tuple[str, ...]
    """The students who got no points for this question."""


class ClassStatistics:
    """The statistics of a school class, computed from its gradebook.

    >>> from durak_widget.grading.gradebook import GradebookRow
    >>> from fractions import Fraction
    >>> rows = [GradebookRow("Ann", "a", "q", Fraction(2), 2, Fraction(1), 1, "", ""), GradebookRow("Bob", "b", "q", Fraction(0), 2, Fraction(0), 3, "turned", "No.")]
    >>> standing = ClassStatistics(rows)
    >>> standing.students, standing.questions[0].mean_credit, standing.questions[0].mistakes
    (('Bob', 'Ann'), 0.5, (MistakeCount(name='turned', student_count=1, message='No.'),))
    """

    def __init__(self, rows: Iterable[GradebookRow]) -> None:
        all_rows = list(rows)
        points_of_question = {row.question: row.max_points for row in all_rows}
        self.max_points = sum(points_of_question.values())
        """The points that a student can get at most."""
        present = {row.student for row in all_rows if _is_answered(row)}
        self.absent_students = tuple(dict.fromkeys(row.student for row in all_rows if row.student not in present))
        """The students without a graded answer; they are left out of all statistics."""
        self._rows = {(row.student, row.question): row for row in all_rows if row.student in present}
        self.cells = {key: GridCell(float(row.credit), row.attempt_count, _is_answered(row)) for key, row in self._rows.items()}
        self.held_cells = {key for key, row in self._rows.items() if row.is_held}
        """Pairs of a student and a question that is not graded yet; they are left out of all averages."""
        self._students_with_held_cells = {student for student, _ in self.held_cells}
        points: dict[str, float] = dict.fromkeys((student for student, _ in self._rows), 0.0)
        for row in self._rows.values():
            points[row.student] += float(row.points)
        self.points: Mapping[str, float] = points
        self.students = tuple(sorted(points, key=lambda name: (points[name], name)))
        """All students, starting with those who have the fewest points."""
        self.questions = tuple(
            [self._compute_question_statistics(question, max_points) for question, max_points in points_of_question.items()]
        )

    def get_cell(self, student: str, question: str) -> GridCell:
        """Return a student's result for one question."""
        return self.cells.get((student, question), GridCell(0.0, 0, is_answered=False))

    @property
    def point_shares(self) -> list[float]:
        """Return the share of the maximum points of each student whose answers are all graded."""
        return [
            self.points[student] / self.max_points if self.max_points else 0.0
            for student in self.students
            if student not in self._students_with_held_cells
        ]

    @property
    def questions_by_credit(self) -> list[QuestionStatistics]:
        """Return the questions sorted by average credit, the lowest first."""
        return sorted(self.questions, key=lambda question: question.mean_credit)

    def _compute_question_statistics(self, question: str, max_points: int) -> QuestionStatistics:
        graded_students = [student for student in self.students if (student, question) not in self.held_cells]
        fully_graded_students = [student for student in graded_students if student not in self._students_with_held_cells]
        cells = [self.get_cell(student, question) for student in graded_students]
        rows = [row for (_, name), row in self._rows.items() if name == question]
        attempt_counts = [cell.attempt_count for cell in cells if cell.attempt_count > 0]
        earned = [self.get_cell(student, question).credit for student in fully_graded_students]
        other_points = [self.points[student] - max_points * credit for student, credit in zip(fully_graded_students, earned, strict=True)]
        return QuestionStatistics(
            question,
            max_points,
            fmean(cell.credit for cell in cells) if cells else 0.0,
            sum(cell.is_answered for cell in cells),
            _correlate(earned, other_points),
            _compute_quartiles(attempt_counts),
            _count_mistakes(rows, [row for row in rows if self.cells[row.student, question].is_answered]),
            tuple([student for student, cell in zip(graded_students, cells, strict=True) if not cell.credit]),
        )


def _is_answered(row: GradebookRow) -> bool:
    """Return whether a student has answered the question of a given gradebook row."""
    return row.attempt_count > 0 or row.credit > 0 or bool(row.mistake_name)


def _correlate(first_values: list[float], second_values: list[float]) -> float | None:
    """Return Pearson's correlation of two lists; None for short or constant lists."""
    if len(first_values) < MIN_CORRELATED_STUDENTS or max(second_values) - min(second_values) < 1e-9:
        return None
    try:
        return correlation(first_values, second_values)
    except StatisticsError:
        return None


def _compute_quartiles(attempt_counts: list[int]) -> tuple[float, float, float] | None:
    if not attempt_counts:
        return None
    low, _, high = quantiles(attempt_counts, n=4, method="inclusive") if len(attempt_counts) > 1 else (attempt_counts[0],) * 3
    return float(median(attempt_counts)), low, high


def _count_mistakes(rows: list[GradebookRow], answered: list[GradebookRow]) -> tuple[MistakeCount, ...]:
    """Count how often each mistake occurs; sort by this number, with unknown mistakes last."""
    wrong_rows = [row for row in answered if row.credit < 1]
    counts = Counter(row.mistake_name for row in wrong_rows)
    messages = {row.mistake_name: row.explanation for row in reversed(rows) if row.explanation and row.credit < 1}
    names = sorted(counts, key=lambda name: (not name, -counts[name], name))
    return tuple([MistakeCount(name, counts[name], messages.get(name, "")) for name in names])
