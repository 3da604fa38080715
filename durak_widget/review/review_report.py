"""The report of a review: one HTML page, a chart of the chances, and plain values.

The page and the chart need no other file. The plain values are in the words of one language, for a page that draws the review itself.
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
"""The number of turning points that are described in full."""
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
"""The other basis for judging, by message key."""
_HEADS = ("move", "better", "cost", "verdict")


class Told(Protocol):
    """The data of a review that the report needs."""

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
    """Return the chart of the chances, bout by bout, with a mark at each turning point."""
    voice = Voice(language, me=review.seat)
    points = review.chances
    seats = [seat for seat in review.shown if any(entry.shares[seat] is not None for entry in points)]
    steps = max(1, len(points) - 1)

    def to_point(step: float, share: float) -> tuple[float, float]:
        return round(_LEFT + step * (_WIDE - _LEFT - 10) / steps, 1), round(8 + (1 - min(1.0, max(0.0, share))) * (_HIGH - _LOW - 8), 1)

    shapes = []
    for percent in (0, 50, 100):
        _, y = to_point(0, percent / 100)
        shapes.append(f'<line x1="{_LEFT}" y1="{y}" x2="{_WIDE - 10}" y2="{y}" stroke="currentColor" stroke-opacity=".2"/>')
        shapes.append(f'<text x="{_LEFT - 6}" y="{y + 4}" text-anchor="end">{percent}</text>')
    label_step = max(1, len(points) // 12)
    shapes += [
        f'<text x="{to_point(i, 0)[0]}" y="{_HIGH - 6}" text-anchor="middle">{entry.bout}</text>'
        for i, entry in enumerate(points[:-1])
        if i % label_step == 0
    ]
    for seat in seats:
        color, dash = _INKS[seat % len(_INKS)], _DASHES[seat % len(_DASHES)]
        plotted = [(to_point(i, share), entry) for i, entry in enumerate(points) if (share := entry.shares[seat]) is not None]
        path = " ".join(f"{x},{y}" for (x, y), _ in plotted)
        shapes.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2.5" stroke-dasharray="{dash}"/>')
        for (x, y), entry in plotted:
            tooltip = voice.say("review.point", bout=entry.bout, who=Seat(seat), percent=round(100 * (entry.shares[seat] or 0.0)))
            shapes.append(f'<circle cx="{x}" cy="{y}" r="3" fill="{color}"><title>{escape(tooltip)}</title></circle>')
    first_index = {entry.bout: i for i, entry in reversed(list(enumerate(points)))}
    for turn in review.turns:
        index = first_index.get(turn.decision.bout)
        if index is not None:
            x, y = to_point(index + 0.5, 1)
            tooltip = escape(spoken(turn.headline(review.seat), voice))
            shapes.append(f'<path d="M{x - 6} {y - 7}h12l-6 11z" fill="#b3261e" stroke="#fff"><title>{tooltip}</title></path>')
    title = escape(voice.say("review.line"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE} {_HIGH}" width="{_WIDE}" height="{_HIGH}" role="img" aria-label="{title}" '
        f'font-family="{FONTS}" font-size="11" fill="currentColor"><title>{title}</title>{"".join(shapes)}</svg>'
    )


def beside_line(review: Told) -> list[Fact]:
    """Return a note on why the line doesn't fall at some mistake; else nothing.

    The chart shows chances with all cards open, which is another question.
    """
    points = review.chances
    for turn in review.turns:
        decision = turn.decision
        changes = (
            (current.shares[decision.seat], following.shares[decision.seat])
            for current, following in pairwise(points)
            if current.ply <= decision.ply < following.ply
        )
        if any(before is not None and after is not None and before - after < BAR for before, after in changes):
            return [Fact(f"review.line.beside.{review.by_key}")]
    return []


def page(review: Told, language: str) -> str:
    """Return the report as one HTML page."""
    voice = Voice(language, cards="signs", me=review.seat)
    title = escape(voice.say("screen.turned"))
    turn_items = "".join(f"<li>{escape(spoken(turn.facts(review.seat), voice))}</li>" for turn in review.turns[:WORST])
    line_note = spoken(beside_line(review), voice)
    chart = line_of_chances(review, language) + (f"<p>{escape(line_note)}</p>" if line_note else "")
    parts = [
        f"<h2>{title}</h2><p>{escape(review.sentence(language))}</p>{f'<ol>{turn_items}</ol>' if turn_items else ''}",
        _headed(voice, "review.line", chart) if review.chances else "",
        _headed(voice, "review.luck", _luck(review, voice)) if review.luck else "",
        _headed(voice, "review.skill", "".join(f"<p>{escape(skill.said(language, review.seat))}</p>" for skill in review.skill)),
        _headed(voice, "review.decisions", _decisions(review, voice)),
        f"<p>{escape(spoken([how_judged(review)], voice))}</p>",
    ]
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<title>{title}</title><style>{_STYLE}</style></head><body class="durak-review">{"".join(parts)}</body></html>'
    )


def how_judged(review: Told) -> Fact:
    """Return the basis of the evaluation and the number of worlds, as a fact."""
    return Fact(f"review.how.{review.by_key}", {"worlds": review.worlds}) if review.worlds else Fact(f"review.how.exact.{review.by_key}")


def _headed(voice: Voice, key: str, inside: str) -> str:
    return f"<h2>{escape(voice.say(key))}</h2>{inside}"


def _luck(review: Told, voice: Voice) -> str:
    """Return a table with a row for each part of the result and a column for each seat.

    For two players the rows of moves have the players' names.
    """
    luck = [review.luck[seat] for seat in sorted(review.luck)]
    head = "".join(f'<th scope="col">{escape(voice.say("screen.name", number=breakdown.seat + 1))}</th>' for breakdown in luck)
    parts = [(voice.say(f"review.luck.{name}"), [float(getattr(breakdown, name)) for breakdown in luck]) for name in _PARTS]
    if len(luck) == 2:
        neutral_voice = replace(voice, me=None)
        parts[3:5] = [
            (
                neutral_voice.say("review.luck.moves", who=Seat(owner.seat)),
                [breakdown.own if breakdown is owner else breakdown.others for breakdown in luck],
            )
            for owner in luck
        ]
    rows = []
    for index, (name, values) in enumerate(parts):
        has_sign = 0 < index < len(parts) - 1
        cells = "".join(f'<td class="n">{with_sign(100 * value, plus=has_sign)}</td>' for value in values)
        rows.append(f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>')
    return f'<div class="wide"><table><thead><tr><th></th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div><p>{escape(voice.say("review.luck.beside"))}</p>'


def with_sign(value: float, *, plus: bool) -> str:
    """Return a rounded number with a proper minus, and a plus if wanted."""
    text = f"{value:+.0f}" if plus else f"{value:.0f}"
    return text.replace("-", "−").replace("+0", "0").replace("−0", "0") if round(value) == 0 else text.replace("-", "−")


def _decisions(review: Told, voice: Voice) -> str:
    heads = "".join(f'<th scope="col">{escape(voice.say(f"review.head.{name}"))}</th>' for name in ("move", "better", "cost", "verdict"))
    rows, bout = [], 0
    for decision in review.decisions:
        if decision.bout != bout:
            bout = decision.bout
            rows.append(f'<tr><th colspan="4" scope="colgroup">{escape(voice.say("screen.bout", bout=bout))}</th></tr>')
        rows.append(_row(decision, voice))
    return f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


class DecisionTold(NamedTuple):
    """A decision in words: the move, the better move, the cost and the verdict."""

    move: str
    better: str
    lost: str
    verdict: str


def told_of(one: Decision, voice: Voice) -> DecisionTold:
    """Return a decision in words; a part that is unknown is empty."""
    move = deed(Played(one.seat, one.move.verb, one.move.cards), voice)
    better = advice(Move(one.better), voice) if one.better not in {None, one.move} and one.verdict != "best" else ""
    cost = ""
    if one.loss is not None and one.interval is not None and one.verdict != "forced":
        low, high = (round(100 * bound) for bound in one.interval)
        cost = f"{100 * one.loss:.0f}" if low == high else f"{100 * one.loss:.0f} ({low}–{high})"
    return DecisionTold(move, better, cost, voice.say(VERDICT_KEYS[one.verdict]))


def _row(one: Decision, voice: Voice) -> str:
    move, better, cost, verdict = map(escape, told_of(one, voice))
    marked_verdict = f'<b class="bad">{verdict}</b>' if one.is_mistake else verdict
    return f'<tr><td>{move}</td><td>{better}</td><td class="n">{cost}</td><td>{marked_verdict}</td></tr>'


def panel(review: Told, voice: Voice) -> dict[str, Any]:
    """Return the report as plain values for the table."""
    fortune = None if review.seat is None else review.luck.get(review.seat)
    return {
        "said": spoken(review.headline, voice),
        "line": {
            "title": voice.say("review.line"),
            "points": [[entry.ply, entry.bout, [entry.shares[seat] for seat in review.shown]] for entry in review.chances],
            "said": list(_points(review, voice)),
            "beside": spoken(beside_line(review), voice),
        },
        "turns": [[turn.decision.ply, spoken(turn.headline(review.seat), voice)] for turn in review.turns],
        "worst": [
            {"ply": turn.decision.ply, "said": spoken(turn.facts(review.seat), voice), "mine": turn.decision.seat == review.seat}
            for turn in review.turns[:WORST]
        ],
        "luck": None if fortune is None else _luck_view(fortune, voice),
        "skill": [
            voice.say("review.skill"),
            *(f"{spoken([skill.told], voice)} {_title(skill.title(voice.language))}" for skill in review.skill),
        ],
        "heads": [voice.say("review.decisions"), *(voice.say(f"review.head.{name}") for name in _HEADS)],
        "decisions": [
            [
                voice.say("screen.bout", bout=bout),
                [[decision.ply, *_after_colons(told_of(decision, voice)), decision.is_mistake] for decision in bout_decisions],
            ]
            for bout, bout_decisions in groupby(review.decisions, key=lambda decision: decision.bout)
        ],
        "how": spoken([how_judged(review)], voice),
        "by": review.by_key,
        "other": [voice.say(f"review.by.{OTHER[review.by_key]}"), voice.say("table.reviewing")],
    }


def _points(review: Told, voice: Voice) -> Iterator[str]:
    """Yield the points of the chart in words."""
    for entry in review.chances:
        for seat in review.shown:
            share = entry.shares[seat]
            if share is not None:
                yield voice.say("review.point", bout=entry.bout, who=Seat(seat), percent=round(100 * share))


def _luck_view(fortune: Fortune, voice: Voice) -> dict[str, Any]:
    """Return what cards and play changed, in whole percentage points.

    They add up to the result. Play is not split further here: over a whole game the two players' moves add up to more than a game is
    worth.
    """
    fair, deal, cards, result = (round(100 * share) for share in (fortune.fair, fortune.deal, fortune.cards, fortune.result))
    play = result - fair - cards
    cards_explanation = "; ".join(
        f"{voice.say(f'review.luck.{name}')}: {with_sign(value, plus=True)}" for name, value in (("deal", deal), ("drawn", cards - deal))
    )
    steps = " ".join(f"{'−' if value < 0 else '+'} {abs(value)}" for value in (cards, play))
    notes = [voice.say("review.luck.much")] if max(abs(cards), abs(play)) > 100 else []
    return {
        "title": voice.say("review.luck"),
        "bars": [
            [voice.say(f"review.luck.{name}"), value, with_sign(value, plus=True), explanation]
            for name, value, explanation in (("cards", cards, cards_explanation), ("play", play, ""))
        ],
        "sum": voice.say("review.luck.sum", sum=f"{fair} {steps} = {result}".replace(" ", "\N{NO-BREAK SPACE}")),
        "beside": [*notes, voice.say("review.luck.beside")],
    }


def _after_colons(told: DecisionTold) -> DecisionTold:
    """Return the texts with the better move in lower case, to follow its heading."""
    return told._replace(better=told.better[:1].lower() + told.better[1:])


def _title(said: str) -> str:
    return f"{said[0].upper()}{said[1:]}."
