"""Test the files that marking writes: never over submissions, never through links among them."""

from __future__ import annotations

import os
from time import process_time

import pytest

from durak_widget import DurakError, lessons
from durak_widget.grading.command_line import main
from durak_widget.grading.student_feedback import write_feedback
from durak_widget.grading.submission_files import list_files, parse_json, read_data
from durak_widget.homework.receipt import format_receipt_file_name
from support.classroom_handing import FEW, SMALL, answers, receipt, write_files

posix = pytest.mark.skipif(os.name != "posix", reason="links as on Unix")


@pytest.fixture
def submissions(tmp_path):
    """Return the work of Ann and Bob, and an outside file."""
    (tmp_path / "thesis.txt").write_text("dear")
    return write_files(
        tmp_path / "in",
        **{f"{name}_json": receipt(name, {"few": answers(name, assignment=SMALL)["few"]}, SMALL) for name in ("Ann", "Bob")},
    )


def run_marking(folder, *more):
    """Return the exit code of the command, marking in this process."""
    return main(["mark", str(folder), "--assignment", FEW, "--jobs", "0", *map(str, more)])


@posix
@pytest.mark.parametrize(("option", "leads"), [("--out", "../thesis.txt"), ("--out", "Bob.json"), ("--totals", "nowhere.txt")])
def test_a_link_is_refused_as_an_output_file(submissions, capsys, option, leads):
    """This comes before marking, nothing is written, and nobody is left out."""
    (submissions / "marks.csv").symlink_to(leads)
    before = {path: path.read_bytes() for path in (submissions / "Bob.json", submissions.parent / "thesis.txt")}
    assert run_marking(submissions, option, submissions / "marks.csv") == 1
    assert "marks.csv' is a link" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before
    assert not (submissions / "nowhere.txt").exists()
    assert lessons.mark(submissions, SMALL, jobs=0, changes=None).students == ("Ann", "Bob")


@posix
def test_marks_can_be_written_into_a_pipe(submissions, capfd):
    """Test `--out /dev/stdout` and `/dev/fd/N`: system links to no file. One that leads to a file is refused."""
    reads, writes = os.pipe()
    assert run_marking(submissions, "--out", f"/dev/fd/{writes}") == 0
    os.close(writes)
    with os.fdopen(reads, "rb") as pipe:
        assert pipe.read().startswith(b"\xef\xbb\xbfstudent,")
    capfd.readouterr()
    with (submissions / "Bob.json").open("r+b") as theirs:
        assert run_marking(submissions, "--out", f"/dev/fd/{theirs.fileno()}") == 1
    assert "is a link" in capfd.readouterr().err
    assert (submissions / "Bob.json").stat().st_size > 10
    (submissions / "marks.csv").symlink_to("/dev/null")
    assert run_marking(submissions, "--out", submissions / "marks.csv") == 1


@posix
def test_a_roster_link_excludes_nobody(submissions):
    """It points to Bob's work: the link is left out, not its target."""
    (submissions / "class.csv").symlink_to("Bob.json")
    marks = lessons.mark(submissions, SMALL, jobs=0, roster=submissions / "class.csv")
    assert "Bob" in marks.students


@posix
def test_a_linked_folder_is_refused_for_outputs(submissions, capsys):
    """A file in it is outside the marked folder, and is not written."""
    (submissions / "sub").symlink_to("..")
    assert run_marking(submissions, "--out", submissions / "sub" / "marks.csv") == 1
    assert "behind a link" in capsys.readouterr().err
    assert not (submissions.parent / "marks.csv").exists()


def test_submissions_are_not_overwritten(submissions, capsys):
    """A receipt under the table's name stays. An old table of marks is replaced, and is no homework."""
    for option, name in (("--out", "Bob.json"), ("--totals", "Bob.json"), ("--out", "notes.csv")):
        (submissions / "notes.csv").write_text("by hand\n")
        before = (submissions / name).read_bytes()
        assert run_marking(submissions, option, submissions / name) == 1
        assert "handed" in capsys.readouterr().err
        assert (submissions / name).read_bytes() == before
    (submissions / "notes.csv").unlink()
    for _ in range(2):
        assert run_marking(submissions, "--out", submissions / "marks.csv") == 0
    assert "marks.csv" not in capsys.readouterr().out


@posix
@pytest.mark.parametrize("how", ["a link", "a file"])
def test_feedback_is_not_written_through_links_or_over_submissions(submissions, how):
    """If one page can't be written, none is, and no class report."""
    theirs = submissions / "small-ann.html"
    if how == "a link":
        theirs.symlink_to("../thesis.txt")
    else:
        theirs.write_text("<p>my homework</p>")
    marks = lessons.mark(submissions, SMALL, jobs=0)
    for make in (lambda: write_feedback(marks, submissions), lambda: _write_report(submissions, theirs)):
        with pytest.raises(DurakError, match="is a link" if how == "a link" else "handed"):
            make()
    assert (submissions.parent / "thesis.txt").read_text() == "dear"
    assert [path.name for path in submissions.glob("*.html")] == [theirs.name]
    theirs.unlink()
    assert len(write_feedback(marks, submissions)) == len(write_feedback(marks, submissions)) == 2


def _write_report(folder, out):
    """Write the class report with its command."""
    from durak_widget.grading.command_line import report_command  # noqa: PLC0415 - beside the other

    report_command([str(folder), "--assignment", FEW, "--jobs", "0", "--out", str(out)])


def test_similar_names_have_different_feedback_files():
    """48 bits distinguish names with special characters, too many to try."""
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
def test_a_cut_off_file_is_repaired_in_linear_time(text):
    """Test a megabyte with ninety open levels, or with a text that ends in a backslash."""
    begun = process_time()
    found = parse_json(text, [])
    assert found.problems[0].key == "class.file.broken"
    assert found.data is None or set(found.data) <= {"a"}
    assert process_time() - begun < 2


def test_a_file_of_too_many_parts_is_reported_and_not_read(tmp_path):
    """Six megabytes of empty lists would need a hundred times the memory."""
    write_files(tmp_path, a_json='{"a": [' + "[]," * 2_000_000 + "1]}")
    (file,), _ = list_files(tmp_path)
    assert [fact.key for fact in read_data(file).problems] == ["class.file.parts"]
