"""Test settings, themes, languages and accessibility of the table in JupyterLab."""

from __future__ import annotations

import pytest
from human_player import DEFENDING, open_table
from playwright.sync_api import expect

from support.spoken import english_text

pytestmark = pytest.mark.slow


def test_settings_reach_python_and_back(notebook):
    """Skin, backs, colours and speed agree on both sides. A bot can take any seat. The theme follows JupyterLab."""
    person = open_table(notebook, "seed=7")
    expect(person.table).to_have_attribute("data-theme", "light")
    person.book.look(viewport=(1280, 800), reduced_motion=False, theme="dark")
    expect(person.table).to_have_attribute("data-theme", "dark")
    person.table.locator(".dk-hand-card").first.focus()
    person.page.keyboard.press("g")
    panel = person.table.get_by_role("dialog", name=english_text("screen.settings"))
    for label, value, trait in (
        (english_text("screen.set.skin"), "linen", "skin"),
        (english_text("screen.set.back"), "rings", "back"),
        (english_text("screen.set.pace"), "400", "pace"),
    ):
        panel.get_by_label(label, exact=True).select_option(value)
        person.book.until(f"str(table.{trait}) == {value!r}")
    panel.get_by_label(english_text("screen.set.four_colors")).check()
    person.book.until("table.four_colors")
    expect(person.table).to_have_attribute("data-colors", "4")
    expect(person.table).to_have_attribute("data-skin", "linen")
    panel.get_by_label(english_text("screen.set.memory")).check()
    person.book.until("table.memory")
    panel.get_by_role("button", name=english_text("who.random"), exact=True).click()
    person.book.until("table.players == ('you', 'random')")
    person.page.keyboard.press("Escape")
    person.page.keyboard.press("c")
    seen = person.table.get_by_role("dialog", name=english_text("screen.seen"))
    expect(seen.locator("td[data-at=hand]")).to_have_count(6)
    person.page.keyboard.press("Escape")
    person.page.keyboard.press("g")
    person.table.get_by_label(english_text("screen.set.language")).select_option("lt")
    person.book.until("table.language == 'lt'")
    table = person.page.locator("section.dk")
    expect(table).to_have_attribute("lang", "lt")
    call, region = person.book.python("table.scene['call_to_action'][0], table.words['region']")
    expect(table.locator(".dk-prompt")).to_have_text(call)
    expect(table).to_have_attribute("aria-label", region)


@pytest.mark.parametrize("theme", ["dark"])
def test_axe_finds_no_violation_at_the_table(notebook, theme):
    """Playing, refused, asking, every panel, every skin, and the end."""
    person = open_table(notebook, DEFENDING, theme=theme)
    book, page = person.book, person.page

    def check(what: str) -> None:
        found = [(violation["id"], [node["html"][:120] for node in violation["nodes"]][:3]) for violation in book.axe(".dk")]
        assert not found, f"{what}: {found}"

    for skin in ("felt", "slate", "linen"):
        book.execute(f"table.skin = {skin!r}")
        expect(person.table).to_have_attribute("data-skin", skin)
        check(skin)
    book.execute("table.theme = 'contrast'")
    expect(person.table).to_have_attribute("data-theme", "contrast")
    check("contrast")
    book.execute("table.theme = 'auto'; table.memory = True")
    person.press(person.card("Tc"))
    expect(person.table.locator(".dk-bubble")).to_be_visible()
    check("refused")
    person.press(person.card("7h"))
    check("asking")
    page.keyboard.press("Escape")
    for key, name in (("l", "Moves"), ("g", "Settings"), ("c", english_text("screen.seen")), ("?", english_text("screen.help"))):
        page.keyboard.press(key)
        expect(person.table.get_by_role("dialog", name=name)).to_be_visible()
        check(name)
        page.keyboard.press("Escape")
    book.execute(
        "table.game = Game.from_position(hands=['6c', '7c 8d'], trump='h'); table.play('attack 6c')\nwhile table.game.outcome is None: table.play(table.game.legal_moves()[-1])"
    )
    expect(person.table.locator(".dk-verdict")).to_be_visible()
    check("the end")


# Regressions


@pytest.mark.release
def test_the_list_of_keys_aligns_keys_and_actions(notebook):
    """Each key is to the left of its action."""
    person = open_table(notebook, "seed=7")
    person.card(person.legal()[0].split()[1]).focus()
    person.page.keyboard.press("?")
    expect(person.table.locator(".dk-keys dt").first).to_be_visible()
    rows = person.table.locator(".dk-keys dt").evaluate_all(
        """all => all.map((dt) => {
            const key = dt.getBoundingClientRect(), words = dt.nextElementSibling.getBoundingClientRect(), middle = (key.top + key.bottom) / 2;
            return [dt.innerText, dt.nextElementSibling.innerText, words.top < middle && middle < words.bottom, key.right <= words.left];
        })"""
    )
    assert ["T", "Take"] in [row[:2] for row in rows]
    assert all(beside and left for _, _, beside, left in rows)
