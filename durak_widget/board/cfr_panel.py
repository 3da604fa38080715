"""Runs the learning algorithm CFR+ on a tree, and shows the strategy in the tree widget."""

from __future__ import annotations

from math import log
from threading import RLock
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from durak_widget.board.number_format import format_short_number
from durak_widget.errors import as_whole_number
from durak_widget.gametheory.cfr_plus_without_numpy import PurePythonCFR
from durak_widget.gametheory.game_properties import MAX_PURE_PYTHON_HISTORIES, is_zero_sum
from durak_widget.i18n import Translator
from durak_widget.optional_dependencies import explain_missing_packages, has_numpy_and_scipy
from durak_widget.translated_errors import RefusedError
from durak_widget.widgets.background_jobs import BackgroundJobs, Job

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.board.view_protocols import TreeView
    from durak_widget.gametheory.cfr_plus import CFR
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

UPDATE_SECONDS: Final = 0.125
"""The minimum time, in seconds, between two updates of the page while CFR+ is learning."""
MAX_PLOT_POINTS: Final = 200
"""The maximum number of points in the plot of exploitability."""
TARGET_EXPLOITABILITY: Final = 1e-6
"""CFR+ stops learning when it reaches this exploitability."""
MAX_ITERATIONS: Final = 1_000_000
"""CFR+ stops learning after this number of iterations."""


class LearningSession:
    """A run of CFR+ that shows the learned strategy on a tree widget; see `view.learn()`.

    Between two updates of the page, the number of iterations grows by a quarter. So the plot, which has logarithmic
    axes, grows evenly, and the first iterations, in which CFR+ learns most, are visible one by one.

    >>> from durak_widget import board, gametheory
    >>> tree = gametheory.from_efg('EFG 2 R "" { "a" "b" } p "" 1 1 "" { "h" "t" } 0 p "" 2 1 "" { "h" "t" } 0 t "" 1 "" { 1, -1 } t "" 2 "" { -1, 1 } p "" 2 1 0 t "" 2 t "" 1')
    >>> learning = board.Tree(tree).get_learner().step(100)
    >>> learning.iterations, learning.history[0][0], learning.exploitability < 0.01
    (100, 1, True)
    """

    def __init__(self, view: TreeView) -> None:
        if not is_zero_sum(view.tree):
            raise RefusedError("board.refused.unfit.learn")
        self.view = view
        self.running = False
        self.history: list[tuple[int, float]] = []
        """The measured exploitability of the learned strategy, each with its number of iterations."""
        self._cfr = _create_solver(view.tree)
        self._lock = RLock()
        self._jobs = BackgroundJobs(RLock(), lambda: None)
        self._job_number, self._slice_seconds, self._is_closed = 0, 0.0, False

    @property
    def iterations(self) -> int:
        """Return the number of CFR+ iterations that are done."""
        return self._cfr.iterations

    @property
    def exploitability(self) -> float:
        """Return the last computed exploitability of the learned strategy; infinity at first."""
        return self.history[-1][1] if self.history else float("inf")

    @property
    def strategy(self) -> Strategy:
        """Return the average strategy of both players that CFR+ has learned so far."""
        with self._lock:
            return self._cfr.strategy()

    @property
    def is_done(self) -> bool:
        """Return whether CFR+ has reached its target exploitability or its last iteration."""
        return bool(self.history) and (self.exploitability <= TARGET_EXPLOITABILITY or self.iterations >= MAX_ITERATIONS)

    def start(self) -> LearningSession:
        """Start learning in the background, until `stop` is called or CFR+ is done."""
        self._require_open()
        if not self.running and not self.is_done:
            self.running = True
            if not self._schedule_slice():
                self.running = False
                raise RefusedError("board.refused.alone", code="learning.step(n)")
        self.view.refresh("learning")
        return self

    def stop(self) -> LearningSession:
        """Stop learning; the tree still shows the learned strategy."""
        if self.running:
            self.running = False
            self.view.refresh("learning", "solution")
        return self

    def step(self, n: int = 1) -> LearningSession:
        """Stop learning in the background, and run `n` CFR+ iterations before returning."""
        number = self._parse_iterations(n)
        self.running = False
        self._job_number += 1
        self._run_iterations(self.iterations + number)
        self._show_strategy(self.strategy)
        return self

    def close(self) -> None:
        """Stop learning, free the memory, and remove the learned strategy from the tree widget."""
        if not self._is_closed:
            self._is_closed, self.running = True, False
            self._jobs.stop()

    # --- Messages to and from the page ---

    def to_message(self) -> dict[str, Any]:
        """Build the trait `learning`: the state of the CFR+ run, for the page."""
        if self._is_closed:
            return {}
        language = self.view.language
        number, exploitability = self.history[-1] if self.history else (0, None)
        key = "begins" if exploitability is None else "done" if self.is_done else "stands"
        facts = {} if exploitability is None else {"iterations": str(number), "lost": format_short_number(exploitability, language)}
        return {
            "points": [list(point) for point in thin_points(self.history)],
            "iterations": number,
            "exploitability": exploitability,
            "is_running": self.running,
            "is_done": self.is_done,
            "seconds": round(self._cfr.seconds, 2),
            "text": Translator(language).translate(f"board.learning.{key}", **facts),
        }

    def request_step(self, n: object) -> None:
        """Run `n` CFR+ iterations in the background, and update the page."""
        number = self._parse_iterations(n)
        self.running = False
        if not self._schedule_slice(self.iterations + number):
            self.step(number)
        self.view.refresh("learning")

    # --- Learning in the background ---

    def _require_open(self) -> None:
        """Raise an error if this run of CFR+ is already closed."""
        if self._is_closed:
            raise RefusedError("board.refused.closed", code="view.get_learner()")

    def _parse_iterations(self, n: object) -> int:
        """Return a requested number of CFR+ iterations; raise an error if the number is invalid."""
        self._require_open()
        number = as_whole_number(n)
        if number is None or not 1 <= number <= MAX_ITERATIONS:
            raise RefusedError("board.refused.steps")
        return number

    def _schedule_slice(self, goal: int | None = None) -> bool:
        """Start a background job that runs CFR+ for a short time; return whether the job started."""
        self._job_number += 1
        turn = self._job_number
        job = Job(
            name="learn",
            key=turn,
            current_key=lambda: turn,
            work=lambda: self._run_slice(goal),
            on_result=lambda strategy: self._on_slice_done(strategy, turn),
            on_error=self._on_slice_failed,
            on_late=lambda: None,
            get_delay=lambda: max(0.0, UPDATE_SECONDS - self._slice_seconds) if self.running and self.iterations else 0.0,
        )
        return self._jobs.start(job)

    def _run_slice(self, goal: int | None) -> Strategy:
        """Run CFR+ until the page needs its next update; return the strategy learned so far."""
        start_time = perf_counter()
        with self._lock:
            iterations = self.iterations
            if goal is not None:
                self._run_iterations(goal)
            elif self.running:  # If the user stopped CFR+ before this job began, run no iterations
                self._run_iterations(min(max(iterations + 1, iterations * 5 // 4), MAX_ITERATIONS), UPDATE_SECONDS)
            strategy = self._cfr.strategy()
        self._slice_seconds = perf_counter() - start_time
        return strategy

    def _run_iterations(self, goal: int, seconds: float | None = None) -> None:
        """Run CFR+ up to iteration `goal` or for `seconds`, and record the exploitability.

        The exploitability is computed each time the number of iterations has grown by 10 %.
        """
        with self._lock:
            deadline = None if seconds is None else perf_counter() + seconds
            while (iterations := self.iterations) < goal:
                seconds_left = None if deadline is None else max(deadline - perf_counter(), 0.0)
                self._cfr.run(min(goal, max(iterations + 1, iterations * 11 // 10)) - iterations, seconds=seconds_left)
                self.history.append((self.iterations, self._cfr.exploitability()))
                if deadline is not None and perf_counter() >= deadline:
                    break

    def _on_slice_done(self, strategy: Strategy, job_number: int) -> None:
        """Show the strategy that a background job has learned; start the next job if needed."""
        if self._is_closed or job_number != self._job_number:  # A newer job has replaced this job, so this result is out of date
            return
        if self.is_done:
            self.running = False
        self._show_strategy(strategy)
        if self.running:
            self._schedule_slice()

    def _show_strategy(self, strategy: Strategy) -> None:
        """Show a learned strategy, and the strategy's exploitability, on the tree."""
        self.view.solver_panel.set_learned_strategy(strategy)
        self.view.refresh("learning")

    def _on_slice_failed(self, error: Exception) -> None:
        """Stop learning, because a background job has failed, and report the error."""
        self.running = False
        self.view.report_error(error)
        self.view.refresh("learning")

    def __repr__(self) -> str:
        return f"<LearningSession: {self.to_message().get('text', 'closed')}>"


def thin_points(points: Sequence[tuple[int, float]], max_points: int = MAX_PLOT_POINTS) -> list[tuple[int, float]]:
    """Return at most `max_points` of a plot's points; keep the first and the last point.

    >>> thin_points([(number, 1 / number) for number in range(1, 1001)], 4)
    [(1, 1.0), (10, 0.1), (100, 0.01), (1000, 0.001)]
    """
    if len(points) <= max_points:
        return list(points)
    spacing = log(points[-1][0] / points[0][0]) / (max_points - 1)
    chosen = [points[0]]
    for point in points[1:-1]:
        if log(point[0] / points[0][0]) >= len(chosen) * spacing - 1e-9 and len(chosen) < max_points - 1:
            chosen.append(point)
    return [*chosen, points[-1]]


def handle_learn(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - a tree widget
    """Handle the message `learn`; its key `command` is `start`, `stop`, `step` or `close`."""
    command = message.get("command")
    if command == "close":
        view.discard_learner()
    elif command == "stop":
        view.get_learner().stop()
    elif command == "start":
        view.get_learner().start()
    elif command == "step":
        view.get_learner().request_step(message.get("number", 1))
    else:
        raise RefusedError("board.refused.learn", code="start, stop, step, close")


def _create_solver(tree: Tree) -> CFR | PurePythonCFR:
    """Create a CFR+ solver; for a small tree, numpy is not required."""
    if tree.history_count <= MAX_PURE_PYTHON_HISTORIES and not has_numpy_and_scipy():
        return PurePythonCFR(tree)
    with explain_missing_packages():
        from durak_widget.gametheory.cfr_plus import CFR  # noqa: PLC0415 - needs numpy
    return CFR(tree)
