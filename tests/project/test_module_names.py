"""No text of the project names a module or a file that does not exist.

Imports, types and doctests find most wrong names. This finds those in prose, comments, strings, notebooks and configuration.
A short name, such as `sources.py` or `tree.DecisionNode`, is checked in prose only: docs, docstrings and comments.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING

from support.sources import PACKAGE, ROOT, module_paths

if TYPE_CHECKING:
    from collections.abc import Iterator

DOTTED = re.compile(r"(?<![\w.-])durak_widget(?:\.[A-Za-z_]\w*)+")
IMPORTED = re.compile(r"\bfrom (durak_widget(?:\.\w+)*) import (\w+(?: as \w+)?(?:, \w+(?: as \w+)?)*)")
PATH = re.compile(r"(?<![\w.-])(?<!durak-widget/)(?<!github\.io/)durak_widget/(?:[\w./*-]|\{[\w,.]*\}?)+")
SHORT_PATH = re.compile(r"(?<![\w./*<>{}$-])(?:\.\./)*[A-Za-z_][\w-]*(?:/[\w.-]+)+\.(?:py|ts|css|mjs)(?!\w)")
"""A path from the package, from the scripts of the front end or from the file that names it, such as `rules/option.py`."""
BARE_FILE = re.compile(r"(?<![\w./*<>{}$@-])[A-Za-z_][\w-]*\.(?:py|ts|css|mjs)(?![\w(/])")
SHORT_NAME = re.compile(r"`(?!durak_widget\.)([A-Za-z_]\w*)\.([A-Za-z_]\w*)(?!\w)")
"""A module and a name in it, or a variable and an attribute: `tree.DecisionNode`, `game.play`."""
ENDINGS = {"cff", "css", "csv", "efg", "html", "ipynb", "json", "md", "mjs", "py", "toml", "ts", "txt", "wasm", "yml"}
"""File extensions, which look like names in a module."""

STRING = r"""\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"""
PROSE = {
    "py": re.compile(rf"""(\"{{3}}.*?\"{{3}}|'{{3}}.*?'{{3}}|#[^\n]*)|{STRING}""", re.DOTALL),
    "ts": re.compile(rf"(//[^\n]*|/\*.*?\*/)|{STRING}|`(?:\\.|[^`\\])*`", re.DOTALL),
}
"""Docstrings and comments in the group, other strings without it, by the ending of a file."""
PROSE["mjs"] = PROSE["ts"]
WHOLE = ("Makefile", "css", "html", "ipynb", "md", "sh", "toml", "yaml", "yml")
"""Files whose whole text is checked."""

WRITTEN_BEFORE = {
    "tests/data/saved/": "saved work as the package of that time wrote it",
    "durak_widget/sandbox/former_module_names.py": "former names, for programs in receipts; a test looks for the names of today",
    "tests/sandbox/test_former_names.py": "former names",
    "tests/test_saved_homework.py": "names that saved work has",
}
DECISIONS = "docs/adr/"
"""A record of a decision may name a file of that time by its short path."""
NO_MODULES = {
    "durak_widget.receipt": "a file format, durak_widget.receipt/2",
    "durak_widget.questions": "a file format, durak_widget.questions/2",
    "durak_widget.grades": "a file format, durak_widget.grades/2",
    "durak_widget.class_bot": "a file format, durak_widget.class_bot/1",
    "durak_widget.json": "a configuration file of Jupyter",
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
    "durak/code.css": "an address of a class session",
    "bots/ann.py": "a student's file in a test",
    "collected/ann.py": "a student's file in a test",
    "no/such.py": "a test asks for a file that does not exist",
    "course/nbgrader_config.py": "a teacher's file",
    "open_spiel/python/tests/games_sim_test.py": "a file of OpenSpiel",
}
NOT_OURS = {
    **dict.fromkeys(("app.py", "bakers.py", "best.py", "eva.py", "my_week.py", "try_it.py", "week.py", "week5.py"), "a reader's file"),
    "de.py": "a translation that a reader adds",
    "c.Exchange": "the configuration of nbgrader",
    "code.css": "an address of a class session",
    "crypto.randomUUID": "a function of browsers",
    "log.jsonl": "the log of a class session",
    "mo.ui": "marimo",
    "screen.how": "the beginning of a sentence's identifier",
    "screen.set": "the beginning of a sentence's identifier",
    "not_your_turn.taking": "a reason for a refusal",
    "Tree.trait_names": "a method of traitlets",
    "ui.page_fillable": "Shiny",
    "v1.kernel": "a protocol of Jupyter",
}
"""Short names in prose that the project does not define."""
PACKAGES = {"pandas", "polars", *sys.stdlib_module_names}
"""Packages of others that the docs name, besides those that the code imports."""


@cache
def tracked_files() -> list[str]:
    """Return the path of every file that git tracks."""
    command = ["git", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for path in filter(None, listed.split("\0")) if (ROOT / path).is_file()]


@cache
def texts() -> dict[str, str]:
    """Return the text files among them, by their paths."""
    data = {path: (ROOT / path).read_bytes() for path in tracked_files() if not path.startswith(tuple(WRITTEN_BEFORE))}
    return {path: text.decode(errors="replace") for path, text in data.items() if b"\0" not in text}


def lines() -> Iterator[tuple[str, int, str]]:
    """Return each line that may name a module or file in full, with its file and number."""
    for file, text in texts().items():
        for number, line in enumerate(text.splitlines(), 1):
            if "durak_widget" in line or ".py" in line or ".ts" in line or ".css" in line or ".mjs" in line:
                yield file, number, line


def prose() -> Iterator[tuple[str, int, str]]:
    """Return each line of docs, docstrings and comments that may have a short name, with its file and number."""
    for file, text in texts().items():
        ending = file.rpartition(".")[2]
        if file.startswith(DECISIONS) or ending not in (*WHOLE, *PROSE):
            continue
        parts = [(0, text)] if ending not in PROSE else [(found.start(1), found[1]) for found in PROSE[ending].finditer(text) if found[1]]
        for start, part in parts:
            if "`" in part or ".py" in part or ".ts" in part or ".css" in part or ".mjs" in part:
                first = text.count("\n", 0, start) + 1
                yield from ((file, number, line) for number, line in enumerate(part.splitlines(), first))


@cache
def python_code() -> dict[str, str]:
    """Return the text of each Python file without docstrings, comments and strings."""
    return {file: PROSE["py"].sub("", text) for file, text in texts().items() if file.endswith(".py")}


@cache
def code_words() -> set[str]:
    """Return every word of the project's Python code."""
    return {word for code in python_code().values() for word in re.findall(r"[A-Za-z_]\w*", code)}


@cache
def imported_packages() -> set[str]:
    """Return the packages of others that the package imports, and those in PACKAGES."""
    python = (code for file, code in python_code().items() if file.startswith("durak_widget/"))
    return {name for code in python for name in re.findall(r"^ *(?:from|import) (\w+)", code, re.MULTILINE)} | PACKAGES


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
    )  # most are, and this is quick
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


@cache
def has_short_name(first: str, second: str) -> bool:
    """Return whether `first` is a module and `second` a name in it, or both may be a variable and its attribute."""
    if f"{first}.{second}" in NOT_OURS or first in imported_packages() or second in ENDINGS:
        return True
    modules = [name for name in module_paths() if name.endswith(f".{first}")]
    if any(f"{module}.{second}" in module_paths() or second in names_of(module) for module in modules):
        return True
    if modules and "_" in first:  # too long for a variable
        return False
    is_class_or_constant = second[0].isupper() and first.islower()  # not an attribute of a variable
    return not is_class_or_constant and {first, second} <= code_words()


@cache
def has_bare_file(name: str) -> bool:
    """Return whether a file of the project or of the standard library has this name."""
    files = {path.rpartition("/")[2] for path in tracked_files()}
    return name in files or name in NOT_OURS or name.removesuffix(".py") in sys.stdlib_module_names


def wrong_short_names(line: str) -> Iterator[str]:
    """Return the short names in a line of prose that lead nowhere."""
    yield from (name for name in BARE_FILE.findall(line) if not has_bare_file(name))
    yield from (f"{first}.{second}" for first, second in SHORT_NAME.findall(line) if not has_short_name(first, second))


def wrong_names(file: str, line: str) -> Iterator[str]:
    """Return the names in a line of a file that lead nowhere."""
    yield from (name for name in DOTTED.findall(line) if not has_name(name))
    for module, names in IMPORTED.findall(line):
        imported = (f"{module}.{name.partition(' as ')[0]}" for name in names.split(", "))
        yield from (name for name in imported if not has_name(name))
    yield from (path for path in PATH.findall(line) if not has_path(path))
    if not file.startswith(DECISIONS):
        yield from (path for path in SHORT_PATH.findall(line) if not has_short_path(path, file))


def test_every_named_module_and_file_exists() -> None:
    """If a module moves, every text that names it must change too."""
    wrong = [f"{file}:{number}: {name}" for file, number, line in lines() for name in dict.fromkeys(wrong_names(file, line))]
    assert not wrong, "\n".join(wrong)


def test_every_short_name_in_prose_exists() -> None:
    """Test files and modules named without their folder or package."""
    wrong = [f"{file}:{number}: {name}" for file, number, line in prose() for name in dict.fromkeys(wrong_short_names(line))]
    assert not wrong, "\n".join(wrong)
