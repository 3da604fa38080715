"""Test saving games from a table: readable files, no harm to existing ones, and messages."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import pytest

import durak_widget
from durak_widget import DurakError, Game, Table, bots, lessons
from durak_widget.i18n import LANGUAGES
from durak_widget.widgets import saved_games
from support.spoken import english, english_text

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _reset_defaults():
    """Reset all default settings, for other tests."""
    yield
    durak_widget.defaults(None)


def finish(table: Table) -> None:
    """Play the table's game to its end: first moves for people, bots as usual."""
    while table.game.outcome is None:
        if not table.step():
            table.play(table.game.legal_moves()[0])


def file_names(folder: Path) -> list[Path]:
    """Return the names of all files in a folder, also hidden ones."""
    return sorted(folder.iterdir()) if folder.exists() else []


def comments_in(path: Path) -> dict[str, str]:
    """Return what a file contains besides the game."""
    return dict(re.findall(r"^# ([^:]+): (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE))


def test_games_are_saved_only_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a file nor a folder is made, and the page can only switch it off."""
    monkeypatch.chdir(tmp_path)
    table = Table(seed=7)
    table.set_state({"saves_games": True})
    finish(table)
    table.close()
    assert table.keep is None
    assert file_names(tmp_path) == []


def test_a_finished_game_is_one_small_file(tmp_path: Path) -> None:
    """It has the deal, moves, players and time only."""
    folder = tmp_path / "my" / "games"
    table = Table("transfer, players=3", {2: "random"}, seed=7, keep=folder)
    assert file_names(tmp_path) == [], "nothing has been played"
    finish(table)
    [path] = file_names(folder)
    game = Game.load(path)
    assert (game.moves, str(game.outcome), game.dealer, game.rules) == (
        table.game.moves,
        str(table.game.outcome),
        table.game.dealer,
        table.rules,
    )
    found = comments_in(path)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", found.pop("Date"))
    assert found == {"Seat 0": "you", "Seat 1": "careful", "Seat 2": "random"}
    assert path.suffix == saved_games.FILE_SUFFIX
    assert path.stat().st_size < 4000


def test_each_game_has_its_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Test another game and another table, in the same second with the same random number."""
    numbers = iter(["00", "00", "00", "11", "00", "11", "22"])
    monkeypatch.setattr(saved_games, "token_hex", lambda _: next(numbers))

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
    names = [path.name for path in file_names(tmp_path)]
    assert names == [f"2027-02-03-170500-{number}.durak" for number in ("00", "11", "22")]
    assert Game.load(tmp_path / names[2]).moves == other.game.moves
    assert len({path.read_text(encoding="utf-8") for path in file_names(tmp_path)}) == 3


def test_undone_moves_are_not_saved(tmp_path: Path) -> None:
    """A game that ends differently later is the same game in the same file."""
    table = Table(seats={1: "you"}, seed=7, keep=tmp_path)
    finish(table)
    first = table.game.moves
    table.handle_message({"kind": "undo", "game": 1, "ply": table.game.ply})
    table.game.goto(10)
    table.refresh()
    assert Game.load(file_names(tmp_path)[0]).moves == first, "looking back changes nothing"
    while table.game.outcome is None:
        table.play(table.game.legal_moves()[-1])
    assert table.game.moves[:10] == first[:10]
    assert table.game.moves != first
    [path] = file_names(tmp_path)
    assert Game.load(path).moves == table.game.moves
    assert Game.load(path).last_ply == table.game.ply


def test_an_unfinished_game_is_saved_as_it_is(tmp_path: Path) -> None:
    """This happens when another starts or the table is cleared, if a person has moved."""
    table = Table(seed=7, seats={1: "you"}, keep=tmp_path)
    for _ in range(5):
        table.play(table.game.legal_moves()[0])
    moves = table.game.moves
    assert file_names(tmp_path) == []
    table.game = Game(seed=8)
    [path] = file_names(tmp_path)
    saved = Game.load(path)
    assert (saved.moves, saved.outcome, saved.last_ply) == (moves, None, 5)
    table.game = Game(seed=9)
    assert file_names(tmp_path) == [path]
    table.play(table.game.legal_moves()[0])
    table.close()
    assert len(file_names(tmp_path)) == 2


def test_looking_back_saves_the_whole_game(tmp_path: Path) -> None:
    """Undone moves are left out."""
    for seen, length in ((False, 6), (True, 4)):
        folder = tmp_path / str(seen)
        table = Table(seed=7, seats={1: "you"}, keep=folder)
        for _ in range(6):
            table.play(table.game.legal_moves()[0])
        table._session.goto(4, is_taken_back=seen)
        table.close()
        assert Game.load(file_names(folder)[0]).ply == length


def test_a_file_names_the_player_of_each_move(tmp_path: Path) -> None:
    """Players may change in the middle. Moves before this table have none."""
    game = bots.play(Game(seed=7), ["first", "first"], 1)
    game.goto(6)
    game.forget_undone()
    table = Table(game, {0: "you", 1: "careful"}, keep=tmp_path)
    finish_to(table, 12)
    table.seat_player(0, "random")
    finish(table)
    found = comments_in(file_names(tmp_path)[0])
    assert found["Seat 0"] == saved_games.UNKNOWN_PLAYER
    changes = {key: who for key, who in found.items() if key.startswith("Seat 0 from")}
    assert list(changes.values()) == ["you", "random"]
    first, second = (int(key.rsplit(" ", 1)[1]) for key in changes)
    course = Game.load(file_names(tmp_path)[0]).history
    assert 6 < first <= 12 < second
    assert course[first - 1].seat == course[second - 1].seat == 0
    assert not any(played.seat == 0 for played in course[12 : second - 1])


def finish_to(table: Table, ply: int) -> None:
    """Play on to a moment."""
    while table.game.ply < ply:
        if not table.step():
            table.play(table.game.legal_moves()[0])


def test_saving_can_be_a_default_setting(tmp_path: Path) -> None:
    """It applies to all new tables, except exercises and tables with their own setting."""
    assert durak_widget.defaults()["keep"] is None
    assert durak_widget.defaults(keep=tmp_path)["keep"] == str(tmp_path)
    finish(Table(seats={0: "first", 1: "first"}, seed=7))
    assert len(file_names(tmp_path)) == 1
    coached = lessons.Guided(seed=7)
    assert coached.table.keep is None
    finish(coached.table)
    finish(Table(seats={0: "first", 1: "first"}, seed=7, keep=False))
    assert len(file_names(tmp_path)) == 1
    assert durak_widget.defaults(keep=False)["keep"] is None
    durak_widget.defaults(keep=tmp_path)
    assert durak_widget.defaults(None)["keep"] is None
    assert Table(seed=7).keep is None


def check_refused(wrong: object) -> None:
    """Check one case of the next test."""
    table = Table(seed=7)
    for act in (lambda: Table(keep=wrong), lambda: setattr(table, "keep", wrong), lambda: durak_widget.defaults(keep=wrong, skin="slate")):
        with pytest.raises(DurakError, match='keep="games", or False'):
            act()
    assert table.keep is None
    assert durak_widget.defaults()["skin"] == "felt"


def test_invalid_folders_are_refused() -> None:
    """Tables and defaults keep their old value."""
    for wrong in [7, True, "", "  ", "a\0b", ["games"], object()]:
        check_refused(wrong)


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_at_the_table_see_that_games_are_saved(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line below the table says so, with how to stop it, and when a game was saved."""
    monkeypatch.chdir(tmp_path)
    displayed: list[dict[str, str]] = []
    monkeypatch.setattr("IPython.display.display", lambda data, **_: displayed.append(data))
    table = Table(seats={0: "first", 1: "first"}, seed=7, language=language, keep="games")
    table._ipython_display_()
    assert "“games”" in displayed[-1]["text/plain"] or "«games»" in displayed[-1]["text/plain"] or "„games“" in displayed[-1]["text/plain"]
    assert table.words["set.keeps"] in displayed[-1]["text/plain"]
    assert table.settings[-1] == {"name": "saves_games", "key": "keeps", "group": "play"}
    finish(table)
    assert table.scene["note"]["kind"] == "info"
    assert "games" in table.scene["note"]["text"][0]
    assert "result" in table.scene
    table.game = Game(seed=8)
    finish(table)
    assert "note" not in table.scene, "that is said once"
    Table(seed=7)._ipython_display_()
    assert "games" not in displayed[-1].get("text/plain", "")


def test_saving_can_be_switched_off(tmp_path: Path) -> None:
    """Page and Python can do it. Saved games stay."""
    table = Table(seats={0: "first", 1: "first"}, seed=7, keep=tmp_path)
    table.set_state({"saves_games": False})
    finish(table)
    assert file_names(tmp_path) == []
    table.keeps = True  # its former name
    assert table.saves_games
    assert table.keeps
    table.refresh()
    assert len(file_names(tmp_path)) == 1
    table.keep = False
    table.game = Game(seed=8)
    finish(table)
    table.close()
    assert (table.keep, len(file_names(tmp_path)), len(table.settings)) == (None, 1, len(Table(seed=1).settings))


def test_a_failed_save_is_reported_once(tmp_path: Path) -> None:
    """A file is in place of the folder: this and the next game go on."""
    (tmp_path / "games").write_text("mine", encoding="utf-8")
    table = Table(seats={0: "first", 1: "first"}, seed=7, keep=tmp_path / "games")
    messages = []
    table.observe(lambda change: messages.append(change["new"].get("note")), "scene")
    finish(table)
    table.game = Game(seed=8)
    finish(table)
    notes = [note for note in messages if note]
    assert [note["kind"] for note in notes] == ["error"]
    assert english("table.keep_failed").search(notes[0]["text"][0])
    assert (tmp_path / "games").read_text(encoding="utf-8") == "mine"
    assert table.failures == {}


def test_a_full_disk_leaves_no_partial_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left if writing fails in the middle."""

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    table = Table(seats={0: "first", 1: "first"}, seed=7, keep=tmp_path)
    finish(table)
    assert file_names(tmp_path) == []
    assert english("table.keep_failed", why=english_text("error.full")).search(table.scene["note"]["text"][0])


def test_the_folder_stays_the_same_after_changing_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is resolved once."""
    monkeypatch.chdir(tmp_path)
    table = Table(seats={0: "first", 1: "first"}, seed=7, keep="games")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    finish(table)
    assert len(file_names(tmp_path / "games")) == 1
