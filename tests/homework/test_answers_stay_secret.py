"""No page of homework can find out an answer: whatever it sends, no solver runs and no key is read."""

from __future__ import annotations

import pytest

from durak_widget import lessons
from durak_widget.exercises.blackboard_exercise import BoardExercise
from durak_widget.exercises.exercise_widget import ExerciseWidget
from durak_widget.homework.assignment import get_assignment
from durak_widget.widgets.base_widget import BaseWidget
from support.classroom_kinds import ASSIGNMENT
from support.keyless import CountableKey, Keyless, keys_of, revealed_payoffs
from support.solver_spy import SolverSpy, import_everything
from support.spoken import english_text
from support.widget_messages import MESSAGES, WidgetLog, messages, state_of

ECON = get_assignment("econ431")
IN_ECON = ("beat-or-take", "bot", "no-exploit", "strategic-form")
"""Questions of the problem set with widgets that no small question has."""
KEPT = [
    (which, question.name)
    for which in (ASSIGNMENT, ECON)
    for question in which.questions
    if which is ASSIGNMENT or question.name in IN_ECON
]
ON_BOARDS = [
    *(("all-kinds", name) for name in ("values", "path", "sets", "fill", "strike", "best")),
    *(("econ431", question.name) for question in ECON.questions if question.kind in ("tree", "matrix") and question.name in IN_ECON),
]


def solvers_heard(task, monkeypatch, **which) -> set[str]:
    """Show a task and use all its widgets; return the solvers that ran. Check that no payoff that is asked for was sent."""
    log, spy = WidgetLog(), SolverSpy()
    with log.watch(monkeypatch), spy:
        task._ipython_display_()
        log.sent += map(state_of, log.widgets)
        log.use_everything(**which)
    assert len(log.widgets) > 0
    assert revealed_payoffs(log.sent) == []
    return spy.heard


def kept_question(which, name):
    """Return a question as it is graded; it fails if anything reads its key."""
    task = lessons.homework(which, student="Ann", folder=None)[name]
    for where, key in keys_of(task):
        name = f"{type(where).__name__}.{key}"
        setattr(where, key, CountableKey(name, len(getattr(where, key))) if name == "Position._solution" else Keyless(name))
    return task


@pytest.mark.parametrize(
    ("which", "name"),
    [
        pytest.param(which, name, id=f"{which.name}-{name}", marks=[pytest.mark.slow] if number % 6 else [])
        for number, (which, name) in enumerate(KEPT)
    ],
)
def test_no_message_to_graded_work_reveals_an_answer(which, name, monkeypatch):
    """The page sends anything to any widget, also to tables beside trees: no solver, adviser or bot runs, and no key is read."""
    assert solvers_heard(kept_question(which, name), monkeypatch) == set()


@pytest.mark.parametrize(("which", "name"), ON_BOARDS, ids=map("-".join, ON_BOARDS))
def test_boards_of_a_lesson_do_not_reveal_the_answer(which, name, monkeypatch):
    """Only the page judges and shows the solution. The tree, the matrix and the table say no more than in graded work."""
    task = (ASSIGNMENT if which == "all-kinds" else ECON).create_exercise(name, "Ann")
    monkeypatch.setattr(BoardExercise, "_fingerprint", lambda _: "")  # it depends on the answer, but does not reveal it
    assert solvers_heard(task, monkeypatch, but=(ExerciseWidget,)) == set()


def test_a_table_beside_a_question_gives_no_help(monkeypatch):
    """Its hint refers to the tree, players can't change, and no other game is loaded. After the answer all this works."""
    task = ECON.create_exercise("beat-or-take", "Ann")
    view = task.view
    view.handle_message({"kind": "open_table", "id": 0})
    table, notes = view.table, []
    monkeypatch.setattr(table, "_session", table._session)
    begun, ply = table.game, table.game.ply

    def says(kind, **more):
        table._receive_message(table, {"kind": kind, "game": table.scene["game"], "ply": table.scene["ply"], **more}, [])
        notes.append(table.scene.get("note", {}).get("text", [""])[0])
        return notes[-1]

    for _ in range(2):
        assert says("hint") == english_text("board.refused.asked")
    assert table.hint() is None
    says("seat_player", seat=0, player="careful")
    says("deal", draft={"seats": ["you", "careful"]})
    says("open_text", text=str(begun))
    assert (table.game, table.players) == (begun, ("you", "you"))
    table.play(table.game.legal_moves()[0])
    assert view.current_node > 0
    says("new_game")
    assert (table.game.ply, view.current_node) == (ply, 0)
    task.reveal()
    assert says("hint")
    assert table.hint() is not None
    task.restart()
    assert says("hint") == english_text("board.refused.asked")


def widgets(kind):
    """Return the widget classes of the package that have no subclass in it."""
    subclasses = [subclass for subclass in kind.__subclasses__() if subclass.__module__.startswith("durak_widget.")]
    return [leaf for subclass in subclasses for leaf in widgets(subclass)] if subclasses else [kind]


def test_a_new_kind_of_message_fails_with_its_name():
    """Every widget lists the kinds of messages that it takes, and the tests have contents for each."""
    import_everything()

    class OfATest(ExerciseWidget):
        """A class of a test, not of the package."""

    ours = widgets(BaseWidget)
    assert {widget.__name__ for widget in ours} == MESSAGES.keys()
    for widget in ours:
        assert set(widget.message_kinds) == MESSAGES[widget.__name__].keys()
    page = ExerciseWidget(lessons.Pick("Which?", "7c 8c", "7c"))
    page.message_kinds = (*page.message_kinds, "peek")
    with pytest.raises(AssertionError, match="ExerciseWidget takes messages of the kind 'peek'"):
        messages(page, "peek")
