"""Test named opponents at a table: names, last words, who is beaten, and who comes next."""

from __future__ import annotations

import json
import warnings
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from durak_widget import BotError, Card, Game, Rules, Table, bots
from durak_widget.engine.table_svg import Picture
from durak_widget.errors import DurakError
from durak_widget.i18n import LANGUAGES, Seat, TranslatableText, Translator
from durak_widget.table.analysis_jobs import DecisionRetry
from durak_widget.table.players import OpponentResult, Quote
from durak_widget.widgets.opponent_record import OpponentRecord, find_current_opponent
from support.tables import play_on, record_messages

if TYPE_CHECKING:
    from pathlib import Path

KEYS = [person.key for person in bots.people()]


@pytest.fixture(autouse=True)
def fresh_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a home folder in which nobody has been beaten."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))
    return tmp_path


def send(table: Table, kind: str, **more: object) -> None:
    """Send a message of a person."""
    table.handle_message({"kind": kind, "game": table.scene["game"], "ply": table.scene["ply"], **more})


def win_games(table: Table, times: int) -> None:
    """Play until the person has won that many games."""
    while times:
        play_on(table, "counting")
        times -= table.scene["result"]["won"] is True
        if times:
            send(table, "next_game")


# Names


def test_an_opponent_is_called_by_name() -> None:
    """Texts, name plate and score use it, unless two are the same."""
    table = Table(seats={1: "aunt"}, seed=3, language="lt")
    assert table.scene["seats"][1]["is_named"]
    assert "Teta Lida" in table.scene["call_to_action"][0]
    both = Table("podkidnoy, players=3", seats={1: "aunt", 2: "aunt"}, seed=3)
    assert not any("is_named" in seat for seat in both.scene["seats"])


def test_other_bots_keep_their_numbers() -> None:
    """`careful` is not a person."""
    assert "is_named" not in Table(seed=3).scene["seats"][1]


def test_a_bot_is_shown_as_an_opponent() -> None:
    """It has the name on the table and in sentences, plays as before, and games against it do not count."""
    table = Table(seats={1: "first"}, seed=7, shown_as={1: "aunt"})
    plain = Table(seats={1: "first"}, seed=7)
    assert (table.scene["seats"][1]["player"], table.scene["seats"][1]["is_named"]) == ("aunt", True)
    assert table.players == plain.players
    play_on(table, "counting")
    play_on(plain, "counting")
    assert table.game.moves == plain.game.moves
    assert "Aunt Lida" in json.dumps(table.scene)
    assert "remarks" not in table.scene["result"]
    assert OpponentRecord().has_games is False
    send(table, "seat_player", seat=1, player="uncle")
    send(table, "next_game")
    assert (table.scene["seats"][1]["player"], table.shown_as) == ("uncle", {})


@pytest.mark.parametrize(
    ("shown_as", "message"),
    [
        ({1: "first"}, "no opponent 'first'"),
        ({5: "aunt"}, "no seat 5"),
        ("aunt", "not 'aunt'"),
        ({0: "aunt"}, "seat 0 has a person.* leave seat 0 out"),
        ({1: "aunt", 2: "aunt"}, "two seats would be shown as 'aunt'.* choose another opponent for seat 1"),
        ({1: "uncle"}, "two seats would be shown as 'uncle'"),
    ],
)
def test_only_opponents_lend_their_names(shown_as, message: str) -> None:
    """Anything else is refused with a reason."""
    with pytest.raises(DurakError, match=message):
        Table("podkidnoy, players=3", seats={2: "uncle"}, seed=7, shown_as=shown_as)
    assert Table("podkidnoy, players=3", seats={2: "uncle"}, shown_as={1: "uncle", 2: "aunt"}).shown_as == {1: "uncle", 2: "aunt"}


def test_a_game_that_has_begun_keeps_its_faces() -> None:
    """Otherwise it could begin to count after the coach has helped, or be recorded after its end. The next game can have others."""
    table = Table(seats={1: "nephew"}, shown_as={1: "aunt"}, seed=5, coach=True)
    table.play(table.game.legal_moves()[0])
    with pytest.raises(DurakError, match=r"can't change in a game that has begun.* Set it before the first move"):
        table.shown_as = {}
    play_on(table, "counting")
    with pytest.raises(DurakError, match="can't change"):
        table.shown_as = {}
    assert (table.shown_as, OpponentRecord().has_games) == ({1: "aunt"}, False)
    table = Table(seats={1: "nephew"}, shown_as={1: "aunt"}, seed=5)
    table.shown_as = {}
    assert (table.opponent_keys, table._session.is_counted) == (((1, "nephew"),), True)


def test_the_picture_of_a_table_says_that_it_is_one() -> None:
    """By a sign over it and a sentence before it. Pictures of positions have no sign."""
    table = Table(seed=7)
    html = table._build_static_bundle()["text/html"]
    assert html.index(Translator().translate("table.picture")) < html.index("<img")
    view = table.game.view(0)
    assert Picture(view, with_badge=True).svg.startswith(Picture(view).svg.removesuffix("</svg>"))
    assert Picture(view, with_badge=True).svg != Picture(view).svg


def test_static_output_uses_opponents_names() -> None:
    """Test pictures, texts and shared moments."""
    table = Table(seats={1: "nephew"}, seed=5)
    heard = record_messages(table)
    send(table, "share")
    for output in (table._repr_mimebundle_()[0]["text/plain"], heard[-1]["text"], heard[-1]["picture"]):
        assert "Tim" in output
        assert "Player 2" not in output


# Beaten opponents


def test_two_wins_in_three_games_beat_an_opponent(fresh_home: Path) -> None:
    """A loss may be between. Older games do not count, and beaten opponents stay beaten."""
    rivals = OpponentRecord(fresh_home / "a.json")
    assert [rivals.record_game("nephew", won=result) for result in (True, False, False, True)] == [False] * 4
    assert rivals.count_wins_needed("nephew") == 1
    assert rivals.record_game("nephew", won=True)
    assert not any(rivals.record_game("nephew", won=False) for _ in range(4))
    assert (rivals.beaten_opponents, rivals.next_opponent, rivals.level) == (("nephew",), "uncle", 2)
    assert OpponentRecord(fresh_home / "a.json").beaten_opponents == ("nephew",)


def test_the_next_opponent_is_never_weaker(fresh_home: Path) -> None:
    """After any win somebody stronger follows, or nobody, even if some were skipped."""
    rivals = OpponentRecord(fresh_home / "c.json")
    for key, following in ((KEYS[3], KEYS[4]), (KEYS[0], KEYS[4]), (KEYS[-1], None)):
        rivals.record_game(key, won=True)
        rivals.record_game(key, won=True)
        assert rivals.next_opponent == following
    assert rivals.level == len(KEYS)


@pytest.mark.slow
def test_beating_a_weaker_opponent_later_does_not_end_the_series(fresh_home: Path) -> None:
    """Starting at the top, the message says only that they are beaten."""
    table = Table(seats={1: "nephew"}, seed=5)
    rivals = OpponentRecord()
    rivals.record_game(KEYS[-1], won=True)
    rivals.record_game(KEYS[-1], won=True)
    win_games(table, 2)
    over = table.scene["result"]
    assert (over["beaten"]["opponent"], [quote[0] for quote in over["quotes"]]) == ("nephew", ["nephew"])
    assert "next_opponent" not in over
    assert "standing" not in over
    while table.scene["result"]["won"] is not False:
        send(table, "next_game")
        play_on(table)
    assert table.scene["result"]["standing"] == Translator("en").translate("table.rival.again.alone", who="Tim")
    assert "beaten" not in table.scene["result"]


def test_a_damaged_file_loses_only_its_damaged_part(fresh_home: Path) -> None:
    """Unknown opponents and invalid records are left out, and the file is kept."""
    path = fresh_home / "b.json"
    good = {"recent_results": "ww", "won": 2, "lost": 0, "beaten": True}
    path.write_text(
        json.dumps({"version": 2, "entries": {"nephew": good, "uncle": {"recent_results": "xx"}, "nobody": good}}), encoding="utf-8"
    )
    with pytest.warns(UserWarning, match="b.json could not be read"):
        assert OpponentRecord(path).beaten_opponents == ("nephew",)


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_a_quote_without_an_end_mark_gets_a_full_stop(language: str) -> None:
    """So no question and no exclamation ends with two marks."""
    voice = Translator(language)
    said = {
        text.key: text for text in (TranslatableText("people.nephew.dearer", {"card": Card("Kc")}), TranslatableText("people.nephew.won"))
    }
    [asked, told] = [text for _, _, text in OpponentResult(tuple(Quote("nephew", text) for text in said.values())).format_quotes(voice)]
    sentence = voice.translate("people.nephew.dearer", card=Card("Kc"))
    assert sentence.endswith("?")
    assert (sentence in asked, "." in asked.partition(sentence)[2], told.count(".")) == (True, False, 1)


@pytest.mark.parametrize("language", ["lt", "ru"])
@pytest.mark.parametrize("key", ["one", "two"])
def test_it_is_the_user_who_needs_more_wins(language: str, key: str) -> None:
    """The sentence does not begin with the opponent, as if they needed the win."""
    voice = Translator(language, opponent_keys=((1, "aunt"),))
    assert not voice.translate(f"table.rival.{key}", who=Seat(1)).startswith(voice.name_player(1))


def test_the_next_opponent_is_offered_after_two_wins() -> None:
    """The end card seats them by a click. `next` is the next one to beat."""
    table = Table(seats={1: "next"}, seed=5)
    assert table.players == ("you", "nephew")
    win_games(table, 2)
    over = table.scene["result"]
    assert over["next_opponent"] == "uncle"
    said = [TranslatableText(key) for key in ("people.nephew.beaten", "people.uncle.greeting")]
    quotes = [Translator("en").translate("table.rival.says", said=text) for text in said]
    assert over["quotes"] == [["nephew", "Tim", quotes[0]], ["uncle", "Uncle Yasha", quotes[1]]]
    assert over["beaten"]["opponent"] == "nephew"
    assert "Tim" in over["beaten"]["text"][0]
    assert "Uncle Yasha" in over["standing"]
    send(table, "play_opponent", player="uncle")
    assert table.players == ("you", "uncle")
    assert table.game.ply == 0
    assert find_current_opponent() == "uncle"


def test_an_unbeaten_opponent_plays_again() -> None:
    """If another win is needed, nobody weaker is offered."""
    table = Table(seats={1: "nephew"}, seed=5)
    win_games(table, 2)
    stronger = Table(seats={1: "bookkeeper"}, seed=6)
    play_on(stronger)
    assert find_current_opponent() == "uncle"
    assert "next_opponent" not in stronger.scene["result"]
    assert "Lev" in stronger.scene["result"]["standing"]


def test_a_game_is_counted_once() -> None:
    """Showing it again or in another language changes nothing."""
    table = Table(seats={1: "nephew"}, seed=5)
    win_games(table, 1)
    table.refresh()
    send(table, "goto", to_ply=3)
    send(table, "goto", to_ply=table.game.last_ply)
    table.language = "ru"
    assert OpponentRecord()._store.entries["nephew"]["won"] == 1


@pytest.mark.parametrize("kind", ["hint", "undo"])
def test_a_win_with_help_does_not_count(kind: str) -> None:
    """Test hints and undo."""
    OpponentRecord().record_game("nephew", won=True)  # who has won nothing yet gets hints for free
    before = OpponentRecord()._store.entries
    table = Table(seats={1: "nephew"}, seed=5)
    while table.game.actor != 0 or (kind == "undo" and not any(entry.seat == 0 for entry in table.game.history)):
        if table.game.actor == 0:
            table.play(table.game.legal_moves()[0])
        else:
            table.step()
    send(table, kind)
    send(table, kind)  # the cost was explained first
    play_on(table)
    assert table.scene["result"]["standing"] == Translator("en").translate("table.rival.helped")
    assert OpponentRecord()._store.entries == before


def ask_for_hint(table: Table) -> list[dict]:
    """Ask for a hint at the person's next turn, and return the messages of the table."""
    while table.game.actor != 0:
        table.step()
    send(table, "hint")
    return [table.scene["note"]]


def test_a_beginner_gets_hints_for_free() -> None:
    """The first hint comes at once, and the win counts. After the first win, and against others, the table warns first."""
    table = Table(seats={1: "nephew"}, seed=5)
    assert ask_for_hint(table)[0]["kind"] == "hint"
    assert table._session.is_counted
    play_on(table, "counting")
    assert table.scene["result"]["won"] is True
    assert OpponentRecord()._store.entries["nephew"]["won"] == 1
    send(table, "next_game")
    assert ask_for_hint(table)[0]["kind"] == "info"
    assert table._session.is_counted


def test_only_the_first_win_may_have_free_hints() -> None:
    """With two tables open, the end of each game decides, not the moment of its hint."""
    first, second = (Table(seats={1: "nephew"}, seed=seed) for seed in (5, 6))
    for table in (first, second):
        assert ask_for_hint(table)[0]["kind"] == "hint"
    for table in (first, second):
        play_on(table, "counting")
        assert table.scene["result"]["won"] is True
    assert first.scene["result"]["standing"] != Translator("en").translate("table.rival.helped")
    assert second.scene["result"]["standing"] == Translator("en").translate("table.rival.helped")
    assert OpponentRecord()._store.entries["nephew"]["won"] == 1


def test_hints_against_a_stronger_opponent_are_never_free() -> None:
    """Also before the first win."""
    table = Table(seats={1: "uncle"}, seed=5)
    assert ask_for_hint(table)[0]["kind"] == "info"


def test_the_strongest_opponent_has_an_end_of_its_own() -> None:
    """All that were beaten are shown, and nobody follows."""
    record = OpponentRecord()
    for key in KEYS[:-1]:
        record.record_game(key, won=True)
        record.record_game(key, won=True)
    record.record_game(KEYS[-1], won=True)
    for seed in range(20):
        table = Table(seats={1: KEYS[-1]}, seed=seed)
        table._session.players._bots[1] = bots.bot.Bot(KEYS[-1], bots.get("random").implementation)  # she plays badly today
        play_on(table, "counting")
        if table.scene["result"]["won"]:
            break
    over = table.scene["result"]
    assert over["beaten"]["opponent"] == KEYS[-1]
    assert over["beaten"]["all_beaten"] == KEYS
    assert [quote[0] for quote in over["quotes"]] == [KEYS[-1]]
    assert "next_opponent" not in over
    assert over["standing"] == Translator("en").translate("table.rival.all")


def swap_players(table: Table) -> None:
    """Seat somebody else from the first moment of the game."""
    end = table.game.last_ply
    send(table, "goto", to_ply=0)
    send(table, "seat_player", seat=1, player="grandmother")
    send(table, "goto", to_ply=end)


def reload_game(table: Table) -> None:
    """Set the finished or running game again."""
    table.game = table.game


def move_for_bot(table: Table) -> None:
    """Make a move in place of the bot."""
    while table.game.actor != 1:
        table.play(table.game.legal_moves()[0])
    table.play(table.game.legal_moves()[-1])


def ask_hint(table: Table) -> None:
    """Ask for a hint from Python."""
    while table.game.actor != 0:
        table.step()
    table.hint()


@pytest.mark.parametrize("trick", [swap_players, reload_game, move_for_bot, ask_hint])
def test_a_game_counts_only_if_played_fairly_from_the_start(trick) -> None:
    """It must be against the same opponent at this table, alone."""
    table = Table(seats={1: "nephew"}, seed=5)
    while not table.game.ply:
        table.step() or table.play(table.game.legal_moves()[0])
    trick(table)
    assert not table._session.is_counted
    play_on(table, "counting")
    assert not OpponentRecord().has_games


def test_a_game_loaded_after_its_end_does_not_count() -> None:
    """The number of times and the opponent do not matter."""
    game = next(game for seed in range(9) if 0 in (game := bots.play(Game(seed=seed), ["counting", "random"], seed)).outcome.winners)
    for _ in range(2):
        Table(game, seats={1: "grandmother"})
    assert not OpponentRecord().has_games


def test_a_partner_is_not_an_opponent() -> None:
    """Losing with a partner beats nobody. Winning against two named opponents counts for both."""
    seats = {1: "random", 2: "nephew", 3: "random"}
    table = next(
        table
        for seed in range(40)
        for table in [Table(Rules(players=4, teams="2v2"), seats=seats, seed=seed)]
        if play_on(table, "random") or (0 in table.game.outcome.losers and table.game.outcome.fool == 2)
    )
    assert "beaten" not in table.scene["result"]
    assert not OpponentRecord().has_games


def test_a_deal_counts_once_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cards are known then. Another deal or day counts."""
    for _ in range(2):
        table = Table(seats={1: "nephew"}, seed=5)
        play_on(table, "counting")
    assert table.scene["result"]["standing"] == Translator("en").translate("table.rival.before")
    record = OpponentRecord()._store.entries["nephew"]
    assert record["won"] + record["lost"] == 1
    monkeypatch.setattr("durak_widget.table.players.resolve_day", lambda _: "another day")
    play_on(Table(seats={1: "nephew"}, seed=5), "counting")
    record = OpponentRecord()._store.entries["nephew"]
    assert record["won"] + record["lost"] == 2


def test_a_file_of_another_version_is_not_changed(fresh_home: Path) -> None:
    """The game ends normally."""
    path = fresh_home / "opponents.json"
    path.write_text(json.dumps({"version": 3, "entries": {"nephew": {"games": 3}}}), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = Table(seats={1: "nephew"}, seed=5)
        play_on(table, "counting")
    assert "result" in table.scene
    assert json.loads(path.read_text(encoding="utf-8"))["entries"]["nephew"] == {"games": 3}


def test_the_next_game_counts_again() -> None:
    """Help ends with its game. A repeated deal says so at its second end."""
    table = Table(seats={1: "nephew"}, seed=5)
    play_on(table, "random")
    ended = table.game.moves
    for _ in range(6):
        send(table, "undo")
    play_on(table, "counting")
    assert table.game.moves != ended
    assert table.scene["result"]["standing"] == Translator("en").translate("table.rival.helped")
    send(table, "next_game")
    play_on(table, "random")
    assert table.scene["result"]["standing"] != Translator("en").translate("table.rival.helped")
    assert sum(OpponentRecord()._store.entries["nephew"][what] for what in ("won", "lost")) == 2


def test_opponents_in_exercises_say_nothing_about_mistakes() -> None:
    """The exercise judges itself."""
    table = Table(seats={1: "nephew"}, seed=5)
    table._session.task = SimpleNamespace(is_decided=False)
    while table.game.outcome is None:
        table.game.play(table.game.legal_moves()[0])
    assert table._session._get_opponent_result() is None


def test_another_continuation_after_looking_back_counts_as_help() -> None:
    """So does another player for the last moves."""
    table = Table(seats={1: "nephew"}, seed=5)
    while table.game.ply < 12:
        if table.game.actor == 0:
            table.play(table.game.legal_moves()[0])
        else:
            table.step()
    ply = next(ply for ply in range(6) if table.game.history[ply].seat == 0)
    send(table, "goto", to_ply=ply)
    send(table, "drop_undone_moves")
    play_on(table)
    other = Table(seats={1: "grandmother"}, seed=5)
    other.step()
    other.seat_player(1, "nephew")
    play_on(other)
    assert not OpponentRecord().has_games


def test_joining_in_the_middle_gets_no_credit_for_earlier_moves() -> None:
    """Only the result is shown, the game does not count, and the next one does."""
    table = Table(seats={1: "careful"}, seed=5)
    while table.game.ply < 12:
        table.play(table.game.legal_moves()[0]) if table.game.actor == 0 else table.step()
    table.seat_player(1, "aunt")
    play_on(table, "random")
    outcome = table.game.outcome
    how = "won" if 1 in outcome.winners else "lost" if 1 in outcome.losers else "drawn"
    sentence = Translator("en").translate("sentence", said=TranslatableText(f"people.aunt.{how}")).rstrip(".")
    over = table.scene["result"]
    assert sentence in over["quotes"][0][2]
    assert over["standing"] == Translator("en").translate("table.rival.late")
    assert not OpponentRecord().has_games
    send(table, "next_game")
    play_on(table, "random")
    assert OpponentRecord().has_games


def test_a_game_ends_normally_without_a_writable_store(fresh_home: Path) -> None:
    """The opponent says their sentence."""
    (fresh_home / "opponents.json").mkdir()
    table = Table(seats={1: "nephew"}, seed=5)
    play_on(table)
    assert len(table.scene["result"]["quotes"]) == 1


def test_a_game_from_a_position_does_not_count() -> None:
    """A game with all hands open does not either."""
    table = Table(Game.from_position(hands=["Ah Kh", "6c 7c"], trump="h", discard="8c"), seats={1: "nephew"})
    play_on(table)
    opened = Table(seats={1: "nephew"}, seed=5, hands="open")
    play_on(opened)
    assert not OpponentRecord().has_games


def test_no_bot_can_be_named_next() -> None:
    """The name is reserved."""
    with pytest.raises(BotError, match="opponent whom"):
        bots.register("next")


# Second tries


def test_a_repeated_moment_does_not_count() -> None:
    """The opponent says nothing, and nothing is stored."""
    table = Table(seats={1: "nephew"}, seed=5)
    play_on(table, "random")
    before = dict(OpponentRecord()._store.entries)
    table._session.retry = DecisionRetry(table._session.match, table.game.copy(), 0, is_draw_enough=False)
    table._session._opponent_result = None
    assert table._session._get_opponent_result() is None
    assert OpponentRecord()._store.entries == before
