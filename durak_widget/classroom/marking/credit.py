"""How much of a task its last answer has done, from 0 to 1: of values, cells, moves and cards the part that is right, less what is guessed wrong."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.game.refusal import Refusal
from durak_widget.lessons.boards.on_board import OnBoard
from durak_widget.lessons.picking.asking import Pick
from durak_widget.words import Fact

if TYPE_CHECKING:
    from durak_widget.lessons.kit.task import Task

_FIELDS: Final = {"values", "fill", "path"}
"""What is asked in so many places: each right one counts, and one that follows from another's mistake is not held against anybody twice."""
_GUESSED: Final = {"values", "path", "sets", "strike", "best"}
"""What is one of few things, at each place or among others: a wrong one takes back a right one, so that guessing and marking everything earn next to nothing."""


def credit(task: Task) -> Fraction:
    """How much of the task its last answer has done.

    >>> quiz = Pick.beaters("Tc", of="9c Jc Ah 6s Ts", trump="s")
    >>> [str(credit(quiz)) for given in ("9c", "Jc", "Jc 6s", "Jc 6s Ah", "Jc 6s Ts") if quiz.answer(given) is not None]
    ['0', '1/3', '2/3', '1/3', '1']
    """
    if task.revealed:
        return Fraction(0)
    own = getattr(task, "credit", None)  # a strategy or a bot knows itself how much it has earned, also of code that has no plain form
    if own is not None:
        return min(max(Fraction(own).limit_denominator(10**6), Fraction(0)), Fraction(1))
    if task.given is None:
        return Fraction(0)
    if task.check():
        return Fraction(1)
    found, of = Fraction(0), 1
    if isinstance(task, Pick):
        right, given = set(task.solution), set(task.picked)
        found, of = Fraction(len(given & right) - len(given - right)), len(right)
    elif isinstance(task, OnBoard) and task.asks in _FIELDS | _GUESSED:
        marks, of = Counter(task.marks.values()), len(task.solution)
        if task.asks in _FIELDS:
            found, of = Fraction(marks["right"] + marks["follows"]), max(of, sum(marks.values()))
        else:
            found = Fraction(marks["right"])
        if task.asks in _GUESSED:
            found -= marks["wrong"]
    most = Fraction(of - 1, of) if of else Fraction(0)  # all of it is for whoever is right
    return min(max(found / max(of, 1), Fraction(0)), most)


def mistake(task: Task) -> str:
    """The mistake of the last answer by its name, as the words know it; nothing where it is right, or no mistake of a name is proved.

    >>> from durak_widget.lessons import Number
    >>> quiz = Number("How likely?", "1/10", mistakes={"with_replacement": "2/25"})
    >>> for given in ("2/25", "1/3", "1/10"):
    ...     _ = quiz.answer(given)
    ...     print(repr(mistake(quiz)))
    'number.with_replacement'
    'number.large'
    ''
    """
    found = task._found
    if found is None or found[0]:
        return ""
    keys = (why.key if isinstance(why, Fact) else f"refusal.{why.code}" if isinstance(why, Refusal) else "" for why in found[1])
    return next((key.removeprefix("lesson.") for key in keys if key), "")
