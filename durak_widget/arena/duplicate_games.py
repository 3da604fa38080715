"""One deal, played in every seating by those who meet over it; whoever cannot play on forfeits that game, and nobody else loses by it."""

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
"""What somebody's code may use in one game, at all its seats."""
_LONGEST: Final = 200
_BITS: Final = 256
_NOTHING: Final = Fact("arena.forfeit.nothing", {})


class Terms(NamedTuple):
    """What all meetings of a tournament have in common."""

    rules: Rules
    entrants: tuple[Entrant, ...]
    match: int
    limits: Limits
    whole_seed: bool = False
    """Whether the whole text of a meeting reaches each deal, and not 32 bits of it."""


class PlayedAt(NamedTuple):
    """A game as it was played at one seating."""

    sides: tuple[int, ...]
    """Who sat on each side."""
    part: int
    """Which of the games in a row."""
    text: str
    """The game; where somebody forfeited, as far as it went."""
    points: tuple[float, ...]
    """What each side has of one point: all of it for a win between two, half for a draw; of a forfeited game, what it would be to lose."""
    forfeit: Forfeited | None


class Forfeited(NamedTuple):
    """Why somebody could not play on."""

    side: int
    fact: Fact
    position: str
    """Where it stood, as a line that `Game.at` reads."""


class Sat(NamedTuple):
    """What came of a meeting, and what did not hold somebody's code back there."""

    games: tuple[PlayedAt, ...]
    missing: frozenset[str]
    attempts: frozenset[tuple[int, str]] = frozenset()
    """Who tried what the sandbox refused: numbers of entrants, each with one of `audit_hooks.KINDS`."""


def meet(terms: Terms, meeting: Meeting) -> Sat:
    """Play a deal in every seating; the same for the same terms and meeting, wherever that is.

    >>> from durak_widget import Rules
    >>> from durak_widget.arena.bot_entrants import entrants
    >>> sat = meet(Terms(Rules(), entrants(["careful", "first"]), 1, GAME), Meeting(0, (0, 1), 0, "a deal"))
    >>> [(game.sides, game.points) for game in sat.games]
    [((0, 1), (1.0, 0.0)), ((1, 0), (0.0, 1.0))]
    """
    found, missing, attempts = list[PlayedAt](), set[str](), set[tuple[int, str]]()
    for sides in seatings(meeting.who):
        named = ", ".join(quoted(terms.entrants[one].name) for one in sides)
        match = _match(terms, meeting.deal)
        for part in range(terms.match):
            game = match.game if part == 0 else match.next_game()
            found.append(_played(terms, sides, part, game, f"{meeting.deal} {named} {part}", missing, attempts))
            if found[-1].forfeit is not None or match.loser is not None:
                break
    return Sat(tuple(found), frozenset(missing), frozenset(attempts))


def _match(terms: Terms, deal: str) -> Match:
    if terms.whole_seed:
        return Match.of(Game(terms.rules, seed=deal), seed=f"{deal} goes on", bits=_BITS)
    return Match(terms.rules, seed=deal)


def _played(
    terms: Terms, sides: tuple[int, ...], part: int, game: Game, seed: str, missing: set[str], attempts: set[tuple[int, str]]
) -> PlayedAt:
    side_of = seating.sides(terms.rules)
    with ExitStack() as over:
        players: dict[int, Any] = {}
        for side, who in enumerate(sides):
            entrant = terms.entrants[who]
            if entrant.kind == "code":
                confined = over.enter_context(Confined(entrant.plays, terms.limits))
                over.callback(_note, confined, who, missing, attempts)
                players[side] = confined
            else:
                players[side] = _own(entrant)
        chances = [chance(seed, seat) for seat in range(len(side_of))]
        while (seat := game.actor) is not None:
            move, wrong = _chosen(players[side_of[seat]], game.view(seat), chances[seat])
            if move is None:
                lost = side_of[seat]
                points = tuple(float(side != lost) for side in range(len(sides)))
                return PlayedAt(sides, part, _text(terms, sides, game), points, Forfeited(lost, wrong, game.position))
            game.play(move)
    outcome = game.outcome
    assert outcome is not None  # noqa: S101 - nobody is at turn
    first = [side_of.index(side) for side in range(len(sides))]
    points = tuple(_points(outcome.utilities[seat]) for seat in first)
    return PlayedAt(sides, part, _text(terms, sides, game), points, None)


def _note(confined: Confined, who: int, missing: set[str], attempts: set[tuple[int, str]]) -> None:
    missing.update(confined.missing)
    attempts.update((who, kind) for kind in confined.attempts)


def _points(worth: float) -> float:
    """What a game was worth, as points: a win one, a loss none, and what lies between is a draw."""
    return 1.0 if worth > 0 else 0.0 if worth < 0 else 0.5


def _own(entrant: Entrant) -> Any:  # noqa: ANN401 - whatever plays
    """Whoever needs no walls, as if no game had been played before: else what it remembers would hang on who has played where."""
    if entrant.kind == "ours":
        return _ours(entrant.plays)
    plays: Any = entrant.plays.plays
    if type(plays).__module__.startswith("durak_widget."):  # these remember nothing that matters
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
    """The move that is chosen; or none, and why."""
    try:
        chosen = getattr(plays, "choose", plays)(view, rng)
        legal = view.legal_moves()
        move = next((move for move in legal if chosen in (move, str(move))), None)
        return move, Fact("arena.forfeit.move", {"said": quoted(chosen)}) if move is None else _NOTHING
    except ConfinedError as error:
        if error.fact.key == "class.code.nowhere":  # which is no fault of the code
            raise
        return None, error.fact
    except ENDINGS as error:
        told = tellable(error)
        return None, Fact("class.code.raised", {"error": _one_line(f"{class_of(told)}{_words(told)}")})


def _words(error: Exception) -> str:
    """What an error says, where it says anything: its text is somebody's code too."""
    try:
        return f" ({error})"
    except ENDINGS:
        return ""


def _one_line(said: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in said[:_LONGEST])


def _text(terms: Terms, sides: Sequence[int], game: Game) -> str:
    """The game as text, and in remarks who sat where."""
    first, _, rest = str(game).partition("\n")
    said = [f"# Seat {seat}: {terms.entrants[sides[side]].name}" for seat, side in enumerate(seating.sides(terms.rules))]
    return "\n".join([first, *said, rest])
