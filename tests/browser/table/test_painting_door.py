"""The door to the rules on a painted page: the name on the felt, the panel with the rules in words and the form, and what is played from it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from painted import LOOK

from durak_widget import Match, Table
from durak_widget.rules.rules_form import list_presets

pytestmark = pytest.mark.slow


class Live:
    """A painted page with a table behind it that answers."""

    def __init__(self, blank, *given, width=1000, **more):
        self.blank, self.page, self.told = blank, blank.page, []
        self.table = Table(*given, **{"seed": 7, **more})
        self.table._session.send = self.told.append
        blank.mouse.move(1190, 790)
        state = self.table.get_state()
        self.page.evaluate("lay", {**LOOK, **{name: state[name] for name in ("scene", "words", "bots", "door", "language")}})
        self.blank.widen(width)
        self.blank.frames()
        self.heard = []
        self.answer()

    def answer(self):
        """Python hears what was sent, and the page what it answers."""
        while sent := self.blank.take():
            self.heard += sent
            for message in sent:
                self.table._handle_custom_msg(message, [])
            self.page.evaluate("(scene) => model.set('scene', scene)", self.table.scene)
            for told in self.told:
                self.blank.hear(told)
            self.told.clear()

    def kinds(self):
        """What was sent since this was last asked."""
        return [self.heard.pop(0)["kind"] for _ in range(len(self.heard))]

    def find(self, selector):
        """What is there in the panel."""
        return self.page.locator(f".dk-panel {selector}")

    def click(self, selector):
        """Click in the panel, and be answered."""
        self.find(selector).click()
        self.answer()

    def choose(self, key, label):
        """Choose from a list in the panel."""
        self.find(f"[data-key={key}]").select_option(label=label)
        self.answer()

    def key(self, key):
        """Press a key, and be answered."""
        self.blank.keyboard.press(key)
        self.answer()


@pytest.fixture
def live(blank):
    """Lays a table that answers; it is closed after the test."""
    laid = []

    def lay(*given, **more):
        laid.append(Live(blank, *given, **more))
        return laid[-1]

    yield lay
    for one in laid:
        one.table.close()


def test_the_name_on_the_felt_opens_the_rules(live):
    """By a click and by a key; what is different stands open, the rest is folded away; Escape closes it, and the focus is where it was."""
    table = live("siege", width=360)
    title = table.page.get_by_role("button", name="Rules: Siege")
    assert (title.inner_text(), table.kinds()) == ("Siege", [])
    title.click()
    table.answer()
    assert table.kinds() == ["draft"]
    panel = table.page.get_by_role("dialog", name="Rules")
    assert "Siege · An attack may open with several cards of a rank" in panel.inner_text()
    assert panel.get_by_text("Cards may be thrown in at any time during a bout.").first.is_visible()
    assert not panel.get_by_text("Everybody plays alone.").first.is_visible()
    panel.get_by_text("As in the plain throw-in game").click()
    assert panel.get_by_text("Everybody plays alone.").first.is_visible()
    table.key("Escape")
    assert (panel.count(), title.evaluate("(one) => one === document.activeElement")) == (0, True)
    for _ in range(2):
        table.key("v")
    assert (panel.count(), table.kinds()) == (0, [])


def test_the_rules_of_the_plain_game_have_a_door(live):
    """They are folded away under a name; nothing that folds is without one."""
    table = live(language="ru")
    table.page.locator(".dk-rules-button").click()
    table.answer()
    told = next(rows for _, rows in table.table.rules.explain("ru").groups if rows)[0][2]
    rule = table.find("li").get_by_text(told, exact=True)
    assert rule.is_hidden()
    assert [text for text in table.find("summary").all_text_contents() if not text.strip()] == []
    table.find("summary").get_by_text("Все правила", exact=True).click()
    assert rule.is_visible()


def test_what_is_chosen_is_answered_at_once(live):
    """An option changes what is said of it and marks its question; the focus and what is folded out stay."""
    table = live()
    table.blank.press("v")
    table.answer()
    table.click("summary:text-is('The deck')")
    table.click("label:has-text('A red and a black joker')")
    assert table.heard[-1]["draft"]["options"]["jokers"] == 2
    assert table.find("[data-key=jokers]").is_checked()
    assert "fold" not in table.blank.read()["focus"]
    assert table.find("[data-changed] > summary").all_inner_texts() == ["The deck"]
    assert "Changed: 1" in table.find(".dk-start-bar").inner_text()
    table.choose("ranks", "9 10 J Q K A")
    assert "Changed: 2" in table.find(".dk-start-bar").inner_text()
    table.choose("preset", "Poker")
    assert (table.find(".dk-start-bar p").inner_text(), table.heard[-1]["draft"]["preset"]) == ("", "poker")
    table.choose("players", "4")
    assert table.find("select[data-key^=seat]").count() == 4
    table.click("summary:text-is('Trumps')")
    table.click("label:has-text('There are no trumps.')")
    assert table.find("[data-key=trumpnone]").is_checked()
    assert table.table.rules.name == "podkidnoy"


def test_what_cannot_be_mixed_is_said_and_not_played(live):
    """The reason is seen and read aloud, with what mends it; all that was chosen is kept."""
    table = live()
    table.blank.press("v")
    table.answer()
    table.click("summary:text-is('Transferring')")
    table.click("[data-key=passport]")
    said = "A trump can be shown only where attacks may be transferred: allow transfers too."
    assert (table.find(".dk-rules-error").inner_text(), table.blank.read()["status"]) == (said, said)
    play = table.page.get_by_role("button", name="Play", exact=True)
    assert play.get_attribute("aria-disabled") == "true"
    table.kinds()
    play.click(force=True)
    assert (table.blank.take(), table.find("[data-key=passport]").is_checked()) == ([], True)
    table.click("[data-key=transfer]")
    assert (table.find(".dk-rules-error").count(), play.get_attribute("aria-disabled")) == (0, None)
    play.click()
    table.answer()
    assert (table.table.rules.name, table.page.locator(".dk-rules-button").inner_text()) == ("passport", "Passport")


@pytest.mark.parametrize(("width", "stays"), [(1000, True), pytest.param(360, False, marks=pytest.mark.slow)])
def test_a_game_under_way_is_asked_about(live, width, stays):
    """As New game does; on a desktop the rules stay beside the felt, on a phone they make way for it."""
    table = live(width=width)
    table.table.play("attack Jc")
    table.page.evaluate("(scene) => model.set('scene', scene)", table.table.scene)
    table.blank.press("v", at="")
    table.answer()
    table.choose("preset", "Siege")
    table.kinds()
    table.click("[data-key=play]")
    assert (table.blank.read()["dialog"], table.kinds()) == ("Deal a new game? This one will not count.", [])
    table.key("Enter")
    assert (table.kinds()[0], table.table.rules.name, table.table.game.ply) == ("deal", "siege", 0)
    assert (table.blank.read()["panel"] == "Rules") is stays
    if stays:
        assert "Siege · " in table.find("").first.inner_text()
        assert "Changed" not in table.find(".dk-start-bar").inner_text()


def test_the_door_stands_open_and_offers(live):
    """From the start, without leading the focus there or waking a bot; one click plays what is offered, and the one that is played is marked."""
    table = live("podkidnoy", door=("albanian", "siege"), seats={0: "careful", 1: "you"})
    assert table.kinds() == ["draft"]
    assert (table.blank.read()["panel"], table.page.evaluate("document.activeElement === document.body")) == ("Rules", True)
    offers = table.find(".dk-preset-button")
    assert [one.split("\n")[0] for one in offers.all_inner_texts()] == ["Albanian", "Siege"]
    assert table.find("[aria-current]").count() == 0
    table.click(".dk-preset-button:has-text('Albanian')")
    assert (table.table.rules.name, table.table.players) == ("albanian", ("careful", "you"))
    assert table.find("[aria-current]").inner_text().startswith("Albanian")


def test_where_a_task_is_set_there_is_no_form(live):
    """The rules are told, and nothing else is offered."""
    table = live("siege")
    table.table.task = SimpleNamespace(is_decided=False, is_single_move=False, verdict=lambda _: None)
    table.blank.press("v")
    table.answer()
    assert (table.find(".dk-start-bar").count(), "Siege · " in table.find("").first.inner_text()) == (0, True)


def test_what_is_chosen_before_an_answer_is_not_lost(live):
    """Two ticks before Python has answered the first: both hold, and an answer to another view changes nothing."""
    table = live(door=True)
    table.click("summary:text-is('The deck')")
    for name in ("jokers", "decks"):
        table.find(f"[data-key={name}]").click()
    table.answer()
    draft = table.heard[-1]["draft"]
    assert (draft["options"]["jokers"], draft["options"]["decks"]) == (2, 2)
    assert [table.find(f"[data-key={name}]").is_checked() for name in ("jokers", "decks")] == [True, True]
    table.table._handle_custom_msg({**table.heard[-1], "draft": {"preset": "siege", "number": 1}}, [])
    table.blank.hear(table.told.pop())
    assert table.find("[data-key=jokers]").is_checked()


def test_a_seed_is_typed_there(live):
    """Its digits lead to no card; the same number deals the same cards."""
    table = live()
    table.blank.press("v")
    table.answer()
    table.click("summary:text-is('More')")
    table.find("[data-key=seed]").focus()
    for key in "12":
        table.key(key)
    assert table.blank.read()["focus"] == "seed"
    table.key("Enter")
    table.click("[data-key=play]")
    again = Table(seed=12)
    assert table.table.game.hands == again.game.hands
    again.close()


# At each width: what of the title and the score is cut or covered; in the panel, what is wider than it, and what is too small to be hit.
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


def test_the_door_is_whole(live):
    """With the longest name of all and the score of six, from 204 to 1,200 pixels: nothing is cut or covered, and everything can be hit."""
    language = "ru"
    longest = max((name for name, _ in list_presets(language)), key=lambda name: len(dict(list_presets(language))[name]))
    match = Match.from_game(Table(f"{longest}, players=6" if longest not in ("econ431", "teams") else longest, seed=1).game, seed=1)
    while match.game.outcome is None:
        match.game.play(match.game.legal_moves()[0])
    match.next_game()
    table = live(match, language=language, door=("siege", longest))
    assert table.page.evaluate(WHOLE, [204, 320, 360, 484, 640, 899, 900, 1200]) == []
    assert ": 1" in table.page.locator(".dk-match-score").inner_text()


def test_bots_have_names_in_the_language_of_the_page(live):
    """In the settings and in the form; a bot of one's own keeps its name."""
    table = live(seats={0: "you", 1: "first"}, language="ru", door=True)
    names = table.find("[data-key=seat1] option").all_text_contents()
    assert {"случайный", "первый попавшийся", "осторожный"} < set(names)
    table.blank.press("g")
    assert "Игрок 2: первый попавшийся" in table.find("").first.inner_text()
