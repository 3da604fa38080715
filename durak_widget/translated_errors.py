"""What the blackboard refuses, and in which language it says so: one rule for trees, matrices, learners, and the exercises above them.

What a person may come upon by clicks, keys or typing is a `RefusedError`: code is told of it in English, as of every error, and the page in its own
language. What only code can get wrong (a history that there is not, a setting that takes something else) is English everywhere: a page sends no such thing.
"""

from __future__ import annotations

import logging

from durak_widget.errors import DurakError
from durak_widget.i18n import Voice


class RefusedError(DurakError, ValueError):
    """Something that cannot be done on a tree or a matrix, said in a sentence of any language.

    >>> error = RefusedError("board.refused.number", text="x")
    >>> str(error), error.said("lt")
    ('“x” is no number. Write it as 1/2, 0.5 or 50 %.', '„x“ nėra skaičius. Rašykite 1/2, 0,5 arba 50 %.')
    """

    def __init__(self, key: str, /, **facts: object) -> None:
        self.key, self.facts = key, facts
        super().__init__(Voice().say(key, **facts))

    def said(self, language: str) -> str:
        """The sentence in that language."""
        return Voice(language).say(self.key, **self.facts)


def said_of(error: Exception, language: str) -> str:
    """What a page in that language says of an error; what nobody has foreseen is kept in the log too.

    >>> said_of(RefusedError("board.refused.one_move"), "lt"), said_of(DurakError("99 is no history of this tree"), "lt")
    ('Čia tik vienas ėjimas, todėl jis neišvengiamas.', '99 is no history of this tree')
    """
    if isinstance(error, RefusedError):
        return error.said(language)
    if isinstance(error, DurakError):
        return str(error)
    logging.getLogger("durak_widget").error("a message of a page failed", exc_info=error)
    return Voice(language).say("table.failed", why=type(error).__name__)
