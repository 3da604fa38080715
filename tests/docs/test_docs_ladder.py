"""Test that the published ladder follows from its games."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from benchmarks.strength import Limit, tables
from durak_widget import Game, arena

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the unpacked files of the ladder."""
    folder = tmp_path_factory.mktemp("ladder")
    with zipfile.ZipFile(DOCS / "ladder" / "ladder.zip") as packed:
        packed.extractall(folder)
    return folder


@pytest.mark.release
def test_the_ladder_table_follows_from_its_games(ladder: Path) -> None:
    """Every line is computed again from the files."""
    page = (DOCS / "strength.md").read_text(encoding="utf-8")
    lines = [line for block in tables(Limit(0, 0, keep=str(ladder))) for line in block.splitlines() if line]
    assert len(lines) == 3 * 12
    assert [line for line in lines if line not in page] == []


@pytest.mark.slow
def test_the_first_ladder_follows_from_its_games(ladder: Path) -> None:
    """It is podkidnoy for two. The number of games in all ladders is right too."""
    page = (DOCS / "strength.md").read_text(encoding="utf-8")
    ranking = arena.load(ladder / "podkidnoy-2.sqlite")
    for row in ranking.rows():
        assert f"| `{row['name']}` | {row['rating']:.0f} ({row['low']:.0f}–{row['high']:.0f}) |" in page
    assert Game.parse(ranking.games[100].text).outcome is not None
    stated = re.search(r"All ([\d,]+) games", page)
    assert stated is not None
    played = sum(arena.load(file).games_played for file in ladder.glob("*.sqlite"))
    assert played == int(stated[1].replace(",", ""))
