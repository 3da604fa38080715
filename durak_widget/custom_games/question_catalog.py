"""Which questions are there about a teacher's own game, and which of them fit it?"""

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

BY_NAME: Final = {one.name: one for one in (*ON_TREES, *ON_MATRICES, *ON_STRATEGIES)}
"""All of them."""
_ALSO: Final = {
    "strategic-form": "form",
    "dominated": "dominance",
    "own-strategy": "strategy",
    "one's-own-strategy": "strategy",
    "belief": "beliefs",
}
"""What some of them are called besides."""
_MOST: Final = 100


def asked_of(given: object) -> tuple[AskedByName, ...]:
    """Questions by their names, each of which may have its points.

    >>> [one.name for one in asked_of(["values", "best responses"])], asked_of({"path": 3})[0].asked.points
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
    """Refuse questions about one game of which one is answered by what another prints: on one sheet both are seen at once.

    >>> require_independent_questions(asked_of(["values", "form"]), "entry")
    >>> require_independent_questions(asked_of(["form", "equilibria"]), "entry")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: 'form' is answered by the table that 'equilibria' prints, wherever it stands on the sheet: ask it of another game, as in own_game(…, name='entry-form', lots=…).questions('form'), which may be in the same assignment, or in an assignment of its own that is handed in before
    """
    for one in asked:
        for other in asked:
            if other.name in one.given_away:
                more = ", story=…" if one.name == "sets" else ""
                raise DurakError(
                    f"{one.name!r} is answered by the {one.given_away[other.name]} that {other.name!r} prints, wherever it stands on the sheet: ask it of another game, "
                    f"as in own_game(…, name='{name}-{one.name}', lots=…{more}).questions({one.name!r}), which may be in the same assignment, or in an assignment of its own that is handed in before"
                )


def _made(one: object) -> AskedByName:
    asked = one if isinstance(one, Ask) else Ask(one) if isinstance(one, str) else None
    name = asked.name if asked is not None and isinstance(asked.name, str) else ""
    plain = "-".join(name.casefold().split())
    kind = BY_NAME.get(_ALSO.get(plain, plain))
    if asked is None or kind is None:
        raise DurakError(
            f"no question is called {quoted(one if asked is None else asked.name)}; there are {', '.join(BY_NAME)}.{nearest(name[:100], BY_NAME)}"
        )
    return kind(asked)


def fitting(game: DrawnGame) -> list[str]:
    """The questions that fit a game.

    >>> from durak_widget.custom_games.game_instance import DrawnGame
    >>> from durak_widget.gametheory import textbook
    >>> fitting(DrawnGame(textbook("entry"), tabled=False, seed=0))
    ['values', 'path', 'plans', 'form', 'dominance', 'best-responses', 'equilibria', 'mixing', 'best-response', 'equilibrium']
    """
    return [name for name, kind in BY_NAME.items() if not kind(Ask(name)).unfit(game)]
