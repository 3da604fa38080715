"""Progress whatever becomes of its file: damaged, of a newer version, or where nothing can be kept."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from time import monotonic

import pytest

from durak_widget import json_store
from durak_widget.errors import DurakError
from durak_widget.lessons import Choose, Progress
from support.asked import SOLVED, Told, kept, posix, written

# What cannot be read

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


@pytest.mark.parametrize("held", UNREADABLE, ids=lambda held: str(held[:30]))
def test_a_progress_file_that_cannot_be_read_is_set_aside(tmp_path, held: bytes) -> None:
    """Nothing of it is lost, nobody is stopped, and it is told once."""
    path = tmp_path / "progress.json"
    path.write_bytes(held)
    with pytest.warns(UserWarning, match=r"not all of progress.json could be read; as it was, it is kept as progress.unreadable"):
        progress = Progress(path)
    assert progress.tried_exercises == ()
    assert (tmp_path / "progress.unreadable").read_bytes() == held
    progress.record("a", solved=True)
    assert Progress(path).solved_exercises == ("a",)


def test_what_was_set_aside_is_never_overwritten(tmp_path) -> None:
    """Each damaged file has a name of its own, whatever stands there."""
    path = tmp_path / "progress.json"
    (tmp_path / "progress.unreadable").mkdir()
    for number in (2, 3, 4):
        path.write_text(f"damaged {number}")
        with pytest.warns(UserWarning, match=f"it is kept as progress.unreadable.{number}"):
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
def test_an_entry_that_cannot_be_read_costs_itself_alone(tmp_path, bad: object) -> None:
    """All others stay, the file as it was is kept, and it is told once, in the sheet too."""
    path = written(tmp_path / "progress.json", entries={"01/good": SOLVED, "01/bad": bad}, mine="yes")
    before = path.read_bytes()
    with pytest.warns(UserWarning, match="could be read") as told:
        progress = Progress(path, language="lt")
    assert Path(told[0].filename).name == Path(__file__).name
    assert (progress.solved_exercises, progress.tried_exercises) == (("01/good",), ("01/good",))
    assert (tmp_path / "progress.unreadable").read_bytes() == before
    assert progress.view_model()["said"] == ["Ne viską faile pavyko perskaityti; ankstesnis failas išsaugotas vardu progress.unreadable."]
    assert repr(progress).endswith("\nNot all of the file could be read; as it was, it is kept as progress.unreadable.")
    assert Progress(path).view_model()["said"] == []
    progress.record("01/bad", solved=False)
    assert kept(path) == {"version": 2, "mine": "yes", "entries": {"01/good": SOLVED, "01/bad": {"attempts": 1, "solved": False}}}


@pytest.mark.parametrize(
    "entry",
    ['"b": {"attempts": ' + "9" * 5000 + ', "solved": true}', '"\\ud800": {"attempts": 1, "solved": true}', '"a\\nb": {"attempts": 1, "solved": true}',
     f'"{"x" * 2**20}": {{"attempts": 1, "solved": true}}'],
    ids=["digits", "surrogate", "line", "megabyte"],
)  # fmt: skip
def test_a_number_or_a_name_out_of_bounds_costs_its_entry_alone(tmp_path, entry: str) -> None:
    """A number too long for Python to read, a name that is not one line of text, or endless."""
    path = tmp_path / "progress.json"
    path.write_text('{"version": 2, "entries": {"a": {"attempts": 1, "solved": true}, ' + entry + "}}")
    with pytest.warns(UserWarning, match="could be read"):
        progress = Progress(path)
    assert progress.solved_exercises == ("a",)
    assert len(repr(progress)) < 300


def test_a_file_that_an_editor_has_saved_is_read(tmp_path) -> None:
    """With a mark at its beginning, as one on Windows sets it; one bad byte costs the name in which it stands."""
    path = written(tmp_path / "progress.json", entries={"01/good": SOLVED})
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert Progress(path).solved_exercises == ("01/good",)
    path.write_bytes(b'{"version": 2, "entries": {"a": {"attempts": 1, "solved": true}, "b\xff": {"attempts": 1, "solved": true}}}')
    with pytest.warns(UserWarning, match="could be read"):
        assert "a" in Progress(path).solved_exercises


def test_the_most_tries_are_not_counted_further(tmp_path) -> None:
    """So that the entry can be read again."""
    path = written(tmp_path / "progress.json", entries={"a": {"attempts": 10**9, "solved": False}})
    Progress(path).record("a", solved=False)
    assert repr(Progress(path)).splitlines()[1] == "  a  1000000000 tries"


def test_a_damaged_file_takes_nothing_from_what_a_kernel_knows(tmp_path) -> None:
    """It writes what it knew, and what comes now."""
    progress = Progress(tmp_path / "progress.json")
    progress.record("a", solved=True)
    progress.path.write_bytes(progress.path.read_bytes()[:-5])
    with pytest.warns(UserWarning, match="could be read"):
        progress.record("b", solved=True)
    assert Progress(progress.path).solved_exercises == ("a", "b")


def test_what_is_told_is_told_when_all_is_in_order_again(tmp_path) -> None:
    """Where warnings are errors (as in these tests) the file is mended all the same, and it is set aside once."""
    path = written(tmp_path / "progress.json", entries={"a": SOLVED, "b": 3})
    with pytest.raises(UserWarning, match="could be read"):
        Progress(path)
    assert Progress(path).solved_exercises == ("a",)
    assert sorted(one.name for one in tmp_path.glob("*.unreadable*")) == ["progress.unreadable"]


@pytest.mark.parametrize("version", [3, 1.5, "two", None])
def test_a_newer_version_survives_a_round(tmp_path, version: object) -> None:
    """Read as far as it can be, with its fields and whatever is not understood as they were; it is told when an entry cannot be counted on."""
    entries = {
        "01/a": {**SOLVED, "when": [1, {"x": 10**30}]},
        "01/b": {"attempts": {"monday": 3}},
        "01/c": {"attempts": 1, "solved": False, "hue": "ž"},
    }
    path = written(tmp_path / "progress.json", version=version, entries=entries, streak={"best": 7})
    progress = Progress(path)
    assert (progress.solved_exercises, progress.tried_exercises) == (("01/a",), ("01/a", "01/c"))
    progress.record("01/c", solved=True)
    progress.record("01/d", solved=True)
    after = {**entries, "01/c": {**SOLVED, "hue": "ž"}, "01/d": {"attempts": 1, "solved": True}}
    assert kept(path) == {"version": version, "entries": after, "streak": {"best": 7}}
    with pytest.raises(DurakError, match="01/b was remembered by a newer version of durak_widget"):
        progress.record("01/b", solved=True)
    assert kept(path)["entries"] == after
    progress.reset()
    assert kept(path) == {"version": version, "entries": {}, "streak": {"best": 7}}


def test_a_newer_version_that_is_not_understood_is_left_as_it_is(tmp_path) -> None:
    """Rather than set aside for an older one."""
    path = written(tmp_path / "progress.json", version=3, entries=[1])
    before = path.read_bytes()
    with pytest.raises(DurakError, match=r"cannot be read from progress.json: a newer version of durak_widget has written it"):
        Progress(path)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["progress.json"]


# Where nothing can be kept


@posix
@pytest.mark.parametrize("there", ["pipe", "device", "folder", "three gigabytes", "loop"])
def test_what_is_no_file_of_progress_is_told_at_once(tmp_path, monkeypatch, there: str) -> None:
    """In one sentence; an exercise that is answered on the page is none the worse."""
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
    with pytest.raises(
        DurakError, match=r"^progress cannot be read from progress.json: [^;.]+; give another path, as in Progress\('my.json'\)$"
    ):
        Progress(path)
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path))
    quiz = Choose("?", {"a": "", "b": ""}, right="b", name="01/choice")
    quiz._ipython_display_()
    page = quiz._page = Told(quiz)
    page._receive_message(None, {"kind": "answer", "given": ["b"]}, [])
    assert (quiz.check(), getattr(page, "told", [])) == (True, [])
    assert monotonic() - begun < 30, "nobody waits for what cannot be read"


def test_what_becomes_of_the_file_meanwhile_is_told(tmp_path) -> None:
    """When an exercise is answered the file may have become a folder: the exercise is none the worse, and progress says so till it can write again."""
    progress = Progress(tmp_path / "progress.json")
    quiz = Choose("?", {"a": "", "b": ""}, right="b", name="01/choice")
    progress.watch(quiz)
    progress.path.mkdir()
    page = quiz._page = Told(quiz)
    page._receive_message(None, {"kind": "answer", "given": ["a"]}, [])
    assert (page.sheet["state"], getattr(page, "told", [])) == ("wrong", [])
    assert progress.view_model()["said"] == [
        "progress cannot be read from progress.json: it is no plain file; give another path, as in Progress('my.json')"
    ]
    assert "it is no plain file" in repr(progress)
    progress.path.rmdir()
    quiz.answer("b")
    assert (progress.view_model()["said"], progress.solved_exercises) == ([], ("01/choice",))


@posix
def test_a_link_that_leads_to_itself_meanwhile_is_told(tmp_path) -> None:
    """As at the beginning."""
    progress = Progress(tmp_path / "progress.json")
    progress.path.symlink_to(progress.path)
    with pytest.raises(DurakError, match=r"progress cannot be read from progress.json: Too many levels of symbolic links"):
        progress.record("a", solved=True)


def test_a_disk_that_is_full_is_told(tmp_path, monkeypatch) -> None:
    """What was there is still there, in the file and in memory, and nothing lies beside."""
    progress = Progress(tmp_path / "progress.json")
    progress.record("a", solved=True)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    for change in (lambda: progress.record("b", solved=True), progress.reset):
        with pytest.raises(DurakError, match=r"progress cannot be written to progress.json: No space left on device; give another path"):
            change()
    assert progress.solved_exercises == Progress(progress.path).solved_exercises == ("a",)
    assert sorted(one.name for one in tmp_path.iterdir()) == [".progress.json.lock", "progress.json"]


def test_a_damaged_file_that_cannot_be_set_aside_is_told(tmp_path, monkeypatch) -> None:
    """A file of which nothing can be read, in a sentence; of one bad entry the others are there, and it stays as it is."""
    path = tmp_path / "progress.json"

    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(json_store, "write_new_file", fail)
    path.write_text("damaged")
    with pytest.raises(DurakError, match=r"progress cannot be written to progress.json: Permission denied"):
        Progress(path)
    written(path, entries={"01/good": SOLVED, "01/bad": 3})
    before = path.read_bytes()
    with pytest.warns(UserWarning, match=r"not all of progress.json could be read"):
        assert Progress(path).solved_exercises == ("01/good",)
    assert path.read_bytes() == before


def test_what_cannot_be_forgotten_is_still_there(tmp_path) -> None:
    """And a sentence says why."""
    folder = tmp_path / "student"
    progress = Progress(folder / "progress.json")
    progress.record("01/a", solved=True)
    shutil.rmtree(folder)
    folder.touch()
    page = Told(progress)
    page._receive_message(None, {"kind": "again"}, [])
    assert page.told[-1]["said"].startswith("progress cannot be written to progress.json")
    assert progress.solved_exercises == ("01/a",)


def test_without_a_home_progress_asks_for_a_path(monkeypatch) -> None:
    """And an exercise that is shown there is none the worse."""

    def nowhere() -> Path:
        raise RuntimeError

    monkeypatch.delenv("DURAK_WIDGET_HOME")
    monkeypatch.setattr(Path, "home", nowhere)
    with pytest.raises(DurakError, match="there is no home folder"):
        Progress()
    quiz = Choose("?", {"a": "", "b": ""}, right="b", name="01/choice")
    quiz._ipython_display_()
    assert quiz.answer("b")
