"""Runs puzzle practice: five puzzles a day, endless practice, and missed puzzles that come back.

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
"""So many a day."""
_KEPT: Final = 60
"""So many days are remembered."""
_LONGEST: Final = 10**6
_UP, _DOWN = 3, 2
"""After so many solved in a row there are more cards, after so many missed fewer."""
_MOST: Final = 100
_HERE: Final[WeakSet[InTurn]] = WeakSet()
"""All exercises that are open here: on one page no ending is met in two of them."""


class InTurn(Position):
    """Endings that are played one after another, and those that were missed remembered, if anywhere; see its kinds: `Daily`, `Endings`, `MyEndings`.

    What day it is, `today` says: a function without arguments, so that the clock can be moved.
    """

    def __init__(self, position: str, *, today: Callable[[], date] | None, missed: Missed | None, **more: Any) -> None:  # noqa: ANN401 - what a Position takes
        self._today, self._hinted = clock(today), False
        self._counted = True  # what is tried while it is set is nobody's try
        self._position = position
        self._missed = missed
        lies = to_win(position)
        if lies is None:
            raise DurakError("this ending cannot be won by force within what is soon found: it is none to practise")
        game, way = lies
        super().__init__(game, goals.get_out(), solution=way, others={1: "bookkeeper"}, **{"hands": "open", **more})
        self._counted = False
        self._posed_on = self.day
        _HERE.add(self)

    @property
    def claimed(self) -> tuple[str, ...]:
        """The endings that it keeps for itself today."""
        return ()

    def _taken(self) -> set[str]:
        """The endings that another kind of exercise keeps for itself here today, of those that are remembered in the same place."""
        place = None if self._missed is None else self._missed.path
        others = [one for one in list(_HERE) if type(one) is not type(self) and one._posed_on == self.day]
        return {position for one in others if one._missed is not None and one._missed.path == place for position in one.claimed}

    @property
    def day(self) -> date:
        """What day it is."""
        return day_of(None if self._today is None else self._today())

    @property
    def position(self) -> str:
        """The position that is played now."""
        return self._position

    @abstractmethod
    def next(self) -> None:
        """Go on to another ending."""

    def _pose(self, position: str) -> None:
        """From now on this ending is played."""
        lies = to_win(position)
        assert lies is not None  # noqa: S101 - whoever chooses has looked
        self._position, (self._start, way) = position, lies
        self._solution, self._shown, self._open, self._judged, self._line = way, (), {}, None, None
        self._counted = self._hinted = False
        self._posed_on = self.day
        self.again()

    def _answered(self, *, right: bool, counts: bool = True) -> Verdict:
        if not self._counted:
            self._counted = True
            self._note(right=right and not self._revealed and not self._hinted)
        return super()._answered(right=right, counts=counts)

    def hint(self) -> Move | Fact:
        """A move that serves; what was played with hints is not solved at the first try."""
        self._hinted = True
        return super().hint()

    def _returned(self, missed: date | None) -> str:
        """The sentence that an ending was missed, and when, before it is asked again."""
        ago = 0 if missed is None else (self.day - missed).days
        key = "lesson.endings.back.before" if ago < 1 else "lesson.endings.back.yesterday" if ago == 1 else "lesson.endings.back"
        return self._text(Fact(key, {"count": ago} if ago > 1 else {}))

    def _note(self, *, right: bool) -> None:
        """Hear what became of the first try; where nothing can be remembered, the exercise is no worse for it."""
        if self._missed is not None:
            with suppress(DurakError):
                (self._missed.solve if right else self._missed.remember)(self._position, self.day)


class Daily(InTurn):
    """Five endings for a day, each with exactly one way home: what was missed and is due, then one of each grade, the same for everybody on that day.

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
        """The five of today, as far as they are not done; what is done is remembered in `folder`, or where progress is.

        With `rules` none is drawn that is played by others; what was missed comes back whatever it is played by, and a day that was begun stays as it is.
        """
        place = Path(path_of(folder)) if folder is not None else None
        self._store = self._missed = None
        with suppress(DurakError):
            where = home() if place is None else place
            self._store, self._missed = _days(where), Missed(where / "endings.json")
        self._today, self._dated = clock(today), today is not None
        self._shelf = by_rules(rules)
        self._begun = self.day
        self._five: list[str] = []
        self._done: dict[int, bool] = {}
        self._back: dict[str, date | None] = {}
        self._begin()
        self._at = next((at for at in range(MANY) if at + 1 not in self._done), MANY - 1)
        super().__init__(self._five[self._at], today=today, missed=self._missed, language=language, name=name, **look)

    def _begin(self) -> None:
        """The five as they were drawn today, and what was done; drawn now, if nothing was."""
        one = {} if self._store is None else self._store.entries.get(self._begun.isoformat(), {})
        if one and all(map(to_win, one["five"])):
            self._five, self._done = list(one["five"]), {int(at): right for at, right in one["done"].items()}
            self._back = {position: _day_in(missed) for position, missed in one.get("back", {}).items()}
            self._solved_elsewhere()
        else:
            due = self._due()
            self._five, self._done = self._drawn(due), {}
            self._back = {} if self._missed is None else {position: self._missed.missed_on(position) for position in due}

    def _due(self) -> list[str]:
        """What was missed and is due, and is not met elsewhere on the page."""
        due, taken = () if self._missed is None else self._missed.due(self._begun), self._taken()
        return list(islice((one for one in due if one not in taken and to_win(one)), MANY))

    def _drawn(self, due: list[str]) -> list[str]:
        """The five: what is due, then the endings of the day, then others of the shelf; what is met elsewhere on the page is not among them."""
        taken = self._taken()
        rest = islice((one.position for one in self._shelf), 2 * MANY + len(taken))
        wanted = dict.fromkeys([*due, *_of_day(self._begun, self._shelf), *rest])
        return [one for one in wanted if one not in taken][:MANY]

    def _solved_elsewhere(self) -> None:
        """What has come back and was played elsewhere meanwhile is done here, too."""
        if self._missed is None:
            return
        with suppress(DurakError):
            self._missed.look()
        due, solved = self._missed.due(self._begun), {one.position: one.solved > 0 for one in self._missed.waiting}
        solved.update(dict.fromkeys(self._missed.known, True))
        found = {place: solved[one] for place, one in enumerate(self._five, 1) if one in self._back and one in solved and one not in due}
        if found.keys() - self._done.keys():
            self._done = {**found, **self._done}
            self._keep_day()

    @property
    def claimed(self) -> tuple[str, ...]:
        """The five of today are met here."""
        return tuple(self._five)

    @property
    def done(self) -> dict[int, bool]:
        """Which of the five were played today, and whether each was solved at the first try."""
        return dict(sorted(self._done.items()))

    @property
    def five(self) -> tuple[str, ...]:
        """The positions of today."""
        return tuple(self._five)

    @property
    def question(self) -> str:
        """Which of the five it is, whether it has come back, and the goal."""
        back = [self._returned(self._back[self._position])] if self._position in self._back else []
        return " ".join([self._text(Fact("lesson.endings.daily", {"place": self._at + 1})), *back, super().question])

    @property
    def days(self) -> int:
        """On how many days in a row the five were done: up to today, or, as long as today's are not, up to yesterday."""
        entries = {} if self._store is None else self._store.entries
        return _row(entries, self.day) or _row(entries, self.day - timedelta(1))

    def check(self) -> bool:
        """Whether all five were played."""
        return len(self._done) == MANY

    @property
    def _some_come_back(self) -> bool:
        """Whether something of today was missed that will be among the five of tomorrow."""
        if self._missed is None:
            return False
        missed, tomorrow = {self._five[at - 1] for at, right in self._done.items() if not right}, self._begun + timedelta(FIRST)
        return self.day == self._begun and not missed.isdisjoint(self._missed.due(tomorrow)[:MANY])

    def verdict(self, voice: Voice) -> tuple[bool | None, str] | None:
        """How the ending went, in a few words; once the last of the day is solved, that what was missed comes back, if anything was."""
        found = super().verdict(voice)
        if found is None or not found[0] or not self.check() or not self._some_come_back:
            return found
        return found[0], f"{found[1]} {voice.say('table.tomorrow')}"

    def _note(self, *, right: bool) -> None:
        super()._note(right=right)
        self._done.setdefault(self._at + 1, right)
        self._keep_day()
        if self.check():  # now the felt says that what was missed comes back
            self.table.refresh()

    def _keep_day(self) -> None:
        done = {str(at): right for at, right in self._done.items()}

        def note(entries: dict[str, Entry]) -> bool:
            day = self._begun.isoformat()
            there = entries.get(day)
            same = there is not None and _is_sound(day, there) and there["five"] == self._five
            if there is not None and _is_sound(day, there) and not same and (len(done) < MANY or len(there["done"]) == MANY):
                return False  # another notebook drew other endings, and began before: that is the day, unless these are done first
            elsewhere = there["done"] if there and same else {}  # what another notebook has noted stays
            back = {position: "" if missed is None else missed.isoformat() for position, missed in self._back.items()}
            both = {**done, **elsewhere}
            entries[day] = {"five": list(self._five), "done": both, "back": back}
            if len(both) == MANY:
                before = there.get("row") if there and same else None
                entries[day]["row"] = before or 1 + _row(self._sound(entries), self._begun - timedelta(1))
            for old in sorted({*entries} - {day})[: 1 - _KEPT]:  # today is kept, whatever the clock said before
                del entries[old]
            return True

        if self._store is not None:
            with suppress(DurakError):
                self._store.change(note)

    @staticmethod
    def _sound(entries: dict[str, Entry]) -> dict[str, Entry]:
        return {name: one for name, one in entries.items() if _is_sound(name, one)}

    def next(self) -> None:
        """The next of today that was not played; on another day, the first of that day."""
        if self.day != self._begun:
            self._begun = self.day
            self._begin()
            self._at = -1
        self._solved_elsewhere()
        later = [*range(self._at + 1, MANY), *range(MANY)]
        self._at = next((at for at in later if at + 1 not in self._done), min(self._at + 1, MANY - 1))
        self._pose(self._five[self._at])

    def sheet(self) -> dict[str, object]:
        """What the page shows: the ending, which of the five it is, and how the others went."""
        done = self.check()
        marks = "".join("·" if at not in self._done else "✓" if self._done[at] else "✗" for at in range(1, MANY + 1))
        said = [self._text(Fact("lesson.endings.done", {"count": sum(self._done.values()), "of": MANY}))] if done else []
        if done and self._some_come_back:
            said.append(self._text(Fact("table.tomorrow")))
        if done and self.days > 1:
            said.append(self._text(Fact("lesson.endings.days", {"count": self.days})))
        sheet = super().sheet()
        told = sheet["said"]
        assert isinstance(told, list)  # noqa: S101 - it is this package's own
        return {**sheet, "number": marks, "more": not done, "done": done, "said": [*told, *said]}

    def static(self) -> dict[str, str]:
        """Where nothing is live: that there are five every day; the first of a day that was named."""
        if self._dated:
            return super().static()
        told = self._text(Fact("lesson.endings.static"))
        return {"text/html": f'<div class="durak-picture"><p><b>{escape(told)}</b></p></div>', "text/plain": told}

    def _ipython_display_(self) -> None:
        """The page above, the table below; no picture of a day that was not named is stored, which would be another tomorrow."""
        if self._dated:
            return super()._ipython_display_()
        from IPython.display import display  # noqa: PLC0415 - there wherever this is called

        self._display_page()
        data, metadata = self.table.live()
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        return None


def _of_day(day: date, puzzles: Sequence[Puzzle]) -> list[str]:
    """One position of each grade that there is; each comes again when all others of its grade have."""
    number = day_of(day).toordinal()
    found = []
    for grade in GRADES:
        some = sorted(one.position for one in puzzles if one.grade == grade)
        if some:
            found.append(Random(grade).sample(some, len(some))[number % len(some)])
    return found


def five_of_today(missed: Missed | None, day: date) -> set[str]:
    """The five that were begun on that day where such endings are remembered; none, where none were."""
    if missed is None:
        return set()
    with suppress(DurakError):
        return set(_days(missed.path.parent).entries.get(day.isoformat(), {}).get("five", ()))
    return set()


def _days(folder: Path) -> Store:
    """The days that are remembered in a folder, as they are now."""
    store = Store(folder / "daily.json", _is_sound)
    store.read()
    return store


def _row(entries: dict[str, Entry], day: date) -> int:
    """How many days in a row the five were done up to that day, as was found when that day was done; else counted now."""
    count = 0
    while (one := entries.get((day - timedelta(count)).isoformat())) and len(one["done"]) == MANY:
        row = one.get("row")
        if type(row) is int and 0 < row <= _LONGEST:
            return count + row
        count += 1
    return count


def _day_in(text: object) -> date | None:
    """The day that stands in the file, if it is one."""
    with suppress(ValueError, TypeError):
        return date.fromisoformat(text)  # type: ignore[arg-type]  # whatever stands there
    return None


def _is_sound(name: str, one: object) -> bool:
    """Whether an entry of the file can be read: five positions, and which were solved."""
    if not isinstance(one, dict) or not name.isprintable():
        return False
    five: Any = one.get("five")
    done: Any = one.get("done")
    lists = isinstance(five, list) and len(five) == MANY and all(isinstance(position, str) for position in five)
    if not isinstance(one.get("back", {}), dict):
        return False
    places = {str(at) for at in range(1, MANY + 1)}
    return lists and isinstance(done, dict) and done.keys() <= places and all(type(right) is bool for right in done.values())


class Endings(InTurn):
    """Endings that exactly one move wins, one after another and without end, by number of cards: a card more after three in a row that were solved, one fewer after two missed.

    >>> drill = Endings(5, seed=1, goal=2)
    >>> print(drill.question)
    Get rid of all your cards.
    >>> bool(drill.answer(drill.solution)), drill.streak, drill.check()
    (True, 1, False)
    >>> drill.next(); bool(drill.answer(drill.solution)), drill.streak, drill.check()
    (True, 2, True)
    """

    revealed = False
    """A solution that was shown ends the row and nothing else."""

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
        """Begin with so many cards; a seed gives the same endings again. With `rules` all are played by these. With a `name` it is remembered when the goal is reached."""
        self._by_cards: dict[int, list[str]] = {}
        for one in by_rules(rules):
            self._by_cards.setdefault(one.cards, []).append(one.position)
        many, row = whole_number(cards), whole_number(goal)
        if many is None or many not in self._by_cards:
            raise DurakError(f"cards={quoted(cards)}: there are endings of {min(self._by_cards)} to {max(self._by_cards)} cards")
        if row is None or row not in range(1, _MOST + 1):
            raise DurakError(f"goal={quoted(goal)}: a drill is done after so many right answers in a row, from 1 to {_MOST}")
        self._random = Random(checked_seed(seed) if seed is not None else None)
        self._left: dict[int, list[str]] = {}
        self._before = ""
        self._cards, self._goal_of_row = many, row
        self._streak = self._best = self._ups = self._downs = 0
        super().__init__(self._drawn(), today=today, missed=missed or kept_here(), name=name, language=language, **look)

    def _drawn(self) -> str:
        """One that was not asked yet, as long as there is one; then all of them come again, and none twice in a row."""
        if not self._left.get(self._cards):
            some = self._random.sample(self._by_cards[self._cards], len(self._by_cards[self._cards]))
            self._left[self._cards] = some[::-1] if some[-1] == self._before else some
        self._before = self._left[self._cards].pop()
        return self._before

    @property
    def cards(self) -> int:
        """With how many cards the next ending is drawn."""
        return self._cards

    @property
    def streak(self) -> int:
        """How many in a row were solved at the first try."""
        return self._streak

    def check(self) -> bool:
        """Whether so many in a row were solved as are asked for."""
        return self._best >= self._goal_of_row

    def _note(self, *, right: bool) -> None:
        super()._note(right=right)
        self._streak = self._streak + 1 if right else 0
        self._best = max(self._best, self._streak)
        self._ups, self._downs = (self._ups + 1, 0) if right else (0, self._downs + 1)
        if self._ups == _UP or self._downs == _DOWN:
            sizes = sorted(self._by_cards)
            at = sizes.index(self._cards) + (1 if right else -1)
            self._cards = sizes[min(max(at, 0), len(sizes) - 1)]
            self._ups = self._downs = 0

    def next(self) -> None:
        """The next ending; one that was not played to its end ends the row, and is not held against anybody."""
        if not self._counted:
            self._streak = 0
        self._pose(self._drawn())

    def sheet(self) -> dict[str, object]:
        """What the page shows: the ending, and how one is doing."""
        row = {"streak": self._streak, "level": self._cards, "cards": True, "goal": self._goal_of_row, "done": self.check()}
        return {**super().sheet(), **row, "more": True}


class MyEndings(InTurn):
    """The endings that were missed and are due today, the longest waiting first; where none is due, one of the shelf, and that is said.

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
        """Begin with the first that is due; where none is, with one of the shelf, and that is said."""
        self._due: list[str] = []
        super().__init__(shelf()[0].position, today=today, missed=missed or kept_here(), language=language, name=name, **look)
        taken = self._taken() | five_of_today(self._missed, self.day)
        due = () if self._missed is None else self._missed.due(self.day)
        self._due = [one for one in due if one not in taken and to_win(one)]
        self._back = {} if self._missed is None else {one: self._missed.missed_on(one) for one in self._due}
        self._elsewhere = any(one in taken for one in due)
        self._done: set[str] = set()
        if self._due:
            self._pose(self._due[0])

    @property
    def left(self) -> int:
        """How many that are due have not been played yet, here or elsewhere."""
        return len(self._waiting())

    @property
    def claimed(self) -> tuple[str, ...]:
        """What is due is met here."""
        return tuple(self._due)

    def _waiting(self) -> list[str]:
        """What is still due and was not played here."""
        if self._missed is None:
            return []
        with suppress(DurakError):
            self._missed.look()
        due = self._missed.due(self.day)
        return [one for one in self._due if one not in self._done and one in due]

    @property
    def question(self) -> str:
        """The goal; before it, how many have come back, and when this one was missed; or that none has, or that they are met among the five of the day."""
        if not self._due:
            return f"{self._text(Fact('lesson.endings.among' if self._elsewhere else 'lesson.endings.none'))} {super().question}"
        back = [self._returned(self._back[self._position])] if self._position in self._back else []
        return " ".join([self._text(Fact("lesson.endings.mine", {"count": self.left})), *back, super().question])

    def check(self) -> bool:
        """Whether all that were due were played."""
        return bool(self._due) and not self.left

    def _note(self, *, right: bool) -> None:
        super()._note(right=right)
        self._done.add(self._position)

    def next(self) -> None:
        """The next that is due."""
        if self._due:
            self._pose((self._waiting() or self._due)[0])

    def sheet(self) -> dict[str, object]:
        """What the page shows: the ending, and whether another waits."""
        return {**super().sheet(), "more": self.left > 0, "done": self.check()}


def to_win(position: str) -> tuple[Game, list[str]] | None:
    """An ending as it is laid for whoever is to act there, on seat 0, and a way to win it; None where no way is soon found."""
    try:
        told = bare(Game.at(position))
        game = None if told is None else laid(told)
        way = None if game is None else way_home(game)
    except DurakError:
        return None
    return None if game is None or not way else (game, list(map(str, way)))


def kept_here() -> Missed | None:
    """The endings that are remembered here; None where nothing can be."""
    try:
        return Missed()
    except DurakError:
        return None


def clock(today: object) -> Callable[[], date] | None:
    """What says which day it is, as it was given; None for the clock of this machine."""
    if today is not None and not callable(today):
        raise DurakError(f"today={quoted(today)} says no day; give a function without arguments that does, such as date.today")
    return today
