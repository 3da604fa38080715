"""The strategies of a tree widget: its solution, a learned strategy, and the user's own.

The state also says which of them is displayed, and which best responses are marked. The module does not depend on the
page. Slow work on a large tree is returned as a function that may run in any thread; it returns a second function,
which stores the results. Results for a strategy are computed only once, even if the user folds and opens nodes. If
the user sets one probability of their own strategy, the others are rescaled.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from durak_widget.board.belief_view_model import compute_beliefs
from durak_widget.board.number_format import parse_probability
from durak_widget.errors import as_whole_number
from durak_widget.gametheory.backward_induction_solver import backward_induction
from durak_widget.gametheory.best_responses import (
    Guarantee,
    best_response_set,
    compute_guarantee,
    find_previous_actions,
    find_responder,
    node_values,
    reach_probabilities,
)
from durak_widget.gametheory.certificate import round_strategy
from durak_widget.gametheory.game_properties import MAX_PURE_PYTHON_HISTORIES, has_observed_actions, is_zero_sum, payoffs_fit_floats
from durak_widget.gametheory.solver_selection import GameAnswer, solve
from durak_widget.gametheory.strategy import Strategy, build_unchecked_strategy, require_strategy
from durak_widget.gametheory.tree import CHANCE, TERMINAL, TreeError, describe_imperfect_recall, require_tree
from durak_widget.gametheory.zero_sum_solver import Solution, has_hidden_information
from durak_widget.gametheory.zero_sum_solver import solve as solve_zero_sum
from durak_widget.optional_dependencies import MissingPackageError, has_numpy_and_scipy
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.board.belief_view_model import InfosetBelief
    from durak_widget.board.logit_path_view_model import LogitPathView
    from durak_widget.gametheory.best_responses import BestResponseSet
    from durak_widget.gametheory.equilibrium_list import EquilibriumRecord
    from durak_widget.gametheory.strategy import Number
    from durak_widget.gametheory.tree import Tree

_MAX_HISTORIES_FOR_SLOW_METHODS: Final = 2_000
"""The maximum number of histories of a tree for which slow methods are offered: pure strategies, and a list of
equilibria.
"""
MAX_QUICK_HISTORIES: Final = 20_000
"""The maximum number of histories of a tree whose results are computed at once; for a larger tree, this happens in
the background.
"""
SIMPLE_DENOMINATOR: Final = 1000
"""The largest denominator of a probability that was rounded."""
MAX_DENOMINATOR: Final = 1_000_000
"""The largest denominator of a probability that stays exact; a longer fraction is rounded to a denominator of at most
`SIMPLE_DENOMINATOR`.
"""


class StrategyState:
    """The strategies that were computed or set for a tree; one of them is displayed.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> state = StrategyState(tree)
    >>> state.set_probability(0, 0, "1/4"); state.shown_kind, state.shown_strategy["begins"], state.own_loss
    ('own', (Fraction(1, 4), Fraction(3, 4)), Fraction(3, 4))
    """

    def __init__(self, tree: Tree, solution: Solution | None = None) -> None:
        """Create a state without strategies, or with a given solution, which is then displayed."""
        require_tree(tree)
        self.tree = tree
        self.version = 0
        """A number that grows whenever a strategy changes; results for an earlier version are out of date."""
        self.shown_kind = ""
        """The kind of the displayed strategy: `solution`, `path`, `own` or `learning`; empty if no strategy is
        displayed.
        """
        self.own_player = 0
        """The player whose strategy the user is setting: the player whose probability was set last."""
        self.are_others_known = False
        """True if the other players' strategies are given, so that they are known. The best response of
        `own_player` then shows how weak the user's strategy is.
        """
        self.best_response_player: int | None = None
        """The player whose best responses to the displayed strategy are marked; None if none are marked."""
        self.selected_index: int | None = None
        """The index of the equilibrium that is displayed as the solution, if the solution is a list of equilibria."""
        self._solution: Solution | None = None
        self._game_value: tuple[Number | None] | None = None
        """None if the value was not computed yet. Otherwise, a tuple with `game_value`, which may be None itself."""
        self.logit_path: LogitPathView | None = None
        """The path of logit equilibria, if it was computed."""
        self._results: dict[str, StrategyResults] = {}
        """Each strategy and what was computed for it, by its kind."""
        self._methods_cache: dict[bool, tuple[str, ...]] = {}
        """The solution methods, without and with numpy and scipy."""
        self._imperfect_recall_cache: dict[int, bool] = {}
        """For each player who was checked: whether they have imperfect recall."""
        if solution is not None:
            self.solution = solution

    # --- The displayed strategy ---

    @property
    def shown_strategy(self) -> Strategy | None:
        """Return the strategy that the tree widget displays, or None."""
        return self._results[self.shown_kind].strategy if self.shown_kind else None

    @property
    def available_kinds(self) -> tuple[str, ...]:
        """Return which kinds of strategies exist now: `solution`, `path`, `learning` or `own`."""
        return tuple(kind for kind in ("solution", "path", "learning", "own") if kind in self._results)

    def show_strategy(self, kind: object) -> None:
        """Display the strategy of a given kind, such as `own`; raise an error if it is missing."""
        if not isinstance(kind, str) or kind not in self._results:
            raise RefusedError("board.refused.nothing")
        self.shown_kind = kind
        self.version += 1

    def _store_and_show(self, kind: str, strategy: Strategy) -> None:
        """Store and display a strategy of a given kind; its values and beliefs are computed later."""
        self._results[kind] = StrategyResults(strategy)
        self.show_strategy(kind)

    def _remove(self, kind: str) -> None:
        """Remove the strategy of a given kind; if it was displayed, display another one."""
        self._results.pop(kind, None)
        if self.shown_kind == kind:
            self.shown_kind = next(iter(self.available_kinds), "")
        self.version += 1

    # --- The solution that a solver found ---

    @property
    def solution(self) -> Solution | None:
        """Return the solution that a solver found for the tree, or None.

        If you set it, its strategy is stored and displayed; of a list of equilibria, the first. Set it to None to remove
        it.
        """
        return self._solution

    @solution.setter
    def solution(self, solution: Solution | None) -> None:
        """Store a solution and display its strategy; for None, remove the solution."""
        self.selected_index = None
        if solution is None:
            self._solution = None
            return self._remove("solution")
        if not isinstance(solution, Solution):
            raise RefusedError("board.refused.solution", code="gametheory.solve(tree)")
        solution.strategy.require_same_infosets(self.tree.infosets)
        self._solution = solution
        # A solution without equilibria has explanatory notes, but no strategy to display
        if isinstance(solution, GameAnswer) and not solution.equilibria:
            return self._remove("solution")
        if solution.exact and is_zero_sum(self.tree):
            self._game_value = (solution.value,)
        self.selected_index = 0 if isinstance(solution, GameAnswer) else None
        return self._store_and_show("solution", solution.strategy)

    @property
    def equilibrium_list(self) -> GameAnswer | None:
        """Return the tree's solution if it is a list of equilibria, otherwise None."""
        return self._solution if isinstance(self._solution, GameAnswer) else None

    @property
    def selected_equilibrium(self) -> EquilibriumRecord | None:
        """Return the equilibrium that the user has selected in the list of equilibria, or None."""
        return (
            None if self.equilibrium_list is None or self.selected_index is None else self.equilibrium_list.equilibria[self.selected_index]
        )

    def select_equilibrium(self, index: object) -> None:
        """Display one equilibrium of the solution, given by its index in the list of equilibria."""
        number, equilibrium_list = as_whole_number(index), self.equilibrium_list
        if number is None or equilibrium_list is None or not 0 <= number < len(equilibrium_list.equilibria):
            raise RefusedError("board.refused.equilibrium")
        if number == self.selected_index:
            return self.show_strategy("solution")
        self.selected_index = number
        return self._store_and_show("solution", equilibrium_list.equilibria[number].strategy)

    def solve(self, method: str = "lp") -> Solution:
        """Solve the tree by a given method, and display the solution.

        `method` is one of the names in `methods`. If it cannot solve the tree, the error message names one that can.
        """
        solution = self.solution = solve(self.tree, method)
        return solution

    @property
    def methods(self) -> tuple[str, ...]:
        """Return the names of this tree's solution methods; the most suitable one is first.

        You can pass each name to `solve`. The method `answer`, which lists equilibria, works for any game. It is left out
        if the tree is large and another method is suitable.
        """
        installed = has_numpy_and_scipy()  # Check at every call, because users can install packages while a notebook is open
        if installed not in self._methods_cache:
            tree, suitable = self.tree, list[str]()
            if (
                tree.history_count > MAX_QUICK_HISTORIES or describe_imperfect_recall(tree) is None
            ):  # In a large tree, checking for perfect recall takes as long as trying to solve the tree
                can_use_floats = is_zero_sum(tree) and payoffs_fit_floats(tree)
                has_linear_program = can_use_floats and installed
                suitable += ["backward"] * can_use_backward_induction(tree)
                suitable += ["lp", "cfr+"] * has_linear_program + ["pure"] * (
                    has_linear_program and tree.history_count <= _MAX_HISTORIES_FOR_SLOW_METHODS
                )
                needs_pure_python = is_zero_sum(tree) and not has_linear_program
                suitable += ["plans"] * (needs_pure_python and tree.history_count <= MAX_PURE_PYTHON_HISTORIES) + ["sampling"] * (
                    needs_pure_python and can_use_floats
                )
                suitable += ["pure"] * (needs_pure_python and tree.history_count <= _MAX_HISTORIES_FOR_SLOW_METHODS)
            self._methods_cache[installed] = (
                *suitable,
                *["answer"] * (not suitable or tree.history_count <= _MAX_HISTORIES_FOR_SLOW_METHODS),
            )
        return self._methods_cache[installed]

    @property
    def has_hidden_information(self) -> bool:
        """Return whether a player may have to act without knowing all earlier moves."""
        return has_hidden_information(self.tree)

    # --- The path of logit equilibria ---

    def show_logit_path(self, path: LogitPathView | None) -> None:
        """Store a path of logit equilibria and display its selected point; for None, remove it."""
        self.logit_path = path
        if path is None:
            return self._remove("path")
        return self._store_and_show("path", path.strategy)

    def go_to_path_point(self, index: object) -> None:
        """Display another point of the logit path, given by its index."""
        number = as_whole_number(index)
        if number is None or self.logit_path is None:
            raise RefusedError("board.refused.rationality")
        self.logit_path.go_to(number)
        self._store_and_show("path", self.logit_path.strategy)

    # --- The strategy that CFR+ has learned ---

    def set_learned_strategy(self, strategy: Strategy | None) -> None:
        """Display the strategy that CFR+ has learned so far; for None, remove it.

        The first learned strategy is displayed at once. Later ones replace it, but do not change which kind of
        strategy is displayed.
        """
        if strategy is None:
            return self._remove("learning")
        is_first = "learning" not in self._results
        self._results["learning"] = StrategyResults(strategy)
        self.version += 1
        return self.show_strategy("learning") if is_first else None

    # --- The user's own strategy ---

    @property
    def own_strategy(self) -> Strategy | None:
        """Return the user's own strategy, or None. Setting it works like `set_own_strategy`."""
        return self._results["own"].strategy if "own" in self._results else None

    @own_strategy.setter
    def own_strategy(self, strategy: Strategy | None) -> None:
        """Replace the user's own strategy by a given strategy; for None, delete it."""
        self.set_own_strategy(strategy)

    def set_own_strategy(self, strategy: Strategy | None, *, mark_responses: bool = True) -> None:
        """Set the user's own strategy to a given strategy, and display it; for None, delete it.

        If there was no own strategy before, `mark_responder` marks the best responses that show how weak the
        new one is. Set `mark_responses` to False to leave the marks as they are.
        """
        if strategy is None:
            return self.delete_own_strategy()
        require_strategy(strategy)
        strategy.require_same_infosets(self.tree.infosets)
        is_first = "own" not in self._results
        self._store_and_show("own", strategy)
        if is_first and mark_responses:
            self.mark_responder()
        return None

    @property
    def _responder(self) -> int:
        """Return the player whose best response shows how weak the user's own strategy is.

        This is `find_responder`, or `own_player` if the other players' strategies are given.
        """
        return self.own_player if self.are_others_known else find_responder(self.tree, self.own_player)

    def mark_responder(self) -> None:
        """Mark the best responses that show how weak the user's own strategy is.

        They are those of the responder (see `_responder`): `own_player` if the other strategies are given or the game is
        not zero-sum, otherwise the opponent. If the responder has imperfect recall, all marks are removed. The version
        does not change.
        """
        player = self._responder
        self.best_response_player = None if self._has_known_imperfect_recall(player) else player

    def _has_known_imperfect_recall(self, player: int) -> bool:
        """Return whether a player is known to have imperfect recall.

        A large tree is not checked, because that is slow; the result is then False.
        """
        if self.tree.history_count > MAX_QUICK_HISTORIES:
            return False
        if player not in self._imperfect_recall_cache:
            try:
                find_previous_actions(self.tree, player)
                self._imperfect_recall_cache[player] = False
            except TreeError:
                self._imperfect_recall_cache[player] = True
        return self._imperfect_recall_cache[player]

    def set_probability(
        self, infoset: object, action: object, new_probability: object, *, only_player: int | None = None, mark_responses: bool = True
    ) -> None:
        """Set an action's probability in the user's own strategy; rescale the other actions.

        `infoset` and `action` are indexes; `new_probability` is a number or its text. The player of the information set
        becomes `own_player`.

        If there is no own strategy yet, it starts as a copy of the displayed one, or else uniform. With
        `only_player`, only this player's probabilities may be set; `mark_responses` is as in `set_own_strategy`.
        """
        infosets = self.tree.infosets
        infoset_index, action_index = as_whole_number(infoset), as_whole_number(action)
        if (
            infoset_index is None
            or not 0 <= infoset_index < len(infosets)
            or action_index is None
            or not 0 <= action_index < len(infosets[infoset_index].actions)
        ):
            raise RefusedError("board.refused.no_move")
        if only_player is not None and infosets[infoset_index].player != only_player:
            raise RefusedError("board.refused.other_seat")
        old_strategy = self.own_strategy or self.shown_strategy or Strategy.uniform(self.tree)
        strategy = change_probability(self.tree, old_strategy, infoset_index, action_index, parse_probability(new_probability))
        self.set_own_player(infosets[infoset_index].player, others_known=self.are_others_known)
        self.set_own_strategy(strategy, mark_responses=mark_responses)

    def start_own_strategy(self, *, mark_responses: bool = True) -> None:
        """Start the user's own strategy as a copy of the displayed strategy, or as a uniform one.

        If the user already has an own strategy, it is only displayed. `mark_responses` is as in `set_own_strategy`.
        """
        if self.own_strategy is None:
            self.set_own_strategy(self.shown_strategy or Strategy.uniform(self.tree), mark_responses=mark_responses)
        else:
            self.show_strategy("own")

    def set_own_player(self, player: int, *, others_known: bool = False) -> None:
        """Set whose strategy the user chooses, and whether the other strategies are fixed.

        `others_known` sets `are_others_known`. What the own strategy guarantees is then computed anew.
        """
        if (player, others_known) == (self.own_player, self.are_others_known):
            return
        is_responder_marked = self.best_response_player == self._responder
        self.own_player, self.are_others_known = player, others_known
        self.version += 1
        if "own" in self._results:
            self._results["own"].own_guarantee = None
            if is_responder_marked:
                self.mark_responder()

    def delete_own_strategy(self) -> None:
        """Delete the user's own strategy, and remove all marks on best responses.

        If it was displayed, another strategy is displayed instead.
        """
        self.best_response_player = None
        self._remove("own")

    @property
    def own_guarantee(self) -> Guarantee | None:
        """Return what the user's own strategy guarantees, and the best possible guarantee.

        If this was not computed yet, it is computed now, which is slow in a large tree. Return None without an own
        strategy.
        """
        results = self._results.get("own")
        if results is None:
            return None
        if results.own_guarantee is None:
            _store_own_guarantee(
                results, *compute_guarantee(self.tree, results.strategy, self.own_player, self.game_value, self._responder)
            )
        return results.own_guarantee

    @property
    def own_loss(self) -> Number | None:
        """Return how much less the user's own strategy guarantees than the best strategy does.

        This is the loss of `own_player` only, not an average over the players as in `gametheory.exploitability`.
        """
        return None if (guarantee := self.own_guarantee) is None else guarantee.loss

    @property
    def game_value(self) -> Number | None:
        """Return the first player's value of a two-player zero-sum game; cache the value.

        Return None for any other game, or if the value cannot be found.
        """
        if self._game_value is None:
            self._game_value = (compute_game_value(self.tree, self._solution) if is_zero_sum(self.tree) else None,)
        return self._game_value[0]

    # --- Marks on best responses ---

    def mark_best_responses(self, player: object) -> None:
        """Mark a player's best responses to the displayed strategy; for None, remove the marks."""
        if player is not None:
            number = as_whole_number(player)
            if number is None or not 0 <= number < self.tree.player_count:
                raise RefusedError("board.refused.seat")
            if not self.shown_kind:
                raise RefusedError("board.refused.nothing")
            if self._has_known_imperfect_recall(number):
                raise RefusedError("board.refused.forgets")
            player = number
        self.best_response_player = player
        self.version += 1

    # --- Results for the strategies: values, beliefs, best responses ---

    def find_incomplete_results(self, *, values: bool, beliefs: bool = False) -> StrategyResults | None:
        """Return the displayed strategy's results if some must still be computed, else None.

        With `values` and `beliefs`, the values of nodes and the beliefs are required. The marked best responses and the
        guarantee of the user's own strategy are always required.
        """
        if not self.shown_kind:
            return None
        results = self._results[self.shown_kind]
        is_incomplete = (
            (values and results.node_values is None)
            or (beliefs and results.beliefs is None)
            or (self.best_response_player is not None and self.best_response_player not in results.best_responses)
            or ("own" in self._results and self._results["own"].own_guarantee is None)
        )
        return results if is_incomplete else None

    def prepare_computation(self, *, values: bool, beliefs: bool = False) -> Callable[[], Callable[[], None]]:
        """Return a function that computes the missing results and may run in any thread.

        That function returns a second one, which stores the results in this object. A strategy has to be displayed;
        `values` and `beliefs` are as in `find_incomplete_results`.
        """
        tree, results, own = self.tree, self._results[self.shown_kind], self._results.get("own")
        own_player, responder, marked_player, solution, known_game_value = (
            self.own_player,
            self._responder,
            self.best_response_player,
            self._solution,
            self._game_value,
        )
        equilibrium = self.selected_equilibrium if self.shown_kind == "solution" else None

        def compute() -> Callable[[], None]:
            """Compute the missing results; return a function that stores the results."""
            players = (0,) if is_zero_sum(tree) else tuple(range(tree.player_count))
            all_node_values = (
                tuple([node_values(tree, results.strategy, player) for player in players])
                if values and results.node_values is None
                else results.node_values
            )
            beliefs_found = compute_beliefs(tree, results.strategy, equilibrium) if beliefs and results.beliefs is None else results.beliefs
            best_responses = (
                best_response_set(tree, results.strategy, marked_player)
                if marked_player is not None and marked_player not in results.best_responses
                else None
            )
            guarantee_and_responses, new_game_value = None, known_game_value
            if own is not None and own.own_guarantee is None:
                new_game_value = known_game_value or (compute_game_value(tree, solution) if is_zero_sum(tree) else None,)
                guarantee_and_responses = compute_guarantee(tree, own.strategy, own_player, new_game_value[0], responder)

            def store() -> None:
                """Store the results that `compute` has found.

                If the player whose strategy the user sets has changed meanwhile, what this strategy guarantees is not stored.
                """
                results.node_values, results.beliefs = all_node_values, beliefs_found
                if best_responses is not None and marked_player is not None:
                    results.best_responses[marked_player] = best_responses
                self._game_value = self._game_value or new_game_value
                if (
                    own is not None
                    and guarantee_and_responses is not None
                    and (own_player, responder) == (self.own_player, self._responder)
                ):
                    _store_own_guarantee(own, *guarantee_and_responses)

            return store

        return compute

    @property
    def shown_results(self) -> StrategyResults | None:
        """Return the results that were computed for the displayed strategy."""
        return self._results[self.shown_kind] if self.shown_kind else None

    @property
    def own_results(self) -> StrategyResults | None:
        """Return the results that were computed for the user's own strategy."""
        return self._results.get("own")

    def find_reached_nodes(self) -> bytearray:
        """Return 1 for each node that the displayed strategy can lead to, and 0 for other nodes."""
        if self.shown_strategy is None:
            raise RefusedError("board.refused.nothing")
        return bytearray([weight > 0 for weight in reach_probabilities(self.tree, self.shown_strategy)])


@dataclass(eq=False)
class StrategyResults:
    """A strategy with its values, beliefs and best responses, as far as they are computed."""

    strategy: Strategy
    node_values: tuple[list[Number], ...] | None = None
    """The value of each node, for each player; in a two-player zero-sum game, for the first player only."""
    beliefs: dict[int, InfosetBelief] | None = None
    """The belief at each information set that has several nodes, by the set's index."""
    best_responses: dict[int, BestResponseSet] = field(default_factory=dict)
    """The best responses to the strategy, for each player for whom they were computed."""
    own_guarantee: Guarantee | None = None
    """The value that the user's own strategy guarantees, and the highest value that the player could guarantee; None for
    any other strategy.
    """


def _store_own_guarantee(results: StrategyResults, guarantee: Guarantee, best_responses: BestResponseSet | None) -> None:
    """Store what `compute_guarantee` returned for the user's own strategy.

    The best responses are stored for the guarantee's responder, unless they are None.
    """
    results.own_guarantee = guarantee
    if best_responses is not None and guarantee.responder is not None:
        results.best_responses[guarantee.responder] = best_responses


def can_use_backward_induction(tree: Tree) -> bool:
    """Return whether each player sees all players' earlier moves, as backward induction needs.

    Chance moves may be hidden. In a large tree they must be visible too, because only perfect information can be checked
    fast.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> can_use_backward_induction(build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2))
    True
    """
    # In a large tree, only compare counts: with perfect information, each decision node has its own information set
    if tree.history_count > MAX_QUICK_HISTORIES:
        return tree.history_count - tree.actor.count(TERMINAL) - tree.actor.count(CHANCE) == len(tree.infosets)
    return has_observed_actions(tree)


def list_likeliest_nodes(tree: Tree, strategy: Strategy, nodes: Sequence[int]) -> list[int]:
    """Return the nodes that play reaches if each player takes their most probable actions.

    All possible outcomes of chance moves are followed, so there may be several paths. Only nodes in `nodes` are
    returned, and they are returned in that order; parents have to come before their children. If several actions are
    equally probable, the first of them is taken.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> from durak_widget.gametheory.strategy import Strategy
    >>> list_likeliest_nodes(tree, Strategy.from_mapping(tree, {"begins": "r"}), [0, 1, 2])
    [0, 2]
    """
    reached, path = {0}, [0]
    likeliest_actions: dict[int, int] = {}
    for node in nodes:
        parent = tree.parent[node]
        if parent not in reached:
            continue
        index, action = tree.infoset_of[parent], node - tree.first_child[parent]
        if tree.actor[parent] == CHANCE:
            is_on_path = tree.chance_moves[index].probabilities[action] > 0
        else:
            row = strategy.rows[index]
            if index not in likeliest_actions:
                likeliest_actions[index] = max(range(len(row)), key=row.__getitem__)
            is_on_path = action == likeliest_actions[index]
        if is_on_path:
            reached.add(node)
            path.append(node)
    return path


def rescale_probabilities(row: Sequence[Number], action: int, new_probability: Fraction) -> tuple[Fraction, ...]:
    """Set one action's probability; scale the other probabilities so that the sum stays 1.

    If all other probabilities were 0, they become equal. The result has exact fractions, and very long fractions are
    rounded first. If there is only one action, its probability stays 1.

    >>> rescale_probabilities([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], 0, Fraction(1, 4))
    (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    >>> rescale_probabilities([Fraction(1), Fraction(0), Fraction(0)], 0, Fraction(1, 2))
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    """
    if len(row) == 1:
        return (Fraction(1),)
    other_weights = [Fraction(0) if index == action else _simplify_fraction(Fraction(weight)) for index, weight in enumerate(row)]
    total = sum(other_weights)
    remaining = 1 - new_probability
    rescaled = [remaining * weight / total if total else remaining / (len(row) - 1) for weight in other_weights]
    return tuple([new_probability if index == action else weight for index, weight in enumerate(rescaled)])


def _simplify_fraction(fraction: Fraction) -> Fraction:
    """Round a fraction whose denominator is too large; return any other fraction unchanged."""
    return fraction if fraction.denominator <= MAX_DENOMINATOR else fraction.limit_denominator(SIMPLE_DENOMINATOR)


def change_probability(tree: Tree, strategy: Strategy, infoset: int, action: int, new_probability: Fraction) -> Strategy:
    """Return a copy of a strategy in which one probability is changed and others rescaled.

    The other probabilities at the information set are rescaled. Raise an error if there is only one action and its
    probability would not be 1.
    """
    record = tree.infosets[infoset]
    if len(record.actions) == 1 and new_probability != 1:
        raise RefusedError("board.refused.one_move")
    rows = list(round_strategy(tree, strategy).rows)
    rows[infoset] = rescale_probabilities(rows[infoset], action, new_probability)
    return build_unchecked_strategy(tree.infosets, rows)


def compute_game_value(tree: Tree, solution: Solution | None = None) -> Number | None:
    """Return the first player's value of a two-player zero-sum game; None if it is unknown.

    The game has to be a two-player zero-sum game. The value is taken from a solution that proves it; otherwise, it is
    computed. If that is impossible, the value of a solution with a certificate is returned, which may be rounded.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> compute_game_value(build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2))
    Fraction(1, 1)
    """
    if solution is not None and solution.exact:
        return solution.value
    try:
        return backward_induction(tree).values[0]
    except TreeError:
        pass  # A move is hidden from a player, so backward induction is impossible; try a linear program
    try:
        return solve_zero_sum(tree, "lp").value
    except (MissingPackageError, TreeError):  # The linear program needs numpy and perfect recall
        return None if solution is None or solution.certificate is None else solution.value
