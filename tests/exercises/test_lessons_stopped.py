"""A function that never ends is stopped by whoever runs it: a sentence says so, and nothing has changed."""

from __future__ import annotations

import signal

import pytest
from IPython.core.interactiveshell import InteractiveShell

from durak_widget import gametheory, lessons
from durak_widget.exercises.base_exercise import FunctionInterruptedError


def stopped(view):
    """What a function is in which somebody presses the square."""
    signal.raise_signal(signal.SIGINT)


def pennies():
    """Two coins, of which the second player does not see the first."""

    def look(where):
        if len(where) == 2:
            return gametheory.TerminalNode((1, -1) if where[0] == where[1] else (-1, 1))
        return gametheory.DecisionNode(len(where), "a coin", [("heads", where + "h"), ("tails", where + "t")])

    return gametheory.build_tree("", look, player_count=2)


@pytest.mark.parametrize("make", [lambda: lessons.Bot(goal=5, pairs=3), lambda: lessons.Strategy(pennies(), player=0)])
def test_what_was_answered_before_stands(make):
    """An interrupt while a function chooses is told in a sentence of the task's language; the answer and its worth are those from before."""
    task = make()
    task.language = "lt"
    task.answer("first" if task.kind == "bot" else {0: {"heads": "1"}})
    before = task.last_answer, task.credit
    with pytest.raises(FunctionInterruptedError, match="Jūsų funkcija buvo sustabdyta"):
        task.answer(stopped)
    assert (task.last_answer, task.credit) == before


def test_a_notebook_shows_a_sentence(capsys):
    """Whoever presses the square reads one sentence and no traceback."""
    shell = InteractiveShell()
    shell.user_ns |= {"task": lessons.Bot(goal=5, pairs=3), "stopped": stopped}
    done = shell.run_cell("task.answer(stopped)")
    assert isinstance(done.error_in_exec, KeyboardInterrupt)
    assert capsys.readouterr().out.strip().startswith("Your function was stopped while it was choosing, and nothing was judged.")
