"""Games that were played, as data: a row a decision, to be counted in a notebook, by pandas, or in a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import keep_text
from durak_widget.class_games import game_files
from durak_widget.class_games.decision_table import BUDGET, COLUMNS, decisions
from durak_widget.class_games.endgame_mistakes import Mistake, puzzle
from durak_widget.class_games.frequency_chart import Share, Shares
from durak_widget.class_games.game_files import KeptGame
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, nearest, quoted, whole_number
from durak_widget.homework.csv_tables import BOM, as_csv
from durak_widget.i18n import Voice
from durak_widget.widgets import user_defaults

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.class_games.decision_table import Row
    from durak_widget.exercises.position_exercise import Position
    from durak_widget.grading.gradebook import Trouble

_RESULTS: Final = frozenset({"value", "value_after", "later_result"})
_WORTH: Final = {1: "won", 0: "drawn", -1: "lost"}
_EXCERPT: Final = ("ply", "player", "role", "possible", "chosen")
_ROWS: Final = 4
_CELL: Final = "text-align:left;padding:2px 12px 2px 0;border:0"
_NAMED: Final = 12
"""So many players are named."""
_TOLD: Final = 5
"""So many troubles are shown with the table; all of them are in `troubles`."""


class Games:
    """What was decided in some games: `rows` are dicts of plain values, all with the same columns; `pandas.DataFrame(games.rows)` takes them as they are.

    >>> from durak_widget import Game, bots
    >>> game = bots.play(Game(seed=7), ["careful", "random"], 7)
    >>> found = games([game], names=["careful", "random"])
    >>> len(found) == game.ply, found.rows[0]["role"], found.rows[0]["chosen"]
    (True, 'leads', 'attack 6s')
    >>> found.where(took_though=True).share("player")
    random  5 of 5  100 %
    """

    def __init__(self, rows: Iterable[Row], played: Mapping[str, KeptGame], troubles: Iterable[Trouble] = ()) -> None:
        self.rows = list(rows)
        """A decision each, in the order in which they were made."""
        self.played = dict(played)
        """The games by their files, also those of which no row is left."""
        self.troubles = tuple(troubles)
        """What could not be read, and why."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of every row; what each says stands in `docs/class-play.md`."""
        return tuple(COLUMNS)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def where(self, **wanted: object) -> Games:
        """Only the decisions of which that holds; several values to choose from are given in a list.

        >>> taken = games().where(role="defends", verb=["take", "beat"])
        >>> sorted({row["verb"] for row in taken})
        ['beat', 'take']
        """
        tests = {}
        for name, value in wanted.items():
            _column(name)
            tests[name] = list(value) if isinstance(value, (list, tuple, set, frozenset)) else [value]
        rows = [row for row in self.rows if all(_among(row[name], values) for name, values in tests.items())]
        return Games(rows, self.played, self.troubles)

    def share(self, what: str, *, by: str = "", language: str | None = None) -> Shares:
        """How often each value of a column comes, with bars to look at; of a column that is true or false, how often it is true. `by` another column: in each group.

        >>> games().where(could_beat=True).share("took", by="player")
        careful  0 of 225     0 %
        miserly  121 of 331  37 %
        random   125 of 324  39 %
        """
        _column(what)
        groups: dict[object, list[object]] = {}
        spoken = user_defaults.language() if language is None else language
        for row in self.rows:
            if row[what] is not None:
                groups.setdefault(row[_column(by)] if by else None, []).append(row[what])
        found = []
        for group in sorted(groups, key=_order):
            values = groups[group]
            wanted = [True] if all(isinstance(value, bool) for value in values) else sorted(set(values), key=_order)
            for value in wanted:
                parts = [group] * bool(by) + [value] * (len(wanted) > 1 or value is not True)
                if what in _RESULTS and parts:
                    parts[-1] = Voice(spoken).say(f"class.play.{_WORTH.get(value, 'drawn')}")  # type: ignore[call-overload] # whatever it is
                label = ", ".join(_said(part) for part in parts) or what
                found.append(Share(label, values.count(value), len(values)))
        return Shares(found, spoken)

    def moment(self, row: Mapping[str, Any]) -> Game:
        """The game as it stood when that decision was asked for: to look at, to play on from, or to ask the solver.

        >>> found = games()
        >>> row = found.where(mistake=True).rows[0]
        >>> found.moment(row).ply == row["ply"] - 1
        True
        """
        file, ply = (row.get("file"), whole_number(row.get("ply"))) if isinstance(row, Mapping) else (None, None)
        if not isinstance(file, str) or file not in self.played or ply is None:
            raise DurakError(f"a moment is that of one of these rows, as in games.moment(games.rows[0]), not of {quoted(row)}")
        game = self.played[file].game.copy()
        game.goto(ply - 1)
        game.forget_undone()
        return game

    @property
    def mistakes(self) -> list[Mistake]:
        """The decisions that gave something away, those that gave most and are soon told first; where there are none, those of the sample."""
        rows = sorted((row for row in self.rows if row["mistake"]), key=_gravest)
        if not rows:
            return [] if self.played == _sample(BUDGET).played else _sample(BUDGET).mistakes
        return [Mistake(self.moment(row), row["chosen"], row["player"]) for row in rows]

    def mistake(self, number: int = 1) -> Mistake:
        """One of them, to be looked at: the moment, and how it goes on.

        >>> print(games().mistake())  # doctest: +ELLIPSIS
        Beat the 7 of diamonds, or take.
        ...
        You take. That loses. Player 1 attacks with Q♥︎. You beat Q♥︎ with 9♣︎. You are the fool.
        """
        found, place = self.mistakes, whole_number(number)
        if place is None or not 1 <= place <= len(found):
            raise DurakError(f"there is no mistake {quoted(number)}; they are counted from 1 to {len(found)}")
        return found[place - 1]

    def puzzle(self, **more: Any) -> Position:  # noqa: ANN401 - what a Position takes
        """An ending that somebody here could have won and did not, for you to do better; where nobody has left one, one of the sample.

        >>> task = games().puzzle()
        >>> bool(task.answer(task.solution))
        True
        """
        return puzzle(self.mistakes, **more) or puzzle(_sample(BUDGET).mistakes, **more) or _no_puzzle()

    def csv(self, path: str | PathLike[str] | None = None) -> str:
        """The rows as comma-separated values, for a spreadsheet; written to a file where one is named.

        >>> print(games().csv().splitlines()[0][:35])
        file,student,date,rules,seats,ply,b
        """
        text = as_csv(self.columns, ([row[name] for name in self.columns] for row in self.rows))
        if path is not None:
            keep_text(path, BOM + text)
        return text

    def said(self, language: str | None = None) -> list[str]:
        """What is there, in a sentence; then what could not be read."""
        voice = Voice(user_defaults.language() if language is None else language)
        files = {row["file"] for row in self.rows}
        players = sorted({row["player"] for row in self.rows})
        named = ", ".join([*players[:_NAMED], *(["…"] if len(players) > _NAMED else [])])
        told = voice.say("class.play.games", games=len(files), decisions=len(self.rows), players=named or "—")
        more = len(self.troubles) - _TOLD
        found = [told, *([voice.say("class.play.troubles", count=len(self.troubles))] if self.troubles else [])]
        return [*found, *map(str, self.troubles[:_TOLD]), *(["…"] if more > 0 else [])]

    def __repr__(self) -> str:
        return "\n".join(self.said())

    def _repr_html_(self) -> str:
        first, *rest = map(escape, self.said())
        troubles = f"<p>{rest[0]}</p><ul>{''.join(f'<li>{one}</li>' for one in rest[1:])}</ul>" if rest else ""
        return f"<p>{first}</p>{self._excerpt()}{troubles}"

    def _excerpt(self) -> str:
        """The first rows, in a few of their columns."""
        lines = [_EXCERPT, *([row[name] for name in _EXCERPT] for row in self.rows[:_ROWS])]
        if len(lines) == 1:
            return ""
        cells = ["".join(f'<td style="{_CELL}">{escape(str(one))}</td>' for one in line) for line in lines]
        more = f'<td style="{_CELL}" colspan="{len(_EXCERPT)}">…</td>'
        rows = "".join(
            f'<tr style="background:none">{one}</tr>'
            for one in [cells[0].replace("<td", "<th").replace("</td", "</th"), *cells[1:], *([more] if len(self) > _ROWS else [])]
        )
        return f'<table style="table-layout:auto;border-collapse:collapse;margin:4px 0;font-size:.92em">{rows}</table>'


def games(
    folder: str | PathLike[str] | Iterable[Game] | None = None,
    *,
    names: Sequence[str] = (),
    budget: int = BUDGET,
) -> Games:
    """The games of a folder, in which tables have kept them; without one, some games of bots to try it on. Or those of a list, with the names of who sat where.

    Nothing else in the folder harms: what cannot be read is named in `troubles`. `budget` is how many positions are looked at for the value of an ending.

    >>> found = games()
    >>> found.troubles, {row["player"] for row in found} == {"careful", "miserly", "random"}
    ((), True)
    """
    most = whole_number(budget)
    if most is None or most < 0:
        raise DurakError(f"budget={quoted(budget)} is how many positions may be looked at for one decision: a whole number from 0 on")
    if isinstance(folder, Games):
        return folder
    if names and (folder is None or isinstance(folder, (str, bytes, PathLike))):
        raise DurakError("names says who sat where in a list of games; a folder says so itself")
    if isinstance(folder, Iterable) and not isinstance(folder, (str, bytes)):
        return _made([_of(number, game, names) for number, game in enumerate(folder, 1)], budget=most)
    if folder is None:
        sample = _sample(most)
        return Games(map(dict, sample.rows), sample.played)
    return _made(*game_files.kept(folder), budget=most)


@lru_cache(maxsize=2)
def _sample(budget: int) -> Games:
    """The games of bots that come with the package, gone through once."""
    return _made(*game_files.kept(game_files.SAMPLE), budget=budget)


def _made(played: Iterable[KeptGame], troubles: Iterable[Trouble] = (), *, budget: int) -> Games:
    by_file = {one.file: one for one in played}
    return Games([row for one in by_file.values() for row in decisions(one, budget)], by_file, troubles)


def _gravest(row: Row) -> tuple[int, int]:
    return row["value_after"] - row["value"], row["hand"] + sum(map(int, row["others"].split()))


def _no_puzzle() -> Position:
    raise DurakError("nobody has left an ending that could have been won")


def _of(number: int, game: object, names: Sequence[str]) -> KeptGame:
    if not isinstance(game, Game):
        raise DurakError(f"games takes a folder, or a list of Game, not of {quoted(game)}")
    if isinstance(names, str) or not all(isinstance(name, str) for name in names) or len(names) not in {0, game.seats}:
        raise DurakError(f"names says who sat on each of the {game.seats} seats, not {quoted(names)}")
    seated = list(names) or [game_files.UNKNOWN] * game.seats
    return KeptGame(f"game {number}", "", "", game, tuple(seated[played.seat] for played in game.course))


def _column(name: str) -> str:
    if name not in COLUMNS:
        raise DurakError(f"there is no column {quoted(name)}.{nearest(str(name)[:100], COLUMNS)} There are {', '.join(COLUMNS)}")
    return name


def _among(value: object, values: Sequence[object]) -> bool:
    """Whether it is one of them; 1 is not `True`."""
    return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in values)


def _order(value: object) -> tuple[bool, float, str]:
    """Numbers by size, then texts."""
    return isinstance(value, str), float(value) if isinstance(value, (int, float)) else 0.0, str(value)


def _said(value: object) -> str:
    return "yes" if value is True else "no" if value is False else str(value)
