"""Test widgets in hosts other than Jupyter, with a fake host."""

from __future__ import annotations

import asyncio
import sys
from types import ModuleType

import pytest

from durak_widget import Table
from support.loops import Slow, run, wait_until
from support.tables import make_move, send_message


class BufferingHost:
    """A host like Shiny: messages to the page leave at a flush under its lock, which it does after each page message."""

    def __init__(self, monkeypatch) -> None:
        self.unsent, self.page, self._lock = [], [], None
        monkeypatch.setitem(sys.modules, "shinywidgets", ModuleType("shinywidgets"))
        monkeypatch.setitem(sys.modules, "shiny.reactive", self)

    def lock(self) -> asyncio.Lock:
        """Return the lock of the running loop."""
        self._lock = self._lock or asyncio.Lock()
        return self._lock

    async def flush(self) -> None:
        """Send everything to the page."""
        assert self.lock().locked()
        self.page += self.unsent
        self.unsent.clear()

    async def shows(self, table: Table) -> None:
        """Show the table, as a page that somebody looks at."""
        table.observe(lambda change: self.unsent.append(change.new), "scene")
        async with self.lock():
            send_message(table, "uncover_hand")
            await self.flush()

    async def says(self, table: Table, text: str) -> None:
        """Make a person's move on the page."""
        async with self.lock():
            make_move(table, text)
            await self.flush()


def test_a_bots_move_is_sent_in_a_buffering_host(monkeypatch) -> None:
    """Under Shiny it was ready, but never sent."""

    async def story() -> None:
        host, table = BufferingHost(monkeypatch), Table(seed=7, pace=0)
        await host.shows(table)
        await host.says(table, "attack Jc")
        await wait_until(lambda: host.page[-1]["ply"] == 2)

    run(story)


@pytest.mark.usefixtures("short_delay")
def test_a_late_bots_note_is_sent_in_a_buffering_host(monkeypatch) -> None:
    """Otherwise nobody knows why nothing happens."""

    async def story() -> None:
        host, slow = BufferingHost(monkeypatch), Slow()
        table = Table(seats={0: "you", 1: slow}, seed=7, pace=0)
        await host.shows(table)
        await host.says(table, "attack Jc")
        await wait_until(lambda: host.page[-1].get("note", {}).get("kind") == "error")
        await slow.answers()

    run(story)


def test_a_table_sets_its_height_where_the_host_needs_it(monkeypatch) -> None:
    """Shiny gives 400 pixels otherwise; other hosts get no height, so that boxes can stretch it."""
    assert Table(seed=7).layout.height is None
    BufferingHost(monkeypatch)
    assert Table(seed=7).layout.height == "max-content"
