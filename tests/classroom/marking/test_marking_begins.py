"""Before anything is marked: where the marks are to go, and who does the work."""

from __future__ import annotations

import pytest

from classroom_handing import SMALL, answers, receipt, write
from durak_widget import DurakError, lessons
from durak_widget.classroom.marking import marking
from durak_widget.work import processes
from durak_widget.work.sharing import Hands


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_marked(tmp_path, monkeypatch):
    """In a sentence: its folder is not there, or it is one."""
    monkeypatch.setattr(marking, "judged", None)
    folder = write(tmp_path / "in", a_json=receipt("Ann", answers("Ann", assignment=SMALL), SMALL))
    for out, said in ((tmp_path / "none" / "m.csv", "there is no folder for"), (folder, "cannot be written")):
        with pytest.raises(DurakError, match=said):
            lessons.mark(folder, SMALL, jobs=0, out=out)


def test_where_no_process_can_be_started_all_is_done_here(monkeypatch):
    """Nothing is lost by it."""

    def refused(*_: object, **__: object) -> None:
        raise BlockingIOError

    monkeypatch.setattr(processes.subprocess, "Popen", refused)
    with Hands(2) as hands:
        assert hands.each(max, [1, 2, 5], common=3) == [3, 3, 5]
