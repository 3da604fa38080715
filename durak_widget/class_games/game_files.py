"""Reads saved games from a folder, and reports the files that can't be read."""

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
"""The file with this package's sample games, which bots played; `tools/sample_games.py` writes it."""
UNKNOWN_PLAYER: Final = "?"

MAX_FILES: Final = 20_000
MAX_FILE_BYTES: Final = 4_000_000
"""The maximum size in bytes of a file with saved games."""
MAX_GAMES_PER_FILE: Final = 2_000
"""The maximum number of games in a file with saved games."""
MAX_GAME_CHARACTERS: Final = 30_000
"""The maximum length of a game's text, in characters; a long game of 300 moves needs only a fifth of it."""
_FIRST_LINE_PATTERN: Final = re.compile(r"^Durak\b", re.MULTILINE)
_REMARK_PATTERN: Final = re.compile(r"^# (Date|Seat (\d)(?: from move (\d{1,4}))?): (.{1,80})$", re.MULTILINE)


class RecordedGame(NamedTuple):
    """A saved game with the names of its file, student and players, and its date."""

    file: str
    """The path of the game's file inside the folder; if the file has several games, also the game's number."""
    student: str
    """The name of the student, which is the name of the file's subfolder; empty if the file is not in a subfolder."""
    date: str
    """The date of the game, if the file contains it; otherwise empty."""
    game: Game
    """The game, after the last move that was saved."""
    movers: tuple[str, ...]
    """The players of the moves, in order: `you`, the name of a bot, or `?` if unknown."""


def load_games(folder: object) -> tuple[list[RecordedGame], list[Problem]]:
    """Load the games in a folder and its subfolders; also return the problems in bad files.

    `folder` may also be one file.

    >>> games, troubles = load_games(SAMPLE)
    >>> len(games) > 20, games[0].movers[:2], troubles
    (True, ('miserly', 'careful'), [])
    """
    root = Path(require_path(folder))  # type: ignore[arg-type] # it raises an error for anything that is not a path
    if not root.exists():
        raise DurakError(f"there is no folder {short_repr(str(folder))}; Table(keep={short_repr(str(folder))}) keeps games there")
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
                troubles.append(Problem(label, f"this is the same game as {names_by_text[text]}; it counts once"))
                continue
            names_by_text[text] = label
            try:
                games.append(_parse_game(label, student, text))
            except USER_CODE_EXCEPTIONS as error:  # Reading a file from another person can raise any error
                troubles.append(Problem(label, _format_error(to_reportable_error(error))))
    return games, troubles


def _format_error(error: Exception) -> str:
    """Format a Python error as a sentence that the user can understand."""
    if isinstance(error, DurakError):
        return str(error)
    return f"it cannot be read: {(error.strerror if isinstance(error, OSError) else None) or error_class_name(error)}"


def _iterate_game_files(root: Path, troubles: list[Problem]) -> Iterator[tuple[Path, str]]:
    """Yield the path and name of each game file in a folder; skip hidden files and links.

    A link may lead anywhere.
    """
    if root.is_file():
        yield root, _printable_name(root.name)
        return
    count = 0

    def report_closed_folder(error: OSError) -> None:
        """Report a folder that can't be opened, since its games are missing in the result."""
        troubles.append(Problem(_printable_name(os.path.relpath(error.filename, root)), _format_error(error)))

    for folder_path, folders, names in os.walk(root, onerror=report_closed_folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for file in sorted(name for name in names if name.lower().endswith(FILE_SUFFIX) and not name.startswith(".")):
            count += 1
            path = Path(folder_path, file)
            name = _printable_name(path.relative_to(root).as_posix())
            if count > MAX_FILES:
                troubles.append(
                    Problem(name, f"this file and the files after it are not read, because there are more than {MAX_FILES} files")
                )
                return
            yield path, name


def _printable_name(name: str) -> str:
    """Return a file name without unprintable characters."""
    encodable = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(character if character.isprintable() else "?" for character in encodable)


def _read_game_texts(path: Path) -> list[str]:
    """Read a file of saved games, and return the text of each game."""
    file_status = os.lstat(path)
    if not stat.S_ISREG(file_status.st_mode):
        raise DurakError("it is not a regular file, so it is not opened")
    if file_status.st_size > MAX_FILE_BYTES:
        raise DurakError(f"it is longer than {MAX_FILE_BYTES} bytes, so it is not a file of kept games")
    with path.open("rb") as file:
        data = file.read(MAX_FILE_BYTES)
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise DurakError("it is not a text in UTF-8, so it is not a file of kept games") from None
    starts = [match.start() for match in _FIRST_LINE_PATTERN.finditer(text)]
    if not starts:
        raise DurakError("it has no game; a game begins with the line 'Durak 1'")
    if len(starts) > MAX_GAMES_PER_FILE:
        raise DurakError(f"it has more than {MAX_GAMES_PER_FILE} games; split it into several files")
    return [text[begin:end].strip() for begin, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _parse_game(file: str, student: str, text: str) -> RecordedGame:
    """Parse the text of one saved game."""
    if len(text) > MAX_GAME_CHARACTERS:
        raise DurakError(f"it is longer than {MAX_GAME_CHARACTERS} characters, so it is not a game that was played")
    game = Game.parse(text)
    if not game.ply:
        raise DurakError("it has no moves")
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
