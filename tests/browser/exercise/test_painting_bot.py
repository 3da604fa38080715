"""A bot made of habits, painted in an empty page: a rule is chosen in each row by clicks and by keys, and the bot plays when it is checked."""

from __future__ import annotations

import pytest
from painted_exercise import Page, loaded

from durak_widget.lessons import Bot

pytestmark = pytest.mark.slow

GOOD = {"lead": "low", "beat": "low", "take": "never", "throw": "plain"}


@pytest.fixture(scope="module")
def page(pages):
    """A page in which nothing is but exercises."""
    context = pages.context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    yield Page(loaded(context))
    context.close()


def quiz(**more) -> Bot:
    """Twelve games, of which good habits win seven."""
    return Bot(7, pairs=6, seed="tests", **more)


def heard(page: Page, task: Bot) -> None:
    """Let Python hear what was sent, and the page what came of it."""
    for message in page.sent():
        task.answer(message["answer"])
    page.show(task)


def test_one_rule_of_each_row_is_chosen_by_clicks(page):
    """Another click in the row changes it; nothing is sent before it is checked."""
    task = quiz()
    page.lay(task)
    rows = page.page.get_by_role("radiogroup")
    assert rows.count() == 4
    for row in rows.all():
        row.get_by_role("radio").last.click()
        row.get_by_role("radio").first.click()
        assert row.get_by_role("radio", checked=True).count() == 1
    page.page.locator("[data-item='throw:plain']").click()
    assert page.page.get_by_role("radio", checked=True).count() == 4
    page.button("Check").click()
    [message] = page.page.evaluate("sent")
    assert {*message["answer"]} == {f"{habit}:{rule}" for habit, rule in GOOD.items()}
    heard(page, task)
    assert task.last_answer == GOOD
    assert page.page.locator(".dk-exercise").get_attribute("data-state") == ("right" if task.check() else "wrong")


def test_keys_alone_will_do(page):
    """A row is one stop of the Tab key; arrows go from rule to rule, and the space bar chooses."""
    task = quiz()
    page.lay(task)
    press = page.page.keyboard.press
    page.page.locator("[data-item='lead:low']").focus()
    for steps in (0, 0, 0, 1):
        for _ in range(steps):
            press("ArrowDown")
        press("Space")
        press("Tab")
    press("Enter")
    heard(page, task)
    assert task.last_answer == GOOD


def test_what_was_chosen_stands_when_it_was_wrong_and_can_be_changed(page):
    """The rules of a bot that lost, until another is chosen."""
    task = quiz()
    task.answer({"lead": "high", "beat": "high", "take": "never", "throw": "none"})
    page.lay(task)
    assert page.page.get_by_role("radio", checked=True).count() == 4
    for habit, rule in GOOD.items():
        page.page.locator(f"[data-item='{habit}:{rule}']").click()
    page.button("Check").click()
    heard(page, task)
    assert task.last_answer == GOOD


@pytest.mark.parametrize(("language", "width"), [("ru", 320)])
def test_nothing_runs_over_at_any_width(page, language, width):
    """In every language; each rule is a target of 36 px or more."""
    task = quiz(language=language)
    page.lay(task, width=width)
    boxes = page.page.evaluate(
        "() => [...document.querySelectorAll('.dk-habit-rows [data-item]')].map((one) => [one.offsetHeight, one.getBoundingClientRect().right, one.scrollWidth - one.clientWidth])"
    )
    assert len(boxes) == 13
    assert all(height >= 36 and right <= width + 8 and over <= 0 for height, right, over in boxes)


def test_a_kept_bot_says_nothing_of_the_games(page):
    """It is kept, and can be changed at any time."""
    task = quiz()
    task.defer_grading()
    page.lay(task)
    for habit, rule in GOOD.items():
        page.page.locator(f"[data-item='{habit}:{rule}']").click()
    page.button("Keep the answer").click()
    heard(page, task)
    assert page.page.locator(".dk-exercise").get_attribute("data-kept") is not None
    assert page.page.get_by_role("radio", checked=True).count() == 4
    page.page.locator("[data-item='lead:high']").click()
    assert page.page.locator("[data-item='lead:high']").get_attribute("aria-checked") == "true"
