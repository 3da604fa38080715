"""Defines the error for impossible actions, with a message in the user's language.

A `RefusedError` has an English message, and the page shows the message in the page's language. Errors that only code can cause, such as a wrong
argument, are always in English.
"""

from __future__ import annotations

import errno
import logging
from typing import Final

from durak_widget.errors import DurakError, error_class_name
from durak_widget.i18n import TranslatableText, Translator

_KEYS_BY_ERRNO: Final = {
    errno.EACCES: "error.permission",
    errno.EPERM: "error.permission",
    errno.ENOENT: "error.absent",
    errno.ENOSPC: "error.full",
    errno.EDQUOT: "error.full",
    errno.ENOMEM: "error.memory",
}
"""The keys of the reasons for which the system most often refuses something, by the number of its error."""
_KEYS_BY_CLASS: Final = {
    "PermissionError": "error.permission",
    "FileNotFoundError": "error.absent",
    "MemoryError": "error.memory",
    "EOFError": "error.ended",
    "WorkerDied": "error.ended",  # parallel.WORKER_DIED
}


class RefusedError(DurakError, ValueError):
    """The error for an action that is impossible for a user on a page, such as invalid input.

    `key` is the catalogue key of its message in `i18n`, and `facts` are the values that the message contains.

    >>> error = RefusedError("board.refused.number", text="x")
    >>> str(error), error.to_text("lt")
    ("“x” isn't a number. Write a number such as 1/2, 0.5 or 50%.", '„x“ nėra skaičius. Rašykite 1/2, 0,5 arba 50 %.')
    """

    def __init__(self, key: str, /, **facts: object) -> None:
        self.key, self.facts = key, facts
        super().__init__(Translator().translate(key, **facts))

    def to_text(self, language: str) -> str:
        """Return the message of the error, translated to a language."""
        return Translator(language).translate(self.key, **self.facts)


def explain_error(error: Exception) -> TranslatableText | str:
    """Return why something failed, for the inside of a sentence.

    The usual errors of the system are explained in words. Other errors of the system have its own words. Any other error has the name of its
    class, because its text may contain what a reader must not know, such as the answer to a question.

    >>> explain_error(PermissionError(13, "Permission denied")).key, explain_error(OSError(21, "Is a directory")), explain_error(KeyError("9c"))
    ('error.permission', 'Is a directory', 'KeyError')
    """
    key = _KEYS_BY_ERRNO.get(error.errno or 0) if isinstance(error, OSError) else None
    if key is not None:
        return TranslatableText(key)
    return (error.strerror if isinstance(error, OSError) else None) or explain_error_class(error_class_name(error))


def explain_error_class(name: str) -> TranslatableText | str:
    """Return why something failed, from the name of the error's class alone.

    >>> explain_error_class("MemoryError").key, explain_error_class("KeyError")
    ('error.memory', 'KeyError')
    """
    return TranslatableText(_KEYS_BY_CLASS[name]) if name in _KEYS_BY_CLASS else name


def error_to_text(error: Exception, language: str) -> str:
    """Return the text that a page shows for an error, in the page's language.

    An error that is not a `DurakError` is a bug, so the function also logs it.

    >>> error_to_text(RefusedError("board.refused.one_move"), "lt"), error_to_text(DurakError("99 is no history of this tree"), "lt")
    ('Čia tik vienas ėjimas, todėl jo tikimybė visada 1.', '99 is no history of this tree')
    """
    if isinstance(error, RefusedError):
        return error.to_text(language)
    if isinstance(error, DurakError):
        return str(error)
    logging.getLogger("durak_widget").error("a message of a page failed", exc_info=error)
    return Translator(language).translate("table.failed", why=type(error).__name__)
