"""What is taken away from a table, and what is brought to it: no more than the seat may know, and nothing is lost."""

from __future__ import annotations

from types import SimpleNamespace

from hypothesis import given

from durak_widget import Game, Rules, Table
from durak_widget.table.message_handlers import build_share_message
from support.mixes import played, presets, seeds
from support.tables import TWO, ended, listening, move, say

WHOLE = {"position", "game", "cell"}


def share(table: Table) -> dict:
    """What the page is given to be copied."""
    sent = listening(table)
    say(table, "share")
    (found,) = sent
    return found


def paste(table: Table, text: str, kind: str = "paste") -> list[dict]:
    """A text is pasted; what the page is told beside the scene."""
    sent = listening(table)
    say(table, kind, text=text)
    return sent


def test_while_a_game_is_on_only_what_is_seen_is_given() -> None:
    """Words and a picture, in the language of the table; no text from which the deal could be read."""
    found = share(Table(seed=7, language="lt"))
    assert found.keys() == {"kind", "words", "picture"}
    assert "Koziris" in found["words"]
    assert found["picture"].startswith("<svg ")


def test_the_moves_so_far_are_given_in_words() -> None:
    """Below the table as it is seen stands what was done, as it was seen."""
    table = Table(seed=7)
    table.play("attack Jc")
    assert share(table)["words"].splitlines()[-1] == "You attack with J♣︎."


def test_of_a_covered_hand_nothing_is_given() -> None:
    """Between two people neither the words nor the picture show a hand."""
    table = Table(seats=TWO, seed=7)
    assert "covered" in table.scene
    assert share(table)["words"] == build_share_message(table._session)["words"]
    assert not any(f"{card.rank} of" in share(table)["words"].partition("You")[2] for card in table.game.hands[0])


def test_when_it_is_over_the_whole_game_is_given() -> None:
    """As text and as the cell that makes it; looked back at, its position too."""
    game = ended()
    table = Table(game)
    found = share(table)
    assert found["game"] == str(game)
    assert "position" not in found
    space: dict = {}
    exec(found["cell"].replace("Table(", "table = Table("), space)  # noqa: S102 - it is what a cell does
    assert space["table"].game.moves == game.moves
    say(table, "goto", to=3)
    assert Game.parse(share(table)["position"]).legal_moves() == table.game.legal_moves()


def test_who_takes_back_the_end_plays_on_without_the_deal() -> None:
    """A game that goes on from an earlier moment keeps its secrets."""
    table = Table(ended(), seats=TWO)
    say(table, "undo")
    assert table.scene["taken_back"]
    assert not share(table).keys() & WHOLE


def test_who_goes_on_to_the_end_again_has_the_whole_game() -> None:
    """Every move that was taken back is there again, so that nothing is hidden any more."""
    table = Table(ended())
    say(table, "undo")
    while "redo" in table.scene["can"]:
        say(table, "redo")
    assert "game" in share(table)


@given(presets, seeds)
def test_what_is_shared_comes_back(rules: Rules, seed: int) -> None:
    """For every preset, at any moment: the game and the position that are given when all hands lie open are laid on another table as they were."""
    table = Table(played(rules, seed, seed % 40), hands="open")
    found = build_share_message(table._session)
    other = Table(seed=1)
    for text in (found["game"], *([found["position"]] if "position" in found else [])):
        assert paste(other, text) == []
        assert (other.game.hands, other.game.legal_moves()) == (table.game.hands, table.game.legal_moves())
    table.hands = "own"
    assert bool(build_share_message(table._session).keys() & WHOLE) == (table.game.outcome is not None)


def test_a_text_with_a_mistake_is_refused_and_nothing_is_lost() -> None:
    """Its sentence goes to the page, in the frame of the table's language; the game lies as it lay."""
    for text, why in [
        ("", "the text is empty; a game begins with the line 'Durak 1'"),
        ("hello", "line 1: a game begins with 'Durak 1', not with 'hello'; a position is one line such as '6c 7c | 9h Ts; trump h'"),
        ("6c 7c | 9h Tx; trump h", "'Tx' is not a card"),
        ("6c 7c | 9h; trunp h", "Did you mean 'trump'?"),
        ("Durak 1\nPosition: 6c | 7c\n\n2. 0 attack 9c\nResult: *\n", "line 4: 9c is not in the hand of seat 0"),
        ("a | b\x00\ud800", "a position is a line of text"),
    ]:
        table = Table(seed=7, language="ru")
        table.play("attack Jc")
        before, game = str(table.game), table.game
        for kind in ("read", "paste"):
            (told,) = paste(table, text, kind)
            assert told["kind"] == "unread"
            assert told["said"][0].startswith("Это нельзя выложить: ")
            assert why in told["said"][0]
            assert (table.game, str(table.game)) == (game, before)


def test_whether_a_text_can_be_laid_is_known_before_it_is() -> None:
    """The page is told that it can, and nothing has changed, so that it asks about nothing that will be refused."""
    table = Table(seed=7)
    game, text = table.game, "6c 7c | 9h Ts; trump h"
    assert paste(table, text, "read") == [{"kind": "readable", "text": text}]
    assert table.game is game


def test_a_pasted_game_is_laid_where_it_stood() -> None:
    """With its later moves, by the same players if it has as many seats."""
    game = Game("perevodnoy, players=3", seed=5)
    for _ in range(6):
        game.play(game.legal_moves()[0])
    game.goto(4)
    table = Table(Rules(players=3), seats={0: "first", 1: "you", 2: "first"}, seed=1)
    assert paste(table, str(game)) == []
    assert (table.game.ply, table.game.last_ply, table.players, table.scene["game"]) == (4, 6, ("first", "you", "first"), 2)
    assert table.rules == game.rules


def test_a_position_may_be_wrapped_by_what_carried_it() -> None:
    """A letter breaks lines; a byte order mark and comments say nothing."""
    line = Game("podkidnoy", seed=7).position
    assert Game.parse("\ufeff# from a letter\r\n" + line.replace("; ", ";\r\n")).position == line


def test_what_is_no_text_or_far_too_long_is_no_message() -> None:
    """It is answered, and nothing has changed."""
    for text in ["x" * 100_001, 7, None, ["6c | 7c"]]:
        table = Table(seed=7)
        game = table.game
        assert say(table, "paste", text=text)["note"]["kind"] == "error"
        assert table.game is game


def test_in_an_exercise_nothing_is_laid() -> None:
    """The position of a task stays as it was set."""
    table = Table(seed=7)
    table.task = SimpleNamespace(is_decided=False, is_single_move=False, verdict=lambda _: None)  # type: ignore[assignment]
    game = table.game
    for kind in ("read", "paste"):
        (told,) = paste(table, "6c 7c | 9h Ts; trump h", kind)
        assert told["said"][0] == "In an exercise the position stays as it is set."
    assert table.game is game


def test_a_move_after_it_is_of_the_game_that_was_laid() -> None:
    """Whoever pastes plays on at once."""
    table = Table(seats=TWO, covers=False, seed=7)
    paste(table, "6c 7c | 9h Ts; trump h")
    move(table, "attack 6c")
    assert str(table.game.table) == "6c"
