"""What was typed off a sheet and cannot be read: it costs no more than what was left empty, and says so where it stands."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape

import pytest

from durak_widget import lessons
from durak_widget.exercises.paper_form import form_of_paper, read_by_hand
from durak_widget.grading.answer_grading import Answered, How, judged
from durak_widget.grading.gradebook import Marked
from durak_widget.grading.student_feedback import question_told
from durak_widget.grading.submissions import Given
from durak_widget.homework.assignment import Assignment, Question
from durak_widget.i18n import Voice
from durak_widget.sandbox.code_runner import Limits
from durak_widget.translated_errors import RefusedError
from support.classroom_kinds import ASSIGNMENT

STUDENT = "Ann Lee"


def worth(name, written, assignment=ASSIGNMENT, language="en"):
    """What is thought of what was typed off the sheet of that question."""
    how = How(assignment, "", language, False, Limits())
    return judged(how, Answered(STUDENT, assignment.place(name), Given({"by_hand": written}, 1)))


def test_a_part_that_cannot_be_read_costs_what_an_empty_one_does() -> None:
    """Whichever blank it is: the other parts count as they do beside an empty blank, and the sentence names the part."""
    for name in ("values", "fill", "best", "strategy"):
        for odd in ("7,,5", "01-Feb", "often?"):
            right = form_of_paper(ASSIGNMENT.task(name, STUDENT)).write()
            for label in right:
                found = worth(name, {**right, label: odd})
                empty = worth(name, {**right, label: ""})
                assert found.credit == empty.credit, label
                assert found.odd.startswith(f"Part {label} cannot be read, and counts as left empty: “{odd[0]}"), found
                assert found.said == f"{empty.said} {found.odd}"
                assert not found.lasting


def test_nothing_but_what_cannot_be_read_is_no_answer() -> None:
    """Where no blank can be read the answer cannot, and the first says why."""
    found = worth("values", {"a": "x", "b": "y"})
    assert (found.credit, found.unread, found.odd) == (0, True, "")
    assert found.said == "This answer cannot be read: “x” is not a number. Write it as in 1/2, 0.5 or -1."


def test_a_part_that_goes_on_and_on_costs_itself_alone() -> None:
    """A page of text in one cell: the others count, a short sentence names it, and nothing of how answers are kept is said."""
    for language in ("en", "lt", "ru"):
        right = form_of_paper(ASSIGNMENT.task("values", STUDENT)).write()
        label = next(iter(right))
        found = worth("values", {**right, label: "7+" * 50_000 + "7"}, language=language)
        assert found.credit == worth("values", {**right, label: ""}, language=language).credit
        assert "7+7+7+7+7+7+7+7+7+7+…" in found.odd
        assert len(found.said) < 400
        whole = worth("few", {"": "9" * 100_000}, language=language)
        assert (whole.credit, whole.unread) == (0, True)
        assert len(whole.said) < 200


def test_a_part_that_is_on_no_sheet_takes_nothing_with_it() -> None:
    """A column too many costs nothing but a sentence."""
    right = form_of_paper(ASSIGNMENT.task("values", STUDENT)).write()
    found = worth("values", {**right, "zz": "7"})
    assert found.credit == 1
    assert found.odd == f"On this sheet the question has no part zz; its parts go from a to {[*right][-1]}."


def test_shares_that_do_not_go_together_cost_their_place_alone() -> None:
    """More than 1 at one information set: that set counts as empty, with one sentence in the reader's language."""
    task = ASSIGNMENT.task("strategy", STUDENT)
    with pytest.raises(RefusedError, match="add up to 1") as refused:
        read_by_hand(task, {"by_hand": {"a": "3/4", "b": "1/2"}})
    assert refused.value.said("lt") == "„3/4, 1/2“: vienoje vietoje visų ėjimų tikimybių suma lygi 1."


def test_a_question_that_is_one_whole_says_so() -> None:
    """Of a bot each habit is needed: with one that cannot be read nothing counts, and the sentence says why."""
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
    right = form_of_paper(bot.task("bot", STUDENT)).write()
    label = next(iter(right))
    found = worth("bot", {**right, label: "q"}, bot)
    assert (found.credit, found.unread) == (0, True)
    assert found.said.startswith("This answer cannot be read: “q” is no letter of this question")
    assert found.said.endswith("The question is one whole: with a part that cannot be read, nothing of it counts.")


def test_it_stands_in_its_blank_on_the_page_that_is_given_back() -> None:
    """In the row of its place, as it was typed, with a sign that says that it cannot be read, beside what would have been right."""
    for name, label in (("values", "b"), ("fill", "c")):
        task = ASSIGNMENT.task(name, STUDENT)
        written = {**form_of_paper(task).write(), label: "7,,5"}
        found = worth(name, written)
        row = Marked(STUDENT, "a.csv", name, Fraction(0), 3, found.credit, 1, found.mistake, found.said, given=({"by_hand": written},))
        page = unescape(question_told(ASSIGNMENT.task(name, STUDENT), row, Voice()))
        [line] = [one for one in re.findall("<tr>.*?</tr>", page) if "7,,5" in one]
        right = task.told_parts()[list(written).index(label)]
        assert right.where in line
        assert f"<td>{right.said}</td>" in line
        assert 'title="cannot be read">?</span>' in line
        assert "by_hand" not in page
