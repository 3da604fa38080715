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
from durak_widget.exercises.base_exercise import Task, kind_called
from durak_widget.exercises.exercise import Exercise
from durak_widget.exercises.notebook_display import Displayed
from durak_widget.grading.answer_grading import credit
from durak_widget.homework.exercise_snapshot import checked as paper_from
from durak_widget.homework.exercise_snapshot import plain as plain_paper
from durak_widget.homework.keyless_exercise import without_key
from durak_widget.i18n import LANGUAGES, language
from support.asked import ONE_OF_EACH
from support.classroom_kinds import KINDS as KINDS_AT_HOME

ROOT = Path(__file__).resolve().parents[2]
KINDS = ROOT / "durak_widget" / "frontend" / "src" / "exercise" / "exercise-kinds.ts"
DOCS = ROOT / "docs" / "lessons.md"


def concrete() -> dict[str, type[Displayed]]:
    """Everything in lessons that can be shown, by its name."""
    for package in (exercises, lessons):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    queue, found = [Displayed], {}
    while queue:
        one = queue.pop()
        queue += one.__subclasses__()
        if not inspect.isabstract(one) and one.__module__.startswith(("durak_widget.exercises.", "durak_widget.lessons.")):
            found[one.__name__] = one
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
            kind = ONE_OF_EACH[name].make().sheet()["kind"]
            assert kind in kinds_of_the_page(), f"KINDS in {KINDS.name} has no record of {kind}"
            assert language(code).sentences.get(f"screen.how.{kind}"), f"durak_widget/i18n/{code}.py does not say screen.how.{kind}"


def test_the_page_knows_no_kind_that_nobody_asks() -> None:
    """Nor do the words."""
    kinds = {ONE_OF_EACH[name].make().sheet()["kind"] for name in ONE_OF_EACH}
    said = {key.removeprefix("screen.how.") for key in language("en").sentences if key.startswith("screen.how.")}
    assert kinds_of_the_page() == said == kinds


def test_a_sheet_is_what_the_page_takes() -> None:
    """Plain values, under the names of the front end's type; all of them, but for those that it need not have."""
    for name in SHOWN:
        sheet = ONE_OF_EACH[name].make().sheet()
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
        assert quiz.answer(quiz.solution).said[0] == "Right."
        assert quiz.check()
        assert quiz.sheet()["state"] == "right"


def test_what_is_wrong_is_said_with_reasons_in_every_language() -> None:
    """After its first words, which are those of the language; and on the page the same."""
    for code in LANGUAGES:
        for name in ASKED:
            quiz = ONE_OF_EACH[name].make(code)
            verdict = quiz.answer(ONE_OF_EACH[name].wrong)
            assert not verdict
            assert not quiz.check()
            assert verdict.said[0] == language(code).sentences["lesson.not_yet"]
            assert len(verdict.said) > 1
            assert all(line and not re.search(r"[{}]|\blesson\.|\brefusal\.", line) for line in verdict.said)
            assert quiz.sheet()["said"] == list(verdict.said)


def test_to_begin_again_is_to_forget() -> None:
    """The sheet is as it was."""
    for name in ASKED:
        quiz = ONE_OF_EACH[name].make()
        before = quiz.sheet()
        quiz.answer(ONE_OF_EACH[name].wrong)
        assert quiz.sheet() != before
        quiz.again()
        assert quiz.sheet() == before


def test_a_solution_that_is_shown_does_not_count_whatever_the_kind() -> None:
    """It is called by its name."""
    for name in ASKED:
        quiz = ONE_OF_EACH[name].make()
        assert quiz.reveal().startswith("This is the solution.")
        assert not quiz.check()
        assert quiz.sheet()["state"] == "shown"


FINGERPRINT = re.compile(r' data-answer="\w+"')


def test_what_is_stored_does_not_tell_the_answer() -> None:
    """It is the same where another answer is right, but for a fingerprint, which then is another one."""
    for name in OPEN:
        one, other = ONE_OF_EACH[name].make().static(), ONE_OF_EACH[name].make(code=ONE_OF_EACH[name].other).static()
        assert {kind: FINGERPRINT.sub("", said) for kind, said in one.items()} == {
            kind: FINGERPRINT.sub("", said) for kind, said in other.items()
        }
        assert one != other or not issubclass(EVERY[name], Exercise)


def test_what_is_stored_hangs_on_nobody_answering() -> None:
    """It is the question, before and after."""
    for name in ASKED:
        quiz = ONE_OF_EACH[name].make()
        before = quiz.static()
        quiz.answer(ONE_OF_EACH[name].wrong)
        assert quiz.static() == before
        quiz.reveal()
        assert quiz.static() == before


def test_every_kind_can_be_read_where_nothing_is_live() -> None:
    """As a picture and as words, which begin with what is asked."""
    for code in LANGUAGES:
        for name in SHOWN:
            shown = ONE_OF_EACH[name].make(code)
            static = shown.static()
            assert static.keys() == {"text/html", "text/plain"}
            assert static["text/plain"].startswith(str(shown.sheet()["question"]))


# What a classroom asks of each

TASKS = [name for name in HOMEWORK if name in ONE_OF_EACH]


def test_a_task_knows_how_much_of_it_is_done_and_which_mistake_an_answer_is() -> None:
    """Nothing before it is answered, less than all by what is wrong, all by what is right, which is no mistake."""
    for name in TASKS:
        task, example = ONE_OF_EACH[name].make(), ONE_OF_EACH[name]
        assert (task.credit, task.mistake) == (0, "")
        task.answer(example.wrong)
        assert 0 <= task.credit < 1, f"{name}.credit of a wrong answer is {task.credit}"
        assert isinstance(task.mistake, str)
        task = example.make()
        task.answer(task.solution)
        assert (task.credit, task.mistake) == (1, ""), f"{name}: what is right is worth {task.credit}, and is the mistake {task.mistake!r}"


def test_a_task_that_keeps_answers_says_nothing_of_them() -> None:
    """Not how much they are worth, nor which mistake they are; and another of the same making takes what it gives."""
    for name in TASKS:
        for answer in (ONE_OF_EACH[name].make().solution, ONE_OF_EACH[name].wrong):
            task, other = ONE_OF_EACH[name].make(), ONE_OF_EACH[name].make()
            task.keep()
            task.answer(answer)
            assert (task.credit, task.mistake, task.check()) == (0, "", False), f"{name}.credit or .mistake tells of what is only kept"
            assert task.given is not None, f"{name}.given: the last answer as plain values, which `answer` takes again"
            other.keep()
            other.recall(json.loads(json.dumps(task.given)))
            assert other.given == task.given


def test_a_task_knows_how_it_stands_on_paper() -> None:
    """How it is answered where its key is not, and how many answers there are; or it is handed out only as it is."""
    for name in TASKS:
        task = ONE_OF_EACH[name].make()
        assert task.answers is None or task.answers >= 1
        if task.on_paper is None:
            assert not isinstance(task, Exercise), f"{name} says no on_paper: an AnswerForm, by which it is read where its key is not"
            assert task.to_seal() == []
            return
        assert task.answers is not None, f"{name} does not say how many answers there are: its property `answers`"
        given = task._read(task.solution)
        assert given == task.on_paper.read(task.on_paper.plain(given), list(task._items())), f"{name}.on_paper does not read what it says"
        kept = without_key(task)
        assert plain_paper(paper_from(plain_paper(kept.paper))) == plain_paper(kept.paper), (
            f"{name}.on_paper.fits refuses what stands on its paper"
        )
        for answer in (task.solution, ONE_OF_EACH[name].wrong):
            assert kept.answer(answer).said
            task.answer(answer)
            assert kept.given == task.given, f"{name}.on_paper.plain gives another answer than {name}.given"
        assert all(isinstance(text, str) and json.dumps(held) for text, held in task.to_seal())


class Walled:
    """A program that makes the first move, as if it ran apart."""

    name = "the code"

    def at(self, view: Any) -> Any:
        """The first of what may be done."""
        return view.moves[0] if hasattr(view, "moves") else view.legal_moves()[0]

    def choose(self, view: Any, rng: object) -> str:  # noqa: ARG002 - it needs none
        """The first move."""
        return str(view.legal_moves()[0])


def test_a_task_knows_whether_code_answers_it() -> None:
    """Then a program is tried, taken, and worth the same another time; or else its text is no answer."""
    for name in TASKS:
        task = ONE_OF_EACH[name].make()
        if task.takes_code:
            assert task.try_out(Walled()) == ""
            task.answer(task.as_answer(Walled()))
            assert 0 <= task.credit <= 1
            assert task.lasting
        else:
            with pytest.raises(DurakError):
                task.answer({"code": "def choose(view): return view.legal_moves()[0]"})
            assert not task.lays_by({"code": ""})


def test_an_assignment_finds_a_kind_by_its_name_and_says_what_is_to_be_done() -> None:
    """The name that a question gives it leads to its class, and the notebooks that are handed out have a line on it."""
    for code in LANGUAGES:
        for name in HOMEWORK:
            called = EVERY[name].called or EVERY[name].kind
            assert issubclass(EVERY[name], kind_called(called))
            assert kind_called(called) is not Task, f"no kind is called {called!r}"
            assert language(code).sentences.get(f"class.sheet.next.{called}"), (
                f"durak_widget/i18n/{code}.py does not say class.sheet.next.{called}"
            )
            asked = {kind for _, kind in KINDS_AT_HOME.values()} | {"bot"}  # whose games take long, and have tests of their own
            assert called in asked, f"tests/support/classroom_kinds.py has no question of the kind {called!r}"


def test_a_task_tells_a_teacher_its_solution_and_its_mistakes() -> None:
    """In a line, or in its verdict; and each mistake that has a name."""
    for name in TASKS:
        task = ONE_OF_EACH[name].make()
        assert "\n" not in task.solution_line
        for wrong, said in task.mistakes_said.items():
            verdict = ONE_OF_EACH[name].make().answer(wrong)
            assert said in verdict.said


def of_ones_own() -> Task:
    """A task of a kind written elsewhere, before one was asked for its credit: what it called so was its own affair; it takes a name that is taken, too."""
    empty = dict.fromkeys(("static", "sheet", "reveal", "again"), lambda _: {})

    def answer(self: Any, given: object) -> None:
        self.credit = Fraction(1, 2) if given == "x" else 0

    kind = type("OfOnesOwn", (Task,), {**empty, "kind": "pick", "question": "?", "solution": [1], "_found": None, "answer": answer})
    task = kind(why="", name="", language=None)
    task.answers = ["x"]
    return task


def test_a_kind_of_ones_own_may_set_what_it_is_asked() -> None:
    """Its marks are as before, and it takes nothing from the kind whose name it has."""
    task = of_ones_own()
    task.answer("x")
    assert credit(task) == Fraction(1, 2)
    assert kind_called("pick") is lessons.Pick
    assert lessons.seal(lessons.Pick.beaters("Tc", of="9c Jc", trump="h"))
