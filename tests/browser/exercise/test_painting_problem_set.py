"""The problem set painted in an empty page: every question of it by clicks, wrongly and rightly, on a page that is dark and narrow; light and wide, notebook 14 itself is done in JupyterLab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from on_boards import BOARDS
from painted_exercise import Page, loaded
from test_painting_kept import KeptBoard, asked

from durak_widget.homework.assignment import resolve_assignment
from durak_widget.homework.student_homework import homework

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow
ASSIGNMENT = resolve_assignment("econ431", "")
STUDENT = "Guest"
QUESTIONS = [one.name for one in ASSIGNMENT.questions]
WIDTH = 344
DARK = "document.body.dataset.jpThemeLight = 'false'; document.body.style.background = '#111'"
IN_ROWS = """() => {
  const [first, second] = [...document.querySelectorAll("[data-item]")].map((one) => one.getBoundingClientRect().y);
  return first === second && first > document.querySelector(".dk-attack-card")?.getBoundingClientRect().y + 50;
}"""
ROOM = "(one) => one.scrollWidth <= one.clientWidth"


class Asked(KeptBoard):
    """A question of the problem set on its board; what is right is asked of the assignment."""

    def know(self, expression: str) -> Any:
        """What is known of it."""
        found = eval(f"lambda quiz: {expression}")(Knowing(self.quiz, self.name))  # noqa: S307 - our own expressions
        self.tell()
        return found


class Knowing:
    """A kept question, with the solution that it does not tell."""

    def __init__(self, quiz: Any, name: str) -> None:
        self.quiz, self.solution = quiz, ASSIGNMENT.create_exercise(name, STUDENT).solution

    def __getattr__(self, name: str) -> Any:
        return getattr(self.quiz, name)


@pytest.fixture(scope="module")
def page(pages) -> Iterator[tuple[Page, Asked]]:
    """A page for questions on paper, and one for those on a board."""
    context = pages.context(viewport={"width": 360, "height": 900}, reduced_motion="reduce")
    paper, board = Page(loaded(context)), asked(context.new_page())
    board.__class__ = Asked
    for one in (paper.page, board.page):
        one.evaluate(DARK)
    yield paper, board
    context.close()


def kept(name: str, quiz: Any, shown: Any) -> bool:
    """It says that it is kept, and marks nothing where no seal has said more; judged anew, it is right or not."""
    sheet = shown.locator(".dk-exercise").first
    state = sheet.get_attribute("data-state")
    assert state in {"saved", "right", "wrong"}
    assert (
        shown.locator(":is(.dk-exercise, .dk-board-feedback) [role=status] p")
        .first.inner_text()
        .startswith(("Your answer is kept", "Kept, "))
    )
    assert state != "saved" or shown.locator("[data-mark=right], [data-mark=wrong], [data-mark=follows]").count() == 0
    assert sheet.evaluate(ROOM), "the sheet is wider than its page"
    assert sheet.get_attribute("data-page") == "dark"
    fresh = ASSIGNMENT.create_exercise(name, STUDENT)
    right = (
        quiz.last_answer == fresh.solution if name == "bot" else bool(fresh.answer(quiz.last_answer))
    )  # its games are played in the notebook's test
    assert state in ("saved", "right" if right else "wrong")
    return right


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.sample(8)
def test_a_question_is_answered_by_clicks_wrongly_and_rightly(page, name: str):
    """Each answer is kept and can be changed; the overview then says so."""
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
            board.press("Keep the answer")
            assert kept(name, quiz, board.page) is right
    else:
        paper.lay(quiz, width=WIDTH)
        for right in (False, True):
            ON_PAPER[quiz.view_model()["kind"]](paper.page, solution, right)
            if quiz.view_model()["kind"] != "choose":  # a click is an answer there
                paper.button("Keep the answer").click()
            for message in paper.sent():
                quiz.answer(message["answer"])
            paper.show(quiz)
            assert kept(name, quiz, paper.page) is right
    assert name not in {QUESTIONS[number - 1] for number in work.unanswered_questions}


def test_cards_stand_in_rows_where_there_is_little_room(page):
    """Below the card that is to be beaten, on what JupyterLab leaves of a narrow page: in a column they would push the button out of sight."""
    paper, _ = page
    paper.page.mouse.move(0, 0)  # a card under it is lifted
    paper.lay(homework(ASSIGNMENT, student=STUDENT, folder=None)["what-beats-what"], width=240)
    paper.page.wait_for_function(IN_ROWS)  # once it is laid out; else this fails by its time


def pick(page: Any, solution: list[str], right: bool) -> None:  # noqa: FBT001 - both are done
    """All that are right but the first; then that, too."""
    for card in solution[:1] if right else solution[1:]:
        page.locator(f"[data-item='{card}']").click()


def choose(page: Any, solution: list[str], right: bool) -> None:  # noqa: FBT001 - as above
    """An answer that is not the right one; then that."""
    chosen = page.locator(f"[data-item='{solution[0]}']") if right else page.locator(f"[data-item]:not([data-item='{solution[0]}'])").last
    chosen.click()


def number(page: Any, solution: list[str], right: bool) -> None:  # noqa: FBT001 - as above
    """A number that nothing gives; then the right one."""
    page.get_by_role("textbox").fill(solution[0] if right else "-77/13")


def bot(page: Any, solution: dict[str, str], right: bool) -> None:  # noqa: FBT001 - as above
    """The last rule under each question; then those of the solution."""
    for row in page.get_by_role("radiogroup").all():
        row.get_by_role("radio").last.click()
    for habit, rule in solution.items() if right else ():
        page.locator(f"[data-item='{habit}:{rule}']").click()


ON_PAPER = {"pick": pick, "choose": choose, "number": number, "bot": bot}
