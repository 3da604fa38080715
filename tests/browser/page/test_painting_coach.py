"""The coach at a table, painted: its word with what was better, a button to take it back, and the bar of chances."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from painted import golden, intent, scene

from durak_widget import Game, Rules, Table
from durak_widget.i18n import get_front_end_texts

pytestmark = pytest.mark.slow

SURE = {"chances": [0.53, 0.5, 0.56]}


def dear(language: str) -> dict:
    """An ending was given away, with the coach at the table."""
    ending = Game.from_position(Rules(suits="cd", ranks="789", hand_size=2), hands=["9c 7d", "7c 9d"], discard="8c 8d", trump="d")
    table = Table(ending, seats={1: "first"}, coach=True, language=language)
    table.play("attack 9c")
    return dict(table.scene)


@pytest.mark.parametrize(("language", "takes_back", "width"), [("ru", "Взять ход назад", 360)])
def test_what_was_dear_is_said_on_the_felt_with_a_way_back(blank, width, language, takes_back):
    """The word is to be seen whole, and one press takes the move back."""
    with ThreadPoolExecutor(1) as thread:  # where no event loop runs, so that what is found out beside a table comes at once
        word = thread.submit(dear, language).result()
    blank.lay(word, words=get_front_end_texts(language), language=language)
    blank.widen(width)
    blank.frames()
    said = " ".join(blank.page.locator(".dk-recent-moves span").all_inner_texts())
    assert word["commentary"][0].split(".")[0] in said
    felt, line = blank.one(".dk-felt").bounding_box(), blank.one(".dk-recent-moves").bounding_box()
    assert line["height"] > 15
    assert line["x"] + line["width"] <= felt["x"] + felt["width"]
    button = blank.page.get_by_role("button", name=takes_back, exact=True)
    button.click()
    assert blank.take() == [intent("undo", word["ply"])]


def test_the_chances_are_a_bar_that_says_how_sure_it_is(blank):
    """In words for who listens; it stays while others move, follows what is found, and goes with the setting, or the game."""
    begun = {**scene(Game(seed=7)), "analysis": SURE}
    blank.lay(begun, chances=True)
    blank.page.wait_for_function("document.querySelector('.dk-win-bar')")
    bar = blank.page.get_by_role("img", name="Your chance to win: 53 %, give or take 3")
    assert bar.inner_text().strip() == "53 ± 3"
    sure, perhaps = (blank.one(f".dk-win-bar-{one}").bounding_box()["width"] for one in ("sure", "possible"))
    assert abs(sure / (sure + perhaps) - 0.5 / 0.56) < 0.02
    blank.show(begun, id=begun["id"] + 1, analysis={})
    assert blank.one(".dk-win-bar").inner_text().strip() == "53 ± 3"
    blank.show(begun, id=begun["id"] + 2, analysis={"chances": [1, 1, 1]})
    blank.frames()
    assert blank.page.get_by_role("img", name="Your chance to win: 100 %, proved").is_visible()
    blank.show(golden("over_and_turned"), id=begun["id"] + 3)
    blank.frames()
    assert not blank.page.locator(".dk-win-bar").count()


def test_no_chances_are_left_for_the_next_person_or_the_next_game(blank):
    """Under a cover there is no bar, then one without a number; nor is there one where nothing helps."""
    begun = {**scene(Game(seed=7)), "analysis": SURE}
    blank.lay(begun, chances=True)
    blank.page.wait_for_function("document.querySelector('.dk-win-bar')")
    blank.show(begun, id=2, covered=True, hand=[])
    blank.frames()
    assert not blank.page.locator(".dk-win-bar").count()
    blank.show(begun, id=3, viewer=1, analysis={})
    blank.frames()
    assert blank.one(".dk-win-bar").inner_text().strip() == ""
    blank.show(begun, id=4, viewer=1)
    blank.frames()
    assert blank.one(".dk-win-bar").inner_text().strip() == "53 ± 3"
    blank.show({name: fact for name, fact in begun.items() if name != "analysis"}, id=5)
    blank.frames()
    assert not blank.page.locator(".dk-win-bar").count()
