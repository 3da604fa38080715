"""Run a JupyterLab for the tests: local, without questions and without traces."""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS = Path(__file__).resolve().parents[2] / "tools" / "lab_settings" / "overrides.json"
FOR_TESTS = {
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
    "@jupyterlab/apputils-extension:themes": {"adaptive-theme": True},  # so that the browser chooses the theme
}
PATIENCE = 120  # seconds, for starting on a loaded machine
_ADDRESS = re.compile(r"(http://127\.0\.0\.1:\d+)/")


class Lab(NamedTuple):
    """A running JupyterLab: its address, its folder and its log."""

    url: str
    folder: Path
    log: list[str]


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def local_address() -> list[str]:
    """Return the options for a local server on its own port."""
    return ["--no-browser", "--allow-root", "--ServerApp.ip=127.0.0.1", f"--ServerApp.port={free_port()}"]


def command(home: Path) -> list[str]:
    """Return the command that starts the server."""
    return [
        *(sys.executable, "-m", "jupyterlab", *local_address()),
        f"--ServerApp.root_dir={home / 'notebooks'}",
        "--IdentityProvider.token=",
        "--LabApp.extension_manager=readonly",
        "--LabApp.news_url=None",
        f"--LabApp.app_settings_dir={home / 'settings'}",
        "--LabApp.expose_app_in_browser=True",
        "--JupyterNotebookApp.expose_app_in_browser=True",
    ]


def environment(home: Path) -> dict[str, str]:
    """Return an environment with all of Jupyter's folders, and the student's own, in a temporary folder."""
    folders = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "user-settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
        "DURAK_WIDGET_HOME": "student",
    }
    return {
        **os.environ,
        "JUPYTER_PLATFORM_DIRS": "1",
        "JUPYTER_CONFIG_PATH": str(SETTINGS.parent),
        **{name: str(home / folder) for name, folder in folders.items()},
    }


@contextlib.contextmanager
def running(home: Path) -> Iterator[Lab]:
    """Start a JupyterLab in a folder, and stop it at the end."""
    (home / "notebooks").mkdir()
    (home / "settings").mkdir()
    settings = {**json.loads(SETTINGS.read_text(encoding="utf-8")), **FOR_TESTS}
    (home / "settings" / "overrides.json").write_text(json.dumps(settings), encoding="utf-8")
    with started(command(home), home / "notebooks", environment(home)) as lab:
        yield lab


@contextlib.contextmanager
def started(
    command: list[str], folder: Path, environment: dict[str, str], *, name: str = "JupyterLab", answers_at: re.Pattern[str] = _ADDRESS
) -> Iterator[Lab]:
    """Start a JupyterLab or another server in a folder, and stop it at the end. The server reports its address."""
    log: list[str] = []
    answers = threading.Event()

    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:

        def listen() -> None:
            for line in server.stdout:
                log.append(line)
                if answers_at.search(line):
                    answers.set()
            answers.set()

        listener = threading.Thread(target=listen)
        listener.start()
        try:
            answers.wait(PATIENCE)
            address = answers_at.search("".join(log))
            if address is None:
                raise RuntimeError(f"{name} did not start:\n{''.join(log)}")
            yield Lab(address[1], folder, log)
        finally:
            server.terminate()
            try:
                server.wait(PATIENCE)
            except subprocess.TimeoutExpired:  # sometimes it does not end by itself
                server.kill()
            listener.join(PATIENCE)
