"""Our own ways in, `make lab` and Binder, lead to the end of the series."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import ways_in

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.long
@pytest.mark.parametrize("name", ways_in.WAYS)
def test_every_notebook_is_clean_in_the_environment_that_a_way_in_makes(name: str, tmp_path: Path) -> None:
    """From a fresh clone: no error and no complaint in what any cell shows, and the same kinds of things as are stored in it."""
    try:
        way = ways_in.WAYS[name](tmp_path)
    except ways_in.NoWayError as reason:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(str(reason))
    assert ways_in.wrong(way) == {notebook: [] for notebook in NOTEBOOKS}


def test_both_ways_bring_what_is_solved_with() -> None:
    """Numpy and scipy, and what runs the kernel, come with the extra of `make lab` and with those of Binder."""
    extras = re.fullmatch(r"\.\[([\w,]+)\]\n", (ROOT / "binder" / "requirements.txt").read_text(encoding="utf-8"))[1].split(",")
    named = [Requirement(one) for one in requires("durak_widget")]
    of = {name: {one.name for one in named if one.marker and one.marker.evaluate({"extra": name})} for name in (*extras, "lab")}
    assert {"numpy", "scipy", "wasmtime"} <= set().union(*(of[name] for name in extras)) & of["lab"]


def test_notebooks_are_tried_with_no_more_than_make_lab_brings() -> None:
    """The kernels in which they are validated find what the way brings, and nothing that only the tests have: it would hide what is missing."""
    code = "import numpy, scipy, anywidget\ntry:\n    import pytest\nexcept ModuleNotFoundError as error:\n    print(error)"
    ran = subprocess.run([sys.executable, "-m", "IPython", "--colors=NoColor", "-c", code], capture_output=True, text=True, check=True)
    assert "pytest does not come with make lab" in ran.stdout
