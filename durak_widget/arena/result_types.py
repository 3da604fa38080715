"""What is told of a tournament: as much as a drawing, a page and a widget ask of its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from durak_widget.engine.game import Game
    from durak_widget.rules.ruleset import Rules


Head = tuple[int, tuple[str, ...], tuple[float, ...], str | None]
"""A game as a list of games names it: its number, who sat where, what each seat got, who could not play on."""


class RatingTold(Protocol):
    """How one bot stands."""

    @property
    def points(self) -> float | None:
        """How many of 100 it would have against the average; None where nothing can be said yet."""

    @property
    def low(self) -> float | None:
        """Where its interval begins."""

    @property
    def high(self) -> float | None:
        """Where its interval ends."""

    @property
    def rank(self) -> int:
        """On which place it is, from 1."""

    @property
    def rank_low(self) -> int:
        """The best place that its games leave open."""

    @property
    def rank_high(self) -> int:
        """The worst place that its games leave open."""


class BetweenTold(Protocol):
    """What one bot has of another, in points of 100."""

    @property
    def mean(self) -> float:
        """So many on average."""

    @property
    def low(self) -> float:
        """So many at least, where nothing uncommon happened."""

    @property
    def high(self) -> float:
        """So many at most, likewise."""

    @property
    def units(self) -> int:
        """How many deals they met in."""

    @property
    def played(self) -> float:
        """How many games these were."""


class StandingTold(Protocol):
    """How all stand."""

    @property
    def ratings(self) -> Sequence[RatingTold | None]:
        """One for each bot, as they are named in the result; None for who cannot be compared."""

    @property
    def order(self) -> Sequence[int]:
        """Who is rated, the best first."""

    @property
    def groups(self) -> Sequence[Sequence[int]]:
        """The longest runs of that order in which nobody is proved better than anybody."""

    def share(self, i: int, j: int) -> BetweenTold | None:
        """What one has of another; None where they have not met."""

    def better(self, i: int, j: int) -> bool:
        """Whether one is proved better than another."""


class ForfeitTold(Protocol):
    """A game that somebody lost without playing it to its end."""

    @property
    def who(self) -> str:
        """Whose forfeit it is."""

    @property
    def game(self) -> int:
        """The number of the game."""

    def sentence(self, language: str = "en") -> str:
        """What happened, in a sentence of any language."""

    @property
    def position(self) -> str:
        """Where it happened, as a text that can be read again."""


class ResultTold(Protocol):
    """A tournament as far as it has come."""

    @property
    def names(self) -> Sequence[str]:
        """The bots."""

    @property
    def rules(self) -> Rules:
        """What is played."""

    @property
    def system(self) -> str:
        """Who meets whom: `all`, `swiss` or `against`."""

    @property
    def seed(self) -> object:
        """What the deals come from."""

    @property
    def played(self) -> int:
        """How many games have been played."""

    @property
    def planned(self) -> int:
        """How many there are to be."""

    @property
    def cancelled(self) -> int:
        """How many planned games are left out, because a bot in them is out."""

    @property
    def attempts(self) -> Mapping[str, Sequence[str]]:
        """Which bots tried what the sandbox refused: `files`, `programs`, `network`."""

    @property
    def same_moves(self) -> Sequence[Sequence[int]]:
        """Groups of bots that made the same moves wherever they met."""

    @property
    def standing(self) -> StandingTold:
        """What is known of who is better than whom."""

    @property
    def forfeits(self) -> Sequence[ForfeitTold]:
        """Games that were lost without being played to their end."""

    @property
    def out(self) -> Sequence[str]:
        """Who plays no more."""

    @property
    def troubles(self) -> Sequence[str]:
        """What else is to be said of how it was played."""

    @property
    def games(self) -> GamesTold:
        """The games that can be looked at."""

    def games_of(self, place: int) -> int:
        """In how many games that count somebody sat, by their place among the names."""

    def still(self, points: float = 5.0) -> int:
        """How many games more it takes until each rating is known to within so many points."""

    def still_between(self, one: str, other: str) -> int | None:
        """How many games more until these two would be told apart; None where they look equal, or cannot be compared."""

    @property
    def course(self) -> Sequence[tuple[int, Sequence[float | None]]]:
        """After so many games, the rating of each."""


class GameTold(Protocol):
    """A game that was played."""

    @property
    def game(self) -> Game:
        """The game, to be looked at move by move."""


class GamesTold(Protocol):
    """The games of a tournament, by their numbers; each is read when it is asked for."""

    def __len__(self) -> int: ...

    def __getitem__(self, at: int, /) -> GameTold: ...

    def heads(self) -> list[Head]:
        """Of each its number, who sat where, what each seat got, and who could not play on."""


class RunTold(Protocol):
    """A tournament that can be played on."""

    @property
    def ranking(self) -> ResultTold:
        """What it has come to."""

    def go(self, until: Callable[[], bool] = ...) -> Iterator[ResultTold]:
        """Play on: now and then what it has come to, till all is played or somebody says so."""
