"""Homework painted in an empty page: answers are kept by clicks, keys and touch, can be changed at any time, and nothing is shown of what is right."""

from __future__ import annotations

from typing import Any

import pytest
from on_boards import BOARDS
from painted import AXE, STATIC
from painted_asked import AskedBoard, asked
from painted_exercise import Page, loaded

from durak_widget.homework.student_homework import homework
from support.classroom_kinds import ASSIGNMENT, wrong

ON_PAPER = ("picked", "row", "chosen", "few", "many")
NEUTRAL = "rgb(31, 38, 48)"


def work(language: str = "en") -> Any:
    """Ann's homework, which is kept nowhere."""
    return homework(ASSIGNMENT, student="Ann", folder=None, language=language)


def right(name: str) -> Any:
    """What would be right."""
    return ASSIGNMENT.create_exercise(name, "Ann").solution


class Knowing:
    """A kept exercise, with the solution that it does not tell."""

    def __init__(self, quiz: Any, name: str) -> None:
        self.quiz, self.solution = quiz, right(name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.quiz, name)


class KeptBoard(AskedBoard):
    """A page in which nothing is but one exercise of homework with its tree or its matrix."""

    name = ""

    def know(self, expression: str) -> Any:
        """What is known of it."""
        found = eval(f"lambda quiz: {expression}")(Knowing(self.quiz, self.name))  # noqa: S307 - our own expressions
        self.tell()
        return found


@pytest.fixture(scope="module")
def paper(pages):
    """A page in which nothing is but exercises."""
    context = pages.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    yield Page(loaded(context))
    context.close()


@pytest.fixture(scope="module")
def board(pages):
    """A page in which nothing is but an exercise with its board."""
    context = pages.context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    found = asked(context.new_page())
    found.__class__ = KeptBoard
    yield found
    context.close()


READ = """() => { const tree = document.createElement('section'); tree.className = 'dk dk-board'; tree.dataset.task = 'fill'; tree.textContent = 'A tree.';
  document.querySelector('.dk-board').before(tree); }"""


@pytest.mark.parametrize(("name", "width"), [("fill", 344), ("strategy", 1000)])
@pytest.mark.slow
def test_the_answer_is_kept_where_one_arrives_with_it(board: KeptBoard, name: str, width: int) -> None:
    """Below its board whatever it is, since nothing that is kept makes a board grow; and below the matrix, where a tree to be read stands between."""
    quiz = work()[name]
    board.name = name
    board.ask(quiz, width)
    if name == "fill":
        board.page.evaluate(READ)
        board.look()
    keep = board.page.get_by_role("button", name="Keep the answer")
    asked_on = board.page.locator(".dk-board").last.bounding_box()
    assert keep.bounding_box()["y"] > asked_on["y"] + asked_on["height"] - 1
    assert board.page.locator(".dk-exercise .dk-exercise-footer").bounding_box()["height"] < 60  # and no room is kept for it above


@pytest.mark.slow
def test_whoever_clicks_a_player_to_set_a_strategy_keeps_the_tree(board: KeptBoard) -> None:
    """Where one looks already, and anywhere else: all stays in view."""
    quiz = work()["strategy"]
    board.name = "strategy"
    board.ask(quiz)
    nodes = board.page.locator(".dk-node")
    before = nodes.count()
    places = [here for here, actor in enumerate(quiz.tree.actor) if actor == 0][:3]
    for place in [*places, *places]:
        board.page.locator(f".dk-node[data-id='{place}'] .dk-node-content").click(position={"x": 6, "y": 6})
        board.rest()
    assert nodes.count() == before > 3


def heard(page: Page, task: Any) -> None:
    """Let Python hear what was sent, and the page what came of it."""
    for message in page.sent():
        task.answer(message["answer"])
    page.show(task)


def state(page: Page) -> str | None:
    """How the sheet shows itself."""
    return page.page.locator(".dk-exercise").first.get_attribute("data-state")


def said(page: Page) -> list[str]:
    """What the sheet says."""
    return page.page.locator(".dk-exercise [role=status] p").all_inner_texts()


@pytest.mark.parametrize("width", [344])
def test_cards_and_answers_are_kept_by_clicks_and_can_be_changed(paper, width: int):
    """In neutral ink, with no mark and no way to a solution."""
    quiz = work()["picked"]
    paper.lay(quiz, width=width)
    items = paper.page.locator("[data-item]")
    for n in (0, 1):
        items.nth(n).click()
        paper.button("Keep the answer").click()
        heard(paper, quiz)
        assert (state(paper), said(paper)[0]) == ("saved", "Your answer is kept.")
        assert paper.page.locator("[data-mark=right], [data-mark=wrong], [data-mark=follows]").count() == 0
        assert paper.page.locator(".dk-feedback p").first.evaluate("(p) => getComputedStyle(p).color") == NEUTRAL
        assert paper.page.locator(".dk-actions button:visible").all_inner_texts() == ["Keep the answer", "No card"]
    assert len(quiz.last_answer) == 2
    items.nth(0).click()
    assert (state(paper), said(paper)) == (None, ["Changed since, and not kept yet."])
    items.nth(0).click()
    assert state(paper) == "saved"
    for n in (0, 1):
        items.nth(n).click()
    paper.button("Keep the answer").click()
    assert said(paper) == ["Click the cards first. If there is none, press “No card”."]
    assert paper.sent() == []
    paper.button("No card").click()
    heard(paper, quiz)
    assert (quiz.last_answer, said(paper)[0]) == ([], "Your answer is kept: no card.")
    quiz = work()["chosen"]
    paper.lay(quiz, width=width)
    for option in ("first", "third"):
        paper.page.get_by_role("radio", name=option).click()
        heard(paper, quiz)
        assert (state(paper), quiz.last_answer) == ("saved", option)
        assert paper.page.locator("[aria-checked=true]").inner_text() == option


@pytest.mark.slow
def test_a_number_is_kept_with_enter_and_says_what_can_be_said(paper):
    """Where there are few answers nothing; where there are many, whether it is right, and it can be changed still."""
    few, many = work()["few"], work()["many"]
    paper.lay(few)
    field = paper.page.get_by_role("textbox")
    field.fill("12")
    field.press("Enter")
    heard(paper, few)
    assert state(paper) == "saved"
    assert "so few possible answers" in said(paper)[1]
    paper.lay(many)
    for text, found in (("1/3", "wrong"), (right("many")[0], "right"), ("2/3", "wrong")):
        field.fill(text)
        paper.button("Keep the answer").click()
        heard(paper, many)
        assert state(paper) == found
        assert field.is_editable()
        assert paper.page.locator(".dk-actions button:visible").all_inner_texts() == ["Keep the answer"]


@pytest.mark.slow
def test_a_row_is_kept_by_keys(paper):
    """Taken up with Enter, carried with arrows, laid down; Tab leads to the button."""
    quiz = work()["row"]
    paper.lay(quiz)
    first = paper.page.locator("[data-item]").first
    card = first.get_attribute("data-item")
    first.focus()
    for key in ("Enter", "ArrowRight", "Enter"):
        paper.page.keyboard.press(key)
    paper.button("Keep the answer").focus()
    paper.page.keyboard.press("Enter")
    heard(paper, quiz)
    assert quiz.last_answer[1] == card
    assert state(paper) in ("right", "wrong")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["values", *(pytest.param(name, marks=pytest.mark.slow) for name in ("sets",))])
def test_what_is_done_on_a_board_is_kept_without_a_mark(board: KeptBoard, name: str):
    """Wrongly and rightly it looks alike; what is changed after is not kept yet; nothing is closed to change."""
    board.name = name
    shown = []
    quiz = work()[name]
    board.ask(quiz, 1000)
    wrongly, rightly = BOARDS[quiz.question_kind]
    for click in (wrongly, rightly):
        quiz.restart()
        board.look()
        click(board)
        board.press("Keep the answer")
        told = [line for line in board.said if "still empty" not in line]  # which anybody sees
        shown.append((board.state, told, board.page.locator("[data-mark=right], [data-mark=wrong], [data-mark=follows]").count()))
        fresh = ASSIGNMENT.create_exercise(name, "Ann")
        assert fresh.answer(quiz.last_answer).right is (click is rightly)
    assert (
        shown[0]
        == shown[1]
        == ("saved", ["Your answer is kept.", "It is judged when the homework is marked; until then you can change it."], 0)
    )
    assert not quiz.is_over
    assert board.page.get_by_role("button", name="Show the solution").count() == 0
    wrongly(board)
    board.look()
    assert (board.state, board.said) == (None, ["Changed since, and not kept yet."])


@pytest.mark.slow
def test_an_answer_is_kept_by_touch(pages):
    """With a finger, on a telephone."""
    context = pages.context(viewport={"width": 360, "height": 740}, reduced_motion="reduce", has_touch=True, is_mobile=True)
    page, quiz = Page(loaded(context)), work()["picked"]
    page.lay(quiz, width=344)
    page.page.locator("[data-item]").nth(2).tap()
    page.button("Keep the answer").tap()
    heard(page, quiz)
    assert (state(page), len(quiz.last_answer)) == ("saved", 1)
    assert page.page.locator(".dk-exercise").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    context.close()


@pytest.mark.slow
def test_a_position_that_is_kept_says_so_on_the_felt(blank):
    """In neutral ink, however it was played, with a button that lays it anew and no hint."""
    shown = []
    style = blank.page.add_style_tag(content=(STATIC / "lesson.css").read_text(encoding="utf-8"))  # of the exercise above the table
    for moves in ("take", "beat 7c 9c"):
        task = work()["played"]
        task.answer(moves)
        found = blank.lay(task.table.scene)
        color = blank.one(".dk-prompt").evaluate("(call) => getComputedStyle(call).color")
        shown.append((found["call"], found["actions"], color))
    style.evaluate("(style) => style.remove()")
    assert shown[0] == shown[1] == ("Your answer is kept.", [["next", "Once more"]], NEUTRAL)


@pytest.mark.slow
@pytest.mark.parametrize(("code", "width"), [("lt", 344)])
def test_the_overview_says_what_is_kept_and_fits_its_page(paper, code: str, width: int):
    """A line for each question; the road has no button that forgets; nothing is wider than the page."""
    found = work(code)
    found.answer("few", "3")
    paper.lay(found, width=width)
    rows = paper.page.locator(".dk-progress-list li")
    assert rows.count() == len(ASSIGNMENT.questions)
    assert [place for place in range(rows.count()) if "✓" in rows.nth(place).inner_text()] == [3]
    assert paper.page.locator(".dk-exercise button:visible").count() == 0
    assert paper.page.locator(".dk-exercise").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert "homework.hand_in()" in " ".join(said(paper))


@pytest.mark.slow
@pytest.mark.parametrize("code", ["lt"])
def test_keeping_moves_nothing_that_is_picked_from(paper, code: str):
    """Cards and answers stay where they are, before and after, at both widths."""
    paper.page.mouse.move(0, 0)  # a card under it is lifted
    for name in ON_PAPER:
        for width in (344, 900):
            quiz = work(code)[name]
            paper.lay(quiz, width=width)
            tops = "() => [...document.querySelectorAll('[data-item], .dk-number-input, .dk-actions')].map((one) => one.getBoundingClientRect().top)"
            before = sorted(paper.page.evaluate(tops))
            quiz.answer(wrong(ASSIGNMENT.create_exercise(name, "Ann"), name))
            paper.show(quiz)
            assert [round(top) for top in sorted(paper.page.evaluate(tops))] == [round(top) for top in before]


@pytest.mark.slow
def test_nothing_stands_in_the_way_of_a_screen_reader(paper):
    """In the overview and in each question, before and after it was answered; what is said of an answer is read aloud."""
    one = work()
    for name in ON_PAPER[:3]:
        one.answer(name, wrong(ASSIGNMENT.create_exercise(name, "Ann"), name))
    paper.lay(one, *(one[name] for name in ON_PAPER))
    paper.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = paper.page.evaluate("async () => (await axe.run('.dk-exercise')).violations")
    assert [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found] == []
    assert paper.page.get_by_role("status").nth(1).inner_text().startswith("Your answer is kept")
