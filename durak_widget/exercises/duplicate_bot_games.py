"""Paired games of a bot: each deal is played twice, with the seats exchanged.

So both sides have the same luck with the cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.bots.bot import create_player_rng, get
from durak_widget.bots.heuristic_bots import choose_first
from durak_widget.engine.game import Game
from durak_widget.errors import USER_CODE_EXCEPTIONS, DurakError, as_whole_number, short_repr, to_reportable_error
from durak_widget.exercises.habit_bot import parse_habits
from durak_widget.rules import seating
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from durak_widget.bots.bot import Bot, BotLike, ChooseFunction

    BotInput = str | Bot | BotLike | ChooseFunction

MAX_DEALS: Final = 1000
"""The maximum number of deals in an exercise."""
TIME_LIMIT_SECONDS: Final = 20.0
"""The time that a bot may spend in all its games together, in seconds."""
_MAX_MOVES: Final = 2000
"""The number of moves after which a game is stopped, because it may never end."""


class PairedGames(NamedTuple):
    """The settings of an exercise's paired games; their seed determines the deals."""

    rules: str
    opponent: str
    """The opponent: a bot of this package, or simple rules (habits) such as `lead:high beat:low take:never throw:none`."""
    deals: int
    """The number of deals; each deal is played twice."""
    seed: str

    @classmethod
    def from_value(cls, value: object) -> PairedGames:
        """Build the settings of paired games from a mapping; raise an error for invalid settings.

        >>> PairedGames.from_value({"rules": "econ431", "opponent": "first", "deals": 0, "seed": "a"})
        Traceback (most recent call last):
        durak_widget.errors.DurakError: games in pairs can have 1 to 1000 deals, not 0
        """
        values = value._asdict() if isinstance(value, PairedGames) else value
        if not isinstance(values, Mapping) or set(values) != set(cls._fields):
            raise DurakError(f"games in pairs need {', '.join(cls._fields)}, not {short_repr(value)}")
        deals = as_whole_number(values["deals"])
        if deals is None or not 0 < deals <= MAX_DEALS:
            raise DurakError(f"games in pairs can have 1 to {MAX_DEALS} deals, not {short_repr(values['deals'])}")
        if seating.seat_count(Rules.coerce(values["rules"])) != 2:
            raise DurakError("games in pairs need rules for two players; add players=2, teams=none")
        resolve_opponent(values["opponent"])
        return cls(str(values["rules"]), values["opponent"], deals, str(values["seed"]))


def resolve_opponent(text: object) -> Bot:
    """Return the opponent bot, given its name or a line with its simple rules (habits).

    >>> resolve_opponent("careful"), resolve_opponent("lead:high beat:low take:never throw:none").implementation.lead
    (<Bot careful>, 'high')
    """
    if not isinstance(text, str):
        raise DurakError(f"the opponent in games in pairs must be a bot's name, or its habits in one line, not {short_repr(text)}")
    if ":" not in text:
        return get(text)
    habits = parse_habits(text)
    if not all(habits):
        raise DurakError(f"a bot must have each of the habits {', '.join(habits._fields)}, and {short_repr(text)} does not")
    return get(habits)


class BotFault(NamedTuple):
    """A kind of error that made a bot lose games, with the number of these games."""

    kind: str
    """The kind of error: `raised`, `slow` or `forever`; its text is `lesson.bot.fault.<kind>`."""
    games: int
    error_text: str
    """The error message from the first game that was lost through this kind of error."""


class PairedGamesScore(NamedTuple):
    """The score of a bot in its paired games."""

    deals: int
    won: int
    lost: int
    tied: int
    mean_result: Fraction
    """The average result of a game: 1 for a win, -1 for a loss."""
    standard_error: float
    """The standard error of the average result, caused by the random deals."""
    faults: tuple[BotFault, ...] = ()

    @property
    def games(self) -> int:
        """Return the number of games that were played: two for each deal."""
        return 2 * self.deals

    def __str__(self) -> str:
        return f"{self.won} won, {self.lost} lost, {self.tied} drawn: {float(self.mean_result):+.2f} a game, give or take {self.standard_error:.2f}"


class _BotFaultError(Exception):
    """An error that ends a game because the bot's program failed or was too slow."""

    def __init__(self, kind: str, error_text: str = "") -> None:
        self.kind, self.error_text = kind, error_text


def play_paired_games(bot: BotInput, paired_games: object, *, seconds: float = TIME_LIMIT_SECONDS) -> PairedGamesScore:
    """Play all games of a bot exercise; a game in which the bot fails counts as lost.

    >>> print(play_paired_games("careful", PairedGames("econ431", "first", 20, "a")))
    31 won, 9 lost, 0 drawn: +0.55 a game, give or take 0.14
    >>> play_paired_games(lambda view, rng: "sleep", PairedGames("econ431", "first", 2, "a")).faults[0].kind
    'raised'
    """
    pairs = PairedGames.from_value(paired_games)
    own_bot, opponent = get(bot), resolve_opponent(pairs.opponent)
    clock, rules = _ThinkingClock(seconds), Rules.coerce(pairs.rules)
    won = lost = tied = 0
    faults: dict[str, tuple[int, str]] = {}
    results = []
    for deal in range(pairs.deals):
        pair_result, seed = 0, f"{pairs.seed} {deal}"
        game = Game(rules, seed=seed)
        for seat in (0, 1):
            game.goto(0)
            try:
                result = _play_game(game, own_bot, opponent, seat, seed, clock)
            except _BotFaultError as fault:
                result = -1
                earlier = faults.get(fault.kind, (0, fault.error_text))
                faults[fault.kind] = earlier[0] + 1, earlier[1]
            won, lost, tied = won + (result > 0), lost + (result < 0), tied + (not result)
            pair_result += result
        results.append(pair_result)
    mean = Fraction(sum(results), 2 * pairs.deals)
    spread = sum((Fraction(result, 2) - mean) ** 2 for result in results)
    standard_error = sqrt(spread / (pairs.deals * (pairs.deals - 1))) if pairs.deals > 1 else 0.0
    return PairedGamesScore(
        pairs.deals,
        won,
        lost,
        tied,
        mean,
        standard_error,
        tuple(BotFault(kind, *count_and_text) for kind, count_and_text in faults.items()),
    )


class _ThinkingClock:
    """The time that a bot may still spend on its choices, in seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds_left = seconds


def _play_game(game: Game, bot: Bot, opponent: Bot, seat: int, seed: str, clock: _ThinkingClock) -> int:
    """Play one game of a bot against an opponent; return the result for the bot in `seat`."""
    random_sources, is_first_bot = [create_player_rng(seed, chance_seat) for chance_seat in (0, 1)], opponent.implementation is choose_first
    for _ in range(_MAX_MOVES):
        actor = game.actor
        if actor is None:
            break
        if actor != seat:  # The bot that plays the first legal move needs no view, which is slow to compute
            game.play(game.legal_moves()[0] if is_first_bot else opponent.choose(game.view(actor), random_sources[actor]))
            continue
        if clock.seconds_left <= 0:
            raise _BotFaultError("slow")
        view, start_time = game.view(actor), perf_counter()
        try:
            move = bot.choose(view, random_sources[actor])
        except USER_CODE_EXCEPTIONS as exception:
            error = to_reportable_error(exception)
            text = str(error) if isinstance(error, DurakError) else f"{type(error).__name__}: {error}"
            raise _BotFaultError("raised", short_repr(text, 200)[1:-1]) from None
        clock.seconds_left -= perf_counter() - start_time
        game.play(move)
    outcome = game.outcome
    if outcome is None:
        raise _BotFaultError("forever")
    return (seat in outcome.winners) - (seat in outcome.losers)
