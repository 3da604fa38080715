"""Simulated phones, and an hour in which the session's process is killed repeatedly."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from contextlib import suppress
from random import random
from typing import TYPE_CHECKING, Any, NamedTuple

from tornado.httpclient import HTTPClientError
from tornado.websocket import WebSocketClosedError, websocket_connect

from durak_widget.live.number_games import Guess
from durak_widget.live.process import FolderLock, find_session, start_session
from durak_widget.live.teacher_client import NoAnswerError, RoomError, TeacherClient

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from durak_widget.live.process import SessionInfo

SPEC = Guess(rounds=3).to_spec()


class Phone:
    """A student's page that connects again whenever its connection is lost.

    It notes the messages that it gets.
    """

    def __init__(self, url: str, name: str) -> None:
        self.url, self.name, self.key, self.seat = url, name, "", -1
        self.socket: Any = None
        self.state: dict[str, Any] = {}
        self.confirmed: dict[int, Any] = {}
        self.problems: list[str] = []
        self.is_back = asyncio.Event()
        self.on_message: Callable[[Phone, dict[str, Any]], None] = lambda _phone, _message: None

    async def live(self) -> None:
        """Connect, listen, and connect again, after the same pauses as the page."""
        attempts = 0
        while True:
            try:
                self.socket = await websocket_connect(self.url)
            except (OSError, HTTPClientError):
                await asyncio.sleep(min(3.0, 0.3 * 2**attempts) * (0.8 + 0.4 * random()))
                attempts += 1
                continue
            attempts = 0
            hello = {"kind": "resume", "key": self.key} if self.key else {"kind": "join", "name": self.name}
            try:
                await self.socket.write_message(json.dumps({**hello, "language": "en"}))
            except WebSocketClosedError:
                continue
            while (text := await self.socket.read_message()) is not None:
                self.hear(json.loads(text))
            self.socket.close()
            self.is_back.clear()

    def hear(self, message: dict[str, Any]) -> None:
        """Note a message, and what must not be in it."""
        if message["kind"] == "seat":
            if self.seat not in (-1, message["seat"]):
                self.problems.append("another seat")
            self.seat, self.key = message["seat"], message.get("key", self.key)
        elif message["kind"] == "refused" and message["reason"] not in {"not_open", "stale_question"}:
            self.problems.append(message["reason"])
        elif message["kind"] == "state":
            if message["revision"] < self.state.get("revision", 0):
                self.problems.append(f"revision {message['revision']} after {self.state['revision']}")
            self.state = message
            if message["answer"] is not None:
                self.confirmed[message["question"]] = message["answer"]
            self.is_back.set()
        self.on_message(self, message)

    async def answer(self, answer: object) -> None:
        """Answer the open question, if there is one."""
        if self.state.get("phase") == "open" and self.is_back.is_set():
            message = {"kind": "answer", "question": self.state["question"], "answer": answer}
            with suppress(WebSocketClosedError):
                await self.socket.write_message(json.dumps(message))

    def hang_up(self) -> None:
        """Close the connection without waiting for the other side."""
        protocol = self.socket.protocol
        self.socket.close()
        if protocol is not None and protocol.stream is not None:
            protocol.stream.close()


class HourReport(NamedTuple):
    """The phones after the hour, and how many seconds they were away after each kill."""

    phones: list[Phone]
    away: list[float]

    def list_problems(self, log: str) -> list[str]:
        """Return what went wrong: older states, other seats, and lost answers."""
        events = [json.loads(line) for line in log.splitlines()]
        answers: dict[tuple[int, int], list[object]] = {}
        for event in events:
            if event["event"] == "answer":
                answers.setdefault((event["question"], event["seat"]), []).append(event["answer"])
        problems = [f"{phone.name}: {problem}" for phone in self.phones for problem in phone.problems]
        for phone in self.phones:
            for question, answer in phone.confirmed.items():
                if answer not in answers.get((question, phone.seat), []):
                    problems.append(f"{phone.name}: the answer to question {question} is lost")
        if sorted(phone.seat for phone in self.phones) != list(range(sum(event["event"] == "join" for event in events))):
            problems.append("the seats in the log are not those of the phones")
        return problems


async def teach(session: SessionInfo, **command: object) -> bool:
    """Send a command to the session, which may be dead; return whether it was carried out."""
    try:
        await asyncio.to_thread(TeacherClient(session.teacher_port, session.secret).send_command, command)
    except (NoAnswerError, RoomError):
        return False
    return True


async def run_hour(
    session: SessionInfo, rng: Random, phone_count: int, kill_count: int, *, pauses: tuple[float, float] = (0.1, 1.0)
) -> HourReport:
    """Run an hour in which the process is killed repeatedly, and report on the phones.

    `pauses` are the shortest and the longest time in seconds until the next kill, when all are back.
    """
    url = f"ws://127.0.0.1:{session.student_port}/{session.code}/ws"
    phones = [Phone(url, f"Student {number}") for number in range(phone_count)]
    lives = [asyncio.create_task(phone.live()) for phone in phones]
    await asyncio.gather(*(phone.is_back.wait() for phone in phones))

    async def teach_on() -> None:
        while True:
            while not await teach(session, do="ask", spec=SPEC):  # noqa: ASYNC110 - the process may be dead just now
                await asyncio.sleep(0.02)
            for command in ("stop", "reveal"):
                await asyncio.sleep(rng.uniform(0.02, 0.3))
                await teach(session, do=command)

    async def answer_on() -> None:
        while True:
            await rng.choice(phones).answer({"number": str(rng.randrange(101))})
            await asyncio.sleep(0.3 / phone_count)  # more would be refused as too fast

    work = [asyncio.create_task(teach_on()), asyncio.create_task(answer_on())]
    away = []
    for _ in range(kill_count):
        await asyncio.sleep(rng.uniform(*pauses))
        running = await asyncio.to_thread(find_session, session.code)
        assert running is not None
        for phone in phones:
            phone.is_back.clear()
        start = asyncio.get_running_loop().time()
        os.kill(running.pid, signal.SIGKILL)
        lock = FolderLock(running.folder)
        while not lock.acquire():  # noqa: ASYNC110 - the system tells nobody
            await asyncio.sleep(0.005)
        lock.release()
        again = await asyncio.to_thread(start_session, session.code)
        assert (again.student_port, again.secret) == (session.student_port, session.secret)
        await asyncio.wait_for(asyncio.gather(*(phone.is_back.wait() for phone in phones)), 30)
        away.append(asyncio.get_running_loop().time() - start)
    for task in work:
        task.cancel()
    await asyncio.gather(*work, return_exceptions=True)
    await teach(session, do="end")
    while any(phone.state["phase"] != "ended" for phone in phones):  # noqa: ASYNC110 - it is over in a moment
        await asyncio.sleep(0.01)
    for task, phone in zip(lives, phones, strict=True):
        task.cancel()
        phone.hang_up()
    await asyncio.gather(*lives, return_exceptions=True)
    await asyncio.sleep(0)  # the closed connections end their tasks
    return HourReport(phones, away)
