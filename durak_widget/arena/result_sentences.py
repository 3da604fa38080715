"""Puts the result of a tournament into sentences: who is better, and who is not yet distinguished.

It also says how many more games would be needed. Here are also the colours of the arena's pictures. Other
functions make bot names and numbers safe and short enough to display.
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
"""To within so many points of 100 everybody is to be known against everybody."""
_NAMED: Final = 3
"""So many bots are named in a sentence at most; the others are counted."""
_MOST, _MOST_OF_MANY, _MANY = 4, 2, 8
"""So many sentences of who is better are said at most; and where there are more than so many bots."""
_OPEN, _SHUT = "\ue000", "\ue001"
"""What stands around a name in a sentence until it is a part of a page; no name that is shown has it."""
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
_LONGEST: Final = 80
_JOINS: Final = "\u200d\ufe0f\ufe0e"
DRAWN: Final = (
    ".a-ink{fill:var(--a-ink)}.a-soft{fill:var(--a-soft)}.a-mark{fill:var(--a-mark)}.a-page{fill:var(--a-page)}.a-grid{stroke:var(--a-line);fill:none}"
    ".a-axis{stroke:var(--a-soft);fill:none}.a-tie{stroke:var(--a-soft);fill:none;stroke-width:2.5}.a-range{stroke:var(--a-mark);stroke-width:5;stroke-linecap:round;stroke-opacity:.45}"
    ".a-run{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}.a-end{text-anchor:end}.a-mid{text-anchor:middle}.a-b{font-weight:650}"
    + "".join(f".a-s{i}{{stroke:var(--a-c{i})}}.a-f{i}{{fill:var(--a-c{i})}}" for i in range(SERIES))
    + ".a-rest{stroke:var(--a-rest);stroke-width:1.25}"
)
"""What strokes and words of a drawing look like."""


def standing_told(result: ResultTold, voice: Voice) -> list[str]:
    """Who leads, who is proved better than whom, who cannot be told apart, and how many games more would do; as parts of a page, with names in bold."""
    return [_on_page(said) for said in _told(result, voice)]


def standing_said(result: ResultTold, voice: Voice) -> list[str]:
    """Who leads, and all the rest of that, as plain text."""
    return [_plain(said) for said in _told(result, voice)]


def _plain(said: str) -> str:
    return said.replace(_OPEN, "").replace(_SHUT, "")


def _on_page(said: str) -> str:
    return escape(said).replace(_OPEN, "<b><bdi>").replace(_SHUT, "</bdi></b>")


def _told(result: ResultTold, voice: Voice) -> list[str]:
    if not result.played:
        return [voice.say("arena.none")]
    if not result.standing.order:  # none of them counts, or says anything
        return _besides(result, voice, [])
    said = []
    for one in _ranked(result, voice):
        said.append(one)
        if len(said) == (_MOST_OF_MANY if len(result.names) > _MANY else _MOST):
            break
    more = result.still(WITHIN)
    about = in_two_digits(more)
    said.append(
        voice.say("arena.needed", count=about, games=grouped(about), within=WITHIN)
        if more > 0
        else voice.say("arena.enough", within=WITHIN)
    )
    return [*said, *_besides(result, voice, said)]


def _besides(result: ResultTold, voice: Voice, before: Collection[str]) -> list[str]:
    """Which bots play alike, unless that was said before; how many planned games are left out; which bots tried what the sandbox refused."""
    said = [one for group in result.same_moves if (one := _same_moves(group, result, voice)) not in before]
    if result.cancelled:
        said.append(voice.say("arena.cancelled", count=result.cancelled, games=grouped(result.cancelled)))
    for name, kinds in result.attempts.items():
        what = tuple(Fact(f"arena.attempts.{kind}") for kind in kinds)
        said.append(voice.say("arena.attempts", bot=f"{_OPEN}{shown_name(name)}{_SHUT}", what=what))
    return said


def _same_moves(group: Sequence[int], result: ResultTold, voice: Voice) -> str:
    """Say that these made the same moves, so that more games are of no use."""
    named = [one for one in everybody(result) if one in group]
    bots = [voice.say("arena.name", bot=f"{_OPEN}{shown_name(result.names[one])}{_SHUT}") for one in named]
    if len(bots) <= _NAMED + 1:
        return voice.say("arena.together.same", bots=tuple(bots))
    return voice.say("arena.together.same.many", bots=tuple(bots[:_NAMED]), count=len(bots) - _NAMED)


def _ranked(result: ResultTold, voice: Voice) -> Iterator[str]:
    """From the top of the order down: each run of those who cannot be told apart, and who is better than all that follow."""
    standing = result.standing
    order = list(standing.order)
    called = {one: f"{_OPEN}{shown_name(result.names[one])}{_SHUT}" for one in order}
    place = 0
    for group in runs(standing):
        first, last = order.index(group[0]), order.index(group[-1])
        if first < place:  # what of it stands above was told with the run before
            continue
        place, after = last + 1, order[last + 1 :]
        proved = [one for one in after if all(standing.better(mine, one) for mine in group)]
        if len(group) > 1:
            if set(group) in map(set, result.same_moves):
                yield _same_moves(group, result, voice)
            else:
                yield _together([voice.say("arena.name", bot=called[one]) for one in group], games_apart(result, group), voice)
            if first == 0 and after and len(proved) == len(after):
                yield voice.say("arena.better.they")
        elif first == 0 and after and len(proved) == len(after):
            yield voice.say("arena.better.all" if len(after) > 1 else "arena.better", bot=called[group[0]], other=called[after[0]])
        elif after and after[0] in proved:
            yield voice.say("arena.better", bot=called[group[0]], other=called[after[0]])


def _together(bots: list[str], more: int | None, voice: Voice) -> str:
    """Who cannot be told apart yet; of two, by how many games more they would be."""
    if more is not None:
        return voice.say("arena.together.until", bots=tuple(bots), count=more, games=grouped(more))
    if len(bots) <= _NAMED + 1:
        return voice.say("arena.together", bots=tuple(bots))
    return voice.say("arena.together.many", bots=tuple(bots[:_NAMED]), count=len(bots) - _NAMED)


def games_apart(result: ResultTold, group: Sequence[int]) -> int | None:
    """About how many games more it takes until two are told apart, in two digits; None of more than two, and where nobody can say."""
    if len(group) != 2:
        return None
    one, other = (result.names[which] for which in group)
    more = result.still_between(one, other)
    return in_two_digits(more) if more else None


def everybody(result: ResultTold) -> list[int]:
    """All bots by their places, and behind them who has none."""
    order = result.standing.order
    return [*order, *(one for one in range(len(result.names)) if one not in order)]


def runs(standing: StandingTold) -> list[list[int]]:
    """The runs of those who cannot be told apart, in the order of their places.

    Each is as long as it can be, so two may have bots in common: who stands in the middle may be told apart from neither end.
    """
    place = {one: at for at, one in enumerate(standing.order)}
    found = [sorted(group, key=place.__getitem__) for group in standing.groups if group]
    return sorted(found, key=lambda group: (place[group[0]], place[group[-1]]))


def lanes(standing: StandingTold) -> list[list[tuple[int, int]]]:
    """Where the brackets of ties stand: in each lane runs from a place to a place, from 0, none above another.

    >>> from types import SimpleNamespace as Plain
    >>> lanes(Plain(order=(2, 0, 1), groups=((2, 0), (0, 1)))), lanes(Plain(order=(0, 1), groups=((0,), (1,))))
    ([[(0, 1)], [(1, 2)]], [])
    """
    place = {one: at for at, one in enumerate(standing.order)}
    found: list[list[tuple[int, int]]] = []
    for group in runs(standing):
        first, last = place[group[0]], place[group[-1]]
        if first == last:
            continue
        lane = next((lane for lane in found if lane[-1][1] < first), None)
        if lane is None:
            found.append([(first, last)])
        else:
            lane.append((first, last))
    return found


def in_two_digits(number: float) -> int:
    """A number that is not known better, no smaller than it is.

    >>> in_two_digits(412), in_two_digits(7), in_two_digits(0.2), in_two_digits(123456)
    (420, 7, 1, 130000)
    """
    whole = max(1, ceil(number))
    step: int = 10 ** max(0, int(log10(whole)) - 1)
    return ceil(whole / step) * step


def places_said(low: int, high: int) -> str:
    """The place of a bot, or from which to which its games leave it open.

    >>> print(places_said(2, 2), places_said(1, 3))
    2 1–3
    """
    return str(low) if low == high else f"{low}–{high}"


def time_left(seconds: float, voice: Voice) -> str:
    """How long it will still take, as one says it.

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
    """Each forfeit as a sentence of a page, with the position where it happened as plain text."""
    return [
        (
            _on_page(
                voice.say(
                    "arena.forfeit", bot=f"{_OPEN}{shown_name(one.who)}{_SHUT}", game=one.game, said=_whole(one.sentence(voice.language))
                )
            ),
            one_line(one.position, 400),
        )
        for one in result.forfeits
    ]


def out_told(result: ResultTold, voice: Voice) -> list[str]:
    """Who plays no more, as sentences of a page."""
    return [_on_page(_left_out(one, voice)) for one in result.out]


def out_said(result: ResultTold, voice: Voice) -> list[str]:
    """Who plays no more and why that first was, as plain text."""
    why = {one.who: one.sentence(voice.language) for one in reversed(result.forfeits)}
    return [f"{_plain(_left_out(one, voice))} {one_line(why.get(one, ''), 400)}" for one in result.out]


def _left_out(name: str, voice: Voice) -> str:
    return voice.say("arena.left_out", bot=f"{_OPEN}{shown_name(name)}{_SHUT}")


def _whole(said: object) -> str:
    """A sentence that somebody's code may have had a hand in: one line, as long as a sentence is, and ended."""
    kept = one_line(said, 400)
    return kept if kept.endswith((".", "!", "?", "…")) else f"{kept}."


def _named(of: Mapping[str, str]) -> str:
    return ";".join(f"--a-{name}:{color}" for name, color in of.items())


COLORS: Final = (
    f".durak-arena{{{_named(DAY)}}}@media screen and (prefers-color-scheme:dark){{.durak-arena{{{_named(NIGHT)}}}}}"
    f'[data-jp-theme-light="true"] .durak-arena,[data-page="light"] .durak-arena{{{_named(DAY)}}}'
    f'[data-jp-theme-light="false"] .durak-arena,[data-page="dark"] .durak-arena{{{_named(NIGHT)}}}'
    f'[data-page="light"] .durak-arena.durak-arena{{{_named(DAY)}}}[data-page="dark"] .durak-arena.durak-arena{{{_named(NIGHT)}}}'
)
"""As the reader prefers, or as the page around it says: JupyterLab by its theme, a widget of ours by its own."""


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
