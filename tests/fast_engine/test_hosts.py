"""Test that without a working host the reason is reported in one sentence, all results are the same, and nothing is raised."""

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

WASMTIME = pytest.mark.skipif(find_spec("wasmtime") is None, reason="these tests need wasmtime, to break it")
PROGRAM = """
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
"""The calls of the fast engine in a separate process."""
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
"""Fake wasmtime modules, and the reported reason of each."""


def run_in_process(before: str = "", folder: Path | None = None, **environment: str) -> tuple[str, str, list[object]]:
    """Return the host at the beginning and the end, and all results, of a process that first runs `before`, with `folder` first on its path."""
    env = {**os.environ, "DURAK_KERNEL": "", "PYTHONPATH": str(folder or ""), **environment}
    done = subprocess.run([sys.executable, "-c", before + PROGRAM], env=env, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    begun, ended, results = json.loads(done.stdout)
    return begun, ended, results


@pytest.fixture(scope="module")
def python_results():
    """Return the results of the Python engine."""
    begun, ended, results = run_in_process(DURAK_KERNEL="off")
    assert begun == ended == "none: DURAK_KERNEL=off is set"
    return results


@pytest.mark.slow
@WASMTIME
def test_a_working_host_gives_the_python_results(python_results):
    """With wasmtime, which reports its version."""
    begun, ended, results = run_in_process()
    assert re.fullmatch(r"wasmtime \d+\.\d+\.\d+", begun)
    assert begun == ended
    assert results == python_results


def test_a_missing_host_is_reported(python_results):
    """The sentence says how to install it."""
    begun, ended, results = run_in_process("import sys; sys.modules['wasmtime'] = None")
    assert begun == ended
    assert begun.startswith("none: wasmtime ")
    assert "pip install 'durak_widget[fast]'" in begun
    assert results == python_results


@pytest.mark.slow
def test_a_broken_host_is_reported(python_results, tmp_path):
    """It raises an error when imported, or lacks the needed names: its message is reported in one line."""
    for known in FAKES.values():
        text, expected_reason = known
        (tmp_path / "wasmtime.py").write_text(text, encoding="utf-8")
        begun, ended, results = run_in_process(folder=tmp_path)
        assert re.fullmatch(f"none: {expected_reason}", begun), begun
        assert begun == ended
        assert results == python_results


def test_a_host_that_hangs_is_given_up(python_results, tmp_path):
    """It has some seconds, once."""
    (tmp_path / "wasmtime.py").write_text("import threading\nthreading.Event().wait()", encoding="utf-8")
    begun, ended, results = run_in_process(
        "from durak_widget.fast_engine import wasm_host; wasm_host.START_TIMEOUT = 0.25", folder=tmp_path
    )
    assert begun == ended == "none: no answer in 0.25 seconds"
    assert results == python_results


@WASMTIME
def test_a_host_with_wrong_results_is_not_used(python_results):
    """A host whose random numbers differ from the known ones plays no game."""
    begun, ended, results = run_in_process(PATCHED + "wasmtime.Memory.read = lambda self, store, at, to: bytes(to - at)")
    assert re.fullmatch(r"none: wasmtime [\d.]+ failed the self-test", begun)
    assert begun == ended
    assert results == python_results


@pytest.mark.slow
@WASMTIME
@pytest.mark.parametrize("nth", [2, 9, 45])
def test_a_host_that_traps_during_use_is_replaced_by_python(nth, python_results):
    """It passed the first test; from the trap on everything runs in Python, including the present call."""
    begun, ended, results = run_in_process(NTH.format(nth=nth))
    assert re.fullmatch(r"wasmtime [\d.]+", begun)
    assert re.fullmatch(r"none: wasmtime [\d.]+ failed while in use: Trap: wasm trap: out of bounds memory access", ended)
    assert results == python_results


@WASMTIME
def test_a_host_that_cannot_start_a_second_instance_is_reported(python_results):
    """The first instance was only for the test."""
    code = """
made, real = [], wasmtime.Store
def store(engine):
    made.append(1)
    if len(made) > 1:
        raise MemoryError("no room")
    return real(engine)
wasmtime.Store = store
"""
    begun, ended, results = run_in_process(PATCHED + code)
    assert begun.startswith("wasmtime")
    assert re.fullmatch(r"none: wasmtime [\d.]+ failed while in use: MemoryError: no room", ended)
    assert results == python_results


@WASMTIME
def test_a_refused_rules_image_is_reported(python_results):
    """No game is played with rules that may be wrong."""
    code = "from durak_widget.fast_engine import engine_instance; engine_instance._cached_rules_image = lambda rules, layout: bytes(dict(layout)['IMAGE_SIZE'])\n"
    begun, ended, results = run_in_process(code)
    assert begun.startswith("wasmtime")
    assert re.fullmatch(r"none: wasmtime [\d.]+ failed while in use: ValueError: .+", ended)
    assert results == python_results


@WASMTIME
def test_a_missing_or_incomplete_file_is_reported(python_results, tmp_path):
    """A build that was stopped, or an incomplete installation."""
    for size, expected_reason in ((None, "fast_engine.wasm is missing in this installation"), (1000, "WasmtimeError: .+")):
        if size is not None:
            (tmp_path / "fast_engine.wasm").write_bytes(WASM_FILE.read_bytes()[:size])
        code = f"from pathlib import Path; from durak_widget.fast_engine import wasm_host; wasm_host.WASM_FILE = Path({str(tmp_path / 'fast_engine.wasm')!r})\n"
        begun, ended, results = run_in_process(code)
        assert re.fullmatch(f"none: {expected_reason}", begun), begun
        assert begun == ended
        assert results == python_results


def test_the_fast_engine_file_is_small():
    """At most 40 kB gzipped."""
    assert len(gzip.compress(WASM_FILE.read_bytes(), 9)) <= 40_000
