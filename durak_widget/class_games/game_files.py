"""Games that tables have kept, read from a folder: what can be read, and of everything else a sentence that says why not."""

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
"""Of a file, which may hold one game after another."""
MOST_GAMES: Final = 2_000
"""In a file."""
MOST_CHARACTERS: Final = 30_000
"""Of a game; one of three hundred moves is a fifth of it."""
_FIRST: Final = re.compile(r"^Durak\b", re.MULTILINE)
_REMARK: Final = re.compile(r"^# (Date|Seat (\d)(?: from move (\d{1,4}))?): (.{1,80})$", re.MULTILINE)


class KeptGame(NamedTuple):
    """A game that was kept, and what is known of it."""

    file: str
    """Where it stands, from the folder on; with its number, where the file holds several."""
    student: str
    """The folder within the folder in which it stands; empty without one."""
    date: str
    """When it was played, as its table wrote it; empty where nothing is said."""
    game: Game
    """As it ended, or was left."""
    who: tuple[str, ...]
    """Who made each move: `you`, the name of a bot, or `?`."""


def kept(folder: object) -> tuple[list[KeptGame], list[Trouble]]:
    """The games in a folder and in those within it, or in one file; and what is wrong with the rest.

    >>> games, troubles = kept(SAMPLE)
    >>> len(games) > 20, games[0].who[:2], troubles
    (True, ('miserly', 'careful'), [])
    """
    root = Path(path_of(folder))  # type: ignore[arg-type] # which refuses what is no path
    if not root.exists():
        raise DurakError(f"there is no folder {quoted(str(folder))}; games are kept there by Table(keep={quoted(str(folder))})")
    games: list[KeptGame] = []
    troubles: list[Trouble] = []
    told_before: dict[str, str] = {}
    for path, name in _files(root, troubles):
        try:
            texts = _texts(path)
        except (DurakError, OSError) as error:
            troubles.append(Trouble(name, _why(error)))
            continue
        student = name.split("/")[0] if "/" in name else ""
        for number, text in enumerate(texts, 1):
            called = name if len(texts) == 1 else f"{name} ({number})"
            if text in told_before:
                troubles.append(Trouble(called, f"this is the game of {told_before[text]} once more; it counts once"))
                continue
            told_before[text] = called
            try:
                games.append(_kept(called, student, text))
            except ENDINGS as error:  # what somebody else has written may be anything
                troubles.append(Trouble(called, _why(tellable(error))))
    return games, troubles


def _why(error: Exception) -> str:
    if isinstance(error, DurakError):
        return str(error)
    return f"it cannot be read: {(error.strerror if isinstance(error, OSError) else None) or class_of(error)}"


def _files(root: Path, troubles: list[Trouble]) -> Iterator[tuple[Path, str]]:
    """The files of games by their names, in order; nothing hidden, and no links, which may lead anywhere."""
    if root.is_file():
        yield root, _name(root.name)
        return
    count = 0

    def closed(error: OSError) -> None:
        """A folder that may not be looked into: its games are missing, and that is said."""
        troubles.append(Trouble(_name(os.path.relpath(error.filename, root)), _why(error)))

    for where, folders, names in os.walk(root, onerror=closed):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for file in sorted(name for name in names if name.lower().endswith(ENDING) and not name.startswith(".")):
            count += 1
            path = Path(where, file)
            name = _name(path.relative_to(root).as_posix())
            if count > MOST_FILES:
                troubles.append(Trouble(name, f"this and what follows is not read: there are more than {MOST_FILES} files"))
                return
            yield path, name


def _name(name: str) -> str:
    """A name that can be written anywhere."""
    said = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(sign if sign.isprintable() else "?" for sign in said)


def _texts(path: Path) -> list[str]:
    """The games of a file, each as its text."""
    there = os.lstat(path)
    if not stat.S_ISREG(there.st_mode):
        raise DurakError("it is no plain file, and is not opened")
    if there.st_size > MOST_BYTES:
        raise DurakError(f"it is longer than {MOST_BYTES} bytes, and so holds no kept games")
    with path.open("rb") as file:
        data = file.read(MOST_BYTES)
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise DurakError("it is not a text in UTF-8, and so holds no kept games") from None
    begins = [found.start() for found in _FIRST.finditer(text)]
    if not begins:
        raise DurakError("no game begins there: a game begins with the line 'Durak 1'")
    if len(begins) > MOST_GAMES:
        raise DurakError(f"more than {MOST_GAMES} games begin there; lay them into several files")
    return [text[begin:end].strip() for begin, end in zip(begins, [*begins[1:], len(text)], strict=True)]


def _kept(file: str, student: str, text: str) -> KeptGame:
    if len(text) > MOST_CHARACTERS:
        raise DurakError(f"it is longer than {MOST_CHARACTERS} characters, and so no game that was played")
    game = Game.parse(text)
    if not game.ply:
        raise DurakError("nothing is played in it")
    course, date = game.course, ""
    who = [UNKNOWN] * len(course)
    for said, seat, since, name in _REMARK.findall(text):
        name = name.strip()  # noqa: PLW2901 - the same without its edges
        if said == "Date":
            date = name[:40] if name.isprintable() else ""
            continue
        for ply in range(max(int(since or 1), 1) - 1, len(course)):
            if course[ply].seat == int(seat) and name.isprintable():
                who[ply] = name
    return KeptGame(file, student, date, game, tuple(who))
