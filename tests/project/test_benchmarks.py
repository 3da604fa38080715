"""Check how benchmarks are run, and which folders `between` takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import between

ROOT = Path(__file__).resolve().parents[2]


def test_a_benchmark_is_run_by_its_name() -> None:
    """Its arguments follow. Without a name, or with an unknown one, all names are listed."""
    for arguments, status, listed in (
        ((), 0, "  matrices "),
        (("no_such_benchmark",), 2, "  matrices "),
        (("model", "--help"), 0, "--games-only"),
    ):
        done = subprocess.run([sys.executable, "-m", "benchmarks", *arguments], cwd=ROOT, check=False, capture_output=True, text=True)
        assert (done.returncode, listed in done.stdout) == (status, True)


def test_only_a_checkout_can_be_measured(tmp_path: Path) -> None:
    """A folder without the package is refused in one sentence, before anything runs."""
    (tmp_path / "durak_widget" / "game").mkdir(parents=True)
    (tmp_path / "durak_widget" / "__init__.py").touch()
    with pytest.raises(SystemExit, match=r"^\S+ is no checkout: it has no durak_widget/__init__\.py\.$"):
        between.checkout_of(str(tmp_path / "durak_widget" / "game"))
    assert between.checkout_of(str(tmp_path)) == tmp_path.resolve()
