"""A phone held across, 844 wide and 390 high, painted: what is said at the end lies over nothing, and the bar that ⋯ opens does not stay in the way."""

from __future__ import annotations

import pytest
from painted import golden, intent, scene

from durak_widget import Game, Table
from durak_widget.i18n import get_front_end_texts

pytestmark = pytest.mark.slow

RIVALS = ["Дядя Яша: «А ведь всё раздал! В другой раз берите смелее».", "Дядя Яша: нужны две победы из трёх."]
# Which boxes lie over one another, or reach beyond the felt; how high the felt is.
APART = """() => {
  const box = (one) => document.querySelector(`.dk ${one}`).getBoundingClientRect();
  const felt = box('.dk-felt'), all = ['.dk-result-card', '.dk-hand', '.dk-seats', '.dk-actions', '.dk-trump'].map((one) => [one, box(one)]);
  const wrong = all.filter(([, one]) => one.top < felt.top - 1 || one.bottom > felt.bottom + 1 || one.left < felt.left - 1 || one.right > felt.right + 1).map(([name]) => name);
  all.forEach(([name, one], i) => all.slice(i + 1).forEach(([other, two]) => {
    if (one.left < two.right - 1 && two.left < one.right - 1 && one.top < two.bottom - 1 && two.top < one.bottom - 1) wrong.push(`${name} ${other}`);
  }));
  return { wrong, high: felt.height };
}"""


@pytest.fixture
def across(blank):
    """The empty page, as low as a phone that is held across."""
    before = blank.page.viewport_size
    blank.page.set_viewport_size({"width": 844, "height": 390})
    yield blank
    blank.page.set_viewport_size(before)


def laid(across, shown, language="en"):
    """A table on it that is painted in its low form."""
    across.lay(shown, words=get_front_end_texts(language), language=language)
    across.widen(828)
    assert across.one("").get_attribute("data-low") == ""
    return across


def over(language):
    """A game given away, told in that language, with all that opponents say."""
    table = Table(Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h"), seats={1: "first"}, language=language)
    table.play("attack 7d")
    while table.game.outcome is None:
        if not table.step():
            table.play("take")
    told = golden("over_and_turned")["review"]
    return {**table.scene, "review": told, "result": {**table.scene["result"], "remarks": RIVALS}}


@pytest.mark.parametrize("language", ["ru"])
def test_what_is_said_at_the_end_lies_within_the_felt(across, language):
    """Over neither the hand nor the other seats, with what opponents say, where it turned and its button; all of it at once on the screen."""
    laid(across, over(language), language)
    across.page.wait_for_selector(".dk-turning-point-text .dk-retry-button")
    across.frames()
    found = across.page.evaluate(APART)
    assert found["wrong"] == []
    assert found["high"] <= 390


def test_where_it_is_long_the_felt_grows(across):
    """Nothing is cut, and nothing covered: one scrolls."""
    long = over("ru")
    long |= {"result": {**long["result"], "remarks": RIVALS * 4}}
    laid(across, long, "ru")
    across.page.wait_for_selector(".dk-turning-point-text .dk-retry-button")
    across.frames()
    found = across.page.evaluate(APART)
    assert found["wrong"] == []
    assert found["high"] > 390


def test_who_sits_there_is_seen_and_who_is_left_with_what(across):
    """A small face in the thin row; at the end the cards of the fool, as large as there is room for, where one's own are gone."""
    table = Table(Game.from_position(hands=["Ks", "9c Qd Kd 6d 7c Ac 8c 8d"], trump="h"), seats={1: "uncle"})
    laid(across, table.scene)
    across.page.wait_for_selector(".dk-portrait")
    assert across.one(".dk-portrait").bounding_box()["height"] == 26
    table.play("attack Ks")
    while table.game.outcome is None:
        table.step()
    told = golden("over_and_turned")["review"]
    laid(across, {**table.scene, "id": table.scene["id"] + 1, "review": told})
    across.page.wait_for_selector(".dk-portrait")
    across.frames()
    assert min(card.bounding_box()["width"] for card in across.page.locator(".dk-open-hand .dk-card").all()) >= 50
    found = across.page.evaluate(APART)
    assert found["wrong"] == []
    assert found["high"] <= 390


def test_what_is_said_of_the_moment_stands_over_the_hand(across):
    """A hint that names no card covers nobody who sits there, nor the cards it is about, and what it points at is the hand."""
    now = golden("opening")
    laid(across, now)
    across.show({**now, "id": now["id"] + 1, "note": {"kind": "hint", "text": ["Begin with what you will miss least."] * 2}})
    across.frames()
    bubble, hand, seats = (across.one(one).bounding_box() for one in (".dk-bubble", ".dk-hand", ".dk-seats"))
    assert seats["y"] + seats["height"] < bubble["y"]
    assert bubble["y"] + bubble["height"] <= hand["y"] + 1
    assert hand["y"] - bubble["y"] - bubble["height"] < 40


@pytest.fixture
def unfolded(across):
    """A game that goes on, with the bar that ⋯ has opened."""
    laid(across, {**golden("opening"), "ply": 2, "last_ply": 2, "can": {"undo": True, "hint": True}})
    across.click(".dk-more-button")
    assert across.one(".dk-navigation").is_visible()
    return across


@pytest.mark.parametrize("selector", ["[data-bar=list]", ".dk-table"])
def test_the_bar_closes_when_something_is_chosen_or_the_table_is_touched(unfolded, selector):
    """In it, or elsewhere."""
    unfolded.click(selector)
    assert not unfolded.one(".dk-navigation").is_visible()
    assert unfolded.one(".dk-more-button").get_attribute("aria-expanded") == "false"


def test_the_bar_closes_on_escape_and_leaves_the_focus_to_its_button(unfolded):
    """Also by keys, from a button within it; a press of *Undo* does the same."""
    unfolded.one("[data-bar=settings]").focus()
    unfolded.keyboard.press("Escape")
    assert not unfolded.one(".dk-navigation").is_visible()
    assert unfolded.page.evaluate("document.activeElement.matches('.dk-more-button')")
    unfolded.keyboard.press("Enter")
    unfolded.one("[data-bar=undo]").focus()
    unfolded.keyboard.press("Enter")
    assert unfolded.take() == [intent("undo", 2)]
    assert not unfolded.one(".dk-navigation").is_visible()
    assert unfolded.page.evaluate("document.activeElement.matches('.dk-more-button')")


def test_the_bar_closes_when_the_turn_goes_on_and_not_while_one_looks_back(unfolded):
    """From moment to moment one goes with it open; a new move, or another game, closes it."""
    now = scene(Game(seed=7))
    unfolded.click("[data-bar=previous]")
    assert unfolded.one(".dk-navigation").is_visible()
    unfolded.show(now, id=90, ply=1, last_ply=2)
    assert unfolded.one(".dk-navigation").is_visible()
    unfolded.show(now, id=91, ply=3, last_ply=3)
    assert not unfolded.one(".dk-navigation").is_visible()
    unfolded.click(".dk-more-button")
    assert unfolded.one(".dk-navigation").is_visible()
    unfolded.show(now, id=92, ply=3, last_ply=3, game=5)
    assert not unfolded.one(".dk-navigation").is_visible()
