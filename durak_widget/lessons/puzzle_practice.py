"""Puzzle practice: five puzzles a day, endless practice, and repeats of missed puzzles.

The puzzles come one after another on one card table. Only the first attempt at a puzzle counts, and missed puzzles are stored. The set
of a day starts with missed puzzles that are due. New puzzles follow, the same for everyone on that day, from easy to hard. Endless
practice is sorted by the number of cards.
"""

from __future__ import annotations

from abc import abstractmethod
from contextlib import suppress
from datetime import date, timedelta
from html import escape
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakSet
from zlib import crc32

from durak_widget.atomic_files import require_path
from durak_widget.bots.bot import OPPONENT_BOTS
from durak_widget.engine.game import Game, require_seed
from durak_widget.engine.narration import format_played_move
from durak_widget.errors import DurakError, as_whole_number, short_repr
from durak_widget.exercises import goals
from durak_widget.exercises.position_exercise import Position
from durak_widget.i18n import TranslatableText
from durak_widget.json_store import JsonStore, get_data_folder
from durak_widget.lessons.endgame_puzzle import (
    DIFFICULTIES,
    build_game,
    find_winning_line,
    load_puzzles,
    normalize_position,
    select_puzzles,
)
from durak_widget.widgets.missed_endgames import FIRST_REPEAT_DAYS, MissedEndgames, resolve_day

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from durak_widget.engine.moves import Move
    from durak_widget.exercises.base_exercise import Verdict
    from durak_widget.i18n import Translator
    from durak_widget.json_store import Entry
    from durak_widget.lessons.endgame_puzzle import Puzzle
    from durak_widget.rules.ruleset import Rules

PUZZLES_PER_DAY: Final = 5
"""The number of puzzles to solve each day."""
_MAX_DAYS_KEPT: Final = 60
"""The maximum number of days whose results are stored."""
_MAX_ROW: Final = 10**6
_SOLVED_TO_GO_UP, _MISSED_TO_GO_DOWN = 3, 2
"""How many puzzles in a row a student solves, or misses, before the puzzles change size.

The size of a puzzle is its number of cards.
"""
_MAX_GOAL: Final = 100
_OPEN_EXERCISES: Final[WeakSet[PuzzleSeries]] = WeakSet()
"""All open puzzle exercises, so that two exercises on a page never use the same puzzle."""
_FORMER_KEYS: Final = {"five": "positions", "done": "results", "back": "missed_dates", "row": "days_in_row"}
"""Renamed keys of a stored day: the key in version 1, and the present key."""


class PuzzleSeries(Position):
    """The base class of puzzle exercises, which records the puzzles that the student missed.

    Its subclasses are `Daily`, `Endings` and `MyEndings`. `today` is a function without arguments that returns the date, so that tests
    can set it.
    """

    def __init__(self, position: str, *, today: Callable[[], date] | None, missed: MissedEndgames | None, **options: Any) -> None:  # noqa: ANN401 - options of `Position`
        """Start the series of puzzles with the puzzle at a given position."""
        self._get_today, self._has_used_hint = require_date_function(today), False
        self._is_counted = True  # Moves that set up the puzzle are not attempts
        self._position, self._given_options = position, frozenset(options)
        self._missed_puzzles = missed
        puzzle = build_winnable_game(position)
        if puzzle is None:
            raise DurakError("this ending has no forced win that can be found quickly, so it is not useful for practice")
        game, winning_line = puzzle
        faces = {1: self._choose_opponent()}
        super().__init__(
            game, goals.get_out(), solution=winning_line, others={1: "bookkeeper"}, **{"hands": "open", "shown_as": faces, **options}
        )
        self._is_counted = False
        self.table.commentary = self._comment_on_move
        self._started_on = self.day
        _OPEN_EXERCISES.add(self)

    @property
    def reserved_positions(self) -> tuple[str, ...]:
        """Return the positions of puzzles that other open exercises may not show today."""
        return ()

    def _find_reserved_positions(self) -> set[str]:
        """Return the puzzles that other types of open exercises have reserved for today.

        Only exercises that record missed puzzles in the same file count. Puzzles are given by their positions.
        """
        file_path = None if self._missed_puzzles is None else self._missed_puzzles.path
        other_exercises = [other for other in list(_OPEN_EXERCISES) if type(other) is not type(self) and other._started_on == self.day]
        return {
            position
            for other in other_exercises
            if other._missed_puzzles is not None and other._missed_puzzles.path == file_path
            for position in other.reserved_positions
        }

    @property
    def day(self) -> date:
        """Return the current date."""
        return resolve_day(None if self._get_today is None else self._get_today())

    @property
    def position(self) -> str:
        """Return the position of the current puzzle as one line of text."""
        return self._position

    def _choose_opponent(self) -> str:
        """Return the named opponent who is shown at the puzzle.

        It is always the same one for a position. The bookkeeper's bot plays, whoever is shown.
        """
        keys = list(OPPONENT_BOTS)
        return keys[crc32(self._position.encode()) % len(keys)]

    @abstractmethod
    def next(self) -> None:
        """Go to the next puzzle."""

    def _start_puzzle(self, position: str) -> None:
        """Set up a puzzle on the card table."""
        puzzle = build_winnable_game(position)
        assert puzzle is not None  # noqa: S101 - the caller has checked the position
        self._position, (self._start_game, winning_line) = position, puzzle
        self._solution, self._solution_moves, self._reachable_by_moves, self._judged_state, self._stored_moves = (
            winning_line,
            (),
            {},
            None,
            None,
        )
        self._is_counted = self._has_used_hint = False
        self._started_on = self.day
        self.restart()
        if "shown_as" not in self._given_options:
            self.table.shown_as = {1: self._choose_opponent()}

    def _record_answer(self, *, right: bool, counts_as_attempt: bool = True) -> Verdict:
        """Record an answer; on the first attempt, also record the puzzle's result."""
        if not self._is_counted:
            self._is_counted = True
            self._record_first_attempt(right=right and not self._is_revealed and not self._has_used_hint)
        return super()._record_answer(right=right, counts_as_attempt=counts_as_attempt)

    def _has_found_move(self) -> bool:
        """Return whether the student has just played the only move that wins."""
        return self._goal_outcome is None and self._is_goal_reachable(self.table.game) is True and len(self._list_own_moves()) == 1

    def _comment_on_move(self, voice: Translator) -> list[str]:
        """Return what the felt says if the right move is found; otherwise an empty list."""
        if self.table.game is not self._table_game or not self._has_found_move():
            return []
        return [voice.translate("lesson.goal.found"), *(format_played_move(played, voice) for played in self.table.game.history[1:][-1:])]

    def hint(self) -> Move | TranslatableText:
        """Return a helpful move; after this hint, the current puzzle can't count as solved."""
        self._has_used_hint = True
        return super().hint()

    def _format_return_notice(self, missed_date: date | None) -> str:
        """Return a sentence that says on which date the student missed the current puzzle."""
        days_ago = 0 if missed_date is None else (self.day - missed_date).days
        key = "lesson.endings.back.before" if days_ago < 1 else "lesson.endings.back.yesterday" if days_ago == 1 else "lesson.endings.back"
        return self._translate(TranslatableText(key, {"count": days_ago} if days_ago > 1 else {}))

    def _record_first_attempt(self, *, right: bool) -> None:
        """Store whether the student solved a puzzle at the first attempt, if storing is possible."""
        if self._missed_puzzles is not None:
            with suppress(DurakError):
                (self._missed_puzzles.record_solved if right else self._missed_puzzles.record_missed)(self._position, self.day)


class Daily(PuzzleSeries):
    """The five puzzles of a day, each with exactly one winning move.

    The set starts with missed puzzles that are due. Then it has puzzles of each difficulty, the same for everyone on that day.

    >>> from datetime import date
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> get_data_folder = Path(mkdtemp())
    >>> daily = Daily(today=lambda: date(2026, 3, 2), folder=get_data_folder)
    >>> print(daily.question)
    Number 1 of today's five endings: Get rid of all your cards. Your opponent here counts every card, so only the best moves win.
    >>> bool(daily.answer(daily.solution)), daily.results
    (True, {1: True})
    >>> Daily(today=lambda: date(2026, 3, 2), folder=get_data_folder).results, Daily(today=lambda: date(2026, 3, 3), folder=get_data_folder).results
    ({1: True}, {})
    """

    def __init__(
        self,
        *,
        rules: Rules | str | None = None,
        language: str | None = None,
        today: Callable[[], date] | None = None,
        folder: str | PathLike[str] | None = None,
        name: str = "",
        **table_options: Any,  # noqa: ANN401 - options of `Table`
    ) -> None:
        """Start with the first of today's puzzles that the student has not played yet.

        Results are stored in `folder`, by default in the folder of the progress file. With `rules`, new puzzles have these rules;
        missed puzzles come back anyway. A day that was started keeps its puzzles.
        """
        given_folder = Path(require_path(folder)) if folder is not None else None
        self._store = self._missed_puzzles = None
        with suppress(DurakError):
            data_folder = get_data_folder() if given_folder is None else given_folder
            self._store, self._missed_puzzles = _load_days(data_folder), MissedEndgames(data_folder / "endings.json")
        self._get_today, self._has_fixed_day = require_date_function(today), today is not None
        self._puzzles = select_puzzles(rules)
        self._started_day = self.day
        self._positions: list[str] = []
        self._results: dict[int, bool] = {}
        self._missed_dates: dict[str, date | None] = {}
        self._start_day()
        self._index = next((index for index in range(PUZZLES_PER_DAY) if index + 1 not in self._results), PUZZLES_PER_DAY - 1)
        super().__init__(
            self._positions[self._index], today=today, missed=self._missed_puzzles, language=language, name=name, **table_options
        )

    def _start_day(self) -> None:
        """Load today's puzzles and results from the file, or choose new puzzles for today."""
        entry = {} if self._store is None else self._store.entries.get(self._started_day.isoformat(), {})
        if entry and all(map(build_winnable_game, entry["positions"])):
            self._positions, self._results = list(entry["positions"]), {int(number): right for number, right in entry["results"].items()}
            self._missed_dates = {position: _parse_date(missed) for position, missed in entry.get("missed_dates", {}).items()}
            self._add_results_from_elsewhere()
        else:
            due = self._list_due()
            self._positions, self._results = self._draw_positions(due), {}
            self._missed_dates = (
                {} if self._missed_puzzles is None else {position: self._missed_puzzles.find_missed_date(position) for position in due}
            )

    def _list_due(self) -> list[str]:
        """Return the missed puzzles to repeat today, except those reserved by other exercises."""
        due_positions, reserved_positions = (
            () if self._missed_puzzles is None else self._missed_puzzles.list_due(self._started_day),
            self._find_reserved_positions(),
        )
        return list(
            islice(
                (position for position in due_positions if position not in reserved_positions and build_winnable_game(position)),
                PUZZLES_PER_DAY,
            )
        )

    def _draw_positions(self, due: list[str]) -> list[str]:
        """Return today's five puzzles: first missed puzzles to repeat, then new ones."""
        reserved_positions = self._find_reserved_positions()
        other_positions = islice((puzzle.position for puzzle in self._puzzles), 2 * PUZZLES_PER_DAY + len(reserved_positions))
        candidates = dict.fromkeys([*due, *_choose_puzzles_of_day(self._started_day, self._puzzles), *other_positions])
        return [position for position in candidates if position not in reserved_positions][:PUZZLES_PER_DAY]

    def _add_results_from_elsewhere(self) -> None:
        """Add results of today's puzzles that the student has played in other exercises."""
        if self._missed_puzzles is None:
            return
        with suppress(DurakError):
            self._missed_puzzles.reload()
        due_positions, is_solved_by_position = (
            self._missed_puzzles.list_due(self._started_day),
            {missed.position: missed.solved_count > 0 for missed in self._missed_puzzles.pending},
        )
        is_solved_by_position.update(dict.fromkeys(self._missed_puzzles.known, True))
        solved_here = {
            number: is_solved_by_position[position]
            for number, position in enumerate(self._positions, 1)
            if position in self._missed_dates and position in is_solved_by_position and position not in due_positions
        }
        if solved_here.keys() - self._results.keys():
            self._results = {**solved_here, **self._results}
            self._save_day()

    def _choose_opponent(self) -> str:
        """Return the opponent with the number of the puzzle: Tim sits at the first, the easiest."""
        return list(OPPONENT_BOTS)[self._index]

    @property
    def reserved_positions(self) -> tuple[str, ...]:
        """Return the positions of today's five puzzles."""
        return tuple(self._positions)

    @property
    def results(self) -> dict[int, bool]:
        """Return whether the student solved today's puzzles at first attempt, by puzzle number."""
        return dict(sorted(self._results.items()))

    @property
    def positions(self) -> tuple[str, ...]:
        """Return the positions of today's puzzles."""
        return tuple(self._positions)

    @property
    def question(self) -> str:
        """Return the text of the task: puzzle number, date of an earlier miss (if any), and goal.

        The first puzzle of the day also says who the opponent is.
        """
        return_notice = [self._format_return_notice(self._missed_dates[self._position])] if self._position in self._missed_dates else []
        return " ".join(
            [
                self._translate(TranslatableText("lesson.endings.daily", {"place": self._index + 1})),
                *return_notice,
                super().question,
                *([] if self._index else [self._translate(TranslatableText("lesson.endings.opponent"))]),
            ]
        )

    @property
    def days_in_row(self) -> int:
        """Return on how many consecutive days the student played all five puzzles.

        The last of these days is today, or yesterday if the student has not finished today.
        """
        entries = {} if self._store is None else self._store.entries
        return _count_days_in_row(entries, self.day) or _count_days_in_row(entries, self.day - timedelta(1))

    def check(self) -> bool:
        """Return whether the student has played all five puzzles of the day."""
        return len(self._results) == PUZZLES_PER_DAY

    @property
    def _will_puzzles_come_back(self) -> bool:
        """Return whether any puzzle that the student missed today is due again tomorrow."""
        if self._missed_puzzles is None:
            return False
        missed, tomorrow = (
            {self._positions[number - 1] for number, right in self._results.items() if not right},
            self._started_day + timedelta(FIRST_REPEAT_DAYS),
        )
        return self.day == self._started_day and not missed.isdisjoint(self._missed_puzzles.list_due(tomorrow)[:PUZZLES_PER_DAY])

    def verdict(self, voice: Translator) -> tuple[bool | None, str] | None:
        """Return the verdict on the current puzzle, with a short sentence.

        After the last puzzle of the day, a sentence says that missed puzzles come back, if there are any.
        """
        base_verdict = super().verdict(voice)
        if base_verdict is None or not base_verdict[0] or not self.check() or not self._will_puzzles_come_back:
            return base_verdict
        return base_verdict[0], f"{base_verdict[1]} {voice.translate('table.tomorrow')}"

    def _record_first_attempt(self, *, right: bool) -> None:
        """Store the result of the first attempt at a puzzle, and save all results of today."""
        super()._record_first_attempt(right=right)
        self._results.setdefault(self._index + 1, right)
        self._save_day()
        if self.check():  # The table then tells the student that missed puzzles will be repeated
            self.table.refresh()

    def _save_day(self) -> None:
        """Save today's results to the file of daily results."""
        results_by_number = {str(number): right for number, right in self._results.items()}

        def update_entries(entries: dict[str, Entry]) -> bool:
            """Add today's results to `entries`; return whether something changed."""
            day = self._started_day.isoformat()
            saved = entries.get(day)
            is_same_day = saved is not None and _is_valid_entry(day, saved) and saved["positions"] == self._positions
            if (
                saved is not None
                and _is_valid_entry(day, saved)
                and not is_same_day
                and (len(results_by_number) < PUZZLES_PER_DAY or len(saved["results"]) == PUZZLES_PER_DAY)
            ):
                return False  # Another notebook chose other puzzles for today: keep its entry
            # Another notebook may have saved results for the same puzzles: keep them
            saved_results = saved["results"] if saved and is_same_day else {}
            missed_dates = {position: "" if missed is None else missed.isoformat() for position, missed in self._missed_dates.items()}
            all_results = {**results_by_number, **saved_results}
            entries[day] = {"positions": list(self._positions), "results": all_results, "missed_dates": missed_dates}
            if len(all_results) == PUZZLES_PER_DAY:
                known_day_count = saved.get("days_in_row") if saved and is_same_day else None
                entries[day]["days_in_row"] = known_day_count or 1 + _count_days_in_row(
                    self._select_valid_entries(entries), self._started_day - timedelta(1)
                )
            # Never delete today's entry, even if entries have later dates because the clock was wrong
            for old_day in sorted({*entries} - {day})[: 1 - _MAX_DAYS_KEPT]:
                del entries[old_day]
            return True

        if self._store is not None:
            with suppress(DurakError):
                self._store.change(update_entries)

    @staticmethod
    def _select_valid_entries(entries: dict[str, Entry]) -> dict[str, Entry]:
        """Return the valid entries of the file of daily results."""
        return {name: entry for name, entry in entries.items() if _is_valid_entry(name, entry)}

    def next(self) -> None:
        """Go to the next puzzle of the day that the student has not played.

        On a new day, go to its first puzzle.
        """
        if self.day != self._started_day:
            self._started_day = self.day
            self._start_day()
            self._index = -1
        self._add_results_from_elsewhere()
        order = [*range(self._index + 1, PUZZLES_PER_DAY), *range(PUZZLES_PER_DAY)]
        self._index = next((index for index in order if index + 1 not in self._results), min(self._index + 1, PUZZLES_PER_DAY - 1))
        self._start_puzzle(self._positions[self._index])

    def view_model(self) -> dict[str, object]:
        """Return the data that the front end displays: the puzzle and the results of the day."""
        is_done = self.check()
        marks = "".join(
            "·" if number not in self._results else "✓" if self._results[number] else "✗" for number in range(1, PUZZLES_PER_DAY + 1)
        )
        sentences = (
            [self._translate(TranslatableText("lesson.endings.done", {"count": sum(self._results.values()), "of": PUZZLES_PER_DAY}))]
            if is_done
            else []
        )
        if is_done and self._will_puzzles_come_back:
            sentences.append(self._translate(TranslatableText("table.tomorrow")))
        if is_done and self.days_in_row > 1:
            sentences.append(self._translate(TranslatableText("lesson.endings.days", {"count": self.days_in_row})))
        view_model = super().view_model()
        previous_sentences = view_model["feedback"]
        assert isinstance(previous_sentences, list)  # noqa: S101 - `view_model` always has a list
        return {
            **view_model,
            "number": marks,
            "number_title": self._translate(
                TranslatableText("lesson.endings.marks", {"right": marks.count("✓"), "wrong": marks.count("✗"), "left": marks.count("·")})
            ),
            "has_next": not is_done,
            "is_goal_reached": is_done,
            "feedback": [*previous_sentences, *sentences],
        }

    def static_mimebundle(self) -> dict[str, str]:
        """Return a static note about the five daily puzzles.

        If the day is fixed, return its first puzzle instead.
        """
        if self._has_fixed_day:
            return super().static_mimebundle()
        notice = self._translate(TranslatableText("lesson.endings.static"))
        return {"text/html": f'<div class="durak-picture"><p><b>{escape(notice)}</b></p></div>', "text/plain": notice}

    def _ipython_display_(self) -> None:
        """Display the page above the card table.

        No picture is stored unless the day is fixed, because the picture would be wrong tomorrow.
        """
        if self._has_fixed_day:
            return super()._ipython_display_()
        from IPython.display import display  # noqa: PLC0415 - IPython is installed if this method is called

        self._display_page()
        data, metadata = self.table.build_live_bundle()
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        return None


def _choose_puzzles_of_day(day: date, puzzles: Sequence[Puzzle]) -> list[str]:
    """Return the positions of a day's puzzles, one of each difficulty.

    A puzzle comes again only after all others of its difficulty.
    """
    number = resolve_day(day).toordinal()
    positions = []
    for difficulty in DIFFICULTIES:
        equally_difficult = sorted(puzzle.position for puzzle in puzzles if puzzle.difficulty == difficulty)
        if equally_difficult:
            positions.append(Random(difficulty).sample(equally_difficult, len(equally_difficult))[number % len(equally_difficult)])
    return positions


def find_puzzles_of_day(missed: MissedEndgames | None, day: date) -> set[str]:
    """Return the positions of the five daily puzzles that the student started on a date."""
    if missed is None:
        return set()
    with suppress(DurakError):
        return set(_load_days(missed.path.parent).entries.get(day.isoformat(), {}).get("positions", ()))
    return set()


def _load_days(folder: Path) -> JsonStore:
    """Load the stored results of all days from a folder."""
    store = JsonStore(folder / "daily.json", _is_valid_entry, _FORMER_KEYS)
    store.read()
    return store


def _count_days_in_row(entries: dict[str, Entry], day: date) -> int:
    """Return on how many consecutive days up to `day` all five puzzles were played.

    A completed day stores its number, from which the later days are counted.
    """
    count = 0
    while (entry := entries.get((day - timedelta(count)).isoformat())) and len(entry["results"]) == PUZZLES_PER_DAY:
        stored_day_count = entry.get("days_in_row")
        if type(stored_day_count) is int and 0 < stored_day_count <= _MAX_ROW:
            return count + stored_day_count
        count += 1
    return count


def _parse_date(text: object) -> date | None:
    """Parse a date in ISO format; return None if the text is not a date."""
    with suppress(ValueError, TypeError):
        return date.fromisoformat(text)  # type: ignore[arg-type]  # a value of any type
    return None


def _is_valid_entry(name: str, entry: object) -> bool:
    """Return whether a file entry has five positions and valid results."""
    if not isinstance(entry, dict) or not name.isprintable():
        return False
    positions: Any = entry.get("positions")
    results: Any = entry.get("results")
    is_list_of_positions = (
        isinstance(positions, list) and len(positions) == PUZZLES_PER_DAY and all(isinstance(position, str) for position in positions)
    )
    if not isinstance(entry.get("missed_dates", {}), dict):
        return False
    numbers = {str(number) for number in range(1, PUZZLES_PER_DAY + 1)}
    return (
        is_list_of_positions
        and isinstance(results, dict)
        and results.keys() <= numbers
        and all(type(right) is bool for right in results.values())
    )


class Endings(PuzzleSeries):
    """Endless practice with puzzles, whose number of cards adapts to the student.

    The number of cards grows by one after three puzzles solved in a row, and falls by one after two missed.

    >>> drill = Endings(5, seed=1, goal=2)
    >>> print(drill.question)
    Get rid of all your cards.
    >>> bool(drill.answer(drill.solution)), drill.streak, drill.check()
    (True, 1, False)
    >>> drill.next(); bool(drill.answer(drill.solution)), drill.streak, drill.check()
    (True, 2, True)
    """

    is_revealed = False
    """Whether the solution was shown: always False, because showing it only ends the series."""

    def __init__(
        self,
        cards: int = 5,
        *,
        rules: Rules | str | None = None,
        seed: int | str | None = None,
        goal: int = 5,
        name: str = "",
        language: str | None = None,
        today: Callable[[], date] | None = None,
        missed: MissedEndgames | None = None,
        **table_options: Any,  # noqa: ANN401 - options of `Table`
    ) -> None:
        """Start with puzzles of `cards` cards; the same seed always gives the same puzzles.

        With `rules`, all puzzles have these rules. With a `name`, the student's progress records that the goal was reached.
        """
        self._positions_by_card_count: dict[int, list[str]] = {}
        for puzzle in select_puzzles(rules):
            self._positions_by_card_count.setdefault(puzzle.card_count, []).append(puzzle.position)
        card_count, goal_length = as_whole_number(cards), as_whole_number(goal)
        if card_count is None or card_count not in self._positions_by_card_count:
            raise DurakError(
                f"cards must be a number from {min(self._positions_by_card_count)} to {max(self._positions_by_card_count)}, the cards in an ending, not {short_repr(cards)}"
            )
        if goal_length is None or goal_length not in range(1, _MAX_GOAL + 1):
            raise DurakError(
                f"goal must be a number from 1 to {_MAX_GOAL}, the right answers in a row that finish the drill, not {short_repr(goal)}"
            )
        self._rng = Random(require_seed(seed) if seed is not None else None)
        self._unused_positions: dict[int, list[str]] = {}
        self._previous_position = ""
        self._card_count, self._goal_streak = card_count, goal_length
        self._streak = self._best = self._solved_in_row = self._missed_in_row = 0
        super().__init__(
            self._draw_position(), today=today, missed=missed or load_missed_puzzles(), name=name, language=language, **table_options
        )

    def _draw_position(self) -> str:
        """Draw a puzzle that was not shown yet; after the last one, start over with all puzzles."""
        if not self._unused_positions.get(self._card_count):
            shuffled = self._rng.sample(
                self._positions_by_card_count[self._card_count], len(self._positions_by_card_count[self._card_count])
            )
            self._unused_positions[self._card_count] = shuffled[::-1] if shuffled[-1] == self._previous_position else shuffled
        self._previous_position = self._unused_positions[self._card_count].pop()
        return self._previous_position

    @property
    def card_count(self) -> int:
        """Return the number of cards in newly drawn puzzles."""
        return self._card_count

    @property
    def streak(self) -> int:
        """Return the current number of puzzles in a row that were solved at the first attempt."""
        return self._streak

    def check(self) -> bool:
        """Return whether the student has reached the goal of the practice."""
        return self._best >= self._goal_streak

    def _record_first_attempt(self, *, right: bool) -> None:
        """Store the result of the first attempt, and adapt the number of cards of later puzzles."""
        super()._record_first_attempt(right=right)
        self._streak = self._streak + 1 if right else 0
        self._best = max(self._best, self._streak)
        self._solved_in_row, self._missed_in_row = (self._solved_in_row + 1, 0) if right else (0, self._missed_in_row + 1)
        if self._solved_in_row == _SOLVED_TO_GO_UP or self._missed_in_row == _MISSED_TO_GO_DOWN:
            sizes = sorted(self._positions_by_card_count)
            index = sizes.index(self._card_count) + (1 if right else -1)
            self._card_count = sizes[min(max(index, 0), len(sizes) - 1)]
            self._solved_in_row = self._missed_in_row = 0

    def next(self) -> None:
        """Go to the next puzzle; skipping an unfinished puzzle ends the series of solved puzzles."""
        if not self._is_counted:
            self._streak = 0
        self._start_puzzle(self._draw_position())

    def view_model(self) -> dict[str, object]:
        """Return the data that the front end displays: the puzzle and the student's progress."""
        progress = {
            "streak": self._streak,
            "level": self._card_count,
            "is_level_card_count": True,
            "goal": self._goal_streak,
            "is_goal_reached": self.check(),
        }
        return {**super().view_model(), **progress, "has_next": True}


class MyEndings(PuzzleSeries):
    """Practice with puzzles that the student once missed and that are due again today.

    If no puzzle is due, the exercise shows a puzzle of the package and says so.

    >>> from datetime import date
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from durak_widget.widgets.missed_endgames import MissedEndgames
    >>> missed = MissedEndgames(Path(mkdtemp()) / "endings.json")
    >>> missed.record_missed(load_puzzles()[0].position, date(2026, 3, 1))
    >>> mine = MyEndings(today=lambda: date(2026, 3, 2), missed=missed)
    >>> mine.left_count, bool(mine.answer(mine.solution)), mine.left_count
    (1, True, 0)
    """

    def __init__(
        self,
        *,
        language: str | None = None,
        today: Callable[[], date] | None = None,
        missed: MissedEndgames | None = None,
        name: str = "",
        **table_options: Any,  # noqa: ANN401 - options of `Table`
    ) -> None:
        """Start with the first missed puzzle that is due again, or else with a built-in puzzle."""
        self._due_positions: list[str] = []
        super().__init__(
            load_puzzles()[0].position, today=today, missed=missed or load_missed_puzzles(), language=language, name=name, **table_options
        )
        reserved = self._find_reserved_positions() | find_puzzles_of_day(self._missed_puzzles, self.day)
        due_positions = () if self._missed_puzzles is None else self._missed_puzzles.list_due(self.day)
        self._due_positions = [position for position in due_positions if position not in reserved and build_winnable_game(position)]
        self._missed_dates = (
            {}
            if self._missed_puzzles is None
            else {position: self._missed_puzzles.find_missed_date(position) for position in self._due_positions}
        )
        self._are_some_elsewhere = any(position in reserved for position in due_positions)
        self._played_positions: set[str] = set()
        if self._due_positions:
            self._start_puzzle(self._due_positions[0])

    @property
    def left_count(self) -> int:
        """Return how many due puzzles the student has not yet played in this exercise."""
        return len(self._list_waiting())

    @property
    def reserved_positions(self) -> tuple[str, ...]:
        """Return the positions of the puzzles that are due today."""
        return tuple(self._due_positions)

    def _list_waiting(self) -> list[str]:
        """Return the due puzzles that the student has not played in this exercise."""
        if self._missed_puzzles is None:
            return []
        with suppress(DurakError):
            self._missed_puzzles.reload()
        due_positions = self._missed_puzzles.list_due(self.day)
        return [position for position in self._due_positions if position not in self._played_positions and position in due_positions]

    @property
    def question(self) -> str:
        """Return the text of the task: how many puzzles are due, and the goal of this puzzle.

        If none is due, the text says so, or says that they are among the five puzzles of the day.
        """
        if not self._due_positions:
            return f"{self._translate(TranslatableText('lesson.endings.among' if self._are_some_elsewhere else 'lesson.endings.none'))} {super().question}"
        return_notice = [self._format_return_notice(self._missed_dates[self._position])] if self._position in self._missed_dates else []
        return " ".join(
            [self._translate(TranslatableText("lesson.endings.mine", {"count": self.left_count})), *return_notice, super().question]
        )

    def check(self) -> bool:
        """Return whether the student has played all puzzles that were due."""
        return bool(self._due_positions) and not self.left_count

    def _record_first_attempt(self, *, right: bool) -> None:
        """Store the result of the first attempt at a puzzle."""
        super()._record_first_attempt(right=right)
        self._played_positions.add(self._position)

    def next(self) -> None:
        """Go to the next puzzle that is due."""
        if self._due_positions:
            self._start_puzzle((self._list_waiting() or self._due_positions)[0])

    def view_model(self) -> dict[str, object]:
        """Return the data that the front end displays: the puzzle, and whether more are due."""
        return {**super().view_model(), "has_next": self.left_count > 0, "is_goal_reached": self.check()}


def build_winnable_game(position: str) -> tuple[Game, list[str]] | None:
    """Return a game that seat 0 can win by force, and the winning moves.

    Return None if no win is found within the search budget.
    """
    try:
        normalized = normalize_position(Game.from_position_line(position))
        game = None if normalized is None else build_game(normalized)
        winning_line = None if game is None else find_winning_line(game)
    except DurakError:
        return None
    return None if game is None or not winning_line else (game, list(map(str, winning_line)))


def load_missed_puzzles() -> MissedEndgames | None:
    """Return the stored record of missed puzzles; None if this computer can't store it."""
    try:
        return MissedEndgames()
    except DurakError:
        return None


def require_date_function(today: object) -> Callable[[], date] | None:
    """Return the function that gives the current date; None stands for the computer's clock."""
    if today is not None and not callable(today):
        raise DurakError(f"today must be a function without arguments that returns a day, such as date.today, not {short_repr(today)}")
    return today
