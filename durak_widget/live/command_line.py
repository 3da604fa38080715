"""The command line `durak-class`: run a live class session without a notebook.

It starts a session in a process of its own, shows the code, the links and a QR code, and then says who is here until you press Ctrl-C.
"""

from __future__ import annotations

import io
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import TYPE_CHECKING

from durak_widget.atomic_files import save_text
from durak_widget.errors import DurakError, short_repr, suggest_nearest
from durak_widget.live.process import SessionInfo, find_session, list_sessions, start_session
from durak_widget.live.session_links import draw_qr_code
from durak_widget.live.teacher_client import NoAnswerError, TeacherClient

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from durak_widget.live.question import JsonObject


def main(arguments: Sequence[str]) -> int:
    """Run the command; return exit code 0 for success, 1 for failure, 2 for wrong usage."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # Some consoles can't print every character, so these characters are replaced
    try:
        options = _parse_options(arguments)
        if options.list:
            return _print_sessions()
        if options.end is not None:
            return _end_session(_require_session(options.end))
        if options.data is not None:
            return _write_data(*options.data, names=options.names)
        return _run_session(options)
    except SystemExit as exit_request:  # The argument parser has already printed the error
        return int(exit_request.code or 0)
    except DurakError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command prints its errors
        return 1
    except OSError as error:
        print(f"{error.filename or 'durak-class'}: {error.strerror or type(error).__name__}", file=sys.stderr)  # noqa: T201 - as above
        return 1


def _parse_options(arguments: Sequence[str]) -> Namespace:
    parser = ArgumentParser("durak-class", description="Run a live class session: students answer from their phones.")
    parser.add_argument("--plan", metavar="NAME", help="a plan of questions that is ready to run, such as pennies or beer-quiche")
    parser.add_argument("--title", default="", help="the heading on the projector")
    parser.add_argument("--language", default="en", choices=("en", "lt", "ru"), help="the language of the projector (en)")
    parser.add_argument("--port", type=int, default=0, help="the port for students (any that is free)")
    parser.add_argument(
        "--host", default="", metavar="NAME", help="the name or address for the link, if the one that is shown does not work"
    )
    parser.add_argument("--local", action="store_true", help="let only browsers on this computer join")
    parser.add_argument("--open", action="store_true", help="open the projector in the browser")
    parser.add_argument("--resume", metavar="CODE", help="go on with a session, also after its process has ended")
    parser.add_argument("--list", action="store_true", help="list the sessions on this computer")
    parser.add_argument("--end", metavar="CODE", help="end a session")
    parser.add_argument("--data", nargs=2, metavar=("CODE", "FILE.csv"), help="write all answers of a session as a table")
    parser.add_argument("--names", action="store_true", help="with --data: write the students' names, too")
    parser.add_argument("--detach", action="store_true", help="return at once; the session goes on")
    return parser.parse_args(list(arguments))


def _run_session(options: Namespace) -> int:
    """Start a session, show how to join, and stay until Ctrl-C."""
    plan = None if options.plan is None else _find_plan(options.plan)
    session = start_session(
        options.resume or "",
        title=options.title,
        language=options.language,
        network=not options.local,
        port=options.port,
        host=options.host,
    )
    client = TeacherClient(session.teacher_port, session.secret)
    if plan is not None:
        client.send_command({"do": "set_plan", **plan})
    print(format_invitation(session), flush=True)  # noqa: T201 - the command prints how to join
    if options.open:
        import webbrowser  # noqa: PLC0415 - only for this option

        webbrowser.open(session.teacher_link)
    if options.detach:
        print(_format_way_back(session.code))  # noqa: T201 - as above
        return 0
    return _watch(session, client)


def format_invitation(session: SessionInfo) -> str:
    """Return the code, the links and a QR code for the terminal."""
    return "\n".join(
        [
            "",
            draw_qr_code(session.link),
            "",
            f"  Code:       {session.code}",
            f"  Students:   {session.short_link}",
            f"  Projector:  {session.teacher_link}",
            "",
            "Students scan the QR code, or type the address. Keep the projector's link to yourself: it controls the session.",
            "Press Ctrl-C to leave or to end the session.",
        ]
    )


def _watch(session: SessionInfo, client: TeacherClient) -> int:
    """Say who is here until Ctrl-C or the end of the session."""
    is_terminal = sys.stdout.isatty()
    shown = ""
    try:
        state = client.get_state()
        while state["phase"] != "ended":
            line = _format_status(state)
            if line != shown:
                print(f"\r\x1b[K{line}" if is_terminal else line, end="" if is_terminal else "\n", flush=True)  # noqa: T201 - as above
                shown = line
            state = client.wait_for_state(state["revision"])
    except KeyboardInterrupt:
        return _leave(session, client)
    except NoAnswerError:
        print(f"\nThe session's process has ended. {_format_way_back(session.code)}")  # noqa: T201 - as above
        return 1
    print(f"\nThe session has ended. {_format_data_hint(session.code)}")  # noqa: T201 - as above
    return 0


def _format_status(state: JsonObject) -> str:
    """Return a line such as `23 students here; question 2 (open): 17 of 23 answered`."""
    counts, question = state["counts"], state["question"]
    here = "1 student here" if counts["here"] == 1 else f"{counts['here']} students here"
    if question is None:
        return here
    return f"{here}; question {question['id']} ({state['phase']}): {counts['answered']} of {counts['expected']} answered"


def _leave(session: SessionInfo, client: TeacherClient) -> int:
    """Ask whether to end the session; without a terminal, it goes on."""
    answer = ""
    if sys.stdin.isatty():
        try:
            answer = input("\nEnd the session? Students can't answer any more then. [y/N] ")
        except (KeyboardInterrupt, EOFError):
            answer = ""
    if answer.strip().lower() in ("y", "yes"):
        client.send_command({"do": "end"})
        print(f"The session has ended. {_format_data_hint(session.code)}")  # noqa: T201 - as above
    else:
        print(f"\nThe session goes on. {_format_way_back(session.code)}")  # noqa: T201 - as above
    return 0


def _format_way_back(code: str) -> str:
    return f"Go on with it: durak-class --resume {code}. End it: durak-class --end {code}."


def _format_data_hint(code: str) -> str:
    return f"Save the answers: durak-class --data {code} answers.csv"


def _find_plan(name: str) -> JsonObject:
    from durak_widget.live.plans import PLANS  # noqa: PLC0415 - only for this option

    if name not in PLANS:
        raise DurakError(f"there is no plan {short_repr(name)}.{suggest_nearest(name, PLANS)} There are: {', '.join(PLANS)}")
    plan: JsonObject = PLANS[name].to_json()
    return plan


def _require_session(code: str) -> SessionInfo:
    session = find_session(code)
    if session is None:
        raise DurakError(f"no class session {short_repr(code)} runs on this computer; durak-class --list lists them")
    return session


def _print_sessions() -> int:
    from datetime import datetime  # noqa: PLC0415 - only for this option

    sessions = list_sessions(with_stopped=True)
    for session in sessions:
        started = datetime.fromtimestamp(session.started).astimezone().strftime("%Y-%m-%d %H:%M")
        status = session.short_link if session.is_running else f"stopped; durak-class --resume {session.code} starts it again"
        print(f"{session.code}  {started}  {status}")  # noqa: T201 - the command prints a list
    if not sessions:
        print("There are no class sessions on this computer. durak-class starts one.")  # noqa: T201 - as above
    return 0


def _end_session(session: SessionInfo) -> int:
    TeacherClient(session.teacher_port, session.secret).send_command({"do": "end"})
    print(f"The session has ended. {_format_data_hint(session.code)}")  # noqa: T201 - a command reports what it did
    return 0


def _write_data(code: str, path: str, *, names: bool) -> int:
    """Write all answers of a session, running or not, as CSV."""
    from durak_widget.live.data_rows import build_rows, format_rows  # noqa: PLC0415 - only for this option
    from durak_widget.live.request_checks import normalize_code  # noqa: PLC0415 - as above

    wanted = normalize_code(code)
    session = next((session for session in list_sessions(with_stopped=True) if session.code == wanted), None)
    if session is None:
        raise DurakError(f"there is no class session {short_repr(code)} on this computer; durak-class --list lists them")
    rows = build_rows(Path(session.log).read_text(encoding="utf-8"), names=names)
    save_text(path, format_rows(rows, names=names))
    print(f"{path}: {len(rows)} rows")  # noqa: T201 - as above
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
