"""CFR+ on the page: a strategy that changes as it learns, and its exploitability."""

from __future__ import annotations

from math import log
from threading import RLock
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from durak_widget.board.number_format import number_written
from durak_widget.errors import whole_number
from durak_widget.gametheory.cfr_plus_without_numpy import PlainCFR
from durak_widget.gametheory.game_properties import PLAIN, zero_sum
from durak_widget.i18n import Voice
from durak_widget.optional_dependencies import has_numpy_and_scipy, needing
from durak_widget.translated_errors import RefusedError
from durak_widget.widgets.background_jobs import Job, Jobs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.board.view_protocols import TreeView
    from durak_widget.gametheory.cfr_plus import CFR
    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.gametheory.tree import Tree

FRAME: Final = 0.125
"""The shortest time in seconds between two updates of the page."""
POINTS: Final = 200
"""The most points of the plot."""
ENOUGH: Final = 1e-6
"""Learning ends at this exploitability."""
MOST: Final = 1_000_000
"""Learning ends after this many iterations."""


class Learning:
    """A learning session on a view, made by `view.learn()`.

    Between two updates the iterations grow by a quarter. On a plot with logarithmic axes it advances evenly, and the
    first iterations, in which most is learned, are visible one by one.

    >>> from durak_widget import board, gametheory
    >>> tree = gametheory.from_efg('EFG 2 R "" { "a" "b" } p "" 1 1 "" { "h" "t" } 0 p "" 2 1 "" { "h" "t" } 0 t "" 1 "" { 1, -1 } t "" 2 "" { -1, 1 } p "" 2 1 0 t "" 2 t "" 1')
    >>> learning = board.Tree(tree).learn().step(100)
    >>> learning.iterations, learning.history[0][0], learning.exploitability < 0.01
    (100, 1, True)
    """

    def __init__(self, view: TreeView) -> None:
        if not zero_sum(view.tree):
            raise RefusedError("board.refused.unfit.learn")
        self.view = view
        self.running = False
        self.history: list[tuple[int, float]] = []
        """The exploitability after each checked number of iterations."""
        self._cfr = _learner(view.tree)
        self._lock = RLock()
        self._jobs = Jobs(RLock(), lambda: None)
        self._turn, self._used, self._closed = 0, 0.0, False

    @property
    def iterations(self) -> int:
        """Return the number of iterations so far."""
        return self._cfr.iterations

    @property
    def exploitability(self) -> float:
        """Return the exploitability of the learned strategy at the last check."""
        return self.history[-1][1] if self.history else float("inf")

    @property
    def strategy(self) -> Strategy:
        """Return the average strategy of both players."""
        with self._lock:
            return self._cfr.strategy()

    @property
    def done(self) -> bool:
        """Return True if learning is complete."""
        return bool(self.history) and (self.exploitability <= ENOUGH or self.iterations >= MOST)

    def start(self) -> Learning:
        """Learn in the background until `stop`, or until learning is complete."""
        self._open()
        if not self.running and not self.done:
            self.running = True
            if not self._go_on():
                self.running = False
                raise RefusedError("board.refused.alone", code="learning.step(n)")
        self.view.paint("learning")
        return self

    def stop(self) -> Learning:
        """Stop learning; the learned strategy stays on the tree."""
        if self.running:
            self.running = False
            self.view.paint("learning", "solution")
        return self

    def step(self, n: int = 1) -> Learning:
        """Run `n` iterations now; the result is deterministic."""
        number = self._steps(n)
        self.running = False
        self._turn += 1
        self._learn(self.iterations + number)
        self._show(self.strategy)
        return self

    def close(self) -> None:
        """Stop learning and release everything; the tree forgets what was learned."""
        if not self._closed:
            self._closed, self.running = True, False
            self._jobs.end()

    # For the page

    def told(self) -> dict[str, Any]:
        """Return the trait `learning`."""
        if self._closed:
            return {}
        language = self.view.language
        number, lost = self.history[-1] if self.history else (0, None)
        key = "begins" if lost is None else "done" if self.done else "stands"
        facts = {} if lost is None else {"iterations": str(number), "lost": number_written(lost, language)}
        return {
            "points": [list(point) for point in thinned(self.history)],
            "iterations": number,
            "exploitability": lost,
            "running": self.running,
            "done": self.done,
            "seconds": round(self._cfr.seconds, 2),
            "said": Voice(language).say(f"board.learning.{key}", **facts),
        }

    def ask(self, n: object) -> None:
        """Run `n` iterations in the background."""
        number = self._steps(n)
        self.running = False
        if not self._go_on(self.iterations + number):
            self.step(number)
        self.view.paint("learning")

    # Helpers

    def _open(self) -> None:
        if self._closed:
            raise RefusedError("board.refused.closed", code="view.learn()")

    def _steps(self, n: object) -> int:
        self._open()
        number = whole_number(n)
        if number is None or not 1 <= number <= MOST:
            raise RefusedError("board.refused.steps")
        return number

    def _go_on(self, goal: int | None = None) -> bool:
        """Schedule a slice of learning in the background; return False if that is not possible."""
        self._turn += 1
        turn = self._turn
        job = Job(
            name="learn",
            key=turn,
            now=lambda: turn,
            work=lambda: self._slice(goal),
            heard=lambda strategy: self._heard(strategy, turn),
            failed=self._failed,
            late=lambda: None,
            pause=lambda: max(0.0, FRAME - self._used) if self.running and self.iterations else 0.0,
        )
        return self._jobs.start(job)

    def _slice(self, goal: int | None) -> Strategy:
        """Learn between two updates, and return the strategy to show."""
        start_time = perf_counter()
        with self._lock:
            iterations = self.iterations
            if goal is not None:
                self._learn(goal)
            elif self.running:  # otherwise it was stopped while it paused
                self._learn(min(max(iterations + 1, iterations * 5 // 4), MOST), FRAME)
            strategy = self._cfr.strategy()
        self._used = perf_counter() - start_time
        return strategy

    def _learn(self, goal: int, seconds: float | None = None) -> None:
        """Learn up to an iteration or for some seconds; check after each tenth more iterations."""
        with self._lock:
            deadline = None if seconds is None else perf_counter() + seconds
            while (iterations := self.iterations) < goal:
                seconds_left = None if deadline is None else max(deadline - perf_counter(), 0.0)
                self._cfr.run(min(goal, max(iterations + 1, iterations * 11 // 10)) - iterations, seconds=seconds_left)
                self.history.append((self.iterations, self._cfr.exploitability()))
                if deadline is not None and perf_counter() >= deadline:
                    break

    def _heard(self, strategy: Strategy, turn: int) -> None:
        if self._closed or turn != self._turn:  # a newer step or start has replaced this job
            return
        if self.done:
            self.running = False
        self._show(strategy)
        if self.running:
            self._go_on()

    def _show(self, strategy: Strategy) -> None:
        self.view.solved.learned(strategy)
        self.view.paint("learning")

    def _failed(self, error: Exception) -> None:
        self.running = False
        self.view.went_wrong(error)
        self.view.paint("learning")

    def __repr__(self) -> str:
        return f"<Learning: {self.told().get('said', 'closed')}>"


def thinned(points: Sequence[tuple[int, float]], most: int = POINTS) -> list[tuple[int, float]]:
    """Return at most that many points: first, last, and points evenly spaced on a log axis.

    >>> thinned([(number, 1 / number) for number in range(1, 1001)], 4)
    [(1, 1.0), (10, 0.1), (100, 0.01), (1000, 0.001)]
    """
    if len(points) <= most:
        return list(points)
    spacing = log(points[-1][0] / points[0][0]) / (most - 1)
    chosen = [points[0]]
    for point in points[1:-1]:
        if log(point[0] / points[0][0]) >= len(chosen) * spacing - 1e-9 and len(chosen) < most - 1:
            chosen.append(point)
    return [*chosen, points[-1]]


def learn(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - the widget, whose messages these are
    """Handle `learn {what}`: start, stop, step or close."""
    command = message.get("what")
    if command == "close":
        view.unlearn()
    elif command == "stop":
        view.learn().stop()
    elif command == "start":
        view.learn().start()
    elif command == "step":
        view.learn().ask(message.get("n", 1))
    else:
        raise RefusedError("board.refused.learn", code="start, stop, step, close")


def _learner(tree: Tree) -> CFR | PlainCFR:
    """Return CFR+ with numpy; in plain Python if numpy is missing and the tree is small."""
    if tree.histories <= PLAIN and not has_numpy_and_scipy():
        return PlainCFR(tree)
    with needing():
        from durak_widget.gametheory.cfr_plus import CFR  # noqa: PLC0415 - it needs numpy
    return CFR(tree)
