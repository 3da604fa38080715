"""Test trees under bad conditions: markup in names, lost pointer events, a dying kernel, forced colours."""

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


def make_markup_game():
    """Return a game whose names look like HTML."""
    tree_nodes = {
        "": DecisionNode(0, MARKUP, [(MARKUP, "c"), ("two", "e")]),
        "c": ChanceNode([(MARKUP, Fraction(1, 2), "d"), ("", Fraction(1, 2), "e")]),
        "d": DecisionNode(1, MARKUP, [(MARKUP, "e"), ("b", "e")]),
        "e": TerminalNode((1, -1)),
    }
    return gametheory.build_tree("", tree_nodes.__getitem__, player_count=2, title=MARKUP, names=(MARKUP, "x" * 400))


def touch(board_page, kind, x, y, **more):
    """Send a pointer event to the board or an element."""
    board_page.page.evaluate(HAND, [kind, {"x": x, "y": y, **more}])


def zoom_of(board_page):
    """Return the zoom and position of the board."""
    return board_page.page.locator(".dk-world").get_attribute("style")


@pytest.mark.parametrize("width", [344])
def test_names_are_shown_as_text_and_fit_the_page(board_page, width: int):
    """No markup is interpreted. Long names do not widen the page."""
    board_page.page.set_viewport_size({"width": width + 16, "height": 800})
    view = board.Tree(make_markup_game(), depth=9)
    view.add_label(1, MARKUP)
    view.solve()
    view.handle_message({"kind": "start_own_strategy"})
    view.show_matrix(True)
    board_page.mount(view, width)
    board_page.page.locator("[data-tool=menu]").click()
    assert board_page.page.evaluate("window.caught") is None
    assert board_page.page.locator("img, script").count() == 0
    assert board_page.page.evaluate("document.documentElement.scrollWidth") <= width + 16
    wide = "[...document.querySelectorAll('.dk-best-response-button, .dk-menu-item')].filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow === 'visible').length"
    assert board_page.page.evaluate(wide) == 0
    board_page.page.set_viewport_size({"width": 1000, "height": 800})


def test_a_lost_pointer_up_does_not_turn_the_next_touch_into_a_pinch(board_page):
    """One finger moves the board and does not zoom it."""
    board_page.mount(board.Tree(make_markup_game(), depth=9), 900)
    touch(board_page, "pointerdown", 300, 60, pointerId=11)
    touch(board_page, "pointerdown", 100, 60, pointerId=12)
    board_page.page.evaluate("document.querySelector('.dk-view').setPointerCapture = () => {}")
    before = zoom_of(board_page).partition("scale")[2]
    for x in (110, 140, 200):
        touch(board_page, "pointermove", x, 60, pointerId=12)
    board_page.rest()
    assert zoom_of(board_page).partition("scale")[2] == before
    touch(board_page, "pointerup", 200, 60, pointerId=12)


def test_a_lost_pointer_up_ends_dragging_at_the_next_move(board_page):
    """The mouse changes nothing more, and another probability can be dragged."""
    view = board.Tree(make_markup_game(), depth=9)
    view.handle_message({"kind": "start_own_strategy"})
    board_page.mount(view, 900)
    board_page.sent()
    board_page.page.evaluate("document.querySelector('.dk-board').setPointerCapture = () => {}")
    label = ".dk-probability[data-draggable]"
    touch(board_page, "pointerdown", 4, 4, on=label, pointerId=1, pointerType="mouse")
    touch(board_page, "pointermove", 90, 4, on=label, pointerId=1, pointerType="mouse", buttons=0)
    board_page.rest()
    assert board_page.sent() == []
    touch(board_page, "pointerdown", 4, 4, on=label, pointerId=13)  # whose pointer-up event gets lost
    touch(board_page, "pointerdown", 4, 4, on=label, pointerId=14)
    touch(board_page, "pointermove", 60, 4, on=label, pointerId=14)
    assert [message["kind"] for message in board_page.sent()] == ["set_probability"]
    touch(board_page, "pointerup", 60, 4, on=label, pointerId=14)
    assert board_page.page.locator(".dk-drag-scale").count() == 0


def test_a_kernel_that_dies_while_dragging_leaves_a_usable_board(board_page):
    """It is reported, without errors, and closing leaves nothing."""
    view = board.Tree(make_markup_game(), depth=9)
    view.handle_message({"kind": "start_own_strategy"})
    board_page.mount(view, 900)
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


def test_pressed_buttons_are_visible_with_forced_colours(board_page):
    """In the system's own highlight colour."""
    view = board.Tree(make_markup_game(), depth=9, values=True)
    view.solve()
    view.mark_best_responses(0)
    view.show_matrix(True)
    board_page.mount(view, 900)
    colour = "(one) => getComputedStyle(one).backgroundColor"
    board_page.page.emulate_media(forced_colors="active")
    for which in (".dk-best-response-button", ".dk-tool"):
        pressed, other = (
            board_page.page.locator(f"{which}[aria-pressed=true]").first,
            board_page.page.locator(f"{which}:not([aria-pressed=true])").first,
        )
        assert pressed.evaluate(colour) != other.evaluate(colour)
    board_page.page.emulate_media(forced_colors="none")
