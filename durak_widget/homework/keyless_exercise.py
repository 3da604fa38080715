"""Exercises without their key, which store answers and check them only by seals.

A check says whether an answer is right only if guessing would take long.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from html import escape
from typing import TYPE_CHECKING, Any, Final

from durak_widget.atomic_files import read_json
from durak_widget.cards import Card
from durak_widget.engine.table_svg import row
from durak_widget.errors import DurakError, quoted
from durak_widget.exercises.answer_form import Heard
from durak_widget.exercises.base_exercise import kind_called
from durak_widget.exercises.exercise import Exercise, Opinion, told_below
from durak_widget.homework import answer_hashes
from durak_widget.homework import exercise_snapshot as papers
from durak_widget.homework.answer_hashes import MANY, Seals, possible, sealed_answers, there_is_scrypt
from durak_widget.homework.exercise_snapshot import Paper, paper_of
from durak_widget.i18n import Fact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from durak_widget.engine.game import Game
    from durak_widget.exercises.answer_parsing import Text
    from durak_widget.exercises.base_exercise import Task

_FORM: Final = "durak-sealed-1:"
_MOST_TOKEN, _MOST_BYTES = 2_000_000, 8_000_000


class Sealed(Exercise):
    """An exercise without its key: an answer is stored, and can be changed at any time.

    >>> from durak_widget.lessons import Number
    >>> quiz = without_key(Number("How likely?", "3583/4807", mistakes={"contrary": "1224/4807"}))
    >>> print(quiz.answer("1224/4807"))
    Kept, but not right yet. That is the chance of the contrary: take it from 1.
    >>> print(quiz.answer("0.745371"))
    Kept, and right.
    """

    kind = ""  # the snapshot has the kind

    def __init__(
        self, paper: Paper, seals: Seals | None = None, *, few: bool = False, later: bool = False, language: str | None = None
    ) -> None:
        """Ask the question of a snapshot.

        With `later`, nothing is said before grading, however many possible answers there are.
        """
        super().__init__(paper.question, number=paper.number)
        self.on_paper = kind_called(paper.kind).on_paper
        if language is not None:
            self.language = language
        self.paper, self._seals, self._few, self._later = paper, seals, few, later
        self._heard: Sequence[Text] = []
        self._outcome = ""
        self._keeps = True

    def answer(self, answer: object) -> Any:  # noqa: ANN401 - a Verdict, as of every exercise
        """Store an answer, show it on the page, and return whether it is right, if known."""
        parsed = self._read(answer)
        self._outcome, self._heard = self._checked(parsed)
        self._given = parsed
        return self._answered(right=self._outcome == "right")

    def again(self) -> None:
        """Start again, with no stored answer."""
        self._outcome, self._heard = "", []
        super().again()

    def recall(self, given: object) -> None:
        """Show a stored answer again, with the earlier check result."""
        self._outcome, self._heard = self._checked(self._read(given))
        self._solved = self._outcome == "right"
        super().recall(given)

    @property
    def _state(self) -> str:
        return (self._outcome or "kept") if self._tries else ""

    def _kept(self) -> Sequence[Text]:
        if self._outcome:
            return self._heard
        reason = "few" if self._few else "later" if self._later or (self._seals and there_is_scrypt()) else "unchecked"
        return [Fact("class.kept" if self._given else "class.kept.none"), *(self._heard or [Fact(f"class.kept.{reason}")])]

    def _checked(self, given: Sequence[str]) -> Heard:
        """Check an answer with the seals; the result is empty if there are none."""
        if self._seals is None or not there_is_scrypt():
            return Heard("")
        return self._form.checked(given, self._seals.opened)

    def sheet(self) -> dict[str, object]:
        """Return the fields that the page shows, as plain data."""
        paper = self.paper
        target_fields = {"target": paper.target} if paper.target else {}
        pictures_html = {item: picture.html for item, variants in paper.ways.items() if (picture := self._here(variants))}
        return {
            **super().sheet(),
            "kind": paper.kind,
            "trump": paper.trump,
            **target_fields,
            **({"pictures": pictures_html} if pictures_html else {}),
        }

    def _here(self, pictures: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a picture, or none
        return pictures.get(self._language) or next(iter(pictures.values()), None)

    def _picture(self, game: Game | None, *, hand: bool = True) -> str:  # noqa: ARG002 - no game is known here
        picture = self._here(self.paper.pictures)
        return picture.html if picture else ""

    def _told(self, game: Game | None) -> str:  # noqa: ARG002 - as above
        picture = self._here(self.paper.pictures)
        return told_below(picture.told, self._voice) if picture else ""

    def _strip(self, cards: Sequence[Card]) -> str:
        target = self.paper.target
        return row(cards, before=Card(target) if target else None, trump=self.paper.trump if target else None, language=self._language)

    def _printed(self) -> str:
        pictures = {item: self._here(variants) for item, variants in self.paper.ways.items()}
        return super()._printed() + "".join(
            f'<figure style="margin:14px 0;max-width:560px"><figcaption>{escape(self._text(self._items()[item]))}</figcaption>{picture.html}</figure>'
            for item, picture in pictures.items()
        )

    def _items(self) -> Mapping[str, Text]:
        return {item: translations or "" for item, translations in self.paper.items.items()}

    def _judge(self, given: Sequence[str]) -> Opinion:  # noqa: ARG002 - nothing is known
        return Opinion({}, [], right=False)

    def _solution(self) -> list[str]:
        self._require_solution_allowed()
        return []


def without_key(exercise: Exercise) -> Sealed:
    """Return an exercise without its key, with seals if there are many possible answers."""
    return Sealed(paper_of(exercise), sealed_answers(exercise), few=possible(exercise) < MANY, language=exercise.language)


def kept_form(task: Task) -> Task:
    """Return an exercise as homework shows it: it stores answers and doesn't grade them."""
    if task.keeps:  # it was handed out in this form
        return task
    if isinstance(task, Exercise):
        return without_key(task)
    task.keep()
    return task


def seal(exercise: Exercise) -> str:
    """Return an exercise without its key as a text, which `lessons.sealed(text)` shows.

    >>> from durak_widget.lessons import Choose
    >>> token = seal(Choose({"en": "Who wins?", "ru": "Кто выигрывает?"}, {"Nobody": "Only somebody loses.", "The last": ""}, right="Nobody"))
    >>> quiz = sealed(token)
    >>> print(quiz.answer("Nobody"))
    Your answer is kept. There are so few possible answers that nothing is said of it before the homework is marked; until then you can change it.
    """
    if not isinstance(exercise, Exercise):
        raise DurakError(f"what is sealed is an exercise, such as lessons.Number(…), not {quoted(exercise)}")
    paper, seals = paper_of(exercise), sealed_answers(exercise)
    data = {"paper": papers.plain(paper), "seals": answer_hashes.plain(seals) if seals else None, "few": possible(exercise) < MANY}
    return _FORM + urlsafe_b64encode(zlib.compress(json.dumps(data, ensure_ascii=False).encode(), 9)).decode()


def sealed(token: str, *, language: str | None = None) -> Sealed:
    """Return an exercise from the text that `lessons.seal` made; it stores answers.

    >>> sealed("durak-sealed-1:AAAA")
    Traceback (most recent call last):
    durak_widget.errors.DurakError: this is no exercise that was handed out: copy all of its text, from durak-sealed-1: to the end
    """
    data = _unpacked(token)
    if not isinstance(data, dict) or not isinstance(data.get("few"), bool):
        raise DurakError(f"this is no exercise that was handed out: copy all of its text, from {_FORM} to the end")
    seals = None if data.get("seals") is None else answer_hashes.checked(data["seals"])
    return Sealed(papers.checked(data.get("paper")), seals, few=data["few"], language=language)


def _unpacked(token: object) -> object:
    """Decode a text that was handed out; return None if it is invalid or too large."""
    if not isinstance(token, str) or len(token) > _MOST_TOKEN:
        return None
    compact = "".join(token.split())
    if not compact.startswith(_FORM) or not compact.isascii():
        return None
    try:
        decompressor = zlib.decompressobj()
        encoded = re.sub(r"[^\w=-]", "", compact[len(_FORM) :], flags=re.ASCII)  # Python would drop other characters, some with a warning
        data = decompressor.decompress(urlsafe_b64decode(encoded), _MOST_BYTES)
        return read_json(data) if decompressor.eof else None
    except (NotBase64, zlib.error, ValueError):
        return None
