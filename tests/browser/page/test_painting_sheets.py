"""The style sheets of tables, exercises and trees in one page: each widget looks as it does alone, whatever stands beside it and came last."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from painted import STATIC, golden, scene
from painted_asked import asked

from durak_widget import Game, analysis, board, gametheory, lessons
from durak_widget.table.scene import locate_cards
from support.textbook import signalling

if TYPE_CHECKING:
    from playwright.sync_api import Page

# What changes, of all that is painted and written before and after it, when one of these sheets comes after all others.
CHANGES = """(sheets) => {
  const like = () => {
    for (const one of document.getAnimations()) one.finish();
    return new Map([...document.querySelectorAll('.dk, .dk *')].flatMap((one, n) => ['', '::before', '::after'].flatMap((part) => {
      const style = getComputedStyle(one, part);
      if (part && style.content === 'none') return [];
      return [[`${n} ${one.localName}.${one.getAttribute('class') ?? ''}${part}`, new Map([...style].map((name) => [name, style.getPropertyValue(name)]))]];
    })));
  };
  const alone = like(), wrong = [];
  for (const sheet of sheets) {
    const style = document.createElement('style');
    style.textContent = sheet;
    document.head.append(style);
    const beside = like();
    style.remove();
    for (const [name, styles] of alone) for (const [property, value] of styles) {
      const now = beside.get(name)?.get(property);
      if (now !== value) wrong.push(`${name} ${property}: ${value} becomes ${now}`);
    }
    if (beside.size > alone.size) wrong.push('more is there');
  }
  return wrong;
}"""
HELD = Game.from_position(hands=["Qh Ks", "Kh Kc"], trump="h")


def changes(page: Page, *names: str) -> list[str]:
    """What the style sheets of these widgets change, each after all others."""
    return page.evaluate(CHANGES, [(STATIC / f"{name}.css").read_text(encoding="utf-8") for name in names])


@pytest.mark.parametrize(("name", "width", "theme"), [("over_with_epaulettes", 620, "light")])
@pytest.mark.slow
def test_a_table_looks_the_same_beside_all_else(blank, name, width, theme):
    """Seats, cards, what is said and the bar; also what lies under the pointer."""
    blank.lay(golden(name), theme=theme)
    blank.widen(width)
    blank.frames()
    blank.one("[data-bar=settings]").hover()
    assert changes(blank.page, "board", "lesson") == []


@pytest.mark.release
def test_drawers_look_the_same_beside_all_else(blank):
    """Headings keep their room, and buttons theirs."""
    game = Game(seed=7)
    game.play("attack Jc")
    blank.lay(scene(game))
    for drawer in ("settings", "help", "list", "seen"):
        blank.click(f"[data-bar={drawer}]")
        if drawer == "seen":
            blank.hear({"kind": "seen_cards", **locate_cards(game.view(0))})
        assert changes(blank.page, "board", "lesson") == [], drawer


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["dark"])
def test_a_tree_looks_the_same_beside_all_else(board_page, theme):
    """With its solution and its matrix; also on paper of its own, dark in a light page."""
    tree = signalling()
    view = board.Tree(tree, gametheory.solve(tree), depth=9, values=True, theme=theme)
    view.show_matrix(True)
    board_page.page.evaluate(
        "document.body.dataset.jpThemeLight = 'true'; document.body.style.setProperty('--jp-layout-color1', '#fff')"
    )  # as a light JupyterLab has it
    board_page.lay(view)
    board_page.page.locator("[data-tool=menu]").hover()
    assert changes(board_page.page, "widget", "lesson") == []


@pytest.mark.release
def test_an_exercise_on_a_tree_looks_the_same_beside_all_else(pages):
    """Its sheet, and the tree below."""
    context = pages.context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    both = asked(context.new_page())
    both.ask(lessons.OnTree.values(analysis.build_tree_from_position(HELD, open_hands=True), player=0))
    assert changes(both.page, "board", "widget", "lesson") == []
    context.close()
