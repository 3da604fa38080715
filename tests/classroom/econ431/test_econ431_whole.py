"""The problem set as a whole: every question is tried on all students of a class."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

from class431 import HOMEWORK

HERE = Path(__file__).resolve().parent


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
