"""What is shared from a table and brought to it, open hands, and marks for explaining."""

from __future__ import annotations

import pytest
from painted import golden, intent, scene

from durak_widget import Game, Table
from durak_widget.table.message_handlers import build_share_message

pytestmark = pytest.mark.slow

CLIPBOARD = """(works) => {
  window.copied = [];
  const writeText = async (text) => { if (!works) throw new Error('closed'); window.copied.push(text); };
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: works === null ? undefined : { writeText } });
}"""


def told(**look):
    """What Python gives of a moment to be shared, and its scene."""
    game = Game(seed=7)
    game.play("attack Jc")
    table = Table(game, {0: "you", 1: "first"}, pace=60_000, **look)
    found = build_share_message(table._session), {**table.scene, "id": 1}
    table.close()
    return found


def opened(blank, *, clipboard=True, **look):
    """The panel, open over a table; what was told to it."""
    found, shown = told(**look)
    blank.lay(shown)
    blank.page.evaluate(CLIPBOARD, clipboard)
    blank.click("[data-bar=share]")
    assert blank.take() == [intent("share", 1)]
    blank.hear(found)
    return found


def button(blank, name):
    """A button of the panel."""
    return blank.page.get_by_role("dialog", name="Share").get_by_role("button", name=name, exact=True)


def test_a_moment_is_copied(blank):
    """The position, the whole game, the cell that makes it, and the table in words."""
    found = opened(blank, hands="open")
    for name, key in (("Position", "position"), ("Whole game", "game"), ("Cell", "cell"), ("In words", "text")):
        button(blank, name).click()
        assert blank.take("copied") == [found[key]]
    assert blank.page.get_by_text("Copied.").is_visible()


def test_what_names_hidden_cards_is_not_offered(blank):
    """While a game is on there are the words and the picture, and it is said when there will be more."""
    found = opened(blank)
    assert [button(blank, name).count() for name in ("Position", "Whole game", "Cell", "In words")] == [0, 0, 0, 1]
    assert blank.page.get_by_text("they can be copied when the game is over").is_visible()
    assert found["text"] in blank.one(".dk-share-picture").get_attribute("alt")


@pytest.mark.parametrize("clipboard", [pytest.param(False, id="refused", marks=pytest.mark.slow), pytest.param(None, id="missing")])
def test_where_the_clipboard_is_closed_the_text_is_marked(blank, clipboard):
    """It stands there, chosen, for the person to copy."""
    found = opened(blank, clipboard=clipboard, hands="open")
    button(blank, "Position").click()
    assert blank.page.evaluate("document.getSelection().toString()") == found["position"]
    assert blank.page.get_by_text("It is marked below").is_visible()


def test_a_picture_is_saved(blank):
    """As SVG, the very one that Python draws; and as PNG."""
    found = opened(blank)
    with blank.page.expect_download() as saved:
        button(blank, "Save SVG").click()
    assert saved.value.path().read_text(encoding="utf-8") == found["picture"]
    with blank.page.expect_download() as saved:
        button(blank, "Save PNG").click()
    assert saved.value.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_a_text_is_laid_after_a_question_that_is_asked_of_no_faulty_one(blank):
    """Python is asked first: refused it stays to be mended, and why is said beside it at once; what can be laid is laid when the person has said so."""
    opened(blank)
    field = blank.page.get_by_role("textbox", name="To lay a game or a position here")
    question = blank.page.get_by_role("dialog", name="Lay this one instead?")
    field.fill("6c 7c | 9h Tx")
    button(blank, "Lay it").click()
    assert blank.take() == [intent("check_text", 1, text="6c 7c | 9h Tx")]
    blank.hear({"kind": "unreadable", "text": ["This cannot be laid: 'Tx' is not a card", ""]})
    assert blank.page.get_by_role("alert").inner_text() == "This cannot be laid: 'Tx' is not a card"
    blank.show(told()[1], id=5)
    assert (field.input_value(), question.count()) == ("6c 7c | 9h Tx", 0)
    field.fill("6c 7c | 9h Ts")
    button(blank, "Lay it").click()
    assert (blank.take(), blank.page.get_by_role("alert").inner_text()) == ([intent("check_text", 1, text="6c 7c | 9h Ts")], "")
    blank.hear({"kind": "readable", "text": "6c 7c | 9h Ts"})
    question.get_by_role("button", name="Lay it").click()
    blank.page.wait_for_function("sent.length")
    assert blank.take() == [intent("open_text", 1, text="6c 7c | 9h Ts")]
    blank.page.evaluate("(scene) => model.set('scene', scene)", {**golden("opening", id=6), "game": 5})
    assert blank.read()["panel"] is None


def test_all_hands_are_opened_after_a_question(blank):
    """Whoever says no keeps them closed, and the setting says so."""
    blank.lay(golden("opening"), hands="own")
    blank.click("[data-bar=settings]")
    field = blank.page.get_by_label("Hands that lie open")
    for answer, now in (("Cancel", "own"), ("Open the hands", "open")):
        field.select_option("open")
        blank.page.get_by_role("dialog", name="Then all hands lie open").get_by_role("button", name=answer).click()
        blank.page.wait_for_function("(now) => model.get('hands') === now && !document.querySelector('.dk-dialog')", arg=now)
        assert field.input_value() == now
    field.select_option("hidden")
    assert blank.page.evaluate("model.get('hands')") == "hidden"


def test_open_hands_lie_at_their_seats(blank):
    """Face up, named for who does not see them, and gone when they are closed."""
    table = Table(Game("podkidnoy, players=3", seed=7), {0: "you", 1: "first", 2: "first"}, hands="open", pace=60_000)
    shown = {**table.scene, "id": 1}
    blank.lay(shown)
    for seat, cards in ((0, shown["seats"][1]["hand"]), (1, shown["seats"][2]["hand"])):
        place = blank.page.locator(".dk-seat").nth(seat)
        assert place.locator(".dk-open-hand .dk-card").evaluate_all("(all) => all.map((one) => one.dataset.card)") == cards
        assert place.get_by_role("img").get_attribute("aria-label").count(" of ") == len(cards)
    table.hands = "own"
    blank.show({**table.scene, "id": 2})
    assert blank.page.locator(".dk-open-hand .dk-card").count() == 0
    table.close()


def middle_of(blank, selector):
    """Where an element is."""
    box = blank.one(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def marked(blank, rings, arrows):
    """So many rings and arrows are drawn, as soon as what draws them has come."""
    found = "([rings, arrows]) => ['rect', 'path'].every((kind, i) => document.querySelectorAll(`.dk-annotations ${kind}`).length === [rings, arrows][i])"
    blank.page.wait_for_function(found, arg=[rings, arrows], timeout=5000)


@pytest.mark.parametrize("width", [600])
def test_open_hands_leave_what_each_seat_did_last(blank, width):
    """It stands below the plate, where there is room for it, and above the cards."""
    scene = golden("open_hands")
    blank.lay({**scene, "seats": [{**seat, "last_action": "took 3 cards"} for seat in scene["seats"]]})
    blank.widen(width)
    blank.frames()
    seats = blank.page.locator(".dk-seat")
    seen = seats.evaluate_all(
        "(all) => all.map((seat) => ['.dk-last-action', '.dk-open-hand'].map((one) => seat.querySelector(one).getBoundingClientRect()).map(({ top, bottom, height }) => [top, bottom, height]))"
    )
    told = [(did, cards) for did, cards in seen if did[2]]
    assert told or width < 560
    for (_, below, _), (above, _, _) in told:
        assert below <= above


def test_marks_by_the_right_button(blank):
    """A ring, an arrow, the same once more takes it away; no card is played, no menu opens; the next move erases them."""
    blank.lay(golden("defending"))
    card, pair = middle_of(blank, ".dk-hand-card"), middle_of(blank, ".dk-pair")
    for at, to, found in ((card, card, [1, 0]), (card, pair, [1, 1]), (card, card, [0, 1])):
        blank.mouse.move(*at)
        blank.mouse.down(button="right")
        blank.mouse.move(*to, steps=3)
        blank.mouse.up(button="right")
        marked(blank, *found)
    assert blank.take() == []
    blank.show(golden("defending", id=9, ply=9))
    marked(blank, 0, 0)


def test_marks_by_the_tool(blank):
    """With the key or its button any press marks; the same button, or Escape, ends it, and cards play again."""
    blank.lay(golden("defending"))
    blank.press("m")
    card, pair = middle_of(blank, ".dk-hand-card[data-lit]"), middle_of(blank, ".dk-pair")
    blank.mouse.click(*card)
    blank.mouse.move(*card)
    blank.mouse.down()
    blank.mouse.move(*pair, steps=4)
    blank.mouse.up()
    marked(blank, 1, 1)
    assert (blank.take(), blank.read()["ghosts"]) == ([], 0)
    blank.page.get_by_role("button", name="Mark ×").click()
    marked(blank, 0, 0)
    blank.mouse.click(*card)
    assert [sent["kind"] for sent in blank.take()] == ["move"] or blank.read()["picked"]


def test_marks_by_a_finger(blank):
    """A finger draws an arrow too, and the page does not scroll meanwhile."""
    blank.lay(golden("defending"))
    blank.press("m")
    finger = blank.page.context.new_cdp_session(blank.page)
    (x, y), (to_x, to_y) = middle_of(blank, ".dk-hand-card"), middle_of(blank, ".dk-pair")

    def touch(kind, *points):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    touch("touchStart", (x, y))
    for part in range(1, 6):
        touch("touchMove", (x + (to_x - x) * part / 5, y + (to_y - y) * part / 5))
    touch("touchEnd")
    marked(blank, 0, 1)
    assert blank.take() == []


def test_the_next_step_is_one_press(blank):
    """A bot that waits for a word has its button; so has whoever looks from elsewhere, to come home, and whose cards are hidden."""
    waits = scene(Game("podkidnoy, players=3", seed=7))
    blank.lay({**waits, "waits_for_step": True, "is_rotated": True})
    assert [name for name, _ in blank.read()["actions"]] == ["step", "home"]
    blank.press("b")
    blank.click("[data-action=home]")
    blank.press("o")
    assert blank.take() == [intent("step", 0), intent("reset_view", 0), intent("rotate_view", 0)]
    blank.lay({**waits, "covered": True, "hand": [], "legal": {}, "hides_hands": True}, hands="hidden")
    blank.click("[data-action=unhide]")
    assert blank.page.evaluate("model.get('hands')") == "own"
