"""Test the table from Python: games, callbacks, languages and matches."""

from __future__ import annotations

import ast
import gc
import re
from collections import Counter

import pytest
from traitlets import TraitError

from durak_widget import BotError, DurakError, Game, IllegalMove, Match, Rules, RulesError, Table, bots
from durak_widget.bots import bot as bot_module
from durak_widget.i18n import LANGUAGES, get_front_end_texts
from durak_widget.widgets.appearance_settings import SETTINGS
from support.mixes import played
from support.spoken import english, english_text
from support.tables import TWO, finished_game, make_move, send_message

# From Python


def test_the_docstring_of_a_table_says_the_default_of_each_setting() -> None:
    """`help(Table)` and the API reference show it; the signature has None."""
    described = dict(re.findall(r"^ +(\w+): .*Default: `(.+)`\.$", Table.__init__.__doc__ or "", re.MULTILINE))
    assert {name: ast.literal_eval(value) for name, value in described.items()} == {
        name: trait.default_value for name, trait in SETTINGS.items()
    }


def test_another_game_match_or_rule_set_can_be_loaded() -> None:
    """It is shown at once as a new game, with the same players if there are enough seats."""
    table = Table(seats={1: "first"}, seed=7)
    game = finished_game(seed=5)
    table.game = game
    assert (table.game, table.match.game, table.scene["game"], table.scene["ply"]) == (game, game, 2, game.ply)
    match = Match("transfer", seed=1)
    table.match = match
    assert (table.match, table.game, table.rules) == (match, match.game, Rules.preset("transfer"))
    assert (table.scene["game"], table.players) == (3, ("you", "first"))
    table.rules = "podkidnoy, players=3"
    assert (table.scene["game"], table.players, len(table.scene["seats"])) == (4, ("you", "careful", "careful"), 3)
    assert table.rules == Rules(players=3)


def test_a_game_changed_in_place_is_shown_on_request() -> None:
    """The table keeps the given game, not a copy."""
    game = Game(seed=7)
    table = Table(game)
    game.play("attack Jc")
    assert table.scene["ply"] == 0
    table.refresh()
    assert (table.scene["ply"], table.scene["table"]) == (1, [["Jc", None]])


def test_the_seat_at_the_bottom_can_be_set() -> None:
    """The hand shown is that of the seat named."""
    table = Table("podkidnoy, players=3", seed=7)
    for seat in (2, 1, 0):
        table.seat = seat
        assert (table.seat, table.scene["viewer"]) == (seat, seat)
        assert set(table.scene["hand"]) == {str(card) for card in table.game.hands[seat]}


def test_players_are_people_names_bots_and_functions() -> None:
    """Everything that can play is accepted, and the scene names them."""

    def last(view, rng):
        return view.legal_moves()[-1]

    table = Table("podkidnoy, players=5", seats={0: None, 1: "random", 2: last, 3: bots.get("careful", miserly=True)})
    assert table.players == ("you", "random", "last", "careful(miserly=True)", "careful")
    assert [seat["player"] for seat in table.scene["seats"]] == list(table.players)
    table.seat_player(2, "first")
    assert table.scene["seats"][2]["player"] == table.players[2] == "first"


REFUSED = [
    (lambda _: Table("transfr"), RulesError, "Did you mean 'transfer'"),
    (lambda _: Table(7), RulesError, "7 is not a text of rules"),
    (lambda _: Table(seed="\ud800"), DurakError, "whole number or a"),
    (lambda _: Table(seed=1.5), DurakError, "whole number or a"),
    (lambda _: Table(seats={1: int}), BotError, "is not a bot"),
    (lambda _: Table(seats={2: "you"}), DurakError, "there is no seat 2; the seats are 0 to 1"),
    (lambda _: Table(seats={"0": "you"}), DurakError, "there is no seat '0'"),
    (lambda _: Table(seats={True: "you"}), DurakError, "there is no seat True"),
    (lambda _: Table(seats=["you", "careful"]), DurakError, "seats must say"),
    (lambda _: Table(seats={1: "carefull"}), BotError, "Did you mean 'careful'"),
    (lambda _: Table(seats={1: 7}), BotError, "7 is not a bot"),
    (lambda _: Table(languge="ru"), DurakError, "Table has no option 'languge'. Did you mean 'language'"),
    (lambda _: Table(scene={}), DurakError, "Table has no option 'scene'"),
    (lambda _: Table(comm="x"), DurakError, "Table has no option 'comm'"),
    (lambda _: Table(keys=[]), DurakError, "Table has no option 'keys'"),
    (lambda _: Table(_esm=""), DurakError, "Table has no option '_esm'"),
    (lambda _: Table(layout=7), DurakError, "Layout"),
    (lambda _: Table(language=[]), DurakError, "'en', 'lt', 'ru'"),
    (lambda table: setattr(table, "game", "transfer"), DurakError, "'transfer' is not a Game"),
    (lambda table: setattr(table, "match", table.game), DurakError, "is not a Match"),
    (lambda table: setattr(table, "rules", "transfr"), RulesError, "Did you mean 'transfer'"),
    (lambda table: setattr(table, "seat", 2), DurakError, "there is no seat 2"),
    (lambda table: table.seat_player(2, "you"), DurakError, "there is no seat 2"),
    (lambda table: table.seat_player(1, "carefull"), BotError, "Did you mean 'careful'"),
    (lambda table: table.play("take"), IllegalMove, english("refusal.nothing_to_take")),
    (lambda table: table.on_move("print"), DurakError, "on_move"),
    (lambda table: table.on_move(print, remove=True), DurakError, "not a registered function"),
]


def test_wrong_arguments_are_refused() -> None:
    """The error says what is wrong, and the table is unchanged."""
    for wrong, error, words in REFUSED:
        table = Table(seats={1: "first"}, seed=7)
        scene, game = table.scene, table.game
        with pytest.raises(error, match=words if isinstance(words, re.Pattern) else re.escape(words)):
            wrong(table)
        assert (table.game, table.players, table.scene) == (game, ("you", "first"), scene)
        assert make_move(table, "attack Jc")["ply"] == 1


TRAITS = [
    ("language", "lt", ["English", "", None, 7]),
    ("theme", "dark", ["blue", True]),
    ("skin", "linen", ["gold"]),
    ("back", "reeds", ["bees"]),
    ("four_colors", True, ["yes", 2]),
    ("motion", False, ["no"]),
    ("sound", True, [None]),
    ("aids", False, ["off"]),
    ("memory", True, ["on"]),
    ("pace", 60_000, [-1, 60_001, 1.5, "fast"]),
    ("scene", None, [{}]),
    ("words", None, [{}]),
    ("settings", None, [[]]),
    ("bots", None, [[]]),
    ("confirm", None, [True]),
]


def test_every_trait_refuses_invalid_values() -> None:
    """Nothing changes. Traits that only Python writes can't be set."""
    for name, good, bad in TRAITS:
        table = Table(seed=7)
        if good is not None:
            setattr(table, name, good)
        before = getattr(table, name)
        for value in bad:
            with pytest.raises(TraitError):
                setattr(table, name, value)
        assert getattr(table, name) == before
        if good is not None:
            assert before == getattr(Table(seed=7, **{name: good}), name) == good


@pytest.mark.slow
def test_a_table_that_failed_to_open_leaves_nothing_behind() -> None:
    """It is garbage collected silently."""
    for wrong in ({"languge": "ru"}, {"seats": {5: "you"}}, {"game": "transfr"}, {"theme": "blue"}):
        with pytest.raises((DurakError, TraitError)):
            Table(**wrong)
    gc.collect()


def test_callbacks_get_every_move_until_removed() -> None:
    """Moves come from people, bots and Python. Redo makes no move."""
    table, heard, also = Table(seats={1: "first"}, seed=7), [], []
    table.on_move(heard.append)
    table.on_move(also.append)
    make_move(table, "attack Jc")
    table.step()
    table.on_move(also.append, remove=True)
    send_message(table, "goto", to_ply=1)
    send_message(table, "redo")
    table.play(table.game.legal_moves()[0])
    assert heard == list(table.game.history)
    assert [message.seat for message in heard[:2]] == [0, 1]
    assert also == heard[:2]


def test_a_failing_callback_is_shown_and_stops_nothing() -> None:
    """The note has its error, others are called, and the game goes on."""
    table, heard = Table(seats={1: "first"}, seed=7), []

    def fail(played):
        raise ZeroDivisionError("no luck")

    table.on_move(fail)
    table.on_move(heard.append)
    scene = make_move(table, "attack Jc")
    assert scene["note"] == {
        "kind": "error",
        "text": [english_text("table.callback_failed", why="ZeroDivisionError", where="table.failures['on_move']")] * 2,
    }
    assert str(table.failures["on_move"]) == "no luck"
    table.step()
    assert (table.game.ply, len(heard)) == (2, 2)


def test_a_callback_may_play() -> None:
    """A second player can be a callback: moves are in order, each sent once."""
    table, heard = Table(seats=TWO, seed=7), []

    def answer(played):
        heard.append(played)
        if table.game.actor == 1:
            table.play(table.game.legal_moves()[-1])

    table.on_move(answer)
    table.play("attack Jc")
    assert [message.verb for message in heard] == ["attack", "take"]
    assert table.scene["ply"] == table.game.ply == 2


def test_a_bot_that_cannot_be_created_is_reported(monkeypatch, caplog) -> None:
    """A registered class that raises does no harm when a person seats it."""
    monkeypatch.setitem(bot_module._registered_bots, "broken", type("Broken", (), {"__init__": lambda _: 1 / 0, "choose": None.__eq__}))
    table = Table(seed=7)
    scene = send_message(table, "seat_player", seat=1, player="broken")
    assert scene["note"] == {
        "kind": "error",
        "text": [
            english_text(
                "table.job_failed", what=english_text("table.job.request"), why="ZeroDivisionError", where="table.failures['seat_player']"
            )
        ]
        * 2,
    }
    assert table.players == ("you", "careful")
    assert "ZeroDivisionError" in caplog.text


def test_a_closed_table_can_still_be_displayed() -> None:
    """It shows only the picture."""
    table, displayed = Table(seed=7), []
    table.close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("IPython.display.display", lambda data, **_: displayed.append(data))
        table._ipython_display_()
    assert [sorted(data) for data in displayed] == [["text/html", "text/plain"]]


# Languages


def test_the_table_follows_the_chosen_language() -> None:
    """Call, labels and other texts change, from Python and from the page."""
    for code in sorted(LANGUAGES):
        table = Table(played(Rules(), 3, 12), seats=TWO, language=code)
        texts = [
            table.scene["call_to_action"],
            table.words["take"],
            make_move(table, "tak")["note"]["text"],
            send_message(table, "hint")["note"]["text"],
        ]
        send_message(table, "move_list")
        for other in sorted(LANGUAGES):
            before = table.scene["id"]
            table.set_state({"language": other})
            assert table.words == get_front_end_texts(other)
            assert table.scene["id"] > before or other == code == min(LANGUAGES)
            now = [
                table.scene["call_to_action"],
                table.words["take"],
                make_move(table, "tak")["note"]["text"],
                send_message(table, "hint")["note"]["text"],
            ]
            assert (now == texts) == (other == code)
        assert table.settings[0] == {"name": "language", "group": "look", "values": dict(LANGUAGES)}


# The match


def finish_game(table: Table, how: int = -1) -> dict:
    """Return the game played to its end."""
    while table.game.outcome is None:
        table.play(table.game.legal_moves()[how])
    return table.scene


def test_the_score_of_a_match_grows_game_by_game() -> None:
    """`next` counts the finished game, `new` deals it again uncounted."""
    table = Table("podkidnoy, players=3", seats={0: "you", 1: "first", 2: "first"}, seed=2)
    assert "next game" in send_message(table, "next_game")["note"]["text"][0]
    won, games = Counter(), 0
    for turn in range(5):
        finish_game(table, turn % 2 - 1)
        winners = table.game.outcome.winners
        won.update(winners)
        games += 1
        score = table.scene["result"]["score"]
        assert [row[0] for row in score] == ["You", "Player 2", "Player 3"]
        assert [row[1] for row in score] == [won[seat] for seat in range(3)]
        assert all(sum(row[1:4]) == games for row in score)
        number = table.scene["game"]
        if turn == 2:
            send_message(table, "new_game")
            won.subtract(winners)
            games -= 1
        else:
            send_message(table, "next_game")
        assert (table.scene["game"], table.scene["ply"], "result" in table.scene) == (number + 1, 0, False)


def test_a_finished_match_is_followed_by_a_new_one() -> None:
    """A side has all epaulettes, the table says so, and `next` starts without a score."""
    rules = Rules(ranks="67", hand_size=2, attack_limit=2)
    table = Table(rules, seats={0: "random", 1: "random"}, seed=1)
    while "match_result" not in finish_game(table)["result"]:
        first = table.match
        send_message(table, "next_game")
        assert table.match is first
    assert english("table.match_lost").fullmatch(table.scene["result"]["match_result"])
    send_message(table, "next_game")
    assert table.match is not first
    assert (table.rules, table.match.games, table.match.score[0].losses) == (rules, (table.game,), 0)
    assert {row[4] for row in finish_game(table)["result"]["score"]} <= {"", "6"}


def test_the_page_can_change_only_display_settings() -> None:
    """Scenes and texts, which ipywidgets would let it overwrite, stay."""
    table = Table(seed=7)
    scene, words = table.scene, table.words
    table.set_state({"scene": {"hand": []}, "words": {}, "bots": [], "_esm": "alert(1)", "skin": "linen"})
    assert (table.scene, table.words, table.skin) == (scene, words, "linen")
    assert "alert(1)" not in table._esm


def test_moves_by_callbacks_are_sent_in_order() -> None:
    """A callback's move comes after all have got the move before."""
    table = Table(seats=TWO, seed=7)
    heard: list[str] = []

    def answer(played) -> None:
        if played.verb == "attack":
            table.play(table.game.legal_moves()[0])

    table.on_move(answer)
    table.on_move(lambda played: heard.append(played.verb))
    table.play("attack Jc")
    assert heard == [played.verb for played in table.game.history]
    assert len(heard) == 2


def test_an_observer_may_play_too() -> None:
    """Callbacks get each move once, in order."""
    table = Table(seats=TWO, seed=7)
    heard: list[str] = []
    table.on_move(lambda played: heard.append(str(played)))

    def answer(change) -> None:
        if change["new"]["ply"] == 1:
            table.play(table.game.legal_moves()[0])

    table.observe(answer, "scene")
    table.play("attack Jc")
    assert heard == [str(played) for played in table.game.history]


def test_a_bot_registered_later_is_offered(monkeypatch) -> None:
    """The page lists all current bots."""
    table = Table(seed=7)
    monkeypatch.setitem(bot_module._registered_bots, "latecomer", lambda view, _: view.legal_moves()[0])
    table.refresh()
    assert "latecomer" in table.bots


def test_a_new_table_sends_everything_at_once() -> None:
    """The first message has the scene and the texts."""
    table = Table(seed=7, language="lt")
    assert table.scene["id"] == 1
    assert table.get_state()["scene"]["call_to_action"] == table.scene["call_to_action"]
    assert table.words["take"] == "Imti"
