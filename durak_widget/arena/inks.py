"""Colours of what is drawn of a tournament, by day and by night; names as they are shown, numbers as they are written."""

from __future__ import annotations

from html import escape
from math import isfinite
from typing import TYPE_CHECKING, Final
from unicodedata import category

from durak_widget.engine.card_svg import FONTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.i18n import Voice

SERIES: Final = 6
"""So many lines have a colour of their own."""
DAY: Final = {
    "page": "#fff", "ink": "#1f2630", "soft": "#566070", "line": "#d5d9df", "field": "#f4f5f7", "mark": "#1d5fa8", "warn": "#9a3412",
    "up": "#cfe9dd", "on-up": "#0d3d2c", "down": "#f8dcd2", "on-down": "#6b2413",
    "c0": "#1d5fa8", "c1": "#b23a16", "c2": "#0b6e5f", "c3": "#7b3fa0", "c4": "#7a5a00", "c5": "#a0285f", "rest": "#a3acb8",
}  # fmt: skip
"""The colours by day."""
NIGHT: Final = {
    "page": "#14181d", "ink": "#eef1f4", "soft": "#b3bdc8", "line": "#3d4550", "field": "#1e242b", "mark": "#86bcf5", "warn": "#ffb08f",
    "up": "#1d4a3a", "on-up": "#d3f5e5", "down": "#56291e", "on-down": "#ffdccf",
    "c0": "#86bcf5", "c1": "#ff9f7a", "c2": "#5fd0be", "c3": "#cfa3ec", "c4": "#e0c25a", "c5": "#f48fb9", "rest": "#6b7683",
}  # fmt: skip
"""The colours by night."""


def _named(of: Mapping[str, str]) -> str:
    return ";".join(f"--a-{name}:{color}" for name, color in of.items())


COLORS: Final = (
    f".durak-arena{{{_named(DAY)}}}@media screen and (prefers-color-scheme:dark){{.durak-arena{{{_named(NIGHT)}}}}}"
    f'[data-jp-theme-light="true"] .durak-arena,[data-page="light"] .durak-arena{{{_named(DAY)}}}'
    f'[data-jp-theme-light="false"] .durak-arena,[data-page="dark"] .durak-arena{{{_named(NIGHT)}}}'
    f'[data-page="light"] .durak-arena.durak-arena{{{_named(DAY)}}}[data-page="dark"] .durak-arena.durak-arena{{{_named(NIGHT)}}}'
)
"""As the reader prefers, or as the page around it says: JupyterLab by its theme, a widget of ours by its own."""
DRAWN: Final = (
    ".a-ink{fill:var(--a-ink)}.a-soft{fill:var(--a-soft)}.a-mark{fill:var(--a-mark)}.a-page{fill:var(--a-page)}.a-grid{stroke:var(--a-line);fill:none}"
    ".a-axis{stroke:var(--a-soft);fill:none}.a-tie{stroke:var(--a-soft);fill:none;stroke-width:2.5}.a-range{stroke:var(--a-mark);stroke-width:5;stroke-linecap:round;stroke-opacity:.45}"
    ".a-run{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}.a-end{text-anchor:end}.a-mid{text-anchor:middle}.a-b{font-weight:650}"
    + "".join(f".a-s{i}{{stroke:var(--a-c{i})}}.a-f{i}{{fill:var(--a-c{i})}}" for i in range(SERIES))
    + ".a-rest{stroke:var(--a-rest);stroke-width:1.25}"
)
"""What strokes and words of a drawing look like."""
_LONGEST: Final = 80
_JOINS: Final = "\u200d\ufe0f\ufe0e"


def shown_name(name: object) -> str:
    """What somebody called a bot, as it can be shown.

    >>> shown_name("  Ann "), shown_name(""), len(shown_name("x" * 500))
    ('Ann', '–', 80)
    """
    return one_line(name, _LONGEST) or "–"


def one_line(text: object, most: int) -> str:
    """What somebody wrote, as one line: without what stands for no sign, turns the line round, or is endless.

    >>> one_line("  a" + chr(10) + "b" + chr(0x202e) + chr(0xe000), 9)
    'a b'
    """
    kept = "".join(
        " " if category(sign) in ("Cc", "Zl", "Zp") else sign
        for sign in str(text)[: 20 * most]
        if category(sign) not in ("Cf", "Co", "Cs", "Cn") or sign in _JOINS
    )
    return clipped_name(" ".join(kept.split()), most)


def clipped_name(name: str, most: int) -> str:
    """A name that is not too long to stand there; no sign is cut in two.

    >>> clipped_name("Bartholomew", 6), clipped_name("Ann", 6)
    ('Barth…', 'Ann')
    """
    if len(name) <= most:
        return name
    cut = name[: most - 1]
    while cut and (cut[-1] in _JOINS or category(name[len(cut)]).startswith("M") or name[len(cut)] in _JOINS):
        cut = cut[:-1]
    return cut.rstrip() + "…"


def html_name(name: object) -> str:
    """A name within a page: nothing in it is taken for a part of that, and it turns round nothing beside it.

    >>> html_name("<script>")
    '<bdi>&lt;script&gt;</bdi>'
    """
    return f"<bdi>{escape(shown_name(name))}</bdi>"


def known(number: float | None) -> float | None:
    """A number, where there is one."""
    return number if number is not None and isfinite(number) else None


def number_of_points(number: float | None, voice: Voice, digits: int = 0) -> str:
    """A number as it stands in a table; a dash where there is none.

    >>> from durak_widget.i18n import Voice
    >>> number_of_points(-2.54, Voice("lt"), 1), number_of_points(-0.2, Voice()), number_of_points(None, Voice())
    ('−2,5', '0', '–')
    """
    found = known(number)
    if found is None:
        return "–"
    said = f"{found:.{digits}f}"
    said = said.removeprefix("-") if not float(said) else said.replace("-", "−")
    return said.replace(".", voice.say("number.point"))


def grouped(number: int) -> str:
    """A large number that can be read.

    >>> print(grouped(1234), grouped(12345678))
    1234 12\u202f345\u202f678
    """
    return str(number) if abs(number) < 10_000 else f"{number:,}".replace(",", "\u202f")


def svg_of(width: float, height: float, title: str, told: str, language: str, body: str) -> str:
    """A drawing as one text that needs nothing else, with its name and its words for whoever does not see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="durak-arena" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" lang="{language}" role="img" '
        f'aria-label="{escape(title)}" font-family="{FONTS}" font-size="14" style="max-width:100%;height:auto"><title>{escape(title)}</title><desc>{escape(told)}</desc>'
        f"<style>{COLORS}{DRAWN}</style>{body}</svg>"
    )
