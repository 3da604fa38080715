"""What code tried and the sandbox refused is reported, also when the code swallows the errors; nothing else is."""

from __future__ import annotations

import sys
from random import Random

import pytest

from durak_widget import Game
from durak_widget.sandbox.code_runner import Limits, SandboxedBot, SandboxError

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
    """What is reported of that code, whether it answers or not."""
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
def test_what_was_refused_is_reported() -> None:
    """By its kind, whichever part of the sandbox refused it."""
    for without in ((), ("files", "calls")):
        for tries, known in REFUSED.items():
            assert attempts(SWALLOWS.format(tries=tries), without) == {known}


def test_code_does_not_pass_for_an_import_by_its_file_name() -> None:
    """Whatever a piece of code says that it was read from, it is no import of Python's."""
    hides = "exec(compile(\"open('/etc/passwd')\", '<frozen importlib._bootstrap>', 'exec'))"
    assert attempts(SWALLOWS.format(tries=hides)) == {"files"}


def test_what_was_allowed_or_not_there_is_not_reported() -> None:
    """Imports, the package's own files, a file that is not there, an error."""
    for tries in ALLOWED:
        assert attempts(SWALLOWS.format(tries=tries)) == set()


def test_code_that_answers_no_more_is_reported_too() -> None:
    """The report is sent when the attempt is made, and not with the answer."""
    for ends in ("os._exit(0)", "1 / 0", "view.legal_moves()[99]", "[0] * 10 ** 12", "exec('while True: pass')"):
        code = f"import os, socket\ndef choose(view):\n    try:\n        socket.socket()\n    except OSError:\n        pass\n    {ends}\n"
        assert attempts(code, limits=Limits(1, 300)) == {"network"}


def test_nothing_is_reported_that_nothing_refuses() -> None:
    """Where no part of the sandbox stands, nothing is called refused."""
    assert attempts(SWALLOWS.format(tries="os.listdir('/')"), ("files", "calls", "python")) == set()


def test_what_a_process_reports_itself_is_only_about_itself() -> None:
    """Other words than the known ones are passed over, and a flood of reports ends with the time."""
    report = "import json, os, struct\ndef say(what):\n    data = json.dumps(what).encode()\n    os.write(3, struct.pack('!I', len(data)) + data)\n"
    odd = (
        report
        + "def choose(view):\n    say({'tried': ['x']}); say({'tried': 'gold'}); say({'tried': 'files'})\n    return view.legal_moves()[0]\n"
    )
    assert attempts(odd) == {"files"}
    flood = report + "def choose(view):\n    while True:\n        say({'tried': 'gold'})\n"
    with SandboxedBot(flood, Limits(0.3, 300)) as bot, pytest.raises(SandboxError, match="longer than"):
        bot.choose(VIEW, Random(1))
