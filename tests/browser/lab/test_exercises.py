"""Exercises in a real JupyterLab: each done rightly and wrongly, by mouse and by keyboard, with what is said, and Python knowing the same."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from pupil import Pupil

from support.asked import ONE_OF_EACH, SETUP
from support.spoken import english


@pytest.mark.slow
def test_cards_are_picked_wrongly_then_rightly(notebook):
    """The reasons are the rule's; right and wrong are marked by signs and in the names; a right answer ends it."""
    pupil = Pupil(notebook, "Pick.moves(THROWING, 'throw')")
    expect(pupil.region.locator(".dk-question")).to_have_text("Pick every card that may be thrown in.")
    expect(pupil.region.locator(".dk-position-picture img")).to_be_visible()
    for card in ("7h", "Kd", "9s", "Kd", "Kd"):
        pupil.card(card).click()
    expect(pupil.card("Kd")).to_have_attribute("aria-pressed", "true")
    pupil.press("Check")
    why_not = english("refusal.rank_not_on_table", card="The king of diamonds", rank="king", ranks="7 and 9")
    pupil.said("Not yet.", why_not, "You left out 1 card.")
    expect(pupil.region.get_by_role("button", name="king of diamonds, wrong", exact=True)).to_be_visible()
    assert pupil.book.python("quiz.check()") is False
    pupil.card("Kd").click()
    pupil.card("7s").click()
    pupil.press("Check")
    pupil.said("Right.", "The 7 of hearts, the 7 of spades and the 9 of spades may be thrown in: the same rank lies on the table.")
    assert pupil.book.python("(quiz.check(), quiz.attempt_count)") == (True, 2)
    expect(pupil.region.get_by_role("button", name="Check", exact=True)).to_be_hidden()
    pupil.press("Once more")
    pupil.said()
    expect(pupil.region.locator("[aria-pressed=true]")).to_have_count(0)


@pytest.mark.slow
def test_the_table_of_a_task_deals_no_other_game(notebook):
    """New game lays the task again, a hint is the next move of its solution, nobody changes seats, and the goal speaks as the table does."""
    pupil = Pupil(notebook, "Position(DEFENDING, goals.beat_all(trumps=False), solution=['beat 7c 9c'], pace=0, motion=False)")
    table = pupil.book.table()
    table.get_by_role("button", name="Hint", exact=True).click()
    expect(table.locator(".dk-bubble[data-kind=hint]")).to_contain_text("9♣")
    table.locator("[data-card=Ah]").click()
    pupil.said("Not yet.", "The ace of hearts is a trump.")
    expect(table.locator(".dk-prompt")).to_have_text("Not yet. A♥︎ is a trump.")
    expect(table.get_by_role("button", name="New game", exact=True)).to_have_count(0)
    expect(pupil.page.get_by_role("button", name="Try again", exact=True)).to_have_count(1)
    table.get_by_role("button", name="Try again", exact=True).click()
    expect(table).to_have_attribute("data-ply", "0")
    pupil.said()
    assert pupil.book.python("str(quiz.table.game.hands[0])") == "9c 7d Ah"
    pupil.book.execute("quiz.table._receive_message(None, {'kind': 'seat_player', 'seat': 0, 'player': 'careful'}, [])")
    assert pupil.book.python("quiz.table.players[0]") == "you"
    table.locator("[data-card='9c']").click()
    pupil.said("Right.", "The bout is over.")
    assert pupil.book.python("quiz.check()") is True
    pupil.book.execute("quiz.table.language = 'ru'")
    expect(pupil.page.locator(".dk-question:visible")).to_have_text(pupil.book.python("quiz.question"))
    assert pupil.book.python("quiz.language") == "ru"


@pytest.mark.release
def test_a_position_that_is_lost_by_force_ends_at_once(notebook):
    """Before the other has answered; and what the hint then says is the same."""
    made = "Position(Game.from_position(hands=['Ks 7d', '9c Qd Kd'], trump='h'), goals.get_out(missed='Mind the king.'),"
    pupil = Pupil(notebook, f"{made} solution=['attack Ks', 'attack 7d'], others={{1: 'careful'}}, pace=0, motion=False)")
    table = pupil.book.table()
    table.locator("[data-card='7d']").click()
    pupil.said("Not yet.", "Mind the king.")
    expect(table.locator(".dk-prompt")).to_have_text("Not yet. Mind the king.")
    expect(table.get_by_role("button", name="Hint", exact=True)).to_have_count(0)
    expect(table.locator(".dk-hand-card[data-lit]")).to_have_count(0)
    pupil.book.wait_idle()
    assert pupil.book.python("quiz.table.game.ply") == 1  # the other rests too
    table.get_by_role("button", name="Try again", exact=True).click()
    table.get_by_role("button", name="Hint", exact=True).click()
    expect(table.locator(".dk-bubble[data-kind=hint]")).to_contain_text("K♠")


@pytest.mark.slow
def test_an_exercise_without_a_kernel_says_so(notebook):
    """Instead of doing nothing."""
    pupil = Pupil(notebook, "Choose('Who?', {'a': 'A.', 'b': 'B.'}, right='b')")
    pupil.region.get_by_role("radio", name="a").click()
    pupil.said("Not yet.", "A.")  # so much is through: what JupyterLab asks a new kernel for has been answered
    pupil.book.wait_idle()
    pupil.book.restart_kernel()
    pupil.region.get_by_role("radio", name="b").click()
    pupil.said("The kernel of this exercise is gone. Run the cells again, from the first one on.")


@pytest.mark.slow
def test_progress_is_seen_and_forgotten(notebook):
    """What was solved in a notebook counts in another; it is forgotten only when asked for twice."""
    solving = Pupil(notebook, "Choose('Who?', {'a': 'A.', 'b': 'B.'}, right='b', name='01/trial')")
    solving.book.execute("lessons.Progress().reset()")  # of the tests before
    solving.region.get_by_role("radio", name="b").click()
    solving.said("Right.", "B.")
    pupil = Pupil(notebook, "Progress()", called="Your progress")
    bar = pupil.region.get_by_role("progressbar", name="01 · Trumps")
    expect(bar).to_have_attribute("aria-valuenow", "1")
    lesson = pupil.region.get_by_role("link", name="01 · Trumps")
    expect(lesson).to_have_attribute("href", "01_trumps.ipynb")
    assert lesson.get_attribute("data-commandlinker-args").endswith('01_trumps.ipynb"}')
    assert pupil.book.axe(".dk-exercise") == []
    solving.book.execute("lessons.Progress().record('01/other', solved=True)")  # in another kernel
    pupil.page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(bar).to_have_attribute("aria-valuenow", "2")
    pupil.book.execute("lessons.Progress().record('01/third', solved=True)")  # in this one
    expect(bar).to_have_attribute("aria-valuenow", "3")
    pupil.region.get_by_role("button", name="Forget everything", exact=True).dblclick()
    expect(bar).to_have_attribute("aria-valuenow", "3")
    pupil.press("Really forget everything")
    expect(bar).to_have_attribute("aria-valuenow", "0")
    expect(pupil.region.get_by_role("button")).to_have_count(0)
    assert pupil.book.python("Progress().tried_exercises") == ()


@pytest.mark.release
def test_a_coach_comments_a_game(notebook):
    """What happened, why, and what one may do, above the table at which it is played; of the turns before, too."""
    pupil = Pupil(notebook, "Guided(seed=7, others={1: 'first'}, pace=0, motion=False)")
    table = pupil.book.table()
    table.locator("[data-card=Jc]").click()
    status = pupil.region.get_by_role("status")
    expect(status).to_contain_text("Every attacking card must be beaten: by a higher card of its suit, or by a trump.")
    expect(status).to_contain_text("– Throw in the jack of hearts.")
    table.get_by_role("button", name="Pass", exact=True).click()
    expect(status).to_contain_text("Everything was beaten: Player 2 attacks next.")
    box = pupil.region.get_by_role("group", name="The coach")
    expect(box.locator(".dk-coach-history")).to_contain_text("You attack with the jack of clubs.")


@pytest.mark.slow
def test_axe_finds_nothing_in_any_kind(notebook):
    """All of them on one page."""
    book = notebook([f"{SETUP}display({', '.join(one.code for one in ONE_OF_EACH.values())})"])
    expect(book.page.locator(".dk-exercise")).to_have_count(len(ONE_OF_EACH))
    assert [(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in book.axe(".dk-exercise")] == []
