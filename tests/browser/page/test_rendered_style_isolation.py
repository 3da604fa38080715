"""Test that the style sheets of tables, exercises and trees don't affect each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rendered_board_exercise import load_board_exercise_page
from rendered_table import STATIC, golden_scene, scene

from durak_widget import Game, analysis, board, gametheory, lessons
from durak_widget.table.scene import locate_cards
from support.textbook import signalling

if TYPE_CHECKING:
    from playwright.sync_api import Page

# Return every style that changes, also of pseudo-elements, when one of these sheets comes last.
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


def list_style_changes(page: Page, *names: str) -> list[str]:
    """List what each style sheet changes when it comes last."""
    return page.evaluate(CHANGES, [(STATIC / f"{name}.css").read_text(encoding="utf-8") for name in names])


@pytest.mark.parametrize(("name", "width", "theme"), [("over_with_epaulettes", 620, "light")])
@pytest.mark.slow
def test_other_widgets_do_not_restyle_a_table(table_page, name, width, theme):
    """Seats, cards, messages, bar and hover states."""
    table_page.mount(golden_scene(name), theme=theme)
    table_page.set_width(width)
    table_page.wait_for_frames()
    table_page.locate(".dk-menu-button").hover()
    assert list_style_changes(table_page.page, "board", "lesson") == []


@pytest.mark.release
def test_other_widgets_do_not_restyle_panels(table_page):
    """Other widgets do not restyle panels."""
    game = Game(seed=7)
    game.play("attack Jc")
    table_page.mount(scene(game))
    for drawer in ("settings", "help", "list", "seen"):
        table_page.choose(drawer)
        if drawer == "seen":
            table_page.receive({"kind": "seen_cards", **locate_cards(game.view(0))})
        assert list_style_changes(table_page.page, "board", "lesson") == [], drawer


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["dark"])
def test_other_widgets_do_not_restyle_a_tree(board_page, theme):
    """With solution and matrix, also with its own dark background."""
    tree = signalling()
    view = board.Tree(tree, gametheory.solve(tree), depth=9, values=True, theme=theme)
    view.show_matrix(True)
    board_page.page.evaluate(
        "document.body.dataset.jpThemeLight = 'true'; document.body.style.setProperty('--jp-layout-color1', '#fff')"
    )  # like a light JupyterLab
    board_page.mount(view)
    board_page.page.locator("[data-tool=menu]").hover()
    assert list_style_changes(board_page.page, "widget", "lesson") == []


@pytest.mark.release
def test_other_widgets_do_not_restyle_board_exercises(pages):
    """Other widgets do not restyle board exercises."""
    context = pages.context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    both = load_board_exercise_page(context.new_page())
    both.ask(lessons.OnTree.values(analysis.build_tree_from_position(HELD, open_hands=True), player=0))
    assert list_style_changes(both.page, "board", "widget", "lesson") == []
    context.close()
