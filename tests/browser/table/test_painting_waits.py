"""What is meant early, what others did, and how a game goes by: cards that wait, being done with a bout, deeds at their seats, replay and the end."""

from __future__ import annotations

import pytest
from painted import WORDS, golden, intent

pytestmark = pytest.mark.slow

MARKS = """() => ({
  waits: [...document.querySelectorAll('.dk-hand-card[data-queued]')].map(({ dataset }) => dataset.card),
  about: Object.fromEntries([...document.querySelectorAll('.dk-hand-card, .dk-pair, .dk-plate')].map((one) => [one.dataset.card ?? one.getAttribute('aria-label'), one.getAttribute('aria-description')])),
  tells: [...document.querySelectorAll('.dk-recent-moves p')].map(({ textContent }) => textContent),
  root: Object.keys(document.querySelector('.dk').dataset),
})"""


def theirs(name, **changes):
    """A moment at which somebody else is to act."""
    return golden(name, **{"actor": 1, "legal": {}, "can": {}, **changes})


def marks(blank):
    """What waits, what is said about cards and seats, the lines of account, and what the table is marked with."""
    return blank.page.evaluate(MARKS)


def drag(blank, card):
    """Drag it to the table and let it go there."""
    box, table = blank.card(card).bounding_box(), blank.one(".dk-table").bounding_box()
    blank.mouse.move(box["x"] + 20, box["y"] + 30)
    blank.mouse.down()
    blank.mouse.move(table["x"] + 40, table["y"] + 40, steps=4)
    blank.mouse.up()


HOLDS = {
    "click": lambda blank, card: blank.card(card).click(force=True),
    "drag": drag,
}


@pytest.mark.parametrize("way", ["click", pytest.param("drag", marks=pytest.mark.slow)])
def test_a_card_chosen_early_waits_and_is_played_when_it_may_be(blank, way):
    """Marked and pressed, told why not yet and that it waits; then played by itself, once."""
    blank.lay(theirs("throwing_in"))
    HOLDS[way](blank, "9d")
    assert marks(blank)["waits"] == ["9d"]
    assert blank.card("9d").get_attribute("aria-pressed") == "true"
    assert blank.take() == [intent("explain_refusal", 0, card="9d")]
    note = {"kind": "refused", "text": ["It is not your turn.", "It is not your turn."], "card": "9d", "code": "not_your_turn"}
    told = blank.show(theirs("throwing_in", id=7, note=note))
    assert told["bubble"] == f"It is not your turn. {WORDS['held'].format(card='9♦' + chr(0xFE0E))}"
    assert told["status"] == f"It is not your turn. {WORDS['held'].format(card='9 of diamonds')}"
    blank.show(golden("throwing_in", id=8, ply=1, last_ply=1))
    assert blank.take() == []  # a breath, in which one sees what the others did
    blank.elapse(0)
    assert blank.take() == [intent("move", 1, move="throw 9d")]
    blank.show(golden("throwing_in", id=9, ply=3, last_ply=3))
    blank.elapse(0)
    assert (blank.take(), marks(blank)["waits"]) == ([], [])


def test_that_a_card_waits_is_said_as_long_as_it_does(blank):
    """Why not yet goes with its moment; that it waits stands while it does, and goes with the bout, which is said to who listens."""
    note = {"kind": "refused", "text": ["It is not your turn.", "It is not your turn."], "card": "9d", "code": "not_your_turn"}
    waits = WORDS["held"].format(card="9♦" + chr(0xFE0E))
    for over in ({"bout": 9}, {"hand": [card for card in golden("throwing_in")["hand"] if card != "9d"]}):
        blank.lay(theirs("throwing_in"))
        blank.card("9d").click(force=True)
        assert blank.show(theirs("throwing_in", id=7, note=note))["bubble"] == f"It is not your turn. {waits}"
        assert blank.show(theirs("throwing_in", id=8, ply=1, last_ply=1))["bubble"] == waits
        painted = blank.show(theirs("throwing_in", id=9, ply=2, last_ply=2, **over))
        assert (painted["bubble"], marks(blank)["waits"]) == (None, [])
        if "bout" in over:
            assert WORDS["unheld"].format(card="9 of diamonds") in blank.take("said")


def test_a_card_that_is_only_tried_waits_for_nothing(blank):
    """As a table is at first: what may not be played now is refused, and nothing is played by itself."""
    blank.lay(theirs("throwing_in"), early=False)
    blank.card("9d").click(force=True)
    assert (marks(blank)["waits"], blank.take()) == ([], [intent("explain_refusal", 0, card="9d")])
    note = {"kind": "refused", "text": ["It is not your turn.", "It is not your turn."], "card": "9d", "code": "not_your_turn"}
    assert blank.show(theirs("throwing_in", id=7, note=note))["bubble"] == "It is not your turn."
    blank.show(golden("throwing_in", id=8, ply=1, last_ply=1))
    blank.elapse(0)
    assert blank.take() == []


@pytest.mark.parametrize("away", ["click", "escape"])
def test_a_card_that_waits_is_taken_back(blank, away):
    """By a second click or by Escape: nothing is played."""
    blank.lay(theirs("throwing_in"))
    blank.card("9d").click(force=True)
    blank.take()
    if away == "click":
        blank.card("9d").click(force=True)
    else:
        blank.keyboard.press("Escape")
    assert (marks(blank)["waits"], blank.take()) == ([], [])
    assert blank.read()["status"] == WORDS["unheld"].format(card="9 of diamonds")
    blank.show(golden("throwing_in", id=8, ply=1, last_ply=1))
    blank.elapse(0)
    assert blank.take() == []


def test_a_card_of_several_uses_asks_which_when_its_moment_comes(blank):
    """Two cards that it may beat: it is picked and they are lit; several verbs: the menu. Nothing is played for one."""
    blank.lay(theirs("defending", actor=0))
    blank.card("6h").click(force=True)
    blank.take()
    blank.show(golden("defending", id=8, ply=2, last_ply=2))
    blank.elapse(0)
    painted = blank.read()
    assert (painted["picked"], painted["targets"], blank.take()) == (["6h"], ["7c", "7s"], [])
    blank.lay(theirs("showing", actor=0))
    blank.card("7h").click(force=True)
    blank.take()
    blank.show(golden("showing", id=8, ply=2, last_ply=2))
    blank.elapse(0)
    assert (blank.read()["dialog"], blank.take()) == ("How do you play the 7 of hearts?", [])


def test_who_plays_another_card_meanwhile_plays_that_one_alone(blank):
    """Before what waits has been played one may still do otherwise: it waits on."""
    blank.lay(theirs("throwing_in"))
    blank.card("9d").click(force=True)
    blank.take()
    blank.show(golden("throwing_in", id=8, ply=1, last_ply=1))
    blank.card("9s").click(force=True)
    blank.elapse(0)
    assert (blank.take(), marks(blank)["waits"]) == ([intent("move", 1, move="throw 9s")], ["9d"])


def test_in_an_exercise_no_card_waits(blank):
    """There each click is an answer."""
    blank.lay(theirs("throwing_in", task=True))
    blank.card("9d").click(force=True)
    assert (marks(blank)["waits"], blank.take()) == ([], [intent("explain_refusal", 0, card="9d")])


def test_done_with_a_bout_one_passes_whenever_asked(blank):
    """By its button or its key; the call says so, and the same button takes it back."""
    crowd = golden("a_crowd")
    blank.lay(crowd)
    blank.press("d")
    assert blank.take() == [intent("move", 0, move="pass")]
    painted = blank.show(
        {**crowd, "id": 8, "ply": 1, "last_ply": 1, "actor": 1, "legal": {}, "can": {}, "call_to_action": ["Player 2 defends."] * 2}
    )
    assert painted["call"] == f"Player 2 defends. {WORDS['done.said']}"
    assert (painted["actions"], painted["pressed"]) == ([["done", WORDS["done"]]], ["done"])
    blank.show({**crowd, "id": 9, "ply": 2, "last_ply": 2})
    blank.elapse(0)
    assert blank.take() == [intent("move", 2, move="pass")]
    blank.click("[data-action=done]")
    blank.show({**crowd, "id": 10, "ply": 4, "last_ply": 4})
    blank.elapse(0)
    assert (blank.take(), blank.read()["pressed"]) == ([], [])


def test_what_is_asked_for_is_read_aloud(blank):
    """The answer to a key, whichever."""
    blank.lay(golden("defending"))
    blank.hear({"kind": "announcement", "text": "All of it."})
    assert blank.read()["status"] == "All of it."


def test_what_a_card_is_beyond_its_name_is_described(blank):
    """Names stay as they are; that a card is a trump, and who laid it, is told beside."""
    scene = golden("transferring", attackers=[0])
    blank.lay(scene)
    about = marks(blank)["about"]
    assert about["7c"] == WORDS["played_by"].format(player="Player 1")
    trumps = {card for card in scene["hand"] if card[1] == scene["trump"]}
    assert {card for card in scene["hand"] if about[card] == WORDS["is_trump"]} == trumps


def test_the_last_deed_of_a_seat_stands_there_and_goes_when_it_acts(blank):
    """Where there is room for it; what its role says already is not said twice."""
    seats = [{**seat, "last_action": did} for seat, did in zip(golden("showing")["seats"], ["throws in 7♣", "", "waits"], strict=True)]
    painted = blank.lay(golden("showing", seats=seats))
    assert [seat["did"] for seat in painted["seats"]] == ["", "throws in 7♣"]
    assert blank.one(".dk-seat:nth-child(2) .dk-last-action").is_visible()
    painted = blank.show(golden("showing", seats=seats, actor=0, id=9))
    assert [seat["did"] for seat in painted["seats"]] == ["", ""]


def test_a_replay_looks_like_one(blank):
    """It has its own tone and its line, no dot; while it plays by itself the cards lie flat."""
    blank.lay(golden("looking_back"))
    told = marks(blank)
    assert told["tells"][0] == WORDS["replaying"].format(ply=0, last=2)
    assert "replay" in told["root"]
    assert blank.one(".dk-message-bar").get_attribute("data-own-turn") is None
    assert blank.read()["lit"]
    blank.click("[data-bar=play]")
    blank.show(golden("looking_back", id=9))
    assert blank.read()["lit"] == []


def test_without_a_kernel_the_hand_lies_flat_and_a_click_says_why(blank):
    """No card is lit, no dot; whatever is clicked says that the kernel is gone."""
    blank.lay(golden("stuck"))
    blank.page.evaluate("window.gone = true")
    blank.click("[data-action=take]")
    assert (blank.read()["lit"], blank.read()["bubble"]) == ([], None)
    assert blank.one(".dk-message-bar").get_attribute("data-own-turn") is None
    blank.card("7c").click(force=True)
    assert blank.read()["bubble"] == WORDS["gone"]


def test_at_the_end_the_next_game_is_one_tap_away(blank):
    """Whoever had the focus at the table has it on the button for the next game."""
    blank.lay(golden("stuck"))
    blank.card("7c").focus()
    over = golden("over_in_a_draw", id=9)
    assert blank.show(over)["focus"] == "next"
    blank.keyboard.press("Enter")
    assert blank.take()[-1]["kind"] == "next_game"
    blank.lay(
        {**over, "result": None, "ply": over["last_ply"] - 1, "id": 1, "actor": 0} | {"call_to_action": golden("stuck")["call_to_action"]}
    )
    blank.one("[data-bar=last]").focus()
    assert blank.show({**over, "id": 10})["focus"] == "last"  # who only looks there stays where they are


def test_a_menu_covers_no_button(blank):
    """Where a card may be played in several ways, the question leaves the buttons beside the call free."""
    blank.lay(golden("showing"))
    blank.card("7h").click(force=True)
    asked = blank.one(".dk-dialog").bounding_box()
    assert asked["y"] + asked["height"] <= blank.one(".dk-actions").bounding_box()["y"]


def test_bots_among_themselves_can_be_paused(blank):
    """Nobody sits at the table: *Pause*, and *Start* to go on; the page starts them by itself only once."""
    bots = golden("waiting", seats=[{**seat, "player": "first"} for seat in golden("waiting")["seats"]], ply=1, last_ply=1)
    assert blank.lay(bots)["actions"] == [["stop", WORDS["stop"]]]
    blank.click("[data-action=stop]")
    assert blank.take() == [intent("stop", 1)]
    assert blank.show({**bots, "is_waiting": True, "id": 9})["actions"] == [["start", WORDS["start"]]]
