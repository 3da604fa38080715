"""Commands on a tree's solution, best responses, own strategy and logit path.

People and code give them. Slow work runs in the background.
"""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any, Final

from durak_widget.board import equilibrium_view_model
from durak_widget.board import strategy_view_model as trait
from durak_widget.board.logit_path_view_model import followed
from durak_widget.board.message_parsing import flag
from durak_widget.board.strategy_state import QUICK, Strategies
from durak_widget.errors import DurakError
from durak_widget.gametheory.game_properties import fit, method_takes
from durak_widget.gametheory.solver_selection import solve as solve_game
from durak_widget.gametheory.tree import TreeError
from durak_widget.gametheory.zero_sum_solver import METHODS, hides
from durak_widget.translated_errors import RefusedError
from durak_widget.widgets.background_jobs import Job, Jobs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from durak_widget.board.logit_path_view_model import LogitWay
    from durak_widget.board.tree_wording import Names
    from durak_widget.board.view_protocols import TreeView
    from durak_widget.gametheory.solver_selection import GameAnswer
    from durak_widget.gametheory.strategy import Number, Strategy
    from durak_widget.gametheory.tree import Tree
    from durak_widget.gametheory.zero_sum_solver import Solution

_ALWAYS: Final = 0
"""The key of a job whose result is always used."""
_ASKED: Final = (*METHODS, "answer")
"""The methods that can be requested."""
_METHODICAL: Final = {"backward", "lp", "plans"}
"""Methods that an error message can suggest for a game; any other game gets the list of equilibria."""


class Solved:
    """The solution and the own strategy of a tree, and what is shown of them; one per view."""

    def __init__(self, view: TreeView, solution: Solution | None) -> None:
        self.view = view
        self.plays = Strategies(view.tree, solution)
        self._unworkable = -1
        """The version of the strategies for which some result can't be computed."""
        self.solving = ""
        """The method that is solving the tree now."""
        self.following = False
        """True while the logit path is being computed."""
        self._jobs = Jobs(RLock(), lambda: None)
        self._key: object = None
        self._listed: tuple[GameAnswer, Names, dict[str, Any]] | None = None
        self._shown: list[int] = []
        self._told: dict[str, Any] = {}

    @property
    def solution(self) -> Solution | None:
        """Return the solution that a solver found."""
        return self.plays.solution

    @property
    def strategy(self) -> Strategy | None:
        """Return the own strategy if there is one, otherwise the shown one."""
        return self.plays.own or self.plays.shown

    @property
    def exploitability(self) -> Number | None:
        """Return the exploitability of the own strategy.

        None if there is no own strategy, or if the value of the game is not known.
        """
        return self.plays.exploitability

    def solve(self, method: str | None = None) -> None:
        """Solve the game now, by the most suitable method if none is given, and show the solution."""
        if method is None:
            self.plays.solution = fitting(self.view.tree, self.plays.methods[0])
        else:
            self.plays.solve(method)
        self.view.paint("solution")

    def choose(self, place: object) -> None:
        """Show another of the equilibria that were found."""
        self.plays.choose(place)
        self.view.paint("solution")

    def best(self, seat: int | None) -> None:
        """Mark a player's best responses to the shown strategy; None: remove the marks."""
        self.plays.best(seat)
        self.view.paint("solution")

    def play(self, strategy: Strategy | None) -> None:
        """Set the own strategy."""
        self._belongs()
        self.plays.set_own(strategy, mark=self.view.task is None)
        self._changed()

    def likely(self, place: object, move: object, to: object) -> None:
        """Set the probability of one action in the own strategy."""
        task = self.view.task
        if task is not None and task.over:
            raise RefusedError("board.refused.over")
        self.plays.likely(place, move, to, only=self._belongs(), mark=task is None)
        self._changed()

    def _belongs(self) -> int | None:
        """Return the only player whose strategy the question allows to set; None if all."""
        task = self.view.task
        question = task.shown() if task is not None and task.asks == "strategy" else {}
        player = question.get("seat")
        if not isinstance(player, int):
            return None
        self.plays.whose(player, met=question.get("against") is True)
        return player

    def forget(self) -> None:
        """Forget the own strategy."""
        self.plays.forget()
        self._changed()

    def begin(self) -> None:
        """Start an own strategy as a copy of the shown one, or uniform; show it if there is one."""
        self.plays.begin(mark=self.view.task is None)
        self._changed()

    def show(self, which: object) -> None:
        """Show the solution, the own strategy, or the learned one."""
        self.plays.show(which)
        self.view.paint("solution")

    def learned(self, strategy: Strategy | None) -> None:
        """Take the strategy learned so far; None to forget it."""
        self.plays.learned(strategy)
        self.view.paint("solution")

    def ask(self, method: object) -> None:
        """Solve the game in the background, and show the solution when it is found."""
        name = self.plays.methods[0] if method is None else method
        if not isinstance(name, str) or name not in _ASKED:
            raise RefusedError("board.refused.method", code=", ".join(_ASKED))
        job = Job(
            name="solve",
            key=name,
            now=lambda: self.solving,
            work=lambda: fitting(self.view.tree, name),
            heard=self._found,
            failed=self._failed,
            late=lambda: None,
        )
        self.solving = name
        self.view.paint("solution")
        if not self._jobs.start(job):
            self._jobs.do(job)

    def logit(self, rationality: float | None = None) -> None:
        """Compute the logit path now, and show its point nearest to a λ, or its end."""
        path = self.plays.way or followed(self.view.tree, self.plays.answer)
        path.go(len(path.points) - 1 if rationality is None else path.nearest(rationality))
        self.plays.follow(path)
        self.view.paint("solution")

    def follow(self, on: bool) -> None:  # noqa: FBT001 - shown or not
        """Compute the logit path in the background and show it, or hide it."""
        if not on or self.plays.way is not None:
            self.following = False
            self.plays.follow(self.plays.way if on else None)
            return self.view.paint("solution")
        tree, answer = self.view.tree, self.plays.answer
        job = Job(
            name="path",
            key=True,
            now=lambda: self.following,
            work=lambda: followed(tree, answer),
            heard=self._came,
            failed=self._strayed,
            late=lambda: None,
        )
        self.following = True
        self.view.paint("solution")
        return None if self._jobs.start(job) else self._jobs.do(job)

    def _came(self, way: LogitWay) -> None:
        self.following = False
        self.plays.follow(way)
        self.view.paint("solution")

    def _strayed(self, error: Exception) -> None:
        self.following = False
        self.view.went_wrong(error)
        self.view.paint("solution")

    def walk(self, to: object) -> None:
        """Go to another point of the path."""
        self.plays.walk(to)
        self.view.paint("solution")

    def path(self) -> dict[str, Any]:
        """Return the trait `path`: the probability of each action along the logit path.

        {} if the path is hidden or a question is asked.
        """
        path, tree = self.plays.way, self.view.tree
        if path is None or self.view.task is not None:
            return {}
        infosets = dict.fromkeys(tree.info[node] for node in self.view.unfolded.shown if tree.actor[node] >= 0)
        return path.told(self.view.names, list(infosets))

    def told(self) -> dict[str, Any]:
        """Return the trait `solution` for the shown nodes; {} if there is nothing to show."""
        view, plays, values, beliefs = self.view, self.plays, self._values, self._beliefs
        if self._wants:
            compute = plays.work(values=values, beliefs=beliefs)
            job = Job("work", _ALWAYS, lambda: _ALWAYS, work=compute, heard=self._worked, failed=self._gave_up, late=lambda: None)
            if view.tree.histories <= QUICK or not self._jobs.start(job):
                try:
                    compute()()
                except DurakError as error:
                    self._give_up(error)
        shown = view.unfolded.shown
        asked_player, is_withheld = self._unknown(), self._keeps()
        key = (
            plays.version,
            values,
            beliefs,
            view.language,
            plays.wanting(values=values, beliefs=beliefs) is not None,
            asked_player,
            is_withheld,
        )
        if key != self._key or shown is not self._shown:
            self._key, self._shown = key, shown
            message = trait.told(plays, shown, values=values, beliefs=beliefs, names=view.names.seats, language=view.language)
            message = trait.unsaid(message) if is_withheld else message
            self._told = message if asked_player is None else trait.of_seat(message, view.tree, asked_player)
        return self._told

    def _keeps(self) -> bool:
        """Return True if the question withholds the answer, so that nothing may be said of it."""
        task = self.view.task
        return task is not None and task.shown().get("kept") is True

    def _unknown(self) -> int | None:
        """Return the player whose strategy is asked for, if the others' strategies are unknown."""
        task = self.view.task
        question = task.shown() if task is not None and task.asks == "strategy" else {}
        player = question.get("seat")
        return player if isinstance(player, int) and not question.get("against") else None

    def answered(self) -> dict[str, Any]:
        """Return the trait `answer`: the equilibria in words.

        {} if there is no list of equilibria, or if a question is asked.
        """
        answer, names = self.plays.answer, self.view.names
        if answer is None or self.view.task is not None:
            return {}
        if self._listed is None or self._listed[:2] != (answer, names):
            self._listed = (answer, names, equilibrium_view_model.told_of(answer, names))
        return {**self._listed[2], "at": self.plays.chosen if self.plays.which == "solution" else None}

    def offered(self) -> dict[str, Any]:
        """Return the trait `solving`: the available methods, and what is being computed."""
        plays = self.plays
        return {
            "methods": list(plays.methods),
            "hidden": plays.hidden,
            "there": list(plays.there),
            "solving": self.solving,
            "step": plays.way.at if plays.way is not None and plays.which == "path" else None,
            "busy": bool(self.solving) or self.following or self._wants,
        }

    def close(self) -> None:
        """Stop all background work."""
        self._jobs.end()

    @property
    def _values(self) -> bool:
        """Return True if node values are shown.

        For a large tree they are left out while it learns, because they would slow it down.
        """
        learner = self.view.learner
        return self.view.values and not (
            self.plays.which == "learning" and learner is not None and learner.running and self.view.tree.histories > QUICK
        )

    @property
    def _beliefs(self) -> bool:
        """Return True if beliefs are shown: if wanted, or by default with equilibria or a path.

        Never while a question is asked.
        """
        wanted, has_equilibrium = self.view.beliefs, self.plays.answer is not None or self.plays.which == "path"
        return self.view.task is None and (wanted == "on" or (wanted == "auto" and has_equilibrium))

    @property
    def _wants(self) -> bool:
        """Return True if some result is still missing and can be computed."""
        return (
            not self._keeps()
            and self.plays.version != self._unworkable
            and self.plays.wanting(values=self._values, beliefs=self._beliefs) is not None
        )

    def _give_up(self, error: Exception) -> None:
        """Report work that failed, and don't try it again for this version.

        Otherwise every later action on the tree would fail for the same reason.
        """
        self.view.went_wrong(error)
        self.plays.best_of = None
        self._unworkable = self.plays.version

    def _gave_up(self, error: Exception) -> None:
        self._give_up(error)
        self.view.paint("solution")

    def _worked(self, take: Callable[[], None]) -> None:
        take()
        self.view.paint("solution")

    def _found(self, solution: Solution) -> None:
        self.solving = ""
        self.plays.solution = solution
        self.view.paint("solution")

    def _failed(self, error: Exception) -> None:
        self.solving = ""
        self.view.went_wrong(error)
        self.view.paint("solution")

    def _changed(self) -> None:
        """Update the page after a change of the own strategy; a question may react to it too."""
        self.view.paint("solution", *(("task",) if self.view.task is not None else ()))


def fitting(tree: Tree, method: str) -> Solution:
    """Solve the tree by a method.

    If the method can't solve it, the error names one that can. If no method can, the list of equilibria is the
    answer.
    """
    try:
        return solve_game(tree, method)
    except TreeError as error:
        if method == "answer":
            raise RefusedError("board.refused.answer") from error
        if method_takes(tree, method):
            raise
        kind = fit(tree)
        if kind in _METHODICAL:
            raise RefusedError(f"board.refused.unfit.{'hidden' if kind == 'backward' and hides(tree) else kind}") from error
    return fitting(tree, "answer")


def choose(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - the widget, whose messages these are
    """Handle `choose {place}`."""
    view.solved.choose(message.get("place"))


def follow(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle `path {on}`."""
    view.solved.follow(flag(message, "on"))


def walk(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle `rational {to}`: go to a point of the path."""
    view.solved.walk(message.get("to"))


def solve(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle `solve {method}`."""
    view.solved.ask(message.get("method"))


def best(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle `best {seat}`; null removes the marks."""
    view.solved.best(message.get("seat"))


def likely(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle `likely {set, move, to}`."""
    view.solved.likely(message.get("set"), message.get("move"), message.get("to"))


def forget(view: Any, _: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle `forget`."""
    view.solved.forget()


def own(view: Any, _: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle `own`."""
    view.solved.begin()


def show(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """Handle `show {which}`."""
    view.solved.show(message.get("which"))
