"""Let tests use the language of `tests/support/languages/qkv.py`, in which a sentence is its key and its facts."""

from __future__ import annotations

from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path
from typing import TYPE_CHECKING, Final

from durak_widget import defaults, i18n
from durak_widget.i18n import _translation

if TYPE_CHECKING:
    from collections.abc import Iterator

CODE: Final = "qkv"
_FOLDER: Final = str(Path(__file__).parent / "languages")


@contextmanager
def keyed_language() -> Iterator[str]:
    """Use the test language wherever no other is requested, and yield its code."""
    path = i18n.__path__
    _translation._LANGUAGE_FOLDERS.append(_FOLDER)
    i18n.__path__ = [*path, _FOLDER]  # type: ignore[assignment]
    _forget()
    defaults(language=CODE)
    try:
        yield CODE
    finally:
        defaults(None)
        i18n.__path__ = path
        _translation._LANGUAGE_FOLDERS.remove(_FOLDER)
        _forget()


def _forget() -> None:
    _translation.list_language_codes.cache_clear()
    _translation.list_offered_languages.cache_clear()
    invalidate_caches()
