"""Test damaged and manipulated tournament files: they are read or refused with a message, and nothing in them runs."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from durak_widget import arena
from durak_widget.arena import tournament_file
from durak_widget.arena.tournament_file import TournamentFileError

if TYPE_CHECKING:
    from pathlib import Path

RAISES = "def choose(view):\n    return 1 / 0\n"
ENDLESS = """
DROP TABLE games;
CREATE VIEW games AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
SELECT x AS meeting, 0 AS game_index, '[0,1]' AS sides, 0 AS match_index, '[1.0,0.0]' AS points, NULL AS forfeit_side FROM c;
"""


@pytest.fixture(scope="module")
def valid_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the bytes of a tournament file in which a bot has forfeited."""
    file = tmp_path_factory.mktemp("sound") / "it.sqlite"
    arena.play({"raises": RAISES, "first": "first", "random": "random"}, games=12, file=file)
    return file.read_bytes()


def manipulated_file(path: Path, valid_file: bytes, script: str) -> Path:
    """Write the file and run a SQL script on it."""
    path.write_bytes(valid_file)
    base = sqlite3.connect(path)
    base.executescript(script)
    base.close()
    return path


def read_everything(path: Path) -> None:
    """Read everything from a file."""
    ranking = arena.load(path)
    assert ranking.to_text()
    assert ranking.to_html()
    assert [forfeit.english_text for forfeit in ranking.forfeits]
    assert [game.text for game in ranking.games]


@pytest.mark.parametrize(
    "script",
    [
        *(f"DELETE FROM metadata WHERE key = '{key}'" for key in ("rules", "bots", "system", "against", "match", "seed", "games")),  # noqa: S608 - of this test
        "DELETE FROM metadata",
        "UPDATE metadata SET value = 'no JSON'",
        """UPDATE metadata SET value = '{"a": "a"}' WHERE key = 'bots'""",
        """UPDATE metadata SET value = '["first", "ran' || char(27) || 'dom", "c"]' WHERE key = 'bots'""",
        """UPDATE metadata SET value = '"nobody"' WHERE key = 'against'""",
        """UPDATE metadata SET value = '"podkidnoy, players=6"' WHERE key = 'rules'""",
        "UPDATE games SET sides = '[7, 8]'",
        "UPDATE games SET sides = '[0]', points = '[1.0]'",
        "UPDATE games SET points = '[NaN, NaN]'",
        "UPDATE games SET forfeit_side = 9",
        "UPDATE games SET forfeit_reason = '[\"no.such\", {}]' WHERE forfeit_side NOT NULL",
        "UPDATE games SET forfeit_reason = '[\"class.code.slow\", [1]]' WHERE forfeit_side NOT NULL",
        "UPDATE games SET sides = '" + "[" * 100_000 + "'",
        "CREATE TRIGGER another AFTER INSERT ON meetings BEGIN DELETE FROM games; END",
        ENDLESS,
    ],
)
def test_a_manipulated_file_is_refused(tmp_path: Path, valid_file: bytes, script: str) -> None:
    """For every change the error names the file."""
    with pytest.raises(TournamentFileError, match="tournament"):
        read_everything(manipulated_file(tmp_path / "it.sqlite", valid_file, script))


@pytest.mark.parametrize("luck", ["{}", "[NaN, NaN]", "[1000.0, 0.0]"])
def test_impossible_luck_in_a_file_of_version_1_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, luck: str) -> None:
    """Only files of version 1 have the column, and their ratings use it."""
    with monkeypatch.context() as patch:
        patch.setattr(tournament_file, "FILE_VERSION", 1)
        arena.play(["first", "random"], games=2, file=tmp_path / "it.sqlite")
    with closing(sqlite3.connect(tmp_path / "it.sqlite")) as base, base:
        base.execute("UPDATE games SET luck = ?", (luck,))
    with pytest.raises(TournamentFileError, match="is damaged"):
        read_everything(tmp_path / "it.sqlite")


def test_damaged_bytes_are_refused_or_harmless(tmp_path: Path, valid_file: bytes) -> None:
    """In a file that is cut or has changed bytes, no other error is raised."""
    path, chance, refused = tmp_path / "it.sqlite", Random(1), 0
    for _ in range(20):
        data = bytearray(valid_file)
        for _ in range(50):
            data[chance.randrange(100, len(data))] = chance.randrange(256)
        path.write_bytes(data[: chance.randrange(100, len(data)) if chance.random() < 0.3 else len(data)])
        try:
            read_everything(path)
        except TournamentFileError:
            refused += 1
    assert refused


def test_loading_an_empty_file_leaves_it_empty(tmp_path: Path) -> None:
    """The error says that it holds no tournament, and nothing is written to it."""
    path = tmp_path / "it.sqlite"
    path.touch()
    with pytest.raises(TournamentFileError, match="tournament"):
        arena.load(path)
    assert path.read_bytes() == b""


def test_special_file_names_are_plain_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`:memory:`, which SQLite would not store, is a file like others; an empty name is refused."""
    monkeypatch.chdir(tmp_path)
    arena.play(["first", "random"], games=2, file=":memory:")
    assert arena.load(":memory:").games_played == 2
    with pytest.raises(TournamentFileError, match="not the name of a file"):
        arena.play(["first", "random"], games=2, file="")


def test_a_million_games_start_at_once() -> None:
    """The largest number of games is accepted, and the first game starts at once."""
    run = arena.Run(["first", "random"], games=1_000_000)
    assert run.games_planned == 1_000_000
    assert next(run.play_deals()) == 2


def test_a_file_with_too_many_games_is_refused(tmp_path: Path, valid_file: bytes) -> None:
    """The error names the limit; the games are not enumerated."""
    for system in ("all", "swiss"):
        for games in ("1000001", "10000000", "1" + "0" * 400):
            script = f"""UPDATE metadata SET value = '{games}' WHERE key = 'games'; UPDATE metadata SET value = '"{system}"' WHERE key = 'system'"""  # noqa: S608 - of this test
            with pytest.raises(TournamentFileError, match="1000000"):
                arena.load(manipulated_file(tmp_path / "it.sqlite", valid_file, script))


@pytest.mark.parametrize("system", ["swiss", pytest.param("all", marks=pytest.mark.release)])
def test_a_file_with_the_most_games_is_read(tmp_path: Path, valid_file: bytes, system: str) -> None:
    """One bot is disqualified, so the remaining games are counted: fewer than planned, and the others are cancelled."""
    script = f"""UPDATE metadata SET value = '1000000' WHERE key = 'games'; UPDATE metadata SET value = '"{system}"' WHERE key = 'system'"""  # noqa: S608 - of this test
    ranking = arena.load(manipulated_file(tmp_path / "it.sqlite", valid_file, script))
    assert ranking.disqualified
    assert ranking.games_played < ranking.games_planned
    assert ranking.games_planned + ranking.games_cancelled >= 1_000_000


@pytest.mark.slow
def test_a_file_of_many_bots_at_tables_of_three_is_read(tmp_path: Path) -> None:
    """Building all rounds would take minutes, so the rest is estimated."""
    names = {f"b{number}": "first" for number in range(300)}
    with closing(
        (run := arena.Run(names, "podkidnoy, players=3", games=1_000_000, file=(file := tmp_path / "it.sqlite"))).play_deals()
    ) as steps:
        next(steps)
    run.close()
    base = sqlite3.connect(file)
    base.execute("UPDATE games SET forfeit_side = 0, sides = '[0, 1, 2]'")
    base.commit()
    base.close()
    ranking = arena.load(file)
    assert ranking.disqualified == ("b0",)
    assert 990_000 < ranking.games_planned < 1_000_000 + 6 * 100


def test_a_browser_drive_is_refused_for_tournament_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The drive writes a file only when it is closed, so a growing file would be damaged. The error names a folder that works."""
    monkeypatch.setattr(tournament_file, "sys", SimpleNamespace(platform="emscripten"))
    monkeypatch.setattr(tournament_file, "_JUPYTERLITE_DRIVE", str(tmp_path / "drive"))
    (tmp_path / "drive").mkdir()
    with pytest.raises(TournamentFileError, match=r"^'class\.sqlite' cannot be stored here.* file='.*class\.sqlite'"):
        arena.play(["careful", "first"], games=2, file=tmp_path / "drive" / "class.sqlite")
    assert list((tmp_path / "drive").iterdir()) == []
    arena.play(["careful", "first"], games=2, file=tmp_path / "class.sqlite")
    assert (tmp_path / "class.sqlite").is_file()
