"""Bots at a table: how they come to move, and that a thought which comes too late harms nothing."""

from __future__ import annotations

import asyncio
import threading

from durak_widget import Game, Table, bots
from support.loops import Slow, run, seen, settled
from support.tables import move, say


def test_bots_play_a_whole_game_by_themselves() -> None:
    """From the deal to the end, each move told to whoever asked, and nobody thinks any more."""
    heard = []

    async def story() -> None:
        idle = asyncio.all_tasks()
        table = Table("podkidnoy, players=4", seats={0: "random", 1: "first", 2: "careful", 3: "random"}, seed=3, pace=0)
        table.on_move(heard.append)
        scene = await seen(table, lambda scene: "over" in scene)
        assert heard == list(table.game.history)
        assert scene["ply"] == table.game.ply == len(heard) > 20
        assert not any("bot" in seat for seat in scene["seats"])
        assert asyncio.all_tasks() == idle

    run(story)


def test_a_bot_answers_the_person_at_the_table() -> None:
    """A whole game of one person and two bots: the person's moves come as messages, the bots' by themselves."""

    async def story() -> None:
        table = Table("transfer, players=3", seats={0: "you", 1: "careful", 2: "first"}, seed=5, pace=0)
        while table.game.outcome is None:
            scene = await seen(table, lambda scene: scene["actor"] in (0, None))
            if scene["actor"] == 0:
                assert "bot" not in scene["seats"][0]
                assert "note" not in move(table, table.game.legal_moves()[0])
        assert "over" in table.scene

    run(story)


def test_the_scene_says_who_thinks() -> None:
    """While a bot thinks, its seat says so; once it has moved, no more."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        scene = move(table, "attack Jc")
        assert [seat.get("bot") for seat in scene["seats"]] == [None, "thinks"]
        await slow.thinks()
        await slow.answers()
        assert (table.scene["ply"], [seat.get("bot") for seat in table.scene["seats"]]) == (2, [None, None])

    run(story)


def test_the_end_of_a_bout_is_given_a_second_breath() -> None:
    """Where most happens at once, a bot waits twice as long before it goes on."""
    game = Game.from_position(hands=["6c 9d", "7c 8d"], trump="h")
    table = Table(game, seats={1: "first"}, pace=400)
    pauses = []
    for played in ("attack 6c", "beat 6c 7c"):
        game.play(played)
        pauses.append(table._session._build_bot_job().get_delay())
    assert (game.attacker, len(game.view(0).bout_ends)) == (1, 1)
    assert pauses == [0.4, 0.8]


def test_undo_while_a_bot_thinks() -> None:
    """Its thought is forgotten, whatever comes of it; redo lets it think again."""

    async def story() -> None:
        idle, slow = asyncio.all_tasks(), Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await slow.thinks()
        scene = say(table, "undo")
        await settled()
        assert asyncio.all_tasks() == idle
        assert (scene["ply"], scene["last"], [seat.get("bot") for seat in scene["seats"]]) == (0, 1, [None, None])
        await slow.answers()
        assert (table.game.ply, table.game.last_ply, table.scene["id"]) == (0, 1, scene["id"])
        say(table, "redo")
        await seen(table, lambda scene: scene["ply"] == 2)
        assert len(slow.threads) == 2

    run(story)


def test_a_bot_is_asked_once() -> None:
    """Whatever else is done at the table while it thinks."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await slow.thinks()
        table.refresh()
        table.language = "lt"
        table.pace = 400
        say(table, "list")
        move(table, "take")
        await settled()
        await slow.answers()
        assert (len(slow.threads), table.scene["ply"]) == (1, 2)

    run(story)


def test_a_game_changed_by_hand_while_a_bot_thinks() -> None:
    """What it thought of the game as it was is not played, and no fault of the bot's."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await slow.thinks()
        table.game.undo()
        await slow.answers()
        table.refresh()
        assert (table.scene["ply"], table.scene["last"], table.scene["seats"][1].get("bot")) == (0, 1, None)

    run(story)


def test_a_new_game_while_a_bot_thinks() -> None:
    """What it thought of the old game is not played in the new one."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await slow.thinks()
        heard = []
        table.on_move(heard.append)
        scene = say(table, "new")
        assert (scene["game"], scene["ply"]) == (2, 0)
        await slow.answers()
        await seen(table, lambda scene: scene["actor"] == 0)
        assert heard == list(table.game.history)
        assert all(one.seat == 1 for one in heard)

    run(story)


def test_a_table_closed_while_a_bot_thinks() -> None:
    """Nothing is played there any more, and no task is left."""

    async def story() -> None:
        idle, slow = asyncio.all_tasks(), Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await slow.thinks()
        table.close()
        await settled()
        assert asyncio.all_tasks() == idle
        await slow.answers()
        assert table.game.ply == 1
        table.close()

    run(story)


def test_a_loop_that_ends_while_a_bot_thinks(caplog) -> None:
    """The notebook's kernel may stop at any time; the thought is lost without a noise."""
    kept = []

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        kept.extend((slow, table))
        move(table, "attack Jc")
        await slow.thinks()

    run(story)
    slow, table = kept
    slow.may.set()
    slow.threads[0].join(timeout=10)
    assert (table.game.ply, caplog.text) == (1, "")
    table.refresh()
    table.close()


def test_a_table_outlives_its_loop() -> None:
    """On the next one its bots go on, also with the turn that the first one left."""
    table = Table(seats={1: "first"}, seed=7, pace=60_000)

    async def begun() -> None:
        move(table, "attack Jc")
        await settled()

    asyncio.run(begun())

    async def story() -> None:
        table.pace = 0
        table.refresh()
        await seen(table, lambda scene: scene["ply"] == 2)

    run(story)


def test_a_faster_pace_is_felt_at_once() -> None:
    """A bot that takes its time before it thinks does so no longer when the pace is changed."""

    async def story() -> None:
        table = Table(seats={1: "first"}, seed=7, pace=60_000)
        move(table, "attack Jc")
        await settled()
        assert table.scene["ply"] == 1
        table.set_state({"pace": 0})
        await seen(table, lambda scene: scene["ply"] == 2)

    run(story)


def test_a_table_laid_before_the_loop_ran_plays_on_it() -> None:
    """Its bots wake with the first thing that is done at it."""
    table = Table(seats={1: "first"}, seed=7, pace=0)

    async def story() -> None:
        move(table, "attack Jc")
        await seen(table, lambda scene: scene["ply"] == 2)

    run(story)


def test_where_there_are_no_threads_bots_play_all_the_same(monkeypatch) -> None:
    """As in Pyodide: the work is done on the loop."""

    def cannot(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    async def story() -> None:
        monkeypatch.setattr(threading.Thread, "start", cannot)
        table = Table(seats={0: "first", 1: "random"}, seed=3, pace=0)
        await seen(table, lambda scene: "over" in scene)

    run(story)


def test_one_bot_sits_on_several_chairs() -> None:
    """It is asked for each in turn, and for both games of two tables at once."""

    async def story() -> None:
        one = bots.get("careful")
        tables = [Table("podkidnoy, players=3", seats=dict.fromkeys(range(3), one), seed=seed, pace=0) for seed in (1, 2)]
        for table in tables:
            await seen(table, lambda scene: "over" in scene)

    run(story)
