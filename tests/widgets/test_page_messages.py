"""Test messages from the page to widgets: allowed changes, answers to every message, and closing."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import weakref

import pytest
from ipywidgets import Layout

from durak_widget import DurakError, Table, analysis, board
from durak_widget.exercises.exercise_widget import ExerciseWidget
from durak_widget.lessons import Choose
from durak_widget.widgets import base_widget
from durak_widget.widgets.base_widget import BaseWidget
from support.spoken import english_text

DILEMMA = [[(3, 3), (0, 5)], [(5, 0), (1, 1)]]
SHOWN = {
    "table": lambda **look: Table(seed=1, **look),
    "tree": lambda **look: board.Tree(analysis.build_game_tree("econ431, ranks=67, suits=cd, hand_size=1", dealer=1), **look),
    "matrix": lambda **look: board.Matrix(DILEMMA, **look),
}
MAKERS = {"table": lambda: Table(seed=1), "exercise": lambda: ExerciseWidget(Choose("?", {"a": "", "b": ""}, right="a"))}


@pytest.mark.slow
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_closed_widgets_are_garbage_collected(make) -> None:
    """Their games are too."""
    references = []
    for _ in range(10):
        widget = make()
        references.append(weakref.ref(widget))
        widget.close()
        del widget
    gc.collect()
    assert sum(ref() is not None for ref in references) == 0


@pytest.mark.slow
@pytest.mark.parametrize(("setting", "watched"), [(None, False), ("1", True)])
def test_the_bundle_is_watched_only_in_development(setting: str | None, watched: bool) -> None:  # noqa: FBT001 - a table of cases
    """The front end is the text of its file; with `ANYWIDGET_HMR=1` the file is watched."""
    code = "from durak_widget import Table; print('str' if isinstance(Table._esm, str) else type(Table._esm).__name__, len(str(Table._esm)) > 1000)"
    env = {name: value for name, value in os.environ.items() if name != "ANYWIDGET_HMR"} | ({"ANYWIDGET_HMR": setting} if setting else {})
    output = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
    assert output.split() == ["FileContents" if watched else "str", "True"]


def test_a_missing_bundle_is_reported() -> None:
    """The message names the file and the command that builds it."""
    with pytest.raises(DurakError, match=r"nothing\.js is missing.*make frontend"):
        base_widget.load_front_end_file("nothing.js")


class FailingWidget(BaseWidget):
    """A widget that fails at every message."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: list[Exception] = []

    def handle_message(self, message: object) -> None:
        """Raise the error."""
        raise LookupError(message)

    def report_error(self, error: Exception) -> None:
        """Note the error."""
        self.errors.append(error)


def test_every_message_is_answered() -> None:
    """Any exception of its handler is reported."""
    loud = FailingWidget()
    for message in (None, 7, {"kind": "move"}, [[]]):
        loud._handle_custom_msg(message, [])
    assert [error.args for error in loud.errors] == [(None,), (7,), ({"kind": "move"},), ([[]],)]


def test_foreign_errors_reach_an_exercise_page_by_class_only() -> None:
    """Their text may be the answer."""

    class Wrong(Choose):
        def answer(self, answer: object):  # noqa: ARG002 - it fails whatever is answered
            raise LookupError("it is b")

    page, messages = ExerciseWidget(Wrong("?", {"a": "", "b": ""}, right="b")), []
    page.send = messages.append
    for given in (["a"], "a"):
        page._handle_custom_msg({"kind": "answer", "answer": given}, [])
    assert messages[0] == {"kind": "error", "text": english_text("table.failed", why="LookupError")}
    assert messages[1]["text"].startswith("the exercise does not")


def test_every_widget_accepts_a_layout() -> None:
    """A dict or a `Layout` is not changed. Other values are refused before anything starts."""
    for make in SHOWN.values():
        for layout in ({"width": "400px"}, Layout(width="400px")):
            displayed = make(layout=layout)
            displayed._repr_mimebundle_()
            if hasattr(displayed, "_table_panel"):
                displayed._table_panel.build_live_bundle()
            assert (displayed.layout.width, displayed.layout.flex) == ("400px", None)
        for wrong, sentence in {
            "400px": "layout .*'400px'",
            ("widht",): "Layout",
        }.items():
            with pytest.raises(DurakError, match=sentence):
                make(layout=wrong)
        with pytest.raises(DurakError, match=r"layout has no 'widht'\. Did you mean 'width'\?"):
            make(layout={"widht": "400px"})
        with pytest.raises(DurakError, match=r"CSS.*'400px', not 400"):
            make(layout={"width": 400})
