"""The laws of the house: which way imports run, who reads an option, what the engine may not name, what stays light."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import durak_widget
from durak_widget import Rules
from durak_widget.game.state import State
from house import room

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(durak_widget.__file__).parent
FLOORS = (
    ["cards", "errors", "files", "looking", "moved"],
    ["words"],
    ["rules"],
    ["game"],
    ["games"],
    ["theory"],
    ["bots"],
    ["widget"],
    ["board"],
    ["lessons"],
    ["classroom"],
)
"""The house from the ground up: a module imports from its own floor or from one below."""
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): ast.parse(path.read_text(encoding="utf-8"))
    for path in PACKAGE.rglob("*.py")
}
FACES = {
    "durak_widget.theory": {"durak_widget.board.trees.tree", "durak_widget.board.matrices.matrix"},
    "durak_widget.words.__main__": {"durak_widget.rules.told"},
    "durak_widget.lessons": {name for name in MODULES if name.startswith("durak_widget.classroom.")},
}
"""A public face, or a command, may name what is above it: it fetches that when it is asked for, and nothing is built on it."""
OPTIONS = {option.name for option in fields(Rules)}
OWNER = {name: home.__module__ for home in Rules.__mro__[1:-1] for name in home.__annotations__}
READ_EVERY_OPTION = {"durak_widget.rules.book", "durak_widget.rules.variants"}


def only_for_types(node: ast.AST) -> bool:
    """Whether this is an `if TYPE_CHECKING:` block, which imports nothing when the program runs."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports(tree: ast.AST, *, running: bool) -> set[str]:
    """The modules of the package that a module imports; `running` leaves out what only types need, and imports in functions."""
    found: set[str] = set()
    queue = list(ast.iter_child_nodes(tree))
    while queue:
        node = queue.pop()
        if running and (only_for_types(node) or isinstance(node, ast.FunctionDef)):
            continue
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("durak_widget"):
            inside = {f"{node.module}.{name.name}" for name in node.names} & MODULES.keys()
            found |= inside or {node.module}
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names if name.name.startswith("durak_widget")}
        queue += ast.iter_child_nodes(node)
    return found


def floor(module: str) -> int:
    """How high up in the house a module lives; the public face is on top of all."""
    own = ([*module.split("."), ""])[1]
    return next((height for height, names in enumerate(FLOORS) if own in names), len(FLOORS))


@pytest.mark.parametrize("module", sorted(MODULES))
def test_no_import_climbs(module: str) -> None:
    """A module imports from its own floor or one below, even for types and inside functions."""
    climbs = {name for name in imports(MODULES[module], running=False) if floor(name) > floor(module)}
    assert not climbs - FACES.get(module, set())


def test_imports_run_in_no_circle() -> None:
    """Follow the imports from any module, those for types and those inside functions too, and you never come back to it."""
    graph = {module: imports(tree, running=False) & MODULES.keys() for module, tree in MODULES.items() if module != "durak_widget"}
    assert not circle(graph)


def test_the_arrows_between_rooms_run_one_way() -> None:
    """As between floors, so between the rooms of one: who goes from a room to what it imports, types too, never comes back to it. A face may fetch from above."""
    graph: dict[str, set[str]] = {}
    for module, tree in MODULES.items():
        others = {room(name) for name in imports(tree, running=False) - FACES.get(module, set()) if name != "durak_widget"}
        if module != "durak_widget":
            graph.setdefault(room(module), set()).update(others - {room(module)})
    assert not circle(graph)
    assert graph["durak_widget.games.solving"] == {f"durak_widget{name}" for name in ("", ".games.trees", ".games.matrices")}


def test_games_know_no_card() -> None:
    """Trees, matrices and solvers import the ground's errors and each other, and nothing else of the house: they could be a package of their own."""
    for module, tree in MODULES.items():
        if module.startswith("durak_widget.games"):
            others = {name for name in imports(tree, running=False) if not name.startswith("durak_widget.games")}
            assert others <= {"durak_widget.errors"}, module


ROOMIEST = 15
"""So many modules a room has at most."""
ROOMIER = {
    "durak_widget.game": "one room still: what happens in a game, what is seen of it, what is written of it",
    "durak_widget.rules": "a module for each question of the rule book",
    "durak_widget.widget": "one room still: the table, what is meant there, and what is done beside it",
}
"""Rooms that have more, and why. It may only get shorter."""


def test_a_room_is_seen_at_a_glance() -> None:
    """No folder has more modules than that, beside the one that says what is asked there."""
    many = Counter(room(module) for module in MODULES if module != room(module))
    assert {name for name, count in many.items() if count > ROOMIEST} == ROOMIER.keys()


def test_the_front_end_imports_in_no_circle() -> None:
    """The same for its modules, types too; and out of its folder they reach for the drawings and words of Python alone."""
    sources = {path.stem: path.read_text(encoding="utf-8") for path in (PACKAGE / "frontend" / "src").glob("*.ts")}
    told = {name: re.findall(r'^(?:import|export) [^;]*?from "([^"]+)"', text, re.MULTILINE) for name, text in sources.items()}
    graph = {name: {one.removeprefix("./") for one in others if one.startswith("./")} for name, others in told.items()}
    assert graph["table"] >= {"play", "keyboard"}
    assert not circle(graph)
    assert {one for others in told.values() for one in others if not one.startswith("./")} <= {
        "../../game/drawings.json",
        "../test/words.json",
    }


def circle(graph: dict[str, set[str]]) -> list[str]:
    """A way through the imports that leads back to where it began; none if there is none."""
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> list[str]:
        if module in path:
            return [*path, module]
        if module not in done:
            for other in sorted(graph.get(module, ())):
                if found := visit(other, (*path, module)):
                    return found
            done.add(module)
        return []

    return next((found for module in sorted(graph) if (found := visit(module, ()))), [])


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


@pytest.mark.parametrize("module", sorted(MODULES.keys() - READ_EVERY_OPTION))
def test_an_option_is_read_only_by_its_owner(module: str) -> None:
    """Each option is read in the module that declares it, and nowhere else but in the book."""
    foreign = {name for name in reads_of_options(MODULES[module]) if OWNER[name] != module}
    assert not foreign
    assert not any(isinstance(node, ast.Name) and node.id == "getattr" and "rules" in module for node in ast.walk(MODULES[module]))


def test_every_option_is_read_by_its_owner() -> None:
    """No option is for show."""
    assert OWNER.keys() == OPTIONS
    for name, module in OWNER.items():
        assert name in reads_of_options(MODULES[module]), f"{module} declares {name} and never reads it"


@pytest.mark.parametrize("module", ["engine", "state", "kit"])
def test_the_engine_names_no_variant(module: str) -> None:
    """Neither a preset nor the value of an option stands in the engine: it is told numbers, masks and tables."""
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
        for node in ast.walk(MODULES[f"durak_widget.game.{module}"])
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert not named & (values | set(Rules.presets())) - verbs
    assert not imports(MODULES[f"durak_widget.game.{module}"], running=True) & READ_EVERY_OPTION


def test_only_solvers_above_the_game_touch_the_whole_truth() -> None:
    """Above `game/`, only `theory/` and the searching bots import the state, what carries out moves on it, or the way from a view to one."""
    allowed = ("durak_widget.theory", "durak_widget.bots.searching")
    truth = (".state", ".engine", ".bouts", ".swapping", ".story", ".line")
    for module, tree in MODULES.items():
        if floor(module) > floor("durak_widget.game") and module != "durak_widget" and not module.startswith(allowed):
            assert not {name for name in imports(tree, running=False) if name.endswith(truth)}, module
            named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
            assert not named & {"state_of", "sight_of"}, module


LONGEST = 400
"""So many lines of code can be kept in mind."""
TREE = Path(__file__).resolve().parent.parent
MADE = {"node_modules", "static", "build", "dist"}
"""Folders of what was made or fetched; so is what begins with a dot."""


def code() -> Iterator[Path]:
    """Every file of Python, TypeScript or JavaScript that somebody here has written."""
    for folder, folders, names in os.walk(TREE):
        folders[:] = [name for name in folders if name not in MADE and not name.startswith(".")]
        yield from (Path(folder, name) for name in names if name.endswith((".py", ".ts", ".mjs")))


def test_no_file_of_code_is_too_long() -> None:
    """A line knows its room: no file is longer, of tests and tools too, but for the words and the game itself, half of which is examples that run."""
    lines = {path.relative_to(TREE): path.read_text(encoding="utf-8").count("\n") for path in code()}
    free = {Path("durak_widget/game/game.py"), *(path for path in lines if path.parent == Path("durak_widget/words"))}
    assert {path.as_posix(): count for path, count in lines.items() if count > LONGEST and path not in free} == {}
    assert {"durak_widget", "tests", "tools", "benchmarks"} <= {path.parts[0] for path in lines}
    assert len(lines) > 200


@pytest.mark.parametrize("name", ["ipywidgets", "numpy", "anywidget", "IPython"])
def test_the_model_is_light(name: str) -> None:
    """Importing the package, and playing with it, pulls in no widget and no numpy."""
    code = f"import sys, durak_widget as d; d.Match(seed=1).game.view(0); d.Game(seed=1).svg(); sys.exit({name!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_bots_come_when_they_are_asked_for() -> None:
    """Importing the package, and playing with it, imports no bot; the name is there none the less, and one bot brings no other."""
    code = """
import sys, durak_widget
durak_widget.Match(seed=1).game.view(0)
here = lambda: {name.removeprefix("durak_widget.bots") for name in sys.modules if name.startswith("durak_widget.bots")}
assert "bots" in dir(durak_widget) and not here()
assert durak_widget.bots.names() and here() == {"", ".bot", ".playing"}
assert durak_widget.bots.get("careful") and here() == {"", ".bot", ".playing", ".careful"}
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_public_names_are_there() -> None:
    """Every public name can be had and shows an example, and another one is refused with the list."""
    for name in durak_widget.__all__:
        assert ">>>" in getattr(durak_widget, name).__doc__, name
        assert name in dir(durak_widget)
    with pytest.raises(AttributeError, match="it has BotError, BoutEnd, Card, "):
        _ = durak_widget.Gmae
