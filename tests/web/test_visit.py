"""Test visits to the play page: tables, stored data, export and import, and refusals."""

from __future__ import annotations

import json

import pytest

from durak_widget import Game, Table, defaults
from durak_widget.table import message_handlers
from durak_widget.web.message_channel import CHANNEL
from durak_widget.web.share_links import TableLink, format_link
from durak_widget.web.table_page import CHANNEL_NAME, TableVisit
from durak_widget.widgets.opponent_record import load_opponent_record
from support.spoken import english, english_text


@pytest.fixture
def page_calls(monkeypatch):
    """Return what the page is called with, by name."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", "")
    CHANNEL.clear()
    messages = []
    CHANNEL.connect(lambda text, _: messages.append(json.loads(text)))
    yield messages
    CHANNEL.clear()
    message_handlers.LINK_MAKERS.clear()
    defaults(None)


class Browser:
    """A browser that stores what it is asked to store."""

    def __init__(self, page_calls, folder):
        self.page_calls, self.folder, self.files, self.times = page_calls, folder, {}, 0

    def visit(self, link="", **more):
        """Open the page in a new Python."""
        self.times += 1
        visit = TableVisit(self.folder / str(self.times))
        self.say(kind="begin", files=dict(self.files), link=link, page_address="https://x/play/", **{"language": "en", "seed": 7, **more})
        return visit

    def say(self, **message):
        """Send a message; store what the visit wants stored, and return the rest."""
        self.page_calls.clear()
        CHANNEL.receive(json.dumps({"id": CHANNEL_NAME, **message}))
        return self.heard()

    def heard(self):
        """Return the messages that came meanwhile."""
        for message in self.page_calls:
            if message["kind"] == "save_files":
                self.files.update(message["files"])
                self.files = {name: text for name, text in self.files.items() if text is not None}
        sentences = [message["text"] for message in self.page_calls if message["kind"] == "notice"]
        self.page_calls.clear()
        return sentences


@pytest.fixture
def browser(page_calls, tmp_path):
    """Return a browser with an empty store."""
    return Browser(page_calls, tmp_path)


def play_to_end(table):
    """Finish the game; the person makes the first legal move each time."""
    while table.game.outcome is None:
        if not table.step():
            table.play(table.game.legal_moves()[0])


def test_a_new_visitor_meets_the_first_opponent(browser):
    """The deal is that of the page's picture, in the browser's language."""
    table = browser.visit(language="lt", seed=11).table
    assert (table.players, table.language, table.game.ply) == (("you", "nephew"), "lt", 0)
    assert table.game.hands == Table(seed=11).game.hands


def test_a_table_is_restored_at_the_next_visit(browser):
    """Cards, players, look and moment are the same, repeatedly."""
    table = browser.visit().table
    table.play(table.game.legal_moves()[0])
    table.step()
    table.skin = "slate"
    table.language = "ru"
    browser.heard()
    before = str(table.game)
    for _ in range(2):
        table = browser.visit(seed=99).table
        browser.heard()
        assert (str(table.game), table.players, table.skin, table.language) == (before, ("you", "nephew"), "slate", "ru")


def test_beaten_opponents_are_remembered(browser):
    """At the next visit the next opponent plays, and finished games are there."""
    table = browser.visit().table
    known = load_opponent_record()
    known.record_game("nephew", won=True)
    known.record_game("nephew", won=True)
    table.play(table.game.legal_moves()[0])
    browser.heard()
    assert "opponents.json" in browser.files
    del browser.files["table.json"]
    assert browser.visit().table.players == ("you", "uncle")


def test_finished_games_are_stored(browser):
    """Each is a small file in the browser."""
    table = browser.visit().table
    table.seat_player(0, "careful")
    while table.step():
        pass
    browser.heard()
    [name] = [name for name in browser.files if name.startswith("games/")]
    assert Game.parse(browser.files[name]).outcome == table.game.outcome
    assert "note" not in table.scene, "where they are kept is no folder of the visitor's"


def test_a_finished_game_is_read_only_at_the_next_visit(browser):
    """It is not saved again, and the opponent says the same. Played differently from an earlier moment, it is saved."""
    table = browser.visit().table
    play_to_end(table)
    browser.heard()
    kept = {name: text for name, text in browser.files.items() if name != "table.json"}
    quotes = table.scene["result"]["quotes"]
    for _ in range(2):
        again = browser.visit().table
        again.theme = "dark"  # something changes, so everything is stored
        again.theme = "auto"
        browser.heard()
        assert again.scene["result"]["quotes"] == quotes
        assert {name: text for name, text in browser.files.items() if name in kept} == kept
        assert sum(name.startswith("games") for name in browser.files) == 1
    while len(again.game.legal_moves()) < 2:
        again.handle_message({"kind": "undo", "ply": again.game.ply, "game": again.scene["game"]})
    while again.game.outcome is None:
        if not again.step():
            again.play(again.game.legal_moves()[-1])
    browser.heard()
    assert again.game.moves != table.game.moves
    assert sum(name.startswith("games") for name in browser.files) == 2


def test_a_link_opens_its_own_table(browser):
    """Test rules and games with players. Another link opens another; the look stays."""
    visit = browser.visit("#rules=perevodnoy&seed=5&seats=you,aunt")
    first = visit.table
    assert (str(first.rules), first.players) == ("perevodnoy", ("you", "aunt"))
    first.theme = "dark"
    game = Game("transfer, players=3", seed=4)
    assert browser.say(kind="link", link=format_link(game)) == []
    assert (str(visit.table.game), visit.table.theme, first.comm) == (str(game), "dark", None)
    assert visit.table.players == ("you", "nephew", "uncle")
    assert browser.say(kind="link", link="#language=lt") == []
    assert (str(visit.table.game), visit.table.language) == (str(game), "lt")


def test_a_link_does_not_change_your_own_table(browser):
    """Opening the link again continues its table. Without it yours is there."""
    own = browser.visit().table
    own.play(own.game.legal_moves()[0])
    browser.heard()
    link = "#rules=perevodnoy&seed=7&seats=you,aunt"
    table = browser.visit(link).table
    assert table.game.ply == 0
    table.play(table.game.legal_moves()[0])
    browser.heard()
    table = browser.visit(link).table
    assert table.game.ply == 1
    browser.heard()
    table.seat_player(0, "careful")
    while table.step():
        pass
    browser.heard()
    assert browser.visit(link).table.game.ply == 0
    browser.heard()
    assert str(browser.visit().table.game) == str(own.game)
    browser.heard()
    assert browser.visit("#rules=transfer&seed=1").table.game.ply == 0


DAILY_LINK = "#rules=podkidnoy&seed=2026-12-02&seats=you,next"


def play_daily_deal(browser):
    """Play the deal of a day to its end, press *Next game*, and return the visit and whether the page leaves the link."""
    visit = browser.visit(DAILY_LINK)
    assert visit.table.game.hands == Game(seed="2026-12-02").hands
    play_to_end(visit.table)
    browser.heard()
    visit.table._session.next_game()
    own_game = [message["is_open"] for message in browser.page_calls if message["kind"] == "own_game"]
    browser.heard()
    return visit, own_game


def test_the_game_after_the_deal_of_the_day_is_your_own(browser):
    """It is there without the link, and each later game, too."""
    visit, own_game = play_daily_deal(browser)
    assert own_game == [True]
    assert str(browser.visit().table.game) == str(visit.table.game)
    table = browser.visit().table
    if not table.step():
        table.play(table.game.legal_moves()[0])
    browser.heard()
    assert str(browser.visit().table.game) == str(table.game)


def test_your_game_that_has_begun_is_open_again_after_the_deal_of_the_day(browser):
    """The page goes back to it, so it is not lost."""
    own = browser.visit().table
    own.play(own.game.legal_moves()[0])
    browser.heard()
    _, own_game = play_daily_deal(browser)
    assert own_game == [False]
    assert str(browser.visit().table.game) == str(own.game)


def begin_new_game(table):
    """Press `n` in the middle of a game."""
    table.handle_message({"kind": "new_game", "game": table.scene["game"], "ply": table.game.ply})


@pytest.mark.parametrize("has_begun_own_game", [True, False])
def test_the_link_of_the_day_has_the_same_cards_after_a_new_game(browser, has_begun_own_game):
    """The game that follows is not saved under the link, also if the table changes before the page has left it."""
    own = browser.visit().table
    if has_begun_own_game:
        own.play(own.game.legal_moves()[0])
    browser.heard()
    visit = browser.visit(DAILY_LINK)
    daily = visit.table.game.copy()
    begin_new_game(visit.table)
    assert visit.table.game.hands != daily.hands
    if not visit.table.step():
        visit.table.play(visit.table.game.legal_moves()[0])
    browser.heard()
    again = browser.visit(DAILY_LINK).table
    assert (again.game.ply, again.game.hands) == (0, daily.hands)
    browser.heard()
    assert str(browser.visit().table.game) == str(own.game if has_begun_own_game else visit.table.game)


def test_another_link_is_saved_after_leaving_the_deal_of_the_day(browser):
    """The page may open it before it goes back to your own game."""
    own = browser.visit().table
    own.play(own.game.legal_moves()[0])
    browser.heard()
    visit = browser.visit(DAILY_LINK)
    begin_new_game(visit.table)
    browser.heard()
    link = "#rules=perevodnoy&seed=7&seats=you,aunt"
    browser.say(kind="link", link=link)
    visit.table.play(visit.table.game.legal_moves()[0])
    browser.heard()
    assert browser.visit(link).table.game.ply == 1


@pytest.mark.parametrize(
    "link",
    [
        "#rules=transfer&seed=7&seats=you,next",
        "#rules=podkidnoy&seed=7&seats=you,next",
        "#rules=transfer&seed=2026-12-02&seats=you,next",
        "#rules=podkidnoy&seed=2026-12-02&seats=you,uncle",
    ],
)
def test_a_teachers_link_stays_after_its_game(browser, link):
    """Only the link of the day is left after one game, so a class plays on at the same link."""
    visit = browser.visit(link)
    begin_new_game(visit.table)
    assert "own_game" not in {message["kind"] for message in browser.page_calls}
    browser.heard()
    assert str(browser.visit(link).table.game) == str(visit.table.game)


def test_the_deal_of_the_day_is_not_your_own_game(browser):
    """It is open again with its link alone, also after a move."""
    own = browser.visit().table
    browser.heard()
    link = DAILY_LINK
    table = browser.visit(link).table
    while table.players[table.game.actor] != "you":
        table.step()
    table.play(table.game.legal_moves()[0])
    browser.heard()
    assert str(browser.visit(link).table.game) == str(table.game)
    assert "own_game" not in {message["kind"] for message in browser.page_calls}
    assert str(browser.visit().table.game) == str(own.game)


def test_an_invalid_link_changes_nothing(browser):
    """At first a new game is there, later yours, with a message."""
    visit = browser.visit()
    visit.table.play(visit.table.game.legal_moves()[0])
    browser.heard()
    before = str(visit.table.game)
    [reply] = browser.say(kind="link", link="#rules=perevodno")
    assert reply == " ".join(
        [english_text("page.unread", why=english_text("page.unread.rules")), english_text("page.unread.near", name="perevodnoy")]
    )
    assert str(visit.table.game) == before
    again = TableVisit(browser.folder / "again")
    [reply] = browser.say(kind="begin", files=dict(browser.files), link="#<script>", language="lt")
    assert reply.startswith("Nuorodos atverti negalima. ")
    assert str(again.table.game) == before


def test_a_counting_game_still_counts_after_closing_the_page(browser):
    """A win is remembered. With a hint, before or after, it counts for nobody."""
    table = browser.visit().table
    table.play(table.game.legal_moves()[0])
    table.step()
    browser.heard()
    assert table._session.is_counted
    again = browser.visit().table
    assert again._session.is_counted
    assert (again.game.seed, str(again.game)) == (table.game.seed, str(table.game))
    again.hint()
    again.theme = "dark"  # something changes, so everything is stored
    browser.heard()
    assert not browser.visit().table._session.is_counted


@pytest.mark.parametrize(("seed", "header"), [(6, "Dealer: 1"), (4, "First: 1")])
def test_a_later_game_of_a_match_still_counts_after_closing_the_page(browser, seed, header):
    """The game before decides who deals and who attacks first. A visit without a move changes nothing."""
    table = browser.visit(seed=seed).table
    play_to_end(table)
    table._session.next_game()
    browser.heard()
    assert header in str(table.game)
    browser.visit()
    browser.heard()
    again = browser.visit().table
    assert (str(again.game), again._session.is_counted) == (str(table.game), True)
    play_to_end(again)
    browser.heard()
    [entry] = json.loads(browser.files["opponents.json"])["entries"].values()
    counted = 1 + bool(again.game.outcome.losers)  # a drawn game counts for nobody
    assert (entry["won"] + entry["lost"], "standing" in again.scene["result"]) == (counted, True)


def test_a_game_still_counts_after_looking_back_and_closing_the_page(browser):
    """The moves that are ahead are kept, too. After an undo, help is remembered."""
    table = browser.visit(seed=11).table
    while table.game.ply < 4:
        if not table.step():
            table.play(table.game.legal_moves()[0])
    for undone, counts in ((False, True), (True, False)):
        table._session.goto(1, is_taken_back=undone)
        browser.heard()
        again = browser.visit().table
        assert (again.game.ply, again.game.last_ply, again._session.is_counted) == (1, 4, counts)
        assert again.scene["match_score"] == english_text("table.rival.score.two", who="Tim")


def test_a_free_hint_is_remembered_after_closing_the_page(browser):
    """It decides at the end whether the game counts."""
    table = browser.visit().table
    table.handle_message({"kind": "hint", "ply": 0, "game": 1})
    browser.heard()
    again = browser.visit().table
    assert (again._session.used_free_hint, again._session.is_counted) == (True, True)


def test_a_game_counts_once(browser):
    """A game left in the middle can be won later. A finished one is not won again."""
    while "opponents.json" not in browser.files:  # a drawn game counts for nobody, and the bot chooses its cards by chance
        browser.files.clear()
        table = browser.visit().table
        table.play(table.game.legal_moves()[0])
        browser.heard()
        table = browser.visit().table
        play_to_end(table)
        browser.heard()
        assert "opponents.json" in browser.files or not table.game.outcome.losers
    [before] = json.loads(browser.files["opponents.json"])["entries"].values()
    assert before["won"] + before["lost"] == 1
    again = browser.visit().table
    assert again.scene["match_score"] == table.scene["match_score"]
    browser.heard()
    [after] = json.loads(browser.files["opponents.json"])["entries"].values()
    assert after == before


@pytest.mark.parametrize("more", [{"seed": 8}, {"seed": None}, {"seed": [1]}, {"seed": "x" * 9000}, {"seed": 10**400}, {"helped": "no"}])
def test_a_forged_table_counts_for_nobody(browser, more):
    """Another deal than its cards, or no record of hints: it opens but does not count."""
    table = browser.visit().table
    table.play(table.game.legal_moves()[0])
    browser.heard()
    assert table._session.is_counted
    left = json.loads(browser.files["table.json"])
    browser.files["table.json"] = json.dumps({**left, **more})
    again = browser.visit().table
    assert not again._session.is_counted
    assert str(again.game) == str(table.game)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"form": 1}',
        '{"game": "Durak 1", "seats": [], "look": {}}',
        "\x00" * 9,
        "[" * 90_000,
        '{"game": 7, "seats": 7, "look": 7}',
    ],
)
def test_an_unreadable_table_is_replaced_by_a_new_game(browser, text):
    """Test any file contents."""
    browser.files["table.json"] = text
    assert browser.visit().table.players == ("you", "nephew")


def test_unknown_stored_settings_are_ignored(browser):
    """Test values of another version and other types."""
    browser.visit()
    browser.heard()
    browser.files["look.json"] = json.dumps({"skin": "velvet", "theme": "dark", "nothing": 1, "language": "xx"})
    table = browser.visit().table
    assert (table.skin, table.theme, table.language) == ("felt", "dark", "en")
    for text in ("", "[]", "7", "[" * 90_000):
        browser.files["look.json"] = text
        assert browser.visit().table.theme == "auto"


def test_a_table_that_is_slow_to_read_is_replaced_by_a_new_game(browser):
    """No real game is that long."""
    browser.visit()
    browser.heard()
    left = json.loads(browser.files["table.json"])
    browser.files["table.json"] = json.dumps({**left, "game": left["game"] + "\n" * 200_000})
    assert browser.visit(seed=8).table.game.hands == Table(seed=8).game.hands


def test_everything_can_be_exported_and_imported(browser, page_calls, tmp_path):
    """The table, games and beaten opponents are there."""
    table = browser.visit().table
    table.play(table.game.legal_moves()[0])
    table.step()
    browser.heard()
    file = json.dumps({"durak": 1, "files": browser.files})
    other = Browser(page_calls, tmp_path / "other")
    visit = other.visit(seed=3)
    assert other.say(kind="import_files", text=file) == [english_text("page.brought")]
    assert str(visit.table.game) == str(table.game)
    assert other.files.keys() == browser.files.keys()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "null",
        '{"durak": 2, "files": {}}',
        '{"durak": 1, "files": []}',
        '{"durak": 1, "files": {"../x.json": ""}}',
        '{"durak": 1, "files": {"/etc/passwd": ""}}',
        '{"durak": 1, "files": {"games/../../x.json": ""}}',
        '{"durak": 1, "files": {"x.py": ""}}',
        '{"durak": 1, "files": {"x.json": 7}}',
        r'{"durak": 1, "files": {"opponents.json": "{}", "x.json": "\ud800"}}',
        json.dumps({"durak": 1, "files": {f"games/{n}.durak": "" for n in range(5001)}}),
        '{"durak": 1, "files": {"games/a.durak": null}}',
        json.dumps({"durak": 1, "files": {"a.json": "x" * 3_000_000}}),
        "[" * 100_000,
    ],
)
def test_a_foreign_file_changes_nothing(browser, text):
    """A message says so."""
    visit = browser.visit()
    browser.heard()
    before, files = str(visit.table.game), dict(browser.files)
    [reply] = browser.say(kind="import_files", text=text)
    assert english("page.unbrought").match(reply)
    assert (str(visit.table.game), browser.files) == (before, files)
    assert sorted(path.name for path in browser.folder.rglob("*") if path.is_file()) == ["table.json"]


@pytest.mark.filterwarnings("ignore:some of opponents.json")
@pytest.mark.parametrize("name", ["table.json", "linked.json", "opponents.json"])
@pytest.mark.parametrize("text", ['{"game": ' + "[" * 20_000])
def test_deeply_nested_files_are_refused_before_parsing(browser, monkeypatch, name, text):
    """Python in a browser would crash on them at every visit."""
    real = json.loads

    def loads(document, **how):
        assert not isinstance(document, str) or len(document.rsplit('"', 1)[-1]) < 5000, "it would fall"
        assert not isinstance(document, str) or document.count('{"a":{"a":{"a":') < 5, "it would fall"
        return real(document, **how)

    visit = browser.visit()
    browser.heard()
    monkeypatch.setattr(json, "loads", loads)
    browser.say(kind="import_files", text=text)
    browser.say(kind="import_files", text=json.dumps({"durak": 1, "files": {name: text}}))
    browser.files[name] = text
    assert browser.visit().table.players == visit.table.players
    assert browser.visit("#rules=podkidnoy&seed=7").table is not None


def test_changes_in_another_window_count_here(browser):
    """Beaten opponents are shared, tables are not."""
    visit = browser.visit()
    browser.heard()
    entry = {"last": "ww", "won": 2, "lost": 0, "beaten": True}
    files = {"opponents.json": json.dumps({"version": 1, "exercises": {"nephew": entry}}), "table.json": "{}"}
    assert browser.say(kind="files_changed", files=files) == []
    assert visit.table.game.ply == 0
    assert "opponents.json" not in browser.files  # it is stored already
    del browser.files["table.json"]
    browser.files |= files
    browser.files.pop("table.json")
    assert browser.visit().table.players == ("you", "uncle")


def test_a_shared_table_has_a_link(browser):
    """It leads to the rules while cards are hidden, and to the whole game after its end."""
    table = browser.visit("#rules=transfer&seed=1&seats=you,careful").table
    found = message_handlers.build_share_message(table._session)
    assert found["link"] == "https://x/play/#rules=transfer"
    table.seat_player(0, "careful")
    while table.step():
        pass
    link = message_handlers.build_share_message(table._session)["link"]
    assert str(TableLink.from_text(link.partition("#")[2]).game) == str(table.game)
