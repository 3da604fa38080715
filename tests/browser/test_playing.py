"""The table in a real JupyterLab: what a person tries, sees and is told, and that Python knows the same."""

from __future__ import annotations

import json

import pytest
from person import Person
from playwright.sync_api import expect

IMPORTS = "from durak_widget import Game, Match, Rules, Table"
DEFENDING = "Game.from_position('passport', hands=['7c 7h 9d Tc', '9h Ts Qd Ac Kc Jc'], trump='h', table='7d', attacker=1)"


def laid(notebook, what: str, options: str = "pace=60000, motion=False", **page) -> Person:
    """Somebody at a table that has just been laid."""
    book = notebook([f"{IMPORTS}\ntable = Table({what}, {options})\ntable"], **page)
    expect(book.table()).to_be_visible()
    return Person(book)


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


def test_a_card_that_could_do_several_things_is_asked_about(notebook):
    """The seven of trumps beats, transfers or is shown: a small menu, which Escape leaves without a move."""
    person = laid(notebook, DEFENDING)
    person.press(person.card("7h"))
    dialog = person.table.get_by_role("dialog")
    assert dialog.get_by_role("button").all_inner_texts() == ["Beat 7 of diamonds", "Transfer", "Show trump"]
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
        "[text for bout in __import__('durak_widget.widget.scene', fromlist=['x']).listing(table.game.view(0), table._session.voices(table.game.view(0)).written) for _, text in bout['moves']]"
    )
    assert panel.locator(".dk-entry").all_inner_texts()[:2] == said
    person.press(panel.locator(".dk-entry").nth(0))
    book.until("table.game.ply == 1")
    person.page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    person.press(person.button("Play the moves"))
    book.until("table.game.ply == table.game.last_ply")
    assert book.python("table.game.ply") == scene["ply"]


def test_another_move_branches_after_asking(notebook):
    """What was undone is dropped only after a yes; a no leaves everything as it is."""
    person = laid(notebook, "seed=7", "seats={0: None, 1: 'careful'}, pace=0, motion=False")
    first, second = person.legal()[:2]
    person.play(first)
    person.settled()
    person.press(person.button("Undo"))
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


def test_a_hint_names_a_legal_move(notebook):
    """The hint is a sentence beside the card that it is about."""
    person = laid(notebook, "seed=7")
    person.press(person.button("Hint"))
    bubble = person.table.locator(".dk-bubble[data-kind=hint]")
    expect(bubble).to_be_visible()
    note = person.book.python("table.scene['note']")
    assert any(str(note["card"]) in move for move in person.legal())
    assert person.book.python("table.game.ply") == 0


def test_a_new_game_is_asked_for_and_does_not_count(notebook):
    """In the middle of a game the question comes first."""
    person = laid(notebook, "seed=7", "seats={0: None, 1: 'careful'}, pace=0, motion=False")
    person.play(person.legal()[0])
    person.settled()
    person.press(person.button("New game"))
    person.press(person.table.get_by_role("dialog").get_by_role("button", name="Deal"))
    person.book.until("table.scene['game'] == 2")
    assert person.book.python("sum(side.won + side.lost for side in table.match.score)") == 0


# From Python, and in notebooks


def test_python_moves_the_cards_on_the_page(notebook):
    """`table.play`, `table.game = …`, `table.rules = …`, `table.seat = …`: the page follows, and callbacks are called."""
    person = laid(notebook, "seed=7")
    book, table = person.book, person.table
    book.execute("heard = []; table.on_move(heard.append); table.play('attack Jc')")
    expect(table.get_by_role("img", name="jack of clubs, not beaten")).to_be_visible()
    assert book.python("[str(played) for played in heard]") == ["attack Jc"]
    book.execute("table.game = Game.from_position(hands=['6c', '7c 8d'], table='7d')")
    expect(table.get_by_role("img", name="7 of diamonds, not beaten")).to_be_visible()
    book.execute("table.rules = Rules(players=5)")
    expect(table.locator(".dk-seat")).to_have_count(4)
    book.execute("table.seat = 2")
    expect(table.get_by_role("img", name="Player 4, 6 cards")).to_be_visible()
    book.execute(
        "table.on_move(lambda played: 1 / 0); table.seat = 0\nif table.players[table.game.actor] == 'you': table.play(table.game.legal_moves()[0])\nelse: table.step()"
    )
    expect(table.locator(".dk-bubble[data-kind=error]")).to_contain_text("ZeroDivisionError")


def test_two_views_a_second_table_and_a_reload(notebook):
    """One table in two cells shows one game; another table another; after a reload all are there again, and play."""
    book = notebook(
        [f"{IMPORTS}\ntable = Table(seed=7, pace=60000)\ntable", "table", "other = Table('econ431', seed=5, pace=60000)\nother"]
    )
    one, two = Person(book, n=0), Person(book, n=1)
    other = book.table(2)
    card = one.legal()[0].split()[1]
    one.press(one.card(card))
    book.until("table.game.ply == 1")
    for view in (one, two):
        expect(view.table).to_have_attribute("data-ply", "1")
    expect(other).to_have_attribute("data-ply", "0")
    two.press(two.button("Undo"))
    book.until("table.game.ply == 0")
    expect(one.table).to_have_attribute("data-ply", "0")
    book.save()
    book.reload()
    for n in range(3):
        expect(book.table(n)).to_have_attribute("data-ply", "0")
    again = Person(book, n=1)
    again.press(again.card(card))  # just the move that was undone: nothing to ask
    book.until("table.game.ply == 1")
    expect(book.table(0)).to_have_attribute("data-ply", "1")


def test_a_table_whose_kernel_is_gone_says_what_to_do(notebook):
    """After a restart the table says so at once; the notebook opened again shows the picture, and what to do."""
    person = laid(notebook, "seed=7")
    expect(person.page.locator(".durak-picture")).to_be_hidden()
    person.book.restart_kernel()
    expect(person.table.locator(".dk-call")).to_have_text("The kernel of this table is gone. Run the cell again to play.")
    person.book.run_all()
    expect(person.table.locator(".dk-call")).to_have_text("Your turn: open with any card.")
    person.book.save()
    person.book.expects("widget model not found")
    person.book.restart_kernel()
    person.book.reload()
    expect(person.page.get_by_text("model not found")).to_be_visible()  # what JupyterLab itself has to say
    expect(person.page.locator(".durak-picture")).to_contain_text("To play, run this cell.")
    expect(person.page.locator(".durak-picture img")).to_be_visible()


def test_a_notebook_from_elsewhere_shows_no_picture_beside_the_live_table(notebook):
    """What it stored is not trusted; run there, its outputs are drawn once more, and the picture is hidden all the same."""
    person = laid(notebook, "seed=7")
    book = person.book
    book.save()
    stored = json.loads(book.file.read_text(encoding="utf-8"))
    for cell in stored["cells"]:
        cell["metadata"].pop("trusted", None)
        cell["outputs"] = [one for one in cell["outputs"] if "text/html" in one.get("data", {})]
        for one in cell["outputs"]:  # as made by another version: nothing that was signed here
            one["data"]["text/html"][0] = one["data"]["text/html"][0].replace("durak-picture", "durak-picture durak-old", 1)
    book.file.write_text(json.dumps(stored), encoding="utf-8")
    book.restart_kernel()
    book.reload()
    expect(book.page.locator(".durak-old img")).to_be_visible()
    book.run_all()
    expect(book.table()).to_be_visible()
    expect(book.page.locator(".durak-picture")).to_have_css("display", "none")
    book.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(book.page.locator(".durak-picture")).to_have_css("display", "none")


def test_notebook_7_plays_too(notebook):
    """The same table in Notebook 7."""
    book = notebook([f"{IMPORTS}\ntable = Table(seed=7, pace=60000)\ntable"], app="notebook")
    person = Person(book)
    person.press(person.card(person.legal()[0].split()[1]))
    book.until("table.game.ply == 1")
    expect(person.table).to_have_attribute("data-ply", "1")


# Looks


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
    panel.get_by_role("button", name="Player 2: careful").click()
    person.table.get_by_role("dialog", name="Who shall play").get_by_role("button", name="The bot random").click()
    person.book.until("table.players == ('you', 'random')")
    person.page.keyboard.press("Escape")
    person.page.keyboard.press("c")
    seen = person.table.get_by_role("dialog", name="Cards seen")
    expect(seen.locator("td[data-at=hand]")).to_have_count(6)


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


# Several people, and bots in trouble


def test_people_who_share_a_screen_do_not_see_each_others_cards(notebook):
    """The hand is covered until the next person says that they are there."""
    person = laid(notebook, "seed=7", "seats={0: 'you', 1: 'you'}, pace=0, motion=False")
    expect(person.table.locator(".dk-mine")).to_have_count(0)
    first = person.book.python("table.game.actor")
    person.press(person.table.get_by_role("button", name=f"I am player {first + 1}: show my cards"))
    expect(person.table.locator(".dk-mine")).to_have_count(6)
    person.play(person.legal()[0])
    expect(person.table.locator(".dk-mine")).to_have_count(0)
    expect(person.table.get_by_role("button", name=f"I am player {2 - first}: show my cards")).to_be_visible()


def test_a_bot_that_fails_is_shown_and_replaced(notebook):
    """Its error stands on the table; another bot takes its seat, and the game goes on where it was."""
    book = notebook(
        [
            f"{IMPORTS}\ndef broken(view, rng):\n    raise ValueError('no idea')\ntable = Table(seed=7, seats={{0: None, 1: broken}}, pace=0)\ntable"
        ]
    )
    person = Person(book)
    person.play(person.legal()[0])
    expect(person.table.locator(".dk-bubble[data-kind=error]")).to_contain_text("ValueError. Its whole error: table.failures[1]")
    assert book.python("str(table.failures[1])") == "no idea"
    person.press(person.table.get_by_role("button", name="The bot broken failed. Replace it"))
    person.press(person.table.get_by_role("dialog").get_by_role("button", name="The bot careful"))
    book.until("table.game.ply > 1")
    assert book.python("table.players") == ("you", "careful")


def test_a_bot_that_hangs_leaves_the_kernel_free(notebook):
    """While a bot thinks for ever, cells run; it is called late and can be replaced."""
    code = f"""{IMPORTS}
import threading
held = threading.Event()
def slow(view, rng):
    held.wait()
from durak_widget.widget.jobs import Jobs
Jobs.patience = 0.05
table = Table(seed=7, seats={{0: None, 1: slow}}, pace=0)
table"""
    book = notebook([code])
    person = Person(book)
    person.play(person.legal()[0])
    expect(person.table.get_by_role("button", name="The bot slow is still thinking. Replace it")).to_be_visible()
    assert book.python("6 * 7") == 42
    person.press(person.table.get_by_role("button", name="The bot slow is still thinking. Replace it"))
    person.press(person.table.get_by_role("dialog").get_by_role("button", name="The bot random"))
    book.until("table.game.ply > 1")
    book.execute("held.set()")


def test_closing_leaves_nothing_behind(notebook):
    """When its output goes, a table lets go of every listener outside of itself, and of every node."""
    book = notebook([f"{IMPORTS}\nfrom IPython.display import clear_output, display\ntable = Table(seed=7, pace=60000)", "display(table)"])
    person = Person(book)
    expect(person.table).to_be_visible()
    client = book.page.context.new_cdp_session(book.page)
    client.send("Performance.enable")

    def counted() -> tuple[float, float]:
        client.send("HeapProfiler.collectGarbage")
        found = {one["name"]: one["value"] for one in client.send("Performance.getMetrics")["metrics"]}
        return found["Nodes"], found["JSEventListeners"]

    def again() -> None:
        book.run_all()
        expect(book.page.locator("section.dk")).to_have_count(1)

    again()
    nodes, listeners = counted()
    for _ in range(8):
        again()
    more_nodes, more_listeners = counted()
    assert more_nodes - nodes < 8 * 150
    assert more_listeners - listeners < 8 * 40


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


def test_two_copies_are_opened_together(notebook):
    """Of two cards that are alike the second is another card, not a second press on the first."""
    person = laid(notebook, "Game.from_position(Rules(decks=2, opening='same_rank'), hands=['7c 7c 9h', 'Ac Kc Qc'], trump='h')")
    person.play("attack 7c 7c")
    assert person.book.python("str(table.game.moves[0])") == "attack 7c 7c"


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


def test_a_six_of_any_suit_shows_the_suit_before_it_is_played(notebook):
    """Picked in another suit than its own, a card carries that suit's sign already."""
    person = laid(notebook, "Game.from_position(Rules(opening='same_rank', weli='sixes'), hands=['6c 6s Ah', 'Ac Kc Qc'], trump='h')")
    person.press(person.card("6c"))
    person.press(person.table.get_by_role("dialog").get_by_role("button", name="hearts", exact=True))
    expect(person.hand.locator("[data-card='6c'] .dk-declared.dk-ink-h")).to_be_visible()
    expect(person.table.get_by_role("status")).to_contain_text("add more of the same rank")


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


def test_the_keys_stand_beside_what_they_do(notebook):
    """In the list of keys each key is left of its own words."""
    person = laid(notebook, "seed=7")
    person.card(person.legal()[0].split()[1]).focus()
    person.page.keyboard.press("?")
    rows = person.table.locator(".dk-keys dt").evaluate_all(
        """all => all.map((dt) => {
            const key = dt.getBoundingClientRect(), words = dt.nextElementSibling.getBoundingClientRect(), middle = (key.top + key.bottom) / 2;
            return [dt.innerText, dt.nextElementSibling.innerText, words.top < middle && middle < words.bottom, key.right <= words.left];
        })"""
    )
    assert ["T", "Take"] in [row[:2] for row in rows]
    assert all(beside and left for _, _, beside, left in rows)


def test_what_beats_what_is_marked_only_while_it_is_looked_at(notebook):
    """The marks of the aid go with the move."""
    person = laid(notebook, "Game.from_position(hands=['9d Jh 7h', 'Kc 8s Ac 6c'], trump='h', table='8d', attacker=1)")
    person.card("9d").hover()
    expect(person.table.locator(".dk-pair[data-aid]")).to_have_count(1)
    person.press(person.card("9d"))
    expect(person.table).to_have_attribute("data-ply", "1")
    expect(person.table.locator("[data-aid]")).to_have_count(0)


def test_keys_work_in_another_script(notebook):
    """On a Russian keyboard the same keys do the same."""
    person = laid(notebook, DEFENDING)
    person.card("7c").focus()
    person.page.evaluate(
        "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'е', code: 'KeyT', bubbles: true, cancelable: true }))"
    )
    person.book.until("[str(move) for move in table.game.moves] == ['take']")


def test_the_picture_is_there_in_print(notebook):
    """Printed at once, before the live table could have hidden it, the picture has its height."""
    book = notebook([f"{IMPORTS}\nfrom IPython.display import display\ndisplay(Table(seed=7)._picture(), raw=True)"])
    book.page.emulate_media(media="print")
    height = book.page.locator(".durak-picture").first.evaluate("one => one.getBoundingClientRect().height")
    book.page.emulate_media(media="screen")  # the page is used again
    assert height > 100


@pytest.mark.parametrize(("viewport", "how"), [((1280, 800), "mouse"), ((360, 740), "touch")])
def test_what_is_called_for_can_be_pressed_beside_an_open_panel(notebook, viewport, how):
    """A click or a tap as people make it, which reaches a button only where nothing lies over it; the next person's call closes the panel."""
    person = laid(notebook, "seed=7", "seats={0: 'you', 1: 'you'}, pace=0, motion=False", viewport=viewport, touch=how == "touch")

    def press(selector: str) -> None:
        button = person.table.locator(selector)
        button.tap() if how == "touch" else button.click()

    panel = person.table.get_by_role("dialog", name="Settings")
    press("[data-action=here]")
    expect(person.table.locator(".dk-mine")).to_have_count(6)
    press("[data-bar=settings]")
    expect(panel).to_be_visible()
    press("[data-action=hint]")
    expect(person.table.locator(".dk-bubble[data-kind=hint]")).to_be_visible()
    press(f".dk-mine[data-card={person.legal()[0].split()[1]}]")
    expect(panel).to_be_hidden()
    press("[data-action=here]")
    expect(person.table.locator(".dk-mine")).to_have_count(6)
    press("[data-bar=settings]")
    press("[data-action=take]")
    person.book.until("table.game.ply == 2")
