"""Test replacing files: completely or not at all, anywhere."""

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


def file_names(folder: Path) -> list[str]:
    """Return the names of the files in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_a_written_file_contains_exactly_the_text(tmp_path) -> None:
    """It is UTF-8 with unchanged line ends, nothing of a longer old text, and no extra files."""
    path = tmp_path / "it.txt"
    for text in ("Дурак\nž\r\n" * 100, "", "x"):
        replace_text(path, text)
        assert path.read_bytes() == text.encode("utf-8")
    assert file_names(tmp_path) == ["it.txt"]


@pytest.mark.parametrize("fails", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "interrupted"])
def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch, fails: str, error: BaseException) -> None:
    """Whichever step fails, nothing else is left."""
    path = tmp_path / "it.txt"
    path.write_text("before")

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(atomic_files.os, fails, fail)
    with pytest.raises(type(error)):
        replace_text(path, "after")
    assert path.read_text() == "before"
    assert file_names(tmp_path) == ["it.txt"]


@posix
def test_a_full_disk_leaves_the_old_file(tmp_path) -> None:
    """A limit on file sizes simulates it."""
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
    assert file_names(tmp_path) == ["it.txt"]


@posix
def test_links_are_refused(tmp_path) -> None:
    """Test links to files, to nothing and to themselves: the link stays, nothing is written. Linked folders are allowed."""
    (tmp_path / "theirs").mkdir()
    target, link, nowhere, around = (tmp_path / "theirs" / "dear.txt", *(tmp_path / name for name in ("it.txt", "new.txt", "around")))
    target.write_text("dear")
    link.symlink_to(target)
    nowhere.symlink_to(tmp_path / "theirs" / "new.txt")
    around.symlink_to(around)
    for path in (link, nowhere, around):
        with pytest.raises(OSError, match="is a link"):
            replace_text(path, "after")
        assert path.is_symlink()
    assert (file_names(tmp_path / "theirs"), target.read_text()) == (["dear.txt"], "dear")
    (tmp_path / "mine").symlink_to("theirs")
    replace_text(tmp_path / "mine" / "it.txt", "it")
    assert (tmp_path / "theirs" / "it.txt").read_text() == "it"


def test_temporary_files_are_removed_a_day_later(tmp_path) -> None:
    """The next process that writes there does it. Younger ones and similar names stay."""
    left, young, alike = (tmp_path / name for name in (f".{'0f' * 12}.new", f".{'1e' * 12}.new", ".0123456789-and-no-number-x.new"))
    for path in (left, young, alike):
        path.write_text("x")
    for path in (left, alike):
        os.utime(path, (0, 0))
    replace_text(tmp_path / "it.txt", "it")
    assert file_names(tmp_path) == sorted([young.name, alike.name, "it.txt"])


@posix
def test_the_mode_of_a_file_is_kept(tmp_path) -> None:
    """A private one stays private, and a new one has the default."""
    path, other = tmp_path / "it.txt", tmp_path / "other.txt"
    path.write_text("")
    path.chmod(0o640)
    other.write_text("")
    replace_text(path, "it")
    replace_text(tmp_path / "new.txt", "")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert (tmp_path / "new.txt").stat().st_mode == other.stat().st_mode


def test_a_write_protected_file_is_not_replaced(tmp_path, monkeypatch) -> None:
    """Its folder would allow it."""
    path = tmp_path / "it.txt"
    path.write_text("before")
    monkeypatch.setattr(atomic_files.os, "access", lambda *_: False)  # root can write everything
    with pytest.raises(PermissionError):
        replace_text(path, "after")
    assert path.read_text() == "before"


@posix
def test_special_files_are_written_in_place(tmp_path) -> None:
    """They stay what they are."""
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
    assert file_names(tmp_path) == ["pipe"]


def test_temporary_names_are_not_longer_than_the_longest_allowed(tmp_path) -> None:
    """They need no more room than the file's name."""
    path = tmp_path / ("x" * 255)
    replace_text(path, "x")
    assert path.read_text() == "x"


def test_numbers_are_refused_as_paths() -> None:
    """Other invalid names are too, and an open file of that number stays open."""
    for path in (0, 1, True, 2.5, None, [], "\0", "\ud800", b"a\0"):
        for use in (require_path, lambda path: replace_text(path, "")):
            with pytest.raises(DurakError, match=r"file.*text or a path"):
                use(path)
        os.fstat(1)


def test_an_existing_file_is_not_created_again(tmp_path) -> None:
    """It is not changed."""
    path = tmp_path / "it.txt"
    path.write_text("before")
    with pytest.raises(FileExistsError):
        write_new_file(str(path), b"after")
    assert path.read_text() == "before"


DEEP = ["[" * 20_000, '{"a":' * 15_000, "[" * 101 + "]" * 101, '["]]]]", ' + "[" * 100 + "]" * 101]


def test_deeply_nested_json_is_refused_before_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Test text and bytes: Python in a browser could not catch the error."""
    for text in DEEP:
        monkeypatch.setattr(json, "loads", lambda *_, **__: pytest.fail("it was parsed"))
        for given in (text, text.encode(), text.encode("utf-16")):
            with pytest.raises(ValueError, match=r"nested more than 100.*deep"):
                parse_json_text(given)


def test_flat_json_is_read() -> None:
    """It may contain many brackets, also in strings."""
    plain = {"a": [[]] * 1000, "b": "[" * 1000, "c": 7}
    assert parse_json_text(json.dumps(plain)) == parse_json_text(json.dumps(plain).encode()) == plain
    assert parse_json_text('{"a": 12}', parse_int=str) == {"a": "12"}
