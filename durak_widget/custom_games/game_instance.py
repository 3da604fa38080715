"""Holds one student's instance of a teacher's game, with its solutions, and checks its conditions.

Each solution is computed when it is first needed. Conditions hold for every student's instance and are given
by name or as functions. Examples are the number of equilibria, no ties, or a dominated strategy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import DurakError, nearest, quoted
from durak_widget.gametheory.backward_induction_solver import backward_induction
from durak_widget.gametheory.bimatrix_equilibria import Equilibria, equilibria
from durak_widget.gametheory.game_properties import moves_are_seen, zero_sum
from durak_widget.gametheory.infoset_labels import set_named
from durak_widget.gametheory.outcome_sampling_mccfr import look_at
from durak_widget.gametheory.pure_nash_equilibria import pure_ones
from durak_widget.gametheory.strategic_form import Matrix, Plan, how_many, matrix
from durak_widget.gametheory.tree import OVER, Draw, End, Tree, Turn, forgets, grow

if TYPE_CHECKING:
    from collections.abc import Hashable

MOST_PLANS: Final = 16
"""So many plans may each player have of whom something is asked on a matrix: it is worked out for hundreds of draws."""
MOST_MIXED: Final = 6
"""So many, where all mixed equilibria are looked for."""
_COUNTS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_COUNTED: Final = re.compile(
    rf"(?:exactly |just )?({'|'.join(_COUNTS)}|\d{{1,3}}) (pure )?equilibri(?:um|a)( in pure (?:plans|strategies))?(?: is left| are left)?"
)


class DrawnGame:
    """A game as one student has it.

    >>> from durak_widget.gametheory import textbook
    >>> game = DrawnGame(textbook("entry"), tabled=False, seed=1)
    >>> game.seen, game.zero_sum, len(game.pure), game.mixed is None
    (True, False, 2, False)
    """

    def __init__(self, tree: Tree, *, tabled: bool, seed: int) -> None:
        self.tree = tree
        self.tabled = tabled
        """Whether it was given as a matrix, and is shown as one."""
        self.seed = seed

    def rng(self, question: str) -> Random:
        """What else is drawn for a question, the same whichever others are asked."""
        return Random(f"{self.seed} {question}")

    @cached_property
    def seen(self) -> bool:
        """Whether nothing is hidden: each information set is of one history."""
        return sum(actor >= 0 for actor in self.tree.actor) == len(self.tree.sets)

    @cached_property
    def backward(self) -> bool:
        """Whether backward induction takes it."""
        return forgets(self.tree) is None and moves_are_seen(self.tree)

    @cached_property
    def zero_sum(self) -> bool:
        """Whether two play and what one wins the other loses."""
        return zero_sum(self.tree)

    @cached_property
    def remembers(self) -> bool:
        """Whether nobody forgets."""
        return forgets(self.tree) is None

    @cached_property
    def small(self) -> bool:
        """Whether it has a strategic form that is small enough to be asked about."""
        return self._has(MOST_PLANS)

    @cached_property
    def smaller(self) -> bool:
        """Whether that is so small that all mixed equilibria can be looked for."""
        return self._has(MOST_MIXED)

    def _has(self, plans: int) -> bool:
        return self.tree.seats == 2 and self.remembers and max(how_many(self.tree, seat) for seat in (0, 1)) <= plans

    @cached_property
    def table(self) -> Matrix:
        """The strategic form; of a matrix the matrix itself, with plans as they are called there."""
        if not self.tabled:
            return matrix(self.tree)
        rows, columns = ([Plan(move, move, {place: at}) for at, move in enumerate(one.moves)] for place, one in enumerate(self.tree.sets))
        ends = [[self.tree.payoffs[self.tree.info[end]] for end in self.tree.children(row)] for row in self.tree.children(0)]
        return Matrix(self.tree.names, rows, columns, [[(one, other) for one, other in row] for row in ends])

    @property
    def shown(self) -> Tree | Matrix:
        """What is drawn beside a question."""
        return self.table if self.tabled else self.tree

    @cached_property
    def pure(self) -> tuple[object, ...]:
        """The equilibria in pure plans."""
        if not self.small:
            ones = pure_ones(self.tree)
            if not ones.complete:
                raise DurakError("its equilibria in pure plans are too many to be counted; take a smaller game")
            return ones.found
        rows, columns = range(len(self.table.rows)), range(len(self.table.columns))
        paid = self.table.payoffs
        tops = [max(paid[row][column][0] for row in rows) for column in columns]
        lefts = [max(paid[row][column][1] for column in columns) for row in rows]
        return tuple([(row, column) for row in rows for column in columns if paid[row][column] == (tops[column], lefts[row])])

    @cached_property
    def mixed(self) -> Equilibria | None:
        """All equilibria, or the corners of all; None where they are too many to be looked for."""
        found = equilibria(self.table) if self.smaller else None
        return found if found is not None and found.complete else None

    def __repr__(self) -> str:
        return f"<DrawnGame: {self.table!r}>" if self.tabled else f"<DrawnGame: {self.tree!r}>"


def played_at_once(table: Matrix) -> Tree:
    """A matrix as the tree that it is: one chooses a row, and the other a column without knowing which.

    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> played_at_once(matrix_of([[1, -1], [-1, 1]]))
    <Tree: 7 histories, 4 terminals, 1 + 1 information sets>
    """

    def look(where: tuple[int, ...]) -> Turn | End:
        if len(where) == 2:
            return End(table.payoffs[where[0]][where[1]])
        plans = (table.rows, table.columns)[len(where)]
        return Turn(len(where), len(where), [(plan.words, (*where, place)) for place, plan in enumerate(plans)])

    return grow((), look, seats=2, names=table.names, say=lambda _, __: "")


def in_another_order(tree: Tree, rng: Random) -> Tree:
    """A game with the moves of its players in another order, and the same otherwise.

    >>> from durak_widget.gametheory import textbook
    >>> tree = textbook("entry")
    >>> {in_another_order(tree, Random(seed)).sets[0].moves for seed in range(9)} == {("enter", "stay out"), ("stay out", "enter")}
    True
    """
    order = [rng.sample(range(len(one.moves)), len(one.moves)) for one in tree.sets]
    look = look_at(tree)

    def turned(here: int) -> Turn | Draw | End:
        found = look(here)
        if isinstance(found, Turn):
            return Turn(found.seat, found.knows, [found.moves[place] for place in order[tree.info[here]]])
        return found

    def say(_: int, knows: Hashable) -> str:
        return tree.sets[int(knows)].label  # type: ignore[call-overload] # its number

    return grow(0, turned, seats=tree.seats, title=tree.title, names=tree.names, say=say)


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

    >>> from durak_widget.gametheory import textbook
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
    >>> from durak_widget.gametheory import textbook
    >>> [holds(one, DrawnGame(textbook("entry"), tabled=False, seed=0)) for one in conditions_of(["two pure equilibria", "no ties", "somebody mixes"])]
    [True, True, False]
    """
    try:
        return bool(one.holds(game))
    except DurakError as error:
        raise DurakError(f"so_that={one.said!r} cannot be asked of this game: {error}") from None
