"""Listen to the solvers: which of their functions run while a widget is used."""

from __future__ import annotations

import ast
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from typing import TYPE_CHECKING

import durak_widget
from durak_widget.exercises.blackboard_exercise import Asked
from durak_widget.exercises.exercise import Exercise
from durak_widget.homework.keyless_exercise import Sealed

if TYPE_CHECKING:
    from types import CodeType, FrameType

ROOT = Path(durak_widget.__file__).parent
PACKAGES = (
    *("gametheory", "analysis", "bots", "widgets", "table", "board", "editor", "tournament_widget", "exercises", "lessons"),
    *("homework", "paper_exams", "duplicate_deals", "econ431", "custom_games", "grading", "class_games", "classroom"),
)
"""The packages whose code can run while a widget is used."""
NOT_INSTALLED = tuple(
    module for module, package in (("openspiel_bridge", "pyspiel"), ("pettingzoo_env", "pettingzoo")) if find_spec(package) is None
)
"""Modules that cannot be imported here, because they need a package that is not installed."""

SOLVER_PACKAGES = ("gametheory/", "analysis/", "bots/")
"""Every function here solves or advises, except those in NOT_SOLVING."""
SOLVING = {
    "board/iterated_elimination": {"*"},
    "board/strategy_state": {"worth_of"},
    "exercises/duplicate_bot_games": {"*"},
    "exercises/goals": {"_answers", "_each_has_its_own", "_ending", "gone", "open", "assign", "way"},
    "exercises/strategy_loss": {"*"},
    "gametheory/strategy": {"_simplest", "near_strategies"},
    "grading/answer_grading": {"*"},
    "table/hints": {"*"},
    "table/opponent_remarks": {"*"},
}
"""Functions that say how good something is, by module; `*` is the whole module.

In both lists a function's own name wins over `*`, and `*` wins over SOLVER_PACKAGES.
"""
NOT_SOLVING = {
    # They show what every player may see: trees, tables of payoffs, strategies as the user gave them.
    "analysis/durak_tree": {"look_of"},
    "analysis/game_at_node": {"*"},
    "analysis/possible_worlds": {"_as_it_is"},
    "bots/bot": {"*"},
    "gametheory/number_parsing": {
        *("_broken", "_decimal", "_digits", "_digits_of", "_fraction", "_plain", "_read", "_summed", "_unit", "_whole"),
        *("beyond_writing", "exactly", "may_stand_for", "means", "parse_operand", "readings", "rounds", "writing"),
    },
    "gametheory/strategic_form": {
        *("_but", "_cells", "_check", "_named", "_payoffs", "_plans", "_reached", "_repr_html_", "_without", "how_many"),
        *("leads_along", "matrix", "own_paths", "plans_of", "pure_plans", "size_said", "zero_sum"),
    },
    "gametheory/strategy": {"*"},
    "gametheory/tree": {
        *("_by_levels", "_set_of", "children", "forgets", "grow", "histories", "infosets", "move_to", "moves_to"),
        *("readable", "require_tree", "terminals"),
    },
    # They read the game, or calculate with the user's own numbers.
    "board/iterated_elimination": {"alive", "left", "undo"},
    "gametheory/beliefs": {"members"},
    "gametheory/best_responses": {"answerer"},  # follows from what the payoffs add up to
    "gametheory/bimatrix_equilibria": {"a_matrix"},
    "gametheory/certificate": {"rounded"},
    "gametheory/game_properties": {"in_decimals", "memories", "moves_are_seen", "zero_sum"},
    "gametheory/player_labels": {"default_name", "is_unnamed", "player_names", "player_number"},
    "gametheory/signalling_games": {"_signals", "no_signals", "signalling"},  # the drawing depends on who moves first and knows more
    "gametheory/zero_sum_solver": {"hides"},  # the tree shows what is hidden
    "table/hints": {"of_task"},  # the exercise's own hint
}
"""Functions of those packages and modules that say nothing of what is good, by module."""
DEALS = "analysis/deal_enumeration"
"""It goes through all possible worlds to find how the cards of a tree were dealt. The spy ignores what it calls."""
KEYS = {"judge", "part_done", "solution", "attempts", "equilibria"}
"""What a blackboard question knows of its answer; other exercises have `_judge`."""


@cache
def import_everything() -> None:
    """Import every module, so that the spy hears no late imports. Check that the lists above name what exists."""
    for package in PACKAGES:
        for module in walk_packages(import_module(f"durak_widget.{package}").__path__, f"durak_widget.{package}."):
            if not module.name.endswith(("__main__", *NOT_INSTALLED)):
                import_module(module.name)
    missing = sorted(name for listed in (SOLVING, NOT_SOLVING, {DEALS: {"*"}}) for name in _missing(listed))
    assert not missing, f"tests/support/solver_spy.py lists what does not exist: {', '.join(missing)}"


def _missing(listed: dict[str, set[str]]) -> list[str]:
    """Return the modules and functions of a list that do not exist."""
    missing = []
    for module, names in listed.items():
        path = ROOT / f"{module}.py"
        if not path.exists():
            missing.append(module)
            continue
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        defined = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
        missing += [f"{module}.{name}" for name in names - defined - {"*"}]
    return missing


class SolverSpy:
    """Hear every call in Python, and keep the names of functions that work out an answer."""

    def __init__(self) -> None:
        import_everything()
        self.heard: set[str] = set()
        self._names: dict[CodeType, str] = {}
        self._depth = 0

    def __enter__(self) -> SolverSpy:
        self._before = sys.getprofile()
        sys.setprofile(self._hear)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self._before)

    def _hear(self, frame: FrameType, event: str, _: object) -> None:
        if event not in ("call", "return"):
            return
        code = frame.f_code
        name = self._names.get(code)
        if name is None:
            name = self._names[code] = solver_name(code)
        if name == DEALS:
            self._depth += 1 if event == "call" else -1
        elif name and not self._depth and event == "call" and _is_of_question(name, frame.f_locals.get("self")):
            self.heard.add(name)


def solver_name(code: CodeType) -> str:
    """Return the module and name of a function that may solve; an empty string for every other."""
    path, function = Path(code.co_filename), code.co_name
    if not path.is_relative_to(ROOT):
        return ""
    module = path.relative_to(ROOT).with_suffix("").as_posix()
    if module == DEALS:
        return DEALS
    return f"{module}.{function}" if _solves(module, function) else ""


def _solves(module: str, function: str) -> bool:
    solving, not_solving = SOLVING.get(module, set()), NOT_SOLVING.get(module, set())
    if function in not_solving or function.startswith(("<", "__")):
        return False
    if function in solving:
        return True
    if "*" in not_solving:
        return False
    return "*" in solving or module.startswith(SOLVER_PACKAGES) or function in KEYS | {"_judge"}


def _is_of_question(name: str, owner: object) -> bool:
    """Return whether a call is of the question itself: its page has methods of the same names."""
    function = name.rpartition(".")[2]
    if function in KEYS and name.startswith(("exercises/", "lessons/")):
        return isinstance(owner, Asked)
    return function != "_judge" or (isinstance(owner, Exercise) and not isinstance(owner, Sealed))
