"""A tournament that is played on beside the notebook: begun, stopped, gone on with; what it has come to is kept, whatever happens."""

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
"""How it stands: `stopping` is what was told to stop, and plays what was begun to its end."""
_ALONE: Final = sys.platform == "emscripten"
"""Where there are no threads, a little is played at a time, so that the page is heard between."""


class PlayingOn:
    """A run, played on a thread beside the notebook; `changed` is called on its loop whenever there is something new to see.

    The thread is never cut short: told to stop, the run ends what it has begun, and is asked nothing new before that.
    A notebook may hear its page on another thread than the one that its cells run on: whoever changes something holds the lock.
    """

    def __init__(
        self, run: RunTold, changed: Callable[[], None], ready: Callable[[ResultTold], object], clock: Callable[[], float] = monotonic
    ) -> None:
        """Nothing is played before that is asked for; `ready` is called with each result on the thread, to work out what will be shown of it."""
        self.run, self.lock = run, RLock()
        self.result: ResultTold = run.ranking
        self.why = ""
        """Why it came to a halt, in a sentence; nothing where it did not."""
        self._changed, self._ready, self._clock = changed, ready, clock
        self._wanted = self._works = self._ended = self._resumed = self._over = False
        self._turn = 0
        self._began: tuple[float, int] | None = None
        self._jobs = Jobs(self.lock, lambda: None)

    @property
    def state(self) -> State:
        """How it stands."""
        if self._works:
            return "playing" if self._wanted else "stopping"
        if self.why:
            return "failed"
        if (
            self._over or self.result.played >= self.result.planned
        ):  # who is out plays no more, so that fewer may be played than were planned
            return "done"
        return "stopped" if self.result.played else "idle"

    @property
    def seconds_left(self) -> float | None:
        """About how long it will still take, by how long it took since it was gone on with; None where nobody can say."""
        if self._began is None or self.state != "playing":
            return None
        since, before = self._began
        played, seconds = self.result.played - before, self._clock() - since
        left = self.result.planned - self.result.played
        return None if played <= 0 or seconds <= 0 or left <= 0 else left * seconds / played

    def go(self) -> bool:
        """Play on beside the notebook, until all is played or it is stopped; False where nothing runs by itself: in a script without a loop."""
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
        """Play nothing new; who has stopped already is stopped."""
        with self.lock:
            if self._wanted:
                self._wanted = False
                self._changed()

    def play(self) -> ResultTold:
        """Play on here and now; who interrupts it loses nothing of what was played."""
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
        """Nothing is played any more, and nobody told."""
        self._wanted, self._ended = False, True
        self._jobs.end()

    # Beside the notebook

    def _begin(self) -> bool:
        self._turn += 1
        turn = self._turn
        job = Job(
            name="tournament",
            key=turn,
            now=lambda: self._turn,
            work=self._work,
            heard=lambda _: self._stands(None),
            failed=self._stands,
            late=lambda: None,  # it takes as long as it takes
        )
        self._works = self._jobs.start(job)
        if self._works:
            self._began = self._clock(), self.result.played
        return self._works

    def _work(self) -> None:
        """On the thread: each result is handed to the loop; one that comes before the last was shown takes its place."""
        heard = list[bool]()  # something, as soon as there was a result
        for result in self.run.go(until=lambda: not self._wanted or (_ALONE and bool(heard))):
            self._ready(result)
            self.result = result
            heard.append(True)
            if not self._ended:
                self._jobs.soon(self._show)

    def _show(self) -> None:
        if not self._ended:
            self._changed()

    def _stands(self, error: Exception | None) -> None:
        """The thread has ended: all is played, it was stopped, or something failed. Who was told to go on meanwhile goes on."""
        before = self.result.played if self._began is None else self._began[1]
        self._works, resumed, self._resumed = False, self._resumed, False
        self.result = self.run.ranking
        if error is not None:
            self._wanted, self.why = False, sentence_of(error)
        elif self._wanted and not resumed and not (_ALONE and self.result.played > before):
            self._wanted, self._over = False, True  # it ended by itself
        elif not (self._wanted and self._begin()):
            self._wanted = False
        self._show()


def sentence_of(error: Exception) -> str:
    """What went wrong, in a sentence that ends.

    >>> sentence_of(DurakError("there is no such bot")), sentence_of(ValueError("no"))
    ('there is no such bot.', 'ValueError: no.')
    """
    said = " ".join(str(error).split())
    if not isinstance(error, DurakError):
        said = f"{class_of(error)}: {said}" if said else class_of(error)
    return said if said.endswith((".", "!", "?")) else f"{said}."
