"""Defines what all questions of a live class session have in common.

A question exists twice. On the event loop of the server it is light: it builds forms, checks answers and counts them. In the
worker process it is heavy: `prepare` draws pictures, `solve` finds equilibria, and `score` compares each answer with the class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Final

from durak_widget.errors import DurakError, short_repr
from durak_widget.translated_errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

Json = Any
"""A JSON-compatible value."""
JsonObject = dict[str, Any]
"""A JSON-compatible dictionary."""

LANGUAGES: Final = ("en", "lt", "ru")
"""The languages of the students' page."""
_MODULES: Final = {
    "game": "game_question",
    "exercise": "exercise_question",
    "guess": "number_games",
    "public_goods": "number_games",
    "first_price": "number_games",
    "second_price": "number_games",
}
"""For each kind of question, the module that defines it in its dictionary `QUESTION_CLASSES`."""


class AnswerError(RefusedError):
    """The error for an answer that cannot be accepted; the student sees why."""


class SpecError(DurakError, ValueError):
    """The error for a question that cannot be asked; the message says why and what to do."""


class Question(ABC):
    """A question to the class.

    On the event loop it is quick, and it knows the answers of others only as an argument. `spec` describes the question and comes from the teacher. `prepared` is the result of `prepare(spec)`. Both are JSON, are in the
    event log, and are all that is needed to make the same question again.
    """

    kind: ClassVar[str]

    def __init__(self, spec: JsonObject, prepared: JsonObject) -> None:
        self.spec, self.prepared = spec, prepared
        self._described_result: JsonObject | None = None
        self._descriptions: dict[tuple[int, str, str], JsonObject] = {}
        """What pages show of the result, by role, facts and language; many of 300 students share it."""

    # --- In the worker process: these may take seconds ---

    @classmethod
    @abstractmethod
    def prepare(cls, spec: JsonObject) -> JsonObject:
        """Check a spec, and return all that the event loop needs.

        These are names, forms and pictures in all languages. Raise `SpecError` if the question cannot be asked.
        """

    def solve(self) -> JsonObject:
        """Return what theory says about the question, such as its equilibria."""
        return {}

    @abstractmethod
    def score(self, answers: Mapping[int, Json], language: str) -> JsonObject:
        """Return the result, with exact facts for each seat and for the class.

        It is `{"seats": {"3": {...}}, ...}`, where only answered seats are. Pictures for the projector are in `language`.
        """

    # --- On the event loop: these take less than a few milliseconds ---

    @property
    def role_count(self) -> int:
        """Return how many roles there are; the student in seat `n` has role `n % role_count`."""
        return 1

    def role_of(self, seat: int) -> int:
        """Return the role of the student in a seat."""
        return seat % self.role_count

    def name_role(self, role: int, language: str) -> str:  # noqa: ARG002 - games name their roles
        """Return the name of a role; "" if there is only one."""
        return ""

    @abstractmethod
    def title(self, language: str) -> str:
        """Return a short title, for the projector and the list of questions."""

    @abstractmethod
    def build_form(self, seat: int, language: str) -> JsonObject:
        """Return the form that a student's page shows; it does not depend on any answers."""

    @abstractmethod
    def parse_answer(self, seat: int, answer: object) -> Json:
        """Return an answer in its canonical form, or raise `AnswerError`."""

    @abstractmethod
    def pick_answer(self, seat: int, rng: Random) -> Json:
        """Return a random answer that a student might give, for simulated students."""

    @abstractmethod
    def build_tally(self, answers: Mapping[int, Json], language: str) -> list[JsonObject]:
        """Return the groups of bars that count the answers so far."""

    @abstractmethod
    def build_board(
        self,
        answers: Mapping[int, Json],
        result: JsonObject | None,
        solution: JsonObject | None,
        *,
        is_revealed: bool,
        language: str,
        earlier: Sequence[JsonObject] = (),
    ) -> JsonObject:
        """Return what the projector shows after the answers have stopped.

        `result` and `solution` are None until the worker has found them. Equilibria, best responses and payoffs are shown only if
        `is_revealed`. `earlier` are the boards of the same question when it was asked before, or of earlier rounds.
        """

    def describe_result(self, result: JsonObject, seat: int, language: str) -> JsonObject:
        """Return what a student's page shows of the student's own result.

        It has `headline`, `lines` and `is_right`, which may be None. The caller must not change it.
        """
        if result is not self._described_result:
            self._described_result, self._descriptions = result, {}
        own, role = result.get("seats", {}).get(str(seat)), self.role_of(seat)
        key = role, repr(own), language
        if key not in self._descriptions:
            self._descriptions[key] = self._describe_own_result(result, own, role, language)
        return self._descriptions[key]

    @abstractmethod
    def _describe_own_result(self, result: JsonObject, own: JsonObject | None, role: int, language: str) -> JsonObject:
        """Return what the page of a student in a role shows; `own` is None without an answer."""

    @abstractmethod
    def list_choices(self, seat: int, answer: Json) -> list[JsonObject]:
        """Return an answer as rows of data with `role`, `infoset`, `choice` and `probability`.

        The probability is a text, such as `1/2`.
        """

    def get_points(self, result: JsonObject, seat: int) -> str | None:
        """Return the points of a student as text, such as `3/2`; None without an answer."""
        points = result.get("seats", {}).get(str(seat), {}).get("points")
        return None if points is None else str(points)

    def build_next_spec(self, result: JsonObject | None) -> JsonObject | None:  # noqa: ARG002 - subclasses use it
        """Return the spec of the next round; None if this is the last round."""
        return None


def find_question_class(spec: object) -> type[Question]:
    """Return the class of the question that a spec describes.

    >>> find_question_class({"kind": "riddle"})
    Traceback (most recent call last):
    durak_widget.live.question.SpecError: 'riddle' is not a kind of question; there are game, exercise, guess, public_goods, first_price, second_price
    """
    kind = spec.get("kind") if isinstance(spec, dict) else None
    if not isinstance(kind, str) or kind not in _MODULES:
        raise SpecError(f"{short_repr(kind)} is not a kind of question; there are {', '.join(_MODULES)}")
    module = import_module(f"durak_widget.live.{_MODULES[kind]}")
    question_class: type[Question] = module.QUESTION_CLASSES[kind]
    return question_class


def load_question(spec: JsonObject, prepared: JsonObject) -> Question:
    """Return the question for a spec and what `prepare` returned for it."""
    return find_question_class(spec)(spec, prepared)
