"""What runs in Pyodide: a student answers the problem set in a folder, rightly and wrongly, and it is marked there. Prints JSON."""

import json
import sys
import tempfile
from pathlib import Path


def main() -> dict[str, object]:
    """What is found there."""
    from durak_widget import lessons  # noqa: PLC0415 - it lies in /project

    folder = tempfile.mkdtemp()
    homework = lessons.homework("econ431", student="Ann", folder=folder)
    said = {}
    for question in homework.assignment.questions:
        task = homework.assignment.create_exercise(question.name, "Ann")
        given = mixed_evenly(task) if question.kind == "strategy" else task.solution  # the best one asks for numpy
        said[question.name] = str(homework.answer(question.name, 1 if question.name == "how-likely" else given))
    tried = homework.answer("bot", {"code": "def choose(view):\n    return view.legal_moves()[0]"})
    [receipt] = Path(folder).glob("*.json")
    unrun, run = (lessons.mark(folder, jobs=0, run_code=run_code) for run_code in (False, True))
    return {
        "where": sys.platform,
        "said": said,
        "tried": str(tried),
        "receipt": receipt.read_text(encoding="utf-8"),
        "marks": unrun.to_csv(),
        "bot": run.rows[-1].explanation,
        "page": lessons.class_report(unrun).html,
    }


def mixed_evenly(task: object) -> dict[str, dict[str, str]]:
    """A strategy of whom that question asks about, and not the best one."""
    own = {place: one for place, one in enumerate(task.tree.infosets) if one.player == 1}
    return {str(place): {str(move): f"1/{len(one.actions)}" for move in one.actions} for place, one in own.items()}


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path.insert(0, "/project")
    sys.path.append("/site")
    sys.modules["numpy"] = sys.modules["scipy"] = None  # those in /site are not made for it
    sys.stdout.write("\n" + json.dumps(main()) + "\n")
