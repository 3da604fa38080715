"""Test receipts: they are always complete, have safe names, and hostile ones are refused."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress

import pytest
from hypothesis import given as some
from hypothesis import strategies as st

from durak_widget.errors import DurakError
from durak_widget.homework.receipt import (
    FORMAT,
    MAX_BYTES,
    Receipt,
    ReceiptFile,
    StoredAnswer,
    format_receipt_file_name,
    parse_receipt,
    receipt_from_dict,
)
from durak_widget.homework.student_homework import homework
from support.asked import posix
from support.classroom_kinds import ASSIGNMENT
from support.spoken import english

MINE = Receipt("econ431", "2027", "Ann", {"throw": StoredAnswer("1/2", 2), "lay": StoredAnswer(["9c", "Ah"], 1)})
FINE = MINE.to_dict()


def test_a_receipt_is_read_as_it_was_written():
    """Its text gives every answer."""
    assert parse_receipt(MINE.to_text().encode()) == MINE
    assert parse_receipt(b"\xef\xbb\xbf" + MINE.to_text().encode()) == MINE
    assert json.loads(MINE.to_text()) == FINE
    assert Receipt("a", "", "李明", {}).to_text().count("李明") == 1


@some(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_any_input_is_a_receipt_or_refused(found):
    """Test whole receipts, their answers and single answers."""
    for candidate in (
        found,
        {**FINE, "answers": found},
        {**FINE, "answers": {"throw": {"answer": found, "attempts": 1}}},
        {**FINE, "student": found},
    ):
        with suppress(DurakError):
            again = receipt_from_dict(candidate)
            assert parse_receipt(again.to_text().encode()) == again


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "JSON"),
        (b"\xff\xfe", "JSON"),
        (b"[" * 100_000, "JSON"),
        (b"[]", "receipt"),
        (b'{"format": "durak_widget.receipt/9"}', "of this version"),
        (b" " * (MAX_BYTES + 1), "larger than 4 MB"),
        (json.dumps({**FINE, "student": ""}).encode(), english("class.no_name")),
        (json.dumps({**FINE, "student": "A\nB\0"}).encode(), english("class.bad_name")),
        (json.dumps({**FINE, "assignment": 7}).encode(), "assignment.*short text"),
        (json.dumps({**FINE, "edition": "x" * 300}).encode(), "edition.*short text"),
        (json.dumps({**FINE, "answers": {str(n): {"answer": 1, "attempts": 1} for n in range(101)}}).encode(), "at most 100"),
        (json.dumps({**FINE, "answers": {"a": {"answer": None, "attempts": 1}}}).encode(), "not of the form"),
        (json.dumps({**FINE, "answers": {"a": {"answer": 1, "attempts": True}}}).encode(), "not of the form"),
        (json.dumps({**FINE, "answers": {"a": {"answer": 1, "attempts": -1}}}).encode(), "not of the form"),
        (json.dumps({**FINE, "answers": {"a": {"answer": "x" * 300_000}}}).encode(), "answer"),
        (json.dumps({**FINE, "answers": {"a": {"answer": json.loads("[" * 50 + "]" * 50)}}}).encode(), "answer"),
        (json.dumps({**FINE, "answers": {"a": {"answer": float("nan")}}}).encode(), "cannot be written"),
        (json.dumps({**FINE, "answers": {"a": {"answer": "\ud800"}}}).encode(), "cannot be written"),
        (json.dumps({**FINE, "answers": {"a\nb": {"answer": 1}}}).encode(), "question"),
    ],
)  # fmt: skip
def test_a_hostile_receipt_is_refused(data, sentence):
    """Test large, deep and malformed ones, and invalid text."""
    with pytest.raises(DurakError, match=sentence):
        parse_receipt(data)


def test_the_file_name_is_safe():
    """It is one short path part of letters, digits and hyphens, the same for the same person."""
    for name in (
        "Ann",
        "../../etc/passwd",
        'a/b\\c:d*e?f"g<h>i|j',
        "CON",
        "Анна Ли",
        "李明",
        "x" * 200,
        "Ann. ",
        "é" * 150,
        "~root",
        "-rf",
    ):
        found = format_receipt_file_name("econ431", "spring 2027", name)
        stem = found.removesuffix(".receipt.json")
        assert all(sign.isalnum() or sign == "-" for sign in stem)
        assert stem.startswith("econ431-spring-2027-")
        assert len(found.encode()) < 250
        assert found == format_receipt_file_name("econ431", "spring 2027", f" {name.upper()} ")


def test_different_people_have_different_files():
    """This is so even if the safe parts of their names are equal."""
    names = ["Ann Lee", "Ann-Lee", "Ann_Lee", "Ann.Lee", "x" * 60, "x" * 61]
    assert len({format_receipt_file_name("a", "", name) for name in names}) == len(names)


def test_a_file_is_complete_after_each_answer_and_read_again(tmp_path):
    """There are no other files."""
    work = homework(ASSIGNMENT, student="Ann", folder=tmp_path)
    assert list(tmp_path.iterdir()) == []
    for number, given in enumerate(("1", "2", "3"), 1):
        work.answer("few", given)
        assert parse_receipt(work.receipt_path.read_bytes()).answers["few"][:2] == StoredAnswer(given, number)[:2]
    assert [path.name for path in tmp_path.iterdir()] == ["all-kinds-ann.receipt.json"]
    again = homework(ASSIGNMENT, student="ANN", folder=tmp_path)
    assert again["few"].last_answer == "3"
    assert again["few"].view_model()["state"] == "saved"


@pytest.mark.parametrize(
    "data",
    [b"", b"\x00" * 100, b"{", b"[" * 100_000, MINE.to_text().encode(), MINE.to_text().encode()[:-20], b" " * (MAX_BYTES + 1)],
    ids=["empty", "zeros", "cut", "deep", "foreign", "torn", "large"],
)
def test_an_invalid_receipt_is_set_aside_and_reported(tmp_path, data):
    """It is unchanged; answers start again, and the page says why."""
    path = tmp_path / "all-kinds-ann.receipt.json"
    path.write_bytes(data)
    (tmp_path / "all-kinds-ann.receipt.unreadable").write_bytes(b"older")
    work = homework(ASSIGNMENT, student="Ann", folder=tmp_path)
    assert work.receipt["answers"] == {}
    aside = tmp_path / "all-kinds-ann.receipt.unreadable.2"
    assert aside.read_bytes() == data
    assert any(aside.name in line for line in work.view_model()["feedback"])
    work.answer("few", "3")
    assert parse_receipt(path.read_bytes()).answers.keys() == {"few"}


def test_answers_written_by_another_notebook_stay(tmp_path):
    """Where both answered, this notebook's last answer counts."""
    first, other = (homework(ASSIGNMENT, student="Ann", folder=tmp_path) for _ in range(2))
    first.answer("few", "1")
    other.answer("chosen", "first")
    first.answer("few", "2")
    found = parse_receipt(first.receipt_path.read_bytes()).answers
    assert {name: stored.answer for name, stored in found.items()} == {"few": "2", "chosen": "first"}
    third = homework(ASSIGNMENT, student="Ann", folder=tmp_path)
    other.answer("chosen", "second")
    third.answer("many", "1/3")
    found = parse_receipt(first.receipt_path.read_bytes()).answers
    assert {name: stored.answer for name, stored in found.items()} == {"few": "2", "chosen": "second", "many": "1/3"}


def test_a_file_damaged_meanwhile_is_set_aside_too(tmp_path):
    """Then it is written again with everything that this notebook knows."""
    work = homework(ASSIGNMENT, student="Ann", folder=tmp_path)
    work.answer("few", "1")
    path = work.receipt_path
    path.write_bytes(b"{torn")
    work.answer("chosen", "first")
    assert (tmp_path / "all-kinds-ann.receipt.unreadable").read_bytes() == b"{torn"
    assert parse_receipt(path.read_bytes()).answers.keys() == {"few", "chosen"}


@posix
def test_answers_are_kept_in_memory_if_nothing_can_be_written(tmp_path):
    """The page says so, and the receipt can be shown."""
    (tmp_path / "file").write_text("no folder")
    for folder in (tmp_path / "file", tmp_path / "file" / "in it", "/proc/self"):
        work = homework(ASSIGNMENT, student="Ann", folder=folder)
        assert english("class.kept.unsaved").search(str(work.answer("few", "3")))
        assert english("class.kept.unsaved").search(work["few"].view_model()["feedback"][-1])
        assert work.receipt["answers"] == {"few": {"answer": "3", "attempts": 1}}
        assert work.receipt_path is None
        assert english("class.unwritable").search(" ".join(work.view_model()["feedback"]))
    assert homework(ASSIGNMENT, student="Ann", folder=None).receipt_path is None


def test_a_missing_folder_is_made_with_the_first_answer(tmp_path):
    """Not before. The page names the folder."""
    folder = tmp_path / "new" / "deeper"
    work = homework(ASSIGNMENT, student="Ann", folder=folder)
    assert not folder.exists()
    assert str(folder) not in " ".join(work.view_model()["feedback"])  # a file that does not exist yet is not mentioned
    assert "No file" not in str(work.answer("few", "3"))
    assert parse_receipt((folder / "all-kinds-ann.receipt.json").read_bytes()).answers.keys() == {"few"}
    assert re.search(rf"all-kinds-ann\.receipt\.json.*{re.escape(str(folder))}", " ".join(work.view_model()["feedback"]))


def test_a_warning_disappears_when_saving_works_again(tmp_path):
    """Then the answer is reported as kept."""
    (tmp_path / "file").write_text("no folder")
    work = homework(ASSIGNMENT, student="Ann", folder=tmp_path / "file")
    work.answer("few", "3")
    (tmp_path / "file").unlink()
    work.answer("chosen", "first")
    assert "No file" not in " ".join([*work["few"].view_model()["feedback"], *work.view_model()["feedback"]])
    assert parse_receipt(work.receipt_path.read_bytes()).answers.keys() == {"few", "chosen"}


@posix
def test_a_link_or_pipe_in_place_of_the_file_is_set_aside(tmp_path):
    """Nothing waits for it."""
    path = tmp_path / "all-kinds-ann.receipt.json"
    os.mkfifo(path)
    work = homework(ASSIGNMENT, student="Ann", folder=tmp_path)
    work.answer("few", "3")
    assert parse_receipt(path.read_bytes()).answers.keys() == {"few"}
    path.unlink()
    path.mkdir()
    assert homework(ASSIGNMENT, student="Ann", folder=tmp_path).receipt["answers"] == {}
    drawer = ReceiptFile(tmp_path / "x.receipt.json", MINE)
    assert drawer.save_answers(MINE.answers, changed_questions=["throw"])
    assert drawer.load_answers() == MINE.answers
    assert json.loads(drawer.path.read_text(encoding="utf-8"))["format"] == FORMAT
