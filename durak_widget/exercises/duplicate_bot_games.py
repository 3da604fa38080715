"""Paired games of a bot: each deal is played twice with the seats exchanged.

So both sides have the same luck with the cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from time import perf_counter
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.bots.bot import chance, get
from durak_widget.bots.heuristic_bots import first
from durak_widget.engine.game import Game
from durak_widget.errors import ENDINGS, DurakError, quoted, tellable, whole_number
from durak_widget.exercises.habit_bot import habits_of
from durak_widget.rules import seating
from durak_widget.rules.ruleset import Rules

if TYPE_CHECKING:
    from durak_widget.bots.bot import Bot, BotLike, Choice

    Playing = str | Bot | BotLike | Choice

MOST: Final = 1000
"""The maximum number of deals."""
SECONDS: Final = 20.0
"""The thinking time of a bot in all its games together."""
_LONGEST: Final = 2000
"""The maximum number of moves; a longer game never ends."""


class Pairs(NamedTuple):
    """The games to play; the deals come from the seed."""

    rules: str
    opponent: str
    """A bot of this package, or habits in a line: `lead:high beat:low take:never throw:none`."""
    deals: int
    """The number of deals, each of which is played twice."""
    seed: str

    @classmethod
    def of(cls, given: object) -> Pairs:
        """Build it from plain values, or raise an error if they are not valid.

        >>> Pairs.of({"rules": "econ431", "opponent": "first", "deals": 0, "seed": "a"})
        Traceback (most recent call last):
        durak_widget.errors.DurakError: 1 to 1000 deals are played in pairs, not 0
        """
        values = given._asdict() if isinstance(given, Pairs) else given
        if not isinstance(values, Mapping) or set(values) != set(cls._fields):
            raise DurakError(f"games in pairs are told by {', '.join(cls._fields)}, not by {quoted(given)}")
        deals = whole_number(values["deals"])
        if deals is None or not 0 < deals <= MOST:
            raise DurakError(f"1 to {MOST} deals are played in pairs, not {quoted(values['deals'])}")
        if seating.seats(Rules.of(values["rules"])) != 2:
            raise DurakError("games in pairs are those of two players; add players=2, teams=none")
        opponent_of(values["opponent"])
        return cls(str(values["rules"]), values["opponent"], deals, str(values["seed"]))


def opponent_of(text: object) -> Bot:
    """Return the opponent's bot from its name or its habits.

    >>> opponent_of("careful"), opponent_of("lead:high beat:low take:never throw:none").plays.lead
    (<Bot careful>, 'high')
    """
    if not isinstance(text, str):
        raise DurakError(f"games in pairs are played against a bot, by its name or by its habits in a line, not {quoted(text)}")
    if ":" not in text:
        return get(text)
    habits = habits_of(text)
    if not all(habits):
        raise DurakError(f"a bot of habits has one of each, {', '.join(habits._fields)}, and {quoted(text)} has not")
    return get(habits)


class Fault(NamedTuple):
    """A kind of error by which a bot lost games without finishing them."""

    kind: str
    """`raised`, `slow` or `forever`; its text is `lesson.bot.fault.<kind>`."""
    games: int
    said: str
    """The error of the first such game."""


class Score(NamedTuple):
    """The results of the games."""

    pairs: int
    won: int
    lost: int
    drawn: int
    mean: Fraction
    """The average result of a game: 1 for a win, -1 for a loss."""
    error: float
    """The standard error of the mean, due to chance in the deals."""
    faults: tuple[Fault, ...] = ()

    @property
    def games(self) -> int:
        """Return the number of games."""
        return 2 * self.pairs

    def __str__(self) -> str:
        return f"{self.won} won, {self.lost} lost, {self.drawn} drawn: {float(self.mean):+.2f} a game, give or take {self.error:.2f}"


class _FaultError(Exception):
    """A game lost by an error of the bot, not by its cards."""

    def __init__(self, kind: str, said: str = "") -> None:
        self.kind, self.said = kind, said


def play_pairs(bot: Playing, instance: object, *, seconds: float = SECONDS) -> Score:
    """Play the games of `task.instance`; an error of the bot counts as a lost game.

    >>> print(play_pairs("careful", Pairs("econ431", "first", 20, "a")))
    31 won, 9 lost, 0 drawn: +0.55 a game, give or take 0.14
    >>> play_pairs(lambda view, rng: "sleep", Pairs("econ431", "first", 2, "a")).faults[0].kind
    'raised'
    """
    pairs = Pairs.of(instance)
    own_bot, opponent = get(bot), opponent_of(pairs.opponent)
    clock, rules = _Clock(seconds), Rules.of(pairs.rules)
    won = lost = tied = 0
    faults: dict[str, tuple[int, str]] = {}
    results = []
    for deal in range(pairs.deals):
        pair_result, seed = 0, f"{pairs.seed} {deal}"
        game = Game(rules, seed=seed)
        for seat in (0, 1):
            game.goto(0)
            try:
                result = _played(game, own_bot, opponent, seat, seed, clock)
            except _FaultError as fault:
                result = -1
                earlier = faults.get(fault.kind, (0, fault.said))
                faults[fault.kind] = earlier[0] + 1, earlier[1]
            won, lost, tied = won + (result > 0), lost + (result < 0), tied + (not result)
            pair_result += result
        results.append(pair_result)
    mean = Fraction(sum(results), 2 * pairs.deals)
    spread = sum((Fraction(result, 2) - mean) ** 2 for result in results)
    standard_error = sqrt(spread / (pairs.deals * (pairs.deals - 1))) if pairs.deals > 1 else 0.0
    return Score(
        pairs.deals, won, lost, tied, mean, standard_error, tuple(Fault(kind, *count_and_text) for kind, count_and_text in faults.items())
    )


class _Clock:
    """The thinking time that a bot has left."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds


def _played(game: Game, mine: Bot, other: Bot, seat: int, seed: str, clock: _Clock) -> int:
    """Play one game and return its result for the bot on `seat`."""
    random_sources, is_first_bot = [chance(seed, chance_seat) for chance_seat in (0, 1)], other.plays is first
    for _ in range(_LONGEST):
        actor = game.actor
        if actor is None:
            break
        if actor != seat:  # saves time: this opponent needs no view, and most games are against it
            game.play(game.legal_moves()[0] if is_first_bot else other.choose(game.view(actor), random_sources[actor]))
            continue
        if clock.left <= 0:
            raise _FaultError("slow")
        view, start_time = game.view(actor), perf_counter()
        try:
            move = mine.choose(view, random_sources[actor])
        except ENDINGS as exception:
            error = tellable(exception)
            text = str(error) if isinstance(error, DurakError) else f"{type(error).__name__}: {error}"
            raise _FaultError("raised", quoted(text, 200)[1:-1]) from None
        clock.left -= perf_counter() - start_time
        game.play(move)
    outcome = game.outcome
    if outcome is None:
        raise _FaultError("forever")
    return (seat in outcome.winners) - (seat in outcome.losers)
