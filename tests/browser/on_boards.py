"""How what is asked on a tree is done by clicks and keys: wrongly, then rightly. By what is asked there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator

# The histories on the path, from the moves of the solution.
WAY = """
def _way(task):
    here, way = 0, []
    for move in task.solution:
        here = next(child for child in task.tree.children(here) if task.tree.move_to(child) == move)
        way.append(here)
    return way
"""


def node(asked: Any, history: object) -> Locator:
    """A history on the tree below the question."""
    return asked.cell.locator(f".dk-node[data-id='{history}']")


def values_wrongly(asked: Any) -> None:
    """A number that nothing is worth, in the last of the fields; the others stay empty."""
    last = list(asked.ask("shown()['nodes']"))[-1]
    node(asked, last).locator(".dk-field").fill("7")
    node(asked, last).locator(".dk-field").press("Enter")
    asked.press("Check")
    asked.judged("wrong")
    expect(node(asked, last).locator(".dk-field")).to_have_attribute("data-mark", "wrong")


def values_rightly(asked: Any) -> None:
    """Every field, from the ends."""
    fields = list(zip(asked.ask("shown()['nodes']"), asked.ask("solution"), strict=True))
    for history, text in reversed(fields):
        node(asked, history).locator(".dk-field").fill(text)
        node(asked, history).locator(".dk-field").press("Enter")
    asked.press("Check")


def path_wrongly(asked: Any) -> None:
    """At the beginning, a move that is not on the path."""
    first = asked.ask("solution[0]")
    wrong = asked.book.python(f"next(c for c in {asked.name}.tree.children(0) if {asked.name}.tree.move_to(c) != {first!r})")
    node(asked, wrong).locator(".dk-move").click()
    asked.press("Check")
    asked.judged("wrong")


def path_rightly(asked: Any) -> None:
    """Move for move, each on its branch."""
    asked.book.execute(WAY)
    for history in asked.book.python(f"_way({asked.name})"):
        node(asked, history).locator(".dk-move").click()
    asked.press("Check")


ON_TREE: dict[str, tuple[Callable[[Any], None], Callable[[Any], None]]] = {
    "values": (values_wrongly, values_rightly),
    "path": (path_wrongly, path_rightly),
}


def on_tree(asked: Any) -> None:
    """Whatever is asked on a tree."""
    wrongly, rightly = ON_TREE[asked.ask("asks")]
    wrongly(asked)
    rightly(asked)
    asked.judged("right")
