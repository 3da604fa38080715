"""Snapshots of exercises: all that students see, in every language, without answer keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from durak_widget.cards import Card
from durak_widget.engine.table_svg import render_image
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.base_exercise import find_exercise_class
from durak_widget.i18n import LANGUAGES
from durak_widget.json_store import rename_keys

if TYPE_CHECKING:
    from durak_widget.exercises.exercise import Exercise

Translations = dict[str, str]
"""The translations of a text, by language code."""
_MAX_ITEMS, _MAX_TEXT_LENGTH, _MAX_PICTURE_LENGTH = 60, 4000, 400_000


class SnapshotPicture(NamedTuple):
    """A picture in an exercise snapshot, with a text description."""

    svg: str
    description: str

    @property
    def html(self) -> str:
        """Return the picture as an HTML image, in which no script can run."""
        return render_image(self.svg, self.description)


PicturesByLanguage = dict[str, SnapshotPicture]
"""The versions of a picture in several languages, by language code."""


class ExerciseSnapshot(NamedTuple):
    """A snapshot of an exercise as students see it, without its answer key."""

    kind: str
    question: Translations
    items: dict[str, Translations]
    """The items to pick or choose, with their translations; cards have no translations."""
    pictures: PicturesByLanguage
    """The picture of the card position in each language; empty if there is no position."""
    item_pictures: dict[str, PicturesByLanguage]
    """Pictures of the positions that the items lead to, by item; empty if there are none."""
    trump: str | None = None
    target: str | None = None
    """The card that must be beaten, if the exercise shows no position; otherwise None."""
    number: str = ""


def take_snapshot(exercise: Exercise) -> ExerciseSnapshot:
    """Return a snapshot (the question without its answer key) of an unanswered exercise.

    >>> from durak_widget.lessons import Pick
    >>> take_snapshot(Pick.beaters("Tc", of="9c Jc", trump="h")).question["ru"]
    'Выберите все карты, которые бьют десятку треф. Козыри — черви.'
    """
    if exercise.answer_form is None:
        raise DurakError(
            f"{short_repr(exercise)} cannot be handed out without its answer key, because its answer_form does not say how to answer it"
        )
    original_language = exercise._language
    question: Translations = {}
    items: dict[str, Translations] = {item: {} for item in exercise._items()}
    pictures: PicturesByLanguage = {}
    item_pictures: dict[str, PicturesByLanguage] = {}
    try:
        for code in LANGUAGES:
            exercise._language = code
            question[code] = exercise.question
            for item, text in exercise._items().items():
                if text:
                    items[item][code] = exercise._translate(text)
            if (picture := exercise.draw_question_picture()) is not None:
                pictures[code] = _to_snapshot_picture(picture)
            for item, game in exercise.resulting_positions.items():
                item_pictures.setdefault(item, {})[code] = _to_snapshot_picture(exercise._draw_position(game))
    finally:
        exercise._language = original_language
    view = exercise.view_model()
    return ExerciseSnapshot(
        exercise.kind,
        question,
        items,
        pictures,
        item_pictures,
        _to_text_or_none(view["trump"]),
        _to_text_or_none(view.get("target")),
        exercise.number,
    )


def _to_text_or_none(value: object) -> str | None:
    return None if value is None else str(value)


def _to_snapshot_picture(picture: Any) -> SnapshotPicture:  # noqa: ANN401 - a `Picture` or `GamePicture`
    return SnapshotPicture(picture.svg, str(picture))


def snapshot_to_dict(snapshot: ExerciseSnapshot) -> dict[str, object]:
    """Return a snapshot as JSON-compatible values."""
    return {
        **snapshot._asdict(),
        "pictures": {code: list(picture) for code, picture in snapshot.pictures.items()},
        "item_pictures": {
            item: {code: list(picture) for code, picture in pictures.items()} for item, pictures in snapshot.item_pictures.items()
        },
    }


def snapshot_from_dict(data: object) -> ExerciseSnapshot:
    """Build a snapshot from the values that `snapshot_to_dict` returned.

    Raises a `DurakError` if a value has a wrong type or is too large to be displayed.
    """
    try:
        fields = rename_keys(data, {"ways": "item_pictures"})  # type: ignore[arg-type] # the name in files of version 1
        kind = fields["kind"]
        form = find_exercise_class(kind).answer_form
        _require_valid(isinstance(fields["items"], dict) and len(fields["items"]) <= _MAX_ITEMS)
        items = {item: _parse_translations(text) for item, text in fields["items"].items()}
        _require_valid(form is not None and all(0 < len(item) <= _MAX_TEXT_LENGTH for item in items) and form.is_applicable(items))
        item_pictures = {item: _parse_pictures(pictures) for item, pictures in fields["item_pictures"].items()}
        _require_valid(not item_pictures or item_pictures.keys() == items.keys())
        trump, target, number = fields["trump"], fields["target"], fields["number"]
        _require_valid(trump is None or trump in ("c", "d", "h", "s"))
        _require_valid(target is None or str(Card(target)) == target)
        _require_valid(isinstance(number, str) and len(number) <= 8 and number.isprintable())
        question = _parse_translations(fields["question"])
        _require_valid(bool(question))
        return ExerciseSnapshot(kind, question, items, _parse_pictures(fields["pictures"]), item_pictures, trump, target, number)
    except (TypeError, KeyError, ValueError, AttributeError, DurakError):
        raise DurakError("this is not an exercise that was handed out: a part of it was changed") from None


def _require_valid(condition: object) -> None:
    """Raise a `ValueError` if a condition is not true."""
    if not condition:
        raise ValueError


def _parse_translations(data: object) -> Translations:
    _require_valid(isinstance(data, dict))
    translations: Translations = {str(code): text for code, text in data.items()}  # type: ignore[attr-defined]
    _require_valid(translations.keys() <= LANGUAGES.keys())
    for text in translations.values():
        _require_valid(isinstance(text, str) and 0 < len(text) <= _MAX_TEXT_LENGTH and text.encode())
    return translations


def _parse_pictures(data: object) -> PicturesByLanguage:
    _require_valid(isinstance(data, dict) and data.keys() <= LANGUAGES.keys())
    pictures = {str(code): SnapshotPicture(*picture) for code, picture in data.items()}  # type: ignore[attr-defined]
    for picture in pictures.values():
        _require_valid(
            isinstance(picture.svg, str)
            and picture.svg.startswith("<svg ")
            and len(picture.svg) <= _MAX_PICTURE_LENGTH
            and picture.svg.encode()
        )
        _require_valid(
            isinstance(picture.description, str) and len(picture.description) <= _MAX_TEXT_LENGTH and picture.description.encode()
        )
    return pictures
