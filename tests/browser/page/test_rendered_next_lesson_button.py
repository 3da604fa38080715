"""Test the button in the result of a game that leads to the next lesson."""

from __future__ import annotations

import pytest
from rendered_table import golden_scene

from durak_widget.i18n import get_front_end_texts

pytestmark = pytest.mark.slow

# Put the table into a cell of a notebook, with a text below.
PUT_INTO_CELL = """(text) => {
  const cells = [0, 1].map(() => Object.assign(document.createElement('div'), { className: 'jp-Cell' }));
  cells[0].append(...document.body.children);
  cells[1].innerHTML = text;
  document.body.append(...cells);
  location.hash = '';
}"""
BUTTON = ".dk-next-lesson-button"
BOLD, NORMAL = "<p><strong><a href='#01_trumps.ipynb'>Trumps</a></strong></p>", "<p>See <a href='#01_trumps.ipynb'>Trumps</a></p>"


def mount_result(table_page, text: str, language: str = "en", **changes) -> None:
    """Show a game that ends, with a text in the cell below."""
    result = golden_scene("over_and_turned") | changes
    table_page.mount({**result, "result": None}, words=get_front_end_texts(language), language=language)
    table_page.page.evaluate(PUT_INTO_CELL, text)
    table_page.show(result, id=result["id"] + 1)
    table_page.page.wait_for_selector(".dk-review-note", state="attached")


@pytest.mark.parametrize(("language", "width"), [("en", 900), ("ru", 360), ("lt", 360)])
def test_the_result_leads_to_the_lesson_that_is_named_below(table_page, language, width):
    """The button has the name of the lesson and is within the card."""
    mount_result(table_page, BOLD, language)
    table_page.set_width(width)
    button = table_page.locate(BUTTON)
    assert button.inner_text() == get_front_end_texts(language)["onward.to"].format(what="Trumps")
    box, card = button.bounding_box(), table_page.locate(".dk-result-card").bounding_box()
    assert card["x"] <= box["x"]
    assert box["x"] + box["width"] <= card["x"] + card["width"]
    assert box["y"] + box["height"] <= card["y"] + card["height"]
    button.click()
    assert table_page.page.evaluate("location.hash") == "#01_trumps.ipynb"


def test_a_normal_link_below_is_no_way_on(table_page):
    """It belongs to its text."""
    mount_result(table_page, NORMAL)
    assert table_page.page.locator(BUTTON).count() == 0


def test_the_table_of_an_exercise_has_no_second_button(table_page):
    """The exercise has its own."""
    mount_result(table_page, BOLD, task=True)
    assert table_page.page.locator(BUTTON).count() == 0
