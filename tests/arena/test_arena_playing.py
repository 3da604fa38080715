"""A tournament played: the same table however it is stopped, resumed, and shared; nothing that was played is lost."""

from __future__ import annotations

import gc
import json
import os
import pickle
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from tournament_tables import BOTS, FIRST, table

from durak_widget import Game, arena
from durak_widget.arena import command_line, tournament_file
from durak_widget.arena.bot_entrants import build_entrants
from durak_widget.arena.command_line import main
from durak_widget.arena.tournament_file import TournamentFile, TournamentFileError
from durak_widget.arena.tournament_runner import Run
from durak_widget.bots import get as get_bot
from durak_widget.errors import BotError, DurakError
from durak_widget.parallel import WorkerPool
from durak_widget.sandbox.code_runner import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

GAMES = 60


@pytest.fixture(scope="module")
def undisturbed() -> object:
    """The table of a tournament that nothing came in the way of."""
    return table(arena.play(BOTS, games=GAMES))


@pytest.mark.slow
@pytest.mark.parametrize("executor", [2, "threads"])
def test_the_table_is_the_same_however_it_is_shared(undisturbed: object, executor: object) -> None:
    """To the digit."""
    if executor == "threads":
        with ThreadPoolExecutor(3) as threads:
            assert table(arena.play(BOTS, games=GAMES, executor=threads)) == undisturbed
    else:
        assert table(arena.play(BOTS, games=GAMES, executor=executor)) == undisturbed


@pytest.mark.parametrize("system", ["swiss"])
def test_stopped_anywhere_it_goes_on_from_there(tmp_path: Path, system: str) -> None:
    """Again and again, each time by a program of its own, until all is played: and it is the table of an undisturbed one."""
    four = [*BOTS, "hasty"]
    whole = table(arena.play(four, games=GAMES, system=system))
    file, rounds = tmp_path / "it.sqlite", 0
    while True:
        run = Run(four, games=GAMES, system=system, file=file)
        with closing(run.play_deals()) as steps:
            played = sum(1 for _, _ in zip(range(7), steps, strict=False))
        run.close()
        rounds += 1
        if played < 7:
            break
    assert rounds > 3
    assert table(arena.load(file)) == whole
    assert table(arena.play(four, games=GAMES, system=system, file=file)) == whole


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.slow
@pytest.mark.parametrize("how", ["SIGKILL", pytest.param("SIGINT", marks=pytest.mark.release)])
def test_killed_at_any_moment_it_goes_on(tmp_path: Path, how: str) -> None:
    """Nothing of what was kept is lost, nothing is counted twice, and it comes to the table of an undisturbed one; who is interrupted says how to go on."""
    file, mine = tmp_path / "it.sqlite", tmp_path / "mine.py"
    mine.write_text(FIRST)
    told = {"bots": ["careful", "random", mine], "rules": "podkidnoy", "games": 120, "seed": 1}
    line = [
        sys.executable,
        "-m",
        "durak_widget.arena",
        "careful",
        "random",
        str(mine),
        "--games",
        "120",
        "--seed",
        "1",
        "--jobs",
        "2",
        "--file",
        str(file),
    ]
    with subprocess.Popen(
        line, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": _here()}
    ) as process:
        assert process.stderr is not None
        for said in iter(lambda: process.stderr.read(20), ""):  # type: ignore[union-attr]
            if "games" in said:  # it plays
                break
        process.send_signal(signal.Signals[how])
        out, err = process.communicate(timeout=60)
    if how == "SIGINT":
        assert process.returncode == 130
        assert "the same command goes on from there" in err
        assert "each rating would be known" in out
    assert 0 < arena.load(file).games_played < 120
    assert table(arena.play(**told, file=file)) == table(arena.play(**told))  # type: ignore[arg-type]


def _here() -> str:
    return str(Path(arena.__file__).parents[2])


def test_the_disk_is_full(tmp_path: Path, undisturbed: object) -> None:
    """It stops with a sentence; what is there is whole, and with room again it goes on to the same table."""
    file = tmp_path / "it.sqlite"
    run = Run(BOTS, games=GAMES, file=file)
    run._file._connection.execute("PRAGMA max_page_count = 12")
    with pytest.raises(TournamentFileError, match=r"nothing more can be kept in .*full; what is in it stays"):
        list(run.play_deals())
    run.close()
    assert 0 < arena.load(file).games_played < GAMES
    assert table(arena.play(BOTS, games=GAMES, file=file)) == undisturbed


def test_two_at_once_are_both_right(tmp_path: Path, undisturbed: object) -> None:
    """Two programs that play one tournament into one file share it, and both come to its table."""
    file, found = tmp_path / "it.sqlite", dict[int, object]()

    def go(number: int) -> None:
        found[number] = table(arena.play(BOTS, games=GAMES, file=file))

    threads = [Thread(target=go, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {0: undisturbed, 1: undisturbed}


def test_the_clock_is_moved(monkeypatch: pytest.MonkeyPatch, undisturbed: object) -> None:
    """Forth and back by years while it plays: nothing hangs on it."""
    hours = iter(range(0, 10**9, 7_000_000))
    monkeypatch.setattr(time, "time", lambda: 2e9 - next(hours))
    assert table(arena.play(BOTS, games=GAMES)) == undisturbed


def test_another_tournament_is_refused(tmp_path: Path) -> None:
    """And says what differs, the order of the bots too; more games of the same one are played, fewer leave what there is."""
    file = tmp_path / "it.sqlite"
    arena.play(BOTS, games=12, file=file)
    for other, wrong in (
        ({"seed": 2}, "there seed is 1, and not 2"),
        ({"rules": "econ431"}, "there rules is 'podkidnoy', and not 'econ431'"),
        ({"bots": ["careful", "random", FIRST]}, "there bots is"),
        ({"bots": BOTS[::-1]}, "there bots is"),
        ({"system": "swiss"}, "system"),
        ({"limits": Limits(1, 100)}, "limits"),
    ):
        with pytest.raises(TournamentFileError, match=wrong):
            arena.play(**{"bots": BOTS, "rules": "podkidnoy", "games": 12, "file": file, **other})  # type: ignore[arg-type]
    assert arena.play(BOTS, games=24, file=file).games_played == 24
    assert arena.load(file).games_planned == 24


THRIFTY = """
class Thrifty:
    def choose(self, view, _):
        return view.legal_moves()[0]
"""


@pytest.fixture
def thrifty_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., type]:
    """Return the class `Thrifty` as a module of the given name defines it."""

    def define(name: str, code: str = THRIFTY) -> type:
        module = ModuleType(name)
        module.__file__ = str(tmp_path / f"{name}.py")
        Path(module.__file__).write_text(code, encoding="utf-8")
        monkeypatch.setitem(sys.modules, name, module)  # where Python looks for the source of a class
        exec(compile(code, module.__file__, "exec"), vars(module))  # noqa: S102 - it is this test's own
        found: type = vars(module)["Thrifty"]
        return found

    return define


def test_a_bot_whose_module_has_another_name_plays_on(tmp_path: Path, thrifty_of: Callable[..., type]) -> None:
    """It is the same bot, because its class is the same."""
    file = tmp_path / "it.sqlite"
    arena.play(["random", thrifty_of("before")], games=4, file=file)
    assert arena.play(["random", thrifty_of("after")], games=8, file=file).games_played == 8
    changed = thrifty_of("changed", THRIFTY.replace("[0]", "[-1]"))
    with pytest.raises(TournamentFileError, match="there bots is"):
        arena.play(["random", changed], games=8, file=file)


def test_bots_whose_source_cannot_be_read_are_told_apart_by_their_modules(tmp_path: Path) -> None:
    """Nothing else is known of them but their name."""
    one, other = (type("Thrifty", (), {"choose": lambda _, view, __: view.legal_moves()[0], "__module__": name}) for name in ("a", "b"))
    arena.play(["random", one], games=4, file=tmp_path / "it.sqlite")
    with pytest.raises(TournamentFileError, match="there bots is"):
        arena.play(["random", other], games=8, file=tmp_path / "it.sqlite")
    assert arena.play(["random", one], games=8, file=tmp_path / "it.sqlite").games_played == 8


def test_a_file_that_names_the_modules_of_bots_is_played_on(tmp_path: Path, thrifty_of: Callable[..., type]) -> None:
    """Earlier versions wrote the name of the module before that of the class."""
    file = tmp_path / "it.sqlite"
    playing = ["random", thrifty_of("before"), get_bot("careful", miserly=True)]
    arena.play(playing, games=6, file=file)
    older = {
        one.name: one.identity.replace(" Thrifty ", " before.Thrifty ").replace(
            " CarefulBot ", " durak_widget.bots.heuristic_bots.CarefulBot "
        )
        for one in build_entrants(playing)
    }
    assert sum("." in identity for identity in older.values()) == 2
    with closing(sqlite3.connect(file)) as base:
        base.execute("UPDATE metadata SET value = ? WHERE key = 'bots'", (json.dumps(older),))
        base.commit()
    assert arena.play([playing[0], thrifty_of("after"), playing[2]], games=12, file=file).games_played == 12
    changed = thrifty_of("changed", THRIFTY.replace("[0]", "[-1]"))
    with pytest.raises(TournamentFileError, match="there bots is"):
        arena.play([playing[0], changed, playing[2]], games=12, file=file)


def test_files_that_are_none_of_ours_are_refused(tmp_path: Path) -> None:
    """Another database, another version, a text, a folder: a sentence, and nothing is changed."""
    theirs, later, text = (tmp_path / name for name in ("theirs.sqlite", "later.sqlite", "text.txt"))
    with closing(sqlite3.connect(theirs)) as base:
        base.execute("CREATE TABLE it (x)")
        base.commit()
    TournamentFile(later).close()
    with closing(sqlite3.connect(later)) as base:
        base.execute("PRAGMA user_version = 99")
    text.write_text("a text that is long enough to be no empty file" * 9)
    for path, wrong in (
        (theirs, "another kind of file"),
        (later, "form 99, and form 2 is known"),
        (text, "another kind of file"),
        (tmp_path, "cannot be used"),
    ):
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(TournamentFileError, match=wrong):
            arena.play(BOTS, games=2, file=path)
        assert before == (path.read_bytes() if path.is_file() else b"")
    with pytest.raises(TournamentFileError, match="there is no file"):
        arena.load(tmp_path / "nowhere.sqlite")


def test_what_holds_nothing_is_no_tournament_to_be_read(tmp_path: Path) -> None:
    """An empty file stays empty; one that was stopped before it began says so."""
    empty, begun = tmp_path / "empty.sqlite", tmp_path / "begun.sqlite"
    empty.touch()
    with pytest.raises(TournamentFileError, match="another kind of file"):
        arena.load(empty)
    assert not empty.read_bytes()
    TournamentFile(begun).close()
    with pytest.raises(TournamentFileError, match="no tournament yet"):
        arena.load(begun)
    assert main(["careful", "first", "--games", "4", "--file", str(begun)]) == 1, (
        "its deals would follow from a seed that anybody can guess"
    )


def test_nobody_need_close_a_file(tmp_path: Path) -> None:
    """It is closed with the last that holds it, also where it turns out to be none of ours: no warning of a database that was left open."""
    closed = list[str]()

    class Watched(sqlite3.Connection):
        def close(self) -> None:
            closed.append("closed")
            super().close()

    connect = sqlite3.connect
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", lambda place, **more: connect(place, **more, **({"factory": Watched} if more else {})))
        arena.play(BOTS, games=2, file=tmp_path / "it.sqlite")
        arena.load(tmp_path / "it.sqlite").rows()
        (tmp_path / "text.txt").write_text("a text that is long enough to be no empty file" * 9)
        with pytest.raises(TournamentFileError):
            TournamentFile(tmp_path / "text.txt")
        gc.collect()
    assert closed == ["closed"] * 3


def test_saved_where_it_is_played_it_is_played_on(tmp_path: Path) -> None:
    """Its own file is left alone: all of it stands there."""
    run = Run(BOTS, games=12, file=tmp_path / "it.sqlite")
    with closing(run.play_deals()) as steps:
        next(steps)
        run.ranking.save(tmp_path / "." / "it.sqlite")
        assert [*steps][-1] == 12
    assert arena.load(tmp_path / "it.sqlite").games_played == 12


def device(place: Path) -> Path:
    """A device that nobody misses, if a test should ever replace it: one of our own where the system permits it, else a terminal."""
    try:
        os.mknod(place, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    except PermissionError:
        return Path(os.ttyname(os.openpty()[1]))
    return place


@pytest.mark.skipif(os.name != "posix", reason="links, pipes and devices as on Unix")
@pytest.mark.parametrize("kind", ["link", "link to nothing", "folder", "pipe", "device"])
def test_only_a_plain_file_is_replaced(tmp_path: Path, kind: str) -> None:
    """A link, a folder, a pipe and a device stay what they are, and nothing is written anywhere."""
    ranking = arena.play(BOTS, games=2)
    (tmp_path / "mine.txt").write_text("mine")
    place = tmp_path / "it.sqlite"
    if kind == "link":
        place.symlink_to(tmp_path / "mine.txt")
    elif kind == "link to nothing":
        place.symlink_to(tmp_path / "nothing")
    elif kind == "folder":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    elif kind == "device":
        place = device(place)
    before, names = os.lstat(place), sorted(tmp_path.iterdir())
    with pytest.raises(TournamentFileError, match="stays as it is; name a plain file"):
        ranking.save(place)
    after = os.lstat(place)
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    assert sorted(tmp_path.iterdir()) == names
    assert (tmp_path / "mine.txt").read_text() == "mine"
    ranking.save(tmp_path / "mine.txt")  # a plain file is replaced
    assert arena.load(tmp_path / "mine.txt").games_played == ranking.games_played


def test_any_game_of_it_can_be_looked_at(tmp_path: Path) -> None:
    """By its number, with who sat where; all of a bot's by its name."""
    arena.play(BOTS, "econ431", games=12, file=tmp_path / "it.sqlite")
    ranking = arena.load(tmp_path / "it.sqlite")
    game = ranking.games[-1]
    assert game.game.outcome is not None
    assert Game.parse(game.text).moves == game.game.moves
    assert all("first" in one.seats for one in ranking.games_with("first"))
    assert len(ranking.games[2:4]) == 2
    assert {row["name"] for row in ranking.game_rows()} == set(BOTS)
    with pytest.raises(DurakError, match="nobody called 'nobody'"):
        ranking.games_with("nobody")
    with pytest.raises(DurakError, match=r"not copied or sent.*arena\.load\(path\) reads it"):
        pickle.dumps(ranking)


def test_teams_and_companies_and_ladders_are_played() -> None:
    """Partners are one bot; three at a table; all against one, who is named beside them."""
    pairs = arena.play(["careful", "random"], "podkidnoy, players=4, teams=2v2", games=10)
    assert pairs.games[0].seats == ("careful", "random") * 2
    three = arena.play(["careful", "random"], "podkidnoy, players=3", games=60)
    assert three.is_better("careful", "random")
    ladder = arena.play(["random", "first"], games=40, against="careful")
    assert ladder.names == ("random", "first", "careful")
    assert ladder.standings.share(0, 1) is None
    assert all("careful" in game.seats for game in ladder.games)


def test_a_folder_and_what_comes_once_climb_a_ladder_too(tmp_path: Path) -> None:
    """Whatever says who takes part says so there."""
    (tmp_path / "ann.py").write_text(FIRST)
    for given in (tmp_path, str(tmp_path), tmp_path.glob("*.py"), {"ann": tmp_path / "ann.py"}):
        assert Run(given, games=2, against="careful").names == ("ann", "careful")
    with pytest.raises(BotError, match="4 is not a bot"):
        Run(4, against="careful")  # type: ignore[arg-type]


def test_a_deal_may_take_as_long_as_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are in a row, and however long whoever plays may compute: a deal is not lost of which no game took too long."""
    waited = list[float]()
    monkeypatch.setattr(WorkerPool, "run_unordered", lambda *_, seconds, **__: waited.append(seconds) or (one for one in ()))
    for more in ({}, {"match": 10}, {"limits": Limits(1000, 100)}):
        list(Run(BOTS, games=2, **more).play_deals())  # type: ignore[arg-type]
    assert waited == [600, 6000, 2 * 3 * 2 * 1000]


def test_a_page_that_cannot_be_written_takes_nothing_away(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command has said by then what was found; how far it is, is said in the language that was asked for."""
    assert (
        main(["careful", "first", "--games", "4", "--jobs", "0", "--language", "lt", "--page", str(tmp_path / "nowhere" / "wall.html")])
        == 1
    )
    out, err = capsys.readouterr()
    assert "sužaista partijų: 4 iš 4" in out
    assert "sužaista partijų: 2 iš 4, liko apie " in err
    assert "nothing could be kept in" in err


def test_nobody_plays_alone() -> None:
    """And what was said wrong is said before anything is played."""
    with pytest.raises(BotError, match="at least two"):
        arena.play(["careful"])
    for limits in (
        5,
        Limits(float("nan")),
        Limits(float("inf")),
        Limits(-1),
        Limits("5"),
        Limits(5, -1),
        Limits(5, 10**30),
        Limits(5, 1.5),
    ):  # type: ignore[arg-type]
        with pytest.raises(BotError, match="limits="):
            arena.play(BOTS, limits=limits)  # type: ignore[arg-type]
    for seed in (10**5000, "x" * 1001, "\udcff", True):
        with pytest.raises(BotError, match="seed="):
            arena.play(BOTS, seed=seed)  # type: ignore[arg-type]


def test_a_page_that_cannot_be_written_costs_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was found is said before, and what is in the way after it."""
    line = ["first", "random", "--games", "2", "--jobs", "0", "--page", str(tmp_path / "no such folder" / "wall.html")]
    assert main([*line, "--seed", "9" * 999]) == 1
    said = capsys.readouterr()
    assert "2 of 2 games" in said.out
    assert "nothing could be kept" in said.err
    assert main([*line, "--seed", "9" * 9999]) == 1
    assert "seed=" in capsys.readouterr().err


def test_whoever_stops_it_before_it_plays_is_not_shouted_at(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """While it is laid out, or its ranking is worked out: one word, and the number of who was interrupted."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command_line, "Run", interrupted)
    assert main(["first", "random", "--jobs", "0"]) == 130
    assert capsys.readouterr().err.endswith("stopped\n")


def test_a_seed_that_is_easy_to_guess_is_told() -> None:
    """Where somebody else's code plays; among one's own bots any seed is fine."""
    for bots, seed, told in ((["careful", "random"], 1, False), ({"a": FIRST, "b": "careful"}, 1, True)):
        assert ("easy to guess" in arena.play(bots, games=2, seed=seed).to_text()) == told


def test_a_tournament_in_a_file_of_version_1_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games are those of a new file, whichever version the tournament began in."""
    former, new = tmp_path / "former.sqlite", tmp_path / "new.sqlite"
    with monkeypatch.context() as patch:
        patch.setattr(tournament_file, "FILE_VERSION", 1)
        arena.play(BOTS, games=2, seed=7, file=former)
    assert len(arena.load(former).games) == 2
    rankings = [arena.play(BOTS, games=12, seed=7, file=file) for file in (former, new)]
    assert [str(game.game) for game in rankings[0].games] == [str(game.game) for game in rankings[1].games]
    assert rankings[0].rows() == rankings[1].rows()
    assert [TournamentFile(file)._version for file in (former, new)] == [1, 2]
