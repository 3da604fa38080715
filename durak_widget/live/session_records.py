"""Defines the students and questions of a live class session, and what it sends."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeVar

from durak_widget.errors import as_whole_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from durak_widget.live.question import Json, JsonObject, Question

    Result = TypeVar("Result")

_MESSAGE_LIMIT: Final = (10, 5.0)
"""The number of messages that a seat may send at once, and a second for longer."""
_FORM_LIMIT: Final = (3, 1.0)
"""The same for messages whose reply or result is much larger than they are: a new language, a new name, a late answer."""
_VARYING_FIELDS: Final = frozenset({"attempt", "again", "history", "secret"})
"""The fields of a spec that may differ when the same question is asked again: a game of numbers has other averages and values then."""
_LOGGER: Final = logging.getLogger("durak_widget")

JobKind = Literal["solve", "score"]


class Outgoing(NamedTuple):
    """A message to the page of the student in a seat."""

    seat: int
    message: JsonObject


class Job(NamedTuple):
    """A computation for the worker process."""

    kind: JobKind
    question: int
    spec: JsonObject
    prepared: JsonObject
    answers: dict[int, Json]
    language: str


@dataclass
class RateLimit:
    """A limit of how often something may happen: `burst` times, then `per_second`.

    >>> limit = RateLimit(2, 0.5)
    >>> [limit.take(now) for now in (10.0, 10.0, 10.0, 12.0, 12.0)]
    [True, True, False, True, False]
    """

    burst: int
    per_second: float
    left: float = field(init=False)
    last_at: float = 0.0

    def __post_init__(self) -> None:
        self.left = self.burst

    def take(self, now: float) -> bool:
        """Count one time, and return whether it may happen.

        A clock that was set back gives nothing.
        """
        self.left = min(self.burst, self.left + max(0.0, now - self.last_at) * self.per_second)
        self.last_at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


@dataclass
class Seat:
    """A student, or a simulated student, and what the session knows about them."""

    number: int
    name: str
    language: str
    key_hash: str
    is_simulated: bool = False
    is_removed: bool = False
    is_here: bool = False
    """Whether a page of the student is connected; a simulated student is always here."""
    event_count: int = 0
    """The number of events about this seat alone."""
    points: Fraction | None = None
    """The total of all revealed questions; of a question that was asked again, only the last answer counts."""
    has_answered: bool = False
    """Whether the student has answered any question."""
    stopped_before: int = 0
    """The number of questions that had stopped when the student joined."""
    message_limit: RateLimit = field(default_factory=lambda: RateLimit(*_MESSAGE_LIMIT))
    form_limit: RateLimit = field(default_factory=lambda: RateLimit(*_FORM_LIMIT))


@dataclass
class AskedQuestion:
    """A question that was asked in a session, with its answers."""

    id: int
    question: Question
    opened_at: float
    is_last: bool = False
    previous: AskedQuestion | None = None
    """The same question when it was asked before, or the round before."""
    first_id: int = 0
    """The id under which the same question was asked first; however often it is asked, it counts once for a student."""
    is_open: bool = True
    is_revealed: bool = False
    answers: dict[int, Json] = field(default_factory=dict)
    """The answers that count, by seat."""
    answered_at: dict[int, float] = field(default_factory=dict)
    counted_points: dict[int, Fraction] = field(default_factory=dict)
    """The points of this attempt that are in the totals, by seat; empty until an attempt has been revealed."""
    solution: JsonObject | None = None
    result: JsonObject | None = None
    """The outcome of the last `score` job; None while the worker computes it."""

    @property
    def spec(self) -> JsonObject:
        """Return what describes the question."""
        return self.question.spec

    @cached_property
    def attempt(self) -> int:
        """Return how often the question has been asked, with this time."""
        return as_whole_number(self.spec.get("attempt")) or 1

    @cached_property
    def round(self) -> int:
        """Return which round of a game this is, from 1."""
        return as_whole_number(self.spec.get("round")) or 1

    @cached_property
    def content(self) -> JsonObject:
        """Return the spec without what differs when the same question is asked again."""
        return {key: value for key, value in self.spec.items() if key not in _VARYING_FIELDS}

    @property
    def facts(self) -> JsonObject | None:
        """Return the result; None if there is none or if computing it failed."""
        return None if self.result is None or "error" in self.result else self.result

    @property
    def known_solution(self) -> JsonObject | None:
        """Return the solution; None if there is none or if computing it failed."""
        return None if self.solution is None or "error" in self.solution else self.solution

    @property
    def is_asked_again(self) -> bool:
        """Return whether the plan asks the question once more after this attempt."""
        return self.attempt == 1 and self.spec.get("again") is True

    def get_points(self, seat: int) -> Fraction | None:
        """Return the points of a student for this question; None without an answer or a result."""
        if self.facts is None or seat not in self.answers:
            return None
        text = try_part(lambda: self.question.get_points(self.facts or {}, seat), None)
        return None if text is None else _parse_points(text)


def count_points(seats: list[Seat], attempts: list[AskedQuestion]) -> None:
    """Bring the totals of students up to date with all attempts of one question, in order.

    Nothing counts before a reveal. Then a student's last answer with points counts: someone who forgets to answer again keeps the points
    of the first answer.
    """
    for asked in attempts:
        for number, points in asked.counted_points.items():
            seats[number].points = (seats[number].points or Fraction(0)) - points
        asked.counted_points = {}
    revealed = [index for index, asked in enumerate(attempts) if asked.is_revealed]
    counted = set[int]()
    for asked in reversed(attempts[: revealed[-1] + 1] if revealed else []):
        for number in asked.answers.keys() - counted:
            gained = asked.get_points(number)
            if gained is not None:
                counted.add(number)
                asked.counted_points[number] = gained
                seats[number].points = (seats[number].points or Fraction(0)) + gained


@lru_cache(maxsize=4096)
def _parse_points(text: str) -> Fraction | None:
    """Return points as a number; None if the text is not a number."""
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def try_part(build: Callable[[], Result], otherwise: Result) -> Result:
    """Return what `build` returns, or `otherwise` if it fails.

    The error is logged, and the session goes on.
    """
    try:
        return build()
    except Exception:
        _LOGGER.exception("a part of a live question failed")
        return otherwise


def to_float(value: Fraction) -> float:
    """Return a number as a float; numbers that are too large for it are infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
