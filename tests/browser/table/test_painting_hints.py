"""The two steps of a hint, painted: what is said where, what its button is called, and that nothing moves under the pointer."""

from __future__ import annotations

import pytest
from painted import golden, intent

from durak_widget.i18n import get_front_end_texts

pytestmark = pytest.mark.slow

PLACES = "all => all.map((one) => { const { left, top } = one.getBoundingClientRect(); return [one.dataset.action, left, top]; })"


def test_a_hint_is_asked_for_twice(blank):
    """The button is a hint's all along, reads what the next press gives, and lies where it lay; the bubble covers no card."""
    words = get_front_end_texts("ru")
    before = {**golden("thought"), "id": 1}
    del before["has_shown_thought"], before["note"]
    blank.lay(before, words=words)
    blank.widen(370)
    blank.page.wait_for_function("document.querySelector('.dk').dataset.size === 'phone'")
    blank.frames()
    button, actions = blank.one("[data-action=hint]"), blank.page.locator(".dk-actions button")
    assert (button.inner_text(), button.get_attribute("aria-label")) == (words["hint"], None)
    places = actions.evaluate_all(PLACES)
    blank.click("[data-action=hint]")
    assert blank.take() == [intent("hint", 0)]
    painted = blank.show(golden("thought"))
    assert (painted["bubble"], painted["status"]) == ("You can beat it without a trump.",) * 2
    assert (button.inner_text(), button.get_attribute("aria-label")) == (words["show_me"], f"{words['hint']}: {words['show_me']}")
    assert actions.evaluate_all(PLACES) == places
    bubble = blank.one(".dk-bubble").bounding_box()
    for card in ("7d", "Ac"):
        lying = blank.page.locator(f".dk-pair[data-card='{card}'], .dk-hand-card[data-card='{card}']")
        for n in range(lying.count()):
            box = lying.nth(n).bounding_box()
            assert bubble["y"] >= box["y"] + box["height"] or bubble["y"] + bubble["height"] <= box["y"]
    blank.click("[data-action=hint]")
    assert blank.take() == [intent("hint", 0)]
    assert blank.show(golden("hinted"))["bubble"].startswith("Hint: Beat K♣")
    assert actions.evaluate_all(PLACES) == places
