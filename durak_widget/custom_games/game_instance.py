"""Computes the solutions of a student's random game, and checks conditions on the game.

Each solution is computed when it is first needed. Conditions hold for every student's instance and are given by name
or as functions. Examples are the number of equilibria, no ties, or a dominated strategy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.errors import DurakError, short_repr, suggest_nearest
from durak_widget.gametheory.backward_induction_solver import backward_induction
from durak_widget.gametheory.bimatrix_equilibria import Equilibria, equilibria
from durak_widget.gametheory.game_properties import has_observed_actions, is_zero_sum
from durak_widget.gametheory.infoset_labels import format_infoset
from durak_widget.gametheory.outcome_sampling_mccfr import make_expand_function
from durak_widget.gametheory.pure_nash_equilibria import find_pure_equilibria
from durak_widget.gametheory.strategic_form import Matrix, PureStrategy, count_pure_strategies, matrix
from durak_widget.gametheory.tree import TERMINAL, ChanceNode, DecisionNode, TerminalNode, Tree, build_tree, describe_imperfect_recall

if TYPE_CHECKING:
    from collections.abc import Hashable

MAX_STRATEGIES: Final = 16
"""The maximum number of each player's pure strategies in matrix questions, so that hundreds of random matrices are
solved quickly."""
MAX_STRATEGIES_FOR_MIXED: Final = 6
"""The maximum number of each player's pure strategies in questions for which all mixed equilibria must be known."""
_NUMBER_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_EQUILIBRIUM_COUNT_PATTERN: Final = re.compile(
    rf"(?:exactly |just )?({'|'.join(_NUMBER_WORDS)}|\d{{1,3}}) (pure )?equilibri(?:um|a)( in pure (?:plans|strategies))?(?: is left| are left)?"
)


class GameInstance:
    """The random game of one student, with its solutions.

    >>> from durak_widget.gametheory import textbook
    >>> game = GameInstance(textbook("entry"), is_matrix=False, seed=1)
    >>> game.has_perfect_information, game.is_zero_sum, len(game.pure_equilibria), game.mixed_equilibria is None
    (True, False, 2, False)
    """

    def __init__(self, tree: Tree, *, is_matrix: bool, seed: int) -> None:
        self.tree = tree
        self.is_matrix = is_matrix
        """True if the game was given as a matrix and is shown as a matrix."""
        self.seed = seed

    def rng(self, question: str) -> Random:
        """Return a random generator for one question; other questions don't influence it."""
        return Random(f"{self.seed} {question}")

    @cached_property
    def has_perfect_information(self) -> bool:
        """Return whether the game has perfect information: each information set is one node."""
        return sum(actor >= 0 for actor in self.tree.actor) == len(self.tree.infosets)

    @cached_property
    def allows_backward_induction(self) -> bool:
        """Return whether backward induction solves the game."""
        return describe_imperfect_recall(self.tree) is None and has_observed_actions(self.tree)

    @cached_property
    def is_zero_sum(self) -> bool:
        """Return whether the game is a two-player zero-sum game."""
        return is_zero_sum(self.tree)

    @cached_property
    def has_perfect_recall(self) -> bool:
        """Return whether all players have perfect recall."""
        return describe_imperfect_recall(self.tree) is None

    @cached_property
    def is_small_enough(self) -> bool:
        """Return whether both players have few enough pure strategies for a matrix question."""
        return self._has_at_most(MAX_STRATEGIES)

    @cached_property
    def is_small_enough_for_mixed(self) -> bool:
        """Return whether both players have few enough pure strategies to find all equilibria."""
        return self._has_at_most(MAX_STRATEGIES_FOR_MIXED)

    def _has_at_most(self, max_strategies: int) -> bool:
        """Return whether two players have at most `max_strategies` pure strategies each."""
        return (
            self.tree.player_count == 2
            and self.has_perfect_recall
            and max(count_pure_strategies(self.tree, player) for player in (0, 1)) <= max_strategies
        )

    @cached_property
    def matrix(self) -> Matrix:
        """Return the game as a matrix; for a tree, this is its strategic form."""
        if not self.is_matrix:
            return matrix(self.tree)
        rows, columns = (
            [PureStrategy(action, action, {infoset: index}) for index, action in enumerate(record.actions)]
            for infoset, record in enumerate(self.tree.infosets)
        )
        payoff_rows = [
            [self.tree.payoffs[self.tree.infoset_of[terminal]] for terminal in self.tree.children(row_node)]
            for row_node in self.tree.children(0)
        ]
        return Matrix(
            self.tree.names, rows, columns, [[(row_payoffs, column_payoffs) for row_payoffs, column_payoffs in row] for row in payoff_rows]
        )

    @property
    def displayed_game(self) -> Tree | Matrix:
        """Return the tree or matrix that students see beside a question."""
        return self.matrix if self.is_matrix else self.tree

    @cached_property
    def pure_equilibria(self) -> tuple[object, ...]:
        """Return all equilibria of the game in pure strategies."""
        if not self.is_small_enough:
            search = find_pure_equilibria(self.tree)
            if not search.complete:
                raise DurakError("the game has too many equilibria in pure strategies to count; take a smaller game")
            return search.equilibria
        rows, columns = range(len(self.matrix.rows)), range(len(self.matrix.columns))
        payoffs = self.matrix.payoffs
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
    def mixed_equilibria(self) -> Equilibria | None:
        """Return all mixed equilibria, or the extreme ones if there are infinitely many.

        Return None if they can't be computed.
        """
        result = equilibria(self.matrix) if self.is_small_enough_for_mixed else None
        return result if result is not None and result.complete else None

    def __repr__(self) -> str:
        return f"<GameInstance: {self.matrix!r}>" if self.is_matrix else f"<GameInstance: {self.tree!r}>"


def tree_from_matrix(payoff_matrix: Matrix) -> Tree:
    """Convert a matrix to a tree, in which the second player does not see the first move.

    >>> from durak_widget.gametheory.strategic_form import matrix_from_payoffs
    >>> tree_from_matrix(matrix_from_payoffs([[1, -1], [-1, 1]]))
    <Tree: 7 histories, 4 terminals, 1 + 1 information sets>
    """

    def expand(chosen: tuple[int, ...]) -> DecisionNode | TerminalNode:
        """Return the node of the tree that follows the strategies in `chosen`."""
        if len(chosen) == 2:
            return TerminalNode(payoff_matrix.payoffs[chosen[0]][chosen[1]])
        strategies = (payoff_matrix.rows, payoff_matrix.columns)[len(chosen)]
        return DecisionNode(
            len(chosen), len(chosen), [(strategy.short_label, (*chosen, index)) for index, strategy in enumerate(strategies)]
        )

    return build_tree((), expand, player_count=2, names=payoff_matrix.names, label_infoset=lambda _, __: "")


def shuffle_actions(tree: Tree, rng: Random) -> Tree:
    """Return a copy of the game in which each player's actions are in random order.

    >>> from durak_widget.gametheory import textbook
    >>> tree = textbook("entry")
    >>> {shuffle_actions(tree, Random(seed)).infosets[0].actions for seed in range(9)} == {("enter", "stay out"), ("stay out", "enter")}
    True
    """
    orders = [rng.sample(range(len(record.actions)), len(record.actions)) for record in tree.infosets]
    expand = make_expand_function(tree)

    def expand_shuffled(node: int) -> DecisionNode | ChanceNode | TerminalNode:
        """Return a node of the tree with its actions in random order."""
        record = expand(node)
        if isinstance(record, DecisionNode):
            return DecisionNode(record.player, record.knowledge, [record.actions[index] for index in orders[tree.infoset_of[node]]])
        return record

    def label_infoset(_: int, infoset: Hashable) -> str:
        return tree.infosets[int(infoset)].label  # type: ignore[call-overload] # the number of the information set

    return build_tree(0, expand_shuffled, player_count=tree.player_count, title=tree.title, names=tree.names, label_infoset=label_infoset)


class Condition(NamedTuple):
    """A condition that a random game must meet before a student gets it."""

    description: str
    is_met: Callable[[GameInstance], bool]


def _has_no_ties(game: GameInstance) -> bool:
    if not game.allows_backward_induction:
        hidden = find_hidden_infoset(game.tree)
        raise DurakError(
            f"it needs a game in which every player sees all moves, and {hidden} does not know what the others did; use 'different payoffs' or 'one pure equilibrium', or give a function of the game"
        )
    return not backward_induction(game.tree).ties


def find_hidden_infoset(tree: Tree) -> str:
    """Return the label of the first information set with more than one node.

    >>> from durak_widget.gametheory import textbook
    >>> find_hidden_infoset(textbook("horse"))
    'Three (One or Two went down)'
    """
    seen_infosets: set[int] = set()
    for actor, infoset in zip(tree.actor, tree.infoset_of, strict=True):
        if actor >= 0:
            if infoset in seen_infosets:
                return format_infoset(tree, infoset)
            seen_infosets.add(infoset)
    raise DurakError("this game has perfect information")


def _has_different_payoffs(game: GameInstance) -> bool:
    payoffs = [game.tree.payoffs[index] for actor, index in zip(game.tree.actor, game.tree.infoset_of, strict=True) if actor == TERMINAL]
    return all(len(set(player_payoffs)) == len(player_payoffs) for player_payoffs in zip(*payoffs, strict=True))


def _has_dominated_strategy(game: GameInstance) -> bool:
    return bool(_require_matrix(game).dominated_strategies(weak=False))


def _has_no_dominated_strategy(game: GameInstance) -> bool:
    return not _require_matrix(game).dominated_strategies(weak=True)


def _require_matrix(game: GameInstance) -> Matrix:
    if not game.is_small_enough:
        raise DurakError(
            f"it needs a matrix, or a two-player tree with perfect recall in which each player has at most {MAX_STRATEGIES} pure strategies"
        )
    return game.matrix


def _has_no_pure_equilibrium(game: GameInstance) -> bool:
    return not game.pure_equilibria


CONDITIONS_BY_NAME: Final[dict[str, Callable[[GameInstance], bool]]] = {
    "no ties": _has_no_ties,
    "different payoffs": _has_different_payoffs,
    "a dominated plan": _has_dominated_strategy,
    "no dominated plan": _has_no_dominated_strategy,
    "somebody mixes": _has_no_pure_equilibrium,
}
"""The conditions on random games that a teacher can ask for, by name."""


def parse_conditions(conditions: object) -> tuple[Condition, ...]:
    """Parse a list of conditions; each is a name, or a function of a `GameInstance`.

    >>> [condition.description for condition in parse_conditions(["exactly one equilibrium in pure strategies is left", "no ties"])]
    ['exactly one equilibrium in pure strategies is left', 'no ties']
    >>> parse_conditions("one saddle")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: there is no condition 'one saddle'; there are 'one pure equilibrium', 'two equilibria' and other numbers of them, 'no ties', 'different payoffs', 'a dominated plan', 'no dominated plan', 'somebody mixes', or a function that returns whether a game is suitable
    """
    if isinstance(conditions, (str, Condition)) or callable(conditions):
        conditions = [conditions] if conditions else []
    if not isinstance(conditions, Iterable):
        raise DurakError(f"so_that must be the name of a condition, or a list of names, not {short_repr(conditions)}")
    return tuple(map(_parse_condition, conditions))


def _parse_condition(value: object) -> Condition:
    if isinstance(value, Condition):
        return value
    if callable(value):
        return Condition(getattr(value, "__name__", "your own condition").replace("_", " "), value)
    name = " ".join(value.casefold().split()) if isinstance(value, str) else ""
    if name in CONDITIONS_BY_NAME:
        return Condition(name, CONDITIONS_BY_NAME[name])
    counted = _EQUILIBRIUM_COUNT_PATTERN.fullmatch(name)
    if counted is None:
        listed = ", ".join(map(repr, CONDITIONS_BY_NAME))
        raise DurakError(
            f"there is no condition {short_repr(value)}; there are 'one pure equilibrium', 'two equilibria' and other numbers of them, {listed}, or a function that returns whether a game is suitable{suggest_nearest(name, CONDITIONS_BY_NAME)}"
        )
    count = _NUMBER_WORDS.index(counted[1]) if counted[1] in _NUMBER_WORDS else int(counted[1])
    pure_only = bool(counted[2] or counted[3])
    return Condition(name, _EquilibriumCountCondition(count, pure_only=pure_only))


class _EquilibriumCountCondition:
    """A condition on the number of a game's equilibria, or of its pure equilibria only."""

    def __init__(self, count: int, *, pure_only: bool) -> None:
        self._count, self._pure_only = count, pure_only

    def __call__(self, game: GameInstance) -> bool:
        if self._pure_only:
            return len(game.pure_equilibria) == self._count
        if not game.is_small_enough_for_mixed:
            raise DurakError(f"counting mixed equilibria needs two players with at most {MAX_STRATEGIES_FOR_MIXED} pure strategies each")
        mixed_equilibria = game.mixed_equilibria
        return mixed_equilibria is not None and not mixed_equilibria.is_infinite and len(mixed_equilibria) == self._count


def is_condition_met(condition: Condition, game: GameInstance) -> bool:
    """Return whether a game meets a condition; raise an error if that can't be determined.

    >>> from durak_widget.custom_games.game_instance import GameInstance
    >>> from durak_widget.gametheory import textbook
    >>> [is_condition_met(condition, GameInstance(textbook("entry"), is_matrix=False, seed=0)) for condition in parse_conditions(["two pure equilibria", "no ties", "somebody mixes"])]
    [True, True, False]
    """
    try:
        return bool(condition.is_met(game))
    except DurakError as error:
        raise DurakError(f"so_that={condition.description!r} cannot be checked for this game: {error}") from None
