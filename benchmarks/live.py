"""Measures a class session with hundreds of simulated phones, also when it is killed.

The phones are in this process, and the session is in another one. Latency depends on how busy the machine is, so it is reported;
what is required is the CPU time of the session, the longest time that it blocks its event loop, and that nothing is lost.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import sys
import tempfile
from math import inf
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

from tornado.httpclient import AsyncHTTPClient
from tornado.websocket import websocket_connect

from durak_widget import gametheory
from durak_widget.live.game_specs import make_game_spec
from durak_widget.live.number_games import Guess
from durak_widget.live.process import find_session, start_session
from durak_widget.live.question import find_question_class
from durak_widget.live.teacher_client import TeacherClient

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from support.live_phones import Phone, run_hour

if TYPE_CHECKING:
    from collections.abc import Iterator

    from durak_widget.live.process import SessionInfo

ANSWER_SECONDS = 2.0
ACCEPT = {"Accept-Encoding": "gzip"}


def report(name: str, value: float | str, unit: str = "", required: str = "") -> None:
    """Print one figure."""
    text = value if isinstance(value, str) else f"{value:,.2f}".rstrip("0").rstrip(".")
    print(f"  {name:<58} {text:>9} {unit:<4} {f'(required: {required})' if required else ''}".rstrip(), flush=True)


async def read_statistics(client: TeacherClient) -> dict[str, Any]:
    """Return the statistics of the session, and begin to measure the longest blocks anew."""
    return json.loads(await asyncio.to_thread(client._request, "GET", "/statistics?reset=1"))


async def measure_page(session: SessionInfo, phones: int) -> None:
    """Measure the first page: its bytes and requests, and how soon a whole class has it."""
    client = AsyncHTTPClient(force_instance=True, max_clients=60)
    base = f"http://127.0.0.1:{session.student_port}/{session.code}/"

    async def fetch(name: str) -> bytes:
        response = await client.fetch(base + name, headers=ACCEPT, decompress_response=False, raise_error=False, request_timeout=60)
        return response.body if response.code == 200 else b""

    page = await client.fetch(base, headers=ACCEPT, raise_error=False)
    if page.code != 200:
        report("first page", "not built")
        return
    names = [name for name in re.findall(r'(?:src|href)="([^":]+)"', page.body.decode()) if not name.startswith("data")]
    names += [] if any("words" in name for name in names) else ["words.en.json"]
    sizes = [len(await fetch("")), *[len(await fetch(name)) for name in names]]
    report("first page, compressed", sum(sizes) / 1000, "kB", "at most 55")
    report("requests of the first page, without the connection", len(sizes), "", "at most 7")
    start = perf_counter()
    await asyncio.gather(*(fetch(name) for _ in range(phones) for name in ("", *names)))
    report(f"{phones} first pages at once", perf_counter() - start, "s")
    client.close()


class StateWatch:
    """The teacher's websocket: notes when each count of answers was shown."""

    def __init__(self, session: SessionInfo) -> None:
        self._session = session
        self.shown: list[tuple[float, int]] = []
        self.state: dict[str, Any] = {}

    async def run(self) -> None:
        """Read states until cancelled."""
        socket = await websocket_connect(f"ws://127.0.0.1:{self._session.teacher_port}/ws", max_message_size=16_000_000)
        await socket.write_message(json.dumps({"kind": "secret", "secret": self._session.secret}))
        try:
            while (text := await socket.read_message()) is not None:
                self.state = json.loads(text)
                self.shown.append((perf_counter(), self.state["counts"]["answered"]))
        finally:
            if socket.protocol is not None and socket.protocol.stream is not None:
                socket.protocol.stream.close()

    def find_lag(self, sent: list[float]) -> float:
        """Return how long after it was sent an answer was shown, at the most."""
        lags = []
        for count, moment in enumerate(sorted(sent), 1):
            lags.append(next((time for time, answered in self.shown if answered >= count), inf) - moment)
        return max(lags)


class Class:
    """The phones of a class, and whether each of them shows what the teacher has asked for."""

    def __init__(self, session: SessionInfo, count: int) -> None:
        url = f"ws://127.0.0.1:{session.student_port}/{session.code}/ws"
        self.phones = [Phone(url, f"Student {number}") for number in range(count)]
        self.tasks: list[asyncio.Task[None]] = []
        self.reached = 0
        self.waited_for = ("", 0)
        self.done = asyncio.Event()
        for phone in self.phones:
            phone.on_message = self.count_phone

    def count_phone(self, _phone: Phone, message: dict[str, Any]) -> None:
        """Count the phones that show what is waited for."""
        if message["kind"] == "state" and (message["phase"], message["question"]) == self.waited_for:
            self.reached += 1
            if self.reached >= len(self.phones):
                self.done.set()

    async def send_command(self, client: TeacherClient, phase: str, question: int, **command: object) -> float:
        """Send a command, and return after how many seconds all phones show it."""
        self.waited_for, self.reached = (phase, question), 0
        self.done.clear()
        start = perf_counter()
        await asyncio.to_thread(client.send_command, command)
        sent = perf_counter()
        await self.done.wait()
        return perf_counter() - (sent if command["do"] == "ask" else start)


async def measure_class(session: SessionInfo, count: int, rng: Random) -> None:
    """Measure joining, two questions, and what they cost."""
    client = TeacherClient(session.teacher_port, session.secret)
    watch = StateWatch(session)
    watching = asyncio.create_task(watch.run())
    await measure_page(session, count)
    before = await read_statistics(client)
    room = Class(session, count)
    start = perf_counter()
    room.tasks = [asyncio.create_task(phone.live()) for phone in room.phones]
    await asyncio.gather(*(phone.is_back.wait() for phone in room.phones))
    report(f"{count} join at once", perf_counter() - start, "s", "at most 3 for 300")
    after = await read_statistics(client)
    report("CPU of the session for this", after["cpu_seconds"] - before["cpu_seconds"], "s")
    _report_blocks(after)
    report("memory", after["memory_mb"], "MB")
    specs = {
        "a number": Guess().to_spec(),
        "a tree with its picture": make_game_spec(gametheory.textbook("beer-quiche")),
    }
    for number, (name, spec) in enumerate(specs.items(), 1):
        print(f" question: {name}")
        await measure_question(room, client, watch, number, spec, rng)
    for task, phone in zip(room.tasks, room.phones, strict=True):
        task.cancel()
        phone.hang_up()
    watching.cancel()
    await asyncio.gather(*room.tasks, watching, return_exceptions=True)


async def measure_question(room: Class, client: TeacherClient, watch: StateWatch, number: int, spec: dict[str, Any], rng: Random) -> None:
    """Measure one question from asking to the result on every phone."""
    question_class = find_question_class(spec)
    question = question_class(spec, question_class.prepare(spec))
    before, own = await read_statistics(client), process_time()
    wall = perf_counter()
    report("asked: on all phones after the command", await room.send_command(client, "open", number, do="ask", spec=spec), "s")
    sent: list[float] = []

    async def answer(phone: Phone) -> None:
        await asyncio.sleep(rng.uniform(0, ANSWER_SECONDS))
        sent.append(perf_counter())
        await phone.answer(question.pick_answer(phone.seat, rng))

    watch.shown.clear()
    await asyncio.gather(*(answer(phone) for phone in room.phones))
    deadline = perf_counter() + 20
    while watch.state["counts"]["answered"] < len(room.phones) and perf_counter() < deadline:  # noqa: ASYNC110 - as a teacher looks
        await asyncio.sleep(0.01)
    report("answers that count", watch.state["counts"]["answered"], "", f"{len(room.phones)}")
    report("shares on the teacher's pages behind, at most", watch.find_lag(sent), "s", "at most 0.5")
    busy = await read_statistics(client)
    seconds = perf_counter() - wall
    report("share of a core while all answer within 2 s", 100 * (busy["cpu_seconds"] - before["cpu_seconds"]) / seconds, "%")
    report("revealed: on all phones after the command", await room.send_command(client, "revealed", number, do="reveal"), "s")
    after = await read_statistics(client)
    cost = after["cpu_seconds"] - before["cpu_seconds"]
    total = perf_counter() - wall
    report("CPU of the session for the question", cost, "s")
    report("share of a core from question to result", 100 * cost / total, "%")
    report("the same if a question takes 30 s", 100 * cost / 30, "%", "at most 25 for 300")
    for name, figures in after["blocks"].items():
        busy["blocks"].setdefault(name, figures)
        for key in ("longest_cpu_ms", "longest_wall_ms"):
            busy["blocks"][name][key] = max(busy["blocks"][name][key], figures[key])
    _report_blocks(busy)
    report("memory", after["memory_mb"], "MB")
    report("bytes sent to each phone", (after["bytes_sent"] - before["bytes_sent"]) / len(room.phones) / 1000, "kB")
    report("CPU of the phones' process meanwhile", process_time() - own, "s")


def _report_blocks(statistics: dict[str, Any]) -> None:
    """Report the longest blocks by CPU time, with what the session did in them."""
    blocks = statistics["blocks"]
    parts = {name: figures for name, figures in blocks.items() if name != "loop" and not name.startswith("garbage")}
    longest = max(parts, key=lambda name: parts[name]["longest_cpu_ms"], default="")
    if longest:
        report(f"longest block of the loop by the session: {longest}", parts[longest]["longest_cpu_ms"], "ms", "at most 50 (CPU)")
        report("the same by the clock", parts[longest]["longest_wall_ms"], "ms")
    garbage = [figures["longest_cpu_ms"] for name, figures in blocks.items() if name.startswith("garbage")]
    report("of this, garbage collection, at most", max(garbage, default=0.0), "ms")
    if "loop" in blocks:
        report("longest callback of any kind (CPU)", blocks["loop"]["longest_cpu_ms"], "ms")


def measure_kills(phones: int, kills: int, rng: Random) -> None:
    """Kill the process at random moments, and report how soon all phones are back."""
    print(f"{kills} kills with {phones} phones")
    session = start_session(network=False)
    hour = asyncio.run(run_hour(session, rng, phones, kills, pauses=(0.1, 2.0)))
    end(session)
    problems = hour.list_problems(session.log.read_text(encoding="utf-8"))
    away = sorted(hour.away)
    report("all back after a kill, median", away[len(away) // 2], "s")
    report("all back after a kill, at most", away[-1], "s", "at most 5")
    report("answers that were confirmed", sum(len(phone.confirmed) for phone in hour.phones))
    report("older states shown", sum("revision" in problem for problem in problems), "", "0")
    report("events lost, and other problems", sum("revision" not in problem for problem in problems), "", "0")
    for problem in problems[:10]:
        print("   ", problem)
    errors = (session.folder / "errors.txt").read_text(encoding="utf-8")
    if errors:
        print(errors[:3000])


def end(session: SessionInfo) -> None:
    """End the process of a session."""
    running = find_session(session.code)
    if running is not None:
        os.kill(running.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


def _iterate_sizes(arguments: argparse.Namespace) -> Iterator[int]:
    yield from ([arguments.phones] if arguments.phones is not None else (300, 1000))


def main() -> None:
    """Measure the sizes that are asked for, and the kills."""
    parser = argparse.ArgumentParser(description="a class session with hundreds of simulated phones")
    parser.add_argument("--phones", type=int, help="how many phones (300, and then 1,000); 0 for none")
    parser.add_argument("--kills", type=int, default=50, help="how many kills (50)")
    parser.add_argument("--kill-phones", type=int, default=100, help="how many phones there are when the process is killed (100)")
    parser.add_argument("--seed", type=int, default=49)
    arguments = parser.parse_args()
    rng = Random(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="durak-live-") as home:
        os.environ["DURAK_WIDGET_HOME"] = home
        for count in _iterate_sizes(arguments):
            if count:
                print(f"{count} phones; load of the machine {os.getloadavg()[0]:.1f}")
                session = start_session(network=False, measure=True)
                try:
                    asyncio.run(measure_class(session, count, rng))
                finally:
                    end(session)
                errors = (session.folder / "errors.txt").read_text(encoding="utf-8")
                if errors:
                    print(errors[:3000])
        if arguments.kills:
            measure_kills(arguments.kill_phones, arguments.kills, rng)


if __name__ == "__main__":
    main()
