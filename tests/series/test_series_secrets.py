"""No exercise is answered beside it: wherever a lesson says its solution close by, there is a reason why that gives nothing away."""

from __future__ import annotations

import contextlib
import io
import re
from html import unescape
from pathlib import Path
from typing import Any

import nbformat
import pytest

from durak_widget.cards import Card
from durak_widget.exercises.base_exercise import Task
from durak_widget.exercises.exercise import Exercise
from durak_widget.i18n import Translator
from durak_widget.lessons import Number, Pick, Position

PATHS = [
    path
    for path in sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))
    if path.name[:2] not in {"14", "17"}  # the problem set has secrets of its own; in lesson 17 the answers are programs
]
EVERYWHERE = {"you", "player 2", "player 3", "player 4", "yes", "no"}
"""Answers whose words stand in nearly every text."""


def plain(text: str) -> str:
    """A text as it is compared: in small letters, with simple signs, each run of spaces one."""
    text = re.sub(r"<[^>]*alt=\"([^\"]*)\"[^>]*>", r" \1 ", text)
    text = re.sub(r"<[^>]+>", " ", unescape(text).replace("\ufe0e", ""))
    return " ".join(text.translate(str.maketrans({"⁄": "/", "−": "-", "’": "'"})).lower().split())


def solutions(task: Any) -> list[list[str]]:
    """The ways in which a text could give the solution away: in each, all of these words would have to be there."""
    given = [str(one) for one in task.solution]
    if isinstance(task, Number):
        return [given]
    if isinstance(task, Position):
        cards = [move.split()[-1] for move in given[:1] if " " in move]  # the first is what is asked
    elif isinstance(task, Exercise):
        items = task._items()
        words = [task._translate(items[one]) for one in given if items.get(one)]
        if words:
            return [] if {plain(one) for one in words} <= EVERYWHERE else [words]
        cards = given if isinstance(task, Pick) else []  # to sort cards is to name them
    else:
        return []  # on a board there are many answers
    return [[str(Translator(cards=how).name_card(Card(one))) for one in cards] for how in ("signs", "words")] if cards else []


def says(text: str, words: list[str]) -> bool:
    """Whether a text says all of these words."""
    return all(re.search(rf"(?<![\w/.-]){re.escape(plain(word))}(?![\w/]|\.\d)", text) for word in words)


def seen(cell: Any) -> str:
    """What a reader sees of a cell: its text, or what its code shows unless that is an exercise."""
    if cell.cell_type == "markdown":
        return plain(re.sub(r"(?s)<details><summary>Solutions.*?</details>", "", cell.source))
    if "exercise" in cell.metadata.get("tags", ()):
        return ""
    return plain(" ".join(one.get("text", "") + str(one.get("data", {}).get("text/plain", "")) for one in cell.outputs))


def tasks_of(path: Path) -> list[tuple[int, Any]]:
    """The exercises of a notebook, each with the place of its cell."""
    found: list[tuple[int, Any]] = []
    names: dict[str, Any] = {}
    made: list[Any] = []
    begin = Task.__init__
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        patch.setattr(Task, "__init__", lambda self, *given, **more: (made.append(self), begin(self, *given, **more))[1])
        for place, cell in enumerate(nbformat.read(path, as_version=4).cells):
            if cell.cell_type == "code":
                exec(compile(cell.source, path.name, "exec"), names)  # noqa: S102 - our own notebooks
                found += [(place, task) for task in made if task.name.startswith(path.name[:2])]
                made.clear()
    return found


def told_beside(path: Path) -> set[tuple[str, str]]:
    """Each exercise whose solution is said near it, and where: in its own picture, or that many cells before or after it."""
    cells, found = nbformat.read(path, as_version=4).cells, set()
    for place, task in tasks_of(path):
        near = {at - place: seen(cells[at]) for at in range(max(0, place - 2), min(len(cells), place + 3)) if at != place}
        texts = {f"{away:+d}": text for away, text in near.items()}
        if isinstance(task, Exercise) and not isinstance(task, Pick):  # the hand in the picture is what is picked from
            texts["picture"] = plain(str(task.draw_question_picture() or ""))
        found |= {(task.name, where) for where, text in texts.items() if any(says(text, way) for way in solutions(task))}
    return found


HAND = "The text lists the whole hand, and does not say which card to play."
TREE = "The tree lists every move, and numbers its nodes."
GUESS = "The text asks for a guess first; the count below, or the list of players above, belongs to it."
HARMLESS = {
    ("03/limit", "+1"): "Three is the number of players there.",
    ("04/challenge", "-1"): HAND,
    ("05/challenge", "-1"): HAND,
    ("07/challenge", "-1"): HAND,
    ("07/challenge", "-2"): "That is the card under the talon of another game.",
    ("07/crazy-or-japanese", "-1"): "The text explains both games that are to choose from.",
    ("07/crazy-or-japanese", "+1"): "That is the name of a third game.",
    ("08/challenge", "-1"): HAND,
    ("09/challenge", "-1"): HAND,
    ("09/tiny", "-1"): "There are two suits.",
    ("11/ends", "-2"): TREE,
    ("11/first-card", "+2"): TREE,
    ("12/seeing", "+2"): "The program that checks the answer comes after the next text.",
    ("13/price", "-2"): "That is the value of the game. The loss happens to be as large, and has to be worked out.",
    ("15/takes", "-2"): GUESS,
    ("15/takes", "-1"): GUESS,
    ("15/takes", "+2"): GUESS,
    ("15/trumps", "-2"): GUESS,
    ("15/trumps", "+1"): GUESS,
    ("18/half", "+1"): "Those are probabilities of moves, and the question asks for a belief.",
    ("19/ways", "-2"): TREE,
}
"""Where a solution is said near its exercise and gives nothing away, with the reason."""


@pytest.mark.release
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_no_solution_is_said_beside_its_exercise(path: Path) -> None:
    """Neither in its picture nor close to it, but for the places that were read and found harmless."""
    assert told_beside(path) == {place for place in HARMLESS if place[0].startswith(path.name[:2])}
