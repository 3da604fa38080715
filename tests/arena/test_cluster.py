"""Test a class's tournament on a cluster of four workers: bad bots affect nobody else, and a killed worker loses no result."""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from class_of_thirty import BAD, GOOD

from durak_widget import arena
from durak_widget.arena.tournament_runner import Run
from durak_widget.sandbox.code_runner import Limits
from support.forbidden import FORBIDDEN, REFUSED
from support.small_cluster import small_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

distributed = pytest.importorskip("distributed")
# killed workers leave sockets of the distributed package open
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::ResourceWarning")]
SHORT = Limits(0.5, 300)
QUICK = ["raises", "lies", "is no Python", "ends", "eats", "forks"]
"""Bad bots that fail quickly."""


@pytest.fixture(scope="module")
def client() -> Iterator[distributed.Client]:
    """Yield a client of a cluster of four processes."""
    with small_cluster(4) as cluster, distributed.Client(cluster, set_as_default=False) as dask_client:
        yield dask_client


@pytest.mark.parametrize(
    ("good", "bad", "games"),
    [pytest.param(5, QUICK, 220), pytest.param(18, list(BAD), 2000, marks=pytest.mark.release)],
    ids=["a few", "thirty"],
)
def test_bad_bots_and_a_killed_worker_do_not_change_the_table(client: distributed.Client, good: int, bad: list[str], games: int) -> None:
    """A worker is killed during play. The bad bots are disqualified, and the whole table is that of an undisturbed run."""
    fine = {name: GOOD[name] for name in list(GOOD)[:good]}
    everybody = {**fine, **{name: BAD[name] for name in bad}}
    whole = arena.play(everybody, games=games, limits=SHORT, seed=1, executor=2)
    run, killed = Run(everybody, games=games, limits=SHORT, seed=1, executor=client), False
    with closing(run.play_deals()) as steps:
        for played in steps:
            if not killed and played > games // 12:
                (process, *_) = client.run(os.getpid).values()
                os.kill(process, getattr(signal, "SIGKILL", signal.SIGTERM))  # on Windows SIGTERM ends it at once too
                killed = True
    assert killed
    ranking = run.ranking
    assert sorted(ranking.disqualified) == sorted(bad)
    assert ranking.rows() == whole.rows()
    assert [game.text for game in ranking.games] == [game.text for game in whole.games]
    assert ranking.forfeits == whole.forfeits
    alone = {game.text for game in arena.play(fine, games=games, limits=SHORT, seed=1, executor=2).games}
    assert {game.text for game in ranking.games if not set(game.seats) & set(bad)} <= alone
    assert ranking.games_played == ranking.games_planned


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's walls are those of Linux")
@pytest.mark.parametrize("where", ["processes", "a cluster"])
def test_every_sandbox_attack_is_refused(client: distributed.Client, tmp_path: Path, where: str) -> None:
    """All attacks of the grading tests are tried in a tournament, in other processes and on a worker: each is refused and forfeits the game, and has no effect."""
    key = tmp_path / "key.txt"
    key.write_text("the key", encoding="utf-8")
    before = key.stat()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.01)
        (worker, *_) = client.run(os.getpid).values()
        placeholders = {
            "there": str(key),
            "folder": str(tmp_path),
            "port": server.getsockname()[1],
            "marks": worker if where == "a cluster" else os.getpid(),
        }
        attacks = {what: f"{code.format(**placeholders)}\ndef choose(view):\n    return 0\n" for what, code in FORBIDDEN.items()}
        ranking = arena.play(attacks, against="careful", games=2 * len(attacks), executor=client if where == "a cluster" else 2)
        with pytest.raises(TimeoutError):
            server.accept()
    assert {forfeit.bot for forfeit in ranking.forfeits} == set(attacks)
    assert [forfeit.english_text for forfeit in ranking.forfeits if not re.match(REFUSED, forfeit.english_text)] == []
    assert (key.stat().st_mode, key.stat().st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    assert key.read_text(encoding="utf-8") == "the key"
    assert worker in client.run(os.getpid).values()
