"""A tournament played in the background: start, stop and resume without losing results."""

from __future__ import annotations

import sys
from threading import RLock
from time import monotonic
from typing import TYPE_CHECKING, Final, Literal

from durak_widget.errors import DurakError, class_of
from durak_widget.widgets.background_jobs import Job, Jobs

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.arena.result_types import ResultTold, RunTold

State = Literal["idle", "playing", "stopping", "stopped", "done", "failed"]
"""The state of a run; `stopping` still plays the games that have begun."""
_ALONE: Final = sys.platform == "emscripten"
"""Whether there are no threads: then a little is played at a time, so that the page can respond."""


class PlayingOn:
    """A run played on a thread; `changed` is called on the event loop for every update.

    The thread is never cut short: after a stop, the run ends what it has begun, and gets nothing new before that.
    A notebook may receive messages on another thread than its cells run on, so every change is made under the lock.
    """

    def __init__(
        self, run: RunTold, changed: Callable[[], None], ready: Callable[[ResultTold], object], clock: Callable[[], float] = monotonic
    ) -> None:
        """Create the run without playing; `ready` prepares each result for display, on the thread."""
        self.run, self.lock = run, RLock()
        self.result: ResultTold = run.ranking
        self.why = ""
        """The error that stopped it, as a sentence; empty if there was none."""
        self._changed, self._ready, self._clock = changed, ready, clock
        self._wanted = self._works = self._ended = self._resumed = self._over = False
        self._turn = 0
        self._began: tuple[float, int] | None = None
        self._jobs = Jobs(self.lock, lambda: None)

    @property
    def state(self) -> State:
        """Return the state of the run."""
        if self._works:
            return "playing" if self._wanted else "stopping"
        if self.why:
            return "failed"
        if (
            self._over or self.result.played >= self.result.planned
        ):  # bots that are out play no more, so fewer games than planned may be played
            return "done"
        return "stopped" if self.result.played else "idle"

    @property
    def seconds_left(self) -> float | None:
        """Return about how long the rest will take, by the speed since the last start, or None."""
        if self._began is None or self.state != "playing":
            return None
        since, played_before = self._began
        played, seconds = self.result.played - played_before, self._clock() - since
        games_left = self.result.planned - self.result.played
        return None if played <= 0 or seconds <= 0 or games_left <= 0 else games_left * seconds / played

    def go(self) -> bool:
        """Play on in the background until the end or a stop; return False without an event loop."""
        with self.lock:
            if self._ended or self.state == "done":
                return True
            self._resumed = self._works and not self._wanted
            self._wanted, self.why = True, ""
            if not self._works and not self._begin():
                self._wanted = False
                return False
            self._changed()
            return True

    def stop(self) -> None:
        """Begin no more games; a stopped run stays stopped."""
        with self.lock:
            if self._wanted:
                self._wanted = False
                self._changed()

    def play(self) -> ResultTold:
        """Play on in the foreground; an interrupt loses no results."""
        with self.lock:
            if self._works:
                raise DurakError("the tournament is being played beside the notebook: stop it first, or wait")
            self._wanted, self.why, self._works = True, "", True
        self._began = self._clock(), self.result.played
        try:
            for result in self.run.go(until=lambda: not self._wanted):
                self.result = result
                self._changed()
            self._over = self._wanted
        finally:
            self._wanted = self._works = False
            self.result = self.run.ranking
            self._changed()
        return self.result

    def end(self) -> None:
        """Stop playing and call nobody any more."""
        self._wanted, self._ended = False, True
        self._jobs.end()

    # In the background

    def _begin(self) -> bool:
        self._turn += 1
        number = self._turn
        job = Job(
            name="tournament",
            key=number,
            now=lambda: self._turn,
            work=self._work,
            heard=lambda _: self._stands(None),
            failed=self._stands,
            late=lambda: None,  # it has no time limit
        )
        self._works = self._jobs.start(job)
        if self._works:
            self._began = self._clock(), self.result.played
        return self._works

    def _work(self) -> None:
        """Play on the thread and hand each result to the event loop.

        A result that comes before the last one was shown replaces it.
        """
        results_seen = list[bool]()  # not empty once there is a result
        for result in self.run.go(until=lambda: not self._wanted or (_ALONE and bool(results_seen))):
            self._ready(result)
            self.result = result
            results_seen.append(True)
            if not self._ended:
                self._jobs.soon(self._show)

    def _show(self) -> None:
        if not self._ended:
            self._changed()

    def _stands(self, error: Exception | None) -> None:
        """Handle the end of the thread: all is played, it was stopped, or it failed.

        If it was resumed meanwhile, it goes on.
        """
        played_before = self.result.played if self._began is None else self._began[1]
        self._works, was_resumed, self._resumed = False, self._resumed, False
        self.result = self.run.ranking
        if error is not None:
            self._wanted, self.why = False, sentence_of(error)
        elif self._wanted and not was_resumed and not (_ALONE and self.result.played > played_before):
            self._wanted, self._over = False, True  # it has played all its games
        elif not (self._wanted and self._begin()):
            self._wanted = False
        self._show()


def sentence_of(error: Exception) -> str:
    """Return an error as a full sentence.

    >>> sentence_of(DurakError("there is no such bot")), sentence_of(ValueError("no"))
    ('there is no such bot.', 'ValueError: no.')
    """
    sentence = " ".join(str(error).split())
    if not isinstance(error, DurakError):
        sentence = f"{class_of(error)}: {sentence}" if sentence else class_of(error)
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
