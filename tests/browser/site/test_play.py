"""Test the page to play with a file server only: a stored table at once, Python soon after, whole games, and offline use."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect
from visitor import AWAKE, PATIENCE

import docs_site
from durak_widget import Game, bots
from durak_widget.i18n import Translator, get_front_end_texts, get_language
from durak_widget.table.how_to_play import build_how_to_play_message, play_example
from durak_widget.web.share_links import format_link
from support.spoken import english, english_text, text_without_drawings

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
CARDS = "(cards) => cards.map((one) => one.dataset.card)"


LISTEN = """const real = Worker;
self.heard = [];
self.heard.channel = [];
new BroadcastChannel("durak").addEventListener("message", ({ data }) => self.heard.channel.push(JSON.stringify(data)));
self.Worker = class extends real {
  constructor(...given) { super(...given); this.addEventListener("message", ({ data }) => self.heard.push(data.text)); }
};"""
SCENE = """() => {
  const scene = self.heard.map((text) => JSON.parse(text).state?.scene).filter(Boolean).at(-1);
  const shown = document.querySelector("main section.dk")?.dataset.scene;
  return scene && String(scene.id) === shown && (scene.result || scene.actor === scene.viewer) ? scene : false;
}"""


AS_READ = """async () => {
  const cache = await caches.open((await caches.keys()).find((name) => name.startsWith("durak ")));
  const files = await Promise.all(["durak", "python/memory"].map(async (name) => [name, await cache.match(name)]));
  const packed = async (one) => { const [first, second] = new Uint8Array(await one.arrayBuffer()); return first === 0x1f && second === 0x8b; };
  return Promise.all(files.map(async ([name, one]) => [name.split("/").at(-1), !(await packed(one))]));
}"""
"""Compressed files, and whether the browser stores them unpacked."""


def hand_of(page):
    """Return the cards of the visitor's hand."""
    return page.locator("main .dk-hand [data-card]").evaluate_all(CARDS)


def test_a_visit_starts_at_once_and_continues_offline(visitor, site):
    """Early clicks are played as soon as possible, and nothing shifts. Then the server stops, and the page opens again."""
    held = []
    visitor.context.route("**/worker.js", lambda route: held.append(route), times=1)  # noqa: PLW0108 - it is told by its name
    page = visitor.open(awake=False)
    table = page.locator("main section.dk")
    expect(table).to_have_attribute("data-ply", "0")
    hand = hand_of(page)
    place = table.bounding_box()
    assert page.locator(AWAKE).count() == 0
    table.locator(".dk-hand [data-card]").first.click()
    for route in held:
        route.continue_()
    expect(table).not_to_have_attribute("data-ply", "0", timeout=PATIENCE)
    page.wait_for_selector(AWAKE)
    assert table.bounding_box() == place
    assert set(hand) - set(hand_of(page))
    assert [name for name, _ in page.evaluate("durakMarks")] == ["worker", "python, from memory", "table", "whole"]
    expect(page.get_by_text(english_text("page.offline"))).to_be_visible(timeout=PATIENCE)
    site.cut()
    before = len(site.asked)
    page.reload()
    page.wait_for_selector(AWAKE)
    expect(table).not_to_have_attribute("data-ply", "0")  # the game is still open
    for _ in range(2):  # the first press warns that the game will not count
        page.get_by_role("button", name=english_text("screen.undo"), exact=True).click()
    expect(table).to_have_attribute("data-ply", "0")
    table.locator(".dk-hand [data-card]").first.click()
    expect(table).not_to_have_attribute("data-ply", "0")
    page.get_by_role("button", name=english("screen.rules")).first.click()
    expect(table).to_have_attribute("data-panel", "rules")
    assert set(site.asked[before:]) <= {"play/offline.js"}  # the browser itself checks for a new version
    assert page.evaluate(AS_READ) == [["durak", True], ["memory", True]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("visitor", "language"), [(PHONE, "en"), (PHONE, "ru"), ({}, "lt")], indirect=["visitor"], ids=["phone", "phone, Russian", "desktop"]
)
def test_how_to_play_is_explained_before_python_starts(visitor, language):
    """In the language of the page. Python is not needed, and the game then goes on."""
    held = []
    visitor.context.route("**/worker.js", lambda route: held.append(route), times=1)  # noqa: PLW0108 - it is told by its name
    page = visitor.look(f"play/#language={language}")
    page.locator("#how-to-play").click()
    panel = page.get_by_role("dialog", name=get_front_end_texts(language)["how_to_play"])
    sentences = [text_without_drawings(sentence) for _, sentence, _ in build_how_to_play_message(language)["steps"]]
    expect(panel.locator("li p")).to_have_text(sentences)
    assert panel.get_by_role("img").count() == len(sentences)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    panel.locator("[data-key=close]").click()
    for route in held:
        route.continue_()
    page.wait_for_selector(AWAKE)
    page.locator("main .dk-hand [data-card]").first.click()
    expect(page.locator("main section.dk")).not_to_have_attribute("data-ply", "0")
    page.locator("#how-to-play").click()
    expect(panel.locator("li p")).to_have_text(sentences)


@pytest.mark.slow
def test_an_open_panel_follows_the_language_of_the_page(visitor):
    """The pictures, and then the rules, are shown in the new language."""
    page = visitor.open()
    page.locator("#how-to-play").click()
    panel = page.get_by_role("dialog")
    for language in ("ru", "lt"):
        page.locator("#language").select_option(language)
        expect(panel.locator("li p")).to_have_text(
            [text_without_drawings(sentence) for _, sentence, _ in build_how_to_play_message(language)["steps"]]
        )
    panel.locator("[data-key=rules]").click()
    for language in ("en", "ru"):
        page.locator("#language").select_option(language)
        expect(panel.get_by_text(get_language(language).sentences["rules.all"], exact=True)).to_be_visible()


@pytest.mark.release
def test_how_to_play_is_asked_of_python_if_its_file_is_missing(visitor, site):
    """As any other request that the page cannot answer."""
    site.gone.add("play/how_to_play.en.json")
    visitor.expected = "404"
    page = visitor.open()
    page.locator("#how-to-play").click()
    expect(page.locator(".dk-how-to-play svg")).to_have_count(6)


@pytest.mark.slow
def test_a_finished_game_opens_again_at_the_next_visit(visitor):
    """Its review needs modules that are not in the stored memory of Python."""
    link = format_link(bots.play(Game(seed=3), ["careful"] * 2))
    for _ in range(2):
        page = visitor.open(link)
        expect(page.locator(".dk-result-card")).to_be_visible()
        expect(page.locator("#message")).to_be_hidden()
        page.close()


CONTROLS = """() => [...document.querySelectorAll("button, input, select, a, summary, [role=button]")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(".dk-card") && one.getBoundingClientRect().top < innerHeight)
  .map((one) => [one.id || one.className, one.closest("footer") !== null])"""
"""What a visitor can press on the first screen, apart from the cards, and whether it is in the row below the table."""
LANDSCAPE = {"viewport": {"width": 844, "height": 390}, "has_touch": True}


@pytest.mark.parametrize(
    ("visitor", "language"),
    [
        pytest.param(PHONE, "en", id="phone", marks=pytest.mark.slow),
        *(pytest.param(PHONE, language, id=f"phone-{language}", marks=pytest.mark.release) for language in ("lt", "ru")),
        pytest.param(LANDSCAPE, "ru", id="landscape", marks=pytest.mark.slow),
        pytest.param({"viewport": {"width": 1280, "height": 800}}, "en", id="desktop", marks=pytest.mark.slow),
    ],
    indirect=["visitor"],
)
def test_the_first_screen_has_cards_and_few_controls(visitor, language):
    """The links of the page are in a row below the table, one tap away, and nothing is wider than the screen."""
    page = visitor.look(f"play/#language={language}")
    page.wait_for_selector(".dk-hand-card")
    controls = page.evaluate(CONTROLS)
    assert len([name for name, is_below in controls if not is_below]) <= 4, controls
    links = [page.locator(selector) for selector in ("#lessons", "#docs", "#language", "#files-button")]
    least = 44 if page.evaluate("matchMedia('(pointer: coarse)').matches") else 36
    for link in links:
        link.scroll_into_view_if_needed()
        assert link.is_visible()
        assert link.bounding_box()["height"] >= least
    assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]


@pytest.mark.release
@pytest.mark.parametrize("gone", [True, False], ids=["its memory is gone", "asked for"])
def test_a_failed_memory_image_falls_back_to_a_normal_start(visitor, site, gone):
    """Without a question."""
    if gone:
        site.gone.add("play/python/memory")
        visitor.expected = "404|python/memory"
    page = visitor.open("" if gone else "?python=plain")
    names = [name for name, _ in page.evaluate("durakMarks")]
    assert "python, plainly" in names
    assert any("404" in name for name in names) == gone
    expect(page.locator("main section.dk")).to_have_attribute("data-ply", "0")


@pytest.mark.release
def test_a_language_chosen_before_python_starts_is_kept(visitor):
    """For the page, the table and the next visit."""
    page = visitor.open("?python=plain", awake=False)
    page.locator("main section.dk[data-ply]").wait_for()
    page.get_by_role("combobox", name=re.compile("Language")).select_option("lt")
    assert page.locator(AWAKE).count() == 0
    for _ in range(2):
        page.wait_for_selector(AWAKE)
        expect(page.locator("html")).to_have_attribute("lang", "lt")
        expect(page.locator("main section.dk")).to_have_attribute("aria-label", "Durniaus stalas")
        expect(page.get_by_role("link", name="Pamokos")).to_be_visible()
        page.reload()


@pytest.mark.release
def test_python_may_start_before_the_page_texts(visitor, site):
    """The page is then late but works."""
    held = []
    visitor.context.route("**/first.*.json", lambda route: held.append(route))  # noqa: PLW0108 - it is told by its name
    before = len(site.asked)
    page = visitor.open("?python=memory", awake=False)
    while "play/durak" not in site.asked[before:]:
        page.workers[0].evaluate("performance.now()") if page.workers else page.title()
    for _ in range(20):
        page.workers[0].evaluate("new Promise((done) => setTimeout(done, 50))")  # so that Python finishes its work
    for route in held:
        route.continue_()
    page.wait_for_selector(AWAKE)
    page.locator("main .dk-hand [data-card]").first.click()
    expect(page.locator("main section.dk")).not_to_have_attribute("data-ply", "0")


@pytest.mark.release
def test_every_visitor_gets_a_different_deal(visitor):
    """The random seed is not part of the memory image."""
    deals = set()
    for language in ("en", "lt"):
        page = visitor.open(f"#rules=podkidnoy&seats=you,careful&language={language}")
        deals.add(tuple(hand_of(page)))
        page.close()
    assert len(deals) == 2


@pytest.mark.slow
def test_links_open_games_and_rules_on_the_same_page(visitor):
    """A whole game, then rules in Russian. An invalid link is reported and changes nothing."""
    game = bots.play(Game(seed=7), ["careful", "careful"], 7)
    page = visitor.open(format_link(game))
    table = page.locator("main section.dk")
    expect(table).to_have_attribute("data-ply", str(game.ply))
    page.evaluate("location.hash = 'rules=perevodnoy&seed=4&seats=you,aunt&language=ru'")
    expect(table).to_have_attribute("data-ply", re.compile("^[0-9]$"))
    expect(page.get_by_role("link", name="Уроки")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    before = table.inner_html()
    page.evaluate("location.hash = '<img src=x onerror=alert(1)>'")
    alert = page.get_by_role("alert").filter(has_text=Translator("ru").translate("page.unread", why="").strip())
    expect(alert).to_be_visible()
    assert alert.locator("img").count() == 0
    assert table.inner_html() == before


def test_code_that_could_not_be_loaded_is_loaded_when_it_is_needed_again(visitor):
    """A browser keeps a failed module, so the next attempt asks for another address."""
    lost = []
    visitor.expected = "ERR_FAILED"
    visitor.context.route("**/extras.js*", lambda route: (lost.append(route.request.url), route.abort()) if not lost else route.continue_())
    page = visitor.open("#rules=podkidnoy&seed=7")
    table = page.locator("main section.dk")
    table.locator(".dk-hand-card[data-lit]").first.click()
    expect(table).not_to_have_attribute("data-ply", "0")
    assert lost
    table.focus()
    page.keyboard.press("n")
    expect(table.get_by_role("dialog", name=english_text("screen.new.ask"))).to_be_visible()


@pytest.mark.release
def test_the_next_day_offers_a_new_deal_until_it_is_opened(visitor):
    """The first day does not. The deal is the same for everyone, counts as any game, and going back leads to the visitor's own game."""

    def visit(day, link=""):
        page = visitor.context.new_page()
        page.set_default_timeout(PATIENCE)
        page.clock.set_fixed_time(f"2026-12-0{day}T09:00:00")
        page.goto(f"{visitor.url}play/{link}")
        page.wait_for_selector(AWAKE)
        return page

    page = visit(1)
    offer = english_text("page.daily")
    assert page.get_by_role("link", name=offer).is_hidden()
    page.close()
    page = visit(2)
    own_hand = hand_of(page)
    page.get_by_role("link", name=offer).click()
    expect(page.get_by_text(english_text("page.daily.told"))).to_be_visible()
    expect(page.locator("main .dk-hand [data-card]").first).not_to_have_attribute("data-card", own_hand[0])
    game = Game(seed="2026-12-02")
    assert set(hand_of(page)) == {str(card) for card in game.hands[0]}
    assert page.get_by_text(english_text("table.rival.score.two", who="Tim")).is_visible()
    assert page.get_by_role("link", name=offer).is_hidden()
    page.go_back()
    page.wait_for_selector(AWAKE)
    expect(page.locator("main .dk-hand [data-card]").first).to_have_attribute("data-card", own_hand[0])
    assert page.get_by_role("link", name=offer).is_hidden()
    page.close()
    assert visit(4).get_by_role("link", name=offer).is_visible()


def test_after_a_game_the_page_says_that_the_deal_of_the_day_is_waiting(visitor):
    """As long as it is not opened."""
    visitor.context.add_init_script("if (origin !== 'null') localStorage.setItem('durak day', '2020-01-01')")
    page = visitor.open(f"{format_link(play_example())}&seats=you,nephew")
    waits = page.get_by_text(english_text("page.daily.waits"))
    expect(waits).to_be_visible()
    expect(page.get_by_text(english_text("page.tomorrow"))).to_be_hidden()
    page.get_by_role("button", name=english_text("screen.next_game")).click()
    expect(waits).to_be_hidden()


def test_the_link_of_the_day_stays_if_it_is_opened_in_another_tab(visitor):
    """A click with Ctrl or Shift hides nothing in this tab. A click alone opens the deal here."""
    visitor.context.add_init_script("if (origin !== 'null') localStorage.setItem('durak day', '2020-01-01')")
    page = visitor.open()
    link = page.locator("#daily")
    for key in ("Control", "Shift"):
        with visitor.context.expect_page() as opened:
            link.click(modifiers=[key])
        opened.value.close()
        expect(link).to_be_visible()
    link.click()
    expect(link).to_be_hidden()


def test_the_game_after_the_deal_of_the_day_is_kept(visitor):
    """*New game* leaves the link, too, and the game is there after reloading. A game of your own that has begun is open again instead."""
    page = visitor.open("#rules=podkidnoy&seed=2026-12-02&seats=you,next")
    first, table = hand_of(page), page.locator("main section.dk")

    def deal_next():
        table.focus()
        page.keyboard.press("n")

    deal_next()
    expect(table).to_have_attribute("data-ply", "0")
    expect(page).to_have_url(re.compile(r"play/#?$"))
    later = hand_of(page)
    assert later != first
    page.reload()
    page.wait_for_selector(AWAKE)
    assert hand_of(page) == later
    page.locator("main :is([data-action=take], .dk-hand [data-card]:not([aria-disabled=true]))").first.click()
    expect(table).not_to_have_attribute("data-ply", "0")
    own = set(hand_of(page))
    page.goto(f"{visitor.url}play/#rules=podkidnoy&seed=2026-12-03&seats=you,next")
    expect(table).to_have_attribute("data-ply", "0")
    deal_next()
    expect(page).to_have_url(re.compile(r"play/#?$"))
    expect(table).not_to_have_attribute("data-ply", "0")
    assert len(own & set(hand_of(page))) >= 4


@pytest.mark.parametrize("visitor", [PHONE, pytest.param({}, marks=pytest.mark.slow)], indirect=True, ids=["phone", "desktop"])
def test_a_dimmed_card_says_at_once_why_it_cannot_be_played(visitor):
    """By a tap or a click."""
    page = visitor.open(
        format_link(Game.from_position(hands=["7c 8d Qh 9s", "9c Th"], trump="h", table="8c", attacker=1, talon="6c 6d 6h"))
    )
    card = page.locator("main .dk-hand [data-card='7c']")
    assert card.get_attribute("aria-disabled") == "true"
    card.click(force=True)
    expect(page.locator(".dk-bubble")).to_be_visible(timeout=2000)
    assert page.locator(".dk-bubble").inner_text()


def test_after_a_game_the_page_says_what_is_new_tomorrow(visitor):
    """The next game removes it."""
    page = visitor.open(f"{format_link(play_example())}&seats=you,nephew")
    tomorrow = page.get_by_text(english_text("page.tomorrow"))
    expect(tomorrow).to_be_visible()
    page.get_by_role("button", name=english_text("screen.next_game")).click()
    expect(tomorrow).to_be_hidden()


def test_a_game_survives_reloading(visitor):
    """It is rendered before Python starts, in the chosen language."""
    visitor.context.add_init_script(LISTEN)
    page = visitor.open()
    page.get_by_role("combobox", name=re.compile("Language")).select_option("lt")
    expect(page.get_by_role("link", name="Pamokos")).to_be_visible()
    table = page.locator("main section.dk")
    expect(table).to_have_attribute("aria-label", re.compile("stalas", re.IGNORECASE))
    table.locator(".dk-hand [data-card]").first.click()
    expect(table).not_to_have_attribute("data-ply", "0")
    page.wait_for_function(SCENE)  # it is the visitor's turn again
    ply, hand = table.get_attribute("data-ply"), hand_of(page)
    page.reload()
    page.wait_for_selector("main section.dk[data-ply]")
    assert table.get_attribute("data-ply") == ply
    page.wait_for_selector(AWAKE)
    assert (table.get_attribute("data-ply"), hand_of(page)) == (ply, hand)
    expect(page.locator("html")).to_have_attribute("lang", "lt")


@pytest.mark.slow
def test_games_can_be_exported_imported_and_deleted(visitor, browsers, tmp_path):
    """An invalid file is reported."""
    visitor.context.add_init_script(LISTEN)
    page = visitor.open()
    table = page.locator("main section.dk")
    table.locator(".dk-hand [data-card]").first.click()
    expect(table).not_to_have_attribute("data-ply", "0")
    page.wait_for_function(SCENE)  # it is the visitor's turn again
    page.get_by_role("button", name=english_text("page.mine")).click()
    with page.expect_download() as downloading:
        page.get_by_role("button", name=english_text("page.take")).click()
    file = tmp_path / "durak.json"
    downloading.value.save_as(file)
    assert "table.json" in json.loads(file.read_text(encoding="utf-8"))["files"]
    ply = table.get_attribute("data-ply")
    forget = page.get_by_role("button", name=english_text("page.forget"))
    forget.click()
    with page.expect_navigation():
        page.get_by_role("button", name=english("page.forget.sure")).click()
    page.wait_for_selector(AWAKE)
    expect(table).to_have_attribute("data-ply", "0")
    page.get_by_role("button", name=english_text("page.mine")).click()
    nonsense = tmp_path / "nonsense.json"
    nonsense.write_text("{}", encoding="utf-8")
    page.locator("input[type=file]").set_input_files(nonsense)
    expect(page.get_by_text(english("page.unbrought"))).to_be_visible()
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text(english_text("page.brought"))).to_be_visible()
    expect(table).to_have_attribute("data-ply", ply)


@pytest.mark.slow
def test_a_new_version_is_offered_and_waits_for_a_click(visitor, site, folder):
    """The game goes on, and the update keeps it."""
    page = visitor.open()
    expect(page.get_by_text(english_text("page.offline"))).to_be_visible(timeout=PATIENCE)
    offline = folder / "play" / "offline.js"
    script = offline.read_text(encoding="utf-8")
    try:
        offline.write_text(re.sub(r'"[0-9a-f]{16}"', '"another"', script), encoding="utf-8")
        page.reload()
        page.wait_for_selector(AWAKE)
        expect(page.get_by_text(english_text("page.fresh"))).to_be_visible(timeout=PATIENCE)
        table = page.locator("main section.dk")
        table.locator(".dk-hand [data-card]").first.click()
        expect(table).not_to_have_attribute("data-ply", "0")
        with page.expect_navigation():
            page.get_by_role("button", name=english_text("page.fresh.now")).click()
        page.wait_for_selector(AWAKE)
        assert table.get_attribute("data-ply") != "0"
        assert page.evaluate("caches.keys()") == [f"durak {site.url}play/ another"]
    finally:
        offline.write_text(script, encoding="utf-8")


def python_messages(page):
    """Return every message from Python to the page."""
    return [json.loads(text) for text in page.evaluate("heard")]


def card_names(value):
    """Return every card that is named in a value, alone or in a sentence."""
    return set(re.findall(r"(?<![A-Za-z0-9])([6-9TJQKA][cdhs])(?![A-Za-z0-9])", json.dumps(value)))


GAME = """async () => {
  const done = (asked) => new Promise((resolve) => { asked.onsuccess = () => resolve(asked.result); });
  const drawer = await done(indexedDB.open("durak"));
  for (;;) {
    const files = drawer.transaction("files").objectStore("files");
    const [names, texts] = await Promise.all([done(files.getAllKeys()), done(files.getAll())]);
    const place = names.findIndex((name) => name.startsWith("games/"));
    if (place >= 0) return texts[place];
    await new Promise(requestAnimationFrame);
  }
}"""
"""Return the game once the browser has saved it."""


def hidden_cards(game, ply):
    """Return the cards that seat 0 cannot know after so many moves."""
    game.goto(ply)
    played_cards = {str(card) for move in game.moves for card in move.cards}
    return {str(card) for card in (*game.hands[1], *game.talon[:-1])} - played_cards


def expect_no_hidden_cards(page):
    """Check that no message to the page or to other windows named a hidden card."""
    game, ply = Game.parse(page.evaluate(GAME)), 0
    messages = python_messages(page)
    begins = max(at for at, message in enumerate(messages) if message["kind"] == "open")
    for message in messages[begins:]:
        state = message.get("state", {})
        scene = state.get("scene", {})
        if "result" in scene:
            break
        ply = scene.get("ply", ply)
        state.pop("words", None)  # all texts, none of which names a card
        assert card_names(message) & hidden_cards(game, ply) == set(), message
    assert ply > 10
    assert "Deck:" not in json.dumps(messages[begins:])
    assert not any(name in text for text in page.evaluate("heard.channel") for name in ("table.json", "linked.json"))


def click_or_tap(what, *, finger):
    """Press an element."""
    what.tap() if finger else what.click()


@pytest.mark.parametrize(
    ("visitor", "language"),
    [
        pytest.param({}, "en", id="mouse", marks=pytest.mark.release),
        pytest.param({"viewport": {"width": 360, "height": 740}, "has_touch": True}, "lt", id="finger", marks=pytest.mark.slow),
    ],
    indirect=["visitor"],
)
def test_a_whole_game_on_the_page(visitor, language, tmp_path):
    """By clicks and taps, in three languages. The finished game is saved.

    Saved games go from the worker to the browser's storage, and the page gets nothing that its visitor may not know.
    """
    finger = language != "en"
    visitor.context.add_init_script(LISTEN)
    page = visitor.open()
    left = {"form": 1, "game": str(Game(seed=3)), "seats": ["you", "careful"]}
    files = {"table.json": json.dumps(left), "look.json": json.dumps({"pace": 0, "language": language})}
    file = tmp_path / "durak.json"
    file.write_text(json.dumps({"durak": 1, "files": files}), encoding="utf-8")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator("html")).to_have_attribute("lang", language)
    page.wait_for_function("() => heard.some((text) => JSON.parse(text).kind === 'close')")  # the previous table is gone
    table = page.locator("main section.dk")
    for _ in range(200):
        scene = page.wait_for_function(SCENE).json_value()
        if "result" in scene:
            break
        legal, cards = scene["legal"], page.locator("main .dk-hand")
        card = next(iter(legal.get("attack") or legal.get("throw") or [found[0] for _, found in legal.get("beat", [])]), None)
        if card is None:
            click_or_tap(table.locator("[data-action=take], [data-action=pass]").first, finger=finger)
        else:
            click_or_tap(cards.locator(f"[data-card='{card}']").first, finger=finger)
            asked = page.wait_for_function(
                f"() => document.querySelector('main section.dk').dataset.scene !== '{scene['id']}' ? 'on' : document.querySelector('.dk-hand [data-picked]') ? 'picked' : false"
            ).json_value()
            if asked == "picked":
                target = next(target for target, found in legal["beat"] if card in found)
                click_or_tap(page.locator(f"main .dk-table-center [data-card='{target}']").first, finger=finger)
        page.wait_for_function(f"() => document.querySelector('main section.dk').dataset.scene !== '{scene['id']}'")
    assert page.wait_for_function(SCENE).json_value()["result"]["text"]
    expect_no_hidden_cards(page)
    assert not any("/kept" in json.dumps(message) for message in python_messages(page))  # a visitor knows no such folder


@pytest.mark.release
def test_the_built_folder_can_be_copied(folder, tmp_path):
    """Nothing in it depends on its address."""
    place = shutil.copytree(folder / "play", tmp_path / "copied")
    for path in place.rglob("*"):
        if path.suffix in {".html", ".js", ".json", ".css"}:
            assert "http://" not in path.read_text(encoding="utf-8").replace("http://www.w3.org/", "")


STORE = """async ({base, local}) => {
  const done = (asked) => new Promise((resolve, reject) => { asked.onsuccess = () => resolve(asked.result); asked.onerror = () => reject(asked.error); });
  const drawer = await done(indexedDB.open(base.database, base.version));
  const change = drawer.transaction(base.stores[0], "readwrite");
  for (const [name, text] of Object.entries(base.files)) change.objectStore(base.stores[0]).put(text, name);
  await new Promise((resolve) => { change.oncomplete = resolve; });
  for (const [name, text] of Object.entries(local)) localStorage.setItem(name, text);
}"""


@pytest.mark.slow
def test_storage_of_an_earlier_version_is_read(visitor):
    """Table, language and moves."""
    saved = Path(__file__).parents[2] / "data" / "saved" / "page"
    base, local = (json.loads((saved / name).read_text(encoding="utf-8")) for name in ("indexeddb.json", "localstorage.json"))
    page = visitor.open()
    page.evaluate(STORE, {"base": base, "local": local})
    held = []
    visitor.context.route("**/worker.js", lambda route: held.append(route))  # noqa: PLW0108 - it is told by its name
    page.goto("about:blank")
    page.goto(f"{visitor.url}play/")
    table = page.locator("main section.dk")
    expect(table).to_have_attribute("data-ply", "9")
    expect(page.locator("html")).to_have_attribute("lang", "lt")
    hand = hand_of(page)
    assert page.locator(AWAKE).count() == 0
    for route in held:
        route.continue_()
    page.wait_for_selector(AWAKE)
    expect(table).to_have_attribute("data-ply", "9")
    assert hand_of(page) == hand == ["Jh", "Qh", "Ts", "Qs", "9d", "Td"]


@pytest.mark.release
@pytest.mark.parametrize("visitor", [{"java_script_enabled": False}], indirect=True)
def test_without_scripts_every_page_says_so_and_nothing_waits(visitor):
    """The note and the links are visible, and nothing that a script would do."""
    visitor.expected = r"^csp: .*\.js$"  # The browser refuses to load them.
    for name in ("index", "board", "learn"):
        page = visitor.look(f"play/{name}.html")
        expect(page.locator("noscript .dp-message")).to_be_visible()
        for waiting in ("page.dealing", "page.wiping"):
            expect(page.get_by_text(english_text(waiting)).locator("visible=true")).to_have_count(0)
        expect(page.get_by_role("button")).to_have_count(0)
        expect(page.get_by_role("link", name=english_text("page.docs"))).to_be_visible()


@pytest.mark.release
def test_every_page_describes_itself_to_other_sites(folder):
    """A shared link has a title, a description and a picture, whose address is complete."""
    titles = []
    for name in ("index", "board", "learn"):
        html = (folder / "play" / f"{name}.html").read_text(encoding="utf-8")
        told = dict(re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]+)">', html))
        assert told["og:description"] == told["description"]
        assert told["og:image"] == f"{docs_site.ADDRESS}_static/table.png"
        titles.append(told["og:title"])
        assert "{" not in "".join(told.values())
    assert len(set(titles)) == len(titles)


@pytest.mark.release
def test_the_licenses_of_others_are_one_link_away(visitor, folder):
    """It is in the dialog about the saved files."""
    page = visitor.open()
    page.get_by_role("button", name=english_text("page.mine")).click()
    link = page.get_by_role("link", name=english_text("page.licenses"))
    expect(link).to_be_visible()
    assert (folder / "play" / link.get_attribute("href")).is_file()
