"""Endings that come back, painted: nothing stands in the way of a screen reader, by day and by night, in three languages."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from painted import axed, ground
from painted_exercise import Page, loaded

from durak_widget import lessons
from durak_widget.theory.endings.endgame import solve
from durak_widget.widget.kit.missed import Missed


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_at_endings_that_come_back(tabs, tmp_path, theme):
    """In five a day and in what was missed: asked, missed and refuted, and done."""
    day, missed = date(2026, 3, 2), Missed(tmp_path / "endings.json")
    context = tabs.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    paper = Page(loaded(context))
    with ground(paper.page, theme):
        for language in ("en", "lt", "ru"):
            (tmp_path / language).mkdir()
            daily = lessons.Daily(today=lambda: day, folder=tmp_path / language, language=language)
            missed.remember(daily.position, day)
            mine = lessons.MyEndings(today=lambda: day + timedelta(1), missed=missed, language=language)
            assert mine.left == 1
            paper.lay(daily, mine)
            assert axed(paper.page, ".dk-lesson") == []
            wrong = next(move for move, worth in solve(daily.table.game).moves.items() if worth < 1)
            assert not daily.answer(str(wrong))
            assert mine.answer(mine.solution)
            paper.lay(daily, mine)
            assert paper.page.locator("[data-state=wrong], [data-state=right]").count() == 2
            assert axed(paper.page, ".dk-lesson") == []
            for one in (daily, mine):
                one.table.close()
    context.close()
