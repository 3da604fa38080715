"""Render an exercise with its tree or matrix, joined to Python as in a notebook."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from rendered_matrix import MatrixPage
from rendered_table import STATIC
from rendered_tree import load_tree_page

from durak_widget.exercises.exercise_widget import ExerciseWidget

JUDGED = ":is(.dk-exercise, .dk-board-feedback)"
"""Where the feedback is: below a tree or a matrix, but above the tree of a strategy question."""
LAY = """([values, width]) => {
  window.close_sheet?.();
  const el = document.createElement('div'), heard = new Map();
  el.style.width = `${width}px`;
  document.body.prepend(el);
  window.sheet = { get: (name) => values[name], set: (name, value) => { values[name] = value; heard.get(`change:${name}`)?.(); }, save_changes() {},
    send: (message) => window.asks(message), on: (event, what) => heard.set(event, what), off: (event) => heard.delete(event) };
  window.close_sheet = lesson.render({ model: window.sheet, el });
}"""


class BoardExercisePage(MatrixPage):
    """A page with one exercise and its tree or matrix."""

    quiz: Any = None
    sheet: ExerciseWidget | None = None

    def ask(self, quiz: Any, width: int = 1000) -> None:
        """Show an exercise."""
        self.quiz, self.sheet = quiz, ExerciseWidget(quiz)
        quiz._page = self.sheet
        self.mount(quiz.view, width)
        self.page.evaluate(LAY, [{name: self.sheet.get_state()[name] for name in ("exercise_view", "words", "language")}, width])
        self.rest()

    def answered(self, message: Any) -> None:
        """Return whether the exercise sent this message."""
        assert self.sheet is not None
        self.sheet.handle_message(message)

    def press(self, name: str) -> None:
        """Press a button of the exercise and wait for the result."""
        self.page.locator(JUDGED).get_by_role("button", name=name, exact=True).click()
        self.look()

    def look(self) -> None:
        """Send both widgets what Python has changed."""
        assert self.sheet is not None
        self.page.evaluate(
            "(all) => Object.entries(all).forEach(([name, value]) => sheet.set(name, value))",
            {"words": self.sheet.words, "exercise_view": self.sheet.exercise_view},
        )
        self.sync()

    @property
    def board(self) -> Any:
        """Return the tree or matrix."""
        return self.page.locator("body")

    def know(self, expression: str) -> Any:
        """Return a value from Python, where the exercise is called `quiz`."""
        found = eval(f"lambda quiz: {expression}")(self.quiz)  # noqa: S307 - our own expressions
        self.sync()
        return found

    @property
    def state(self) -> str | None:
        """Return the state that the exercise shows."""
        return self.page.locator(".dk-exercise").get_attribute("data-state")

    @property
    def said(self) -> list[str]:
        """Return the feedback that the exercise shows."""
        return self.page.locator(JUDGED).locator("[role=status] p").all_inner_texts()


def load_board_exercise_page(page: Any) -> BoardExercisePage:
    """Load both bundles into an empty page."""
    board = load_tree_page(page, BoardExercisePage)
    page.expose_function("asks", board.answered)
    page.add_style_tag(content=(STATIC / "lesson.css").read_text(encoding="utf-8"))
    url = f"data:text/javascript;base64,{b64encode((STATIC / 'lesson.js').read_bytes()).decode()}"
    page.evaluate("async (url) => { window.lesson = (await import(url)).default; }", url)
    return board
