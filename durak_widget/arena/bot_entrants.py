"""Builds the entrants of a tournament from bot names, objects, files and notebooks.

Every entrant has a name of its own. Other people's code runs in the sandbox. A notebook is never run: the bot's code and everything it
uses are collected from the text of the cells.
"""

from __future__ import annotations

import ast
import os
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import entry_points
from inspect import getsource
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from durak_widget.atomic_files import read_json
from durak_widget.bots.bot import OWN, PEOPLE, get, is_name, names
from durak_widget.errors import BotError, nearest, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from durak_widget.bots.bot import Playing

GROUP: Final = "durak_widget.bots"
"""The group of entry points under which other packages name their bots."""
ENDINGS: Final = ".py", ".ipynb"
MOST_BYTES: Final = 1_000_000
MOST: Final = 1000
"""The most entrants in a tournament."""
_CHOOSE: Final = "choose"
_NOT_PYTHON: Final = ("%", "!", "?")
"""The starts of notebook lines that are not Python."""
_DEFINES: Final = (ast.FunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Entrant:
    """A bot in a tournament, in a form that can be sent to other processes.

    >>> entrants(["careful", "first"])[0]
    Entrant(name='careful', kind='ours', plays='careful', told='careful')
    """

    name: str
    kind: Literal["ours", "own", "code"]
    """A bot of this package, an object or function of the caller, or code that runs in a sandbox."""
    plays: Any
    """The name of the bot, the bot, or its code."""
    told: str
    """The text that tells bots of one name apart; a file recognizes its bots by it."""


def entrants(
    bots: Iterable[Playing | Path] | Mapping[str, Playing | Path] | str | os.PathLike[str], left_out: list[str] | None = None
) -> tuple[Entrant, ...]:
    """Return the entrants in order.

    A mapping gives them names; a folder stands for all bot files in it. A file in a folder that is not a bot, or is a link, is skipped,
    and the reason is added to `left_out`.

    >>> [entrant.name for entrant in entrants({"Ann": "careful", "Ben": lambda view, rng: view.legal_moves()[0]})]
    ['Ann', 'Ben']
    >>> entrants(["careful", "careful"])
    Traceback (most recent call last):
    durak_widget.errors.BotError: two are called 'careful'; give them names of their own: {"one": …, "other": …}
    """
    if isinstance(bots, (str, os.PathLike)):
        bots = [bots]  # type: ignore[list-item] # a folder, or a single bot, which is refused below
    try:
        named_bots: list[tuple[str, Any]] = list(bots.items()) if isinstance(bots, Mapping) else [("", bot) for bot in bots]
    except TypeError:
        raise BotError(f'who takes part is said by a list, such as ["careful", "ann.py"], not by {quoted(bots)}') from None
    left_out = [] if left_out is None else left_out
    groups = [(_is_folder(entry), list(_each(name, entry, left_out))) for name, entry in named_bots]
    taken_names = {entrant.name for is_folder, group in groups if not is_folder for entrant in group}
    result = list[Entrant]()
    for is_folder, group in groups:
        for entrant in group:
            if is_folder and entrant.name in taken_names:
                left_out.append(f"left out {quoted(entrant.name)}: another bot has that name")
            else:
                result.append(entrant)
                taken_names |= {entrant.name} if is_folder else set()
    for name in (entrant.name for entrant in result):
        if sum(entrant.name == name for entrant in result) > 1:
            raise BotError(f'two are called {quoted(name)}; give them names of their own: {{"one": …, "other": …}}')
    if not 2 <= len(result) <= MOST:
        raise BotError(f"{len(result)} take part; it takes at least two, and {MOST} at most")
    return tuple(result)


def _each(name: str, one: Any, left_out: list[str]) -> Iterator[Entrant]:  # noqa: ANN401 - whatever was given
    """Yield the entrant, or for a folder the entrant of every bot file in it."""
    if not _is_folder(one):
        yield _entrant(name, one)
        return
    try:
        files = sorted(path for path in Path(one).iterdir() if path.suffix in ENDINGS and not path.name.startswith((".", "_")))
    except OSError as error:
        raise BotError(f"the folder {quoted(str(one))} cannot be read: {error.strerror or type(error).__name__}") from None
    stems = [path.stem for path in files]
    results = [_bot_or_reason(path.stem if stems.count(path.stem) == 1 else path.name, path) for path in files]
    reasons = [reason for reason in results if isinstance(reason, str)]
    if len(reasons) == len(files):
        raise BotError(
            f"there is no bot in {quoted(str(one))}: a file of one ends with {' or '.join(ENDINGS)}{''.join(f'. {reason}' for reason in reasons)}"
        )
    left_out += [f"left out {reason}" for reason in reasons]
    yield from (entrant for entrant in results if isinstance(entrant, Entrant))


def _bot_or_reason(name: str, path: Path) -> Entrant | str:
    """Return the entrant of a file in a folder, or why the file is not a bot."""
    if path.is_symlink():
        return f"{quoted(path.name)}: it is a link, and links in a folder are not followed"
    try:
        return _of_file(name, path)
    except BotError as error:
        return f"{quoted(path.name)}: {error}"


def _is_folder(one: object) -> bool:
    """Return whether this is a folder; a bot of the same name comes first."""
    return isinstance(one, (str, os.PathLike)) and one not in (*OWN, *PEOPLE, *names()) and os.path.isdir(one)  # noqa: PTH112 - any text may be one


def _is_path(one: object) -> bool:
    return isinstance(one, os.PathLike) or (
        isinstance(one, str) and (one.endswith(ENDINGS) or os.sep in one) and "\n" not in one and "\0" not in one
    )


def _entrant(name: str, one: Any) -> Entrant:  # noqa: ANN401 - as above
    if isinstance(one, Entrant):
        return one
    if _is_path(one):
        return _of_file(name, Path(one))
    if isinstance(one, str) and (one in OWN or one in PEOPLE):
        return Entrant(_checked(name or one), "ours", one, one)
    if isinstance(one, str) and "\n" in one:
        return _of_code(name or "the code", one)
    if isinstance(one, str) and one not in names():
        return _of_package(name, one)
    bot = get(one)
    bot_type = type(bot.plays)
    class_name = bot.name
    if not callable(bot.plays) or hasattr(bot.plays, "choose"):  # anything else is a function
        # If the source can't be read, only the module distinguishes two classes of the same name.
        class_name = bot_type.__name__ if _source(bot_type) else f"{bot_type.__module__}.{bot_type.__qualname__}"
    return Entrant(_checked(name or bot.name), "own", bot, f"{bot.name} {class_name} {_told(bot.plays)}")


def is_same_bot(kept: str, said: str) -> bool:
    """Return whether a tournament file names the bot that is given now.

    Older files name the module of its class, too. A bot whose module has another name now is the same bot.

    >>> is_same_bot("thrifty my bots.Thrifty 00aa11bb22cc33dd", "thrifty Thrifty 00aa11bb22cc33dd")
    True
    >>> is_same_bot("thrifty my_bots.Thrifty 00aa11bb22cc33dd", "thrifty Thrifty 1111111111111111")
    False
    """
    stored_name, _, stored_digest = kept.rpartition(" ")
    given_name, _, given_digest = said.rpartition(" ")
    space_positions = [position for position, character in enumerate(given_name) if character == " "]  # a name may have spaces, too
    is_same_name = any(
        stored_name.startswith(given_name[: position + 1]) and stored_name.endswith(f".{given_name[position + 1 :]}")
        for position in space_positions
    )
    return kept == said or (stored_digest == given_digest and is_same_name)


def _of_file(name: str, path: Path) -> Entrant:
    """Return the entrant of a file, which is read but not run."""
    try:
        if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():  # a pipe never ends, and neither does /dev/zero
            raise BotError(f"{quoted(str(path))} is no file, but a pipe or a device, and so no bot")
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise BotError(f"{quoted(str(path))} cannot be read: {error.strerror or type(error).__name__}") from None
    except UnicodeDecodeError:
        raise BotError(f"{quoted(path.name)} is no text in UTF-8, and so no bot") from None
    if len(data) > MOST_BYTES:
        raise BotError(f"{quoted(path.name)} is longer than {MOST_BYTES} bytes, and so is no bot that somebody has written")
    return _of_code(name or path.stem, code_of_notebook(text, path.name) if path.suffix == ".ipynb" else text)


def _of_code(name: str, code: str) -> Entrant:
    if sys.platform == "emscripten":
        raise BotError(
            f"the code of {quoted(name)} is somebody else's and plays behind walls, and Python in a browser has none; functions of this notebook, and bots by their names, play here too"
        )
    return Entrant(_checked(name), "code", code, sha256(code.encode("utf-8", "surrogatepass")).hexdigest()[:16])


def _of_package(name: str, one: str) -> Entrant:
    """Return the entrant for an entry point of another package.

    It is imported in the sandbox where it plays, and has to be installed there.
    """
    entry_points_by_name = {point.name: point for point in entry_points(group=GROUP)}
    if one not in entry_points_by_name:
        raise BotError(
            f"there is no bot {quoted(one)}.{nearest(one, (*names(), *PEOPLE, *entry_points_by_name))} "
            f"bots.names() lists those of this package; a file is named by its whole name, as in 'ann.py'"
        )
    point = entry_points_by_name[one]
    module, _, attribute = point.value.partition(":")
    attribute_path = attribute.strip().replace(" ", "")
    return _of_code(
        name or one,
        f"import {module.strip()}\n\nchoose = {module.strip()}.{attribute_path}\n"
        if attribute_path
        else f"from {module.strip()} import choose\n",
    )


def _checked(name: str) -> str:
    if not is_name(name):
        raise BotError(f"the name of a bot is a short printable text, such as 'stubborn', not {quoted(name)}")
    return name


def _told(plays: Any) -> str:  # noqa: ANN401 - whatever somebody wrote
    """Return a hash of a bot's source, if it can be read, and its settings."""
    text = _source(plays if hasattr(plays, "__code__") or isinstance(plays, type) else type(plays))
    settings = sorted(
        (key, quoted(value)) for key, value in getattr(plays, "__dict__", {}).items() if isinstance(value, (str, int, float, bool))
    )
    return sha256(f"{text}{settings}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _source(thing: Any) -> str:  # noqa: ANN401 - as above
    """Return the source of a function or class; an empty string if it can't be read."""
    try:
        return getsource(thing)
    except (OSError, TypeError):
        return ""


def code_of_notebook(text: str, name: str) -> str:
    r"""Return the code of the bot in a notebook, with everything that it uses.

    The bot is the last function of a view (and a random generator), or the last class with such a `choose`.

    >>> cells = ["import random\nN = 3", "%timeit 1\ndef lowest(view):\n    return view.legal_moves()[0]", "def mine(view, rng):\n    return lowest(view)", "print(mine)"]
    >>> import json
    >>> print(code_of_notebook(json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells]}), "ann.ipynb"))
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
    definitions: dict[str, list[tuple[int, ast.stmt]]] = {}
    for index, node in enumerate(nodes):
        for defined_name in _given(node):
            definitions.setdefault(defined_name, []).append((index, node))
    needed, selected = {chosen.name}, dict[int, ast.stmt]()
    queue = [chosen.name]
    while queue:
        current = queue.pop()
        for index, node in _meaning(definitions.get(current, [])):
            if index not in selected:
                selected[index] = node
                new_names = _used(node) - needed
                needed |= new_names
                queue += new_names
    future_imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    try:
        parts = [ast.unparse(node) for node in (*future_imports[:1], *(selected[index] for index in sorted(selected)))]
    except RecursionError:
        raise BotError(f"the bot in {quoted(name)} is nested too deep to be read") from None
    return "\n\n".join([*parts, *([] if chosen.name == _CHOOSE else [f"{_CHOOSE} = {chosen.name}"])]) + "\n"


def _sources(text: str, name: str) -> Iterator[str]:
    """Yield the source of the code cells, in order."""
    try:
        cells = read_json(text)["cells"]
        sources = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError):
        raise BotError(f"{quoted(name)} is no notebook that can be read; save it once more, or hand in a file such as 'ann.py'") from None
    for source in sources:
        lines = source if isinstance(source, str) else "".join(map(str, source)) if isinstance(source, list) else ""
        yield "\n".join("" if line.lstrip().startswith(_NOT_PYTHON) else line for line in lines.splitlines())


def _statements(source: str) -> list[ast.stmt]:
    """Return the statements of a cell; none if it is not Python."""
    try:
        return ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _chooses(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """Return whether this is a bot: `choose`, a function of a view, or a class with `choose`."""
    if isinstance(node, ast.ClassDef):
        return any(isinstance(statement, ast.FunctionDef) and statement.name == _CHOOSE for statement in node.body)
    parameters = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    return node.name == _CHOOSE or parameters in (["view"], ["view", "rng"])


def _meaning(there: list[tuple[int, ast.stmt]]) -> list[tuple[int, ast.stmt]]:
    """Return the statements that give a name its final meaning.

    These are the last definition or import, or all plain assignments, and what follows.
    """
    last_definition = next(
        (numbered for numbered in reversed(there) if not isinstance(numbered[1], (ast.Assign, ast.AugAssign, ast.AnnAssign))), None
    )
    return [numbered for numbered in there if last_definition is None or numbered == last_definition or numbered[0] > last_definition[0]]


def _given(node: ast.stmt) -> set[str]:
    """Return the names that a statement defines."""
    if isinstance(node, _DEFINES):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    targets: list[Any] = (
        node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else []
    )
    return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}


def _used(node: ast.stmt) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
