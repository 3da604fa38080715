"""The catalog of questions about a teacher's own game, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from durak_widget.custom_games.matrix_questions import ON_MATRICES
from durak_widget.custom_games.question_type import Ask, AskedByName, ask
from durak_widget.custom_games.strategy_questions import ON_STRATEGIES
from durak_widget.custom_games.tree_questions import ON_TREES
from durak_widget.errors import DurakError, nearest, quoted

if TYPE_CHECKING:
    from durak_widget.custom_games.game_instance import DrawnGame

BY_NAME: Final = {question_type.name: question_type for question_type in (*ON_TREES, *ON_MATRICES, *ON_STRATEGIES)}
"""The type of each question by name."""
_ALSO: Final = {
    "strategic-form": "form",
    "dominated": "dominance",
    "own-strategy": "strategy",
    "one's-own-strategy": "strategy",
    "belief": "beliefs",
}
"""Other names of some questions."""
_MOST: Final = 100


def asked_of(given: object) -> tuple[AskedByName, ...]:
    """Return the questions with these names; a mapping gives each name its points.

    >>> [question.name for question in asked_of(["values", "best responses"])], asked_of({"path": 3})[0].asked.points
    (['values', 'best-responses'], 3)
    >>> asked_of("equilibria of Nash")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: no question is called 'equilibria of Nash'; there are values, path, sets, plans, plan, beliefs, form, dominance, best-responses, equilibria, mixing, value, strategy, best-response, equilibrium. Did you mean 'equilibria'?
    """
    if isinstance(given, Mapping):
        given = [ask(name, points=points) for name, points in given.items()]
    if isinstance(given, (str, Ask)):
        given = [given]
    listed = list(given) if isinstance(given, Iterable) else []
    if not 0 < len(listed) <= _MOST:
        raise DurakError(f"ask for one question or more by their names, as in ask=['values', 'path'], not {quoted(given)}")
    return tuple(map(_made, listed))


def require_independent_questions(asked: Sequence[AskedByName], name: str) -> None:
    """Refuse questions of which one prints the answer to another.

    Both would be seen at once on one sheet.

    >>> require_independent_questions(asked_of(["values", "form"]), "entry")
    >>> require_independent_questions(asked_of(["form", "equilibria"]), "entry")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: 'form' is answered by the table that 'equilibria' prints, wherever it stands on the sheet: ask it of another game, as in own_game(…, name='entry-form', lots=…).questions('form'), which may be in the same assignment, or in an assignment of its own that is handed in before
    """
    for question in asked:
        for other in asked:
            if other.name in question.given_away:
                more = ", story=…" if question.name == "sets" else ""
                raise DurakError(
                    f"{question.name!r} is answered by the {question.given_away[other.name]} that {other.name!r} prints, wherever it stands on the sheet: ask it of another game, "
                    f"as in own_game(…, name='{name}-{question.name}', lots=…{more}).questions({question.name!r}), which may be in the same assignment, or in an assignment of its own that is handed in before"
                )


def _made(one: object) -> AskedByName:
    request = one if isinstance(one, Ask) else Ask(one) if isinstance(one, str) else None
    name = request.name if request is not None and isinstance(request.name, str) else ""
    normalized = "-".join(name.casefold().split())
    question_type = BY_NAME.get(_ALSO.get(normalized, normalized))
    if request is None or question_type is None:
        raise DurakError(
            f"no question is called {quoted(one if request is None else request.name)}; there are {', '.join(BY_NAME)}.{nearest(name[:100], BY_NAME)}"
        )
    return question_type(request)


def fitting(game: DrawnGame) -> list[str]:
    """Return the names of the questions that fit a game.

    >>> from durak_widget.custom_games.game_instance import DrawnGame
    >>> from durak_widget.gametheory import textbook
    >>> fitting(DrawnGame(textbook("entry"), tabled=False, seed=0))
    ['values', 'path', 'plans', 'form', 'dominance', 'best-responses', 'equilibria', 'mixing', 'best-response', 'equilibrium']
    """
    return [name for name, question_type in BY_NAME.items() if not question_type(Ask(name)).unfit(game)]
