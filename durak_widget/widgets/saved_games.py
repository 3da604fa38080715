"""Saves the games of a table in a folder, as text files that `Game.load` reads.

Nothing is saved unless the user asks for it.
"""

from __future__ import annotations

import os
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import path_of, replace_text
from durak_widget.errors import DurakError, quoted
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.engine.game import Game

    Folder = str | os.PathLike[str] | None

ENDING: Final = ".durak"
"""The suffix of a file that holds a game."""
UNKNOWN: Final = "?"
"""The player of a move that was made before the game came to this table."""


def folder_of(folder: object) -> str | None:
    """Return the folder that `keep` names; None if no games are to be kept.

    >>> folder_of("games"), folder_of(None), folder_of(False)
    ('games', None, None)
    >>> folder_of(7)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: keep names the folder for the games, as in keep="games", or False, not 7
    """
    if folder is None or folder is False:
        return None
    try:
        name = path_of(folder)  # type: ignore[arg-type] # it refuses what is not a path
    except DurakError:
        name = ""
    if not name.strip() or folder is True:
        raise DurakError(f'keep names the folder for the games, as in keep="games", or False, not {quoted(folder)}')
    return name


class Keeping:
    """Saves the games of one table, each in its own file.

    A game is written when it is over; if the user leaves it before that, it is written as it stands.

    >>> import tempfile
    >>> from durak_widget import Game, bots
    >>> keeping = Keeping(tempfile.mkdtemp())
    >>> game = Game(seed=7)
    >>> keeping.seen(game, ("you", "careful"))
    >>> _ = bots.play(game, ["first", "careful"], 7)
    >>> keeping.seen(game, ("you", "careful")).key
    'table.kept'
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        """The folder, as the user wrote it."""
        self.announces = True
        """Whether the table says where the first game was saved."""
        self.rests = False
        """Whether saving is switched off for now."""
        self._place = os.path.abspath(folder)  # noqa: PTH100 - wherever one goes from here
        self._failed = self._told = False
        self._begin(None)

    def _begin(self, game: Game | None) -> None:
        self._game, self._taken_back = game, False
        self._names: tuple[str, ...] = ()
        self._moves: tuple[object, ...] = ()
        self._by: list[str] = []
        self._file: str | None = None
        self._written: tuple[object, ...] | None = None

    def seen(self, game: Game, names: Sequence[str], *, taken_back: bool = False) -> Fact | None:
        """Note the game on the table; return a message about the first save or a failure."""
        message = None
        if game is not self._game:
            message = self.left()
            self._begin(game)
            self._moves, self._by = game.moves, [UNKNOWN] * game.ply
        self._names, self._taken_back = tuple(names), taken_back
        moves = game.moves
        same_count = next((ply for ply, (move, other) in enumerate(zip(moves, self._moves, strict=False)) if move != other), None)
        if same_count is None:
            same_count = min(len(moves), len(self._moves))
        if same_count < len(moves):  # else the user only looks at an earlier moment
            self._moves, self._by = moves, [*self._by[:same_count], *(names[record.seat] for record in game.course[same_count:])]
        if game.outcome is not None and moves != self._written:
            message = self._write(game)
        return message

    def left(self) -> Fact | None:
        """Save a game that is not over, if somebody at this table has made a move in it."""
        game = self._game
        if game is None or self._written is not None or set(self._by) <= {UNKNOWN}:
            return None
        game = game.copy()
        if not self._taken_back:  # the user only looked back
            game.goto(game.last_ply)
        game.forget_undone()
        return self._write(game) if game.ply else None

    def _write(self, game: Game) -> Fact | None:
        if self.rests:
            return None
        game = game.copy()
        game.forget_undone()
        self._written = game.moves
        try:
            if self._file is None:
                self._file = self._free()
            replace_text(self._file, self._text(game))
        except OSError as error:
            if self._failed:
                return None
            self._failed = True
            return Fact("table.keep_failed", {"folder": self.folder, "why": error.strerror or type(error).__name__})
        self._failed = False
        is_first, self._told = not self._told, True
        return Fact("table.kept", {"folder": self.folder}) if is_first and self.announces else None

    def _free(self) -> str:
        """Return a path that does not exist yet."""
        os.makedirs(self._place, exist_ok=True)  # noqa: PTH103 - the place is a string
        while True:
            name = f"{datetime.now():%Y-%m-%d-%H%M%S}-{token_hex(4)}{ENDING}"  # noqa: DTZ005 - the clock on the student's wall
            path = os.path.join(self._place, name)  # noqa: PTH118 - as above
            if not os.path.lexists(path):
                return path

    def _text(self, game: Game) -> str:
        """Return the record of the game, with the date and the players as comments."""
        first, _, rest = str(game).partition("\n")
        return "\n".join([first, f"# Date: {datetime.now():%Y-%m-%d %H:%M}", *self._seats(game), rest])  # noqa: DTZ005 - as above

    def _seats(self, game: Game) -> list[str]:
        """Return who played each seat, and from which move on if there were several."""
        lines = []
        for seat in range(game.seats):
            own = [(ply, player) for ply, (record, player) in enumerate(zip(game.course, self._by, strict=False), 1) if record.seat == seat]
            current = own[0][1] if own else self._names[seat]
            lines.append(f"# Seat {seat}: {current}")
            for ply, player in own:
                if player != current:
                    lines.append(f"# Seat {seat} from move {ply}: {player}")
                current = player
        return lines
