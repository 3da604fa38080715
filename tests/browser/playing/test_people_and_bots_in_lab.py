"""Test several people and failing bots at a table in JupyterLab."""

from __future__ import annotations

import pytest
from human_player import IMPORTS, HumanPlayer, open_table
from playwright.sync_api import expect

from support.spoken import english_text


@pytest.mark.release
def test_a_failing_bot_is_reported_and_can_be_replaced(notebook):
    """The game continues where it was."""
    book = notebook(
        [
            f"{IMPORTS}\ndef broken(view, rng):\n    raise ValueError('no idea')\ntable = Table(seed=7, seats={{0: None, 1: broken}}, pace=0)\ntable"
        ]
    )
    person = HumanPlayer(book)
    person.play(person.legal()[0])
    expect(person.table.locator(".dk-bubble[data-kind=error]")).to_contain_text("table.failures[1]")
    assert book.python("str(table.failures[1])") == "no idea"
    person.press(person.table.get_by_role("button", name=english_text("screen.bot.failed", bot="broken")))
    person.press(person.table.get_by_role("dialog").get_by_role("button", name=english_text("who.careful"), exact=True))
    book.until("table.game.ply > 1")
    assert book.python("table.players") == ("you", "careful")


@pytest.mark.slow
def test_a_hanging_bot_does_not_block_the_kernel(notebook):
    """Cells run. The bot is reported as late and can be replaced."""
    code = f"""{IMPORTS}
import threading
held = threading.Event()
def slow(view, rng):
    held.wait()
from durak_widget.widgets.background_jobs import BackgroundJobs
BackgroundJobs.late_after_seconds = 0.05
table = Table(seed=7, seats={{0: None, 1: slow}}, pace=0)
table"""
    book = notebook([code])
    person = HumanPlayer(book)
    person.play(person.legal()[0])
    expect(person.table.get_by_role("button", name=english_text("screen.bot.late", bot="slow"))).to_be_visible()
    assert book.python("6 * 7") == 42
    person.press(person.table.get_by_role("button", name=english_text("screen.bot.late", bot="slow")))
    person.press(person.table.get_by_role("dialog").get_by_role("button", name=english_text("who.random"), exact=True))
    book.until("table.game.ply > 1")
    book.execute("held.set()")


# Regressions


@pytest.mark.parametrize(("viewport", "how"), [((1280, 800), "mouse"), ((360, 740), "touch")])
@pytest.mark.release
def test_buttons_of_the_prompt_are_not_covered_by_an_open_panel(notebook, viewport, how):
    """By real clicks and taps. The next person's turn closes the panel."""
    person = open_table(notebook, "seed=7", "seats={0: 'you', 1: 'you'}, pace=0, motion=False", viewport=viewport, touch=how == "touch")

    def press(selector: str) -> None:
        button = person.table.locator(selector)
        button.tap() if how == "touch" else button.click()

    panel = person.table.get_by_role("dialog", name=english_text("screen.settings"))
    press("[data-action=here]")
    expect(person.table.locator(".dk-hand-card")).to_have_count(6)
    press(".dk-menu-button")
    press("[data-menu=settings]")
    expect(panel).to_be_visible()
    press("[data-action=hint]")
    expect(person.table.locator(".dk-bubble[data-kind=hint]")).to_be_visible()
    press(f".dk-hand-card[data-card={person.legal()[0].split()[1]}]")
    expect(panel).to_be_hidden()
    press("[data-action=here]")
    expect(person.table.locator(".dk-hand-card")).to_have_count(6)
    press(".dk-menu-button")
    press("[data-menu=settings]")
    press("[data-action=take]")
    person.book.until("table.game.ply == 2")


@pytest.mark.slow
def test_a_player_who_is_out_can_skip_to_the_end(notebook):
    """By one button. Then the fool's cards are open."""
    code = f"""{IMPORTS}
table = Table(Game.from_position("podkidnoy, players=3", hands=["Ac", "6c 7d 8d 9d Jd", "6s 7s 8s 9s Js"], trump="h"), {{1: "first", 2: "first"}}, pace=60_000)
table.play("attack Ac")
table.step()
table"""
    person = HumanPlayer(notebook([code]))
    assert person.book.python("table.game.actor") == 2
    person.press(person.table.get_by_role("button", name=english_text("screen.end")))
    expect(person.table.locator(".dk-result-card")).to_be_visible()
    expect(person.table.get_by_role("button", name=english_text("screen.end"))).to_have_count(0)
    fool = person.book.python("table.game.outcome.fool")
    expect(person.table.locator(".dk-seat[data-role=fool] .dk-open-hand .dk-card")).to_have_count(
        person.book.python(f"len(table.game.hands[{fool}])")
    )
