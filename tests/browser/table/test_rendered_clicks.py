"""Test what clicks, drops and the slider send, and which questions come first."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from rendered_table import REST, WORDS, golden_scene, make_intent

from support.spoken import english_text

# Clicks and questions


def test_an_illegal_card_asks_python_for_the_reason(table_page):
    """With the target and the chosen action."""
    table_page.mount(golden_scene("defending"))
    table_page.card("Qd").click(force=True)
    assert table_page.drain() == [make_intent("explain_refusal", 1, card="Qd")]
    table_page.pair("7s").click(force=True)
    table_page.card("9c").click(force=True)
    assert table_page.drain() == [make_intent("explain_refusal", 1, card="9c", target="7s")]
    table_page.mount(golden_scene("transferring"))
    table_page.press("f")
    table_page.card("Jc").click(force=True)
    assert table_page.drain() == [{"kind": "explain_refusal", "card": "Jc", "verb": "transfer", "ply": 1, "game": 4}]


def test_cards_of_one_rank_can_open_together(table_page):
    """A second click deselects. The last possible card plays them all."""
    table_page.mount(golden_scene("several"))
    table_page.card("7c").click(force=True)
    painted = table_page.read()
    assert (painted["picked"], painted["lit"], painted["call"]) == (["7c"], ["7c", "7s", "7h"], WORDS["pick.more"])
    assert [name for name, _ in painted["actions"]] == ["attack", "cancel"]
    table_page.card("7s").click(force=True)
    assert table_page.read()["picked"] == ["7c", "7s"]
    table_page.card("7c").click(force=True)
    assert (table_page.read()["picked"], table_page.drain()) == (["7s"], [])
    table_page.card("7h").click(force=True)
    table_page.press("a")
    assert table_page.drain() == [make_intent("move", 0, move="attack 7s 7h")]
    table_page.mount(golden_scene("several"))
    for card in ("7c", "7s", "7h"):
        table_page.card(card).click(force=True)
    assert table_page.drain() == [make_intent("move", 0, move="attack 7c 7s 7h")]
    table_page.mount(golden_scene("several"))
    table_page.card("Kc").click(force=True)
    assert table_page.drain() == [make_intent("move", 0, move="attack Kc")]


def test_a_swap_selects_two_cards(table_page):
    """Its key starts it, one can be deselected, the second sends both."""
    table_page.mount(golden_scene("swapping"))
    table_page.press("w")
    painted = table_page.read()
    assert (painted["pressed"], painted["call"], painted["lit"]) == (["swap"], WORDS["pick.swap"], golden_scene("swapping")["hand"])
    for card in ("Jc", "Jc", "6s"):
        table_page.card(card).click(force=True)
    assert (table_page.read()["picked"], table_page.drain()) == (["6s"], [])
    table_page.card("Qh").click(force=True)
    assert table_page.drain() == [make_intent("move", 0, move="swap 6s Qh")]
    table_page.mount(golden_scene("swapping"))
    table_page.press("w")
    table_page.press("Escape")
    assert (table_page.read()["pressed"], table_page.drain()) == ([], [])


def test_an_action_with_several_cards_asks_which(table_page):
    """Both transfer cards are highlighted."""
    table_page.mount(golden_scene("transferring"))
    table_page.press("f")
    painted = table_page.read()
    assert (painted["pressed"], painted["lit"], painted["call"]) == (["transfer"], ["7d", "7h"], WORDS["pick.transfer"])
    table_page.card("7h").click(force=True)
    assert table_page.drain() == [make_intent("move", 1, move="transfer 7h")]


def test_a_card_with_several_actions_asks_which(table_page):
    """Tab stays in the question. Escape cancels and restores the focus."""
    table_page.mount(golden_scene("showing"))
    table_page.press("Enter", at="[data-card='7h']")
    painted = table_page.read()
    assert painted["dialog"] == english_text("screen.which_way", card="7 of hearts")
    answers = [english_text("screen.beat", card="7 of clubs"), "Transfer", english_text("screen.show")]
    assert painted["answers"] == answers
    visited = []
    for key in ("Tab", "Tab", "Tab", "Shift+Tab", "ArrowDown", "ArrowUp"):
        visited.append(table_page.read()["focus"])
        table_page.keyboard.press(key)
    assert [*visited, table_page.read()["focus"]] == [answers[i] for i in (0, 1, 2, 0, 2, 0, 2)]
    table_page.keyboard.press("t")
    assert table_page.drain() == []
    table_page.keyboard.press("Escape")
    painted = table_page.read()
    assert (painted["dialog"], painted["focus"], table_page.drain()) == (None, "7h", [])
    table_page.keyboard.press("Enter")
    table_page.keyboard.press("Tab")
    table_page.keyboard.press("Enter")
    assert table_page.drain() == [make_intent("move", 1, move="transfer 7h")]


@pytest.mark.parametrize("size", [(1280, 800), (360, 740)])
@pytest.mark.parametrize("count", [1, 2, 4, 6])
def test_a_question_leaves_the_attack_in_sight(table_page, set_screen_size, size, count):
    """It covers no card of the attack and no button, wherever the attack is."""
    set_screen_size(*size)
    attack = "7c", "7s", "8c", "9c", "Tc", "Kc"
    legal = {"transfer": ["7d=c", "7d=h", "7d=s", "7d"], "take": True}
    table_page.mount({**golden_scene("transferring"), "table": [[card, None] for card in attack[:count]], "legal": legal, "limit": 6})
    table_page.set_width(size[0] - 16)
    table_page.wait_for_frames()
    table_page.card("7d").click(force=True)
    question = table_page.locate(".dk-dialog").bounding_box()
    others = table_page.page.locator(".dk-pair .dk-card, .dk-actions button").all()
    assert len(others) == count + 3
    for other in others:
        box = other.bounding_box()
        is_beside = box["x"] + box["width"] <= question["x"] or question["x"] + question["width"] <= box["x"]
        assert is_beside or box["y"] + box["height"] <= question["y"] or question["y"] + question["height"] <= box["y"]


def test_a_wild_six_asks_for_its_suit(table_page):
    """Its own suit is among the answers."""
    table_page.mount(golden_scene("bells"))
    table_page.card("6d").click(force=True)
    painted = table_page.read()
    assert painted["dialog"] == english_text("screen.which_suit", card="6 of diamonds")
    assert painted["answers"] == ["clubs", "diamonds", "hearts", "spades"]
    table_page.click(".dk-dialog button:nth-of-type(3)")
    assert table_page.drain() == [make_intent("move", 0, move="attack 6d=h")]


def test_a_press_beside_a_question_dismisses_it(table_page):
    """A press on the question does not. The card stays in the hand, and another card can be played."""
    table_page.mount(golden_scene("bells"))
    table_page.card("6d").click(force=True)
    table_page.click(".dk-dialog p")
    assert table_page.read()["dialog"]
    table_page.locate(".dk-table").click(position={"x": 5, "y": 5})
    assert not table_page.read()["dialog"]
    assert table_page.drain() == []


def test_a_new_game_asks_before_dropping_a_running_one(table_page):
    """Not after the end."""
    for keys, sent in ((["Escape"], []), (["Tab", "Enter"], []), (["Enter"], [make_intent("new_game", 1)])):
        table_page.mount(golden_scene("defending"))
        table_page.press("n")
        assert (table_page.read()["dialog"], table_page.drain()) == (WORDS["new.ask"], [])
        for key in keys:
            table_page.keyboard.press(key)
        assert (table_page.read()["dialog"], table_page.drain()) == (None, sent)
    table_page.mount(golden_scene("over_as_the_fool"))
    table_page.press("n")
    table_page.click("[data-action=next]")
    assert table_page.drain() == [make_intent("next_game", 102)] * 2


def test_replacing_later_moves_asks_first(table_page):
    """Repeating the undone move is a redo."""
    table_page.mount(golden_scene("looking_back"))
    table_page.card("Jc").click(force=True)
    assert table_page.drain() == [make_intent("move", 0, move="attack Jc")]
    for keys, sent in ((["Escape"], []), (["Enter"], [make_intent("move", 0, move="attack 9d", drops_undone=True)])):
        table_page.mount(golden_scene("looking_back"))
        table_page.card("9d").click(force=True)
        assert (table_page.read()["dialog"], table_page.drain()) == (WORDS["branch.ask.other"].format(count=2), [])
        for key in keys:
            table_page.keyboard.press(key)
        assert table_page.drain() == sent
    table_page.click("[data-action=back]")
    assert table_page.drain() == [make_intent("goto", 0, to_ply=2)]


def test_an_opening_bot_waits_for_start(table_page):
    """A table that is only looked at again goes on when it is on the screen."""
    waiting = golden_scene("opening", actor=1, legal={}, is_waiting=True, can={}, last_ply=0)
    assert table_page.mount(waiting)["actions"] == [["start", WORDS["start"]]]
    table_page.wait_for_frames()
    assert table_page.drain() == []
    table_page.click("[data-action=start]")
    assert table_page.drain() == [make_intent("start", 0)]
    table_page.mount({**waiting, "ply": 2, "last_ply": 2})
    table_page.page.wait_for_function("sent.length > 0")
    assert table_page.drain() == [make_intent("start", 2)]
    assert table_page.read()["actions"] == []


def test_a_table_below_the_screen_does_not_start(table_page):
    """It starts once it is scrolled into view."""
    waiting = golden_scene("opening", actor=1, legal={}, is_waiting=True, can={}, ply=2, last_ply=2)
    table_page.page.evaluate("document.body.style.paddingTop = '3000px'")
    table_page.mount(waiting)
    table_page.wait_for_frames()
    assert table_page.drain() == []
    table_page.page.evaluate("document.querySelector('.dk').scrollIntoView()")
    table_page.page.wait_for_function("sent.length > 0")
    assert table_page.drain() == [make_intent("start", 2)]
    table_page.page.evaluate("document.body.style.paddingTop = ''; scrollTo(0, 0)")


def test_after_undo_another_move_needs_no_question(table_page):
    """The table is live."""
    painted = table_page.mount(golden_scene("taken_back"))
    assert [name for name, _ in painted["actions"]] == ["hint"]
    table_page.card("9d").click(force=True)
    assert (table_page.drain(), table_page.read()["dialog"]) == ([make_intent("move", 0, move="attack 9d")], None)


def test_a_covered_hand_is_shown_on_request(table_page):
    """A failed bot can be replaced."""
    table_page.mount(golden_scene("covered"))
    table_page.click("[data-action=here]")
    assert table_page.drain() == [make_intent("uncover_hand", 1)]
    table_page.mount(golden_scene("failed"))
    table_page.click(".dk-bot-error")
    table_page.wait_for_panel()
    expect(table_page.page.locator(".dk-panel .dk-player-choice")).to_have_text([WORDS["person"], "careful", "first"])
    table_page.drain()
    table_page.click("[data-key=sits-careful]")
    assert table_page.drain() == [make_intent("seat_player", 1, seat=1, player="careful")]


# The navigation bar


def test_the_slider_goes_to_a_move(table_page):
    """Each step is sent, and the slider follows the scene."""
    table_page.mount(golden_scene("taken", last_ply=3))
    table_page.locate(".dk-replay-slider").focus()
    table_page.keyboard.press("ArrowLeft")
    assert [*dict.fromkeys(map(str, table_page.drain()))] == [str(make_intent("goto", 2, to_ply=1))]
    assert table_page.show(golden_scene("taken", last_ply=3), id=2, ply=1)["bar"]["value"] == "1"
    table_page.keyboard.press("t")
    table_page.keyboard.press("Home")
    assert [*dict.fromkeys(map(str, table_page.drain()))] == [str(make_intent("goto", 1, to_ply=0))]
    assert table_page.show(golden_scene("taken", last_ply=3), id=3, ply=2)["bar"]["value"] == "2"  # Python went to another moment


def test_replay_plays_the_game_move_by_move(table_page):
    """From 0 when started at the end. It stops at the last move."""
    end = golden_scene("over_with_epaulettes")
    table_page.mount(end)
    table_page.click("[data-bar=play]")
    assert table_page.locate("[data-bar=play]").get_attribute("aria-label") == WORDS["pause"]
    assert table_page.drain() == [make_intent("goto", 3, to_ply=0)]
    for ply in range(3):
        table_page.show(end, id=ply + 2, ply=ply)
        assert table_page.drain() == []
        table_page.elapse(REST)
        assert table_page.drain() == [make_intent("goto", ply, to_ply=ply + 1)]
    table_page.show(end, id=9)
    table_page.elapse(REST)
    assert (table_page.drain(), table_page.locate("[data-bar=play]").get_attribute("aria-label")) == ([], WORDS["play"])
    table_page.elapse(REST)
    assert table_page.drain() == []


@pytest.mark.parametrize("panel", ["settings", "list", "share", "how_to_play"])
def test_opening_a_panel_pauses_the_replay(table_page, panel):
    """It goes on when the user presses *Play* again, also beside the open panel."""
    table_page.mount(golden_scene("looking_back"))
    table_page.click("[data-bar=play]")
    table_page.choose(panel)
    play = table_page.locate("[data-bar=play]")
    assert play.get_attribute("aria-label") == WORDS["play"]
    table_page.drain()
    table_page.elapse(REST)
    assert table_page.drain() == []
    table_page.click("[data-bar=play]")
    assert play.get_attribute("aria-label") == WORDS["pause"]
    table_page.elapse(REST)
    assert table_page.drain() == [make_intent("goto", 0, to_ply=1)]


@pytest.mark.parametrize("how", ["again", "slider", "step", "closed"])
def test_replay_can_be_stopped(table_page, how):
    """By its button, by navigation, and by closing the table."""
    table_page.mount(golden_scene("taken", ply=1))
    table_page.click("[data-bar=play]")
    if how == "again":
        table_page.click("[data-bar=play]")
    elif how == "slider":
        table_page.locate(".dk-replay-slider").fill("0")
    elif how == "step":
        table_page.click("[data-bar=previous]")
    else:
        table_page.page.evaluate("close_table()")
    table_page.drain()
    table_page.elapse(REST)
    assert table_page.drain() == []


def test_a_closed_table_removes_its_elements_and_listeners(table_page):
    """A closed table removes its elements and listeners."""
    table_page.mount(golden_scene("defending"))
    assert table_page.page.evaluate("heard.size") > 5
    table_page.page.evaluate("close_table()")
    assert table_page.page.evaluate("[heard.size, document.querySelectorAll('.dk').length]") == [0, 0]
