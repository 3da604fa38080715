"""Builds the data that a tournament widget shows: progress and standings, in one language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from durak_widget.arena.result_sentences import (
    format_count,
    format_disqualified_html,
    format_forfeits_html,
    format_name,
    format_standings_html,
    format_time_left,
)
from durak_widget.arena.standings_page import render_matrix_table, render_places_table
from durak_widget.arena.svg_plots import draw_rating_history
from durak_widget.i18n import Translator

if TYPE_CHECKING:
    from collections.abc import Collection

    from durak_widget.arena.result_types import GameHeader, ResultData
    from durak_widget.tournament_widget.background_run import BackgroundRun

PART_NAMES: Final = ("matrix", "course")
"""The parts of the widget, such as tables, that are rendered only after the user has opened them."""
GAMES_PER_PAGE: Final = 20
"""The number of games on one page of the list of games."""
_MAX_FORFEITS: Final = 50


def build_tournament_view(background_run: BackgroundRun, language: str) -> dict[str, Any]:
    """Return everything that the widget displays about the current state of the tournament."""
    voice, result, state = Translator(language), background_run.result, background_run.state
    sentence = (
        voice.translate(f"arena.state.{state}", why=background_run.failure)
        if state == "failed"
        else voice.translate(f"arena.state.{state}")
    )
    seconds = background_run.seconds_left
    forfeits = [{"text": text, "location": where} for text, where in format_forfeits_html(result, voice)]
    return {
        "lang": language,
        "title": voice.translate("arena.title"),
        "rules": str(result.rules.explain(language).heading),
        "state": state,
        "text": sentence,
        "played": result.games_played,
        "planned": result.games_planned,
        "count": voice.translate("arena.so_far", played=format_count(result.games_played), planned=format_count(result.games_planned)),
        "time_left": "" if seconds is None else voice.translate("arena.left", time=format_time_left(seconds, voice)),
        "main_button": {"idle": "start", "stopped": "start", "failed": "start", "stopping": "start", "playing": "stop"}.get(state, ""),
        "remarks": format_standings_html(result, voice),
        "standings": render_places_table(result, language, has_style=False),
        "disqualified": format_disqualified_html(result, voice),
        "forfeits": forfeits[-_MAX_FORFEITS:],
        "names": [format_name(name) for name in result.names],
        "labels": build_labels(result, voice),
    }


def build_labels(result: ResultData, voice: Translator) -> dict[str, str]:
    """Return the texts of the tournament's buttons and headings."""
    return {
        "start": voice.translate("arena.go_on" if result.games_played else "arena.begin"),
        "stop": voice.translate("arena.stop"),
        "progress": voice.translate("arena.progress"),
        "matrix": voice.translate("arena.matrix"),
        "matrix.read": voice.translate("arena.matrix.read"),
        "course": voice.translate("arena.course"),
        "forfeits": voice.translate("arena.forfeits"),
        "games": voice.translate("arena.look"),
        "player": voice.translate("arena.look.whose"),
        "all": voice.translate("arena.look.all"),
        "no_games": voice.translate("arena.look.none"),
        "earlier": voice.translate("arena.look.earlier"),
        "later": voice.translate("arena.look.later"),
        "close_table": voice.translate("arena.look.away"),
        "dead": voice.translate("arena.dead"),
    }


def render_part(name: str, result: ResultData, language: str) -> str:
    """Render a part of the widget that the user has opened, as HTML."""
    return (
        render_matrix_table(result, language, has_style=False)
        if name == "matrix"
        else draw_rating_history(result, language, has_title=False)
    )


def precompute(result: ResultData, opened_parts: Collection[str]) -> None:
    """Compute the slow parts of a result in advance, so that displaying the result is fast."""
    _ = (
        result.standings,
        result.forfeits,
        result.same_move_groups,
        result.count_games_of(0),
        result.rating_history if "course" in opened_parts else None,
    )


def build_game_list(result: ResultData, bot_index: int, first_index: int, language: str) -> dict[str, Any]:
    """Return one page of the list of games, for one bot or (with index -1) for all bots."""
    voice = Translator(language)
    heads = [head for head in result.games.list_headers() if bot_index < 0 or result.names[bot_index] in head[1]]
    first_index = max(0, min(first_index, len(heads) - 1) // GAMES_PER_PAGE * GAMES_PER_PAGE)
    lines = [{"game": head[0], "text": format_game_line(head, voice)} for head in heads[first_index : first_index + GAMES_PER_PAGE]]
    return {
        "player": bot_index,
        "first_game": first_index,
        "lines": lines,
        "has_earlier": first_index > 0,
        "has_later": first_index + GAMES_PER_PAGE < len(heads),
    }


def format_game_line(head: GameHeader, voice: Translator) -> str:
    """Describe a game in one line: its number, its players and their points."""
    number, bots, scores, _ = head
    seats = tuple(
        voice.translate("arena.look.seat", bot=format_name(bot), points=f"{points:g}".replace(".", voice.translate("number.point")))
        for bot, points in zip(bots, scores, strict=True)
    )
    return voice.translate("arena.look.line", game=number, bots=seats)


def format_seats(head: GameHeader, voice: Translator) -> str:
    """Format the players of a game with their seats, as a caption above the card table."""
    seats = tuple(voice.translate("arena.look.seated", number=seat + 1, bot=format_name(bot)) for seat, bot in enumerate(head[1]))
    return voice.translate("arena.look.line", game=head[0], bots=seats)
