"""Test the output path before marking starts."""

from __future__ import annotations

import pytest

from durak_widget import DurakError, lessons
from durak_widget.grading import folder_grading
from support.classroom_handing import SMALL, answers, receipt, write_files


def test_an_unwritable_output_file_is_refused_before_marking(tmp_path, monkeypatch):
    """Its folder is missing, or it is a folder."""
    monkeypatch.setattr(folder_grading, "grade_answer", None)
    folder = write_files(tmp_path / "in", a_json=receipt("Ann", answers("Ann", assignment=SMALL), SMALL))
    for out, sentence in ((tmp_path / "none" / "m.csv", "there is no folder for"), (folder, "cannot write")):
        with pytest.raises(DurakError, match=sentence):
            lessons.mark(folder, SMALL, jobs=0, out=out)
