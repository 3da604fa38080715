"""What nobody may look at while it is asked: the keys of questions, and what is to be found."""

from __future__ import annotations

from typing import Any

from durak_widget.exercises.blackboard_exercise import Asked


class Keyless:
    """A key that nobody may look at: whatever is done with it is an error that names it."""

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


class Counted(Keyless):
    """One of which only how long it is may be known: whether one move decides a position is told."""

    def __init__(self, name: str, length: int) -> None:
        super().__init__(name)
        object.__setattr__(self, "_length", length)

    def __len__(self) -> int:
        return object.__getattribute__(self, "_length")


OPEN = {
    *("_tree", "tree", "table", "question", "seat", "_seats", "_nodes", "wanted", "_whole", "_may", "_weak", "_cells", "_game"),
    *("at_most", "by", "found", "lost", "_blank"),
}
"""What a question on a board may look at while it is asked: what is shown, and what was given. Whatever else it knows is taken for its key."""
_EVERY = {
    *("_asked", "_callbacks", "_given", "_judged", "_keeps", "_language", "_number", "_revealed", "_solved", "_tries", "_why"),
    *("caution", "closed", "name", "to_answer"),
}
_BOARDS = {"_drawn", "_last", "_marks", "_tree", "_you", "table", "tree"}
OPEN_TO = {
    "Bot": _EVERY | {"_least", "_order", "_own", "_score", "_seconds", "_shown", "goal", "instance"},
    "OnMatrix": _EVERY | _BOARDS,
    "OnTree": _EVERY | _BOARDS,
    "Position": _EVERY
    | {"_ahead", "_finding", "_found_at", "_goal", "_laid", "_line", "_looks", "_open", "_others", "_seat", "_shown", "_start", "table"},
    "Sealed": _EVERY | {"_after", "_few", "_game", "_heard", "_is_hand", "_outcome", "_question", "_seals", "_seat", "on_paper", "paper"},
    "Strategy": _EVERY | _BOARDS | {"_live", "_playing"},
}
"""The same of each kind of question that is kept: a kind that is new is to be added here, else it fails by its name."""


def keys_of(task: Any) -> list[tuple[Any, str]]:
    """Where a question keeps what is right: each attribute that is not known to be open."""
    asked = getattr(task, "_asked", None)
    on_board = [(asked, name) for name in vars(asked) if name not in OPEN] if isinstance(asked, Asked) else []
    return on_board + [(task, name) for name in vars(task) if name not in OPEN_TO[type(task).__name__]]


def uncovered(told: list[Any]) -> list[str]:
    """The cells of a table of payoffs that are asked for, and of which a page was told all the same what they are worth."""
    asking = [one for one in told if isinstance(one, dict) and one.get("task", {}).get("asks") == "fill" and one["matrix"]]
    places = [(one["matrix"]["cells"], *map(int, place.split(","))) for one in asking for place in one["task"]["cells"]]
    return [f"{row}, {column}" for cells, row, column in places if cells[row][column] != -1]
