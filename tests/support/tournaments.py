"""Invented tournament results, as a drawing, a page and a widget use them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

from durak_widget import Game, Rules, bots

HOSTILE = (
    "<script>alert(1)</script>",
    "Ann",
    '"><img src=x onerror=alert(2)>',
    "Ilgiausia įsivaizduojama lietuviška programos pavadinimo eilė Ž",
    "Самая длинная программа, какую только можно себе представить",
    "👩‍👩‍👧‍👦 šeima 🂡",
    "Nebeprisikiškiakopūsteliaujantysis" * 2,
    "a\u202egnorw\u202c &amp; {bot} %s",
)
"""Possible names of bots."""


class Rated(NamedTuple):
    """A rating."""

    bot: int
    points: float | None
    low: float | None
    high: float | None
    rank: int
    rank_low: int
    rank_high: int
    score: float
    games: int


class Met(NamedTuple):
    """The result of one bot against another."""

    mean: float
    low: float
    high: float
    deal_count: int
    games_played: int


class Lost(NamedTuple):
    """A forfeit."""

    bot: str
    game_number: int
    said: str
    position: str

    def sentence(self, _: str = "en") -> str:
        """Return what happened, in any language."""
        return self.said


class AGame(NamedTuple):
    """A game of the list."""

    number: int

    @property
    def game(self) -> Game:
        """Return a game of bots."""
        return bots.play(Game(seed=self.number), ["first", "random"], self.number)


class Games(list[AGame]):
    """The games of a tournament of these bots."""

    def __init__(self, names: tuple[str, ...], many: int) -> None:
        super().__init__(map(AGame, range(many)))
        self.pairs = list(pairwise((*names, names[0])))

    def list_headers(self) -> list[tuple[int, tuple[str, ...], tuple[float, ...], str | None]]:
        """Return the players and results of games."""
        return [(number, self.pairs[number % len(self.pairs)], (1.0, 0.0), None) for number in range(len(self))]


@dataclass
class Stood:
    """A ranking of bots with given strengths, each with an interval."""

    names: tuple[str, ...]
    strengths: tuple[float, ...]
    give: float
    games: int

    def is_better(self, i: int, j: int) -> bool:
        """Return whether the intervals do not overlap."""
        return self.strengths[i] - self.strengths[j] > 2 * self.give

    def share(self, i: int, j: int) -> Met | None:
        """Return one bot's share against the other."""
        if not self.games:
            return None
        mean = min(97.0, max(3.0, 50 + (self.strengths[i] - self.strengths[j]) / 2))
        return Met(mean, max(0.0, mean - self.give), min(100.0, mean + self.give), self.games // 2, self.games)

    @property
    def order(self) -> tuple[int, ...]:
        """Return the bots, the best first."""
        return tuple(sorted(range(len(self.names)), key=lambda i: -self.strengths[i]))

    @property
    def ratings(self) -> tuple[Rated, ...]:
        """Return the ratings by strength."""
        place = {bot: at + 1 for at, bot in enumerate(self.order)}
        every = range(len(self.names))
        return tuple(
            Rated(
                i,
                self.strengths[i] if self.games else None,
                self.strengths[i] - self.give if self.games else None,
                self.strengths[i] + self.give if self.games else None,
                place[i],
                1 + sum(self.is_better(j, i) for j in every),
                len(self.names) - sum(self.is_better(i, j) for j in every),
                self.strengths[i] / 100,
                self.games * (len(self.names) - 1),
            )
            for i in every
        )

    @property
    def tie_groups(self) -> tuple[tuple[int, ...], ...]:
        """Return the groups of bots that can't be distinguished."""
        order = self.order
        found: list[tuple[int, ...]] = []
        for first in range(len(order)):
            last = first
            while last + 1 < len(order) and not self.is_better(order[first], order[last + 1]):
                last += 1
            if not found or order[last] not in found[-1]:
                found.append(order[first : last + 1])
        return tuple(found)


@dataclass
class Played:
    """A tournament up to its current state."""

    names: tuple[str, ...]
    standings: Stood
    rules: Rules = field(default_factory=Rules)
    system: str = "all"
    seed: object = 7
    games_played: int = 600
    games_planned: int = 1000
    forfeits: tuple[Lost, ...] = ()
    disqualified: tuple[str, ...] = ()
    rating_history: tuple[tuple[int, tuple[float | None, ...]], ...] = ()
    problems: tuple[str, ...] = ()
    games_cancelled: int = 0
    refused_attempts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    same_move_groups: tuple[tuple[int, ...], ...] = ()

    @property
    def games(self) -> Games:
        """Return the games played."""
        return Games(self.names, min(self.games_played, 120))

    def count_games_of(self, bot: int) -> int:
        """Return the number of games in a bot's rating."""
        rating = self.standings.ratings[bot]
        return 0 if rating is None else rating.games

    def estimate_games_needed(self, points: float = 5.0) -> int:
        """Return how many games would be enough."""
        return max(0, round(self.games_played * ((self.standings.give / points) ** 2 - 1)))

    def estimate_games_to_separate(self, name: str, other: str) -> int | None:
        """Return the number of games of two hundred deals."""
        first, second = (self.standings.strengths[self.names.index(bot)] for bot in (name, other))
        return None if first == second else 200 * self.games_played // max(1, self.standings.games * len(self.names) // 4)


def a_course(strengths: tuple[float, ...], played: int, points: int = 20) -> tuple[tuple[int, tuple[float | None, ...]], ...]:
    """Return a series of ratings that converges."""
    random = Random(3)
    found = []
    for step in range(1, points + 1):
        shakes = 14 * (1 - step / points)
        found.append(
            (played * step // points, tuple(min(99.0, max(1.0, strength + random.uniform(-shakes, shakes))) for strength in strengths))
        )
    return tuple(found)


def of_four(**changes: Any) -> Played:
    """Return a ranking in which Ann is better than all, and Cem and Dora can't be distinguished."""
    names, strengths = ("Ben", "Ann", "Dora", "Cem"), (58.0, 71.0, 34.5, 36.0)
    return replace(Played(names, Stood(names, strengths, 4.0, 200), rating_history=a_course(strengths, 600)), **changes)


def of_many(count: int = 30, **changes: Any) -> Played:
    """Return a ranking of many bots, with all kinds of names and overlapping groups."""
    names = tuple((*HOSTILE, *(f"Bot {n}" for n in range(count)))[:count])
    strengths = tuple(82 - 64 * ((n * 7) % count) / count for n in range(count))
    forfeits = tuple(
        Lost(names[n % 8], 3 + n, f"{names[n % 8]} raised <ValueError>: it played 7♣ that it does not hold", "podkidnoy; 6c 7d / 9h")
        for n in range(15)
    )
    found = Played(
        names,
        Stood(names, strengths, 5.0, 60),
        rating_history=a_course(strengths, 9000),
        forfeits=forfeits,
        disqualified=(names[0], names[4]),
    )
    return replace(found, games_played=18_000, games_planned=26_100, seed="a seed & more", **changes)


def not_begun() -> Played:
    """Return a tournament without games."""
    names = ("Ann", "Ben")
    return Played(names, Stood(names, (50.0, 50.0), 50.0, 0), games_played=0)


@dataclass
class Running:
    """A run whose games take no time: it reports the ranking after each step of a hundred games."""

    games_planned: int = 1000
    games_played: int = 0
    names: tuple[str, ...] = ("Ben", "Ann", "Dora", "Cem")
    fails_at: int | None = None
    before: Any = None
    """A callback before each step."""

    @property
    def ranking(self) -> Played:
        """Return the current ranking."""
        found = of_four(games_played=self.games_played, games_planned=self.games_planned, names=self.names)
        stood = Stood(self.names, found.standings.strengths, 40 / max(1, self.games_played) ** 0.35, self.games_played // 3)
        return replace(
            found, standings=stood, rating_history=tuple(rating for rating in found.rating_history if rating[0] <= self.games_played)
        )

    def play_on(self, *, should_stop: Any) -> Any:
        """Continue in steps."""
        while self.games_played < self.games_planned and not should_stop():
            if self.before is not None:
                self.before()
            if self.fails_at is not None and self.games_played >= self.fails_at:
                raise RuntimeError("the disk is full")
            self.games_played += 100
            yield self.ranking
