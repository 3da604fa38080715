"""Test that nothing of a hand stays for the next person, and that panels cover no controls."""

from __future__ import annotations

from random import Random

import pytest
from card_knowledge import find_card_names as cards_in
from card_knowledge import known_cards_by_moment
from rendered_table import golden_scene

from durak_widget import Table
from support.sizes import tried

WRITTEN = """() => {
  const copy = document.querySelector('.dk').cloneNode(true);
  copy.querySelectorAll('svg').forEach((drawing) => drawing.remove());
  return copy.outerHTML;
}"""


def test_no_card_of_the_previous_hand_stays_on_the_page(table_page):
    """With hints, refusals and panels."""
    table = Table("perevodnoy", seats={0: "you", 1: "you"}, seed=11, pace=0, memory=True)
    announced, rng, calls = [], Random(3), 0
    table._session.send = announced.append

    def say(kind, **more):
        table._handle_custom_msg({"kind": kind, "ply": table.scene["ply"], "game": table.scene["game"], **more}, [])
        table_page.show(table.scene)

    def panel(key, kind):
        table_page.press(key, at="")
        say(kind)
        table_page.receive(announced.pop())

    def hidden(*seats):
        """The cards of these hands that have never lain open."""
        public = known_cards_by_moment(table.game, None)[table.game.ply]
        return {str(card) for seat in seats for card in table.game.hands[seat]} - public

    table_page.mount(table.scene, memory=True)
    for _ in range(tried(12, 60)):
        me = table.scene["viewer"]
        if table.scene.get("covered"):
            calls += 1
            assert cards_in(table_page.page.evaluate(WRITTEN)) & hidden(0, 1) == set()
            say("uncover_hand")
            assert cards_in(table_page.page.evaluate(WRITTEN)) & hidden(1 - me) == set()
            table_page.press("c", at="")
            assert cards_in(table_page.page.evaluate(WRITTEN)) & hidden(1 - me) == set()
            table_page.keyboard.press("Escape")
        else:
            say("hint")
            say("explain_refusal", card=table.scene["hand"][0])
            panel("l", "move_list")
            table_page.keyboard.press("Escape")
            panel("c", "seen_cards")
            assert cards_in(table_page.page.evaluate(WRITTEN)) >= hidden(me)  # the test does read the page
            say("move", move=str(rng.choice(table.game.legal_moves())))
    table.close()
    assert calls > tried(2, 15)


COVERED = """() => {
  const table = document.querySelector('.dk');
  const found = [...table.querySelectorAll(':is(.dk-felt, .dk-navigation) :is(button, input, [role=button])')].filter((one) => one.checkVisibility());
  const under = found.filter((one) => {
    one.scrollIntoView({ block: 'nearest' });
    const { left, top, width, height } = one.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.dk-panel');
  });
  return [found.length, under.map((one) => one.getAttribute('aria-label') ?? one.textContent), document.scrollingElement.scrollWidth <= innerWidth];
}"""


@pytest.mark.parametrize(("width", "key"), [(899, "g"), pytest.param(1280, "c", marks=pytest.mark.slow)])
def test_an_open_panel_covers_no_control(table_page, width, key):
    """At any width, and nothing is wider than the page."""
    table_page.page.set_viewport_size({"width": width, "height": 800})
    table_page.mount(golden_scene("hinted"))
    table_page.set_width(width - 20)
    table_page.press(key)
    assert table_page.read()["panel"]
    table_page.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    count, under, fits = table_page.page.evaluate(COVERED)
    table_page.keyboard.press("Escape")
    table_page.page.set_viewport_size({"width": 1200, "height": 800})
    assert count > 12
    assert (under, fits) == ([], True)


def test_a_panel_closes_when_another_person_plays(table_page):
    """The focus goes to the button that shows the hand."""
    table_page.mount(golden_scene("opening"))
    table_page.press("g")
    assert table_page.read()["panel"] == "Settings"
    painted = table_page.show(golden_scene("covered", id=99))
    assert (painted["panel"], painted["focus"]) == (None, "here")
