"""A painted tree in bad company: names that are markup or endless, hands whose end is not heard, a kernel that dies under them, colours that a reader forces."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durak_widget import board, gametheory
from durak_widget.gametheory import ChanceNode, DecisionNode, TerminalNode

pytestmark = pytest.mark.slow
MARKUP = "</script><script>window.caught = 1</script><img src=x onerror='window.caught = 2'>"
HAND = """([kind, more]) => {
  const at = document.querySelector(more.on ?? '.dk-view'), { left, top } = at.getBoundingClientRect();
  at.dispatchEvent(new PointerEvent(kind, { bubbles: true, cancelable: true, button: 0, buttons: 1, isPrimary: true, pointerType: 'touch', ...more, clientX: left + more.x, clientY: top + more.y }));
}"""

SEEN = {"viewport": {"width": 1000, "height": 800}}


def marked():
    """A game in which everything is called by what a page could take for markup."""
    places = {
        "": DecisionNode(0, MARKUP, [(MARKUP, "c"), ("two", "e")]),
        "c": ChanceNode([(MARKUP, Fraction(1, 2), "d"), ("", Fraction(1, 2), "e")]),
        "d": DecisionNode(1, MARKUP, [(MARKUP, "e"), ("b", "e")]),
        "e": TerminalNode((1, -1)),
    }
    return gametheory.build_tree("", places.__getitem__, player_count=2, title=MARKUP, names=(MARKUP, "x" * 400))


def hand(board_page, kind, x, y, **more):
    """What a hand does on the board, or on what is named."""
    board_page.page.evaluate(HAND, [kind, {"x": x, "y": y, **more}])


def scale(board_page):
    """How near the board is, and where."""
    return board_page.page.locator(".dk-world").get_attribute("style")


@pytest.mark.parametrize("width", [344])
def test_whatever_a_game_calls_things_stays_words_and_on_the_page(board_page, width: int):
    """No markup of an author is obeyed, on the board or in its panels; and however long a name is, nothing is wider than the page."""
    board_page.page.set_viewport_size({"width": width + 16, "height": 800})
    view = board.Tree(marked(), depth=9)
    view.add_label(1, MARKUP)
    view.solve()
    view.handle_message({"kind": "start_own_strategy"})
    view.show_matrix(True)
    board_page.lay(view, width)
    board_page.page.locator("[data-tool=menu]").click()
    assert board_page.page.evaluate("window.caught") is None
    assert board_page.page.locator("img, script").count() == 0
    assert board_page.page.evaluate("document.documentElement.scrollWidth") <= width + 16
    wide = "[...document.querySelectorAll('.dk-best-response-button, .dk-menu-item')].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow === 'visible').length"
    assert board_page.page.evaluate(wide) == 0
    board_page.page.set_viewport_size({"width": 1000, "height": 800})


def test_a_finger_whose_end_was_not_heard_does_not_pinch_with_the_next(board_page):
    """It was lifted where the board could not hear it: one finger alone moves the board, and does not zoom it."""
    board_page.lay(board.Tree(marked(), depth=9), 900)
    hand(board_page, "pointerdown", 300, 60, pointerId=11)
    hand(board_page, "pointerdown", 100, 60, pointerId=12)
    board_page.page.evaluate("document.querySelector('.dk-view').setPointerCapture = () => {}")
    before = scale(board_page).partition("scale")[2]
    for x in (110, 140, 200):
        hand(board_page, "pointermove", x, 60, pointerId=12)
    board_page.rest()
    assert scale(board_page).partition("scale")[2] == before
    hand(board_page, "pointerup", 200, 60, pointerId=12)


def test_a_pull_whose_end_was_not_heard_ends_with_the_next_move(board_page):
    """The button was let go of elsewhere: the mouse alone changes nothing any more; and another probability can be pulled."""
    view = board.Tree(marked(), depth=9)
    view.handle_message({"kind": "start_own_strategy"})
    board_page.lay(view, 900)
    board_page.sent()
    board_page.page.evaluate("document.querySelector('.dk-board').setPointerCapture = () => {}")
    label = ".dk-probability[data-draggable]"
    hand(board_page, "pointerdown", 4, 4, on=label, pointerId=1, pointerType="mouse")
    hand(board_page, "pointermove", 90, 4, on=label, pointerId=1, pointerType="mouse", buttons=0)
    board_page.rest()
    assert board_page.sent() == []
    hand(board_page, "pointerdown", 4, 4, on=label, pointerId=13)  # of which nothing more is heard
    hand(board_page, "pointerdown", 4, 4, on=label, pointerId=14)
    hand(board_page, "pointermove", 60, 4, on=label, pointerId=14)
    assert [one["kind"] for one in board_page.sent()] == ["set_probability"]
    hand(board_page, "pointerup", 60, 4, on=label, pointerId=14)
    assert board_page.page.locator(".dk-drag-scale").count() == 0


def test_a_kernel_that_dies_under_the_hand_leaves_a_board_that_can_be_closed(board_page):
    """A probability is being pulled, the board dragged: it is said, no error is thrown, and nothing stays."""
    view = board.Tree(marked(), depth=9)
    view.handle_message({"kind": "start_own_strategy"})
    board_page.lay(view, 900)
    box = board_page.page.locator(".dk-probability[data-draggable]").first.bounding_box()
    board_page.page.mouse.move(box["x"] + 5, box["y"] + 5)
    board_page.page.mouse.down()
    board_page.page.mouse.move(box["x"] + 40, box["y"] + 5, steps=3)
    board_page.page.evaluate("window.gone = true")
    board_page.page.mouse.move(box["x"] + 80, box["y"] + 5, steps=3)
    board_page.page.evaluate("window.close_tree(); window.close_tree = undefined")
    board_page.page.mouse.move(box["x"] + 20, box["y"] + 5, steps=2)
    board_page.page.mouse.up()
    assert board_page.page.locator(".dk-board, .dk-drag-scale").count() == 0
    assert board_page.page.evaluate("[...heard.values()].flat().length") == 0


def test_with_forced_colours_one_sees_what_is_pressed(board_page):
    """What is on is told by the system's own colour for it, not by one that a reader's colours replace."""
    view = board.Tree(marked(), depth=9, values=True)
    view.solve()
    view.mark_best_responses(0)
    board_page.lay(view, 900)
    colour = "(one) => getComputedStyle(one).backgroundColor"
    board_page.page.emulate_media(forced_colors="active")
    for which in (".dk-best-response-button", ".dk-tool"):
        pressed, other = (
            board_page.page.locator(f"{which}[aria-pressed=true]").first,
            board_page.page.locator(f"{which}:not([aria-pressed=true])").first,
        )
        assert pressed.evaluate(colour) != other.evaluate(colour)
    board_page.page.emulate_media(forced_colors="none")
