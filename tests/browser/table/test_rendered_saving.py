"""Test the setting that saves the games of a table."""

from __future__ import annotations

import pytest
from rendered_table import golden_scene

from durak_widget import Table
from support.spoken import english_text

pytestmark = pytest.mark.slow

TICK = english_text("screen.set.keeps")


def test_saving_games_can_be_turned_off(table_page, tmp_path):
    """The panel shows what Python says, and the click reaches Python."""
    for table in (Table(seed=7, keep=tmp_path), Table(seed=7)):
        keeps = table.keep is not None
        table_page.mount(golden_scene("opening"), settings=table.settings, saves_games=table.saves_games)
        table_page.choose("settings")
        assert table_page.page.get_by_label(TICK).count() == keeps
        if keeps:
            table_page.page.get_by_label(TICK).uncheck()
            assert table_page.page.evaluate("model.get('saves_games')") is False
        table.close()
    assert list(tmp_path.iterdir()) == []
