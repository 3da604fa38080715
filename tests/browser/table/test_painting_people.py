"""What lies over what, and who may see it, by itself: the next person at the screen, and an open panel."""

from __future__ import annotations

from random import Random

import pytest
from known_cards import known
from known_cards import named as cards_in
from painted import golden

from durak_widget import Table
from support.sizes import tried

WRITTEN = """() => {
  const copy = document.querySelector('.dk').cloneNode(true);
  copy.querySelectorAll('svg').forEach((drawing) => drawing.remove());
  return copy.outerHTML;
}"""


def test_nothing_of_a_hand_is_left_on_the_page_for_the_next_person(blank):
    """Two people play at one screen, with hints, refusals and panels open: when the other is called, no card of the hand before is named anywhere."""
    table = Table("perevodnoy", seats={0: "you", 1: "you"}, seed=11, pace=0, memory=True)
    told, rng, calls = [], Random(3), 0
    table._session.send = told.append

    def say(kind, **more):
        table._handle_custom_msg({"kind": kind, "ply": table.scene["ply"], "game": table.scene["game"], **more}, [])
        blank.show(table.scene)

    def panel(key, kind):
        blank.press(key, at="")
        say(kind)
        blank.hear(told.pop())

    def hidden(*seats):
        """The cards of these hands that have never lain open."""
        public = known(table.game, None)[table.game.ply]
        return {str(card) for seat in seats for card in table.game.hands[seat]} - public

    blank.lay(table.scene, memory=True)
    for _ in range(tried(12, 60)):
        me = table.scene["viewer"]
        if table.scene.get("covered"):
            calls += 1
            assert cards_in(blank.page.evaluate(WRITTEN)) & hidden(0, 1) == set()
            say("uncover_hand")
            assert cards_in(blank.page.evaluate(WRITTEN)) & hidden(1 - me) == set()
            blank.press("c", at="")
            assert cards_in(blank.page.evaluate(WRITTEN)) & hidden(1 - me) == set()
            blank.keyboard.press("Escape")
        else:
            say("hint")
            say("explain_refusal", card=table.scene["hand"][0])
            panel("l", "move_list")
            blank.keyboard.press("Escape")
            panel("c", "seen_cards")
            assert cards_in(blank.page.evaluate(WRITTEN)) >= hidden(me)  # the test does read what is there
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
def test_nothing_that_can_be_pressed_lies_under_an_open_panel(blank, width, key):
    """No card, no button beside the call, nothing of the bar; and nothing is wider than the page."""
    blank.page.set_viewport_size({"width": width, "height": 800})
    blank.lay(golden("hinted"))
    blank.widen(width - 20)
    blank.press(key)
    assert blank.read()["panel"]
    blank.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    count, under, fits = blank.page.evaluate(COVERED)
    blank.keyboard.press("Escape")
    blank.page.set_viewport_size({"width": 1200, "height": 800})
    assert count > 12
    assert (under, fits) == ([], True)


def test_a_panel_is_closed_when_another_person_is_called(blank):
    """What was told to one person does not stay open for the next; the focus goes to the button that says they are there."""
    blank.lay(golden("opening"))
    blank.press("g")
    assert blank.read()["panel"] == "Settings"
    painted = blank.show(golden("covered", id=99))
    assert (painted["panel"], painted["focus"]) == (None, "here")
