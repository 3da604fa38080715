"""Test the daily endings: accessibility, and which table shows the feedback."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from rendered_exercise import ExercisePage, load_exercise_page
from rendered_table import find_axe_violations, page_theme

from durak_widget import Game, lessons
from durak_widget.analysis.endgame import solve_endgame
from durak_widget.exercises import goals
from durak_widget.widgets.missed_endgames import MissedEndgames
from support.spoken import english_text

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("theme", ["dark"])
def test_axe_finds_no_violation_in_daily_endings(pages, tmp_path, theme):
    """In the daily five and in the missed endings: open, missed, refuted and solved."""
    day, missed = date(2026, 3, 2), MissedEndgames(tmp_path / "endings.json")
    context = pages.context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    paper = ExercisePage(load_exercise_page(context))
    with page_theme(paper.page, theme):
        for language in ("lt",):
            (tmp_path / language).mkdir()
            daily = lessons.Daily(today=lambda: day, folder=tmp_path / language, language=language)
            missed.record_missed(daily.position, day)
            mine = lessons.MyEndings(today=lambda: day + timedelta(1), missed=missed, language=language)
            assert mine.left_count == 1
            paper.mount(daily, mine)
            assert find_axe_violations(paper.page, ".dk-exercise") == []
            wrong = next(move for move, value in solve_endgame(daily.table.game).move_values.items() if value < 1)
            assert not daily.answer(str(wrong))
            assert mine.answer(mine.solution)
            paper.mount(daily, mine)
            assert paper.page.locator("[data-state=wrong], [data-state=right]").count() == 2
            assert find_axe_violations(paper.page, ".dk-exercise") == []
            for exercise in (daily, mine):
                exercise.table.close()
    context.close()


LAY = """([task, after]) => {
  const felt = `<section class="dk" ${task ? 'data-task' : ''}><div class="dk-felt"><div class="dk-message-bar"><div class="dk-actions"></div></div></div></section>`;
  (after ? document.querySelector('.dk-exercise') : document.body).insertAdjacentHTML(after ? 'afterend' : 'beforeend', felt);
}"""


def test_feedback_waits_for_the_table_of_its_task(pages):
    """Another table on the page does not show it."""
    context = pages.context(viewport={"width": 800, "height": 800}, reduced_motion="reduce")
    paper = ExercisePage(load_exercise_page(context))
    task = lessons.Position(
        Game.from_position(hands=["Ks 7d", "9c Qd Kd"], trump="h"),
        goals.get_out(),
        solution=["attack Ks", "attack 7d"],
        others={1: "careful"},
    )
    paper.mount(task)
    paper.page.evaluate(LAY, [False, False])
    task.answer("attack 7d")
    paper.show(task)
    assert paper.page.locator(".dk-table-feedback").count() == 0
    assert paper.page.locator(".dk-feedback").inner_text().startswith(english_text("lesson.not_yet"))
    paper.page.evaluate(LAY, [True, True])
    paper.page.wait_for_selector(".dk[data-task] > .dk-table-feedback")
    assert paper.page.locator(".dk-table-feedback").count() == 1
    task.table.close()
    context.close()
