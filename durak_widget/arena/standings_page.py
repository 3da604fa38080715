"""Shows the standings as HTML tables, as one HTML page to hang up, or as lines of text.

The page is a single file that needs no other, in light and dark themes. It has the places with intervals, the matrix of all pairs and the
rating curve. It also says which bots are out and why, and how the games were played.
"""

from __future__ import annotations

from html import escape
from math import ceil, floor
from typing import TYPE_CHECKING, Final

from durak_widget.arena.result_sentences import (
    COLORS,
    everybody,
    forfeits_told,
    grouped,
    html_name,
    known,
    lanes,
    number_of_points,
    one_line,
    out_said,
    out_told,
    places_said,
    shown_name,
    standing_said,
    standing_told,
)
from durak_widget.arena.svg_plots import course_plot, interval_said, scale_of_ratings
from durak_widget.engine.card_svg import FONTS
from durak_widget.i18n import Voice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.arena.result_types import RatingTold, ResultTold
    from durak_widget.arena.svg_plots import Scale

LOOKS: Final = (
    ".durak-arena{color:var(--a-ink)}.durak-arena table{border-collapse:collapse;font-variant-numeric:tabular-nums;color:inherit;margin:0}"
    ".durak-arena table :is(th,td){padding:.25em .5em;border:0;border-bottom:1px solid var(--a-line);vertical-align:middle;background:none;color:inherit}"
    ".durak-arena thead th{color:var(--a-soft);font-weight:600;font-size:.8em;vertical-align:bottom}.durak-arena tbody th{font-weight:600}.durak-arena caption{text-align:start;color:var(--a-soft)}"
    ".durak-arena .a-hide{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}"
    ".durak-arena .a-num{white-space:nowrap}.durak-arena .a-quiet{color:var(--a-soft);font-weight:400}.durak-arena small{font-size:.72em;color:inherit}"
    # JupyterLab's own table style has columns of equal width and right-aligned text
    ".durak-arena.durak-arena table{table-layout:auto}.durak-arena.durak-arena table :is(th,td){text-align:start}"
    ".durak-arena.durak-arena table :is(.a-num,.a-place){text-align:end}.durak-arena.durak-arena .a-matrix :is(thead th,td){text-align:center}"
    # places
    ".durak-arena .a-places{width:100%}.durak-arena .a-places th[scope=row]{max-width:18em;overflow-wrap:anywhere;line-height:1.2}"
    ".durak-arena .a-place{white-space:nowrap;width:1%}.durak-arena .a-along{width:50%;min-width:6em}.durak-arena .a-places .a-num{width:1%}.durak-arena .a-places td.a-num small{display:inline-block;min-width:3.6em}"
    ".a-ticks{display:block;position:relative;height:1.3em;font-weight:400}.a-ticks span{position:absolute;transform:translateX(-50%)}.a-box{container:a-box/inline-size}.durak-arena .a-under{display:none;margin-top:.15em;height:.8em}"
    "@container a-box (max-width:34rem){.durak-arena .a-places :is(.a-along,.a-few){display:none}.durak-arena .a-under{display:block}.durak-arena .a-places th[scope=row]{max-width:none;width:99%}.durak-arena .a-lots .a-ties{display:none}}"
    ".durak-arena .a-places tr[data-out] th bdi{text-decoration:line-through;text-decoration-thickness:1px}"
    ".a-track{display:block;position:relative;height:1.1em;background:linear-gradient(var(--a-line),var(--a-line)) center/100% 1px no-repeat}"
    ".a-track i{position:absolute;top:50%;height:.5em;margin-top:-.25em;border-radius:.25em;background:var(--a-mark);opacity:.4;min-width:3px}"
    ".a-track b{position:absolute;top:50%;width:.7em;height:.7em;margin:-.35em 0 0 -.35em;border-radius:50%;background:var(--a-mark)}"
    ".a-track u{position:absolute;top:0;bottom:0;width:1px;background:var(--a-soft);opacity:.28}"
    ".durak-arena .a-ties{padding:0;border:0;width:1%;position:relative}.a-ties span{display:flex;position:absolute;inset:0;gap:.28em;padding-inline-end:.3em}.a-ties i{flex:none;width:.34em}"
    ".a-ties i[data-tie]{border-inline-start:.17em solid var(--a-soft)}.a-ties i[data-tie=first]{margin-top:.5em;border-top:.17em solid var(--a-soft)}.a-ties i[data-tie=last]{margin-bottom:.5em;border-bottom:.17em solid var(--a-soft)}"
    # all pairs
    ".a-wide{position:relative;overflow:auto;max-height:min(80vh,60em);overscroll-behavior-x:contain}.a-wide:focus-visible{outline:3px solid var(--a-mark);outline-offset:2px}"
    ".durak-arena .a-matrix{border-collapse:separate;border-spacing:2px}.durak-arena .a-matrix :is(th,td){border:0;padding:.2em .35em}"
    ".durak-arena .a-matrix thead th{position:sticky;top:0;z-index:1;background:var(--a-page)}.durak-arena .a-matrix tbody th{position:sticky;left:0;background:var(--a-page);max-width:13em;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-weight:500}"
    ".durak-arena .a-matrix td{white-space:nowrap;border-radius:4px;background:var(--a-field);line-height:1.15}"
    ".durak-arena .a-matrix td[data-sure=up]{background:var(--a-up);color:var(--a-on-up);font-weight:650}.durak-arena .a-matrix td[data-sure=down]{background:var(--a-down);color:var(--a-on-down);font-weight:650}"
    ".durak-arena .a-matrix :is(td[data-self],thead td){background:none}.durak-arena .a-matrix td small{display:block;font-weight:400}.a-matrix s{text-decoration:none;font-size:.7em}"
    "@media(max-width:480px){.durak-arena .a-matrix tbody th{max-width:7.5em}.durak-arena .a-places :is(td,th){padding:.25em .3em}.durak-arena .a-places td.a-num small{display:block}}"
    "@media(forced-colors:active){.a-track i,.a-track b{background:CanvasText;forced-color-adjust:none}}"
    "@media print{.a-wide{overflow:visible;max-height:none}.durak-arena *{-webkit-print-color-adjust:exact;print-color-adjust:exact}}"
)
"""The style of both tables, wherever they are shown."""
_LANES: Final = 3
"""The most brackets side by side; more leave no room for names on a phone."""
_FEW, _SOME = 8, 16
_SHOWN: Final = 12
"""The number of forfeits that are shown; the others are folded away."""
_STYLE: Final = (
    ":root{color-scheme:light dark;font-size:clamp(16px,.55rem + .72vw,25px)}*{box-sizing:border-box}"
    f"body{{margin:0;font:1rem/1.45 {FONTS}}}body.durak-arena{{background:var(--a-page)}}main{{max-width:92rem;margin:0 auto;padding:clamp(1rem,2.4vw,2.6rem) clamp(.9rem,3.4vw,4rem) 3rem}}"
    "h1{font-size:clamp(1.6rem,1.1rem + 1.6vw,2.5rem);line-height:1.12;margin:0;font-weight:680;letter-spacing:-.015em}"
    "h2{font-size:1.3rem;line-height:1.25;margin:2.6rem 0 .6rem;font-weight:650}p{margin:.35rem 0}.lead{color:var(--a-soft);font-size:1.05rem}"
    ".says{margin:1.3rem 0 1.6rem;font-size:clamp(1.15rem,1rem + .55vw,1.6rem);line-height:1.35;max-width:52rem;text-wrap:pretty;overflow-wrap:anywhere}.says p{margin:.3em 0}"
    ".note{color:var(--a-soft);max-width:46rem;font-size:.92rem}"
    "main .a-places{font-size:1.05rem}[data-many=few] .a-places{font-size:clamp(1.15rem,.9rem + 1vw,1.9rem)}[data-many=some] .a-places{font-size:1.2rem}[data-many=few] .a-places :is(td,th):not(.a-ties){padding-block:.5em}"
    ".a-matrix{font-size:.9rem}[data-many=few] .a-matrix{font-size:clamp(1.1rem,.9rem + .7vw,1.6rem)}[data-many=few] .a-matrix :is(th,td){padding:.4em .8em}[data-many=many] .a-matrix{font-size:.8rem}main .a-wide{max-height:none}"
    "[data-many=many] .a-matrix s{position:absolute;clip-path:inset(50%)}[data-many=many] .a-matrix td{padding-inline:.1em;min-width:1.85em}[data-many=many] .a-matrix{max-width:calc(100% - 1px)}[data-many=many] .a-matrix small{font-size:.66em}"
    "main svg{display:block;width:100%;height:auto;max-width:76rem}ul{margin:.4rem 0;padding-left:1.2rem;max-width:60rem}li{margin:.3rem 0;overflow-wrap:anywhere}"
    "code{font:.82em/1.4 ui-monospace,'DejaVu Sans Mono',monospace;color:var(--a-soft);overflow-wrap:anywhere;display:block}details>summary{cursor:pointer;padding:.5rem 0;color:var(--a-soft)}:is(summary,.course):focus-visible{outline:3px solid var(--a-mark);outline-offset:2px}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1.2rem;margin:.4rem 0}dt{color:var(--a-soft)}dd{margin:0;overflow-wrap:anywhere}"
    ".course{overflow-x:auto}@media(min-width:1500px){[data-many=few] .pair{display:grid;grid-template-columns:minmax(min-content,1fr) minmax(0,1.25fr);gap:0 3rem;align-items:start}}"
    "@media(max-width:560px){h2{margin-top:2rem}main .a-places,[data-many] .a-places{font-size:1.05rem}"
    "dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}.course svg{width:44rem;max-width:none!important}}"
    "@page{margin:12mm}@media print{:root{font-size:12px}main{padding:0}h2{break-after:avoid}tr,li{break-inside:avoid}}"
)
_NAME = 40


def places_table(result: ResultTold, language: str = "en", *, styled: bool = True) -> str:
    """Return the standings as a table: ties, ranks, names, intervals, points and games.

    Without `styled` the page has to have the style.
    """
    voice, standings = Voice(language), result.standing
    scale = scale_of_ratings(standings.ratings)
    bracket_lanes = lanes(standings)
    bracket_cell_start = (
        f'<td class="a-ties" aria-hidden="true" style="min-width:{0.62 * len(bracket_lanes) + 0.2:.2f}em">' if bracket_lanes else ""
    )
    rows = []
    for index, bot in enumerate(everybody(result)):
        rating, name = standings.ratings[bot], result.names[bot]
        brackets = "".join(_bracket(index, lane) for lane in bracket_lanes)
        bracket_cell = f"{bracket_cell_start}<span>{brackets}</span></td>" if bracket_lanes else ""
        row_attribute = ' data-out=""' if name in result.out else ""
        rows.append(
            f"<tr{row_attribute}>{bracket_cell}{_place(name, rating, scale, voice, games=result.games_of(bot), notes=_notes(name, result))}</tr>"
        )
    columns = [
        ("a-place", "arena.place"),
        ("a-bot", "arena.bot"),
        ("a-along", "arena.of_100"),
        ("a-num", "arena.points"),
        ("a-num a-few", "arena.games"),
    ]
    head = "".join(
        f'<th scope="col" class="{css_class}">{escape(voice.say(key))}{_ticks(scale, voice) if css_class == "a-along" else ""}</th>'
        for css_class, key in columns
    )
    corner = '<td class="a-ties" aria-hidden="true"></td>' if bracket_lanes else ""
    style = f"<style>{COLORS}{LOOKS}</style>" if styled else ""
    return (
        f'<div class="durak-arena a-box" lang="{language}">{style}<table class="a-places{" a-lots" if len(bracket_lanes) > _LANES else ""}"><caption class="a-hide">{escape(voice.say("arena.places"))}</caption>'
        f"<thead><tr>{corner}{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _ticks(scale: Scale, voice: Voice) -> str:
    """Return the numbers above the intervals."""
    labels = "".join(f'<span style="left:{100 * scale.at(value):.1f}%">{number_of_points(value, voice)}</span>' for value in scale.marks)
    return f'<span class="a-ticks" aria-hidden="true">{labels}</span>'


def _bracket(place: int, lane: list[tuple[int, int]]) -> str:
    """Return the part of a lane's brackets beside this place."""
    for first, last in lane:
        if first <= place <= last:
            return f'<i data-tie="{"first" if place == first else "last" if place == last else "on"}"></i>'
    return "<i></i>"


def _notes(name: str, result: ResultTold) -> list[str]:
    """Return the message keys of the notes behind a bot's name."""
    return [*(["arena.is_out"] if name in result.out else []), *(["arena.tried"] if name in result.attempts else [])]


def _place(name: str, one: RatingTold | None, scale: Scale, voice: Voice, *, games: int, notes: Sequence[str]) -> str:
    """Return the cells of one bot, without the brackets."""
    points, low, high = (None, None, None) if one is None else (known(one.points), known(one.low), known(one.high))
    shapes = "".join(f'<u style="left:{100 * scale.at(value):.1f}%"></u>' for value in scale.marks)
    if points is not None:
        if low is not None and high is not None:
            shapes += f'<i style="left:{100 * scale.at(low):.1f}%;width:{100 * (scale.at(high) - scale.at(low)):.1f}%"></i>'
        shapes += f'<b style="left:{100 * scale.at(points):.1f}%"></b>'
    interval = interval_said(one, voice)
    note_spans = "".join(f' <span class="a-quiet">{escape(voice.say(key))}</span>' for key in notes)
    interval_html = f' <small class="a-quiet">{interval}</small>' if interval else ""
    return (
        f'<td class="a-place">{"–" if one is None else places_said(one.rank_low, one.rank_high)}</td><th scope="row">{html_name(name)}{note_spans}<span class="a-track a-under" aria-hidden="true">{shapes}</span></th>'
        f'<td class="a-along"><span class="a-track" aria-hidden="true">{shapes}</span></td>'
        f'<td class="a-num"><b>{number_of_points(points, voice)}</b>{interval_html}</td><td class="a-num a-quiet a-few">{"" if one is None else grouped(games)}</td>'
    )


def matrix_table(result: ResultTold, language: str = "en", *, styled: bool = True) -> str:
    """Return a table of all pairs: the row's points against the column, with intervals.

    A cell is coloured and marked if it proves who is better.
    """
    voice, order = Voice(language), everybody(result)
    better_label, worse_label = voice.say("arena.proved.better"), voice.say("arena.proved.worse")
    head = "".join(
        f'<th scope="col" title="{escape(shown_name(result.names[bot]))}"><span aria-hidden="true">{index + 1}</span><span class="a-hide">{html_name(result.names[bot])}</span></th>'
        for index, bot in enumerate(order)
    )
    rows = []
    for index, row_bot in enumerate(order):
        cells = "".join(_cell(result, row_bot, column_bot, better_label, worse_label, voice) for column_bot in order)
        name = result.names[row_bot]
        rows.append(
            f'<tr><th scope="row" title="{escape(shown_name(name))}"><span class="a-quiet">{index + 1}</span> {html_name(name)}</th>{cells}</tr>'
        )
    style = f"<style>{COLORS}{LOOKS}</style>" if styled else ""
    title = escape(voice.say("arena.matrix"))
    return (
        f'<div class="durak-arena" lang="{language}">{style}<div class="a-wide" tabindex="0" role="region" aria-label="{title}"><table class="a-matrix"><caption class="a-hide">{title}</caption>'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div></div>"
    )


def _cell(result: ResultTold, mine: int, other: int, up: str, down: str, voice: Voice) -> str:
    if mine == other:
        return '<td data-self=""></td>'
    standings = result.standing
    score = standings.share(mine, other)
    if score is None:
        return "<td>–</td>"
    cell_text = f"{number_of_points(score.mean, voice)}<small>{floor(score.low + 1e-9)}–<wbr>{ceil(score.high - 1e-9)}</small>"
    if standings.better(mine, other):
        return f'<td data-sure="up">{cell_text.replace("<small>", f" <s role={chr(34)}img{chr(34)} aria-label={chr(34)}{escape(up)}{chr(34)}>▲</s><small>")}</td>'
    if standings.better(other, mine):
        return f'<td data-sure="down">{cell_text.replace("<small>", f" <s role={chr(34)}img{chr(34)} aria-label={chr(34)}{escape(down)}{chr(34)}>▼</s><small>")}</td>'
    return f"<td>{cell_text}</td>"


def page(result: ResultTold, language: str = "en") -> str:
    """Return the page to hang up as one text; it is readable from afar and on a phone."""
    voice = Voice(language)
    count = len(result.names)
    size_class = "few" if count <= _FEW else "some" if count <= _SOME else "many"
    title = voice.say("arena.title")
    lead = " · ".join([str(result.rules.explain(language).heading).partition(". ")[0].rstrip("."), _played(result, voice)])
    sentences = "".join(f"<p>{sentence}</p>" for sentence in standing_told(result, voice))
    body = f'<h1>{escape(title)}</h1><p class="lead">{escape(lead)}</p><div class="says">{sentences}</div>'
    if count:
        body += f'<section aria-label="{escape(voice.say("arena.places"))}">{places_table(result, language, styled=False)}</section>{_note("arena.places.read", voice)}'
    body += _out(result, voice)
    matrix = (
        f"<section>{_headed('arena.matrix', voice)}{_note('arena.matrix.read', voice)}{matrix_table(result, language, styled=False)}</section>"
        if count > 1
        else ""
    )
    body += f'<div class="pair">{matrix}{_course(result, voice)}</div>'
    body += _how(result, voice)
    return (
        f'<!doctype html>\n<html lang="{escape(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{COLORS}{LOOKS}{_STYLE}</style></head>\n"
        f'<body class="durak-arena" data-many="{size_class}"><main>{body}</main></body></html>\n'
    )


def _played(result: ResultTold, voice: Voice) -> str:
    """Return how many of the planned games have been played, as text."""
    return voice.say("arena.so_far", played=grouped(result.played), planned=grouped(result.planned))


def _headed(key: str, voice: Voice) -> str:
    return f"<h2>{escape(voice.say(key))}</h2>"


def _note(key: str, voice: Voice) -> str:
    return f'<p class="note">{escape(voice.say(key))}</p>'


def _course(result: ResultTold, voice: Voice) -> str:
    """Return the rating curve in a box that scrolls on a phone."""
    if len(result.course) < 2:
        return ""
    label = escape(voice.say("arena.course"))
    plot = course_plot(result, voice.language, titled=False)
    return f'<section>{_headed("arena.course", voice)}<div class="course" tabindex="0" role="region" aria-label="{label}">{plot}</div></section>'


def _out(result: ResultTold, voice: Voice) -> str:
    """Return the disqualified bots, and every forfeit with its reason."""
    items = [
        f"<li>{sentence}{f'<code>{escape(position)}</code>' if position else ''}</li>"
        for sentence, position in forfeits_told(result, voice)
    ]
    if not items and not result.out:
        return ""
    disqualified_html = "".join(f"<p>{sentence}</p>" for sentence in out_told(result, voice))
    shown, hidden = "".join(items[:_SHOWN]), "".join(items[_SHOWN:])
    count = len(items) - _SHOWN
    details = (
        f"<details><summary>{escape(voice.say('arena.forfeits.more', count=count))}</summary><ul>{hidden}</ul></details>" if hidden else ""
    )
    return f"{_headed('arena.forfeits', voice)}{disqualified_html}<ul>{shown}</ul>{details}"


def _how(result: ResultTold, voice: Voice) -> str:
    """Return the conditions: rules, system, games, bots and seed."""
    entries = [
        ("arena.rules", escape(f"{result.rules.explain(voice.language).heading} ({result.rules})")),
        ("arena.system", escape(voice.say(f"arena.system.{result.system}"))),
        ("arena.games", escape(_played(result, voice))),
        ("arena.bots", ", ".join(map(html_name, result.names))),
        ("arena.seed", escape(one_line(result.seed, 200))),
    ]
    items = "".join(f"<dt>{escape(voice.say(key))}</dt><dd>{text}</dd>" for key, text in entries)
    items += "".join(f'<dt></dt><dd lang="en">{escape(one_line(text, 400))}</dd>' for text in result.troubles)
    return f"{_headed('arena.how', voice)}<dl>{items}</dl>{_note('arena.fair', voice)}"


def ranking_lines(result: ResultTold, language: str = "en") -> str:
    """Return the standings as lines of text, followed by the sentences about them.

    A line has the ranks that are left open, the name, the rating with its interval, and the games.

    >>> from durak_widget import arena
    >>> print(ranking_lines(arena.play(["careful", "random"], games=60)))  # doctest: +ELLIPSIS
    1  careful  98  9... 60
    2  random    2  ... 60
    60 of 60 games
    careful is better than random: sure.
    ...
    """
    voice, standings = Voice(language), result.standing
    cells = []
    for bot in everybody(result):
        rating, name = standings.ratings[bot], one_line(result.names[bot], _NAME)
        if rating is None:
            cells.append(("–", name, "–", "", ""))
        else:
            cells.append(
                (
                    *(places_said(rating.rank_low, rating.rank_high), name),
                    *(number_of_points(rating.points, voice), interval_said(rating, voice), str(result.games_of(bot))),
                )
            )
    widths = [max((len(cell[column]) for cell in cells), default=0) for column in range(5)]
    lines = [
        f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c:>{widths[2]}}  {d:<{widths[3]}}  {e:>{widths[4]}}".rstrip() for a, b, c, d, e in cells
    ]
    lines.append(voice.say("arena.so_far", played=grouped(result.played), planned=grouped(result.planned)))
    return "\n".join([*lines, *standing_said(result, voice), *out_said(result, voice), *result.troubles])
