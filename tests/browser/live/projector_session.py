"""A small stand-in for a session: it serves the projector page with the real headers, and does commands as the real one does."""

from __future__ import annotations

import asyncio
import json
import threading
from copy import deepcopy
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler
from tornado.websocket import WebSocketHandler

from durak_widget.live import pages

SECRET = "secret-of-the-teacher"  # noqa: S105 - of a server that lives as long as a test
NAMES = (
    "Ann",
    "Benas",
    "Clara",
    "Дмитрий",
    "Eglė",
    "Felix",
    "Giedrė",
    "Hugo",
    "Ieva",
    "Jonas",
    "Ksenia",
    "Lukas",
    "Marija",
    "Nojus",
    "Ona",
)
QR = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29"><rect width="29" height="29" fill="#fff"/>'
    '<path stroke="#000" d="M2 2.5h7m2 0h3m4 0h2m2 0h5M2 8.5h7m1 0h5m7 0h5M4 14.5h9m3 0h3M2 20.5h7m3 0h4m2 0h6"/></svg>'
)
PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 160" width="300" height="160"><style>text{font-size:12.5px}</style>'
    '<rect width="300" height="160" fill="#fffefb"/><path d="M20 80L140 30M20 80L140 130" stroke="#333"/>'
    '<text x="60" y="40">enter</text><text x="60" y="128">stay out</text><text x="150" y="34">2, 2</text></svg>'
)


def make_bar(label: str, count: int, total: int, *marks: str, note: str = "") -> dict[str, Any]:
    """Return a bar of a group."""
    share = count / total if total else 0
    return {
        "label": label,
        "count": count,
        "percent": f"{round(100 * share)}\u00a0%",
        "fraction": share,
        "marks": list(marks),
        "note": note,
    }


def make_board(*, is_revealed: bool, earlier: bool = False, picture: str | None = PICTURE) -> dict[str, Any]:
    """Return a board with two groups of bars."""
    best, equilibrium = (("best",), ("equilibrium", "best")) if is_revealed else ((), ())
    groups = [
        {"title": "Entrant", "note": "14 answers", "bars": [make_bar("enter", 9, 14, *equilibrium), make_bar("stay out", 5, 14)]},
        {"title": "Chain store", "note": "14 answers", "bars": [make_bar("share", 10, 14, *equilibrium), make_bar("fight", 4, 14, *best)]},
    ]
    before = [
        {"title": "Entrant", "note": "12 answers", "bars": [make_bar("enter", 3, 12), make_bar("stay out", 9, 12)]},
        {"title": "Chain store", "note": "12 answers", "bars": [make_bar("share", 5, 12), make_bar("fight", 7, 12)]},
    ]
    return {
        "title": "Entry deterrence",
        "text": "A rival decides whether to enter. The shop then shares the market, or fights.",
        "picture": picture,
        "picture_text": "The tree of the game.",
        "groups": groups,
        "lines": ["The best response to this class is to enter: it earns 10/7 on average."] if is_revealed else [],
        "equilibria": ["Enter; share: (2, 2).", "Stay out; fight: (1, 5)."] if is_revealed else [],
        "table": None,
        "earlier": [{"title": "Before the talk", "groups": before}] if earlier else [],
    }


def make_people(count: int, *, simulated: bool = False, answered: int = 0) -> list[dict[str, Any]]:
    """Return students; the first of them have answered."""
    return [
        {
            "seat": seat,
            "name": NAMES[seat % len(NAMES)] + (str(seat // len(NAMES) + 1) if seat >= len(NAMES) else ""),
            "here": seat != 3,
            "answered": seat < answered,
            "simulated": simulated,
            "points": "2.5" if seat % 2 else "",
            "score": 2.5 if seat % 2 else None,
            "role": "",
        }
        for seat in range(count)
    ]


def make_state(phase: str = "lobby", **changes: Any) -> dict[str, Any]:
    """Return what the teacher sees in a phase."""
    question = {
        "id": 1,
        "kind": "game",
        "title": "Entry deterrence",
        "attempt": 1,
        "round": 1,
        "rounds": 1,
        "is_working": False,
        "is_asked_again": False,
        "is_mix": False,
        "opened_at": 0,
        "text": "A rival decides whether to enter.",
        "picture": PICTURE,
        "picture_text": "The tree of the game.",
        "options": [],
        "roles": [],
    }
    state = {
        "revision": 1,
        "code": "K7WM2P",
        "language": "en",
        "phase": phase,
        "title": "Game theory, Monday",
        "people": [],
        "question": None if phase == "lobby" else question,
        "tally": make_board(is_revealed=False)["groups"] if phase == "open" else [],
        "board": make_board(is_revealed=phase != "stopped") if phase in {"stopped", "revealed", "ended"} else None,
        "plan": None,
        "is_entry_open": True,
        "shows_scores": False,
        "commands": ["ask", "again", "end"],
        "main": {"open": "stop", "stopped": "reveal"}.get(phase, ""),
        "problem": None,
        "links": {
            "join": "http://192.168.1.5:8888/K7WM2P/",
            "short": "192.168.1.5:8888/K7WM2P",
            "qr": QR,
            "teacher": "http://127.0.0.1:1/#s",
        },
        **changes,
    }
    return with_counts(state)


def with_counts(state: dict[str, Any]) -> dict[str, Any]:
    """Return a state with the counts of its people."""
    people = state["people"]
    state["counts"] = {
        "joined": len(people),
        "here": sum(person["here"] for person in people),
        "answered": sum(person["answered"] for person in people),
        "expected": sum(person["here"] or person["answered"] for person in people),
        "simulated": sum(person["simulated"] for person in people),
    }
    return state


class ProjectorSession:
    """A server on a free port of this computer, in a thread of its own."""

    def __init__(self, state: dict[str, Any] | None = None) -> None:
        self.state = state or make_state()
        self.commands: list[dict[str, Any]] = []
        self.refusal = ""
        self.port = 0
        self._sockets: set[_Socket] = set()
        self._loop = asyncio.new_event_loop()
        self._server: HTTPServer | None = None
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.start()

    @property
    def address(self) -> str:
        """Return the address of the teacher's page."""
        return f"http://127.0.0.1:{self.port}/#{SECRET}"

    @property
    def wall_address(self) -> str:
        """Return the address of the page for the wall."""
        return f"http://127.0.0.1:{self.port}/?view=projector#{SECRET}"

    def start(self) -> None:
        """Listen; after `stop`, on the same port again."""

        async def listen() -> None:
            (socket,) = bind_sockets(self.port, "127.0.0.1")
            self.port = socket.getsockname()[1]
            handlers = [(r"/ws", _Socket, {"session": self}), (r"/([\w.]*)", _File)]
            self._server = HTTPServer(Application(handlers, log_function=lambda _: None))
            self._server.add_socket(socket)

        self._run(listen())

    def stop(self) -> None:
        """Close all connections, as a process that is killed."""

        async def close() -> None:
            assert self._server is not None
            self._server.stop()
            for socket in [*self._sockets]:
                socket.close(1012)
            await self._server.close_all_connections()

        self._run(close())

    def close(self) -> None:
        """End the server and its thread."""
        self.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    def show(self, state: dict[str, Any] | None = None, **changes: Any) -> None:
        """Show another state, or the same with changes."""

        async def push() -> None:
            self.state = with_counts({**(state or self.state), **changes})
            self._push()

        self._run(push())

    def _run(self, work: Any) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    def _push(self) -> None:
        self.state["revision"] += 1
        for socket in self._sockets:
            socket.write_message(json.dumps({"kind": "state", **self.state}))

    def run_command(self, command: dict[str, Any]) -> str:
        """Do a command as the session does; return why it is refused."""
        self.commands.append(command)
        if self.refusal:
            return self.refusal
        state = deepcopy(self.state)
        match command["do"]:
            case "stop" | "reveal" as do:
                phase = "stopped" if do == "stop" else "revealed"
                state = {**make_state(phase), **{name: state[name] for name in ("people", "plan", "language", "links")}}
            case "ask" | "next" | "again" | "ask_step":
                state = {**make_state("open"), **{name: state[name] for name in ("people", "plan", "language", "links")}}
                state["question"]["id"] = len(self.commands) + 1
            case "rehearse":
                state["people"] = make_people(command["count"], simulated=True)
            case "dismiss_simulated":
                state["people"] = [person for person in state["people"] if not person["simulated"]]
            case "remove":
                state["people"] = [person for person in state["people"] if person["seat"] != command["seat"]]
            case "rename":
                for person in state["people"]:
                    person["name"] = command["name"] if person["seat"] == command["seat"] else person["name"]
            case "close_entry" | "open_entry" as do:
                state["is_entry_open"] = do == "open_entry"
            case "remove_silent":
                state["commands"] = [name for name in state["commands"] if name != "remove_silent"]
            case "show_scores":
                state["shows_scores"] = command["shown"]
            case "set_language":
                state["language"] = command["language"]
            case "end":
                state["phase"], state["main"] = "ended", ""
        self.state = with_counts(state)
        self._push()
        return ""


class _File(RequestHandler):
    def get(self, name: str) -> None:
        page = pages.load_projector_pages().get(name or "projector.html")
        for header, value in pages.SECURITY_HEADERS.items():
            self.set_header(header, value)
        if page is None:
            self.set_status(404)
            return
        self.set_header("Content-Type", page.content_type)
        self.write(page.data)


class _Socket(WebSocketHandler):
    def initialize(self, session: ProjectorSession) -> None:
        self.session, self.is_known = session, False

    def check_origin(self, origin: str) -> bool:
        return origin == "null" or origin.startswith("http://127.0.0.1:")

    def on_message(self, text: str | bytes) -> None:
        message = json.loads(text)
        if not self.is_known:
            if message != {"kind": "secret", "secret": SECRET}:
                self.close(4401)
                return
            self.is_known = True
            self.session._sockets.add(self)
            self.write_message(json.dumps({"kind": "state", **self.session.state}))
        elif message["kind"] == "command":
            error = self.session.run_command(message["command"])
            self.write_message(json.dumps({"kind": "reply", "id": message["id"], **({"error": error} if error else {"reply": {}})}))

    def on_close(self) -> None:
        self.session._sockets.discard(self)
