"""The problem set as a whole: every question is tried on all students of a class, and what is said of how many there are is counted."""

from __future__ import annotations

import ast
import json
import re
from importlib import import_module
from pathlib import Path

from class431 import HOMEWORK

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
NUMBERS = dict(
    zip(
        ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"],
        range(10, 21),
        strict=True,
    )
)
COUNT = re.compile(rf"\b({'|'.join(NUMBERS)}|1\d|20) questions(?:, (\d+) points)?", re.IGNORECASE)


def tried(file: Path) -> set[str]:
    """The questions that a file of tests goes through for all students: those of `tasks(…)` of which no part is cut out."""
    module, found = import_module(file.stem), set[str]()
    tree = ast.parse(file.read_text(encoding="utf-8"))
    cut = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Subscript)}
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        given = [getattr(module, name.id, ()) for one in function.decorator_list for name in ast.walk(one) if isinstance(name, ast.Name)]
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "tasks" and id(call) not in cut:
                if isinstance(call.args[0], ast.Constant):
                    found.add(str(call.args[0].value))
                else:  # of each name by which the test is run
                    found |= {
                        name for names in given if isinstance(names, (list, tuple, set, dict)) for name in names if isinstance(name, str)
                    }
    return found


def test_every_question_is_tried_on_two_hundred_students():
    """That it is of one difficulty for all, and asks another thing of each: in one of the files `test_econ431_…`; a question that none of them tries is named."""
    found = set[str]().union(*map(tried, sorted(HERE.glob("test_econ431_*.py"))))
    missing = [question.name for question in HOMEWORK.questions if question.name not in found]
    assert not missing, f"no test goes through what two hundred students are asked in {missing}: write one that does `for task in tasks(…)`"


def test_wherever_it_is_said_how_many_questions_there_are_so_many_there_are():
    """And how many points: in the docs, in what is not released yet, and in the notebooks."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in (*ROOT.glob("docs/**/*.md"), ROOT / "README.md")}
    texts["CHANGELOG.md"] = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## [")[1]
    for path in ROOT.glob("notebooks/*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts[path.name] = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    told = [(name, *found) for name, text in texts.items() for found in COUNT.findall(text)]
    assert {"teachers-guide.md", "problem-set.md", "CHANGELOG.md", "14_problem_set.ipynb"} <= {name for name, *_ in told}
    for name, questions, points in told:
        assert NUMBERS.get(questions.lower(), questions) in (len(HOMEWORK.questions), str(len(HOMEWORK.questions))), (name, questions)
        assert points in ("", str(HOMEWORK.points)), (name, points)
