"""Plays one deal several times, with the bots in each possible order of seats.

A bot that can't play on forfeits that game, and no other bot loses by it.
"""

from __future__ import annotations

from contextlib import ExitStack
from copy import deepcopy
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.arena.schedule import Meeting, list_seatings
from durak_widget.bots.bot import create_player_rng
from durak_widget.engine.game import Game
from durak_widget.engine.match import Match
from durak_widget.errors import USER_CODE_EXCEPTIONS, error_class_name, short_repr, to_reportable_error
from durak_widget.i18n import TranslatableText
from durak_widget.rules import seating
from durak_widget.sandbox.code_runner import Limits, SandboxedBot, SandboxError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from durak_widget.arena.bot_entrants import Entrant
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import Observation
    from durak_widget.rules.ruleset import Rules

DEFAULT_LIMITS: Final = Limits(seconds=5)
"""The limits on sandboxed code of a bot in one game; if the bot has several seats, they share the limits."""
_MAX_REASON_LENGTH: Final = 200
_SEED_BITS: Final = 256
_NO_REASON: Final = TranslatableText("arena.forfeit.nothing", {})


class TournamentTerms(NamedTuple):
    """The settings that are the same for all deals of a tournament."""

    rules: Rules
    entrants: tuple[Entrant, ...]
    match: int
    limits: Limits
    uses_whole_seed: bool = False
    """True if deals depend on the whole text of their seeds, False if only on a 32-bit hash of this text."""


class SeatedGame(NamedTuple):
    """A game that starts from a shared deal, with the bots in one particular order of seats."""

    sides: tuple[int, ...]
    """The number of the entrant (bot) that plays each side."""
    match_index: int
    """The number of the game in its match, which is a series of games with the same order of seats."""
    text: str
    """The record of the game's moves as text; after a forfeit, it has only the moves before it."""
    points: tuple[float, ...]
    """The points of each side: 1 for a win, 0.5 for a tie, 0 for a loss or a forfeit."""
    forfeit: GameForfeit | None


class GameForfeit(NamedTuple):
    """The forfeit of a game: the side that could not continue, and the reason."""

    side: int
    fact: TranslatableText
    position: str
    """The position when the side forfeited, as a line for `Game.from_position_line`."""


class MeetingResult(NamedTuple):
    """The games of one deal in all orders of seats, with reports from the sandbox."""

    games: tuple[SeatedGame, ...]
    missing_protections: frozenset[str]
    attempts: frozenset[tuple[int, str]] = frozenset()
    """For each action that the sandbox blocked: the entrant whose code tried it, and the kind of action (see
    `audit_hooks.ATTEMPT_KINDS`)."""


def play_meeting(terms: TournamentTerms, meeting: Meeting) -> MeetingResult:
    """Play one deal in every order of seats; the result is the same on every computer.

    >>> from durak_widget import Rules
    >>> from durak_widget.arena.bot_entrants import build_entrants
    >>> sat = play_meeting(TournamentTerms(Rules(), build_entrants(["careful", "first"]), 1, DEFAULT_LIMITS), Meeting(0, (0, 1), 0, "a deal"))
    >>> [(game.sides, game.points) for game in sat.games]
    [((0, 1), (1.0, 0.0)), ((1, 0), (0.0, 1.0))]
    """
    games, missing, attempts = list[SeatedGame](), set[str](), set[tuple[int, str]]()
    for sides in list_seatings(meeting.entrants):
        names_text = ", ".join(short_repr(terms.entrants[entrant].name) for entrant in sides)
        match = _create_match(terms, meeting.deal_seed)
        for part in range(terms.match):
            game = match.game if part == 0 else match.next_game()
            games.append(_play_game(terms, sides, part, game, f"{meeting.deal_seed} {names_text} {part}", missing, attempts))
            if games[-1].forfeit is not None or match.loser is not None:
                break
    return MeetingResult(tuple(games), frozenset(missing), frozenset(attempts))


def _create_match(terms: TournamentTerms, deal: str) -> Match:
    """Start a match (a series of games); the text `deal` is the seed of the first deal."""
    if terms.uses_whole_seed:
        return Match.from_game(Game(terms.rules, seed=deal), seed=f"{deal} goes on", seed_bits=_SEED_BITS)
    return Match(terms.rules, seed=deal)


def _play_game(
    terms: TournamentTerms,
    sides: tuple[int, ...],
    match_index: int,
    game: Game,
    seed: str,
    missing_protections: set[str],
    attempts: set[tuple[int, str]],
) -> SeatedGame:
    side_of = seating.side_of_seat(terms.rules)
    with ExitStack() as stack:
        players: dict[int, Any] = {}
        for side, entrant_number in enumerate(sides):
            entrant = terms.entrants[entrant_number]
            if entrant.kind == "code":
                confined = stack.enter_context(SandboxedBot(entrant.bot_source, terms.limits))
                stack.callback(_collect_sandbox_reports, confined, entrant_number, missing_protections, attempts)
                players[side] = confined
            else:
                players[side] = _create_trusted_bot(entrant)
        rngs = [create_player_rng(seed, seat) for seat in range(len(side_of))]
        while (seat := game.actor) is not None:
            move, reason = _choose_move(players[side_of[seat]], game.view(seat), rngs[seat])
            if move is None:
                loser = side_of[seat]
                points = tuple(float(side != loser) for side in range(len(sides)))
                return SeatedGame(sides, match_index, _format_game(terms, sides, game), points, GameForfeit(loser, reason, game.position))
            game.play(move)
    outcome = game.outcome
    assert outcome is not None  # noqa: S101 - nobody is at turn
    first_seats = [side_of.index(side) for side in range(len(sides))]
    points = tuple(_points_from_utility(outcome.utilities[seat]) for seat in first_seats)
    return SeatedGame(sides, match_index, _format_game(terms, sides, game), points, None)


def _collect_sandbox_reports(
    confined: SandboxedBot, entrant_number: int, missing_protections: set[str], attempts: set[tuple[int, str]]
) -> None:
    """Add a sandboxed bot's missing protections and blocked actions to two given sets."""
    missing_protections.update(confined.missing_restrictions)
    attempts.update((entrant_number, kind) for kind in confined.attempts)


def _points_from_utility(utility: float) -> float:
    """Convert a game's utility to points: 1 for a win, 0 for a loss, 0.5 for a tie."""
    return 1.0 if utility > 0 else 0.0 if utility < 0 else 0.5


def _create_trusted_bot(entrant: Entrant) -> Any:  # noqa: ANN401 - whatever plays
    """Return a copy of a bot that is trusted, and so runs without a sandbox.

    Without a copy, its moves could depend on the games that this process played before.
    """
    if entrant.kind == "ours":
        return _get_package_bot(entrant.bot_source)
    bot: Any = entrant.bot_source.implementation
    if type(bot).__module__.startswith("durak_widget."):  # The bots of this package have no memory of other games
        return bot
    try:
        return deepcopy(bot)
    except USER_CODE_EXCEPTIONS:
        return bot


@lru_cache(maxsize=64)
def _get_package_bot(name: str) -> Any:  # noqa: ANN401 - as above
    from durak_widget.bots.bot import get  # noqa: PLC0415 - this is what is kept

    return get(name).implementation


def _choose_move(bot: Any, view: Observation, rng: Random) -> tuple[Move | None, TranslatableText]:  # noqa: ANN401 - as above
    """Return the bot's move; if the bot forfeits, return None and the reason."""
    try:
        chosen = getattr(bot, "choose", bot)(view, rng)
        legal = view.legal_moves()
        move = next((move for move in legal if chosen in (move, str(move))), None)
        return move, TranslatableText("arena.forfeit.move", {"said": short_repr(chosen)}) if move is None else _NO_REASON
    except SandboxError as error:
        if error.fact.key == "class.code.nowhere":  # The sandbox can't start, which is not the bot's fault, so the bot does not forfeit
            raise
        return None, error.fact
    except USER_CODE_EXCEPTIONS as error:
        reportable = to_reportable_error(error)
        return None, TranslatableText(
            "class.code.raised", {"error": _make_printable(f"{error_class_name(reportable)}{_format_message(reportable)}")}
        )


def _format_message(error: Exception) -> str:
    """Return the message of `error` in brackets, or "" if the message can't be read."""
    try:
        return f" ({error})"
    except USER_CODE_EXCEPTIONS:
        return ""


def _make_printable(text: str) -> str:
    """Shorten a text, and replace characters that can't be printed."""
    return "".join(character if character.isprintable() else " " for character in text[:_MAX_REASON_LENGTH])


def _format_game(terms: TournamentTerms, sides: Sequence[int], game: Game) -> str:
    """Format a game as text, with comment lines that say which bot has which seat."""
    first_line, _, rest = str(game).partition("\n")
    remarks = [f"# Seat {seat}: {terms.entrants[sides[side]].name}" for seat, side in enumerate(seating.side_of_seat(terms.rules))]
    return "\n".join([first_line, *remarks, rest])
