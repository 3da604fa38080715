"""Record which functions of solvers run while a widget is used."""

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
from durak_widget.exercises.blackboard_exercise import BoardQuestion
from durak_widget.exercises.exercise import Exercise
from durak_widget.homework.keyless_exercise import KeylessExercise

if TYPE_CHECKING:
    from types import CodeType, FrameType

ROOT = Path(durak_widget.__file__).parent
PACKAGES = (
    *("gametheory", "analysis", "bots", "widgets", "table", "board", "editor", "tournament_widget", "exercises", "lessons"),
    *("homework", "paper_exams", "duplicate_deals", "econ431", "custom_games", "grading", "class_games", "classroom", "live"),
)
"""The packages whose code can run while a widget is used."""
NOT_INSTALLED = tuple(
    module for module, package in (("openspiel_bridge", "pyspiel"), ("pettingzoo_env", "pettingzoo")) if find_spec(package) is None
)
"""Modules that cannot be imported here, because they need a package that is not installed."""

SOLVER_PACKAGES = ("gametheory/", "analysis/", "bots/")
"""Modules in which every function solves or advises, except those in NOT_SOLVING."""
SOLVING = {
    "board/iterated_elimination": {"*"},
    "board/strategy_state": {"compute_game_value"},
    "exercises/duplicate_bot_games": {"*"},
    "exercises/goals": {
        "_find_beating_cards",
        "_can_answer_all_attacks",
        "_solve_ending",
        "explain_missed_goal",
        "is_reachable",
        "assign",
        "find_move",
    },
    "exercises/strategy_loss": {"*"},
    "gametheory/strategy": {"_round_to_simplest", "generate_near_strategies"},
    "grading/answer_grading": {"*"},
    "table/hints": {"*"},
    "table/opponent_remarks": {"*"},
}
"""Functions that rate something, by module; `*` is the whole module. In both lists a function's own name wins over `*`, and `*` over SOLVER_PACKAGES.
"""
NOT_SOLVING = {
    # They show what every player may see: trees, tables of payoffs, strategies as the user gave them.
    "analysis/durak_tree": {"make_implicit_game"},
    "analysis/game_at_node": {"*"},
    "analysis/possible_worlds": {"_return_game"},
    "bots/bot": {"*"},
    "gametheory/number_parsing": {
        *(
            "_is_fraction_character",
            "_parse_decimal",
            "_keep_digits",
            "_format_real",
            "_parse_fraction",
            "_normalize_characters",
            "_parse_readings",
            "_parse_expression",
            "_last_digit_unit",
            "_parse_whole_number",
        ),
        *(
            "is_too_large_to_write",
            "parse_exact_number",
            "is_precise_rounding_of",
            "matches",
            "parse_operand",
            "parse_number_readings",
            "is_rounding_of",
            "format_number",
        ),
    },
    "gametheory/strategic_form": {
        *(
            "_without_index",
            "_cell_texts",
            "_require_size_within_limit",
            "_label_strategies",
            "_compute_payoffs",
            "_list_strategies_within_limit",
            "_find_paths_to_infosets",
            "_repr_html_",
            "_without_strategy",
            "count_pure_strategies",
        ),
        *("follows_path", "matrix", "compute_own_paths", "list_pure_strategies", "generate_pure_strategies", "format_size", "is_zero_sum"),
    },
    "gametheory/strategy": {"*"},
    "gametheory/tree": {
        *(
            "_number_by_levels",
            "_find_or_add_infoset",
            "children",
            "describe_imperfect_recall",
            "build_tree",
            "history_count",
            "infoset_counts",
            "last_action",
            "actions_from_root",
        ),
        *("is_printable", "require_tree", "terminal_count"),
    },
    # They read the game, or calculate with the user's own numbers.
    "board/iterated_elimination": {"remaining_strategies", "remaining_matrix", "undo"},
    "gametheory/beliefs": {"list_infoset_nodes"},
    "gametheory/best_responses": {"find_responder"},  # follows from the sums of payoffs
    "gametheory/bimatrix_equilibria": {"to_matrix"},
    "gametheory/certificate": {"round_strategy"},
    "gametheory/game_properties": {"payoffs_fit_floats", "find_player_recalls", "has_observed_actions", "is_zero_sum"},
    "gametheory/player_labels": {"*"},
    "gametheory/signalling_games": {
        "_analyze_signalling",
        "describe_why_not_signalling",
        "require_signalling_game",
    },  # the drawing depends on who moves first and knows more
    "gametheory/zero_sum_solver": {"has_hidden_information"},  # the tree shows what is hidden
    "table/hints": {"wrap_task_hint"},  # the exercise's own hint
}
"""Functions of those packages and modules that rate nothing, by module."""
DEALS = "analysis/deal_enumeration"
"""It goes through all possible worlds to find how the cards of a tree were dealt. The spy ignores what it calls."""
KEYS = {"judge", "part_done", "solution", "attempts", "equilibria"}
"""Functions of a board question that use its answer; other exercises have `_grade_with_exercise`."""


@cache
def import_everything() -> None:
    """Import every module, so that no import happens later, and check that the lists above name what exists."""
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
    """Record every Python call of a function that computes an answer."""

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
    """Return whether a call belongs to the question itself, whose page has methods of the same names."""
    function = name.rpartition(".")[2]
    if function in KEYS and name.startswith(("exercises/", "lessons/")):
        return isinstance(owner, BoardQuestion)
    return function != "_judge" or (isinstance(owner, Exercise) and not isinstance(owner, KeylessExercise))
