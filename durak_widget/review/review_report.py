"""Renders the review of a game as an HTML page, a chart, or plain data.

The page and the chart need no other file. The plain values are in the words of one language, for a page that draws the review itself.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from durak_widget.engine.card_svg import FONT_FAMILY
from durak_widget.engine.moves import Move
from durak_widget.engine.narration import format_advice, format_played_move
from durak_widget.engine.observation import PlayedMove
from durak_widget.i18n import Seat, TranslatableText, Translator
from durak_widget.review.decisions import MISTAKE_THRESHOLD
from durak_widget.review.turning_points import format_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.review.decisions import Decision
    from durak_widget.review.luck_and_skill import BoutChances, ResultBreakdown, Skill
    from durak_widget.review.turning_points import TurningPoint

_WIDTH, _HEIGHT, _LEFT_MARGIN, _BOTTOM_MARGIN = 640, 180, 34, 26
_LINE_COLORS: Final = ("#1f5fa8", "#b3452c", "#2c7a4b", "#7a4fa3", "#8a6d1a", "#4b5563")
_DASHES: Final = ("", "7 4", "2 3", "9 3 2 3", "5 2 1 2", "1 4")
_RESULT_PARTS: Final = ("fair", "deal", "drawn", "own", "others", "result")
MAX_DETAILED_TURNS: Final = 3
"""The maximum number of turning points (mistakes that mattered) that the report describes in full."""
VERDICT_KEYS: Final = {
    "forced": "review.verdict.forced",
    "best": "review.verdict.best",
    "mistake": "review.verdict.mistake",
    "proved mistake": "review.verdict.proved",
    "cannot be told": "review.verdict.untold",
}
_STYLE: Final = (
    f".durak-review{{font:16px/1.5 {FONT_FAMILY};max-width:44em;margin:0 auto;padding:0 1em;color:#1f2630;background:#fff}}"
    ".durak-review h2{font-size:1.25em;margin:1.2em 0 .4em}.durak-review table{border-collapse:collapse;width:100%}"
    ".durak-review th,.durak-review td{text-align:left;padding:.2em .6em .2em 0;border-bottom:1px solid #d5dbe2;vertical-align:top}"
    ".durak-review td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.durak-review .wide{overflow-x:auto}"
    ".durak-review svg{max-width:100%;height:auto;color:#1f2630}.durak-review b.bad{color:#9a2c18}"
    "@media(prefers-color-scheme:dark){.durak-review,.durak-review svg{color:#e6e9ee;background:#1b2027}"
    ".durak-review th,.durak-review td{border-color:#3a424d}.durak-review b.bad{color:#ff9d85}}"
)
OTHER_BASIS: Final = {"seat": "cards", "cards": "seat"}
"""For each way to judge moves, the other way: by what the player knew (`seat`), or by all cards (`cards`)."""
_COLUMN_KEYS = ("move", "better", "cost", "verdict")


class ReviewData(Protocol):
    """The interface through which the report reads a review."""

    seat: int | None

    @property
    def world_count(self) -> int: ...  # noqa: D102 - as `Review` says

    @property
    def decisions(self) -> Sequence[Decision]: ...  # noqa: D102 - as `Review` says

    @property
    def basis_key(self) -> str: ...  # noqa: D102 - as `Review` says

    @property
    def shown_seats(self) -> Sequence[int]: ...  # noqa: D102 - as above

    @property
    def headline_facts(self) -> Sequence[TranslatableText]: ...  # noqa: D102 - as above

    @property
    def turning_points(self) -> Sequence[TurningPoint]: ...  # noqa: D102 - as above

    @property
    def chances(self) -> Sequence[BoutChances]: ...  # noqa: D102 - as above

    @property
    def luck(self) -> Mapping[int, ResultBreakdown]: ...  # noqa: D102 - as above

    @property
    def skill(self) -> Sequence[Skill]: ...  # noqa: D102 - as above

    def sentence(self, language: str | None = None) -> str: ...  # noqa: D102 - as above


def draw_chances_chart(review: ReviewData, language: str) -> str:
    """Draw the chart of win chances: a step for each bout, and a mark for each turning point."""
    voice = Translator(language, own_seat=review.seat)
    points = review.chances
    seats = [seat for seat in review.shown_seats if any(entry.shares[seat] is not None for entry in points)]
    steps = max(1, len(points) - 1)

    def to_point(step: float, share: float) -> tuple[float, float]:
        """Return the point in the chart for a bout and a win chance."""
        return round(_LEFT_MARGIN + step * (_WIDTH - _LEFT_MARGIN - 10) / steps, 1), round(
            8 + (1 - min(1.0, max(0.0, share))) * (_HEIGHT - _BOTTOM_MARGIN - 8), 1
        )

    shapes = []
    for percent in (0, 50, 100):
        _, y = to_point(0, percent / 100)
        shapes.append(f'<line x1="{_LEFT_MARGIN}" y1="{y}" x2="{_WIDTH - 10}" y2="{y}" stroke="currentColor" stroke-opacity=".2"/>')
        shapes.append(f'<text x="{_LEFT_MARGIN - 6}" y="{y + 4}" text-anchor="end">{percent}</text>')
    label_step = max(1, len(points) // 12)
    shapes += [
        f'<text x="{to_point(i, 0)[0]}" y="{_HEIGHT - 6}" text-anchor="middle">{entry.bout}</text>'
        for i, entry in enumerate(points[:-1])
        if i % label_step == 0
    ]
    for seat in seats:
        color, dash = _LINE_COLORS[seat % len(_LINE_COLORS)], _DASHES[seat % len(_DASHES)]
        plotted = [(to_point(i, share), entry) for i, entry in enumerate(points) if (share := entry.shares[seat]) is not None]
        path = " ".join(f"{x},{y}" for (x, y), _ in plotted)
        shapes.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2.5" stroke-dasharray="{dash}"/>')
        for (x, y), entry in plotted:
            tooltip = voice.translate("review.point", bout=entry.bout, who=Seat(seat), percent=round(100 * (entry.shares[seat] or 0.0)))
            shapes.append(f'<circle cx="{x}" cy="{y}" r="3" fill="{color}"><title>{escape(tooltip)}</title></circle>')
    first_index = {entry.bout: i for i, entry in reversed(list(enumerate(points)))}
    for turn in review.turning_points:
        index = first_index.get(turn.decision.bout)
        if index is not None:
            x, y = to_point(index + 0.5, 1)
            tooltip = escape(format_facts(turn.build_headline(review.seat), voice))
            shapes.append(f'<path d="M{x - 6} {y - 7}h12l-6 11z" fill="#b3261e" stroke="#fff"><title>{tooltip}</title></path>')
    title = escape(voice.translate("review.line"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{title}" '
        f'font-family="{FONT_FAMILY}" font-size="11" fill="currentColor"><title>{title}</title>{"".join(shapes)}</svg>'
    )


def build_line_notes(review: ReviewData) -> list[TranslatableText]:
    """Explain, if necessary, why the line in the chart does not fall at a mistake.

    Return a list with one text, or an empty list.

    The chart shows chances with all cards open, which is another question.
    """
    for turn in review.turning_points:
        decision = turn.decision
        # Where a chance is unknown, the chart draws a straight line between its known neighbours.
        points = [(entry.ply, share) for entry in review.chances if (share := entry.shares[decision.seat]) is not None]
        expected_drop = max(MISTAKE_THRESHOLD, (decision.loss or 0.0) / 2)
        for (ply, before), (next_ply, after) in pairwise(points):
            if ply <= decision.ply < next_ply and before - after < expected_drop:
                return [TranslatableText(f"review.line.beside.{review.basis_key}")]
    return []


def render_page(review: ReviewData, language: str) -> str:
    """Render the report as one HTML page."""
    voice = Translator(language, cards="signs", own_seat=review.seat)
    title = escape(voice.translate("screen.turned"))
    turn_items = "".join(
        f"<li>{escape(format_facts(turn.build_facts(review.seat), voice))}</li>" for turn in review.turning_points[:MAX_DETAILED_TURNS]
    )
    line_note = format_facts(build_line_notes(review), voice)
    chart = draw_chances_chart(review, language) + (f"<p>{escape(line_note)}</p>" if line_note else "")
    parts = [
        f"<h2>{title}</h2><p>{escape(review.sentence(language))}</p>{f'<ol>{turn_items}</ol>' if turn_items else ''}",
        _render_section(voice, "review.line", chart) if review.chances else "",
        _render_section(voice, "review.luck", _render_luck_table(review, voice)) if review.luck else "",
        _render_section(voice, "review.skill", "".join(f"<p>{escape(skill.to_text(language, review.seat))}</p>" for skill in review.skill)),
        _render_section(voice, "review.decisions", _render_decisions_table(review, voice)),
        f"<p>{escape(format_facts([build_method_fact(review)], voice))}</p>",
    ]
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<title>{title}</title><style>{_STYLE}</style></head><body class="durak-review">{"".join(parts)}</body></html>'
    )


def build_method_fact(review: ReviewData) -> TranslatableText:
    """Return a text that says how moves were judged, and in how many possible worlds."""
    return (
        TranslatableText(f"review.how.{review.basis_key}", {"worlds": review.world_count})
        if review.world_count
        else TranslatableText(f"review.how.exact.{review.basis_key}")
    )


def _render_section(voice: Translator, key: str, content: str) -> str:
    return f"<h2>{escape(voice.translate(key))}</h2>{content}"


def _render_luck_table(review: ReviewData, voice: Translator) -> str:
    """Render a table that splits the result into luck and moves, with a column for each seat.

    For two players the rows of moves have the players' names.
    """
    luck = [review.luck[seat] for seat in sorted(review.luck)]
    head = "".join(f'<th scope="col">{escape(voice.translate("screen.name", number=breakdown.seat + 1))}</th>' for breakdown in luck)
    parts = [(voice.translate(f"review.luck.{name}"), [float(getattr(breakdown, name)) for breakdown in luck]) for name in _RESULT_PARTS]
    if len(luck) == 2:
        neutral_voice = replace(voice, own_seat=None)
        parts[3:5] = [
            (
                neutral_voice.translate("review.luck.moves", who=Seat(owner.seat)),
                [breakdown.own if breakdown is owner else breakdown.others for breakdown in luck],
            )
            for owner in luck
        ]
    rows = []
    for index, (name, values) in enumerate(parts):
        has_sign = 0 < index < len(parts) - 1
        cells = "".join(f'<td class="n">{format_signed(100 * value, has_plus=has_sign)}</td>' for value in values)
        rows.append(f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>')
    return f'<div class="wide"><table><thead><tr><th></th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div><p>{escape(voice.translate("review.luck.beside"))}</p>'


def format_signed(value: float, *, has_plus: bool) -> str:
    """Format a rounded number with a long minus sign; with `has_plus`, also with a plus sign."""
    text = f"{value:+.0f}" if has_plus else f"{value:.0f}"
    return text.replace("-", "−").replace("+0", "0").replace("−0", "0") if round(value) == 0 else text.replace("-", "−")


def _render_decisions_table(review: ReviewData, voice: Translator) -> str:
    """Render a table with all decisions of a game, under a heading for each bout."""
    heads = "".join(
        f'<th scope="col">{escape(voice.translate(f"review.head.{name}"))}</th>' for name in ("move", "better", "cost", "verdict")
    )
    rows, bout = [], 0
    for decision in review.decisions:
        if decision.bout != bout:
            bout = decision.bout
            rows.append(f'<tr><th colspan="4" scope="colgroup">{escape(voice.translate("screen.bout", bout=bout))}</th></tr>')
        rows.append(_render_row(decision, voice))
    return f'<div class="wide"><table><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'


class DecisionText(NamedTuple):
    """Four texts on a decision: the move, a better move, what it cost, and a verdict."""

    move: str
    better: str
    cost: str
    verdict: str


def format_decision(decision: Decision, voice: Translator) -> DecisionText:
    """Describe a decision in four texts, some of which may be empty."""
    move = format_played_move(PlayedMove(decision.seat, decision.move.verb, decision.move.cards), voice)
    better = (
        format_advice(Move(decision.better_move), voice)
        if decision.better_move not in {None, decision.move} and decision.verdict != "best"
        else ""
    )
    cost = ""
    if decision.loss is not None and decision.loss_interval is not None and decision.verdict != "forced":
        low, high = (round(100 * bound) for bound in decision.loss_interval)
        cost = f"{100 * decision.loss:.0f}" if low == high else f"{100 * decision.loss:.0f} ({low}–{high})"
    return DecisionText(move, better, cost, voice.translate(VERDICT_KEYS[decision.verdict]))


def _render_row(decision: Decision, voice: Translator) -> str:
    """Render one decision as a table row."""
    move, better, cost, verdict = map(escape, format_decision(decision, voice))
    marked_verdict = f'<b class="bad">{verdict}</b>' if decision.is_mistake else verdict
    return f'<tr><td>{move}</td><td>{better}</td><td class="n">{cost}</td><td>{marked_verdict}</td></tr>'


def build_view_model(review: ReviewData, voice: Translator) -> dict[str, Any]:
    """Return the report as plain data, from which the front end draws it."""
    fortune = None if review.seat is None else review.luck.get(review.seat)
    return {
        "text": format_facts(review.headline_facts, voice),
        "chart": {
            "title": voice.translate("review.line"),
            "points": [[entry.ply, entry.bout, [entry.shares[seat] for seat in review.shown_seats]] for entry in review.chances],
            "texts": list(_format_points(review, voice)),
            "note": format_facts(build_line_notes(review), voice),
        },
        "turning_points": [[turn.decision.ply, format_facts(turn.build_headline(review.seat), voice)] for turn in review.turning_points],
        "worst": [
            {
                "ply": turn.decision.ply,
                "text": format_facts([*turn.build_headline(review.seat), *turn.better_move_facts], voice),
                "explanation": format_facts(turn.explanation_facts, voice),
                "is_own": turn.decision.seat == review.seat,
            }
            for turn in review.turning_points[:MAX_DETAILED_TURNS]
        ],
        "luck": None if fortune is None else _build_luck_view(fortune, voice),
        "skill": [
            voice.translate("review.skill"),
            *(f"{format_facts([skill.summary_fact], voice)} {_capitalize_sentence(skill.title(voice.language))}" for skill in review.skill),
        ],
        "headings": [voice.translate("review.decisions"), *(voice.translate(f"review.head.{name}") for name in _COLUMN_KEYS)],
        "decisions": [
            [
                voice.translate("screen.bout", bout=bout),
                [[decision.ply, *_lowercase_better(format_decision(decision, voice)), decision.is_mistake] for decision in bout_decisions],
            ]
            for bout, bout_decisions in groupby(review.decisions, key=lambda decision: decision.bout)
        ],
        "method": format_facts([build_method_fact(review)], voice),
        "basis": review.basis_key,
        "other_basis": [voice.translate(f"review.by.{OTHER_BASIS[review.basis_key]}"), voice.translate("table.reviewing")],
    }


def _format_points(review: ReviewData, voice: Translator) -> Iterator[str]:
    """Yield a sentence for each win chance, for readers who can't see the chart."""
    for entry in review.chances:
        for seat in review.shown_seats:
            share = entry.shares[seat]
            if share is not None:
                yield voice.translate("review.point", bout=entry.bout, who=Seat(seat), percent=round(100 * share))


def _build_luck_view(breakdown: ResultBreakdown, voice: Translator) -> dict[str, Any]:
    """Return how luck and moves changed a seat's win chance, in whole percentage points.

    They add up to the result. Play is not split further here: over a whole game the two players' moves add up to more than a game is
    worth.
    """
    fair, deal, cards, result = (round(100 * share) for share in (breakdown.fair, breakdown.deal, breakdown.total_luck, breakdown.result))
    play = result - fair - cards
    cards_explanation = "; ".join(
        f"{voice.translate(f'review.luck.{name}')}: {format_signed(value, has_plus=True)}"
        for name, value in (("deal", deal), ("drawn", cards - deal))
    )
    steps = " ".join(f"{'−' if value < 0 else '+'} {abs(value)}" for value in (cards, play))
    notes = [voice.translate("review.luck.much")] if max(abs(cards), abs(play)) > 100 else []
    return {
        "title": voice.translate("review.luck"),
        "bars": [
            [voice.translate(f"review.luck.{name}"), value, format_signed(value, has_plus=True), explanation]
            for name, value, explanation in (("cards", cards, cards_explanation), ("play", play, ""))
        ],
        "sum": voice.translate("review.luck.sum", sum=f"{fair} {steps} = {result}".replace(" ", "\N{NO-BREAK SPACE}")),
        "notes": [*notes, voice.translate("review.luck.beside")],
    }


def _lowercase_better(texts: DecisionText) -> DecisionText:
    """Begin the text on the better move with a small letter, because it follows a heading."""
    return texts._replace(better=texts.better[:1].lower() + texts.better[1:])


def _capitalize_sentence(sentence: str) -> str:
    return f"{sentence[0].upper()}{sentence[1:]}."
