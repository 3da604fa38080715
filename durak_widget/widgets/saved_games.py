"""The games of a table, kept in a folder of the student's: each a small text file, which `Game.load` reads. Asked for in a word, never silently."""

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
"""So ends the name of a file that holds a game."""
UNKNOWN: Final = "?"
"""Who made a move that was made before the game came to this table."""


def folder_of(folder: object) -> str | None:
    """The folder that somebody names for their games; None where none are kept.

    >>> folder_of("games"), folder_of(None), folder_of(False)
    ('games', None, None)
    >>> folder_of(7)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: keep names the folder for the games, as in keep="games", or False, not 7
    """
    if folder is None or folder is False:
        return None
    try:
        name = path_of(folder)  # type: ignore[arg-type] # which says what is no path
    except DurakError:
        name = ""
    if not name.strip() or folder is True:
        raise DurakError(f'keep names the folder for the games, as in keep="games", or False, not {quoted(folder)}')
    return name


class Keeping:
    """Keeps the games of one table, each in a file of its own, written when the game is over; when it is left before that, as it stands then.

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
        """As it was named."""
        self.announces = True
        """Whether the table says where the first game was kept."""
        self.rests = False
        """Whether nothing is kept for now."""
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
        """What lies on the table now, and who plays it; where the first game has been kept, or one could not be, that is to be told."""
        told = None
        if game is not self._game:
            told = self.left()
            self._begin(game)
            self._moves, self._by = game.moves, [UNKNOWN] * game.ply
        self._names, self._taken_back = tuple(names), taken_back
        moves = game.moves
        alike = next((ply for ply, (one, other) in enumerate(zip(moves, self._moves, strict=False)) if one != other), None)
        if alike is None:
            alike = min(len(moves), len(self._moves))
        if alike < len(moves):  # else an earlier moment is looked at
            self._moves, self._by = moves, [*self._by[:alike], *(names[played.seat] for played in game.course[alike:])]
        if game.outcome is not None and moves != self._written:
            told = self._write(game)
        return told

    def left(self) -> Fact | None:
        """The game is left: one that is not over is kept as it stands, if anybody here has made a move in it."""
        game = self._game
        if game is None or self._written is not None or set(self._by) <= {UNKNOWN}:
            return None
        game = game.copy()
        if not self._taken_back:  # somebody only looked back
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
        first, self._told = not self._told, True
        return Fact("table.kept", {"folder": self.folder}) if first and self.announces else None

    def _free(self) -> str:
        """A name that nothing has yet."""
        os.makedirs(self._place, exist_ok=True)  # noqa: PTH103 - the place is a string
        while True:
            name = f"{datetime.now():%Y-%m-%d-%H%M%S}-{token_hex(4)}{ENDING}"  # noqa: DTZ005 - the clock on the student's wall
            place = os.path.join(self._place, name)  # noqa: PTH118 - as above
            if not os.path.lexists(place):
                return place

    def _text(self, game: Game) -> str:
        """The record of the game; when it was played and who sat where stand in remarks, which the rules of the form pass over."""
        first, _, rest = str(game).partition("\n")
        return "\n".join([first, f"# Date: {datetime.now():%Y-%m-%d %H:%M}", *self._seats(game), rest])  # noqa: DTZ005 - as above

    def _seats(self, game: Game) -> list[str]:
        """Who played each seat, and from which move on if it was several."""
        said = []
        for seat in range(game.seats):
            own = [(ply, who) for ply, (played, who) in enumerate(zip(game.course, self._by, strict=False), 1) if played.seat == seat]
            before = own[0][1] if own else self._names[seat]
            said.append(f"# Seat {seat}: {before}")
            for ply, who in own:
                if who != before:
                    said.append(f"# Seat {seat} from move {ply}: {who}")
                before = who
        return said
