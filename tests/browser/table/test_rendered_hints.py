"""Test the two steps of a hint: texts, the button, and that nothing moves."""

from __future__ import annotations

import pytest
from rendered_table import golden_scene, make_intent

from durak_widget.i18n import get_front_end_texts
from support.spoken import english_text

pytestmark = pytest.mark.slow

PLACES = "all => all.map((one) => { const { left, top } = one.getBoundingClientRect(); return [one.dataset.action, left, top]; })"


def test_a_hint_has_two_steps(table_page):
    """The button stays in place and names the next step. The bubble covers no card."""
    words = get_front_end_texts("ru")
    before = {**golden_scene("thought"), "id": 1}
    del before["has_shown_thought"], before["note"]
    table_page.mount(before, words=words)
    table_page.set_width(370)
    table_page.page.wait_for_function("document.querySelector('.dk').dataset.size === 'phone'")
    table_page.wait_for_frames()
    button, actions = table_page.locate("[data-action=hint]"), table_page.page.locator(".dk-actions button")
    assert (button.inner_text(), button.get_attribute("aria-label")) == (words["hint"], None)
    places = actions.evaluate_all(PLACES)
    table_page.click("[data-action=hint]")
    assert table_page.drain() == [make_intent("hint", 0)]
    painted = table_page.show(golden_scene("thought"))
    assert (painted["bubble"], painted["status"]) == (english_text("hint.thought.plain"),) * 2
    assert (button.inner_text(), button.get_attribute("aria-label")) == (words["show_me"], f"{words['hint']}: {words['show_me']}")
    assert actions.evaluate_all(PLACES) == places
    bubble = table_page.locate(".dk-bubble").bounding_box()
    for card in ("7d", "Ac"):
        lying = table_page.page.locator(f".dk-pair[data-card='{card}'], .dk-hand-card[data-card='{card}']")
        for n in range(lying.count()):
            box = lying.nth(n).bounding_box()
            assert bubble["y"] >= box["y"] + box["height"] or bubble["y"] + bubble["height"] <= box["y"]
    table_page.click("[data-action=hint]")
    assert table_page.drain() == [make_intent("hint", 0)]
    assert table_page.show(golden_scene("hinted"))["bubble"].startswith("Hint: Beat K♣")
    assert actions.evaluate_all(PLACES) == places


@pytest.mark.parametrize("width", [1000, 360])
def test_a_hint_appears_at_its_button(table_page, width):
    """Just above it, and it covers neither a button nor a card."""
    before = {**golden_scene("thought"), "id": 1}
    note = before.pop("note")
    table_page.mount(before)
    table_page.set_width(width)
    table_page.click("[data-action=hint]")
    table_page.show({**before, "id": 2, "note": note})
    bubble, button, call = (table_page.locate(selector).bounding_box() for selector in (".dk-bubble", "[data-action=hint]", ".dk-prompt"))
    assert 0 <= min(button["y"], call["y"]) - bubble["y"] - bubble["height"] < 30
    assert bubble["x"] <= button["x"] + button["width"] / 2 <= bubble["x"] + bubble["width"]
    for element in table_page.page.locator(".dk-actions button, .dk-pair .dk-card, .dk-hand-card").all():
        box = element.bounding_box()
        is_beside = bubble["x"] >= box["x"] + box["width"] or box["x"] >= bubble["x"] + bubble["width"]
        assert is_beside or bubble["y"] >= box["y"] + box["height"] or bubble["y"] + bubble["height"] <= box["y"]
