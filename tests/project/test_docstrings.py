"""Test that first lines of docstrings are short."""

from __future__ import annotations

import ast
from pathlib import Path

import durak_widget

ROOT = Path(durak_widget.__file__).parent
LONGEST = 88


def test_the_first_line_of_a_docstring_is_short() -> None:
    """A first line of the package has at most 88 characters."""
    long = [
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"
        for path in sorted(ROOT.rglob("*.py"))
        if "node_modules" not in path.parts
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and len((ast.get_docstring(node) or "").split("\n")[0]) > LONGEST
    ]
    assert long == []
