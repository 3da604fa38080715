"""Errors that people cause by clicks, keys or typing, in their own language.

Such an error is a `RefusedError`. Its own message is in English, and a page shows it in the language of the page.
An error that only code can cause, such as a wrong argument, is in English everywhere.
"""

from __future__ import annotations

import logging

from durak_widget.errors import DurakError
from durak_widget.i18n import Voice


class RefusedError(DurakError, ValueError):
    """An error about a request of the user that is impossible.

    `key` is the key of its sentence in `i18n`, and `facts` fill the gaps in that sentence.

    >>> error = RefusedError("board.refused.number", text="x")
    >>> str(error), error.said("lt")
    ('“x” is no number. Write it as 1/2, 0.5 or 50 %.', '„x“ nėra skaičius. Rašykite 1/2, 0,5 arba 50 %.')
    """

    def __init__(self, key: str, /, **facts: object) -> None:
        self.key, self.facts = key, facts
        super().__init__(Voice().say(key, **facts))

    def said(self, language: str) -> str:
        """Return the message in this language."""
        return Voice(language).say(self.key, **self.facts)


def said_of(error: Exception, language: str) -> str:
    """Return the text that a page in this language shows for an error.

    An error that is not a `DurakError` is a bug: it goes to the log too.

    >>> said_of(RefusedError("board.refused.one_move"), "lt"), said_of(DurakError("99 is no history of this tree"), "lt")
    ('Čia tik vienas ėjimas, todėl jis neišvengiamas.', '99 is no history of this tree')
    """
    if isinstance(error, RefusedError):
        return error.said(language)
    if isinstance(error, DurakError):
        return str(error)
    logging.getLogger("durak_widget").error("a message of a page failed", exc_info=error)
    return Voice(language).say("table.failed", why=type(error).__name__)
