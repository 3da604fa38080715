"""Puts the result of a tournament into sentences: who is better, and what is not sure yet.

It also says how many more games would be needed. Here are also the colours of the arena's pictures. Other functions make bot names and
numbers safe and short enough to display.
"""

from __future__ import annotations

from html import escape
from math import ceil, isfinite, log10
from typing import TYPE_CHECKING, Final
from unicodedata import category

from durak_widget.engine.card_svg import FONTS
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from durak_widget.arena.result_types import ResultTold, StandingTold
    from durak_widget.i18n import Voice

WITHIN: Final = 5
"""The precision, in points of 100, that the number of further games is for."""
_NAMED: Final = 3
"""The most bots that a sentence names; the others are counted."""
_MOST, _MOST_OF_MANY, _MANY = 4, 2, 8
"""The most sentences about who is better, the most for many bots, and how many are many."""
_OPEN, _SHUT = "\ue000", "\ue001"
"""The marks around a name in a sentence until it is plain text or HTML; no shown name has them."""
SERIES: Final = 6
"""The number of lines with a colour of their own."""
DAY: Final = {
    "page": "#fff", "ink": "#1f2630", "soft": "#566070", "line": "#d5d9df", "field": "#f4f5f7", "mark": "#1d5fa8", "warn": "#9a3412",
    "up": "#cfe9dd", "on-up": "#0d3d2c", "down": "#f8dcd2", "on-down": "#6b2413",
    "c0": "#1d5fa8", "c1": "#b23a16", "c2": "#0b6e5f", "c3": "#7b3fa0", "c4": "#7a5a00", "c5": "#a0285f", "rest": "#a3acb8",
}  # fmt: skip
"""The colours of the light theme."""
NIGHT: Final = {
    "page": "#14181d", "ink": "#eef1f4", "soft": "#b3bdc8", "line": "#3d4550", "field": "#1e242b", "mark": "#86bcf5", "warn": "#ffb08f",
    "up": "#1d4a3a", "on-up": "#d3f5e5", "down": "#56291e", "on-down": "#ffdccf",
    "c0": "#86bcf5", "c1": "#ff9f7a", "c2": "#5fd0be", "c3": "#cfa3ec", "c4": "#e0c25a", "c5": "#f48fb9", "rest": "#6b7683",
}  # fmt: skip
"""The colours of the dark theme."""
_LONGEST: Final = 80
_JOINS: Final = "\u200d\ufe0f\ufe0e"
DRAWN: Final = (
    ".a-ink{fill:var(--a-ink)}.a-soft{fill:var(--a-soft)}.a-mark{fill:var(--a-mark)}.a-page{fill:var(--a-page)}.a-grid{stroke:var(--a-line);fill:none}"
    ".a-axis{stroke:var(--a-soft);fill:none}.a-tie{stroke:var(--a-soft);fill:none;stroke-width:2.5}.a-range{stroke:var(--a-mark);stroke-width:5;stroke-linecap:round;stroke-opacity:.45}"
    ".a-run{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}.a-end{text-anchor:end}.a-mid{text-anchor:middle}.a-b{font-weight:650}"
    + "".join(f".a-s{i}{{stroke:var(--a-c{i})}}.a-f{i}{{fill:var(--a-c{i})}}" for i in range(SERIES))
    + ".a-rest{stroke:var(--a-rest);stroke-width:1.25}"
)
"""The style of lines and texts in a drawing."""


def standing_told(result: ResultTold, voice: Voice) -> list[str]:
    """Return the standings as sentences in HTML, with names in bold.

    They say who is proved better than whom, who is not separated yet, and how many more games are needed.
    """
    return [_on_page(sentence) for sentence in _told(result, voice)]


def standing_said(result: ResultTold, voice: Voice) -> list[str]:
    """Return the standings as sentences in plain text."""
    return [_plain(sentence) for sentence in _told(result, voice)]


def _plain(said: str) -> str:
    return said.replace(_OPEN, "").replace(_SHUT, "")


def _on_page(said: str) -> str:
    return escape(said).replace(_OPEN, "<b><bdi>").replace(_SHUT, "</bdi></b>")


def _told(result: ResultTold, voice: Voice) -> list[str]:
    if not result.played:
        return [voice.say("arena.none")]
    if not result.standing.order:  # no game counts or compares two bots
        return _besides(result, voice, [])
    sentences = []
    for sentence in _ranked(result, voice):
        sentences.append(sentence)
        if len(sentences) == (_MOST_OF_MANY if len(result.names) > _MANY else _MOST):
            break
    games_needed = result.still(WITHIN)
    rounded = in_two_digits(games_needed)
    sentences.append(
        voice.say("arena.needed", count=rounded, games=grouped(rounded), within=WITHIN)
        if games_needed > 0
        else voice.say("arena.enough", within=WITHIN)
    )
    return [*sentences, *_besides(result, voice, sentences)]


def _besides(result: ResultTold, voice: Voice, before: Collection[str]) -> list[str]:
    """Return remarks: bots that play alike, games left out, and what the sandbox refused.

    Sentences that are in `before` are left out.
    """
    remarks = [sentence for group in result.same_moves if (sentence := _same_moves(group, result, voice)) not in before]
    if result.cancelled:
        remarks.append(voice.say("arena.cancelled", count=result.cancelled, games=grouped(result.cancelled)))
    for name, kinds in result.attempts.items():
        attempt_facts = tuple(Fact(f"arena.attempts.{kind}") for kind in kinds)
        remarks.append(voice.say("arena.attempts", bot=f"{_OPEN}{shown_name(name)}{_SHUT}", what=attempt_facts))
    return remarks


def _same_moves(group: Sequence[int], result: ResultTold, voice: Voice) -> str:
    """Return a sentence that these bots made the same moves, so that more games don't help."""
    members = [bot for bot in everybody(result) if bot in group]
    bots = [voice.say("arena.name", bot=f"{_OPEN}{shown_name(result.names[bot])}{_SHUT}") for bot in members]
    if len(bots) <= _NAMED + 1:
        return voice.say("arena.together.same", bots=tuple(bots))
    return voice.say("arena.together.same.many", bots=tuple(bots[:_NAMED]), count=len(bots) - _NAMED)


def _ranked(result: ResultTold, voice: Voice) -> Iterator[str]:
    """Yield sentences from the top of the order down: ties, and who is better than all below."""
    standings = result.standing
    order = list(standings.order)
    marked_names = {bot: f"{_OPEN}{shown_name(result.names[bot])}{_SHUT}" for bot in order}
    next_position = 0
    for group in runs(standings):
        first, last = order.index(group[0]), order.index(group[-1])
        if first < next_position:  # the part above is in the sentence of the run before
            continue
        next_position, after = last + 1, order[last + 1 :]
        beaten = [bot for bot in after if all(standings.better(member, bot) for member in group)]
        if len(group) > 1:
            if set(group) in map(set, result.same_moves):
                yield _same_moves(group, result, voice)
            else:
                yield _together([voice.say("arena.name", bot=marked_names[bot]) for bot in group], games_apart(result, group), voice)
            if first == 0 and after and len(beaten) == len(after):
                yield voice.say("arena.better.they")
        elif first == 0 and after and len(beaten) == len(after):
            yield voice.say(
                "arena.better.all" if len(after) > 1 else "arena.better", bot=marked_names[group[0]], other=marked_names[after[0]]
            )
        elif after and after[0] in beaten:
            yield voice.say("arena.better", bot=marked_names[group[0]], other=marked_names[after[0]])


def _together(bots: list[str], more: int | None, voice: Voice) -> str:
    """Return a sentence about bots that are not separated yet; `more` games may separate two."""
    if more is not None:
        return voice.say("arena.together.until", bots=tuple(bots), count=more, games=grouped(more))
    if len(bots) <= _NAMED + 1:
        return voice.say("arena.together", bots=tuple(bots))
    return voice.say("arena.together.many", bots=tuple(bots[:_NAMED]), count=len(bots) - _NAMED)


def games_apart(result: ResultTold, group: Sequence[int]) -> int | None:
    """Return about how many more games separate two bots, rounded up; None if that is unknown.

    None also for more than two bots.
    """
    if len(group) != 2:
        return None
    first, second = (result.names[bot] for bot in group)
    games_needed = result.still_between(first, second)
    return in_two_digits(games_needed) if games_needed else None


def everybody(result: ResultTold) -> list[int]:
    """Return all bots, in the order of their ranks, then those without a rank."""
    order = result.standing.order
    return [*order, *(bot for bot in range(len(result.names)) if bot not in order)]


def runs(standing: StandingTold) -> list[list[int]]:
    """Return the runs of bots that are not separated, in the order of the ranks.

    Each is as long as possible, so two runs may share bots: a bot in the middle may be separated from neither end.
    """
    position_of = {bot: position for position, bot in enumerate(standing.order)}
    tie_runs = [sorted(group, key=position_of.__getitem__) for group in standing.groups if group]
    return sorted(tie_runs, key=lambda group: (position_of[group[0]], position_of[group[-1]]))


def lanes(standing: StandingTold) -> list[list[tuple[int, int]]]:
    """Return the brackets of ties, arranged in lanes so that none covers another.

    A bracket goes from a position to a position, from 0.

    >>> from types import SimpleNamespace as Plain
    >>> lanes(Plain(order=(2, 0, 1), groups=((2, 0), (0, 1)))), lanes(Plain(order=(0, 1), groups=((0,), (1,))))
    ([[(0, 1)], [(1, 2)]], [])
    """
    position_of = {bot: position for position, bot in enumerate(standing.order)}
    filled_lanes: list[list[tuple[int, int]]] = []
    for group in runs(standing):
        first, last = position_of[group[0]], position_of[group[-1]]
        if first == last:
            continue
        lane = next((lane for lane in filled_lanes if lane[-1][1] < first), None)
        if lane is None:
            filled_lanes.append([(first, last)])
        else:
            lane.append((first, last))
    return filled_lanes


def in_two_digits(number: float) -> int:
    """Return an estimate rounded up to two digits.

    >>> in_two_digits(412), in_two_digits(7), in_two_digits(0.2), in_two_digits(123456)
    (420, 7, 1, 130000)
    """
    rounded = max(1, ceil(number))
    step: int = 10 ** max(0, int(log10(rounded)) - 1)
    return ceil(rounded / step) * step


def places_said(low: int, high: int) -> str:
    """Return a rank, or the range of ranks that the games leave open, as text.

    >>> print(places_said(2, 2), places_said(1, 3))
    2 1–3
    """
    return str(low) if low == high else f"{low}–{high}"


def time_left(seconds: float, voice: Voice) -> str:
    """Return a time as rounded text.

    >>> from durak_widget.i18n import Voice
    >>> time_left(8, Voice()), time_left(200, Voice()), time_left(4000, Voice())
    ('some 10 s', 'some 3 min', 'some 1 h 5 min')
    """
    if seconds < 90:
        return voice.say("arena.seconds", seconds=str(max(5, 5 * ceil(seconds / 5))))
    minutes = round(seconds / 60)
    if minutes < 60:
        return voice.say("arena.minutes", minutes=str(minutes))
    minutes = 5 * round(minutes / 5)
    return voice.say("arena.hours", hours=grouped(minutes // 60), minutes=str(minutes % 60))


def forfeits_told(result: ResultTold, voice: Voice) -> list[tuple[str, str]]:
    """Return each forfeit as a sentence in HTML, with its position as plain text."""
    return [
        (
            _on_page(
                voice.say(
                    "arena.forfeit",
                    bot=f"{_OPEN}{shown_name(forfeit.who)}{_SHUT}",
                    game=forfeit.game,
                    said=_whole(forfeit.sentence(voice.language)),
                )
            ),
            one_line(forfeit.position, 400),
        )
        for forfeit in result.forfeits
    ]


def out_told(result: ResultTold, voice: Voice) -> list[str]:
    """Return the disqualified bots as sentences in HTML."""
    return [_on_page(_left_out(name, voice)) for name in result.out]


def out_said(result: ResultTold, voice: Voice) -> list[str]:
    """Return the disqualified bots and their first reason, as plain text."""
    reasons = {forfeit.who: forfeit.sentence(voice.language) for forfeit in reversed(result.forfeits)}
    return [f"{_plain(_left_out(name, voice))} {one_line(reasons.get(name, ''), 400)}" for name in result.out]


def _left_out(name: str, voice: Voice) -> str:
    return voice.say("arena.left_out", bot=f"{_OPEN}{shown_name(name)}{_SHUT}")


def _whole(said: object) -> str:
    """Return a sentence that code may have written, as one short line with an end."""
    line = one_line(said, 400)
    return line if line.endswith((".", "!", "?", "…")) else f"{line}."


def _named(of: Mapping[str, str]) -> str:
    return ";".join(f"--a-{name}:{color}" for name, color in of.items())


COLORS: Final = (
    f".durak-arena{{{_named(DAY)}}}@media screen and (prefers-color-scheme:dark){{.durak-arena{{{_named(NIGHT)}}}}}"
    f'[data-jp-theme-light="true"] .durak-arena,[data-page="light"] .durak-arena{{{_named(DAY)}}}'
    f'[data-jp-theme-light="false"] .durak-arena,[data-page="dark"] .durak-arena{{{_named(NIGHT)}}}'
    f'[data-page="light"] .durak-arena.durak-arena{{{_named(DAY)}}}[data-page="dark"] .durak-arena.durak-arena{{{_named(NIGHT)}}}'
)
"""The colours: as the reader prefers, or as the page says (JupyterLab's theme, or our widget's)."""


def shown_name(name: object) -> str:
    """Return the name of a bot, made safe and short enough to show.

    >>> shown_name("  Ann "), shown_name(""), len(shown_name("x" * 500))
    ('Ann', '–', 80)
    """
    return one_line(name, _LONGEST) or "–"


def one_line(text: object, most: int) -> str:
    """Return a text as one line, without characters that are invisible or change direction.

    >>> one_line("  a" + chr(10) + "b" + chr(0x202e) + chr(0xe000), 9)
    'a b'
    """
    cleaned = "".join(
        " " if category(character) in ("Cc", "Zl", "Zp") else character
        for character in str(text)[: 20 * most]
        if category(character) not in ("Cf", "Co", "Cs", "Cn") or character in _JOINS
    )
    return clipped_name(" ".join(cleaned.split()), most)


def clipped_name(name: str, most: int) -> str:
    """Return a name cut to this length, without splitting a character.

    >>> clipped_name("Bartholomew", 6), clipped_name("Ann", 6)
    ('Barth…', 'Ann')
    """
    if len(name) <= most:
        return name
    clipped = name[: most - 1]
    while clipped and (clipped[-1] in _JOINS or category(name[len(clipped)]).startswith("M") or name[len(clipped)] in _JOINS):
        clipped = clipped[:-1]
    return clipped.rstrip() + "…"


def html_name(name: object) -> str:
    """Return a name as HTML that can't change the page or the direction of the text around it.

    >>> html_name("<script>")
    '<bdi>&lt;script&gt;</bdi>'
    """
    return f"<bdi>{escape(shown_name(name))}</bdi>"


def known(number: float | None) -> float | None:
    """Return a finite number; None for anything else."""
    return number if number is not None and isfinite(number) else None


def number_of_points(number: float | None, voice: Voice, digits: int = 0) -> str:
    """Return a number for a table; a dash if there is none.

    >>> from durak_widget.i18n import Voice
    >>> number_of_points(-2.54, Voice("lt"), 1), number_of_points(-0.2, Voice()), number_of_points(None, Voice())
    ('−2,5', '0', '–')
    """
    value = known(number)
    if value is None:
        return "–"
    text = f"{value:.{digits}f}"
    text = text.removeprefix("-") if not float(text) else text.replace("-", "−")
    return text.replace(".", voice.say("number.point"))


def grouped(number: int) -> str:
    """Return a whole number, with its digits grouped if it is large.

    >>> print(grouped(1234), grouped(12345678))
    1234 12\u202f345\u202f678
    """
    return str(number) if abs(number) < 10_000 else f"{number:,}".replace(",", "\u202f")


def svg_of(width: float, height: float, title: str, told: str, language: str, body: str) -> str:
    """Return an SVG drawing that needs no other file, with a title and a description."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="durak-arena" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" lang="{language}" role="img" '
        f'aria-label="{escape(title)}" font-family="{FONTS}" font-size="14" style="max-width:100%;height:auto"><title>{escape(title)}</title><desc>{escape(told)}</desc>'
        f"<style>{COLORS}{DRAWN}</style>{body}</svg>"
    )
