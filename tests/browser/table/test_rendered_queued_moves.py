"""Test queued cards and passes, others' actions, replay and the end of a game."""

from __future__ import annotations

import pytest
from rendered_table import WORDS, golden_scene, make_intent

from support.spoken import english_text

pytestmark = pytest.mark.slow

MARKS = """() => ({
  waits: [...document.querySelectorAll('.dk-hand-card[data-queued]')].map(({ dataset }) => dataset.card),
  about: Object.fromEntries([...document.querySelectorAll('.dk-hand-card, .dk-pair, .dk-plate')].map((one) => [one.dataset.card ?? one.getAttribute('aria-label'), one.getAttribute('aria-description')])),
  tells: [...document.querySelectorAll('.dk-recent-moves p')].map(({ textContent }) => textContent),
  root: Object.keys(document.querySelector('.dk').dataset),
})"""


def others_turn(name, **changes):
    """Return a golden scene in which another player acts."""
    return golden_scene(name, **{"actor": 1, "legal": {}, "can": {}, **changes})


def read_marks(table_page):
    """Return queued cards, descriptions, recent moves and attributes of the table."""
    return table_page.page.evaluate(MARKS)


def drag_to_table(table_page, card):
    """Drag a card to the table and drop it."""
    box, table = table_page.card(card).bounding_box(), table_page.locate(".dk-table").bounding_box()
    table_page.mouse.move(box["x"] + 20, box["y"] + 30)
    table_page.mouse.down()
    table_page.mouse.move(table["x"] + 40, table["y"] + 40, steps=4)
    table_page.mouse.up()


HOLDS = {
    "click": lambda table_page, card: table_page.card(card).click(force=True),
    "drag": drag_to_table,
}


@pytest.mark.parametrize("way", ["click", pytest.param("drag", marks=pytest.mark.slow)])
def test_a_card_chosen_early_is_queued_and_played_once(table_page, way):
    """The reason and the queueing are shown."""
    table_page.mount(others_turn("throwing_in"))
    HOLDS[way](table_page, "9d")
    assert read_marks(table_page)["waits"] == ["9d"]
    assert table_page.card("9d").get_attribute("aria-pressed") == "true"
    assert table_page.drain() == [make_intent("explain_refusal", 0, card="9d")]
    note = {"kind": "refused", "text": ["It is not your turn.", "It is not your turn."], "card": "9d", "code": "not_your_turn"}
    told = table_page.show(others_turn("throwing_in", id=7, note=note))
    assert told["bubble"] == f"It is not your turn. {WORDS['held'].format(card='9♦' + chr(0xFE0E))}"
    assert told["status"] == f"It is not your turn. {WORDS['held'].format(card='9 of diamonds')}"
    table_page.show(golden_scene("throwing_in", id=8, ply=1, last_ply=1))
    assert table_page.drain() == []  # a short delay, so that the user sees others' moves
    table_page.elapse(0)
    assert table_page.drain() == [make_intent("move", 1, move="throw 9d")]
    table_page.show(golden_scene("throwing_in", id=9, ply=3, last_ply=3))
    table_page.elapse(0)
    assert (table_page.drain(), read_marks(table_page)["waits"]) == ([], [])


def test_the_queue_message_stays_until_the_bout_ends(table_page):
    """Its end is announced."""
    note = {"kind": "refused", "text": ["It is not your turn.", "It is not your turn."], "card": "9d", "code": "not_your_turn"}
    waits = WORDS["held"].format(card="9♦" + chr(0xFE0E))
    for over in ({"bout": 9}, {"hand": [card for card in golden_scene("throwing_in")["hand"] if card != "9d"]}):
        table_page.mount(others_turn("throwing_in"))
        table_page.card("9d").click(force=True)
        assert table_page.show(others_turn("throwing_in", id=7, note=note))["bubble"] == f"It is not your turn. {waits}"
        assert table_page.show(others_turn("throwing_in", id=8, ply=1, last_ply=1))["bubble"] == waits
        painted = table_page.show(others_turn("throwing_in", id=9, ply=2, last_ply=2, **over))
        assert (painted["bubble"], read_marks(table_page)["waits"]) == (None, [])
        if "bout" in over:
            assert WORDS["unheld"].format(card="9 of diamonds") in table_page.drain("said")


def test_without_queueing_an_illegal_card_is_refused(table_page):
    """Without queueing an illegal card is refused."""
    table_page.mount(others_turn("throwing_in"), early=False)
    table_page.card("9d").click(force=True)
    assert (read_marks(table_page)["waits"], table_page.drain()) == ([], [make_intent("explain_refusal", 0, card="9d")])
    note = {"kind": "refused", "text": ["It is not your turn.", "It is not your turn."], "card": "9d", "code": "not_your_turn"}
    assert table_page.show(others_turn("throwing_in", id=7, note=note))["bubble"] == "It is not your turn."
    table_page.show(golden_scene("throwing_in", id=8, ply=1, last_ply=1))
    table_page.elapse(0)
    assert table_page.drain() == []


@pytest.mark.parametrize("away", ["click", "escape"])
def test_a_queued_card_can_be_taken_back(table_page, away):
    """By a second click or Escape."""
    table_page.mount(others_turn("throwing_in"))
    table_page.card("9d").click(force=True)
    table_page.drain()
    if away == "click":
        table_page.card("9d").click(force=True)
    else:
        table_page.keyboard.press("Escape")
    assert (read_marks(table_page)["waits"], table_page.drain()) == ([], [])
    assert table_page.read()["status"] == WORDS["unheld"].format(card="9 of diamonds")
    table_page.show(golden_scene("throwing_in", id=8, ply=1, last_ply=1))
    table_page.elapse(0)
    assert table_page.drain() == []


def test_a_queued_card_with_several_uses_asks_which(table_page):
    """Several targets are highlighted, several actions open the menu."""
    table_page.mount(others_turn("defending", actor=0))
    table_page.card("6h").click(force=True)
    table_page.drain()
    table_page.show(golden_scene("defending", id=8, ply=2, last_ply=2))
    table_page.elapse(0)
    painted = table_page.read()
    assert (painted["picked"], painted["targets"], table_page.drain()) == (["6h"], ["7c", "7s"], [])
    table_page.mount(others_turn("showing", actor=0))
    table_page.card("7h").click(force=True)
    table_page.drain()
    table_page.show(golden_scene("showing", id=8, ply=2, last_ply=2))
    table_page.elapse(0)
    assert (table_page.read()["dialog"], table_page.drain()) == (english_text("screen.which_way", card="7 of hearts"), [])


def test_another_card_can_be_played_while_one_is_queued(table_page):
    """The queued card stays queued."""
    table_page.mount(others_turn("throwing_in"))
    table_page.card("9d").click(force=True)
    table_page.drain()
    table_page.show(golden_scene("throwing_in", id=8, ply=1, last_ply=1))
    table_page.card("9s").click(force=True)
    table_page.elapse(0)
    assert (table_page.drain(), read_marks(table_page)["waits"]) == ([make_intent("move", 1, move="throw 9s")], ["9d"])


def test_exercises_queue_no_card(table_page):
    """Each click is an answer."""
    table_page.mount(others_turn("throwing_in", task=True))
    table_page.card("9d").click(force=True)
    assert (read_marks(table_page)["waits"], table_page.drain()) == ([], [make_intent("explain_refusal", 0, card="9d")])


def test_done_passes_whenever_the_player_is_asked(table_page):
    """The prompt says so, and the same button cancels it."""
    crowd = golden_scene("a_crowd")
    table_page.mount(crowd)
    table_page.press("d")
    assert table_page.drain() == [make_intent("move", 0, move="pass")]
    painted = table_page.show(
        {**crowd, "id": 8, "ply": 1, "last_ply": 1, "actor": 1, "legal": {}, "can": {}, "call_to_action": ["Player 2 defends."] * 2}
    )
    assert painted["call"] == f"Player 2 defends. {WORDS['done.said']}"
    assert (painted["actions"], painted["pressed"]) == ([["done", WORDS["done"]]], ["done"])
    table_page.show({**crowd, "id": 9, "ply": 2, "last_ply": 2})
    table_page.elapse(0)
    assert table_page.drain() == [make_intent("move", 2, move="pass")]
    table_page.click("[data-action=done]")
    table_page.show({**crowd, "id": 10, "ply": 4, "last_ply": 4})
    table_page.elapse(0)
    assert (table_page.drain(), table_page.read()["pressed"]) == ([], [])


def test_answers_to_keys_are_announced(table_page):
    """Answers to keys are announced."""
    table_page.mount(golden_scene("defending"))
    table_page.receive({"kind": "announcement", "text": "All of it."})
    assert table_page.read()["status"] == "All of it."


def test_trumps_and_owners_are_in_the_card_descriptions(table_page):
    """Names stay unchanged."""
    scene = golden_scene("transferring", attackers=[0])
    table_page.mount(scene)
    about = read_marks(table_page)["about"]
    assert about["7c"] == WORDS["played_by"].format(player="Player 1")
    trumps = {card for card in scene["hand"] if card[1] == scene["trump"]}
    assert {card for card in scene["hand"] if about[card] == WORDS["is_trump"]} == trumps


def test_the_last_action_is_shown_until_the_player_acts(table_page):
    """Not if the role says it already."""
    seats = [
        {**seat, "last_action": did}
        for seat, did in zip(golden_scene("showing")["seats"], [english_text("did.throw", card="7♣"), "", "waits"], strict=True)
    ]
    painted = table_page.mount(golden_scene("showing", seats=seats))
    assert [seat["did"] for seat in painted["seats"]] == ["", english_text("did.throw", card="7♣")]
    assert table_page.locate(".dk-seat:nth-child(2) .dk-last-action").is_visible()
    painted = table_page.show(golden_scene("showing", seats=seats, actor=0, id=9))
    assert [seat["did"] for seat in painted["seats"]] == ["", ""]


def test_replay_has_its_own_look(table_page):
    """Colour and line, no dot. Cards lie flat."""
    table_page.mount(golden_scene("looking_back"))
    told = read_marks(table_page)
    assert told["tells"][0] == WORDS["replaying"].format(ply=0, last=2)
    assert "replay" in told["root"]
    assert table_page.locate(".dk-message-bar").get_attribute("data-own-turn") is None
    assert table_page.read()["lit"]
    table_page.click("[data-bar=play]")
    table_page.show(golden_scene("looking_back", id=9))
    assert table_page.read()["lit"] == []


def test_without_a_kernel_no_card_is_playable_and_a_click_says_why(table_page):
    """Without a kernel no card is playable and a click says why."""
    table_page.mount(golden_scene("stuck"))
    table_page.page.evaluate("window.gone = true")
    table_page.click("[data-action=take]")
    assert (table_page.read()["lit"], table_page.read()["bubble"]) == ([], None)
    assert table_page.locate(".dk-message-bar").get_attribute("data-own-turn") is None
    table_page.card("7c").click(force=True)
    assert table_page.read()["bubble"] == WORDS["gone"]


def test_the_next_game_button_gets_the_focus_at_the_end(table_page):
    """If the table had it."""
    table_page.mount(golden_scene("stuck"))
    table_page.card("7c").focus()
    over = golden_scene("over_in_a_draw", id=9)
    assert table_page.show(over)["focus"] == "next"
    table_page.keyboard.press("Enter")
    assert table_page.drain()[-1]["kind"] == "next_game"
    table_page.mount(
        {**over, "result": None, "ply": over["last_ply"] - 1, "id": 1, "actor": 0}
        | {"call_to_action": golden_scene("stuck")["call_to_action"]}
    )
    table_page.locate("[data-bar=last]").focus()
    assert table_page.show({**over, "id": 10})["focus"] == "last"  # only looking at a panel moves nothing


def test_the_question_about_actions_covers_no_button(table_page):
    """The question about actions covers no button."""
    table_page.mount(golden_scene("showing"))
    table_page.card("7h").click(force=True)
    dialog_box = table_page.locate(".dk-dialog").bounding_box()
    assert dialog_box["y"] + dialog_box["height"] <= table_page.locate(".dk-actions").bounding_box()["y"]


def test_games_between_bots_can_be_paused(table_page):
    """The page starts them only once."""
    bots = golden_scene("waiting", seats=[{**seat, "player": "first"} for seat in golden_scene("waiting")["seats"]], ply=1, last_ply=1)
    assert table_page.mount(bots)["actions"] == [["stop", WORDS["stop"]]]
    table_page.click("[data-action=stop]")
    assert table_page.drain() == [make_intent("stop", 1)]
    assert table_page.show({**bots, "is_waiting": True, "id": 9})["actions"] == [["start", WORDS["start"]]]
