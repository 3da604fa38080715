"""A tournament as tables: the places with their intervals as lengths, and everybody against everybody. Parts of a page, by day and by night."""

from __future__ import annotations

from html import escape
from math import ceil, floor
from typing import TYPE_CHECKING, Final

from durak_widget.arena.inks import COLORS, grouped, html_name, known, number_of_points, shown_name
from durak_widget.arena.result_sentences import everybody, lanes, places_said
from durak_widget.arena.svg_plots import interval_said, scale_of_ratings
from durak_widget.i18n import Voice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.arena.result_protocols import RatingTold, ResultTold
    from durak_widget.arena.svg_plots import Scale

LOOKS: Final = (
    ".durak-arena{color:var(--a-ink)}.durak-arena table{border-collapse:collapse;font-variant-numeric:tabular-nums;color:inherit;margin:0}"
    ".durak-arena table :is(th,td){padding:.25em .5em;border:0;border-bottom:1px solid var(--a-line);vertical-align:middle;background:none;color:inherit}"
    ".durak-arena thead th{color:var(--a-soft);font-weight:600;font-size:.8em;vertical-align:bottom}.durak-arena tbody th{font-weight:600}.durak-arena caption{text-align:start;color:var(--a-soft)}"
    ".durak-arena .a-hide{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}"
    ".durak-arena .a-num{white-space:nowrap}.durak-arena .a-quiet{color:var(--a-soft);font-weight:400}.durak-arena small{font-size:.72em;color:inherit}"
    # JupyterLab has tables of its own mind: columns of one width, and all words on the right
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
    # everybody against everybody
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
"""How both tables look, wherever they stand."""
_LANES: Final = 3
"""More brackets side by side leave no room for names on a telephone."""


def places_table(result: ResultTold, language: str = "en", *, styled: bool = True) -> str:
    """The places: brackets of ties, place, name, dot and interval, points, games; with its style, or without where the page has it."""
    voice, standing = Voice(language), result.standing
    scale = scale_of_ratings(standing.ratings)
    ties = lanes(standing)
    bracketed = f'<td class="a-ties" aria-hidden="true" style="min-width:{0.62 * len(ties) + 0.2:.2f}em">' if ties else ""
    rows = []
    for place, which in enumerate(everybody(result)):
        one, name = standing.ratings[which], result.names[which]
        signs = "".join(_bracket(place, lane) for lane in ties)
        held = f"{bracketed}<span>{signs}</span></td>" if ties else ""
        gone = ' data-out=""' if name in result.out else ""
        rows.append(f"<tr{gone}>{held}{_place(name, one, scale, voice, games=result.games_of(which), notes=_notes(name, result))}</tr>")
    heads = [
        ("a-place", "arena.place"),
        ("a-bot", "arena.bot"),
        ("a-along", "arena.of_100"),
        ("a-num", "arena.points"),
        ("a-num a-few", "arena.games"),
    ]
    head = "".join(
        f'<th scope="col" class="{kind}">{escape(voice.say(key))}{_ticks(scale, voice) if kind == "a-along" else ""}</th>'
        for kind, key in heads
    )
    corner = '<td class="a-ties" aria-hidden="true"></td>' if ties else ""
    style = f"<style>{COLORS}{LOOKS}</style>" if styled else ""
    return (
        f'<div class="durak-arena a-box" lang="{language}">{style}<table class="a-places{" a-lots" if len(ties) > _LANES else ""}"><caption class="a-hide">{escape(voice.say("arena.places"))}</caption>'
        f"<thead><tr>{corner}{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _ticks(scale: Scale, voice: Voice) -> str:
    """The numbers along which the intervals lie."""
    marks = "".join(f'<span style="left:{100 * scale.at(mark):.1f}%">{number_of_points(mark, voice)}</span>' for mark in scale.marks)
    return f'<span class="a-ticks" aria-hidden="true">{marks}</span>'


def _bracket(place: int, lane: list[tuple[int, int]]) -> str:
    """What stands of the brackets of a lane beside that place."""
    for first, last in lane:
        if first <= place <= last:
            return f'<i data-tie="{"first" if place == first else "last" if place == last else "on"}"></i>'
    return "<i></i>"


def _notes(name: str, result: ResultTold) -> list[str]:
    """Keys of what stands behind the name of a bot."""
    return [*(["arena.is_out"] if name in result.out else []), *(["arena.tried"] if name in result.attempts else [])]


def _place(name: str, one: RatingTold | None, scale: Scale, voice: Voice, *, games: int, notes: Sequence[str]) -> str:
    """The cells of one bot, but for the brackets."""
    points, low, high = (None, None, None) if one is None else (known(one.points), known(one.low), known(one.high))
    drawn = "".join(f'<u style="left:{100 * scale.at(mark):.1f}%"></u>' for mark in scale.marks)
    if points is not None:
        if low is not None and high is not None:
            drawn += f'<i style="left:{100 * scale.at(low):.1f}%;width:{100 * (scale.at(high) - scale.at(low)):.1f}%"></i>'
        drawn += f'<b style="left:{100 * scale.at(points):.1f}%"></b>'
    between = interval_said(one, voice)
    gone = "".join(f' <span class="a-quiet">{escape(voice.say(key))}</span>' for key in notes)
    said = f' <small class="a-quiet">{between}</small>' if between else ""
    return (
        f'<td class="a-place">{"–" if one is None else places_said(one.rank_low, one.rank_high)}</td><th scope="row">{html_name(name)}{gone}<span class="a-track a-under" aria-hidden="true">{drawn}</span></th>'
        f'<td class="a-along"><span class="a-track" aria-hidden="true">{drawn}</span></td>'
        f'<td class="a-num"><b>{number_of_points(points, voice)}</b>{said}</td><td class="a-num a-quiet a-few">{"" if one is None else grouped(games)}</td>'
    )


def matrix_table(result: ResultTold, language: str = "en", *, styled: bool = True) -> str:
    """Everybody against everybody: points of 100 of the row against the column, and between which points they may lie; tinted and marked where that proves who is better."""
    voice, order = Voice(language), everybody(result)
    up, down = voice.say("arena.proved.better"), voice.say("arena.proved.worse")
    head = "".join(
        f'<th scope="col" title="{escape(shown_name(result.names[which]))}"><span aria-hidden="true">{place + 1}</span><span class="a-hide">{html_name(result.names[which])}</span></th>'
        for place, which in enumerate(order)
    )
    rows = []
    for place, mine in enumerate(order):
        cells = "".join(_cell(result, mine, other, up, down, voice) for other in order)
        name = result.names[mine]
        rows.append(
            f'<tr><th scope="row" title="{escape(shown_name(name))}"><span class="a-quiet">{place + 1}</span> {html_name(name)}</th>{cells}</tr>'
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
    standing = result.standing
    one = standing.share(mine, other)
    if one is None:
        return "<td>–</td>"
    said = f"{number_of_points(one.mean, voice)}<small>{floor(one.low + 1e-9)}–<wbr>{ceil(one.high - 1e-9)}</small>"
    if standing.better(mine, other):
        return f'<td data-sure="up">{said.replace("<small>", f" <s role={chr(34)}img{chr(34)} aria-label={chr(34)}{escape(up)}{chr(34)}>▲</s><small>")}</td>'
    if standing.better(other, mine):
        return f'<td data-sure="down">{said.replace("<small>", f" <s role={chr(34)}img{chr(34)} aria-label={chr(34)}{escape(down)}{chr(34)}>▼</s><small>")}</td>'
    return f"<td>{said}</td>"
