"""Test sharing and pasting at a table: only what the seat may know is shared, and nothing is lost."""

from __future__ import annotations

from types import SimpleNamespace

from hypothesis import given

from durak_widget import Game, Rules, Table
from durak_widget.i18n import Translator
from durak_widget.table.message_handlers import build_share_message
from support.mixes import played, presets, seeds
from support.spoken import english_text
from support.tables import TWO, finished_game, make_move, record_messages, send_message

WHOLE = {"position", "game", "cell"}


def share(table: Table) -> dict:
    """Return what the page gets to be copied."""
    sent = record_messages(table)
    send_message(table, "share")
    (found,) = sent
    return found


def paste(table: Table, text: str, kind: str = "open_text") -> list[dict]:
    """Paste a text, and return what the page gets beside the scene."""
    sent = record_messages(table)
    send_message(table, kind, text=text)
    return sent


def test_during_a_game_only_the_visible_part_is_shared() -> None:
    """Text and picture are in the table's language; no text allows to restore the deal."""
    found = share(Table(seed=7, language="lt"))
    assert found.keys() == {"kind", "text", "picture"}
    assert "Koziris" in found["text"]
    assert found["picture"].startswith("<svg ")


def test_shared_text_includes_the_moves_so_far() -> None:
    """They are below the table, as the seat saw them."""
    table = Table(seed=7)
    table.play("attack Jc")
    assert share(table)["text"].splitlines()[-1] == english_text("deed.attack.you", who="You", cards="J♣︎")


def test_covered_hands_are_not_shared() -> None:
    """Between two people neither text nor picture shows a hand."""
    table = Table(seats=TWO, seed=7)
    assert "covered" in table.scene
    assert share(table)["text"] == build_share_message(table._session)["text"]
    assert not any(f"{card.rank} of" in share(table)["text"].partition("You")[2] for card in table.game.hands[0])


def test_after_the_end_the_whole_game_is_shared() -> None:
    """It is a text and a code cell. Looking back adds the position."""
    game = finished_game()
    table = Table(game)
    found = share(table)
    assert found["game"] == str(game)
    assert "position" not in found
    space: dict = {}
    exec(found["cell"].replace("Table(", "table = Table("), space)  # noqa: S102 - it is what a cell does
    assert space["table"].game.moves == game.moves
    send_message(table, "goto", to_ply=3)
    assert Game.parse(share(table)["position"]).legal_moves() == table.game.legal_moves()


def test_undoing_the_end_hides_the_deal_again() -> None:
    """A game that continues from an earlier moment keeps its secrets."""
    table = Table(finished_game(), seats=TWO)
    send_message(table, "undo")
    assert table.scene["taken_back"]
    assert not share(table).keys() & WHOLE


def test_redoing_to_the_end_shares_the_whole_game_again() -> None:
    """Every undone move is there, so nothing is hidden."""
    table = Table(finished_game())
    send_message(table, "undo")
    while "redo" in table.scene["can"]:
        send_message(table, "redo")
    assert "game" in share(table)


@given(presets, seeds)
def test_shared_games_and_positions_can_be_pasted(rules: Rules, seed: int) -> None:
    """For every preset and moment with open hands, another table is the same."""
    table = Table(played(rules, seed, seed % 40), hands="open")
    found = build_share_message(table._session)
    other = Table(seed=1)
    for text in (found["game"], *([found["position"]] if "position" in found else [])):
        assert paste(other, text) == []
        assert (other.game.hands, other.game.legal_moves()) == (table.game.hands, table.game.legal_moves())
    table.hands = "own"
    assert bool(build_share_message(table._session).keys() & WHOLE) == (table.game.outcome is not None)


def test_an_invalid_text_is_refused_and_nothing_is_lost() -> None:
    """The message is in the table's language."""
    for text, why in [
        ("", "begins with the line 'Durak 1'"),
        ("hello", "'Durak 1', not with 'hello'"),
        ("6c 7c | 9h Tx; trump h", "'Tx' is not a card"),
        ("6c 7c | 9h; trunp h", "Did you mean 'trump'?"),
        (
            "Durak 1\nPosition: 6c | 7c\n\n2. 0 attack 9c\nResult: *\n",
            english_text("refusal.not_in_hand", card="9c", who="seat 0", hand="6c").rstrip("."),
        ),
        ("a | b\x00\ud800", "line of text"),
    ]:
        table = Table(seed=7, language="ru")
        table.play("attack Jc")
        before, game = str(table.game), table.game
        for kind in ("check_text", "open_text"):
            (reply,) = paste(table, text, kind)
            assert reply["kind"] == "unreadable"
            assert reply["text"][0].startswith(Translator("ru").translate("table.unread", why="").rstrip())
            assert why in reply["text"][0]
            assert (table.game, str(table.game)) == (game, before)


def test_a_text_can_be_checked_before_pasting() -> None:
    """The page learns that it is valid, so it asks only about valid texts."""
    table = Table(seed=7)
    game, text = table.game, "6c 7c | 9h Ts; trump h"
    assert paste(table, text, "check_text") == [{"kind": "readable", "text": text}]
    assert table.game is game


def test_a_pasted_game_opens_at_its_moment() -> None:
    """Later moves are there, with the same players if there are enough seats."""
    game = Game("perevodnoy, players=3", seed=5)
    for _ in range(6):
        game.play(game.legal_moves()[0])
    game.goto(4)
    table = Table(Rules(players=3), seats={0: "first", 1: "you", 2: "first"}, seed=1)
    assert paste(table, str(game)) == []
    assert (table.game.ply, table.game.last_ply, table.players, table.scene["game"]) == (4, 6, ("first", "you", "first"), 2)
    assert table.rules == game.rules


def test_a_pasted_position_may_be_wrapped_or_commented() -> None:
    """Mail breaks lines, and files have byte order marks."""
    line = Game("podkidnoy", seed=7).position
    assert Game.parse("\ufeff# from a letter\r\n" + line.replace("; ", ";\r\n")).position == line


def test_values_that_are_no_text_or_too_long_are_refused() -> None:
    """There is an answer, and nothing changes."""
    for text in ["x" * 100_001, 7, None, ["6c | 7c"]]:
        table = Table(seed=7)
        game = table.game
        assert send_message(table, "open_text", text=text)["note"]["kind"] == "error"
        assert table.game is game


def test_pasting_is_refused_in_an_exercise() -> None:
    """Its position stays."""
    table = Table(seed=7)
    table.task = SimpleNamespace(is_decided=False, is_single_move=False, verdict=lambda _: None)  # type: ignore[assignment]
    game = table.game
    for kind in ("check_text", "open_text"):
        (reply,) = paste(table, "6c 7c | 9h Ts; trump h", kind)
        assert reply["text"][0] == english_text("table.fixed_game")
    assert table.game is game


def test_the_next_move_belongs_to_the_pasted_game() -> None:
    """Play can continue at once."""
    table = Table(seats=TWO, covers=False, seed=7)
    paste(table, "6c 7c | 9h Ts; trump h")
    make_move(table, "attack 6c")
    assert str(table.game.table) == "6c"
