"""The table in a real JupyterLab: what a person tries and is told, and that Python knows the same."""

from __future__ import annotations

import pytest
from person import DEFENDING, IMPORTS, Person, laid
from playwright.sync_api import expect

# What is there


def test_names_and_roles_are_those_of_the_contract(notebook):
    """A screen reader finds the region, the groups, the piles, the seats and the buttons by their names."""
    person = laid(notebook, "Rules(players=3), seed=7")
    table = person.table
    for group in ("Your hand", "Table"):
        expect(table.get_by_role("group", name=group, exact=True)).to_be_visible()
    trump = person.book.python("table.game.trump")
    suit = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}[trump]
    for image in ("Talon, 18 cards", f"Trump: {suit}", "Discard pile, 0 cards"):
        expect(table.get_by_role("img", name=image, exact=True)).to_be_attached()
    expect(table.get_by_role("img", name="Player 2, 6 cards, ")).to_be_visible()
    for button in ("Undo", "Redo", "New game"):
        expect(person.button(button)).to_be_visible()
    expect(table.get_by_role("slider", name="Move", exact=True)).to_be_visible()
    expect(table.get_by_role("status")).to_be_attached()


@pytest.mark.release
def test_a_pair_says_what_beat_what(notebook):
    """`7 of clubs, beaten by 9 of clubs`, `7 of spades, not beaten`."""
    person = laid(notebook, "Game.from_position(hands=['8s 9h', 'Ac Kc'], trump='h', table='7c/9c 7s', attacker=1)")
    expect(person.table.get_by_role("img", name="7 of clubs, beaten by 9 of clubs", exact=True)).to_be_visible()
    expect(person.table.get_by_role("button", name="7 of spades, not beaten", exact=True)).to_be_visible()


# What may not be done


@pytest.mark.parametrize(
    ("game", "card", "code", "says"),
    [
        (DEFENDING, "Tc", "wrong_suit", "10♣ does not beat 7♦: different suits, and clubs are not trumps (hearts are)."),
        ("Game.from_position(hands=['6d Ah', '9d 8d'], trump='h', table='7d', attacker=1)", "6d", "too_low", "6♦ does not beat 7♦"),
        (
            "Game.from_position(hands=['7s Ah', '9d 8d'], trump='h', table='7c/8c', attacker=0)",
            "Ah",
            "rank_not_on_table",
            "no ace lies on the table",
        ),
        ("Game.from_position(hands=['7s Ah', '9d 8d'], trump='h', attacker=1)", "Ah", "not_your_turn", "It is not your turn: Player 2"),
    ],
)
@pytest.mark.sample(4)
def test_an_illegal_try_changes_nothing_and_says_why(notebook, game, card, code, says):
    """The sentence of the rules stands beside the card and is read aloud; the game is as it was."""
    person = laid(notebook, game)
    before = person.book.python("str(table.game)")
    expect(person.card(card)).to_have_attribute("aria-disabled", "true")
    person.press(person.card(card))
    bubble = person.table.locator(".dk-bubble")
    expect(bubble).to_be_visible()
    assert says in bubble.inner_text().replace("\ufe0e", "")
    assert person.book.python("table.scene['note']['code']") == code
    expect(person.table.get_by_role("status")).to_contain_text(person.book.python("table.scene['note']['said'][1]"))
    assert person.book.python("str(table.game)") == before
    box, at = bubble.bounding_box(), person.card(card).bounding_box()
    assert abs(box["x"] + box["width"] / 2 - at["x"] - at["width"] / 2) < box["width"] / 2 + 20
    person.page.keyboard.press("Escape")
    expect(bubble).to_be_hidden()


@pytest.mark.release
def test_what_is_found_out_late_takes_no_word_away(notebook):
    """An evaluation that comes while somebody reads why not leaves the reason where it is."""
    person = laid(notebook, DEFENDING)
    person.book.execute("import threading\nmay = threading.Event()\ntable._session.find('worth', lambda view: may.wait(60) and 0.5)")
    person.press(person.card("Tc"))
    bubble = person.table.locator(".dk-bubble")
    expect(bubble).to_be_visible()
    person.book.execute("may.set()")
    person.book.until("table.scene.get('beside') == {'worth': 0.5}")
    expect(person.table).to_have_attribute("data-scene", str(person.book.python("table.scene['id']")))
    assert bubble.is_visible()
    person.press(person.card("9d"))
    expect(bubble).to_be_hidden()


@pytest.mark.release
def test_a_card_that_could_do_several_things_is_asked_about(notebook):
    """The seven of trumps beats, transfers or is shown: a small menu, which Escape leaves without a move."""
    person = laid(notebook, DEFENDING)
    person.press(person.card("7h"))
    dialog = person.table.get_by_role("dialog")
    assert dialog.get_by_role("button").all_inner_texts() == ["Beat the 7 of diamonds", "Transfer", "Show trump"]
    person.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert person.page.evaluate("document.activeElement.dataset.card") == "7h"
    person.press(person.card("7h"))
    person.press(dialog.get_by_role("button", name="Show trump"))
    person.book.until("str(table.game.moves[-1:]) == \"(Move('show 7h'),)\"")


def test_a_card_is_dragged_to_what_it_beats(notebook):
    """Dropped on its target it beats; dropped beside the table it goes back, and nothing is played."""
    person = laid(notebook, DEFENDING)
    target = person.table.get_by_role("button", name="7 of diamonds, not beaten")
    page, card, over = person.page, person.card("9d").bounding_box(), target.bounding_box()
    page.mouse.move(card["x"] + 15, card["y"] + 20)
    page.mouse.down()
    page.mouse.move(card["x"] + 40, card["y"] - 30, steps=3)
    expect(person.table.locator(".dk-table[data-drop]")).to_be_visible()
    expect(target).to_have_attribute("data-target", "")
    page.mouse.move(5, 5, steps=3)
    page.mouse.up()
    expect(person.table.locator(".dk-dragged")).to_have_count(0)
    assert person.book.python("table.game.ply") == 0
    page.mouse.move(card["x"] + 15, card["y"] + 20)
    page.mouse.down()
    page.mouse.move(over["x"] + 20, over["y"] + 20, steps=5)
    page.mouse.up()
    person.book.until("[str(move) for move in table.game.moves] == ['beat 7d 9d']")
    expect(person.table.get_by_role("img", name="7 of diamonds, beaten by 9 of diamonds")).to_be_visible()


@pytest.mark.release
def test_the_target_may_come_before_the_card(notebook):
    """A press on an attacking card lights what beats it; then a press on the card plays it."""
    person = laid(notebook, "Game.from_position(hands=['9c 9s 9h', 'Ac Kc'], trump='h', table='7c 7s', attacker=1)")
    person.press(person.table.get_by_role("button", name="7 of spades, not beaten"))
    expect(person.table.locator(".dk-mine[data-lit]")).to_have_count(2)
    person.press(person.card("9h"))
    person.book.until("[str(move) for move in table.game.moves] == ['beat 7s 9h']")


# Back and forth


def test_undo_redo_replay_and_the_list_of_moves(notebook):
    """Undo goes to the last decision of a person, the slider anywhere, the list where it is clicked; Python stands there too."""
    book = notebook([f"{IMPORTS}\ntable = Table(seed=7, seats={{0: None, 1: 'careful'}}, pace=0, motion=False)\ntable"])
    person = Person(book)
    for _ in range(3):
        person.settled()
        person.play(person.legal()[0])
    scene = person.settled()
    person.press(person.button("Undo"))
    book.until(f"table.game.ply < {scene['ply']}")
    assert book.python("table.players[table.game.actor]") == "you"
    person.press(person.button("Redo"))
    book.until(f"table.game.ply == {scene['ply']}")
    person.page.keyboard.press("{")
    book.until("table.game.ply == 0")
    expect(person.table.locator(".dk-pair")).to_have_count(0)
    slider = person.table.get_by_role("slider", name="Move")
    slider.fill("2")
    book.until("table.game.ply == 2")
    person.press(person.button("Moves"))
    panel = person.table.get_by_role("dialog", name="Moves")
    expect(panel.get_by_role("heading", name="Bout 1")).to_be_visible()
    said = book.python(
        "[text for bout in __import__('durak_widget.widget.playing.scene', fromlist=['x']).listing(table.game.view(0), table._session.voices(table.game.view(0)).written) for _, text in bout['moves']]"
    )
    assert panel.locator(".dk-entry").all_inner_texts()[:2] == said
    person.press(panel.locator(".dk-entry").nth(0))
    book.until("table.game.ply == 1")
    person.page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    person.press(person.button("Play the moves"))
    book.until("table.game.ply == table.game.last_ply")
    assert book.python("table.game.ply") == scene["ply"]


@pytest.mark.release
def test_another_move_branches_after_asking(notebook):
    """Whoever looks back by the bar is asked, and a no leaves everything as it is; whoever takes back is not."""
    person = laid(notebook, "seed=7", "seats={0: None, 1: 'careful'}, pace=0, motion=False")
    first, second = person.legal()[:2]
    person.play(first)
    person.settled()
    person.press(person.button("First move"))
    person.book.until("table.game.ply == 0")
    person.settled()
    last = person.book.python("table.game.last_ply")
    person.press(person.card(second.split()[1]))
    dialog = person.table.get_by_role("dialog")
    expect(dialog).to_contain_text("will be dropped")
    person.press(dialog.get_by_role("button", name="Cancel"))
    assert person.book.python("table.game.ply, table.game.last_ply") == (0, last)
    person.press(person.card(second.split()[1]))
    person.press(dialog.get_by_role("button", name="Play on from here"))
    person.book.until(f"str(table.game.moves[:1]) == \"(Move('{second}'),)\"")
    person.settled()
    person.press(person.button("Undo"))
    person.book.until("table.game.ply == 0")
    person.settled()
    person.press(person.card(first.split()[1]))
    person.book.until(f"str(table.game.moves[:1]) == \"(Move('{first}'),)\" and table.game.ply > 1")  # and the bot goes on
    expect(dialog).to_have_count(0)


def test_a_hint_names_a_legal_move_when_asked_twice(notebook):
    """First a thought, above the call; then a sentence beside the card that it is about, with its reason. No button moves meanwhile."""
    person = laid(notebook, "seed=7")
    person.press(person.button("Hint"))
    bubble = person.table.locator(".dk-bubble[data-kind=hint]")
    expect(bubble).to_have_text("Begin with what you will miss least.")
    show = person.button("Hint: Show me")
    expect(show).to_have_text("Show me")
    person.press(show)
    expect(bubble).to_have_text("Hint: Attack with 6♠\ufe0e. It is your lowest card that is no trump.")
    note = person.book.python("table.scene['note']")
    assert any(str(note["card"]) in move for move in person.legal())
    assert person.book.python("table.game.ply") == 0


@pytest.mark.release
def test_a_new_game_is_asked_for_and_does_not_count(notebook):
    """In the middle of a game the question comes first."""
    person = laid(notebook, "seed=7", "seats={0: None, 1: 'careful'}, pace=0, motion=False")
    person.play(person.legal()[0])
    person.settled()
    person.press(person.button("New game"))
    person.press(person.table.get_by_role("dialog").get_by_role("button", name="Deal"))
    person.book.until("table.scene['game'] == 2")
    assert person.book.python("sum(side.won + side.lost for side in table.match.score)") == 0


# What went wrong once


def here(person: Person) -> str:
    """Where the focus is: in the table, or not."""
    return person.page.evaluate("document.activeElement.closest('.dk') ? document.activeElement.className : 'lost'")


def test_the_focus_is_kept_whatever_goes_away(notebook):
    """After a target that is beaten, a hand that is covered, a last card played, and a bot that was replaced."""
    person = laid(notebook, "Game.from_position(hands=['9c 9s 9h Td', 'Ac Kc'], trump='h', table='7c 7s', attacker=1)")
    keys = person.page.keyboard
    person.card("9h").focus()
    keys.press("Enter")
    keys.press("ArrowRight")
    keys.press("Enter")
    expect(person.table).to_have_attribute("data-ply", "1")
    assert "dk-mine" in here(person)
    person.book.execute("table.match = Match.of(Game.from_position(hands=['6c', '7c 8d'], trump='h'))")
    person.card("6c").focus()
    keys.press("Enter")
    expect(person.table).to_have_attribute("data-ply", "1")
    assert here(person) != "lost"
    person.book.execute("table.step()")
    expect(person.table.locator(".dk-verdict")).to_be_visible()
    assert here(person) != "lost"
    person.book.execute("table.seat_player(1, 'you'); table.match = Match.of(Game.from_position(hands=['6c 7d', '7c 8d'], trump='h'))")
    person.here()
    person.card("6c").focus()
    keys.press("Enter")
    expect(person.table.locator("[data-action=here]")).to_be_focused()


@pytest.mark.release
def test_two_copies_are_opened_together(notebook):
    """Of two cards that are alike the second is another card, not a second press on the first."""
    person = laid(notebook, "Game.from_position(Rules(decks=2, opening='same_rank'), hands=['7c 7c 9h', 'Ac Kc Qc'], trump='h')")
    person.play("attack 7c 7c")
    assert person.book.python("str(table.game.moves[0])") == "attack 7c 7c"


@pytest.mark.release
def test_cards_that_are_picked_are_dragged_together(notebook):
    """Dragging one of several picked cards to the table plays them all."""
    person = laid(notebook, "Game.from_position('siege', hands=['9c 9s 9d Ah', 'Ac Kc Qc'], trump='h')")
    for card in ("9c", "9s"):
        person.press(person.card(card))
    card, over = person.table.locator("[data-card='9c']").bounding_box(), person.table.locator(".dk-table").bounding_box()
    mouse = person.page.mouse
    mouse.move(card["x"] + 15, card["y"] + 20)
    mouse.down()
    mouse.move(over["x"] + over["width"] / 2, over["y"] + 60, steps=5)
    mouse.up()
    person.book.until("[str(move) for move in table.game.moves] == ['attack 9c 9s']")


@pytest.mark.release
def test_a_six_of_any_suit_shows_the_suit_before_it_is_played(notebook):
    """Picked in another suit than its own, a card carries that suit's sign already."""
    person = laid(notebook, "Game.from_position(Rules(opening='same_rank', weli='sixes'), hands=['6c 6s Ah', 'Ac Kc Qc'], trump='h')")
    person.press(person.card("6c"))
    person.press(person.table.get_by_role("dialog").get_by_role("button", name="hearts", exact=True))
    expect(person.hand.locator("[data-card='6c'] .dk-declared.dk-ink-h")).to_be_visible()
    expect(person.table.get_by_role("status")).to_contain_text("add more of the same rank")


@pytest.mark.release
def test_a_question_about_the_game_outlives_the_moves_of_bots(notebook):
    """While bots play, there is time to answer whether a new game shall be dealt."""
    person = laid(notebook, "Rules(players=3), seed=7", "seats=dict.fromkeys(range(3), 'careful'), pace=60000")
    person.book.execute("table.step()")
    expect(person.table).to_have_attribute("data-ply", "1")
    person.press(person.button("New game"))
    expect(person.table.get_by_role("dialog")).to_be_visible()
    person.book.execute("table.step()")
    expect(person.table).to_have_attribute("data-ply", "2")
    person.press(person.table.get_by_role("dialog").get_by_role("button", name="Cancel"))
    assert person.book.python("table.scene['game']") == 1


@pytest.mark.release
def test_keys_work_in_another_script(notebook):
    """On a Russian keyboard the same keys do the same."""
    person = laid(notebook, DEFENDING)
    person.card("7c").focus()
    person.page.evaluate(
        "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'е', code: 'KeyT', bubbles: true, cancelable: true }))"
    )
    person.book.until("[str(move) for move in table.game.moves] == ['take']")
