"""Missed endings come back on later days, at equal spaces, until they are known; the clock is moved by hand."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from durak_widget.errors import DurakError
from durak_widget.widgets.missed_endgames import ENOUGH, FIRST, SPACE, Missed, remember

POSITION = "Qh Ks | Kh Kc; trump h"
DAY = date(2026, 3, 1)


def test_a_missed_ending_comes_back_until_it_is_known(tmp_path):
    """The next day, then at equal spaces, each time it is solved, and no more once that was often enough."""
    missed = Missed(tmp_path / "endings.json")
    missed.remember(POSITION, DAY)
    came = []
    for later in range(30):
        today = DAY + timedelta(later)
        if Missed(missed.path).due(today):
            came.append(later)
            missed.solve(POSITION, today)
    assert came == [FIRST + SPACE * n for n in range(ENOUGH)]
    assert (missed.waiting, missed.known) == ((), (POSITION,))


def test_missed_again_it_begins_anew(tmp_path):
    """What was solved before counts no more; solved before it is due, nothing has changed."""
    missed = Missed(tmp_path / "endings.json")
    missed.remember(POSITION, DAY)
    missed.solve(POSITION, DAY)
    assert missed.due(DAY + timedelta(1)) == (POSITION,)
    missed.solve(POSITION, DAY + timedelta(1))
    missed.remember(POSITION, DAY + timedelta(4))
    (one,) = missed.waiting
    assert (one.due, one.solved) == (DAY + timedelta(5), 0)


def test_what_is_no_ending_is_refused(tmp_path):
    """A sentence says what would be one; nothing is written."""
    missed = Missed(tmp_path / "endings.json")
    for wrong in ("", "6c |", 7, "6c 7c | 8c; trump h; talon Jh"):
        with pytest.raises(DurakError):
            missed.remember(wrong, DAY)
    with pytest.raises(DurakError, match="a day is"):
        missed.remember(POSITION, "2026-03-01")
    assert not missed.path.exists()


def test_a_damaged_file_loses_nothing_else(tmp_path):
    """What cannot be read is set aside, and the rest goes on."""
    missed = Missed(tmp_path / "endings.json")
    missed.remember(POSITION, DAY)
    text = missed.path.read_text()
    missed.path.write_text(text.replace('"exercises": {', '"exercises": {"x": {"due": "soon", "solved": 1},'))
    with pytest.warns(UserWarning, match="not all"):
        again = Missed(missed.path)
    assert [one.position for one in again.waiting] == [POSITION]


def test_a_table_is_no_worse_where_nothing_can_be_remembered(tmp_path, monkeypatch):
    """A file in the place of the folder: it is said by the answer, not by an error."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DURAK_WIDGET_HOME", str(tmp_path / "file"))
    assert remember(POSITION, DAY) is False
