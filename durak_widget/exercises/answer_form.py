"""Parsers for typed numbers, and formats for exercise answers.

An answer field contains one number, or one number for each player, with many possible separators. An answer format is for sheets and
notebooks that were handed out without the answer key. Each type of exercise declares its own format, which parses, stores and checks
its answers.
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
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.paper_form import make_labels, parse_letter_list
from durak_widget.gametheory.number_parsing import format_number, parse_number_readings
from durak_widget.i18n import TranslatableText
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.gametheory.number_parsing import ParsedNumber

MAX_TEXT_LENGTH: Final = 60
"""The maximum length of a typed number, in characters."""
_MAX_ITEMS: Final = 1000
"""The maximum number of items that are read from an answer given as a range or iterator."""
_SEPARATORS: Final = (r"[;|]", r",\s", r",", r"(?<![/\s+])\s+(?![/\s%+])")
"""Regular expressions for the separators between the numbers of a typed list."""
_SIGNED_NUMBER_ROW: Final = re.compile(r"[\d)!]\s+[-−–+](?=\d)")
"""A regular expression that finds number lists such as `1 -1`, which are not subtractions."""
BLANK_LINE_TEXT: Final = "_" * 12
BLANK_LINE_HTML: Final = '<p style="margin:14px 0;width:9em;border-bottom:1.5px solid currentColor">&nbsp;</p>'
"""The HTML of an empty line on which a student writes the answer by hand."""


class AnswerPart(NamedTuple):
    """One part of a student's answer, described in words."""

    location: str
    """The location of this answer part in a tree or matrix; empty for other exercises."""
    text: str
    mark: str = ""
    """The grading mark: `right`, `wrong` or `follows`; empty if this part is not graded.

    `follows` means that the part is correct, given an earlier mistake.
    """


class TypedNumber(NamedTuple):
    """A number as a student typed it, with each value that the text may stand for."""

    readings: tuple[ParsedNumber, ...]

    @property
    def value(self) -> Fraction:
        """Return the exact value of the typed number, without rounding."""
        return self.readings[0].value

    @property
    def tolerance(self) -> Fraction:
        """Return the largest rounding error that is allowed for the typed number."""
        return self.readings[0].last_digit_unit / 2

    def matches(self, value: Fraction) -> bool:
        """Return whether the typed number equals `value`, up to the allowed rounding error.

        >>> from fractions import Fraction
        >>> decimal, fraction = parse_number("0.33"), parse_number("1/3")
        >>> decimal.matches(Fraction(1, 3)), decimal.matches(Fraction(33, 100)), fraction.matches(Fraction(33, 100))
        (True, True, False)
        """
        return any(reading.matches(value) for reading in self.readings)


def parse_number(text: str) -> TypedNumber | None:
    """Parse a number in any usual notation; return None if the text is not a number.

    >>> [str(parse_number(text).value) for text in (" −1 / 2", "0,25", ".5", "50 %")], parse_number("a half")
    (['-1/2', '1/4', '1/2', '1/2'], None)
    >>> str(parse_number("5/8 - 1/4").value), parse_number("1 -1")
    ('3/8', None)
    """
    parsed = parse_number_readings(text) if len(text) <= MAX_TEXT_LENGTH and not _SIGNED_NUMBER_ROW.search(text) else ()
    return TypedNumber(parsed) if parsed else None


def parse_numbers(text: str, count: int) -> tuple[TypedNumber, ...] | None:
    """Parse a text of `count` numbers, or of a single number; return None for any other text.

    >>> [[str(number.value) for number in parse_numbers(text, 2)] for text in ("1, -1", "0,5; -0,5", "0,5, -0,5", "(1 -1)", "1,-1", "1/3", "1 / 3", "− 1/2 1/2")]
    [['1', '-1'], ['1/2', '-1/2'], ['1/2', '-1/2'], ['1', '-1'], ['1', '-1'], ['1/3'], ['1/3'], ['-1/2', '1/2']]
    >>> parse_numbers("1, 2, 3", 2)
    """
    stripped = re.sub(r"([-−–+])\s+(?=\d)", r"\1", text.strip().strip("()[]{}<>").strip())
    for separator in _SEPARATORS if count > 1 else ():
        parts = [parse_number(part) for part in re.split(separator, stripped)]
        if len(parts) == count and None not in parts:
            return tuple(number for number in parts if number is not None)
    single_number = parse_number(text.strip()) or parse_number(stripped)
    return None if single_number is None else (single_number,)


def format_as_typed(numbers: object) -> str:
    """Format one or more numbers as a student would type them.

    >>> from fractions import Fraction
    >>> format_as_typed((1, Fraction(-1, 2))), format_as_typed(0.25), format_as_typed("1/2")
    ('1; -1/2', '0.25', '1/2')
    """
    if isinstance(numbers, (list, tuple)) and len(numbers) < MAX_TEXT_LENGTH:
        return "; ".join(map(format_as_typed, numbers))
    text = format_number(numbers)
    if text is None:
        raise DurakError(f"a value must be a number or a text, such as '1/2' or '1, -1', not {short_repr(numbers)}")
    return text[: MAX_TEXT_LENGTH + 1].encode(errors="replace").decode()  # JSON can't contain lone surrogates, so replace them


def format_answer(answer: object) -> str:
    """Format a whole answer as one line of text.

    >>> format_answer(["9c", "Kd"]), format_answer("1/2"), format_answer({"0": ["take"]}), format_answer([])
    ('9c, Kd', '1/2', '0: take', '')
    """
    if isinstance(answer, Mapping):
        return "; ".join(f"{key}: {format_answer(value)}" for key, value in answer.items())
    if isinstance(answer, (list, tuple)):
        return ", ".join(map(format_answer, answer))
    return str(answer)


def convert_to_lists(answer: object) -> object:
    """Convert an array, table, range or iterator to a list; return other values unchanged.

    >>> convert_to_lists(range(3)), convert_to_lists(value for value in "ab"), convert_to_lists((1, 2)), convert_to_lists("1/2")
    ([0, 1, 2], ['a', 'b'], (1, 2), '1/2')
    """
    array: Any = answer.to_numpy() if hasattr(answer, "to_numpy") else answer
    if callable(getattr(array, "tolist", None)):
        return array.tolist()
    return list(islice(answer, _MAX_ITEMS)) if isinstance(answer, (range, Iterator)) else answer


def describe_incomplete_fields(texts: Sequence[str], parse: Callable[[str], object]) -> list[Text]:
    """Return sentences on how many given texts are empty, and how many `parse` can't read."""
    stripped = [text.strip() for text in texts]
    counts = {"empty": stripped.count(""), "unread": sum(bool(text) and not parse(text) for text in stripped)}
    return [TranslatableText(f"class.kept.{problem}", {"count": count}) for problem, count in counts.items() if count]


def replace_hyphens(text: str) -> str:
    """Replace each hyphen in a typed text with a minus sign.

    >>> replace_hyphens("-1/2, 3")
    '−1/2, 3'
    """
    return text.replace("-", "−")


def format_payoffs(payoffs: tuple[Fraction, ...]) -> str:
    """Format payoffs as a game tree shows them at a terminal node.

    >>> from fractions import Fraction
    >>> format_payoffs((Fraction(1), Fraction(-1, 2)))
    '1, -1/2'
    """
    return ", ".join(map(str, payoffs))


def compute_wrong_field_penalty(right_values: Sequence[object]) -> Fraction:
    """Return how many correct answer fields lose their credit for each wrong field.

    With this penalty, an answer that is the same in every field earns nothing.

    >>> [str(compute_wrong_field_penalty(right)) for right in (["1", "1", "1", "-1"], ["1", "-1", "0"], ["1", "1"])]
    ['3', '1', '2']
    """
    highest_count = max(Counter(map(str, right_values)).values())
    return max(Fraction(highest_count, max(len(right_values) - highest_count, 1)), Fraction(1))


class AnswerCheck(NamedTuple):
    """The result of checking an answer without the answer key."""

    outcome: str
    """The outcome: `right`, `wrong`, or empty if the answer can't be graded without the key."""
    messages: Sequence[Text] = ()


class AnswerForm(ABC):
    """An answer format: how to parse an answer, store it, and check it without the answer key."""

    is_single: ClassVar[bool] = False
    """True if an answer is a single item instead of a list."""
    is_handwritten: ClassVar[bool] = False
    """True if a student can write the answer by hand on a printed sheet."""
    paper_kind: ClassVar[str] = ""
    """The name of the answer format on printed sheets; empty if the exercise needs a screen.

    The message `lesson.hand.<name>` has the instructions.
    """

    @abstractmethod
    def parse(self, answer: object, items: Sequence[str]) -> list[str]:
        """Parse an answer that the front end sent.

        `items` are the cards or options that the question offers. Raises a `DurakError` that says what a valid answer is.
        """

    def is_applicable(self, items: Mapping[str, Mapping[str, str]]) -> bool:
        """Return whether this answer format suits a question that offers the choices `items`.

        By default, all items must be cards, which have no texts.
        """
        return bool(items) and all(str(Card(item)) == item and not words for item, words in items.items())

    def parse_handwritten(self, text: str, items: Sequence[str]) -> object:
        """Parse an answer from a printed sheet: the letters or the names of the chosen items."""
        labels = make_labels(len(items))
        try:
            return self.parse(text, items)
        except DurakError:
            chosen_items = [items[labels.index(letter)] for letter in parse_letter_list(text, labels)]
        if self.is_single and len(chosen_items) != 1:
            raise RefusedError("lesson.hand.just_one", text=text[:20])
        return chosen_items[0] if self.is_single else chosen_items

    def format_handwritten(self, answer: Sequence[str], items: Sequence[str]) -> str:
        """Format an answer as a student would write it on a printed sheet."""
        labels = make_labels(len(items))
        return "".join(labels[items.index(item)] for item in answer) or "-"

    def to_plain_data(self, answer: Sequence[str]) -> object:
        """Convert an answer to JSON-compatible values that `parse` accepts."""
        return answer[0] if self.is_single else list(answer)

    def to_canonical_text(self, answer: Sequence[str]) -> str:
        """Return the canonical text of an answer, which is equal for all equivalent answers."""
        return " ".join(answer)

    def check_with_seal(self, answer: Sequence[str], open_seal: Callable[[str], Mapping[str, Any] | None]) -> AnswerCheck:
        """Check an answer against the encrypted correct answer."""
        if open_seal(self.to_canonical_text(answer)) is not None:
            return AnswerCheck("right", [TranslatableText("class.right")])
        return AnswerCheck("wrong", [TranslatableText("class.not_yet")])
