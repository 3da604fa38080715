"""What is asked in the problem set on Durak, in the game of *Econ 431*, a text of rules without questions? Each question draws an instance for every student; the keys are nowhere but in the model and the solver.

Revision 1 is what was handed out under editions that name no revision. Revision 2 asks five questions so that blind answers earn next to nothing.
"""

from __future__ import annotations

from typing import Final

from durak_widget.econ431.bot_question import BOT_QUESTIONS, REVISED_BOT_QUESTIONS
from durak_widget.econ431.counting_questions import COUNTING_QUESTIONS
from durak_widget.econ431.endgame_questions import ENDGAME_QUESTIONS, REVISED_ENDGAME_QUESTIONS
from durak_widget.econ431.first import FIRST_MOVE_QUESTIONS
from durak_widget.econ431.hidden_card_questions import HIDDEN_CARD_QUESTIONS, REVISED_HIDDEN_CARD_QUESTIONS
from durak_widget.econ431.leads import led, led_fairly
from durak_widget.econ431.mixed_strategy_questions import EQUILIBRIUM_STRATEGY_QUESTIONS, MIXED_STRATEGY_QUESTIONS
from durak_widget.econ431.rule_questions import RULE_QUESTIONS
from durak_widget.homework.assignment import Assignment
from durak_widget.i18n import Fact

_QUESTIONS: Final = (
    *RULE_QUESTIONS,
    *COUNTING_QUESTIONS,
    *ENDGAME_QUESTIONS,
    *HIDDEN_CARD_QUESTIONS,
    *MIXED_STRATEGY_QUESTIONS,
    *FIRST_MOVE_QUESTIONS,
    *EQUILIBRIUM_STRATEGY_QUESTIONS,
    *BOT_QUESTIONS,
)
"""The questions of revision 1, in the order of the sheet."""
_REVISED: Final = {
    question.name: question for question in (*REVISED_ENDGAME_QUESTIONS, *REVISED_HIDDEN_CARD_QUESTIONS, *REVISED_BOT_QUESTIONS)
}
"""The questions that revision 2 asks in another way, by name."""
ASSIGNMENT: Final = Assignment(
    "econ431",
    Fact("class.econ431"),
    map(led, _QUESTIONS),
    later=[[led_fairly(_REVISED.get(question.name, question)) for question in _QUESTIONS]],
)
