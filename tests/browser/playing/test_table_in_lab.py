"""Test the table in JupyterLab: moves, refusals, undo, replay and focus, and that Python knows the same."""

from __future__ import annotations

import pytest
from human_player import DEFENDING, IMPORTS, HumanPlayer, open_table
from playwright.sync_api import expect

from support.spoken import english, english_text

# Legal and illegal moves


@pytest.mark.slow
def test_a_move_is_played_refused_or_asked_about(notebook):
    """A refusal has a reason. A card with several uses is asked about. A hint has two steps. A card dragged to its target beats it."""
    person = open_table(notebook, DEFENDING)
    page, table, book = person.page, person.table, person.book
    before = book.python("str(table.game)")
    person.press(person.card("Tc"))
    bubble = table.locator(".dk-bubble")
    expect(bubble).to_contain_text(english("refusal.wrong_suit", suit="clubs"))
    assert book.python("table.scene['note']['code']") == "wrong_suit"
    expect(table.get_by_role("status")).to_contain_text(book.python("table.scene['note']['text'][1]"))
    page.keyboard.press("Escape")
    expect(bubble).to_be_hidden()
    person.press(person.card("7h"))
    dialog = table.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert dialog.get_by_role("button").all_inner_texts() == [
        english_text("screen.beat", card="7 of diamonds"),
        "Transfer",
        english_text("screen.show"),
    ]
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    person.press(person.button(english_text("screen.hint")))
    person.press(person.button(f"{english_text('screen.hint')}: {english_text('screen.show_me')}"))
    expect(table.locator(".dk-bubble[data-kind=hint]")).to_contain_text("Hint: ")
    assert book.python("str(table.game)") == before
    page.keyboard.press("Escape")
    card, over = (
        person.card("9d").bounding_box(),
        table.get_by_role("button", name=english_text("screen.unbeaten", card="7 of diamonds")).bounding_box(),
    )
    page.mouse.move(card["x"] + 15, card["y"] + 20)
    page.mouse.down()
    page.mouse.move(over["x"] + 20, over["y"] + 20, steps=5)
    page.mouse.up()
    book.until("[str(move) for move in table.game.moves] == ['beat 7d 9d']")
    expect(table.get_by_role("img", name=english_text("screen.beaten", card="7 of diamonds", by="9 of diamonds"))).to_be_visible()


@pytest.mark.slow
def test_how_to_play_is_explained_beside_the_game(notebook):
    """The pictures come from Python, and the game stays as it was."""
    person = open_table(notebook, DEFENDING)
    before = person.book.python("str(table.game)")
    person.press(person.table.locator(".dk-menu-button"))
    person.press(person.table.locator("[data-menu=how_to_play]"))
    panel = person.table.get_by_role("dialog", name=english_text("screen.how_to_play"))
    expect(panel.get_by_role("img")).to_have_count(6)
    expect(panel.get_by_text(english("how.beat"))).to_be_visible()
    assert person.book.python("str(table.game)") == before


@pytest.mark.release
def test_a_late_evaluation_keeps_the_shown_reason(notebook):
    """A late evaluation keeps the shown reason."""
    person = open_table(notebook, DEFENDING)
    person.book.execute(
        "import threading\nmay = threading.Event()\ntable._session.set_finder('worth', lambda view: may.wait(60) and [0.5])"
    )
    person.press(person.card("Tc"))
    bubble = person.table.locator(".dk-bubble")
    expect(bubble).to_be_visible()
    person.book.execute("may.set()")
    person.book.until("table.scene.get('analysis') == {'worth': [0.5]}")
    expect(person.table).to_have_attribute("data-scene", str(person.book.python("table.scene['id']")))
    assert bubble.is_visible()
    person.press(person.card("9d"))
    expect(bubble).to_be_hidden()


# Undo, redo and replay


@pytest.mark.slow
def test_undo_redo_replay_and_the_move_list(notebook):
    """Undo goes to the last decision of a person. Python follows the slider and the list."""
    book = notebook([f"{IMPORTS}\ntable = Table(seed=7, seats={{0: None, 1: 'careful'}}, pace=0, motion=False)\ntable"])
    person = HumanPlayer(book)
    for _ in range(3):
        person.settled()
        person.play(person.legal()[0])
    scene = person.settled()
    person.press(person.button(english_text("screen.undo")))
    book.until(f"table.game.ply < {scene['ply']}")
    assert book.python("table.players[table.game.actor]") == "you"
    person.press(person.button(english_text("screen.redo")))
    book.until(f"table.game.ply == {scene['ply']}")
    person.page.keyboard.press("{")
    book.until("table.game.ply == 0")
    expect(person.table.locator(".dk-pair")).to_have_count(0)
    slider = person.table.get_by_role("slider", name=english_text("screen.move"))
    slider.fill("2")
    book.until("table.game.ply == 2")
    person.choose("Moves")
    panel = person.table.get_by_role("dialog", name=english_text("screen.list"))
    expect(panel.get_by_role("heading", name=english_text("screen.bout", bout="1"))).to_be_visible()
    said = book.python(
        "[text for bout in __import__('durak_widget.table.scene', fromlist=['x']).list_moves_by_bout(table.game.view(0), table._session.get_voices(table.game.view(0)).written) for _, text in bout['moves']]"
    )
    assert panel.locator(".dk-move-entry").all_inner_texts()[:2] == said
    person.press(panel.locator(".dk-move-entry").nth(0))
    book.until("table.game.ply == 1")
    person.page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    person.press(person.button(english_text("screen.play")))
    book.until("table.game.ply == table.game.last_ply")
    assert book.python("table.game.ply") == scene["ply"]


# Regressions


def focused_element(person: HumanPlayer) -> str:
    """Return what has the focus, in the table or not."""
    return person.page.evaluate("document.activeElement.closest('.dk') ? document.activeElement.className : 'lost'")


@pytest.mark.slow
def test_the_focus_survives_removed_elements(notebook):
    """A beaten target, a covered hand, the last card, a replaced bot."""
    person = open_table(notebook, "Game.from_position(hands=['9c 9s 9h Td', 'Ac Kc'], trump='h', table='7c 7s', attacker=1)")
    keys = person.page.keyboard
    person.card("9h").focus()
    keys.press("Enter")
    keys.press("ArrowRight")
    keys.press("Enter")
    expect(person.table).to_have_attribute("data-ply", "1")
    assert "dk-hand-card" in focused_element(person)
    person.book.execute("table.match = Match.from_game(Game.from_position(hands=['6c', '7c 8d'], trump='h'))")
    person.card("6c").focus()
    keys.press("Enter")
    expect(person.table).to_have_attribute("data-ply", "1")
    assert focused_element(person) != "lost"
    person.book.execute("table.step()")
    expect(person.table.locator(".dk-verdict")).to_be_visible()
    assert focused_element(person) != "lost"
    person.book.execute(
        "table.seat_player(1, 'you'); table.match = Match.from_game(Game.from_position(hands=['6c 7d', '7c 8d'], trump='h'))"
    )
    person.show_hand()
    person.card("6c").focus()
    keys.press("Enter")
    expect(person.table.locator("[data-action=here]")).to_be_focused()


@pytest.mark.release
def test_two_equal_cards_can_open_together(notebook):
    """The second is not a second click on the first."""
    person = open_table(notebook, "Game.from_position(Rules(decks=2, opening='same_rank'), hands=['7c 7c 9h', 'Ac Kc Qc'], trump='h')")
    person.play("attack 7c 7c")
    assert person.book.python("str(table.game.moves[0])") == "attack 7c 7c"


@pytest.mark.release
def test_a_wild_six_shows_its_chosen_suit_before_it_is_played(notebook):
    """A wild six shows its chosen suit before it is played."""
    person = open_table(notebook, "Game.from_position(Rules(opening='same_rank', weli='sixes'), hands=['6c 6s Ah', 'Ac Kc Qc'], trump='h')")
    person.press(person.card("6c"))
    person.press(person.table.get_by_role("dialog").get_by_role("button", name="hearts", exact=True))
    expect(person.hand.locator("[data-card='6c'] .dk-declared-suit.dk-ink-h")).to_be_visible()
    expect(person.table.get_by_role("status")).to_contain_text(english("screen.pick.more"))
