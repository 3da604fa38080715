"""Check what import contracts in pyproject.toml cannot: options, the full state, what is loaded when, public names."""

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
from support.sources import PACKAGE, imported, modules

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPTS = PACKAGE / "frontend" / "src"
OPTIONS = {option.name for option in fields(Rules)}
OWNER = {name: home.__module__ for home in Rules.__mro__[1:-1] for name in home.__annotations__}
READ_EVERY_OPTION = {"durak_widget.rules.ruleset", "durak_widget.rules.preset_catalogue"}


def test_folders_of_the_front_end_import_one_way() -> None:
    """Folders of scripts and style sheets have no cycles; biome checks single files."""
    graph: dict[str, set[str]] = {}
    for path in SCRIPTS.rglob("*"):
        if path.suffix in {".ts", ".css"}:
            names = re.findall(r'(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"', path.read_text(encoding="utf-8"))
            folders = {Path(os.path.normpath(path.parent / name)).parent for name in names}
            own = path.parent.relative_to(SCRIPTS).as_posix()
            inside = {folder.relative_to(SCRIPTS).as_posix() for folder in folders if folder.is_relative_to(SCRIPTS)}
            graph.setdefault(own, set()).update(inside - {own})
    assert graph["table/panels"] == {"widgets", "widgets/protocol", "table/intents"}
    assert "widgets" in tuple(TopologicalSorter(graph).static_order())  # raises CycleError, which names the folders


def reads_of_options(tree: ast.AST) -> set[str]:
    """The options that a module reads from something called rules."""
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


def test_an_option_is_read_by_its_owner_and_nobody_else() -> None:
    """Each option is read in the module that declares it, and nowhere else but in the book."""
    assert OWNER.keys() == OPTIONS
    for module, tree in modules().items():
        if module in READ_EVERY_OPTION:
            continue
        read = reads_of_options(tree)
        assert not {name for name in read if OWNER[name] != module}, module
        assert {name for name, owner in OWNER.items() if owner == module} <= read, module
        calls = [
            node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "getattr"
        ]
        by_name = {node.args[1].value for node in calls if len(node.args) > 1 and isinstance(node.args[1], ast.Constant)}
        assert not by_name & OPTIONS, module
        assert not (calls and ".rules." in module), module


def test_the_engine_and_the_kernel_name_no_variant() -> None:
    """Neither a preset nor the value of an option is in them: they get numbers, masks and tables."""
    verbs = {"attack", "throw", "pass", "beat", "transfer", "show", "take", "swap"}
    values = {
        value
        for option in fields(Rules)
        for value in getattr(option.metadata["option"], "template", ())
        if isinstance(value, str) and len(value) > 1
    }
    values -= set(State.__slots__)  # an attacker and a bout are there in every game
    engine = [f"durak_widget.engine.{name}" for name in ("state_transitions", "state", "compiled_rules")]
    for module in (*engine, *(f"durak_widget.fast_engine.{name}" for name in ("state_encoding", "engine_instance"))):
        tree = modules()[module]
        named = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        assert not named & (values | set(Rules.presets())) - verbs, module
        assert not imported(tree, running=True) & READ_EVERY_OPTION, module


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


def test_only_solvers_above_the_game_touch_the_whole_truth() -> None:
    """Above `engine/`, only `fast_engine/` and `analysis/` import the state, what carries out moves on it, or the way from a view to one, by whatever name it is reached."""
    truth = (".state", ".state_transitions", ".history", ".position_notation", ".determinization")
    for module, tree in modules().items():
        if module != "durak_widget" and not module.startswith(MAY_SEE_ALL):
            assert not {name for name in imported(tree) if name.endswith(truth)}, module
            nodes = [*ast.walk(tree)]
            named = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
            attributes = [node for node in nodes if isinstance(node, ast.Attribute)]
            reached = {node.attr for node in attributes}
            inside = {node.attr for node in attributes if node.attr == "_state" and "game" in ast.unparse(node.value)}
            assert not (named | reached) & {"state_of", "sight_of"} | inside, module


def test_the_model_is_light_and_brings_no_bot() -> None:
    """Importing the package, and playing with it, imports no widget, no numpy and no bot; one bot brings no other."""
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


def test_public_names_are_there() -> None:
    """Every public name can be had and shows an example, and another one is refused with the list."""
    for name in durak_widget.__all__:
        assert ">>>" in getattr(durak_widget, name).__doc__, name
        assert name in dir(durak_widget)
    with pytest.raises(AttributeError, match="it has BotError, BoutEnd, Card, "):
        _ = durak_widget.Gmae


# What a kind of exercise knows, and the classroom does not

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
"""The packages of the classroom that set exercises, and so name their kinds to make them; what an exercise is worth they do not ask."""


@cache
def kinds() -> list[type[Task]]:
    """Every kind of exercise; those that all are, `Task` and `Exercise`, are none."""
    find_exercise_class("")  # then all of them are loaded
    found: list[type[Task]] = [Task]
    for one in found:
        found += one.__subclasses__()
    return [one for one in found if one.__module__.startswith(EXERCISES) and one not in (Task, Exercise)]


@cache
def class_names() -> set[str]:
    """The classes of all kinds of exercise."""
    return {one.__name__ for one in kinds()}


@cache
def kind_names() -> set[str]:
    """What kinds of exercise are called."""
    return {one.assignment_kind or one.kind for one in kinds()} | {one.kind for one in kinds()}


def kinds_named(tree: ast.AST) -> set[str]:
    """The kinds of exercise that a module takes from `lessons`, also for types, in functions, or through its face."""
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
        and node.attr in class_names()
        and ast.unparse(node.value) in {"lessons", "durak_widget.lessons", *modules_of_lessons}
    }
    return ({one.name for node in from_lessons for one in node.names} | through_face) & class_names()


def kinds_asked(tree: ast.AST) -> Iterator[str]:
    """Where a module does one thing for a kind of exercise and another for the next: by its class, or by what it is called."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"isinstance", "issubclass"}
            and {*map(str, names_in(node))} & class_names() & kinds_named(tree)
        ):
            yield ast.unparse(node)
        if isinstance(node, ast.MatchClass) and ast.unparse(node.cls).rpartition(".")[2] in class_names() & kinds_named(tree):
            yield ast.unparse(node)
        compared = (
            [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node.value] if isinstance(node, ast.MatchValue) else []
        )
        many = isinstance(node, (ast.Set, ast.List, ast.Tuple, ast.Dict))
        texts = {one.value for part in compared or [node] * many for one in ast.walk(part) if isinstance(one, ast.Constant)}
        if len(texts & kind_names()) > many or (compared and "__name__" in ast.unparse(node) and texts & class_names()):
            yield ast.unparse(node)


def names_in(node: ast.AST) -> Iterator[str]:
    """The names that stand in it."""
    return (one.id if isinstance(one, ast.Name) else one.attr for one in ast.walk(node) if isinstance(one, (ast.Name, ast.Attribute)))


def test_the_classroom_knows_no_kind_of_exercise() -> None:
    """It asks each of what every `Task` answers; a kind is named only where exercises are set, and nowhere told from another."""
    for module, tree in modules().items():
        if not module.startswith(CLASSROOM):
            continue
        named = kinds_named(tree)
        if not module.startswith(tuple(SETS_EXERCISES)):
            assert not named, (
                f"{module} takes {', '.join(sorted(named))} from lessons: let the kind answer what is asked of it, as a method of Task"
            )
        if not module.startswith("durak_widget.econ431"):
            assert [*kinds_asked(tree)] == [], f"{module} tells kinds of exercise apart: let the kind answer, as a method of Task"
