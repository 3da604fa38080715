"""Somebody else's code: it answers views and does nothing else, whatever it tries, and whoever marks goes on."""

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

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's walls are those of Linux")
SHORT, LONG = Limits(0.3, 300), Limits(20, 300)
VIEW = Game(seed=7).view(0)
FIRST = "def choose(view):\n    return str(view.legal_moves()[0])\n"
FINE = str(VIEW.legal_moves()[0])


def trouble(code: str, without: tuple[str, ...] = (), limits: Limits = LONG) -> str:
    """What is said of that code; it must not answer."""
    outcome = run_code(code, [VIEW], limits, without=without)
    assert outcome.answers is None
    return str(outcome.error)


def goes_on() -> None:
    """Whoever marks is there, and the next one's code runs."""
    assert run_code(FIRST, [VIEW]).answers == (FINE,)


def test_sets_lie_in_the_same_order_each_time() -> None:
    """In every process that is begun: who goes through a set of texts plays the same game again."""
    code = "def choose(view):\n    return ' '.join(set(map(str, range(20))))\n"
    found = set()
    for _ in range(2):
        code_runner._close_idle_supervisors()  # so that a new keeper is begun
        found.add(run_code(code, [VIEW]).answers)
    assert len(found) == 1


def test_it_answers_views() -> None:
    """A move as a text or a move, probabilities by moves or in order, from a function, an object or a class; chance is given where it is asked for."""
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


def test_an_answer_may_be_so_long_and_no_longer() -> None:
    """Two hundred probabilities, or a move of sixty signs; one more is no answer, and is told in a line."""
    made = "{str(i): 0.0 for i in range(%d)}", "[0.0] * %d", "'a' * %d"
    whole = [one % most for one, most in zip(made, (200, 200, 60), strict=True)]
    value = run_code(f"answers = iter([{', '.join(whole)}])\ndef choose(view):\n    return next(answers)", [VIEW] * 3).answers
    assert [len(one) for one in value] == [200, 200, 60]
    assert "neither a move nor probabilities" in trouble(f"def choose(view):\n    return {made[0] % 201}")


def test_it_plays_whole_games() -> None:
    """As a bot it plays as the same code does here, chance among it; an illegal move is told as of every bot."""
    code = "def choose(view, rng):\n    return rng.choice(view.legal_moves())"
    with SandboxedBot(code) as one, SandboxedBot(FIRST) as other:
        game = bots.play(Game(seed=3), [one, other], 3)
        assert game.outcome is not None
        assert bots.play(Game(seed=3), [one, other], 3).moves == game.moves
    with SandboxedBot("def choose(view):\n    return 'attack Xr'") as bot, pytest.raises(BotError, match="may not play"):
        bots.play(Game(seed=3), [bot, "first"])


def test_it_never_knows_both_hands_of_a_deal() -> None:
    """What it saw on one seat it does not know on the other: of two games with the same deal the first tells the second nothing."""
    code = "seen = set()\ndef choose(view, rng):\n    seen.add(view.seat)\n    assert len(seen) == 1\n    return view.legal_moves()[0]"
    with SandboxedBot(code) as bot:
        for seat in (0, 1):
            bots.play(Game(seed=5), {seat: bot, 1 - seat: "first"}, 5)
        assert bot.error is None


def test_a_bot_may_lose_one_game_by_its_trouble() -> None:
    """What goes wrong in a game is told, and in the next it plays; what is wrong with the code itself, or with its time, is wrong for good."""
    code = "def choose(view, rng):\n    assert view.seat\n    return view.legal_moves()[0]"
    second = next(game.view(1) for game in (Game(seed=seed) for seed in range(99)) if game.actor == 1)
    with SandboxedBot(code) as bot:
        for _ in range(2):
            with pytest.raises(SandboxError, match="AssertionError in line 2"):
                bot.choose(VIEW, Random(1))
            assert bot.choose(second, Random(1)) == str(second.legal_moves()[0])
    for code, limits in {"x = (": LONG, "import time\ndef choose(view, rng):\n    time.sleep(9)": SHORT}.items():
        with SandboxedBot(code, limits) as bot:
            for _ in range(2):
                with pytest.raises(SandboxError) as error:
                    bot.choose(VIEW, Random(1))
                assert error.value is bot.error
            assert bot._processes == {}


def test_it_is_a_strategy() -> None:
    """A function of what a seat sees is judged as the same function here; what is wrong with it is known by its sentence."""
    quiz = lessons.Strategy(pennies(), player=0)
    with SandboxedBot("def choose(view):\n    return {view.moves[0]: '3/4', view.moves[1]: '1/4'}") as code:
        assert not quiz.answer(code.choose_at)
        assert quiz.credit == Fraction(1, 2)
    with SandboxedBot("def choose(view):\n    return {view.moves[0]: 1 / 0}") as code:
        with pytest.raises(BotError):
            quiz.answer(code.choose_at)
        assert str(code.error) == "The code raised ZeroDivisionError (division by zero) in line 2."


def pennies() -> board.Tree:
    """Two coins, of which the second player does not see the first."""

    def look(where: str) -> object:
        if len(where) == 2:
            return gametheory.TerminalNode((1, -1) if where[0] == where[1] else (-1, 1))
        return gametheory.DecisionNode(len(where), "a coin", [("heads", where + "h"), ("tails", where + "t")])

    return gametheory.build_tree("", look, player_count=2)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("x = (", r"SyntaxError \('\(' was never closed\) in line 1\."),
        ("pass", r"defines no function choose\(view\)\."),
        ("choose = 3", r"defines no function choose\(view\)\."),
        ("def choose(view):\n    return 3", r"The code chose 3, which is neither a move nor probabilities\."),
        ("def choose(view):\n    return {'a': float('nan')}", "neither a move nor probabilities"),
        ("def choose(view):\n    return 'x' * 61", "neither a move nor probabilities"),
        ("def choose(view):\n    return {str(i): 1 for i in range(300)}", "neither a move nor probabilities"),
        ("def choose(view):\n    return 10 ** 9000", "The code raised ValueError|neither a move nor"),
        ("def choose(view):\n    return 'x' * 70000", "answered with more than 64 kB at once"),
        ("def choose(view):\n    return choose(view)", r"RecursionError \(.*\) in line 2"),
        ("raise SystemExit", "ended by itself before it had answered"),
        ("raise KeyboardInterrupt", "raised KeyboardInterrupt in line 1"),
        ("import os\nos._exit(0)", "ended by itself"),
        ("import os\nos.abort()", "ended by itself"),
        ("import os\nos.closerange(0, 100)", "ended by itself"),
        ("import ctypes\nctypes.string_at(0)", "ended by itself"),
        ("import os\nos.write(3, b'rubbish' * 9)", "64 kB at once"),
        ("import os\nos.write(3, b'\\0\\0\\0\\7rubbish')", "answered what cannot be read"),
        ("import os\nos.write(3, b'\\0\\0\\0\\2[]')", "answered what cannot be read"),
        ("import os\nos.write(3, b'\\0\\0\\xf0\\0' + b'[' * 61440)", "answered what cannot be read"),
        ("raise type('E' * 99, (Exception,), {})('\\x1b[31m' + 'y' * 999)", r"raised E{60} \(\[31my+\) in line 1\."),
        ("class E(Exception):\n    def __str__(self):\n        raise E\nraise E", "ended by itself"),
        ("while True: pass", r"ran longer than 0\.3 s"),
        ("import time\ntime.sleep(9)", r"ran longer than 0\.3 s"),
        ("x = [0] * 10 ** 9", "asked for more than 300 MB of memory"),
        ("x = []\nwhile True: x.append('a' * 10 ** 7)", "asked for more than 300 MB of memory"),
        ("x = 'a' * 10 ** 5 + 'b'\n" + FIRST + "#" * 10**5, "longer than 100 kB"),
    ],
)
def test_what_is_wrong_is_said(code: str, said: str) -> None:
    """Whatever it answers, raises, or takes too long for, is one sentence, in each language; and whoever marks goes on."""
    slow = "sleep" in code or "while True: pass" in code
    found = trouble(code, limits=SHORT if slow else LONG)
    assert re.search(said, found)
    assert found.count("\n") == 0
    assert found.endswith(".")
    error = None if slow else run_code(code, [VIEW], LONG).error
    if error is not None:
        assert len({error.to_text(language) for language in ("en", "ru", "lt")}) == 3
    goes_on()


def test_time_is_counted_over_all_answers() -> None:
    """Not each answer may take so long, but all of them together, in one game or several."""
    code = "import time\ndef choose(view, rng):\n    time.sleep(0.05)\n    return str(view.legal_moves()[0])"
    with SandboxedBot(code, Limits(0.1)) as bot, pytest.raises(SandboxError, match=r"longer than 0\.1 s"):
        played(bot)


def played(bot: SandboxedBot) -> None:
    """Game after game."""
    for seed in range(20):
        bots.play(Game(seed=seed), [bot, "first"], seed)


def test_it_knows_nothing_of_where_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the environment, no file that was open, a home of its own that is gone afterwards."""
    monkeypatch.setenv("THE_KEY", "secret")
    with (tmp_path / "key").open("w", encoding="utf-8") as key:
        os.set_inheritable(key.fileno(), True)
        code = "import os\ndef choose(view):\n    return {'%s %s' % (len(os.environ), 'THE_KEY' in os.environ): 1, os.getcwd(): os.environ['HOME'], 'open': sum(there(n) for n in range(4, 64))}\ndef there(n):\n    try:\n        return bool(os.fstat(n))\n    except OSError:\n        return 0\n"
        found = run_code(code, [VIEW], LONG).answers
    assert found is not None
    (seen,) = found
    assert isinstance(seen, dict)
    home = next(one for one in seen if "answer-" in one)
    assert seen == {"5 False": 1, home: home, "open": 0}
    assert not Path(home).exists()


TREE = ("python",)
KERNEL = ("python", "tree")
PYTHON = ("tree", "privileges", "files", "calls")


@pytest.mark.parametrize(
    "without",
    [pytest.param(TREE, id="tree", marks=LINUX), pytest.param(KERNEL, id="kernel", marks=LINUX), pytest.param(PYTHON, id="python")],
)
def test_what_is_forbidden_is_refused(without: tuple[str, ...], tmp_path: Path) -> None:
    """No file, no folder, no socket, no process, no signal: the kernel refuses it, and, where that has no walls, Python; and nothing has happened."""
    key = tmp_path / "key.txt"
    key.write_text("the key", encoding="utf-8")
    before = key.stat()
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.01)
        for what, template in FORBIDDEN.items():
            if without == PYTHON and what == "a thread":
                continue  # which harms nobody
            code = template.format(there=str(key), folder=str(tmp_path), port=server.getsockname()[1], marks=os.getpid())
            assert re.match(REFUSED, trouble(code, without)), what
        with pytest.raises(TimeoutError):
            server.accept()
    assert (key.stat().st_mode, key.stat().st_mtime_ns) == (before.st_mode, before.st_mtime_ns)
    assert key.read_text(encoding="utf-8") == "the key"
    goes_on()


@LINUX
def test_the_walls_stand() -> None:
    """On Linux the kernel itself holds the code: which walls stand is known, and where one is left out that is known too."""
    with SandboxedBot(FIRST) as code:
        code.choose_at(VIEW)
        assert set(code.restrictions) | {"tree"} >= set(RESTRICTIONS)  # not every system permits a file system of its own
        assert code.missing_restrictions <= {"tree"}
    with SandboxedBot(FIRST, without=["files"]) as code:
        code.choose_at(VIEW)
        assert "python" in code.restrictions
        assert code.missing_restrictions - {"tree"} == {"files"}


@LINUX
@pytest.mark.skipif(sys.platform == "linux" and os.getuid() != 0, reason="only root may make processes when the limit is none")
def test_nobody_outlives_it(tmp_path: Path) -> None:
    """Where copies can be made, they are ended with it: children, grandchildren, and who has a session of its own and lost its parent."""
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
    pids = [int(one.name) for one in tmp_path.iterdir()]
    assert len(pids) == 4
    assert [
        pid for pid in pids if Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").split()[2]
    ] == []


@LINUX
def test_whoever_keeps_it_may_fall() -> None:
    """The process that keeps the others is killed: it is said, and the next code finds another."""
    with SandboxedBot(FIRST) as code:
        code.choose_at(VIEW)
        keeper = code._processes[-1]._supervisor.process
        keeper.kill()
        keeper.wait()
        with pytest.raises(SandboxError, match="ended by itself"):
            code.choose_at(VIEW)
    goes_on()


def test_where_no_process_can_be_started_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A life that cannot begin is told in a sentence, and leaves no home; code that is too long has no walls that were missing."""

    def refused(*_: object) -> None:
        raise OSError("no more")

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    goes_on()
    monkeypatch.setattr("durak_widget.sandbox.code_runner._Supervisor.start_process", refused)
    with (
        SandboxedBot(FIRST) as code,
        pytest.raises(SandboxError, match=r"No process could be started for the code on this computer \(OSError\)"),
    ):
        code.choose_at(VIEW)
    assert list(tmp_path.iterdir()) == []
    assert SandboxedBot("#" * 10**6).missing_restrictions == set()


def test_nothing_is_left_here() -> None:
    """No thread, no open file, no process but the one that keeps the next."""
    goes_on()
    before = active_count(), len(list(Path("/proc/self/fd").iterdir())) if sys.platform == "linux" else 0
    for _ in range(3):
        trouble("import os\nos._exit(0)")
        goes_on()
    after = active_count(), len(list(Path("/proc/self/fd").iterdir())) if sys.platform == "linux" else 0
    assert after[0] <= before[0]
    assert after[1] <= before[1]


def test_what_it_changes_in_python_stays_there() -> None:
    """It may change the modules that it sees; whoever marks, and the next one's code, have their own."""
    code = (
        "import durak_widget.engine.observation as v, json\nv.View.legal_moves = lambda self: ['hacked']\njson.dumps = lambda said: '{\"move\":\"hacked\"}'\n"
        + FIRST
    )
    assert run_code(code, [VIEW]).answers == ("hacked",)
    goes_on()


@LINUX
def test_files_are_kept_without_landlock(tmp_path: Path) -> None:
    """On a kernel that keeps no files by itself nothing can be written, made or removed all the same; what may be read is left to Python."""
    key = tmp_path / "key.txt"
    key.write_text("the key", encoding="utf-8")
    for what in ("writes a file", "writes at home", "makes a folder", "removes a file", "renames a file"):
        code = FORBIDDEN[what].format(there=str(key))
        assert trouble(code, ("files", "python", "tree")).startswith("The code raised PermissionError"), what
    assert run_code(
        f"there = open({str(key)!r}).read()\ndef choose(view):\n    return there", [VIEW], without=("files", "python", "tree")
    ).answers == ("the key",)
    assert trouble(FORBIDDEN["reads a file"].format(there=str(key)), ("files",)).startswith("The code raised PermissionError")


@LINUX
def test_no_signal_is_sent_by_a_file() -> None:
    """Nobody else can be made the owner of an open file, who is sent a signal when something happens to it."""
    for call in (
        "fcntl.fcntl(3, fcntl.F_SETOWN, {0})",
        "fcntl.fcntl(3, 10, 9)",
        "fcntl.ioctl(3, 0x8901, struct.pack('i', {0}))",
        "resource.prlimit({0}, 0, (1, 1))",
    ):
        code = f"import fcntl, struct, resource\n{call.format(os.getpid())}"
        assert trouble(code, ("python",)).startswith("The code raised PermissionError"), call
    used = "import fcntl, os, resource\nfcntl.fcntl(3, fcntl.F_GETFD)\nresource.getrlimit(0)\nopen(os.devnull, 'w').write('x')\n"
    assert run_code(used + FIRST, [VIEW]).answers == (FINE,)
