"""Check what import contracts in pyproject.toml cannot: options, the full state, what is loaded when, public names."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from dataclasses import fields
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import durak_widget
from durak_widget import Rules
from durak_widget.game.play.state import State
from durak_widget.lessons.kit.exercise import Exercise
from durak_widget.lessons.kit.task import Task, kind_called
from support.sources import PACKAGE, imported, modules

if TYPE_CHECKING:
    from collections.abc import Iterator

MODULES = modules()
SCRIPTS = PACKAGE / "frontend" / "src"
OPTIONS = {option.name for option in fields(Rules)}
OWNER = {name: home.__module__ for home in Rules.__mro__[1:-1] for name in home.__annotations__}
READ_EVERY_OPTION = {"durak_widget.rules.book", "durak_widget.rules.variants"}


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
    assert graph["table/drawers"] == {"page", "page/told", "table/meant"}
    assert "page" in tuple(TopologicalSorter(graph).static_order())  # raises CycleError, which names the folders


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


def test_an_option_is_read_only_by_its_owner() -> None:
    """Each option is read in the module that declares it, and nowhere else but in the book."""
    for module in sorted(MODULES.keys() - READ_EVERY_OPTION):
        foreign = {name for name in reads_of_options(MODULES[module]) if OWNER[name] != module}
        assert not foreign
        calls = [node for node in ast.walk(MODULES[module]) if isinstance(node, ast.Call) and ast.unparse(node.func) == "getattr"]
        by_name = {node.args[1].value for node in calls if len(node.args) > 1 and isinstance(node.args[1], ast.Constant)}
        assert not by_name & OPTIONS
        assert not (calls and ".rules." in module)


def test_every_option_is_read_by_its_owner() -> None:
    """No option is for show."""
    assert OWNER.keys() == OPTIONS
    for name, module in OWNER.items():
        assert name in reads_of_options(MODULES[module]), f"{module} declares {name} and never reads it"


def test_the_engine_and_the_kernel_name_no_variant() -> None:
    """Neither a preset nor the value of an option stands in them: they are told numbers, masks and tables."""
    for module in (
        *(f"game.play.{name}" for name in ("engine", "state", "kit", "bouts", "swapping")),
        *(f"kernel.{name}" for name in ("image", "moments", "machine")),
    ):
        verbs = {"attack", "throw", "pass", "beat", "transfer", "show", "take", "swap"}
        values = {
            value
            for option in fields(Rules)
            for value in getattr(option.metadata["option"], "says", ())
            if isinstance(value, str) and len(value) > 1
        }
        values -= set(State.__slots__)  # an attacker and a bout are there in every game
        named = {
            node.value
            for node in ast.walk(MODULES[f"durak_widget.{module}"])
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        assert not named & (values | set(Rules.presets())) - verbs
        assert not imported(MODULES[f"durak_widget.{module}"], running=True) & READ_EVERY_OPTION


BELOW_GAME = ("cards", "errors", "files", "import_path", "masks", "parallel", "slow_hash", "words", "rules", "game", "games")
MAY_SEE_ALL = tuple(f"durak_widget.{name}" for name in (*BELOW_GAME, "kernel", "theory"))


def test_only_solvers_above_the_game_touch_the_whole_truth() -> None:
    """Above `game/`, only `kernel/` and `theory/` import the state, what carries out moves on it, or the way from a view to one, by whatever name it is reached."""
    truth = (".state", ".engine", ".bouts", ".swapping", ".story", ".line", ".restored")
    for module, tree in MODULES.items():
        if module != "durak_widget" and not module.startswith(MAY_SEE_ALL):
            assert not {name for name in imported(tree) if name.endswith(truth)}, module
            named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
            reached = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
            inside = {
                node.attr
                for node in ast.walk(tree)
                if isinstance(node, ast.Attribute) and node.attr == "_state" and "game" in ast.unparse(node.value)
            }
            assert not (named | reached) & {"state_of", "sight_of"} | inside, module


def test_the_model_is_light() -> None:
    """Importing the package, and playing with it, pulls in no widget and no numpy."""
    for name in (
        "ipywidgets",
        "numpy",
        "anywidget",
        "IPython",
    ):
        code = f"import sys, durak_widget as d; d.Match(seed=1).game.view(0); d.Game(seed=1).svg(); sys.exit({name!r} in sys.modules)"
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_bots_come_when_they_are_asked_for() -> None:
    """Importing the package, and playing with it, imports no bot; the name is there none the less, and one bot brings no other."""
    code = """
import sys, durak_widget
durak_widget.Match(seed=1).game.view(0)
here = lambda: {name.removeprefix("durak_widget.bots") for name in sys.modules if name.startswith("durak_widget.bots")}
assert "bots" in dir(durak_widget) and not here()
assert durak_widget.bots.names() and here() == {"", ".bot", ".people", ".playing"}
assert durak_widget.bots.get("careful") and here() == {"", ".bot", ".people", ".playing", ".careful"}
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

SETS_EXERCISES = {
    "durak_widget.classroom.econ431": "a problem set: it asks as the author of a notebook does, and might be a teacher's own",
    "durak_widget.classroom.own": "a game of a teacher's own: which exercise asks what a question is called by its name",
    "durak_widget.classroom.playing": "what a class has played becomes exercises: how often something was done, and a mistake to do better",
}
"""The rooms of the classroom that set exercises, and so name their kinds to make them; what an exercise is worth they do not ask."""
_CLASSROOM = sorted(name for name in MODULES if name.startswith("durak_widget.classroom"))


def kinds() -> list[type[Task]]:
    """Every kind of exercise; those that all are, `Task` and `Exercise`, are none."""
    kind_called("")  # then all of them are loaded
    found: list[type[Task]] = [Task]
    for one in found:
        found += one.__subclasses__()
    return [one for one in found if one.__module__.startswith("durak_widget.lessons.") and one not in (Task, Exercise)]


NAMES = {one.__name__ for one in kinds()}
CALLED = {one.called or one.kind for one in kinds()} | {one.kind for one in kinds()}


def kinds_named(tree: ast.AST) -> set[str]:
    """The kinds of exercise that a module takes from `lessons`, also for types, in functions, or through its face."""
    from_lessons = (
        node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("durak_widget.lessons")
    )
    modules_of_lessons = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if f"{node.module}.{alias.name}" in MODULES and f"{node.module}.{alias.name}".startswith("durak_widget.lessons")
    }
    through_face = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) in {"lessons", "durak_widget.lessons", *modules_of_lessons}
    }
    return ({one.name for node in from_lessons for one in node.names} | through_face) & NAMES


def kinds_asked(tree: ast.AST) -> Iterator[str]:
    """Where a module does one thing for a kind of exercise and another for the next: by its class, or by what it is called."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in {"isinstance", "issubclass"}
            and {*map(str, names_in(node))} & NAMES & kinds_named(tree)
        ):
            yield ast.unparse(node)
        if isinstance(node, ast.MatchClass) and ast.unparse(node.cls).rpartition(".")[2] in NAMES & kinds_named(tree):
            yield ast.unparse(node)
        compared = (
            [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node.value] if isinstance(node, ast.MatchValue) else []
        )
        many = isinstance(node, (ast.Set, ast.List, ast.Tuple, ast.Dict))
        texts = {one.value for part in compared or [node] * many for one in ast.walk(part) if isinstance(one, ast.Constant)}
        if len(texts & CALLED) > many or (compared and "__name__" in ast.unparse(node) and texts & NAMES):
            yield ast.unparse(node)


def names_in(node: ast.AST) -> Iterator[str]:
    """The names that stand in it."""
    return (one.id if isinstance(one, ast.Name) else one.attr for one in ast.walk(node) if isinstance(one, (ast.Name, ast.Attribute)))


def test_the_classroom_knows_no_kind_of_exercise() -> None:
    """It asks each of what every `Task` answers; a kind is named only where exercises are set, and nowhere told from another."""
    for module in _CLASSROOM:
        named = kinds_named(MODULES[module])
        if not module.startswith(tuple(SETS_EXERCISES)):
            assert not named, (
                f"{module} takes {', '.join(sorted(named))} from lessons: let the kind answer what is asked of it, as a method of Task"
            )
        if not module.startswith("durak_widget.classroom.econ431"):
            assert [*kinds_asked(MODULES[module])] == [], (
                f"{module} tells kinds of exercise apart: let the kind answer, as a method of Task"
            )


def test_the_law_finds_what_it_forbids() -> None:
    """Each of the ways in which the classroom knew a kind; and none of what it may do."""
    begun = "from durak_widget.lessons.numbers.number import Number\n"
    for line in (
        "isinstance(task, Number)", "issubclass(made, (int, Number))", "task.kind == 'number'", "kind in ('number', 'choose')",
        "KINDS = {'strategy', 'bot'}", "match task:\n    case Number():\n        pass", "match kind:\n    case 'sort':\n        pass",
    ):  # fmt: skip
        assert [*kinds_asked(ast.parse(begun + line))], line
    for line in ("Number('How many?', 7)", "paper['number']", "{'number': 7, 'items': []}", "isinstance(task, Task)", "kind == 'progress'"):
        assert not [*kinds_asked(ast.parse(begun + line))], line
    assert kinds_named(ast.parse(begun)) == kinds_named(ast.parse("from durak_widget import lessons\nlessons.Number")) == {"Number"}
    assert {"Pick", "OnTree", "OnBoard", "Predict", "Position"} <= NAMES
    assert {"pick", "strategy", "matrix", "bot"} <= CALLED
