"""What is found out about a match beside the table: what the coach has to say, what may be hoped for, where it turned. Who plays on is asked in `session`."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Final

from durak_widget.errors import DurakError, class_of
from durak_widget.widget.kit.jobs import Job, Jobs
from durak_widget.widget.playing.coached import Coached
from durak_widget.widget.playing.findings import Findings
from durak_widget.widget.playing.shown_match import ShownMatch
from durak_widget.widget.playing.turned import Turned, keep_missed, scene_of_review

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from durak_widget.game.game import Game
    from durak_widget.game.match import Match
    from durak_widget.review import Review
    from durak_widget.review.reviewing import By
    from durak_widget.rules.book import Rules
    from durak_widget.widget.helping.costly import Word
    from durak_widget.widget.kit.look import Look
    from durak_widget.widget.playing.findings import Finder
    from durak_widget.widget.playing.players import Player
    from durak_widget.widget.playing.scene import Scene

_LOG: Final = logging.getLogger("durak_widget")
BOT: Final = "bot"
"""The name of the job of whichever bot is to act."""
CHANCES: Final = "chances"
"""Under this name the page is told what whoever sits there may hope for."""


class Considered(ShownMatch):
    """A match, and what is found out beside it by jobs; one that raises, hangs or comes too late harms nothing."""

    def __init__(
        self,
        game: Game | Match | Rules | str | None = None,
        seats: Mapping[int, Player] | None = None,
        *,
        look: Look,
        show: Callable[[Scene], object],
        send: Callable[[dict[str, Any]], object],
        seed: int | str | None = None,
    ) -> None:
        """Nothing is looked for before something is done."""
        super().__init__(game, seats, look=look, show=show, seed=seed)
        self.send = send
        self.jobs = Jobs(self.lock, self.wake)
        self._findings = Findings(lambda *given, by: self.jobs.start(self._job(*given, by=by)), self.refresh)
        self._turned = Turned(self._look_through, self._has_turned)
        self._comes_back: tuple[Hashable, int] | None = None
        """The game in which that seat has missed something that comes back."""
        self._coached = Coached(self._look_back, self._has_a_word)

    def wake(self) -> None:
        """Something has happened: whoever thought about what was, is forgotten; what is to be found out of this is sought."""
        self.jobs.drop_past()
        if self.helps:
            self._findings.seek(self.view(remembers=True), self.moment())
        self._turned.seek(*self._judged())
        self._coached.seek(*self._decided())

    def update(self) -> None:
        """Something has changed: show it, and let the bots go on."""
        with self.lock:
            self.refresh()
            self.wake()

    def ask(self, name: str, work: Callable[[], Any], heard: Callable[[Any], None], *, by: object = None) -> None:
        """Have something done beside the table, for what its viewer sees now; where nothing runs by itself, at once."""
        if name == BOT:
            raise DurakError(f"{name!r} is the job of the bots, whose turn would be lost; call yours something else")
        self._begin(self._job(name, work, heard, by=by))

    def _begin(self, job: Job[Any]) -> None:
        if not self.jobs.start(job):
            self.jobs.do(job)

    def warns(self) -> bool:
        """Where the game counts against an opponent, it is said once what a hint would cost; whether that was said now."""
        if not self.counts or self.warned == self.serial:
            return False
        self.warned = self.serial
        self.say("told", "hint_counts", who=self.rival)
        self.refresh()
        return True

    # What may be hoped for, and whatever else somebody looks for

    def beside(self) -> Mapping[str, Sequence[float]] | None:
        """What the finders have found in what the viewer sees, as far as they are; None where nobody looks: in a game that counts, and where a task is set."""
        return self._findings.at(self.moment()) if self.helps and self._findings.sought else None

    def find(self, name: str, finder: Finder | None) -> None:
        """From now on, tell the page under this name what that finds in what the viewer sees; None: no more. Where nothing runs by itself, nobody looks."""
        with self.lock:
            if self._findings.put(name, finder):
                self.jobs.drop(name)
                self.update()

    def hope(self) -> None:
        """The chances are shown from now on, or no more; of another game nothing is known."""
        from durak_widget.widget.helping.hopes import Hopes  # noqa: PLC0415 - who does not want them loads none of it

        self._findings.put(CHANCES, Hopes() if self.look.chances else None)
        self.jobs.drop(CHANCES)

    def hopes_wanted(self) -> None:
        """Whether the chances are shown has changed."""
        self.hope()
        self.help_wanted(wanted=self.look.chances)

    def help_wanted(self, *, wanted: bool) -> None:
        """The coach, or the chances, were switched on or off; in a game that counts it is said why nothing comes of that."""
        with self.lock:
            if wanted and self.counts:
                self.say("told", "counts", who=self.rival)
            self.update()

    # What the coach has to say

    def words(self) -> Word | None:
        """What the coach says of the last move of whoever sits there; None where nothing need be said, or not yet."""
        return self._coached.at(self._decided()[0])

    def _decided(self) -> tuple[Hashable, Game | None, int]:
        """The last move of the person before the screen, in a game that goes on, and what tells it from others."""
        seat, game = self.listener(), self.game
        if not self.look.coach or not self.helps or self.looking_back or game.outcome is not None:
            return None, None, 0
        people, course = self.players.people, game.course
        ply = max((ply for ply, played in enumerate(course) if played.seat in people), default=None)
        # what another person has done since is not to be taken back
        return (None, None, 0) if ply is None or course[ply].seat != seat else ((self.serial, game.moves[: ply + 1], seat), game, ply)

    def _look_back(self, work: Callable[[], Any], heard: Callable[[Any], None]) -> None:
        key = self._decided()[0]
        failed = self._failed("coach")
        self._begin(Job("coach", key, lambda: self._decided()[0], work, heard, failed=failed, late=lambda: None))

    def _has_a_word(self) -> None:
        """Show what the coach says, and say it once."""
        word = self.words()
        if word is not None:
            self.refresh()
            self.send({"kind": "told", "said": word.said(self.voices(self.view()).spoken)})

    # Where it turned

    def review(self, by: By = "what it knew") -> Review | None:
        """The review of the game that is over, told to the person before the screen; None where there is none, or not yet."""
        seat = self.listener()
        return None if seat is None else self._turned.told(self._judged()[0], seat, by)

    def judge_by_cards(self, heard: Callable[[], object]) -> None:
        """Have the game that is over judged by all cards too; then `review` knows it."""
        self._turned.by_cards(self._judged()[0], heard)

    def turned(self) -> Mapping[str, Any] | None:
        """What the scene says of it; of what is tried again, whether that was done."""
        view = self.view()
        if self.trial is not None:
            return self.trial.scene(self.game, self.voices(view)) if self.game.outcome else None
        review, key = self.review(), self._judged()[0]
        if review is not None:
            return scene_of_review(review, self.voices(view), back=(key, review.seat) == self._comes_back)
        soon = key is not None and self.listener() is not None and self.jobs.run and self._turned.seeks(key)
        return {"said": self.voices(view).say("table.reviewing"), "marks": []} if soon else None

    def _judged(self) -> tuple[Hashable, Game | None]:
        """The game that is to be looked through, and what tells it from others: one that is over, in which people of this table have played."""
        whole = None if self.trial or not self.players.people else self.ended()
        return (None, None) if whole is None else ((self.serial, whole.moves), whole)

    def _look_through(self, work: Callable[[], Any], heard: Callable[[Any], None]) -> None:
        key = self._judged()[0]
        job = Job("review", key, lambda: self._judged()[0], work, heard, failed=self._review_failed, late=lambda: None)
        if not self.jobs.start(job):
            self._turned.drop()

    def _review_failed(self, error: Exception) -> None:
        self._turned.drop()
        self._job_failed("review", error)

    def _has_turned(self) -> None:
        """Show where the game turned, now that it has been found, and say it once."""
        review, seat = self.review(), self.listener()
        if review is not None and seat is not None and keep_missed(review, seat):
            self._comes_back = self._judged()[0], seat
        self.refresh()
        found = self.turned()
        if found is not None:
            self.send({"kind": "told", "said": found["said"][1]})

    # What goes wrong

    def went_wrong(self, what: str, error: Exception) -> None:
        """Say that something failed; of somebody else's code by the class of its error alone, since that may name cards."""
        with self.lock:
            if not isinstance(error, DurakError):
                return self._job_failed(what, error)
            self.tell("error", [str(error)] * 2)
            return self.refresh()

    def keep_failure(self, what: int | str, error: Exception) -> None:
        """The whole error is for whoever asks for it in Python."""
        _LOG.error("what failed at the table: %s", what, exc_info=error)
        self.players.failures[what] = error

    def _job(self, name: str, work: Callable[[], Any], heard: Callable[[Any], None], *, by: object) -> Job[Any]:
        return Job(name, self.moment(), self.moment, work, heard, failed=self._failed(name), late=lambda: self._job_late(name), by=by)

    def _failed(self, name: str) -> Callable[[Exception], None]:
        return lambda error: self._job_failed(name, error)

    def _job_failed(self, what: str, error: Exception) -> None:
        self.keep_failure(what, error)
        self.say("error", "job_failed", what=what, why=class_of(error), where=f"table.failures[{what!r}]")
        self.refresh()

    def _job_late(self, name: str) -> None:
        self.say("error", "job_late", what=name, seconds=round(self.jobs.patience))
        self.refresh()
