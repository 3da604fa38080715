"""Defines `Room`, with which a teacher runs a live class session from Python."""

from __future__ import annotations

import warnings
import weakref
from time import time
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from durak_widget.atomic_files import replace_text, require_path
from durak_widget.errors import DurakError, as_whole_number, short_repr, suggest_nearest
from durak_widget.live import jupyter_links
from durak_widget.live.process import find_session, list_sessions, start_session
from durak_widget.live.question import LANGUAGES
from durak_widget.live.request_checks import normalize_code
from durak_widget.live.room_display import RoomPanel
from durak_widget.live.room_questions import build_plan, build_spec
from durak_widget.live.session_links import draw_qr_code
from durak_widget.live.teacher_client import RoomError, SessionConnection, TeacherClient
from durak_widget.optional_dependencies import MissingPackageError, explain_missing_packages, is_installed
from durak_widget.widgets.user_defaults import get_language

if TYPE_CHECKING:
    from os import PathLike
    from types import TracebackType

    from durak_widget.gametheory.strategy import Strategy
    from durak_widget.live.process import SessionInfo
    from durak_widget.live.question import JsonObject

MAX_SIMULATED: Final = 1000
"""How many simulated students a room may have."""
FORGOTTEN_SECONDS: Final = 2 * 3600
"""After this time without any event, `Room()` takes a room with students for that of an earlier class."""


class MissingPackageRoomError(RoomError, MissingPackageError):
    """The error for a missing optional package, which a notebook shows as one sentence."""


class Confirmation(str):
    """A sentence about what a room has done, which a notebook shows without quotation marks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def rooms() -> list[str]:
    """Return the codes of the rooms that run on this computer, the newest first.

    >>> "ABCDEF" in rooms()
    False
    """
    return [session.code for session in list_sessions()]


class Room:
    """A live class session: students join with a code, and answer from their phones.

    `Room()` returns to your newest room that still runs. So you can run a cell again, or restart the kernel, and the class stays. It
    starts a room if there is none, or only that of a class that was here more than two hours ago. `Room(new=True)` always starts one.
    With a `title`, it looks for the room with this title, so two courses on one day don't meet. `Room("K7PWQ3")` returns to the room with
    that code, and starts it again from its log if its process is gone. `rooms()` lists the rooms that run. Several `Room` objects may
    belong to one room, also in several notebooks.

    A room runs in a process of its own: a long cell or a restarted kernel changes nothing for students. It ends with `end()`.

    `plan` is a list of questions, a plan from `PLANS`, or its name. `title` is the heading on the projector. `language` is `"en"`,
    `"lt"` or `"ru"`; each student can choose another one. With `network=False` students come through JupyterLab's own address, and the
    room's own port stays closed to the network. In JupyterHub and on Binder this is always so. `port` is the room's port, and `folder`
    the place of its log. `language`, `network`, `port` and `folder` have an effect only when a room is started.

    In a notebook, the room is a control panel for the teacher. `print(room)` shows the code, the link and a QR code.

    >>> from durak_widget import live
    >>> room = live.Room(new=True, plan="pennies")
    >>> room.code in live.rooms(), room.code in room.link, room.teacher_link.startswith("http://127.0.0.1:")
    (True, True, True)
    >>> room.rehearse(3)
    >>> room.rename(0, "Ann"); room.remove(1)
    >>> room.next(); room.stop(); room.again(); room.reveal()
    >>> room.state["phase"], room.state["question"]["attempt"], room.state["counts"]["joined"]
    ('revealed', 2, 2)
    >>> room.ask("entry", mix=True)
    Question 3 is open: A shop and a rival
    >>> len(room.strategy(simulated=False).rows), room.rows(names=True), room.scores(names=True)
    (2, [], [])
    >>> room.dismiss_simulated()
    >>> room.load_plan(["kuhn", live.Guess()])
    >>> room.end()

    Afterwards, `room.save("answers.csv")` and `room.to_pandas()` still have the answers.
    """

    def __init__(
        self,
        code: str = "",
        *,
        plan: object = None,
        title: str = "",
        language: str | None = None,
        network: bool = True,
        port: int = 0,
        folder: str | PathLike[str] | None = None,
        new: bool = False,
    ) -> None:
        with explain_missing_packages():
            import segno  # noqa: F401, PLC0415 - the room's process needs both, but only the notebook can say so
            import tornado  # noqa: F401, PLC0415
        self._is_bridged = not network or jupyter_links.is_in_hub()
        self._page_url = ""
        self._panel: RoomPanel | None = None
        language = _choose_language(language)
        folder = None if folder is None else require_path(folder)
        if code:
            session = _resume_session(code)
        else:
            found = None if new else _find_newest_session(title)
            session = found or start_session(title=title, language=language, network=not self._is_bridged, port=port, folder=folder)
        self._connection = SessionConnection(session)
        if self._is_bridged:
            self._look_for_jupyter()
        if plan is not None and self.state["plan"] is None:
            self.load_plan(plan)

    @property
    def code(self) -> str:
        """The code of the room, such as `"K7PWQ3"`."""
        return self._connection.code

    @property
    def state(self) -> JsonObject:
        """All that the teacher's panel shows: phase, counts, people, the question, the board."""
        return self._connection.get_state()

    def _send(self, do: str, **details: object) -> None:
        """Send a command to the session."""
        self._connection.send_command({"do": do, **details})

    # --- Links ---

    @property
    def link(self) -> str:
        """The address for students' browsers. It has the code, and the QR code leads to it."""
        if self._is_bridged and not self._page_url:
            self._look_for_jupyter()
        if self._is_bridged and not self._page_url and jupyter_links.is_in_hub():
            raise RoomError(
                "the hub does not say its public address; show the room in a notebook first (write room in the last line of a cell), "
                "or give the address: room.set_link('https://hub.example.org/user/ann/')"
            )
        return str(self.state["links"]["join"])

    @property
    def teacher_link(self) -> str:
        """The address of the projector page, for a browser on this computer.

        It has a secret, so don't show it to students.
        """
        return str(self.state["links"]["teacher"])

    def set_link(self, url: str) -> None:
        """Say at which address students see your Jupyter server, if the room can't find it out."""
        if not jupyter_links.is_page_url(url):
            raise RoomError(f"{short_repr(url)} is not the address of a Jupyter server, such as 'https://hub.example.org/user/ann/'")
        link = jupyter_links.build_session_link(url, self.code)
        if link != self._page_url:
            self._send("set_link", link=link)
            self._page_url = link

    def _note_page_url(self, url: str) -> None:
        """Note at which address the teacher's browser sees the Jupyter server.

        In a hub, students use the same address.
        """
        is_local = (urlsplit(url).hostname or "") in {"localhost", "127.0.0.1", "::1"}
        if self._is_bridged and jupyter_links.is_page_url(url) and not (self._page_url and is_local):
            self.set_link(url)

    def _look_for_jupyter(self) -> None:
        """Find the Jupyter server through which students come, and check that it lets them in."""
        server = jupyter_links.find_jupyter_server()
        if server is None:
            return
        if server.local_url and not jupyter_links.has_extension(server.local_url, self.code):
            warnings.warn(
                f"the Jupyter server at {server.local_url} does not let students in. If you have just installed durak_widget, "
                "restart the server; or else start it in the environment in which durak_widget is installed",
                stacklevel=3,
            )
        if server.public_url:
            self.set_link(server.public_url)

    # --- What a teacher does ---

    def ask(self, game: object = None, **options: object) -> Confirmation:
        """Ask the class a question, and return a sentence that a notebook shows.

        `game` is one of these:

        - a game tree, a matrix, or rows of payoffs, such as `[[(3, 3), (0, 5)], [(5, 0), (1, 1)]]`;
        - the name of a game from the textbooks, or the path or text of an `.efg` or `.nfg` file;
        - an exercise of a lesson;
        - `live.Guess()`, `live.PublicGoods()`, `live.FirstPriceAuction()` or `live.SecondPriceAuction()`.

        Games have the options `title`, `text`, `mix` (True if students may mix), `rows`, `columns` and `names`. Without a title, a game is
        called by its file or its players. Without `game`, the next question of the plan is asked.
        """
        if game is None and not options:
            self.next()
        else:
            self._send("ask", spec=build_spec(game, **options))
        question = self.state["question"]
        return Confirmation(f"Question {question['id']} is open: {question['title']}")

    def next(self) -> None:
        """Ask the next question: the next round of a game, or else the next step of the plan."""
        self._send("next")

    def stop(self) -> None:
        """Take no more answers, and show the class's shares on the projector."""
        self._send("stop")

    def reveal(self) -> None:
        """Show equilibria, best responses and payoffs, and each student's result on the phone."""
        self._send("reveal")

    def again(self) -> None:
        """Ask the same question again, for example after the students have talked with each other."""
        self._send("again")

    def remove(self, student: str | int) -> None:
        """Remove a student, by name or seat number; their answers stay in the data."""
        self._send("remove", seat=self._find_seat(student))

    def rename(self, student: str | int, name: str) -> None:
        """Give a student another name."""
        self._send("rename", seat=self._find_seat(student), name=name)

    def rehearse(self, count: int = 30) -> None:
        """Add simulated students, who answer every question: so you can try the hour alone."""
        number = as_whole_number(count)
        if number is None or not 1 <= number <= MAX_SIMULATED:
            raise RoomError(f"rehearse needs a number of students from 1 to {MAX_SIMULATED}, not {short_repr(count)}")
        self._send("rehearse", count=number)

    def dismiss_simulated(self) -> None:
        """Remove all simulated students."""
        self._send("dismiss_simulated")

    def load_plan(self, plan: object) -> None:
        """Load the questions of an hour.

        `plan` is a plan from `PLANS` or its name, a list of questions, or a `.json` file with a plan.
        """
        self._send("set_plan", **build_plan(plan))

    def end(self) -> None:
        """End the room: students see that it is over. Its data stay."""
        if not self._connection.has_ended:
            self._send("end")
            self._connection.has_ended = True

    def _find_seat(self, student: str | int) -> int:
        """Return the seat of a student who is named by name or seat number."""
        people = self.state["people"]
        number = as_whole_number(student)
        seats = [
            person["seat"]
            for person in people
            if person["seat"] == number or (isinstance(student, str) and person["name"] == student.strip())
        ]
        if len(seats) == 1:
            return int(seats[0])
        if len(seats) > 1:
            raise RoomError(f"{len(seats)} students are called {short_repr(student)}; give a seat number: {', '.join(map(str, seats))}")
        hint = suggest_nearest(student, [person["name"] for person in people])
        raise RoomError(f"there is no student {short_repr(student)} in the room.{hint} room.state['people'] lists them all")

    # --- Data ---

    def rows(self, names: bool = False, *, simulated: bool = False) -> list[dict[str, Any]]:  # noqa: FBT001, FBT002 - as to_pandas has it
        """Return the answers as rows of a table, one dict for each choice.

        `durak_widget.live.data_rows.COLUMNS` says what is in the columns. The rows have students' names only with `names=True`, and
        answers of simulated students only with `simulated=True`.
        """
        from durak_widget.live.data_rows import build_rows  # noqa: PLC0415 - a room that only runs needs no data

        return build_rows(self._connection.get_log(), names=names, simulated=simulated)

    def scores(self, names: bool = False, *, simulated: bool = False) -> list[dict[str, Any]]:  # noqa: FBT001, FBT002 - as rows has it
        """Return the total of each student's points, the best first, as the panel shows it.

        Each is a dict with `seat`, `points` and `answered`, the number of questions answered; with `names=True` also with `name`. A total
        has the points of all revealed questions. If a question was asked again, only the student's last answer counts.
        """
        from durak_widget.live.data_rows import build_scores  # noqa: PLC0415 - as in rows

        return build_scores(self._connection.get_log(), names=names, simulated=simulated)

    def to_pandas(self, names: bool = False, *, simulated: bool = False) -> Any:  # noqa: ANN401, FBT001, FBT002 - pandas may be absent
        """Return the answers as a pandas table, as `rows` does."""
        try:
            with explain_missing_packages():
                import pandas as pd  # noqa: PLC0415 - only here
        except MissingPackageError as error:
            raise MissingPackageRoomError(str(error)) from error
        return pd.DataFrame(self.rows(names, simulated=simulated))

    def save(self, path: str | PathLike[str], names: bool = False, *, simulated: bool = False) -> None:  # noqa: FBT001, FBT002 - as above
        """Save the answers, or all that happened.

        A `.csv` file has the table that `rows` returns, with names only with `names=True`. A `.jsonl` file has the whole log of the room, with all names.
        """
        name = require_path(path)
        if name.lower().endswith(".csv"):
            from durak_widget.live.data_rows import format_rows  # noqa: PLC0415 - as in rows

            replace_text(name, format_rows(self.rows(names, simulated=simulated), names=names))
        elif name.lower().endswith(".jsonl"):
            replace_text(name, self._connection.get_log(), private=True)
        else:
            raise RoomError(f"a room is saved as .csv (its answers) or .jsonl (all that happened), not as {short_repr(name)}")

    def strategy(self, *, simulated: bool = True) -> Strategy:
        """Return how the class plays the last game, as a strategy of its tree.

        A blackboard shows it: `board.Tree(tree).strategy = room.strategy()`.
        """
        from durak_widget.live.data_rows import build_strategy  # noqa: PLC0415 - as in rows

        return build_strategy(self._connection.get_log(), simulated=simulated)

    # --- Display ---

    def __repr__(self) -> str:
        return f"Room({self.code!r})"

    def __str__(self) -> str:
        try:
            link = self.link
        except RoomError as error:
            return f"{self.code}\n{error}"
        return f"{self.code}\n{self.state['links']['short']}\n{draw_qr_code(link)}"

    def _repr_mimebundle_(self, **options: Any) -> Any:  # noqa: ANN401 - as IPython has it
        if not is_installed("anywidget"):
            return {"text/plain": str(self)}
        if self._panel is None:
            self._panel = RoomPanel(self._connection, weakref.WeakMethod(self._note_page_url))
            weakref.finalize(self, self._panel.close)
        self._panel.start()
        bundle = self._panel.widget._repr_mimebundle_(**options)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle or {}, {})
        return {**data, "text/plain": repr(self)}, metadata

    def __enter__(self) -> Room:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.end()


def _choose_language(language: str | None) -> str:
    """Return the language of the projector: the given one, or the user's."""
    if language is None:
        language = get_language()
        return language if language in LANGUAGES else "en"
    if language not in LANGUAGES:
        raise RoomError(f"a room has the languages {', '.join(LANGUAGES)}, not {short_repr(language)}")
    return language


def _resume_session(code: str) -> SessionInfo:
    """Return the session with a code, after starting it again if it does not run."""
    known_code = normalize_code(code) if isinstance(code, str) else None
    if known_code is None:
        raise RoomError(f"{short_repr(code)} is not the code of a room; a code has six letters or digits, such as 'K7PWQ3'")
    session = find_session(known_code)
    if session is None and known_code not in {stopped.code for stopped in list_sessions(with_stopped=True)}:
        codes = rooms()
        running = f"these run: {', '.join(codes)}" if codes else "no room runs; live.Room() starts one"
        raise RoomError(f"there is no room {known_code} on this computer; {running}")
    return session or start_session(known_code)


def _find_newest_session(title: str) -> SessionInfo | None:
    """Return the newest session to which a teacher probably wants to return.

    It has the title, if there is one. It has not ended, and it does not belong to a class that was here some hours ago.
    """
    for session in list_sessions():
        try:
            state = TeacherClient(session.teacher_port, session.secret).get_state()
            idle_seconds = time() - session.log.stat().st_mtime
        except (DurakError, OSError):
            continue
        is_forgotten = idle_seconds > FORGOTTEN_SECONDS and bool(state["people"])
        if state["phase"] != "ended" and not is_forgotten and (not title or state["title"] == title):
            return session
    return None
