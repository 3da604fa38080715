"""What an exercise shows, in every language and without its key: what a student may take home."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from durak_widget.cards import Card
from durak_widget.engine.table_svg import image
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.base_exercise import kind_called
from durak_widget.i18n import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from durak_widget.exercises.exercise import Exercise

Words = dict[str, str]
"""A text by languages."""
_MOST_ITEMS, _MOST_TEXT, _MOST_PICTURE = 60, 4000, 400_000


class PaperPicture(NamedTuple):
    """A picture, and what it shows in words."""

    svg: str
    told: str

    @property
    def html(self) -> str:
        """The picture as an image, in which nothing runs."""
        return image(self.svg, self.told)


Pictures = dict[str, PaperPicture]
"""A picture by languages."""


class Paper(NamedTuple):
    """A question with what can be answered."""

    kind: str
    question: Words
    items: dict[str, Words]
    """What can be picked or chosen; a card needs no words."""
    pictures: Pictures
    """The position, where one is shown."""
    ways: dict[str, Pictures]
    """What an answer looks like, where that is shown."""
    trump: str | None = None
    target: str | None = None
    """The card that is to be beaten, where nothing else is seen."""
    number: str = ""


def paper_of(exercise: Exercise) -> Paper:
    """What an exercise shows before it is answered.

    >>> from durak_widget.lessons import Pick
    >>> paper_of(Pick.beaters("Tc", of="9c Jc", trump="h")).question["ru"]
    'Выберите все карты, которые бьют десятку треф. Козыри — черви.'
    """
    if exercise.on_paper is None:
        raise DurakError(
            f"{quoted(exercise)} cannot be handed out without its key: its kind does not say, by on_paper, how it is answered then"
        )
    spoken = exercise._language
    question: Words = {}
    items: dict[str, Words] = {item: {} for item in exercise._items()}
    pictures: Pictures = {}
    ways: dict[str, Pictures] = {}
    try:
        for code in LANGUAGES:
            exercise._language = code
            question[code] = exercise.question
            for item, text in exercise._items().items():
                if text:
                    items[item][code] = exercise._text(text)
            if (seen := exercise.shown_first()) is not None:
                pictures[code] = _drawn(seen)
            for item, game in exercise.ways.items():
                ways.setdefault(item, {})[code] = _drawn(exercise._picture_of(game))
    finally:
        exercise._language = spoken
    shown = exercise.sheet()
    return Paper(exercise.kind, question, items, pictures, ways, _text(shown["trump"]), _text(shown.get("target")), exercise.number)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _drawn(picture: Any) -> PaperPicture:  # noqa: ANN401 - a Picture
    return PaperPicture(picture.svg, str(picture))


def plain(paper: Paper) -> dict[str, object]:
    """A paper as plain values."""
    return {
        **paper._asdict(),
        "pictures": {code: list(one) for code, one in paper.pictures.items()},
        "ways": {item: {code: list(one) for code, one in drawn.items()} for item, drawn in paper.ways.items()},
    }


def checked(found: object) -> Paper:
    """A paper that came from somewhere else: each value is of its kind and of a size that can be shown, or all of it is refused."""
    try:
        fields: Mapping[str, Any] = found  # type: ignore[assignment] # whatever it is, it is read with care
        kind = fields["kind"]
        form = kind_called(kind).on_paper
        _require(isinstance(fields["items"], dict) and len(fields["items"]) <= _MOST_ITEMS)
        items = {item: _words(text) for item, text in fields["items"].items()}
        _require(form is not None and all(0 < len(item) <= _MOST_TEXT for item in items) and form.fits(items))
        ways = {item: _pictures(drawn) for item, drawn in fields["ways"].items()}
        _require(not ways or ways.keys() == items.keys())
        trump, target, number = fields["trump"], fields["target"], fields["number"]
        _require(trump is None or trump in ("c", "d", "h", "s"))
        _require(target is None or str(Card(target)) == target)
        _require(isinstance(number, str) and len(number) <= 8 and number.isprintable())
        question = _words(fields["question"])
        _require(bool(question))
        return Paper(kind, question, items, _pictures(fields["pictures"]), ways, trump, target, number)
    except (TypeError, KeyError, ValueError, AttributeError, DurakError):
        raise DurakError("this is no exercise that was handed out: something in it is not as it was written") from None


def _require(true: object) -> None:
    if not true:
        raise ValueError


def _words(found: object) -> Words:
    _require(isinstance(found, dict))
    words: Words = {str(code): text for code, text in found.items()}  # type: ignore[attr-defined]
    _require(words.keys() <= LANGUAGES.keys())
    for text in words.values():
        _require(isinstance(text, str) and 0 < len(text) <= _MOST_TEXT and text.encode())
    return words


def _pictures(found: object) -> Pictures:
    _require(isinstance(found, dict) and found.keys() <= LANGUAGES.keys())
    drawn = {str(code): PaperPicture(*one) for code, one in found.items()}  # type: ignore[attr-defined]
    for one in drawn.values():
        _require(isinstance(one.svg, str) and one.svg.startswith("<svg ") and len(one.svg) <= _MOST_PICTURE and one.svg.encode())
        _require(isinstance(one.told, str) and len(one.told) <= _MOST_TEXT and one.told.encode())
    return drawn
