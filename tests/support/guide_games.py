"""The examples of custom games in `docs/own-games.md`: their files are written into a folder and imported."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "own-games.md").read_text(encoding="utf-8")
PRINTED = re.findall(r"^```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
"""The output of its lines."""


def guide_files() -> dict[str, str]:
    """Return the files of the page: modules named by their first comment, and a Gambit file."""
    found = {
        body.partition("\n")[0].removeprefix("# "): body for body in re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    }
    [efg] = re.findall(r"^```\n(EFG .*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return {**found, "newcomer.efg": efg}


def write_guide_files(folder: Path) -> None:
    """Write all of them into one folder."""
    for name, text in guide_files().items():
        (folder / name).write_text(text, encoding="utf-8")


def import_guide_module(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a module of the page, imported as by a command."""
    write_guide_files(folder)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, name, raising=False)
    return import_module(name)
