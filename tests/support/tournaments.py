"""Small tournaments that were never played: names, shares and intervals as a drawing, a page and a widget are told of them."""

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
"""What somebody may call a bot."""


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
    """One against another."""

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
        """What happened, in whatever language."""
        return self.said


class AGame(NamedTuple):
    """A game of the list."""

    number: int

    @property
    def game(self) -> Game:
        """A game of bots."""
        return bots.play(Game(seed=self.number), ["first", "random"], self.number)


class Games(list[AGame]):
    """The games of a tournament of these bots."""

    def __init__(self, names: tuple[str, ...], many: int) -> None:
        super().__init__(map(AGame, range(many)))
        self.pairs = list(pairwise((*names, names[0])))

    def list_headers(self) -> list[tuple[int, tuple[str, ...], tuple[float, ...], str | None]]:
        """Who sat where, and what they got."""
        return [(number, self.pairs[number % len(self.pairs)], (1.0, 0.0), None) for number in range(len(self))]


@dataclass
class Stood:
    """How bots stand whose strengths are given: each is known to within so many points."""

    names: tuple[str, ...]
    strengths: tuple[float, ...]
    give: float
    games: int

    def is_better(self, i: int, j: int) -> bool:
        """Whether the intervals lie apart."""
        return self.strengths[i] - self.strengths[j] > 2 * self.give

    def share(self, i: int, j: int) -> Met | None:
        """What one has of the other."""
        if not self.games:
            return None
        mean = min(97.0, max(3.0, 50 + (self.strengths[i] - self.strengths[j]) / 2))
        return Met(mean, max(0.0, mean - self.give), min(100.0, mean + self.give), self.games // 2, self.games)

    @property
    def order(self) -> tuple[int, ...]:
        """The best first."""
        return tuple(sorted(range(len(self.names)), key=lambda i: -self.strengths[i]))

    @property
    def ratings(self) -> tuple[Rated, ...]:
        """By their strengths."""
        place = {one: at + 1 for at, one in enumerate(self.order)}
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
        """Who cannot be told apart."""
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
    """A tournament as far as it has come."""

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
        """As many as were played."""
        return Games(self.names, min(self.games_played, 120))

    def count_games_of(self, bot: int) -> int:
        """As its rating has it."""
        rating = self.standings.ratings[bot]
        return 0 if rating is None else rating.games

    def estimate_games_needed(self, points: float = 5.0) -> int:
        """How many games would do."""
        return max(0, round(self.games_played * ((self.standings.give / points) ** 2 - 1)))

    def estimate_games_to_separate(self, name: str, other: str) -> int | None:
        """As many as two hundred deals are."""
        first, second = (self.standings.strengths[self.names.index(one)] for one in (name, other))
        return None if first == second else 200 * self.games_played // max(1, self.standings.games * len(self.names) // 4)


def a_course(strengths: tuple[float, ...], played: int, points: int = 20) -> tuple[tuple[int, tuple[float | None, ...]], ...]:
    """Ratings that come to rest."""
    random = Random(3)
    found = []
    for step in range(1, points + 1):
        shakes = 14 * (1 - step / points)
        found.append((played * step // points, tuple(min(99.0, max(1.0, one + random.uniform(-shakes, shakes))) for one in strengths)))
    return tuple(found)


def of_four(**changes: Any) -> Played:
    """Ann is better than all; Cem and Dora cannot be told apart."""
    names, strengths = ("Ben", "Ann", "Dora", "Cem"), (58.0, 71.0, 34.5, 36.0)
    return replace(Played(names, Stood(names, strengths, 4.0, 200), rating_history=a_course(strengths, 600)), **changes)


def of_many(count: int = 30, **changes: Any) -> Played:
    """Many, with names of every kind, and brackets that overlap."""
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
    """Nobody has played."""
    names = ("Ann", "Ben")
    return Played(names, Stood(names, (50.0, 50.0), 50.0, 0), games_played=0)


@dataclass
class Running:
    """A run whose games take no time: after each step of a hundred games it says how all stand."""

    games_planned: int = 1000
    games_played: int = 0
    names: tuple[str, ...] = ("Ben", "Ann", "Dora", "Cem")
    fails_at: int | None = None
    before: Any = None
    """What is called before each step."""

    @property
    def ranking(self) -> Played:
        """As it stands."""
        found = of_four(games_played=self.games_played, games_planned=self.games_planned, names=self.names)
        stood = Stood(self.names, found.standings.strengths, 40 / max(1, self.games_played) ** 0.35, self.games_played // 3)
        return replace(found, standings=stood, rating_history=tuple(one for one in found.rating_history if one[0] <= self.games_played))

    def play_on(self, *, should_stop: Any) -> Any:
        """Play on in steps."""
        while self.games_played < self.games_planned and not should_stop():
            if self.before is not None:
                self.before()
            if self.fails_at is not None and self.games_played >= self.fails_at:
                raise RuntimeError("the disk is full")
            self.games_played += 100
            yield self.ranking
