"""The room of the table: little height, the whole screen, large cards."""

from __future__ import annotations

import random

import pytest
from painted import golden, scene

from durak_widget import Game, Rules, Table, bots, review
from durak_widget.i18n import get_front_end_texts

pytestmark = pytest.mark.slow

# What is not whole in the felt, or lies under something else; and the heights at which the attack begins and the hand ends.
LOW = """() => {
  const table = document.querySelector('.dk'), felt = table.querySelector('.dk-felt').getBoundingClientRect(), wrong = [];
  const box = (element) => element.getBoundingClientRect();
  for (const element of table.querySelectorAll('.dk-pair .dk-card, .dk-hand-card, .dk-prompt, .dk-actions button, .dk-name, .dk-role span, .dk-plate .dk-count, .dk-trump, .dk-more-button')) {
    if (!element.checkVisibility() || !element.getClientRects().length) continue;
    const range = document.createRange(); range.selectNodeContents(element);
    const text = element.matches('.dk-prompt, .dk-name, .dk-role span') ? range.getBoundingClientRect() : box(element);
    if (!text.width) continue;
    const said = `${element.className} ${element.textContent || element.ariaLabel}`;
    if (text.left < felt.left || text.right > felt.right || text.top < felt.top - 1 || text.bottom > felt.bottom) wrong.push(`${said} is beside the felt`);
    if (element.matches('.dk-prompt, .dk-actions button, .dk-name, .dk-role span, .dk-plate .dk-count, .dk-more-button')) {
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


def crowded(players: int, language: str) -> list[dict]:
    """Moments with as many pairs on the table as may lie there: the person attacks, throws in, defends, waits."""
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


def within(blank, width: int) -> None:
    """The table is so wide."""
    blank.widen(width)
    blank.frames()


@pytest.mark.parametrize(("language", "players"), [("ru", 2), ("lt", 6)])
def test_with_little_height_all_is_seen_at_once(blank, screen_of, language, players):
    """A phone held across, and twice the size on a laptop: six pairs, the hand, the call and its buttons are whole within 280 px."""
    scenes = crowded(players, language)
    assert len(scenes) >= 4
    for height, width in ((274, 780), (280, 596)):
        screen_of(width + 40, height)
        blank.lay(scenes[0], words=get_front_end_texts(language), language=language)
        within(blank, width)
        for number, one in enumerate(scenes):
            blank.show(one, id=number + 2)
            found = blank.page.evaluate(LOW)
            assert found["wrong"] == [], (width, one["call_to_action"])
            assert (found["felt"] <= 280, found["height"] <= 280, found["least"] >= 30) == (True, True, True), found


def test_with_little_height_the_discard_pile_covers_no_trump(blank, screen_of):
    """Without a talon the trump stands alone at the side, and its word is whole."""
    screen_of(820, 280)
    game = Game.from_position(hands=["8c Ac 6h Kd", "9s Td Jd"], trump="h", table="7c", attacker=1)
    game.play("beat 7c 8c")
    blank.lay(scene(game, 0))
    within(blank, 780)
    boxes = [blank.one(part).bounding_box() for part in (".dk-trump", ".dk-discard .dk-pile")]
    trump, pile = boxes
    assert pile["height"] > 10
    assert trump["y"] + trump["height"] <= pile["y"], boxes


def test_the_bar_is_folded_where_it_is_low(blank, screen_of):
    """One button opens it, and closes it; Escape does too. Nothing is lost: every button of the bar is there."""
    screen_of(640, 280)
    blank.lay(scene(Game(seed=7)))
    within(blank, 600)
    more = blank.page.get_by_role("button", name="More", exact=True)
    assert not blank.one(".dk-navigation").is_visible()
    more.click()
    assert blank.one("[data-bar=help]").is_visible()
    assert blank.page.evaluate(
        "[...document.querySelectorAll('.dk-navigation button')].every((one) => one.hidden || one.getBoundingClientRect().right < 600)"
    )
    blank.keyboard.press("Escape")
    assert not blank.one(".dk-navigation").is_visible()


def test_what_scrolls_around_it_is_the_room_there_is(blank):
    """Not the window alone: a notebook on a phone leaves 270 of its 390 px."""
    blank.lay(scene(Game(seed=7)))
    around = "document.querySelector('.dk').parentElement.style"
    assert blank.one("").get_attribute("data-low") is None
    blank.page.evaluate(f"{around}.cssText += 'height: 270px; overflow: auto'; window.dispatchEvent(new Event('resize'))")
    assert blank.one("").get_attribute("data-low") == ""
    blank.page.evaluate(f"{around}.height = ''; window.dispatchEvent(new Event('resize'))")


@pytest.mark.parametrize("refused", [False, True], ids=["by the browser", "by the page"])
def test_it_fills_the_screen(blank, screen_of, refused):
    """Also where the browser refuses and what is around it is moved and clipped: cards and words grow with the room, the focus stays, a key leaves."""
    screen_of(1920, 1080)
    blank.lay(scene(Game("podkidnoy, players=4", seed=7), 0))
    blank.page.evaluate(
        "document.querySelector('.dk').parentElement.style.cssText += 'transform: translate(40px, 30px); contain: strict; height: 600px'"
    )
    if refused:
        blank.page.evaluate("() => { document.querySelector('.dk').requestFullscreen = () => Promise.reject(new Error('refused')); }")
    small = blank.one(".dk-hand-card").bounding_box()["width"]
    blank.press("z")
    blank.page.wait_for_function("document.querySelector('.dk').matches(':fullscreen, :popover-open')")
    blank.frames()
    focus = blank.page.evaluate("document.activeElement.dataset.card")
    assert focus
    assert blank.one("").bounding_box() == {"x": 0, "y": 0, "width": 1920, "height": 1080}
    assert blank.one(".dk-hand-card").bounding_box()["width"] > 1.5 * small
    assert blank.page.evaluate("document.querySelector('.dk').scrollHeight") <= 1080
    top = blank.page.evaluate(
        "[[2, 2], [1900, 20], [20, 1070], [1900, 1070]].map(([x, y]) => document.elementFromPoint(x, y).closest('.dk') !== null)"
    )
    assert all(top)
    assert blank.one("[data-bar=full]").get_attribute("aria-label") == "Leave full screen"
    blank.keyboard.press("Escape" if refused else "z")
    blank.page.wait_for_function("!document.querySelector('.dk').matches(':fullscreen, :popover-open')")
    blank.frames()
    assert blank.one("").get_attribute("data-full") is None
    assert blank.one(".dk-hand-card").bounding_box()["width"] == small
    assert blank.page.evaluate("document.activeElement.dataset.card") == focus


def test_large_cards_cut_nothing(blank):
    """From 560 to 1,200 px, for three and six players: cards and words are larger where there is room, and every role is whole."""
    language = "ru"
    for players in (3, 6):
        one = scene(Game(Rules(players=players), seed=7), language=language)
        blank.lay(one, words=get_front_end_texts(language), language=language, size="large")
        for width in (560, 900, 1200):
            within(blank, width)
            wrong = blank.page.evaluate("""() => [...document.querySelectorAll('.dk-role span, .dk-name, .dk-trump span, .dk-prompt')].filter((one) => {
              const range = document.createRange(); range.selectNodeContents(one);
              const text = range.getBoundingClientRect(), frame = one.closest('.dk-plate, .dk-talon, .dk-messages').getBoundingClientRect();
              const top = document.elementFromPoint(text.right - 2, (text.top + text.bottom) / 2);
              return text.right > frame.right + 1 || (text.width && !one.contains(top) && !top.contains(one));
            }).map((one) => one.textContent)""")
            assert wrong == [], (players, width)
        assert blank.one(".dk-hand-card").bounding_box()["width"] > 1.15 * 96
        limit = blank.one(".dk-attack-limit").bounding_box()["height"]
        blank.lay(one, words=get_front_end_texts(language), language=language)
        assert limit > 1.15 * blank.one(".dk-attack-limit").bounding_box()["height"]


@pytest.mark.parametrize(("width", "height"), [(824, 390)])
def test_where_there_is_little_room_the_first_button_is_to_have_more(blank, screen_of, width, height):
    """Before the first move, and no more once the screen is filled, also when that was left, or a card has been played; also where a task is set."""
    screen_of(width, height)
    blank.lay(golden("opening"))
    blank.widen(width)
    blank.frames()
    assert blank.read()["actions"][0] == ["full", "Play full screen"]
    assert blank.page.evaluate(LOW)["wrong"] == []
    assert blank.show(golden("opening", id=8, task=True))["actions"][0] == ["full", "Play full screen"]
    assert "full" not in dict(blank.show(golden("defending", id=9))["actions"])
    blank.show(golden("opening", id=10))
    blank.click("[data-action=full]")
    blank.page.wait_for_function("document.querySelector('.dk').matches(':fullscreen, :popover-open')")
    blank.frames()
    assert "full" not in dict(blank.read()["actions"])
    blank.press("z")
    blank.page.wait_for_function("!document.querySelector('.dk').matches(':fullscreen, :popover-open')")
    blank.frames()
    assert "full" not in dict(blank.read()["actions"])


def test_on_a_desk_there_is_room_enough(blank, screen_of):
    """The first button is no other than ever."""
    screen_of(1280, 800)
    blank.lay(golden("opening"))
    blank.widen(1000)
    blank.frames()
    assert "full" not in dict(blank.read()["actions"])


@pytest.mark.parametrize("size", [(360, 740), (844, 390)])
def test_a_panel_in_full_screen_can_be_read(blank, screen_of, size):
    """It lies over the felt where there is no room beside it: tall enough, its cross in sight, and away at a key."""
    screen_of(*size)
    blank.lay(golden("opening"))
    blank.press("z")
    blank.page.wait_for_function("document.querySelector('.dk').matches(':fullscreen, :popover-open')")
    for key, panel in (("l", "list"), ("g", "settings"), ("?", "help")):
        blank.press(key)
        blank.page.wait_for_selector(".dk-panel")
        blank.frames()
        box, cross = blank.one(".dk-panel").bounding_box(), blank.one(".dk-close-button").bounding_box()
        whole = blank.one(".dk-panel").evaluate("(panel) => panel.scrollHeight")
        assert box["height"] >= min(0.4 * size[1], whole), panel
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size[1]
        assert blank.page.evaluate(
            "([x, y]) => document.elementFromPoint(x, y).closest('.dk-close-button') !== null",
            [cross["x"] + cross["width"] / 2, cross["y"] + cross["height"] / 2],
        ), panel
        blank.press(key)


@pytest.mark.parametrize("size", [(844, 390), (1280, 800)])
def test_what_the_review_leads_to_is_not_under_it(blank, screen_of, size):
    """In full screen the review goes when it leads to the table, unless it stands beside it."""
    screen_of(*size)
    game = bots.play(Game(seed=7), ["first", "careful"], 1)
    found = review.analyze(game, 0, budget=20_000).view_model("en")
    shown = Table(game, {0: "you", 1: "careful"}).scene
    blank.lay({**shown, "id": 1, "review": {"text": [found["text"]] * 2, "turning_points": [3]}})
    blank.one("").focus()
    blank.keyboard.press("z")
    blank.page.wait_for_function("document.querySelector('.dk').matches(':fullscreen, :popover-open')")
    blank.frames()
    blank.click("[data-action=turned]")
    blank.page.evaluate("(told) => heard.get('msg:custom')(told)", {"kind": "review", **found})
    blank.frames()
    assert blank.one(".dk-panel").is_visible()
    blank.click(".dk-panel [data-key^=see]")
    blank.frames()
    assert blank.one(".dk-panel").is_visible() == (size[0] == 1280)


# The badges with the number of a player's cards that something lies over.
COVERED = """() => [...document.querySelectorAll('.dk-plate > .dk-count')].filter((one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const backs = [...one.parentElement.querySelectorAll('.dk-back')].map((back) => back.getBoundingClientRect());
  return [left + 4, x, right - 4].some((at) => !one.contains(document.elementFromPoint(at, y))) || backs.some((back) => back.right > left + 4);
}).length"""


@pytest.mark.parametrize("players", [2, 4])
def test_no_card_lies_over_the_number_of_cards(blank, players):
    """At any width, in a language with long words."""
    blank.lay(scene(Game(f"transfer, players={players}", seed=7), 0, language="ru"), words=get_front_end_texts("ru"), language="ru")
    for width in (1200, 900, 700, 600, 500, 360):
        blank.widen(width)
        assert blank.page.evaluate(COVERED) == 0, width
    blank.widen(1000)
