"""Tests that an event is either in the log as a whole line or has not happened."""

from __future__ import annotations

import errno
import io
import os
import stat
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from durak_widget.live.event_log import EventLog, LogError

EVENTS = [
    {"event": "session", "time": 0.0, "code": "BCDFGH"},
    {"event": "join", "name": "Žygimantas Ёлка 🃏", "seat": 0},
    {"event": "answer", "answer": {"text": 'a "b"\n\\'}, "seat": 0},
    {"event": "end"},
]


class SmallDisk(io.BytesIO):
    """A file on a disk with room for a number of bytes."""

    def __init__(self, data: bytes = b"", room: float = float("inf")) -> None:
        super().__init__(data)
        self.room = room
        self.may_truncate = True

    def write(self, data) -> int:
        """Write what there is room for, as an unbuffered file does, and fail if there is none."""
        free = int(min(len(data), self.room - self.tell()))
        if free <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(bytes(data)[:free])

    def truncate(self, size=None) -> int:
        """Cut off the end, if that is possible."""
        if not self.may_truncate:
            raise OSError(errno.EIO, "Input/output error")
        return super().truncate(size)


def _write(path) -> bytes:
    with EventLog.open(path) as log:
        for event in EVENTS:
            log.append(event)
    return path.read_bytes()


def _read(path):
    with EventLog.open(path) as log:
        return log.events


def test_events_come_back(tmp_path):
    """A log that is opened again has all events, in order."""
    _write(tmp_path / "log.jsonl")
    assert _read(tmp_path / "log.jsonl") == EVENTS


def test_a_log_torn_at_any_byte_goes_on(tmp_path):
    """Wherever the file ends, the whole lines are read, the rest is cut off, and the next event is on a line of its own."""
    path = tmp_path / "log.jsonl"
    data = _write(path)
    for size in range(len(data) + 1):
        path.write_bytes(data[:size])
        whole = EVENTS[: data[:size].count(b"\n")]
        with EventLog.open(path) as log:
            assert log.events == whole
            log.append({"event": "session", "size": size})
        assert _read(path) == [*whole, {"event": "session", "size": size}]


@pytest.mark.parametrize("tail", [b"\0\0\0\0\n\0\n", b"\xff\xfe\n", b"[1]\n", b"{}\n", b'{"event":1}\n'])
def test_bytes_of_a_power_cut_are_cut_off(tail):
    """Lines at the end that are no events are cut off."""
    data = b'{"event":"end"}\n'
    file = io.BytesIO(data + tail)
    assert EventLog(file).events == [{"event": "end"}]
    assert file.getvalue() == data


def test_a_broken_line_in_the_middle_is_reported():
    """A log is not shortened if events follow the line that cannot be read."""
    file = io.BytesIO(b'{"event":"a"}\nbroken\n{"event":"b"}\n')
    with pytest.raises(LogError, match="line 2"):
        EventLog(file)
    assert file.getvalue().count(b"\n") == 3


def test_a_full_disk_leaves_no_part_of_an_event():
    """Wherever the disk gets full, the log keeps all events before it, and goes on when there is room."""
    total = len(b"".join(line.encode() for line in _text(EVENTS)))
    for room in range(total):
        disk = SmallDisk(room=room)
        log, saved = EventLog(disk), []
        for event in EVENTS:
            try:
                saved.append(log.append(event))
            except LogError as error:  # noqa: PERF203 - each event may be refused
                assert isinstance(error.__cause__, OSError)
                assert log.problem is not None
                break
        assert len(saved) < len(EVENTS)
        assert disk.getvalue() == "".join(_text(saved)).encode()
        disk.room = float("inf")
        log.append({"event": "later"})
        assert log.problem is None
        assert EventLog(io.BytesIO(disk.getvalue())).events == [*saved, {"event": "later"}]


def test_a_line_that_cannot_be_cut_off_is_cut_off_later():
    """If the disk is full and even cutting fails, no event is saved behind the rest of a line."""
    disk = SmallDisk(room=40)
    log = EventLog(disk)
    log.append({"event": "a"})
    disk.may_truncate = False
    with pytest.raises(LogError):
        log.append({"event": "long", "text": "x" * 100})
    disk.room = 1000
    with pytest.raises(LogError):
        log.append({"event": "b"})
    assert EventLog(io.BytesIO(disk.getvalue())).events == [{"event": "a"}]
    disk.may_truncate = True
    log.append({"event": "b"})
    assert EventLog(io.BytesIO(disk.getvalue())).events == [{"event": "a"}, {"event": "b"}]


def test_important_events_wait_for_the_disk(tmp_path, monkeypatch):
    """A question is on the disk before the class sees it; an answer need not be."""
    synced = []
    with EventLog.open(tmp_path / "log.jsonl") as log:
        log.append(EVENTS[0])
        monkeypatch.setattr(os, "fsync", synced.append)
        log.append({"event": "answer"})
        assert not synced
        log.append({"event": "ask"})
        assert synced


def test_an_event_that_the_disk_refuses_has_not_happened(tmp_path, monkeypatch):
    """If waiting for the disk fails, the line is taken back."""

    def fail(_descriptor):
        raise OSError(errno.EIO, "Input/output error")

    with EventLog.open(tmp_path / "log.jsonl") as log:
        log.append(EVENTS[0])
        monkeypatch.setattr(os, "fsync", fail)
        with pytest.raises(LogError):
            log.append({"event": "ask"})
    assert _read(tmp_path / "log.jsonl") == EVENTS[:1]


@pytest.mark.parametrize("value", [float("nan"), object(), {1, 2}, {(1, 2): 3}])
def test_what_is_not_json_is_not_written(value):
    """An event that JSON cannot hold is refused, and the log stays as it was."""
    log = EventLog()
    with pytest.raises((TypeError, ValueError)):
        log.append({"event": "a", "value": value})
    assert not log.to_text()


@given(st.text(st.characters()))
def test_any_text_comes_back(text):
    """Every text is read as it was written, with line breaks and halves of characters."""
    log = EventLog()
    assert log.append({"event": "a", "text": text}) == {"event": "a", "text": text}
    assert EventLog.from_text(log.to_text()).events == [{"event": "a", "text": text}]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_only_the_owner_reads_the_log(tmp_path):
    """A log has students' names, so others on the same computer cannot read it."""
    path = tmp_path / "log.jsonl"
    for _ in range(2):
        EventLog.open(path).close()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        path.chmod(0o644)


@pytest.mark.parametrize(
    "data",
    [
        b"a text without lines",
        b"notes\nand more notes\n",
        b'{"event":"click","page":1}\n{"event":"cl',
        b'{"time":1}\n' + b'{"event":"session"}\n',
        b"\0" * 9000,
        b'{"event":"session",' + b"x" * 9000,
        b'{"event":"sessions',
        b"\n",
    ],
)
def test_another_file_is_refused_and_not_changed(tmp_path, data):
    """A file that is not the log of a session keeps each of its bytes."""
    path = tmp_path / "notes"
    path.write_bytes(data)
    with pytest.raises(LogError, match="notes"):
        EventLog.open(path)
    assert path.read_bytes() == data


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
def test_links_pipes_devices_and_folders_are_no_logs(tmp_path):
    """A link cannot lead the log to another file, and nothing waits or is read without end."""
    target, link, pipe = tmp_path / "target", tmp_path / "link", tmp_path / "pipe"
    target.write_bytes(b"")
    link.symlink_to(target)
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    os.mkfifo(pipe)
    for path in (link, tmp_path / "dangling", pipe, "/dev/zero", "/dev/null", tmp_path):
        with pytest.raises(LogError):
            EventLog.open(path)
    assert not (tmp_path / "nothing").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such owners")
def test_a_file_of_another_user_is_no_log(tmp_path, monkeypatch):
    """The log is not written to a file that somebody else has prepared."""
    path = tmp_path / "log.jsonl"
    path.touch()
    owner = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: owner)
    with pytest.raises(LogError, match="another user"):
        EventLog.open(path)


def test_only_one_process_has_a_log(tmp_path):
    """A log that is open cannot be opened again, also by another process, until it is closed."""
    path = tmp_path / "log.jsonl"
    code = "import sys; from durak_widget.live.event_log import EventLog; EventLog.open(sys.argv[1])"
    with EventLog.open(path) as log:
        log.append(EVENTS[0])
        with pytest.raises(LogError, match="another session"):
            EventLog.open(path)
        done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=False)
        assert "LogError" in done.stderr
        assert path.read_bytes() == log.to_text().encode()
    assert _read(path) == EVENTS[:1]
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 0


def test_a_log_that_cannot_be_opened_is_an_error(tmp_path):
    """The error names the file."""
    with pytest.raises(LogError, match="absent"):
        EventLog.open(tmp_path / "absent" / "log.jsonl")


def _text(events):
    log = EventLog()
    for event in events:
        log.append(event)
    return log.to_text().splitlines(keepends=True)
