"""A review in plain values: what a page needs that draws it itself, in the words of one language."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from durak_widget.i18n import Seat
from durak_widget.review.review_report import WORST, beside_line, how_judged, told_of, with_sign
from durak_widget.review.turning_points import spoken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.i18n import Voice
    from durak_widget.review.luck_and_skill import Fortune
    from durak_widget.review.review_report import DecisionTold, Told

OTHER: Final = {"seat": "cards", "cards": "seat"}
"""By what else it may be judged, as keys name it."""
_HEADS = ("move", "better", "cost", "verdict")


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
        "luck": None if fortune is None else _luck(fortune, voice),
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


def _luck(fortune: Fortune, voice: Voice) -> dict[str, Any]:
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
