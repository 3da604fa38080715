"""One word for one thing: a public class, and a function that other rooms use, has a name of its own; and what it says of itself stands alone."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

import durak_widget
from house import imported_names, modules, room

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

PLAIN = {
    "check": "each module of the rules has one for its option; theory.check replays a certificate",
    "first": "a bot that takes the first move, by that name; a question of the problem set",
    "games": "classroom.games reads a folder; a question of the problem set",
    "get": "bots.get, and a question of an assignment",
    "legal_moves": "kernel.legal_moves lists what the engine lists",
    "play": "bots.play plays a game, and the engine a move",
    "solve": "theory.solve, theory.endgame.solve, and what a tree hears",
    "told": "theory.told, and what others are told in rooms of their own",
    "why_not": "game.why_not of a move; of a card that does not beat, among the rules",
}
"""Functions that other rooms use by a name that is not theirs alone, each public for long, and what else has it. It may only get shorter."""
LEANING = ("The same", "That ", "They ", "It ", "Its ", "Those ", "And ", "As a ", "So is ")
"""How a first line begins that leans on what stands above it, where an editor shows it alone."""


def test_a_public_class_has_a_name_of_its_own() -> None:
    """Whoever reads a name in a traceback knows what it is."""
    homes: dict[str, list[str]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(path.relative_to(PACKAGE).as_posix())
    assert {name: where for name, where in homes.items() if len(where) > 1 and name not in SHARED} == {}
    assert {name for name in SHARED if len(homes[name]) != 2} == set()


def test_a_function_that_other_rooms_use_says_what_it_does() -> None:
    """Imported by its bare name, and read far from its module, it can mean nothing else: `tellable`, not `told`. Who imports the module says its name before: `sentences.told`."""
    homes: dict[str, set[str]] = defaultdict(set)
    for module, tree in modules().items():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                homes[node.name].add(module)
    used = {
        name
        for module, tree in modules().items()
        for home, name in imported_names(tree)
        if module != "durak_widget" and home in modules() and home != room(home) and room(home) != room(module) and home in homes[name]
    }
    assert {name: homes[name] for name in used if len(homes[name]) > 1 and name not in PLAIN} == {}
    assert {name for name in PLAIN if name not in used or len(homes[name]) < 2} == set()
    assert len(used) > 200


@pytest.mark.parametrize("module", sorted(modules()))
def test_a_first_line_stands_by_itself(module: str) -> None:
    """Whoever points at a name sees that line and nothing else."""
    kinds = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    lines = [(ast.get_docstring(node) or "").partition("\n")[0] for node in ast.walk(modules()[module]) if isinstance(node, kinds)]
    assert [line for line in lines if line.startswith(LEANING)] == []
