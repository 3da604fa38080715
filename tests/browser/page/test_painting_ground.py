"""On whatever page a widget stands, it is as light or dark as that page is painted, hides its picture, and says what it shows where somebody waits for that."""

from __future__ import annotations

import pytest
from painted import scene
from painted_exercise import Page, loaded
from painted_tree import ENDING

from durak_widget import Game, analysis, board
from durak_widget.lessons import Pick
from durak_widget.widgets.base_widget import PICTURE_DELAY_CSS

pytestmark = pytest.mark.slow

PAPER = {"white": "light", "#111": "dark", "oklch(0.25 0.02 250)": "dark", "rgba(0, 0, 0, 0.3)": "light", "": "light"}
"""What a page is painted with, and what it then is; one that is painted with nothing is white."""
MARKS = {
    "data-bs-theme='dark'": "dark",
    "data-bs-theme='light'": "light",
    "data-theme='auto'": "light",
    "class='quarto-dark'": "dark",
    "theme='dark'": "dark",
    "style='color-scheme: light dark'": "dark",
    "style='color-scheme: light'": "light",
}
"""What a page says of itself, in a system that is dark, and what it then is."""
ASKED = "Tc", {"of": "9c Jc", "trump": "h"}
INK = """(one) => {
  const [red, green, blue] = getComputedStyle(one).color.match(/[0-9.]+/g).map(Number);
  return 0.3 * red + 0.6 * green + 0.1 * blue;
}"""
"""How light what is written there is, of 255."""


@pytest.fixture(scope="module")
def paper(pages):
    """A page with the bundle of exercises, in a system that is dark."""
    context = pages.context(color_scheme="dark", viewport={"width": 1000, "height": 600})
    yield Page(loaded(context))
    context.close()


@pytest.fixture
def sheet(paper):
    """That page, painted with nothing."""
    paper.page.evaluate("document.body.removeAttribute('style')")
    return paper


def quiz() -> Pick:
    """An exercise."""
    return Pick.beaters(ASKED[0], **ASKED[1])


def test_the_page_is_as_it_is_painted_or_says(sheet):
    """Whatever the system prefers: on white paper dark ink, on dark paper light ink; a veil is no paint. A mark on the page goes before what it looks like; one that leaves it open leaves it to the paint."""
    root = sheet.page.locator(".dk")
    for paper, light in PAPER.items():
        sheet.page.evaluate("(paper) => { document.body.style.background = paper; }", paper)
        sheet.lay(quiz())
        assert root.get_attribute("data-page") == light, paper
        assert (root.evaluate(INK) > 128) == (light == "dark")
    for mark, light in MARKS.items():
        name, _, value = mark.partition("=")
        sheet.page.evaluate("([name, value]) => document.documentElement.setAttribute(name, value)", [name, value.strip("'")])
        sheet.lay(quiz())
        assert root.get_attribute("data-page") == light, mark
        sheet.page.evaluate("(name) => document.documentElement.removeAttribute(name)", name)


def test_the_nearest_paper_counts_and_lies_there_only_when_the_page_does(sheet):
    """A dark card in a white page, into which the host puts the widget after it was made, in a shadow: as some do."""
    sheet.lay(quiz())
    assert sheet.page.locator(".dk").get_attribute("data-page") == "light"
    sheet.page.evaluate(
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
    sheet.page.wait_for_function("document.querySelector('body > div:last-child').shadowRoot.querySelector('.dk').dataset.page === 'dark'")


def test_jupyters_colours_count_only_in_jupyter(blank):
    """A host that is dark, whose widgets brought JupyterLab's light colours: the bar under the felt can be read."""
    blank.page.evaluate(
        "document.documentElement.dataset.bsTheme = 'dark'; document.documentElement.style.setProperty('--jp-ui-font-color2', '#222')"
    )
    try:
        blank.lay(scene(Game(seed=7), 0), theme="auto")
        assert blank.page.locator(".dk-navigation").evaluate(INK) > 150
        blank.page.evaluate("document.body.dataset.jpThemeLight = 'false'")
        blank.page.wait_for_function("document.querySelector('.dk').dataset.jupyter === ''")
        assert blank.page.locator(".dk-navigation").evaluate(INK) < 50
    finally:
        blank.page.evaluate(
            "delete document.body.dataset.jpThemeLight; for (const name of ['data-bs-theme', 'style']) document.documentElement.removeAttribute(name)"
        )


@pytest.mark.parametrize("last", ["widget", pytest.param("picture", marks=pytest.mark.slow)])
def test_a_widget_that_is_put_on_the_page_late_hides_its_picture_then(sheet, last):
    """Solara makes the live page first, and puts it below the picture afterwards, or the picture above it."""
    sheet.lay(quiz())
    sheet.page.evaluate(
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
    sheet.page.wait_for_function("getComputedStyle(document.querySelector('.durak-picture')).display === 'none'")


@pytest.mark.parametrize("waits", [True, False])
def test_an_exercise_says_that_it_is_shown_where_somebody_waits_for_that(sheet, waits):
    """Each answer once; where nobody waits, never."""
    task = quiz()
    sheet.lay(task)
    sheet.page.evaluate("(waits) => { models[0].set('confirm', waits); models[0].set('confirmed_updates', 0); }", waits)
    for given in ("9c", "Jc"):
        task.answer(given)
        sheet.show(task)
        sheet.page.evaluate("new Promise((done) => setTimeout(done))")
    assert sheet.page.evaluate("models[0].get('confirmed_updates')") == (2 if waits else 0)


def test_a_tree_says_that_it_is_shown_and_python_hears_it(board_page):
    """Many changes at once are one; a page that counts is heard."""
    view = board.Tree(analysis.build_tree_from_position(ENDING, open_hands=True), depth=1)
    view.set_trait("confirm", value=True)
    board_page.lay(view)
    board_page.page.evaluate("model.send({ kind: 'toggle', id: 1 })")
    board_page.page.wait_for_function("model.get('confirmed_updates') === 1")
    assert view.confirmed_updates == 1
