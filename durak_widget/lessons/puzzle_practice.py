"""Runs puzzle practice: five puzzles a day, endless practice, and missed puzzles again.

Puzzles come one after another at one table. The first attempt counts, and missed puzzles are remembered. A
day's set starts with missed puzzles that are due. Then come five that are the same for everyone, easy before
hard. Endless practice goes by the number of cards.
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

from durak_widget.atomic_files import path_of
from durak_widget.engine.game import Game, checked_seed
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.exercises import goals
from durak_widget.exercises.position_exercise import Position
from durak_widget.i18n import Fact
from durak_widget.json_store import Store, home
from durak_widget.lessons.endgame_puzzle import GRADES, bare, by_rules, laid, shelf, way_home
from durak_widget.widgets.missed_endgames import FIRST, Missed, day_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from durak_widget.engine.moves import Move
    from durak_widget.exercises.base_exercise import Verdict
    from durak_widget.i18n import Voice
    from durak_widget.json_store import Entry
    from durak_widget.lessons.endgame_puzzle import Puzzle
    from durak_widget.rules.ruleset import Rules

MANY: Final = 5
"""Puzzles a day."""
_KEPT: Final = 60
"""Days that are remembered."""
_LONGEST: Final = 10**6
_UP, _DOWN = 3, 2
"""Solved puzzles in a row to get more cards, and missed ones to get fewer."""
_MOST: Final = 100
_HERE: Final[WeakSet[InTurn]] = WeakSet()
"""All open exercises: on one page no puzzle is used in two of them."""


class InTurn(Position):
    """A series of puzzles; missed ones are remembered.

    Its kinds are `Daily`, `Endings` and `MyEndings`. `today` is a function without arguments that returns the date, so that
    tests can set it.
    """

    def __init__(self, position: str, *, today: Callable[[], date] | None, missed: Missed | None, **more: Any) -> None:  # noqa: ANN401 - what a Position takes
        """Set up the first puzzle."""
        self._today, self._hinted = clock(today), False
        self._counted = True  # attempts during the setup do not count
        self._position = position
        self._missed = missed
        puzzle = to_win(position)
        if puzzle is None:
            raise DurakError("this ending cannot be won by force within what is soon found: it is none to practise")
        game, winning_line = puzzle
        super().__init__(game, goals.get_out(), solution=winning_line, others={1: "bookkeeper"}, **{"hands": "open", **more})
        self._counted = False
        self._posed_on = self.day
        _HERE.add(self)

    @property
    def claimed(self) -> tuple[str, ...]:
        """Return the puzzles that it reserves for today."""
        return ()

    def _taken(self) -> set[str]:
        """Return the puzzles that another kind of exercise on this page reserves for today.

        Both must remember missed puzzles in the same file.
        """
        file_path = None if self._missed is None else self._missed.path
        others = [other for other in list(_HERE) if type(other) is not type(self) and other._posed_on == self.day]
        return {position for other in others if other._missed is not None and other._missed.path == file_path for position in other.claimed}

    @property
    def day(self) -> date:
        """Return today's date."""
        return day_of(None if self._today is None else self._today())

    @property
    def position(self) -> str:
        """Return the current position."""
        return self._position

    @abstractmethod
    def next(self) -> None:
        """Go on to another puzzle."""

    def _pose(self, position: str) -> None:
        """Start a puzzle."""
        puzzle = to_win(position)
        assert puzzle is not None  # noqa: S101 - whoever chooses has looked
        self._position, (self._start, winning_line) = position, puzzle
        self._solution, self._shown, self._open, self._judged, self._line = winning_line, (), {}, None, None
        self._counted = self._hinted = False
        self._posed_on = self.day
        self.again()

    def _answered(self, *, right: bool, counts: bool = True) -> Verdict:
        """Note the first attempt."""
        if not self._counted:
            self._counted = True
            self._note(right=right and not self._revealed and not self._hinted)
        return super()._answered(right=right, counts=counts)

    def hint(self) -> Move | Fact:
        """Return a useful move; a puzzle played with hints does not count as solved."""
        self._hinted = True
        return super().hint()

    def _returned(self, missed: date | None) -> str:
        """Return the sentence that this puzzle was missed, and when."""
        days_ago = 0 if missed is None else (self.day - missed).days
        key = "lesson.endings.back.before" if days_ago < 1 else "lesson.endings.back.yesterday" if days_ago == 1 else "lesson.endings.back"
        return self._text(Fact(key, {"count": days_ago} if days_ago > 1 else {}))

    def _note(self, *, right: bool) -> None:
        """Record the first attempt; the exercise also works where nothing can be remembered."""
        if self._missed is not None:
            with suppress(DurakError):
                (self._missed.solve if right else self._missed.remember)(self._position, self.day)


class Daily(InTurn):
    """Five puzzles for a day, each with exactly one winning move.

    First come missed puzzles that are due, then one of each difficulty, the same for everyone on that day.

    >>> from datetime import date
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> home = Path(mkdtemp())
    >>> daily = Daily(today=lambda: date(2026, 3, 2), folder=home)
    >>> print(daily.question)
    Five a day, no. 1: Get rid of all your cards.
    >>> bool(daily.answer(daily.solution)), daily.done
    (True, {1: True})
    >>> Daily(today=lambda: date(2026, 3, 2), folder=home).done, Daily(today=lambda: date(2026, 3, 3), folder=home).done
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
        **look: Any,  # noqa: ANN401 - whatever a Table takes
    ) -> None:
        """Start with the puzzles of today that are not done.

        Results are remembered in `folder`, or in the folder of the progress file. With `rules`, only puzzles with these rules
        are drawn; missed puzzles come back anyway, and a day that was started stays as it is.
        """
        given_folder = Path(path_of(folder)) if folder is not None else None
        self._store = self._missed = None
        with suppress(DurakError):
            data_folder = home() if given_folder is None else given_folder
            self._store, self._missed = _days(data_folder), Missed(data_folder / "endings.json")
        self._today, self._dated = clock(today), today is not None
        self._shelf = by_rules(rules)
        self._begun = self.day
        self._five: list[str] = []
        self._done: dict[int, bool] = {}
        self._back: dict[str, date | None] = {}
        self._begin()
        self._at = next((index for index in range(MANY) if index + 1 not in self._done), MANY - 1)
        super().__init__(self._five[self._at], today=today, missed=self._missed, language=language, name=name, **look)

    def _begin(self) -> None:
        """Load the puzzles and results of today, or draw the puzzles."""
        entry = {} if self._store is None else self._store.entries.get(self._begun.isoformat(), {})
        if entry and all(map(to_win, entry["five"])):
            self._five, self._done = list(entry["five"]), {int(number): right for number, right in entry["done"].items()}
            self._back = {position: _day_in(missed) for position, missed in entry.get("back", {}).items()}
            self._solved_elsewhere()
        else:
            due = self._due()
            self._five, self._done = self._drawn(due), {}
            self._back = {} if self._missed is None else {position: self._missed.missed_on(position) for position in due}

    def _due(self) -> list[str]:
        """Return the missed puzzles that are due and not used elsewhere on the page."""
        due, taken = () if self._missed is None else self._missed.due(self._begun), self._taken()
        return list(islice((position for position in due if position not in taken and to_win(position)), MANY))

    def _drawn(self, due: list[str]) -> list[str]:
        """Return the five: those due, those of the day, then others; none that is used elsewhere."""
        taken = self._taken()
        others = islice((puzzle.position for puzzle in self._shelf), 2 * MANY + len(taken))
        candidates = dict.fromkeys([*due, *_of_day(self._begun, self._shelf), *others])
        return [position for position in candidates if position not in taken][:MANY]

    def _solved_elsewhere(self) -> None:
        """Count returned puzzles as done if they were played elsewhere meanwhile."""
        if self._missed is None:
            return
        with suppress(DurakError):
            self._missed.look()
        due, solved = self._missed.due(self._begun), {missed.position: missed.solved > 0 for missed in self._missed.waiting}
        solved.update(dict.fromkeys(self._missed.known, True))
        solved_here = {
            number: solved[position]
            for number, position in enumerate(self._five, 1)
            if position in self._back and position in solved and position not in due
        }
        if solved_here.keys() - self._done.keys():
            self._done = {**solved_here, **self._done}
            self._keep_day()

    @property
    def claimed(self) -> tuple[str, ...]:
        """Return the five of today."""
        return tuple(self._five)

    @property
    def done(self) -> dict[int, bool]:
        """Return which of the five were played, and whether each was solved at the first try."""
        return dict(sorted(self._done.items()))

    @property
    def five(self) -> tuple[str, ...]:
        """Return the positions of today."""
        return tuple(self._five)

    @property
    def question(self) -> str:
        """Return the number of the puzzle, whether it has come back, and the goal."""
        return_notice = [self._returned(self._back[self._position])] if self._position in self._back else []
        return " ".join([self._text(Fact("lesson.endings.daily", {"place": self._at + 1})), *return_notice, super().question])

    @property
    def days(self) -> int:
        """Return on how many days in a row the five were done.

        It counts up to today, or up to yesterday as long as today's are not done.
        """
        entries = {} if self._store is None else self._store.entries
        return _row(entries, self.day) or _row(entries, self.day - timedelta(1))

    def check(self) -> bool:
        """Return whether all five were played."""
        return len(self._done) == MANY

    @property
    def _some_come_back(self) -> bool:
        """Return whether a puzzle that was missed today will be among the five of tomorrow."""
        if self._missed is None:
            return False
        missed, tomorrow = {self._five[number - 1] for number, right in self._done.items() if not right}, self._begun + timedelta(FIRST)
        return self.day == self._begun and not missed.isdisjoint(self._missed.due(tomorrow)[:MANY])

    def verdict(self, voice: Voice) -> tuple[bool | None, str] | None:
        """Return how the puzzle went, in a few words.

        After the last of the day it adds that missed ones come back, if there are any.
        """
        base_verdict = super().verdict(voice)
        if base_verdict is None or not base_verdict[0] or not self.check() or not self._some_come_back:
            return base_verdict
        return base_verdict[0], f"{base_verdict[1]} {voice.say('table.tomorrow')}"

    def _note(self, *, right: bool) -> None:
        """Record the first attempt, and save the day."""
        super()._note(right=right)
        self._done.setdefault(self._at + 1, right)
        self._keep_day()
        if self.check():  # now the table says that missed puzzles come back
            self.table.refresh()

    def _keep_day(self) -> None:
        """Save the results of the day."""
        done = {str(number): right for number, right in self._done.items()}

        def update_entries(entries: dict[str, Entry]) -> bool:
            """Add the results to the entries of the file."""
            day = self._begun.isoformat()
            saved = entries.get(day)
            is_same_day = saved is not None and _is_sound(day, saved) and saved["five"] == self._five
            if saved is not None and _is_sound(day, saved) and not is_same_day and (len(done) < MANY or len(saved["done"]) == MANY):
                return False  # another notebook started the day with other puzzles
            elsewhere = saved["done"] if saved and is_same_day else {}  # results of another notebook stay
            missed_dates = {position: "" if missed is None else missed.isoformat() for position, missed in self._back.items()}
            all_results = {**done, **elsewhere}
            entries[day] = {"five": list(self._five), "done": all_results, "back": missed_dates}
            if len(all_results) == MANY:
                known_row = saved.get("row") if saved and is_same_day else None
                entries[day]["row"] = known_row or 1 + _row(self._sound(entries), self._begun - timedelta(1))
            for old_day in sorted({*entries} - {day})[: 1 - _KEPT]:  # today stays, even if the clock was wrong before
                del entries[old_day]
            return True

        if self._store is not None:
            with suppress(DurakError):
                self._store.change(update_entries)

    @staticmethod
    def _sound(entries: dict[str, Entry]) -> dict[str, Entry]:
        """Return the entries that are valid."""
        return {name: entry for name, entry in entries.items() if _is_sound(name, entry)}

    def next(self) -> None:
        """Go to the next puzzle of today that was not played; on another day, to its first."""
        if self.day != self._begun:
            self._begun = self.day
            self._begin()
            self._at = -1
        self._solved_elsewhere()
        order = [*range(self._at + 1, MANY), *range(MANY)]
        self._at = next((index for index in order if index + 1 not in self._done), min(self._at + 1, MANY - 1))
        self._pose(self._five[self._at])

    def sheet(self) -> dict[str, object]:
        """Return the view model: the puzzle, its number, and the results of the others."""
        done = self.check()
        marks = "".join("·" if number not in self._done else "✓" if self._done[number] else "✗" for number in range(1, MANY + 1))
        sentences = [self._text(Fact("lesson.endings.done", {"count": sum(self._done.values()), "of": MANY}))] if done else []
        if done and self._some_come_back:
            sentences.append(self._text(Fact("table.tomorrow")))
        if done and self.days > 1:
            sentences.append(self._text(Fact("lesson.endings.days", {"count": self.days})))
        view_model = super().sheet()
        previous_sentences = view_model["said"]
        assert isinstance(previous_sentences, list)  # noqa: S101 - it is this package's own
        return {**view_model, "number": marks, "more": not done, "done": done, "said": [*previous_sentences, *sentences]}

    def static(self) -> dict[str, str]:
        """Return a notice that there are five every day; for a fixed day, its first puzzle."""
        if self._dated:
            return super().static()
        notice = self._text(Fact("lesson.endings.static"))
        return {"text/html": f'<div class="durak-picture"><p><b>{escape(notice)}</b></p></div>', "text/plain": notice}

    def _ipython_display_(self) -> None:
        """Display the page above and the table below.

        No picture is stored unless the day is fixed, because tomorrow it would be wrong.
        """
        if self._dated:
            return super()._ipython_display_()
        from IPython.display import display  # noqa: PLC0415 - there wherever this is called

        self._display_page()
        data, metadata = self.table.live()
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        return None


def _of_day(day: date, puzzles: Sequence[Puzzle]) -> list[str]:
    """Return one position of each difficulty for a day.

    Each comes again after all others of its difficulty.
    """
    number = day_of(day).toordinal()
    positions = []
    for difficulty in GRADES:
        equally_difficult = sorted(puzzle.position for puzzle in puzzles if puzzle.grade == difficulty)
        if equally_difficult:
            positions.append(Random(difficulty).sample(equally_difficult, len(equally_difficult))[number % len(equally_difficult)])
    return positions


def five_of_today(missed: Missed | None, day: date) -> set[str]:
    """Return the five that were started on a day; empty if none were."""
    if missed is None:
        return set()
    with suppress(DurakError):
        return set(_days(missed.path.parent).entries.get(day.isoformat(), {}).get("five", ()))
    return set()


def _days(folder: Path) -> Store:
    """Read the results of the days from a folder."""
    store = Store(folder / "daily.json", _is_sound)
    store.read()
    return store


def _row(entries: dict[str, Entry], day: date) -> int:
    """Return on how many days in a row up to a day the five were done.

    A day that was completed stores this number; the days after it are counted.
    """
    count = 0
    while (entry := entries.get((day - timedelta(count)).isoformat())) and len(entry["done"]) == MANY:
        row = entry.get("row")
        if type(row) is int and 0 < row <= _LONGEST:
            return count + row
        count += 1
    return count


def _day_in(text: object) -> date | None:
    """Parse a date; None if it is not one."""
    with suppress(ValueError, TypeError):
        return date.fromisoformat(text)  # type: ignore[arg-type]  # a value of any type
    return None


def _is_sound(name: str, one: object) -> bool:
    """Return whether an entry of the file is valid: five positions, and which were solved."""
    if not isinstance(one, dict) or not name.isprintable():
        return False
    five: Any = one.get("five")
    done: Any = one.get("done")
    is_list_of_positions = isinstance(five, list) and len(five) == MANY and all(isinstance(position, str) for position in five)
    if not isinstance(one.get("back", {}), dict):
        return False
    numbers = {str(number) for number in range(1, MANY + 1)}
    return (
        is_list_of_positions and isinstance(done, dict) and done.keys() <= numbers and all(type(right) is bool for right in done.values())
    )


class Endings(InTurn):
    """Puzzles without end, by number of cards.

    There is one card more after three solved in a row, and one fewer after two missed.

    >>> drill = Endings(5, seed=1, goal=2)
    >>> print(drill.question)
    Get rid of all your cards.
    >>> bool(drill.answer(drill.solution)), drill.streak, drill.check()
    (True, 1, False)
    >>> drill.next(); bool(drill.answer(drill.solution)), drill.streak, drill.check()
    (True, 2, True)
    """

    revealed = False
    """Always false: a solution that was shown ends the row and nothing else."""

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
        missed: Missed | None = None,
        **look: Any,  # noqa: ANN401 - whatever a Table takes
    ) -> None:
        """Start with a number of cards; a seed gives the same puzzles again.

        With `rules` all puzzles have these rules. With a `name` it is remembered when the goal is reached.
        """
        self._by_cards: dict[int, list[str]] = {}
        for puzzle in by_rules(rules):
            self._by_cards.setdefault(puzzle.cards, []).append(puzzle.position)
        card_count, row_length = whole_number(cards), whole_number(goal)
        if card_count is None or card_count not in self._by_cards:
            raise DurakError(f"cards={quoted(cards)}: there are endings of {min(self._by_cards)} to {max(self._by_cards)} cards")
        if row_length is None or row_length not in range(1, _MOST + 1):
            raise DurakError(f"goal={quoted(goal)}: a drill is done after so many right answers in a row, from 1 to {_MOST}")
        self._random = Random(checked_seed(seed) if seed is not None else None)
        self._left: dict[int, list[str]] = {}
        self._before = ""
        self._cards, self._goal_of_row = card_count, row_length
        self._streak = self._best = self._ups = self._downs = 0
        super().__init__(self._drawn(), today=today, missed=missed or kept_here(), name=name, language=language, **look)

    def _drawn(self) -> str:
        """Draw a puzzle that was not used yet; when all were used, start again without a repeat."""
        if not self._left.get(self._cards):
            shuffled = self._random.sample(self._by_cards[self._cards], len(self._by_cards[self._cards]))
            self._left[self._cards] = shuffled[::-1] if shuffled[-1] == self._before else shuffled
        self._before = self._left[self._cards].pop()
        return self._before

    @property
    def cards(self) -> int:
        """Return the number of cards of the next puzzle."""
        return self._cards

    @property
    def streak(self) -> int:
        """Return how many in a row were solved at the first try."""
        return self._streak

    def check(self) -> bool:
        """Return whether the goal was reached."""
        return self._best >= self._goal_of_row

    def _note(self, *, right: bool) -> None:
        """Record the first attempt, and adapt the number of cards."""
        super()._note(right=right)
        self._streak = self._streak + 1 if right else 0
        self._best = max(self._best, self._streak)
        self._ups, self._downs = (self._ups + 1, 0) if right else (0, self._downs + 1)
        if self._ups == _UP or self._downs == _DOWN:
            sizes = sorted(self._by_cards)
            index = sizes.index(self._cards) + (1 if right else -1)
            self._cards = sizes[min(max(index, 0), len(sizes) - 1)]
            self._ups = self._downs = 0

    def next(self) -> None:
        """Go to the next puzzle; leaving one unfinished ends the row, but is not a mistake."""
        if not self._counted:
            self._streak = 0
        self._pose(self._drawn())

    def sheet(self) -> dict[str, object]:
        """Return the view model: the puzzle, and the progress."""
        progress = {"streak": self._streak, "level": self._cards, "cards": True, "goal": self._goal_of_row, "done": self.check()}
        return {**super().sheet(), **progress, "more": True}


class MyEndings(InTurn):
    """Missed puzzles that are due today, the longest waiting first.

    If none is due, it shows one of the package and says so.

    >>> from datetime import date
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from durak_widget.widgets.missed_endgames import Missed
    >>> missed = Missed(Path(mkdtemp()) / "endings.json")
    >>> missed.remember(shelf()[0].position, date(2026, 3, 1))
    >>> mine = MyEndings(today=lambda: date(2026, 3, 2), missed=missed)
    >>> mine.left, bool(mine.answer(mine.solution)), mine.left
    (1, True, 0)
    """

    def __init__(
        self,
        *,
        language: str | None = None,
        today: Callable[[], date] | None = None,
        missed: Missed | None = None,
        name: str = "",
        **look: Any,  # noqa: ANN401 - whatever a Table takes
    ) -> None:
        """Start with the first that is due, or with one of the package."""
        self._due: list[str] = []
        super().__init__(shelf()[0].position, today=today, missed=missed or kept_here(), language=language, name=name, **look)
        reserved = self._taken() | five_of_today(self._missed, self.day)
        due = () if self._missed is None else self._missed.due(self.day)
        self._due = [position for position in due if position not in reserved and to_win(position)]
        self._back = {} if self._missed is None else {position: self._missed.missed_on(position) for position in self._due}
        self._elsewhere = any(position in reserved for position in due)
        self._done: set[str] = set()
        if self._due:
            self._pose(self._due[0])

    @property
    def left(self) -> int:
        """Return how many that are due have not been played yet, here or elsewhere."""
        return len(self._waiting())

    @property
    def claimed(self) -> tuple[str, ...]:
        """Return the puzzles that are due."""
        return tuple(self._due)

    def _waiting(self) -> list[str]:
        """Return the puzzles that are still due and were not played here."""
        if self._missed is None:
            return []
        with suppress(DurakError):
            self._missed.look()
        due = self._missed.due(self.day)
        return [position for position in self._due if position not in self._done and position in due]

    @property
    def question(self) -> str:
        """Return how many have come back, when this one was missed, and the goal.

        If none is due, it says so, or that they are among the five of the day.
        """
        if not self._due:
            return f"{self._text(Fact('lesson.endings.among' if self._elsewhere else 'lesson.endings.none'))} {super().question}"
        return_notice = [self._returned(self._back[self._position])] if self._position in self._back else []
        return " ".join([self._text(Fact("lesson.endings.mine", {"count": self.left})), *return_notice, super().question])

    def check(self) -> bool:
        """Return whether all that were due were played."""
        return bool(self._due) and not self.left

    def _note(self, *, right: bool) -> None:
        """Record the first attempt."""
        super()._note(right=right)
        self._done.add(self._position)

    def next(self) -> None:
        """Go to the next that is due."""
        if self._due:
            self._pose((self._waiting() or self._due)[0])

    def sheet(self) -> dict[str, object]:
        """Return the view model: the puzzle, and whether there is another."""
        return {**super().sheet(), "more": self.left > 0, "done": self.check()}


def to_win(position: str) -> tuple[Game, list[str]] | None:
    """Return a game from a position with the seat to act at 0, and its winning moves.

    Return None if no win is found soon.
    """
    try:
        normalized = bare(Game.at(position))
        game = None if normalized is None else laid(normalized)
        winning_line = None if game is None else way_home(game)
    except DurakError:
        return None
    return None if game is None or not winning_line else (game, list(map(str, winning_line)))


def kept_here() -> Missed | None:
    """Return the missed puzzles that are remembered here; None where nothing can be."""
    try:
        return Missed()
    except DurakError:
        return None


def clock(today: object) -> Callable[[], date] | None:
    """Return the function that says which day it is, or None for the clock of this machine."""
    if today is not None and not callable(today):
        raise DurakError(f"today={quoted(today)} says no day; give a function without arguments that does, such as date.today")
    return today
