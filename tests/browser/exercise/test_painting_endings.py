"""Endings that come back, painted: nothing stands in the way of a screen reader, at night, in a language with long words."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from painted import axed, ground
from painted_exercise import Page, loaded

from durak_widget import Game, lessons
from durak_widget.analysis.endgame import solve_endgame
from durak_widget.exercises import goals
from durak_widget.widgets.missed_endgames import MissedEndgames

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("theme", ["dark"])
def test_axe_finds_nothing_at_endings_that_come_back(pages, tmp_path, theme):
    """In five a day and in what was missed: asked, missed and refuted, and done."""
    day, missed = date(2026, 3, 2), MissedEndgames(tmp_path / "endings.json")
    context = pages.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    paper = Page(loaded(context))
    with ground(paper.page, theme):
        for language in ("lt",):
            (tmp_path / language).mkdir()
            daily = lessons.Daily(today=lambda: day, folder=tmp_path / language, language=language)
            missed.record_missed(daily.position, day)
            mine = lessons.MyEndings(today=lambda: day + timedelta(1), missed=missed, language=language)
            assert mine.left_count == 1
            paper.lay(daily, mine)
            assert axed(paper.page, ".dk-exercise") == []
            wrong = next(move for move, worth in solve_endgame(daily.table.game).move_values.items() if worth < 1)
            assert not daily.answer(str(wrong))
            assert mine.answer(mine.solution)
            paper.lay(daily, mine)
            assert paper.page.locator("[data-state=wrong], [data-state=right]").count() == 2
            assert axed(paper.page, ".dk-exercise") == []
            for one in (daily, mine):
                one.table.close()
    context.close()


LAY = """([task, after]) => {
  const felt = `<section class="dk" ${task ? 'data-task' : ''}><div class="dk-felt"><div class="dk-message-bar"><div class="dk-actions"></div></div></div></section>`;
  (after ? document.querySelector('.dk-exercise') : document.body).insertAdjacentHTML(after ? 'afterend' : 'beforeend', felt);
}"""


def test_no_other_table_is_taken_for_that_of_a_task(pages):
    """One that stands further down, on which nothing is asked, and is there first: the reason waits for the task's own."""
    context = pages.context(viewport={"width": 800, "height": 800}, reduced_motion="reduce")
    paper = Page(loaded(context))
    task = lessons.Position(
        Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h"),
        goals.get_out(),
        solution=["attack Ks", "attack 7d"],
        others={1: "careful"},
    )
    paper.lay(task)
    paper.page.evaluate(LAY, [False, False])
    task.answer("attack 7d")
    paper.show(task)
    assert paper.page.locator(".dk-table-feedback").count() == 0
    assert paper.page.locator(".dk-feedback").inner_text().startswith("Not yet.")
    paper.page.evaluate(LAY, [True, True])
    paper.page.wait_for_selector(".dk[data-task] > .dk-table-feedback")
    assert paper.page.locator(".dk-table-feedback").count() == 1
    task.table.close()
    context.close()
