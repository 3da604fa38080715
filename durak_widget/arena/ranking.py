"""What a tournament has found so far: who is better than whom, how sure that is, and every game of it."""

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
"""Who has forfeited so many games is out, and none of its games counts."""
_STEPS: Final = 40
"""So many points a curve has at most."""


class Forfeit(NamedTuple):
    """A game that somebody could not play on."""

    who: str
    game: int
    """Its number among the games of the ranking."""
    fact: Fact
    position: str
    """Where it stood, as `Game.at` reads it."""

    def sentence(self, language: str = "en") -> str:
        """Why, in a sentence of any language."""
        return Voice(language).say(self.fact.key, **self.fact.facts)

    @property
    def said(self) -> str:
        """Why, in English."""
        return self.sentence()


@dataclass(frozen=True)
class ArenaGame:
    """A game of a tournament."""

    number: int
    seats: tuple[str, ...]
    """Who sat on each seat."""
    points: tuple[float, ...]
    """What each seat has of one point."""
    forfeit: str | None
    """Who could not play on."""
    text: str

    @property
    def game(self) -> Game:
        """The game, to be looked at move by move."""
        return Game.parse(self.text)


class ArenaGames(Sequence[ArenaGame]):
    """The games of a tournament, in the order of its plan; each is read when it is asked for."""

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
            return [self[one] for one in range(*at.indices(len(self)))]
        place = range(len(self))[at]
        line = self._lines[place]
        return ArenaGame(place, *self._told(line), self._file.text(line.meeting, line.place))

    def _told(self, line: GameLine) -> tuple[tuple[str, ...], tuple[float, ...], str | None]:
        seats = tuple(self._names[line.sides[side]] for side in self._sides)
        points = tuple(line.points[side] for side in self._sides)
        return seats, points, None if line.forfeit is None else self._names[line.sides[line.forfeit]]

    def heads(self) -> list[tuple[int, tuple[str, ...], tuple[float, ...], str | None]]:
        """Of each game its number, who sat where, the points, and who could not play on; no game is read for it."""
        return [(number, *self._told(line)) for number, line in enumerate(self._lines)]


class Ranking:
    """What a tournament has found; as much of it as has been played.

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
        """In which it shows itself in a notebook."""
        self._file = file
        missing = file.missing()
        self.troubles = (*troubles, Voice().say("arena.weaker", **weaker(missing).facts)) if missing else troubles
        """What else is to be said of how it was played: deals that could not be, walls that did not stand around somebody's code."""
        about = file.about
        self.seed: int | str = about.get("seed", 1)
        self.system: str = about.get("system", "all")
        lines = file.lines()
        ends = out_after(lines)
        there = [line for line in lines if is_due(line.meeting, line.sides, ends)]
        self._lines = there
        self.out = tuple(names[one] for one in sorted(ends))
        """Who is out: their games count for nobody."""
        self.games = ArenaGames(file, there, names, rules)
        """Every game that was played until somebody was out."""
        counted = [line for line in there if not ends.keys() & set(line.sides)]
        self._by_meeting: dict[int, list[GameLine]] = {}
        for line in counted:
            self._by_meeting.setdefault(line.meeting, []).append(line)
        self.planned = len(there) + still
        """How many games there are to be, as far as that is known: fewer when somebody is out."""
        self.cancelled = cancelled
        """How many games were planned and are left out, because a bot in them is out."""
        self.attempts = {name: kinds for name, kinds in file.attempts.items() if name in names}
        """Which bots tried what the sandbox refused: `files`, `programs`, `network`, as far as that was noticed."""
        self.counted = len(counted)
        """So many of them count."""

    @property
    def played(self) -> int:
        """How many games have been played."""
        return len(self.games)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """What the ratings are made of: each deal that counts, with what those who met over it have of one another."""
        return tuple(_unit(lines, luck=True) for lines in self._by_meeting.values())

    @cached_property
    def standing(self) -> Standings:
        """Ratings with their intervals, and who is better than whom."""
        return rated(len(self.names), self.units)

    @cached_property
    def course(self) -> tuple[tuple[int, tuple[float | None, ...]], ...]:
        """The rating of each after so many games."""
        sizes = [len(lines) for lines in self._by_meeting.values()]
        return tuple((sum(sizes[:many]), points) for many, points in course(len(self.names), self.units, steps=_STEPS))

    @cached_property
    def forfeits(self) -> tuple[Forfeit, ...]:
        """The games that somebody could not play on."""
        found = []
        for number, line in enumerate(self._lines):
            if line.forfeit is not None:
                fact, position = self._file.why(line.meeting, line.place)
                found.append(Forfeit(self.names[line.sides[line.forfeit]], number, fact, position))
        return tuple(found)

    def of(self, name: str) -> list[ArenaGame]:
        """The games in which somebody sat.

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
        """Whether one is better than the other: True or False where that is proved, None where it cannot be told yet.

        >>> from durak_widget import arena
        >>> found = arena.play(["careful", "first"], games=40)
        >>> found.better("careful", "first"), found.better("first", "careful")
        (True, False)
        """
        first, second = self._place(one), self._place(other)
        return True if self.standing.better(first, second) else False if self.standing.better(second, first) else None

    def still(self, points: float = 5.0) -> int:
        """How many games more it would take until every rating is within so many points."""
        return round(self.standing.needed(points) * self._games_a_deal())

    def still_between(self, one: str, other: str) -> int | None:
        """How many games more it would take until these two are told apart: 0 if they are, None where they look equal, or cannot be compared.

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
        """Groups of bots, by their places among the names, that made the same moves wherever they met: in each seating of five deals or more."""
        return same_moves(self._file, list(self._by_meeting.values()), self._even, len(self.names))

    def _games_a_deal(self) -> float:
        """In how many games that count a deal was played."""
        return max(1.0, self.counted / max(1, self.standing.units))

    def rows(self) -> list[dict[str, Any]]:
        """A row for each who takes part, best first, in plain values: `pandas.DataFrame(ranking.rows())` takes them as they are.

        `rating` with `low` and `high` is the share of points against the average of the others, `score` that against whoever it met, both in hundredths;
        `rank_low` to `rank_high` are the places that its games leave open. Who is not rated has None there.
        """
        lost = [one.who for one in self.forfeits]
        found = []
        for place in [*self.standing.order, *(one for one in range(len(self.names)) if one not in self.standing.order)]:
            one = self.standing.ratings[place]
            found.append(
                {
                    "name": self.names[place],
                    "rating": one and one.points,
                    "low": one and one.low,
                    "high": one and one.high,
                    "rank": one and one.rank,
                    "rank_low": one and one.rank_low,
                    "rank_high": one and one.rank_high,
                    "score": one and one.score,
                    "games": self.games_of(place),
                    "forfeits": lost.count(self.names[place]),
                    "out": self.names[place] in self.out,
                    "refused": ", ".join(self.attempts.get(self.names[place], ())),
                }
            )
        return found

    def games_of(self, place: int) -> int:
        """In how many games that count somebody sat, by their place among the names."""
        return self._sat[place]

    @cached_property
    def _sat(self) -> Counter[int]:
        """In how many games that count each sat."""
        return Counter(who for lines in self._by_meeting.values() for line in lines for who in set(line.sides))

    def game_rows(self) -> list[dict[str, Any]]:
        """A row for each seat of each game."""
        return [
            {"game": number, "seat": seat, "name": name, "points": points[seat], "forfeit": name == lost}
            for number, seats, points, lost in self.games.heads()
            for seat, name in enumerate(seats)
        ]

    def save(self, path: str | PathLike[str]) -> None:
        """Write all of it to a file, from which `arena.load` reads it.

        >>> import os, tempfile
        >>> from durak_widget import arena
        >>> path = os.path.join(tempfile.mkdtemp(), "ours.sqlite")
        >>> arena.play(["careful", "first"], games=2).save(path)
        >>> arena.load(path).games[0].seats
        ('careful', 'first')
        """
        self._file.copy_to(path)

    def said(self, language: str = "en") -> str:
        """Who stands where, in words."""
        return ranking_lines(self, language)

    def plot(self, language: str = "en") -> Drawing:
        """The ratings, each with what its games leave open, and the ties; as a drawing, which a notebook shows.

        >>> from durak_widget import arena
        >>> arena.play(["careful", "first"], games=2).plot().text[:4]
        '<svg'
        """
        return Drawing(ratings_plot(self, language))

    def course_plot(self, language: str = "en") -> Drawing:
        """The ratings as games came in."""
        return Drawing(course_plot(self, language))

    def matrix(self, language: str = "en") -> Drawing:
        """What each has against each, as a table, which a notebook shows."""
        return Drawing(matrix_table(self, language))

    def page(self, language: str = "en") -> str:
        """The page for the wall: one HTML text that needs nothing else."""
        return standings_page.page(self, language)

    def __reduce__(self) -> NoReturn:
        raise DurakError(
            "a ranking is not copied or sent, since all its games stand in a file: ranking.save(path) writes that, arena.load(path) reads it"
        )

    def _repr_html_(self) -> str:
        voice = Voice(self.language)
        told = "".join(f"<p>{one}</p>" for one in standing_told(self, voice))
        return f"{places_table(self, voice.language)}{told}"

    def __str__(self) -> str:
        return self.said()

    def __repr__(self) -> str:
        return f"<Ranking of {len(self.names)} after {self.played} of {self.planned} games>"


def out_after(lines: Iterable[GameLine]) -> dict[int, int]:
    """Who is out, and with which meeting: the one in which they forfeited for the third time; the games come in the order of the plan.

    What somebody played with who was out before it puts nobody else out: whether it was played at all hangs on who worked when.
    """
    lost, ends = dict[int, int](), dict[int, int]()
    for line in lines:
        if line.forfeit is not None and is_due(line.meeting, line.sides, ends):
            who = line.sides[line.forfeit]
            lost[who] = lost.get(who, 0) + 1
            if lost[who] == OUT:
                ends[who] = line.meeting
    return ends


def is_due(number: int, who: Iterable[int], ends: Mapping[int, int]) -> bool:
    """Whether a meeting is to be played by these: none of them is out before it.

    >>> is_due(7, (0, 1), {1: 7}), is_due(8, (0, 1), {1: 7})
    (True, False)
    """
    return all(number <= ends.get(one, number) for one in who)


def _unit(lines: Sequence[GameLine], *, luck: bool) -> Unit:
    """What those who met over a deal have of one another: of two who both won nothing is known, and a draw is half of a win each.

    `luck`: take away what the cards brought, in games of files that say so.
    """
    found: dict[tuple[int, int], list[float]] = {}
    for line in lines:
        for side, one in enumerate(line.sides):
            for beside, other in enumerate(line.sides):
                if one >= other:
                    continue
                mine, theirs = line.points[side], line.points[beside]
                if mine == theirs != 0.5:  # both won, or both lost to somebody else
                    continue
                share = 0.5 if mine == theirs else float(mine > theirs)
                if luck and line.luck is not None and len(line.sides) == 2:
                    share -= line.luck[side]
                pair = found.setdefault((one, other), [0.0, 0.0])
                pair[0] += share
                pair[1] += 1.0
    return tuple((one, other, points, out_of) for (one, other), (points, out_of) in sorted(found.items()))


def scores(lines: Sequence[GameLine], count: int) -> Iterator[float | None]:
    """The points of each, for a game; None for who is out."""
    ends = out_after(lines)
    won, many = [0.0] * count, [0] * count
    for line in lines:
        for side, who in enumerate(line.sides if is_due(line.meeting, line.sides, ends) else ()):
            won[who] += line.points[side]
            many[who] += 1
    for who in range(count):
        yield None if who in ends else won[who] / many[who] if many[who] else 0.5
