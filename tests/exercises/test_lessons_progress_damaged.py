"""Test damaged and newer progress files, and places where nothing can be written."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from time import monotonic

import pytest

from durak_widget import json_store
from durak_widget.errors import DurakError
from durak_widget.i18n import Translator
from durak_widget.lessons import Choose, Progress
from support.asked import SOLVED, RecordingPage, posix, read_progress, write_progress
from support.spoken import english_text

# Unreadable files

UNREADABLE = [
    b"",
    b"[]",
    b"{}",
    b'{"version": 2, "entries": 3}',
    b'{"version": 2, "entries": {"a": 1}}',
    b"\x00",
    b"\xff\xfe\x00",
    b"[" * 100_000,
    b'{"version": 2, "entries": {"a": {"attempts": Infinity, "solved": 1}}}',
]


@pytest.mark.parametrize("content", UNREADABLE, ids=lambda content: str(content[:30]))
def test_an_unreadable_progress_file_is_set_aside(tmp_path, content: bytes) -> None:
    """Nothing is lost, nothing stops, and one message is shown."""
    path = tmp_path / "progress.json"
    path.write_bytes(content)
    with pytest.warns(UserWarning, match=r"progress.json could not be read.* progress.unreadable"):
        progress = Progress(path)
    assert progress.tried_exercises == ()
    assert (tmp_path / "progress.unreadable").read_bytes() == content
    progress.record("a", solved=True)
    assert Progress(path).solved_exercises == ("a",)


def test_a_file_set_aside_is_never_overwritten(tmp_path) -> None:
    """Each gets its own name."""
    path = tmp_path / "progress.json"
    (tmp_path / "progress.unreadable").mkdir()
    for number in (2, 3, 4):
        path.write_text(f"damaged {number}")
        with pytest.warns(UserWarning, match=f"is now progress.unreadable.{number}"):
            Progress(path)
    assert [(tmp_path / f"progress.unreadable.{number}").read_text() for number in (2, 3, 4)] == ["damaged 2", "damaged 3", "damaged 4"]


@pytest.mark.parametrize(
    "bad",
    [
        {"attempts": "many", "solved": True},
        {"attempts": -5, "solved": True},
        {"attempts": 10**10, "solved": True},
        {"attempts": 1.0, "solved": True},
        {"attempts": True, "solved": True},
        {"attempts": 1, "solved": 1},
        {"attempts": 1},
        {"attempts": [[]], "solved": False},
        [],
        None,
    ],
    ids=str,
)
def test_an_unreadable_entry_loses_only_itself(tmp_path, bad: object) -> None:
    """Others stay, the old file is kept, and one message is shown, also on the sheet."""
    path = write_progress(tmp_path / "progress.json", entries={"01/good": SOLVED, "01/bad": bad}, mine="yes")
    before = path.read_bytes()
    with pytest.warns(UserWarning, match="could not be read") as caught:
        progress = Progress(path, language="lt")
    assert Path(caught[0].filename).name == Path(__file__).name
    assert (progress.solved_exercises, progress.tried_exercises) == (("01/good",), ("01/good",))
    assert (tmp_path / "progress.unreadable").read_bytes() == before
    assert progress.view_model()["feedback"] == [Translator("lt").translate("lesson.aside", file="progress.unreadable")]
    assert repr(progress).endswith(f"\n{english_text('lesson.aside', file='progress.unreadable')}")
    assert Progress(path).view_model()["feedback"] == []
    progress.record("01/bad", solved=False)
    assert read_progress(path) == {"version": 2, "mine": "yes", "entries": {"01/good": SOLVED, "01/bad": {"attempts": 1, "solved": False}}}


@pytest.mark.parametrize(
    "entry",
    ['"b": {"attempts": ' + "9" * 5000 + ', "solved": true}', '"\\ud800": {"attempts": 1, "solved": true}', '"a\\nb": {"attempts": 1, "solved": true}',
     f'"{"x" * 2**20}": {{"attempts": 1, "solved": true}}'],
    ids=["digits", "surrogate", "line", "megabyte"],
)  # fmt: skip
def test_an_out_of_range_number_or_name_loses_only_its_entry(tmp_path, entry: str) -> None:
    """Test huge numbers, names of several lines and endless names."""
    path = tmp_path / "progress.json"
    path.write_text('{"version": 2, "entries": {"a": {"attempts": 1, "solved": true}, ' + entry + "}}")
    with pytest.warns(UserWarning, match="could not be read"):
        progress = Progress(path)
    assert progress.solved_exercises == ("a",)
    assert len(repr(progress)) < 300


def test_a_file_saved_by_an_editor_is_read(tmp_path) -> None:
    """It may have a byte order mark. A bad byte costs one name."""
    path = write_progress(tmp_path / "progress.json", entries={"01/good": SOLVED})
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert Progress(path).solved_exercises == ("01/good",)
    path.write_bytes(b'{"version": 2, "entries": {"a": {"attempts": 1, "solved": true}, "b\xff": {"attempts": 1, "solved": true}}}')
    with pytest.warns(UserWarning, match="could not be read"):
        assert "a" in Progress(path).solved_exercises


def test_tries_are_counted_up_to_a_limit(tmp_path) -> None:
    """So the entry can be read again."""
    path = write_progress(tmp_path / "progress.json", entries={"a": {"attempts": 10**9, "solved": False}})
    Progress(path).record("a", solved=False)
    assert repr(Progress(path)).splitlines()[1] == "  a  1000000000 tries"


def test_a_damaged_file_does_not_erase_what_a_kernel_knows(tmp_path) -> None:
    """It writes that again with new results."""
    progress = Progress(tmp_path / "progress.json")
    progress.record("a", solved=True)
    progress.path.write_bytes(progress.path.read_bytes()[:-5])
    with pytest.warns(UserWarning, match="could not be read"):
        progress.record("b", solved=True)
    assert Progress(progress.path).solved_exercises == ("a", "b")


def test_a_message_is_shown_after_the_file_is_repaired(tmp_path) -> None:
    """The repair works even if warnings are errors, and happens once."""
    path = write_progress(tmp_path / "progress.json", entries={"a": SOLVED, "b": 3})
    with pytest.raises(UserWarning, match="could not be read"):
        Progress(path)
    assert Progress(path).solved_exercises == ("a",)
    assert sorted(path.name for path in tmp_path.glob("*.unreadable*")) == ["progress.unreadable"]


@pytest.mark.parametrize("version", [3, 1.5, "two", None])
def test_a_newer_file_version_is_read_and_preserved(tmp_path, version: object) -> None:
    """Unknown fields stay. Uncertain entries are reported."""
    entries = {
        "01/a": {**SOLVED, "when": [1, {"x": 10**30}]},
        "01/b": {"attempts": {"monday": 3}},
        "01/c": {"attempts": 1, "solved": False, "hue": "ž"},
    }
    path = write_progress(tmp_path / "progress.json", version=version, entries=entries, streak={"best": 7})
    progress = Progress(path)
    assert (progress.solved_exercises, progress.tried_exercises) == (("01/a",), ("01/a", "01/c"))
    progress.record("01/c", solved=True)
    progress.record("01/d", solved=True)
    after = {**entries, "01/c": {**SOLVED, "hue": "ž"}, "01/d": {"attempts": 1, "solved": True}}
    assert read_progress(path) == {"version": version, "entries": after, "streak": {"best": 7}}
    with pytest.raises(DurakError, match="durak_widget"):
        progress.record("01/b", solved=True)
    assert read_progress(path)["entries"] == after
    progress.reset()
    assert read_progress(path) == {"version": version, "entries": {}, "streak": {"best": 7}}


def test_an_unreadable_newer_version_is_left_alone(tmp_path) -> None:
    """It is not set aside."""
    path = write_progress(tmp_path / "progress.json", version=3, entries=[1])
    before = path.read_bytes()
    with pytest.raises(DurakError, match=r"progress\.json.*newer version"):
        Progress(path)
    assert path.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["progress.json"]


# Unwritable places


@posix
@pytest.mark.parametrize("there", ["pipe", "device", "folder", "three gigabytes", "loop"])
def test_a_path_that_is_not_a_progress_file_is_reported_at_once(tmp_path, monkeypatch, there: str) -> None:
    """Exercises on the page still work."""
    path = tmp_path / "progress.json"
    if there == "pipe":
        os.mkfifo(path)
    elif there == "device":
        path.symlink_to("/dev/zero")
    elif there == "folder":
        path.mkdir()
    elif there == "loop":
        path.symlink_to(path)
    else:
        with path.open("wb") as file:
            file.truncate(3 * 2**30)
    begun = monotonic()
    with pytest.raises(DurakError, match=r"^[^;.]*progress\.json: [^;.]+; [^;]+Progress\('my.json'\)$"):
        Progress(path)
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))
    quiz = Choose("?", {"a": "", "b": ""}, right="b", name="01/choice")
    quiz._ipython_display_()
    page = quiz._page = RecordingPage(quiz)
    page._receive_message(None, {"kind": "answer", "answer": ["b"]}, [])
    assert (quiz.check(), getattr(page, "told", [])) == (True, [])
    assert monotonic() - begun < 30, "nobody waits for what cannot be read"


def test_a_file_that_becomes_a_folder_is_reported(tmp_path) -> None:
    """The exercise still works, and the message stays until writing works again."""
    progress = Progress(tmp_path / "progress.json")
    quiz = Choose("?", {"a": "", "b": ""}, right="b", name="01/choice")
    progress.watch(quiz)
    progress.path.mkdir()
    page = quiz._page = RecordingPage(quiz)
    page._receive_message(None, {"kind": "answer", "answer": ["a"]}, [])
    assert (page.exercise_view["state"], getattr(page, "told", [])) == ("wrong", [])
    (sentence,) = progress.view_model()["feedback"]
    assert "progress.json" in sentence
    assert "Progress('my.json')" in sentence
    assert "not a regular file" in repr(progress)
    progress.path.rmdir()
    quiz.answer("b")
    assert (progress.view_model()["feedback"], progress.solved_exercises) == ([], ("01/choice",))


@posix
def test_a_link_that_becomes_a_loop_is_reported(tmp_path) -> None:
    """The message is the same as at the start."""
    progress = Progress(tmp_path / "progress.json")
    progress.path.symlink_to(progress.path)
    with pytest.raises(DurakError, match=r"progress cannot be read from progress.json: Too many levels of symbolic links"):
        progress.record("a", solved=True)


def test_a_full_disk_is_reported(tmp_path, monkeypatch) -> None:
    """Old progress stays in file and memory, without extra files."""
    progress = Progress(tmp_path / "progress.json")
    progress.record("a", solved=True)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    for change in (lambda: progress.record("b", solved=True), progress.reset):
        with pytest.raises(DurakError, match=r"progress cannot be written to progress.json: No space left on device; give another path"):
            change()
    assert progress.solved_exercises == Progress(progress.path).solved_exercises == ("a",)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".progress.json.lock", "progress.json"]


def test_a_damaged_file_that_cannot_be_set_aside_is_reported(tmp_path, monkeypatch) -> None:
    """With one bad entry the others are read, and the file is not changed."""
    path = tmp_path / "progress.json"

    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(json_store, "write_new_file", fail)
    path.write_text("damaged")
    with pytest.raises(DurakError, match=r"progress cannot be written to progress.json: Permission denied"):
        Progress(path)
    write_progress(path, entries={"01/good": SOLVED, "01/bad": 3})
    before = path.read_bytes()
    with pytest.warns(UserWarning, match=r"progress.json could not be read"):
        assert Progress(path).solved_exercises == ("01/good",)
    assert path.read_bytes() == before


def test_progress_that_cannot_be_deleted_stays(tmp_path) -> None:
    """A message says why."""
    folder = tmp_path / "student"
    progress = Progress(folder / "progress.json")
    progress.record("01/a", solved=True)
    shutil.rmtree(folder)
    folder.touch()
    page = RecordingPage(progress)
    page._receive_message(None, {"kind": "restart"}, [])
    assert page.told[-1]["text"].startswith("progress cannot be written to progress.json")
    assert progress.solved_exercises == ("01/a",)


def test_progress_without_a_home_folder_asks_for_a_path(monkeypatch) -> None:
    """Exercises shown there still work."""

    def nowhere() -> Path:
        raise RuntimeError

    monkeypatch.delenv("DURAK_WIDGET_HOME")
    monkeypatch.setattr(Path, "home", nowhere)
    with pytest.raises(DurakError, match="there is no home folder"):
        Progress()
    quiz = Choose("?", {"a": "", "b": ""}, right="b", name="01/choice")
    quiz._ipython_display_()
    assert quiz.answer("b")
