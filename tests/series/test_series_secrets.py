"""Test that lessons show no solution near its exercise, except for checked places."""

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
from durak_widget.exercises.student_progress import find_lesson
from durak_widget.i18n import Translator
from durak_widget.lessons import Number, Pick, Position

PATHS = [
    path
    for path in sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))
    if path.name[:2] not in {"14", "17"}  # the problem set has its own tests; in lesson 17 answers are programs
]
EVERYWHERE = {"you", "player 2", "player 3", "player 4", "tim", "uncle yasha", "aunt lida", "lev", "zina", "grandmother", "yes", "no"}
"""Answers whose words are in almost every text."""


def lesson_number(path: Path) -> str:
    """Return the number of a notebook, such as 07 or 07b."""
    return path.name.partition("_")[0]


def normalize(text: str) -> str:
    """Return a text for comparison: lower case, simple characters, single spaces."""
    text = re.sub(r"<[^>]*alt=\"([^\"]*)\"[^>]*>", r" \1 ", text)
    text = re.sub(r"<[^>]+>", " ", unescape(text).replace("\ufe0e", ""))
    return " ".join(text.translate(str.maketrans({"⁄": "/", "−": "-", "’": "'"})).lower().split())


def solution_words(task: Any) -> list[list[str]]:
    """Return the ways to reveal the solution: lists of words that must all appear."""
    given = [str(item) for item in task.solution]
    if isinstance(task, Number):
        return [given]
    if isinstance(task, Position):
        cards = [move.split()[-1] for move in given[:1] if " " in move]  # the first is the question
    elif isinstance(task, Exercise):
        items = task._items()
        words = [task._translate(items[key]) for key in given if items.get(key)]
        if words:
            return [] if {normalize(word) for word in words} <= EVERYWHERE else [words]
        cards = given if isinstance(task, Pick) else []  # sorted cards are named anyway
    else:
        return []  # boards have many answers
    return [[str(Translator(cards=how).name_card(Card(card))) for card in cards] for how in ("signs", "words")] if cards else []


def contains_words(text: str, words: list[str]) -> bool:
    """Return whether a text contains all of these words."""
    return all(re.search(rf"(?<![\w/.-]){re.escape(normalize(word))}(?![\w/]|\.\d)", text) for word in words)


def visible_text(cell: Any) -> str:
    """Return what a reader sees of a cell: its text, or its code's output unless it is an exercise."""
    if cell.cell_type == "markdown":
        return normalize(re.sub(r"(?s)<details><summary>Solutions.*?</details>", "", cell.source))
    if "exercise" in cell.metadata.get("tags", ()):
        return ""
    return normalize(" ".join(output.get("text", "") + str(output.get("data", {}).get("text/plain", "")) for output in cell.outputs))


def exercises_of(path: Path) -> list[tuple[int, Any]]:
    """Return the exercises of a notebook, each with the index of its cell."""
    found: list[tuple[int, Any]] = []
    names: dict[str, Any] = {}
    exercises: list[Any] = []
    begin = Task.__init__
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        patch.setattr(Task, "__init__", lambda self, *given, **more: (exercises.append(self), begin(self, *given, **more))[1])
        for place, cell in enumerate(nbformat.read(path, as_version=4).cells):
            if cell.cell_type == "code":
                exec(compile(cell.source, path.name, "exec"), names)  # noqa: S102 - our own notebooks
                found += [(place, task) for task in exercises if find_lesson(task.name) == lesson_number(path)]
                exercises.clear()
    return found


def revealed_solutions(path: Path) -> set[tuple[str, str]]:
    """Return each exercise whose solution is near it, and where: in its picture or some cells away."""
    cells, found = nbformat.read(path, as_version=4).cells, set()
    for place, task in exercises_of(path):
        near = {at - place: visible_text(cells[at]) for at in range(max(0, place - 2), min(len(cells), place + 3)) if at != place}
        texts = {f"{away:+d}": text for away, text in near.items()}
        if isinstance(task, Exercise) and not isinstance(task, Pick):  # the picture shows the hand to pick from
            texts["picture"] = normalize(str(task.draw_question_picture() or ""))
        found |= {(task.name, where) for where, text in texts.items() if any(contains_words(text, way) for way in solution_words(task))}
    return found


HAND = "The text lists the whole hand, and does not say which card to play."
TREE = "The tree lists every move, and numbers its nodes."
GUESS = "The text asks for a guess first; the count below, or the list of players above, belongs to it."
HARMLESS = {
    ("03/limit", "+1"): "Three is the number of players there.",
    ("04/challenge", "-1"): HAND,
    ("05/challenge", "-1"): HAND,
    ("07/challenge", "-1"): HAND,
    ("07/crazy-or-japanese", "-1"): "The text explains both games that are to choose from.",
    ("07/crazy-or-japanese", "+1"): "That is the name of a third game.",
    ("07b/challenge", "-1"): HAND,
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
"""Places where a solution near its exercise is harmless, with the reason."""


@pytest.mark.release
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_no_solution_is_shown_near_its_exercise(path: Path) -> None:
    """Places that were read and found harmless are listed."""
    assert revealed_solutions(path) == {place for place in HARMLESS if find_lesson(place[0]) == lesson_number(path)}
