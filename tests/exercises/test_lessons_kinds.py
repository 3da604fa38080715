"""What every kind of exercise keeps, on every side: in Python, on the page, in all languages and in the docs."""

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

ROOT = Path(__file__).resolve().parents[2]
KINDS = ROOT / "durak_widget" / "frontend" / "src" / "exercise" / "exercise-kinds.ts"
DOCS = ROOT / "docs" / "lessons.md"


PUBLIC = {"BotExercise": "Bot", "StrategyExercise": "Strategy"}
"""Names in `lessons` of classes that have a longer name in their module."""


def concrete() -> dict[str, type[NotebookDisplay]]:
    """Everything in lessons that can be shown, by its name."""
    for package in (exercises, lessons):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    queue, found = [NotebookDisplay], {}
    while queue:
        one = queue.pop()
        queue += one.__subclasses__()
        if not inspect.isabstract(one) and one.__module__.startswith(("durak_widget.exercises.", "durak_widget.lessons.")):
            found[PUBLIC.get(one.__name__, one.__name__)] = one
    return found


EVERY = concrete()
SEVERAL = {"Daily", "MyEndings"}
"""Several are done one after another, and one alone is not all: these have tests of their own."""
HOMEWORK = sorted(name for name, one in EVERY.items() if issubclass(one, Task) and name not in SEVERAL)
"""What may be given as homework."""
ASKED = [name for name in ONE_OF_EACH if name in EVERY and hasattr(EVERY[name], "solution") and name not in SEVERAL]
"""Those with a right answer."""
OPEN = [name for name in ASKED if ONE_OF_EACH[name].other]
SHOWN = sorted(EVERY.keys() & ONE_OF_EACH.keys())


def test_every_kind_is_there_for_everybody() -> None:
    """It is a name of `lessons` with an example, stands in the docs, and has an example for these tests."""
    for name in sorted(EVERY):
        assert name in lessons.__all__, f"durak_widget/lessons/__init__.py imports no {name}"
        assert getattr(lessons, name) is EVERY[name]
        assert ">>>" in (EVERY[name].__doc__ or ""), f"the docstring of {name} shows no example"
        assert re.search(rf"`(lessons\.)?{name}\b", DOCS.read_text(encoding="utf-8")), f"docs/lessons.md has no line on {name}"
        assert name in ONE_OF_EACH, f"tests/support/asked.py has no example of {name}: add one to ONE_OF_EACH"


def test_every_example_is_of_a_kind_that_there_is() -> None:
    """And whatever asks something has a wrong answer, and another right one that could be told from it."""
    assert ONE_OF_EACH.keys() <= EVERY.keys()
    for name in ASKED:
        assert ONE_OF_EACH[name].wrong is not None, f"the example of {name} has no wrong answer"
        assert ONE_OF_EACH[name].other or not issubclass(EVERY[name], Exercise), f"the example of {name} has no other right answer"


# On the page


def kinds_of_the_page() -> set[str]:
    """The names of the records in the front end's table."""
    table = re.search(r"^export const KINDS = \{\n(.*?)^\}", KINDS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert table is not None
    return set(re.findall(r"^  (\w+): ", table[1], re.MULTILINE))


def test_the_page_knows_the_kind_and_says_how_it_is_done() -> None:
    """Its table has a record of it, and the words a sentence."""
    for code in LANGUAGES:
        for name in SHOWN:
            kind = ONE_OF_EACH[name].make().view_model()["kind"]
            assert kind in kinds_of_the_page(), f"KINDS in {KINDS.name} has no record of {kind}"
            assert get_language(code).sentences.get(f"screen.how.{kind}"), f"durak_widget/i18n/{code}.py does not say screen.how.{kind}"


def test_the_page_knows_no_kind_that_nobody_asks() -> None:
    """Nor do the words."""
    kinds = {ONE_OF_EACH[name].make().view_model()["kind"] for name in ONE_OF_EACH}
    said = {key.removeprefix("screen.how.") for key in get_language("en").sentences if key.startswith("screen.how.")}
    assert kinds_of_the_page() == said == kinds


def test_a_sheet_is_what_the_page_takes() -> None:
    """Plain values, under the names of the front end's type; all of them, but for those that it need not have."""
    for name in SHOWN:
        sheet = ONE_OF_EACH[name].make().view_model()
        assert json.loads(json.dumps(sheet)) == sheet
        typed = re.search(r"^export interface Sheet \{\n(.*?)^\}", KINDS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        assert typed is not None
        fields = dict(re.findall(r"^  readonly (\w+)(\??):", typed[1], re.MULTILINE))
        assert {field for field, may in fields.items() if not may} <= sheet.keys() <= fields.keys()


# What each does


def test_the_solution_is_right_and_counts() -> None:
    """Whatever was answered before."""
    for name in ASKED:
        quiz = ONE_OF_EACH[name].make()
        assert quiz.answer(quiz.solution).sentences[0] == "Right."
        assert quiz.check()
        assert quiz.view_model()["state"] == "right"


def test_what_is_wrong_is_said_with_reasons_in_every_language() -> None:
    """After its first words, which are those of the language; and on the page the same."""
    for code in LANGUAGES:
        for name in ASKED:
            quiz = ONE_OF_EACH[name].make(code)
            verdict = quiz.answer(ONE_OF_EACH[name].wrong)
            assert not verdict
            assert not quiz.check()
            assert verdict.sentences[0] == get_language(code).sentences["lesson.not_yet"]
            assert len(verdict.sentences) > 1
            assert all(line and not re.search(r"[{}]|\blesson\.|\brefusal\.", line) for line in verdict.sentences)
            assert quiz.view_model()["said"] == list(verdict.sentences)


def test_to_begin_again_is_to_forget() -> None:
    """The sheet is as it was."""
    for name in ASKED:
        quiz = ONE_OF_EACH[name].make()
        before = quiz.view_model()
        quiz.answer(ONE_OF_EACH[name].wrong)
        assert quiz.view_model() != before
        quiz.restart()
        assert quiz.view_model() == before


def test_a_solution_that_is_shown_does_not_count_whatever_the_kind() -> None:
    """It is called by its name."""
    for name in ASKED:
        quiz = ONE_OF_EACH[name].make()
        assert quiz.reveal().startswith("This is the solution.")
        assert not quiz.check()
        assert quiz.view_model()["state"] == "shown"


FINGERPRINT = re.compile(r' data-answer="\w+"')


def test_what_is_stored_does_not_tell_the_answer() -> None:
    """It is the same where another answer is right, but for a fingerprint, which then is another one."""
    for name in OPEN:
        one, other = ONE_OF_EACH[name].make().static_mimebundle(), ONE_OF_EACH[name].make(code=ONE_OF_EACH[name].other).static_mimebundle()
        assert {kind: FINGERPRINT.sub("", said) for kind, said in one.items()} == {
            kind: FINGERPRINT.sub("", said) for kind, said in other.items()
        }
        assert one != other or not issubclass(EVERY[name], Exercise)


def test_what_is_stored_hangs_on_nobody_answering() -> None:
    """It is the question, before and after."""
    for name in ASKED:
        quiz = ONE_OF_EACH[name].make()
        before = quiz.static_mimebundle()
        quiz.answer(ONE_OF_EACH[name].wrong)
        assert quiz.static_mimebundle() == before
        quiz.reveal()
        assert quiz.static_mimebundle() == before


def test_every_kind_can_be_read_where_nothing_is_live() -> None:
    """As a picture and as words, which begin with what is asked."""
    for code in LANGUAGES:
        for name in SHOWN:
            shown = ONE_OF_EACH[name].make(code)
            static = shown.static_mimebundle()
            assert static.keys() == {"text/html", "text/plain"}
            assert static["text/plain"].startswith(str(shown.view_model()["question"]))


# What a classroom asks of each

TASKS = [name for name in HOMEWORK if name in ONE_OF_EACH]


def test_a_task_knows_how_much_of_it_is_done_and_which_mistake_an_answer_is() -> None:
    """Nothing before it is answered, less than all by what is wrong, all by what is right, which is no mistake."""
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


def test_a_task_that_keeps_answers_says_nothing_of_them() -> None:
    """Not how much they are worth, nor which mistake they are; and another of the same making takes what it gives."""
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


def test_a_task_knows_how_it_stands_on_paper() -> None:
    """How it is answered where its key is not, and how many answers there are; or it is handed out only as it is."""
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
        kept = remove_key(task)
        assert plain_paper(paper_from(plain_paper(kept.snapshot))) == plain_paper(kept.snapshot), (
            f"{name}.on_paper.fits refuses what stands on its paper"
        )
        for answer in (task.solution, ONE_OF_EACH[name].wrong):
            assert kept.answer(answer).sentences
            task.answer(answer)
            assert kept.last_answer == task.last_answer, f"{name}.on_paper.plain gives another answer than {name}.given"
        assert all(isinstance(text, str) and json.dumps(held) for text, held in task.answers_to_seal())


class Walled:
    """A program that makes the first move, as if it ran apart."""

    name = "the code"

    def choose_at(self, view: Any) -> Any:
        """The first of what may be done."""
        return view.actions[0] if hasattr(view, "actions") else view.legal_moves()[0]

    def choose(self, view: Any, rng: object) -> str:  # noqa: ARG002 - it needs none
        """The first move."""
        return str(view.legal_moves()[0])


def test_a_task_knows_whether_code_answers_it() -> None:
    """Then a program is tried, taken, and worth the same another time; or else its text is no answer."""
    for name in TASKS:
        task = ONE_OF_EACH[name].make()
        if task.takes_code:
            assert task.find_code_error(Walled()) == ""
            task.answer(task.answer_from_code(Walled()))
            assert 0 <= task.credit <= 1
            assert task.is_reproducible
        else:
            with pytest.raises(DurakError):
                task.answer({"code": "def choose(view): return view.legal_moves()[0]"})
            assert not task.is_graded_later({"code": ""})


def test_an_assignment_finds_a_kind_by_its_name_and_says_what_is_to_be_done() -> None:
    """The name that a question gives it leads to its class, and the notebooks that are handed out have a line on it."""
    for code in LANGUAGES:
        for name in HOMEWORK:
            called = EVERY[name].assignment_kind or EVERY[name].kind
            assert issubclass(EVERY[name], find_exercise_class(called))
            assert find_exercise_class(called) is not Task, f"no kind is called {called!r}"
            assert get_language(code).sentences.get(f"class.sheet.next.{called}"), (
                f"durak_widget/i18n/{code}.py does not say class.sheet.next.{called}"
            )
            asked = {kind for _, kind in KINDS_AT_HOME.values()} | {"bot"}  # whose games take long, and have tests of their own
            assert called in asked, f"tests/support/classroom_kinds.py has no question of the kind {called!r}"


def test_a_task_tells_a_teacher_its_solution_and_its_mistakes() -> None:
    """In a line, or in its verdict; and each mistake that has a name."""
    for name in TASKS:
        task = ONE_OF_EACH[name].make()
        assert "\n" not in task.solution_line
        for wrong, said in task.mistake_messages.items():
            verdict = ONE_OF_EACH[name].make().answer(wrong)
            assert said in verdict.sentences


def of_ones_own() -> Task:
    """A task of a kind written elsewhere, before one was asked for its credit: what it called so was its own affair; it takes a name that is taken, too."""
    empty = dict.fromkeys(("static_mimebundle", "view_model", "reveal", "restart"), lambda _: {})

    def answer(self: Any, given: object) -> None:
        self.credit = Fraction(1, 2) if given == "x" else 0

    kind = type("OfOnesOwn", (Task,), {**empty, "kind": "pick", "question": "?", "solution": [1], "_result": None, "answer": answer})
    task = kind(why="", name="", language=None)
    task.answer_count = ["x"]
    return task


def test_a_kind_of_ones_own_may_set_what_it_is_asked() -> None:
    """Its marks are as before, and it takes nothing from the kind whose name it has."""
    task = of_ones_own()
    task.answer("x")
    assert compute_credit(task) == Fraction(1, 2)
    assert find_exercise_class("pick") is lessons.Pick
    assert lessons.seal(lessons.Pick.beaters("Tc", of="9c Jc", trump="h"))
