"""A loop as a notebook has one, and a bot that thinks as long as it is to."""

from __future__ import annotations

import asyncio
import gc
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durak_widget import Table


def run(story) -> None:
    """Let a story happen on a loop of its own, which hears of nothing that went wrong unseen."""
    wrong = []

    async def told() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: wrong.append(context))
        await asyncio.wait_for(story(), timeout=120)
        gc.collect(1)  # what this story left; all older objects would take half a second
        await settled()

    asyncio.run(told())
    assert wrong == []


async def settled() -> None:
    """Whatever had been asked of the loop is done."""
    loop = asyncio.get_running_loop()
    for _ in range(4):
        done = loop.create_future()
        loop.call_soon(done.set_result, None)
        await done


async def until(fact) -> None:
    """The loop runs until that is true; `run` ends a story that takes too long."""
    while not fact():
        await settled()


async def seen(table: Table, fact) -> dict:
    """The first scene, from now on, of which that is true."""
    found = asyncio.get_running_loop().create_future()

    def look(_: object = None) -> None:
        if not found.done() and fact(table.scene):
            found.set_result(table.scene)

    table.observe(look, "scene")
    look()
    try:
        return await asyncio.wait_for(found, timeout=60)
    finally:
        table.unobserve(look, "scene")


class Slow:
    """A bot that begins to think, and goes on only when it is let; its later turns take no time."""

    def __init__(self, then=None) -> None:
        self.begun, self.may, self.then = asyncio.Event(), threading.Event(), then
        self.loop, self.threads = asyncio.get_running_loop(), []

    def choose(self, view, _):
        """Its move, at last."""
        self.threads.append(threading.current_thread())
        self.loop.call_soon_threadsafe(self.begun.set)
        assert self.may.wait(timeout=120)
        return self.then(view) if self.then else view.legal_moves()[0]

    async def thinks(self) -> None:
        """It has begun to think."""
        await asyncio.wait_for(self.begun.wait(), timeout=60)
        self.begun.clear()

    async def answers(self) -> None:
        """It is let go on, and has answered."""
        self.may.set()
        for thread in self.threads:
            thread.join(timeout=60)
            assert not thread.is_alive()
        await settled()
