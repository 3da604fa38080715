"""Submissions for the tests of marking: receipts and notebooks, right, half right and wrong."""

from __future__ import annotations

import json

from durak_widget.homework.assignment import Assignment
from durak_widget.homework.receipt import MIME_TYPE
from support.classroom_kinds import ASSIGNMENT, wrong

MINE = "support.classroom_kinds:ASSIGNMENT"
"""The small assignment by a name that other processes can import."""


def receipt_answer(task, name, right):
    """Return an answer to that instance, as in a receipt."""
    task.answer(task.solution if right else wrong(task, name))
    return json.loads(json.dumps(task.last_answer))


def answers(student, right=lambda _: True, assignment=ASSIGNMENT):
    """Return answers to all questions, as in a receipt."""
    found = {}
    for place, question in enumerate(assignment.questions):
        task = assignment.create_exercise(question.name, student)
        found[question.name] = {"answer": receipt_answer(task, question.name, right(place)), "attempts": place % 3 + 1}
    return found


def receipt(student, kept=None, assignment=ASSIGNMENT):
    """Return a receipt."""
    kept = answers(student, assignment=assignment) if kept is None else kept
    return {
        "format": "durak_widget.receipt/2",
        "assignment": assignment.name,
        "edition": assignment.edition,
        "student": student,
        "answers": kept,
    }


def notebook(*cells):
    """Return a notebook: each text is a code cell, each receipt a cell with its output."""
    made = []
    for cell in cells:
        outputs = []
        if isinstance(cell, dict):
            data = {MIME_TYPE: cell, "text/plain": json.dumps(cell, indent=1).splitlines(keepends=True)}
            outputs = [{"output_type": "display_data", "data": data, "metadata": {}}]
            cell = "homework.hand_in()"  # noqa: PLW2901 - it is the text of the cell
        made.append(
            {"cell_type": "code", "source": cell.splitlines(keepends=True), "outputs": outputs, "metadata": {}, "execution_count": 1}
        )
    return {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def first_cell(student, assignment="all-kinds", more=""):
    """Return the first cell of a student's notebook."""
    return f"from durak_widget import lessons\nhomework = lessons.homework({assignment!r}, student={student!r}{more})"


def write_files(folder, **files):
    """Write files by name (`__` for a slash, `_` for the dot before the extension), and return the folder."""
    for name, content in files.items():
        place = folder / name.replace("__", "/").replace("_ipynb", ".ipynb").replace("_json", ".json")
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            place.write_bytes(content)
        else:
            place.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return folder


def mutate(text, rng):
    """Return a text with something wrong in it."""
    data, place = bytearray(text.encode()), rng.randrange(len(text))
    match rng.randrange(8):
        case 0:
            del data[place:]
        case 1:
            data[place] = rng.randrange(256)
        case 2:
            del data[place : place + rng.randrange(1, 40)]
        case 3:
            data[place:place] = rng.choice(
                [b'"', b"{", b"}", b"[", b"]", b",", b"\0", b"NaN", b"1e999", b"\xff", b"\\u0000", b"-", b"9" * 5000]
            )
        case 4:
            other = rng.randrange(len(data))
            data[place : place + 20], data[other : other + 20] = data[other : other + 20], data[place : place + 20]
        case 5:
            return bytes(data).replace(
                rng.choice([b'"answers"', b'"answer"', b'"attempts"', b'"student"', b'"cells"', b'"source"', b'"data"']), b'"x"'
            )
        case 6:
            deep = b"[" * rng.choice([5, 50, 5000])
            return (
                bytes(data).replace(b'"answer": ', b'"answer": ' + deep, 1).replace(b', "attempts"', b"]" * len(deep) + b', "attempts"', 1)
            )
        case _:
            wrong = rng.choice(
                [b"null", b"-1", b"1.5", b"true", b'""', b"[]", b"{}", b'"\\ud800"', b"1e400", b'{"code": "raise SystemExit"}']
            )
            key = rng.choice([b'"answer": ', b'"attempts": ', b'"student": ', b'"source": ', b'"outputs": ', b'"cells": ', b'"answers": '])
            return bytes(data).replace(key, key + wrong + b', "y": ', 1)
    return bytes(data)


SMALL = Assignment("small", "Small", [question for question in ASSIGNMENT.questions if question.name in ("picked", "few", "path")])
"""Three questions that are made quickly."""
FEW = "support.classroom_handing:SMALL"
