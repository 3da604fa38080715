"""Computation of how much less a strategy earns than the best possible strategy.

The loss is computed for one player against a best response or against known strategies, or for all players together.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from durak_widget.analysis.deal_enumeration import TreeOrigin
from durak_widget.analysis.game_at_node import restore_game
from durak_widget.analysis.strategy_evaluation import evaluate_player
from durak_widget.errors import DurakError
from durak_widget.gametheory import solver_selection
from durak_widget.gametheory.backward_induction_solver import backward_induction
from durak_widget.gametheory.best_responses import Guarantee, best_response, infoset_values, reach_probabilities, value
from durak_widget.gametheory.game_properties import has_observed_actions, is_zero_sum
from durak_widget.gametheory.strategy import Strategy, pure_row
from durak_widget.gametheory.tree import CHANCE, TERMINAL, TreeError
from durak_widget.gametheory.zero_sum_solver import solve
from durak_widget.optional_dependencies import MissingPackageError

if TYPE_CHECKING:
    from durak_widget.engine.game import Game
    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import Tree
    from durak_widget.gametheory.zero_sum_solver import Solution


class StrategyLoss(NamedTuple):
    """The payoff that a strategy loses, with a sequence of moves that shows the loss."""

    guarantee: Guarantee
    """The payoff that the strategy guarantees, and the most that any strategy guarantees."""
    profile: Strategy
    """The strategies of all players in the moves that show the loss.

    They contain a best response to the strategy, or the better deviation.
    """
    infoset: int = -1
    """The information set where the strategy loses most; -1 if no single information set causes the loss."""
    better_action: int = -1
    """The index of the better action at the information set where the strategy loses most."""
    terminal: int = -1
    """The terminal node at the end of the moves that cost the strategy most."""

    @property
    def amount(self) -> Number:
        """Return how much payoff the strategy loses; 0 if the best possible value is unknown."""
        return self.guarantee.loss or 0


def find_mistake_node(tree: Tree, loss: StrategyLoss) -> int:
    """Return the node at which a strategy loses most payoff.

    If no single node causes the loss, return the terminal node.
    """
    node = loss.terminal
    while node >= 0 and (tree.actor[node] < 0 or tree.infoset_of[node] != loss.infoset):
        node = tree.parent[node]
    return node if node >= 0 else loss.terminal


def find_node_after_loss(tree: Tree, loss: StrategyLoss, *, after_response: bool) -> int:
    """Return the node after the move that causes the loss.

    With `after_response`, this move is the first move of another player after the mistake, or else the last one before it. Otherwise it
    is the mistake itself.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> def look(where):
    ...     return TerminalNode((1, -1) if where[0] == where[1] else (-1, 1)) if len(where) == 2 else DecisionNode(len(where), "", [(one, where + one) for one in "ht"])
    >>> tree = build_tree("", look, player_count=2)
    >>> found = StrategyEvaluator(tree, 0, None).find_loss(Strategy.from_mapping(tree, {0: "h"}))
    >>> [tree.actions_from_root(one) for one in (find_mistake_node(tree, found), find_node_after_loss(tree, found, after_response=True), find_node_after_loss(tree, found, after_response=False))]
    [(), ('h', 't'), ('h',)]
    """
    path = [loss.terminal]
    while tree.parent[path[-1]] >= 0:
        path.append(tree.parent[path[-1]])
    path.reverse()
    mistake_index = min(path.index(find_mistake_node(tree, loss)), len(path) - 2)
    opponent_indices = (
        [i for i, node in enumerate(path[:-1]) if tree.actor[node] not in (loss.guarantee.player, CHANCE)] if after_response else []
    )
    move_index = next((i for i in opponent_indices if i >= mistake_index), opponent_indices[-1] if opponent_indices else mistake_index)
    return path[move_index + 1]


class StrategyEvaluator:
    """A class that computes how much payoff a strategy loses, compared with the best strategy.

    The strategy belongs to one player of a two-player zero-sum game, to one player against known strategies, or to all players
    (`player=None`).
    """

    def __init__(self, tree: Tree, player: int | None, known_profile: Strategy | None) -> None:
        self.tree, self.player, self.known_profile = tree, player, known_profile
        self._cached_solution: Solution | None = None
        self._cached_reference_loss: Number | None = None
        if player is not None and known_profile is None and not is_zero_sum(tree):
            raise DurakError(
                "testing one player's strategy against everything the other can do needs a two-player zero-sum game; for this game, give the opponents' strategies (against=…), or ask for all players (player=None)"
            )
        if known_profile is not None:
            known_profile.require_same_infosets(tree.infosets)

    @property
    def optimal_strategy(self) -> Strategy:
        """Return one of the strategies that lose no payoff."""
        if self.known_profile is not None and self.player is not None:
            return best_response(self.tree, self.known_profile, self.player).strategy
        if self.player is None and not is_zero_sum(self.tree):
            return self._find_equilibrium()
        return self._solve_zero_sum().strategy

    def _find_equilibrium(self) -> Strategy:
        """Return an equilibrium of the game.

        It is found by backward induction if all moves are observed, and otherwise by the solver that suits the game.
        """
        if has_observed_actions(self.tree):
            return backward_induction(self.tree).strategy
        solution = solver_selection.solve(self.tree)
        if not solution.exact:
            raise DurakError(
                "no exact equilibrium of this game is known, so the exercise cannot ask for one; take a smaller game, or ask for a best response"
            )
        return solution.strategy

    def _solve_zero_sum(self) -> Solution:
        """Return the solution of the zero-sum game, which is computed only once."""
        if self._cached_solution is None:
            try:
                self._cached_solution = solve(self.tree, "backward")
            except TreeError:
                self._cached_solution = solve(self.tree)
        return self._cached_solution

    def find_loss(self, strategy: Strategy) -> StrategyLoss:
        """Return the payoff that a strategy loses, with a course of play that shows the loss.

        >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
        >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
        >>> found = StrategyEvaluator(tree, 0, None).find_loss(Strategy.uniform(tree))
        >>> found.guarantee.loss, found.guarantee.guaranteed_value, found.infoset, found.better_action, tree.actions_from_root(found.terminal)
        (Fraction(1, 2), Fraction(1, 2), 0, 0, ('r',))
        """
        if self.player is None:
            return max(
                (self._find_deviation_gain(strategy, player) for player in range(self.tree.player_count)), key=lambda gain: gain.amount
            )
        if self.known_profile is not None:
            return self._find_deviation_gain(self.known_profile.replace_player(self.player, strategy), self.player)
        evaluation = evaluate_player(self.tree, strategy, self.player, 1, self._solve_zero_sum())
        if not evaluation.leaks:
            return StrategyLoss(
                evaluation.guarantee,
                evaluation.best_response_profile,
                terminal=self._find_costliest_terminal(evaluation.best_response_profile, self.player),
            )
        leak = evaluation.leaks[0]
        better_action = self.tree.infosets[leak.infoset].actions.index(leak.better_action)
        return StrategyLoss(evaluation.guarantee, evaluation.best_response_profile, leak.infoset, better_action, leak.terminal_history)

    def _find_deviation_gain(self, strategy: Strategy, player: int) -> StrategyLoss:
        """Return what a player could gain by deviating alone from a strategy profile."""
        current_value, response = value(self.tree, strategy, player), best_response(self.tree, strategy, player)
        infoset, better_action, max_gain = -1, -1, Fraction(0)
        for index, (record, infoset_value, row) in enumerate(
            zip(self.tree.infosets, infoset_values(self.tree, response.strategy), strategy.rows, strict=True)
        ):
            if record.player == player:
                action_values = infoset_value.counterfactual_values
                gain = max(action_values) - sum(
                    probability * action_value for probability, action_value in zip(row, action_values, strict=True)
                )
                if gain > max_gain:
                    infoset, better_action, max_gain = index, action_values.index(max(action_values)), gain  # type: ignore[assignment]
        terminal = self._find_costliest_terminal(strategy, player, infoset)
        return StrategyLoss(Guarantee(player, current_value, response.value), response.strategy, infoset, better_action, terminal)

    def _find_costliest_terminal(self, profile: Strategy, player: int, infoset: int = -1) -> int:
        """Return the terminal node with a player's lowest payoff, below an information set.

        Only terminal nodes that the strategies reach are considered.
        """
        tree, reach = self.tree, reach_probabilities(self.tree, profile)
        is_on_path = bytearray(tree.history_count)
        costliest, cost = -1, None
        for node, (actor, info) in enumerate(zip(tree.actor, tree.infoset_of, strict=True)):
            is_on_path[node] = infoset < 0 or (actor >= 0 and info == infoset) or (node > 0 and is_on_path[tree.parent[node]])
            if actor == TERMINAL and reach[node] and is_on_path[node]:
                candidate = (-tree.payoffs[info][player], reach[node])
                if cost is None or candidate > cost:
                    costliest, cost = node, candidate
        return costliest if costliest >= 0 or infoset < 0 else self._find_costliest_terminal(profile, player)

    def compute_graded_loss(self, strategy: Strategy) -> Number:
        """Return the loss that decides the grade: one player's loss, or all players' average."""
        if self.player is not None and self.known_profile is None:
            game_value = self._solve_zero_sum().value
            return (-game_value if self.player else game_value) + best_response(self.tree, strategy, 1 - self.player).value
        if self.player is not None:
            return self.find_loss(strategy).amount
        return sum(self._find_deviation_gain(strategy, player).amount for player in range(self.tree.player_count)) / self.tree.player_count

    def make_starting_strategy(self, max_loss: Number) -> Strategy:
        """Return the strategy from which a student starts to search for a correct answer.

        It is uniform. If the uniform strategy is already a correct answer, it is the first action everywhere.

        >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
        >>> def look(where):
        ...     return TerminalNode((1, -1) if where[0] == where[1] else (-1, 1)) if len(where) == 2 else DecisionNode(len(where), "", [(one, where + one) for one in "ht"])
        >>> StrategyEvaluator(build_tree("", look, player_count=2), 0, None).make_starting_strategy(0).rows
        ((Fraction(1, 1), Fraction(0, 1)), (Fraction(1, 2), Fraction(1, 2)))
        """
        uniform = Strategy.uniform(self.tree)
        try:
            if self.compute_graded_loss(uniform) > max_loss:
                return uniform
        except MissingPackageError:  # The solver for this game may need a package that is not installed
            return uniform
        is_graded_set = [self.player in {None, record.player} for record in self.tree.infosets]
        return Strategy(
            self.tree, [pure_row(0, len(row)) if is_graded else row for row, is_graded in zip(uniform.rows, is_graded_set, strict=True)]
        )

    def compute_reference_loss(self, max_loss: Number) -> Number:
        """Return the smallest loss of payoff for which a strategy earns no credit.

        It is the loss of the starting strategy, or the largest possible loss if the loss of the starting strategy is allowed.
        """
        if self._cached_reference_loss is None:
            reference_loss = self.compute_graded_loss(self.make_starting_strategy(max_loss))
            if reference_loss <= max_loss:
                reference_loss = max(max(payoffs) - min(payoffs) for payoffs in zip(*self.tree.payoffs, strict=True))
            self._cached_reference_loss = reference_loss
        return self._cached_reference_loss


def restore_losing_game(tree: Tree, loss: StrategyLoss | None) -> Game | None:
    """Return the Durak game in which a strategy loses most payoff.

    Return None for other games, or if no such play is known.

    >>> from durak_widget.gametheory.textbook_games import textbook
    >>> restore_losing_game(textbook("kuhn"), None) is None
    True
    """
    return restore_game(tree, loss.terminal) if loss is not None and loss.terminal >= 0 and isinstance(tree.origin, TreeOrigin) else None
