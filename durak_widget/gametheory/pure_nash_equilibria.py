"""Finds all pure-strategy equilibria, for any number of players, exactly.

The player with the most pure strategies is the responder. All combinations of the other players' pure strategies are
tried, and the responder's best responses to each of them are computed. Then every other player is checked for a
profitable deviation. The limit is a number of profiles and not a time, so the result is always the same. Pure
strategies are those of the reduced form, without actions at information sets that they never reach.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from itertools import islice, product
from math import lcm
from operator import and_
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.gametheory.best_responses import action_offsets, find_previous_actions
from durak_widget.gametheory.game_properties import find_player_recalls
from durak_widget.gametheory.mixed_to_behaviour import behaviour_from_mixed
from durak_widget.gametheory.strategic_form import compute_own_paths, follows_path, generate_pure_strategies
from durak_widget.gametheory.tree import TERMINAL, require_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from durak_widget.gametheory.mixed_to_behaviour import BehaviourConversion
    from durak_widget.gametheory.strategic_form import ActionPath
    from durak_widget.gametheory.tree import Tree

    StrategyWithEnds = tuple[dict[int, int], int]
    """A pure strategy, with a bit mask of the groups of terminal histories that it can lead to."""

MAX_PROFILES: Final = 50_000
"""The default limit on the number of strategy profiles that are tried."""


class PureEquilibrium(NamedTuple):
    """A pure-strategy equilibrium."""

    actions: Mapping[int, int]
    """The index of the action at each information set that its player's own strategy can reach."""
    payoffs: tuple[Fraction, ...]
    """The payoff of each player."""

    def to_behaviour(self, tree: Tree) -> BehaviourConversion:
        """Convert the equilibrium to a behaviour strategy of the tree."""
        strategies: list[dict[int, int]] = [{} for _ in range(tree.player_count)]
        for infoset, action in self.actions.items():
            strategies[tree.infosets[infoset].player][infoset] = action
        return behaviour_from_mixed(tree, [[(strategy, Fraction(1))] for strategy in strategies])


class PureEquilibria(NamedTuple):
    """The pure-strategy equilibria that were found in a game."""

    equilibria: tuple[PureEquilibrium, ...]
    complete: bool
    """True if all strategy profiles were tried, so that there are no other pure equilibria."""


def find_pure_equilibria(tree: Tree, limit: int = MAX_PROFILES) -> PureEquilibria:
    """Find all pure-strategy equilibria of a game, within a limit on strategy profiles.

    With imperfect recall, the result has the profiles from which no player gains by another pure strategy.

    >>> from durak_widget import gametheory
    >>> result = find_pure_equilibria(gametheory.textbook("horse"))
    >>> [[str(payoff) for payoff in equilibrium.payoffs] for equilibrium in result.equilibria], result.complete
    ([['3', '2', '2'], ['1', '1', '1']], True)
    """
    require_tree(tree)
    terminal_groups = _TerminalGroups(tree)
    strategy_sets = [_PlayerStrategies(tree, player, terminal_groups, limit) for player in range(tree.player_count)]
    if any(strategy_set.infoset_order is None and len(strategy_set.strategies) > limit for strategy_set in strategy_sets):
        # A best response of a player with imperfect recall is found by trying all strategies, and these are too many
        return PureEquilibria((), complete=False)
    responder = max(strategy_sets, key=lambda strategy_set: len(strategy_set.strategies))
    other_sets = [strategy_set for strategy_set in strategy_sets if strategy_set is not responder]
    equilibria: list[PureEquilibrium] = []
    for profile_count, profile in enumerate(_generate_profiles(other_sets, responder, terminal_groups)):
        if profile_count == limit:
            return PureEquilibria(tuple(equilibria), complete=False)
        masks = [mask for _, mask in profile]
        common_ends = reduce(and_, masks)
        if all(
            terminal_groups.sum_scaled_payoffs(common_ends, strategy_set.player)
            == strategy_set.best_payoff(reduce(and_, masks[:index] + masks[index + 1 :]))
            for index, strategy_set in enumerate(other_sets)
        ):
            actions = {infoset: action for strategy, _ in profile for infoset, action in strategy.items()}
            equilibria.append(PureEquilibrium(dict(sorted(actions.items())), terminal_groups.expected_payoffs(common_ends)))
    return PureEquilibria(tuple(equilibria), complete=all(len(strategy_set.strategies) <= limit for strategy_set in other_sets))


def _generate_profiles(
    other_sets: Sequence[_PlayerStrategies], responder: _PlayerStrategies, ends: _TerminalGroups
) -> Iterator[tuple[StrategyWithEnds, ...]]:
    """Generate the strategy profiles in which `responder` plays a best response to the others."""
    for chosen in product(*(strategy_set.strategies for strategy_set in other_sets)):
        for response in responder.generate_best_responses(reduce(and_, (mask for _, mask in chosen), ends.full_mask)):
            yield *chosen, response


class _TerminalGroups:
    """The terminal histories of a tree, grouped by the players' actions that lead there.

    A set of groups is stored as a bitmask.
    """

    def __init__(self, tree: Tree) -> None:
        self.paths, chance_probabilities = compute_own_paths(tree)
        """For each terminal history: the actions of each player on the path to it."""
        payoffs_by_paths: dict[tuple[ActionPath, ...], list[Fraction]] = {}
        for node, (actor, index) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
            if actor == TERMINAL:
                payoff_sum = payoffs_by_paths.setdefault(self.paths[node], [Fraction(0)] * tree.player_count)
                for player, payoff in enumerate(tree.payoffs[index]):
                    payoff_sum[player] += chance_probabilities[node] * payoff
        self.denominator = lcm(*(payoff.denominator for payoff_sum in payoffs_by_paths.values() for payoff in payoff_sum))
        self.group_paths = list(payoffs_by_paths)
        """For each group of terminal histories: the actions of each player on the path to them."""
        self.scaled_payoffs = [
            [int(payoff * self.denominator) for payoff in payoff_sum] for payoff_sum in zip(*payoffs_by_paths.values(), strict=True)
        ]
        """For each player: the total payoff of each group of terminal histories, weighted by chance and times `denominator`."""
        self.full_mask = (1 << len(self.group_paths)) - 1

    def sum_scaled_payoffs(self, mask: int, player: int) -> int:
        """Add up a player's scaled payoffs over the groups of terminal histories in `mask`."""
        payoffs, total = self.scaled_payoffs[player], 0
        while mask:
            bit = mask & -mask
            total += payoffs[bit.bit_length() - 1]
            mask ^= bit
        return total

    def expected_payoffs(self, mask: int) -> tuple[Fraction, ...]:
        """Return each player's expected payoff from terminal histories in the groups of `mask`."""
        return tuple([Fraction(self.sum_scaled_payoffs(mask, player), self.denominator) for player in range(len(self.scaled_payoffs))])


class _PlayerStrategies:
    """The pure strategies of one player, and this player's best responses."""

    def __init__(self, tree: Tree, player: int, ends: _TerminalGroups, limit: int) -> None:
        self.player, self.ends, self.action_offsets = player, ends, action_offsets(tree)
        has_perfect_recall = find_player_recalls(tree)[player].recall == "perfect"
        self.infoset_order = find_previous_actions(tree, player) if has_perfect_recall else None
        """With perfect recall: the player's information sets in order of play, each with the player's last action before it."""
        self.ends_by_action = [0] * (self.action_offsets[-1] + 1)
        """For each action of the player: the groups of terminal histories in which it is the player's last action."""
        for group, paths in enumerate(ends.group_paths):
            self.ends_by_action[self.action_offsets[paths[player][-1][0]] + 1 + paths[player][-1][1] if paths[player] else 0] |= 1 << group
        self.next_infosets: dict[int, list[int]] = {}
        """For each action of the player: the next information sets of the player."""
        for infoset, last_action in (self.infoset_order or {}).items():
            self.next_infosets.setdefault(last_action, []).append(infoset)
        self.best_payoff_cache: dict[int, int] = {}
        strategies = self._generate_strategies(None) if has_perfect_recall else self._generate_with_imperfect_recall(tree)
        self.strategies = list(islice(strategies, limit + 1))
        """The pure strategies of the player, but at most one more than the limit."""

    def best_payoff(self, mask: int) -> int:
        """Return the player's highest payoff if the others allow only the endings in `mask`.

        `mask` is a set of groups of terminal histories.
        """
        if mask not in self.best_payoff_cache:
            if self.infoset_order is None:
                self.best_payoff_cache[mask] = max(
                    self.ends.sum_scaled_payoffs(mask & strategy_mask, self.player) for _, strategy_mask in self.strategies
                )
            else:
                self.best_payoff_cache[mask] = self._compute_action_gains(mask)[0]
        return self.best_payoff_cache[mask]

    def generate_best_responses(self, mask: int) -> Iterator[StrategyWithEnds]:
        """Generate the player's best responses if the others allow only the endings in `mask`.

        `mask` is a set of groups of terminal histories.
        """
        if self.infoset_order is not None:
            yield from self._generate_strategies(self._compute_action_gains(mask))
        else:
            best_payoff = self.best_payoff(mask)
            yield from (
                strategy for strategy in self.strategies if self.ends.sum_scaled_payoffs(mask & strategy[1], self.player) == best_payoff
            )

    def _compute_action_gains(self, mask: int) -> list[int]:
        """Return the best payoff that the player can get after each of their actions.

        Entry 0 is the best payoff before any action.
        """
        offsets, infoset_order = self.action_offsets, self.infoset_order or {}
        gains = [0] * (offsets[-1] + 1)
        for infoset in infoset_order:
            for action in range(offsets[infoset] + 1, offsets[infoset + 1] + 1):
                gains[action] = self.ends.sum_scaled_payoffs(mask & self.ends_by_action[action], self.player)
        gains[0] = self.ends.sum_scaled_payoffs(mask & self.ends_by_action[0], self.player)
        for infoset, last_action in reversed(infoset_order.items()):
            gains[last_action] += max(gains[offsets[infoset] + 1 : offsets[infoset + 1] + 1])
        return gains

    def _generate_strategies(self, gains: Sequence[int] | None) -> Iterator[StrategyWithEnds]:
        """Generate pure strategies of a player with perfect recall: all, or only best responses."""
        waiting: list[tuple[dict[int, int], int, list[int]]] = [({}, self.ends_by_action[0], self.next_infosets.get(0, []))]
        while waiting:
            strategy, mask, pending = waiting.pop()
            if not pending:
                yield strategy, mask
                continue
            infoset, *rest = pending
            actions = range(self.action_offsets[infoset] + 1, self.action_offsets[infoset + 1] + 1)
            best_gain = max(gains[action] for action in actions) if gains else 0
            for action in reversed(actions):
                if not gains or gains[action] == best_gain:
                    next_pending = rest + self.next_infosets.get(action, [])
                    waiting.append((strategy | {infoset: action - actions.start}, mask | self.ends_by_action[action], next_pending))

    def _generate_with_imperfect_recall(self, tree: Tree) -> Iterator[StrategyWithEnds]:
        """Generate all pure strategies of a player who has imperfect recall."""
        for strategy in generate_pure_strategies(tree, self.player, self.ends.paths):
            yield (
                strategy,
                sum(1 << group for group, paths in enumerate(self.ends.group_paths) if follows_path(strategy, paths[self.player])),
            )
