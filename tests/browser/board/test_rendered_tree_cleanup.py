"""Test that a closed tree leaves nothing on the page, counted by the browser."""

from __future__ import annotations

import pytest
from rendered_tree import bundle_url, load_tree_page

from board.boards import hidden
from durak_widget import board

CLOSE = "() => { window.close_tree(); window.close_tree = undefined; document.body.replaceChildren(); }"
TIMES = 8


def count_nodes_and_listeners(client) -> dict[str, float]:
    """Count nodes and listeners after garbage collection."""
    for _ in range(3):  # the first collection frees what the next can collect
        client.send("HeapProfiler.collectGarbage")
    return {metric["name"]: metric["value"] for metric in client.send("Performance.getMetrics")["metrics"]}


@pytest.mark.release
def test_a_closed_tree_leaves_no_node_and_no_listener(pages):
    """A notebook loads the bundle again for each tree and keeps every copy. Neither the page nor a copy may keep a closed tree."""
    page = pages.context(has_touch=False).new_page()
    board_page = load_tree_page(page)
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable")
    view = board.Tree(hidden(), depth=2)

    def again(times: int) -> dict[str, float]:
        for _ in range(times):
            page.evaluate("async (url) => { window.board = (await import(url)).default; }", bundle_url(next(numbers)))
            board_page.mount(view)
            board_page.press("ArrowRight", "Enter", "Enter")
            page.evaluate(CLOSE)
        return count_nodes_and_listeners(client)

    numbers = iter(range(1000))
    before = again(3)
    after = again(TIMES)
    assert after["Nodes"] - before["Nodes"] <= TIMES  # a single leaked drawing would add ninety each time
    assert after["JSEventListeners"] - before["JSEventListeners"] <= 0
    page.context.close()
