"""Commands of a tree widget: solve, mark best responses, set a strategy, show logit paths.

Users and code give the commands. Slow work runs in the background.
"""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any, Final

from durak_widget.board import equilibrium_view_model
from durak_widget.board import strategy_view_model as trait
from durak_widget.board.logit_path_view_model import build_logit_path_view
from durak_widget.board.message_parsing import get_flag
from durak_widget.board.strategy_state import MAX_QUICK_HISTORIES, StrategyState
from durak_widget.errors import DurakError
from durak_widget.gametheory.game_properties import find_suitable_method, is_method_applicable
from durak_widget.gametheory.solver_selection import solve as solve_game
from durak_widget.gametheory.tree import TreeError
from durak_widget.gametheory.zero_sum_solver import METHODS, has_hidden_information
from durak_widget.i18n import use_card_letters
from durak_widget.translated_errors import RefusedError
from durak_widget.widgets.background_jobs import BackgroundJobs, Job

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from durak_widget.board.logit_path_view_model import LogitPathView
    from durak_widget.board.tree_wording import TreeWording
    from durak_widget.board.view_protocols import TreeView
    from durak_widget.gametheory.solver_selection import GameAnswer
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree
    from durak_widget.gametheory.zero_sum_solver import Solution

_CONSTANT_KEY: Final = 0
"""The key of a background job whose result stays valid when the strategies change."""
_REQUESTABLE_METHODS: Final = (*METHODS, "answer")
"""The solution methods that a user can choose."""
_SUGGESTED_METHODS: Final = {"backward", "lp", "plans"}
"""The methods that an error message may suggest; if no other method fits, the program lists the equilibria instead."""


class SolverPanel:
    """Solves a tree, and builds messages about the solution and the user's own strategy."""

    def __init__(self, view: TreeView, solution: Solution | None) -> None:
        self.view = view
        self.strategies = StrategyState(view.tree, solution)
        self._failed_version = -1
        """The version number of the strategies for which some computation failed."""
        self.running_method = ""
        """The name of the method that is solving the tree now; empty if no method is running."""
        self.is_computing_path = False
        """True while the path of logit equilibria is being computed."""
        self._jobs = BackgroundJobs(RLock(), lambda: None)
        self._message_key: object = None
        self._cached_answer: tuple[GameAnswer, TreeWording, dict[str, Any]] | None = None
        self._cached_nodes: list[int] = []
        self._cached_message: dict[str, Any] = {}

    @property
    def solution(self) -> Solution | None:
        """Return the solution that a solver found for the tree, or None."""
        return self.strategies.solution

    @property
    def strategy(self) -> Strategy | None:
        """Return the user's own strategy if there is one, otherwise the displayed strategy."""
        return self.strategies.own_strategy or self.strategies.shown_strategy

    @property
    def own_loss(self) -> Number | None:
        """Return how much less the user's own strategy guarantees than the best strategy does.

        Return None if there is no own strategy, or if the value of the game is unknown.
        """
        return self.strategies.own_loss

    def solve(self, method: str | None = None) -> None:
        """Solve the tree before returning, and show the solution; by default, choose a method."""
        if method is None:
            self.strategies.solution = solve_or_explain(self.view.tree, self.strategies.methods[0])
        else:
            self.strategies.solve(method)
        self.view.refresh("solution")

    def select_equilibrium(self, index: object) -> None:
        """Show the equilibrium that has a given index in the solution's list of equilibria."""
        self.strategies.select_equilibrium(index)
        self.view.refresh("solution")

    def mark_best_responses(self, player: int | None) -> None:
        """Mark a player's best responses to the displayed strategy; for None, remove the marks."""
        self.strategies.mark_best_responses(player)
        self.view.refresh("solution")

    def set_own_strategy(self, strategy: Strategy | None) -> None:
        """Replace the user's own strategy by a given strategy; for None, delete it."""
        self._find_settable_player()
        self.strategies.set_own_strategy(strategy, mark_responses=self.view.question is None)
        self._on_own_strategy_changed()

    def set_probability(self, infoset: object, action: object, new_probability: object) -> None:
        """Set the probability of one action in the user's own strategy."""
        question = self.view.question
        if question is not None and question.is_over:
            raise RefusedError("board.refused.over")
        self.strategies.set_probability(
            infoset, action, new_probability, only_player=self._find_settable_player(), mark_responses=question is None
        )
        self._on_own_strategy_changed()

    def _find_settable_player(self) -> int | None:
        """Return whose strategy the user may set during a question; None for all players.

        None means that the user may set the strategies of all players.
        """
        question = self.view.question
        question_message = question.to_message() if question is not None and question.question_kind == "strategy" else {}
        player = question_message.get("player")
        if not isinstance(player, int):
            return None
        self.strategies.set_own_player(player, others_known=question_message.get("against") is True)
        return player

    def delete_own_strategy(self) -> None:
        """Delete the user's own strategy."""
        self.strategies.delete_own_strategy()
        self._on_own_strategy_changed()

    def start_own_strategy(self) -> None:
        """Start the user's own strategy as a copy of the displayed strategy, or as a uniform one."""
        self.strategies.start_own_strategy(mark_responses=self.view.question is None)
        self._on_own_strategy_changed()

    def show_strategy(self, kind: object) -> None:
        """Choose which strategy the page shows: the solution, the user's own, or a learned one."""
        self.strategies.show_strategy(kind)
        self.view.refresh("solution")

    def set_learned_strategy(self, strategy: Strategy | None) -> None:
        """Show the strategy that CFR+ has learned so far; for None, remove it."""
        self.strategies.set_learned_strategy(strategy)
        self.view.refresh("solution")

    def start_solving(self, method: object) -> None:
        """Solve the game in the background, and then show the solution."""
        name = self.strategies.methods[0] if method is None else method
        if not isinstance(name, str) or name not in _REQUESTABLE_METHODS:
            raise RefusedError("board.refused.method", code=", ".join(_REQUESTABLE_METHODS))
        job = Job(
            name="solve",
            key=name,
            current_key=lambda: self.running_method,
            work=lambda: solve_or_explain(self.view.tree, name),
            on_result=self._on_solution_found,
            on_error=self._on_solving_failed,
            on_late=lambda: None,
        )
        self.running_method = name
        self.view.refresh("solution")
        if not self._jobs.start(job):
            self._jobs.run_now(job)

    def show_logit_equilibrium(self, rationality: float | None = None) -> None:
        """Compute the logit path, and show the point nearest to a given λ, or the path's end."""
        path = self.strategies.logit_path or build_logit_path_view(self.view.tree, self.strategies.equilibrium_list)
        path.go_to(len(path.points) - 1 if rationality is None else path.find_nearest(rationality))
        self.strategies.show_logit_path(path)
        self.view.refresh("solution")

    def show_logit_path(self, shown: bool) -> None:  # noqa: FBT001 - True to show it, False to hide it
        """Compute and show the logit path in the background, or hide the logit path."""
        if not shown or self.strategies.logit_path is not None:
            self.is_computing_path = False
            self.strategies.show_logit_path(self.strategies.logit_path if shown else None)
            return self.view.refresh("solution")
        tree, answer = self.view.tree, self.strategies.equilibrium_list
        job = Job(
            name="path",
            key=True,
            current_key=lambda: self.is_computing_path,
            work=lambda: build_logit_path_view(tree, answer),
            on_result=self._on_path_found,
            on_error=self._on_path_failed,
            on_late=lambda: None,
        )
        self.is_computing_path = True
        self.view.refresh("solution")
        return None if self._jobs.start(job) else self._jobs.run_now(job)

    def _on_path_found(self, path: LogitPathView) -> None:
        """Show the logit path that a background job has computed."""
        self.is_computing_path = False
        self.strategies.show_logit_path(path)
        self.view.refresh("solution")

    def _on_path_failed(self, error: Exception) -> None:
        """Report that a background job could not compute the logit path."""
        self.is_computing_path = False
        self.view.report_error(error)
        self.view.refresh("solution")

    def go_to_path_point(self, index: object) -> None:
        """Show another point of the logit path, given by its index."""
        self.strategies.go_to_path_point(index)
        self.view.refresh("solution")

    def path_to_message(self) -> dict[str, Any]:
        """Build the trait `path`: the probability of each action along the logit path.

        The trait is {} if the path is hidden, or during a question.
        """
        path, tree = self.strategies.logit_path, self.view.tree
        if path is None or self.view.question is not None:
            return {}
        infosets = dict.fromkeys(tree.infoset_of[node] for node in self.view.expansion.shown_nodes if tree.actor[node] >= 0)
        return path.to_message(self.view.wording, list(infosets))

    def solution_to_message(self) -> dict[str, Any]:
        """Build the trait `solution` for the visible nodes; {} if no strategy is displayed."""
        view, strategies, values, beliefs = self.view, self.strategies, self._are_values_shown, self._are_beliefs_shown
        if self._has_missing_results:
            compute = strategies.prepare_computation(values=values, beliefs=beliefs)
            job = Job(
                "work",
                _CONSTANT_KEY,
                lambda: _CONSTANT_KEY,
                work=compute,
                on_result=self._on_work_done,
                on_error=self._on_work_failed,
                on_late=lambda: None,
            )
            if view.tree.history_count <= MAX_QUICK_HISTORIES or not self._jobs.start(job):
                try:
                    compute()()
                except DurakError as error:
                    self._give_up_work(error)
        visible_nodes = view.expansion.shown_nodes
        asked_player, is_withheld = self._find_asked_player(), self._is_answer_withheld()
        key = (
            strategies.version,
            values,
            beliefs,
            view.language,
            view.wording.voice.card_letters,
            strategies.find_incomplete_results(values=values, beliefs=beliefs) is not None,
            asked_player,
            is_withheld,
        )
        if key != self._message_key or visible_nodes is not self._cached_nodes:
            self._message_key, self._cached_nodes = key, visible_nodes
            with use_card_letters(view.wording.voice.card_letters):
                message = trait.strategy_to_message(
                    strategies, visible_nodes, values=values, beliefs=beliefs, names=view.wording.player_names, language=view.language
                )
            message = trait.remove_evaluations(message) if is_withheld else message
            self._cached_message = message if asked_player is None else trait.keep_probabilities_of_player(message, view.tree, asked_player)
        return self._cached_message

    def _is_answer_withheld(self) -> bool:
        """Return whether results must stay hidden because the current question is graded later."""
        question = self.view.question
        return question is not None and question.to_message().get("is_grading_deferred") is True

    def _find_asked_player(self) -> int | None:
        """Return the player whose whole strategy the current question asks for, or None."""
        question = self.view.question
        question_message = question.to_message() if question is not None and question.question_kind == "strategy" else {}
        player = question_message.get("player")
        return player if isinstance(player, int) and not question_message.get("against") else None

    def answer_to_message(self) -> dict[str, Any]:
        """Build the trait `answer_view`: the list of equilibria in words.

        The trait is {} if there is no list of equilibria, or during a question.
        """
        answer, names = self.strategies.equilibrium_list, self.view.wording
        if answer is None or self.view.question is not None:
            return {}
        if self._cached_answer is None or self._cached_answer[:2] != (answer, names):
            self._cached_answer = (answer, names, equilibrium_view_model.answer_to_message(answer, names))
        return {
            **self._cached_answer[2],
            "selected_index": self.strategies.selected_index if self.strategies.shown_kind == "solution" else None,
        }

    def solving_to_message(self) -> dict[str, Any]:
        """Build the trait `solver_state`: the available methods, and any running computation."""
        strategies = self.strategies
        return {
            "methods": list(strategies.methods),
            "has_hidden_information": strategies.has_hidden_information,
            "available_kinds": list(strategies.available_kinds),
            "running_method": self.running_method,
            "path_index": strategies.logit_path.current_index
            if strategies.logit_path is not None and strategies.shown_kind == "path"
            else None,
            "is_busy": bool(self.running_method) or self.is_computing_path or self._has_missing_results,
        }

    def close(self) -> None:
        """Stop all computations of this panel that run in the background."""
        self._jobs.stop()

    @property
    def _are_values_shown(self) -> bool:
        """Return whether the page shows the values of nodes.

        They are left out while CFR+ learns on a large tree, because they would slow it down.
        """
        learner = self.view.learner
        return self.view.values and not (
            self.strategies.shown_kind == "learning"
            and learner is not None
            and learner.running
            and self.view.tree.history_count > MAX_QUICK_HISTORIES
        )

    @property
    def _are_beliefs_shown(self) -> bool:
        """Return whether the page shows beliefs; by default, only for equilibria.

        Beliefs are also shown by default with the logit path. They are never shown during a question.
        """
        setting, has_equilibrium = self.view.beliefs, self.strategies.equilibrium_list is not None or self.strategies.shown_kind == "path"
        return self.view.question is None and (setting == "on" or (setting == "auto" and has_equilibrium))

    @property
    def _has_missing_results(self) -> bool:
        """Return whether values or other results of the displayed strategy must still be computed."""
        return (
            not self._is_answer_withheld()
            and self.strategies.version != self._failed_version
            and self.strategies.find_incomplete_results(values=self._are_values_shown, beliefs=self._are_beliefs_shown) is not None
        )

    def _give_up_work(self, error: Exception) -> None:
        """Report an error in a computation, and do not repeat it until a strategy changes.

        Otherwise every later action on the tree would fail for the same reason.
        """
        self.view.report_error(error)
        self.strategies.best_response_player = None
        self._failed_version = self.strategies.version

    def _on_work_failed(self, error: Exception) -> None:
        """Report that a background job failed to compute values, beliefs or best responses."""
        self._give_up_work(error)
        self.view.refresh("solution")

    def _on_work_done(self, store_results: Callable[[], None]) -> None:
        """Store and show the values, beliefs and best responses from a background job."""
        store_results()
        self.view.refresh("solution")

    def _on_solution_found(self, solution: Solution) -> None:
        """Show the solution that a background job has found."""
        self.running_method = ""
        self.strategies.solution = solution
        self.view.refresh("solution")

    def _on_solving_failed(self, error: Exception) -> None:
        """Report that a background job could not solve the game."""
        self.running_method = ""
        self.view.report_error(error)
        self.view.refresh("solution")

    def _on_own_strategy_changed(self) -> None:
        """Update the page and any open question after the user's own strategy has changed."""
        self.view.refresh("solution", *(("question",) if self.view.question is not None else ()))


def solve_or_explain(tree: Tree, method: str) -> Solution:
    """Solve a tree by a given method; if this fails, raise an error that suggests another.

    If no method can solve the game, list its equilibria instead.
    """
    try:
        return solve_game(tree, method)
    except TreeError as error:
        if method == "answer":
            raise RefusedError("board.refused.answer") from error
        if is_method_applicable(tree, method):
            raise
        kind = find_suitable_method(tree)
        if kind in _SUGGESTED_METHODS:
            raise RefusedError(
                f"board.refused.unfit.{'hidden' if kind == 'backward' and has_hidden_information(tree) else kind}"
            ) from error
    return solve_or_explain(tree, "answer")


def handle_select_equilibrium(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - a tree widget
    """Handle the message `select_equilibrium`: show the equilibrium with a given index."""
    view.solver_panel.select_equilibrium(message.get("index"))


def handle_show_path(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - a tree widget
    """Handle the message `show_path`: show or hide the logit path."""
    view.solver_panel.show_logit_path(get_flag(message, "on"))


def handle_go_to_path_point(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - a tree widget
    """Handle the message `go_to_path_point`: show the point of the logit path at an index."""
    view.solver_panel.go_to_path_point(message.get("index"))


def handle_solve(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - a tree widget
    """Handle the message `solve`: solve the tree by a given method."""
    view.solver_panel.start_solving(message.get("method"))


def handle_mark_best_responses(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - a tree widget
    """Handle the message `mark_best_responses`: mark best responses, or remove all marks."""
    view.solver_panel.mark_best_responses(message.get("player"))


def handle_set_probability(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - a tree widget
    """Handle the message `set_probability`: set a probability in the user's own strategy."""
    view.solver_panel.set_probability(message.get("infoset"), message.get("action"), message.get("probability"))


def handle_delete_own_strategy(view: Any, _: Mapping[str, Any]) -> None:  # noqa: ANN401 - a tree widget
    """Handle the message `delete_own_strategy`: delete the user's own strategy."""
    view.solver_panel.delete_own_strategy()


def handle_start_own_strategy(view: Any, _: Mapping[str, Any]) -> None:  # noqa: ANN401 - a tree widget
    """Handle the message `start_own_strategy`: start the user's own strategy, and show it."""
    view.solver_panel.start_own_strategy()


def handle_show_strategy(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - a tree widget
    """Handle the message `show_strategy`: show the solution or the user's or learned strategy."""
    view.solver_panel.show_strategy(message.get("strategy"))
