"""Defines the problem set on Durak: its questions, and the text above each one.

The game is that of *Econ 431*, a text of rules without questions. Every question makes a random instance for
each student. The answers are only in the model and the solver. Editions that name no revision have revision
1. Revision 2 asks five of the questions so that blind guesses earn almost nothing. The text above a question,
and the note for the teacher, are in the translations, under the question's name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from durak_widget.econ431.bot_question import BOT_QUESTIONS, REVISED_BOT_QUESTIONS
from durak_widget.econ431.endgame_questions import ENDGAME_QUESTIONS, FIRST_MOVE_QUESTIONS, REVISED_ENDGAME_QUESTIONS
from durak_widget.econ431.hidden_card_questions import HIDDEN_CARD_QUESTIONS, REVISED_HIDDEN_CARD_QUESTIONS
from durak_widget.econ431.mixed_strategy_questions import EQUILIBRIUM_STRATEGY_QUESTIONS, MIXED_STRATEGY_QUESTIONS
from durak_widget.econ431.probability_questions import COUNTING_QUESTIONS
from durak_widget.econ431.rule_questions import RULE_QUESTIONS
from durak_widget.homework.assignment import Assignment
from durak_widget.i18n import Fact, language

if TYPE_CHECKING:
    from durak_widget.homework.assignment import Question

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
"""The questions of revision 1, in their order."""
_REVISED: Final = {
    question.name: question for question in (*REVISED_ENDGAME_QUESTIONS, *REVISED_HIDDEN_CARD_QUESTIONS, *REVISED_BOT_QUESTIONS)
}
"""The questions that revision 2 asks in another way, by name."""


def led(question: Question) -> Question:
    """Return the question with its introduction and its note, if it has them."""
    return question._replace(lead=_said(f"class.econ431.lead.{question.name}"), note=_said(f"class.econ431.note.{question.name}"))


def led_fairly(question: Question) -> Question:
    """Return a question of revision 2 with its introduction and a note on its grading."""
    note = _said(f"class.econ431.note.{question.name}.fair")
    return led(question)._replace(note=note) if note else led(question)


def _said(key: str) -> Fact | str:
    """Return a text by its key, or an empty string if there is none."""
    return Fact(key) if key in language("en").sentences else ""


ASSIGNMENT: Final = Assignment(
    "econ431",
    Fact("class.econ431"),
    map(led, _QUESTIONS),
    later=[[led_fairly(_REVISED.get(question.name, question)) for question in _QUESTIONS]],
)
