"""Defines the error for impossible actions, with a message in the user's language.

A `RefusedError` has an English message, and the page shows the message in the page's language. Errors that only code can cause, such as a wrong
argument, are always in English.
"""

from __future__ import annotations

import logging

from durak_widget.errors import DurakError
from durak_widget.i18n import Translator


class RefusedError(DurakError, ValueError):
    """The error for an action that is impossible for a user on a page, such as invalid input.

    `key` is the catalogue key of its message in `i18n`, and `facts` are the values that the message contains.

    >>> error = RefusedError("board.refused.number", text="x")
    >>> str(error), error.to_text("lt")
    ('“x” is no number. Write it as 1/2, 0.5 or 50 %.', '„x“ nėra skaičius. Rašykite 1/2, 0,5 arba 50 %.')
    """

    def __init__(self, key: str, /, **facts: object) -> None:
        self.key, self.facts = key, facts
        super().__init__(Translator().translate(key, **facts))

    def to_text(self, language: str) -> str:
        """Return the message of the error, translated to a language."""
        return Translator(language).translate(self.key, **self.facts)


def error_to_text(error: Exception, language: str) -> str:
    """Return the text that a page shows for an error, in the page's language.

    An error that is not a `DurakError` is a bug, so the function also logs it.

    >>> error_to_text(RefusedError("board.refused.one_move"), "lt"), error_to_text(DurakError("99 is no history of this tree"), "lt")
    ('Čia tik vienas ėjimas, todėl jis neišvengiamas.', '99 is no history of this tree')
    """
    if isinstance(error, RefusedError):
        return error.to_text(language)
    if isinstance(error, DurakError):
        return str(error)
    logging.getLogger("durak_widget").error("a message of a page failed", exc_info=error)
    return Translator(language).translate("table.failed", why=type(error).__name__)
