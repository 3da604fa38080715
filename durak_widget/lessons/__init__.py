"""What notebooks teach with: exercises that are done on the page or from code, and that say why.

>>> from durak_widget import lessons
>>> quiz = lessons.Pick.beaters("Tc", of="9c Jc Ah", trump="h")
>>> bool(quiz.answer("Jc Ah")), quiz.check()
(True, True)
"""

from durak_widget.lessons import goals as goals
from durak_widget.lessons.asking import Choose as Choose
from durak_widget.lessons.asking import Pick as Pick
from durak_widget.lessons.asking import Sort as Sort
from durak_widget.lessons.drill import Drill as Drill
from durak_widget.lessons.exercise import Exercise as Exercise
from durak_widget.lessons.guided import Guided as Guided
from durak_widget.lessons.number import Number as Number
from durak_widget.lessons.on_matrix import OnMatrix as OnMatrix
from durak_widget.lessons.on_tree import OnTree as OnTree
from durak_widget.lessons.position import Position as Position
from durak_widget.lessons.predict import Predict as Predict
from durak_widget.lessons.progress import Progress as Progress
from durak_widget.lessons.strategies import Strategy as Strategy
from durak_widget.lessons.task import Task as Task
from durak_widget.lessons.task import Verdict as Verdict
from durak_widget.lessons.what_if import WhatIf as WhatIf

__all__ = [name for name, one in vars().items() if isinstance(one, type) or name == "goals"]
