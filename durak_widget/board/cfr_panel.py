"""CFR+ before one's eyes: a strategy on the tree that changes as it learns, and how exploitable it still is."""

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
"""So many seconds the page is shown what has been learned before it is shown more."""
POINTS: Final = 200
"""So many points of the plot are told at most."""
ENOUGH: Final = 1e-6
"""Who is no more exploitable than this has learned enough."""
MOST: Final = 1_000_000
"""After so many iterations it stops by itself."""


class Learning:
    """What learns on a view: made by `view.learn()`.

    Between two looks at it the iterations grow by a quarter: on a plot whose axes count in powers of ten it moves on evenly, and its first
    iterations, in which most is learned, can be seen one by one.

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
        """After how many iterations it was how exploitable."""
        self._cfr = _learner(view.tree)
        self._lock = RLock()
        self._jobs = Jobs(RLock(), lambda: None)
        self._turn, self._used, self._closed = 0, 0.0, False

    @property
    def iterations(self) -> int:
        """How many have been made."""
        return self._cfr.iterations

    @property
    def exploitability(self) -> float:
        """How exploitable what has been learned is, where it was looked at last."""
        return self.history[-1][1] if self.history else float("inf")

    @property
    def strategy(self) -> Strategy:
        """What both sides have done on average."""
        with self._lock:
            return self._cfr.strategy()

    @property
    def done(self) -> bool:
        """Whether it has learned enough."""
        return bool(self.history) and (self.exploitability <= ENOUGH or self.iterations >= MOST)

    def start(self) -> Learning:
        """Learn beside the notebook, until `stop`, or until there is nothing left worth learning."""
        self._open()
        if not self.running and not self.done:
            self.running = True
            if not self._go_on():
                self.running = False
                raise RefusedError("board.refused.alone", code="learning.step(n)")
        self.view.paint("learning")
        return self

    def stop(self) -> Learning:
        """Learn no more; what has been learned stays on the tree."""
        if self.running:
            self.running = False
            self.view.paint("learning", "solution")
        return self

    def step(self, n: int = 1) -> Learning:
        """Learn so many iterations here and now, always the same."""
        number = self._steps(n)
        self.running = False
        self._turn += 1
        self._learn(self.iterations + number)
        self._show(self.strategy)
        return self

    def close(self) -> None:
        """Stop learning, and let go of everything; the tree forgets what was learned."""
        if not self._closed:
            self._closed, self.running = True, False
            self._jobs.end()

    # For the page

    def told(self) -> dict[str, Any]:
        """The trait `learning`."""
        if self._closed:
            return {}
        language = self.view.language
        number, lost = self.history[-1] if self.history else (0, None)
        key = "begins" if lost is None else "done" if self.done else "stands"
        facts = {} if lost is None else {"iterations": str(number), "lost": number_written(lost, language)}
        return {
            "points": [list(one) for one in thinned(self.history)],
            "iterations": number,
            "exploitability": lost,
            "running": self.running,
            "done": self.done,
            "seconds": round(self._cfr.seconds, 2),
            "said": Voice(language).say(f"board.learning.{key}", **facts),
        }

    def ask(self, n: object) -> None:
        """Learn so many iterations beside the page."""
        number = self._steps(n)
        self.running = False
        if not self._go_on(self.iterations + number):
            self.step(number)
        self.view.paint("learning")

    # How it is done

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
        """Have a little more learned off the loop; whether that can be."""
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
        """As much as is learned between two looks; it gives what is to be shown."""
        began = perf_counter()
        with self._lock:
            number = self.iterations
            if goal is not None:
                self._learn(goal)
            elif self.running:  # else it was stopped while it rested
                self._learn(min(max(number + 1, number * 5 // 4), MOST), FRAME)
            strategy = self._cfr.strategy()
        self._used = perf_counter() - began
        return strategy

    def _learn(self, goal: int, seconds: float | None = None) -> None:
        """Learn up to an iteration, or for so long; it is looked at each time that there are a tenth more."""
        with self._lock:
            until = None if seconds is None else perf_counter() + seconds
            while (number := self.iterations) < goal:
                left = None if until is None else max(until - perf_counter(), 0.0)
                self._cfr.run(min(goal, max(number + 1, number * 11 // 10)) - number, seconds=left)
                self.history.append((self.iterations, self._cfr.exploitability()))
                if until is not None and perf_counter() >= until:
                    break

    def _heard(self, strategy: Strategy, turn: int) -> None:
        if self._closed or turn != self._turn:  # it was stepped on meanwhile
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
    """So many of the points at most: the first, the last, and between them such as stand evenly apart where the axis counts in powers.

    >>> thinned([(number, 1 / number) for number in range(1, 1001)], 4)
    [(1, 1.0), (10, 0.1), (100, 0.01), (1000, 0.001)]
    """
    if len(points) <= most:
        return list(points)
    apart = log(points[-1][0] / points[0][0]) / (most - 1)
    kept = [points[0]]
    for one in points[1:-1]:
        if log(one[0] / points[0][0]) >= len(kept) * apart - 1e-9 and len(kept) < most - 1:
            kept.append(one)
    return [*kept, points[-1]]


def learn(view: Any, message: Mapping[str, Any]) -> None:  # noqa: ANN401 - the widget, whose messages these are
    """`learn {what}`: start, stop, step, close."""
    what = message.get("what")
    if what == "close":
        view.unlearn()
    elif what == "stop":
        view.learn().stop()
    elif what == "start":
        view.learn().start()
    elif what == "step":
        view.learn().ask(message.get("n", 1))
    else:
        raise RefusedError("board.refused.learn", code="start, stop, step, close")


def _learner(tree: Tree) -> CFR | PlainCFR:
    """Choose who learns: CFR+ with numpy, or in plain Python where numpy is not installed and the tree is not too large."""
    if tree.histories <= PLAIN and not has_numpy_and_scipy():
        return PlainCFR(tree)
    with needing():
        from durak_widget.gametheory.cfr_plus import CFR  # noqa: PLC0415 - it needs numpy
    return CFR(tree)
