"""Run a Python program in Pyodide, Python in a browser, without downloads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from sysconfig import get_path
from typing import Any

import frontend

ROOT = Path(__file__).resolve().parents[2]


def said_in_pyodide(program: Path) -> dict[str, Any]:
    """Return the JSON of the program's last line.

    The project is in /project, the installed packages in /site; only those in plain Python work.
    """
    subprocess.run([sys.executable, "tools/frontend.py", "install"], cwd=ROOT, check=True)
    command = [
        str(frontend.find_node().program),
        str(Path(__file__).with_name("in_pyodide.mjs")),
        str(ROOT),
        get_path("purelib"),
        str(program),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])
