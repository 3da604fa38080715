"""A tournament drawn: the ratings with what the games leave open, the brackets of ties, the ratings as games came in. Text that needs nothing else."""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.arena.result_sentences import (
    SERIES,
    clipped_name,
    everybody,
    grouped,
    known,
    lanes,
    number_of_points,
    places_said,
    shown_name,
    standing_said,
    svg_of,
)
from durak_widget.atomic_files import keep_text
from durak_widget.i18n import Voice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from durak_widget.arena.result_types import RatingTold, ResultTold

_WIDE, _ROW, _TOP, _LANE, _EDGE = 760, 28, 34, 12, 10
_NAMES, _NUMBERS = 220, 128
_HIGH, _LABELS, _LABEL = 360, 190, 18
_WHOLE: Final = 100.0
_READABLE: Final = "36rem"
"""So wide a drawing is at least in a notebook: on a telephone its words would be a third as high as those around it."""
_ALL_COLORED: Final = 8
"""Of so many bots each is called by its name on the curve; of more, only those in colour."""


class Drawing(NamedTuple):
    """What is drawn, as text that a notebook shows."""

    text: str

    def _repr_html_(self) -> str:
        """What is drawn, in a box in which it is moved about where it would be too small to be read; a table brings its own."""
        if not self.text.startswith("<svg"):
            return self.text
        wide = self.text.replace('style="', f'style="min-width:{_READABLE};', 1)
        return f'<div style="overflow-x:auto" tabindex="0">{wide}</div>'

    def save(self, path: str | PathLike[str]) -> None:
        """Keep it as a file."""
        keep_text(path, self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Drawing of {len(self.text)} characters>"


class Scale(NamedTuple):
    """From which number to which something is drawn, and where a number is written."""

    low: float
    high: float
    step: float

    def at(self, number: float) -> float:
        """How far along it a number lies, from 0 to 1."""
        return (min(self.high, max(self.low, number)) - self.low) / (self.high - self.low)

    @property
    def marks(self) -> list[float]:
        """The numbers that are written at it."""
        return [self.low + self.step * i for i in range(round((self.high - self.low) / self.step) + 1)]


def scale_of(numbers: Iterable[float | None], marks: int = 5) -> Scale:
    """A scale on which all these lie, of round numbers; where none of them leaves the points of 100, neither does it.

    >>> scale_of([12.5, 88]).marks, scale_of([]).marks
    ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], [0.0, 25.0, 50.0, 75.0, 100.0])
    """
    found = [one for number in numbers if (one := known(number)) is not None]
    if not found:
        return Scale(0.0, _WHOLE, 25.0)
    low, high = min(found), max(found)
    if high - low < 1:
        low, high = low - 1, high + 1
    rough = (high - low) / marks
    power = 10 ** floor(log10(rough))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= rough)
    ends = floor(low / step) * step, ceil(high / step) * step
    if min(found) >= 0 and max(found) <= _WHOLE:
        ends = max(0.0, ends[0]), min(_WHOLE, ends[1])
    return Scale(ends[0], ends[1], step)


def scale_of_ratings(ratings: Iterable[RatingTold | None]) -> Scale:
    """A scale on which all ratings lie with their intervals."""
    return scale_of(number for one in ratings if one is not None for number in (one.points, one.low, one.high))


def ratings_plot(result: ResultTold, language: str = "en") -> str:
    """A dot for each bot with a line for what its games leave open, the best on top; brackets join those who cannot be told apart."""
    voice, standing = Voice(language), result.standing
    ties = lanes(standing)
    left = _EDGE + _LANE * len(ties) + 52 + _NAMES
    right = _WIDE - _NUMBERS
    scale = scale_of_ratings(standing.ratings)
    every = everybody(result)
    low = _TOP + _ROW * len(every)
    drawn = []
    for mark in scale.marks:
        x = left + scale.at(mark) * (right - left)
        drawn.append(
            f'<path class="a-grid" d="M{x:.1f} {_TOP - 4}V{low}"/><text class="a-soft a-mid" x="{x:.1f}" y="{low + 18}">{number_of_points(mark, voice)}</text>'
        )
    for lane, held in enumerate(ties):
        x = _EDGE + _LANE * lane
        drawn += [
            f'<path class="a-tie" d="M{x + 5} {_TOP + _ROW * first + 5}H{x}V{_TOP + _ROW * (last + 1) - 5}H{x + 5}"/>'
            for first, last in held
        ]
    for place, which in enumerate(every):
        drawn.append(
            _rated(shown_name(result.names[which]), standing.ratings[which], _TOP + _ROW * (place + 0.5), (left, right), scale, voice)
        )
    title, axis = voice.say("arena.ratings"), voice.say("arena.of_100")
    head = f'<text class="a-ink a-b" x="{_EDGE}" y="18" font-size="16">{escape(title)}</text><text class="a-soft a-end" x="{right}" y="18">{escape(axis)}</text>'
    told = " ".join(standing_said(result, voice))
    return svg_of(_WIDE, low + 28, title, told, language, head + "".join(drawn))


def _rated(name: str, one: RatingTold | None, y: float, ends: tuple[float, float], scale: Scale, voice: Voice) -> str:
    """The line of one bot: its place, its name, dot and interval, and the number."""
    left, right = ends
    points, low, high = (None, None, None) if one is None else (known(one.points), known(one.low), known(one.high))
    drawn = [
        f'<text class="a-soft a-end" x="{left - _NAMES - 8}" y="{y + 5:g}">{"–" if one is None else places_said(one.rank_low, one.rank_high)}</text>',
        f'<text class="a-ink" x="{left - _NAMES}" y="{y + 5:g}">{escape(clipped_name(name, 26))}<title>{escape(name)}</title></text>',
    ]
    if points is not None:
        x = left + scale.at(points) * (right - left)
        if low is not None and high is not None:
            ends = left + scale.at(low) * (right - left), left + scale.at(high) * (right - left)
            drawn.append(f'<path class="a-range" d="M{ends[0]:.1f} {y:g}H{ends[1]:.1f}"/>')
        drawn.append(f'<circle class="a-mark" cx="{x:.1f}" cy="{y:g}" r="5.5"/>')
    drawn.append(f'<text class="a-ink a-b a-end" x="{_WIDE - 72}" y="{y + 5:g}">{number_of_points(points, voice)}</text>')
    drawn.append(f'<text class="a-soft" x="{_WIDE - 64}" y="{y + 5:g}" font-size="12">{interval_said(one, voice)}</text>')
    return "".join(drawn)


def interval_said(one: RatingTold | None, voice: Voice) -> str:
    """From where to where the rating of a bot may lie; nothing where that is not known."""
    if one is None:
        return ""
    low, high = known(one.low), known(one.high)
    if known(one.points) is None or low is None or high is None:
        return ""
    joined = "–" if low >= 0 else "…"  # a minus beside a dash is not seen
    return f"{number_of_points(low, voice)}{joined}{number_of_points(high, voice)}"


def course_plot(result: ResultTold, language: str = "en", *, titled: bool = True) -> str:
    """The rating of each bot as games came in, with its name where its line ends; of many, the first have colours. Its title is left out where it stands above."""
    voice, order = Voice(language), list(result.standing.order)
    course = result.course
    scale = scale_of((one for _, ratings in course for one in ratings), 4)
    most = max([at for at, _ in course], default=0) or 1
    left, right, top, low = 46, _WIDE - _LABELS, 34 if titled else 12, _HIGH - 44

    def at(games: int, points: float) -> tuple[float, float]:
        return left + games / most * (right - left), low - scale.at(points) * (low - top)

    drawn = []
    for mark in scale.marks:
        _, y = at(0, mark)
        drawn.append(
            f'<path class="a-grid" d="M{left} {y:.1f}H{right}"/><text class="a-soft a-end" x="{left - 6}" y="{y + 5:.1f}">{number_of_points(mark, voice)}</text>'
        )
    along = scale_of([0, most], 6)
    for mark in [one for one in along.marks if one <= most] if most > _WHOLE else [0, most]:
        x, _ = at(round(mark), scale.low)
        drawn.append(f'<text class="a-soft a-mid" x="{x:.1f}" y="{low + 20}">{grouped(round(mark))}</text>')
    lines, labels = [], []
    for place, which in enumerate(order):
        spots = [at(games, points) for games, ratings in course if (points := known(ratings[which])) is not None]
        colored = place < SERIES
        if not spots:
            continue
        name = shown_name(result.names[which])
        kind = f"a-run a-s{place}" if colored else "a-run a-rest"
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
        dot = f'<circle class="{f"a-f{place}" if colored else "a-soft"}" cx="{spots[-1][0]:.1f}" cy="{spots[-1][1]:.1f}" r="3.5"/>'
        lines.append(
            f'<g><title>{escape(name)}</title><path class="{kind}" d="M{path}"/>{dot if colored or len(order) <= _ALL_COLORED else ""}</g>'
        )
        if colored or len(order) <= _ALL_COLORED:
            labels.append((spots[-1][1], f"a-f{place} a-b" if colored else "a-soft", name))
    for y, kind, name in _apart(labels, top, low):
        lines.append(
            f'<text class="{kind}" x="{right + 10}" y="{y + 5:.1f}">{escape(clipped_name(name, 21))}<title>{escape(name)}</title></text>'
        )
    title = voice.say("arena.course")
    head = f'<text class="a-ink a-b" x="{_EDGE}" y="18" font-size="16">{escape(title)}</text>' if titled else ""
    foot = f'<text class="a-soft a-end" x="{right}" y="{_HIGH - 6}">{escape(voice.say("arena.games"))}</text>'
    rest = voice.say("arena.course.rest", count=len(order) - SERIES) if len(order) > _ALL_COLORED else ""
    grey = f'<text class="a-soft" x="{left}" y="{_HIGH - 6}">{escape(rest)}</text>' if rest else ""
    return svg_of(
        _WIDE, _HIGH, title, _course_said(result, voice), language, head + "".join(drawn) + "".join(reversed(lines)) + foot + grey
    )


def _apart(labels: Sequence[tuple[float, str, str]], top: float, low: float) -> list[tuple[float, str, str]]:
    """Labels each as near as can be to where its line ends, none upon another."""
    found = sorted(labels)
    heights = [y for y, _, _ in found]
    for _ in range(60):
        moved = False
        for i in range(len(heights) - 1):
            over = _LABEL - (heights[i + 1] - heights[i])
            if over > 0.1:
                heights[i], heights[i + 1], moved = heights[i] - over / 2, heights[i + 1] + over / 2, True
        if heights and heights[0] < top:
            heights[0], moved = top, True
        if heights and heights[-1] > low:
            heights[-1], moved = low, True
        if not moved:
            break
    return [(y, kind, name) for y, (_, kind, name) in zip(heights, found, strict=True)]


def _course_said(result: ResultTold, voice: Voice) -> str:
    """Where each began and where it stands, in words."""
    told = []
    for which in result.standing.order:
        row = [points for _, ratings in result.course if (points := known(ratings[which])) is not None]
        if row:
            told.append(f"{shown_name(result.names[which])}: {number_of_points(row[0], voice)} → {number_of_points(row[-1], voice)}")
    return "; ".join(told)
