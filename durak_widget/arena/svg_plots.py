"""Draws SVG plots of a tournament: ratings with intervals and ties, and rating curves."""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.arena.result_sentences import (
    COLORED_LINES,
    arrange_tie_brackets,
    build_svg,
    clip_name,
    finite_or_none,
    format_count,
    format_name,
    format_points,
    format_rank_range,
    format_standings_text,
    list_bots_by_rank,
)
from durak_widget.atomic_files import save_text
from durak_widget.i18n import Translator

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from durak_widget.arena.result_types import RatingData, ResultData

_WIDTH, _ROW_HEIGHT, _TOP_MARGIN, _LANE_WIDTH, _EDGE_MARGIN = 760, 28, 34, 12, 10
_NAMES_WIDTH, _NUMBERS_WIDTH = 220, 128
_HISTORY_HEIGHT, _LABELS_WIDTH, _LABEL_HEIGHT = 360, 190, 18
_MAX_POINTS: Final = 100.0
_MIN_READABLE_WIDTH: Final = "36rem"
"""The minimum width of a plot in a notebook, so that its text is large enough to read."""
_MAX_ALL_LABELLED: Final = 8
"""The maximum number of bots for which each curve has a label; with more bots, only coloured curves have one."""


class Drawing(NamedTuple):
    """An SVG image or HTML table that Jupyter displays."""

    text: str

    def _repr_html_(self) -> str:
        """Return the image or table as HTML, in a box that scrolls on a narrow screen."""
        if not self.text.startswith("<svg"):
            return self.text
        wide_svg = self.text.replace('style="', f'style="min-width:{_MIN_READABLE_WIDTH};', 1)
        return f'<div style="overflow-x:auto" tabindex="0">{wide_svg}</div>'

    def save(self, path: str | PathLike[str]) -> None:
        """Save the SVG image or HTML table to a file."""
        save_text(path, self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Drawing of {len(self.text)} characters>"


class Scale(NamedTuple):
    """The axis of a plot, with its minimum, its maximum, and the step between two labels."""

    low: float
    high: float
    step: float

    def position_of(self, number: float) -> float:
        """Return where a number is on the axis, from 0 (start of the axis) to 1 (its end)."""
        return (min(self.high, max(self.low, number)) - self.low) / (self.high - self.low)

    @property
    def tick_values(self) -> list[float]:
        """Return the numbers at which the axis has labels."""
        return [self.low + self.step * i for i in range(round((self.high - self.low) / self.step) + 1)]


def build_scale(numbers: Iterable[float | None], tick_count: int = 5) -> Scale:
    """Build an axis that covers the given numbers and has labels at round numbers.

    >>> build_scale([12.5, 88]).tick_values, build_scale([]).tick_values
    ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], [0.0, 25.0, 50.0, 75.0, 100.0])
    """
    values = [value for number in numbers if (value := finite_or_none(number)) is not None]
    if not values:
        return Scale(0.0, _MAX_POINTS, 25.0)
    low, high = min(values), max(values)
    if high - low < 1:
        low, high = low - 1, high + 1
    rough = (high - low) / tick_count
    power = 10 ** floor(log10(rough))
    step = next(times * power for times in (1, 2, 5, 10) if times * power >= rough)
    bounds = floor(low / step) * step, ceil(high / step) * step
    if min(values) >= 0 and max(values) <= _MAX_POINTS:
        bounds = max(0.0, bounds[0]), min(_MAX_POINTS, bounds[1])
    return Scale(bounds[0], bounds[1], step)


def build_rating_scale(ratings: Iterable[RatingData | None]) -> Scale:
    """Build an axis that covers all ratings and their intervals."""
    return build_scale(number for rating in ratings if rating is not None for number in (rating.points, rating.low, rating.high))


def draw_ratings(result: ResultData, language: str = "en") -> str:
    """Draw all ratings with intervals, best bot on top; brackets mark bots that are tied."""
    voice, standings = Translator(language), result.standings
    bracket_lanes = arrange_tie_brackets(standings)
    left = _EDGE_MARGIN + _LANE_WIDTH * len(bracket_lanes) + 52 + _NAMES_WIDTH
    right = _WIDTH - _NUMBERS_WIDTH
    scale = build_rating_scale(standings.ratings)
    bots = list_bots_by_rank(result)
    bottom = _TOP_MARGIN + _ROW_HEIGHT * len(bots)
    shapes = []
    for mark in scale.tick_values:
        x = left + scale.position_of(mark) * (right - left)
        shapes.append(
            f'<path class="a-grid" d="M{x:.1f} {_TOP_MARGIN - 4}V{bottom}"/><text class="a-soft a-mid" x="{x:.1f}" y="{bottom + 18}">{format_points(mark, voice)}</text>'
        )
    for lane, brackets in enumerate(bracket_lanes):
        x = _EDGE_MARGIN + _LANE_WIDTH * lane
        shapes += [
            f'<path class="a-tie" d="M{x + 5} {_TOP_MARGIN + _ROW_HEIGHT * first + 5}H{x}V{_TOP_MARGIN + _ROW_HEIGHT * (last + 1) - 5}H{x + 5}"/>'
            for first, last in brackets
        ]
    for index, bot in enumerate(bots):
        shapes.append(
            _draw_rating(
                format_name(result.names[bot]),
                standings.ratings[bot],
                _TOP_MARGIN + _ROW_HEIGHT * (index + 0.5),
                (left, right),
                scale,
                voice,
            )
        )
    title, axis = voice.translate("arena.ratings"), voice.translate("arena.of_100")
    head = f'<text class="a-ink a-b" x="{_EDGE_MARGIN}" y="18" font-size="16">{escape(title)}</text><text class="a-soft a-end" x="{right}" y="18">{escape(axis)}</text>'
    description = " ".join(format_standings_text(result, voice))
    return build_svg(_WIDTH, bottom + 28, title, description, language, head + "".join(shapes))


def _draw_rating(name: str, rating: RatingData | None, y: float, x_range: tuple[float, float], scale: Scale, voice: Translator) -> str:
    """Draw the row of one bot: its rank, name, rating and interval."""
    left, right = x_range
    points, low, high = (
        (None, None, None) if rating is None else (finite_or_none(rating.points), finite_or_none(rating.low), finite_or_none(rating.high))
    )
    shapes = [
        f'<text class="a-soft a-end" x="{left - _NAMES_WIDTH - 8}" y="{y + 5:g}">{"–" if rating is None else format_rank_range(rating.rank_low, rating.rank_high)}</text>',
        f'<text class="a-ink" x="{left - _NAMES_WIDTH}" y="{y + 5:g}">{escape(clip_name(name, 26))}<title>{escape(name)}</title></text>',
    ]
    if points is not None:
        x = left + scale.position_of(points) * (right - left)
        if low is not None and high is not None:
            x_range = left + scale.position_of(low) * (right - left), left + scale.position_of(high) * (right - left)
            shapes.append(f'<path class="a-range" d="M{x_range[0]:.1f} {y:g}H{x_range[1]:.1f}"/>')
        shapes.append(f'<circle class="a-mark" cx="{x:.1f}" cy="{y:g}" r="5.5"/>')
    shapes.append(f'<text class="a-ink a-b a-end" x="{_WIDTH - 72}" y="{y + 5:g}">{format_points(points, voice)}</text>')
    shapes.append(f'<text class="a-soft" x="{_WIDTH - 64}" y="{y + 5:g}" font-size="12">{format_interval(rating, voice)}</text>')
    return "".join(shapes)


def format_interval(rating: RatingData | None, voice: Translator) -> str:
    """Format the interval of a rating as text; return "" if the interval is unknown."""
    if rating is None:
        return ""
    low, high = finite_or_none(rating.low), finite_or_none(rating.high)
    if finite_or_none(rating.points) is None or low is None or high is None:
        return ""
    dash = "–" if low >= 0 else "…"  # A dash next to a minus sign is hard to read, so an ellipsis replaces it
    return f"{format_points(low, voice)}{dash}{format_points(high, voice)}"


def draw_rating_history(result: ResultData, language: str = "en", *, has_title: bool = True) -> str:
    """Draw each bot's rating over time as a curve that ends in the bot's name.

    Of many bots only the first have colours.
    """
    voice, order = Translator(language), list(result.standings.order)
    course = result.rating_history
    scale = build_scale((rating for _, ratings in course for rating in ratings), 4)
    last_game = max([game_count for game_count, _ in course], default=0) or 1
    left, right, top, bottom = 46, _WIDTH - _LABELS_WIDTH, 34 if has_title else 12, _HISTORY_HEIGHT - 44

    def to_point(games: int, points: float) -> tuple[float, float]:
        """Return the point of the plot that shows a rating after a number of games."""
        return left + games / last_game * (right - left), bottom - scale.position_of(points) * (bottom - top)

    shapes = []
    for mark in scale.tick_values:
        _, y = to_point(0, mark)
        shapes.append(
            f'<path class="a-grid" d="M{left} {y:.1f}H{right}"/><text class="a-soft a-end" x="{left - 6}" y="{y + 5:.1f}">{format_points(mark, voice)}</text>'
        )
    game_axis = build_scale([0, last_game], 6)
    for mark in [value for value in game_axis.tick_values if value <= last_game] if last_game > _MAX_POINTS else [0, last_game]:
        x, _ = to_point(round(mark), scale.low)
        shapes.append(f'<text class="a-soft a-mid" x="{x:.1f}" y="{bottom + 20}">{format_count(round(mark))}</text>')
    lines, labels = [], []
    for index, bot in enumerate(order):
        line_points = [to_point(games, points) for games, ratings in course if (points := finite_or_none(ratings[bot])) is not None]
        is_colored = index < COLORED_LINES
        if not line_points:
            continue
        name = format_name(result.names[bot])
        css_class = f"a-run a-s{index}" if is_colored else "a-run a-rest"
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in line_points)
        dot = f'<circle class="{f"a-f{index}" if is_colored else "a-soft"}" cx="{line_points[-1][0]:.1f}" cy="{line_points[-1][1]:.1f}" r="3.5"/>'
        lines.append(
            f'<g><title>{escape(name)}</title><path class="{css_class}" d="M{path}"/>{dot if is_colored or len(order) <= _MAX_ALL_LABELLED else ""}</g>'
        )
        if is_colored or len(order) <= _MAX_ALL_LABELLED:
            labels.append((line_points[-1][1], f"a-f{index} a-b" if is_colored else "a-soft", name))
    for y, css_class, name in _spread_labels(labels, top, bottom):
        lines.append(
            f'<text class="{css_class}" x="{right + 10}" y="{y + 5:.1f}">{escape(clip_name(name, 21))}<title>{escape(name)}</title></text>'
        )
    title = voice.translate("arena.course")
    head = f'<text class="a-ink a-b" x="{_EDGE_MARGIN}" y="18" font-size="16">{escape(title)}</text>' if has_title else ""
    foot = f'<text class="a-soft a-end" x="{right}" y="{_HISTORY_HEIGHT - 6}">{escape(voice.translate("arena.games"))}</text>'
    rest_text = voice.translate("arena.course.rest", count=len(order) - COLORED_LINES) if len(order) > _MAX_ALL_LABELLED else ""
    rest_label = f'<text class="a-soft" x="{left}" y="{_HISTORY_HEIGHT - 6}">{escape(rest_text)}</text>' if rest_text else ""
    return build_svg(
        _WIDTH,
        _HISTORY_HEIGHT,
        title,
        _describe_rating_history(result, voice),
        language,
        head + "".join(shapes) + "".join(reversed(lines)) + foot + rest_label,
    )


def _spread_labels(labels: Sequence[tuple[float, str, str]], top: float, bottom: float) -> list[tuple[float, str, str]]:
    """Move the labels of curves up or down until they don't overlap."""
    ordered = sorted(labels)
    heights = [y for y, _, _ in ordered]
    for _ in range(60):
        has_moved = False
        for i in range(len(heights) - 1):
            overlap = _LABEL_HEIGHT - (heights[i + 1] - heights[i])
            if overlap > 0.1:
                heights[i], heights[i + 1], has_moved = heights[i] - overlap / 2, heights[i + 1] + overlap / 2, True
        if heights and heights[0] < top:
            heights[0], has_moved = top, True
        if heights and heights[-1] > bottom:
            heights[-1], has_moved = bottom, True
        if not has_moved:
            break
    return [(y, css_class, name) for y, (_, css_class, name) in zip(heights, ordered, strict=True)]


def _describe_rating_history(result: ResultData, voice: Translator) -> str:
    """Describe each bot's first and last rating in words, for readers who can't see the plot."""
    parts = []
    for bot in result.standings.order:
        known_points = [points for _, ratings in result.rating_history if (points := finite_or_none(ratings[bot])) is not None]
        if known_points:
            parts.append(
                f"{format_name(result.names[bot])}: {format_points(known_points[0], voice)} → {format_points(known_points[-1], voice)}"
            )
    return "; ".join(parts)
