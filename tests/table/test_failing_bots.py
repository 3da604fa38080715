"""Test bots that fail or hang at a table: they are shown, and can be replaced."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from durak_widget import Table
from support.loops import Slow, run, wait_for_scene, wait_until_idle
from support.spoken import english, english_text
from support.tables import make_move, send_message

if TYPE_CHECKING:
    import re


def rude(view, rng):
    """Exit the process."""
    raise SystemExit(3)


def wrong(view, rng):
    """Raise an error."""
    raise ValueError("out of ideas")


def cheat(view, rng):
    """Play a card that it doesn't have, or out of turn."""
    return "attack 2c"


def hopeful(view, rng):
    """Call `next` on no moves, as a beginner's bot does."""
    return next(move for move in view.legal_moves() if move.verb == "resign")


class UnspeakableError(Exception):
    """An error without a text."""

    def __repr__(self) -> str:
        raise self

    __str__ = __repr__


class OutrageError(BaseException):
    """A BaseException without a text."""

    __repr__ = UnspeakableError.__repr__


def bot_that_raises(error: BaseException):
    """Return a bot that raises this error."""

    def ends(view, rng):
        raise error

    return ends


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        (wrong, english("table.bot_failed", bot="wrong", who="Player 2", why="ValueError")),
        (rude, english("table.bot_failed", bot="rude", who="Player 2", why="RuntimeError")),
        (cheat, english("table.bot_failed", bot="cheat", who="Player 2", why="BotError")),
        (hopeful, english("table.bot_failed", bot="hopeful", who="Player 2", why="StopIteration")),
        (bot_that_raises(UnspeakableError()), english("table.bot_failed", bot="ends", who="Player 2", why="UnspeakableError")),
        (bot_that_raises(OutrageError()), english("table.bot_failed", bot="ends", who="Player 2", why="RuntimeError")),
        (bot_that_raises(asyncio.CancelledError()), english("table.bot_failed", bot="ends", who="Player 2", why="RuntimeError")),
    ],
)
def test_a_failing_bot_is_shown_and_can_be_replaced(bot, words: re.Pattern[str]) -> None:
    """The game stands still, the bot is not asked again, and another continues."""

    async def story() -> None:
        idle = asyncio.all_tasks()
        table = Table(seats={1: bot}, seed=7, pace=0)
        make_move(table, "attack Jc")
        scene = await wait_for_scene(table, lambda scene: scene["seats"][1].get("bot_state") == "failed")
        assert scene["note"]["kind"] == "error"
        assert words.match(scene["note"]["text"][1])
        assert isinstance(table.failures[1], Exception)
        if not isinstance(table.failures[1], UnspeakableError):
            assert str(table.failures[1]) not in scene["note"]["text"][1] or not str(table.failures[1])
        assert (scene["ply"], scene["actor"]) == (1, 1)
        table.refresh()
        await wait_until_idle()
        assert table.scene["seats"][1]["bot_state"] == "failed"
        assert asyncio.all_tasks() == idle
        send_message(table, "seat_player", seat=1, player="careful")
        scene = await wait_for_scene(table, lambda scene: scene["ply"] == 2)
        assert (scene["seats"][1]["player"], scene["seats"][1].get("bot_state")) == ("careful", None)

    run(story)


def test_a_person_can_take_over_from_a_failing_bot() -> None:
    """They play its seat."""

    async def story() -> None:
        table = Table(seats={1: wrong}, seed=7, pace=0)
        make_move(table, "attack Jc")
        await wait_for_scene(table, lambda scene: scene["seats"][1].get("bot_state") == "failed")
        assert send_message(table, "seat_player", seat=1, player="you")["covered"]
        send_message(table, "uncover_hand")
        assert make_move(table, "take")["ply"] == 2

    run(story)


def test_a_hanging_bot_is_called_late_and_may_still_move(short_delay) -> None:
    """The table is not blocked, and a late answer is played."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        make_move(table, "attack Jc")
        scene = await wait_for_scene(table, lambda scene: scene["seats"][1].get("bot_state") == "late")
        assert scene["note"] == {"kind": "error", "text": [english_text("table.bot_late", bot="Slow", who="Player 2", seconds="0")] * 2}
        assert make_move(table, "take")["note"]["kind"] == "refused"
        await slow.answers()
        assert (table.scene["ply"], table.scene["seats"][1].get("bot_state")) == (2, None)

    run(story)


def test_a_hanging_bot_can_be_replaced(short_delay) -> None:
    """Another one plays, and the late answer is dropped."""

    async def story() -> None:
        slow = Slow(lambda view: view.legal_moves()[-1])
        table = Table(seats={1: slow}, seed=7, pace=0)
        heard = []
        table.on_move(heard.append)
        make_move(table, "attack Jc")
        await wait_for_scene(table, lambda scene: scene["seats"][1].get("bot_state") == "late")
        send_message(table, "seat_player", seat=1, player="first")
        scene = await wait_for_scene(table, lambda scene: scene["ply"] == 2)
        await slow.answers()
        assert table.scene["seats"][1] == {"cards": 5, "role": "defends", "player": "first"}
        assert (table.scene["ply"], len(heard), str(heard[1])) == (scene["ply"], 2, str(table.game.moves[1]))

    run(story)


def test_a_bot_is_late_for_one_turn_only(short_delay) -> None:
    """After undo it is not late any more."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        make_move(table, "attack Jc")
        await wait_for_scene(table, lambda scene: scene["seats"][1].get("bot_state") == "late")
        assert "bot_state" not in send_message(table, "undo")["seats"][1]
        assert send_message(table, "redo")["seats"][1]["bot_state"] == "thinks"
        await slow.answers()

    run(story)


def test_a_hanging_bot_that_fails_is_shown_as_failed(short_delay) -> None:
    """The seat shows late first, then failed."""

    async def story() -> None:
        slow = Slow(lambda view: wrong(view, None))
        table = Table(seats={1: slow}, seed=7, pace=0)
        make_move(table, "attack Jc")
        await wait_for_scene(table, lambda scene: scene["seats"][1].get("bot_state") == "late")
        await slow.answers()
        assert table.scene["seats"][1]["bot_state"] == "failed"

    run(story)


def test_a_dropped_thought_fails_silently() -> None:
    """Nobody sees an error from an undone turn."""

    async def story() -> None:
        slow = Slow(lambda view: wrong(view, None))
        table = Table(seats={1: slow}, seed=7, pace=0)
        make_move(table, "attack Jc")
        await slow.thinks()
        scene = send_message(table, "undo")
        await slow.answers()
        assert table.scene["id"] == scene["id"]

    run(story)


def test_a_failure_disappears_with_its_bot_or_game() -> None:
    """Another player or another game clears it."""
    table = Table(seats={0: "you", 1: lambda view, _: view.nothing}, seed=7)
    table.play("attack Jc")
    for another in (lambda: table.seat_player(1, "random"), lambda: send_message(table, "new_game")):
        table._session._report_bot_error(1, ValueError("no"))
        assert (list(table.failures), table.scene["seats"][1]["bot_state"]) == ([1], "failed")
        another()
        assert table.failures == {}
        assert table.scene["seats"][1].get("bot_state") != "failed"


def test_the_exception_of_a_failed_bot_is_available_in_python() -> None:
    """It is kept completely."""

    async def story() -> None:
        table = Table(seats={1: rude}, seed=7, pace=0)
        make_move(table, "attack Jc")
        await wait_for_scene(table, lambda scene: scene["seats"][1].get("bot_state") == "failed")
        assert str(table.failures[1]) == "it ended with SystemExit"
        assert table.failures[1].__cause__.args == (3,)

    run(story)


def test_errors_of_bots_are_logged_and_not_printed() -> None:
    """Output in the notebook could reveal a hand."""
    code = """
import asyncio
import re
from durak_widget import Table, bots
def shy(view, rng): raise ValueError(f"I do not know what to do with {view.hand}")
async def story():
    table = Table(seats={0: "you", 1: shy}, seed=7, pace=0)
    table.on_move(lambda played: 1 / 0)
    table.play("attack Jc")
    while 1 not in table.failures:
        await asyncio.sleep(0)
    table._session.adviser = type("Shy", (), {"implementation": shy, "choose": staticmethod(shy)})
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


def test_a_bot_that_never_ends_is_not_asked_again_meanwhile() -> None:
    """After thirty undone turns there is one thread. When it ends, the bot is asked and moves."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        make_move(table, "attack Jc")
        await slow.thinks()
        for _ in range(30):
            send_message(table, "undo")
            await wait_until_idle()
            send_message(table, "redo")
            await wait_until_idle()
        assert [thread.is_alive() for thread in slow.threads] == [True]
        assert table.scene["seats"][1]["bot_state"] == "thinks"
        slow.may.set()
        await wait_for_scene(table, lambda scene: scene["ply"] == 2)
        assert len(slow.threads) == 2

    run(story)


@pytest.mark.parametrize("again", [False, True], ids=["first", "again"])
def test_a_seat_waiting_for_its_bot_is_called_late(short_delay, again) -> None:
    """This is so even if it was late before an undo. Another bot can play at once."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        make_move(table, "attack Jc")
        await slow.thinks()
        if again:
            await wait_for_scene(table, lambda scene: scene["seats"][1].get("bot_state") == "late")
        send_message(table, "undo")
        assert send_message(table, "redo")["seats"][1]["bot_state"] == "thinks"
        await wait_for_scene(table, lambda scene: scene["seats"][1].get("bot_state") == "late")
        assert len(slow.threads) == 1
        send_message(table, "seat_player", seat=1, player="first")
        await wait_for_scene(table, lambda scene: scene["ply"] == 2)
        await slow.answers()
        assert table.scene["ply"] == 2

    run(story)
