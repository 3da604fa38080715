"""Saves a table's games in a folder, as text files that `Game.load` can read.

A table saves games only if the user has named a folder.
"""

from __future__ import annotations

import os
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import replace_text, require_path
from durak_widget.errors import DurakError, short_repr
from durak_widget.i18n import TranslatableText
from durak_widget.translated_errors import explain_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from durak_widget.engine.game import Game

    Folder = str | os.PathLike[str] | None

FILE_SUFFIX: Final = ".durak"
"""The extension of a file with a saved game."""
UNKNOWN_PLAYER: Final = "?"
"""The name for unknown players: those who made moves before the game was opened at this table."""


def parse_folder_option(folder: object) -> str | None:
    """Return the folder that the option `keep` names; None if the table should save no games.

    >>> parse_folder_option("games"), parse_folder_option(None), parse_folder_option(False)
    ('games', None, None)
    >>> parse_folder_option(7)
    Traceback (most recent call last):
    durak_widget.errors.DurakError: keep must be a folder for the games, as in keep="games", or False, not 7
    """
    if folder is None or folder is False:
        return None
    try:
        name = require_path(folder)  # type: ignore[arg-type] # it refuses what is not a path
    except DurakError:
        name = ""
    if not name.strip() or folder is True:
        raise DurakError(f'keep must be a folder for the games, as in keep="games", or False, not {short_repr(folder)}')
    return name


class GameSaver:
    """Saves the games that are played at one table, each in its own file.

    A game is saved when it is over. If the user leaves it before its end, it is saved as it is.

    >>> import tempfile
    >>> from durak_widget import Game, bots
    >>> saver = GameSaver(tempfile.mkdtemp())
    >>> game = Game(seed=7)
    >>> saver.update(game, ("you", "careful"))
    >>> _ = bots.play(game, ["first", "careful"], 7)
    >>> saver.update(game, ("you", "careful")).key
    'table.kept'
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder
        """The folder for saved games, as the user wrote it."""
        self.announces_first_save = True
        """True until the table has shown where the first game was saved."""
        self.is_paused = False
        """True while the user has switched saving off."""
        self._absolute_folder = os.path.abspath(folder)  # noqa: PTH100 - wherever one goes from here
        self._has_failed = self._has_saved = False
        self._start_game(None)

    def _start_game(self, game: Game | None) -> None:
        self._game, self._is_taken_back = game, False
        self._player_names: tuple[str, ...] = ()
        self._moves: tuple[object, ...] = ()
        self._movers: list[str] = []
        self._file: str | None = None
        self._written_moves: tuple[object, ...] | None = None

    def update(self, game: Game, names: Sequence[str], *, taken_back: bool = False, is_reopened: bool = False) -> TranslatableText | None:
        """Register the table's current game as the game to save; save a finished game at once.

        A game that was already over when it was opened (`is_reopened`) is not saved. Return a message for the user about the first save or about
        an error, otherwise None.
        """
        message = None
        if game is not self._game:
            message = self.save_unfinished()
            self._start_game(game)
            self._moves, self._movers = game.moves, [UNKNOWN_PLAYER] * game.ply
        self._player_names, self._is_taken_back = tuple(names), taken_back
        moves = game.moves
        same_count = next((ply for ply, (move, other) in enumerate(zip(moves, self._moves, strict=False)) if move != other), None)
        if same_count is None:
            same_count = min(len(moves), len(self._moves))
        if same_count < len(moves):  # Without new moves, the user is only looking at an earlier position of the game.
            self._moves, self._movers = moves, [*self._movers[:same_count], *(names[record.seat] for record in game.history[same_count:])]
        if game.outcome is not None and not is_reopened and moves != self._written_moves:
            message = self._write_game(game)
        return message

    def save_unfinished(self) -> TranslatableText | None:
        """Save the current unfinished game, if a player at this table has made a move."""
        game = self._game
        if game is None or self._written_moves is not None or set(self._movers) <= {UNKNOWN_PLAYER}:
            return None
        game = game.copy()
        if not self._is_taken_back:  # The user was only looking at an earlier position, so all later moves still belong to the game.
            game.goto(game.last_ply)
        game.forget_undone()
        return self._write_game(game) if game.ply else None

    def _write_game(self, game: Game) -> TranslatableText | None:
        """Write a game to a file; return a message for the user after the first save or an error."""
        if self.is_paused:
            return None
        game = game.copy()
        game.forget_undone()
        self._written_moves = game.moves
        try:
            if self._file is None:
                self._file = self._find_free_path()
            replace_text(self._file, self._format_game(game))
        except OSError as error:
            if self._has_failed:
                return None
            self._has_failed = True
            return TranslatableText("table.keep_failed", {"folder": self.folder, "why": explain_error(error)})
        self._has_failed = False
        is_first, self._has_saved = not self._has_saved, True
        return TranslatableText("table.kept", {"folder": self.folder}) if is_first and self.announces_first_save else None

    def _find_free_path(self) -> str:
        """Return a path for the file of a game, at which no file exists yet."""
        os.makedirs(self._absolute_folder, exist_ok=True)  # noqa: PTH103 - the place is a string
        while True:
            name = f"{datetime.now():%Y-%m-%d-%H%M%S}-{token_hex(4)}{FILE_SUFFIX}"  # noqa: DTZ005 - the clock on the student's wall
            path = os.path.join(self._absolute_folder, name)  # noqa: PTH118 - as above
            if not os.path.lexists(path):
                return path

    def _format_game(self, game: Game) -> str:
        """Format a game as text, with the date and the players as comments."""
        first_line, _, other_lines = str(game).partition("\n")
        return "\n".join([first_line, f"# Date: {datetime.now():%Y-%m-%d %H:%M}", *self._format_seats(game), other_lines])  # noqa: DTZ005 - as above

    def _format_seats(self, game: Game) -> list[str]:
        """Return comment lines that name each seat's players, including those who joined later.

        If a seat changed its player, a line gives the first move of the new player.
        """
        lines = []
        for seat in range(game.seats):
            moves_of_seat = [
                (ply, player)
                for ply, (record, player) in enumerate(zip(game.history, self._movers, strict=False), 1)
                if record.seat == seat
            ]
            current_player = moves_of_seat[0][1] if moves_of_seat else self._player_names[seat]
            lines.append(f"# Seat {seat}: {current_player}")
            for ply, player in moves_of_seat:
                if player != current_player:
                    lines.append(f"# Seat {seat} from move {ply}: {player}")
                current_player = player
        return lines
