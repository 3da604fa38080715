"""What the blackboard refuses: in English where code asked for it, in the language of the page where a person did."""

from __future__ import annotations

from durak_widget.errors import DurakError
from durak_widget.words import Voice


class RefusedError(DurakError, ValueError):
    """Something that cannot be done on a tree, said in a sentence of any language.

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
