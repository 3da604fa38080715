"""Test the exercise of making a bot from rules: choosing by clicks and keys, and checking."""

from __future__ import annotations

import pytest
from rendered_exercise import ExercisePage, load_exercise_page

from durak_widget.lessons import Bot
from support.spoken import english_text

pytestmark = pytest.mark.slow

GOOD = {"lead": "low", "beat": "low", "take": "never", "throw": "plain"}


@pytest.fixture(scope="module")
def page(pages):
    """Open a page with exercises."""
    context = pages.context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    yield ExercisePage(load_exercise_page(context))
    context.close()


def make_quiz(**more) -> Bot:
    """Return an exercise of twelve games. Good rules win seven."""
    return Bot(7, pairs=6, seed="tests", **more)


def exchange_messages(page: ExercisePage, task: Bot) -> None:
    """Send Python the page's messages, and the page the result."""
    for message in page.sent():
        task.answer(message["answer"])
    page.show(task)


def test_a_click_chooses_one_rule_per_row(page):
    """Another click changes it. Nothing is sent before checking."""
    task = make_quiz()
    page.mount(task)
    rows = page.page.get_by_role("radiogroup")
    assert rows.count() == 4
    for row in rows.all():
        row.get_by_role("radio").last.click()
        row.get_by_role("radio").first.click()
        assert row.get_by_role("radio", checked=True).count() == 1
    page.page.locator("[data-item='throw:plain']").click()
    assert page.page.get_by_role("radio", checked=True).count() == 4
    page.button(english_text("screen.check")).click()
    [message] = page.page.evaluate("sent")
    assert {*message["answer"]} == {f"{habit}:{rule}" for habit, rule in GOOD.items()}
    exchange_messages(page, task)
    assert task.last_answer == GOOD
    assert page.page.locator(".dk-exercise").get_attribute("data-state") == ("right" if task.check() else "wrong")


def test_rules_can_be_chosen_by_keys(page):
    """A row is one tab stop. Arrows move, and the space bar chooses."""
    task = make_quiz()
    page.mount(task)
    press = page.page.keyboard.press
    page.page.locator("[data-item='lead:low']").focus()
    for steps in (0, 0, 0, 1):
        for _ in range(steps):
            press("ArrowDown")
        press("Space")
        press("Tab")
    press("Enter")
    exchange_messages(page, task)
    assert task.last_answer == GOOD


def test_wrong_rules_stay_chosen_and_can_be_changed(page):
    """Until another one is chosen."""
    task = make_quiz()
    task.answer({"lead": "high", "beat": "high", "take": "never", "throw": "none"})
    page.mount(task)
    assert page.page.get_by_role("radio", checked=True).count() == 4
    for habit, rule in GOOD.items():
        page.page.locator(f"[data-item='{habit}:{rule}']").click()
    page.button(english_text("screen.check")).click()
    exchange_messages(page, task)
    assert task.last_answer == GOOD


@pytest.mark.parametrize(("language", "width"), [("ru", 320)])
def test_rules_fit_at_every_width(page, language, width):
    """In every language. Each rule is a target of at least 36 px."""
    task = make_quiz(language=language)
    page.mount(task, width=width)
    boxes = page.page.evaluate(
        "() => [...document.querySelectorAll('.dk-habit-rows [data-item]')].map((one) => [one.offsetHeight, one.getBoundingClientRect().right, one.scrollWidth - one.clientWidth])"
    )
    assert len(boxes) == 13
    assert all(height >= 36 and right <= width + 8 and over <= 0 for height, right, over in boxes)


def test_a_homework_bot_shows_no_results(page):
    """It is saved and can be changed at any time."""
    task = make_quiz()
    task.defer_grading()
    page.mount(task)
    for habit, rule in GOOD.items():
        page.page.locator(f"[data-item='{habit}:{rule}']").click()
    page.button(english_text("screen.keep")).click()
    exchange_messages(page, task)
    assert page.page.locator(".dk-exercise").get_attribute("data-grading-deferred") is not None
    assert page.page.get_by_role("radio", checked=True).count() == 4
    page.page.locator("[data-item='lead:high']").click()
    assert page.page.locator("[data-item='lead:high']").get_attribute("aria-checked") == "true"
