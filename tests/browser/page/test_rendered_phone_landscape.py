"""Test the table on a phone in landscape (844 by 390): the end card, the menu and the replay buttons."""

from __future__ import annotations

import pytest
from rendered_table import golden_scene, make_intent, scene

from durak_widget import Game, Table
from durak_widget.i18n import get_front_end_texts

pytestmark = pytest.mark.slow

QUOTES = [["uncle", "Дядя Яша", "«А ведь всё раздал! В другой раз берите смелее»."]]
STANDING = "Дядя Яша: выиграйте две из трёх следующих партий."
# Return overlapping boxes, boxes that leave the felt, and the height of the felt.
APART = """() => {
  const box = (one) => document.querySelector(`.dk ${one}`).getBoundingClientRect();
  const felt = box('.dk-felt'), all = ['.dk-result-card', '.dk-hand', '.dk-seats', '.dk-actions', '.dk-trump'].map((one) => [one, box(one)]);
  const wrong = all.filter(([, one]) => one.top < felt.top - 1 || one.bottom > felt.bottom + 1 || one.left < felt.left - 1 || one.right > felt.right + 1).map(([name]) => name);
  all.forEach(([name, one], i) => all.slice(i + 1).forEach(([other, two]) => {
    if (one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 1 && two.top < one.bottom - 1) wrong.push(`${name} ${other}`);
  }));
  return { wrong, high: felt.height };
}"""


@pytest.fixture
def landscape_page(table_page):
    """Return the empty page with the height of a phone in landscape."""
    before = table_page.page.viewport_size
    table_page.page.set_viewport_size({"width": 844, "height": 390})
    yield table_page
    table_page.page.set_viewport_size(before)


def open_low_table(landscape_page, table_scene, language="en"):
    """Open a table in its low form."""
    landscape_page.mount(table_scene, words=get_front_end_texts(language), language=language)
    landscape_page.set_width(828)
    assert landscape_page.locate("").get_attribute("data-low") == ""
    return landscape_page


def finished_game(language):
    """Return a lost game in this language, with the opponents' remarks."""
    table = Table(Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h"), seats={1: "first"}, language=language)
    table.play("attack 7d")
    while table.game.outcome is None:
        if not table.step():
            table.play("take")
    review = golden_scene("over_and_turned")["review"]
    return {**table.scene, "review": review, "result": {**table.scene["result"], "quotes": QUOTES, "standing": STANDING}}


@pytest.mark.parametrize("language", ["ru"])
def test_the_end_card_stays_within_the_felt(landscape_page, language):
    """With remarks, turning point and button. It covers neither hand nor seats, and all is visible."""
    open_low_table(landscape_page, finished_game(language), language)
    landscape_page.page.wait_for_selector(".dk-opponent-face")
    landscape_page.wait_for_frames()
    found = landscape_page.page.evaluate(APART)
    assert found["wrong"] == []
    assert found["high"] <= 390


def test_the_felt_grows_for_a_long_end_card(landscape_page):
    """Nothing is cut or covered. The page scrolls."""
    long = finished_game("ru")
    long |= {"result": {**long["result"], "quotes": QUOTES * 4}}
    open_low_table(landscape_page, long, "ru")
    landscape_page.page.wait_for_selector(".dk-opponent-face")
    landscape_page.wait_for_frames()
    found = landscape_page.page.evaluate(APART)
    assert found["wrong"] == []
    assert found["high"] > 390


def test_faces_and_the_fools_cards_are_visible_in_landscape(landscape_page):
    """A small face in each seat. At the end the fool's cards are as large as possible."""
    table = Table(Game.from_position(hands=["Ks", "9c Qd Kd 6d 7c Ac 8c 8d"], trump="h"), seats={1: "uncle"})
    open_low_table(landscape_page, table.scene)
    landscape_page.page.wait_for_selector(".dk-portrait")
    assert landscape_page.locate(".dk-portrait").bounding_box()["height"] == 26
    table.play("attack Ks")
    while table.game.outcome is None:
        table.step()
    review = golden_scene("over_and_turned")["review"]
    open_low_table(landscape_page, {**table.scene, "id": table.scene["id"] + 1, "review": review})
    landscape_page.page.wait_for_selector(".dk-portrait")
    landscape_page.wait_for_frames()
    assert min(card.bounding_box()["width"] for card in landscape_page.page.locator(".dk-open-hand .dk-card").all()) >= 50
    found = landscape_page.page.evaluate(APART)
    assert found["wrong"] == []
    assert found["high"] <= 390


def test_many_cards_of_the_fool_leave_space_for_the_replay_buttons(landscape_page):
    """The cards lie closer together."""
    hand = " ".join(rank + suit for suit in "cdh" for rank in "6789TJ")
    table = Table(Game.from_position(hands=["Ks", hand], trump="h"), seats={1: "uncle"})
    table.play("attack Ks")
    while table.game.outcome is None:
        table.step()
    open_low_table(landscape_page, table.scene)
    landscape_page.page.wait_for_selector(".dk-portrait")
    landscape_page.wait_for_frames()
    replay = landscape_page.locate(".dk-replay").bounding_box()
    cards = [card.bounding_box() for card in landscape_page.page.locator(".dk-open-hand .dk-card").all()]
    assert len(cards) > 16
    assert max(card["x"] + card["width"] for card in cards) <= replay["x"]


LONG_HINT = "Hint: Beat K♣ with A♣. It is the lowest card that does it, and no trump. Over 200 games, taking won 31%, and beating 54%."


@pytest.mark.parametrize("text", ["Begin with what you will miss least.", LONG_HINT])
@pytest.mark.parametrize("name", ["opening", "thought", "throwing_in", "transferring"])
def test_a_hint_is_shown_at_its_button_in_landscape(landscape_page, name, text):
    """Just above the call. It covers no seat, no card and no button."""
    now = {**golden_scene(name), "id": 1, "note": None}
    open_low_table(landscape_page, now)
    landscape_page.click("[data-action=hint]")
    landscape_page.show({**now, "id": 2, "note": {"kind": "hint", "text": [text] * 2}})
    landscape_page.wait_for_frames()
    bubble, button, call = (landscape_page.locate(part).bounding_box() for part in (".dk-bubble", "[data-action=hint]", ".dk-prompt"))
    assert 0 <= min(button["y"], call["y"]) - bubble["y"] - bubble["height"] < 12
    assert bubble["x"] <= button["x"] + button["width"] / 2 <= bubble["x"] + bubble["width"]
    for other in landscape_page.page.locator(".dk-seat, .dk-pair .dk-card, .dk-hand-card, .dk-actions button, .dk-menu-button").all():
        box = other.bounding_box()
        is_beside = box["x"] + box["width"] <= bubble["x"] or bubble["x"] + bubble["width"] <= box["x"]
        assert is_beside or box["y"] + box["height"] <= bubble["y"] or bubble["y"] + bubble["height"] <= box["y"]


def test_undo_is_in_the_menu_and_the_focus_returns_to_its_button(landscape_page):
    """The bar has no room on the felt."""
    open_low_table(landscape_page, {**golden_scene("opening"), "ply": 2, "last_ply": 2, "can": {"undo": True, "hint": True}})
    assert landscape_page.page.locator("[data-bar=undo]").is_hidden()
    landscape_page.click(".dk-menu-button")
    landscape_page.locate("[data-menu=undo]").focus()
    landscape_page.keyboard.press("Enter")
    assert landscape_page.drain() == [make_intent("undo", 2)]
    assert landscape_page.page.locator(".dk-command-menu").is_hidden()
    assert landscape_page.page.evaluate("document.activeElement.matches('.dk-menu-button')")


def test_replay_buttons_cover_nothing_in_landscape(landscape_page):
    """They are above the prompt, and only while the user looks back or the game is over."""
    now = {**scene(Game(seed=7)), "last_ply": 2}
    open_low_table(landscape_page, {**now, "ply": 2})
    assert landscape_page.page.locator(".dk-replay").is_hidden()
    landscape_page.show({**now, "id": 90, "ply": 1})
    landscape_page.wait_for_frames()
    replay = landscape_page.locate(".dk-replay").bounding_box()
    for other in (".dk-seats", ".dk-prompt", ".dk-actions", ".dk-menu-button"):
        box = landscape_page.locate(other).bounding_box()
        assert (
            box["y"] + box["height"] <= replay["y"] + 1
            or replay["y"] + replay["height"] <= box["y"] + 1
            or box["x"] > replay["x"] + replay["width"]
        ), other
    landscape_page.click("[data-bar=next]")
    assert landscape_page.drain() == [make_intent("goto", 1, to_ply=2)]
    landscape_page.show({**now, "id": 91, "ply": 3, "last_ply": 3})
    assert landscape_page.page.locator(".dk-replay").is_hidden()
