"""No text of the project names a module or a file of the package in full that does not exist.

Imports, types and doctests find most wrong names. This finds those in prose, comments, strings, notebooks and configuration.
"""

from __future__ import annotations

import ast
import re
import subprocess
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from support.sources import PACKAGE, ROOT, module_paths

if TYPE_CHECKING:
    from collections.abc import Iterator

DOTTED = re.compile(r"(?<![\w.-])durak_widget(?:\.[A-Za-z_]\w*)+")
IMPORTED = re.compile(r"\bfrom (durak_widget(?:\.\w+)*) import (\w+(?: as \w+)?(?:, \w+(?: as \w+)?)*)")
PATH = re.compile(r"(?<![\w.-])(?<!durak-widget/)(?<!github\.io/)durak_widget/(?:[\w./*-]|\{[\w,.]*\}?)+")
SHORT_PATH = re.compile(r"(?<![\w./*<>{}$-])(?:\.\./)*[A-Za-z_][\w-]*(?:/[\w.-]+)+\.(?:py|ts|css|mjs)(?!\w)")
"""A path from the package, from the scripts of the front end or from the file that names it, such as `rules/option.py`."""

WRITTEN_BEFORE = {
    "tests/data/saved/": "saved work as the package of that time wrote it",
    "durak_widget/sandbox/former_module_names.py": "former names, for programs in receipts; a test looks for the names of today",
    "tests/sandbox/test_former_names.py": "former names",
    "tests/test_saved_homework.py": "names that saved work has",
}
DECISIONS = "docs/adr/"
"""A record of a decision may name a file of that time by its short path."""
NO_MODULES = {
    "durak_widget.receipt": "a file format, durak_widget.receipt/1",
    "durak_widget.questions": "a file format, durak_widget.questions/1",
    "durak_widget.judged": "a file format, durak_widget.judged/1",
    "durak_widget.class_bot": "a file format, durak_widget.class_bot/1",
    "durak_widget.Gmae": "a test asks for a name that is misspelt",
    "durak_widget.nothing": "a test asks for a module that does not exist",
    "durak_widget.i18n.nothing": "a test asks for a name that does not exist",
    "durak_widget.i18n.loud": "a test adds this language",
    "durak_widget.i18n.qaa": "a test adds this language",
}
NO_FILES = {
    "durak_widget/static": "made by tools/frontend.py; git does not track it",
    "durak_widget/frontend/.test": "made by tools/frontend.py; git does not track it",
    "durak_widget/notebooks": "the place of the notebooks in a wheel",
    "bots/ann.py": "a student's file in a test",
    "collected/ann.py": "a student's file in a test",
    "no/such.py": "a test asks for a file that does not exist",
    "course/nbgrader_config.py": "a teacher's file",
    "open_spiel/python/tests/games_sim_test.py": "a file of OpenSpiel",
}


def lines() -> Iterator[tuple[str, int, str]]:
    """Return each line that may name a module or file, with its file and number, of all text files that git tracks or would add."""
    command = ["git", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for path in filter(Path.is_file, map(ROOT.joinpath, filter(None, listed.split("\0")))):
        data, file = path.read_bytes(), path.relative_to(ROOT).as_posix()
        if b"\0" in data or file.startswith(tuple(WRITTEN_BEFORE)):
            continue
        for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
            if "durak_widget" in line or ".py" in line or ".ts" in line or ".css" in line or ".mjs" in line:
                yield file, number, line


@cache
def text_of(module: str) -> str:
    """Return the text of a module."""
    return module_paths()[module].read_text(encoding="utf-8")


@cache
def names_of(module: str) -> set[str]:
    """Return the names that a module defines or imports, also those that a package imports when somebody asks for them."""
    found, nodes = {"__file__", "__name__"}, [*ast.parse(text_of(module)).body]
    while nodes:
        node = nodes.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
            continue
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        nodes += ast.iter_child_nodes(node)
    return found | set(dir(import_module(module))) if "__getattr__" in found else found


@cache
def has_name(name: str) -> bool:
    """Return whether a dotted name is a module, or begins with a module and a name in it."""
    parts = name.split(".")
    length = next(length for length in range(len(parts), 0, -1) if ".".join(parts[:length]) in module_paths())
    if length == len(parts) or name in NO_MODULES:
        return True
    module, first = ".".join(parts[:length]), parts[length]
    defined = re.search(
        rf"^(?:(?:async )?def|class) {first}\b|^{first}(?:: .+)? =", text_of(module), re.MULTILINE
    )  # as most are: this is quick
    return defined is not None or first in names_of(module)


@cache
def has_path(path: str) -> bool:
    """Return whether the files of a path exist; of a pattern, its folder."""
    if path.startswith(tuple(NO_FILES)):
        return True
    parts = [part.split(",") for part in re.split(r"\{(\w+(?:,\w+)+)\}", path)]
    for alternative in map("".join, product(*parts)):
        plain, pattern, _ = re.split("([{*]|$)", alternative, maxsplit=1)
        fixed = (plain.rpartition("/")[0] if pattern else plain).rstrip(".")
        if not ((ROOT / fixed).exists() or (ROOT / f"{fixed}.py").exists()):
            return False
    return True


def has_short_path(path: str, file: str) -> bool:
    """Return whether a path in a file leads somewhere from one of the folders that people leave out."""
    folders = (ROOT, PACKAGE, PACKAGE / "frontend", PACKAGE / "frontend" / "src", ROOT / "tests", *(ROOT / file).parents)
    return path in NO_FILES or any((folder / path).exists() for folder in folders)


def wrong_names(file: str, line: str) -> Iterator[str]:
    """Return the names in a line of a file that lead nowhere."""
    yield from (name for name in DOTTED.findall(line) if not has_name(name))
    for module, names in IMPORTED.findall(line):
        imported = (f"{module}.{name.partition(' as ')[0]}" for name in names.split(", "))
        yield from (name for name in imported if not has_name(name))
    yield from (path for path in PATH.findall(line) if not has_path(path))
    if not file.startswith(DECISIONS):
        yield from (path for path in SHORT_PATH.findall(line) if not has_short_path(path, file))


def test_every_module_and_file_that_is_named_exists() -> None:
    """Where a module moves, every text that names it must change too."""
    wrong = [f"{file}:{number}: {name}" for file, number, line in lines() for name in dict.fromkeys(wrong_names(file, line))]
    assert not wrong, "\n".join(wrong)
