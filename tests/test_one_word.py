"""One word for one thing: a public class has a name of its own in the whole package."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import durak_widget

PACKAGE = Path(durak_widget.__file__).parent
SHARED = {
    "Bot": "lessons.Bot asks for a bot; both are what everybody calls them",
    "Matrix": "theory.Matrix shows a matrix",
    "Memory": "Game.view's memory, and what theory.results.memory finds",
    "Number": "lessons.Number asks for a number; an option of the rules may be one",
    "Pairs": "of cards on the table; of games, whose text is pinned with what was handed out",
    "Strategy": "lessons.Strategy asks for a strategy",
    "Tree": "theory.Tree shows a tree",
}
"""The names that mean two things, each public for long, and which two. It may only get shorter."""


def test_a_public_class_has_a_name_of_its_own() -> None:
    """Whoever reads a name in a traceback knows what it is."""
    homes: dict[str, list[str]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(path.relative_to(PACKAGE).as_posix())
    assert {name: where for name, where in homes.items() if len(where) > 1 and name not in SHARED} == {}
    assert {name for name in SHARED if len(homes[name]) != 2} == set()
