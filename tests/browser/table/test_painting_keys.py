"""What keys do at the table, by itself: each is sent as what it means, in any script, and moves the focus as it should."""

from __future__ import annotations

import re

import pytest
from painted import PACKAGE, WORDS, golden, intent

PRESS = """([key, code, shiftKey]) => document.activeElement.dispatchEvent(
  new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true, composed: true }))"""


SENT = [
    ("defending", "t", intent("move", 1, move="take")),
    ("throwing_in", "p", intent("move", 0, move="pass")),
    ("showing", "s", intent("move", 1, move="show 7h")),
    ("defending", "h", intent("hint", 1)),
    ("defending", "u", intent("undo", 1)),
    ("looking_back", "r", intent("redo", 0)),
    ("opening", "n", intent("new_game", 0)),
    ("taken", "[", intent("goto", 2, to_ply=1)),
    ("looking_back", "}", intent("goto", 0, to_ply=2)),
    ("defending", "y", intent("describe_hand", 1)),
]


def test_a_key_is_sent_as_what_it_means(blank):
    """One intent with the moment that was seen; the notebook hears nothing of it."""
    for name, key, sent in SENT:
        blank.lay(golden(name))
        blank.press(key)
        assert (blank.take(), blank.take("leaked")) == ([sent], []), key


def test_a_key_means_the_same_on_a_russian_keyboard_and_nothing_with_control(blank):
    """Where the key of a letter gives another letter, the key counts; Ctrl+T, Alt+T and the like belong to the page."""
    blank.lay(golden("defending"))
    blank.one(".dk-hand-card[tabindex='0']").focus()
    blank.page.evaluate(PRESS, ["е", "KeyT", False])
    assert blank.take() == [intent("move", 1, move="take")]
    blank.lay(golden("defending"))
    for modifier in ("ctrlKey", "altKey", "metaKey"):
        blank.one(".dk-hand-card[tabindex='0']").focus()
        init = {"key": "t", "bubbles": True, "cancelable": True, modifier: True}
        assert blank.page.evaluate("(init) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', init))", init)
    assert (blank.take(), blank.take("leaked")) == ([], ["t"] * 3)


def test_a_key_for_what_cannot_be_done_is_answered(blank):
    """It is said, and nothing is sent; also where there is no move before or after."""
    for name, keys, said in (
        ("stuck", "pfswa", "not_now"),
        ("stuck", "r", "no_redo"),
        ("opening", "[{", "no_previous"),
        ("defending", "]}", "no_next"),
    ):
        blank.lay(golden(name))
        for key in keys:
            blank.press(key)
            assert (blank.take(), blank.read()["status"]) == ([], WORDS[said]), key


def test_what_is_taken_back_is_said(blank):
    """By Escape and by its button: that it is, and what is to be done now; where nothing was picked nothing is said."""
    for back in (lambda: blank.keyboard.press("Escape"), lambda: blank.click("[data-action=cancel]")):
        blank.lay(golden("defending"))
        blank.press("Enter", at="[data-card='6h']")
        back()
        said = blank.read()["status"]
        assert said == f"{WORDS['taken_back']} {golden('defending')['call_to_action'][1]}"
        blank.keyboard.press("Escape")
        assert blank.read()["status"] == said


def test_every_key_stands_in_the_help(blank):
    """Digits and letters: what `docs/table.md` lists is what the panel lists."""
    blank.lay(golden("defending"))
    blank.press("?")
    shown = blank.page.locator(".dk-keys kbd").all_inner_texts()
    table = (PACKAGE.parent / "docs/table.md").read_text(encoding="utf-8").partition("| key | |")[2].partition("\n\n")[0]
    told = re.findall("`([^`]+)`", re.sub(r"\|[^|]*\|$", "|", table, flags=re.MULTILINE))
    assert sorted({"Home", "End", *shown} - {"…"}) == sorted(told)


def test_what_cannot_be_undone_hinted_or_remembered_is_said(blank):
    """Each in its own words."""
    blank.lay(golden("waiting"), memory=False)
    for key, said in (("u", "no_undo"), ("h", "no_hint"), ("c", "no_memory")):
        blank.press(key)
        assert (blank.take(), blank.read()["status"]) == ([], WORDS[said])


def test_a_key_opens_a_panel_and_escape_closes_it(blank):
    """The list and the cards seen are asked for; the focus goes in and comes back to the card."""
    panels = {
        "l": ("list", "move_list"),
        "c": ("seen", "seen_cards"),
        "g": ("settings", "opponents"),
        "v": ("rules", "draft"),
        "?": ("help", ""),
    }
    blank.lay(golden("defending"))
    for key, (panel, asks) in panels.items():
        blank.press(key)
        painted = blank.read()
        assert (painted["panel"], painted["focus"]) == (WORDS[panel], "close")
        assert [{**one, "draft": None} for one in blank.take()] == ([intent(asks, 1, draft=None)] if asks else [])
        blank.keyboard.press("Escape")
        painted = blank.read()
        assert (painted["panel"], painted["focus"]) == (None, "9c")


def test_letters_in_a_select_of_the_settings_choose_there_and_nothing_else(blank):
    """T in the list of languages takes no cards, an arrow plays none."""
    blank.lay(golden("defending"))
    blank.press("g")
    blank.take()  # who has been beaten is asked for
    blank.one("select[data-key=language]").focus()
    for key in ("t", "h", "u", "n", "[", "ArrowDown", "1"):
        blank.keyboard.press(key)
    painted = blank.read()
    assert (blank.take(), painted["panel"], painted["dialog"]) == ([], "Settings", None)
    blank.keyboard.press("Escape")
    assert blank.read()["panel"] is None


def test_arrows_and_digits_move_the_focus(blank):
    """From card to card and around, up to the table and back, down to the buttons."""
    blank.lay(golden("defending"))
    for keys, focus in (
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
        blank.card("9c").focus()
        for key in keys:
            blank.keyboard.press(key)
        assert (blank.read()["focus"], blank.take()) == (focus, []), keys


def test_enter_plays_a_card_and_asks_for_its_target(blank):
    """One target: the move, by the space bar too. Two: the focus goes to the first, and Enter there beats it; Escape takes it back."""
    key = "Enter"
    blank.lay(golden("defending"))
    blank.press(" ", at="[data-card='9c']")
    assert blank.take() == [intent("move", 1, move="beat 7c 9c")]
    blank.lay(golden("defending"))
    blank.press(key, at="[data-card='6h']")
    painted = blank.read()
    assert (painted["picked"], painted["targets"], painted["focus"], painted["call"]) == (["6h"], ["7c", "7s"], "7c", WORDS["pick.target"])
    assert blank.take() == []
    blank.keyboard.press("ArrowRight")
    blank.keyboard.press(key)
    assert blank.take() == [intent("move", 1, move="beat 7s 6h")]
    blank.lay(golden("defending"))
    blank.press(key, at="[data-card='6h']")
    blank.keyboard.press("Escape")
    painted = blank.read()
    assert (painted["picked"], painted["focus"], blank.take()) == ([], "6h", [])


def test_enter_on_the_table_aims_first(blank):
    """A card on the table chosen first: those that beat it are lit, and one of them beats it."""
    blank.lay(golden("defending"))
    blank.press("ArrowUp")
    blank.keyboard.press("ArrowRight")
    blank.keyboard.press("Enter")
    painted = blank.read()
    assert (painted["aimed"], painted["lit"]) == (["7s"], ["9s", "Ts", "6h"])
    assert painted["call"] == "Choose a card that beats the 7 of spades."
    blank.card("6h").click(force=True)
    assert blank.take() == [intent("move", 1, move="beat 7s 6h")]


def test_the_key_for_the_next_move_does_not_deal_the_next_game(blank):
    """At the end of a game there is no next move."""
    blank.lay(golden("over_in_a_draw", ply=2, last_ply=2))
    blank.one("[data-action=next]").focus()
    blank.keyboard.press("]")
    assert blank.take() == []


# Who hears the keys, and where Tab leads


def focus(blank):
    """What has the focus: a card, a button of the table, or the table itself."""
    return blank.page.evaluate(
        "(({ dataset, className }) => dataset.card ?? dataset.action ?? dataset.bar ?? className.split(' ')[0])(document.activeElement)"
    )


def test_the_hand_comes_first_and_each_row_of_buttons_is_one_stop(blank):
    """Tab leads into the hand, to the buttons beside the call, then through the bar in two steps: its buttons, and the slider."""
    blank.lay(golden("transferring"))
    blank.page.evaluate("document.body.tabIndex = -1; document.body.focus()")
    stops = []
    for _ in range(6):
        blank.keyboard.press("Tab")
        stops.append(focus(blank))
        if stops[-1] == "BODY" or stops[-1] == "":
            break
    hand = [card["card"] for card in blank.read()["cards"]]
    assert stops[0] in hand
    assert stops[1] == "take"
    assert [stop for stop in stops[2:] if stop in {"first", "dk-replay-slider"}] == ["first", "dk-replay-slider"]
    assert len([stop for stop in stops if stop]) <= 5


def test_arrows_lead_through_the_bar(blank):
    """Left and right go from button to button and round, Home and End to its ends; Tab comes back to where one was; the slider keeps its arrows."""
    blank.lay(golden("transferring"))
    blank.one("[data-bar=first]").focus()
    walked = []
    for key in ("ArrowRight", "ArrowRight", "End", "ArrowRight", "Home", "ArrowLeft", "ArrowLeft"):
        blank.keyboard.press(key)
        walked.append(focus(blank))
    assert walked == ["previous", "next", "help", "first", "first", "help", "settings"]
    blank.keyboard.press("Shift+Tab")
    blank.keyboard.press("Tab")
    assert focus(blank) in {"settings", "dk-replay-slider"}
    assert blank.take() == []


def test_keys_on_the_table_itself_lead_into_the_hand(blank):
    """After a click on the felt the arrows and the space bar go to the cards, and do not scroll the page."""
    blank.lay(golden("transferring"))
    for key in ("ArrowLeft", "ArrowDown", "Enter", " "):
        blank.one(".dk-felt").click(position={"x": 500, "y": 120})
        assert focus(blank) == "dk"
        assert blank.page.evaluate(
            "(key) => !document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))", key
        )
        assert focus(blank) in [card["card"] for card in blank.read()["cards"]]
        assert blank.take() == []


def test_it_is_seen_who_hears_the_keys(blank):
    """A quiet ring stands round the felt while the table has the focus, and no longer."""
    blank.lay(golden("transferring"))
    ring = "getComputedStyle(document.querySelector('.dk-felt')).outlineStyle"
    assert blank.page.evaluate(ring) == "none"
    blank.one(".dk-felt").click(position={"x": 500, "y": 120})
    assert blank.page.evaluate(ring) == "solid"
    blank.page.evaluate("document.activeElement.blur()")
    assert blank.page.evaluate(ring) == "none"


# Each ring by its form alone: how its outline, its rings of shadow and its dots look to whoever sees no colour.
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
def test_focus_what_is_picked_and_what_could_beat_are_told_apart_without_colours(blank, forced):
    """Each has a ring of its own form, in colours that a system forces upon a page too; a card that is picked and has the focus shows both."""
    blank.page.emulate_media(forced_colors=forced)
    seen = {}
    blank.lay(golden("defending"))
    for go in (lambda: blank.press("ArrowRight"), lambda: blank.press("Enter", at="[data-card='6h']"), blank.card("6h").focus):
        go()
        seen |= {name: form for name, form in blank.page.evaluate(RINGS).items() if form}
    blank.page.emulate_media(forced_colors="none")
    assert sorted(seen) == ["beats", "both", "focus", "picked"]
    assert len(set(seen.values())) == (4 if forced == "none" else 3), (
        seen
    )  # where no shadow is painted, the focus of a picked card is seen by its place
