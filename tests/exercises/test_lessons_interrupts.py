"""Test interrupting a function that never ends: a message says so, and nothing changes."""

from __future__ import annotations

import re
import signal

import pytest
from IPython.core.interactiveshell import InteractiveShell

from durak_widget import gametheory, lessons
from durak_widget.exercises.base_exercise import FunctionInterruptedError
from durak_widget.i18n import Translator
from support.spoken import english


def interrupted(view):
    """Raise KeyboardInterrupt, like a function that somebody stops."""
    signal.raise_signal(signal.SIGINT)


def pennies():
    """Return matching pennies: player 2 does not see the first coin."""

    def look(where):
        if len(where) == 2:
            return gametheory.TerminalNode((1, -1) if where[0] == where[1] else (-1, 1))
        return gametheory.DecisionNode(len(where), "a coin", [("heads", where + "h"), ("tails", where + "t")])

    return gametheory.build_tree("", look, player_count=2)


@pytest.mark.parametrize("make", [lambda: lessons.Bot(goal=5, pairs=3), lambda: lessons.Strategy(pennies(), player=0)])
def test_an_interrupt_keeps_the_earlier_answer(make):
    """The message is in the task's language, and the credit is as before."""
    task = make()
    task.language = "lt"
    task.answer("first" if task.kind == "bot" else {0: {"heads": "1"}})
    before = task.last_answer, task.credit
    with pytest.raises(FunctionInterruptedError, match=re.escape(Translator("lt").translate("lesson.stopped"))):
        task.answer(interrupted)
    assert (task.last_answer, task.credit) == before


def test_a_notebook_shows_a_message_after_an_interrupt(capsys):
    """It shows no traceback."""
    shell = InteractiveShell()
    shell.user_ns |= {"task": lessons.Bot(goal=5, pairs=3), "stopped": interrupted}
    done = shell.run_cell("task.answer(stopped)")
    assert isinstance(done.error_in_exec, KeyboardInterrupt)
    assert english("lesson.stopped").match(capsys.readouterr().out.strip())
