"""Tests of whole random hours: a session is what its log says, and no page learns about others before the reveal."""

from __future__ import annotations

import errno
import io
import json
from itertools import count
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from durak_widget.live.class_session import ClassSession, CommandError
from durak_widget.live.event_log import EventLog, LogError
from durak_widget.live.messages import MessageError
from durak_widget.live.question import LANGUAGES, load_question
from durak_widget.live.simulated_students import SimulatedStudents
from support.sizes import tried
from support.small_question import QUESTION_CLASSES, describe, small_questions

JUNK = [
    None,
    [],
    {},
    "",
    "{",
    "x" * 5000,
    b"\xff",
    7,
    {"kind": "stop"},
    {"kind": "answer"},
    {"kind": "ping"},
    {"kind": "rename", "name": "\n"},
]
STEPS = [{"spec": {"kind": "small", "rounds": 2}}, {"spec": {"kind": "small", "options": 4}, "again": True}]


@pytest.fixture(autouse=True, scope="module")
def _small_questions():
    with small_questions():
        yield


WEIGHTS = {
    "join": 4,
    "resume": 1,
    "leave": 1,
    "answer": 6,
    "junk": 1,
    "rename": 1,
    "language": 1,
    "ask": 1,
    "stop": 0.5,
    "reveal": 0.5,
    "go_on": 4,
    "finish_job": 3,
    "start_jobs": 1,
    "remove": 0.5,
    "remove_silent": 0.1,
    "close_entry": 0.2,
    "open_entry": 0.5,
    "rename_student": 0.5,
    "plan": 0.5,
    "rehearse": 1,
    "simulated": 1,
    "dismiss": 0.3,
    "session_language": 1,
    "end": 0.05,
}
"""How often each thing happens in a random hour."""


class Hour:
    """A random hour of a class: each step is drawn by a number, so that two hours can do the same."""

    def __init__(self, log: EventLog) -> None:
        self.log, self.now = log, 0.0
        self.session = ClassSession(log, now=0.0, code="BCDFGH")
        self.keys: list[str] = []
        self.running = []

    def step(self, number: int) -> list:
        """Do one of all things that can happen in an hour, and return the messages to send."""
        rng = Random(number)
        self.now += rng.choice([0.01, 0.3, 5.0])
        (name,) = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))
        try:
            return getattr(self, f"_do_{name}")(rng) or []
        except (CommandError, MessageError) as error:
            assert error.to_text("lt")
            return []

    def _seat(self, rng) -> int:
        students = [seat.number for seat in self.session.seats if not seat.is_removed or rng.random() < 0.02]
        return rng.choice(students or [0])

    def _command(self, **command):
        messages = self.session.command(command, self.now)[1]
        assert not any(self.session.seats[seat].is_simulated for seat, _ in messages)
        return messages

    def _send(self, seat, message):
        messages = self.session.handle_message(seat, message, self.now)
        assert all(receiver == seat for receiver, _ in messages)
        return messages

    def _do_join(self, rng):
        _, key, messages = self.session.join(rng.choice(["Ann", "Bob", " Ёлка\t", "", "x" * 40]), rng.choice([*LANGUAGES, "xx"]), self.now)
        self.keys.append(key)
        return messages

    def _do_resume(self, rng):
        resumed = self.session.resume(rng.choice([*self.keys, "wrong"]), rng.choice([*LANGUAGES, ""]), self.now)
        return resumed and resumed[1]

    def _do_leave(self, rng):
        self.session.leave(self._seat(rng), self.now)

    def _do_answer(self, rng):
        question = self.session.current.id if self.session.current else 1
        number = rng.choice([question] * 5 + [question - 1, question + 1])
        return self._send(self._seat(rng), {"kind": "answer", "question": number, "answer": {"choice": rng.randrange(4)}})

    def _do_junk(self, rng):
        return self._send(rng.choice([self._seat(rng), -1, 99]), rng.choice(JUNK))

    def _do_rename(self, rng):
        return self._send(self._seat(rng), {"kind": "rename", "name": rng.choice(["Ann", "Eve"])})

    def _do_language(self, rng):
        return self._send(self._seat(rng), {"kind": "language", "language": rng.choice(LANGUAGES)})

    def _do_ask(self, rng):
        spec = rng.choice(
            [{"kind": "small"}, {"kind": "small", "roles": 2}, self.session.next_spec(), self.session.again_spec(), {"kind": "riddle"}]
        )
        prepared = QUESTION_CLASSES["small"].prepare(spec or {})
        return self._command(do="ask", spec=spec, prepared=prepared)

    def _do_stop(self, _rng):
        return self._command(do="stop")

    def _do_reveal(self, _rng):
        return self._command(do="reveal")

    def _do_remove(self, rng):
        return self._command(do="remove", seat=self._seat(rng))

    def _do_remove_silent(self, _rng):
        return self._command(do="remove_silent")

    def _do_close_entry(self, _rng):
        return self._command(do="close_entry")

    def _do_open_entry(self, _rng):
        return self._command(do="open_entry")

    def _do_rename_student(self, rng):
        return self._command(do="rename", seat=self._seat(rng), name=rng.choice(["Ann", "Zoe", ""]))

    def _do_plan(self, rng):
        return self._command(do="set_plan", title={"en": "Hour"}, steps=rng.choice([STEPS, []]))

    def _do_rehearse(self, rng):
        return self._command(do="rehearse", count=rng.randrange(4))

    def _do_dismiss(self, _rng):
        return self._command(do="dismiss_simulated")

    def _do_session_language(self, rng):
        return self._command(do="set_language", language=rng.choice(LANGUAGES))

    def _do_simulated(self, rng):
        SimulatedStudents(self.session, rng).tick(self.now)

    def _do_start_jobs(self, _rng):
        self.running += self.session.take_jobs()

    def _do_finish_job(self, rng):
        self._do_start_jobs(rng)
        if not self.running and not self.session.has_result:
            raise CommandError("live.session.error.no_result")  # the disk was full
        if self.running:
            job = self.running.pop(0)
            asked = load_question(job.spec, job.prepared)
            outcome = asked.solve() if job.kind == "solve" else asked.score(job.answers, job.language)
            return self.session.finish_job(job.kind, job.question, outcome if rng.random() < 0.9 else {"error": "timeout"}, self.now)
        return None

    def _do_go_on(self, rng):
        """Do what a teacher usually does next, after the worker has finished."""
        if self.session.phase == "open":
            return self._do_stop(rng) if rng.random() < 0.4 else None
        if self.session.phase != "stopped":
            return self._do_ask(rng)
        while not self.session.has_result:
            self._do_finish_job(rng)
        return self._do_reveal(rng)

    def _do_end(self, _rng):
        return self._command(do="end")

    def restart(self) -> None:
        """Start the session again from its log, as after a crash."""
        self.log = EventLog(io.BytesIO(self.log.to_text().encode()))
        self.session = ClassSession(self.log, now=self.now)
        self.running = []


STEP_NUMBERS = st.lists(st.integers(0, 10**9), min_size=30, max_size=90)


@given(STEP_NUMBERS)
@settings(max_examples=tried(25, 500))
def test_the_session_is_what_its_log_says(numbers):
    """After each step of any hour, a session that starts from the log is the same session."""
    hour = Hour(EventLog())
    for number in numbers:
        hour.step(number)
        assert describe(ClassSession(EventLog.from_text(hour.log.to_text()), now=hour.now)) == describe(hour.session)


@given(STEP_NUMBERS, st.sets(st.integers(0, 60), min_size=3))
@settings(max_examples=tried(25, 500))
def test_an_hour_with_restarts_is_the_same_hour(numbers, restarts):
    """A session that goes down between any steps goes on as if nothing had happened; only running jobs are done again."""
    hour = Hour(EventLog())
    for index, number in enumerate(numbers):
        hour.step(number)
        if index in restarts:
            before, states = describe(hour.session), _states(hour)
            hour.restart()
            assert describe(hour.session) == before
            assert _states(hour) == states


@given(STEP_NUMBERS)
@settings(max_examples=tried(25, 500))
def test_a_page_never_sees_an_older_state(numbers):
    """The revisions of the states that a seat gets never fall, and a state with the same revision in the same phase is the same."""
    hour, last = Hour(EventLog()), {}
    for number in numbers:
        for seat, message in hour.step(number):
            if message["kind"] == "state":
                before = last.get(seat, message)
                assert message["revision"] >= before["revision"]
                if message["revision"] == before["revision"]:
                    assert {**message, "result": None} == {**before, "result": None}
                last[seat] = message


def _state(hour, seat):
    return hour.session._build_state(hour.session.seats[seat]).message


def _states(hour):
    return [_state(hour, seat.number) for seat in hour.session.seats]


# --- Nothing about others before the reveal ---


def _run_lesson(others: Random, own: Random) -> list[bytes]:
    """Run a lesson with a student whose messages come from `own`, and others whose answers come from `others`.

    Return the bytes that the student gets until the first reveal.
    """
    session, received = ClassSession(EventLog(), now=0.0, code="BCDFGH"), []

    def deliver(messages):
        received.extend(json.dumps(message).encode() for seat, message in messages if seat == 2)

    keys = []
    for name in ("Ann", "Bob", "Me", "Eve", "Zoe"):
        _, key, messages = session.join(name, "en", 0.0)
        keys.append(key)
        deliver([(seat, {**message, **({"key": ""} if "key" in message else {})}) for seat, message in messages])
    session.command({"do": "rehearse", "count": 5}, 1.0)
    simulated, now = SimulatedStudents(session, others), 2.0
    for spec in ({"kind": "small", "rounds": 2}, {"kind": "small", "rounds": 2, "round": 2}, {"kind": "small", "roles": 2, "again": True}):
        prepared = QUESTION_CLASSES["small"].prepare(spec)
        deliver(session.command({"do": "ask", "spec": spec, "prepared": prepared}, now)[1])
        for _ in range(12):
            now += 1.0
            for seat in (0, 1, 3, 4):
                for _ in range(others.randrange(3)):
                    message = {"kind": "answer", "question": session.current.id, "answer": {"choice": others.randrange(3)}}
                    deliver(session.handle_message(seat, message, now))
            deliver(simulated.tick(now))
            if own.random() < 0.5:
                message = {"kind": "answer", "question": session.current.id, "answer": {"choice": own.randrange(4)}}
                deliver(session.handle_message(2, message, now))
            if own.random() < 0.2:
                session.leave(2, now)
                deliver(session.resume(keys[2], own.choice(LANGUAGES), now)[1])
        deliver(session.command({"do": "stop"}, now)[1])
        for job in session.take_jobs():
            asked = load_question(job.spec, job.prepared)
            outcome = asked.solve() if job.kind == "solve" else asked.score(job.answers, job.language)
            deliver(session.finish_job(job.kind, job.question, outcome, now))
        deliver(session.handle_message(2, {"kind": "ping"}, now + 1))
    late = session.join("Late", "en", now)[2]
    received.append(json.dumps([message for _, message in late if message["kind"] != "seat"]).encode())
    return received


@given(st.integers(), st.integers(), st.integers())
@settings(max_examples=tried(25, 500))
def test_no_byte_before_the_reveal_depends_on_others(own, others, replaced):
    """If all other students' answers are replaced, and their number, no byte that a student gets before the reveal changes."""
    received = _run_lesson(Random(others), Random(own))
    assert received == _run_lesson(Random(replaced), Random(own))
    assert len(received) > 10


# --- A torn log and a full disk, at every byte ---


def _long_log() -> bytes:
    """Return the log of an hour in which everything happened that is logged."""
    for start in count(step=100):
        hour, wanted = (
            Hour(EventLog()),
            {
                "ask",
                "answer",
                "stop",
                "solution",
                "result",
                "reveal",
                "remove",
                "rename",
                "language",
                "plan",
                "rehearse",
                "close_entry",
                "open_entry",
            },
        )
        for number in range(start, start + 80):
            hour.step(number)
        data = hour.log.to_text().encode()
        if wanted <= {json.loads(line)["event"] for line in data.splitlines()}:
            return data
    raise AssertionError


def test_a_session_torn_at_any_byte_goes_on():
    """Wherever the log of an hour is torn, the session has all whole events, goes on, and is still what its log says."""
    data = _long_log()
    first = data.index(b"\n") + 1
    expected, whole = None, b""
    for size in range(len(data) + 1):
        file = io.BytesIO(data[:size])
        session = ClassSession(EventLog(file), now=0.0, code="BCDFGH")
        if size < first:
            assert session.seats == []
            continue
        if file.getvalue() != whole:
            whole, expected = file.getvalue(), describe(session)
        assert data[:size].startswith(whole)
        assert len(session.questions) == whole.count(b'"event":"ask"')
        if size % 7 == 0:
            assert describe(session) == expected
            session.command({"do": "rehearse", "count": 1}, 1.0)
            assert describe(ClassSession(EventLog(io.BytesIO(file.getvalue())), now=0.0)) == describe(session)


class SmallDisk(io.BytesIO):
    """A file on a disk with room for a number of bytes."""

    room = 1 << 30

    def write(self, data) -> int:
        """Write what there is room for."""
        free = min(len(data), self.room - self.tell())
        if free <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(bytes(data)[:free])


@given(STEP_NUMBERS, st.lists(st.integers(0, 3000), min_size=1, max_size=8))
@settings(max_examples=tried(25, 500))
def test_a_disk_that_is_full_now_and_then(numbers, rooms):
    """Whenever the disk is full, nothing is applied that is not logged, and the session goes on when there is room."""
    disk = SmallDisk()
    hour = Hour(EventLog(disk))
    for index, number in enumerate(numbers):
        disk.room = len(disk.getvalue()) + rooms[index % len(rooms)] % 150 if index % 3 else 1 << 30
        before, size = describe(hour.session), len(disk.getvalue())
        messages = hour.step(number)
        assert disk.getvalue().endswith(b"\n")
        if any(message.get("reason") == "not_saved" for _, message in messages):
            assert (describe(hour.session), len(disk.getvalue())) == (before, size)
        assert describe(ClassSession(EventLog(io.BytesIO(disk.getvalue())), now=hour.now)) == describe(hour.session)


def test_a_disk_full_at_any_byte_keeps_whole_events():
    """Wherever the disk gets full in an hour, the file has exactly the events that were applied."""
    for room in range(60, 2500, 13):
        disk = SmallDisk()
        disk.room = room
        try:
            hour = Hour(EventLog(disk))
        except LogError:
            assert disk.getvalue() == b""
            continue
        for number in range(400, 440):
            hour.step(number)
        assert describe(ClassSession(EventLog(io.BytesIO(disk.getvalue())), now=hour.now)) == describe(hour.session)
