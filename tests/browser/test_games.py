"""Whole games, played to the end in a real JupyterLab as people play them."""

from __future__ import annotations

import pytest
from person import Person, whole_game
from playwright.sync_api import expect

RULES = {
    "podkidnoy": "podkidnoy",
    "perevodnoy": "perevodnoy",
    "passport": "passport, players=3",
    "siege": "siege",
    "weli": "weli",
    "poker": "poker",
    "teams": "teams",
    "econ431": "econ431",
}


def table(rules: str, seats: str = "{0: 'you'}", seed: int = 3) -> str:
    """A cell that lays a table at which nobody waits."""
    return f"from durak_widget import Game, Rules, Table\ntable = Table({rules!r}, seats={seats}, seed={seed}, pace=0, motion=False)\ntable"


@pytest.mark.parametrize("preset", RULES)
def test_a_whole_game_by_clicks(notebook, preset):
    """Every move of the game can be made by clicking, and what was clicked is what Python plays."""
    book = notebook([table(RULES[preset])])
    person = Person(book)
    made = whole_game(person, seed=5)
    assert len(made) > 4
    outcome = book.python("str(table.game.outcome)")
    assert outcome != "None"
    verdict = book.python("table.scene['over']['said'][0]")
    expect(person.table.locator(".dk-verdict")).to_have_text(verdict)
    expect(person.button("Next game")).to_be_visible()
    person.press(person.button("Next game"))
    book.until("len(table.match.games) == 2")
    expect(person.table.locator(".dk-verdict")).to_be_hidden()
