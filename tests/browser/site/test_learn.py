"""Test the page to learn with a file server only: all steps by touch, a whole game, later visits, languages, and offline use."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from rendered_table import AXE
from visitor import AWAKE, PATIENCE

from durak_widget.i18n import LANGUAGES, get_language
from durak_widget.lessons.first_steps import STEPS, create_step
from support.spoken import text_without_drawings

NEXT = re.compile("^(" + "|".join(get_language(code).sentences["screen.following"] for code in LANGUAGES) + ")$")
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LOW = {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}
FOUND = "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))"
WRONG = {"beat": "7c", "trump": "Kd", "take": "Qs", "throw": "As", "pass": "6s"}
"""A card of each step that may not be played there."""
OUTSIDE = """async (selectors) => {
  const flights = document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity);
  await Promise.allSettled(flights.map(({ finished }) => finished));
  return selectors.filter((selector) => [...document.querySelectorAll(selector)].some((element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1;
  }));
}"""
"""Return the selectors of which an element is not wholly on the screen, once no card flies any more."""
SMALL = """() => [...document.querySelectorAll(".dp-learn-header :is(button, a, select), .dp-footer a")]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .filter((element) => Math.min(element.offsetWidth, element.offsetHeight) < 44).map((element) => element.id)"""
ON_SCREEN = [".dk-question", "#table .dk-message-bar", "#table .dk-hand [data-card]"]
TURN = """() => {
  const table = document.querySelector("#table section.dk");
  if (table.matches("[data-over]")) return "over";
  const card = document.querySelector("#table .dk-hand [data-lit]:not([data-picked])");
  if (card) return card.dataset.card;
  return document.querySelector("#table [data-action=take], #table [data-action=pass]") ? "button" : false;
}"""


def open_page(visitor, link="", *, awake=True):
    """Open the page to learn."""
    page = visitor.look(f"play/learn.html{link}")
    if awake:
        page.wait_for_selector(AWAKE)
    return page


def press(visitor, element):
    """Tap an element on a phone, and click it elsewhere."""
    touches = visitor.context.pages[-1].evaluate("navigator.maxTouchPoints > 0")
    element.tap() if touches else element.click()


def play(visitor, page, move):
    """Make a move of a step: play its card, or press its button."""
    verb, *cards = str(move).split()
    table = page.locator("#table section.dk")
    if cards:
        press(visitor, table.locator(f".dk-hand [data-card='{cards[-1]}']"))
    else:
        press(visitor, table.locator(f"[data-action={verb}]"))


def expect_step(page, number):
    """Wait for a step."""
    expect(page.locator("#step")).to_have_text(re.compile(rf"\b{number}\b.*\b{len(STEPS)}\b"))
    expect(page.locator("#table .dk-hand [data-card]").first).to_be_visible()


def solve(visitor, page, name):
    """Solve a step at the table, and return the button that leads on."""
    for move in create_step(name).solution:
        play(visitor, page, move)
    go_on = page.locator("#table").get_by_role("button", name=NEXT)
    expect(go_on).to_be_visible()
    return go_on


@pytest.mark.parametrize("visitor", [PHONE], ids=["phone"], indirect=True)
def test_all_steps_by_touch(visitor):
    """A wrong card is answered with a reason, and the right one with the way on. Question, table and hand are on the screen together.

    After loading the page again in the middle, it goes on there.
    """
    page = open_page(visitor)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    table = page.locator("#table section.dk")
    for number, name in enumerate(STEPS[:-1], 1):
        expect_step(page, number)
        assert (name, page.evaluate(OUTSIDE, ON_SCREEN), page.evaluate(SMALL)) == (name, [], [])
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        if name in WRONG:
            # It is disabled for screen readers, but not for a finger.
            table.locator(f".dk-hand [data-card='{WRONG[name]}']").tap(force=True)
            expect(table.locator(".dk-bubble").first).to_be_visible()
        go_on = solve(visitor, page, name)
        assert (name, page.evaluate(OUTSIDE, ON_SCREEN[:2])) == (name, [])
        expect(page.locator("#forward")).not_to_be_visible()
        if number == 1:
            assert page.evaluate(FOUND) == []
        press(visitor, go_on)
        if number == 3:
            expect_step(page, 4)
            page.reload()
            page.wait_for_selector(AWAKE)
    expect_step(page, len(STEPS))
    expect(page.locator("#play")).to_have_attribute("href", "index.html")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(FOUND) == []
    assert (page.evaluate(OUTSIDE, ON_SCREEN), page.evaluate(SMALL)) == ([], [])


@pytest.mark.slow
@pytest.mark.parametrize("visitor", [PHONE], ids=["phone"], indirect=True)
def test_the_whole_game_by_touch(visitor):
    """It goes on after loading the page again. At its end the page leads on to the play page."""
    page = open_page(visitor)
    for number in range(2, len(STEPS) + 1):
        press(visitor, page.locator("#forward"))
        expect_step(page, number)
    table = page.locator("#table section.dk")
    question = page.locator(".dk-question").inner_text()
    for turn in range(150):
        move = page.wait_for_function(TURN, timeout=PATIENCE).json_value()
        if move == "over":
            break
        before = table.get_attribute("data-scene")
        if move == "button":
            press(visitor, table.locator("[data-action=take], [data-action=pass]").first)
        else:
            press(visitor, table.locator(f".dk-hand [data-card='{move}']"))
            asked = page.wait_for_function(
                f"() => document.querySelector('#table section.dk').dataset.scene !== '{before}' ? 'on' : document.querySelector('.dk-hand [data-picked]') ? 'picked' : false"
            ).json_value()
            if asked == "picked":
                press(visitor, table.locator(".dk-table-center [data-lit], .dk-table-center [data-target]").first)
        expect(table).not_to_have_attribute("data-scene", before)
        if turn == 3:
            ply = int(table.get_attribute("data-ply"))
            page.reload()
            page.wait_for_selector(AWAKE)
            table.wait_for()
            assert int(table.get_attribute("data-ply")) >= ply
    expect(page.locator(".dk-question")).not_to_have_text(question)
    expect(page.locator("#play")).to_have_attribute("data-ready", "")
    press(visitor, page.locator("#play"))
    page.wait_for_selector(AWAKE)
    expect(page).to_have_url(re.compile("/play/index.html"))


def test_a_card_played_before_python_is_ready_is_not_lost(visitor):
    """The first step is painted at once. Nothing shifts when Python is there."""
    held = []
    visitor.context.route("**/worker.js", lambda route: held.append(route), times=1)  # noqa: PLW0108 - it is told by its name
    page = open_page(visitor, awake=False)
    table = page.locator("#table section.dk")
    expect(table).to_have_attribute("data-ply", "0")
    assert page.locator(AWAKE).count() == 0
    place = table.bounding_box()
    table.locator(".dk-hand [data-card]").first.click()
    for route in held:
        route.continue_()
    expect(table).not_to_have_attribute("data-ply", "0", timeout=PATIENCE)
    assert table.bounding_box() == place
    expect(table.get_by_role("button", name=NEXT)).to_be_visible(timeout=PATIENCE)


@pytest.mark.slow
def test_the_page_works_offline_after_one_visit(visitor, site):
    """The step is painted from the cache, and Python starts from it."""
    page = open_page(visitor)
    press(visitor, solve(visitor, page, "attack"))
    expect_step(page, 2)
    expect(page.get_by_text(get_language("en").sentences["page.offline"])).to_be_visible(timeout=PATIENCE)
    site.cut()
    page.reload()
    page.wait_for_selector(AWAKE)
    expect_step(page, 2)
    press(visitor, solve(visitor, page, "beat"))
    expect_step(page, 3)


@pytest.mark.slow
@pytest.mark.parametrize("visitor", [PHONE, LOW, {}], ids=["phone", "low", "desktop"], indirect=True)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_step_fits_the_screen_in_each_language(visitor, language):
    """Question, call and hand are visible together, nothing is wider than the screen, and axe finds nothing."""
    page = open_page(visitor, f"#language={language}")
    expect(page.locator("html")).to_have_attribute("lang", language)
    for number in range(1, len(STEPS) + 1):
        expect_step(page, number)
        for _ in range(20):  # the table is laid out again when the question has its final height
            if not page.evaluate(OUTSIDE, ON_SCREEN):
                break
            page.wait_for_timeout(100)
        assert (number, page.evaluate(OUTSIDE, ON_SCREEN)) == (number, [])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if number < len(STEPS):
            press(visitor, page.locator("#forward"))
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(FOUND) == []


@pytest.mark.slow
def test_the_language_can_be_changed_at_any_time(visitor):
    """Before Python is there, later, and at the next visit. *Back* leads back."""
    page = open_page(visitor, "?python=plain", awake=False)
    page.locator("#table section.dk[data-ply]").wait_for()
    page.locator("#language").select_option("lt")
    expect(page.locator("#forward")).to_contain_text(get_language("lt").sentences["learn.skip"])
    question = page.locator(".dk-question").inner_text()
    page.wait_for_selector(AWAKE)
    expect(page.locator(".dk-question")).to_have_text(question)
    press(visitor, page.locator("#forward"))
    expect_step(page, 2)
    page.locator("#language").select_option("ru")
    expect(page.locator(".dk-question")).to_have_text(text_without_drawings(create_step("beat", language="ru").question))
    press(visitor, page.locator("#back"))
    expect_step(page, 1)
    page.reload()
    page.wait_for_selector(AWAKE)
    expect(page.locator("html")).to_have_attribute("lang", "ru")


@pytest.mark.parametrize("visitor", [PHONE], ids=["phone"], indirect=True)
def test_the_play_page_leads_to_it(visitor):
    """The link is visible on a phone."""
    page = visitor.look("play/")
    press(visitor, page.get_by_role("link", name=get_language("en").sentences["page.learn"], exact=True))
    expect(page).to_have_url(re.compile("/play/learn.html"))
    expect_step(page, 1)
