"""How bots come to move: one at a time, at a human pace, on a task of their own; a bot that raises or hangs harms nothing."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from random import Random

    from durak_widget.bots.bot import Bot
    from durak_widget.game.moves import Move
    from durak_widget.game.view import View


class Turn(NamedTuple):
    """What a bot is to choose from, and when: a turn that no longer stands is dropped."""

    game: int
    ply: int
    seat: int
    bot: Bot
    view: View
    rng: Random


class Stage(Protocol):
    """What the bots need of their table."""

    def turn(self) -> Turn | None:
        """The bot's turn that stands now; None while it is for a person to act, or nothing is played."""

    def pause(self) -> float:
        """For how many seconds a bot seems to think."""

    def patience(self) -> float:
        """After how many seconds a bot is late."""

    def late(self, turn: Turn) -> None:
        """The bot has not answered in time; it may still do."""

    def failed(self, turn: Turn, error: Exception) -> None:
        """The bot has raised, or chosen what it may not play."""

    def answered(self, turn: Turn, move: Move) -> None:
        """The bot has chosen."""


class Thinking:
    """The task on which the bots of a table play."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._loop = _running_loop()
        self._task: asyncio.Task[None] | None = None
        self._begun: tuple[int, int, int, Bot] | None = None
        self._resting = False
        self._ended = False

    def kick(self) -> None:
        """Something has changed: if it is a bot's turn, it begins to think; whoever thought about what was, is forgotten."""
        loop = self._loop = self._loop or _running_loop()
        if loop is not None and not loop.is_closed() and not self._ended:
            loop.call_soon_threadsafe(self._start)

    def hurry(self) -> None:
        """The pace has changed: whoever rests before thinking rests anew."""
        if self._resting:
            self.stop()
        self.kick()

    def end(self) -> None:
        """Nobody thinks any more, whatever happens."""
        self._ended = True
        self.stop()

    def stop(self) -> None:
        """Whoever thinks is forgotten."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._task = self._begun = None
        self._resting = False

    def _start(self) -> None:
        turn = None if self._ended else self._stage.turn()
        begun = None if turn is None else turn[:4]
        if begun is not None and begun == self._begun and self._task is not None and not self._task.done():
            return
        self._cancel()
        self._begun = begun
        if turn is not None:
            self._task = asyncio.get_running_loop().create_task(self._play(turn))

    async def _play(self, turn: Turn) -> None:
        stage = self._stage
        self._resting = True
        await asyncio.sleep(stage.pause())
        self._resting = False
        thought = asyncio.wrap_future(think(turn))
        try:
            done, _ = await asyncio.wait([thought], timeout=stage.patience())
            if not done:
                stage.late(turn)
                await asyncio.wait([thought])
        finally:
            thought.cancel()  # where the turn was forgotten, nobody hears what comes of it
        error = thought.exception()
        self._task = self._begun = None  # what now follows may be the next bot's turn
        if isinstance(error, Exception):
            stage.failed(turn, error)
        elif error is None:
            stage.answered(turn, thought.result())


def think(turn: Turn) -> Future[Move]:
    """The bot's choice, made on a thread of its own, so that one that never ends keeps nobody waiting."""
    choice: Future[Move] = Future()
    choice.set_running_or_notify_cancel()

    def choose() -> None:
        try:
            choice.set_result(turn.bot.choose(turn.view, turn.rng))
        except BaseException as error:  # noqa: BLE001 - whatever a bot does is told, also an exit
            choice.set_exception(error if isinstance(error, Exception) else RuntimeError(repr(error)))

    try:
        Thread(target=choose, daemon=True, name=f"bot {turn.bot.name}").start()
    except RuntimeError:  # where there are no threads (Pyodide)
        choose()
    return choice


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
