"""Test the rules panel: the name on the felt, the rules in words, the form, and starting a game from it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from rendered_table import LOOK, find_axe_violations

from durak_widget import Game, Match, Rules, Table
from durak_widget.i18n import LANGUAGES, Translator
from durak_widget.rules.preset_catalogue import PRESETS
from durak_widget.rules.rules_form import build_field, list_presets
from support.spoken import english, english_text

pytestmark = pytest.mark.slow


class LiveTable:
    """A table page with a real table behind it."""

    def __init__(self, table_page, *given, width=1000, **more):
        self.blank, self.page, self.messages_to_page = table_page, table_page.page, []
        self.table = Table(*given, **{"seed": 7, **more})
        self.table._session.send = self.messages_to_page.append
        table_page.mouse.move(1190, 790)
        state = self.table.get_state()
        self.page.evaluate("lay", {**LOOK, **{name: state[name] for name in ("scene", "words", "bots", "door", "language")}})
        self.blank.set_width(width)
        self.blank.wait_for_frames()
        self.heard = []
        self.answer()

    def answer(self):
        """Let Python handle the sent messages and the page the answers."""
        while sent := self.blank.drain():
            self.heard += sent
            for message in sent:
                self.table._handle_custom_msg(message, [])
            self.page.evaluate("(scene) => model.set('scene', scene)", self.table.scene)
            for expected in self.messages_to_page:
                self.blank.receive(expected)
            self.messages_to_page.clear()

    def sent_kinds(self):
        """Return the kinds of messages since the last call."""
        return [self.heard.pop(0)["kind"] for _ in range(len(self.heard))]

    def find(self, selector):
        """Return an element of the panel."""
        return self.page.locator(f".dk-panel {selector}")

    def click(self, selector):
        """Click in the panel and wait for the answer."""
        self.find(selector).click()
        self.answer()

    def choose(self, key, label):
        """Choose from a list in the panel."""
        self.find(f"[data-key={key}]").select_option(label=label)
        self.answer()

    def press_key(self, key):
        """Press a key and wait for the answer."""
        self.blank.keyboard.press(key)
        self.answer()


@pytest.fixture
def live_table(table_page):
    """Open a live table, and close it after the test."""
    tables = []

    def lay(*given, **more):
        tables.append(LiveTable(table_page, *given, **more))
        return tables[-1]

    yield lay
    for table in tables:
        table.table.close()


def test_the_name_on_the_felt_opens_the_rules(live_table):
    """By click and key. What beats what is open, all the rules are folded. Escape closes it and restores the focus."""
    table = live_table("siege", width=360)
    title = table.page.get_by_role("button", name=f"{english_text('screen.rules')}: Siege")
    assert (title.inner_text(), table.sent_kinds()) == ("Siege", [])
    title.click()
    table.answer()
    assert table.sent_kinds() == ["draft"]
    panel = table.page.get_by_role("dialog", name=english_text("screen.rules"))
    assert f"Siege · {PRESETS['siege'].summary}" in panel.inner_text()
    assert panel.get_by_text(english("rules.play.beat")).is_visible()
    sentence_of = {name: sentence for _, rows in Rules.preset("siege").explain().groups for name, _, sentence in rows}
    assert panel.get_by_text(sentence_of["throw_in_when"]).first.is_visible()
    rule = panel.get_by_text(sentence_of["hidden_trump"]).first
    assert not rule.is_visible()
    panel.get_by_text(english_text("rules.all")).click()
    assert rule.is_visible()
    table.press_key("Escape")
    assert (panel.count(), title.evaluate("(one) => one === document.activeElement")) == (0, True)
    for _ in range(2):
        table.press_key("v")
    assert (panel.count(), table.sent_kinds()) == (0, [])


def test_a_large_hand_fits_beside_the_panel_that_opens_first(live_table):
    """The code of the panel comes late and makes it wider; then the hand is laid out again, and each card can be pressed."""
    game = Game.from_position(
        hands=["6c 8c Tc Jc 7d 9d Qd Kd 6h 9s As", "7c 9c Qc 8d"], trump="s", attacker=1, table="8h", talon="7h 6s", turn_up="6s"
    )
    table = live_table(game, width=1200)
    table.page.locator(".dk-rules-button").click()
    table.answer()
    table.find("[data-key^=preset]").first.wait_for()
    table.blank.wait_for_frames()
    felt = table.page.locator(".dk-felt").bounding_box()
    cards = table.page.locator(".dk-hand-card")
    assert cards.count() == 11
    for i in range(11):
        box = cards.nth(i).bounding_box()
        assert box["x"] + box["width"] <= felt["x"] + felt["width"]
        point = [box["x"] + 20, box["y"] + 20]
        assert cards.nth(i).evaluate("(card, point) => card.contains(document.elementFromPoint(...point))", point)


@pytest.mark.parametrize("width", [1000, 360])
def test_the_two_classic_games_are_buttons_above_the_rules(live_table, width):
    """They are in sight without scrolling. One press plays a game, and the panel no longer takes space from the table."""
    table = live_table(width=width)
    table.page.locator(".dk-rules-button").click()
    table.answer()
    panel = table.page.locator(".dk-panel").bounding_box()
    offers = table.find("[data-key^=offer]")
    assert [offers.nth(i).get_attribute("data-key") for i in range(2)] == ["offerpodkidnoy", "offerperevodnoy"]
    assert offers.nth(1).bounding_box()["y"] + offers.nth(1).bounding_box()["height"] < panel["y"] + panel["height"]
    assert table.find("[aria-current]").get_attribute("data-key") == "offerpodkidnoy"
    table.click("[data-key=offerperevodnoy]")
    assert (table.table.rules.name, table.blank.read()["panel"]) == ("perevodnoy", None)


@pytest.mark.parametrize("width", [1000, 360])
def test_a_scrolled_panel_can_be_closed(live_table, width):
    """The button stays in the corner of the panel, and covers nothing that can be pressed."""
    table = live_table(width=width)
    table.page.locator(".dk-rules-button").click()
    table.answer()
    close = table.find("[data-key=close]")
    place = close.bounding_box()
    heading = table.find("h2").bounding_box()
    assert abs(place["y"] + place["height"] / 2 - heading["y"] - heading["height"] / 2) < 5
    table.page.locator(".dk-panel").evaluate("(panel) => panel.scrollTo(0, panel.scrollHeight)")
    table.blank.wait_for_frames()
    panel, later = table.page.locator(".dk-panel").bounding_box(), close.bounding_box()
    assert later["x"] == place["x"]
    assert panel["y"] <= later["y"] <= place["y"]
    close.click()
    assert table.blank.read()["panel"] is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_two_classic_games_are_first_in_the_list(live_table, language):
    """No fold hides them."""
    table = live_table(language=language)
    table.page.locator(".dk-rules-button").click()
    table.answer()
    offered = table.find("[data-key^=preset]")
    assert [offered.nth(i).get_attribute("data-key") for i in range(2)] == ["presetpodkidnoy", "presetperevodnoy"]
    assert [offered.nth(i).is_visible() for i in range(2)] == [True, True]


def test_the_rules_of_the_standard_game_are_folded_under_a_name(live_table):
    """Every fold has a name."""
    table = live_table(language="ru")
    table.page.locator(".dk-rules-button").click()
    table.answer()
    expected = next(rows for _, rows in table.table.rules.explain("ru").groups if rows)[0][2]
    rule = table.find("li").get_by_text(expected, exact=True)
    assert rule.is_hidden()
    assert [text for text in table.find("summary").all_text_contents() if not text.strip()] == []
    table.find("summary").get_by_text(Translator("ru").translate("rules.all"), exact=True).click()
    assert rule.is_visible()


def test_an_option_updates_the_rules_at_once(live_table):
    """It marks its question. Focus and folds stay."""
    table = live_table()
    table.blank.press("v")
    table.answer()
    table.click(f"summary:text-is('{english_text('rules.dialog.own')}')")
    table.click("summary:text-is('The deck')")
    table.click(f"label:has-text('{dict(build_field('jokers', 0).offers)[2]}')")
    assert table.heard[-1]["draft"]["options"]["jokers"] == 2
    assert table.find("[data-key=jokers]").is_checked()
    assert "fold" not in table.blank.read()["focus"]
    assert table.find("[data-changed] > summary").all_inner_texts() == ["The deck"]
    assert "Changed: 1" in table.find(".dk-start-bar").inner_text()
    table.choose("ranks", "9 10 J Q K A")
    assert "Changed: 2" in table.find(".dk-start-bar").inner_text()
    table.click("summary:text-is('Curiosities')")
    table.click("[data-key=presetpoker]")
    assert (table.find(".dk-start-bar p").inner_text(), table.heard[-1]["draft"]["preset"]) == ("Poker", "poker")
    assert table.find("[aria-pressed=true] b").all_inner_texts() == ["Poker"]
    table.choose("players", "4")
    assert table.find("select[data-key^=seat]").count() == 4
    table.click("summary:text-is('Trumps')")
    table.click(f"label:has-text('{dict(build_field('trump', 'turn_up').offers)['none']}')")
    assert table.find("[data-key=trumpnone]").is_checked()
    assert table.table.rules.name == "podkidnoy"


def test_conflicting_options_are_explained_and_not_played(live_table):
    """The reason and its fix are shown and announced. The choices stay."""
    table = live_table()
    table.blank.press("v")
    table.answer()
    table.click(f"summary:text-is('{english_text('rules.dialog.own')}')")
    table.click("summary:text-is('Transferring')")
    table.click("[data-key=transfer]")
    table.click("[data-key=passport]")
    table.click("[data-key=transfer]")
    sentence = english_text("rules.refused.passport")
    assert (table.find(".dk-rules-error").inner_text(), table.blank.read()["status"]) == (sentence, sentence)
    play = table.page.get_by_role("button", name=english_text("rules.dialog.play"), exact=True)
    assert play.get_attribute("aria-disabled") == "true"
    table.sent_kinds()
    play.click(force=True)
    assert (table.blank.drain(), table.find("[data-key=passport]").is_checked()) == ([], True)
    table.click("[data-key=transfer]")
    assert (table.find(".dk-rules-error").count(), play.get_attribute("aria-disabled")) == (0, None)
    play.click()
    table.answer()
    assert (table.table.rules.name, table.page.locator(".dk-rules-button").inner_text()) == ("passport", "Passport")


@pytest.mark.parametrize("width", [1000, pytest.param(360, marks=pytest.mark.slow)])
def test_starting_other_rules_during_a_game_asks_first(live_table, width):
    """Like *New game*. Then the panel closes, and the table has all the space."""
    table = live_table(width=width)
    table.table.play("attack Jc")
    table.page.evaluate("(scene) => model.set('scene', scene)", table.table.scene)
    table.blank.press("v", at="")
    table.answer()
    table.click("summary:text-is('Curiosities')")
    table.click("[data-key=presetsiege]")
    table.sent_kinds()
    table.click("[data-key=play]")
    assert (table.blank.read()["dialog"], table.sent_kinds()) == (english_text("screen.new.ask"), [])
    table.press_key("Enter")
    assert (table.sent_kinds()[0], table.table.rules.name, table.table.game.ply) == ("deal", "siege", 0)
    assert table.blank.read()["panel"] is None
    table.press_key("v")
    assert "Siege · " in table.find("").first.inner_text()
    assert "Changed" not in table.find(".dk-start-bar").inner_text()


def test_the_panel_can_be_open_from_the_start(live_table):
    """Without taking the focus or starting a bot. One click plays a preset, and the current one is marked."""
    table = live_table("podkidnoy", door=("albanian", "siege"), seats={0: "careful", 1: "you"})
    assert table.sent_kinds() == ["draft"]
    assert (table.blank.read()["panel"], table.page.evaluate("document.activeElement === document.body")) == (
        english_text("screen.rules"),
        True,
    )
    offers = table.find("[data-key^=offer]")
    assert [text.split("\n")[0] for text in offers.all_inner_texts()] == ["Albanian", "Siege"]
    assert table.find("[aria-current]").count() == 0
    table.click("[data-key=offeralbanian]")
    assert (table.table.rules.name, table.table.players) == ("albanian", ("careful", "you"))
    table.press_key("v")
    assert table.find("[aria-current]").inner_text().startswith("Albanian")


def test_a_task_shows_its_rules_without_a_form(live_table):
    """A task shows its rules without a form."""
    table = live_table("siege")
    table.table.task = SimpleNamespace(is_decided=False, is_single_move=False, verdict=lambda _: None)
    table.blank.press("v")
    table.answer()
    assert (table.find(".dk-start-bar").count(), "Siege · " in table.find("").first.inner_text()) == (0, True)


def test_an_option_without_effect_appears_when_it_has_one(live_table):
    """Showing a trump, only with transfers."""
    table = live_table(door=True)
    table.click(f"summary:text-is('{english_text('rules.dialog.own')}')")
    table.click("summary:text-is('Transferring')")
    assert table.find("[data-key=passport]").count() == 0
    table.click("[data-key=transfer]")
    assert table.find("[data-key=passport]").count() == 1


@pytest.mark.parametrize("width", [360, 1000])
def test_axe_finds_nothing_in_the_open_rules(live_table, width):
    """With all folds open. A preset is chosen by keys, and the focus stays on it."""
    table = live_table(door=True, width=width)
    table.page.evaluate("for (const fold of document.querySelectorAll('.dk-panel details')) fold.open = true")
    assert find_axe_violations(table.page, ".dk-panel") == []
    table.find("[data-key=presetalbanian]").focus()
    table.press_key("Enter")
    assert table.heard[-1]["draft"]["preset"] == "albanian"
    assert table.blank.read()["focus"] == "presetalbanian"
    table.click("[data-key=how_to_play]")
    assert table.blank.read()["panel"] == english_text("screen.how_to_play")


def test_quick_choices_are_not_lost(live_table):
    """Two clicks before the first answer. Answers to another view change nothing."""
    table = live_table(door=True)
    table.click(f"summary:text-is('{english_text('rules.dialog.own')}')")
    table.click("summary:text-is('The deck')")
    for name in ("jokers", "decks"):
        table.find(f"[data-key={name}]").click()
    table.answer()
    draft = table.heard[-1]["draft"]
    assert (draft["options"]["jokers"], draft["options"]["decks"]) == (2, 2)
    assert [table.find(f"[data-key={name}]").is_checked() for name in ("jokers", "decks")] == [True, True]
    table.table._handle_custom_msg({**table.heard[-1], "draft": {"preset": "siege", "number": 1}}, [])
    table.blank.receive(table.messages_to_page.pop())
    assert table.find("[data-key=jokers]").is_checked()


def test_a_seed_can_be_typed(live_table):
    """Its digits choose no card. The same seed gives the same deal."""
    table = live_table()
    table.blank.press("v")
    table.answer()
    table.click(f"summary:text-is('{english_text('rules.dialog.own')}')")
    table.click("summary:text-is('More')")
    table.find("[data-key=seed]").focus()
    for key in "12":
        table.press_key(key)
    assert table.blank.read()["focus"] == "seed"
    table.press_key("Enter")
    table.click("[data-key=play]")
    again = Table(seed=12)
    assert table.table.game.hands == again.game.hands
    again.close()


# At each width, return cut or covered parts of title and score, and elements of the panel that overflow or are too small.
WHOLE = """async (widths) => {
  const table = document.querySelector('.dk'), wrong = [];
  for (const width of widths) {
    table.parentElement.style.width = `${width}px`;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const root = table.querySelector('.dk-felt').getBoundingClientRect();
    for (const element of table.querySelectorAll('.dk-rules-button, .dk-match-score')) {
      if (!element.checkVisibility() || !element.textContent) continue;
      const range = document.createRange();
      range.selectNodeContents(element);
      for (const box of range.getClientRects()) {
        if (box.left < root.left || box.right > root.right || box.top < root.top) wrong.push(`${width}: ${element.textContent} is cut`);
        for (const y of [box.top + 2, box.bottom - 2]) for (const x of [box.left + 1, box.right - 1]) {
          const top = document.elementFromPoint(x, y);
          if (!element.contains(top) && !top?.contains(element)) wrong.push(`${width}: ${element.textContent} is under ${top?.className}`);
        }
      }
    }
    const panel = table.querySelector('.dk-panel');
    for (const fold of panel.querySelectorAll('details')) fold.open = true;
    if (panel.scrollWidth > panel.clientWidth) wrong.push(`${width}: the panel is ${panel.scrollWidth - panel.clientWidth} px too wide`);
    if (table.scrollWidth > Math.ceil(table.getBoundingClientRect().width)) wrong.push(`${width}: the table is wider than its place`);
    for (const one of table.querySelectorAll('.dk-rules-button, .dk-panel :is(button, select, summary, label, [type=text])')) {
      const { width: w, height: h } = one.getBoundingClientRect();
      if (h < 24 || w < 24) wrong.push(`${width}: ${one.textContent.slice(0, 30)} is ${w} × ${h}`);
    }
  }
  return wrong;
}"""


def test_the_rules_button_fits_at_every_width(live_table):
    """With the longest name and six scores, from 204 to 1,200 pixels."""
    language = "ru"
    longest = max((name for name, _ in list_presets(language)), key=lambda name: len(dict(list_presets(language))[name]))
    match = Match.from_game(Table(f"{longest}, players=6" if longest not in ("econ431", "teams") else longest, seed=1).game, seed=1)
    while match.game.outcome is None:
        match.game.play(match.game.legal_moves()[0])
    match.next_game()
    table = live_table(match, language=language, door=("siege", longest))
    assert table.page.evaluate(WHOLE, [204, 320, 360, 484, 640, 899, 900, 1200]) == []
    assert "1" in table.page.locator(".dk-match-score").inner_text()


def test_bots_have_names_in_the_language_of_the_page(live_table):
    """In the settings and the form. A user's own bot keeps its name."""
    table = live_table(seats={0: "you", 1: "first"}, language="ru", door=True)
    names = table.find("[data-key=seat1] option").all_text_contents()
    bots = {key: Translator("ru").translate(f"who.{key}") for key in ("random", "first", "careful")}
    assert set(bots.values()) < set(names)
    table.blank.press("g")
    assert f"Игрок 2: {bots['first']}" in table.find("").first.inner_text()
