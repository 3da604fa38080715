"""Measures how long it takes to make, answer, mark and report 200 students' homework.

It also measures a bot that runs in the sandbox.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

from durak_widget import Game, bots, lessons
from durak_widget.homework.assignment import get_assignment
from durak_widget.homework.receipt import Receipt, StoredAnswer
from durak_widget.sandbox.code_runner import SandboxedBot

if TYPE_CHECKING:
    from collections.abc import Iterator

FIRST = "def choose(view):\n    return view.legal_moves()[0]\n"
GAMES = 50


@contextmanager
def measured(what: str) -> Iterator[None]:
    """Print the time of a `with` block, and the CPU time of processes that ended in it."""
    start, used = perf_counter(), sum(os.times()[:4])
    yield
    print(f"{what:<32} {perf_counter() - start:6.2f} s, of computing {sum(os.times()[:4]) - used:6.2f} s")


def answered(folder: str, students: int) -> None:
    """Write the students' receipts, with two of three answers right.

    If the bot question is wrong, its answer is a bot as code.
    """
    assignment = get_assignment("econ431")
    for number in range(students):
        name, answers = f"Student {number}", {}
        for place, question in enumerate(assignment.questions):
            task = assignment.create_exercise(question.name, name)
            if (number + place) % 3:
                task.answer(task.solution)
            elif question.kind == "bot":
                answers[question.name] = StoredAnswer({"code": FIRST}, 1)
            if task.last_answer is not None:
                answers[question.name] = StoredAnswer(json.loads(json.dumps(task.last_answer)), 1)
        Path(folder, f"{number}.json").write_text(Receipt(assignment.name, "", name, answers).to_text(), encoding="utf-8")


def main(students: int) -> None:
    """Measure each step, and print the times."""
    print(f"{students} students, {len(get_assignment('econ431').questions)} questions, {os.cpu_count()} cores")
    with TemporaryDirectory() as folder, TemporaryDirectory() as cache_folder:
        os.environ["XDG_CACHE_HOME"] = cache_folder
        with measured("made and answered, on one core"):
            answered(folder, students)
        with measured("marked"):
            marks = lessons.mark(folder)
        with measured("marked again"):
            lessons.mark(folder)
        Path(folder, "0.json").write_text(Path(folder, "0.json").read_text(encoding="utf-8").replace("Student 0", "Late"), encoding="utf-8")
        with measured("reported, after one came late"):
            lessons.class_report(folder)
        with measured("reported from marks"):
            lessons.class_report(marks)
        print(f"{len(marks.problems)} troubles, {sum(row.credit == 1 for row in marks.rows)} full answers")
    with measured(f"{GAMES} games of a bot here"):
        for seed in range(GAMES):
            bots.play(Game(seed=seed), ["first", "first"], seed)
    with measured(f"{GAMES} games behind walls"), SandboxedBot(FIRST) as bot:
        for seed in range(GAMES):
            bots.play(Game(seed=seed), [bot, "first"], seed)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
