"""`tools/anywhere.py` puts the tests in the circumstances that it names, and says what came of it."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import anywhere

TOOL = Path(__file__).resolve().parents[2] / "tools" / "anywhere.py"
A_TEST = """
import os
def test_it():
    assert os.environ["PYTHONHASHSEED"] == "1"
def test_another():
    assert os.environ["PYTHONHASHSEED"] == "2"
"""


def asked(*arguments):
    """What the tool prints, and how it ends."""
    done = subprocess.run([sys.executable, TOOL, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.release
def test_the_table_says_what_passed_and_what_failed(tmp_path):
    """The tests run in the circumstance; if one fails, so does the tool."""
    file = tmp_path / "test_hash.py"
    file.write_text(A_TEST, encoding="utf-8")
    status, said = asked("hash", "--pytest", f"-c /dev/null --rootdir {tmp_path} {file}")
    *_, heads, row = said.splitlines()
    assert heads.split() == ["circumstance", "passed", "failed", "seconds"]
    assert (status, row.split()[:3]) == (1, ["hash", "1", "1"])


def test_circumstances_may_come_together(tmp_path):
    """Each brings what it sets; the tests are those that any of them is about."""
    both = anywhere.together("zoom+kathmandu")
    assert both.environment(tmp_path) == {"DURAK_ZOOM": "1.25", "TZ": "Asia/Kathmandu"}
    assert (both.tests, anywhere.together("zoom").tests, anywhere.together("zoom+load").busy) == ("", "browser", 2)


@pytest.mark.skipif(not shutil.which("fc-scan"), reason="fontconfig is not here")
def test_fonts_may_be_brought(tmp_path, monkeypatch):
    """From a folder that is named, without installing them."""
    folder = Path(importlib.util.find_spec("matplotlib").submodule_search_locations[0], "mpl-data", "fonts", "ttf")
    monkeypatch.setenv("DURAK_FONTS", str(folder))
    found = anywhere.fonts("cmr10")(tmp_path)
    assert f"<dir>{folder}</dir>" in Path(found["FONTCONFIG_FILE"]).read_text(encoding="utf-8")
    assert found["DURAK_FONT"] == "machine"


def test_an_unknown_circumstance_is_named():
    """With those that there are."""
    status, said = asked("martian")
    assert status == 2
    assert "there is no martian; there are here, liberation, dejavu" in said


def test_what_a_machine_does_not_have_is_left_out(tmp_path):
    """A reason, and no failure: nothing is installed for it."""
    for make in (
        anywhere.fonts("No Such Family"),
        anywhere.language("xx_XX"),
    ):
        with pytest.raises(anywhere.NotHereError, match=r"not installed|not here and cannot be made"):
            make(tmp_path)
        left_out = anywhere.run("nowhere", anywhere.Circumstance("on Mars", "", make), [])
        assert (left_out.failed, left_out.note.partition(":")[0]) == (0, "left out")
