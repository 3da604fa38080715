"""Defines protocols for the tournament results that plots, pages and the widget read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from durak_widget.engine.game import Game
    from durak_widget.rules.ruleset import Rules


GameHeader = tuple[int, tuple[str, ...], tuple[float, ...], str | None]
"""The header of a game: its number, the bot and points of each seat, and the bot that forfeited (or None)."""


class RatingData(Protocol):
    """The interface of a bot's rating."""

    @property
    def points(self) -> float | None:
        """Return the expected points, out of 100, against the average bot; None if unknown."""

    @property
    def low(self) -> float | None:
        """Return the lower end of the rating's interval."""

    @property
    def high(self) -> float | None:
        """Return the upper end of the rating's interval."""

    @property
    def rank(self) -> int:
        """Return the rank of the bot, from 1."""

    @property
    def rank_low(self) -> int:
        """Return the best rank that the results leave possible."""

    @property
    def rank_high(self) -> int:
        """Return the worst rank that the results leave possible."""


class HeadToHeadData(Protocol):
    """The interface of one bot's points against another bot, out of 100."""

    @property
    def mean(self) -> float:
        """Return the mean points of the first bot, out of 100."""

    @property
    def low(self) -> float:
        """Return the lower end of the interval of the first bot's points."""

    @property
    def high(self) -> float:
        """Return the upper end of the interval of the first bot's points."""

    @property
    def deal_count(self) -> int:
        """Return the number of deals in which the two bots met."""

    @property
    def games_played(self) -> float:
        """Return the number of games between the two bots."""


class StandingsData(Protocol):
    """The interface of the ratings of all bots in a tournament."""

    @property
    def ratings(self) -> Sequence[RatingData | None]:
        """Return a rating for each bot, in the order of `names`; None for an unrated bot."""

    @property
    def order(self) -> Sequence[int]:
        """Return the indices of the rated bots, best first."""

    @property
    def tie_groups(self) -> Sequence[Sequence[int]]:
        """Return the ties: bots with neighbouring ranks and without a proved difference."""

    def share(self, i: int, j: int) -> HeadToHeadData | None:
        """Return the points of one bot against another, or None if they have not met."""

    def is_better(self, i: int, j: int) -> bool:
        """Return whether one bot is statistically proved to be better than another."""


class ForfeitData(Protocol):
    """The interface of a game that a bot lost because the bot could not continue."""

    @property
    def bot(self) -> str:
        """Return the name of the bot that forfeited."""

    @property
    def game_number(self) -> int:
        """Return the number of the forfeited game."""

    def sentence(self, language: str = "en") -> str:
        """Return the reason for the forfeit as a sentence."""

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
        """Return the number of planned games that a disqualification cancelled."""

    @property
    def refused_attempts(self) -> Mapping[str, Sequence[str]]:
        """Return, for each bot, the kinds of actions that the sandbox blocked.

        The kinds are `files`, `programs` and `network`.
        """

    @property
    def same_move_groups(self) -> Sequence[Sequence[int]]:
        """Return groups of bots that made exactly the same moves in all their common deals."""

    @property
    def standings(self) -> StandingsData:
        """Return the ratings of the bots, and which differences are statistically proved."""

    @property
    def forfeits(self) -> Sequence[ForfeitData]:
        """Return the games that a bot lost because the bot could not continue."""

    @property
    def disqualified(self) -> Sequence[str]:
        """Return the bots that are disqualified."""

    @property
    def problems(self) -> Sequence[str]:
        """Return sentences about problems that occurred while playing."""

    @property
    def games(self) -> GamesData:
        """Return the games of the tournament."""

    def count_games_of(self, bot: int) -> int:
        """Return how many games of a bot (given as an index into `names`) count for the ratings."""

    def estimate_games_needed(self, points: float = 5.0) -> int:
        """Estimate how many more games would make all ratings accurate to within `points` points."""

    def estimate_games_to_separate(self, name: str, other: str) -> int | None:
        """Estimate how many more games would show which of two bots is better.

        None if they look equal or can't be compared.
        """

    @property
    def rating_history(self) -> Sequence[tuple[int, Sequence[float | None]]]:
        """Return the ratings after increasing numbers of games, for drawing rating curves."""


class GameData(Protocol):
    """The interface of a game in a tournament."""

    @property
    def game(self) -> Game:
        """Return a `Game` that you can step through move by move."""


class GamesData(Protocol):
    """The interface of all games of a tournament; a game is loaded on first use."""

    def __len__(self) -> int: ...

    def __getitem__(self, at: int, /) -> GameData: ...

    def list_headers(self) -> list[GameHeader]:
        """Return the header of each game, as a `GameHeader`."""


class RunData(Protocol):
    """The interface of a tournament that can be continued."""

    @property
    def ranking(self) -> ResultData:
        """Return the result of the tournament so far."""

    def play_on(self, should_stop: Callable[[], bool] = ...) -> Iterator[ResultData]:
        """Continue the tournament, and yield the results so far from time to time.

        It stops at the end, or when `should_stop` returns true.
        """
