"""Test exercises in JupyterLab: right and wrong answers by mouse and keyboard, also in Python."""

from __future__ import annotations

import pytest
from exercise_driver import Student
from playwright.sync_api import expect

from durak_widget import Move
from durak_widget.engine.narration import format_advice
from durak_widget.i18n import Translator
from support.asked import ONE_OF_EACH, SETUP
from support.spoken import english, english_text


@pytest.mark.slow
def test_wrong_picks_are_explained_and_a_right_pick_is_final(notebook):
    """Reasons are those of the rules. Marks have signs and names. A right answer is final."""
    student = Student(notebook, "Pick.moves(THROWING, 'throw')")
    expect(student.region.locator(".dk-question")).to_have_text(english_text("lesson.pick.throw"))
    expect(student.region.locator(".dk-position-picture img")).to_be_visible()
    for card in ("7h", "Kd", "9s", "Kd", "Kd"):
        student.card(card).click()
    expect(student.card("Kd")).to_have_attribute("aria-pressed", "true")
    student.press(english_text("screen.check"))
    why_not = english("refusal.rank_not_on_table", card="the king of diamonds", rank="king", ranks="7 and 9")
    student.expect_feedback(english_text("lesson.not_yet"), why_not, english_text("lesson.missed.one", count="1 card"))
    expect(student.region.get_by_role("button", name="king of diamonds, wrong", exact=True)).to_be_visible()
    assert student.book.python("quiz.check()") is False
    student.card("Kd").click()
    student.card("7s").click()
    student.press(english_text("screen.check"))
    student.expect_feedback(
        english_text("lesson.right"), english_text("lesson.why.throw", cards="the 7 of hearts, the 7 of spades and the 9 of spades")
    )
    assert student.book.python("(quiz.check(), quiz.attempt_count)") == (True, 2)
    expect(student.region.get_by_role("button", name=english_text("screen.check"), exact=True)).to_be_hidden()
    student.press(english_text("screen.once_more"))
    student.expect_feedback()
    expect(student.region.locator("[aria-pressed=true]")).to_have_count(0)


@pytest.mark.slow
def test_the_table_of_a_task_keeps_its_game(notebook):
    """*New game* restarts the task, a hint is the next move of the solution, and seats cannot be changed."""
    student = Student(notebook, "Position(DEFENDING, goals.beat_all(trumps=False), solution=['beat 7c 9c'], pace=0, motion=False)")
    table = student.book.table()
    table.get_by_role("button", name=english_text("screen.hint"), exact=True).click()
    expect(table.locator(".dk-bubble[data-kind=hint]")).to_contain_text("9♣")
    table.locator("[data-card=Ah]").click()
    student.expect_feedback(english_text("lesson.not_yet"), english_text("lesson.goal.trumped", card="the ace of hearts"))
    expect(table.locator(".dk-prompt")).to_have_text(f"{english_text('lesson.not_yet')} {english_text('lesson.goal.trumped', card='A♥︎')}")
    expect(table.get_by_role("button", name=english_text("screen.new"), exact=True)).to_have_count(0)
    expect(student.page.get_by_role("button", name=english_text("screen.again"), exact=True)).to_have_count(1)
    table.get_by_role("button", name=english_text("screen.again"), exact=True).click()
    expect(table).to_have_attribute("data-ply", "0")
    student.expect_feedback()
    assert student.book.python("str(quiz.table.game.hands[0])") == "9c 7d Ah"
    student.book.execute("quiz.table._receive_message(None, {'kind': 'seat_player', 'seat': 0, 'player': 'careful'}, [])")
    assert student.book.python("quiz.table.players[0]") == "you"
    table.locator("[data-card='9c']").click()
    student.expect_feedback(english_text("lesson.right"), english_text("lesson.goal.beaten"))
    assert student.book.python("quiz.check()") is True
    student.book.execute("quiz.table.language = 'ru'")
    expect(student.page.locator(".dk-question:visible")).to_have_text(student.book.python("quiz.question"))
    assert student.book.python("quiz.language") == "ru"


@pytest.mark.release
def test_a_lost_position_ends_the_task_at_once(notebook):
    """Before the opponent answers. The hint agrees."""
    made = "Position(Game.from_position(hands=['Ks 7d', '9c Qd Kd'], trump='h'), goals.get_out(missed='Mind the king.'),"
    student = Student(notebook, f"{made} solution=['attack Ks', 'attack 7d'], others={{1: 'careful'}}, pace=0, motion=False)")
    table = student.book.table()
    table.locator("[data-card='7d']").click()
    student.expect_feedback(english_text("lesson.not_yet"), "Mind the king.")
    expect(table.locator(".dk-prompt")).to_have_text(f"{english_text('lesson.not_yet')} Mind the king.")
    expect(table.get_by_role("button", name=english_text("screen.hint"), exact=True)).to_have_count(0)
    expect(table.locator(".dk-hand-card[data-lit]")).to_have_count(0)
    student.book.wait_idle()
    assert student.book.python("quiz.table.game.ply") == 1  # the bot does not play either
    table.get_by_role("button", name=english_text("screen.again"), exact=True).click()
    table.get_by_role("button", name=english_text("screen.hint"), exact=True).click()
    expect(table.locator(".dk-bubble[data-kind=hint]")).to_contain_text("K♠")


@pytest.mark.slow
def test_an_exercise_without_a_kernel_says_so(notebook):
    """It does not just ignore clicks."""
    student = Student(notebook, "Choose('Who?', {'a': 'A.', 'b': 'B.'}, right='b')")
    student.region.get_by_role("radio", name="a").click()
    student.expect_feedback(english_text("lesson.not_yet"), "A.")  # by now JupyterLab's own requests to the new kernel are answered
    student.book.wait_idle()
    student.book.restart_kernel()
    student.region.get_by_role("radio", name="b").click()
    student.expect_feedback(english_text("screen.gone_exercise"))


@pytest.mark.slow
def test_progress_is_shared_and_can_be_deleted(notebook):
    """It counts in other notebooks. Deleting needs a confirmation."""
    solving = Student(notebook, "Choose('Who?', {'a': 'A.', 'b': 'B.'}, right='b', name='01/trial')")
    solving.book.execute("lessons.Progress().reset()")  # from earlier tests
    solving.region.get_by_role("radio", name="b").click()
    solving.expect_feedback(english_text("lesson.right"), "B.")
    student = Student(notebook, "Progress()", called=english_text("lesson.progress"))
    bar = student.region.get_by_role("progressbar", name="01 · Trumps")
    expect(bar).to_have_attribute("aria-valuenow", "1")
    expect(student.region.get_by_role("link", name="01 · Trumps")).to_have_attribute("href", "01_trumps.ipynb")
    assert student.book.axe(".dk-exercise") == []
    solving.book.execute("lessons.Progress().record('01/other', solved=True)")  # in another kernel
    student.page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(bar).to_have_attribute("aria-valuenow", "2")
    student.book.execute("lessons.Progress().record('01/third', solved=True)")  # in this one
    expect(bar).to_have_attribute("aria-valuenow", "3")
    student.region.get_by_role("button", name=english_text("screen.forget"), exact=True).dblclick()
    expect(bar).to_have_attribute("aria-valuenow", "3")
    student.press(english_text("screen.sure"))
    expect(bar).to_have_attribute("aria-valuenow", "0")
    expect(student.region.get_by_role("button")).to_have_count(0)
    assert student.book.python("Progress().tried_exercises") == ()


@pytest.mark.release
def test_a_coach_comments_on_a_game(notebook):
    """What happened, why, and what is possible, also for earlier turns."""
    student = Student(notebook, "Guided(seed=7, others={1: 'first'}, pace=0, motion=False)")
    table = student.book.table()
    table.locator("[data-card=Jc]").click()
    status = student.region.get_by_role("status")
    expect(status).to_contain_text(english_text("lesson.coach.attack"))
    expect(status).to_contain_text(format_advice(Move("throw Jh"), Translator()))
    table.get_by_role("button", name=english_text("screen.pass"), exact=True).click()
    expect(status).to_contain_text(english_text("lesson.coach.beaten", who="Tim"))
    box = student.region.get_by_role("group", name=english_text("screen.coach"))
    expect(box.locator(".dk-coach-history")).to_contain_text(english_text("deed.attack.you", who="You", cards="the jack of clubs"))


@pytest.mark.slow
def test_axe_finds_no_violation_in_any_exercise(notebook):
    """All on one page."""
    book = notebook([f"{SETUP}display({', '.join(example.code for example in ONE_OF_EACH.values())})"])
    expect(book.page.locator(".dk-exercise")).to_have_count(len(ONE_OF_EACH))
    assert [(violation["id"], [node["html"][:120] for node in violation["nodes"]][:3]) for violation in book.axe(".dk-exercise")] == []
