"""The types of a tournament's result, as far as drawings, pages and the widget need it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from durak_widget.engine.game import Game
    from durak_widget.rules.ruleset import Rules


Head = tuple[int, tuple[str, ...], tuple[float, ...], str | None]
"""The header of a game: number, bot of each seat, points of each seat, bot that forfeited."""


class RatingTold(Protocol):
    """The rating of one bot."""

    @property
    def points(self) -> float | None:
        """Return the expected points of 100 against the average bot; None if unknown."""

    @property
    def low(self) -> float | None:
        """Return the lower end of the interval."""

    @property
    def high(self) -> float | None:
        """Return the upper end of the interval."""

    @property
    def rank(self) -> int:
        """Return the rank, from 1."""

    @property
    def rank_low(self) -> int:
        """Return the best rank that the games leave open."""

    @property
    def rank_high(self) -> int:
        """Return the worst rank that the games leave open."""


class BetweenTold(Protocol):
    """The points of one bot against another, out of 100."""

    @property
    def mean(self) -> float:
        """Return the mean."""

    @property
    def low(self) -> float:
        """Return the lower end of the interval."""

    @property
    def high(self) -> float:
        """Return the upper end of the interval."""

    @property
    def units(self) -> int:
        """Return the number of deals in which they met."""

    @property
    def played(self) -> float:
        """Return the number of games between them."""


class StandingTold(Protocol):
    """The ratings of all bots."""

    @property
    def ratings(self) -> Sequence[RatingTold | None]:
        """Return a rating for each name of the result; None for a bot that can't be compared."""

    @property
    def order(self) -> Sequence[int]:
        """Return the rated bots, the best first."""

    @property
    def groups(self) -> Sequence[Sequence[int]]:
        """Return the longest runs of that order without a proved difference."""

    def share(self, i: int, j: int) -> BetweenTold | None:
        """Return the points of one bot against another; None if they have not met."""

    def better(self, i: int, j: int) -> bool:
        """Return whether one bot is proved better than another."""


class ForfeitTold(Protocol):
    """A game that a bot lost because it could not play on."""

    @property
    def who(self) -> str:
        """Return the bot that forfeited."""

    @property
    def game(self) -> int:
        """Return the number of the game."""

    def sentence(self, language: str = "en") -> str:
        """Return the reason as a sentence."""

    @property
    def position(self) -> str:
        """Return the position then, as text that can be parsed."""


class ResultTold(Protocol):
    """The result of a tournament so far."""

    @property
    def names(self) -> Sequence[str]:
        """Return the names of the bots."""

    @property
    def rules(self) -> Rules:
        """Return the rules of the games."""

    @property
    def system(self) -> str:
        """Return the system of the schedule: `all`, `swiss` or `against`."""

    @property
    def seed(self) -> object:
        """Return the seed of the deals."""

    @property
    def played(self) -> int:
        """Return the number of games played."""

    @property
    def planned(self) -> int:
        """Return the planned number of games."""

    @property
    def cancelled(self) -> int:
        """Return the number of planned games left out because a bot is disqualified."""

    @property
    def attempts(self) -> Mapping[str, Sequence[str]]:
        """Return what bots tried and the sandbox refused: `files`, `programs`, `network`."""

    @property
    def same_moves(self) -> Sequence[Sequence[int]]:
        """Return the groups of bots that made the same moves wherever they met."""

    @property
    def standing(self) -> StandingTold:
        """Return the ratings, and which differences are proved."""

    @property
    def forfeits(self) -> Sequence[ForfeitTold]:
        """Return the games that a bot could not play on."""

    @property
    def out(self) -> Sequence[str]:
        """Return the bots that are disqualified."""

    @property
    def troubles(self) -> Sequence[str]:
        """Return sentences about problems while playing."""

    @property
    def games(self) -> GamesTold:
        """Return the games."""

    def games_of(self, place: int) -> int:
        """Return the number of counted games of a bot, by its index in `names`."""

    def still(self, points: float = 5.0) -> int:
        """Return how many more games make every rating exact to within this many points."""

    def still_between(self, one: str, other: str) -> int | None:
        """Return about how many more games separate two bots.

        None if they look equal or can't be compared.
        """

    @property
    def course(self) -> Sequence[tuple[int, Sequence[float | None]]]:
        """Return the ratings after increasing numbers of games."""


class GameTold(Protocol):
    """A game that was played."""

    @property
    def game(self) -> Game:
        """Return the game, to go through it move by move."""


class GamesTold(Protocol):
    """The games of a tournament by number, read when they are used."""

    def __len__(self) -> int: ...

    def __getitem__(self, at: int, /) -> GameTold: ...

    def heads(self) -> list[Head]:
        """Return the header of each game."""


class RunTold(Protocol):
    """A tournament that can be continued."""

    @property
    def ranking(self) -> ResultTold:
        """Return the result so far."""

    def go(self, until: Callable[[], bool] = ...) -> Iterator[ResultTold]:
        """Play on, and yield the result from time to time, to the end or until `until` is true."""
