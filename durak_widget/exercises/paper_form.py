"""The printed form of an exercise, and the parsing of handwritten answers.

An exercise returns its printed form by `to_paper_question()`, or None if it needs a screen. The teacher types the answers as texts, by
the letters of the blanks on the sheet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from durak_widget.board.svg_primitives import DARK_STYLE, measure_text
from durak_widget.engine.table_svg import render_image
from durak_widget.errors import DurakError, short_repr
from durak_widget.i18n import TranslatableText, get_language
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from durak_widget.exercises.answer_parsing import Text

BlankTexts = Mapping[str, str]
"""The text that was typed for each blank on a sheet, by letter; "" for an empty blank."""
PAPER_ANSWER_KEY: Final = "by_hand"
"""The dict key of an answer typed in from a printed sheet: `{"by_hand": {"a": "1/2"}}`."""
EMPTY_ANSWER_SIGNS: Final = {"-", "–", "—", "−"}
"""The symbols with which students write an empty answer, such as no card or no group."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_LOOKALIKE_LETTERS: Final = str.maketrans("АВЕСаесорхОРХ–—−", "ABECaecopxOPX---")
"""Cyrillic letters and dashes, mapped to the Latin characters that they resemble."""
_DATE_PATTERN: Final = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}[-. ]+[^\W\d_]{3,}\.?(?:[-. ]\d{2,4})?|[^\W\d_]{3,}[-. ]\d{1,2}"
)
"""A regular expression for dates, since a spreadsheet may turn a fraction into a date."""
_RANGE_PATTERN: Final = re.compile(r"(\d+)\s*-\s*(\d+)")
_SVG_SIZE_PATTERN: Final = re.compile(r' width="([\d.]+)" height="([\d.]+)"')
_UNKNOWN_BLANK_KEY: Final = "lesson.hand.no_blank"
INVALID_GROUP_KEY: Final = "lesson.hand.shares"
"""The message id of the error for blanks in one group whose answers contradict each other."""
_MAX_TEXT_LENGTH: Final = 400
"""The maximum length of the text typed for one blank, in characters."""
_QUOTED_LENGTH: Final = 20
"""The number of characters of a typed text that an error message quotes."""
_PRINT_CSS: Final = ".t-soft{fill:#000}.t-small.t-halo{font-weight:650}.t-bg{fill:#fff;stroke:none}.t-line{stroke:#222}"
_ROW_HEAD_WIDTH, _COLUMN_WIDTH, _MAX_TABLE_WIDTH, _LINE_HEIGHT, _FONT_SIZE = 170.0, 104.0, 660.0, 17.0, 12.5
"""Sizes in pixels, for tables on printed sheets."""


class AnswerBlank(NamedTuple):
    """A space on a printed sheet for one handwritten answer."""

    label: str = ""
    """The letter of this blank; empty if the question has only one blank."""
    prompt: str = ""
    """The text beside this blank that tells the student what to write."""
    field_kind: str = "box"
    """The kind of space: `box` (number), `line` (letters), `work` (calculations) or `drawn`.

    A `drawn` blank is inside the picture.
    """
    options: tuple[tuple[str, str], ...] = ()
    """The options that the student can tick, each with its letter."""
    group_heading: str = ""
    """The heading of the group of blanks that includes this blank; empty if there is none."""


class PaperPicture(NamedTuple):
    """A picture or table for a printed sheet, as HTML with its size in pixels."""

    html: str
    width: float
    height: float
    max_width_mm: float = 180
    """The largest printed width of the picture in millimetres."""

    @classmethod
    def from_svg(cls, svg: str, alt_text: str, max_width_mm: float = 180) -> PaperPicture:
        """Return an SVG picture as an HTML image, in which no script can run."""
        size = _SVG_SIZE_PATTERN.search(svg)
        width, height = map(float, size.groups()) if size else (480.0, 320.0)
        return cls(render_image(svg, alt_text), width, height, max_width_mm)


class PaperQuestion(NamedTuple):
    """A question for a printed sheet."""

    question: str
    instructions: str
    """The instructions on how to answer the question on paper."""
    draw_pictures: Callable[[], tuple[PaperPicture, ...]]
    """The function that draws the question's pictures; it is called only for printing."""
    blanks: tuple[AnswerBlank, ...]
    parse_texts: Callable[[BlankTexts], object]
    """The function that converts the texts typed for the blanks to an answer.

    It raises a `RefusedError` if they are not valid.
    """
    write_solution: Callable[[], BlankTexts]
    """The function that returns a correct answer, as the texts to write in the blanks."""


class UnreadablePart(NamedTuple):
    """An unreadable part of an answer that someone typed in from a printed sheet."""

    label: str
    text: str
    error: RefusedError
    """The error that explains why this part of the answer can't be read."""

    @property
    def message(self) -> TranslatableText:
        """Return a sentence that explains why this part can't be read and how it is graded."""
        sentence = TranslatableText(self.error.key, self.error.facts)
        return (
            sentence
            if self.error.key == _UNKNOWN_BLANK_KEY
            else TranslatableText("lesson.hand.part", {"label": self.label, "said": sentence})
        )


class PaperAnswer(NamedTuple):
    """An answer that someone typed in from a printed sheet, with its unreadable parts."""

    answer: object
    unreadable_parts: tuple[UnreadablePart, ...] = ()


class PaperExercise(Protocol):
    """The interface of an exercise that may have a printed form."""

    number: str

    def to_paper_question(self) -> PaperQuestion | None:
        """Return the question for a printed sheet; None if the exercise needs a screen."""


class BoardPaperForm(NamedTuple):
    """The printed form of a question on a tree or matrix, but without the picture."""

    node_labels: Mapping[int, str]
    """The letters that are printed beside the nodes of a tree."""
    blanks: tuple[AnswerBlank, ...]
    parse_texts: Callable[[BlankTexts], object]
    write_solution: Callable[[], BlankTexts]


def make_labels(count: int) -> list[str]:
    """Return `count` different labels: single letters first, then pairs of letters.

    >>> make_labels(3), make_labels(28)[-3:]
    (['a', 'b', 'c'], ['z', 'aa', 'ab'])
    """
    return [(_LETTERS[i // 26 - 1] if i >= 26 else "") + _LETTERS[i % 26] for i in range(count)]


def adapt_for_paper(text: Text) -> Text:
    """Return the version of a question's text for printed sheets; by default the text itself.

    The text for the screen may say "click".

    >>> adapt_for_paper(TranslatableText("lesson.tree.path")).key
    'lesson.tree.path.hand'
    """
    if not isinstance(text, TranslatableText):
        return text
    key = f"{text.key}.hand"
    facts = {name: adapt_for_paper(value) if isinstance(value, TranslatableText) else value for name, value in text.facts.items()}
    return TranslatableText(key if key in get_language("en").sentences else text.key, facts)


def clean_text(text: str) -> str:
    """Normalize a typed text: look-alike letters, extra spaces and a leading apostrophe.

    >>> clean_text(" '1/2 "), clean_text("–")
    ('1/2', '-')
    """
    return " ".join(text.translate(_LOOKALIKE_LETTERS).strip().removeprefix("'").split())


def is_date(text: str) -> bool:
    """Return whether a text looks like a date that a spreadsheet made from a fraction.

    >>> [is_date(text) for text in ("01-Feb", "2027-02-01", "1. Feb", "1/2/2027", "1/2", "-1", "ad")]
    [True, True, True, True, False, False, False]
    """
    return bool(_DATE_PATTERN.fullmatch(text.strip()))


def parse_letter_list(text: str, allowed_letters: Sequence[str]) -> list[str]:
    """Parse letters with or without separators, and drop repeated letters.

    Raises a `RefusedError` for a letter that is not on the sheet.

    >>> parse_letter_list("A, c", ["a", "b", "c"]), parse_letter_list("ac", ["a", "b", "c"]), parse_letter_list("-", ["a"])
    (['a', 'c'], ['a', 'c'], [])
    """
    cleaned = clean_text(text).casefold()
    if cleaned in EMPTY_ANSWER_SIGNS:
        return []
    unique: list[str] = []
    for part in re.findall(r"[^\s,;.+]+", cleaned):
        letters = [part] if part in allowed_letters else list(part)
        for letter in letters:
            if letter not in allowed_letters:
                raise RefusedError("lesson.hand.no_letter", text=letter[:20], first=allowed_letters[0], last=allowed_letters[-1])
            if letter not in unique:
                unique.append(letter)
    return unique


def parse_number_list(text: str, limit: int) -> list[int]:
    """Parse numbers and ranges such as `3-5`, and drop repeated numbers.

    >>> parse_number_list("1-3, 7", 9)
    [1, 2, 3, 7]
    """
    cleaned = clean_text(text)
    if cleaned in EMPTY_ANSWER_SIGNS:
        return []
    expanded = _RANGE_PATTERN.sub(
        lambda span: " ".join(map(str, range(int(span[1]), int(span[2]) + 1))) if int(span[2]) - int(span[1]) <= limit else span[0],
        cleaned,
    )
    numbers: list[int] = []
    for part in re.findall(r"[^\s,;.]+", expanded):
        if not part.isdecimal() or not part.isascii() or len(part) > 6 or not 0 < int(part) <= limit:
            raise RefusedError("lesson.hand.no_number", text=part[:20], last=str(limit))
        if int(part) not in numbers:
            numbers.append(int(part))
    return numbers


def require_paper_question(exercise: PaperExercise) -> PaperQuestion:
    """Return the printed form of an exercise; raise a `RefusedError` if it needs a screen.

    >>> from durak_widget.lessons import Choose
    >>> sheet = require_paper_question(Choose("Who wins?", {"the first": "No.", "nobody": "Yes."}, right="nobody"))
    >>> sheet.blanks[0].options, sheet.parse_texts({"": "B"}), sheet.write_solution()
    ((('a', 'the first'), ('b', 'nobody')), 'nobody', {'': 'b'})
    """
    form = exercise.to_paper_question()
    if form is None:
        raise RefusedError("lesson.hand.screen", number=exercise.number or "?")
    return form


def is_paper_answer(answer: object) -> bool:
    """Return whether an answer was typed in from a printed sheet.

    >>> is_paper_answer({"by_hand": {"": "5/18"}}), is_paper_answer("5/18")
    (True, False)
    """
    return isinstance(answer, Mapping) and answer.keys() == {PAPER_ANSWER_KEY}


def convert_paper_answer(exercise: PaperExercise, answer: object) -> object:
    """Convert an answer, typed in from a printed sheet, to a value for the method `answer`.

    Other answers are returned unchanged.
    """
    return parse_paper_answer(exercise, answer).answer


def parse_paper_answer(exercise: PaperExercise, answer: object) -> PaperAnswer:
    """Parse an answer that was typed in from a printed sheet, one blank after another.

    An unreadable blank counts as empty. If no blank is readable, a `RefusedError` is raised.
    """
    if not isinstance(answer, Mapping) or not is_paper_answer(answer):
        return PaperAnswer(answer)
    typed_texts = answer[PAPER_ANSWER_KEY]
    if not isinstance(typed_texts, Mapping) or not all(isinstance(entry, str) for pair in typed_texts.items() for entry in pair):
        raise DurakError(f"answers on paper must be texts by the letters of the sheet, not {short_repr(typed_texts)}")
    form = require_paper_question(exercise)
    readable = {label: clean_text(text) for label, text in typed_texts.items() if clean_text(text)}
    unreadable = [
        UnreadablePart(label, text[:_MAX_TEXT_LENGTH], error)
        for label, text in readable.items()
        if (error := _find_problem(form, label, text))
    ]
    for part in unreadable:
        del readable[part.label]
    for group_texts in _texts_by_group(form, readable):
        if error := _find_parse_error(form, group_texts):
            unreadable.append(UnreadablePart(", ".join(group_texts), ", ".join(group_texts.values()), error))
            readable = {label: text for label, text in readable.items() if label not in group_texts}
    if unreadable and not readable:
        raise unreadable[0].error
    return PaperAnswer(form.parse_texts(_fill_missing_blanks(form, readable)), tuple(unreadable))


def _find_problem(form: PaperQuestion, label: str, text: str) -> RefusedError | None:
    """Return the error in the text of one blank, or None if the text is readable."""
    labels = [blank.label for blank in form.blanks]
    if label not in labels:
        return RefusedError(_UNKNOWN_BLANK_KEY, label=label[:_QUOTED_LENGTH] or "–", first=labels[0] or "–", last=labels[-1] or "–")
    if len(text) > _MAX_TEXT_LENGTH:
        return RefusedError("lesson.hand.long", text=text[:_QUOTED_LENGTH])
    if is_date(text):
        return RefusedError("lesson.hand.date", text=text[:_QUOTED_LENGTH])
    error = _find_parse_error(form, {label: text})
    return error if error and error.key != INVALID_GROUP_KEY else None


def _texts_by_group(form: PaperQuestion, texts_by_label: BlankTexts) -> list[dict[str, str]]:
    """Return a dict for each group of blanks, with the text typed for each blank's letter."""
    groups = dict.fromkeys(blank.group_heading for blank in form.blanks if blank.group_heading)
    group_texts = [
        {
            blank.label: texts_by_label[blank.label]
            for blank in form.blanks
            if blank.group_heading == group and blank.label in texts_by_label
        }
        for group in groups
    ]
    return [texts for texts in group_texts if texts]


def _find_parse_error(form: PaperQuestion, texts: BlankTexts) -> RefusedError | None:
    """Return the error that results if `form` parses the typed texts; None if it parses them."""
    try:
        form.parse_texts(_fill_missing_blanks(form, texts))
    except RefusedError as error:
        return error
    return None


def _fill_missing_blanks(form: PaperQuestion, texts: BlankTexts) -> BlankTexts:
    """Return a text for each blank of a form; "" for a blank without a text."""
    return {blank.label: texts.get(blank.label, "") for blank in form.blanks}


def draw_board_for_print(svg: str, alt_text: str = "") -> PaperPicture:
    """Return a picture of a tree or matrix for print: white background, readable letters."""
    return PaperPicture.from_svg(svg.replace(DARK_STYLE, "").replace("</style>", f"{_PRINT_CSS}</style>", 1), alt_text)


def build_table(
    column_heads: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]], *, corner: str = "", min_row_height: float = 30
) -> PaperPicture:
    """Build an HTML table for print; all given texts must already be HTML.

    >>> build_table(["<b>a</b> heads"], [("<b>1</b> tails", ["1"])]).height
    80.0
    """
    column_width = min(_COLUMN_WIDTH, (_MAX_TABLE_WIDTH - _ROW_HEAD_WIDTH) / max(len(column_heads), 1))

    def count_lines(text: str, available: float) -> int:
        """Return how many lines a text needs in a column of the given width."""
        return -(-int(1.15 * measure_text(re.sub("<[^>]+>", "", text), _FONT_SIZE)) // int(available - 14)) or 1

    heights = [max([count_lines(title, column_width) for title in column_heads] + [2]) * _LINE_HEIGHT + 16] + [
        max(min_row_height, count_lines(row_head, _ROW_HEAD_WIDTH) * _LINE_HEIGHT + 8) for row_head, _ in rows
    ]
    head_cells = "".join(f"<th>{title}</th>" for title in column_heads)
    body = "".join(
        f'<tr style="height:{height:g}px"><th>{row_head}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for height, (row_head, cells) in zip(heights[1:], rows, strict=True)
    )
    table_width = _ROW_HEAD_WIDTH + column_width * len(column_heads)
    columns = f'<colgroup><col style="width:{_ROW_HEAD_WIDTH:g}px"></colgroup>'
    table = f'<table class="by-hand" style="width:{table_width:g}px">{columns}<thead><tr><th class="corner">{corner}</th>{head_cells}</tr></thead><tbody>{body}</tbody></table>'
    return PaperPicture(table, table_width, sum(heights))


def format_cell_letter(label: str) -> str:
    """Return HTML for the letter of a matrix cell that the student has to fill in."""
    return f'<small class="by-letter">{escape(label)}</small>'
