"""How a question is asked on a printed sheet: what is drawn there, which room is left to write in, and how what was written is read again.

A kind of exercise gives its sheet as `by_hand()`; None: it needs a screen. What was written comes back as texts, by the letters of their blanks.
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
"""What was written, by the letters of the blanks; nothing stands where nothing was."""
HAND: Final = "by_hand"
"""Under this name stands in a folder of homework what was typed off a sheet: `{"by_hand": {"a": "1/2", "b": ""}}`."""
NONE: Final = {"-", "–", "—", "−"}
"""What is written where nothing is the answer: no card, no group."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_LOOKS_LIKE: Final = str.maketrans("АВЕСаесорхОРХ–—−", "ABECaecopxOPX---")
"""Letters of Cyrillic that look like those on the sheet."""
_DATE: Final = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}[-. ]+[^\W\d_]{3,}\.?(?:[-. ]\d{2,4})?|[^\W\d_]{3,}[-. ]\d{1,2}"
)
"""What a spreadsheet makes of a fraction, left to itself."""
_SPAN: Final = re.compile(r"(\d+)\s*-\s*(\d+)")
_SIZE: Final = re.compile(r' width="([\d.]+)" height="([\d.]+)"')
_NO_BLANK: Final = "lesson.hand.no_blank"
TOGETHER: Final = "lesson.hand.shares"
"""Refuses what stands in blanks of one group together, though each alone can be read."""
_MOST: Final = 400
"""So long a text is read."""
_SHORT: Final = 20
"""So much of one is said again."""
_PRINTED: Final = ".t-soft{fill:#000}.t-small.t-halo{font-weight:650}.t-bg{fill:#fff;stroke:none}.t-line{stroke:#222}"
_FIRST, _COLUMN, _ALL, _LINE, _SIZE_OF_TEXT = 170.0, 104.0, 660.0, 17.0, 12.5
"""How wide the heads of rows and a column are, all of a table at most, how high a line is, and how large its letters: in pixels of paper."""


class Blank(NamedTuple):
    """Room for one thing to be written."""

    label: str = ""
    """The letter that it bears; nothing where it is the only one."""
    said: str = ""
    """What is asked there."""
    room: str = "box"
    """`box`: for a number; `line`: for a row of letters; `work`: with room to work it out; `drawn`: it is in the drawing already, and is only typed off."""
    options: tuple[tuple[str, str], ...] = ()
    """Of what may be ticked, each with its letter."""
    group: str = ""
    """What stands before those that belong together."""


class DrawnByHand(NamedTuple):
    """A picture for paper, or a table to be filled in, as HTML; and how large it is in pixels."""

    html: str
    width: float
    height: float
    most: float = 180
    """So many millimetres wide it is printed at most."""

    @classmethod
    def of(cls, svg: str, told: str, most: float = 180) -> DrawnByHand:
        """A picture as an image, in which nothing runs."""
        found = _SIZE.search(svg)
        width, height = map(float, found.groups()) if found else (480.0, 320.0)
        return cls(image(svg, told), width, height, most)


class ByHand(NamedTuple):
    """A question as it stands on paper."""

    question: str
    how: str
    """How it is answered there."""
    draw: Callable[[], tuple[DrawnByHand, ...]]
    """What is drawn, when it is printed: to read what was written it is not needed."""
    blanks: tuple[Blank, ...]
    read: Callable[[Written], object]
    """What was written, as `answer` of the exercise takes it; a `RefusedError` says what cannot be read."""
    write: Callable[[], Written]
    """What stands in the blanks of whoever has it right."""


class OddPart(NamedTuple):
    """A part of what was typed off a sheet that cannot be read."""

    label: str
    text: str
    why: RefusedError
    """Says what is odd about it."""

    @property
    def fact(self) -> Fact:
        """The sentence about it, with what it counts as."""
        told = Fact(self.why.key, self.why.facts)
        return told if self.why.key == _NO_BLANK else Fact("lesson.hand.part", {"label": self.label, "said": told})


class ReadByHand(NamedTuple):
    """What was typed off a sheet, as `answer` of the exercise takes it, and what of it cannot be read."""

    answer: object
    odd: tuple[OddPart, ...] = ()


class AskedByHand(Protocol):
    """What can be asked on paper: an exercise."""

    number: str

    def by_hand(self) -> ByHand | None:
        """Give the question as it is asked on a printed sheet; None of what needs a screen."""


class HandWork(NamedTuple):
    """What is to be done by hand on a tree or a matrix, whatever it is drawn with."""

    marks: Mapping[int, str]
    """The letters that stand beside the places of a tree."""
    blanks: tuple[Blank, ...]
    read: Callable[[Written], object]
    write: Callable[[], Written]


def letters_for(count: int) -> list[str]:
    """So many letters, then two of them.

    >>> letters_for(3), letters_for(28)[-3:]
    (['a', 'b', 'c'], ['z', 'aa', 'ab'])
    """
    return [(_LETTERS[place // 26 - 1] if place >= 26 else "") + _LETTERS[place % 26] for place in range(count)]


def for_paper(text: Text) -> Text:
    """A question in the words for paper, where those for the screen would not do there: "click" is one of them.

    >>> for_paper(Fact("lesson.tree.path")).key
    'lesson.tree.path.hand'
    """
    if not isinstance(text, Fact):
        return text
    key = f"{text.key}.hand"
    facts = {name: for_paper(one) if isinstance(one, Fact) else one for name, one in text.facts.items()}
    return Fact(key if key in language("en").sentences else text.key, facts)


def bare_text(text: str) -> str:
    """What was typed, without what a spreadsheet puts before it and what no key shows.

    >>> bare_text(" '1/2 "), bare_text("–")
    ('1/2', '-')
    """
    return " ".join(text.translate(_LOOKS_LIKE).strip().removeprefix("'").split())


def is_a_date(text: str) -> bool:
    """Whether that is what a spreadsheet makes of a fraction.

    >>> [is_a_date(text) for text in ("01-Feb", "2027-02-01", "1. Feb", "1/2/2027", "1/2", "-1", "ad")]
    [True, True, True, True, False, False, False]
    """
    return bool(_DATE.fullmatch(text.strip()))


def letters_read(text: str, known: Sequence[str]) -> list[str]:
    """The letters that were written, glued or apart, each once; a `RefusedError` names what is none of the sheet.

    >>> letters_read("A, c", ["a", "b", "c"]), letters_read("ac", ["a", "b", "c"]), letters_read("-", ["a"])
    (['a', 'c'], ['a', 'c'], [])
    """
    said = bare_text(text).casefold()
    if said in NONE:
        return []
    found: list[str] = []
    for part in re.findall(r"[^\s,;.+]+", said):
        whole = [part] if part in known else list(part)
        for one in whole:
            if one not in known:
                raise RefusedError("lesson.hand.no_letter", text=one[:20], first=known[0], last=known[-1])
            if one not in found:
                found.append(one)
    return found


def numbers_read(text: str, most: int) -> list[int]:
    """The numbers that were written, with what lies between two that a dash joins.

    >>> numbers_read("1-3, 7", 9)
    [1, 2, 3, 7]
    """
    said = bare_text(text)
    if said in NONE:
        return []
    spread = _SPAN.sub(
        lambda found: " ".join(map(str, range(int(found[1]), int(found[2]) + 1))) if int(found[2]) - int(found[1]) <= most else found[0],
        said,
    )
    found: list[int] = []
    for part in re.findall(r"[^\s,;.]+", spread):
        if not part.isdecimal() or not part.isascii() or len(part) > 6 or not 0 < int(part) <= most:
            raise RefusedError("lesson.hand.no_number", text=part[:20], last=str(most))
        if int(part) not in found:
            found.append(int(part))
    return found


def form_of_paper(task: AskedByHand) -> ByHand:
    """The question as it stands on paper; a `RefusedError` says of what needs a screen that it does.

    >>> from durak_widget.lessons import Choose
    >>> sheet = form_of_paper(Choose("Who wins?", {"the first": "No.", "nobody": "Yes."}, right="nobody"))
    >>> sheet.blanks[0].options, sheet.read({"": "B"}), sheet.write()
    ((('a', 'the first'), ('b', 'nobody')), 'nobody', {'': 'b'})
    """
    found = task.by_hand()
    if found is None:
        raise RefusedError("lesson.hand.screen", number=task.number or "?")
    return found


def by_hand(given: object) -> bool:
    """Whether that was typed off a sheet.

    >>> by_hand({"by_hand": {"": "5/18"}}), by_hand("5/18")
    (True, False)
    """
    return isinstance(given, Mapping) and given.keys() == {HAND}


def answer_by_hand(task: AskedByHand, given: object) -> object:
    """What was typed off a sheet as `answer` takes it; any other answer as it is."""
    return read_by_hand(task, given).answer


def read_by_hand(task: AskedByHand, given: object) -> ReadByHand:
    """What was typed off a sheet as far as it can be read, blank by blank: one that cannot counts as left empty; a `RefusedError` where nothing can."""
    if not isinstance(given, Mapping) or not by_hand(given):
        return ReadByHand(given)
    written = given[HAND]
    if not isinstance(written, Mapping) or not all(isinstance(one, str) for pair in written.items() for one in pair):
        raise DurakError(f"what was written by hand is kept as texts by the letters of a sheet, not as {quoted(written)}")
    form = form_of_paper(task)
    there = {label: bare_text(text) for label, text in written.items() if bare_text(text)}
    odd = [OddPart(label, text[:_MOST], why) for label, text in there.items() if (why := _odd(form, label, text))]
    for one in odd:
        del there[one.label]
    for several in _groups(form, there):
        if why := _refused(form, several):
            odd.append(OddPart(", ".join(several), ", ".join(several.values()), why))
            there = {label: text for label, text in there.items() if label not in several}
    if odd and not there:
        raise odd[0].why
    return ReadByHand(form.read(_whole(form, there)), tuple(odd))


def _odd(form: ByHand, label: str, text: str) -> RefusedError | None:
    """What is odd about what stands in a blank, whatever stands in the others."""
    known = [one.label for one in form.blanks]
    if label not in known:
        return RefusedError(_NO_BLANK, label=label[:_SHORT] or "–", first=known[0] or "–", last=known[-1] or "–")
    if len(text) > _MOST:
        return RefusedError("lesson.hand.long", text=text[:_SHORT])
    if is_a_date(text):
        return RefusedError("lesson.hand.date", text=text[:_SHORT])
    why = _refused(form, {label: text})
    return why if why and why.key != TOGETHER else None


def _groups(form: ByHand, there: Written) -> list[dict[str, str]]:
    """What was written into the blanks of each group: it may not go together."""
    groups = dict.fromkeys(one.group for one in form.blanks if one.group)
    found = [{one.label: there[one.label] for one in form.blanks if one.group == group and one.label in there} for group in groups]
    return [several for several in found if several]


def _refused(form: ByHand, some: Written) -> RefusedError | None:
    """Why these alone cannot be read; None where they can."""
    try:
        form.read(_whole(form, some))
    except RefusedError as error:
        return error
    return None


def _whole(form: ByHand, some: Written) -> Written:
    return {one.label: some.get(one.label, "") for one in form.blanks}


def printed_board(svg: str, told: str = "") -> DrawnByHand:
    """A tree as it is printed: on white, also from a page by night, with letters that are easy to read."""
    return DrawnByHand.of(svg.replace(NIGHT, "").replace("</style>", f"{_PRINTED}</style>", 1), told)


def grid(head: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]], *, corner: str = "", high: float = 30) -> DrawnByHand:
    """A table of cells, to be read or to be filled in; all are HTML already.

    >>> grid(["<b>a</b> heads"], [("<b>1</b> tails", ["1"])]).height
    80.0
    """
    column = min(_COLUMN, (_ALL - _FIRST) / max(len(head), 1))

    def lines(said: str, room: float) -> int:
        return -(-int(1.15 * wide(re.sub("<[^>]+>", "", said), _SIZE_OF_TEXT)) // int(room - 14)) or 1

    tall = [max([lines(one, column) for one in head] + [2]) * _LINE + 16] + [
        max(high, lines(first, _FIRST) * _LINE + 8) for first, _ in rows
    ]
    titles = "".join(f"<th>{one}</th>" for one in head)
    body = "".join(
        f'<tr style="height:{one:g}px"><th>{first}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for one, (first, cells) in zip(tall[1:], rows, strict=True)
    )
    width = _FIRST + column * len(head)
    columns = f'<colgroup><col style="width:{_FIRST:g}px"></colgroup>'
    table = f'<table class="by-hand" style="width:{width:g}px">{columns}<thead><tr><th class="corner">{corner}</th>{titles}</tr></thead><tbody>{body}</tbody></table>'
    return DrawnByHand(table, width, sum(tall))


def corner_letter(label: str) -> str:
    """The letter of a cell that is to be filled in."""
    return f'<small class="by-letter">{escape(label)}</small>'
