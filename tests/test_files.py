"""Files that are replaced: whole or not at all, wherever they lie."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from durak_widget import atomic_files
from durak_widget.atomic_files import parse_json_text, replace_text, require_path, write_new_file
from durak_widget.errors import DurakError

if TYPE_CHECKING:
    from pathlib import Path

posix = pytest.mark.skipif(os.name != "posix", reason="links, modes and pipes as on Unix")


def names(folder: Path) -> list[str]:
    """What lies there."""
    return sorted(one.name for one in folder.iterdir())


def test_a_file_holds_just_the_text(tmp_path) -> None:
    """In UTF-8, with its line ends as they are; a shorter text leaves nothing of the longer one, and nothing lies beside."""
    path = tmp_path / "it.txt"
    for text in ("Дурак\nž\r\n" * 100, "", "x"):
        replace_text(path, text)
        assert path.read_bytes() == text.encode("utf-8")
    assert names(tmp_path) == ["it.txt"]


@pytest.mark.parametrize("fails", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "interrupted"])
def test_what_fails_leaves_what_was_there(tmp_path, monkeypatch, fails: str, error: BaseException) -> None:
    """Whichever step: the old text is still there, and nothing beside it."""
    path = tmp_path / "it.txt"
    path.write_text("before")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(atomic_files.os, fails, fail)
    with pytest.raises(type(error)):
        replace_text(path, "after")
    assert path.read_text() == "before"
    assert names(tmp_path) == ["it.txt"]


@posix
def test_a_full_disk_leaves_what_was_there(tmp_path) -> None:
    """A real one, as far as a limit on the size of files is one."""
    path = tmp_path / "it.txt"
    path.write_text("before")
    code = """
import resource, signal, sys
from durak_widget.atomic_files import replace_text
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    replace_text(sys.argv[1], "x" * 5000)
except OSError as error:
    print(error.strerror)
"""
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout == "File too large\n"
    assert path.read_text() == "before"
    assert names(tmp_path) == ["it.txt"]


@posix
def test_links_are_refused(tmp_path) -> None:
    """To what is there, to what is not there yet, to itself: nothing is written where it leads, and it stays; a link to the folder is none of the file."""
    (tmp_path / "theirs").mkdir()
    dear, link, nowhere, around = (tmp_path / "theirs" / "dear.txt", *(tmp_path / name for name in ("it.txt", "new.txt", "around")))
    dear.write_text("dear")
    link.symlink_to(dear)
    nowhere.symlink_to(tmp_path / "theirs" / "new.txt")
    around.symlink_to(around)
    for path in (link, nowhere, around):
        with pytest.raises(OSError, match="it is a link, and links are not followed"):
            replace_text(path, "after")
        assert path.is_symlink()
    assert (names(tmp_path / "theirs"), dear.read_text()) == (["dear.txt"], "dear")
    (tmp_path / "mine").symlink_to("theirs")
    replace_text(tmp_path / "mine" / "it.txt", "it")
    assert (tmp_path / "theirs" / "it.txt").read_text() == "it"


def test_what_was_left_half_written_is_swept_up_a_day_later(tmp_path) -> None:
    """By the next process that writes there: what is younger may still be written, and what only looks alike is somebody's."""
    left, young, alike = (tmp_path / name for name in (f".{'0f' * 12}.new", f".{'1e' * 12}.new", ".0123456789-and-no-number-x.new"))
    for path in (left, young, alike):
        path.write_text("x")
    for path in (left, alike):
        os.utime(path, (0, 0))
    replace_text(tmp_path / "it.txt", "it")
    assert names(tmp_path) == sorted([young.name, alike.name, "it.txt"])


@posix
def test_the_mode_of_a_file_stays(tmp_path) -> None:
    """A private one stays private, and a new one is as any other."""
    path, other = tmp_path / "it.txt", tmp_path / "other.txt"
    path.write_text("")
    path.chmod(0o640)
    other.write_text("")
    replace_text(path, "it")
    replace_text(tmp_path / "new.txt", "")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert (tmp_path / "new.txt").stat().st_mode == other.stat().st_mode


def test_a_protected_file_is_not_replaced(tmp_path, monkeypatch) -> None:
    """Though its folder would allow it."""
    path = tmp_path / "it.txt"
    path.write_text("before")
    monkeypatch.setattr(atomic_files.os, "access", lambda *_: False)  # for root everything may be written
    with pytest.raises(PermissionError):
        replace_text(path, "after")
    assert path.read_text() == "before"


@posix
def test_what_is_no_plain_file_is_written_to(tmp_path) -> None:
    """And is what it was."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[str] = []
    listener = Thread(target=lambda: heard.append(pipe.read_text()))
    listener.start()
    replace_text(pipe, "through")
    listener.join()
    assert heard == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    replace_text(os.devnull, "nothing")
    with pytest.raises(IsADirectoryError):
        replace_text(tmp_path, "")
    assert names(tmp_path) == ["pipe"]


def test_a_longest_name_is_no_longer_beside(tmp_path) -> None:
    """What is written beside needs no more room in the name."""
    path = tmp_path / ("x" * 255)
    replace_text(path, "x")
    assert path.read_text() == "x"


def test_numbers_are_no_paths() -> None:
    """Nor is what no file can be called; the open file of that number stays open."""
    for path in (0, 1, True, 2.5, None, [], "\0", "\ud800", b"a\0"):
        for use in (require_path, lambda path: replace_text(path, "")):
            with pytest.raises(DurakError, match="a file is named by a text or a path"):
                use(path)
        os.fstat(1)


def test_what_is_there_is_not_written_as_new(tmp_path) -> None:
    """It stays as it is."""
    path = tmp_path / "it.txt"
    path.write_text("before")
    with pytest.raises(FileExistsError):
        write_new_file(str(path), b"after")
    assert path.read_text() == "before"


DEEP = ["[" * 20_000, '{"a":' * 15_000, "[" * 101 + "]" * 101, '["]]]]", ' + "[" * 100 + "]" * 101]


def test_deep_json_never_reaches_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a text and as bytes: in a browser Python could not catch that it is too deep."""
    for text in DEEP:
        monkeypatch.setattr(json, "loads", lambda *_, **__: pytest.fail("it was parsed"))
        for given in (text, text.encode(), text.encode("utf-16")):
            with pytest.raises(ValueError, match="nested more than 100 deep"):
                parse_json_text(given)


def test_what_is_not_deep_is_read() -> None:
    """However many brackets stand in it, and in its texts."""
    plain = {"a": [[]] * 1000, "b": "[" * 1000, "c": 7}
    assert parse_json_text(json.dumps(plain)) == parse_json_text(json.dumps(plain).encode()) == plain
    assert parse_json_text('{"a": 12}', parse_int=str) == {"a": "12"}
