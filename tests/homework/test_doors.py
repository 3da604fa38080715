"""Nothing graded has a door to its answer: every door of every kept form is opened, and nobody works out an answer, or looks at one, meanwhile."""

from __future__ import annotations

import pytest

from durak_widget import lessons
from durak_widget.exercises.blackboard_exercise import OnBoard
from durak_widget.exercises.exercise_widget import ExercisePage
from durak_widget.homework.assignment import get
from durak_widget.widgets.base_widget import Door
from support.classroom_kinds import ASSIGNMENT
from support.doors import DOORS, House, Spy, import_everything, messages, state_of
from support.keyless import Counted, Keyless, keys_of, uncovered

ECON = get("econ431")
IN_ECON = ("beat-or-take", "bot", "no-exploit", "strategic-form")
"""Questions of the problem set whose widgets no small question has."""
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


def opened(task, monkeypatch, **which) -> Spy:
    """All its doors, under the ears of a spy, whose keys nobody may look at."""
    house, spy = House(), Spy()
    with house.watched(monkeypatch), spy:
        task._ipython_display_()
        house.told += map(state_of, house.widgets)
        house.open(**which)
    assert len(house.widgets) > 0
    assert uncovered(house.told) == []
    return spy


def kept(which, name):
    """A question as it is graded, whose keys nobody may look at."""
    task = lessons.homework(which, student="Ann", folder=None)[name]
    for where, key in keys_of(task):
        name = f"{type(where).__name__}.{key}"
        setattr(where, key, Counted(name, len(getattr(where, key))) if name == "Position._solution" else Keyless(name))
    return task


@pytest.mark.parametrize(
    ("which", "name"),
    [
        pytest.param(which, name, id=f"{which.name}-{name}", marks=[pytest.mark.slow] if number % 6 else [])
        for number, (which, name) in enumerate(KEPT)
    ],
)
def test_no_door_of_what_is_graded_leads_to_an_answer(which, name, monkeypatch):
    """Whatever a page may say to whatever widget it brings, tables beside trees too: no solver, adviser or bot is asked, and no key is looked at."""
    assert opened(kept(which, name), monkeypatch).heard == set()


@pytest.mark.parametrize(("which", "name"), ON_BOARDS, ids=map("-".join, ON_BOARDS))
def test_no_board_of_a_lesson_answers_what_is_asked_on_it(which, name, monkeypatch):
    """Only its page does, which judges and shows the solution; the tree, the matrix and the table beside them say no more than where it is graded."""
    task = (ASSIGNMENT if which == "all-kinds" else ECON).task(name, "Ann")
    monkeypatch.setattr(OnBoard, "_fingerprint", lambda _: "")  # which hangs on the answer, and tells nobody what it is
    assert opened(task, monkeypatch, but=(ExercisePage,)).heard == set()


def test_a_table_beside_what_is_asked_helps_nobody(monkeypatch):
    """Its hint says what the tree says; nobody else sits down, no other game is laid; once it is answered all of that may be."""
    task = ECON.task("beat-or-take", "Ann")
    view = task.view
    view.hear({"kind": "table", "id": 0})
    table, said = view.table, []
    monkeypatch.setattr(table, "_session", table._session)
    begun, ply = table.game, table.game.ply

    def says(kind, **more):
        table._hear(table, {"kind": kind, "game": table.scene["game"], "ply": table.scene["ply"], **more}, [])
        said.append(table.scene.get("note", {}).get("said", [""])[0])
        return said[-1]

    for _ in range(2):
        assert says("hint") == "Something is asked here: answer it first."
    assert table.hint() is None
    says("seat", seat=0, who="careful")
    says("deal", draft={"seats": ["you", "careful"]})
    says("paste", text=str(begun))
    assert (table.game, table.players) == (begun, ("you", "you"))
    table.play(table.game.legal_moves()[0])
    assert view.at > 0
    says("new")
    assert (table.game.ply, view.at) == (ply, 0)
    task.reveal()
    assert says("hint").startswith(("Hint", "You "))
    assert table.hint() is not None
    task.again()
    assert says("hint") == "Something is asked here: answer it first."


def widgets(kind):
    """Every class of ours whose widgets are made: what only several of them share is none."""
    under = [one for one in kind.__subclasses__() if one.__module__.startswith("durak_widget.")]
    return [leaf for one in under for leaf in widgets(one)] if under else [kind]


def test_a_door_that_is_new_fails_by_its_name():
    """Every widget of ours says which messages it hears, and of each the test knows how it is said."""
    import_everything()

    class OfATest(ExercisePage):
        """Other tests have such a class too: it is none of ours."""

    ours = widgets(Door)
    assert {one.__name__ for one in ours} == DOORS.keys()
    for one in ours:
        assert set(one.kinds) == DOORS[one.__name__].keys()
    page = ExercisePage(lessons.Pick("Which?", "7c 8c", "7c"))
    page.kinds = (*page.kinds, "peek")
    with pytest.raises(AssertionError, match="ExercisePage hears 'peek'"):
        messages(page, "peek")
