"""Test the keys of the table: what each sends, in any keyboard layout, and where the focus goes."""

from __future__ import annotations

import re

import pytest
from rendered_table import PACKAGE, WORDS, golden_scene, make_intent

from support.spoken import english_text

PRESS = """([key, code, shiftKey]) => document.activeElement.dispatchEvent(
  new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true, composed: true }))"""


SENT = [
    ("defending", "t", make_intent("move", 1, move="take")),
    ("throwing_in", "p", make_intent("move", 0, move="pass")),
    ("showing", "s", make_intent("move", 1, move="show 7h")),
    ("defending", "h", make_intent("hint", 1)),
    ("defending", "u", make_intent("undo", 1)),
    ("looking_back", "r", make_intent("redo", 0)),
    ("opening", "n", make_intent("new_game", 0)),
    ("taken", "[", make_intent("goto", 2, to_ply=1)),
    ("looking_back", "}", make_intent("goto", 0, to_ply=2)),
    ("defending", "y", make_intent("describe_hand", 1)),
]


def test_a_key_sends_its_action(table_page):
    """One message with the seen moment. The notebook doesn't get the key."""
    for name, key, sent in SENT:
        table_page.mount(golden_scene(name))
        table_page.press(key)
        assert (table_page.drain(), table_page.drain("leaked")) == ([sent], []), key


def test_keys_work_in_a_russian_layout_and_not_with_control(table_page):
    """The physical key counts. Ctrl+T, Alt+T and so on are left to the browser."""
    table_page.mount(golden_scene("defending"))
    table_page.locate(".dk-hand-card[tabindex='0']").focus()
    table_page.page.evaluate(PRESS, ["е", "KeyT", False])
    assert table_page.drain() == [make_intent("move", 1, move="take")]
    table_page.mount(golden_scene("defending"))
    for modifier in ("ctrlKey", "altKey", "metaKey"):
        table_page.locate(".dk-hand-card[tabindex='0']").focus()
        init = {"key": "t", "bubbles": True, "cancelable": True, modifier: True}
        assert table_page.page.evaluate("(init) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', init))", init)
    assert (table_page.drain(), table_page.drain("leaked")) == ([], ["t"] * 3)


def test_a_key_without_a_possible_action_is_answered(table_page):
    """With a sentence, and nothing is sent. Also at both ends of the game."""
    for name, keys, sentence in (
        ("stuck", "pfswa", "not_now"),
        ("stuck", "r", "no_redo"),
        ("opening", "[{", "no_previous"),
        ("defending", "]}", "no_next"),
    ):
        table_page.mount(golden_scene(name))
        for key in keys:
            table_page.press(key)
            assert (table_page.drain(), table_page.read()["status"]) == ([], WORDS[sentence]), key


def test_deselecting_is_announced(table_page):
    """By Escape and its button, with the next step. Not if nothing was selected."""
    for back in (lambda: table_page.keyboard.press("Escape"), lambda: table_page.click("[data-action=cancel]")):
        table_page.mount(golden_scene("defending"))
        table_page.press("Enter", at="[data-card='6h']")
        back()
        sentence = table_page.read()["status"]
        assert sentence == f"{WORDS['taken_back']} {golden_scene('defending')['call_to_action'][1]}"
        table_page.keyboard.press("Escape")
        assert table_page.read()["status"] == sentence


def test_every_key_is_in_the_help_panel(table_page):
    """As in `docs/keyboard.md`."""
    table_page.mount(golden_scene("defending"))
    table_page.press("?")
    listed = table_page.page.locator(".dk-keys kbd").all_inner_texts()
    table = (PACKAGE.parent / "docs/keyboard.md").read_text(encoding="utf-8").partition("## Table\n\n|")[2].partition("\n\n")[0]
    documented = re.findall("`([^`]+)`", re.sub(r"\|[^|]*\|$", "|", table, flags=re.MULTILINE))
    assert {"Home", "End", "↑", "↓", *listed} - {"…"} == {*documented}  # the panel leaves some arrows out


def test_impossible_undo_hint_and_seen_cards_are_explained(table_page):
    """Each has its own sentence."""
    table_page.mount(golden_scene("waiting"), memory=False)
    for key, sentence in (("u", "no_undo"), ("h", "no_hint"), ("c", "no_memory")):
        table_page.press(key)
        assert (table_page.drain(), table_page.read()["status"]) == ([], WORDS[sentence])


def test_a_key_opens_a_panel_and_escape_closes_it(table_page):
    """Its content is requested. The focus moves in and back."""
    panels = {
        "l": ("list", "move_list"),
        "c": ("seen", "seen_cards"),
        "g": ("settings", "opponents"),
        "v": ("rules", "draft"),
        "?": ("help", ""),
    }
    table_page.mount(golden_scene("defending"))
    for key, (panel, asks) in panels.items():
        table_page.press(key)
        painted = table_page.read()
        assert (painted["panel"], painted["focus"]) == (WORDS[panel], "close")
        assert [{**message, "draft": None} for message in table_page.drain()] == ([make_intent(asks, 1, draft=None)] if asks else [])
        table_page.keyboard.press("Escape")
        painted = table_page.read()
        assert (painted["panel"], painted["focus"]) == (None, "9c")


def test_keys_in_a_settings_list_do_not_play(table_page):
    """Neither letters nor arrows."""
    table_page.mount(golden_scene("defending"))
    table_page.press("g")
    table_page.drain()  # the request for the beaten opponents
    table_page.locate("select[data-key=language]").focus()
    for key in ("t", "h", "u", "n", "[", "ArrowDown", "1"):
        table_page.keyboard.press(key)
    painted = table_page.read()
    assert (table_page.drain(), painted["panel"], painted["dialog"]) == ([], "Settings", None)
    table_page.keyboard.press("Escape")
    assert table_page.read()["panel"] is None


def test_arrows_and_digits_move_the_focus(table_page):
    """Around the hand, up to the table and down to the buttons."""
    table_page.mount(golden_scene("defending"))
    for keys, target in (
        (["3"], "Qd"),
        (["ArrowRight"], "Tc"),
        (["ArrowLeft"], "6h"),
        (["End", "ArrowRight"], "9c"),
        (["End", "Home"], "9c"),
        (["ArrowUp"], "7c"),
        (["ArrowUp", "ArrowRight"], "7s"),
        (["ArrowUp", "ArrowLeft"], "7s"),
        (["2", "ArrowUp", "ArrowDown"], "Tc"),
        (["ArrowDown"], "take"),
    ):
        table_page.card("9c").focus()
        for key in keys:
            table_page.keyboard.press(key)
        assert (table_page.read()["focus"], table_page.drain()) == (target, []), keys


def test_enter_plays_a_card_and_asks_for_its_target(table_page):
    """With one target it plays, with two the focus goes to the first. Escape cancels."""
    key = "Enter"
    table_page.mount(golden_scene("defending"))
    table_page.press(" ", at="[data-card='9c']")
    assert table_page.drain() == [make_intent("move", 1, move="beat 7c 9c")]
    table_page.mount(golden_scene("defending"))
    table_page.press(key, at="[data-card='6h']")
    painted = table_page.read()
    assert (painted["picked"], painted["targets"], painted["focus"], painted["call"]) == (["6h"], ["7c", "7s"], "7c", WORDS["pick.target"])
    assert table_page.drain() == []
    table_page.keyboard.press("ArrowRight")
    table_page.keyboard.press(key)
    assert table_page.drain() == [make_intent("move", 1, move="beat 7s 6h")]
    table_page.mount(golden_scene("defending"))
    table_page.press(key, at="[data-card='6h']")
    table_page.keyboard.press("Escape")
    painted = table_page.read()
    assert (painted["picked"], painted["focus"], table_page.drain()) == ([], "6h", [])


def test_enter_on_a_table_card_selects_the_target_first(table_page):
    """Cards that beat it are highlighted."""
    table_page.mount(golden_scene("defending"))
    table_page.press("ArrowUp")
    table_page.keyboard.press("ArrowRight")
    table_page.keyboard.press("Enter")
    painted = table_page.read()
    assert (painted["aimed"], painted["lit"]) == (["7s"], ["9s", "Ts", "6h"])
    assert painted["call"] == english_text("screen.pick.beater", card="7 of spades")
    table_page.card("6h").click(force=True)
    assert table_page.drain() == [make_intent("move", 1, move="beat 7s 6h")]


def test_the_key_for_the_next_move_does_not_deal_the_next_game(table_page):
    """The key for the next move does not deal the next game."""
    table_page.mount(golden_scene("over_in_a_draw", ply=2, last_ply=2))
    table_page.locate("[data-action=next]").focus()
    table_page.keyboard.press("]")
    assert table_page.drain() == []


# Focus and tab order


def focused_element(table_page):
    """Return what has the focus: a card, a button, or the table."""
    return table_page.page.evaluate(
        "(({ dataset, className }) => dataset.card ?? dataset.action ?? dataset.bar ?? dataset.menu ?? className.split(' ').at(-1))(document.activeElement)"
    )


def test_tab_order_is_hand_prompt_buttons_bar_and_slider(table_page):
    """While the user looks back, the bar has its slider."""
    scene = golden_scene("transferring")
    table_page.mount({**scene, "last_ply": scene["ply"] + 1})
    table_page.page.evaluate("document.body.tabIndex = -1; document.body.focus()")
    stops = []
    for _ in range(6):
        table_page.keyboard.press("Tab")
        stops.append(focused_element(table_page))
        if stops[-1] == "BODY" or stops[-1] == "":
            break
    hand = [card["card"] for card in table_page.read()["cards"]]
    assert stops[0] in hand
    assert stops[1] == "back"
    assert [stop for stop in stops[2:] if stop in {"first", "dk-replay-slider"}] == ["first", "dk-replay-slider"]
    assert len([stop for stop in stops if stop]) <= 5


def test_arrow_keys_move_through_the_bar(table_page):
    """Around, with Home and End. Tab returns to the last button. The slider keeps its arrows. Hidden buttons are skipped."""
    scene = golden_scene("transferring")
    table_page.mount({**scene, "last_ply": scene["ply"] + 1, "can": {"undo": True, "hint": True}})
    table_page.locate("[data-bar=first]").focus()
    walked = []
    for key in ("ArrowRight", "ArrowRight", "End", "ArrowRight", "Home", "ArrowLeft", "ArrowLeft"):
        table_page.keyboard.press(key)
        walked.append(focused_element(table_page))
    assert walked == ["previous", "next", "dk-menu-button", "first", "first", "dk-menu-button", "undo"]
    table_page.keyboard.press("Shift+Tab")
    table_page.keyboard.press("Tab")
    assert focused_element(table_page) in {"undo", "dk-replay-slider"}
    assert table_page.drain() == []


def test_keys_on_the_felt_move_to_the_hand(table_page):
    """And don't scroll the page."""
    table_page.mount(golden_scene("transferring"))
    for key in ("ArrowLeft", "ArrowDown", "Enter", " "):
        table_page.locate(".dk-felt").click(position={"x": 500, "y": 120})
        assert focused_element(table_page) == "dk"
        assert table_page.page.evaluate(
            "(key) => !document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))", key
        )
        assert focused_element(table_page) in [card["card"] for card in table_page.read()["cards"]]
        assert table_page.drain() == []


def test_the_felt_shows_that_it_has_the_keyboard_focus(table_page):
    """By a ring."""
    table_page.mount(golden_scene("transferring"))
    ring = "getComputedStyle(document.querySelector('.dk-felt')).outlineStyle"
    assert table_page.page.evaluate(ring) == "none"
    table_page.locate(".dk-felt").click(position={"x": 500, "y": 120})
    assert table_page.page.evaluate(ring) == "solid"
    table_page.page.evaluate("document.activeElement.blur()")
    assert table_page.page.evaluate(ring) == "none"


# Return the form of each ring without its colour: outline, shadow rings and dots.
RINGS = """() => {
  const form = (one) => {
    if (!one) return null;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one), dots = getComputedStyle(one, '::before');
    const rings = boxShadow === 'none' ? 0 : boxShadow.split(/,(?![^(]*\\))/).filter((ring) => / 0px 0px 0px [1-9]/.test(ring)).length;
    return [outlineStyle === 'none' ? '' : `${outlineStyle} ${outlineWidth}`, rings, dots.content === 'none' ? '' : dots.borderTopStyle].join('|');
  };
  const one = (selector) => form(document.querySelector(`.dk ${selector}`));
  return {
    focus: one('.dk-hand-card:focus-visible:not([data-picked])'), picked: one('.dk-hand-card[data-picked]:not(:focus-visible)'),
    both: one('.dk-hand-card[data-picked]:focus-visible'), beats: one('.dk-pair[data-match] > .dk-card, .dk-hand-card[data-match]'),
  };
}"""


@pytest.mark.parametrize("forced", ["none", "active"])
def test_focus_selection_and_matches_differ_without_colours(table_page, forced):
    """By the form of their rings, also with forced colours and combined."""
    table_page.page.emulate_media(forced_colors=forced)
    forms = {}
    table_page.mount(golden_scene("defending"))
    for go in (
        lambda: table_page.press("ArrowRight"),
        lambda: table_page.press("Enter", at="[data-card='6h']"),
        table_page.card("6h").focus,
    ):
        go()
        forms |= {name: form for name, form in table_page.page.evaluate(RINGS).items() if form}
    table_page.page.emulate_media(forced_colors="none")
    assert sorted(forms) == ["beats", "both", "focus", "picked"]
    assert len(set(forms.values())) == (4 if forced == "none" else 3), (
        forms
    )  # without shadows, the position of a selected card shows its focus
