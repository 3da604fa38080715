"""SVG plots of a tournament: ratings with intervals and ties, and their history."""

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
"""The least width of a drawing in a notebook; on a phone its text would be too small."""
_ALL_COLORED: Final = 8
"""The number of bots up to which every curve has a name; with more, only coloured ones have."""


class Drawing(NamedTuple):
    """An SVG drawing or an HTML table, which a notebook shows."""

    text: str

    def _repr_html_(self) -> str:
        """Return the drawing in a box that scrolls on a narrow screen; a table has its own."""
        if not self.text.startswith("<svg"):
            return self.text
        wide_svg = self.text.replace('style="', f'style="min-width:{_READABLE};', 1)
        return f'<div style="overflow-x:auto" tabindex="0">{wide_svg}</div>'

    def save(self, path: str | PathLike[str]) -> None:
        """Save the drawing to a file."""
        keep_text(path, self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Drawing of {len(self.text)} characters>"


class Scale(NamedTuple):
    """An axis from a lowest to a highest number, with steps for labels."""

    low: float
    high: float
    step: float

    def at(self, number: float) -> float:
        """Return the position of a number on the axis, from 0 to 1."""
        return (min(self.high, max(self.low, number)) - self.low) / (self.high - self.low)

    @property
    def marks(self) -> list[float]:
        """Return the labelled numbers."""
        return [self.low + self.step * i for i in range(round((self.high - self.low) / self.step) + 1)]


def scale_of(numbers: Iterable[float | None], marks: int = 5) -> Scale:
    """Return an axis for these numbers, with round labels, within 0 to 100 if they are.

    >>> scale_of([12.5, 88]).marks, scale_of([]).marks
    ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], [0.0, 25.0, 50.0, 75.0, 100.0])
    """
    values = [value for number in numbers if (value := known(number)) is not None]
    if not values:
        return Scale(0.0, _WHOLE, 25.0)
    low, high = min(values), max(values)
    if high - low < 1:
        low, high = low - 1, high + 1
    rough = (high - low) / marks
    power = 10 ** floor(log10(rough))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= rough)
    bounds = floor(low / step) * step, ceil(high / step) * step
    if min(values) >= 0 and max(values) <= _WHOLE:
        bounds = max(0.0, bounds[0]), min(_WHOLE, bounds[1])
    return Scale(bounds[0], bounds[1], step)


def scale_of_ratings(ratings: Iterable[RatingTold | None]) -> Scale:
    """Return an axis for all ratings and their intervals."""
    return scale_of(number for rating in ratings if rating is not None for number in (rating.points, rating.low, rating.high))


def ratings_plot(result: ResultTold, language: str = "en") -> str:
    """Return a plot of each bot's rating and interval, the best on top; brackets join ties."""
    voice, standings = Voice(language), result.standing
    bracket_lanes = lanes(standings)
    left = _EDGE + _LANE * len(bracket_lanes) + 52 + _NAMES
    right = _WIDE - _NUMBERS
    scale = scale_of_ratings(standings.ratings)
    bots = everybody(result)
    bottom = _TOP + _ROW * len(bots)
    shapes = []
    for mark in scale.marks:
        x = left + scale.at(mark) * (right - left)
        shapes.append(
            f'<path class="a-grid" d="M{x:.1f} {_TOP - 4}V{bottom}"/><text class="a-soft a-mid" x="{x:.1f}" y="{bottom + 18}">{number_of_points(mark, voice)}</text>'
        )
    for lane, brackets in enumerate(bracket_lanes):
        x = _EDGE + _LANE * lane
        shapes += [
            f'<path class="a-tie" d="M{x + 5} {_TOP + _ROW * first + 5}H{x}V{_TOP + _ROW * (last + 1) - 5}H{x + 5}"/>'
            for first, last in brackets
        ]
    for index, bot in enumerate(bots):
        shapes.append(
            _rated(shown_name(result.names[bot]), standings.ratings[bot], _TOP + _ROW * (index + 0.5), (left, right), scale, voice)
        )
    title, axis = voice.say("arena.ratings"), voice.say("arena.of_100")
    head = f'<text class="a-ink a-b" x="{_EDGE}" y="18" font-size="16">{escape(title)}</text><text class="a-soft a-end" x="{right}" y="18">{escape(axis)}</text>'
    description = " ".join(standing_said(result, voice))
    return svg_of(_WIDE, bottom + 28, title, description, language, head + "".join(shapes))


def _rated(name: str, one: RatingTold | None, y: float, ends: tuple[float, float], scale: Scale, voice: Voice) -> str:
    """Return the row of one bot: rank, name, rating, interval and number."""
    left, right = ends
    points, low, high = (None, None, None) if one is None else (known(one.points), known(one.low), known(one.high))
    shapes = [
        f'<text class="a-soft a-end" x="{left - _NAMES - 8}" y="{y + 5:g}">{"–" if one is None else places_said(one.rank_low, one.rank_high)}</text>',
        f'<text class="a-ink" x="{left - _NAMES}" y="{y + 5:g}">{escape(clipped_name(name, 26))}<title>{escape(name)}</title></text>',
    ]
    if points is not None:
        x = left + scale.at(points) * (right - left)
        if low is not None and high is not None:
            ends = left + scale.at(low) * (right - left), left + scale.at(high) * (right - left)
            shapes.append(f'<path class="a-range" d="M{ends[0]:.1f} {y:g}H{ends[1]:.1f}"/>')
        shapes.append(f'<circle class="a-mark" cx="{x:.1f}" cy="{y:g}" r="5.5"/>')
    shapes.append(f'<text class="a-ink a-b a-end" x="{_WIDE - 72}" y="{y + 5:g}">{number_of_points(points, voice)}</text>')
    shapes.append(f'<text class="a-soft" x="{_WIDE - 64}" y="{y + 5:g}" font-size="12">{interval_said(one, voice)}</text>')
    return "".join(shapes)


def interval_said(one: RatingTold | None, voice: Voice) -> str:
    """Return the interval of a rating as text; empty if it is unknown."""
    if one is None:
        return ""
    low, high = known(one.low), known(one.high)
    if known(one.points) is None or low is None or high is None:
        return ""
    dash = "–" if low >= 0 else "…"  # a minus beside a dash can't be read
    return f"{number_of_points(low, voice)}{dash}{number_of_points(high, voice)}"


def course_plot(result: ResultTold, language: str = "en", *, titled: bool = True) -> str:
    """Return a plot of each bot's rating as games came in, with the names at the line ends.

    Of many bots only the first have colours.
    """
    voice, order = Voice(language), list(result.standing.order)
    course = result.course
    scale = scale_of((rating for _, ratings in course for rating in ratings), 4)
    last_game = max([game_count for game_count, _ in course], default=0) or 1
    left, right, top, bottom = 46, _WIDE - _LABELS, 34 if titled else 12, _HIGH - 44

    def to_point(games: int, points: float) -> tuple[float, float]:
        return left + games / last_game * (right - left), bottom - scale.at(points) * (bottom - top)

    shapes = []
    for mark in scale.marks:
        _, y = to_point(0, mark)
        shapes.append(
            f'<path class="a-grid" d="M{left} {y:.1f}H{right}"/><text class="a-soft a-end" x="{left - 6}" y="{y + 5:.1f}">{number_of_points(mark, voice)}</text>'
        )
    game_axis = scale_of([0, last_game], 6)
    for mark in [value for value in game_axis.marks if value <= last_game] if last_game > _WHOLE else [0, last_game]:
        x, _ = to_point(round(mark), scale.low)
        shapes.append(f'<text class="a-soft a-mid" x="{x:.1f}" y="{bottom + 20}">{grouped(round(mark))}</text>')
    lines, labels = [], []
    for index, bot in enumerate(order):
        line_points = [to_point(games, points) for games, ratings in course if (points := known(ratings[bot])) is not None]
        is_colored = index < SERIES
        if not line_points:
            continue
        name = shown_name(result.names[bot])
        css_class = f"a-run a-s{index}" if is_colored else "a-run a-rest"
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in line_points)
        dot = f'<circle class="{f"a-f{index}" if is_colored else "a-soft"}" cx="{line_points[-1][0]:.1f}" cy="{line_points[-1][1]:.1f}" r="3.5"/>'
        lines.append(
            f'<g><title>{escape(name)}</title><path class="{css_class}" d="M{path}"/>{dot if is_colored or len(order) <= _ALL_COLORED else ""}</g>'
        )
        if is_colored or len(order) <= _ALL_COLORED:
            labels.append((line_points[-1][1], f"a-f{index} a-b" if is_colored else "a-soft", name))
    for y, css_class, name in _apart(labels, top, bottom):
        lines.append(
            f'<text class="{css_class}" x="{right + 10}" y="{y + 5:.1f}">{escape(clipped_name(name, 21))}<title>{escape(name)}</title></text>'
        )
    title = voice.say("arena.course")
    head = f'<text class="a-ink a-b" x="{_EDGE}" y="18" font-size="16">{escape(title)}</text>' if titled else ""
    foot = f'<text class="a-soft a-end" x="{right}" y="{_HIGH - 6}">{escape(voice.say("arena.games"))}</text>'
    rest_text = voice.say("arena.course.rest", count=len(order) - SERIES) if len(order) > _ALL_COLORED else ""
    rest_label = f'<text class="a-soft" x="{left}" y="{_HIGH - 6}">{escape(rest_text)}</text>' if rest_text else ""
    return svg_of(
        _WIDE, _HIGH, title, _course_said(result, voice), language, head + "".join(shapes) + "".join(reversed(lines)) + foot + rest_label
    )


def _apart(labels: Sequence[tuple[float, str, str]], top: float, low: float) -> list[tuple[float, str, str]]:
    """Return the labels moved apart, each as near as possible to the end of its line."""
    ordered = sorted(labels)
    heights = [y for y, _, _ in ordered]
    for _ in range(60):
        has_moved = False
        for i in range(len(heights) - 1):
            overlap = _LABEL - (heights[i + 1] - heights[i])
            if overlap > 0.1:
                heights[i], heights[i + 1], has_moved = heights[i] - overlap / 2, heights[i + 1] + overlap / 2, True
        if heights and heights[0] < top:
            heights[0], has_moved = top, True
        if heights and heights[-1] > low:
            heights[-1], has_moved = low, True
        if not has_moved:
            break
    return [(y, css_class, name) for y, (_, css_class, name) in zip(heights, ordered, strict=True)]


def _course_said(result: ResultTold, voice: Voice) -> str:
    """Return the first and last rating of each bot as text."""
    parts = []
    for bot in result.standing.order:
        known_points = [points for _, ratings in result.course if (points := known(ratings[bot])) is not None]
        if known_points:
            parts.append(
                f"{shown_name(result.names[bot])}: {number_of_points(known_points[0], voice)} → {number_of_points(known_points[-1], voice)}"
            )
    return "; ".join(parts)
