"""Plays one deal in every seating of the bots that meet.

A bot that can't play on forfeits that game, and no other bot loses by it.
"""

from __future__ import annotations

from contextlib import ExitStack
from copy import deepcopy
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.arena.schedule import Meeting, seatings
from durak_widget.bots.bot import chance
from durak_widget.engine.game import Game
from durak_widget.engine.match import Match
from durak_widget.errors import ENDINGS, class_of, quoted, tellable
from durak_widget.i18n import Fact
from durak_widget.rules import seating
from durak_widget.sandbox.code_runner import Confined, ConfinedError, Limits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from durak_widget.arena.bot_entrants import Entrant
    from durak_widget.engine.moves import Move
    from durak_widget.engine.observation import View
    from durak_widget.rules.ruleset import Rules

GAME: Final = Limits(seconds=5)
"""The limits of sandboxed code in one game, for all its seats together."""
_LONGEST: Final = 200
_BITS: Final = 256
_NOTHING: Final = Fact("arena.forfeit.nothing", {})


class Terms(NamedTuple):
    """The settings that all meetings of a tournament share."""

    rules: Rules
    entrants: tuple[Entrant, ...]
    match: int
    limits: Limits
    whole_seed: bool = False
    """True if each deal depends on the whole text of its meeting, not on 32 bits of it."""


class PlayedAt(NamedTuple):
    """A game that was played at one seating."""

    sides: tuple[int, ...]
    """The entrant on each side."""
    part: int
    """The number of the game in a match."""
    text: str
    """The game as text, up to the forfeit if there was one."""
    points: tuple[float, ...]
    """The points of each side out of 1: a win 1, a tie 0.5; a forfeited game counts as lost."""
    forfeit: Forfeited | None


class Forfeited(NamedTuple):
    """The forfeit of a game and its reason."""

    side: int
    fact: Fact
    position: str
    """The position then, as a line for `Game.at`."""


class Sat(NamedTuple):
    """The games of a meeting, and what the sandbox reported."""

    games: tuple[PlayedAt, ...]
    missing: frozenset[str]
    attempts: frozenset[tuple[int, str]] = frozenset()
    """The entrants whose code tried what the sandbox refused, each with one of `audit_hooks.KINDS`."""


def meet(terms: Terms, meeting: Meeting) -> Sat:
    """Play a deal in every seating; the result depends only on the terms and the meeting.

    >>> from durak_widget import Rules
    >>> from durak_widget.arena.bot_entrants import entrants
    >>> sat = meet(Terms(Rules(), entrants(["careful", "first"]), 1, GAME), Meeting(0, (0, 1), 0, "a deal"))
    >>> [(game.sides, game.points) for game in sat.games]
    [((0, 1), (1.0, 0.0)), ((1, 0), (0.0, 1.0))]
    """
    games, missing, attempts = list[PlayedAt](), set[str](), set[tuple[int, str]]()
    for sides in seatings(meeting.who):
        names_text = ", ".join(quoted(terms.entrants[entrant].name) for entrant in sides)
        match = _match(terms, meeting.deal)
        for part in range(terms.match):
            game = match.game if part == 0 else match.next_game()
            games.append(_played(terms, sides, part, game, f"{meeting.deal} {names_text} {part}", missing, attempts))
            if games[-1].forfeit is not None or match.loser is not None:
                break
    return Sat(tuple(games), frozenset(missing), frozenset(attempts))


def _match(terms: Terms, deal: str) -> Match:
    if terms.whole_seed:
        return Match.of(Game(terms.rules, seed=deal), seed=f"{deal} goes on", bits=_BITS)
    return Match(terms.rules, seed=deal)


def _played(
    terms: Terms, sides: tuple[int, ...], part: int, game: Game, seed: str, missing: set[str], attempts: set[tuple[int, str]]
) -> PlayedAt:
    side_of = seating.sides(terms.rules)
    with ExitStack() as stack:
        players: dict[int, Any] = {}
        for side, entrant_number in enumerate(sides):
            entrant = terms.entrants[entrant_number]
            if entrant.kind == "code":
                confined = stack.enter_context(Confined(entrant.plays, terms.limits))
                stack.callback(_note, confined, entrant_number, missing, attempts)
                players[side] = confined
            else:
                players[side] = _own(entrant)
        rngs = [chance(seed, seat) for seat in range(len(side_of))]
        while (seat := game.actor) is not None:
            move, reason = _chosen(players[side_of[seat]], game.view(seat), rngs[seat])
            if move is None:
                loser = side_of[seat]
                points = tuple(float(side != loser) for side in range(len(sides)))
                return PlayedAt(sides, part, _text(terms, sides, game), points, Forfeited(loser, reason, game.position))
            game.play(move)
    outcome = game.outcome
    assert outcome is not None  # noqa: S101 - nobody is at turn
    first_seats = [side_of.index(side) for side in range(len(sides))]
    points = tuple(_points(outcome.utilities[seat]) for seat in first_seats)
    return PlayedAt(sides, part, _text(terms, sides, game), points, None)


def _note(confined: Confined, who: int, missing: set[str], attempts: set[tuple[int, str]]) -> None:
    missing.update(confined.missing)
    attempts.update((who, kind) for kind in confined.attempts)


def _points(worth: float) -> float:
    """Return the points of a game: 1 for a win, 0 for a loss, 0.5 for a tie."""
    return 1.0 if worth > 0 else 0.0 if worth < 0 else 0.5


def _own(entrant: Entrant) -> Any:  # noqa: ANN401 - whatever plays
    """Return the bot of an entrant that needs no sandbox, as if it had not played yet.

    It is copied, or its moves could depend on the games that this process played before.
    """
    if entrant.kind == "ours":
        return _ours(entrant.plays)
    plays: Any = entrant.plays.plays
    if type(plays).__module__.startswith("durak_widget."):  # these bots remember nothing between games
        return plays
    try:
        return deepcopy(plays)
    except ENDINGS:
        return plays


@lru_cache(maxsize=64)
def _ours(name: str) -> Any:  # noqa: ANN401 - as above
    from durak_widget.bots.bot import get  # noqa: PLC0415 - this is what is kept

    return get(name).plays


def _chosen(plays: Any, view: View, rng: Random) -> tuple[Move | None, Fact]:  # noqa: ANN401 - as above
    """Return the chosen move, or None and the reason."""
    try:
        chosen = getattr(plays, "choose", plays)(view, rng)
        legal = view.legal_moves()
        move = next((move for move in legal if chosen in (move, str(move))), None)
        return move, Fact("arena.forfeit.move", {"said": quoted(chosen)}) if move is None else _NOTHING
    except ConfinedError as error:
        if error.fact.key == "class.code.nowhere":  # not the fault of the code
            raise
        return None, error.fact
    except ENDINGS as error:
        reportable = tellable(error)
        return None, Fact("class.code.raised", {"error": _one_line(f"{class_of(reportable)}{_words(reportable)}")})


def _words(error: Exception) -> str:
    """Return the message of an error in brackets; empty if the message itself raises."""
    try:
        return f" ({error})"
    except ENDINGS:
        return ""


def _one_line(said: str) -> str:
    return "".join(character if character.isprintable() else " " for character in said[:_LONGEST])


def _text(terms: Terms, sides: Sequence[int], game: Game) -> str:
    """Return the game as text, with remarks that name the bot of each seat."""
    first_line, _, rest = str(game).partition("\n")
    remarks = [f"# Seat {seat}: {terms.entrants[sides[side]].name}" for seat, side in enumerate(seating.sides(terms.rules))]
    return "\n".join([first_line, *remarks, rest])
