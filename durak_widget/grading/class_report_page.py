"""Makes the class report page: question difficulty, frequent mistakes, attempts and points.

The module computes the statistics from the gradebook and writes them as sections of one HTML page. The report
also shows who is stuck where.
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
"""How full a cell with all points is shaded: numbers stay readable on it by day and by night."""
_HELP: Final = 0.7
"""A question of which less than this share was got needs help."""
_MUCH, _SOME = 0.3, 0.1
_BINS, _TALLEST = 10, 4.5
_MOST_SAID, _MOST_BRIEF = 240, 70
NAMES: Final = ("shown", "hidden")
FEWEST: Final = 5
"""Of fewer students no correlation is told."""


def sentence(name: str, voice: Voice) -> str:
    """The sentence that names a mistake, where it stands without facts; nothing elsewhere.

    >>> from durak_widget.i18n import Voice
    >>> sentence("number.with_replacement", Voice())[:24], sentence("a mistake of your own", Voice())
    ('So it would be if each c', '')
    """
    for key in (f"class.report.mistake.{name}", f"lesson.{name}", name):
        with suppress(KeyError, IndexError, ValueError):
            return voice.say(key)
    return ""


def shortened(text: str, most: int) -> str:
    """A text of so many letters at most, cut behind a word."""
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0].rstrip(" ,;:") + " …"


class Telling:
    """The parts of the page, each as HTML."""

    def __init__(
        self, standing: ClassStanding, titles: Mapping[str, str], notes: Mapping[str, str], names: PageNames, voice: Voice
    ) -> None:
        self._standing, self._titles, self._notes, self._names, self._voice = standing, titles, notes, names, voice
        self._numbers = {asked.name: number for number, asked in enumerate(standing.asked, 1)}

    def _say(self, key: str, **facts: object) -> str:
        return escape(self._voice.say(f"class.report.{key}", **facts))

    def _named(self, asked: QuestionCount) -> str:
        """A question as `3 · What beats what`."""
        return f"{self._numbers[asked.name]} · {self._titles.get(asked.name) or asked.name}"

    def _mistake(self, mistake: MistakeCount, most: int = 10_000) -> str:
        """A mistake in words: the sentence that names it; where that has facts of the instance in it, as one student heard it."""
        if not mistake.name:
            return self._voice.say("class.report.unnamed")
        told = sentence(mistake.name, self._voice) or self._heard(mistake)
        told = told or mistake.name.rpartition(".")[2].replace("_", " ").replace("-", " ")
        return shortened(told, most).rstrip(".")

    def _heard(self, mistake: MistakeCount) -> str:
        """What one of those who made it was told, without the verdict that stands before it."""
        said = " ".join(mistake.said.split())
        for code in LANGUAGES:
            for verdict in ("lesson.not_right", "lesson.not_yet"):
                said = said.removeprefix(Voice(code).say(verdict)).lstrip()
        return self._names.quoted(said)

    def whole(self, troubles: Sequence[Trouble]) -> str:
        """All of it, what needs help first."""
        parts = [self._first(), self._grid(), self._items(), self._marks(), self._each()] if self._standing.students else []
        missing = {self._voice.say("class.file.missing", student=student) for student in self._standing.absent}
        odd = [trouble for trouble in troubles if trouble.said not in missing]  # they are told of in a line already
        return "".join([self._aside(odd), *parts, self._troubles(odd)]) or f"<p>{self._say('none')}</p>"

    def _some(self, students: Sequence[str]) -> str:
        """Names in a row, the rest of many as a number."""
        called = [self._names.student(student) for student in students[:_MOST_NAMED]]
        more = [self._voice.say("class.report.and_more", count=str(len(students) - _MOST_NAMED))] if len(students) > _MOST_NAMED else []
        return ", ".join([*called, *more])

    def _aside(self, odd: Sequence[Trouble]) -> str:
        """Of whom nothing counts, and that something was odd: what is to be known before any number is read."""
        absent = self._standing.absent
        lines = [self._say("absent", count=str(len(absent)), who=self._some(absent))] if absent else []
        lines += [self._say("seen", count=str(len(odd)))] if odd and self._standing.students else []
        return "".join(f'<p class="note warn">{line}</p>' for line in lines)

    def _first(self) -> str:
        """The questions to look at first, in sentences."""
        hard = [asked for asked in self._standing.first if asked.mean < _HELP][:_MOST_FIRST]
        if not hard:
            return ""
        lines = []
        for asked in hard:
            everybody = len(self._standing.students)
            line = self._say("first.line", credit=percent(asked.mean), none=str(len(asked.stuck)), all=str(everybody))
            if asked.mistakes and asked.mistakes[0].name:
                commonest = asked.mistakes[0]
                line += " " + self._say("first.mistake", count=str(commonest.many), mistake=self._mistake(commonest, _MOST_SAID))
            note = self._notes.get(asked.name, "")
            told = f'<br><span class="soft">{escape(note)}</span>' if note else ""
            lines.append(f"<li><b>{escape(self._named(asked))}</b><br>{line}{told}</li>")
        return f'<h2>{self._say("first")}</h2><ul class="first">{"".join(lines)}</ul>'

    def _marks(self) -> str:
        """How the points are spread."""
        standing, voice = self._standing, self._voice
        shares = standing.shares
        if not shares:
            return ""
        points = [share * standing.of for share in shares]
        said = self._say("marks.line", mean=decimal(fmean(points), voice), of=str(standing.of), median=decimal(median(points), voice))
        bins = [0] * _BINS
        for share in shares:
            bins[min(int(share * _BINS + 1e-9), _BINS - 1)] += 1
        most = max(bins)
        heads = "".join(f'<th scope="col">{10 * place}–{10 * place + 10}</th>' for place in range(_BINS))
        counts = "".join(f'<td>{count or ""}<i style="height:{_TALLEST * count / most:.2f}rem"></i></td>' for count in bins)
        spread = f"<tbody><tr>{counts}</tr></tbody><tfoot><tr>{heads}</tr></tfoot>"
        return (
            f'<h2>{self._say("marks")}</h2><p>{said}</p><table class="spread"><caption>{self._say("marks.read")}</caption>{spread}</table>'
        )

    def _tells(self, tells: float | None) -> str:
        if tells is None:
            return self._say("tells.unknown")
        how = "wrong" if tells < -_SOME else "none" if tells < _SOME else "some" if tells < _MUCH else "much"
        return f'{self._say(f"tells.{how}")} <span class="soft">{signed(tells, self._voice)}</span>'

    def _tries(self, asked: QuestionCount) -> str:
        if asked.tries is None:
            return "–"
        middle, low, high = (decimal(number, self._voice) for number in asked.tries)
        return self._say("tries.line", median=middle, low=low, high=high)

    def _items(self) -> str:
        """A row for each question."""
        everybody = len(self._standing.students)
        head = [self._say(key) for key in ("question", "total", "credit", "answered", "tells", "tries", "mistakes")]
        rows = []
        for asked in self._standing.asked:
            named = next((one for one in asked.mistakes if one.name), None)
            common = f"{named.many} × {self._mistake(named, _MOST_BRIEF)}" if named else ""
            share = f'<span class="bar" aria-hidden="true"><i style="width:{100 * asked.mean:.0f}%"></i></span> {percent(asked.mean)}'
            rows.append(
                [
                    escape(self._named(asked)),
                    str(asked.of),
                    share,
                    f"{asked.answered}/{everybody}",
                    self._tells(asked.tells),
                    self._tries(asked),
                    escape(common) or "–",
                ]
            )
        notes = "".join(f'<p class="note">{self._say(f"read.{key}")}</p>' for key in ("credit", "tells", "tries"))
        return f"<h2>{self._say('questions')}</h2>{html_table(head, rows, numbers=(1,), kind='items')}{notes}"

    def _cell(self, cell: Cell) -> str:
        """What a student has of a question: shaded, and in a sign or a number."""
        if not cell.answered:
            return "<td>–</td>"
        shown = "✓" if cell.credit >= _FULL else str(min(99, max(1, round(100 * cell.credit)))) if cell.credit else "0"
        tries = f"<sub>{min(cell.tries, 99)}×</sub>" if cell.tries >= _MANY_TRIES else ""
        fill = f' style="background:rgba(var(--shade),{_LEAST + (_FILL - _LEAST) * cell.credit:.2f})"' if cell.credit else ""
        return f"<td{fill}>{shown}{tries}</td>"

    def _grid(self) -> str:
        """Who is stuck where: a row for each student, those with the fewest points first."""
        standing = self._standing
        heads = "".join(f'<th scope="col"><span>{escape(self._named(asked))}</span></th>' for asked in standing.asked)
        lines = []
        for student in standing.students:
            open_ = {asked.name for asked in standing.asked if (student, asked.name) in standing.held}
            cells = "".join(
                "<td>?</td>" if asked.name in open_ else self._cell(standing.cell(student, asked.name)) for asked in standing.asked
            )
            total = decimal(standing.points[student], self._voice) + (" + ?" if open_ else "")
            lines.append(f'<tr><th scope="row">{escape(self._names.student(student))}</th>{cells}<td class="num">{total}</td></tr>')
        return (
            f'<h2>{self._say("grid")}</h2><p class="note">{self._say("grid.read")}</p><div class="wide" tabindex="0"><table class="grid"><thead><tr>'
            f'<th scope="col">{self._say("student")}</th>{heads}<th scope="col" class="num">{self._say("total")}</th></tr></thead><tbody>{"".join(lines)}</tbody></table></div>'
        )

    def _each(self) -> str:
        """Each question, the one that needs help first on top: its mistakes, and who is stuck."""
        told = ""
        for place, asked in enumerate(self._standing.first):
            lines = []
            for mistake in asked.mistakes:
                named = self._mistake(mistake, _MOST_SAID)
                said = shortened(self._heard(mistake), _MOST_SAID)
                quote = f' <span class="soft">{escape(said)}</span>' if said and named not in said else ""
                lines.append(f"<li><b>{mistake.many} ×</b> {escape(named)}.{quote}</li>")
            listed = f"<ul>{''.join(lines)}</ul>" if lines else f"<p>{self._say('no_mistakes')}</p>"
            who = f"<p>{self._say('stuck', who=self._some(asked.stuck))}</p>" if asked.stuck else ""
            opened = " open" if place < _MOST_FIRST else ""
            told += (
                f"<details{opened}><summary><b>{escape(self._named(asked))}</b> · {percent(asked.mean)}</summary>{listed}{who}</details>"
            )
        return f"<h2>{self._say('mistakes')}</h2>{told}"

    def _troubles(self, troubles: Sequence[Trouble]) -> str:
        """What could not be marked, or was odd."""
        if not troubles:
            return ""
        folders = {trouble.file.partition("/")[0] + "/" for trouble in troubles if trouble.file}
        shared = next(iter(folders)) if len(folders) == 1 else ""  # the folder in which all of it lies tells nothing
        said: dict[str, list[str]] = {}
        for trouble in troubles:
            said.setdefault(self._names.file(trouble.file).removeprefix(shared), []).append(
                self._names.text(trouble.said.replace(shared, ""), trouble.people)
            )
        lines = "".join(f"<li><b>{escape(file)}</b>: {escape(' '.join(told))}</li>" for file, told in said.items() if file)
        lines += "".join(f"<li>{escape(one)}</li>" for one in said.get("", ()))
        return f'<h2 class="warn">{self._say("troubles")}</h2><ul>{lines}</ul>'


class Report(Page):
    """The page: `.html`, `.save("class.html")`, and itself in a notebook; `.standing` has its numbers.

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
        """The page of these marks; with `names="hidden"` students and files have other names, the same again by the same `key`."""
        if names not in NAMES:
            raise DurakError(f"names={quoted(names)} is how students stand on the page: {' or '.join(map(repr, NAMES))}")
        if not isinstance(key, str):
            raise DurakError(f'a key is a word of yours, as in key="willow", not {quoted(key)}')
        voice = Voice(language)
        self.standing = standing = ClassStanding(marks.rows)
        people = [name for trouble in marks.troubles for name in trouble.people or ()]
        students = [*dict.fromkeys([*standing.students, *standing.absent, *people])]
        files = list(
            dict.fromkeys(
                [*(row.file for row in marks.rows), *(file for trouble in marks.troubles for file in (trouble.file, *trouble.others))]
            )
        )
        files = [file for file in files if file]
        called = PageNames(students, files) if names == "shown" else PageNames.hidden(students, files, key, voice)
        heading = voice.say("class.report.title")
        many = voice.say("class.report.many", students=len(standing.students), questions=len(standing.asked), points=standing.of)
        lead = " · ".join(part for part in (title, many) if part)
        hidden = f'<p class="note">{escape(voice.say("class.report.hidden"))}</p>' if names == "hidden" else ""
        told = Telling(standing, titles or {}, notes or {}, called, voice).whole(marks.troubles)
        body = f'<h1>{escape(heading)}</h1><p class="lead">{escape(lead)}</p>{hidden}{told}'
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
    """The page of a folder of homework, which is marked for it as `mark` does; or of marks that there are already.

    >>> from tempfile import mkdtemp
    >>> class_report(mkdtemp(), jobs=0)
    <Report 'How the class stands'>
    """
    if isinstance(folder, (str, PathLike)):
        require_outside_import_path(folder)  # before anything else is imported
        from durak_widget.grading.folder_grading import mark  # noqa: PLC0415 - marks that there are need none of it

        how: Any = {"roster": roster, "jobs": jobs, "executor": executor, "language": language, "run_code": run_code}
        how |= {"changes": changes, "anew": anew, "questions": questions, "word": word, "due": due, "typed": typed}
        folder = mark(folder, assignment or "econ431", edition=edition, **how)
    if not (hasattr(folder, "rows") and hasattr(folder, "troubles")):
        raise DurakError(
            f'a class is reported from its folder, as in "submissions", or from the marks of lessons.mark, not from {quoted(folder)}'
        )
    voice = Voice(language)
    own = assignment_of(assignment or "econ431", str(edition or "")) if folder.assignment is None else folder.assignment
    titles = {question.name: in_words(question.title, voice) for question in own.questions}
    notes = {question.name: in_words(question.note, voice) for question in own.questions}
    title = " · ".join(part for part in (in_words(own.title, voice), own.edition) if part)
    return Report(folder, title=title, titles=titles, notes=notes, names=names, key=key, language=language)


class Cell(NamedTuple):
    """What a student has of a question."""

    credit: float
    tries: int
    answered: bool


class MistakeCount(NamedTuple):
    """A mistake, how many made it, and what one of them was told."""

    name: str
    """Empty where a wrong answer is no mistake with a name."""
    many: int
    said: str


class QuestionCount(NamedTuple):
    """A question in numbers."""

    name: str
    of: int
    mean: float
    """The mean credit: how easy it was."""
    answered: int
    tells: float | None
    """The correlation of its credit with the points of all other questions; None where that cannot be said."""
    tries: tuple[float, float, float] | None
    """The median, and the two between which the middle half lies."""
    mistakes: tuple[MistakeCount, ...]
    stuck: tuple[str, ...]
    """Who has none of its points."""


class ClassStanding:
    """The marks of a class, counted.

    >>> from durak_widget.grading.gradebook import Marked
    >>> from fractions import Fraction
    >>> rows = [Marked("Ann", "a", "q", Fraction(2), 2, Fraction(1), 1, "", ""), Marked("Bob", "b", "q", Fraction(0), 2, Fraction(0), 3, "turned", "No.")]
    >>> standing = ClassStanding(rows)
    >>> standing.students, standing.asked[0].mean, standing.asked[0].mistakes
    (('Bob', 'Ann'), 0.5, (MistakeCount(name='turned', many=1, said='No.'),))
    """

    def __init__(self, rows: Iterable[Marked]) -> None:
        every = list(rows)
        worth = {row.question: row.of for row in every}
        self.of = sum(worth.values())
        """The points that there are."""
        here = {row.student for row in every if _answered(row)}
        self.absent = tuple(dict.fromkeys(row.student for row in every if row.student not in here))
        """Of whom no answer counts: they are in none of the numbers, since they say nothing about the questions."""
        self._rows = {(row.student, row.question): row for row in every if row.student in here}
        self.cells = {place: Cell(float(row.credit), row.tries, _answered(row)) for place, row in self._rows.items()}
        self.held = {place for place, row in self._rows.items() if row.held}
        """The students and questions of whom nothing is marked yet, or may be lost: they stand in no average."""
        self._unsure = {student for student, _ in self.held}
        points: dict[str, float] = dict.fromkeys((student for student, _ in self._rows), 0.0)
        for row in self._rows.values():
            points[row.student] += float(row.points)
        self.points: Mapping[str, float] = points
        self.students = tuple(sorted(points, key=lambda name: (points[name], name)))
        """Those with the fewest points first."""
        self.asked = tuple([self._asked(question, of) for question, of in worth.items()])

    def cell(self, student: str, question: str) -> Cell:
        """What a student has of a question."""
        return self.cells.get((student, question), Cell(0.0, 0, answered=False))

    @property
    def shares(self) -> list[float]:
        """The share of all points that each student has of whom everything is marked."""
        return [self.points[student] / self.of if self.of else 0.0 for student in self.students if student not in self._unsure]

    @property
    def first(self) -> list[QuestionCount]:
        """The questions that need help first: those with the least mean credit."""
        return sorted(self.asked, key=lambda one: one.mean)

    def _asked(self, question: str, of: int) -> QuestionCount:
        known = [student for student in self.students if (student, question) not in self.held]
        whole = [student for student in known if student not in self._unsure]
        cells = [self.cell(student, question) for student in known]
        rows = [row for (_, name), row in self._rows.items() if name == question]
        tries = [cell.tries for cell in cells if cell.tries > 0]
        earned = [self.cell(student, question).credit for student in whole]
        rest = [self.points[student] - of * credit for student, credit in zip(whole, earned, strict=True)]
        return QuestionCount(
            question,
            of,
            fmean(cell.credit for cell in cells) if cells else 0.0,
            sum(cell.answered for cell in cells),
            _correlated(earned, rest),
            _middle(tries),
            _mistakes(rows, [row for row in rows if self.cells[row.student, question].answered]),
            tuple([student for student, cell in zip(known, cells, strict=True) if not cell.credit]),
        )


def _answered(row: Marked) -> bool:
    return row.tries > 0 or row.credit > 0 or bool(row.mistake)


def _correlated(ones: list[float], others: list[float]) -> float | None:
    """Pearson's correlation; None of few, or where one of both never changes."""
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
    """The mistakes, the commonest first; wrong answers without a name stand last."""
    wrong = [row for row in answered if row.credit < 1]
    counts = Counter(row.mistake for row in wrong)
    said = {row.mistake: row.said for row in reversed(rows) if row.said and row.credit < 1}
    order = sorted(counts, key=lambda name: (not name, -counts[name], name))
    return tuple([MistakeCount(name, counts[name], said.get(name, "")) for name in order])
