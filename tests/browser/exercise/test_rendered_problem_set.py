"""Test every question of the problem set in a dark, narrow page. Notebook 14 is tested in JupyterLab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from board_clicks import BOARDS
from rendered_exercise import ExercisePage, load_exercise_page
from test_rendered_homework import HomeworkBoardPage, load_board_exercise_page

from durak_widget.homework.assignment import resolve_assignment
from durak_widget.homework.student_homework import homework
from support.spoken import english_text

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow
ASSIGNMENT = resolve_assignment("econ431", "")
STUDENT = "Guest"
QUESTIONS = [question.name for question in ASSIGNMENT.questions]
WIDTH = 344
DARK = "document.body.dataset.jpThemeLight = 'false'; document.body.style.background = '#111'"
IN_ROWS = """() => {
  const [first, second] = [...document.querySelectorAll("[data-item]")].map((one) => one.getBoundingClientRect().y);
  return first === second && first > document.querySelector(".dk-attack-card")?.getBoundingClientRect().y + 50;
}"""
ROOM = "(one) => one.scrollWidth <= one.clientWidth"


class ProblemSetBoard(HomeworkBoardPage):
    """A question of the problem set on its board. The assignment knows the solution."""

    def know(self, expression: str) -> Any:
        """Return a value from Python."""
        found = eval(f"lambda quiz: {expression}")(SolvedQuiz(self.quiz, self.name))  # noqa: S307 - our own expressions
        self.sync()
        return found


class SolvedQuiz:
    """A homework question together with its hidden solution."""

    def __init__(self, quiz: Any, name: str) -> None:
        self.quiz, self.solution = quiz, ASSIGNMENT.create_exercise(name, STUDENT).solution

    def __getattr__(self, name: str) -> Any:
        return getattr(self.quiz, name)


@pytest.fixture(scope="module")
def page(pages) -> Iterator[tuple[ExercisePage, ProblemSetBoard]]:
    """Return a page for plain questions and one for boards."""
    context = pages.context(viewport={"width": 360, "height": 900}, reduced_motion="reduce")
    paper, board = ExercisePage(load_exercise_page(context)), load_board_exercise_page(context.new_page())
    board.__class__ = ProblemSetBoard
    for browser_page in (paper.page, board.page):
        browser_page.evaluate(DARK)
    yield paper, board
    context.close()


def expect_saved(name: str, quiz: Any, browser_page: Any) -> bool:
    """Check that the answer is saved and unmarked, unless a seal allows it. Graded again, it is right or not."""
    sheet = browser_page.locator(".dk-exercise").first
    state = sheet.get_attribute("data-state")
    assert state in {"saved", "right", "wrong"}
    assert (
        browser_page.locator(":is(.dk-exercise, .dk-board-feedback) [role=status] p")
        .first.inner_text()
        .startswith((english_text("class.kept").rstrip("."), "Kept, "))
    )
    assert state != "saved" or browser_page.locator("[data-mark=right], [data-mark=wrong], [data-mark=follows]").count() == 0
    assert sheet.evaluate(ROOM), "the sheet is wider than its page"
    assert sheet.get_attribute("data-page") == "dark"
    fresh = ASSIGNMENT.create_exercise(name, STUDENT)
    right = (
        quiz.last_answer == fresh.solution if name == "bot" else bool(fresh.answer(quiz.last_answer))
    )  # the test of the notebook plays its games
    assert state in ("saved", "right" if right else "wrong")
    return right


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.sample(8)
def test_wrong_and_right_answers_can_be_given_by_clicks(page, name: str):
    """Each answer is saved and can be changed. The overview shows it."""
    paper, board = page
    work = homework(ASSIGNMENT, student=STUDENT, folder=None)
    quiz, solution = work[name], ASSIGNMENT.create_exercise(name, STUDENT).solution
    if quiz.kind == "board":
        board.name = name
        board.ask(quiz, WIDTH)
        for click, right in zip(BOARDS[quiz.question_kind], (False, True), strict=True):
            quiz.restart()
            board.look()
            click(board)
            board.press(english_text("screen.keep"))
            assert expect_saved(name, quiz, board.page) is right
    else:
        paper.mount(quiz, width=WIDTH)
        for right in (False, True):
            ON_PAPER[quiz.view_model()["kind"]](paper.page, solution, right)
            if quiz.view_model()["kind"] != "choose":  # there a click is the answer
                paper.button(english_text("screen.keep")).click()
            for message in paper.sent():
                quiz.answer(message["answer"])
            paper.show(quiz)
            assert expect_saved(name, quiz, paper.page) is right
    assert name not in {QUESTIONS[number - 1] for number in work.unanswered_questions}


def test_cards_are_in_rows_on_narrow_pages(page):
    """In a column they would push the button out of sight."""
    paper, _ = page
    paper.page.mouse.move(0, 0)  # a hovered card is raised
    paper.mount(homework(ASSIGNMENT, student=STUDENT, folder=None)["what-beats-what"], width=240)
    paper.page.wait_for_function(IN_ROWS)  # once it is laid out, otherwise this times out


def pick_cards(page: Any, solution: list[str], right: bool) -> None:  # noqa: FBT001 - both are done
    """Pick all right cards but the first, then that one too."""
    for card in solution[:1] if right else solution[1:]:
        page.locator(f"[data-item='{card}']").click()


def choose_answer(page: Any, solution: list[str], right: bool) -> None:  # noqa: FBT001 - as above
    """Choose a wrong answer, then the right one."""
    chosen = page.locator(f"[data-item='{solution[0]}']") if right else page.locator(f"[data-item]:not([data-item='{solution[0]}'])").last
    chosen.click()


def type_number(page: Any, solution: list[str], right: bool) -> None:  # noqa: FBT001 - as above
    """Type a wrong number, then the right one."""
    page.get_by_role("textbox").fill(solution[0] if right else "-77/13")


def choose_rules(page: Any, solution: dict[str, str], right: bool) -> None:  # noqa: FBT001 - as above
    """Choose the last rule of each row, then the solution."""
    for row in page.get_by_role("radiogroup").all():
        row.get_by_role("radio").last.click()
    for habit, rule in solution.items() if right else ():
        page.locator(f"[data-item='{habit}:{rule}']").click()


ON_PAPER = {"pick": pick_cards, "choose": choose_answer, "number": type_number, "bot": choose_rules}
