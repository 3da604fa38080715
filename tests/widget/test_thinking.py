"""Bots at a table: how they come to move, and that one which fails, hangs or comes too late harms nothing."""

from __future__ import annotations

import asyncio
import concurrent.futures
import subprocess
import sys
import threading

import pytest
from loops import Slow, run, seen, settled
from tables import move, say

from durak_widget import Table, bots


def test_bots_play_a_whole_game_by_themselves() -> None:
    """From the deal to the end, each move told to whoever asked, and nobody thinks any more."""
    heard = []

    async def story() -> None:
        idle = asyncio.all_tasks()
        table = Table("podkidnoy, players=4", seats={0: "random", 1: "first", 2: "careful", 3: "random"}, seed=3, pace=0)
        table.on_move(heard.append)
        scene = await seen(table, lambda scene: "over" in scene)
        assert heard == list(table.game.course)
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


def rude(view, rng):
    """A bot that wants out."""
    raise SystemExit(3)


def wrong(view, rng):
    """A bot that fails."""
    raise ValueError("out of ideas")


def dumb(view, rng):
    """A bot that fails without a word."""
    raise LookupError


def cheat(view, rng):
    """A bot that plays a card that it does not have, or out of turn."""
    return "attack 2c"


def nobody(view, rng):
    """A bot that chooses nothing."""


def hopeful(view, rng):
    """A beginner's bot: there is no such move, and `next` says so in its own way."""
    return next(one for one in view.legal_moves() if one.verb == "resign")


class UnspeakableError(Exception):
    """An error that cannot even be written down."""

    def __repr__(self) -> str:
        raise self

    __str__ = __repr__


class OutrageError(BaseException):
    """Something that is no ordinary error, and cannot be written down either."""

    __repr__ = UnspeakableError.__repr__


def raising(error: BaseException):
    """A bot that ends with that."""

    def ends(view, rng):
        raise error

    return ends


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        (wrong, "The bot wrong of Player 2 failed: ValueError."),
        (dumb, "The bot dumb of Player 2 failed: LookupError."),
        (rude, "The bot rude of Player 2 failed: RuntimeError."),
        (cheat, "The bot cheat of Player 2 failed: BotError."),
        (nobody, "The bot nobody of Player 2 failed: BotError."),
        (hopeful, "The bot hopeful of Player 2 failed: StopIteration."),
        (raising(UnspeakableError()), "The bot ends of Player 2 failed: UnspeakableError."),
        (raising(KeyboardInterrupt()), "The bot ends of Player 2 failed: RuntimeError."),
        (raising(GeneratorExit()), "The bot ends of Player 2 failed: RuntimeError."),
        (raising(OutrageError()), "The bot ends of Player 2 failed: RuntimeError."),
        (raising(asyncio.CancelledError()), "The bot ends of Player 2 failed: RuntimeError."),
        (raising(concurrent.futures.CancelledError()), "The bot ends of Player 2 failed: CancelledError."),
        (raising(TimeoutError()), "The bot ends of Player 2 failed: TimeoutError."),
    ],
)
def test_a_bot_that_fails_is_shown_and_can_be_replaced(bot, words: str) -> None:
    """The game stands where it was, nobody asks the bot again, and another one goes on in its place."""

    async def story() -> None:
        idle = asyncio.all_tasks()
        table = Table(seats={1: bot}, seed=7, pace=0)
        move(table, "attack Jc")
        scene = await seen(table, lambda scene: scene["seats"][1].get("bot") == "failed")
        assert scene["note"]["kind"] == "error"
        assert scene["note"]["said"][1].startswith(words)
        assert isinstance(table.failures[1], Exception)
        if not isinstance(table.failures[1], UnspeakableError):
            assert str(table.failures[1]) not in scene["note"]["said"][1] or not str(table.failures[1])
        assert (scene["ply"], scene["actor"]) == (1, 1)
        table.refresh()
        await settled()
        assert table.scene["seats"][1]["bot"] == "failed"
        assert asyncio.all_tasks() == idle
        say(table, "seat", seat=1, who="careful")
        scene = await seen(table, lambda scene: scene["ply"] == 2)
        assert (scene["seats"][1]["who"], scene["seats"][1].get("bot")) == ("careful", None)

    run(story)


def test_a_person_can_take_over_from_a_bot_that_fails() -> None:
    """The seat is played by whoever sits down there."""

    async def story() -> None:
        table = Table(seats={1: wrong}, seed=7, pace=0)
        move(table, "attack Jc")
        await seen(table, lambda scene: scene["seats"][1].get("bot") == "failed")
        assert say(table, "seat", seat=1, who="you")["covered"]
        say(table, "here")
        assert move(table, "take")["ply"] == 2

    run(story)


def test_a_bot_that_hangs_is_called_late_and_its_answer_is_still_welcome(hasty) -> None:
    """Nothing is blocked meanwhile, and when it answers it has moved."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        scene = await seen(table, lambda scene: scene["seats"][1].get("bot") == "late")
        assert scene["note"] == {"kind": "error", "said": ["The bot Slow of Player 2 has not answered for 0 s."] * 2}
        assert move(table, "take")["note"]["kind"] == "refused"
        await slow.answers()
        assert (table.scene["ply"], table.scene["seats"][1].get("bot")) == (2, None)

    run(story)


def test_a_bot_that_hangs_can_be_replaced(hasty) -> None:
    """Another one plays in its place, and what it says at last is not heard."""

    async def story() -> None:
        slow = Slow(lambda view: view.legal_moves()[-1])
        table = Table(seats={1: slow}, seed=7, pace=0)
        heard = []
        table.on_move(heard.append)
        move(table, "attack Jc")
        await seen(table, lambda scene: scene["seats"][1].get("bot") == "late")
        say(table, "seat", seat=1, who="first")
        scene = await seen(table, lambda scene: scene["ply"] == 2)
        await slow.answers()
        assert table.scene["seats"][1] == {"cards": 5, "role": "defends", "who": "first"}
        assert (table.scene["ply"], len(heard), str(heard[1])) == (scene["ply"], 2, str(table.game.moves[1]))

    run(story)


def test_a_bot_is_late_for_one_turn_only(hasty) -> None:
    """When its turn is taken back it is late no more."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await seen(table, lambda scene: scene["seats"][1].get("bot") == "late")
        assert "bot" not in say(table, "undo")["seats"][1]
        assert say(table, "redo")["seats"][1]["bot"] == "thinks"
        await slow.answers()

    run(story)


def test_a_bot_that_hangs_and_then_fails_is_shown(hasty) -> None:
    """Late, then failed: the seat says what is true now."""

    async def story() -> None:
        slow = Slow(lambda view: wrong(view, None))
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await seen(table, lambda scene: scene["seats"][1].get("bot") == "late")
        await slow.answers()
        assert table.scene["seats"][1]["bot"] == "failed"

    run(story)


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


def test_a_thought_that_is_forgotten_fails_in_silence() -> None:
    """Nobody is told of the failure of a bot whose turn was taken back."""

    async def story() -> None:
        slow = Slow(lambda view: wrong(view, None))
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await slow.thinks()
        scene = say(table, "undo")
        await slow.answers()
        assert table.scene["id"] == scene["id"]

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
        assert heard == list(table.game.course)
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


def test_failures_belong_to_the_bot_that_sits_there() -> None:
    """Another player in the seat, or another game, and they are gone."""
    table = Table(seats={0: "you", 1: lambda view, _: view.nothing}, seed=7)
    table.play("attack Jc")
    for another in (lambda: table.seat_player(1, "random"), lambda: say(table, "new")):
        table._session._bot_failed(1, ValueError("no"))
        assert (list(table.failures), table.scene["seats"][1]["bot"]) == ([1], "failed")
        another()
        assert table.failures == {}
        assert table.scene["seats"][1].get("bot") != "failed"


def test_what_an_exit_was_is_kept() -> None:
    """The whole of it is there for who asks in Python."""

    async def story() -> None:
        table = Table(seats={1: rude}, seed=7, pace=0)
        move(table, "attack Jc")
        await seen(table, lambda scene: scene["seats"][1].get("bot") == "failed")
        assert str(table.failures[1]) == "it ended with SystemExit"
        assert table.failures[1].__cause__.args == (3,)

    run(story)


def test_nothing_is_written_under_the_cell() -> None:
    """What fails at a table goes to whoever asks for the log, and not to the notebook, since it may name a hand."""
    code = """
import asyncio
from durak_widget import Table, bots
def shy(view, rng): raise ValueError(f"I do not know what to do with {view.hand}")
async def story():
    table = Table(seats={0: "you", 1: shy}, seed=7, pace=0)
    table.on_move(lambda played: 1 / 0)
    table.play("attack Jc")
    while 1 not in table.failures:
        await asyncio.sleep(0)
    table._session.adviser = type("Shy", (), {"plays": shy, "choose": staticmethod(shy)})
    table._handle_custom_msg({"kind": "undo", "game": 1, "ply": 1}, [])
    table._handle_custom_msg({"kind": "hint", "game": 1, "ply": 0}, [])
    while "hint" not in table.failures:
        await asyncio.sleep(0)
    table._handle_custom_msg({"kind": "cheat"}, [])
    assert list(table.failures) == ["on_move", 1, "hint"]
asyncio.run(story())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_bot_that_never_ends_is_asked_nothing_new() -> None:
    """Thirty times its turn is taken back and comes again: one thread of it is left; once that has ended it is asked again, and moves."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await slow.thinks()
        for _ in range(30):
            say(table, "undo")
            await settled()
            say(table, "redo")
            await settled()
        assert [thread.is_alive() for thread in slow.threads] == [True]
        assert table.scene["seats"][1]["bot"] == "thinks"
        slow.may.set()
        await seen(table, lambda scene: scene["ply"] == 2)
        assert len(slow.threads) == 2

    run(story)


def test_a_seat_that_waits_for_its_bot_is_called_late(hasty) -> None:
    """It is said as of any bot that does not answer, and another one may play at once."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await slow.thinks()
        say(table, "undo")
        assert say(table, "redo")["seats"][1]["bot"] == "thinks"
        await seen(table, lambda scene: scene["seats"][1].get("bot") == "late")
        assert len(slow.threads) == 1
        say(table, "seat", seat=1, who="first")
        await seen(table, lambda scene: scene["ply"] == 2)
        await slow.answers()
        assert table.scene["ply"] == 2

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
