"""Test missed endings: they come again at regular intervals until they are known."""

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


def test_a_missed_ending_comes_again_until_it_is_known(tmp_path):
    """The next day, then at regular intervals after each success, up to a limit."""
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


def test_a_second_miss_starts_again(tmp_path):
    """Earlier successes do not count. Solving before the due day changes nothing."""
    missed = MissedEndgames(tmp_path / "endings.json")
    missed.record_missed(POSITION, DAY)
    missed.record_solved(POSITION, DAY)
    assert missed.list_due(DAY + timedelta(1)) == (POSITION,)
    missed.record_solved(POSITION, DAY + timedelta(1))
    missed.record_missed(POSITION, DAY + timedelta(4))
    (ending,) = missed.pending
    assert (ending.due_date, ending.solved_count) == (DAY + timedelta(5), 0)


def test_values_that_are_no_ending_are_refused(tmp_path):
    """A message says what would be right, and nothing is written."""
    missed = MissedEndgames(tmp_path / "endings.json")
    for wrong in ("", "6c |", 7, "6c 7c | 8c; trump h; talon Jh"):
        with pytest.raises(DurakError):
            missed.record_missed(wrong, DAY)
    with pytest.raises(DurakError, match="a day must be"):
        missed.record_missed(POSITION, "2026-03-01")
    assert not missed.path.exists()


def test_a_damaged_file_loses_only_its_damaged_part(tmp_path):
    """It is set aside, and the rest continues."""
    missed = MissedEndgames(tmp_path / "endings.json")
    missed.record_missed(POSITION, DAY)
    text = missed.path.read_text()
    missed.path.write_text(text.replace('"entries": {', '"entries": {"x": {"due": "soon", "solved": 1},'))
    with pytest.warns(UserWarning, match="could not be read"):
        again = MissedEndgames(missed.path)
    assert [ending.position for ending in again.pending] == [POSITION]


def test_a_failed_store_does_not_disturb_the_table(tmp_path, monkeypatch):
    """A file is in place of the folder: the answer reports it without an error."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path / "file"))
    assert remember_missed_endgame(POSITION, DAY) is False
