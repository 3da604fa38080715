"""Parse numbers typed into fields of a tree or matrix, and answers given without a key.

A field holds one number, or one for each player, with many separators allowed. An answer form is for sheets
and notebooks that were handed out without the key. Each type of exercise declares its own form, which reads,
stores and checks its answers.
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
"""The maximum length of a text that is read."""
_MOST: Final = 1000
"""The maximum number of items that are read."""
_JOINTS: Final = (r"[;|]", r",\s", r",", r"(?<![/\s+])\s+(?![/\s%+])")
"""The separators of the numbers of a row."""
_ROW: Final = re.compile(r"[\d)!]\s+[-−–+](?=\d)")
"""A number with its own sign after another number: the second of a row, not part of a sum."""
LINE: Final = "_" * 12
TO_WRITE_ON: Final = '<p style="margin:14px 0;width:9em;border-bottom:1.5px solid currentColor">&nbsp;</p>'
"""A line on which the answer is written by hand."""


class AnswerPart(NamedTuple):
    """A part of an answer, in words."""

    where: str
    """Its location; empty if the answer has none."""
    said: str
    mark: str = ""
    """`right`, `wrong`, or `follows`; empty if the part has no mark of its own."""


class Meant(NamedTuple):
    """A typed number with all its readings."""

    readings: tuple[Written, ...]

    @property
    def value(self) -> Fraction:
        """Return the number exactly as written."""
        return self.readings[0].value

    @property
    def open(self) -> Fraction:
        """Return how much rounding is allowed."""
        return self.readings[0].grain / 2

    def means(self, value: Fraction) -> bool:
        """Return whether it is this number, or this number rounded precisely enough.

        >>> from fractions import Fraction
        >>> decimal, fraction = number_typed("0.33"), number_typed("1/3")
        >>> decimal.means(Fraction(1, 3)), decimal.means(Fraction(33, 100)), fraction.means(Fraction(33, 100))
        (True, True, False)
        """
        return any(reading.means(value) for reading in self.readings)


def number_typed(text: str) -> Meant | None:
    """Parse a number in any notation; return None if it is not a number.

    >>> [str(number_typed(text).value) for text in (" −1 / 2", "0,25", ".5", "50 %")], number_typed("a half")
    (['-1/2', '1/4', '1/2', '1/2'], None)
    >>> str(number_typed("5/8 - 1/4").value), number_typed("1 -1")
    ('3/8', None)
    """
    parsed = readings(text) if len(text) <= LONGEST and not _ROW.search(text) else ()
    return Meant(parsed) if parsed else None


def numbers_of(text: str, count: int) -> tuple[Meant, ...] | None:
    """Parse `count` numbers, or one alone, which is then the first; return None on failure.

    >>> [[str(number.value) for number in numbers_of(text, 2)] for text in ("1, -1", "0,5; -0,5", "0,5, -0,5", "(1 -1)", "1,-1", "1/3", "1 / 3", "− 1/2 1/2")]
    [['1', '-1'], ['1/2', '-1/2'], ['1/2', '-1/2'], ['1', '-1'], ['1', '-1'], ['1/3'], ['1/3'], ['-1/2', '1/2']]
    >>> numbers_of("1, 2, 3", 2)
    """
    stripped = re.sub(r"([-−–+])\s+(?=\d)", r"\1", text.strip().strip("()[]{}<>").strip())
    for separator in _JOINTS if count > 1 else ():
        parts = [number_typed(part) for part in re.split(separator, stripped)]
        if len(parts) == count and None not in parts:
            return tuple(number for number in parts if number is not None)
    alone = number_typed(text.strip()) or number_typed(stripped)
    return None if alone is None else (alone,)


def as_typed(numbers: object) -> str:
    """Return a value from code as it would be typed: a text, a number, or several.

    >>> from fractions import Fraction
    >>> as_typed((1, Fraction(-1, 2))), as_typed(0.25), as_typed("1/2")
    ('1; -1/2', '0.25', '1/2')
    """
    if isinstance(numbers, (list, tuple)) and len(numbers) < LONGEST:
        return "; ".join(map(as_typed, numbers))
    text = writing(numbers)
    if text is None:
        raise DurakError(f"a value is given as a number or a text, such as '1/2' or '1, -1', not as {quoted(numbers)}")
    return text[: LONGEST + 1].encode(errors="replace").decode()  # half a character could not be sent back to the page


def in_a_line(answer: object) -> str:
    """Format a whole answer in one line.

    >>> in_a_line(["9c", "Kd"]), in_a_line("1/2"), in_a_line({"0": ["take"]}), in_a_line([])
    ('9c, Kd', '1/2', '0: take', '')
    """
    if isinstance(answer, Mapping):
        return "; ".join(f"{key}: {in_a_line(value)}" for key, value in answer.items())
    if isinstance(answer, (list, tuple)):
        return ", ".join(map(in_a_line, answer))
    return str(answer)


def as_lists(answer: object) -> object:
    """Convert an array, table, range or iterator to a list; return other values unchanged.

    >>> as_lists(range(3)), as_lists(value for value in "ab"), as_lists((1, 2)), as_lists("1/2")
    ([0, 1, 2], ['a', 'b'], (1, 2), '1/2')
    """
    array: Any = answer.to_numpy() if hasattr(answer, "to_numpy") else answer
    if callable(getattr(array, "tolist", None)):
        return array.tolist()
    return list(islice(answer, _MOST)) if isinstance(answer, (range, Iterator)) else answer


def left_open(texts: Sequence[str], read: Callable[[str], object]) -> list[Text]:
    """Describe how many fields are empty, and how many hold no number."""
    stripped = [text.strip() for text in texts]
    counts = {"empty": stripped.count(""), "unread": sum(bool(text) and not read(text) for text in stripped)}
    return [Fact(f"class.kept.{problem}", {"count": count}) for problem, count in counts.items() if count]


def with_minus(text: str) -> str:
    """Replace each hyphen of a typed text with a minus sign.

    >>> with_minus("-1/2, 3")
    '−1/2, 3'
    """
    return text.replace("-", "−")


def numbers_written(worth: tuple[Fraction, ...]) -> str:
    """Format payoffs as they are shown at the end of a tree.

    >>> from fractions import Fraction
    >>> numbers_written((Fraction(1), Fraction(-1, 2)))
    '1, -1/2'
    """
    return ", ".join(map(str, worth))


def cost_of_one_for_all(right: Sequence[object]) -> Fraction:
    """Return how many right fields a wrong one cancels.

    With this penalty no answer gains anything that is the same in every field.

    >>> [str(cost_of_one_for_all(right)) for right in (["1", "1", "1", "-1"], ["1", "-1", "0"], ["1", "1"])]
    ['3', '1', '2']
    """
    highest_count = max(Counter(map(str, right)).values())
    return max(Fraction(highest_count, max(len(right) - highest_count, 1)), Fraction(1))


class Heard(NamedTuple):
    """The result of checking an answer without its key."""

    outcome: str
    """`right` or `wrong`; empty if that cannot be told."""
    said: Sequence[Text] = ()


class AnswerForm(ABC):
    """A format of answers: it reads, stores and checks them without the key."""

    one: ClassVar[bool] = False
    """True if an answer is one item, not a list."""
    written: ClassVar[bool] = False
    """True if it is written by hand."""
    hand: ClassVar[str] = ""
    """The kind of answer on paper (`lesson.hand.<hand>`); empty if it needs a screen."""

    @abstractmethod
    def read(self, answer: object, items: Sequence[str]) -> list[str]:
        """Return an answer as the page sends it, given the available items.

        Raises a `DurakError` that says what a valid answer is.
        """

    def fits(self, items: Mapping[str, Mapping[str, str]]) -> bool:
        """Return whether it accepts these items, each with its texts by language.

        By default they must be cards, which have no texts.
        """
        return bool(items) and all(str(Card(item)) == item and not words for item, words in items.items())

    def from_hand(self, text: str, items: Sequence[str]) -> object:
        """Read what was written on a sheet: the letters of items, or the cards themselves."""
        labels = letters_for(len(items))
        try:
            return self.read(text, items)
        except DurakError:
            picked = [items[labels.index(letter)] for letter in letters_read(text, labels)]
        if self.one and len(picked) != 1:
            raise RefusedError("lesson.hand.just_one", text=text[:20])
        return picked[0] if self.one else picked

    def in_hand(self, given: Sequence[str], items: Sequence[str]) -> str:
        """Format an answer as it is written on a sheet."""
        labels = letters_for(len(items))
        return "".join(labels[items.index(item)] for item in given) or "-"

    def plain(self, given: Sequence[str]) -> object:
        """Return an answer as plain values, which `read` accepts."""
        return given[0] if self.one else list(given)

    def text(self, given: Sequence[str]) -> str:
        """Return an answer as text, the same for all equivalent answers; this text is sealed."""
        return " ".join(given)

    def checked(self, given: Sequence[str], opened: Callable[[str], Mapping[str, Any] | None]) -> Heard:
        """Check an answer with a seal, which opens only with the text of a sealed answer."""
        if opened(self.text(given)) is not None:
            return Heard("right", [Fact("class.right")])
        return Heard("wrong", [Fact("class.not_yet")])
