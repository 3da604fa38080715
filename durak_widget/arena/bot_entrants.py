"""Builds the entrants of a tournament from bot names, bot objects, files and notebooks.

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

from durak_widget.atomic_files import parse_json_text
from durak_widget.bots.bot import BUILT_IN_BOTS, OPPONENT_BOTS, get, is_valid_name, names
from durak_widget.errors import BotError, short_repr, suggest_nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from durak_widget.bots.bot import AnyBot

ENTRY_POINT_GROUP: Final = "durak_widget.bots"
"""The entry point group under which other packages register their bots."""
BOT_FILE_SUFFIXES: Final = ".py", ".ipynb"
MAX_BYTES: Final = 1_000_000
MAX_ENTRANTS: Final = 1000
"""The maximum number of entrants in a tournament."""
_CHOOSE_NAME: Final = "choose"
_NOT_PYTHON: Final = ("%", "!", "?")
"""The first characters of notebook lines that are not Python code (magics, shell commands and help requests)."""
_DEFINITION_NODES: Final = (ast.FunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Entrant:
    """A bot that takes part in a tournament, in a form that other processes can receive.

    >>> build_entrants(["careful", "first"])[0]
    Entrant(name='careful', kind='ours', bot_source='careful', identity='careful')
    """

    name: str
    kind: Literal["ours", "own", "code"]
    """`ours` for a bot of this package, `own` for a Python object or function of the user, or `code` for source code
    that runs in a sandbox."""
    bot_source: Any
    """For `ours`, the bot's name; for `own`, the bot object; for `code`, the bot's source code."""
    identity: str
    """The text by which a tournament file recognizes this bot; two different bots have different texts, even if
    their names are equal."""


def build_entrants(
    bots: Iterable[AnyBot | Path] | Mapping[str, AnyBot | Path] | str | os.PathLike[str], left_out: list[str] | None = None
) -> tuple[Entrant, ...]:
    """Return an entrant (a bot in the form for a tournament) for each bot in `bots`.

    A mapping gives them names; a folder stands for all bot files in it. A file in a folder that is not a bot, or is a link, is skipped,
    and the reason is added to `left_out`.

    >>> [entrant.name for entrant in build_entrants({"Ann": "careful", "Ben": lambda view, rng: view.legal_moves()[0]})]
    ['Ann', 'Ben']
    >>> build_entrants(["careful", "careful"])
    Traceback (most recent call last):
    durak_widget.errors.BotError: two bots have the name 'careful'; give each its own name: {"first": …, "second": …}
    """
    if isinstance(bots, (str, os.PathLike)):
        bots = [bots]  # type: ignore[list-item] # a folder, or a single bot, which is refused below
    try:
        named_bots: list[tuple[str, Any]] = list(bots.items()) if isinstance(bots, Mapping) else [("", bot) for bot in bots]
    except TypeError:
        raise BotError(f'bots must be a list, such as ["careful", "ann.py"], not {short_repr(bots)}') from None
    left_out = [] if left_out is None else left_out
    groups = [(_is_folder(entry), list(_expand_entry(name, entry, left_out))) for name, entry in named_bots]
    taken_names = {entrant.name for is_folder, group in groups if not is_folder for entrant in group}
    result = list[Entrant]()
    for is_folder, group in groups:
        for entrant in group:
            if is_folder and entrant.name in taken_names:
                left_out.append(f"left out {short_repr(entrant.name)}: another bot has this name")
            else:
                result.append(entrant)
                taken_names |= {entrant.name} if is_folder else set()
    for name in (entrant.name for entrant in result):
        if sum(entrant.name == name for entrant in result) > 1:
            raise BotError(f'two bots have the name {short_repr(name)}; give each its own name: {{"first": …, "second": …}}')
    if not 2 <= len(result) <= MAX_ENTRANTS:
        raise BotError(f"a tournament needs at least 2 bots and at most {MAX_ENTRANTS}, not {len(result)}")
    return tuple(result)


def _expand_entry(name: str, entry: Any, left_out: list[str]) -> Iterator[Entrant]:  # noqa: ANN401 - whatever was given
    """Yield an entrant for a bot; for a folder, yield an entrant for each bot file there."""
    if not _is_folder(entry):
        yield _build_entrant(name, entry)
        return
    try:
        files = sorted(path for path in Path(entry).iterdir() if path.suffix in BOT_FILE_SUFFIXES and not path.name.startswith((".", "_")))
    except OSError as error:
        raise BotError(f"cannot read the folder {short_repr(str(entry))}: {error.strerror or type(error).__name__}") from None
    stems = [path.stem for path in files]
    results = [_load_or_explain(path.stem if stems.count(path.stem) == 1 else path.name, path) for path in files]
    reasons = [reason for reason in results if isinstance(reason, str)]
    if len(reasons) == len(files):
        raise BotError(
            f"there is no bot in {short_repr(str(entry))}; the name of a bot's file must end with {' or '.join(BOT_FILE_SUFFIXES)}{''.join(f'. {reason}' for reason in reasons)}"
        )
    left_out += [f"left out {reason}" for reason in reasons]
    yield from (entrant for entrant in results if isinstance(entrant, Entrant))


def _load_or_explain(name: str, path: Path) -> Entrant | str:
    """Return the entrant that a bot file defines, or a text that says why it defines none."""
    if path.is_symlink():
        return f"{short_repr(path.name)}: it is a link, and links in a folder are not followed"
    try:
        return _build_from_file(name, path)
    except BotError as error:
        return f"{short_repr(path.name)}: {error}"


def _is_folder(entry: object) -> bool:
    """Return whether `entry` is the path of a folder and not the name of a bot."""
    return isinstance(entry, (str, os.PathLike)) and entry not in (*BUILT_IN_BOTS, *OPPONENT_BOTS, *names()) and os.path.isdir(entry)  # noqa: PTH112 - any text may be one


def _is_bot_path(entry: object) -> bool:
    """Return whether `entry` is the path of a bot file."""
    return isinstance(entry, os.PathLike) or (
        isinstance(entry, str) and (entry.endswith(BOT_FILE_SUFFIXES) or os.sep in entry) and "\n" not in entry and "\0" not in entry
    )


def _build_entrant(name: str, entry: Any) -> Entrant:  # noqa: ANN401 - as above
    """Return the entrant for a bot, given by name, as an object, as a file or as code."""
    if isinstance(entry, Entrant):
        return entry
    if _is_bot_path(entry):
        return _build_from_file(name, Path(entry))
    if isinstance(entry, str) and (entry in BUILT_IN_BOTS or entry in OPPONENT_BOTS):
        return Entrant(_require_name(name or entry), "ours", entry, entry)
    if isinstance(entry, str) and "\n" in entry:
        return _build_from_code(name or "the code", entry)
    if isinstance(entry, str) and entry not in names():
        return _build_from_entry_point(name, entry)
    bot = get(entry)
    bot_type = type(bot.implementation)
    class_name = bot.name
    if not callable(bot.implementation) or hasattr(bot.implementation, "choose"):  # The bot is an object, and not a plain function
        # Without the source code, only the module name distinguishes two classes with the same name
        class_name = bot_type.__name__ if _read_source(bot_type) else f"{bot_type.__module__}.{bot_type.__qualname__}"
    return Entrant(_require_name(name or bot.name), "own", bot, f"{bot.name} {class_name} {_hash_bot(bot.implementation)}")


def is_same_bot(stored: str, given: str) -> bool:
    """Return whether two texts that identify bots belong to the same bot.

    `stored` comes from a tournament file, and `given` from the bot that the user gives now.

    Older files name the module of its class, too. A bot whose module has another name now is the same bot.

    >>> is_same_bot("thrifty my bots.Thrifty 00aa11bb22cc33dd", "thrifty Thrifty 00aa11bb22cc33dd")
    True
    >>> is_same_bot("thrifty my_bots.Thrifty 00aa11bb22cc33dd", "thrifty Thrifty 1111111111111111")
    False
    """
    stored_name, _, stored_digest = stored.rpartition(" ")
    given_name, _, given_digest = given.rpartition(" ")
    space_positions = [position for position, character in enumerate(given_name) if character == " "]  # A bot's name may contain spaces
    is_same_name = any(
        stored_name.startswith(given_name[: position + 1]) and stored_name.endswith(f".{given_name[position + 1 :]}")
        for position in space_positions
    )
    return stored == given or (stored_digest == given_digest and is_same_name)


def _build_from_file(name: str, path: Path) -> Entrant:
    """Read a bot file and return its entrant, without running the bot's code."""
    try:
        if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():  # Read only regular files: a device such as /dev/zero has no end
            raise BotError(f"{short_repr(str(path))} is a pipe or a device, so it is not a bot; give a file")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        raise BotError(f"cannot read {short_repr(str(path))}: {error.strerror or type(error).__name__}") from None
    except UnicodeDecodeError:
        raise BotError(f"{short_repr(path.name)} is not a text in UTF-8, so it is not a bot") from None
    if len(data) > MAX_BYTES:
        raise BotError(f"{short_repr(path.name)} is longer than {MAX_BYTES} bytes, too long for a bot")
    return _build_from_code(name or path.stem, extract_bot_code(text, path.name) if path.suffix == ".ipynb" else text)


def _build_from_code(name: str, code: str) -> Entrant:
    if sys.platform == "emscripten":
        raise BotError(
            f"the code of {short_repr(name)} comes from a file, so it must run in a sandbox, and Python in a browser has none; here you can use functions of this notebook, and bots by their names"
        )
    return Entrant(_require_name(name), "code", code, sha256(code.encode("utf-8", "surrogatepass")).hexdigest()[:16])


def _build_from_entry_point(name: str, entry_point_name: str) -> Entrant:
    """Return the entrant of a bot that another Python package registers as an entry point.

    It is imported in the sandbox where it plays, and has to be installed there.
    """
    entry_points_by_name = {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}
    if entry_point_name not in entry_points_by_name:
        raise BotError(
            f"there is no bot {short_repr(entry_point_name)}.{suggest_nearest(entry_point_name, (*names(), *OPPONENT_BOTS, *entry_points_by_name))} bots.names() lists the bots of this package; for a file give its whole name, as in 'ann.py'"
        )
    point = entry_points_by_name[entry_point_name]
    module, _, attribute = point.value.partition(":")
    attribute_path = attribute.strip().replace(" ", "")
    return _build_from_code(
        name or entry_point_name,
        f"import {module.strip()}\n\nchoose = {module.strip()}.{attribute_path}\n"
        if attribute_path
        else f"from {module.strip()} import choose\n",
    )


def _require_name(name: str) -> str:
    """Return a bot's name; raise an error if the name is not valid."""
    if not is_valid_name(name):
        raise BotError(f"the name of a bot must be a short printable text, such as 'stubborn', not {short_repr(name)}")
    return name


def _hash_bot(bot_object: Any) -> str:  # noqa: ANN401 - whatever somebody wrote
    """Return a hash of a bot's settings and, if it can be read, of its source code."""
    text = _read_source(bot_object if hasattr(bot_object, "__code__") or isinstance(bot_object, type) else type(bot_object))
    settings = sorted(
        (key, short_repr(value)) for key, value in getattr(bot_object, "__dict__", {}).items() if isinstance(value, (str, int, float, bool))
    )
    return sha256(f"{text}{settings}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _read_source(source_object: Any) -> str:  # noqa: ANN401 - as above
    """Return the source code of a function or class, or "" if Python can't find it."""
    try:
        return getsource(source_object)
    except (OSError, TypeError):
        return ""


def extract_bot_code(text: str, name: str) -> str:
    r"""Return the source code of a notebook's bot, with all definitions that the bot uses.

    The bot is the last function of a view (and a random generator), or the last class with such a `choose`.

    >>> cells = ["import random\nN = 3", "%timeit 1\ndef lowest(view):\n    return view.legal_moves()[0]", "def mine(view, rng):\n    return lowest(view)", "print(mine)"]
    >>> import json
    >>> print(extract_bot_code(json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells]}), "ann.ipynb"))
    def lowest(view):
        return view.legal_moves()[0]
    <BLANKLINE>
    def mine(view, rng):
        return lowest(view)
    <BLANKLINE>
    choose = mine
    <BLANKLINE>
    """
    nodes = [node for source in _list_code_cells(text, name) for node in _parse_statements(source)]
    chosen = next((node for node in reversed(nodes) if isinstance(node, _DEFINITION_NODES) and _is_bot_definition(node)), None)
    if not isinstance(chosen, _DEFINITION_NODES):
        raise BotError(f"no cell of {short_repr(name)} defines a bot; a bot is a function choose(view, rng), or a class that has one")
    definitions: dict[str, list[tuple[int, ast.stmt]]] = {}
    for index, node in enumerate(nodes):
        for defined_name in _find_defined_names(node):
            definitions.setdefault(defined_name, []).append((index, node))
    needed, selected = {chosen.name}, dict[int, ast.stmt]()
    queue = [chosen.name]
    while queue:
        current = queue.pop()
        for index, node in _find_effective_statements(definitions.get(current, [])):
            if index not in selected:
                selected[index] = node
                new_names = _find_used_names(node) - needed
                needed |= new_names
                queue += new_names
    future_imports = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    try:
        parts = [ast.unparse(node) for node in (*future_imports[:1], *(selected[index] for index in sorted(selected)))]
    except RecursionError:
        raise BotError(f"the bot in {short_repr(name)} is nested too deeply to be read") from None
    return "\n\n".join([*parts, *([] if chosen.name == _CHOOSE_NAME else [f"{_CHOOSE_NAME} = {chosen.name}"])]) + "\n"


def _list_code_cells(text: str, name: str) -> Iterator[str]:
    """Yield the source of each code cell of a notebook, from top to bottom."""
    try:
        cells = parse_json_text(text)["cells"]
        sources = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError):
        raise BotError(
            f"{short_repr(name)} is not a notebook that can be read; save it again, or hand in a file such as 'ann.py'"
        ) from None
    for source in sources:
        lines = source if isinstance(source, str) else "".join(map(str, source)) if isinstance(source, list) else ""
        yield "\n".join("" if line.lstrip().startswith(_NOT_PYTHON) else line for line in lines.splitlines())


def _parse_statements(source: str) -> list[ast.stmt]:
    """Return a notebook cell's Python statements; an empty list if the cell is not Python."""
    try:
        return ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _is_bot_definition(node: ast.FunctionDef | ast.ClassDef) -> bool:
    """Return whether a statement defines a bot: a function or class that chooses moves."""
    if isinstance(node, ast.ClassDef):
        return any(isinstance(statement, ast.FunctionDef) and statement.name == _CHOOSE_NAME for statement in node.body)
    parameters = [argument.arg for argument in (*node.args.posonlyargs, *node.args.args)]
    return node.name == _CHOOSE_NAME or parameters in (["view"], ["view", "rng"])


def _find_effective_statements(statements: list[tuple[int, ast.stmt]]) -> list[tuple[int, ast.stmt]]:
    """From all statements that set a name, return those that determine the name's final value.

    The name's earlier definitions are left out.

    These are the last definition or import, or all plain assignments, and what follows.
    """
    last_definition = next(
        (numbered for numbered in reversed(statements) if not isinstance(numbered[1], (ast.Assign, ast.AugAssign, ast.AnnAssign))), None
    )
    return [
        numbered for numbered in statements if last_definition is None or numbered == last_definition or numbered[0] > last_definition[0]
    ]


def _find_defined_names(node: ast.stmt) -> set[str]:
    """Return the names that a Python statement defines."""
    if isinstance(node, _DEFINITION_NODES):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    targets: list[Any] = (
        node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, (ast.AugAssign, ast.AnnAssign)) else []
    )
    return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}


def _find_used_names(node: ast.stmt) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
