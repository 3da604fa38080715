"""What a click, a drag or the slider means, by itself: what is sent, and what is asked before."""

from __future__ import annotations

import pytest
from painted import REST, WORDS, golden, intent
from playwright.sync_api import expect

# What is meant, and asked


def test_a_card_that_may_not_be_played_asks_why(blank):
    """With the card on the table that was aimed at, and the way that was chosen."""
    blank.lay(golden("defending"))
    blank.card("Qd").click(force=True)
    assert blank.take() == [intent("explain_refusal", 1, card="Qd")]
    blank.pair("7s").click(force=True)
    blank.card("9c").click(force=True)
    assert blank.take() == [intent("explain_refusal", 1, card="9c", target="7s")]
    blank.lay(golden("transferring"))
    blank.press("f")
    blank.card("Jc").click(force=True)
    assert blank.take() == [{"kind": "explain_refusal", "card": "Jc", "verb": "transfer", "ply": 1, "game": 4}]


def test_several_cards_open_together(blank):
    """Those of one rank join, a second click puts one back, the last that may join plays them all."""
    blank.lay(golden("several"))
    blank.card("7c").click(force=True)
    painted = blank.read()
    assert (painted["picked"], painted["lit"], painted["call"]) == (["7c"], ["7c", "7s", "7h"], WORDS["pick.more"])
    assert [name for name, _ in painted["actions"]] == ["attack", "cancel"]
    blank.card("7s").click(force=True)
    assert blank.read()["picked"] == ["7c", "7s"]
    blank.card("7c").click(force=True)
    assert (blank.read()["picked"], blank.take()) == (["7s"], [])
    blank.card("7h").click(force=True)
    blank.press("a")
    assert blank.take() == [intent("move", 0, move="attack 7s 7h")]
    blank.lay(golden("several"))
    for card in ("7c", "7s", "7h"):
        blank.card(card).click(force=True)
    assert blank.take() == [intent("move", 0, move="attack 7c 7s 7h")]
    blank.lay(golden("several"))
    blank.card("Kc").click(force=True)
    assert blank.take() == [intent("move", 0, move="attack Kc")]


def test_a_swap_is_of_two_cards(blank):
    """Its key asks for them, one can be put back, the second sends both."""
    blank.lay(golden("swapping"))
    blank.press("w")
    painted = blank.read()
    assert (painted["pressed"], painted["call"], painted["lit"]) == (["swap"], WORDS["pick.swap"], golden("swapping")["hand"])
    for card in ("Jc", "Jc", "6s"):
        blank.card(card).click(force=True)
    assert (blank.read()["picked"], blank.take()) == (["6s"], [])
    blank.card("Qh").click(force=True)
    assert blank.take() == [intent("move", 0, move="swap 6s Qh")]
    blank.lay(golden("swapping"))
    blank.press("w")
    blank.press("Escape")
    assert (blank.read()["pressed"], blank.take()) == ([], [])


def test_a_way_with_several_cards_asks_which(blank):
    """Transfer with two cards: both are lit, and the one chosen transfers."""
    blank.lay(golden("transferring"))
    blank.press("f")
    painted = blank.read()
    assert (painted["pressed"], painted["lit"], painted["call"]) == (["transfer"], ["7d", "7h"], WORDS["pick.transfer"])
    blank.card("7h").click(force=True)
    assert blank.take() == [intent("move", 1, move="transfer 7h")]


def test_a_card_of_several_ways_asks_which_and_keeps_the_focus(blank):
    """The answers are the ways; Tab goes round among them, Escape is no and gives the focus back."""
    blank.lay(golden("showing"))
    blank.press("Enter", at="[data-card='7h']")
    painted = blank.read()
    assert painted["dialog"] == "How do you play the 7 of hearts?"
    answers = ["Beat the 7 of clubs", "Transfer", "Show trump"]
    assert painted["answers"] == answers
    visited = []
    for key in ("Tab", "Tab", "Tab", "Shift+Tab", "ArrowDown", "ArrowUp"):
        visited.append(blank.read()["focus"])
        blank.keyboard.press(key)
    assert [*visited, blank.read()["focus"]] == [answers[i] for i in (0, 1, 2, 0, 2, 0, 2)]
    blank.keyboard.press("t")
    assert blank.take() == []
    blank.keyboard.press("Escape")
    painted = blank.read()
    assert (painted["dialog"], painted["focus"], blank.take()) == (None, "7h", [])
    blank.keyboard.press("Enter")
    blank.keyboard.press("Tab")
    blank.keyboard.press("Enter")
    assert blank.take() == [intent("move", 1, move="transfer 7h")]


def test_a_six_of_any_suit_asks_for_its_suit(blank):
    """The answers are the suits, its own among them."""
    blank.lay(golden("bells"))
    blank.card("6d").click(force=True)
    painted = blank.read()
    assert painted["dialog"] == "In which suit do you play the 6 of diamonds?"
    assert painted["answers"] == ["clubs", "diamonds", "hearts", "spades"]
    blank.click(".dk-dialog button:nth-of-type(3)")
    assert blank.take() == [intent("move", 0, move="attack 6d=h")]


def test_dealing_anew_is_asked_before_a_game_is_lost(blank):
    """No in the middle of a game leaves it; yes deals; after the end the next game needs no question."""
    for keys, sent in ((["Escape"], []), (["Tab", "Enter"], []), (["Enter"], [intent("new_game", 1)])):
        blank.lay(golden("defending"))
        blank.press("n")
        assert (blank.read()["dialog"], blank.take()) == (WORDS["new.ask"], [])
        for key in keys:
            blank.keyboard.press(key)
        assert (blank.read()["dialog"], blank.take()) == (None, sent)
    blank.lay(golden("over_as_the_fool"))
    blank.press("n")
    blank.click("[data-action=next]")
    assert blank.take() == [intent("next_game", 102)] * 2


def test_later_moves_are_dropped_only_when_that_is_said(blank):
    """Another move than the one undone asks first and then says so; the same one is only a redo."""
    blank.lay(golden("looking_back"))
    blank.card("Jc").click(force=True)
    assert blank.take() == [intent("move", 0, move="attack Jc")]
    for keys, sent in ((["Escape"], []), (["Enter"], [intent("move", 0, move="attack 9d", drops_undone=True)])):
        blank.lay(golden("looking_back"))
        blank.card("9d").click(force=True)
        assert (blank.read()["dialog"], blank.take()) == (WORDS["branch.ask.other"].format(count=2), [])
        for key in keys:
            blank.keyboard.press(key)
        assert blank.take() == sent
    blank.click("[data-action=back]")
    assert blank.take() == [intent("goto", 0, to_ply=2)]


def test_a_bot_that_is_to_open_waits_for_who_sits_down(blank):
    """*Start* says that they are there; a table that is only looked at again goes on by itself as soon as it is on the screen."""
    waiting = golden("opening", actor=1, legal={}, is_waiting=True, can={}, last_ply=0)
    assert blank.lay(waiting)["actions"] == [["start", WORDS["start"]]]
    blank.frames()
    assert blank.take() == []
    blank.click("[data-action=start]")
    assert blank.take() == [intent("start", 0)]
    blank.lay({**waiting, "ply": 2, "last_ply": 2})
    blank.page.wait_for_function("sent.length > 0")
    assert blank.take() == [intent("start", 2)]
    assert blank.read()["actions"] == []


def test_a_table_below_the_screen_is_not_looked_at_yet(blank):
    """Nothing is said before one has come to it."""
    waiting = golden("opening", actor=1, legal={}, is_waiting=True, can={}, ply=2, last_ply=2)
    blank.page.evaluate("document.body.style.paddingTop = '3000px'")
    blank.lay(waiting)
    blank.frames()
    assert blank.take() == []
    blank.page.evaluate("document.querySelector('.dk').scrollIntoView()")
    blank.page.wait_for_function("sent.length > 0")
    assert blank.take() == [intent("start", 2)]
    blank.page.evaluate("document.body.style.paddingTop = ''; scrollTo(0, 0)")


def test_what_was_taken_back_is_played_otherwise_without_a_question(blank):
    """After *Undo* the table is live: no way back is offered beside the call, and any card plays on at once."""
    painted = blank.lay(golden("taken_back"))
    assert [name for name, _ in painted["actions"]] == ["hint"]
    blank.card("9d").click(force=True)
    assert (blank.take(), blank.read()["dialog"]) == ([intent("move", 0, move="attack 9d")], None)


def test_who_sits_there_says_so(blank):
    """The covered hand is shown when its person asks for it; a bot that failed can be replaced."""
    blank.lay(golden("covered"))
    blank.click("[data-action=here]")
    assert blank.take() == [intent("uncover_hand", 1)]
    blank.lay(golden("failed"))
    blank.click(".dk-bot-error")
    blank.loaded()
    expect(blank.page.locator(".dk-panel .dk-player-choice")).to_have_text([WORDS["person"], "careful", "first"])
    blank.take()
    blank.click("[data-key=sits-careful]")
    assert blank.take() == [intent("seat_player", 1, seat=1, player="careful")]


# The bar


def test_the_slider_goes_to_a_move(blank):
    """Each step is sent, and the slider stands where the scene then is."""
    blank.lay(golden("taken"))
    blank.one(".dk-replay-slider").focus()
    blank.keyboard.press("ArrowLeft")
    assert [*dict.fromkeys(map(str, blank.take()))] == [str(intent("goto", 2, to_ply=1))]
    assert blank.show(golden("taken"), id=2, ply=1)["bar"]["value"] == "1"
    blank.keyboard.press("t")
    blank.keyboard.press("Home")
    assert [*dict.fromkeys(map(str, blank.take()))] == [str(intent("goto", 1, to_ply=0))]
    assert blank.show(golden("taken"), id=3, ply=2)["bar"]["value"] == "2"  # Python went elsewhere


def test_the_game_is_shown_move_by_move(blank):
    """From its end it begins at 0, goes on one move after each rest, and stops at the last."""
    end = golden("over_with_epaulettes")
    blank.lay(end)
    blank.click("[data-bar=play]")
    assert blank.one("[data-bar=play]").get_attribute("aria-label") == WORDS["pause"]
    assert blank.take() == [intent("goto", 3, to_ply=0)]
    for ply in range(3):
        blank.show(end, id=ply + 2, ply=ply)
        assert blank.take() == []
        blank.elapse(REST)
        assert blank.take() == [intent("goto", ply, to_ply=ply + 1)]
    blank.show(end, id=9)
    blank.elapse(REST)
    assert (blank.take(), blank.one("[data-bar=play]").get_attribute("aria-label")) == ([], WORDS["play"])
    blank.elapse(REST)
    assert blank.take() == []


@pytest.mark.parametrize("how", ["again", "slider", "step", "closed"])
def test_what_shows_itself_is_stopped(blank, how):
    """By its button, by going elsewhere, and with the table."""
    blank.lay(golden("taken", ply=1))
    blank.click("[data-bar=play]")
    if how == "again":
        blank.click("[data-bar=play]")
    elif how == "slider":
        blank.one(".dk-replay-slider").fill("0")
    elif how == "step":
        blank.click("[data-bar=previous]")
    else:
        blank.page.evaluate("close_table()")
    blank.take()
    blank.elapse(REST)
    assert blank.take() == []


def test_a_table_that_is_closed_leaves_nothing(blank):
    """It is off the page and listens to nothing any more."""
    blank.lay(golden("defending"))
    assert blank.page.evaluate("heard.size") > 5
    blank.page.evaluate("close_table()")
    assert blank.page.evaluate("[heard.size, document.querySelectorAll('.dk').length]") == [0, 0]
