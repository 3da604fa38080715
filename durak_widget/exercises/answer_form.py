"""Reads the numbers typed into fields of a tree or matrix, and defines how an answer is read without a key.

A field holds one number, or one for each player, with many separators allowed. An answer form is for sheets
and notebooks that were handed out without the key. Each type of exercise declares its own form, which reads,
keeps and checks its answers.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from durak_widget.cards import Card
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.paper_form import letters_for, letters_read
from durak_widget.gametheory.number_parsing import readings, writing
from durak_widget.i18n import Fact
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.gametheory.number_parsing import Written

LONGEST: Final = 60
"""So much of a text is read."""
_MOST: Final = 1000
"""So many things are read."""
_JOINTS: Final = (r"[;|]", r",\s", r",", r"(?<![/\s+])\s+(?![/\s%+])")
"""What may stand between the numbers of a row."""
_ROW: Final = re.compile(r"[\d)!]\s+[-−–+](?=\d)")
"""A number with a sign of its own behind another is the second of a row, and no part of a sum."""
LINE: Final = "_" * 12
TO_WRITE_ON: Final = '<p style="margin:14px 0;width:9em;border-bottom:1.5px solid currentColor">&nbsp;</p>'
"""Where an answer is written by hand."""


class AnswerPart(NamedTuple):
    """A part of an answer, in words."""

    where: str
    """Where it stands; nothing of an answer that stands nowhere."""
    said: str
    mark: str = ""
    """`right`, `wrong`, or `follows`; nothing where it is not judged by itself."""


class Meant(NamedTuple):
    """One number, in all its readings."""

    readings: tuple[Written, ...]

    @property
    def value(self) -> Fraction:
        """The number as it stands there."""
        return self.readings[0].value

    @property
    def open(self) -> Fraction:
        """By how much it may be rounded."""
        return self.readings[0].grain / 2

    def means(self, value: Fraction) -> bool:
        """Whether it is that number, or that number rounded so that it still tells enough.

        >>> from fractions import Fraction
        >>> one, other = number_typed("0.33"), number_typed("1/3")
        >>> one.means(Fraction(1, 3)), one.means(Fraction(33, 100)), other.means(Fraction(33, 100))
        (True, True, False)
        """
        return any(one.means(value) for one in self.readings)


def number_typed(text: str) -> Meant | None:
    """A number in any writing; None where it is none.

    >>> [str(number_typed(text).value) for text in (" −1 / 2", "0,25", ".5", "50 %")], number_typed("a half")
    (['-1/2', '1/4', '1/2', '1/2'], None)
    >>> str(number_typed("5/8 - 1/4").value), number_typed("1 -1")
    ('3/8', None)
    """
    found = readings(text) if len(text) <= LONGEST and not _ROW.search(text) else ()
    return Meant(found) if found else None


def numbers_of(text: str, count: int) -> tuple[Meant, ...] | None:
    """So many numbers, or one alone, which is the first; None where they cannot be read.

    >>> [[str(one.value) for one in numbers_of(text, 2)] for text in ("1, -1", "0,5; -0,5", "0,5, -0,5", "(1 -1)", "1,-1", "1/3", "1 / 3", "− 1/2 1/2")]
    [['1', '-1'], ['1/2', '-1/2'], ['1/2', '-1/2'], ['1', '-1'], ['1', '-1'], ['1/3'], ['1/3'], ['-1/2', '1/2']]
    >>> numbers_of("1, 2, 3", 2)
    """
    bare = re.sub(r"([-−–+])\s+(?=\d)", r"\1", text.strip().strip("()[]{}<>").strip())
    for joint in _JOINTS if count > 1 else ():
        parts = [number_typed(part) for part in re.split(joint, bare)]
        if len(parts) == count and None not in parts:
            return tuple(one for one in parts if one is not None)
    alone = number_typed(text.strip()) or number_typed(bare)
    return None if alone is None else (alone,)


def as_typed(numbers: object) -> str:
    """What somebody gives from code, as it would be typed: a text, a number, or several.

    >>> from fractions import Fraction
    >>> as_typed((1, Fraction(-1, 2))), as_typed(0.25), as_typed("1/2")
    ('1; -1/2', '0.25', '1/2')
    """
    if isinstance(numbers, (list, tuple)) and len(numbers) < LONGEST:
        return "; ".join(map(as_typed, numbers))
    text = writing(numbers)
    if text is None:
        raise DurakError(f"a value is given as a number or a text, such as '1/2' or '1, -1', not as {quoted(numbers)}")
    return text[: LONGEST + 1].encode(errors="replace").decode()  # half a sign could not be told to the page again


def in_a_line(answer: object) -> str:
    """A whole answer in a line, as plain as it is.

    >>> in_a_line(["9c", "Kd"]), in_a_line("1/2"), in_a_line({"0": ["take"]}), in_a_line([])
    ('9c, Kd', '1/2', '0: take', '')
    """
    if isinstance(answer, Mapping):
        return "; ".join(f"{key}: {in_a_line(one)}" for key, one in answer.items())
    if isinstance(answer, (list, tuple)):
        return ", ".join(map(in_a_line, answer))
    return str(answer)


def as_lists(answer: object) -> object:
    """An answer of several things as lists: an array of numpy's, a table of pandas', a range, or what is gone through once; anything else as it is.

    >>> as_lists(range(3)), as_lists(value for value in "ab"), as_lists((1, 2)), as_lists("1/2")
    ([0, 1, 2], ['a', 'b'], (1, 2), '1/2')
    """
    array: Any = answer.to_numpy() if hasattr(answer, "to_numpy") else answer
    if callable(getattr(array, "tolist", None)):
        return array.tolist()
    return list(islice(answer, _MOST)) if isinstance(answer, (range, Iterator)) else answer


def left_open(texts: Sequence[str], read: Callable[[str], object]) -> list[Text]:
    """How many fields are empty, and how many hold what is no number."""
    bare = [text.strip() for text in texts]
    counts = {"empty": bare.count(""), "unread": sum(bool(text) and not read(text) for text in bare)}
    return [Fact(f"class.kept.{what}", {"count": count}) for what, count in counts.items() if count]


def with_minus(text: str) -> str:
    """What was typed, with a minus where a hyphen stands for one.

    >>> with_minus("-1/2, 3")
    '−1/2, 3'
    """
    return text.replace("-", "−")


def numbers_written(worth: tuple[Fraction, ...]) -> str:
    """Numbers as they stand at the end of a tree.

    >>> from fractions import Fraction
    >>> numbers_written((Fraction(1), Fraction(-1, 2)))
    '1, -1/2'
    """
    return ", ".join(map(str, worth))


def cost_of_one_for_all(right: Sequence[object]) -> Fraction:
    """Return how many right fields a wrong one has to take back, so that no answer gains anything which is the same in every field.

    >>> [str(cost_of_one_for_all(right)) for right in (["1", "1", "1", "-1"], ["1", "-1", "0"], ["1", "1"])]
    ['3', '1', '2']
    """
    most = max(Counter(map(str, right)).values())
    return max(Fraction(most, max(len(right) - most, 1)), Fraction(1))


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
