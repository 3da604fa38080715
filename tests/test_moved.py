"""What stood on a floor before it had rooms is found there still: handed-out notebooks and scripts name it so."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import durak_widget

PACKAGE = Path(durak_widget.__file__).parent
FLOORS = {"games": "theory", "theory": "theory", "board": "board", "lessons": "lessons", "classroom": "classroom"}
GONE = [
    (f"durak_widget.{FLOORS[floor]}.{path.stem}", ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
    for floor in FLOORS
    for path in sorted((PACKAGE / floor).glob("*/*.py"))
    if not path.stem.startswith("_")
    and path.parent.name not in {"econ431", "results", "commands", "desks"}
    and path.stem not in {"spiel", "openspiel", "pettingzoo"}
]


def test_a_module_is_the_same_by_its_old_place_and_by_its_own() -> None:
    """And it goes on being called by its own; where a room has the name of a module that stood there, the room is meant."""
    assert len(GONE) > 150
    for old, new in GONE:
        if (PACKAGE.parent / Path(*old.split("."))).is_dir():
            continue
        module = import_module(old)
        assert module is import_module(new), old
        assert (module.__name__, module.__spec__.name) == (new, new)


def test_no_two_modules_of_a_floor_have_one_name() -> None:
    """Or it would not be known which one is meant."""
    assert len({old for old, _ in GONE}) == len(GONE)


@pytest.mark.parametrize(
    "name", ["durak_widget.classroom.nothing", "durak_widget.nothing", "durak_widget.game.keys", "durak_widget.classroom.handing.keys"]
)
def test_what_never_was_is_not_found(name: str) -> None:
    """By the name that was asked for."""
    with pytest.raises(ModuleNotFoundError, match=name):
        import_module(name)
