"""A solution, best responses and one's own strategy on a tree in the notebook: what a person or code asks for, and what takes time beside it."""

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
"""The moment of a job that is heard whenever it ends."""
_ASKED: Final = (*METHODS, "answer")
"""How a tree may be solved here."""
_METHODICAL: Final = {"backward", "lp", "plans"}
"""What may be said to fit a game: what else there is answers it by itself."""


class Solved:
    """The solution of a tree, one's own strategy for it, and what of them is shown: one for each view."""

    def __init__(self, view: TreeView, solution: Solution | None) -> None:
        self.view = view
        self.plays = Strategies(view.tree, solution)
        self._unworkable = -1
        """The version of what is known of which not all can be worked out."""
        self.solving = ""
        """The method by which the tree is being solved."""
        self.following = False
        """Whether the logit path is being followed."""
        self._jobs = Jobs(RLock(), lambda: None)
        self._key: object = None
        self._listed: tuple[GameAnswer, Names, dict[str, Any]] | None = None
        self._shown: list[int] = []
        self._told: dict[str, Any] = {}

    @property
    def solution(self) -> Solution | None:
        """What a solver found."""
        return self.plays.solution

    @property
    def strategy(self) -> Strategy | None:
        """One's own strategy where there is one, else what is shown."""
        return self.plays.own or self.plays.shown

    @property
    def exploitability(self) -> Number | None:
        """What one's own strategy gives away; None where there is none, or where what the game is worth is not known."""
        return self.plays.exploitability

    def solve(self, method: str | None = None) -> None:
        """Solve the game here and now, and show that; by the fittest method where none is named."""
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
        """Mark the best responses of a seat to the strategy that is shown; None: none."""
        self.plays.best(seat)
        self.view.paint("solution")

    def play(self, strategy: Strategy | None) -> None:
        """Make this one's own strategy."""
        self._belongs()
        self.plays.set_own(strategy, mark=self.view.task is None)
        self._changed()

    def likely(self, place: object, move: object, to: object) -> None:
        """Make one move of an information set so likely in one's own strategy."""
        task = self.view.task
        if task is not None and task.over:
            raise RefusedError("board.refused.over")
        self.plays.likely(place, move, to, only=self._belongs(), mark=task is None)
        self._changed()

    def _belongs(self) -> int | None:
        """The one seat whose strategy an exercise asks for; None where all may be set."""
        task = self.view.task
        asked = task.shown() if task is not None and task.asks == "strategy" else {}
        seat = asked.get("seat")
        if not isinstance(seat, int):
            return None
        self.plays.whose(seat, met=asked.get("against") is True)
        return seat

    def forget(self) -> None:
        """Forget one's own strategy."""
        self.plays.forget()
        self._changed()

    def begin(self) -> None:
        """Begin a strategy of one's own: as what is shown, else with all moves alike; where there is one, show it."""
        self.plays.begin(mark=self.view.task is None)
        self._changed()

    def show(self, which: object) -> None:
        """Show the solution, one's own strategy, or what has been learned."""
        self.plays.show(which)
        self.view.paint("solution")

    def learned(self, strategy: Strategy | None) -> None:
        """What has been learned so far; None where it is forgotten."""
        self.plays.learned(strategy)
        self.view.paint("solution")

    def ask(self, method: object) -> None:
        """Solve the game beside the page, and show that when it is found."""
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
        """Follow the path of logit equilibria here and now, and show its point nearest to a λ, or its end."""
        way = self.plays.way or followed(self.view.tree, self.plays.answer)
        way.go(len(way.points) - 1 if rationality is None else way.nearest(rationality))
        self.plays.follow(way)
        self.view.paint("solution")

    def follow(self, on: bool) -> None:  # noqa: FBT001 - shown or not
        """Follow the path of logit equilibria beside the page, and show it when it is found; or no more."""
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
        """The trait `path`: how likely each move is along the path of logit equilibria; {} where it is not shown, or where something is asked."""
        way, tree = self.plays.way, self.view.tree
        if way is None or self.view.task is not None:
            return {}
        here = dict.fromkeys(tree.info[one] for one in self.view.unfolded.shown if tree.actor[one] >= 0)
        return way.told(self.view.names, list(here))

    def told(self) -> dict[str, Any]:
        """The trait `solution`: what is shown of all that, for the histories that are shown; {} where there is nothing."""
        view, plays, values, beliefs = self.view, self.plays, self._values, self._beliefs
        if self._wants:
            work = plays.work(values=values, beliefs=beliefs)
            job = Job("work", _ALWAYS, lambda: _ALWAYS, work=work, heard=self._worked, failed=self._gave_up, late=lambda: None)
            if view.tree.histories <= QUICK or not self._jobs.start(job):
                try:
                    work()()
                except DurakError as error:
                    self._give_up(error)
        shown = view.unfolded.shown
        only, kept = self._unknown(), self._keeps()
        key = (plays.version, values, beliefs, view.language, plays.wanting(values=values, beliefs=beliefs) is not None, only, kept)
        if key != self._key or shown is not self._shown:
            self._key, self._shown = key, shown
            told = trait.told(plays, shown, values=values, beliefs=beliefs, names=view.names.seats, language=view.language)
            told = trait.unsaid(told) if kept else told
            self._told = told if only is None else trait.of_seat(told, view.tree, only)
        return self._told

    def _keeps(self) -> bool:
        """Whether who asks something keeps the answer, and nothing is to be said of it."""
        task = self.view.task
        return task is not None and task.shown().get("kept") is True

    def _unknown(self) -> int | None:
        """The seat whose strategy an exercise asks for, where nothing is known of the others'."""
        task = self.view.task
        asked = task.shown() if task is not None and task.asks == "strategy" else {}
        seat = asked.get("seat")
        return seat if isinstance(seat, int) and not asked.get("against") else None

    def answered(self) -> dict[str, Any]:
        """The trait `answer`: the equilibria that were found, in words; {} where there is no such list, or where something is asked."""
        answer, names = self.plays.answer, self.view.names
        if answer is None or self.view.task is not None:
            return {}
        if self._listed is None or self._listed[:2] != (answer, names):
            self._listed = (answer, names, equilibrium_view_model.told_of(answer, names))
        return {**self._listed[2], "at": self.plays.chosen if self.plays.which == "solution" else None}

    def offered(self) -> dict[str, Any]:
        """The trait `solving`: what may be asked for, and what is being worked out."""
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
        """Nothing is worked out any more."""
        self._jobs.end()

    @property
    def _values(self) -> bool:
        """Whether values are told: of a large tree not of what is changed by a learner, which they would keep waiting."""
        learner = self.view.learner
        return self.view.values and not (
            self.plays.which == "learning" and learner is not None and learner.running and self.view.tree.histories > QUICK
        )

    @property
    def _beliefs(self) -> bool:
        """Whether beliefs are told: where that is wanted, else where equilibria are listed, or a path leads to one; never where something is asked."""
        wanted, found = self.view.beliefs, self.plays.answer is not None or self.plays.which == "path"
        return self.view.task is None and (wanted == "on" or (wanted == "auto" and found))

    @property
    def _wants(self) -> bool:
        """Whether something has still to be worked out, and can be."""
        return (
            not self._keeps()
            and self.plays.version != self._unworkable
            and self.plays.wanting(values=self._values, beliefs=self._beliefs) is not None
        )

    def _give_up(self, error: Exception) -> None:
        """What cannot be worked out is asked for once: whatever is done next on the tree must not fail for it again."""
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
        """One's own strategy is another now: whoever asks for one may have something to say of it."""
        self.view.paint("solution", *(("task",) if self.view.task is not None else ()))


def fitting(tree: Tree, method: str) -> Solution:
    """The tree solved; one that the method does not take is refused with the method that does, and where there is none it is answered all the same."""
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
    """`choose {place}`."""
    view.solved.choose(message.get("place"))


def follow(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """`path {on}`."""
    view.solved.follow(flag(message, "on"))


def walk(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """`rational {to}`: a point of the path."""
    view.solved.walk(message.get("to"))


def solve(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """`solve {method}`."""
    view.solved.ask(message.get("method"))


def best(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """`best {seat}`; null: none."""
    view.solved.best(message.get("seat"))


def likely(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """`likely {set, move, to}`."""
    view.solved.likely(message.get("set"), message.get("move"), message.get("to"))


def forget(view: Any, _: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """`forget`."""
    view.solved.forget()


def own(view: Any, _: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """`own`."""
    view.solved.begin()


def show(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - as above
    """`show {which}`."""
    view.solved.show(message.get("which"))
