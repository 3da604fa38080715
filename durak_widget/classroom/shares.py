"""How often, as numbers and as bars: for a notebook, for print, and as text where nothing is drawn."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import DurakError, quoted
from durak_widget.words import Voice

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_HOLDS: Final = "display:inline-block;width:100%;height:.85em;border-radius:3px;background:rgba(128,128,128,.22);vertical-align:middle"
_FILLS: Final = "display:block;height:100%;border-radius:3px;background:#3d7ab8"
_CELL: Final = "text-align:left;padding:3px 10px 3px 0;border:0"
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
            return f"<p>{escape(Voice(self.language).say('class.none'))}</p>"
        rows = "".join(
            f'<tr style="background:none"><td style="{_CELL}">{escape(label)}</td>'
            f'<td style="{_CELL};width:100%"><span style="{_HOLDS}"><span style="{_FILLS};width:{one.percent}%"></span></span></td>'
            f'<td style="{_NUMBER}">{count}</td><td style="{_NUMBER}"><b>{part}</b></td></tr>'
            for one, (label, count, part) in zip(self.rows, self._told(), strict=True)
        )
        return f'<table style="border-collapse:collapse;width:100%;max-width:560px;margin:4px 0;font-size:1em">{rows}</table>'
