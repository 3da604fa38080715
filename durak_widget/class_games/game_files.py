"""Reads saved games from a folder, and says for every unreadable file what is wrong."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.atomic_files import path_of
from durak_widget.engine.game import Game
from durak_widget.errors import ENDINGS, DurakError, class_of, quoted, tellable
from durak_widget.grading.gradebook import Trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

ENDING: Final = ".durak"
SAMPLE: Final = Path(__file__).parent / "data" / "sample.durak"
"""Some games of bots, made by `tools/sample_games.py`."""
UNKNOWN: Final = "?"

MOST_FILES: Final = 20_000
MOST_BYTES: Final = 4_000_000
"""Size limit of a file, which may hold several games."""
MOST_GAMES: Final = 2_000
"""Limit of games in a file."""
MOST_CHARACTERS: Final = 30_000
"""Length limit of a game; one of three hundred moves has a fifth of that."""
_FIRST: Final = re.compile(r"^Durak\b", re.MULTILINE)
_REMARK: Final = re.compile(r"^# (Date|Seat (\d)(?: from move (\d{1,4}))?): (.{1,80})$", re.MULTILINE)


class KeptGame(NamedTuple):
    """A saved game, and what is known about it."""

    file: str
    """The path within the folder; with the number of the game if the file holds several."""
    student: str
    """The subfolder that the file is in; empty without one."""
    date: str
    """When it was played, as its table wrote it; empty if unknown."""
    game: Game
    """The game as it ended, or was left."""
    who: tuple[str, ...]
    """Who made each move: `you`, the name of a bot, or `?`."""


def kept(folder: object) -> tuple[list[KeptGame], list[Trouble]]:
    """Return the games in a folder and its subfolders, and what is wrong with the rest.

    `folder` may also be one file.

    >>> games, troubles = kept(SAMPLE)
    >>> len(games) > 20, games[0].who[:2], troubles
    (True, ('miserly', 'careful'), [])
    """
    root = Path(path_of(folder))  # type: ignore[arg-type] # it raises an error for anything that is not a path
    if not root.exists():
        raise DurakError(f"there is no folder {quoted(str(folder))}; games are kept there by Table(keep={quoted(str(folder))})")
    games: list[KeptGame] = []
    troubles: list[Trouble] = []
    names_by_text: dict[str, str] = {}
    for path, name in _files(root, troubles):
        try:
            texts = _texts(path)
        except (DurakError, OSError) as error:
            troubles.append(Trouble(name, _why(error)))
            continue
        student = name.split("/")[0] if "/" in name else ""
        for number, text in enumerate(texts, 1):
            label = name if len(texts) == 1 else f"{name} ({number})"
            if text in names_by_text:
                troubles.append(Trouble(label, f"this is the game of {names_by_text[text]} once more; it counts once"))
                continue
            names_by_text[text] = label
            try:
                games.append(_kept(label, student, text))
            except ENDINGS as error:  # a file from someone else may hold anything
                troubles.append(Trouble(label, _why(tellable(error))))
    return games, troubles


def _why(error: Exception) -> str:
    """Format an error for a person."""
    if isinstance(error, DurakError):
        return str(error)
    return f"it cannot be read: {(error.strerror if isinstance(error, OSError) else None) or class_of(error)}"


def _files(root: Path, troubles: list[Trouble]) -> Iterator[tuple[Path, str]]:
    """Yield the game files with their names, in order; skip hidden files and links.

    A link may lead anywhere.
    """
    if root.is_file():
        yield root, _name(root.name)
        return
    count = 0

    def report_closed_folder(error: OSError) -> None:
        """Report a folder that can't be opened, because its games are missing."""
        troubles.append(Trouble(_name(os.path.relpath(error.filename, root)), _why(error)))

    for folder_path, folders, names in os.walk(root, onerror=report_closed_folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for file in sorted(name for name in names if name.lower().endswith(ENDING) and not name.startswith(".")):
            count += 1
            path = Path(folder_path, file)
            name = _name(path.relative_to(root).as_posix())
            if count > MOST_FILES:
                troubles.append(Trouble(name, f"this and what follows is not read: there are more than {MOST_FILES} files"))
                return
            yield path, name


def _name(name: str) -> str:
    """Return a name that can be printed anywhere."""
    encodable = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(character if character.isprintable() else "?" for character in encodable)


def _texts(path: Path) -> list[str]:
    """Return the text of each game in a file."""
    file_status = os.lstat(path)
    if not stat.S_ISREG(file_status.st_mode):
        raise DurakError("it is no plain file, and is not opened")
    if file_status.st_size > MOST_BYTES:
        raise DurakError(f"it is longer than {MOST_BYTES} bytes, and so holds no kept games")
    with path.open("rb") as file:
        data = file.read(MOST_BYTES)
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise DurakError("it is not a text in UTF-8, and so holds no kept games") from None
    starts = [match.start() for match in _FIRST.finditer(text)]
    if not starts:
        raise DurakError("no game begins there: a game begins with the line 'Durak 1'")
    if len(starts) > MOST_GAMES:
        raise DurakError(f"more than {MOST_GAMES} games begin there; lay them into several files")
    return [text[begin:end].strip() for begin, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _kept(file: str, student: str, text: str) -> KeptGame:
    """Parse the text of one game."""
    if len(text) > MOST_CHARACTERS:
        raise DurakError(f"it is longer than {MOST_CHARACTERS} characters, and so no game that was played")
    game = Game.parse(text)
    if not game.ply:
        raise DurakError("nothing is played in it")
    course, date = game.course, ""
    movers = [UNKNOWN] * len(course)
    for remark, seat, from_move, name in _REMARK.findall(text):
        name = name.strip()  # noqa: PLW2901 - the same without its edges
        if remark == "Date":
            date = name[:40] if name.isprintable() else ""
            continue
        for ply in range(max(int(from_move or 1), 1) - 1, len(course)):
            if course[ply].seat == int(seat) and name.isprintable():
                movers[ply] = name
    return KeptGame(file, student, date, game, tuple(movers))
