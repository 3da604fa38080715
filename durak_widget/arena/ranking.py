"""The result of a tournament so far: the standings, how sure they are, and every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, overload

from durak_widget.arena import standings_page
from durak_widget.arena.ratings import course, even_pairs, rated, same_moves
from durak_widget.arena.result_sentences import standing_told
from durak_widget.arena.standings_page import matrix_table, places_table, ranking_lines
from durak_widget.arena.svg_plots import Drawing, course_plot, ratings_plot
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, quoted
from durak_widget.i18n import Fact, Voice
from durak_widget.rules import seating
from durak_widget.sandbox.code_runner import weaker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from os import PathLike

    from durak_widget.arena.ratings import Standings, Unit
    from durak_widget.arena.tournament_file import ArenaFile, GameLine
    from durak_widget.rules.ruleset import Rules

OUT: Final = 3
"""The number of forfeits that disqualifies a bot; then none of its games counts."""
_STEPS: Final = 40
"""The most points of a curve."""


class Forfeit(NamedTuple):
    """A game that a bot could not play on."""

    who: str
    game: int
    """The number of the game in the ranking."""
    fact: Fact
    position: str
    """The position then, as a line for `Game.at`."""

    def sentence(self, language: str = "en") -> str:
        """Return the reason as a sentence."""
        return Voice(language).say(self.fact.key, **self.fact.facts)

    @property
    def said(self) -> str:
        """Return the reason in English."""
        return self.sentence()


@dataclass(frozen=True)
class ArenaGame:
    """A game of a tournament."""

    number: int
    seats: tuple[str, ...]
    """The bot on each seat."""
    points: tuple[float, ...]
    """The points of each seat out of 1."""
    forfeit: str | None
    """The bot that could not play on."""
    text: str

    @property
    def game(self) -> Game:
        """Return the game, to go through it move by move."""
        return Game.parse(self.text)


class ArenaGames(Sequence[ArenaGame]):
    """The games of a tournament in the order of its schedule, read when they are used."""

    def __init__(self, file: ArenaFile, lines: Sequence[GameLine], names: tuple[str, ...], rules: Rules) -> None:
        self._file, self._lines, self._names, self._sides = file, lines, names, seating.sides(rules)

    def __len__(self) -> int:
        return len(self._lines)

    @overload
    def __getitem__(self, at: int) -> ArenaGame: ...
    @overload
    def __getitem__(self, at: slice) -> list[ArenaGame]: ...

    def __getitem__(self, at: int | slice) -> ArenaGame | list[ArenaGame]:
        if isinstance(at, slice):
            return [self[index] for index in range(*at.indices(len(self)))]
        number = range(len(self))[at]
        line = self._lines[number]
        return ArenaGame(number, *self._told(line), self._file.text(line.meeting, line.place))

    def _told(self, line: GameLine) -> tuple[tuple[str, ...], tuple[float, ...], str | None]:
        seats = tuple(self._names[line.sides[side]] for side in self._sides)
        points = tuple(line.points[side] for side in self._sides)
        return seats, points, None if line.forfeit is None else self._names[line.sides[line.forfeit]]

    def heads(self) -> list[tuple[int, tuple[str, ...], tuple[float, ...], str | None]]:
        """Return the header of each game, without reading the games.

        A header has the game's number, the bot of each seat, the points, and the bot that forfeited.
        """
        return [(number, *self._told(line)) for number, line in enumerate(self._lines)]


class Ranking:
    """The result of a tournament, as far as it has been played.

    >>> from durak_widget import arena
    >>> ranking = arena.play(["careful", "first"], games=40)
    >>> ranking.standing.better(0, 1), ranking.games[0].seats, ranking.rows()[0]["name"]
    (True, ('careful', 'first'), 'careful')
    """

    def __init__(
        self,
        file: ArenaFile,
        *,
        names: tuple[str, ...],
        rules: Rules,
        still: int = 0,
        cancelled: int = 0,
        troubles: tuple[str, ...] = (),
    ) -> None:
        self.names, self.rules = names, rules
        self.language = "en"
        """The language for notebooks."""
        self._file = file
        missing_protections = file.missing()
        self.troubles = (*troubles, Voice().say("arena.weaker", **weaker(missing_protections).facts)) if missing_protections else troubles
        """Sentences about problems: deals that could not be played, sandbox layers that were missing."""
        metadata = file.about
        self.seed: int | str = metadata.get("seed", 1)
        self.system: str = metadata.get("system", "all")
        lines = file.lines()
        last_meetings = out_after(lines)
        valid_games = [line for line in lines if is_due(line.meeting, line.sides, last_meetings)]
        self._lines = valid_games
        self.out = tuple(names[number] for number in sorted(last_meetings))
        """The bots that are disqualified: their games don't count."""
        self.games = ArenaGames(file, valid_games, names, rules)
        """Every game up to the disqualification of one of its bots."""
        counted_games = [line for line in valid_games if not last_meetings.keys() & set(line.sides)]
        self._by_meeting: dict[int, list[GameLine]] = {}
        for line in counted_games:
            self._by_meeting.setdefault(line.meeting, []).append(line)
        self.planned = len(valid_games) + still
        """The planned number of games, as far as it is known; less if bots are disqualified."""
        self.cancelled = cancelled
        """The number of planned games that are left out, because a bot in them is disqualified."""
        self.attempts = {name: kinds for name, kinds in file.attempts.items() if name in names}
        """What bots tried and the sandbox refused: `files`, `programs`, `network`, as far as noticed."""
        self.counted = len(counted_games)
        """The number of games that count."""

    @property
    def played(self) -> int:
        """Return the number of games played."""
        return len(self.games)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Return the deals that count, with the results of each pair in them."""
        return tuple(_unit(lines, luck=True) for lines in self._by_meeting.values())

    @cached_property
    def standing(self) -> Standings:
        """Return the ratings with intervals, and which differences are proved."""
        return rated(len(self.names), self.units)

    @cached_property
    def course(self) -> tuple[tuple[int, tuple[float | None, ...]], ...]:
        """Return the ratings after increasing numbers of games."""
        sizes = [len(lines) for lines in self._by_meeting.values()]
        return tuple((sum(sizes[:deal_count]), points) for deal_count, points in course(len(self.names), self.units, steps=_STEPS))

    @cached_property
    def forfeits(self) -> tuple[Forfeit, ...]:
        """Return the games that a bot could not play on."""
        forfeits = []
        for number, line in enumerate(self._lines):
            if line.forfeit is not None:
                fact, position = self._file.why(line.meeting, line.place)
                forfeits.append(Forfeit(self.names[line.sides[line.forfeit]], number, fact, position))
        return tuple(forfeits)

    def of(self, name: str) -> list[ArenaGame]:
        """Return the games of one bot.

        >>> from durak_widget import arena
        >>> len(arena.play(["careful", "first", "random"], games=6).of("first"))
        4
        """
        self._place(name)
        return [self.games[number] for number, seats, _, _ in self.games.heads() if name in seats]

    def _place(self, name: str) -> int:
        if name not in self.names:
            raise DurakError(f"nobody called {quoted(name)} takes part; there are {', '.join(self.names[:20])}")
        return self.names.index(name)

    def better(self, one: str, other: str) -> bool | None:
        """Return whether one bot is better than the other: None if that is not proved yet.

        >>> from durak_widget import arena
        >>> found = arena.play(["careful", "first"], games=40)
        >>> found.better("careful", "first"), found.better("first", "careful")
        (True, False)
        """
        first, second = self._place(one), self._place(other)
        return True if self.standing.better(first, second) else False if self.standing.better(second, first) else None

    def still(self, points: float = 5.0) -> int:
        """Return how many more games make every rating exact to within this many points."""
        return round(self.standing.needed(points) * self._games_a_deal())

    def still_between(self, one: str, other: str) -> int | None:
        """Return about how many more games it takes to separate two bots.

        0 if they are separate already; None if they look equal or can't be compared.

        >>> from durak_widget import arena
        >>> arena.play(["careful", "first"], games=40).still_between("first", "careful")
        0
        """
        first, second = sorted((self._place(one), self._place(other)))
        deals = None if (first, second) in self._even else self.standing.needed_between(first, second)
        return None if deals is None else round(deals * self._games_a_deal())

    @cached_property
    def _even(self) -> frozenset[tuple[int, int]]:
        return even_pairs([_unit(lines, luck=False) for lines in self._by_meeting.values()])

    @cached_property
    def same_moves(self) -> tuple[tuple[int, ...], ...]:
        """Return the groups of bots that made the same moves wherever they met.

        The numbers are indexes of `names`. They did so in each seating of at least five deals.
        """
        return same_moves(self._file, list(self._by_meeting.values()), self._even, len(self.names))

    def _games_a_deal(self) -> float:
        """Return the mean number of counted games for each deal."""
        return max(1.0, self.counted / max(1, self.standing.units))

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each bot, best first, for `pandas.DataFrame(ranking.rows())`.

        `rating` with `low` and `high` is the share of points against the average of the others, and `score` that against the bots it met,
        both in hundredths. `rank_low` to `rank_high` are the ranks that its games leave open. All of them are None for a bot without a
        rating.
        """
        forfeiting_bots = [forfeit.who for forfeit in self.forfeits]
        table_rows = []
        for index in [*self.standing.order, *(bot for bot in range(len(self.names)) if bot not in self.standing.order)]:
            rating = self.standing.ratings[index]
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
                    "games": self.games_of(index),
                    "forfeits": forfeiting_bots.count(self.names[index]),
                    "out": self.names[index] in self.out,
                    "refused": ", ".join(self.attempts.get(self.names[index], ())),
                }
            )
        return table_rows

    def games_of(self, place: int) -> int:
        """Return the number of counted games of a bot, by its index in `names`."""
        return self._sat[place]

    @cached_property
    def _sat(self) -> Counter[int]:
        """Return the number of counted games of each bot."""
        return Counter(bot for lines in self._by_meeting.values() for line in lines for bot in set(line.sides))

    def game_rows(self) -> list[dict[str, Any]]:
        """Return a row for each seat of each game."""
        return [
            {"game": number, "seat": seat, "name": name, "points": points[seat], "forfeit": name == forfeiting_bot}
            for number, seats, points, forfeiting_bot in self.games.heads()
            for seat, name in enumerate(seats)
        ]

    def save(self, path: str | PathLike[str]) -> None:
        """Save everything to a file for `arena.load`.

        >>> import os, tempfile
        >>> from durak_widget import arena
        >>> path = os.path.join(tempfile.mkdtemp(), "ours.sqlite")
        >>> arena.play(["careful", "first"], games=2).save(path)
        >>> arena.load(path).games[0].seats
        ('careful', 'first')
        """
        self._file.copy_to(path)

    def said(self, language: str = "en") -> str:
        """Return the standings as text."""
        return ranking_lines(self, language)

    def plot(self, language: str = "en") -> Drawing:
        """Return a drawing of the ratings with intervals and ties, which a notebook shows.

        >>> from durak_widget import arena
        >>> arena.play(["careful", "first"], games=2).plot().text[:4]
        '<svg'
        """
        return Drawing(ratings_plot(self, language))

    def course_plot(self, language: str = "en") -> Drawing:
        """Return a drawing of the ratings as games came in."""
        return Drawing(course_plot(self, language))

    def matrix(self, language: str = "en") -> Drawing:
        """Return a table of all pairs, which a notebook shows."""
        return Drawing(matrix_table(self, language))

    def page(self, language: str = "en") -> str:
        """Return the page to hang up: one HTML text that needs no other file."""
        return standings_page.page(self, language)

    def __reduce__(self) -> NoReturn:
        raise DurakError(
            "a ranking is not copied or sent, since all its games stand in a file: ranking.save(path) writes that, arena.load(path) reads it"
        )

    def _repr_html_(self) -> str:
        voice = Voice(self.language)
        paragraphs = "".join(f"<p>{sentence}</p>" for sentence in standing_told(self, voice))
        return f"{places_table(self, voice.language)}{paragraphs}"

    def __str__(self) -> str:
        return self.said()

    def __repr__(self) -> str:
        return f"<Ranking of {len(self.names)} after {self.played} of {self.planned} games>"


def out_after(lines: Iterable[GameLine]) -> dict[int, int]:
    """Return the disqualified bots, each with its last meeting.

    That is the meeting of its third forfeit; the games have to be in the order of the schedule. Games with a bot that was disqualified
    before don't count here, since workers may or may not have played them.
    """
    forfeit_counts, last_meetings = dict[int, int](), dict[int, int]()
    for line in lines:
        if line.forfeit is not None and is_due(line.meeting, line.sides, last_meetings):
            bot = line.sides[line.forfeit]
            forfeit_counts[bot] = forfeit_counts.get(bot, 0) + 1
            if forfeit_counts[bot] == OUT:
                last_meetings[bot] = line.meeting
    return last_meetings


def is_due(number: int, who: Iterable[int], ends: Mapping[int, int]) -> bool:
    """Return whether these bots have to play a meeting: none is disqualified before it.

    >>> is_due(7, (0, 1), {1: 7}), is_due(8, (0, 1), {1: 7})
    (True, False)
    """
    return all(number <= ends.get(bot, number) for bot in who)


def _unit(lines: Sequence[GameLine], *, luck: bool) -> Unit:
    """Return the results of each pair in a deal.

    Two who both won are not compared, and a tie is half a win for each. `luck`: subtract the luck of the cards, in games of files that
    have it.
    """
    totals: dict[tuple[int, int], list[float]] = {}
    for line in lines:
        for side, first in enumerate(line.sides):
            for other_side, second in enumerate(line.sides):
                if first >= second:
                    continue
                first_points, second_points = line.points[side], line.points[other_side]
                if first_points == second_points != 0.5:  # both won, or both lost to somebody else
                    continue
                share = 0.5 if first_points == second_points else float(first_points > second_points)
                if luck and line.luck is not None and len(line.sides) == 2:
                    share -= line.luck[side]
                pair = totals.setdefault((first, second), [0.0, 0.0])
                pair[0] += share
                pair[1] += 1.0
    return tuple((first, second, points, games) for (first, second), (points, games) in sorted(totals.items()))


def scores(lines: Sequence[GameLine], count: int) -> Iterator[float | None]:
    """Yield each bot's points per game; None if it is disqualified."""
    last_meetings = out_after(lines)
    points, game_counts = [0.0] * count, [0] * count
    for line in lines:
        for side, bot in enumerate(line.sides if is_due(line.meeting, line.sides, last_meetings) else ()):
            points[bot] += line.points[side]
            game_counts[bot] += 1
    for bot in range(count):
        yield None if bot in last_meetings else points[bot] / game_counts[bot] if game_counts[bot] else 0.5
