"""Test that a table is calm: few controls at the first deal, a menu for the others, and nothing that jumps when a control appears."""

from __future__ import annotations

from base64 import b64encode

import pytest
from rendered_table import BEGIN, STATIC, WORDS, TablePage, find_axe_violations, golden_scene, make_intent, read_bundles, scene

from durak_widget import Game
from durak_widget.i18n import LANGUAGES, Translator, get_front_end_texts
from support.spoken import english_text

SIZES = ((1280, 800), (360, 740), (844, 390))
# The controls that a person sees, apart from the cards.
CONTROLS = """() => [...document.querySelectorAll('.dk :is(button, input, select, textarea, summary, a, [role=button])')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.matches('.dk-card'))
  .map((element) => element.className || element.tagName)"""
BOXES = """() => Object.fromEntries(['.dk-felt', '.dk-hand', '.dk-message-bar', '.dk-navigation', '.dk-menu-button'].map((selector) => {
  const { left, top, width, height } = document.querySelector(selector).getBoundingClientRect();
  return [selector, [left, top, width, height].map(Math.round)];
}))"""


def open_table(table_page, set_screen_size, size, moment, **look):
    """Show a table in a window of this size."""
    set_screen_size(*size)
    table_page.mount(moment, **look)
    table_page.set_width(size[0] - 16)
    table_page.wait_for_frames()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("players", [2, 4])
def test_at_the_first_deal_there_are_few_controls(table_page, set_screen_size, size, players):
    """The hint, the menu and the name of the game. The others are in the menu."""
    open_table(table_page, set_screen_size, size, scene(Game(f"podkidnoy, players={players}", seed=7)))
    assert len(table_page.page.evaluate(CONTROLS)) <= 4
    table_page.click(".dk-menu-button")
    entries = table_page.page.locator(".dk-command-menu [role=menuitem]").evaluate_all("all => all.map(({ dataset }) => dataset.menu)")
    assert {"new", "list", "share", "full", "rules", "settings"} <= set(entries)
    texts = table_page.page.locator(".dk-command-menu [role=menuitem] span").all_inner_texts()
    assert all(texts)
    window = table_page.page.viewport_size
    for entry in table_page.page.locator(".dk-command-menu [role=menuitem]").all():
        box = entry.bounding_box()
        assert min(box["x"], box["y"]) >= 0
        assert box["x"] + box["width"] <= window["width"]
        assert box["y"] + box["height"] <= window["height"]


@pytest.mark.parametrize("size", SIZES)
def test_nothing_moves_when_controls_appear(table_page, set_screen_size, size):
    """Undo after a move, redo after undo, and the replay buttons when the user looks back."""
    opening = scene(Game(seed=7))
    open_table(table_page, set_screen_size, size, opening)
    before = table_page.page.evaluate(BOXES)
    for number, changes in enumerate(
        (
            {"ply": 2, "last_ply": 2, "can": {"undo": True, "hint": True}},
            {"ply": 1, "last_ply": 2, "taken_back": True, "can": {"undo": True, "redo": True, "hint": True}},
            {"ply": 1, "last_ply": 2, "can": {"undo": True, "redo": True, "hint": True}},
        ),
        2,
    ):
        table_page.show({**opening, **changes}, id=number)
        assert table_page.page.evaluate(BOXES) == before, changes


@pytest.mark.parametrize("size", SIZES[:2])
@pytest.mark.parametrize("end", ["over_in_a_draw", "over_and_turned", "over_with_epaulettes"])
def test_the_felt_keeps_its_height_after_the_game(table_page, set_screen_size, size, end):
    """The result has the room that hand and prompt no longer need."""
    open_table(table_page, set_screen_size, size, scene(Game(seed=7)))
    before = table_page.page.evaluate(BOXES)
    over = golden_scene(end)
    table_page.show(over, id=9)
    if "review" in over:
        table_page.page.wait_for_selector(".dk-review-note")
    table_page.wait_for_frames()
    after = table_page.page.evaluate(BOXES)
    assert after[".dk-felt"] == before[".dk-felt"]
    assert after[".dk-navigation"] == before[".dk-navigation"]
    card, actions = (table_page.locate(part).bounding_box() for part in (".dk-result-card", ".dk-actions"))
    assert card["y"] + card["height"] <= actions["y"]


def test_undo_and_redo_appear_when_they_can_do_something(table_page):
    """And disappear again. The focus goes on to the hand."""
    opening = golden_scene("opening")
    undo, redo = (table_page.page.locator(f"[data-bar={name}]") for name in ("undo", "redo"))
    table_page.mount({**opening, "can": {"hint": True}})
    assert (undo.is_visible(), redo.is_visible()) == (False, False)
    table_page.show({**opening, "ply": 1, "last_ply": 1, "can": {"undo": True}}, id=2)
    assert (undo.is_visible(), redo.is_visible()) == (True, False)
    undo.click()
    assert table_page.drain() == [make_intent("undo", 1)]
    back = {**opening, "last_ply": 1, "taken_back": True, "can": {"redo": True, "hint": True}}
    focus = table_page.show(back, id=3)["focus"]
    assert (undo.is_visible(), redo.is_visible()) == (False, True)
    assert focus in opening["hand"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_replay_buttons_have_words_where_there_is_space(table_page, language):
    """On a narrow table they are only drawings, with the words as their names. The slider always has space."""
    table_page.mount(golden_scene("over_and_turned"), words=get_front_end_texts(language), language=language)
    table_page.locate(".dk-score").wait_for()
    first, play, slider = (table_page.locate(part) for part in ("[data-bar=first]", "[data-bar=play]", ".dk-replay-slider"))
    shown = "(element) => getComputedStyle(element, '::after').content"
    for width, has_words in ((1200, True), (700, False)):
        table_page.set_width(width)
        for name, element in (("first", first), ("play", play)):
            label = Translator(language).translate(f"screen.{name}")
            assert (element.get_attribute("title"), element.get_attribute("aria-label")) == (label, label)
            assert (label in element.evaluate(shown)) is has_words
            assert element.evaluate("(element) => element.scrollWidth <= element.clientWidth + 1")
        assert slider.bounding_box()["width"] > 100
        bar, menu = table_page.locate(".dk-navigation").bounding_box(), table_page.locate(".dk-menu-button").bounding_box()
        assert menu["x"] + menu["width"] <= bar["x"] + bar["width"] + 1


def test_the_replay_buttons_stay_until_the_next_move(table_page):
    """So that the user can go back and forth."""
    replay = table_page.page.locator(".dk-replay")
    now = {**golden_scene("opening"), "ply": 2, "last_ply": 2}
    table_page.mount(now)
    assert replay.is_hidden()
    table_page.press("[")
    assert table_page.drain() == [make_intent("goto", 2, to_ply=1)]
    table_page.show({**now, "ply": 1}, id=2)
    assert replay.is_visible()
    table_page.show(now, id=3)
    assert replay.is_visible()
    table_page.show({**now, "ply": 3, "last_ply": 3}, id=4)
    assert replay.is_hidden()


# The menu


def test_the_menu_is_a_menu_for_keys_and_screen_readers(table_page):
    """Arrow keys walk through it, Escape closes it, and the focus returns to its button."""
    table_page.mount(golden_scene("throwing_in"))
    button = table_page.locate(".dk-menu-button")
    focused = lambda: table_page.read()["focus"]  # noqa: E731 - one line
    assert (button.get_attribute("aria-haspopup"), button.get_attribute("aria-expanded")) == ("menu", "false")
    button.focus()
    table_page.keyboard.press("Enter")
    assert button.get_attribute("aria-expanded") == "true"
    walked = [focused()]
    for key in ("ArrowDown", "End", "ArrowDown", "ArrowUp", "Home"):
        table_page.keyboard.press(key)
        walked.append(focused())
    assert walked == ["new", "list", "help", "new", "help", "new"]
    assert find_axe_violations(table_page.page, ".dk") == []
    table_page.keyboard.press("Escape")
    assert (button.get_attribute("aria-expanded"), table_page.page.locator(".dk-command-menu").is_hidden()) == ("false", True)
    assert button.evaluate("button => button === document.activeElement")
    table_page.keyboard.press("ArrowUp")
    assert focused() == "help"
    table_page.keyboard.press("Tab")
    assert table_page.page.locator(".dk-command-menu").is_hidden()
    assert table_page.drain() == []


def test_a_click_elsewhere_closes_the_menu(table_page):
    """At the table, on the page, and on the button itself."""
    menu = table_page.page.locator(".dk-command-menu")
    table_page.mount(golden_scene("throwing_in"))
    for place in ((300, 200), (1195, 795)):
        table_page.click(".dk-menu-button")
        assert menu.is_visible()
        table_page.mouse.click(*place)
        assert menu.is_hidden()
    table_page.click(".dk-menu-button")
    table_page.click(".dk-menu-button")
    assert menu.is_hidden()


def test_a_panel_opened_by_the_menu_returns_the_focus_to_its_button(table_page):
    """The menu is closed by then."""
    table_page.mount(golden_scene("throwing_in"))
    table_page.choose("settings")
    assert table_page.read()["panel"] == WORDS["settings"]
    assert table_page.page.locator(".dk-command-menu").is_hidden()
    table_page.keyboard.press("Escape")
    assert table_page.read()["panel"] is None
    assert table_page.page.evaluate("document.activeElement.matches('.dk-menu-button')")


def test_shortcuts_work_with_the_menu_closed_and_open(table_page):
    """The key beside each command runs it."""
    table_page.mount(golden_scene("throwing_in"))
    table_page.click(".dk-menu-button")
    keys = table_page.page.locator(".dk-command-menu [role=menuitem]").evaluate_all(
        "all => all.map((entry) => [entry.dataset.menu, entry.querySelector('kbd').textContent])"
    )
    table_page.keyboard.press("Escape")
    shortcuts = dict(keys)
    for command in ("list", "seen", "share", "rules", "settings", "help"):
        for opens in (False, True):
            if opens:
                table_page.click(".dk-menu-button")
                table_page.keyboard.press(shortcuts[command])
                table_page.wait_for_panel()
            else:
                table_page.press(shortcuts[command])
            assert table_page.read()["panel"] == WORDS[command], (command, opens)
            assert table_page.page.locator(".dk-command-menu").is_hidden()
            table_page.keyboard.press("Escape")


def test_a_new_game_is_two_clicks_away(table_page):
    """Before the first move nothing has to be confirmed."""
    table_page.mount(golden_scene("opening"))
    table_page.choose("new")
    assert table_page.drain() == [make_intent("new_game", 0)]


@pytest.mark.parametrize("language", ["en", "lt", "ru"])
def test_the_hint_keeps_its_place(table_page, set_screen_size, language):
    """At the right end at every width, and as wide with its second text."""
    words = {"words": get_front_end_texts(language), "language": language}
    for size in SIZES:
        moment = scene(Game(seed=7), language=language)
        open_table(table_page, set_screen_size, size, moment, **words)
        box = table_page.locate("[data-action=hint]").bounding_box()
        row = table_page.locate(".dk-message-bar").bounding_box()
        assert box["x"] + box["width"] == pytest.approx(row["x"] + row["width"], abs=3), size
        table_page.show({**moment, "has_shown_thought": True}, id=2)
        assert table_page.locate("[data-action=hint]").bounding_box() == box, size


def test_teachers_settings_are_folded(table_page):
    """The others are in groups. Opened, the fold stays open when a setting changes."""
    table_page.mount(golden_scene("opening"), steps=False)
    table_page.choose("settings")
    panel = table_page.page.locator(".dk-panel")
    steps = panel.locator("[data-key=steps]")
    assert steps.is_hidden()
    assert panel.locator("[data-key=theme]").is_visible()
    panel.locator("summary[data-key=teachers]").click()
    steps.check()
    table_page.show(golden_scene("opening"), id=2)
    assert steps.is_visible()
    assert {"hands", "turn", "mark"} <= set(
        panel.locator("details [data-key]").evaluate_all("all => all.map(({ dataset }) => dataset.key)")
    )


# A finger


@pytest.fixture(scope="module")
def finger_page(pages):
    """Return a page of a phone: it has touch and no keyboard."""
    context = pages.context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = context.new_page()
    page.set_content("<!doctype html><body></body>")
    url = f"data:text/javascript;base64,{b64encode((STATIC / 'widget.js').read_bytes()).decode()}"
    page.evaluate(BEGIN, [url, (STATIC / "widget.css").read_text(encoding="utf-8"), read_bundles()])
    yield TablePage(page)
    context.close()


def test_on_a_touch_screen_how_to_play_takes_the_place_of_the_keys(finger_page, table_page):
    """The list of keys is of no use there. With a mouse the menu has both."""
    for page, names in ((finger_page, ["how_to_play"]), (table_page, ["how_to_play", "help"])):
        page.mount(golden_scene("defending"))
        page.click(".dk-menu-button")
        assert [name for name in ("how_to_play", "help") if page.page.locator(f"[data-menu={name}]").is_visible()] == names
        page.keyboard.press("Escape")


SMALL = """() => [...document.querySelectorAll('.dk :is(button, input:not([type=checkbox]), select, textarea, summary, label, [role=menuitem])')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.dk-hand, .dk-sr-only') && !element.closest('label')?.contains(element.parentElement))
  .map((element) => [element.className || element.dataset.key || element.tagName, element.getBoundingClientRect()])
  .filter(([, { width, height }]) => width < 43.5 || height < 43.5).map(([name, { width, height }]) => [name, Math.round(width), Math.round(height)])"""
"""What a finger can press that is smaller than 44 by 44 px. A box is pressed by its label."""


@pytest.mark.parametrize("size", SIZES[1:])
def test_a_finger_hits_every_button(finger_page, size):
    """At the table, in the menu and in the panels."""
    finger_page.page.set_viewport_size({"width": size[0], "height": size[1]})
    for moment in (scene(Game(seed=7)), golden_scene("throwing_in"), golden_scene("over_and_turned"), golden_scene("looking_back")):
        finger_page.mount(moment)
        finger_page.set_width(size[0] - 8)
        finger_page.wait_for_frames()
        assert finger_page.page.evaluate(SMALL) == [], moment["call_to_action"]
    finger_page.mount(golden_scene("throwing_in"))
    finger_page.set_width(size[0] - 8)
    finger_page.click(".dk-menu-button")
    assert finger_page.page.evaluate(SMALL) == []
    assert finger_page.page.locator(".dk-command-menu kbd:visible").count() == 0
    assert finger_page.page.locator("[data-menu=help]").count() == 0
    finger_page.click(".dk-menu-button")
    for panel in ("settings", "share", "list"):
        finger_page.choose(panel)
        if panel == "list":
            finger_page.receive(
                {
                    "kind": "move_list",
                    "bouts": [{"bout": 1, "moves": [[1, english_text("deed.attack.you", who="You", cards="6♠")]], "end": ""}],
                }
            )
        finger_page.page.evaluate("document.querySelectorAll('.dk-panel details').forEach((fold) => { fold.open = true; })")
        assert finger_page.page.evaluate(SMALL) == [], panel
        finger_page.click(".dk-close-button")
