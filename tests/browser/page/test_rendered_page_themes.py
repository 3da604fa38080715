"""Test that widgets follow the page's light or dark theme, hide their pictures, and report when shown."""

from __future__ import annotations

import pytest
from rendered_exercise import ExercisePage, load_exercise_page
from rendered_table import scene
from rendered_tree import ENDING

from durak_widget import Game, analysis, board
from durak_widget.lessons import Pick
from durak_widget.widgets.base_widget import PICTURE_DELAY_CSS

pytestmark = pytest.mark.slow

PAPER = {"white": "light", "#111": "dark", "oklch(0.25 0.02 250)": "dark", "rgba(0, 0, 0, 0.3)": "light", "": "light"}
"""Backgrounds of pages and their theme. A page without a background is white."""
MARKS = {
    "data-bs-theme='dark'": "dark",
    "data-bs-theme='light'": "light",
    "data-theme='auto'": "light",
    "class='quarto-dark'": "dark",
    "theme='dark'": "dark",
    "style='color-scheme: light dark'": "dark",
    "style='color-scheme: light'": "light",
}
"""Markers of pages in a dark system theme, and their theme."""
ASKED = "Tc", {"of": "9c Jc", "trump": "h"}
INK = """(one) => {
  const [red, green, blue] = getComputedStyle(one).color.match(/[0-9.]+/g).map(Number);
  return 0.3 * red + 0.6 * green + 0.1 * blue;
}"""
"""Return the lightness of the text, from 0 to 255."""


@pytest.fixture(scope="module")
def exercise_page(pages):
    """Open a page with the exercise bundle, in a dark system theme."""
    context = pages.context(color_scheme="dark", viewport={"width": 1000, "height": 600})
    yield ExercisePage(load_exercise_page(context))
    context.close()


@pytest.fixture
def blank_exercise_page(exercise_page):
    """Return that page without a background."""
    exercise_page.page.evaluate("document.body.removeAttribute('style')")
    return exercise_page


def make_quiz() -> Pick:
    """Return an exercise."""
    return Pick.beaters(ASKED[0], **ASKED[1])


def test_the_theme_follows_the_page_background_or_marker(blank_exercise_page):
    """Not the system. Transparent layers don't count. An explicit marker of the page wins."""
    root = blank_exercise_page.page.locator(".dk")
    for background, light in PAPER.items():
        blank_exercise_page.page.evaluate("(paper) => { document.body.style.background = paper; }", background)
        blank_exercise_page.mount(make_quiz())
        assert root.get_attribute("data-page") == light, background
        assert (root.evaluate(INK) > 128) == (light == "dark")
    for mark, light in MARKS.items():
        name, _, value = mark.partition("=")
        blank_exercise_page.page.evaluate("([name, value]) => document.documentElement.setAttribute(name, value)", [name, value.strip("'")])
        blank_exercise_page.mount(make_quiz())
        assert root.get_attribute("data-page") == light, mark
        blank_exercise_page.page.evaluate("(name) => document.documentElement.removeAttribute(name)", name)


def test_the_theme_follows_the_nearest_background(blank_exercise_page):
    """A dark card in a white page, in which the widget is put late, in a shadow root."""
    blank_exercise_page.mount(make_quiz())
    assert blank_exercise_page.page.locator(".dk").get_attribute("data-page") == "light"
    blank_exercise_page.page.evaluate(
        """() => {
          const dark = document.createElement("div"), shadow = dark.attachShadow({ mode: "open" }), el = document.createElement("div");
          const values = { exercise_view: models[0].get("exercise_view"), words: models[0].get("words") };
          const model = { get: (name) => values[name], set() {}, save_changes() {}, send() {}, on() {}, off() {} };
          dark.style.background = "#121212";
          window.close_all.push(lesson.render({ model, el }));
          document.body.append(dark);
          shadow.append(el);
        }"""
    )
    blank_exercise_page.page.wait_for_function(
        "document.querySelector('body > div:last-child').shadowRoot.querySelector('.dk').dataset.page === 'dark'"
    )


def test_jupyter_colours_apply_only_in_jupyter(table_page):
    """On a dark host with JupyterLab's light variables, the bar is readable."""
    table_page.page.evaluate(
        "document.documentElement.dataset.bsTheme = 'dark'; document.documentElement.style.setProperty('--jp-ui-font-color2', '#222')"
    )
    try:
        table_page.mount(scene(Game(seed=7), 0), theme="auto")
        assert table_page.page.locator(".dk-navigation").evaluate(INK) > 150
        table_page.page.evaluate("document.body.dataset.jpThemeLight = 'false'")
        table_page.page.wait_for_function("document.querySelector('.dk').dataset.jupyter === ''")
        assert table_page.page.locator(".dk-navigation").evaluate(INK) < 50
    finally:
        table_page.page.evaluate(
            "delete document.body.dataset.jpThemeLight; for (const name of ['data-bs-theme', 'style']) document.documentElement.removeAttribute(name)"
        )


@pytest.mark.parametrize("last", ["widget", pytest.param("picture", marks=pytest.mark.slow)])
def test_a_late_widget_hides_its_picture(blank_exercise_page, last):
    """Solara adds the live widget below or above the picture later."""
    blank_exercise_page.mount(make_quiz())
    blank_exercise_page.page.evaluate(
        """([last, later]) => {
          const el = document.createElement("div"), values = { exercise_view: models[0].get("exercise_view"), words: models[0].get("words") };
          const model = { get: (name) => values[name], set() {}, save_changes() {}, send() {}, on() {}, off() {} };
          document.body.insertAdjacentHTML("beforeend", "<div><div id='above'></div><div id='below'></div></div>");
          const [above, below] = ["above", "below"].map((id) => document.getElementById(id));
          const picture = () => above.innerHTML = `<div class='durak-picture'>${later}<p>A picture.</p></div>`;
          if (last === "picture") below.append(el); else picture();
          window.close_all.push(lesson.render({ model, el }));
          if (last === "picture") picture(); else below.append(el);
        }""",
        [last, PICTURE_DELAY_CSS.replace("2000ms", "20ms")],
    )
    blank_exercise_page.page.wait_for_function("getComputedStyle(document.querySelector('.durak-picture')).display === 'none'")


@pytest.mark.parametrize("waits", [True, False])
def test_an_exercise_reports_that_it_is_shown_if_asked(blank_exercise_page, waits):
    """Each answer once."""
    task = make_quiz()
    blank_exercise_page.mount(task)
    blank_exercise_page.page.evaluate("(waits) => { models[0].set('confirm', waits); models[0].set('confirmed_updates', 0); }", waits)
    for given in ("9c", "Jc"):
        task.answer(given)
        blank_exercise_page.show(task)
        blank_exercise_page.page.evaluate("new Promise((done) => setTimeout(done))")
    assert blank_exercise_page.page.evaluate("models[0].get('confirmed_updates')") == (2 if waits else 0)


def test_a_tree_reports_that_it_is_shown(board_page):
    """Several changes are one report."""
    view = board.Tree(analysis.build_tree_from_position(ENDING, open_hands=True), depth=1)
    view.set_trait("confirm", value=True)
    board_page.mount(view)
    board_page.page.evaluate("model.send({ kind: 'toggle', id: 1 })")
    board_page.page.wait_for_function("model.get('confirmed_updates') === 1")
    assert view.confirmed_updates == 1
