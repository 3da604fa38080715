"""Test progress: solved exercises are remembered, also if several programs write at once."""

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
from support.asked import SOLVED, RecordingPage, posix, write_progress

ROOT = Path(__file__).resolve().parents[2]


def test_progress_is_kept_in_a_small_file(tmp_path) -> None:
    """Solved exercises stay solved, and tries of other notebooks are kept."""
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


def test_answers_in_a_notebook_are_remembered(tmp_path, monkeypatch) -> None:
    """Only shown exercises with a name are. A failed write does not disturb the answer."""
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
    exercise = Choose("?", {"a": "", "b": ""}, right="b", name="01/shown")
    exercise._ipython_display_()
    exercise.reveal()
    exercise.answer("b")
    assert "01/shown" not in Progress().tried_exercises
    (tmp_path / "file").touch()
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path / "file" / "student"))
    assert named.answer("b")


@pytest.mark.parametrize("language", ["en", "ru", "lt"])
def test_progress_shows_lessons_and_other_exercises(tmp_path, language: str) -> None:
    """The page can forget it."""
    progress = Progress(tmp_path / "progress.json", language=language)
    progress.record("01/a", solved=True)
    progress.record("01/b", solved=False)
    progress.record("mine", solved=True)
    rows = progress._build_rows()
    assert rows[1][1:3] == (1, LESSON_SERIES["01"].exercise_count)
    assert rows[-1][1:3] == (1, 1)
    assert len(rows) == len(LESSON_SERIES) + 1
    assert progress.view_model()["attempt_count"] == 3
    for row in rows:
        assert row.name in progress.static_mimebundle()["text/plain"]
        bar = f'aria-label="{row.name}" aria-valuemin="0" aria-valuemax="{row.exercise_count}" aria-valuenow="{row.done_count}"'
        assert (bar in progress.view_model()["picture"]) == (row.exercise_count > 0), "homework keeps its answers itself"
    RecordingPage(progress)._receive_message(None, {"kind": "restart"}, [])
    assert Progress(progress.path).tried_exercises == ()


# Several writers

SOLVING = """
import sys
from durak_widget.lessons import Progress
progress = Progress(sys.argv[1])
input()
for number in range(40):
    progress.record(f"{sys.argv[2]}/{number}", solved=True)
"""


def test_kernels_that_write_at_once_lose_nothing(tmp_path) -> None:
    """Three kernels solve forty exercises each."""
    path = tmp_path / "progress.json"
    kernels = [subprocess.Popen([sys.executable, "-c", SOLVING, str(path), name], stdin=subprocess.PIPE) for name in "abc"]
    for kernel in kernels:
        kernel.stdin.write(b"go\n")
        kernel.stdin.close()
    assert [kernel.wait() for kernel in kernels] == [0, 0, 0]
    assert len(Progress(path).solved_exercises) == 120


@pytest.mark.parametrize("locks", [True, False], ids=["locks", "a folder without locks"])
def test_threads_that_write_at_once_lose_nothing(tmp_path, monkeypatch, locks) -> None:
    """Two threads solve forty each, also if the folder has no locks."""
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
def lock_holder(tmp_path):
    """Return another program that holds the file's lock."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(tmp_path / "progress.json")], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        assert program.stdout.readline() == b"held\n"
        yield program
        program.kill()


def test_a_lock_that_is_not_released_is_reported(tmp_path, monkeypatch, lock_holder) -> None:
    """One sentence appears after a while. Killing the other program frees the lock."""
    monkeypatch.setattr(json_store, "_LOCK_TIMEOUT", 0.1)
    progress = Progress(tmp_path / "progress.json")
    with pytest.raises(DurakError, match=r"progress\.json"):
        progress.record("a", solved=True)
    assert progress.tried_exercises == ()
    lock_holder.send_signal(signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    lock_holder.wait()
    progress.record("a", solved=True)
    assert Progress(progress.path).solved_exercises == ("a",)


def test_a_lock_held_by_another_thread_is_reported(tmp_path, monkeypatch) -> None:
    """It is the same as for another program."""
    monkeypatch.setattr(json_store, "_LOCK_TIMEOUT", 0.1)
    progress = Progress(tmp_path / "progress.json")
    with json_store._THREAD_LOCK, pytest.raises(DurakError, match="another thread"):
        progress.record("a", solved=True)
    progress.record("a", solved=True)


@posix
@pytest.mark.parametrize("there", ["folder", "pipe"])
def test_progress_is_kept_without_a_lock_file(tmp_path, there: str) -> None:
    """Something else may be in its place."""
    lock = tmp_path / ".progress.json.lock"
    lock.mkdir() if there == "folder" else os.mkfifo(lock)
    progress = Progress(tmp_path / "progress.json")
    progress.record("a", solved=True)
    assert Progress(progress.path).solved_exercises == ("a",)


@posix
def test_progress_is_kept_on_disks_without_locks(tmp_path, monkeypatch) -> None:
    """Some network disks have none."""
    import fcntl  # noqa: PLC0415 - on Unix alone

    def refuse(*_: object) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    progress = Progress(tmp_path / "progress.json")
    progress.record("a", solved=True)
    assert Progress(progress.path).solved_exercises == ("a",)


def test_progress_is_kept_where_the_lock_module_is_empty(tmp_path, monkeypatch) -> None:
    """JupyterLite has an empty module, which raised an AttributeError for every right answer."""
    monkeypatch.setitem(sys.modules, "fcntl", ModuleType("fcntl"))
    progress = Progress(tmp_path / "progress.json")
    quiz = Choose("?", {"a": "", "b": ""}, right="b", name="00/choice")
    progress.watch(quiz)
    assert quiz.answer("b")
    assert Progress(progress.path).solved_exercises == ("00/choice",)


def test_progress_in_a_browser_is_kept_on_its_permanent_drive(tmp_path, monkeypatch) -> None:
    """Other folders disappear on reload. Without the drive, or with a chosen folder, it is there."""
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
def test_a_linked_progress_file_stays_a_link(tmp_path) -> None:
    """The shared file is written."""
    (tmp_path / "shared").mkdir()
    target, link = tmp_path / "shared" / "mine.json", tmp_path / "progress.json"
    link.symlink_to(target)
    Progress(link).record("a", solved=True)
    Progress(target).record("b", solved=True)
    assert link.is_symlink()
    assert Progress(link).solved_exercises == Progress(target).solved_exercises == ("a", "b")


# Names and results that count


def test_a_name_is_one_line_of_text(tmp_path) -> None:
    """Test exercises and stored names."""
    for name in [7, "", "a\nb", "\ud800", "x" * 2**20, []]:
        progress = Progress(tmp_path / "progress.json")
        with pytest.raises(DurakError, match=r"exercise.*short text in one line") as caught:
            progress.record(name, solved=True)
        assert len(str(caught.value)) < 200
        assert progress.tried_exercises == ()
        if name:
            with pytest.raises(DurakError, match=r"exercise.*short text in one line"):
                Choose("?", {"a": "", "b": ""}, right="b", name=name)


def test_a_shown_solution_is_not_remembered(tmp_path) -> None:
    """After a new start an answer counts."""
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
    """This is so even if progress is shown."""
    progress = Progress(tmp_path / "progress.json")
    quiz = Choose("?", {"a": "", "b": ""}, right="b")
    progress.watch(quiz)
    quiz.answer("b")
    assert progress.tried_exercises == ()


def test_the_overview_links_to_each_lesson(tmp_path, monkeypatch) -> None:
    """The next lesson is marked, and solved challenges have a star."""
    monkeypatch.setattr(
        progress_module, "LESSON_SERIES", {**LESSON_SERIES, "01": LESSON_SERIES["01"]._replace(has_challenge=True, exercise_count=2)}
    )
    progress = Progress(tmp_path / "progress.json")

    def road() -> list[tuple[str, str, str]]:
        lines = str(progress.view_model()["picture"]).split("<li")[1:]
        return sorted(
            (re.findall(r'href="([^"]*)', line)[0], "".join(re.findall("[★☆]", line)), "".join(re.findall("← ([a-z]+)", line)))
            for line in lines
        )

    assert [link for link, _, _ in road()] == [f"{lesson.notebook}.ipynb" for lesson in LESSON_SERIES.values()]
    assert all((ROOT / "notebooks" / link).is_file() for link, _, _ in road())
    assert road()[:2] == [("00_welcome.ipynb", "", "next"), ("01_trumps.ipynb", "☆", "")]
    progress.record("01/challenge", solved=True)
    assert road()[:2] == [("00_welcome.ipynb", "", ""), ("01_trumps.ipynb", "★", "next")]
    progress.record("01/other", solved=True)
    assert [place for place, (_, _, mark) in enumerate(road()) if mark] == [2]


def test_the_overview_shows_the_lessons_around_the_next_one(tmp_path) -> None:
    """The others are there, too, but folded away."""
    progress = Progress(tmp_path / "progress.json")
    for number in ("00", "05"):
        for task in range(LESSON_SERIES[number].exercise_count):
            progress.record(f"{number}/{task}", solved=True)
        shown, folded = str(progress.view_model()["picture"]).split("<details", 1)
        assert 0 < shown.count("<li") < folded.count("<li")
        assert shown.count("<li") + folded.count("<li") == len(LESSON_SERIES)
        assert "← next" in shown
        assert "← next" not in folded


def test_progress_is_shown_again_after_each_change(tmp_path) -> None:
    """This kernel's is shown at once, others' when the page asks."""
    displayed, recording = Progress(tmp_path / "progress.json"), Progress(tmp_path / "progress.json")
    page = RecordingPage(displayed)
    displayed._page, before = page, page.exercise_view
    recording.record("01/a", solved=True)
    assert page.exercise_view["picture"] != before["picture"]
    write_progress(displayed.path, entries={"01/a": SOLVED, "01/b": SOLVED})
    assert 'aria-valuenow="2"' not in page.exercise_view["picture"]
    page._receive_message(None, {"kind": "reload"}, [])
    assert 'aria-valuenow="2"' in page.exercise_view["picture"]
    known = displayed._store.entries
    page._receive_message(None, {"kind": "reload"}, [])
    assert displayed._store.entries is known
    write_progress(displayed.path, version=7)
    page._receive_message(None, {"kind": "reload"}, [])
    assert "a newer version" in page.exercise_view["feedback"][0]


def test_numbers_are_refused_as_progress_paths() -> None:
    """All other files refuse them too."""
    for path in [7, True, "\0", []]:
        with pytest.raises(DurakError, match=r"file.*text or a path"):
            Progress(path)


@pytest.mark.parametrize(
    "content",
    [
        {"entries": {"01/a": {"attempts": 2, "solved": True}}},
        {"exercises": {"01/a": {"tries": 2, "solved": True}}},
        {"version": 1, "exercises": {"01/a": {"tries": 2, "attempts": 9, "solved": True}}},
        {"version": 1, "exercises": {"01/a": {"attempts": 9, "tries": 2, "solved": True}}},
    ],
)
def test_progress_is_read_by_its_present_or_former_keys(tmp_path, content) -> None:
    """A missing version does not matter, and in a file of version 1 the former key counts."""
    path = tmp_path / "progress.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    assert str(Progress(path)).splitlines()[1] == "  01/a  solved at try 2"
    assert [file.name for file in tmp_path.iterdir()] == ["progress.json"]
