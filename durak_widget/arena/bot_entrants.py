"""Reads who takes part in a tournament: a bot by name, an object, a file or a notebook.

Every entrant has a name of its own. Other people's code runs in the sandbox. A notebook is never run: the
bot's code and everything it uses are collected from the text of the cells.
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
"""Under this group of entry points another package names its bots."""
ENDINGS: Final = ".py", ".ipynb"
MOST_BYTES: Final = 1_000_000
MOST: Final = 1000
"""So many take part at most."""
_CHOOSE: Final = "choose"
_NOT_PYTHON: Final = ("%", "!", "?")
"""So a line begins that speaks to the notebook and is no Python."""
_DEFINES: Final = (ast.FunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Entrant:
    """Who takes part, in a form that can be sent anywhere.

    >>> entrants(["careful", "first"])[0]
    Entrant(name='careful', kind='ours', plays='careful', told='careful')
    """

    name: str
    kind: Literal["ours", "own", "code"]
    """A bot of this package; an object or function of whoever asks; or a text that is run behind walls."""
    plays: Any
    """The name of the bot, the bot, or the text."""
    told: str
    """What tells this one from another of its name: who has played in a file is known again by it."""


def entrants(
    bots: Iterable[Playing | Path] | Mapping[str, Playing | Path] | str | os.PathLike[str], left_out: list[str] | None = None
) -> tuple[Entrant, ...]:
    """Everybody who takes part, in the order in which they were named; a mapping gives them names, a folder stands for all files of bots in it.

    A file of a folder that is no bot, or a link, is left out; why is added to `left_out`.

    >>> [one.name for one in entrants({"Ann": "careful", "Ben": lambda view, rng: view.legal_moves()[0]})]
    ['Ann', 'Ben']
    >>> entrants(["careful", "careful"])
    Traceback (most recent call last):
    durak_widget.errors.BotError: two are called 'careful'; give them names of their own: {"one": …, "other": …}
    """
    if isinstance(bots, (str, os.PathLike)):
        bots = [bots]  # type: ignore[list-item] # a folder, or one that then has nobody to play against
    try:
        named: list[tuple[str, Any]] = list(bots.items()) if isinstance(bots, Mapping) else [("", one) for one in bots]
    except TypeError:
        raise BotError(f'who takes part is said by a list, such as ["careful", "ann.py"], not by {quoted(bots)}') from None
    left_out = [] if left_out is None else left_out
    each = [(_is_folder(one), list(_each(name, one, left_out))) for name, one in named]
    taken = {entrant.name for folder, some in each if not folder for entrant in some}
    found = list[Entrant]()
    for folder, some in each:
        for entrant in some:
            if folder and entrant.name in taken:
                left_out.append(f"left out {quoted(entrant.name)}: another bot has that name")
            else:
                found.append(entrant)
                taken |= {entrant.name} if folder else set()
    for name in (one.name for one in found):
        if sum(one.name == name for one in found) > 1:
            raise BotError(f'two are called {quoted(name)}; give them names of their own: {{"one": …, "other": …}}')
    if not 2 <= len(found) <= MOST:
        raise BotError(f"{len(found)} take part; it takes at least two, and {MOST} at most")
    return tuple(found)


def _each(name: str, one: Any, left_out: list[str]) -> Iterator[Entrant]:  # noqa: ANN401 - whatever was given
    """What was given; of a folder, every file of a bot in it."""
    if not _is_folder(one):
        yield _entrant(name, one)
        return
    try:
        files = sorted(path for path in Path(one).iterdir() if path.suffix in ENDINGS and not path.name.startswith((".", "_")))
    except OSError as error:
        raise BotError(f"the folder {quoted(str(one))} cannot be read: {error.strerror or type(error).__name__}") from None
    stems = [path.stem for path in files]
    found = [_bot_or_reason(path.stem if stems.count(path.stem) == 1 else path.name, path) for path in files]
    why = [reason for reason in found if isinstance(reason, str)]
    if len(why) == len(files):
        raise BotError(
            f"there is no bot in {quoted(str(one))}: a file of one ends with {' or '.join(ENDINGS)}{''.join(f'. {said}' for said in why)}"
        )
    left_out += [f"left out {said}" for said in why]
    yield from (entrant for entrant in found if isinstance(entrant, Entrant))


def _bot_or_reason(name: str, path: Path) -> Entrant | str:
    """The bot of a file in a folder, or why it is none."""
    if path.is_symlink():
        return f"{quoted(path.name)}: it is a link, and links in a folder are not followed"
    try:
        return _of_file(name, path)
    except BotError as error:
        return f"{quoted(path.name)}: {error}"


def _is_folder(one: object) -> bool:
    """Whether a folder is meant: a bot that has its name comes first."""
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
    plays = type(bot.plays)
    class_name = bot.name
    if not callable(bot.plays) or hasattr(bot.plays, "choose"):  # else a function
        # Where the source can't be read, only the module tells two classes of one name apart.
        class_name = plays.__name__ if _source(plays) else f"{plays.__module__}.{plays.__qualname__}"
    return Entrant(_checked(name or bot.name), "own", bot, f"{bot.name} {class_name} {_told(bot.plays)}")


def is_same_bot(kept: str, said: str) -> bool:
    """Return whether a tournament file names the bot that is given now.

    Older files name the module of its class, too. A bot whose module has another name now is the same bot.

    >>> is_same_bot("thrifty my bots.Thrifty 00aa11bb22cc33dd", "thrifty Thrifty 00aa11bb22cc33dd")
    True
    >>> is_same_bot("thrifty my_bots.Thrifty 00aa11bb22cc33dd", "thrifty Thrifty 1111111111111111")
    False
    """
    before, _, digest_before = kept.rpartition(" ")
    now, _, digest = said.rpartition(" ")
    spaces = [place for place, sign in enumerate(now) if sign == " "]  # a name may have spaces, too
    named = any(before.startswith(now[: place + 1]) and before.endswith(f".{now[place + 1 :]}") for place in spaces)
    return kept == said or (digest_before == digest and named)


def _of_file(name: str, path: Path) -> Entrant:
    """The bot of a file, which is read and not run."""
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
    """The bot that another package names: it is imported where it plays, behind walls, and must be installed there."""
    known = {point.name: point for point in entry_points(group=GROUP)}
    if one not in known:
        raise BotError(
            f"there is no bot {quoted(one)}.{nearest(one, (*names(), *PEOPLE, *known))} "
            f"bots.names() lists those of this package; a file is named by its whole name, as in 'ann.py'"
        )
    point = known[one]
    module, _, what = point.value.partition(":")
    way = what.strip().replace(" ", "")
    return _of_code(
        name or one, f"import {module.strip()}\n\nchoose = {module.strip()}.{way}\n" if way else f"from {module.strip()} import choose\n"
    )


def _checked(name: str) -> str:
    if not is_name(name):
        raise BotError(f"the name of a bot is a short printable text, such as 'stubborn', not {quoted(name)}")
    return name


def _told(plays: Any) -> str:  # noqa: ANN401 - whatever somebody wrote
    """What can be said of a bot of one's own: how it is written, where that can be read, and its settings."""
    text = _source(plays if hasattr(plays, "__code__") or isinstance(plays, type) else type(plays))
    settings = sorted(
        (key, quoted(value)) for key, value in getattr(plays, "__dict__", {}).items() if isinstance(value, (str, int, float, bool))
    )
    return sha256(f"{text}{settings}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _source(thing: Any) -> str:  # noqa: ANN401 - as above
    """Return how a function or a class is written; an empty string where that can't be read."""
    try:
        return getsource(thing)
    except (OSError, TypeError):
        return ""


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
