"""Render exercises without a notebook."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from rendered_table import STATIC

from durak_widget.i18n import get_front_end_texts

LAY = """([all, width]) => {
  window.close_all?.forEach((close) => close());
  document.body.replaceChildren();
  window.sent = [];
  window.models = all.map((values) => {
    const el = document.createElement('div'), heard = new Map();
    el.style.width = `${width}px`;
    document.body.append(el);
    const model = { get: (name) => values[name], set: (name, value) => { values[name] = value; heard.get(`change:${name}`)?.(); }, save_changes() {},
      send: (message) => window.sent.push(message), on: (event, what) => heard.set(event, what), off: (event) => heard.delete(event) };
    (window.close_all ??= []).push(lesson.render({ model, el }));
    return model;
  });
}"""


class ExercisePage:
    """A page with exercises."""

    def __init__(self, page) -> None:
        self.page = page

    def mount(self, *tasks: Any, width: int = 900) -> None:
        """Show these exercises."""
        self.page.evaluate(
            LAY, [[{"exercise_view": task.view_model(), "words": get_front_end_texts(task.language)} for task in tasks], width]
        )

    def show(self, task: Any, n: int = 0) -> None:
        """Send the page the state of an exercise."""
        self.page.evaluate("([n, sheet]) => models[n].set('exercise_view', sheet)", [n, task.view_model()])

    def sent(self) -> list[Any]:
        """Return the messages since the last call."""
        return self.page.evaluate("sent.splice(0)")

    def button(self, name: str):
        """Return a button by its name."""
        return self.page.get_by_role("button", name=name, exact=True)


def load_exercise_page(context: Any) -> Any:
    """Load the bundle into a new page."""
    page = context.new_page()
    page.set_content("<!doctype html><body></body>")
    page.add_style_tag(content=(STATIC / "lesson.css").read_text(encoding="utf-8"))
    url = f"data:text/javascript;base64,{b64encode((STATIC / 'lesson.js').read_bytes()).decode()}"
    page.evaluate("async (url) => { window.lesson = (await import(url)).default; }", url)
    return page
