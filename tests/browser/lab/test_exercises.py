"""Exercises in a real JupyterLab: each done rightly and wrongly, by mouse and by keyboard, with what is said, and Python knowing the same."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from pupil import Pupil

from support.asked import ONE_OF_EACH, SETUP


def test_cards_are_picked_wrongly_then_rightly(notebook):
    """The reasons are the rule's; right and wrong are marked by signs and in the names; a right answer ends it."""
    pupil = Pupil(notebook, "Pick.moves(THROWING, 'throw')")
    expect(pupil.region.locator(".dk-question")).to_have_text("Pick every card that may be thrown in.")
    expect(pupil.region.locator(".dk-position img")).to_be_visible()
    for card in ("7h", "Kd", "9s", "Kd", "Kd"):
        pupil.card(card).click()
    expect(pupil.card("Kd")).to_have_attribute("aria-pressed", "true")
    pupil.press("Check")
    pupil.said(
        "Not yet.", "The king of diamonds cannot be thrown in: no king lies on the table, which shows 7 and 9.", "You left out 1 card."
    )
    expect(pupil.region.get_by_role("button", name="king of diamonds, wrong", exact=True)).to_be_visible()
    assert pupil.book.python("quiz.check()") is False
    pupil.card("Kd").click()
    pupil.card("7s").click()
    pupil.press("Check")
    pupil.said("Right.", "The 7 of hearts, the 7 of spades and the 9 of spades may be thrown in: the same rank lies on the table.")
    assert pupil.book.python("(quiz.check(), quiz.tries)") == (True, 2)
    expect(pupil.region.get_by_role("button", name="Check", exact=True)).to_be_hidden()
    pupil.press("Once more")
    pupil.said()
    expect(pupil.region.locator("[aria-pressed=true]")).to_have_count(0)


@pytest.mark.release
def test_the_solution_is_shown_when_it_is_asked_for(notebook):
    """After a wrong answer."""
    pupil = Pupil(notebook, "Pick.beaters('Tc', of='9c Jc Ah 6s', trump='s')")
    pupil.press("Check")
    pupil.said("Not yet.", "You left out 2 cards.", "A higher card of the same suit beats it.")
    pupil.press("Show the solution")
    pupil.said(
        "This is the solution.", "The jack of clubs is higher in the same suit.", "The 6 of spades is a trump, and the 10 of clubs is not."
    )
    expect(pupil.region.locator("[aria-pressed=true]")).to_have_count(2)
    assert pupil.book.python("quiz.check()") is False


@pytest.mark.release
def test_a_row_is_sorted_by_clicks(notebook):
    """A card is taken up and laid elsewhere."""
    pupil = Pupil(notebook, "Sort('6s Ac 7c Ks', trump='s')")
    pupil.press("Check")
    pupil.said("Not yet.", "The ace of clubs does not beat the 6 of spades: different suits, and clubs are not trumps (spades are).")
    pupil.card("6s").click()
    expect(pupil.card("6s")).to_have_attribute("aria-pressed", "true")
    pupil.card("7c").click()
    pupil.row("Ac", "7c", "6s", "Ks")
    pupil.card("7c").click()
    pupil.card("Ac").click()
    pupil.row("7c", "Ac", "6s", "Ks")
    pupil.press("Check")
    pupil.said("Right.")
    assert pupil.book.python("quiz.check()") is True


@pytest.mark.release
def test_a_row_is_sorted_by_keys(notebook):
    """Enter takes a card up, the arrows carry it, Enter lays it down; the focus goes with it."""
    pupil = Pupil(notebook, "Sort('6s Ac 7c', trump='s')")
    pupil.card("6s").focus()
    keys = pupil.page.keyboard
    keys.press("Enter")
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    expect(pupil.card("6s")).to_be_focused()
    expect(pupil.region.get_by_role("button", name="6 of spades, place 3 of 3", exact=True)).to_be_focused()
    keys.press("Enter")
    keys.press("ArrowLeft")
    expect(pupil.card("7c")).to_be_focused()
    keys.press("Enter")
    keys.press("ArrowLeft")
    keys.press("Enter")
    pupil.row("7c", "Ac", "6s")
    pupil.press("Check")
    pupil.said("Right.")


def test_a_row_is_sorted_by_dragging(notebook):
    """The card goes with the mouse and the row makes room; letting go elsewhere than on a card does no harm, nor does it click."""
    pupil = Pupil(notebook, "Sort('6s Ac 7c Ks', trump='s')")
    mouse = pupil.page.mouse

    def drag(card: str, to: str) -> None:
        for step, box in ((mouse.down, pupil.card(card).bounding_box()), (lambda: None, pupil.card(to).bounding_box())):
            mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
            step()

    drag("6s", "7c")
    pupil.row("Ac", "7c", "6s", "Ks")
    mouse.up()
    expect(pupil.region.locator("[aria-pressed=true]")).to_have_count(0)
    drag("7c", "Ac")
    mouse.move(5, 5)
    mouse.up()
    pupil.row("7c", "Ac", "6s", "Ks")
    expect(pupil.region.locator("[aria-pressed=true]")).to_have_count(0)
    pupil.card("6s").click()
    expect(pupil.card("6s")).to_have_attribute("aria-pressed", "true")
    pupil.page.keyboard.press("Escape")
    pupil.press("Check")
    pupil.said("Right.")


@pytest.mark.release
def test_exercises_are_done_by_touch_on_a_phone(notebook):
    """Nothing is wider than the screen, targets are large enough for a finger, and a tap does what a click does."""
    phone = {"viewport": (360, 740), "touch": True}
    picking = Pupil(notebook, "Pick.moves(THROWING, 'throw')", **phone)
    for card in ("7h", "7s", "9s"):
        box = picking.card(card).bounding_box()
        assert box["width"] >= 36
        assert box["x"] + box["width"] <= 360
        picking.card(card).tap()
    picking.region.get_by_role("button", name="Check", exact=True).tap()
    expect(picking.region).to_have_attribute("data-state", "right")
    sorting = Pupil(notebook, "Sort('6s Ac 7c', trump='s')", **phone)
    for card in ("6s", "7c", "7c", "Ac"):
        sorting.card(card).tap()
    sorting.row("7c", "Ac", "6s")
    sorting.region.get_by_role("button", name="Check", exact=True).tap()
    sorting.said("Right.")
    choosing = Pupil(notebook, "Choose('Who?', {'a': 'A.', 'b': 'B.'}, right='b')", **phone)
    choosing.region.get_by_role("radio", name="b").tap()
    choosing.said("Right.", "B.")


@pytest.mark.release
def test_the_answers_of_a_drill_are_those_of_its_question(notebook):
    """Also where another question has answers of the same names, and in another language."""
    pupil = Pupil(notebook, "Drill('next', seed=2, level=2)")
    for _ in range(6):
        items = pupil.book.python("quiz.sheet()['items']")
        expect(pupil.region.get_by_role("radio")).to_have_text([words for _, words in items])
        pupil.card(pupil.book.python("quiz.solution")[0]).click()
        expect(pupil.region).to_have_attribute("data-state", "right")
        pupil.press("Next")
        expect(pupil.region).not_to_have_attribute("data-state", "right")
    pupil.book.execute("quiz.language = 'ru'")
    expect(pupil.page.locator(".dk-option:visible")).to_have_text([words for _, words in pupil.book.python("quiz.sheet()['items']")])


def test_a_double_click_answers_once(notebook):
    """It neither counts two tries nor leaves a question out."""
    pupil = Pupil(notebook, "Drill('beats', seed=1)")
    question = pupil.book.python("quiz.question")
    pupil.region.get_by_role("button", name="Check", exact=True).dblclick()
    expect(pupil.region).to_have_attribute("data-state", "wrong")
    assert pupil.book.python("(quiz.exercise.tries, quiz.question)") == (1, question)


@pytest.mark.release
def test_the_table_of_a_task_deals_no_other_game(notebook):
    """New game lays the task again, a hint is the next move of its solution, nobody changes seats, and the goal speaks as the table does."""
    pupil = Pupil(notebook, "Position(DEFENDING, goals.beat_all(trumps=False), solution=['beat 7c 9c'], pace=0, motion=False)")
    table = pupil.book.table()
    table.get_by_role("button", name="Hint", exact=True).click()
    expect(table.locator(".dk-bubble[data-kind=hint]")).to_contain_text("9♣")
    table.locator("[data-card=Ah]").click()
    pupil.said("Not yet.", "The ace of hearts is a trump.")
    expect(table.locator(".dk-call")).to_have_text("Not yet. A♥︎ is a trump.")
    expect(table.get_by_role("button", name="New game", exact=True)).to_have_count(0)
    expect(pupil.page.get_by_role("button", name="Try again", exact=True)).to_have_count(1)
    table.get_by_role("button", name="Try again", exact=True).click()
    expect(table).to_have_attribute("data-ply", "0")
    pupil.said()
    assert pupil.book.python("str(quiz.table.game.hands[0])") == "9c 7d Ah"
    pupil.book.execute("quiz.table._hear(None, {'kind': 'seat', 'seat': 0, 'who': 'careful'}, [])")
    assert pupil.book.python("quiz.table.players[0]") == "you"
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
    expect(table.locator(".dk-call")).to_have_text("Not yet. Mind the king.")
    expect(table.get_by_role("button", name="Hint", exact=True)).to_have_count(0)
    expect(table.locator(".dk-mine[data-lit]")).to_have_count(0)
    pupil.book.wait_idle()
    assert pupil.book.python("quiz.table.game.ply") == 1  # the other rests too
    table.get_by_role("button", name="Try again", exact=True).click()
    table.get_by_role("button", name="Hint", exact=True).click()
    expect(table.locator(".dk-bubble[data-kind=hint]")).to_contain_text("K♠")


@pytest.mark.release
def test_an_exercise_without_a_kernel_says_so(notebook):
    """Instead of doing nothing."""
    pupil = Pupil(notebook, "Choose('Who?', {'a': 'A.', 'b': 'B.'}, right='b')")
    pupil.region.get_by_role("radio", name="a").click()
    pupil.said("Not yet.", "A.")  # so much is through: what JupyterLab asks a new kernel for has been answered
    pupil.book.wait_idle()
    pupil.book.restart_kernel()
    pupil.region.get_by_role("radio", name="b").click()
    pupil.said("The kernel of this exercise is gone. Run the cells again, from the first one on.")


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
    assert pupil.book.axe(".dk-lesson") == []
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
    assert pupil.book.python("Progress().tried") == ()


@pytest.mark.release
def test_an_answer_is_chosen(notebook):
    """Each with its reason; after the right one there is nothing to click."""
    pupil = Pupil(
        notebook, "Choose('Who wins?', {'The first': 'There is no prize for that.', 'Nobody': 'Durak only has a loser.'}, right='Nobody')"
    )
    pupil.region.get_by_role("radio", name="The first").click()
    pupil.said("Not yet.", "There is no prize for that.")
    pupil.region.get_by_role("radio", name="Nobody").click()
    pupil.said("Right.", "Durak only has a loser.")
    expect(pupil.region.get_by_role("radio", name="Nobody")).to_be_checked()
    assert pupil.book.python("(quiz.check(), quiz.tries)") == (True, 2)


@pytest.mark.release
def test_what_is_predicted_is_then_seen(notebook):
    """The picture is that of the question till the answer is right."""
    pupil = Pupil(notebook, "Predict.next_to_act(THROWING, 'throw 7h')")
    picture = pupil.region.locator(".dk-position img")
    before = picture.get_attribute("src")
    pupil.region.get_by_role("radio", name="You", exact=True).click()
    pupil.said("Not yet.", "The cards of the attack must be beaten first: the defender is asked.")
    assert picture.get_attribute("src") == before
    pupil.region.get_by_role("radio", name="Player 2", exact=True).click()
    pupil.said("Right.", "Player 2 defends. The cards of the attack must be beaten first: the defender is asked.")
    expect(picture).not_to_have_attribute("src", before)


@pytest.mark.release
def test_a_drill_goes_on(notebook):
    """Right, then the next question; the row is counted."""
    pupil = Pupil(notebook, "Drill('beats', seed=1)")
    for count in (1, 2):
        for card in pupil.book.python("quiz.solution"):
            pupil.card(card).click()
        pupil.press("Check")
        expect(pupil.region.locator(".dk-streak")).to_have_text(f"In a row: {count} · level 1")
        pupil.press("Next")
        pupil.said()
    pupil.press("Check")
    expect(pupil.region.locator(".dk-streak")).to_have_text("In a row: 0 · level 1")


def test_a_position_is_played(notebook):
    """The goal stands above a table; a bad move says why, and the position is laid again."""
    pupil = Pupil(notebook, "Position(DEFENDING, goals.beat_all(trumps=False), solution=['beat 7c 9c'], pace=0, motion=False)")
    table = pupil.book.table()
    expect(pupil.region.locator(".dk-question")).to_have_text("Beat everything without a trump.")
    table.locator("[data-card=Ah]").click()
    pupil.said("Not yet.", "The ace of hearts is a trump.")
    table.get_by_role("button", name="Try again", exact=True).click()
    expect(table).to_have_attribute("data-ply", "0")
    table.locator("[data-card='9c']").click()
    pupil.said("Right.", "The bout is over.")
    assert pupil.book.python("quiz.check()") is True


@pytest.mark.release
def test_what_python_cannot_read_is_told(notebook):
    """And nothing else changes."""
    pupil = Pupil(notebook, "Pick.moves(THROWING, 'throw')")
    pupil.card("7h").click()
    pupil.book.execute("quiz._page._hear(None, {'kind': 'answer', 'given': ['2c']}, [])")
    pupil.said("2c is not among the cards Kd 7h 7s 9s")
    expect(pupil.card("7h")).to_have_attribute("aria-pressed", "true")


@pytest.mark.release
def test_two_moves_are_seen_side_by_side(notebook):
    """Each in its answer, one beside the other where there is room, one below the other on a phone."""
    made = "WhatIf(DEFENDING, {'beat 7c 9c': 'It keeps the trump.', 'take': 'No need.'}, better='beat 7c 9c')"
    pupil = Pupil(notebook, made)
    figures = pupil.region.get_by_role("radio")
    expect(figures).to_have_count(2)
    left, right = (figures.nth(n).bounding_box() for n in (0, 1))
    assert left["y"] == right["y"]
    assert left["x"] + left["width"] <= right["x"]
    pupil.region.get_by_role("radio", name="Take.", exact=True).click()
    pupil.said("Not yet.", "No need.")
    pupil.region.get_by_role("radio", name="Beat the 7 of clubs with the 9 of clubs.", exact=True).click()
    pupil.said("Right.", "It keeps the trump.")


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
    expect(box.locator(".dk-before")).to_contain_text("You attack with the jack of clubs.")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.release
def test_axe_finds_nothing_in_exercises(notebook, theme):
    """Before and after an answer."""
    pupil = Pupil(notebook, "Pick.moves(THROWING, 'throw')", theme=theme)
    for _ in range(2):
        assert [(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in pupil.book.axe(".dk-lesson")] == []
        pupil.card("Kd").click()
        pupil.press("Check")
        expect(pupil.region).to_have_attribute("data-state", "wrong")
    other = Pupil(notebook, "Choose('Who?', {'a': 'A.', 'b': 'B.'}, right='b')", theme=theme)
    other.region.get_by_role("radio", name="b").click()
    assert [(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in other.book.axe(".dk-lesson")] == []


@pytest.mark.release
def test_axe_finds_nothing_in_any_kind(notebook):
    """All of them on one page."""
    book = notebook([f"{SETUP}display({', '.join(one.code for one in ONE_OF_EACH.values())})"])
    expect(book.page.locator(".dk-lesson")).to_have_count(len(ONE_OF_EACH))
    assert [(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in book.axe(".dk-lesson")] == []


@pytest.mark.release
def test_closing_an_exercise_leaves_nothing_behind(notebook):
    """Whoever listens to the model is gone with the output."""
    pupil = Pupil(notebook, "Choose('Who?', {'a': 'A.', 'b': 'B.'}, right='b')")
    region = pupil.page.locator(".dk-lesson")
    expect(region).to_have_count(1)
    pupil.page.evaluate("window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
    expect(region).to_have_count(0)
    pupil.book.execute("quiz.answer('a'); quiz.answer('b')")
    pupil.book.wait_idle()
    expect(region).to_have_count(0)
    assert pupil.book.problems() == []
