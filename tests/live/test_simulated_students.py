"""Tests that a teacher can try a session alone, with simulated students."""

from __future__ import annotations

from random import Random

import pytest

from durak_widget.live.class_session import ClassSession, CommandError
from durak_widget.live.event_log import EventLog
from durak_widget.live.simulated_students import FASTEST_ANSWER, SLOWEST_ANSWER, SimulatedStudents
from support.small_question import SmallQuestion, ask, small_questions


@pytest.fixture(autouse=True, scope="module")
def _small_questions():
    with small_questions():
        yield


def _session(count=30, language="en"):
    session = ClassSession(EventLog(), now=0.0, language=language)
    session.join("Ann", language, 0.0)
    students = SimulatedStudents(session, Random(1))
    students.add(count, 0.0)
    return session, students


def _answer_times(session, students, start):
    """Let time pass, and return after how many seconds each simulated student answered."""
    students.tick(start)
    for tenth in range(1, 200):
        students.tick(start + tenth / 10)
    return [at - start for at in session.current.answered_at.values()]


@pytest.mark.parametrize("language", ["en", "lt", "ru"])
def test_simulated_students_join_with_names(language):
    """They have different first names in the session's language, are marked as simulated, and are here at once."""
    session, _ = _session(45, language)
    people = [person for person in session.teacher_state()["people"] if person["simulated"]]
    assert len({person["name"] for person in people}) == len(people) == 45
    assert all(person["here"] for person in people)


def test_they_answer_one_after_another():
    """Each simulated student answers once, spread over the time that a class needs."""
    session, students = _session()
    ask(session, 100.0)
    times = sorted(_answer_times(session, students, 100.0))
    assert len(times) == 30
    assert FASTEST_ANSWER <= times[0] < 4
    assert 10 < times[-1] <= SLOWEST_ANSWER + 0.1
    assert session.log.to_text().count('"event":"answer"') == 30
    assert 0 not in session.current.answers


def test_they_answer_the_next_question_too():
    """They wait until a question opens, and answer nothing after the stop."""
    session, students = _session()
    assert students.tick(1.0) == []
    for start in (100.0, 200.0):
        ask(session, start)
        students.tick(start)
        students.tick(start + 5)
        early = len(session.current.answers)
        assert 0 < early < 30
        session.command({"do": "stop"}, start + 5)
        students.tick(start + 50)
        assert len(session.current.answers) == early


def test_they_go_on_after_a_restart():
    """Simulated students of before a restart answer what is still open."""
    session, students = _session()
    ask(session, 100.0)
    students.tick(100.0)
    students.tick(105.0)
    early = len(session.current.answers)
    again = ClassSession(EventLog.from_text(session.log.to_text()), now=106.0)
    students = SimulatedStudents(again, Random(2))
    assert len(again.current.answers) == early
    _answer_times(again, students, 106.0)
    assert len(again.current.answers) == 30


def test_they_leave():
    """Dismissed simulated students answer nothing, and new ones can come."""
    session, students = _session()
    session.command({"do": "dismiss_simulated"}, 1.0)
    ask(session, 100.0)
    assert _answer_times(session, students, 100.0) == []
    students.add(3, 130.0)
    _answer_times(session, students, 130.0)
    assert len(session.current.answers) == 3


def test_too_many_are_refused():
    """A thousand are enough."""
    _, students = _session()
    with pytest.raises(CommandError):
        students.add(100_000, 0.0)


def test_a_question_that_cannot_be_guessed_does_not_stop_the_clock(monkeypatch):
    """If a kind of question fails to make an answer, simulated students do not answer, and nothing else happens."""
    session, students = _session()
    ask(session, 100.0)
    monkeypatch.setattr(SmallQuestion, "pick_answer", lambda *_: 1 / 0)
    assert _answer_times(session, students, 100.0) == []
