"""Describes in sentences who is better in a tournament, and what is uncertain.

It also says how many more games would be needed. Here are also the colours of the arena's pictures. Other functions make bot names and
numbers safe and short enough to display.
"""

from __future__ import annotations

from html import escape
from math import ceil, isfinite, log10
from typing import TYPE_CHECKING, Final
from unicodedata import category

from durak_widget.engine.card_svg import FONT_FAMILY
from durak_widget.i18n import TranslatableText

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from durak_widget.arena.result_types import ResultData, StandingsData
    from durak_widget.i18n import Translator

TARGET_PRECISION: Final = 5
"""The accuracy of ratings, in points out of 100, up to which the sentences estimate the number of further games."""
_MAX_NAMES: Final = 3
"""The maximum number of bots that one sentence lists by name; it gives only the number of the others."""
_MAX_SENTENCES, _MAX_SENTENCES_FOR_MANY, _MANY_BOTS = 4, 2, 8
"""Limits on the number of sentences about who is better: the usual limit, the limit with many bots, and the number
of bots that counts as many."""
_NAME_START, _NAME_END = "\ue000", "\ue001"
"""Invisible marks around a bot's name in a sentence; in HTML they become bold text, and in plain text they are
removed."""
COLORED_LINES: Final = 6
"""The number of curves with a colour of their own in a plot; all other curves share one colour."""
LIGHT_COLORS: Final = {
    "page": "#fff", "ink": "#1f2630", "soft": "#566070", "line": "#d5d9df", "field": "#f4f5f7", "mark": "#1d5fa8", "warn": "#9a3412",
    "up": "#cfe9dd", "on-up": "#0d3d2c", "down": "#f8dcd2", "on-down": "#6b2413",
    "c0": "#1d5fa8", "c1": "#b23a16", "c2": "#0b6e5f", "c3": "#7b3fa0", "c4": "#7a5a00", "c5": "#a0285f", "rest": "#a3acb8",
}  # fmt: skip
"""The colours of the light theme, by CSS variable."""
DARK_COLORS: Final = {
    "page": "#14181d", "ink": "#eef1f4", "soft": "#b3bdc8", "line": "#3d4550", "field": "#1e242b", "mark": "#86bcf5", "warn": "#ffb08f",
    "up": "#1d4a3a", "on-up": "#d3f5e5", "down": "#56291e", "on-down": "#ffdccf",
    "c0": "#86bcf5", "c1": "#ff9f7a", "c2": "#5fd0be", "c3": "#cfa3ec", "c4": "#e0c25a", "c5": "#f48fb9", "rest": "#6b7683",
}  # fmt: skip
"""The colours of the dark theme, by CSS variable."""
_MAX_NAME_LENGTH: Final = 80
_JOINING_CHARACTERS: Final = "\u200d\ufe0f\ufe0e"
DRAWING_STYLE: Final = (
    ".a-ink{fill:var(--a-ink)}.a-soft{fill:var(--a-soft)}.a-mark{fill:var(--a-mark)}.a-page{fill:var(--a-page)}.a-grid{stroke:var(--a-line);fill:none}"
    ".a-axis{stroke:var(--a-soft);fill:none}.a-tie{stroke:var(--a-soft);fill:none;stroke-width:2.5}.a-range{stroke:var(--a-mark);stroke-width:5;stroke-linecap:round;stroke-opacity:.45}"
    ".a-run{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}.a-end{text-anchor:end}.a-mid{text-anchor:middle}.a-b{font-weight:650}"
    + "".join(f".a-s{i}{{stroke:var(--a-c{i})}}.a-f{i}{{fill:var(--a-c{i})}}" for i in range(COLORED_LINES))
    + ".a-rest{stroke:var(--a-rest);stroke-width:1.25}"
)
"""The CSS for the lines and texts of a plot."""


def format_standings_html(result: ResultData, voice: Translator) -> list[str]:
    """Return the standings as HTML sentences, with the bots' names in bold.

    They say who is proved better than whom, who is not separated yet, and how many more games are needed.
    """
    return [_to_html(sentence) for sentence in _build_sentences(result, voice)]


def format_standings_text(result: ResultData, voice: Translator) -> list[str]:
    """Return the standings as plain text sentences."""
    return [_to_plain_text(sentence) for sentence in _build_sentences(result, voice)]


def _to_plain_text(sentence: str) -> str:
    """Return a sentence without the invisible marks that surround names."""
    return sentence.replace(_NAME_START, "").replace(_NAME_END, "")


def _to_html(sentence: str) -> str:
    """Convert a sentence to HTML; names between invisible marks become bold."""
    return escape(sentence).replace(_NAME_START, "<b><bdi>").replace(_NAME_END, "</bdi></b>")


def _build_sentences(result: ResultData, voice: Translator) -> list[str]:
    """Build all sentences on who is better, with invisible marks around bots' names."""
    if not result.games_played:
        return [voice.translate("arena.none")]
    if not result.standings.order:  # No game has compared two bots yet, so no bot has a rank
        return _build_remarks(result, voice, [])
    sentences = []
    for sentence in _format_order(result, voice):
        sentences.append(sentence)
        if len(sentences) == (_MAX_SENTENCES_FOR_MANY if len(result.names) > _MANY_BOTS else _MAX_SENTENCES):
            break
    games_needed = result.estimate_games_needed(TARGET_PRECISION)
    rounded = round_up_to_two_digits(games_needed)
    sentences.append(
        voice.translate("arena.needed", count=rounded, games=format_count(rounded), within=TARGET_PRECISION)
        if games_needed > 0
        else voice.translate("arena.enough", within=TARGET_PRECISION)
    )
    return [*sentences, *_build_remarks(result, voice, sentences)]


def _build_remarks(result: ResultData, voice: Translator, earlier_sentences: Collection[str]) -> list[str]:
    """Build sentences on bots that play alike, games that don't count, and blocked actions.

    Sentences that are in `earlier_sentences` are left out.
    """
    remarks = [
        sentence for group in result.same_move_groups if (sentence := _format_same_moves(group, result, voice)) not in earlier_sentences
    ]
    if result.games_cancelled:
        remarks.append(voice.translate("arena.cancelled", count=result.games_cancelled, games=format_count(result.games_cancelled)))
    for name, kinds in result.refused_attempts.items():
        attempt_facts = tuple(TranslatableText(f"arena.attempts.{kind}") for kind in kinds)
        remarks.append(voice.translate("arena.attempts", bot=f"{_NAME_START}{format_name(name)}{_NAME_END}", what=attempt_facts))
    return remarks


def _format_same_moves(group: Sequence[int], result: ResultData, voice: Translator) -> str:
    """Build a sentence that names bots which always made the same moves as each other."""
    members = [bot for bot in list_bots_by_rank(result) if bot in group]
    bots = [voice.translate("arena.name", bot=f"{_NAME_START}{format_name(result.names[bot])}{_NAME_END}") for bot in members]
    if len(bots) <= _MAX_NAMES + 1:
        return voice.translate("arena.together.same", bots=tuple(bots))
    return voice.translate("arena.together.same.many", bots=tuple(bots[:_MAX_NAMES]), count=len(bots) - _MAX_NAMES)


def _format_order(result: ResultData, voice: Translator) -> Iterator[str]:
    """Yield sentences that rank the bots from best to worst, including ties."""
    standings = result.standings
    order = list(standings.order)
    marked_names = {bot: f"{_NAME_START}{format_name(result.names[bot])}{_NAME_END}" for bot in order}
    next_position = 0
    for group in list_tie_runs(standings):
        first, last = order.index(group[0]), order.index(group[-1])
        if first < next_position:  # The previous sentence has already named the best of these tied bots
            continue
        next_position, after = last + 1, order[last + 1 :]
        beaten = [bot for bot in after if all(standings.is_better(member, bot) for member in group)]
        if len(group) > 1:
            if set(group) in map(set, result.same_move_groups):
                yield _format_same_moves(group, result, voice)
            else:
                yield _format_tie(
                    [voice.translate("arena.name", bot=marked_names[bot]) for bot in group],
                    estimate_games_to_separate(result, group),
                    voice,
                )
            if first == 0 and after and len(beaten) == len(after):
                yield voice.translate("arena.better.they")
        elif first == 0 and after and len(beaten) == len(after):
            yield voice.translate(
                "arena.better.all" if len(after) > 1 else "arena.better", bot=marked_names[group[0]], other=marked_names[after[0]]
            )
        elif after and after[0] in beaten:
            yield voice.translate("arena.better", bot=marked_names[group[0]], other=marked_names[after[0]])


def _format_tie(bots: list[str], games_needed: int | None, voice: Translator) -> str:
    """Build a sentence that names tied bots, and says how many more games would separate two."""
    if games_needed is not None:
        return voice.translate("arena.together.until", bots=tuple(bots), count=games_needed, games=format_count(games_needed))
    if len(bots) <= _MAX_NAMES + 1:
        return voice.translate("arena.together", bots=tuple(bots))
    return voice.translate("arena.together.many", bots=tuple(bots[:_MAX_NAMES]), count=len(bots) - _MAX_NAMES)


def estimate_games_to_separate(result: ResultData, group: Sequence[int]) -> int | None:
    """Estimate how many more games would show which of two tied bots is better.

    Return None for more than two bots, or if there is no estimate.
    """
    if len(group) != 2:
        return None
    first, second = (result.names[bot] for bot in group)
    games_needed = result.estimate_games_to_separate(first, second)
    return round_up_to_two_digits(games_needed) if games_needed else None


def list_bots_by_rank(result: ResultData) -> list[int]:
    """Return all bots in the order of their ranks; bots without a rank come last."""
    order = result.standings.order
    return [*order, *(bot for bot in range(len(result.names)) if bot not in order)]


def list_tie_runs(standings: StandingsData) -> list[list[int]]:
    """Return the groups of tied bots, best group first; bots in a group have adjacent ranks.

    Each is as long as possible, so two runs may share bots: a bot in the middle may be separated from neither end.
    """
    position_of = {bot: position for position, bot in enumerate(standings.order)}
    tie_runs = [sorted(group, key=position_of.__getitem__) for group in standings.tie_groups if group]
    return sorted(tie_runs, key=lambda group: (position_of[group[0]], position_of[group[-1]]))


def arrange_tie_brackets(standings: StandingsData) -> list[list[tuple[int, int]]]:
    """Choose a column for each bracket that marks tied bots, so that brackets never overlap.

    A bracket goes from a position to a position, from 0.

    >>> from types import SimpleNamespace as Plain
    >>> arrange_tie_brackets(Plain(order=(2, 0, 1), tie_groups=((2, 0), (0, 1)))), arrange_tie_brackets(Plain(order=(0, 1), tie_groups=((0,), (1,))))
    ([[(0, 1)], [(1, 2)]], [])
    """
    position_of = {bot: position for position, bot in enumerate(standings.order)}
    filled_lanes: list[list[tuple[int, int]]] = []
    for group in list_tie_runs(standings):
        first, last = position_of[group[0]], position_of[group[-1]]
        if first == last:
            continue
        lane = next((lane for lane in filled_lanes if lane[-1][1] < first), None)
        if lane is None:
            filled_lanes.append([(first, last)])
        else:
            lane.append((first, last))
    return filled_lanes


def round_up_to_two_digits(number: float) -> int:
    """Round a number up to two significant digits.

    >>> round_up_to_two_digits(412), round_up_to_two_digits(7), round_up_to_two_digits(0.2), round_up_to_two_digits(123456)
    (420, 7, 1, 130000)
    """
    rounded = max(1, ceil(number))
    step: int = 10 ** max(0, int(log10(rounded)) - 1)
    return ceil(rounded / step) * step


def format_rank_range(low: int, high: int) -> str:
    """Format a bot's rank as text; if several ranks are possible, as a range.

    >>> print(format_rank_range(2, 2), format_rank_range(1, 3))
    2 1–3
    """
    return str(low) if low == high else f"{low}–{high}"


def format_time_left(seconds: float, voice: Translator) -> str:
    """Format a number of seconds as rounded text with a unit, such as "some 3 min".

    >>> from durak_widget.i18n import Translator
    >>> format_time_left(8, Translator()), format_time_left(200, Translator()), format_time_left(4000, Translator())
    ('about 10 s', 'about 3 min', 'about 1 h 5 min')
    """
    if seconds < 90:
        return voice.translate("arena.seconds", seconds=str(max(5, 5 * ceil(seconds / 5))))
    minutes = round(seconds / 60)
    if minutes < 60:
        return voice.translate("arena.minutes", minutes=str(minutes))
    minutes = 5 * round(minutes / 5)
    return voice.translate("arena.hours", hours=format_count(minutes // 60), minutes=str(minutes % 60))


def format_forfeits_html(result: ResultData, voice: Translator) -> list[tuple[str, str]]:
    """Return, for each forfeit, a sentence in HTML and the game's position as plain text."""
    return [
        (
            _to_html(
                voice.translate(
                    "arena.forfeit",
                    bot=f"{_NAME_START}{format_name(forfeit.bot)}{_NAME_END}",
                    game=forfeit.game_number,
                    said=_complete_sentence(forfeit.sentence(voice.language)),
                )
            ),
            format_one_line(forfeit.position, 400),
        )
        for forfeit in result.forfeits
    ]


def format_disqualified_html(result: ResultData, voice: Translator) -> list[str]:
    """Return HTML sentences that name the disqualified bots."""
    return [_to_html(_format_disqualified(name, voice)) for name in result.disqualified]


def format_disqualified_text(result: ResultData, voice: Translator) -> list[str]:
    """Return plain text with each disqualified bot and the reason for its first forfeit."""
    reasons = {forfeit.bot: forfeit.sentence(voice.language) for forfeit in reversed(result.forfeits)}
    return [
        f"{_to_plain_text(_format_disqualified(name, voice))} {format_one_line(reasons.get(name, ''), 400)}" for name in result.disqualified
    ]


def _format_disqualified(name: str, voice: Translator) -> str:
    return voice.translate("arena.left_out", bot=f"{_NAME_START}{format_name(name)}{_NAME_END}")


def _complete_sentence(text: object) -> str:
    """Shorten a text to one line, and end it with a full stop if it has no end mark.

    A bot's code may have written the text.
    """
    line = format_one_line(text, 400)
    return line if line.endswith((".", "!", "?", "…")) else f"{line}."


def _format_css_variables(colors: Mapping[str, str]) -> str:
    return ";".join(f"--a-{name}:{color}" for name, color in colors.items())


COLOR_STYLE: Final = (
    f".durak-arena{{{_format_css_variables(LIGHT_COLORS)}}}@media screen and (prefers-color-scheme:dark){{.durak-arena{{{_format_css_variables(DARK_COLORS)}}}}}"
    f'[data-jp-theme-light="true"] .durak-arena,[data-page="light"] .durak-arena{{{_format_css_variables(LIGHT_COLORS)}}}'
    f'[data-jp-theme-light="false"] .durak-arena,[data-page="dark"] .durak-arena{{{_format_css_variables(DARK_COLORS)}}}'
    f'[data-page="light"] .durak-arena.durak-arena{{{_format_css_variables(LIGHT_COLORS)}}}[data-page="dark"] .durak-arena.durak-arena{{{_format_css_variables(DARK_COLORS)}}}'
)
"""The CSS of the colours, which follow the browser's theme, JupyterLab's theme or this widget's theme."""


def format_name(name: object) -> str:
    """Return a bot's name in a form that is safe and short enough to display.

    >>> format_name("  Ann "), format_name(""), len(format_name("x" * 500))
    ('Ann', '–', 80)
    """
    return format_one_line(name, _MAX_NAME_LENGTH) or "–"


def format_one_line(text: object, max_length: int) -> str:
    """Return a text as one line, without invisible characters and direction marks.

    >>> format_one_line("  a" + chr(10) + "b" + chr(0x202e) + chr(0xe000), 9)
    'a b'
    """
    cleaned = "".join(
        " " if category(character) in ("Cc", "Zl", "Zp") else character
        for character in str(text)[: 20 * max_length]
        if category(character) not in ("Cf", "Co", "Cs", "Cn") or character in _JOINING_CHARACTERS
    )
    return clip_name(" ".join(cleaned.split()), max_length)


def clip_name(name: str, max_length: int) -> str:
    """Cut a name to a given length, without splitting a visible character.

    >>> clip_name("Bartholomew", 6), clip_name("Ann", 6)
    ('Barth…', 'Ann')
    """
    if len(name) <= max_length:
        return name
    clipped = name[: max_length - 1]
    while clipped and (
        clipped[-1] in _JOINING_CHARACTERS or category(name[len(clipped)]).startswith("M") or name[len(clipped)] in _JOINING_CHARACTERS
    ):
        clipped = clipped[:-1]
    return clipped.rstrip() + "…"


def format_name_html(name: object) -> str:
    """Return a name as HTML that can't change other parts of the page or the text direction.

    >>> format_name_html("<script>")
    '<bdi>&lt;script&gt;</bdi>'
    """
    return f"<bdi>{escape(format_name(name))}</bdi>"


def finite_or_none(number: float | None) -> float | None:
    """Return a number if it is finite, and None otherwise."""
    return number if number is not None and isfinite(number) else None


def format_points(number: float | None, voice: Translator, digits: int = 0) -> str:
    """Format a number for a table as text, with a dash for None.

    >>> from durak_widget.i18n import Translator
    >>> format_points(-2.54, Translator("lt"), 1), format_points(-0.2, Translator()), format_points(None, Translator())
    ('−2,5', '0', '–')
    """
    value = finite_or_none(number)
    if value is None:
        return "–"
    text = f"{value:.{digits}f}"
    text = text.removeprefix("-") if not float(text) else text.replace("-", "−")
    return text.replace(".", voice.translate("number.point"))


def format_count(number: int) -> str:
    """Format a whole number as text, with its digits in groups if it is large.

    >>> print(format_count(1234), format_count(12345678))
    1234 12\u202f345\u202f678
    """
    return str(number) if abs(number) < 10_000 else f"{number:,}".replace(",", "\u202f")


def build_svg(width: float, height: float, title: str, description: str, language: str, body: str) -> str:
    """Build a self-contained SVG image with a title and a description."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="durak-arena" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" lang="{language}" role="img" '
        f'aria-label="{escape(title)}" font-family="{FONT_FAMILY}" font-size="14" style="max-width:100%;height:auto"><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f"<style>{COLOR_STYLE}{DRAWING_STYLE}</style>{body}</svg>"
    )
