"""A table keeps its games where it is asked to, as files that can be read again; it harms nothing that was there, and says what it does."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest

import durak_widget
from durak_widget import DurakError, Game, Table, bots, lessons
from durak_widget.i18n import LANGUAGES
from durak_widget.widgets import saved_games

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _forgotten():
    """Other tests have no habits."""
    yield
    durak_widget.defaults(None)


def finish(table: Table) -> None:
    """Play the game on a table to its end: the first move for people, bots as they like."""
    while table.game.outcome is None:
        if not table.step():
            table.play(table.game.legal_moves()[0])


def files(folder: Path) -> list[Path]:
    """What is in a folder, hidden files too."""
    return sorted(folder.iterdir()) if folder.exists() else []


def remarks(path: Path) -> dict[str, str]:
    """What stands in a file besides the game."""
    return dict(re.findall(r"^# ([^:]+): (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE))


def test_nothing_is_kept_that_nobody_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the game nor a folder; and the page, which may untick, cannot ask for it."""
    monkeypatch.chdir(tmp_path)
    table = Table(seed=7)
    table.set_state({"keeps": True})
    finish(table)
    table.close()
    assert table.keep is None
    assert files(tmp_path) == []


def test_a_game_that_ends_is_one_small_file(tmp_path: Path) -> None:
    """The game with its deal and its moves, who sat where, and when; nothing more."""
    folder = tmp_path / "my" / "games"
    table = Table("transfer, players=3", {2: "random"}, seed=7, keep=folder)
    assert files(tmp_path) == [], "nothing has been played"
    finish(table)
    [path] = files(folder)
    game = Game.load(path)
    assert (game.moves, str(game.outcome), game.dealer, game.rules) == (
        table.game.moves,
        str(table.game.outcome),
        table.game.dealer,
        table.rules,
    )
    found = remarks(path)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", found.pop("Date"))
    assert found == {"Seat 0": "you", "Seat 1": "careful", "Seat 2": "random"}
    assert path.suffix == saved_games.FILE_SUFFIX
    assert path.stat().st_size < 4000


def test_each_game_has_its_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another game and another table write beside, even in the same second and with the same number drawn."""
    drawn = iter(["00", "00", "00", "11", "00", "11", "22"])
    monkeypatch.setattr(saved_games, "token_hex", lambda _: next(drawn))

    class _Clock:
        @staticmethod
        def now():
            return at_that_moment

    at_that_moment = saved_games.datetime(2027, 2, 3, 17, 5, 0)
    monkeypatch.setattr(saved_games, "datetime", _Clock)
    table = Table(seats={0: "first", 1: "random"}, seed=7, keep=tmp_path)
    finish(table)
    table.match.next_game()
    table.refresh()
    finish(table)
    finish(other := Table(seats={0: "first", 1: "random"}, seed=8, keep=tmp_path))
    names = [path.name for path in files(tmp_path)]
    assert names == [f"2027-02-03-170500-{one}.durak" for one in ("00", "11", "22")]
    assert Game.load(tmp_path / names[2]).moves == other.game.moves
    assert len({path.read_text(encoding="utf-8") for path in files(tmp_path)}) == 3


def test_moves_that_were_taken_back_are_not_kept(tmp_path: Path) -> None:
    """The game that ends otherwise after all is the same game, in the same file."""
    table = Table(seats={1: "you"}, seed=7, keep=tmp_path)
    finish(table)
    first = table.game.moves
    table.handle_message({"kind": "undo", "game": 1, "ply": table.game.ply})
    table.game.goto(10)
    table.refresh()
    assert Game.load(files(tmp_path)[0]).moves == first, "looking back changes nothing"
    while table.game.outcome is None:
        table.play(table.game.legal_moves()[-1])
    assert table.game.moves[:10] == first[:10]
    assert table.game.moves != first
    [path] = files(tmp_path)
    assert Game.load(path).moves == table.game.moves
    assert Game.load(path).last_ply == table.game.ply


def test_a_game_that_is_left_is_kept_as_it_stands(tmp_path: Path) -> None:
    """When another is begun, or the table is cleared; one in which nobody has made a move is none."""
    table = Table(seed=7, seats={1: "you"}, keep=tmp_path)
    for _ in range(5):
        table.play(table.game.legal_moves()[0])
    moves = table.game.moves
    assert files(tmp_path) == []
    table.game = Game(seed=8)
    [path] = files(tmp_path)
    kept = Game.load(path)
    assert (kept.moves, kept.outcome, kept.last_ply) == (moves, None, 5)
    table.game = Game(seed=9)
    assert files(tmp_path) == [path]
    table.play(table.game.legal_moves()[0])
    table.close()
    assert len(files(tmp_path)) == 2


def test_who_only_looks_back_leaves_a_whole_game(tmp_path: Path) -> None:
    """And who has taken moves back leaves it without them."""
    for seen, kept in ((False, 6), (True, 4)):
        folder = tmp_path / str(seen)
        table = Table(seed=7, seats={1: "you"}, keep=folder)
        for _ in range(6):
            table.play(table.game.legal_moves()[0])
        table._session.goto(4, is_taken_back=seen)
        table.close()
        assert Game.load(files(folder)[0]).ply == kept


def test_a_file_says_who_made_each_move(tmp_path: Path) -> None:
    """Somebody else may sit down in the middle; who moved before the game came to this table, nobody knows."""
    game = bots.play(Game(seed=7), ["first", "first"], 1)
    game.goto(6)
    game.forget_undone()
    table = Table(game, {0: "you", 1: "careful"}, keep=tmp_path)
    finish_to(table, 12)
    table.seat_player(0, "random")
    finish(table)
    found = remarks(files(tmp_path)[0])
    assert found["Seat 0"] == saved_games.UNKNOWN_PLAYER
    changes = {key: who for key, who in found.items() if key.startswith("Seat 0 from")}
    assert list(changes.values()) == ["you", "random"]
    first, second = (int(key.rsplit(" ", 1)[1]) for key in changes)
    course = Game.load(files(tmp_path)[0]).history
    assert 6 < first <= 12 < second
    assert course[first - 1].seat == course[second - 1].seat == 0
    assert not any(played.seat == 0 for played in course[12 : second - 1])


def finish_to(table: Table, ply: int) -> None:
    """Play on to a moment."""
    while table.game.ply < ply:
        if not table.step():
            table.play(table.game.legal_moves()[0])


def test_it_is_asked_for_as_a_habit_too(tmp_path: Path) -> None:
    """For every table from then on, but not for exercises, nor for a table that is told otherwise."""
    assert durak_widget.defaults()["keep"] is None
    assert durak_widget.defaults(keep=tmp_path)["keep"] == str(tmp_path)
    finish(Table(seats={0: "first", 1: "first"}, seed=7))
    assert len(files(tmp_path)) == 1
    coached = lessons.Guided(seed=7)
    assert coached.table.keep is None
    finish(coached.table)
    finish(Table(seats={0: "first", 1: "first"}, seed=7, keep=False))
    assert len(files(tmp_path)) == 1
    assert durak_widget.defaults(keep=False)["keep"] is None
    durak_widget.defaults(keep=tmp_path)
    assert durak_widget.defaults(None)["keep"] is None
    assert Table(seed=7).keep is None


def check_refused(wrong: object) -> None:
    """Check one case of the next test."""
    table = Table(seed=7)
    for act in (lambda: Table(keep=wrong), lambda: setattr(table, "keep", wrong), lambda: durak_widget.defaults(keep=wrong, skin="slate")):
        with pytest.raises(DurakError, match=r'^keep names the folder for the games, as in keep="games", or False, not '):
            act()
    assert table.keep is None
    assert durak_widget.defaults()["skin"] == "felt"


def test_what_is_no_folder_is_refused_in_a_sentence() -> None:
    """At a table and as a habit; what held before still holds."""
    for wrong in [7, True, "", "  ", "a\0b", ["games"], object()]:
        check_refused(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_sits_there_is_told(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the table in one line, with how to stop it; and when a game has been kept."""
    monkeypatch.chdir(tmp_path)
    shown: list[dict[str, str]] = []
    monkeypatch.setattr("IPython.display.display", lambda data, **_: shown.append(data))
    table = Table(seats={0: "first", 1: "first"}, seed=7, language=language, keep="games")
    table._ipython_display_()
    assert "“games”" in shown[-1]["text/plain"] or "«games»" in shown[-1]["text/plain"] or "„games“" in shown[-1]["text/plain"]
    assert table.words["set.keeps"] in shown[-1]["text/plain"]
    assert table.settings[-1] == {"name": "keeps"}
    finish(table)
    assert table.scene["note"]["kind"] == "told"
    assert "games" in table.scene["note"]["said"][0]
    assert "over" in table.scene
    table.game = Game(seed=8)
    finish(table)
    assert "note" not in table.scene, "that is said once"
    Table(seed=7)._ipython_display_()
    assert "games" not in shown[-1].get("text/plain", "")


def test_it_can_be_switched_off(tmp_path: Path) -> None:
    """By a tick in the settings, or in Python; what was kept stays."""
    table = Table(seats={0: "first", 1: "first"}, seed=7, keep=tmp_path)
    table.set_state({"keeps": False})
    finish(table)
    assert files(tmp_path) == []
    table.set_state({"keeps": True})
    table.refresh()
    assert len(files(tmp_path)) == 1
    table.keep = False
    table.game = Game(seed=8)
    finish(table)
    table.close()
    assert (table.keep, len(files(tmp_path)), len(table.settings)) == (None, 1, len(Table(seed=1).settings))


def test_what_cannot_be_written_is_said_once_and_harms_nothing(tmp_path: Path) -> None:
    """A file stands where the folder should be: the game goes on to its end and the next one too."""
    (tmp_path / "games").write_text("mine", encoding="utf-8")
    table = Table(seats={0: "first", 1: "first"}, seed=7, keep=tmp_path / "games")
    said = []
    table.observe(lambda change: said.append(change["new"].get("note")), "scene")
    finish(table)
    table.game = Game(seed=8)
    finish(table)
    notes = [note for note in said if note]
    assert [note["kind"] for note in notes] == ["error"]
    assert "cannot be kept" in notes[0]["said"][0]
    assert (tmp_path / "games").read_text(encoding="utf-8") == "mine"
    assert table.failures == {}


def test_no_game_is_ever_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the disk is full in the middle of it, nothing is left behind."""

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    table = Table(seats={0: "first", 1: "first"}, seed=7, keep=tmp_path)
    finish(table)
    assert files(tmp_path) == []
    assert "No space left" in table.scene["note"]["said"][0]


def test_a_folder_is_the_one_that_was_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever one goes afterwards."""
    monkeypatch.chdir(tmp_path)
    table = Table(seats={0: "first", 1: "first"}, seed=7, keep="games")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    finish(table)
    assert len(files(tmp_path / "games")) == 1
