"""Test the table with little height, in full screen and with large cards."""

from __future__ import annotations

import random

import pytest
from rendered_table import golden_scene, scene

from durak_widget import Game, Rules, Table, bots, review
from durak_widget.i18n import get_front_end_texts
from support.spoken import english_text

pytestmark = pytest.mark.slow

# Return what leaves the felt or is covered, the top of the attack and the bottom of the hand.
LOW = """() => {
  const table = document.querySelector('.dk'), felt = table.querySelector('.dk-felt').getBoundingClientRect(), wrong = [];
  const box = (element) => element.getBoundingClientRect();
  for (const element of table.querySelectorAll('.dk-pair .dk-card, .dk-hand-card, .dk-prompt, .dk-actions button, .dk-name, .dk-role span, .dk-plate .dk-count, .dk-trump, .dk-menu-button')) {
    if (!element.checkVisibility() || !element.getClientRects().length) continue;
    const range = document.createRange(); range.selectNodeContents(element);
    const text = element.matches('.dk-prompt, .dk-name, .dk-role span') ? range.getBoundingClientRect() : box(element);
    if (!text.width) continue;
    const said = `${element.className} ${element.textContent || element.ariaLabel}`;
    if (text.left < felt.left || text.right > felt.right || text.top < felt.top - 1 || text.bottom > felt.bottom) wrong.push(`${said} is beside the felt`);
    if (element.matches('.dk-prompt, .dk-actions button, .dk-name, .dk-role span, .dk-plate .dk-count, .dk-menu-button')) {
      for (const x of [text.left + 2, text.right - 2]) {
        const top = document.elementFromPoint(x, (text.top + text.bottom) / 2);
        if (top && !element.contains(top) && !top.contains(element)) wrong.push(`${said} is under ${top.getAttribute('class')}`);
      }
    }
  }
  const all = [...table.querySelectorAll('.dk-pair, .dk-hand-card')].map(box);
  const pairs = [...table.querySelectorAll('.dk-pair')].map(box), hand = [...table.querySelectorAll('.dk-hand-card')].map(box);
  if (pairs.some((pair) => hand.some((card) => pair.bottom > card.top + 1))) wrong.push('the hand lies on the attack');
  return { wrong, felt: felt.bottom - felt.top, height: Math.max(...all.map(({ bottom }) => bottom)) - Math.min(...all.map(({ top }) => top)),
    least: Math.min(...[...table.querySelectorAll('.dk-hand-card, .dk-pair .dk-card')].map((card) => card.offsetWidth)) };
}"""


def crowded_scenes(players: int, language: str) -> list[dict]:
    """Return scenes with as many pairs as possible: attack, throw in, defence and waiting."""
    found = []
    for seed in range(60):
        game, rng = Game(Rules(players=players), seed=seed), random.Random(seed)
        while game.actor is not None and len(game.table) < 6 and game.ply < 200:
            game.play(rng.choice([move for move in game.legal_moves() if move.verb != "pass"] or game.legal_moves()))
        if len(game.table) == 6:
            found.append(scene(game, game.actor or 0, language=language))
            found.append(scene(game, (game.defender + 1) % players, language=language))
        if len(found) >= 6:
            break
    return found


def set_width(table_page, width: int) -> None:
    """Give the table this width."""
    table_page.set_width(width)
    table_page.wait_for_frames()


@pytest.mark.parametrize(("language", "players"), [("ru", 2), ("lt", 6)])
def test_everything_fits_a_low_screen(table_page, set_screen_size, language, players):
    """Six pairs, hand, prompt and buttons within 280 px."""
    scenes = crowded_scenes(players, language)
    assert len(scenes) >= 4
    for height, width in ((274, 780), (280, 596)):
        set_screen_size(width + 40, height)
        table_page.mount(scenes[0], words=get_front_end_texts(language), language=language)
        set_width(table_page, width)
        for number, crowded_scene in enumerate(scenes):
            table_page.show(crowded_scene, id=number + 2)
            found = table_page.page.evaluate(LOW)
            assert found["wrong"] == [], (width, crowded_scene["call_to_action"])
            assert (found["felt"] <= 280, found["height"] <= 280, found["least"] >= 30) == (True, True, True), found


def test_the_discard_pile_covers_no_trump_on_a_low_screen(table_page, set_screen_size):
    """Without a talon."""
    set_screen_size(820, 280)
    game = Game.from_position(hands=["8c Ac 6h Kd", "9s Td Jd"], trump="h", table="7c", attacker=1)
    game.play("beat 7c 8c")
    table_page.mount(scene(game, 0))
    set_width(table_page, 780)
    boxes = [table_page.locate(part).bounding_box() for part in (".dk-trump", ".dk-discard .dk-pile")]
    trump, pile = boxes
    assert pile["height"] > 10
    assert trump["y"] + trump["height"] <= pile["y"], boxes


def test_on_a_low_screen_only_the_menu_button_is_left_of_the_bar(table_page, set_screen_size):
    """The menu has the commands of the bar too, and fits the screen. Escape closes it."""
    set_screen_size(640, 280)
    table_page.mount({**scene(Game(seed=7)), "can": {"undo": True, "redo": True, "hint": True}})
    set_width(table_page, 600)
    assert table_page.page.locator(".dk-navigation button:visible").count() == 1
    table_page.page.get_by_role("button", name=english_text("screen.menu"), exact=True).click()
    names = table_page.page.locator("[role=menuitem]").evaluate_all("all => all.map(({ dataset }) => dataset.menu)")
    assert {"undo", "redo", "new", "settings", "help"} <= set(names)
    for entry in table_page.page.locator("[role=menuitem]").all():
        box = entry.bounding_box()
        assert box["x"] >= 0, box
        assert box["x"] + box["width"] <= 608
        assert box["y"] >= 0, box
        assert box["y"] + box["height"] <= 280
    table_page.keyboard.press("Escape")
    assert table_page.page.locator(".dk-command-menu").is_hidden()


def test_the_scroll_container_limits_the_height(table_page):
    """A notebook on a phone leaves 270 of 390 px."""
    table_page.mount(scene(Game(seed=7)))
    around = "document.querySelector('.dk').parentElement.style"
    assert table_page.locate("").get_attribute("data-low") is None
    table_page.page.evaluate(f"{around}.cssText += 'height: 270px; overflow: auto'; window.dispatchEvent(new Event('resize'))")
    assert table_page.locate("").get_attribute("data-low") == ""
    table_page.page.evaluate(f"{around}.height = ''; window.dispatchEvent(new Event('resize'))")


@pytest.mark.parametrize("refused", [False, True], ids=["by the browser", "by the page"])
def test_full_screen_fills_the_screen(table_page, set_screen_size, refused):
    """Also if the browser refuses and the page clips. Cards and text grow, the focus stays, a key leaves."""
    set_screen_size(1920, 1080)
    table_page.mount(scene(Game("podkidnoy, players=4", seed=7), 0))
    table_page.page.evaluate(
        "document.querySelector('.dk').parentElement.style.cssText += 'transform: translate(40px, 30px); contain: strict; height: 600px'"
    )
    if refused:
        table_page.page.evaluate("() => { document.querySelector('.dk').requestFullscreen = () => Promise.reject(new Error('refused')); }")
    small = table_page.locate(".dk-hand-card").bounding_box()["width"]
    table_page.press("z")
    table_page.page.wait_for_function("document.querySelector('.dk').matches(':fullscreen, :popover-open')")
    table_page.wait_for_frames()
    focus = table_page.page.evaluate("document.activeElement.dataset.card")
    assert focus
    assert table_page.locate("").bounding_box() == {"x": 0, "y": 0, "width": 1920, "height": 1080}
    assert table_page.locate(".dk-hand-card").bounding_box()["width"] > 1.5 * small
    assert table_page.page.evaluate("document.querySelector('.dk').scrollHeight") <= 1080
    top = table_page.page.evaluate(
        "[[2, 2], [1900, 20], [20, 1070], [1900, 1070]].map(([x, y]) => document.elementFromPoint(x, y).closest('.dk') !== null)"
    )
    assert all(top)
    table_page.click(".dk-menu-button")
    assert table_page.page.get_by_role("menuitem", name=english_text("screen.full.leave")).is_visible()
    table_page.keyboard.press("Escape")
    table_page.card(focus).focus()
    table_page.keyboard.press("Escape" if refused else "z")
    table_page.page.wait_for_function("!document.querySelector('.dk').matches(':fullscreen, :popover-open')")
    table_page.wait_for_frames()
    assert table_page.locate("").get_attribute("data-full") is None
    assert table_page.locate(".dk-hand-card").bounding_box()["width"] == small
    assert table_page.page.evaluate("document.activeElement.dataset.card") == focus


def test_large_cards_fit(table_page):
    """From 560 to 1,200 px, for three and six players."""
    language = "ru"
    for players in (3, 6):
        game = Game(Rules(players=players), seed=7)
        game.play(game.legal_moves()[0])
        opening_scene = scene(game, game.defender, language=language)
        table_page.mount(opening_scene, words=get_front_end_texts(language), language=language, size="large")
        for width in (560, 900, 1200):
            set_width(table_page, width)
            wrong = table_page.page.evaluate("""() => [...document.querySelectorAll('.dk-role span, .dk-name, .dk-trump span, .dk-prompt')].filter((one) => {
              const range = document.createRange(); range.selectNodeContents(one);
              const text = range.getBoundingClientRect(), frame = one.closest('.dk-plate, .dk-talon, .dk-messages').getBoundingClientRect();
              const top = document.elementFromPoint(text.right - 2, (text.top + text.bottom) / 2);
              return text.right > frame.right + 1 || (text.width && !one.contains(top) && !top.contains(one));
            }).map((one) => one.textContent)""")
            assert wrong == [], (players, width)
        assert table_page.locate(".dk-hand-card").bounding_box()["width"] > 1.15 * 96
        limit = table_page.locate(".dk-attack-limit").bounding_box()["height"]
        table_page.mount(opening_scene, words=get_front_end_texts(language), language=language)
        assert limit > 1.15 * table_page.locate(".dk-attack-limit").bounding_box()["height"]


@pytest.mark.parametrize("size", [(360, 740), (844, 390), (1280, 800)])
def test_full_screen_is_in_the_menu(table_page, set_screen_size, size):
    """At every width. It is never the first choice of a new player."""
    set_screen_size(*size)
    table_page.mount(golden_scene("opening"))
    table_page.set_width(size[0] - 20)
    table_page.wait_for_frames()
    assert [name for name, _ in table_page.read()["actions"]] == ["hint"]
    table_page.choose("full")
    table_page.page.wait_for_function("document.querySelector('.dk').matches(':fullscreen, :popover-open')")
    table_page.wait_for_frames()
    table_page.choose("full")
    table_page.page.wait_for_function("!document.querySelector('.dk').matches(':fullscreen, :popover-open')")
    table_page.wait_for_frames()
    assert [name for name, _ in table_page.read()["actions"]] == ["hint"]


@pytest.mark.parametrize("size", [(360, 740), (844, 390)])
def test_a_panel_in_full_screen_is_usable(table_page, set_screen_size, size):
    """Over the felt if there is no space beside it: tall enough, with a visible close button."""
    set_screen_size(*size)
    table_page.mount(golden_scene("opening"))
    table_page.press("z")
    table_page.page.wait_for_function("document.querySelector('.dk').matches(':fullscreen, :popover-open')")
    for key, panel in (("l", "list"), ("g", "settings"), ("?", "help")):
        table_page.press(key)
        table_page.page.wait_for_selector(".dk-panel")
        table_page.wait_for_frames()
        box, cross = table_page.locate(".dk-panel").bounding_box(), table_page.locate(".dk-close-button").bounding_box()
        whole = table_page.locate(".dk-panel").evaluate("(panel) => panel.scrollHeight")
        assert box["height"] >= min(0.4 * size[1], whole), panel
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size[1]
        assert table_page.page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).closest('.dk-close-button') !== null",
            [cross["x"] + cross["width"] / 2, cross["y"] + cross["height"] / 2],
        ), panel
        table_page.press(key)


@pytest.mark.parametrize("size", [(844, 390), (1280, 800)])
def test_the_review_in_full_screen_does_not_cover_the_table(table_page, set_screen_size, size):
    """It closes, unless it is beside the table."""
    set_screen_size(*size)
    game = bots.play(Game(seed=7), ["first", "careful"], 1)
    found = review.analyze(game, 0, budget=20_000).view_model("en")
    table_scene = Table(game, {0: "you", 1: "careful"}).scene
    table_page.mount({**table_scene, "id": 1, "review": {"text": [found["text"]] * 2, "turning_points": [3]}})
    table_page.locate("").focus()
    table_page.keyboard.press("z")
    table_page.page.wait_for_function("document.querySelector('.dk').matches(':fullscreen, :popover-open')")
    table_page.wait_for_frames()
    table_page.click("[data-action=turned]")
    table_page.page.evaluate("(told) => heard.get('msg:custom')(told)", {"kind": "review", **found})
    table_page.wait_for_frames()
    assert table_page.locate(".dk-panel").is_visible()
    table_page.click(".dk-panel [data-key^=see]")
    table_page.wait_for_frames()
    assert table_page.locate(".dk-panel").is_visible() == (size[0] == 1280)


# Return covered card counts.
COVERED = """() => [...document.querySelectorAll('.dk-plate > .dk-count')].filter((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const backs = [...one.parentElement.querySelectorAll('.dk-back')].map((back) => back.getBoundingClientRect());
  return [left + 4, x, right - 4].some((at) => !one.contains(document.elementFromPoint(at, y))) || backs.some((back) => back.right > left + 4);
}).length"""


@pytest.mark.parametrize("players", [2, 4])
def test_no_card_covers_the_card_count(table_page, players):
    """At any width."""
    table_page.mount(scene(Game(f"transfer, players={players}", seed=7), 0, language="ru"), words=get_front_end_texts("ru"), language="ru")
    for width in (1200, 900, 700, 600, 500, 360):
        table_page.set_width(width)
        assert table_page.page.evaluate(COVERED) == 0, width
    table_page.set_width(1000)
