"""Where the page is not Jupyter's: what a host wants otherwise, told by a host that is like it."""

from __future__ import annotations

import asyncio
import sys
from types import ModuleType

import pytest

from durak_widget import Table
from support.loops import Slow, run, until
from support.tables import move, say


class Keeps:
    """As Shiny does: what a page is told leaves when everything is flushed, under its lock; after each message of the page it does so itself."""

    def __init__(self, monkeypatch) -> None:
        self.told, self.page, self._lock = [], [], None
        monkeypatch.setitem(sys.modules, "shinywidgets", ModuleType("shinywidgets"))
        monkeypatch.setitem(sys.modules, "shiny.reactive", self)

    def lock(self) -> asyncio.Lock:
        """Of the loop that runs."""
        self._lock = self._lock or asyncio.Lock()
        return self._lock

    async def flush(self) -> None:
        """All that was told is on the page."""
        assert self.lock().locked()
        self.page += self.told
        self.told.clear()

    async def shows(self, table: Table) -> None:
        """A page that shows the table, which says that somebody is there."""
        table.observe(lambda change: self.told.append(change.new), "scene")
        async with self.lock():
            say(table, "here")
            await self.flush()

    async def says(self, table: Table, text: str) -> None:
        """A move of the person on the page."""
        async with self.lock():
            move(table, text)
            await self.flush()


def test_a_bot_answers_where_the_host_sends_only_when_it_is_asked_to(monkeypatch) -> None:
    """Under Shiny the bot's move lay ready, and the page was never told."""

    async def story() -> None:
        host, table = Keeps(monkeypatch), Table(seed=7, pace=0)
        await host.shows(table)
        await host.says(table, "attack Jc")
        await until(lambda: host.page[-1]["ply"] == 2)

    run(story)


@pytest.mark.usefixtures("hasty")
def test_a_late_bot_is_told_of_where_the_host_sends_only_when_it_is_asked_to(monkeypatch) -> None:
    """Else nobody would know why nothing happens."""

    async def story() -> None:
        host, slow = Keeps(monkeypatch), Slow()
        table = Table(seats={0: "you", 1: slow}, seed=7, pace=0)
        await host.shows(table)
        await host.says(table, "attack Jc")
        await until(lambda: host.page[-1].get("note", {}).get("kind") == "error")
        await slow.answers()

    run(story)


def test_a_table_is_as_high_as_it_is_where_the_host_cuts_what_asks_for_nothing(monkeypatch) -> None:
    """Shiny gives a widget of no height 400 pixels; elsewhere nothing is asked for, since boxes stretch such a one."""
    assert Table(seed=7).layout.height is None
    Keeps(monkeypatch)
    assert Table(seed=7).layout.height == "max-content"
