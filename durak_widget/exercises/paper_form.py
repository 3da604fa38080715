"""Defines how an exercise is printed on paper, and how its handwritten answers are read.

`by_hand()` of an exercise returns its paper form, or None if it needs a screen. Answers come back as texts by the letters of their blanks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from durak_widget.board.svg_primitives import NIGHT, wide
from durak_widget.engine.table_svg import image
from durak_widget.errors import DurakError, quoted
from durak_widget.i18n import Fact, language
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from durak_widget.exercises.answer_parsing import Text

Written = Mapping[str, str]
"""The written texts by the letters of their blanks; an empty text where nothing was written."""
HAND: Final = "by_hand"
"""The key in a homework folder for answers typed from paper: `{"by_hand": {"a": "1/2", "b": ""}}`."""
NONE: Final = {"-", "–", "—", "−"}
"""The signs for an empty answer: no card, no group."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_LOOKS_LIKE: Final = str.maketrans("АВЕСаесорхОРХ–—−", "ABECaecopxOPX---")
"""Cyrillic letters and dashes, mapped to the Latin ones they look like."""
_DATE: Final = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}[-. ]+[^\W\d_]{3,}\.?(?:[-. ]\d{2,4})?|[^\W\d_]{3,}[-. ]\d{1,2}"
)
"""A date, into which a spreadsheet may have turned a fraction."""
_SPAN: Final = re.compile(r"(\d+)\s*-\s*(\d+)")
_SIZE: Final = re.compile(r' width="([\d.]+)" height="([\d.]+)"')
_NO_BLANK: Final = "lesson.hand.no_blank"
TOGETHER: Final = "lesson.hand.shares"
"""The message key for texts that can be read alone but are impossible together."""
_MOST: Final = 400
"""The largest number of characters of a text that is read."""
_SHORT: Final = 20
"""The number of characters of a text that a message quotes."""
_PRINTED: Final = ".t-soft{fill:#000}.t-small.t-halo{font-weight:650}.t-bg{fill:#fff;stroke:none}.t-line{stroke:#222}"
_FIRST, _COLUMN, _ALL, _LINE, _SIZE_OF_TEXT = 170.0, 104.0, 660.0, 17.0, 12.5
"""Pixels: width of row heads, of a column and of a whole table; height of a line; size of its letters."""


class Blank(NamedTuple):
    """A space for one written answer."""

    label: str = ""
    """The letter of the blank; empty if it is the only one."""
    said: str = ""
    """The text that says what to write."""
    room: str = "box"
    """The form: `box` for a number, `line` for letters, `work` with space for calculations, `drawn` if it is part of the picture."""
    options: tuple[tuple[str, str], ...] = ()
    """The options to tick, each with its letter."""
    group: str = ""
    """The heading of the blanks that belong together."""


class DrawnByHand(NamedTuple):
    """A picture or a table for paper as HTML, with its size in pixels."""

    html: str
    width: float
    height: float
    most: float = 180
    """The largest printed width in millimetres."""

    @classmethod
    def of(cls, svg: str, told: str, most: float = 180) -> DrawnByHand:
        """Return an SVG picture as an image, in which no script runs."""
        size = _SIZE.search(svg)
        width, height = map(float, size.groups()) if size else (480.0, 320.0)
        return cls(image(svg, told), width, height, most)


class ByHand(NamedTuple):
    """A question for paper."""

    question: str
    how: str
    """The instructions for the answer on paper."""
    draw: Callable[[], tuple[DrawnByHand, ...]]
    """The function that draws the pictures; it is called only for printing."""
    blanks: tuple[Blank, ...]
    read: Callable[[Written], object]
    """The function that parses the texts for `answer` of the exercise; a `RefusedError` says why it cannot."""
    write: Callable[[], Written]
    """The function that returns the texts of a right answer."""


class OddPart(NamedTuple):
    """A part of the typed answer that can't be read."""

    label: str
    text: str
    why: RefusedError
    """The error that says what is wrong."""

    @property
    def fact(self) -> Fact:
        """Return the sentence about the part, and how it is counted."""
        sentence = Fact(self.why.key, self.why.facts)
        return sentence if self.why.key == _NO_BLANK else Fact("lesson.hand.part", {"label": self.label, "said": sentence})


class ReadByHand(NamedTuple):
    """An answer typed from paper, in the form for `answer`, and its unreadable parts."""

    answer: object
    odd: tuple[OddPart, ...] = ()


class AskedByHand(Protocol):
    """An exercise that may have a paper form."""

    number: str

    def by_hand(self) -> ByHand | None:
        """Return the question for paper; None if it needs a screen."""


class HandWork(NamedTuple):
    """The paper form of a question on a tree or matrix, without its drawing."""

    marks: Mapping[int, str]
    """The letters beside the nodes of a tree."""
    blanks: tuple[Blank, ...]
    read: Callable[[Written], object]
    write: Callable[[], Written]


def letters_for(count: int) -> list[str]:
    """Return `count` labels: single letters, then pairs of letters.

    >>> letters_for(3), letters_for(28)[-3:]
    (['a', 'b', 'c'], ['z', 'aa', 'ab'])
    """
    return [(_LETTERS[i // 26 - 1] if i >= 26 else "") + _LETTERS[i % 26] for i in range(count)]


def for_paper(text: Text) -> Text:
    """Return a question in its wording for paper, if there is one.

    The wording for the screen may say "click".

    >>> for_paper(Fact("lesson.tree.path")).key
    'lesson.tree.path.hand'
    """
    if not isinstance(text, Fact):
        return text
    key = f"{text.key}.hand"
    facts = {name: for_paper(value) if isinstance(value, Fact) else value for name, value in text.facts.items()}
    return Fact(key if key in language("en").sentences else text.key, facts)


def bare_text(text: str) -> str:
    """Return a typed text without apostrophe, look-alike letters and extra spaces.

    >>> bare_text(" '1/2 "), bare_text("–")
    ('1/2', '-')
    """
    return " ".join(text.translate(_LOOKS_LIKE).strip().removeprefix("'").split())


def is_a_date(text: str) -> bool:
    """Return whether the text looks like a fraction that a spreadsheet turned into a date.

    >>> [is_a_date(text) for text in ("01-Feb", "2027-02-01", "1. Feb", "1/2/2027", "1/2", "-1", "ad")]
    [True, True, True, True, False, False, False]
    """
    return bool(_DATE.fullmatch(text.strip()))


def letters_read(text: str, known: Sequence[str]) -> list[str]:
    """Parse letters, glued or separate, and drop repetitions.

    A `RefusedError` names a letter that is not on the sheet.

    >>> letters_read("A, c", ["a", "b", "c"]), letters_read("ac", ["a", "b", "c"]), letters_read("-", ["a"])
    (['a', 'c'], ['a', 'c'], [])
    """
    cleaned = bare_text(text).casefold()
    if cleaned in NONE:
        return []
    unique: list[str] = []
    for part in re.findall(r"[^\s,;.+]+", cleaned):
        letters = [part] if part in known else list(part)
        for letter in letters:
            if letter not in known:
                raise RefusedError("lesson.hand.no_letter", text=letter[:20], first=known[0], last=known[-1])
            if letter not in unique:
                unique.append(letter)
    return unique


def numbers_read(text: str, most: int) -> list[int]:
    """Parse numbers and ranges with a dash, and drop repetitions.

    >>> numbers_read("1-3, 7", 9)
    [1, 2, 3, 7]
    """
    cleaned = bare_text(text)
    if cleaned in NONE:
        return []
    expanded = _SPAN.sub(
        lambda span: " ".join(map(str, range(int(span[1]), int(span[2]) + 1))) if int(span[2]) - int(span[1]) <= most else span[0],
        cleaned,
    )
    numbers: list[int] = []
    for part in re.findall(r"[^\s,;.]+", expanded):
        if not part.isdecimal() or not part.isascii() or len(part) > 6 or not 0 < int(part) <= most:
            raise RefusedError("lesson.hand.no_number", text=part[:20], last=str(most))
        if int(part) not in numbers:
            numbers.append(int(part))
    return numbers


def form_of_paper(task: AskedByHand) -> ByHand:
    """Return the paper form of an exercise, or raise a `RefusedError` if it needs a screen.

    >>> from durak_widget.lessons import Choose
    >>> sheet = form_of_paper(Choose("Who wins?", {"the first": "No.", "nobody": "Yes."}, right="nobody"))
    >>> sheet.blanks[0].options, sheet.read({"": "B"}), sheet.write()
    ((('a', 'the first'), ('b', 'nobody')), 'nobody', {'': 'b'})
    """
    form = task.by_hand()
    if form is None:
        raise RefusedError("lesson.hand.screen", number=task.number or "?")
    return form


def by_hand(given: object) -> bool:
    """Return whether the answer was typed from paper.

    >>> by_hand({"by_hand": {"": "5/18"}}), by_hand("5/18")
    (True, False)
    """
    return isinstance(given, Mapping) and given.keys() == {HAND}


def answer_by_hand(task: AskedByHand, given: object) -> object:
    """Return an answer typed from paper in the form for `answer`; other answers unchanged."""
    return read_by_hand(task, given).answer


def read_by_hand(task: AskedByHand, given: object) -> ReadByHand:
    """Parse an answer typed from paper, blank by blank.

    An unreadable blank counts as empty. If nothing can be read, a `RefusedError` is raised.
    """
    if not isinstance(given, Mapping) or not by_hand(given):
        return ReadByHand(given)
    written = given[HAND]
    if not isinstance(written, Mapping) or not all(isinstance(entry, str) for pair in written.items() for entry in pair):
        raise DurakError(f"what was written by hand is kept as texts by the letters of a sheet, not as {quoted(written)}")
    form = form_of_paper(task)
    readable = {label: bare_text(text) for label, text in written.items() if bare_text(text)}
    unreadable = [OddPart(label, text[:_MOST], error) for label, text in readable.items() if (error := _odd(form, label, text))]
    for part in unreadable:
        del readable[part.label]
    for group_texts in _groups(form, readable):
        if error := _refused(form, group_texts):
            unreadable.append(OddPart(", ".join(group_texts), ", ".join(group_texts.values()), error))
            readable = {label: text for label, text in readable.items() if label not in group_texts}
    if unreadable and not readable:
        raise unreadable[0].why
    return ReadByHand(form.read(_whole(form, readable)), tuple(unreadable))


def _odd(form: ByHand, label: str, text: str) -> RefusedError | None:
    """Return what is wrong with the text of a blank, apart from the other blanks; else None."""
    labels = [blank.label for blank in form.blanks]
    if label not in labels:
        return RefusedError(_NO_BLANK, label=label[:_SHORT] or "–", first=labels[0] or "–", last=labels[-1] or "–")
    if len(text) > _MOST:
        return RefusedError("lesson.hand.long", text=text[:_SHORT])
    if is_a_date(text):
        return RefusedError("lesson.hand.date", text=text[:_SHORT])
    error = _refused(form, {label: text})
    return error if error and error.key != TOGETHER else None


def _groups(form: ByHand, there: Written) -> list[dict[str, str]]:
    """Return the written texts of each group of blanks."""
    groups = dict.fromkeys(blank.group for blank in form.blanks if blank.group)
    group_texts = [
        {blank.label: there[blank.label] for blank in form.blanks if blank.group == group and blank.label in there} for group in groups
    ]
    return [texts for texts in group_texts if texts]


def _refused(form: ByHand, some: Written) -> RefusedError | None:
    """Return the error with which these texts alone are refused; else None."""
    try:
        form.read(_whole(form, some))
    except RefusedError as error:
        return error
    return None


def _whole(form: ByHand, some: Written) -> Written:
    return {blank.label: some.get(blank.label, "") for blank in form.blanks}


def printed_board(svg: str, told: str = "") -> DrawnByHand:
    """Return a picture of a tree or matrix for print: on white, with readable letters."""
    return DrawnByHand.of(svg.replace(NIGHT, "").replace("</style>", f"{_PRINTED}</style>", 1), told)


def grid(head: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]], *, corner: str = "", high: float = 30) -> DrawnByHand:
    """Return an HTML table of cells to read or fill in; all texts are HTML already.

    >>> grid(["<b>a</b> heads"], [("<b>1</b> tails", ["1"])]).height
    80.0
    """
    column = min(_COLUMN, (_ALL - _FIRST) / max(len(head), 1))

    def count_lines(text: str, available: float) -> int:
        return -(-int(1.15 * wide(re.sub("<[^>]+>", "", text), _SIZE_OF_TEXT)) // int(available - 14)) or 1

    heights = [max([count_lines(title, column) for title in head] + [2]) * _LINE + 16] + [
        max(high, count_lines(row_head, _FIRST) * _LINE + 8) for row_head, _ in rows
    ]
    head_cells = "".join(f"<th>{title}</th>" for title in head)
    body = "".join(
        f'<tr style="height:{height:g}px"><th>{row_head}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for height, (row_head, cells) in zip(heights[1:], rows, strict=True)
    )
    width = _FIRST + column * len(head)
    columns = f'<colgroup><col style="width:{_FIRST:g}px"></colgroup>'
    table = f'<table class="by-hand" style="width:{width:g}px">{columns}<thead><tr><th class="corner">{corner}</th>{head_cells}</tr></thead><tbody>{body}</tbody></table>'
    return DrawnByHand(table, width, sum(heights))


def corner_letter(label: str) -> str:
    """Return the HTML of the letter in a cell that is to be filled in."""
    return f'<small class="by-letter">{escape(label)}</small>'
