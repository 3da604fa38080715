"""Missed endings come back on later days, at equal spaces, until they are known; the clock is moved by hand."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from durak_widget.errors import DurakError
from durak_widget.widgets.missed_endgames import (
    FIRST_REPEAT_DAYS,
    REPEAT_INTERVAL_DAYS,
    SOLVES_UNTIL_KNOWN,
    MissedEndgames,
    remember_missed_endgame,
)

POSITION = "Qh Ks | Kh Kc; trump h"
DAY = date(2026, 3, 1)


def test_a_missed_ending_comes_back_until_it_is_known(tmp_path):
    """The next day, then at equal spaces, each time it is solved, and no more once that was often enough."""
    missed = MissedEndgames(tmp_path / "endings.json")
    missed.record_missed(POSITION, DAY)
    came = []
    for later in range(30):
        today = DAY + timedelta(later)
        if MissedEndgames(missed.path).list_due(today):
            came.append(later)
            missed.record_solved(POSITION, today)
    assert came == [FIRST_REPEAT_DAYS + REPEAT_INTERVAL_DAYS * n for n in range(SOLVES_UNTIL_KNOWN)]
    assert (missed.pending, missed.known) == ((), (POSITION,))


def test_missed_again_it_begins_anew(tmp_path):
    """What was solved before counts no more; solved before it is due, nothing has changed."""
    missed = MissedEndgames(tmp_path / "endings.json")
    missed.record_missed(POSITION, DAY)
    missed.record_solved(POSITION, DAY)
    assert missed.list_due(DAY + timedelta(1)) == (POSITION,)
    missed.record_solved(POSITION, DAY + timedelta(1))
    missed.record_missed(POSITION, DAY + timedelta(4))
    (one,) = missed.pending
    assert (one.due_date, one.solved_count) == (DAY + timedelta(5), 0)


def test_what_is_no_ending_is_refused(tmp_path):
    """A sentence says what would be one; nothing is written."""
    missed = MissedEndgames(tmp_path / "endings.json")
    for wrong in ("", "6c |", 7, "6c 7c | 8c; trump h; talon Jh"):
        with pytest.raises(DurakError):
            missed.record_missed(wrong, DAY)
    with pytest.raises(DurakError, match="a day is"):
        missed.record_missed(POSITION, "2026-03-01")
    assert not missed.path.exists()


def test_a_damaged_file_loses_nothing_else(tmp_path):
    """What cannot be read is set aside, and the rest goes on."""
    missed = MissedEndgames(tmp_path / "endings.json")
    missed.record_missed(POSITION, DAY)
    text = missed.path.read_text()
    missed.path.write_text(text.replace('"entries": {', '"entries": {"x": {"due": "soon", "solved": 1},'))
    with pytest.warns(UserWarning, match="not all"):
        again = MissedEndgames(missed.path)
    assert [one.position for one in again.pending] == [POSITION]


def test_a_table_is_no_worse_where_nothing_can_be_remembered(tmp_path, monkeypatch):
    """A file in the place of the folder: it is said by the answer, not by an error."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path / "file"))
    assert remember_missed_endgame(POSITION, DAY) is False
