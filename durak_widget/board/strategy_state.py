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

_MAX_PURE_HISTORIES: Final = 2_000
"""The maximum number of histories of a tree for which the slow methods `pure` and `answer` are offered
beside faster methods.
"""
MAX_QUICK_HISTORIES: Final = 20_000
"""The maximum number of histories of a tree whose results are computed at once; for a larger tree, this happens in
the background.
"""
SIMPLE_DENOMINATOR: Final = 1000
MAX_DENOMINATOR: Final = 1_000_000
"""The largest denominator of a probability that stays exact; a longer fraction is rounded to a denominator of at most
`SIMPLE_DENOMINATOR`.
"""


class StrategyState:
    """The strategies that were computed or set for a tree; one of them is displayed.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> plays = StrategyState(tree)
    >>> plays.set_probability(0, 0, "1/4"); plays.shown_kind, plays.shown_strategy["begins"], plays.exploitability
    ('own', (Fraction(1, 4), Fraction(3, 4)), Fraction(3, 4))
    """

    def __init__(self, tree: Tree, solution: Solution | None = None) -> None:
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
        self.are_others_given = False
        """True if the other players' strategies are given; the player's own best response then shows how weak the
        user's strategy is.
        """
        self.best_response_player: int | None = None
        """The player whose best responses are marked; None if no best responses are marked."""
        self.selected_index: int | None = None
        """The index of the equilibrium that is displayed as the solution, if the solution is a list of equilibria."""
        self._solution: Solution | None = None
        self._game_value: tuple[Number | None] | None = None
        self.logit_path: LogitPathView | None = None
        """The path of logit equilibria, if it was computed."""
        self._results: dict[str, StrategyResults] = {}
        self._methods_cache: dict[bool, tuple[str, ...]] = {}
        self._recall_cache: dict[int, bool] = {}
        if solution is not None:
            self.solution = solution

    # --- The displayed strategy ---

    @property
    def shown_strategy(self) -> Strategy | None:
        """Return the strategy that the tree widget displays."""
        return self._results[self.shown_kind].strategy if self.shown_kind else None

    @property
    def available_kinds(self) -> tuple[str, ...]:
        """Return the kinds of strategies that the tree widget could display now."""
        return tuple(name for name in ("solution", "path", "learning", "own") if name in self._results)

    def show_strategy(self, kind: object) -> None:
        """Choose the kind of strategy that the tree widget displays."""
        if not isinstance(kind, str) or kind not in self._results:
            raise RefusedError("board.refused.nothing")
        self.shown_kind = kind
        self.version += 1

    def _store(self, kind: str, strategy: Strategy) -> None:
        """Store and display a new strategy of a given kind; the strategy has no results yet."""
        self._results[kind] = StrategyResults(strategy)
        self.show_strategy(kind)

    def _remove(self, kind: str) -> None:
        """Remove the strategy of a kind; if it is displayed, display another one."""
        self._results.pop(kind, None)
        if self.shown_kind == kind:
            self.shown_kind = next(iter(self.available_kinds), "")
        self.version += 1

    # --- The solution that a solver found ---

    @property
    def solution(self) -> Solution | None:
        """Return the solution that a solver found for the tree, or None."""
        return self._solution

    @solution.setter
    def solution(self, solution: Solution | None) -> None:
        self.selected_index = None
        if solution is None:
            self._solution = None
            return self._remove("solution")
        if not isinstance(solution, Solution):
            raise RefusedError("board.refused.solution", code="gametheory.solve(tree)")
        solution.strategy.require_same_infosets(self.tree.infosets)
        self._solution = solution
        # A solution without equilibria has notes, but no strategy to display
        if isinstance(solution, GameAnswer) and not solution.equilibria:
            return self._remove("solution")
        if solution.exact and is_zero_sum(self.tree):
            self._game_value = (solution.value,)
        self.selected_index = 0 if isinstance(solution, GameAnswer) else None
        return self._store("solution", solution.strategy)

    @property
    def equilibrium_list(self) -> GameAnswer | None:
        """Return the solution if the solution is a list of equilibria, otherwise None."""
        return self._solution if isinstance(self._solution, GameAnswer) else None

    @property
    def selected_equilibrium(self) -> EquilibriumRecord | None:
        """Return the equilibrium that the user selected in the list; None if there is no list."""
        return (
            None if self.equilibrium_list is None or self.selected_index is None else self.equilibrium_list.equilibria[self.selected_index]
        )

    def select_equilibrium(self, index: object) -> None:
        """Display another equilibrium of the list as the solution."""
        number, answer = as_whole_number(index), self.equilibrium_list
        if number is None or answer is None or not 0 <= number < len(answer.equilibria):
            raise RefusedError("board.refused.equilibrium")
        if number == self.selected_index:
            return self.show_strategy("solution")
        self.selected_index = number
        return self._store("solution", answer.equilibria[number].strategy)

    def solve(self, method: str = "lp") -> Solution:
        """Solve the tree by a given method, and display the solution.

        If the method cannot solve the tree, the error message names one that can.
        """
        solution = self.solution = solve(self.tree, method)
        return solution

    @property
    def methods(self) -> tuple[str, ...]:
        """Return the solution methods for this tree, beginning with the most suitable one.

        The method `answer`, which lists equilibria, works for any game.
        """
        installed = has_numpy_and_scipy()  # Check at every call, because users can install packages while a notebook is open
        if installed not in self._methods_cache:
            tree, suitable = self.tree, list[str]()
            if (
                tree.history_count > MAX_QUICK_HISTORIES or describe_imperfect_recall(tree) is None
            ):  # In a large tree, a check for perfect recall takes as long as an attempt to solve the tree
                decimals = is_zero_sum(tree) and payoffs_fit_floats(tree)
                has_linear_program = decimals and installed
                suitable += ["backward"] * are_moves_visible(tree)
                suitable += ["lp", "cfr+"] * has_linear_program + ["pure"] * (
                    has_linear_program and tree.history_count <= _MAX_PURE_HISTORIES
                )
                without_numpy = is_zero_sum(tree) and not has_linear_program
                suitable += ["plans"] * (without_numpy and tree.history_count <= MAX_PURE_PYTHON_HISTORIES) + ["sampling"] * (
                    without_numpy and decimals
                )
                suitable += ["pure"] * (without_numpy and tree.history_count <= _MAX_PURE_HISTORIES)
            self._methods_cache[installed] = (*suitable, *["answer"] * (not suitable or tree.history_count <= _MAX_PURE_HISTORIES))
        return self._methods_cache[installed]

    @property
    def has_hidden_moves(self) -> bool:
        """Return whether a move may be hidden from a player, so that backward induction fails."""
        return has_hidden_information(self.tree)

    # --- The path of logit equilibria ---

    def show_logit_path(self, path: LogitPathView | None) -> None:
        """Display the logit path at the selected point; for None, remove the path."""
        self.logit_path = path
        if path is None:
            return self._remove("path")
        return self._store("path", path.strategy)

    def go_to_path_point(self, index: object) -> None:
        """Display another point of the logit path, given by its index."""
        number = as_whole_number(index)
        if number is None or self.logit_path is None:
            raise RefusedError("board.refused.rationality")
        self.logit_path.go_to(number)
        self._store("path", self.logit_path.strategy)

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
        """Return the strategy that the user has made by setting probabilities, or None."""
        return self._results["own"].strategy if "own" in self._results else None

    @own_strategy.setter
    def own_strategy(self, strategy: Strategy | None) -> None:
        self.set_own_strategy(strategy)

    def set_own_strategy(self, strategy: Strategy | None, *, mark_responses: bool = True) -> None:
        """Replace the user's own strategy by a given strategy; for None, delete it.

        With `mark_responses`, the best responses that show how weak it is are marked when the first own strategy is
        set.
        """
        if strategy is None:
            return self.forget_own_strategy()
        require_strategy(strategy)
        strategy.require_same_infosets(self.tree.infosets)
        is_first = "own" not in self._results
        self._store("own", strategy)
        if is_first and mark_responses:
            self.mark_exploiting_responses()
        return None

    @property
    def _responding_player(self) -> int:
        """Return the player whose best response shows how weak the user's own strategy is."""
        return self.own_player if self.are_others_given else find_responder(self.tree, self.own_player)

    def mark_exploiting_responses(self) -> None:
        """Mark the best responses that show how weak the user's own strategy is.

        Nothing is marked if the responding player has imperfect recall.
        """
        player = self._responding_player
        self.best_response_player = None if self._has_imperfect_recall(player) else player

    def _has_imperfect_recall(self, player: int) -> bool:
        """Return whether a player has imperfect recall; False for a large tree, without a check."""
        if self.tree.history_count > MAX_QUICK_HISTORIES:
            return False
        if player not in self._recall_cache:
            try:
                find_previous_actions(self.tree, player)
                self._recall_cache[player] = False
            except TreeError:
                self._recall_cache[player] = True
        return self._recall_cache[player]

    def set_probability(
        self, infoset: object, action: object, new_probability: object, *, only_player: int | None = None, mark_responses: bool = True
    ) -> None:
        """Set one probability in the user's own strategy; rescale those of the other actions.

        If there is no own strategy yet, it starts as a copy of the displayed one, or else uniform. With
        `only_player`, only this player's probabilities may be set; `mark_responses` is as in `set_own_strategy`.
        """
        sets = self.tree.infosets
        number, action_index = as_whole_number(infoset), as_whole_number(action)
        if number is None or not 0 <= number < len(sets) or action_index is None or not 0 <= action_index < len(sets[number].actions):
            raise RefusedError("board.refused.no_move")
        if only_player is not None and sets[number].player != only_player:
            raise RefusedError("board.refused.other_seat")
        base = self.own_strategy or self.shown_strategy or Strategy.uniform(self.tree)
        strategy = change_probability(self.tree, base, number, action_index, parse_probability(new_probability))
        self.set_own_player(sets[number].player, others_given=self.are_others_given)
        self.set_own_strategy(strategy, mark_responses=mark_responses)

    def start_own_strategy(self, *, mark_responses: bool = True) -> None:
        """Start the user's own strategy as a copy of the displayed strategy, or as a uniform one.

        `mark_responses` is as in `set_own_strategy`.
        """
        if self.own_strategy is None:
            self.set_own_strategy(self.shown_strategy or Strategy.uniform(self.tree), mark_responses=mark_responses)
        else:
            self.show_strategy("own")

    def set_own_player(self, player: int, *, others_given: bool = False) -> None:
        """Set which player the user plays, and whether the other players' strategies are given."""
        if (player, others_given) == (self.own_player, self.are_others_given):
            return
        are_answers_marked = self.best_response_player == self._responding_player
        self.own_player, self.are_others_given = player, others_given
        self.version += 1
        if "own" in self._results:
            self._results["own"].own_guarantee = None
            if are_answers_marked:
                self.mark_exploiting_responses()

    def forget_own_strategy(self) -> None:
        """Delete the user's own strategy, and display another one that is available."""
        self.best_response_player = None
        self._remove("own")

    @property
    def own_guarantee(self) -> Guarantee | None:
        """Return the value that the user's own strategy guarantees, and the highest such value."""
        results = self._results.get("own")
        if results is None:
            return None
        if results.own_guarantee is None:
            store_own_guarantee(
                results, *compute_guarantee(self.tree, results.strategy, self.own_player, self.game_value, self._responding_player)
            )
        return results.own_guarantee

    @property
    def exploitability(self) -> Number | None:
        """Return how much the user's own strategy loses compared with the best strategy."""
        return None if (guarantee := self.own_guarantee) is None else guarantee.loss

    @property
    def game_value(self) -> Number | None:
        """Return the first player's value of a two-player zero-sum game, computed only once.

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
            if self._has_imperfect_recall(number):
                raise RefusedError("board.refused.forgets")
            player = number
        self.best_response_player = player
        self.version += 1

    # --- Results for the strategies: values, beliefs, best responses ---

    def find_missing_results(self, *, values: bool, beliefs: bool = False) -> StrategyResults | None:
        """Return the displayed strategy's results if some of them are missing, else None."""
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

    def prepare_work(self, *, values: bool, beliefs: bool = False) -> Callable[[], Callable[[], None]]:
        """Return a function that computes the missing results and may run in any thread.

        That function returns a second one, which stores the results in this object.
        """
        tree, results, own = self.tree, self._results[self.shown_kind], self._results.get("own")
        own_player, responding_player, best_of, solution, value_before = (
            self.own_player,
            self._responding_player,
            self.best_response_player,
            self._solution,
            self._game_value,
        )
        listed = self.selected_equilibrium if self.shown_kind == "solution" else None

        def compute() -> Callable[[], None]:
            """Compute the missing results; return a function that stores the results."""
            players = (0,) if is_zero_sum(tree) else tuple(range(tree.player_count))
            all_node_values = (
                tuple([node_values(tree, results.strategy, player) for player in players])
                if values and results.node_values is None
                else results.node_values
            )
            beliefs_found = compute_beliefs(tree, results.strategy, listed) if beliefs and results.beliefs is None else results.beliefs
            best_responses = (
                best_response_set(tree, results.strategy, best_of)
                if best_of is not None and best_of not in results.best_responses
                else None
            )
            guarantee, value = None, value_before
            if own is not None and own.own_guarantee is None:
                value = value_before or (compute_game_value(tree, solution) if is_zero_sum(tree) else None,)
                guarantee = compute_guarantee(tree, own.strategy, own_player, value[0], responding_player)

            def store() -> None:
                """Store the results, except for a guarantee that was computed for another player."""
                results.node_values, results.beliefs = all_node_values, beliefs_found
                if best_responses is not None and best_of is not None:
                    results.best_responses[best_of] = best_responses
                self._game_value = self._game_value or value
                if (
                    own is not None
                    and guarantee is not None
                    and (own_player, responding_player) == (self.own_player, self._responding_player)
                ):
                    store_own_guarantee(own, *guarantee)

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
        """Return, for each node, whether play under the displayed strategy can reach the node."""
        if self.shown_strategy is None:
            raise RefusedError("board.refused.nothing")
        return bytearray([weight > 0 for weight in reach_probabilities(self.tree, self.shown_strategy)])


@dataclass(eq=False)
class StrategyResults:
    """The results for one strategy: values of nodes, beliefs and best responses."""

    strategy: Strategy
    node_values: tuple[list[Number], ...] | None = None
    """The value of each node, for each player; in a two-player zero-sum game, for the first player only."""
    beliefs: dict[int, InfosetBelief] | None = None
    """The belief at each information set that has several nodes."""
    best_responses: dict[int, BestResponseSet] = field(default_factory=dict)
    """The best responses of each player for whom the user requested them."""
    own_guarantee: Guarantee | None = None
    """The value that the user's own strategy guarantees, and the highest value that a strategy can guarantee."""


def store_own_guarantee(results: StrategyResults, guarantee: Guarantee, best_responses: BestResponseSet | None) -> None:
    """Store the guarantee of the user's own strategy, and the best responses to the strategy."""
    results.own_guarantee = guarantee
    if best_responses is not None and guarantee.responder is not None:
        results.best_responses[guarantee.responder] = best_responses


def are_moves_visible(tree: Tree) -> bool:
    """Return whether every player sees every move, so that backward induction applies.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> are_moves_visible(build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2))
    True
    """
    # In a large tree, count only: with perfect information, each decision node has its own information set
    if tree.history_count > MAX_QUICK_HISTORIES:
        return tree.history_count - tree.actor.count(TERMINAL) - tree.actor.count(CHANCE) == len(tree.infosets)
    return has_observed_actions(tree)


def find_likeliest_path(tree: Tree, strategy: Strategy, nodes: Sequence[int]) -> list[int]:
    """Return the visible nodes on the most probable path, for each outcome of chance moves.

    `nodes` has parents before children. If several actions are equally probable, the first of them is taken.

    >>> from durak_widget.gametheory.tree import TerminalNode, DecisionNode, build_tree
    >>> tree = build_tree("", {"": DecisionNode(0, "begins", [("l", "l"), ("r", "r")]), "l": TerminalNode((1, -1)), "r": TerminalNode((0, 0))}.__getitem__, player_count=2)
    >>> from durak_widget.gametheory.strategy import Strategy
    >>> find_likeliest_path(tree, Strategy.from_mapping(tree, {"begins": "r"}), [0, 1, 2])
    [0, 2]
    """
    reached, path = {0}, [0]
    likeliest: dict[int, int] = {}
    for node in nodes:
        parent = tree.parent[node]
        if parent not in reached:
            continue
        index, action = tree.infoset_of[parent], node - tree.first_child[parent]
        if tree.actor[parent] == CHANCE:
            is_on_path = tree.chance_moves[index].probabilities[action] > 0
        else:
            row = strategy.rows[index]
            if index not in likeliest:
                likeliest[index] = max(range(len(row)), key=row.__getitem__)
            is_on_path = action == likeliest[index]
        if is_on_path:
            reached.add(node)
            path.append(node)
    return path


def rescale_probabilities(row: Sequence[Number], action: int, new_probability: Fraction) -> tuple[Fraction, ...]:
    """Set one action's probability, and scale the others so that the sum stays 1.

    If all other probabilities were 0, they become equal. The sum is exactly 1.

    >>> rescale_probabilities([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], 0, Fraction(1, 4))
    (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    >>> rescale_probabilities([Fraction(1), Fraction(0), Fraction(0)], 0, Fraction(1, 2))
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    """
    if len(row) == 1:
        return (Fraction(1),)
    fixed = [Fraction(0) if index == action else _simplify_fraction(Fraction(weight)) for index, weight in enumerate(row)]
    total = sum(fixed)
    remaining = 1 - new_probability
    rescaled = [remaining * weight / total if total else remaining / (len(row) - 1) for weight in fixed]
    return tuple([new_probability if index == action else weight for index, weight in enumerate(rescaled)])


def _simplify_fraction(fraction: Fraction) -> Fraction:
    """Round a fraction whose denominator is too large; return any other fraction unchanged."""
    return fraction if fraction.denominator <= MAX_DENOMINATOR else fraction.limit_denominator(SIMPLE_DENOMINATOR)


def change_probability(tree: Tree, strategy: Strategy, infoset: int, action: int, new_probability: Fraction) -> Strategy:
    """Return a copy of a strategy with one changed probability, in exact fractions."""
    record = tree.infosets[infoset]
    if len(record.actions) == 1 and new_probability != 1:
        raise RefusedError("board.refused.one_move")
    rows = list(round_strategy(tree, strategy).rows)
    rows[infoset] = rescale_probabilities(rows[infoset], action, new_probability)
    return build_unchecked_strategy(tree.infosets, rows)


def compute_game_value(tree: Tree, solution: Solution | None = None) -> Number | None:
    """Return the first player's value of a two-player zero-sum game; None if it is unknown.

    The value is taken from a solution that proves it; otherwise, it is computed.

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
