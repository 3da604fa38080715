"""What a sketch is exported as: by the ending of a file's name, or by a button of its page. Another kind of file is a line of `FORMS`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from durak_widget.atomic_files import keep_text
from durak_widget.board.picture_files import require_ending
from durak_widget.board.tree_wording import plain_name
from durak_widget.editor.draft_conversion import tree_of
from durak_widget.editor.export_formats import cell_of
from durak_widget.editor.view_model import Seen
from durak_widget.gametheory.gambit_files import to_efg

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from durak_widget.editor.tree_draft import GameDraft


class SavedAs(NamedTuple):
    """A kind of file: what it is called on the page, and its text, of a sketch in a language, as it grows."""

    name: str
    text: Callable[[GameDraft, str, str], str]


FORMS: Final = {
    ".efg": SavedAs("efg", lambda draft, _, __: to_efg(tree_of(draft))),
    ".py": SavedAs("python", lambda draft, _, __: cell_of(tree_of(draft)) + "\n"),
    ".tex": SavedAs("tikz", lambda draft, language, direction: Seen(draft, language, direction).tikz),
    ".svg": SavedAs("svg", lambda draft, language, direction: Seen(draft, language, direction).svg),
}
"""What a sketch can be saved as."""


def form_of_file(path: str | PathLike[str]) -> SavedAs:
    """The kind of file that a name asks for.

    >>> form_of_file("my game.efg").name
    'efg'
    >>> form_of_file("my game.doc")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: a sketch is saved as .efg, .py, .tex or .svg, and 'my game.doc' ends otherwise
    """
    return FORMS[require_ending(path, FORMS, "a sketch")]


def save_sketch(draft: GameDraft, path: str | PathLike[str], language: str, direction: str) -> None:
    """Write a sketch into a file."""
    keep_text(path, form_of_file(path).text(draft, language, direction))


def sketch_file(draft: GameDraft) -> str:
    """What a file of it might be called, without its ending.

    >>> from durak_widget.editor.tree_draft import GameDraft
    >>> sketch_file(GameDraft(title="Beer & quiche")), sketch_file(GameDraft())
    ('beer-quiche', 'sketch')
    """
    return re.sub(r"\W+", "-", plain_name(draft.title).lower()).strip("-")[:60] or "sketch"
