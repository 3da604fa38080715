"""The interface of a tournament's result that drawings, pages and the widget need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from durak_widget.engine.game import Game
    from durak_widget.rules.ruleset import Rules


GameHeader = tuple[int, tuple[str, ...], tuple[float, ...], str | None]
"""The header of a game: its number, each seat's bot and points, and the bot that forfeited."""


class RatingData(Protocol):
    """The rating of one bot."""

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
        """Return the best rank that is still possible."""

    @property
    def rank_high(self) -> int:
        """Return the worst rank that is still possible."""


class HeadToHeadData(Protocol):
    """The points of one bot against another, out of 100."""

    @property
    def mean(self) -> float:
        """Return the mean points of the first bot."""

    @property
    def low(self) -> float:
        """Return the lower end of the interval of the points."""

    @property
    def high(self) -> float:
        """Return the upper end of the interval of the points."""

    @property
    def deal_count(self) -> int:
        """Return the number of deals in which the two bots met."""

    @property
    def games_played(self) -> float:
        """Return the number of games between the two bots."""


class StandingsData(Protocol):
    """The ratings of all bots in a tournament."""

    @property
    def ratings(self) -> Sequence[RatingData | None]:
        """Return a rating for each bot, in the order of `names`; None for an unrated bot."""

    @property
    def order(self) -> Sequence[int]:
        """Return the rated bots, the best first."""

    @property
    def tie_groups(self) -> Sequence[Sequence[int]]:
        """Return the longest runs of bots, in the order, without a proved difference."""

    def share(self, i: int, j: int) -> HeadToHeadData | None:
        """Return the points of one bot against another; None if they have not met."""

    def is_better(self, i: int, j: int) -> bool:
        """Return whether one bot is statistically proved to be better than another."""


class ForfeitData(Protocol):
    """A game that a bot lost because it could not play on."""

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
        """Return the position at the forfeit, as text that can be parsed."""


class ResultData(Protocol):
    """The result of a tournament so far."""

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
        """Return the number of planned games left out because one of their bots is disqualified."""

    @property
    def refused_attempts(self) -> Mapping[str, Sequence[str]]:
        """Return what bots tried and the sandbox blocked: `files`, `programs`, `network`."""

    @property
    def same_move_groups(self) -> Sequence[Sequence[int]]:
        """Return groups of bots that made exactly the same moves in all deals they shared."""

    @property
    def standings(self) -> StandingsData:
        """Return the ratings of the bots, and which differences are statistically proved."""

    @property
    def forfeits(self) -> Sequence[ForfeitData]:
        """Return the games that a bot lost because it could not play on."""

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
        """Return how many games of the bot with a given index in `names` count for the ratings."""

    def estimate_games_needed(self, points: float = 5.0) -> int:
        """Return how many more games make every rating accurate to within `points` points."""

    def estimate_games_to_separate(self, name: str, other: str) -> int | None:
        """Return approximately how many more games are needed to separate two bots.

        None if they look equal or can't be compared.
        """

    @property
    def rating_history(self) -> Sequence[tuple[int, Sequence[float | None]]]:
        """Return the ratings after increasing numbers of games."""


class GameData(Protocol):
    """A game that was played in a tournament."""

    @property
    def game(self) -> Game:
        """Return the game in a form that can be stepped through move by move."""


class GamesData(Protocol):
    """The games of a tournament, by number; each game is loaded when it is used."""

    def __len__(self) -> int: ...

    def __getitem__(self, at: int, /) -> GameData: ...

    def list_headers(self) -> list[GameHeader]:
        """Return the header of each game."""


class RunData(Protocol):
    """A tournament that can be continued."""

    @property
    def ranking(self) -> ResultData:
        """Return the result of the tournament so far."""

    def play_on(self, should_stop: Callable[[], bool] = ...) -> Iterator[ResultData]:
        """Play on to the end, or until `should_stop` returns true, and yield interim results."""
