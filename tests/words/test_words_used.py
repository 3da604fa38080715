"""Words and the program belong together: what the program says has words, and of the classroom's words none is left over."""

from __future__ import annotations

import ast
import re
from functools import cache

from durak_widget.classroom.asking.assignment import get
from support.sources import modules
from support.spoken import keys

SAYING = {"say", "Fact", "RefusedError", "NamelessError", "ConfinedError", "_fail"}
"""What is given a key."""
KEYS = set(keys("en"))
WIDE = {r"class\..*", *(rf"class\.{room}\..*" for room in ("play", "report", "sheet")), r"class\.econ431\..*\..*"}
"""What says any words of a room: which, stands beside it as a text."""
CLASS = {key for key in KEYS if key.startswith("class.")}


@cache
def nodes() -> list[ast.AST]:
    """All that stands in the program, but for the words."""
    return [node for name, tree in modules().items() if not name.startswith("durak_widget.words.") for node in ast.walk(tree)]


def pattern(text: ast.JoinedStr) -> str:
    """A text that is put together, as a pattern."""
    return "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*" for part in text.values)


def given(node: ast.expr) -> list[ast.expr]:
    """What may stand there: one of two, where that depends."""
    return [*given(node.body), *given(node.orelse)] if isinstance(node, ast.IfExp) else [node]


def test_what_the_program_says_has_words() -> None:
    """Each key that stands in the program is one of English, and each that is put together there may be."""
    calls = [node for node in nodes() if isinstance(node, ast.Call)]
    called = [node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "") for node in calls]
    asked = [one for node, name in zip(calls, called, strict=True) if name in SAYING for part in node.args[:2] for one in given(part)]
    whole = {one.value for one in asked if isinstance(one, ast.Constant) and isinstance(one.value, str) and "." in one.value}
    made = {pattern(one) for one in asked if isinstance(one, ast.JoinedStr)}
    assert len(whole) > 200
    assert len(made) > 50
    assert sorted(whole - KEYS) == []
    assert sorted(one for one in made if not any(re.fullmatch(one, key) for key in KEYS)) == []


def test_no_words_of_the_classroom_are_left_over() -> None:
    """Each is said by its key, by what stands behind the first or the second point of it, or by one that is put together; leads and notes are those of questions."""
    whole = {node.value for node in nodes() if isinstance(node, ast.Constant)}
    made = {pattern(node) for node in nodes() if isinstance(node, ast.JoinedStr) and len(node.values) < 4} - WIDE
    made = {one if one.count(r"\.") > 2 else one.replace(".*", r"\.?[^.]*") for one in made if re.search(r"[a-z]\\\.", one)}
    led = {f"class.econ431.{what}.{question.name}" for question in get("econ431").questions for what in ("lead", "note")}
    left = {key for key in CLASS - led if not whole & {key, key.partition(".")[2], key.split(".", 2)[-1]}}
    said = re.compile("|".join(made))
    assert sorted(key for key in left if not any(map(said.fullmatch, (key, key.split(".", 2)[-1])))) == []
