"""What stood on a floor before it had rooms is found there still: handed-out notebooks and scripts name it so."""

from __future__ import annotations

import pickle
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import durak_widget
from durak_widget import moved

PACKAGE = Path(durak_widget.__file__).parent
BEFORE = [line.split() for line in (Path(__file__).parents[1] / "data" / "places_before.txt").read_text(encoding="utf-8").splitlines()[1:]]
"""Every module where it stood, and the names that were documented there."""


@pytest.mark.parametrize("place", BEFORE, ids=" ".join)
def test_what_stood_there_is_found_there(place: list[str]) -> None:
    """The module, which goes on being called by where it stands; where a room has its name, the room answers for it; and each name that was documented."""
    old, *names = place
    for bridge, package in (("spiel", "pyspiel"), ("pettingzoo", "pettingzoo")):
        if old.endswith(bridge):
            pytest.importorskip(package)
    module = import_module(old)
    assert import_module(module.__name__) is module
    assert (PACKAGE.parent / Path(*module.__name__.split("."))).with_suffix(".py").exists() or hasattr(module, "__path__")
    for name in names:
        assert getattr(module, name) is not None


def test_the_list_is_whole() -> None:
    """It was written from the files and the page of names, and is not what stands here today."""
    assert len({old for old, *_ in BEFORE}) > 290
    assert sum(len(line) > 1 for line in BEFORE) > 140


def test_of_what_stood_on_a_floor_one_is_found() -> None:
    """Two of one name, and it would depend on a folder's order which one."""
    for old in {old for old, *_ in BEFORE if old.count(".") == 2}:
        floor, _, module = old.removeprefix("durak_widget.").partition(".")
        assert len({*moved._places(floor, module)}) <= 1, old


def test_the_faces_know_where_their_names_stand() -> None:
    """No public name is looked for by its old place."""
    code = """
import importlib
from durak_widget import moved
asked = []
find = moved.Moved.find_spec
moved.Moved.find_spec = lambda self, name, *more: (asked.append(name) if name.startswith("durak_widget") else None, find(self, name, *more))[1]
for face in ("durak_widget", "durak_widget.theory", "durak_widget.games", "durak_widget.lessons", "durak_widget.bots"):
    module = importlib.import_module(face)
    for name in dir(module):
        getattr(module, name)
assert not asked, asked
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stderr == ""


@pytest.mark.parametrize(("old", "new"), sorted(moved._CALLED.items()))
def test_what_is_called_otherwise_is_found_by_what_it_was_called(old: str, new: str) -> None:
    """Handed-out notebooks know it by nothing else; and no module has come to stand where it stood."""
    assert import_module(f"durak_widget.{old}") is import_module(f"durak_widget.{new}")
    assert not (PACKAGE / Path(*old.split("."))).with_suffix(".py").exists()


def test_what_was_pickled_is_read() -> None:
    """A game, an exercise with a named mistake and its answer name classes by where they stood, and by what they were called."""
    for module, name, now in (
        ("durak_widget.game.saving", "Deal", "durak_widget.game.written.saving.Dealt"),
        ("durak_widget.game.sight", "state_of", "durak_widget.game.seen.restored.state_of"),
        ("durak_widget.lessons.number", "Mistake", "durak_widget.lessons.numbers.number.NamedMistake"),
        ("durak_widget.lessons.exercise", "Judged", "durak_widget.lessons.kit.exercise.Opinion"),
    ):
        found = pickle.loads(f"c{module}\n{name}\n.".encode())
        assert f"{found.__module__}.{found.__qualname__}" == now


def test_an_old_place_can_be_run() -> None:
    """As `python -m` does it."""
    code = [sys.executable, "-m", "durak_widget.classroom.report"]
    assert subprocess.run(code, capture_output=True, text=True, check=False).returncode == 0


@pytest.mark.parametrize(
    "name", ["durak_widget.classroom.nothing", "durak_widget.nothing", "durak_widget.game.keys", "durak_widget.classroom.handing.keys"]
)
def test_what_never_was_is_not_found(name: str) -> None:
    """By the name that was asked for."""
    with pytest.raises(ModuleNotFoundError, match=name):
        import_module(name)
