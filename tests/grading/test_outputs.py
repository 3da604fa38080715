"""What marking writes: over nothing that was handed in, and nowhere through a link that lies there."""

from __future__ import annotations

import os
from time import process_time

import pytest

from durak_widget import DurakError, lessons
from durak_widget.grading.command_line import main
from durak_widget.grading.student_feedback import write_feedback
from durak_widget.grading.submission_files import list_files, parse_json, read_data
from durak_widget.homework.receipt import format_receipt_file_name
from support.classroom_handing import FEW, SMALL, answers, receipt, write

posix = pytest.mark.skipif(os.name != "posix", reason="links as on Unix")


@pytest.fixture
def handed(tmp_path):
    """The work of Ann and Bob, and a file of whoever marks outside."""
    (tmp_path / "thesis.txt").write_text("dear")
    return write(
        tmp_path / "in",
        **{f"{name}_json": receipt(name, {"few": answers(name, assignment=SMALL)["few"]}, SMALL) for name in ("Ann", "Bob")},
    )


def command(folder, *more):
    """What the command ends with, marking in this process."""
    return main(["mark", str(folder), "--assignment", FEW, "--jobs", "0", *map(str, more)])


@posix
@pytest.mark.parametrize(("option", "leads"), [("--out", "../thesis.txt"), ("--out", "Bob.json"), ("--totals", "nowhere.txt")])
def test_a_link_is_no_place_for_marks(handed, capsys, option, leads):
    """Wherever it leads: it is refused before anything is marked, nothing is written there, and nobody is left out for it."""
    (handed / "marks.csv").symlink_to(leads)
    before = {path: path.read_bytes() for path in (handed / "Bob.json", handed.parent / "thesis.txt")}
    assert command(handed, option, handed / "marks.csv") == 1
    assert "marks.csv' is a link, which somebody else may have laid there" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before
    assert not (handed / "nowhere.txt").exists()
    assert lessons.mark(handed, SMALL, jobs=0, changes=None).students == ("Ann", "Bob")


@posix
def test_marks_go_into_a_pipe(handed, capfd):
    """`--out /dev/stdout`, and `/dev/fd/N` as a shell gives it: links of the system, which lead to no file; one that leads to a file is refused there too."""
    reads, writes = os.pipe()
    assert command(handed, "--out", f"/dev/fd/{writes}") == 0
    os.close(writes)
    with os.fdopen(reads, "rb") as pipe:
        assert pipe.read().startswith(b"\xef\xbb\xbfstudent,")
    capfd.readouterr()
    with (handed / "Bob.json").open("r+b") as theirs:
        assert command(handed, "--out", f"/dev/fd/{theirs.fileno()}") == 1
    assert "is a link" in capfd.readouterr().err
    assert (handed / "Bob.json").stat().st_size > 10
    (handed / "marks.csv").symlink_to("/dev/null")
    assert command(handed, "--out", handed / "marks.csv") == 1


@posix
def test_an_input_that_is_a_link_leaves_nobody_out(handed):
    """A roster that lies there as a link to Bob's work: what is left out is the link, not where it leads."""
    (handed / "class.csv").symlink_to("Bob.json")
    marks = lessons.mark(handed, SMALL, jobs=0, roster=handed / "class.csv")
    assert "Bob" in marks.students


@posix
def test_a_folder_behind_a_link_is_no_place_either(handed, capsys):
    """A link to a folder, handed in: a file in it is none of the folder that is marked, and not written."""
    (handed / "sub").symlink_to("..")
    assert command(handed, "--out", handed / "sub" / "marks.csv") == 1
    assert "lies behind a link" in capsys.readouterr().err
    assert not (handed.parent / "marks.csv").exists()


def test_what_was_handed_in_is_not_written_over(handed, capsys):
    """A receipt under the name of the table; but a table of marks, from last time, is written again, and it is no homework."""
    for option, name in (("--out", "Bob.json"), ("--totals", "Bob.json"), ("--out", "notes.csv")):
        (handed / "notes.csv").write_text("by hand\n")
        before = (handed / name).read_bytes()
        assert command(handed, option, handed / name) == 1
        assert "was handed in, and is not written over" in capsys.readouterr().err
        assert (handed / name).read_bytes() == before
    (handed / "notes.csv").unlink()
    for _ in range(2):
        assert command(handed, "--out", handed / "marks.csv") == 0
    assert "marks.csv" not in capsys.readouterr().out


@posix
@pytest.mark.parametrize("how", ["a link", "a file"])
def test_feedback_goes_through_no_link_and_over_no_work(handed, how):
    """Not a page is written where one of them may not be; nor the page of the class."""
    theirs = handed / "small-ann.html"
    if how == "a link":
        theirs.symlink_to("../thesis.txt")
    else:
        theirs.write_text("<p>my homework</p>")
    marks = lessons.mark(handed, SMALL, jobs=0)
    for make in (lambda: write_feedback(marks, handed), lambda: _reported(handed, theirs)):
        with pytest.raises(DurakError, match="is a link" if how == "a link" else "was handed in, and is not written over"):
            make()
    assert (handed.parent / "thesis.txt").read_text() == "dear"
    assert [path.name for path in handed.glob("*.html")] == [theirs.name]
    theirs.unlink()
    assert len(write_feedback(marks, handed)) == len(write_feedback(marks, handed)) == 2


def _reported(folder, out):
    """The page of the class, by its command."""
    from durak_widget.grading.command_line import report_command  # noqa: PLC0415 - beside the other

    report_command([str(folder), "--assignment", FEW, "--jobs", "0", "--out", str(out)])


def test_the_page_of_one_is_not_that_of_another():
    """Names with signs are told apart by 48 bits: a name that fits another's page cannot be tried out."""
    assert format_receipt_file_name("small", "", "Ann-Lee").removesuffix(".receipt.json").rpartition("-")[2].isalnum()
    assert len(format_receipt_file_name("small", "", "Ann-Lee").removesuffix(".receipt.json").rpartition("-")[2]) == 12


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        '{"a":' + "[" * 90 + "[]," * 60_000,
        '{"a":' + '{"a":' * 90 + '"' + "x" * 300_000,
        '{"a": "' + '\\"' * 150_000 + "\\u12G",
    ],
    ids=["lists", "a text", "strokes"],
)
def test_what_breaks_off_is_mended_in_no_time(text):
    """A megabyte with ninety levels open, or with a text that ends in a stroke: in time that grows as the file does, so also in this process."""
    begun = process_time()
    found = parse_json(text, [])
    assert found.problems[0].key == "class.file.broken"
    assert found.data is None or set(found.data) <= {"a"}
    assert process_time() - begun < 2


def test_a_file_of_too_many_parts_is_not_taken_in(tmp_path):
    """Six megabytes of empty lists would fill a hundred times as much memory: it is named instead."""
    write(tmp_path, a_json='{"a": [' + "[]," * 2_000_000 + "1]}")
    (file,), _ = list_files(tmp_path)
    assert [fact.key for fact in read_data(file).problems] == ["class.file.parts"]
