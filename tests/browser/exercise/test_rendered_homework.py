"""Test homework in an empty page: answers are saved, can be changed, and show no solution."""

from __future__ import annotations

from typing import Any

import pytest
from board_clicks import BOARDS
from rendered_board_exercise import BoardExercisePage, load_board_exercise_page
from rendered_exercise import ExercisePage, load_exercise_page
from rendered_table import AXE, STATIC

from durak_widget.homework.student_homework import homework
from support.classroom_kinds import ASSIGNMENT, wrong
from support.spoken import english, english_text

ON_PAPER = ("picked", "row", "chosen", "few", "many")
NEUTRAL = "rgb(31, 38, 48)"


def make_homework(language: str = "en") -> Any:
    """Return Ann's homework, saved nowhere."""
    return homework(ASSIGNMENT, student="Ann", folder=None, language=language)


def solution_of(name: str) -> Any:
    """Return the right answer."""
    return ASSIGNMENT.create_exercise(name, "Ann").solution


class SolvedQuiz:
    """A homework exercise together with its hidden solution."""

    def __init__(self, quiz: Any, name: str) -> None:
        self.quiz, self.solution = quiz, solution_of(name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.quiz, name)


class HomeworkBoardPage(BoardExercisePage):
    """A page with one homework exercise and its board."""

    name = ""

    def know(self, expression: str) -> Any:
        """Return a value from Python."""
        found = eval(f"lambda quiz: {expression}")(SolvedQuiz(self.quiz, self.name))  # noqa: S307 - our own expressions
        self.sync()
        return found


@pytest.fixture(scope="module")
def exercise_page(pages):
    """Open a page with exercises."""
    context = pages.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    yield ExercisePage(load_exercise_page(context))
    context.close()


@pytest.fixture(scope="module")
def board(pages):
    """Open a page with an exercise and its board."""
    context = pages.context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    found = load_board_exercise_page(context.new_page())
    found.__class__ = HomeworkBoardPage
    yield found
    context.close()


READ = """() => { const tree = document.createElement('section'); tree.className = 'dk dk-board'; tree.dataset.task = 'fill'; tree.textContent = 'A tree.';
  document.querySelector('.dk-board').before(tree); }"""


@pytest.mark.parametrize(("name", "width"), [("fill", 344), ("strategy", 1000)])
@pytest.mark.slow
def test_the_submit_button_is_where_the_work_ends(board: HomeworkBoardPage, name: str, width: int) -> None:
    """Below the board, and below the matrix if the tree only needs reading."""
    quiz = make_homework()[name]
    board.name = name
    board.ask(quiz, width)
    if name == "fill":
        board.page.evaluate(READ)
        board.look()
    keep = board.page.get_by_role("button", name=english_text("screen.keep"))
    asked_on = board.page.locator(".dk-board").last.bounding_box()
    assert keep.bounding_box()["y"] > asked_on["y"] + asked_on["height"] - 1
    assert board.page.locator(".dk-exercise .dk-exercise-footer").bounding_box()["height"] < 60  # and no space is reserved above


@pytest.mark.slow
def test_clicks_on_nodes_of_a_strategy_question_fold_nothing(board: HomeworkBoardPage) -> None:
    """At the focused node and elsewhere, all nodes stay unfolded."""
    quiz = make_homework()["strategy"]
    board.name = "strategy"
    board.ask(quiz)
    nodes = board.page.locator(".dk-node")
    before = nodes.count()
    places = [here for here, actor in enumerate(quiz.tree.actor) if actor == 0][:3]
    for place in [*places, *places]:
        board.page.locator(f".dk-node[data-id='{place}'] .dk-node-content").click(position={"x": 6, "y": 6})
        board.rest()
    assert nodes.count() == before > 3


def exchange_messages(page: ExercisePage, task: Any) -> None:
    """Send Python the page's messages, and the page the result."""
    for message in page.sent():
        task.answer(message["answer"])
    page.show(task)


def state_of(page: ExercisePage) -> str | None:
    """Return the state that the exercise shows."""
    return page.page.locator(".dk-exercise").first.get_attribute("data-state")


def feedback_of(page: ExercisePage) -> list[str]:
    """Return the feedback that the exercise shows."""
    return page.page.locator(".dk-exercise [role=status] p").all_inner_texts()


@pytest.mark.parametrize("width", [344])
def test_cards_and_choices_are_saved_by_clicks_and_can_be_changed(exercise_page, width: int):
    """In a neutral colour, without a mark or a link to the solution."""
    quiz = make_homework()["picked"]
    exercise_page.mount(quiz, width=width)
    items = exercise_page.page.locator("[data-item]")
    for n in (0, 1):
        items.nth(n).click()
        exercise_page.button(english_text("screen.keep")).click()
        exchange_messages(exercise_page, quiz)
        assert (state_of(exercise_page), feedback_of(exercise_page)[0]) == ("saved", english_text("class.kept"))
        assert exercise_page.page.locator("[data-mark=right], [data-mark=wrong], [data-mark=follows]").count() == 0
        assert exercise_page.page.locator(".dk-feedback p").first.evaluate("(p) => getComputedStyle(p).color") == NEUTRAL
        assert exercise_page.page.locator(".dk-actions button:visible").all_inner_texts() == [
            english_text("screen.keep"),
            english_text("screen.none"),
        ]
    assert len(quiz.last_answer) == 2
    items.nth(0).click()
    assert (state_of(exercise_page), feedback_of(exercise_page)) == (None, [english_text("screen.keep.changed")])
    items.nth(0).click()
    assert state_of(exercise_page) == "saved"
    for n in (0, 1):
        items.nth(n).click()
    exercise_page.button(english_text("screen.keep")).click()
    assert feedback_of(exercise_page) == [english_text("screen.pick_first", none=english_text("screen.none"))]
    assert exercise_page.sent() == []
    exercise_page.button(english_text("screen.none")).click()
    exchange_messages(exercise_page, quiz)
    assert (quiz.last_answer, feedback_of(exercise_page)[0]) == ([], english_text("class.kept.none"))
    quiz = make_homework()["chosen"]
    exercise_page.mount(quiz, width=width)
    for option in ("first", "third"):
        exercise_page.page.get_by_role("radio", name=option).click()
        exchange_messages(exercise_page, quiz)
        assert (state_of(exercise_page), quiz.last_answer) == ("saved", option)
        assert exercise_page.page.locator("[aria-checked=true]").inner_text() == option


@pytest.mark.slow
def test_a_number_is_saved_by_enter(exercise_page):
    """With many possible answers it says whether the number is right, with few it doesn't."""
    few, many = make_homework()["few"], make_homework()["many"]
    exercise_page.mount(few)
    field = exercise_page.page.get_by_role("textbox")
    field.fill("12")
    field.press("Enter")
    exchange_messages(exercise_page, few)
    assert state_of(exercise_page) == "saved"
    assert english("class.kept.few").search(feedback_of(exercise_page)[1])
    exercise_page.mount(many)
    for text, found in (("1/3", "wrong"), (solution_of("many")[0], "right"), ("2/3", "wrong")):
        field.fill(text)
        exercise_page.button(english_text("screen.keep")).click()
        exchange_messages(exercise_page, many)
        assert state_of(exercise_page) == found
        assert field.is_editable()
        assert exercise_page.page.locator(".dk-actions button:visible").all_inner_texts() == [english_text("screen.keep")]


@pytest.mark.slow
def test_a_sorted_row_is_saved_by_keys(exercise_page):
    """Enter picks up and puts down, arrows move, Tab leads to the button."""
    quiz = make_homework()["row"]
    exercise_page.mount(quiz)
    first = exercise_page.page.locator("[data-item]").first
    card = first.get_attribute("data-item")
    first.focus()
    for key in ("Enter", "ArrowRight", "Enter"):
        exercise_page.page.keyboard.press(key)
    exercise_page.button(english_text("screen.keep")).focus()
    exercise_page.page.keyboard.press("Enter")
    exchange_messages(exercise_page, quiz)
    assert quiz.last_answer[1] == card
    assert state_of(exercise_page) in ("right", "wrong")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["values", *(pytest.param(name, marks=pytest.mark.slow) for name in ("sets",))])
def test_board_answers_are_saved_without_a_mark(board: HomeworkBoardPage, name: str):
    """Right and wrong look alike. A change is unsaved, and everything can be changed."""
    board.name = name
    results = []
    quiz = make_homework()[name]
    board.ask(quiz, 1000)
    wrongly, rightly = BOARDS[quiz.question_kind]
    for click in (wrongly, rightly):
        quiz.restart()
        board.look()
        click(board)
        board.press(english_text("screen.keep"))
        empty = [english(f"class.kept.empty.{form}") for form in ("one", "other")]  # which is public
        messages = [line for line in board.said if not any(pattern.search(line) for pattern in empty)]
        results.append((board.state, messages, board.page.locator("[data-mark=right], [data-mark=wrong], [data-mark=follows]").count()))
        fresh = ASSIGNMENT.create_exercise(name, "Ann")
        assert fresh.answer(quiz.last_answer).right is (click is rightly)
    assert results[0] == results[1] == ("saved", [english_text("class.kept"), english_text("class.kept.later")], 0)
    assert not quiz.is_over
    assert board.page.get_by_role("button", name=english_text("screen.reveal")).count() == 0
    wrongly(board)
    board.look()
    assert (board.state, board.said) == (None, [english_text("screen.keep.changed")])


@pytest.mark.slow
def test_an_answer_is_saved_by_touch(pages):
    """On a phone."""
    context = pages.context(viewport={"width": 360, "height": 740}, reduced_motion="reduce", has_touch=True, is_mobile=True)
    page, quiz = ExercisePage(load_exercise_page(context)), make_homework()["picked"]
    page.mount(quiz, width=344)
    page.page.locator("[data-item]").nth(2).tap()
    page.button(english_text("screen.keep")).tap()
    exchange_messages(page, quiz)
    assert (state_of(page), len(quiz.last_answer)) == ("saved", 1)
    assert page.page.locator(".dk-exercise").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    context.close()


@pytest.mark.slow
def test_a_saved_position_says_so_on_the_felt(table_page):
    """In a neutral colour, with a restart button and no hint."""
    results = []
    style = table_page.page.add_style_tag(content=(STATIC / "lesson.css").read_text(encoding="utf-8"))  # from the exercise above the table
    for moves in ("take", "beat 7c 9c"):
        task = make_homework()["played"]
        task.answer(moves)
        found = table_page.mount(task.table.scene)
        color = table_page.locate(".dk-prompt").evaluate("(call) => getComputedStyle(call).color")
        results.append((found["call"], found["actions"], color))
    style.evaluate("(style) => style.remove()")
    assert results[0] == results[1] == (english_text("class.kept"), [["next", english_text("screen.once_more")]], NEUTRAL)


@pytest.mark.slow
@pytest.mark.parametrize(("code", "width"), [("lt", 344)])
def test_the_overview_lists_saved_answers_and_fits_the_page(exercise_page, code: str, width: int):
    """One line per question. No button deletes progress."""
    found = make_homework(code)
    found.answer("few", "3")
    exercise_page.mount(found, width=width)
    rows = exercise_page.page.locator(".dk-progress-list li")
    assert rows.count() == len(ASSIGNMENT.questions)
    assert [place for place in range(rows.count()) if "✓" in rows.nth(place).inner_text()] == [3]
    assert exercise_page.page.locator(".dk-exercise button:visible").count() == 0
    assert exercise_page.page.locator(".dk-exercise").evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert "homework.hand_in()" in " ".join(feedback_of(exercise_page))


@pytest.mark.slow
@pytest.mark.parametrize("code", ["lt"])
def test_saving_does_not_move_the_choices(exercise_page, code: str):
    """At both widths."""
    exercise_page.page.mouse.move(0, 0)  # a hovered card is raised
    for name in ON_PAPER:
        for width in (344, 900):
            quiz = make_homework(code)[name]
            exercise_page.mount(quiz, width=width)
            tops = "() => [...document.querySelectorAll('[data-item], .dk-number-input, .dk-actions')].map((one) => one.getBoundingClientRect().top)"
            before = sorted(exercise_page.page.evaluate(tops))
            quiz.answer(wrong(ASSIGNMENT.create_exercise(name, "Ann"), name))
            exercise_page.show(quiz)
            assert [round(top) for top in sorted(exercise_page.page.evaluate(tops))] == [round(top) for top in before]


@pytest.mark.slow
def test_axe_finds_no_violation_in_homework(exercise_page):
    """In the overview and each question, before and after answering. Feedback is announced."""
    own_homework = make_homework()
    for name in ON_PAPER[:3]:
        own_homework.answer(name, wrong(ASSIGNMENT.create_exercise(name, "Ann"), name))
    exercise_page.mount(own_homework, *(own_homework[name] for name in ON_PAPER))
    exercise_page.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = exercise_page.page.evaluate("async () => (await axe.run('.dk-exercise')).violations")
    assert [(violation["id"], [node["html"][:120] for node in violation["nodes"]]) for violation in found] == []
    said = exercise_page.page.get_by_role("status").nth(1).inner_text()
    assert any(english(key).match(said) for key in ("class.kept", "class.kept.none"))
