"""Test what import contracts can't check: options, the full state, imports at run time and public names."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from dataclasses import fields
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import durak_widget
from durak_widget import Rules
from durak_widget.engine.state import State
from durak_widget.exercises.base_exercise import Task, find_exercise_class
from durak_widget.exercises.exercise import Exercise
from support.sources import PACKAGE, imported_modules, modules

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPTS = PACKAGE / "frontend" / "src"
OPTIONS = {option.name for option in fields(Rules)}
OWNER = {name: home.__module__ for home in Rules.__mro__[1:-1] for name in home.__annotations__}
READ_EVERY_OPTION = {"durak_widget.rules.ruleset", "durak_widget.rules.preset_catalogue"}


def test_front_end_folders_import_in_one_direction() -> None:
    """Folders of scripts and style sheets have no cycles; biome checks single files."""
    graph: dict[str, set[str]] = {}
    for path in SCRIPTS.rglob("*"):
        if path.suffix in {".ts", ".css"}:
            names = re.findall(r'(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"', path.read_text(encoding="utf-8"))
            folders = {Path(os.path.normpath(path.parent / name)).parent for name in names}
            own = path.parent.relative_to(SCRIPTS).as_posix()
            inside = {folder.relative_to(SCRIPTS).as_posix() for folder in folders if folder.is_relative_to(SCRIPTS)}
            graph.setdefault(own, set()).update(inside - {own})
    assert graph["table/panels"] == {"widgets", "widgets/protocol", "table/intents", "table/extras"}
    assert "widgets" in tuple(TopologicalSorter(graph).static_order())  # raises CycleError, which names the folders


def options_read(tree: ast.AST) -> set[str]:
    """Return the options that a module reads from something called rules."""
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in OPTIONS
        and (
            (isinstance(node.value, ast.Name) and "rules" in node.value.id)
            or (isinstance(node.value, ast.Attribute) and "rules" in node.value.attr)
        )
    }


def test_an_option_is_read_only_by_its_owner() -> None:
    """Only the module that declares it and the rule book read it."""
    assert OWNER.keys() == OPTIONS
    for module, tree in modules().items():
        if module in READ_EVERY_OPTION:
            continue
        read = options_read(tree)
        assert not {name for name in read if OWNER[name] != module}, module
        assert {name for name, owner in OWNER.items() if owner == module} <= read, module
        calls = [
            node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr"
        ]
        by_name = {node.args[1].value for node in calls if len(node.args) > 1 and isinstance(node.args[1], ast.Constant)}
        assert not by_name & OPTIONS, module
        assert not (calls and ".rules." in module), module


def test_the_engine_and_the_fast_engine_name_no_variant() -> None:
    """They contain no preset or option value, only numbers, masks and tables."""
    verbs = {"attack", "throw", "pass", "beat", "transfer", "show", "take", "swap"}
    values = {
        value
        for option in fields(Rules)
        for value in getattr(option.metadata["option"], "template", ())
        if isinstance(value, str) and len(value) > 1
    }
    values -= set(State.__slots__)  # every game has an attacker and a bout
    engine = [f"durak_widget.engine.{name}" for name in ("state_transitions", "state", "compiled_rules")]
    for module in (*engine, *(f"durak_widget.fast_engine.{name}" for name in ("state_encoding", "engine_instance"))):
        tree = modules()[module]
        named = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        assert not named & (values | set(Rules.presets())) - verbs, module
        assert not imported_modules(tree, running=True) & READ_EVERY_OPTION, module


BELOW_GAME = (
    "cards",
    "errors",
    "atomic_files",
    "safe_import_path",
    "json_store",
    "key_derivation",
    "parallel",
    "i18n",
    "rules",
    "engine",
    "gametheory",
)
MAY_SEE_ALL = tuple(f"durak_widget.{name}" for name in (*BELOW_GAME, "fast_engine", "analysis"))


def test_only_solvers_use_the_full_state_outside_the_engine() -> None:
    """Above `engine/`, only `fast_engine/` and `analysis/` import the state and its functions, by any name."""
    truth = (".state", ".state_transitions", ".history", ".position_notation", ".determinization")
    for module, tree in modules().items():
        if module != "durak_widget" and not module.startswith(MAY_SEE_ALL):
            assert not {name for name in imported_modules(tree) if name.endswith(truth)}, module
            nodes = [*ast.walk(tree)]
            named = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
            attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
            reached = {node.attr for node in attributes}
            inside = {node.attr for node in attributes if node.attr == "_state" and "game" in ast.unparse(node.value)}
            assert not (named | reached) & {"state_of", "sight_of"} | inside, module


def test_importing_the_package_loads_no_widget_or_bot() -> None:
    """Playing loads no numpy either, and a bot loads no other bot."""
    code = """
import sys, durak_widget
durak_widget.Match(seed=1).game.view(0)
durak_widget.Game(seed=1).svg()
assert not {"ipywidgets", "numpy", "anywidget", "IPython"} & set(sys.modules)
here = lambda: {name.removeprefix("durak_widget.bots") for name in sys.modules if name.startswith("durak_widget.bots")}
assert "bots" in dir(durak_widget) and not here()
assert durak_widget.bots.names() and here() == {"", ".bot", ".opponents"}
assert durak_widget.bots.get("careful") and here() == {"", ".bot", ".opponents", ".heuristic_bots"}
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_public_names_exist_and_have_examples() -> None:
    """Another name is refused with the list."""
    for name in durak_widget.__all__:
        assert ">>>" in getattr(durak_widget, name).__doc__, name
        assert name in dir(durak_widget)
    with pytest.raises(AttributeError, match="it has BotError, BoutEnd, Card, "):
        _ = durak_widget.Gmae


# Homework does not depend on kinds of exercise

EXERCISES = ("durak_widget.exercises", "durak_widget.lessons")
CLASSROOM = tuple(
    f"durak_widget.{name}"
    for name in ("homework", "paper_exams", "duplicate_deals", "econ431", "custom_games", "grading", "class_games", "classroom")
)
SETS_EXERCISES = {
    "durak_widget.econ431": "a problem set: it asks as the author of a notebook does, and might be a teacher's own",
    "durak_widget.custom_games": "a game of a teacher's own: which exercise asks what a question is called by its name",
    "durak_widget.class_games": "what a class has played becomes exercises: how often something was done, and a mistake to do better",
}
"""Packages that make exercises, and so name their kinds. They don't mark them."""


@cache
def kinds() -> list[type[Task]]:
    """Return every kind of exercise, without the base classes `Task` and `Exercise`."""
    find_exercise_class("")  # this loads all of them
    found: list[type[Task]] = [Task]
    for kind in found:
        found += kind.__subclasses__()
    return [kind for kind in found if kind.__module__.startswith(EXERCISES) and kind not in (Task, Exercise)]


@cache
def kind_classes() -> set[str]:
    """Return the classes of all kinds of exercise."""
    return {kind.__name__ for kind in kinds()}


@cache
def kind_names() -> set[str]:
    """Return the names of all kinds of exercise."""
    return {kind.assignment_kind or kind.kind for kind in kinds()} | {kind.kind for kind in kinds()}


def kinds_imported(tree: ast.AST) -> set[str]:
    """Return the kinds of exercise that a module takes from `lessons`, also for types and in functions."""
    from_lessons = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(EXERCISES))
    modules_of_lessons = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if f"{node.module}.{alias.name}" in modules() and f"{node.module}.{alias.name}".startswith(EXERCISES)
    }
    through_face = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in kind_classes()
        and ast.unparse(node.value) in {"lessons", "durak_widget.lessons", *modules_of_lessons}
    }
    return ({name.name for node in from_lessons for name in node.names} | through_face) & kind_classes()


def kind_checks(tree: ast.AST) -> Iterator[str]:
    """Yield where a module distinguishes kinds of exercise, by class or by name."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"isinstance", "issubclass"}
            and {*map(str, names_in(node))} & kind_classes() & kinds_imported(tree)
        ):
            yield ast.unparse(node)
        if isinstance(node, ast.MatchClass) and ast.unparse(node.cls).rpartition(".")[2] in kind_classes() & kinds_imported(tree):
            yield ast.unparse(node)
        compared = (
            [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node.value] if isinstance(node, ast.MatchValue) else []
        )
        many = isinstance(node, (ast.Set, ast.List, ast.Tuple, ast.Dict))
        texts = {child.value for part in compared or [node] * many for child in ast.walk(part) if isinstance(child, ast.Constant)}
        if len(texts & kind_names()) > many or (compared and "__name__" in ast.unparse(node) and texts & kind_classes()):
            yield ast.unparse(node)


def names_in(node: ast.AST) -> Iterator[str]:
    """Return the names in a syntax node."""
    return (
        child.id if isinstance(child, ast.Name) else child.attr for child in ast.walk(node) if isinstance(child, (ast.Name, ast.Attribute))
    )


def test_homework_code_does_not_depend_on_kinds_of_exercise() -> None:
    """It uses only methods of every `Task`. Kinds are named only where exercises are made."""
    for module, tree in modules().items():
        if not module.startswith(CLASSROOM):
            continue
        named = kinds_imported(tree)
        if not module.startswith(tuple(SETS_EXERCISES)):
            assert not named, (
                f"{module} takes {', '.join(sorted(named))} from lessons: let the kind answer what is asked of it, as a method of Task"
            )
        if not module.startswith("durak_widget.econ431"):
            assert [*kind_checks(tree)] == [], f"{module} tells kinds of exercise apart: let the kind answer, as a method of Task"
