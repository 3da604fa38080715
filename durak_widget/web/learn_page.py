"""Implements the learn page, on which a newcomer plays a first game, one rule at a time."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import parse_json_text
from durak_widget.engine.game import Game
from durak_widget.errors import DurakError
from durak_widget.i18n import LANGUAGES, get_language
from durak_widget.lessons.first_steps import STEPS, WHOLE_GAME, FirstGame, FirstStep
from durak_widget.web.anywidget_shim import open_later
from durak_widget.web.browser_files import PROGRESS_FILE, BrowserFiles
from durak_widget.web.message_channel import CHANNEL
from durak_widget.web.table_page import APPEARANCE_FILE, load_appearance
from durak_widget.widgets import user_defaults
from durak_widget.widgets.appearance_settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

CHANNEL_NAME: Final = "learn"
"""The name under which the web page sends messages to the learn page's Python code."""
_SET_BY_EXERCISES: Final = ("coach", "hands")
"""The appearance settings that an exercise decides, and not the visitor."""
_FORMAT_VERSION: Final = 1
_MAX_GAME_LENGTH: Final = 100_000


class LearnVisit:
    """The Python side of the learn page: it opens the steps, and stores the progress."""

    exercise: FirstStep | FirstGame | None = None
    """The exercise of the step that the page shows."""

    def __init__(self, folder: Path) -> None:
        """Register the handler for messages from the web page; `folder` is for the stored files."""
        self.files, self.step, self.solved = BrowserFiles(folder), 0, set[str]()
        self._stored_game, self._appearance = "", dict[str, Any]()
        os.environ["DURAK_WIDGET_HOME"] = str(folder)
        CHANNEL.subscribe(CHANNEL_NAME, self.handle_message)

    def close(self) -> None:
        """Stop handling messages, close the table, and stop using the visitor's folder."""
        self._close_exercise()
        CHANNEL.unsubscribe(CHANNEL_NAME)
        os.environ.pop("DURAK_WIDGET_HOME", None)

    def handle_message(self, message: Mapping[str, Any]) -> None:
        """Handle a message from the web page."""
        match message:
            case {"kind": "begin", "files": dict(files)}:
                self._start(files, message.get("language"))
            case {"kind": "step", "step": int(step)} if self.exercise is not None and 0 <= step < len(STEPS):
                self._open_step(step, self.exercise.language)
            case {"kind": "files_changed", "files": dict(files)}:
                self.files.merge_from_other_tab(files)

    def _start(self, files: Mapping[str, object], language: object) -> None:
        """Store the files of earlier visits, and open the step of the last visit."""
        self.files.load_kept(files)
        self._load_progress()
        self._appearance = load_appearance(self.files)
        self._open_step(self.step, language if isinstance(language, str) and language in LANGUAGES else "en")

    def _open_step(self, step: int, language: str) -> None:
        """Close the exercise that is shown, and open the one of a step."""
        self._close_exercise()
        self.step = step
        appearance = {name: value for name, value in self._appearance.items() if name not in _SET_BY_EXERCISES}
        user_defaults.defaults(None, **{**appearance, "language": language})
        with open_later():
            self.exercise = exercise = self._create_exercise(STEPS[step])
            _, table = exercise.widgets
        table.observe(lambda _: self._save_changes(), ["scene", *SETTINGS])
        if isinstance(exercise, FirstStep):
            exercise.on_answer(lambda _: self._save_changes())
        self._save_changes()

    def _create_exercise(self, name: str) -> FirstStep | FirstGame:
        """Create the exercise of a step; go on with the whole game if it is not over."""
        if name != WHOLE_GAME:
            return FirstStep(name, go_on=lambda: self._open_step(STEPS.index(name) + 1, self._language))
        game = _parse_game(self._stored_game)
        return FirstGame(game if game is not None and game.outcome is None else None)

    def _close_exercise(self) -> None:
        """Remove the exercise and its table from the page."""
        for widget in () if self.exercise is None else self.exercise.widgets:
            widget.close()
        self.exercise = None

    @property
    def _language(self) -> str:
        return "en" if self.exercise is None else self.exercise.language

    # --- The visitor's progress ---

    def _save_changes(self) -> None:
        """Store the progress and the appearance, and tell the web page how far the visitor is."""
        exercise = self.exercise
        if exercise is None:
            return
        if exercise.check():
            self.solved.add(STEPS[self.step])
        if isinstance(exercise, FirstGame):
            self._stored_game = str(exercise.table.game)
        progress = {"version": _FORMAT_VERSION, "step": STEPS[self.step], "solved": [name for name in STEPS if name in self.solved]}
        self.files.write(PROGRESS_FILE, json.dumps({**progress, "game": self._stored_game}))
        if (appearance := self._get_appearance(exercise)) != self._appearance:
            self._appearance = appearance
            self.files.write(APPEARANCE_FILE, json.dumps(appearance))
        self.files.send_changes(CHANNEL_NAME)
        CHANNEL.send({"kind": "progress", "id": CHANNEL_NAME, **self.describe_progress()})

    def _get_appearance(self, exercise: FirstStep | FirstGame) -> dict[str, Any]:
        """Return the appearance settings that differ from their defaults.

        Those that exercises decide stay as they were stored.
        """
        values = {name: getattr(exercise.table, name) for name in SETTINGS if name not in _SET_BY_EXERCISES}
        changed = {name: value for name, value in values.items() if value != SETTINGS[name].default_value}
        return {**{name: value for name, value in self._appearance.items() if name in _SET_BY_EXERCISES}, **changed}

    def describe_progress(self) -> dict[str, Any]:
        """Return the step, whether it was ever solved, and whether it is done."""
        is_done = self.exercise is not None and self.exercise.can_go_on
        return {"step": self.step, "is_solved": STEPS[self.step] in self.solved, "is_done": is_done}

    def _load_progress(self) -> None:
        """Load the progress of earlier visits; begin with the first step if there is none."""
        try:
            stored = parse_json_text(self.files.read(PROGRESS_FILE))
            self.step = STEPS.index(stored["step"])
            self.solved = {name for name in stored["solved"] if name in STEPS}
            self._stored_game = str(stored.get("game", ""))
            game = _parse_game(self._stored_game)
            if STEPS[self.step] == WHOLE_GAME and game is not None and game.outcome is not None:
                self.step = 0  # The whole game is over, so this visit begins again
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            self.step, self.solved, self._stored_game = 0, set(), ""


def _parse_game(text: str) -> Game | None:
    """Parse a stored game for two; return None if it is invalid."""
    try:
        game = Game.parse(text) if 0 < len(text) <= _MAX_GAME_LENGTH else None
    except DurakError:
        return None
    return game if game is not None and game.seats == 2 else None


def get_labels(language: str) -> dict[str, str]:
    """Return the texts around the table, in a language.

    >>> get_labels("en")["next"], get_labels("lt")["skip"]
    ('Next', 'Praleisti')
    """
    names = ("title", "lead", "step", "back", "skip", "next", "play")
    sentences = get_language(language).sentences
    return {name: sentences[f"learn.{name}"] for name in names}
