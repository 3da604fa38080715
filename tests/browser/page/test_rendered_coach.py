"""Test the coach at a table: comments, taking a move back, and the win probability bar."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from rendered_table import golden_scene, make_intent, scene

from durak_widget import Game, Rules, Table
from durak_widget.i18n import get_front_end_texts
from support.spoken import english_text

pytestmark = pytest.mark.slow

SURE = {"chances": [0.53, 0.5, 0.56]}


def costly_move(language: str) -> dict:
    """Return a scene after a lost ending, with the coach on."""
    ending = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    table = Table(ending, seats={1: "first"}, coach=True, language=language)
    table.play("attack 9c")
    return dict(table.scene)


@pytest.mark.parametrize(("language", "width"), [("ru", 360)])
def test_a_costly_move_is_explained_and_can_be_taken_back(table_page, width, language):
    """The comment is visible in full, and one click takes the move back."""
    with ThreadPoolExecutor(1) as thread:  # without an event loop, so that background results come at once
        word = thread.submit(costly_move, language).result()
    table_page.mount(word, words=get_front_end_texts(language), language=language)
    table_page.set_width(width)
    table_page.wait_for_frames()
    sentences = " ".join(table_page.page.locator(".dk-recent-moves span").all_inner_texts())
    assert word["commentary"][0].split(".")[0] in sentences
    felt, line = table_page.locate(".dk-felt").bounding_box(), table_page.locate(".dk-recent-moves").bounding_box()
    assert line["height"] > 15
    assert line["x"] + line["width"] <= felt["x"] + felt["width"]
    button = table_page.page.get_by_role("button", name=get_front_end_texts(language)["regret"], exact=True)
    button.click()
    assert table_page.drain() == [make_intent("undo", word["ply"])]


def test_the_win_probability_bar_shows_its_uncertainty(table_page):
    """It has a text alternative, stays while others move, and goes with the setting or the game."""
    begun = {**scene(Game(seed=7)), "analysis": SURE}
    table_page.mount(begun, chances=True)
    table_page.page.wait_for_function("document.querySelector('.dk-win-bar')")
    bar = table_page.page.get_by_role("img", name=english_text("screen.chances", percent="53", give="3"))
    assert bar.inner_text().strip() == "53 ± 3"
    sure, perhaps = (table_page.locate(f".dk-win-bar-{part}").bounding_box()["width"] for part in ("sure", "possible"))
    assert abs(sure / (sure + perhaps) - 0.5 / 0.56) < 0.02
    table_page.show(begun, id=begun["id"] + 1, analysis={})
    assert table_page.locate(".dk-win-bar").inner_text().strip() == "53 ± 3"
    table_page.show(begun, id=begun["id"] + 2, analysis={"chances": [1, 1, 1]})
    table_page.wait_for_frames()
    assert table_page.page.get_by_role("img", name=english_text("screen.chances.proved", percent="100")).is_visible()
    table_page.show(golden_scene("over_and_turned"), id=begun["id"] + 3)
    table_page.wait_for_frames()
    assert not table_page.page.locator(".dk-win-bar").count()


def test_the_win_probability_is_cleared_for_the_next_player_and_game(table_page):
    """No bar on a covered table or without advice, and no number until it is known."""
    begun = {**scene(Game(seed=7)), "analysis": SURE}
    table_page.mount(begun, chances=True)
    table_page.page.wait_for_function("document.querySelector('.dk-win-bar')")
    table_page.show(begun, id=2, covered=True, hand=[])
    table_page.wait_for_frames()
    assert not table_page.page.locator(".dk-win-bar").count()
    table_page.show(begun, id=3, viewer=1, analysis={})
    table_page.wait_for_frames()
    assert table_page.locate(".dk-win-bar").inner_text().strip() == ""
    table_page.show(begun, id=4, viewer=1)
    table_page.wait_for_frames()
    assert table_page.locate(".dk-win-bar").inner_text().strip() == "53 ± 3"
    table_page.show({name: fact for name, fact in begun.items() if name != "analysis"}, id=5)
    table_page.wait_for_frames()
    assert not table_page.page.locator(".dk-win-bar").count()
