"""The bot that stands in a notebook: what chooses, with all that it uses from whichever cell, as a text. No cell is run."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import read_json
from durak_widget.errors import BotError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHOOSE: Final = "choose"
_NOT_PYTHON: Final = ("%", "!", "?")
"""So a line begins that speaks to the notebook and is no Python."""
_DEFINES: Final = (ast.FunctionDef, ast.ClassDef)


def code_of_notebook(text: str, name: str) -> str:
    r"""The text of the bot in a notebook: the last function of a view (and chance), or class with such a `choose`; and what it uses.

    >>> cells = ["import random\nN = 3", "%timeit 1\ndef lowest(view):\n    return view.legal_moves()[0]", "def mine(view, rng):\n    return lowest(view)", "print(mine)"]
    >>> import json
    >>> print(code_of_notebook(json.dumps({"cells": [{"cell_type": "code", "source": one} for one in cells]}), "ann.ipynb"))
    def lowest(view):
        return view.legal_moves()[0]
    <BLANKLINE>
    def mine(view, rng):
        return lowest(view)
    <BLANKLINE>
    choose = mine
    <BLANKLINE>
    """
    nodes = [node for source in _sources(text, name) for node in _statements(source)]
    chosen = next((node for node in reversed(nodes) if isinstance(node, _DEFINES) and _chooses(node)), None)
    if not isinstance(chosen, _DEFINES):
        raise BotError(f"no cell of {quoted(name)} defines a bot: a function choose(view, rng), or a class that has one")
    given: dict[str, list[tuple[int, ast.stmt]]] = {}
    for place, node in enumerate(nodes):
        for called in _given(node):
            given.setdefault(called, []).append((place, node))
    wanted, kept = {chosen.name}, dict[int, ast.stmt]()
    queue = [chosen.name]
    while queue:
        one = queue.pop()
        for place, node in _meaning(given.get(one, [])):
            if place not in kept:
                kept[place] = node
                new = _used(node) - wanted
                wanted |= new
                queue += new
    future = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    try:
        written = [ast.unparse(node) for node in (*future[:1], *(kept[place] for place in sorted(kept)))]
    except RecursionError:
        raise BotError(f"the bot in {quoted(name)} is nested too deep to be read") from None
    return "\n\n".join([*written, *([] if chosen.name == _CHOOSE else [f"{_CHOOSE} = {chosen.name}"])]) + "\n"


def _sources(text: str, name: str) -> Iterator[str]:
    """The code cells, in their order."""
    try:
        cells = read_json(text)["cells"]
        sources = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError):
        raise BotError(f"{quoted(name)} is no notebook that can be read; save it once more, or hand in a file such as 'ann.py'") from None
    for source in sources:
        lines = source if isinstance(source, str) else "".join(map(str, source)) if isinstance(source, list) else ""
        yield "\n".join("" if line.lstrip().startswith(_NOT_PYTHON) else line for line in lines.splitlines())


def _statements(source: str) -> list[ast.stmt]:
    """The statements of a cell; none, where it is no Python."""
    try:
        return ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _chooses(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """Whether that is a bot: a function called so or of a view, or a class that has one."""
    if isinstance(node, ast.ClassDef):
        return any(isinstance(one, ast.FunctionDef) and one.name == _CHOOSE for one in node.body)
    told = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    return node.name == _CHOOSE or told in (["view"], ["view", "rng"])


def _meaning(there: list[tuple[int, ast.stmt]]) -> list[tuple[int, ast.stmt]]:
    """Of the statements that say what a name is those that hold: the last definition or import, or all plain assignments."""
    last = next((one for one in reversed(there) if not isinstance(one[1], (ast.Assign, ast.AugAssign, ast.AnnAssign))), None)
    return [one for one in there if last is None or one == last or one[0] > last[0]]


def _given(node: ast.stmt) -> set[str]:
    """The names to which a statement gives a meaning."""
    if isinstance(node, _DEFINES):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(one.asname or one.name).partition(".")[0] for one in node.names}
    targets: list[Any] = (
        node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else []
    )
    return {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}


def _used(node: ast.stmt) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
