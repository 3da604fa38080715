"""Test the button to the next exercise in a notebook whose cells have not all run."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from test_rendered_exercises import lesson_page  # noqa: F401 - a fixture

from durak_widget.i18n import get_front_end_texts
from durak_widget.lessons import Choose
from support.spoken import english_text

pytestmark = pytest.mark.slow

# Turn the exercises into cells of a notebook, with a text cell and a cell to run after the first, and a link to the next lesson at the end.
CELLS = """(count) => {
  const cell = (kind, ...inside) => { const one = document.createElement('div'); one.className = `jp-Cell ${kind}`; one.tabIndex = -1; one.append(...inside); return one; };
  const all = [...document.body.children].map((one) => cell('jp-CodeCell', one));
  const link = document.createElement('p'); link.innerHTML = '<strong>Next: <a href="#04_the_end.ipynb">the end</a></strong>';
  const below = [cell('jp-MarkdownCell', 'text'), cell('jp-CodeCell', 'code')].slice(0, count);
  document.body.replaceChildren(all[0], ...below, ...all.slice(1), cell('jp-MarkdownCell', link));
}"""


def test_the_next_lesson_is_offered_only_after_the_last_task(lesson_page):  # noqa: F811 - the fixture
    """Before, the button leads to the cell below, or to the next task once it is there."""
    first, second = (Choose(name, {"a": "A.", "b": "B."}, right="b") for name in ("One?", "Two?"))
    page = lesson_page.page
    page.evaluate("location.hash = ''")
    lesson_page.mount(first)
    page.evaluate(CELLS, 2)
    first.answer("b")
    lesson_page.show(first)
    lesson_page.button(english_text("screen.onward.below")).click()
    assert page.evaluate("[document.activeElement.className, location.hash]") == ["jp-Cell jp-MarkdownCell", ""]
    page.evaluate(
        """(values) => {
      const el = document.querySelectorAll('.jp-CodeCell')[1];
      close_all.push(lesson.render({ el, model: { get: (name) => values[name], set() {}, save_changes() {}, send() {}, on() {}, off() {} } }));
    }""",
        {"exercise_view": second.view_model(), "words": get_front_end_texts("en")},
    )
    expect(lesson_page.button(english_text("screen.onward"))).to_have_count(1)
    lesson_page.mount(first)
    page.evaluate(CELLS, 1)
    lesson_page.show(first)
    lesson_page.button("Next: the end").click()
    assert page.evaluate("location.hash") == "#04_the_end.ipynb"


def test_the_next_lesson_comes_before_a_later_task(lesson_page):  # noqa: F811 - the fixture
    """A task below the link is for the curious. Its own way on is the link after a colon, not one in the text."""
    page = lesson_page.page
    last, curious = (Choose(name, {"a": "A.", "b": "B."}, right="b") for name in ("One?", "Two?"))
    page.evaluate("location.hash = ''")
    lesson_page.mount(last, curious)
    page.evaluate(CELLS, 0)
    page.evaluate(
        """() => {
      const [first, second, link] = document.querySelectorAll('.jp-Cell');
      second.before(link);
      second.insertAdjacentHTML('afterend', '<p>See <a href="#07_aside.ipynb">an aside</a>.</p><p>Next: <a href="#05_last.ipynb">the last</a></p>');
    }"""
    )
    last.answer("b")
    curious.answer("b")
    lesson_page.show(last)
    lesson_page.show(curious, 1)
    for name, place in (("the end", "#04_the_end.ipynb"), ("the last", "#05_last.ipynb")):
        lesson_page.button(english_text("screen.onward.to", what=name)).click()
        assert page.evaluate("location.hash") == place


def test_a_shown_solution_leads_on_too(lesson_page):  # noqa: F811 - the fixture
    """Nobody has to solve a task to reach the next one."""
    first, second = (Choose(name, {"a": "A.", "b": "B."}, right="b") for name in ("One?", "Two?"))
    lesson_page.mount(first, second)
    first.answer("a")
    lesson_page.show(first)
    expect(lesson_page.button(english_text("screen.onward"))).to_have_count(0)
    first.reveal()
    lesson_page.show(first)
    expect(lesson_page.button(english_text("screen.onward"))).to_have_count(1)


def test_another_open_notebook_is_no_next_step(lesson_page):  # noqa: F811 - the fixture
    """JupyterLab keeps it in the same page. Its tasks, cells and links belong to it."""
    page = lesson_page.page
    first, other = (Choose(name, {"a": "A.", "b": "B."}, right="b") for name in ("One?", "Two?"))
    lesson_page.mount(first, other)
    page.evaluate(CELLS, 0)
    page.evaluate(
        """() => {
      const notebooks = [0, 1].map(() => Object.assign(document.createElement('div'), { className: 'jp-Notebook' }));
      const [own, ...others] = document.body.children;
      notebooks[0].append(own); notebooks[1].append(...others);
      document.body.append(...notebooks);
    }"""
    )
    first.answer("b")
    lesson_page.show(first)
    expect(page.locator(".dk-exercise").first).to_have_attribute("data-state", "right")
    assert page.locator(".dk-next-button:visible").count() == 0
