"""The page's door: what a page may change, that every message is answered, and that what is closed is gone."""

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

DILEMMA = [[(3, 3), (0, 5)], [(5, 0), (1, 1)]]
SHOWN = {
    "table": lambda **look: Table(seed=1, **look),
    "tree": lambda **look: board.Tree(analysis.build_game_tree("econ431, ranks=67, suits=cd, hand_size=1", dealer=1), **look),
    "matrix": lambda **look: board.Matrix(DILEMMA, **look),
}
MAKERS = {"table": lambda: Table(seed=1), "exercise": lambda: ExerciseWidget(Choose("?", {"a": "", "b": ""}, right="a"))}


@pytest.mark.slow
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_what_is_closed_is_gone(make) -> None:
    """Of some closed widgets none is kept alive, with the games that it has seen."""
    kept = []
    for _ in range(10):
        widget = make()
        kept.append(weakref.ref(widget))
        widget.close()
        del widget
    gc.collect()
    assert sum(ref() is not None for ref in kept) == 0


@pytest.mark.slow
@pytest.mark.parametrize(("asked", "watched"), [(None, False), ("1", True)])
def test_the_bundle_is_watched_only_while_it_is_written(asked: str | None, watched: bool) -> None:  # noqa: FBT001 - a table of cases
    """The front end is the text of its file; with `ANYWIDGET_HMR=1` the file is watched."""
    code = "from durak_widget import Table; print('str' if isinstance(Table._esm, str) else type(Table._esm).__name__, len(str(Table._esm)) > 1000)"
    env = {name: value for name, value in os.environ.items() if name != "ANYWIDGET_HMR"} | ({"ANYWIDGET_HMR": asked} if asked else {})
    said = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
    assert said.split() == ["FileContents" if watched else "str", "True"]


def test_what_is_not_built_is_said() -> None:
    """A file of the bundle that is missing is named, and what makes it."""
    with pytest.raises(DurakError, match=r"nothing\.js is missing.*make frontend"):
        base_widget.load_front_end_file("nothing.js")


class Loud(BaseWidget):
    """A widget that fails at every message."""

    def __init__(self) -> None:
        super().__init__()
        self.errors: list[Exception] = []

    def handle_message(self, message: object) -> None:
        """It does not understand."""
        raise LookupError(message)

    def report_error(self, error: Exception) -> None:
        """It says so."""
        self.errors.append(error)


def test_every_message_is_answered() -> None:
    """Whatever following it raises."""
    loud = Loud()
    for message in (None, 7, {"kind": "move"}, [[]]):
        loud._handle_custom_msg(message, [])
    assert [error.args for error in loud.errors] == [(None,), (7,), ({"kind": "move"},), ([[]],)]


def test_somebody_elses_error_is_told_to_the_page_of_an_exercise_by_its_class() -> None:
    """What it says may be the answer."""

    class Wrong(Choose):
        def answer(self, answer: object):  # noqa: ARG002 - it fails whatever is answered
            raise LookupError("it is b")

    page, told = ExerciseWidget(Wrong("?", {"a": "", "b": ""}, right="b")), []
    page.send = told.append
    for given in (["a"], "a"):
        page._handle_custom_msg({"kind": "answer", "given": given}, [])
    assert told[0] == {"kind": "error", "said": "That did not work: LookupError."}
    assert told[1]["said"].startswith("the exercise does not know what is meant by {'kind': 'answer', 'given': 'a'}")


def test_a_layout_is_taken_as_by_every_widget() -> None:
    """A dict or a `Layout`, which also what is displayed beside it leaves as it is; what is none is refused in a sentence, before anything is begun."""
    for make in SHOWN.values():
        for layout in ({"width": "400px"}, Layout(width="400px")):
            shown = make(layout=layout)
            shown._repr_mimebundle_()
            if hasattr(shown, "_table_panel"):
                shown._table_panel.build_live_bundle()
            assert (shown.layout.width, shown.layout.flex) == ("400px", None)
        for wrong, said in {
            "400px": r"layout='400px': layout takes a Layout of ipywidgets or a dict, such as \{'width': '400px'\}",
            ("widht",): "layout takes a Layout of ipywidgets or a dict",
        }.items():
            with pytest.raises(DurakError, match=said):
                make(layout=wrong)
        with pytest.raises(DurakError, match=r"layout has no 'widht'\. Did you mean 'width'\?"):
            make(layout={"widht": "400px"})
        with pytest.raises(DurakError, match=r"layout takes width as CSS writes it, such as '400px', not 400"):
            make(layout={"width": 400})
