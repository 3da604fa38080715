"""`python -m benchmarks.marking`: how long it takes to make, answer and mark the homework of 200 students, and what a bot costs that is given as code."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from durak_widget import Game, bots, lessons
from durak_widget.classroom.assignment import get
from durak_widget.classroom.confined import Confined
from durak_widget.classroom.receipt import Kept, Receipt

FIRST = "def choose(view):\n    return view.legal_moves()[0]\n"
GAMES = 50


def main(students: int) -> None:
    """Measure, and print."""
    assignment = get("econ431")
    with TemporaryDirectory() as folder:
        start = perf_counter()
        for number in range(students):
            name, answers = f"Student {number}", {}
            for place, question in enumerate(assignment.questions):
                task = assignment.task(question.name, name)
                if (number + place) % 3:
                    task.answer(task.solution)
                elif question.kind == "bot":
                    answers[question.name] = Kept({"code": FIRST}, 1)
                if task.given is not None:
                    answers[question.name] = Kept(json.loads(json.dumps(task.given)), 1)
            Path(folder, f"{number}.json").write_text(Receipt(assignment.name, "", name, answers).text(), encoding="utf-8")
        made = perf_counter() - start
        marks = lessons.mark(folder)
        print(f"{students} students, {len(assignment.questions)} questions: made and answered in {made:.1f} s on one core")
        print(
            f"marked in {perf_counter() - start - made:.1f} s; {len(marks.troubles)} troubles, {sum(row.credit == 1 for row in marks.rows)} full answers"
        )
    start = perf_counter()
    for seed in range(GAMES):
        bots.play(Game(seed=seed), ["first", "first"], seed)
    here = perf_counter() - start
    start = perf_counter()
    with Confined(FIRST) as bot:
        for seed in range(GAMES):
            bots.play(Game(seed=seed), [bot, "first"], seed)
    print(f"{GAMES} games of a bot: {here:.2f} s here, {perf_counter() - start:.2f} s behind walls")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
