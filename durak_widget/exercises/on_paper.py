"""How a question is answered where its key is not: on paper, or in a notebook that was handed out. A kind of exercise declares it, and reads its own answers so."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from durak_widget.cards import Card
from durak_widget.errors import DurakError
from durak_widget.exercises.paper_form import letters_for, letters_read
from durak_widget.i18n import Fact
from durak_widget.i18n.user_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from durak_widget.exercises.answer_parsing import Text

LINE: Final = "_" * 12
TO_WRITE_ON: Final = '<p style="margin:14px 0;width:9em;border-bottom:1.5px solid currentColor">&nbsp;</p>'
"""Where an answer is written by hand."""


class Heard(NamedTuple):
    """What a check says of an answer."""

    outcome: str
    """`right` or `wrong`; nothing, if that cannot be told."""
    said: Sequence[Text] = ()


class AnswerForm(ABC):
    """The form of an answer: how it is read, kept and checked by whoever does not know what is right."""

    one: ClassVar[bool] = False
    """Whether an answer is one thing, and no row of several."""
    written: ClassVar[bool] = False
    """Whether it is written by hand."""
    hand: ClassVar[str] = ""
    """How it is answered on a printed sheet, as the words know it (`lesson.hand.<hand>`); nothing: it needs a screen."""

    @abstractmethod
    def read(self, answer: object, items: Sequence[str]) -> list[str]:
        """Read an answer as the page would give it, where these can be chosen; a `DurakError` says what would be one."""

    def fits(self, items: Mapping[str, Mapping[str, str]]) -> bool:
        """Whether such things can be chosen, each with its words by languages: cards, which need none."""
        return bool(items) and all(str(Card(item)) == item and not words for item, words in items.items())

    def from_hand(self, text: str, items: Sequence[str]) -> object:
        """Read what was written on a sheet, where what can be chosen bears letters; the cards themselves will do, too."""
        labels = letters_for(len(items))
        try:
            return self.read(text, items)
        except DurakError:
            found = [items[labels.index(one)] for one in letters_read(text, labels)]
        if self.one and len(found) != 1:
            raise RefusedError("lesson.hand.just_one", text=text[:20])
        return found[0] if self.one else found

    def in_hand(self, given: Sequence[str], items: Sequence[str]) -> str:
        """Tell an answer as it is written on a sheet."""
        labels = letters_for(len(items))
        return "".join(labels[items.index(one)] for one in given) or "-"

    def plain(self, given: Sequence[str]) -> object:
        """Tell an answer as plain values, which `read` takes again."""
        return given[0] if self.one else list(given)

    def text(self, given: Sequence[str]) -> str:
        """Tell an answer as a text, which is alike for all that mean the same; so it is sealed."""
        return " ".join(given)

    def checked(self, given: Sequence[str], opened: Callable[[str], Mapping[str, Any] | None]) -> Heard:
        """Say what can be said of an answer, if a seal tells what it holds to whoever has the text that opens it."""
        if opened(self.text(given)) is not None:
            return Heard("right", [Fact("class.right")])
        return Heard("wrong", [Fact("class.not_yet")])
