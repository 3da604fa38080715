"""Defines the interfaces of tournament results, for plots, pages and the widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from durak_widget.engine.game import Game
    from durak_widget.rules.ruleset import Rules


GameHeader = tuple[int, tuple[str, ...], tuple[float, ...], str | None]
"""A game's number, each seat's bot and points, and the bot that forfeited (None if no bot did)."""


class RatingData(Protocol):
    """The interface of a bot's rating."""

    @property
    def points(self) -> float | None:
        """Return the expected points, out of 100, against the average bot; None if unknown."""

    @property
    def low(self) -> float | None:
        """Return the lower end of the rating's 95 % interval."""

    @property
    def high(self) -> float | None:
        """Return the upper end of the rating's 95 % interval."""

    @property
    def rank(self) -> int:
        """Return the rank of the bot; the best rank is 1."""

    @property
    def rank_low(self) -> int:
        """Return the best rank that is possible for the bot, given the results."""

    @property
    def rank_high(self) -> int:
        """Return the worst rank that is possible for the bot, given the results."""


class HeadToHeadData(Protocol):
    """The interface of the points of one bot against another, out of 100."""

    @property
    def mean(self) -> float:
        """Return the mean points of the first bot, out of 100."""

    @property
    def low(self) -> float:
        """Return the lower end of the 95 % interval of the first bot's points."""

    @property
    def high(self) -> float:
        """Return the upper end of the 95 % interval of the first bot's points."""

    @property
    def deal_count(self) -> int:
        """Return the number of deals in which the two bots played against each other."""

    @property
    def games_played(self) -> float:
        """Return the number of games between the two bots."""


class StandingsData(Protocol):
    """The interface of the ratings of all bots in a tournament."""

    @property
    def ratings(self) -> Sequence[RatingData | None]:
        """Return a rating for each bot of the tournament; None for a bot without a rating."""

    @property
    def order(self) -> Sequence[int]:
        """Return the indices of the rated bots, best first."""

    @property
    def tie_groups(self) -> Sequence[Sequence[int]]:
        """Return the groups of tied bots, in which no bot is proved better than another."""

    def share(self, i: int, j: int) -> HeadToHeadData | None:
        """Return the points of one bot against another; None if the two bots have no common game."""

    def is_better(self, i: int, j: int) -> bool:
        """Return whether one bot is statistically proved to be better than another."""


class ForfeitData(Protocol):
    """The interface of a game that a bot lost because the bot could not continue."""

    @property
    def bot(self) -> str:
        """Return the name of the bot that forfeited."""

    @property
    def game_number(self) -> int:
        """Return the index of the forfeited game in the tournament's list of games."""

    def sentence(self, language: str = "en") -> str:
        """Return a sentence on why the bot forfeited."""

    @property
    def position(self) -> str:
        """Return the position when the bot forfeited, as text that can be parsed."""


class ResultData(Protocol):
    """The interface of a tournament's result so far."""

    @property
    def names(self) -> Sequence[str]:
        """Return the names of the bots in the tournament."""

    @property
    def rules(self) -> Rules:
        """Return the rules of the tournament's games."""

    @property
    def system(self) -> str:
        """Return the kind of schedule: `all`, `swiss` or `against`."""

    @property
    def seed(self) -> object:
        """Return the seed of the tournament's deals."""

    @property
    def games_played(self) -> int:
        """Return the number of games played in the tournament."""

    @property
    def games_planned(self) -> int:
        """Return the planned number of games in the tournament."""

    @property
    def games_cancelled(self) -> int:
        """Return how many planned games will not be played because a bot is disqualified."""

    @property
    def refused_attempts(self) -> Mapping[str, Sequence[str]]:
        """Return, for each bot, the kinds of forbidden actions that its code tried.

        The kinds are `files`, `programs` and `network`.
        """

    @property
    def same_move_groups(self) -> Sequence[Sequence[int]]:
        """Return groups of bots that made exactly the same moves in all their common deals."""

    @property
    def standings(self) -> StandingsData:
        """Return all bots' ratings, and which bots are statistically proved better than others."""

    @property
    def forfeits(self) -> Sequence[ForfeitData]:
        """Return the games that a bot lost because the bot could not continue."""

    @property
    def disqualified(self) -> Sequence[str]:
        """Return the bots that are disqualified."""

    @property
    def problems(self) -> Sequence[str]:
        """Return sentences about problems that occurred while games were played."""

    @property
    def games(self) -> GamesData:
        """Return the games of the tournament."""

    def count_games_of(self, bot: int) -> int:
        """Return how many games of a bot count for the ratings; the bot is an index of `names`."""

    def estimate_games_needed(self, points: float = 5.0) -> int:
        """Estimate how many more games would bring each rating within `points` of the true one."""

    def estimate_games_to_separate(self, name: str, other: str) -> int | None:
        """Estimate how many more games would show which of two bots is better.

        None if they look equal or can't be compared.
        """

    @property
    def rating_history(self) -> Sequence[tuple[int, Sequence[float | None]]]:
        """Return the ratings at several times in the tournament, to draw each rating as a curve."""


class GameData(Protocol):
    """The interface of a game in a tournament."""

    @property
    def game(self) -> Game:
        """Return this game as a `Game`, which you can step through move by move."""


class GamesData(Protocol):
    """The interface of all games of a tournament; a game is loaded on first use."""

    def __len__(self) -> int: ...

    def __getitem__(self, at: int, /) -> GameData: ...

    def list_headers(self) -> list[GameHeader]:
        """Return, for each game, its bots, points and forfeit as a `GameHeader`."""


class RunData(Protocol):
    """The interface of a tournament that can be continued."""

    @property
    def ranking(self) -> ResultData:
        """Return the result of the tournament so far."""

    def play_on(self, should_stop: Callable[[], bool] = ...) -> Iterator[ResultData]:
        """Continue the tournament; from time to time, yield its result so far.

        It stops at the end, or when `should_stop` returns true.
        """
