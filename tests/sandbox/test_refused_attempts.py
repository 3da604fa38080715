"""Test that attempts refused by the sandbox are reported, also if the code catches the errors, and nothing else is."""

from __future__ import annotations

import sys
from random import Random

import pytest

from durak_widget import Game
from durak_widget.sandbox.code_runner import Limits, SandboxedBot, SandboxError
from support.spoken import english

VIEW = Game(seed=7).view(0)
SWALLOWS = """import os, socket, subprocess, tempfile
from pathlib import Path


def choose(view, rng=None):
    try:
        {tries}
    except Exception:
        pass
    return view.legal_moves()[0]
"""


def attempts(code, without=(), limits=Limits(20, 400)):  # noqa: B008 - it is a value
    """Return the attempts reported for that code, whether it answers or not."""
    with SandboxedBot(code, limits, without=without) as bot:
        try:
            assert bot.choose(VIEW, Random(1)) in set(map(str, VIEW.legal_moves()))
        except SandboxError:
            assert bot.error is not None
        return bot.attempts


REFUSED = {
    "open('/etc/passwd')": "files",
    "open('mine.txt', 'w')": "files",
    "Path('/etc/passwd').read_text()": "files",
    "os.listdir('/')": "files",
    "os.remove('mine.txt')": "files",
    "tempfile.mkstemp()": "files",
    "os.open('/etc/passwd', os.O_RDONLY)": "files",
    "subprocess.run(['ls'])": "programs",
    "os.system('ls')": "programs",
    "os.fork()": "programs",
    "socket.socket()": "network",
    "socket.create_connection(('192.0.2.1', 80), 1)": "network",
}
ALLOWED = [
    "open('no such file')",
    "open(os.devnull, 'w').write('x')",
    "open(os.__file__).read()",
    "os.listdir('.')",
    "os.urandom(8)",
    "import numpy, decimal, random, multiprocessing, asyncio, ssl, uuid",
    "raise ValueError",
    "from durak_widget import bots; bots.get('searching', playouts=4).choose(view, rng)",
    "from durak_widget import bots; bots.get('counting').choose(view, rng)",
]


@pytest.mark.skipif(sys.platform == "win32", reason="another system's programs and paths")
def test_refused_attempts_are_reported() -> None:
    """Each has its kind, whichever part of the sandbox refused it."""
    for without in ((), ("files", "calls")):
        for tries, known in REFUSED.items():
            assert attempts(SWALLOWS.format(tries=tries), without) == {known}


def test_a_false_file_name_does_not_make_code_an_import() -> None:
    """Code can claim any file name."""
    hides = "exec(compile(\"open('/etc/passwd')\", '<frozen importlib._bootstrap>', 'exec'))"
    assert attempts(SWALLOWS.format(tries=hides)) == {"files"}


def test_allowed_actions_and_missing_files_are_not_reported() -> None:
    """Test imports, the package's own files, a missing file and an error."""
    for tries in ALLOWED:
        assert attempts(SWALLOWS.format(tries=tries)) == set()


def test_attempts_of_code_that_never_answers_are_reported() -> None:
    """The report is sent at the attempt, not with the answer."""
    for ends in ("os._exit(0)", "1 / 0", "view.legal_moves()[99]", "[0] * 10 ** 12", "exec('while True: pass')"):
        code = f"import os, socket\ndef choose(view):\n    try:\n        socket.socket()\n    except OSError:\n        pass\n    {ends}\n"
        assert attempts(code, limits=Limits(1, 300)) == {"network"}


def test_attempts_are_reported_only_if_something_refuses_them() -> None:
    """Without a sandbox nothing is called refused."""
    assert attempts(SWALLOWS.format(tries="os.listdir('/')"), ("files", "calls", "python")) == set()


def test_a_process_can_report_only_on_itself() -> None:
    """Unknown words are ignored, and a flood of reports ends with the time limit."""
    report = "import json, os, struct\ndef say(what):\n    data = json.dumps(what).encode()\n    os.write(3, struct.pack('!I', len(data)) + data)\n"
    odd = (
        report
        + "def choose(view):\n    say({'tried': ['x']}); say({'tried': 'gold'}); say({'tried': 'files'})\n    return view.legal_moves()[0]\n"
    )
    assert attempts(odd) == {"files"}
    flood = report + "def choose(view):\n    while True:\n        say({'tried': 'gold'})\n"
    with SandboxedBot(flood, Limits(0.3, 300)) as bot, pytest.raises(SandboxError, match=english("class.code.slow")):
        bot.choose(VIEW, Random(1))
