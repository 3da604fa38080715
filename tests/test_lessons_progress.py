"""Progress: what was solved is remembered, whoever writes at once and whatever becomes of the file."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread
from time import monotonic

import pytest

from asked import Told
from durak_widget.errors import DurakError
from durak_widget.lessons import Choose, Progress, store
from durak_widget.lessons.series import SERIES

posix = pytest.mark.skipif(os.name != "posix", reason="links, modes and pipes as on Unix")


def written(path: Path, **fields: object) -> Path:
    """A file of progress with these fields."""
    path.write_text(json.dumps({"version": 1, **fields}), encoding="utf-8")
    return path


def kept(path: Path) -> dict[str, object]:
    """What the file now holds."""
    return json.loads(path.read_text(encoding="utf-8"))


SOLVED = {"tries": 2, "solved": True}


def test_progress_is_kept_in_a_small_file(tmp_path) -> None:
    """Solved stays solved; another notebook's tries are kept too."""
    path = tmp_path / "of" / "mine.json"
    progress, other = Progress(path), Progress(path)
    quiz = Choose("?", {"a": "", "b": ""}, right="b", name="00/choice")
    progress.watch(quiz)
    quiz.answer("a")
    quiz.answer("b")
    quiz.answer("a")
    other.record("01/other", solved=False)
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "version": 1,
        "exercises": {"00/choice": {"tries": 2, "solved": True}, "01/other": {"tries": 1, "solved": False}},
    }
    assert (Progress(path).solved, Progress(path).tried) == (("00/choice",), ("00/choice", "01/other"))
    progress.reset()
    assert Progress(path).tried == ()


def test_what_is_done_in_a_notebook_is_remembered(tmp_path, monkeypatch) -> None:
    """Only what was shown there and has a name; where nothing can be written, the answer is none the worse."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path / "student"))
    named = Choose("?", {"a": "", "b": ""}, right="b", name="01/choice")
    named.answer("b")
    assert Progress().tried == ()
    for quiz in (named, Choose("?", {"a": "", "b": ""}, right="b")):
        quiz._ipython_display_()
        quiz._ipython_display_()
        quiz.answer("a")
        quiz.answer("b")
    assert repr(Progress()).splitlines()[1:] == ["  01/choice  solved at try 2"]
    shown = Choose("?", {"a": "", "b": ""}, right="b", name="01/shown")
    shown._ipython_display_()
    shown.reveal()
    shown.answer("b")
    assert "01/shown" not in Progress().tried
    (tmp_path / "file").touch()
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path / "file" / "student"))
    assert named.answer("b")


@pytest.mark.parametrize("language", ["en", "ru", "lt"])
def test_progress_says_how_far_one_has_come(tmp_path, language: str) -> None:
    """In each lesson of the series, and in exercises of others; on the page it can be forgotten."""
    progress = Progress(tmp_path / "progress.json", language=language)
    progress.record("01/a", solved=True)
    progress.record("01/b", solved=False)
    progress.record("mine", solved=True)
    rows = progress._rows()
    assert rows[1][1:] == (1, SERIES["01"].exercises)
    assert rows[-1][1:] == (1, 1)
    assert len(rows) == len(SERIES) + 1
    assert progress.sheet()["tries"] == 3
    for name, done, count in rows:
        assert name in progress.static()["text/plain"]
        assert f'value="{done}" max="{max(count, 1)}"' in progress.sheet()["picture"]
    Told(progress)._hear(None, {"kind": "again"}, [])
    assert Progress(progress.path).tried == ()


# What several write at once

SOLVING = """
import sys
from durak_widget.lessons import Progress
progress = Progress(sys.argv[1])
input()
for number in range(200):
    progress.record(f"{sys.argv[2]}/{number}", solved=True)
"""


def test_kernels_that_write_at_once_lose_nothing(tmp_path) -> None:
    """Three of them, each with two hundred exercises of its own: six hundred are solved."""
    path = tmp_path / "progress.json"
    kernels = [subprocess.Popen([sys.executable, "-c", SOLVING, str(path), name], stdin=subprocess.PIPE) for name in "abc"]
    for kernel in kernels:
        kernel.stdin.write(b"go\n")
        kernel.stdin.close()
    assert [kernel.wait() for kernel in kernels] == [0, 0, 0]
    assert len(Progress(path).solved) == 600


@pytest.mark.parametrize("locks", [True, False], ids=["locks", "a folder without locks"])
def test_threads_that_write_at_once_lose_nothing(tmp_path, monkeypatch, locks) -> None:
    """Two of one kernel, with two hundred exercises each, also where the folder knows no locks: four hundred, and no error."""
    if not locks:
        monkeypatch.setattr(store, "_opened", lambda _: None)
    path, failed = tmp_path / "progress.json", []

    def solve(name: str) -> None:
        try:
            progress = Progress(path)
            for number in range(200):
                progress.record(f"{name}/{number}", solved=True)
        except Exception as error:  # noqa: BLE001 - whatever it is
            failed.append(error)

    threads = [Thread(target=solve, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(Progress(path).solved) == 400


HOLDING = """
import sys
from durak_widget.lessons import store
with store._alone(sys.argv[1]):
    print("held", flush=True)
    input()
"""


@pytest.fixture
def holder(tmp_path):
    """Another program that has the file and does not let go."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(tmp_path / "progress.json")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        assert program.stdout.readline() == b"held\n"
        yield program
        program.kill()


def test_a_lock_that_is_not_given_back_is_told(tmp_path, monkeypatch, holder) -> None:
    """In one sentence, after a while; when the other is killed the lock is free, and what it left lies in nobody's way."""
    monkeypatch.setattr(store, "_PATIENCE", 0.1)
    progress = Progress(tmp_path / "progress.json")
    with pytest.raises(DurakError, match=r"progress cannot be written to progress.json: another program holds it; give another path"):
        progress.record("a", solved=True)
    assert progress.tried == ()
    holder.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    holder.wait()
    progress.record("a", solved=True)
    assert Progress(progress.path).solved == ("a",)


def test_another_thread_that_holds_the_file_is_told(tmp_path, monkeypatch) -> None:
    """As another program is."""
    monkeypatch.setattr(store, "_PATIENCE", 0.1)
    progress = Progress(tmp_path / "progress.json")
    with store._THREADS, pytest.raises(DurakError, match="another thread holds it"):
        progress.record("a", solved=True)
    progress.record("a", solved=True)


@posix
@pytest.mark.parametrize("there", ["folder", "pipe"])
def test_where_no_lock_can_be_made_progress_is_kept_all_the_same(tmp_path, there: str) -> None:
    """Whatever stands where the lock would."""
    lock = tmp_path / ".progress.json.lock"
    lock.mkdir() if there == "folder" else os.mkfifo(lock)
    progress = Progress(tmp_path / "progress.json")
    progress.record("a", solved=True)
    assert Progress(progress.path).solved == ("a",)


@posix
def test_a_disk_that_knows_no_locks_keeps_progress_all_the_same(tmp_path, monkeypatch) -> None:
    """As some of a network do."""
    import fcntl  # noqa: PLC0415 - on Unix alone

    def refuse(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    progress = Progress(tmp_path / "progress.json")
    progress.record("a", solved=True)
    assert Progress(progress.path).solved == ("a",)


@posix
def test_a_link_stays_a_link(tmp_path) -> None:
    """Whoever has linked the file to a shared folder finds it written there."""
    (tmp_path / "shared").mkdir()
    target, link = tmp_path / "shared" / "mine.json", tmp_path / "progress.json"
    link.symlink_to(target)
    Progress(link).record("a", solved=True)
    Progress(target).record("b", solved=True)
    assert link.is_symlink()
    assert Progress(link).solved == Progress(target).solved == ("a", "b")


# What cannot be read

UNREADABLE = [
    b"",
    b"[]",
    b"{}",
    b'{"exercises": 3}',
    b'{"exercises": {"a": 1}}',
    b"\x00",
    b"\xff\xfe\x00",
    b"[" * 100_000,
    b'{"exercises": {"a": {"tries": Infinity, "solved": 1}}}',
]


@pytest.mark.parametrize("held", UNREADABLE, ids=lambda held: str(held[:30]))
def test_a_progress_file_that_cannot_be_read_is_set_aside(tmp_path, held: bytes) -> None:
    """Nothing of it is lost, nobody is stopped, and it is told once."""
    path = tmp_path / "progress.json"
    path.write_bytes(held)
    with pytest.warns(UserWarning, match=r"not all of progress.json could be read; as it was, it is kept as progress.unreadable"):
        progress = Progress(path)
    assert progress.tried == ()
    assert (tmp_path / "progress.unreadable").read_bytes() == held
    progress.record("a", solved=True)
    assert Progress(path).solved == ("a",)


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
        {"tries": "many", "solved": True},
        {"tries": -5, "solved": True},
        {"tries": 10**10, "solved": True},
        {"tries": 1.0, "solved": True},
        {"tries": True, "solved": True},
        {"tries": 1, "solved": 1},
        {"tries": 1},
        {"tries": [[]], "solved": False},
        [],
        None,
    ],
    ids=str,
)
def test_an_entry_that_cannot_be_read_costs_itself_alone(tmp_path, bad: object) -> None:
    """All others stay, the file as it was is kept, and it is told once, in the sheet too."""
    path = written(tmp_path / "progress.json", exercises={"01/good": SOLVED, "01/bad": bad}, mine="yes")
    before = path.read_bytes()
    with pytest.warns(UserWarning, match="could be read") as told:
        progress = Progress(path, language="lt")
    assert Path(told[0].filename).name == Path(__file__).name
    assert (progress.solved, progress.tried) == (("01/good",), ("01/good",))
    assert (tmp_path / "progress.unreadable").read_bytes() == before
    assert progress.sheet()["said"] == ["Ne viską faile pavyko perskaityti; ankstesnis failas išsaugotas vardu progress.unreadable."]
    assert repr(progress).endswith("\nNot all of the file could be read; as it was, it is kept as progress.unreadable.")
    assert Progress(path).sheet()["said"] == []
    progress.record("01/bad", solved=False)
    assert kept(path) == {"version": 1, "mine": "yes", "exercises": {"01/good": SOLVED, "01/bad": {"tries": 1, "solved": False}}}


@pytest.mark.parametrize(
    "entry",
    ['"b": {"tries": ' + "9" * 5000 + ', "solved": true}', '"\\ud800": {"tries": 1, "solved": true}', '"a\\nb": {"tries": 1, "solved": true}',
     f'"{"x" * 2**20}": {{"tries": 1, "solved": true}}'],
    ids=["digits", "surrogate", "line", "megabyte"],
)  # fmt: skip
def test_a_number_or_a_name_out_of_bounds_costs_its_entry_alone(tmp_path, entry: str) -> None:
    """A number too long for Python to read, a name that is not one line of text, or endless."""
    path = tmp_path / "progress.json"
    path.write_text('{"exercises": {"a": {"tries": 1, "solved": true}, ' + entry + "}}")
    with pytest.warns(UserWarning, match="could be read"):
        progress = Progress(path)
    assert progress.solved == ("a",)
    assert len(repr(progress)) < 300


def test_a_file_that_an_editor_has_saved_is_read(tmp_path) -> None:
    """With a mark at its beginning, as one on Windows sets it; one bad byte costs the name in which it stands."""
    path = written(tmp_path / "progress.json", exercises={"01/good": SOLVED})
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert Progress(path).solved == ("01/good",)
    path.write_bytes(b'{"exercises": {"a": {"tries": 1, "solved": true}, "b\xff": {"tries": 1, "solved": true}}}')
    with pytest.warns(UserWarning, match="could be read"):
        assert "a" in Progress(path).solved


def test_the_most_tries_are_not_counted_further(tmp_path) -> None:
    """So that the entry can be read again."""
    path = written(tmp_path / "progress.json", exercises={"a": {"tries": 10**9, "solved": False}})
    Progress(path).record("a", solved=False)
    assert repr(Progress(path)).splitlines()[1] == "  a  1000000000 tries"


def test_a_damaged_file_takes_nothing_from_what_a_kernel_knows(tmp_path) -> None:
    """It writes what it knew, and what comes now."""
    progress = Progress(tmp_path / "progress.json")
    progress.record("a", solved=True)
    progress.path.write_bytes(progress.path.read_bytes()[:-5])
    with pytest.warns(UserWarning, match="could be read"):
        progress.record("b", solved=True)
    assert Progress(progress.path).solved == ("a", "b")


def test_what_is_told_is_told_when_all_is_in_order_again(tmp_path) -> None:
    """Where warnings are errors (as in these tests) the file is mended all the same, and it is set aside once."""
    path = written(tmp_path / "progress.json", exercises={"a": SOLVED, "b": 3})
    with pytest.raises(UserWarning, match="could be read"):
        Progress(path)
    assert Progress(path).solved == ("a",)
    assert sorted(one.name for one in tmp_path.glob("*.unreadable*")) == ["progress.unreadable"]


@pytest.mark.parametrize("version", [2, 1.5, "two", None])
def test_a_newer_version_survives_a_round(tmp_path, version: object) -> None:
    """Read as far as it can be, with its fields and whatever is not understood as they were; it is told when an entry cannot be counted on."""
    entries = {
        "01/a": {**SOLVED, "when": [1, {"x": 10**30}]},
        "01/b": {"tries": {"monday": 3}},
        "01/c": {"tries": 1, "solved": False, "hue": "ž"},
    }
    path = written(tmp_path / "progress.json", version=version, exercises=entries, streak={"best": 7})
    progress = Progress(path)
    assert (progress.solved, progress.tried) == (("01/a",), ("01/a", "01/c"))
    progress.record("01/c", solved=True)
    progress.record("01/d", solved=True)
    after = {**entries, "01/c": {**SOLVED, "hue": "ž"}, "01/d": {"tries": 1, "solved": True}}
    assert kept(path) == {"version": version, "exercises": after, "streak": {"best": 7}}
    with pytest.raises(DurakError, match="01/b was remembered by a newer version of durak_widget"):
        progress.record("01/b", solved=True)
    assert kept(path)["exercises"] == after
    progress.reset()
    assert kept(path) == {"version": version, "exercises": {}, "streak": {"best": 7}}


def test_a_newer_version_that_is_not_understood_is_left_as_it_is(tmp_path) -> None:
    """Rather than set aside for an older one."""
    path = written(tmp_path / "progress.json", version=2, exercises=[1])
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
    page._hear(None, {"kind": "answer", "given": ["b"]}, [])
    assert (quiz.check(), getattr(page, "told", [])) == (True, [])
    assert monotonic() - begun < 30, "nobody waits for what cannot be read"


def test_what_becomes_of_the_file_meanwhile_is_told(tmp_path) -> None:
    """When an exercise is answered the file may have become a folder: the exercise is none the worse, and progress says so till it can write again."""
    progress = Progress(tmp_path / "progress.json")
    quiz = Choose("?", {"a": "", "b": ""}, right="b", name="01/choice")
    progress.watch(quiz)
    progress.path.mkdir()
    page = quiz._page = Told(quiz)
    page._hear(None, {"kind": "answer", "given": ["a"]}, [])
    assert (page.sheet["state"], getattr(page, "told", [])) == ("wrong", [])
    assert progress.sheet()["said"] == [
        "progress cannot be read from progress.json: it is no plain file; give another path, as in Progress('my.json')"
    ]
    assert "it is no plain file" in repr(progress)
    progress.path.rmdir()
    quiz.answer("b")
    assert (progress.sheet()["said"], progress.solved) == ([], ("01/choice",))


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
    assert progress.solved == Progress(progress.path).solved == ("a",)
    assert sorted(one.name for one in tmp_path.iterdir()) == [".progress.json.lock", "progress.json"]


def test_a_damaged_file_that_cannot_be_set_aside_is_told(tmp_path, monkeypatch) -> None:
    """A file of which nothing can be read, in a sentence; of one bad entry the others are there, and it stays as it is."""
    path = tmp_path / "progress.json"

    def fail(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(store, "write_new", fail)
    path.write_text("damaged")
    with pytest.raises(DurakError, match=r"progress cannot be written to progress.json: Permission denied"):
        Progress(path)
    written(path, exercises={"01/good": SOLVED, "01/bad": 3})
    before = path.read_bytes()
    with pytest.warns(UserWarning, match=r"not all of progress.json could be read"):
        assert Progress(path).solved == ("01/good",)
    assert path.read_bytes() == before


def test_what_cannot_be_forgotten_is_still_there(tmp_path) -> None:
    """And a sentence says why."""
    folder = tmp_path / "student"
    progress = Progress(folder / "progress.json")
    progress.record("01/a", solved=True)
    shutil.rmtree(folder)
    folder.touch()
    page = Told(progress)
    page._hear(None, {"kind": "again"}, [])
    assert page.told[-1]["said"].startswith("progress cannot be written to progress.json")
    assert progress.solved == ("01/a",)


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


# Names, and what counts


@pytest.mark.parametrize("name", [7, "", "a\nb", "\x1b[2J", "\ud800", "x" * 2**20, [], True], ids=lambda name: repr(name)[:20])
def test_a_name_is_one_line_of_text(tmp_path, name: object) -> None:
    """Of an exercise as of what is remembered."""
    progress = Progress(tmp_path / "progress.json")
    with pytest.raises(DurakError, match="an exercise is named by a short text in one line") as told:
        progress.record(name, solved=True)
    assert len(str(told.value)) < 200
    assert progress.tried == ()
    if name:
        with pytest.raises(DurakError, match="an exercise is named by a short text in one line"):
            Choose("?", {"a": "", "b": ""}, right="b", name=name)


def test_a_solution_that_was_shown_is_remembered_in_no_way(tmp_path) -> None:
    """Neither where it was asked for nor in a notebook; begun again it counts."""
    progress = Progress(tmp_path / "progress.json")
    quiz = Choose("?", {"a": "", "b": ""}, right="b", name="01/choice")
    progress.watch(quiz)
    quiz.reveal()
    assert quiz.revealed
    quiz.answer("b")
    assert progress.tried == ()
    quiz.again()
    assert not quiz.revealed
    quiz.answer("b")
    assert progress.solved == ("01/choice",)


def test_an_exercise_without_a_name_is_not_remembered(tmp_path) -> None:
    """Though somebody watches it."""
    progress = Progress(tmp_path / "progress.json")
    quiz = Choose("?", {"a": "", "b": ""}, right="b")
    progress.watch(quiz)
    quiz.answer("b")
    assert progress.tried == ()


def test_rows_take_as_long_as_there_are_entries(tmp_path) -> None:
    """Ten times as many take no hundred times as long."""
    took = []
    for count in (3_000, 30_000):
        path = written(tmp_path / f"{count}.json", exercises={f"mine/{number}": SOLVED for number in range(count)})
        progress, times = Progress(path), []
        for _ in range(5):
            begun = monotonic()
            assert progress._rows()[-1][1:] == (count, count)
            times.append(monotonic() - begun)
        took.append(min(times))
    assert took[1] < 50 * took[0]


@pytest.mark.parametrize("path", [7, True, "\0", []], ids=repr)
def test_numbers_are_no_paths_of_progress(path: object) -> None:
    """As for every file."""
    with pytest.raises(DurakError, match="a file is named by a text or a path"):
        Progress(path)
