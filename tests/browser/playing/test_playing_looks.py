"""How the table looks and is read in a real JupyterLab: themes, languages, settings, motion, keys and marks, and what axe finds."""

from __future__ import annotations

import re

import pytest
from person import DEFENDING, laid
from playwright.sync_api import expect


def test_the_theme_of_the_page_is_followed(notebook):
    """Light and dark as JupyterLab, and what the person chooses instead."""
    person = laid(notebook, "seed=7")
    expect(person.table).to_have_attribute("data-theme", "light")
    person.book.look(viewport=(1280, 800), reduced_motion=False, theme="dark")
    expect(person.table).to_have_attribute("data-theme", "dark")
    person.book.execute("table.theme = 'contrast'")
    expect(person.table).to_have_attribute("data-theme", "contrast")


def test_the_language_is_switched_live(notebook):
    """Call, buttons, names and reasons change with the setting, without a new table."""
    person = laid(notebook, DEFENDING)
    person.page.locator(".dk-mine").first.focus()
    person.page.keyboard.press("g")
    person.table.get_by_label("Language").select_option("lt")
    person.book.until("table.language == 'lt'")
    expect(person.page.locator(".dk")).to_have_attribute("lang", "lt")
    for language in ("ru", "lt", "en"):
        person.book.execute(f"table.language = {language!r}")
        expect(person.page.locator(".dk")).to_have_attribute("lang", language)
        said = person.book.python("table.scene['call'][0], table.words['take'], table.words['region']")
        expect(person.page.locator(".dk-call")).to_have_text(said[0])
        expect(person.page.locator("[data-action=take]")).to_have_text(said[1])
        expect(person.page.locator(".dk")).to_have_attribute("aria-label", said[2])
        person.page.locator(".dk-mine[data-card=Tc]").click(force=True)
        expect(person.page.locator(".dk-bubble")).to_have_text(
            person.book.python("table.game.why_not('beat 7d Tc', seat=0).said(table._session.voices(table._session.view()).written)")
        )


def test_settings_reach_python_and_back(notebook):
    """Skin, backs, colours, pace and the rest are the same on both sides, and a bot may be put in any seat."""
    person = laid(notebook, "seed=7")
    person.table.locator(".dk-mine").first.focus()
    person.page.keyboard.press("g")
    panel = person.table.get_by_role("dialog", name="Settings")
    for label, value, trait in (("Table", "linen", "skin"), ("Card backs", "rings", "back"), ("Pace of the bots", "400", "pace")):
        panel.get_by_label(label, exact=True).select_option(value)
        person.book.until(f"str(table.{trait}) == {value!r}")
    panel.get_by_label("Four colours").check()
    person.book.until("table.four_colors")
    expect(person.table).to_have_attribute("data-colors", "4")
    expect(person.table).to_have_attribute("data-skin", "linen")
    panel.get_by_label("List of cards seen").check()
    person.book.until("table.memory")
    panel.get_by_role("button", name="random", exact=True).click()
    person.book.until("table.players == ('you', 'random')")
    person.page.keyboard.press("Escape")
    person.page.keyboard.press("c")
    seen = person.table.get_by_role("dialog", name="Cards seen")
    expect(seen.locator("td[data-at=hand]")).to_have_count(6)


@pytest.mark.release
def test_the_list_of_cards_seen_says_who_holds_what(notebook):
    """The number at a card is that of the player who took it, as the words below say; and the signs of the suits are seen in the dark."""
    person = laid(
        notebook, 'Game.from_position(hands=["6c 7c", "8d 9d"], trump="h", talon="Ac")', "memory=True, motion=False", theme="dark"
    )
    person.book.execute('game = table.game; game.play("attack 6c"); game.play("take"); table.game = game')
    expect(person.table).to_have_attribute("data-ply", "2")
    person.table.get_by_role("button", name="Cards seen", exact=True).click()
    seen = person.table.get_by_role("dialog", name="Cards seen")
    expect(seen.get_by_role("cell", name="6 of clubs: Player 2")).to_have_text("62")
    expect(seen.get_by_role("list")).to_contain_text("2 Player 2")
    signs = seen.locator(".dk-suit").evaluate_all(
        "all => all.map((one) => [getComputedStyle(one).color, getComputedStyle(one).backgroundColor])"
    )
    assert len(signs) == 4
    for sign, paper in signs:
        brightness = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (sign, paper)]
        assert brightness[1] - brightness[0] > 300, (sign, paper)


@pytest.mark.parametrize("language", ["en", "lt", "ru"])
@pytest.mark.release
def test_no_button_of_the_bar_is_cut_off(notebook, language):
    """Where the table is as narrow as a phone leaves it, every button lies within it."""
    person = laid(notebook, "seed=7", "memory=True, motion=False", viewport=(360, 800), touch=True)
    table = person.page.locator(".dk")
    person.book.execute(f"table.language = {language!r}")
    expect(table).to_have_attribute("lang", language)
    doors = table.locator(".dk-bar button:visible")
    expect(doors).to_have_count(14)
    edges = "(one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().right]"
    left, right = table.evaluate(edges)
    beyond = [(door.get_attribute("data-bar"), door.evaluate(edges)) for door in doors.all()]
    assert not [(name, door) for name, door in beyond if door[0] < left or door[1] > right]


def test_nothing_moves_where_less_motion_is_wanted(notebook):
    """With the system's wish for less motion no animation runs; otherwise cards fly."""
    person = laid(notebook, "seed=7", "pace=60000", reduced_motion=True)
    count = "document.getAnimations().filter((one) => one.effect.target.closest?.('.dk')).length"
    watch = f"() => {{ window.most = 0; const look = () => {{ window.most = Math.max(window.most, {count}); requestAnimationFrame(look); }}; look(); }}"
    person.page.evaluate(watch)
    person.play(person.legal()[0])
    expect(person.table).to_have_attribute("data-ply", "1")
    assert person.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(window.most))))") == 0
    person.book.look(viewport=(1280, 800), reduced_motion=False, theme="light")
    person.book.execute("table.step()")
    person.page.wait_for_function("window.most > 0")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.sample(2)
def test_axe_finds_nothing(notebook, theme):
    """No violation in any state of the table: playing, refused, asking, every drawer, every skin, the end."""
    person = laid(notebook, DEFENDING, theme=theme)
    book, page = person.book, person.page

    def check(what: str) -> None:
        found = [(one["id"], [node["html"][:120] for node in one["nodes"]][:3]) for one in book.axe(".dk")]
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
    for key, name in (("l", "Moves"), ("g", "Settings"), ("c", "Cards seen"), ("?", "Keys")):
        page.keyboard.press(key)
        expect(person.table.get_by_role("dialog", name=name)).to_be_visible()
        check(name)
        page.keyboard.press("Escape")
    book.execute(
        "table.game = Game.from_position(hands=['6c', '7c 8d'], trump='h'); table.play('attack 6c')\nwhile table.game.outcome is None: table.play(table.game.legal_moves()[-1])"
    )
    expect(person.table.locator(".dk-verdict")).to_be_visible()
    check("the end")


# What went wrong once


@pytest.mark.release
def test_the_keys_stand_beside_what_they_do(notebook):
    """In the list of keys each key is left of its own words."""
    person = laid(notebook, "seed=7")
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


@pytest.mark.release
def test_what_beats_what_is_marked_only_while_it_is_looked_at(notebook):
    """The marks of the aid go with the move."""
    person = laid(notebook, "Game.from_position(hands=['9d Jh 7h', 'Kc 8s Ac 6c'], trump='h', table='8d', attacker=1)")
    person.card("9d").hover()
    expect(person.table.locator(".dk-pair[data-aid]")).to_have_count(1)
    person.press(person.card("9d"))
    expect(person.table).to_have_attribute("data-ply", "1")
    expect(person.table.locator("[data-aid]")).to_have_count(0)
