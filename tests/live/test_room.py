"""Test the room of a teacher in Python, against real processes of sessions."""

from __future__ import annotations

import csv
import gc
import json
import os
import subprocess
import sys
import threading
import time
import weakref
from types import SimpleNamespace

import pytest

from durak_widget import gametheory, lessons, live
from durak_widget.live import jupyter_links, room_display
from durak_widget.live import room as room_module
from durak_widget.live.process import find_session, list_sessions, start_session
from durak_widget.live.question import SpecError
from durak_widget.live.room_questions import build_plan, build_spec
from durak_widget.live.session_links import draw_qr_code
from durak_widget.live.teacher_client import RoomError

PENNIES = [[(1, -1), (-1, 1)], [(-1, 1), (1, -1)]]
PATIENCE = 30


@pytest.fixture
def home(monkeypatch, tmp_path):
    """Use a registry of sessions of this test only, and end its processes."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path / "home"))
    for name in ("JUPYTERHUB_SERVICE_PREFIX", "JUPYTERHUB_PUBLIC_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(jupyter_links, "list_running_servers", list)
    yield tmp_path
    for session in list_sessions():
        os.kill(session.pid, 9)


@pytest.fixture
def room(home):
    """Return a room on this machine only."""
    return live.Room(network=False)


def wait_until(condition):
    """Wait until a condition holds, and return its value."""
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < deadline, "nothing happened"
        threading.Event().wait(0.02)
    return value


def some_answered(room):
    """Return how many have answered."""
    return room.state["counts"]["answered"]


def test_a_cell_that_runs_again_returns_to_the_room(room):
    """So does a kernel that starts again; a new room must be asked for."""
    assert live.Room().code == room.code
    assert live.Room(room.code.lower()).code == live.Room(f" {room.code[:3]}-{room.code[3:]} ").code == room.code
    other = live.Room(new=True, network=False)
    assert other.code != room.code
    assert live.Room().code == other.code
    assert live.rooms() == [other.code, room.code]


def test_a_room_that_is_over_is_not_returned_to(room):
    """Nor is the room of a class that was here hours ago; its code still leads to it."""
    other = live.Room(new=True, network=False)
    other.end()
    assert live.Room(network=False).code == room.code
    room.rehearse(2)
    log = find_session(room.code).log
    hours_ago = time.time() - room_module.FORGOTTEN_SECONDS - 9
    os.utime(log, (hours_ago, hours_ago))
    newest = live.Room(network=False)
    assert newest.code not in {room.code, other.code}
    assert live.Room(room.code).state["counts"]["joined"] == 2


def test_a_title_finds_the_room_of_a_course(home):
    """Two courses on one day don't meet."""
    first, second = (live.Room(title=title, network=False) for title in ("Game theory", "Industrial organisation"))
    assert first.code != second.code
    assert first.state["title"] == "Game theory"
    assert live.Room(title="Game theory").code == first.code


@pytest.mark.parametrize("code", ["ABC", "K7PWQ3X", "K7PWQ!", 7])
def test_an_impossible_code_is_refused(home, code):
    """The message says what a code looks like."""
    with pytest.raises(RoomError, match="is not the code of a room"):
        live.Room(code)


def test_an_unknown_code_is_refused_with_the_rooms_that_run(room):
    """A teacher has mistyped it, or is at another computer."""
    unknown = "BBBBBB" if room.code != "BBBBBB" else "CCCCCC"
    with pytest.raises(RoomError, match=f"no room {unknown}.*{room.code}"):
        live.Room(unknown)
    with pytest.raises(RoomError, match="en, lt, ru"):
        live.Room(language="fr")


@pytest.mark.slow
def test_a_room_whose_process_was_killed_starts_again(room):
    """Students, answers and ports are as before; any use of the room starts it."""
    room.rehearse(30)
    room.ask(PENNIES)
    wait_until(lambda: some_answered(room))
    before, link = find_session(room.code), room.link
    os.kill(before.pid, 9)
    assert room.state["counts"]["joined"] == 30
    assert room.link == link
    os.kill(find_session(room.code).pid, 9)
    room.stop()
    assert room.state["phase"] == "stopped"
    count = some_answered(room)
    os.kill(find_session(room.code).pid, 9)
    assert len({row["seat"] for row in room.rows(simulated=True)}) == count > 0
    assert live.Room(room.code).state["phase"] == "stopped"


def test_many_rooms_at_once_start_one_process(room):
    """Three notebooks may return to one room in the same moment."""
    os.kill(find_session(room.code).pid, 9)
    found, gate = [], threading.Barrier(3)

    def return_to_room():
        gate.wait()
        found.append(live.Room(room.code).state["code"])

    threads = [threading.Thread(target=return_to_room) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert found == [room.code] * 3
    assert live.rooms() == [room.code]


@pytest.mark.slow
def test_a_room_outlives_the_program_that_started_it(home):
    """Even a kernel that is killed leaves the class where it was."""
    program = """
from durak_widget import live
import os, signal
room = live.Room(network=False)
room.rehearse(2)
print(room.code, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=home)
    room = live.Room()
    assert room.code == done.stdout.strip(), done.stderr
    assert room.state["counts"]["joined"] == 2


@pytest.mark.slow
def test_a_whole_hour_from_the_keyboard(room, tmp_path):
    """A plan, questions of every kind, both attempts, and the data at the end."""
    room.load_plan([{"spec": build_spec(PENNIES, title="Pennies"), "again": True}, live.Guess(rounds=1)])
    room.rehearse(40)
    room.ask()
    wait_until(lambda: some_answered(room))
    room.stop()
    assert room.state["board"]["groups"]
    room.again()
    wait_until(lambda: some_answered(room))
    room.reveal()
    assert room.state["phase"] == "revealed"
    strategy = room.strategy()
    assert [sum(row) for row in strategy.rows] == [1, 1]
    room.next()
    wait_until(lambda: some_answered(room))
    room.reveal()
    rows = room.rows(simulated=True)
    assert {row["question"] for row in rows} == {1, 2, 3}
    assert {row["attempt"] for row in rows if row["question"] == 2} == {2}
    assert room.rows() == [], "the answers of simulated students are not those of the class"
    room.save(tmp_path / "answers.csv", simulated=True)
    with (tmp_path / "answers.csv").open(encoding="utf-8-sig", newline="") as file:
        table = [*csv.DictReader(file)]
    assert len(table) == len(rows)
    assert "name" not in table[0]
    room.save(tmp_path / "named.csv", names=True, simulated=True)
    assert "name" in (tmp_path / "named.csv").read_text(encoding="utf-8-sig").splitlines()[0]
    room.save(tmp_path / "log.jsonl")
    assert json.loads((tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()[0])["code"] == room.code
    with pytest.raises(RoomError, match="csv"):
        room.save(tmp_path / "answers.xlsx")
    room.end()
    assert len(room.rows(simulated=True)) == len(rows)
    scores = room.scores(names=True, simulated=True)
    panel = {person["name"]: float(person["points"].replace("−", "-") or 0) for person in room.state["people"]}
    assert {row["name"]: row["points"] for row in scores} == pytest.approx(panel, abs=0.005)
    assert room.scores() == []


def test_students_are_named_by_name_or_seat(room):
    """A name that nobody has, or several have, changes nothing."""
    room.rehearse(3)
    first, second, third = room.state["people"]
    room.rename(first["name"], "Ann")
    room.rename(second["seat"], "Bob")
    assert {person["name"] for person in room.state["people"]} == {"Ann", "Bob", third["name"]}
    room.remove("Ann")
    with pytest.raises(RoomError, match="Did you mean 'Bob'"):
        room.remove("Bobb")
    with pytest.raises(RoomError, match="no student 99"):
        room.remove(99)
    assert len(room.state["people"]) == 2
    room.dismiss_simulated()
    assert room.state["people"] == []


def test_an_impossible_number_of_simulated_students_is_refused(room):
    """It never reaches the session."""
    for count in (0, -1, True, "30", 1.5, 10**9):
        with pytest.raises(RoomError, match="1 to"):
            room.rehearse(count)
    assert room.state["counts"]["joined"] == 0


def test_a_bad_question_is_refused_and_the_room_goes_on(room):
    """The message of the game's parser comes back."""
    with pytest.raises(ValueError, match="riddle"):
        room.ask({"kind": "riddle"})
    with pytest.raises(SpecError):
        room.ask([[1, 2], [3]])
    with pytest.raises(RoomError):
        room.stop()
    shown = room.ask(PENNIES, title="Pennies")
    assert room.state["phase"] == "open"
    assert "Pennies" in shown
    assert repr(shown) == shown, "a notebook shows it without quotation marks"


def test_a_notebook_shows_a_refusal_without_a_traceback(room, capsys):
    """The sentence alone is shown; other programs get an ordinary exception."""
    shells = pytest.importorskip("IPython.core.interactiveshell")
    shell = shells.InteractiveShell.instance()
    try:
        for cell, name in (("room.stop()", "RoomError"), ("room.to_pandas()", "MissingPackageError")):
            capsys.readouterr()
            with pytest.MonkeyPatch.context() as patch:
                patch.setitem(sys.modules, "pandas", None)
                done = shell.run_cell(cell) if shell.push({"room": room}) is None else None
            assert name in {kind.__name__ for kind in type(done.error_in_exec).__mro__}
            assert [*filter(None, "".join(capsys.readouterr()).splitlines())] == [str(done.error_in_exec)]
    finally:
        shells.InteractiveShell.clear_instance()


def test_a_room_that_is_over_takes_no_commands(room):
    """Ending it again does nothing; other commands say how to start another one."""
    with room as same:
        assert same is room
    room.end()
    with pytest.raises(RoomError):
        room.rehearse(2)
    os.kill(find_session(room.code).pid, 9)
    with pytest.raises(RoomError, match="new=True"):
        room.next()


def test_a_plan_that_a_cell_gives_again_does_not_start_anew(home):
    """The class goes on with its plan where it was."""
    room = live.Room(plan="pennies", network=False)
    room.rehearse(2)
    room.next()
    plan = live.Room(plan="pennies").state["plan"]
    assert plan["steps"][0]["is_current"]


# --- Questions ---


def test_every_kind_of_question_has_a_spec(tmp_path):
    """Trees, matrices, files, exercises, numbers and specs."""
    tree = gametheory.textbook("entry")
    path = tmp_path / "entry.efg"
    path.write_text(gametheory.to_efg(tree), encoding="utf-8")
    games = [tree, gametheory.matrix(tree), PENNIES, "entry", path, str(path), gametheory.to_efg(tree)]
    assert {build_spec(game)["kind"] for game in games} == {"game"}
    assert build_spec(lessons.Number("2 + 2?", 4))["kind"] == "exercise"
    assert build_spec(live.PublicGoods())["kind"] == "public_goods"
    assert build_spec({"kind": "guess", "rounds": 2}) == {"kind": "guess", "rounds": 2}


def test_a_game_without_a_title_gets_one(tmp_path):
    """Two questions of a teacher don't look the same in the list of questions."""
    untitled = tmp_path / "newcomer.efg"
    untitled.write_text(gametheory.to_efg(gametheory.textbook("entry")).replace("Entry deterrence", ""), encoding="utf-8")
    assert build_spec(untitled)["title"] == build_spec(str(untitled))["title"] == "newcomer"
    assert "title" not in build_spec(gametheory.textbook("entry")), "the tree has a title"
    assert "title" not in build_spec("entry")
    named = build_spec(PENNIES, names=["Ann", "Bob"])["title"]
    assert all({"Ann", "Bob"} <= {*title.split()} for title in named.values())
    assert len({*build_spec(PENNIES)["title"].values()}) == len(named)
    assert build_spec(PENNIES, names=["Ann", "Bob"], title="Coins")["title"] == "Coins"


def test_options_that_a_question_does_not_have_are_refused():
    """They would be lost without a word."""
    for question in (live.Guess(), lessons.Number("2 + 2?", 4), {"kind": "guess"}):
        with pytest.raises(SpecError, match="title"):
            build_spec(question, title="x")


def test_plans_come_from_names_lists_and_files(tmp_path):
    """A file has the same form as `Plan.to_json`."""
    by_name = build_plan("pennies")
    assert by_name == build_plan(live.PLANS["pennies"])
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(by_name), encoding="utf-8")
    assert build_plan(path) == build_plan(str(path)) == by_name
    assert len(build_plan([live.Guess(), PENNIES])["steps"]) == 2
    for wrong in ([], {}, 3, tmp_path / "absent.json", "penies"):
        with pytest.raises(SpecError):
            build_plan(wrong)
    path.write_text("[", encoding="utf-8")
    with pytest.raises(SpecError, match="cannot be read"):
        build_plan(path)


# --- Links ---


def test_the_link_goes_through_the_hub(home, monkeypatch):
    """There, the machine itself cannot be reached, and the room is closed to the network."""
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/ann/")
    monkeypatch.setenv("JUPYTERHUB_PUBLIC_URL", "https://hub.org/user/ann/")
    room = live.Room()
    assert room.link.startswith(f"https://hub.org/user/ann/durak/{room.code}/?t=")
    assert room.state["links"]["short"] == f"hub.org/user/ann/durak/{room.code}"
    os.kill(find_session(room.code).pid, 9)
    assert room.link == live.Room().link


def test_a_hub_that_does_not_say_its_address_is_known_from_the_browser(home, monkeypatch):
    """Until then, the room says what to do; the address of the teacher's own machine never replaces a public one."""
    monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/ann/")
    room = live.Room()
    with pytest.raises(RoomError, match="set_link"):
        _ = room.link
    assert room.code in str(room)
    for url in ("javascript:alert(1)", "https://hub.org/user/ann/?token=secret", "https://a:b@hub.org/"):
        room._note_page_url(url)
        with pytest.raises(RoomError, match="not the address"):
            room.set_link(url)
    room._note_page_url("https://hub.org/user/ann/")
    room._note_page_url("http://localhost:8000/user/ann/")
    assert room.link.startswith(f"https://hub.org/user/ann/durak/{room.code}/?t=")


def test_a_jupyter_server_that_lets_nobody_in_is_reported(home, monkeypatch):
    """It was started before the package was installed, or elsewhere."""
    server = {"url": "http://localhost:9/base/", "hostname": "localhost", "port": 9, "pid": os.getppid()}
    monkeypatch.setattr(jupyter_links, "list_running_servers", lambda: [server])
    with pytest.warns(UserWarning, match="restart the server"):
        room = live.Room(network=False)
    assert room.link.startswith(f"http://localhost:9/base/durak/{room.code}/?t=")


@pytest.mark.parametrize(
    ("server", "local", "public"),
    [
        ({"url": "http://localhost:8888/", "hostname": "localhost"}, "http://localhost:8888/", "http://localhost:8888/"),
        ({"url": "http://x:8888/a/", "hostname": "0.0.0.0"}, "http://127.0.0.1:8888/a/", "http://10.0.0.7:8888/a/"),  # noqa: S104 - a name
        ({"url": "http://lab.org:8888/", "hostname": "lab.org"}, "http://lab.org:8888/", "http://lab.org:8888/"),
    ],
)
def test_the_address_of_the_jupyter_server_fits_the_network(monkeypatch, server, local, public):
    """A server on all interfaces is reached at this machine's own address."""
    monkeypatch.setattr(jupyter_links, "list_running_servers", lambda: [{"port": 8888, **server}])
    monkeypatch.setattr(jupyter_links, "find_addresses", lambda: ["10.0.0.7"])
    monkeypatch.delenv("JUPYTERHUB_SERVICE_PREFIX", raising=False)
    assert jupyter_links.find_jupyter_server() == (local, public)


def test_servers_that_have_ended_are_not_listed(monkeypatch, tmp_path):
    """A server that was killed leaves its file behind; other files there are not about servers."""
    pytest.importorskip("jupyter_core")
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    servers = {
        "1": {"pid": os.getpid(), "url": "http://localhost:8888/"},
        "2": {"pid": ended.pid, "url": "http://localhost:8889/"},
        "3": [],
    }
    for name, server in servers.items():
        (tmp_path / f"jpserver-{name}.json").write_text(json.dumps(server), encoding="utf-8")
    (tmp_path / "jpserver-4.json").write_text("{", encoding="utf-8")
    assert [server["url"] for server in jupyter_links.list_running_servers()] == ["http://localhost:8888/"]


def test_a_room_on_the_network_has_the_address_of_this_machine(home):
    """The projector's link is for this machine only."""
    room = live.Room()
    assert f"/{room.code}/" in room.link
    assert room.teacher_link.startswith("http://127.0.0.1:")


# --- Display ---


def test_the_qr_code_as_text_is_the_qr_code():
    """Each character is two modules, and blocks are light."""
    segno = pytest.importorskip("segno")
    link = "http://192.168.1.5:8700/K7PWQ3/?t=x"
    light = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
    drawn = []
    for line in draw_qr_code(link).splitlines():
        drawn += [[light[char][half] for char in line] for half in (0, 1)]
    rows = [[not dark for dark in row] for row in segno.make(link, error="m", micro=False).matrix_iter(border=2)]
    assert drawn[: len(rows)] == rows


def test_without_a_notebook_a_room_is_text(room, monkeypatch):
    """It has the code, the address to type, and a QR code."""
    text = str(room)
    assert text.startswith(room.code)
    assert room.state["links"]["short"] in text
    assert "▀" in text
    assert repr(room) == f"Room({room.code!r})"
    monkeypatch.setattr(room_module, "is_installed", lambda _: False)
    assert room._repr_mimebundle_() == {"text/plain": text}


def test_a_missing_package_is_named(home, monkeypatch):
    """The message says what to install."""
    monkeypatch.setitem(sys.modules, "segno", None)
    with pytest.raises(gametheory.MissingPackageError, match=r"durak_widget\[live\]"):
        live.Room()


@pytest.fixture
def panel(room):
    """Return the panel of a room in a notebook; its widget keeps what it sends."""
    pytest.importorskip("anywidget")
    data, _ = room._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/plain"] == repr(room)
    panel = room._panel
    panel.widget.sent = []
    panel.widget.send = panel.widget.sent.append
    yield panel
    panel.close()
    panel._watcher.join(PATIENCE)
    panel.widget.close()


def test_the_panel_follows_the_room(room, panel):
    """Another program, such as the projector page, may change it too; one room has one panel."""
    live.Room(room.code).rehearse(5)
    wait_until(lambda: panel.widget.state["counts"]["joined"] == 5)
    room.ask(PENNIES)
    wait_until(lambda: panel.widget.state["phase"] == "open")
    room._repr_mimebundle_()
    assert room._panel is panel


def test_the_panel_runs_commands_and_replies(room, panel):
    """A refused command gets its reason; junk gets nothing."""
    for message in (None, "x", {"kind": "command"}, {"kind": "command", "command": {"do": 3}, "id": 1}, {"kind": "page", "base_url": 3}):
        panel._receive_message(None, message, [])
    panel._receive_message(None, {"kind": "command", "command": {"do": "rehearse", "count": 2}, "id": 7}, [])
    wait_until(lambda: panel.widget.sent)
    assert panel.widget.sent[0]["id"] == 7
    assert "error" not in panel.widget.sent[0]
    panel._receive_message(None, {"kind": "command", "command": {"do": "stop"}, "id": 8}, [])
    wait_until(lambda: len(panel.widget.sent) == 2)
    assert panel.widget.sent[1]["error"]
    assert room.state["counts"]["joined"] == 2


def test_the_panel_learns_the_address_of_jupyter(room, panel):
    """The browser knows it."""
    panel._receive_message(None, {"kind": "page", "base_url": "https://hub.org/user/ann/"}, [])
    wait_until(lambda: room.link.startswith(f"https://hub.org/user/ann/durak/{room.code}/?t="))


def test_the_panel_finds_a_process_that_was_killed(room, panel):
    """It says that the connection is lost, starts the process again, and goes on."""
    seen = []
    panel.widget.observe(lambda change: seen.append(change["new"]), "connected")
    os.kill(find_session(room.code).pid, 9)
    wait_until(lambda: seen == [False, True])
    room.rehearse(4)
    wait_until(lambda: panel.widget.state["counts"]["joined"] == 4)


def test_the_panel_ends_with_its_room(room, panel):
    """A thread that nobody needs would keep a kernel busy."""
    room.end()
    wait_until(lambda: panel.widget.state["phase"] == "ended")
    panel._watcher.join(PATIENCE)
    assert not panel._watcher.is_running


def test_a_room_that_nobody_has_takes_its_panel_along(home):
    """The session itself goes on."""
    pytest.importorskip("anywidget")
    room = live.Room(network=False)
    room._repr_mimebundle_()
    panel, gone, code = room._panel, weakref.ref(room), room.code
    del room
    gc.collect()
    assert gone() is None
    panel._watcher.join(PATIENCE)
    assert not panel._watcher.is_running
    assert not panel.widget.connected
    panel._receive_message(None, {"kind": "command", "command": {"do": "stop"}, "id": 1}, [])
    panel.widget.close()
    assert live.rooms() == [code]


def test_a_session_that_cannot_be_started_again_ends_the_watching(monkeypatch):
    """The thread tries some times, and gives up."""
    monkeypatch.setattr(room_display, "_RETRY_SECONDS", (0, 0, 0))
    attempts = []

    def lose(_=None):
        raise room_display.NoAnswerError("gone")

    def connect():
        attempts.append(1)
        return client if len(attempts) == 1 else lose()

    client = SimpleNamespace(wait_for_state=lose, get_state=lose, close=lambda: None)
    watcher = room_display.StateWatcher(connect, lambda _: None, lambda: None)
    watcher.join(PATIENCE)
    assert not watcher.is_running
    assert len(attempts) == 4


@pytest.mark.slow
def test_a_long_cell_does_not_stop_the_session(room):
    """While Python computes, students join and answer in the session's own process."""
    room.rehearse(30)
    room.ask(PENNIES)
    session = find_session(room.code)
    deadline = time.monotonic() + PATIENCE
    while session.log.read_text(encoding="utf-8").count('"event":"answer"') < 3 and time.monotonic() < deadline:
        sum(range(100_000))  # a long cell, which lets no other thread of the kernel do anything for the room
    assert some_answered(room) >= 3
    assert start_session(room.code).pid == session.pid
