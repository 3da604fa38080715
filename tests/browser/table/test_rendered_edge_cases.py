"""Test inputs at the wrong moment: nothing typed, asked or opened is lost, and nothing is stuck."""

from __future__ import annotations

import pytest
from rendered_table import PATIENCE, golden_scene, make_intent
from rendered_table import scene as seen_by
from test_rendered_fullscreen import set_width
from test_rendered_rules_panel import live_table  # noqa: F401 - a fixture
from test_rendered_sharing import expect_annotations, open_share_panel, share_content

from durak_widget import Game
from durak_widget.i18n import get_front_end_texts
from support.spoken import english, english_text

pytestmark = pytest.mark.slow

# Return whether the trump's text and the discard pile overlap.
TOUCH = """() => {
  const words = document.createRange();
  words.selectNodeContents(document.querySelector('.dk-trump span'));
  const piles = [...document.querySelectorAll('.dk-discard .dk-card')].map((card) => card.getBoundingClientRect());
  return piles.length && [...words.getClientRects()].some((one) => piles.some((pile) =>
    one.left < pile.right && pile.left < one.right && one.top < pile.bottom && pile.top < one.bottom));
}"""


def test_typing_in_the_paste_field_plays_nothing(table_page):
    """Typing in the paste field plays nothing."""
    open_share_panel(table_page)
    field = table_page.page.get_by_role("textbox", name=english_text("screen.paste"))
    field.focus()
    table_page.keyboard.type("6c 7c | 9h Ts; trump h")
    assert (field.input_value(), table_page.drain()) == ("6c 7c | 9h Ts; trump h", [])
    assert table_page.read()["panel"] == "Share"


def test_copies_with_hidden_cards_go_when_hands_are_closed(table_page):
    """Copies with hidden cards go when hands are closed."""
    open_share_panel(table_page, hands="open")
    table_page.page.evaluate("model.set('hands', 'own')")
    assert table_page.drain() == [make_intent("share", 1)]
    table_page.receive(share_content(hands="own")[0])
    assert table_page.page.get_by_role("button", name=english_text("screen.copy.game")).count() == 0


def test_a_seed_typed_last_is_used(live_table):  # noqa: F811 - the fixture
    """By one click on *Play*."""
    table = live_table(door=True)
    table.click(f"summary:text-is('{english_text('rules.dialog.own')}')")
    table.click("summary:text-is('More')")
    table.find("[data-key=seed]").focus()
    table.blank.keyboard.type("12")
    table.find("[data-key=play]").click()
    sent = table.blank.drain()
    assert [message["kind"] for message in sent] == ["deal"]
    assert sent[0]["draft"]["seed"] == "12"


def test_the_last_choice_of_rules_is_used(live_table):  # noqa: F811 - the fixture
    """Also before Python answered. A conflict is refused."""
    table = live_table(door=True)
    table.click(f"summary:text-is('{english_text('rules.dialog.own')}')")
    table.click("summary:text-is('Transferring')")
    table.find("[data-key=transfer]").click()
    table.find("[data-key=play]").click()
    table.answer()
    assert table.table.rules.name == "perevodnoy"
    table = live_table(door=True)
    table.click(f"summary:text-is('{english_text('rules.dialog.own')}')")
    table.click("summary:text-is('Transferring')")
    for name in ("transfer", "passport"):
        table.click(f"[data-key={name}]")
    table.find("[data-key=transfer]").click()
    table.find("[data-key=play]").click()
    table.answer()
    assert (table.table.rules.name, table.find(".dk-rules-error").count()) == ("podkidnoy", 1)


def test_quick_changes_keep_the_number_of_players(live_table):  # noqa: F811 - the fixture
    """Quick changes keep the number of players."""
    table = live_table("podkidnoy, players=4", door=True)
    table.click("summary:text-is('Who plays')")
    table.click("summary:text-is('Curiosities')")
    table.find("[data-key=presetsiege]").click()
    table.find("[data-key=seat1]").select_option(index=1)
    table.answer()
    assert table.find("select[data-key^=seat]").count() == 4


def test_the_table_gets_the_focus_if_the_opener_is_gone(table_page):
    """And hears the keys."""
    table_page.mount(golden_scene("throwing_in"))
    table_page.locate("[data-action=hint]").focus()
    table_page.keyboard.press("l")
    table_page.wait_for_panel()
    assert table_page.read()["panel"] == "Moves"
    table_page.show(golden_scene("throwing_in", id=9, can={}))
    table_page.keyboard.press("Escape")
    assert table_page.read()["panel"] is None
    assert table_page.page.evaluate("document.querySelector('.dk').contains(document.activeElement)")


def test_a_question_stays_within_a_resized_table(table_page):
    """With every answer. So does a bubble."""
    table_page.mount(golden_scene("throwing_in", ply=2, last_ply=2))
    table_page.press("n", at="")
    assert table_page.read()["dialog"]
    table_page.page.evaluate("document.querySelector('.dk').parentElement.style.width = '360px'")
    table_page.wait_for_frames()
    box, table = table_page.locate(".dk-dialog").bounding_box(), table_page.locate("").bounding_box()
    assert table["x"] <= box["x"]
    assert box["x"] + box["width"] <= table["x"] + table["width"]
    table_page.keyboard.press("Escape")
    note = {"kind": "refused", "text": ["It is not your turn.", "It is not your turn."], "card": "9d", "code": "not_your_turn"}
    table_page.page.evaluate("document.querySelector('.dk').parentElement.style.width = '1000px'")
    table_page.wait_for_frames()
    table_page.show(golden_scene("throwing_in", id=7, ply=2, last_ply=2, note=note))
    table_page.page.evaluate("document.querySelector('.dk').parentElement.style.width = '360px'")
    table_page.wait_for_frames()
    box, table = table_page.locate(".dk-bubble").bounding_box(), table_page.locate("").bounding_box()
    assert box["x"] + box["width"] <= table["x"] + table["width"]


def test_six_players_on_a_phone_keep_their_names(table_page):
    """The text of a lesson calls them by name. The last word of the name is enough; a long one becomes a number."""
    named = ["nephew", "uncle", "you", "neighbour", "aunt", "grandmother"]
    crowd = golden_scene("a_crowd")
    seats = [
        {**seat, **({"player": who, "is_named": True} if who != "you" else {})} for seat, who in zip(crowd["seats"], named, strict=True)
    ]
    table_page.mount({**crowd, "seats": seats})
    table_page.set_width(318)
    short = """() => [...document.querySelectorAll('.dk-plate-text')].map((one) => [
        getComputedStyle(one, '::before').content, one.scrollWidth > one.clientWidth || one.offsetWidth > one.parentElement.clientWidth])"""
    shown = table_page.page.evaluate(short)
    assert sorted(name.strip('"') for name, _ in shown) == ["Lida", "P6", "Tim", "Yasha", "Zina"]
    assert not any(is_cut for _, is_cut in shown)
    table_page.mount(crowd)


def test_annotations_are_cleared_for_the_next_person(table_page):
    """Annotations are cleared for the next person."""
    table_page.mount(golden_scene("throwing_in"))
    table_page.card("9d").click(button="right")
    expect_annotations(table_page, 1, 0)
    table_page.show(golden_scene("throwing_in", id=9, covered=True, hand=[]))
    expect_annotations(table_page, 0, 0)


def test_no_card_is_queued_in_another_seats_hand(table_page):
    """It is refused."""
    scene = golden_scene("throwing_in", actor=1, legal={}, can={})
    watched = [{**seat, "player": "first"} if number == scene["viewer"] else seat for number, seat in enumerate(scene["seats"])]
    table_page.mount({**scene, "seats": watched})
    table_page.card("9d").click(force=True)
    assert table_page.page.locator("[data-queued]").count() == 0


def test_a_queued_pass_waits_for_an_open_question(table_page):
    """The player passes after the question is answered."""
    waiting = golden_scene("throwing_in", actor=1, legal={}, can={})
    table_page.mount(golden_scene("throwing_in", can={"done": True}))
    table_page.click("[data-action=done]")
    assert table_page.drain() == [make_intent("move", 0, move="pass")]
    table_page.show({**waiting, "id": 7, "ply": 1, "last_ply": 1})
    table_page.press("n", at="")
    assert table_page.read()["dialog"]
    table_page.page.evaluate("(scene) => model.set('scene', scene)", golden_scene("throwing_in", id=8, ply=2, last_ply=2, game=4))
    table_page.elapse(0)
    assert table_page.drain() == []
    table_page.keyboard.press("Escape")
    table_page.elapse(300)
    assert table_page.drain() == [make_intent("move", 2, move="pass")]


def test_a_panel_reports_a_lost_kernel_and_fills_later(table_page):
    """A panel reports a lost kernel and fills later."""
    table_page.mount(golden_scene("throwing_in"))
    table_page.page.evaluate("() => { window.gone = true; }")
    table_page.choose("list")
    panel = table_page.locate(".dk-panel")
    assert english("screen.gone").search(panel.inner_text())
    assert panel.get_attribute("aria-busy") is None
    table_page.page.evaluate("() => { window.gone = false; heard.get('comm_live_update')(); }")
    table_page.wait_for_panel()
    assert "move_list" in [message["kind"] for message in table_page.drain()]


def test_full_screen_can_be_left_while_it_starts(table_page):
    """By pressing the key twice."""
    table_page.mount(golden_scene("throwing_in"))
    table_page.page.evaluate("""() => {
      const root = document.querySelector('.dk'), matches = root.matches;
      root.requestFullscreen = () => new Promise((done) => { window.entered = () => { root.whole = true; done(); }; });
      root.matches = (what) => what === ':fullscreen' ? Boolean(root.whole) : matches.call(root, what);
      document.exitFullscreen = async () => { root.whole = false; };
    }""")
    table_page.press("z")
    table_page.press("z")
    table_page.page.evaluate("entered()")
    table_page.wait_for_frames()
    table_page.page.evaluate("delete document.exitFullscreen")  # other tests share the page
    assert (table_page.page.evaluate("document.querySelector('.dk').whole"), table_page.locate("").get_attribute("data-full")) == (
        False,
        None,
    )


@pytest.mark.parametrize("language", ["lt"])
def test_the_trump_is_readable_on_a_low_screen_without_a_talon(table_page, set_screen_size, language):
    """To the end of the game."""
    game = Game("podkidnoy, players=3", seed=4)
    while game.view(0).talon_count or (game.outcome is None and not game.table):
        game.play(game.legal_moves()[0])
    for width, height in ((820, 390), (596, 280)):
        set_screen_size(width + 40, height)
        table_page.mount(seen_by(game, language=language), words=get_front_end_texts(language), language=language)
        set_width(table_page, width)
        assert table_page.page.evaluate(TOUCH) is False


def test_open_settings_cause_no_warning(table_page):
    """Python answers their request for beaten opponents."""
    table_page.mount(golden_scene("throwing_in"))
    table_page.choose("settings")
    table_page.wait_for_panel()
    assert [message["kind"] for message in table_page.drain()] == ["opponents"]
    table_page.receive({"kind": "opponents", "beaten": [], "next_opponent": "grandson"})
    table_page.elapse(PATIENCE)
    assert table_page.read()["bubble"] is None
