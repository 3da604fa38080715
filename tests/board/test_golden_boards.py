"""Test stored drawings of trees: the messages from Python to the page, which the TypeScript tests read too.

python tests/board/test_golden_boards.py --write      writes all files again, for review

They use the language of `tests/support/languages/qkv.py`, in which a sentence is its key and its facts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import ipywidgets

from board.boards import drawing_cards, ending, hidden, load_file
from durak_widget import board, gametheory
from support.keyed import keyed_language
from support.textbook import kuhn

BOARDS = Path(__file__).resolve().parents[2] / "durak_widget" / "frontend" / "test" / "boards"
COMMAND = "python tests/board/test_golden_boards.py --write"


def horse():
    """Selten's horse: three players, and an information set across two levels."""
    return board.Tree(load_file("horse"), depth=9)


def kuhn_begins():
    """Kuhn's poker, two levels open: nodes with more behind them, and dashed lines that cross others."""
    return board.Tree(kuhn(), depth=2)


def cards():
    """An ending of Durak with open hands, whole: cards on branches, downwards."""
    return board.Tree(ending(), depth=9, direction="down")


def solved():
    """The same, solved: the path lit, values at the nodes."""
    view = board.Tree(ending(), depth=9, values=True)
    view.solve()
    return view


def deals():
    """All deals of a small deck, one of them opened, looked at and searched, with labels of its author."""
    view = board.Tree(hidden(), depth=1)
    view.go_to(26)
    view.find("take")
    view.add_label(26, "taken for the third time")
    view.add_label((0, "take"), "the only way")
    return view


def draws():
    """Open hands: chance draws from the talon in the middle of the play."""
    return board.Tree(drawing_cards(), depth=3)


def beer():
    """Beer or quiche: it may be drawn from the middle to both sides."""
    return board.Tree(gametheory.textbook("beer-quiche"), depth=9)


MOMENTS = {make.__name__: make for make in (horse, kuhn_begins, cards, solved, deals, draws, beer)}


def drawing_file(name):
    """Return the text of a drawing's file, one line for each part."""
    with keyed_language():
        view = MOMENTS[name]()
        state = {**view.get_state(["solution_view", "direction", "values"]), "drawing": view.drawing}
        state["solution"] = state.pop("solution_view")
        view.close()
    lines = [f'  "about": {format_fact(" ".join(MOMENTS[name].__doc__.split()))}']
    lines += [f"  {format_fact(part)}: {format_fact(state[part])}" for part in ("direction", "values", "solution")]
    facts = [f"    {format_fact(fact)}: {format_fact(value)}" for fact, value in state["drawing"].items()]
    return "{\n" + ",\n".join([*lines, '  "drawing": {\n' + ",\n".join(facts) + "\n  }"]) + "\n}\n"


def format_fact(fact):
    """Return a fact in one line."""
    return json.dumps(fact, ensure_ascii=False)


def test_drawings_equal_their_stored_files():
    """A change of the messages to the page must be reviewed."""
    for name in MOMENTS:
        path = BOARDS / f"{name}.json"
        assert path.is_file(), f"run {COMMAND}"
        assert path.read_text(encoding="utf-8") == drawing_file(name), f"if this is meant, run {COMMAND} and read what has changed"
        assert json.loads(path.read_text(encoding="utf-8"))["drawing"]["nodes"]["id"][0] == 0


def test_every_stored_file_has_a_drawing():
    """No file is left over."""
    assert {path.stem for path in BOARDS.glob("*.json")} == MOMENTS.keys()


def write():
    """Write all files again."""
    BOARDS.mkdir(parents=True, exist_ok=True)
    for path in BOARDS.glob("*.json"):
        path.unlink()
    for name in MOMENTS:
        (BOARDS / f"{name}.json").write_text(drawing_file(name), encoding="utf-8", newline="\n")
    ipywidgets.Widget.close_all()


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(f"say {COMMAND}")
    write()
