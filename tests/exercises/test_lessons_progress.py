"""Progress: what was solved is remembered, whoever writes at once."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread
from types import ModuleType

import pytest

from durak_widget import json_store
from durak_widget.errors import DurakError
from durak_widget.exercises import student_progress as progress_module
from durak_widget.exercises.student_progress import LESSON_SERIES
from durak_widget.lessons import Choose, Progress
from support.asked import SOLVED, Told, posix, written

ROOT = Path(__file__).resolve().parents[2]


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
        "version": 2,
        "entries": {"00/choice": {"attempts": 2, "solved": True}, "01/other": {"attempts": 1, "solved": False}},
    }
    assert (Progress(path).solved_exercises, Progress(path).tried_exercises) == (("00/choice",), ("00/choice", "01/other"))
    progress.reset()
    assert Progress(path).tried_exercises == ()


def test_what_is_done_in_a_notebook_is_remembered(tmp_path, monkeypatch) -> None:
    """Only what was shown there and has a name; where nothing can be written, the answer is none the worse."""
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path / "student"))
    named = Choose("?", {"a": "", "b": ""}, right="b", name="01/choice")
    named.answer("b")
    assert Progress().tried_exercises == ()
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
    assert "01/shown" not in Progress().tried_exercises
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
    rows = progress._build_rows()
    assert rows[1][1:3] == (1, LESSON_SERIES["01"].exercise_count)
    assert rows[-1][1:3] == (1, 1)
    assert len(rows) == len(LESSON_SERIES) + 1
    assert progress.view_model()["tries"] == 3
    for row in rows:
        assert row.name in progress.static_mimebundle()["text/plain"]
        bar = f'aria-label="{row.name}" aria-valuemin="0" aria-valuemax="{row.exercise_count}" aria-valuenow="{row.done_count}"'
        assert (bar in progress.view_model()["picture"]) == (row.exercise_count > 0), "homework keeps its answers itself"
    Told(progress)._receive_message(None, {"kind": "again"}, [])
    assert Progress(progress.path).tried_exercises == ()


# What several write at once

SOLVING = """
import sys
from durak_widget.lessons import Progress
progress = Progress(sys.argv[1])
input()
for number in range(40):
    progress.record(f"{sys.argv[2]}/{number}", solved=True)
"""


def test_kernels_that_write_at_once_lose_nothing(tmp_path) -> None:
    """Three of them, each with forty exercises of its own: all are solved."""
    path = tmp_path / "progress.json"
    kernels = [subprocess.Popen([sys.executable, "-c", SOLVING, str(path), name], stdin=subprocess.PIPE) for name in "abc"]
    for kernel in kernels:
        kernel.stdin.write(b"go\n")
        kernel.stdin.close()
    assert [kernel.wait() for kernel in kernels] == [0, 0, 0]
    assert len(Progress(path).solved_exercises) == 120


@pytest.mark.parametrize("locks", [True, False], ids=["locks", "a folder without locks"])
def test_threads_that_write_at_once_lose_nothing(tmp_path, monkeypatch, locks) -> None:
    """Two of one kernel, with forty exercises each, also where the folder knows no locks: eighty, and no error."""
    if not locks:
        monkeypatch.setattr(json_store, "_open_lock_file", lambda _: None)
    path, failed = tmp_path / "progress.json", []

    def solve(name: str) -> None:
        try:
            progress = Progress(path)
            for number in range(40):
                progress.record(f"{name}/{number}", solved=True)
        except Exception as error:  # noqa: BLE001 - whatever it is
            failed.append(error)

    threads = [Thread(target=solve, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(Progress(path).solved_exercises) == 80


HOLDING = """
import sys
from durak_widget import json_store
with json_store.file_lock(sys.argv[1]):
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
    monkeypatch.setattr(json_store, "_LOCK_TIMEOUT", 0.1)
    progress = Progress(tmp_path / "progress.json")
    with pytest.raises(DurakError, match=r"progress cannot be written to progress.json: another program holds it; give another path"):
        progress.record("a", solved=True)
    assert progress.tried_exercises == ()
    holder.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    holder.wait()
    progress.record("a", solved=True)
    assert Progress(progress.path).solved_exercises == ("a",)


def test_another_thread_that_holds_the_file_is_told(tmp_path, monkeypatch) -> None:
    """As another program is."""
    monkeypatch.setattr(json_store, "_LOCK_TIMEOUT", 0.1)
    progress = Progress(tmp_path / "progress.json")
    with json_store._THREAD_LOCK, pytest.raises(DurakError, match="another thread holds it"):
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
    assert Progress(progress.path).solved_exercises == ("a",)


@posix
def test_a_disk_that_knows_no_locks_keeps_progress_all_the_same(tmp_path, monkeypatch) -> None:
    """As some of a network do."""
    import fcntl  # noqa: PLC0415 - on Unix alone

    def refuse(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    progress = Progress(tmp_path / "progress.json")
    progress.record("a", solved=True)
    assert Progress(progress.path).solved_exercises == ("a",)


def test_where_a_browser_has_an_empty_module_for_locks_progress_is_kept_all_the_same(tmp_path, monkeypatch) -> None:
    """As JupyterLite does; there every right answer ended in an AttributeError."""
    monkeypatch.setitem(sys.modules, "fcntl", ModuleType("fcntl"))
    progress = Progress(tmp_path / "progress.json")
    quiz = Choose("?", {"a": "", "b": ""}, right="b", name="00/choice")
    progress.watch(quiz)
    assert quiz.answer("b")
    assert Progress(progress.path).solved_exercises == ("00/choice",)


def test_where_there_is_no_server_progress_lies_on_the_drive_that_the_browser_keeps(tmp_path, monkeypatch) -> None:
    """All other folders are gone at the next reload; where there is no such drive, or another folder was named, it is there."""
    monkeypatch.delenv("DURAK_WIDGET_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    monkeypatch.setattr(json_store, "_LITE_DRIVE", tmp_path / "drive")
    here = tmp_path / "home" / ".durak_widget" / "progress.json"
    assert Progress().path == here
    monkeypatch.setattr(sys, "platform", "emscripten")
    assert Progress().path == here
    (tmp_path / "drive").mkdir()
    assert Progress().path == tmp_path / "drive" / ".durak_widget" / "progress.json"
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path / "named"))
    assert Progress().path == tmp_path / "named" / "progress.json"
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DURAK_WIDGET_HOME")
    assert Progress().path == here


@posix
def test_a_link_stays_a_link(tmp_path) -> None:
    """Whoever has linked the file to a shared folder finds it written there."""
    (tmp_path / "shared").mkdir()
    target, link = tmp_path / "shared" / "mine.json", tmp_path / "progress.json"
    link.symlink_to(target)
    Progress(link).record("a", solved=True)
    Progress(target).record("b", solved=True)
    assert link.is_symlink()
    assert Progress(link).solved_exercises == Progress(target).solved_exercises == ("a", "b")


# Names, and what counts


def test_a_name_is_one_line_of_text(tmp_path) -> None:
    """Of an exercise as of what is remembered."""
    for name in [7, "", "a\nb", "\ud800", "x" * 2**20, []]:
        progress = Progress(tmp_path / "progress.json")
        with pytest.raises(DurakError, match="an exercise is named by a short text in one line") as told:
            progress.record(name, solved=True)
        assert len(str(told.value)) < 200
        assert progress.tried_exercises == ()
        if name:
            with pytest.raises(DurakError, match="an exercise is named by a short text in one line"):
                Choose("?", {"a": "", "b": ""}, right="b", name=name)


def test_a_solution_that_was_shown_is_remembered_in_no_way(tmp_path) -> None:
    """Neither where it was asked for nor in a notebook; begun again it counts."""
    progress = Progress(tmp_path / "progress.json")
    quiz = Choose("?", {"a": "", "b": ""}, right="b", name="01/choice")
    progress.watch(quiz)
    quiz.reveal()
    assert quiz.is_revealed
    quiz.answer("b")
    assert progress.tried_exercises == ()
    quiz.restart()
    assert not quiz.is_revealed
    quiz.answer("b")
    assert progress.solved_exercises == ("01/choice",)


def test_an_exercise_without_a_name_is_not_remembered(tmp_path) -> None:
    """Though somebody watches it."""
    progress = Progress(tmp_path / "progress.json")
    quiz = Choose("?", {"a": "", "b": ""}, right="b")
    progress.watch(quiz)
    quiz.answer("b")
    assert progress.tried_exercises == ()


def test_the_road_leads_to_each_lesson(tmp_path, monkeypatch) -> None:
    """Each name is a link to its notebook; the next one is marked, and the star of a challenge that is done."""
    monkeypatch.setattr(
        progress_module, "LESSON_SERIES", {**LESSON_SERIES, "01": LESSON_SERIES["01"]._replace(has_challenge=True, exercise_count=2)}
    )
    progress = Progress(tmp_path / "progress.json")

    def road() -> list[tuple[str, str, str]]:
        lines = str(progress.view_model()["picture"]).split("<li")[1:]
        return [
            (re.findall(r'href="([^"]*)', line)[0], "".join(re.findall("[★☆]", line)), "".join(re.findall("← ([a-z]+)", line)))
            for line in lines
        ]

    assert [link for link, _, _ in road()] == [f"{lesson.notebook}.ipynb" for lesson in LESSON_SERIES.values()]
    assert all((ROOT / "notebooks" / link).is_file() for link, _, _ in road())
    assert road()[:2] == [("00_welcome.ipynb", "", "next"), ("01_trumps.ipynb", "☆", "")]
    progress.record("01/challenge", solved=True)
    assert road()[:2] == [("00_welcome.ipynb", "", ""), ("01_trumps.ipynb", "★", "next")]
    progress.record("01/other", solved=True)
    assert [place for place, (_, _, mark) in enumerate(road()) if mark] == [2]


def test_progress_shows_itself_anew(tmp_path) -> None:
    """Whatever is recorded in this kernel is seen at once; what another has written, when the page asks, which costs nothing where nothing was."""
    shown, recording = Progress(tmp_path / "progress.json"), Progress(tmp_path / "progress.json")
    page = Told(shown)
    shown._page, before = page, page.sheet
    recording.record("01/a", solved=True)
    assert page.sheet["picture"] != before["picture"]
    written(shown.path, entries={"01/a": SOLVED, "01/b": SOLVED})
    assert 'aria-valuenow="2"' not in page.sheet["picture"]
    page._receive_message(None, {"kind": "look"}, [])
    assert 'aria-valuenow="2"' in page.sheet["picture"]
    known = shown._store.entries
    page._receive_message(None, {"kind": "look"}, [])
    assert shown._store.entries is known
    written(shown.path, version=7)
    page._receive_message(None, {"kind": "look"}, [])
    assert "a newer version" in page.sheet["said"][0]


def test_numbers_are_no_paths_of_progress() -> None:
    """As for every file."""
    for path in [7, True, "\0", []]:
        with pytest.raises(DurakError, match="a file is named by a text or a path"):
            Progress(path)
