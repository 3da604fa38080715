"""Shows frequencies as numbers and bars, in a notebook, in print and as plain text."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.choice_exercise import Choose
from durak_widget.exercises.number_exercise import Number
from durak_widget.i18n import LANGUAGES, Fact, Voice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from typing_extensions import Unpack

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.exercise import Setting

_OFFERED: Final = 6
"""Number of answers to choose from."""

_HOLDS: Final = "display:inline-block;width:100%;height:.85em;border-radius:3px;background:rgba(128,128,128,.22);vertical-align:middle"
_FILLS: Final = "display:block;height:100%;border-radius:3px;background:#3d7ab8"
_TABLE: Final = "table-layout:auto;border-collapse:collapse;width:100%;max-width:600px;margin:4px 0;font-size:1em"
_CELL: Final = "text-align:left;padding:3px 8px 3px 0;border:0"
_NUMBER: Final = "text-align:right;padding:3px 0 3px 8px;border:0;white-space:nowrap;font-variant-numeric:tabular-nums"


class Share(NamedTuple):
    """A count out of a total.

    >>> Share("careful", 3, 12).part, Share("careful", 1, 6).percent
    (Fraction(1, 4), 17)
    """

    label: str
    """The player or value that is counted."""
    many: int
    """The count."""
    of: int
    """The total, at least 1."""

    @property
    def part(self) -> Fraction:
        """Return the exact share."""
        return Fraction(self.many, self.of)

    @property
    def percent(self) -> int:
        """Return the share in whole percent; a half is rounded up."""
        return int(self.part * 100 + Fraction(1, 2))


class Shares:
    """Several shares, one below the other.

    >>> found = Shares([Share("careful", 3, 12), Share("random", 8, 10)])
    >>> found
    careful  3 of 12  25 %
    random   8 of 10  80 %
    >>> found["random"].part, found.most.label, len(found)
    (Fraction(4, 5), 'random', 2)
    """

    def __init__(self, rows: Iterable[Share], language: str = "en") -> None:
        self.rows = tuple(rows)
        self.language = language

    def __getitem__(self, label: str) -> Share:
        row = next((row for row in self.rows if row.label == label), None)
        if row is None:
            known = ", ".join(repr(row.label) for row in self.rows[:20]) or "none: no decision is left"
            raise DurakError(f"there is no {quoted(label)} here; there are {known}")
        return row

    def __iter__(self) -> Iterator[Share]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def most(self) -> Share:
        """Return the greatest share; the first of them if several are equal."""
        if not self.rows:
            raise DurakError("there is nothing to compare: no decision is left")
        return max(self.rows, key=lambda row: row.part)

    def which(self, question: Text, **more: Unpack[Setting]) -> Choose:
        """Make an exercise that asks which share is the greatest.

        The answers are the rows with the largest totals; equal shares are one answer.

        >>> quiz = Shares([Share("careful", 3, 12), Share("random", 8, 10)]).which("Who took most often?")
        >>> print(quiz.answer("careful"))
        Not yet. Careful: 3 of 12, 25 %.
        >>> quiz.solution
        ['random']
        """
        offered = set(sorted(self.rows, key=lambda row: -row.of)[:_OFFERED])
        rows_by_share: dict[Fraction, list[Share]] = {}
        for row in self.rows:
            if row in offered:
                rows_by_share.setdefault(row.part, []).append(row)
        answers: dict[str, Text] = {
            ", ".join(row.label for row in rows): {code: " ".join(_fact(row, code) for row in rows) for code in LANGUAGES}
            for rows in rows_by_share.values()
        }
        right = ", ".join(row.label for row in rows_by_share[max(rows_by_share)]) if rows_by_share else "—"
        nothing: Text = Fact("class.play.none")
        if not rows_by_share:
            answers = {right: nothing}
        if len(answers) == 1:
            answers["?"] = nothing if right == "—" else next(iter(answers.values()))
        return Choose(question, answers, right=right, **more)

    def together(self, question: Text, **more: Unpack[Setting]) -> Number:
        """Make an exercise that asks for the share of all rows together.

        A student who takes the average of the shares is told about that mistake.

        >>> quiz = Shares([Share("careful", 3, 12), Share("random", 8, 10)]).together("How often did we take?")
        >>> quiz.solution, str(quiz.answer("21/40"))[:60]
        (['1/2'], 'Not yet. That is the average of the parts; but whoever decid')
        """
        total = sum(row.of for row in self.rows)
        right = Fraction(sum(row.many for row in self.rows), total) if total else Fraction(0)
        mistakes: dict[str, object] = {}
        if len(self.rows) > 1:
            mean = sum((row.part for row in self.rows), Fraction(0)) / len(self.rows)
            mistakes["averaged"] = (mean, Fact("class.play.averaged"))
        if 0 < right < 1:
            mistakes["contrary"] = 1 - right
        return Number(question, right, mistakes=mistakes, **more)

    def _told(self) -> list[tuple[str, str, str]]:
        """Return the label, the count and the percentage of each row, as text."""
        voice = Voice(self.language)
        return [(row.label, voice.say("class.play.of", count=row.many, all=row.of), f"{row.percent} %") for row in self.rows]

    def __repr__(self) -> str:
        lines = self._told()
        if not lines:
            return Voice(self.language).say("class.play.none")
        labels, counts, parts = (max(map(len, column)) for column in zip(*lines, strict=True))
        return "\n".join(f"{label:<{labels}}  {count:<{counts}}  {part:>{parts}}" for label, count, part in lines)

    def _repr_html_(self) -> str:
        """Return an HTML table whose numbers remain readable without styles."""
        if not self.rows:
            return f"<p>{escape(Voice(self.language).say('class.play.none'))}</p>"
        rows = "".join(
            f'<tr style="background:none"><td style="{_CELL}">{escape(label)}</td>'
            f'<td style="{_CELL};width:55%;min-width:24px"><span style="{_HOLDS}"><span style="{_FILLS};width:{row.percent}%"></span></span></td>'
            f'<td style="{_NUMBER}">{count}</td><td style="{_NUMBER}"><b>{part}</b></td></tr>'
            for row, (label, count, part) in zip(self.rows, self._told(), strict=True)
        )
        return f'<table style="{_TABLE}">{rows}</table>'


def _fact(one: Share, language: str) -> str:
    """Return a share as a sentence."""
    return Voice(language).say("class.play.share", who=one.label, count=one.many, all=one.of, percent=one.percent)
