"""How much of a task its last answer has done, from 0 to 1, as it is counted: the task itself says how much that is, and which mistake it was."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durak_widget.exercises.task import Task


def credit(task: Task) -> Fraction:
    """How much of the task its last answer has done; nothing, where its solution was shown.

    >>> from durak_widget.lessons import Pick
    >>> quiz = Pick.beaters("Tc", of="9c Jc Ah 6s Ts", trump="s")
    >>> [str(credit(quiz)) for given in ("9c", "Jc", "Jc 6s", "Jc 6s Ah", "Jc 6s Ts") if quiz.answer(given) is not None]
    ['0', '1/3', '2/3', '1/3', '1']
    """
    if task.revealed:
        return Fraction(0)
    done: Fraction | float | None = task.credit  # None says nothing: a kind of somebody's own may have it so
    if done is None:
        done = Fraction(int(task.given is not None and task.check()))
    return min(max(Fraction(done).limit_denominator(10**6), Fraction(0)), Fraction(1))
