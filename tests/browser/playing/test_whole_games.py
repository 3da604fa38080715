"""Test whole games in JupyterLab, by clicks, keys, touch, dragging and hints."""

from __future__ import annotations

from random import Random

import pytest
from human_player import HumanPlayer, play_whole_game
from playwright.sync_api import expect

from durak_widget import Move
from support.spoken import english_text

SHORT = "ranks=6TJQKA"  # games with fewer cards, which have every kind of click
RULES = {
    "podkidnoy": f"podkidnoy, {SHORT}",
    "perevodnoy": f"perevodnoy, {SHORT}",
    "passport": f"passport, players=3, {SHORT}",
    "siege": f"siege, {SHORT}",
    "weli": f"weli, {SHORT}",
    "poker": f"poker, {SHORT}",
    "teams": "teams",
    "econ431": f"econ431, {SHORT}",
}


def table_cell(rules: str, seats: str = "{0: 'you'}", seed: int = 3) -> str:
    """Return a cell that opens a table without pauses."""
    return f"from durak_widget import Game, Rules, Table\ntable = Table({rules!r}, seats={seats}, seed={seed}, pace=0, motion=False)\ntable"


@pytest.mark.release
@pytest.mark.parametrize("preset", RULES)
def test_a_whole_game_by_clicks(notebook, preset):
    """Every move can be clicked, and Python plays what was clicked."""
    book = notebook([table_cell(RULES[preset])])
    person = HumanPlayer(book)
    made = play_whole_game(person, seed=5)
    assert len(made) > 4
    outcome = book.python("str(table.game.outcome)")
    assert outcome != "None"
    word, verdict = book.python("[table.scene['result'][key][0] for key in ('farewell', 'text')]")
    for line in (word, verdict):
        expect(person.table.locator(".dk-result")).to_contain_text(line)
    expect(person.button(english_text("screen.next_game"))).to_be_visible()
    person.press(person.button(english_text("screen.next_game")))
    book.until("len(table.match.games) == 2")
    expect(person.table.locator(".dk-verdict")).to_be_hidden()


@pytest.mark.slow
def test_a_whole_game_by_keyboard_alone(notebook):
    """The focus goes from cards to targets and buttons, and is never lost."""
    book = notebook([table_cell("perevodnoy, players=3")])
    person = HumanPlayer(book, how="keys")
    person.start()
    person.table.locator(".dk-hand-card").first.focus()
    made = play_by_keys(person, seed=2)
    assert len(made) > 4
    assert book.python("table.game.outcome is not None")
    expect(person.table.locator(".dk-verdict")).to_be_visible()
    assert book.python("len(get_ipython().history_manager.input_hist_raw)") == 2  # no key ran a command of the notebook


def play_by_keys(person: HumanPlayer, seed: int) -> list[str]:
    """Play a game with keys only: digits and arrows choose a card, Enter plays it, letters press buttons."""
    rng, made, page = Random(seed), [], person.page
    for _ in range(300):
        scene, legal = person.turn()
        assert page.evaluate("document.activeElement.closest('.dk') !== null"), "the focus was lost"
        if "result" in scene:
            return made
        text = rng.choice([move for move in legal if move != "take"] or legal)
        move = Move(text)
        if not move.cards:
            page.keyboard.press({"take": "t", "pass": "p"}[text])
        else:
            own = str(move.cards[-1].face)
            page.keyboard.press("1")  # the first card of the hand
            for _ in range(scene["hand"].index(own)):
                page.keyboard.press("ArrowRight")
            assert page.evaluate("document.activeElement.dataset.card") == own
            page.keyboard.press("Enter")
            follows = person.after(scene["id"])
            if follows == "asked":
                answers = person.table.get_by_role("dialog").get_by_role("button").all_inner_texts()
                wanted = person.answer(move, move.cards[-1])
                for _ in range(answers.index(wanted)):
                    page.keyboard.press("ArrowDown")
                page.keyboard.press("Enter")
            elif follows == "picked":
                targets = person.table.locator("[data-target]").evaluate_all("all => all.map((one) => one.dataset.card)")
                for _ in range(targets.index(str(move.cards[0]))):
                    page.keyboard.press("ArrowRight")
                page.keyboard.press("Enter")
        person.after_move(scene["ply"])
        made.append(text)
    raise AssertionError("no end")


@pytest.mark.release
def test_a_whole_game_by_touch_at_360_pixels(notebook):
    """Nothing scrolls sideways, and every target is wide enough."""
    book = notebook([table_cell(RULES["podkidnoy"])], viewport=(360, 740), touch=True)
    person = HumanPlayer(book, how="touch")
    person.start()
    narrowest = """() => {
        const root = document.querySelector('.dk').getBoundingClientRect();
        const cards = [...document.querySelectorAll('.dk-hand-card')].map((card) => card.getBoundingClientRect());
        const seen = cards.map((box, i) => Math.min(box.right, ...cards.slice(i + 1).filter((next) => Math.abs(next.top - box.top) < 20 && next.left > box.left).map((next) => next.left)) - box.left);
        return [Math.min(...seen), Math.max(...cards.map((box) => box.right)) - root.right, document.querySelector('.dk').scrollWidth - document.querySelector('.dk').clientWidth];
    }"""
    person.settled()
    assert len(play_whole_game(person, seed=4, looking=lambda: check_card_widths(person.page.evaluate(narrowest)))) > 4
    assert book.python("table.game.outcome is not None")


@pytest.mark.release
def test_a_whole_game_by_dragging_with_a_finger(notebook):
    """On a phone, with animation."""
    book = notebook([table_cell(RULES["podkidnoy"]).replace("motion=False", "motion=True")], viewport=(390, 800), touch=True)
    person = HumanPlayer(book, how="drag")
    assert len(play_whole_game(person, seed=4)) > 4
    assert book.python("table.game.outcome is not None")
    expect(person.table.locator(".dk-ghost")).to_have_count(0)


@pytest.mark.release
def test_a_whole_game_by_hints_alone(notebook):
    """Each hint is a legal move."""
    book = notebook([table_cell("podkidnoy, ranks=9TJQKA")])
    person = HumanPlayer(book)
    person.start()
    for _ in range(200):
        scene, legal = person.turn()
        if "result" in scene:
            break
        person.press(person.button(english_text("screen.hint")))
        book.until(f"'has_shown_thought' in table.scene and table.scene['id'] > {scene['id']}")
        person.press(person.button("Hint: Show me"))
        book.until(f"(table.scene.get('note') or {{}}).get('text', [''])[0].startswith('Hint: ') and table.scene['id'] > {scene['id'] + 1}")
        note = book.python("table.scene['note']")
        fitting = [
            move
            for move in legal
            if note.get("card", "") in move and note.get("on", "") in move and (" " in move) == bool(note.get("card"))
        ]
        person.play(fitting[0])
    assert book.python("table.game.outcome is not None")


def check_card_widths(found: list[float]) -> None:
    """Check that the narrowest card is wide enough for a finger and that no card leaves the table."""
    narrowest, beyond, sideways = found
    assert narrowest >= 36
    assert beyond <= 0
    assert sideways == 0
