"""Test that system packages are installed only with permission or where no other user is affected."""

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
"""It waits for another apt-get, perhaps of a parallel test run. Without waiting, half of them would get no browser."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no apt-get and no sh")


class Ran(NamedTuple):
    """The result of a run: its success, the commands that ran, and its output."""

    well: bool
    commands: list[str]
    output: str


@pytest.fixture
def machine(tmp_path):
    """Return a fake machine whose apt-get, sudo and id only note their calls."""

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


def test_sudo_is_not_used_without_permission(machine):
    """Even if it needs no password, one sentence says what to run."""
    ran = machine("apt.sh", "chromium")
    assert (ran.well, ran.commands) == (False, [])
    assert ran.output == "To have it, run: sudo apt-get install chromium (or say DURAK_MAY_INSTALL=1 before make, and make does it)\n"


@pytest.mark.parametrize("yes", ["DURAK_MAY_INSTALL", "CI"])
def test_packages_are_installed_with_permission(machine, yes):
    """Sudo must not ask for a password. The output lists the packages."""
    ran = machine("apt.sh", "chromium", **{yes: "1"})
    assert ran.well
    assert ran.commands == [
        "sudo -n true",
        f"sudo -n env DEBIAN_FRONTEND=noninteractive {INSTALLS} chromium",
    ]
    assert "Installing chromium" in ran.output


def test_sudo_with_a_password_is_left_to_the_user(machine):
    """Nobody is asked during make, even with permission."""
    ran = machine("apt.sh", "chromium", password=True, DURAK_MAY_INSTALL="1")
    assert (ran.well, ran.commands) == (False, [])
    assert "run: sudo apt-get install chromium" in ran.output


@pytest.mark.parametrize(("accounts", "environment"), [(ALONE, {}), (SHARED, {"container": "podman"})])
def test_root_without_other_users_installs_without_asking(machine, accounts, environment):
    """`make test` and `make lab` work in a new container."""
    ran = machine("apt.sh", "chromium", user=0, accounts=accounts, **environment)
    assert ran.well
    assert ran.commands == [f"{INSTALLS} chromium"]


@pytest.mark.skipif(IN_A_CONTAINER, reason="root in a container is alone")
def test_root_with_other_users_needs_permission(machine):
    """Other people have accounts on the machine."""
    ran = machine("apt.sh", "chromium", user=0)
    assert (ran.well, ran.commands) == (False, [])
    assert "run: apt-get install chromium" in ran.output


def test_a_refusal_always_counts(machine):
    """Test root without other users, and CI."""
    ran = machine("apt.sh", "chromium", user=0, accounts=ALONE, CI="1", DURAK_MAY_INSTALL="0")
    assert (ran.well, ran.commands) == (False, [])


def test_only_one_script_installs_system_packages():
    """Everything else calls `tools/apt.sh`."""
    for script in ("browser.sh", "venv.sh"):
        text = (TOOLS / script).read_text(encoding="utf-8")
        assert "sh tools/apt.sh" in text
        assert "sudo" not in text
        assert "apt-get" not in text
