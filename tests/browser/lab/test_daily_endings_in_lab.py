"""Test the five daily endings in JupyterLab: a missed one comes back on the next day."""

from __future__ import annotations

import pytest
from human_player import HumanPlayer
from playwright.sync_api import expect

from support.spoken import english, english_text

SETUP = """from datetime import date, timedelta
from tempfile import mkdtemp
from durak_widget import lessons
from durak_widget.analysis.endgame import solve_endgame
clock, folder = [date(2026, 3, 2)], mkdtemp()
daily = lessons.Daily(today=lambda: clock[0], folder=folder, language={language!r})
daily.table.pace, daily.table.motion = 0, False
daily"""
WRONG = "next(str(move) for move, worth in solve_endgame(daily.table.game).move_values.items() if worth < 1)"


def play_ending(book, person: HumanPlayer, region, *, wrongly: bool) -> None:
    """Play the ending by clicks: to the goal, or with a wrong move."""
    for move in [book.python(WRONG)] if wrongly else book.python("daily.solution"):
        person.settled()
        person.play(move)
    expect(region).to_have_attribute("data-state", "wrong" if wrongly else "right")


WITHIN = """() => {
  const around = document.querySelector('.jp-WindowedPanel-outer').getBoundingClientRect();
  const box = (one) => document.querySelector(one).getBoundingClientRect();
  return [box('.dk-question').top >= around.top, box('.dk-felt').bottom <= around.bottom + 1];
}"""


@pytest.mark.parametrize("language", ["lt"])
@pytest.mark.release
def test_question_and_table_fit_a_phone_screen(notebook, language):
    """360 by 740 pixels, before a move and after a miss. The first button is full screen, which also shows question and reason."""
    book = notebook([SETUP.format(language=language)], reduced_motion=True, viewport=(360, 740), touch=True)
    page = book.page
    page.locator(".dk-exercise").evaluate("one => one.scrollIntoView({ block: 'start' })")
    page.wait_for_function("document.querySelector('.dk-table-feedback') && document.querySelector('.dk-opponent-style')")
    assert page.evaluate(WITHIN) == [True, True]
    assert page.locator(".dk-felt .dk-actions > :first-child").get_attribute("data-action") == "full"
    before = page.locator(".dk-felt").bounding_box()
    book.execute(f"daily.answer({WRONG})")
    expect(page.locator(".dk-table-feedback")).to_have_attribute("data-state", "wrong")
    after = page.locator(".dk-felt").bounding_box()
    assert (after["y"], after["height"] - before["height"] < 40) == (before["y"], True)
    assert page.evaluate(WITHIN) == [True, True]
    assert page.locator(".dk-felt .dk-actions .dk-primary").all_inner_texts() == [book.python("daily._voice.translate('screen.again')")]
    assert page.locator(".dk-feedback-text p").all_inner_texts() == book.python("daily.view_model()['feedback']")
    assert "Player" not in page.locator(".dk-feedback-text").inner_text()
    book.execute("daily.restart()")
    page.locator("[data-action=full]").tap()
    page.wait_for_function(
        "document.querySelector('.dk').matches(':fullscreen, :popover-open') || document.querySelector('.dk[data-full]')"
    )
    expect(page.locator(".dk-question-copy")).to_have_text(book.python("daily.question"))
    expect(page.locator(".dk-question-copy")).to_be_in_viewport(ratio=1)
    expect(page.locator(".dk-hand")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("how", [pytest.param("mouse", marks=pytest.mark.slow), pytest.param("touch", marks=pytest.mark.release)])
def test_a_missed_ending_returns_the_next_day(notebook, how):
    """By mouse, touch and keys. The next button is on the felt. The miss is explained, and comes first the next day."""
    look = {"viewport": (360, 780), "touch": True, "theme": "dark"} if how == "touch" else {}
    book = notebook([SETUP.format(language="en")], reduced_motion=True, **look)
    region = book.page.get_by_role("region", name="Exercise:")
    person = HumanPlayer(book, "daily.table", 0, how)
    missed = book.python("daily.position")
    play_ending(book, person, region, wrongly=True)
    expect(region.get_by_role("status")).to_contain_text(english("theory.lost"))
    expect(region.locator(".dk-exercise-number")).to_have_text("✗····")
    following = book.table().get_by_role("button", name=english_text("screen.following"), exact=True)
    expect(following).to_be_visible()
    assert not book.axe()
    person.press(following)
    expect(region.locator(".dk-question")).to_contain_text(english("lesson.endings.daily", place="2"))
    play_ending(book, person, region, wrongly=False)
    expect(region.locator(".dk-exercise-number")).to_have_text("✗✓···")
    book.execute("clock[0] += timedelta(1)")
    person.press(following)
    expect(region.locator(".dk-exercise-number")).to_have_text("·····")
    assert book.python("daily.position") == missed
    expect(region.locator(".dk-question")).to_contain_text(english_text("lesson.endings.back.yesterday"))
    play_ending(book, person, region, wrongly=False)
    assert book.python("daily.results") == {1: True}


@pytest.mark.release
def test_running_the_cell_shows_the_question_and_the_whole_hand(tabs, lab):
    """At 1280 by 800, where JupyterLab goes to the next cell. The open hand is beside the plate."""
    text = "\n\n".join(f"print({number})" for number in range(12))
    book = tabs.write([text, SETUP.format(language="en"), text], touch=False, app="lab")
    book.open("lab")
    book.look(viewport=(1280, 800), reduced_motion=True, theme="light")
    for _ in range(2):
        book.page.evaluate("window.jupyterapp.commands.execute('notebook:run-cell-and-select-next')")
    book.page.wait_for_function("document.querySelector('.dk-opponent-style')")
    book.page.wait_for_function("""() => {
      const box = (one) => document.querySelector(one).getBoundingClientRect();
      const around = box('.jp-WindowedPanel-outer');
      return around.top <= box('.dk-question').top && box('.dk-hand').bottom <= around.bottom;
    }""")
    plate, open_hand = (book.table().locator(selector).bounding_box() for selector in (".dk-plate", ".dk-open-hand"))
    assert open_hand["x"] >= plate["x"] + plate["width"]
    tabs.close(book, again=True)
