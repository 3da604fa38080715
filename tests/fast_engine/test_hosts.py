"""Where no host works, or one fails, `which()` says why in one sentence, everything gives the same answers, and nothing is raised."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from durak_widget.fast_engine.wasm_host import WASM_FILE

if TYPE_CHECKING:
    from pathlib import Path

WASMTIME = pytest.mark.skipif(find_spec("wasmtime") is None, reason="it is wasmtime that is broken here")
ASKED = """
import json
from durak_widget import Game, fast_engine
from durak_widget.fast_engine import wasm_host
begun = fast_engine.describe_host()
game = Game("transfer, players=3", seed=5)
told = []
for _ in range(12):
    told.append([str(move) for move in fast_engine.legal_moves(game)])
    told.append(fast_engine.position_after(game, [game.legal_moves()[0]]))
    game.play(game.legal_moves()[-1])
for policy in ("random", "first", "careful"):
    told.append(str(fast_engine.simulate_games("podkidnoy", count=5, seed=3, policy=policy)))
    told.append(fast_engine.simulate_games("transfer, players=4", count=5, seed=3, policy=policy).digest)
print(json.dumps([begun, fast_engine.describe_host(), told]))
"""
"""What is asked of the kernel in a process of its own."""
PATCHED = """
import wasmtime
from durak_widget.fast_engine import wasm_host
"""
NTH = (
    PATCHED
    + """
calls, call = [], wasmtime.Func.__call__
def trap(*arguments):
    calls.append(1)
    if len(calls) == {nth}:
        raise wasmtime.Trap("wasm trap: out of bounds memory access")
    return call(*arguments)
wasmtime.Func.__call__ = trap
"""
)
FAKES = {
    "raises": (
        "raise RuntimeError('unsupported platform for wasmtime-py\\nand more of it')",
        r"RuntimeError: unsupported platform for wasmtime-py",
    ),
    "lacks names": ("Engine = object", r"AttributeError: module 'wasmtime' has no attribute 'Module'"),
    "is something else": (
        "def __getattr__(name): return lambda *arguments: None",
        r"AttributeError: 'NoneType' object has no attribute 'exports'",
    ),
}
"""Modules that are called wasmtime, and what is said of each."""


def answers(before: str = "", folder: Path | None = None, **environment: str) -> tuple[str, str, list[object]]:
    """What works at the beginning and at the end, and all answers, of a process that first does that, with that folder first on its path."""
    env = {**os.environ, "DURAK_KERNEL": "", "PYTHONPATH": str(folder or ""), **environment}
    done = subprocess.run([sys.executable, "-c", before + ASKED], env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    begun, ended, told = json.loads(done.stdout)
    return begun, ended, told


@pytest.fixture(scope="module")
def plain():
    """The answers of the plain way."""
    begun, ended, told = answers(DURAK_KERNEL="off")
    assert begun == ended == "none: DURAK_KERNEL=off is set"
    return told


@pytest.mark.slow
@WASMTIME
def test_with_a_host_the_answers_are_those_of_the_plain_way(plain):
    """By wasmtime, which says its version."""
    begun, ended, told = answers()
    assert re.fullmatch(r"wasmtime \d+\.\d+\.\d+", begun)
    assert begun == ended
    assert told == plain


def test_a_host_that_is_not_there(plain):
    """The sentence says what would bring it."""
    begun, ended, told = answers("import sys; sys.modules['wasmtime'] = None")
    assert begun == ended == "none: wasmtime is not installed; pip install 'durak_widget[fast]' brings it"
    assert told == plain


@pytest.mark.slow
def test_a_host_that_is_broken_or_another(plain, tmp_path):
    """It raises or exits when it is imported, or has not the names that are needed: its own words are told, in one line."""
    for known in FAKES.values():
        text, said = known
        (tmp_path / "wasmtime.py").write_text(text, encoding="utf-8")
        begun, ended, told = answers(folder=tmp_path)
        assert re.fullmatch(f"none: {said}", begun), begun
        assert begun == ended
        assert told == plain


def test_a_host_that_hangs(plain, tmp_path):
    """It is given some seconds, once."""
    (tmp_path / "wasmtime.py").write_text("import threading\nthreading.Event().wait()", encoding="utf-8")
    begun, ended, told = answers("from durak_widget.fast_engine import wasm_host; wasm_host.START_TIMEOUT = 0.25", folder=tmp_path)
    assert begun == ended == "none: no answer in 0.25 seconds"
    assert told == plain


@WASMTIME
def test_a_host_that_answers_wrongly(plain):
    """Whoever draws other numbers than are known plays no game."""
    begun, ended, told = answers(PATCHED + "wasmtime.Memory.read = lambda self, store, at, to: bytes(to - at)")
    assert re.fullmatch(r"none: wasmtime [\d.]+ does not play as it should", begun)
    assert begun == ended
    assert told == plain


@pytest.mark.slow
@WASMTIME
@pytest.mark.parametrize("nth", [2, 9, 45])
def test_a_host_that_traps_in_the_middle_of_use(nth, plain):
    """It has passed the test at the beginning; from then on all goes the plain way, what was asked just then too."""
    begun, ended, told = answers(NTH.format(nth=nth))
    assert re.fullmatch(r"wasmtime [\d.]+", begun)
    assert re.fullmatch(r"none: wasmtime [\d.]+ failed in use: Trap: wasm trap: out of bounds memory access", ended)
    assert told == plain


@WASMTIME
def test_a_host_that_starts_no_second_kernel(plain):
    """The first is the one that was tried."""
    code = """
made, real = [], wasmtime.Store
def store(engine):
    made.append(1)
    if len(made) > 1:
        raise MemoryError("no room")
    return real(engine)
wasmtime.Store = store
"""
    begun, ended, told = answers(PATCHED + code)
    assert begun.startswith("wasmtime")
    assert re.fullmatch(r"none: wasmtime [\d.]+ failed in use: MemoryError: no room", ended)
    assert told == plain


@WASMTIME
def test_a_kernel_that_does_not_take_the_image(plain):
    """Nothing is played by what may be another's rules."""
    code = "from durak_widget.fast_engine import engine_instance; engine_instance._cached_rules_image = lambda rules, layout: bytes(dict(layout)['IMAGE_SIZE'])\n"
    begun, ended, told = answers(code)
    assert begun.startswith("wasmtime")
    assert re.fullmatch(r"none: wasmtime [\d.]+ failed in use: ValueError: it does not take the image of the rules", ended)
    assert told == plain


@WASMTIME
def test_a_kernel_that_is_missing_or_cut(plain, tmp_path):
    """A build that was stopped, or an installation that is not whole."""
    for size, said in ((None, "fast_engine.wasm is not in this installation"), (1000, "WasmtimeError: .+")):
        if size is not None:
            (tmp_path / "fast_engine.wasm").write_bytes(WASM_FILE.read_bytes()[:size])
        code = f"from pathlib import Path; from durak_widget.fast_engine import wasm_host; wasm_host.WASM_FILE = Path({str(tmp_path / 'fast_engine.wasm')!r})\n"
        begun, ended, told = answers(code)
        assert re.fullmatch(f"none: {said}", begun), begun
        assert begun == ended
        assert told == plain


def test_the_kernel_is_small():
    """At most 40 kB gzipped."""
    assert len(gzip.compress(WASM_FILE.read_bytes(), 9)) <= 40_000
