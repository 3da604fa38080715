"""A game that was given away, in a real JupyterLab: one sentence says where, the moment is tried again, and won; by keys, and by a finger on a phone."""

from __future__ import annotations

import pytest
from person import laid
from playwright.sync_api import expect

PLACED = (
    "Game.from_position(hands=['Ks 7d', '9c Qd Kd'], trump='h', discard='6c 7c 8c Tc Jc Qc Kc Ac 6d 8d 9d Td Jd Ad "
    "6h 7h 8h 9h Th Jh Qh Kh Ah 6s 7s 8s 9s Ts Js Qs As')"
)
"""The king of spades, which must be taken, wins; the seven loses."""
LOOK = "seats={0: 'you', 1: 'careful'}, seed=1, pace=0, motion=False"


def lost(person) -> None:
    """The win is given away."""
    person.play("attack 7d")
    person.book.until("table.game.outcome or table.game.actor == 0")
    while person.book.python("table.game.outcome is None"):
        person.play("take")
        person.book.until("table.game.outcome or table.game.actor == 0")


def won(person) -> None:
    """It is played as it was proved to be won."""
    person.play("attack Ks")
    person.book.until("table.game.actor == 0 and not table.game.taking")
    person.play("attack 7d")
    person.book.until("table.game.outcome")


@pytest.mark.parametrize("how", ["keys", "touch"])
def test_what_was_given_away_is_tried_again_and_won(notebook, how):
    """The sentence stands on the card and is read aloud; its drawer leads the replay there; then the same cards are won, which is said, and the next game comes."""
    page = {"viewport": (360, 740), "touch": True} if how == "touch" else {}
    person = laid(notebook, PLACED, LOOK, **page)
    person.how = how
    table = person.table
    lost(person)
    card = table.locator(".dk-over-card")
    expect(card).to_contain_text("You had it won in bout 2. 7♦︎ gave it away.")
    expect(table.locator("[role=status]")).to_contain_text("The 7 of diamonds gave it away.")
    if how == "keys":
        table.locator("[data-action=next]").focus()
        person.book.page.keyboard.press("e")
    else:
        table.locator("[data-action=turned]").tap()
    panel = table.get_by_role("dialog", name="Where it turned")
    expect(panel).to_contain_text("Better: Attack with K♠")
    mark = panel.get_by_role("button", name="You had it won in bout 2. 7♦︎ gave it away.")
    if how == "keys":
        mark.focus()
        person.book.page.keyboard.press("Enter")
    else:
        mark.tap()
    person.book.until("table.game.ply == 0")
    expect(card).to_be_hidden()
    again = panel.get_by_role("button", name="Try it again")
    if how == "keys":
        again.focus()
        person.book.page.keyboard.press("Enter")
    else:
        again.tap()
    person.book.until("table.game.last_ply == 0")
    expect(panel).to_be_hidden()
    expect(table.locator(".dk-bubble")).to_contain_text("get out this time")
    won(person)
    expect(card).to_contain_text("This time you made it.")
    if how == "keys":
        table.locator("[data-action=next]").focus()
        person.book.page.keyboard.press("Enter")
    else:
        table.locator("[data-action=next]").tap()
    person.book.until("len(table.match.games) == 2 and table.game.outcome is None")
    expect(card).to_be_hidden()
