"""Tables of CSV, written and read in one place."""

from __future__ import annotations

from durak_widget.classroom.commands import deals
from durak_widget.classroom.marking.csvs import BOM, as_csv, table
from durak_widget.classroom.playing.games import games


def test_what_is_written_is_read(tmp_path) -> None:
    """Names in any letters, and in the encodings of spreadsheets."""
    rows = [["Она; Иванова", "1,5"], ["Žaneta", "-2"]]
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        (tmp_path / "a.csv").write_text(as_csv(["имя", "points"], rows), encoding=encoding)
        assert table(tmp_path / "a.csv", "table") == [["имя", "points"], ["Она; Иванова", "1,5"], ["Žaneta", "'-2"]]


def test_each_file_that_is_written_begins_with_the_mark(tmp_path) -> None:
    """By which spreadsheets know the letters: the table of the desks and that of games."""
    games(budget=0).csv(tmp_path / "games.csv")
    assert deals.command(["--desks", "2", "--csv", str(tmp_path / "desks.csv"), "--out", str(tmp_path / "deals.html")]) == 0
    assert all((tmp_path / name).read_text(encoding="utf-8").startswith(BOM) for name in ("games.csv", "desks.csv"))
