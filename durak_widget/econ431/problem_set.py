"""Lists the questions of the Econ 431 problem set, with their introductions.

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
from durak_widget.i18n import TranslatableText, get_language

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
"""The questions of revision 1 of the problem set, in order."""
_REVISED_QUESTIONS: Final = {
    question.name: question for question in (*REVISED_ENDGAME_QUESTIONS, *REVISED_HIDDEN_CARD_QUESTIONS, *REVISED_BOT_QUESTIONS)
}
"""The questions that differ in revision 2 of the problem set, by their names."""


def add_lead_and_note(question: Question) -> Question:
    """Add an introduction and a note to a question, if the problem set has these texts."""
    return question._replace(lead=_find_text(f"class.econ431.lead.{question.name}"), note=_find_text(f"class.econ431.note.{question.name}"))


def add_lead_and_fair_note(question: Question) -> Question:
    """Add an introduction, and a note on grading, to a question of the set's revision 2."""
    note = _find_text(f"class.econ431.note.{question.name}.fair")
    return add_lead_and_note(question)._replace(note=note) if note else add_lead_and_note(question)


def _find_text(key: str) -> TranslatableText | str:
    """Return the text with the key `key`, or "" if there is none."""
    return TranslatableText(key) if key in get_language("en").sentences else ""


ASSIGNMENT: Final = Assignment(
    "econ431",
    TranslatableText("class.econ431"),
    map(add_lead_and_note, _QUESTIONS),
    later_revisions=[[add_lead_and_fair_note(_REVISED_QUESTIONS.get(question.name, question)) for question in _QUESTIONS]],
)
