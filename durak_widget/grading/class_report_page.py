"""The words and tables of the page on how a class stands: what `report` has counted, said and laid out."""

from __future__ import annotations

from contextlib import suppress
from html import escape
from statistics import fmean, median
from typing import TYPE_CHECKING, Final

from durak_widget.homework.html_page import decimal, html_table, percent, signed
from durak_widget.i18n import LANGUAGES, Voice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.grading.counts import Cell, ClassStanding, MistakeCount, QuestionCount
    from durak_widget.grading.gradebook import Trouble
    from durak_widget.grading.pseudonyms import PageNames

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
