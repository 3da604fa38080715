"""The page for the wall: who leads, told so far as it is sure; places, matrix, curve; who is out and why; how it was played. One file that needs no other."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from durak_widget.arena.inks import COLORS, grouped, html_name, one_line
from durak_widget.arena.result_sentences import forfeits_told, out_told, standing_told
from durak_widget.arena.standings_page import LOOKS, matrix_table, places_table
from durak_widget.arena.svg_plots import course_plot
from durak_widget.engine.card_svg import FONTS
from durak_widget.i18n import Voice

if TYPE_CHECKING:
    from durak_widget.arena.result_protocols import ResultTold

_FEW, _SOME = 8, 16
_SHOWN: Final = 12
"""So many forfeits stand open; the others are folded away."""
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


def page(result: ResultTold, language: str = "en") -> str:
    """The page as one text, to be saved as a file and hung up: read from the back of a room, and on a telephone."""
    voice = Voice(language)
    count = len(result.names)
    many = "few" if count <= _FEW else "some" if count <= _SOME else "many"
    title = voice.say("arena.title")
    lead = " · ".join([str(result.rules.explain(language).heading).partition(". ")[0].rstrip("."), _played(result, voice)])
    said = "".join(f"<p>{one}</p>" for one in standing_told(result, voice))
    body = f'<h1>{escape(title)}</h1><p class="lead">{escape(lead)}</p><div class="says">{said}</div>'
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
        f'<body class="durak-arena" data-many="{many}"><main>{body}</main></body></html>\n'
    )


def _played(result: ResultTold, voice: Voice) -> str:
    """How many games have been played, of how many."""
    return voice.say("arena.so_far", played=grouped(result.played), planned=grouped(result.planned))


def _headed(key: str, voice: Voice) -> str:
    return f"<h2>{escape(voice.say(key))}</h2>"


def _note(key: str, voice: Voice) -> str:
    return f'<p class="note">{escape(voice.say(key))}</p>'


def _course(result: ResultTold, voice: Voice) -> str:
    """The curve, in a box of its own: on a telephone it is moved about in there."""
    if len(result.course) < 2:
        return ""
    named = escape(voice.say("arena.course"))
    drawn = course_plot(result, voice.language, titled=False)
    return f'<section>{_headed("arena.course", voice)}<div class="course" tabindex="0" role="region" aria-label="{named}">{drawn}</div></section>'


def _out(result: ResultTold, voice: Voice) -> str:
    """Who is out, and every game that was lost without being played to its end, with its reason."""
    told = [f"<li>{said}{f'<code>{escape(position)}</code>' if position else ''}</li>" for said, position in forfeits_told(result, voice)]
    if not told and not result.out:
        return ""
    gone = "".join(f"<p>{said}</p>" for said in out_told(result, voice))
    first, rest = "".join(told[:_SHOWN]), "".join(told[_SHOWN:])
    count = len(told) - _SHOWN
    folded = f"<details><summary>{escape(voice.say('arena.forfeits.more', count=count))}</summary><ul>{rest}</ul></details>" if rest else ""
    return f"{_headed('arena.forfeits', voice)}{gone}<ul>{first}</ul>{folded}"


def _how(result: ResultTold, voice: Voice) -> str:
    """By which rules, who met whom, from which seed, how many games."""
    facts = [
        ("arena.rules", escape(f"{result.rules.explain(voice.language).heading} ({result.rules})")),
        ("arena.system", escape(voice.say(f"arena.system.{result.system}"))),
        ("arena.games", escape(_played(result, voice))),
        ("arena.bots", ", ".join(map(html_name, result.names))),
        ("arena.seed", escape(one_line(result.seed, 200))),
    ]
    told = "".join(f"<dt>{escape(voice.say(key))}</dt><dd>{said}</dd>" for key, said in facts)
    told += "".join(f'<dt></dt><dd lang="en">{escape(one_line(said, 400))}</dd>' for said in result.troubles)
    return f"{_headed('arena.how', voice)}<dl>{told}</dl>{_note('arena.fair', voice)}"
