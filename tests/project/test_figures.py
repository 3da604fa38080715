"""The figures of docs/adr/0014 come out of commands: what `benchmarks.between` refuses, and what `tools/house.py --figures` counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import house
from benchmarks import between

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "__init__.py": "import os\n",
    "game/__init__.py": "",
    "game/play/moves.py": "from os import (\n    path,\n    sep,\n)\n\ndef late():\n    import sys, re\n",
    "static/left.py": "import os\n",
    "frontend/src/page/door.ts": 'import { a } from "./a";\nexport { b } from "./b";\nexport const important = 1;\n',
    "frontend/src/page/door.css": '@import "./a.css";\n',
}
"""A small package: what is no Python module or script of its own is not counted."""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A checkout with that package."""
    for name, text in FILES.items():
        path = tmp_path / "durak_widget" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_only_a_checkout_is_measured(tmp_path: Path, small: Path) -> None:
    """A folder without the package is refused in one sentence, before anything runs."""
    with pytest.raises(SystemExit, match=r"^\S+ is no checkout: it has no durak_widget/__init__\.py\.$"):
        between.checkout_of(str(tmp_path / "durak_widget" / "game"))
    assert between.checkout_of(str(small)) == small.resolve()


def test_rooms_and_floors_are_counted(small: Path) -> None:
    """Files, lines and statements that import, in functions too; a floor has what its rooms have."""
    rooms = house.counted(small)
    assert rooms == {"ground": [1, 1, 1], "frontend/src/page": [1, 3, 2], "game": [1, 0, 0], "game/play": [1, 7, 2]}
    assert house.by_floor(rooms) == {"ground": [1, 1, 1], "frontend/src": [1, 3, 2], "game": [2, 7, 2]}


def test_figures_are_told_floor_by_floor_and_room_by_room(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The floors from the ground up, beside those of another checkout, which may lack one; then each room."""
    monkeypatch.setattr(house, "floors", lambda: {"words": [], "game": [], "frontend.src.page": []})
    other = tmp_path / "other"
    (other / "durak_widget").mkdir(parents=True)
    (other / "durak_widget" / "__init__.py").write_text("import os\n" * 1000, encoding="utf-8")
    assert house.figures(small, other).splitlines() == [
        "| floor | files | lines | imports | files now | lines now | imports now |",
        "|---|---|---|---|---|---|---|",
        "| ground | 1 | 1,000 | 1,000 | 1 | 1 | 1 |",
        "| game | – | – | – | 2 | 7 | 2 |",
        "| `frontend/src` | – | – | – | 1 | 3 | 2 |",
        "",
        "Room by room, files · lines · imports: `ground` 1 · 1 · 1; `frontend/src/page` 1 · 3 · 2; `game` 1 · 0 · 0; `game/play` 1 · 7 · 2.",
    ]
    assert house.figures(small).startswith("| floor | files | lines | imports |\n|---|---|---|---|\n| ground | 1 | 1 | 1 |\n")
