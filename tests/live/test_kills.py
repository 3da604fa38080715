"""Tests a whole hour in which the session's process is killed again and again: nothing that a phone was told is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from random import Random

import pytest

from durak_widget.live.process import find_session, start_session
from support.live_phones import run_hour

KILLS, PHONES, BACK_SECONDS = 10, 20, 5.0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9 is of Unix")
def test_ten_kills_in_an_hour_lose_nothing(tmp_path, monkeypatch):
    """After each kill all phones are back soon, in their seats, with every answer that was confirmed and no older state."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))
    session = start_session(network=False)
    report = asyncio.run(asyncio.wait_for(run_hour(session, Random(49), PHONES, KILLS), 120))
    running = find_session(session.code)
    assert running is not None
    os.kill(running.pid, signal.SIGKILL)
    assert max(report.away) < BACK_SECONDS
    assert report.list_problems(session.log.read_text()) == []
    assert sum(len(phone.confirmed) for phone in report.phones) > PHONES
    assert (session.folder / "errors.txt").read_text() == ""
