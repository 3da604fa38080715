"""Turns recorded games into a table that has one row for each decision of a player.

The rows can be counted in a notebook, with pandas or in a spreadsheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import save_text
from durak_widget.class_games import game_files
from durak_widget.class_games.decision_table import BUDGET, COLUMNS, iterate_decisions
from durak_widget.class_games.endgame_mistakes import EndgameMistake, make_puzzle
from durak_widget.class_games.frequency_chart import FrequencyChart, Share
from durak_widget.class_games.game_files import RecordedGame
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError, as_whole_number, short_repr, suggest_nearest
from durak_widget.homework.csv_tables import BOM, format_csv
from durak_widget.i18n import TranslatableText, Translator
from durak_widget.widgets import user_defaults

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from durak_widget.class_games.decision_table import Row
    from durak_widget.exercises.position_exercise import Position
    from durak_widget.grading.gradebook import Problem

_RESULT_COLUMNS: Final = frozenset({"value", "value_after", "later_result"})
_RESULT_KEYS: Final = {1: "won", 0: "drawn", -1: "lost"}
_EXCERPT_COLUMNS: Final = ("ply", "player", "role", "possible", "chosen")
_EXCERPT_ROWS: Final = 4
_CELL_STYLE: Final = "text-align:left;padding:2px 12px 2px 0;border:0"
_MAX_PLAYERS_LISTED: Final = 12
"""The maximum number of players whom a summary of the table names."""
_MAX_TROUBLES_SHOWN: Final = 5
"""The maximum number of problems shown with the table; `troubles` has all of them."""


class GameDataset:
    """A table of all decisions in some games, with one row for each decision.

    `rows` are dicts of plain values, all with the same columns; `pandas.DataFrame(games.rows)` accepts them as they are.

    >>> from durak_widget import Game, bots
    >>> game = bots.play(Game(seed=7), ["careful", "random"], 7)
    >>> found = games([game], names=["careful", "random"])
    >>> len(found) == game.ply, found.rows[0]["role"], found.rows[0]["chosen"]
    (True, 'leads', 'attack 6s')
    >>> found.where(took_though=True).share("player")
    random  5 of 5  100 %
    """

    def __init__(self, rows: Iterable[Row], games_by_file: Mapping[str, RecordedGame], troubles: Iterable[Problem] = ()) -> None:
        self.rows = list(rows)
        """The decisions in the order in which the players made them."""
        self.games_by_file = dict(games_by_file)
        """The games by the file they come from, including games without any decision."""
        self.troubles = tuple(troubles)
        """The problems with files or games that could not be read, as sentences."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the names of the table's columns; `docs/class-play.md` explains them."""
        return tuple(COLUMNS)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def where(self, **conditions: object) -> GameDataset:
        """Return a table of the decisions that have given values in given columns.

        A list of values means any of them.

        >>> taken = games().where(role="defends", verb=["take", "beat"])
        >>> sorted({row["verb"] for row in taken})
        ['beat', 'take']
        """
        tests = {}
        for name, value in conditions.items():
            _require_column(name)
            tests[name] = list(value) if isinstance(value, (list, tuple, set, frozenset)) else [value]
        rows = [row for row in self.rows if all(_is_among(row[name], values) for name, values in tests.items())]
        return GameDataset(rows, self.games_by_file, self.troubles)

    def share(self, column: str, *, by: str = "", language: str | None = None) -> FrequencyChart:
        """Return a chart of how often each value occurs in a column.

        For a column of true and false, it is how often it is true. `by` names another column, to count in each of its groups.

        >>> games().where(could_beat=True).share("took", by="player")
        careful  0 of 225     0 %
        miserly  121 of 331  37 %
        random   125 of 324  39 %
        """
        _require_column(column)
        groups: dict[object, list[object]] = {}
        language_code = user_defaults.get_language() if language is None else language
        for row in self.rows:
            if row[column] is not None:
                groups.setdefault(row[_require_column(by)] if by else None, []).append(row[column])
        shares = []
        for group in sorted(groups, key=_sort_key):
            values = groups[group]
            counted_values = [True] if all(isinstance(value, bool) for value in values) else sorted(set(values), key=_sort_key)
            for value in counted_values:
                label_parts = [group] * bool(by) + [value] * (len(counted_values) > 1 or value is not True)
                if column in _RESULT_COLUMNS and label_parts:
                    label_parts[-1] = Translator(language_code).translate(f"class.play.{_RESULT_KEYS.get(value, 'drawn')}")  # type: ignore[call-overload] # a value of any type
                label = ", ".join(_format_value(part) for part in label_parts) or column
                shares.append(Share(label, values.count(value), len(values)))
        return FrequencyChart(shares, language_code)

    def moment(self, row: Mapping[str, Any]) -> Game:
        """Return the game just before the decision that a table row describes.

        You can look at it, play on from it, or ask the solver.

        >>> found = games()
        >>> row = found.where(mistake=True).rows[0]
        >>> found.moment(row).ply == row["ply"] - 1
        True
        """
        file, ply = (row.get("file"), as_whole_number(row.get("ply"))) if isinstance(row, Mapping) else (None, None)
        if not isinstance(file, str) or file not in self.games_by_file or ply is None:
            raise DurakError(f"moment needs one of these rows, as in games.moment(games.rows[0]), not {short_repr(row)}")
        game = self.games_by_file[file].game.copy()
        game.goto(ply - 1)
        game.forget_undone()
        return game

    @property
    def mistakes(self) -> list[EndgameMistake]:
        """Return the mistakes that players made in endgames, the largest loss first.

        Without any, return the mistakes of the sample.
        """
        rows = sorted((row for row in self.rows if row["mistake"]), key=_mistake_sort_key)
        if not rows:
            return [] if self.games_by_file == _load_sample(BUDGET).games_by_file else _load_sample(BUDGET).mistakes
        return [EndgameMistake(self.moment(row), row["chosen"], row["player"]) for row in rows]

    def mistake(self, number: int = 1) -> EndgameMistake:
        """Return mistake number `number` of `mistakes`; the first is number 1.

        >>> print(str(games().mistake()).splitlines()[-1])
        You take the cards. That loses. Player 1 attacks with Q♥︎. You beat Q♥︎ with 9♣︎. You are the fool.
        """
        mistakes, index = self.mistakes, as_whole_number(number)
        if index is None or not 1 <= index <= len(mistakes):
            raise DurakError(f"there is no mistake {short_repr(number)}; the mistakes are numbered from 1 to {len(mistakes)}")
        return mistakes[index - 1]

    def puzzle(self, **options: Any) -> Position:  # noqa: ANN401 - what a Position takes
        """Make a puzzle from an endgame that a player should have won but did not win.

        Where there is none, it is one of the sample.

        >>> task = games().puzzle()
        >>> bool(task.answer(task.solution))
        True
        """
        return make_puzzle(self.mistakes, **options) or make_puzzle(_load_sample(BUDGET).mistakes, **options) or _raise_no_puzzle()

    def csv(self, path: str | PathLike[str] | None = None) -> str:
        """Return the table as CSV text; with `path`, also save it to that file.

        >>> print(games().csv().splitlines()[0][:35])
        file,student,date,rules,seats,ply,b
        """
        text = format_csv(self.columns, ([row[name] for name in self.columns] for row in self.rows))
        if path is not None:
            save_text(path, BOM + text)
        return text

    def summarize(self, language: str | None = None) -> list[str]:
        """Return sentences on how many games and players the table has, and on unreadable games."""
        voice = Translator(user_defaults.get_language() if language is None else language)
        files = {row["file"] for row in self.rows}
        players = sorted({row["player"] for row in self.rows})
        player_list = ", ".join([*players[:_MAX_PLAYERS_LISTED], *(["…"] if len(players) > _MAX_PLAYERS_LISTED else [])])
        decisions = TranslatableText("class.play.decisions", {"count": len(self.rows)})
        summary = voice.translate("class.play.games", count=len(files), decisions=decisions, players=player_list or "—")
        hidden_count = len(self.troubles) - _MAX_TROUBLES_SHOWN
        lines = [summary, *([voice.translate("class.play.troubles", count=len(self.troubles))] if self.troubles else [])]
        return [*lines, *map(str, self.troubles[:_MAX_TROUBLES_SHOWN]), *(["…"] if hidden_count > 0 else [])]

    def __repr__(self) -> str:
        return "\n".join(self.summarize())

    def _repr_html_(self) -> str:
        first, *rest = map(escape, self.summarize())
        troubles = f"<p>{rest[0]}</p><ul>{''.join(f'<li>{line}</li>' for line in rest[1:])}</ul>" if rest else ""
        return f"<p>{first}</p>{self._render_excerpt()}{troubles}"

    def _render_excerpt(self) -> str:
        """Render the table's first rows, with only some columns, as an HTML table."""
        lines = [_EXCERPT_COLUMNS, *([row[name] for name in _EXCERPT_COLUMNS] for row in self.rows[:_EXCERPT_ROWS])]
        if len(lines) == 1:
            return ""
        cells = ["".join(f'<td style="{_CELL_STYLE}">{escape(str(cell))}</td>' for cell in line) for line in lines]
        more = f'<td style="{_CELL_STYLE}" colspan="{len(_EXCERPT_COLUMNS)}">…</td>'
        rows = "".join(
            f'<tr style="background:none">{cell}</tr>'
            for cell in [cells[0].replace("<td", "<th").replace("</td", "</th"), *cells[1:], *([more] if len(self) > _EXCERPT_ROWS else [])]
        )
        return f'<table style="table-layout:auto;border-collapse:collapse;margin:4px 0;font-size:.92em">{rows}</table>'


def games(
    folder: str | PathLike[str] | Iterable[Game] | None = None,
    *,
    names: Sequence[str] = (),
    budget: int = BUDGET,
) -> GameDataset:
    """Load games from a list or a folder, and return a table of their decisions.

    Without a folder, it returns some games of bots to try it on. `names` are the players of a list of games, by seat. Other
    files in the folder do no harm; `troubles` lists what can't be read. `budget` is the number of positions to search for the value
    of an endgame.

    >>> found = games()
    >>> found.troubles, {row["player"] for row in found} == {"careful", "miserly", "random"}
    ((), True)
    """
    max_positions = as_whole_number(budget)
    if max_positions is None or max_positions < 0:
        raise DurakError(
            f"budget must be a whole number from 0 on, the number of positions to search for one decision, not {short_repr(budget)}"
        )
    if isinstance(folder, GameDataset):
        return folder
    if names and (folder is None or isinstance(folder, (str, bytes, PathLike))):
        raise DurakError("names is only for a list of games, to say who played; a folder already has the names")
    if isinstance(folder, Iterable) and not isinstance(folder, (str, bytes)):
        return _build_dataset([_describe_listed_game(number, game, names) for number, game in enumerate(folder, 1)], budget=max_positions)
    if folder is None:
        sample = _load_sample(max_positions)
        return GameDataset(map(dict, sample.rows), sample.games_by_file)
    return _build_dataset(*game_files.load_games(folder), budget=max_positions)


@lru_cache(maxsize=2)
def _load_sample(budget: int) -> GameDataset:
    """Load the games that come with this package, as a table; the result is cached."""
    return _build_dataset(*game_files.load_games(game_files.SAMPLE), budget=budget)


def _build_dataset(recorded_games: Iterable[RecordedGame], troubles: Iterable[Problem] = (), *, budget: int) -> GameDataset:
    """Build the table of decisions from a list of games."""
    by_file = {recorded_game.file: recorded_game for recorded_game in recorded_games}
    return GameDataset([row for recorded_game in by_file.values() for row in iterate_decisions(recorded_game, budget)], by_file, troubles)


def _mistake_sort_key(row: Row) -> tuple[int, int]:
    """Return a sort key: first the largest loss of value, and then the fewest cards."""
    return row["value_after"] - row["value"], row["hand"] + sum(map(int, row["others"].split()))


def _raise_no_puzzle() -> Position:
    """Raise an error which says that no puzzle can be made from the games."""
    raise DurakError("no player has lost a won ending")


def _describe_listed_game(number: int, game: object, names: Sequence[str]) -> RecordedGame:
    """Convert a `Game` and its players' names to a `RecordedGame`."""
    if not isinstance(game, Game):
        raise DurakError(f"games needs a folder or a list of Game objects, not {short_repr(game)}")
    if isinstance(names, str) or not all(isinstance(name, str) for name in names) or len(names) not in {0, game.seats}:
        raise DurakError(f"names must have the name of the player on each of the {game.seats} seats, not {short_repr(names)}")
    seat_names = list(names) or [game_files.UNKNOWN_PLAYER] * game.seats
    return RecordedGame(f"game {number}", "", "", game, tuple(seat_names[played.seat] for played in game.history))


def _require_column(name: str) -> str:
    """Return the column name `name`; raise an error if the table has no such column."""
    if name not in COLUMNS:
        raise DurakError(
            f"there is no column {short_repr(name)}.{suggest_nearest(str(name)[:100], COLUMNS)} There are {', '.join(COLUMNS)}"
        )
    return name


def _is_among(value: object, values: Sequence[object]) -> bool:
    """Return whether a list contains a value; unlike in Python, 1 does not equal `True`."""
    return any(value == other and isinstance(value, bool) == isinstance(other, bool) for other in values)


def _sort_key(value: object) -> tuple[bool, float, str]:
    """Return a sort key that sorts numbers by size and puts texts after all numbers."""
    return isinstance(value, str), float(value) if isinstance(value, (int, float)) else 0.0, str(value)


def _format_value(value: object) -> str:
    """Format a value of the table as text to display."""
    return "yes" if value is True else "no" if value is False else str(value)
