"""What notebooks teach with: exercises that are done on the page or from code, and that say why.

>>> from durak_widget import lessons
>>> quiz = lessons.Pick.beaters("Tc", of="9c Jc Ah", trump="h")
>>> bool(quiz.answer("Jc Ah")), quiz.check()
(True, True)
"""

from __future__ import annotations

from durak_widget.lessons import goals
from durak_widget.lessons.asking import Choose, Pick, Predict, Sort
from durak_widget.lessons.drill import Drill
from durak_widget.lessons.exercise import Exercise
from durak_widget.lessons.guided import Guided
from durak_widget.lessons.position import Position
from durak_widget.lessons.progress import Progress
from durak_widget.lessons.task import Task, Verdict
from durak_widget.lessons.what_if import WhatIf

__all__ = ["Choose", "Drill", "Exercise", "Guided", "Pick", "Position", "Predict", "Progress", "Sort", "Task", "Verdict", "WhatIf", "goals"]
