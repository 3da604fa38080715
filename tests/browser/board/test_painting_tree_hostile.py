"""A painted tree in bad company: names that are markup or endless, hands whose end is not heard, a kernel that dies under them, colours that a reader forces."""

from __future__ import annotations

from fractions import Fraction

import pytest

from durak_widget import board as blackboard
from durak_widget import gametheory
from durak_widget.gametheory import Draw, End, Turn

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
        "": Turn(0, MARKUP, [(MARKUP, "c"), ("two", "e")]),
        "c": Draw([(MARKUP, Fraction(1, 2), "d"), ("", Fraction(1, 2), "e")]),
        "d": Turn(1, MARKUP, [(MARKUP, "e"), ("b", "e")]),
        "e": End((1, -1)),
    }
    return gametheory.grow("", places.__getitem__, seats=2, title=MARKUP, names=(MARKUP, "x" * 400))


def hand(board, kind, x, y, **more):
    """What a hand does on the board, or on what is named."""
    board.page.evaluate(HAND, [kind, {"x": x, "y": y, **more}])


def scale(board):
    """How near the board is, and where."""
    return board.page.locator(".dk-world").get_attribute("style")


@pytest.mark.parametrize("width", [344])
def test_whatever_a_game_calls_things_stays_words_and_on_the_page(board, width: int):
    """No markup of an author is obeyed, on the board or in its panels; and however long a name is, nothing is wider than the page."""
    board.page.set_viewport_size({"width": width + 16, "height": 800})
    view = blackboard.Tree(marked(), depth=9)
    view.label(1, MARKUP)
    view.solve()
    view.hear({"kind": "own"})
    view.matrix(True)
    board.lay(view, width)
    board.page.locator("[data-tool=menu]").click()
    assert board.page.evaluate("window.caught") is None
    assert board.page.locator("img, script").count() == 0
    assert board.page.evaluate("document.documentElement.scrollWidth") <= width + 16
    wide = "[...document.querySelectorAll('.dk-best-of, .dk-menu-item')].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow === 'visible').length"
    assert board.page.evaluate(wide) == 0
    board.page.set_viewport_size({"width": 1000, "height": 800})


def test_a_finger_whose_end_was_not_heard_does_not_pinch_with_the_next(board):
    """It was lifted where the board could not hear it: one finger alone moves the board, and does not zoom it."""
    board.lay(blackboard.Tree(marked(), depth=9), 900)
    hand(board, "pointerdown", 300, 60, pointerId=11)
    hand(board, "pointerdown", 100, 60, pointerId=12)
    board.page.evaluate("document.querySelector('.dk-view').setPointerCapture = () => {}")
    before = scale(board).partition("scale")[2]
    for x in (110, 140, 200):
        hand(board, "pointermove", x, 60, pointerId=12)
    board.rest()
    assert scale(board).partition("scale")[2] == before
    hand(board, "pointerup", 200, 60, pointerId=12)


def test_a_pull_whose_end_was_not_heard_ends_with_the_next_move(board):
    """The button was let go of elsewhere: the mouse alone changes nothing any more; and another probability can be pulled."""
    view = blackboard.Tree(marked(), depth=9)
    view.hear({"kind": "own"})
    board.lay(view, 900)
    board.sent()
    board.page.evaluate("document.querySelector('.dk-board').setPointerCapture = () => {}")
    label = ".dk-likely[data-own]"
    hand(board, "pointerdown", 4, 4, on=label, pointerId=1, pointerType="mouse")
    hand(board, "pointermove", 90, 4, on=label, pointerId=1, pointerType="mouse", buttons=0)
    board.rest()
    assert board.sent() == []
    hand(board, "pointerdown", 4, 4, on=label, pointerId=13)  # of which nothing more is heard
    hand(board, "pointerdown", 4, 4, on=label, pointerId=14)
    hand(board, "pointermove", 60, 4, on=label, pointerId=14)
    assert [one["kind"] for one in board.sent()] == ["likely"]
    hand(board, "pointerup", 60, 4, on=label, pointerId=14)
    assert board.page.locator(".dk-scale").count() == 0


def test_a_kernel_that_dies_under_the_hand_leaves_a_board_that_can_be_closed(board):
    """A probability is being pulled, the board dragged: it is said, no error is thrown, and nothing stays."""
    view = blackboard.Tree(marked(), depth=9)
    view.hear({"kind": "own"})
    board.lay(view, 900)
    box = board.page.locator(".dk-likely[data-own]").first.bounding_box()
    board.page.mouse.move(box["x"] + 5, box["y"] + 5)
    board.page.mouse.down()
    board.page.mouse.move(box["x"] + 40, box["y"] + 5, steps=3)
    board.page.evaluate("window.gone = true")
    board.page.mouse.move(box["x"] + 80, box["y"] + 5, steps=3)
    board.page.evaluate("window.close_tree(); window.close_tree = undefined")
    board.page.mouse.move(box["x"] + 20, box["y"] + 5, steps=2)
    board.page.mouse.up()
    assert board.page.locator(".dk-board, .dk-scale").count() == 0
    assert board.page.evaluate("[...heard.values()].flat().length") == 0


def test_with_forced_colours_one_sees_what_is_pressed(board):
    """What is on is told by the system's own colour for it, not by one that a reader's colours replace."""
    view = blackboard.Tree(marked(), depth=9, values=True)
    view.solve()
    view.best(0)
    board.lay(view, 900)
    colour = "(one) => getComputedStyle(one).backgroundColor"
    board.page.emulate_media(forced_colors="active")
    for which in (".dk-best-of", ".dk-tool"):
        pressed, other = (
            board.page.locator(f"{which}[aria-pressed=true]").first,
            board.page.locator(f"{which}:not([aria-pressed=true])").first,
        )
        assert pressed.evaluate(colour) != other.evaluate(colour)
    board.page.emulate_media(forced_colors="none")
