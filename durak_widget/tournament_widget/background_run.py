"""Plays a tournament in the background, which can be stopped and resumed at any time."""

from __future__ import annotations

import sys
from threading import RLock
from time import monotonic
from typing import TYPE_CHECKING, Final, Literal

from durak_widget.errors import DurakError, error_class_name
from durak_widget.widgets.background_jobs import BackgroundJobs, Job

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.arena.result_types import ResultData, RunData

RunState = Literal["idle", "playing", "stopping", "stopped", "done", "failed"]
"""The state of a tournament; in the state `stopping`, bots finish the games that have begun."""
_HAS_NO_THREADS: Final = sys.platform == "emscripten"
"""True if Python can't start threads, as in a browser. Then games are played in short periods, so that the web page
stays responsive."""


class BackgroundRun:
    """Plays a tournament on a thread, and calls `on_change` on the event loop after changes.

    The thread is never cut short: after a stop, the run ends what it has begun, and gets nothing new before that.
    A notebook may receive messages on another thread than its cells run on, so every change is made under the lock.
    """

    def __init__(
        self,
        run: RunData,
        on_change: Callable[[], None],
        prepare_result: Callable[[ResultData], object],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """Prepare to play a tournament in the background; call `go` to start.

        `prepare_result` is called with each result before it is displayed.
        """
        self.run, self.lock = run, RLock()
        self.result: ResultData = run.ranking
        self.failure = ""
        """The error that stopped the run, as a sentence; empty if no error did."""
        self._on_change, self._prepare_result, self._clock = on_change, prepare_result, clock
        self._should_play = self._is_working = self._is_closed = self._was_resumed = self._has_finished = False
        self._job_number = 0
        self._resumed_at: tuple[float, int] | None = None
        self._jobs = BackgroundJobs(self.lock, lambda: None)

    @property
    def state(self) -> RunState:
        """Return the state of this tournament, such as `playing` or `stopped`."""
        if self._is_working:
            return "playing" if self._should_play else "stopping"
        if self.failure:
            return "failed"
        if (
            self._has_finished or self.result.games_played >= self.result.games_planned
        ):  # If a bot is disqualified, the tournament can end with fewer games than planned.
            return "done"
        return "stopped" if self.result.games_played else "idle"

    @property
    def seconds_left(self) -> float | None:
        """Estimate the seconds to the tournament's end from its recent speed; None if unknown."""
        if self._resumed_at is None or self.state != "playing":
            return None
        since, played_before = self._resumed_at
        played, seconds = self.result.games_played - played_before, self._clock() - since
        games_left = self.result.games_planned - self.result.games_played
        return None if played <= 0 or seconds <= 0 or games_left <= 0 else games_left * seconds / played

    def go(self) -> bool:
        """Play in the background until the tournament ends or is stopped.

        Return False if there is no event loop.
        """
        with self.lock:
            if self._is_closed or self.state == "done":
                return True
            self._was_resumed = self._is_working and not self._should_play
            self._should_play, self.failure = True, ""
            if not self._is_working and not self._start_job():
                self._should_play = False
                return False
            self._on_change()
            return True

    def stop(self) -> None:
        """Start no new games until `go` or `play` is called."""
        with self.lock:
            if self._should_play:
                self._should_play = False
                self._on_change()

    def play(self) -> ResultData:
        """Play all remaining games in the foreground; if you interrupt this, no results are lost."""
        with self.lock:
            if self._is_working:
                raise DurakError("the tournament is running in the background; stop it first, or wait")
            self._should_play, self.failure, self._is_working = True, "", True
        self._resumed_at = self._clock(), self.result.games_played
        try:
            for result in self.run.play_on(should_stop=lambda: not self._should_play):
                self.result = result
                self._on_change()
            self._has_finished = self._should_play
        finally:
            self._should_play = self._is_working = False
            self.result = self.run.ranking
            self._on_change()
        return self.result

    def close(self) -> None:
        """Stop playing, and send no more updates."""
        self._should_play, self._is_closed = False, True
        self._jobs.stop()

    # --- Play in the background ---

    def _start_job(self) -> bool:
        """Start the background thread; return whether it started."""
        self._job_number += 1
        number = self._job_number
        job = Job(
            name="tournament",
            key=number,
            current_key=lambda: self._job_number,
            work=self._play_games,
            on_result=lambda _: self._handle_job_end(None),
            on_error=self._handle_job_end,
            on_late=lambda: None,  # A tournament may take hours, so the job reports nothing when it takes long
        )
        self._is_working = self._jobs.start(job)
        if self._is_working:
            self._resumed_at = self._clock(), self.result.games_played
        return self._is_working

    def _play_games(self) -> None:
        """Play games on the background thread, and report each result to the event loop.

        A result that comes before the last one was shown replaces it.
        """
        results_seen = list[bool]()  # This list is empty until the first result arrives
        for result in self.run.play_on(should_stop=lambda: not self._should_play or (_HAS_NO_THREADS and bool(results_seen))):
            self._prepare_result(result)
            self.result = result
            results_seen.append(True)
            if not self._is_closed:
                self._jobs.call_soon(self._notify)

    def _notify(self) -> None:
        """Call `on_change`, unless the run is closed."""
        if not self._is_closed:
            self._on_change()

    def _handle_job_end(self, error: Exception | None) -> None:
        """Handle the end of the background thread, whether by the last game, a stop or an error.

        If it was resumed meanwhile, it goes on.
        """
        played_before = self.result.games_played if self._resumed_at is None else self._resumed_at[1]
        self._is_working, was_resumed, self._was_resumed = False, self._was_resumed, False
        self.result = self.run.ranking
        if error is not None:
            self._should_play, self.failure = False, format_error(error)
        elif self._should_play and not was_resumed and not (_HAS_NO_THREADS and self.result.games_played > played_before):
            self._should_play, self._has_finished = False, True  # The job ended without a stop, so no games are left
        elif not (self._should_play and self._start_job()):
            self._should_play = False
        self._notify()


def format_error(error: Exception) -> str:
    """Format an error as a full sentence for the user.

    >>> format_error(DurakError("there is no such bot")), format_error(ValueError("no"))
    ('there is no such bot.', 'ValueError: no.')
    """
    sentence = " ".join(str(error).split())
    if not isinstance(error, DurakError):
        sentence = f"{error_class_name(error)}: {sentence}" if sentence else error_class_name(error)
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."
