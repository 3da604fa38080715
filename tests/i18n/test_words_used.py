"""Test that all texts used by the program exist."""

from __future__ import annotations

import ast
import re
from functools import cache

import pytest

from support.sources import modules
from support.spoken import sentence_keys

SAYING = {"translate", "say", "TranslatableText", "RefusedError", "HomeworkSetupError", "SandboxError", "_raise_problem"}
"""Functions that take a key."""
KEYS = set(sentence_keys("en"))


@cache
def source_nodes() -> list[ast.AST]:
    """Return all syntax nodes of the program, except in the language files."""
    return [node for name, tree in modules().items() if not name.startswith("durak_widget.i18n.") for node in ast.walk(tree)]


def key_pattern(text: ast.JoinedStr) -> str:
    """Return a pattern for a text put together from parts."""
    return "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*" for part in text.values)


def possible_values(node: ast.expr) -> list[ast.expr]:
    """Return what an expression may be: one of two, if that depends."""
    return [*possible_values(node.body), *possible_values(node.orelse)] if isinstance(node, ast.IfExp) else [node]


@pytest.mark.slow
def test_every_key_used_by_the_program_exists() -> None:
    """Keys put together from parts may exist."""
    calls = [node for node in source_nodes() if isinstance(node, ast.Call)]
    called = [node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "") for node in calls]
    asked = [
        expression
        for node, name in zip(calls, called, strict=True)
        if name in SAYING
        for part in node.args[:2]
        for expression in possible_values(part)
    ]
    whole = {
        expression.value
        for expression in asked
        if isinstance(expression, ast.Constant) and isinstance(expression.value, str) and "." in expression.value
    }
    patterns = {key_pattern(expression) for expression in asked if isinstance(expression, ast.JoinedStr)}
    assert len(whole) > 200
    assert len(patterns) > 50
    assert sorted(whole - KEYS) == []
    assert sorted(pattern for pattern in patterns if not any(re.fullmatch(pattern, key) for key in KEYS)) == []
