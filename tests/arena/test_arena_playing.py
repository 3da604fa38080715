"""Test that a tournament gives the same table however it is stopped, resumed and divided, and that no result is lost."""

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
from durak_widget.i18n import Translator
from durak_widget.parallel import WorkerPool
from durak_widget.sandbox.code_runner import Limits
from support.spoken import english

if TYPE_CHECKING:
    from collections.abc import Callable

GAMES = 60


@pytest.fixture(scope="module")
def reference_table() -> object:
    """Return the table of an uninterrupted tournament."""
    return table(arena.play(BOTS, games=GAMES))


@pytest.mark.slow
@pytest.mark.parametrize("executor", [2, "threads"])
def test_the_table_is_the_same_with_every_executor(reference_table: object, executor: object) -> None:
    """All numbers and games are equal."""
    if executor == "threads":
        with ThreadPoolExecutor(3) as threads:
            assert table(arena.play(BOTS, games=GAMES, executor=threads)) == reference_table
    else:
        assert table(arena.play(BOTS, games=GAMES, executor=executor)) == reference_table


@pytest.mark.parametrize("system", ["swiss"])
def test_a_stopped_tournament_resumes(tmp_path: Path, system: str) -> None:
    """It is stopped again and again, and each part resumes from the file, until all is played; the table is that of an uninterrupted one."""
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
def test_a_killed_tournament_resumes(tmp_path: Path, how: str) -> None:
    """No stored result is lost, none is counted twice, and the table is that of an uninterrupted one; after an interrupt the message says how to resume."""
    file, mine = tmp_path / "it.sqlite", tmp_path / "mine.py"
    mine.write_text(FIRST)
    options = {"bots": ["careful", "random", mine], "rules": "podkidnoy", "games": 120, "seed": 1}
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
        line, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": _source_root()}
    ) as process:
        assert process.stderr is not None
        for output in iter(lambda: process.stderr.read(20), ""):  # type: ignore[union-attr]
            if "games" in output:  # the first progress line
                break
        process.send_signal(signal.Signals[how])
        out, err = process.communicate(timeout=60)
    if how == "SIGINT":
        assert process.returncode == 130
        assert "the same command continues from there" in err
        assert english("arena.needed.other").search(out)
    assert 0 < arena.load(file).games_played < 120
    assert table(arena.play(**options, file=file)) == table(arena.play(**options))  # type: ignore[arg-type]


def _source_root() -> str:
    return str(Path(arena.__file__).parents[2])


def test_a_full_disk_stops_the_tournament_safely(tmp_path: Path, reference_table: object) -> None:
    """It stops with a message; the file is intact, and with free space it resumes to the same table."""
    file = tmp_path / "it.sqlite"
    run = Run(BOTS, games=GAMES, file=file)
    run._file._connection.execute("PRAGMA max_page_count = 12")
    with pytest.raises(TournamentFileError, match=r"more.*full"):
        list(run.play_deals())
    run.close()
    assert 0 < arena.load(file).games_played < GAMES
    assert table(arena.play(BOTS, games=GAMES, file=file)) == reference_table


def test_two_processes_can_share_one_file(tmp_path: Path, reference_table: object) -> None:
    """Two programs that play one tournament with one file both get its table."""
    file, found = tmp_path / "it.sqlite", dict[int, object]()

    def play_and_store(number: int) -> None:
        found[number] = table(arena.play(BOTS, games=GAMES, file=file))

    threads = [Thread(target=play_and_store, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {0: reference_table, 1: reference_table}


def test_clock_changes_do_not_matter(monkeypatch: pytest.MonkeyPatch, reference_table: object) -> None:
    """The clock jumps by years during play."""
    hours = iter(range(0, 10**9, 7_000_000))
    monkeypatch.setattr(time, "time", lambda: 2e9 - next(hours))
    assert table(arena.play(BOTS, games=GAMES)) == reference_table


def test_a_file_of_another_tournament_is_refused(tmp_path: Path) -> None:
    """The error names the difference, also in the order of bots. More games of the same tournament are played; fewer keep the stored ones."""
    file = tmp_path / "it.sqlite"
    arena.play(BOTS, games=12, file=file)
    for other, wrong in (
        ({"seed": 2}, "seed is 1"),
        ({"rules": "econ431"}, "'podkidnoy'.*'econ431'"),
        ({"bots": ["careful", "random", FIRST]}, "its bots is"),
        ({"bots": BOTS[::-1]}, "its bots is"),
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
def define_thrifty_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., type]:
    """Return a function that defines the class `Thrifty` in a module of the given name."""

    def define(name: str, code: str = THRIFTY) -> type:
        module = ModuleType(name)
        module.__file__ = str(tmp_path / f"{name}.py")
        Path(module.__file__).write_text(code, encoding="utf-8")
        monkeypatch.setitem(sys.modules, name, module)  # inspect.getsource looks here
        exec(compile(code, module.__file__, "exec"), vars(module))  # noqa: S102 - it is this test's own
        found: type = vars(module)["Thrifty"]
        return found

    return define


def test_a_bot_in_a_renamed_module_is_the_same_bot(tmp_path: Path, define_thrifty_bot: Callable[..., type]) -> None:
    """Its identity is that of its class."""
    file = tmp_path / "it.sqlite"
    arena.play(["random", define_thrifty_bot("before")], games=4, file=file)
    assert arena.play(["random", define_thrifty_bot("after")], games=8, file=file).games_played == 8
    changed = define_thrifty_bot("changed", THRIFTY.replace("[0]", "[-1]"))
    with pytest.raises(TournamentFileError, match="its bots is"):
        arena.play(["random", changed], games=8, file=file)


def test_bots_without_readable_source_are_distinguished_by_module(tmp_path: Path) -> None:
    """Only their names are known otherwise."""
    bot, other = (type("Thrifty", (), {"choose": lambda _, view, __: view.legal_moves()[0], "__module__": name}) for name in ("a", "b"))
    arena.play(["random", bot], games=4, file=tmp_path / "it.sqlite")
    with pytest.raises(TournamentFileError, match="its bots is"):
        arena.play(["random", other], games=8, file=tmp_path / "it.sqlite")
    assert arena.play(["random", bot], games=8, file=tmp_path / "it.sqlite").games_played == 8


def test_a_file_with_module_names_of_bots_is_resumed(tmp_path: Path, define_thrifty_bot: Callable[..., type]) -> None:
    """Earlier versions wrote the name of the module before that of the class."""
    file = tmp_path / "it.sqlite"
    playing = ["random", define_thrifty_bot("before"), get_bot("careful", miserly=True)]
    arena.play(playing, games=6, file=file)
    older = {
        entrant.name: entrant.identity.replace(" Thrifty ", " before.Thrifty ").replace(
            " CarefulBot ", " durak_widget.bots.heuristic_bots.CarefulBot "
        )
        for entrant in build_entrants(playing)
    }
    assert sum("." in identity for identity in older.values()) == 2
    with closing(sqlite3.connect(file)) as base:
        base.execute("UPDATE metadata SET value = ? WHERE key = 'bots'", (json.dumps(older),))
        base.commit()
    assert arena.play([playing[0], define_thrifty_bot("after"), playing[2]], games=12, file=file).games_played == 12
    changed = define_thrifty_bot("changed", THRIFTY.replace("[0]", "[-1]"))
    with pytest.raises(TournamentFileError, match="its bots is"):
        arena.play([playing[0], changed, playing[2]], games=12, file=file)


def test_files_of_another_kind_are_refused(tmp_path: Path) -> None:
    """Another database, another version, a text, a folder: one message each, and nothing is changed."""
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
        (later, "99.*2"),
        (text, "another kind of file"),
        (tmp_path, "cannot be used"),
    ):
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(TournamentFileError, match=wrong):
            arena.play(BOTS, games=2, file=path)
        assert before == (path.read_bytes() if path.is_file() else b"")
    with pytest.raises(TournamentFileError, match="there is no file"):
        arena.load(tmp_path / "nowhere.sqlite")


def test_an_empty_file_is_not_a_tournament(tmp_path: Path) -> None:
    """An empty file stays empty; a tournament that was stopped before its first game says so."""
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


def test_files_are_closed_automatically(tmp_path: Path) -> None:
    """The last user closes the file, also if it is refused: there is no warning about an open database."""
    closed = list[str]()

    class WatchedConnection(sqlite3.Connection):
        def close(self) -> None:
            closed.append("closed")
            super().close()

    connect = sqlite3.connect
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", lambda place, **more: connect(place, **more, **({"factory": WatchedConnection} if more else {})))
        arena.play(BOTS, games=2, file=tmp_path / "it.sqlite")
        arena.load(tmp_path / "it.sqlite").rows()
        (tmp_path / "text.txt").write_text("a text that is long enough to be no empty file" * 9)
        with pytest.raises(TournamentFileError):
            TournamentFile(tmp_path / "text.txt")
        gc.collect()
    assert closed == ["closed"] * 3


def test_saving_to_the_open_tournament_file_is_harmless(tmp_path: Path) -> None:
    """The file is left alone, because everything is already in it."""
    run = Run(BOTS, games=12, file=tmp_path / "it.sqlite")
    with closing(run.play_deals()) as steps:
        next(steps)
        run.ranking.save(tmp_path / "." / "it.sqlite")
        assert [*steps][-1] == 12
    assert arena.load(tmp_path / "it.sqlite").games_played == 12


def device_path(place: Path) -> Path:
    """Return a device that a test may damage: a new one if the system allows it, else a terminal."""
    try:
        os.mknod(place, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    except PermissionError:
        return Path(os.ttyname(os.openpty()[1]))
    return place


@pytest.mark.skipif(os.name != "posix", reason="links, pipes and devices as on Unix")
@pytest.mark.parametrize("kind", ["link", "link to nothing", "folder", "pipe", "device"])
def test_only_a_plain_file_is_replaced(tmp_path: Path, kind: str) -> None:
    """A link, a folder, a pipe and a device stay as they are, and nothing is written anywhere."""
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
        place = device_path(place)
    before, names = os.lstat(place), sorted(tmp_path.iterdir())
    with pytest.raises(TournamentFileError, match="not replaced; give a regular file"):
        ranking.save(place)
    after = os.lstat(place)
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    assert sorted(tmp_path.iterdir()) == names
    assert (tmp_path / "mine.txt").read_text() == "mine"
    ranking.save(tmp_path / "mine.txt")  # a plain file is replaced
    assert arena.load(tmp_path / "mine.txt").games_played == ranking.games_played


def test_any_game_can_be_inspected(tmp_path: Path) -> None:
    """By its number, with the seats; all games of a bot by its name."""
    arena.play(BOTS, "econ431", games=12, file=tmp_path / "it.sqlite")
    ranking = arena.load(tmp_path / "it.sqlite")
    game = ranking.games[-1]
    assert game.game.outcome is not None
    assert Game.parse(game.text).moves == game.game.moves
    assert all("first" in game.seats for game in ranking.games_with("first"))
    assert len(ranking.games[2:4]) == 2
    assert {row["name"] for row in ranking.game_rows()} == set(BOTS)
    with pytest.raises(DurakError, match="'nobody'"):
        ranking.games_with("nobody")
    with pytest.raises(DurakError, match=r"arena\.load\(path\)"):
        pickle.dumps(ranking)


def test_teams_three_players_and_ladders_are_played() -> None:
    """Partners are one bot; three at a table; all against one bot, which is listed with them."""
    pairs = arena.play(["careful", "random"], "podkidnoy, players=4, teams=2v2", games=10)
    assert pairs.games[0].seats == ("careful", "random") * 2
    three = arena.play(["careful", "random"], "podkidnoy, players=3", games=60)
    assert three.is_better("careful", "random")
    ladder = arena.play(["random", "first"], games=40, against="careful")
    assert ladder.names == ("random", "first", "careful")
    assert ladder.standings.share(0, 1) is None
    assert all("careful" in game.seats for game in ladder.games)


def test_a_ladder_accepts_all_kinds_of_entrants(tmp_path: Path) -> None:
    """Everything that names entrants works with `against`."""
    (tmp_path / "ann.py").write_text(FIRST)
    for given in (tmp_path, str(tmp_path), tmp_path.glob("*.py"), {"ann": tmp_path / "ann.py"}):
        assert Run(given, games=2, against="careful").names == ("ann", "careful")
    with pytest.raises(BotError, match="4 is not a bot"):
        Run(4, against="careful")  # type: ignore[arg-type]


def test_the_time_limit_of_a_deal_covers_all_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """With any number of games in a match and any time limit, a deal is not lost unless a game takes too long."""
    waited = list[float]()
    monkeypatch.setattr(WorkerPool, "run_unordered", lambda *_, seconds, **__: waited.append(seconds) or (result for result in ()))
    for more in ({}, {"match": 10}, {"limits": Limits(1000, 100)}):
        list(Run(BOTS, games=2, **more).play_deals())  # type: ignore[arg-type]
    assert waited == [600, 6000, 2 * 3 * 2 * 1000]


def test_an_unwritable_page_keeps_the_printed_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command has printed the result before; progress is in the requested language."""
    assert (
        main(["careful", "first", "--games", "4", "--jobs", "0", "--language", "lt", "--page", str(tmp_path / "nowhere" / "wall.html")])
        == 1
    )
    out, err = capsys.readouterr()
    say = Translator("lt").translate
    assert say("arena.so_far", played=4, planned=4) in out
    assert say("arena.so_far", played=2, planned=4) in err
    assert "cannot write" in err


def test_invalid_arguments_are_refused_before_play() -> None:
    """One bot alone, wrong limits and wrong seeds."""
    with pytest.raises(BotError, match="at least 2"):
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
        with pytest.raises(BotError, match="limits must be"):
            arena.play(BOTS, limits=limits)  # type: ignore[arg-type]
    for seed in (10**5000, "x" * 1001, "\udcff", True):
        with pytest.raises(BotError, match=r"^seed"):
            arena.play(BOTS, seed=seed)  # type: ignore[arg-type]


def test_an_unwritable_page_is_reported_after_the_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The result is printed first, and the error after it."""
    line = ["first", "random", "--games", "2", "--jobs", "0", "--page", str(tmp_path / "no such folder" / "wall.html")]
    assert main([*line, "--seed", "9" * 999]) == 1
    output = capsys.readouterr()
    assert "2 of 2 games" in output.out
    assert "cannot write" in output.err
    assert main([*line, "--seed", "9" * 9999]) == 1
    assert "1000 digits" in capsys.readouterr().err


def test_an_interrupt_before_play_prints_one_word(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """During the setup or the ranking: the word `stopped`, and the exit status of an interrupt."""

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command_line, "Run", interrupt)
    assert main(["first", "random", "--jobs", "0"]) == 130
    assert capsys.readouterr().err.endswith("stopped\n")


def test_an_easily_guessed_seed_is_reported() -> None:
    """If other people's code plays; for the caller's own bots any seed is fine."""
    for bots, seed, options in ((["careful", "random"], 1, False), ({"a": FIRST, "b": "careful"}, 1, True)):
        assert ("easy to guess" in arena.play(bots, games=2, seed=seed).to_text()) == options


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
