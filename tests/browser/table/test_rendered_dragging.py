"""Test dragging cards with mouse and finger, and clicks while cards are moving."""

from __future__ import annotations

import pytest
from rendered_table import golden_scene, make_intent, play_scenes


def drag_over(table_page, card, over):
    """Drag a card over something, without dropping it."""
    start, end = table_page.card(card).bounding_box(), over.bounding_box()
    table_page.mouse.move(start["x"] + 20, start["y"] + 40)
    table_page.mouse.down()
    table_page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)


def test_a_card_is_dragged_to_the_card_it_beats(table_page):
    """Targets are highlighted while dragging. A drop elsewhere asks or returns the card."""
    table_page.mount(golden_scene("defending"))
    drag_over(table_page, "6h", table_page.pair("7s"))
    painted = table_page.read()
    assert (painted["ghosts"], painted["targets"], painted["over_marks"]) == (1, ["7c", "7s"], ["7s"])
    table_page.mouse.up()
    assert table_page.drain() == [make_intent("move", 1, move="beat 7s 6h")]
    painted = table_page.read()
    assert (painted["ghosts"], painted["over_marks"], painted["dialog"]) == (
        1,
        [],
        None,
    )  # it stays where it was dropped until the answer
    assert table_page.show(golden_scene("defending"), id=2)["ghosts"] == 0
    table_page.mount(golden_scene("defending"))
    drag_over(table_page, "9c", table_page.locate(".dk-navigation"))
    table_page.mouse.up()
    assert (table_page.drain(), table_page.read()["picked"]) == ([], [])


def test_a_cancelled_drag_plays_nothing(table_page):
    """When a touch became a scroll."""
    table_page.mount(golden_scene("defending"))
    drag_over(table_page, "9c", table_page.pair("7c"))
    assert table_page.read()["ghosts"] == 1
    table_page.page.evaluate(
        "document.querySelector('.dk').dispatchEvent(new PointerEvent('pointercancel', { pointerId: 1, isPrimary: true, bubbles: true }))"
    )
    table_page.mouse.up()
    painted = table_page.read()
    assert (table_page.drain(), painted["ghosts"], painted["picked"], painted["over_marks"]) == ([], 0, [], [])


@pytest.fixture
def touch_input(table_page):
    """Send touch events: down, moves and up."""
    session = table_page.page.context.new_cdp_session(table_page.page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def touch(kind, x=None, y=None):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [] if x is None else [{"x": x, "y": y}]})

    yield touch
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    session.detach()


def test_a_finger_drags_a_card(table_page, touch_input):
    """The card follows the finger and is played where it is dropped."""
    table_page.mount(golden_scene("defending"))
    start, end = table_page.card("6h").bounding_box(), table_page.pair("7s").bounding_box()
    (x, y), (to, down) = (start["x"] + 20, start["y"] + 40), (end["x"] + end["width"] / 2, end["y"] + end["height"] / 2)
    touch_input("touchStart", x, y)
    for step in range(1, 16):
        touch_input("touchMove", x + (to - x) * step / 15, y + (down - y) * step / 15)
        assert table_page.read()["ghosts"] == 1, step
    touch_input("touchEnd")
    assert table_page.drain() == [make_intent("move", 1, move="beat 7s 6h")]


def test_escape_cancels_a_drag(table_page):
    """Releasing the button then plays nothing. Open panels stay open."""
    table_page.mount(golden_scene("defending"))
    drag_over(table_page, "6h", table_page.pair("7s"))
    table_page.keyboard.press("Escape")
    painted = table_page.read()
    assert (painted["ghosts"], painted["over_marks"]) == (0, [])
    table_page.mouse.up()
    assert (table_page.drain(), table_page.read()["picked"]) == ([], [])


@pytest.mark.parametrize(("card", "where"), [("Qd", "pair")])
def test_a_card_that_is_not_played_returns_to_the_hand(table_page, card, where):
    """After a drop beside the table or on an illegal target, visibly."""
    table_page.mount(golden_scene("defending"), motion=True)
    drag_over(table_page, card, table_page.locate(".dk-navigation") if where == "bar" else table_page.pair("7s"))
    table_page.page.evaluate("window.air = document.querySelector('.dk-dragged').getBoundingClientRect()")
    table_page.mouse.up()
    way = table_page.page.evaluate(
        """(card) => {
      const [glide] = document.querySelector('.dk-dragged').getAnimations(), place = (at) => { const { left, top } = at.getBoundingClientRect(); return [left, top]; };
      glide.pause(); glide.currentTime = 0; const from = place(glide.effect.target);
      glide.currentTime = glide.effect.getTiming().duration - 0.001; const to = place(glide.effect.target);
      const found = { from, to, air: [air.left, air.top], home: place(document.querySelector(`.dk-hand-card[data-card="${card}"]`)) };
      glide.finish();
      return found;
    }""",
        card,
    )
    assert way["from"] == pytest.approx(way["air"], abs=1)
    assert way["to"] == pytest.approx(way["home"], abs=6)  # which is lowered while nothing hovers over it
    assert way["from"] != pytest.approx(way["home"], abs=40)
    table_page.page.wait_for_function("!document.querySelector('.dk-ghost')")
    assert table_page.drain() == ([make_intent("explain_refusal", 1, card="Qd", target="7s")] if where == "pair" else [])


def test_a_dropped_card_is_animated_once(table_page):
    """From where it was dropped."""
    start, attacked = play_scenes(
        "podkidnoy, players=3, hand_size=3", 0, "attack 7c", hands=["7c 8c 9h", "6c Jd Qd", "9d Th As"], trump="s"
    )
    table_page.mount(start, motion=True)
    drag_over(table_page, "7c", table_page.locate(".dk-table"))
    table_page.mouse.up()
    assert table_page.drain() == [make_intent("move", 0, move="attack 7c")]
    air = table_page.locate(".dk-dragged").bounding_box()
    flown = table_page.animate(attacked)
    [move] = [move for move in flown["moves"] if move["card"] == "table 7c"]
    lies = flown["after"]["table 7c"]
    assert move["ways"][0][:2] == pytest.approx((air["x"] - lies["left"], air["y"] - lies["top"]), abs=1)
    assert abs(flown["before"]["hand 7c"]["top"] - air["y"]) > 50
    assert table_page.read()["ghosts"] == 0


# Clicks while cards move


def resting_places(table_page):
    """Return where each card of the hand ends."""
    return table_page.page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.dk-hand-card')].map((card) => { const { left, top } = card.getBoundingClientRect(); return [card.dataset.card, [left, top]]; }))"
    )


def test_a_click_during_dealing_counts_for_the_final_place(table_page):
    """Not for a card that flies past."""
    taken, drawn = (
        golden_scene("taken"),
        golden_scene(
            "taken",
            ply=3,
            last_ply=3,
            id=2,
            hand=["6d", "7d", "8d", "9d", "Td", "Jd"],
            legal={"attack": ["6d", "8d", "Jd"]},
            actor=0,
            viewer=0,
        ),
    )
    table_page.mount(drawn, motion=False)
    places = resting_places(table_page)
    for card in ("6d", "8d", "Jd"):
        table_page.mount({**taken, "hand": ["Jd", "6d", "9d"], "viewer": 0, "ply": 2}, motion=True)
        table_page.show(drawn)
        table_page.page.evaluate("document.getAnimations().forEach((one) => { one.pause(); one.currentTime = 40; })")
        x, y = places[card]
        table_page.mouse.click(x + 12, y + 40)
        assert table_page.drain() == [make_intent("move", 3, move=f"attack {card}")], card


@pytest.mark.slow
def test_a_click_counts_when_the_hand_moves_before_release(table_page):
    """For the card that was under the pointer at first."""
    before = golden_scene(
        "taken", ply=3, last_ply=3, hand=["6d", "7d", "8d", "9d", "Td", "Jd"], legal={"attack": ["6d", "8d", "Jd"]}, actor=0, viewer=0
    )
    table_page.mount(before)
    box = table_page.card("6d").bounding_box()
    table_page.mouse.move(box["x"] + 12, box["y"] + 40)
    table_page.mouse.down()
    table_page.show(before, id=2, hand=["6d", "Jd"], ply=5, last_ply=5, legal={"attack": ["6d", "Jd"]})
    table_page.mouse.up()
    assert table_page.drain() == [make_intent("move", 5, move="attack 6d")]
