"""The view model of a tournament: its progress and standings, in the user's language."""

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
"""Parts that are rendered only after the user has opened them."""
AT_ONCE: Final = 20
"""Games listed at a time."""
_FORFEITS: Final = 50


def sheet_of(playing: PlayingOn, language: str) -> dict[str, Any]:
    """Return the current view of the tournament."""
    voice, result, state = Voice(language), playing.result, playing.state
    sentence = voice.say(f"arena.state.{state}", why=playing.why) if state == "failed" else voice.say(f"arena.state.{state}")
    seconds = playing.seconds_left
    forfeits = [{"said": text, "where": where} for text, where in forfeits_told(result, voice)]
    return {
        "lang": language,
        "title": voice.say("arena.title"),
        "rules": str(result.rules.explain(language).heading),
        "state": state,
        "said": sentence,
        "played": result.played,
        "planned": result.planned,
        "count": voice.say("arena.so_far", played=grouped(result.played), planned=grouped(result.planned)),
        "left": "" if seconds is None else voice.say("arena.left", time=time_left(seconds, voice)),
        "press": {"idle": "go", "stopped": "go", "failed": "go", "stopping": "go", "playing": "stop"}.get(state, ""),
        "told": standing_told(result, voice),
        "places": places_table(result, language, styled=False),
        "gone": out_told(result, voice),
        "lost": forfeits[-_FORFEITS:],
        "names": [shown_name(name) for name in result.names],
        "labels": labels(result, voice),
    }


def labels(result: ResultTold, voice: Voice) -> dict[str, str]:
    """Return the texts of buttons and headings."""
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
    """Render a part that the user has opened."""
    return matrix_table(result, language, styled=False) if name == "matrix" else course_plot(result, language, titled=False)


def ready(result: ResultTold, opened: Collection[str]) -> None:
    """Compute in advance what takes long in the results to be shown."""
    _ = result.standing, result.forfeits, result.same_moves, result.games_of(0), result.course if "course" in opened else None


def games_of(result: ResultTold, who: int, first: int, language: str) -> dict[str, Any]:
    """Return the list of games of a bot, or of all bots (-1), from that one on."""
    voice = Voice(language)
    heads = [head for head in result.games.heads() if who < 0 or result.names[who] in head[1]]
    first = max(0, min(first, len(heads) - 1) // AT_ONCE * AT_ONCE)
    lines = [{"game": head[0], "said": game_listed(head, voice)} for head in heads[first : first + AT_ONCE]]
    return {"who": who, "first": first, "lines": lines, "earlier": first > 0, "later": first + AT_ONCE < len(heads)}


def game_listed(head: Head, voice: Voice) -> str:
    """Return a game as a line: its number, the players and their points."""
    number, bots, scores, _ = head
    seats = tuple(
        voice.say("arena.look.seat", bot=shown_name(bot), points=f"{points:g}".replace(".", voice.say("number.point")))
        for bot, points in zip(bots, scores, strict=True)
    )
    return voice.say("arena.look.line", game=number, bots=seats)


def seats_of(head: Head, voice: Voice) -> str:
    """Return the players of a game with their seats, as a caption for its table."""
    seats = tuple(voice.say("arena.look.seated", number=seat + 1, bot=shown_name(bot)) for seat, bot in enumerate(head[1]))
    return voice.say("arena.look.line", game=head[0], bots=seats)
