"""Reads saved games from a folder, and reports each file that it can't read."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.atomic_files import require_path
from durak_widget.engine.game import Game
from durak_widget.errors import USER_CODE_EXCEPTIONS, DurakError, error_class_name, short_repr, to_reportable_error
from durak_widget.grading.gradebook import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE_SUFFIX: Final = ".durak"
SAMPLE: Final = Path(__file__).parent / "data" / "sample.durak"
"""The file of sample games between bots, which `tools/sample_games.py` creates."""
UNKNOWN_PLAYER: Final = "?"

MAX_FILES: Final = 20_000
MAX_FILE_BYTES: Final = 4_000_000
"""The maximum size in bytes of a file of saved games."""
MAX_GAMES_PER_FILE: Final = 2_000
"""The maximum number of games in one file."""
MAX_GAME_CHARACTERS: Final = 30_000
"""The maximum length of a game's text in characters; a game of 300 moves needs a fifth of it."""
_FIRST_LINE_PATTERN: Final = re.compile(r"^Durak\b", re.MULTILINE)
_REMARK_PATTERN: Final = re.compile(r"^# (Date|Seat (\d)(?: from move (\d{1,4}))?): (.{1,80})$", re.MULTILINE)


class RecordedGame(NamedTuple):
    """A saved game together with its file, student, date and players."""

    file: str
    """The path of the file inside the folder, and the number of the game if the file contains several."""
    student: str
    """The name of the subfolder that contains the file, which is the student's name; empty if there is none."""
    date: str
    """The date of the game, as the file gives it; empty if unknown."""
    game: Game
    """The game at the last position that was saved."""
    movers: tuple[str, ...]
    """The player who made each move: `you`, the name of a bot, or `?`."""


def load_games(folder: object) -> tuple[list[RecordedGame], list[Problem]]:
    """Load the games in a folder and its subfolders, with the problems in unreadable files.

    `folder` may also be one file.

    >>> games, troubles = load_games(SAMPLE)
    >>> len(games) > 20, games[0].movers[:2], troubles
    (True, ('miserly', 'careful'), [])
    """
    root = Path(require_path(folder))  # type: ignore[arg-type] # it raises an error for anything that is not a path
    if not root.exists():
        raise DurakError(f"there is no folder {short_repr(str(folder))}; games are kept there by Table(keep={short_repr(str(folder))})")
    games: list[RecordedGame] = []
    troubles: list[Problem] = []
    names_by_text: dict[str, str] = {}
    for path, name in _iterate_game_files(root, troubles):
        try:
            texts = _read_game_texts(path)
        except (DurakError, OSError) as error:
            troubles.append(Problem(name, _format_error(error)))
            continue
        student = name.split("/")[0] if "/" in name else ""
        for number, text in enumerate(texts, 1):
            label = name if len(texts) == 1 else f"{name} ({number})"
            if text in names_by_text:
                troubles.append(Problem(label, f"this is the game of {names_by_text[text]} once more; it counts once"))
                continue
            names_by_text[text] = label
            try:
                games.append(_parse_game(label, student, text))
            except USER_CODE_EXCEPTIONS as error:  # Reading a file from another person can raise any error
                troubles.append(Problem(label, _format_error(to_reportable_error(error))))
    return games, troubles


def _format_error(error: Exception) -> str:
    """Format an error as a sentence for the user."""
    if isinstance(error, DurakError):
        return str(error)
    return f"it cannot be read: {(error.strerror if isinstance(error, OSError) else None) or error_class_name(error)}"


def _iterate_game_files(root: Path, troubles: list[Problem]) -> Iterator[tuple[Path, str]]:
    """Yield the game files in a folder with their names, except hidden files and links.

    A link may lead anywhere.
    """
    if root.is_file():
        yield root, _printable_name(root.name)
        return
    count = 0

    def report_closed_folder(error: OSError) -> None:
        """Report that a folder can't be opened, so its games are missing."""
        troubles.append(Problem(_printable_name(os.path.relpath(error.filename, root)), _format_error(error)))

    for folder_path, folders, names in os.walk(root, onerror=report_closed_folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for file in sorted(name for name in names if name.lower().endswith(FILE_SUFFIX) and not name.startswith(".")):
            count += 1
            path = Path(folder_path, file)
            name = _printable_name(path.relative_to(root).as_posix())
            if count > MAX_FILES:
                troubles.append(Problem(name, f"this and what follows is not read: there are more than {MAX_FILES} files"))
                return
            yield path, name


def _printable_name(name: str) -> str:
    """Return a file name without unprintable characters."""
    encodable = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(character if character.isprintable() else "?" for character in encodable)


def _read_game_texts(path: Path) -> list[str]:
    """Read the text of each game in a file."""
    file_status = os.lstat(path)
    if not stat.S_ISREG(file_status.st_mode):
        raise DurakError("it is no plain file, and is not opened")
    if file_status.st_size > MAX_FILE_BYTES:
        raise DurakError(f"it is longer than {MAX_FILE_BYTES} bytes, and so holds no kept games")
    with path.open("rb") as file:
        data = file.read(MAX_FILE_BYTES)
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise DurakError("it is not a text in UTF-8, and so holds no kept games") from None
    starts = [match.start() for match in _FIRST_LINE_PATTERN.finditer(text)]
    if not starts:
        raise DurakError("no game begins there: a game begins with the line 'Durak 1'")
    if len(starts) > MAX_GAMES_PER_FILE:
        raise DurakError(f"more than {MAX_GAMES_PER_FILE} games begin there; lay them into several files")
    return [text[begin:end].strip() for begin, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _parse_game(file: str, student: str, text: str) -> RecordedGame:
    """Parse the text of a single game."""
    if len(text) > MAX_GAME_CHARACTERS:
        raise DurakError(f"it is longer than {MAX_GAME_CHARACTERS} characters, and so no game that was played")
    game = Game.parse(text)
    if not game.ply:
        raise DurakError("nothing is played in it")
    course, date = game.history, ""
    movers = [UNKNOWN_PLAYER] * len(course)
    for remark, seat, from_move, name in _REMARK_PATTERN.findall(text):
        name = name.strip()  # noqa: PLW2901 - the same without its edges
        if remark == "Date":
            date = name[:40] if name.isprintable() else ""
            continue
        for ply in range(max(int(from_move or 1), 1) - 1, len(course)):
            if course[ply].seat == int(seat) and name.isprintable():
                movers[ply] = name
    return RecordedGame(file, student, date, game, tuple(movers))
