"""Test code in the sandbox: it answers views and can do nothing else, and marking goes on."""

from __future__ import annotations

import os
import re
import socket
import sys
from fractions import Fraction
from pathlib import Path
from random import Random
from threading import active_count

import pytest

from durak_widget import Game, board, bots, gametheory, lessons
from durak_widget.errors import BotError
from durak_widget.sandbox import code_runner
from durak_widget.sandbox.code_runner import RESTRICTIONS, Limits, SandboxedBot, SandboxError, run_code
from support.forbidden import FORBIDDEN, REFUSED
from support.spoken import english, english_text

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's walls are those of Linux")
SHORT, LONG = Limits(0.3, 300), Limits(20, 300)
VIEW = Game(seed=7).view(0)
FIRST = "def choose(view):\n    return str(view.legal_moves()[0])\n"
FINE = str(VIEW.legal_moves()[0])


def error_of(code: str, without: tuple[str, ...] = (), limits: Limits = LONG) -> str:
    """Return the error of that code; it must not answer."""
    outcome = run_code(code, [VIEW], limits, without=without)
    assert outcome.answers is None
    return str(outcome.error)


def check_marking_continues() -> None:
    """Check that this process works and the next code runs."""
    assert run_code(FIRST, [VIEW]).answers == (FINE,)


def test_sets_have_the_same_order_in_every_process() -> None:
    """Code that loops over a set of texts plays the same game again."""
    code = "def choose(view):\n    return ' '.join(set(map(str, range(20))))\n"
    found = set()
    for _ in range(2):
        code_runner._close_idle_supervisors()  # so that a new supervisor starts
        found.add(run_code(code, [VIEW]).answers)
    assert len(found) == 1


def test_code_can_answer_views_in_many_forms() -> None:
    """Test moves, texts and probabilities, from functions, objects and classes, with and without `rng`."""
    for code, value in {
        FIRST: FINE,
        "def choose(view):\n    return view.legal_moves()[0]": FINE,
        "def mine(view):\n    return view.legal_moves()[0]": FINE,
        "def helper(view):\n    return 1\ndef mine(view):\n    return view.legal_moves()[0]": FINE,
        "class choose:\n    def choose(self, view, rng):\n        return view.legal_moves()[0]": FINE,
        "from fractions import Fraction\ndef choose(view):\n    return {'a': Fraction(1, 3), 'b': 0.5, 'c': 1, 'd': '25%'}": {
            "a": "1/3",
            "b": 0.5,
            "c": 1,
            "d": "25%",
        },
        "def choose(view):\n    return [0, 1.0]": [0, 1.0],
        "def choose(view, rng):\n    return str(rng.random())": str(Random(0).random()),
        "def choose(view, depth=3):\n    return str(depth)": "3",
        "print('x' * 10 ** 6)\n" + FIRST: FINE,
    }.items():
        assert run_code(code, [VIEW]) == ((value,), None), code


def test_the_length_of_an_answer_is_limited() -> None:
    """Two hundred probabilities or a move of sixty characters are allowed; one more is an error."""
    answers = "{str(i): 0.0 for i in range(%d)}", "[0.0] * %d", "'a' * %d"
    whole = [answer % most for answer, most in zip(answers, (200, 200, 60), strict=True)]
    value = run_code(f"answers = iter([{', '.join(whole)}])\ndef choose(view):\n    return next(answers)", [VIEW] * 3).answers
    assert [len(answer) for answer in value] == [200, 200, 60]
    assert english("class.code.answer").search(error_of(f"def choose(view):\n    return {answers[0] % 201}"))


def test_sandboxed_code_plays_whole_games() -> None:
    """It plays as outside, with randomness. Illegal moves are reported as of any bot."""
    code = "def choose(view, rng):\n    return rng.choice(view.legal_moves())"
    with SandboxedBot(code) as random_bot, SandboxedBot(FIRST) as first_bot:
        game = bots.play(Game(seed=3), [random_bot, first_bot], 3)
        assert game.outcome is not None
        assert bots.play(Game(seed=3), [random_bot, first_bot], 3).moves == game.moves
    with SandboxedBot("def choose(view):\n    return 'attack Xr'") as bot, pytest.raises(BotError, match="not legal"):
        bots.play(Game(seed=3), [bot, "first"])


def test_code_never_knows_both_hands_of_a_deal() -> None:
    """In two games with the same deal it remembers nothing of the other seat."""
    code = "seen = set()\ndef choose(view, rng):\n    seen.add(view.seat)\n    assert len(seen) == 1\n    return view.legal_moves()[0]"
    with SandboxedBot(code) as bot:
        for seat in (0, 1):
            bots.play(Game(seed=5), {seat: bot, 1 - seat: "first"}, 5)
        assert bot.error is None


def test_an_error_in_one_game_does_not_end_the_next() -> None:
    """Errors in the code itself or its time limit end all."""
    code = "def choose(view, rng):\n    assert view.seat\n    return view.legal_moves()[0]"
    second = next(game.view(1) for game in (Game(seed=seed) for seed in range(99)) if game.actor == 1)
    with SandboxedBot(code) as bot:
        for _ in range(2):
            with pytest.raises(SandboxError, match=english("class.code.raised.line", error="AssertionError", line="2")):
                bot.choose(VIEW, Random(1))
            assert bot.choose(second, Random(1)) == str(second.legal_moves()[0])
    for code, limits in {"x = (": LONG, "import time\ndef choose(view, rng):\n    time.sleep(9)": SHORT}.items():
        with SandboxedBot(code, limits) as bot:
            for _ in range(2):
                with pytest.raises(SandboxError) as error:
                    bot.choose(VIEW, Random(1))
                assert error.value is bot.error
            assert bot._processes == {}


def test_sandboxed_code_can_be_a_strategy() -> None:
    """A function of the view is judged as outside. Its errors have their sentence."""
    quiz = lessons.Strategy(pennies(), player=0)
    with SandboxedBot("def choose(view):\n    return {view.moves[0]: '3/4', view.moves[1]: '1/4'}") as code:
        assert not quiz.answer(code.choose_at)
        assert quiz.credit == Fraction(1, 2)
    with SandboxedBot("def choose(view):\n    return {view.moves[0]: 1 / 0}") as code:
        with pytest.raises(BotError):
            quiz.answer(code.choose_at)
        assert str(code.error) == english_text("class.code.raised.line", error="ZeroDivisionError (division by zero)", line="2")


def pennies() -> board.Tree:
    """Return matching pennies: player 2 does not see the first coin."""

    def look(where: str) -> object:
        if len(where) == 2:
            return gametheory.TerminalNode((1, -1) if where[0] == where[1] else (-1, 1))
        return gametheory.DecisionNode(len(where), "a coin", [("heads", where + "h"), ("tails", where + "t")])

    return gametheory.build_tree("", look, player_count=2)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("x = (", english("class.code.raised.line", error="SyntaxError ('(' was never closed)", line="1")),
        ("pass", english("class.code.nothing", code="choose(view)")),
        ("choose = 3", english("class.code.nothing", code="choose(view)")),
        ("def choose(view):\n    return 3", english("class.code.answer", said="3")),
        ("def choose(view):\n    return {'a': float('nan')}", english("class.code.answer")),
        ("def choose(view):\n    return 'x' * 61", english("class.code.answer")),
        ("def choose(view):\n    return {str(i): 1 for i in range(300)}", english("class.code.answer")),
        ("def choose(view):\n    return 10 ** 9000", re.compile(f"ValueError|{english('class.code.answer').pattern}")),
        ("def choose(view):\n    return 'x' * 70000", english("class.code.flood", most="64")),
        ("def choose(view):\n    return choose(view)", r"RecursionError \(.*\).* 2\."),
        ("raise SystemExit", english("class.code.ended")),
        ("raise KeyboardInterrupt", english("class.code.raised.line", error="KeyboardInterrupt", line="1")),
        ("import os\nos._exit(0)", english("class.code.ended")),
        ("import os\nos.abort()", english("class.code.ended")),
        ("import os\nos.closerange(0, 100)", english("class.code.ended")),
        ("import ctypes\nctypes.string_at(0)", english("class.code.ended")),
        ("import os\nos.write(3, b'rubbish' * 9)", english("class.code.flood", most="64")),
        ("import os\nos.write(3, b'\\0\\0\\0\\7rubbish')", english("class.code.rubbish")),
        ("import os\nos.write(3, b'\\0\\0\\0\\2[]')", english("class.code.rubbish")),
        ("import os\nos.write(3, b'\\0\\0\\xf0\\0' + b'[' * 61440)", english("class.code.rubbish")),
        ("raise type('E' * 99, (Exception,), {})('\\x1b[31m' + 'y' * 999)", r"E{60} \(\[31my+\)"),
        ("class E(Exception):\n    def __str__(self):\n        raise E\nraise E", english("class.code.ended")),
        ("while True: pass", english("class.code.slow", seconds="0.3")),
        ("import time\ntime.sleep(9)", english("class.code.slow", seconds="0.3")),
        ("x = [0] * 10 ** 9", english("class.code.memory", megabytes="300")),
        ("x = []\nwhile True: x.append('a' * 10 ** 7)", english("class.code.memory", megabytes="300")),
        ("x = 'a' * 10 ** 5 + 'b'\n" + FIRST + "#" * 10**5, english("class.code.long", most="100")),
    ],
)
def test_each_kind_of_error_has_its_sentence(code: str, sentence: str) -> None:
    """Test bad answers, exceptions and timeouts in each language; marking goes on."""
    slow = "sleep" in code or "while True: pass" in code
    found = error_of(code, limits=SHORT if slow else LONG)
    assert re.search(sentence, found)
    assert found.count("\n") == 0
    assert found.endswith(".")
    error = None if slow else run_code(code, [VIEW], LONG).error
    if error is not None:
        assert len({error.to_text(language) for language in ("en", "ru", "lt")}) == 3
    check_marking_continues()


def test_the_time_limit_is_for_all_answers_together() -> None:
    """It covers one game or several."""
    code = "import time\ndef choose(view, rng):\n    time.sleep(0.05)\n    return str(view.legal_moves()[0])"
    with SandboxedBot(code, Limits(0.1)) as bot, pytest.raises(SandboxError, match=english("class.code.slow", seconds="0.1")):
        play_games(bot)


def play_games(bot: SandboxedBot) -> None:
    """Play one game after another."""
    for seed in range(20):
        bots.play(Game(seed=seed), [bot, "first"], seed)


def test_code_learns_nothing_about_its_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no environment variables or open files, and a temporary home."""
    monkeypatch.setenv("THE_KEY", "secret")
    with (tmp_path / "key").open("w", encoding="utf-8") as key:
        os.set_inheritable(key.fileno(), True)
        code = "import os\ndef choose(view):\n    return {'%s %s' % (len(os.environ), 'THE_KEY' in os.environ): 1, os.getcwd(): os.environ['HOME'], 'open': sum(there(n) for n in range(4, 64))}\ndef there(n):\n    try:\n        return bool(os.fstat(n))\n    except OSError:\n        return 0\n"
        found = run_code(code, [VIEW], LONG).answers
    assert found is not None
    (seen,) = found
    assert isinstance(seen, dict)
    home = next(value for value in seen if "answer-" in value)
    assert seen == {"5 False": 1, home: home, "open": 0}
    assert not Path(home).exists()


TREE = ("python",)
KERNEL = ("python", "tree")
PYTHON = ("tree", "privileges", "files", "calls")


@pytest.mark.parametrize(
    "without",
    [pytest.param(TREE, id="tree", marks=LINUX), pytest.param(KERNEL, id="kernel", marks=LINUX), pytest.param(PYTHON, id="python")],
)
def test_forbidden_actions_are_refused(without: tuple[str, ...], tmp_path: Path) -> None:
    """Test files, folders, sockets, processes and signals: the kernel or Python refuses, and nothing happens."""
    key = tmp_path / "key.txt"
    key.write_text("the key", encoding="utf-8")
    before = key.stat()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.01)
        for what, template in FORBIDDEN.items():
            if without == PYTHON and what == "a thread":
                continue  # it does no harm
            code = template.format(there=str(key), folder=str(tmp_path), port=server.getsockname()[1], marks=os.getpid())
            assert re.match(REFUSED, error_of(code, without)), what
        with pytest.raises(TimeoutError):
            server.accept()
    assert (key.stat().st_mode, key.stat().st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    assert key.read_text(encoding="utf-8") == "the key"
    check_marking_continues()


@LINUX
def test_the_sandbox_reports_which_protections_work() -> None:
    """Linux has kernel protections. Missing ones are reported."""
    with SandboxedBot(FIRST) as code:
        code.choose_at(VIEW)
        assert set(code.restrictions) | {"tree"} >= set(RESTRICTIONS)  # not every system allows a private file system
        assert code.missing_restrictions <= {"tree"}
    with SandboxedBot(FIRST, without=["files"]) as code:
        code.choose_at(VIEW)
        assert "python" in code.restrictions
        assert code.missing_restrictions - {"tree"} == {"files"}


@LINUX
@pytest.mark.skipif(sys.platform == "linux" and os.getuid() != 0, reason="only root may make processes when the limit is none")
def test_child_processes_end_with_the_code(tmp_path: Path) -> None:
    """Test children, grandchildren, and those with their own session."""
    code = f"""
import os, time
def daemon(depth):
    if os.fork():
        return
    os.setsid()
    if depth:
        daemon(depth - 1)
    if os.fork():
        os._exit(0)
    with open({str(tmp_path)!r} + "/" + str(os.getpid()), "x"):
        time.sleep(60)
    os._exit(0)
for _ in range(2):
    daemon(1)
def choose(view):
    while len(os.listdir({str(tmp_path)!r})) < 4:
        time.sleep(0.01)
    return "take"
"""
    assert run_code(code, [VIEW], Limits(5), without=("calls", "files", "python", "tree")).answers == ("take",)
    pids = [int(path.name) for path in tmp_path.iterdir()]
    assert len(pids) == 4
    assert [
        pid for pid in pids if Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").split()[2]
    ] == []


@LINUX
def test_a_killed_supervisor_is_replaced() -> None:
    """The error is reported, and the next code gets a new one."""
    with SandboxedBot(FIRST) as code:
        code.choose_at(VIEW)
        keeper = code._processes[-1]._supervisor.process
        keeper.kill()
        keeper.wait()
        with pytest.raises(SandboxError, match=english("class.code.ended")):
            code.choose_at(VIEW)
    check_marking_continues()


def test_nothing_is_left_if_no_process_can_be_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message says so, without a home folder; code that is too long reports no missing protections."""

    def refused(*_: object) -> None:
        raise OSError("no more")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    check_marking_continues()
    monkeypatch.setattr("durak_widget.sandbox.code_runner._Supervisor.start_process", refused)
    with (
        SandboxedBot(FIRST) as code,
        pytest.raises(SandboxError, match=english("class.code.nowhere", why="OSError")),
    ):
        code.choose_at(VIEW)
    assert list(tmp_path.iterdir()) == []
    assert SandboxedBot("#" * 10**6).missing_restrictions == set()


def test_the_sandbox_leaves_no_threads_files_or_processes() -> None:
    """Only the supervisor for the next code stays."""
    check_marking_continues()
    before = active_count(), len(list(Path("/proc/self/fd").iterdir())) if sys.platform == "linux" else 0
    for _ in range(3):
        error_of("import os\nos._exit(0)")
        check_marking_continues()
    after = active_count(), len(list(Path("/proc/self/fd").iterdir())) if sys.platform == "linux" else 0
    assert after[0] <= before[0]
    assert after[1] <= before[1]


def test_changes_to_modules_do_not_leave_the_sandbox() -> None:
    """This process and the next code have their own."""
    code = (
        "import durak_widget.engine.observation as v, json\nv.View.legal_moves = lambda self: ['hacked']\njson.dumps = lambda said: '{\"move\":\"hacked\"}'\n"
        + FIRST
    )
    assert run_code(code, [VIEW]).answers == ("hacked",)
    check_marking_continues()


@LINUX
def test_files_are_protected_without_landlock(tmp_path: Path) -> None:
    """Writing, making and deleting fail anyway; Python limits reading."""
    key = tmp_path / "key.txt"
    key.write_text("the key", encoding="utf-8")
    for what in ("writes a file", "writes at home", "makes a folder", "removes a file", "renames a file"):
        code = FORBIDDEN[what].format(there=str(key))
        assert "PermissionError" in error_of(code, ("files", "python", "tree")), what
    assert run_code(
        f"there = open({str(key)!r}).read()\ndef choose(view):\n    return there", [VIEW], without=("files", "python", "tree")
    ).answers == ("the key",)
    assert "PermissionError" in error_of(FORBIDDEN["reads a file"].format(there=str(key)), ("files",))


@LINUX
def test_code_cannot_send_signals_through_file_ownership() -> None:
    """The owner of an open file would get a signal when something happens to it."""
    for call in (
        "fcntl.fcntl(3, fcntl.F_SETOWN, {0})",
        "fcntl.fcntl(3, 10, 9)",
        "fcntl.ioctl(3, 0x8901, struct.pack('i', {0}))",
        "resource.prlimit({0}, 0, (1, 1))",
    ):
        code = f"import fcntl, struct, resource\n{call.format(os.getpid())}"
        assert "PermissionError" in error_of(code, ("python",)), call
    used = "import fcntl, os, resource\nfcntl.fcntl(3, fcntl.F_GETFD)\nresource.getrlimit(0)\nopen(os.devnull, 'w').write('x')\n"
    assert run_code(used + FIRST, [VIEW]).answers == (FINE,)
