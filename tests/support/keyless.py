"""Objects that fail when they are looked at: keys of questions, and answers."""

from __future__ import annotations

from typing import Any

from durak_widget.exercises.blackboard_exercise import BoardQuestion


class Keyless:
    """A key that must not be used: every access is an error that names it."""

    def __init__(self, name: str) -> None:
        object.__setattr__(self, "_name", name)

    def __getattribute__(self, what: str) -> Any:
        raise AssertionError(f"{object.__getattribute__(self, '_name')} was looked at ({what})")


for _what in [
    "bool",
    "call",
    "contains",
    "eq",
    "ge",
    "getitem",
    "gt",
    "hash",
    "iter",
    "le",
    "len",
    "lt",
    "ne",
    "repr",
    "str",
    "format",
    "add",
    "radd",
    "sub",
    "neg",
    "abs",
    "float",
    "int",
    "index",
]:
    setattr(
        Keyless,
        f"__{_what}__",
        lambda self, *_, what=_what: (_ for _ in ()).throw(
            AssertionError(f"{object.__getattribute__(self, '_name')} was looked at ({what})")
        ),
    )


class CountableKey(Keyless):
    """A key of which only the length may be known: whether one move decides a position."""

    def __init__(self, name: str, length: int) -> None:
        super().__init__(name)
        object.__setattr__(self, "_length", length)

    def __len__(self) -> int:
        return object.__getattribute__(self, "_length")


OPEN = {
    *("_tree", "tree", "matrix", "question", "player", "_players", "_nodes", "required_nodes", "_asks_everywhere", "_decision_nodes"),
    *("_is_weak", "_cells", "_game", "max_loss", "evaluator", "shown_loss", "graded_loss", "_starting_strategy"),
}
"""Attributes that an open board question may use: what is shown, and the answers. Everything else counts as its key."""
_EVERY = {
    *("_answer", "_answer_grade", "_attempt_count", "_callbacks", "_explanation", "_is_grading_deferred", "_is_revealed", "_is_solved"),
    *("_language", "_number", "is_closed", "name", "offline_hint_key", "warning"),
}
_BOARDS = {"_addressed_player", "_board_question", "_last_answer", "_marks", "_payoff_tree", "_tree", "matrix", "tree"}
OPEN_TO = {
    "BotExercise": _EVERY
    | {
        "_author_question",
        "_base_games",
        "_habit_rows",
        "_is_own_bot_required",
        "_score",
        "_seconds",
        "_shown_rules",
        "goal",
        "paired_games",
    },
    "OnMatrix": _EVERY | _BOARDS,
    "OnTree": _EVERY | _BOARDS,
    "Position": _EVERY
    | {"_deciding_ply", "_goal", "_goal_outcome", "_judged_state", "_opponents", "_reachability", "_reachable_by_moves", "_seat"}
    | {"_solution_moves", "_start_game", "_stored_moves", "_table_game", "_table_options", "table"},
    "KeylessExercise": _EVERY
    | {"_are_cards_hand", "_game", "_game_after", "_has_few_answers", "_outcome", "_question", "_seal_messages", "_seals"}
    | {"_seat", "answer_form", "snapshot"},
    "StrategyExercise": _EVERY | _BOARDS | {"_is_loss_shown_live", "_strategy_question"},
}
"""The same for each kind of kept question. A new kind must be added here; otherwise its test fails with its name."""


def keys_of(task: Any) -> list[tuple[Any, str]]:
    """Return where a question stores its answer: each attribute not known to be public."""
    asked = getattr(task, "_board_question", None)
    on_board = [(asked, name) for name in vars(asked) if name not in OPEN] if isinstance(asked, BoardQuestion) else []
    return on_board + [(task, name) for name in vars(task) if name not in OPEN_TO[type(task).__name__]]


def revealed_payoffs(told: list[Any]) -> list[str]:
    """Return the hidden cells of a payoff table whose payoffs a page was sent all the same."""
    asking = [
        cell
        for cell in told
        if isinstance(cell, dict) and cell.get("question_view", {}).get("question_kind") == "fill" and cell["matrix_view"]
    ]
    places = [(cell["matrix_view"]["cells"], *map(int, place.split(","))) for cell in asking for place in cell["question_view"]["cells"]]
    return [f"{row}, {column}" for cells, row, column in places if cells[row][column] != -1]
