"""A visit to the page to play: what is laid, what is kept, what was taken along and brought again, and what is said of what cannot be."""

from __future__ import annotations

import json

import pytest

from durak_widget import Game, Table, defaults
from durak_widget.table import message_handlers
from durak_widget.web.message_channel import CHANNEL
from durak_widget.web.share_links import TableLink, format_link
from durak_widget.web.table_page import CHANNEL_NAME, TableVisit
from durak_widget.widgets.opponent_record import load_opponent_record


@pytest.fixture
def told(monkeypatch):
    """What the page is told by name."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", "")
    CHANNEL.clear()
    said = []
    CHANNEL.connect(lambda text, _: said.append(json.loads(text)))
    yield said
    CHANNEL.clear()
    message_handlers.LINK_MAKERS.clear()
    defaults(None)


class Browser:
    """A browser, which keeps what it is told to keep."""

    def __init__(self, told, folder):
        self.told, self.folder, self.files, self.times = told, folder, {}, 0

    def visit(self, link="", **more):
        """Open the page, in a Python that knows nothing yet."""
        self.times += 1
        visit = TableVisit(self.folder / str(self.times))
        self.say(kind="begin", files=dict(self.files), link=link, place="https://x/play/", **{"language": "en", "seed": 7, **more})
        return visit

    def say(self, **message):
        """Say something to the visit; keep what it says is to be kept, and give what else it says."""
        self.told.clear()
        CHANNEL.receive(json.dumps({"id": CHANNEL_NAME, **message}))
        return self.heard()

    def heard(self):
        """What has been said in the meantime."""
        for one in self.told:
            if one["kind"] == "keep":
                self.files.update(one["files"])
                self.files = {name: text for name, text in self.files.items() if text is not None}
        said = [one["said"] for one in self.told if one["kind"] == "said"]
        self.told.clear()
        return said


@pytest.fixture
def browser(told, tmp_path):
    """A browser in which nothing is kept yet."""
    return Browser(told, tmp_path)


def test_whoever_comes_first_meets_the_first_opponent(browser):
    """With the deal that the page has painted, in the language of the browser."""
    table = browser.visit(language="lt", seed=11).table
    assert (table.players, table.language, table.game.ply) == (("you", "nephew"), "lt", 0)
    assert table.game.hands == Table(seed=11).game.hands


def test_a_table_is_left_and_found_again(browser):
    """The same cards, the same players, the same look, at the same moment; also when it is left a second time."""
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


def test_who_was_beaten_is_remembered(browser):
    """In the next visit the next opponent sits there, and the games that were played are kept."""
    table = browser.visit().table
    known = load_opponent_record()
    known.record_game("nephew", won=True)
    known.record_game("nephew", won=True)
    table.play(table.game.legal_moves()[0])
    browser.heard()
    assert "opponents.json" in browser.files
    del browser.files["table.json"]
    assert browser.visit().table.players == ("you", "uncle")


def test_games_are_kept_when_they_are_over(browser):
    """Each as a small file of the browser's."""
    table = browser.visit().table
    table.seat_player(0, "careful")
    while table.step():
        pass
    browser.heard()
    [name] = [name for name in browser.files if name.startswith("games/")]
    assert Game.parse(browser.files[name]).outcome == table.game.outcome
    assert "note" not in table.scene, "where they are kept is no folder of the visitor's"


def test_a_link_lays_its_own_table(browser):
    """Rules, a game with its players; another link on the same page lays another; the look stays."""
    visit = browser.visit("#rules=perevodnoy&seed=5&seats=you,aunt")
    first = visit.table
    assert (str(first.rules), first.players) == ("perevodnoy", ("you", "aunt"))
    first.theme = "dark"
    game = Game("transfer, players=3", seed=4)
    assert browser.say(kind="link", link=format_link(game)) == []
    assert (str(visit.table.game), visit.table.theme, first.comm) == (str(game), "dark", None)
    assert browser.say(kind="link", link="#language=lt") == []
    assert (str(visit.table.game), visit.table.language) == (str(game), "lt")


def test_a_link_leaves_ones_own_table_as_it_is(browser):
    """Its table is another: opened again, it goes on where it was left; without a link one's own is there, as it was."""
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


def test_a_link_that_says_nothing_leaves_all_as_it_is(browser):
    """At the beginning a game lies there all the same; later the one that lay there. A sentence says why."""
    visit = browser.visit()
    visit.table.play(visit.table.game.legal_moves()[0])
    browser.heard()
    before = str(visit.table.game)
    [said] = browser.say(kind="link", link="#rules=perevodno")
    assert said == "The link cannot be opened. The rules that it names are not known here. Perhaps “perevodnoy” is meant."
    assert str(visit.table.game) == before
    again = TableVisit(browser.folder / "again")
    [said] = browser.say(kind="begin", files=dict(browser.files), link="#<script>", language="lt")
    assert said.startswith("Nuorodos atverti negalima. ")
    assert str(again.table.game) == before


def test_a_game_that_counts_goes_on_counting_after_the_page_was_closed(browser):
    """Against whom it was begun: won, it is remembered; with help in it, it counts for nobody, before and after."""
    table = browser.visit().table
    table.play(table.game.legal_moves()[0])
    table.step()
    browser.heard()
    assert table._session.is_counted
    again = browser.visit().table
    assert again._session.is_counted
    assert (again.game.seed, str(again.game)) == (table.game.seed, str(table.game))
    again.hint()
    again.theme = "dark"  # something changes, and all is kept
    browser.heard()
    assert not browser.visit().table._session.is_counted


def test_a_game_counts_to_its_end_and_then_once(browser):
    """One that was left in the middle is won later; found again when it is over, it is not won again."""
    table = browser.visit().table
    table.play(table.game.legal_moves()[0])
    browser.heard()
    table = browser.visit().table
    while table.game.outcome is None:
        if not table.step():
            table.play(table.game.legal_moves()[0])
    browser.heard()
    [before] = json.loads(browser.files["opponents.json"])["entries"].values()
    assert before["won"] + before["lost"] == 1
    browser.visit()
    browser.heard()
    [after] = json.loads(browser.files["opponents.json"])["entries"].values()
    assert after == before


@pytest.mark.parametrize("more", [{"seed": 8}, {"seed": None}, {"seed": [1]}, {"seed": "x" * 9000}, {"seed": 10**400}, {"helped": "no"}])
def test_a_table_that_says_of_itself_what_is_not_so_counts_for_nobody(browser, more):
    """Another deal than that of its cards, or no word on help: it lies there as it is."""
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
def test_a_table_that_cannot_be_read_is_dealt_anew(browser, text):
    """Whatever stands in the file."""
    browser.files["table.json"] = text
    assert browser.visit().table.players == ("you", "nephew")


def test_what_is_kept_of_the_look_is_what_there_is(browser):
    """A value of another version is passed over; what is no look at all, too."""
    browser.visit()
    browser.heard()
    browser.files["look.json"] = json.dumps({"skin": "velvet", "theme": "dark", "nothing": 1, "language": "xx"})
    table = browser.visit().table
    assert (table.skin, table.theme, table.language) == ("felt", "dark", "en")
    for text in ("", "[]", "7", "[" * 90_000):
        browser.files["look.json"] = text
        assert browser.visit().table.theme == "auto"


def test_a_table_that_takes_long_to_read_is_dealt_anew(browser):
    """None is so long that was played here."""
    browser.visit()
    browser.heard()
    left = json.loads(browser.files["table.json"])
    browser.files["table.json"] = json.dumps({**left, "game": left["game"] + "\n" * 200_000})
    assert browser.visit(seed=8).table.game.hands == Table(seed=8).game.hands


def test_all_of_it_is_taken_along_and_brought_elsewhere(browser, told, tmp_path):
    """The table as it stands, the games, who was beaten."""
    table = browser.visit().table
    table.play(table.game.legal_moves()[0])
    table.step()
    browser.heard()
    file = json.dumps({"durak": 1, "files": browser.files})
    other = Browser(told, tmp_path / "other")
    visit = other.visit(seed=3)
    assert other.say(kind="bring", text=file) == ["What the file holds is here now."]
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
def test_a_file_that_is_none_of_ours_changes_nothing(browser, text):
    """A sentence says so."""
    visit = browser.visit()
    browser.heard()
    before, files = str(visit.table.game), dict(browser.files)
    [said] = browser.say(kind="bring", text=text)
    assert said.startswith("The file cannot be brought along. ")
    assert (str(visit.table.game), browser.files) == (before, files)
    assert sorted(path.name for path in browser.folder.rglob("*") if path.is_file()) == ["table.json"]


@pytest.mark.filterwarnings("ignore:not all of opponents.json")
@pytest.mark.parametrize("name", ["table.json", "linked.json", "opponents.json"])
@pytest.mark.parametrize("text", ['{"game": ' + "[" * 20_000])
def test_what_is_nested_deep_never_reaches_the_parser(browser, monkeypatch, name, text):
    """Python in a browser falls for good over JSON some thousand levels deep, at every visit anew: it is refused before."""
    real = json.loads

    def loads(said, **how):
        assert not isinstance(said, str) or len(said.rsplit('"', 1)[-1]) < 5000, "it would fall"
        assert not isinstance(said, str) or said.count('{"a":{"a":{"a":') < 5, "it would fall"
        return real(said, **how)

    visit = browser.visit()
    browser.heard()
    monkeypatch.setattr(json, "loads", loads)
    browser.say(kind="bring", text=text)
    browser.say(kind="bring", text=json.dumps({"durak": 1, "files": {name: text}}))
    browser.files[name] = text
    assert browser.visit().table.players == visit.table.players
    assert browser.visit("#rules=podkidnoy&seed=7").table is not None


def test_what_the_same_page_keeps_elsewhere_counts_here(browser):
    """Who was beaten in another window is beaten here; the table there is another."""
    visit = browser.visit()
    browser.heard()
    entry = {"last": "ww", "won": 2, "lost": 0, "beaten": True}
    files = {"opponents.json": json.dumps({"version": 1, "exercises": {"nephew": entry}}), "table.json": "{}"}
    assert browser.say(kind="elsewhere", files=files) == []
    assert visit.table.game.ply == 0
    assert "opponents.json" not in browser.files  # which keeps it already
    del browser.files["table.json"]
    browser.files |= files
    browser.files.pop("table.json")
    assert browser.visit().table.players == ("you", "uncle")


def test_what_is_shared_has_a_link(browser):
    """To the rules while cards are hidden; to the whole game when it is over."""
    table = browser.visit("#rules=transfer&seed=1&seats=you,careful").table
    found = message_handlers.build_share_message(table._session)
    assert found["link"] == "https://x/play/#rules=transfer"
    table.seat_player(0, "careful")
    while table.step():
        pass
    link = message_handlers.build_share_message(table._session)["link"]
    assert str(TableLink.from_text(link.partition("#")[2]).game) == str(table.game)
