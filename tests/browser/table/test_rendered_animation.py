"""Test the animation of cards: from where to where, in which order, and only if wanted."""

from __future__ import annotations

import math
import re

import pytest
from rendered_table import golden_scene, play_scenes, scene

from durak_widget import Game

pytestmark = pytest.mark.slow


def center_x(box):
    """Return the horizontal centre of a box."""
    return box["left"] + box["width"] / 2


def top_center_at(flown, move, stop):
    """Return the middle of a moving card's upper edge at one of its keyframes."""
    x, y, scale = move["ways"][stop]
    home = flown["after"]["air" if move["card"] == "ghost" else move["card"]]
    return home["left"] + x + scale * move["width"] / 2, home["top"] + y


def nearest_place(places, across, down):
    """Return the name of the place whose upper edge is nearest to a point, independent of fonts."""
    return min(places, key=lambda name: math.hypot(center_x(places[name]) - across, places[name]["top"] - down))


# Record what is added above the felt apart from moving cards, and how many cards turn up.
FEAST = """() => {
  window.feasted = []; window.turned = 0;
  new MutationObserver((all) => { for (const { addedNodes } of all) for (const one of addedNodes) if (one.matches?.('.dk-overlay > :not(.dk-ghost), .dk-felt > *')) feasted.push(one.className || 'sign'); })
    .observe(document.querySelector('.dk-felt'), { childList: true, subtree: true });
  window.animate ??= Element.prototype.animate;
  Element.prototype.animate = function (...given) { turned += this.matches('.dk-open-hand .dk-card'); return animate.apply(this, given); };
}"""
DRAWING = {"hands": ["7c 8c 9h", "6c Jd Qd", "9d Th As"], "trump": "s", "talon": "8d 8h 8s Tc Kc Ts", "turn_up": "Ts"}


def test_the_players_card_moves_from_hand_to_table(table_page):
    """From its place and size in the hand."""
    start, attacked = play_scenes("podkidnoy, players=3, hand_size=3", 0, "attack 7c", **DRAWING)
    table_page.mount(start, motion=True)
    flown = table_page.animate(attacked)
    [move] = [move for move in flown["moves"] if move["card"] == "table 7c"]
    was, lies = flown["before"]["hand 7c"], flown["after"]["table 7c"]
    (x, y, scale), end = move["ways"][0], move["ways"][-1]
    assert (x, y) == pytest.approx((was["left"] - lies["left"], was["top"] - lies["top"]), abs=1)
    assert abs(y) > 50
    assert scale == pytest.approx(was["width"] / lies["width"], abs=0.02)
    assert end == [0, 0, 1]
    assert 180 <= move["duration"] <= 260


def test_another_players_card_moves_from_its_plate(table_page):
    """Another players card moves from its plate."""
    _, attacked, beaten = play_scenes(
        "podkidnoy, players=3, hand_size=3", 0, "attack 7c", "beat 7c Jd", hands=["7c Jc 9h", "6c Jd Qd", "9d Th As"], trump="d"
    )
    table_page.mount(attacked, motion=True)
    flown = table_page.animate(beaten)
    [move] = [move for move in flown["moves"] if move["card"] == "table over 7c"]
    seat = flown["after"]["seat 1"]
    assert top_center_at(flown, move, 0) == pytest.approx((center_x(seat), seat["top"]), abs=1.5)


def test_taken_cards_move_to_the_taker(table_page):
    """Taken cards move to the taker."""
    _, attacked, taken = play_scenes("podkidnoy, players=3, hand_size=3", 0, "attack 7c", "take", **DRAWING)
    table_page.mount(attacked, motion=True)
    flown = table_page.animate(taken)
    begins = {place: flown["before"][place] for place in ("table 7c", "talon")}
    lay, seat = begins["table 7c"], flown["after"]["seat 1"]
    [move] = [
        move
        for move in flown["moves"]
        if move["card"] == "ghost" and move["ways"] and nearest_place(begins, *top_center_at(flown, move, 0)) == "table 7c"
    ]
    assert top_center_at(flown, move, 0) == pytest.approx((center_x(lay), lay["top"]), abs=1.5)
    assert top_center_at(flown, move, -1) == pytest.approx((center_x(seat), seat["top"]), abs=1.5)


def test_beaten_cards_turn_over_onto_the_discard_pile(table_page):
    """Both of the pair, after the beating card was played and has lain on the table for a while."""
    _, attacked, beaten = play_scenes(
        "podkidnoy, hand_size=2", 0, "attack 7c", "beat 7c 9c", hands=["7c 8h", "9c Jd"], trump="s", talon="8d Kh 8s Ts", turn_up="Ts"
    )
    assert beaten["bout_end"]["taker"] is None
    table_page.mount(attacked, motion=True)
    flown = table_page.animate(beaten)
    ends = {place: flown["after"][place] for place in ("discard", "seat 1")}
    flights = [move for move in flown["moves"] if move["card"] == "ghost" and move["ways"]]
    gone = [move for move in flights if nearest_place(ends, *top_center_at(flown, move, -1)) == "discard"]
    assert sorted(len(move["ways"]) for move in gone) == [2, 5]
    assert all(
        top_center_at(flown, move, -1) == pytest.approx((center_x(ends["discard"]), ends["discard"]["top"]), abs=1.5) for move in gone
    )
    assert sum(move["card"] == "dk-flip-card" for move in flown["moves"]) == 2
    [long] = [move for move in gone if len(move["ways"]) == 5]
    assert top_center_at(flown, long, 0)[1] == pytest.approx(ends["seat 1"]["top"], abs=1.5)


def test_cards_taken_by_the_player_move_into_the_hand(table_page):
    """Cards taken by the player move into the hand."""
    _, attacked, taken = play_scenes("podkidnoy, hand_size=2", 1, "attack 7c", "take", hands=["7c 8h", "9c Jd"], trump="s")
    table_page.mount(attacked, motion=True)
    flown = table_page.animate(taken)
    [move] = [move for move in flown["moves"] if move["card"] == "hand 7c"]
    lay, held = flown["before"]["table 7c"], flown["after"]["hand 7c"]
    assert move["ways"][0][:2] == pytest.approx([lay["left"] - held["left"], lay["top"] - held["top"]], abs=6)
    assert move["ways"][0][1] < -50
    assert flown["ghosts"] == 0


@pytest.mark.parametrize("me", [1])
def test_cards_are_picked_up_in_the_order_of_the_rules(table_page, me):
    """From the talon, one after the other."""
    placed = {"hands": ["7c 7d", "6c 9c", "Td Jh"], "trump": "s", "talon": "8d 8h 8s Tc Kc Qh Kd Ts", "turn_up": "Ts", "table": "7h/9h"}
    moves = ["throw 7c", "beat 7c 9c", "throw 7d", "take"]
    *_, before, after = play_scenes("podkidnoy, players=3, hand_size=3", me, *moves, **placed)
    table_page.mount(before, motion=True)
    flown = table_page.animate(after)
    begins = {**{place: box for place, box in flown["before"].items() if place.startswith("table")}, "talon": flown["after"]["talon"]}
    ends = {seat: flown["after"][f"seat {seat}"] for seat in range(3) if seat != me}
    drawn = [
        (move["delay"], me if move["card"].startswith("hand") else nearest_place(ends, *top_center_at(flown, move, -1)))
        for move in flown["moves"]
        if move["ways"] and nearest_place(begins, *top_center_at(flown, move, 0)) == "talon"
    ]
    assert [seat for _, seat in sorted(drawn)] == [seat for seat, count in after["bout_end"]["drawn"] for _ in range(min(count, 3))]
    assert len({delay for delay, _ in drawn}) == len(drawn) > 1


def test_an_illegal_card_shakes_briefly(table_page):
    """An illegal card shakes briefly."""
    table_page.mount(golden_scene("stuck"), motion=True)
    [move] = table_page.animate(golden_scene("refused"))["moves"]
    far = [abs(float(re.match(r"-?[\d.]+", frame["translate"])[0])) for frame in move["frames"]]
    assert (move["card"], move["duration"]) == ("hand 7c", 120)
    assert 0 < max(far) <= 8


@pytest.mark.parametrize("how", ["motion off", "reduced motion"])
def test_nothing_moves_with_reduced_motion(table_page, how):
    """Nothing moves with reduced motion."""
    start, attacked, taken = play_scenes("podkidnoy, players=3, hand_size=3", 0, "attack 7c", "take", **DRAWING)
    for scenes in ([start, attacked, taken], [golden_scene("stuck"), golden_scene("refused")]):
        table_page.mount(scenes[0], motion=how != "motion off")
        table_page.page.emulate_media(reduced_motion="reduce" if how == "reduced motion" else "no-preference")
        for table_scene in scenes[1:]:
            flown = table_page.animate(table_scene)
            assert (flown["moves"], flown["ghosts"]) == ([], 0)


def test_a_new_deal_is_dealt_from_the_talon(table_page):
    """One card after the other."""
    table_page.mount(play_scenes("podkidnoy", 0, "attack 7c", "beat 7c 9c", hands=["7c", "9c"], trump="h")[-1], motion=True)
    dealt = scene(Game("podkidnoy", seed=7), 0, 9)
    flown = table_page.animate(dealt, game=5)
    mine = {move["card"].removeprefix("hand "): move for move in flown["moves"] if move["card"].startswith("hand") and move["ways"]}
    assert sorted(mine, key=lambda card: mine[card]["delay"]) == dealt["hand"]
    assert len({move["delay"] for move in mine.values()}) == 6
    talon = flown["after"]["talon"]
    for move in mine.values():
        across, down = top_center_at(flown, move, 0)
        assert across == pytest.approx(center_x(talon), abs=1.5)
        assert down == pytest.approx(talon["top"], abs=20)  # the hand rises a little


@pytest.mark.parametrize("moves", [True, False])
def test_the_end_is_celebrated_unless_motion_is_reduced(table_page, moves):
    """The fool's cards turn up, epaulettes fly to the shoulders, suits rise for the winner. Nothing stays."""
    over = golden_scene("over_with_epaulettes")
    before = {name: what for name, what in over.items() if name != "result"}
    table_page.mount({**before, "id": 1, "ply": over["ply"] - 1, "last_ply": over["ply"] - 1}, motion=moves)
    table_page.page.evaluate(FEAST)
    table_page.show({**over, "id": 2})
    if moves:
        table_page.page.wait_for_function("feasted.includes('dk-epaulettes')")
        assert table_page.page.evaluate("feasted") == ["dk-epaulettes", "dk-epaulettes", *["sign"] * 16]
        assert table_page.page.evaluate("turned") == 4
        table_page.page.wait_for_function("document.querySelectorAll('.dk-overlay > :not(svg), .dk-felt > .dk-epaulettes').length === 0")
    else:
        table_page.wait_for_frames()
        assert table_page.page.evaluate("[feasted, turned]") == [[], 0]
    table_page.show({**over, "id": 3})
    table_page.wait_for_frames()
    assert table_page.page.evaluate("feasted.length") == (18 if moves else 0)  # once, when it ends
