"""How cards fly, by itself: from where they were to where they lie, in the order of the rules, and only for those who want it."""

from __future__ import annotations

import math
import re

import pytest
from painted import course, golden, scene

from durak_widget import Game

pytestmark = pytest.mark.slow


def middle(box):
    """Where the middle of a box is, across."""
    return box["left"] + box["width"] / 2


def point(flown, move, stop):
    """Where the middle of a flying card's upper edge is at one of its stops, on the page."""
    x, y, scale = move["ways"][stop]
    home = flown["after"]["air" if move["card"] == "ghost" else move["card"]]
    return home["left"] + x + scale * move["width"] / 2, home["top"] + y


def nearest(places, across, down):
    """The name of the place whose upper edge has its middle nearest to a point: which one is meant, wherever fonts have put them."""
    return min(places, key=lambda name: math.hypot(middle(places[name]) - across, places[name]["top"] - down))


# What is put above the felt for a moment but for cards that fly, and how many cards turn up.
FEAST = """() => {
  window.feasted = []; window.turned = 0;
  new MutationObserver((all) => { for (const { addedNodes } of all) for (const one of addedNodes) if (one.matches('.dk-overlay > :not(.dk-ghost), .dk-felt > *')) feasted.push(one.className || 'sign'); })
    .observe(document.querySelector('.dk-felt'), { childList: true, subtree: true });
  window.animate ??= Element.prototype.animate;
  Element.prototype.animate = function (...given) { turned += this.matches('.dk-open-hand .dk-card'); return animate.apply(this, given); };
}"""
DRAWING = {"hands": ["7c 8c 9h", "6c Jd Qd", "9d Th As"], "trump": "s", "talon": "8d 8h 8s Tc Kc Ts", "turn_up": "Ts"}


def test_my_card_flies_from_my_hand_to_the_table(blank):
    """Its way begins where it was in the hand, in that size, and ends where it lies."""
    start, attacked = course("podkidnoy, players=3, hand_size=3", 0, "attack 7c", **DRAWING)
    blank.lay(start, motion=True)
    flown = blank.fly(attacked)
    [move] = [move for move in flown["moves"] if move["card"] == "table 7c"]
    was, lies = flown["before"]["hand 7c"], flown["after"]["table 7c"]
    (x, y, scale), end = move["ways"][0], move["ways"][-1]
    assert (x, y) == pytest.approx((was["left"] - lies["left"], was["top"] - lies["top"]), abs=1)
    assert abs(y) > 50
    assert scale == pytest.approx(was["width"] / lies["width"], abs=0.02)
    assert end == [0, 0, 1]
    assert 180 <= move["duration"] <= 260


def test_the_card_of_another_flies_from_its_seat(blank):
    """It begins at the plate of who played it."""
    _, attacked, beaten = course(
        "podkidnoy, players=3, hand_size=3", 0, "attack 7c", "beat 7c Jd", hands=["7c Jc 9h", "6c Jd Qd", "9d Th As"], trump="d"
    )
    blank.lay(attacked, motion=True)
    flown = blank.fly(beaten)
    [move] = [move for move in flown["moves"] if move["card"] == "table over 7c"]
    seat = flown["after"]["seat 1"]
    assert point(flown, move, 0) == pytest.approx((middle(seat), seat["top"]), abs=1.5)


def test_cards_that_are_taken_fly_to_who_takes_them(blank):
    """From where they lay to the plate of the taker."""
    _, attacked, taken = course("podkidnoy, players=3, hand_size=3", 0, "attack 7c", "take", **DRAWING)
    blank.lay(attacked, motion=True)
    flown = blank.fly(taken)
    begins = {place: flown["before"][place] for place in ("table 7c", "talon")}
    lay, seat = begins["table 7c"], flown["after"]["seat 1"]
    [move] = [
        one for one in flown["moves"] if one["card"] == "ghost" and one["ways"] and nearest(begins, *point(flown, one, 0)) == "table 7c"
    ]
    assert point(flown, move, 0) == pytest.approx((middle(lay), lay["top"]), abs=1.5)
    assert point(flown, move, -1) == pytest.approx((middle(seat), seat["top"]), abs=1.5)


def test_cards_that_are_beaten_turn_over_onto_the_discard_pile(blank):
    """Both of the pair; the one that beats still comes to the table first, from who played it."""
    _, attacked, beaten = course(
        "podkidnoy, hand_size=2", 0, "attack 7c", "beat 7c 9c", hands=["7c 8h", "9c Jd"], trump="s", talon="8d Kh 8s Ts", turn_up="Ts"
    )
    assert beaten["end"]["taker"] is None
    blank.lay(attacked, motion=True)
    flown = blank.fly(beaten)
    ends = {place: flown["after"][place] for place in ("discard", "seat 1")}
    flights = [move for move in flown["moves"] if move["card"] == "ghost" and move["ways"]]
    gone = [move for move in flights if nearest(ends, *point(flown, move, -1)) == "discard"]
    assert sorted(len(move["ways"]) for move in gone) == [2, 3]
    assert all(point(flown, move, -1) == pytest.approx((middle(ends["discard"]), ends["discard"]["top"]), abs=1.5) for move in gone)
    assert sum(move["card"] == "dk-flip-card" for move in flown["moves"]) == 2
    [long] = [move for move in gone if len(move["ways"]) == 3]
    assert point(flown, long, 0)[1] == pytest.approx(ends["seat 1"]["top"], abs=1.5)


def test_cards_that_i_take_come_into_my_hand(blank):
    """From the table to their place in the hand; none flies elsewhere."""
    _, attacked, taken = course("podkidnoy, hand_size=2", 1, "attack 7c", "take", hands=["7c 8h", "9c Jd"], trump="s")
    blank.lay(attacked, motion=True)
    flown = blank.fly(taken)
    [move] = [move for move in flown["moves"] if move["card"] == "hand 7c"]
    lay, held = flown["before"]["table 7c"], flown["after"]["hand 7c"]
    assert move["ways"][0][:2] == pytest.approx([lay["left"] - held["left"], lay["top"] - held["top"]], abs=6)
    assert move["ways"][0][1] < -50
    assert flown["ghosts"] == 0


@pytest.mark.parametrize("me", [1])
def test_cards_are_drawn_in_the_order_of_the_rules(blank, me):
    """Each from the talon to who draws it, one after the other."""
    placed = {"hands": ["7c 7d", "6c 9c", "Td Jh"], "trump": "s", "talon": "8d 8h 8s Tc Kc Qh Kd Ts", "turn_up": "Ts", "table": "7h/9h"}
    moves = ["throw 7c", "beat 7c 9c", "throw 7d", "take"]
    *_, before, after = course("podkidnoy, players=3, hand_size=3", me, *moves, **placed)
    blank.lay(before, motion=True)
    flown = blank.fly(after)
    begins = {**{place: box for place, box in flown["before"].items() if place.startswith("table")}, "talon": flown["after"]["talon"]}
    ends = {seat: flown["after"][f"seat {seat}"] for seat in range(3) if seat != me}
    drawn = [
        (move["delay"], me if move["card"].startswith("hand") else nearest(ends, *point(flown, move, -1)))
        for move in flown["moves"]
        if move["ways"] and nearest(begins, *point(flown, move, 0)) == "talon"
    ]
    assert [seat for _, seat in sorted(drawn)] == [seat for seat, count in after["bout_end"]["drawn"] for _ in range(min(count, 3))]
    assert len({delay for delay, _ in drawn}) == len(drawn) > 1


def test_a_card_that_may_not_be_played_nods(blank):
    """Shortly and not far, on the card that was tried."""
    blank.lay(golden("stuck"), motion=True)
    [move] = blank.fly(golden("refused"))["moves"]
    far = [abs(float(re.match(r"-?[\d.]+", frame["translate"])[0])) for frame in move["frames"]]
    assert (move["card"], move["duration"]) == ("hand 7c", 120)
    assert 0 < max(far) <= 8


@pytest.mark.parametrize("how", ["motion off", "reduced motion"])
def test_nothing_moves_for_those_who_do_not_want_it(blank, how):
    """No flight, no nod, nothing in the air."""
    start, attacked, taken = course("podkidnoy, players=3, hand_size=3", 0, "attack 7c", "take", **DRAWING)
    for scenes in ([start, attacked, taken], [golden("stuck"), golden("refused")]):
        blank.lay(scenes[0], motion=how != "motion off")
        blank.page.emulate_media(reduced_motion="reduce" if how == "reduced motion" else "no-preference")
        for shown in scenes[1:]:
            flown = blank.fly(shown)
            assert (flown["moves"], flown["ghosts"]) == ([], 0)


def test_a_new_deal_is_dealt_from_the_talon(blank):
    """Every card of my hand comes from there, one after the other."""
    blank.lay(course("podkidnoy", 0, "attack 7c", "beat 7c 9c", hands=["7c", "9c"], trump="h")[-1], motion=True)
    dealt = scene(Game("podkidnoy", seed=7), 0, 9)
    flown = blank.fly(dealt, game=5)
    mine = {move["card"].removeprefix("hand "): move for move in flown["moves"] if move["card"].startswith("hand") and move["ways"]}
    assert sorted(mine, key=lambda card: mine[card]["delay"]) == dealt["hand"]
    assert len({move["delay"] for move in mine.values()}) == 6
    talon = flown["after"]["talon"]
    for move in mine.values():
        across, down = point(flown, move, 0)
        assert across == pytest.approx(middle(talon), abs=1.5)
        assert down == pytest.approx(talon["top"], abs=20)  # the hand rises a little


@pytest.mark.parametrize("moves", [True, False])
def test_the_end_is_a_feast_where_things_may_move(blank, moves):
    """The cards of the fool turn up, each epaulette is seen large before it lies on the shoulder, and suits fly up for who has won; nothing of it is left."""
    over = golden("over_with_epaulettes")
    before = {name: what for name, what in over.items() if name != "result"}
    blank.lay({**before, "id": 1, "ply": over["ply"] - 1, "last_ply": over["ply"] - 1}, motion=moves)
    blank.page.evaluate(FEAST)
    blank.show({**over, "id": 2})
    if moves:
        blank.page.wait_for_function("feasted.includes('dk-epaulettes')")
        assert blank.page.evaluate("feasted") == ["dk-epaulettes", "dk-epaulettes", *["sign"] * 16]
        assert blank.page.evaluate("turned") == 4
        blank.page.wait_for_function("document.querySelectorAll('.dk-overlay > :not(svg), .dk-felt > .dk-epaulettes').length === 0")
    else:
        blank.frames()
        assert blank.page.evaluate("[feasted, turned]") == [[], 0]
    blank.show({**over, "id": 3})
    blank.frames()
    assert blank.page.evaluate("feasted.length") == (18 if moves else 0)  # once, when it ends
