"""Defines the result of a tournament: ratings with intervals, and all games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, overload

from durak_widget.arena import standings_page
from durak_widget.arena.ratings import compute_rating_history, find_even_pairs, find_same_move_groups, rate_bots
from durak_widget.arena.result_sentences import format_standings_html
from durak_widget.arena.standings_page import format_ranking, render_matrix_table, render_places_table
from durak_widget.arena.svg_plots import Drawing, draw_rating_history, draw_ratings
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, short_repr
from durak_widget.i18n import TranslatableText, Translator
from durak_widget.rules import seating
from durak_widget.sandbox.code_runner import warn_of_missing_restrictions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from os import PathLike

    from durak_widget.arena.ratings import DealResult, Standings
    from durak_widget.arena.tournament_file import StoredGame, TournamentFile
    from durak_widget.rules.ruleset import Rules

MAX_FORFEITS: Final = 3
"""A bot with this number of forfeits is disqualified, and then none of its games count for the ratings."""
_CURVE_STEPS: Final = 40
"""The maximum number of points by which the curve of a bot's rating is drawn."""


class Forfeit(NamedTuple):
    """A game that a bot lost because the bot could not continue, for example after an error."""

    bot: str
    game_number: int
    """The game's index in the list `Ranking.games`."""
    fact: TranslatableText
    position: str
    """The position when the bot forfeited, as a line for `Game.from_position_line`."""

    def sentence(self, language: str = "en") -> str:
        """Return a sentence on why the bot forfeited."""
        return Translator(language).translate(self.fact.key, **self.fact.facts)

    @property
    def english_text(self) -> str:
        """Return an English sentence on why the bot forfeited."""
        return self.sentence()


@dataclass(frozen=True)
class ArenaGame:
    """A game of a tournament, with its players and points."""

    number: int
    seats: tuple[str, ...]
    """The name of the bot in each seat."""
    points: tuple[float, ...]
    """The points that each seat won in the game, from 0 to 1."""
    forfeited_by: str | None
    """The name of the bot that could not continue; None if the game was played to its end."""
    text: str

    @property
    def game(self) -> Game:
        """Return this game as a `Game`, which you can step through move by move."""
        return Game.parse(self.text)


class ArenaGames(Sequence[ArenaGame]):
    """A tournament's games in the order of the schedule; each game is loaded on first use."""

    def __init__(self, file: TournamentFile, stored_games: Sequence[StoredGame], names: tuple[str, ...], rules: Rules) -> None:
        self._file, self._stored_games, self._names, self._sides = file, stored_games, names, seating.side_of_seat(rules)

    def __len__(self) -> int:
        return len(self._stored_games)

    @overload
    def __getitem__(self, at: int) -> ArenaGame: ...
    @overload
    def __getitem__(self, at: slice) -> list[ArenaGame]: ...

    def __getitem__(self, at: int | slice) -> ArenaGame | list[ArenaGame]:
        if isinstance(at, slice):
            return [self[index] for index in range(*at.indices(len(self)))]
        number = range(len(self))[at]
        line = self._stored_games[number]
        return ArenaGame(number, *self._describe_game(line), self._file.load_game_text(line.meeting, line.game_index))

    def _describe_game(self, stored_game: StoredGame) -> tuple[tuple[str, ...], tuple[float, ...], str | None]:
        """Return each seat's bot and points, and the bot that forfeited (None if none did)."""
        seats = tuple(self._names[stored_game.sides[side]] for side in self._sides)
        points = tuple(stored_game.points[side] for side in self._sides)
        return seats, points, None if stored_game.forfeit is None else self._names[stored_game.sides[stored_game.forfeit]]

    def list_headers(self) -> list[tuple[int, tuple[str, ...], tuple[float, ...], str | None]]:
        """Return each game's bots, points and forfeit, without loading its moves from the file.

        A header has the game's number, the bot of each seat, the points, and the bot that forfeited.
        """
        return [(number, *self._describe_game(line)) for number, line in enumerate(self._stored_games)]


class Ranking:
    """The result of a tournament that is finished or still running.

    >>> from durak_widget import arena
    >>> ranking = arena.play(["careful", "first"], games=40)
    >>> ranking.standings.is_better(0, 1), ranking.games[0].seats, ranking.rows()[0]["name"]
    (True, ('careful', 'first'), 'careful')
    """

    def __init__(
        self,
        file: TournamentFile,
        *,
        names: tuple[str, ...],
        rules: Rules,
        games_left: int = 0,
        games_cancelled: int = 0,
        problems: tuple[str, ...] = (),
    ) -> None:
        self.names, self.rules = names, rules
        self.language = "en"
        """The language in which notebooks show the result."""
        self._file = file
        missing_protections = file.list_missing_protections()
        self.problems = (
            (*problems, Translator().translate("arena.weaker", **warn_of_missing_restrictions(missing_protections).facts))
            if missing_protections
            else problems
        )
        """Sentences about problems: deals that could not be played, sandbox layers that were missing."""
        metadata = file.metadata
        self.seed: int | str = metadata.get("seed", 1)
        self.system: str = metadata.get("system", "all")
        lines = file.load_games()
        last_meetings = find_last_meetings(lines)
        valid_games = [line for line in lines if is_due(line.meeting, line.sides, last_meetings)]
        self._stored_games = valid_games
        self.disqualified = tuple(names[number] for number in sorted(last_meetings))
        """The bots that are disqualified, so that their games don't count."""
        self.games = ArenaGames(file, valid_games, names, rules)
        """All games of the tournament; a disqualified bot's games only up to its disqualification."""
        counted_games = [line for line in valid_games if not last_meetings.keys() & set(line.sides)]
        self._games_by_meeting: dict[int, list[StoredGame]] = {}
        for line in counted_games:
            self._games_by_meeting.setdefault(line.meeting, []).append(line)
        self.games_planned = len(valid_games) + games_left
        """The planned number of games, as far as it is known; disqualified bots reduce it."""
        self.games_cancelled = games_cancelled
        """The number of planned games that are left out because one of their bots is disqualified."""
        self.refused_attempts = {name: kinds for name, kinds in file.refused_attempts.items() if name in names}
        """The kinds of actions that bots tried and the sandbox blocked, as far as noticed: `files`, `programs`, `network`."""
        self.games_counted = len(counted_games)
        """The number of games that count for the ratings."""

    @property
    def games_played(self) -> int:
        """Return the number of games that have been played so far."""
        return len(self.games)

    @cached_property
    def deal_results(self) -> tuple[DealResult, ...]:
        """Return the points of each pair of bots in each deal that counts for the ratings."""
        return tuple(_build_deal_result(lines, subtract_luck=True) for lines in self._games_by_meeting.values())

    @cached_property
    def standings(self) -> Standings:
        """Return all bots' ratings with intervals, and which bots are proved better than others."""
        return rate_bots(len(self.names), self.deal_results)

    @cached_property
    def rating_history(self) -> tuple[tuple[int, tuple[float | None, ...]], ...]:
        """Return the ratings at several times in the tournament, to draw each rating as a curve."""
        sizes = [len(lines) for lines in self._games_by_meeting.values()]
        return tuple(
            (sum(sizes[:deal_count]), points)
            for deal_count, points in compute_rating_history(len(self.names), self.deal_results, steps=_CURVE_STEPS)
        )

    @cached_property
    def forfeits(self) -> tuple[Forfeit, ...]:
        """Return the games that a bot lost because the bot could not continue."""
        forfeits = []
        for number, line in enumerate(self._stored_games):
            if line.forfeit is not None:
                fact, position = self._file.load_forfeit(line.meeting, line.game_index)
                forfeits.append(Forfeit(self.names[line.sides[line.forfeit]], number, fact, position))
        return tuple(forfeits)

    def games_with(self, name: str) -> list[ArenaGame]:
        """Return all games in which the bot `name` took part.

        >>> from durak_widget import arena
        >>> len(arena.play(["careful", "first", "random"], games=6).games_with("first"))
        4
        """
        self._index_of(name)
        return [self.games[number] for number, seats, _, _ in self.games.list_headers() if name in seats]

    def _index_of(self, name: str) -> int:
        """Return the index of a bot in `names`; raise an error if there is no such bot."""
        if name not in self.names:
            raise DurakError(f"there is no bot {short_repr(name)} in this ranking; there are {', '.join(self.names[:20])}")
        return self.names.index(name)

    def is_better(self, name: str, other: str) -> bool | None:
        """Return whether one bot is better than another; None if neither is proved better.

        >>> from durak_widget import arena
        >>> found = arena.play(["careful", "first"], games=40)
        >>> found.is_better("careful", "first"), found.is_better("first", "careful")
        (True, False)
        """
        first, second = self._index_of(name), self._index_of(other)
        return True if self.standings.is_better(first, second) else False if self.standings.is_better(second, first) else None

    def estimate_games_needed(self, points: float = 5.0) -> int:
        """Estimate how many more games would bring each rating within `points` of the true one."""
        return round(self.standings.estimate_deals_needed(points) * self._games_per_deal())

    def estimate_games_to_separate(self, name: str, other: str) -> int | None:
        """Estimate how many more games would show which of two bots is better.

        0 if they are separate already; None if they look equal or can't be compared.

        >>> from durak_widget import arena
        >>> arena.play(["careful", "first"], games=40).estimate_games_to_separate("first", "careful")
        0
        """
        first, second = sorted((self._index_of(name), self._index_of(other)))
        deals = None if (first, second) in self._even_pairs else self.standings.estimate_deals_to_separate(first, second)
        return None if deals is None else round(deals * self._games_per_deal())

    @cached_property
    def _even_pairs(self) -> frozenset[tuple[int, int]]:
        """Return the pairs of bots that had equal points in each deal in which both played."""
        return find_even_pairs([_build_deal_result(lines, subtract_luck=False) for lines in self._games_by_meeting.values()])

    @cached_property
    def same_move_groups(self) -> tuple[tuple[int, ...], ...]:
        """Return groups of bots that made exactly the same moves in all their common deals.

        The numbers are indexes of `names`. They did so in each seating of at least five deals.
        """
        return find_same_move_groups(self._file, list(self._games_by_meeting.values()), self._even_pairs, len(self.names))

    def _games_per_deal(self) -> float:
        """Return how many games per deal count for the ratings, as a mean over all deals."""
        return max(1.0, self.games_counted / max(1, self.standings.deal_count))

    def rows(self) -> list[dict[str, Any]]:
        """Return the standings as a list of rows, one for each bot, best bot first.

        `rating` with `low` and `high` is the share of points against the average of the others, and `score` that against the bots it met,
        both in hundredths. `rank_low` to `rank_high` are the ranks that its games leave open. All of them are None for a bot without a
        rating.
        """
        forfeiting_bots = [forfeit.bot for forfeit in self.forfeits]
        table_rows = []
        for index in [*self.standings.order, *(bot for bot in range(len(self.names)) if bot not in self.standings.order)]:
            rating = self.standings.ratings[index]
            table_rows.append(
                {
                    "name": self.names[index],
                    "rating": rating and rating.points,
                    "low": rating and rating.low,
                    "high": rating and rating.high,
                    "rank": rating and rating.rank,
                    "rank_low": rating and rating.rank_low,
                    "rank_high": rating and rating.rank_high,
                    "score": rating and rating.score,
                    "games": self.count_games_of(index),
                    "forfeits": forfeiting_bots.count(self.names[index]),
                    "out": self.names[index] in self.disqualified,
                    "refused": ", ".join(self.refused_attempts.get(self.names[index], ())),
                }
            )
        return table_rows

    def count_games_of(self, bot: int) -> int:
        """Return how many games of a bot count for the ratings; the bot is an index of `names`."""
        return self._game_counts[bot]

    @cached_property
    def _game_counts(self) -> Counter[int]:
        """Return how many games of each bot count for the ratings."""
        return Counter(bot for lines in self._games_by_meeting.values() for line in lines for bot in set(line.sides))

    def game_rows(self) -> list[dict[str, Any]]:
        """Return a list of rows, one for each seat of each game, as for `pandas.DataFrame`."""
        return [
            {"game": number, "seat": seat, "name": name, "points": points[seat], "forfeit": name == forfeiting_bot}
            for number, seats, points, forfeiting_bot in self.games.list_headers()
            for seat, name in enumerate(seats)
        ]

    def save(self, path: str | PathLike[str]) -> None:
        """Save the whole tournament to a file that `arena.load` reads.

        >>> import os, tempfile
        >>> from durak_widget import arena
        >>> path = os.path.join(tempfile.mkdtemp(), "ours.sqlite")
        >>> arena.play(["careful", "first"], games=2).save(path)
        >>> arena.load(path).games[0].seats
        ('careful', 'first')
        """
        self._file.copy_to(path)

    def to_text(self, language: str = "en") -> str:
        """Return the standings as lines of text."""
        return format_ranking(self, language)

    def plot(self, language: str = "en") -> Drawing:
        """Return a plot of the ratings with intervals and ties, which Jupyter displays.

        >>> from durak_widget import arena
        >>> arena.play(["careful", "first"], games=2).plot().text[:4]
        '<svg'
        """
        return Drawing(draw_ratings(self, language))

    def plot_rating_history(self, language: str = "en") -> Drawing:
        """Return a plot of each bot's rating against the number of games played so far."""
        return Drawing(draw_rating_history(self, language))

    def matrix_table(self, language: str = "en") -> Drawing:
        """Return a table of each bot's points against each other bot, which Jupyter displays."""
        return Drawing(render_matrix_table(self, language))

    def to_html(self, language: str = "en") -> str:
        """Return the standings as one complete HTML page, to display on a screen or to print."""
        return standings_page.render_page(self, language)

    def __reduce__(self) -> NoReturn:
        raise DurakError(
            "a ranking cannot be copied or sent, because its games are in a file; ranking.save(path) writes that file, and arena.load(path) reads it"
        )

    def _repr_html_(self) -> str:
        voice = Translator(self.language)
        paragraphs = "".join(f"<p>{sentence}</p>" for sentence in format_standings_html(self, voice))
        return f"{render_places_table(self, voice.language)}{paragraphs}"

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<Ranking of {len(self.names)} after {self.games_played} of {self.games_planned} games>"


def find_last_meetings(stored_games: Iterable[StoredGame]) -> dict[int, int]:
    """Return the number of each disqualified bot's last meeting (some bots play one deal).

    That is the meeting of its third forfeit; the games have to be in the order of the schedule. Games with a bot that was disqualified
    before don't count here, since workers may or may not have played them.
    """
    forfeit_counts, last_meetings = dict[int, int](), dict[int, int]()
    for line in stored_games:
        if line.forfeit is not None and is_due(line.meeting, line.sides, last_meetings):
            bot = line.sides[line.forfeit]
            forfeit_counts[bot] = forfeit_counts.get(bot, 0) + 1
            if forfeit_counts[bot] == MAX_FORFEITS:
                last_meetings[bot] = line.meeting
    return last_meetings


def is_due(meeting: int, bots: Iterable[int], last_meetings: Mapping[int, int]) -> bool:
    """Return whether no bot was disqualified before a meeting (some bots play one deal).

    >>> is_due(7, (0, 1), {1: 7}), is_due(8, (0, 1), {1: 7})
    (True, False)
    """
    return all(meeting <= last_meetings.get(bot, meeting) for bot in bots)


def _build_deal_result(stored_games: Sequence[StoredGame], *, subtract_luck: bool) -> DealResult:
    """Return how many points each pair of bots won against each other in one deal.

    Two who both won are not compared, and a tie is half a win for each. `subtract_luck`: subtract the luck of the cards, in games of files that
    have it.
    """
    totals: dict[tuple[int, int], list[float]] = {}
    for line in stored_games:
        for side, first in enumerate(line.sides):
            for other_side, second in enumerate(line.sides):
                if first >= second:
                    continue
                first_points, second_points = line.points[side], line.points[other_side]
                if first_points == second_points != 0.5:  # Two bots that both won, or both lost, are not compared
                    continue
                share = 0.5 if first_points == second_points else float(first_points > second_points)
                if subtract_luck and line.luck is not None and len(line.sides) == 2:
                    share -= line.luck[side]
                pair = totals.setdefault((first, second), [0.0, 0.0])
                pair[0] += share
                pair[1] += 1.0
    return tuple((first, second, points, games) for (first, second), (points, games) in sorted(totals.items()))


def compute_scores(stored_games: Sequence[StoredGame], bot_count: int) -> Iterator[float | None]:
    """Yield each bot's mean points per game, in order; None for a disqualified bot."""
    last_meetings = find_last_meetings(stored_games)
    points, game_counts = [0.0] * bot_count, [0] * bot_count
    for line in stored_games:
        for side, bot in enumerate(line.sides if is_due(line.meeting, line.sides, last_meetings) else ()):
            points[bot] += line.points[side]
            game_counts[bot] += 1
    for bot in range(bot_count):
        yield None if bot in last_meetings else points[bot] / game_counts[bot] if game_counts[bot] else 0.5
