"""Builds the bars that the projector draws."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.live.texts import format_percent, translate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.live.question import JsonObject

_STEPS: Final = (1, 2, 5)
"""The widths of bins, up to a power of ten, that make labels such as `0–9` and `20–24`."""
_MAX_BINS: Final = 10
"""The maximum number of bins in a histogram with bins wider than 1."""
_MAX_SINGLE_VALUES: Final = 13
"""The maximum number of whole values that a histogram shows one by one."""


def build_group(
    title: str,
    labels: Sequence[str],
    counts: Sequence[int | Fraction],
    language: str,
    *,
    total: int,
    note: str | None = None,
    marks: Mapping[int, Sequence[str]] | None = None,
    bar_notes: Mapping[int, str] | None = None,
) -> JsonObject:
    """Return a group of bars; `marks` and `bar_notes` belong to bars by their indices.

    `total` is the number of answers, which is the whole of every share. A mix counts in parts. The default note says how many
    answers there are.

    >>> group = build_group("Round 1", ["yes", "no"], [3, 1], "en", total=4, marks={0: ["right"]})
    >>> [(bar["label"], bar["percent"], bar["marks"]) for bar in group["bars"]]
    [('yes', '75%', ['right']), ('no', '25%', [])]
    """
    shares = [Fraction(count) / total if total else Fraction(0) for count in counts]
    bars = [
        {
            "label": label,
            "count": round(count),
            "percent": format_percent(share, language),
            "fraction": round(float(share), 4),
            "marks": list((marks or {}).get(index, ())),
            "note": (bar_notes or {}).get(index, ""),
        }
        for index, (label, count, share) in enumerate(zip(labels, counts, shares, strict=True))
    ]
    return {"title": title, "note": translate(language, "live.question.answers", count=total) if note is None else note, "bars": bars}


def choose_bin_width(maximum: int) -> int:
    """Return the width of the bins of a histogram from 0 to a whole number.

    >>> [choose_bin_width(maximum) for maximum in (5, 12, 20, 100, 1000)]
    [1, 1, 2, 10, 100]
    """
    if maximum < _MAX_SINGLE_VALUES:
        return 1
    power = 1
    while True:
        for step in _STEPS:
            if maximum <= step * power * _MAX_BINS:
                return step * power
        power *= 10


def find_bin(value: Fraction, maximum: int) -> int:
    """Return the index of the bin of a number; the last bin includes the maximum.

    >>> [find_bin(Fraction(value), 100) for value in (0, "19/2", 10, 100)]
    [0, 0, 1, 9]
    """
    return min(int(value // choose_bin_width(maximum)), len(list_bin_labels(maximum)) - 1)


def list_bin_labels(maximum: int) -> list[str]:
    """Return the labels of the bins of a histogram from 0 to a whole number.

    >>> list_bin_labels(100)[::9], list_bin_labels(3), list_bin_labels(20)[-1]
    (['0–9', '90–100'], ['0', '1', '2', '3'], '18–20')
    """
    width = choose_bin_width(maximum)
    if width == 1:
        return [str(value) for value in range(maximum + 1)]
    starts = [start for start in range(0, maximum, width) if start + width <= maximum or not start]
    ends = [*(start - 1 for start in starts[1:]), maximum]
    return [f"{start}–{end}" for start, end in zip(starts, ends, strict=True)]
