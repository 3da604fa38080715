"""What a Python program says in Pyodide, Python as it runs in a browser; nothing is fetched for it."""

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
    """The JSON of its last line. The project lies in /project, and in /site the packages that are installed here, of which those in plain Python are good there too."""
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
