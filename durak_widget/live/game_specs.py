"""Describes a tree or a matrix as the JSON spec of a question, and reads such specs."""

from __future__ import annotations

import os
import stat
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from durak_widget.errors import DurakError, short_repr
from durak_widget.gametheory.gambit_files import NfgError, from_efg, from_nfg, to_efg, tree_from_nfg
from durak_widget.gametheory.strategic_form import Matrix, matrix_from_payoffs
from durak_widget.gametheory.textbook_games import textbook
from durak_widget.gametheory.tree import DecisionNode, TerminalNode, Tree, TreeError, build_tree
from durak_widget.live.question import SpecError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.live.question import JsonObject

MAX_NODES: Final = 2_000
"""The maximum number of nodes of a tree that a class can be asked about."""
MAX_STRATEGIES: Final = 8
"""The maximum number of rows, and of columns, of a matrix that a class can be asked about."""
MAX_PLAYERS: Final = 6
"""The maximum number of players of a game that a class can be asked about."""
MAX_NAMED_CHOICES: Final = 4
"""The maximum number of decisions whose best actions a sentence names."""
_MAX_FILE_BYTES: Final = 20_000_000
"""The maximum size of a file with a game."""
_MAX_SHOWN_PATH: Final = 200
"""The maximum length of a path in an error message, in characters."""
_PATH_ENDINGS: Final = (".efg", ".nfg")
_MAX_TEXT_LENGTH: Final = 2_000
"""The maximum length of a title or a text of a question."""


class LoadedGame(NamedTuple):
    """The game of a spec: always as a tree, and also as a matrix if the spec has one."""

    tree: Tree
    matrix: Matrix | None


def make_game_spec(
    game: object,
    *,
    title: object = "",
    text: object = "",
    mix: bool = False,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
) -> JsonObject:
    """Return the spec of a question about a game.

    `game` is a tree, a matrix, rows of payoffs, the path or the text of an .efg or .nfg file, or the name of a textbook game. With
    `mix`, students set the probability of each action. `title` and `text` are texts, or dictionaries with a text for each language.

    >>> make_game_spec([[(3, 3), (0, 5)], [(5, 0), (1, 1)]], rows=["silent", "talks"], columns=["silent", "talks"])["payoffs"]
    [[['3', '3'], ['0', '5']], [['5', '0'], ['1', '1']]]
    >>> make_game_spec("kuhn", mix=True)["textbook"]
    'kuhn'
    >>> make_game_spec([[0] * 9])
    Traceback (most recent call last):
    durak_widget.live.question.SpecError: a matrix for a class may have at most 8 rows and 8 columns, and this one is 1 × 9; leave out dominated strategies, or ask about a smaller matrix
    """
    try:
        described = _describe_game(game, rows, columns, names)
    except SpecError:
        raise
    except DurakError as error:
        raise SpecError(str(error)) from error
    spec: JsonObject = {"kind": "game", **described}
    spec |= {key: value for key, value in (("title", title), ("text", text), ("mix", mix)) if value}
    load_game(spec)
    return spec


def _describe_game(game: object, rows: Sequence[str] | None, columns: Sequence[str] | None, names: Sequence[str] | None) -> dict[str, Any]:
    """Return the part of a spec that describes the game."""
    extra = {"names": list(names)} if names is not None else {}
    if isinstance(game, PathLike):
        return {**_describe_file(fspath(game)), **extra}
    if isinstance(game, str):
        return {**_describe_text(game), **extra}
    if isinstance(game, Tree):
        return {"efg": to_efg(game), **extra}
    matrix = game if isinstance(game, Matrix) else matrix_from_payoffs(game, rows=rows, columns=columns, names=names or ("Row", "Column"))
    described = _describe_matrix(matrix)
    if not isinstance(game, Matrix):
        described |= {} if names is not None else {"names": None}
    for key, labels in (("rows", rows), ("columns", columns), ("names", names)):
        if labels is not None:
            described[key] = list(labels)
    return {key: value for key, value in described.items() if value is not None}


def _describe_matrix(matrix: Matrix) -> dict[str, Any]:
    """Return the part of a spec that describes a matrix."""
    return {
        "rows": list(map(str, matrix.rows)),
        "columns": list(map(str, matrix.columns)),
        "names": list(matrix.names),
        "payoffs": [[[str(payoff) for payoff in cell] for cell in row] for row in matrix.payoffs],
    }


def _describe_text(text: str) -> dict[str, Any]:
    """Return the part of a spec for a textbook game, or for the text or path of a file."""
    if (described := _describe_gambit_text(text)) is not None:
        return described
    if "\n" not in text and text.lower().endswith(_PATH_ENDINGS):
        return _describe_file(text)
    try:
        return {"textbook": text, "efg": to_efg(textbook(text))}
    except TreeError as error:
        raise SpecError(f"{error}. To ask about a file, give its path, which ends with .efg or .nfg") from error


def _describe_gambit_text(text: str) -> dict[str, Any] | None:
    """Return the part of a spec for the text of an .efg or .nfg file; None for other texts."""
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("EFG"):
        from_efg(text)
        return {"efg": text}
    if start.startswith("NFG"):
        try:
            return _describe_matrix(from_nfg(text))
        except NfgError:
            return {"efg": to_efg(tree_from_nfg(text))}  # A file with another number of players than two
    return None


def _describe_file(path: str) -> dict[str, Any]:
    """Return the part of a spec for a file; an error about another file does not quote it."""
    described = _describe_gambit_text(_read_file(path))
    if described is None:
        raise SpecError(f"the file {short_repr(path, _MAX_SHOWN_PATH)} is not a game: it must begin with EFG or NFG; choose another file")
    return described


def _read_file(path: str) -> str:
    """Return the text of a file; refuse pipes, devices and huge files without reading them."""
    try:
        with open(Path(path).expanduser(), "rb", opener=_open_without_waiting) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise SpecError(f"{short_repr(path, _MAX_SHOWN_PATH)} is not a file; give the path of an .efg or .nfg file")
            data = file.read(_MAX_FILE_BYTES + 1) if status.st_size <= _MAX_FILE_BYTES else None
        if data is None or len(data) > _MAX_FILE_BYTES:
            raise SpecError(
                f"the file {short_repr(path, _MAX_SHOWN_PATH)} is too large; a game may have at most {_MAX_FILE_BYTES // 1_000_000} MB"
            )
        return data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not a text in UTF-8"
        raise SpecError(f"the file {short_repr(path, _MAX_SHOWN_PATH)} can't be read: {reason}; check the path") from error
    except (ValueError, RuntimeError) as error:  # A path with a NUL, or with the home folder of nobody
        if isinstance(error, SpecError):
            raise
        raise SpecError(f"{short_repr(path, _MAX_SHOWN_PATH)} is not a path; check it") from error


def _open_without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe would wait for another program."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def load_game(spec: JsonObject) -> LoadedGame:
    """Return the game that a spec describes.

    Raise `SpecError` if a class cannot be asked about it.

    >>> load_game({"kind": "game", "payoffs": [["1", "-1"], ["-1", "1"]]}).tree
    <Tree: 7 histories, 4 terminals, 1 + 1 information sets>
    """
    _check_fields(spec)
    try:
        if spec.get("payoffs") is not None:
            labels = [get_list(spec, key, "en") for key in ("rows", "columns", "names")]
            matrix = matrix_from_payoffs(spec["payoffs"], rows=labels[0], columns=labels[1], names=labels[2] or ("Row", "Column"))
            _require_small_matrix(matrix)
            return LoadedGame(_build_matrix_tree(matrix), matrix)
        tree = from_efg(spec["efg"]) if spec.get("efg") is not None else textbook(spec["textbook"])
    except SpecError:
        raise
    except DurakError as error:
        raise SpecError(f"the game can't be read: {error}") from error
    _require_askable(tree)
    return LoadedGame(tree, None)


def _check_fields(spec: JsonObject) -> None:
    """Raise `SpecError` if a spec has no game, or a field of a wrong type."""
    if all(spec.get(key) is None for key in ("payoffs", "efg", "textbook")):
        raise SpecError("the question has no game; give payoffs, efg or textbook, or make the spec with make_game_spec")
    for key, allowed in (("mix", bool), ("title", (str, dict)), ("text", (str, dict)), ("textbook", str), ("efg", str)):
        if spec.get(key) is not None and not isinstance(spec[key], allowed):
            raise SpecError(f"{key} of a game can't be {short_repr(spec[key])}; make the spec with make_game_spec")
        if key in ("title", "text") and len(str(spec.get(key) or "")) > 3 * _MAX_TEXT_LENGTH:
            raise SpecError(f"the {key} of a question may have at most {_MAX_TEXT_LENGTH:,} characters; shorten it")
    for key in ("rows", "columns", "names"):
        if not all(isinstance(labels, (list, tuple, type(None))) for labels in _list_all_languages(spec.get(key))):
            raise SpecError(f"{key} of a game must be a list of names, not {short_repr(spec[key])}")


def _list_all_languages(value: object) -> list[object]:
    """Return a value of a spec in all languages that it has."""
    return list(value.values()) if isinstance(value, dict) else [value]


def _require_small_matrix(matrix: Matrix) -> None:
    """Raise `SpecError` if a matrix is too large for a class."""
    rows, columns = len(matrix.rows), len(matrix.columns)
    if max(rows, columns) > MAX_STRATEGIES:
        raise SpecError(
            f"a matrix for a class may have at most {MAX_STRATEGIES} rows and {MAX_STRATEGIES} columns, and this one is {rows} × {columns}; leave out dominated strategies, or ask about a smaller matrix"
        )


def _require_askable(tree: Tree) -> None:
    """Raise `SpecError` if a tree is too large for a class, or if nobody decides in it."""
    if tree.history_count > MAX_NODES:
        raise SpecError(
            f"a tree for a class may have at most {MAX_NODES:,} nodes, and this one has {tree.history_count:,}; ask about a part of it, such as one subgame"
        )
    if tree.player_count > MAX_PLAYERS:
        raise SpecError(
            f"a game for a class may have at most {MAX_PLAYERS} players, and this one has {tree.player_count}; ask about a smaller game"
        )
    if not tree.infosets:
        raise SpecError("nobody decides anything in this game; ask about a game in which at least one player has a choice")


def _build_matrix_tree(matrix: Matrix) -> Tree:
    """Build the tree of a matrix game.

    The first player chooses a row, and the second chooses a column without seeing it.
    """

    def expand(chosen: tuple[int, ...]) -> DecisionNode | TerminalNode:
        if len(chosen) == 2:
            return TerminalNode(matrix.payoffs[chosen[0]][chosen[1]])
        strategies = (matrix.rows, matrix.columns)[len(chosen)]
        return DecisionNode(len(chosen), "", [(str(strategy), (*chosen, index)) for index, strategy in enumerate(strategies)])

    return build_tree((), expand, player_count=2, names=matrix.names)


def get_text(spec: JsonObject, key: str, language: str) -> str:
    """Return a text of a spec: the same for all languages, or one for each language.

    >>> get_text({"title": {"en": "Coins", "lt": "Monetos"}}, "title", "ru")
    'Coins'
    """
    value = spec.get(key) or ""
    return str(value.get(language) or value.get("en") or "") if isinstance(value, dict) else str(value)


def get_list(spec: JsonObject, key: str, language: str) -> Sequence[str] | None:
    """Return a list of names of a spec; None if there is none.

    A spec has the same list for all languages, or one for each language.

    >>> get_list({"rows": ["up", "down"]}, "rows", "lt"), get_list({}, "rows", "lt")
    (['up', 'down'], None)
    """
    value = spec.get(key)
    labels: Sequence[str] | None = (value.get(language) or value.get("en")) if isinstance(value, dict) else value
    return labels
