"""What the tests of an exercise on a tree or a matrix share: its sheet above, the tree or the matrix below, both joined to Python as a notebook joins them."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from painted import STATIC
from painted_matrix import MatrixBoard
from painted_tree import opened

from durak_widget.exercises.exercise_widget import ExerciseWidget

JUDGED = ":is(.dk-exercise, .dk-board-feedback)"
"""Where it is judged: a question on a tree or a matrix below it, a strategy above its tree."""
LAY = """([values, width]) => {
  window.close_sheet?.();
  const el = document.createElement('div'), heard = new Map();
  el.style.width = `${width}px`;
  document.body.prepend(el);
  window.sheet = { get: (name) => values[name], set: (name, value) => { values[name] = value; heard.get(`change:${name}`)?.(); }, save_changes() {},
    send: (message) => window.asks(message), on: (event, what) => heard.set(event, what), off: (event) => heard.delete(event) };
  window.close_sheet = lesson.render({ model: window.sheet, el });
}"""


class AskedBoard(MatrixBoard):
    """A page in which nothing is but one exercise with its tree or its matrix."""

    quiz: Any = None
    sheet: ExerciseWidget | None = None

    def ask(self, quiz: Any, width: int = 1000) -> None:
        """Show it."""
        self.quiz, self.sheet = quiz, ExerciseWidget(quiz)
        quiz._page = self.sheet
        self.lay(quiz.view, width)
        self.page.evaluate(LAY, [{name: self.sheet.get_state()[name] for name in ("exercise_view", "words", "language")}, width])
        self.rest()

    def answered(self, message: Any) -> None:
        """The sheet sent this."""
        assert self.sheet is not None
        self.sheet.handle_message(message)

    def press(self, name: str) -> None:
        """Press a button of the sheet, and wait for what comes of it."""
        self.page.locator(JUDGED).get_by_role("button", name=name, exact=True).click()
        self.look()

    def look(self) -> None:
        """Let both hear what Python has done."""
        assert self.sheet is not None
        self.page.evaluate(
            "(all) => Object.entries(all).forEach(([name, value]) => sheet.set(name, value))",
            {"words": self.sheet.words, "exercise_view": self.sheet.exercise_view},
        )
        self.tell()

    @property
    def board(self) -> Any:
        """The tree or the matrix."""
        return self.page.locator("body")

    def know(self, expression: str) -> Any:
        """What is known of the exercise, under the name of `quiz`."""
        found = eval(f"lambda quiz: {expression}")(self.quiz)  # noqa: S307 - our own expressions
        self.tell()
        return found

    @property
    def state(self) -> str | None:
        """How it was judged, as the sheet shows it."""
        return self.page.locator(".dk-exercise").get_attribute("data-state")

    @property
    def said(self) -> list[str]:
        """What the sheet says of it."""
        return self.page.locator(JUDGED).locator("[role=status] p").all_inner_texts()


def asked(page: Any) -> AskedBoard:
    """Load both bundles into an empty page."""
    board = opened(page, AskedBoard)
    page.expose_function("asks", board.answered)
    page.add_style_tag(content=(STATIC / "lesson.css").read_text(encoding="utf-8"))
    url = f"data:text/javascript;base64,{b64encode((STATIC / 'lesson.js').read_bytes()).decode()}"
    page.evaluate("async (url) => { window.lesson = (await import(url)).default; }", url)
    return board
