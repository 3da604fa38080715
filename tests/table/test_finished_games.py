"""Test finished games: they stay with their players, whoever is seated afterwards."""

from __future__ import annotations

import pytest
from test_table_opponents import fresh_home, send, win_games  # noqa: F401 - `fresh_home` is a fixture

from durak_widget import Table
from durak_widget.i18n import Seat, Translator
from durak_widget.widgets.opponent_record import OpponentRecord
from support.spoken import english_text
from support.tables import play_on


def names_in(scene: dict) -> tuple:
    """Return the players in the result card and header of a scene."""
    over = scene["result"]
    return (
        over["text"],
        over["order"],
        over["quotes"],
        over.get("standing"),
        over["score"],
        [seat.get("is_named") for seat in scene["seats"]],
        scene["call_to_action"],
    )


def test_a_finished_game_stays_with_its_players() -> None:
    """After choosing another opponent, the result and score are Tim's; Grandmother plays the next game with her own."""
    table = Table(seats={1: "nephew"}, seed=5)
    win_games(table, 1)
    before = names_in(table.scene)
    assert "Tim" in str(before)
    send(table, "seat_player", seat=1, player="grandmother")
    assert names_in(table.scene) == before
    assert (table.scene["seats"][1]["player"], table.scene["seats"][1]["next_player"], table.players) == (
        "nephew",
        "grandmother",
        ("you", "nephew"),
    )
    send(table, "next_game")
    assert table.players == ("you", "grandmother")
    assert table.scene["match_score"] == english_text("table.rival.score.two", who="Grandmother"), "she has not played yet"
    assert "next_player" not in table.scene["seats"][1]
    play_on(table)
    assert sum(row[1] + row[2] + row[3] for row in table.scene["result"]["score"]) == 2, "one game, two rows"


def test_choosing_and_dismissing_an_opponent_changes_nothing() -> None:
    """Tim is chosen again, and match and score continue."""
    table = Table(seats={1: "nephew"}, seed=5)
    win_games(table, 1)
    match = table.match
    for who in ("grandmother", "nephew"):
        send(table, "seat_player", seat=1, player=who)
    send(table, "next_game")
    assert table.match is match
    assert table.scene["match_score"] == english_text("table.rival.score.one", who="Tim")


@pytest.mark.parametrize(("language", "name"), [("en", "Uncle Yasha"), ("ru", "дядю Яшу"), ("lt", "dėdę Jašą")])
def test_a_later_visit_says_how_many_wins_are_missing(language: str, name: str) -> None:
    """A table that is opened later knows the wins so far. Against a beaten opponent it says nothing."""
    for wins, key in enumerate(("two", "one")):
        table = Table(seats={1: "uncle"}, language=language, seed=wins)
        assert table.scene["match_score"] == Translator(language, opponent_keys=((1, "uncle"),)).translate(
            f"table.rival.score.{key}", who=Seat(1)
        )
        assert name in table.scene["match_score"]
        OpponentRecord().record_game("uncle", won=True)
    assert "match_score" not in Table(seats={1: "uncle"}, language=language).scene


def test_the_wins_that_are_missing_are_those_against_who_really_plays() -> None:
    """A bot that is only shown as an opponent counts for nobody."""
    table = Table(seats={1: "uncle"}, seed=5)
    table.shown_as = {1: "aunt"}
    table._session.refresh()
    assert "match_score" not in table.scene
    table.shown_as = {}
    table._session.refresh()
    assert table.scene["match_score"] == english_text("table.rival.score.two", who="Uncle Yasha")


def test_only_games_of_two_players_count() -> None:
    """In a larger game, help is free, and nothing is recorded."""
    for seed in range(2):
        table = Table("podkidnoy, players=3", seats={1: "nephew", 2: "uncle"}, seed=seed)
        assert (table._session.is_counted, table._session.can_help) == (False, True)
        play_on(table)
        assert "standing" not in table.scene["result"]
        assert table.scene["result"]["quotes"]
    assert not OpponentRecord().has_games


def test_playing_on_from_an_earlier_position_says_that_the_game_no_longer_counts() -> None:
    """By the button, or by another move. After the end of the game nothing is said, because its result is recorded."""
    for how in ("drop_undone_moves", "move"):
        table = Table(seats={1: "nephew"}, seed=5)
        while table.game.ply < 4 or table.game.actor != 0:
            if not table.step():
                table.play(table.game.legal_moves()[0])
        ply = next(ply for ply, played in enumerate(table.game.history) if played.seat == 0)
        send(table, "goto", to_ply=ply)
        other = next(move for move in table.game.legal_moves() if move is not table._session.get_undone_move())
        send(table, how, **({"move": str(other), "drops_undone": True} if how == "move" else {}))
        notes = [table.scene.get("note")]
        assert [note["text"][0] for note in notes] == [english_text("table.counts_no_more", who="Tim")]
        assert not table._session.is_counted


def test_a_new_opponent_in_a_game_gets_no_score_of_others() -> None:
    """Losses of one opponent are never another's, named or not."""
    for first, then in [("nephew", "grandmother"), ("careful", "first")]:
        table = Table(seats={1: first}, seed=5)
        play_on(table)
        send(table, "next_game")
        send(table, "seat_player", seat=1, player=then)
        assert table.players == ("you", then)
        assert table.scene.get("match_score") == (
            english_text("table.rival.score.two", who="Grandmother") if then == "grandmother" else None
        )


def test_a_changed_continuation_is_played_by_the_new_opponent() -> None:
    """With redo possible the game is Tim's. After another move Grandmother plays."""
    table = Table(seats={1: "nephew"}, seed=5)
    win_games(table, 1)
    before = names_in(table.scene)
    send(table, "seat_player", seat=1, player="grandmother")
    send(table, "goto", to_ply=0)
    assert table.players == ("you", "nephew"), "who looks back still sees their game"
    send(table, "goto", to_ply=table.scene["last_ply"])
    send(table, "undo")
    assert table.players == ("you", "nephew")
    send(table, "goto", to_ply=table.scene["last_ply"])
    assert names_in(table.scene) == before
    while True:
        send(table, "undo")
        other = [move for move in table.game.legal_moves() if str(move) != str(table.game.copy().redo())]
        if table.game.actor == 0 and other:
            break
    table.play(other[0])
    assert table.players == ("you", "grandmother")


def test_a_finished_game_of_three_is_shown_with_its_players() -> None:
    """A named opponent gives their seat away; both ends of the undo stack are checked."""
    table = Table("podkidnoy, players=3", seats={1: "nephew", 2: "careful"}, seed=5)
    play_on(table)
    before = names_in(table.scene)
    send(table, "seat_player", seat=1, player="careful")
    send(table, "seat_player", seat=2, player="grandmother")
    send(table, "undo")
    send(table, "goto", to_ply=table.scene["last_ply"])
    assert names_in(table.scene) == before


def test_a_redefined_bot_plays_from_the_next_game_on() -> None:
    """A notebook's `choose` is changed and seated again under the same name."""
    asked = []

    def bot(mark: str) -> object:
        def choose(view: object, rng: object) -> object:
            asked.append(mark)
            return view.legal_moves()[0]  # type: ignore[attr-defined]

        return choose

    table = Table(seats={1: bot("old")}, seed=5)
    play_on(table)
    asked.clear()
    table.seat_player(1, bot("new"))
    send(table, "next_game")
    play_on(table)
    assert set(asked) == {"new"}


def test_the_announced_opponent_plays_next() -> None:
    """The result card's button stays true after another choice."""
    table = Table(seats={1: "nephew"}, seed=5)
    win_games(table, 2)
    send(table, "seat_player", seat=1, player="grandmother")
    send(table, "play_opponent", player="uncle")
    assert table.players == ("you", "uncle")


def test_with_two_players_the_result_names_who_finished_first() -> None:
    """The order is listed only with more players."""
    for players, order in [(2, False), (3, True)]:
        table = Table(f"players={players}", seats={1: "nephew"}, seed=5)
        play_on(table)
        assert bool(table.scene["result"]["order"]) is order
