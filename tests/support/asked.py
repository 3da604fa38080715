"""Shared objects of lesson tests: positions, examples of exercises, a recording page, a board question and progress files."""

from __future__ import annotations

import json
import os
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from durak_widget.exercises.exercise_widget import ExerciseWidget

if TYPE_CHECKING:
    from pathlib import Path

    from durak_widget import Game

SETUP = """
from datetime import date
from tempfile import mkdtemp
from durak_widget import Game, gametheory, lessons
from durak_widget.lessons import *
THROWING = Game.from_position(hands=["7h 9s Kd 7s", "Th Jh"], trump="s", attacker=0, table="7c/9c")
DEFENDING = Game.from_position(hands=["9c Ah 7d", "Jd Qs"], trump="h", table="7c", attacker=1)
def coins(won=1, seen=False):
    return gametheory.from_efg(f'''EFG 2 R "Matching pennies" {{ "Even" "Odd" }}
p "" 1 1 "Even" {{ "heads" "tails" }} 0
p "" 2 1 "Odd" {{ "heads" "tails" }} 0
t "" 1 "" {{ {won}, {-won} }}
t "" 2 "" {{ -1, 1 }}
p "" 2 {2 if seen else 1} "Odd" {{ "heads" "tails" }} 0
t "" 2
t "" 3 "" {{ 1, -1 }}''')
"""
"""The code that a notebook runs before the examples."""

_NAMES: dict[str, Any] = {}
exec(SETUP, _NAMES)  # noqa: S102 - our own examples
coins = _NAMES["coins"]
"""Matching pennies. Odd may see Even's coin (`seen`), or lose another sum on two heads."""
THROWING: Game = _NAMES["THROWING"]
DEFENDING: Game = _NAMES["DEFENDING"]


class Example(NamedTuple):
    """An exercise as made in a notebook."""

    code: str
    wrong: Any = None
    """A wrong answer, if there is one."""
    other: str = ""
    """The same question with another right answer, if that makes a difference."""

    def make(self, language: str = "en", code: str = "") -> Any:
        """Return the exercise in that language."""
        exercise = eval(code or self.code, dict(_NAMES))  # noqa: S307 - our own examples
        exercise.language = language
        return exercise


ONE_OF_EACH = {
    "Pick": Example("Pick('Which?', '7c 8c', '7c')", "8c", "Pick('Which?', '7c 8c', '8c')"),
    "Sort": Example(
        "Sort('6s Ac 7c Ks', trump='s', question='In which row?')",
        "6s Ac 7c Ks",
        "Sort('6s Ac 7c Ks', trump='c', question='In which row?')",
    ),
    "Choose": Example("Choose('Who?', {'a': 'A.', 'b': 'B.'}, right='b')", "a", "Choose('Who?', {'a': 'A.', 'b': 'B.'}, right='a')"),
    "Predict": Example(
        "Predict.next_to_act(THROWING, 'throw 7h')",
        0,
        "Predict(Predict.next_to_act(THROWING, 'throw 7h').question, {'0': 'You.', '1': 'He.'}, '0', named={'0': 'You', '1': 'Player 2'},"
        " game=THROWING)",
    ),
    "WhatIf": Example(
        "WhatIf(DEFENDING, {'beat 7c 9c': 'It is cheap.', 'take': 'No need.'}, better='beat 7c 9c')",
        "take",
        "WhatIf(DEFENDING, {'beat 7c 9c': 'It is cheap.', 'take': 'No need.'}, better='take')",
    ),
    "Number": Example(
        "Number('How likely?', '1/4', mistakes={'contrary': '3/4'})",
        "3/4",
        "Number('How likely?', '1/3', mistakes={'contrary': '2/3'})",
    ),
    "Position": Example(
        "Position(DEFENDING, goals.find_move({'beat 7c 9c': 'It is cheap.'}), solution=['beat 7c 9c'], pace=0, motion=False)",
        "take",
        "Position(DEFENDING, goals.find_move({'take': 'It is a gift.'}), solution=['take'], pace=0, motion=False)",
    ),
    "Endings": Example("Endings(5, seed=1, goal=1, pace=0, motion=False)", "beat Tc Kc"),
    "Daily": Example("Daily(today=lambda: date(2026, 3, 2), folder=mkdtemp(), pace=0, motion=False)", "beat 9s Ks"),
    "MyEndings": Example("MyEndings(pace=0, motion=False)", "attack 6c"),
    "OnTree": Example("OnTree.values(coins(seen=True))", ["0", "1"], "OnTree.values(coins(-3, seen=True))"),
    "OnMatrix": Example("OnMatrix.best(gametheory.matrix(coins()))", [(0, 0, 0)], "OnMatrix.best(gametheory.matrix(coins(-3)))"),
    "Strategy": Example("Strategy(coins())", {0: "heads"}, "Strategy(coins(3))"),
    "Bot": Example(
        "Bot(13, pairs=10, seed='a')",
        {"lead": "high", "beat": "high", "take": "never", "throw": "none"},
    ),
    "Drill": Example("Drill('beats', seed=1, goal=1)", []),
    "Guided": Example("Guided(seed=7, others={1: 'first'}, pace=0, motion=False)"),
    "Progress": Example("Progress()"),
}
"""The examples, by the name of their class."""


class RecordingPage(ExerciseWidget):
    """A page that records its messages to the browser."""

    def send(self, content: object, buffers: object = None) -> None:  # noqa: ARG002
        """Record the message."""
        self.told = [*getattr(self, "told", []), content]


posix = pytest.mark.skipif(os.name != "posix", reason="links, modes and pipes as on Unix")
SOLVED = {"attempts": 2, "solved": True}


def write_progress(path: Path, **fields: object) -> Path:
    """Write a progress file with these fields."""
    path.write_text(json.dumps({"version": 2, **fields}), encoding="utf-8")
    return path


def read_progress(path: Path) -> dict[str, object]:
    """Return what the file contains now."""
    return json.loads(path.read_text(encoding="utf-8"))


class Asks:
    """A question on a tree or a matrix that records the answers."""

    is_over = False

    def __init__(self, question_kind, **shown):
        self.question_kind, self.facts, self.given = question_kind, shown, []

    def to_message(self):
        """Return what the page gets."""
        return deepcopy(self.facts)

    def handle_answer(self, message):
        """Record an action of a person."""
        self.given.append({name: value for name, value in message.items() if name != "kind"})
