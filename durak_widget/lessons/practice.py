"""Endings without end, by number of cards; and those that one missed, when they come back."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any, Final

from durak_widget.engine.game import checked_seed
from durak_widget.errors import DurakError, quoted, whole_number
from durak_widget.i18n import Fact
from durak_widget.lessons.in_turn import InTurn, kept_here, to_win
from durak_widget.lessons.puzzle_practice import five_of_today
from durak_widget.lessons.shelf import by_rules, shelf

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from durak_widget.rules.ruleset import Rules
    from durak_widget.widgets.missed_endgames import Missed

_UP, _DOWN = 3, 2
"""After so many solved in a row there are more cards, after so many missed fewer."""
_MOST: Final = 100


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
