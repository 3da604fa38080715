"""A small kind of question for tests of live sessions, which needs no other part; and what a session knows, as plain data."""

# ruff: noqa: D102, ARG002 - `Question` says what each method does

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING

import pytest

from durak_widget.live import question
from durak_widget.live.question import AnswerError, Question, SpecError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.live.class_session import ClassSession


class SmallQuestion(Question):
    """Choose one of a few options; a student gets a point for each other student with the same choice."""

    kind = "small"

    @classmethod
    def prepare(cls, spec):
        if not 2 <= spec.get("options", 3) <= 9:
            raise SpecError("a small question has 2 to 9 options")
        return {"options": [f"option {number}" for number in range(spec.get("options", 3))]}

    def __init__(self, spec, prepared):
        super().__init__(spec, prepared)
        self.options = prepared["options"]

    def solve(self):
        return {"best": 0}

    def score(self, answers, language):
        choices = [answer["choice"] for answer in answers.values()]
        seats = {str(seat): {"points": f"{choices.count(answer['choice']) - 1}/2"} for seat, answer in answers.items()}
        return {"seats": seats, "count": len(choices), "picture": language}

    @property
    def role_count(self):
        return self.spec.get("roles", 1)

    def title(self, language):
        return f"Small ({language})"

    def build_form(self, seat, language):
        return {"type": "choice", "title": self.title(language), "role": f"role {self.role_of(seat)}", "options": self.options}

    def parse_answer(self, seat, answer):
        choice = answer.get("choice") if isinstance(answer, dict) else None
        if type(choice) is not int or not 0 <= choice < len(self.options):
            raise AnswerError("live.refused.bad_answer")
        return {"choice": choice}

    def pick_answer(self, seat, rng):
        return {"choice": rng.randrange(len(self.options))}

    def build_tally(self, answers, language):
        choices = [answer["choice"] for answer in answers.values()]
        return [{"title": language, "bars": [{"label": text, "count": choices.count(at)} for at, text in enumerate(self.options)]}]

    def build_board(self, answers, result, solution, *, is_revealed, language, earlier=()):
        return {
            "title": self.title(language),
            "groups": self.build_tally(answers, language),
            "lines": [f"{result} {solution}"] if is_revealed else [],
            "earlier": [{"title": board["title"], "groups": board["groups"]} for board in earlier],
        }

    def _describe_own_result(self, result, own, role, language):
        return {"headline": f"{language} {own} of {result['count']}", "lines": [], "is_right": None}

    def list_choices(self, seat, answer):
        return [
            {"role": f"role {self.role_of(seat)}", "infoset": place, "choice": self.options[answer["choice"]], "probability": "1"}
            for place in self.spec.get("places", ["start"])
        ]

    def build_next_spec(self, result):
        number = self.spec.get("round", 1)
        return {**self.spec, "round": number + 1} if number < self.spec.get("rounds", 1) else None


class BrokenQuestion(SmallQuestion):
    """A question with a mistake in its code: it fails where `spec["fails"]` says."""

    kind = "broken"

    def __getattribute__(self, name):
        if name in object.__getattribute__(self, "__dict__").get("spec", {}).get("fails", ()):
            raise ZeroDivisionError(name)
        return super().__getattribute__(name)


QUESTION_CLASSES = {"small": SmallQuestion, "broken": BrokenQuestion}
SPEC = {"kind": "small", "options": 3}


@contextmanager
def small_questions() -> Iterator[None]:
    """Let sessions know the kinds of question of this module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, f"{question.__package__}.small_question", sys.modules[__name__])
        for kind in QUESTION_CLASSES:
            patch.setitem(question._MODULES, kind, "small_question")
        yield


def ask(session: ClassSession, now: float, **spec: object):
    """Ask a small question, and return the messages to send."""
    described = {**SPEC, **spec}
    question_class = QUESTION_CLASSES[described["kind"]]
    return session.command({"do": "ask", "spec": described, "prepared": question_class.prepare(described)}, now)[1]


def work(session: ClassSession, now: float) -> None:
    """Do all jobs that wait, as the worker would."""
    for job in session.take_jobs():
        made = question.load_question(job.spec, job.prepared)
        session.finish_job(job.kind, job.question, made.solve() if job.kind == "solve" else made.score(job.answers, job.language), now)


def answer(session: ClassSession, seat: int, choice: int, now: float, number: int | None = None):
    """Send an answer to the current question, and return the replies."""
    asked = session.current.id if number is None else number
    return [
        message
        for receiver, message in session.handle_message(seat, {"kind": "answer", "question": asked, "answer": {"choice": choice}}, now)
        if receiver == seat
    ]


_UNLOGGED = {"is_here", "message_limit", "form_limit"}


def describe(session: ClassSession) -> object:
    """Return all that a session knows from its log, to compare two sessions."""
    state = {**session.teacher_state()}
    for key in ("revision", "problem"):
        del state[key]
    state["counts"] = {key: count for key, count in state["counts"].items() if key not in {"here", "expected"}}
    state["people"] = [{**person, "here": None} for person in state["people"]]
    if state["question"]:
        state["question"] = {**state["question"], "is_working": None}
    seats = [{field.name: getattr(seat, field.name) for field in fields(seat) if field.name not in _UNLOGGED} for seat in session.seats]
    questions = [
        {
            **{field.name: getattr(asked, field.name) for field in fields(asked) if field.name not in {"question", "previous"}},
            "spec": asked.spec,
            "prepared": asked.question.prepared,
            "previous": asked.previous and asked.previous.id,
        }
        for asked in session.questions
    ]
    pages = [session._show_question(seat) for seat in session.seats]
    return state, seats, questions, pages, session.next_spec(), session._numbers_by_key, session._class_event_count
