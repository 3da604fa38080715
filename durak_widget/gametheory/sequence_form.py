"""Builds the sequence form of a two-player zero-sum game, and solves it in floats.

A sequence is the list of a player's own actions up to one of their actions; the empty sequence has index 0. A
realization plan gives each sequence a weight, linear where probabilities multiply (Romanovsky 1962; von Stengel
1996). All numpy solvers use it. Information sets are renumbered level by level, so that a whole level is computed at
a time. One linear program solves the game: it has the size of the tree, and its dual is the other player's strategy
(Koller, Megiddo and von Stengel 1994). HiGHS (Huangfu and Hall 2018) from scipy solves it. The module
`double_oracle_solver` is exact and needs no numpy. But it takes minutes for a poker game of 3,500 nodes, for which a
linear program takes half a second. On Durak trees it takes one to three times as long. `python -m benchmarks
numpy_pairs` measures both.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from scipy.sparse import csr_array, hstack

from durak_widget.gametheory.best_responses import action_offsets, convert_payoffs_to_floats, require_two_player_zero_sum
from durak_widget.gametheory.infoset_labels import quote_infoset
from durak_widget.gametheory.player_labels import format_player_name
from durak_widget.gametheory.strategy import build_unchecked_strategy
from durak_widget.gametheory.tree import CHANCE, TERMINAL, TreeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

_MAX_DENSE_CELLS = 1 << 16
"""The largest number of cells at which multiplying by a dense payoff matrix is faster than by a sparse one."""
Ints: TypeAlias = "NDArray[np.int64]"
Floats: TypeAlias = "NDArray[np.float64]"


class SequenceLevel(NamedTuple):
    """The information sets before which a player has made the same number of decisions."""

    action_slice: slice
    """The slice of the player's list of actions that contains the actions of this level."""
    first_actions: Ints
    """For each information set: the index of its first action in the slice."""
    infoset_of_action: Ints
    """For each action: the index of its information set within the level."""
    parent_sequences: Ints
    """For each action: the index of the sequence that it continues."""
    group_starts: Ints
    """For each group of information sets: the index of the first set in the group.

    The sets in a group are neighbours, and they continue the same sequence.
    """
    group_parents: Ints
    """For each group of information sets: the sequence that the group continues."""


class PlayerSequences:
    """The information sets of one player, in order of play, with their actions and sequences.

    A realization plan has a weight for each sequence; the index of a sequence is 1 + the index of its last action.
    Arrays of actions begin with action 0.
    """

    __slots__ = (
        "action_counts",
        "first_actions",
        "infoset_of_action",
        "levels",
        "parent_sequences",
        "sequence_count",
        "tree_infosets",
        "uniform_probabilities",
    )

    def __init__(self, tree_infosets: Ints, action_counts: Ints, parent_sequences: Ints, depths: Ints) -> None:
        self.tree_infosets, self.action_counts, self.parent_sequences = tree_infosets, action_counts, parent_sequences
        """For each information set: its index in the tree, its number of actions, and the sequence that leads to it."""
        self.first_actions: Ints = np.cumsum(action_counts) - action_counts
        """For each information set: the index of its first action."""
        self.infoset_of_action: Ints = np.repeat(np.arange(len(tree_infosets)), action_counts)
        """For each action: the index of its information set."""
        self.sequence_count = int(action_counts.sum()) + 1
        """The number of sequences of the player, including the empty one."""
        self.uniform_probabilities: Floats = 1.0 / action_counts[self.infoset_of_action]
        self.levels: list[SequenceLevel] = []
        bounds = np.searchsorted(depths, np.arange(int(depths[-1]) + 2 if len(depths) else 1)).tolist()
        for low, high in pairwise(bounds):
            first_actions, action_counts_here, parents = self.first_actions[low:high], action_counts[low:high], parent_sequences[low:high]
            action_slice = slice(int(first_actions[0]), int(first_actions[-1] + action_counts_here[-1]))
            group_starts = np.flatnonzero(np.diff(parents, prepend=-1))
            infoset_of_action = self.infoset_of_action[action_slice] - low
            self.levels.append(
                SequenceLevel(
                    action_slice,
                    first_actions - first_actions[0],
                    infoset_of_action,
                    parents[infoset_of_action],
                    group_starts,
                    parents[group_starts],
                )
            )

    def to_realization_plan(self, probabilities: Floats) -> Floats:
        """Return the realization weights of all sequences, given the action probabilities."""
        weights: Floats = np.ones(self.sequence_count)
        action_weights = weights[1:]
        for level in self.levels:
            np.multiply(probabilities[level.action_slice], weights[level.parent_sequences], out=action_weights[level.action_slice])
        return weights

    def to_probabilities(self, weights: Floats) -> Floats:
        """Scale the weights of actions so that they add up to 1 at each information set.

        At an information set where all weights are 0, the probabilities are uniform.
        """
        if not len(weights):
            return weights
        sums: Floats = np.add.reduceat(weights, self.first_actions)[self.infoset_of_action]
        probabilities: Floats = self.uniform_probabilities.copy()
        np.divide(weights, sums, out=probabilities, where=sums > 0)
        return probabilities

    def best_value(self, gains: Floats) -> float:
        """Return the player's highest payoff, given the payoff of each sequence in `gains`.

        The array of gains is overwritten.
        """
        action_gains = gains[1:]
        for level in reversed(self.levels):
            best_gains = np.maximum.reduceat(action_gains[level.action_slice], level.first_actions)
            gains[level.group_parents] += np.add.reduceat(best_gains, level.group_starts)
        return float(gains[0])

    def build_constraints(self) -> csr_array:
        """Return the matrix whose product with a realization plan must be the vector 1, 0, 0, ….

        In a realization plan, the empty sequence has weight 1, and the actions at an information set add up to the
        weight of the sequence that they continue.
        """
        infoset_rows = np.arange(1, len(self.tree_infosets) + 1)
        rows = np.concatenate(([0], self.infoset_of_action + 1, infoset_rows))
        columns = np.concatenate((np.arange(self.sequence_count), self.parent_sequences))
        signs = np.concatenate((np.ones(self.sequence_count), -np.ones(len(infoset_rows))))
        return csr_array((signs, (rows, columns)), shape=(len(infoset_rows) + 1, self.sequence_count))


class SequenceForm:
    """The sequence form of a two-player zero-sum game tree, with player 1's payoff matrix.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> form = SequenceForm(tree)
    >>> form.sides[0].sequence_count, form.sides[1].sequence_count, form.payoffs.toarray().tolist()
    (3, 1, [[0.0], [1.0], [0.0]])
    """

    __slots__ = ("_payoff_matrices", "exact_payoffs", "payoff_entries", "payoffs", "sides", "tree")

    def __init__(self, tree: Tree) -> None:
        require_two_player_zero_sum(tree, "the sequence form")
        self.tree = tree
        last_actions = [_compute_last_actions(tree, player) for player in (0, 1)]
        numbered_sequences = [_build_player_sequences(tree, player, last_of_player) for player, last_of_player in enumerate(last_actions)]
        self.sides: tuple[PlayerSequences, PlayerSequences] = (numbered_sequences[0][0], numbered_sequences[1][0])
        terminals = np.flatnonzero(np.asarray(tree.actor) == TERMINAL)
        rows, columns = (
            number_of_action[last_of_player[terminals]]
            for (_, number_of_action), last_of_player in zip(numbered_sequences, last_actions, strict=True)
        )
        kinds, self.exact_payoffs = _group_terminal_payoffs(tree, terminals)
        """For each kind of terminal history (with equal payoff and chance probability): player 1's exact payoff times that probability."""
        has_payoff = np.array([bool(payoff) for payoff in self.exact_payoffs])[kinds]
        self.payoff_entries: tuple[Ints, Ints, Ints] = rows[has_payoff], columns[has_payoff], kinds[has_payoff]
        """For each terminal history with a payoff other than 0: the last sequence of each player, and the kind of history."""
        floats = np.array(convert_payoffs_to_floats(self.exact_payoffs, tree))[self.payoff_entries[2]]
        self.payoffs = csr_array((floats, self.payoff_entries[:2]), shape=(self.sides[0].sequence_count, self.sides[1].sequence_count))
        is_dense = self.sides[0].sequence_count * self.sides[1].sequence_count <= _MAX_DENSE_CELLS
        own_matrix, other_matrix = (
            (self.payoffs.toarray(), -self.payoffs.T.toarray()) if is_dense else (self.payoffs, csr_array(-self.payoffs.T))
        )
        self._payoff_matrices = (own_matrix, np.ascontiguousarray(other_matrix) if is_dense else other_matrix)

    def compute_gains(self, player: int, plan: Floats) -> Floats:
        """Return the payoff of each sequence of a player against the opponent's realization plan."""
        return self._payoff_matrices[player] @ plan

    def compute_bounds(self, plans: Sequence[Floats]) -> tuple[float, float]:
        """Return a lower and an upper bound on player 1's payoff that two realization plans prove."""
        return -self.sides[1].best_value(self.compute_gains(1, plans[0])), self.sides[0].best_value(self.compute_gains(0, plans[1]))

    def to_strategy(self, probabilities: Sequence[Floats]) -> Strategy:
        """Return the strategy that has the given action probabilities of both players."""
        rows: list[tuple[float, ...]] = [()] * len(self.tree.infosets)
        for sequences, own_probabilities in zip(self.sides, probabilities, strict=True):
            values = own_probabilities.tolist()
            for infoset, first_action, action_count in zip(
                sequences.tree_infosets.tolist(), sequences.first_actions.tolist(), sequences.action_counts.tolist(), strict=True
            ):
                rows[infoset] = tuple(values[first_action : first_action + action_count])
        return build_unchecked_strategy(self.tree.infosets, rows)

    def to_probabilities(self, strategy: Strategy) -> tuple[Floats, Floats]:
        """Return the probabilities of each player's actions under a strategy, as two arrays."""
        strategy.require_same_infosets(self.tree.infosets)
        values = [
            [float(probability) for infoset in sequences.tree_infosets.tolist() for probability in strategy.rows[infoset]]
            for sequences in self.sides
        ]
        return np.array(values[0], dtype=np.float64), np.array(values[1], dtype=np.float64)


def _compute_last_actions(tree: Tree, player: int) -> Ints:
    """Return, for each history, a player's last action on the path to it (0 if there is none)."""
    actor, parent, first_child, infoset_of = map(np.asarray, (tree.actor, tree.parent, tree.first_child, tree.infoset_of))
    offsets, last_actions = np.array(action_offsets(tree)), np.zeros(tree.history_count, dtype=np.int64)
    for low, high in zip(tree.level_starts[1:-1], tree.level_starts[2:], strict=True):
        parents = parent[low:high]
        level_actions, own_indices = last_actions[parents], np.flatnonzero(actor[parents] == player)
        own_parents = parents[own_indices]
        level_actions[own_indices] = offsets[infoset_of[own_parents]] + 1 + (low + own_indices - first_child[own_parents])
        last_actions[low:high] = level_actions
    return last_actions


def _build_player_sequences(tree: Tree, player: int, last_actions: Ints) -> tuple[PlayerSequences, Ints]:
    """Return a player's sequences, and for each action of the tree the index of a sequence."""
    actor, infoset_of, offsets = np.asarray(tree.actor), np.asarray(tree.infoset_of), np.array(action_offsets(tree))
    own_nodes = np.flatnonzero(actor == player)
    parent_actions = np.full(len(tree.infosets), -1, dtype=np.int64)
    parent_actions[infoset_of[own_nodes]] = last_actions[own_nodes]
    inconsistent = own_nodes[parent_actions[infoset_of[own_nodes]] != last_actions[own_nodes]]
    if len(inconsistent):
        infoset_name = quote_infoset(tree, int(infoset_of[inconsistent[0]]))
        raise TreeError(
            f"{format_player_name(tree.names, player)} forgets what they did before {infoset_name}. Solvers need a tree with perfect recall"
        )
    action_counts, new_index = np.diff(offsets), np.zeros(int(offsets[-1]) + 1, dtype=np.int64)
    waiting, next_index = np.flatnonzero(parent_actions >= 0), 1
    levels: list[Ints] = []
    depths: list[Ints] = []
    parents: list[Ints] = []
    is_reached = np.zeros(len(new_index), dtype=bool)
    is_reached[0] = True
    while len(waiting):
        is_ready = is_reached[parent_actions[waiting]]
        level, waiting = waiting[is_ready], waiting[~is_ready]
        level = level[np.argsort(new_index[parent_actions[level]], kind="stable")]
        actions = np.concatenate([np.arange(offsets[infoset], offsets[infoset + 1]) for infoset in level.tolist()]) + 1
        parents.append(new_index[parent_actions[level]])
        new_index[actions] = np.arange(next_index, next_index + len(actions))
        next_index += len(actions)
        is_reached[actions] = True
        depths.append(np.full(len(level), len(levels)))
        levels.append(level)
    joined = [np.concatenate([np.zeros(0, dtype=np.int64), *parts]) for parts in (levels, parents, depths)]
    return PlayerSequences(joined[0], action_counts[joined[0]], joined[1], joined[2]), new_index


def _group_terminal_payoffs(tree: Tree, terminals: Ints) -> tuple[Ints, list[Fraction]]:
    """Group terminal histories by payoff and chance probability.

    Return the group of each terminal history, and player 1's weighted payoff in each group.

    A payoff is weighted with the chance probability.
    """
    actor, parent, first_child, infoset_of = map(np.asarray, (tree.actor, tree.parent, tree.first_child, tree.infoset_of))
    probability_index, probabilities = np.zeros(tree.history_count, dtype=np.int64), [Fraction(1)]
    max_actions = max((len(chance.actions) for chance in tree.chance_moves), default=1)
    for low, high in zip(tree.level_starts[1:-1], tree.level_starts[2:], strict=True):
        parents = parent[low:high]
        level_indices, after_chance = probability_index[parents], np.flatnonzero(actor[parents] == CHANCE)
        if len(after_chance):
            chance_parents = parents[after_chance]
            keys = (probability_index[chance_parents] * len(tree.chance_moves) + infoset_of[chance_parents]) * max_actions + (
                low + after_chance - first_child[chance_parents]
            )
            kinds, inverse = np.unique(keys, return_inverse=True)
            index_of_probability: dict[Fraction, int] = {probability: index for index, probability in enumerate(probabilities)}
            new_indices = []
            for key in kinds.tolist():
                remainder, outcome = divmod(key, max_actions)
                earlier, chance = divmod(remainder, len(tree.chance_moves))
                new_indices.append(
                    index_of_probability.setdefault(
                        probabilities[earlier] * tree.chance_moves[chance].probabilities[outcome], len(index_of_probability)
                    )
                )
            probabilities = list(index_of_probability)
            level_indices[after_chance] = np.array(new_indices)[inverse]
        probability_index[low:high] = level_indices
    kinds, codes = np.unique(probability_index[terminals] * len(tree.payoffs) + infoset_of[terminals], return_inverse=True)
    return codes, [probabilities[key // len(tree.payoffs)] * tree.payoffs[key % len(tree.payoffs)][0] for key in kinds.tolist()]


class LinearProgram(NamedTuple):
    """The linear program that finds one player's optimal realization plan.

    The unknowns are their realization plan, and an upper bound on the value of each of the other player's information
    sets.
    """

    objective: Floats
    """The coefficients of the objective, which is to be minimized: the opponent's value of the game."""
    inequalities: csr_array
    """The left-hand sides of the inequalities, which say that no action of the opponent pays more than the value of
    its information set; the right-hand sides are 0.
    """
    plan_equations: csr_array
    """The left-hand sides of the equations for realization plans; the right-hand sides are 1, 0, 0 and so on."""
    plan_size: int
    """The number of unknowns that are weights of the realization plan."""


def build_linear_program(form: SequenceForm, player: int) -> LinearProgram:
    """Build the linear program that finds a player's optimal realization plan."""
    own, other = form.sides[player], form.sides[1 - player]
    payoffs = form.payoffs if player == 0 else -form.payoffs.T
    value_constraints = other.build_constraints()
    inequalities = csr_array(hstack([-payoffs.T, -value_constraints.T]))
    plan_equations = own.build_constraints()
    plan_equations = csr_array(hstack([plan_equations, csr_array((plan_equations.shape[0], value_constraints.shape[0]))]))
    objective = np.zeros(own.sequence_count + value_constraints.shape[0])
    objective[own.sequence_count] = 1.0
    return LinearProgram(objective, inequalities, plan_equations, own.sequence_count)


def solve_linear_program(form: SequenceForm, algorithm: str = "highs") -> tuple[Floats, Floats]:
    """Return the probabilities of both players' actions at an equilibrium, as floats."""
    from scipy.optimize import linprog  # noqa: PLC0415 - CFR+ needs this module, but no linear program

    linear_program = build_linear_program(form, 0)
    right_sides = np.zeros(linear_program.plan_equations.shape[0])
    right_sides[0] = 1.0
    bounds = np.full((len(linear_program.objective), 2), (-np.inf, np.inf))
    bounds[: linear_program.plan_size, 0] = 0.0
    result = linprog(
        linear_program.objective,
        linear_program.inequalities,
        np.zeros(linear_program.inequalities.shape[0]),
        linear_program.plan_equations,
        right_sides,
        bounds,
        method=algorithm,
    )
    if result.x is None or result.ineqlin.marginals is None:
        raise TreeError(f"the linear program was not solved: {result.message}; use method='cfr+' for larger trees")
    plans = result.x[: linear_program.plan_size], -result.ineqlin.marginals
    own_probabilities, other_probabilities = (
        sequences.to_probabilities(np.maximum(plan[1:], 0.0)) for sequences, plan in zip(form.sides, plans, strict=True)
    )
    return own_probabilities, other_probabilities
