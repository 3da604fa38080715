"""What the program says has words."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from support.sources import modules
from support.spoken import keys

SAYING = {"translate", "say", "TranslatableText", "RefusedError", "HomeworkSetupError", "SandboxError", "_raise_problem"}
"""What is given a key."""
KEYS = set(keys("en"))


@cache
def nodes() -> list[ast.AST]:
    """All that stands in the program, but for the words."""
    return [node for name, tree in modules().items() if not name.startswith("durak_widget.i18n.") for node in ast.walk(tree)]


def pattern(text: ast.JoinedStr) -> str:
    """A text that is put together, as a pattern."""
    return "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*" for part in text.values)


def given(node: ast.expr) -> list[ast.expr]:
    """What may stand there: one of two, where that depends."""
    return [*given(node.body), *given(node.orelse)] if isinstance(node, ast.IfExp) else [node]


@pytest.mark.slow
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
