"""What is left on a page of a tree that was there: counted by the browser itself."""

from __future__ import annotations

import pytest
from painted_tree import bundle, opened

from board.boards import hidden
from durak_widget import board

CLOSE = "() => { window.close_tree(); window.close_tree = undefined; document.body.replaceChildren(); }"
TIMES = 8


def left(client) -> dict[str, float]:
    """How many nodes and listeners there are, when all is collected that can be."""
    for _ in range(3):  # the first frees what the next can collect
        client.send("HeapProfiler.collectGarbage")
    return {one["name"]: one["value"] for one in client.send("Performance.getMetrics")["metrics"]}


@pytest.mark.release
def test_a_tree_that_is_closed_leaves_no_node_and_no_listener(pages):
    """A notebook loads the bundle anew for each tree and keeps all of them: neither the page nor any of the bundles holds anything of what was shown."""
    page = pages.context(has_touch=False).new_page()
    board_page = opened(page)
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable")
    view = board.Tree(hidden(), depth=2)

    def again(times: int) -> dict[str, float]:
        for _ in range(times):
            page.evaluate("async (url) => { window.board = (await import(url)).default; }", bundle(next(numbers)))
            board_page.lay(view)
            board_page.press("ArrowRight", "Enter", "Enter")
            page.evaluate(CLOSE)
        return left(client)

    numbers = iter(range(1000))
    before = again(3)
    after = again(TIMES)
    assert after["Nodes"] - before["Nodes"] <= TIMES  # of a drawing alone there would be ninety each time
    assert after["JSEventListeners"] - before["JSEventListeners"] <= 0
    page.context.close()
