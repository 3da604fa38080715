"""Runs a live class session: its students, questions and answers, and what pages show.

The module has no socket, no clock and no thread. Each change is an event that is saved in the log first and applied then, so a
session that starts again from its log is the same session. Only who is connected is not in the log.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, Literal

from durak_widget.errors import DurakError, as_whole_number, error_class_name, short_repr
from durak_widget.i18n import Translator
from durak_widget.live.event_log import LogError
from durak_widget.live.messages import MAX_NAME_LENGTH, MessageError, build_refusal, clean_name, fold_name, parse_message
from durak_widget.live.plan_progress import PlanProgress, choose_language
from durak_widget.live.question import LANGUAGES, AnswerError, find_question_class, load_question
from durak_widget.live.session_records import AskedQuestion, Job, JobKind, Outgoing, RateLimit, Seat, count_points, to_float, try_part
from durak_widget.live.student_names import pick_names
from durak_widget.live.texts import format_rounded
from durak_widget.translated_errors import RefusedError, explain_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from durak_widget.live.event_log import EventLog
    from durak_widget.live.question import JsonObject


__all__ = ["AskedQuestion", "ClassSession", "CommandError", "Job", "JobKind", "Outgoing", "Phase", "Seat", "make_code"]

VERSION: Final = 1
"""The version of the log's format."""
CODE_LETTERS: Final = "BCDFGHJKLMNPQRTVWXYZ23456789"
"""The characters of a session's code; none of them looks like another, and they make no words."""
CODE_LENGTH: Final = 6
MAX_SEATS: Final = 3_000
"""The maximum number of students in a session; those who were removed do not count."""
MAX_SEATS_EVER: Final = 20_000
"""The maximum number of seats of a session, with those of students who were removed, so that the log cannot grow for ever."""
JOIN_LIMIT: Final = (1_200, 20.0)
"""The number of students who may join at once, and a second for longer: a class joins in a minute, and a flood is slow."""
MAX_SIMULATED: Final = 1_000
"""The maximum number of simulated students that one command adds."""
MAX_STEPS: Final = 200
"""The maximum number of steps of a plan."""
_MAX_EARLIER_BOARDS: Final = 20
_LOGGER: Final = logging.getLogger("durak_widget")

Phase = Literal["lobby", "open", "stopped", "revealed", "ended"]


class CommandError(RefusedError):
    """The error for a command of the teacher that is not possible now; nothing has changed."""


class ClassSession:
    """A live class session, which changes only through the events in its log.

    >>> from durak_widget.live.event_log import EventLog
    >>> session = ClassSession(EventLog(), now=0.0, code="BCDFGH")
    >>> seat, key, messages = session.join("Ann", "en", 1.0)
    >>> [message["kind"] for _, message in messages], session.phase
    (['seat', 'state'], 'lobby')
    """

    def __init__(self, log: EventLog, *, now: float, code: str = "", language: str = "en") -> None:
        """Start a session from its log; if the log is empty, begin a new session."""
        self.log = log
        self.code, self.language = "", "en"
        self.seats: list[Seat] = []
        self.questions: list[AskedQuestion] = []
        self.has_ended = False
        self.is_entry_open = True
        """Whether new students may join."""
        self.teacher_revision = int(now * 1000)
        """A number that grows with each change that the teacher can see, also when the process starts again."""
        self._numbers_by_key: dict[str, int] = {}
        self._taken_names: Counter[str] = Counter()
        """How many students have each name, as names are compared."""
        self._removed_count = 0
        self._stopped_count = 0
        self._join_limit = RateLimit(*JOIN_LIMIT)
        self._question_messages: dict[tuple[int, str], JsonObject] = {}
        """The message with the current question, by role and language; all students who get the same form share it."""
        self._class_event_count = 0
        self._plan: PlanProgress | None = None
        self._waiting_jobs: list[tuple[JobKind, int]] = []
        self._running_jobs: Counter[tuple[JobKind, int]] = Counter()
        self._unsaved_outcomes: list[tuple[JobKind, int, JsonObject]] = []
        self._content_revision = 0
        """A number that grows with each change of what tallies, boards and the next question depend on."""
        self._caches: dict[str, tuple[int, Any]] = {}
        events, log.events = log.events, []
        if events and events[0]["event"] != "session":
            raise LogError("the log does not begin with a session; choose another file")
        for number, event in enumerate(events, 1):
            self._replay(number, event)
        self._waiting_jobs = self._find_missing_jobs()
        self.teacher_revision += len(events)
        if not events:
            language = language if language in LANGUAGES else "en"
            self._record("session", now, version=VERSION, code=code or make_code(), language=language)

    # --- What is known ---

    @property
    def current(self) -> AskedQuestion | None:
        """Return the question that was asked last; None in the lobby."""
        return self.questions[-1] if self.questions else None

    @property
    def phase(self) -> Phase:
        """Return the phase of the session: `lobby`, `open`, `stopped`, `revealed` or `ended`."""
        if self.has_ended:
            return "ended"
        if self.current is None:
            return "lobby"
        return "open" if self.current.is_open else "revealed" if self.current.is_revealed else "stopped"

    @property
    def has_result(self) -> bool:
        """Return whether the current question has stopped and can be revealed."""
        return self.current is not None and not self.current.is_open and self.current.result is not None

    def next_spec(self) -> JsonObject | None:
        """Return what to ask next; None if nothing is left.

        It is the next round, the same question again if the plan says so, or the next step of the plan.
        """
        spec: JsonObject | None = self._cache("next", self._find_next_spec)
        return spec

    def step_spec(self, step: object) -> JsonObject | None:
        """Return what to ask for a step of the plan, from 0; None if there is no such step."""
        index = as_whole_number(step)
        return None if self._plan is None or index is None else self._plan.find_spec(index)

    def again_spec(self) -> JsonObject | None:
        """Return the spec to ask the current question again; None in the lobby."""
        if self.current is None:
            return None
        spec = {key: value for key, value in self.current.spec.items() if key != "again"}
        return {**spec, "attempt": self.current.attempt + 1}

    # --- Students ---

    def join(self, name: str, language: str, now: float, *, simulated: bool = False) -> tuple[int, str, list[Outgoing]]:
        """Give a student a seat, and return the seat, its key, and the messages to send.

        The key is known only to the student. Raise `MessageError` if the name is impossible, the session is full, closed or over, too
        many join at the same time, or the disk is full. A simulated student may join a closed session, at any time.
        """
        if self.has_ended:
            raise MessageError("ended")
        if not (self.is_entry_open or simulated):
            raise MessageError("closed")
        if self._count_free_seats() < 1:
            raise MessageError("full")
        name = clean_name(name)
        if not (simulated or self._join_limit.take(now)):
            raise MessageError("busy")
        name = self._make_unique(name)
        key = "" if simulated else secrets.token_urlsafe(16)
        fields: JsonObject = {"simulated": True} if simulated else {"key": _hash_key(key)}
        number = len(self.seats)
        language = language if language in LANGUAGES else self.language
        try:
            self._record("join", now, seat=number, name=name, language=language, **fields)
        except LogError:
            raise MessageError("not_saved") from None
        seat = self.seats[number]
        seat.is_here = True
        return number, key, self._greet(seat, key)

    def resume(self, key: str, language: str, now: float) -> tuple[int, list[Outgoing]] | None:
        """Give a student who comes back their seat, and return the messages to send.

        The result is None if no seat has this key. A student who was removed gets their seat, too, but only to be told that they were removed.
        """
        number = self._numbers_by_key.get(_hash_key(key))
        if number is None:
            return None
        seat = self.seats[number]
        if seat.is_removed:
            return number, [Outgoing(number, {"kind": "removed"})]
        if language in LANGUAGES and language != seat.language:
            try:
                self._record("language", now, seat=number, language=language)
            except LogError as error:  # The student is back all the same, in the former language
                _LOGGER.warning("%s", error)
        if not seat.is_here:
            seat.is_here = True
            self.teacher_revision += 1
        return number, self._greet(seat)

    def leave(self, seat: int, now: float) -> None:  # noqa: ARG002 - the time of all other changes matters
        """Note that a student's page is not connected any more; the seat stays."""
        if 0 <= seat < len(self.seats) and self.seats[seat].is_here and not self.seats[seat].is_simulated:
            self.seats[seat].is_here = False
            self.teacher_revision += 1

    def handle_message(self, seat: int, message: object, now: float) -> list[Outgoing]:
        """Handle a message of a student's page, and return the messages to send.

        The message is text, bytes, or parsed JSON. It never raises an error: an impossible message gets the reply `refused`, and nothing
        changes.
        """
        if not 0 <= seat < len(self.seats):
            return []
        sender, question = self.seats[seat], None
        try:
            _require_may_send(sender, now)
            checked = parse_message(message)
            if checked["kind"] == "answer":
                question = checked["question"]
                return self._take_answer(sender, question, checked["answer"], now)
            if checked["kind"] in {"language", "rename"}:
                _require_may_change(sender, now)
            if checked["kind"] == "language":
                return self._change_language(sender, checked["language"], now)
            if checked["kind"] == "rename":
                self._rename(sender, checked["name"], now)
                return [self._build_state(sender)]
            return [Outgoing(seat, {"kind": "pong"})]
        except MessageError as error:
            refusal = error.to_message(sender.language, question)
            if error.reason not in {"stale_question", "not_open"}:
                return [Outgoing(seat, refusal)]
            # A form is large: a page that sends many late answers gets it only a few times
            shown = self._show_question(sender) if sender.form_limit.take(now) else [self._build_state(sender)]
            return [Outgoing(seat, refusal), *shown]
        except AnswerError as error:
            return [Outgoing(seat, build_refusal("bad_answer", error.to_text(sender.language), question))]
        except LogError:
            return [Outgoing(seat, MessageError("not_saved").to_message(sender.language, question))]

    def _take_answer(self, seat: Seat, question: int, answer: object, now: float) -> list[Outgoing]:
        """Count an answer to the current question; the same answer once more changes nothing."""
        current = self.current
        if current is None or question != current.id:
            raise MessageError("stale_question")
        if not current.is_open or self.has_ended:
            raise MessageError("not_open")
        try:
            parsed = _to_json(current.question.parse_answer(seat.number, answer))
        except AnswerError:
            raise
        except Exception:  # One student's message must not end the session, even if a question has a bug
            _LOGGER.exception("an answer could not be read")
            raise MessageError("bad_answer") from None
        if seat.number not in current.answers or current.answers[seat.number] != parsed:
            self._record("answer", now, question=current.id, seat=seat.number, answer=parsed)
        return [self._build_state(seat)]

    def _change_language(self, seat: Seat, language: str, now: float) -> list[Outgoing]:
        if language not in LANGUAGES:
            raise MessageError("malformed")
        if language != seat.language:
            self._record("language", now, seat=seat.number, language=language)
        return self._show_question(seat)

    def _rename(self, seat: Seat, name: str, now: float) -> None:
        name = self._make_unique(clean_name(name), seat)
        if name != seat.name:
            self._record("rename", now, seat=seat.number, name=name)

    def _make_unique(self, name: str, owner: Seat | None = None) -> str:
        """Return a name that no other student has: the second Ann is `Ann 2`.

        A name that only looks like another one counts as the same.
        """
        own = None if owner is None else fold_name(owner.name)
        unique, number = name, 1
        while self._taken_names[folded := fold_name(unique)] > (folded == own):
            number += 1
            suffix = f" {number}"
            unique = name[: MAX_NAME_LENGTH - len(suffix)].rstrip() + suffix
        return unique

    def _count_free_seats(self) -> int:
        return min(MAX_SEATS - (len(self.seats) - self._removed_count), MAX_SEATS_EVER - len(self.seats))

    # --- The teacher ---

    def command(self, command: JsonObject, now: float) -> tuple[JsonObject, list[Outgoing]]:
        """Do what the teacher says, and return a reply and the messages to send.

        Raise `CommandError` if it is not possible.
        """
        commands: dict[str, Callable[[JsonObject, float], tuple[JsonObject, list[Outgoing]]]] = {
            "ask": self._ask,
            "stop": self._stop,
            "reveal": self._reveal,
            "remove": self._remove,
            "remove_silent": self._remove_silent,
            "close_entry": self._close_entry,
            "open_entry": self._open_entry,
            "rename": self._rename_student,
            "set_plan": self._set_plan,
            "rehearse": self._rehearse,
            "dismiss_simulated": self._dismiss_simulated,
            "end": self._end,
            "set_language": self._set_language,
        }
        name = command.get("do") if isinstance(command, dict) else None
        if not isinstance(name, str) or name not in commands:
            raise CommandError("live.session.error.command", command=short_repr(name), commands=", ".join(commands))
        if self.has_ended:
            raise CommandError("live.session.error.ended")
        try:
            self._save_outcomes(now)
            return commands[name](command, now)
        except LogError as error:
            why = explain_error(error.__cause__) if isinstance(error.__cause__, OSError) else str(error)
            raise CommandError("live.session.error.not_saved", why=why) from error

    def _ask(self, command: JsonObject, now: float) -> tuple[JsonObject, list[Outgoing]]:
        spec, prepared = _require_json(command.get("spec")), _require_json(command.get("prepared"))
        if not isinstance(spec, dict) or not isinstance(prepared, dict):
            raise CommandError("live.session.error.question", why="it needs spec and prepared")
        if (as_whole_number(spec.get("attempt")) or 1) > 1:
            spec.pop("again", None)
        _require_usable(spec, prepared, self.language)  # A question that fails must not get into the log, which is read again
        outgoing: list[Outgoing] = []
        if self.current is not None and self.current.is_open:
            self._record("stop", now, question=self.current.id)
        number = len(self.questions) + 1
        self._record("ask", now, question=number, spec=spec, prepared=prepared)
        for seat in self._iterate_listeners():
            outgoing += self._show_question(seat)
        return {"question": number}, outgoing

    def _stop(self, command: JsonObject, now: float) -> tuple[JsonObject, list[Outgoing]]:  # noqa: ARG002 - all commands have it
        current = self._require_current()
        if not current.is_open:
            raise CommandError("live.session.error.not_open")
        self._record("stop", now, question=current.id)
        return {}, self._show_state()

    def _reveal(self, command: JsonObject, now: float) -> tuple[JsonObject, list[Outgoing]]:  # noqa: ARG002 - all commands have it
        current = self._require_current()
        if current.is_open:
            raise CommandError("live.session.error.still_open")
        if current.is_revealed:
            raise CommandError("live.session.error.revealed")
        if current.result is None:
            raise CommandError("live.session.error.no_result")
        self._record("reveal", now, question=current.id)
        return {}, self._show_state()

    def _remove(self, command: JsonObject, now: float) -> tuple[JsonObject, list[Outgoing]]:
        return self._remove_seats([self._require_seat(command.get("seat"))], now)

    def _remove_silent(self, command: JsonObject, now: float) -> tuple[JsonObject, list[Outgoing]]:  # noqa: ARG002 - all commands have it
        return self._remove_seats(self._list_silent(), now)

    def _list_silent(self) -> list[Seat]:
        """Return the students who never answered a question that has stopped since they joined.

        So nobody is silent who has just come, and before the first question has stopped nobody is.
        """
        return [
            seat
            for seat in self.seats
            if not (seat.is_removed or seat.is_simulated or seat.has_answered) and seat.stopped_before < self._stopped_count
        ]

    def _close_entry(self, command: JsonObject, now: float) -> tuple[JsonObject, list[Outgoing]]:  # noqa: ARG002 - all commands have it
        if self.is_entry_open:
            self._record("close_entry", now)
        return {}, []

    def _open_entry(self, command: JsonObject, now: float) -> tuple[JsonObject, list[Outgoing]]:  # noqa: ARG002 - all commands have it
        if not self.is_entry_open:
            self._record("open_entry", now)
        return {}, []

    def _dismiss_simulated(self, command: JsonObject, now: float) -> tuple[JsonObject, list[Outgoing]]:  # noqa: ARG002 - all commands have it
        return self._remove_seats([seat for seat in self.seats if seat.is_simulated and not seat.is_removed], now)

    def _remove_seats(self, seats: list[Seat], now: float) -> tuple[JsonObject, list[Outgoing]]:
        listeners = [seat.number for seat in seats if not seat.is_simulated]
        if seats:
            self._record("remove", now, seats=[seat.number for seat in seats])
        return {"removed": len(seats)}, [Outgoing(number, {"kind": "removed"}) for number in listeners]

    def _rename_student(self, command: JsonObject, now: float) -> tuple[JsonObject, list[Outgoing]]:
        seat, name = self._require_seat(command.get("seat")), command.get("name")
        try:
            self._rename(seat, name if isinstance(name, str) else "", now)
        except MessageError as error:
            raise CommandError(error.key) from None
        return {"name": seat.name}, [] if seat.is_simulated else [self._build_state(seat)]

    def _set_plan(self, command: JsonObject, now: float) -> tuple[JsonObject, list[Outgoing]]:
        title, steps = _require_json(command.get("title", "")), _require_json(command.get("steps"))
        if not isinstance(steps, list) or not 1 <= len(steps) <= MAX_STEPS:
            raise CommandError("live.session.error.plan", why=f"steps must be a list of 1 to {MAX_STEPS} steps")
        for number, step in enumerate(steps, 1):
            if not isinstance(step, dict):
                raise CommandError("live.session.error.plan", why=f"step {number} must be a dict")
            try:
                find_question_class(step.get("spec"))
            except DurakError as error:
                raise CommandError("live.session.error.plan", why=f"step {number}: {error}") from error
        self._record("plan", now, title=title, steps=steps)
        return {"steps": len(steps)}, []

    def _rehearse(self, command: JsonObject, now: float) -> tuple[JsonObject, list[Outgoing]]:
        count = as_whole_number(command.get("count", 30))
        free_count = max(0, min(MAX_SIMULATED, self._count_free_seats()))
        if count is None or not 1 <= count <= free_count:
            raise CommandError("live.session.error.count", count=short_repr(command.get("count")), most=free_count)
        taken = {name for name, number in self._taken_names.items() if number}
        self._record("rehearse", now, names=pick_names(self.language, count, taken), language=self.language)
        return {"count": count}, []

    def _end(self, command: JsonObject, now: float) -> tuple[JsonObject, list[Outgoing]]:  # noqa: ARG002 - all commands have it
        self._record("end", now)
        return {}, self._show_state()

    def _set_language(self, command: JsonObject, now: float) -> tuple[JsonObject, list[Outgoing]]:
        language = command.get("language")
        if language not in LANGUAGES:
            raise CommandError("live.session.error.language", language=short_repr(language), languages=", ".join(LANGUAGES))
        if language != self.language:
            self._record("language", now, seat=None, language=language)
        return {}, []

    def _require_current(self) -> AskedQuestion:
        if self.current is None:
            raise CommandError("live.session.error.no_question")
        return self.current

    def _require_seat(self, number: object) -> Seat:
        index = as_whole_number(number)
        if index is None or not 0 <= index < len(self.seats) or self.seats[index].is_removed:
            raise CommandError("live.session.error.seat", seat=short_repr(number))
        return self.seats[index]

    # --- The worker ---

    def take_jobs(self) -> list[Job]:
        """Return the computations that the worker should start now."""
        waiting, self._waiting_jobs = self._waiting_jobs, []
        jobs = []
        for kind, number in waiting:
            asked = self.questions[number - 1]
            self._running_jobs[kind, number] += 1
            answers = dict(asked.answers) if kind == "score" else {}
            jobs.append(Job(kind, number, asked.spec, asked.question.prepared, answers, self.language))
        return jobs

    def finish_job(self, kind: JobKind, question: int, outcome: JsonObject, now: float) -> list[Outgoing]:
        """Save the outcome of a job; an outcome with `error` says why there is none.

        An outcome that is out of date, because answers changed after the job had begun, is dropped: a newer job follows.
        """
        if not 1 <= question <= len(self.questions) or kind not in {"solve", "score"}:
            return []
        asked = self.questions[question - 1]
        was_running = self._running_jobs[kind, question] > 0
        if was_running:
            self._running_jobs[kind, question] -= 1
        self.teacher_revision += 1
        is_expected = was_running or (asked.solution if kind == "solve" else asked.result) is None
        if not is_expected or self._is_computing(kind, question) or (kind == "score" and asked.is_open):
            return []
        try:
            outcome = _to_json(outcome)
            if not isinstance(outcome, dict) or not isinstance(outcome.get("seats", {}), dict):
                outcome = {"error": "it is not a result"}
        except (TypeError, ValueError, RecursionError):
            outcome = {"error": "it is not JSON"}
        if kind == "score" and "error" in outcome and asked.facts is not None:
            return []  # The result in the former language is better than none
        self._unsaved_outcomes.append((kind, question, outcome))
        try:
            self._save_outcomes(now)
        except LogError as error:  # The next command tries again
            _LOGGER.warning("%s", error)
        return []

    def _save_outcomes(self, now: float) -> None:
        """Save the outcomes of jobs, also those that could not be saved before."""
        while self._unsaved_outcomes:
            kind, question, outcome = self._unsaved_outcomes[0]
            self._record("solution" if kind == "solve" else "result", now, question=question, outcome=outcome)
            del self._unsaved_outcomes[0]

    def _is_computing(self, kind: JobKind, question: int) -> bool:
        return (kind, question) in self._waiting_jobs or self._running_jobs[kind, question] > 0

    def _queue_job(self, kind: JobKind, question: int) -> None:
        """Let the worker compute something, unless this is waiting already."""
        if (kind, question) not in self._waiting_jobs:
            self._waiting_jobs.append((kind, question))
        self._unsaved_outcomes = [unsaved for unsaved in self._unsaved_outcomes if unsaved[:2] != (kind, question)]

    # --- Events: saved first, then applied ---

    def _record(self, event: str, now: float, **fields: Any) -> None:  # noqa: ANN401 - what JSON may hold
        """Save an event, and then apply it as it will be read from the log.

        Raise `LogError` if it cannot be saved.
        """
        try:
            self._apply(self.log.append({"event": event, "time": round(now, 2), **fields}))
        finally:
            self.teacher_revision += 1  # Even if it failed: the teacher sees that the disk is full

    def _replay(self, number: int, event: JsonObject) -> None:
        """Apply an event from a line of the log."""
        try:
            self._apply(event)
        except (LookupError, TypeError, AttributeError) as error:
            raise LogError(f"line {number} of the log is not an event that this version knows ({error_class_name(error)})") from error

    def _find_missing_jobs(self) -> list[tuple[JobKind, int]]:
        """Return the jobs without an outcome in the log, those of the current question first.

        Solutions of older questions are left out, because nobody waits for them.
        """
        current = len(self.questions)
        jobs = [job for job in self._waiting_jobs if job[0] == "score" or job[1] == current]
        return sorted(jobs, key=lambda job: (job[1] != current, job[0] == "solve"))

    def _apply(self, event: JsonObject) -> None:
        """Change the session as an event says; the same events always make the same session."""
        getattr(self, f"_apply_{event['event']}")(event)

    def _apply_session(self, event: JsonObject) -> None:
        if event["version"] != VERSION:
            raise LogError(f"the log has version {event['version']} of its format, and only version {VERSION} can be read here")
        self.code, self.language = event["code"], event["language"]

    def _apply_join(self, event: JsonObject) -> None:
        is_simulated = event.get("simulated", False)
        seat = Seat(
            event["seat"],
            event["name"],
            event["language"],
            event.get("key", ""),
            is_simulated,
            is_here=is_simulated,
            event_count=1,
            stopped_before=self._stopped_count,
        )
        if seat.key_hash:
            self._numbers_by_key[seat.key_hash] = seat.number
        self._taken_names[fold_name(seat.name)] += 1
        self.seats.append(seat)

    def _apply_rehearse(self, event: JsonObject) -> None:
        for name in event["names"]:
            self._apply_join({"seat": len(self.seats), "name": name, "language": event["language"], "simulated": True})

    def _apply_language(self, event: JsonObject) -> None:
        if event["seat"] is not None:
            self.seats[event["seat"]].language = event["language"]
            self.seats[event["seat"]].event_count += 1
            return
        self.language = event["language"]
        self._content_revision += 1
        if self.current is not None and self.current.result is not None:
            self._queue_job("score", self.current.id)  # The pictures of a result are in the session's language

    def _apply_rename(self, event: JsonObject) -> None:
        seat = self.seats[event["seat"]]
        if not seat.is_removed:
            self._taken_names[fold_name(seat.name)] -= 1
            self._taken_names[fold_name(event["name"])] += 1
        seat.name = event["name"]
        seat.event_count += 1

    def _apply_remove(self, event: JsonObject) -> None:
        current = self.current
        self._content_revision += 1
        for number in event["seats"]:
            seat = self.seats[number]
            if not seat.is_removed:
                seat.is_removed = True
                self._removed_count += 1
                self._taken_names[fold_name(seat.name)] -= 1
        if current is None or current.is_revealed:
            return  # After the reveal, a result stays as it was shown
        lost = [number for number in event["seats"] if number in current.answers]
        for number in lost:
            del current.answers[number]
        if lost and not current.is_open:
            current.result = None
            self._queue_job("score", current.id)

    def _apply_close_entry(self, event: JsonObject) -> None:  # noqa: ARG002 - all events have it
        self.is_entry_open = False

    def _apply_open_entry(self, event: JsonObject) -> None:  # noqa: ARG002 - all events have it
        self.is_entry_open = True

    def _apply_plan(self, event: JsonObject) -> None:
        self._plan = PlanProgress(event["title"], event["steps"])
        self._content_revision += 1

    def _apply_ask(self, event: JsonObject) -> None:
        question = load_question(event["spec"], event["prepared"])
        asked, before = AskedQuestion(event["question"], question, event["time"]), self.current
        if before is not None and before.spec["kind"] == asked.spec["kind"]:
            step = asked.attempt - before.attempt, asked.round - before.round
            asked.previous = before if step in {(1, 0), (0, 1)} else None
        asked.first_id = next((earlier.id for earlier in self.questions if earlier.content == asked.content), asked.id)
        if self._plan is not None:
            self._plan.follow(asked)
        self.questions.append(asked)
        self._question_messages = {}
        self._class_event_count += 1
        self._content_revision += 1
        self._queue_job("solve", asked.id)

    def _apply_answer(self, event: JsonObject) -> None:
        asked, seat = self.questions[event["question"] - 1], event["seat"]
        asked.answers[seat], asked.answered_at[seat] = event["answer"], event["time"]
        self.seats[seat].event_count += 1
        self.seats[seat].has_answered = True
        self._content_revision += 1

    def _apply_stop(self, event: JsonObject) -> None:
        self._stopped_count += 1
        self.questions[event["question"] - 1].is_open = False
        self._class_event_count += 1
        self._content_revision += 1
        self._queue_job("score", event["question"])

    def _apply_solution(self, event: JsonObject) -> None:
        self.questions[event["question"] - 1].solution = event["outcome"]
        self._drop_waiting("solve", event["question"])

    def _apply_result(self, event: JsonObject) -> None:
        asked = self.questions[event["question"] - 1]
        asked.result = event["outcome"]
        self._count_points(asked)  # An attempt that was not revealed may get its result after the next one
        self._drop_waiting("score", event["question"])

    def _drop_waiting(self, kind: JobKind, question: int) -> None:
        """Note that a job is done; this matters when the log is read."""
        self._content_revision += 1
        self._waiting_jobs = [job for job in self._waiting_jobs if job != (kind, question)]

    def _apply_reveal(self, event: JsonObject) -> None:
        asked = self.questions[event["question"] - 1]
        asked.is_revealed = True
        self._class_event_count += 1
        self._content_revision += 1
        self._count_points(asked)

    def _count_points(self, asked: AskedQuestion) -> None:
        """Bring the totals up to date with a question and all its attempts."""
        count_points(self.seats, [attempt for attempt in self.questions if attempt.first_id == asked.first_id])

    def _apply_end(self, event: JsonObject) -> None:  # noqa: ARG002 - all events have it
        self.has_ended = True
        if self.current is not None:
            self.current.is_open = False
        self._class_event_count += 1
        self._content_revision += 1

    def _find_next_spec(self) -> JsonObject | None:
        current = self.current
        if self.has_ended:
            return None
        if current is not None:
            following = try_part(lambda: current.question.build_next_spec(current.facts), None)
            if following is not None:
                return following
            if current.is_asked_again:
                return self.again_spec()
        return None if self._plan is None else self._plan.find_next_spec()

    # --- What students' pages show; nothing in it depends on the answers of others before the reveal ---

    def _iterate_listeners(self) -> Iterable[Seat]:
        """Return the seats whose pages are connected."""
        return [seat for seat in self.seats if seat.is_here and not seat.is_removed and not seat.is_simulated]

    def _show_state(self) -> list[Outgoing]:
        """Return the state for all pages."""
        return [self._build_state(seat) for seat in self._iterate_listeners()]

    def _greet(self, seat: Seat, key: str = "") -> list[Outgoing]:
        """Return all that a page needs when it connects; the key only when it joins."""
        seat_message = {"kind": "seat", "seat": seat.number, "name": seat.name, **({"key": key} if key else {})}
        return [Outgoing(seat.number, seat_message), *self._show_question(seat)]

    def _show_question(self, seat: Seat) -> list[Outgoing]:
        """Return the current question and the state for one page."""
        state, current = self._build_state(seat), self.current
        if current is None or self.has_ended:
            return [state]
        message = self._build_question_message(current, seat)
        return [state] if message is None else [Outgoing(seat.number, message), state]

    def _build_question_message(self, current: AskedQuestion, seat: Seat) -> JsonObject | None:
        """Return the message with the current question; None if its form cannot be built.

        All students of a role with the same language and an equal form get the same dictionary, so that it is encoded only once.
        """
        form = try_part(lambda: current.question.build_form(seat.number, seat.language), None)
        if form is None:
            return None
        key = current.question.role_of(seat.number), seat.language
        message = self._question_messages.get(key)
        if message is None or message["form"] != form:  # An auction shows each student another value
            message = self._question_messages[key] = {"kind": "question", "question": current.id, "form": form}
        return message

    def _build_state(self, seat: Seat) -> Outgoing:
        current = self.current
        state: JsonObject = {
            "kind": "state",
            "revision": self._class_event_count + seat.event_count,
            "phase": self.phase,
            "question": None if current is None else current.id,
            "attempt": 1 if current is None else current.attempt,
            "answer": None if current is None else current.answers.get(seat.number),
            "result": self._describe_result(seat),
            "is_last": current is not None and current.is_last,
            "name": seat.name,
            "points": None if seat.points is None else format_rounded(seat.points, seat.language),
        }
        return Outgoing(seat.number, state)

    def _describe_result(self, seat: Seat) -> JsonObject | None:
        """Return a student's own result of the current question, after the reveal."""
        current = self.current
        if current is None or not current.is_revealed or current.facts is None:
            return None
        described = try_part(lambda: current.question.describe_result(current.facts or {}, seat.number, seat.language), None)
        points = current.get_points(seat.number)
        return None if described is None else {**described, "points": None if points is None else format_rounded(points, seat.language)}

    # --- What the teacher sees ---

    def teacher_state(self) -> JsonObject:
        """Return what the controls and the projector show; the caller must not change it."""
        cached = self._caches.get("teacher")
        if cached is None or cached[0] != self.teacher_revision:
            cached = self._caches["teacher"] = (self.teacher_revision, self._build_teacher_state())
        state: JsonObject = cached[1]
        return state

    def _build_teacher_state(self) -> JsonObject:
        current, phase = self.current, self.phase
        students = [seat for seat in self.seats if not seat.is_removed]
        answers = {} if current is None else current.answers
        title = "" if self._plan is None else choose_language(self._plan.title, self.language)
        commands, main = self._list_commands()
        return {
            "revision": self.teacher_revision,
            "code": self.code,
            "language": self.language,
            "phase": phase,
            "title": title or Translator(self.language).translate("live.session.title"),
            "counts": {
                "joined": len(students),
                "here": sum(seat.is_here for seat in students),
                "answered": sum(seat.number in answers for seat in students),
                "expected": sum(seat.is_here or seat.number in answers for seat in students),
                "simulated": sum(seat.is_simulated for seat in students),
            },
            "people": [
                {
                    "seat": seat.number,
                    "name": seat.name,
                    "here": seat.is_here,
                    "answered": seat.number in answers,
                    "simulated": seat.is_simulated,
                    "role": "" if current is None else current.question.name_role(current.question.role_of(seat.number), self.language),
                    "points": "" if seat.points is None else format_rounded(seat.points, self.language),
                    "score": None if seat.points is None else round(max(-1e300, min(1e300, to_float(seat.points))), 6),
                }
                for seat in students
            ],
            "question": None if current is None else self._describe_question(current),
            "is_entry_open": self.is_entry_open,
            "tally": self._cache("tally", self._build_tally) if phase == "open" else [],
            "board": self._cache("board", self._build_board) if current is not None and not current.is_open else None,
            "plan": None if self._plan is None else self._plan.describe(self.language, is_current_done=self._is_step_over()),
            "commands": commands,
            "main": main,
            "problem": self._describe_problem(),
        }

    def _describe_question(self, asked: AskedQuestion) -> JsonObject:
        return {
            "id": asked.id,
            "kind": asked.spec["kind"],
            "title": self._get_title(asked),
            "attempt": asked.attempt,
            "round": asked.round,
            "rounds": as_whole_number(asked.spec.get("rounds")) or 1,
            "is_working": self._is_computing("solve", asked.id) or self._is_computing("score", asked.id),
            "is_asked_again": asked.is_asked_again,
            "is_mix": asked.spec.get("mix") is True,
            "opened_at": asked.opened_at,
            **try_part(lambda: self._show_form(asked), {}),
        }

    def _show_form(self, asked: AskedQuestion) -> JsonObject:
        """Return what all students see of a question.

        Nothing in it is for one role or one student, and it has no answers.
        """
        question, say = asked.question, Translator(self.language).translate
        form = question.build_form(0, self.language)
        options = [str(option["text"]) for option in form.get("options", ())]
        if form.get("type") == "number":
            key = "live.phone.number.whole" if form.get("whole") else "live.phone.number.range"
            options = [say(key, minimum=str(form.get("minimum")), maximum=str(form.get("maximum")))]
        names = [question.name_role(role, self.language) for role in range(question.role_count)]
        return {
            "text": form.get("text", ""),
            "picture": form.get("picture"),
            "picture_text": form.get("picture_text", ""),
            "options": options,
            "roles": [name for name in names if name],
        }

    def _get_title(self, asked: AskedQuestion) -> str:
        return try_part(lambda: asked.question.title(self.language), "")

    def _build_tally(self) -> list[JsonObject]:
        current = self.current
        return [] if current is None else try_part(lambda: current.question.build_tally(current.answers, self.language), [])

    def _build_board(self) -> JsonObject | None:
        """Build what the projector shows of the current question and of its earlier rounds."""
        if self.current is None:
            return None
        earlier: list[AskedQuestion] = []
        before = self.current.previous
        while before is not None and len(earlier) < _MAX_EARLIER_BOARDS:
            earlier.insert(0, before)
            before = before.previous
        boards = [board for asked in earlier if (board := self._build_one_board(asked, [])) is not None]
        return self._build_one_board(self.current, boards)

    def _build_one_board(self, asked: AskedQuestion, earlier: list[JsonObject]) -> JsonObject | None:
        return try_part(
            lambda: asked.question.build_board(
                asked.answers,
                asked.facts,
                # Equilibria would spoil the second attempt
                None if asked.is_asked_again else asked.known_solution,
                is_revealed=asked.is_revealed,
                language=self.language,
                earlier=earlier,
            ),
            None,
        )

    def _is_step_over(self) -> bool:
        """Return whether the current question is revealed for the last time."""
        current = self.current
        if current is None or not current.is_revealed or current.is_asked_again:
            return False
        return try_part(lambda: current.question.build_next_spec(current.facts), None) is None

    def _list_commands(self) -> tuple[list[str], str]:
        """Return the commands that are possible now, and the one that the teacher probably wants."""
        phase, current = self.phase, self.current
        if phase == "ended":
            return [], ""
        can_go_on = self.next_spec() is not None and phase != "open"
        main = "next" if can_go_on else "end" if self._plan is not None and phase == "revealed" else ""
        if phase == "open":
            main = "stop"
        elif phase == "stopped" and not (current is not None and current.is_asked_again):
            main = "reveal"
        possible = {
            "stop": phase == "open",
            "reveal": phase == "stopped",
            "again": phase in {"stopped", "revealed"},
            "next": can_go_on,
            "ask": True,
            "remove": any(not seat.is_removed for seat in self.seats),
            "rename": any(not seat.is_removed for seat in self.seats),
            "remove_silent": bool(self._list_silent()),
            "close_entry": self.is_entry_open,
            "open_entry": not self.is_entry_open,
            "set_plan": True,
            "rehearse": True,
            "dismiss_simulated": any(seat.is_simulated and not seat.is_removed for seat in self.seats),
            "set_language": True,
            "end": True,
        }
        return [command for command, is_possible in possible.items() if is_possible], main

    def _describe_problem(self) -> str | None:
        """Return a sentence about what failed last; None if all is well."""
        say, current = Translator(self.language).translate, self.current
        if self.log.problem is not None:
            return say("live.session.problem.not_saved", why=explain_error(self.log.problem))
        for kind, outcome in (("score", current.result), ("solve", current.solution)) if current is not None else ():
            if outcome is not None and "error" in outcome:
                reason = outcome["error"]
                if reason == "timeout":
                    return say(f"live.session.problem.{kind}.timeout")
                return say(f"live.session.problem.{kind}", why=str(reason)[:200])
        return None

    def _cache(self, name: str, build: Callable[[], Any]) -> Any:  # noqa: ANN401 - the cache takes values of any type
        """Return what `build` returns, from the cache if nothing has changed that it depends on."""
        cached = self._caches.get(name)
        if cached is None or cached[0] != self._content_revision:
            cached = self._caches[name] = (self._content_revision, build())
        return cached[1]


def make_code() -> str:
    """Return a random code for a session, of six letters and digits that cannot be confused.

    >>> len(make_code()), set(make_code()) <= set(CODE_LETTERS)
    (6, True)
    """
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def _require_may_send(seat: Seat, now: float) -> None:
    """Count a message of a seat; raise `MessageError` if it may not send messages now."""
    if seat.is_removed:
        raise MessageError("removed")
    if not seat.message_limit.take(now):
        raise MessageError("too_fast")


def _require_may_change(seat: Seat, now: float) -> None:
    """Raise `MessageError` if a seat changes its name or language too often."""
    if not seat.form_limit.take(now):
        raise MessageError("too_fast")


def _hash_key(key: str) -> str:
    """Return the hash of a seat's key.

    The log has only this, so nobody can take a seat by reading the log.
    """
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def _to_json(value: object) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value as it is read from JSON: tuples are lists, and keys are texts."""
    return json.loads(json.dumps(value, allow_nan=False))


def _require_json(value: object) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value of a command as JSON, or raise `CommandError`."""
    try:
        return _to_json(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise CommandError("live.session.error.json", value=short_repr(value)) from error


def _require_usable(spec: JsonObject, prepared: JsonObject, language: str) -> None:
    """Raise `CommandError` if a question cannot be shown to a student in each role."""
    try:
        question = load_question(spec, prepared)
        question.title(language)
        question.build_tally({}, language)
        for seat in range(question.role_count):
            question.build_form(seat, language)
    except DurakError as error:
        raise CommandError("live.session.error.question", why=str(error)) from error
    except Exception as error:
        _LOGGER.exception("a question cannot be asked")
        raise CommandError("live.session.error.question", why=error_class_name(error)) from error
