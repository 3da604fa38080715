"""Formats the standings of a tournament as HTML tables, an HTML page, or lines of text.

The page is a single file that needs no other, in light and dark themes. It has the places with intervals, the matrix of all pairs and the
rating curve. It also says which bots are out and why, and how the games were played.
"""

from __future__ import annotations

from html import escape
from math import ceil, floor
from typing import TYPE_CHECKING, Final

from durak_widget.arena.result_sentences import (
    COLOR_STYLE,
    arrange_tie_brackets,
    finite_or_none,
    format_count,
    format_disqualified_html,
    format_disqualified_text,
    format_forfeits_html,
    format_name,
    format_name_html,
    format_one_line,
    format_points,
    format_rank_range,
    format_standings_html,
    format_standings_text,
    list_bots_by_rank,
)
from durak_widget.arena.svg_plots import build_rating_scale, draw_rating_history, format_interval
from durak_widget.engine.card_svg import FONT_FAMILY
from durak_widget.i18n import Translator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.arena.result_types import RatingData, ResultData
    from durak_widget.arena.svg_plots import Scale

TABLE_STYLE: Final = (
    ".durak-arena{color:var(--a-ink)}.durak-arena table{border-collapse:collapse;font-variant-numeric:tabular-nums;color:inherit;margin:0}"
    ".durak-arena table :is(th,td){padding:.25em .5em;border:0;border-bottom:1px solid var(--a-line);vertical-align:middle;background:none;color:inherit}"
    ".durak-arena thead th{color:var(--a-soft);font-weight:600;font-size:.8em;vertical-align:bottom}.durak-arena tbody th{font-weight:600}.durak-arena caption{text-align:start;color:var(--a-soft)}"
    ".durak-arena .a-hide{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}"
    ".durak-arena .a-num{white-space:nowrap}.durak-arena .a-quiet{color:var(--a-soft);font-weight:400}.durak-arena small{font-size:.72em;color:inherit}"
    # These rules override JupyterLab's style, which makes all columns equally wide and aligns text to the right
    ".durak-arena.durak-arena table{table-layout:auto}.durak-arena.durak-arena table :is(th,td){text-align:start}"
    ".durak-arena.durak-arena table :is(.a-num,.a-place){text-align:end}.durak-arena.durak-arena .a-matrix :is(thead th,td){text-align:center}"
    # --- Table of ranks ---
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
    # --- Table of the points of each pair of bots ---
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
"""The CSS of the table of ranks, and of the table with each bot's points against each other bot."""
_MAX_LANES: Final = 3
"""The maximum number of columns of tie brackets; with more, a phone has no space for the bots' names."""
_FEW_BOTS, _SOME_BOTS = 8, 16
_MAX_SHOWN_FORFEITS: Final = 12
"""The number of forfeits that the page shows at first; a click shows the others."""
_PAGE_STYLE: Final = (
    ":root{color-scheme:light dark;font-size:clamp(16px,.55rem + .72vw,25px)}*{box-sizing:border-box}"
    f"body{{margin:0;font:1rem/1.45 {FONT_FAMILY}}}body.durak-arena{{background:var(--a-page)}}main{{max-width:92rem;margin:0 auto;padding:clamp(1rem,2.4vw,2.6rem) clamp(.9rem,3.4vw,4rem) 3rem}}"
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
_NAME_WIDTH = 40


def render_places_table(result: ResultData, language: str = "en", *, has_style: bool = True) -> str:
    """Render the standings as an HTML table with ties, ranks, names, intervals and points.

    Without `has_style` the page has to have the style.
    """
    voice, standings = Translator(language), result.standings
    scale = build_rating_scale(standings.ratings)
    bracket_lanes = arrange_tie_brackets(standings)
    bracket_cell_start = (
        f'<td class="a-ties" aria-hidden="true" style="min-width:{0.62 * len(bracket_lanes) + 0.2:.2f}em">' if bracket_lanes else ""
    )
    rows = []
    for index, bot in enumerate(list_bots_by_rank(result)):
        rating, name = standings.ratings[bot], result.names[bot]
        brackets = "".join(_render_bracket(index, lane) for lane in bracket_lanes)
        bracket_cell = f"{bracket_cell_start}<span>{brackets}</span></td>" if bracket_lanes else ""
        row_attribute = ' data-out=""' if name in result.disqualified else ""
        rows.append(
            f"<tr{row_attribute}>{bracket_cell}{_render_place_cells(name, rating, scale, voice, games=result.count_games_of(bot), note_keys=_list_note_keys(name, result))}</tr>"
        )
    columns = [
        ("a-place", "arena.place"),
        ("a-bot", "arena.bot"),
        ("a-along", "arena.of_100"),
        ("a-num", "arena.points"),
        ("a-num a-few", "arena.games"),
    ]
    head = "".join(
        f'<th scope="col" class="{css_class}">{escape(voice.translate(key))}{_render_ticks(scale, voice) if css_class == "a-along" else ""}</th>'
        for css_class, key in columns
    )
    corner = '<td class="a-ties" aria-hidden="true"></td>' if bracket_lanes else ""
    style = f"<style>{COLOR_STYLE}{TABLE_STYLE}</style>" if has_style else ""
    return (
        f'<div class="durak-arena a-box" lang="{language}">{style}<table class="a-places{" a-lots" if len(bracket_lanes) > _MAX_LANES else ""}"><caption class="a-hide">{escape(voice.translate("arena.places"))}</caption>'
        f"<thead><tr>{corner}{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _render_ticks(scale: Scale, voice: Translator) -> str:
    """Render, as HTML, the numbers of the scale above the bars with the bots' intervals."""
    labels = "".join(
        f'<span style="left:{100 * scale.position_of(value):.1f}%">{format_points(value, voice)}</span>' for value in scale.tick_values
    )
    return f'<span class="a-ticks" aria-hidden="true">{labels}</span>'


def _render_bracket(position: int, lane: list[tuple[int, int]]) -> str:
    """Render, as HTML, the piece of a tie bracket that stands beside one table row."""
    for first, last in lane:
        if first <= position <= last:
            return f'<i data-tie="{"first" if position == first else "last" if position == last else "on"}"></i>'
    return "<i></i>"


def _list_note_keys(name: str, result: ResultData) -> list[str]:
    """Return the keys of the texts to show after a bot's name, such as "disqualified"."""
    return [*(["arena.is_out"] if name in result.disqualified else []), *(["arena.tried"] if name in result.refused_attempts else [])]


def _render_place_cells(
    name: str, rating: RatingData | None, scale: Scale, voice: Translator, *, games: int, note_keys: Sequence[str]
) -> str:
    """Render the table cells of one bot, without the brackets that mark tied bots."""
    points, low, high = (
        (None, None, None) if rating is None else (finite_or_none(rating.points), finite_or_none(rating.low), finite_or_none(rating.high))
    )
    shapes = "".join(f'<u style="left:{100 * scale.position_of(value):.1f}%"></u>' for value in scale.tick_values)
    if points is not None:
        if low is not None and high is not None:
            shapes += f'<i style="left:{100 * scale.position_of(low):.1f}%;width:{100 * (scale.position_of(high) - scale.position_of(low)):.1f}%"></i>'
        shapes += f'<b style="left:{100 * scale.position_of(points):.1f}%"></b>'
    interval = format_interval(rating, voice)
    note_spans = "".join(f' <span class="a-quiet">{escape(voice.translate(key))}</span>' for key in note_keys)
    interval_html = f' <small class="a-quiet">{interval}</small>' if interval else ""
    return (
        f'<td class="a-place">{"–" if rating is None else format_rank_range(rating.rank_low, rating.rank_high)}</td><th scope="row">{format_name_html(name)}{note_spans}<span class="a-track a-under" aria-hidden="true">{shapes}</span></th>'
        f'<td class="a-along"><span class="a-track" aria-hidden="true">{shapes}</span></td>'
        f'<td class="a-num"><b>{format_points(points, voice)}</b>{interval_html}</td><td class="a-num a-quiet a-few">{"" if rating is None else format_count(games)}</td>'
    )


def render_matrix_table(result: ResultData, language: str = "en", *, has_style: bool = True) -> str:
    """Render an HTML table of each bot's points (row) against each other bot (column).

    A cell is coloured and marked if it proves who is better.
    """
    voice, order = Translator(language), list_bots_by_rank(result)
    better_label, worse_label = voice.translate("arena.proved.better"), voice.translate("arena.proved.worse")
    head = "".join(
        f'<th scope="col" title="{escape(format_name(result.names[bot]))}"><span aria-hidden="true">{index + 1}</span><span class="a-hide">{format_name_html(result.names[bot])}</span></th>'
        for index, bot in enumerate(order)
    )
    rows = []
    for index, row_bot in enumerate(order):
        cells = "".join(_render_matrix_cell(result, row_bot, column_bot, better_label, worse_label, voice) for column_bot in order)
        name = result.names[row_bot]
        rows.append(
            f'<tr><th scope="row" title="{escape(format_name(name))}"><span class="a-quiet">{index + 1}</span> {format_name_html(name)}</th>{cells}</tr>'
        )
    style = f"<style>{COLOR_STYLE}{TABLE_STYLE}</style>" if has_style else ""
    title = escape(voice.translate("arena.matrix"))
    return (
        f'<div class="durak-arena" lang="{language}">{style}<div class="a-wide" tabindex="0" role="region" aria-label="{title}"><table class="a-matrix"><caption class="a-hide">{title}</caption>'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div></div>"
    )


def _render_matrix_cell(result: ResultData, row_bot: int, column_bot: int, better_label: str, worse_label: str, voice: Translator) -> str:
    """Render the table cell with one bot's points against another bot."""
    if row_bot == column_bot:
        return '<td data-self=""></td>'
    standings = result.standings
    score = standings.share(row_bot, column_bot)
    if score is None:
        return "<td>–</td>"
    cell_text = f"{format_points(score.mean, voice)}<small>{floor(score.low + 1e-9)}–<wbr>{ceil(score.high - 1e-9)}</small>"
    if standings.is_better(row_bot, column_bot):
        return f'<td data-sure="up">{cell_text.replace("<small>", f" <s role={chr(34)}img{chr(34)} aria-label={chr(34)}{escape(better_label)}{chr(34)}>▲</s><small>")}</td>'
    if standings.is_better(column_bot, row_bot):
        return f'<td data-sure="down">{cell_text.replace("<small>", f" <s role={chr(34)}img{chr(34)} aria-label={chr(34)}{escape(worse_label)}{chr(34)}>▼</s><small>")}</td>'
    return f"<td>{cell_text}</td>"


def render_page(result: ResultData, language: str = "en") -> str:
    """Render the standings as a complete HTML page, large enough to read from a projector."""
    voice = Translator(language)
    count = len(result.names)
    size_class = "few" if count <= _FEW_BOTS else "some" if count <= _SOME_BOTS else "many"
    title = voice.translate("arena.title")
    lead = " · ".join([str(result.rules.explain(language).heading).partition(". ")[0].rstrip("."), _format_progress(result, voice)])
    sentences = "".join(f"<p>{sentence}</p>" for sentence in format_standings_html(result, voice))
    body = f'<h1>{escape(title)}</h1><p class="lead">{escape(lead)}</p><div class="says">{sentences}</div>'
    if count:
        body += f'<section aria-label="{escape(voice.translate("arena.places"))}">{render_places_table(result, language, has_style=False)}</section>{_render_note("arena.places.read", voice)}'
    body += _render_forfeits(result, voice)
    matrix = (
        f"<section>{_render_heading('arena.matrix', voice)}{_render_note('arena.matrix.read', voice)}{render_matrix_table(result, language, has_style=False)}</section>"
        if count > 1
        else ""
    )
    body += f'<div class="pair">{matrix}{_render_rating_history(result, voice)}</div>'
    body += _render_conditions(result, voice)
    return (
        f'<!doctype html>\n<html lang="{escape(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{COLOR_STYLE}{TABLE_STYLE}{_PAGE_STYLE}</style></head>\n"
        f'<body class="durak-arena" data-many="{size_class}"><main>{body}</main></body></html>\n'
    )


def _format_progress(result: ResultData, voice: Translator) -> str:
    """Format how many games of the tournament have been played, and how many are planned."""
    return voice.translate("arena.so_far", played=format_count(result.games_played), planned=format_count(result.games_planned))


def _render_heading(key: str, voice: Translator) -> str:
    return f"<h2>{escape(voice.translate(key))}</h2>"


def _render_note(key: str, voice: Translator) -> str:
    return f'<p class="note">{escape(voice.translate(key))}</p>'


def _render_rating_history(result: ResultData, voice: Translator) -> str:
    """Render the rating curves, in an HTML box that scrolls sideways on a narrow screen."""
    if len(result.rating_history) < 2:
        return ""
    label = escape(voice.translate("arena.course"))
    plot = draw_rating_history(result, voice.language, has_title=False)
    return f'<section>{_render_heading("arena.course", voice)}<div class="course" tabindex="0" role="region" aria-label="{label}">{plot}</div></section>'


def _render_forfeits(result: ResultData, voice: Translator) -> str:
    """Render the disqualified bots, and every forfeit with its reason, as HTML."""
    items = [
        f"<li>{sentence}{f'<code>{escape(position)}</code>' if position else ''}</li>"
        for sentence, position in format_forfeits_html(result, voice)
    ]
    if not items and not result.disqualified:
        return ""
    disqualified_html = "".join(f"<p>{sentence}</p>" for sentence in format_disqualified_html(result, voice))
    visible, hidden = "".join(items[:_MAX_SHOWN_FORFEITS]), "".join(items[_MAX_SHOWN_FORFEITS:])
    count = len(items) - _MAX_SHOWN_FORFEITS
    details = (
        f"<details><summary>{escape(voice.translate('arena.forfeits.more', count=count))}</summary><ul>{hidden}</ul></details>"
        if hidden
        else ""
    )
    return f"{_render_heading('arena.forfeits', voice)}{disqualified_html}<ul>{visible}</ul>{details}"


def _render_conditions(result: ResultData, voice: Translator) -> str:
    """Render the settings of the tournament as HTML: rules, schedule, games, bots and seed."""
    entries = [
        ("arena.rules", escape(f"{result.rules.explain(voice.language).heading} ({result.rules})")),
        ("arena.system", escape(voice.translate(f"arena.system.{result.system}"))),
        ("arena.games", escape(_format_progress(result, voice))),
        ("arena.bots", ", ".join(map(format_name_html, result.names))),
        ("arena.seed", escape(format_one_line(result.seed, 200))),
    ]
    items = "".join(f"<dt>{escape(voice.translate(key))}</dt><dd>{text}</dd>" for key, text in entries)
    items += "".join(f'<dt></dt><dd lang="en">{escape(format_one_line(text, 400))}</dd>' for text in result.problems)
    return f"{_render_heading('arena.how', voice)}<dl>{items}</dl>{_render_note('arena.fair', voice)}"


def format_ranking(result: ResultData, language: str = "en") -> str:
    """Format the standings as lines of text, followed by sentences that explain them.

    A line has the ranks that are left open, the name, the rating with its interval, and the games.

    >>> from durak_widget import arena
    >>> print(format_ranking(arena.play(["careful", "random"], games=60, seed=7)))
    1  careful  99  97–100  60
    2  random    1  0–3     60
    60 of 60 games
    careful is certainly better than random.
    Each rating is accurate to within 5 points (on a scale from 0 to 100).
    """
    voice, standings = Translator(language), result.standings
    cells = []
    for bot in list_bots_by_rank(result):
        rating, name = standings.ratings[bot], format_one_line(result.names[bot], _NAME_WIDTH)
        if rating is None:
            cells.append(("–", name, "–", "", ""))
        else:
            cells.append(
                (
                    *(format_rank_range(rating.rank_low, rating.rank_high), name),
                    *(format_points(rating.points, voice), format_interval(rating, voice), str(result.count_games_of(bot))),
                )
            )
    widths = [max((len(cell[column]) for cell in cells), default=0) for column in range(5)]
    lines = [
        f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c:>{widths[2]}}  {d:<{widths[3]}}  {e:>{widths[4]}}".rstrip() for a, b, c, d, e in cells
    ]
    lines.append(voice.translate("arena.so_far", played=format_count(result.games_played), planned=format_count(result.games_planned)))
    return "\n".join([*lines, *format_standings_text(result, voice), *format_disqualified_text(result, voice), *result.problems])
