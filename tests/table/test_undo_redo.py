"""Test undo, redo and looking back at the table, and bots that wait for a viewer."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from durak_widget import Game, Move, Rules, Table
from durak_widget.exercises import goals
from durak_widget.lessons import Position
from support.loops import run, wait_for_scene, wait_until_idle
from support.mixes import played, seeds
from support.spoken import english_text
from support.tables import TWO, anything, make_move, send_message


@given(anything, seeds)
def test_undo_and_redo_stop_at_decisions_of_people(rules: Rules, seed: int) -> None:
    """Among bots alone they go move by move."""
    rng = Random(seed)
    seats = {seat: rng.choice(["you", "first"]) for seat in range(rules.players)}
    people = {seat for seat, player in seats.items() if player == "you"}
    game = played(rules, seed, rng.randrange(1, 80))
    course = [entry.seat for entry in game.history]
    table = Table(game, seats=seats)
    table.game.goto(rng.randrange(game.ply + 1))
    table.refresh()
    for _ in range(12):
        ply, last = game.ply, game.last_ply
        kind = rng.choice(["undo", "redo"])
        scene = send_message(table, kind)
        if kind == "undo":
            mine = [at for at in range(ply) if course[at] in people]
            to = mine[-1] if mine else max(ply - 1, 0)
        else:
            mine = [at for at in range(ply + 1, last) if course[at] in people]
            to = mine[0] if mine else last if people else min(ply + 1, last)
        assert (scene["ply"], scene["last_ply"]) == (to, last)
        assert ("note" in scene) == (ply == to)
        assert scene["can"].get("undo", False) == (to > 0)
        assert scene["can"].get("redo", False) == (to < last)


def test_undone_moves_are_dropped_only_on_request() -> None:
    """Another move is refused at first. Played with `drops_undone`, it leaves nothing to redo."""
    table = Table(seats={1: "first"}, seed=7)
    make_move(table, "attack Jc")
    table.step()
    send_message(table, "goto", to_ply=0)
    first, other = table.game.legal_moves()[:2]
    scene = make_move(table, other)
    assert scene["note"]["text"][0] == english_text("table.branch_first")
    assert (scene["ply"], scene["last_ply"]) == (0, 2)
    scene = make_move(table, other, drops_undone=True)
    assert (scene["ply"], scene["last_ply"], scene["can"].get("redo")) == (1, 1, None)
    assert table.game.moves == (other,) != (first,)


@pytest.mark.parametrize("branch", [False, True])
def test_playing_the_undone_move_again_is_a_redo(branch: bool) -> None:  # noqa: FBT001 - whether the person said so too
    """Nothing is dropped: the moves after it stay."""
    table = Table(seats=TWO, seed=7)
    send_message(table, "uncover_hand")
    make_move(table, "attack Jc")
    send_message(table, "uncover_hand")
    make_move(table, "take")
    scene = send_message(table, "goto", to_ply=0)
    assert (scene["viewer"], scene["covered"]) == (0, True)  # player 2 turned away when player 1 was called
    send_message(table, "uncover_hand")
    scene = make_move(table, "attack jc", drops_undone=branch)
    assert (scene["ply"], scene["last_ply"]) == (1, 2)


def test_any_card_can_be_played_after_undo() -> None:
    """The same move works too, and the bot answers. Before that redo is possible."""
    for again in (True, False):
        table = Table(seats={1: "first"}, seed=7)
        make_move(table, "attack Jc")
        assert table.step()
        scene = send_message(table, "undo")
        assert (scene["ply"], scene["last_ply"], scene["taken_back"], scene["can"]["redo"]) == (0, 2, True, True)
        assert "undone_move" not in scene
        assert not table.step(), "it is nobody's turn but mine"
        assert send_message(table, "redo")["ply"] == 2
        assert send_message(table, "undo")["taken_back"]
        played = table.game.legal_moves()[0] if not again else Move("attack Jc")
        scene = make_move(table, played)
        assert (scene["ply"], scene["last_ply"], scene["seats"][1]["bot_state"]) == (1, 1, "thinks")
        assert "taken_back" not in scene
        assert table.step()


def test_looking_back_requires_a_confirmation_to_play() -> None:
    """The move bar after *Undo* looks back. A table without moves of people does too."""
    table = Table(seats={1: "first"}, seed=7)
    make_move(table, "attack Jc")
    table.step()
    send_message(table, "undo")
    assert "taken_back" not in send_message(table, "goto", to_ply=1)
    assert not table.step()
    assert make_move(table, "pass")["note"]["kind"] in {"refused", "info"}
    table = Table(seats={0: "first"}, seed=7)
    table.step()
    scene = send_message(table, "undo")
    assert (scene["ply"], scene.get("taken_back")) == (0, None)
    assert not table.step()


def test_an_earlier_moment_offers_no_hint() -> None:
    """A moment whose moves were taken back does, and so does the present."""
    table = Table(seats={1: "first"}, seed=7)
    make_move(table, "attack Jc")
    assert table.step()
    assert "hint" in table.scene["can"]
    assert "hint" not in send_message(table, "goto", to_ply=0)["can"]
    assert "hint" in send_message(table, "goto", to_ply=2)["can"]
    assert "hint" in send_message(table, "undo")["can"]


def test_a_game_continues_from_the_moment_shown() -> None:
    """`branch` drops the later moves, and a bot whose turn it is moves again."""
    table = Table(seats={1: "first"}, seed=7)
    make_move(table, "attack Jc")
    assert table.step()
    scene = send_message(table, "goto", to_ply=1)
    assert not table.step(), "nobody plays on while somebody looks back"
    scene = send_message(table, "drop_undone_moves")
    assert (scene["ply"], scene["last_ply"], scene["seats"][1]["bot_state"]) == (1, 1, "thinks")
    assert table.step()


# Waiting for a viewer


def test_bots_wait_for_a_viewer() -> None:
    """However long the page takes, the first bot moves only when the page reports a viewer."""

    async def story() -> None:
        table = Table(seats={0: "first"}, seed=7, pace=0)
        table._session.wait_for_viewer()
        assert table.scene["is_waiting"]
        assert "bot_state" not in table.scene["seats"][0]
        for kind in (
            "refresh",
            "move_list",
            "describe_table",
            "describe_hand",
            "describe_last_moves",
            "describe_piles",
            "share",
            "refresh",
        ):  # looking before the game starts does not start it
            send_message(table, kind)
            table._session.update()
            await wait_until_idle()
            assert (table.game.ply, table.scene.get("is_waiting")) == (0, True)
        scene = send_message(table, "start")
        assert "is_waiting" not in scene
        assert scene["seats"][0]["bot_state"] == "thinks"
        assert (await wait_for_scene(table, lambda scene: scene["ply"] > 0))["actor"] == 1
        table._session.wait_for_viewer()
        assert not table._session.is_waiting, "whoever has looked need not say so again"

    run(story)


def test_code_does_not_wait_for_a_viewer() -> None:
    """`step` works, and exercises can be answered or solved."""
    table = Table(seats={0: "first"}, seed=7)
    table._session.wait_for_viewer()
    assert table.step()
    assert table.game.ply == 1
    game = Game.from_position(hands=["9c Ah 7d", "Jd Qs 7c"], trump="h", attacker=1)
    task = Position(game, goals.beat_all(trumps=False), solution=["beat 7c 9c"], seat=0, others={1: "first"})
    task.table._session.wait_for_viewer()
    assert task.answer("beat 7c 9c")
    task.restart()
    task.reveal()
    assert [str(move) for move in task.table.game.moves][-1] == "beat 7c 9c"


def test_a_person_who_acts_is_a_viewer() -> None:
    """A move is enough. If no bot is to move, nobody waits."""
    table = Table(seats={1: "first"}, seed=7)
    table._session.wait_for_viewer()
    assert "is_waiting" not in table.scene
    make_move(table, "attack Jc")
    assert table.scene["seats"][1]["bot_state"] == "thinks"
    assert table.step()
