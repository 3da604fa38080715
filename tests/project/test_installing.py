"""Packages of the system are installed only where that is nobody else's business, or where somebody has said yes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"
IN_A_CONTAINER = any(Path(mark).exists() for mark in ("/.dockerenv", "/run/.containerenv"))
ALONE, SHARED = (
    "root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/false",
    "root:x:0:0::/root:/bin/sh\nanna:x:1000:1000::/bin/sh",
)
INSTALLS = "apt-get install -o DPkg::Lock::Timeout=300 -y -q --no-install-recommends"
"""It waits for another apt-get, which may be that of tests beside: told that it is locked out, half of them would have no browser."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no apt-get and no sh")


class Ran(NamedTuple):
    """What came of it: whether it went well, what was run as it was, and what was said."""

    well: bool
    commands: list[str]
    said: str


@pytest.fixture
def machine(tmp_path):
    """A machine on which apt-get, sudo and id note that they were called, and do no more."""

    def run(script: str, *args: str, user: int = 1000, accounts: str = SHARED, password: bool = False, **environment: str) -> Ran:
        log, fakes = tmp_path / "log", tmp_path / "bin"
        fakes.mkdir()
        for name, does in {
            "id": f"echo {user}",
            "getent": f"printf '%s\\n' '{accounts}'",
            "apt-get": f'echo "apt-get $*" >>{log}',
            "sudo": "exit 1" if password else f'echo "sudo $*" >>{log}',
        }.items():
            (fakes / name).write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
            (fakes / name).chmod(0o755)
        env = {name: value for name, value in os.environ.items() if name not in {"CI", "DURAK_MAY_INSTALL", "container"}}
        env |= {"PATH": f"{fakes}{os.pathsep}{os.environ['PATH']}", **environment}
        done = subprocess.run(["/bin/sh", TOOLS / script, *args], env=env, capture_output=True, text=True, check=False)
        return Ran(done.returncode == 0, log.read_text(encoding="utf-8").splitlines() if log.exists() else [], done.stdout + done.stderr)

    return run


def test_nothing_is_installed_by_sudo_unasked(machine):
    """Where sudo would need no password nothing is run by it, and one sentence says what to run."""
    ran = machine("apt.sh", "chromium")
    assert (ran.well, ran.commands) == (False, [])
    assert ran.said == "To have it, run: sudo apt-get install chromium (or say DURAK_MAY_INSTALL=1 before make, and make does it)\n"


@pytest.mark.parametrize("yes", ["DURAK_MAY_INSTALL", "CI"])
def test_it_is_installed_where_somebody_said_yes(machine, yes):
    """By sudo, which must not ask; what is installed is said."""
    ran = machine("apt.sh", "chromium", **{yes: "1"})
    assert ran.well
    assert ran.commands == [
        "sudo -n true",
        f"sudo -n env DEBIAN_FRONTEND=noninteractive {INSTALLS} chromium",
    ]
    assert "Installing chromium" in ran.said


def test_sudo_that_asks_for_a_password_is_left_to_the_person(machine):
    """Even after a yes nobody is asked in the middle of make."""
    ran = machine("apt.sh", "chromium", password=True, DURAK_MAY_INSTALL="1")
    assert (ran.well, ran.commands) == (False, [])
    assert "run: sudo apt-get install chromium" in ran.said


@pytest.mark.parametrize(("accounts", "environment"), [(ALONE, {}), (SHARED, {"container": "podman"})])
def test_root_alone_installs_without_being_asked(machine, accounts, environment):
    """In a fresh container `make test` and `make lab` need nobody."""
    ran = machine("apt.sh", "chromium", user=0, accounts=accounts, **environment)
    assert ran.well
    assert ran.commands == [f"{INSTALLS} chromium"]


@pytest.mark.skipif(IN_A_CONTAINER, reason="root in a container is alone")
def test_root_of_a_machine_of_others_is_asked(machine):
    """Where other people have accounts, also root has to say yes."""
    ran = machine("apt.sh", "chromium", user=0)
    assert (ran.well, ran.commands) == (False, [])
    assert "run: apt-get install chromium" in ran.said


def test_no_is_no_everywhere(machine):
    """Also for root alone, and in CI."""
    ran = machine("apt.sh", "chromium", user=0, accounts=ALONE, CI="1", DURAK_MAY_INSTALL="0")
    assert (ran.well, ran.commands) == (False, [])


def test_only_one_place_installs_packages_of_the_system():
    """What needs a package asks `tools/apt.sh` for it."""
    for script in ("browser.sh", "venv.sh"):
        text = (TOOLS / script).read_text(encoding="utf-8")
        assert "sh tools/apt.sh" in text
        assert "sudo" not in text
        assert "apt-get" not in text
