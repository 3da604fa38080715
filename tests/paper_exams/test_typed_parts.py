"""Test unreadable answers from paper: they cost no more than empty ones, and are reported in place."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape

import pytest

from durak_widget import lessons
from durak_widget.exercises.paper_form import parse_paper_answer, require_paper_question
from durak_widget.grading.answer_grading import GradingSettings, SubmittedAnswer, grade_answer
from durak_widget.grading.gradebook import GradebookRow
from durak_widget.grading.student_feedback import render_question
from durak_widget.grading.submissions import CountedAnswer
from durak_widget.homework.assignment import Assignment, Question
from durak_widget.i18n import Translator
from durak_widget.sandbox.code_runner import Limits
from durak_widget.translated_errors import RefusedError
from support.classroom_kinds import ASSIGNMENT
from support.spoken import english, english_text

STUDENT = "Ann Lee"


def verdict_on(name, written, assignment=ASSIGNMENT, language="en"):
    """Return the verdict on an answer typed from a sheet."""
    how = GradingSettings(assignment, "", language, False, Limits())
    return grade_answer(how, SubmittedAnswer(STUDENT, assignment.find_question_index(name), CountedAnswer({"by_hand": written}, 1)))


def test_an_unreadable_part_costs_the_same_as_an_empty_one() -> None:
    """Other parts count, and the message names the part."""
    for name in ("values", "fill", "best", "strategy"):
        for odd in ("7,,5", "01-Feb", "often?"):
            right = require_paper_question(ASSIGNMENT.create_exercise(name, STUDENT)).write_solution()
            for label in right:
                found = verdict_on(name, {**right, label: odd})
                empty = verdict_on(name, {**right, label: ""})
                assert found.credit == empty.credit, label
                assert found.unreadable_message.startswith(english_text("lesson.hand.part", label=str(label), said=f"“{odd[0]}")), found
                assert found.explanation == f"{empty.explanation} {found.unreadable_message}"
                assert not found.is_reproducible


def test_an_entirely_unreadable_answer_is_no_answer() -> None:
    """The first blank's message says why."""
    found = verdict_on("values", {"a": "x", "b": "y"})
    assert (found.credit, found.is_unreadable, found.unreadable_message) == (0, True, "")
    assert found.explanation == english_text("class.mark.unread", said=english_text("lesson.hand.number.odd.marked", text="x"))


def test_an_endless_part_loses_only_itself() -> None:
    """A page of text in a cell gets one short message without internals."""
    for language in ("en", "lt", "ru"):
        right = require_paper_question(ASSIGNMENT.create_exercise("values", STUDENT)).write_solution()
        label = next(iter(right))
        found = verdict_on("values", {**right, label: "7+" * 50_000 + "7"}, language=language)
        assert found.credit == verdict_on("values", {**right, label: ""}, language=language).credit
        assert "7+7+7+7+7+7+7+7+7+7+…" in found.unreadable_message
        assert len(found.explanation) < 400
        whole = verdict_on("few", {"": "9" * 100_000}, language=language)
        assert (whole.credit, whole.is_unreadable) == (0, True)
        assert len(whole.explanation) < 200


def test_an_unknown_part_changes_nothing() -> None:
    """An extra column gets a message."""
    right = require_paper_question(ASSIGNMENT.create_exercise("values", STUDENT)).write_solution()
    found = verdict_on("values", {**right, "zz": "7"})
    assert found.credit == 1
    assert found.unreadable_message == english_text("lesson.hand.no_blank", label="zz", first="a", last=str([*right][-1]))


def test_inconsistent_probabilities_lose_only_their_set() -> None:
    """More than 1 at an information set counts as empty, with one message in the reader's language."""
    task = ASSIGNMENT.create_exercise("strategy", STUDENT)
    with pytest.raises(RefusedError, match=english("lesson.hand.shares")) as refused:
        parse_paper_answer(task, {"by_hand": {"a": "3/4", "b": "1/2"}})
    assert refused.value.to_text("lt") == Translator("lt").translate("lesson.hand.shares", text="3/4, 1/2")


def test_a_question_without_parts_says_so() -> None:
    """All habits of a bot are needed; with one unreadable nothing counts."""
    bot = Assignment(
        "one-bot",
        "A bot",
        [
            Question(
                "bot",
                2,
                "A bot",
                lambda _: lessons.Bot(
                    goal=4, pairs=2, seed="a", solution={"lead": "high", "beat": "high", "take": "never", "throw": "none"}
                ),
                "bot",
            )
        ],
    )
    right = require_paper_question(bot.create_exercise("bot", STUDENT)).write_solution()
    label = next(iter(right))
    found = verdict_on("bot", {**right, label: "q"}, bot)
    assert (found.credit, found.is_unreadable) == (0, True)
    assert english("lesson.hand.no_letter", text="q").search(found.explanation)
    assert english("lesson.hand.whole").search(found.explanation)


def test_an_unreadable_blank_is_shown_on_the_feedback_page() -> None:
    """It is in its row as typed, marked unreadable, beside the right answer."""
    for name, label in (("values", "b"), ("fill", "c")):
        task = ASSIGNMENT.create_exercise(name, STUDENT)
        written = {**require_paper_question(task).write_solution(), label: "7,,5"}
        found = verdict_on(name, written)
        row = GradebookRow(
            STUDENT, "a.csv", name, Fraction(0), 3, found.credit, 1, found.mistake_name, found.explanation, answers=({"by_hand": written},)
        )
        page = unescape(render_question(ASSIGNMENT.create_exercise(name, STUDENT), row, Translator()))
        [line] = [match for match in re.findall("<tr>.*?</tr>", page) if "7,,5" in match]
        right = task.describe_answer_parts()[list(written).index(label)]
        assert right.location in line
        assert f"<td>{right.text}</td>" in line
        assert f'title="{english_text("class.feedback.mark.unread")}">?</span>' in line
        assert "by_hand" not in page
