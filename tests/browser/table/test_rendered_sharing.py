"""Test sharing and pasting positions, open hands, and annotations."""

from __future__ import annotations

import pytest
from rendered_table import golden_scene, make_intent, scene

from durak_widget import Game, Table
from durak_widget.table.message_handlers import build_share_message
from support.spoken import english, english_text

pytestmark = pytest.mark.slow

CLIPBOARD = """(works) => {
  window.copied = [];
  const writeText = async (text) => { if (!works) throw new Error('closed'); window.copied.push(text); };
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: works === null ? undefined : { writeText } });
}"""


def share_content(**look):
    """Return what Python sends to share a moment, and its scene."""
    game = Game(seed=7)
    game.play("attack Jc")
    table = Table(game, {0: "you", 1: "first"}, pace=60_000, **look)
    found = build_share_message(table._session), {**table.scene, "id": 1}
    table.close()
    return found


def open_share_panel(table_page, *, clipboard=True, **look):
    """Open the panel and send its content."""
    found, shown = share_content(**look)
    table_page.mount(shown)
    table_page.page.evaluate(CLIPBOARD, clipboard)
    table_page.choose("share")
    assert table_page.drain() == [make_intent("share", 1)]
    table_page.receive(found)
    return found


def panel_button(table_page, name):
    """Return a button of the panel."""
    return table_page.page.get_by_role("dialog", name=english_text("screen.share")).get_by_role("button", name=name, exact=True)


def test_a_moment_can_be_copied(table_page):
    """As position, game, cell and text."""
    found = open_share_panel(table_page, hands="open")
    for name, key in (
        (english_text("screen.copy.position"), "position"),
        (english_text("screen.copy.game"), "game"),
        (english_text("screen.copy.cell"), "cell"),
        (english_text("screen.copy.words"), "text"),
    ):
        panel_button(table_page, name).click()
        assert table_page.drain("copied") == [found[key]]
    assert table_page.page.get_by_text(english_text("screen.copied")).is_visible()


def test_copies_with_hidden_cards_are_not_offered(table_page):
    """During a game only text and picture."""
    found = open_share_panel(table_page)
    assert [
        panel_button(table_page, name).count()
        for name in (english_text(f"screen.copy.{key}") for key in ("position", "game", "cell", "words"))
    ] == [
        0,
        0,
        0,
        1,
    ]
    assert table_page.page.get_by_text(english("screen.share.hidden")).is_visible()
    assert found["text"] in table_page.locate(".dk-share-picture").get_attribute("alt")


@pytest.mark.parametrize("clipboard", [pytest.param(False, id="refused", marks=pytest.mark.slow), pytest.param(None, id="missing")])
def test_without_a_clipboard_the_text_is_selected(table_page, clipboard):
    """Without a clipboard the text is selected."""
    found = open_share_panel(table_page, clipboard=clipboard, hands="open")
    panel_button(table_page, english_text("screen.copy.position")).click()
    assert table_page.page.evaluate("document.getSelection().toString()") == found["position"]
    assert table_page.page.get_by_text(english("screen.copy.yourself")).is_visible()


def test_a_picture_can_be_saved(table_page):
    """As SVG from Python, and as PNG."""
    found = open_share_panel(table_page)
    with table_page.page.expect_download() as saved:
        panel_button(table_page, "Save SVG").click()
    assert saved.value.path().read_text(encoding="utf-8") == found["picture"]
    with table_page.page.expect_download() as saved:
        panel_button(table_page, "Save PNG").click()
    assert saved.value.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_a_pasted_text_is_checked_before_the_question(table_page):
    """A refused text stays for correction, with the reason."""
    open_share_panel(table_page)
    field = table_page.page.get_by_role("textbox", name=english_text("screen.paste"))
    question = table_page.page.get_by_role("dialog", name=english("screen.paste.ask"))
    field.fill("6c 7c | 9h Tx")
    panel_button(table_page, english_text("screen.paste.lay")).click()
    assert table_page.drain() == [make_intent("check_text", 1, text="6c 7c | 9h Tx")]
    table_page.receive({"kind": "unreadable", "text": [english_text("table.unread", why="'Tx' is not a card"), ""]})
    assert table_page.page.get_by_role("alert").inner_text() == english_text("table.unread", why="'Tx' is not a card")
    table_page.show(share_content()[1], id=5)
    assert (field.input_value(), question.count()) == ("6c 7c | 9h Tx", 0)
    field.fill("6c 7c | 9h Ts")
    panel_button(table_page, english_text("screen.paste.lay")).click()
    assert (table_page.drain(), table_page.page.get_by_role("alert").inner_text()) == (
        [make_intent("check_text", 1, text="6c 7c | 9h Ts")],
        "",
    )
    table_page.receive({"kind": "readable", "text": "6c 7c | 9h Ts"})
    question.get_by_role("button", name=english_text("screen.paste.lay")).click()
    table_page.page.wait_for_function("sent.length")
    assert table_page.drain() == [make_intent("open_text", 1, text="6c 7c | 9h Ts")]
    table_page.page.evaluate("(scene) => model.set('scene', scene)", {**golden_scene("opening", id=6), "game": 5})
    assert table_page.read()["panel"] is None


def test_opening_all_hands_asks_first(table_page):
    """No keeps them closed."""
    table_page.mount(golden_scene("opening"), hands="own")
    table_page.choose("settings")
    table_page.page.get_by_text(english_text("screen.settings.teachers")).click()
    field = table_page.page.get_by_label(english_text("screen.set.hands"))
    for answer, now in (("Cancel", "own"), (english_text("screen.open.yes"), "open")):
        field.select_option("open")
        table_page.page.get_by_role("dialog", name=english("screen.open.ask")).get_by_role("button", name=answer).click()
        table_page.page.wait_for_function("(now) => model.get('hands') === now && !document.querySelector('.dk-dialog')", arg=now)
        assert field.input_value() == now
    field.select_option("hidden")
    assert table_page.page.evaluate("model.get('hands')") == "hidden"


def test_open_hands_are_shown_at_their_seats(table_page):
    """With a name for screen readers."""
    table = Table(Game("podkidnoy, players=3", seed=7), {0: "you", 1: "first", 2: "first"}, hands="open", pace=60_000)
    shown = {**table.scene, "id": 1}
    table_page.mount(shown)
    for seat, cards in ((0, shown["seats"][1]["hand"]), (1, shown["seats"][2]["hand"])):
        place = table_page.page.locator(".dk-seat").nth(seat)
        assert place.locator(".dk-open-hand .dk-card").evaluate_all("(all) => all.map((one) => one.dataset.card)") == cards
        assert place.get_by_role("img").get_attribute("aria-label").count(" of ") == len(cards)
    table.hands = "own"
    table_page.show({**table.scene, "id": 2})
    assert table_page.page.locator(".dk-open-hand .dk-card").count() == 0
    table.close()


def center_of(table_page, selector):
    """Return the centre of an element."""
    box = table_page.locate(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def expect_annotations(table_page, rings, arrows):
    """Check the number of rings and arrows, once they are drawn."""
    found = "([rings, arrows]) => ['rect', 'path'].every((kind, i) => document.querySelectorAll(`.dk-annotations ${kind}`).length === [rings, arrows][i])"
    table_page.page.wait_for_function(found, arg=[rings, arrows], timeout=5000)


@pytest.mark.parametrize("width", [600])
def test_open_hands_do_not_hide_the_last_actions(table_page, width):
    """Open hands do not hide the last actions."""
    scene = golden_scene("open_hands")
    table_page.mount({**scene, "seats": [{**seat, "last_action": "took 3 cards"} for seat in scene["seats"]]})
    table_page.set_width(width)
    table_page.wait_for_frames()
    seats = table_page.page.locator(".dk-seat")
    seen = seats.evaluate_all(
        "(all) => all.map((seat) => ['.dk-last-action', '.dk-open-hand'].map((one) => seat.querySelector(one).getBoundingClientRect()).map(({ top, bottom, height }) => [top, bottom, height]))"
    )
    actions = [(did, cards) for did, cards in seen if did[2]]
    assert actions or width < 560
    for (_, below, _), (above, _, _) in actions:
        assert below <= above


def test_annotations_by_the_right_button(table_page):
    """A ring or an arrow. Repeating removes it. No card is played. The next move clears all."""
    table_page.mount(golden_scene("defending"))
    card, pair = center_of(table_page, ".dk-hand-card"), center_of(table_page, ".dk-pair")
    for at, to, found in ((card, card, [1, 0]), (card, pair, [1, 1]), (card, card, [0, 1])):
        table_page.mouse.move(*at)
        table_page.mouse.down(button="right")
        table_page.mouse.move(*to, steps=3)
        table_page.mouse.up(button="right")
        expect_annotations(table_page, *found)
    assert table_page.drain() == []
    table_page.show(golden_scene("defending", id=9, ply=9))
    expect_annotations(table_page, 0, 0)


def test_annotations_by_the_tool(table_page):
    """Any press annotates until the button or Escape ends it."""
    table_page.mount(golden_scene("defending"))
    table_page.press("m")
    card, pair = center_of(table_page, ".dk-hand-card[data-lit]"), center_of(table_page, ".dk-pair")
    table_page.mouse.click(*card)
    table_page.mouse.move(*card)
    table_page.mouse.down()
    table_page.mouse.move(*pair, steps=4)
    table_page.mouse.up()
    expect_annotations(table_page, 1, 1)
    assert (table_page.drain(), table_page.read()["ghosts"]) == ([], 0)
    table_page.page.get_by_role("button", name="Mark ×").click()
    expect_annotations(table_page, 0, 0)
    table_page.mouse.click(*card)
    assert [sent["kind"] for sent in table_page.drain()] == ["move"] or table_page.read()["picked"]


def test_annotations_by_a_finger(table_page):
    """The page does not scroll meanwhile."""
    table_page.mount(golden_scene("defending"))
    table_page.press("m")
    finger = table_page.page.context.new_cdp_session(table_page.page)
    (x, y), (to_x, to_y) = center_of(table_page, ".dk-hand-card"), center_of(table_page, ".dk-pair")

    def touch(kind, *points):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    touch("touchStart", (x, y))
    for part in range(1, 6):
        touch("touchMove", (x + (to_x - x) * part / 5, y + (to_y - y) * part / 5))
    touch("touchEnd")
    expect_annotations(table_page, 0, 1)
    assert table_page.drain() == []


def test_waiting_bots_and_other_seats_have_a_button(table_page):
    """To go on, to return to the own seat, and to show the hand."""
    waits = scene(Game("podkidnoy, players=3", seed=7))
    table_page.mount({**waits, "waits_for_step": True, "is_rotated": True})
    assert [name for name, _ in table_page.read()["actions"]] == ["step", "home"]
    table_page.press("b")
    table_page.click("[data-action=home]")
    table_page.press("o")
    assert table_page.drain() == [make_intent("step", 0), make_intent("reset_view", 0), make_intent("rotate_view", 0)]
    table_page.mount({**waits, "covered": True, "hand": [], "legal": {}, "hides_hands": True}, hands="hidden")
    table_page.click("[data-action=unhide]")
    assert table_page.page.evaluate("model.get('hands')") == "own"
