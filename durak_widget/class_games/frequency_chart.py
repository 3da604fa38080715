"""How often, as numbers and as bars: for a notebook, for print, and as text where nothing is drawn."""

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
"""So many are to choose from."""

_HOLDS: Final = "display:inline-block;width:100%;height:.85em;border-radius:3px;background:rgba(128,128,128,.22);vertical-align:middle"
_FILLS: Final = "display:block;height:100%;border-radius:3px;background:#3d7ab8"
_TABLE: Final = "table-layout:auto;border-collapse:collapse;width:100%;max-width:600px;margin:4px 0;font-size:1em"
_CELL: Final = "text-align:left;padding:3px 8px 3px 0;border:0"
_NUMBER: Final = "text-align:right;padding:3px 0 3px 8px;border:0;white-space:nowrap;font-variant-numeric:tabular-nums"


class Share(NamedTuple):
    """How many of how many.

    >>> Share("careful", 3, 12).part, Share("careful", 1, 6).percent
    (Fraction(1, 4), 17)
    """

    label: str
    """Of whom, or of what."""
    many: int
    """So many."""
    of: int
    """Of so many, at least one."""

    @property
    def part(self) -> Fraction:
        """The part, exactly."""
        return Fraction(self.many, self.of)

    @property
    def percent(self) -> int:
        """In whole per cents; half a one is rounded up."""
        return int(self.part * 100 + Fraction(1, 2))


class Shares:
    """Some of them, one below the other.

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
        found = next((one for one in self.rows if one.label == label), None)
        if found is None:
            known = ", ".join(repr(one.label) for one in self.rows[:20]) or "none: no decision is left"
            raise DurakError(f"there is no {quoted(label)} here; there are {known}")
        return found

    def __iter__(self) -> Iterator[Share]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def most(self) -> Share:
        """The greatest part; the first of them where several are alike."""
        if not self.rows:
            raise DurakError("there is nothing to compare: no decision is left")
        return max(self.rows, key=lambda one: one.part)

    def which(self, question: Text, **more: Unpack[Setting]) -> Choose:
        """An exercise: where is the part the greatest? Those of whom there is most to count are to choose from; where several are alike, they are one answer.

        >>> quiz = Shares([Share("careful", 3, 12), Share("random", 8, 10)]).which("Who took most often?")
        >>> print(quiz.answer("careful"))
        Not yet. Careful: 3 of 12, 25 %.
        >>> quiz.solution
        ['random']
        """
        shown = set(sorted(self.rows, key=lambda one: -one.of)[:_OFFERED])
        alike: dict[Fraction, list[Share]] = {}
        for one in self.rows:
            if one in shown:
                alike.setdefault(one.part, []).append(one)
        answers: dict[str, Text] = {
            ", ".join(one.label for one in ones): {code: " ".join(_fact(one, code) for one in ones) for code in LANGUAGES}
            for ones in alike.values()
        }
        right = ", ".join(one.label for one in alike[max(alike)]) if alike else "—"
        nothing: Text = Fact("class.play.none")
        if not alike:
            answers = {right: nothing}
        if len(answers) == 1:
            answers["?"] = nothing if right == "—" else next(iter(answers.values()))
        return Choose(question, answers, right=right, **more)

    def together(self, question: Text, **more: Unpack[Setting]) -> Number:
        """An exercise: what part is it of all together? Who takes the average of the parts instead is told so.

        >>> quiz = Shares([Share("careful", 3, 12), Share("random", 8, 10)]).together("How often did we take?")
        >>> quiz.solution, str(quiz.answer("21/40"))[:60]
        (['1/2'], 'Not yet. That is the average of the parts; but whoever decid')
        """
        whole = sum(one.of for one in self.rows)
        right = Fraction(sum(one.many for one in self.rows), whole) if whole else Fraction(0)
        mistakes: dict[str, object] = {}
        if len(self.rows) > 1:
            mean = sum((one.part for one in self.rows), Fraction(0)) / len(self.rows)
            mistakes["averaged"] = (mean, Fact("class.play.averaged"))
        if 0 < right < 1:
            mistakes["contrary"] = 1 - right
        return Number(question, right, mistakes=mistakes, **more)

    def _told(self) -> list[tuple[str, str, str]]:
        voice = Voice(self.language)
        return [(one.label, voice.say("class.play.of", count=one.many, all=one.of), f"{one.percent} %") for one in self.rows]

    def __repr__(self) -> str:
        told = self._told()
        if not told:
            return Voice(self.language).say("class.play.none")
        labels, counts, parts = (max(map(len, column)) for column in zip(*told, strict=True))
        return "\n".join(f"{label:<{labels}}  {count:<{counts}}  {part:>{parts}}" for label, count, part in told)

    def _repr_html_(self) -> str:
        """A table; where styles are taken out, its numbers still stand there."""
        if not self.rows:
            return f"<p>{escape(Voice(self.language).say('class.play.none'))}</p>"
        rows = "".join(
            f'<tr style="background:none"><td style="{_CELL}">{escape(label)}</td>'
            f'<td style="{_CELL};width:55%;min-width:24px"><span style="{_HOLDS}"><span style="{_FILLS};width:{one.percent}%"></span></span></td>'
            f'<td style="{_NUMBER}">{count}</td><td style="{_NUMBER}"><b>{part}</b></td></tr>'
            for one, (label, count, part) in zip(self.rows, self._told(), strict=True)
        )
        return f'<table style="{_TABLE}">{rows}</table>'


def _fact(one: Share, language: str) -> str:
    return Voice(language).say("class.play.share", who=one.label, count=one.many, all=one.of, percent=one.percent)
