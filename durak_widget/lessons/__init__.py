"""The lesson notebooks, drills, endgame puzzles, and a game with a coach.

>>> from durak_widget import lessons
>>> quiz = lessons.Pick.beaters("Tc", of="9c Jc Ah", trump="h")
>>> bool(quiz.answer("Jc Ah")), quiz.check()
(True, True)

The exercises are in the package `exercises`. Homework and the activities of a school class are in other packages. They are imported
when you use their names here: `lessons.homework`, `lessons.mark`, `lessons.class_report` …
"""

TYPE_CHECKING = False  # Import nothing here: a command first has to remove folders with untrusted modules from `sys.path`

if TYPE_CHECKING:
    from typing import Any

    from durak_widget.class_games.game_dataset import games as games
    from durak_widget.class_games.imitation_bot import class_bot as class_bot
    from durak_widget.custom_games.custom_assignment import own_game as own_game
    from durak_widget.custom_games.game_template import any_of as any_of
    from durak_widget.custom_games.game_template import between as between
    from durak_widget.custom_games.question_type import ask as ask
    from durak_widget.exercises import goals as goals
    from durak_widget.exercises.base_exercise import Task as Task
    from durak_widget.exercises.base_exercise import Verdict as Verdict
    from durak_widget.exercises.bot_exercise import BotExercise as Bot
    from durak_widget.exercises.choice_exercise import Choose as Choose
    from durak_widget.exercises.choice_exercise import Pick as Pick
    from durak_widget.exercises.choice_exercise import Sort as Sort
    from durak_widget.exercises.exercise import Exercise as Exercise
    from durak_widget.exercises.matrix_exercise import OnMatrix as OnMatrix
    from durak_widget.exercises.number_exercise import Number as Number
    from durak_widget.exercises.position_exercise import Position as Position
    from durak_widget.exercises.prediction_exercise import Predict as Predict
    from durak_widget.exercises.prediction_exercise import WhatIf as WhatIf
    from durak_widget.exercises.strategy_exercise import StrategyExercise as Strategy
    from durak_widget.exercises.student_progress import Progress as Progress
    from durak_widget.exercises.tree_exercise import OnTree as OnTree
    from durak_widget.grading.class_report_page import class_report as class_report
    from durak_widget.grading.folder_grading import mark as mark
    from durak_widget.homework.assignment import Assignment as Assignment
    from durak_widget.homework.assignment import Question as Question
    from durak_widget.homework.keyless_exercise import seal as seal
    from durak_widget.homework.keyless_exercise import sealed as sealed
    from durak_widget.homework.student_homework import homework as homework
    from durak_widget.lessons.coached_game import Guided as Guided
    from durak_widget.lessons.drill import Drill as Drill
    from durak_widget.lessons.endgame_puzzle import puzzles as puzzles
    from durak_widget.lessons.puzzle_practice import Daily as Daily
    from durak_widget.lessons.puzzle_practice import Endings as Endings
    from durak_widget.lessons.puzzle_practice import MyEndings as MyEndings

__all__ = [
    "Bot",
    "Choose",
    "Daily",
    "Drill",
    "Endings",
    "Exercise",
    "Guided",
    "MyEndings",
    "Number",
    "OnMatrix",
    "OnTree",
    "Pick",
    "Position",
    "Predict",
    "Progress",
    "Sort",
    "Strategy",
    "Task",
    "Verdict",
    "WhatIf",
    "goals",
    "puzzles",
]

_MODULE_OF_NAME = {
    "OnMatrix": "exercises.matrix_exercise",
    "OnTree": "exercises.tree_exercise",
    "Guided": "lessons.coached_game",
    "Daily": "lessons.puzzle_practice",
    "puzzles": "lessons.endgame_puzzle",
    "Endings": "lessons.puzzle_practice",
    "MyEndings": "lessons.puzzle_practice",
    "Exercise": "exercises.exercise",
    "Progress": "exercises.student_progress",
    "Task": "exercises.base_exercise",
    "Verdict": "exercises.base_exercise",
    "Number": "exercises.number_exercise",
    "Drill": "lessons.drill",
    "Choose": "exercises.choice_exercise",
    "Pick": "exercises.choice_exercise",
    "Sort": "exercises.choice_exercise",
    "Predict": "exercises.prediction_exercise",
    "WhatIf": "exercises.prediction_exercise",
    "goals": "exercises",
    "Position": "exercises.position_exercise",
    "Bot": "exercises.bot_exercise:BotExercise",
    "Strategy": "exercises.strategy_exercise:StrategyExercise",
    # Homework and class games
    **dict.fromkeys(("Assignment", "Question"), "homework.assignment"),
    "homework": "homework.student_homework",
    **dict.fromkeys(("seal", "sealed"), "homework.keyless_exercise"),
    "mark": "grading.folder_grading",
    **dict.fromkeys(("any_of", "between"), "custom_games.game_template"),
    "ask": "custom_games.question_type",
    "own_game": "custom_games.custom_assignment",
    "class_report": "grading.class_report_page",
    "games": "class_games.game_dataset",
    "class_bot": "class_games.imitation_bot",
}
"""The module that defines each public name; `module:Name` if the module uses another name."""


def __getattr__(name: str) -> "Any":  # noqa: ANN401 - a class or function
    """Import a public name when it is first used."""
    if name not in _MODULE_OF_NAME:
        msg = f"durak_widget.lessons has no {name!r}; it has {', '.join(__dir__())}"
        raise AttributeError(msg)
    module, _, name_there = _MODULE_OF_NAME[name].partition(":")
    value = globals()[name] = getattr(__import__(f"durak_widget.{module}", fromlist=[name]), name_there or name)
    return value


def __dir__() -> list[str]:
    """Return the public names of this package."""
    return sorted(_MODULE_OF_NAME)
