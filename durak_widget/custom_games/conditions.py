"""What must be so in every student's game, by name: how many equilibria there are, that nothing is tied, that some plan is dominated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.custom_games.game_instance import MOST_MIXED, MOST_PLANS
from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.gametheory.backward_induction_solver import backward_induction
from durak_widget.gametheory.infoset_labels import set_named
from durak_widget.gametheory.tree import OVER

if TYPE_CHECKING:
    from durak_widget.custom_games.game_instance import DrawnGame
    from durak_widget.gametheory.strategic_form import Matrix
    from durak_widget.gametheory.tree import Tree

_COUNTS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_COUNTED: Final = re.compile(
    rf"(?:exactly |just )?({'|'.join(_COUNTS)}|\d{{1,3}}) (pure )?equilibri(?:um|a)( in pure (?:plans|strategies))?(?: is left| are left)?"
)


class Condition(NamedTuple):
    """What must be so."""

    said: str
    holds: Callable[[DrawnGame], bool]


def _no_ties(game: DrawnGame) -> bool:
    if not game.backward:
        where = hidden_at(game.tree)
        raise DurakError(
            f"it needs a game in which all moves are seen, and {where} does not know what the others did; "
            "use 'different payoffs' or 'one pure equilibrium', or give a function of the game"
        )
    return not backward_induction(game.tree).ties


def hidden_at(tree: Tree) -> str:
    """Return the first information set whose player does not know what was done before.

    >>> from durak_widget.analysis import textbook
    >>> hidden_at(textbook("horse"))
    'Three (One or Two went down)'
    """
    seen: set[int] = set()
    for actor, place in zip(tree.actor, tree.info, strict=True):
        if actor >= 0:
            if place in seen:
                return set_named(tree, place)
            seen.add(place)
    raise DurakError("nothing is hidden in this game")


def _different(game: DrawnGame) -> bool:
    worths = [game.tree.payoffs[place] for actor, place in zip(game.tree.actor, game.tree.info, strict=True) if actor == OVER]
    return all(len(set(paid)) == len(paid) for paid in zip(*worths, strict=True))


def _struck(game: DrawnGame) -> bool:
    return bool(_table(game).dominated(weak=False))


def _undominated(game: DrawnGame) -> bool:
    return not _table(game).dominated(weak=True)


def _table(game: DrawnGame) -> Matrix:
    if not game.small:
        raise DurakError(f"it is asked of a matrix, or of a tree for two in which each has {MOST_PLANS} plans at most and forgets nothing")
    return game.table


def _mixes(game: DrawnGame) -> bool:
    return not game.pure


NAMED: Final[dict[str, Callable[[DrawnGame], bool]]] = {
    "no ties": _no_ties,
    "different payoffs": _different,
    "a dominated plan": _struck,
    "no dominated plan": _undominated,
    "somebody mixes": _mixes,
}
"""Those that have a name of their own."""


def conditions_of(so_that: object) -> tuple[Condition, ...]:
    """Conditions by their names, or functions of a game as a student has it.

    >>> [one.said for one in conditions_of(["exactly one equilibrium in pure strategies is left", "no ties"])]
    ['exactly one equilibrium in pure strategies is left', 'no ties']
    >>> conditions_of("one saddle")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: no condition is called 'one saddle'; there are 'one pure equilibrium', 'two equilibria' and other numbers of them, 'no ties', 'different payoffs', 'a dominated plan', 'no dominated plan', 'somebody mixes', or a function of the game that says whether it will do
    """
    if isinstance(so_that, (str, Condition)) or callable(so_that):
        so_that = [so_that] if so_that else []
    if not isinstance(so_that, Iterable):
        raise DurakError(f"so_that is the name of a condition, or a list of them, not {quoted(so_that)}")
    return tuple(map(_condition, so_that))


def _condition(one: object) -> Condition:
    if isinstance(one, Condition):
        return one
    if callable(one):
        return Condition(getattr(one, "__name__", "your own condition").replace("_", " "), one)
    name = " ".join(one.casefold().split()) if isinstance(one, str) else ""
    if name in NAMED:
        return Condition(name, NAMED[name])
    counted = _COUNTED.fullmatch(name)
    if counted is None:
        listed = ", ".join(map(repr, NAMED))
        raise DurakError(
            f"no condition is called {quoted(one)}; there are 'one pure equilibrium', 'two equilibria' and other numbers of them, {listed}, "
            f"or a function of the game that says whether it will do{nearest(name, NAMED)}"
        )
    many = _COUNTS.index(counted[1]) if counted[1] in _COUNTS else int(counted[1])
    pure = bool(counted[2] or counted[3])
    return Condition(name, _Counted(many, pure=pure))


class _Counted:
    """So many equilibria, in pure plans or of all."""

    def __init__(self, many: int, *, pure: bool) -> None:
        self._many, self._pure = many, pure

    def __call__(self, game: DrawnGame) -> bool:
        if self._pure:
            return len(game.pure) == self._many
        if not game.smaller:
            raise DurakError(f"mixed equilibria are counted where two play and each has {MOST_MIXED} plans at most")
        found = game.mixed
        return found is not None and not found.infinite and len(found) == self._many


def holds(one: Condition, game: DrawnGame) -> bool:
    """Whether it is so; of a game that it cannot be asked of, that is said.

    >>> from durak_widget.custom_games.game_instance import DrawnGame
    >>> from durak_widget.analysis import textbook
    >>> [holds(one, DrawnGame(textbook("entry"), tabled=False, seed=0)) for one in conditions_of(["two pure equilibria", "no ties", "somebody mixes"])]
    [True, True, False]
    """
    try:
        return bool(one.holds(game))
    except DurakError as error:
        raise DurakError(f"so_that={one.said!r} cannot be asked of this game: {error}") from None
