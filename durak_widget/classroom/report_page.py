"""The page that tells a teacher how a class stands."""

from __future__ import annotations

from contextlib import suppress
from html import escape
from statistics import fmean, median
from typing import TYPE_CHECKING, Final

from durak_widget.classroom.figures import decimal, percent, signed
from durak_widget.classroom.page import table
from durak_widget.words import LANGUAGES, Voice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.classroom.marks import Trouble
    from durak_widget.classroom.report_counts import Asked, Cell, Mistake, Standing
    from durak_widget.classroom.report_names import Names

STYLE: Final = (
    ".grid{font-size:.85rem}.grid th,.grid td{padding:.16rem .3rem;white-space:nowrap}.grid td{text-align:center;min-width:2.3rem;border:1px solid var(--line)}"
    ".grid thead th:not(:first-child){text-align:center}.grid tbody th{max-width:16rem;overflow:hidden;text-overflow:ellipsis}.grid td.num{text-align:right;border-right:0}.grid sub{font-size:.68rem;color:inherit;line-height:0}.spread td,.spread th{padding:.1rem .55rem}"
    ".items td,.items th{white-space:nowrap}.items tbody th,.items td:last-child{white-space:normal;min-width:10rem;overflow-wrap:anywhere}"
    "details{border-bottom:1px solid var(--line);padding:.45rem 0}details p,details ul{margin-left:1rem;overflow-wrap:anywhere}li{overflow-wrap:anywhere}"
    "@media screen and (max-width:700px){.items .bar,.items td:last-child,.items th:last-child{display:none}}"
    "@media print{.grid{font-size:9.5px}.grid th,.grid td{padding:.06rem .2rem}.items{font-size:11px}.items .bar{display:none}}"
)
_FULL, _LEAST, _MANY_TRIES, _MOST_NAMED, _MOST_FIRST = 1.0, 0.08, 4, 24, 3
_FILL: Final = 0.32
"""How full a cell with all points is shaded: numbers stay readable on it by day and by night."""
_HELP: Final = 0.7
"""A question of which less than this share was got needs help."""
_MUCH, _SOME = 0.3, 0.1
_BINS: Final = 10
_MOST_SAID, _MOST_BRIEF = 240, 70


def sentence(name: str, voice: Voice) -> str:
    """The sentence that names a mistake, where it stands without facts; nothing elsewhere.

    >>> from durak_widget.words import Voice
    >>> sentence("number.with_replacement", Voice())[:24], sentence("a mistake of your own", Voice())
    ('So it would be if each c', '')
    """
    for key in (f"lesson.{name}", name):
        with suppress(KeyError, IndexError, ValueError):
            return voice.say(key)
    return ""


def shortened(text: str, most: int) -> str:
    """A text of so many letters at most, cut behind a word."""
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0].rstrip(" ,;:") + " …"


class Telling:
    """The parts of the page, each as HTML."""

    def __init__(self, standing: Standing, titles: Mapping[str, str], names: Names, voice: Voice) -> None:
        self._standing, self._titles, self._names, self._voice = standing, titles, names, voice
        self._numbers = {asked.name: number for number, asked in enumerate(standing.asked, 1)}

    def _say(self, key: str, **facts: object) -> str:
        return escape(self._voice.say(f"class.report.{key}", **facts))

    def _named(self, asked: Asked) -> str:
        """A question as `3 · What beats what`."""
        return f"{self._numbers[asked.name]} · {self._titles.get(asked.name) or asked.name}"

    def _mistake(self, mistake: Mistake, most: int = 10_000) -> str:
        """A mistake in words: the sentence that names it; where that has facts of the instance in it, as one student heard it."""
        if not mistake.name:
            return self._voice.say("class.report.unnamed")
        told = sentence(mistake.name, self._voice) or self._heard(mistake)
        told = told or mistake.name.rpartition(".")[2].replace("_", " ").replace("-", " ")
        return shortened(told, most).rstrip(".")

    def _heard(self, mistake: Mistake) -> str:
        """What one of those who made it was told, without the verdict that stands before it."""
        said = " ".join(mistake.said.split())
        for code in LANGUAGES:
            said = said.removeprefix(Voice(code).say("lesson.not_yet")).lstrip()
        return self._names.text(said)

    def whole(self, troubles: Sequence[Trouble]) -> str:
        """All of it, what needs help first."""
        parts = [self._first(), self._marks(), self._items(), self._grid(), self._each()] if self._standing.students else []
        return "".join([*parts, self._troubles(troubles)]) or f"<p>{self._say('none')}</p>"

    def _first(self) -> str:
        """The questions to look at first, in sentences."""
        hard = [asked for asked in self._standing.first if asked.mean < _HELP][:_MOST_FIRST]
        if not hard:
            return ""
        lines = []
        for asked in hard:
            everybody = len(self._standing.students)
            line = self._say(
                "first.line", question=self._named(asked), credit=percent(asked.mean), none=str(len(asked.stuck)), all=str(everybody)
            )
            if asked.mistakes and asked.mistakes[0].name:
                commonest = asked.mistakes[0]
                line += " " + self._say("first.mistake", count=str(commonest.many), mistake=self._mistake(commonest, _MOST_SAID))
            lines.append(f"<li>{line}</li>")
        return f"<h2>{self._say('first')}</h2><ol>{''.join(lines)}</ol>"

    def _marks(self) -> str:
        """How the points are spread."""
        standing, voice = self._standing, self._voice
        points, shares = list(standing.points.values()), standing.shares
        said = self._say("marks.line", mean=decimal(fmean(points), voice), of=str(standing.of), median=decimal(median(points), voice))
        bins = [0] * _BINS
        for share in shares:
            bins[min(int(share * _BINS + 1e-9), _BINS - 1)] += 1
        most = max(bins)
        rows = [
            [
                f"{10 * place}–{10 * place + 10}\u202f%",
                f'<span class="bar" aria-hidden="true"><i style="width:{100 * count / most:.0f}%"></i></span> {count}',
            ]
            for place, count in enumerate(bins)
        ]
        return (
            f"<h2>{self._say('marks')}</h2><p>{said}</p>{table([self._say('marks.range'), self._say('marks.count')], rows, kind='spread')}"
        )

    def _tells(self, tells: float | None) -> str:
        if tells is None:
            return self._say("tells.unknown")
        how = "wrong" if tells < -_SOME else "none" if tells < _SOME else "some" if tells < _MUCH else "much"
        return f'{self._say(f"tells.{how}")} <span class="soft">{signed(tells, self._voice)}</span>'

    def _tries(self, asked: Asked) -> str:
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
        return f"<h2>{self._say('questions')}</h2>{table(head, rows, numbers=(1,), kind='items')}{notes}"

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
        heads = "".join(
            f'<th scope="col"><abbr title="{escape(self._named(asked))}" style="text-decoration:none">{self._numbers[asked.name]}</abbr></th>'
            for asked in standing.asked
        )
        lines = []
        for student in standing.students:
            cells = "".join(self._cell(standing.cell(student, asked.name)) for asked in standing.asked)
            total = decimal(standing.points[student], self._voice)
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
            stuck = [self._names.student(student) for student in asked.stuck]
            more = [self._voice.say("class.report.and_more", count=str(len(stuck) - _MOST_NAMED))] if len(stuck) > _MOST_NAMED else []
            who = f"<p>{self._say('stuck', who=', '.join([*stuck[:_MOST_NAMED], *more]))}</p>" if stuck else ""
            opened = " open" if place < _MOST_FIRST else ""
            told += (
                f"<details{opened}><summary><b>{escape(self._named(asked))}</b> · {percent(asked.mean)}</summary>{listed}{who}</details>"
            )
        return f"<h2>{self._say('mistakes')}</h2>{told}"

    def _troubles(self, troubles: Sequence[Trouble]) -> str:
        """What could not be marked, or was odd."""
        if not troubles:
            return ""
        lines = "".join(
            f"<li>{f'<b>{escape(self._names.file(trouble.file))}</b>: ' if trouble.file else ''}{escape(self._names.text(trouble.said))}</li>"
            for trouble in troubles
        )
        return f'<h2 class="warn">{self._say("troubles")}</h2><ul>{lines}</ul>'
