"""Lists the questions that a teacher can ask about a game, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from durak_widget.custom_games.matrix_questions import MATRIX_QUESTIONS
from durak_widget.custom_games.question_type import GameQuestion, QuestionRequest, ask
from durak_widget.custom_games.strategy_questions import STRATEGY_QUESTIONS
from durak_widget.custom_games.tree_questions import TREE_QUESTIONS
from durak_widget.errors import DurakError, short_repr, suggest_nearest

if TYPE_CHECKING:
    from durak_widget.custom_games.game_instance import GameInstance

QUESTION_TYPES: Final = {question_type.name: question_type for question_type in (*TREE_QUESTIONS, *MATRIX_QUESTIONS, *STRATEGY_QUESTIONS)}
"""The class of each question, by the name of the question."""
_ALIASES: Final = {
    "strategic-form": "form",
    "dominated": "dominance",
    "own-strategy": "strategy",
    "one's-own-strategy": "strategy",
    "belief": "beliefs",
}
"""Other names by which teachers may ask for some of the questions."""
_MAX_QUESTIONS: Final = 100


def parse_questions(names: object) -> tuple[GameQuestion, ...]:
    """Return the questions with given names; a dict from names to points also sets the points.

    >>> [question.name for question in parse_questions(["values", "best responses"])], parse_questions({"path": 3})[0].request.points
    (['values', 'best-responses'], 3)
    >>> parse_questions("equilibria of Nash")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: there is no question 'equilibria of Nash'; there are values, path, sets, plans, plan, beliefs, form, dominance, best-responses, equilibria, mixing, value, strategy, best-response, equilibrium. Did you mean 'equilibria'?
    """
    if isinstance(names, Mapping):
        names = [ask(name, points=points) for name, points in names.items()]
    if isinstance(names, (str, QuestionRequest)):
        names = [names]
    listed = list(names) if isinstance(names, Iterable) else []
    if not 0 < len(listed) <= _MAX_QUESTIONS:
        raise DurakError(f"ask must have one or more names of questions, as in ask=['values', 'path'], not {short_repr(names)}")
    return tuple(map(_build_question, listed))


def require_independent_questions(questions: Sequence[GameQuestion], game_name: str) -> None:
    """Raise an error if a student could read the answer to one question in another question.

    Both would be seen at once on one sheet.

    >>> require_independent_questions(parse_questions(["values", "form"]), "entry")
    >>> require_independent_questions(parse_questions(["form", "equilibria"]), "entry")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: 'form' is answered by the table that 'equilibria' prints on the same sheet. Ask it about another game, as in own_game(…, name='entry-form', lots=…).questions('form'), which may be in the same assignment. Or put it in its own assignment, handed in before this one
    """
    for question in questions:
        for other in questions:
            if other.name in question.revealed_by:
                more = ", story=…" if question.name == "sets" else ""
                raise DurakError(
                    f"{question.name!r} is answered by the {question.revealed_by[other.name]} that {other.name!r} prints on the same sheet. Ask it about another game, as in own_game(…, name='{game_name}-{question.name}', lots=…{more}).questions({question.name!r}), which may be in the same assignment. Or put it in its own assignment, handed in before this one"
                )


def _build_question(value: object) -> GameQuestion:
    """Build the question for a name or a `QuestionRequest`; raise an error for unknown names."""
    request = value if isinstance(value, QuestionRequest) else QuestionRequest(value) if isinstance(value, str) else None
    name = request.name if request is not None and isinstance(request.name, str) else ""
    normalized = "-".join(name.casefold().split())
    question_type = QUESTION_TYPES.get(_ALIASES.get(normalized, normalized))
    if request is None or question_type is None:
        raise DurakError(
            f"there is no question {short_repr(value if request is None else request.name)}; there are {', '.join(QUESTION_TYPES)}.{suggest_nearest(name[:100], QUESTION_TYPES)}"
        )
    return question_type(request)


def list_fitting_questions(game: GameInstance) -> list[str]:
    """Return the names of all questions that can be asked about a game.

    >>> from durak_widget.custom_games.game_instance import GameInstance
    >>> from durak_widget.gametheory import textbook
    >>> list_fitting_questions(GameInstance(textbook("entry"), is_matrix=False, seed=0))
    ['values', 'path', 'plans', 'form', 'dominance', 'best-responses', 'equilibria', 'mixing', 'best-response', 'equilibrium']
    """
    return [name for name, question_type in QUESTION_TYPES.items() if not question_type(QuestionRequest(name)).find_problem(game)]
