"""What is asked in the problem set on Durak, in the game of *Econ 431*, a text of rules without questions? Each question draws an instance for every student; the keys are nowhere but in the model and the solver.

Revision 1 is what was handed out under editions that name no revision. Revision 2 asks five questions so that blind answers earn next to nothing.
"""

from __future__ import annotations

from typing import Final

from durak_widget.classroom.asking.assignment import Assignment
from durak_widget.classroom.econ431 import bot, endings, first, hidden, how_many, mixing, rules_asked
from durak_widget.classroom.econ431.leads import led, led_fairly
from durak_widget.words import Fact

_FIRST: Final = (
    *rules_asked.QUESTIONS,
    *how_many.QUESTIONS,
    *endings.QUESTIONS,
    *hidden.QUESTIONS,
    *mixing.QUESTIONS,
    *first.QUESTIONS,
    *mixing.LATER,
    *bot.QUESTIONS,
)
_REVISED: Final = {one.name: one for one in (*endings.REVISED, *hidden.REVISED, *bot.REVISED)}
ASSIGNMENT: Final = Assignment(
    "econ431", Fact("class.econ431"), map(led, _FIRST), later=[[led_fairly(_REVISED.get(one.name, one)) for one in _FIRST]]
)
