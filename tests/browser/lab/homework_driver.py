"""Do homework by clicks: wrongly, then rightly. Both are saved without a mark, unless a seal allows it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from board_clicks import BOARDS
from playwright.sync_api import expect

from support.spoken import english_text

if TYPE_CHECKING:
    from collections.abc import Callable

# Make the homework exercise with its hidden solution, and the same question that grades the saved answer.
KNOWING = """
class _Knowing:
    def __init__(self, quiz):
        self.quiz = quiz
        self.solution = self.fresh().solution
    def fresh(self):
        return homework.assignment.create_exercise(int(self.quiz.number), homework.student)
    def right(self):
        fresh = self.fresh()
        return bool(fresh.answer(self.quiz.last_answer))
    def __getattr__(self, name):
        return getattr(self.quiz, name)
"""


class HomeworkQuestion:
    """A homework exercise on the page."""

    def __init__(self, exercise: Any) -> None:
        exercise.book.execute(f"{KNOWING}\n_kept = _Knowing({exercise.name})")
        self._asked = exercise._replace(name="_kept")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._asked, name)

    def press(self, button: str) -> None:
        """Press the only button, which saves the answer."""
        self._asked.press(english_text("screen.keep") if button == "Check" else button)

    def expect_saved(self, *, right: bool) -> None:
        """Check that the answer is saved and unmarked, and what Python says. Graded again, it is what it is."""
        expect(self.whole.get_by_role("status").locator("p").first).to_contain_text("ept")
        self.book.until(f"{self.name}.attempt_count and {self.name}.right() is {right}")
        expect(self.whole.get_by_role("status").locator("p")).to_have_text(self.ask("view_model()")["feedback"])
        state = self.ask("view_model()")["state"]
        expect(self.region).to_have_attribute("data-state", state)
        assert state in {"saved", "right" if right else "wrong"}
        if state == "saved":  # otherwise a seal allows feedback
            assert self.cell.locator("[data-mark=right], [data-mark=wrong], [data-mark=follows]").count() == 0
        assert self.whole.get_by_role("button", name=english_text("screen.reveal")).count() == 0


def pick_only(question: HomeworkQuestion, cards: list[str]) -> None:
    """Pick exactly these cards."""
    for item, _ in question.ask("view_model()")["items"]:
        card = question.item(item)
        if (card.get_attribute("aria-pressed") == "true") != (item in cards):
            card.click()
    question.press(english_text("screen.check"))


def answer_cards(question: HomeworkQuestion) -> None:
    """Leave one right card out, then pick all."""
    right = question.ask("solution")
    pick_only(question, right[1:])
    question.expect_saved(right=False)
    pick_only(question, right)
    question.expect_saved(right=True)


def answer_number(question: HomeworkQuestion) -> None:
    """Type a wrong number, then the right one, by keys."""
    field = question.region.get_by_role("textbox")
    for text, right in (("-77/13", False), (question.ask("solution")[0], True)):
        field.fill(text)
        field.press("Enter")
        question.book.until(f"{question.name}.view_model()['answer'] == [{text!r}]")
        question.expect_saved(right=right)


def answer_choice(question: HomeworkQuestion) -> None:
    """Choose a wrong answer, then the right one."""
    (right,) = question.ask("solution")
    wrong = next(item for item, _ in question.ask("view_model()")["items"] if item != right)
    for item in (wrong, right):
        question.item(item).click()
        question.expect_saved(right=item == right)


def answer_rules(question: HomeworkQuestion) -> None:
    """Choose the last rule of each row, then the solution."""
    for row in question.region.get_by_role("radiogroup").all():
        row.get_by_role("radio").last.click()
    question.press(english_text("screen.check"))
    question.expect_saved(right=False)
    for habit, rule in question.ask("solution").items():
        question.item(f"{habit}:{rule}").click()
    question.press(english_text("screen.check"))
    question.expect_saved(right=True)


def answer_on_board(question: HomeworkQuestion) -> None:
    """Answer on a tree or a matrix. Start again in between."""
    wrongly, rightly = BOARDS[question.ask("question_kind")]
    for click in (wrongly, rightly):
        question.know("quiz.restart()")
        click(question)
        question.press(english_text("screen.check"))
        question.expect_saved(right=click is rightly)


KEPT: dict[str, Callable[[HomeworkQuestion], None]] = {
    "pick": answer_cards,
    "number": answer_number,
    "choose": answer_choice,
    "bot": answer_rules,
    "board": answer_on_board,
}
"""How each kind of homework is answered by clicks."""


def answer_wrongly_then_rightly(exercise: Any, kind: str) -> None:
    """Answer by clicks. The receipt has the last answer."""
    assert kind in KEPT, f"nobody knows how homework of the kind {kind} is done by clicks: add it to KEPT"
    question = HomeworkQuestion(exercise)
    KEPT[kind](question)
    name = exercise.book.python(f"homework.assignment.questions[int({exercise.name}.number) - 1].name")
    assert exercise.book.python(f"homework.receipt['answers'][{json.dumps(name)}]['given'] == {exercise.name}.last_answer")
