"""What the page is told of a tournament: how far it is, who stands where, in the words of its language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.arena.result_sentences import forfeits_told, grouped, out_told, shown_name, standing_told, time_left
from durak_widget.arena.standings_page import matrix_table, places_table
from durak_widget.arena.svg_plots import course_plot
from durak_widget.i18n import Voice

if TYPE_CHECKING:
    from collections.abc import Collection

    from durak_widget.arena.result_types import Head, ResultTold
    from durak_widget.tournament_widget.background_run import PlayingOn

PARTS: Final = ("matrix", "course")
"""What is drawn only once somebody has opened it."""
AT_ONCE: Final = 20
"""So many games are listed at a time."""
_FORFEITS: Final = 50


def sheet_of(playing: PlayingOn, language: str) -> dict[str, Any]:
    """How the tournament stands now."""
    voice, result, state = Voice(language), playing.result, playing.state
    said = voice.say(f"arena.state.{state}", why=playing.why) if state == "failed" else voice.say(f"arena.state.{state}")
    seconds = playing.seconds_left
    lost = [{"said": told, "where": where} for told, where in forfeits_told(result, voice)]
    return {
        "lang": language,
        "title": voice.say("arena.title"),
        "rules": str(result.rules.explain(language).heading),
        "state": state,
        "said": said,
        "played": result.played,
        "planned": result.planned,
        "count": voice.say("arena.so_far", played=grouped(result.played), planned=grouped(result.planned)),
        "left": "" if seconds is None else voice.say("arena.left", time=time_left(seconds, voice)),
        "press": {"idle": "go", "stopped": "go", "failed": "go", "stopping": "go", "playing": "stop"}.get(state, ""),
        "told": standing_told(result, voice),
        "places": places_table(result, language, styled=False),
        "gone": out_told(result, voice),
        "lost": lost[-_FORFEITS:],
        "names": [shown_name(name) for name in result.names],
        "labels": labels(result, voice),
    }


def labels(result: ResultTold, voice: Voice) -> dict[str, str]:
    """What stands on buttons and above parts of the page."""
    return {
        "go": voice.say("arena.go_on" if result.played else "arena.begin"),
        "stop": voice.say("arena.stop"),
        "progress": voice.say("arena.progress"),
        "matrix": voice.say("arena.matrix"),
        "matrix.read": voice.say("arena.matrix.read"),
        "course": voice.say("arena.course"),
        "forfeits": voice.say("arena.forfeits"),
        "look": voice.say("arena.look"),
        "whose": voice.say("arena.look.whose"),
        "all": voice.say("arena.look.all"),
        "none": voice.say("arena.look.none"),
        "earlier": voice.say("arena.look.earlier"),
        "later": voice.say("arena.look.later"),
        "away": voice.say("arena.look.away"),
        "dead": voice.say("arena.dead"),
    }


def part_of(name: str, result: ResultTold, language: str) -> str:
    """A part that somebody has opened, drawn."""
    return matrix_table(result, language, styled=False) if name == "matrix" else course_plot(result, language, titled=False)


def ready(result: ResultTold, opened: Collection[str]) -> None:
    """Work out what takes long of what will be shown, once and for all."""
    _ = result.standing, result.forfeits, result.same_moves, result.games_of(0), result.course if "course" in opened else None


def games_of(result: ResultTold, who: int, first: int, language: str) -> dict[str, Any]:
    """The games of a bot, or of everybody (-1), from that one on."""
    voice = Voice(language)
    listed = [head for head in result.games.heads() if who < 0 or result.names[who] in head[1]]
    first = max(0, min(first, len(listed) - 1) // AT_ONCE * AT_ONCE)
    lines = [{"game": head[0], "said": game_listed(head, voice)} for head in listed[first : first + AT_ONCE]]
    return {"who": who, "first": first, "lines": lines, "earlier": first > 0, "later": first + AT_ONCE < len(listed)}


def game_listed(head: Head, voice: Voice) -> str:
    """A game in a list: its number, who played, and what each got."""
    number, seated, got, _ = head
    seats = tuple(
        voice.say("arena.look.seat", bot=shown_name(who), points=f"{points:g}".replace(".", voice.say("number.point")))
        for who, points in zip(seated, got, strict=True)
    )
    return voice.say("arena.look.line", game=number, bots=seats)


def seats_of(head: Head, voice: Voice) -> str:
    """Who sits where, for whoever looks at the game on a table."""
    seats = tuple(voice.say("arena.look.seated", number=seat + 1, bot=shown_name(who)) for seat, who in enumerate(head[1]))
    return voice.say("arena.look.line", game=head[0], bots=seats)
