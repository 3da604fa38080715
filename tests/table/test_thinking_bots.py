"""Test bots at a table: how they move, and that late answers do no harm."""

from __future__ import annotations

import asyncio
import threading

from durak_widget import Game, Table, bots
from support.loops import Slow, run, wait_for_scene, wait_until_idle
from support.tables import make_move, send_message


def test_bots_play_a_whole_game_automatically() -> None:
    """Each move reaches the callbacks, and at the end nobody thinks."""
    heard = []

    async def story() -> None:
        idle = asyncio.all_tasks()
        table = Table("podkidnoy, players=4", seats={0: "random", 1: "first", 2: "careful", 3: "random"}, seed=3, pace=0)
        table.on_move(heard.append)
        scene = await wait_for_scene(table, lambda scene: "result" in scene)
        assert heard == list(table.game.history)
        assert scene["ply"] == table.game.ply == len(heard) > 20
        assert not any("bot_state" in seat for seat in scene["seats"])
        assert asyncio.all_tasks() == idle

    run(story)


def test_a_bot_answers_the_person() -> None:
    """A whole game of a person by messages and two bots."""

    async def story() -> None:
        table = Table("transfer, players=3", seats={0: "you", 1: "careful", 2: "first"}, seed=5, pace=0)
        while table.game.outcome is None:
            scene = await wait_for_scene(table, lambda scene: scene["actor"] in (0, None))
            if scene["actor"] == 0:
                assert "bot_state" not in scene["seats"][0]
                assert "note" not in make_move(table, table.game.legal_moves()[0])
        assert "result" in table.scene

    run(story)


def test_the_scene_shows_the_thinking_bot() -> None:
    """Its seat is marked until it has moved."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        scene = make_move(table, "attack Jc")
        assert [seat.get("bot_state") for seat in scene["seats"]] == [None, "thinks"]
        await slow.thinks()
        await slow.answers()
        assert (table.scene["ply"], [seat.get("bot_state") for seat in table.scene["seats"]]) == (2, [None, None])

    run(story)


def test_bots_pause_longer_at_the_end_of_a_bout() -> None:
    """Most happens there, so they wait twice as long."""
    game = Game.from_position(hands=["6c 9d", "7c 8d"], trump="h")
    table = Table(game, seats={1: "first"}, pace=400)
    pauses = []
    for played in ("attack 6c", "beat 6c 7c"):
        game.play(played)
        pauses.append(table._session._build_bot_job().get_delay())
    assert (game.attacker, len(game.view(0).bout_ends)) == (1, 1)
    assert pauses == [0.4, 0.8]


def test_undo_cancels_a_thinking_bot() -> None:
    """Its answer is dropped, and redo starts it again."""

    async def story() -> None:
        idle, slow = asyncio.all_tasks(), Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        make_move(table, "attack Jc")
        await slow.thinks()
        scene = send_message(table, "undo")
        await wait_until_idle()
        assert asyncio.all_tasks() == idle
        assert (scene["ply"], scene["last_ply"], [seat.get("bot_state") for seat in scene["seats"]]) == (0, 1, [None, None])
        await slow.answers()
        assert (table.game.ply, table.game.last_ply, table.scene["id"]) == (0, 1, scene["id"])
        send_message(table, "redo")
        await wait_for_scene(table, lambda scene: scene["ply"] == 2)
        assert len(slow.threads) == 2

    run(story)


def test_a_bot_is_asked_once_per_turn() -> None:
    """Other actions at the table do not ask it again."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        make_move(table, "attack Jc")
        await slow.thinks()
        table.refresh()
        table.language = "lt"
        table.pace = 400
        send_message(table, "move_list")
        make_move(table, "take")
        await wait_until_idle()
        await slow.answers()
        assert (len(slow.threads), table.scene["ply"]) == (1, 2)

    run(story)


def test_an_answer_to_a_changed_game_is_dropped() -> None:
    """The game was changed in place; the bot is not blamed."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        make_move(table, "attack Jc")
        await slow.thinks()
        table.game.undo()
        await slow.answers()
        table.refresh()
        assert (table.scene["ply"], table.scene["last_ply"], table.scene["seats"][1].get("bot_state")) == (0, 1, None)

    run(story)


def test_an_answer_to_an_old_game_is_dropped() -> None:
    """A new game has started."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        make_move(table, "attack Jc")
        await slow.thinks()
        heard = []
        table.on_move(heard.append)
        scene = send_message(table, "new_game")
        assert (scene["game"], scene["ply"]) == (2, 0)
        await slow.answers()
        await wait_for_scene(table, lambda scene: scene["actor"] == 0)
        assert heard == list(table.game.history)
        assert all(message.seat == 1 for message in heard)

    run(story)


def test_closing_the_table_cancels_a_thinking_bot() -> None:
    """Nothing is played, and no task is left."""

    async def story() -> None:
        idle, slow = asyncio.all_tasks(), Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        make_move(table, "attack Jc")
        await slow.thinks()
        table.close()
        await wait_until_idle()
        assert asyncio.all_tasks() == idle
        await slow.answers()
        assert table.game.ply == 1
        table.close()

    run(story)


def test_the_end_of_the_loop_cancels_a_thinking_bot_silently(caplog) -> None:
    """The kernel may stop at any time."""
    references = []

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        references.extend((slow, table))
        make_move(table, "attack Jc")
        await slow.thinks()

    run(story)
    slow, table = references
    slow.may.set()
    slow.threads[0].join(timeout=10)
    assert (table.game.ply, caplog.text) == (1, "")
    table.refresh()
    table.close()


def test_a_table_works_on_a_new_loop() -> None:
    """Bots continue there, also with an unfinished turn."""
    table = Table(seats={1: "first"}, seed=7, pace=60_000)

    async def begun() -> None:
        make_move(table, "attack Jc")
        await wait_until_idle()

    asyncio.run(begun())

    async def story() -> None:
        table.pace = 0
        table.refresh()
        await wait_for_scene(table, lambda scene: scene["ply"] == 2)

    run(story)


def test_a_faster_pace_works_at_once() -> None:
    """A bot that waits before thinking stops waiting."""

    async def story() -> None:
        table = Table(seats={1: "first"}, seed=7, pace=60_000)
        make_move(table, "attack Jc")
        await wait_until_idle()
        assert table.scene["ply"] == 1
        table.set_state({"pace": 0})
        await wait_for_scene(table, lambda scene: scene["ply"] == 2)

    run(story)


def test_a_table_made_before_the_loop_works_on_it() -> None:
    """Bots start with the first action at it."""
    table = Table(seats={1: "first"}, seed=7, pace=0)

    async def story() -> None:
        make_move(table, "attack Jc")
        await wait_for_scene(table, lambda scene: scene["ply"] == 2)

    run(story)


def test_bots_play_without_threads(monkeypatch) -> None:
    """In Pyodide the work is done on the loop."""

    def cannot(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    async def story() -> None:
        monkeypatch.setattr(threading.Thread, "start", cannot)
        table = Table(seats={0: "first", 1: "random"}, seed=3, pace=0)
        await wait_for_scene(table, lambda scene: "result" in scene)

    run(story)


def test_one_bot_can_play_several_seats() -> None:
    """It is asked in turn, also at two tables at once."""

    async def story() -> None:
        bot = bots.get("careful")
        tables = [Table("podkidnoy, players=3", seats=dict.fromkeys(range(3), bot), seed=seed, pace=0) for seed in (1, 2)]
        for table in tables:
            await wait_for_scene(table, lambda scene: "result" in scene)

    run(story)
