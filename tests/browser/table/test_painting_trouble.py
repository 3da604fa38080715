"""A table in trouble on a painted page: what is typed, asked or opened at the wrong moment is not lost, and nobody is stuck."""

from __future__ import annotations

import pytest
from painted import PATIENCE, golden, intent
from painted import scene as seen_by
from test_painting_door import live  # noqa: F401 - a fixture
from test_painting_room import within
from test_painting_shared import marked, opened, told

from durak_widget import Game
from durak_widget.i18n import get_front_end_texts

pytestmark = pytest.mark.slow

# Whether the words of the trump and the discard pile lie on each other.
TOUCH = """() => {
  const words = document.createRange();
  words.selectNodeContents(document.querySelector('.dk-trump span'));
  const piles = [...document.querySelectorAll('.dk-discard .dk-card')].map((card) => card.getBoundingClientRect());
  return piles.length && [...words.getClientRects()].some((one) => piles.some((pile) =>
    one.left < pile.right && pile.left < one.right && one.top < pile.bottom && pile.top < one.bottom));
}"""


def test_a_game_is_typed_letter_by_letter(blank):
    """No key of what is typed below the words and the picture is taken for one of the table's."""
    opened(blank)
    field = blank.page.get_by_role("textbox", name="To lay a game or a position here")
    field.focus()
    blank.keyboard.type("6c 7c | 9h Ts; trump h")
    assert (field.input_value(), blank.take()) == ("6c 7c | 9h Ts; trump h", [])
    assert blank.read()["panel"] == "Share"


def test_what_names_hidden_cards_is_taken_away_again(blank):
    """When the hands are closed, what may be copied is asked for anew."""
    opened(blank, hands="open")
    blank.page.evaluate("model.set('hands', 'own')")
    assert blank.take() == [intent("share", 1)]
    blank.hear(told(hands="own")[0])
    assert blank.page.get_by_role("button", name="Whole game").count() == 0


def test_a_seed_typed_last_is_played(live):  # noqa: F811 - the fixture
    """By one click on Play, with nothing pressed between."""
    table = live(door=True)
    table.click("summary:text-is('More')")
    table.find("[data-key=seed]").focus()
    table.blank.keyboard.type("12")
    table.find("[data-key=play]").click()
    sent = table.blank.take()
    assert [message["kind"] for message in sent] == ["deal"]
    assert sent[0]["draft"]["seed"] == "12"


def test_what_is_chosen_last_is_played(live):  # noqa: F811 - the fixture
    """Also before Python has answered it; what then cannot be mixed is refused, and what is played stays."""
    table = live(door=True)
    table.click("summary:text-is('Transferring')")
    table.find("[data-key=transfer]").click()
    table.find("[data-key=play]").click()
    table.answer()
    assert table.table.rules.name == "perevodnoy"
    table = live(door=True)
    table.click("summary:text-is('Transferring')")
    table.find("[data-key=passport]").click()
    table.find("[data-key=play]").click()
    table.answer()
    assert (table.table.rules.name, table.find(".dk-rules-error").count()) == ("podkidnoy", 1)


def test_the_number_of_players_outlives_a_quick_change(live):  # noqa: F811 - the fixture
    """A game is chosen, and a seat before that was answered."""
    table = live("podkidnoy, players=4", door=True)
    table.click("summary:text-is('Who plays')")
    table.find("[data-key=preset]").select_option(label="Siege")
    table.find("[data-key=seat1]").select_option(index=1)
    table.answer()
    assert table.find("select[data-key^=seat]").count() == 4


def test_the_focus_stays_at_the_table_when_what_it_came_from_is_gone(blank):
    """The button from which a drawer was opened is not there any more when it closes: the table has the focus, and hears the keys."""
    blank.lay(golden("throwing_in"))
    blank.one("[data-action=hint]").focus()
    blank.keyboard.press("l")
    blank.loaded()
    assert blank.read()["panel"] == "Moves"
    blank.show(golden("throwing_in", id=9, can={}))
    blank.keyboard.press("Escape")
    assert blank.read()["panel"] is None
    assert blank.page.evaluate("document.querySelector('.dk').contains(document.activeElement)")


def test_a_question_moves_with_the_table(blank):
    """When the whole screen is left, or the page is turned, it is still within the table, with every answer; and so is what is said beside a card."""
    blank.lay(golden("throwing_in", ply=2, last_ply=2))
    blank.press("n", at="")
    assert blank.read()["dialog"]
    blank.page.evaluate("document.querySelector('.dk').parentElement.style.width = '360px'")
    blank.frames()
    box, table = blank.one(".dk-dialog").bounding_box(), blank.one("").bounding_box()
    assert table["x"] <= box["x"]
    assert box["x"] + box["width"] <= table["x"] + table["width"]
    blank.keyboard.press("Escape")
    note = {"kind": "refused", "text": ["It is not your turn.", "It is not your turn."], "card": "9d", "code": "not_your_turn"}
    blank.page.evaluate("document.querySelector('.dk').parentElement.style.width = '1000px'")
    blank.frames()
    blank.show(golden("throwing_in", id=7, ply=2, last_ply=2, note=note))
    blank.page.evaluate("document.querySelector('.dk').parentElement.style.width = '360px'")
    blank.frames()
    box, table = blank.one(".dk-bubble").bounding_box(), blank.one("").bounding_box()
    assert box["x"] + box["width"] <= table["x"] + table["width"]


def test_no_mark_is_left_for_the_next_person(blank):
    """A ring round a card is gone with the hand in which the card lay."""
    blank.lay(golden("throwing_in"))
    blank.card("9d").click(button="right")
    marked(blank, 1, 0)
    blank.show(golden("throwing_in", id=9, covered=True, hand=[]))
    marked(blank, 0, 0)


def test_no_card_waits_in_a_hand_that_one_only_looks_at(blank):
    """From a bot's seat a card is refused, and not kept for a moment that never comes."""
    scene = golden("throwing_in", actor=1, legal={}, can={})
    watched = [{**seat, "player": "first"} if number == scene["viewer"] else seat for number, seat in enumerate(scene["seats"])]
    blank.lay({**scene, "seats": watched})
    blank.card("9d").click(force=True)
    assert blank.page.locator("[data-queued]").count() == 0


def test_what_waits_is_done_after_a_question(blank):
    """Who is done with the bout passes once what was asked meanwhile is answered."""
    waiting = golden("throwing_in", actor=1, legal={}, can={})
    blank.lay(golden("throwing_in", can={"done": True}))
    blank.click("[data-action=done]")
    assert blank.take() == [intent("move", 0, move="pass")]
    blank.show({**waiting, "id": 7, "ply": 1, "last_ply": 1})
    blank.press("n", at="")
    assert blank.read()["dialog"]
    blank.page.evaluate("(scene) => model.set('scene', scene)", golden("throwing_in", id=8, ply=2, last_ply=2, game=4))
    blank.elapse(0)
    assert blank.take() == []
    blank.keyboard.press("Escape")
    blank.elapse(300)
    assert blank.take() == [intent("move", 2, move="pass")]


def test_a_drawer_says_that_python_is_gone_and_fills_when_it_is_back(blank):
    """Nothing in it is waited for in vain, and it need not be opened twice."""
    blank.lay(golden("throwing_in"))
    blank.page.evaluate("() => { window.gone = true; }")
    blank.one("[data-bar=list]").click(force=True)
    panel = blank.one(".dk-panel")
    assert "The kernel of this table is gone." in panel.inner_text()
    assert panel.get_attribute("aria-busy") is None
    blank.page.evaluate("() => { window.gone = false; heard.get('comm_live_update')(); }")
    blank.loaded()
    assert "move_list" in [message["kind"] for message in blank.take()]


def test_the_whole_screen_is_left_also_while_it_is_entered(blank):
    """Twice the key, before the browser has answered the first: the table is as it was."""
    blank.lay(golden("throwing_in"))
    blank.page.evaluate("""() => {
      const root = document.querySelector('.dk'), matches = root.matches;
      root.requestFullscreen = () => new Promise((done) => { window.entered = () => { root.whole = true; done(); }; });
      root.matches = (what) => what === ':fullscreen' ? Boolean(root.whole) : matches.call(root, what);
      document.exitFullscreen = async () => { root.whole = false; };
    }""")
    blank.press("z")
    blank.press("z")
    blank.page.evaluate("entered()")
    blank.frames()
    blank.page.evaluate("delete document.exitFullscreen")  # the page is shared
    assert (blank.page.evaluate("document.querySelector('.dk').whole"), blank.one("").get_attribute("data-full")) == (False, None)


@pytest.mark.parametrize("language", ["lt"])
def test_without_a_talon_the_trump_is_read_where_it_is_low(blank, screen_of, language):
    """The discard pile makes way for its words, to the end of the game."""
    game = Game("podkidnoy, players=3", seed=4)
    while game.view(0).talon_count or (game.outcome is None and not game.table):
        game.play(game.legal_moves()[0])
    for width, height in ((820, 390), (596, 280)):
        screen_of(width + 40, height)
        blank.lay(seen_by(game, language=language), words=get_front_end_texts(language), language=language)
        within(blank, width)
        assert blank.page.evaluate(TOUCH) is False


def test_settings_that_stay_open_bring_no_warning(blank):
    """They ask which opponents have been beaten, and get that: nothing says that Python has not answered."""
    blank.lay(golden("throwing_in"))
    blank.click("[data-bar=settings]")
    blank.loaded()
    assert [message["kind"] for message in blank.take()] == ["opponents"]
    blank.hear({"kind": "opponents", "beaten": [], "next_opponent": "grandson"})
    blank.elapse(PATIENCE)
    assert blank.read()["bubble"] is None
