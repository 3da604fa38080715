"""A table that keeps its games has a tick for it in its settings; no other table has."""

from __future__ import annotations

import pytest
from painted import golden

from durak_widget import Table

pytestmark = pytest.mark.slow

TICK = "Keep my games"


def test_the_games_are_kept_no_more_at_a_click(blank, tmp_path):
    """The panel is painted from what Python tells, and the tick sets what Python hears."""
    for table in (Table(seed=7, keep=tmp_path), Table(seed=7)):
        keeps = table.keep is not None
        blank.lay(golden("opening"), settings=table.settings, saves_games=table.saves_games)
        blank.click("[data-bar=settings]")
        assert blank.page.get_by_label(TICK).count() == keeps
        if keeps:
            blank.page.get_by_label(TICK).uncheck()
            assert blank.page.evaluate("model.get('saves_games')") is False
        table.close()
    assert list(tmp_path.iterdir()) == []
