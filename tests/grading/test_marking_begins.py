"""Before anything is marked: where the marks are to go."""

from __future__ import annotations

import pytest

from durak_widget import DurakError, lessons
from durak_widget.grading import folder_grading
from support.classroom_handing import SMALL, answers, receipt, write


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_marked(tmp_path, monkeypatch):
    """In a sentence: its folder is not there, or it is one."""
    monkeypatch.setattr(folder_grading, "grade_answer", None)
    folder = write(tmp_path / "in", a_json=receipt("Ann", answers("Ann", assignment=SMALL), SMALL))
    for out, said in ((tmp_path / "none" / "m.csv", "there is no folder for"), (folder, "cannot be written")):
        with pytest.raises(DurakError, match=said):
            lessons.mark(folder, SMALL, jobs=0, out=out)
