"""Tests what the teacher and the projector see of a question, of the plan and of the students."""

from __future__ import annotations

import json
from typing import Any

import pytest

from durak_widget.exercises.choice_exercise import Choose
from durak_widget.live.class_session import ClassSession
from durak_widget.live.event_log import EventLog
from durak_widget.live.exercise_question import ExerciseQuestion, make_exercise_spec
from durak_widget.live.game_question import make_game_spec
from durak_widget.live.number_games import FirstPriceAuction, Guess
from durak_widget.live.question import LANGUAGES, find_question_class
from support.live_server import SPEC, asynchronous, running_server


def start(count: int = 0, language: str = "en") -> ClassSession:
    """Return a session with students who are here."""
    session = ClassSession(EventLog(), now=1.0, language=language)
    for number in range(count):
        session.join(f"Student {number}", language, 2.0)
    return session


def ask(session: ClassSession, spec: dict[str, Any]) -> dict[str, Any]:
    """Ask a question, and return what the teacher sees of it."""
    spec = json.loads(json.dumps(spec))
    session.command({"do": "ask", "spec": spec, "prepared": find_question_class(spec).prepare(spec)}, 3.0)
    question: dict[str, Any] = session.teacher_state()["question"]
    return question


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_open_question_is_shown_without_a_role(language):
    """The projector has the text and the picture of the phones, and the names of all roles, but is for no single role."""
    session = start(2, language)
    question = ask(session, make_game_spec("entry"))
    assert session.current is not None
    form = session.current.question.build_form(0, language)
    assert (question["text"], question["picture"], question["options"]) == (form["text"], form["picture"], [])
    assert question["picture"].startswith("<svg")
    assert len(question["roles"]) == 2
    assert form["role"] not in json.dumps(question, ensure_ascii=False)
    assert [person["role"] for person in session.teacher_state()["people"]] == question["roles"]


def test_options_and_limits_are_shown_and_private_values_are_not():
    """A choice has its options and a number its limits; a student's own value in an auction stays on the phone."""
    session = start(2)
    choice = make_exercise_spec(Choose("Who wins?", {"Ann": "", "Nobody": ""}, right="Nobody"))
    assert ask(session, choice)["options"] == ["Ann", "Nobody"]
    number = ask(session, Guess().to_spec())
    assert "100" in number["options"][0]
    assert number["roles"] == []
    auction = ask(session, FirstPriceAuction().to_spec())
    assert session.current is not None
    (fact, *_) = session.current.question.build_form(0, "en")["facts"][-1:]
    assert fact not in json.dumps(auction, ensure_ascii=False)


def test_the_plan_goes_on_after_the_step_that_was_asked():
    """A step that is left out is not done, and an earlier step can be asked once more."""
    session = start(1)
    steps = [{"spec": Guess(fraction=fraction, rounds=1).to_spec()} for fraction in ("1/3", "1/2", "2/3")]
    session.command({"do": "set_plan", "title": "Hour", "steps": steps}, 3.0)
    assert [session.step_spec(step) for step in (-1, 3, None)] == [None] * 3
    ask(session, session.step_spec(1))
    plan = session.teacher_state()["plan"]
    assert [(step["is_done"], step["is_current"]) for step in plan["steps"]] == [(False, False), (False, True), (False, False)]
    assert session.next_spec() == session.step_spec(2)
    ask(session, session.step_spec(2))
    assert not session.teacher_state()["plan"]["is_finished"]
    ask(session, session.step_spec(0))
    assert session.next_spec() == session.step_spec(1)
    assert [step["is_done"] for step in session.teacher_state()["plan"]["steps"]] == [False, True, True]


def test_a_wrong_first_answer_is_marked_although_nobody_gives_it_again():
    """Both attempts show which of the given answers are wrong."""
    spec = make_exercise_spec(Choose("Who wins?", {"Ann": "", "Ben": "", "Nobody": ""}, right="Nobody"))
    question = ExerciseQuestion(spec, {})
    first = question.build_board({0: {"choice": 0}}, None, None, is_revealed=False, language="en")
    now = {0: {"choice": 2}}
    board = question.build_board(now, question.score(now, "en"), None, is_revealed=True, language="en", earlier=[first])
    (earlier,) = board["earlier"]
    assert [bar["marks"] for bar in earlier["groups"][0]["bars"]] == [["mistake"], [], ["right"]]
    before_reveal = question.build_board(now, None, None, is_revealed=False, language="en", earlier=[first])
    assert [bar["marks"] for bar in before_reveal["earlier"][0]["groups"][0]["bars"]] == [[], [], []]


@asynchronous
async def test_a_step_is_asked_by_its_number():
    """The teacher can ask any step of the plan; there is a reason if it does not exist."""
    async with running_server() as running:
        await running.command(do="set_plan", title="", steps=[{"spec": {**SPEC, "title": "First"}}, {"spec": SPEC}])
        await running.command(do="ask_step", step=1)
        assert (await running.get_state())["plan"]["steps"][1]["is_current"]
        for step in (2, -1, "1", None):
            response = await running.teach("/command", method="POST", body={"do": "ask_step", "step": step})
            assert response.code == 400
            assert json.loads(response.body)["error"]


@asynchronous
async def test_scores_are_shown_until_the_next_question():
    """The projector shows the best students when the teacher says so, and the next question removes them."""
    async with running_server() as running:
        await running.command(do="ask", spec=SPEC)
        await running.command(do="reveal")
        assert not (await running.get_state())["shows_scores"]
        await running.command(do="show_scores", shown=True)
        assert (await running.get_state())["shows_scores"]
        await running.command(do="ask", spec=SPEC)
        assert not (await running.get_state())["shows_scores"]
        await running.command(do="show_scores", shown=False)
