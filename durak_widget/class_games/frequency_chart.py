"""Draws charts that show how often something occurred, for notebooks, paper and text."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.choice_exercise import Choose
from durak_widget.exercises.number_exercise import Number
from durak_widget.i18n import LANGUAGES, TranslatableText, Translator

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from typing_extensions import Unpack

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.exercise import PositionOptions

_MAX_OPTIONS: Final = 6
"""The maximum number of answers that a question about a chart offers."""

_BAR_STYLE: Final = "display:inline-block;width:100%;height:.85em;border-radius:3px;background:rgba(128,128,128,.22);vertical-align:middle"
_BAR_FILL_STYLE: Final = "display:block;height:100%;border-radius:3px;background:#3d7ab8"
_TABLE_STYLE: Final = "table-layout:auto;border-collapse:collapse;width:100%;max-width:600px;margin:4px 0;font-size:1em"
_CELL_STYLE: Final = "text-align:left;padding:3px 8px 3px 0;border:0"
_NUMBER_STYLE: Final = "text-align:right;padding:3px 0 3px 8px;border:0;white-space:nowrap;font-variant-numeric:tabular-nums"


class Share(NamedTuple):
    """A frequency: in how many cases, out of all counted cases, something occurred.

    >>> Share("careful", 3, 12).share, Share("careful", 1, 6).percent
    (Fraction(1, 4), 17)
    """

    label: str
    """What is counted: a value in a column of the table, or decisions of the player with this name."""
    occurrences: int
    """The number of cases in which this occurred."""
    total: int
    """The number of all counted cases, at least 1."""

    @property
    def share(self) -> Fraction:
        """Return the frequency as an exact fraction."""
        return Fraction(self.occurrences, self.total)

    @property
    def percent(self) -> int:
        """Return the frequency in whole percent, rounded half up."""
        return int(self.share * 100 + Fraction(1, 2))


class FrequencyChart:
    """A chart of frequencies, with one row for each frequency.

    >>> found = FrequencyChart([Share("careful", 3, 12), Share("random", 8, 10)])
    >>> found
    careful  3 of 12  25 %
    random   8 of 10  80 %
    >>> found["random"].share, found.greatest.label, len(found)
    (Fraction(4, 5), 'random', 2)
    """

    def __init__(self, rows: Iterable[Share], language: str = "en") -> None:
        self.rows = tuple(rows)
        self.language = language

    def __getitem__(self, label: str) -> Share:
        row = next((row for row in self.rows if row.label == label), None)
        if row is None:
            known_labels = ", ".join(repr(row.label) for row in self.rows[:20]) or "none: no decisions are left"
            raise DurakError(f"there is no {short_repr(label)} here; there are {known_labels}")
        return row

    def __iter__(self) -> Iterator[Share]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def greatest(self) -> Share:
        """Return the row with the highest frequency; in a tie, the first of these rows."""
        if not self.rows:
            raise DurakError("there is nothing to compare, because no decisions are left")
        return max(self.rows, key=lambda row: row.share)

    def ask_greatest(self, question: Text, **options: Unpack[PositionOptions]) -> Choose:
        """Make an exercise that asks which of the chart's rows has the highest frequency.

        The answers are the rows with the largest totals; equal shares are one answer.

        >>> quiz = FrequencyChart([Share("careful", 3, 12), Share("random", 8, 10)]).ask_greatest("Who took most often?")
        >>> print(quiz.answer("careful"))
        Not yet. Careful: 3 of 12, 25%.
        >>> quiz.solution
        ['random']
        """
        offered = set(sorted(self.rows, key=lambda row: -row.total)[:_MAX_OPTIONS])
        rows_by_share: dict[Fraction, list[Share]] = {}
        for row in self.rows:
            if row in offered:
                rows_by_share.setdefault(row.share, []).append(row)
        answers: dict[str, Text] = {
            ", ".join(row.label for row in rows): {code: " ".join(_format_share(row, code) for row in rows) for code in LANGUAGES}
            for rows in rows_by_share.values()
        }
        right = ", ".join(row.label for row in rows_by_share[max(rows_by_share)]) if rows_by_share else "—"
        nothing: Text = TranslatableText("class.play.none")
        if not rows_by_share:
            answers = {right: nothing}
        if len(answers) == 1:
            answers["?"] = nothing if right == "—" else next(iter(answers.values()))
        return Choose(question, answers, right=right, **options)

    def ask_overall_share(self, question: Text, **options: Unpack[PositionOptions]) -> Number:
        """Make an exercise that asks for the frequency in all rows of the chart together.

        A student who takes the average of the shares is told about that mistake.

        >>> quiz = FrequencyChart([Share("careful", 3, 12), Share("random", 8, 10)]).ask_overall_share("How often did we take?")
        >>> quiz.solution
        ['1/2']
        >>> print(quiz.answer("21/40"))
        Not yet. You took the average of the percentages. But players who made more decisions must count for more. First add up all decisions, then divide.
        """
        total = sum(row.total for row in self.rows)
        right = Fraction(sum(row.occurrences for row in self.rows), total) if total else Fraction(0)
        mistakes: dict[str, object] = {}
        if len(self.rows) > 1:
            mean = sum((row.share for row in self.rows), Fraction(0)) / len(self.rows)
            mistakes["averaged"] = (mean, TranslatableText("class.play.averaged"))
        if 0 < right < 1:
            mistakes["contrary"] = 1 - right
        return Number(question, right, mistakes=mistakes, **options)

    def _format_rows(self) -> list[tuple[str, str, str]]:
        """Format each row as three texts: its label, its count and its percentage."""
        voice = Translator(self.language)
        return [
            (row.label, voice.translate("class.play.of", count=row.occurrences, all=row.total), f"{row.percent} %") for row in self.rows
        ]

    def __repr__(self) -> str:
        lines = self._format_rows()
        if not lines:
            return Translator(self.language).translate("class.play.none")
        labels, counts, parts = (max(map(len, column)) for column in zip(*lines, strict=True))
        return "\n".join(f"{label:<{labels}}  {count:<{counts}}  {part:>{parts}}" for label, count, part in lines)

    def _repr_html_(self) -> str:
        """Return the chart as an HTML table that can be read without style sheets, too."""
        if not self.rows:
            return f"<p>{escape(Translator(self.language).translate('class.play.none'))}</p>"
        rows = "".join(
            f'<tr style="background:none"><td style="{_CELL_STYLE}">{escape(label)}</td>'
            f'<td style="{_CELL_STYLE};width:55%;min-width:24px"><span style="{_BAR_STYLE}"><span style="{_BAR_FILL_STYLE};width:{row.percent}%"></span></span></td>'
            f'<td style="{_NUMBER_STYLE}">{count}</td><td style="{_NUMBER_STYLE}"><b>{part}</b></td></tr>'
            for row, (label, count, part) in zip(self.rows, self._format_rows(), strict=True)
        )
        return f'<table style="{_TABLE_STYLE}">{rows}</table>'


def _format_share(row: Share, language: str) -> str:
    """Format a frequency as a sentence."""
    return Translator(language).translate("class.play.share", who=row.label, count=row.occurrences, all=row.total, percent=row.percent)
