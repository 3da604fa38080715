"""Makes the report of a review: one HTML page, a chart of the chances, and plain values for the table.

The page and the chart need no other file. The plain values are in the words of one language, for a page that
draws the review itself.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from durak_widget.engine.card_svg import FONTS
from durak_widget.engine.moves import Move
from durak_widget.engine.narration import advice, deed
from durak_widget.engine.observation import Played
from durak_widget.i18n import Fact, Seat, Voice
from durak_widget.review.decisions import BAR
from durak_widget.review.turning_points import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.review.decisions import Decision
    from durak_widget.review.luck_and_skill import CourseOfChances, Fortune, Skill
    from durak_widget.review.turning_points import Turning

_WIDE, _HIGH, _LEFT, _LOW = 640, 180, 34, 26
_INKS: Final = ("#1f5fa8", "#b3452c", "#2c7a4b", "#7a4fa3", "#8a6d1a", "#4b5563")
_DASHES: Final = ("", "7 4", "2 3", "9 3 2 3", "5 2 1 2", "1 4")
_PARTS: Final = ("fair", "deal", "drawn", "own", "others", "result")
WORST: Final = 3
"""So many turning points are told in full."""
VERDICT_KEYS: Final = {
    "forced": "review.verdict.forced",
    "best": "review.verdict.best",
    "mistake": "review.verdict.mistake",
    "proved mistake": "review.verdict.proved",
    "cannot be told": "review.verdict.untold",
}
_STYLE: Final = (
    f".durak-review{{font:16px/1.5 {FONTS};max-width:44em;margin:0 auto;padding:0 1em;color:#1f2630;background:#fff}}"
    ".durak-review h2{font-size:1.25em;margin:1.2em 0 .4em}.durak-review table{border-collapse:collapse;width:100%}"
    ".durak-review th,.durak-review td{text-align:left;padding:.2em .6em .2em 0;border-bottom:1px solid #d5dbe2;vertical-align:top}"
    ".durak-review td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.durak-review .wide{overflow-x:auto}"
    ".durak-review svg{max-width:100%;height:auto;color:#1f2630}.durak-review b.bad{color:#9a2c18}"
    "@media(prefers-color-scheme:dark){.durak-review,.durak-review svg{color:#e6e9ee;background:#1b2027}"
    ".durak-review th,.durak-review td{border-color:#3a424d}.durak-review b.bad{color:#ff9d85}}"
)
OTHER: Final = {"seat": "cards", "cards": "seat"}
"""By what else it may be judged, as keys name it."""
_HEADS = ("move", "better", "cost", "verdict")


class Told(Protocol):
    """What is told of a review."""

    seat: int | None

    @property
    def worlds(self) -> int: ...  # noqa: D102 - as `Review` says

    @property
    def decisions(self) -> Sequence[Decision]: ...  # noqa: D102 - as `Review` says

    @property
    def by_key(self) -> str: ...  # noqa: D102 - as `Review` says

    @property
    def shown(self) -> Sequence[int]: ...  # noqa: D102 - as above

    @property
    def headline(self) -> Sequence[Fact]: ...  # noqa: D102 - as above

    @property
    def turns(self) -> Sequence[Turning]: ...  # noqa: D102 - as above

    @property
    def chances(self) -> Sequence[CourseOfChances]: ...  # noqa: D102 - as above

    @property
    def luck(self) -> Mapping[int, Fortune]: ...  # noqa: D102 - as above

    @property
    def skill(self) -> Sequence[Skill]: ...  # noqa: D102 - as above

    def sentence(self, language: str | None = None) -> str: ...  # noqa: D102 - as above


def line_of_chances(review: Told, language: str) -> str:
    """The chances of a seat, or of all, bout by bout, with a mark at each turning point."""
    voice = Voice(language, me=review.seat)
    points = review.chances
    seats = [seat for seat in review.shown if any(one.shares[seat] is not None for one in points)]
    steps = max(1, len(points) - 1)

    def at(place: float, share: float) -> tuple[float, float]:
        return round(_LEFT + place * (_WIDE - _LEFT - 10) / steps, 1), round(8 + (1 - min(1.0, max(0.0, share))) * (_HIGH - _LOW - 8), 1)

    drawn = []
    for percent in (0, 50, 100):
        _, y = at(0, percent / 100)
        drawn.append(f'<line x1="{_LEFT}" y1="{y}" x2="{_WIDE - 10}" y2="{y}" stroke="currentColor" stroke-opacity=".2"/>')
        drawn.append(f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{percent}</text>')
    every = max(1, len(points) // 12)
    drawn += [
        f'<text x="{at(i, 0)[0]}" y="{_HIGH - 6}" text-anchor="middle">{one.bout}</text>'
        for i, one in enumerate(points[:-1])
        if i % every == 0
    ]
    for seat in seats:
        ink, dash = _INKS[seat % len(_INKS)], _DASHES[seat % len(_DASHES)]
        row = [(at(i, share), one) for i, one in enumerate(points) if (share := one.shares[seat]) is not None]
        path = " ".join(f"{x},{y}" for (x, y), _ in row)
        drawn.append(f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="2.5" stroke-dasharray="{dash}"/>')
        for (x, y), one in row:
            said = voice.say("review.point", bout=one.bout, who=Seat(seat), percent=round(100 * (one.shares[seat] or 0.0)))
            drawn.append(f'<circle cx="{x}" cy="{y}" r="3" fill="{ink}"><title>{escape(said)}</title></circle>')
    first = {one.bout: i for i, one in reversed(list(enumerate(points)))}
    for turn in review.turns:
        place = first.get(turn.decision.bout)
        if place is not None:
            x, y = at(place + 0.5, 1)
            said = escape(spoken(turn.headline(review.seat), voice))
            drawn.append(f'<path d="M{x - 6} {y - 7}h12l-6 11z" fill="#b3261e" stroke="#fff"><title>{said}</title></path>')
    title = escape(voice.say("review.line"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {_HIGH}" width="{_WIDE}" height="{_HIGH}" role="img" aria-label="{title}" '
        f'font-family="{FONTS}" font-size="11" fill="currentColor"><title>{title}</title>{"".join(drawn)}</svg>'
    )


def beside_line(review: Told) -> list[Fact]:
    """Why the line does not fall at a mistake, where it does not at one: it answers another question; else nothing."""
    points = review.chances
    for turn in review.turns:
        one = turn.decision
        falls = ((now.shares[one.seat], then.shares[one.seat]) for now, then in pairwise(points) if now.ply <= one.ply < then.ply)
        if any(before is not None and after is not None and before - after < BAR for before, after in falls):
            return [Fact(f"review.line.beside.{review.by_key}")]
    return []


def page(review: Told, language: str) -> str:
    """All of it as one page."""
    voice = Voice(language, cards="signs", me=review.seat)
    title = escape(voice.say("screen.turned"))
    told = "".join(f"<li>{escape(spoken(turn.facts(review.seat), voice))}</li>" for turn in review.turns[:WORST])
    beside = spoken(beside_line(review), voice)
    line = line_of_chances(review, language) + (f"<p>{escape(beside)}</p>" if beside else "")
    parts = [
        f"<h2>{title}</h2><p>{escape(review.sentence(language))}</p>{f'<ol>{told}</ol>' if told else ''}",
        _headed(voice, "review.line", line) if review.chances else "",
        _headed(voice, "review.luck", _luck(review, voice)) if review.luck else "",
        _headed(voice, "review.skill", "".join(f"<p>{escape(one.said(language, review.seat))}</p>" for one in review.skill)),
        _headed(voice, "review.decisions", _decisions(review, voice)),
        f"<p>{escape(spoken([how_judged(review)], voice))}</p>",
    ]
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<title>{title}</title><style>{_STYLE}</style></head><body class="durak-review">{"".join(parts)}</body></html>'
    )


def how_judged(review: Told) -> Fact:
    """By what it is judged, and in how many worlds at most, where they had to say."""
    return Fact(f"review.how.{review.by_key}", {"worlds": review.worlds}) if review.worlds else Fact(f"review.how.exact.{review.by_key}")


def _headed(voice: Voice, key: str, inside: str) -> str:
    return f"<h2>{escape(voice.say(key))}</h2>{inside}"


def _luck(review: Told, voice: Voice) -> str:
    """A row for each part, a column for each seat; of two, whose moves these were is said by name."""
    luck = [review.luck[seat] for seat in sorted(review.luck)]
    head = "".join(f'<th scope="col">{escape(voice.say("screen.name", number=one.seat + 1))}</th>' for one in luck)
    parts = [(voice.say(f"review.luck.{name}"), [float(getattr(one, name)) for one in luck]) for name in _PARTS]
    if len(luck) == 2:
        anybody = replace(voice, me=None)
        parts[3:5] = [
            (anybody.say("review.luck.moves", who=Seat(of.seat)), [one.own if one is of else one.others for one in luck]) for of in luck
        ]
    rows = []
    for place, (name, values) in enumerate(parts):
        signed = 0 < place < len(parts) - 1
        cells = "".join(f'<td class="n">{with_sign(100 * value, plus=signed)}</td>' for value in values)
        rows.append(f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>')
    return f'<div class="wide"><table><thead><tr><th></th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div><p>{escape(voice.say("review.luck.beside"))}</p>'


def with_sign(value: float, *, plus: bool) -> str:
    """A number of chances as it is written, with a plus where it is one more or one less."""
    said = f"{value:+.0f}" if plus else f"{value:.0f}"
    return said.replace("-", "−").replace("+0", "0").replace("−0", "0") if round(value) == 0 else said.replace("-", "−")


def _decisions(review: Told, voice: Voice) -> str:
    heads = "".join(f'<th scope="col">{escape(voice.say(f"review.head.{name}"))}</th>' for name in ("move", "better", "cost", "verdict"))
    rows, bout = [], 0
    for one in review.decisions:
        if one.bout != bout:
            bout = one.bout
            rows.append(f'<tr><th colspan="4" scope="colgroup">{escape(voice.say("screen.bout", bout=bout))}</th></tr>')
        rows.append(_row(one, voice))
    return f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


class DecisionTold(NamedTuple):
    """A decision in words: the move, what was better, what it cost, and the verdict."""

    move: str
    better: str
    lost: str
    verdict: str


def told_of(one: Decision, voice: Voice) -> DecisionTold:
    """What is told of a decision; what there is nothing to tell of is empty."""
    move = deed(Played(one.seat, one.move.verb, one.move.cards), voice)
    better = advice(Move(one.better), voice) if one.better not in {None, one.move} and one.verdict != "best" else ""
    lost = ""
    if one.loss is not None and one.interval is not None and one.verdict != "forced":
        least, most = (round(100 * bound) for bound in one.interval)
        lost = f"{100 * one.loss:.0f}" if least == most else f"{100 * one.loss:.0f} ({least}–{most})"
    return DecisionTold(move, better, lost, voice.say(VERDICT_KEYS[one.verdict]))


def _row(one: Decision, voice: Voice) -> str:
    move, better, lost, verdict = map(escape, told_of(one, voice))
    shown = f'<b class="bad">{verdict}</b>' if one.is_mistake else verdict
    return f'<tr><td>{move}</td><td>{better}</td><td class="n">{lost}</td><td>{shown}</td></tr>'


def panel(review: Told, voice: Voice) -> dict[str, Any]:
    """What is told of a review: the sentence, the line of chances with where it turned, the worst of it, luck and play, every decision, and by what else it may be judged."""
    fortune = None if review.seat is None else review.luck.get(review.seat)
    return {
        "said": spoken(review.headline, voice),
        "line": {
            "title": voice.say("review.line"),
            "points": [[one.ply, one.bout, [one.shares[seat] for seat in review.shown]] for one in review.chances],
            "said": list(_points(review, voice)),
            "beside": spoken(beside_line(review), voice),
        },
        "turns": [[turn.decision.ply, spoken(turn.headline(review.seat), voice)] for turn in review.turns],
        "worst": [
            {"ply": turn.decision.ply, "said": spoken(turn.facts(review.seat), voice), "mine": turn.decision.seat == review.seat}
            for turn in review.turns[:WORST]
        ],
        "luck": None if fortune is None else _luck_view(fortune, voice),
        "skill": [voice.say("review.skill"), *(f"{spoken([one.told], voice)} {_title(one.title(voice.language))}" for one in review.skill)],
        "heads": [voice.say("review.decisions"), *(voice.say(f"review.head.{name}") for name in _HEADS)],
        "decisions": [
            [voice.say("screen.bout", bout=bout), [[one.ply, *_after_colons(told_of(one, voice)), one.is_mistake] for one in some]]
            for bout, some in groupby(review.decisions, key=lambda one: one.bout)
        ],
        "how": spoken([how_judged(review)], voice),
        "by": review.by_key,
        "other": [voice.say(f"review.by.{OTHER[review.by_key]}"), voice.say("table.reviewing")],
    }


def _points(review: Told, voice: Voice) -> Iterator[str]:
    """The line of chances in words."""
    for one in review.chances:
        for seat in review.shown:
            share = one.shares[seat]
            if share is not None:
                yield voice.say("review.point", bout=one.bout, who=Seat(seat), percent=round(100 * share))


def _luck_view(fortune: Fortune, voice: Voice) -> dict[str, Any]:
    """What the cards brought and what play brought, in whole chances of a hundred that add up to the result; of what the cards' part is made.

    Play is not taken apart here: what two did to each other all the game long comes to much more than a game is worth.
    """
    fair, deal, cards, result = (round(100 * one) for one in (fortune.fair, fortune.deal, fortune.cards, fortune.result))
    play = result - fair - cards
    made = "; ".join(
        f"{voice.say(f'review.luck.{name}')}: {with_sign(value, plus=True)}" for name, value in (("deal", deal), ("drawn", cards - deal))
    )
    steps = " ".join(f"{'−' if value < 0 else '+'} {abs(value)}" for value in (cards, play))
    much = [voice.say("review.luck.much")] if max(abs(cards), abs(play)) > 100 else []
    return {
        "title": voice.say("review.luck"),
        "bars": [
            [voice.say(f"review.luck.{name}"), value, with_sign(value, plus=True), told]
            for name, value, told in (("cards", cards, made), ("play", play, ""))
        ],
        "sum": voice.say("review.luck.sum", sum=f"{fair} {steps} = {result}".replace(" ", "\N{NO-BREAK SPACE}")),
        "beside": [*much, voice.say("review.luck.beside")],
    }


def _after_colons(told: DecisionTold) -> DecisionTold:
    """What was better stands after its heading, in the same line."""
    return told._replace(better=told.better[:1].lower() + told.better[1:])


def _title(said: str) -> str:
    return f"{said[0].upper()}{said[1:]}."
