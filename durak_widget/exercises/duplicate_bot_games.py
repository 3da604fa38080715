"""A bot judged by games in pairs: the same deals are played twice, with the seats exchanged, so that luck with the cards is had by both."""

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
"""So many pairs are played at most."""
SECONDS: Final = 20.0
"""So long a bot may think, in all its games together."""
_LONGEST: Final = 2000
"""A game of more moves never ends."""


class Pairs(NamedTuple):
    """Which games are played: the deals come from the seed."""

    rules: str
    opponent: str
    """A bot of this package, or habits in a line: `lead:high beat:low take:never throw:none`."""
    deals: int
    """So many deals, each played twice."""
    seed: str

    @classmethod
    def of(cls, given: object) -> Pairs:
        """Pairs from plain values, such as came from elsewhere; refused where they are none.

        >>> Pairs.of({"rules": "econ431", "opponent": "first", "deals": 0, "seed": "a"})
        Traceback (most recent call last):
        durak_widget.errors.DurakError: 1 to 1000 deals are played in pairs, not 0
        """
        fields = given._asdict() if isinstance(given, Pairs) else given
        if not isinstance(fields, Mapping) or set(fields) != set(cls._fields):
            raise DurakError(f"games in pairs are told by {', '.join(cls._fields)}, not by {quoted(given)}")
        deals = whole_number(fields["deals"])
        if deals is None or not 0 < deals <= MOST:
            raise DurakError(f"1 to {MOST} deals are played in pairs, not {quoted(fields['deals'])}")
        if seating.seats(Rules.of(fields["rules"])) != 2:
            raise DurakError("games in pairs are those of two players; add players=2, teams=none")
        opponent_of(fields["opponent"])
        return cls(str(fields["rules"]), fields["opponent"], deals, str(fields["seed"]))


def opponent_of(text: object) -> Bot:
    """The bot against which such games are played.

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
    """How a bot lost games without playing them to their end."""

    kind: str
    """`raised`, `slow`, `forever`; its words are `lesson.bot.fault.<kind>`."""
    games: int
    said: str
    """What was raised, of the first such game."""


class Score(NamedTuple):
    """What came of the games."""

    pairs: int
    won: int
    lost: int
    drawn: int
    mean: Fraction
    """What it won a game on average: 1 for a win, -1 for a loss."""
    error: float
    """The standard error of that: how far chance in the deals may have moved it."""
    faults: tuple[Fault, ...] = ()

    @property
    def games(self) -> int:
        """How many were played."""
        return 2 * self.pairs

    def __str__(self) -> str:
        return f"{self.won} won, {self.lost} lost, {self.drawn} drawn: {float(self.mean):+.2f} a game, give or take {self.error:.2f}"


class _FaultError(Exception):
    """A game that a bot has lost by what it did, not by its cards."""

    def __init__(self, kind: str, said: str = "") -> None:
        self.kind, self.said = kind, said


def play_pairs(bot: Playing, instance: object, *, seconds: float = SECONDS) -> Score:
    """Play the games of an instance, `task.instance`; whatever goes wrong with the bot counts as a lost game.

    >>> print(play_pairs("careful", Pairs("econ431", "first", 20, "a")))
    31 won, 9 lost, 0 drawn: +0.55 a game, give or take 0.14
    >>> play_pairs(lambda view, rng: "sleep", Pairs("econ431", "first", 2, "a")).faults[0].kind
    'raised'
    """
    pairs = Pairs.of(instance)
    mine, other = get(bot), opponent_of(pairs.opponent)
    clock, rules = _Clock(seconds), Rules.of(pairs.rules)
    won = lost = drawn = 0
    faults: dict[str, tuple[int, str]] = {}
    results = []
    for deal in range(pairs.deals):
        both, seed = 0, f"{pairs.seed} {deal}"
        game = Game(rules, seed=seed)
        for seat in (0, 1):
            game.goto(0)
            try:
                result = _played(game, mine, other, seat, seed, clock)
            except _FaultError as fault:
                result = -1
                before = faults.get(fault.kind, (0, fault.said))
                faults[fault.kind] = before[0] + 1, before[1]
            won, lost, drawn = won + (result > 0), lost + (result < 0), drawn + (not result)
            both += result
        results.append(both)
    mean = Fraction(sum(results), 2 * pairs.deals)
    spread = sum((Fraction(one, 2) - mean) ** 2 for one in results)
    error = sqrt(spread / (pairs.deals * (pairs.deals - 1))) if pairs.deals > 1 else 0.0
    return Score(pairs.deals, won, lost, drawn, mean, error, tuple(Fault(kind, *one) for kind, one in faults.items()))


class _Clock:
    """How long a bot has thought in all."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds


def _played(game: Game, mine: Bot, other: Bot, seat: int, seed: str, clock: _Clock) -> int:
    """What a game brings the bot on that seat."""
    chances, blind = [chance(seed, who) for who in (0, 1)], other.plays is first
    for _ in range(_LONGEST):
        actor = game.actor
        if actor is None:
            break
        if actor != seat:  # the first move is the same without a look at the game, and most games are against whoever makes it
            game.play(game.legal_moves()[0] if blind else other.choose(game.view(actor), chances[actor]))
            continue
        if clock.left <= 0:
            raise _FaultError("slow")
        view, began = game.view(actor), perf_counter()
        try:
            move = mine.choose(view, chances[actor])
        except ENDINGS as raised:
            error = tellable(raised)
            said = str(error) if isinstance(error, DurakError) else f"{type(error).__name__}: {error}"
            raise _FaultError("raised", quoted(said, 200)[1:-1]) from None
        clock.left -= perf_counter() - began
        game.play(move)
    outcome = game.outcome
    if outcome is None:
        raise _FaultError("forever")
    return (seat in outcome.winners) - (seat in outcome.losers)
