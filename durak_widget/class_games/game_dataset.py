"""Makes recorded games available as data: one row for each decision.

The rows can be counted in a notebook, with pandas or in a spreadsheet.
"""

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
"""Number of players that are listed."""
_TOLD: Final = 5
"""Number of problems shown with the table; all of them are in `troubles`."""


class Games:
    """The decisions of some games.

    `rows` are dicts of plain values, all with the same columns; `pandas.DataFrame(games.rows)` accepts them as they are.

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
        """The decisions, in the order in which they were made."""
        self.played = dict(played)
        """The games by file, including those without a row."""
        self.troubles = tuple(troubles)
        """What could not be read, and why."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the columns of every row; `docs/class-play.md` explains each."""
        return tuple(COLUMNS)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def where(self, **wanted: object) -> Games:
        """Keep only the decisions with these values; a list gives several values to choose from.

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
        """Return how often each value of a column occurs, as a chart.

        For a column of true and false, it is how often it is true. `by` names another column, to count in each of its groups.

        >>> games().where(could_beat=True).share("took", by="player")
        careful  0 of 225     0 %
        miserly  121 of 331  37 %
        random   125 of 324  39 %
        """
        _column(what)
        groups: dict[object, list[object]] = {}
        language_code = user_defaults.language() if language is None else language
        for row in self.rows:
            if row[what] is not None:
                groups.setdefault(row[_column(by)] if by else None, []).append(row[what])
        shares = []
        for group in sorted(groups, key=_order):
            values = groups[group]
            wanted = [True] if all(isinstance(value, bool) for value in values) else sorted(set(values), key=_order)
            for value in wanted:
                label_parts = [group] * bool(by) + [value] * (len(wanted) > 1 or value is not True)
                if what in _RESULTS and label_parts:
                    label_parts[-1] = Voice(language_code).say(f"class.play.{_WORTH.get(value, 'drawn')}")  # type: ignore[call-overload] # a value of any type
                label = ", ".join(_said(part) for part in label_parts) or what
                shares.append(Share(label, values.count(value), len(values)))
        return Shares(shares, language_code)

    def moment(self, row: Mapping[str, Any]) -> Game:
        """Return the game as it was when that decision had to be made.

        You can look at it, play on from it, or ask the solver.

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
        """Return the decisions that gave something away, the worst and shortest first.

        Without any, return the mistakes of the sample.
        """
        rows = sorted((row for row in self.rows if row["mistake"]), key=_gravest)
        if not rows:
            return [] if self.played == _sample(BUDGET).played else _sample(BUDGET).mistakes
        return [Mistake(self.moment(row), row["chosen"], row["player"]) for row in rows]

    def mistake(self, number: int = 1) -> Mistake:
        """Return one of the mistakes: the position, and how the game goes on.

        >>> print(games().mistake())  # doctest: +ELLIPSIS
        Beat the 7 of diamonds, or take.
        ...
        You take. That loses. Player 1 attacks with Q♥︎. You beat Q♥︎ with 9♣︎. You are the fool.
        """
        mistakes, index = self.mistakes, whole_number(number)
        if index is None or not 1 <= index <= len(mistakes):
            raise DurakError(f"there is no mistake {quoted(number)}; they are counted from 1 to {len(mistakes)}")
        return mistakes[index - 1]

    def puzzle(self, **more: Any) -> Position:  # noqa: ANN401 - what a Position takes
        """Return an endgame that a player here could have won, for you to play better.

        Where there is none, it is one of the sample.

        >>> task = games().puzzle()
        >>> bool(task.answer(task.solution))
        True
        """
        return puzzle(self.mistakes, **more) or puzzle(_sample(BUDGET).mistakes, **more) or _no_puzzle()

    def csv(self, path: str | PathLike[str] | None = None) -> str:
        """Return the rows as CSV for a spreadsheet; also write them to a file if `path` is given.

        >>> print(games().csv().splitlines()[0][:35])
        file,student,date,rules,seats,ply,b
        """
        text = as_csv(self.columns, ([row[name] for name in self.columns] for row in self.rows))
        if path is not None:
            keep_text(path, BOM + text)
        return text

    def said(self, language: str | None = None) -> list[str]:
        """Return a sentence about the games and players, then what could not be read."""
        voice = Voice(user_defaults.language() if language is None else language)
        files = {row["file"] for row in self.rows}
        players = sorted({row["player"] for row in self.rows})
        player_list = ", ".join([*players[:_NAMED], *(["…"] if len(players) > _NAMED else [])])
        summary = voice.say("class.play.games", games=len(files), decisions=len(self.rows), players=player_list or "—")
        hidden_count = len(self.troubles) - _TOLD
        lines = [summary, *([voice.say("class.play.troubles", count=len(self.troubles))] if self.troubles else [])]
        return [*lines, *map(str, self.troubles[:_TOLD]), *(["…"] if hidden_count > 0 else [])]

    def __repr__(self) -> str:
        return "\n".join(self.said())

    def _repr_html_(self) -> str:
        first, *rest = map(escape, self.said())
        troubles = f"<p>{rest[0]}</p><ul>{''.join(f'<li>{line}</li>' for line in rest[1:])}</ul>" if rest else ""
        return f"<p>{first}</p>{self._excerpt()}{troubles}"

    def _excerpt(self) -> str:
        """Return the first rows, in a few of their columns, as an HTML table."""
        lines = [_EXCERPT, *([row[name] for name in _EXCERPT] for row in self.rows[:_ROWS])]
        if len(lines) == 1:
            return ""
        cells = ["".join(f'<td style="{_CELL}">{escape(str(cell))}</td>' for cell in line) for line in lines]
        more = f'<td style="{_CELL}" colspan="{len(_EXCERPT)}">…</td>'
        rows = "".join(
            f'<tr style="background:none">{cell}</tr>'
            for cell in [cells[0].replace("<td", "<th").replace("</td", "</th"), *cells[1:], *([more] if len(self) > _ROWS else [])]
        )
        return f'<table style="table-layout:auto;border-collapse:collapse;margin:4px 0;font-size:.92em">{rows}</table>'


def games(
    folder: str | PathLike[str] | Iterable[Game] | None = None,
    *,
    names: Sequence[str] = (),
    budget: int = BUDGET,
) -> Games:
    """Return the games that tables have saved in a folder, or the games of a list.

    Without a folder, it returns some games of bots to try it on. `names` are the players of a list of games, by seat. Other
    files in the folder do no harm; `troubles` lists what can't be read. `budget` is the number of positions to search for the value
    of an endgame.

    >>> found = games()
    >>> found.troubles, {row["player"] for row in found} == {"careful", "miserly", "random"}
    ((), True)
    """
    max_positions = whole_number(budget)
    if max_positions is None or max_positions < 0:
        raise DurakError(f"budget={quoted(budget)} is how many positions may be looked at for one decision: a whole number from 0 on")
    if isinstance(folder, Games):
        return folder
    if names and (folder is None or isinstance(folder, (str, bytes, PathLike))):
        raise DurakError("names says who sat where in a list of games; a folder says so itself")
    if isinstance(folder, Iterable) and not isinstance(folder, (str, bytes)):
        return _made([_of(number, game, names) for number, game in enumerate(folder, 1)], budget=max_positions)
    if folder is None:
        sample = _sample(max_positions)
        return Games(map(dict, sample.rows), sample.played)
    return _made(*game_files.kept(folder), budget=max_positions)


@lru_cache(maxsize=2)
def _sample(budget: int) -> Games:
    """Return the games of bots that come with the package, analyzed once."""
    return _made(*game_files.kept(game_files.SAMPLE), budget=budget)


def _made(played: Iterable[KeptGame], troubles: Iterable[Trouble] = (), *, budget: int) -> Games:
    """Build the rows of some games."""
    by_file = {recorded_game.file: recorded_game for recorded_game in played}
    return Games([row for recorded_game in by_file.values() for row in decisions(recorded_game, budget)], by_file, troubles)


def _gravest(row: Row) -> tuple[int, int]:
    """Return a sort key: the loss of value, then the cards left."""
    return row["value_after"] - row["value"], row["hand"] + sum(map(int, row["others"].split()))


def _no_puzzle() -> Position:
    """Raise the error for games without a puzzle."""
    raise DurakError("nobody has left an ending that could have been won")


def _of(number: int, game: object, names: Sequence[str]) -> KeptGame:
    """Describe a game of a list, with the players on its seats."""
    if not isinstance(game, Game):
        raise DurakError(f"games takes a folder, or a list of Game, not of {quoted(game)}")
    if isinstance(names, str) or not all(isinstance(name, str) for name in names) or len(names) not in {0, game.seats}:
        raise DurakError(f"names says who sat on each of the {game.seats} seats, not {quoted(names)}")
    seat_names = list(names) or [game_files.UNKNOWN] * game.seats
    return KeptGame(f"game {number}", "", "", game, tuple(seat_names[played.seat] for played in game.course))


def _column(name: str) -> str:
    """Return the name of a column, or raise an error if there is none."""
    if name not in COLUMNS:
        raise DurakError(f"there is no column {quoted(name)}.{nearest(str(name)[:100], COLUMNS)} There are {', '.join(COLUMNS)}")
    return name


def _among(value: object, values: Sequence[object]) -> bool:
    """Return whether a value is among others; 1 is not `True`."""
    return any(value == other and isinstance(value, bool) == isinstance(other, bool) for other in values)


def _order(value: object) -> tuple[bool, float, str]:
    """Return a sort key: numbers by size, then texts."""
    return isinstance(value, str), float(value) if isinstance(value, (int, float)) else 0.0, str(value)


def _said(value: object) -> str:
    """Format a value."""
    return "yes" if value is True else "no" if value is False else str(value)
