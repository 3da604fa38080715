"""Test the panel that explains the game in pictures: how it opens, what it shows, and how it fits."""

from __future__ import annotations

import pytest
from rendered_table import WORDS, find_axe_violations, golden_scene, make_intent

from durak_widget.i18n import get_front_end_texts
from durak_widget.table.how_to_play import build_how_to_play_message
from support.spoken import text_without_drawings

# Return what is wider than the panel, and cards that are smaller than 25 by 34 pixels.
FIT = """(width) => {
  document.querySelector('.dk').parentElement.style.width = `${width}px`;
  const panel = document.querySelector('.dk-panel');
  const faces = [...panel.querySelectorAll('svg use[href^="#how-beat-"]')].filter((one) => /-[6-9TJQKA][cdhs]$/.test(one.getAttribute('href')) && !one.closest('defs'));
  const narrow = faces.filter((one) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height) < 25 || one.getBoundingClientRect().height < 34);
  return [panel.scrollWidth > panel.clientWidth, faces.length > 5, narrow.length];
}"""


@pytest.fixture
def open_panel(table_page):
    """Open the panel from the menu and answer its request."""

    def open_panel(language="en", **look):
        table_page.mount(golden_scene("defending"), words=get_front_end_texts(language), language=language, **look)
        table_page.choose("how_to_play")
        table_page.read()
        assert table_page.drain() == [make_intent("how_to_play", 1)]
        table_page.receive(build_how_to_play_message(language))
        return table_page.locate(".dk-panel")

    return open_panel


@pytest.mark.parametrize("language", ["en", "lt", "ru"])
def test_the_panel_shows_six_pictures_with_sentences(open_panel, language):
    """Each is an image with a text. The list has headings."""
    panel = open_panel(language)
    expected = build_how_to_play_message(language)["steps"]
    assert panel.get_attribute("aria-label") == get_front_end_texts(language)["how_to_play"]
    assert panel.locator("li p").all_inner_texts() == [text_without_drawings(sentence) for _, sentence, _ in expected]
    assert panel.get_by_role("heading", level=3).all_inner_texts() == [f"{i}. {title}" for i, (title, *_) in enumerate(expected, 1)]
    assert all(panel.get_by_role("img").evaluate_all("(all) => all.map((one) => one.getAttribute('aria-label'))"))
    assert panel.get_by_role("img").count() == 6


@pytest.mark.parametrize(
    "look", [{}, {"theme": "dark", "skin": "slate", "four_colors": True}, {"skin": "linen"}], ids=["felt", "slate", "linen"]
)
def test_the_pictures_follow_the_look_of_the_table(open_panel, table_page, look):
    """The cloth and the suits have its colours, and axe finds nothing."""
    panel = open_panel(**look)
    fill = "(one) => getComputedStyle(one).fill"
    cloth = table_page.page.evaluate("getComputedStyle(document.querySelector('.dk-felt')).backgroundColor")
    assert panel.locator(".dk-picture-felt").first.evaluate(fill) == cloth
    inks = {suit: panel.locator(f".dk-ink-{suit}").first.evaluate(fill) for suit in "cs"}
    assert (inks["c"] == inks["s"]) is not look.get("four_colors", False)
    assert find_axe_violations(table_page.page, ".dk") == []


@pytest.mark.parametrize("width", [320, 360, 640, 900, 1200])
def test_the_cards_in_the_pictures_are_readable_at_every_width(open_panel, table_page, width):
    """Nothing is wider than the panel."""
    open_panel()
    assert table_page.page.evaluate(FIT, width) == [False, True, 0]


def test_the_rules_and_the_keys_are_one_click_away(open_panel, table_page):
    """The rules from the pictures, and the pictures from the list of keys."""
    open_panel().locator("[data-key=rules]").click()
    assert table_page.read()["panel"] == WORDS["rules"]
    table_page.keyboard.press("Escape")
    table_page.press("?")
    table_page.locate(".dk-panel [data-key=how_to_play]").click()
    assert table_page.read()["panel"] == WORDS["how_to_play"]


def test_a_page_can_open_the_panel(table_page):
    """By a message, also before another panel was opened."""
    table_page.mount(golden_scene("defending"))
    table_page.receive({"kind": "open_panel", "panel": "how_to_play"})
    assert table_page.read()["panel"] == WORDS["how_to_play"]
    assert [message["kind"] for message in table_page.drain()] == ["how_to_play"]


def test_another_language_is_asked_for_again(open_panel, table_page):
    """Until it is there, nothing in the old language is shown."""
    panel = open_panel()
    table_page.page.evaluate("(words) => { model.set('words', words); }", get_front_end_texts("lt"))
    assert [message["kind"] for message in table_page.drain()] == ["how_to_play"]
    assert panel.get_by_role("img").count() == 0
    table_page.receive(build_how_to_play_message("lt"))
    assert panel.locator("li p").first.inner_text() == build_how_to_play_message("lt")["steps"][0][1]
