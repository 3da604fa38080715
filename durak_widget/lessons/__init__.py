"""What do notebooks teach with: exercises that are done on the page or from code, and that say why? How a class's work is marked is asked in `classroom`.

>>> from durak_widget import lessons
>>> quiz = lessons.Pick.beaters("Tc", of="9c Jc Ah", trump="h")
>>> bool(quiz.answer("Jc Ah")), quiz.check()
(True, True)

What a class does together stands above, in `durak_widget.classroom`, and is fetched through here when it is first asked for: `lessons.homework`,
`lessons.mark`, `lessons.class_report` …
"""

from durak_widget import looking

with looking.Elsewhere():
    from importlib import import_module
    from typing import TYPE_CHECKING, Any, Final

    from durak_widget.lessons.boards.on_matrix import OnMatrix as OnMatrix
    from durak_widget.lessons.boards.on_tree import OnTree as OnTree
    from durak_widget.lessons.coach.guided import Guided as Guided
    from durak_widget.lessons.endings.daily import Daily as Daily
    from durak_widget.lessons.endings.mining import puzzles as puzzles
    from durak_widget.lessons.endings.practice import Endings as Endings
    from durak_widget.lessons.endings.practice import MyEndings as MyEndings
    from durak_widget.lessons.kit.exercise import Exercise as Exercise
    from durak_widget.lessons.kit.progress import Progress as Progress
    from durak_widget.lessons.kit.task import Task as Task
    from durak_widget.lessons.kit.task import Verdict as Verdict
    from durak_widget.lessons.numbers.number import Number as Number
    from durak_widget.lessons.picking.drill import Drill as Drill
    from durak_widget.lessons.picking.picks import Choose as Choose
    from durak_widget.lessons.picking.picks import Pick as Pick
    from durak_widget.lessons.picking.picks import Sort as Sort
    from durak_widget.lessons.picking.predict import Predict as Predict
    from durak_widget.lessons.picking.what_if import WhatIf as WhatIf
    from durak_widget.lessons.positions import goals as goals
    from durak_widget.lessons.positions.position import Position as Position
    from durak_widget.lessons.strategies.bot_task import Bot as Bot
    from durak_widget.lessons.strategies.strategies import Strategy as Strategy

if TYPE_CHECKING:
    from durak_widget.classroom.asking.assignment import Assignment as Assignment
    from durak_widget.classroom.asking.assignment import Question as Question
    from durak_widget.classroom.handing.homework import homework as homework
    from durak_widget.classroom.handing.sealed import seal as seal
    from durak_widget.classroom.handing.sealed import sealed as sealed
    from durak_widget.classroom.marking.marking import mark as mark
    from durak_widget.classroom.own.asked import ask as ask
    from durak_widget.classroom.own.game import own_game as own_game
    from durak_widget.classroom.own.numbers_drawn import any_of as any_of
    from durak_widget.classroom.own.numbers_drawn import between as between
    from durak_widget.classroom.playing.class_bot import class_bot as class_bot
    from durak_widget.classroom.playing.games import games as games
    from durak_widget.classroom.reporting.report import class_report as class_report

__all__ = [
    name for name, one in vars().items() if name in {"goals", "puzzles"} or (isinstance(one, type) and one.__module__.startswith(__name__))
]

_ABOVE: Final = {
    **dict.fromkeys(("Assignment", "Question"), "asking.assignment"),
    "homework": "handing.homework",
    "seal": "handing.sealed",
    "sealed": "handing.sealed",
    "mark": "marking.marking",
    **dict.fromkeys(("any_of", "between"), "own.numbers_drawn"),
    "ask": "own.asked",
    "own_game": "own.game",
    "class_report": "reporting.report",
    "games": "playing.games",
    "class_bot": "playing.class_bot",
}
"""What stands above lessons, in the classroom, and in which of its modules."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - classes and functions
    if name not in _ABOVE:
        msg = f"durak_widget.lessons has no {name!r}; it has {', '.join(__dir__())}"
        raise AttributeError(msg)
    with looking.Elsewhere():
        found = globals()[name] = getattr(import_module(f"durak_widget.classroom.{_ABOVE[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted([*__all__, *_ABOVE])
