"""Stores a page's files in a folder, and makes the web page keep those that have changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from durak_widget.atomic_files import replace_text
from durak_widget.web.message_channel import CHANNEL

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

GAMES_FOLDER: Final = "games"
TABLE_FILE: Final = "table.json"
"""The file with the state of the user's own table."""
LINKED_TABLE_FILE: Final = "linked.json"
"""The file with the table that was last opened from a link; it does not replace the user's own table."""
PROGRESS_FILE: Final = "learn.json"
"""The file with the visitor's step on the learn page, the solved steps, and the whole game at the end."""
_TAB_FILES: Final = {TABLE_FILE, LINKED_TABLE_FILE, PROGRESS_FILE}
"""The files of which each tab of the browser has its own version."""
FILE_NAME_PATTERN: Final = re.compile(r"(?:games/)?[\w-][\w.-]{0,80}\.(?:json|durak|unreadable)", re.ASCII)
"""Matches the names of files that a page may store or import."""


class BrowserFiles:
    """The files of a page, in a folder that the browser keeps between visits."""

    def __init__(self, folder: Path) -> None:
        """Use a folder, which need not exist yet."""
        self.folder = folder
        self._stamps: dict[str, tuple[int, int]] = {}
        """The stamps of the files when the browser last stored them."""

    def load_kept(self, files: Mapping[str, object]) -> None:
        """Write the files that the browser has kept from earlier visits."""
        self.merge(files)
        self._stamps = self._get_stamps()

    def merge(self, files: Mapping[str, object]) -> None:
        """Write files that the browser has already stored; ignore names that no page uses."""
        for name, text in files.items():
            if isinstance(text, str) and FILE_NAME_PATTERN.fullmatch(name):
                self.write(name, text)
                self._stamps[name] = self._get_stamp(self.folder / name)

    def merge_from_other_tab(self, files: Mapping[str, object]) -> None:
        """Write files that another tab has changed, except those that each tab has of its own."""
        self.merge({name: text for name, text in files.items() if name not in _TAB_FILES})

    def write(self, name: str, text: str) -> None:
        """Write a file."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(path, text)

    def delete(self, name: str) -> None:
        """Delete a file, if it is there."""
        (self.folder / name).unlink(missing_ok=True)

    def read(self, name: str) -> str:
        """Return the text of a file."""
        return (self.folder / name).read_text(encoding="utf-8")

    def send_changes(self, channel_name: str) -> None:
        """Make the browser store all files that have changed, and delete those that are gone."""
        stamps = self._get_stamps()
        changed = {name: self.read(name) for name, stamp in stamps.items() if self._stamps.get(name) != stamp}
        deleted = {name: None for name in self._stamps if name not in stamps}
        self._stamps = stamps
        if changed or deleted:
            CHANNEL.send({"kind": "save_files", "id": channel_name, "files": {**changed, **deleted}})

    def _get_stamps(self) -> dict[str, tuple[int, int]]:
        """Return a stamp for each stored file; a stamp changes whenever the file changes."""
        stamps = {}
        for folder, prefix in ((self.folder, ""), (self.folder / GAMES_FOLDER, f"{GAMES_FOLDER}/")):
            for file in folder.iterdir() if folder.is_dir() else ():
                if file.is_file() and FILE_NAME_PATTERN.fullmatch(prefix + file.name):
                    stamps[prefix + file.name] = self._get_stamp(file)
        return stamps

    @staticmethod
    def _get_stamp(path: Path) -> tuple[int, int]:
        """Return a file's modification time and size, which change when the file changes."""
        stat = path.stat()
        return stat.st_mtime_ns, stat.st_size
