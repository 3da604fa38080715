"""Going back and forth at the table, taking back, and waiting until somebody looks."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from durak_widget import Game, Move, Rules, Table
from durak_widget.exercises import goals
from durak_widget.lessons import Position
from support.loops import run, seen, settled
from support.mixes import played, seeds
from support.tables import TWO, anything, move, say


@given(anything, seeds)
def test_undo_and_redo_land_where_a_person_is_to_act(rules: Rules, seed: int) -> None:
    """Undo goes back to the last decision of a person at the table, redo on to the next; among bots alone, move by move."""
    rng = Random(seed)
    seats = {seat: rng.choice(["you", "first"]) for seat in range(rules.players)}
    people = {seat for seat, player in seats.items() if player == "you"}
    game = played(rules, seed, rng.randrange(1, 80))
    course = [one.seat for one in game.history]
    table = Table(game, seats=seats)
    table.game.goto(rng.randrange(game.ply + 1))
    table.refresh()
    for _ in range(12):
        ply, last = game.ply, game.last_ply
        kind = rng.choice(["undo", "redo"])
        scene = say(table, kind)
        if kind == "undo":
            mine = [at for at in range(ply) if course[at] in people]
            to = mine[-1] if mine else max(ply - 1, 0)
        else:
            mine = [at for at in range(ply + 1, last) if course[at] in people]
            to = mine[0] if mine else last if people else min(ply + 1, last)
        assert (scene["ply"], scene["last"]) == (to, last)
        assert ("note" in scene) == (ply == to)
        assert scene["can"].get("undo", False) == (to > 0)
        assert scene["can"].get("redo", False) == (to < last)


def test_what_was_undone_is_dropped_only_when_that_is_asked_for() -> None:
    """Another move is refused at first, played with `branch`, and then there is nothing more to redo."""
    table = Table(seats={1: "first"}, seed=7)
    move(table, "attack Jc")
    table.step()
    say(table, "goto", to=0)
    first, other = table.game.legal_moves()[:2]
    scene = move(table, other)
    assert scene["note"]["said"][0] == "Moves that were undone would be dropped: ask for that first."
    assert (scene["ply"], scene["last"]) == (0, 2)
    scene = move(table, other, branch=True)
    assert (scene["ply"], scene["last"], scene["can"].get("redo")) == (1, 1, None)
    assert table.game.moves == (other,) != (first,)


@pytest.mark.parametrize("branch", [False, True])
def test_playing_the_move_that_was_undone_is_a_redo(branch: bool) -> None:  # noqa: FBT001 - whether the person said so too
    """Nothing is dropped: the moves after it are still there."""
    table = Table(seats=TWO, seed=7)
    say(table, "here")
    move(table, "attack Jc")
    say(table, "here")
    move(table, "take")
    scene = say(table, "goto", to=0)
    assert (scene["me"], scene["covered"]) == (0, True)  # player 2 has turned away when player 1 was called
    say(table, "here")
    scene = move(table, "attack jc", branch=branch)
    assert (scene["ply"], scene["last"]) == (1, 2)


def test_taking_back_is_taking_back() -> None:
    """After *Undo* any card plays on at once, the same as before too, and the bot answers; what was undone can still be had again before that."""
    for again in (True, False):
        table = Table(seats={1: "first"}, seed=7)
        move(table, "attack Jc")
        assert table.step()
        scene = say(table, "undo")
        assert (scene["ply"], scene["last"], scene["taken_back"], scene["can"]["redo"]) == (0, 2, True, True)
        assert "next" not in scene
        assert not table.step(), "it is nobody's turn but mine"
        assert say(table, "redo")["ply"] == 2
        assert say(table, "undo")["taken_back"]
        played = table.game.legal_moves()[0] if not again else Move("attack Jc")
        scene = move(table, played)
        assert (scene["ply"], scene["last"], scene["seats"][1]["bot"]) == (1, 1, "thinks")
        assert "taken_back" not in scene
        assert table.step()


def test_looking_back_is_no_taking_back() -> None:
    """Whoever goes elsewhere by the bar after *Undo* looks back, and is asked before anything is dropped; so is a table where no person has moved yet."""
    table = Table(seats={1: "first"}, seed=7)
    move(table, "attack Jc")
    table.step()
    say(table, "undo")
    assert "taken_back" not in say(table, "goto", to=1)
    assert not table.step()
    assert move(table, "pass")["note"]["kind"] in {"refused", "told"}
    table = Table(seats={0: "first"}, seed=7)
    table.step()
    scene = say(table, "undo")
    assert (scene["ply"], scene.get("taken_back")) == (0, None)
    assert not table.step()


def test_the_game_goes_on_from_where_one_looks() -> None:
    """`branch` drops the moves ahead; a bot that is to act there acts again."""
    table = Table(seats={1: "first"}, seed=7)
    move(table, "attack Jc")
    assert table.step()
    scene = say(table, "goto", to=1)
    assert not table.step(), "nobody plays on while somebody looks back"
    scene = say(table, "branch")
    assert (scene["ply"], scene["last"], scene["seats"][1]["bot"]) == (1, 1, "thinks")
    assert table.step()


# Until somebody looks


def test_bots_wait_until_somebody_looks() -> None:
    """On its way to a page the table waits, whatever time goes by; when the page says that somebody looks, the bot that is to open opens by itself."""

    async def story() -> None:
        table = Table(seats={0: "first"}, seed=7, pace=0)
        table._session.wait_for_viewer()
        assert table.scene["waits"]
        assert "bot" not in table.scene["seats"][0]
        for kind in (
            "show",
            "list",
            "say",
            "holding",
            "lately",
            "piles",
            "share",
            "show",
        ):  # who reads before the game has begun does not begin it
            say(table, kind)
            table._session.update()
            await settled()
            assert (table.game.ply, table.scene.get("waits")) == (0, True)
        scene = say(table, "start")
        assert "waits" not in scene
        assert scene["seats"][0]["bot"] == "thinks"
        assert (await seen(table, lambda scene: scene["ply"] > 0))["actor"] == 1
        table._session.wait_for_viewer()
        assert not table._session.is_waiting, "whoever has looked need not say so again"

    run(story)


def test_a_program_does_not_wait() -> None:
    """A table that nobody looks at yet can be played from code: somebody says `step`, and an exercise is answered or its solution shown."""
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


def test_who_does_something_looks() -> None:
    """A move of a person is enough; and where none of the bots is to act, nobody waits."""
    table = Table(seats={1: "first"}, seed=7)
    table._session.wait_for_viewer()
    assert "waits" not in table.scene
    move(table, "attack Jc")
    assert table.scene["seats"][1]["bot"] == "thinks"
    assert table.step()
