"""Tests of a live class session: seats, answers, the teacher's commands, jobs, and what each page is told."""

from __future__ import annotations

import errno
import hashlib
import io
import json
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget.live.class_session import MAX_SEATS, ClassSession, CommandError, make_code
from durak_widget.live.event_log import EventLog, LogError
from durak_widget.live.messages import MessageError
from durak_widget.live.number_games import FirstPriceAuction, Guess
from durak_widget.live.question import LANGUAGES, find_question_class
from support.small_question import SmallQuestion, answer, ask, describe, small_questions, work


@pytest.fixture(autouse=True, scope="module")
def _small_questions():
    with small_questions():
        yield


class FullDisk(io.BytesIO):
    """A file on a disk that may be full."""

    is_full = False

    def write(self, data) -> int:
        """Write nothing to a full disk, or a part of a line."""
        if self.is_full and len(data) < 20:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(bytes(data[:15] if self.is_full else data))


def _session(names=("Ann", "Bob"), **options) -> ClassSession:
    session = ClassSession(EventLog(), now=0.0, code="BCDFGH", **options)
    for name in names:
        session.join(name, "en", 0.0)
    return session


def _do(session, now=0.0, **command):
    return session.command(command, now)


def _kinds(messages):
    return [message["kind"] for _, message in messages]


def _refusal(session, message, now=100.0, seat=0):
    """Send a message that must be refused; check that it changes no state but its sender's, and return the refusal."""
    before, log = describe(session), session.log.to_text()
    replies = session.handle_message(seat, message, now)
    assert all(receiver == seat for receiver, _ in replies)
    assert describe(session) == before
    assert session.log.to_text() == log
    assert replies[0].message["kind"] == "refused"
    assert replies[0].message["text"]
    return replies[0].message


def _last_state(messages, seat):
    return next(message for receiver, message in reversed(messages) if receiver == seat and message["kind"] == "state")


# --- Seats ---


def test_a_student_joins_and_comes_back_with_the_key():
    """A seat belongs to whoever has its key, with the same name, answer and number."""
    session = _session(["Ann"])
    seat, key, messages = session.join("Bob", "lt", 1.0)
    assert messages[0].message == {"kind": "seat", "seat": 1, "name": "Bob", "key": key}
    ask(session, 2.0)
    answer(session, 1, 2, 3.0)
    session.leave(seat, 4.0)
    assert not session.seats[seat].is_here
    again, messages = session.resume(key, "lt", 5.0)
    assert again == seat
    assert _kinds(messages) == ["seat", "question", "state"]
    assert "key" not in messages[0].message
    assert messages[2].message["answer"] == {"choice": 2}
    assert session.resume("wrong", "en", 6.0) is None


def test_the_log_has_no_key():
    """Whoever reads the log cannot take a student's seat: it has only the hash of the key."""
    session = _session([])
    _, key, _ = session.join("Ann", "en", 0.0)
    assert key not in session.log.to_text()
    assert hashlib.sha256(key.encode()).hexdigest() in session.log.to_text()
    assert len({session.join("Ann", "en", 0.0)[1] for _ in range(50)}) == 50


def test_names_are_unique():
    """The second Ann is Ann 2, also if the name is long or differs in case, and a free name can be taken again."""
    session = _session(["Ann", "Ann", " ann\n", "x" * 30, "x" * 30])
    assert [seat.name for seat in session.seats] == ["Ann", "Ann 2", "ann 3", "x" * 30, "x" * 28 + " 2"]
    _do(session, do="remove", seat=0)
    assert session.seats[session.join("Ann", "en", 1.0)[0]].name == "Ann"


def test_a_name_that_looks_like_another_gets_a_number():
    """Nobody can pass for another student with a letter of another alphabet; the own name can be written anew."""
    session = _session(["Ann", "\N{CYRILLIC CAPITAL LETTER A}nn", "A\N{HANGUL FILLER}nn"])
    assert [seat.name for seat in session.seats] == ["Ann", "\N{CYRILLIC CAPITAL LETTER A}nn 2", "Ann 3"]
    assert _do(session, do="rename", seat=0, name="ANN")[0] == {"name": "ANN"}
    assert _do(session, do="rename", seat=1, name="Bob")[0] == {"name": "Bob"}
    assert _do(session, do="rename", seat=2, name="Ann 2")[0] == {"name": "Ann 2"}


def test_a_student_changes_name_and_language():
    """A new name and language are in the next state and form; a language that the page does not have is refused."""
    session = _session()
    ask(session, 1.0)
    replies = session.handle_message(0, {"kind": "rename", "name": "Anna"}, 2.0)
    assert _last_state(replies, 0)["name"] == "Anna"
    replies = session.handle_message(0, {"kind": "language", "language": "lt"}, 3.0)
    assert _kinds(replies) == ["question", "state"]
    assert replies[0].message["form"]["title"] == "Small (lt)"
    assert _refusal(session, {"kind": "language", "language": "xx"})["reason"] == "malformed"
    assert session.handle_message(0, {"kind": "rename", "name": "Anna"}, 4.0)[0].message["name"] == "Anna"


def test_a_removed_student_is_out():
    """After a removal, the key, the messages and the answer of the seat do not count, and others are not told."""
    session = _session(["Ann"])
    seat, key, _ = session.join("Bob", "en", 0.0)
    ask(session, 1.0)
    answer(session, seat, 1, 2.0)
    assert _do(session, 3.0, do="remove", seat=seat)[1] == [(seat, {"kind": "removed"})]
    assert session.resume(key, "en", 4.0) == (seat, [(seat, {"kind": "removed"})])
    assert _refusal(session, {"kind": "ping"}, seat=seat)["reason"] == "removed"
    assert session.current.answers == {}
    state = session.teacher_state()
    assert [person["name"] for person in state["people"]] == ["Ann"]
    assert state["counts"]["answered"] == 0
    with pytest.raises(CommandError):
        _do(session, do="remove", seat=seat)


def test_a_full_session_lets_nobody_in(monkeypatch):
    """The number of seats is limited, so a flood of joins ends."""
    monkeypatch.setattr("durak_widget.live.class_session.MAX_SEATS", 2)
    session = _session()
    with pytest.raises(MessageError) as caught:
        session.join("Eve", "en", 0.0)
    assert caught.value.reason == "full"
    assert caught.value.to_text("lt")
    assert MAX_SEATS >= 1000


def test_removed_students_make_room(monkeypatch):
    """A student who was removed takes no place, but the number of all seats has an end."""
    monkeypatch.setattr("durak_widget.live.class_session.MAX_SEATS", 2)
    monkeypatch.setattr("durak_widget.live.class_session.MAX_SEATS_EVER", 4)
    session = _session()
    for seat in (0, 2):
        _do(session, do="remove", seat=seat)
        session.join("Eve", "en", 0.0)
    _do(session, do="remove", seat=3)
    for restarted in (session, ClassSession(EventLog.from_text(session.log.to_text()), now=0.0)):
        with pytest.raises(MessageError) as caught:
            restarted.join("Eve", "en", 0.0)
        assert caught.value.reason == "full"
        with pytest.raises(CommandError):
            _do(restarted, do="rehearse", count=1)


def test_a_flood_of_joins_is_slow():
    """A class joins at once, and then a few students a second; simulated students do not count."""
    session = _session([])

    def join_all(now):
        joined = 0
        while joined < 2000:
            try:
                session.join(f"Student {len(session.seats)}", "en", now)
            except MessageError as error:
                assert error.reason == "busy"
                break
            joined += 1
        return joined

    first = join_all(100.0)
    assert 1000 <= first < 2000
    assert join_all(100.0) == 0
    assert 1 <= join_all(101.0) <= 30
    _do(session, 101.0, do="rehearse", count=50)
    session.join("Bot", "en", 101.0, simulated=True)
    assert join_all(1000.0) > 300


def test_the_teacher_closes_the_entry():
    """Nobody new gets in and reads why; those who are in come back, and simulated students may come."""
    session = _session([])
    _, key, _ = session.join("Ann", "en", 0.0)
    assert "open_entry" not in session.teacher_state()["commands"]
    for _ in range(2):
        assert _do(session, 1.0, do="close_entry") == ({}, [])
    for closed in (session, ClassSession(EventLog.from_text(session.log.to_text()), now=1.0)):
        state = closed.teacher_state()
        assert not state["is_entry_open"]
        assert "open_entry" in state["commands"]
        assert "close_entry" not in state["commands"]
        with pytest.raises(MessageError) as caught:
            closed.join("Bob", "en", 2.0)
        assert caught.value.reason == "closed"
        assert closed.resume(key, "en", 2.0) is not None
    _do(session, 2.0, do="rehearse", count=1)
    _do(session, 3.0, do="open_entry")
    assert session.teacher_state()["is_entry_open"]
    session.join("Bob", "en", 3.0)
    assert [line for line in session.log.to_text().splitlines() if "entry" in line] == [
        '{"event":"close_entry","time":1.0}',
        '{"event":"open_entry","time":3.0}',
    ]


def test_silent_students_are_removed():
    """Those who never answered go; those who answered once, have just come, or are simulated stay."""
    session = _session(["Ann", "Bob", "Silent"])
    _do(session, do="rehearse", count=1)
    assert "remove_silent" not in session.teacher_state()["commands"]
    assert _do(session, do="remove_silent") == ({"removed": 0}, [])
    ask(session, 1.0)
    answer(session, 0, 1, 2.0)
    assert _do(session, 2.0, do="remove_silent") == ({"removed": 0}, [])  # they are still thinking
    _do(session, 3.0, do="stop")
    session.join("Late", "en", 3.0)
    ask(session, 4.0)
    answer(session, 1, 1, 5.0)
    restarted = ClassSession(EventLog.from_text(session.log.to_text()), now=5.0)
    assert "remove_silent" in session.teacher_state()["commands"]
    assert _do(session, 6.0, do="remove_silent") == ({"removed": 1}, [(2, {"kind": "removed"})])
    assert _do(restarted, 6.0, do="remove_silent")[0] == {"removed": 1}
    assert [seat.is_removed for seat in session.seats] == [False, False, True, False, False]
    assert describe(ClassSession(EventLog.from_text(session.log.to_text()), now=6.0)) == describe(session)


def test_codes_have_no_letters_that_look_alike():
    """A code can be read from far away and typed without doubt."""
    codes = {make_code() for _ in range(200)}
    assert len(codes) > 190
    assert not set("01OIAEUS") & set("".join(codes))


# --- Answers and refusals ---


def test_an_answer_is_counted_and_can_be_changed():
    """The last answer counts, and the student gets it back in the state."""
    session = _session()
    ask(session, 1.0)
    assert answer(session, 0, 1, 2.0)[0]["answer"] == {"choice": 1}
    assert answer(session, 0, 2, 3.0)[0]["answer"] == {"choice": 2}
    assert session.current.answers == {0: {"choice": 2}}
    assert session.teacher_state()["tally"][0]["bars"][2]["count"] == 1


def test_a_repeated_answer_changes_nothing():
    """The same answer once more, for example after a bad connection, gets the same state and is not logged."""
    session = _session()
    ask(session, 1.0)
    first, log = answer(session, 0, 1, 2.0), session.log.to_text()
    assert answer(session, 0, 1, 3.0) == first
    assert session.log.to_text() == log


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("{", "malformed"),
        ({"kind": "answer"}, "malformed"),
        ({"kind": "reveal"}, "unknown_kind"),
        ("x" * 5000, "too_long"),
        ({"kind": "answer", "question": 1, "answer": {"choice": 1}}, "stale_question"),
        ({"kind": "answer", "question": 3, "answer": {"choice": 1}}, "stale_question"),
        ({"kind": "answer", "question": 10**200, "answer": {"choice": 1}}, "stale_question"),
        ({"kind": "answer", "question": 2, "answer": {"choice": 7}}, "bad_answer"),
        ({"kind": "answer", "question": 2, "answer": None}, "bad_answer"),
        ({"kind": "rename", "name": " "}, "name"),
    ],
)
def test_refused_messages(message, reason):
    """Each impossible message gets its reason, and changes nothing for anybody."""
    session = _session()
    ask(session, 1.0)
    ask(session, 2.0)
    answer(session, 1, 1, 3.0)
    assert _refusal(session, message)["reason"] == reason


def test_an_answer_after_the_stop_is_refused():
    """A late answer is refused, and the page is told what the phase is."""
    session = _session()
    ask(session, 1.0)
    _do(session, 2.0, do="stop")
    refusal = _refusal(session, {"kind": "answer", "question": 1, "answer": {"choice": 1}})
    assert (refusal["reason"], refusal["question"]) == ("not_open", 1)
    assert answer(session, 0, 1, 200.0)[-1]["phase"] == "stopped"


def test_a_stale_answer_shows_the_current_question():
    """A page that missed a question gets it with the refusal."""
    session = _session()
    ask(session, 1.0)
    ask(session, 2.0)
    replies = answer(session, 0, 1, 3.0, number=1)
    assert [reply["kind"] for reply in replies] == ["refused", "question", "state"]
    assert replies[1]["question"] == 2


def test_a_flood_is_refused_and_others_are_not():
    """A seat may send ten messages at once and five a second; other seats do not notice."""
    session = _session()
    ask(session, 0.0)
    kinds = [session.handle_message(0, {"kind": "ping"}, 100.0)[0].message["kind"] for _ in range(40)]
    assert kinds == ["pong"] * 10 + ["refused"] * 30
    assert session.handle_message(0, {"kind": "ping"}, 100.0)[0].message["reason"] == "too_fast"
    assert answer(session, 1, 1, 100.0)[0]["kind"] == "state"
    assert answer(session, 0, 1, 100.21)[0]["kind"] == "state"
    assert session.handle_message(0, {"kind": "ping"}, 50.0)[0].message["reason"] == "too_fast"  # a clock that was set back gives nothing


def test_large_replies_are_rare():
    """Nobody can make the session send forms or log names without end: three at once, and then one a second."""
    session = _session()
    ask(session, 0.0)
    for change in ("language", "rename"):
        replies = []
        for number in range(9):
            value = LANGUAGES[number % 3] if change == "language" else f"Ann {number}"
            message = {"kind": change, ("language" if change == "language" else "name"): value}
            replies.append(session.handle_message(0, message, 100.0)[0].message)
        assert [reply.get("reason") for reply in replies] == [None] * 3 + ["too_fast"] * 6
        session = _session()
        ask(session, 0.0)
    late = [answer(session, 0, 1, 100.0, number=7) for _ in range(9)]
    assert sum(message["kind"] == "question" for messages in late for message in messages) == 3
    assert all(messages[0]["reason"] == "stale_question" and messages[-1]["kind"] == "state" for messages in late)
    changed = session.handle_message(0, {"kind": "language", "language": "lt"}, 101.0)
    assert _kinds(changed) == ["question", "state"]
    assert answer(session, 0, 1, 101.0)[0]["kind"] == "state"


def test_equal_forms_are_one_object():
    """All students of a role with the same language get the same message, so that the server encodes it once."""
    session = _session(["Ann", "Bob", "Eve", "Zoe"])
    messages = {seat: message for seat, message in ask(session, 1.0, roles=2) if message["kind"] == "question"}
    assert messages[0] is messages[2]
    assert messages[1] is messages[3]
    assert messages[0] != messages[1]
    late = session.join("Late", "en", 2.0)[2][1].message
    assert late is messages[0]
    other = session.handle_message(0, {"kind": "language", "language": "lt"}, 3.0)[0].message
    assert other["form"]["title"] == "Small (lt)"
    assert ask(session, 4.0, roles=2)[0].message["question"] == 2


@pytest.mark.parametrize("game", [Guess(), FirstPriceAuction(lowest=0, highest=1000)])
def test_private_values_are_not_shared(game):
    """Students share a form only if it is the same: each phone gets its own private value."""
    session = _session([f"Student {number}" for number in range(20)])
    spec = game.to_spec()
    prepared = find_question_class(spec).prepare(spec)
    messages = _do(session, do="ask", spec=spec, prepared=prepared)[1]
    forms = [message["form"] for _, message in messages if message["kind"] == "question"]
    assert forms == [session.current.question.build_form(seat, "en") for seat in range(20)]
    assert (len(set(map(id, forms))) == 1) == isinstance(game, Guess)


def test_an_unknown_seat_is_ignored():
    """A message for a seat that there is not has no reply."""
    session = _session()
    assert session.handle_message(7, {"kind": "ping"}, 1.0) == session.handle_message(-1, {"kind": "ping"}, 1.0) == []
    session.leave(7, 1.0)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_no_message_raises_an_error(value):
    """Whatever a page sends, the session replies only to that page, and goes on."""
    session = _session()
    ask(session, 0.0)
    before = describe(session)[1][1]
    now = 100.0
    for message in (
        value,
        {"kind": "answer", "question": 1, "answer": value},
        {"kind": "rename", "name": value},
        {"kind": value},
        json.dumps(value),
    ):
        now += 10
        assert all(receiver == 0 for receiver, _ in session.handle_message(0, message, now))
    assert describe(session)[1][1] == before


# --- A question from the lobby to the reveal ---


def test_the_phases_of_a_question():
    """Pages hear of each phase, and of their own result only after the reveal."""
    session = _session(["Ann", "Bob", "Eve"])
    assert session.phase == "lobby"
    messages = ask(session, 1.0)
    assert _kinds(messages) == ["question", "state"] * 3
    assert session.phase == "open"
    for seat, choice in enumerate([1, 1, 2]):
        answer(session, seat, choice, 2.0)
    _, messages = _do(session, 3.0, do="stop")
    assert session.phase == "stopped"
    assert _last_state(messages, 0)["result"] is None
    work(session, 4.0)
    _, messages = _do(session, 5.0, do="reveal")
    state = _last_state(messages, 0)
    assert (state["phase"], state["result"]["points"], state["points"]) == ("revealed", "0.5", "0.5")
    assert _last_state(messages, 2)["result"]["points"] == "0"
    _, messages = _do(session, 6.0, do="end")
    assert _last_state(messages, 0)["phase"] == "ended"
    assert _last_state(messages, 0)["points"] == "0.5"


def test_points_add_up():
    """The total has the points of all revealed questions, in the student's language."""
    session = _session([])
    for name, language in (("Ann", "lt"), ("Bob", "en")):
        session.join(name, language, 0.0)
    for now, options in ((10.0, 2), (20.0, 3), (30.0, 4)):
        ask(session, now, options=options)
        for seat in (0, 1):
            answer(session, seat, 0, now + 1)
        _do(session, now + 2, do="stop")
        work(session, now + 3)
        _, messages = _do(session, now + 4, do="reveal")
    assert _last_state(messages, 0)["points"] == "1,5"
    assert [person["points"] for person in session.teacher_state()["people"]] == ["1.5", "1.5"]


def test_a_latecomer_joins_the_running_question():
    """Nobody waits: a student who comes late can answer at once, and has no result of what was before."""
    session = _session()
    ask(session, 1.0)
    seat, _, messages = session.join("Late", "en", 2.0)
    assert _kinds(messages) == ["seat", "question", "state"]
    assert answer(session, seat, 1, 3.0)[0]["answer"] == {"choice": 1}
    _do(session, 4.0, do="stop")
    work(session, 5.0)
    _do(session, 6.0, do="reveal")
    _, _, messages = session.join("Later", "en", 7.0)
    assert messages[-1].message["points"] is None
    assert messages[-1].message["answer"] is None


def test_a_question_without_answers_can_be_revealed():
    """If nobody answered, the board and the result are empty, and the session goes on."""
    session = _session([])
    ask(session, 1.0)
    _do(session, 2.0, do="stop")
    work(session, 3.0)
    _do(session, 4.0, do="reveal")
    assert session.teacher_state()["board"]["groups"][0]["bars"][0]["count"] == 0


def test_asking_the_next_question_stops_the_one_before():
    """The answers of a question that was still open are scored, too, but they are not revealed."""
    session = _session()
    ask(session, 1.0)
    answer(session, 0, 1, 2.0)
    ask(session, 3.0)
    assert not session.questions[0].is_open
    work(session, 4.0)
    assert session.questions[0].result["seats"]["0"]
    assert session.seats[0].points is None


@pytest.mark.parametrize(
    "command",
    [
        {},
        {"do": None},
        {"do": "fly"},
        {"do": "_apply_end"},
        {"do": "stop"},
        {"do": "reveal"},
        {"do": "ask"},
        {"do": "ask", "spec": {"kind": "riddle"}, "prepared": {}},
        {"do": "ask", "spec": {"kind": "small"}, "prepared": {}},
        {"do": "ask", "spec": {"kind": "small"}, "prepared": object()},
        {"do": "ask", "spec": {"kind": "broken", "fails": ["build_form"]}, "prepared": {"options": ["a", "b"]}},
        {"do": "remove"},
        {"do": "remove", "seat": 2},
        {"do": "remove", "seat": True},
        {"do": "rename", "seat": 0},
        {"do": "rename", "seat": 0, "name": ""},
        {"do": "rename", "seat": 9, "name": "Ann"},
        {"do": "set_plan"},
        {"do": "set_plan", "steps": []},
        {"do": "set_plan", "steps": [1]},
        {"do": "set_plan", "steps": [{"spec": {"kind": "riddle"}}]},
        {"do": "set_plan", "steps": [{"spec": {"kind": "small"}, "note": {1, 2}}]},
        {"do": "rehearse", "count": 0},
        {"do": "rehearse", "count": 10**6},
        {"do": "rehearse", "count": "30"},
        {"do": "set_language", "language": "xx"},
        {"do": "set_language", "language": []},
    ],
)
def test_an_impossible_command_changes_nothing(command):
    """The teacher reads why, in the session's language, and the log stays as it was."""
    session = _session()
    before, log = describe(session), session.log.to_text()
    with pytest.raises(CommandError) as caught:
        session.command(command, 1.0)
    assert all(caught.value.to_text(language) for language in LANGUAGES)
    assert (describe(session), session.log.to_text()) == (before, log)


def test_commands_out_of_order_are_refused():
    """A question is stopped, then scored, then revealed, and nothing happens after the end."""
    session = _session()
    ask(session, 1.0)
    with pytest.raises(CommandError):
        _do(session, do="reveal")
    _do(session, 2.0, do="stop")
    with pytest.raises(CommandError):
        _do(session, do="stop")
    assert not session.has_result
    with pytest.raises(CommandError):
        _do(session, do="reveal")
    work(session, 3.0)
    assert session.has_result
    _do(session, 4.0, do="reveal")
    with pytest.raises(CommandError):
        _do(session, do="reveal")
    _do(session, 5.0, do="end")
    with pytest.raises(CommandError):
        ask(session, 6.0)
    with pytest.raises(MessageError) as caught:
        session.join("Late", "en", 7.0)
    assert caught.value.reason == "ended"
    assert _refusal(session, {"kind": "answer", "question": 1, "answer": {"choice": 1}})["reason"] == "not_open"
    assert session.teacher_state()["commands"] == []


def test_the_teacher_sees_possible_commands():
    """The one big button does what a teacher wants next."""
    session = _session()
    mains = [session.teacher_state()["main"]]
    _do(session, do="set_plan", title={"en": "Hour"}, steps=[{"spec": {"kind": "small", "options": 3}}])
    mains.append(session.teacher_state()["main"])
    ask(session, 1.0)
    mains.append(session.teacher_state()["main"])
    _do(session, 2.0, do="stop")
    mains.append(session.teacher_state()["main"])
    work(session, 3.0)
    _do(session, 4.0, do="reveal")
    mains.append(session.teacher_state()["main"])
    assert mains == ["", "next", "stop", "reveal", "end"]


def test_the_board_is_shown_after_the_stop():
    """While a question is open, only the teacher's tally counts; the board has no theory before the reveal."""
    session = _session()
    assert session.teacher_state()["board"] is None
    ask(session, 1.0)
    answer(session, 0, 1, 2.0)
    state = session.teacher_state()
    assert (state["board"], state["tally"][0]["bars"][1]["count"]) == (None, 1)
    _do(session, 3.0, do="stop")
    work(session, 4.0)
    state = session.teacher_state()
    assert (state["tally"], state["board"]["lines"]) == ([], [])
    _do(session, 5.0, do="reveal")
    assert "best" in session.teacher_state()["board"]["lines"][0]


def test_the_teacher_state_is_computed_once_for_each_revision(monkeypatch):
    """A state that nothing has changed is not computed again, and each change has a new revision."""
    session = _session()
    ask(session, 1.0)
    assert session.teacher_state() is session.teacher_state()
    tallies = []
    monkeypatch.setattr(SmallQuestion, "build_tally", lambda *_: tallies.append(1) or [])
    answer(session, 0, 1, 2.0)
    session.teacher_state()
    session.leave(1, 3.0)
    session.teacher_state()
    assert len(tallies) == 1
    revisions = [session.teacher_revision]
    for change in (
        lambda: session.resume("nobody", "en", 4.0),
        lambda: session.join("Eve", "en", 4.0),
        lambda: answer(session, 1, 2, 4.0),
        lambda: session.leave(0, 5.0),
        lambda: session.take_jobs() and session.finish_job("solve", 1, {}, 6.0),
        lambda: _do(session, 7.0, do="stop"),
    ):
        change()
        revisions.append(session.teacher_revision)
    assert revisions[0] == revisions[1]
    assert all(before < after for before, after in pairwise(revisions[1:]))


def test_the_teacher_revision_grows_over_a_restart():
    """A teacher who waits for a newer state than the last one also hears from a new process."""
    session = _session(["Ann"] * 50)
    again = ClassSession(EventLog.from_text(session.log.to_text()), now=2.0)
    assert again.teacher_revision > session.teacher_revision


# --- The plan ---


def _ask_next(session, now):
    spec = session.next_spec()
    return session.command({"do": "ask", "spec": spec, "prepared": SmallQuestion.prepare(spec)}, now)


def test_a_plan_is_followed():
    """The next step comes after the last round, a step may be asked twice, and the plan knows what is done."""
    steps = [
        {"spec": {"kind": "small", "rounds": 2}, "title": {"en": "Rounds", "lt": "Raundai"}, "note": {"en": "Talk."}, "minutes": 5},
        {"spec": {"kind": "small", "options": 4}, "title": {"en": "Twice"}, "again": True},
    ]
    session = _session()
    _do(session, do="set_plan", title={"en": "Hour", "lt": "Valanda"}, steps=steps)
    asked = []
    for now in range(10, 90, 10):
        if session.next_spec() is None:
            break
        _, messages = _ask_next(session, now)
        current = session.current
        asked.append((current.spec.get("options", 3), current.round, current.attempt, _last_state(messages, 0)["is_last"]))
        _do(session, now + 1, do="stop")
        work(session, now + 2)
        _do(session, now + 3, do="reveal")
    assert asked == [(3, 1, 1, False), (3, 2, 1, False), (4, 1, 1, False), (4, 1, 2, True)]
    state = session.teacher_state()
    assert state["title"] == "Hour"
    assert state["plan"]["is_finished"]
    assert [(step["is_done"], step["is_current"]) for step in state["plan"]["steps"]] == [(True, False), (True, True)]
    assert [board["title"] for board in state["board"]["earlier"]] == ["Small (en)"]
    _do(session, 100.0, do="set_language", language="lt")
    assert session.teacher_state()["plan"]["steps"][0]["title"] == "Raundai"


def test_a_question_beside_the_plan_does_not_lose_it():
    """After a question of the teacher's own, the plan goes on where it was."""
    session = _session()
    _do(session, do="set_plan", title="", steps=[{"spec": {"kind": "small", "options": number}} for number in (3, 4)])
    _ask_next(session, 1.0)
    ask(session, 2.0, options=7)
    assert not any(step["is_current"] for step in session.teacher_state()["plan"]["steps"])
    assert session.next_spec()["options"] == 4


def test_a_question_is_asked_again():
    """The next attempt has the next number, and shows the attempt before on the board."""
    session = _session()
    assert session.again_spec() is None
    ask(session, 1.0, again=True)
    answer(session, 0, 2, 2.0)
    _do(session, 3.0, do="stop")
    assert session.teacher_state()["main"] == "next"
    spec = session.again_spec()
    assert (spec["attempt"], "again" in spec) == (2, False)
    ask(session, 4.0, **spec)
    assert session.current.attempt == 2
    _do(session, 5.0, do="stop")
    board = session.teacher_state()["board"]
    assert board["earlier"][0]["groups"][0]["bars"][2]["count"] == 1
    assert session.next_spec() is None


def test_equilibria_wait_for_the_last_attempt():
    """The board of a question that will be asked again has its result, but no solution; the last attempt has both."""
    session = _session()
    ask(session, 1.0, again=True)
    lines = []
    for now in (2.0, 6.0):
        _do(session, now, do="stop")
        work(session, now + 1)
        _do(session, now + 2, do="reveal")
        lines += session.teacher_state()["board"]["lines"]
        if session.next_spec():
            ask(session, now + 3, **session.next_spec())
    assert ["count" in line for line in lines] == [True, True]
    assert ["best" in line for line in lines] == [False, True]


# --- Jobs ---


def test_jobs_follow_the_question():
    """A question is solved when it is asked and scored when it is stopped, each once."""
    session = _session()
    ask(session, 1.0)
    answer(session, 0, 1, 2.0)
    (job,) = session.take_jobs()
    assert (job.kind, job.question, job.answers) == ("solve", 1, {})
    assert session.teacher_state()["question"]["is_working"]
    session.finish_job("solve", 1, {"best": 1}, 3.0)
    assert not session.teacher_state()["question"]["is_working"]
    _do(session, 4.0, do="stop")
    (job,) = session.take_jobs()
    assert (job.kind, job.answers) == ("score", {0: {"choice": 1}})
    assert session.take_jobs() == []


def test_a_restart_finds_the_missing_jobs():
    """What the worker had not finished is computed after a restart, the current question's result first."""
    session = _session()
    ask(session, 1.0)
    _do(session, 2.0, do="stop")
    ask(session, 3.0)
    _do(session, 4.0, do="stop")
    session.take_jobs()
    session.finish_job("score", 1, {"seats": {}}, 5.0)
    again = ClassSession(EventLog.from_text(session.log.to_text()), now=6.0)
    assert [(job.kind, job.question) for job in again.take_jobs()] == [("score", 2), ("solve", 2)]


def test_an_outcome_out_of_date_is_dropped():
    """If a student is removed while the worker computes, the result is computed again without them."""
    session = _session()
    ask(session, 1.0)
    for seat in (0, 1):
        answer(session, seat, 1, 2.0)
    _do(session, 3.0, do="stop")
    old = next(job for job in session.take_jobs() if job.kind == "score")
    _do(session, 4.0, do="remove", seat=1)
    session.finish_job("score", 1, SmallQuestion(old.spec, old.prepared).score(old.answers, "en"), 5.0)
    assert not session.has_result
    work(session, 6.0)
    assert session.current.result["count"] == 1
    again = ClassSession(EventLog.from_text(session.log.to_text()), now=7.0)
    assert describe(again) == describe(session)


def test_a_removal_after_the_reveal_keeps_the_result():
    """What students were shown stays true: the points of a revealed question do not change."""
    session = _session()
    ask(session, 1.0)
    for seat in (0, 1):
        answer(session, seat, 1, 2.0)
    _do(session, 3.0, do="stop")
    work(session, 4.0)
    _do(session, 5.0, do="reveal")
    before = answer(session, 0, 1, 6.0)[-1]
    _do(session, 7.0, do="remove", seat=1)
    assert answer(session, 0, 1, 8.0)[-1] == before
    assert before["points"] == "0.5"
    assert session.take_jobs() == []


@pytest.mark.parametrize("outcome", [{"error": "timeout"}, {"error": "it ended"}, {"seats": 3}, {"seats": {1: object()}}, [], None])
def test_a_result_that_fails_can_be_revealed(outcome):
    """If scoring fails, the teacher reads why, and the class goes on with the shares."""
    session = _session()
    ask(session, 1.0)
    answer(session, 0, 1, 2.0)
    _do(session, 3.0, do="stop")
    session.take_jobs()
    session.finish_job("solve", 1, {"error": "timeout"}, 4.0)
    session.finish_job("score", 1, outcome, 4.0)
    assert session.teacher_state()["problem"]
    _, messages = _do(session, 5.0, do="reveal")
    assert _last_state(messages, 0)["result"] is None
    assert session.teacher_state()["board"]["groups"]


def test_outcomes_of_no_job_are_ignored():
    """A worker cannot change the result of a question that it was not asked about."""
    session = _session()
    session.finish_job("score", 1, {}, 1.0)
    ask(session, 1.0)
    session.finish_job("score", 1, {"seats": {}}, 1.0)
    session.finish_job("cook", 1, {}, 1.0)
    assert session.current.result is None
    work(session, 2.0)
    session.finish_job("solve", 1, {"best": 9}, 3.0)
    assert session.current.solution == {"best": 0}


def test_another_language_draws_the_result_again():
    """The projector's pictures follow the session's language; a failure keeps the former ones."""
    session = _session()
    ask(session, 1.0)
    _do(session, 2.0, do="stop")
    work(session, 3.0)
    _do(session, 4.0, do="set_language", language="lt")
    assert session.has_result
    work(session, 5.0)
    assert session.current.result["picture"] == "lt"
    _do(session, 6.0, do="set_language", language="ru")
    session.take_jobs()
    session.finish_job("score", 1, {"error": "timeout"}, 7.0)
    assert session.current.result["picture"] == "lt"


# --- A full disk, a broken question, a broken log ---


def test_a_full_disk_refuses_and_the_session_goes_on():
    """An event that cannot be saved has not happened; when there is room again, all goes on."""
    disk = FullDisk()
    session = ClassSession(EventLog(disk), now=0.0)
    session.join("Ann", "en", 0.0)
    _, key, _ = session.join("Bob", "en", 0.0)
    ask(session, 1.0)
    disk.is_full = True
    for message in (
        {"kind": "answer", "question": 1, "answer": {"choice": 1}},
        {"kind": "rename", "name": "Eve"},
        {"kind": "language", "language": "lt"},
    ):
        assert _refusal(session, message)["reason"] == "not_saved"
    with pytest.raises(MessageError) as caught:
        session.join("Eve", "en", 2.0)
    assert caught.value.reason == "not_saved"
    with pytest.raises(CommandError):
        _do(session, 2.0, do="stop")
    with pytest.raises(CommandError):
        _do(session, 2.0, do="rehearse", count=30)
    assert session.resume(key, "ru", 3.0)[1][0].message["name"] == "Bob"
    assert (session.phase, len(session.seats), session.current.answers) == ("open", 2, {})
    assert session.teacher_state()["problem"]
    disk.is_full = False
    assert answer(session, 0, 1, 200.0)[0]["answer"] == {"choice": 1}
    assert session.teacher_state()["problem"] is None
    assert describe(ClassSession(EventLog(io.BytesIO(disk.getvalue())), now=9.0)) == describe(session)


def test_a_result_is_saved_when_there_is_room_again():
    """If the disk is full when the worker is ready, the next command saves the result."""
    disk = FullDisk()
    session = ClassSession(EventLog(disk), now=0.0)
    session.join("Ann", "en", 0.0)
    ask(session, 1.0)
    _do(session, 2.0, do="stop")
    disk.is_full = True
    work(session, 3.0)
    assert not session.has_result
    with pytest.raises(CommandError):
        _do(session, 4.0, do="reveal")
    disk.is_full = False
    _do(session, 5.0, do="reveal")
    assert session.phase == "revealed"
    assert describe(ClassSession(EventLog(io.BytesIO(disk.getvalue())), now=9.0)) == describe(session)


def test_a_session_that_cannot_be_saved_does_not_begin():
    """A session on a full disk is an error at once, not in the middle of the hour."""
    disk = FullDisk()
    disk.is_full = True
    with pytest.raises(LogError):
        ClassSession(EventLog(disk), now=0.0)


@pytest.mark.parametrize(
    "part", ["parse_answer", "build_board", "build_tally", "describe_result", "get_points", "build_next_spec", "title"]
)
def test_a_mistake_in_a_question_does_not_end_the_session(part):
    """Whatever a kind of question does wrong, pages get replies, and the teacher can go on."""
    session = _session()
    ask(session, 1.0, kind="broken")
    session.current.spec["fails"] = [part]
    replies = answer(session, 0, 1, 2.0)
    assert replies[0].get("reason") == ("bad_answer" if part == "parse_answer" else None)
    session.teacher_state()
    _do(session, 3.0, do="stop")
    session.take_jobs()
    session.finish_job("score", 1, {"seats": {"0": {"points": "1"}}, "count": 1}, 4.0)
    _, messages = _do(session, 5.0, do="reveal")
    assert _last_state(messages, 0)["phase"] == "revealed"
    session.teacher_state()
    ask(session, 6.0)
    assert answer(session, 0, 1, 7.0)[0]["kind"] == "state"


@pytest.mark.parametrize(
    "text",
    [
        '{"event":"join","seat":0}\n',
        '{"event":"session","version":2,"code":"A","language":"en"}\n',
        '{"event":"session","version":1,"code":"A","language":"en"}\n{"event":"dance"}\n',
        '{"event":"session","version":1,"code":"A","language":"en"}\n{"event":"answer","question":1,"seat":0,"answer":1,"time":0}\n',
    ],
)
def test_a_log_of_something_else_is_an_error(text):
    """A log that this version cannot read is not changed, and the error says what is wrong."""
    log = EventLog.from_text(text)
    with pytest.raises(LogError):
        ClassSession(log, now=0.0)
    assert log.to_text() == text


def test_a_long_hour_of_simulated_students_has_their_names():
    """Simulated students have different names, are marked, and leave together."""
    session = _session(["Liam"])
    _do(session, do="rehearse", count=100)
    people = session.teacher_state()["people"]
    assert len({person["name"] for person in people}) == 101
    assert sum(person["simulated"] for person in people) == session.teacher_state()["counts"]["simulated"] == 100
    ask(session, 1.0)
    rng = Random(1)
    for seat in range(1, 101):
        answer(session, seat, rng.randrange(3), 2.0)
    assert _do(session, 3.0, do="dismiss_simulated")[1] == []
    state = session.teacher_state()
    assert (state["counts"]["joined"], state["counts"]["answered"], state["counts"]["simulated"]) == (1, 0, 0)
    assert "dismiss_simulated" not in state["commands"]
