"""Bots in trouble at a table: one that fails, hangs or never ends is shown, and can be replaced."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from durak_widget import Table
from support.loops import Slow, run, seen, settled
from support.tables import move, say


def rude(view, rng):
    """A bot that wants out."""
    raise SystemExit(3)


def wrong(view, rng):
    """A bot that fails."""
    raise ValueError("out of ideas")


def cheat(view, rng):
    """A bot that plays a card that it does not have, or out of turn."""
    return "attack 2c"


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
        (rude, "The bot rude of Player 2 failed: RuntimeError."),
        (cheat, "The bot cheat of Player 2 failed: BotError."),
        (hopeful, "The bot hopeful of Player 2 failed: StopIteration."),
        (raising(UnspeakableError()), "The bot ends of Player 2 failed: UnspeakableError."),
        (raising(OutrageError()), "The bot ends of Player 2 failed: RuntimeError."),
        (raising(asyncio.CancelledError()), "The bot ends of Player 2 failed: RuntimeError."),
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


def test_failures_belong_to_the_bot_that_sits_there() -> None:
    """Another player in the seat, or another game, and they are gone."""
    table = Table(seats={0: "you", 1: lambda view, _: view.nothing}, seed=7)
    table.play("attack Jc")
    for another in (lambda: table.seat_player(1, "random"), lambda: say(table, "new")):
        table._session._report_bot_error(1, ValueError("no"))
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


@pytest.mark.parametrize("again", [False, True], ids=["first", "again"])
def test_a_seat_that_waits_for_its_bot_is_called_late(hasty, again) -> None:
    """It is said as of any bot that does not answer, also if it was late before its turn was taken back; another one may play at once."""

    async def story() -> None:
        slow = Slow()
        table = Table(seats={1: slow}, seed=7, pace=0)
        move(table, "attack Jc")
        await slow.thinks()
        if again:
            await seen(table, lambda scene: scene["seats"][1].get("bot") == "late")
        say(table, "undo")
        assert say(table, "redo")["seats"][1]["bot"] == "thinks"
        await seen(table, lambda scene: scene["seats"][1].get("bot") == "late")
        assert len(slow.threads) == 1
        say(table, "seat", seat=1, who="first")
        await seen(table, lambda scene: scene["ply"] == 2)
        await slow.answers()
        assert table.scene["ply"] == 2

    run(story)
