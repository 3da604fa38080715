"""Exercises that store answers, but have no answer key or only an encrypted one.

An exercise says whether an answer is correct only if guessing would take long.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from html import escape
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import parse_json_text
from durak_widget.cards import Card
from durak_widget.engine.table_svg import render_card_row
from durak_widget.errors import DurakError, short_repr
from durak_widget.exercises.answer_form import AnswerCheck
from durak_widget.exercises.base_exercise import find_exercise_class
from durak_widget.exercises.exercise import AnswerGrade, Exercise, render_text_details
from durak_widget.homework import answer_hashes, exercise_snapshot
from durak_widget.homework.answer_hashes import MIN_SEALABLE_ANSWERS, Seals, count_possible_answers, has_scrypt, seal_answers
from durak_widget.homework.exercise_snapshot import ExerciseSnapshot, take_snapshot
from durak_widget.i18n import TranslatableText
from durak_widget.json_store import rename_keys

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.engine.game import Game
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Task

_SEALED_PREFIX: Final = "durak-sealed-2:"
_SEALED_PREFIX_1: Final = "durak-sealed-1:"
_FORMER_KEYS: Final = {"paper": "exercise", "few": "has_few_answers"}
"""Renamed keys of a sealed exercise: each key of version 1, and the present key."""
_MAX_TOKEN_LENGTH, _MAX_BYTES = 2_000_000, 8_000_000


class KeylessExercise(Exercise):
    """An exercise without its answer key; it stores an answer that the student can change.

    >>> from durak_widget.lessons import Number
    >>> quiz = remove_key(Number("How likely?", "3583/4807", mistakes={"contrary": "1224/4807"}))
    >>> print(quiz.answer("1224/4807"))
    Your answer is saved, but it isn't right yet. That is the probability of the opposite. Subtract it from 1.
    >>> print(quiz.answer("0.745371"))
    Your answer is saved, and it is right.
    """

    kind = ""  # Each object gets its own kind, from its snapshot

    def __init__(
        self,
        snapshot: ExerciseSnapshot,
        seals: Seals | None = None,
        *,
        has_few_answers: bool = False,
        hides_result: bool = False,
        language: str | None = None,
    ) -> None:
        """Set up an exercise without its answer key; `seals` has encrypted answers for checks.

        With `hides_result`, the exercise does not show before grading whether an answer is correct.
        """
        super().__init__(snapshot.question, number=snapshot.number)
        self.answer_form = find_exercise_class(snapshot.kind).answer_form
        if language is not None:
            self.language = language
        self.snapshot, self._seals, self._has_few_answers, self._hides_result = snapshot, seals, has_few_answers, hides_result
        self._seal_messages: Sequence[Text] = []
        self._outcome = ""
        self._is_grading_deferred = True

    def answer(self, answer: object) -> Any:  # noqa: ANN401 - a `Verdict`
        """Store an answer, display it, and return the verdict."""
        parsed = self._parse_answer(answer)
        self._outcome, self._seal_messages = self._check_with_seals(parsed)
        self._answer = parsed
        return self._record_answer(right=self._outcome == "right")

    def restart(self) -> None:
        """Reset the exercise and delete its stored answer."""
        self._outcome, self._seal_messages = "", []
        super().restart()

    def restore_answer(self, answer: object) -> None:
        """Show a stored answer, and check it if this exercise has encrypted correct answers."""
        self._outcome, self._seal_messages = self._check_with_seals(self._parse_answer(answer))
        self._is_solved = self._outcome == "right"
        super().restore_answer(answer)

    @property
    def _state(self) -> str:
        return (self._outcome or "saved") if self._attempt_count else ""

    def _describe_stored_answer(self) -> Sequence[Text]:
        if self._outcome:
            return self._seal_messages
        reason = "few" if self._has_few_answers else "later" if self._hides_result or (self._seals and has_scrypt()) else "unchecked"
        return [
            TranslatableText("class.kept" if self._answer else "class.kept.none"),
            *(self._seal_messages or [TranslatableText(f"class.kept.{reason}")]),
        ]

    def _check_with_seals(self, answer: Sequence[str]) -> AnswerCheck:
        """Check an answer with the exercise's encrypted answers, if the exercise has any.

        Without encrypted answers, the outcome is empty.
        """
        if self._seals is None or not has_scrypt():
            return AnswerCheck("")
        return self._required_answer_form.check_with_seal(answer, self._seals.open_seal)

    def view_model(self) -> dict[str, object]:
        """Return what the front end displays for this exercise, as JSON-compatible values."""
        snapshot = self.snapshot
        target_fields = {"target": snapshot.target} if snapshot.target else {}
        pictures_html = {
            item: picture.html for item, variants in snapshot.item_pictures.items() if (picture := self._select_language(variants))
        }
        return {
            **super().view_model(),
            "kind": snapshot.kind,
            "trump": snapshot.trump,
            **target_fields,
            **({"pictures": pictures_html} if pictures_html else {}),
        }

    def _select_language(self, pictures: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a picture or None
        """Return the version of a picture in the exercise's language, or else any version."""
        return pictures.get(self._language) or next(iter(pictures.values()), None)

    def _render_picture(self, game: Game | None, *, show_hand: bool = True) -> str:  # noqa: ARG002 - the snapshot has the picture
        picture = self._select_language(self.snapshot.pictures)
        return picture.html if picture else ""

    def _render_picture_text(self, game: Game | None) -> str:  # noqa: ARG002 - as above
        picture = self._select_language(self.snapshot.pictures)
        return render_text_details(picture.description, self._voice) if picture else ""

    def _draw_card_row(self, cards: Sequence[Card]) -> str:
        target = self.snapshot.target
        return render_card_row(
            cards, first_card=Card(target) if target else None, trump=self.snapshot.trump if target else None, language=self._language
        )

    def _render_print_extras(self) -> str:
        pictures = {item: self._select_language(variants) for item, variants in self.snapshot.item_pictures.items()}
        return super()._render_print_extras() + "".join(
            f'<figure style="margin:14px 0;max-width:560px"><figcaption>{escape(self._translate(self._items()[item]))}</figcaption>{picture.html}</figure>'
            for item, picture in pictures.items()
        )

    def _items(self) -> Mapping[str, Text]:
        return {item: translations or "" for item, translations in self.snapshot.items.items()}

    def _grade(self, answer: Sequence[str]) -> AnswerGrade:  # noqa: ARG002 - there is no answer key
        return AnswerGrade({}, [], is_right=False)

    def _compute_solution(self) -> list[str]:
        self._require_solution_allowed()
        return []


def remove_key(exercise: Exercise) -> KeylessExercise:
    """Return a copy of an exercise without its answer key.

    If the answers are hard to guess, the copy has them encrypted.
    """
    return KeylessExercise(
        take_snapshot(exercise),
        seal_answers(exercise),
        has_few_answers=count_possible_answers(exercise) < MIN_SEALABLE_ANSWERS,
        language=exercise.language,
    )


def prepare_for_homework(exercise: Task) -> Task:
    """Return an exercise for homework, which stores answers without grading them."""
    if exercise.is_grading_deferred:  # An exercise from a file of questions is already prepared
        return exercise
    if isinstance(exercise, Exercise):
        return remove_key(exercise)
    exercise.defer_grading()
    return exercise


def seal(exercise: Exercise) -> str:
    """Convert an exercise, without its answer key, to a text that `lessons.sealed` can read.

    >>> from durak_widget.lessons import Choose
    >>> token = seal(Choose({"en": "Who wins?", "ru": "Кто выигрывает?"}, {"Nobody": "Only somebody loses.", "The last": ""}, right="Nobody"))
    >>> quiz = sealed(token)
    >>> print(quiz.answer("Nobody"))
    Your answer is saved. This question has only a few possible answers, so you won't see whether yours is right until your homework is marked. Until then, you can change it.
    """
    if not isinstance(exercise, Exercise):
        raise DurakError(f"seal needs an exercise, such as lessons.Number(…), not {short_repr(exercise)}")
    snapshot, seals = take_snapshot(exercise), seal_answers(exercise)
    data = {
        "exercise": exercise_snapshot.snapshot_to_dict(snapshot),
        "seals": answer_hashes.seals_to_dict(seals) if seals else None,
        "has_few_answers": count_possible_answers(exercise) < MIN_SEALABLE_ANSWERS,
    }
    return _SEALED_PREFIX + urlsafe_b64encode(zlib.compress(json.dumps(data, ensure_ascii=False).encode(), 9)).decode()


def sealed(token: str, *, language: str | None = None) -> KeylessExercise:
    """Build an exercise without an answer key from a text that `lessons.seal` made.

    >>> sealed("durak-sealed-2:AAAA")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: this is not an exercise that was handed out; copy its whole text, from “durak-sealed” to the end
    """
    decoded = _decode_token(token)
    data = rename_keys(decoded, _FORMER_KEYS) if isinstance(decoded, dict) else {}
    if not isinstance(data.get("has_few_answers"), bool):
        raise DurakError("this is not an exercise that was handed out; copy its whole text, from “durak-sealed” to the end")
    seals = None if data.get("seals") is None else answer_hashes.seals_from_dict(data["seals"])
    return KeylessExercise(
        exercise_snapshot.snapshot_from_dict(data.get("exercise")), seals, has_few_answers=data["has_few_answers"], language=language
    )


def _decode_token(token: object) -> object:
    """Decode the text of an exercise; return None if the text is invalid or too large."""
    if not isinstance(token, str) or len(token) > _MAX_TOKEN_LENGTH:
        return None
    compact = "".join(token.split())
    if not compact.startswith((_SEALED_PREFIX, _SEALED_PREFIX_1)) or not compact.isascii():
        return None
    try:
        decompressor = zlib.decompressobj()
        # Python's decoder would silently ignore invalid characters in the text
        encoded = re.sub(r"[^\w=-]", "", compact[len(_SEALED_PREFIX) :], flags=re.ASCII)
        data = decompressor.decompress(urlsafe_b64decode(encoded), _MAX_BYTES)
        return parse_json_text(data) if decompressor.eof else None
    except (Base64Error, zlib.error, ValueError):
        return None
