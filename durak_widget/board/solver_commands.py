"""Commands for solving a tree: solutions, best responses, your strategy, the logit path.

People and code give them. Slow work runs in the background.
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
"""The key of a background job whose result is used even if the strategies have changed since it started."""
_REQUESTABLE_METHODS: Final = (*METHODS, "answer")
"""The solving methods that a user can request."""
_SUGGESTED_METHODS: Final = {"backward", "lp", "plans"}
"""Methods that an error message can suggest for a game; for any other game, it suggests listing the equilibria."""


class SolverPanel:
    """The solution of a tree and the user's own strategy, with what the page shows of both."""

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
        """Return the solution of the tree that a solver found."""
        return self.strategies.solution

    @property
    def strategy(self) -> Strategy | None:
        """Return the user's own strategy if there is one, otherwise the shown strategy."""
        return self.strategies.own_strategy or self.strategies.shown_strategy

    @property
    def exploitability(self) -> Number | None:
        """Return how far the value guaranteed by the user's strategy is below the best value.

        None if there is no own strategy, or if the value of the game is not known.
        """
        return self.strategies.exploitability

    def solve(self, method: str | None = None) -> None:
        """Solve the game now, by a given method or the most suitable one; show the solution."""
        if method is None:
            self.strategies.solution = solve_or_explain(self.view.tree, self.strategies.methods[0])
        else:
            self.strategies.solve(method)
        self.view.refresh("solution")

    def select_equilibrium(self, index: object) -> None:
        """Show another equilibrium of the list that was found."""
        self.strategies.select_equilibrium(index)
        self.view.refresh("solution")

    def mark_best_responses(self, player: int | None) -> None:
        """Mark a player's best responses to the shown strategy; None removes the marks."""
        self.strategies.mark_best_responses(player)
        self.view.refresh("solution")

    def set_own_strategy(self, strategy: Strategy | None) -> None:
        """Set the user's own strategy."""
        self._find_settable_player()
        self.strategies.set_own_strategy(strategy, mark_responses=self.view.question is None)
        self._on_own_strategy_changed()

    def set_probability(self, infoset: object, action: object, new_probability: object) -> None:
        """Set the probability of one action in the user's own strategy."""
        task = self.view.question
        if task is not None and task.is_over:
            raise RefusedError("board.refused.over")
        self.strategies.set_probability(
            infoset, action, new_probability, only_player=self._find_settable_player(), mark_responses=task is None
        )
        self._on_own_strategy_changed()

    def _find_settable_player(self) -> int | None:
        """Return the player whose strategy the question lets the user set; None for any player."""
        task = self.view.question
        question = task.to_message() if task is not None and task.question_kind == "strategy" else {}
        player = question.get("seat")
        if not isinstance(player, int):
            return None
        self.strategies.set_own_player(player, others_given=question.get("against") is True)
        return player

    def forget_own_strategy(self) -> None:
        """Delete the user's own strategy."""
        self.strategies.forget_own_strategy()
        self._on_own_strategy_changed()

    def start_own_strategy(self) -> None:
        """Start the user's own strategy as a copy of the shown one, or uniform, and show it."""
        self.strategies.start_own_strategy(mark_responses=self.view.question is None)
        self._on_own_strategy_changed()

    def show_strategy(self, kind: object) -> None:
        """Show the solution, the user's own strategy, or the strategy that CFR+ has learned."""
        self.strategies.show_strategy(kind)
        self.view.refresh("solution")

    def set_learned_strategy(self, strategy: Strategy | None) -> None:
        """Set the strategy that CFR+ has learned so far; None removes it."""
        self.strategies.set_learned_strategy(strategy)
        self.view.refresh("solution")

    def start_solving(self, method: object) -> None:
        """Solve the game in the background, and show the solution when it is found."""
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
        """Compute the logit path now, and show its point nearest to a given λ, or its end."""
        path = self.strategies.logit_path or build_logit_path_view(self.view.tree, self.strategies.equilibrium_list)
        path.go_to(len(path.points) - 1 if rationality is None else path.find_nearest(rationality))
        self.strategies.show_logit_path(path)
        self.view.refresh("solution")

    def show_logit_path(self, shown: bool) -> None:  # noqa: FBT001 - shown or not
        """Compute the logit path in the background and show it, or hide it."""
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
        self.is_computing_path = False
        self.strategies.show_logit_path(path)
        self.view.refresh("solution")

    def _on_path_failed(self, error: Exception) -> None:
        self.is_computing_path = False
        self.view.report_error(error)
        self.view.refresh("solution")

    def go_to_path_point(self, index: object) -> None:
        """Show another point of the logit path."""
        self.strategies.go_to_path_point(index)
        self.view.refresh("solution")

    def path_to_message(self) -> dict[str, Any]:
        """Return the trait `path`: the probability of each action along the logit path.

        {} if the path is hidden or a question is asked.
        """
        path, tree = self.strategies.logit_path, self.view.tree
        if path is None or self.view.question is not None:
            return {}
        infosets = dict.fromkeys(tree.infoset_of[node] for node in self.view.expansion.shown_nodes if tree.actor[node] >= 0)
        return path.to_message(self.view.wording, list(infosets))

    def solution_to_message(self) -> dict[str, Any]:
        """Return the trait `solution` for the shown nodes; {} if there is no strategy to show."""
        view, plays, values, beliefs = self.view, self.strategies, self._are_values_shown, self._are_beliefs_shown
        if self._has_missing_results:
            compute = plays.prepare_work(values=values, beliefs=beliefs)
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
        shown = view.expansion.shown_nodes
        asked_player, is_withheld = self._find_asked_player(), self._is_answer_withheld()
        key = (
            plays.version,
            values,
            beliefs,
            view.language,
            plays.find_missing_results(values=values, beliefs=beliefs) is not None,
            asked_player,
            is_withheld,
        )
        if key != self._message_key or shown is not self._cached_nodes:
            self._message_key, self._cached_nodes = key, shown
            message = trait.strategy_to_message(
                plays, shown, values=values, beliefs=beliefs, names=view.wording.player_names, language=view.language
            )
            message = trait.remove_evaluations(message) if is_withheld else message
            self._cached_message = message if asked_player is None else trait.keep_probabilities_of_player(message, view.tree, asked_player)
        return self._cached_message

    def _is_answer_withheld(self) -> bool:
        """Return True if an open question asks for a secret answer, which must not be revealed."""
        task = self.view.question
        return task is not None and task.to_message().get("kept") is True

    def _find_asked_player(self) -> int | None:
        """Return the player whose strategy a question asks for, if no other strategies are given."""
        task = self.view.question
        question = task.to_message() if task is not None and task.question_kind == "strategy" else {}
        player = question.get("seat")
        return player if isinstance(player, int) and not question.get("against") else None

    def answer_to_message(self) -> dict[str, Any]:
        """Return the trait `answer`: a description of the list of equilibria.

        {} if there is no list of equilibria, or if a question is asked.
        """
        answer, names = self.strategies.equilibrium_list, self.view.wording
        if answer is None or self.view.question is not None:
            return {}
        if self._cached_answer is None or self._cached_answer[:2] != (answer, names):
            self._cached_answer = (answer, names, equilibrium_view_model.answer_to_message(answer, names))
        return {**self._cached_answer[2], "at": self.strategies.selected_index if self.strategies.shown_kind == "solution" else None}

    def solving_to_message(self) -> dict[str, Any]:
        """Return the trait `solving`: the available methods, and the running computation."""
        plays = self.strategies
        return {
            "methods": list(plays.methods),
            "hidden": plays.has_hidden_moves,
            "there": list(plays.available_kinds),
            "solving": self.running_method,
            "step": plays.logit_path.current_index if plays.logit_path is not None and plays.shown_kind == "path" else None,
            "busy": bool(self.running_method) or self.is_computing_path or self._has_missing_results,
        }

    def close(self) -> None:
        """Stop all background work of the solver panel."""
        self._jobs.stop()

    @property
    def _are_values_shown(self) -> bool:
        """Return True if the values of nodes are shown.

        For a large tree they are left out while it learns, because they would slow it down.
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
        """Return True if beliefs are shown: on request, or by default with equilibria or a path.

        Never while a question is asked.
        """
        wanted, has_equilibrium = self.view.beliefs, self.strategies.equilibrium_list is not None or self.strategies.shown_kind == "path"
        return self.view.question is None and (wanted == "on" or (wanted == "auto" and has_equilibrium))

    @property
    def _has_missing_results(self) -> bool:
        """Return True if a result for the shown strategy is missing and may be computed."""
        return (
            not self._is_answer_withheld()
            and self.strategies.version != self._failed_version
            and self.strategies.find_missing_results(values=self._are_values_shown, beliefs=self._are_beliefs_shown) is not None
        )

    def _give_up_work(self, error: Exception) -> None:
        """Report a failed computation, and don't try it again until the strategies change.

        Otherwise every later action on the tree would fail for the same reason.
        """
        self.view.report_error(error)
        self.strategies.best_response_player = None
        self._failed_version = self.strategies.version

    def _on_work_failed(self, error: Exception) -> None:
        self._give_up_work(error)
        self.view.refresh("solution")

    def _on_work_done(self, store_results: Callable[[], None]) -> None:
        store_results()
        self.view.refresh("solution")

    def _on_solution_found(self, solution: Solution) -> None:
        self.running_method = ""
        self.strategies.solution = solution
        self.view.refresh("solution")

    def _on_solving_failed(self, error: Exception) -> None:
        self.running_method = ""
        self.view.report_error(error)
        self.view.refresh("solution")

    def _on_own_strategy_changed(self) -> None:
        """Update the page and any open question after the user's own strategy changed."""
        self.view.refresh("solution", *(("task",) if self.view.question is not None else ()))


def solve_or_explain(tree: Tree, method: str) -> Solution:
    """Solve a tree by a given method.

    If the method can't solve it, the error names one that can. If no method can, the list of equilibria is the
    answer.
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


def handle_choose(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - the widget, whose messages these are
    """Handle the message `choose`: show another of the listed equilibria."""
    view.solver_panel.select_equilibrium(message.get("place"))


def handle_path(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle the message `path`: show or hide the logit path."""
    view.solver_panel.show_logit_path(get_flag(message, "on"))


def handle_rational(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle the message `rational`: show another point of the logit path."""
    view.solver_panel.go_to_path_point(message.get("to"))


def handle_solve(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle the message `solve`: solve the tree by a given method."""
    view.solver_panel.start_solving(message.get("method"))


def handle_best(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle the message `best`: mark a player's best responses; null removes the marks."""
    view.solver_panel.mark_best_responses(message.get("seat"))


def handle_likely(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle the message `likely`: set the probability of one action in the user's strategy."""
    view.solver_panel.set_probability(message.get("set"), message.get("move"), message.get("to"))


def handle_forget(view: Any, _: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle the message `forget`: delete the user's own strategy."""
    view.solver_panel.forget_own_strategy()


def handle_own_strategy(view: Any, _: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle the message `own`: start the user's own strategy, and show it."""
    view.solver_panel.start_own_strategy()


def handle_show(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle the message `show`: show the solution, the user's own strategy or another one."""
    view.solver_panel.show_strategy(message.get("which"))
