"""What a drag means, with a mouse or a finger, and a press while cards still fly."""

from __future__ import annotations

import pytest
from painted import course, golden, intent


def hold(blank, card, over):
    """Take a card and carry it over something."""
    start, end = blank.card(card).bounding_box(), over.bounding_box()
    blank.mouse.move(start["x"] + 20, start["y"] + 40)
    blank.mouse.down()
    blank.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)


def test_a_card_is_dragged_to_what_it_shall_beat(blank):
    """While it is held its targets are lit; dropped on one of them it beats it, dropped elsewhere it asks or comes back."""
    blank.lay(golden("defending"))
    hold(blank, "6h", blank.pair("7s"))
    painted = blank.read()
    assert (painted["ghosts"], painted["targets"], painted["over_marks"]) == (1, ["7c", "7s"], ["7s"])
    blank.mouse.up()
    assert blank.take() == [intent("move", 1, move="beat 7s 6h")]
    painted = blank.read()
    assert (painted["ghosts"], painted["over_marks"], painted["dialog"]) == (
        1,
        [],
        None,
    )  # it stays where it was let go till the answer is there
    assert blank.show(golden("defending"), id=2)["ghosts"] == 0
    blank.lay(golden("defending"))
    hold(blank, "9c", blank.one(".dk-navigation"))
    blank.mouse.up()
    assert (blank.take(), blank.read()["picked"]) == ([], [])


def test_a_drag_that_the_browser_ends_plays_nothing(blank):
    """A finger that became a scroll, over a card that it would beat."""
    blank.lay(golden("defending"))
    hold(blank, "9c", blank.pair("7c"))
    assert blank.read()["ghosts"] == 1
    blank.page.evaluate(
        "document.querySelector('.dk').dispatchEvent(new PointerEvent('pointercancel', { pointerId: 1, isPrimary: true, bubbles: true }))"
    )
    blank.mouse.up()
    painted = blank.read()
    assert (blank.take(), painted["ghosts"], painted["picked"], painted["over_marks"]) == ([], 0, [], [])


@pytest.fixture
def finger(blank):
    """Touches the page as a finger does: down, along a way, up."""
    session = blank.page.context.new_cdp_session(blank.page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def touch(kind, x=None, y=None):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [] if x is None else [{"x": x, "y": y}]})

    yield touch
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
    session.detach()


def test_a_finger_drags_a_card(blank, finger):
    """The card follows the finger all the way, and is played where it is let go."""
    blank.lay(golden("defending"))
    start, end = blank.card("6h").bounding_box(), blank.pair("7s").bounding_box()
    (x, y), (to, down) = (start["x"] + 20, start["y"] + 40), (end["x"] + end["width"] / 2, end["y"] + end["height"] / 2)
    finger("touchStart", x, y)
    for step in range(1, 16):
        finger("touchMove", x + (to - x) * step / 15, y + (down - y) * step / 15)
        assert blank.read()["ghosts"] == 1, step
    finger("touchEnd")
    assert blank.take() == [intent("move", 1, move="beat 7s 6h")]


def test_escape_ends_a_drag(blank):
    """The card goes back, and letting go of the button plays nothing; what is open stays open."""
    blank.lay(golden("defending"))
    hold(blank, "6h", blank.pair("7s"))
    blank.keyboard.press("Escape")
    painted = blank.read()
    assert (painted["ghosts"], painted["over_marks"]) == (0, [])
    blank.mouse.up()
    assert (blank.take(), blank.read()["picked"]) == ([], [])


@pytest.mark.parametrize(("card", "where"), [("Qd", "pair")])
def test_what_is_not_played_glides_back(blank, card, where):
    """Let go beside the table, or where it may not be played, a card goes back to its place in the hand in sight."""
    blank.lay(golden("defending"), motion=True)
    hold(blank, card, blank.one(".dk-navigation") if where == "bar" else blank.pair("7s"))
    blank.page.evaluate("window.air = document.querySelector('.dk-dragged').getBoundingClientRect()")
    blank.mouse.up()
    way = blank.page.evaluate(
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
    assert way["to"] == pytest.approx(way["home"], abs=6)  # which itself comes down while nothing is over it
    assert way["from"] != pytest.approx(way["home"], abs=40)
    blank.page.wait_for_function("!document.querySelector('.dk-ghost')")
    assert blank.take() == ([intent("explain_refusal", 1, card="Qd", target="7s")] if where == "pair" else [])


def test_what_was_dropped_does_not_fly_twice(blank):
    """The card is on its way from where it was let go, not once more from the hand."""
    start, attacked = course("podkidnoy, players=3, hand_size=3", 0, "attack 7c", hands=["7c 8c 9h", "6c Jd Qd", "9d Th As"], trump="s")
    blank.lay(start, motion=True)
    hold(blank, "7c", blank.one(".dk-table"))
    blank.mouse.up()
    assert blank.take() == [intent("move", 0, move="attack 7c")]
    air = blank.one(".dk-dragged").bounding_box()
    flown = blank.fly(attacked)
    [move] = [move for move in flown["moves"] if move["card"] == "table 7c"]
    lies = flown["after"]["table 7c"]
    assert move["ways"][0][:2] == pytest.approx((air["x"] - lies["left"], air["y"] - lies["top"]), abs=1)
    assert abs(flown["before"]["hand 7c"]["top"] - air["y"]) > 50
    assert blank.read()["ghosts"] == 0


# Pressing while cards fly


def rest(blank):
    """Where each card of the hand lies when all have landed."""
    return blank.page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.dk-hand-card')].map((card) => { const { left, top } = card.getBoundingClientRect(); return [card.dataset.card, [left, top]]; }))"
    )


def test_a_press_means_the_card_that_will_rest_there(blank):
    """While the hand is dealt afresh, a press counts for the place that is pressed, not for what flies across it."""
    taken, drawn = (
        golden("taken"),
        golden(
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
    blank.lay(drawn, motion=False)
    places = rest(blank)
    for card in ("6d", "8d", "Jd"):
        blank.lay({**taken, "hand": ["Jd", "6d", "9d"], "viewer": 0, "ply": 2}, motion=True)
        blank.show(drawn)
        blank.page.evaluate("document.getAnimations().forEach((one) => { one.pause(); one.currentTime = 40; })")
        x, y = places[card]
        blank.mouse.click(x + 12, y + 40)
        assert blank.take() == [intent("move", 3, move=f"attack {card}")], card


@pytest.mark.slow
def test_a_press_that_a_scene_overtakes_counts(blank):
    """The card that was pressed is meant, though the hand has moved under the pointer before the button is let go."""
    before = golden(
        "taken", ply=3, last_ply=3, hand=["6d", "7d", "8d", "9d", "Td", "Jd"], legal={"attack": ["6d", "8d", "Jd"]}, actor=0, viewer=0
    )
    blank.lay(before)
    box = blank.card("6d").bounding_box()
    blank.mouse.move(box["x"] + 12, box["y"] + 40)
    blank.mouse.down()
    blank.show(before, id=2, hand=["6d", "Jd"], ply=5, last_ply=5, legal={"attack": ["6d", "Jd"]})
    blank.mouse.up()
    assert blank.take() == [intent("move", 5, move="attack 6d")]
