"""Builds the sequence form of a two-player zero-sum game and solves it in floats.

A sequence is a player's own actions up to one of their actions; 0 is the empty one. A realization plan gives each
sequence a weight, linear where probabilities multiply (Romanovsky 1962; von Stengel 1996). All numpy solvers use
it. Information sets are renumbered level by level, so that a whole level is computed at a time. One linear program
solves the game: it has the size of the tree, and its dual is the other player's strategy (Koller, Megiddo and von
Stengel 1994). HiGHS (Huangfu and Hall 2018) from scipy solves it. `double_oracle_solver` is exact and needs no
numpy, but takes minutes where this takes half a second (poker, 3,500 nodes). On Durak trees it takes one to three
times as long. `python -m benchmarks numpy_pairs` measures both.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from scipy.sparse import csr_array, hstack

from durak_widget.gametheory.best_responses import edges, in_floats, require_two_player_zero_sum
from durak_widget.gametheory.infoset_labels import place_quoted
from durak_widget.gametheory.player_labels import player_named
from durak_widget.gametheory.strategy import made
from durak_widget.gametheory.tree import CHANCE, OVER, TreeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

_DENSE = 1 << 16
"""The number of cells up to which a dense matrix is multiplied faster than a sparse one."""
Ints: TypeAlias = "NDArray[np.int64]"
Floats: TypeAlias = "NDArray[np.float64]"


class Level(NamedTuple):
    """The information sets of a player that come after the same number of own actions."""

    moves: slice
    """Their actions, among all actions of the player."""
    begins: Ints
    """For each information set: the index of its first action in the slice."""
    owner: Ints
    """For each action: the index of its information set in this level."""
    before: Ints
    """For each action: the sequence that it continues."""
    groups: Ints
    """The indices of information sets that continue another sequence than the one before them."""
    parents: Ints
    """The sequence that each group continues."""


class Side:
    """The information sets of one player, earlier ones first, with actions and sequences.

    A realization plan has a weight for each sequence, whose index is 1 + its last action. Arrays by action begin with
    action 0.
    """

    __slots__ = ("before", "begins", "levels", "owner", "places", "size", "uniform", "widths")

    def __init__(self, places: Ints, widths: Ints, before: Ints, depths: Ints) -> None:
        self.places, self.widths, self.before = places, widths, before
        """For each information set: its index in the tree, its number of actions, and the sequence that leads to it."""
        self.begins: Ints = np.cumsum(widths) - widths
        """For each information set: its first action."""
        self.owner: Ints = np.repeat(np.arange(len(places)), widths)
        """For each action: its information set."""
        self.size = int(widths.sum()) + 1
        """The number of sequences."""
        self.uniform: Floats = 1.0 / widths[self.owner]
        self.levels: list[Level] = []
        bounds = np.searchsorted(depths, np.arange(int(depths[-1]) + 2 if len(depths) else 1)).tolist()
        for low, high in pairwise(bounds):
            first_actions, action_counts_here, parents = self.begins[low:high], widths[low:high], before[low:high]
            action_slice = slice(int(first_actions[0]), int(first_actions[-1] + action_counts_here[-1]))
            group_starts = np.flatnonzero(np.diff(parents, prepend=-1))
            infoset_of_action = self.owner[action_slice] - low
            self.levels.append(
                Level(
                    action_slice,
                    first_actions - first_actions[0],
                    infoset_of_action,
                    parents[infoset_of_action],
                    group_starts,
                    parents[group_starts],
                )
            )

    def plan(self, likely: Floats) -> Floats:
        """Return the weights of all sequences, given the probabilities of the actions."""
        weights: Floats = np.ones(self.size)
        action_weights = weights[1:]
        for level in self.levels:
            np.multiply(likely[level.moves], weights[level.before], out=action_weights[level.moves])
        return weights

    def likely(self, weights: Floats) -> Floats:
        """Normalize the weights of the actions at each information set.

        Where all weights are 0, the result is uniform.
        """
        if not len(weights):
            return weights
        sums: Floats = np.add.reduceat(weights, self.begins)[self.owner]
        probabilities: Floats = self.uniform.copy()
        np.divide(weights, sums, out=probabilities, where=sums > 0)
        return probabilities

    def best(self, gains: Floats) -> float:
        """Return the best value, given the gain of each sequence; the array is overwritten."""
        action_gains = gains[1:]
        for level in reversed(self.levels):
            best_gains = np.maximum.reduceat(action_gains[level.moves], level.begins)
            gains[level.parents] += np.add.reduceat(best_gains, level.groups)
        return float(gains[0])

    def constraints(self) -> csr_array:
        """Return the matrix whose product with a realization plan is 1, 0, 0 ….

        The empty sequence has weight 1, and actions add up to the sequence that they continue.
        """
        infoset_rows = np.arange(1, len(self.places) + 1)
        rows = np.concatenate(([0], self.owner + 1, infoset_rows))
        columns = np.concatenate((np.arange(self.size), self.before))
        signs = np.concatenate((np.ones(self.size), -np.ones(len(infoset_rows))))
        return csr_array((signs, (rows, columns)), shape=(len(infoset_rows) + 1, self.size))


class SequenceForm:
    """A tree as the sequences of two players, with the payoff of each pair to player 1.

    >>> from durak_widget.gametheory.tree import End, Turn, grow
    >>> tree = grow("", {"": Turn(0, "begins", [("l", "l"), ("r", "r")]), "l": End((1, -1)), "r": End((0, 0))}.__getitem__, seats=2)
    >>> form = SequenceForm(tree)
    >>> form.sides[0].size, form.sides[1].size, form.payoffs.toarray().tolist()
    (3, 1, [[0.0], [1.0], [0.0]])
    """

    __slots__ = ("_across", "cells", "payoffs", "sides", "tree", "worth")

    def __init__(self, tree: Tree) -> None:
        require_two_player_zero_sum(tree, "the sequence form")
        self.tree = tree
        last_actions = [_last_moves(tree, player) for player in (0, 1)]
        numbered_sequences = [_side(tree, player, last_of_player) for player, last_of_player in enumerate(last_actions)]
        self.sides: tuple[Side, Side] = (numbered_sequences[0][0], numbered_sequences[1][0])
        terminals = np.flatnonzero(np.asarray(tree.actor) == OVER)
        rows, columns = (
            number_of_action[last_of_player[terminals]]
            for (_, number_of_action), last_of_player in zip(numbered_sequences, last_actions, strict=True)
        )
        kinds, self.worth = _weighed(tree, terminals)
        """For each kind of terminal history: player 1's exact payoff times the chance probability."""
        has_payoff = np.array([bool(payoff) for payoff in self.worth])[kinds]
        self.cells: tuple[Ints, Ints, Ints] = rows[has_payoff], columns[has_payoff], kinds[has_payoff]
        """For each terminal history with a payoff other than 0: the last sequence of each player, and its kind."""
        floats = np.array(in_floats(self.worth, tree))[self.cells[2]]
        self.payoffs = csr_array((floats, self.cells[:2]), shape=(self.sides[0].size, self.sides[1].size))
        is_dense = self.sides[0].size * self.sides[1].size <= _DENSE
        own_matrix, other_matrix = (
            (self.payoffs.toarray(), -self.payoffs.T.toarray()) if is_dense else (self.payoffs, csr_array(-self.payoffs.T))
        )
        self._across = (own_matrix, np.ascontiguousarray(other_matrix) if is_dense else other_matrix)

    def gains(self, seat: int, plan: Floats) -> Floats:
        """Return the gain of each sequence of a player against the other's realization plan."""
        return self._across[seat] @ plan

    def bounds(self, plans: Sequence[Floats]) -> tuple[float, float]:
        """Return what the two plans guarantee player 1: at least and at most, in floats."""
        return -self.sides[1].best(self.gains(1, plans[0])), self.sides[0].best(self.gains(0, plans[1]))

    def strategy(self, likely: Sequence[Floats]) -> Strategy:
        """Return the strategy with these probabilities of the two players' actions."""
        rows: list[tuple[float, ...]] = [()] * len(self.tree.sets)
        for sequences, own_probabilities in zip(self.sides, likely, strict=True):
            values = own_probabilities.tolist()
            for infoset, first_action, action_count in zip(
                sequences.places.tolist(), sequences.begins.tolist(), sequences.widths.tolist(), strict=True
            ):
                rows[infoset] = tuple(values[first_action : first_action + action_count])
        return made(self.tree.sets, rows)

    def likely(self, strategy: Strategy) -> tuple[Floats, Floats]:
        """Return the probabilities of the two players' actions under a strategy."""
        strategy.require_sets(self.tree.sets)
        values = [
            [float(probability) for infoset in sequences.places.tolist() for probability in strategy.rows[infoset]]
            for sequences in self.sides
        ]
        return np.array(values[0], dtype=np.float64), np.array(values[1], dtype=np.float64)


def _last_moves(tree: Tree, seat: int) -> Ints:
    """Return each history's last own action of a player, as in `edges`; 0 for none."""
    actor, parent, first_child, infoset_of = map(np.asarray, (tree.actor, tree.parent, tree.first, tree.info))
    offsets, last_actions = np.array(edges(tree)), np.zeros(tree.histories, dtype=np.int64)
    for low, high in zip(tree.levels[1:-1], tree.levels[2:], strict=True):
        parents = parent[low:high]
        level_actions, own_indices = last_actions[parents], np.flatnonzero(actor[parents] == seat)
        own_parents = parents[own_indices]
        level_actions[own_indices] = offsets[infoset_of[own_parents]] + 1 + (low + own_indices - first_child[own_parents])
        last_actions[low:high] = level_actions
    return last_actions


def _side(tree: Tree, seat: int, last: Ints) -> tuple[Side, Ints]:
    """Return the sequences of a player, and the new index of each action of the tree."""
    actor, infoset_of, offsets = np.asarray(tree.actor), np.asarray(tree.info), np.array(edges(tree))
    own_nodes = np.flatnonzero(actor == seat)
    parent_actions = np.full(len(tree.sets), -1, dtype=np.int64)
    parent_actions[infoset_of[own_nodes]] = last[own_nodes]
    inconsistent = own_nodes[parent_actions[infoset_of[own_nodes]] != last[own_nodes]]
    if len(inconsistent):
        infoset_name = place_quoted(tree, int(infoset_of[inconsistent[0]]))
        raise TreeError(
            f"{player_named(tree.names, seat)} forgets what they did before {infoset_name}; solvers need a tree with perfect recall"
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
    return Side(joined[0], action_counts[joined[0]], joined[1], joined[2]), new_index


def _weighed(tree: Tree, ends: Ints) -> tuple[Ints, list[Fraction]]:
    """Return the kind of each terminal history, and player 1's weighted payoff by kind.

    A payoff is weighted with the chance probability.
    """
    actor, parent, first_child, infoset_of = map(np.asarray, (tree.actor, tree.parent, tree.first, tree.info))
    probability_index, probabilities = np.zeros(tree.histories, dtype=np.int64), [Fraction(1)]
    max_actions = max((len(chance.moves) for chance in tree.chances), default=1)
    for low, high in zip(tree.levels[1:-1], tree.levels[2:], strict=True):
        parents = parent[low:high]
        level_indices, after_chance = probability_index[parents], np.flatnonzero(actor[parents] == CHANCE)
        if len(after_chance):
            chance_parents = parents[after_chance]
            keys = (probability_index[chance_parents] * len(tree.chances) + infoset_of[chance_parents]) * max_actions + (
                low + after_chance - first_child[chance_parents]
            )
            kinds, inverse = np.unique(keys, return_inverse=True)
            index_of_probability: dict[Fraction, int] = {probability: index for index, probability in enumerate(probabilities)}
            new_indices = []
            for key in kinds.tolist():
                remainder, outcome = divmod(key, max_actions)
                earlier, chance = divmod(remainder, len(tree.chances))
                new_indices.append(
                    index_of_probability.setdefault(
                        probabilities[earlier] * tree.chances[chance].probabilities[outcome], len(index_of_probability)
                    )
                )
            probabilities = list(index_of_probability)
            level_indices[after_chance] = np.array(new_indices)[inverse]
        probability_index[low:high] = level_indices
    kinds, codes = np.unique(probability_index[ends] * len(tree.payoffs) + infoset_of[ends], return_inverse=True)
    return codes, [probabilities[key // len(tree.payoffs)] * tree.payoffs[key % len(tree.payoffs)][0] for key in kinds.tolist()]


class Program(NamedTuple):
    """The linear program of one player.

    The unknowns are their realization plan, and an upper bound on the value of each of the other player's information
    sets.
    """

    aim: Floats
    """The objective to minimize: the other player's value of the game."""
    below: csr_array
    """The inequalities, at most 0: no action of the other player has more than the value of its information set."""
    plan: csr_array
    """The equations of a realization plan, equal to 1, 0, 0 …"""
    size: int
    """The number of unknowns that belong to the plan."""


def program(form: SequenceForm, seat: int) -> Program:
    """Build the linear program that finds a player's best realization plan."""
    own, other = form.sides[seat], form.sides[1 - seat]
    payoffs = form.payoffs if seat == 0 else -form.payoffs.T
    value_constraints = other.constraints()
    inequalities = csr_array(hstack([-payoffs.T, -value_constraints.T]))
    plan_equations = own.constraints()
    plan_equations = csr_array(hstack([plan_equations, csr_array((plan_equations.shape[0], value_constraints.shape[0]))]))
    objective = np.zeros(own.size + value_constraints.shape[0])
    objective[own.size] = 1.0
    return Program(objective, inequalities, plan_equations, own.size)


def linear(form: SequenceForm, algorithm: str = "highs") -> tuple[Floats, Floats]:
    """Return the probabilities of both players' actions at an equilibrium, in floats."""
    from scipy.optimize import linprog  # noqa: PLC0415 - CFR+ needs this module, but no linear program

    linear_program = program(form, 0)
    right_sides = np.zeros(linear_program.plan.shape[0])
    right_sides[0] = 1.0
    bounds = np.full((len(linear_program.aim), 2), (-np.inf, np.inf))
    bounds[: linear_program.size, 0] = 0.0
    result = linprog(
        linear_program.aim,
        linear_program.below,
        np.zeros(linear_program.below.shape[0]),
        linear_program.plan,
        right_sides,
        bounds,
        method=algorithm,
    )
    if result.x is None or result.ineqlin.marginals is None:
        raise TreeError(f"the linear program came to no end: {result.message}; method='cfr+' solves larger trees")
    plans = result.x[: linear_program.size], -result.ineqlin.marginals
    own_probabilities, other_probabilities = (
        sequences.likely(np.maximum(plan[1:], 0.0)) for sequences, plan in zip(form.sides, plans, strict=True)
    )
    return own_probabilities, other_probabilities
