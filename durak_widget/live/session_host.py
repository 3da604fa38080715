"""Runs a class session on an event loop, with its connections, clock, jobs and commands.

The session itself is in `class_session`, and the pages and addresses of the web server are in `server` and `request_handlers`.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any, Final

from durak_widget.errors import DurakError
from durak_widget.i18n import Translator
from durak_widget.live import pages, request_checks
from durak_widget.live.connections import (
    CLOSED_FLOOD,
    CLOSED_RESTART,
    CLOSED_SLOW,
    POLL_SECONDS,
    Connection,
    ConnectionTable,
    PollConnection,
    SocketConnection,
    encode_message,
)
from durak_widget.live.messages import MessageError, parse_hello
from durak_widget.live.question import LANGUAGES, find_question_class
from durak_widget.live.simulated_students import SimulatedStudents
from durak_widget.live.statistics import Statistics
from durak_widget.live.worker import WorkerPool
from durak_widget.translated_errors import error_to_text

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from durak_widget.live.class_session import ClassSession, Job, Outgoing
    from durak_widget.live.question import JsonObject

MAX_REFUSED: Final = 40
"""After this many refused messages in a row a connection is closed."""
STATE_SECONDS: Final = 0.1
"""The teacher's pages get a new state at most this often."""
TICK_SECONDS: Final = 0.25
QUIET_SECONDS: Final = 30.0
"""After this time without a message or a command, all garbage is collected; with 1,000 phones this takes 50 ms."""
LINK_SECONDS: Final = 10.0
"""How often the links are made again, because a laptop may get another address."""
_LOGGER: Final = logging.getLogger("durak_widget")


class CommandRefusedError(DurakError, ValueError):
    """The error for a command that is not possible now; the session has not changed."""


class SessionHost:
    """A session with its connections, its worker processes and its pages.

    `title` is the heading on the projector, and `now` is the clock of the session. `build_links` makes the links that the teacher sees; its
    argument is the address that `set_link` has set, or "".
    """

    def __init__(
        self,
        session: ClassSession,
        *,
        secret: str,
        token: str = "",
        hosts: request_checks.HostCheck | None = None,
        workers: WorkerPool | None = None,
        static: Path = pages.STATIC_FOLDER,
        title: str = "",
        build_links: Callable[[str], JsonObject] = lambda link: {"join": link},
        links: JsonObject | None = None,
        read_log: Callable[[], bytes] = bytes,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.session, self.secret = session, secret
        self.statistics = Statistics()
        self.connections = ConnectionTable(self.statistics)
        self.guard = request_checks.CodeGuard(session.code, token)
        self.hosts = hosts or request_checks.HostCheck()
        self.teacher_hosts = request_checks.HostCheck(is_local=True)
        self.student_pages = pages.load_student_pages(static)
        self.projector_pages = pages.load_projector_pages(static)
        self.workers = workers or WorkerPool()
        self.now, self.read_log = now, read_log
        self.last_activity = now()
        self._collected_at = now()
        self.title, self.link = title, ""
        self.on_links_changed: Callable[[JsonObject], None] = lambda _links: None
        self.watchers: set[SocketConnection] = set()
        self._build_links = build_links
        self._links = links or {}
        self._links_time = -LINK_SECONDS
        self._tasks: set[asyncio.Task[None]] = set()
        self._simulated = SimulatedStudents(session, Random())
        self._ticker: asyncio.Task[None] | None = None
        self._asking = asyncio.Lock()
        self._job_done: asyncio.Event = asyncio.Event()
        self._scores_question: int | None = None
        """The question after which the projector shows the best students."""
        self._state_text = ""
        self._state_revision = -1
        self._state_time = 0.0
        self._is_publishing = False
        self._state_waiters: list[asyncio.Future[None]] = []

    # --- Start and stop ---

    def start(self) -> None:
        """Start the regular work, and the jobs that were not finished before a restart."""
        if self._ticker is None:
            self._ticker = asyncio.create_task(self._tick())
            self.spawn(self.refresh_links())
        self.note_change()

    def start_workers(self) -> None:
        """Start the worker process, and load what the first messages need."""
        self.spawn(self.workers.start())
        self.spawn(asyncio.to_thread(_load_languages))
        # Many small collections while phones join and answer, and a full one only when nobody waits.
        gc.set_threshold(5_000, 4, 1_000_000)

    async def close(self) -> None:
        """Close all connections and stop the worker processes."""
        if self._ticker is not None:
            self._ticker.cancel()
        for task in [*self._tasks]:
            task.cancel()
        self.connections.close_all(CLOSED_RESTART)
        for watcher in [*self.watchers]:
            watcher.close(CLOSED_RESTART)
        await self.workers.close()
        await asyncio.gather(*(task for task in (self._ticker, *self._tasks) if task is not None), return_exceptions=True)

    # --- Students ---

    def receive(self, connection: Connection, data: str | bytes) -> None:
        """Handle one message of a phone; no message can end the session."""
        if connection.is_closed:
            return
        self.statistics.messages_received += 1
        with self.statistics.measure("message"):
            try:
                if connection.seat is None:
                    is_refused = self._receive_hello(connection, data)
                else:
                    is_refused = self._receive_message(connection.seat, data)
            except Exception:
                self.statistics.failed += 1
                _LOGGER.exception("a message of a phone failed")
                is_refused = True
        if is_refused:
            self.statistics.refused += 1
            connection.refused_in_a_row += 1
            if connection.refused_in_a_row > MAX_REFUSED:
                self.statistics.flooded += 1
                connection.close(CLOSED_FLOOD)
        else:
            connection.refused_in_a_row = 0
            self.last_activity = self.now()
        self.note_change()

    def _receive_hello(self, connection: Connection, data: str | bytes) -> bool:
        """Handle a message of a phone that has no seat yet; return whether it is refused."""
        try:
            hello = parse_hello(data)
            connection.language = hello["language"] or self.session.language
            found = self._find_seat(connection, hello)
        except MessageError as error:
            self.connections.send_now(connection, error.to_message(connection.language or self.session.language))
            return True
        if found is None:
            connection.close(CLOSED_FLOOD)
            return True
        seat, messages = found
        self.connections.take_seat(connection, seat)
        self.connections.post(messages)
        return False

    def _find_seat(self, connection: Connection, hello: JsonObject) -> tuple[int, list[Outgoing]] | None:
        """Return the seat for a phone's first message, with the messages for the phone.

        After too many wrong codes, a phone without a key gets None.
        """
        if hello["kind"] == "join":
            if connection.is_limited:
                return None
            seat, _, messages = self.session.join(hello["name"], hello["language"], self.now())
            return seat, messages
        resumed = None if connection.is_wrong else self.session.resume(hello["key"], hello["language"], self.now())
        if resumed is None and not connection.is_limited:
            raise MessageError("unknown_key")
        return resumed

    def _receive_message(self, seat: int, data: str | bytes) -> bool:
        """Handle a message of a phone with a seat; return whether the session refuses it."""
        messages = self.session.handle_message(seat, data, self.now())
        self.connections.post(messages)
        own = [message for number, message in messages if number == seat]
        return bool(own) and own[0].get("kind") == "refused"

    def leave(self, connection: Connection) -> None:
        """Forget a connection that is gone; its seat stays."""
        seat = self.connections.remove(connection)
        if seat is not None:
            self.session.leave(seat, self.now())
            self.note_change()

    async def poll(self, connection: PollConnection, after: int, messages: list[str]) -> str:
        """Answer one request of long polling."""
        connection.last_request = asyncio.get_running_loop().time()
        connection.confirm(after)
        for message in messages:
            self.receive(connection, message)
        await self.connections.finish_sending()  # The replies to these messages go with this answer
        connection.open_requests += 1
        try:
            await connection.wait(POLL_SECONDS)
        finally:
            connection.open_requests -= 1
            connection.last_request = asyncio.get_running_loop().time()
        return connection.build_answer(after)

    # --- The teacher ---

    async def run_command(self, command: object) -> JsonObject:
        """Run a teacher's command, and return its reply; raise `DurakError` if it is refused."""
        if not isinstance(command, dict) or not isinstance(command.get("do"), str):
            raise CommandRefusedError("a command is an object with the key 'do', such as {'do': 'stop'}")
        self.last_activity = self.now()
        kind = command["do"]
        if kind == "next":
            return await self._ask_next()
        if kind == "again":
            return await self._ask_again()
        if kind == "ask_step":
            return await self._ask_step(command.get("step"))
        if kind == "show_scores":
            return self._show_scores(is_shown=command.get("shown") is True)
        if kind == "ask" and "prepared" not in command:
            return await self._ask(command.get("spec"))
        if kind == "reveal":
            return await self._reveal()
        if kind == "set_plan" and isinstance(command.get("steps"), list):
            await asyncio.to_thread(_load_modules, [step.get("spec") for step in command["steps"] if isinstance(step, dict)])
        if kind == "set_link":
            return await self._set_link(command.get("link"))
        return self._apply(command)

    def _apply(self, command: JsonObject) -> JsonObject:
        with self.statistics.measure(f"command {command['do']}"):
            reply, messages = self.session.command(command, self.now())
            self.connections.post(messages)
        self.note_change()
        return reply

    def _refuse(self, key: str, **facts: object) -> CommandRefusedError:
        return CommandRefusedError(Translator(self.session.language).translate(f"live.room.{key}", **facts))

    async def _ask(self, spec: object) -> JsonObject:
        """Prepare a question in the worker, then ask it."""
        if not isinstance(spec, dict):
            raise CommandRefusedError("the spec of a question is an object with the key 'kind', such as {'kind': 'game', …}")
        if self._asking.locked():
            raise self._refuse("busy")
        async with self._asking:
            # The first question of its kind imports its modules, in a thread; the worker does the same meanwhile.
            loading = asyncio.create_task(asyncio.to_thread(_load_modules, [spec]))
            outcome = await self.workers.prepare(spec)
            await loading
            if "prepared" not in outcome:
                error = outcome.get("error")
                if error == "refused":
                    raise CommandRefusedError(str(outcome.get("text")))
                raise self._refuse("timeout") if error == "timeout" else self._refuse("failed", why=outcome.get("text") or error)
            return self._apply({"do": "ask", "spec": spec, "prepared": outcome["prepared"]})

    async def _ask_next(self) -> JsonObject:
        spec = self.session.next_spec()
        if spec is None:
            raise self._refuse("no_next")
        return await self._ask(spec)

    async def _ask_step(self, step: object) -> JsonObject:
        """Ask the question of any step of the plan; the plan goes on after that step."""
        spec = self.session.step_spec(step)
        if spec is None:
            raise self._refuse("no_step")
        return await self._ask(spec)

    def _show_scores(self, *, is_shown: bool) -> JsonObject:
        """Show the best students on the projector until the next question, or the board again."""
        current = self.session.current
        self._scores_question = current.id if is_shown and current is not None else None
        self.session.teacher_revision += 1
        self.note_change()
        return {}

    async def _ask_again(self) -> JsonObject:
        spec = self.session.again_spec()
        if spec is None:
            raise self._refuse("no_again")
        return await self._ask(spec)

    async def _reveal(self) -> JsonObject:
        """Stop the question if it is open, wait for its result, and reveal it."""
        current = self.session.current
        if current is not None and self.session.phase == "open":
            self._apply({"do": "stop"})
        while current is not None and self.session.current is current and self.session.phase == "stopped" and not self.session.has_result:
            self._job_done.clear()
            await self._job_done.wait()
        if self.session.current is not current:
            raise self._refuse("busy")
        return self._apply({"do": "reveal"})

    def explain(self, error: Exception) -> str:
        """Return why a command was refused, in the session's language."""
        return error_to_text(error, self.session.language) if isinstance(error, DurakError) else str(error)

    async def _set_link(self, link: object) -> JsonObject:
        """Show another link, such as the one through JupyterLab.

        With None, show the session's own link again.
        """
        text = "" if link is None else link
        if not isinstance(text, str) or len(text) > 500 or (text and not text.startswith(("http://", "https://"))):
            raise CommandRefusedError("the link must be an address that begins with http:// or https://")
        self.link = text
        await self.refresh_links()
        return {}

    async def refresh_links(self) -> None:
        """Make the links again, in a thread, because finding the own address may take a while."""
        self._links_time = asyncio.get_running_loop().time()
        link = self.link
        links = await asyncio.to_thread(self._build_links, link)
        if link == self.link and links != self._links:  # A later link may have been set while these links were made
            self._links = links
            self.on_links_changed(links)
            self._state_revision = -1
            self._publish_soon()

    def note_change(self) -> None:
        """Start the jobs that the session has, and send its state to the teacher's pages soon."""
        for job in self.session.take_jobs():
            self.spawn(self._run_job(job))
        if self.session.teacher_revision != self._state_revision:
            self._publish_soon()

    async def _run_job(self, job: Job) -> None:
        if job.kind == "solve":
            outcome = await self.workers.solve(job.spec, job.prepared)
        else:
            outcome = await self.workers.score(job.spec, job.prepared, job.answers, job.language)
        try:
            with self.statistics.measure(f"finish {job.kind}"):
                self.connections.post(self.session.finish_job(job.kind, job.question, outcome, self.now()))
        except Exception:
            self.statistics.failed += 1
            _LOGGER.exception("the outcome of a job failed")
        self._job_done.set()
        self.note_change()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do some work beside everything else."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- What the teacher sees ---

    def get_state_text(self) -> str:
        """Return what the teacher sees, as JSON."""
        if self._state_revision != self.session.teacher_revision:
            with self.statistics.measure("state"):
                self._state_revision = self.session.teacher_revision
                state = self.session.teacher_state()
                current = self.session.current
                own = {
                    "title": self.title or state["title"],
                    "links": self._links,
                    "shows_scores": current is not None and self._scores_question == current.id,
                }
                self._state_text = encode_message({**state, **own})
                self._state_time = asyncio.get_running_loop().time()
        return self._state_text

    async def wait_for_state(self, after: int) -> str:
        """Return the state as soon as its revision is not `after`.

        It is returned at most every tenth of a second, and after 25 seconds in any case.
        """
        if self.session.teacher_revision == after:
            news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._state_waiters.append(news)
            try:
                await asyncio.wait_for(news, POLL_SECONDS)
            except asyncio.TimeoutError:
                self._state_waiters.remove(news)
        elif self._is_publishing:  # A program that asks for every state gets as many as the others
            news = asyncio.get_running_loop().create_future()
            self._state_waiters.append(news)
            await news
        return self.get_state_text()

    def _publish_soon(self) -> None:
        if not self._is_publishing:
            self._is_publishing = True
            loop = asyncio.get_running_loop()
            loop.call_at(max(loop.time(), self._state_time + STATE_SECONDS), self._publish)

    def _publish(self) -> None:
        self._is_publishing = False
        waiters, self._state_waiters = self._state_waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)
        if self.watchers:
            text = self.format_pushed_state()
            for watcher in [*self.watchers]:
                watcher.send(text, "state")
        else:
            self._state_time = asyncio.get_running_loop().time()

    def format_pushed_state(self) -> str:
        """Return the message with the state for the teacher's pages."""
        return f'{{"kind":"state",{self.get_state_text()[1:]}'

    # --- Regular work ---

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            try:
                self._do_regular_work()
            except Exception:
                self.statistics.failed += 1
                _LOGGER.exception("the regular work failed")

    def _do_regular_work(self) -> None:
        for connection in self.connections.list_overdue(asyncio.get_running_loop().time()):
            connection.close(CLOSED_SLOW)
            if isinstance(connection, PollConnection):
                self.leave(connection)
        if asyncio.get_running_loop().time() > self._links_time + LINK_SECONDS:
            self.do_rare_work()
        with self.statistics.measure("simulated students"):
            self.connections.post(self._simulated.tick(self.now()))
        self.note_change()

    def do_rare_work(self) -> None:
        """Make the links again, and collect the garbage if nobody waits for anything."""
        self.spawn(self.refresh_links())
        if self._collected_at < self.last_activity < self.now() - QUIET_SECONDS:
            self._collected_at = self.now()
            gc.collect()


def _load_modules(specs: list[object]) -> None:
    """Import the modules for some kinds of questions; others say what is wrong with a spec."""
    for spec in specs:
        with suppress(DurakError, ImportError):
            find_question_class(spec)


def _load_languages() -> None:
    """Read all texts once, and keep what never changes out of each later garbage collection."""
    for language in LANGUAGES:
        Translator(language).translate("live.refused.too_fast")
    gc.freeze()
