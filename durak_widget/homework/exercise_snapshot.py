"""Snapshots of exercises: what a student sees, in every language, without the key."""

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
"""A text in several languages, by language code."""
_MOST_ITEMS, _MOST_TEXT, _MOST_PICTURE = 60, 4000, 400_000


class PaperPicture(NamedTuple):
    """A picture and its description in words."""

    svg: str
    told: str

    @property
    def html(self) -> str:
        """Return the picture as an HTML image, in which no script runs."""
        return image(self.svg, self.told)


Pictures = dict[str, PaperPicture]
"""A picture in several languages, by language code."""


class Paper(NamedTuple):
    """An exercise as it is shown, with the possible answers."""

    kind: str
    question: Words
    items: dict[str, Words]
    """The items to pick or choose; a card needs no text."""
    pictures: Pictures
    """Pictures of the position; empty if there is none."""
    ways: dict[str, Pictures]
    """Pictures of what each item leads to; empty if there are none."""
    trump: str | None = None
    target: str | None = None
    """The card to beat, if nothing else is shown."""
    number: str = ""


def paper_of(exercise: Exercise) -> Paper:
    """Return a snapshot of an exercise before it is answered.

    >>> from durak_widget.lessons import Pick
    >>> paper_of(Pick.beaters("Tc", of="9c Jc", trump="h")).question["ru"]
    'Выберите все карты, которые бьют десятку треф. Козыри — черви.'
    """
    if exercise.on_paper is None:
        raise DurakError(
            f"{quoted(exercise)} cannot be handed out without its key: its kind does not say, by on_paper, how it is answered then"
        )
    original_language = exercise._language
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
            if (picture := exercise.shown_first()) is not None:
                pictures[code] = _drawn(picture)
            for item, game in exercise.ways.items():
                ways.setdefault(item, {})[code] = _drawn(exercise._picture_of(game))
    finally:
        exercise._language = original_language
    view = exercise.sheet()
    return Paper(exercise.kind, question, items, pictures, ways, _text(view["trump"]), _text(view.get("target")), exercise.number)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _drawn(picture: Any) -> PaperPicture:  # noqa: ANN401 - a Picture
    return PaperPicture(picture.svg, str(picture))


def plain(paper: Paper) -> dict[str, object]:
    """Return a snapshot as plain data."""
    return {
        **paper._asdict(),
        "pictures": {code: list(picture) for code, picture in paper.pictures.items()},
        "ways": {item: {code: list(picture) for code, picture in item_pictures.items()} for item, item_pictures in paper.ways.items()},
    }


def checked(found: object) -> Paper:
    """Build a snapshot from plain data of unknown origin, or refuse it.

    Each value must have the right type and a size that can be shown.
    """
    try:
        fields: Mapping[str, Any] = found  # type: ignore[assignment] # whatever it is, it is read with care
        kind = fields["kind"]
        form = kind_called(kind).on_paper
        _require(isinstance(fields["items"], dict) and len(fields["items"]) <= _MOST_ITEMS)
        items = {item: _words(text) for item, text in fields["items"].items()}
        _require(form is not None and all(0 < len(item) <= _MOST_TEXT for item in items) and form.fits(items))
        ways = {item: _pictures(item_pictures) for item, item_pictures in fields["ways"].items()}
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
    translations: Words = {str(code): text for code, text in found.items()}  # type: ignore[attr-defined]
    _require(translations.keys() <= LANGUAGES.keys())
    for text in translations.values():
        _require(isinstance(text, str) and 0 < len(text) <= _MOST_TEXT and text.encode())
    return translations


def _pictures(found: object) -> Pictures:
    _require(isinstance(found, dict) and found.keys() <= LANGUAGES.keys())
    pictures = {str(code): PaperPicture(*picture) for code, picture in found.items()}  # type: ignore[attr-defined]
    for picture in pictures.values():
        _require(
            isinstance(picture.svg, str) and picture.svg.startswith("<svg ") and len(picture.svg) <= _MOST_PICTURE and picture.svg.encode()
        )
        _require(isinstance(picture.told, str) and len(picture.told) <= _MOST_TEXT and picture.told.encode())
    return pictures
