"""A file of a tournament that somebody sent, or that was damaged: it is read as what it is, or refused in a sentence, and nothing in it runs."""

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
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file of a tournament in which somebody has forfeited."""
    file = tmp_path_factory.mktemp("sound") / "it.sqlite"
    arena.play({"raises": RAISES, "first": "first", "random": "random"}, games=12, file=file)
    return file.read_bytes()


def changed(path: Path, sound: bytes, script: str) -> Path:
    """The file, after somebody has done that to it."""
    path.write_bytes(sound)
    base = sqlite3.connect(path)
    base.executescript(script)
    base.close()
    return path


def all_of(path: Path) -> None:
    """All that can be asked of a file."""
    ranking = arena.load(path)
    assert ranking.to_text()
    assert ranking.to_html()
    assert [one.english_text for one in ranking.forfeits]
    assert [one.text for one in ranking.games]


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
def test_what_no_tournament_says_is_refused(tmp_path: Path, sound: bytes, script: str) -> None:
    """Whatever was written into it: a sentence that names the file."""
    with pytest.raises(TournamentFileError, match=r"it\.sqlite' (is damaged|holds no tournament yet)"):
        all_of(changed(tmp_path / "it.sqlite", sound, script))


@pytest.mark.parametrize("luck", ["{}", "[NaN, NaN]", "[1000.0, 0.0]"])
def test_impossible_luck_in_a_file_of_version_1_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, luck: str) -> None:
    """Only files of version 1 have the column, and their ratings use it."""
    with monkeypatch.context() as patch:
        patch.setattr(tournament_file, "FILE_VERSION", 1)
        arena.play(["first", "random"], games=2, file=tmp_path / "it.sqlite")
    with closing(sqlite3.connect(tmp_path / "it.sqlite")) as base, base:
        base.execute("UPDATE games SET luck = ?", (luck,))
    with pytest.raises(TournamentFileError, match="is damaged"):
        all_of(tmp_path / "it.sqlite")


def test_damaged_bytes_are_refused_or_do_not_matter(tmp_path: Path, sound: bytes) -> None:
    """A file that is cut or in which something has tipped over: no other error comes out of it than a sentence."""
    path, chance, refused = tmp_path / "it.sqlite", Random(1), 0
    for _ in range(20):
        data = bytearray(sound)
        for _ in range(50):
            data[chance.randrange(100, len(data))] = chance.randrange(256)
        path.write_bytes(data[: chance.randrange(100, len(data)) if chance.random() < 0.3 else len(data)])
        try:
            all_of(path)
        except TournamentFileError:
            refused += 1
    assert refused


def test_an_empty_file_is_looked_at_and_left(tmp_path: Path) -> None:
    """Whoever loads it is told that it is none, and nothing is written to it."""
    path = tmp_path / "it.sqlite"
    path.touch()
    with pytest.raises(TournamentFileError, match="holds no tournament"):
        arena.load(path)
    assert path.read_bytes() == b""


def test_a_file_is_a_file_however_it_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What SQLite takes for memory alone, and loses, is a file like others; no name at all is refused."""
    monkeypatch.chdir(tmp_path)
    arena.play(["first", "random"], games=2, file=":memory:")
    assert arena.load(":memory:").games_played == 2
    with pytest.raises(TournamentFileError, match="names no file"):
        arena.play(["first", "random"], games=2, file="")


def test_a_million_games_are_laid_out_at_once() -> None:
    """You can ask for the most games that there may be, and the first is played at once."""
    run = arena.Run(["first", "random"], games=1_000_000)
    assert run.games_planned == 1_000_000
    assert next(run.play_deals()) == 2


def test_a_file_that_claims_too_many_games_is_refused(tmp_path: Path, sound: bytes) -> None:
    """The error names the limit; nobody counts that many games to find out how many are left."""
    for system in ("all", "swiss"):
        for games in ("1000001", "10000000", "1" + "0" * 400):
            script = f"""UPDATE metadata SET value = '{games}' WHERE key = 'games'; UPDATE metadata SET value = '"{system}"' WHERE key = 'system'"""  # noqa: S608 - of this test
            with pytest.raises(TournamentFileError, match=r"the most is 1000000; ask whoever sent it"):
                arena.load(changed(tmp_path / "it.sqlite", sound, script))


@pytest.mark.parametrize("system", ["swiss", pytest.param("all", marks=pytest.mark.release)])
def test_a_file_that_claims_the_most_games_is_read(tmp_path: Path, sound: bytes, system: str) -> None:
    """One bot is out, so the games that are left are counted: fewer than planned, and the others are cancelled."""
    script = f"""UPDATE metadata SET value = '1000000' WHERE key = 'games'; UPDATE metadata SET value = '"{system}"' WHERE key = 'system'"""  # noqa: S608 - of this test
    ranking = arena.load(changed(tmp_path / "it.sqlite", sound, script))
    assert ranking.disqualified
    assert ranking.games_played < ranking.games_planned
    assert ranking.games_planned + ranking.games_cancelled >= 1_000_000


@pytest.mark.slow
def test_a_file_of_many_bots_at_tables_of_three_is_read(tmp_path: Path) -> None:
    """To lay out all of its rounds would take minutes; what is left is estimated instead."""
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


def test_the_drive_of_a_browser_keeps_no_tournament(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies there is written when it is closed, and a file that grows would be damaged: it is said where one may lie, and none is begun."""
    monkeypatch.setattr(tournament_file, "sys", SimpleNamespace(platform="emscripten"))
    monkeypatch.setattr(tournament_file, "_JUPYTERLITE_DRIVE", str(tmp_path / "drive"))
    (tmp_path / "drive").mkdir()
    with pytest.raises(TournamentFileError, match=r"^'class\.sqlite' cannot be kept here: .* or say file='.*class\.sqlite', which lasts"):
        arena.play(["careful", "first"], games=2, file=tmp_path / "drive" / "class.sqlite")
    assert list((tmp_path / "drive").iterdir()) == []
    arena.play(["careful", "first"], games=2, file=tmp_path / "class.sqlite")
    assert (tmp_path / "class.sqlite").is_file()
