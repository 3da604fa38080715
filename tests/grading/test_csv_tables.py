"""Test reading and writing CSV tables."""

from __future__ import annotations

import pytest

from durak_widget import lessons
from durak_widget.class_games.game_dataset import games
from durak_widget.errors import DurakError
from durak_widget.grading.command_line import deals_command
from durak_widget.homework.csv_tables import BOM, format_csv, parse_cells, read_table
from support.classroom_kinds import ASSIGNMENT
from support.spoken import english, english_text


def test_written_tables_can_be_read(tmp_path) -> None:
    """Test names in all scripts and the encodings of spreadsheets."""
    rows = [["Она; Иванова", "1,5"], ["Žaneta", "-2"]]
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        (tmp_path / "a.csv").write_text(format_csv(["имя", "points"], rows), encoding=encoding)
        assert read_table(tmp_path / "a.csv", "table") == [["имя", "points"], ["Она; Иванова", "1,5"], ["Žaneta", "'-2"]]


def test_written_files_start_with_a_byte_order_mark(tmp_path) -> None:
    """Spreadsheets need it. Test the tables of tournaments and games."""
    games(budget=0).csv(tmp_path / "games.csv")
    assert deals_command(["--desks", "2", "--csv", str(tmp_path / "desks.csv"), "--out", str(tmp_path / "deals.html")]) == 0
    assert all((tmp_path / name).read_text(encoding="utf-8").startswith(BOM) for name in ("games.csv", "desks.csv"))


HOW = "UTF-8”"


def test_the_separator_is_detected() -> None:
    """It follows from the first line outside quotes, or from the file's own statement, with any line ends."""
    for between in (",", ";", "\t"):
        for line in ("\n", "\r\n", "\r"):
            rows = [["code", "name; first, last", "1"], ["K7", "Lee, Ann", "0,5; 1"]]
            text = line.join(between.join(f'"{cell}"' for cell in row) for row in rows) + line
            assert parse_cells(text, "table") == rows
            assert parse_cells(f"sep={between}{line}{text}", "table") == rows


def test_unknown_encodings_are_refused_with_instructions(tmp_path) -> None:
    """Nobody can distinguish cp1257 from cp1252, so the roster is refused and the message says how to save it."""
    for encoding in ("cp1252", "cp1257", "cp1251", "utf-16-le"):
        name = {"cp1252": "Zoë", "cp1251": "Онa"}.get(encoding, "Žydrė")
        (tmp_path / "class.csv").write_bytes(f"name\n{name}\n".encode(encoding))
        with pytest.raises(DurakError, match=HOW):
            read_table(tmp_path / "class.csv", "roster")


def test_a_spreadsheet_file_is_reported_as_such(tmp_path) -> None:
    """Its file name does not matter. As a roster it is refused, among homework it is reported alone."""
    for name, data in (
        ("class.xlsx", b"PK\x03\x04 [Content_Types].xml xl/workbook.xml"),
        ("class.csv", b"PK\x03\x04 [Content_Types].xml xl/workbook.xml"),
        ("class.ods", b"PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.spreadsheet"),
        ("class.csv", b"PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.spreadsheet"),
        ("class.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(DurakError, match="UTF-8”"):
            read_table(tmp_path / name, "roster")
        lessons.homework(ASSIGNMENT, student="Ann", folder=tmp_path / "ann").answer("few", "1")
        for place in (tmp_path, tmp_path / name):
            marks = lessons.mark(place, ASSIGNMENT, jobs=0)
            [sentence] = [problem.sentence for problem in marks.problems if problem.file == name]
            assert english("class.file.workbook").match(sentence)
        assert lessons.mark(tmp_path, ASSIGNMENT, jobs=0).students == ("Ann",)


def test_an_unreadable_table_is_reported_and_others_are_read(tmp_path) -> None:
    """One sentence says how to save it, and does not speak of notebooks."""
    for data in (
        "code;1\nŽ;2".encode("cp1257"),
        "code;1\nЖ;2".encode("cp1251"),
        "code\tž\n".encode("utf-16-le"),
        b'code;"' + b"x" * 140_000,
    ):
        (tmp_path / "typed.csv").write_bytes(data)
        lessons.homework(ASSIGNMENT, student="Ann", folder=tmp_path / "ann").answer("few", "1")
        marks = lessons.mark(tmp_path, ASSIGNMENT, jobs=0)
        assert marks.students == ("Ann",)
        [sentence] = [problem.sentence for problem in marks.problems if problem.file == "typed.csv"]
        assert "CSV UTF-8" in sentence


def test_an_archive_named_csv_is_reported_as_an_archive(tmp_path) -> None:
    """The message calls it packed files."""
    (tmp_path / "typed.csv").write_bytes(b"PK\x03\x04\0\0 notebook.ipynb")
    [trouble] = lessons.mark(tmp_path, ASSIGNMENT, jobs=0).problems
    assert trouble.sentence == english_text("class.file.packed")
