"""An event loop like a notebook's, and a bot that thinks until it is released."""

from __future__ import annotations

import asyncio
import gc
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from durak_widget import Table


def run(story) -> None:
    """Run a coroutine on its own loop, and fail if it leaves unhandled errors."""
    wrong = []

    async def told() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: wrong.append(context))
        await asyncio.wait_for(story(), timeout=120)
        gc.collect(1)  # objects of this test; all older ones would take half a second
        await wait_until_idle()

    asyncio.run(told())
    assert wrong == []


async def wait_until_idle() -> None:
    """Wait until everything scheduled on the loop is done."""
    loop = asyncio.get_running_loop()
    for _ in range(4):
        done = loop.create_future()
        loop.call_soon(done.set_result, None)
        await done


async def wait_until(fact) -> None:
    """Run the loop until the condition is true; `run` stops a test that takes too long."""
    while not fact():
        await wait_until_idle()


async def wait_for_scene(table: Table, fact) -> dict:
    """Return the first later scene for which the condition is true."""
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
    """A bot that starts to think and waits for its release; its later moves are immediate.

    Messages show the name of the class.
    """

    def __init__(self, then=None) -> None:
        self.begun, self.may, self.then = asyncio.Event(), threading.Event(), then
        self.loop, self.threads = asyncio.get_running_loop(), []

    def choose(self, view, _):
        """Return a move after the release."""
        self.threads.append(threading.current_thread())
        self.loop.call_soon_threadsafe(self.begun.set)
        assert self.may.wait(timeout=120)
        return self.then(view) if self.then else view.legal_moves()[0]

    async def thinks(self) -> None:
        """Wait until it has started to think."""
        await asyncio.wait_for(self.begun.wait(), timeout=60)
        self.begun.clear()

    async def answers(self) -> None:
        """Release it and wait for its answer."""
        self.may.set()
        for thread in self.threads:
            thread.join(timeout=60)
            assert not thread.is_alive()
        await wait_until_idle()
