"""Test exercises in an empty page: what a question shows, and that nothing moves under the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from rendered_exercise import ExercisePage, load_exercise_page
from rendered_table import STATIC, golden_scene

from durak_widget import Game
from durak_widget.analysis.endgame import solve_endgame
from durak_widget.exercises import goals
from durak_widget.lessons import Choose, Drill, Endings, Guided, Number, Pick, Position, Predict, Progress, Sort, WhatIf
from support.spoken import english_text

if TYPE_CHECKING:
    from collections.abc import Callable

ITEMS = "() => [...document.querySelectorAll('[data-item]')].map(({ offsetLeft, offsetTop }) => [offsetLeft, offsetTop])"
# Add the buttons of a table below the first exercise.
FELT = """() => {
  document.body.firstElementChild.insertAdjacentHTML('afterend', '<section class="dk" id="felt" data-task><div class="dk-felt"><div class="dk-message-bar"><div class="dk-actions"></div></div></div></section>');
  window.flown = [];
  window.flying?.disconnect();
  window.flying = new MutationObserver((all) => { for (const { addedNodes } of all) for (const one of addedNodes) flown.push(one.textContent); });
  window.flying.observe(document.body, { childList: true });
}"""
# Return the buttons that a finger can miss.
LOW = """() => [...document.querySelectorAll('button, summary')].filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => [one.textContent, one.getBoundingClientRect().height]).filter(([, height]) => height < 43.5)"""
HEIGHTS = "() => ['.dk-exercise', '#felt .dk-felt'].map((one) => { const { top, height } = document.querySelector(one).getBoundingClientRect(); return [top, height]; })"
DEFENDING = Game.from_position(hands=["9c Ah 7d", "Jd Qs"], trump="h", table="7c", attacker=1)
TWO = Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h")


@pytest.fixture(scope="module")
def lesson_page(pages):
    """Open a page with the exercise bundle."""
    context = pages.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    yield ExercisePage(load_exercise_page(context))
    context.close()


def test_a_question_shows_its_cards(lesson_page):
    """The card to beat is larger and has the trump sign beside it. Every trump is marked."""
    lesson_page.mount(Pick.beaters("9d", of="6d Td Kd Ac 7s 8d", trump="s"))
    page = lesson_page.page
    attacked = page.get_by_role("img", name="9 of diamonds; Trump: spades", exact=True)
    assert attacked.locator(".dk-trump-sign .dk-ink-s").count() == 1
    assert attacked.locator(".dk-card").bounding_box()["width"] > 1.2 * page.locator("[data-item]").first.bounding_box()["width"]
    assert page.locator("[data-trump]").evaluate_all("all => all.map((one) => one.dataset.item)") == ["7s"]
    lesson_page.mount(Sort("6s Ac 7c Ks", trump="s"))
    assert page.locator("[data-trump]").evaluate_all("all => all.map((one) => one.dataset.item)") == ["6s", "Ks"]


def test_the_answer_no_card_is_always_offered(lesson_page):
    """So it gives nothing away."""
    for quiz in (Pick.beaters("Ac", of="Kc Ad", trump="h"), Pick.beaters("Tc", of="Kc Ad", trump="h")):
        lesson_page.mount(quiz)
        lesson_page.page.locator("[data-item=Kc]").click()
        lesson_page.button(english_text("screen.none")).click()
        assert lesson_page.sent() == [{"kind": "answer", "answer": []}]


@pytest.mark.parametrize(
    "make",
    [
        lambda code: (Pick.beaters("9d", of="6d Td Kd Ac 7s 8d", trump="s", language=code), "Ac", "Td Kd 7s"),
        lambda code: (Sort("6s Ac 7c Ks", trump="s", language=code), "6s Ac 7c Ks", "7c Ac 6s Ks"),
        lambda code: (Choose("?", {"a": "A." * 20, "b": "B."}, right="b", language=code), "a", "b"),
    ],
    ids=["pick", "sort", "choose"],
)
@pytest.mark.parametrize("code", ["ru"])
def test_answering_does_not_move_the_choices(lesson_page, make: Callable[[str], tuple[Any, Any, Any]], code: str):
    """Before an answer, after a wrong one and after a right one."""
    for width in (320, 900):
        quiz, wrong, right = make(code)
        lesson_page.mount(quiz, width=width)
        before = sorted(lesson_page.page.evaluate(ITEMS))
        for answer in (wrong, right):
            quiz.answer(answer)
            lesson_page.show(quiz)
            assert sorted(lesson_page.page.evaluate(ITEMS)) == before


def card_row(page) -> list[str]:
    """Return the order of the cards."""
    return page.page.locator("[data-item]").evaluate_all("all => all.map((one) => one.dataset.item)")


def test_cards_are_sorted_by_clicks_and_keys(lesson_page):
    """Enter picks a card up and puts it down. Arrows move it with the focus."""
    lesson_page.mount(Sort("6s Ac 7c Ks", trump="s"))
    page = lesson_page.page
    page.locator("[data-item='6s']").click()
    assert page.locator("[data-item='6s']").get_attribute("aria-pressed") == "true"
    page.locator("[data-item='7c']").click()
    assert card_row(lesson_page) == ["Ac", "7c", "6s", "Ks"]
    page.locator("[data-item='7c']").focus()
    for key in ("Enter", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == english_text(
        "screen.placed", card="7 of clubs", place=1, count=4
    )
    page.keyboard.press("Enter")
    lesson_page.button(english_text("screen.check")).click()
    assert lesson_page.sent() == [{"kind": "answer", "answer": ["7c", "Ac", "6s", "Ks"]}]


def test_cards_are_sorted_by_dragging(lesson_page):
    """The row makes space. A drop elsewhere does nothing and is no click."""
    lesson_page.mount(Sort("6s Ac 7c Ks", trump="s"))
    mouse = lesson_page.page.mouse

    def drag(card: str, to: str) -> None:
        for step, where in ((mouse.down, card), (lambda: None, to)):
            box = lesson_page.page.locator(f"[data-item='{where}']").bounding_box()
            mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
            step()

    drag("6s", "7c")
    assert card_row(lesson_page) == ["Ac", "7c", "6s", "Ks"]
    mouse.up()
    drag("7c", "Ac")
    mouse.move(5, 5)
    mouse.up()
    assert card_row(lesson_page) == ["7c", "Ac", "6s", "Ks"]
    assert lesson_page.page.locator("[aria-pressed=true]").count() == 0


def test_a_double_click_answers_once(lesson_page):
    """It counts one try and skips no question."""
    lesson_page.mount(Pick.beaters("Tc", of="Kc Ad", trump="h"))
    lesson_page.button(english_text("screen.check")).dblclick()
    assert len(lesson_page.sent()) == 1


def test_a_typed_number_is_checked_by_enter(lesson_page):
    """No letter reaches the notebook. A wrong number is marked and replaced by typing. A right one is locked."""
    quiz = Number("How likely?", "5/18")
    lesson_page.mount(quiz)
    page, field = lesson_page.page, lesson_page.page.get_by_role("textbox", name=english_text("screen.answer"), exact=True)
    page.evaluate("() => { window.heard = []; document.onkeydown = ({ key }) => void heard.push(key); }")
    field.press_sequentially("a 1/2")
    field.press("Enter")
    assert lesson_page.sent() == [{"kind": "answer", "answer": ["a 1/2"]}]
    assert page.evaluate("heard") == []
    page.evaluate("() => { document.onkeydown = null; }")
    quiz.answer("1/2")
    lesson_page.show(quiz)
    assert field.get_attribute("aria-invalid") == "true"
    page.keyboard.type("5/18")
    assert field.input_value() == "5/18"
    lesson_page.button(english_text("screen.check")).click()
    assert lesson_page.sent() == [{"kind": "answer", "answer": ["5/18"]}]
    quiz.answer("5/18")
    lesson_page.show(quiz)
    assert (field.get_attribute("aria-invalid"), field.is_editable()) == (None, False)
    field.press("Enter")
    assert lesson_page.sent() == []
    lesson_page.button(english_text("screen.once_more")).click()
    quiz.restart()
    lesson_page.show(quiz)
    assert (field.input_value(), field.evaluate("one => one === document.activeElement")) == ("", True)


def test_typed_text_survives_a_change_of_language(lesson_page):
    """And a message that the text cannot be read."""
    quiz = Number({"en": "How likely?", "ru": "Как вероятно?"}, "5/18")
    lesson_page.mount(quiz)
    field = lesson_page.page.get_by_role("textbox")
    field.fill("5/1")
    quiz.language = "ru"
    lesson_page.show(quiz)
    assert field.input_value() == "5/1"
    assert lesson_page.page.get_by_text("Как вероятно?").count() == 1


@pytest.mark.parametrize("code", ["ru"])
def test_the_number_field_fits_and_stays_in_place(lesson_page, code: str):
    """At every width, before an answer, after a wrong one and after a right one."""
    place = "() => { const { x, y, width, right } = document.querySelector('.dk-number-input input').getBoundingClientRect(); return [x, y, width, right <= document.querySelector('.dk-exercise').getBoundingClientRect().right - 10]; }"
    for width in (300, 900):
        quiz = Number.chance(Game(seed=7), "Ah", language=code)
        lesson_page.mount(quiz, width=width)
        before = lesson_page.page.evaluate(place)
        assert before[2] >= 200
        assert before[3]
        for answer in ("6/35", "0.2", "6/29"):
            quiz.answer(answer)
            lesson_page.show(quiz)
            assert lesson_page.page.evaluate(place) == before


def test_symbol_keys_are_offered_on_touch_screens(lesson_page, pages):
    """Number pads lack them. They are inserted at the caret. With a mouse they are hidden."""
    lesson_page.mount(Number("How likely?", "5/18"))
    assert lesson_page.page.locator(".dk-symbol-key:visible").count() == 0
    context = pages.context(viewport={"width": 360, "height": 700}, has_touch=True, is_mobile=True)
    phone = ExercisePage(load_exercise_page(context))
    phone.mount(Number("How likely?", "5/18"), width=320)
    rows = {key.bounding_box()["y"] for key in phone.page.locator(".dk-symbol-key").all()}
    assert len(rows) == 1, "a key stands alone in a second row"
    field = phone.page.get_by_role("textbox")
    field.fill("518")
    field.evaluate("one => one.setSelectionRange(1, 1)")
    phone.page.get_by_role("button", name="/", exact=True).tap()
    phone.button(english_text("screen.check")).tap()
    assert phone.sent() == [{"kind": "answer", "answer": ["5/18"]}]
    phone.mount(Number("In how many ways?", 12345678910), width=224)  # the width that JupyterLab leaves of a narrow page
    field.fill("12345678910")
    assert field.evaluate("one => one.scrollWidth <= one.clientWidth"), "the number is cut"
    for sign in "/·^!()%":
        box = phone.page.get_by_role("button", name=sign, exact=True).bounding_box()
        assert min(box["width"], box["height"] - 6) > 37, sign
    context.close()


@pytest.mark.parametrize("code", ["lt"])
def test_feedback_does_not_move_the_table_below(lesson_page, code: str):
    """The task keeps its height. Feedback is shown in full below the felt."""
    page = lesson_page.page
    for width in (320,):
        for start, goal, solution, moves in (
            (DEFENDING, goals.beat_all(trumps=False), ["beat 7c 9c"], ["beat 7c Ah"]),
            (TWO, goals.get_out(), ["attack Ks", "attack 7d"], ["attack 7d"]),
            (TWO, goals.get_out(), ["attack Ks", "attack 7d"], ["attack Ks"]),
        ):
            task = Position(start, goal, solution=solution, others={1: "careful"}, why="So it is." * 9, language=code, name="04/challenge")
            lesson_page.mount(task, width=width)
            page.evaluate(FELT)
            page.wait_for_function("document.querySelector('#felt > .dk-table-feedback')")
            page.evaluate("width => { document.querySelector('#felt').style.width = `${width}px`; }", width)
            before = page.evaluate(HEIGHTS)

            def stays(task=task, before=before) -> None:
                lesson_page.show(task)
                assert page.evaluate(HEIGHTS) == before
                feedback = page.locator(".dk-feedback-text")
                assert feedback.locator("p").all_inner_texts() == list(task.view_model()["feedback"])
                assert feedback.evaluate("one => one.scrollHeight <= one.clientHeight"), "it is cut"
                assert page.get_by_role("status").locator("p").all_inner_texts() == list(task.view_model()["feedback"]), (
                    "for whoever listens"
                )

            task.answer(moves)
            stays()
            task.reveal()
            stays()
            task.restart()
            task.answer(solution)
            stays()
            task.table.close()
    page.evaluate("document.querySelector('#felt').remove()")


def test_a_task_without_its_table_reserves_no_space(lesson_page):
    """Without a table, the feedback is shown in full at the question."""
    task = Position(TWO, goals.get_out(), solution=["attack Ks", "attack 7d"], others={1: "careful"})
    lesson_page.mount(task, width=320)
    assert lesson_page.page.locator(".dk-exercise").evaluate("one => one.offsetHeight") < 110
    task.answer("attack 7d")
    lesson_page.show(task)
    foot = lesson_page.page.locator(".dk-exercise-footer")
    assert foot.evaluate("one => one.scrollHeight <= one.clientHeight")
    assert lesson_page.page.locator(".dk-feedback").inner_text().startswith(english_text("lesson.not_yet"))
    assert lesson_page.button(english_text("screen.reveal")).is_visible()
    task.table.close()


def test_the_felt_offers_the_reason_where_it_has_no_space(lesson_page):
    """A click scrolls to the reason, with the solution beside it."""
    page = lesson_page.page
    task = Position(TWO, goals.get_out(), solution=["attack Ks", "attack 7d"], others={1: "careful"})
    lesson_page.mount(task)
    page.evaluate(FELT)
    page.evaluate("document.querySelector('#felt .dk-felt').style.paddingBottom = '2000px'")
    page.wait_for_function("document.querySelector('#felt > .dk-table-feedback')")
    why = lesson_page.button("Why?")
    assert not why.is_visible()
    task.answer("attack 7d")
    assert task.table.scene["verdict"]["text"][0] == " ".join([english_text("lesson.not_yet"), english_text("lesson.ask_why")])
    lesson_page.show(task)
    why.click()
    page.wait_for_function("document.querySelector('.dk-table-feedback').getBoundingClientRect().bottom <= innerHeight + 1")
    assert page.locator("#felt > .dk-table-feedback").inner_text().startswith(english_text("lesson.not_yet"))
    page.locator("#felt > .dk-table-feedback").get_by_role("button", name=english_text("screen.reveal")).click()
    assert lesson_page.sent() == [{"kind": "reveal"}]
    task.restart()
    lesson_page.show(task)
    assert not why.is_visible()
    page.evaluate("document.querySelector('#felt').remove()")
    task.table.close()


def test_a_decided_task_shows_its_verdict_on_the_felt(table_page):
    """In place of the prompt. No card is highlighted, and the only action is to start again."""
    for name, prompt, again in (
        ("task_missed", f"{english_text('lesson.not_yet')} {english_text('lesson.goal.trumped', card='A♥︎')}", english_text("screen.again")),
        ("task_done", " ".join([english_text("lesson.right"), english_text("lesson.goal.beaten")]), english_text("screen.once_more")),
    ):
        painted = table_page.mount(golden_scene(name))
        assert (painted["call"], painted["actions"]) == (prompt, [["next", again]])
        assert painted["lit"] == []
        table_page.click(".dk-menu-button")
        assert table_page.page.locator(".dk-navigation button:visible:not(.dk-menu-button)").evaluate_all(
            "all => all.map((one) => one.dataset.bar ?? one.dataset.menu)"
        ) == ["list", "seen", "share", "full", "how_to_play", "rules", "settings", "help"]
        table_page.keyboard.press("Escape")
        assert not table_page.page.locator(".dk-replay-slider").is_visible()
        table_page.page.get_by_role("button", name=again, exact=True).click()
        assert [message["kind"] for message in table_page.drain()] == ["next_game"]


def test_a_drill_shows_the_answers_of_its_current_question(lesson_page):
    """Also if another question has the same answer names, and in another language."""
    drill = Drill("next", seed=2, level=2)
    lesson_page.mount(drill)
    answers = lesson_page.page.get_by_role("radio")
    for _ in range(4):
        assert answers.all_inner_texts() == [words for _, words in drill.view_model()["items"]]
        drill.answer(drill.solution[0])
        lesson_page.show(drill)
        assert lesson_page.page.locator(".dk-exercise").get_attribute("data-state") == "right"
        drill.next()
        lesson_page.show(drill)
    drill.language = "ru"
    lesson_page.show(drill)
    assert answers.all_inner_texts() == [words for _, words in drill.view_model()["items"]]


def test_the_picture_shows_the_result_after_a_right_prediction(lesson_page):
    """Before that it shows the question."""
    start = Game.from_position(hands=["7h Kd 7s 9s", "Ac Qc Jd"], trump="d", table="7c/9c", attacker=0)
    quiz = Predict.next_to_act(start, "throw 7h")
    lesson_page.mount(quiz)
    picture = lesson_page.page.locator(".dk-position-picture img")
    before = picture.get_attribute("src")
    right = quiz.solution[0]
    for answer in (next(item for item, _ in quiz.view_model()["items"] if item != right), right):
        quiz.answer(answer)
        lesson_page.show(quiz)
        assert (picture.get_attribute("src") == before) is (answer != right)


def test_a_drill_shows_its_streak(lesson_page):
    """A dot per required right answer. Completion is also stated in words."""
    drill = Drill("beats", seed=1, goal=3)
    lesson_page.mount(drill)
    dots = lesson_page.page.locator(".dk-streak-dot")
    for filled in (1, 2, 3):
        drill.answer(drill.solution)
        lesson_page.show(drill)
        assert dots.evaluate_all("all => all.map((one) => 'on' in one.dataset)") == [n < filled for n in range(3)]
        assert (english_text("screen.streak_done", goal="3") in lesson_page.page.locator(".dk-streak").inner_text()) is (filled == 3)
        if filled < 3:
            drill.next()


def test_a_solved_task_leads_to_the_next(lesson_page):
    """Within the page."""
    first, second = (Choose(name, {"a": "A.", "b": "B."}, right="b") for name in ("One?", "Two?"))
    lesson_page.mount(first, second)
    onward = lesson_page.button(english_text("screen.onward"))
    assert onward.count() == 0
    first.answer("b")
    lesson_page.show(first)
    onward.click()
    assert lesson_page.page.evaluate("document.activeElement.closest('.dk-exercise').getAttribute('aria-label')") == "Exercise: Two?"
    second.answer("b")
    lesson_page.show(second, 1)
    assert onward.count() == 1


def test_a_question_shows_its_number_and_star(lesson_page):
    """If it has them."""
    lesson_page.mount(
        Choose("Who?", {"a": "", "b": ""}, right="a", number=3, name="04/challenge"), Choose("Who?", {"a": "", "b": ""}, right="a")
    )
    assert lesson_page.page.locator(".dk-exercise-header").evaluate_all(
        "all => all.map((one) => [...one.children].map((part) => part.textContent).filter(Boolean))"
    ) == [
        ["3", "Who?", "★ Challenge"],
        ["Who?"],
    ]


def test_a_long_question_is_not_set_in_bold(lesson_page):
    """Nobody reads fifteen bold lines on a phone."""
    two = {"a": "", "b": ""}
    lesson_page.mount(Choose("Who holds the ace? " * 16, two, right="a"), Choose("Who?", two, right="a"))
    assert lesson_page.page.locator(".dk-question").evaluate_all("all => all.map((one) => getComputedStyle(one).fontWeight)") == [
        "400",
        "600",
    ]


def test_the_progress_list_updates_when_it_becomes_visible(lesson_page, tmp_path):
    """By scrolling, or when the window gets the focus."""
    lesson_page.mount(Progress(tmp_path / "progress.json"))
    lesson_page.page.wait_for_function("sent.length > 0")
    assert lesson_page.sent() == [{"kind": "reload"}]
    lesson_page.page.evaluate("window.dispatchEvent(new Event('focus'))")
    assert lesson_page.sent() == [{"kind": "reload"}]
    lesson_page.mount()
    lesson_page.page.evaluate("window.dispatchEvent(new Event('focus'))")
    assert lesson_page.sent() == []


@pytest.mark.parametrize("width", [390])
def test_a_table_on_the_page_does_not_restyle_exercises(lesson_page, width):
    """Its style sheet may come later: answers wrap, keep their weight and fit the box, and so do pictures."""
    two = Game.from_position(hands=["Ts 7c Kd", "6d Ac 9h"], trump="h", table="8s", attacker=1)
    ways = WhatIf(two, {"beat 8s Ts": "So the attack is yours.", "take": "There was no need."}, better="beat 8s Ts")
    long = Choose("Who deals?", {"Player 3 deals the next game, and Player 2 attacks in it": "So it is.", "You": "No."}, right="You")
    lesson_page.mount(ways, long, Pick.beaters("9d", of="6d Td Kd Ac 7s 8d", trump="s"), width=width - 70)
    page = lesson_page.page
    page.set_viewport_size({"width": width, "height": 800})
    late = page.add_style_tag(content=(STATIC / "widget.css").read_text(encoding="utf-8"))
    try:
        beyond = "() => [...document.querySelectorAll('.dk-exercise *')].filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > one.closest('.dk-exercise').getBoundingClientRect().right).map((one) => one.outerHTML.slice(0, 90))"
        assert page.evaluate(beyond) == []
        styles = "() => [...document.querySelectorAll('.dk-option:not([aria-description])')].map((one) => [getComputedStyle(one).fontWeight, getComputedStyle(one).whiteSpace])"
        assert page.evaluate(styles) == [["400", "normal"]] * 2
        check, none = (lesson_page.button(name).bounding_box() for name in ("Check", english_text("screen.none")))
        assert check["y"] == none["y"], "two short buttons stand one above the other"
    finally:
        late.evaluate("style => style.remove()")
        page.set_viewport_size({"width": 1200, "height": 800})


def test_a_solved_table_task_leads_to_the_next_from_the_felt(lesson_page):
    """By a button of its table, or a link to the next lesson. The challenge star is animated once."""
    task = Position(DEFENDING, goals.beat_all(trumps=False), solution=["beat 7c 9c"], others={1: "careful"}, name="04/challenge")
    lesson_page.mount(task, Choose("Two?", {"a": "A.", "b": "B."}, right="b"))
    lesson_page.page.emulate_media(reduced_motion="no-preference")
    lesson_page.page.evaluate(FELT)
    onward, felt = lesson_page.page.locator(".dk-next-button").first, lesson_page.page.locator("#felt .dk-actions")
    assert not onward.is_visible()
    task.answer(["beat 7c 9c"])
    lesson_page.show(task)
    assert (felt.inner_text(), lesson_page.page.evaluate("flown")) == (english_text("screen.onward"), ["★"])
    onward.click()
    assert lesson_page.page.evaluate("document.activeElement.closest('.dk-exercise').getAttribute('aria-label')") == "Exercise: Two?"
    lesson_page.show(task)
    task.restart()
    lesson_page.show(task)
    assert (felt.inner_text(), onward.is_visible()) == ("", False)
    lesson_page.page.emulate_media(reduced_motion="reduce")
    task.answer(["beat 7c 9c"])
    lesson_page.show(task)
    assert (felt.inner_text(), lesson_page.page.evaluate("flown")) == (english_text("screen.onward"), ["★"])
    task.table.close()


# The visible buttons of the felt that have the colour of the primary one.
YELLOW = """() => {
  const buttons = [...document.querySelectorAll('#felt .dk-actions button')].filter((one) => one.checkVisibility());
  const probe = document.createElement('i');
  document.querySelector('#felt').append(probe);
  probe.style.background = 'var(--dk-mark)';
  const colour = getComputedStyle(probe).backgroundColor;
  probe.remove();
  return buttons.filter((one) => getComputedStyle(one).backgroundColor === colour).map((one) => one.textContent);
}"""


def test_one_button_is_primary(lesson_page):
    """It is the way on: to the next ending, to the next task, or, after a miss at a table, another try."""
    endings = Endings(5, seed=1, goal=1)
    lesson_page.mount(endings, Choose("Two?", {"a": "A.", "b": "B."}, right="b"))
    page = lesson_page.page
    page.evaluate(FELT)
    page.evaluate(
        "document.querySelector('#felt .dk-actions').innerHTML = '<button type=\"button\" class=\"dk-button dk-primary\">Once more</button>'"
    )
    losing = next(str(move) for move, value in solve_endgame(endings.table.game).move_values.items() if value < 1)
    endings.answer(losing)
    lesson_page.show(endings)
    assert page.evaluate(YELLOW) == [english_text("screen.once_more")]
    endings.next()
    endings.answer(endings.solution)
    lesson_page.show(endings)
    assert page.evaluate(YELLOW) == [english_text("screen.onward")]
    endings.table.close()
    daily = Endings(5, seed=1, goal=2)
    daily.answer(daily.solution)
    lesson_page.mount(daily)
    page.evaluate(FELT)
    page.evaluate(
        "document.querySelector('#felt .dk-actions').innerHTML = '<button type=\"button\" class=\"dk-button dk-primary\">Once more</button>'"
    )
    lesson_page.show(daily)
    assert page.evaluate(YELLOW) == ["Next"]
    daily.table.close()


def test_the_coach_gives_advice_and_folds_moves_away(lesson_page):
    """What he said before is folded away, too. If he has nothing to say, a sentence says so."""
    game = Guided(seed=7, others={1: "first"})
    lesson_page.mount(game)
    page = lesson_page.page
    advice, history = page.locator(".dk-coach [role=status]"), page.locator(".dk-coach-history")
    moves_before = []
    for _ in range(6):
        view = game.view_model()
        lesson_page.show(game)
        lines = list(zip(view["feedback_kinds"], view["feedback"], strict=True))
        told = advice.inner_text()
        assert told
        assert all((text in told) == (kind != "event") for kind, text in lines)
        moves_before += [text for kind, text in lines if kind == "event"]
        assert all(text in history.inner_text() or text in history.text_content() for text in moves_before[-3:])
        assert history.locator("p").first.is_visible() is False
        game.answer(game.table.game.legal_moves()[0])
    history.locator("summary").click()
    assert history.locator("p").last.is_visible()
    game.table.close()


@pytest.mark.parametrize(("width", "height"), [(1100, 660), (330, 640)])
def test_both_outcomes_are_visible_with_the_question(lesson_page, width: int, height: int):
    """In the space that JupyterLab leaves for a notebook, on a laptop and on a phone."""
    position = Game.from_position(
        hands=["Ts 7c Kd 9d 6c Jd", "6d Ac 9h Qd Qc"], trump="h", table="8s", attacker=1, talon="Jc 9s 7h Ah", turn_up="Ah"
    )
    quiz = WhatIf(position, {"beat 8s Ts": "Six again.", "take": "Seven cards."}, better="beat 8s Ts")
    page = lesson_page.page
    page.set_viewport_size({"width": width + 30, "height": height})
    try:
        lesson_page.mount(quiz, width=width)
        top = page.locator(".dk-question").bounding_box()["y"]
        pictures = [page.locator(one).bounding_box() for one in (".dk-position-picture img", ".dk-option >> nth=0", ".dk-option >> nth=1")]
        assert max(box["y"] + box["height"] for box in pictures) - top <= height
        assert min(box["width"] for box in pictures) > 200
    finally:
        page.set_viewport_size({"width": 1200, "height": 800})


def test_the_last_task_leads_to_the_next_lesson(lesson_page):
    """With the name of its link."""
    last = Choose("One?", {"a": "A.", "b": "B."}, right="b")
    lesson_page.mount(last)
    lesson_page.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<p>Next: <a href=\"#04_the_end.ipynb\">the end</a></p>')")
    last.answer("b")
    lesson_page.show(last)
    lesson_page.button("Next: the end").click()
    assert lesson_page.page.evaluate("location.hash") == "#04_the_end.ipynb"
    lesson_page.page.evaluate("document.querySelector('body > p').remove()")


def test_the_next_lesson_is_the_bold_link(lesson_page):
    """Not a link in the text. Without a bold link, the first."""
    last, page = Choose("One?", {"a": "A.", "b": "B."}, right="b"), lesson_page.page
    lesson_page.mount(last)
    last.answer("b")
    aside, onward = (
        '<p>For programmers: <a href="#16_under_the_hood.ipynb">Under the hood</a></p>',
        '<p><strong>Next: <a href="#01_trumps.ipynb">Trumps</a></strong></p>',
    )
    for there, label, place in (
        (aside + onward, "Next: Trumps", "#01_trumps.ipynb"),
        (aside, "Next: Under the hood", "#16_under_the_hood.ipynb"),
    ):
        page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", there)
        lesson_page.show(last)
        lesson_page.button(label).click()
        assert page.evaluate("location.hash") == place
        page.evaluate("document.querySelectorAll('body > p').forEach((one) => one.remove())")


@pytest.fixture
def phone_page(pages):
    """Open a page on a phone with the exercise bundle."""
    context = pages.context(viewport={"width": 360, "height": 740}, has_touch=True, reduced_motion="reduce")
    yield ExercisePage(load_exercise_page(context))
    context.close()


def test_every_button_is_large_enough_for_touch(phone_page):
    """At least 44 pixels high: answers, *Check*, and what unfolds the words of a picture."""
    phone_page.mount(
        Choose("?", {"a": "A.", "b": "B."}, right="b", game=DEFENDING),
        Pick.beaters("9d", of="6d Td", trump="s"),
        Number("How many?", 3),
        width=330,
    )
    assert phone_page.page.locator("button:visible").count() >= 5
    assert phone_page.page.locator("summary:visible").count() == 1
    assert phone_page.page.evaluate(LOW) == []


def test_the_star_of_a_challenge_takes_no_width_from_the_question(phone_page):
    """On a phone it has a line of its own."""
    widths = []
    for challenge in (False, True):
        phone_page.mount(Number("How many games are that? " * 9, 3, name="17/challenge" if challenge else "17/games"), width=330)
        assert phone_page.page.locator(".dk-star").is_visible() == challenge
        widths.append(phone_page.page.locator(".dk-question").bounding_box()["width"])
    assert widths[1] == widths[0]
