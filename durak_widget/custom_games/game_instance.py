"""One student's instance of a teacher's game, with its solutions and its conditions.

Each solution is computed when it is first needed. Conditions hold for every student's instance and are given by name
or as functions. Examples are the number of equilibria, no ties, or a dominated strategy.
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
"""The most strategies of a player for a question on a matrix, which is solved for hundreds of draws."""
MOST_MIXED: Final = 6
"""The most strategies of a player for a question that needs all mixed equilibria."""
_COUNTS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_COUNTED: Final = re.compile(
    rf"(?:exactly |just )?({'|'.join(_COUNTS)}|\d{{1,3}}) (pure )?equilibri(?:um|a)( in pure (?:plans|strategies))?(?: is left| are left)?"
)


class DrawnGame:
    """One student's instance of a game, with its solutions.

    >>> from durak_widget.gametheory import textbook
    >>> game = DrawnGame(textbook("entry"), tabled=False, seed=1)
    >>> game.seen, game.zero_sum, len(game.pure), game.mixed is None
    (True, False, 2, False)
    """

    def __init__(self, tree: Tree, *, tabled: bool, seed: int) -> None:
        self.tree = tree
        self.tabled = tabled
        """Whether the game was given as a matrix, and is shown as one."""
        self.seed = seed

    def rng(self, question: str) -> Random:
        """Return a random generator for a question, the same whichever others are asked."""
        return Random(f"{self.seed} {question}")

    @cached_property
    def seen(self) -> bool:
        """Return whether each information set has only one node."""
        return sum(actor >= 0 for actor in self.tree.actor) == len(self.tree.sets)

    @cached_property
    def backward(self) -> bool:
        """Return whether backward induction solves the game."""
        return forgets(self.tree) is None and moves_are_seen(self.tree)

    @cached_property
    def zero_sum(self) -> bool:
        """Return whether it is a two-player zero-sum game."""
        return zero_sum(self.tree)

    @cached_property
    def remembers(self) -> bool:
        """Return whether all players have perfect recall."""
        return forgets(self.tree) is None

    @cached_property
    def small(self) -> bool:
        """Return whether its strategic form is small enough to be asked about."""
        return self._has(MOST_PLANS)

    @cached_property
    def smaller(self) -> bool:
        """Return whether its strategic form is small enough to find all mixed equilibria."""
        return self._has(MOST_MIXED)

    def _has(self, plans: int) -> bool:
        return self.tree.seats == 2 and self.remembers and max(how_many(self.tree, player) for player in (0, 1)) <= plans

    @cached_property
    def table(self) -> Matrix:
        """Return the strategic form; for a game given as a matrix, that matrix."""
        if not self.tabled:
            return matrix(self.tree)
        rows, columns = (
            [Plan(action, action, {infoset: index}) for index, action in enumerate(record.moves)]
            for infoset, record in enumerate(self.tree.sets)
        )
        payoff_rows = [
            [self.tree.payoffs[self.tree.info[terminal]] for terminal in self.tree.children(row_node)] for row_node in self.tree.children(0)
        ]
        return Matrix(
            self.tree.names, rows, columns, [[(row_payoffs, column_payoffs) for row_payoffs, column_payoffs in row] for row in payoff_rows]
        )

    @property
    def shown(self) -> Tree | Matrix:
        """Return what is drawn beside a question."""
        return self.table if self.tabled else self.tree

    @cached_property
    def pure(self) -> tuple[object, ...]:
        """Return the equilibria in pure strategies."""
        if not self.small:
            search = pure_ones(self.tree)
            if not search.complete:
                raise DurakError("its equilibria in pure plans are too many to be counted; take a smaller game")
            return search.found
        rows, columns = range(len(self.table.rows)), range(len(self.table.columns))
        payoffs = self.table.payoffs
        best_row_payoffs = [max(payoffs[row][column][0] for row in rows) for column in columns]
        best_column_payoffs = [max(payoffs[row][column][1] for column in columns) for row in rows]
        return tuple(
            [
                (row, column)
                for row in rows
                for column in columns
                if payoffs[row][column] == (best_row_payoffs[column], best_column_payoffs[row])
            ]
        )

    @cached_property
    def mixed(self) -> Equilibria | None:
        """Return all equilibria, or their extreme points; None if they are too many."""
        result = equilibria(self.table) if self.smaller else None
        return result if result is not None and result.complete else None

    def __repr__(self) -> str:
        return f"<DrawnGame: {self.table!r}>" if self.tabled else f"<DrawnGame: {self.tree!r}>"


def played_at_once(table: Matrix) -> Tree:
    """Return the tree of a matrix: the column player does not see the row that was chosen.

    >>> from durak_widget.gametheory.strategic_form import matrix_of
    >>> played_at_once(matrix_of([[1, -1], [-1, 1]]))
    <Tree: 7 histories, 4 terminals, 1 + 1 information sets>
    """

    def expand(chosen: tuple[int, ...]) -> Turn | End:
        if len(chosen) == 2:
            return End(table.payoffs[chosen[0]][chosen[1]])
        strategies = (table.rows, table.columns)[len(chosen)]
        return Turn(len(chosen), len(chosen), [(strategy.words, (*chosen, index)) for index, strategy in enumerate(strategies)])

    return grow((), expand, seats=2, names=table.names, say=lambda _, __: "")


def in_another_order(tree: Tree, rng: Random) -> Tree:
    """Return the game with the actions of its players in another order.

    >>> from durak_widget.gametheory import textbook
    >>> tree = textbook("entry")
    >>> {in_another_order(tree, Random(seed)).sets[0].moves for seed in range(9)} == {("enter", "stay out"), ("stay out", "enter")}
    True
    """
    orders = [rng.sample(range(len(record.moves)), len(record.moves)) for record in tree.sets]
    expand = look_at(tree)

    def expand_shuffled(node: int) -> Turn | Draw | End:
        record = expand(node)
        if isinstance(record, Turn):
            return Turn(record.seat, record.knows, [record.moves[index] for index in orders[tree.info[node]]])
        return record

    def label_infoset(_: int, infoset: Hashable) -> str:
        return tree.sets[int(infoset)].label  # type: ignore[call-overload] # the number of the information set

    return grow(0, expand_shuffled, seats=tree.seats, title=tree.title, names=tree.names, say=label_infoset)


class Condition(NamedTuple):
    """A condition that each instance must meet."""

    said: str
    holds: Callable[[DrawnGame], bool]


def _no_ties(game: DrawnGame) -> bool:
    if not game.backward:
        hidden = hidden_at(game.tree)
        raise DurakError(
            f"it needs a game in which all moves are seen, and {hidden} does not know what the others did; "
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
    for actor, infoset in zip(tree.actor, tree.info, strict=True):
        if actor >= 0:
            if infoset in seen:
                return set_named(tree, infoset)
            seen.add(infoset)
    raise DurakError("nothing is hidden in this game")


def _different(game: DrawnGame) -> bool:
    payoffs = [game.tree.payoffs[index] for actor, index in zip(game.tree.actor, game.tree.info, strict=True) if actor == OVER]
    return all(len(set(player_payoffs)) == len(player_payoffs) for player_payoffs in zip(*payoffs, strict=True))


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
"""The conditions by name."""


def conditions_of(so_that: object) -> tuple[Condition, ...]:
    """Return conditions from names or functions of a game instance.

    >>> [condition.said for condition in conditions_of(["exactly one equilibrium in pure strategies is left", "no ties"])]
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
    count = _COUNTS.index(counted[1]) if counted[1] in _COUNTS else int(counted[1])
    pure_only = bool(counted[2] or counted[3])
    return Condition(name, _Counted(count, pure=pure_only))


class _Counted:
    """A condition on the number of equilibria, pure or all."""

    def __init__(self, many: int, *, pure: bool) -> None:
        self._many, self._pure = many, pure

    def __call__(self, game: DrawnGame) -> bool:
        if self._pure:
            return len(game.pure) == self._many
        if not game.smaller:
            raise DurakError(f"mixed equilibria are counted where two play and each has {MOST_MIXED} plans at most")
        mixed_equilibria = game.mixed
        return mixed_equilibria is not None and not mixed_equilibria.infinite and len(mixed_equilibria) == self._many


def holds(one: Condition, game: DrawnGame) -> bool:
    """Return whether a game meets a condition; refuse a condition that does not fit it.

    >>> from durak_widget.custom_games.game_instance import DrawnGame
    >>> from durak_widget.gametheory import textbook
    >>> [holds(condition, DrawnGame(textbook("entry"), tabled=False, seed=0)) for condition in conditions_of(["two pure equilibria", "no ties", "somebody mixes"])]
    [True, True, False]
    """
    try:
        return bool(one.holds(game))
    except DurakError as error:
        raise DurakError(f"so_that={one.said!r} cannot be asked of this game: {error}") from None
