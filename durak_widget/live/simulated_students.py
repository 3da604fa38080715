"""Lets simulated students answer, so that a teacher can try a whole hour alone."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from random import Random

    from durak_widget.live.class_session import AskedQuestion, ClassSession, Outgoing

FASTEST_ANSWER: Final = 1.0
"""The shortest time, in seconds, in which a simulated student answers."""
SLOWEST_ANSWER: Final = 15.0
"""The longest time, in seconds, in which a simulated student answers."""
_RETRY_SECONDS: Final = 2.0
"""The time after which a simulated student answers again, if the answer was refused, for example because the disk is full."""


class SimulatedStudents:
    """The simulated students of a session, also those of before a restart.

    >>> from random import Random
    >>> from durak_widget.live.class_session import ClassSession
    >>> from durak_widget.live.event_log import EventLog
    >>> session = ClassSession(EventLog(), now=0.0)
    >>> students = SimulatedStudents(session, Random(1))
    >>> students.add(30, 0.0)
    >>> session.teacher_state()["counts"]["simulated"]
    30
    """

    def __init__(self, session: ClassSession, rng: Random) -> None:
        self._session, self._rng = session, rng
        self._question = 0
        self._due: dict[int, float] = {}
        """For each seat that will answer the current question: when."""

    def add(self, count: int, now: float) -> None:
        """Let simulated students join; raise `CommandError` if there would be too many."""
        self._session.command({"do": "rehearse", "count": count}, now)

    def tick(self, now: float) -> list[Outgoing]:
        """Send the answers that are due, and return the messages to send."""
        current = self._session.current
        if current is None or not current.is_open:
            self._due.clear()
            return []
        if current.id != self._question:
            self._question = current.id
            self._due.clear()
        outgoing: list[Outgoing] = []
        for seat in self._session.seats:
            if not seat.is_simulated or seat.is_removed or seat.number in current.answers:
                continue
            due = self._due.get(seat.number)
            if due is None:
                self._due[seat.number] = now + self._rng.uniform(FASTEST_ANSWER, SLOWEST_ANSWER)
            elif due <= now:
                self._due[seat.number] = now + _RETRY_SECONDS
                outgoing += self._answer(current, seat.number, now)
        return outgoing

    def _answer(self, current: AskedQuestion, seat: int, now: float) -> list[Outgoing]:
        """Let a simulated student answer as a phone would."""
        try:
            answer = current.question.pick_answer(seat, self._rng)
        except Exception:
            logging.getLogger("durak_widget").exception("a simulated student cannot answer")
            return []
        return self._session.handle_message(seat, {"kind": "answer", "question": current.id, "answer": answer}, now)
