"""Question after question on one rule: each is drawn by chance, answered by the model, and harder the better one does; so many right in a row are the goal."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from durak_widget.engine.game import checked_seed
from durak_widget.errors import DurakError, nearest, quoted, whole_number
from durak_widget.exercises.notebook_display import Displayed
from durak_widget.exercises.student_progress import checked_name, remembered
from durak_widget.lessons.questions import LEVELS, TOPICS, draw

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.exercises.exercise import Exercise
    from durak_widget.exercises.task import Verdict

_UP, _DOWN = 3, 2
"""After so many right answers in a row it grows harder, after so many wrong ones easier."""
_MOST: Final = 100
"""So many right answers in a row may be asked for."""


class Drill(Displayed):
    """One question after another on a topic: `beats`, `order`, `throw`, `transfer` or `next`. So many right in a row are its goal.

    >>> drill = Drill("beats", seed=1, goal=2)
    >>> print(drill.question)
    Pick every card that beats the king of diamonds. Trumps are clubs.
    >>> bool(drill.answer(drill.solution)), drill.streak, drill.check()
    (True, 1, False)
    >>> drill.next(); bool(drill.answer(drill.solution)), drill.streak, drill.check()
    (True, 2, True)
    """

    def __init__(
        self,
        topic: str,
        *,
        seed: int | str | None = None,
        level: int = 1,
        hardest: int = LEVELS,
        goal: int = 6,
        name: str = "",
        language: str | None = None,
    ) -> None:
        """Begin at a level, from 1 to 4, and go up to the `hardest`; a seed gives the same questions again. With a `name` it is remembered when the goal is reached."""
        if not isinstance(topic, str) or topic not in TOPICS:
            raise DurakError(f"there is no drill {quoted(topic)}; there are {', '.join(TOPICS)}.{nearest(topic, TOPICS)}")
        self._level, self._hardest = _level("level", level), _level("hardest", hardest)
        if self._level > self._hardest:
            raise DurakError(f"level={self._level} is harder than hardest={self._hardest}: begin at that level, or lower")
        many = whole_number(goal)
        if many is None or many not in range(1, _MOST + 1):
            raise DurakError(f"goal={quoted(goal)}: a drill is done after so many right answers in a row, from 1 to {_MOST}")
        super().__init__(language)
        self.topic, self.name, self._goal = topic, checked_name(name) if name else "", many
        self._random = Random(checked_seed(seed) if seed is not None else None)
        self._streak = self._best = self._ups = self._downs = 0
        self._counted = False
        self._callbacks: list[Callable[[Verdict], object]] = []
        self._current = self._drawn()

    def _drawn(self) -> Exercise:
        return draw(self.topic, self._level, self._random).make({"language": self._language})

    @property
    def exercise(self) -> Exercise:
        """The question that is now asked, as an exercise of its own."""
        return self._current

    @property
    def question(self) -> str:
        """What is asked."""
        return self._current.question

    @property
    def solution(self) -> list[str]:
        """A right answer, as `answer` takes it."""
        return self._current.solution

    @property
    def streak(self) -> int:
        """How many questions in a row were answered rightly at the first try."""
        return self._streak

    @property
    def best(self) -> int:
        """The longest row so far."""
        return self._best

    @property
    def level(self) -> int:
        """How hard the questions now are."""
        return self._level

    def _respoken(self) -> None:
        self._current.language = self._language

    def answer(self, answer: object) -> Verdict:
        """Answer the question; the first try counts."""
        first, verdict = not self._counted, self._current.answer(answer)
        self._count(right=verdict.right)
        self._changed()
        for callback in tuple(self._callbacks) if first else ():
            callback(verdict)
        return verdict

    @property
    def goal(self) -> int:
        """How many right answers in a row are asked for."""
        return self._goal

    def check(self) -> bool:
        """Whether the goal was reached."""
        return self._best >= self._goal

    revealed = False
    """A solution that was shown ends the row and nothing else."""

    def on_answer(self, callback: Callable[[Verdict], object]) -> None:
        """Call back with the verdict on the first answer to each question."""
        if not callable(callback):
            raise DurakError(f"a verdict is told to a function, such as print, not to {quoted(callback)}")
        self._callbacks.append(callback)

    def _first_displayed(self) -> None:
        """What is done in a notebook is remembered there."""
        remembered(self)

    def _count(self, *, right: bool) -> None:
        """Of each question, only what was done first."""
        if self._counted:
            return
        self._counted = True
        self._streak = self._streak + 1 if right else 0
        self._best = max(self._best, self._streak)
        self._ups, self._downs = (self._ups + 1, 0) if right else (0, self._downs + 1)
        if self._ups == _UP or self._downs == _DOWN:
            self._level = max(1, min(self._hardest, self._level + (1 if right else -1)))
            self._ups = self._downs = 0

    def reveal(self) -> str:
        """Show the solution: the row of right answers ends."""
        self._count(right=False)
        said = self._current.reveal()
        self._changed()
        return said

    def again(self) -> None:
        """Try the same question once more; it counts no more."""
        self._current.again()
        self._changed()

    def next(self) -> None:
        """The next question; one that was not answered ends the row."""
        self._count(right=False)
        self._current, self._counted = self._drawn(), False
        self._changed()

    def sheet(self) -> dict[str, object]:
        """What the page shows: the question, and how one is doing."""
        return {**self._current.sheet(), "streak": self._streak, "level": self._level, "goal": self._goal, "done": self.check()}

    def static(self) -> dict[str, str]:
        """The question that is now asked."""
        return self._current.static()

    def __repr__(self) -> str:
        return f"<Drill {self.topic!r}, level {self._level}, {self._streak} in a row>"


def _level(name: str, level: object) -> int:
    hard = whole_number(level)
    if hard is None or hard not in range(1, LEVELS + 1):
        raise DurakError(f"{name}={quoted(level)}: a drill has the levels 1 to {LEVELS}")
    return hard
