"""Test exercises outside Jupyter: their widgets, and what marimo shows."""

from __future__ import annotations

import sys
from types import SimpleNamespace

from durak_widget import Table
from durak_widget.exercises.exercise_widget import ExerciseWidget
from durak_widget.exercises.notebook_display import BoardDisplay, TableDisplay
from durak_widget.widgets.base_widget import BaseWidget
from support.asked import ONE_OF_EACH


def test_every_exercise_consists_of_widgets():
    """The page comes first, then table or board. They are made once."""
    for name in sorted(ONE_OF_EACH):
        task = ONE_OF_EACH[name].make()
        page, *below = task.widgets
        assert isinstance(page, ExerciseWidget)
        assert all(isinstance(widget, BaseWidget) for widget in below)
        assert bool(below) == isinstance(task, (TableDisplay, BoardDisplay))
        assert [id(widget) for widget in task.widgets] == [id(widget) for widget in (page, *below)]


def test_marimo_shows_all_widgets(monkeypatch):
    """They are below each other, as the last line of a cell."""
    task = ONE_OF_EACH["OnTree"].make()
    monkeypatch.setitem(sys.modules, "marimo", SimpleNamespace(vstack=lambda all_: ("stacked", *all_)))
    assert task._display_() == ("stacked", *task.widgets)


def test_only_marimo_gets_a_message_about_shown_widgets(monkeypatch):
    """Its cells run again when the page changes. Elsewhere it would be useless."""
    assert not Table(seed=7).confirm
    monkeypatch.setitem(sys.modules, "marimo", SimpleNamespace())
    assert Table(seed=7).confirm
    page = ONE_OF_EACH["OnTree"].make().widgets[0]
    assert page.confirm
    page.set_state({"confirmed_updates": 3, "confirm": False})
    assert (page.confirmed_updates, page.confirm) == (3, True)
