"""Test what every kind of exercise must have: Python, page, languages and docs."""

from __future__ import annotations

import inspect
import json
import pkgutil
import re
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from durak_widget import exercises, lessons
from durak_widget.errors import DurakError
from durak_widget.exercises.base_exercise import Task, find_exercise_class
from durak_widget.exercises.exercise import Exercise
from durak_widget.exercises.notebook_display import NotebookDisplay
from durak_widget.grading.answer_grading import compute_credit
from durak_widget.homework.exercise_snapshot import snapshot_from_dict as paper_from
from durak_widget.homework.exercise_snapshot import snapshot_to_dict as plain_paper
from durak_widget.homework.keyless_exercise import remove_key
from durak_widget.i18n import LANGUAGES, get_language
from support.asked import ONE_OF_EACH
from support.classroom_kinds import KINDS as KINDS_AT_HOME
from support.spoken import english_text

ROOT = Path(__file__).resolve().parents[2]
KINDS = ROOT / "durak_widget" / "frontend" / "src" / "exercise" / "exercise-kinds.ts"
DOCS = ROOT / "docs" / "exercise-types.md"


PUBLIC = {"BotExercise": "Bot", "StrategyExercise": "Strategy"}
"""Names in `lessons` of classes with a longer name in their module."""


def concrete() -> dict[str, type[NotebookDisplay]]:
    """Return every class of lessons that can be shown, by name."""
    for package in (exercises, lessons):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    queue, found = [NotebookDisplay], {}
    while queue:
        kind = queue.pop()
        queue += kind.__subclasses__()
        is_of_learn_page = kind.__module__ == "durak_widget.lessons.first_steps"  # Not for notebooks
        packages = ("durak_widget.exercises.", "durak_widget.lessons.")
        if not inspect.isabstract(kind) and kind.__module__.startswith(packages) and not is_of_learn_page:
            found[PUBLIC.get(kind.__name__, kind.__name__)] = kind
    return found


EVERY = concrete()
SEVERAL = {"Daily", "MyEndings"}
"""Kinds with several questions; they have their own tests."""
HOMEWORK = sorted(name for name, kind in EVERY.items() if issubclass(kind, Task) and name not in SEVERAL)
"""Kinds that can be homework."""
ASKED = [name for name in ONE_OF_EACH if name in EVERY and hasattr(EVERY[name], "solution") and name not in SEVERAL]
"""Kinds with a right answer."""
OPEN = [name for name in ASKED if ONE_OF_EACH[name].other]
SHOWN = sorted(EVERY.keys() & ONE_OF_EACH.keys())


def test_every_kind_is_public_and_documented() -> None:
    """It is a name of `lessons` with an example, is in the docs, and has an example for these tests."""
    for name in sorted(EVERY):
        assert name in lessons.__all__, f"durak_widget/lessons/__init__.py imports no {name}"
        assert getattr(lessons, name) is EVERY[name]
        assert ">>>" in (EVERY[name].__doc__ or ""), f"the docstring of {name} shows no example"
        assert re.search(rf"`(lessons\.)?{name}\b", DOCS.read_text(encoding="utf-8")), f"docs/exercise-types.md has no line on {name}"
        assert name in ONE_OF_EACH, f"tests/support/asked.py has no example of {name}: add one to ONE_OF_EACH"


def test_every_example_is_of_an_existing_kind() -> None:
    """Each has a wrong answer, and another right one that could be told apart."""
    assert ONE_OF_EACH.keys() <= EVERY.keys()
    for name in ASKED:
        assert ONE_OF_EACH[name].wrong is not None, f"the example of {name} has no wrong answer"
        assert ONE_OF_EACH[name].other or not issubclass(EVERY[name], Exercise), f"the example of {name} has no other right answer"


# On the page


def kinds_in_the_front_end() -> set[str]:
    """Return the names in the front end's table."""
    table = re.search(r"^export const KINDS = \{\n(.*?)^\}", KINDS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert table is not None
    return set(re.findall(r"^  (\w+): ", table[1], re.MULTILINE))


def test_the_page_has_every_kind_with_instructions() -> None:
    """Its table has a record, and the texts have a sentence."""
    for code in LANGUAGES:
        for name in SHOWN:
            kind = ONE_OF_EACH[name].make().view_model()["kind"]
            assert kind in kinds_in_the_front_end(), f"KINDS in {KINDS.name} has no record of {kind}"
            assert get_language(code).sentences.get(f"screen.how.{kind}"), f"durak_widget/i18n/{code}.py does not say screen.how.{kind}"


def test_the_page_has_no_unused_kind() -> None:
    """The texts have none either."""
    kinds = {ONE_OF_EACH[name].make().view_model()["kind"] for name in ONE_OF_EACH}
    documented = {key.removeprefix("screen.how.") for key in get_language("en").sentences if key.startswith("screen.how.")}
    assert kinds_in_the_front_end() == documented == kinds


def test_a_sheet_matches_the_front_end_type() -> None:
    """It has plain values under the type's names, with all required fields."""
    for name in SHOWN:
        sheet = ONE_OF_EACH[name].make().view_model()
        assert json.loads(json.dumps(sheet)) == sheet
        typed = re.search(r"^export interface ExerciseData \{\n(.*?)^\}", KINDS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        assert typed is not None
        fields = dict(re.findall(r"^  readonly (\w+)(\??):", typed[1], re.MULTILINE))
        assert {field for field, may in fields.items() if not may} <= sheet.keys() <= fields.keys()


# What each kind does


def test_answering_with_the_solution_solves_every_exercise() -> None:
    """Earlier answers do not matter."""
    for name in ASKED:
        quiz = ONE_OF_EACH[name].make()
        assert quiz.answer(quiz.solution).sentences[0] == "Right."
        assert quiz.check()
        assert quiz.view_model()["state"] == "right"


def test_wrong_answers_are_explained_in_every_language() -> None:
    """The page shows the same text, in that language."""
    for code in LANGUAGES:
        for name in ASKED:
            quiz = ONE_OF_EACH[name].make(code)
            verdict = quiz.answer(ONE_OF_EACH[name].wrong)
            assert not verdict
            assert not quiz.check()
            assert verdict.sentences[0] == get_language(code).sentences["lesson.not_yet"]
            assert len(verdict.sentences) > 1
            assert all(line and not re.search(r"[{}]|\blesson\.|\brefusal\.", line) for line in verdict.sentences)
            assert quiz.view_model()["feedback"] == list(verdict.sentences)


def test_starting_again_restores_the_sheet() -> None:
    """Nothing is left of earlier answers."""
    for name in ASKED:
        quiz = ONE_OF_EACH[name].make()
        before = quiz.view_model()
        quiz.answer(ONE_OF_EACH[name].wrong)
        assert quiz.view_model() != before
        quiz.restart()
        assert quiz.view_model() == before


def test_a_shown_solution_does_not_count_for_any_kind() -> None:
    """The verdict says that it is the solution."""
    for name in ASKED:
        quiz = ONE_OF_EACH[name].make()
        assert quiz.reveal().startswith(english_text("lesson.solution"))
        assert not quiz.check()
        assert quiz.view_model()["state"] == "shown"


FINGERPRINT = re.compile(r' data-answer="\w+"')


def test_stored_output_does_not_reveal_the_answer() -> None:
    """With another right answer only the fingerprint differs."""
    for name in OPEN:
        first, other = (
            ONE_OF_EACH[name].make().static_mimebundle(),
            ONE_OF_EACH[name].make(code=ONE_OF_EACH[name].other).static_mimebundle(),
        )
        assert {kind: FINGERPRINT.sub("", data) for kind, data in first.items()} == {
            kind: FINGERPRINT.sub("", data) for kind, data in other.items()
        }
        assert first != other or not issubclass(EVERY[name], Exercise)


def test_stored_output_does_not_depend_on_answers() -> None:
    """It is the question, before and after."""
    for name in ASKED:
        quiz = ONE_OF_EACH[name].make()
        before = quiz.static_mimebundle()
        quiz.answer(ONE_OF_EACH[name].wrong)
        assert quiz.static_mimebundle() == before
        quiz.reveal()
        assert quiz.static_mimebundle() == before


def test_every_kind_has_a_static_form() -> None:
    """It is a picture, and a text that starts with the question."""
    for code in LANGUAGES:
        for name in SHOWN:
            exercise = ONE_OF_EACH[name].make(code)
            static = exercise.static_mimebundle()
            assert static.keys() == {"text/html", "text/plain"}
            assert static["text/plain"].startswith(str(exercise.view_model()["question"]))


# What homework needs of each kind

TASKS = [name for name in HOMEWORK if name in ONE_OF_EACH]


def test_every_kind_reports_credit_and_mistakes() -> None:
    """Unanswered is nothing, wrong is less than all, right is all without a mistake."""
    for name in TASKS:
        task, example = ONE_OF_EACH[name].make(), ONE_OF_EACH[name]
        assert (task.credit, task.mistake_name) == (0, "")
        task.answer(example.wrong)
        assert 0 <= task.credit < 1, f"{name}.credit of a wrong answer is {task.credit}"
        assert isinstance(task.mistake_name, str)
        task = example.make()
        task.answer(task.solution)
        assert (task.credit, task.mistake_name) == (1, ""), (
            f"{name}: what is right is worth {task.credit}, and is the mistake {task.mistake_name!r}"
        )


def test_graded_tasks_reveal_neither_credit_nor_mistakes() -> None:
    """Another task of the same kind accepts the kept answer."""
    for name in TASKS:
        for answer in (ONE_OF_EACH[name].make().solution, ONE_OF_EACH[name].wrong):
            task, other = ONE_OF_EACH[name].make(), ONE_OF_EACH[name].make()
            task.defer_grading()
            task.answer(answer)
            assert (task.credit, task.mistake_name, task.check()) == (0, "", False), f"{name}.credit or .mistake tells of what is only kept"
            assert task.last_answer is not None, f"{name}.given: the last answer as plain values, which `answer` takes again"
            other.defer_grading()
            other.restore_answer(json.loads(json.dumps(task.last_answer)))
            assert other.last_answer == task.last_answer


def test_every_kind_has_a_paper_form_or_is_not_printed() -> None:
    """The form says how to answer and how many answers exist."""
    for name in TASKS:
        task = ONE_OF_EACH[name].make()
        assert task.answer_count is None or task.answer_count >= 1
        if task.answer_form is None:
            assert not isinstance(task, Exercise), f"{name} says no on_paper: an AnswerForm, by which it is read where its key is not"
            assert task.answers_to_seal() == []
            return
        assert task.answers is not None, f"{name} does not say how many answers there are: its property `answers`"
        given = task._read(task.solution)
        assert given == task.answer_form.read(task.answer_form.to_plain_data(given), list(task._items())), (
            f"{name}.on_paper does not read what it says"
        )
        kept_task = remove_key(task)
        assert plain_paper(paper_from(plain_paper(kept_task.snapshot))) == plain_paper(kept_task.snapshot), (
            f"{name}.on_paper.fits refuses what stands on its paper"
        )
        for answer in (task.solution, ONE_OF_EACH[name].wrong):
            assert kept_task.answer(answer).sentences
            task.answer(answer)
            assert kept_task.last_answer == task.last_answer, f"{name}.on_paper.plain gives another answer than {name}.given"
        assert all(isinstance(text, str) and json.dumps(held) for text, held in task.answers_to_seal())


class SandboxedBot:
    """A program that makes the first move, as if it ran in the sandbox."""

    name = "the code"

    def choose_at(self, view: Any) -> Any:
        """Return the first possible move."""
        return view.actions[0] if hasattr(view, "actions") else view.legal_moves()[0]

    def choose(self, view: Any, rng: object) -> str:  # noqa: ARG002 - it needs none
        """Return the first move."""
        return str(view.legal_moves()[0])


def test_every_kind_says_whether_code_answers_it() -> None:
    """A program is tried, kept and judged the same again. Otherwise it is no answer."""
    for name in TASKS:
        task = ONE_OF_EACH[name].make()
        if task.takes_code:
            assert task.find_code_error(SandboxedBot()) == ""
            task.answer(task.answer_from_code(SandboxedBot()))
            assert 0 <= task.credit <= 1
            assert task.is_reproducible
        else:
            with pytest.raises(DurakError):
                task.answer({"code": "def choose(view): return view.legal_moves()[0]"})
            assert not task.is_graded_later({"code": ""})


def test_every_kind_is_found_by_its_name_in_assignments() -> None:
    """Handed-out notebooks have a line of instructions for it."""
    for code in LANGUAGES:
        for name in HOMEWORK:
            called = EVERY[name].assignment_kind or EVERY[name].kind
            assert issubclass(EVERY[name], find_exercise_class(called))
            assert find_exercise_class(called) is not Task, f"no kind is called {called!r}"
            assert get_language(code).sentences.get(f"class.sheet.next.{called}"), (
                f"durak_widget/i18n/{code}.py does not say class.sheet.next.{called}"
            )
            asked = {kind for _, kind in KINDS_AT_HOME.values()} | {"bot"}  # its games are slow, and it has its own tests
            assert called in asked, f"tests/support/classroom_kinds.py has no question of the kind {called!r}"


def test_every_kind_describes_its_solution_and_mistakes() -> None:
    """It uses a line or its verdict, and every named mistake."""
    for name in TASKS:
        task = ONE_OF_EACH[name].make()
        assert "\n" not in task.solution_line
        for wrong, sentence in task.mistake_messages.items():
            verdict = ONE_OF_EACH[name].make().answer(wrong)
            assert sentence in verdict.sentences


def external_task() -> Task:
    """Return a task of a kind written elsewhere, with its own `credit` and a name already in use."""
    empty = dict.fromkeys(("static_mimebundle", "view_model", "reveal", "restart"), lambda _: {})

    def answer(self: Any, given: object) -> None:
        self.credit = Fraction(1, 2) if given == "x" else 0

    kind = type("OfOnesOwn", (Task,), {**empty, "kind": "pick", "question": "?", "solution": [1], "_result": None, "answer": answer})
    task = kind(why="", name="", language=None)
    task.answer_count = ["x"]
    return task


def test_an_external_kind_may_use_any_attribute() -> None:
    """Its marks do not change, and the kind with the same name keeps its own."""
    task = external_task()
    task.answer("x")
    assert compute_credit(task) == Fraction(1, 2)
    assert find_exercise_class("pick") is lessons.Pick
    assert lessons.seal(lessons.Pick.beaters("Tc", of="9c Jc", trump="h"))
