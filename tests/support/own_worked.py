"""The worked examples of the guide on a game of one's own: its files as they stand there, laid into a folder and imported."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "teachers-guide.md").read_text(encoding="utf-8")
SECTION = GUIDE.partition("\n## A game of your own\n")[2].partition("\n## ")[0]
PRINTED = re.findall(r"^```text\n(.*?)^```$", SECTION, re.DOTALL | re.MULTILINE)
"""What its lines print."""


def files() -> dict[str, str]:
    """The files of the section: modules by the comment on top, and the one that Gambit would have written."""
    found = {
        body.partition("\n")[0].removeprefix("# "): body
        for body in re.findall(r"^```python\n(.*?)^```$", SECTION, re.DOTALL | re.MULTILINE)
    }
    [efg] = re.findall(r"^```\n(EFG .*?)^```$", SECTION, re.DOTALL | re.MULTILINE)
    return {**found, "newcomer.efg": efg}


def lay(folder: Path) -> None:
    """All of them, side by side."""
    for name, text in files().items():
        (folder / name).write_text(text, encoding="utf-8")


def imported(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module of the section, as a command imports it."""
    lay(folder)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, name, raising=False)
    return import_module(name)
